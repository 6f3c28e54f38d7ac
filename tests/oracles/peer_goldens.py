"""Figures of other programs on made texts, for runs of the tests without these programs.

    python -m tests.oracles.peer_goldens

asks them again and writes `goldens/peers.json`. It needs the extra `test-peers`. fast-bleu 0.0.90
has no wheel and does not build everywhere, and compare-mt 0.2.10 comes with the extra `bench`;
without them, their figures stay.
"""

from __future__ import annotations

import json
import random
import warnings
from collections import Counter
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bleuet.statistics.definitions.learned_ngrams import ngrams
from tests.evaluation_data import REPOSITORY
from tests.oracles import fuzz

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "peers.json"
WRITTEN, DRAWN, CODE = 26, 14, 24
PARTS = [
    ["The old baker", "Nobody", "My sister's dog", "A (very) tall man", "The 3 nurses", "She"],
    ["walks", "walked quickly", "has been walking", "didn't want to go", "was carrying bread"],
    ["through the town", "to the station", "past the houses, the church and the mill", "home"],
    ["before the rain.", "in 1,250 steps", "again and again!", "- as always.", "at noon?", "."],
]
RATES = ("wer", "mer", "wil", "wip")
COUNTS = ("hits", "substitutions", "deletions", "insertions")
IGNORED = (0, 8, 30)
MEASURES = ("precision", "recall", "fmeasure")
WER_OPTIONS: list[dict[str, Any]] = [
    {},
    {"tokenize": "char"},
    {"lowercase": True},
    {"no_punct": True},
    {"whitespace": "single"},
    {"tokenize": "char", "whitespace": "single"},
    {"tokenize": "char", "whitespace": "none"},
    {"tokenize": "char", "lowercase": True, "no_punct": True},
]
# NLTK's smoothings and their options; ours is `smooth_value` for all.
SMOOTHINGS: list[tuple[int, dict[str, float]]] = [
    *[(n, {}) for n in range(8)],
    (1, {"epsilon": 0.02}),
    (4, {"k": 2}),
    (6, {"alpha": 3}),
    (7, {"k": 7}),
]


def texts() -> dict[str, list[tuple[str, list[str]]]]:
    """Hypotheses and their references by the name of the set."""
    rng = random.Random(71)
    written = []
    for _ in range(WRITTEN):
        several = [" ".join(map(rng.choice, PARTS)) for _ in range(rng.choice([1, 1, 2, 3]))]
        written.append((fuzz.changed(rng, rng.choice(several)), several))
    hypotheses, references = fuzz.segments(72, 20 * DRAWN)
    drawn = [
        (hypothesis, several)
        for hypothesis, several in zip(hypotheses, fuzz.all_references(references), strict=True)
        if all(map(is_read_alike, [hypothesis, *several]))
    ]
    code = [[code_lines(rng) for _ in range(rng.randint(1, 3))] for _ in range(CODE)]
    return {
        "written": written,
        "any": [*written, *drawn[:DRAWN]],
        "code": [(fuzz.changed(rng, several[0]), several) for several in code],
    }


def is_read_alike(text: str) -> bool:
    """Whether all programs see the same white space and the same characters."""
    return all(character.isprintable() or character in "\t\n" for character in text)


def code_lines(rng: random.Random) -> str:
    """Return tokens of a program, of which some come again and again."""
    a, b, c, d = rng.choices("abcdefghijklmnop", k=4)
    lines = [
        f"for ( int {a} = 0 ; {a} < {b} ; ++ {a} ) {{",
        f"{c} = {d} ( {a} , {b} ) ;",
        f"return {c} ; }}",
        f"if ( {a} == {d} [ {b} ] ) {{",
    ]
    return " ".join(rng.choices(lines, k=rng.randint(2, 4)))


