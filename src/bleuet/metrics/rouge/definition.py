"""ROUGE's row of one segment, by counting and by the table of common subsequences (Lin 2004)."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from bleuet.metrics.bleu.definition import clipped_matches
from bleuet.statistics.definitions.counter import AligningCounter
from bleuet.text.tokenizers.rouge_words import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from typing import Any

    from bleuet.statistics.definitions.counter import Aligned, Number

    Sentence = Sequence[Hashable]


class RougeCounter(AligningCounter):
    """ROUGE's statistics."""

    integers = 1
    reals = 3

    def __init__(self, *, tokenizer: str, lowercase: bool, **options: Any) -> None:
        super().__init__(**options)
        self.words = WORDS[tokenizer]
        self.lowercase = lowercase

    def read(self, text: str, *, reference: bool) -> list[list[str]]:
        """Return the words of each sentence in lower case; all in one unless sentences count."""
        text = text.lower() if self.lowercase else text
        lines = text.split("\n") if self.options["unit"] == "sentences" else [text]
        return [self.words(line) for line in lines]

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return one segment, precision, recall and F."""
        return rouge_row(hypothesis, references, **self.options)

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return the words of the subsequences of the best reference; none of n-grams."""
        return shared_with_best(hypothesis, references, **self.options)


def rouge_row(
    hypothesis: Sequence[Sentence],
    references: Sequence[Sequence[Sentence]],
    *,
    unit: str = "ngrams",
    order: int = 1,
) -> tuple[int, float, float, float]:
    """Return 1, and precision, recall and F of the reference with the highest F.

    Args:
        hypothesis: its sentences, each the tokens of one; all tokens are in one sentence unless
            the unit is "sentences".
        references: the same of each reference, at least one.
        unit: "ngrams" for ROUGE-N, "subsequence" for ROUGE-L, "sentences" for ROUGE-Lsum.
        order: the length of n-grams.

    >>> rouge_row(["the cat sat".split()], [["the cat".split()]])
    (1, 0.6666666666666666, 1.0, 0.8)
    """
    _, precision, recall, f = _best(hypothesis, references, unit, order)
    return 1, precision, recall, f


def shared_with_best(
    hypothesis: Sequence[Sentence],
    references: Sequence[Sequence[Sentence]],
    *,
    unit: str,
    order: int,
) -> tuple[int, list[Aligned]]:
    """Return the number of the best reference, from 0, and the words of the subsequences with it.

    Arguments as for `rouge_row`.

    Returns:
        The number; and of each word its place in the hypothesis and 1, the same in the reference,
        and 0. None if n-grams count.

    >>> shared_with_best(["a b".split()], [["c b".split()]], unit="subsequence", order=1)
    (0, [(1, 1, 1, 1, 0)])
    """
    number, *_ = _best(hypothesis, references, unit, order)
    if unit == "ngrams":
        return number, []
    # Without sentences there is one, so that the union is the one subsequence.
    pairs = union_of_subsequences(references[number], hypothesis)
    return number, [(h, 1, r, 1, 0) for r, h in pairs]


def _best(
    hypothesis: Sequence[Sentence],
    references: Sequence[Sequence[Sentence]],
    unit: str,
    order: int,
) -> tuple[int, float, float, float]:
    """Return the number of the reference with the highest F, and its precision, recall and F."""
    found = []
    size = order if unit == "ngrams" else 1
    for reference in references:
        if unit == "ngrams":
            shared = clipped_matches(hypothesis[0], [reference[0]], order)
        elif unit == "subsequence":
            shared = len(common_subsequence(reference[0], hypothesis[0]))
        else:
            shared = len(union_of_subsequences(reference, hypothesis))
        precision = shared / max(_units(hypothesis, size), 1)
        recall = shared / max(_units(reference, size), 1)
        f = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
        found.append((precision, recall, f))
    number, best = max(enumerate(found), key=lambda pair: pair[1][2])
    return number, *best


def _units(sentences: Sequence[Sentence], size: int) -> int:
    return sum(max(0, len(sentence) - size + 1) for sentence in sentences)


def common_subsequence(tokens: Sentence, other: Sentence) -> list[tuple[int, int]]:
    """Return the positions in both of one longest common subsequence.

    There may be several. This is the one that rouge-score finds: from the ends, equal tokens are
    taken, and otherwise the side is shortened that keeps the length, `tokens` if both do.

    Source: Lin (2004), section 3.1.

    >>> common_subsequence("a b c d".split(), "b d c".split())
    [(1, 0), (2, 2)]
    """
    lengths = [[0] * (len(other) + 1)]
    for token in tokens:
        above, row = lengths[-1], [0]
        for j, one in enumerate(other):
            row.append(above[j] + 1 if token == one else max(above[j + 1], row[j]))
        lengths.append(row)
    i, j = len(tokens), len(other)
    positions: list[tuple[int, int]] = []
    while i and j:
        if tokens[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            positions.append((i, j))
        elif lengths[i][j - 1] > lengths[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return positions[::-1]


def union_of_subsequences(
    reference: Sequence[Sentence], hypothesis: Sequence[Sentence]
) -> list[tuple[int, int]]:
    """Return the positions of the union of subsequences of each sentence with each other.

    Positions count from the beginning of each text. Of a token, no more are returned than the
    hypothesis has, as in ROUGE-1.5.5 and rouge-score.

    Source: Lin (2004), section 3.2.

    >>> union_of_subsequences(["a b c d e".split()], ["a b f".split(), "a c g e".split()])
    [(0, 0), (1, 1), (2, 4), (4, 6)]
    """
    left = Counter(chain.from_iterable(hypothesis))
    positions = []
    for start, sentence in _starts(reference):
        found: dict[int, int] = {}
        for other_start, other in _starts(hypothesis):
            for i, j in common_subsequence(sentence, other):
                found.setdefault(i, other_start + j)
        for i in sorted(found):
            if left[sentence[i]] > 0:
                left[sentence[i]] -= 1
                positions.append((start + i, found[i]))
    return positions


def _starts(sentences: Sequence[Sentence]) -> Iterator[tuple[int, Sentence]]:
    start = 0
    for sentence in sentences:
        yield start, sentence
        start += len(sentence)
