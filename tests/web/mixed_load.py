"""Clients of every kind at one server, for some seconds: `python -m tests.web.mixed_load 300`.

Some ask and check each answer, some leave before theirs comes, some send slowly or break off, and
some send what no server should be sent. It prints how often and how fast each was answered, and
ends with an error where an answer was wrong or lost, memory grew, or something was left behind.
"""

from __future__ import annotations

import http.client
import json
import random
import signal
import socket
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bleuet.web.operations import call
from bleuet.web.rewarding import get_reward
from tests.web.conftest import start

if TYPE_CHECKING:
    from collections.abc import Callable

API = "/api/v1"
WORDS = ["the", "cat", "sat", "on", "mat", "it", "rains", "today", "again", "down"]
LONG = ("a b " * 2000, "b a " * 2000)
# The part of a run in which the server's processes start and load what they need.
BEGINNING = 0.3
# Bytes by which the memory of the server may differ between the middle and the end of a run, beside
# that of its processes, which come and go.
MAX_GROWTH_BYTES = 15 << 20


class Load:
    """One run: its clients, and what they found.

    Args:
        address: the address of the server.
        seconds: how long it takes.
    """

    def __init__(self, address: str, seconds: float) -> None:
        parts = urlsplit(address)
        self.host, self.port = str(parts.hostname), parts.port or 80
        self.seconds = seconds
        self.times: defaultdict[str, list[float]] = defaultdict(list)
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.memory: list[tuple[float, int, int]] = []
        self._end = Event()

    def run(self, pid: int) -> None:
        """Let all clients work, and watch the memory of the server."""
        clients = [self.ask] * 4 + [self.leave] * 2
        clients += [self.send_slowly, self.break_upload, self.misbehave, self.compare]
        threads = [
            Thread(target=self._repeat, args=(client, random.Random(number)))
            for number, client in enumerate(clients)
        ]
        for thread in threads:
            thread.start()
        begin = time.monotonic()
        while time.monotonic() - begin < self.seconds:
            self.memory.append((time.monotonic() - begin, *memory_of(pid)))
            time.sleep(0.5)
        self._end.set()
        for thread in threads:
            thread.join()

    def _repeat(self, client: Callable[[random.Random], None], chance: random.Random) -> None:
        while not self._end.is_set():
            try:
                client(chance)
            except Exception as error:
                self.faults.append(f"{client.__name__}: {type(error).__name__}: {error}")
                time.sleep(0.1)

    # --- Clients ------------------------------------------------------------------------------

    def ask(self, chance: random.Random) -> None:
        """Send requests on one connection, and compare the answers with the library's."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        for _ in range(20):
            name, path, request, expected = wanted(chance)
            begin = time.monotonic()
            status, answer = self._answer(connection, path, request)
            self.times[name].append(time.monotonic() - begin)
            if status == 503:
                self.counts["normal requests that were told to wait"] += 1
                time.sleep(0.2)
            elif status != 200 or (expected is not None and json.loads(answer) != expected):
                self.faults.append(f"{name}: {status} {answer[:200]!r}")
            time.sleep(chance.uniform(0, 0.02))
        connection.close()

    def leave(self, chance: random.Random) -> None:
        """Ask for what takes ten seconds, and leave."""
        alone = {"hypothesis": LONG[0], "references": [LONG[1]], "metrics": ["ter"]}
        many = {"hypotheses": [LONG[0]] * 20, "references": [LONG[1]] * 20, "metrics": ["eed"]}
        path, request = chance.choice([("calculate", alone), ("score", many)])
        with self._connected() as raw:
            raw.sendall(self._head(f"{API}/{path}", json.dumps(request).encode()))
            time.sleep(chance.uniform(0, 0.6))
        self.counts["clients that left"] += 1
        self._end.wait(chance.uniform(0, 2))

    def send_slowly(self, chance: random.Random) -> None:
        """Send a part of the headers or of the body, bit by bit, and leave."""
        whole = self._head(f"{API}/score", b" " * 5000)
        part = whole[: chance.choice([30, len(whole) - 4000])]
        with self._connected() as raw:
            for first in range(0, len(part), 100):
                raw.sendall(part[first : first + 100])
                time.sleep(0.05)
        self.counts["slow clients that left"] += 1

    def break_upload(self, chance: random.Random) -> None:
        """Begin to upload a file, break off, and remove the comparison."""
        known = self._begun()
        path = f"{API}/comparisons/{known}/systems?name=a.txt"
        head = f"PUT {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Length: 9000000"
        with self._connected() as raw:
            raw.sendall(f"{head}\r\n\r\n".encode() + b"a" * chance.randrange(1, 500_000))
        self._expect("DELETE", f"{API}/comparisons/{known}")
        self.counts["broken uploads"] += 1
        self._end.wait(0.1)

    def misbehave(self, chance: random.Random) -> None:
        """Send what is no request, or a wrong one, which must be answered with a 4xx."""
        good = json.dumps(wanted(chance)[2]).encode()
        raw_requests = [
            chance.randbytes(200) + b"\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            self._head(f"{API}/score", good, "Origin: http://["),
            self._head(f"{API}/score", good, "Sec-Fetch-Site: cross-site"),
            self._head(f"{API}/calculate", b'{"hypothesis": "\\ud800", "references": ["a"]}'),
            self._head(f"{API}/score", b"{" * 60_000),
            self._head(f"{API}/score", chance.randbytes(1000)),
            self._head(f"{API}/score", b'{"hypotheses": [' + b"{}," * 50_000 + b"{}]}"),
            self._head(f"{API}/nothing", good),
        ]
        with self._connected() as raw:
            raw.sendall(chance.choice(raw_requests))
            answer = raw.recv(1000)
        if answer[:10] not in (b"HTTP/1.1 4", b"HTTP/1.1 5") or b" 500 " in answer[:15]:
            self.faults.append(f"misbehave: {answer[:100]!r}")
        self.counts["wrong requests"] += 1
        time.sleep(0.05)

    def compare(self, chance: random.Random) -> None:
        """Upload files, compare them, and check the scores."""
        references, hypotheses = texts(chance, 200), texts(chance, 200)
        known = self._begun()
        path = f"{API}/comparisons/{known}"
        for role, own in (("references", references), ("systems", hypotheses)):
            self._expect("PUT", f"{path}/{role}?name={role}.txt", "\n".join(own).encode())
        self._expect("POST", f"{path}/start", b'["bleu"]')
        while (state := json.loads(self._expect("GET", path)))["state"] == "running":
            if self._end.wait(0.1):
                return
        found = json.loads(self._expect("GET", f"{path}/json"))["scores"]["systems.txt"][0]
        expected = call("score", {"hypotheses": hypotheses, "references": references})[0]
        if state["state"] != "done" or found["score"] != expected["score"]:
            self.faults.append(f"compare: {state} {found}")
        self._expect("DELETE", path)
        self.counts["comparisons"] += 1

    # --- Requests -----------------------------------------------------------------------------

    def _connected(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=60)

    def _head(self, path: str, body: bytes, more: str = "X-More: no") -> bytes:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n{more}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    def _answer(
        self, connection: http.client.HTTPConnection, path: str, request: Any
    ) -> tuple[int, bytes]:
        body = None if request is None else json.dumps(request)
        headers = {"content-type": "application/json"}
        connection.request("GET" if body is None else "POST", path, body, headers)
        response = connection.getresponse()
        return response.status, response.read()

    def _expect(self, method: str, path: str, body: bytes | None = None) -> bytes:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        connection.request(method, path, body, {"content-type": "application/json"})
        response = connection.getresponse()
        content = response.read()
        connection.close()
        if response.status != 200:
            raise AssertionError(f"{method} {path}: {response.status} {content[:200]!r}")
        return content

    def _begun(self) -> str:
        known: str = json.loads(self._expect("POST", f"{API}/comparisons", b""))["id"]
        return known

    # --- Results ------------------------------------------------------------------------------

    def growth(self) -> int:
        """Return by how many bytes the median of the server's memory grew, after the beginning."""
        later = [used for at, used, _ in self.memory if at > self.seconds * BEGINNING]
        part = max(1, len(later) // 3)
        first, last = sorted(later[:part]), sorted(later[-part:])
        return last[len(last) // 2] - first[len(first) // 2]

    def report(self) -> str:
        """Return what happened, a line each."""
        lines = [
            f"{name:24} {len(own):7,} requests, median {1000 * middle(own, 0.5):7.1f} ms, "
            f"p99 {1000 * middle(own, 0.99):7.1f} ms"
            for name, own in sorted(self.times.items())
        ]
        lines += [f"{number:7,} {name}" for name, number in sorted(self.counts.items())]
        own, whole = (int(max(one[kind] for one in self.memory)) >> 20 for kind in (1, 2))
        lines.append(
            f"memory: at most {whole} MiB with all processes; the server's own at most {own} MiB, "
            f"growth {self.growth() / 2**20:.1f} MiB"
        )
        lines.append(f"faults: {len(self.faults)}")
        return "\n".join([*lines, *self.faults[:20]])


def middle(numbers: list[float], part: float) -> float:
    """Return a quantile."""
    return sorted(numbers)[int(part * (len(numbers) - 1))]


def texts(chance: random.Random, number: int) -> list[str]:
    """Return texts of a few words."""
    return [" ".join(chance.choices(WORDS, k=chance.randint(4, 12))) for _ in range(number)]


def wanted(chance: random.Random) -> tuple[str, str, Any, Any]:
    """Return a request: what it is, its path, its body, and its answer, None for a page."""
    name = chance.choice(["page", "calculate", "score", "sentences", "explain", "reward"])
    if name == "page":
        return name, chance.choice(["/", "/page.css", f"{API}/metrics"]), None, None
    hypotheses, references = texts(chance, 20), texts(chance, 20)
    if name == "reward":
        request = {"query": hypotheses, "prompts": [""] * 20, "labels": references}
        return name, "/get_reward?metric=chrf", request, get_reward("chrf", request)
    whole = {"hypotheses": hypotheses, "references": references}
    requests: dict[str, Any] = {
        "calculate": {"hypothesis": hypotheses[0], "references": references[:2]},
        "score": {**whole, "metrics": ["bleu", "chrf", "ter"]},
        "sentences": {**whole, "metrics": ["chrf"]},
        "explain": {**whole, "a": "bleu", "b": "bleu:lowercase"},
    }
    expected = json.loads(json.dumps(call(name, requests[name])))
    return name, f"{API}/{name}", requests[name], expected


def memory_of(pid: int) -> tuple[int, int]:
    """Return the bytes of memory of a process, without and with those it started (Linux)."""
    parents = {}
    used = {}
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            try:
                fields = (path / "stat").read_text().rpartition(")")[2].split()
                pages = int((path / "statm").read_text().split()[1])
            except (OSError, IndexError):
                continue
            parents[int(path.name)], used[int(path.name)] = int(fields[1]), pages * 4096
    family = {pid}
    while more := {one for one, parent in parents.items() if parent in family} - family:
        family |= more
    return used.get(pid, 0), sum(used.get(one, 0) for one in family)


def run(seconds: float) -> list[str]:
    """Run the load, print its report, and return all faults."""
    with tempfile.TemporaryDirectory() as folder:
        server, address = start(folder=Path(folder))
        load = Load(address, seconds)
        try:
            load.run(server.pid)
        finally:
            begin = time.monotonic()
            server.send_signal(signal.SIGTERM)
            said = server.communicate(timeout=30)[1]
            ended = time.monotonic() - begin
        print(load.report())
        print(f"the server ended in {ended:.2f} s; its log has {len(said.splitlines())} lines")
        faults = load.faults
        if load.growth() > MAX_GROWTH_BYTES:
            faults.append(f"memory grew by {load.growth():,} bytes")
        if ended > 3 or server.returncode != 0:
            faults.append(f"it ended after {ended:.1f} s with {server.returncode}")
        faults += [f"left behind: {path}" for path in Path(folder).iterdir()]
        if len(said.splitlines()) > 10 + seconds:
            faults.append(f"its log has {len(said.splitlines())} lines")
        return faults


if __name__ == "__main__":
    found = run(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
    print("\n".join(found) or "nothing was lost")
    sys.exit(bool(found))
