"""The metrics of torchmetrics.text by their own names: only the import of a program changes.

    from torchmetrics.text import SacreBLEUScore    # before
    from bleuet.adapters.torchmetrics import SacreBLEUScore    # after

Arguments and results are as there: scores from 0 to 1.
"""

from __future__ import annotations

import re

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.messages import shown, wrong_type
from bleuet.metrics.base.text_checks import without_warnings
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from bleuet.metrics.eed.metric import EED
from bleuet.metrics.rouge.metric import ROUGE
from bleuet.metrics.ter.metric import TER
from bleuet.metrics.wer.metric import WER
from bleuet.text.corpus import Corpus
from bleuet.text.porter import porter_stem
from bleuet.text.summary_sentences import sentence_lines
from bleuet.torch.corpus_metric import (
    CorpusMetric,
    SumsOfTexts,
    batch_of,
    counting_state,
    foreign_states,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal, Self

    from bleuet.metrics.base.metric import Metric
    from bleuet.statistics.table import Table
    from bleuet.torch.token_tensors import Tensor

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


class ROUGEScore(SumsOfTexts):
    """ROUGE by several keys at once: the means of F, precision and recall over segments.

    The sentences of rougeLsum are those of NLTK, as in torchmetrics, and not lines, as by default
    in rouge-score; they need its data punkt_tab.

    Args:
        use_stemmer: whether words of more than three letters are compared by their stems.
        normalizer: a function from a text to the text whose words are compared; default lower-case
            letters of a to z and digits.
        tokenizer: a function from that to a list of words; default those between white space.
        accumulate: of several references: best, the one with the highest F, or avg, their mean.
        rouge_keys: rouge1 to rouge9, rougeL and rougeLsum, or one of them.
        **options: those of `torchmetrics.Metric`.

    >>> rouge = ROUGEScore(rouge_keys="rougeL")
    >>> {key: round(value.item(), 2) for key, value in rouge("It rains", "It rains a lot").items()}
    {'rougeL_fmeasure': 0.67, 'rougeL_precision': 1.0, 'rougeL_recall': 0.5}
    """

    higher_is_better = True
    plot_upper_bound = 1.0
    sums: Tensor
    rows: Tensor
    counting: Tensor

    def __init__(
        self,
        use_stemmer: bool = False,
        normalizer: Callable[[str], str] | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        accumulate: Literal["avg", "best"] = "best",
        rouge_keys: str | tuple[str, ...] = ("rouge1", "rouge2", "rougeL", "rougeLsum"),
        **options: Any,
    ) -> None:
        super().__init__(**options)
        if not isinstance(rouge_keys, str | tuple | list):
            raise wrong_type("rouge_keys", "a key or a tuple of keys", rouge_keys)
        for name, function in (("normalizer", normalizer), ("tokenizer", tokenizer)):
            if not (function is None or callable(function)):
                raise wrong_type(name, "a function or None", function)
        self.rouge_keys = (rouge_keys,) if isinstance(rouge_keys, str) else tuple(rouge_keys)
        unknown = [key for key in self.rouge_keys if key not in ROUGE_KEYS]
        if unknown or not self.rouge_keys:
            raise OptionError(
                f"rouge_keys must be some of {', '.join(ROUGE_KEYS)}, not {shown(rouge_keys)}"
            )
        if accumulate not in ("avg", "best"):
            raise OptionError(f"accumulate must be avg or best, not {shown(accumulate)}")
        self.use_stemmer, self.accumulate = use_stemmer, accumulate
        self.normalizer, self.tokenizer = normalizer, tokenizer
        self.has_own_words = normalizer is not None or tokenizer is not None
        self.counted_by = {key: self._metric(key) for key in self.rouge_keys}
        for metric in [*self.counted_by.values()][not self.has_own_words :]:
            # The first one warns of texts, but not of the numbers of words.
            without_warnings(metric)
        shape = len(self.rouge_keys), 3
        self.add_state("sums", TORCH.zeros(shape, dtype=TORCH.float64), dist_reduce_fx="sum")
        self.add_state("rows", TORCH.tensor(0), dist_reduce_fx="sum")
        self.add_state("counting", self._counting(), dist_reduce_fx="max")

    def _counting(self) -> Tensor:
        """Return numbers that are equal for metrics whose sums are."""
        functions = [
            function and (function.__module__, getattr(function, "__qualname__", ""))
            for function in (self.normalizer, self.tokenizer)
        ]
        settings = (self.accumulate, self.use_stemmer, functions)
        metrics = self.counted_by.values()
        return TORCH.stack([counting_state(metric, *settings) for metric in metrics])

    def _metric(self, key: str) -> ROUGE:
        variant: Any = key.removeprefix("rouge")
        if self.has_own_words:
            return ROUGE(variant=variant, tokenize="none")
        more: dict[str, Any] = {"sentences": "nltk"} if key == "rougeLsum" else {}
        return ROUGE(variant=variant, stemming=self.use_stemmer, **more)

    def update(self, preds: Any, target: Any) -> None:
        """Count segments.

        Args:
            preds: the hypotheses, or one of them.
            target: for each hypothesis a reference or a list of references; of one hypothesis its
                reference or references.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        texts = batch_of("preds", [preds] if isinstance(preds, str) else preds)
        lists = batch_of("target", [[target]] if isinstance(target, str) else target)
        if isinstance(preds, str) and lists and all(isinstance(text, str) for text in lists):
            lists = [lists]
        if not (texts or lists):
            return
        corpus = Corpus(texts, lists)
        texts, references, weights = corpus.hypotheses, corpus.references, [1.0] * len(corpus)
        if self.accumulate == "avg":
            rows = [
                (text, reference, 1 / len(several))
                for text, entry in corpus
                for several in [
                    [entry] if isinstance(entry, str) else list(filter(_is_text, entry))
                ]
                for reference in several
            ]
            texts, references, weights = map(list, zip(*rows, strict=True))
        shares = TORCH.tensor(weights, dtype=TORCH.float64)
        sums = [self._measures(key, texts, references) @ shares for key in self.rouge_keys]
        self.sums = self.sums + TORCH.stack(sums).to(self.sums.device)
        self.rows = self.rows + len(corpus)

    def _measures(self, key: str, texts: list[str], references: list[Any]) -> Any:
        """Return precision, recall and F of each segment, in three rows."""
        if self.has_own_words:
            numbers: dict[str, int] = {}
            texts = [self._prepared(text, key, numbers) for text in texts]
            lists = [[entry] if isinstance(entry, str) else entry for entry in references]
            references = [
                [self._prepared(text, key, numbers) for text in entry if _is_text(text)]
                for entry in lists
            ]
        table = self.counted_by[key].count(texts, references)
        reals = TORCH.frombuffer(bytearray(table.blocks()[1]), dtype=TORCH.float64)
        return reals.view(3, len(table))

    def _prepared(self, text: str, key: str, numbers: dict[str, int]) -> str:
        """Return a number for each word of a text, since words may have spaces in them."""
        lines = sentence_lines("nltk")(text).split("\n") if key == "rougeLsum" else [text]
        return "\n".join(
            " ".join(str(numbers.setdefault(word, len(numbers))) for word in self._words(line))
            for line in lines
        )

    def _words(self, text: str) -> list[str]:
        normal = default_normalizer(text) if self.normalizer is None else self.normalizer(text)
        words = normal.split() if self.tokenizer is None else self.tokenizer(normal)
        if self.use_stemmer:
            words = [porter_stem(word.lower()) if len(word) > 3 else word for word in words]
        return [word for word in words if word]

    def compute(self) -> dict[str, Any]:
        """Return the means over all segments, float64; NaN if there is none.

        Raises:
            InputError: the states come from another metric.
        """
        if self.counting.tolist() != self._counting().tolist():
            raise foreign_states("ROUGEScore")
        means = self.sums / self.rows
        return {
            f"{key}_{measure}": means[number][place]
            for number, key in enumerate(self.rouge_keys)
            for measure, place in (("fmeasure", 2), ("precision", 0), ("recall", 1))
        }


def _is_text(text: str | None) -> bool:
    return text is not None


ROUGE_KEYS = (*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum")


def default_normalizer(text: str) -> str:
    """Return a text in lower case, with spaces for all but letters of a to z and digits.

    >>> default_normalizer("It's 9 o'clock.")
    'it s 9 o clock '
    """
    return re.sub("[^a-z0-9]+", " ", text.lower())


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
