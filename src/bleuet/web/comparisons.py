"""The comparisons that the server makes of uploaded files; all of them end with the server."""

from __future__ import annotations

import json
import secrets
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock, Thread
from time import monotonic

from bleuet.errors import BleuetError, InputError, OptionError
from bleuet.output.escaping import printable
from bleuet.web.comparison_files import JOB, RESULTS
from bleuet.web.requested_metrics import as_word, requested_metrics
from bleuet.web.temporary_folder import TemporaryFolder
from bleuet.web.workers import STOPPED, BusyError, kill_process, start_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    Count: TypeAlias = Callable[[int], None]

# Uploaded files of all comparisons together, and comparisons that are kept.
MAX_UPLOADED_BYTES = 4 << 30
MAX_COMPARISONS = 8
MAX_FILES = 64
# Seconds after which a comparison that was never started gives way to another.
ABANDONED_SECONDS = 3600
KINDS = (".txt", ".tsv", ".csv", ".jsonl", ".ndjson", ".parquet")
COMPRESSIONS = ("", ".gz", ".zst", ".bz2", ".xz")
REFERENCES, SYSTEMS, SOURCES = "references", "systems", "sources"
ROLES = (REFERENCES, SYSTEMS, SOURCES)
OPEN, RUNNING, DONE, FAILED = "open", "running", "done", "failed"


class NoRoomError(BleuetError):
    """The server keeps as many comparisons or bytes as it may."""


