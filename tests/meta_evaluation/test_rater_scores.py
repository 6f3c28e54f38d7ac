"""Scores by rater: z-scores by WMT's convention, means over raters, errors that name the place."""

from __future__ import annotations

import random
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import InputError, OptionError
from bleuet.evaluation.score_tables import ScoreTable, TableLayout
from bleuet.meta_evaluation import RaterScores
from bleuet.meta_evaluation.evaluation_files import EvaluationFiles
from bleuet.meta_evaluation.judgment_tables import read_human_table
from bleuet.meta_evaluation.rater_scores import RaterTable
from bleuet.text.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from bleuet.meta_evaluation.meta_evaluation import MetaEvaluation

Row = tuple[int, str, str, float]
ROWS: list[Row] = [
    (0, "north", "r1", 90.0),
    (0, "south", "r1", 60.0),
    (1, "north", "r1", 80.0),
    (0, "north", "r2", 50.0),
    (0, "south", "r2", 10.0),
    # One score, and equal scores: no z-scores.
    (1, "south", "r3", 40.0),
    (1, "north", "r4", 0.1),
    (1, "south", "r4", 0.1),
]


def defined(rows: list[Row]) -> dict[tuple[int, str], float]:
    """Return the mean z-score of each segment and system, by definition."""
    found: dict[tuple[int, str], list[float]] = {}
    for rater in {row[2] for row in rows}:
        own = [row[3] for row in rows if row[2] == rater]
        if len(set(own)) < 2:
            continue
        for segment, system, _, score in (row for row in rows if row[2] == rater):
            z = (score - mean(own)) / stdev(own)
            found.setdefault((segment, system), []).append(z)
    return {place: mean(scores) for place, scores in found.items()}


def assert_defined(found: RaterScores, rows: list[Row]) -> None:
    expected = defined(rows)
    scores = found.means()
    for at, system in enumerate(scores.systems):
        for segment in range(scores.segments):
            wanted = expected.get((segment, system), float("nan"))
            assert scores.values[at, segment] == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_z_scores_by_definition() -> None:
    found = RaterScores.from_rows(ROWS).standardized()
    assert found.raters == ("r1", "r2")
    assert_defined(found, ROWS)


@pytest.mark.parametrize("seed", range(20))
def test_random_z_scores(seed: int) -> None:
    draw = random.Random(seed)
    rows: list[Row] = [
        (draw.randrange(6), draw.choice("ab"), draw.choice("uvwxyz"), draw.randrange(4) / 10)
        for _ in range(draw.randrange(5, 60))
    ]
    found = RaterScores.from_rows(rows)
    assert_defined(found.standardized(), rows)
    # The order of the raters changes no bit of a mean.
    draw.shuffle(rows)
    shuffled = RaterScores.from_rows(rows, found.segments, systems=found.systems)
    assert shuffled.means() == found.means()


def test_z_scores_of_z_scores_are_the_same() -> None:
    once = RaterScores.from_rows(ROWS).standardized()
    assert once.standardized().scores == pytest.approx(once.scores)


def test_missing_scores_have_no_row() -> None:
    rows: Any = [(0, "a", "r", None), (0, "a", "s", float("nan")), (1, "a", "r", 2.0)]
    assert RaterScores.from_rows(rows).means().values.tolist()[0][1] == 2.0
    assert len(RaterScores.from_rows(rows)) == 1


def text_of(rows: list[Row], header: str = "segment system rater score") -> str:
    lines = [header.split(), *rows]
    return "".join("\t".join(map(str, line)) + "\n" for line in lines)


def read(tmp_path: Path, text: str, **options: Any) -> MetaEvaluation:
    """Read a table of human scores beside a metric."""
    human, metric = tmp_path / "h.tsv", tmp_path / "m.tsv"
    human.write_text(text)
    lines = [f"{i}\t{name}\t{i}\n" for name in ("north", "south") for i in range(2)]
    metric.write_text("segment\tsystem\tscore\n" + "".join(lines))
    scores = {"m": [Source(str(metric))]}
    return EvaluationFiles(Source(str(human)), scores=scores, **options).read()


def test_a_table_with_raters_has_the_mean_over_raters(tmp_path: Path) -> None:
    data = read(tmp_path, text_of(ROWS))
    assert data.human.scores is not None
    assert data.human.scores.values.tolist() == [[70.0, 40.05], [35.0, 20.05]]
    assert data.human.raters == RaterScores.from_rows(ROWS, systems=["north", "south"])
    assert data.notes == ("2 systems, 2 segments, 4 human scores of 4 raters",)


