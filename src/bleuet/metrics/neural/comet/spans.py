"""Error spans of xCOMET: from the labels of tokens to parts of a text."""

from __future__ import annotations

from bleuet.frozen import Value
from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# What an error of each severity takes off, of at most 25 points (Freitag et al. 2021).
POINTS = {"minor": 1, "major": 5, "critical": 10}
MOST_POINTS = 25


class ErrorSpan(Value, Plain):
    """A part of a hypothesis in which a model finds an error.

    Attributes:
        text: the part, as the tokenizer spells it.
        start: the place of its first character, from 0.
        end: the place behind its last character.
        severity: "minor", "major" or "critical".
        confidence: the mean share of its tokens' labels, from 0 to 1.
    """

    text: str
    start: int
    end: int
    severity: str
    confidence: float


def error_spans(
    tags: Sequence[Sequence[float]],
    offsets: Sequence[tuple[int, int]],
    labels: Sequence[str],
    tokens: Sequence[int],
    text_of: Callable[[Sequence[int]], str],
) -> list[ErrorSpan]:
    """Return the runs of tokens that have an error; a run has the severity of its first token.

    A run that goes on behind the last token is left out, as in unbabel-comet.

    Args:
        tags: for each token the share of no error, and of each label.
        offsets: the characters of each token: the first, and the one behind the last.
        labels: the severities.
        tokens: the tokens.
        text_of: returns the text of some of them.

    >>> tags = [[0.9, 0.1], [0.2, 0.8], [0.9, 0.1]]
    >>> places, tokens = [(0, 0), (0, 3), (0, 0)], [0, 7, 2]
    >>> found = error_spans(tags, places, ["minor"], tokens, lambda some: "cat")
    >>> [(one.text, one.start, one.end, one.severity) for one in found]
    [('cat', 0, 3, 'minor')]
    """
    best = [max(range(len(own)), key=own.__getitem__) for own in tags]
    found = []
    first: int | None = None
    for place, label in enumerate(best):
        if label and first is None:
            first = place
        elif not label and first is not None:
            sure = [tags[token][best[token]] for token in range(first, place)]
            found.append(
                ErrorSpan(
                    text_of(tokens[first:place]).removeprefix(" "),
                    offsets[first][0],
                    offsets[place - 1][1],
                    labels[best[first] - 1],
                    sum(sure) / len(sure),
                )
            )
            first = None
    return found


def severity_score(spans: Sequence[ErrorSpan]) -> float:
    """Return how good a text with some errors is, from 0 to 1.

    >>> severity_score([]), severity_score([ErrorSpan("a", 0, 1, "major", 0.5)])
    (1.0, 0.8)
    """
    points = sum(POINTS[span.severity] for span in spans)
    return (MOST_POINTS - min(MOST_POINTS, points)) / MOST_POINTS
