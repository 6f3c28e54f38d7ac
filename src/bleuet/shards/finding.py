"""The shards of a test set: which files belong together, and how large files are divided."""

from __future__ import annotations

import os
import re
from glob import glob

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.frozen import Value
from bleuet.messages import in_short, plural
from bleuet.text.addresses import file_for_arrow, filesystem_of, is_address
from bleuet.text.files import STDIN
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

# A Parquet file of at least so many bytes is divided into shards of at least so many rows.
DIVIDED_BYTES, PART_ROWS = 64 << 20, 500_000
# What stands for any part of a name in a pattern: in one folder, or in folders of any depth.
_WILDCARDS = re.compile(r"\*\*/|\*\*|\*|\?|\[[^\]]+\]")
_SHOWN = 3


class ShardTexts(Value):
    """Where the texts of systems and references are.

    Args:
        systems: a source for each system.
        references: the sources of the references.
        source: the source texts, for metrics that read them.
    """

    systems: tuple[Source, ...]
    references: tuple[Source, ...]
    source: Source | None = None

    @property
    def all(self) -> tuple[Source, ...]:
        """All sources, the systems first."""
        return (*self.systems, *self.references, *([] if self.source is None else [self.source]))

    def located(self, found: Sequence[Source]) -> ShardTexts:
        """Return texts at other places, as many as there are in `all`."""
        systems, references = len(self.systems), len(self.references)
        return ShardTexts(
            tuple(found[:systems]),
            tuple(found[systems : systems + references]),
            None if self.source is None else found[-1],
        )


class File(Value):
    """A file as it was when it was found.

    Args:
        path: its path or address.
        size: its bytes.
        modified: when it was changed last, as its filesystem says.
    """

    path: str
    size: int
    modified: str


class Shard(Value):
    """A part of a test set that is counted by itself.

    Args:
        number: its number, from 0.
        name: what the patterns stand for in the names of its files, or the name of its file.
        texts: where its texts are.
        files: the files, as they were found.
    """

    number: int
    name: str
    texts: ShardTexts
    files: tuple[File, ...]

    def check_unchanged(self) -> None:
        """Raise an error if a file is not the one that was found.

        Raises:
            InputError: it was changed, or is gone.
        """
        for file in self.files:
            if _file(file.path) != file:
                raise InputError(
                    f"{file.path} was changed while the run went on: run again when it is complete"
                )


def is_pattern(word: str) -> bool:
    """Return whether a word stands for several files, and is not the name of one.

    >>> is_pattern("data/*.parquet:ref"), is_pattern("data/a.parquet:ref")
    (True, False)
    """
    return _WILDCARDS.search(word) is not None and not os.path.exists(word)


def find_shards(texts: ShardTexts) -> list[Shard]:
    """Return the shards of a test set, in the order of their names.

    Args:
        texts: sources whose paths may be patterns, with `*`, `?`, `[...]` and, for folders of any
            depth, `**`. All patterns must stand for the same parts of names.

    Raises:
        InputError: a pattern has no file, or the files of two patterns do not belong together.
    """
    listed = [_files_of(source) for source in texts.all]
    first = listed[0]
    if all(len(files) == 1 for files in listed):
        # One file on each side, of whatever names.
        located = {name: [path for files in listed for path in files.values()] for name in first}
    else:
        for source, files in zip(texts.all[1:], listed[1:], strict=True):
            _check_same(texts.all[0], first, source, files)
        located = {name: [files[name] for files in listed] for name in sorted(first)}
    states: dict[str, File] = {}
    shards: list[Shard] = []
    for name, paths in located.items():
        for path in paths:
            if path not in states:
                states[path] = _file(path)
        known = tuple(states[path] for path in dict.fromkeys(paths))
        found = texts.located(
            [source.replace(path=path) for source, path in zip(texts.all, paths, strict=True)]
        )
        for part, divided in _parts(found, known):
            shards.append(Shard(len(shards), f"{name}{part}", divided, known))
    return shards


def _files_of(source: Source) -> dict[str, str]:
    """Return the files of a source by the parts of their names that its wildcards match."""
    if source.path == STDIN:
        raise InputError("standard input cannot be divided into shards: name files")
    if os.path.isdir(source.path):
        raise InputError(
            f"{source.path} is a folder; expected files: write a pattern for them in quotes, such "
            f"as '{source.path.rstrip('/')}/**/*.parquet'"
        )
    if not is_pattern(source.path):
        return {os.path.basename(source.path): source.path}
    pattern = source.path
    if not is_address(pattern):
        pattern = re.sub("/{2,}", "/", pattern)
    expression = _expression(pattern)
    found: dict[str, str] = {}
    for path in _listed(pattern):
        matched = expression.fullmatch(path)
        if matched is None:
            continue
        # With all groups, also empty ones, no two files have the same name.
        name = "|".join(matched.groups())
        if name in found:
            raise InputError(
                f"{pattern} cannot distinguish {found[name]} and {path}: use other wildcards"
            )
        found[name] = path
    if not found:
        raise InputError(f"no file fits {pattern}: check the pattern, and that it is in quotes")
    return found


