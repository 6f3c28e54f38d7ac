"""chrF of tensors of code points: the rows that chrF counts."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.messages import wrong_type
from bleuet.metrics.chrf.formula import EPSILON
from bleuet.metrics.chrf.metric import CHRF
from bleuet.torch.clipped_matches import clipped_matches
from bleuet.torch.token_tensors import TokenRows, marks, read_segments, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.torch.token_tensors import Ids, Tensor

TORCH = optional("torch")
# Python's white space; no code point beyond is.
_SPACES = [code for code in range(0x3001) if chr(code).isspace()]


def chrf_statistics(
    candidates: Tensor,
    references: Tensor,
    metric: CHRF | None = None,
    *,
    padding: Ids = None,
    end: Ids = None,
    candidate_lengths: Tensor | None = None,
    reference_lengths: Tensor | None = None,
) -> Tensor:
    """Return the sufficient statistics of chrF, one row per segment, on the device of the tensors.

    The integers are those of `metric` on the texts whose code points the tensors hold. Of several
    references, the row is that of the one with the highest F-score.

    Args:
        candidates: code points `[B, L]` of any integer type.
        references: code points `[B, L']`, or `[B, R, L']`.
        metric: a chrF of characters, whose words and letter case do not count; default `CHRF()`.
        padding: as of `bleu_statistics`, as are the other arguments.
        end: as there.
        candidate_lengths: as there.
        reference_lengths: as there.

    Returns:
        int64 `[B, 3N]` for N orders, in the order of the metric's columns: n-grams of the
        candidate, n-grams of the reference and clipped matches of order 1, and so on.

    Raises:
        InputError: the shapes do not fit.
        OptionError: the metric has words or ignores letter case.

    Source: Popović 2015, section 2.

    >>> import torch
    >>> texts = [torch.tensor([list(map(ord, text))]) for text in ("a cat", "the cat")]
    >>> chrf_statistics(*texts, CHRF(char_order=2)).tolist()
    [[4, 6, 3, 3, 5, 2]]
    """
    metric = _metric(metric)
    ours, theirs = read_segments(
        candidates, references, marks(padding, end), candidate_lengths, reference_lengths
    )
    if not metric.whitespace:
        ours, theirs = _without_spaces(ours), _without_spaces(theirs)
    rows = _rows(ours, theirs, metric.char_order)
    scores = TORCH.where(theirs.lengths < 0, -1.0, _f_scores(rows, metric))
    # Of equal references the first, which argmax does not promise.
    best = (scores == scores.amax(dim=1, keepdim=True)).to(TORCH.int8).cumsum(1)
    first = (best == 0).sum(dim=1)
    return rows.gather(1, first.view(-1, 1, 1).expand(-1, 1, rows.shape[2])).squeeze(1)


def _metric(metric: CHRF | None) -> CHRF:
    if metric is None:
        return CHRF()
    if type(metric) is not CHRF:
        raise wrong_type("metric", "a CHRF", metric)
    if metric.word_order or metric.lowercase:
        raise OptionError(
            f"metric is {metric!r}; code points have no words and no letter case: use "
            "word_order=0, and lower-case the texts before"
        )
    return metric


def _without_spaces(rows: TokenRows) -> TokenRows:
    spaces = TORCH.tensor(_SPACES, device=rows.ids.device)
    return without(rows, TORCH.isin(rows.ids, spaces))


def _rows(ours: TokenRows, theirs: TokenRows, orders: int) -> Tensor:
    """Return the row against each reference, `[B, R, 3 * orders]`."""
    segments, several = theirs.lengths.shape
    pairs = TokenRows(*(one.repeat_interleave(several, 0) for one in ours))
    against = TokenRows(*(one.flatten(0, 1).unsqueeze(1) for one in theirs))
    matches = clipped_matches(pairs, against, orders).view(segments, several, orders)
    less = TORCH.arange(orders, device=matches.device)
    theirs_of_order = (theirs.lengths.unsqueeze(2) - less).clamp(min=0)
    ours_of_order = (ours.lengths.unsqueeze(2) - less).clamp(min=0)
    # sacreBLEU's rule: an order that the reference does not have does not count.
    counted = TORCH.where(theirs_of_order > 0, ours_of_order, 0)
    return TORCH.stack([counted, theirs_of_order, matches], dim=3).flatten(2)


def _f_scores(rows: Tensor, metric: CHRF) -> Tensor:
    """Return the F-scores of rows: the operations of `chrf_f_score` in their order."""
    factor = metric.beta**2
    zero = rows.new_zeros(rows.shape[:-1], dtype=TORCH.float64)
    smoothed, precisions, recalls, effective = zero, zero, zero, zero
    for order in range(metric.char_order):
        ours, theirs, match = rows[..., 3 * order : 3 * order + 3].double().unbind(-1)
        precision = TORCH.where(ours > 0, match / ours, EPSILON)
        recall = TORCH.where(theirs > 0, match / theirs, EPSILON)
        f_score = (1 + factor) * precision * recall / (factor * precision + recall)
        smoothed = smoothed + TORCH.where(factor * precision + recall > 0, f_score, EPSILON)
        has_both = (ours > 0) & (theirs > 0)
        precisions = precisions + TORCH.where(has_both, precision, 0.0)
        recalls = recalls + TORCH.where(has_both, recall, 0.0)
        effective = effective + has_both
    if metric.eps_smoothing:
        return 100 * smoothed / metric.char_order
    precision, recall = precisions / effective, recalls / effective
    f_score = 100 * ((1 + factor) * precision * recall / (factor * precision + recall))
    return TORCH.where((effective > 0) & (precision + recall > 0), f_score, 0.0)
