"""EED, extended edit distance (Stanchev, Wang and Ney 2019)."""

from __future__ import annotations

from bleuet.frozen import cached_property
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.mean_of_segments import MeanOfSegments
from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import MAX_WEIGHT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation


class EED(MeanOfSegments):
    """Extended edit distance: a character edit distance with jumps at spaces; lower is better.

    The score is the mean over segments of the distance to the nearest reference. Defaults give
    torchmetrics' numbers; `published=True` gives those of the authors' program in C++, in which a
    perfect hypothesis has 0.

    >>> print(EED().corpus_score(["this is the prediction"], ["this is the reference"]))
    EED = 38.35
    >>> print(EED(published=True).sentence_score("the cat sat", "the cat sat"))
    EED = 0.00
    """

    preparation: Literal["en", "ja", "none"] = option(
        default="en",
        help="en: the authors' rules for English; ja: those for Japanese, compatibility forms are "
        "replaced (NFKC); none: texts as they are",
        key="prep",
        choices=("en", "ja", "none"),
    )
    alpha: float = option(
        default=2.0,
        help="cost of a jump",
        key="alpha",
        sign_default=False,
        least=0,
        most=MAX_WEIGHT,
    )
    rho: float = option(
        default=0.3,
        help="cost of a character of the hypothesis that is used once more, or never",
        key="rho",
        sign_default=False,
        least=0,
        most=MAX_WEIGHT,
    )
    deletion: float = option(
        default=0.2,
        help="cost of a character that only the hypothesis has",
        key="del",
        sign_default=False,
        least=0,
        most=MAX_WEIGHT,
    )
    insertion: float = option(
        default=1.0,
        help="cost of a character that only the reference has",
        key="ins",
        sign_default=False,
        least=0,
        most=MAX_WEIGHT,
    )
    count_start: bool = option(
        default=True,
        help="the place before the first character costs rho where no path comes to it, as in "
        "torchmetrics and the authors' code in Python; off: it costs nothing",
        key="start",
        sign_default=False,
    )
    published: bool = option(
        default=False,
        help="the numbers of the authors' program in C++, which cuts the lowest cost of a row to a "
        "whole number, computes in single precision, and never counts the start",
        key="published",
        sign_default=False,
    )
    counter = CounterClass("bleuet.metrics.eed.definition:EedCounter", preparation=None)
    higher_is_better = False
    real_columns = ("distance",)
    definition = (
        "100 * mean over segments of min(1, (e + rho * v) / (n + rho * v)); e is the cost of the "
        "cheapest path, v how often places are visited again or never, n the reference's length"
    )
    source = (
        "Stanchev, Wang and Ney (2019), EED: Extended Edit Distance Measure for Machine Translation"
    )
    same_number = "torchmetrics 1.9.0: extended_edit_distance, times 100"

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the rules for Japanese, if that is the target language."""
        return {"preparation": "ja"} if language == "ja" else {}

    @cached_property
    def tokenize_text(self) -> Callable[[str], str] | None:
        """The function that prepares a text."""
        from bleuet.text.eed_preparation import PREPARATIONS

        return PREPARATIONS.get(self.preparation)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the cheapest path to the nearest reference, and how often it visits places."""
        ours, *several = map(self.tokenize_text or str, (hypothesis, *references))
        number, cost, visits = self._counter.path(self.counted_kind, ours, several)
        nearest = several[number]
        steps.count("e", "cost of the cheapest path to the nearest reference", cost)
        steps.count("v", "places that are visited again, or never", visits)
        steps.count("n", "characters of the reference", len(nearest))
        if self.published:
            title = "min(1, (e + rho * v) / (n + rho * v)) in single precision"
            steps.count("d", title, row[1])
            formula = "100 * d"
        elif len(nearest) + self.rho * visits:
            formula = "100 * min(1, (e + rho * v) / (n + rho * v))"
        else:
            formula = "100 * min(1, e)"
        steps.score(self.name, formula, rho=self.rho)
