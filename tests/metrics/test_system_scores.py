"""Scores of systems are an answer: sacreBLEU's lines for one system, tables for several."""

from __future__ import annotations

import csv
import io
import json
from functools import cache

import pytest

from bleuet.evaluation.system_scores import Scores
from bleuet.metrics.base.score import Score
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.ter.metric import TER
from bleuet.significance import IntervalSettings, bootstrap_interval

REFERENCES = ["The cat sat down.", "It rains today.", "We went home."]
TEXTS = {"a": ["The cat sat.", "It rains.", "We went home."], "b": ["A cat.", "It rain.", "We."]}


@cache
def metrics() -> tuple[BLEU, TER]:
    return BLEU(), TER()


@cache
def all_scores() -> list[list[Score]]:
    return [
        [metric.corpus_score(texts, REFERENCES) for metric in metrics()] for texts in TEXTS.values()
    ]


def test_one_system_is_written_as_sacrebleu_does() -> None:
    one = Scores(["a"], all_scores()[:1])
    assert one.to_text() == "".join(f"{s.format(signature=True)}\n" for s in all_scores()[0])
    assert one.to_text(width=4, short=True).startswith(
        f"BLEU|{all_scores()[0][0].signature.short()} = "
    )


def test_several_systems_are_a_table() -> None:
    lines = Scores(list(TEXTS), all_scores()).to_text().splitlines()
    assert lines[0].split() == ["system", "BLEU", "TER"]
    assert lines[1].split() == ["a", *(f"{score.score:.2f}" for score in all_scores()[0])]
    assert lines[4:] == [str(score.signature.full()) for score in all_scores()[0]]


def test_data_has_every_component_and_digit() -> None:
    found = json.loads(Scores(list(TEXTS), all_scores()).to_json())
    assert found == [
        {"system": name, **score.to_dict()}
        for name, scores in zip(TEXTS, all_scores(), strict=True)
        for score in scores
    ]


@pytest.mark.libraries
def test_a_data_frame_has_every_score() -> None:
    import pandas as pd

    rows = Scores(list(TEXTS), all_scores()).to_dataframe(library="pandas")
    assert isinstance(rows, pd.DataFrame)
    assert rows["score"].tolist() == [score.score for scores in all_scores() for score in scores]


def test_cumulative_scores_have_columns() -> None:
    records = list(
        csv.DictReader(io.StringIO(Scores(["a"], all_scores()[:1], cumulative=True).to_csv()))
    )
    cumulative = BLEU().corpus_score(TEXTS["a"], REFERENCES).cumulative
    assert [row["metric"] for row in records] == [
        *("BLEU", "BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4"),
        "TER",
    ]
    assert [float(row["score"]) for row in records[1:5]] == list(cumulative)


@pytest.mark.filterwarnings("ignore:.*too few")
def test_intervals_stand_beside_the_scores() -> None:
    intervals = [
        [
            bootstrap_interval(
                metric, metric.count(texts, REFERENCES), IntervalSettings(draws=50, confidence=0.9)
            )
            for metric in metrics()
        ]
        for texts in TEXTS.values()
    ]
    scores = Scores(list(TEXTS), all_scores(), intervals)
    text = scores.to_text()
    for score, interval in zip(all_scores()[0], intervals[0], strict=True):
        assert f"{score.score:.2f} ± {interval.half_width:.2f}" in text
        assert str(interval.signature) in text
    assert "± is half the width of the 90% confidence interval." in text
    line = Scores(["a"], all_scores()[:1], intervals[:1]).to_text().splitlines()[0]
    assert f" = {all_scores()[0][0].score:.2f} (μ = {intervals[0][0].mean:.2f} ± " in line
