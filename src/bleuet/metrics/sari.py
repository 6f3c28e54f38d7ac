"""SARI (Xu et al. 2016): words that a simplification adds, keeps and deletes."""

from __future__ import annotations

from collections import Counter

from bleuet.metrics.base.mean_of_segments import MeanOfSegments, MeanScore
from bleuet.metrics.base.option import option
from bleuet.metrics.base.words import WordOptions
from bleuet.statistics.definitions.learned_ngrams import ngrams
from bleuet.text.segments import IDS
from bleuet.text.source_texts import source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
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

    def count_segment(self, hypothesis: str, references: list[str]) -> list[int | float]:
        """Return 1, SARI and its three parts.

        Args:
            hypothesis: the simplification.
            references: simplifications by others, with the source.

        Raises:
            InputError: the references came without a source.
        """
        source = self._words(source_of(references, self.name))
        ours, several = self._words(hypothesis), [self._words(one) for one in references]
        orders = range(1, self.max_ngram_order + 1)
        parts = [parts_of_order(source, ours, several, n) for n in orders]
        add, keep, delete = (sum(column) / len(parts) for column in zip(*parts, strict=True))
        return [1, (add + keep + delete) / 3, add, keep, delete]

    def _words(self, text: str) -> list[Any]:
        # Texts are tokenized already if the kernel does not have the tokenizer.
        words = self.tokens(text) if self.tokenize_text is None else text.split()
        # Hugging Face evaluate's sari finds one empty word in a text without words.
        return [*words] or [""]

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the three parts."""
        _, _, add, keep, delete = row
        steps.count("add", "F1 of n-grams that the source lacks", add, whole=1)
        steps.count("keep", "F1 of n-grams kept from the source", keep, whole=1)
        steps.count("delete", "precision of n-grams deleted from the source", delete, whole=1)
        steps.score(self.name, "100 * ((add + keep + delete) / 3)", whole=100)


def parts_of_order(
    source: Sequence[str], hypothesis: Sequence[str], references: Sequence[Sequence[str]], n: int
) -> tuple[float, float, float]:
    """Return F1 of added and of kept n-grams, and precision of deleted ones, from 0 to 1.

    Each n-gram of the source and the hypothesis counts once for each reference, so that it is kept
    or deleted rightly in the share of the references that do so. Nothing out of nothing is 1.

    Args:
        source: the words of the source.
        hypothesis: the words of the hypothesis.
        references: the words of each reference.
        n: the length of n-grams.

    Source: Xu et al. (2016), equations 2 to 7.

    >>> parts_of_order("a b".split(), "a c".split(), ["a c".split(), "a b".split()], 1)
    (1.0, 0.8, 0.5)
    """
    times = len(references)
    before, after = Counter(ngrams(source, n)), Counter(ngrams(hypothesis, n))
    wanted: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        wanted.update(ngrams(reference, n))
    kept = deleted = rightly_kept = to_keep = 0
    keep_precision = delete_precision = 0.0
    for gram, count in before.items():
        theirs = wanted.get(gram, 0)
        had = times * count
        to_keep += min(had, theirs)
        if stays := min(had, times * after.get(gram, 0)):
            kept += 1
            rightly_kept += min(stays, theirs)
            keep_precision += min(stays, theirs) / stays
        if goes := had - stays:
            deleted += 1
            delete_precision += max(goes - theirs, 0) / goes
    added = after.keys() - before.keys()
    right, to_add = len(added & wanted.keys()), len(wanted.keys() - before.keys())
    return (
        _f1(_share(right, len(added)), _share(right, to_add)),
        _f1(_share(keep_precision, kept), _share(rightly_kept, to_keep)),
        _share(delete_precision, deleted),
    )


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 1.0


def _f1(precision: float, recall: float) -> float:
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0
