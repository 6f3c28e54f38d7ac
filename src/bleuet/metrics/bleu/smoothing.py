"""Smoothing: the precision of n-grams when nothing, or little, matches.

Every smoothing is a pure function of matches, totals and the length of the hypothesis;
`SMOOTHINGS` lists them. There are five families:

* `none`, `floor`, `add-k` and `exp` of sacreBLEU, with the same numbers.
* `mteval` of NIST's script, which differs from `exp` for short segments, and `nmt` of the script of
  tensorflow/nmt.
* `chen-cherry-1` to `chen-cherry-7`: the seven techniques of Chen and Cherry (2014, "A Systematic
  Comparison of Smoothing Techniques for Sentence-Level BLEU", section 2.2), with every score
  between 0 and 1.
* `chen-cherry-1-literal` to `chen-cherry-7-literal`: the formulas as they are printed.
* `nltk-0` to `nltk-7`: what NLTK computes, for users who must reproduce its numbers.

The printed formulas give 0/0 for some hypotheses, and precisions above 1 for others. The
`chen-cherry` family keeps the score of a perfect match at 1 and every score between 0 and 1:

* An order longer than the hypothesis has no precision, and the mean is over the orders there are
  (`effective_order=True` is their default; False makes such a hypothesis score 0).
* A pseudo-count never exceeds the number of n-grams.
* With one token, ln(len) is 0: the pseudo-count of 4 and 7 is its limit, 0.
* 7 smooths the counts of order 1 to N with 4; the count of order N+1 is not smoothed.
* 5 and 7 divide by totals averaged in the same way. For one sentence these are the totals
  themselves; for the sums of a corpus only this keeps a perfect match at 1.
* 6 uses smoothed precisions for the prior of the next order, as in equation 11
  (`chen-cherry-6-raw`: unsmoothed ones). The prior is at most 1, and 0 where p_(n-2) is.
* A hypothesis that matches nothing is smoothed too, because the loops of the paper begin at order 1
  (`smooth_unmatched=False` gives it 0, as sacreBLEU and NLTK do).

The literal family has no effective order and no such limits. 2 and 6 define the precision of an
order longer than the hypothesis. The other formulas divide by its number of n-grams, which is 0:
there the divisor is 1. An empty hypothesis scores 0.
"""

from __future__ import annotations

import sys
from math import log

from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import ClassVar, TypeAlias

    Numbers: TypeAlias = Sequence[int | float]
    # (matches, totals, hypothesis length, value) -> precisions in percent
    Precisions: TypeAlias = Callable[[Numbers, Numbers, float, float], list[float]]


# --- sacreBLEU's ----------------------------------------------------------------------------------


