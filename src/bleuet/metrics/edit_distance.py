"""The plain edit distance (Levenshtein 1966), counted or per character or word."""

from __future__ import annotations

from bleuet.frozen import cached_property
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import CASE
from bleuet.metrics.base.score import Score
from bleuet.metrics.wer.metric import CHARACTERS, SOURCES, WORDS
from bleuet.text import segments
from bleuet.text.segments import IDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.marks import Mark

COLUMNS = ("matches", "substitutions", "deletions", "insertions")
FORMULAS = {
    "none": "S + D + I",
    "reference": "100 * (S + D + I) / (M + S + D)",
    "longer": "100 * (S + D + I) / (M + S + max(D, I))",
}
# Of the kernel's counter: every character counts, and all white space divides words.
WHITE_SPACE = {CHARACTERS: "keep", WORDS: "single", IDS: "single"}


class EditDistanceScore(Score):
    """An edit distance, and the edits that it is computed from."""

    components = ("edits", *COLUMNS)
    metric: EditDistance
    values: tuple[int, ...]

    @property
    def edits(self) -> int:
        """Substitutions, deletions and insertions."""
        return sum(self.values[1:])

    @property
    def matches(self) -> int:
        """Characters or words of the reference that the hypothesis has."""
        return self.values[0]

    @property
    def substitutions(self) -> int:
        """Those in whose place the hypothesis has another one."""
        return self.values[1]

    @property
    def deletions(self) -> int:
        """Those that the hypothesis lacks."""
        return self.values[2]

    @property
    def insertions(self) -> int:
        """Those that only the hypothesis has."""
        return self.values[3]


class EditDistance(Metric[EditDistanceScore]):
    """Levenshtein distance: edits between hypothesis and nearest reference; lower is better.

    An edit substitutes, deletes or inserts a character, or a word with `tokenize="words"`. Texts
    are compared as they are. The score of a corpus is the number of all its edits, or with
    `normalize` all its edits per 100 characters or words.

    >>> EditDistance().sentence_score("sitting", "kitten").edits
    3
    >>> print(EditDistance(normalize="longer").sentence_score("sitting", "kitten"))
    EditDistance = 42.86
    """

    tokenize: Literal["char", "words", "ids"] = option(
        default="char",
        help="compare characters, words between white space, or token ids instead of text",
        key="tok",
        choices=(CHARACTERS, WORDS, IDS),
    )
    lowercase: bool = option(
        default=False, help="lower-case hypotheses and references first", key="case", values=CASE
    )
    normalize: Literal["none", "reference", "longer"] = option(
        default="none",
        help="none: the number of edits; reference: percent of the reference's length; longer: "
        "percent of the length of the longer text, at most 100 (of a corpus, of the longer side)",
        key="per",
        choices=("none", "reference", "longer"),
        scoring=True,
    )
    counter = CounterClass(
        "bleuet.metrics.wer.definition:WerCounter",
        tokenize=None,
        moves=lambda metric: "none",
        characters=lambda metric: metric.tokenize == CHARACTERS,
        no_punct=lambda metric: False,
        whitespace=lambda metric: WHITE_SPACE[metric.tokenize],
    )
    score_type = EditDistanceScore
    integer_columns = COLUMNS
    higher_is_better = False
    source = SOURCES["none"]

    @property
    def definition(self) -> str:
        """The formula."""
        return (
            f"{FORMULAS[self.normalize]}, of matches M, substitutions S, deletions D and "
            "insertions I with the fewest edits"
        )

    @property
    def same_number(self) -> str:
        """The functions of other libraries."""
        if self.normalize == "none":
            return (
                "rapidfuzz 3.14: Levenshtein.distance; nltk: edit_distance; torchmetrics 1.9.0: "
                "edit_distance with reduction='sum'"
            )
        longer = self.normalize == "longer"
        return "rapidfuzz 3.14: Levenshtein.normalized_distance, times 100" if longer else ""

    def check_options(self) -> None:
        """Reject lower-casing of token ids."""
        if self.tokenize == IDS and self.lowercase:
            raise self.rejected("lowercase", "is for text, and token ids are compared as they are")

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the number of edits, or edits in percent.

        As in WER, each insertion into empty references counts as 100.
        """
        matches, substitutions, deletions, insertions = values
        edits = substitutions + deletions + insertions
        if self.normalize == "none":
            return float(edits)
        if self.normalize == "reference":
            length = matches + substitutions + deletions
            return 100 * (edits / length) if length else 100.0 * insertions
        length = matches + substitutions + max(deletions, insertions)
        return 100 * (edits / length) if length else 0.0

    @cached_property
    def counted_kind(self) -> str:
        """`TOKEN_IDS` with tokenize="ids", otherwise `TEXT`."""
        return segments.TOKEN_IDS if self.tokenize == IDS else segments.TEXT

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the characters or words, and the edits to the nearest reference."""
        from bleuet.metrics.base.marks import EQUAL, EXTRA, MISSING, SUBSTITUTED, aligned_marks
        from bleuet.metrics.wer.definition import WerCounter

        marks = aligned_marks(self, hypothesis, references, (EQUAL, SUBSTITUTED, MISSING, EXTRA))[1]
        if self.tokenize == IDS:
            return [*map(str, hypothesis)], [[*map(str, one)] for one in references], marks
        read = WerCounter(**self.counter.options_of(self)).read
        items = [read(text, reference=False) for text in (hypothesis, *references)]
        return items[0], items[1:], marks

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the steps of the matches and edits, and of the score that follows from them."""
        titles = {
            "M": "matches, which both have",
            "S": "substitutions",
            "D": "deletions, which only the reference has",
            "I": "insertions, which only the hypothesis has",
        }
        for (symbol, title), value in zip(titles.items(), row, strict=True):
            steps.count(symbol, title, value, whole=sum(row))
        longer = "D" if row[2] > row[3] else "I"
        formula = FORMULAS[self.normalize].replace("max(D, I)", longer)
        if self.normalize == "reference" and not sum(row[:3]):
            formula = "100 * I"
        elif not sum(row):
            formula = "0"
        steps.score(self.name, formula)
