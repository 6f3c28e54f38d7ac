"""How often words come, in a training text or in the references themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain

from bleuet.errors import InputTypeError
from bleuet.studies.comparison.tokens import cutter, lower

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleuet.studies.comparison.evaluation import Evaluation
    from bleuet.studies.comparison.tokens import Tokens


def word_frequencies(
    evaluation: Evaluation, given: Mapping[str, int] | Iterable[str] | None = None
) -> Mapping[str, int]:
    """Return how often each word of a test set comes.

    Args:
        evaluation: the test set; it says what a word is, and whether case counts.
        given: counts by word, or texts to count in, such as the lines of a training file, which
            are read one by one and not kept; default all references of the test set.

    Raises:
        InputTypeError: one string was given instead of texts.
    """
    if given is None:
        return Counter(chain.from_iterable(chain.from_iterable(evaluation.words.references)))
    if isinstance(given, str):
        raise InputTypeError(
            "frequencies are counts by word, or texts to count in, not one string: put a single "
            "text in a list, and read a file first"
        )
    if isinstance(given, Mapping):
        return _lowered(given) if evaluation.lowercase else given
    return _count(evaluation, given)


def _count(evaluation: Evaluation, texts: Iterable[str]) -> dict[str, int]:
    """Count the words of the test set in other texts; words it has not take no memory."""
    cut = cutter(evaluation.tokens.tokenizer)
    counts = dict.fromkeys(_vocabulary(evaluation.words), 0)
    lowercase = evaluation.lowercase
    for text in texts:
        for word in lower(cut(text)) if lowercase else cut(text):
            if word in counts:
                counts[word] += 1
    return counts


def _lowered(counts: Mapping[str, int]) -> Counter[str]:
    lowered: Counter[str] = Counter()
    for word, count in counts.items():
        lowered[word.lower()] += count
    return lowered


def _vocabulary(tokens: Tokens) -> set[str]:
    texts = chain(*tokens.hypotheses, *tokens.references)
    return set(chain.from_iterable(texts))
