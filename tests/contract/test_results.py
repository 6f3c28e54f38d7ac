"""What public functions return prints as text, has a short `repr`, and converts to other forms."""

from __future__ import annotations

import copy
import json
import pickle
import warnings
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import bleuet
from bleuet import BLEU, CHRF, TER, Corpus
from bleuet.cli.metrics import MetricList
from bleuet.gate import Limits, gate_systems
from bleuet.meta_evaluation import HumanScores, MetricScores, ScoreMatrix, leaderboard
from bleuet.output.answer import Answer
from bleuet.significance import (
    Evaluation,
    FewSegmentsWarning,
    IntervalSettings,
    TestSettings,
    block_scores,
    bootstrap_interval,
    paired_test,
)
from bleuet.tablefile.saved_tables import SavedTables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REFERENCES = ["The cat sat down.", "It rains today.", "We went home.", "A dog <b>barks</b>."]
OLD = ["The cat sat.", "It rains.", "We home.", "A dog <b>bark</b>."]
NEW = ["The cat sat up.", "It rains today.", "We go home &amp; away.", "A dog bark."]
NBEST = [[(text, {"<lm>": -1}), ("The cat", {"<lm>": -2})] for text in OLD]
LONGEST_REPR = 120


def evaluation() -> Evaluation:
    return Evaluation.count([BLEU(), CHRF()], {"old": OLD, "new": NEW}, REFERENCES)


def table(texts: list[str]) -> bleuet.Table:
    return TER().count(texts, REFERENCES)


def rated() -> tuple[HumanScores, list[MetricScores]]:
    human = ScoreMatrix(("a", "b", "c"), np.array([[0.1, 0.2], [0.3, 0.4], [0.6, 0.5]]))
    return HumanScores(human), [MetricScores("BLEU", human), MetricScores("chrF", human)]


# What each function returns, and a line of what it prints.
ANSWERS: dict[str, tuple[Callable[[], Answer], str]] = {
    "compare": (
        lambda: bleuet.compare({"old": OLD, "new": NEW}, REFERENCES),
        "system   BLEU  chrF2",
    ),
    "explain": (
        lambda: bleuet.explain(BLEU(), BLEU(tokenize="char"), OLD, REFERENCES),
        "step    score  change  alone  what changes",
    ),
    "marked": (lambda: TER().marked(OLD[0], REFERENCES[0]), "TER = 50.00"),
    "lint": (lambda: bleuet.lint(NEW, REFERENCES), "place         check     finding"),
    "align": (lambda: bleuet.align(OLD, REFERENCES), "The cat sat."),
    "mbr": (lambda: bleuet.mbr([OLD, NEW]), "Chosen candidates"),
    "tune": (
        lambda: bleuet.tune(NBEST, REFERENCES, method="mert:restarts=1"),
        "Tuned by mert:restarts=1 with seed 12345.",
    ),
    "rerank": (lambda: bleuet.rerank(NBEST, {"<lm>": 1}, REFERENCES), "Chosen hypotheses"),
    "paired_test": (lambda: paired_test(evaluation(), TestSettings(draws=50)), "chrF2"),
    "gate_systems": (
        lambda: gate_systems(evaluation(), Limits(max_drop=0.3, fail_on="drop")),
        "Translation quality: failed by BLEU, chrF2",
    ),
    "leaderboard": (lambda: leaderboard(*rated(), ["pearson"]), "metric"),
    "saved tables": (
        lambda: SavedTables([bleuet.SavedTable("old", TER(), table(OLD))]),
        "old     TER            4",
    ),
}
every_answer = pytest.mark.parametrize("name", ANSWERS)
MADE: dict[str, Answer] = {}


def answer(name: str) -> Answer:
    if name not in MADE:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            MADE[name] = ANSWERS[name][0]()
    return MADE[name]


@every_answer
def test_print_shows_the_text_of_the_command_line(name: str) -> None:
    text = str(answer(name))
    assert text == answer(name).to_text().rstrip("\n")
    assert any(line.startswith(ANSWERS[name][1]) for line in text.splitlines())
    assert "\x1b" not in text


@every_answer
def test_repr_is_one_short_line(name: str) -> None:
    found = answer(name)
    text = repr(found)
    assert text.startswith(f"<{type(found).__name__} ")
    assert text.endswith(">")
    assert len(text) <= LONGEST_REPR
    assert "\n" not in text
    assert " at 0x" not in text


@every_answer
def test_plain_values_are_those_of_json(name: str) -> None:
    found = answer(name)
    plain = found.to_dict()
    assert isinstance(plain, dict)
    assert json.loads(found.to_json()) == json.loads(json.dumps(plain))


