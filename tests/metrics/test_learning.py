"""A metric that learns from all references counts parts of a corpus as it counts the whole."""

from __future__ import annotations

import copy
import pickle
from math import log
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest

from bleuet.engines.counting import count_systems, score_batches
from bleuet.errors import InputTypeError, TableError
from bleuet.metrics.base.mean_of_segments import MeanOfSegments
from bleuet.metrics.base.option import option
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.cider.metric import CIDEr
from bleuet.metrics.crystal_bleu.metric import CrystalBLEU
from bleuet.metrics.nist.metric import NIST
from bleuet.statistics.definitions import plain_python
from bleuet.statistics.table import Table
from bleuet.text.corpus import Corpus
from bleuet.text.segments import TEXT, Segments
from tests.backends import counted_by, kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    whole = metric.with_learned(metric.learn(REFERENCES))
    parts = metric.with_learned(*[metric.learn([one]) for one in REFERENCES[::-1]])
    assert parts.learned == whole.learned
    assert parts.learned.fingerprint == whole.learned.fingerprint
    assert parts.table(corpus()) == whole.table(corpus()) == metric.table(corpus())


def test_rows_with_different_weights_do_not_add() -> None:
    halves = slice(0, 2), slice(1, 3)
    tables = [RareWords().count(HYPOTHESES[half], REFERENCES[half]) for half in halves]
    one, other = tables
    assert one.learned != other.learned
    ways: list[Callable[[], object]] = [
        lambda: Table.concatenate(tables),
        lambda: one.totals() + other.totals(),
        lambda: other.totals(after=one.totals()),
        lambda: one.select([0]).totals() + other.row(0),
        lambda: sum([table.take_columns((), ["weight"]).totals() for table in tables]),
        lambda: sum([table.add_groups([1, 1]).row(0) for table in tables]),
    ]
    for way in ways:
        with pytest.raises(TableError, match="count all texts at once"):
            way()
    prepared = RareWords().prepare(corpus())
    same = [prepared.count(HYPOTHESES[half], REFERENCES[half]) for half in halves]
    assert Table.concatenate(same).learned == same[0].learned == same[1].totals().learned
    assert pickle.loads(pickle.dumps(same)) == same
    # Where one is unknown, rows add.
    unknown = Table.from_rows(one.integer_columns, one.real_columns, [(1, 0.5)])
    assert Table.concatenate([one, unknown]).learned == one.learned


def test_what_another_metric_learned() -> None:
    for wrong in (None, {"a": 1}, "a"):
        with pytest.raises(InputTypeError, match="what learn of RareWords returns"):
            RareWords().with_learned(wrong)  # type: ignore[arg-type]
    assert BLEU().learn(REFERENCES) is None
    assert BLEU().with_learned(BLEU().learn(REFERENCES)) == BLEU()


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


# The CRC-32 of both texts is the same, and so are their sizes.
EQUAL_CHECKSUMS = ("a17792 b894428", "a38960 b523316")


@pytest.mark.parametrize("program", ["kernel", "python"])
@pytest.mark.parametrize("metric", [NIST, CIDEr, CrystalBLEU, RareWords])
def test_references_with_the_same_checksum_are_told_apart(
    metric: type[NIST | CIDEr | CrystalBLEU | RareWords], program: str
) -> None:
    assert len({crc32(text.encode()) for text in EQUAL_CHECKSUMS}) == 1
    with counted_by(kernel() if program == "kernel" else plain_python):
        learned = [metric().learn([text]) for text in EQUAL_CHECKSUMS]
        one, other = learned
        assert one is not None
        assert other is not None
        assert one != other
        assert one.fingerprint != other.fingerprint
        assert metric().learn([EQUAL_CHECKSUMS[0]]) == one
        tables = [
            metric().with_learned(each).count([text], [text])
            for each, text in zip(learned, EQUAL_CHECKSUMS, strict=True)
        ]
        with pytest.raises(TableError, match="count all texts at once"):
            Table.concatenate(tables)


def fingerprint(metric: NIST | RareWords, references: Any) -> str:
    learned = metric.learn(references)
    assert learned is not None
    return learned.fingerprint


def test_both_programs_have_the_same_fingerprint() -> None:
    references = [["the cat", "a\u00e9 cat \ud800"], "the dog", ["", "rain  rain", "x" * 300]]
    found = []
    for program in (kernel(), plain_python):
        with counted_by(program):
            found.append(fingerprint(NIST(tokenize="none"), references))
    assert found[0] == found[1]
    assert len(found[0]) == 64


def test_where_a_reference_ends_changes_the_fingerprint() -> None:
    lists = [["a\nb", "c"]], [["a", "b\nc"]], [["a", "b", "c"]], [["a\nb\nc"]]
    assert len({fingerprint(RareWords(), one) for one in lists}) == len(lists)


def test_fingerprints_of_another_version_cannot_be_compared() -> None:
    now = RareWords().count(HYPOTHESES, REFERENCES)
    columns = now.integer_columns, now.real_columns
    before = Table(*columns, 1, bytes(8), bytes(8), None, "00000000cbf43926")
    with pytest.raises(TableError, match=r"other versions of bleuet.*count both with this version"):
        Table.concatenate([before, now])
    assert Table.concatenate([before, before]).learned == before.learned
