"""What CodeBLEU counts in one segment: n-grams, subtrees and edges of the data flow."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from operator import or_

from bleuet.frozen import cached_property
from bleuet.metrics.code_bleu.comments import without_comments
from bleuet.metrics.code_bleu.data_flow import data_flow
from bleuet.metrics.code_bleu.languages import LANGUAGES
from bleuet.metrics.code_bleu.syntax import SyntaxTree
from bleuet.statistics.definitions.counter import RowCounter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.code_bleu.data_flow import Edge

    Ngram: TypeAlias = tuple[str, ...]

ORDER = 4
# A keyword weighs 1 and another word 0.2 (Ren et al. 2020, section 3.1); counted in fifths.
KEYWORD = 5
PAPER = "paper"


class CodeCounter(RowCounter):
    """What the code of a segment has in common with its references.

    A row has, for n-grams of 1 to 4 words, how many match and how many there are; the lengths of
    hypothesis and reference, and that of the reference for n-grams with weights; how many of these
    match and how many there are; and the same of subtrees and edges of the references.

    Args:
        language: one of `LANGUAGES`.
        rules: those of a program, or "paper".
    """

    def __init__(self, *, language: str, rules: str) -> None:
        super().__init__(language=language, rules=rules)
        self.language = language
        self.paper = rules == PAPER
        self.keywords = frozenset(LANGUAGES[language].keywords.split())
        self.integers = 2 * ORDER + 3 + 2 * (1 if self.paper else ORDER) + 4

    def read(self, text: str, *, reference: bool) -> ReadCode:
        """Read the words and the tree of a text."""
        return ReadCode(text, self.language, exact=self.paper)

    def count(self, hypothesis: ReadCode, references: list[ReadCode]) -> list[int]:
        """Return the row of one segment."""
        # How often each n-gram stands in both the hypothesis and a reference.
        shared = [
            [hypothesis.ngrams[n] & reference.ngrams[n] for reference in references]
            for n in range(ORDER)
        ]
        matches = [_most(several).total() for several in shared]
        totals = [max(1, ngrams.total()) for ngrams in hypothesis.ngrams]
        size = len(hypothesis.words)
        lengths = [len(one.words) for one in references]
        closest = min(lengths, key=lambda length: (abs(length - size), length))
        trees = [0, 0, 0, 0]
        for i, reference in enumerate(references):
            # codebleu 0.7.0 removes comments once more for each reference, which can remove more.
            ours, theirs = hypothesis.cleaned(1 if self.paper else i + 1), reference.cleaned(1)
            trees[0] += self._shared_subtrees(ours, theirs)
            trees[1] += theirs.subtrees.total()
            trees[2] += (ours.edges & theirs.edges).total()
            trees[3] += theirs.edges.total()
        hypothesis.forget()
        if self.paper:
            weighted = self._weighted(hypothesis, shared[0])
        else:
            weighted = self._recalled(references, shared)
        # codebleu 0.7.0 takes the length of a pair, of the words and their weights.
        lengths = [size, closest, closest if self.paper else 2]
        return [*matches, *totals, *lengths, *weighted, *trees]

    def _recalled(
        self, references: list[ReadCode], shared: list[list[Counter[Ngram]]]
    ) -> list[int]:
        """Return how many n-grams of all references match and how many there are, at least 1.

        Single words have weights, in fifths.
        """
        matches, totals = [], []
        for n in range(ORDER):
            unit = KEYWORD if n == 0 else 1
            weigh = self._weight if n == 0 else Counter.total
            matches.append(sum(map(weigh, shared[n])))
            totals.append(sum(max(unit, weigh(one.ngrams[n])) for one in references))
        return [*matches, *totals]

    def _weighted(self, hypothesis: ReadCode, shared: list[Counter[Ngram]]) -> list[int]:
        """Return how many words match and how many there are, with weights in fifths."""
        return [self._weight(_most(shared)), max(1, self._weight(hypothesis.ngrams[0]))]

    def _weight(self, words: Counter[Ngram]) -> int:
        keywords = self.keywords
        return sum(n * (KEYWORD if word in keywords else 1) for (word,), n in words.items())

    def _shared_subtrees(self, ours: CleanCode, theirs: CleanCode) -> int:
        """Return how many subtrees of a reference the hypothesis has."""
        found = theirs.subtrees_in(ours)
        if self.paper:
            return (found & theirs.subtrees).total()
        return sum(theirs.subtrees[one] for one in found)


class ReadCode:
    """The words of code, and what is left of it without comments, read when it is needed.

    Args:
        text: the code.
        language: its language.
        exact: as of `SyntaxTree`.
    """

    def __init__(self, text: str, language: str, *, exact: bool) -> None:
        text = text.strip()
        self.language = language
        self.exact = exact
        self.words = text.split()
        self.ngrams = [
            Counter(zip(*[self.words[i:] for i in range(n)], strict=False))
            for n in range(1, ORDER + 1)
        ]
        self._cleaned: list[CleanCode] = []
        self._text = text

    def cleaned(self, times: int) -> CleanCode:
        """Return the code from which comments have been removed so often.

        Args:
            times: how often, at least once.
        """
        while len(self._cleaned) < times:
            before = self._cleaned[-1].text if self._cleaned else self._text
            text = without_comments(before, self.language)
            if self._cleaned and text == before:
                return self._cleaned[-1]
            self._cleaned.append(CleanCode(text, self.language, exact=self.exact))
        return self._cleaned[times - 1]

    def forget(self) -> None:
        """Give memory back; what is needed again is read again."""
        self._cleaned.clear()


class CleanCode:
    """The subtrees and the data flow of code.

    Attributes:
        text: the code.
        edges: how often each edge of the data flow occurs.
    """

    def __init__(self, text: str, language: str, *, exact: bool) -> None:
        tree = SyntaxTree(text, language, exact=exact)
        self.text = text
        self.edges: Counter[Edge] = data_flow(tree, LANGUAGES[language].flow)
        self._parts = [*tree.subtrees()]

    @cached_property
    def _numbered(self) -> tuple[dict[Any, int], Counter[int]]:
        """A number for each subtree, and how often it occurs, by that number."""
        numbers: dict[Any, int] = {}
        return numbers, self._counted(numbers, learn=True)

    @property
    def subtrees(self) -> Counter[int]:
        """How often each subtree occurs, by a number for each."""
        return self._numbered[1]

    def subtrees_in(self, other: CleanCode) -> Counter[int]:
        """Return how often the subtrees of this code occur in other code, by their numbers."""
        return other._counted(self._numbered[0], learn=False)

    def _counted(self, numbers: dict[Any, int], *, learn: bool) -> Counter[int]:
        """Count subtrees by numbers; equal subtrees consist of equal parts, so have one number."""
        counts: Counter[int] = Counter()
        by_node: dict[int, int] = {}
        for node, (kind, named, *parts) in self._parts:
            key = (
                kind,
                named,
                *[
                    (field, by_node.get(part, -1) if isinstance(part, int) else part)
                    for field, part in parts
                ],
            )
            number = numbers.setdefault(key, len(numbers)) if learn else numbers.get(key)
            if number is not None:
                by_node[node] = number
                counts[number] += 1
        return counts


def _most(shared: Sequence[Counter[Ngram]]) -> Counter[Ngram]:
    """Return how often each n-gram is shared with the reference that shares it most often."""
    return reduce(or_, shared)
