"""BLEU (Papineni et al. 2002), with sacreBLEU's tokenizers, smoothings and numbers."""

from __future__ import annotations

import sys
from itertools import accumulate
from math import exp, log

from bleuet.errors import OptionError, SignatureError
from bleuet.messages import nearest
from bleuet.metrics.metric import Metric
from bleuet.metrics.option import Option, check_choice, check_flag, check_number, check_order
from bleuet.metrics.score import Score
from bleuet.metrics.signature import (
    LOWERCASE,
    YES_NO,
    ParsedSignature,
    Signature,
    number_of_references,
    version_of,
)
from bleuet.metrics.smoothing import SACREBLEUS, SMOOTHINGS
from bleuet.statistics.backend import backend, is_native
from bleuet.text.tokenizers import (
    SIGNED_PREFIX,
    TOKENIZERS,
    find_tokenizer,
    tokenizer_for_language,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.smoothing import Smoothing
    from bleuet.statistics.table import Table, Totals
    from bleuet.text.tokenizers import Tokenizer

REFERENCE_LENGTHS = ("closest", "shortest", "average")
TOKEN_IDS = "ids"
# On a corpus these read n-grams of the last sentence, whichever that is.
NLTKS_OF_THE_LAST_SENTENCE = ("nltk-5", "nltk-6", "nltk-7")
UNMATCHED = {"smoothed": True, "zero": False}


class BLEUScore(Score):
    """A BLEU score and its components."""

    __slots__ = ()
    components = (
        "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio", "cumulative",
    )  # fmt: skip
    metric: BLEU

    @property
    def sys_len(self) -> int:
        """Tokens in the hypotheses."""
        return self.metric.parts(self.values)[0]  # type: ignore[return-value]

    @property
    def ref_len(self) -> int | float:
        """Tokens in the references the hypotheses are held against; an average may be broken."""
        return self.metric.parts(self.values)[1]

    @property
    def counts(self) -> tuple[int, ...]:
        """Clipped matches of order 1..N."""
        counts = self.metric.parts(self.values)[2]
        return tuple(counts[: self.metric.max_ngram_order])  # type: ignore[arg-type]

    @property
    def totals(self) -> tuple[int, ...]:
        """Count n-grams of the hypotheses of order 1..N."""
        totals = self.metric.parts(self.values)[3]
        return tuple(totals[: self.metric.max_ngram_order])  # type: ignore[arg-type]

    @property
    def precisions(self) -> tuple[float, ...]:
        """Modified precisions after smoothing, in percent; 0 for an order without any."""
        return tuple(self.metric.precisions(self.values)[0])

    @property
    def bp(self) -> float:
        """The brevity penalty."""
        return brevity_penalty(self.sys_len, self.ref_len)

    @property
    def ratio(self) -> float:
        """Hypothesis length over reference length."""
        return self.sys_len / self.ref_len if self.ref_len else 0.0

    @property
    def cumulative(self) -> tuple[float, ...]:
        """BLEU-1 to BLEU-N, with the first weights of a weight vector brought to a sum of 1."""
        weights = self.metric.weights
        precisions, orders = self.metric.precisions(self.values)
        scores = []
        for n in range(1, len(precisions) + 1):
            used = min(n, orders)
            some: Sequence[float] | None = weights
            if weights is not None and used < len(weights):
                some = _normalised(weights[:used])
            scores.append(self.bp * geometric_mean(precisions[:used], some))
        return tuple(scores)

    def details(self) -> str:
        """Return precisions, brevity penalty and lengths as sacreBLEU prints them."""
        precisions = "/".join(f"{p:.1f}" for p in self.precisions)
        reference = f"{self.ref_len:d}" if isinstance(self.ref_len, int) else f"{self.ref_len:.1f}"
        return (
            f"{precisions} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {reference})"
        )


class BLEU(Metric[BLEUScore]):
    """Bilingual evaluation understudy: clipped n-gram precisions times a brevity penalty.

    BLEU = BP * exp(sum of w_n log p_n), in percent (Papineni et al. 2002, section 2.3). Defaults
    give sacreBLEU's numbers.

    Args:
        lowercase: lower-case both sides first.
        tokenize: a tokenizer's name (`bleuet tokenizers` lists them), `spm:FILE` for a
            SentencePiece model, or "ids" for token ids instead of text; default 13a, or the one
            that fits `trg_lang`.
        smooth: "none", "floor", "add-k" or "exp" as in sacreBLEU, "chen-cherry-1" to
            "chen-cherry-7", or "nltk-0" to "nltk-7"; see `bleuet.metrics.smoothing`.
        smooth_value: the number that the smoothing takes: 0.1 for "floor", 1 for "add-k", epsilon
            (0.1) of "chen-cherry-1", K (5) of 4 and 7, alpha (5) of 6, and so for "nltk-N".
        smooth_unmatched: smooth also where nothing matches at all, which otherwise scores 0;
            default: only with "chen-cherry-N".
        max_ngram_order: the longest n-grams that count.
        effective_order: take the mean over the orders of which the hypothesis has n-grams;
            default: only with "chen-cherry-N".
        weights: one weight per order, adding up to 1; default 1/max_ngram_order each.
        reference_length: with several references, hold a hypothesis against the length "closest"
            to its own (the shorter of two), the "shortest" (NIST before 2009), or the "average".
        trg_lang: a target language, such as "ja", to choose the tokenizer by.

    Raises:
        OptionError: an option does not exist or has a value it cannot take.
        MissingExtraError: the tokenizer needs a library that is not installed.

    >>> print(BLEU().corpus_score(["The cat sat down."], ["The cat sat up."]))
    BLEU = 42.73 80.0/50.0/33.3/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 5 ref_len = 5)
    """

    __slots__ = (
        "_scorer",
        "_tokenizer",
        "effective_order",
        "integer_columns",
        "lowercase",
        "max_ngram_order",
        "real_columns",
        "reference_length",
        "smooth",
        "smooth_unmatched",
        "smooth_value",
        "tokenize",
        "weights",
    )
    _fields = (
        "lowercase",
        "tokenize",
        "smooth",
        "smooth_value",
        "smooth_unmatched",
        "max_ngram_order",
        "effective_order",
        "weights",
        "reference_length",
    )
    score_type = BLEUScore
    short_keys = {"case": "c", "eff": "e", "smooth": "s"}  # noqa: RUF012 - a constant
    scoring_options = frozenset(
        [
            "smooth",
            "smooth_value",
            "smooth_unmatched",
            "max_ngram_order",
            "effective_order",
            "weights",
        ]
    )
    options = (
        Option("tokenize", "13a", "the tokenizer, by name or as spm:FILE", tuple(TOKENIZERS)),
        Option("lowercase", False, "lower-case both sides first"),
        Option("smooth", "exp", "what a precision without matches becomes", tuple(SMOOTHINGS)),
        Option("smooth_value", None, "its value: the floor, k, epsilon, K or alpha"),
        Option("smooth_unmatched", False, "smooth also where nothing at all matches", depends=True),
        Option("max_ngram_order", 4, "the longest n-grams that count"),
        Option(
            "effective_order",
            False,
            "count only orders the hypothesis has n-grams of",
            depends=True,
        ),
        Option("weights", None, "one weight per order, adding up to 1", many=True),
        Option("reference_length", "closest", "which reference's length counts", REFERENCE_LENGTHS),
    )
    lowercase: bool
    tokenize: str
    smooth: str
    smooth_value: float | None
    smooth_unmatched: bool
    max_ngram_order: int
    effective_order: bool
    weights: tuple[float, ...] | None
    reference_length: str
    _tokenizer: Tokenizer | None
    _scorer: Any

    def __init__(
        self,
        lowercase: bool = False,
        tokenize: str | None = None,
        smooth: str = "exp",
        smooth_value: float | None = None,
        smooth_unmatched: bool | None = None,
        max_ngram_order: int = 4,
        effective_order: bool | None = None,
        weights: Sequence[float] | None = None,
        reference_length: str = "closest",
        trg_lang: str = "",
    ) -> None:
        check_choice("BLEU", "smooth", smooth, SMOOTHINGS)
        usual = SMOOTHINGS[smooth].chen_cherry
        smooth_unmatched = usual if smooth_unmatched is None else smooth_unmatched
        effective_order = usual if effective_order is None else effective_order
        check_flag("BLEU", "lowercase", lowercase)
        check_flag("BLEU", "smooth_unmatched", smooth_unmatched)
        check_flag("BLEU", "effective_order", effective_order)
        check_order("BLEU", "max_ngram_order", max_ngram_order, 1)
        check_choice("BLEU", "reference_length", reference_length, REFERENCE_LENGTHS)
        name = tokenizer_for_language(trg_lang) if tokenize is None else tokenize
        self._set(
            lowercase=lowercase,
            tokenize=name,
            smooth=smooth,
            smooth_value=_checked_smooth_value(smooth, smooth_value),
            smooth_unmatched=smooth_unmatched,
            max_ngram_order=max_ngram_order,
            effective_order=effective_order,
            weights=_checked_weights(weights, max_ngram_order),
            reference_length=reference_length,
            _tokenizer=None if name == TOKEN_IDS else find_tokenizer(name),
        )
        self._set_columns()
        if name == TOKEN_IDS and lowercase:
            raise OptionError("BLEU: token ids have no case; leave lowercase at False")

    def _set_columns(self) -> None:
        """Lengths, clipped matches per order, n-grams of the hypothesis per order."""
        orders = range(1, self._counted_orders + 1)
        totals = "nltk_totals" if SMOOTHINGS[self.smooth].nltk else "totals"
        counts = [f"matches_{n}" for n in orders] + [f"{totals}_{n}" for n in orders]
        if self.reference_length == "average":
            self._set(integer_columns=("sys_len", *counts), real_columns=("ref_len",))
        else:
            self._set(integer_columns=("sys_len", "ref_len", *counts), real_columns=())

    @property
    def _counted_orders(self) -> int:
        """Orders in its table: some smoothings average with one more than BLEU has."""
        return SMOOTHINGS[self.smooth].orders(self.max_ngram_order)

    # --- What it says of itself -------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The printed name, BLEU whatever the options."""
        return "BLEU"

    def signature(self, n_references: int | None = 1) -> Signature:
        """Return the signature: sacreBLEU's keys, then what differs from its defaults."""
        smooth = self.smooth
        if self.smooth_value is not None:
            smooth += f"[{_two_digits_or_all(self.smooth_value)}]"
        pairs = [
            ("nrefs", number_of_references(n_references)),
            ("case", "lc" if self.lowercase else "mixed"),
            ("eff", "yes" if self.effective_order else "no"),
            ("tok", TOKEN_IDS if self._tokenizer is None else self._tokenizer.signature()),
            ("smooth", smooth),
        ]
        if self.smooth_unmatched != SMOOTHINGS[self.smooth].chen_cherry:
            pairs.append(("unmatched", "smoothed" if self.smooth_unmatched else "zero"))
        if self.max_ngram_order != 4:
            pairs.append(("order", str(self.max_ngram_order)))
        if self.weights is not None:
            pairs.append(("weights", "/".join(map(repr, self.weights))))
        if self.reference_length != "closest":
            pairs.append(("reflen", self.reference_length))
        pairs.append(("version", version_of(self._is_sacrebleus())))
        return Signature("BLEU", pairs, self.short_keys)

    def _is_sacrebleus(self) -> bool:
        """Whether sacreBLEU has this very configuration."""
        return (
            self._tokenizer is not None
            and self._tokenizer.in_sacrebleu
            and self.smooth in SACREBLEUS
            and not self.smooth_unmatched
            and self.weights is None
            and self.reference_length == "closest"
        )

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> BLEU:
        """Return the metric that a signature describes.

        Raises:
            SignatureError: a value is missing, unknown, or names a tokenizer that is not here.
        """
        smooth, _, value = parsed.take("smooth").rstrip("]").partition("[")
        weights = parsed.take("weights", "")
        try:
            return cls(
                lowercase=parsed.choice("case", LOWERCASE),
                tokenize=_tokenizer_of_signature(parsed.take("tok")),
                smooth=smooth,
                smooth_value=float(value) if value else None,
                smooth_unmatched=_unmatched_of_signature(parsed),
                max_ngram_order=parsed.number("order", "4"),  # type: ignore[arg-type]
                effective_order=parsed.choice("eff", YES_NO),
                weights=[float(w) for w in weights.split("/")] if weights else None,
                reference_length=parsed.take("reflen", "closest"),
            )
        except (OptionError, ValueError) as error:
            raise SignatureError(f"this BLEU signature cannot be read: {error}") from None

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the language's tokenizer, and for sentences the effective order.

        These are the choices of sacreBLEU's command line. A sentence of three words has no
        4-grams, so that without the effective order it would score 0.
        """
        # Without sentences the order is left to the smoothing, whose default it is.
        orders = {"effective_order": True} if sentences else {}
        return {"tokenize": tokenizer_for_language(language), **orders}

    def with_options(self, **options: Any) -> BLEU:
        """Return the same metric with some options changed.

        Another smoothing brings its own value, and its own ways where they were not chosen.

        Raises:
            OptionError: there is no such option, or it cannot take the value.

        >>> BLEU(smooth="add-k", smooth_value=2).with_options(smooth="floor").smooth_value
        0.1
        """
        brought: dict[str, Any] = {}
        if options.get("smooth", self.smooth) != self.smooth:
            usual = SMOOTHINGS[self.smooth].chen_cherry
            ways = ("smooth_unmatched", "effective_order")
            brought = {name: None for name in ways if getattr(self, name) == usual}
            brought["smooth_value"] = None
        return super().with_options(**{**brought, **options})  # type: ignore[return-value]

    # --- Scoring ----------------------------------------------------------------------------------

    def score(self, totals: Totals) -> BLEUScore:
        """Reduce: the score of a sum of rows.

        Raises:
            TableError: the totals lack columns of this metric's.
            OptionError: it is a corpus, for which NLTK's smoothing has no formula to emulate.
        """
        if totals.rows > 1 and self.smooth in NLTKS_OF_THE_LAST_SENTENCE:
            raise OptionError(
                f"BLEU: smooth={self.smooth!r} is for sentences: on a corpus NLTK smooths with "
                "n-grams of the last sentence only; score sentence by sentence, or take "
                f"{self.smooth.replace('nltk', 'chen-cherry')!r}"
            )
        return super().score(totals)

    def formula(self, values: Sequence[int | float]) -> float:
        """Return BP * exp(sum of w_n log p_n) in percent (Papineni et al. 2002, section 2.3)."""
        sys_len, ref_len = self.parts(values)[:2]
        precisions, orders = self.precisions(values)
        return brevity_penalty(sys_len, ref_len) * geometric_mean(precisions[:orders], self.weights)

    def parts(
        self, values: Sequence[int | float]
    ) -> tuple[int | float, int | float, Sequence[int | float], Sequence[int | float]]:
        """Return hypothesis length, reference length, matches and totals of sums of rows.

        Matches and totals are those of all orders that were counted.
        """
        order = self._counted_orders
        if self.real_columns:
            return values[0], values[-1], values[1 : 1 + order], values[1 + order : -1]
        return values[0], values[1], values[2 : 2 + order], values[2 + order :]

    def precisions(self, values: Sequence[int | float]) -> tuple[list[float], int]:
        """Return the smoothed precision of every order in percent, and how many orders count."""
        length, _, counts, totals = self.parts(values)
        used: list[float] = []
        if any(counts) or self.smooth_unmatched:
            smoothing = SMOOTHINGS[self.smooth]
            used = smoothing.precisions(
                self._orders_for(smoothing, counts),
                self._orders_for(smoothing, totals),
                length,
                self.smooth_value or 0.0,
            )
        precisions = used + [0.0] * (self.max_ngram_order - len(used))
        return precisions, len(used) if self.effective_order else self.max_ngram_order

    def _orders_for(
        self, smoothing: Smoothing, counted: Sequence[int | float]
    ) -> Sequence[int | float]:
        """What a smoothing is a function of: order 1..N, and the one it averages with."""
        if smoothing.averages == "fifth":
            return [*counted[: self.max_ngram_order], counted[4]]
        return counted

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        integers, reals = table.blocks()
        self._own_scorer().scores(integers, reals, table.rows, scores)

    def _number_of_row(self, row: tuple[int | float, ...]) -> float:
        if not is_native():
            return self.formula(row)
        number: float = self._own_scorer().score(row)
        return number

    def _own_scorer(self) -> Any:
        """The kernel's form of `formula`, for rows by the thousand."""
        try:
            return self._scorer
        except AttributeError:
            self._set(
                _scorer=backend().BleuScorer(
                    max_ngram_order=self.max_ngram_order,
                    smooth=self.smooth,
                    smooth_value=self.smooth_value or 0.0,
                    smooth_unmatched=self.smooth_unmatched,
                    effective_order=self.effective_order,
                    weights=list(self.weights or ()),
                    real_length=bool(self.real_columns),
                    # Python's sum() of floats is compensated from 3.12 on, sacreBLEU's with it.
                    compensated_sum=sys.version_info >= (3, 12),
                )
            )
            return self._scorer

    # --- Counting ---------------------------------------------------------------------------------

    def _make_counter(self) -> Any:
        in_kernel = self._tokenizer is not None and self._tokenizer.in_kernel
        return backend().BleuCounter(
            max_ngram_order=self._counted_orders,
            phantom_ngrams=SMOOTHINGS[self.smooth].nltk,
            tokenizer=self.tokenize if in_kernel else "none",
            lowercase=self.lowercase and in_kernel,
            reference_length=self.reference_length,
            token_ids=self._tokenizer is None,
        )

    @property
    def counts_token_ids(self) -> bool:
        """Whether its segments are token ids instead of text."""
        return self._tokenizer is None

    @property
    def _takes_text_as_it_is(self) -> bool:
        return self._tokenizer is not None and self._tokenizer.in_kernel

    def _text(self, segment: Any) -> Any:
        if self._tokenizer is None or self._tokenizer.in_kernel or segment is None:
            return segment
        lowered = segment.lower() if self.lowercase else segment
        return self._tokenizer.tokenize(lowered.rstrip())

    def _texts(self, segments: Sequence[Any]) -> Sequence[Any]:
        if self._tokenizer is None or self._tokenizer.in_kernel:
            return segments
        return [self._sentence_texts(segment) for segment in segments]

    def _sentence_texts(self, references: Any) -> Any:
        if self._tokenizer is None or self._tokenizer.in_kernel:
            return references
        if isinstance(references, str):
            return self._text(references)
        return [self._text(reference) for reference in references]


def brevity_penalty(sys_len: float, ref_len: float) -> float:
    """Return 1 for hypotheses at least as long as the references, else exp(1 - r/c).

    Source: Papineni et al. 2002, section 2.3.

    >>> brevity_penalty(12, 12), brevity_penalty(0, 3)
    (1.0, 0.0)
    """
    if sys_len >= ref_len:
        return 1.0
    return exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0


def geometric_mean(precisions: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """Return exp(sum of w_n log p_n), 0 where a precision of some weight is 0.

    >>> round(geometric_mean([50.0, 12.5]), 9)
    25.0
    """
    if not precisions:
        return 0.0
    if weights is None:
        if 0.0 in precisions:
            return 0.0
        return exp(sum(map(log, precisions)) / len(precisions))
    pairs = [(w, p) for w, p in zip(weights, precisions, strict=False) if w]
    if not pairs or any(p == 0.0 for _, p in pairs):
        return 0.0
    logs = sum([w * log(p) for w, p in pairs])
    # The orders that an effective order leaves out leave their weight to the others.
    return exp(
        logs if len(precisions) == len(weights) else logs / _total(weights[: len(precisions)])
    )


def _total(weights: Sequence[float]) -> float:
    return list(accumulate(weights, initial=0.0))[-1]


def _normalised(weights: Sequence[float]) -> list[float]:
    total = _total(weights)
    return [w / total for w in weights] if total else list(weights)


def _two_digits_or_all(value: float) -> str:
    return f"{value:.2f}" if float(f"{value:.2f}") == value else repr(value)


def _checked_smooth_value(smooth: str, value: float | None) -> float | None:
    default = SMOOTHINGS[smooth].default
    if value is None:
        return default
    if default is None:
        takers = ", ".join(name for name, s in SMOOTHINGS.items() if s.default is not None)
        raise OptionError(f"BLEU: smooth_value belongs to {takers}; smooth={smooth!r} takes none")
    check_number("BLEU", "smooth_value", value, 0)
    if value == 0 and SMOOTHINGS[smooth].positive:
        raise OptionError(
            f"BLEU: smooth_value must be more than 0 for smooth={smooth!r}, which divides by "
            f"{SMOOTHINGS[smooth].symbol}"
        )
    return value


def _checked_weights(weights: Sequence[float] | None, order: int) -> tuple[float, ...] | None:
    if weights is None:
        return None
    try:
        listed = tuple(weights)
    except TypeError:
        raise OptionError(
            f"BLEU: weights must be a list of one number per order, not {weights!r}"
        ) from None
    if len(listed) != order:
        raise OptionError(
            f"BLEU: weights needs one number per order, {order} for max_ngram_order={order}, "
            f"but {len(listed)} came"
        )
    for weight in listed:
        check_number("BLEU", "every weight", weight, 0)
    total = sum(listed)
    if abs(total - 1) > 1e-6:
        raise OptionError(
            f"BLEU: the weights must add up to 1, but they add up to {total:g}: "
            "divide each by their sum"
        )
    return tuple(float(weight) for weight in listed)


def _unmatched_of_signature(parsed: ParsedSignature) -> bool | None:
    return parsed.choice("unmatched", UNMATCHED) if "unmatched" in parsed.pairs else None


def _tokenizer_of_signature(tok: str) -> str:
    """The name whose tokenizer signs with `tok`; a MeCab tokenizer signs with its version too."""
    if tok in TOKENIZERS or tok == TOKEN_IDS or tok.startswith(SIGNED_PREFIX):
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
