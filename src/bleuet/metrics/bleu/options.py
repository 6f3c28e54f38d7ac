"""The options of BLEU and its means."""

from __future__ import annotations

from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import MAX_ORDER, MAX_WEIGHT, number_of
from bleuet.metrics.base.words import WordOptions
from bleuet.metrics.bleu.smoothing import SACREBLEUS, SMOOTHINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal, TypeAlias

    from bleuet.metrics.base.marks import Mark
    from bleuet.metrics.base.option import Option
    from bleuet.metrics.base.score import ScoreT  # noqa: F401 - in the quoted base class

    # The names of `SMOOTHINGS`, for type checkers.
    SmoothingName: TypeAlias = Literal[
        "none", "floor", "add-k", "exp", "mteval", "nmt", "chen-cherry-1", "chen-cherry-2",
        "chen-cherry-3", "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-6-raw",
        "chen-cherry-7", "chen-cherry-1-literal", "chen-cherry-2-literal", "chen-cherry-3-literal",
        "chen-cherry-4-literal", "chen-cherry-5-literal", "chen-cherry-6-literal",
        "chen-cherry-7-literal", "nltk-0", "nltk-1", "nltk-2", "nltk-3", "nltk-4", "nltk-5",
        "nltk-6", "nltk-7",
    ]  # fmt: skip

REFERENCE_LENGTHS = ("closest", "shortest", "average")


def _smooths_unmatched(smooth: str) -> bool:
    return SMOOTHINGS[smooth].smooths_unmatched


def _leaves_out_orders(smooth: str) -> bool:
    return SMOOTHINGS[smooth].leaves_out_orders


class BLEUOptions(WordOptions["ScoreT"]):
    """What decides the BLEU of a corpus or of a sentence, and what of a segment matches."""

    effective_order: bool = option(
        default=False,
        help="leave out orders for which the hypothesis has no n-grams; on by default for "
        "chen-cherry-N, always off for chen-cherry-N-literal, mteval and nmt",
        key="eff",
        short_key="e",
        follows="smooth",
        default_for=_leaves_out_orders,
        scoring=True,
        # sacreBLEU's signatures have it there.
        before="tokenize",
    )
    smooth: SmoothingName = option(
        default="exp",
        help="the smoothing of precisions without matches",
        key="smooth",
        short_key="s",
        choices=SMOOTHINGS,
        scoring=True,
    )
    smooth_value: float | None = option(
        default=None,
        help="the parameter of the smoothing: floor, k, epsilon, K or alpha; its default depends "
        "on the smoothing",
        least=0,
        most=MAX_WEIGHT,
        follows="smooth",
        default_for=lambda smooth: SMOOTHINGS[smooth].default,
        carried=False,
        scoring=True,
    )
    smooth_unmatched: bool = option(
        default=False,
        help="smooth also if no n-gram of any order matches; on by default for chen-cherry-N, "
        "mteval and nmt",
        key="unmatched",
        values={"smoothed": True, "zero": False},
        sign_default=False,
        in_sacrebleu=False,
        follows="smooth",
        default_for=_smooths_unmatched,
        scoring=True,
    )
    max_ngram_order: int = option(
        default=4,
        help="length of the longest n-grams that are counted",
        key="order",
        sign_default=False,
        least=1,
        most=MAX_ORDER,
        scoring=True,
    )
    weights: Sequence[float] | None = option(
        default=None,
        help="one weight per order, with sum 1; by default all weights are equal",
        key="weights",
        sign_default=False,
        in_sacrebleu=False,
        least=0,
        most=1,
        scoring=True,
    )
    reference_length: Literal["closest", "shortest", "average"] = option(
        default="closest",
        help="the reference length with several references: the closest to the hypothesis (the "
        "shorter of two equally close), the shortest (as NIST before 2009) or the average",
        key="reflen",
        sign_default=False,
        in_sacrebleu=False,
        choices=REFERENCE_LENGTHS,
    )
    round_trip: bool = option(
        default=False,
        help="the hypotheses were translated there and back, and the references are their source; "
        "only the signature shows it",
        key="roundtrip",
        sign_default=False,
        in_sacrebleu=False,
        scoring=True,
    )

    def decided_options(self) -> dict[str, Any]:
        """Return that the effective order is off, if the smoothing has none."""
        has_one = SMOOTHINGS[self.smooth].has_effective_order
        return {} if has_one else {"effective_order": False}

    def check_options(self) -> None:
        """Reject options that do not go together."""
        super().check_options()
        self._check_smooth_value()
        self._check_weights()

    def _check_smooth_value(self) -> None:
        smoothing = SMOOTHINGS[self.smooth]
        if self.smooth_value is None:
            return
        if smoothing.default is None:
            takers = ", ".join(name for name, s in SMOOTHINGS.items() if s.default is not None)
            raise self.rejected(
                "smooth_value", f"belongs to {takers}; the smoothing {self.smooth!r} takes none"
            )
        if self.smooth_value == 0 and smoothing.positive:
            raise self.rejected(
                "smooth_value",
                f"must be more than 0 for the smoothing {self.smooth!r}, which divides by "
                f"{smoothing.symbol}",
            )

    def _check_weights(self) -> None:
        if self.weights is None:
            return
        order = self.max_ngram_order
        if len(self.weights) != order:
            raise self.rejected(
                "weights",
                f"needs one number per order, {order} for max_ngram_order={order}, "
                f"but {len(self.weights)} came",
            )
        total = sum(self.weights)
        if abs(total - 1) > 1e-6:
            raise self.rejected(
                "weights", f"must add up to 1, but add up to {total:g}: divide each by their sum"
            )

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the language's tokenizer, and for sentences the effective order.

        These are the choices of sacreBLEU's command line. A sentence of three words has no
        4-grams, so that without the effective order it would score 0.
        """
        # Without sentences the order is left to the smoothing, whose default it is.
        orders = {"effective_order": True} if sentences else {}
        return {**super().suited_to(language=language, sentences=sentences), **orders}

    # --- Signature --------------------------------------------------------------------------------

    def _sign(self, one: Option) -> str:
        text = super()._sign(one)
        if one.name == "smooth" and self.smooth_value is not None:
            text += f"[{_two_digits_or_all(self.smooth_value)}]"
        return text

    @classmethod
    def _unsign(cls, one: Option, text: str) -> dict[str, Any]:
        if one.name == "smooth":
            smooth, _, value = text.rstrip("]").partition("[")
            return {"smooth": smooth, **({"smooth_value": number_of(value)} if value else {})}
        return super()._unsign(one, text)

    def _is_sacrebleus(self) -> bool:
        return self.smooth in SACREBLEUS and super()._is_sacrebleus()

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the tokens, and the n-grams that match or are clipped."""
        from bleuet.metrics.base.marks import matched_ngrams

        words, *several = map(self.tokens, (hypothesis, *references))
        orders = range(1, self.max_ngram_order + 1)
        return words, several, matched_ngrams(words, several, orders)


def _two_digits_or_all(value: float) -> str:
    return f"{value:.2f}" if float(f"{value:.2f}") == value else repr(value)