def _expression(pattern: str) -> re.Pattern[str]:
    """Return an expression whose groups are what the wildcards of a pattern stand for.

    >>> _expression("a/*.txt").fullmatch("a/07.txt").groups()
    ('07',)
    """
    made = ""
    end = 0
    for wildcard in _WILDCARDS.finditer(pattern):
        made += re.escape(pattern[end : wildcard.start()])
        end = wildcard.end()
        kinds = {"**/": "((?:[^/]+/)*)", "**": "(.*)", "*": "([^/]*)", "?": "([^/])"}
        made += kinds.get(wildcard[0]) or _characters(wildcard[0][1:-1])
    try:
        return re.compile(made + re.escape(pattern[end:]), re.DOTALL)
    except re.error as error:
        raise InputError(f"the pattern {pattern} cannot be read: {error}") from None


def _characters(inside: str) -> str:
    """Return an expression for one of the characters in brackets, as shells read them."""
    negated = inside.startswith("!")
    escaped = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside[negated:])
    return f"([{'^' if negated else ''}{escaped}])"


def _listed(pattern: str) -> list[str]:
    if not is_address(pattern):
        return [path for path in glob(pattern, recursive=True) if os.path.isfile(path)]
    library = optional("pyarrow.fs")
    fixed = pattern[: next(iter(_WILDCARDS.finditer(pattern))).start()].rpartition("/")[0]
    filesystem, folder = filesystem_of(fixed)
    try:
        infos = filesystem.get_file_info(library.FileSelector(folder, recursive=True))
    except Exception as error:
        reason = in_short(error)
        raise InputError(f"{fixed} cannot be listed ({reason}): check the address") from None
    files = [info.path for info in infos if info.type == library.FileType.File]
    return [f"{fixed}{path[len(folder) :]}" for path in files]


def _check_same(one: Source, ours: dict[str, str], other: Source, theirs: dict[str, str]) -> None:
    """Raise an error unless two patterns stand for the same parts of names."""
    for this, files, that, others in ((one, ours, other, theirs), (other, theirs, one, ours)):
        alone = sorted(files.keys() - others.keys())
        if alone:
            more = f" and {len(alone) - _SHOWN} more" if len(alone) > _SHOWN else ""
            raise InputError(
                f"{this.path} has {plural(len(files), 'file')} and {that.path} has {len(others)}: "
                f"{', '.join(files[name] for name in alone[:_SHOWN])}{more} fits nothing of "
                f"{that.path}; expected files whose names differ only outside the wildcards"
            )


def _file(path: str) -> File:
    """Return a file as it is now."""
    if not is_address(path):
        try:
            status = os.stat(path)
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from None
        return File(path, status.st_size, str(status.st_mtime_ns))
    filesystem, place = filesystem_of(path)
    try:
        found = filesystem.get_file_info(place)
    except Exception as error:  # Arrow has no class of its own for them
        raise InputError(f"{path} cannot be opened ({in_short(error)}): check it") from None
    return File(path, found.size or 0, str(found.mtime_ns))


def _parts(texts: ShardTexts, files: Sequence[File]) -> Iterator[tuple[str, ShardTexts]]:
    """Yield the parts of a shard, with what is added to its name: one, or some row groups each.

    Only one Parquet file with all texts can be divided, since row groups of others do not fit.
    """
    (file, *others) = files
    if others or file.size < DIVIDED_BYTES or texts.all[0].kind != "parquet":
        yield "", texts
        return
    for groups in _divided(_rows_of_groups(file.path)):
        part = [source.replace(row_groups=groups) for source in texts.all]
        yield f", row groups {groups[0] + 1} to {groups[1]}", texts.located(part)


def _rows_of_groups(path: str) -> list[int]:
    library: Any = optional("pyarrow.parquet")
    from bleuet.text.records.parquet import ParquetDamage

    with ParquetDamage(path):
        metadata = library.ParquetFile(file_for_arrow(path)).metadata
    return [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]


def _divided(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield ranges of row groups with at least `PART_ROWS` rows each, but for the last.

    >>> list(_divided([300_000, 300_000, 600_000, 10]))
    [(0, 2), (2, 3), (3, 4)]
    """
    first = held = 0
    for number, count in enumerate(rows, 1):
        held += count
        if held >= PART_ROWS or number == len(rows):
            yield first, number
            first, held = number, 0
