"""How often words occur in a training text, or in the references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from bleuet.comparison.tokens import lower, splitter
from bleuet.errors import InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleuet.comparison.tokens import Tokens


def word_frequencies(
    words: Tokens,
    source: Mapping[str, int] | Iterable[str] | None = None,
    *,
    lowercase: bool = False,
) -> Mapping[str, int]:
    """Return how often each word of a test set occurs.

    Args:
        words: the words of the test set.
        source: counts by word, or texts to count words in, such as the lines of a training file,
            which are read one by one and not kept; default all references of the test set.
        lowercase: whether the words of the test set are in lower case.

    Raises:
        InputTypeError: the source is one string.
    """
    if source is None:
        texts = words.references.texts
        counts = Counter(memoryview(texts.numbers).cast("i"))
        return {texts.vocabulary[number]: count for number, count in counts.items()}
    if isinstance(source, str):
        raise InputTypeError(
            "frequencies must be counts by word or a list of texts, not one string: put a single "
            "text in a list, and read a file first"
        )
    if isinstance(source, Mapping):
        return _lowercased(source) if lowercase else source
    return _count(words, source, lowercase)


def _count(words: Tokens, texts: Iterable[str], lowercase: bool) -> dict[str, int]:
    """Count the words of the test set in other texts; other words take no memory."""
    split = splitter(words.tokenizer)
    counts = dict.fromkeys(words.vocabulary, 0)
    for text in texts:
        for word in lower(split(text)) if lowercase else split(text):
            if word in counts:
                counts[word] += 1
    return counts


def _lowercased(counts: Mapping[str, int]) -> Counter[str]:
    merged: Counter[str] = Counter()
    for word, count in counts.items():
        merged[word.lower()] += count
    return merged
