"""NIST (Doddington 2002), with the numbers of NIST's script mteval."""

from __future__ import annotations

from itertools import accumulate
from math import exp, log

from bleuet.frozen import cached_property
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.metrics.base.words import WORDS, WordOptions
from bleuet.metrics.bleu.options import BLEUOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.row_limit import RowLimit

# The penalty is 0.5 for hypotheses two thirds as long as the references (Doddington 2002, eq. 3).
BETA = log(0.5) / log(1.5) ** 2
# No n-gram has more information than this: no corpus has 2**64 words.
MOST_INFORMATION = 64


class NISTScore(Score):
    """A NIST score and its components."""

    components = (
        "totals", "information", "individual", "cumulative", "penalty", "sys_len", "ref_len",
        "ratio",
    )  # fmt: skip
    metric: NIST

    @property
    def totals(self) -> tuple[int, ...]:
        """N-grams of the hypotheses of order 1..N."""
        return tuple(self.values[: self.metric.max_ngram_order])  # type: ignore[arg-type]

    @property
    def information(self) -> tuple[float, ...]:
        """Bits of information of the matching n-grams of order 1..N."""
        return tuple(self.values[-self.metric.max_ngram_order :])

    @property
    def individual(self) -> tuple[float, ...]:
        """The score of each order by itself; their sum is the score."""
        return tuple([bits * self.penalty for bits in self.metric.bits_per_ngram(self.values)])

    @property
    def cumulative(self) -> tuple[float, ...]:
        """NIST-1 to NIST-N: the score with orders up to 1, 2, ... N."""
        sums = accumulate(self.metric.bits_per_ngram(self.values))
        return tuple([bits * self.penalty for bits in sums])

    @property
    def penalty(self) -> float:
        """The penalty for hypotheses that are shorter than the references."""
        return length_penalty(self.sys_len, self.ref_len)

    @property
    def sys_len(self) -> int:
        """Tokens in the hypotheses."""
        return int(self.values[0])

    @property
    def ref_len(self) -> float:
        """Mean tokens of the references of a segment, summed over segments."""
        return self.metric.reference_length(self.values)

    @property
    def ratio(self) -> float:
        """Hypothesis length over reference length."""
        return self.sys_len / self.ref_len if self.ref_len else 0.0

    def details(self) -> str:
        """Return penalty and lengths, as BLEU does."""
        return (
            f"(penalty = {self.penalty:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:.1f})"
        )


