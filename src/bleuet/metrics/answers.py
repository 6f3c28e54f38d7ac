"""Token F1 and exact match of answers to questions, by the rules of SQuAD's evaluation scripts."""

from __future__ import annotations

import re
from collections import Counter
from string import punctuation

from bleuet.metrics.base.mean_of_segments import MeanOfSegments
from bleuet.metrics.base.option import option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation

SQUAD_2, SQUAD_1 = "squad-2.0", "squad-1.1"
ARTICLE = re.compile(r"\b(a|an|the)\b")
WITHOUT_PUNCTUATION = str.maketrans("", "", punctuation)
SOURCE = (
    "Rajpurkar, Zhang, Lopyrev and Liang (2016), SQuAD: 100,000+ Questions for Machine "
    "Comprehension of Text, EMNLP, section 6.1; Rajpurkar, Jia and Liang (2018), Know What You "
    "Don't Know: Unanswerable Questions for SQuAD, ACL"
)


class _AnswerMetric(MeanOfSegments):
    """What one answer scores against the best of the right answers, on average."""

    rules: Literal["squad-2.0", "squad-1.1"] = option(
        default="squad-2.0",
        help="the version of SQuAD's evaluation script; 1.1 counts right answers that are empty "
        "like others, and F1 of two empty answers is 0",
        choices=(SQUAD_2, SQUAD_1),
    )
    normalize: bool = option(
        default=True,
        help="lower-case, and remove ASCII punctuation, the articles a, an and the, and repeated "
        "white space",
        key="norm",
    )

    def compare(self, answer: str, right: str) -> float:
        """Return what an answer scores against one right answer, both normalized."""
        raise NotImplementedError

    def count_segment(self, hypothesis: str, references: list[str]) -> list[int | float]:
        """Return 1, and the score against the best of the references.

        Args:
            hypothesis: the answer.
            references: the right answers, at least one.
        """
        answer, right = self._best(hypothesis, references)
        return [1, self.compare(answer, right)]

    def _best(self, hypothesis: str, references: list[str]) -> tuple[str, str]:
        """Return the answer and the right answer with the highest score, both normalized."""
        answer, *right = map(self._as_compared, (hypothesis, *references))
        if self.rules == SQUAD_2:
            # A question has no answer only if every right answer is empty.
            right = [one for one in right if one] or [""]
        return answer, max(right, key=lambda one: self.compare(answer, one))

    def _as_compared(self, text: str) -> str:
        return normalized(text) if self.normalize else text


class TokenF1(_AnswerMetric):
    """F1 of the words of an answer: the mean over questions, as question answering reports it.

    F1 = 2 * P * R / (P + R), in percent, where P and R are the shares of the words of the answer
    and of the right answer that the other has too (Rajpurkar et al. 2016, section 6.1). Of several
    right answers, the best counts.

    >>> print(TokenF1().corpus_score(["in the city of Paris"], [["Paris", "Paris, France"]]))
    TokenF1 = 40.00
    """

    rules: Literal["squad-2.0", "squad-1.1"] = option(
        default="squad-2.0", key="f1", like=_AnswerMetric.rules
    )
    splits_at_spaces = True
    real_columns = ("token_f1",)
    definition = "100 * mean over questions of max over right answers of 2 * P * R / (P + R)"
    source = SOURCE
    same_number = "SQuAD's evaluation scripts 2.0 (rules=squad-2.0) and 1.1 (rules=squad-1.1)"

    def compare(self, answer: str, right: str) -> float:
        """Return F1 of an answer and a right answer, from 0 to 1."""
        return token_f1(answer.split(), right.split(), of_empty=float(self.rules == SQUAD_2))

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add what the answer shares with the best right answer, precision, recall and F1."""
        answer, right = (text.split() for text in self._best(hypothesis, references))
        shared = (Counter(answer) & Counter(right)).total()
        steps.count("shared", "words that both have", shared)
        if not shared:
            both_empty = not answer and not right and self.rules == SQUAD_2
            title = f"{self.name}: {'both are empty' if both_empty else 'they share no word'}"
            steps.score(title, "100" if both_empty else "0")
            return
        steps.compute(
            "P", "precision, of the words of the answer", f"{shared} / {len(answer)}", whole=1
        )
        steps.compute(
            "R", "recall, of the words of the right answer", f"{shared} / {len(right)}", whole=1
        )
        steps.compute("F1", "F1", "2 * P * R / (P + R)", whole=1)
        steps.score(self.name, "100 * F1")


class ExactMatch(_AnswerMetric):
    """The share of answers that are equal to a right answer, as question answering reports it.

    Answers are normalized before they are compared (Rajpurkar et al. 2016, section 6.1).

    >>> print(ExactMatch().corpus_score(["The Louvre!", "Rome"], ["the louvre", "Paris"]))
    ExactMatch = 50.00
    """

    rules: Literal["squad-2.0", "squad-1.1"] = option(
        default="squad-2.0", key="em", like=_AnswerMetric.rules
    )
    real_columns = ("exact_match",)
    definition = "100 * answers that are equal to a right answer / questions"
    source = SOURCE
    same_number = TokenF1.same_number

    def compare(self, answer: str, right: str) -> float:
        """Return 1 for equal answers, else 0."""
        return float(answer == right)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add whether the answer is equal to a right answer."""
        steps.count("equal", "answers that are equal to a right answer", int(row[1]))
        steps.score(self.name, "100 * equal / 1")


def normalized(text: str) -> str:
    """Return a text as SQuAD's evaluation scripts compare it.

    >>> normalized("The cat's  toy, an apple")
    'cats toy apple'
    """
    return " ".join(ARTICLE.sub(" ", text.lower().translate(WITHOUT_PUNCTUATION)).split())


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
    same = (Counter(answer) & Counter(right)).total()
    if same == 0:
        return 0.0
    precision, recall = same / len(answer), same / len(right)
    return 2 * precision * recall / (precision + recall)
