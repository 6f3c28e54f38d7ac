"""hLEPOR (Han et al. 2013): lengths, positions of equal words, precision and recall."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from math import exp

from bleuet.metrics.base.mean_of_segments import MeanOfSegments, MeanScore
from bleuet.metrics.base.option import option
from bleuet.metrics.base.words import WordOptions
from bleuet.statistics.definitions.length_limit import MOST_EQUAL_WORDS, check_pairs

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

    def count_segment(self, hypothesis: str, references: list[str]) -> list[int | float]:
        """Return 1, hLEPOR and its three factors, of the reference with the highest score.

        Args:
            hypothesis: the hypothesis.
            references: its references, at least one.
        """
        ours = self._words(hypothesis)
        return [1, *max(self._factors(ours, self._words(one)) for one in references)]

    def _words(self, text: Any) -> Sequence[Any]:
        # Texts are tokenized already if the kernel does not have the tokenizer.
        return self.tokens(text) if self.tokenize_text is None else text.split()

    def _factors(self, ours: Sequence[Any], theirs: Sequence[Any]) -> tuple[float, ...]:
        """Return hLEPOR and its three factors (Han et al. 2013, equations 1 to 8)."""
        shared = (Counter(ours) & Counter(theirs)).total()
        if not shared:
            return 0.0, 0.0, 0.0, 0.0
        sizes = sorted((len(ours), len(theirs)))
        length = exp(1 - sizes[1] / sizes[0])
        distance = 0.0 if list(ours) == list(theirs) else distances(ours, theirs, self.context)
        position = exp(-distance / len(ours))
        precision, recall = shared / len(ours), shared / len(theirs)
        words = (self.beta + self.alpha) / (self.beta / precision + self.alpha / recall)
        weights = self.length_weight, self.position_weight, self.words_weight
        pairs = [*zip(weights, (length, position, words), strict=True)]
        # The length penalty of texts whose lengths differ by a factor of a thousand rounds to 0.
        if not (length and position):
            return 0.0, length, position, words
        return sum(weights) / sum(weight / one for weight, one in pairs), length, position, words

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


def distances(ours: Sequence[Any], theirs: Sequence[Any], context: int) -> float:
    """Return how far equal words are apart, as shares of the lengths, summed.

    Each word of the hypothesis stands for an equal word of the reference that is not taken yet. If
    there are several, those count first that have a word in common within `context` words, and of
    these the nearest. As in the authors' program, its rank among these is then taken as the rank
    among all, and words before it count only where there are at least `context` of them.

    Args:
        ours: the words of the hypothesis.
        theirs: the words of the reference.
        context: how many words on each side are compared.

    Raises:
        InputError: so many words are equal that it would take minutes.

    Source: Han et al. (2013), section 3.2.

    >>> distances("a b".split(), "b a".split(), 2)
    1.0
    """
    places: dict[Any, list[int]] = {}
    for j, word in enumerate(theirs):
        places.setdefault(word, []).append(j)
    once = Counter(ours)
    pairs = sum(count * len(places.get(word, ())) for word, count in once.items())
    check_pairs("hLEPOR", "equal words", pairs, MOST_EQUAL_WORDS)
    around = [_around(theirs, j, context) for j in range(len(theirs))]
    total = 0.0
    for i, word in enumerate(ours):
        free = places.get(word)
        if not free:
            continue
        chosen = 0
        if once[word] > 1 or len(free) > 1:
            is_other = _around(ours, i, context).isdisjoint
            equal = [j for j in free if not is_other(around[j])] or free
            # Of two that are equally near, the first.
            chosen = bisect_left(equal, i)
            if chosen and (chosen == len(equal) or i - equal[chosen - 1] <= equal[chosen] - i):
                chosen -= 1
        total += abs((i + 1) / len(ours) - (free.pop(chosen) + 1) / len(theirs))
    return total


def _around(words: Sequence[Any], place: int, context: int) -> set[Any]:
    # A negative start counts from the end, so that the first words mostly have none before them.
    return {*words[place - context : place], *words[place + 1 : place + context + 1]}
