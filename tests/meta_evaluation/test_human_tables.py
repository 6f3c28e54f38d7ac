"""Human scores and judgments are read from tables of every kind; errors name the place."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import InputError
from bleuet.evaluation.score_tables import ScoreTable, TableLayout, read_score_table
from bleuet.meta_evaluation import PairwiseJudgments, ScoreMatrix
from bleuet.meta_evaluation.evaluation_files import EvaluationFiles
from bleuet.meta_evaluation.judgment_tables import (
    JudgmentTable,
    RankingTable,
    read_human_table,
)
from bleuet.text.source import Source
from bleuet.text.tables import NamedColumns, read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

ROWS = [
    (0, "north", -1.0),
    (0, "south", -5.5),
    (2, "north", None),
    (2, "south", 0.0),
    (1, "south", -3.25),
]
SYSTEMS = ("south", "north")


def read_human(path: str, columns: dict[str, str] | None = None) -> Any:
    return read_human_table(Source.parse(path), TableLayout(columns or {}))


def read_scores(
    path: str, columns: dict[str, str] | None = None, first_segment: int = 0
) -> ScoreTable:
    return read_score_table(Source.parse(path), TableLayout(columns or {}, first_segment))


def matrix(systems: Sequence[str], values: list[list[float]]) -> ScoreMatrix:
    return ScoreMatrix(tuple(systems), np.array(values))


EXPECTED = matrix(SYSTEMS, [[-5.5, -3.25, 0.0], [-1.0, math.nan, math.nan]])


def tsv(rows: list[tuple[Any, ...]], header: str = "segment system score", mark: str = "\t") -> str:
    lines = [header.split(), *rows]
    return "".join(mark.join(str(cell) for cell in line) + "\n" for line in lines)


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def write_parquet(path: Path) -> None:
    import pyarrow as arrow
    from pyarrow import parquet

    columns = list(zip(*ROWS, strict=True))
    names = ["segment", "system", "score"]
    parquet.write_table(arrow.table(dict(zip(names, map(list, columns), strict=True))), path)


@pytest.mark.parametrize(
    "name",
    [
        *("a.tsv", "a.tsv.gz", "a.txt", "table", "a.csv", "a.jsonl", "a.ndjson"),
        pytest.param("a.parquet", marks=pytest.mark.libraries),
    ],
)
def test_one_table_in_every_kind_of_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith(".parquet"):
        write_parquet(path)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(tsv(ROWS).encode()))
    elif name.endswith("json") or name.endswith("jsonl"):
        keys = ("segment", "system", "score")
        records = [json.dumps(dict(zip(keys, row, strict=True))) for row in ROWS]
        write(path, "\n".join(records) + "\n")
    else:
        write(path, tsv(ROWS, mark="," if name.endswith(".csv") else "\t"))
    rows = read_human(str(path))
    assert isinstance(rows, ScoreTable)
    assert rows.names == ["north", "south"]
    assert rows.last_segment == 2
    assert matrix(SYSTEMS, rows.select(SYSTEMS, 3)) == EXPECTED


@pytest.mark.parametrize("empty", ["", "None", "none", "NaN", "NA", "null"])
def test_cells_without_a_score(tmp_path: Path, empty: str) -> None:
    path = write(tmp_path / "a.tsv", tsv([(0, "north", empty), (0, "south", 1), (1, "north", 2)]))
    values = read_scores(path).select(["north", "south"], 2)
    np.testing.assert_array_equal(values, [[np.nan, 2], [1, np.nan]])


def test_the_column_of_scores_is_named_behind_a_colon(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", tsv([(0, 9, "north", 4)], "segment doc system mqm"))
    rows = read_human(f"{path}:mqm")
    assert isinstance(rows, ScoreTable)
    assert rows.scores == [4.0]
    with pytest.raises(InputError, match=r"no column score; it has .*: name .* as in .*a\.tsv:mqm"):
        read_human(path)


def test_columns_have_other_names(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", tsv([(3, "north", 4)], "seg_id mt score"))
    columns = {"segment": "seg_id", "system": "mt"}
    rows = read_human(path, columns)
    assert isinstance(rows, ScoreTable)
    assert (rows.segments, rows.systems) == ([3], ["north"])
    # One --columns serves several tables: where the name is missing the role's own is taken.
    other = write(tmp_path / "b.tsv", tsv([(3, "north", 4)]))
    assert read_scores(other, columns).systems == ["north"]


def test_segments_from_1(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", tsv([(1, "north", 4), (2, "north", 5)]))
    assert read_scores(path, None, 1).segments == [0, 1]
    path = write(tmp_path / "b.tsv", tsv([(1, "north", 4), (0, "north", 5)]))
    with pytest.raises(InputError, match=r"b\.tsv:3: segment is 0, but .* from 1"):
        read_scores(path, None, 1)


def test_scores_of_whole_systems(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", tsv([("north", 4), ("south", 5)], "system score"))
    rows = read_human(path)
    assert isinstance(rows, ScoreTable)
    assert rows.last_segment == -1
    assert rows.select(SYSTEMS, 100) == [[5], [4]]


def test_repeated_scores_are_rejected_or_averaged(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", tsv([(0, "north", 4), (0, "south", 1), (0, "north", 7)]))
    rows = read_scores(path)
    with pytest.raises(
        InputError, match=r"a\.tsv:4 repeats .* of north for the same segment in row 2"
    ):
        rows.select(SYSTEMS, 1)
    assert rows.select(SYSTEMS, 1, average=True) == [[1], [5.5]]
    # Repeated scores of other systems are ignored.
    assert rows.select(["south"], 1) == [[1]]


PAIRS = [(0, "north", "south"), (2, "south", "east"), (2, "south", "east"), (1, "east", "north")]


def test_pairs(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", tsv(PAIRS, "segment better worse"))
    rows = read_human(path)
    assert isinstance(rows, JudgmentTable)
    assert rows.names == ["north", "south", "east"]
    systems = ["east", "south"]
    judged, others = rows.judgments(systems, 3)
    assert others == 2
    expected = [(2, "south", "east"), (2, "south", "east")]
    assert judged == PairwiseJudgments.from_better_worse(expected, 3, systems=systems)
    with pytest.raises(InputError, match=r"compares no two of the systems north, west"):
        rows.judgments(["north", "west"], 3)


RANKINGS = [
    (4, 17, "a", "b", "c", 1, 2, 2),
    (0, 17, "c", "a", "b", 3, -1, 1),
    (1, 18, "b", "d", "a", 2, 1, 1),
]


def test_rankings(tmp_path: Path) -> None:
    header = "segment judge system1 system2 system3 rank1 rank2 rank3"
    path = write(tmp_path / "a.tsv", tsv(RANKINGS, header))
    rows = read_human(path)
    assert isinstance(rows, RankingTable)
    assert rows.names == ["a", "b", "c", "d"]
    assert rows.last_segment == 4
    judged, others = rows.judgments(["a", "b", "c"], 5)
    assert others == 2  # of d
    assert judged.left_out == 2  # the blank
    named = [
        (int(s), judged.systems[f], judged.systems[t], int(p))
        for s, f, t, p in zip(
            judged.segment, judged.first, judged.second, judged.preference, strict=True
        )
    ]
    assert named == [
        (4, "a", "b", 1),
        (4, "a", "c", 1),
        (4, "b", "c", 0),
        (0, "c", "b", -1),
        (1, "b", "a", -1),
    ]


MISUSES = {
    "no table": ("", "is empty; expected a first line"),
    "names alone": ("segment\tsystem\tscore\n", "has a line of column names but no rows"),
    "a short row": (
        "segment\tsystem\tscore\n1\tnorth\n",
        "a.tsv:2 has 2 columns separated by tabs",
    ),
    "no number": (tsv([(0, "a", 1), (1, "a", "good")]), "a.tsv:3: score is 'good'; expected a num"),
    "infinite": (tsv([(0, "a", "inf")]), "a.tsv:2: score is 'inf'"),
    "underscores": (tsv([(0, "a", "1_0")]), "a.tsv:2: score is '1_0'"),
    "no whole number": (tsv([("0.5", "a", 1)]), "a.tsv:2: segment is '0.5'; expected a whole"),
    "below 0": (tsv([(-1, "a", 1)]), "a.tsv:2: segment is -1, but segments are numbered from 0"),
    "no name": (tsv([(0, "", 1)]), "a.tsv:2: system is ''; expected a name"),
    "a misspelt column": (tsv([(0, "a", 1)], "segment sistem score"), "(did you mean sistem?)"),
    "misspelt segments": (tsv([(0, "a", 1)], "segmnt system score"), "no column segment (did you"),
    "columns twice": (
        tsv([(0, 0, "a", 1)], "segment segment system score"),
        "2 columns with the name",
    ),
    "half a pair": (tsv([(0, "a", "b")], "segment better wors"), "no column worse (did you mean"),
    "itself": (tsv([(0, "a", "a")], "segment better worse"), "a.tsv:2 compares a with itself"),
    "ranked twice": (
        tsv([(0, "a", "a", 1, 2)], "segment system1 system2 rank1 rank2"),
        "a.tsv:2 ranks a twice",
    ),
    "rank 0": (
        tsv([(0, "a", "b", 0, 2)], "segment system1 system2 rank1 rank2"),
        "a.tsv:2: rank1 is 0; expected 1 for the best",
    ),
    "ranks without systems": (
        tsv([(0, "a", 1, 2)], "segment system1 rank1 rank2"),
        "no column system2; ",
    ),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_an_error_names_the_place(tmp_path: Path, misuse: str) -> None:
    text, sentence = MISUSES[misuse]
    with pytest.raises(InputError) as raised:
        read_human(write(tmp_path / "a.tsv", text))
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.jsonl", '{"segment": 0}\n{"segment": \n', "a.jsonl:2 is not JSON"),
        ("a.jsonl", "[1]\n", "a.jsonl:1 is JSON but not an object"),
        ("a.jsonl", '{"a": 0, "b": 1}\n{"a": 0}\n', "a.jsonl:2 has no column b"),
        ("a.jsonl", "", "a.jsonl is empty"),
        ("a.csv", 'a,b\n"1,2\n', "cannot be read as CSV"),
        ("a.csv", "a,b\n1\n", "a.csv:2 has 1 column separated by commas"),
        pytest.param(
            *("a.parquet", "no", "cannot be read as Parquet"), marks=pytest.mark.libraries
        ),
    ],
)
def test_a_damaged_table_is_reported(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    with pytest.raises(InputError) as raised:
        read_table(Source(write(tmp_path / name, text)))
    assert sentence in str(raised.value)


def test_truth_values_are_not_numbers(tmp_path: Path) -> None:
    line = json.dumps({"segment": True, "system": "a", "score": 1})
    with pytest.raises(InputError, match="segment is True"):
        read_human(write(tmp_path / "a.jsonl", line + "\n"))


def test_a_segment_beyond_the_texts(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", tsv([(0, "a", 1), (7, "a", 1)]))
    with pytest.raises(InputError, match=r"a\.tsv:3 has a segment beyond the last of 7: "):
        read_scores(path).select(["a"], 7)
    path = write(tmp_path / "b.tsv", tsv(PAIRS, "segment better worse"))
    rows = read_human(path)
    assert isinstance(rows, JudgmentTable)
    with pytest.raises(InputError, match=r"b\.tsv:3 has a segment beyond"):
        rows.judgments(["north", "south", "east"], 2)


def test_a_place_in_a_table_of_rows() -> None:
    table = NamedColumns("a.parquet", {"x": [1, 2]}, range(1, 3), ": row ")
    assert table.place(1) == "a.parquet: row 2"


@pytest.mark.parametrize("of_segments", [True, False])
def test_error_rates_of_a_table_are_negated(tmp_path: Path, of_segments: bool) -> None:
    """Of the second metric alone, with a score for each segment or for each system."""
    header = "segment system score" if of_segments else "system score"
    count = 2 if of_segments else 1
    rows = {
        name: [(*([i] if of_segments else []), system, scale * (i + 1)) for i in range(count)]
        + [(*([i] if of_segments else []), "north", 9) for i in range(count)]
        for name, system, scale in (
            ("human", "south", 1),
            ("good", "south", 2),
            ("bad", "south", 3),
        )
    }
    files = {
        name: Source(write(tmp_path / f"{name}.tsv", tsv(own, header)))
        for name, own in rows.items()
    }
    scores = {name: [files[name]] for name in ("good", "bad")}
    lower = EvaluationFiles(files["human"], scores=scores, lower_is_better=["bad"])
    for metric, sign, scale in zip(lower.read().metrics, (1, -1), (2, 3), strict=True):
        matrix = metric.segments if of_segments else metric.systems
        assert matrix is not None
        assert (metric.segments is None) == (not of_segments)
        values = [[scale * (i + 1) for i in range(count)], [9] * count]
        assert (sign * matrix.select(["south", "north"]).values).tolist() == values
        assert metric.lower_is_better == (sign < 0)


def test_systems_that_are_left_out_are_named_before_judgments(tmp_path: Path) -> None:
    judged = [(0, "north", "south"), (1, "north", "oak"), (1, "ash", "oak")]
    human = write(tmp_path / "pairs.tsv", tsv(judged, "segment better worse"))
    rows = [(i, name, i) for name in ("north", "south", "east") for i in range(2)]
    files = {"m": [Source(write(tmp_path / "m.tsv", tsv(rows)))]}
    assert EvaluationFiles(Source(human), scores=files).read().left_out == (
        "left out: ash, oak, without metric scores",
        "left out: 2 judgments of other systems",
    )
