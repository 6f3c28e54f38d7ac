"""Scores of segments that come from elsewhere, such as a neural metric's, as files name them."""

from __future__ import annotations

import os

from bleuet.cli.arguments import zero_or_one
from bleuet.cli.given import METRICS
from bleuet.cli.refusals import check_known
from bleuet.errors import InputError, OptionError
from bleuet.messages import nearest
from bleuet.studies.external_scores import check_name
from bleuet.studies.significance.segment_mean import SegmentMean
from bleuet.text.lines import stream_lines
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from bleuet.cli.arguments import Parser
    from bleuet.studies.meta_evaluation.reading import Scores
    from bleuet.text.tables import NamedColumns

    # One number per segment, None where a segment was not judged.
    Numbers: TypeAlias = list[float | None]

EXAMPLE = "NAME=FILE,FILE with a file for each system"
LAYOUT = "one table with the columns segment, system, score"


class ScoresGiven:
    """The arguments about scores from elsewhere by name, with their defaults."""

    scores: Any = None
    lower_is_better: Any = None
    columns: Any = None
    first_segment: int | None = None
    average = False


def add_scores(parser: Parser) -> None:
    """Add scores that come from elsewhere to a parser."""
    add = parser.add_argument_group("scores from elsewhere").add_argument
    add(
        "--scores", nargs="+", action="extend", metavar="NAME=FILE,FILE", default=None,
        help="a metric that was computed elsewhere, or people: a file with a number per line for "
        "each system, in the order of -i, nothing on the line where there is none; or one table "
        "with the columns segment, system, score",
    )  # fmt: skip
    add(
        "--lower-is-better", nargs="+", action="extend", metavar="NAME", default=None,
        help="names of --scores that count errors",
    )  # fmt: skip
    add(
        "--columns", nargs="+", action="extend", metavar="ROLE=NAME", default=None,
        help="what segment, system and score are called in tables of --scores",
    )  # fmt: skip
    add(
        "--first-segment", type=zero_or_one, metavar="N", default=None,
        help="the number of the first segment in tables of --scores, 0 or 1 (default: 0)",
    )  # fmt: skip
    add(
        "--average", action="store_true",
        help="average repeated scores in tables of --scores, as of several raters",
    )  # fmt: skip


def files_of_scores(given: ScoresGiven) -> dict[str, list[str]]:
    """Return the files behind each name of --scores, in the order given.

    A file of that very name comes before the comma; a name that comes again adds files, which is
    what a shell makes of `NAME={a,b}.txt`.

    Raises:
        OptionError: a word is not of the form NAME=FILE, or its name is that of a metric.

    >>> given = ScoresGiven()
    >>> given.scores = ["COMET=a.comet,b.comet", "human=a.da", "human=b.da"]
    >>> files_of_scores(given)
    {'COMET': ['a.comet', 'b.comet'], 'human': ['a.da', 'b.da']}
    """
    found: dict[str, list[str]] = {}
    for word in given.scores or ():
        name, equals, value = word.partition("=")
        files = [value] if os.path.exists(value) else value.split(",")
        if not (name.strip() and equals) or not all(files):
            raise OptionError(f"--scores takes {EXAMPLE}, not {word!r}")
        check_name(name)
        found.setdefault(name, []).extend(files)
    return found


def check_scores(given: ScoresGiven) -> None:
    """Refuse options about scores from elsewhere that nothing would come of.

    Raises:
        OptionError: there is one, or it names scores that are not there.
    """
    names = list(files_of_scores(given))
    for flag, value in (
        ("--lower-is-better", given.lower_is_better),
        ("--columns", given.columns),
        ("--first-segment", given.first_segment),
        ("--average", given.average or None),
    ):
        if value is not None and not names:
            raise OptionError(f"{flag} is about scores from elsewhere: name them with --scores")
    check_known(given.lower_is_better or (), names, "--lower-is-better")


def read_given_scores(
    given: ScoresGiven, systems: Mapping[str, str], segments: int, each: str = "system"
) -> dict[SegmentMean, dict[str, Numbers]]:
    """Read the scores from elsewhere.

    Args:
        given: what was asked.
        systems: each system's name, and what its file is called, by which tables may call it.
        segments: how many segments there are.
        each: what each of the systems is called in messages.

    Raises:
        InputError: a file cannot be read, holds what is no number, or lacks a system or segments;
            with the place.
        OptionError: there is not one file for each system.
    """
    found: dict[SegmentMean, dict[str, Numbers]] = {}
    tables: list[NamedColumns] = []
    for name, files in files_of_scores(given).items():
        mean = SegmentMean(name, name not in (given.lower_is_better or ()))
        if len(files) == 1 and _is_table(given, files[0], len(systems)):
            table = _scores_in(given, name, files[0])
            tables.append(table.table)
            found[mean] = _of_table(given, name, table, systems, segments)
        elif len(files) == len(systems):
            columns = [_column(name, file, segments) for file in files]
            found[mean] = dict(zip(systems, columns, strict=True))
        else:
            raise OptionError(
                f"--scores names {_counted(len(files), 'file')} of {name} for "
                f"{_counted(len(systems), each)}; expected one for each, in the order of -i, "
                f"or {LAYOUT}"
            )
    if given.columns:
        _check_columns(given.columns, tables)
    return found


