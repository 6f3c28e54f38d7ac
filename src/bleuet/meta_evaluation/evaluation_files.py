"""The files of a meta-evaluation: tables of human and external scores, and texts."""

from __future__ import annotations

from bleuet.errors import InputError, OptionError
from bleuet.evaluation.external_score_files import check_number_of_files, read_score_file
from bleuet.evaluation.names import match_systems, without_endings
from bleuet.evaluation.score_tables import (
    SameTestSet,
    ScoreTable,
    TableLayout,
    check_columns,
    read_score_table,
)
from bleuet.frozen import Value
from bleuet.messages import nearest, plural
from bleuet.meta_evaluation.human_scores import HumanScores
from bleuet.meta_evaluation.judgment_tables import read_human_table
from bleuet.meta_evaluation.meta_evaluation import MetaEvaluation, check_systems
from bleuet.meta_evaluation.metric_scores import MetricScores, compute_scores
from bleuet.meta_evaluation.mqm import AnnotatedScores, MqmWeights
from bleuet.meta_evaluation.rater_scores import RAW, RaterTable, Z
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.meta_evaluation.sentinels import length_sentinels
from bleuet.text.fingerprint import fingerprint_of
from bleuet.text.parallel import read_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any, TypeAlias

    from bleuet.meta_evaluation.judgment_tables import JudgmentTable, RankingTable
    from bleuet.meta_evaluation.metric_scores import MetricToCompute
    from bleuet.text.source import Source

    HumanTable: TypeAlias = ScoreTable | JudgmentTable | RankingTable

# The name of the human scores beside the names of metrics.
HUMAN_SCORES = "human"


