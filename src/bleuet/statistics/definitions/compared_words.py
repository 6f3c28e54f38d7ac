"""What systems are compared by: words as numbers, their clipped matches, n-grams that match.

The definitions of the kernel's functions of the same names. Texts are two buffers: the numbers of
their words (32 bits), and where each text ends (64 bits). References have a third: with which text
those of each segment end.
"""

from __future__ import annotations

from array import array
from collections import Counter
from heapq import nsmallest
from itertools import chain, pairwise

from bleuet.text.tokenizers import TOKENIZERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeAlias

    Words: TypeAlias = tuple[int, ...]
    # The words that only the reference has, and those that only the hypothesis has.
    Difference: TypeAlias = tuple[Words, Words]

PUNCTUATION, NUMBER = 1, 2


def number_words(
    tokenizer: str, lists: Sequence[Sequence[str]]
) -> tuple[list[str], list[tuple[bytearray, bytearray]]]:
    """Return the different words of all texts, and the texts of each list as numbers of words."""
    tokenize = TOKENIZERS[tokenizer].tokenize
    known: dict[str, int] = {}
    found = []
    for texts in lists:
        numbers, ends = array("i"), array("q")
        for text in texts:
            words = tokenize(text.rstrip()).split()
            numbers.extend([known.setdefault(word, len(known)) for word in words])
            ends.append(len(numbers))
        found.append((bytearray(numbers), bytearray(ends)))
    return list(known), found


def replace_numbers(numbers: Any, by: Any) -> bytearray:
    """Return `by[number]` for each number."""
    return bytearray(array("i", map(read_numbers(by, "i").__getitem__, read_numbers(numbers, "i"))))


def count_words(
    hypotheses: Any, references: Any, words: int
) -> tuple[bytearray, bytearray, bytearray]:
    """Return the counts of each word: matched, in the hypotheses, in the best references."""
    matched, produced, expected = (array("q", bytes(8 * words)) for _ in range(3))
    for hypothesis, of_segment in zip(
        read_texts(hypotheses), read_segments(references), strict=True
    ):
        reference, _ = match_all(hypothesis, of_segment)[0]
        for word, count in Counter(hypothesis).items():
            produced[word] += count
        for word, count in Counter(reference).items():
            expected[word] += count
        for word, count in (Counter(hypothesis) & Counter(reference)).items():
            matched[word] += count
    return bytearray(matched), bytearray(produced), bytearray(expected)


def surface_errors(
    hypotheses: Any, references: Any, lower: Any, kinds: Any
) -> tuple[tuple[int, int, tuple[int, ...], tuple[int, ...]], ...]:
    """Return the errors of case, punctuation and numbers.

    Of each: missing and added words, the segments that have some, and those that differ from a
    reference in nothing else.
    """
    in_lower, of_words = read_numbers(lower, "i"), read_numbers(kinds, "B")
    texts = list(zip(read_texts(hypotheses), read_segments(references), strict=True))
    matches = [match_all(*pair) for pair in texts]

    def lowered(words: Words) -> Words:
        return tuple([in_lower[word] for word in words])

    def in_other_case(one: Difference) -> tuple[int, int]:
        missing, added = Counter(lowered(one[0])), Counter(lowered(one[1]))
        return (missing & added).total(), (missing & added).total()

    def of_kind(kind: int) -> Callable[[Difference], tuple[int, int]]:
        return lambda one: (
            sum([bool(of_words[word] & kind) for word in one[0]]),
            sum([bool(of_words[word] & kind) for word in one[1]]),
        )

    def without(kind: int) -> Callable[[Words], Words]:
        return lambda words: tuple([word for word in words if not of_words[word] & kind])

    found = []
    for count, rest in (
        (in_other_case, lowered),
        *((of_kind(kind), without(kind)) for kind in (PUNCTUATION, NUMBER)),
    ):
        counts = [count(of_segment[0][1]) for of_segment in matches]
        found.append(
            (
                sum([missing for missing, _ in counts]),
                sum([added for _, added in counts]),
                tuple([row for row, pair in enumerate(counts) if any(pair)]),
                tuple(
                    [
                        row
                        for row, (hypothesis, of_segment) in enumerate(texts)
                        if hypothesis not in of_segment
                        and rest(hypothesis) in map(rest, of_segment)
                    ]
                ),
            )
        )
    return tuple(found)


