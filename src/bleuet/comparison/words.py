"""Word accuracy: how well systems translate rare words, names, verbs or other groups of words."""

from __future__ import annotations

from collections import Counter

from bleuet.comparison.by_system import BySystem
from bleuet.comparison.cutoffs import Cutoffs
from bleuet.comparison.matching import aligned
from bleuet.errors import InputError, InputTypeError
from bleuet.frozen import Value
from bleuet.output.document import Column, DocumentTable
from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from bleuet.comparison.matching import WordCounts
    from bleuet.comparison.tokens import Tokens
    from bleuet.evaluation.evaluation import Evaluation

    # Numbers of words: matched, produced, expected.
    Three: TypeAlias = tuple[int, int, int]

OTHER = "other"
# The cutoffs of compare-mt.
FREQUENCIES = Cutoffs((1, 2, 3, 4, 5, 10, 100, 1000))


class WordScore(Value, Plain):
    """The accuracy of one system on one group of words.

    Attributes:
        label: the group.
        matched: the number of words in the hypotheses that match a word of the reference, clipped.
        produced: the number of words in the hypotheses.
        expected: the number of words in the references.
    """

    label: str
    matched: int
    produced: int
    expected: int
    plain_fields = ("label", "matched", "produced", "expected", "precision", "recall", "f")

    @property
    def precision(self) -> float:
        """The share of produced words that match, in percent; 0 without produced words."""
        return 100 * self.matched / self.produced if self.produced else 0.0

    @property
    def recall(self) -> float:
        """The share of expected words that match, in percent; 0 without expected words."""
        return 100 * self.matched / self.expected if self.expected else 0.0

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall, in percent.

        >>> WordScore("rare", 1, 2, 4).f
        33.333333333333336
        """
        both = self.produced + self.expected
        return 200 * self.matched / both if both else 0.0


class WordAccuracy(Value, BySystem):
    """The accuracy of all systems on groups of words.

    Attributes:
        name: what the words are grouped by, such as "frequency".
        title: a description of it.
        systems: the groups of each system, `systems[system][group]`. All systems have the same
            labels, and a group without any word is left out.
    """

    name: str
    title: str
    systems: tuple[tuple[WordScore, ...], ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the groups."""
        return tuple(group.label for group in self.systems[0])

    def tables(self, evaluation: Evaluation) -> Iterator[DocumentTable]:
        """Yield the F score of each system on each group.

        Args:
            evaluation: the systems.
        """
        # A group that no reference has would only have scores of 0.
        rows = [
            [same[0].label, same[0].expected, *(group.f for group in same)]
            for same in zip(*self.systems, strict=True)
            if any(group.expected for group in same)
        ]
        columns = [
            Column("group", self.name),
            Column("words", kind="count"),
            *(Column(name, kind="score") for name in evaluation.systems),
        ]
        yield DocumentTable("words", f"Word accuracy (F) by {self.title}", columns, rows)


class TokenLabels(Value):
    """A label for each token, such as its part of speech.

    Args:
        references: the labels of the tokens of the first reference of each segment, as a string
            with spaces or as a list.
        hypotheses: the labels of the hypotheses of each system, by the name of the system.
        name: what the labels are.
    """

    references: Sequence[str | Sequence[str]]
    hypotheses: Mapping[str, Sequence[str | Sequence[str]]]
    name: str = "label"


def by_frequency(
    counts: Sequence[WordCounts], frequencies: Mapping[str, int], cutoffs: Cutoffs = FREQUENCIES
) -> WordAccuracy:
    """Group words by how often they occur.

    Args:
        counts: the words of each system.
        frequencies: how often each word occurs; an absent word occurs 0 times.
        cutoffs: the groups.
    """
    labels = cutoffs.labels
    vocabulary = counts[0].vocabulary
    groups = [(labels[cutoffs.place(frequencies.get(word, 0))],) for word in vocabulary]
    systems = [_sums(of_system, labels, groups) for of_system in counts]
    return _accuracy("frequency", "frequency of the word", labels, systems)


def by_lists(
    counts: Sequence[WordCounts], lists: Mapping[str, Collection[str]], *, lowercase: bool = False
) -> WordAccuracy:
    """Group words by lists, such as names or terms.

    Args:
        counts: the words of each system.
        lists: words by label; a word on several lists counts in each, a word on none as "other".
        lowercase: whether the counted words are in lower case.

    Raises:
        InputTypeError: a list is a string.
    """
    groups: dict[str, list[str]] = {}
    for label, words in lists.items():
        if isinstance(words, str):
            raise InputTypeError(f"word list {label}: expected a list of words, not one string")
        for word in sorted({word.lower() if lowercase else word for word in words}):
            groups.setdefault(word, []).append(label)
    labels = (*lists, OTHER)
    of_words = [groups.get(word, (OTHER,)) for word in counts[0].vocabulary]
    systems = [_sums(of_system, labels, of_words) for of_system in counts]
    return _accuracy("list", "word list", labels, systems)


