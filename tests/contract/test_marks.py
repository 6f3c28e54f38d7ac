"""What a metric marks on a segment is what its row counts, and the steps lead to its score."""

from __future__ import annotations

import random
from math import isclose
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.metrics.base.derivation import drawn_steps, evaluated
from bleuet.metrics.base.marked_segment import MarkedSegment
from bleuet.metrics.base.marks import EQUAL, EXTRA, MISSING, SHIFTED, SUBSTITUTED
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.bleu.metric import BLEUScore
from bleuet.metrics.catalogue import CATALOGUE, PRESETS, parse_metric
from bleuet.metrics.charcut.metric import CharCutScore
from bleuet.metrics.gleu.metric import GLEUScore
from bleuet.metrics.ribes.metric import RIBESScore
from bleuet.metrics.rouge.metric import ROUGEScore
from bleuet.metrics.ter.metric import TERScore
from bleuet.metrics.wer.metric import JUMP, WERScore
from tests.backends import counted_by, counted_by_python, kernel
from tests.contract.settings import (
    counted,
    counting,
    every_metric,
    settings_of,
    some_of,
    with_made_edits,
    with_made_sources,
    with_texts,
)
from tests.corpora.any_text import long_corpora_for
from tests.effort import examples
from tests.patience import little_work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def check_bleu(found: MarkedSegment, score: BLEUScore) -> None:
    kinds = [mark.kind for mark in found.marks]
    for n in range(1, score.metric.max_ngram_order + 1):
        assert kinds.count(f"{n}-gram") == score.counts[n - 1]
    for mark in found.marks:
        if "clipped" not in mark.kind:
            assert found.hypothesis_text(mark) == found.reference_text(mark)


def check_ter(found: MarkedSegment, score: TERScore) -> None:
    assert sum(mark.kind != EQUAL for mark in found.marks) == score.num_edits
    for mark in found.marks:
        if mark.kind == EQUAL:
            assert found.hypothesis_text(mark) == found.reference_text(mark)
        # An extra word stands in the hypothesis alone, and a missing one in the reference.
        if mark.kind in (EXTRA, MISSING):
            sides = [begin < end for begin, end in (mark.hypothesis, mark.reference)]
            assert sides == [mark.kind == EXTRA, mark.kind == MISSING]


def check_wer(found: MarkedSegment, score: WERScore) -> None:
    def words(kind: str, side: str) -> int:
        spans = [getattr(mark, side) for mark in found.marks if mark.kind == kind]
        return sum(end - begin for begin, end in spans)

    assert words(EQUAL, "hypothesis") == words(EQUAL, "reference") == score.hits
    assert words(SUBSTITUTED, "hypothesis") == score.substitutions
    assert words(MISSING, "reference") == score.deletions
    jumps = sum(mark.kind == JUMP for mark in found.marks)
    assert words(EXTRA, "hypothesis") + jumps == score.insertions
    for mark in found.marks:
        if mark.kind == EQUAL:
            assert found.hypothesis_text(mark) == found.reference_text(mark)


def check_charcut(found: MarkedSegment, score: CharCutScore) -> None:
    def characters(kind: str, side: str) -> int:
        spans = [getattr(mark, side) for mark in found.marks if mark.kind == kind]
        pieces = found.hypothesis
        if side == "reference":
            pieces = found.references[found.marks[0].reference_number]
        return sum(len(piece) for span in spans for piece in pieces[slice(*span)])

    if not found.marks:
        assert score.length == 0 or score.cost == 0
        return
    assert characters(EXTRA, "hypothesis") == score.deletions
    assert characters(MISSING, "reference") == score.insertions
    assert characters(SHIFTED, "hypothesis") == characters(SHIFTED, "reference") == score.shifts
    for mark in found.marks:
        if mark.kind in (EQUAL, SHIFTED):
            assert found.hypothesis_text(mark) == found.reference_text(mark)
        else:
            sides = [begin < end for begin, end in (mark.hypothesis, mark.reference)]
            assert sides == [mark.kind == EXTRA, mark.kind == MISSING]


def check_gleu(found: MarkedSegment, score: GLEUScore) -> None:
    assert sum("clipped" not in mark.kind for mark in found.marks) == score.matching_ngrams


def check_ribes(found: MarkedSegment, score: RIBESScore) -> None:
    share = len(found.marks) / len(found.hypothesis) if found.hypothesis else 0
    assert score.precision == pytest.approx(100 * share)
    for mark in found.marks:
        assert found.hypothesis_text(mark) == found.reference_text(mark)


def check_rouge(found: MarkedSegment, score: ROUGEScore) -> None:
    if score.metric.variant in ("W", "S", "SU") or score.metric.several != "best":
        return
    kind = EQUAL if score.metric.variant.startswith("L") else f"{score.metric.variant}-gram"
    marks = [mark for mark in found.marks if mark.kind == kind]
    size = 1 if kind == EQUAL else int(score.metric.variant)
    units = max(len(found.hypothesis) - size + 1, 1)
    assert score.precision == 100 * (len(marks) / units)
    for mark in marks:
        assert found.hypothesis_text(mark) == found.reference_text(mark)


def check_sentences(found: MarkedSegment) -> None:
    """What the sentences show as added and missed is what the row counts."""
    sentences, score = found.sentences, found.score
    added, missed = len(sentences.added), [len(words) for _, words in sentences.missed]
    if isinstance(score, BLEUScore):
        matched = sum(mark.kind == "1-gram" for mark in found.marks)
        assert added == len(found.hypothesis) - matched
        if len(found.references) == 1:
            assert missed == [len(found.references[0]) - matched]
    if isinstance(score, WERScore) and score.metric.moves == "none":
        assert added == score.substitutions + score.insertions
        assert missed == [score.substitutions + score.deletions] or not found.marks
    if isinstance(score, TERScore):
        kinds = [mark.kind for mark in found.marks]
        assert added == kinds.count(SUBSTITUTED) + kinds.count(EXTRA)


