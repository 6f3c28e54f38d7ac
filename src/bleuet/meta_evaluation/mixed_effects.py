"""Linear mixed-effects models of human scores: systems are fixed, raters and texts are random.

Fitted by restricted maximum likelihood (REML), as in Bates, Maechler, Bolker and Walker 2015,
"Fitting Linear Mixed-Effects Models Using lme4", Journal of Statistical Software 67, section 3.4.
Degrees of freedom are Satterthwaite's: Kuznetsova, Brockhoff and Christensen 2017, "lmerTest
Package: Tests in Linear Mixed Effects Models", Journal of Statistical Software 82, section 2.2.
"""

from __future__ import annotations

from math import inf, log, pi

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers

    linalg: Any
    optimize: Any
    sparse: Any
else:
    np = deferred("numpy")
    linalg = deferred("scipy.linalg")
    optimize = deferred("scipy.optimize")
    sparse = deferred("scipy.sparse")

# A standard deviation below this share of the residual one is 0.
NEARLY_ZERO = 1e-4
# Levels of effects beside the largest one, whose matrix is dense.
MOST_LEVELS = 8000
# The relative step of numeric derivatives.
STEP = 1e-3
FLAT = 1e-9


class MixedModel:
    """A model of scores: a mean for each system, random effects, and a residual.

    Args:
        scores: the scores.
        system: the number of the system of each score.
        effects: by name, the number of the level of each score, such as that of its rater.

    Raises:
        InputError: the effects have too many levels.
    """

    def __init__(self, scores: Floats, system: Integers, effects: Mapping[str, Integers]) -> None:
        self.scores, self.names = scores, tuple(effects)
        levels = [np.unique(one, return_inverse=True)[1] for one in effects.values()]
        sizes = [int(one.max()) + 1 for one in levels]
        # The matrix of one effect is diagonal, so that the largest one is eliminated first.
        self._order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
        self._sizes = [sizes[i] for i in self._order]
        if sum(self._sizes[1:]) > MOST_LEVELS:
            named = ", ".join(f"{n} {size:,}" for n, size in zip(self.names, sizes, strict=True))
            raise InputError(
                f"mixed effects are too many for memory: {named} levels; expected no more than "
                f"{MOST_LEVELS:,} beside the largest: use another test"
            )
        rows, ones = np.arange(len(scores)), np.ones(len(scores))
        blocks = [sparse.csr_array((ones, (rows, levels[i]))) for i in self._order]
        first, fixed = blocks[0], sparse.csr_array((ones, (rows, system)))
        # The rest of the random effects, the systems, and the scores.
        others = sparse.hstack([*blocks[1:], fixed, scores[:, None]]).tocsr()
        self._times: Floats = np.asarray(first.sum(axis=0), dtype=np.float64)
        self._cross = (first.T @ others).tocsr()
        self._cross_back = self._cross.T.tocsr()
        self._core = (others.T @ others).toarray()
        self._means = fixed.shape[1]

    def _solved(self, ratios: Floats) -> tuple[float, float, Floats, Floats]:
        """Return what follows from the ratios of standard deviations.

        Args:
            ratios: the standard deviation of each effect, over that of the residual.

        Returns:
            The sum of squares of residuals and effects, the log determinants, the estimates, and
            the inverse of their covariance matrix over the residual variance.
        """
        ratios = ratios[self._order]
        scale = np.concatenate([np.repeat(ratios[1:], self._sizes[1:]), np.ones(self._means + 1)])
        diagonal = ratios[0] ** 2 * self._times + 1.0
        weights = sparse.diags_array(ratios[0] ** 2 / diagonal)
        core = self._core - (self._cross_back @ (weights @ self._cross)).toarray()
        core *= scale
        core *= scale[:, None]
        logs = float(np.log(diagonal).sum())
        last = self._means + 1
        size = len(core) - last
        if size:
            random, known = core[:size, :size], core[:size, size:]
            random[np.diag_indices(size)] += 1.0
            factor = linalg.cholesky(random, lower=True, overwrite_a=True, check_finite=False)
            logs += 2 * float(np.log(np.diagonal(factor)).sum())
            solved = linalg.solve_triangular(factor, known, lower=True, check_finite=False)
            core = core[size:, size:] - solved.T @ solved
        fixed, estimates = core[:-1, :-1], np.linalg.solve(core[:-1, :-1], core[:-1, -1])
        squares = float(core[-1, -1] - estimates @ core[:-1, -1])
        return squares, logs + float(np.linalg.slogdet(fixed)[1]), estimates, fixed

    def deviance(self, variances: Floats) -> float:
        """Return the REML criterion at the best residual variance.

        Args:
            variances: the variance of each effect, over that of the residual. By a standard
                deviation, the criterion would have the slope 0 at 0, where a search would stop.
        """
        squares, logs, estimates, _ = self._solved(np.sqrt(variances))
        free = len(self.scores) - len(estimates)
        return logs + free * (1 + log(2 * pi * squares / free))

    def _full_deviance(self, ratios: Floats, variance: float) -> float:
        squares, logs, estimates, _ = self._solved(ratios)
        free = len(self.scores) - len(estimates)
        return logs + free * log(2 * pi * variance) + squares / variance

    def fit(self) -> FittedModel:
        """Return the model with the smallest REML criterion."""
        start = np.full(len(self.names), 0.5)
        bounds = [(0.0, None)] * len(start)
        for derivatives, enough in (("2-point", 1e-9), ("3-point", 1e-13)):
            start = optimize.minimize(
                self.deviance,
                start,
                jac=derivatives,
                method="L-BFGS-B",
                bounds=bounds,
                options={"ftol": enough, "gtol": 1e-6},
            ).x
        ratios = np.sqrt(start)
        ratios[ratios < NEARLY_ZERO] = 0.0
        squares, _, estimates, fixed = self._solved(ratios)
        variance = squares / (len(self.scores) - len(estimates))
        covariance: Floats = np.asarray(variance * np.linalg.inv(fixed), dtype=np.float64)
        return FittedModel(self, ratios, float(variance), estimates, covariance)


