"""ROUGE (Lin 2004), with the options and numbers of rouge-score 0.1.2."""

from __future__ import annotations

from itertools import chain

from bleuet.frozen import cached_property
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.mean_of_segments import MeanOfSegments, MeanScore
from bleuet.metrics.base.option import option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal, TypeAlias

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.marks import Mark

    Variant: TypeAlias = Literal[
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "L", "Lsum", "W", "S", "SU"
    ]

ORDERS = tuple("123456789")
NGRAMS, SUBSEQUENCE, SENTENCES = "ngrams", "subsequence", "sentences"
WEIGHTED, SKIP = "weighted", "skip"
UNITS = {
    **dict.fromkeys(ORDERS, NGRAMS),
    **{"L": SUBSEQUENCE, "Lsum": SENTENCES, "W": WEIGHTED, "S": SKIP, "SU": SKIP},
}
PAPER, BEST = "paper", "best"
NEWLINE, MARK, NLTK = "newline", "<n>", "nltk"


class ROUGEScore(MeanScore):
    """A ROUGE score, and the means of precision, recall and F."""

    components = ("precision", "recall", "fmeasure", "segments")
    metric: ROUGE

    @property
    def precision(self) -> float:
        """The mean share of the hypothesis that the reference has, in percent."""
        return self.mean("precision")

    @property
    def recall(self) -> float:
        """The mean share of the reference that the hypothesis has, in percent."""
        return self.mean("recall")

    @property
    def fmeasure(self) -> float:
        """The mean of 2PR / (P + R) over segments, in percent."""
        return self.mean("fmeasure")

    def details(self) -> str:
        """Return precision, recall and F as they are printed."""
        return f"(P = {self.precision:.2f} R = {self.recall:.2f} F = {self.fmeasure:.2f})"


