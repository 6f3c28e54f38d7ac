"""CrystalBLEU (Eghbali and Pradel 2022): BLEU without the n-grams that all texts share."""

from __future__ import annotations

from bleuet.errors import InputTypeError
from bleuet.frozen import cached_property
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.bleu.metric import BLEU, BLEUScore
from bleuet.metrics.bleu.options import BLEUOptions
from bleuet.metrics.bleu.smoothing import SMOOTHINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from bleuet.metrics.base.marks import Mark
    from bleuet.metrics.base.row_limit import RowLimit
    from bleuet.metrics.bleu.options import SmoothingName
    from bleuet.statistics.definitions.learned_ngrams import Ngram

MOST_IGNORED = 1_000_000


class CrystalBLEUScore(BLEUScore):
    """A CrystalBLEU score and its components; matches and totals are of n-grams that count."""


class CrystalBLEU(BLEU):
    """BLEU without the most common n-grams, which any two texts of a language share.

    The k most common n-grams of the references, or of another corpus that `learn` reads, do not
    count, neither as matches nor as n-grams of the hypothesis (Eghbali and Pradel 2022, section
    3). Program code has many of them. As in the package crystalbleu, the score is 0 if no word
    that counts matches.

    >>> common = CrystalBLEU().learn(["( a ) ;", "( b ) ;"])
    >>> metric = CrystalBLEU(ignored=4, max_ngram_order=2).with_learned(common)
    >>> metric.sentence_score("( x ) ;", "( y ) ;").score
    0.0
    """

    # Other keys than those of BLEU, because other n-grams are smoothed.
    smooth: SmoothingName = option(
        default="nltk-0", key="crystalsmooth", short_key="cs", like=BLEUOptions.smooth
    )
    # The most common n-grams are chosen among those of all orders.
    max_ngram_order: int = option(default=4, scoring=False, like=BLEUOptions.max_ngram_order)
    ignored: int = option(
        default=500,
        help="how many n-grams do not count: the most common ones; of equally common ones the "
        "shortest, then the first in the order of their words",
        key="ignored",
        least=0,
        most=MOST_IGNORED,
    )
    counter = CounterClass(
        "bleuet.metrics.crystal_bleu.definition:CrystalBleuCounter",
        **BLEU.counter.options,
        max_ignored_order=lambda metric: metric.max_ngram_order,
    )
    score_type = CrystalBLEUScore
    in_sacrebleu = False
    learns = True
    needs_words = True
    definition = "BLEU of the n-grams that are not among the k most common ones"
    source = (
        "Eghbali and Pradel (2022), CrystalBLEU: Precisely and Efficiently Measuring the "
        "Similarity of Code, ASE, section 3"
    )
    needs = "all references before it counts, or another corpus to learn from"
    same_number = (
        "crystalbleu 0.2 with tokenize=none, the same n-grams, and smoothings nltk-0 to nltk-5"
    )

    @cached_property
    def integer_columns(self) -> tuple[str, ...]:
        """Those of BLEU, whose numbers are of n-grams that count."""
        return tuple([f"kept_{name}" for name in super().integer_columns])

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return the most n-grams that lengths allow, and the most that can match."""
        from bleuet.metrics.base.row_limit import RowLimit

        least = int(SMOOTHINGS[self.smooth].phantom_ngrams)
        limits = []
        order, columns = self._counted_orders, self.integer_columns
        pairs = zip(columns[-2 * order : -order], columns[-order:], strict=True)
        for less, (matches, total) in enumerate(pairs):
            limits.append(RowLimit(total, "kept_sys_len", less, least))
            limits.append(RowLimit(matches, total))
        return limits

    # --- Counting ---------------------------------------------------------------------------------

    @cached_property
    def common(self) -> frozenset[Ngram]:
        """The n-grams that do not count; none before it has learned."""
        return frozenset(self._counter.common())

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return what BLEU returns, without the n-grams that do not count."""
        words, several, marks = super().mark_segment(hypothesis, references)
        common = self.common
        kept = [mark for mark in marks if tuple(words[slice(*mark.hypothesis)]) not in common]
        return words, several, kept

    # The kernel fills the matrix of BLEU alone.
    _fill_matrix = Metric._fill_matrix

    def table_of_others(self, *_: object, **__: object) -> NoReturn:
        """Raise: what does not count is learned from references, and these are the texts.

        Raises:
            InputTypeError: always.
        """
        raise InputTypeError("CrystalBLEU has no Self-BLEU: use BLEU")
