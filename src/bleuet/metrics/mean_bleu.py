"""Means of sentence BLEU over a document (Chen and Cherry 2014, equation 13); not BLEU itself."""

from __future__ import annotations

from array import array
from operator import mul

from bleuet.errors import SignatureError
from bleuet.metrics.bleu import BLEU
from bleuet.metrics.metric import Metric
from bleuet.metrics.option import Option, check_choice
from bleuet.metrics.score import Score
from bleuet.metrics.signature import ParsedSignature, Signature, version_of
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from inspect import Signature as CallSignature
    from typing import Any, ClassVar

COLUMNS = ("weighted_score", "weight")
# The values of `weighting`, and what name and signature call them.
WEIGHTINGS = {"reference-length": "length", "plain": "plain"}
# Where a sentence's BLEU has another default than a corpus's.
SENTENCE_DEFAULTS = {"effective_order": True}


class MeanBLEUScore(Score):
    """A mean of sentence BLEU and what it is the quotient of."""

    __slots__ = ()
    components = COLUMNS
    metric: MeanBLEU

    @property
    def weighted_score(self) -> float:
        """The sum of weight times BLEU, in percent, over sentences."""
        return self.values[0]

    @property
    def weight(self) -> float:
        """The sum of weights: tokens in the references, or the number of sentences."""
        return self.values[1]


def _with_default(option: Option, defaults: dict[str, Any]) -> Option:
    """Return an option as it is, but for its default where there is another for it."""
    same = dict(zip(option._fields, option._values(), strict=True))
    return Option(**{**same, "default": defaults.get(option.name, option.default)})


class _Arguments:
    """The constructor's arguments as `inspect` and `help` show them: BLEU's, and `weighting`."""

    def __get__(self, instance: object, owner: type[MeanBLEU]) -> CallSignature:
        from inspect import Parameter, signature

        defaults = {**SENTENCE_DEFAULTS, "weighting": "reference-length"}
        theirs = {name: found.default for name, found in signature(BLEU).parameters.items()}
        return signature(BLEU).replace(
            parameters=[
                Parameter(name, Parameter.KEYWORD_ONLY, default=default)
                for name, default in {**theirs, **defaults}.items()
            ],
            return_annotation=Parameter.empty,
        )