CHECKS = {
    BLEUScore: check_bleu,
    TERScore: check_ter,
    GLEUScore: check_gleu,
    RIBESScore: check_ribes,
    WERScore: check_wer,
    ROUGEScore: check_rouge,
    CharCutScore: check_charcut,
}


def check_steps(found: MarkedSegment) -> None:
    last = found.steps[-1]
    assert last.symbol == ""
    assert last.numbers, "the score is not computed"
    assert last.value == pytest.approx(found.score.score, rel=1e-9, abs=1e-9)
    for step in found.steps:
        # What a reader gets from the numbers as they are shown.
        shown = evaluated(step.numbers, {}) if step.numbers else step.value
        assert isclose(shown, step.value, rel_tol=2e-4, abs_tol=1e-6), step.computation
    assert all(drawn["text"].endswith(" %") for drawn in drawn_steps(found.steps))
    assert len(list(found.step_records())) == len(found.steps)


def inside(span: Sequence[int], tokens: Sequence[str]) -> bool:
    return 0 <= span[0] <= span[1] <= len(tokens)


@every_metric
@examples(8)
@given(data=st.data())
def test_marks_are_what_the_row_counts(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(settings_of(name), data):
        metric = setting.metric()
        found = metric.marked(hypotheses[0], references[0])
        assert bool(found.references) == (type(metric).mark_segment is not Metric.mark_segment)
        assert found.score == metric.sentence_score(hypotheses[0], references[0])
        for mark in found.marks:
            assert inside(mark.hypothesis, found.hypothesis)
            assert inside(mark.reference, found.references[mark.reference_number])
        if type(found.score) in CHECKS:
            CHECKS[type(found.score)](found, found.score)  # type: ignore[operator]
        if found.references:
            check_sentences(found)
        check_steps(found)
        assert len(found.to_dict()["marks"]) == len(list(found.records())) == len(found.marks)


def check_same_marks(make: Callable[[], Metric], hypothesis: Any, references: Any) -> None:
    with counted_by(kernel()):
        found = make().marked(hypothesis, references).to_dict()
    with counted_by_python():
        assert found == make().marked(hypothesis, references).to_dict()


@pytest.mark.slow
@pytest.mark.usefixtures("needs_kernel")
@every_metric
@examples(40)
@given(data=st.data())
def test_the_kernel_marks_what_the_definitions_mark(name: str, data: st.DataObject) -> None:
    some = some_of(counted(name), data, 3)
    for setting, hypotheses, references in with_texts(some, data, long_corpora_for(name)):
        for hypothesis, several in zip(hypotheses, references, strict=True):
            check_same_marks(setting.metric, hypothesis, several)


def words_and_others(seed: int, count: int, vocabulary: int) -> tuple[list[str], list[str]]:
    """Return words by Zipf's law, and the same with some replaced and some in another place."""
    rng = random.Random(seed)
    known = [f"w{i}" for i in range(vocabulary)]
    words = rng.choices(known, [1 / (i + 1) for i in range(vocabulary)], k=count)
    others = [word if rng.random() > 0.1 else rng.choice(known) for word in words]
    for _ in range(count // 20):
        start, size = rng.randrange(count), rng.randint(1, 8)
        block = others[start : start + size]
        del others[start : start + size]
        place = rng.randrange(len(others) + 1)
        others[place:place] = block
    return words, others


# Where the kernel goes another way: references of more than 64 words and of many times the words of
# the hypothesis, and tables that are cut in halves.
LONG = [
    pytest.param("ter", 67, 66, marks=pytest.mark.slow),
    ("ter", 3, 150),
    ("ter", 70, 20),
    ("cer", 700, 700),
    ("wer", 2200, 2000),
    ("cder", 300, 300),
    ("per", 300, 200),
    ("rouge-l", 300, 250),
    ("rouge-lsum", 200, 150),
    ("ribes", 400, 300),
    ("bleu", 300, 250),
    ("eed", 60, 60),
    ("charcut", 60, 60),
]


@pytest.mark.usefixtures("needs_kernel")
@pytest.mark.parametrize(("name", "ours", "theirs"), LONG)
def test_the_kernel_marks_long_texts_as_the_definitions(name: str, ours: int, theirs: int) -> None:
    words, others = words_and_others(ours + theirs, max(ours, theirs), 40)
    hypothesis, reference = words[:ours], others[:theirs]
    # In the other one, few words have moved: TER's definition tries many shifts of many words.
    lines = [" ".join(reference), "\n".join(reference[3:] + reference[:3])]
    check_same_marks(lambda: parse_metric(name), " ".join(hypothesis), lines[0])
    check_same_marks(lambda: parse_metric(name), "\n".join(hypothesis), lines)


@pytest.mark.usefixtures("needs_kernel")
@pytest.mark.parametrize("name", [*CATALOGUE, *PRESETS])
def test_marking_a_long_segment_takes_little_work(name: str) -> None:
    words, others = words_and_others(7, 200, 2000)
    metric = counting(name)
    (reference,) = with_made_sources(metric, [" ".join(others)])
    (hypothesis,) = with_made_edits(metric, [" ".join(words)])
    with little_work():
        metric.marked(hypothesis, reference)