def test_a_table_of_z_scores(tmp_path: Path) -> None:
    data = read(tmp_path, text_of(ROWS), rater_scores="z")
    assert data.human.raters is not None
    assert_defined(data.human.raters, ROWS)
    assert data.notes == ("2 systems, 2 segments, 3 human scores from z-scores of 2 raters",)
    assert data.left_out == (
        "left out: 2 raters without two different scores, which have no z-scores",
    )


def test_z_scores_do_not_depend_on_systems_that_are_left_out(tmp_path: Path) -> None:
    rows = [*ROWS, (0, "east", "r1", 0.0), (0, "east", "r2", 100.0)]
    data = read(tmp_path, text_of(rows), rater_scores="z", leave_out=["east"])
    assert data.human.raters is not None
    assert_defined(data.human.raters, rows)


def test_error_rates_are_negated(tmp_path: Path) -> None:
    up, down = (
        read(tmp_path, text_of(ROWS), rater_scores="z", lower_is_better=names)
        for names in ([], ["human"])
    )
    assert up.human.scores is not None
    assert down.human.scores == up.human.scores.negated()


def test_a_column_of_another_name(tmp_path: Path) -> None:
    text = text_of(ROWS, "segment system judge score")
    path = tmp_path / "h.tsv"
    path.write_text(text)
    found = read_human_table(Source(str(path)), TableLayout({"rater": "judge"}))
    assert isinstance(found, RaterTable)
    path.write_text(text)
    found = read_human_table(Source(str(path)), TableLayout())
    assert isinstance(found, ScoreTable)
    assert not isinstance(found, RaterTable)


def test_a_repeated_score_of_a_rater(tmp_path: Path) -> None:
    rows = [*ROWS, (0, "north", "r1", 30.0)]
    with pytest.raises(InputError, match=r"h\.tsv:10 repeats the score of north .* in row 2"):
        read(tmp_path, text_of(rows))
    data = read(tmp_path, text_of(rows), layout=TableLayout(average=True))
    assert data.human.scores is not None
    assert data.human.scores.values[0, 0] == pytest.approx((90 + 50 + 30) / 3)


def test_z_scores_need_raters(tmp_path: Path) -> None:
    text = text_of(ROWS[:2], "segment system who score")
    with pytest.raises(OptionError, match="--rater-scores z needs scores of segments by rater"):
        read(tmp_path, text, rater_scores="z")


def test_z_scores_of_mqm_annotations(tmp_path: Path) -> None:
    header = "system seg_id rater category severity"
    rows = [
        ("north", 1, "r1", "Style", "Minor"),
        ("north", 1, "r1", "Style", "Major"),
        ("south", 1, "r1", "Style", "Major"),
        ("north", 2, "r1", "No-error", "No-error"),
        ("south", 2, "r2", "Style", "Minor"),
        ("south", 1, "r2", "No-error", "No-error"),
    ]
    text = "".join("\t".join(map(str, row)) + "\n" for row in [header.split(), *rows])
    data = read(tmp_path, text, rater_scores="z")
    assert data.human.raters is not None
    by_rater: list[Row] = [
        (0, "north", "r1", -6.0),
        (0, "south", "r1", -5.0),
        (1, "north", "r1", 0.0),
        (1, "south", "r2", -1.0),
        (0, "south", "r2", 0.0),
    ]
    assert_defined(data.human.raters, by_rater)
    assert data.notes[0].endswith("from z-scores from MQM annotations of 2 raters")


MISUSES: dict[str, tuple[list[Any], str]] = {
    "no rows": ([], "there are no rows"),
    "a short row": ([(0, "a", "r")], r"rows\[0\] must be a tuple"),
    "an infinite score": ([(0, "a", "r", float("inf"))], "a rater's score must be finite"),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_rows_that_are_not_usable(misuse: str) -> None:
    rows, sentence = MISUSES[misuse]
    with pytest.raises(InputError, match=sentence):
        RaterScores.from_rows(rows)


def test_arrays_that_do_not_fit() -> None:
    one, two = np.array([0]), np.array([0, 0])
    with pytest.raises(InputError, match="equally many segments, systems, raters and scores"):
        RaterScores(("a",), ("r",), 1, one, two, one, np.array([1.0]))
    with pytest.raises(InputError, match="two raters are called r"):
        RaterScores(("a",), ("r", "r"), 1, one, one, one, np.array([1.0]))
    with pytest.raises(InputError, match="raters must be numbers 0 to 0"):
        RaterScores(("a",), ("r",), 1, one, one, np.array([1]), np.array([1.0]))
