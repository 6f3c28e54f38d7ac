"""What a paired test finds: an estimate for each system and a comparison for each pair."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from html import escape

from bleuet.errors import OptionError
from bleuet.output.data_frame import data_frame
from bleuet.studies.significance.correction import find_correction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.signature import Signature
    from bleuet.studies.significance.interval import Interval

ALPHA = 0.05


def check_alpha(alpha: float) -> float:
    """Return a level of significance.

    Raises:
        OptionError: it is not between 0 and 1.
    """
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 < alpha < 1:
        raise OptionError(f"alpha must be between 0 and 1, not {alpha!r}")
    return alpha


@dataclass(frozen=True)
class Estimate:
    """One metric's score of one system.

    Attributes:
        system: the system's name.
        metric: the metric's label.
        score: its score on the test set.
        interval: its bootstrap interval, where the test made one.
        higher_is_better: whether the metric's larger scores are better.
    """

    system: str
    metric: str
    score: float
    interval: Interval | None
    higher_is_better: bool

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        values: dict[str, Any] = {
            "system": self.system,
            "metric": self.metric,
            "score": self.score,
            "higher_is_better": self.higher_is_better,
        }
        if self.interval is not None:
            found = self.interval
            values.update(mean=found.mean, low=found.low, high=found.high)
            values.update(half_width=found.half_width, level=found.level)
        return values


@dataclass(frozen=True)
class Comparison:
    """One metric's verdict on two systems.

    Attributes:
        baseline: the first system.
        system: the second.
        metric: the metric's label.
        difference: the second's score less the first's.
        better: the better one's name, or None where the scores are the same.
        p_value: how often chance alone makes a difference larger than this.
        corrected_p_value: the same after a correction for many questions, or None.
        low: the lower end of the difference's bootstrap interval, where the test made one.
        high: its upper end.
    """

    baseline: str
    system: str
    metric: str
    difference: float
    better: str | None
    p_value: float
    corrected_p_value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def p(self) -> float:
        """The p-value to go by: the corrected one, where there is one."""
        return self.p_value if self.corrected_p_value is None else self.corrected_p_value

    def is_significant(self, alpha: float = ALPHA) -> bool:
        """Return whether the p-value to go by is below a level."""
        return self.p < alpha

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "baseline": self.baseline,
            "system": self.system,
            "metric": self.metric,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "better": self.better,
            "p_value": self.p_value,
            "corrected_p_value": self.corrected_p_value,
        }


@dataclass(frozen=True)
class PairedResults:
    """All that a paired test has found.

    Attributes:
        test: "paired bootstrap" or "paired approximate randomization".
        systems: the systems' names.
        metrics: the metrics' labels.
        estimates: system after system, one per metric.
        comparisons: pair after pair, one per metric.
        signatures: how to compute it again, for each metric's label.
        correction: the correction of the p-values, or None.
    """

    test: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    comparisons: tuple[Comparison, ...]
    signatures: dict[str, Signature]
    correction: str | None = None

    def estimate(self, system: str, metric: str | None = None) -> Estimate:
        """Return a system's estimate by a metric, the first where none is named.

        Raises:
            OptionError: there is none.
        """
        wanted = self.metrics[0] if metric is None else metric
        for found in self.estimates:
            if (found.system, found.metric) == (system, wanted):
                return found
        raise OptionError(
            f"there is no estimate of {system!r} by {wanted!r}; the systems are "
            f"{', '.join(self.systems)}, the metrics {', '.join(self.metrics)}"
        )

    def comparison(self, one: str, other: str, metric: str | None = None) -> Comparison:
        """Return the comparison of two systems in either order, by the first metric or a named one.

        Raises:
            OptionError: the two were not compared.
        """
        wanted = self.metrics[0] if metric is None else metric
        for found in self.comparisons:
            if found.metric == wanted and {found.baseline, found.system} == {one, other}:
                return found
        pairs = dict.fromkeys(f"{one.baseline} : {one.system}" for one in self.comparisons)
        raise OptionError(
            f"{one!r} and {other!r} were not compared by {wanted!r}; compared were "
            f"{', '.join(pairs)} by {', '.join(self.metrics)}"
        )

    def corrected(self, method: str) -> PairedResults:
        """Return the same with p-values corrected for the number of pairs, metric by metric.

        Args:
            method: "bonferroni", "holm" or "benjamini-hochberg".

        Raises:
            OptionError: there is no such correction.
        """
        correct = find_correction(method)
        comparisons = list(self.comparisons)
        for metric in self.metrics:
            places = [i for i, found in enumerate(comparisons) if found.metric == metric]
            values = correct([comparisons[i].p_value for i in places])
            for i, value in zip(places, values, strict=True):
                comparisons[i] = replace(comparisons[i], corrected_p_value=value)
        return replace(self, comparisons=tuple(comparisons), correction=method)

    def renamed(self, names: Sequence[str]) -> PairedResults:
        """Return the same with other names for the first metrics, without those behind them."""
        new = dict(zip(self.metrics, names, strict=False))
        estimates = [one for one in self.estimates if one.metric in new]
        comparisons = [one for one in self.comparisons if one.metric in new]
        return replace(
            self,
            metrics=tuple(names),
            estimates=tuple(replace(one, metric=new[one.metric]) for one in estimates),
            comparisons=tuple(replace(one, metric=new[one.metric]) for one in comparisons),
            signatures={new[name]: found for name, found in self.signatures.items() if name in new},
        )

    def ranks(self, metric: str | None = None, alpha: float = ALPHA) -> dict[str, int]:
        """Return each system's rank: 1 and how many systems are significantly better.

        Systems that were not compared do not count against each other, so compare all pairs.
        """
        wanted = self.metrics[0] if metric is None else metric
        self.estimate(self.systems[0], wanted)
        ranks = dict.fromkeys(self.systems, 1)
        for found in self.comparisons:
            if found.metric == wanted and found.better is not None and found.is_significant(alpha):
                ranks[found.system if found.better == found.baseline else found.baseline] += 1
        return ranks

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "test": self.test,
            "correction": self.correction,
            "estimates": [found.to_dict() for found in self.estimates],
            "comparisons": [found.to_dict() for found in self.comparisons],
            "signatures": {name: str(signature) for name, signature in self.signatures.items()},
        }

    def to_json(self, *, indent: int | None = 1, ensure_ascii: bool = False) -> str:
        """Return `to_dict()` as JSON, every number in full.

        Args:
            indent: spaces at each level; None puts all on one line.
            ensure_ascii: write other characters as escapes.
        """
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=ensure_ascii)

    def to_dataframe(self, part: str = "comparisons", *, library: str | None = None) -> Any:
        """Return what was found as a data frame.

        Args:
            part: "comparisons", a row for each pair and metric, or "estimates", one for each
                system and metric.
            library: "pandas", "polars" or "pyarrow"; default the first that is installed.

        Raises:
            OptionError: there is no such part or library.
            MissingExtraError: the library is not installed.
        """
        estimates = [one.to_dict() for one in self.estimates]
        keys = dict.fromkeys(key for row in estimates for key in row)
        parts = {
            "comparisons": lambda: [one.to_dict() for one in self.comparisons],
            "estimates": lambda: [{key: row.get(key) for key in keys} for row in estimates],
        }
        return data_frame(parts, part, library)

    def _repr_html_(self) -> str:
        """Return what is printed, as notebooks show it."""
        return f"<pre>{escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return f"<{self.test} of {', '.join(self.systems)} by {', '.join(self.metrics)}>"

    def __str__(self) -> str:
        from bleuet.studies.significance.printing import printed

        return printed(self)
