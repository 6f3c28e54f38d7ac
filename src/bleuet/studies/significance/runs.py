"""Several runs of one system: training and tuning are random, so one run may be luck."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from bleuet.errors import OptionError, TableError
from bleuet.statistics.resampling import DEFAULT_SEED
from bleuet.statistics.table import Table
from bleuet.studies.significance.interval import mean_of
from bleuet.studies.significance.paired import STRICT, TRIALS, paired_approximate_randomization
from bleuet.studies.significance.printing import digits_of
from bleuet.studies.significance.results import PairedResults
from bleuet.studies.significance.systems import Systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bleuet.metrics.metric import Metric


@dataclass(frozen=True)
class RunScores:
    """One metric's scores of the runs of one system.

    Attributes:
        system: the system's name.
        metric: the metric's label.
        scores: one score per run.
    """

    system: str
    metric: str
    scores: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over runs."""
        return mean_of(self.scores)

    @property
    def standard_deviation(self) -> float:
        """The standard deviation over runs, from one run less than there are (Bessel)."""
        return standard_deviation(self.scores)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "system": self.system,
            "metric": self.metric,
            "scores": list(self.scores),
            "mean": self.mean,
            "standard_deviation": self.standard_deviation,
        }


@dataclass(frozen=True)
class RunResults:
    """What is found about systems of several runs each.

    Attributes:
        runs: system after system, one per metric.
        test: the stratified approximate randomization over all runs together.
    """

    runs: tuple[RunScores, ...]
    test: PairedResults

    def of(self, system: str, metric: str | None = None) -> RunScores:
        """Return the scores of a system's runs by a metric, the first where none is named.

        Raises:
            OptionError: there is no such system or metric.
        """
        label = self.test.estimate(system, metric).metric
        return next(run for run in self.runs if (run.system, run.metric) == (system, label))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {"runs": [run.to_dict() for run in self.runs], "test": self.test.to_dict()}

    def __str__(self) -> str:
        digits = digits_of(self.test)
        lines = [
            f"{run.system}: {run.metric} = {run.mean:.{digits[run.metric]}f} "
            f"(s = {run.standard_deviation:.{digits[run.metric]}f} over {len(run.scores)} runs)"
            for run in self.runs
        ]
        return "\n".join(lines) + f"\n\n{self.test}"

    def __repr__(self) -> str:
        return f"<runs of {', '.join(self.test.systems)} by {', '.join(self.test.metrics)}>"


def compare_runs(
    metrics: Sequence[Metric[Any]],
    runs: Mapping[str, Sequence[Sequence[Table]]],
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    trials: int = TRIALS,
    seed: int | None = DEFAULT_SEED,
    ties: str = STRICT,
    threads: int = 1,
) -> RunResults:
    """Compare systems that were trained or tuned several times (Clark et al. 2011).

    Run r of one system changes places with run r of another, segment by segment (stratified
    approximate randomization), and what is compared is the score of all runs of a system taken
    together as one corpus, as MultEval does. The order of a system's runs means nothing.

    Args:
        metrics: the metrics.
        runs: for each system's name its runs, each one table per metric in their order; all
            systems have as many runs.
        baseline: whom all others are compared with; by default the first.
        all_pairs: compare every system with every other.
        trials: how many times they change places.
        seed: what the trials begin from.
        ties: "strict", or "count" to count differences as large as the one found.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: there is one run only, or not as many of each system.
        TableError: a table does not fit its metric, or the others.

    >>> from bleuet import TER
    >>> references = ["The cat sat down.", "It rains today."]
    >>> def count(*hypotheses):
    ...     return [TER().count(list(hypotheses), references)]
    >>> old = [count("A cat sat down.", "It rain."), count("The cat down.", "It rain today.")]
    >>> new = [count("The cat sat down.", "It rains."), count("The cat sat.", "It rains today.")]
    >>> found = compare_runs([TER()], {"old": old, "new": new}, trials=200)
    >>> round(found.of("old").mean, 1), round(found.of("old").standard_deviation, 1)
    (35.7, 10.1)
    """
    of_run = _each_run(tuple(metrics), runs)
    if len({one.segments for one in of_run}) > 1:
        raise TableError("runs are of one test set, but they do not have the same segments")
    together = _one_after_the_other(of_run)
    test = paired_approximate_randomization(
        together,
        baseline=baseline,
        all_pairs=all_pairs,
        trials=trials,
        seed=seed,
        ties=ties,
        threads=threads,
    )
    found = [one.scores() for one in of_run]
    scores = tuple(
        RunScores(name, label, tuple(each[name][m].score for each in found))
        for name in runs
        for m, label in enumerate(together.labels)
    )
    return RunResults(scores, test)


def _one_after_the_other(runs: Sequence[Systems]) -> Systems:
    metrics = runs[0].metrics
    tables = {
        name: tuple(
            Table.concatenate([run.tables[name][m] for run in runs]) for m in range(len(metrics))
        )
        for name in runs[0].names
    }
    return Systems(metrics, tables)


def _each_run(
    metrics: tuple[Metric[Any], ...], runs: Mapping[str, Sequence[Sequence[Table]]]
) -> list[Systems]:
    counts = {name: len(given) for name, given in runs.items()}
    if len(set(counts.values())) != 1 or min(counts.values()) < 2:
        told = ", ".join(f"{name} has {number}" for name, number in counts.items())
        raise OptionError(f"systems need the same number of runs, two or more, but {told}")
    (number,) = set(counts.values())
    return [
        Systems(metrics, {name: tuple(given[run]) for name, given in runs.items()})
        for run in range(number)
    ]


def standard_deviation(numbers: Sequence[float]) -> float:
    """Return the standard deviation of a sample, from one degree of freedom less.

    >>> standard_deviation([1.0, 2.0, 3.0])
    1.0
    """
    mean = mean_of(numbers)
    return sqrt(sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1))
