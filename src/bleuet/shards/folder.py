"""The folder of results: a file for each shard, so that a run which was stopped goes on."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING

from bleuet.errors import InputError, OptionError
from bleuet.output.destination import Destination, check_local
from bleuet.shards.task import Outcome, Sum

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import IO, Any, Self

    from bleuet.shards.task import Job

# Goes up when the form of the files changes.
FORMAT = 1
RUN, LOCK, ENDING = "run.json", "lock", ".json"
# What the description calls the files: for each shard its name, and each file with size and time.
FILES = "files"
_SHOWN = 200


class ResultsFolder:
    """A folder with the results of shards, which one run at a time uses.

    Args:
        path: the folder, which is made if it is not there.
        job: what is computed.
        described: what decides the results, by its name in messages; a folder with other results
            is not used.

    Raises:
        OptionError: the folder has other results, or files that are none.
        InputError: another run uses it, or it cannot be written, since it is an address, for
            example.
    """

    def __init__(self, path: str, job: Job, described: Mapping[str, Any]) -> None:
        self._path = path
        self._job = job
        self._described = {"format": FORMAT, **described}
        self._lock: IO[str] | None = None
        # Whether no run has used it before.
        self.is_new = False

    def __enter__(self) -> Self:
        check_local(self._path)
        try:
            os.makedirs(self._path, exist_ok=True)
            # It stays open, and the system frees it however the process ends.
            self._lock = open(self._file(LOCK), "a", encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"the folder {self._path} cannot be used ({error.strerror}): name another one"
            ) from None
        if not _locked(self._lock):
            self._lock.close()
            raise InputError(
                f"another run uses the folder {self._path}: wait for its end, or name another"
            )
        try:
            self._begin()
        except BaseException:
            self._lock.close()
            raise
        return self

    def __exit__(self, *problem: object) -> None:
        if self._lock is not None:
            self._lock.close()

    def _begin(self) -> None:
        """Compare the folder with what is computed, or write that into a new one."""
        run = self._file(RUN)
        if os.path.exists(run):
            try:
                with open(run, encoding="utf-8") as file:
                    known = json.load(file)
            except ValueError:
                raise OptionError(
                    f"{run} cannot be read: remove the folder {self._path}, or name another one"
                ) from None
            self._check(known)
            return
        others = [name for name in os.listdir(self._path) if name != LOCK and name[0] != "."]
        if others:
            raise OptionError(
                f"the folder {self._path} has files that are no results of shards, such as "
                f"{others[0]}: name a new folder"
            )
        self.is_new = True
        self._write()

    def _check(self, known: Mapping[str, Any]) -> None:
        wanted = json.loads(json.dumps(self._described))
        for name, value in wanted.items():
            before = known.get(name)
            if before == value or (name == FILES and self._may_be_read(before, value)):
                continue
            raise OptionError(
                f"the folder {self._path} has results of a run with other {name}: "
                f"{_difference(before, value)}; remove the folder, or name another one"
            )
        if wanted != known:
            self._write()

    def _may_be_read(self, before: Any, now: list[Any]) -> bool:
        """Return whether files differ only where a shard has no result, since it was wrong."""
        return (
            # What a metric learns comes from all files.
            not any(metric.learns for metric in self._job.metrics.values())
            and isinstance(before, list)
            and len(before) == len(now)
            and all(
                one == other or (one[0] == other[0] and not self.has(number))
                for number, (one, other) in enumerate(zip(before, now, strict=True))
            )
        )

    def _write(self) -> None:
        with Destination(self._file(RUN)) as out:
            json.dump(self._described, out, indent=1)

    def _file(self, name: str) -> str:
        return os.path.join(self._path, name)

    def _result(self, number: int) -> str:
        return self._file(f"{number:06d}{ENDING}")

    def save(self, outcome: Outcome) -> None:
        """Write the result of a shard; it is there whole or not at all.

        Raises:
            InputError: it cannot be written.
        """
        content = json.dumps(
            {
                "segments": outcome.segments,
                "checks": outcome.checks,
                "warnings": outcome.warnings,
                "test_set": outcome.test_set,
                "groups": {
                    group: [[one.to_dict() for one in own] for own in systems]
                    for group, systems in outcome.sums.items()
                },
            }
        )
        with Destination(self._result(outcome.number)) as out:
            out.write(f"{_digest(content)}\n{content}\n")

    def _content(self, number: int) -> str | None:
        """Return what the file of a shard holds; None if there is none, or if it is not whole."""
        try:
            with open(self._result(number), encoding="utf-8") as file:
                digest, _, content = file.read().removesuffix("\n").partition("\n")
        except (OSError, ValueError):
            return None
        return content if digest == _digest(content) else None

    def has(self, number: int) -> bool:
        """Return whether the result of a shard is there and whole."""
        return self._content(number) is not None

    def read(self, number: int) -> Outcome | None:
        """Return the result of a shard; None if there is none, or if it is not whole."""
        content = self._content(number)
        if content is None:
            return None
        found = json.loads(content)
        metrics = list(self._job.metrics.values())
        sums = {
            group: [
                [
                    Sum.from_dict(one, metric, self._job.draws)
                    for one, metric in zip(own, metrics, strict=True)
                ]
                for own in systems
            ]
            for group, systems in found["groups"].items()
        }
        told = tuple(found["warnings"])
        return Outcome(
            number,
            found["segments"],
            sums,
            checks=found["checks"],
            warnings=told,
            test_set=found.get("test_set", ""),
        )

    def results(self, shards: int) -> Iterator[Outcome]:
        """Yield the results of all shards, in their order."""
        for number in range(shards):
            found = self.read(number)
            if found is None:
                raise InputError(
                    f"the result {self._result(number)} was removed or changed while the run went "
                    "on: run again"
                )
            yield found


def _digest(content: str) -> str:
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _difference(known: Any, wanted: Any) -> str:
    """Return where two values differ first, in a few words.

    >>> _difference(["a", "b"], ["a", "c"])
    'b, but now c'
    """
    if isinstance(known, list) and isinstance(wanted, list):
        if len(known) != len(wanted):
            return f"{len(known)} of them, but now {len(wanted)}"
        known, wanted = next(
            (one, other) for one, other in zip(known, wanted, strict=True) if one != other
        )
    texts = [
        ", ".join(map(str, one)) if isinstance(one, list) else str(one) for one in (known, wanted)
    ]
    return f"{texts[0][:_SHOWN]}, but now {texts[1][:_SHOWN]}"


def _locked(file: IO[str]) -> bool:
    """Lock a file for this process; return whether no other one has."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
