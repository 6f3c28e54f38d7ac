"""A metric as a class of torchmetrics: counts add across batches and processes."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.messages import wrong_type
from bleuet.metrics.catalogue import parse_metric
from bleuet.metrics.metric import Metric
from bleuet.statistics.table import Totals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.score import Score
    from bleuet.torch.token_tensors import Tensor

TORCH = optional("torch")
_BASE: Any = optional("torchmetrics").Metric
# More references than a segment can have.
_MANY = 2**62


class CorpusMetric(_BASE):  # type: ignore[misc]
    """A metric of the catalogue for torchmetrics and Lightning, with strings as its input.

    Its states are the sums of the metric's columns: `integers` (int64), `reals` (float64, only of
    metrics with real columns) and `rows`, which are added over batches and processes. So the score
    of many processes is that of the whole corpus, and not a mean of scores.

    Args:
        metric: a metric, or its name as after `-m`.
        threads: threads of the kernel, 0 for one per core.
        **options: those of `torchmetrics.Metric`, such as `sync_on_compute`.

    Raises:
        OptionError: there is no such metric, or it learns from all references.

    >>> metric = CorpusMetric("chrf")
    >>> metric.update(["The cat sat down."], ["The cat sat up."])
    >>> metric.update(["It rains."], [["It rains.", "It is raining."]])
    >>> metric.compute()
    tensor(77.5618, dtype=torch.float64)
    """

    is_differentiable = False
    full_state_update = False
    rows: Tensor
    fewest_references: Tensor
    most_references: Tensor

    def __init__(self, metric: str | Metric[Any], *, threads: int = 1, **options: Any) -> None:
        super().__init__(**options)
        self.metric = _metric(metric)
        self.threads = threads
        for name, columns, dtype in (
            ("integers", self.metric.integer_columns, TORCH.int64),
            ("reals", self.metric.real_columns, TORCH.float64),
        ):
            if columns:
                zeros = TORCH.zeros(len(columns), dtype=dtype)
                self.add_state(name, zeros, dist_reduce_fx="sum")
        self.add_state("rows", TORCH.tensor(0), dist_reduce_fx="sum")
        # References of a segment; they are the same for all segments where both agree.
        self.add_state("fewest_references", TORCH.tensor(_MANY), dist_reduce_fx="min")
        self.add_state("most_references", TORCH.tensor(0), dist_reduce_fx="max")

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is better."""
        return self.metric.higher_is_better

    def update(self, preds: Sequence[str], target: Sequence[str | Sequence[str | None]]) -> None:
        """Count segments.

        Args:
            preds: the hypotheses; none where a process has no segment.
            target: for each hypothesis a reference, or a list of references.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        hypotheses, references = list(preds), list(target)
        if not (hypotheses or references):
            return
        totals = self.metric.count(hypotheses, references, threads=self.threads).totals()
        split = len(self.metric.integer_columns)
        # Out of place, since torchmetrics keeps states that it has returned.
        for name, sums in (("integers", totals.values[:split]), ("reals", totals.values[split:])):
            if sums:
                state = getattr(self, name)
                setattr(self, name, state + state.new_tensor(sums))
        self.rows = self.rows + totals.rows
        several = totals.n_references
        # Segments that differ leave numbers that never agree.
        self.fewest_references = self.fewest_references.clamp(max=several or 0)
        self.most_references = self.most_references.clamp(min=several or _MANY)

    def compute(self) -> Tensor:
        """Return the score of all segments of all processes, float64; percent, if the metric is."""
        return TORCH.tensor(self.score().score, dtype=TORCH.float64, device=self.rows.device)

    def score(self) -> Score:
        """Return the score with its components and its signature.

        It is the score of what this process has counted; in `with metric.sync_context():`, of what
        all have.

        >>> metric = CorpusMetric("ter")
        >>> metric.update(["a b"], ["a c"])
        >>> print(metric.score(), metric.score().signature.short())
        TER = 50.00 #:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:bleuet-0.2.0=sacrebleu-2.6.0
        """
        values = [
            number
            for name in ("integers", "reals")
            if hasattr(self, name)
            for number in getattr(self, name).tolist()
        ]
        fewest, most = int(self.fewest_references), int(self.most_references)
        several = fewest if fewest == most else None
        score: Score = self.metric.score(
            Totals(self.metric.columns, values, int(self.rows), several)
        )
        return score


def _metric(metric: str | Metric[Any]) -> Metric[Any]:
    if isinstance(metric, str):
        metric = parse_metric(metric)
    if not isinstance(metric, Metric):
        raise wrong_type("metric", "a metric or its name", metric)
    if metric.learns:
        raise OptionError(
            f"{metric.name} learns from all references, which a process does not have; use another "
            "metric, or score the whole corpus after training"
        )
    return metric
