"""sacreBLEU's base class of metrics, with the methods that a user's own metric implements."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

from bleuet.compat.sacrebleu.layout import check_length, check_sentence, per_segment
from bleuet.compat.sacrebleu.metrics.score import Score
from bleuet.compat.sacrebleu.metrics.signature import Signature
from bleuet.compat.sacrebleu.notice import warn
from bleuet.errors import InputError
from bleuet.text.validation import check_hypotheses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.statistics.table import Table

__all__ = ["Metric", "Score", "Signature"]

# This many lines that end in " ." look like text that was never detokenized.
TOKENIZED_LINES = 100


class Metric(metaclass=ABCMeta):
    """The base class of metrics. A subclass implements the abstract methods."""

    _SIGNATURE_TYPE: type[Signature] = Signature

    def __init__(self) -> None:
        self._ref_cache: Any = None
        # Only BLEU tokenizes, so only BLEU warns about tokenized text.
        self._force = True
        self.num_refs: int | None = None
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    @abstractmethod
    def _aggregate_and_compute(self, stats: Sequence[Sequence[Any]]) -> Any:
        """Return the score of the sum of some rows of statistics."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Sequence[Any]) -> Any:
        """Return the score of one row of statistics."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """Return a segment as it is before n-grams are counted."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """Return what the metric needs of one segment's references."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """Return a segment's row of statistics."""

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> Any:
        """Return the score of a corpus.

        Args:
            hypotheses: one string for each segment.
            references: `references[k][i]` is the k-th reference of segment i, None where it is
                absent; None for the references passed to the constructor.
            n_bootstrap: draws for a 95% confidence interval; 1 for none.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        stats = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(stats)
        self.n_bootstrap = self.seed = None
        if n_bootstrap > 1:
            from bleuet.compat.sacrebleu.bootstrap import chosen_seed, table_of
            from bleuet.statistics.resampling import Resampler

            self.seed, number = chosen_seed()
            self.n_bootstrap = n_bootstrap
            (sums,) = Resampler(number).draw([table_of(stats)], n_bootstrap)
            score.estimate_ci([Score("", value) for value in self._scores_of_sums(sums)])
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> Any:
        """Return the score of one hypothesis.

        Args:
            hypothesis: a string.
            references: a list of strings.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        listed = check_sentence(hypothesis, references)
        stats = self._extract_corpus_statistics([hypothesis], [[text] for text in listed])
        return self._aggregate_and_compute(stats)

    def get_signature(self) -> Any:
        """Return the signature of the last score."""
        return self._SIGNATURE_TYPE(self.__dict__)

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        """Return what the metric needs of each segment's references, to score many systems."""
        kept, counts = [], set()
        for row in per_segment(references):
            present = [row] if isinstance(row, str) else [text for text in row if text is not None]
            counts.add(len(present))
            kept.append(
                self._extract_reference_info([self._preprocess_segment(text) for text in present])
            )
        self.num_refs = counts.pop() if len(counts) == 1 else -1
        return kept

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        """Return each segment's row of statistics."""
        checked = check_hypotheses(hypotheses)
        kept = self._cached() if references is None else self._cache_references(references)
        check_length(checked, kept, references)
        self._warn_of_tokenized(checked)
        return [
            self._compute_segment_statistics(self._preprocess_segment(text), info)
            for text, info in zip(checked, kept, strict=True)
        ]

    def _scores_of_sums(self, sums: Table) -> Sequence[float]:
        """Return the score of each row of a table of sums."""
        rows = (list(totals.values) for totals in sums)
        return [float(self._compute_score_from_stats(row).score) for row in rows]

    def _cached(self) -> Any:
        if self._ref_cache is None:
            raise InputError(
                f"{type(self).__name__} has no references: pass them to corpus_score, or to the "
                "constructor to score several systems"
            )
        return self._ref_cache

    def _warn_of_tokenized(self, hypotheses: Sequence[str]) -> None:
        if self._force or len(hypotheses) < TOKENIZED_LINES:
            return
        if sum(text.endswith(" .") for text in hypotheses) >= TOKENIZED_LINES:
            warn(
                f"That's {TOKENIZED_LINES} lines that end in a tokenized period ('.')",
                "The hypotheses look tokenized, and tokenizing them again may lower the score.",
                "If they are detokenized or meant to be tokenized, `force` turns this message off.",
            )
