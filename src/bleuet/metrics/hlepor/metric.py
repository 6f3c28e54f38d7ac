"""hLEPOR (Han et al. 2013): lengths, positions of equal words, precision and recall."""

from __future__ import annotations

from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.mean_of_segments import MeanOfSegments, MeanScore
from bleuet.metrics.base.option import option
from bleuet.metrics.base.words import WORDS, WordOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.base.derivation import Derivation


class HLEPORScore(MeanScore):
    """An hLEPOR score, and the means of its three factors."""

    components = ("length", "position", "words", "segments")

    @property
    def length(self) -> float:
        """The mean penalty for hypotheses that are longer or shorter than the reference."""
        return self.mean("length")

    @property
    def position(self) -> float:
        """The mean penalty for equal words in other places."""
        return self.mean("position")

    @property
    def words(self) -> float:
        """The mean of the weighted harmonic mean of precision and recall of words."""
        return self.mean("words")

    def details(self) -> str:
        """Return the three factors as they are printed."""
        length, position = f"length = {self.length:.2f}", f"position = {self.position:.2f}"
        return f"({length} {position} words = {self.words:.2f})"


class HLEPOR(MeanOfSegments[HLEPORScore], WordOptions[HLEPORScore]):
    """Harmonic mean of a length penalty, a position penalty, and precision and recall of words.

    hLEPOR = (2 + 1 + 7) / (2 / length + 1 / position + 7 / words), with the weights of the options
    (Han et al. 2013, section 3). The score is the mean over segments; of several references, the
    best counts.

    >>> print(HLEPOR().corpus_score(["The cat sat down."], ["The cat sat up."]))
    HLEPOR = 85.11 (length = 100.00 position = 100.00 words = 80.00)
    """

    lowercase: bool = option(default=True, key="case", like=WordOptions.lowercase)
    alpha: float = option(
        default=9, help="weight of recall, beside beta", key="alpha", least=0.001, most=1000
    )
    beta: float = option(
        default=1, help="weight of precision, beside alpha", key="beta", least=0.001, most=1000
    )
    context: int = option(
        default=2,
        help="words on each side of a word that decide which equal word stands for it",
        key="context",
        least=0,
        most=100,
    )
    length_weight: float = option(
        default=2, help="weight of the length penalty", key="wlen", least=0.001, most=1000
    )
    position_weight: float = option(
        default=1, help="weight of the position penalty", key="wpos", least=0.001, most=1000
    )
    words_weight: float = option(
        default=7, help="weight of precision and recall", key="wpr", least=0.001, most=1000
    )
    counter = CounterClass("bleuet.metrics.hlepor.definition:HleporCounter", **WORDS)
    score_type = HLEPORScore
    real_columns = ("hlepor", "length", "position", "words")
    definition = (
        "100 * mean over segments of the harmonic mean, with weights, of the penalties for length "
        "and position and of the harmonic mean of precision and recall"
    )
    source = (
        "Han, Wong, Chao, He, Lu, Xing and Zeng (2013), Language-independent Model for Machine "
        "Translation Evaluation with Reinforced Factors, MT Summit XIV, section 3"
    )
    same_number = "hLepor 0.0.4 with separate_punctuation=False and tokenize=none, times 100"

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the three factors, and their weighted harmonic mean."""
        _, score, length, position, words = row
        steps.count("length", "length penalty", length, whole=1)
        steps.count("position", "penalty for equal words in other places", position, whole=1)
        steps.count("words", "harmonic mean of precision and recall", words, whole=1)
        if not score:
            steps.score(f"{self.name}: a factor is 0", "0", whole=100)
            return
        steps.score(
            self.name,
            "100 * (wl + wp + ww) / (wl / length + wp / position + ww / words)",
            whole=100,
            wl=self.length_weight,
            wp=self.position_weight,
            ww=self.words_weight,
        )
