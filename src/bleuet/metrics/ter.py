"""TER, translation edit rate (Snover et al. 2006), with sacreBLEU's options and numbers."""

from __future__ import annotations

from bleuet.errors import OptionError, SignatureError
from bleuet.metrics.metric import Metric
from bleuet.metrics.option import Option, check_choice, check_flag
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.statistics.table import Table

TERCOM, TOKEN_IDS = "tercom", "ids"


class TERScore(Score):
    """A TER score and its components."""

    __slots__ = ()
    components = ("num_edits", "ref_length")
    metric: TER

    @property
    def num_edits(self) -> int:
        """Edits to the nearest reference, summed over segments."""
        return int(self.values[0])

    @property
    def ref_length(self) -> float:
        """Mean reference length, summed over segments."""
        return float(self.values[1])


class TER(Metric[TERScore]):
    """Translation edit rate: edits to the nearest reference per reference word; lower is better.

    An edit inserts, deletes or substitutes a word, or shifts a run of words (Snover et al. 2006).
    With several references, edits are those to the nearest and the length is their mean. Defaults
    give sacreBLEU's numbers, which are tercom's.

    Args:
        normalized: normalise and tokenize as tercom's -N does.
        no_punct: remove punctuation.
        asian_support: with `normalized`, split Chinese and Japanese ideographs (runs of kana stay
            whole); with `no_punct`, remove East Asian punctuation too.
        case_sensitive: keep case; by default both sides are lower-cased.
        tokenize: "tercom", or "ids" for token ids instead of text.
        tokenize_references_once: sacreBLEU normalises references twice, which moves scores a
            little where `normalized` is set; True normalises them once, like hypotheses.

    Raises:
        OptionError: an option has a value it cannot take.

    >>> print(TER().corpus_score(["The cat sat down."], ["The cat sat up."]))
    TER = 25.00
    """

    __slots__ = (
        "asian_support",
        "case_sensitive",
        "no_punct",
        "normalized",
        "tokenize",
        "tokenize_references_once",
    )
    _fields = (
        "normalized",
        "no_punct",
        "asian_support",
        "case_sensitive",
        "tokenize",
        "tokenize_references_once",
    )
    score_type = TERScore
    short_keys = {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}  # noqa: RUF012 - a constant
    options = (
        Option("normalized", False, "normalise and tokenize as tercom's -N does"),
        Option("no_punct", False, "remove punctuation"),
        Option(
            "asian_support",
            False,
            "split ideographs (normalized), drop their marks (no_punct)",
        ),
        Option("case_sensitive", False, "keep case instead of lower-casing both sides"),
        Option(
            "tokenize",
            TERCOM,
            "words of text, or token ids",
            (TERCOM, TOKEN_IDS),
            on_command_line=False,
        ),
        Option(
            "tokenize_references_once", False, "do not repeat sacreBLEU's doubled normalisation"
        ),
    )
    higher_is_better = False
    integer_columns = ("num_edits",)
    real_columns = ("ref_length",)
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool
    tokenize: str
    tokenize_references_once: bool

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        tokenize: str = TERCOM,
        tokenize_references_once: bool = False,
    ) -> None:
        self._set(normalized=normalized, no_punct=no_punct, asian_support=asian_support)
        self._set(case_sensitive=case_sensitive)
        self._set(tokenize_references_once=tokenize_references_once)
        flags = [name for name in self._fields if name != "tokenize"]
        for name in flags:
            check_flag("TER", name, getattr(self, name))
        check_choice("TER", "tokenize", tokenize, (TERCOM, TOKEN_IDS))
        self._set(tokenize=tokenize)
        chosen = [name for name in flags if getattr(self, name)]
        if tokenize == TOKEN_IDS and chosen:
            raise OptionError(f"TER: token ids are compared as they are; leave out {chosen[0]}")

    @property
    def name(self) -> str:
        """The printed name, TER whatever the options."""
        return "TER"

    def signature(self, n_references: int | None = 1) -> Signature:
        """Return the signature: sacreBLEU's keys, and the mark of the corrected variant."""
        pairs = [
            ("nrefs", number_of_references(n_references)),
            ("case", "mixed" if self.case_sensitive or self.tokenize == TOKEN_IDS else "lc"),
            ("tok", self.tokenize),
            ("norm", yes_no(self.normalized)),
            ("punct", yes_no(not self.no_punct)),
            ("asian", yes_no(self.asian_support)),
        ]
        if self.tokenize_references_once:
            pairs.append(("reftok", "once"))
        in_sacrebleu = self.tokenize == TERCOM and not self.tokenize_references_once
        pairs.append(("version", version_of(in_sacrebleu)))
        return Signature("TER", pairs, self.short_keys)

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> TER:
        """Return the metric that a signature describes.

        Raises:
            SignatureError: a value is missing or unknown.
        """
        tokenize = parsed.take("tok")
        lowercase = parsed.choice("case", LOWERCASE)
        try:
            return cls(
                normalized=parsed.choice("norm", YES_NO),
                no_punct=not parsed.choice("punct", YES_NO),
                asian_support=parsed.choice("asian", YES_NO),
                case_sensitive=not lowercase and tokenize == TERCOM,
                tokenize=tokenize,
                tokenize_references_once=parsed.choice(
                    "reftok", {"once": True, "twice": False}, "twice"
                ),
            )
        except OptionError as error:
            raise SignatureError(f"this TER signature cannot be read: {error}") from None

    def formula(self, values: Sequence[int | float]) -> float:
        """Return edits per reference word in percent (Snover et al. 2006, equation 1)."""
        return edit_rate(*values)

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        backend().ter_scores(*table.blocks(), table.rows, scores)

    @property
    def counts_token_ids(self) -> bool:
        """Whether its segments are token ids instead of text."""
        return self.tokenize == TOKEN_IDS

    def _make_counter(self) -> Any:
        return backend().TerCounter(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            lowercase=not self.case_sensitive and self.tokenize == TERCOM,
            tokenize_references_once=self.tokenize_references_once,
            token_ids=self.tokenize == TOKEN_IDS,
        )


def edit_rate(num_edits: float, ref_length: float) -> float:
    """Return edits per reference word in percent.

    Edits against empty references count as 100, no edits against them as 0.

    >>> edit_rate(1, 4.0), edit_rate(3, 0.0), edit_rate(0, 0.0)
    (25.0, 100.0, 0.0)
    """
    if ref_length > 0:
        return 100 * (num_edits / ref_length)
    return 100.0 if num_edits > 0 else 0.0
