"""A metric as a class of torchmetrics: counts add across batches and processes."""

from __future__ import annotations

from collections.abc import Mapping, Set
from hashlib import sha256

from bleuet.errors import InputError, OptionError
from bleuet.extras import optional
from bleuet.messages import shown, wrong_type
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.catalogue import parse_metric
from bleuet.statistics.backend import check_threads
from bleuet.statistics.table import Totals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bleuet.metrics.base.score import Score
    from bleuet.statistics.table import Table
    from bleuet.torch.token_tensors import Tensor

TORCH = optional("torch")
_BASE: Any = optional("torchmetrics").Metric
# More references than a segment can have.
_MANY = 2**62


class SumsOfTexts(_BASE):  # type: ignore[misc]
    """The base of metrics whose states are sums over segments, which keep their types."""

    is_differentiable = False
    full_state_update = False
    plot_lower_bound = 0.0

    def plot(self, val: Any = None, ax: Any = None) -> tuple[Any, Any]:
        """Draw one score or several with matplotlib.

        Args:
            val: what `compute` or `forward` returned, or a list of it; default `compute()`.
            ax: the axes of matplotlib to draw on.

        Returns:
            The figure and the axes.
        """
        found: tuple[Any, Any] = self._plot(val, ax)
        return found

    def _apply(self, fn: Callable[[Tensor], Tensor], exclude_state: Sequence[str] = "") -> Any:
        """Move the states to another device; they keep their types, which sums need."""

        def move(state: Tensor) -> Tensor:
            probe = fn(state.new_empty(0))
            return fn(state) if probe.dtype == state.dtype else state.to(probe.device)

        return super()._apply(move, exclude_state)


class CorpusMetric(SumsOfTexts):
    """A metric of the catalogue for torchmetrics and Lightning, with strings as its input.

    Its states are the sums of the metric's columns: `integers` (int64), `reals` (float64, only of
    metrics with real columns) and `rows`, which are added over batches and processes. So the score
    of many processes is that of the whole corpus, and not a mean of scores. The states keep their
    types in a model of low precision.

    In a list for `MetricCollection`, its key is the metric's name and the options that the name
    does not have, such as "BLEU tokenize=intl".

    Args:
        metric: a metric, or its name as after `-m`.
        percent: whether `compute` returns scores as they are printed; if not, divided by 100, so
            that 100 percent are 1.
        threads: threads of the kernel, 0 for one per core.
        **options: those of `torchmetrics.Metric`, such as `sync_on_compute`.

    Raises:
        OptionError: there is no such metric, it learns from all references, or an option is wrong.

    >>> metric = CorpusMetric("chrf")
    >>> metric.update(["The cat sat down."], ["The cat sat up."])
    >>> metric.update(["It rains."], [["It rains.", "It is raining."]])
    >>> metric.compute()
    tensor(77.5618, dtype=torch.float64)
    """

    # Whether its class is one that `__new__` has made.
    _is_named = False
    rows: Tensor
    fewest_references: Tensor
    most_references: Tensor
    counting: Tensor

    def __new__(cls, metric: str | Metric[Any], **_: Any) -> CorpusMetric:
        """Make the object, of a class of its own: collections and pictures name it by its class."""
        kind = cls
        if cls is CorpusMetric:
            members = {"__module__": cls.__module__, "_is_named": True}
            kind = type(_name(_metric(metric)), (cls,), members)
        return super().__new__(kind)  # type: ignore[no-any-return]

    def __init__(
        self,
        metric: str | Metric[Any],
        *,
        percent: bool = True,
        threads: int = 1,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        if not isinstance(percent, bool):
            raise OptionError(f"percent must be True or False, not {shown(percent)}")
        self.metric = _metric(metric)
        self.percent = percent
        self.threads = check_threads(threads)
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
        # Collections share the states of metrics whose first sums are equal. Those of metrics that
        # count in different ways can be equal by chance, so they have a state that differs.
        self.add_state("counting", counting_state(self.metric), dist_reduce_fx="max")

    def __getnewargs__(self) -> tuple[Metric[Any]]:
        return (self.metric,)

    def __reduce_ex__(self, protocol: Any) -> Any:
        # Pickles find a class by its name, which one that `__new__` has made does not have.
        named = _remade, (self.metric,), self.__getstate__()
        return named if self._is_named else super().__reduce_ex__(protocol)

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
        hypotheses, references = batch_of("preds", preds), batch_of("target", target)
        if not (hypotheses or references):
            return
        table = self.metric.count(hypotheses, references, threads=self.threads)
        self._keep(table)
        totals = table.totals()
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

    def _keep(self, table: Table) -> None:
        """Keep what a derived class needs of the rows of a batch; nothing here."""

    def compute(self) -> Any:
        """Return the score of all segments of all processes, float64; NaN if there is none."""
        score = self.score().score if self.rows else float("nan")
        number = score if self.percent else score / 100
        return TORCH.tensor(number, dtype=TORCH.float64, device=self.rows.device)

    def score(self) -> Score:
        """Return the score with its components and its signature.

        It is the score of what this process has counted; in `with metric.sync_context():`, of what
        all have.

        Raises:
            TableError: nothing was counted.
            InputError: the states come from another metric.

        >>> metric = CorpusMetric("ter")
        >>> metric.update(["a b"], ["a c"])
        >>> print(metric.score(), metric.score().signature.short())
        TER = 50.00 #:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:bleuet-0.2.0=sacrebleu-2.6.0
        """
        if self.counting.tolist() != counting_state(self.metric).tolist():
            raise foreign_states(self.metric.name)
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

    @property
    def plot_upper_bound(self) -> float | None:
        """The highest score; an error rate has none."""
        return (100.0 if self.percent else 1.0) if self.higher_is_better else None

    def _get_name(self) -> str:
        return CorpusMetric.__name__ if self._is_named else type(self).__name__

    def extra_repr(self) -> str:
        """Return the metric, for the object's repr."""
        return _name(self.metric) + ("" if self.percent else ", percent=False")


def _remade(metric: Metric[Any]) -> CorpusMetric:
    """Make an object again whose states follow."""
    return CorpusMetric.__new__(CorpusMetric, metric)


def _name(metric: Metric[Any]) -> str:
    """Return the label of a metric as PyTorch takes it: no dot in the name of a module.

    >>> from bleuet.metrics.bleu.metric import BLEU
    >>> _name(BLEU(smooth="add-k", smooth_value=0.5))
    'BLEU smooth=add-k smooth_value=0,5'
    """
    return metric.labelled().replace(".", ",")


def counting_state(metric: Metric[Any], *settings: object) -> Tensor:
    """Return numbers that are equal for metrics whose sums are, with the same other settings."""
    kind, _, *options = metric.counting
    text = repr((kind.__module__, kind.__qualname__, options, metric.columns, *settings))
    return TORCH.tensor(list(sha256(text.encode("utf-8", "surrogatepass")).digest()))


def foreign_states(name: str) -> InputError:
    """Return the error to raise for states of another metric."""
    return InputError(
        f"the states come from another metric, which counts differently from {name}: load them "
        "into the metric that they were saved from"
    )


def batch_of(name: str, texts: Any) -> list[Any]:
    """Return texts as a list; errors name the argument."""
    unlike = (str, bytes, Mapping, Set)
    if isinstance(texts, unlike) or not hasattr(type(texts), "__iter__"):
        raise wrong_type(
            name, "a list, as in update(['The cat sat.'], ['The cat sat down.'])", texts
        )
    return list(texts)


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