class ComparisonJob:
    """One comparison: its files, its process, how far it is.

    Args:
        folder: where its files are.
    """

    def __init__(self, folder: Path) -> None:
        self.id = secrets.token_urlsafe(12)
        self.folder = folder
        self.state = OPEN
        self.step = ""
        self.share = 0.0
        self.error = ""
        self.files: dict[str, list[dict[str, Any]]] = {role: [] for role in ROLES}
        # Of the files that were uploaded, and of those that are being uploaded.
        self.uploaded_bytes = 0
        self.uploads = 0
        self._touched = monotonic()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._ended = False

    def add(self, role: str, path: Path, name: str, column: str | None, **reading: Any) -> None:
        """Add a file.

        Args:
            role: one of `ROLES`.
            path: where it is.
            name: what users call it.
            column: the column of a table.
            **reading: how it is read, as `Source` takes it.

        Raises:
            OptionError: two systems have one name, there are sources already, or the comparison has
                begun.
        """
        with self._lock:
            if self.state != OPEN:
                raise OptionError("the comparison has begun: begin a new one for other files")
            shown = printable(name) or f"{role} {len(self.files[role]) + 1}"
            if role == SYSTEMS and any(one["name"] == shown for one in self.files[role]):
                raise OptionError(f"two systems are called {shown}: rename one of the files")
            if role == SOURCES and self.files[role]:
                raise OptionError("a comparison has one file of sources: upload one")
            self.files[role].append(
                {"name": shown, "path": str(path), "column": column, "reading": reading}
            )

            self._touched = monotonic()

    @property
    def is_abandoned(self) -> bool:
        """Whether nothing has been uploaded for long, and it has not begun."""
        waits = self.state == OPEN and not self.uploads
        return waits and monotonic() - self._touched > ABANDONED_SECONDS

    def start(self, metrics: list[Any]) -> None:
        """Start the process.

        Raises:
            OptionError: files are missing, or it has begun.
        """
        words = [as_word(metric) for metric in requested_metrics(metrics)]
        with self._lock:
            if self.state != OPEN:
                raise OptionError("the comparison has begun already")
            if not self.files[REFERENCES] or not self.files[SYSTEMS]:
                raise OptionError("a comparison needs a file of references and a file of a system")
            if self.uploads:
                raise OptionError("a file is still being uploaded: start when all have arrived")
            if self._ended:
                raise BusyError(STOPPED)
            job = {**self.files, "metrics": words}
            (self.folder / JOB).write_text(json.dumps(job), encoding="utf-8")
            self.state = RUNNING
            self._process = start_process("bleuet.web.comparing", str(self.folder))
        Thread(target=self._follow, args=(self._process,), daemon=True).start()

    def _follow(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        # It ends when this process does, which would close its standard input.
        with process.stdin, process.stdout as lines:
            for line in lines:
                self._take(json.loads(line))
            process.wait()
        if self.state == RUNNING:
            self.state, self.error = FAILED, "the comparison was stopped"

    def _take(self, said: dict[str, Any]) -> None:
        if "step" in said:
            self.step, self.share = said["step"], said["share"]
        elif "error" in said:
            self.state, self.error = FAILED, said["error"]
        else:
            self.state, self.share = DONE, 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return how far it is, as plain values."""
        return {
            "id": self.id,
            "state": self.state,
            "step": self.step,
            "share": self.share,
            "error": self.error,
            **{role: [one["name"] for one in self.files[role]] for role in ROLES},
            "results": list(RESULTS) if self.state == DONE else [],
        }

    def end(self) -> None:
        """Stop the process, and remove all files."""
        with self._lock:
            self._ended = True
        if self._process is not None:
            kill_process(self._process)
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Comparisons:
    """All comparisons of a server, in a private temporary folder."""

    def __init__(self) -> None:
        self._folder: TemporaryFolder | None = None
        self._known: dict[str, ComparisonJob] = {}
        self._lock = Lock()
        self._ended = False

    def begin(self) -> ComparisonJob:
        """Return a new comparison.

        Raises:
            NoRoomError: there are too many; none of them is removed unasked.
        """
        with self._lock:
            if self._ended:
                raise BusyError(STOPPED)
            if len(self._known) >= MAX_COMPARISONS:
                self._remove_abandoned()
            if len(self._known) >= MAX_COMPARISONS:
                raise NoRoomError(
                    f"the server keeps {MAX_COMPARISONS} comparisons and has them: remove one, or "
                    "start the server again"
                )
            if self._folder is None:
                self._folder = TemporaryFolder()
            made = ComparisonJob(Path(mkdtemp(dir=self._folder.path)))
            self._known[made.id] = made
            return made

    def _remove_abandoned(self) -> None:
        """Remove those that were never started, whose page was closed long ago."""
        for one in list(self._known.values()):
            if one.is_abandoned:
                self._known.pop(one.id).end()

    def find(self, known: str) -> ComparisonJob | None:
        """Return a comparison by its id, None if there is none."""
        return self._known.get(known)

    def all(self) -> list[ComparisonJob]:
        """Return all comparisons, the oldest first."""
        with self._lock:
            return list(self._known.values())

    def remove(self, known: str) -> None:
        """Stop a comparison, and remove its files."""
        with self._lock:
            found = self._known.pop(known, None)
        if found is not None:
            found.end()

    @contextmanager
    def uploading(self, comparison: ComparisonJob, name: str) -> Iterator[tuple[Path, Count]]:
        """Give a new file in the comparison's folder; it is removed if the upload fails.

        Args:
            comparison: the comparison.
            name: what users call the file.

        Yields:
            Where the file goes, and a function to call with the number of bytes before they are
            written.

        Raises:
            InputError: there are too many files.
            NoRoomError: all files together have too many bytes.
        """
        if sum(map(len, comparison.files.values())) + comparison.uploads >= MAX_FILES:
            raise InputError(f"a comparison has at most {MAX_FILES} files")
        path = comparison.folder / f"{secrets.token_hex(8)}{_ending(name)}"
        size = 0

        def count(more: int) -> None:
            nonlocal size
            if sum(one.uploaded_bytes for one in self.all()) + more > MAX_UPLOADED_BYTES:
                raise NoRoomError(
                    f"all uploaded files together may have at most {MAX_UPLOADED_BYTES:,} bytes: "
                    f"remove a "
                    "comparison, or use the command line"
                )
            size += more
            comparison.uploaded_bytes += more

        comparison.uploads += 1
        try:
            yield path, count
        except BaseException:
            path.unlink(missing_ok=True)
            comparison.uploaded_bytes -= size
            raise
        finally:
            comparison.uploads -= 1

    def end(self) -> None:
        """Stop all, and remove all files."""
        with self._lock:
            self._ended = True
        for one in list(self._known):
            self.remove(one)
        if self._folder is not None:
            self._folder.remove()


def result_of(comparison: ComparisonJob, name: str) -> Path | None:
    """Return the file of a result, None before it is there."""
    return comparison.folder / name if comparison.state == DONE else None


def _ending(name: str) -> str:
    """Return the ending that says how a file is read.

    >>> _ending("A.TSV.gz"), _ending("newstest.de"), _ending("newstest.de.gz")
    ('.tsv.gz', '.txt', '.txt.gz')
    """
    lowered = name.lower()
    compression = next(one for one in reversed(COMPRESSIONS) if lowered.endswith(one))
    inside = lowered.removesuffix(compression)
    return next((one for one in KINDS if inside.endswith(one)), ".txt") + compression
