"""Generated test sets, with what makes studies go wrong: several of everything, of unequal size."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# fmt: off
WORDS = (
    "the", "a", "one", "Harbour", "lighthouse", "keeper", "rowed", "slowly", "past", "grey",
    "boats", ",", "before", "dawn", ".", "and", "12", "3,5", "sold", "fish", "to", "Anna", "at",
    "noon", ";", "nobody", "answered", "when", "bells", "rang", "twice",
)
# fmt: on
GROUPS = ("news", "talk", "web")
# Integers, integers of letters, an error rate, and a mean of real numbers.
METRICS = ("bleu", "chrf", "ter", "rougeL")


class Study(NamedTuple):
    """A test set; each segment keeps its name where segments change their places.

    Attributes:
        names: the name of each segment.
        systems: the hypotheses by the name of the system; "twin" is a copy of "first".
        references: from one to three of each segment.
        sources: the source of each segment.
        documents: the document of each segment; they are of unequal size.
        groups: the group of each segment, which changes from segment to segment.
        metrics: the metrics, in the order in which studies get them.
    """

    names: list[str]
    systems: dict[str, list[str]]
    references: list[list[str]]
    sources: list[str]
    documents: list[str]
    groups: list[str]
    metrics: tuple[str, ...] = METRICS

    def select(self, rows: Sequence[int]) -> Study:
        """The study of some segments, in this order."""
        return Study(
            [self.names[row] for row in rows],
            {name: [own[row] for row in rows] for name, own in self.systems.items()},
            [self.references[row] for row in rows],
            [self.sources[row] for row in rows],
            [self.documents[row] for row in rows],
            [self.groups[row] for row in rows],
            self.metrics,
        )

    def of_systems(self, names: Sequence[str]) -> Study:
        """The study of some systems, in this order."""
        return self._replace(systems={name: self.systems[name] for name in names})

    def renamed(self, names: Mapping[str, str]) -> Study:
        """The study whose systems have other names, in the same order."""
        return self._replace(systems={names[name]: own for name, own in self.systems.items()})

    def rows_of(self, group: str) -> list[int]:
        """The segments of a group."""
        return [row for row, own in enumerate(self.groups) if own == group]

    def column(self, number: int) -> list[str]:
        """One reference of each segment; a segment that has fewer repeats its first."""
        return [own[number] if number < len(own) else own[0] for own in self.references]


def generated(seed: int = 1, segments: int = 40) -> Study:
    """A test set with duplicates, empty hypotheses, and systems of different quality."""
    drawn = random.Random(seed)
    references, sources = [], []
    for _ in range(segments):
        words = drawn.choices(WORDS, k=drawn.randint(1, 14))
        sources.append(" ".join(word.upper() for word in reversed(words)))
        others = drawn.choice((0, 0, 1, 2))
        references.append([" ".join(words), *(_changed(drawn, words, 0.3) for _ in range(others))])
    qualities = {"first": 0.25, "close": 0.3, "worse": 0.6}
    systems = {
        name: [_changed(drawn, own[0].split(), share) for own in references]
        for name, share in qualities.items()
    }
    systems["first"][4] = systems["close"][4] = systems["worse"][segments - 1] = ""
    systems["close"][7] = references[7][0]
    # A segment that is there three times.
    for row in (segments // 2, segments - 2):
        references[row], sources[row] = references[5], sources[5]
        for own in systems.values():
            own[row] = own[5]
    systems["twin"] = list(systems["first"])
    documents: list[str] = []
    while len(documents) < segments:
        documents += [f"document {len(set(documents))}"] * (1 + len(set(documents)))
    return Study(
        [f"segment {row}" for row in range(segments)],
        systems,
        references,
        sources,
        documents[:segments],
        [GROUPS[drawn.choice((0, 0, 1, 2))] for _ in range(segments)],
    )


def _changed(drawn: random.Random, words: Sequence[str], share: float) -> str:
    """Words of which a share is left out, exchanged, repeated or in another case."""
    found: list[str] = []
    for word in words:
        if drawn.random() >= share:
            found.append(word)
            continue
        found += drawn.choice(([], [drawn.choice(WORDS)], [word, word], [word.swapcase()]))
    return " ".join(found)
