"""The comparisons that the server makes of uploaded files; all of them end with the server."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock, Thread

from bleuet.errors import InputError, OptionError
from bleuet.output.escaping import printable
from bleuet.web.comparison_files import JOB
from bleuet.web.requested_metrics import as_word, requested_metrics
from bleuet.web.sentence_rows import SentenceRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Uploaded files of all comparisons together, and comparisons that are kept.
MAX_UPLOADED_BYTES = 4 << 30
MAX_COMPARISONS = 8
MAX_FILES = 64
KINDS = (".txt", ".tsv", ".csv", ".jsonl", ".ndjson", ".parquet")
COMPRESSIONS = ("", ".gz", ".zst", ".bz2", ".xz")
REFERENCES, SYSTEMS = "references", "systems"
OPEN, RUNNING, DONE, FAILED = "open", "running", "done", "failed"


class Comparison:
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
        self.files: dict[str, list[dict[str, Any]]] = {REFERENCES: [], SYSTEMS: []}
        self._process: subprocess.Popen[str] | None = None

    def add(self, role: str, path: Path, name: str, column: str | None, **reading: Any) -> None:
        """Add a file.

        Args:
            role: `REFERENCES` or `SYSTEMS`.
            path: where it is.
            name: what users call it.
            column: the column of a table.
            **reading: how it is read, as `Source` takes it.

        Raises:
            OptionError: two systems have one name, or the comparison has begun.
        """
        if self.state != OPEN:
            raise OptionError("the comparison has begun: begin a new one for other files")
        shown = printable(name) or f"{role} {len(self.files[role]) + 1}"
        if role == SYSTEMS and any(one["name"] == shown for one in self.files[role]):
            raise OptionError(f"two systems are called {shown}: rename one of the files")
        self.files[role].append(
            {"name": shown, "path": str(path), "column": column, "reading": reading}
        )

    def start(self, metrics: list[Any]) -> None:
        """Start the process.

        Raises:
            OptionError: files are missing, or it has begun.
        """
        if self.state != OPEN:
            raise OptionError("the comparison has begun already")
        if not self.files[REFERENCES] or not self.files[SYSTEMS]:
            raise OptionError("a comparison needs a file of references and a file of a system")
        words = [as_word(metric) for metric in requested_metrics(metrics)]
        job = {**self.files, "metrics": words}
        (self.folder / JOB).write_text(json.dumps(job), encoding="utf-8")
        self.state = RUNNING
        command = [sys.executable, "-m", "bleuet.web.comparing", str(self.folder)]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        Thread(target=self._follow, args=(self._process,), daemon=True).start()

    def _follow(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
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
            REFERENCES: [one["name"] for one in self.files[REFERENCES]],
            SYSTEMS: [one["name"] for one in self.files[SYSTEMS]],
        }

    @cached_property
    def rows(self) -> SentenceRows:
        """The segments, once it is done."""
        return SentenceRows(self.folder)

    def end(self) -> None:
        """Stop the process, and remove all files."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Comparisons:
    """All comparisons of a server, in a private temporary folder."""

    def __init__(self) -> None:
        self._folder = Path(mkdtemp(prefix="bleuet-"))  # only this user can read it
        self._known: dict[str, Comparison] = {}
        self._lock = Lock()

    def begin(self) -> Comparison:
        """Return a new comparison; the oldest one goes where there are too many."""
        with self._lock:
            while len(self._known) >= MAX_COMPARISONS:
                self._known.pop(next(iter(self._known))).end()
            made = Comparison(Path(mkdtemp(dir=self._folder)))
            self._known[made.id] = made
            return made

    def find(self, known: str) -> Comparison | None:
        """Return a comparison by its id, None where there is none."""
        return self._known.get(known)

    def remove(self, known: str) -> None:
        """Stop a comparison, and remove its files."""
        with self._lock:
            found = self._known.pop(known, None)
        if found is not None:
            found.end()

    def room_for(self, comparison: Comparison, name: str) -> Path:
        """Return where a file of a name goes: a new file in the comparison's folder.

        Raises:
            InputError: files of this kind cannot be read, or there are too many.
        """
        ending = _ending(name)
        if sum(map(len, comparison.files.values())) >= MAX_FILES:
            raise InputError(f"a comparison has at most {MAX_FILES} files")
        return comparison.folder / f"{secrets.token_hex(8)}{ending}"

    @property
    def uploaded_bytes(self) -> int:
        """How many bytes all files have."""
        return sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file())

    def end(self) -> None:
        """Stop all, and remove all files."""
        for one in list(self._known):
            self.remove(one)
        shutil.rmtree(self._folder, ignore_errors=True)


def result_of(comparison: Comparison, name: str) -> Path | None:
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
