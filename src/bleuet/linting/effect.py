"""The effect of findings on scores: rows are left out or replaced, and nothing is counted twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleuet.linting.finding import Effect
from bleuet.text.corpus import Corpus
from bleuet.text.segments import like

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from bleuet.metrics.base.metric import Metric
    from bleuet.statistics.table import Table, Totals


class Scoring:
    """The tables of all systems, each counted when it is first needed.

    Args:
        corpora: each system's corpus, by its name.
        metrics: the metrics; none for findings without effects.
    """

    def __init__(self, corpora: Mapping[str, Corpus], metrics: Sequence[Metric[Any]]) -> None:
        self.corpora = corpora
        # All systems have the same references.
        whole = next(iter(corpora.values()))
        self.metrics = [metric.prepare(whole) for metric in metrics]
        self._tables: dict[tuple[str, int], Table] = {}

    def table(self, system: str, m: int) -> Table:
        """Return the rows of a system by metric number `m`."""
        if (system, m) not in self._tables:
            self._tables[system, m] = self.metrics[m].table(self.corpora[system])
        return self._tables[system, m]

    def without(self, rows: Collection[int], systems: Sequence[str]) -> tuple[Effect, ...]:
        """Return the effect of leaving rows out: the other rows are added."""
        dropped = set(rows)

        def rest(system: str, m: int) -> Totals | None:
            table = self.table(system, m)
            kept = [row for row in range(table.rows) if row not in dropped]
            return table.select(kept).totals() if kept else None

        return self._effects(systems, rest)

    def repaired(
        self,
        systems: Sequence[str],
        hypotheses: Mapping[int, str] | None = None,
        references: Mapping[int, Any] | None = None,
    ) -> tuple[Effect, ...]:
        """Return the effect of other texts in some rows: only these rows are counted again.

        Args:
            systems: the names of the systems.
            hypotheses: the new hypotheses by row; other rows keep theirs.
            references: the new references by row; other rows keep theirs.
        """
        new_texts, new_entries = hypotheses or {}, references or {}
        rows = sorted({*new_texts, *new_entries})

        def replaced(system: str, m: int) -> Totals | None:
            corpus = self.corpora[system]
            changed = Corpus.from_checked(
                [_replaced(new_texts, row, corpus.hypotheses[row]) for row in rows],
                [_replaced(new_entries, row, corpus.references[row]) for row in rows],
            )
            return self._with_rows(system, m, rows, self.metrics[m].table(changed))

        return self._effects(systems, replaced) if rows else ()

    def realigned(self, system: str, rows: range, by: int) -> tuple[Effect, ...]:
        """Return the effect of scoring some hypotheses with the references `by` lines later.

        Args:
            system: the system's name.
            rows: the hypotheses.
            by: the shift in lines, negative for earlier ones.
        """
        corpus = self.corpora[system]
        inside = [row for row in rows if 0 <= row + by < len(corpus)]
        moved = Corpus.from_checked(
            [corpus.hypotheses[row] for row in inside],
            [corpus.references[row + by] for row in inside],
        )

        def replaced(system: str, m: int) -> Totals | None:
            return self._with_rows(system, m, rows, self.metrics[m].table(moved))

        return self._effects([system], replaced)

    def _with_rows(self, system: str, m: int, rows: Collection[int], new: Table) -> Totals:
        """Return the totals of a system after another table's rows replace some of its own."""
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
                score = metric.score(after).score
                effects.append(Effect(system, metric.name, before, score, metric.extra_digits))
        return tuple(effects)


def _replaced(new: Mapping[int, Any], row: int, old: Any) -> Any:
    """Return the new text of a row, if it has one, with the source and the edits of the old."""
    return like(new[row], old) if row in new else old
