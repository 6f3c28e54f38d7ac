"""Adapters called as their frameworks call them, by parts of these that stand in for them.

`test_frameworks.py` and `alone.py` run the same adapters inside the released packages.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from importlib import import_module
from math import isnan
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import OptionError, make_metric, with_sources
from bleuet.adapters.items import items_of
from tests.adapters.texts import HYPOTHESES, REFERENCES, SEVERAL

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = ("ter", "bleu:lowercase", "chrf")


def corpus_score(word: str, references: Any, hypotheses: list[str] = HYPOTHESES) -> float:
    return float(make_metric(word).corpus_score(hypotheses, references).score)


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Returns a function that imports an adapter among parts of a framework."""

    def imported(name: str, **parts: Any) -> Any:
        for part, members in parts.items():
            stand_in = SimpleNamespace(**members)
            monkeypatch.setitem(sys.modules, part.replace("__", "."), stand_in)
        full = f"bleuet.adapters.{name}"
        # Afterwards the module that was there before is there again.
        monkeypatch.setitem(sys.modules, full, SimpleNamespace())
        del sys.modules[full]
        return import_module(full)

    return imported


def test_the_error_of_two_rows_is_that_of_all_their_draws() -> None:
    """Each of the two is drawn twice in a quarter of the draws, and both in half of them."""
    for word in WORDS:
        items = items_of(word)
        rows = items.rows(HYPOTHESES[:2], SEVERAL[:2])
        scores = [items.score([rows[a], rows[b]]) for a in (0, 1) for b in (0, 1)]
        mean = sum(scores) / 4
        expected = (sum((one - mean) ** 2 for one in scores) / 4) ** 0.5
        assert items.standard_error(rows, 4000) == pytest.approx(expected, rel=0.05)
        assert items.standard_error(rows, 50, seed=1) != items.standard_error(rows, 50, seed=2)
        assert items.standard_error([rows[0]] * 3) == pytest.approx(0, abs=1e-9)
        assert isnan(items.standard_error(rows[:1]))


def test_lm_eval_registers_a_score_and_its_error_for_each_metric(
    adapter: Callable[..., Any],
) -> None:
    aggregations: dict[str, Any] = {}
    metrics: dict[str, Any] = {}

    def register_aggregation(name: str) -> Any:
        assert name not in aggregations
        return lambda function: aggregations.setdefault(name, function)

    def register_metric(*, metric: str, **options: Any) -> Any:
        assert metric not in metrics
        return lambda function: metrics.setdefault(metric, (function, options))

    module = adapter(
        "lm_eval",
        lm_eval__api__registry={
            "register_aggregation": register_aggregation,
            "register_metric": register_metric,
        },
    )
    names = [[f"bleuet_{word}", f"bleuet_{word}_stderr"] for word in WORDS]
    assert module.register(*WORDS[:2]) == names[0] + names[1]
    assert module.register(WORDS[1], WORDS[2], WORDS[0]) == names[1] + names[2] + names[0]
    assert set(aggregations) == set(metrics) == {name for both in names for name in both}
    for word, both in zip(WORDS, names, strict=True):
        items = items_of(word)
        wanted = (
            corpus_score(word, REFERENCES),
            items.standard_error(items.rows(HYPOTHESES, REFERENCES)),
        )
        for name, value, better in zip(
            both, wanted, (make_metric(word).higher_is_better, False), strict=True
        ):
            row, options = metrics[name]
            assert options == {"higher_is_better": better, "aggregation": name}
            rows = [
                row(references=[reference], predictions=[hypothesis])
                for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True)
            ]
            assert aggregations[name](rows) == value
        assert module.standard_error(word, 40)(rows) == items.standard_error(rows, 40) != wanted[1]


@pytest.mark.parametrize("errors", [True, False])
@pytest.mark.parametrize("target", ["references", lambda document: document["references"]])
def test_lm_eval_keeps_a_row_of_each_document_for_each_metric(
    adapter: Callable[..., Any], target: Any, errors: bool
) -> None:
    module = adapter("lm_eval")
    words = (*WORDS, "ter:normalized,no_punct")
    process = module.process_results(*words, target=target, errors=errors)
    rows: dict[str, list[Any]] = {}
    for hypothesis, references in zip(HYPOTHESES, SEVERAL, strict=True):
        # The first output counts.
        for name, row in process({"references": references}, [hypothesis, "the cat"]).items():
            rows.setdefault(name, []).append(row)
    names = [word.replace(",", ";") for word in words]
    assert list(rows) == names + [f"{name}_stderr" for name in names if errors]
    for word, name in zip(words, names, strict=True):
        assert module.aggregation(word)(rows[name]) == corpus_score(word, SEVERAL)
        assert rows[name] == rows.get(f"{name}_stderr", rows[name])


