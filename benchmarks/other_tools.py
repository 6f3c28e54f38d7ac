"""Other tools, if they are installed. Their scores differ, so they are not compared.

nltk scores tokens, not text: here the words between white space.
"""

from __future__ import annotations

import warnings
from collections import Counter
from heapq import nsmallest
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from benchmarks.timing import Runner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.corpora import Pairs

    Maker = Callable[[Any, Pairs], "Callable[[], Sequence[float]]"]


def others(work: str, pairs: Pairs) -> list[Runner]:
    """Return the installed tools that can do a piece of work, such as "corpus BLEU"."""
    found = []
    for tool, module, make in TOOLS.get(work, ()):
        if find_spec(module.partition(".")[0]) is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run = make(import_module(module), pairs)
            found.append(Runner(tool, _quiet(run), expected=False))
    return found


def _quiet(run: Callable[[], Sequence[float]]) -> Callable[[], Sequence[float]]:
    def quiet() -> Sequence[float]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run()

    return quiet


def _nltk_corpus_bleu(nltk: Any, pairs: Pairs) -> Callable[[], Sequence[float]]:
    def run() -> list[float]:
        references = [[line.split()] for line in pairs.references]
        return [100 * nltk.corpus_bleu(references, [line.split() for line in pairs.hypotheses])]

    return run


def _nltk_sentence_bleu(nltk: Any, pairs: Pairs) -> Callable[[], Sequence[float]]:
    smooth = nltk.SmoothingFunction().method3

    def run() -> list[float]:
        both = zip(pairs.hypotheses, pairs.references, strict=True)
        return [
            100 * nltk.sentence_bleu([ref.split()], hyp.split(), smoothing_function=smooth)
            for hyp, ref in both
        ]

    return run


def _nltk_chrf(nltk: Any, pairs: Pairs) -> Callable[[], Sequence[float]]:
    return lambda: [100 * nltk.corpus_chrf(pairs.references, pairs.hypotheses, beta=2)]


def _bleuscore(bleuscore: Any, pairs: Pairs) -> Callable[[], Sequence[float]]:
    references = [[line] for line in pairs.references]
    return lambda: [100 * bleuscore.compute(references, pairs.hypotheses)["bleu"]]


def _torchmetrics(function: str, **options: Any) -> Maker:
    def make(text: Any, pairs: Pairs) -> Callable[[], Sequence[float]]:
        references = [[line] for line in pairs.references]
        compute = getattr(text, function)
        return lambda: [100 * float(compute(pairs.hypotheses, references, **options))]

    return make


def nltk_nist(pairs: Pairs) -> Runner:
    """The corpus score of NIST, which is right for one reference."""
    nltk: Any = import_module("nltk.translate.nist_score")

    def run() -> list[float]:
        references = [[line.split()] for line in pairs.references]
        return [nltk.corpus_nist(references, [line.split() for line in pairs.hypotheses])]

    return Runner("nltk", run)


def nltk_ribes(pairs: Pairs) -> Runner:
    """The corpus score of RIBES; it differs where a reference has one word."""
    nltk: Any = import_module("nltk.translate.ribes_score")

    def run() -> list[float]:
        references = [[line.split()] for line in pairs.references]
        return [100 * nltk.corpus_ribes(references, [line.split() for line in pairs.hypotheses])]

    return Runner("nltk", run, expected=False)


def crystalbleu(pairs: Pairs) -> Runner:
    """The corpus score of CrystalBLEU; of equally common n-grams, those that bleuet ignores."""
    crystal: Any = import_module("crystalbleu")

    def order(one: tuple[tuple[str, ...], int]) -> tuple[int, int, tuple[str, ...]]:
        return -one[1], len(one[0]), one[0]

    def run() -> list[float]:
        references = [line.split() for line in pairs.references]
        ngrams = (
            tuple(words[i : i + n])
            for words in references
            for n in range(1, 5)
            for i in range(len(words) - n + 1)
        )
        ignoring = dict(nsmallest(500, Counter(ngrams).items(), key=order))
        hypotheses = [line.split() for line in pairs.hypotheses]
        several = [[words] for words in references]
        return [100 * crystal.corpus_bleu(several, hypotheses, ignoring=ignoring)]

    return Runner("crystalbleu", run)


def pycocoevalcap_cider(pairs: Pairs) -> Runner:
    """The corpus score of CIDEr-D, which cuts words at white space; its last digits are others."""
    cider: Any = import_module("pycocoevalcap.cider.cider")
    references = {i: [line] for i, line in enumerate(pairs.references)}
    hypotheses = {i: [line] for i, line in enumerate(pairs.hypotheses)}
    run = cider.Cider().compute_score
    return Runner("pycocoevalcap", lambda: [run(references, hypotheses)[0]])


def has_torchmetrics() -> bool:
    """Whether torchmetrics, which needs PyTorch, is installed."""
    return find_spec("torchmetrics") is not None


def torchmetrics_squad(pairs: Pairs) -> Runner:
    """Exact match by the rules of SQuAD's script, and F1 of the words, which it always computes."""
    squad: Any = import_module(_TORCH).squad
    answers = [{"prediction_text": text, "id": str(i)} for i, text in enumerate(pairs.hypotheses)]
    right = [
        {"answers": {"text": [text], "answer_start": [0]}, "id": str(i)}
        for i, text in enumerate(pairs.references)
    ]
    return Runner("torchmetrics", lambda: [float(squad(answers, right)["exact_match"])])


_TORCH = "torchmetrics.functional.text"
TOOLS: dict[str, list[tuple[str, str, Maker]]] = {
    "corpus BLEU": [
        ("nltk", "nltk.translate.bleu_score", _nltk_corpus_bleu),
        ("torchmetrics", _TORCH, _torchmetrics("sacre_bleu_score")),
        ("bleuscore", "bleuscore", _bleuscore),
    ],
    "sentence BLEU": [("nltk", "nltk.translate.bleu_score", _nltk_sentence_bleu)],
    "chrF": [
        ("nltk", "nltk.translate.chrf_score", _nltk_chrf),
        ("torchmetrics", _TORCH, _torchmetrics("chrf_score", n_word_order=0)),
    ],
    "chrF++": [("torchmetrics", _TORCH, _torchmetrics("chrf_score"))],
    "TER": [("torchmetrics", _TORCH, _torchmetrics("translation_edit_rate"))],
}