@every_answer
def test_a_notebook_shows_a_fragment_of_html(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    html = answer(name)._repr_html_()
    tags: list[str] = []
    parser = HTMLParser()
    monkeypatch.setattr(parser, "handle_starttag", lambda tag, _: tags.append(tag))
    parser.feed(html)
    assert "table" in tags
    assert not {"b", "lm", "script", "meta", "html", "body"} & set(tags)


@every_answer
@pytest.mark.libraries
def test_data_frames(name: str) -> None:
    pandas = pytest.importorskip("pandas")
    frame = answer(name).to_dataframe()
    assert type(frame) is pandas.DataFrame
    assert len(frame) == len(list(next(iter(answer(name)._parts().values()))()))


def test_repr_counts_what_it_cannot_name() -> None:
    systems = {f"a system with a long name {n}": OLD for n in range(20)}
    found = bleuet.compare(systems, REFERENCES, ["chrf"])
    assert repr(found) == "<Comparison of 20 systems on 4 segments by chrF2>"
    assert repr(found.evaluation) == "<Evaluation of 20 systems on 4 segments by chrF2>"


def test_a_list_is_plain_under_the_name_of_its_records() -> None:
    listed = MetricList().to_dict()["metrics"]
    assert "bleu" in [one["metric"] for one in listed]


def test_small_values_show_their_text() -> None:
    score = BLEU().corpus_score(OLD, REFERENCES)
    with pytest.warns(FewSegmentsWarning):
        interval = bootstrap_interval(TER(), table(OLD), IntervalSettings(draws=20))
    blocks = block_scores(TER(), table(OLD), blocks=2)
    for value in (score, interval, blocks):
        assert repr(value) == f"<{value}>"
    assert repr(score.signature) == f"<{score.signature.full()}>"
    prepared = BLEU().prepare_references(REFERENCES)
    assert repr(prepared) == "<references of 4 segments, read by BLEU>"
    saved = bleuet.SavedTable("old", TER(), table(OLD))
    assert repr(saved) == "<SavedTable of old by TER: 4 segments>"
    texts = Corpus(OLD, REFERENCES).segments[0]
    assert repr(texts) == "<4 segments of text: 'The cat sat.', ...>"
    assert repr(texts.cut(1)[0]) == "<1 segment of text: 'The cat sat.'>"
    assert repr(texts.cut(0)[0]) == "<0 segments of text>"


@pytest.mark.libraries
def test_tables_of_a_file_are_a_list(tmp_path: Path) -> None:
    bleuet.save_tables(
        tmp_path / "t.parquet", [("old", TER(), table(OLD)), ("new", TER(), table(NEW))]
    )
    found = bleuet.load_tables(tmp_path / "t.parquet")
    assert isinstance(found, list)
    assert found == list(found) == copy.copy(found) == pickle.loads(pickle.dumps(found))
    assert repr(found) == "<SavedTables of old, new by TER>"
    assert str(found).splitlines()[0].split() == ["system", "metric", "segments", "score"]
    assert [one["system"] for one in found.to_dict()["tables"]] == ["old", "new"]


@pytest.mark.libraries
def test_scores_are_columns_of_numbers(tmp_path: Path) -> None:
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    scores = TER().sentence_scores(OLD, REFERENCES)
    numbers = scores.tolist()
    frame = pandas.DataFrame({"text": OLD})
    frame["TER"] = scores
    for column in (frame["TER"], frame.assign(x=scores)["x"], pandas.Series(scores)):
        assert (str(column.dtype), column.tolist()) == ("float64", numbers)
    frame.to_parquet(tmp_path / "scores.parquet")
    assert pandas.read_parquet(tmp_path / "scores.parquet")["TER"].tolist() == numbers
    series = polars.Series("TER", scores)
    assert (series.dtype, series.to_list()) == (polars.Float64, numbers)
    assert pyarrow.array(scores).to_pylist() == numbers


@pytest.mark.libraries
def test_a_matrix_is_a_data_frame() -> None:
    pandas, polars = map(pytest.importorskip, ("pandas", "polars"))
    matrix = CHRF().matrix(OLD, REFERENCES[:3])
    frame = pandas.DataFrame(matrix)
    assert (frame.shape, set(map(str, frame.dtypes))) == ((4, 3), {"float64"})
    assert frame.to_numpy().tolist() == matrix.tolist()
    for found in (matrix.to_dataframe(), matrix.to_dataframe(library="polars")):
        assert list(found.columns) == ["0", "1", "2"]
        assert found.to_numpy().tolist() == matrix.tolist()
    assert type(matrix.to_dataframe(library="polars")) is polars.DataFrame


def test_arrays_copy_numbers_only_where_they_must() -> None:
    one: Any
    for one in (CHRF().matrix(OLD, REFERENCES), CHRF().sentence_scores(OLD, REFERENCES)):
        array = one.__array__()
        assert np.shares_memory(array, np.asarray(one))
        assert one.__array__("float32").dtype == np.float32
        copied = one.__array__(None, True)
        assert copied.flags.writeable
        assert copied.tolist() == one.tolist()
        with pytest.raises(ValueError, match="only as a copy"):
            one.__array__("float32", False)
