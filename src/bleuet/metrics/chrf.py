"""chrF (Popović 2015) and chrF++ (Popović 2017), with sacreBLEU's options and numbers."""

from __future__ import annotations

from bleuet.errors import OptionError, SignatureError
from bleuet.metrics.metric import Metric
from bleuet.metrics.option import Option, check_flag, check_number, check_order
from bleuet.metrics.score import Score
from bleuet.metrics.signature import (
    LOWERCASE,
    YES_NO,
    ParsedSignature,
    Signature,
    number_of_references,
    version_of,
    yes_no,
)
from bleuet.statistics.backend import backend
from bleuet.statistics.python_backend.chrf_rows import chrf_f_score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.statistics.table import Table


class CHRFScore(Score):
    """A chrF score and its components, each per order, character orders first."""

    __slots__ = ()
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


class CHRF(Metric[CHRFScore]):
    """Character n-gram F-score; with word n-grams besides, chrF++.

    F = (1 + beta^2) * P * R / (beta^2 * P + R), in percent, where precision P and recall R are
    means over character n-grams (and word n-grams) of all orders (Popović 2015, equation 1).
    Defaults give sacreBLEU's numbers.

    Args:
        char_order: the longest character n-grams that count; 0 for words alone.
        word_order: the longest word n-grams that count; 2 makes it chrF++.
        beta: how many times as important recall is as precision.
        lowercase: lower-case both sides first.
        whitespace: count white space as characters too.
        eps_smoothing: average F over all orders, as chrF++.py, NLTK and Moses do, instead of
            averaging precision and recall over the orders that both sides have.

    Raises:
        OptionError: an option has a value it cannot take.

    >>> print(CHRF(word_order=2).corpus_score(["The cat sat down."], ["The cat sat up."]))
    chrF2++ = 65.78
    """

    __slots__ = (
        "beta",
        "char_order",
        "eps_smoothing",
        "integer_columns",
        "lowercase",
        "whitespace",
        "word_order",
    )
    _fields = ("char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing")
    score_type = CHRFScore
    short_keys = {"case": "c", "eff": "e", "space": "s"}  # noqa: RUF012 - a constant
    # Of several references, a segment's row is that of the one with the highest F-score.
    scoring_options_of_one_reference = frozenset(
        ["beta", "char_order", "word_order", "eps_smoothing"]
    )
    options = (
        Option("char_order", 6, "the longest character n-grams that count"),
        Option("word_order", 0, "the longest word n-grams that count; 2 makes it chrF++"),
        Option("beta", 2, "how many times as important recall is as precision"),
        Option("lowercase", False, "lower-case both sides first"),
        Option("whitespace", False, "count white space as characters too"),
        Option("eps_smoothing", False, "average F over all orders, as chrF++.py does"),
    )
    char_order: int
    word_order: int
    beta: float
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool

    def __init__(
        self,
        char_order: int = 6,
        word_order: int = 0,
        beta: float = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
    ) -> None:
        check_order("chrF", "char_order", char_order, 0)
        check_order("chrF", "word_order", word_order, 0)
        if char_order == word_order == 0:
            raise OptionError("chrF: char_order and word_order are both 0, so nothing would count")
        check_number("chrF", "beta", beta, 0)
        check_flag("chrF", "lowercase", lowercase)
        check_flag("chrF", "whitespace", whitespace)
        check_flag("chrF", "eps_smoothing", eps_smoothing)
        # 2.0 and 2 are the same value and must have the same name, chrF2.
        whole = int(beta) if beta == int(beta) else beta
        self._set(char_order=char_order, word_order=word_order, beta=whole)
        self._set(lowercase=lowercase, whitespace=whitespace, eps_smoothing=eps_smoothing)
        # Per order: n-grams of the hypothesis, of the reference, and matches.
        orders = [f"char_{n}" for n in range(1, char_order + 1)]
        orders += [f"word_{n}" for n in range(1, word_order + 1)]
        kinds = ("hyp", "ref", "matches")
        self._set(integer_columns=tuple(f"{kind}_{order}" for order in orders for kind in kinds))

    @property
    def name(self) -> str:
        """ChrF with its beta, and one + per word order: chrF2, chrF2++."""
        return f"chrF{self.beta}" + "+" * self.word_order

    def signature(self, n_references: int | None = 1) -> Signature:
        """Return the signature: sacreBLEU's keys, and beta where it is not 2."""
        pairs = [
            ("nrefs", number_of_references(n_references)),
            ("case", "lc" if self.lowercase else "mixed"),
            ("eff", yes_no(not self.eps_smoothing)),
            ("nc", str(self.char_order)),
            ("nw", str(self.word_order)),
            ("space", yes_no(self.whitespace)),
        ]
        if self.beta != 2:
            pairs.append(("beta", str(self.beta)))
        pairs.append(("version", version_of(isinstance(self.beta, int))))
        return Signature(self.name, pairs, self.short_keys)

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> CHRF:
        """Return the metric that a signature describes.

        Raises:
            SignatureError: a value is missing or unknown.
        """
        # sacreBLEU's signature leaves beta to the name, as in chrF3++.
        named = (parsed.name or "").removeprefix("chrF").rstrip("+") or "2"
        try:
            return cls(
                char_order=parsed.number("nc"),  # type: ignore[arg-type]
                word_order=parsed.number("nw"),  # type: ignore[arg-type]
                beta=parsed.number("beta", named),
                lowercase=parsed.choice("case", LOWERCASE),
                whitespace=parsed.choice("space", YES_NO),
                eps_smoothing=not parsed.choice("eff", YES_NO),
            )
        except OptionError as error:
            raise SignatureError(f"this chrF signature cannot be read: {error}") from None

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the F-score in percent (Popović 2015, equation 1)."""
        return chrf_f_score(
            values,  # type: ignore[arg-type]  # all columns are integers
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            eps_smoothing=self.eps_smoothing,
        )

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

    def _make_counter(self) -> Any:
        return backend().ChrfCounter(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
        )


def _percentages(parts: Sequence[int], wholes: Sequence[int]) -> tuple[float, ...]:
    return tuple(
        100.0 * part / whole if whole else 0.0 for part, whole in zip(parts, wholes, strict=True)
    )
