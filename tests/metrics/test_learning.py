"""A metric that learns from all references counts parts of a corpus as it counts the whole."""

from __future__ import annotations

import copy
import pickle
from math import log
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.engines.counting import count_systems, score_batches
from bleuet.metrics.mean_of_segments import MeanOfSegments
from bleuet.metrics.option import option
from bleuet.statistics.table import Table
from bleuet.text.corpus import Corpus
from bleuet.text.segments import TEXT, Segments

if TYPE_CHECKING:
    from collections.abc import Iterator

REFERENCES = [["the cat", "a cat"], ["the dog"], ["rain", "the rain", "a b"]]
HYPOTHESES = ["the cat", "a dog", "rain rain"]


class RareWords(MeanOfSegments):
    """The share of words that a reference has, each with its inverse frequency in all of them."""

    power: float = option(default=1.0, help="of the weight", key="power")
    real_columns = ("weight",)
    highest = None
    learns = True
    extra_digits = 2

    def learn_segment(self, references: list[str]) -> Iterator[str]:
        for reference in references:
            yield from set(reference.split())
        yield ""  # a segment

    def count_segment(self, hypothesis: str, references: list[str]) -> list[float]:
        known = {word for reference in references for word in reference.split()}
        words = [word for word in hypothesis.split() if word in known]
        weight = sum(log(1 + self.learned[""] / self.learned[word]) for word in words)
        return [1, weight**self.power]


def corpus() -> Corpus:
    return Corpus(HYPOTHESES, REFERENCES)


def batches() -> Iterator[tuple[list[Segments], Segments]]:
    for hypothesis, references in zip(HYPOTHESES, REFERENCES, strict=True):
        yield [Segments(TEXT, [hypothesis])], Segments(TEXT, [references])


def test_counts_by_definition() -> None:
    table = RareWords().count(HYPOTHESES, REFERENCES)
    the, a, cat, rain = (log(1 + 3 / n) for n in (3, 2, 2, 2))
    dog = log(1 + 3)
    assert table.column("weight").tolist() == pytest.approx([the + cat, dog, 2 * rain])
    assert a == cat
    assert str(RareWords().score(table.totals())).startswith("RareWords = ")
    assert len(str(RareWords().score(table.totals())).partition(".")[2]) == 4


def test_parts_count_as_the_whole_after_preparing() -> None:
    whole = RareWords().table(corpus())
    prepared = RareWords().prepare(corpus())
    parts = [prepared.count([h], [r]) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    numbers = [part.column("weight")[0] for part in parts]
    assert numbers == whole.column("weight").tolist()
    alone = [prepared.sentence_score(h, r).score for h, r in zip(HYPOTHESES, REFERENCES)]  # noqa: B905
    assert alone == list(prepared.segment_scores(whole).values)
    unprepared = RareWords().count(HYPOTHESES[:1], REFERENCES[:1]).column("weight")[0]
    assert unprepared != numbers[0]
    assert prepared.prepare(Corpus(["x"], ["y"])) is prepared


def test_what_parts_teach_adds_up() -> None:
    metric = RareWords()
    whole = metric.learn(REFERENCES)
    added: dict[Any, int] = {}
    for references in REFERENCES:
        for lesson, count in metric.learn([references]).items():
            added[lesson] = added.get(lesson, 0) + count
    assert added == whole
    assert metric.with_learned(added).table(corpus()) == metric.table(corpus())


def test_batches_systems_and_prepared_references_count_as_the_whole() -> None:
    metric = RareWords()
    whole = metric.table(corpus())
    (in_batches,) = score_batches([metric], batches())
    assert in_batches == [metric.score(whole.totals())]
    (first,), (second,) = count_systems([metric], [HYPOTHESES, HYPOTHESES[::-1]], REFERENCES)
    assert first == whole
    assert second == metric.count(HYPOTHESES[::-1], REFERENCES)
    prepared = metric.prepare_references(REFERENCES)
    assert metric.count(HYPOTHESES, prepared) == whole


def test_what_was_learned_survives_copies_and_pickles() -> None:
    metric = RareWords(power=2.0).prepare(corpus())
    assert metric == RareWords(power=2.0)
    for other in (copy.copy(metric), copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert other.learned == metric.learned
        assert other.power == 2.0
        assert isinstance(other.table(corpus()), Table)
    # Other options may count other things.
    assert metric.with_options(power=1.0).learned is None
