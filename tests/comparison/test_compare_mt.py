"""The figures of compare-mt 0.2.10 on the same sentences, where both tools ask the same question.

`goldens/compare-mt.out` is what it printed; `goldens/compare-mt.sh` makes it anew. Where the two
tools differ on purpose, docs/comparison.md says why.
"""

from __future__ import annotations

import re
from math import exp, log
from pathlib import Path

import pytest

from bleuet.comparison import Comparison, TokenLabels, compare
from bleuet.comparison.division import DIVISIONS
from bleuet.comparison.ngrams import match_ngrams, smoothed_ratio
from bleuet.metrics.base.score import Score
from bleuet.metrics.bleu.metric import BLEU, BLEUScore

GOLDENS = Path(__file__).parent / "goldens"
NGRAM = re.compile(r"(?P<ngram>.+)\t(?P<ratio>[\d.]+) \(sys1=(?P<left>\d+), sys2=(?P<right>\d+)\)")
SENTENCE = re.compile(r"sys1-sys2=(\S+), sys1=(\S+), sys2=(\S+)")
# Ten digits after the decimal point were printed.
CLOSE = 1e-9


def lines(name: str) -> list[str]:
    return (GOLDENS / name).read_text(encoding="utf-8").splitlines()


def block(head: str, nth: int = 0) -> list[str]:
    """The lines behind a heading, to the next empty line."""
    text = lines("compare-mt.out")
    starts = [number for number, line in enumerate(text) if head in line]
    start = starts[nth] + 1
    return text[start : text.index("", start)]


def table(head: str, nth: int = 0) -> dict[str, tuple[float, float]]:
    """A table of two systems by the labels of its lines."""
    rows = [line.split("\t") for line in block(head, nth)[1:]]
    return {label: (float(one), float(other)) for label, one, other in rows}


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """The same sentences, with the smoothings that compare-mt has."""
    systems = ("system-a", "system-b")
    return compare(
        {name: lines(f"{name}.txt") for name in systems},
        lines("reference.txt"),
        [BLEU(tokenize="none", smooth="add-k"), BLEU(tokenize="none", smooth="none")],
        token_labels=TokenLabels(
            lines("reference.labels"), {name: lines(f"{name}.labels") for name in systems}
        ),
        by=list(DIVISIONS),
        examples=40,
    )


def same_label(ours: str) -> str:
    """Write a bucket as compare-mt does."""
    between = re.fullmatch(r"(-?\d+) to (-?\d+)", ours)
    if between:
        return f"[{between[1]},{int(between[2]) + 1})"
    real = re.fullmatch(r"\[(\d+), (\d+)\)", ours)
    return f"[{real[1]}.0,{real[2]}.0)" if real else ours


def test_corpus_scores(comparison: Comparison) -> None:
    scores = [float(text) for text in block("BLEU:")[1].split("\t")[1:]]
    assert [own[1].score for own in comparison.scores] == pytest.approx(scores, abs=CLOSE)


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("length", "bucket type: length, statistic type: BLEU"),
        ("length-difference", "len(output)-len(reference), statistic type: BLEU"),
    ],
)
def test_scores_by_bucket(comparison: Comparison, name: str, head: str) -> None:
    expected = table(head)
    breakdown = comparison.breakdown(name)
    assert [same_label(label) for label in breakdown.labels] == [
        label for label, scores in expected.items() if any(scores)
    ]
    for system, buckets in enumerate(breakdown.systems):
        for scored in buckets:
            theirs = expected[same_label(scored.bucket.label)][system]
            assert as_theirs(scored.scores[1]) == pytest.approx(theirs, abs=CLOSE)


def test_an_order_without_matches_is_all_matches_there(comparison: Comparison) -> None:
    """The one figure of these sentences that differs: one sentence, of which no 4-gram matches."""
    (scored,) = (
        scored
        for scored in comparison.breakdown("length-difference").systems[1]
        if scored.bucket.label == "-4"
    )
    score = scored.scores[1]
    assert isinstance(score, BLEUScore)
    assert (scored.bucket.count, score.counts[3], score.score) == (1, 0, 0.0)
    assert as_theirs(score) > 30