def no_smoothing(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Leave a precision without matches at zero (Papineni et al. 2002, section 2.1.1).

    >>> no_smoothing([2, 0], [4, 3], 4, 0)
    [50.0, 0.0]
    """
    return [100.0 * m / t if m else 0.0 for m, t in _with_ngrams(matches, totals)]


def floor(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Replace zero matches by a small number.

    >>> floor([2, 0], [4, 2], 4, 0.1)
    [50.0, 5.0]
    """
    return [100.0 * m / t if m else 100.0 * value / t for m, t in _with_ngrams(matches, totals)]


def add_k(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Add k to matches and totals of the orders above 1 (Lin and Och 2004, with k = 1).

    An order without n-grams becomes k/k, which is 100 percent.

    >>> add_k([2, 0, 0], [4, 1, 0], 2, 1)
    [50.0, 50.0, 100.0]
    """
    added = [0, *[value] * (len(matches) - 1)]
    pairs = _with_ngrams(
        [m + k for m, k in zip(matches, added, strict=True)],
        [t + k for t, k in zip(totals, added, strict=True)],
    )
    return [100.0 * m / t if m else 0.0 for m, t in pairs]


def exponential(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Use 1/2, 1/4, ... of a match at each order without one, as mteval-v13a does.

    >>> exponential([2, 0, 0], [4, 4, 2], 4, 0)
    [50.0, 12.5, 12.5]
    """
    precisions = []
    divisor = 1.0
    for m, t in _with_ngrams(matches, totals):
        if m:
            precisions.append(100.0 * m / t)
        else:
            divisor *= 2
            precisions.append(100.0 / (divisor * t))
    return precisions


def mteval(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Smooth as mteval-v13a and -v14 do: an order without n-grams has precision 1.

    An empty hypothesis has no precisions.

    >>> mteval([1, 0, 0, 0], [2, 1, 0, 0], 2, 0)
    [50.0, 50.0, 100.0, 100.0]
    """
    if not length:
        return []
    smoothed = exponential(matches, totals, length, value)
    return smoothed + [100.0] * (len(totals) - len(smoothed))


def nmt(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Add 1 to matches and totals of every order, as bleu.py of tensorflow/nmt does.

    The script cites Lin and Och (2004), who leave order 1 as it is. An empty hypothesis has no
    precisions.

    >>> nmt([1, 0, 0], [3, 1, 0], 3, 0)
    [50.0, 50.0, 100.0]
    """
    pairs = zip(matches, totals, strict=True)
    return [100.0 * (m + 1) / (t + 1) for m, t in pairs] if length else []


# --- Chen and Cherry's ----------------------------------------------------------------------------


def chen_cherry_1(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Replace zero matches by epsilon (Chen and Cherry 2014, equation 5).

    >>> chen_cherry_1([2, 0], [4, 2], 4, 0.1)
    [50.0, 5.0]
    """
    pairs = _with_ngrams(matches, totals)
    return [100.0 * m / t if m else 100.0 * min(value, t) / t for m, t in pairs]


def chen_cherry_2(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Add 1 to matches and totals of the orders above 1 (Chen and Cherry 2014, equations 6 and 7).

    Unlike `add-k`, it leaves out the orders that the hypothesis has no n-grams of.

    >>> chen_cherry_2([2, 0, 0], [4, 1, 0], 2, 0)
    [50.0, 50.0]
    """
    pairs = _with_ngrams(matches, totals)
    return [
        100.0 * (m + added) / (t + added)
        for added, (m, t) in zip([0, *[1] * len(pairs)], pairs, strict=False)
    ]


def chen_cherry_3(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Use 1/2, 1/4, ... of a match at each order without one (Chen and Cherry 2014, smoothing 3).

    >>> chen_cherry_3([2, 0, 0], [4, 4, 2], 4, 0)
    [50.0, 12.5, 12.5]
    """
    return exponential(matches, totals, length, value)


def chen_cherry_4(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Multiply by ln(len)/K instead of halving (Chen and Cherry 2014, equation 8).

    Shorter hypotheses get smaller pseudo-counts. One token, whose ln(len) is 0, gets none.

    >>> [round(p, 6) for p in chen_cherry_4([2, 0], [4, 3], 4, 5)]  # 100 * (ln(4)/5) / 3
    [50.0, 9.241962]
    """
    counts = _length_scaled(matches, totals, length, value)
    return _percent(counts, totals)


def chen_cherry_5(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Average the matches of order n-1, n and n+1 (Chen and Cherry 2014, equation 9).

    Args:
        matches: clipped matches of order 1 to N+1.
        totals: n-grams of the hypothesis of order 1 to N+1.
        length: tokens in the hypothesis.
        value: not used.

    Returns:
        Precisions of order 1 to N in percent, as far as the hypothesis has n-grams.

    >>> chen_cherry_5([3, 1, 0], [4, 3, 2], 4, 0)  # (4+3+1)/3/4 and (8/3+1+0)/3/3
    [66.66666666666666, 40.74074074074074]
    """
    averages = zip(_averaged(matches), _averaged(totals), strict=True)
    orders = len(_with_ngrams(matches[:-1], totals[:-1]))
    return [100.0 * m / t for m, t in averages][:orders]


def chen_cherry_6(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Interpolate p_n with a prior made of p_(n-1) and p_(n-2) (Chen and Cherry 2014, eq. 10, 11).

    The orders 1 and 2 stay as they are, so that a hypothesis without a matching bigram scores 0.
    The prior of order 4 is made from the smoothed precision of order 3.

    >>> chen_cherry_6([4, 2, 0], [4, 4, 5], 7, 5)  # prior .5 * .5/1; (0 + 5 * .25)/(5 + 5)
    [100.0, 50.0, 12.5]
    """
    precisions: list[float] = []
    for n, (m, t) in enumerate(_with_ngrams(matches, totals)):
        precisions.append(m / t if n < 2 else _interpolated(m, t, precisions, value))
    return [100.0 * p for p in precisions]


def chen_cherry_6_raw(
    matches: Numbers, totals: Numbers, length: float, value: float
) -> list[float]:
    """Interpolate p_n with a prior from unsmoothed p_(n-1) and p_(n-2): the other reading of 6.

    >>> chen_cherry_6_raw([4, 2, 0, 0], [4, 4, 5, 5], 8, 5)  # p_3 is 0, and so is the prior of p_4
    [100.0, 50.0, 12.5, 0.0]
    """
    pairs = _with_ngrams(matches, totals)
    raw = [m / t for m, t in pairs]
    smoothed = [_interpolated(*pairs[n], raw[:n], value) for n in range(2, len(pairs))]
    return [100.0 * p for p in raw[:2] + smoothed]


def chen_cherry_7(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Smooth zero matches as 4 does, then average as 5 does (Chen and Cherry 2014, smoothing 7).

    Arguments are those of `chen_cherry_5`, and K.

    >>> [round(p, 6) for p in chen_cherry_7([3, 0, 0], [4, 3, 2], 4, 5)]
    [60.643824, 30.033465]
    """
    counts = [*_length_scaled(matches[:-1], totals[:-1], length, value), matches[-1]]
    return chen_cherry_5(counts, totals, length, value)


def _length_scaled(matches: Numbers, most: Numbers, length: float, k: float) -> list[int | float]:
    """Matches with the pseudo-counts of smoothing 4, at most `most`, in place of zeros."""
    scale = log(length) / k if length > 1 else 0.0
    counts: list[int | float] = []
    pseudo = 1.0
    for m, limit in zip(matches, most, strict=True):
        if not m:
            pseudo *= scale
        counts.append(m or min(pseudo, limit))
    return counts


def _averaged(counts: Numbers) -> list[float]:
    """Equation 9: the average of the one before, already averaged, this one and the next."""
    averages: list[float] = []
    before = counts[0] + 1.0
    for n, after in enumerate(counts[1:]):
        before = (before + counts[n] + after) / 3
        averages.append(before)
    return averages


def _interpolated(
    matches: float, total: float, before: Sequence[float], alpha: float, most: float = 1.0
) -> float:
    """Equation 10 with the prior of equation 11, at most `most`; 0 if it divides by 0."""
    one, two = before[-1], before[-2]
    prior = min(one * one / two, most) if two else 0.0
    total += alpha
    return (matches + alpha * prior) / total if total else 0.0


# --- Chen and Cherry's formulas as they are printed -----------------------------------------------
# With K or alpha near 0, or with hundreds of orders, a formula gives more than any float. This is
# far more than any score means, and small enough for sums of scores.
LARGEST = 1e100


def literal_1(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Replace zero matches by epsilon (Chen and Cherry 2014, equation 5).

    >>> literal_1([2, 0, 0], [2, 1, 0], 2, 0.1)
    [100.0, 10.0, 10.0]
    """
    return floor(matches, _divisors(totals), length, value)


def literal_2(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Add 1 to matches and totals of all orders above 1 (Chen and Cherry 2014, equations 6 and 7).

    >>> literal_2([2, 0, 0], [4, 1, 0], 2, 0)
    [50.0, 50.0, 100.0]
    """
    return add_k(matches, totals, length, 1)


def literal_3(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Use 1/2, 1/4, ... of a match at each order without one (Chen and Cherry 2014, smoothing 3).

    >>> literal_3([2, 0, 0], [2, 1, 0], 2, 0)
    [100.0, 50.0, 25.0]
    """
    return exponential(matches, _divisors(totals), length, value)


def literal_4(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Multiply by ln(len)/K instead of halving (Chen and Cherry 2014, equation 8).

    >>> [round(p, 6) for p in literal_4([5, 0], [5, 4], 5, 0.1)]  # 100 * (ln(5)/0.1) / 4
    [100.0, 402.359478]
    """
    counts = _length_scaled(matches, [LARGEST] * len(matches), length, value)
    return _percent(counts, _divisors(totals))


def literal_5(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Average the matches of order n-1, n and n+1 (Chen and Cherry 2014, equation 9).

    Arguments are those of `chen_cherry_5`.

    >>> literal_5([2, 1, 0, 0], [2, 1, 0, 0], 2, 0)  # (3+2+1)/3/2, (2+1+0)/3/1 and (1+0+0)/3/1
    [100.0, 100.0, 33.33333333333333]
    """
    return _percent(_averaged(matches), _divisors(totals[:-1]))


def literal_6(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Interpolate p_n with a prior made of p_(n-1) and p_(n-2) (Chen and Cherry 2014, eq. 10, 11).

    An order longer than the hypothesis has alpha * prior / alpha, which is the prior.

    >>> literal_6([1, 1, 0], [3, 2, 0], 2, 5)  # prior .5 * .5 / (1/3)
    [33.33333333333333, 50.0, 75.0]
    """
    precisions = [m / t if t else 0.0 for m, t in zip(matches[:2], totals[:2], strict=True)]
    for m, t in zip(matches[2:], totals[2:], strict=True):
        precisions.append(_interpolated(m, t, precisions, value, LARGEST))
    return [100.0 * p for p in precisions]


def literal_7(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Smooth zero matches as 4 does, then average as 5 does (Chen and Cherry 2014, smoothing 7).

    Arguments are those of `chen_cherry_5`, and K.

    >>> [round(p, 6) for p in literal_7([3, 0, 0], [4, 3, 2], 4, 5)]
    [60.643824, 30.033465]
    """
    most = [LARGEST] * (len(matches) - 1)
    counts = [*_length_scaled(matches[:-1], most, length, value), matches[-1]]
    return literal_5(counts, totals, length, value)


def _divisors(totals: Numbers) -> Numbers:
    """Return the totals with 1 in place of 0, but none where there is no n-gram at all."""
    return [total or 1 for total in totals] if totals[0] else totals


def _percent(matches: Numbers, totals: Numbers) -> list[float]:
    return [100.0 * m / t for m, t in _with_ngrams(matches, totals)]


# --- NLTK's ---------------------------------------------------------------------------------------
# These give what nltk.translate.bleu_score.SmoothingFunction gives (NLTK 3.9 and 3.10). It counts
# one n-gram of every order that a hypothesis is too short for, and leaves a precision of 0 out of
# the product, which is the same as taking it for 1.


def nltk_0(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Replace a precision of zero by the smallest normal float.

    >>> nltk_0([2, 0], [4, 3], 4, 0)
    [50.0, 2.2250738585072014e-306]
    """
    smallest = sys.float_info.min
    return [100.0 * (m / t if m else smallest) for m, t in zip(matches, totals, strict=True)]


def nltk_1(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Replace zero matches by epsilon.

    >>> nltk_1([2, 0], [4, 2], 4, 0.1)
    [50.0, 5.0]
    """
    return _nltk_percent([(m or value) / t for m, t in zip(matches, totals, strict=True)])


def nltk_2(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Add 1 to matches and totals of the orders above 1.

    >>> nltk_2([2, 0], [4, 1], 2, 0)
    [50.0, 50.0]
    """
    first = matches[0] / totals[0]
    pairs = zip(matches[1:], totals[1:], strict=True)
    return _nltk_percent([first, *[(m + 1) / (t + 1) for m, t in pairs]])


def nltk_3(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Use 1/2, 1/4, ... of a match at each order without one.

    >>> nltk_3([2, 0, 0], [4, 4, 2], 4, 0)
    [50.0, 12.5, 12.5]
    """
    return _nltk_percent(_nltk_halved(matches, totals, 1.0))


def nltk_4(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Use ln(len)/(K * 2^k) at the k-th order without a match; the paper has (ln(len)/K)^k.

    A hypothesis of one token is not smoothed.

    >>> [round(p, 6) for p in nltk_4([2, 0], [4, 3], 4, 5)]
    [50.0, 4.620981]
    """
    return _nltk_percent(_nltk_scaled(matches, totals, length, value))


def nltk_5(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Average precisions; the paper averages matches.

    For every N, the average of order N uses the precision of order 5.

    >>> nltk_5([2, 1, 0, 0, 0], [2, 1, 1, 1, 1], 2, 0)  # a perfect match: (2+1+1)/3, ...
    [133.33333333333331, 77.77777777777777, 25.925925925925924, 8.641975308641975]
    """
    precisions = [m / t for m, t in zip(matches, totals, strict=True)]
    return _nltk_averaged(precisions, value)


def nltk_6(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Interpolate p_n with a prior from p_(n-1) and p_(n-2).

    Where order 3 has no match, NLTK raises an error; this function applies the formula.

    >>> nltk_6([4, 2, 0], [4, 4, 5], 7, 5)
    [100.0, 50.0, 12.5]
    """
    precisions: list[float] = []
    for n, (m, t) in enumerate(zip(matches, totals, strict=True)):
        if n < 2:
            precisions.append(m / t)
            continue
        one, two = precisions[-1], precisions[-2]
        prior = one * one / two if two else 0.0
        # Here alone NLTK does not count the n-gram of an order that the hypothesis lacks.
        there = t if length > n else 0
        precisions.append((m + value * prior) / (there + value))
    return _nltk_percent(precisions)


def nltk_7(matches: Numbers, totals: Numbers, length: float, value: float) -> list[float]:
    """Smooth precisions of zero as `nltk_4` does, then average precisions as `nltk_5` does.

    >>> [round(p, 6) for p in nltk_7([2, 0, 0, 0, 0], [4, 3, 2, 1, 1], 4, 5)]
    [68.206994, 25.431237, 10.78757, 4.751102]
    """
    following = matches[-1] / totals[-1]
    precisions = _nltk_scaled(matches[:-1], totals[:-1], length, value)
    return _nltk_averaged([*precisions, following], value)


def _nltk_percent(precisions: Sequence[float]) -> list[float]:
    return [100.0 * p if p > 0 else 100.0 for p in precisions]


def _nltk_halved(matches: Numbers, totals: Numbers, scale: float) -> list[float]:
    precisions = []
    halves = 1.0
    for m, t in zip(matches, totals, strict=True):
        if not m:
            halves *= 2
        precisions.append(m / t if m else scale / halves / t)
    return precisions


def _nltk_scaled(matches: Numbers, totals: Numbers, length: float, k: float) -> list[float]:
    return _nltk_halved(matches, totals, log(length) / k if length > 1 else 0.0)


def _nltk_averaged(precisions: Sequence[float], value: float) -> list[float]:
    """Equation 9 over precisions of order 1 to N and of order 5."""
    return _nltk_percent(_averaged(precisions))


# --- The catalogue --------------------------------------------------------------------------------


def _with_ngrams(matches: Numbers, totals: Numbers) -> list[tuple[int | float, int | float]]:
    """Matches and totals up to the first order of which the hypothesis has no n-gram."""
    pairs = list(zip(matches, totals, strict=True))
    for n, (_, total) in enumerate(pairs):
        if total == 0:
            return pairs[:n]
    return pairs


class Smoothing(Value):
    """One smoothing of the catalogue, of sacreBLEU's family; other families are subclasses.

    Args:
        precisions: precisions in percent of the orders that have n-grams.
        default: the default of `smooth_value`; None where the smoothing takes no value.
        symbol: what its source calls that value, in words; "" without one.
        positive: whether the value must be more than 0.
        averages: whether it reads one order of n-grams more than BLEU has: "next" for order N+1,
            "fifth" for order 5, "" for none.
    """

    precisions: Precisions
    default: float | None = None
    symbol: str = ""
    positive: bool = False
    averages: str = ""

    # Whether a hypothesis that matches nothing is smoothed too, unless an option says no.
    smooths_unmatched: ClassVar[bool] = False
    # Whether orders without n-grams can be left out.
    has_effective_order: ClassVar[bool] = True
    # Whether they are left out, unless an option says no.
    leaves_out_orders: ClassVar[bool] = False
    # Whether one n-gram counts of each order that a hypothesis is too short for.
    phantom_ngrams: ClassVar[bool] = False
    # Whether no precision is above 1, with a floor of at most 1.
    is_bounded: ClassVar[bool] = True

    def orders(self, max_ngram_order: int) -> int:
        """Return how many orders of n-grams must be counted for BLEU up to `max_ngram_order`.

        >>> SMOOTHINGS["exp"].orders(4), SMOOTHINGS["chen-cherry-5"].orders(4)
        (4, 5)
        """
        if self.averages == "fifth":
            return max(5, max_ngram_order)
        return max_ngram_order + (1 if self.averages else 0)


class EveryOrder(Smoothing):
    """A smoothing that has a precision of every order, and smooths what matches nothing."""

    smooths_unmatched = True
    has_effective_order = False


class ChenCherry(Smoothing):
    """A smoothing of Chen and Cherry's, with every score between 0 and 1."""

    smooths_unmatched = True
    leaves_out_orders = True


class Literal(Smoothing):
    """A formula as Chen and Cherry print it."""

    smooths_unmatched = True
    has_effective_order = False
    is_bounded = False


class NLTKs(Smoothing):
    """A smoothing of NLTK's, with the n-grams that NLTK counts."""

    phantom_ngrams = True
    is_bounded = False


SACREBLEUS = ("none", "floor", "add-k", "exp")

SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(no_smoothing),
    "floor": Smoothing(floor, 0.1, "the floor"),
    "add-k": Smoothing(add_k, 1, "k"),
    "exp": Smoothing(exponential),
    "mteval": EveryOrder(mteval),
    "nmt": EveryOrder(nmt),
    "chen-cherry-1": ChenCherry(chen_cherry_1, 0.1, "epsilon"),
    "chen-cherry-2": ChenCherry(chen_cherry_2),
    "chen-cherry-3": ChenCherry(chen_cherry_3),
    "chen-cherry-4": ChenCherry(chen_cherry_4, 5, "K", positive=True),
    "chen-cherry-5": ChenCherry(chen_cherry_5, averages="next"),
    "chen-cherry-6": ChenCherry(chen_cherry_6, 5, "alpha"),
    "chen-cherry-6-raw": ChenCherry(chen_cherry_6_raw, 5, "alpha"),
    "chen-cherry-7": ChenCherry(chen_cherry_7, 5, "K", positive=True, averages="next"),
    "chen-cherry-1-literal": Literal(literal_1, 0.1, "epsilon"),
    "chen-cherry-2-literal": Literal(literal_2),
    "chen-cherry-3-literal": Literal(literal_3),
    "chen-cherry-4-literal": Literal(literal_4, 5, "K", positive=True),
    "chen-cherry-5-literal": Literal(literal_5, averages="next"),
    "chen-cherry-6-literal": Literal(literal_6, 5, "alpha"),
    "chen-cherry-7-literal": Literal(literal_7, 5, "K", positive=True, averages="next"),
    "nltk-0": NLTKs(nltk_0),
    "nltk-1": NLTKs(nltk_1, 0.1, "epsilon"),
    "nltk-2": NLTKs(nltk_2),
    "nltk-3": NLTKs(nltk_3),
    "nltk-4": NLTKs(nltk_4, 5, "k", positive=True),
    "nltk-5": NLTKs(nltk_5, averages="fifth"),
    "nltk-6": NLTKs(nltk_6, 5, "alpha", positive=True),
    "nltk-7": NLTKs(nltk_7, 5, "k", positive=True, averages="fifth"),
}
