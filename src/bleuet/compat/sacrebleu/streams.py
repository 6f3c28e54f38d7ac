"""Read hypotheses and references as sacreBLEU's command does: only a newline ends a segment."""

from __future__ import annotations

import codecs
import sys

from bleuet.compat.sacrebleu.notice import logger
from bleuet.errors import InputError, OptionError
from bleuet.frozen import Value
from bleuet.messages import plural
from bleuet.text.files import MAX_SEGMENT_BYTES
from bleuet.text.lines import read_lines, too_long

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, NoReturn

STDIN = "-"


class Stream(Value):
    """A list of segments and its name in messages.

    Args:
        name: the file's name, and the column where the file has several.
        segments: one string for each segment.
    """

    name: str
    segments: list[str]


def read_references(paths: Sequence[str], number: int, encoding: str) -> list[Stream]:
    """Return one stream for each file, or `number` streams for one file with tab-separated columns.

    Args:
        paths: the files.
        number: how many references each line has; more than 1 needs exactly one file.
        encoding: the encoding of all files.


    Raises:
        InputError: a file cannot be read, or a line has the wrong number of references.
    """
    if number == 1:
        return [Stream(path, _stripped(path, encoding)) for path in paths]
    (path,) = paths
    rows = []
    for i, line in enumerate(_lines(path, encoding), start=1):
        # sacreBLEU strips the line, which removes an empty last reference.
        fields = line.rstrip().split("\t", number - 1)
        if len(fields) != number:
            fields = line.rstrip("\r").split("\t", number - 1)
            fields[-1] = fields[-1].rstrip()
        if len(fields) != number:
            raise InputError(
                f"{path}:{i}: expected {number} references separated by tabs, as --num-refs says, "
                f"found {len(fields)}; add the missing columns or change --num-refs"
            )
        rows.append(fields)
    return [Stream(f"{path}, reference {k + 1}", [row[k] for row in rows]) for k in range(number)]


def read_systems(
    paths: Sequence[str] | None, encoding: str, *, paired: bool = False
) -> list[Stream]:
    """Return one stream for each file, or one for each tab-separated column of standard input.

    Args:
        paths: the files, or None for standard input.
        encoding: the encoding of all files.
        paired: whether the first file is the baseline, which may occur again among the others.

    Raises:
        InputError: a file cannot be read, or a line has the wrong number of columns.
        OptionError: a file is named twice.
    """
    if paths is None:
        return _read_columns(encoding)
    if paired:
        paths = without_baseline_again(paths)
    for path in paths:
        if paths.count(path) > 1:
            raise OptionError(f"{path} occurs twice after -i; name each system once")
    if not paths:
        raise OptionError("-i has no file; name one for each system")
    return [Stream(path, _stripped(path, encoding)) for path in paths]


def without_baseline_again(paths: Sequence[str]) -> list[str]:
    """Return the files without repetitions of the first, the baseline.

    >>> without_baseline_again(["a", "b", "a"])
    ['a', 'b']
    """
    for path in paths[1:]:
        if path == paths[0]:
            logger().info(f"Ignoring {path!r} as it was also given as the baseline.")
    return [*paths[:1], *(path for path in paths[1:] if path != paths[0])]


def check_lengths(systems: Sequence[Stream], references: Sequence[Stream]) -> None:
    """Check that systems and references have the same number of segments.

    Raises:
        InputError: the numbers differ, or a system is empty; the message names the files.

    >>> check_lengths([Stream("a", ["x"])], [Stream("b", ["y"])])
    """
    for system in systems:
        for reference in references:
            ours, theirs = len(system.segments), len(reference.segments)
            if ours != theirs:
                raise InputError(
                    f"{system.name} has {plural(ours, 'line')} but {reference.name} has "
                    f"{plural(theirs, 'line')}; both need one line for each segment"
                )
        if not system.segments:
            raise InputError(f"{system.name} is empty; it needs one line for each segment")


def _read_columns(encoding: str) -> list[Stream]:
    lines = list(_lines(STDIN, encoding))
    number = len(lines[0].rstrip().split("\t")) if lines else 1
    rows = []
    for i, line in enumerate(lines, start=1):
        fields = line.rstrip().split("\t")
        if len(fields) != number:
            # sacreBLEU strips the line, which removes an empty last column.
            fields = line.rstrip("\r").split("\t")
        if len(fields) != number:
            raise InputError(
                f"<stdin>:{i}: {len(fields)} columns, but the first line has {number}; every line "
                "needs one column per system, separated by tabs"
            )
        rows.append([field.rstrip() for field in fields])
    names = ["<stdin>"] if number == 1 else [f"<stdin>, column {k + 1}" for k in range(number)]
    return [Stream(name, [row[k] for row in rows]) for k, name in enumerate(names)]


def _stripped(path: str, encoding: str) -> list[str]:
    return [line.rstrip() for line in _lines(path, encoding)]


def _lines(path: str, encoding: str) -> Iterator[str] | list[str]:
    if _is_utf8(encoding):
        # sacreBLEU counts a byte order mark as text, without a warning.
        return read_lines(path, bom="keep")
    return _decoded_lines(path, encoding)


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        raise OptionError(
            f"there is no encoding {encoding!r}; use utf-8, latin-1 or another of Python's"
        ) from None


def _decoded_lines(path: str, encoding: str) -> Iterator[str]:
    try:
        with _opened(path, encoding) as file:
            number = 0
            while line := file.readline(MAX_SEGMENT_BYTES + 1):
                number += 1
                if len(line) > MAX_SEGMENT_BYTES:
                    raise InputError(too_long(f"{_shown(path)}:{number}", MAX_SEGMENT_BYTES))
                yield line.removesuffix("\n")
    except UnicodeError as error:
        raise InputError(f"{_shown(path)} is not {encoding}: {error}") from None
    except (OSError, EOFError) as error:
        _raise_unreadable(path, error)


def _opened(path: str, encoding: str) -> Any:
    if path == STDIN:
        return open(sys.stdin.fileno(), encoding=encoding, newline="\n", closefd=False)
    if path.endswith(".gz"):
        import gzip

        return gzip.open(path, "rt", encoding=encoding, newline="\n")
    return open(path, encoding=encoding, newline="\n")


def _raise_unreadable(path: str, error: OSError | EOFError) -> NoReturn:
    reason = getattr(error, "strerror", None) or str(error)
    raise InputError(f"{_shown(path)} cannot be read: {reason}") from None


def _shown(path: str) -> str:
    return "<stdin>" if path == STDIN else path
