"""The processes that answer requests: how many there are, who waits for one, and how one ends."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from bleuet.errors import BleuetError
from bleuet.statistics.backend import usable_cores

if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import Any

logger = logging.getLogger(__name__)
# Requests up to this size do not wait for larger ones.
SMALL_BYTES = 64 << 10
# Requests that wait for a process, small and large ones each; for one more there is no room.
MAX_WAITING = 64
# Seconds for which an answer may still be computed after its client has left. Most take a few
# milliseconds, so that a process ends only for the others.
GRACE_SECONDS = 0.25
STOPPED = "the server ends"


class BusyError(BleuetError):
    """More requests wait than the server takes: the same request later can be answered."""


class Reply(NamedTuple):
    """An answer.

    Args:
        status: its HTTP status.
        content: JSON; for an error, the text that says how to fix the request.
    """

    status: HTTPStatus
    content: bytes


class Workers:
    """Processes that answer requests, each one at a time.

    They are started when they are needed, and end with `end`.

    Args:
        most: the most processes for small requests, and as many for large ones; default as many as
            there are cores, at least 2, and for small requests at least 4.
    """

    def __init__(self, most: int | None = None) -> None:
        self._small = _Lane(most or max(4, usable_cores()))
        self._large = _Lane(most or max(2, usable_cores()))
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._lock = Lock()
        self._ended = False

    async def answer(self, name: str, body: bytes = b"", **settings: str) -> Reply:
        """Return the answer to a request; who cancels this ends the work.

        Args:
            name: what to compute, as `bleuet.web.answering` names it.
            body: the request as JSON.
            **settings: what else it takes.

        Raises:
            BusyError: too many requests wait already.
        """
        job = _Job(name, body, settings)
        lane = self._small if len(body) <= SMALL_BYTES else self._large
        future = lane.submit(self._work, job)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            # Where it still waits, it is not begun.
            asyncio.get_running_loop().call_later(GRACE_SECONDS, self._stop, job)
            raise

    def warm(self) -> None:
        """Start the first process, so that the first request does not wait for it."""
        self._small.submit(lambda: self._put_back(self._take()))

    def counts(self) -> dict[str, int]:
        """Return how many requests are at work or wait, and how many processes there are."""
        return {
            "requests": self._small.held + self._large.held,
            "processes": len(self._all),
        }

    def end(self) -> None:
        """End all processes, whatever they do."""
        with self._lock:
            self._ended = True
            for process in self._all:
                process.kill()
        for lane in (self._small, self._large):
            lane.threads.shutdown(wait=False, cancel_futures=True)

    def _work(self, job: _Job) -> Reply | None:
        try:
            process = self._take()
        except OSError as error:
            return Reply(HTTPStatus.SERVICE_UNAVAILABLE, f"no process can start: {error}".encode())
        with self._lock:
            job.process = process
            stopped = job.stopped
        answer = process.ask(job) if not stopped else None
        with self._lock:
            job.process = None
            # Nobody waits for an answer that was stopped.
            answer = None if job.stopped else answer
        if answer is not None and answer.status == HTTPStatus.INTERNAL_SERVER_ERROR:
            logger.error("%s: %s", job.name, answer.content.decode())
        if process.lasts and not job.stopped:
            self._put_back(process)
        else:
            self._discard(process)
        return answer

    def _take(self) -> _Process:
        with self._lock:
            if self._ended:
                raise OSError(STOPPED)
            while self._idle:
                process = self._idle.pop()
                if process.is_alive():
                    return process
                self._all.discard(process)
            return self._started()

    def _started(self) -> _Process:
        process = _Process()
        self._all.add(process)
        return process

    def _put_back(self, process: _Process) -> None:
        with self._lock:
            self._idle.append(process)

    def _discard(self, process: _Process) -> None:
        process.kill()
        process.close()
        with self._lock:
            self._all.discard(process)
            if self._idle or self._ended:
                return
            # The next request shall not wait until another one has started.
            with suppress(OSError):
                self._idle.append(self._started())

    def _stop(self, job: _Job) -> None:
        """End the process of a job whose client has left, if it still works."""
        with self._lock:
            job.stopped = True
            if job.process is not None:
                job.process.kill()


class _Job:
    """A request, and the process that works on it."""

    def __init__(self, name: str, body: bytes, settings: dict[str, str]) -> None:
        self.name = name
        self.header = {"name": name, "settings": settings, "size": len(body)}
        self.body = body
        self.process: _Process | None = None
        self.stopped = False


class _Lane:
    """Requests that wait for each other: each has a thread that waits for its process."""

    def __init__(self, most: int) -> None:
        self.threads = ThreadPoolExecutor(most)
        self.held = 0
        self._room = most + MAX_WAITING
        self._lock = Lock()

    def submit(self, function: Any, *arguments: Any) -> Future[Any]:
        with self._lock:
            if self.held >= self._room:
                raise BusyError(
                    f"{self.held} requests are being answered already: try again in a moment"
                )
            try:
                future = self.threads.submit(function, *arguments)
            except RuntimeError:
                raise BusyError(STOPPED) from None
            self.held += 1
        future.add_done_callback(self._release)
        return future

    def _release(self, _: Future[Any]) -> None:
        with self._lock:
            self.held -= 1


class _Process:
    """One process, as `bleuet.web.worker` describes it."""

    def __init__(self) -> None:
        self._process = start_process("bleuet.web.worker")
        # Whether it answers more requests.
        self.lasts = True

    def ask(self, job: _Job) -> Reply:
        """Return its answer to a request, or an error if the process ends first."""
        try:
            return self._asked(job)
        except (OSError, EOFError, ValueError):
            self.lasts = False
        code = self._process.wait()
        return Reply(
            HTTPStatus.INTERNAL_SERVER_ERROR,
            f"the process that computed the answer ended (with {code}), perhaps because there was "
            "no more memory: send fewer segments at once".encode(),
        )

    def _asked(self, job: _Job) -> Reply:
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        requests.write(json.dumps(job.header).encode() + b"\n")
        requests.write(job.body)
        requests.flush()
        job.body = b""
        header = json.loads(answers.readline())
        content = answers.read(header["size"])
        if len(content) < header["size"]:
            raise EOFError
        self.lasts = not header["last"]
        return Reply(HTTPStatus(header["status"]), content)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        kill_process(self._process)

    def close(self) -> None:
        """Wait until it has ended."""
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with suppress(OSError):  # it has not read everything
                stream.close()


def start_process(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a process of this package, which ends when its standard input does.

    A signal from the terminal, such as Ctrl-C, reaches only the server, which then ends it.

    Args:
        module: what it runs.
        *arguments: its arguments.
    """
    return subprocess.Popen(
        # Without -P, a file of the current folder could stand for a module.
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def kill_process(process: subprocess.Popen[bytes]) -> None:
    """End a process that `start_process` started, and those that it started."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
