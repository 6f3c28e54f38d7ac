"""What `bleuet significance` found, and how: all that is printed is taken from it."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.studies.significance import RunScores, Significance


@dataclass(frozen=True, slots=True)
class Tested:
    """What was found, and how.

    Attributes:
        found: the differences and what they say of each system.
        test: the name of the test, one of `TESTS`.
        seed: what the draws began from, None for what nobody knows.
        baseline: whom all others were compared with, None where all pairs were compared.
        segments: how many segments the test set has.
        more: for each metric, how many digits its scores need beyond those in percent.
        scored: for metrics without a score of some segments, of how many each system has one.
        gaps: the same in sentences.
        runs: the scores of each system's runs, where there are several.
    """

    found: Significance
    test: str
    seed: int | None
    baseline: str | None
    segments: int
    more: tuple[int, ...]
    scored: dict[str, dict[str, int]] = field(default_factory=dict)
    gaps: Sequence[str] = ()
    runs: tuple[RunScores, ...] = ()

    def digits(self, metric: str) -> int:
        """Return how many digits a metric's scores need beyond those in percent."""
        return self.more[self.found.results.metrics.index(metric)]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        values = {
            "segments": self.segments,
            "baseline": self.baseline,
            "draws": self.found.draws,
            "trials": self.found.trials,
            "seed": self.seed,
            "name": self.test,
            **self.found.to_dict(),
        }
        if self.scored:
            values["scored"] = self.scored
        if self.runs:
            values["runs"] = [run.to_dict() for run in self.runs]
        return values