def as_theirs(score: Score | None) -> float:
    """BLEU as compare-mt computes it: 0 for no segments, an order without matches left out."""
    if score is None:
        return 0.0
    assert isinstance(score, BLEUScore)
    logs = [log(precision / 100) for precision in score.precisions if precision]
    return 100 * score.bp * exp(sum(logs) / 4)


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("length-difference", "len(output)-len(reference), statistic type: count"),
        ("score", "sentence-level BLEU, statistic type: count"),
    ],
)
def test_segments_by_bucket(comparison: Comparison, name: str, head: str) -> None:
    expected = table(head)
    breakdown = comparison.breakdown(name)
    if name == "score":
        expected = {label.replace(">=90.0", ">=90"): row for label, row in expected.items()}
    for system, buckets in enumerate(breakdown.systems):
        counts = {same_label(scored.bucket.label): scored.bucket.count for scored in buckets}
        theirs = {label: row[system] for label, row in expected.items() if any(row)}
        assert counts == theirs


@pytest.mark.parametrize(("which", "name"), [(0, "frequency"), (1, "labels")])
@pytest.mark.parametrize("nth", [0, 1, 2])
def test_word_accuracy(comparison: Comparison, which: int, name: str, nth: int) -> None:
    expected = table(f"by {name} bucket", nth)
    for system, groups in enumerate(comparison.words[which].systems):
        for group in groups:
            # It prints recall as precision, and precision as recall.
            ours = (group.f, group.recall, group.precision)[nth]
            theirs = (
                expected.pop(same_label(group.label))
                if system
                else expected[same_label(group.label)]
            )
            assert ours / 100 == pytest.approx(theirs[system], abs=CLOSE)
    # What is left over has no words.
    assert all(row == (0.0, 0.0) for row in expected.values())


@pytest.mark.parametrize("side", [0, 1])
def test_ngrams(comparison: Comparison, side: int) -> None:
    better, worse = [("sys1", "sys2"), ("sys2", "sys1")][side]
    found = [NGRAM.fullmatch(line) for line in block(f"40 n-grams where {better}>{worse}")]
    theirs = {
        tuple(one["ngram"].split(" ")): (int(one["left"]), int(one["right"]), float(one["ratio"]))
        for one in found
        if one
    }
    assert len(theirs) == 40
    matches = dict(match_ngrams(comparison.texts.words).counts())
    for ngram, (left, right, ratio) in theirs.items():
        assert matches[ngram] == (left, right)
        assert smoothed_ratio(left, right) == pytest.approx(ratio, abs=CLOSE)
    pair = comparison.pairs[0]
    ours = {one.ngram: (one.left, one.right, one.ratio) for one in (pair.gained, pair.lost)[side]}
    # Which of equal ones come last is a matter of chance there.
    last = min(theirs.values(), key=lambda row: abs(row[2] - 0.5))[2]
    for one, other in ((ours, theirs), (theirs, ours)):
        certain = {ngram for ngram, row in one.items() if abs(row[2] - last) > CLOSE}
        assert certain
        assert certain <= other.keys()


@pytest.mark.parametrize("side", [0, 1])
def test_sentences(comparison: Comparison, side: int) -> None:
    better, worse = [("sys1", "sys2"), ("sys2", "sys1")][side]
    text = lines("compare-mt.out")
    start = next(i for i, line in enumerate(text) if f"10 sentences where {better}>{worse}" in line)
    theirs = []
    for line in text[start + 1 :]:
        if line.startswith("---"):
            break
        match = SENTENCE.fullmatch(line)
        if match:
            theirs.append([float(number) for number in match.groups()])
    assert len(theirs) == 10
    ranking = comparison.pairs[0].sentences[0]
    shown = (ranking.gained, ranking.lost)[side][:10]
    ours = [[one.difference, *one.scores] for one in shown]
    # It shows those of the second system from the least to the largest.
    expected = theirs if side == 0 else theirs[::-1]
    assert [row[0] for row in ours] == pytest.approx([row[0] for row in expected], abs=1e-8)
    for row in ours:
        assert any(row == pytest.approx(other, abs=1e-8) for other in theirs)
