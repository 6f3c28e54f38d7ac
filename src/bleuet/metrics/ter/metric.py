"""TER, translation edit rate (Snover et al. 2006), with sacreBLEU's options and numbers."""

from __future__ import annotations

from bleuet.frozen import cached_property
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.statistics.backend import backend
from bleuet.text import segments
from bleuet.text.segments import IDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.marks import Mark
    from bleuet.statistics.table import Table

TERCOM = "tercom"
EDITS = {
    "substituted": "substituted words",
    "missing": "missing words, which only the reference has",
    "extra": "extra words, which only the hypothesis has",
    "shifted": "shifts of words",
}


class TERScore(Score):
    """A TER score and its components."""

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

    >>> print(TER().corpus_score(["The cat sat down."], ["The cat sat up."]))
    TER = 25.00
    """

    case_sensitive: bool = option(
        default=False,
        help="do not lower-case hypotheses and references; token ids are never lower-cased",
        key="case",
        short_key="c",
        values={"lc": False, "mixed": True},
        follows="tokenize",
        default_for=lambda tokenize: tokenize == IDS,
    )
    tokenize: Literal["tercom", "ids"] = option(
        default="tercom",
        help="words of text, or token ids instead of text",
        key="tok",
        short_key="t",
        choices=(TERCOM, IDS),
        in_sacrebleu=False,
        on_command_line=False,
    )
    normalized: bool = option(
        default=False,
        help="normalize and tokenize as tercom's -N does",
        key="norm",
        short_key="nr",
    )
    no_punct: bool = option(
        default=False,
        help="remove punctuation",
        key="punct",
        short_key="pn",
        values={"yes": False, "no": True},
    )
    asian_support: bool = option(
        default=False,
        help="with normalized, split Chinese and Japanese ideographs; with no_punct, remove East "
        "Asian punctuation too",
        key="asian",
        short_key="as",
    )
    tokenize_references_once: bool = option(
        default=False,
        help="normalize references once, like hypotheses; sacreBLEU normalizes references twice",
        key="reftok",
        values={"once": True, "twice": False},
        sign_default=False,
        in_sacrebleu=False,
    )
    counter = CounterClass(
        "bleuet.metrics.ter.definition:TerCounter",
        case_sensitive=None,
        lowercase=lambda metric: not metric.case_sensitive,
        tokenize=None,
    )
    score_type = TERScore
    in_sacrebleu = True
    definition = "100 * edits to the nearest reference / mean reference length"
    source = (
        "Snover, Dorr, Schwartz, Micciulla and Makhoul (2006), A Study of Translation Edit Rate "
        "with Targeted Human Annotation, AMTA, equation 1"
    )
    same_number = "sacreBLEU 2.6.0 and tercom 0.10"
    higher_is_better = False
    integer_columns = ("num_edits",)
    real_columns = ("ref_length",)

    def check_options(self) -> None:
        """Reject options of text where token ids are counted."""
        if self.tokenize == IDS:
            for one in self.options:
                if one.name != "tokenize" and not self.is_default(one):
                    raise self.rejected(
                        one.name,
                        "is for text, and token ids are compared as they are: leave it out",
                    )

    def formula(self, values: Sequence[int | float]) -> float:
        """Return edits per reference word in percent (Snover et al. 2006, equation 1)."""
        return edit_rate(*values)

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        backend().ter_scores(*table.blocks(), table.rows, scores)

    @cached_property
    def counted_kind(self) -> str:
        """`TOKEN_IDS` with tokenize="ids", otherwise `TEXT`."""
        return segments.TOKEN_IDS if self.tokenize == IDS else segments.TEXT

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the words, and the shifts and edits to the nearest reference."""
        from bleuet.metrics.base.marks import (
            EQUAL,
            EXTRA,
            MISSING,
            SHIFTED,
            SUBSTITUTED,
            aligned_marks,
        )
        from bleuet.metrics.ter.definition import TerCounter

        read = TerCounter(**self.counter.options_of(self)).read
        words, several = hypothesis, references
        if self.tokenize != IDS:
            words = read(hypothesis, reference=False)
            several = [read(one, reference=True) for one in references]
        kinds = (EQUAL, SUBSTITUTED, EXTRA, MISSING, SHIFTED)
        return words, several, aligned_marks(self, hypothesis, references, kinds)[1]

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the edits of each kind, and the mean length of the references."""
        from bleuet.metrics.base.marks import EQUAL

        kinds = [mark.kind for mark in steps.marked[2]]
        length = row[1]
        steps.count("r", "mean length of the references", length)
        names = [kind for kind in dict.fromkeys(kinds) if kind != EQUAL]
        for kind in names:
            steps.count(kind, EDITS[kind], kinds.count(kind), whole=length)
        steps.compute("edits", "edits", " + ".join(names) or "0", whole=length)
        steps.score(self.name, "100 * edits / r" if length > 0 else "100 * min(1, edits)")


def edit_rate(num_edits: float, ref_length: float) -> float:
    """Return edits per reference word in percent.

    Edits against empty references count as 100, no edits against them as 0.

    >>> edit_rate(1, 4.0), edit_rate(3, 0.0), edit_rate(0, 0.0)
    (25.0, 100.0, 0.0)
    """
    if ref_length > 0:
        return 100 * (num_edits / ref_length)
    return 100.0 if num_edits > 0 else 0.0
