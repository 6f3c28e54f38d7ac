"""CharacTER, translation edit rate on characters (Wang, Peter, Rosendahl and Ney 2016)."""

from __future__ import annotations

from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.mean_of_segments import MeanOfSegments
from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import CASE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.base.derivation import Derivation


class CharacTER(MeanOfSegments):
    """Shifts of words and edits of characters, per hypothesis character; lower is better.

    Words are shifted as in TER, then characters are compared (Wang et al. 2016). A shift costs the
    mean length of the words that it moves. Words are what white space divides, so punctuation is
    tokenized before. The score is the mean over segments; of several references, the nearest
    counts.

    >>> print(CharacTER().corpus_score(["sat the cat"], ["the cat sat"]))
    CharacTER = 27.27
    """

    lowercase: bool = option(
        default=False,
        help="lower-case hypotheses and references first",
        # Without another option, this key distinguishes its signature from other metrics'.
        key="character",
        values=CASE,
    )
    counter = CounterClass("bleuet.metrics.character.definition:CharacterCounter")
    higher_is_better = False
    real_columns = ("rate",)
    definition = (
        "100 * mean over segments of min(1, (s + e) / n); s is the cost of the shifts of words, e "
        "the edits of characters after them, n the hypothesis's length in characters"
    )
    source = (
        "Wang, Peter, Rosendahl and Ney (2016), CharacTer: Translation Edit Rate on Character Level"
    )
    same_number = "cer 1.2.0: calculate_cer, times 100; evaluate's character, times 100"

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the cost of the shifts, the edits of characters and the length."""
        shifts, edits, characters = self._counter.parts(self.counted_kind, hypothesis, references)
        steps.count("s", "cost of the shifts of words", shifts)
        steps.count("e", "edits of characters, with the nearest reference", edits)
        steps.count("n", "characters of the hypothesis", characters)
        if characters:
            steps.score(self.name, "100 * min(1, (s + e) / n)")
        else:
            steps.score(self.name, "100 * min(1, e)")
