"""Layouts of references: lists of words, and sacreBLEU's streams, where references are expected.

Both can have as many lists as there are hypotheses. Lengths and letters then show what they are.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Fewer references of one word may be short answers.
LEAST_WORDS = 3
# A list of words is about as long as the hypothesis, and has words of its length.
MOST_DIFFERENCE, LONGEST_WORD = 0.6, 2.0
# So many segments show a transposed layout: the hypotheses share this much more of their pairs of
# letters with the references that would be theirs.
SQUARE, LEAST_GAIN, LEAST_RATIO = 20, 0.15, 1.5

WORDS = (
    "the references of a segment are texts of one word each, about as many as the hypothesis has "
    "words, so that each word counts as a reference: join the words, as in [' '.join(words)]"
)
TRANSPOSED = (
    "the references fit the hypotheses better where they are transposed, but references[i] belongs "
    "to hypotheses[i]: if they are sacreBLEU's streams, use Corpus.from_sacrebleu(hypotheses, "
    "references); if not, Corpus(hypotheses, references)"
)


def are_words(hypotheses: Sequence[str], references: Sequence[Any]) -> bool:
    """Return whether the references of each hypothesis are the words of one text.

    Args:
        hypotheses: the first hypotheses.
        references: a text or a list of texts for each.

    >>> are_words(["the cat sat down"], [["the", "cat", "sat", "there"]])
    True
    >>> are_words(["the capital is Paris"], [["Paris", "paris", "City of Paris"]])
    False
    """
    lists = [
        (hypothesis.split(), [text for text in entry if text is not None])
        for hypothesis, entry in zip(hypotheses, references, strict=False)
        if not isinstance(entry, str)
    ]
    if len(lists) < len(hypotheses) or any(
        not text or any(map(str.isspace, text)) for _, entry in lists for text in entry
    ):
        return False
    compared = [(words, entry) for words, entry in lists if len(words) >= LEAST_WORDS]
    entries = [entry for _, entry in compared]
    if not entries or max(map(len, entries)) < LEAST_WORDS:
        return False
    if len(compared) > 1 and len(set(map(len, entries))) == 1:  # texts differ in length
        return False
    alike = sum(
        abs(len(words) - len(entry)) <= MOST_DIFFERENCE * len(words)
        and _mean_length(entry) <= LONGEST_WORD * _mean_length(words)
        and len(set(entry)) > len(entry) / 2
        for words, entry in compared
    )
    # Other words for one thing begin alike.
    varied = sum(len({text[:1].lower() for text in entry}) > 1 for entry in entries)
    return alike > 0.8 * len(compared) and varied > 0.8 * len(entries)


def _mean_length(words: Sequence[str]) -> float:
    return sum(map(len, words)) / len(words)


def are_transposed(hypotheses: Sequence[str], references: Sequence[Any]) -> bool:
    """Return whether n lists of n references each fit n hypotheses better when transposed.

    Args:
        hypotheses: all hypotheses.
        references: a text or a list of texts for each.

    >>> streams = [["the cat sat", "it rained a lot"], ["a cat sat", "it rained much"]]
    >>> are_transposed(["the cat sits", "it rains a lot"], streams)
    True
    >>> are_transposed(["the cat sits", "it rains a lot"], list(zip(*streams)))
    False
    """
    count = len(hypotheses)
    if count < 2 or len(references) != count:
        return False
    sample = references[:SQUARE]
    if any(isinstance(entry, str) or len(entry) != count for entry in sample):
        return False
    size = len(sample)
    ours = [_pairs(text) for text in hypotheses[:size]]
    theirs = [[_pairs(text or "") for text in entry[:size]] for entry in sample]
    places = [(i, k) for i in range(size) for k in range(size) if i != k]
    fits = sum(_alike(ours[i], theirs[i][k]) for i, k in places) / len(places)
    transposed = sum(_alike(ours[i], theirs[k][i]) for i, k in places) / len(places)
    return transposed > fits + LEAST_GAIN and transposed > LEAST_RATIO * fits


def _pairs(text: str) -> set[str]:
    text = text.lower()
    return {text[place : place + 2] for place in range(len(text) - 1)}


def _alike(one: set[str], other: set[str]) -> float:
    """Return the share of pairs of letters that two texts have in common, from 0 to 1."""
    return 2 * len(one & other) / max(len(one) + len(other), 1)
