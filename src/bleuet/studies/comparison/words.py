"""Word accuracy: how well systems get rare words, names, verbs, or whatever has a label."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bleuet.errors import InputError, InputTypeError
from bleuet.studies.comparison.division import FREQUENCIES
from bleuet.studies.comparison.matching import aligned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from bleuet.studies.comparison.buckets import Bands
    from bleuet.studies.comparison.matching import WordCounts
    from bleuet.studies.comparison.tokens import Tokens

    # Numbers of words: matched, produced, expected.
    Three: TypeAlias = tuple[int, int, int]

OTHER = "other"


@dataclass(frozen=True, slots=True)
class WordScore:
    """How well one system gets the words of one group.

    Attributes:
        label: the group.
        matched: how many words of the hypotheses match one of the references, clipped.
        produced: how many words the hypotheses have.
        expected: how many words the references have.
    """

    label: str
    matched: int
    produced: int
    expected: int

    @property
    def precision(self) -> float:
        """Matched among produced words, in percent; 0 where there are none."""
        return 100 * self.matched / self.produced if self.produced else 0.0

    @property
    def recall(self) -> float:
        """Matched among expected words, in percent; 0 where there are none."""
        return 100 * self.matched / self.expected if self.expected else 0.0

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall, in percent.

        >>> WordScore("rare", 1, 2, 4).f
        33.333333333333336
        """
        both = self.produced + self.expected
        return 200 * self.matched / both if both else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "label": self.label,
            "matched": self.matched,
            "produced": self.produced,
            "expected": self.expected,
            "precision": self.precision,
            "recall": self.recall,
            "f": self.f,
        }


@dataclass(frozen=True, slots=True)
class WordAccuracy:
    """The accuracy of all systems on words that were grouped somehow.

    Attributes:
        name: what the words were grouped by, such as "frequency".
        title: the same in words.
        systems: the groups of each system, `systems[system][group]`, with the same labels for
            all; a group without words anywhere is left out.
    """

    name: str
    title: str
    systems: tuple[tuple[WordScore, ...], ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the groups."""
        return tuple(group.label for group in self.systems[0])

    def to_dict(self, systems: Sequence[str]) -> dict[str, Any]:
        """Return plain values, with the systems by name."""
        return {
            "name": self.name,
            "title": self.title,
            "systems": {
                name: [group.to_dict() for group in groups]
                for name, groups in zip(systems, self.systems, strict=True)
            },
        }


@dataclass(frozen=True, slots=True)
class TokenLabels:
    """A label for every token, such as its part of speech.

    Args:
        references: for each segment the labels of its first reference's tokens, with white space
            between them, or as a list.
        hypotheses: the same for every system's hypotheses, by the system's name.
        name: what the labels are.
    """

    references: Sequence[str | Sequence[str]]
    hypotheses: Mapping[str, Sequence[str | Sequence[str]]]
    name: str = "label"


def by_frequency(
    counts: Sequence[WordCounts], frequencies: Mapping[str, int], bands: Bands = FREQUENCIES
) -> WordAccuracy:
    """Group words by how often they come.

    Args:
        counts: each system's words.
        frequencies: how often each word comes; a word that is not there comes 0 times.
        bands: the groups.
    """
    labels = bands.labels
    systems = []
    for of_system in counts:
        sums = {label: [0, 0, 0] for label in labels}
        for which, counter in enumerate(_three(of_system)):
            for word, count in counter.items():
                sums[labels[bands.place(frequencies.get(word, 0))]][which] += count
        systems.append(sums)
    return _accuracy("frequency", "frequency of the word", labels, systems)


def by_lists(
    counts: Sequence[WordCounts], lists: Mapping[str, Collection[str]], *, lowercase: bool = False
) -> WordAccuracy:
    """Group words by the lists they are on, such as names or terms.

    Args:
        counts: each system's words.
        lists: words by label; a word on several lists counts in each, one on none as "other".
        lowercase: whether the counted words are in lower case.
    """
    groups: dict[str, list[str]] = {}
    for label, words in lists.items():
        if isinstance(words, str):
            raise InputTypeError(f"word list {label}: expected a collection of words, not a string")
        for word in sorted({word.lower() if lowercase else word for word in words}):
            groups.setdefault(word, []).append(label)
    labels = (*lists, OTHER)
    systems = []
    for of_system in counts:
        sums = {label: [0, 0, 0] for label in labels}
        for which, counter in enumerate(_three(of_system)):
            for word, count in counter.items():
                for label in groups.get(word, (OTHER,)):
                    sums[label][which] += count
        systems.append(sums)
    return _accuracy("list", "word list", labels, systems)


def by_token_labels(tokens: Tokens, systems: Sequence[str], labels: TokenLabels) -> WordAccuracy:
    """Group tokens by labels of their own.

    A matched token counts under the label that the reference has for it. Only the first reference
    of a segment counts, since it is the one with labels.

    Raises:
        InputError: labels are missing, or not one for each token.
    """
    missing = [name for name in systems if name not in labels.hypotheses]
    if missing:
        raise InputError(
            f"there are no token labels of the system {missing[0]}; expected some for the first "
            "reference and for every system"
        )
    first = [references[0] for references in tokens.references]
    expected = _checked(labels.references, first, "the reference")
    sums = []
    for system, name in enumerate(systems):
        hypotheses = tokens.hypotheses[system]
        given = _checked(labels.hypotheses[name], hypotheses, name)
        sums.append(_label_sums(hypotheses, given, first, expected))
    # The most frequent first: a set of tags has no order of its own.
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
    given: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    expected: Sequence[Sequence[str]],
) -> dict[str, list[int]]:
    sums: dict[str, list[int]] = {}
    for words, own, reference, wanted in zip(hypotheses, given, references, expected, strict=True):
        for label in wanted:
            sums.setdefault(label, [0, 0, 0])[2] += 1
        for label, place in zip(own, aligned(tuple(words), tuple(reference)), strict=True):
            if place is None:
                sums.setdefault(label, [0, 0, 0])[1] += 1
            else:
                of_label = sums[wanted[place]]
                of_label[0] += 1
                of_label[1] += 1
    return sums


def _checked(
    labels: Sequence[str | Sequence[str]], texts: Sequence[Sequence[str]], whose: str
) -> list[list[str]]:
    if len(labels) != len(texts):
        raise InputError(
            f"the token labels of {whose} are for {len(labels)} segments, but there are "
            f"{len(texts)}; expected one line of labels per segment"
        )
    cut = [line.split() if isinstance(line, str) else list(line) for line in labels]
    for row, (own, words) in enumerate(zip(cut, texts, strict=True)):
        if len(own) != len(words):
            raise InputError(
                f"segment {row + 1} of {whose} has {len(own)} labels but {len(words)} tokens; "
                "expected one label for each: write the tokens that were labelled into the "
                "texts, with spaces between them, and use the tokenizer none"
            )
    return cut


def _three(counts: WordCounts) -> tuple[Counter[str], Counter[str], Counter[str]]:
    return counts.matched, counts.produced, counts.expected


def _accuracy(
    name: str, title: str, labels: Iterable[str], systems: Sequence[Mapping[str, Sequence[int]]]
) -> WordAccuracy:
    used = [label for label in labels if any(any(sums[label]) for sums in systems)]
    return WordAccuracy(
        name,
        title,
        tuple(tuple(WordScore(label, *sums[label]) for label in used) for sums in systems),
    )
