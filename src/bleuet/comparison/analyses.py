"""The analyses of a comparison: each is computed when it is first used, and only once."""

from __future__ import annotations

from functools import cached_property

from bleuet.comparison.composition import score_parts
from bleuet.comparison.division import (
    Division,
    divide,
    divide_by_labels,
    find_division,
    sentence_scores,
    validate_labels,
)
from bleuet.comparison.histogram import histogram, histogram_of_any_scale
from bleuet.comparison.pair import Pair, pairs_of
from bleuet.comparison.surface import surface_errors
from bleuet.comparison.words import by_frequency, by_lists, by_token_labels
from bleuet.errors import InputError, OptionError
from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bleuet.comparison.breakdown import Breakdown
    from bleuet.comparison.composition import ScoreParts
    from bleuet.comparison.histogram import Histogram
    from bleuet.comparison.surface import SurfaceErrors
    from bleuet.comparison.texts import ComparedTexts
    from bleuet.comparison.words import TokenLabels, WordAccuracy
    from bleuet.evaluation.evaluation import Evaluation


class Analyses(Value, eq=False):
    """What can be computed of an evaluation and its texts beyond the scores.

    Attributes:
        texts: the texts of the systems, and their scores.
        divisions: the ways to divide the segments into buckets.
        labels: further ways: by their name, the label of each segment.
        word_lists: lists of words by label, whose translation is measured.
        token_labels: a label for each token, None for none.
        all_pairs: compare every two systems, instead of the first with each other system.
        examples: the largest number of sentences and n-grams for each system of a pair.
    """

    texts: ComparedTexts
    divisions: tuple[Division, ...]
    labels: Mapping[str, Sequence[str]]
    word_lists: Mapping[str, Collection[str]]
    token_labels: TokenLabels | None
    all_pairs: bool
    examples: int

    def _complete(self) -> None:
        if isinstance(self.examples, bool) or not isinstance(self.examples, int):
            raise OptionError(f"examples must be a whole number, not {self.examples!r}")
        if self.examples < 0:
            raise OptionError(f"examples must be 0 or more, not {self.examples}")
        names = [*(one.name for one in self.divisions), *self.labels]
        duplicate = next((name for name in names if names.count(name) > 1), None)
        if duplicate is not None:
            raise InputError(f"segments are divided by {duplicate} twice; name each way once")
        segments = self.evaluation.segments
        labels = {name: validate_labels(name, own, segments) for name, own in self.labels.items()}
        object.__setattr__(self, "labels", labels)
        if self.word_lists or self.token_labels is not None:
            # Computed at once, so that an error in the lists or labels is raised here.
            _ = self.words

    @property
    def evaluation(self) -> Evaluation:
        """The scores of the systems."""
        return self.texts.evaluation

    @property
    def divides_by_score(self) -> bool:
        """Whether a division uses the sentence scores."""
        return any(division.measure is sentence_scores for division in self.divisions)

    @cached_property
    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The scores by bucket, one breakdown for each way to divide the segments."""
        return (
            *(divide(self.texts, division) for division in self.divisions),
            *(divide_by_labels(self.evaluation, *one) for one in self.labels.items()),
        )

    def breakdown(self, name: str) -> Breakdown:
        """Return the scores by one way to divide the segments.

        Raises:
            OptionError: the segments are not divided in this way.
        """
        for found in self.breakdowns:
            if found.name == name:
                return found
        names = ", ".join(found.name for found in self.breakdowns) or "nothing"
        raise OptionError(f"the segments are divided by {names}, not by {name!r}")

    @cached_property
    def words(self) -> tuple[WordAccuracy, ...]:
        """The accuracy of words: by frequency, by lists and by token labels."""
        texts, systems = self.texts, self.evaluation.systems
        found = [by_frequency(texts.word_counts, texts.frequencies)]
        if self.word_lists:
            counts, lowercase = texts.word_counts, texts.lowercase
            found.append(by_lists(counts, self.word_lists, lowercase=lowercase))
        if self.token_labels is not None:
            found.append(by_token_labels(texts.words, systems, self.token_labels))
        return tuple(found)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The sentences and n-grams in which two systems differ most, pair by pair."""
        pairs = pairs_of(len(self.evaluation.systems), all_pairs=self.all_pairs)
        return tuple(Pair(self.texts, pair, self.examples) for pair in pairs)

    @cached_property
    def score_parts(self) -> tuple[ScoreParts, ...]:
        """What the scores are made of, and what moves the differences of the pairs."""
        pairs = pairs_of(len(self.evaluation.systems), all_pairs=self.all_pairs)
        return score_parts(self.evaluation, pairs)

    @cached_property
    def histograms(self) -> tuple[Histogram, ...]:
        """The distribution of the sentence scores, one histogram for each metric."""
        evaluation = self.evaluation
        found = []
        for number, name in enumerate(evaluation.headings):
            count = histogram_of_any_scale if evaluation.has_any_scale(number) else histogram
            found.append(count(name, [own[number] for own in evaluation.sentence_scores]))
        return tuple(found)

    @cached_property
    def surface(self) -> tuple[tuple[SurfaceErrors, ...], ...]:
        """The errors of case, punctuation and numbers of each system, `surface[system][kind]`."""
        return surface_errors(self.texts.tokens)


def find_divisions(by: Iterable[str | Division]) -> tuple[Division, ...]:
    """Return divisions by their names; one name alone is accepted, too.

    Args:
        by: divisions, or names of `DIVISIONS` with or without cutoffs.

    Raises:
        OptionError: there is no such division.
    """
    listed = [by] if isinstance(by, str | Division) else by
    return tuple(find_division(one) if isinstance(one, str) else one for one in listed)
