"""What findings do to scores: rows are left out or exchanged, and nothing is scored twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleuet.studies.lint.finding import Effect
from bleuet.text.corpus import Corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from bleuet.metrics.metric import Metric
    from bleuet.statistics.table import Table, Totals


class Scoring:
    """The tables of all systems, counted when they are first needed.

    Args:
        corpora: each system's corpus, by its name.
        metrics: the metrics; none where effects are not wanted.
    """

    def __init__(self, corpora: Mapping[str, Corpus], metrics: Sequence[Metric[Any]]) -> None:
        self.corpora = corpora
        self.metrics = metrics
        self._tables: dict[tuple[str, int], Table] = {}

    def table(self, system: str, m: int) -> Table:
        """Return the rows of a system by the metric of a number."""
        if (system, m) not in self._tables:
            self._tables[system, m] = self.metrics[m].table(self.corpora[system])
        return self._tables[system, m]

    def without(self, rows: Collection[int], systems: Sequence[str]) -> tuple[Effect, ...]:
        """Return what leaving some rows out does: the other rows are added."""
        dropped = set(rows)

        def rest(system: str, m: int) -> Totals | None:
            table = self.table(system, m)
            kept = [row for row in range(table.rows) if row not in dropped]
            return table.select(kept).totals() if kept else None

        return self._effects(systems, rest)

    def mended(
        self,
        systems: Sequence[str],
        hypotheses: Mapping[int, str] | None = None,
        references: Mapping[int, Any] | None = None,
    ) -> tuple[Effect, ...]:
        """Return what other texts on some rows do: only these rows are counted again.

        Args:
            systems: the systems concerned.
            hypotheses: the new hypotheses by row; other rows keep theirs.
            references: the new entries of references by row; other rows keep theirs.
        """
        new_texts, new_entries = hypotheses or {}, references or {}
        rows = sorted({*new_texts, *new_entries})

        def exchanged(system: str, m: int) -> Totals | None:
            corpus = self.corpora[system]
            changed = Corpus.from_checked(
                [new_texts.get(row, corpus.hypotheses[row]) for row in rows],
                [new_entries.get(row, corpus.references[row]) for row in rows],
            )
            return self._with_rows(system, m, rows, self.metrics[m].table(changed))

        return self._effects(systems, exchanged) if rows else ()

    def realigned(self, system: str, rows: range, by: int) -> tuple[Effect, ...]:
        """Return what holding some hypotheses against the references `by` lines on does."""
        corpus = self.corpora[system]
        inside = [row for row in rows if 0 <= row + by < len(corpus)]
        moved = Corpus.from_checked(
            [corpus.hypotheses[row] for row in inside],
            [corpus.references[row + by] for row in inside],
        )

        def exchanged(system: str, m: int) -> Totals | None:
            return self._with_rows(system, m, rows, self.metrics[m].table(moved))

        return self._effects([system], exchanged)

    def _with_rows(self, system: str, m: int, rows: Collection[int], new: Table) -> Totals:
        """The totals of a system where the given rows are exchanged for those of a table."""
        table, dropped = self.table(system, m), set(rows)
        kept = [row for row in range(table.rows) if row not in dropped]
        return new.totals(after=table.select(kept).totals()) if kept else new.totals()

    def _effects(
        self, systems: Sequence[str], totals_after: Callable[[str, int], Totals | None]
    ) -> tuple[Effect, ...]:
        effects = []
        for system in systems:
            for m, metric in enumerate(self.metrics):
                after = totals_after(system, m)
                if after is None:
                    continue
                before = metric.score(self.table(system, m).totals()).score
                effects.append(Effect(system, metric.name, before, metric.score(after).score))
        return tuple(effects)
