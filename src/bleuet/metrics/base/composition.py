"""What a score is made of, and how much of a difference between two scores each part explains."""

from __future__ import annotations

from math import exp, isclose, log, prod

from bleuet.frozen import Value
from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PRODUCT, HARMONIC_MEAN, SUM = "weighted product", "weighted harmonic mean", "sum"
# A formula and the parts of a score give the same number but for rounding.
TOLERANCE = 1e-9


class Factor(Value, Plain):
    """One part of a score.

    Attributes:
        name: what it is, such as "2-gram precision".
        value: its number, in percent.
        weight: the exponent of a product, or the weight of a mean; 1 in a sum.
    """

    name: str
    value: float
    weight: float = 1.0


class Moved(Value, Plain):
    """By how much one part moves the difference between two scores.

    Attributes:
        name: what the part is.
        left: its number in the first score.
        right: its number in the second score.
        points: what it adds to the first score minus the second; all parts add up to that.
    """

    name: str
    left: float
    right: float
    points: float


class Composition(Value, Plain):
    """The parts of a score, and the formula that makes the score of them.

    Attributes:
        rule: `PRODUCT`, `HARMONIC_MEAN` or `SUM`.
        factors: the parts of the formula.
        beside: further numbers that explain a part, such as a ratio of lengths.

    >>> made = Composition(PRODUCT, (Factor("a", 50.0, 0.5), Factor("b", 2.0, 0.5)))
    >>> round(made.value, 9)
    10.0
    """

    rule: str
    factors: tuple[Factor, ...]
    beside: tuple[Factor, ...] = ()

    @property
    def value(self) -> float:
        """The score that the formula gives."""
        values = [(one.value, one.weight) for one in self.factors]
        if self.rule == SUM:
            return sum(value for value, _ in values)
        if self.rule == PRODUCT:
            product: float = prod(value**weight for value, weight in values)
            return product
        if not all(value for value, _ in values):
            return 0.0
        return 1 / sum(weight / value for value, weight in values)

    def gives(self, score: float) -> bool:
        """Return whether the parts give a score."""
        return isclose(self.value, score, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def moved_by(left: Composition, right: Composition) -> tuple[Moved, ...] | None:
    """Return by how much each part moves the difference between two scores.

    The difference between two sums is the sum of the differences. The logarithm of a product and
    the reciprocal of a harmonic mean are sums, whose parts are scaled so that they add up to the
    difference between the scores: of products by the logarithmic mean of both scores (L in Carlson
    1972), of harmonic means by minus their product.

    Args:
        left: the parts of the first score.
        right: the parts of the second score.

    Returns:
        A part for each factor; None if the formulas differ, or if a score of 0 has no logarithm or
        reciprocal.

    >>> one, other = (
    ...     Composition(PRODUCT, (Factor("precision", p), Factor("length", n)))
    ...     for p, n in ((40.0, 1.0), (40.0, 0.9))
    ... )
    >>> [round(part.points, 9) for part in moved_by(one, other)]
    [0.0, 4.0]
    """
    names = [[(one.name, one.weight) for one in made.factors] for made in (left, right)]
    if left.rule != right.rule or names[0] != names[1]:
        return None
    pairs = list(zip(left.factors, right.factors, strict=True))
    if left.rule == SUM:
        points = [one.value - other.value for one, other in pairs]
    elif not all(factor.value > 0 for pair in pairs for factor in pair):
        return None
    elif left.rule == PRODUCT:
        logs = [one.weight * (log(one.value) - log(other.value)) for one, other in pairs]
        points = _scaled(logs, left.value - right.value, left.value)
    else:
        scale = -left.value * right.value
        points = [scale * one.weight * (1 / one.value - 1 / other.value) for one, other in pairs]
    return tuple(
        Moved(one.name, one.value, other.value, part)
        for (one, other), part in zip(pairs, points, strict=True)
    )


def _scaled(logs: Sequence[float], difference: float, value: float) -> list[float]:
    """Return parts of the difference of two logarithms as parts of the numbers' difference."""
    whole = sum(logs)
    # The logarithmic mean of equal numbers is the number, and so it is but for rounding nearby.
    mean = difference / whole if abs(whole) > TOLERANCE else value * exp(-whole / 2)
    return [mean * part for part in logs]
