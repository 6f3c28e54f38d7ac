"""What segments can be divided by, as a table: a name, a number for every segment, cutoffs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.messages import nearest
from bleuet.studies.comparison.breakdown import break_down
from bleuet.studies.comparison.buckets import Bands, even_edges
from bleuet.studies.significance.segment_mean import SegmentMean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from bleuet.studies.comparison.breakdown import Breakdown
    from bleuet.studies.comparison.evaluation import Evaluation
    from bleuet.studies.external_scores import Column

    # Gives each segment's number for one system, None where it belongs to no bucket; how often
    # words come is given to all alike.
    Measure: TypeAlias = Callable[[Evaluation, int, Mapping[str, int]], Iterable[float | None]]


@dataclass(frozen=True, slots=True)
class Division:
    """One way to divide segments into buckets by a number.

    Attributes:
        name: what users call it.
        title: what it is, in words.
        measure: gives each segment's number.
        bands: the buckets.
        shared: whether the number is the same for all systems.
    """

    name: str
    title: str
    measure: Measure
    bands: Bands
    shared: bool = True


def reference_lengths(
    evaluation: Evaluation, system: int, frequencies: Mapping[str, int]
) -> list[int]:
    """Return the tokens of each segment's first reference."""
    return [len(references[0]) for references in evaluation.tokens.references]


def hypothesis_lengths(
    evaluation: Evaluation, system: int, frequencies: Mapping[str, int]
) -> list[int]:
    """Return the tokens of each hypothesis."""
    return [len(words) for words in evaluation.tokens.hypotheses[system]]


def length_differences(
    evaluation: Evaluation, system: int, frequencies: Mapping[str, int]
) -> list[int]:
    """Return the tokens that each hypothesis has more than the reference closest in length.

    Of two references as close the shorter counts, as in BLEU's brevity penalty.
    """
    tokens = evaluation.tokens
    differences = []
    for words, references in zip(tokens.hypotheses[system], tokens.references, strict=True):
        length = len(words)
        closest = min(map(len, references), key=lambda other: (abs(length - other), other))
        differences.append(length - closest)
    return differences


def rarest_words(evaluation: Evaluation, system: int, frequencies: Mapping[str, int]) -> list[int]:
    """Return how often the rarest word of each segment's first reference comes.

    A reference without words counts as having only unseen ones.
    """
    return [
        min([frequencies.get(word, 0) for word in references[0]], default=0)
        for references in evaluation.words.references
    ]


def sentence_scores(evaluation: Evaluation, system: int, frequencies: Mapping[str, int]) -> Column:
    """Return the score of each segment by the first metric, None where it has none."""
    return evaluation.sentence_scores[system][0]


LENGTHS = Bands((10, 20, 30, 40, 50, 60))
DIFFERENCES = Bands((-20, -10, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 11, 21))
FREQUENCIES = Bands((1, 2, 3, 4, 5, 10, 100, 1000))
TENTHS = Bands((10, 20, 30, 40, 50, 60, 70, 80, 90), whole=False)

# The cutoffs are compare-mt's.
DIVISIONS: dict[str, Division] = {
    division.name: division
    for division in (
        Division("length", "tokens in the reference", reference_lengths, LENGTHS),
        Division(
            "hypothesis-length", "tokens in the hypothesis", hypothesis_lengths, LENGTHS,
            shared=False,
        ),
        Division(
            "length-difference", "tokens in the hypothesis less those in the reference",
            length_differences, DIFFERENCES, shared=False,
        ),
        Division(
            "frequency", "how often the rarest word of the reference comes", rarest_words,
            FREQUENCIES,
        ),
        Division("score", "sentence score", sentence_scores, TENTHS, shared=False),
    )
}  # fmt: skip


def find_division(text: str) -> Division:
    """Return a division by name, with other cutoffs where some stand behind a = sign.

    Raises:
        OptionError: there is no such division, or the cutoffs are no ascending numbers.

    >>> find_division("length=5,10").bands.labels
    ('<5', '5 to 9', '>=10')
    """
    name, equals, numbers = text.partition("=")
    found = DIVISIONS.get(name)
    if found is None:
        raise OptionError(
            f"segments cannot be divided by {name!r}{nearest(name, DIVISIONS)}; "
            f"they can by {', '.join(DIVISIONS)}, and by labels of your own"
        )
    if not equals:
        return found
    try:
        cutoffs = tuple(float(number) for number in numbers.split(","))
    except ValueError:
        raise OptionError(
            f"the cutoffs of {name} must be numbers with commas between them, as in "
            f"{name}=10,20,30, not {numbers!r}"
        ) from None
    return replace(found, bands=Bands(cutoffs, found.bands.whole))


def divide(evaluation: Evaluation, division: Division, frequencies: Mapping[str, int]) -> Breakdown:
    """Return every system's scores in the buckets of a division."""
    bands = _bands(evaluation, division)
    groups = [
        bands.groups(division.measure(evaluation, system, frequencies))
        for system in range(1 if division.shared else len(evaluation.systems))
    ]
    if division.shared:
        groups *= len(evaluation.systems)
    title = division.title
    if division.measure is sentence_scores:
        title = f"sentence {evaluation.names[0]}"
    return break_down(evaluation, division.name, title, groups, shared=division.shared)


def _bands(evaluation: Evaluation, division: Division) -> Bands:
    """Return a division's buckets; tenths of the range for scores that are not in percent."""
    if division.bands is not TENTHS or not isinstance(evaluation.metrics[0], SegmentMean):
        return division.bands
    low, high = evaluation.range_of(0)
    edges = even_edges(low, high, len(TENTHS.labels))
    return Bands(edges[1:-1] or edges[1:], whole=False)


def divide_by_labels(evaluation: Evaluation, name: str, labels: Sequence[str]) -> Breakdown:
    """Return every system's scores by a label that each segment has, such as its domain.

    Args:
        evaluation: the systems, counted.
        name: what the labels are.
        labels: one label per segment; the buckets come in the order of their first segments.

    Raises:
        InputError: there are more or fewer labels than segments.
    """
    if isinstance(labels, str):
        raise InputTypeError(f"labels {name}: one label per segment was expected, not one string")
    listed = [str(label) for label in labels]
    if len(listed) != len(evaluation):
        raise InputError(
            f"labels {name}: {len(listed)} labels but {len(evaluation)} segments; expected one "
            "label per segment"
        )
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(listed):
        rows.setdefault(label, []).append(row)
    groups = [(label, tuple(found)) for label, found in rows.items()]
    return break_down(evaluation, name, name, [groups] * len(evaluation.systems), shared=True)
