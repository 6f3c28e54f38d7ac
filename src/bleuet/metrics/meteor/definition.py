"""The rows of METEOR, slow and readable, from the definition."""

from __future__ import annotations

from bleuet.metrics.meteor.alignment import align, count_chunks, find_matches
from bleuet.metrics.meteor.formula import meteor_score
from bleuet.metrics.meteor.parameters import MATCHERS
from bleuet.metrics.meteor.stages import align_in_stages
from bleuet.statistics.definitions.counter import RowCounter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.meteor.alignment import Match, Word
    from bleuet.metrics.meteor.lexicon import MeteorLexicon


class MeteorCounter(RowCounter):
    """METEOR's statistics; segments are numbers of the lexicon's words."""

    def __init__(
        self,
        *,
        lexicon: MeteorLexicon,
        matchers: list[str],
        weights: list[float],
        alpha: float,
        beta: float,
        gamma: float,
        delta: float,
        beam: int,
        staged: bool,
        characters: bool,
    ) -> None:
        super().__init__()
        self.lexicon = lexicon
        self.matchers = [MATCHERS.index(name) for name in matchers]
        self.parameters = (weights, alpha, beta, gamma, delta, characters)
        self.beam = beam
        self.staged = staged
        self.characters = characters
        self.integers = 5 + 4 * (len(matchers) + characters)

    def align(self, hypothesis: list[int], reference: list[int]) -> list[tuple[int, ...]]:
        """Return the matches that were chosen."""
        words = self.lexicon.words
        matches = self._align([words[i] for i in hypothesis], [words[i] for i in reference])
        return [(*match[:4], self.matchers.index(match.matcher)) for match in matches]

    def _align(self, ours: list[Word], theirs: list[Word]) -> list[Match]:
        if self.staged:
            return align_in_stages(ours, theirs, self.matchers, self.beam)
        found = find_matches(
            ours, theirs, self.matchers, self.lexicon.paraphrases, self.lexicon.longest
        )
        return align(found, self.beam)

    def count(self, hypothesis: Any, references: list[Any]) -> list[int]:
        """Return the row of the reference with the highest score."""
        ours = [self.lexicon.words[number] for number in hypothesis]
        rows = []
        for reference in references:
            theirs = [self.lexicon.words[number] for number in reference]
            matches = self._align(ours, theirs)
            row = meteor_row(ours, theirs, matches, self.matchers, self.characters, self.staged)
            rows.append(row)
        return max(rows, key=lambda row: meteor_score(row, *self.parameters))


def meteor_row(
    hypothesis: Sequence[Word],
    reference: Sequence[Word],
    matches: Sequence[Match],
    matchers: Sequence[int],
    characters: bool = False,
    staged: bool = False,
) -> list[int]:
    """Return the row of one segment and one reference.

    The chunk of a segment that matches in full and in order is not counted, as in METEOR 1.5, so
    that it has no fragmentation.

    Args:
        hypothesis: its words.
        reference: its words.
        matches: the alignment.
        matchers: the matchers that have columns.
        characters: whether the characters of words count.
        staged: whether that chunk counts, as in the first METEOR.

    Returns:
        Words of the hypothesis and of the reference, function words of both, chunks, and per
        matcher content words that are matched of the hypothesis and the reference, and function
        words. If characters count, these are characters, and the words of both and those that are
        matched follow.
    """
    texts = (hypothesis, reference)
    (hyp_content, hyp_function), (ref_content, ref_function) = (
        _content_and_function(words, characters) for words in texts
    )
    row = [hyp_content + hyp_function, ref_content + ref_function, hyp_function, ref_function]
    chunks = count_chunks(matches)
    matched = [sum(one.hypothesis_words for one in matches)]
    matched.append(sum(one.reference_words for one in matches))
    in_full = not staged and chunks == 1 and sum(matched) == len(hypothesis) + len(reference)
    row.append(0 if in_full else chunks)
    for matcher in matchers:
        counts = [0, 0, 0, 0]
        for match in matches:
            if match.matcher == matcher:
                spans = (
                    hypothesis[match.hypothesis : match.hypothesis + match.hypothesis_words],
                    reference[match.reference : match.reference + match.reference_words],
                )
                for side, words in enumerate(spans):
                    content, function = _content_and_function(words, characters)
                    counts[side] += content
                    counts[2 + side] += function
        row += counts
    return [*row, *map(len, texts), *matched] if characters else row


def _content_and_function(words: Sequence[Word], characters: bool) -> tuple[int, int]:
    """Return how much content words and function words count."""
    counts = [0, 0]
    for word in words:
        counts[word.function] += word.characters if characters else 1
    return counts[0], counts[1]