class EvaluationFiles(Value):
    """The files of a meta-evaluation.

    Args:
        human: a table of human scores, annotations, judgments or rankings, as `read_human_table`
            takes it.
        systems: by name, the outputs of each system; without any, no metric is computed.
        references: the references of these outputs.
        source: the source texts, for metrics that read them.
        metrics: the metrics to compute.
        scores: by metric, the files of external scores: one table, or a file for each of the
            systems.
        lower_is_better: the names of external scores that are error rates; "human" for the human
            scores.
        leave_out: systems that are not used, by the names of their files or in the tables.
        layout: how tables are read.
        rater_scores: how scores by rater become one: "raw", their mean, or "z", the mean of the
            z-scores of each rater.
        sentinels: whether the lengths of texts are metrics too; without systems, there are none.
        mqm_weights: a table of weights, as `MqmWeights.read` takes it; only for MQM annotations.
        allow_mismatch: whether to warn only where external scores name another test set.

    Raises:
        OptionError: there are no such scores by rater.
    """

    human: Source
    systems: Mapping[str, Source] = {}
    references: Sequence[Source] = ()
    source: Source | None = None
    metrics: Sequence[MetricToCompute] = ()
    scores: Mapping[str, Sequence[Source]] = {}
    lower_is_better: Collection[str] = ()
    leave_out: Collection[str] = ()
    layout: TableLayout = TableLayout()
    rater_scores: str = RAW
    sentinels: bool = False
    mqm_weights: Source | None = None
    allow_mismatch: bool = False

    def read(self, threads: int = 1) -> MetaEvaluation:
        """Read the tables and texts, and score the texts.

        Args:
            threads: the number of threads of the kernel, 0 for one per core.

        Raises:
            InputError: a file cannot be read, or systems or segments do not match.
            OptionError: a name does not exist, or there is not one file for each system.
        """
        weights = None if self.mqm_weights is None else MqmWeights.read(self.mqm_weights)
        human = read_human_table(self.human, self.layout, weights)
        if weights is not None and not isinstance(human, AnnotatedScores):
            raise OptionError(
                f"--mqm-weights needs MQM annotations, which {human.table.name} does not have: "
                "leave it out"
            )
        for name, files in self.scores.items():
            if len(files) > 1:
                check_number_of_files(name, files, len(self.systems))
        tables = {
            name: read_score_table(files[0], self.layout)
            for name, files in self.scores.items()
            if len(files) == 1
        }
        check_columns(self.layout.columns, [one.table for one in (human, *tables.values())])
        if self.systems:
            return self._with_texts(human, tables, threads)
        self._check_test_sets(tables, "")
        check_systems(self.leave_out, human.names)
        systems = self._common_systems(human, tables)
        segments = 1 + max(one.last_segment for one in (human, *tables.values()))
        metrics = [self._of_table(name, tables[name], systems, segments) for name in tables]
        return self._data(human, systems, segments, metrics)

    def _with_texts(
        self, human: HumanTable, tables: Mapping[str, ScoreTable], threads: int
    ) -> MetaEvaluation:
        matched, unjudged = self._matched(human.names)
        corpora = read_systems(
            [self.systems[name] for name in matched], self.references, self.source
        )
        systems, segments = list(matched.values()), len(corpora[0])
        same = self._check_test_sets(tables, corpora[0].references)
        outputs = [corpus.hypotheses for corpus in corpora]
        metrics = compute_scores(self.metrics, systems, outputs, corpora[0].references, threads)
        if self.sentinels:
            metrics += length_sentinels(systems, outputs, corpora[0].references)
        for name, files in self.scores.items():
            if name in tables:
                metrics.append(self._of_table(name, tables[name], systems, segments))
            else:
                used = dict(zip(self.systems, files, strict=True))
                own = [used[file] for file in matched]
                metrics.append(self._of_files(name, own, systems, segments, same))
        left_out = [f"left out: {', '.join(unjudged)}, without human scores"] if unjudged else []
        return self._data(human, systems, segments, metrics, left_out)

    def _check_test_sets(self, tables: Mapping[str, ScoreTable], texts: Any) -> SameTestSet:
        """Check that tables are of the test set of the texts, "" for none, and return the check."""
        same = SameTestSet(
            lambda: fingerprint_of(texts) if texts else "", allow_mismatch=self.allow_mismatch
        )
        for table in tables.values():
            same.check(table.table)
        return same

    # --- Systems ----------------------------------------------------------------------------------

    def _matched(self, judged: Sequence[str]) -> tuple[dict[str, str], list[str]]:
        """Return the system of each file, and the files of systems without human scores."""
        names = list(self.systems)
        known = [part for name in names for part in without_endings(name)]
        check_systems(self.leave_out, list(dict.fromkeys([*judged, *known])))
        wanted = [
            name
            for name in names
            if not any(part in self.leave_out for part in without_endings(name))
        ]
        found = match_systems(wanted, [name for name in judged if name not in self.leave_out])
        if len(found) < 2:
            raise InputError(
                "two systems or more must have both human scores and a file, but there are "
                f"{len(found) or 'none'}: the files are {', '.join(names)}"
            )
        return found, [name for name in wanted if name not in found]

    def _common_systems(self, human: HumanTable, tables: Mapping[str, ScoreTable]) -> list[str]:
        systems = [
            name
            for name in human.names
            if name not in self.leave_out and all(name in one.names for one in tables.values())
        ]
        if len(systems) < 2 and not tables:
            raise InputError(
                f"two systems or more must have human scores, but {human.table.name} has "
                f"{', '.join(human.names)}"
            )
        if len(systems) < 2:
            other = next(iter(tables.values()))
            raise InputError(
                "two systems or more must have both human and metric scores, but there are "
                f"{len(systems) or 'none'}: {human.table.name} has {', '.join(human.names)}, and "
                f"{other.table.name} has {', '.join(other.names)}"
            )
        return systems

    # --- External scores --------------------------------------------------------------------------

    def _of_table(
        self, name: str, table: ScoreTable, systems: Sequence[str], segments: int
    ) -> MetricScores:
        absent = [system for system in systems if system not in table.names]
        if absent:
            others = [system for system in table.names if system not in systems]
            raise InputError(
                f"{table.table.name} has no score of {', '.join(absent)}"
                f"{nearest(absent[0], others)}; it has {', '.join(table.names)}: add the scores, "
                f"or use --leave-out {absent[0]}"
            )
        matrix = self._matrix(name, table, systems, segments)
        lower = name in self.lower_is_better
        if table.segments is None:
            return MetricScores(name, systems=matrix, lower_is_better=lower)
        return MetricScores(name, segments=matrix, lower_is_better=lower)

    def _of_files(
        self,
        name: str,
        files: Sequence[Source],
        systems: Sequence[str],
        segments: int,
        same: SameTestSet,
    ) -> MetricScores:
        columns = [read_score_file(name, file, segments, same) for file in files]
        matrix = self._oriented(name, systems, columns)
        return MetricScores(name, matrix, lower_is_better=name in self.lower_is_better)

    def _matrix(
        self, name: str, table: ScoreTable, systems: Sequence[str], segments: int
    ) -> ScoreMatrix:
        values = table.select(systems, segments, average=self.layout.average)
        return self._oriented(name, systems, values)

    def _oriented(self, name: str, systems: Sequence[str], values: Any) -> ScoreMatrix:
        """Return scores of which higher ones are better; None becomes NaN."""
        matrix = ScoreMatrix(tuple(systems), values)
        return matrix.negated() if name in self.lower_is_better else matrix

    # --- Human scores -----------------------------------------------------------------------------

    def _data(
        self,
        table: HumanTable,
        systems: Sequence[str],
        segments: int,
        metrics: Sequence[MetricScores],
        left_out: Sequence[str] = (),
    ) -> MetaEvaluation:
        human, size, unused = self._human_scores(table, systems, segments)
        absent = [name for name in table.names if name not in systems]
        if absent:
            unused.insert(0, f"left out: {', '.join(absent)}, without metric scores")
        whole = isinstance(table, ScoreTable) and table.segments is None
        of_segments = "" if whole else f"{plural(segments, 'segment')}, "
        return MetaEvaluation(
            human,
            tuple(metrics),
            (f"{len(systems)} systems, {of_segments}{size}",),
            (*unused, *left_out),
            segments,
        )

    def _human_scores(
        self, table: HumanTable, systems: Sequence[str], segments: int
    ) -> tuple[HumanScores, str, list[str]]:
        """Return the human scores, their number in words, and what of them is left out."""
        if isinstance(table, AnnotatedScores) and HUMAN_SCORES in self.lower_is_better:
            raise OptionError(
                "--lower-is-better human needs human scores, not MQM annotations, whose scores are "
                "negative and better if they are higher: remove human"
            )
        if isinstance(table, ScoreTable):
            if isinstance(table, RaterTable):
                return self._scores_of_raters(table, systems, segments)
            if self.rater_scores == Z:
                raise OptionError(
                    f"--rater-scores {Z} needs scores of segments by rater: add a column rater, or "
                    "use --columns rater=NAME"
                )
            matrix = self._matrix(HUMAN_SCORES, table, systems, segments)
            whole = table.segments is None
            human = HumanScores(systems=matrix) if whole else HumanScores(scores=matrix)
            return human, plural(matrix.values.size - matrix.missing, "human score"), []
        if HUMAN_SCORES in self.lower_is_better:
            raise OptionError(
                "--lower-is-better human needs human scores, not judgments: remove human"
            )
        judgments, others = table.judgments(systems, segments)
        unused = []
        if others:
            unused.append(f"left out: {plural(others, 'judgment')} of other systems")
        if judgments.left_out:
            unused.append(f"left out: {plural(judgments.left_out, 'pair')} with a missing rank")
        return HumanScores(judgments=judgments), plural(len(judgments), "human judgment"), unused

    def _scores_of_raters(
        self, table: RaterTable, systems: Sequence[str], segments: int
    ) -> tuple[HumanScores, str, list[str]]:
        """Return what `_human_scores` does, of scores by rater."""
        without: list[str] = []
        of = "from MQM annotations of" if isinstance(table, AnnotatedScores) else "of"
        if self.rater_scores == Z:
            # A rater's mean is that of all scores in the table, also of systems that are not used.
            table, without = table.standardized()
            of = f"from z-scores {of}"
        raters = table.scores_by_rater(systems, segments, average=self.layout.average)
        if HUMAN_SCORES in self.lower_is_better:
            raters = raters.negated()
        matrix = raters.means()
        size = plural(matrix.values.size - matrix.missing, "human score")
        size += f" {of} {plural(len(raters.raters), 'rater')}"
        if isinstance(table, AnnotatedScores) and table.source_errors and not self.mqm_weights:
            size += (
                f"; errors of the source ({table.source_errors:,}) count by their severity, as in "
                "WMT's averages: --mqm-weights can give them 0"
            )
        unused = []
        if without:
            unused.append(
                f"left out: {plural(len(without), 'rater')} without two different scores, which "
                "have no z-scores"
            )
        return HumanScores(scores=matrix, raters=raters), size, unused
