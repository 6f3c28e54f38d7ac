"""A meta-evaluation on a test set of mt-metrics-eval: its texts, human scores and metric scores."""

from __future__ import annotations

from bleuet.errors import InputError, OptionError
from bleuet.frozen import Value
from bleuet.messages import nearest
from bleuet.meta_evaluation.human_scores import HumanScores
from bleuet.meta_evaluation.meta_evaluation import MetaEvaluation, check_systems
from bleuet.meta_evaluation.metric_scores import MetricScores, compute_scores
from bleuet.meta_evaluation.mt_metrics_eval import (
    SEGMENT,
    SYSTEM,
    TestSet,
    base_name,
)
from bleuet.meta_evaluation.sentinels import length_sentinels
from bleuet.text.source_texts import with_sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bleuet.meta_evaluation.metric_scores import MetricToCompute
    from bleuet.meta_evaluation.score_matrix import ScoreMatrix

DEFAULT_HUMAN_NAME = "mqm"


class EvaluationTestSet(Value):
    """A test set of mt-metrics-eval, and what is used of it.

    Args:
        test_set: the test set.
        references: the names of the references.
        human_name: the name of the human scores; None takes the only one there is, or "mqm".
        metrics: the metrics to compute.
        default: the metrics to compute if no metric is named and no scores are stored.
        stored: the stored metrics to use, with or without the references in their names; None
            takes all that used these references, or none.
        leave_out: systems that are not used.
        sentinels: whether the lengths of texts are metrics too.
    """

    test_set: TestSet
    references: Sequence[str]
    human_name: str | None = None
    metrics: Sequence[MetricToCompute] = ()
    default: Sequence[MetricToCompute] = ()
    stored: Collection[str] | None = None
    leave_out: Collection[str] = ()
    sentinels: bool = False

    def read(self, threads: int = 1) -> MetaEvaluation:
        """Read the scores and texts, and score the texts.

        Args:
            threads: the number of threads of the kernel, 0 for one per core.

        Raises:
            InputError: the folder lacks a file, or a file is not well-formed.
            OptionError: a name does not exist.
        """
        test_set = self.test_set
        check_systems(self.leave_out, test_set.systems)
        name = self._human_name()
        human = self._human_scores(name)
        scored = human.scores or human.systems
        assert scored is not None
        systems = scored.systems
        metrics, incomplete = self._stored_metrics(systems)
        computed = self._computed_metrics(bool(metrics), systems, threads)
        absent = [system for system in test_set.systems if system not in systems]
        left_out = [f"left out: {', '.join(absent)}"] if absent else []
        if incomplete:
            left_out.append(f"left out: {', '.join(incomplete)}, which lack scores of systems")
        return MetaEvaluation(
            human,
            (*computed, *metrics),
            (
                f"{len(systems)} systems, {test_set.segments:,} segments, human scores: {name}",
                f"references: {', '.join(self.references)}",
            ),
            tuple(left_out),
            test_set.segments,
            test_set.document_names,
        )

    def _stored_names(self) -> tuple[str, ...]:
        names = self.test_set.metric_names(self.references)
        if self.stored is None:
            return names
        known = [*names, *(base_name(name) for name in names)]
        for name in self.stored:
            if name not in known:
                raise OptionError(
                    f"--stored: there is no metric {name}{nearest(name, known)}; the metrics are "
                    f"{', '.join(known)}"
                )
        return tuple(name for name in names if {name, base_name(name)} & set(self.stored))

    def _human_name(self) -> str:
        names = self.test_set.human_names
        name = self.human_name or (names[0] if len(names) == 1 else DEFAULT_HUMAN_NAME)
        if self.human_name is None and name not in names:
            raise OptionError(
                f"{self.test_set.folder} has the human scores {', '.join(names) or 'none'} for "
                f"{self.test_set.language_pair}: select one with --human-name"
            )
        return name

    def _human_scores(self, name: str) -> HumanScores:
        matrices = [self.test_set.human(name, level) for level in (SEGMENT, SYSTEM)]
        known = [matrix for matrix in matrices if matrix is not None]
        # The systems with scores at both levels, so that both levels have the same systems.
        systems = [
            system
            for system in known[0].systems
            if system not in (*self.leave_out, *self.references)
            and all(_is_scored(matrix, system) for matrix in known)
        ]
        if len(systems) < 2:
            raise InputError(
                f"{self.test_set.folder} must have human scores of two systems or more of "
                f"{self.test_set.language_pair} that are not references, but has {len(systems)}"
            )
        scores, whole = (matrix and matrix.select(systems) for matrix in matrices)
        return HumanScores(scores=scores, systems=whole)

    def _stored_metrics(self, systems: Sequence[str]) -> tuple[list[MetricScores], list[str]]:
        """Return the stored metrics, and the names of those that lack a system."""
        metrics, incomplete = [], []
        for name in self._stored_names():
            matrices = [self.test_set.metric(name, level) for level in (SEGMENT, SYSTEM)]
            known = [matrix for matrix in matrices if matrix is not None]
            if not known or not all(set(systems) <= set(matrix.systems) for matrix in known):
                incomplete.append(name)
                continue
            segments, whole = (matrix and matrix.select(systems) for matrix in matrices)
            metrics.append(MetricScores(name, segments, whole))
        return metrics, incomplete

    def _computed_metrics(
        self, has_stored: bool, systems: Sequence[str], threads: int
    ) -> list[MetricScores]:
        metrics = self.metrics or (() if has_stored else self.default)
        if not metrics and not self.sentinels:
            return []
        texts = [self.test_set.reference(name) for name in self.references]
        rows = [list(row) for row in zip(*texts, strict=True)]
        against = with_sources(texts[0] if len(texts) == 1 else rows, self.test_set.source)
        references = against.tolist()
        outputs = [self.test_set.output(system) for system in systems]
        computed = compute_scores(metrics, systems, outputs, references, threads) if metrics else []
        if self.sentinels:
            computed += length_sentinels(systems, outputs, references)
        return computed


def _is_scored(matrix: ScoreMatrix, system: str) -> bool:
    if system not in matrix.systems:
        return False
    return matrix.select([system]).missing < matrix.segments
