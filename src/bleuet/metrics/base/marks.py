"""What of one hypothesis and its references counts, and how: matched n-grams, edits, alignments."""

from __future__ import annotations

from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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


class Mark(Value):
    """Some tokens of a hypothesis and what they have to do with some tokens of a reference.

    Args:
        kind: what they have in common, such as "2-gram", "equal", "missing" or "stem".
        hypothesis: the tokens of the hypothesis: the first, and the one after the last.
        reference: the tokens of the reference, in the same form.
        reference_number: which reference, from 0.
    """

    kind: str
    hypothesis: Span
    reference: Span
    reference_number: int

    def __init__(
        self, kind: str, hypothesis: Span, reference: Span, reference_number: int = 0
    ) -> None:
        # Not `_set`, which takes twice as long: a long segment has thousands of marks.
        set_field = object.__setattr__
        set_field(self, "kind", kind)
        set_field(self, "hypothesis", hypothesis)
        set_field(self, "reference", reference)
        set_field(self, "reference_number", reference_number)


def aligned_marks(
    metric: Any, hypothesis: Any, references: Sequence[Any], kinds: Sequence[str] = ()
) -> tuple[int, list[Mark]]:
    """Return the number of the reference that counts, from 0, and what its words are aligned with.

    Args:
        metric: a `Metric`, whose module imports this one, with a counter that aligns words.
        hypothesis: the hypothesis.
        references: its references, at least one.
        kinds: the kinds of marks, in the order of the counter.
    """
    read = metric.tokenize_text or (lambda text: text)
    number, aligned = metric._counter.align(
        metric.counted_kind, read(hypothesis), [read(one) for one in references]
    )
    return number, [
        Mark(kinds[kind], (i, i + n), (j, j + m), number) for i, n, j, m, kind in aligned
    ]


def matched_ngrams(
    hypothesis: Sequence[object],
    references: Sequence[Sequence[object]],
    orders: Sequence[int],
    alone: int | None = None,
) -> list[Mark]:
    """Mark the n-grams of a hypothesis that a reference has, longest first.

    An n-gram matches as often as the reference that has it most often has it; what is left is
    marked as clipped.

    Args:
        hypothesis: its tokens.
        references: the tokens of each reference.
        orders: the lengths of n-grams, shortest first.
        alone: the number of the only reference that counts; default all.

    >>> [mark.kind for mark in matched_ngrams("a b b".split(), ["a b".split()], [1, 2])]
    ['2-gram', '1-gram', '1-gram', '1-gram, clipped']
    """
    chosen = range(len(references)) if alone is None else [alone]
    # The number of the n-gram that begins at each place; equal n-grams have equal ones.
    ours: list[Any] = list(hypothesis)
    theirs: dict[int, list[Any]] = {number: list(references[number]) for number in chosen}
    of_orders: list[list[Mark]] = []
    for n in range(1, orders[-1] + 1):
        if n > 1:
            numbers: dict[Any, int] = {}
            ours = _longer(ours, hypothesis[n - 1 :], numbers)
            theirs = {
                number: _longer(grams, references[number][n - 1 :], numbers)
                for number, grams in theirs.items()
            }
        if n >= orders[0]:
            of_orders.append(_matched(ours, theirs, n))
    return [mark for marks in reversed(of_orders) for mark in marks]


def _longer(grams: list[Any], following: Sequence[object], numbers: dict[Any, int]) -> list[Any]:
    """Extend each n-gram by the token that follows it, and return the number of the result."""
    return [numbers.setdefault(pair, len(numbers)) for pair in zip(grams, following, strict=False)]


def _matched(ours: Sequence[Any], theirs: Mapping[int, Sequence[Any]], n: int) -> list[Mark]:
    """Mark the n-grams of one length that a reference has; `theirs[i]` are those of reference i."""
    # Of each n-gram the first reference that has it most often, and where.
    most: dict[Any, tuple[int, list[int]]] = {}
    for number, grams in theirs.items():
        places: dict[Any, list[int]] = {}
        for start, gram in enumerate(grams):
            places.setdefault(gram, []).append(start)
        for gram, found in places.items():
            if gram not in most or len(found) > len(most[gram][1]):
                most[gram] = number, found
    marks = []
    kind, clipped = f"{n}-gram", f"{n}-gram, clipped"
    seen: dict[Any, int] = {}
    for start, gram in enumerate(ours):
        if gram not in most:
            continue
        number, found = most[gram]
        at = seen[gram] = seen.get(gram, -1) + 1
        span = start, start + n
        if at < len(found):
            marks.append(Mark(kind, span, (found[at], found[at] + n), number))
        else:
            marks.append(Mark(clipped, span, (0, 0), number))
    return marks


def best_reference(metric: Any, hypothesis: Any, references: Sequence[Any]) -> int:
    """Return which reference gives a hypothesis the highest score, the first of several, from 0.

    Args:
        metric: a `Metric` with higher scores for better texts.
        hypothesis: the hypothesis.
        references: its references, at least one.
    """
    scores = [metric.sentence_score(hypothesis, [one]).score for one in references]
    return scores.index(max(scores))