class ROUGE(MeanOfSegments[ROUGEScore]):
    """Overlap of a summary with its reference: n-grams, skip-bigrams, or a common subsequence.

    Each segment has a precision P, a recall R and F = 2PR / (P + R); the score is the mean over
    segments. With several references, a segment has the numbers of the one with the highest F, or
    what `several` says. Defaults give rouge-score's numbers, and those of ROUGE-1.5.5 for W, S and
    SU, which rouge-score lacks.

    >>> print(ROUGE().corpus_score(["The cat sat down."], ["The cat sat up."]))
    ROUGE-L = 75.00 (P = 75.00 R = 75.00 F = 75.00)
    """

    variant: Variant = option(
        default="L",
        help="N for n-grams of N words, L for the longest common subsequence, Lsum for the union "
        "of those of all sentences, W for a subsequence in which runs of words count more, S for "
        "pairs of words in order, SU for such pairs and single words",
        key="rouge",
        choices=tuple(UNITS),
    )
    stemming: bool = option(
        default=False,
        help="compare stems of English words of more than three letters, as use_stemmer of "
        "rouge-score does",
        key="stem",
    )
    tokenize: Literal["rouge", "unicode", "none"] = option(
        default="rouge",
        help="rouge: lower-cased runs of a to z and digits; unicode: lower-cased words of every "
        "script; none: what is between white space, as it is",
        key="tok",
        short_key="t",
        choices=("rouge", "unicode", "none"),
    )
    sentences: Literal["newline", "<n>", "nltk"] = option(
        default="newline",
        help="what divides the sentences of Lsum: newlines, the mark <n>, or NLTK's English "
        "sentence tokenizer, as split_summaries of rouge-score does",
        key="sent",
        sign_default=False,
        choices=(NEWLINE, MARK, NLTK),
    )
    weight: float = option(
        default=1.2,
        help="of W: the exponent of the length of a run",
        key="weight",
        sign_default=False,
        least=1,
        most=4,
    )
    skip_distance: int = option(
        default=4,
        help="of S and SU: the most words between the two words of a pair",
        key="skip",
        sign_default=False,
        least=0,
        most=1_000_000,
    )
    rules: Literal["rouge-1.5.5", "paper"] = option(
        default="rouge-1.5.5",
        help="of W and SU: count as the Perl program ROUGE-1.5.5, or by the formulas of the paper",
        key="rules",
        sign_default=False,
        choices=("rouge-1.5.5", PAPER),
    )
    several: Literal["best", "average", "jackknife"] = option(
        default="best",
        help="of several references: the one with the highest F; all counts together, as "
        "ROUGE-1.5.5 has by default; or the mean over each reference left out of the best of the "
        "others",
        key="several",
        sign_default=False,
        choices=(BEST, "average", "jackknife"),
    )
    measure: Literal["fmeasure", "precision", "recall"] = option(
        default="fmeasure",
        help="which mean is the score",
        key="measure",
        sign_default=False,
        choices=("fmeasure", "precision", "recall"),
        scoring=True,
    )
    counter = CounterClass(
        "bleuet.metrics.rouge.definition:RougeCounter",
        variant=None,
        unit=lambda metric: UNITS[metric.variant],
        order=lambda metric: int(metric.variant) if metric.variant in ORDERS else 1,
        tokenize=None,
        stemming=None,
        tokenizer=lambda metric: "rouge-stems" if metric.stemming else metric.tokenize,
        lowercase=lambda metric: metric.tokenize != "none",
        sentences=None,
        rules=None,
        paper=lambda metric: metric.rules == PAPER,
        unigrams=lambda metric: metric.variant == "SU",
    )
    score_type = ROUGEScore
    real_columns = ("precision", "recall", "fmeasure")
    definition = (
        "100 * mean over segments of F = 2 * P * R / (P + R), where P = shared / in hypothesis, "
        "R = shared / in reference"
    )
    source = "Lin (2004), ROUGE: a Package for Automatic Evaluation of Summaries, sections 2 to 5"
    needs = "NLTK and its data punkt_tab for sentences=nltk"
    same_number = "rouge-score 0.1.2; ROUGE-1.5.5 for W, S and SU"

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the tokenizer of all scripts for a language that has no letters of a to z."""
        if not language:
            return {}
        from bleuet.text.languages import OTHER_SCRIPTS

        return {"tokenize": "unicode"} if language in OTHER_SCRIPTS else {}

    def check_options(self) -> None:
        """Reject options that change nothing."""
        if self.stemming and self.tokenize != "rouge":
            raise self.rejected(
                "stemming", "needs tokenize='rouge', whose words are those of English"
            )
        if self.sentences != NEWLINE and self.variant != "Lsum":
            raise self.rejected("sentences", "needs variant='Lsum', which alone compares sentences")
        for name, users in (("weight", "W"), ("skip_distance", "S SU"), ("rules", "W SU")):
            default = type(self).option_named(name).default
            if self.variant not in users.split() and getattr(self, name) != default:
                raise self.rejected(name, f"needs the variant {users.replace(' ', ' or ')}")

    @property
    def name(self) -> str:
        """ROUGE-1, ROUGE-W-1.2, ROUGE-SU4; with -P or -R if the score is precision or recall."""
        side = {"precision": "-P", "recall": "-R"}.get(self.measure, "")
        number = {WEIGHTED: f"-{self.weight:g}", SKIP: self.skip_distance}
        return f"ROUGE-{self.variant}{number.get(UNITS[self.variant], '')}{side}"

    @cached_property
    def tokenize_text(self) -> Callable[[str], str] | None:
        """The function that puts each sentence on a line of its own; None if they are already."""
        if self.sentences == NEWLINE:
            return None
        from bleuet.text.summary_sentences import sentence_lines

        return sentence_lines(self.sentences)

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the words, and those that the hypothesis shares with the best reference."""
        from bleuet.metrics.base.marks import EQUAL, aligned_marks, matched_ngrams
        from bleuet.metrics.rouge.definition import RougeCounter

        divide = self.tokenize_text or str
        read = RougeCounter(**self.counter.options_of(self)).read
        words, *several = (
            [*chain.from_iterable(read(divide(text), reference=True))]
            for text in (hypothesis, *references)
        )
        best, marks = aligned_marks(self, hypothesis, references, (EQUAL,))
        if UNITS[self.variant] not in (SUBSEQUENCE, SENTENCES):
            # Of the variants that count other units, the words that both have.
            size = int(self.variant) if self.variant in ORDERS else 1
            marks = matched_ngrams(words, several, [size], best)
        return words, several, marks

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add what both sides share, precision, recall and F of the best reference.

        Other units, and several references together, have no counts to show.
        """
        together = self.several != BEST and len(references) > 1
        if together or UNITS[self.variant] in (WEIGHTED, SKIP):
            for symbol, value in zip(("P", "R", "F"), row[1:], strict=True):
                title = {"P": "precision", "R": "recall", "F": "F"}[symbol]
                steps.count(symbol, title, value, whole=1)
            steps.score(self.name, f"100 * {self.measure[0].upper()}")
            return
        words, several, marks = steps.marked
        shared = sum("clipped" not in mark.kind for mark in marks)
        size = int(self.variant) if UNITS[self.variant] == NGRAMS else 1
        unit = f"{size}-grams" if UNITS[self.variant] == NGRAMS else "words"
        reference = several[marks[0].reference_number if marks else 0]
        steps.count("shared", f"{unit} that both have", shared)
        sides = (("P", "precision", "hypothesis", words), ("R", "recall", "reference", reference))
        for symbol, title, side, tokens in sides:
            units = max(len(tokens) - size + 1, 0)
            title = f"{title}, of {units} {unit} of the {side}"
            steps.compute(symbol, title, f"{shared} / {max(units, 1)}", whole=1)
        if self.measure == "fmeasure":
            steps.compute("F", "F", "2 * P * R / (P + R)" if shared else "0", whole=1)
        steps.score(self.name, f"100 * {self.measure[0].upper()}")
