"""ROUGE's row of one segment, by counting and by tables of common subsequences (Lin 2004)."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import chain
from operator import add

from bleuet.metrics.bleu.definition import clipped_matches
from bleuet.statistics.definitions.counter import AligningCounter
from bleuet.statistics.definitions.length_limit import (
    MOST_SKIP_BIGRAMS,
    MOST_SUBSEQUENCE_CELLS,
    MOST_WEIGHTED_CELLS,
    check_cells,
    check_pairs,
)
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
    hypothesis: Sequence[Sentence], references: Sequence[Sequence[Sentence]], **options: Any
) -> tuple[int, float, float, float]:
    """Return 1, and precision, recall and F of a segment.

    Args:
        hypothesis: its sentences, each the tokens of one; all tokens are in one sentence unless
            the unit is "sentences".
        references: the same of each reference, at least one.
        **options: those of `shared_units`; and `several`, what several references score: "best",
            the numbers of the one with the highest F; "average", those of all counts together;
            "jackknife", the mean over each reference that is left out of the best of the others.

    >>> rouge_row(["the cat sat".split()], [["the cat".split()]])
    (1, 0.6666666666666666, 1.0, 0.8)
    """
    several = options.pop("several", "best")
    weight = options.get("weight", 1.0) if options.get("unit") == "weighted" else 1.0
    counts = [shared_units(hypothesis, reference, **options) for reference in references]
    if several == "average":
        # From Python 3.12 on, sum() rounds less than the kernel does.
        shared, ours, theirs = (reduce(add, column) for column in zip(*counts, strict=True))
        return 1, *_measures(shared, ours, theirs, weight)
    found = [_measures(*one, weight) for one in counts]
    if several == "best" or len(found) == 1:
        return 1, *max(found, key=lambda one: one[2])
    precision = recall = f = 0.0
    for left_out in range(len(found)):
        best = max(found[:left_out] + found[left_out + 1 :], key=lambda one: one[2])
        precision, recall, f = precision + best[0], recall + best[1], f + best[2]
    return 1, precision / len(found), recall / len(found), f / len(found)


def shared_with_best(
    hypothesis: Sequence[Sentence], references: Sequence[Sequence[Sentence]], **options: Any
) -> tuple[int, list[Aligned]]:
    """Return the number of the best reference, from 0, and the words of the subsequences with it.

    Arguments as for `rouge_row`.

    Returns:
        The number; and of each word its place in the hypothesis and 1, the same in the reference,
        and 0. None if n-grams count.

    >>> shared_with_best(["a b".split()], [["c b".split()]], unit="subsequence")
    (0, [(1, 1, 1, 1, 0)])
    """
    options["several"] = "best"
    found = [rouge_row(hypothesis, [reference], **options)[3] for reference in references]
    number = found.index(max(found))
    if options["unit"] not in ("subsequence", "sentences"):
        return number, []
    # A text without sentences is one sentence, so that the union is its only subsequence.
    pairs = union_of_subsequences(references[number], hypothesis)
    return number, [(h, 1, r, 1, 0) for r, h in pairs]


def shared_units(
    hypothesis: Sequence[Sentence],
    reference: Sequence[Sentence],
    *,
    unit: str = "ngrams",
    order: int = 1,
    weight: float = 1.2,
    skip_distance: int = 4,
    unigrams: bool = False,
    paper: bool = False,
) -> tuple[float, float, float]:
    """Return what a hypothesis shares with a reference, and what each of them has.

    Args:
        hypothesis: its sentences, as for `rouge_row`.
        reference: its sentences.
        unit: "ngrams" for ROUGE-N, "subsequence" for ROUGE-L, "sentences" for ROUGE-Lsum,
            "weighted" for ROUGE-W, "skip" for ROUGE-S and ROUGE-SU.
        order: the length of n-grams.
        weight: the exponent of the length of a run, in ROUGE-W.
        skip_distance: the most words between two words of a skip-bigram.
        unigrams: count words too, for ROUGE-SU.
        paper: count as the paper does, and not as ROUGE-1.5.5, in ROUGE-W and ROUGE-SU.

    Source: Lin (2004), sections 2 to 5.

    >>> police = "police killed the gunman".split()
    >>> shared_units([police], ["police kill the gunman".split()], unit="skip")
    (3, 6, 6)
    """
    ours, theirs = hypothesis[0], reference[0]
    if unit == "ngrams":
        shared: float = clipped_matches(ours, [theirs], order)
        return shared, _units(hypothesis, order), _units(reference, order)
    if unit == "skip":
        last = 0 if paper else 1
        pairs = sum(_skip_pairs(len(tokens), skip_distance) for tokens in (ours, theirs))
        check_pairs("ROUGE-S", "words", pairs, MOST_SKIP_BIGRAMS)
        grams, others = (
            _skip_bigrams(tokens, skip_distance)
            + Counter(tokens[: len(tokens) - last] if unigrams else ())
            for tokens in (ours, theirs)
        )
        return (grams & others).total(), grams.total(), others.total()
    sizes = _units(hypothesis, 1), _units(reference, 1)
    if unit == "weighted":
        check_cells("ROUGE-W of words", *sizes, MOST_WEIGHTED_CELLS)
        lengths = [float(len(ours)) ** weight, float(len(theirs)) ** weight]
        if not paper:
            lengths[1] = lengths[1] ** weight
        return weighted_subsequence(theirs, ours, weight, paper=paper), lengths[0], lengths[1]
    check_cells("ROUGE-L of words", *sizes, MOST_SUBSEQUENCE_CELLS)
    if unit == "subsequence":
        shared = len(common_subsequence(theirs, ours))
    else:
        shared = len(union_of_subsequences(reference, hypothesis))
    return shared, *sizes


def _measures(
    shared: float, ours: float, theirs: float, weight: float
) -> tuple[float, float, float]:
    """Return precision, recall and F of units whose counts are lengths to the power of `weight`."""
    precision, recall = shared / max(ours, 1), shared / max(theirs, 1)
    if weight != 1:
        precision, recall = precision ** (1 / weight), recall ** (1 / weight)
    f = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    return precision, recall, f


def _skip_pairs(tokens: int, distance: int) -> int:
    """Return how many skip-bigrams so many words have.

    >>> _skip_pairs(5, 1), _skip_pairs(5, 1000)
    (7, 10)
    """
    most = min(tokens, distance + 1)
    return (tokens - most) * (distance + 1) + most * (most - 1) // 2


def _skip_bigrams(tokens: Sentence, distance: int) -> Counter[Any]:
    return Counter(
        (first, second)
        for i, first in enumerate(tokens)
        for second in tokens[i + 1 : i + distance + 2]
    )


def weighted_subsequence(
    tokens: Sentence, other: Sentence, weight: float, *, paper: bool = False
) -> float:
    """Return the weight of a common subsequence in which runs of words count more.

    A run of k words that follow each other in both sides has the weight k to the power of `weight`,
    and the table of the paper adds these. ROUGE-1.5.5 traces the subsequence back through the same
    table, leaving out a word of `tokens` rather than of `other`, and adds the weights of the runs
    that follow each other in `tokens` alone.

    Args:
        tokens: the reference.
        other: the hypothesis.
        weight: the exponent.
        paper: return the number of the paper's table.

    Source: Lin (2004), section 4.

    >>> reference = "A B C D E F G".split()
    >>> [weighted_subsequence(reference, text.split(), 2.0) for text in ("A B C D H I", "A H B C")]
    [16.0, 9.0]
    >>> weighted_subsequence(reference, "A H B C".split(), 2.0, paper=True)
    5.0
    """
    powers = [float(k) ** weight for k in range(min(len(tokens), len(other)) + 2)]
    # A cell: the weight by the table, the length of its run; the weight of the runs of `tokens`
    # that have ended, the last word, and the length of the run that it is in.
    empty = (0.0, 0, 0.0, -1, 0)
    row = [empty] * (len(other) + 1)
    for i, token in enumerate(tokens, 1):
        above, row = row, [empty]
        for j, one in enumerate(other, 1):
            if token == one:
                total, length, ended, last, run = above[j - 1]
                total = total + powers[length + 1] - powers[length]
                if last == i - 1:
                    row.append((total, length + 1, ended, i, run + 1))
                else:
                    row.append((total, length + 1, ended + powers[run], i, 1))
            else:
                up, left = above[j], row[j - 1]
                total, _, ended, last, run = up if up[0] >= left[0] else left
                row.append((total, 0, ended, last, run))
    total, _, ended, _, run = row[-1]
    return total if paper else ended + powers[run]


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