# --- A file for each system -----------------------------------------------------------------------


def _column(name: str, path: str, segments: int) -> Numbers:
    table, column = _numbers_of(name, Source.parse(path))
    if len(table) != segments:
        raise InputError(
            f"{path} has {_counted(len(table), f'{name} score')}, but there are {segments} "
            "segments; expected one on every line, or nothing where a segment has none"
        )
    return _with_none(table.numbers(column))


def _numbers_of(name: str, source: Source) -> tuple[NamedColumns, str]:
    """Return a table of one column, or of more, and which column it is."""
    from bleuet.text.tables import NamedColumns, read_table

    if source.column is not None and not _is_numbered(source):
        return read_table(source.path), source.column
    lines = source.read()
    if lines:
        lines[0] = lines[0].removeprefix("\ufeff")
    return NamedColumns(str(source), {name: lines}, range(1, len(lines) + 1)), name


def _is_numbered(source: Source) -> bool:
    """Whether a column is named by its number, so that the first line is a segment's too."""
    return source.kind == "tsv" and (source.column or "").isdecimal()


def _with_none(numbers: Iterable[float]) -> Numbers:
    return [None if number != number else number for number in numbers]


# --- A table of all systems -----------------------------------------------------------------------


def _is_table(given: ScoresGiven, path: str, systems: int) -> bool:
    """Whether a file is a table of segments and systems, and not one system's numbers."""
    source = Source.parse(path)
    if _is_numbered(source):
        return False
    if not os.path.isfile(source.path):
        return systems > 1  # a pipe cannot be looked into first, and what is missing is told later
    if source.kind == "lines" and not path.lower().endswith(".csv"):
        with stream_lines(path) as batches:
            first = next(iter(next(iter(batches), [])), "")
        return "\t" in first
    if systems > 1:
        return True
    from bleuet.text.tables import read_table

    called = dict(word.partition("=")[::2] for word in given.columns or ())
    return called.get("system", "system") in read_table(source.path).columns


def _check_columns(words: Sequence[str], tables: Sequence[NamedColumns]) -> None:
    from bleuet.cli.meta.checks import roles_of
    from bleuet.studies.meta_evaluation.reading import check_columns

    check_columns(roles_of(words), tables)


def _scores_in(given: ScoresGiven, name: str, path: str) -> Scores:
    # Imported here because tables need numpy, and plain files of numbers do not.
    from bleuet.cli.meta.checks import roles_of
    from bleuet.studies.meta_evaluation.reading import read_scores

    table = read_scores(path, roles_of(given.columns), given.first_segment or 0)
    if table.segments is None:
        raise InputError(
            f"{table.table.name} has one {name} score for each system, but expected one for each "
            f"segment, in {LAYOUT}"
        )
    return table


def _of_table(
    given: ScoresGiven, name: str, table: Scores, systems: Mapping[str, str], segments: int
) -> dict[str, Numbers]:
    called = {system: _called(table, name, file) for system, file in systems.items()}
    twice = next((one for one in called.values() if list(called.values()).count(one) > 1), None)
    if twice is not None:
        raise InputError(
            f"two systems are both {twice} in {table.table.name}: name their files apart"
        )
    matrix = table.matrix(list(called.values()), segments, average=given.average)
    rows = matrix.select(list(called.values())).values.tolist()
    return {system: _with_none(row) for system, row in zip(systems, rows, strict=True)}


def _called(table: Scores, name: str, file: str) -> str:
    """Return what a table calls a system, whose file's name may have more endings."""
    from bleuet.studies.meta_evaluation.system_names import without_endings

    for part in without_endings(file):
        if part in table.names:
            return part
    short = list(without_endings(file))[-1]
    raise InputError(
        f"{table.table.name} has no {name} score of {file}{nearest(short, table.names)}; it has "
        f"{', '.join(table.names)}: call the system in it as its file is called"
    )


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def ordered(metrics: Sequence[str], names: Iterable[str]) -> list[str]:
    """Return what -m names, words for scores from elsewhere as --scores spells them, and the rest.

    Raises:
        OptionError: a word names neither such scores nor a metric.

    >>> ordered(["comet", "bleu"], ["human", "COMET"])
    ['COMET', 'bleu', 'human']
    """
    listed = list(names)
    spelt = {name.lower(): name for name in listed}
    known = (*METRICS, *listed)
    for word in metrics if listed else ():
        if word.lower() not in (*METRICS, *spelt):
            raise OptionError(
                f"there is no metric {word!r}{nearest(word, known)}; they are {', '.join(known)}"
            )
    asked = [spelt.get(word.lower(), word) for word in metrics]
    return [*asked, *(name for name in listed if name not in asked)]
