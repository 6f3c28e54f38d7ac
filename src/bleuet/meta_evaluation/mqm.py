"""MQM scores of segments, computed from the errors that raters marked."""

from __future__ import annotations

from math import fsum, isfinite

from bleuet.errors import InputError
from bleuet.evaluation.score_tables import segment_numbers
from bleuet.frozen import Value, cached_property, checked
from bleuet.messages import nearest
from bleuet.meta_evaluation.arrays import columns
from bleuet.meta_evaluation.rater_scores import RaterTable
from bleuet.text.tables import NamedColumns, read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any

    from bleuet.evaluation.score_tables import ColumnRoles
    from bleuet.text.source import Source

# Weights by severity and category. HOTW-test marks an error put in to test the rater.
WEIGHTS: Mapping[tuple[str, str], float] = {
    ("Major", "Non-translation"): 25.0,
    ("Major", ""): 5.0,
    ("Minor", "Fluency/Punctuation"): 0.1,
    ("Minor", ""): 1.0,
    ("Neutral", ""): 0.0,
    ("No-error", ""): 0.0,
    ("HOTW-test", ""): 0.0,
}
# The names of errors of the source in the published files.
SOURCE_ERRORS = ("source error", "source issue")
ANNOTATIONS = ("rater", "category", "severity")
LAYOUT = "segment, system, rater, category, severity"
# The first segment in the published files of WMT.
FIRST_SEGMENT = 1


@checked
class MqmWeights(Value):
    """How much each error of MQM annotations counts.

    Upper and lower case do not matter. Of several weights that fit an error, that of the longest
    category counts, and then the one that names the severity. "Fluency" is also the category of
    "Fluency/Grammar".

    Args:
        changes: by severity and category, weights beside the default ones, or instead of them; ""
            is any severity, or any category.

    Raises:
        InputError: a weight is infinite or negative.

    >>> weights = MqmWeights({("Critical", ""): 10, ("", "Source error"): 0})
    >>> [weights.of("Fluency/Grammar", "Critical"), weights.of("Source error", "Major")]
    [10.0, 0.0]
    """

    changes: Mapping[tuple[str, str], float] = {}

    def _complete(self) -> None:
        for weight in self.changes.values():
            if not (isfinite(weight) and weight >= 0):
                raise InputError(f"a weight must be a number of 0 or more, not {weight!r}")

    @classmethod
    def read(cls, source: Source) -> MqmWeights:
        """Return the weights of a table with the columns severity, category and weight.

        Args:
            source: a file; an empty severity or category is any.

        Raises:
            InputError: the file cannot be read, a column is missing, a weight is not a number, or a
                row repeats the severity and category of another.
        """
        table = read_table(source)
        columns_of = {name: table.column(name) for name in ("severity", "category")}
        changes: dict[tuple[str, str], float] = {}
        lines: dict[tuple[str, str], int] = {}
        rows = zip(*columns_of.values(), table.numbers("weight"), strict=True)
        for row, (severity, category, weight) in enumerate(rows):
            if not weight >= 0:  # as NaN is not, either: an empty cell
                raise InputError(
                    f"{table.place(row)}: weight is {weight:g}; expected a number of 0 or more"
                )
            names = str(severity or ""), str(category or "")
            key = _plain(names[0]), _plain(names[1])
            if key in lines:
                raise InputError(
                    f"{table.place(row)} repeats the severity and category of row {lines[key]}: "
                    "remove one"
                )
            lines[key] = table.lines[row]
            changes[names] = weight
        return cls(changes)

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], float]:
        """The weights by severity and category, as `_plain` makes them."""
        listed = (*WEIGHTS.items(), *self.changes.items())
        return {(_plain(a), _plain(b)): float(weight) for (a, b), weight in listed}

    @property
    def severities(self) -> list[str]:
        """The severities that have a weight."""
        names = [severity for severity, _ in (*self.changes, *WEIGHTS) if severity]
        return list({_plain(name): name for name in reversed(names)}.values())[::-1]

    def of(self, category: str, severity: str) -> float | None:
        """Return the weight of an error, None if its severity has none.

        Args:
            category: such as "Fluency/Grammar".
            severity: such as "Major".
        """
        severity, parts = _plain(severity), _plain(category).split("/")
        for length in range(len(parts), -1, -1):
            for name in (severity, ""):
                weight = self._by_name.get((name, "/".join(parts[:length])))
                if weight is not None:
                    return weight
        return None

    def unknown(self, severity: str) -> str:
        """Return what is wrong with a severity without a weight, and how to fix it."""
        *first, last = self.severities
        return (
            f"severity is {severity!r}; expected {', '.join(first)} or {last}: correct it, or add "
            "its weight with --mqm-weights"
        )


