"""chrF (Popović 2015) and chrF++ (Popović 2017), with sacreBLEU's options and numbers."""

from __future__ import annotations

from bleuet.frozen import cached_property
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import CASE, MAX_ORDER, MAX_WEIGHT
from bleuet.metrics.base.score import Score
from bleuet.metrics.chrf.formula import EPSILON, chrf_f_score
from bleuet.statistics.backend import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    from bleuet.metrics.base.composition import Composition
    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.row_limit import RowLimit
    from bleuet.metrics.base.score import ScoreT  # noqa: F401 - in the quoted base class
    from bleuet.metrics.base.signature import ParsedSignature
    from bleuet.statistics.table import Table

F_SCORE = "(1 + beta^2) * P * R / (beta^2 * P + R)"


class CHRFScore(Score):
    """A chrF score and its components, each per order, character orders first."""

    components = ("hyp_counts", "ref_counts", "match_counts", "precisions", "recalls")
    metric: CHRF
    values: tuple[int, ...]

    @property
    def hyp_counts(self) -> tuple[int, ...]:
        """N-grams of the hypotheses; 0 for an order no reference has."""
        return self.values[0::3]

    @property
    def ref_counts(self) -> tuple[int, ...]:
        """N-grams of the references."""
        return self.values[1::3]

    @property
    def match_counts(self) -> tuple[int, ...]:
        """N-grams in both."""
        return self.values[2::3]

    @property
    def precisions(self) -> tuple[float, ...]:
        """Matches per n-gram of the hypotheses, in percent."""
        return _percentages(self.match_counts, self.hyp_counts)

    @property
    def recalls(self) -> tuple[float, ...]:
        """Matches per n-gram of the references, in percent."""
        return _percentages(self.match_counts, self.ref_counts)

    def composition(self) -> Composition | None:
        """Return precision and recall, averaged over the orders, whose F-score it is."""
        from bleuet.metrics.base.composition import HARMONIC_MEAN, Composition, Factor

        # Otherwise it is a mean of F-scores.
        if self.metric.eps_smoothing:
            return None
        counted = zip(self.hyp_counts, self.ref_counts, self.precisions, self.recalls, strict=True)
        orders = [(p, r) for in_hyp, in_ref, p, r in counted if in_hyp and in_ref]
        if not orders:
            return None
        precision, recall = (sum(values) / len(orders) for values in zip(*orders, strict=True))
        share = 1 / (1 + self.metric.beta**2)
        parts = Factor("precision", precision, share), Factor("recall", recall, 1 - share)
        return Composition(HARMONIC_MEAN, parts)


class CHRFOptions(Metric["ScoreT"]):
    """What decides the chrF of a corpus or of a segment."""

    lowercase: bool = option(
        default=False,
        help="lower-case hypotheses and references first",
        key="case",
        short_key="c",
        values=CASE,
    )
    eps_smoothing: bool = option(
        default=False,
        help="average the F-scores of all orders, as chrF++.py, NLTK and Moses do; off: average "
        "precision and recall over the orders that hypothesis and reference both have",
        key="eff",
        short_key="e",
        values={"yes": False, "no": True},
        # With several references, the one with the highest F-score gives the row of a segment.
        scoring="one reference",
    )
    char_order: int = option(
        default=6,
        help="length of the longest character n-grams; 0 counts only words",
        key="nc",
        least=0,
        most=MAX_ORDER,
        scoring="one reference",
    )
    word_order: int = option(
        default=0,
        help="length of the longest word n-grams; 2 is chrF++",
        key="nw",
        least=0,
        most=MAX_ORDER,
        scoring="one reference",
    )
    whitespace: bool = option(
        default=False,
        help="count white space as characters too",
        key="space",
        short_key="s",
    )
    beta: float = option(
        default=2,
        help="recall is beta times as important as precision",
        key="beta",
        sign_default=False,
        least=0,
        most=MAX_WEIGHT,
        scoring="one reference",
    )

    def check_options(self) -> None:
        """Reject a metric that counts nothing."""
        if self.char_order == self.word_order == 0:
            raise self.rejected("char_order", "and word_order are both 0, so nothing would count")


