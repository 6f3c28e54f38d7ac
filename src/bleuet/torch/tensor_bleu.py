"""BLEU of tensors of token ids: the rows that BLEU counts, and its scores."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.messages import shown, wrong_type
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option_types import MAX_ORDER
from bleuet.metrics.bleu.metric import BLEU
from bleuet.statistics.table import Table
from bleuet.text import segments
from bleuet.text.segments import IDS
from bleuet.torch.clipped_matches import clipped_matches
from bleuet.torch.token_tensors import (
    TokenRows,
    marks,
    read_references,
    read_segments,
    token_rows,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypedDict, Unpack

    from bleuet.metrics.bleu.metric import BLEUScore
    from bleuet.metrics.mean_bleu import MeanBLEU, MeanBLEUScore
    from bleuet.torch.token_tensors import Ids, Tensor

    class WhatIsToken(TypedDict, total=False):
        """The arguments of `bleu_table` that say which ids of a row are tokens."""

        padding: Ids
        end: Ids
        candidate_lengths: Tensor | None
        reference_lengths: Tensor | None


TORCH = optional("torch")
_FAR = 1 << 40
# Pairs of a matrix are counted so many at a time, so that memory does not grow with all of them.
_PAIRS_IN_BLOCK = 1 << 14
_LENGTHS = ("closest", "shortest")


def bleu_statistics(
    candidates: Tensor,
    references: Tensor,
    *,
    padding: Ids = None,
    end: Ids = None,
    candidate_lengths: Tensor | None = None,
    reference_lengths: Tensor | None = None,
    max_ngram_order: int = 4,
    reference_length: str = "closest",
) -> Tensor:
    """Return the sufficient statistics of BLEU, one row per segment, on the device of the tensors.

    The integers are those of `BLEU(tokenize="ids")`. Nothing waits for a GPU, and the function can
    be compiled. Where the length of a text is not passed, all its ids are tokens but the padding.

    Args:
        candidates: token ids `[B, L]` of any integer type.
        references: token ids `[B, L']`, or `[B, R, L']` for R references of each segment.
        padding: an id, or several, that is not a token, wherever in a row it is: at the end or at
            the start. Lengths need less memory.
        end: an id, or several, with which a text ends: the first one in a row and what follows it
            is not a token. If it is a padding too, the one after the first token counts.
        candidate_lengths: `[B]`; ids from there on are not tokens.
        reference_lengths: `[B]` or `[B, R]`; a negative length is a reference that is not there.
        max_ngram_order: the longest n-grams that are counted, N.
        reference_length: with several references, the "closest" or the "shortest" one counts.

    Returns:
        int64 `[B, 2 + 2N]`: tokens of the candidate, tokens of the reference that counts, clipped
        matches of order 1 to N, n-grams of the candidate of order 1 to N.

    Raises:
        InputTypeError: an argument has the wrong type.
        InputError: the shapes do not fit.
        OptionError: there is no such order or reference length.

    Source: Papineni et al. 2002, section 2.

    >>> import torch
    >>> candidates = torch.tensor([[5, 6, 7, 8], [5, 5, 0, 0]])
    >>> references = torch.tensor([[5, 6, 7, 9], [5, 0, 0, 0]])
    >>> bleu_statistics(candidates, references, padding=0, max_ngram_order=2).tolist()
    [[4, 4, 3, 2, 4, 3], [2, 1, 1, 0, 2, 1]]
    """
    if reference_length not in _LENGTHS:
        raise OptionError(
            f"reference_length is {shown(reference_length)}; expected closest or shortest, since "
            "rows are integers: bleu_table has the average too"
        )
    ours, theirs = read_segments(
        candidates, references, marks(padding, end), candidate_lengths, reference_lengths
    )
    return _rows(ours, theirs, _order(max_ngram_order), reference_length)


def bleu_table(
    candidates: Tensor,
    references: Tensor,
    metric: BLEU | MeanBLEU | None = None,
    *,
    padding: Ids = None,
    end: Ids = None,
    candidate_lengths: Tensor | None = None,
    reference_lengths: Tensor | None = None,
) -> Table:
    """Return the table that a BLEU counts, with the columns that its options need.

    Args:
        candidates: as of `bleu_statistics`, as are all that are not described.
        references: as there.
        metric: a BLEU of token ids; default `BLEU(tokenize="ids")`.
        padding: as there.
        end: as there.
        candidate_lengths: as there.
        reference_lengths: as there.

    Raises:
        InputError: as there.
        OptionError: the metric counts something else.

    >>> import torch
    >>> table = bleu_table(torch.tensor([[5, 6]]), torch.tensor([[5, 6, 7]]))
    >>> BLEU(tokenize="ids", smooth="add-k").score(table.totals()).ref_len
    3
    """
    metric = _metric(metric)
    ours, theirs = read_segments(
        candidates, references, marks(padding, end), candidate_lengths, reference_lengths
    )
    return _table(ours, theirs, metric)


def sentence_bleu(
    candidates: Tensor,
    references: Tensor,
    metric: BLEU | MeanBLEU | None = None,
    **tokens: Unpack[WhatIsToken],
) -> Tensor:
    """Return the BLEU of each segment in percent, float64 `[B]` on the device of the candidates.

    Arguments and errors are those of `bleu_table`. The scores are computed on the CPU.

    >>> import torch
    >>> metric = BLEU(tokenize="ids", smooth="chen-cherry-2")
    >>> sentence_bleu(torch.tensor([[5, 6, 7]]), torch.tensor([[5, 6, 8]]), metric)
    tensor([60.5707], dtype=torch.float64)
    """
    metric = _metric(metric)
    table = bleu_table(candidates, references, metric, **tokens)
    return _scores(table, metric).to(candidates.device)


def corpus_bleu(
    candidates: Tensor,
    references: Tensor,
    metric: BLEU | MeanBLEU | None = None,
    **tokens: Unpack[WhatIsToken],
) -> BLEUScore | MeanBLEUScore:
    """Return the BLEU of all segments, with its components and its signature.

    Arguments and errors are those of `bleu_table`.

    >>> import torch
    >>> print(corpus_bleu(torch.tensor([[5, 6, 7, 8]]), torch.tensor([[5, 6, 7, 8]])))
    BLEU = 100.00 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)
    """
    metric = _metric(metric)
    table = bleu_table(candidates, references, metric, **tokens)
    return metric.score(table.totals())


def matrix(
    candidates: Tensor,
    references: Tensor,
    metric: BLEU | MeanBLEU | None = None,
    *,
    padding: Ids = None,
    end: Ids = None,
    candidate_lengths: Tensor | None = None,
    reference_lengths: Tensor | None = None,
) -> Tensor:
    """Return the BLEU of every candidate by every reference in percent, float64 `[n, m]`.

    Args:
        candidates: token ids `[n, L]`.
        references: token ids `[m, L']`, or `[m, R, L']`.
        metric: as of `bleu_table`, as are the other arguments and the errors.
        padding: as there.
        end: as there.
        candidate_lengths: as there.
        reference_lengths: as there.

    >>> import torch
    >>> texts = torch.tensor([[5, 6, 7, 8], [5, 6, 7, 9]])
    >>> matrix(texts, texts).round()
    tensor([[100.,  59.],
            [ 59., 100.]], dtype=torch.float64)
    """
    metric = _metric(metric)
    ignored = marks(padding, end)
    ours = token_rows("candidates", candidates, candidate_lengths, ignored, (2,))
    theirs = read_references(references, reference_lengths, ignored, ours.ids.device)
    width = theirs.ids.shape[0]
    step = max(1, _PAIRS_IN_BLOCK // max(1, width))
    blocks = []
    for start in range(0, ours.ids.shape[0], step):
        some = TokenRows(*(one[start : start + step] for one in ours))
        rows = some.ids.shape[0]
        pairs = TokenRows(*(one.repeat_interleave(width, 0) for one in some))
        against = TokenRows(*(one.repeat(rows, *[1] * (one.ndim - 1)) for one in theirs))
        scores = _scores(_table(pairs, against, metric), metric)
        blocks.append(scores.to(ours.ids.device).view(rows, width))
    return TORCH.cat(blocks) if blocks else ours.ids.new_zeros((0, width), dtype=TORCH.float64)


# --- Arguments ------------------------------------------------------------------------------------


def _metric(metric: Any) -> Any:
    if metric is None:
        return BLEU(tokenize=IDS)
    if not (isinstance(metric, Metric) and type(metric.counted_by) is BLEU):
        raise wrong_type("metric", "a BLEU or a mean of BLEU", metric)
    if metric.counted_kind != segments.TOKEN_IDS:
        raise OptionError(f"metric is {metric!r}, which counts text; use tokenize='ids'")
    return metric


def _order(order: int) -> int:
    if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= MAX_ORDER:
        raise OptionError(
            f"max_ngram_order is {shown(order)}; expected a whole number from 1 to {MAX_ORDER}"
        )
    return order


# --- Rows -----------------------------------------------------------------------------------------


def _rows(ours: TokenRows, theirs: TokenRows, orders: int, reference_length: str) -> Tensor:
    length = ours.lengths
    matches = clipped_matches(ours, theirs, orders)
    totals = (length - TORCH.arange(orders, device=length.device)).clamp(min=0)
    chosen = _chosen_length(length, theirs.lengths, reference_length)
    return TORCH.cat([length, chosen, matches, totals], dim=1)


def _chosen_length(length: Tensor, lengths: Tensor, reference_length: str) -> Tensor:
    """Return the length `[B, 1]` of the closest reference, of two the shorter, or the shortest."""
    is_there = lengths >= 0
    if reference_length == "shortest":
        found = TORCH.where(is_there, lengths, _FAR).amin(dim=1, keepdim=True)
    else:
        away = lengths - length
        # Odd where the reference is longer, so that of two equally close ones the shorter is less.
        rank = TORCH.where(is_there, 2 * away.abs() + (away > 0), _FAR).amin(dim=1, keepdim=True)
        found = length + TORCH.where(rank % 2 == 1, rank // 2, -(rank // 2))
    return TORCH.where(is_there.any(dim=1, keepdim=True), found, 0)


def _average_length(lengths: Tensor) -> Tensor:
    is_there = lengths >= 0
    return (lengths * is_there).sum(dim=1).double() / is_there.sum(dim=1)


def _table(ours: TokenRows, theirs: TokenRows, metric: Any) -> Table:
    counted = metric.counted_by
    orders = (len(counted.integer_columns) - 1) // 2
    is_average = bool(counted.real_columns)
    reference_length = "closest" if is_average else counted.reference_length
    rows = _rows(ours, theirs, orders, reference_length)
    integers, reals = rows, rows.new_zeros((len(rows), 0), dtype=TORCH.float64)
    if is_average:
        integers = TORCH.cat([rows[:, :1], rows[:, 2:]], dim=1)
        reals = _average_length(theirs.lengths).unsqueeze(1)
    if "nltk_totals_1" in counted.integer_columns:
        integers = TORCH.cat([integers[:, :-orders], integers[:, -orders:].clamp(min=1)], dim=1)
    table = Table(
        counted.integer_columns,
        counted.real_columns,
        len(rows),
        _column_after_column(integers),
        _column_after_column(reals),
        _n_references(theirs.lengths),
    )
    found: Table = metric.table_from(table)
    return found


def _column_after_column(rows: Tensor) -> bytes:
    block: bytes = rows.T.contiguous().cpu().numpy().tobytes()
    return block


def _n_references(lengths: Tensor) -> int | None:
    several = (lengths >= 0).sum(dim=1).unique().tolist()
    return several[0] if len(several) == 1 else None


def _scores(table: Table, metric: Any) -> Tensor:
    """Return the score of each row, in main memory."""
    values = metric.segment_scores(table).values
    # A buffer without bytes is not one that PyTorch takes.
    return (
        TORCH.frombuffer(bytearray(values), dtype=TORCH.float64)
        if len(values)
        else TORCH.zeros(0, dtype=TORCH.float64)
    )
