"""BLEU with sacreBLEU's interface."""

from __future__ import annotations

from bleuet.compat.sacrebleu.metrics.counted import CountedMetric
from bleuet.compat.sacrebleu.metrics.score import Score
from bleuet.compat.sacrebleu.metrics.signature import Signature
from bleuet.compat.sacrebleu.notice import warn
from bleuet.compat.sacrebleu.tokenizers import CLASSES, make_tokenizer
from bleuet.errors import InputError, OptionError
from bleuet.messages import nearest
from bleuet.metrics.bleu.metric import BLEU as Engine
from bleuet.metrics.bleu.smoothing import SACREBLEUS, SMOOTHINGS
from bleuet.text.tokenizers import BY_LANGUAGE, TOKENIZERS, find_tokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any, ClassVar

    from bleuet.metrics.bleu.metric import BLEUScore as EngineScore

MAX_NGRAM_ORDER = 4
_LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}


class BLEUSignature(Signature):
    """BLEU's signature. Unlike sacreBLEU's, it shows an order other than 4."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update(case="c", eff="e", tok="tok", smooth="s")
        smooth, value = args["smooth_method"], args["smooth_value"]
        default = SMOOTHINGS[smooth].default
        if default is not None:
            smooth += f"[{_shown(default if value is None else value)}]"
        self.info.update(
            case="lc" if args["lowercase"] else "mixed",
            eff="yes" if args["effective_order"] else "no",
            tok=args["tokenizer_signature"],
            smooth=smooth,
        )
        if args["max_ngram_order"] != MAX_NGRAM_ORDER:
            self.info["order"] = args["max_ngram_order"]


class BLEUScore(Score):
    """A BLEU score.

    Attributes:
        counts: clipped matches per order; add-k adds k from the second order on.
        totals: n-grams of the hypotheses per order; add-k adds k likewise.
        precisions: smoothed, in percent.
        bp: the brevity penalty.
        sys_len: tokens in the hypotheses.
        ref_len: the effective reference length.
        ratio: sys_len / ref_len.
        prec_str: the precisions as they are printed.
    """

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join([f"{p:.1f}" for p in precisions])
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


class BLEU(CountedMetric):
    """BLEU.

    Args:
        lowercase: ignore case.
        force: do not warn about hypotheses that look tokenized.
        tokenize: one of `TOKENIZERS`, or None for the one that fits `trg_lang`.
        smooth_method: one of `SMOOTH_DEFAULTS`.
        smooth_value: the value of "floor" and "add-k"; None for the default.
        max_ngram_order: the length of the longest n-grams.
        effective_order: average over the orders for which the hypothesis has n-grams.
        trg_lang: the target language's code.
        references: streams of references, prepared once for many systems.

    Raises:
        OptionError: an option is unknown, or its value invalid.
        MissingExtraError: the tokenizer needs a library that is not installed.
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {
        name: SMOOTHINGS[name].default for name in SACREBLEUS
    }
    TOKENIZERS = CLASSES.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP = BY_LANGUAGE
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__()
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        fitting = self._TOKENIZER_MAP.get(trg_lang, self.TOKENIZER_DEFAULT)
        self._tokenize = fitting if tokenize is None else tokenize
        self._tokenizer: Any = None
        self._replaced = False
        if trg_lang in _LANGUAGES and self._tokenize != fitting:
            warn(f"Consider using the '{fitting}' or 'spm' tokenizer for {_LANGUAGES[trg_lang]}.")
        _check_choice("tokenize", self._tokenize, self.TOKENIZERS)
        if not TOKENIZERS[self._tokenize].in_kernel:
            from bleuet.compat.sacrebleu.tokenizers.tokenizer_spm import fetch_model

            fetch_model(self._tokenize)
        self._check_options(references)

    @property
    def tokenizer(self) -> Any:
        """The tokenizer, a function of a line; it can be replaced by another function."""
        if self._tokenizer is None:
            self._tokenizer = make_tokenizer(self._tokenize)
        return self._tokenizer

    @tokenizer.setter
    def tokenizer(self, function: Any) -> None:
        self._tokenizer, self._replaced = function, True

    @property
    def tokenizer_signature(self) -> str:
        """The tokenizer's name and version."""
        if self._replaced:
            sign = getattr(self._tokenizer, "signature", None)
            return str(sign()) if sign else "custom"
        return find_tokenizer(self._tokenize).signature()

    def _preprocess_segment(self, sent: str) -> str:
        tokenized: str = self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())
        return tokenized

    def _view(self) -> Any:
        return (self._tokenizer, bool(self.lowercase)) if self._replaced else None

    def _seen(self, text: str) -> str:
        return self._preprocess_segment(text) if self._replaced else text

    def _seen_row(self, row: Any) -> Any:
        if not self._replaced or row is None:
            return row
        if isinstance(row, str):
            return self._preprocess_segment(row)
        return [None if text is None else self._preprocess_segment(text) for text in row]

    def _options(self) -> dict[str, Any]:
        return {
            "lowercase": bool(self.lowercase) and not self._replaced,
            "tokenize": "none" if self._replaced else self._tokenize,
            "smooth_method": self.smooth_method,
            "smooth_value": self.smooth_value,
            "max_ngram_order": self.max_ngram_order,
            "effective_order": bool(self.effective_order),
        }

    def _make_engine(self, **options: Any) -> Engine:
        return _engine(**options)

    def _converted(self, score: EngineScore) -> BLEUScore:
        return _converted(score, self.smooth_value)

    def _score_values(self, values: Sequence[Any]) -> EngineScore:
        lengths = int(values[0]), int(values[1])
        score: Any = super()._score_values([*lengths, *values[2:]])
        return score  # type: ignore[no-any-return]

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        if not self.effective_order:
            warn("It is recommended to enable `effective_order` for sentence-level BLEU.")
        score: BLEUScore = super().sentence_score(hypothesis, references)
        return score

    def get_signature(self) -> BLEUSignature:
        return BLEUSignature({**self.__dict__, "tokenizer_signature": self.tokenizer_signature})

    @staticmethod
    def compute_bleu(
        correct: Sequence[int],
        total: Sequence[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Return the score of counts without changing them.

        Args:
            correct: clipped matches of the orders 1 to `max_ngram_order`.
            total: n-grams of the hypotheses of these orders.
            sys_len: tokens in the hypotheses.
            ref_len: tokens in the references.
            smooth_method: one of `SMOOTH_DEFAULTS`.
            smooth_value: the value of "floor" and "add-k"; None for the default.
            effective_order: average over the orders that have n-grams.
            max_ngram_order: the length of the longest n-grams.

        Raises:
            InputError: there are fewer counts than orders.

        >>> BLEU.compute_bleu([9, 7, 5, 3], [10, 8, 6, 4], 11, 11).score
        83.75922397086269
        """
        engine = _engine(
            False, "none", smooth_method, smooth_value, max_ngram_order, bool(effective_order)
        )
        if min(len(correct), len(total)) < max_ngram_order:
            raise InputError(
                f"compute_bleu needs one count per order, {max_ngram_order}, in correct and total, "
                f"but they have {len(correct)} and {len(total)}"
            )
        counts = [*correct[:max_ngram_order], *total[:max_ngram_order]]
        score = engine.score_values([sys_len, ref_len, *counts], None)
        return _converted(score, smooth_value)


def _engine(
    lowercase: bool,
    tokenize: str,
    smooth_method: Any,
    smooth_value: float | None,
    max_ngram_order: int,
    effective_order: bool,
) -> Engine:
    _check_choice("smooth_method", smooth_method, SACREBLEUS)
    takes_value = SMOOTHINGS[smooth_method].default is not None
    return Engine(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth=smooth_method,
        # sacreBLEU accepts and ignores a value for a smoothing that takes none.
        smooth_value=smooth_value if takes_value else None,
        max_ngram_order=max_ngram_order,
        effective_order=effective_order,
    )


def _converted(score: EngineScore, given: float | None) -> BLEUScore:
    counts, totals = list(score.counts), list(score.totals)
    # The engine makes 1 of 1.0; sums have the type of the argument.
    value = score.metric.smooth_value if given is None else given
    if score.metric.smooth == "add-k" and value is not None and any(counts) and totals[0]:
        counts[1:] = [count + value for count in counts[1:]]  # type: ignore[misc]
        totals[1:] = [total + value for total in totals[1:]]  # type: ignore[misc]
    return BLEUScore(
        score.score,
        counts,
        totals,
        list(score.precisions),
        score.bp,
        score.sys_len,
        score.ref_len,  # type: ignore[arg-type]
    )


def _check_choice(name: str, value: object, choices: Collection[str]) -> None:
    if not isinstance(value, str) or value not in choices:
        hint = nearest(value, choices) if isinstance(value, str) else ""
        raise OptionError(
            f"must be one of {', '.join(choices)}, not {value!r}{hint}",
            metric="BLEU",
            option=name,
            value=value,
        )


def _shown(value: float) -> str:
    """Return two digits, as sacreBLEU prints, or all digits if two would round the value."""
    return f"{value:.2f}" if float(f"{value:.2f}") == value else repr(value)
