"""GLEU's row of one segment: n-grams of all orders together (Wu et al. 2016, section 5)."""

from __future__ import annotations

from bleuet.statistics.python_backend.bleu_rows import clipped_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


def gleu_row(
    hypothesis: Sequence[Hashable], references: Sequence[Sequence[Hashable]], orders: range
) -> tuple[int, int]:
    """Return the sufficient statistics of one segment.

    Args:
        hypothesis: its tokens.
        references: the tokens of each reference.
        orders: the lengths of n-grams that count.

    Returns:
        Matching n-grams, and the n-grams of the hypothesis or of the reference, whichever has
        more. They are those of the reference with the best ratio, the first of several.

    >>> gleu_row("a b b".split(), ["a b c".split()], range(1, 3))
    (3, 5)
    """
    best = (0, 0)
    for reference in references:
        most = max(count_ngrams(len(side), orders) for side in (hypothesis, reference))
        matching = sum(clipped_matches(hypothesis, [reference], n) for n in orders)
        # A segment without n-grams has no ratio.
        if most and (not best[1] or matching / most > best[0] / best[1]):
            best = matching, most
    return best


def count_ngrams(tokens: int, orders: range) -> int:
    """Return how many n-grams a text of so many tokens has.

    >>> count_ngrams(3, range(1, 5))
    6
    """
    return sum(max(0, tokens - n + 1) for n in orders)
