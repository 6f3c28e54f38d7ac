"""Token F1 and exact match of one answer, slow and readable, by the rules of SQuAD's scripts."""

from __future__ import annotations

import re
from collections import Counter
from string import punctuation

from bleuet.statistics.definitions.counter import RowCounter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

ARTICLE = re.compile(r"\b(a|an|the)\b")
WITHOUT_PUNCTUATION = str.maketrans("", "", punctuation)


class AnswerCounter(RowCounter):
    """What an answer scores against the best of the right answers."""

    integers = 1
    reals = 1

    def read(self, text: str, *, reference: bool) -> str:
        """Return the text as it is."""
        return text

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[int, float]:
        """Return 1 and the score against the best right answer."""
        return answer_row(hypothesis, references, **self.options)


def answer_row(
    answer: str, right: Sequence[str], *, rules: str, normalize: bool, exact: bool
) -> tuple[int, float]:
    """Return the number 1, and what an answer scores against the best right answer.

    Args:
        answer: the answer.
        right: the right answers, at least one.
        rules: "squad-2.0" or "squad-1.1".
        normalize: compare normalized texts.
        exact: 1 for equal texts and 0 for others, not F1.

    >>> answer_row("The cat!", ["a cat", "a dog"], rules="squad-2.0", normalize=True, exact=True)
    (1, 1.0)
    """
    score = exact_match if exact else _f1_by(rules)
    return 1, score(*best_answer(answer, right, rules=rules, normalize=normalize, score=score))


def best_answer(
    answer: str,
    right: Sequence[str],
    *,
    rules: str,
    normalize: bool,
    score: Callable[[str, str], float] | None = None,
) -> tuple[str, str]:
    """Return the answer, and the right answer with the highest score, as they are compared.

    Args:
        answer: the answer.
        right: the right answers, at least one.
        rules: "squad-2.0" or "squad-1.1".
        normalize: compare normalized texts.
        score: of an answer and a right answer; default F1 by the rules.
    """
    compare = _f1_by(rules) if score is None else score
    own, *several = (normalized(one) if normalize else one for one in (answer, *right))
    if rules == "squad-2.0":
        # A question has no answer only if every right answer is empty.
        several = [one for one in several if one] or [""]
    return own, max(several, key=lambda one: compare(own, one))


def normalized(text: str) -> str:
    """Return a text as SQuAD's evaluation scripts compare it.

    >>> normalized("The cat's  toy, an apple")
    'cats toy apple'
    """
    return " ".join(ARTICLE.sub(" ", text.lower().translate(WITHOUT_PUNCTUATION)).split())


def exact_match(answer: str, right: str) -> float:
    """Return 1 for equal texts, else 0."""
    return float(answer == right)


def token_f1(answer: Sequence[str], right: Sequence[str], *, of_empty: float = 1.0) -> float:
    """Return the harmonic mean of precision and recall of words, from 0 to 1.

    Args:
        answer: the words of an answer.
        right: the words of a right answer.
        of_empty: what two empty answers score.

    >>> token_f1(["a", "b", "b"], ["b"])
    0.5
    """
    if not answer and not right:
        return of_empty
    same = shared_words(answer, right)
    if same == 0:
        return 0.0
    precision, recall = same / len(answer), same / len(right)
    return 2 * precision * recall / (precision + recall)


def shared_words(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words both have, each as often as both have it.

    >>> shared_words(["a", "b", "b"], ["b", "b", "c"])
    2
    """
    return (Counter(one) & Counter(other)).total()


def _f1_by(rules: str) -> Callable[[str, str], float]:
    of_empty = float(rules == "squad-2.0")
    return lambda answer, right: token_f1(answer.split(), right.split(), of_empty=of_empty)
