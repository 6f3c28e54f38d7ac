"""What a model has computed of texts, in memory and on disk, so that it is computed once.

On disk it is a database of SQLite for each model, which several processes can use at once. What a
process has computed is there as soon as a batch is done, so that a run which was stopped goes on.
"""

from __future__ import annotations

import os
import sqlite3
from collections import OrderedDict
from contextlib import suppress
from hashlib import blake2b
from urllib.parse import quote
from zlib import crc32

from bleuet.errors import warn_caller
from bleuet.text.user_folders import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# The folder in the user's cache, and the most bytes of a file in it and of what is in memory.
FOLDER = "models"
MOST_ON_DISK, MOST_IN_MEMORY = 1 << 30, 1 << 28
# The part of a full file that is removed, the oldest entries first.
REMOVED = 0.25
# Seconds to wait for another process that writes.
PATIENCE = 30.0
# Questions that SQLite takes at once.
_AT_ONCE = 500
_CHECKSUM = 4
FIRST_KEY = "SELECT key FROM kept LIMIT 1"
# The files that a warning has named, since every metric of a model opens its own.
_NAMED: set[str] = set()


def key_of(texts: Sequence[str | None], settings: str) -> bytes:
    """Return the key of some texts that a model reads together.

    Args:
        texts: the texts; None is an absent one.
        settings: what else decides the result.
    """
    digest = blake2b(settings.encode(), digest_size=16)
    for text in texts:
        encoded = b"" if text is None else text.encode("utf-8", "surrogatepass")
        # The length says where a text ends, so that other texts never have the same key.
        digest.update(b"-" if text is None else b"%d:" % len(encoded))
        digest.update(encoded)
    return digest.digest()


class Remembered:
    """Values by key, of one model.

    Args:
        weights: the hash of the model's weights.
        on_disk: whether values are kept for later runs.
        most_in_memory: the most bytes in memory.
        most_on_disk: the most bytes of the file.
    """

    def __init__(
        self,
        weights: str,
        *,
        on_disk: bool,
        most_in_memory: int = MOST_IN_MEMORY,
        most_on_disk: int = MOST_ON_DISK,
    ) -> None:
        self._most, self._most_on_disk = most_in_memory, most_on_disk
        self._memory: OrderedDict[bytes, bytes] = OrderedDict()
        self._held = 0
        self._path = os.path.join(cache_folder(), FOLDER, f"{weights}.sqlite")
        self._on_disk = on_disk
        self._read_only = False
        self._opened: sqlite3.Connection | None = None

    def find(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values of those keys that have one."""
        found: dict[bytes, bytes] = {}
        others: list[bytes] = []
        for key in keys:
            if key in self._memory:
                self._memory.move_to_end(key)
                found[key] = self._memory[key]
            else:
                others.append(key)
        if others and self._on_disk:
            stored = self._read(others)
            self._remember(stored)
            found |= stored
        return found

    def keep(self, values: Mapping[bytes, bytes]) -> None:
        """Keep values, on disk before this returns."""
        self._remember(values)
        if self._on_disk and values and not self._read_only:
            self._write(values)

    def _remember(self, values: Mapping[bytes, bytes]) -> None:
        for key, value in values.items():
            self._held += len(value) - len(self._memory.get(key, b""))
            self._memory[key] = value
        while self._held > self._most and self._memory:
            _, gone = self._memory.popitem(last=False)
            self._held -= len(gone)

    # --- On disk ------------------------------------------------------------------------------

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        try:
            for first in range(0, len(keys), _AT_ONCE):
                some = keys[first : first + _AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, value FROM kept WHERE key IN ({marks})"
                for key, value in self._connection().execute(query, some):
                    # An edited value is not used.
                    if crc32(value[_CHECKSUM:], crc32(key)) == int.from_bytes(value[:_CHECKSUM]):
                        found[key] = value[_CHECKSUM:]
        except (sqlite3.Error, OSError, TypeError) as error:
            self._give_up(error)
        return found

    def _write(self, values: Mapping[bytes, bytes]) -> None:
        rows = [
            (key, crc32(value, crc32(key)).to_bytes(_CHECKSUM) + value)
            for key, value in values.items()
        ]
        try:
            connection = self._connection()
            with connection:
                connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", rows)
            (size,) = connection.execute(
                "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count(), "
                "pragma_freelist_count(), pragma_page_size()"
            ).fetchone()
            if size > self._most_on_disk:
                with connection:
                    connection.execute(
                        "DELETE FROM kept WHERE rowid IN (SELECT rowid FROM kept ORDER BY rowid "
                        "LIMIT (SELECT 1 + CAST(COUNT(*) * ? AS INTEGER) FROM kept))",
                        (REMOVED,),
                    )
        except (sqlite3.Error, OSError) as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY:
                self._only_read(error)
            else:
                self._give_up(error)

    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            try:
                os.makedirs(os.path.dirname(self._path), exist_ok=True)
                self._opened = self._open()
            except (sqlite3.OperationalError, OSError) as error:
                self._opened = self._open_to_read(error)
        return self._opened

    def _open_to_read(self, error: Exception) -> sqlite3.Connection:
        """Open a file that cannot be written, such as one that users share.

        Raises:
            OSError: it is not there, or cannot be read either.
        """
        if not os.path.isfile(self._path):
            raise error
        place = f"file:{quote(os.path.abspath(self._path))}?mode=ro"
        connection = sqlite3.connect(place, timeout=PATIENCE, check_same_thread=False, uri=True)
        try:
            connection.execute(FIRST_KEY).fetchone()
        except sqlite3.OperationalError:
            # Without write access to the folder, its journal cannot be opened.
            connection.close()
            place += "&immutable=1"
            connection = sqlite3.connect(place, check_same_thread=False, uri=True)
            connection.execute(FIRST_KEY).fetchone()
        self._only_read(error)
        return connection

    def _only_read(self, error: Exception) -> None:
        self._read_only = True
        if self._path not in _NAMED:
            _NAMED.add(self._path)
            warn_caller(
                f"the cache {self._path} cannot be written ({error}): what is in it is used, and "
                "new results are not kept"
            )

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=PATIENCE, check_same_thread=False)
        # Readers do not wait for a writer; a process that is killed loses no finished batch.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB UNIQUE, value BLOB)")
        return connection

    def _give_up(self, error: Exception) -> None:
        """Go on without the file; a damaged one is removed, so that the next run has a new one."""
        self._on_disk = False
        damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(
            error, sqlite3.OperationalError
        )
        if self._opened is not None:
            self._opened.close()
            self._opened = None
        if damaged or isinstance(error, TypeError):
            for ending in ("", "-wal", "-shm"):
                with suppress(OSError):
                    os.remove(self._path + ending)
        done = "removed" if damaged else "not used"
        warn_caller(f"the cache {self._path} is {done} ({error}): texts are encoded again")
