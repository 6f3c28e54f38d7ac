"""An evaluation whose rows come batch by batch, so that a large test set needs little memory."""

from __future__ import annotations

from bleuet.engines.counting import keep_counted, score_counted
from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.statistics.counted import Counted
    from bleuet.text.fingerprint import Fingerprint


class Stream(Value):
    """Systems and metrics, and their rows, which are counted or read once.

    Args:
        systems: the names of the systems.
        metrics: the metrics.
        batches: the rows of all systems, batch by batch.
        segments: the number of segments of the test set, None where it is known after the last row.
        selected: the segments whose rows come, as ranges of their numbers from 1; None for all.
        fingerprint: that of the test set, known after the last row; None where it is not taken.

    >>> from bleuet.engines.counting import count_batches
    >>> from bleuet.metrics.ter.metric import TER
    >>> from bleuet.text.segments import TEXT, Segments
    >>> texts = [Segments(TEXT, [text]) for text in ("a b", "a c")]
    >>> batches = count_batches([TER()], [([text], texts[0]) for text in texts])
    >>> Stream(["mine"], [TER()], batches).evaluation()
    <Evaluation of mine on 2 segments by TER>
    """

    systems: Sequence[str]
    metrics: Sequence[Metric[Any]]
    batches: Iterable[Counted]
    segments: int | None = None
    selected: Sequence[range] | None = None
    fingerprint: Fingerprint | str | None = None

    @property
    def test_set(self) -> str | None:
        """The fingerprint of the test set, after the last row; None where it is not taken."""
        return None if self.fingerprint is None else str(self.fingerprint)

    @property
    def rows(self) -> list[int] | None:
        """The selected segments, from 0; None for all."""
        if self.selected is None:
            return None
        return [number - 1 for part in self.selected for number in part]

    def scores(self) -> list[list[Score]]:
        """Return the scores of each system, one per metric; only totals are kept."""
        return score_counted(self.metrics, self.batches)

    def evaluation(self) -> Evaluation:
        """Return the evaluation, with all rows in memory."""
        from bleuet.evaluation.evaluation import Evaluation

        tables = keep_counted(self.batches)
        return Evaluation(self.metrics, dict(zip(self.systems, tables, strict=True)))