class MeanBLEU(Metric[MeanBLEUScore]):
    """The mean of the sentences' BLEU: each sentence is scored by itself, then scores are averaged.

    Mean = sum of weight_i * BLEU_i / sum of weight_i, in percent, where weight_i is len(R_i), the
    sentence's reference length (Chen and Cherry 2014, equation 13), or 1. BLEU proper, of a
    document too, is `BLEU`, which adds counts and scores once (Papineni et al. 2002, section 2.1).

    Args:
        weighting: "reference-length" (equation 13; of several references the length that BLEU
            holds the hypothesis against), or "plain" for the mean in which all weigh the same.
        **options: those of `BLEU`, which say how a sentence is scored: lowercase, tokenize, smooth,
            smooth_value, smooth_unmatched, max_ngram_order, effective_order (here True by default,
            as sentences need it), weights, reference_length and trg_lang.

    Raises:
        OptionError: an option has a value it cannot take.

    >>> hypotheses, references = ["The cat sat down.", "Rain."], ["The cat sat up.", "Rain."]
    >>> print(MeanBLEU().corpus_score(hypotheses, references))
    MeanBLEU-length = 59.09
    >>> print(MeanBLEU(weighting="plain").corpus_score(hypotheses, references))
    MeanBLEU-plain = 71.36
    """

    __slots__ = (*BLEU._fields, "bleu", "weighting")
    __signature__ = _Arguments()
    _fields = (*BLEU._fields, "weighting")
    score_type = MeanBLEUScore
    # BLEU's key `smooth` is its mark among signatures. Here what is smoothed is another thing.
    short_keys = {"case": "c", "eff": "e", "sentsmooth": "ss"}  # noqa: RUF012 - a constant
    options = (
        Option("weighting", "reference-length", "how much a sentence counts", tuple(WEIGHTINGS)),
        *(_with_default(option, SENTENCE_DEFAULTS) for option in BLEU.options),
    )
    # The metric whose sentence scores this one averages.
    averages: ClassVar[type[Metric[Any]]] = BLEU
    integer_columns = ()
    real_columns = COLUMNS
    weighting: str
    bleu: BLEU

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Every option of BLEU is an attribute here too."""

    def __init__(self, *, weighting: str = "reference-length", **options: Any) -> None:
        check_choice("MeanBLEU", "weighting", weighting, WEIGHTINGS)
        # None asks for the default, as it does of BLEU.
        defaults = {k: v for k, v in SENTENCE_DEFAULTS.items() if options.get(k) is None}
        bleu = BLEU(**{**options, **defaults})
        self._set(weighting=weighting, bleu=bleu)
        self._set(**dict(zip(bleu._fields, bleu._values(), strict=True)))

    # --- What it says of itself -------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The printed name, MeanBLEU-length or MeanBLEU-plain."""
        return f"MeanBLEU-{WEIGHTINGS[self.weighting]}"

    def signature(self, n_references: int | None = 1) -> Signature:
        """Return the signature: BLEU's, with `sentsmooth` for `smooth`, and which mean it is."""
        *theirs, _ = self.bleu.signature(n_references).pairs
        pairs = [("sentsmooth" if key == "smooth" else key, value) for key, value in theirs]
        pairs += [("mean", WEIGHTINGS[self.weighting]), ("version", version_of(False))]
        return Signature(self.name, pairs, self.short_keys)

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> MeanBLEU:
        """Return the metric that a signature describes.

        Raises:
            SignatureError: a value is missing or unknown.
        """
        mark = parsed.take("mean")
        weighting = next((name for name, known in WEIGHTINGS.items() if known == mark), None)
        if weighting is None:
            raise SignatureError(
                f"the signature's mean must be {' or '.join(WEIGHTINGS.values())}, not {mark!r}"
            )
        parsed.pairs["smooth"] = parsed.take("sentsmooth")
        bleu = BLEU.from_signature(parsed)
        return cls(weighting=weighting, **dict(zip(bleu._fields, bleu._values(), strict=True)))

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return what suits BLEU of sentences, which is what is averaged."""
        return BLEU.suited_to(language=language, sentences=True)

    # --- Scoring ----------------------------------------------------------------------------------

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the weighted mean in percent (Chen and Cherry 2014, equation 13).

        Sentences that weigh nothing, as against empty references, have a mean of 0.
        """
        weighted, weight = values
        return weighted / weight if weight else 0.0

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        for i, values in enumerate(zip(*map(table.column, COLUMNS), strict=True)):
            scores[i] = self.formula(values)

    def sentence_score(self, hypothesis: Any, references: Any) -> MeanBLEUScore:
        """Score one hypothesis, whose mean is its BLEU up to rounding.

        Raises:
            InputError: the input cannot be scored as it is; the message says how to mend it.
        """
        one = self.bleu.sentence_score(hypothesis, references)
        weight = 1.0 if self.weighting == "plain" else float(one.ref_len)
        return self.score_values((weight * one.score, weight), one.n_references)

    # --- Counting, which BLEU does ----------------------------------------------------------------

    def table_of(self, counted: Table) -> Table:
        """Return this metric's rows from those that its BLEU has counted.

        Args:
            counted: a table of `self.bleu`, or of a BLEU that counts alike.

        Raises:
            TableError: the table is no such one.

        >>> mean = MeanBLEU(weighting="plain")
        >>> mean.table_of(mean.bleu.count(["a b c"], ["a b d"])).row(0)["weight"]
        1.0
        """
        scores = self.bleu.segment_scores(counted).values
        weights = array("d", [1.0]) * counted.rows
        if self.weighting == "reference-length":
            weights = array("d", counted.column("ref_len"))
        reals = array("d", map(mul, weights, scores))
        reals.extend(weights)
        return Table((), COLUMNS, counted.rows, b"", reals, counted.n_references)

    def _fill(self, hypotheses: Sequence[Any], references: Any, threads: int) -> Table:
        return self.table_of(self.bleu._fill(hypotheses, references, threads))

    def _make_counter(self) -> Any:
        return self.bleu._own_counter()

    @property
    def counts_token_ids(self) -> bool:
        """Whether its segments are token ids instead of text."""
        return self.bleu.counts_token_ids

    @property
    def _takes_text_as_it_is(self) -> bool:
        return self.bleu._takes_text_as_it_is

    def _texts(self, segments: Sequence[Any]) -> Sequence[Any]:
        return self.bleu._texts(segments)
