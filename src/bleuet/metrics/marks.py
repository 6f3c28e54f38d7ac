"""What of one hypothesis and its references counts, and how: matched n-grams, edits, alignments."""

from __future__ import annotations

from bleuet.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    # The first token and the one after the last, from 0; empty where a side has none.
    Span: TypeAlias = tuple[int, int]

# How the words of both sides differ.
EQUAL, SUBSTITUTED, MISSING, EXTRA, SHIFTED = (
    "equal",
    "substituted",
    "missing",
    "extra",
    "shifted",
)


class Mark(Frozen):
    """Some tokens of a hypothesis and what they have to do with some tokens of a reference.

    Args:
        kind: what they have in common, such as "2-gram", "equal", "missing" or "stem".
        hypothesis: the tokens of the hypothesis: the first, and the one after the last.
        reference: the tokens of the reference, in the same form.
        reference_number: which reference, from 0.
    """

    __slots__ = ("hypothesis", "kind", "reference", "reference_number")
    _fields = ("kind", "hypothesis", "reference", "reference_number")
    kind: str
    hypothesis: Span
    reference: Span
    reference_number: int

    def __init__(
        self, kind: str, hypothesis: Span, reference: Span, reference_number: int = 0
    ) -> None:
        self._set(kind=kind, hypothesis=hypothesis, reference=reference)
        self._set(reference_number=reference_number)


def matched_ngrams(
    hypothesis: Sequence[object], references: Sequence[Sequence[object]], orders: Sequence[int]
) -> list[Mark]:
    """Mark the n-grams of a hypothesis that a reference has, longest first.

    An n-gram matches as often as the reference that has it most often has it; what is left is
    marked as clipped.

    Args:
        hypothesis: its tokens.
        references: the tokens of each reference.
        orders: the lengths of n-grams, shortest first.

    >>> [mark.kind for mark in matched_ngrams("a b b".split(), ["a b".split()], [1, 2])]
    ['2-gram', '1-gram', '1-gram', '1-gram, clipped']
    """
    marks = []
    for n in reversed(orders):
        places = [_places(reference, n) for reference in references]
        seen: dict[tuple[object, ...], int] = {}
        for start in range(len(hypothesis) - n + 1):
            ngram = tuple(hypothesis[start : start + n])
            number = max(range(len(places)), key=lambda r: len(places[r].get(ngram, ())))
            found = places[number].get(ngram, [])
            at = seen[ngram] = seen.get(ngram, -1) + 1
            span = start, start + n
            if at < len(found):
                marks.append(Mark(f"{n}-gram", span, (found[at], found[at] + n), number))
            elif found:
                marks.append(Mark(f"{n}-gram, clipped", span, (0, 0), number))
    return marks


def _places(tokens: Sequence[object], n: int) -> dict[tuple[object, ...], list[int]]:
    """Return where each n-gram begins."""
    found: dict[tuple[object, ...], list[int]] = {}
    for start in range(len(tokens) - n + 1):
        found.setdefault(tuple(tokens[start : start + n]), []).append(start)
    return found


def best_reference(metric: Any, hypothesis: Any, references: Sequence[Any]) -> int:
    """Return which reference gives a hypothesis the highest score, the first of several, from 0.

    Args:
        metric: a `Metric`, whose module imports this one, of which more is better.
        hypothesis: the hypothesis.
        references: its references, at least one.
    """
    scores = [metric.sentence_score(hypothesis, [one]).score for one in references]
    return scores.index(max(scores))


def edit_marks(edits: Sequence[str], reference_number: int = 0) -> list[Mark]:
    """Mark the words that edits align; neighbours of one kind share a mark.

    Args:
        edits: from left to right `EQUAL`, `SUBSTITUTED`, `MISSING` (a word that only the reference
            has) and `EXTRA` (a word that only the hypothesis has).
        reference_number: which reference, from 0.

    >>> [(one.kind, one.hypothesis, one.reference) for one in edit_marks([EQUAL, EQUAL, MISSING])]
    [('equal', (0, 2), (0, 2)), ('missing', (2, 2), (2, 3))]
    """
    marks: list[Mark] = []
    h = r = begin_h = begin_r = 0
    for place, edit in enumerate(edits):
        h += edit != MISSING
        r += edit != EXTRA
        if place + 1 == len(edits) or edits[place + 1] != edit:
            marks.append(Mark(edit, (begin_h, h), (begin_r, r), reference_number))
            begin_h, begin_r = h, r
    return marks
