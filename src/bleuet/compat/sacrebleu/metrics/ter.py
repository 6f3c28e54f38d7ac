"""TER with sacreBLEU's interface."""

from __future__ import annotations

from bleuet.compat.sacrebleu.metrics.counted import CountedMetric
from bleuet.compat.sacrebleu.metrics.score import Score
from bleuet.compat.sacrebleu.metrics.signature import Signature
from bleuet.metrics.ter.metric import TER as Engine
from bleuet.metrics.ter.metric import edit_rate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bleuet.metrics.ter.metric import TERScore as EngineScore


class TERSignature(Signature):
    """TER's signature."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update(case="c", tok="t", norm="nr", punct="pn", asian="as")
        self.info.update(
            case="mixed" if args["case_sensitive"] else "lc",
            tok="tercom",
            norm=args["normalized"],
            punct=not args["no_punct"],
            asian=args["asian_support"],
        )


class TERScore(Score):
    """A TER score.

    Attributes:
        num_edits: edits to the nearest reference, summed over segments.
        ref_length: mean reference length, summed over segments.
    """

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(CountedMetric):
    """Translation edit rate; lower is better.

    Args:
        normalized: normalise and tokenize as tercom's -N does.
        no_punct: remove punctuation.
        asian_support: extend the two above to Chinese and Japanese.
        case_sensitive: keep case.
        references: streams of references, prepared once for many systems.
    """

    _SIGNATURE_TYPE = TERSignature
    tokenizer_signature = "tercom"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__()
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self._check_options(references)

    @property
    def tokenizer(self) -> Any:
        """Tercom's tokenizer with the current options."""
        from bleuet.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

        return TercomTokenizer(**self._options())

    def _preprocess_segment(self, sent: str) -> str:
        tokenized: str = self.tokenizer(sent.rstrip())
        return tokenized

    def _options(self) -> dict[str, Any]:
        return {
            "normalized": bool(self.normalized),
            "no_punct": bool(self.no_punct),
            "asian_support": bool(self.asian_support),
            "case_sensitive": bool(self.case_sensitive),
        }

    def _make_engine(self, **options: Any) -> Engine:
        return Engine(**options)

    def _converted(self, score: EngineScore) -> TERScore:
        return TERScore(score.score, score.num_edits, score.ref_length)

    def _compute_score_from_stats(self, stats: Sequence[Any]) -> TERScore:
        # sacreBLEU divides the sums of a draw in single precision.
        return TERScore(edit_rate(stats[0], stats[1]), stats[0], stats[1])
