"""chrF and chrF++ with sacreBLEU's interface."""

from __future__ import annotations

from bleuet.compat.sacrebleu.metrics.counted import CountedMetric
from bleuet.compat.sacrebleu.metrics.score import Score
from bleuet.compat.sacrebleu.metrics.signature import Signature
from bleuet.metrics.chrf.metric import CHRF as Engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bleuet.metrics.chrf.metric import CHRFScore as EngineScore


class CHRFSignature(Signature):
    """chrF's signature; beta is part of the metric's name."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update(case="c", eff="e", nc="nc", nw="nw", space="s")
        self.info.update(
            case="lc" if args["lowercase"] else "mixed",
            eff="no" if args["eps_smoothing"] else "yes",
            nc=args["char_order"],
            nw=args["word_order"],
            space="yes" if args["whitespace"] else "no",
        )


class CHRFScore(Score):
    """A chrF score, named by its beta and its word order, such as chrF2++."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        super().__init__(f"chrF{beta}" + "+" * word_order, score)
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order


class CHRF(CountedMetric):
    """chrF; with `word_order=2`, chrF++.

    Args:
        char_order: the length of the longest character n-grams.
        word_order: the length of the longest word n-grams.
        beta: weight of recall relative to precision.
        lowercase: ignore case.
        whitespace: count white space as characters.
        eps_smoothing: average F over all orders, as chrF++.py, NLTK and Moses do.
        references: streams of references, prepared once for many systems.

    Raises:
        OptionError: the value of an option is invalid.
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__()
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        self._check_options(references)

    @property
    def order(self) -> int:
        """The number of orders, of characters and of words."""
        return self.char_order + self.word_order

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _options(self) -> dict[str, Any]:
        return {
            "char_order": self.char_order,
            "word_order": self.word_order,
            "beta": self.beta,
            "lowercase": bool(self.lowercase),
            "whitespace": bool(self.whitespace),
            "eps_smoothing": bool(self.eps_smoothing),
        }

    def _make_engine(self, **options: Any) -> Engine:
        return Engine(**options)

    def _converted(self, score: EngineScore) -> CHRFScore:
        return CHRFScore(score.score, self.char_order, self.word_order, self.beta)