class CHRF(CHRFOptions[CHRFScore]):
    """Character n-gram F-score; with word n-grams besides, chrF++.

    F = (1 + beta^2) * P * R / (beta^2 * P + R), in percent, where precision P and recall R are
    means over character n-grams (and word n-grams) of all orders (Popović 2015, equation 1).
    Defaults give sacreBLEU's numbers.

    >>> print(CHRF(word_order=2).corpus_score(["The cat sat down."], ["The cat sat up."]))
    chrF2++ = 65.78
    """

    counter = CounterClass("bleuet.metrics.chrf.definition:ChrfCounter")
    score_type = CHRFScore
    in_sacrebleu = True
    definition = f"100 * {F_SCORE}"
    source = (
        "Popović (2015), chrF: character n-gram F-score for automatic MT evaluation, WMT, "
        "equation 1; Popović (2017), chrF++: words helping character n-grams, WMT"
    )
    same_number = "sacreBLEU 2.6.0; chrF++.py with eps_smoothing"

    @cached_property
    def integer_columns(self) -> tuple[str, ...]:
        """Per order: n-grams of the hypothesis, of the reference, and matches."""
        orders = [f"char_{n}" for n in range(1, self.char_order + 1)]
        orders += [f"word_{n}" for n in range(1, self.word_order + 1)]
        return tuple([f"{kind}_{n}" for n in orders for kind in ("hyp", "ref", "matches")])

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return the numbers of n-grams by those of unigrams, and the most that can match."""
        from bleuet.metrics.base.row_limit import RowLimit

        limits = []
        for kind, order in (("char", self.char_order), ("word", self.word_order)):
            for n in range(1, order + 1):
                hyp, ref = f"hyp_{kind}_{n}", f"ref_{kind}_{n}"
                limits += [RowLimit(f"matches_{kind}_{n}", side) for side in (hyp, ref)]
                if n > 1:
                    # The hypothesis counts 0 n-grams if the reference has none.
                    limits.append(RowLimit(hyp, f"hyp_{kind}_{n - 1}"))
                    limits.append(RowLimit(ref, f"ref_{kind}_1", n - 1, exact=True))
        return limits

    @property
    def name(self) -> str:
        """ChrF with its beta, and one + per word order: chrF2, chrF2++."""
        return f"chrF{self.beta}" + "+" * self.word_order

    def _is_sacrebleus(self) -> bool:
        return isinstance(self.beta, int) and super()._is_sacrebleus()

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> Self:
        """Return the metric that a signature describes.

        Raises:
            SignatureError: a key is missing, or a value is unknown.
        """
        # sacreBLEU's signature leaves beta to the name, as in chrF3++.
        beta = (parsed.name or "").removeprefix("chrF").rstrip("+")
        if beta:
            parsed.pairs.setdefault("beta", beta)
        return super().from_signature(parsed)

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the F-score in percent (Popović 2015, equation 1)."""
        return chrf_f_score(
            values,  # type: ignore[arg-type]  # all columns are integers
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            eps_smoothing=self.eps_smoothing,
        )

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add precision and recall, or F of every order, and their mean."""
        triples = [tuple(row[at : at + 3]) for at in range(0, len(row), 3)]
        if self.eps_smoothing:
            self._derive_mean_of_f(steps, triples)
            return
        both = [triple for triple in triples if triple[0] and triple[1]]
        for at, symbol, title in ((0, "P", "precision"), (1, "R", "recall")):
            if both:
                shares = " + ".join(f"{triple[2]}/{triple[at]}" for triple in both)
                formula = f"({shares}) / {len(both)}"
                steps.compute(symbol, f"{title}, mean over orders", formula, whole=1)
            else:
                steps.count(symbol, f"{title}: no order has n-grams", 0, whole=1)
        formula = F_SCORE if steps["P"] + steps["R"] else "0"
        steps.score(self.name, f"100 * {formula}", whole=100, beta=self.beta)

    def _derive_mean_of_f(self, steps: Derivation, triples: Sequence[tuple[int, ...]]) -> None:
        for n, (ours, theirs, match) in enumerate(triples, 1):
            kind, order = (
                ("character", n) if n <= self.char_order else ("word", n - self.char_order)
            )
            title = f"F of {kind} {order}-grams, {match} of {ours} and {theirs}"
            shares = match / ours if ours else EPSILON, match / theirs if theirs else EPSILON
            if self.beta**2 * shares[0] + shares[1]:
                names = {"beta": self.beta, "P": shares[0], "R": shares[1]}
                steps.compute(f"F{n}", title, F_SCORE, whole=1, **names)
            else:
                steps.count(f"F{n}", title, EPSILON, whole=1)
        total = " + ".join(f"F{n}" for n in range(1, len(triples) + 1))
        steps.score(self.name, f"100 * ({total}) / {len(triples)}", whole=100)

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        backend().chrf_scores(
            table.blocks()[0],
            table.rows,
            scores,
            self.char_order,
            self.word_order,
            self.beta,
            self.eps_smoothing,
        )


def _percentages(parts: Sequence[int], wholes: Sequence[int]) -> tuple[float, ...]:
    return tuple(
        100.0 * part / whole if whole else 0.0 for part, whole in zip(parts, wholes, strict=True)
    )
