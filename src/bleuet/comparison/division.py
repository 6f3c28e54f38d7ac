"""Divisions: the numbers that segments can be divided by, each with cutoffs."""

from __future__ import annotations

from bleuet.comparison.breakdown import break_down
from bleuet.comparison.cutoffs import Cutoffs, even_edges
from bleuet.comparison.words import FREQUENCIES
from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.frozen import Value, checked
from bleuet.messages import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from bleuet.comparison.breakdown import Breakdown
    from bleuet.comparison.texts import ComparedTexts
    from bleuet.evaluation.evaluation import Column, Evaluation

    # From the texts and the index of a system to the number of each segment, None where a
    # segment is in no bucket.
    Measure: TypeAlias = Callable[[ComparedTexts, int], Iterable[float | None]]


@checked
class Division(Value):
    """A way to divide segments into buckets by a number.

    Attributes:
        name: the name that users choose it by.
        title: a description.
        measure: returns the number of each segment.
        cutoffs: the buckets.
        shared: whether a segment has the same number for all systems.
    """

    name: str
    title: str
    measure: Measure
    cutoffs: Cutoffs
    shared: bool = True


def reference_lengths(texts: ComparedTexts, system: int) -> list[int]:
    """Return the number of tokens of the first reference of each segment."""
    return [lengths[0] for lengths in texts.tokens.references.lengths]


def hypothesis_lengths(texts: ComparedTexts, system: int) -> list[int]:
    """Return the number of tokens of each hypothesis."""
    return texts.tokens.hypotheses[system].lengths


def length_differences(texts: ComparedTexts, system: int) -> list[int]:
    """Return the tokens of each hypothesis minus those of the reference closest in length.

    Of two references that are equally close the shorter one counts, as in BLEU's brevity penalty.
    """
    tokens = texts.tokens
    differences = []
    own = tokens.hypotheses[system].lengths
    for length, lengths in zip(own, tokens.references.lengths, strict=True):
        closest = min(lengths, key=lambda other: (abs(length - other), other))
        differences.append(length - closest)
    return differences


def lowest_frequencies(texts: ComparedTexts, system: int) -> list[int]:
    """Return how often the rarest word of the first reference of each segment occurs.

    A reference without words counts as one with an unseen word.
    """
    frequencies = texts.frequencies
    return [
        min([frequencies.get(word, 0) for word in references[0]], default=0)
        for references in texts.words.references
    ]


def sentence_scores(texts: ComparedTexts, system: int) -> Column:
    """Return the score of each segment by the first metric, None where it has none."""
    return texts.evaluation.sentence_scores[system][0]


LENGTHS = Cutoffs((10, 20, 30, 40, 50, 60))
DIFFERENCES = Cutoffs((-20, -10, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 11, 21))
TENTHS = Cutoffs((10, 20, 30, 40, 50, 60, 70, 80, 90), whole=False)

# The cutoffs are those of compare-mt.
DIVISIONS: dict[str, Division] = {
    division.name: division
    for division in (
        Division("length", "tokens in the reference", reference_lengths, LENGTHS),
        Division(
            "hypothesis-length", "tokens in the hypothesis", hypothesis_lengths, LENGTHS,
            shared=False,
        ),
        Division(
            "length-difference", "tokens in the hypothesis minus those in the reference",
            length_differences, DIFFERENCES, shared=False,
        ),
        Division(
            "frequency", "frequency of the rarest word in the reference", lowest_frequencies,
            FREQUENCIES,
        ),
        Division("score", "sentence score", sentence_scores, TENTHS, shared=False),
    )
}  # fmt: skip


@checked
def find_division(text: str) -> Division:
    """Return a division by its name, with the cutoffs behind an = sign, if there are any.

    Args:
        text: a name, such as "length", or a name and cutoffs, such as "length=5,10".

    Raises:
        OptionError: there is no such division, or the cutoffs are not ascending numbers.

    >>> find_division("length=5,10").cutoffs.labels
    ('<5', '5 to 9', '>=10')
    """
    name, equals, numbers = text.partition("=")
    found = DIVISIONS.get(name)
    if found is None:
        raise OptionError(
            f"segments cannot be divided by {name!r}{nearest(name, DIVISIONS)}; "
            f"expected one of {', '.join(DIVISIONS)}, or labels of your own"
        )
    if not equals:
        return found
    try:
        cutoffs = tuple(float(number) for number in numbers.split(","))
    except ValueError:
        raise OptionError(
            f"the cutoffs of {name} must be numbers separated by commas, as in "
            f"{name}=10,20,30, not {numbers!r}"
        ) from None
    return found.replace(cutoffs=Cutoffs(cutoffs, found.cutoffs.whole))


def divide(texts: ComparedTexts, division: Division) -> Breakdown:
    """Return the scores of all systems in the buckets of a division."""
    evaluation = texts.evaluation
    cutoffs = _cutoffs(evaluation, division)
    groups = [
        cutoffs.groups(division.measure(texts, system))
        for system in range(1 if division.shared else len(evaluation.systems))
    ]
    if division.shared:
        groups *= len(evaluation.systems)
    title = division.title
    if division.measure is sentence_scores:
        title = f"sentence {evaluation.headings[0]}"
    return break_down(evaluation, division.name, title, groups, shared=division.shared)


def _cutoffs(evaluation: Evaluation, division: Division) -> Cutoffs:
    """Return the cutoffs of a division; tenths of the range for scores that are not in percent."""
    if division.cutoffs is not TENTHS or not evaluation.has_any_scale(0):
        return division.cutoffs
    low, high = evaluation.range_of(0)
    edges = even_edges(low, high, len(TENTHS.labels))
    return Cutoffs(edges[1:-1] or edges[1:], whole=False)


def validate_labels(name: str, labels: Sequence[str], segments: int) -> tuple[str, ...]:
    """Return labels of segments as strings.

    Args:
        name: what the labels are, such as "domain".
        labels: one label per segment.
        segments: the number of segments.

    Raises:
        InputError: there are more or fewer labels than segments.
        InputTypeError: the labels are one string.
    """
    if isinstance(labels, str):
        raise InputTypeError(f"labels {name}: expected one label per segment, not one string")
    listed = tuple(map(str, labels))
    if len(listed) != segments:
        raise InputError(
            f"labels {name}: {len(listed)} labels but {segments} segments; expected one label per "
            "segment"
        )
    return listed


def divide_by_labels(evaluation: Evaluation, name: str, labels: Sequence[str]) -> Breakdown:
    """Return the scores of all systems by a label of each segment, such as its domain.

    Args:
        evaluation: the systems, counted.
        name: what the labels are.
        labels: one label per segment; the buckets have the order of their first segments.
    """
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        rows.setdefault(label, []).append(row)
    groups = [(label, tuple(found)) for label, found in rows.items()]
    return break_down(evaluation, name, name, [groups] * len(evaluation.systems), shared=True)
