"""Token F1 and exact match of answers to questions, by the rules of SQuAD's evaluation scripts."""

from __future__ import annotations

from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.mean_of_segments import MeanOfSegments
from bleuet.metrics.base.option import option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation

SQUAD_2, SQUAD_1 = "squad-2.0", "squad-1.1"
COUNTER = "bleuet.metrics.answers.definition:AnswerCounter"
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
    counter = CounterClass(COUNTER, exact=lambda _: False)
    splits_at_spaces = True
    real_columns = ("token_f1",)
    definition = "100 * mean over questions of max over right answers of 2 * P * R / (P + R)"
    source = SOURCE
    same_number = "SQuAD's evaluation scripts 2.0 (rules=squad-2.0) and 1.1 (rules=squad-1.1)"

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add what the answer shares with the best right answer, precision, recall and F1."""
        from bleuet.metrics.answers.definition import best_answer, shared_words

        texts = best_answer(hypothesis, references, rules=self.rules, normalize=self.normalize)
        answer, right = (text.split() for text in texts)
        shared = shared_words(answer, right)
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
    counter = CounterClass(COUNTER, exact=lambda _: True)
    real_columns = ("exact_match",)
    definition = "100 * answers that are equal to a right answer / questions"
    source = SOURCE
    same_number = TokenF1.same_number

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add whether the answer is equal to a right answer."""
        steps.count("equal", "answers that are equal to a right answer", int(row[1]))
        steps.score(self.name, "100 * equal / 1")
