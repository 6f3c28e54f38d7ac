"""Human scores by rater: the numbers of krippendorff, of pandas, and of statsmodels."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bleuet.meta_evaluation import AgreementSettings, RaterScores, rater_agreement
from bleuet.meta_evaluation.mixed_effects import MixedModel, crossed

pytestmark = pytest.mark.peers

Rows = list[tuple[int, str, str, int]]


def random_rows(seed: int, most: int) -> Rows:
    draw = random.Random(seed)
    places = [(i, s, r) for i in range(12) for s in "abc" for r in "uvwx"]
    chosen = draw.sample(places, draw.randrange(30, 120))
    return [(*place, draw.randrange(most)) for place in chosen]


@pytest.mark.parametrize("scale", ["interval", "ordinal", "nominal"])
def test_alpha_of_krippendorff(scale: str) -> None:
    import krippendorff

    for seed in range(100):
        rows = random_rows(seed, 2 + seed % 9)
        table = np.full((4, 36), np.nan)
        for segment, system, rater, score in rows:
            table["uvwx".index(rater), 3 * segment + "abc".index(system)] = score
        expected = krippendorff.alpha(reliability_data=table, level_of_measurement=scale)
        found = rater_agreement(RaterScores.from_rows(rows), AgreementSettings(rater_scale=scale))
        assert found.alpha == pytest.approx(expected, abs=1e-12)


def test_z_scores_of_pandas() -> None:
    """The steps of make_rankings.py of WMT 2022."""
    import pandas as pd

    for seed in range(50):
        rows = random_rows(seed, 2 + seed % 50)
        frame = pd.DataFrame(rows, columns=["segment", "system", "rater", "score"])
        by_rater = frame.groupby("rater")["score"].agg(["mean", "std"]).reset_index()
        frame = frame.merge(by_rater, on="rater")
        frame = frame[frame["std"] > 0]
        frame["z"] = (frame["score"] - frame["mean"]) / frame["std"]
        expected = frame.groupby(["system", "segment"])["z"].mean()
        found = RaterScores.from_rows(rows).standardized().means()
        for system, scores in zip(found.systems, found.values, strict=True):
            for segment, score in enumerate(scores):
                wanted = expected.get((system, segment), np.nan)
                assert score == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_mixed_effects_of_statsmodels() -> None:
    """Crossed effects as components of one group of all scores."""
    import pandas as pd
    import statsmodels.formula.api as models

    for seed in range(5):
        rng = np.random.default_rng(seed)
        system, rater, segment = (rng.integers(0, n, 150) for n in (3, 6, 15))
        both = crossed(system, rater)
        scores = rng.normal(size=150) + rng.normal(size=6)[rater] + rng.normal(size=15)[segment]
        scores += 0.8 * rng.normal(size=both.max() + 1)[both] + 0.5 * system
        frame = pd.DataFrame(
            {"y": scores, "system": system, "rater": rater, "segment": segment, "both": both}
        )
        effects = {"rater": "0 + C(rater)", "segment": "0 + C(segment)", "both": "0 + C(both)"}
        peer: Any = models.mixedlm(
            "y ~ 0 + C(system)", frame, groups=np.ones(150), vc_formula=effects
        ).fit(reml=True, method=["lbfgs", "powell"], maxiter=2000)
        model = MixedModel(scores, system, {"rater": rater, "segment": segment, "both": both})
        found = model.fit()
        # Ours has the better fit, or the same, where the search of the peer ends early.
        peers = dict(zip(peer.model.exog_vc.names, peer.vcomp, strict=True))
        ratios = np.array([peers[name] for name in model.names]) / peer.scale
        least = model.deviance(found.ratios**2)
        assert least <= model.deviance(ratios) + 1e-6
        assert found.estimates == pytest.approx(peer.fe_params.to_numpy(), abs=2e-3)
        for i in range(3):
            error = found.error_of(np.eye(3)[i])
            assert error == pytest.approx(float(peer.bse_fe.iloc[i]), rel=5e-3)
