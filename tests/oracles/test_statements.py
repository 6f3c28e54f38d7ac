"""What the pages of metrics say of other programs beside their numbers, by these programs.

Docstrings quote the guide, after `> `; `test_quotations.py` has the other statements' tests.
"""

from __future__ import annotations

import logging
import random
import re
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.metadata import metadata
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bleuet import BLEU, METEOR, WER, CharacTER, CharCut, CIDEr, CrystalBLEU, MeanBLEU
from bleuet.metrics.catalogue import metric_from_signature, parse_metric
from tests.oracles.charcut_goldens import counted_by_charcut
from tests.oracles.meteor_goldens import run_jar
from tests.oracles.meteor_jar import jar

pytestmark = pytest.mark.peers
needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")


def metrics_of_sacrebleu() -> Any:
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    return import_module("sacrebleu.metrics")


# --- sacreBLEU ------------------------------------------------------------------------------------


def smoothed(smooth: str, matches: list[int], totals: list[int]) -> list[float]:
    """The precisions by the table of smoothings."""
    found: list[float] = []
    missing = 0
    for order, (m, n) in enumerate(zip(matches, totals, strict=True)):
        missing += m == 0
        if smooth == "add-k" and order > 0:
            found.append(100 * (m + 1) / (n + 1))
        elif m > 0:
            found.append(100 * m / n)
        else:
            found.append({"exp": 100 / (2**missing * n), "floor": 10 / n}.get(smooth, 0.0))
    return found


@pytest.mark.parametrize("smooth", ["exp", "floor", "add-k", "none"])
def test_smoothings_of_sacrebleu(smooth: Any) -> None:
    """Those that it has, and the precisions of each.

    > sacreBLEU has four smoothings:
    """
    peer = metrics_of_sacrebleu().BLEU
    assert set(peer.SMOOTH_DEFAULTS) == {"exp", "floor", "add-k", "none"}
    hypothesis, reference = "a b c x d e y z", "a b c w d e v u"
    counts = BLEU().sentence_score(hypothesis, reference)
    assert counts.counts == (5, 3, 1, 0)
    lines = [(hypothesis, reference), ("a b x c", "a b y c"), ("a x b y c", "a z b w c")]
    for one, other in lines:
        counts = BLEU().sentence_score(one, other)
        expected = smoothed(smooth, list(counts.counts), list(counts.totals))
        theirs = peer(smooth_method=smooth).sentence_score(one, [other]).precisions
        assert theirs == pytest.approx(expected)
        ours = BLEU(smooth=smooth).sentence_score(one, other).precisions
        assert list(ours) == pytest.approx(expected)


def test_bleu_of_a_document() -> None:
    """The example of three numbers.

    > **Only the first one is BLEU**: Papineni et al. (2002, section 2.1) define it, and sacreBLEU
      prints it.
    """
    hypotheses = ["The cat sat on the mat, as cats do.", "They left."]
    references = ["The cat sat on the mat, as cats do.", "They left the house before it rained."]
    theirs = metrics_of_sacrebleu().BLEU().corpus_score(hypotheses, [references]).score
    assert round(theirs, 2) == 66.68
    weightings: Any = ("reference-length", "plain")
    means = [MeanBLEU(weighting=one).corpus_score(hypotheses, references) for one in weightings]
    assert [round(one.score, 2) for one in means] == [62.9, 55.95]
    assert BLEU().corpus_score(hypotheses, references).score == theirs


