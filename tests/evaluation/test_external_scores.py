"""External scores in a comparison are means over the segments with a score."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise
from math import fsum, isclose
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU
from bleuet.comparison import compare
from bleuet.comparison.comparison import PARTS
from bleuet.comparison.cutoffs import even_edges
from bleuet.errors import BleuetError, InputError, OptionError
from bleuet.evaluation.external import FEWEST_SCORES
from bleuet.significance import (
    Evaluation,
    IntervalSettings,
    SegmentMean,
    TestSettings,
    bootstrap_interval,
)
from bleuet.significance.missing_scores import scored_parts
from bleuet.significance.paired import paired_bootstrap
from tests.effort import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.comparison import Comparison

    Column = list[float | None]

NAMES = ("one", "two", "three")
ERRORS = SegmentMean("errors", higher_is_better=False)


def texts(segments: int) -> tuple[dict[str, list[str]], list[str]]:
    references = [f"the cat sat on mat {row % 4}" for row in range(segments)]
    return {name: [f"{text} {name}" for text in references] for name in NAMES}, references


def compared(columns: Sequence[Column], mean: SegmentMean = ERRORS, **more: Any) -> Comparison:
    systems, references = texts(len(columns[0]))
    chosen = {name: systems[name] for name, _ in zip(NAMES, columns, strict=False)}
    return compare(
        chosen, references, scores={mean: dict(zip(NAMES, columns, strict=False))}, **more
    )


def mean_of(scores: Sequence[float | None]) -> float | None:
    there = [score for score in scores if score is not None]
    return fsum(there) / len(there) if there else None


def same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def with_gaps(least: float, most: float) -> st.SearchStrategy[list[Column]]:
    number = st.floats(least, most, allow_nan=False, width=32).map(lambda x: round(x, 4))

    def columns(rows: int) -> st.SearchStrategy[list[Column]]:
        column = st.lists(st.none() | number, min_size=rows, max_size=rows).filter(any_score)
        return st.lists(column, min_size=2, max_size=3)

    return st.integers(1, 9).flatmap(columns)


def any_score(column: Column) -> bool:
    return any(score is not None for score in column)


@examples(60)
@given(with_gaps(-30, 30), st.data())
def test_scores_are_means_of_what_was_scored(columns: list[Column], data: st.DataObject) -> None:
    rows = range(len(columns[0]))
    labels = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(rows), max_size=len(rows)))
    found = compared(columns, metrics=(), labels={"kind": labels}, by=["length", "score"])
    assert found.metrics == ("errors",)
    for system, column in enumerate(columns):
        assert same(found.scores[system][0].score, mean_of(column))
        assert found.evaluation.sentence_scores[system][0] == tuple(column)
        for one in found.breakdown("kind").systems[system]:
            own = [column[row] for row in rows if labels[row] == one.bucket.label]
            score = one.scores[0]
            assert same(None if score is None else score.score, mean_of(own))
        in_buckets = [
            row for one in found.breakdown("score").systems[system] for row in one.bucket.rows
        ]
        assert sorted(in_buckets) == [row for row in rows if column[row] is not None]


@examples(60)
@given(with_gaps(-1.5, 1.5))
def test_histograms_and_differences_leave_gaps_out(columns: list[Column]) -> None:
    found = compared(columns, metrics=(), examples=99)
    (histogram,) = found.histograms
    for counts, column in zip(histogram.counts, columns, strict=True):
        there = [score for score in column if score is not None]
        assert sum(counts) == len(there)
        for count, low, high in zip(counts, histogram.edges, histogram.edges[1:], strict=False):
            last = high == histogram.edges[-1]
            assert count == sum(low <= score < high or (last and score == high) for score in there)
    ranking = found.pairs[0].sentences[0]
    pairs = [(a, b) for a, b in zip(*columns[:2], strict=True) if a is not None and b is not None]
    # They count errors, so that fewer are better.
    assert ranking.wins == sum(a < b for a, b in pairs)
    assert ranking.losses == sum(a > b for a, b in pairs)
    assert ranking.ties == sum(a == b for a, b in pairs)
    ahead = [one.scores[1] - one.scores[0] for one in ranking.gained]
    assert ahead == sorted(ahead, reverse=True)
    shown = [one.scores for one in (*ranking.gained, *ranking.lost)]
    assert all(pair in pairs for pair in shown)


@examples(200)
@given(
    st.floats(-1e9, 1e9, allow_nan=False), st.floats(0, 1e9, allow_nan=False), st.integers(1, 30)
)
def test_even_edges_are_round_and_cover_all(low: float, width: float, most: int) -> None:
    high = low + width
    edges = even_edges(low, high, most)
    apart = edges[1] - edges[0]
    assert 2 <= len(edges) <= most + 3
    assert list(edges) == sorted(set(edges))
    assert edges[0] <= low + 1e-8 * apart
    assert edges[-1] >= high - 1e-8 * apart
    assert all(isclose(b - a, apart, rel_tol=1e-3) for a, b in pairwise(edges))


def long_columns(segments: int, gaps: Sequence[set[int]]) -> list[Column]:
    return [
        [None if row in own else ((row * 7 + 3 * number) % 11) / 10 for row in range(segments)]
        for number, own in enumerate(gaps)
    ]


def test_a_test_draws_among_the_segments_that_were_scored() -> None:
    """The test set of a test has only the segments that all systems have a score for."""
    gaps = {2, 3, 11, 39}
    columns = long_columns(40, [{2, 3}, {3, 11}, {2, 39}])
    found = compared(columns, SegmentMean("COMET"), metrics=["ter"]).tested(
        TestSettings(test="bootstrap", draws=100, correction=None)
    )
    kept = [row for row in range(40) if row not in gaps]
    mean = SegmentMean("COMET")
    tables = {
        name: [mean.table_of([own[row] for row in kept])]
        for name, own in zip(NAMES, columns, strict=True)
    }
    expected = paired_bootstrap(
        Evaluation([mean], tables), TestSettings(test="bootstrap", all_pairs=True, draws=100)
    )
    assert found.significance is not None
    results = found.significance
    for one in expected.comparisons:
        assert results.comparison(one.baseline, one.system, "COMET") == one
    for score in expected.scores:
        assert results.score(score.system, "COMET") == score
    assert results.metrics == ("TER", "COMET")
    assert [(one.system, one.metric) for one in results.scores] == [
        (name, metric) for name in NAMES for metric in ("TER", "COMET")
    ]
    assert [ranking.metric for ranking in found.clusters] == ["TER", "COMET"]


def test_scores_buckets_and_blocks_use_the_segments_of_tests() -> None:
    gaps = [{2, 3}, {3, 11}, {2, 39}]
    columns = long_columns(40, gaps)
    labels = {"half": ["first"] * 20 + ["second"] * 20}
    found = compared(columns, SegmentMean("COMET"), metrics=["ter"], labels=labels, by=[])
    tested = found.tested(TestSettings(draws=30)).significance
    assert tested is not None
    every = set.union(*gaps)
    kept = [[None if i in every else one for i, one in enumerate(column)] for column in columns]
    blocks = found.with_blocks(2).blocks[1].scores
    for system, (name, column) in enumerate(zip(NAMES, kept, strict=True)):
        score = found.scores[system][1]
        assert same(score.score, mean_of(column))
        assert score.score == tested.score(name, "COMET").score
        assert score.to_dict()["segments"] == 36
        halves = [mean_of(column[:20]), mean_of(column[20:])]
        in_buckets = [one.scores[1] for one in found.breakdown("half").systems[system]]
        for half, bucket, block in zip(halves, in_buckets, blocks[system].scores, strict=True):
            assert bucket is not None
            assert same(half, bucket.score)
            assert same(half, block)
        assert found.evaluation.sentence_scores[system][1] == tuple(columns[system])
    note = "COMET is compared on the segments that all systems have a score for: 36 of 40"
    for part in ("scores", "buckets", "sentences"):
        assert found.show(part).to_text().count(note) == (part != "sentences")
    expected = {"segments": 40, "scored": dict.fromkeys(NAMES, 38), "common": 36}
    assert found.to_dict()["missing_scores"] == {"COMET": expected}
    assert tested.to_dict()["missing_scores"] == {"COMET": expected}


def test_without_gaps_the_draws_are_shared() -> None:
    columns = long_columns(40, [set()] * 2)
    evaluation = compared(columns, metrics=["ter"]).evaluation
    ((_, systems),) = scored_parts(evaluation)
    assert systems.labels == ("TER", "errors")
    expected = Evaluation([evaluation.metrics[0]], {n: [t[0]] for n, t in systems.tables.items()})
    by_hand = expected.with_scores({ERRORS: dict(zip(NAMES, columns, strict=False))})
    tested = compared(columns, metrics=["ter"]).tested(
        TestSettings(test="bootstrap", draws=50, correction=None)
    )
    found = tested.significance
    assert found is not None
    assert found == paired_bootstrap(
        by_hand, TestSettings(test="bootstrap", all_pairs=True, draws=50)
    )


def test_one_system_has_an_interval_of_what_was_scored() -> None:
    column = long_columns(12, [{1, 5}])[0]
    found = compared([column], SegmentMean("COMET"), metrics=()).tested(TestSettings(draws=80))
    assert found.significance is not None
    interval = found.significance.score("one", "COMET").interval
    mean = SegmentMean("COMET")
    table = mean.table_of([score for score in column if score is not None])
    assert interval == bootstrap_interval(mean, table, IntervalSettings(draws=80))


def test_few_scores_among_many_of_others_are_not_tested() -> None:
    few = set(range(FEWEST_SCORES - 1, 60))
    columns = long_columns(60, [few, set()])
    found = compared(columns, metrics=["ter"])
    assert list(map(found.evaluation.is_comparable, range(2))) == [True, False]
    tested = found.tested(TestSettings(draws=50))
    assert tested.significance is not None
    assert tested.significance.untested == ("errors",)
    assert [one.metric for one in tested.significance.comparisons] == ["TER"]
    assert tested.significance.score("one", "errors").interval is None
    assert "Not tested: errors." in tested.show("scores").to_markdown()
    enough = compared(long_columns(60, [few - {FEWEST_SCORES - 1}, set()])).evaluation
    assert all(map(enough.is_comparable, range(2)))
    # By nothing else: no letters, and no cluster.
    alone = compared(columns, metrics=()).tested(TestSettings(draws=50))
    assert alone.clusters == ()
    assert "letter" not in alone.show("scores").to_csv()
    assert "Not tested: errors." in alone.show("scores").to_markdown()


def test_blocks_are_means_and_none_is_without_scores() -> None:
    column = long_columns(8, [{0, 7}])[0]
    found = compared([column, column[::-1]], metrics=()).with_blocks(4)
    expected = [mean_of(column[at : at + 2]) for at in range(0, 8, 2)]
    assert [round(score, 9) for score in found.blocks[0].scores[0].scores] == [
        round(score, 9) for score in expected if score is not None
    ]
    with pytest.raises(
        OptionError, match="no errors score to compare in block 1 of 8, segments 1 to 1: "
    ):
        compared([column, column], metrics=()).with_blocks(8)
    # Too few segments have a score of both, so that each system keeps its own.
    full = long_columns(8, [set()])[0]
    with pytest.raises(OptionError, match="two has no errors score to compare in block 1 of 8, "):
        compared([full, column], metrics=()).with_blocks(8)


def test_formats_show_gaps_as_nothing() -> None:
    columns: list[Column] = [[0.5, None, 0.25], [0.75, None, None]]
    found = compared(columns, SegmentMean("COMET"), labels={"row": ["r1", "r2", "r3"]}, by=[])
    values = json.loads(found.to_json())
    assert values == found.to_dict()
    texts_too = found.to_dict(texts=True)["texts"]
    assert [one["scores"]["two"][2] for one in texts_too] == [0.75, None, None]
    buckets = values["buckets"][0]["systems"]
    assert [one["scores"][2] for one in buckets["one"]] == [0.5, None, 0.25]
    rows = list(csv.DictReader(io.StringIO(found.show("buckets").to_csv())))
    cells = {(row["item"], row["column"]): row["value"] for row in rows if "COMET" in row["table"]}
    assert cells["r1", "two"] == "0.75"
    assert cells["r2", "one"] == cells["r3", "two"] == ""
    assert "| r3 | 1 | 0.2500 | - |" in found.show("buckets").to_markdown()
    assert "r3 & 1 & 0.2500 & - \\\\" in found.show("buckets").to_latex()
    note = "own segments with a score (one has 2, two has 1, of 3): only 1 have a score of all"
    assert note in found.show("scores").to_markdown()


@pytest.mark.libraries
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_have_null_for_gaps(library: Any) -> None:
    found = compared([[None, 0.5], [0.25, None]], SegmentMean("COMET"), metrics=())
    frame = found.to_dataframe("sentences", library=library)
    values = list(frame["score"])
    assert [None if value is None or value != value else value for value in values] == [
        None,
        0.5,
        0.25,
        None,
    ]


def test_every_section_of_every_part_is_made() -> None:
    columns = long_columns(30, [{4}, {4}, {4}])
    found = compared(columns, metrics=["COMET", "bleu"], mean=SegmentMean("COMET"))
    found = found.tested(TestSettings(draws=30)).with_blocks(5)
    for part in PARTS:
        tables = found.tables(part)
        assert tables
        assert {table.key for table in tables} == {part}
        assert all(len(list(row)) == len(one.columns) for one in tables for row in one.rows)


def test_the_order_of_scores_among_the_metrics() -> None:
    columns: list[Column] = [[1.0, 2.0], [2.0, 1.0]]
    for metrics, names in (
        ((), ("errors",)),
        (("ter",), ("TER", "errors")),
        (("errors", "ter"), ("errors", "TER")),
        ((BLEU(), ERRORS), ("BLEU", "errors")),
        ("errors", ("errors",)),
    ):
        found = compared(columns, metrics=metrics)
        assert found.metrics == names
        assert [ranking.metric for ranking in found.pairs[0].sentences] == list(names)
        place = names.index("errors")
        assert found.scores[0][place].score == 1.5
        assert found.to_dict()["metrics"][place]["higher_is_better"] is False


def test_digits_go_with_the_size_of_scores() -> None:
    for scale, digits in ((100, 2), (10, 3), (1, 4), (-1, 4), (0.01, 6)):
        found = compared([[0.5 * scale, scale]], metrics=())
        (table,) = found.tables("scores")
        assert table.columns[1].extra_digits == digits - 2
        (line,) = (x for x in found.show("scores").to_text().splitlines() if x.startswith("one "))
        assert len(line.rpartition(".")[2]) == digits


BAD: dict[str, tuple[Any, str]] = {
    "no mapping": ([0.5], "scores must be a mapping, as in"),
    "no systems": ({"COMET": [0.5, 0.5]}, "the COMET scores must be a mapping"),
    "a system missing": ({"COMET": {"one": [1, 2]}}, "the system two has no COMET scores"),
    "nothing scored": (
        {"COMET": {"one": [1, 2], "two": [None, None]}},
        "the system two has no COMET scores",
    ),
    "a system too many": (
        {"COMET": {"one": [1, 2], "tow": [1, 2]}},
        r"scores of 'tow', which is not one of the systems \(did you mean two\?\)",
    ),
    "too few": ({"COMET": {"one": [1], "two": [1, 2]}}, "one has 1 COMET scores, but there are 2"),
    "no number": (
        {"COMET": {"one": [1, "x"], "two": [1, 2]}},
        r"system one: scores\[1\] must be a number or None, not 'x'",
    ),
    "not finite": (
        {"COMET": {"one": [1, float("inf")], "two": [1, 2]}},
        "must be a finite number, .* not inf",
    ),
    "a text": ({"COMET": {"one": "12", "two": [1, 2]}}, "must be a list of numbers"),
    "a metric's name": (
        {"bleu": {"one": [1, 2], "two": [1, 2]}},
        "must not be that of a metric, such as bleu",
    ),
    "a metric's printed name": (
        {"chrF2": {"one": [1, 2], "two": [1, 2]}},
        "two metrics are called chrF2",
    ),
    "an unprintable name": ({"a\u202eb": {}}, "must be printable"),
    "a name with a mark": ({"a|b": {}}, "name without"),
}


@pytest.mark.parametrize("case", BAD)
def test_an_error_names_what_is_wrong(case: str) -> None:
    scores, message = BAD[case]
    systems = {name: ["a", "b"] for name in NAMES[:2]}
    with pytest.raises(BleuetError, match=message):
        compare(systems, ["a", "b"], scores=scores)


def test_what_does_not_fit_together() -> None:
    systems, own = {"one": ["a"]}, {"one": [0.5]}
    with pytest.raises(OptionError, match="there is no metric; name"):
        compare(systems, ["a"], ())
    with pytest.raises(OptionError, match="COMET is a mean of external scores, but has none"):
        compare(systems, ["a"], [SegmentMean("COMET")])
    with pytest.raises(OptionError, match="two metrics are called COMET"):
        compare(systems, ["a"], scores={"COMET": own, SegmentMean("COMET"): own})
    with pytest.raises(OptionError, match="higher_is_better of COMET differs"):
        compare(systems, ["a"], [SegmentMean("COMET", False)], scores={"COMET": own})
    with pytest.raises(OptionError, match="COMET is named twice"):
        compare(systems, ["a"], ["COMET", "COMET"], scores={"COMET": own})
    with pytest.raises(InputError):
        compare({"one": ["a", "b"]}, ["a"], scores={"COMET": own})
