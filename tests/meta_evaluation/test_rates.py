"""How often tests reject where two metrics are equally good: the table of the guide."""

from __future__ import annotations

import os

import numpy as np
import pytest

from bleuet.meta_evaluation import AgreementSettings, compare_metrics
from tests.meta_evaluation.scores import matrix

SIMULATIONS = int(os.environ.get("BLEUET_SIMULATIONS", "150"))
pytestmark = pytest.mark.long
DOCUMENTS = np.repeat(np.arange(20), 8)


@pytest.mark.parametrize(("statistic", "test"), [("tau", "perm-both"), ("acc-eq", "perm-pairs")])
def test_documents_keep_the_rate_of_rejections(statistic: str, test: str) -> None:
    """The segments of a document have a part in common, in human scores and in metrics."""
    rng = np.random.default_rng(1)
    rejected = {False: 0, True: 0}
    for number in range(SIMULATIONS):
        common = rng.normal(size=(3, 4, 20))[:, :, DOCUMENTS]
        human = np.round(rng.normal(size=(4, 160)) + common[0])
        metrics = [matrix(human + rng.normal(size=human.shape) + 2 * one) for one in common[1:]]
        for named in rejected:
            settings = AgreementSettings(
                test=test,
                trials=99,
                seed=number,
                documents=DOCUMENTS.tolist() if named else None,
            )
            found = compare_metrics(statistic, matrix(human), metrics[0], metrics[1], settings)
            rejected[named] += found.p_value <= 0.05
    deviation = (0.05 * 0.95 / SIMULATIONS) ** 0.5
    assert rejected[True] / SIMULATIONS < 0.05 + 3 * deviation
    assert rejected[False] / SIMULATIONS > 0.05 + 3 * deviation