def match(hypothesis: Words, reference: Words) -> Difference:
    """Match the words of two texts, and return those without a match.

    >>> match((1, 2, 1), (1, 3))
    ((3,), (2, 1))
    """
    available = Counter(reference)
    added = []
    for word in hypothesis:
        if available.get(word):
            available[word] -= 1
        else:
            added.append(word)
    return tuple(available.elements()), tuple(added)


def match_all(hypothesis: Words, references: Sequence[Words]) -> list[tuple[Words, Difference]]:
    """Match a hypothesis with each reference; the reference with the most matches comes first.

    >>> [one for one, _ in match_all((1, 2), [(3,), (2, 4), (1,)])]
    [(2, 4), (1,), (3,)]
    """
    found = [(reference, match(hypothesis, reference)) for reference in references]
    return sorted(found, key=lambda one: len(one[1][1]))


def match_ngrams(
    hypotheses: Sequence[Any], references: Any, words: int, longest: int
) -> tuple[bytearray, bytearray, bytearray, bytearray]:
    """Return the n-grams with at least one match, in groups.

    In a segment an n-gram matches as often as the hypothesis has it, but at most as often as the
    reference that has it most (Papineni et al. 2002, section 2.1). The n-grams of one length with
    the same matches by every system form a group.

    Returns:
        The length of each group, its matches by each system, and where it ends among the n-grams;
        then for each n-gram a place where it begins among the words of the references.
    """
    systems = [list(read_texts(own)) for own in hypotheses]
    matched: dict[Words, list[int]] = {}
    for row, of_segment in enumerate(read_segments(references)):
        available = _most(of_segment, longest)
        for system, own in enumerate(systems):
            counts = _ngrams(own[row], longest)
            for ngram in available.keys() & counts.keys():
                of_ngram = matched.setdefault(ngram, [0] * len(systems))
                of_ngram[system] += min(counts[ngram], available[ngram])
    starts = _starts(references, matched, longest)
    groups: dict[tuple[int, ...], list[int]] = {}
    for ngram, of_ngram in matched.items():
        groups.setdefault((len(ngram), *of_ngram), []).append(starts[ngram])
    ends, end = array("q"), 0
    for members in groups.values():
        end += len(members)
        ends.append(end)
    return (
        bytearray(array("q", [length for length, *_ in groups])),
        bytearray(array("q", chain.from_iterable(counts for _, *counts in groups))),
        bytearray(ends),
        bytearray(array("i", chain.from_iterable(groups.values()))),
    )


def first_ngrams(
    numbers: Any,
    ranks: Any,
    starts: Any,
    slices: Sequence[tuple[int, int]],
    length: int,
    limit: int,
) -> list[int]:
    """Return the places of the first n-grams of some slices, in the order of their words."""
    texts, order, places = (
        read_numbers(numbers, "i"),
        read_numbers(ranks, "i"),
        read_numbers(starts, "i"),
    )
    return nsmallest(
        limit,
        chain.from_iterable(places[begin:end] for begin, end in slices),
        key=lambda start: [order[word] for word in texts[start : start + length]],
    )


