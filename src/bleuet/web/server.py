"""The server: one process on one address, which ends with Ctrl-C or SIGTERM."""

from __future__ import annotations

import secrets
import signal
import socket
from contextlib import nullcontext
from ipaddress import ip_address
from pathlib import Path

from bleuet.extras import optional
from bleuet.web.comparisons import REFERENCES, SYSTEMS, Comparisons

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Self

    from bleuet.text.source import Source
    from bleuet.web.comparisons import Comparison

SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
NAMES_OF_THIS_COMPUTER = ("127.0.0.1", "localhost", "[::1]")


class Server:
    """A server that has its address.

    Args:
        host: the address, such as "127.0.0.1".
        port: the port, 0 for a free one.
        tools: whether assistants find the operations as tools.

    Raises:
        MissingExtraError: FastAPI or uvicorn is not installed.
        OSError: the address is taken, or not one of this computer.
    """

    def __init__(self, host: str, port: int, *, tools: bool = False) -> None:
        uvicorn: Any = optional("uvicorn")
        optional("fastapi")
        from bleuet.web.application import make_application

        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.create_server((host, port), family=family)
        self.port: int = self._socket.getsockname()[1]
        self.token = "" if _is_loopback(host) else secrets.token_urlsafe(24)
        self.host = host
        self.comparisons = Comparisons()
        self._compared: Comparison | None = None
        app = make_application(self._hosts(), self.comparisons, self.token, tools=tools)
        config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="on")
        self._server: Any = uvicorn.Server(config)

    def _hosts(self) -> frozenset[str]:
        names = {*NAMES_OF_THIS_COMPUTER, _in_address(self.host)}
        if self.token:
            names |= {socket.gethostname().lower(), socket.getfqdn().lower(), *_addresses()}
        return frozenset(
            {f"{name}:{self.port}" for name in names} | (names if self.port == 80 else set())
        )

    @property
    def address(self) -> str:
        """The address to open, with the token where one is needed."""
        token = f"?token={self.token}" if self.token else ""
        page = f"systems{token}#{self._compared.id}" if self._compared else token
        return f"http://{_in_address(self.host)}:{self.port}/{page}"

    @property
    def invitation(self) -> str:
        """The line that is printed at the start."""
        return f"bleuet serves at {self.address} (Ctrl-C ends it)"

    def compare(
        self,
        references: Sequence[Source],
        systems: Mapping[str, Source],
        metrics: Sequence[str],
    ) -> None:
        """Begin a comparison of files of this computer, which the page shows first.

        Args:
            references: the files of references.
            systems: the file of each system by its name.
            metrics: the metrics, as after `-m`.
        """
        made = self.comparisons.begin()
        files = [(REFERENCES, source.name, source) for source in references]
        files += [(SYSTEMS, name, source) for name, source in systems.items()]
        for role, name, source in files:
            reading = {"max_segment_bytes": source.max_segment_bytes, "bom": source.bom}
            made.add(role, Path(source.path).resolve(), name, source.column, **reading)
        made.start(list(metrics))
        self._compared = made

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.comparisons.end()
        self._socket.close()

    def run(self) -> None:
        """Serve until a signal ends the process; requests that are at work are answered."""
        # The library would raise the signal again, and what comes after would not be done.
        self._server.capture_signals = nullcontext
        before = {number: signal.signal(number, self._stop) for number in SIGNALS}
        try:
            self._server.run(sockets=[self._socket])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, *_: object) -> None:
        # A second signal does not wait for requests.
        self._server.force_exit = self._server.should_exit
        self._server.should_exit = True


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _addresses() -> set[str]:
    """Return the addresses of this computer, as requests name them."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None)
    except OSError:
        return set()
    return {_in_address(str(one[4][0])) for one in found}