def words(pairs: Sequence[tuple[str, list[str]]]) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Hypotheses and references as lists of words."""
    return (
        [hypothesis.split() for hypothesis, _ in pairs],
        [[one.split() for one in several] for _, several in pairs],
    )


def case(metric: str, name: str, options: dict[str, Any], **figures: Any) -> dict[str, Any]:
    return {"metric": metric, "texts": name, "options": options, **figures}


# --- The programs ---------------------------------------------------------------------------------


def of_nltk(sets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    gleu, nist, ribes, chrf, bleu = (
        import_module(f"nltk.translate.{name}_score")
        for name in ("gleu", "nist", "ribes", "chrf", "bleu")
    )
    hypotheses, references = words(sets["any"])
    pairs = list(zip(references, hypotheses, strict=True))
    for least, most in ((1, 4), (2, 3), (1, 1)):
        yield case(
            "gleu",
            "any",
            {"tokenize": "none", "min_ngram_order": least, "max_ngram_order": most},
            segments=[gleu.sentence_gleu(*pair, least, most) for pair in pairs],
            corpus=gleu.corpus_gleu(references, hypotheses, least, most),
        )
    for order in range(1, 6):
        # NLTK is right for one reference.
        first = [several[:1] for several in references]
        yield case(
            "nist",
            "any first",
            {"tokenize": "none", "information": "paper", "max_ngram_order": order},
            corpus=nist.corpus_nist(first, hypotheses, order) / 100,
        )
    for alpha, beta in ((0.25, 0.1), (1.0, 0.5)):
        written = zip(*reversed(words(sets["written"])), strict=True)
        yield case(
            "ribes",
            "written",
            {"tokenize": "none", "alpha": alpha, "beta": beta, "left_first": False},
            segments=[ribes.sentence_ribes(*pair, alpha, beta) for pair in written],
        )
    for beta in (1, 2, 3):
        texts = [(hypothesis, several[0]) for hypothesis, several in sets["any"]]
        yield case(
            "mean-chrf",
            "any first",
            {"beta": beta},
            segments=[chrf.sentence_chrf(one, hypothesis, beta=beta) for hypothesis, one in texts],
        )
    for n, values in SMOOTHINGS:
        method = getattr(bleu.SmoothingFunction(**values), f"method{n}")
        value = next(iter(values.values()), None)
        options = {"tokenize": "none", "smooth": f"nltk-{n}", "smooth_value": value}
        scores = [sentence_or_none(bleu.sentence_bleu, *pair, method) for pair in pairs]
        yield case("bleu", "any", options, segments=scores)
        if n < 5:  # The others read the last sentence only.
            score = quietly(bleu.corpus_bleu, references, hypotheses, method)
            yield case("bleu", "any", options, corpus=score)


def quietly(score: Any, references: Any, hypotheses: Any, method: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(score(references, hypotheses, smoothing_function=method))


def sentence_or_none(score: Any, references: Any, hypothesis: Any, method: Any) -> float | None:
    """The score, where NLTK has one: its smoothing 6 stops where order 3 has no match."""
    try:
        return quietly(score, references, hypothesis, method)
    except AssertionError:
        return None


def of_rouge_score(sets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer
    for stemming in (False, True):
        for variant in ("1", "2", "L", "Lsum"):
            one = scorer([f"rouge{variant}"], use_stemmer=stemming)
            scores = [
                one.score_multi(several, hypothesis)[f"rouge{variant}"]
                for hypothesis, several in sets["written"]
            ]
            rows = [[float(number) for number in score] for score in scores]
            options = {"variant": variant, "stemming": stemming}
            yield case("rouge", "written", options, columns=MEASURES, rows=rows)


def of_jiwer(sets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    hypotheses = [hypothesis for hypothesis, _ in sets["any"]]
    references = [several[0] for _, several in sets["any"]]
    for options in WER_OPTIONS:
        found = asked_of_jiwer(hypotheses, references, options)
        rows = list(map(jiwer_row, found.alignments))
        rates = {rate: getattr(found, rate) for rate in RATES}
        yield case("wer", "any first", options, columns=COUNTS, rows=rows, rates=rates)


def asked_of_jiwer(hypotheses: list[str], references: list[str], options: dict[str, Any]) -> Any:
    """What jiwer finds with the transforms that mean the same as options of ours."""
    jiwer = import_module("jiwer")
    transforms = []
    if options.get("lowercase"):
        transforms.append(jiwer.ToLowerCase())
    if options.get("no_punct"):
        transforms.append(jiwer.RemovePunctuation())
    patterns = {"single": {r"\s+": " "}, "none": {r"\s": ""}}
    if options.get("whitespace"):
        transforms.append(jiwer.SubstituteRegexes(patterns[options["whitespace"]]))
    if options.get("tokenize"):
        transforms += [jiwer.Strip(), jiwer.ReduceToListOfListOfChars()]
    else:
        transforms += [jiwer.RemoveMultipleSpaces(), jiwer.Strip()]
        transforms.append(jiwer.ReduceToListOfListOfWords())
    transform = jiwer.Compose(transforms)
    return jiwer.process_words(references, hypotheses, transform, transform)


def jiwer_row(chunks: Iterable[Any]) -> tuple[int, ...]:
    """The hits, substitutions, deletions and insertions of one alignment of jiwer's."""
    counts = dict.fromkeys(("equal", "substitute", "delete", "insert"), 0)
    for chunk in chunks:
        reference = chunk.ref_end_idx - chunk.ref_start_idx
        hypothesis = chunk.hyp_end_idx - chunk.hyp_start_idx
        counts[chunk.type] += max(reference, hypothesis)
    return tuple(counts.values())