def pack_texts(
    vocabulary: Sequence[str],
    hypotheses: Sequence[tuple[Sequence[str], Any]],
    references: tuple[Sequence[str], Any],
) -> tuple[bytearray, bytearray, list[tuple[int, int]]]:
    """Return texts as few bytes, segment by segment: the references, then each system.

    A symbol is a word with the space before it, or without: 2 * its number, and one more without
    the space. The first word of a text counts as one with a space.

    A text is a code for each word, 2 + the place of its symbol, and 0 behind the last. The code 1
    alone is a text that is written in another way. A code is seven bits a byte, the low ones first;
    all bytes of a code but the last have the top bit.

    Returns:
        The symbols in their places, the most frequent first; the bytes; and the texts that are
        written in another way: the list of each, 0 for references, and its place there.
    """
    symbols = [
        [
            _symbols(text, [vocabulary[number] for number in numbers], numbers)
            for text, numbers in zip(texts, read_texts(numbered), strict=True)
        ]
        for texts, numbered in (references, *hypotheses)
    ]
    counts = Counter(chain.from_iterable(filter(None, chain.from_iterable(symbols))))
    order = sorted(counts, key=lambda symbol: (-counts[symbol], symbol))
    codes = {symbol: 2 + place for place, symbol in enumerate(order)}
    packed, others = bytearray(), []
    for row, (begin, end) in enumerate(pairwise([0, *read_numbers(references[1][2], "q")])):
        of_segment = [(0, i) for i in range(begin, end)]
        for which, i in (*of_segment, *((system, row) for system in range(1, len(symbols)))):
            own = symbols[which][i]
            if own is None:
                others.append((which, i))
            for code in [1] if own is None else [*map(codes.__getitem__, own), 0]:
                packed += _in_bytes(code)
    return bytearray(array("i", order)), packed, others


def _symbols(text: str, words: Sequence[str], numbers: Words) -> list[int] | None:
    """Return the symbols of a text; None if it is not its words with at most one space between."""
    found, at = [], 0
    for word, number in zip(words, numbers, strict=True):
        space = at > 0 and text.startswith(" ", at)
        if not text.startswith(word, at + space):
            return None
        found.append(2 * number + (at > 0 and not space))
        at += space + len(word)
    return found if at == len(text) else None


def _in_bytes(code: int) -> bytes:
    found = []
    while code > 127:
        found.append(code & 127 | 128)
        code >>= 7
    return bytes([*found, code])


def _starts(references: Any, matched: dict[Words, list[int]], longest: int) -> dict[Words, int]:
    """Return a place of each n-gram among the words of the references."""
    found: dict[Words, int] = {}
    begin = 0
    for words in read_texts(references):
        for n in range(1, longest + 1):
            for i in range(len(words) - n + 1):
                if words[i : i + n] in matched:
                    found.setdefault(words[i : i + n], begin + i)
        begin += len(words)
    return found


def _ngrams(words: Words, longest: int) -> Counter[Words]:
    orders = range(1, longest + 1)
    return Counter(
        chain.from_iterable(zip(*(words[i:] for i in range(n)), strict=False) for n in orders)
    )


def _most(references: Sequence[Words], longest: int) -> Counter[Words]:
    """Return the count of each n-gram in the reference that has it most."""
    counts = _ngrams(references[0], longest)
    for reference in references[1:]:
        counts |= _ngrams(reference, longest)
    return counts


def read_texts(texts: Any) -> Iterator[Words]:
    """Yield the words of each text, from two buffers."""
    numbers = read_numbers(texts[0], "i")
    return (tuple(numbers[begin:end]) for begin, end in pairwise([0, *read_numbers(texts[1], "q")]))


def read_segments(references: Any) -> Iterator[list[Words]]:
    """Yield the references of each segment, from the three buffers of references."""
    texts = list(read_texts(references))
    return (texts[begin:end] for begin, end in pairwise([0, *read_numbers(references[2], "q")]))


def read_numbers(buffer: Any, kind: str) -> memoryview[int]:
    """Return a buffer as numbers of a kind of `array.array`."""
    view: memoryview[int] = memoryview(buffer).cast("B").cast(kind)  # type: ignore[call-overload]
    return view