@pytest.mark.slow
def test_sentences_by_the_command_of_sacrebleu(tmp_path: Path) -> None:
    """A sentence of one word has a score there.

    > Use `BLEU(effective_order=True)`, as the command line of sacreBLEU does for `-sl`.
    """
    (tmp_path / "ref").write_text("cat\nthe cat sat\n")
    (tmp_path / "hyp").write_text("cat\nthe cat sits\n")
    command = [sys.executable, "-m", "sacrebleu", "ref", "-i", "hyp", "-sl", "-b", "-w", "6"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    metric = BLEU(effective_order=True)
    ours = metric.sentence_scores(["cat", "the cat sits"], ["cat", "the cat sat"]).values
    assert list(map(float, run.stdout.split())) == pytest.approx(list(ours), abs=1e-6)
    assert ours[0] == pytest.approx(100)
    assert BLEU().sentence_score("cat", "cat").score == 0


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(
    ("name", "theirs", "ours"),
    [
        ("BLEU", {}, "bleu"),
        ("BLEU", {"lowercase": True, "tokenize": "char"}, "bleu:lowercase,tokenize=char"),
        (
            "BLEU",
            {"smooth_method": "none", "effective_order": True},
            "bleu:smooth=none,effective_order=yes",
        ),
        ("CHRF", {"word_order": 2, "whitespace": True}, "chrf++:whitespace"),
        ("TER", {"normalized": True, "no_punct": True}, "ter:normalized,no_punct"),
    ],
)
def test_signatures_of_sacrebleu_are_read(
    name: str, theirs: dict[str, Any], ours: str, short: bool
) -> None:
    """Both forms, as it prints them.

    > `metric_from_signature` reads signatures of bleuet and sacreBLEU, with long or short keys.
    """
    metric = getattr(metrics_of_sacrebleu(), name)(**theirs)
    score = metric.corpus_score(["a b"], [["a c"]])
    written = metric.get_signature().format(short=short)
    assert ("#:1" in written) is short
    expected = parse_metric(ours)
    assert metric_from_signature(f"{score.name}|{written}") == expected
    signature = expected.signature()
    assert metric_from_signature(signature.short() if short else str(signature)) == expected


# --- NLTK and CrystalBLEU -------------------------------------------------------------------------


def test_words_of_nltk() -> None:
    """A full stop of its own or at its word is another text, and no name tells which it was.

    > NLTK does not tokenize, so use `BLEU(tokenize="none", smooth="nltk-4")`.

    > | every tool that expects tokens, such as NLTK | the score depends on your tokenizer, and no
      signature names it |
    """
    nltk = import_module("nltk.translate.bleu_score")
    smoothing = nltk.SmoothingFunction().method4
    scores = []
    for tokenize in (str.split, lambda text: text.replace(".", " .").split()):
        hypothesis, reference = map(tokenize, ("the cat sat down.", "a cat sat down."))
        found = nltk.sentence_bleu([reference], hypothesis, smoothing_function=smoothing)
        assert isinstance(found, float)
        scores.append(100 * found)
        metric = BLEU(tokenize="none", smooth="nltk-4")
        ours = metric.sentence_score(" ".join(hypothesis), " ".join(reference)).score
        assert ours == pytest.approx(100 * found)
    assert scores[1] > scores[0] + 10


def test_the_recipe_of_crystalbleu() -> None:
    """The counter of its page, with n-grams that are equally common.

    > the authors' recipe ignores those first that it read first.
    """
    page = metadata("crystalbleu").json["description"]
    assert "frequencies = Counter(tokenized_corpus)" in page
    assert "dict(frequencies.most_common(k))" in page
    from collections import Counter

    words = ["b", "a", "b", "a"]
    by_recipe = dict(Counter((word,) for word in words).most_common(1))
    metric = CrystalBLEU(tokenize="none", ignored=1)
    assert by_recipe.keys() == {("b",)}
    assert metric.with_learned(metric.learn(["b a b a"])).common == {("a",)}


def edits_of_nltk(hypothesis: list[str], reference: list[str]) -> tuple[int, int, int]:
    """Substitutions, deletions and insertions of its alignment."""
    path = import_module("nltk.metrics.distance").edit_distance_align(hypothesis, reference)
    substitutions = deletions = insertions = 0
    for (before, other), (place, at) in pairwise(path):
        if place > before and at > other:
            substitutions += hypothesis[before] != reference[other]
        else:
            insertions += place > before
            deletions += at > other
    return substitutions, deletions, insertions


def test_alignments_of_nltk_and_jiwer() -> None:
    """As many edits, and not the same.

    > Several alignments can have the fewest edits, and programs choose differently: S + D + I is
      the same in all, but S, D, I and the words that are confused can differ.
    """
    rng, jiwer = random.Random(1), import_module("jiwer")
    different = 0
    for _ in range(300):
        hypothesis, reference = (rng.choices("abc", k=rng.randint(1, 8)) for _ in range(2))
        texts = " ".join(hypothesis), " ".join(reference)
        found = jiwer.process_words(texts[1], texts[0])
        by_jiwer = found.substitutions, found.deletions, found.insertions
        by_nltk = edits_of_nltk(hypothesis, reference)
        score = WER().sentence_score(*texts)
        assert (score.substitutions, score.deletions, score.insertions) == by_jiwer
        assert sum(by_nltk) == sum(by_jiwer)
        different += by_nltk != by_jiwer
    assert different > 10


# --- pycocoevalcap --------------------------------------------------------------------------------


def test_files_of_pycocoevalcap() -> None:
    """The jar of METEOR 1.5 and the English table, and no other.

    > The package `pycocoevalcap` 1.2 has METEOR's jar and the English table.

    > The table of paraphrases is `data/paraphrase-en.gz` beside the jar.
    """
    assert metadata("pycocoevalcap")["Version"] == "1.2"
    folder = Path(jar()).parent
    assert Path(jar()).name == "meteor-1.5.jar"
    assert [one.name for one in (folder / "data").iterdir()] == ["paraphrase-en.gz"]
    assert METEOR(resources=jar()).used_matchers == ("exact", "stem", "synonym", "paraphrase")


def test_words_of_cider() -> None:
    """Another form of a word counts as little as another word.

    > Neither that program nor `cider` of the paper's authors reduces words to stems, as the paper
      does; bleuet does not either.
    """
    peer = import_module("pycocoevalcap.cider.cider").Cider()
    references = ["a cat sat", "two dogs ran"]
    metric = CIDEr(variant="d", tokenize="none")
    scores = []
    for text in ("a cats sat", "a house sat", "a cat sat"):
        _, segments = peer.compute_score(
            {0: references[:1], 1: references[1:]}, {0: [text], 1: ["x"]}
        )
        ours = metric.sentence_scores([text, "x"], references).values
        assert list(ours) == pytest.approx(list(segments))
        scores.append(float(segments[0]))
    assert scores[0] == scores[1] < scores[2]


# --- METEOR 1.5 -----------------------------------------------------------------------------------


def run_meteor(folder: Path, flags: list[str]) -> tuple[dict[str, Any], str]:
    """The scores of a few texts, and what the program prints of its weights."""
    (folder / "meteor.jar").write_bytes(Path(jar()).read_bytes())
    texts = ["The car, sat.", "walks home"], ["the automobile sat", "walked home"]
    found = run_jar(folder, texts, flags)
    command = ["java", "-Xmx800m", "-jar", "meteor.jar", "hypotheses", "references", *flags]
    run = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    (weights,) = re.findall(r"(?m)^Weights:\s+(.*)$", run.stdout)
    return found, weights


@needs_java
@pytest.mark.slow
def test_punctuation_in_meteors_program(tmp_path: Path) -> None:
    """The option alone changes nothing.

    > METEOR ignores `-noPunct` without `-norm`; here that is an error.
    """
    flags = ["-l", "en", "-m", "exact stem"]
    plain, normalized = (run_meteor(tmp_path, [*flags, *more])[0] for more in ([], ["-norm"]))
    assert run_meteor(tmp_path, [*flags, "-noPunct"])[0] == plain
    assert run_meteor(tmp_path, [*flags, "-norm", "-noPunct"])[0] != normalized


@needs_java
@pytest.mark.slow
def test_weights_in_meteors_program(tmp_path: Path) -> None:
    """It prints the weights of its matchers.

    > METEOR's own option `-p` also changes the weights of matchers, unless `-w` gives them: in
      English to those of the task `adq`, so that `-p '0.5 1 0.5 0.5'` is `alpha=0.5`, `beta=1`,
      `gamma=0.5`, `delta=0.5` and `weights=1/1/0.6/0.8`. In other languages it sets them to 0.

    > METEOR's `-m` without some matchers gives the others the first weights: `-m 'exact synonym'`
      weights English synonyms as stems.
    """
    three = ["-l", "en", "-norm", "-m", "exact stem synonym"]
    own = ["-p", "0.5 1 0.5 0.5"]
    found, weights = run_meteor(tmp_path, [*three, *own])
    assert weights == run_meteor(tmp_path, [*three, "-t", "adq"])[1] == "1.0 1.0 0.6"
    options: dict[str, Any] = {"alpha": 0.5, "beta": 1, "gamma": 0.5, "delta": 0.5}
    metric = METEOR(matchers="exact+stem+synonym", weights=(1, 1, 0.6), resources=jar(), **options)
    texts = ["The car, sat.", "walks home"], ["the automobile sat", "walked home"]
    assert [one / 100 for one in metric.sentence_scores(*texts)] == pytest.approx(found["segments"])
    assert run_meteor(tmp_path, [*three, *own, "-w", "1 0.5 0.2"])[1] == "1.0 0.5 0.2"
    for language in ("de", "fr", "it"):
        given = ["-l", language, "-lower", "-m", "exact stem", *own]
        assert run_meteor(tmp_path, given)[1] == "0.0 0.0"
    assert run_meteor(tmp_path, three)[1] == "1.0 0.6 0.8"
    found, weights = run_meteor(tmp_path, ["-l", "en", "-norm", "-m", "exact synonym"])
    assert weights == "1.0 0.6"
    as_stems = METEOR(matchers="exact+synonym", resources=jar(), weights=(1, 0.6))
    values = [one / 100 for one in as_stems.sentence_scores(*texts)]
    assert values == pytest.approx(found["segments"])
    own_weights = METEOR(matchers="exact+synonym", resources=jar()).sentence_scores(*texts)
    assert own_weights[0] / 100 > found["segments"][0]


@needs_java
@pytest.mark.slow
def test_the_usage_of_meteors_program(tmp_path: Path) -> None:
    """What it prints, and what it does.

    > METEOR's usage says that `-t util` implies `-ch`, but its program counts words with it;
    """
    command = ["java", "-Xmx800m", "-jar", jar()]
    usage = subprocess.run(command, capture_output=True, text=True, check=False)
    assert re.search(r"util implies -ch", usage.stdout + usage.stderr)
    flags = ["-l", "en", "-norm", "-m", "exact stem", "-t", "util"]
    assert run_meteor(tmp_path, flags)[0] != run_meteor(tmp_path, [*flags, "-ch"])[0]


# --- cer and charcut ------------------------------------------------------------------------------


def test_words_and_corpora_of_cer() -> None:
    """Words that are nearly equal do not shift; the mean has a name.

    > The paper lets words match that differ in a few characters. The program compares words
      exactly.

    > Its `calculate_cer_corpus` calls the score of the corpus `mean`.

    > cer stops with an error if the reference is empty.
    """
    cer = import_module("cer")
    hypotheses, references = ["sat the cats", "sat the cat"], ["the cat sat", "the cat sat"]
    words = [[one.split() for one in side] for side in (hypotheses, references)]
    near, equal = (cer.calculate_cer(*pair) for pair in zip(*words, strict=True))
    # `the cat` moves as one, and with `cats` only `sat` or `the` can.
    assert equal < near
    corpus = cer.calculate_cer_corpus(*words)
    metric = CharacTER()
    assert corpus["mean"] == pytest.approx((near + equal) / 2)
    score = metric.corpus_score(hypotheses, references).score
    assert score == pytest.approx(100 * corpus["mean"])
    with pytest.raises(ZeroDivisionError):
        cer.calculate_cer(["a"], [])
    assert metric.sentence_score("a", "").score == 100


def test_empty_hypotheses_of_charcut() -> None:
    """They cost nothing there, and the reference's characters here.

    > The program leaves out segments with an empty hypothesis, so that systems gain by them;
      bleuet divides their cost by the characters of the reference, which is 100.
    """
    texts = ["", "abc"], ["abcd", "abd"]
    score, segments = counted_by_charcut(*texts, {"alt_norm": True})
    assert segments == [(0, 0), (6, 6)]
    only, _ = counted_by_charcut(["abc"], ["abd"], {"alt_norm": True})
    assert score == only
    metric = CharCut(normalize="hypothesis")
    assert metric.sentence_score("", "abcd").score == 100
    assert metric.sentence_score("abc", "abd").values[-2:] == (6, 6)


def test_lines_of_charcut() -> None:
    """It rejects a segment of two lines, and what is no text.

    > The program has one reference for each segment, and a line break ends its segments.
    """
    with pytest.raises(AssertionError):
        counted_by_charcut(["a\nb"], ["a b"], {})
    assert CharCut().sentence_score("a\nb", "a b").score > 0
    with pytest.raises((AssertionError, AttributeError, TypeError)):
        counted_by_charcut(["a b"], [["a b", "a c"]], {})  # type: ignore[list-item]
