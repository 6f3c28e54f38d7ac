"""Intervals and paired tests of every metric, recounted from the texts of each draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from bleuet import Corpus, make_metric
from bleuet.metrics.catalogue import NAMES
from bleuet.significance import Evaluation, IntervalSettings, TestSettings, bootstrap_interval
from bleuet.significance.paired import paired_approximate_randomization, paired_bootstrap
from tests.contract.settings import counting, with_made_edits, with_made_sources
from tests.oracles.meteor_jar import jar
from tests.significance.corpora import texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleuet import Metric
    from tests.evaluation_data import EvaluationData

pytestmark = pytest.mark.slow

SEED, DRAWS, CONFIDENCE = 11, 30, 0.8
SEGMENTS = 16
# Differences that are equal except for rounding count as equal.
SAME = 1e-9


class Recount(NamedTuple):
    """Two systems' texts and a metric that has learned from all references, if it learns."""

    metric: Metric[Any]
    systems: dict[str, list[str]]
    references: list[Any]

    def scores(self, rows: Iterable[int], *, swapped: Iterable[int] = ()) -> list[float]:
        """The scores of both systems on some segments, the texts of some of them swapped."""
        chosen, swaps = list(rows), set(swapped)
        a, b = self.systems.values()
        both = [[(a, b)[side ^ (i in swaps)][i] for i in chosen] for side in (0, 1)]
        references = [self.references[i] for i in chosen]
        return [self.metric.corpus_score(texts, references).score for texts in both]


def check(metric: Metric[Any], systems: dict[str, list[str]], references: list[Any]) -> None:
    size = len(references)
    taught = metric.prepare(Corpus(next(iter(systems.values())), references))
    recount = Recount(taught, systems, references)
    counted = Evaluation.count([metric], systems, references)
    first, second = recount.scores(range(size))
    rng = np.random.default_rng(SEED)
    drawn = [recount.scores(rows.tolist()) for rows in rng.choice(size, size=(DRAWS, size))]
    check_interval(metric, counted, first, [score for score, _ in drawn])
    check_bootstrap(counted, first - second, np.array([a - b for a, b in drawn]))
    rng = np.random.default_rng(SEED)
    masks = rng.integers(2, size=(DRAWS, size), dtype=bool)
    swaps = [recount.scores(range(size), swapped=np.flatnonzero(m).tolist()) for m in masks]
    check_randomization(counted, abs(first - second), [abs(a - b) for a, b in swaps])


def check_interval(
    metric: Metric[Any], counted: Evaluation, score: float, draws: Sequence[float]
) -> None:
    table = counted.tables[counted.systems[0]][0]
    found = bootstrap_interval(
        metric, table, IntervalSettings(draws=DRAWS, seed=SEED, confidence=CONFIDENCE)
    )
    # A tenth of the draws is outside at either end.
    ordered = sorted(draws)
    ends = ordered[DRAWS // 10], ordered[-1 - DRAWS // 10]
    assert (found.score, found.mean) == pytest.approx((score, np.mean(draws)), rel=SAME, abs=SAME)
    assert (found.low, found.high) == pytest.approx(ends, rel=SAME, abs=SAME)


def check_bootstrap(counted: Evaluation, difference: float, draws: Any) -> None:
    (found,) = paired_bootstrap(
        counted, TestSettings(test="bootstrap", draws=DRAWS, seed=SEED)
    ).comparisons
    assert abs(found.difference) == pytest.approx(abs(difference), rel=SAME, abs=SAME)
    above = abs(draws - draws.mean()) > abs(difference) - SAME
    assert found.p_value == (above.sum() + 1) / (DRAWS + 1)


def check_randomization(counted: Evaluation, difference: float, swapped: Sequence[float]) -> None:
    (found,) = paired_approximate_randomization(
        counted, TestSettings(test="randomization", draws=DRAWS, seed=SEED)
    ).comparisons
    above = sum(one > difference - SAME for one in swapped)
    assert found.p_value == (above + 1) / (DRAWS + 1)


@pytest.mark.filterwarnings("ignore::bleuet.significance.FewSegmentsWarning")
@pytest.mark.parametrize("name", NAMES)
def test_small_data(name: str) -> None:
    systems, references = texts(SEGMENTS, seed=5)
    metric = counting(name)
    if metric.reads_sources:
        references = with_made_sources(metric, references)
    check(
        metric, {one: with_made_edits(metric, systems[one]) for one in ("one", "three")}, references
    )


@pytest.mark.data
@pytest.mark.parametrize("name", ["nist", "meteor", "rouge-2", "rouge-l", "wer", "cder"])
def test_translations(name: str, evaluation_data: EvaluationData) -> None:
    check(make_metric(name), *translations(evaluation_data))


@pytest.mark.data
@pytest.mark.peers
@pytest.mark.parametrize(
    "options",
    [{"version": "2005"}, {"version": "2007"}, {"matchers": "exact+stem+synonym"}],
    ids=str,
)
def test_synonyms(options: dict[str, str], evaluation_data: EvaluationData) -> None:
    metric = make_metric("meteor", resources=jar(), normalize="lower", **options)
    check(metric, *translations(evaluation_data))


def translations(data: EvaluationData) -> tuple[dict[str, list[str]], list[str]]:
    folder, names = "data/wmt13/de-en", ("online-B", "JHU")
    systems = {one: data.system(folder, one)[:120] for one in names}
    return systems, data.reference(folder)[:120]
