"""N-grams of words and characters as Counters, for programs that import them from sacreBLEU."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """Return the word n-grams of some orders, as tuples, and the number of words.

    >>> extract_all_word_ngrams("a b a", 1, 2)
    (Counter({('a',): 2, ('b',): 1, ('a', 'b'): 1, ('b', 'a'): 1}), 3)
    """
    words = line.split()
    orders = range(min_order, max_order + 1)
    ngrams = Counter(tuple(words[i : i + n]) for n in orders for i in range(len(words) - n + 1))
    return ngrams, len(words)


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """Return the word n-grams of one order, joined by spaces.

    >>> extract_word_ngrams(["a", "b", "a", "b"], 2)
    Counter({'a b': 2, 'b a': 1})
    """
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Return the character n-grams of one order.

    >>> extract_char_ngrams("a ba", 2)
    Counter({'ab': 1, 'ba': 1})
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """Return the character n-grams of the orders 1 to `max_order`.

    >>> extract_all_char_ngrams("ab", 2)
    [Counter({'a': 1, 'b': 1}), Counter({'ab': 1})]
    """
    text = line if include_whitespace else "".join(line.split())
    return [extract_char_ngrams(text, n, True) for n in range(1, max_order + 1)]
