"""The score of chrF and chrF++ (Popović 2015, 2017)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Stands for a share of nothing.
EPSILON = 1e-16


def chrf_f_score(
    statistics: Sequence[int],
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    eps_smoothing: bool = False,
) -> float:
    """Turn one row, or the sum of several, into an F-score in percent.

    Without `eps_smoothing`, precision and recall are averaged over the orders that both sides
    have, and F is taken once; with it, F is taken at every order and then averaged, as in
    Popović's chrF++.py. The order of the floating-point operations is sacreBLEU's.

    Args:
        statistics: 3 * (char_order + word_order) counts, as `chrf_row` returns them.
        char_order: longest character n-gram.
        word_order: longest word n-gram.
        beta: how many times recall counts as much as precision.
        eps_smoothing: see above.

    Returns:
        The score, 0 to 100; 0 where there is no order to score.

    Source: Popović (2015), equation 1.

    >>> round(chrf_f_score((4, 6, 3, 3, 5, 2), char_order=2), 4)
    48.5406
    >>> round(chrf_f_score((4, 6, 3, 3, 5, 2), char_order=2, eps_smoothing=True), 4)
    48.5248
    """
    order = char_order + word_order
    factor = beta**2
    smoothed = precisions = recalls = 0.0
    effective_order = 0

    for i in range(order):
        in_hypothesis, in_reference, match = statistics[3 * i : 3 * i + 3]
        precision = match / in_hypothesis if in_hypothesis > 0 else EPSILON
        recall = match / in_reference if in_reference > 0 else EPSILON
        denominator = factor * precision + recall
        smoothed += (1 + factor) * precision * recall / denominator if denominator > 0 else EPSILON
        if in_hypothesis > 0 and in_reference > 0:
            precisions += precision
            recalls += recall
            effective_order += 1

    if eps_smoothing:
        return 100 * smoothed / order if order else 0.0
    if effective_order == 0:
        return 0.0
    precision = precisions / effective_order
    recall = recalls / effective_order
    if precision + recall == 0:
        return 0.0
    return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))
