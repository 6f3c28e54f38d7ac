"""The metrics of torchmetrics.text by their own names: only the import of a program changes.

    from torchmetrics.text import SacreBLEUScore    # before
    from bleuet.adapters.torchmetrics import SacreBLEUScore    # after

Arguments and results are as there: scores from 0 to 1.
"""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.messages import shown
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
    from bleuet.statistics.table import Table

TORCH = optional("torch")


class _Named(CorpusMetric):
    """A metric with the name and the arguments that torchmetrics has for it."""

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make the object of its own class."""
        return super(CorpusMetric, cls).__new__(cls)  # type: ignore[no-any-return]

    # Whether `compute` returns the score of each segment too, behind that of all.
    return_sentence_level_score = False

    def _count_with(
        self, metric: Metric[Any], options: dict[str, Any], sentences: bool = False
    ) -> None:
        super().__init__(metric, percent=False, **options)
        if not isinstance(sentences, bool):
            given = shown(sentences)
            raise OptionError(f"return_sentence_level_score must be True or False, not {given}")
        self.return_sentence_level_score = sentences
        if sentences:
            self.add_state("sentences", [], dist_reduce_fx="cat")

    def _keep(self, table: Table) -> None:
        if self.return_sentence_level_score:
            scores = bytearray(self.metric.segment_scores(table).values)
            values = TORCH.frombuffer(scores, dtype=TORCH.float64) / 100
            self.sentences.append(values.to(self.rows.device))

    def compute(self) -> Any:
        """Return the score of all segments, and with `return_sentence_level_score` of each."""
        score = super().compute()
        if not self.return_sentence_level_score:
            return score
        # Processes that were put together have one tensor.
        parts = self.sentences if isinstance(self.sentences, list) else [self.sentences]
        return score, TORCH.cat(parts) if parts else score.new_zeros(0)


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
        return_sentence_level_score: whether `compute` also returns the score of each segment.
        **options: those of `torchmetrics.Metric`.
    """

    def __init__(
        self,
        n_char_order: int = 6,
        n_word_order: int = 2,
        beta: float = 2.0,
        lowercase: bool = False,
        whitespace: bool = False,
        return_sentence_level_score: bool = False,
        **options: Any,
    ) -> None:
        metric = CHRF(
            char_order=n_char_order,
            word_order=n_word_order,
            beta=int(beta) if beta == int(beta) else beta,
            lowercase=lowercase,
            whitespace=whitespace,
            eps_smoothing=True,
        )
        self._count_with(metric, options, return_sentence_level_score)


class TranslationEditRate(_Named):
    """TER.

    Args:
        normalize: whether punctuation is separated from words.
        no_punctuation: whether punctuation is removed.
        lowercase: whether case is ignored.
        asian_support: whether characters of Asian languages are separated.
        return_sentence_level_score: whether `compute` also returns the score of each segment.
        **options: those of `torchmetrics.Metric`.
    """

    def __init__(
        self,
        normalize: bool = False,
        no_punctuation: bool = False,
        lowercase: bool = True,
        asian_support: bool = False,
        return_sentence_level_score: bool = False,
        **options: Any,
    ) -> None:
        metric = TER(
            normalized=normalize,
            no_punct=no_punctuation,
            case_sensitive=not lowercase,
            asian_support=asian_support,
        )
        self._count_with(metric, options, return_sentence_level_score)


class ExtendedEditDistance(_Named):
    """EED.

    Args:
        language: en or ja, which decides how texts are prepared.
        return_sentence_level_score: whether `compute` also returns the score of each segment.
        alpha: the cost of a long jump.
        rho: the cost of coverage.
        deletion: the cost of a deletion.
        insertion: the cost of an insertion.
        **options: those of `torchmetrics.Metric`.
    """

    def __init__(
        self,
        language: str = "en",
        return_sentence_level_score: bool = False,
        alpha: float = 2.0,
        rho: float = 0.3,
        deletion: float = 0.2,
        insertion: float = 1.0,
        **options: Any,
    ) -> None:
        chosen: dict[str, Any] = {"preparation": language, "alpha": alpha, "rho": rho}
        metric = EED(deletion=deletion, insertion=insertion, **chosen)
        self._count_with(metric, options, return_sentence_level_score)


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
