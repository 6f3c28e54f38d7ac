"""sacreBLEU's paired tests, computed by bleuet.

Unlike in sacreBLEU, seed 0 is an ordinary seed, and results are Python floats that JSON can hold.
"""

from __future__ import annotations

import os

from bleuet.compat.sacrebleu.bootstrap import chosen_seed, table_of
from bleuet.compat.sacrebleu.metrics.base import Metric, Score, Signature
from bleuet.compat.sacrebleu.notice import logger
from bleuet.errors import OptionError
from bleuet.significance.interval import mean_of
from bleuet.significance.paired import bootstrap_p, share_above
from bleuet.statistics.backend import check_threads
from bleuet.statistics.resampling import Resampler, exchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bleuet.statistics.table import Table

__all__ = ["IS_WINDOWS", "Metric", "PairedTest", "Result", "Score", "Signature", "estimate_ci"]

IS_WINDOWS = os.name == "nt"


def __getattr__(name: str) -> Any:
    if name == "sacrelogger":
        return logger()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Result:
    """The result of a test for one system and one metric.

    Args:
        score: the system's score.
        p_value: of the difference from the baseline; None for the baseline itself.
        mean: the mean score of the draws; None without draws.
        ci: half the width of the 95% confidence interval; None without draws.
    """

    def __init__(
        self,
        score: float,
        p_value: float | None = None,
        mean: float | None = None,
        ci: float | None = None,
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


def estimate_ci(scores: Sequence[float]) -> tuple[float, float]:
    """Return the mean of the scores of draws and half the width of their 95% interval.

    >>> estimate_ci([4.0, 1.0, 2.0])
    (2.3333333333333335, 1.5)
    """
    ordered = sorted(map(float, scores))
    outside = len(ordered) // 40
    return mean_of(ordered), 0.5 * (ordered[-1 - outside] - ordered[outside])


class PairedTest:
    """Compares systems with the first of them, by several metrics.

    Args:
        named_systems: names and hypotheses; the first is the baseline.
        metrics: metrics by name.
        references: streams of references, or None for those passed to the metrics.
        test_type: "ar" for approximate randomization, "bs" for the bootstrap.
        n_samples: number of trials or draws; 0 for the default, 10000 or 1000.
        n_ar_confidence: draws for confidence intervals with "ar"; 0 for 1000, -1 for none.
        n_jobs: threads, 0 for one per core.

    Raises:
        OptionError: the test is unknown, or there is no system or no metric.
    """

    _DEFAULT_SAMPLES = {"ar": 10000, "bs": 1000}  # noqa: RUF012 - a constant of sacreBLEU's

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric],
        references: Sequence[Sequence[str]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise OptionError(f"test_type must be 'ar' or 'bs', not {test_type!r}")
        if not named_systems:
            raise OptionError(
                "a paired test needs a baseline and other systems; named_systems is empty"
            )
        if not metrics:
            raise OptionError("a paired test needs one or more metrics; metrics is empty")
        self.test_type = test_type
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence if n_ar_confidence else self._DEFAULT_SAMPLES["bs"]
        self.n_jobs = check_threads(n_jobs)
        self.references = references
        self.named_systems = list(named_systems)
        self.n_systems = len(self.named_systems) - 1
        self.metrics: dict[str, Metric] = {}
        self._printed_seed, self._seed = chosen_seed()
        self._signatures: dict[str, Any] = {}
        self._baseline: dict[str, tuple[Any, float]] = {}
        name, hypotheses = self.named_systems[0]
        for given_name, metric in metrics.items():
            logger().info(f"Pre-computing {given_name} statistics for {name!r}")
            stats = metric._extract_corpus_statistics(hypotheses, references)
            score = metric._aggregate_and_compute(stats)
            self.metrics[score.name] = metric
            self._baseline[score.name] = (stats, float(score.score))
            self._signatures[score.name] = self._signature(metric)

    def __call__(self) -> tuple[dict[str, Any], dict[str, list[Any]]]:
        """Run the test.

        Returns:
            Each metric's signature; and "System" with the names, then for each metric's name a
            `Result` for each system, that of the baseline first.
        """
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        counted = [self._baseline, *map(self._count, self.named_systems[1:])]
        run = self._bootstrap if self.test_type == "bs" else self._randomize
        tables = [table_of(system[name][0]) for system in counted for name in self.metrics]
        found = run(tables, [system[name][1] for system in counted for name in self.metrics])
        for m, name in enumerate(self.metrics):
            scores[name] = found[m :: len(self.metrics)]
        return self._signatures, scores

    def _signature(self, metric: Metric) -> Any:
        signature = metric.get_signature()
        signature.update("seed", self._printed_seed)
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        return signature

    def _count(self, system: tuple[str, Sequence[str]]) -> dict[str, tuple[Any, float]]:
        name, hypotheses = system
        kind, samples = _NAMES[self.test_type]
        counted = {}
        for label, metric in self.metrics.items():
            logger().info(f"Computing {label} for {name!r} and extracting sufficient statistics")
            stats = metric._extract_corpus_statistics(hypotheses, self.references)
            counted[label] = (stats, float(metric._aggregate_and_compute(stats).score))
            logger().info(f" > Performing {kind} test (# {samples}: {self.n_samples})")
            if self.test_type == "ar" and self.n_ar_confidence > 0:
                logger().info(
                    " > Performing bootstrap resampling for confidence interval "
                    f"(# resamples: {self.n_ar_confidence})"
                )
        return counted

    # The tests. `tables` and `scores` hold one entry per metric for each system in turn.

    def _draws(self, stream: Resampler, tables: list[Table], draws: int) -> list[Sequence[float]]:
        return self._scores(stream.draw(tables, draws, threads=self.n_jobs))

    def _scores(self, sums: Sequence[Table]) -> list[Sequence[float]]:
        metrics = list(self.metrics.values())
        return [metrics[i % len(metrics)]._scores_of_sums(table) for i, table in enumerate(sums)]

    def _bootstrap(self, tables: list[Table], scores: list[float]) -> list[Result]:
        draws = self._draws(Resampler(self._seed), tables, self.n_samples)
        results = []
        for i, score in enumerate(scores):
            b = i % len(self.metrics)
            p = None if i == b else bootstrap_p(draws[b], draws[i], scores[b] - score)
            results.append(Result(score, p, *estimate_ci(draws[i])))
        return results

    def _randomize(self, tables: list[Table], scores: list[float]) -> list[Result]:
        width = len(self.metrics)
        stream = Resampler(self._seed)
        chosen = stream.choose(tables, self.n_samples, threads=self.n_jobs)
        results = [Result(score) for score in scores]
        for i in range(width, len(scores)):
            mine, other = (tables[i % width], chosen[i % width]), (tables[i], chosen[i])
            metric = list(self.metrics.values())[i % width]
            pair = [
                metric._scores_of_sums(exchanged(*two)) for two in ((mine, other), (other, mine))
            ]
            differences = [abs(a - b) for a, b in zip(*pair, strict=True)]
            results[i].p_value = share_above(differences, abs(scores[i % width] - scores[i]))
        if self.n_ar_confidence > 0:
            # sacreBLEU draws for the baseline with a new generator, for others after the trials.
            draws = self._draws(Resampler(self._seed), tables[:width], self.n_ar_confidence)
            draws += (
                self._draws(stream, tables[width:], self.n_ar_confidence) if tables[width:] else []
            )
            for result, values in zip(results, draws, strict=True):
                result.mean, result.ci = estimate_ci(values)
        return results


# sacreBLEU's names of the tests and their samples.
_NAMES = {
    "bs": ("paired bootstrap resampling", "resamples"),
    "ar": ("approximate randomization", "trials"),
}
