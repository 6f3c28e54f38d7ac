"""SARI (Xu et al. 2016): words that a simplification adds, keeps and deletes."""

from __future__ import annotations

from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.mean_of_segments import MeanOfSegments, MeanScore
from bleuet.metrics.base.option import option
from bleuet.metrics.base.words import WORDS, WordOptions
from bleuet.text.segments import IDS
from bleuet.text.source_texts import source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bleuet.metrics.base.derivation import Derivation


class SARIScore(MeanScore):
    """A SARI score, and the means of its three parts."""

    components = ("add", "keep", "delete", "segments")

    @property
    def add(self) -> float:
        """The mean F1 of added n-grams, in percent."""
        return self.mean("add")

    @property
    def keep(self) -> float:
        """The mean F1 of n-grams kept from the source, in percent."""
        return self.mean("keep")

    @property
    def delete(self) -> float:
        """The mean precision of n-grams deleted from the source, in percent."""
        return self.mean("delete")

    def details(self) -> str:
        """Return the three parts as they are printed."""
        return f"(add = {self.add:.2f} keep = {self.keep:.2f} delete = {self.delete:.2f})"


class SARI(MeanOfSegments[SARIScore], WordOptions[SARIScore]):
    """How well a simplification adds, keeps and deletes the n-grams of its source.

    SARI = (F_add + F_keep + P_delete) / 3, each the mean over n-grams of 1 to N words, where N is
    `max_ngram_order` (Xu et al. 2016, section 4). The score is the mean over segments. It reads the
    source of each segment, which `with_sources` adds to the references.

    >>> from bleuet import with_sources
    >>> references = with_sources(["The cat sat on the mat."], ["The cat perched on the mat."])
    >>> print(SARI().corpus_score(["The cat sat on it."], references))
    SARI = 46.01 (add = 55.95 keep = 30.00 delete = 52.08)
    """

    max_ngram_order: int = option(
        default=4, help="number of words in the longest n-grams", key="sari", least=1, most=100
    )
    lowercase: bool = option(default=True, key="case", like=WordOptions.lowercase)
    counter = CounterClass("bleuet.metrics.sari.definition:SariCounter", **WORDS)
    score_type = SARIScore
    real_columns = ("sari", "add", "keep", "delete")
    definition = (
        "100 * mean over segments of (F_add + F_keep + P_delete) / 3, each the mean over n-grams "
        "of 1 to N words"
    )
    source = (
        "Xu, Napoles, Pavlick, Chen and Callison-Burch (2016), Optimizing Statistical Machine "
        "Translation for Text Simplification, TACL 4, section 4"
    )
    needs = "the source of each segment: --source FILE, or sources in Python"
    same_number = "Hugging Face evaluate's sari"
    reads_sources = True

    def check_options(self) -> None:
        """Reject token ids."""
        super().check_options()
        if self.tokenize == IDS:
            raise self.rejected("tokenize", "must name a tokenizer of text")

    def _make_counter(self) -> Any:
        return _SourcedCounter(super()._make_counter(), self.name)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the three parts."""
        _, _, add, keep, delete = row
        steps.count("add", "F1 of n-grams that the source lacks", add, whole=1)
        steps.count("keep", "F1 of n-grams kept from the source", keep, whole=1)
        steps.count("delete", "precision of n-grams deleted from the source", delete, whole=1)
        steps.score(self.name, "100 * ((add + keep + delete) / 3)", whole=100)


class _SourcedCounter:
    """Passes the source of each segment to a counter as its first reference.

    Args:
        counter: the counter.
        name: the name of the metric, for messages.
    """

    def __init__(self, counter: Any, name: str) -> None:
        self._counter = counter
        self._name = name

    def prepare(self, kind: str, references: Iterable[Any], threads: int = 1) -> Any:
        """Read references once."""
        entries = [self._with_source(entry) for entry in references]
        return self._counter.prepare(kind, entries, threads=threads)

    def table(
        self, kind: str, hypotheses: Any, references: Any, *buffers: Any, threads: int
    ) -> int:
        """Write one row per segment; return the references of each, 0 where segments differ."""
        if isinstance(references, list | tuple):
            references = [self._with_source(entry) for entry in references]
        texts: int = self._counter.table(kind, hypotheses, references, *buffers, threads=threads)
        return max(texts - 1, 0)

    def row(self, kind: str, hypothesis: Any, references: Any) -> tuple[int | float, ...]:
        """Return the row of one segment."""
        row: tuple[int | float, ...]
        row = self._counter.row(kind, hypothesis, self._with_source(references))
        return row

    def _with_source(self, references: Any) -> list[Any]:
        source = source_of(references, self._name)
        several = [one for one in references if one is not None]
        if not several:
            raise ValueError("a segment has no reference")
        return [source, *several]
