"""The options of metrics that count words, and those of BLEU and its means."""

from __future__ import annotations

from bleuet.errors import SignatureError
from bleuet.frozen import cached_property
from bleuet.messages import nearest, wrong_type
from bleuet.metrics.metric import Metric
from bleuet.metrics.option import option
from bleuet.metrics.option_types import MAX_ORDER, MAX_WEIGHT, number_of
from bleuet.metrics.signature import CASE
from bleuet.metrics.smoothing import SACREBLEUS, SMOOTHINGS
from bleuet.statistics.backend import backend
from bleuet.text import segments
from bleuet.text.segments import IDS
from bleuet.text.tokenizers import (
    DEFAULT,
    SIGNED_PREFIX,
    SPM_PREFIX,
    TOKENIZERS,
    find_tokenizer,
    tokenizer_for_language,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bleuet.metrics.marks import Mark
    from bleuet.metrics.metric import ScoreT  # noqa: F401 - in the quoted base class
    from bleuet.metrics.option import Option
    from bleuet.text.tokenizers import Tokenizer

REFERENCE_LENGTHS = ("closest", "shortest", "average")


def _smooths_unmatched(smooth: str) -> bool:
    return SMOOTHINGS[smooth].smooths_unmatched


def _leaves_out_orders(smooth: str) -> bool:
    return SMOOTHINGS[smooth].leaves_out_orders


class WordOptions(Metric["ScoreT"]):
    """The letter case and the tokenizer, of metrics that count words."""

    lowercase: bool = option(
        default=False,
        help="lower-case hypotheses and references first",
        key="case",
        short_key="c",
        values=CASE,
    )
    tokenize: str = option(
        default=DEFAULT,
        help="the tokenizer; its default depends on the target language",
        key="tok",
        choices=TOKENIZERS,
        also=f"{SPM_PREFIX}FILE for a SentencePiece model, {IDS} for token ids",
        follows="trg_lang",
        default_for=tokenizer_for_language,
    )
    trg_lang: str = option(
        default="",
        help="code of the target language, such as ja; selects the default tokenizer",
        init_only=True,
    )

    def check_options(self) -> None:
        """Reject a tokenizer that is not there, and letter case of token ids."""
        if self._tokenizer is None and self.lowercase:
            raise self.rejected("lowercase", "must be off: token ids have no case")

    @cached_property
    def _tokenizer(self) -> Tokenizer | None:
        return None if self.tokenize == IDS else find_tokenizer(self.tokenize)

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the language's tokenizer, as sacreBLEU's command line does."""
        return {"tokenize": tokenizer_for_language(language)}

    # --- Signature --------------------------------------------------------------------------------

    def _sign(self, one: Option) -> str:
        if one.name == "tokenize":
            return IDS if self._tokenizer is None else self._tokenizer.signature()
        return super()._sign(one)

    @classmethod
    def _unsign(cls, one: Option, text: str) -> dict[str, Any]:
        if one.name == "tokenize":
            return {"tokenize": _tokenizer_of_signature(text)}
        return super()._unsign(one, text)

    def _is_sacrebleus(self) -> bool:
        return (
            self._tokenizer is not None
            and self._tokenizer.in_sacrebleu
            and super()._is_sacrebleus()
        )

    # --- Words ------------------------------------------------------------------------------------

    @property
    def _in_kernel(self) -> bool:
        return self._tokenizer is not None and self._tokenizer.in_kernel

    @property
    def _words_in_kernel(self) -> dict[str, Any]:
        """What a counter of the kernel is made with: how it finds the words of a text."""
        in_kernel = self._in_kernel
        return {
            "tokenizer": self.tokenize if in_kernel else "none",
            "lowercase": self.lowercase and in_kernel,
        }

    @cached_property
    def counted_kind(self) -> str:
        """`TOKEN_IDS` with tokenize="ids", otherwise `TEXT`."""
        return segments.TOKEN_IDS if self._tokenizer is None else segments.TEXT

    @cached_property
    def tokenize_text(self) -> Callable[[str], str] | None:
        """The function from text to tokens, where the kernel does not have the tokenizer."""
        if self._tokenizer is None or self._tokenizer.in_kernel:
            return None
        return self._tokenize

    def tokens(self, text: str) -> Sequence[object]:
        """Return the tokens of a text as the metric counts them.

        Raises:
            InputTypeError: it is not a text; token ids are tokens already.

        >>> from bleuet.metrics.bleu import BLEU
        >>> BLEU(lowercase=True).tokens("The cat.")
        ['the', 'cat', '.']
        """
        if self._tokenizer is None:  # token ids, which `Corpus` has checked
            return text
        if not isinstance(text, str):
            raise wrong_type("text", "a string", text)
        if self.tokenize_text is not None:
            return self.tokenize_text(text).split()
        cased = text.lower() if self.lowercase else text
        tokens: list[str] = backend().tokenize(self.tokenize, cased)
        return tokens

    def _tokenize(self, text: str) -> str:
        assert self._tokenizer is not None
        if not isinstance(text, str):
            raise TypeError(f"expected a string, got {type(text).__name__}")
        if self.lowercase:
            return self._tokenizer.lower_tokens(text)
        return self._tokenizer.tokenize(text.rstrip())


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
    smooth: str = option(
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
    reference_length: str = option(
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
        from bleuet.metrics.marks import matched_ngrams

        words, *several = map(self.tokens, (hypothesis, *references))
        orders = range(1, self.max_ngram_order + 1)
        return words, several, matched_ngrams(words, several, orders)


def _two_digits_or_all(value: float) -> str:
    return f"{value:.2f}" if float(f"{value:.2f}") == value else repr(value)


def _tokenizer_of_signature(tok: str) -> str:
    """Return the name of the tokenizer that signs with `tok`; MeCab's sign with their version."""
    if tok in TOKENIZERS or tok == IDS or tok.startswith(SIGNED_PREFIX):
        return tok
    if tok.startswith("spm-"):
        raise SignatureError(
            f"the signature's tokenizer is a SentencePiece model given as a file ({tok}: its name "
            "and the beginning of its SHA-256); make the metric with tokenize='spm:FILE'"
        )
    for name in TOKENIZERS:
        if tok.startswith(f"{name}-"):
            found = find_tokenizer(name)
            if found.signature() == tok:
                return name
            raise SignatureError(
                f"the signature's tokenizer is {tok}, but the one installed is {found.signature()}"
            )
    raise SignatureError(f"no tokenizer signs with {tok}{nearest(tok, TOKENIZERS)}")
