"""How the score of one segment is derived: its steps, each a formula with the numbers put in."""

from __future__ import annotations

import ast
import operator
import re
from math import exp, isfinite, log

from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.base.marks import Mark
    from bleuet.output.document import DocumentTable

    Marked: TypeAlias = tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]

_OPERATORS: dict[type, Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {"exp": exp, "ln": log, "min": min}
# The most characters of a formula that fits above its bar.
SHORT = 24
_SYMBOL = re.compile(r"\b[A-Za-z]\w*\b")


class FormulaStep(Value):
    """One step: a number that was counted, or a formula and what it gives.

    Args:
        title: what the number is.
        symbol: its name in later formulas; "" for the score.
        formula: the formula, in the symbols of earlier steps; "" for a number that was counted.
        numbers: the formula with numbers in place of the symbols.
        value: the number.
        whole: what the number is a part of, if a chart draws it; 0 if not.
    """

    title: str
    symbol: str
    formula: str
    numbers: str
    value: float
    whole: float = 0

    @property
    def computation(self) -> str:
        """The symbol, the formula and the numbers with equal signs between them.

        >>> FormulaStep("precision", "P", "hits / words", "1 / 2", 0.5).computation
        'P = hits / words = 1 / 2'
        """
        formula = "" if self.formula == self.numbers else self.formula
        return " = ".join(filter(None, (self.symbol, formula, self.numbers)))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"step": self.title, "formula": self.computation, "value": self.value}


class Derivation:
    """The steps to the score of one segment, first what was counted.

    A metric adds them in `derive_segment`. A number is computed from the formula that is shown, so
    that the two agree.

    Args:
        marked: the tokens and marks that `mark_segment` returns, for steps that count marks.

    >>> steps = Derivation()
    >>> steps.count("hits", "words that match", 1)
    >>> steps.compute("P", "precision", "hits / 2")
    >>> steps.score("TinyP", "100 * P")
    >>> [(step.computation, step.value) for step in steps]
    [('hits', 1), ('P = hits / 2 = 1 / 2', 0.5), ('100 * P = 100 * 0.5', 50.0)]
    """

    def __init__(self, marked: Marked = ((), (), ())) -> None:
        self.marked = marked
        self._steps: list[FormulaStep] = []
        self._values: dict[str, float] = {}

    def __iter__(self) -> Iterator[FormulaStep]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, symbol: str) -> float:
        """Return the number of a symbol."""
        return self._values[symbol]

    def count(self, symbol: str, title: str, value: float, *, whole: float = 0) -> None:
        """Add a number that was counted, or that has no formula.

        Args:
            symbol: its name in formulas.
            title: what it is.
            value: the number.
            whole: what it is a part of, for a chart.
        """
        self._add(FormulaStep(title, symbol, "", "", value, whole))

    def compute(
        self, symbol: str, title: str, formula: str, *, whole: float = 0, **options: float
    ) -> None:
        """Add what a formula gives.

        Args:
            symbol: its name in later formulas.
            title: what it is.
            formula: numbers, symbols of earlier steps, + - * / ^ ( ), exp, ln and min.
            whole: what it is a part of, for a chart.
            **options: other symbols of the formula, such as options of the metric.
        """
        known = {**self._values, **options}
        numbers = _SYMBOL.sub(
            lambda found: found[0] if found[0] in _FUNCTIONS else _factor(known[found[0]]), formula
        )
        value = evaluated(formula, known)
        self._add(FormulaStep(title, symbol, formula, numbers, value, whole))

    def score(self, name: str, formula: str, *, whole: float = 0, **options: float) -> None:
        """Add the last step, the score; arguments as for `compute`."""
        self.compute("", name, formula, whole=whole, **options)

    def _add(self, step: FormulaStep) -> None:
        self._steps.append(step)
        self._values[step.symbol or "score"] = step.value


def steps_table(steps: Iterable[FormulaStep], title: str = "") -> DocumentTable:
    """Return a table with a row per step."""
    from bleuet.output.document import Column, DocumentTable

    columns = [Column("step"), Column("formula"), Column("value")]
    rows = [[step.title, step.computation, number_text(step.value)] for step in steps]
    return DocumentTable("steps", title, columns, rows)


def drawn_steps(steps: Iterable[FormulaStep]) -> Iterator[dict[str, Any]]:
    """Yield the steps that a chart draws: label, share in percent, text, and `sum`.

    The label is the title up to a comma or colon. The text has the counts that the step divides, or
    the formula with its numbers. `sum` is whether the formula is made of others that are drawn.
    """
    symbols: set[str] = set()
    for step in steps:
        if step.whole:
            share = 100 * step.value / step.whole
            made = not symbols.isdisjoint(_SYMBOL.findall(step.formula))
            # The score has the digits with which it is printed elsewhere.
            text = f"{share:.1f} %" if step.symbol else f"{share:.2f} %"
            yield {
                "label": re.split("[,:]", step.title)[0],
                "share": share,
                "text": text if made else " = ".join(filter(None, (_ratio(step), text))),
                "sum": made,
            }
            symbols.add(step.symbol)


def _ratio(step: FormulaStep) -> str:
    """Return a step as a fraction, such as "3/4", or a short formula; "" if it is neither."""
    if not step.formula:
        return f"{step.value}/{number_text(step.whole)}" if isinstance(step.value, int) else ""
    found = re.fullmatch(r"([\d.]+) / ([\d.]+)", step.numbers)
    if found:
        return f"{found[1]}/{found[2]}"
    return step.numbers if "(" in step.numbers and len(step.numbers) <= SHORT else ""


def evaluated(formula: str, symbols: Mapping[str, float]) -> float:
    """Return what a formula gives.

    Args:
        formula: as `Derivation.compute` takes it.
        symbols: the numbers of its symbols.

    >>> evaluated("2^-(a + 1) * min(1, b)", {"a": 1, "b": 3})
    0.25
    """
    return _evaluated(ast.parse(formula.replace("^", "**"), mode="eval").body, symbols)


def _evaluated(node: ast.expr, symbols: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(int() | float() as value):
            return value
        case ast.Name(name):
            return symbols[name]
        case ast.BinOp(left, kind, right):
            return _OPERATORS[type(kind)](_evaluated(left, symbols), _evaluated(right, symbols))
        case ast.UnaryOp(kind, inner):
            return _OPERATORS[type(kind)](_evaluated(inner, symbols))
        case ast.Call(ast.Name(name), arguments):
            return _FUNCTIONS[name](*[_evaluated(one, symbols) for one in arguments])
    raise ValueError(f"a formula cannot contain {ast.unparse(node)}")


def number_text(value: float) -> str:
    """Return a number with at most six digits, and whole numbers in full.

    >>> number_text(7), number_text(2 / 7), number_text(50.0), number_text(1234567)
    ('7', '0.285714', '50', '1234567')
    """
    whole = isfinite(value) and value == int(value) and abs(value) < 1e15
    return str(int(value)) if whole else f"{value:.6g}"


def _factor(value: float) -> str:
    """Return a number as a factor of a formula, in parentheses if it needs them."""
    text = number_text(value)
    return f"({text})" if value < 0 or "e" in text else text