class NIST(WordOptions[NISTScore]):
    """NIST: the information of the n-grams that match, per n-gram, times a length penalty.

    NIST = sum over n of (information of matching n-grams / n-grams of the hypothesis) * penalty
    (Doddington 2002, equations 2 and 3). Rare n-grams have more information; how often n-grams
    occur is learned from all references. Scores begin at 0 and have no upper limit.

    >>> hypotheses, references = ["The cat sat down.", "A dog."], ["The cat sat up.", "The dog."]
    >>> print(NIST().corpus_score(hypotheses, references))
    NIST = 2.0417 (penalty = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8.0)
    """

    max_ngram_order: int = option(default=5, like=BLEUOptions.max_ngram_order)
    information: Literal["mteval", "paper"] = option(
        default="mteval",
        help="the information of a bigram that begins with the token 0: as mteval computes it, as "
        "if the second word stood alone, or as the paper defines it",
        key="info",
        choices=("mteval", "paper"),
    )
    several: Literal["together", "nltk"] = option(
        default="together",
        help="of several references: matches with any of them and their mean length, as mteval; or "
        "for each order those of the reference with the most information, as NLTK",
        key="several",
        sign_default=False,
        choices=("together", "nltk"),
    )
    counter = CounterClass(
        "bleuet.metrics.nist.definition:NistCounter",
        **WORDS,
        max_ngram_order=lambda metric: metric.max_ngram_order,
        information=None,
        several=None,
        mteval=lambda metric: metric.information == "mteval",
    )
    score_type = NISTScore
    extra_digits = 2
    learns = True
    definition = (
        "penalty * sum over n of (information of matching n-grams / n-grams of the hypothesis); "
        "information = log2(count of the first n-1 words / count of the n-gram) in all references; "
        "penalty = 2^-(ln(min(1, length ratio)) / ln(1.5))^2"
    )
    source = (
        "Doddington (2002), Automatic Evaluation of Machine Translation Quality Using N-gram "
        "Co-Occurrence Statistics, equations 2 and 3"
    )
    needs = "all references before it counts"
    same_number = (
        "mteval-v13a and -v14 with -c; without -c with tokenize=mteval-v13a,lowercase; NLTK's "
        "corpus_nist with tokenize=none,information=paper,several=nltk"
    )

    @cached_property
    def integer_columns(self) -> tuple[str, ...]:
        """N-grams of the hypothesis per order."""
        return tuple([f"totals_{n}" for n in range(1, self.max_ngram_order + 1)])

    @cached_property
    def real_columns(self) -> tuple[str, ...]:
        """The mean length of the references, and the information of matching n-grams per order.

        With several="nltk", each order has a length of its own.
        """
        orders = range(1, self.max_ngram_order + 1)
        lengths = [f"ref_len_{n}" for n in orders] if self.several == "nltk" else ["ref_len"]
        return (*lengths, *[f"information_{n}" for n in orders])

    def _make_counter(self) -> Any:
        if self.several == "together":
            return super()._make_counter()
        from bleuet.metrics.nist.definition import NltkCounter

        return NltkCounter(**self.counter.options_of(self))

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return the numbers of n-grams by lengths, and the most information that they can have."""
        from bleuet.metrics.base.row_limit import RowLimit

        limits = []
        bits = self.real_columns[-self.max_ngram_order :]
        pairs = zip(self.integer_columns, bits, strict=True)
        for less, (total, information) in enumerate(pairs):
            if less:
                limits.append(RowLimit(total, "totals_1", less, exact=True))
            limits.append(RowLimit(information, total, factor=MOST_INFORMATION))
        return limits

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the score, which is no percentage (Doddington 2002, equation 3)."""
        bits = list(accumulate(self.bits_per_ngram(values)))[-1]
        return bits * length_penalty(values[0], self.reference_length(values))

    def reference_length(self, values: Sequence[int | float]) -> float:
        """Return the mean length of the references of a segment, summed over segments.

        Args:
            values: sums in the order of `columns`.
        """
        lengths = values[self.max_ngram_order : -self.max_ngram_order]
        return sum(lengths) / len(lengths)

    def bits_per_ngram(self, values: Sequence[int | float]) -> list[float]:
        """Return the information of the matching n-grams per n-gram of the hypothesis, by order.

        Args:
            values: sums in the order of `columns`.
        """
        order = self.max_ngram_order
        pairs = zip(values[-order:], values[:order], strict=True)
        return [information / max(total, 1) for information, total in pairs]

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the information per n-gram of each order, and the length penalty."""
        order = self.max_ngram_order
        steps.count("c", "tokens of the hypothesis", row[0])
        length = self.reference_length(row)
        steps.count("r", "mean length of the references", length)
        total = sum(self.bits_per_ngram(row))
        for n, (bits, ngrams) in enumerate(zip(row[-order:], row, strict=False), 1):
            title = f"bits per {n}-gram, of those that match"
            formula = f"bits / {max(ngrams, 1)}"
            steps.compute(f"b{n}", title, formula, whole=total, bits=bits)
        if row[0] >= length:
            steps.compute("penalty", "length penalty: c is not shorter than r", "1")
        elif row[0]:
            steps.compute("penalty", "length penalty", "2^-(ln(c / r) / ln(1.5))^2")
        else:
            steps.count("penalty", "length penalty: the hypothesis is empty", 0)
        bits_of_all = " + ".join(f"b{n}" for n in range(1, order + 1))
        steps.score(self.name, f"penalty * ({bits_of_all})")


def length_penalty(sys_len: float, ref_len: float) -> float:
    """Return 1 for hypotheses at least as long as the references, 0.5 at two thirds of the length.

    Source: Doddington (2002), equation 3.

    >>> length_penalty(3, 3), round(length_penalty(2, 3), 9), length_penalty(0, 3)
    (1.0, 0.5, 0.0)
    """
    if sys_len >= ref_len:
        return 1.0
    return exp(BETA * log(sys_len / ref_len) ** 2) if sys_len > 0 else 0.0