@pytest.mark.parametrize("word", WORDS)
def test_lighteval_scores_the_first_output_against_all_references(
    adapter: Callable[..., Any], word: str
) -> None:
    module = adapter(
        "lighteval",
        lighteval__metrics__metrics_corpus={"CorpusLevelComputation": object},
        lighteval__metrics__metrics_sample={"SampleLevelComputation": object},
        lighteval__metrics__utils__metric_utils={"CorpusLevelMetric": SimpleNamespace},
        lighteval__tasks__requests={"SamplingMethod": SimpleNamespace(GENERATIVE="generative")},
    )
    metric = module.corpus_metric(word)
    assert (metric.metric_name, metric.category) == (word, "generative")
    assert metric.higher_is_better == make_metric(word).higher_is_better
    rows = [
        metric.sample_level_fn.compute(
            doc=SimpleNamespace(get_golds=lambda references=references: references),
            model_response=SimpleNamespace(final_text=[hypothesis, "the cat"]),
        )
        for hypothesis, references in zip(HYPOTHESES, SEVERAL, strict=True)
    ]
    assert metric.corpus_level_fn.compute_corpus(rows) == corpus_score(word, SEVERAL)


@pytest.mark.usefixtures("no_running_loop")
@pytest.mark.parametrize("word", WORDS)
def test_inspect_names_each_number_by_its_metric(adapter: Callable[..., Any], word: str) -> None:
    def same(**_: Any) -> Any:
        return lambda function: function

    module = adapter(
        "inspect_ai",
        inspect_ai__scorer={"metric": same, "scorer": same, "Score": SimpleNamespace},
    )
    score = module.bleuet(word)
    # A sample that ended with an error has no row.
    kept = [SimpleNamespace(score=SimpleNamespace(metadata=None))]
    for hypothesis, references in zip(HYPOTHESES, SEVERAL, strict=True):
        state = SimpleNamespace(output=SimpleNamespace(completion=hypothesis))
        found = asyncio.run(score(state, references))
        assert found.value == make_metric(word).corpus_score([hypothesis], [references]).score
        assert found.answer == hypothesis
        kept.append(SimpleNamespace(score=found))
    items = items_of(word)
    error = items.standard_error(items.rows(HYPOTHESES, SEVERAL))
    assert module.corpus_score()(kept) == {word: corpus_score(word, SEVERAL)}
    assert module.corpus_stderr()(kept) == {f"{word}_stderr": error}
    assert isnan(module.corpus_score()(kept[:1]))


@pytest.mark.torch
def test_mbrs_gets_every_pair_with_its_source(adapter: Callable[..., Any]) -> None:
    registered: dict[str, Any] = {}

    class Base:
        @dataclass
        class Config:
            pass

        def __init__(self, cfg: Any) -> None:
            self.cfg = cfg

    def register(name: str) -> Any:
        return lambda kind: registered.setdefault(name, kind)

    module = adapter("mbrs", mbrs__metrics={"Metric": Base, "register": register})
    kind = registered["bleuet"]
    assert kind is module.BleuetMetric
    texts, against = HYPOTHESES[:3], REFERENCES[3:5]
    for word, source in (("ter", None), ("chrf", "the cat"), ("sari", "the cat sat")):
        metric = kind(kind.Config(metric=word))
        own = make_metric(word)
        assert own.higher_is_better == metric.HIGHER_IS_BETTER
        references: Any = with_sources(against, [source or ""] * 2) if word == "sari" else against
        expected = [[own.sentence_score(one, other).score for other in references] for one in texts]
        found = metric.pairwise_scores(texts, against, source)
        assert found.tolist() == [pytest.approx(row) for row in expected]
        assert metric.score(texts[2], against[1], source) == pytest.approx(expected[2][1])
    with pytest.raises(OptionError, match="learns from all references"):
        kind(kind.Config(metric="nist"))
