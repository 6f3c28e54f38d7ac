"""The metrics of torchmetrics.text by their own names: only the import of a program changes.

    from torchmetrics.text import SacreBLEUScore    # before
    from bleuet.adapters.torchmetrics import SacreBLEUScore    # after

Arguments and results are as there: scores from 0 to 1.
"""

from __future__ import annotations

from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from bleuet.metrics.eed.metric import EED
from bleuet.metrics.ter.metric import TER
from bleuet.metrics.wer.metric import WER
from bleuet.torch.corpus_metric import CorpusMetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    from bleuet.metrics.base.metric import Metric


class _Named(CorpusMetric):
    """A metric with the name and the arguments that torchmetrics has for it."""

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make the object of its own class."""
        return super(CorpusMetric, cls).__new__(cls)  # type: ignore[no-any-return]

    def _count_with(self, metric: Metric[Any], options: dict[str, Any]) -> None:
        super().__init__(metric, percent=False, **options)


def _bleu(n_gram: int, smooth: bool, weights: Sequence[float] | None, **more: Any) -> BLEU:
    return BLEU(
        max_ngram_order=n_gram,
        smooth="add-k" if smooth else "none",
        smooth_value=1 if smooth else None,
        weights=None if weights is None else tuple(weights),
        **more,
    )


class BLEUScore(_Named):
    """BLEU of words between spaces, without smoothing or with 1 added to counts.

    Args:
        n_gram: the largest order of n-grams.
        smooth: whether 1 is added to the counts of all orders but the first.
        weights: the weight of each order.
        **options: those of `torchmetrics.Metric`.

    >>> bleu = BLEUScore()
    >>> round(bleu(["the cat sat on it"], [["the cat sat on it down"]]).item(), 4)
    0.8187
    """

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,
        weights: Sequence[float] | None = None,
        **options: Any,
    ) -> None:
        self._count_with(_bleu(n_gram, smooth, weights, tokenize="none"), options)


class SacreBLEUScore(_Named):
    """BLEU with a tokenizer of sacreBLEU.

    Args:
        n_gram: the largest order of n-grams.
        smooth: whether 1 is added to the counts of all orders but the first; sacreBLEU's own
            smoothing is that of `CorpusMetric("bleu")`.
        tokenize: the tokenizer.
        lowercase: whether case is ignored.
        weights: the weight of each order.
        **options: those of `torchmetrics.Metric`.
    """

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,
        tokenize: str = "13a",
        lowercase: bool = False,
        weights: Sequence[float] | None = None,
        **options: Any,
    ) -> None:
        own = {"tokenize": tokenize, "lowercase": lowercase}
        self._count_with(_bleu(n_gram, smooth, weights, **own), options)


class CHRFScore(_Named):
    """chrF, by default chrF++.

    Args:
        n_char_order: the largest order of n-grams of characters.
        n_word_order: the largest order of n-grams of words.
        beta: the weight of recall.
        lowercase: whether case is ignored.
        whitespace: whether white space counts.
        **options: those of `torchmetrics.Metric`.
    """

    def __init__(
        self,
        n_char_order: int = 6,
        n_word_order: int = 2,
        beta: float = 2.0,
        lowercase: bool = False,
        whitespace: bool = False,
        **options: Any,
    ) -> None:
        metric = CHRF(
            char_order=n_char_order,
            word_order=n_word_order,
            beta=int(beta),
            lowercase=lowercase,
            whitespace=whitespace,
            eps_smoothing=True,
        )
        self._count_with(metric, options)


class TranslationEditRate(_Named):
    """TER.

    Args:
        normalize: whether punctuation is separated from words.
        no_punctuation: whether punctuation is removed.
        lowercase: whether case is ignored.
        asian_support: whether characters of Asian languages are separated.
        **options: those of `torchmetrics.Metric`.
    """

    def __init__(
        self,
        normalize: bool = False,
        no_punctuation: bool = False,
        lowercase: bool = True,
        asian_support: bool = False,
        **options: Any,
    ) -> None:
        metric = TER(
            normalized=normalize,
            no_punct=no_punctuation,
            case_sensitive=not lowercase,
            asian_support=asian_support,
        )
        self._count_with(metric, options)


class ExtendedEditDistance(_Named):
    """EED.

    Args:
        language: en or ja, which decides how texts are prepared.
        alpha: the cost of a long jump.
        rho: the cost of coverage.
        deletion: the cost of a deletion.
        insertion: the cost of an insertion.
        **options: those of `torchmetrics.Metric`.
    """

    def __init__(
        self,
        language: str = "en",
        alpha: float = 2.0,
        rho: float = 0.3,
        deletion: float = 0.2,
        insertion: float = 1.0,
        **options: Any,
    ) -> None:
        chosen: dict[str, Any] = {"preparation": language, "alpha": alpha, "rho": rho}
        self._count_with(EED(deletion=deletion, insertion=insertion, **chosen), options)


class _Rate(_Named):
    counts: WER

    def __init__(self, **options: Any) -> None:
        self._count_with(self.counts, options)


class WordErrorRate(_Rate):
    """WER: errors for each word of the references."""

    counts = WER()


class CharErrorRate(_Rate):
    """CER: errors for each character of the references."""

    counts = WER(tokenize="char")


class MatchErrorRate(_Rate):
    """MER: the share of errors among matches and errors."""

    counts = WER(rate="mer")


class WordInfoLost(_Rate):
    """WIL: the share of information about words that is lost."""

    counts = WER(rate="wil")


class WordInfoPreserved(_Rate):
    """WIP: the share of information about words that is preserved."""

    counts = WER(rate="wip")