def _plain(name: str) -> str:
    return name.strip().lower().rstrip("!")


MQM_WEIGHTS = MqmWeights()


@checked
def mqm_scores(
    annotations: Iterable[tuple[Hashable, str, str, str, str]],
    weights: MqmWeights = MQM_WEIGHTS,
) -> list[tuple[Any, str, float]]:
    """Return the MQM score of each segment and system: 0 is perfect, lower is worse.

    A rater's score is minus the sum of the weights of the errors: by default 25 for a major
    non-translation, 5 for other major errors, 0.1 for minor errors of punctuation, 1 for other
    minor errors, and 0 for neutral ones. Errors of the source have the weight of their severity, as
    in the published averages. The score of a segment is the mean over its raters.

    Args:
        annotations: rows (segment, system, rater, category, severity), one per error. A rater who
            found no error has one row with the severity "No-error".
        weights: how much each error counts.

    Returns:
        rows (segment, system, score) in order of occurrence, as `ScoreMatrix.from_rows` takes them.

    Raises:
        InputError: there are no rows, one is too long or too short, or a severity has no weight.

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
    for segment, system, _, score in _scores_by_rater(annotations, weights):
        by_segment.setdefault((segment, system), []).append(score)
    return [(*place, fsum(scores) / len(scores)) for place, scores in by_segment.items()]


def _scores_by_rater(
    annotations: Iterable[tuple[Hashable, str, str, str, str]], weights: MqmWeights
) -> list[tuple[Any, str, str, float]]:
    """Return rows (segment, system, rater, score); arguments and errors as of `mqm_scores`."""
    errors: dict[tuple[Hashable, str, str], list[float]] = {}
    rows = zip(*columns(annotations, 5, LAYOUT), strict=True)
    for number, (segment, system, rater, category, severity) in enumerate(rows):
        weight = weights.of(category, severity)
        if weight is None:
            raise InputError(f"row {number + 1}: {weights.unknown(severity)}")
        errors.setdefault((segment, system, rater), []).append(weight)
    # 0 minus the sum, so that a perfect segment has 0 and not -0.
    return [(*place, 0 - fsum(listed)) for place, listed in errors.items()]


class AnnotatedScores(RaterTable):
    """MQM scores of a table with one row per error: a rater's score of a segment and system.

    Args:
        source_errors: the number of errors of the source that count.
    """

    source_errors: int = 0


def is_annotated(table: NamedColumns) -> bool:
    """Return whether a table has two or more of the columns of MQM annotations."""
    return sum(name in table.columns for name in ANNOTATIONS) > 1


def annotated_scores(
    table: NamedColumns,
    roles: ColumnRoles,
    first_segment: int | None,
    weights: MqmWeights = MQM_WEIGHTS,
) -> AnnotatedScores:
    """Return the scores of an open table with MQM annotations.

    Args:
        table: the table; its columns are (system, seg_id, rater, category, severity), and doc.
        roles: the roles of its columns.
        first_segment: the number of the first segment in the table; None for 1.
        weights: how much each error counts.

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
    source_errors = 0
    for row, (category, severity) in enumerate(zip(categories, severities, strict=True)):
        weight = weights.of(category, severity)
        if weight is None:
            raise InputError(f"{table.place(row)}: {weights.unknown(severity)}")
        source_errors += bool(weight) and _plain(category).split("/")[0] in SOURCE_ERRORS
    if "doc" in table.columns:
        _check_documents(table, segments, name)
    annotations = zip(segments, systems, raters, categories, severities, strict=True)
    rows = _scores_by_rater(annotations, weights)
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
        source_errors,
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
