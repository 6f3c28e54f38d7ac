"""MQM scores of segments, computed from the errors that raters marked."""

from __future__ import annotations

from math import fsum

from bleuet.errors import InputError
from bleuet.evaluation.score_tables import segment_numbers
from bleuet.frozen import checked
from bleuet.messages import nearest
from bleuet.meta_evaluation.arrays import columns
from bleuet.meta_evaluation.rater_scores import RaterTable
from bleuet.text.tables import NamedColumns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Any

    from bleuet.evaluation.score_tables import ColumnRoles

# Weights by severity, in lower case. HOTW-test marks an error put in to test the rater.
SEVERITIES = {"major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0, "hotw-test": 0.0}
# Weights by severity and category that differ from those of the severity.
EXCEPTIONS = {("major", "non-translation"): 25.0, ("minor", "fluency/punctuation"): 0.1}
SOURCE_ERRORS = frozenset(["source error", "source issue"])
SEVERITY_NAMES = "Major, Minor, Neutral, No-error or HOTW-test"
ANNOTATIONS = ("rater", "category", "severity")
LAYOUT = "segment, system, rater, category, severity"
# The first segment in the published files of WMT.
FIRST_SEGMENT = 1


@checked
def mqm_scores(
    annotations: Iterable[tuple[Hashable, str, str, str, str]],
) -> list[tuple[Any, str, float]]:
    """Return the MQM score of each segment and system: 0 is perfect, lower is worse.

    A rater's score is minus the sum of the weights of the errors: 25 for a major non-translation, 5
    for other major errors, 0.1 for minor errors of punctuation, 1 for other minor errors, and 0 for
    neutral ones and for errors of the source. The score of a segment is the mean over its raters.

    Args:
        annotations: rows (segment, system, rater, category, severity), one per error. A rater who
            found no error has one row with the severity "No-error".

    Returns:
        rows (segment, system, score) in order of occurrence, as `ScoreMatrix.from_rows` takes them.

    Raises:
        InputError: there are no rows, one is too long or too short, or a severity is unknown.

    Source: Freitag, Foster, Grangier, Ratnakar, Tan and Macherey 2021, "Experts, Errors, and
    Context: A Large-Scale Study of Human Evaluation for Machine Translation", table 4.

    >>> mqm_scores([
    ...     (0, "north", "rater1", "Accuracy/Mistranslation", "Major"),
    ...     (0, "north", "rater1", "Style/Awkward", "Minor"),
    ...     (0, "north", "rater2", "No-error", "No-error"),
    ... ])
    [(0, 'north', -3.0)]
    """
    by_segment: dict[tuple[Hashable, str], list[float]] = {}
    for segment, system, _, score in _scores_by_rater(annotations):
        by_segment.setdefault((segment, system), []).append(score)
    return [(*place, fsum(scores) / len(scores)) for place, scores in by_segment.items()]


def _scores_by_rater(
    annotations: Iterable[tuple[Hashable, str, str, str, str]],
) -> list[tuple[Any, str, str, float]]:
    """Return rows (segment, system, rater, score); arguments and errors as of `mqm_scores`."""
    weights: dict[tuple[Hashable, str, str], list[float]] = {}
    rows = zip(*columns(annotations, 5, LAYOUT), strict=True)
    for number, (segment, system, rater, category, severity) in enumerate(rows):
        weight = _weight(category, severity)
        if weight is None:
            raise InputError(f"row {number + 1}: {_unknown(severity)}")
        weights.setdefault((segment, system, rater), []).append(weight)
    # 0 minus the sum, so that a perfect segment has 0 and not -0.
    return [(*place, 0 - fsum(errors)) for place, errors in weights.items()]


def _weight(category: str, severity: str) -> float | None:
    """Return the weight of an error, None if the severity is unknown."""
    severity = severity.strip().lower()
    category = category.strip().lower().rstrip("!")
    weight = SEVERITIES.get(severity)
    if weight is None or category in SOURCE_ERRORS:
        return None if weight is None else 0.0
    return EXCEPTIONS.get((severity, category), weight)


def _unknown(severity: str) -> str:
    return f"severity is {severity!r}; expected {SEVERITY_NAMES}"


class AnnotatedScores(RaterTable):
    """MQM scores of a table with one row per error: a rater's score of a segment and system."""


def is_annotated(table: NamedColumns) -> bool:
    """Return whether a table has two or more of the columns of MQM annotations."""
    return sum(name in table.columns for name in ANNOTATIONS) > 1


def annotated_scores(
    table: NamedColumns, roles: ColumnRoles, first_segment: int | None
) -> AnnotatedScores:
    """Return the scores of an open table with MQM annotations.

    Args:
        table: the table; its columns are (system, seg_id, rater, category, severity), and doc.
        roles: the roles of its columns.
        first_segment: the number of the first segment in the table; None for 1.

    Raises:
        InputError: a column is missing, a cell is not usable, or a segment is in two documents.
    """
    for name in ANNOTATIONS:
        if name not in table.columns:
            raise InputError(
                f"{table.name}{table.unit}1 has no column {name}{nearest(name, table.columns)}; it "
                f"has {', '.join(table.columns)}; expected MQM annotations with the columns "
                "system, seg_id, rater, category, severity: rename the column"
            )
    first = FIRST_SEGMENT if first_segment is None else first_segment
    of_segments = "segment" if "segment" in roles or "seg_id" not in table.columns else "seg_id"
    name = roles["segment"] if of_segments == "segment" else of_segments
    segments = segment_numbers(table, name, first)
    systems = table.strings(roles["system"])
    raters, categories, severities = map(table.strings, ANNOTATIONS)
    for row, severity in enumerate(severities):
        if severity.lower() not in SEVERITIES:
            raise InputError(f"{table.place(row)}: {_unknown(severity)}")
    if "doc" in table.columns:
        _check_documents(table, segments, name)
    rows = _scores_by_rater(zip(segments, systems, raters, categories, severities, strict=True))
    first_row: dict[tuple[int, str, str], int] = {}
    for row, place in enumerate(zip(segments, systems, raters, strict=True)):
        first_row.setdefault(place, row)
    used = list(first_row.values())
    # Errors about a score name the line of its first annotation.
    cells = {name: [values[row] for row in used] for name, values in table.columns.items()}
    lines = [table.lines[row] for row in used]
    return AnnotatedScores(
        NamedColumns(table.name, cells, lines, table.unit),
        [row[0] for row in rows],
        [row[1] for row in rows],
        [row[3] for row in rows],
        [row[2] for row in rows],
    )


def _check_documents(table: NamedColumns, segments: list[int], name: str) -> None:
    """Check that no number of a segment occurs in two documents."""
    first: dict[int, int] = {}
    documents = table.strings("doc")
    for row, segment in enumerate(segments):
        before = first.setdefault(segment, row)
        if documents[before] != documents[row]:
            raise InputError(
                f"{table.place(row)}: {name} is a segment of document {documents[row]}, but in row "
                f"{table.lines[before]} of {documents[before]}; expected segments that are "
                "numbered through all documents: use --columns segment=NAME for another column"
            )