def of_pycocoevalcap(sets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    cider = import_module("pycocoevalcap.cider.cider").Cider()
    for name in ("written", "any"):
        hypotheses = {place: [one] for place, (one, _) in enumerate(sets[name])}
        references = {place: several for place, (_, several) in enumerate(sets[name])}
        score, segments = cider.compute_score(references, hypotheses)
        options = {"variant": "d", "tokenize": "none"}
        # Their scores are from 0 to 10.
        figures = {"segments": [float(one) / 100 for one in segments], "corpus": score / 100}
        yield case("cider", name, options, **figures)


def of_crystalbleu(sets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    peer = import_module("crystalbleu")
    hypotheses, references = words(sets["code"])
    everything = [one for _, several in sets["code"] for one in several]
    for n in range(6):
        for ignored in IGNORED:
            given = (
                (0.25,) * 4,
                getattr(peer.SmoothingFunction(), f"method{n}"),
                False,
                most_common(everything, ignored),
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                segments = [
                    peer.sentence_bleu(several, hypothesis, *given)
                    for several, hypothesis in zip(references, hypotheses, strict=True)
                ]
            options = {"tokenize": "none", "smooth": f"nltk-{n}", "ignored": ignored}
            yield case("crystal-bleu", "code", options, segments=segments)


def most_common(texts: Sequence[str], k: int) -> dict[tuple[str, ...], int]:
    """The recipe of the package; of equal counts, as CrystalBLEU chooses."""
    counts = Counter(one for text in texts for n in range(1, 5) for one in ngrams(text.split(), n))
    chosen = sorted(counts.items(), key=lambda one: (-one[1], len(one[0]), one[0]))
    return dict(chosen[:k])


def of_fast_bleu(sets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    fast_bleu = import_module("fast_bleu")
    hypotheses, _ = words(sets["written"])
    # It has weights in single precision, which these orders are exact in.
    for order in (2, 4):
        found = fast_bleu.SelfBLEU(hypotheses, {"": [1 / order] * order}).get_score()[""]
        options = {"tokenize": "none", "smooth": "nltk-1", "max_ngram_order": order}
        yield case("self-bleu", "written", options, segments=list(map(float, found)))


def of_compare_mt(sets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    scorer = import_module("compare_mt.scorers").RibesScorer
    hypotheses, references = words(sets["written"])
    pairs = [(several[0], one) for several, one in zip(references, hypotheses, strict=True)]
    for alpha, beta in ((0.25, 0.1), (1.0, 0.5)):
        options = {"tokenize": "none", "alpha": alpha, "beta": beta}
        scores = [scorer(alpha=alpha, beta=beta).score_sentence(*pair)[0] for pair in pairs]
        yield case("ribes", "written first", options, segments=[one / 100 for one in scores])


PROGRAMS = {
    "nltk": of_nltk,
    "rouge-score": of_rouge_score,
    "jiwer": of_jiwer,
    "pycocoevalcap": of_pycocoevalcap,
    "crystalbleu": of_crystalbleu,
    "compare-mt": of_compare_mt,
    "fast-bleu": of_fast_bleu,
}


def main() -> None:
    """Write the file."""
    sets = texts()
    before = json.loads(FILE.read_text(encoding="ascii")) if FILE.exists() else {}
    found = {
        name: {"version": version(name), "cases": list(ask(sets))}
        if find_spec(name.replace("-", "_"))
        else before["programs"][name]
        for name, ask in PROGRAMS.items()
    }
    content = json.dumps({"texts": sets, "programs": found}, separators=(",", ":"))
    FILE.write_text(content + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