class FittedModel(Value, eq=False):
    """A fitted model.

    Args:
        model: the model.
        ratios: the standard deviation of each effect, over that of the residual.
        variance: the residual variance.
        estimates: the mean of each system.
        covariance: the covariance matrix of these means.
    """

    model: MixedModel
    ratios: Floats
    variance: float
    estimates: Floats
    covariance: Floats

    @property
    def deviations(self) -> dict[str, float]:
        """The standard deviation of each effect, and of the residual."""
        residual = self.variance**0.5
        named = zip(self.model.names, (self.ratios * residual).tolist(), strict=True)
        return {**dict(named), "residual": residual}

    def error_of(self, contrast: Floats) -> float:
        """Return the standard error of a linear combination of the means."""
        return float((contrast @ self.covariance @ contrast) ** 0.5)

    def freedom_of(self, contrasts: Floats) -> Floats:
        """Return Satterthwaite's degrees of freedom of linear combinations, one per row.

        Derivatives are numeric. Effects whose deviation is 0 have no part in them.
        """
        kept = np.flatnonzero(self.ratios > 0)
        point = np.append(np.log(self.ratios[kept]), log(self.variance))
        count = len(point)

        def ratios_of(at: Floats) -> Floats:
            ratios = np.zeros(len(self.ratios))
            ratios[kept] = np.exp(at[:-1])
            return ratios

        def deviance(at: Floats) -> float:
            return self.model._full_deviance(ratios_of(at), float(np.exp(at[-1])))

        def variances(at: Floats) -> Floats:
            _, _, _, fixed = self.model._solved(ratios_of(at))
            covariance = np.exp(at[-1]) * np.linalg.inv(fixed)
            found: Floats = np.einsum("ci,ij,cj->c", contrasts, covariance, contrasts)
            return found

        steps = np.eye(count) * STEP
        hessian = np.empty((count, count))
        gradients = np.empty((count, len(contrasts)))
        for i in range(count):
            gradients[i] = variances(point + steps[i]) - variances(point - steps[i])
            for j in range(i + 1):
                corners = [
                    sign * other * deviance(point + sign * steps[i] + other * steps[j])
                    for sign in (1, -1)
                    for other in (1, -1)
                ]
                hessian[i, j] = hessian[j, i] = sum(corners) / (4 * STEP**2)
        gradients /= 2 * STEP
        # Directions in which the criterion does not bend say nothing about the variances.
        bends, directions = np.linalg.eigh(hessian)
        bent = bends > FLAT * bends.max()
        spread = (2 * (directions[:, bent].T @ gradients) ** 2 / bends[bent, None]).sum(axis=0)
        with np.errstate(divide="ignore"):
            freedom: Floats = np.where(spread > 0, 2 * variances(point) ** 2 / spread, inf)
        return freedom


def crossed(one: Integers, other: Integers) -> Integers:
    """Return the number of the pair of two levels, such as a system and a document.

    >>> crossed(np.array([0, 0, 1]), np.array([5, 6, 5])).tolist()
    [0, 1, 2]
    """
    pairs = one * (int(other.max()) + 1) + other
    number: Integers = np.unique(pairs, return_inverse=True)[1]
    return number


def known_effects(effects: Mapping[str, Integers]) -> dict[str, Integers]:
    """Return the effects that differ from the residual, and from an earlier effect.

    Args:
        effects: by name, the number of the level of each score.

    >>> several, each = np.array([0, 0, 1]), np.array([0, 1, 2])
    >>> list(known_effects({"segment": several, "document": several, "item": each}))
    ['segment']
    """
    found: dict[str, Integers] = {}
    for name, levels in effects.items():
        count = len(np.unique(levels))
        if not 1 < count < len(levels):
            continue
        sizes = ((len(np.unique(o)), len(np.unique(crossed(levels, o)))) for o in found.values())
        if (count, count) not in sizes:
            found[name] = levels
    return found