def _sums(
    counts: WordCounts, labels: Iterable[str], groups: Iterable[Iterable[str]]
) -> dict[str, list[int]]:
    """Return the numbers of matched, produced and expected words of each group.

    Args:
        counts: the words of a system.
        labels: all groups.
        groups: the groups of each word.
    """
    sums = {label: [0, 0, 0] for label in labels}
    for own, matched, produced, expected in zip(groups, *counts.three, strict=True):
        for label in own:
            of_label = sums[label]
            of_label[0] += matched
            of_label[1] += produced
            of_label[2] += expected
    return sums


def by_token_labels(tokens: Tokens, systems: Sequence[str], labels: TokenLabels) -> WordAccuracy:
    """Group tokens by their labels.

    A matched token counts under its label in the reference. Only the first reference of a segment
    counts, since the others have no labels.

    Args:
        tokens: the words of the test set.
        systems: the names of the systems.
        labels: the labels.

    Raises:
        InputError: labels are missing, or there is not one for each token.
    """
    missing = [name for name in systems if name not in labels.hypotheses]
    if missing:
        raise InputError(
            f"there are no token labels of the system {missing[0]}; expected labels for the first "
            "reference and for each system"
        )
    first = [references[0] for references in tokens.references]
    expected = _validated(labels.references, first, "the reference")
    sums = []
    for system, name in enumerate(systems):
        hypotheses = tokens.hypotheses[system]
        own = _validated(labels.hypotheses[name], hypotheses, name)
        sums.append(_label_sums(hypotheses, own, first, expected))
    # The most frequent label first, since tags have no order.
    totals: Counter[str] = Counter()
    for of_system in sums:
        totals.update({label: sum(three) for label, three in of_system.items()})
    ordered = sorted(totals, key=lambda label: (-totals[label], label))
    for of_system in sums:
        for label in ordered:
            of_system.setdefault(label, [0, 0, 0])
    return _accuracy(labels.name, f"{labels.name} of the token", ordered, sums)


def _label_sums(
    hypotheses: Sequence[Sequence[str]],
    hypothesis_labels: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    reference_labels: Sequence[Sequence[str]],
) -> dict[str, list[int]]:
    """Return the numbers of matched, produced and expected tokens by label.

    Args:
        hypotheses: the tokens of each hypothesis.
        hypothesis_labels: their labels.
        references: the tokens of the first reference of each segment.
        reference_labels: their labels.
    """
    sums: dict[str, list[int]] = {}
    for words, own, reference, expected in zip(
        hypotheses, hypothesis_labels, references, reference_labels, strict=True
    ):
        for label in expected:
            sums.setdefault(label, [0, 0, 0])[2] += 1
        for label, place in zip(own, aligned(tuple(words), tuple(reference)), strict=True):
            if place is None:
                sums.setdefault(label, [0, 0, 0])[1] += 1
            else:
                of_label = sums[expected[place]]
                of_label[0] += 1
                of_label[1] += 1
    return sums


def _validated(
    labels: Sequence[str | Sequence[str]], texts: Sequence[Sequence[str]], whose: str
) -> list[list[str]]:
    if len(labels) != len(texts):
        raise InputError(
            f"the token labels of {whose} are for {len(labels)} segments, but there are "
            f"{len(texts)}; expected one line of labels per segment"
        )
    split = [line.split() if isinstance(line, str) else list(line) for line in labels]
    for row, (own, words) in enumerate(zip(split, texts, strict=True)):
        if len(own) != len(words):
            raise InputError(
                f"segment {row + 1} of {whose} has {len(own)} labels but {len(words)} tokens; "
                "expected one label for each token: separate the labelled tokens by spaces in the "
                "texts, and use the tokenizer none"
            )
    return split


def _accuracy(
    name: str, title: str, labels: Iterable[str], systems: Sequence[Mapping[str, Sequence[int]]]
) -> WordAccuracy:
    used = [label for label in labels if any(any(sums[label]) for sums in systems)]
    return WordAccuracy(
        name,
        title,
        tuple(tuple(WordScore(label, *sums[label]) for label in used) for sums in systems),
    )
