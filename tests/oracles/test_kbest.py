"""Tuning on the n-best lists of Moses: the figures of its own tuning, and better weights."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import rerank, tune
from bleuet.text.source import Source
from bleuet.tuning.list_scores import ListMetrics
from bleuet.tuning.nbest_lists import NBestLists, read_nbest

if TYPE_CHECKING:
    from bleuet.tuning.scored_lists import ScoredLists
    from tests.evaluation_data import EvaluationData

pytestmark = pytest.mark.data
NAMES = [f"europarl10/nbest.{n}" for n in range(1, 6)]
LISTS = {f"{name} lists": (name, "bleu:tokenize=none") for name in NAMES} | {
    "europarl100/nbest lists": ("europarl100/nbest", "bleu:tokenize=none,lowercase"),
    "europarl100/nbest lists, reference cased as shipped": (
        "europarl100/nbest",
        "bleu:tokenize=none",
    ),
}
METHODS = (
    "mert:restarts=2",
    "pro:rounds=10,interpolation=0.3,samples=1000",
    "mira",
    "expected-bleu",
)


@cache
def lists(data: EvaluationData, name: str) -> NBestLists:
    return read_nbest(Source(str(data.root / f"data/kbest/{name}.txt.gz")))


def references(data: EvaluationData, name: str) -> list[str]:
    return data.lines(f"data/kbest/{name.split('/')[0]}/ref.en.txt.gz")


def counted(data: EvaluationData, name: str, metric: str) -> ScoredLists:
    return ListMetrics.parse(metric).count(lists(data, name), references(data, name), 1)


@pytest.fixture(scope="module")
def goldens(evaluation_data: EvaluationData) -> Any:
    return json.loads(evaluation_data.text("oracles/kbest.json"))


@pytest.mark.parametrize("name", LISTS)
def test_first_hypotheses_and_oracles(
    evaluation_data: EvaluationData, goldens: Any, name: str
) -> None:
    golden = goldens[name]
    found = counted(evaluation_data, *LISTS[name])
    scores = rerank(
        found.lists,
        [1] * golden["features"],
        references(evaluation_data, LISTS[name][0]),
        LISTS[name][1],
    ).scores
    assert scores is not None
    assert scores["first"] == pytest.approx(100 * golden["bleu first of each list"], abs=1e-10)
    lower_bound = 100 * golden["bleu oracle by hill climbing (lower bound)"]
    assert scores["corpus oracle"] >= lower_bound - 1e-10
    assert scores["sentence oracle"] <= scores["corpus oracle"] + 1e-10
    distinct = NBestLists.merge([found.lists])
    assert sum(map(len, found.lists.texts)) == golden["hypotheses"]
    assert sum(map(len, distinct.texts)) == golden["distinct (text, features)"]
    flat = found.features.reshape(golden["features"], -1)
    assert np.linalg.matrix_rank(flat) == golden["rank of feature matrix"]


def test_the_shipped_counts_and_features(evaluation_data: EvaluationData) -> None:
    found = counted(evaluation_data, NAMES[0], "bleu:tokenize=none")
    rows: dict[str, list[list[float]]] = {}
    for kind in ("features", "bleu_stats"):
        lines = evaluation_data.lines(f"data/kbest/{NAMES[0]}.{kind}.txt.gz")
        numbers = [line.split() for line in lines if line and line[0] in "-0123456789"]
        rows[kind] = [list(map(float, line)) for line in numbers]
    assert [list(row) for row in found.lists.values[0] + found.lists.values[1]] == (
        rows["features"][:200]
    )
    names = [f"{kind}_{n}" for n in range(1, 5) for kind in ("matches", "totals")] + ["ref_len"]
    columns = [found.table.column(name).tolist() for name in names]
    assert [list(map(float, row)) for row in zip(*columns, strict=True)] == rows["bleu_stats"]


def test_the_start_and_the_best_point_that_moses_shipped(
    evaluation_data: EvaluationData, goldens: Any
) -> None:
    golden = goldens[NAMES[0]]
    found = counted(evaluation_data, NAMES[0], "bleu:tokenize=none")
    assert list(found.lists.names) == golden["feature_names"]
    for point in ("init", "best"):
        chosen = found.choose(np.array(golden[f"{point}_weights"]))
        expected = golden["recomputed"][point]
        assert chosen.tolist() == expected["choice"]
        assert found.value_of(chosen) == pytest.approx(100 * expected["bleu"], abs=1e-10)
        row = dict(zip(found.table.integer_columns, found.totals_of(chosen)[0], strict=True))
        names = [f"{kind}_{n}" for n in range(1, 5) for kind in ("matches", "totals")]
        assert [row[name] for name in [*names, "ref_len"]] == expected["stats"]


@pytest.mark.parametrize(("seed", "started"), [(1, True), (12345, False)])
def test_mert_reaches_the_best_point_of_moses(
    evaluation_data: EvaluationData, goldens: Any, seed: int, started: bool
) -> None:
    golden = goldens[NAMES[0]]
    found = tune(
        lists(evaluation_data, NAMES[0]),
        references(evaluation_data, NAMES[0]),
        seed=seed,
        start=golden["init_weights"] if started else None,
    )
    if started:
        assert found.start == pytest.approx(100 * golden["recomputed"]["init"]["bleu"])
    assert found.tuned >= 100 * golden["recomputed"]["best"]["bleu"] - 1e-10


@pytest.mark.parametrize("method", METHODS)
def test_held_out_segments_score_better_than_at_the_start(
    evaluation_data: EvaluationData, goldens: Any, method: str
) -> None:
    every = lists(evaluation_data, "europarl100/nbest")
    gold = [one.lower() for one in references(evaluation_data, "europarl100/nbest")]
    golden = goldens[NAMES[0]]
    shipped = dict(zip(golden["feature_names"], golden["init_weights"], strict=True))
    half = slice(0, 50), slice(50, 100)
    parts = [NBestLists(every.names, every.texts[one], every.values[one]) for one in half]
    found = tune(
        parts[0],
        gold[half[0]],
        method=method,
        seed=1,
        # These lists have a second language model.
        start={**shipped, "lm_1": shipped["lm_0"]},
        held_out=parts[1],
        held_out_references=gold[half[1]],
    )
    assert found.held_out is not None
    assert found.tuned > found.start + 3
    assert found.held_out["tuned"] > found.held_out["start"] + 2
    assert found.held_out["tuned"] > found.held_out["first"] + 1
