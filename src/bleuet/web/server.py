"""The server: one process on one address, which ends with Ctrl-C or SIGTERM."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
from contextlib import nullcontext
from ipaddress import ip_address
from pathlib import Path
from threading import Timer

from bleuet.extras import optional
from bleuet.web.comparisons import REFERENCES, SOURCES, SYSTEMS, Comparisons
from bleuet.web.temporary_folder import remove_abandoned
from bleuet.web.workers import Workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Self

    from bleuet.text.source import Source
    from bleuet.web.comparisons import ComparisonJob

SIGHUP = getattr(signal, "SIGHUP", None)
SIGNALS = [signal.SIGINT, signal.SIGTERM, *([] if SIGHUP is None else [SIGHUP])]
# Seconds after a signal, until answers that are not done are cancelled, and until the process
# ends in any case.
ANSWER_SECONDS = 1
END_SECONDS = 1.4
NAMES_OF_THIS_COMPUTER = ("127.0.0.1", "localhost", "[::1]")


class Server:
    """A server that has its address.

    Args:
        host: the address, such as "127.0.0.1".
        port: the port, 0 for a free one.
        origins: the sites whose pages may use the server.
        tools: whether assistants find the operations as tools.
        max_request_bytes: the most bytes of a request with texts; default as `make_application`.

    Raises:
        MissingExtraError: FastAPI or uvicorn is not installed.
        OSError: the address is taken, or not one of this computer.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        origins: Iterable[str] = (),
        tools: bool = False,
        max_request_bytes: int | None = None,
    ) -> None:
        optional("uvicorn")
        optional("fastapi")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.create_server((host, port), family=family)
        self.port: int = self._socket.getsockname()[1]
        self.token = "" if _is_loopback(host) else secrets.token_urlsafe(24)
        self.host = host
        self.comparisons = Comparisons()
        self.workers = Workers()
        self._limits: dict[str, Any] = {
            "origins": frozenset(origins),
            "tools": tools,
            "max_request_bytes": max_request_bytes,
        }
        self._compared: ComparisonJob | None = None
        self._handlers: dict[int, Any] = {}
        self._server: Any = None
        self._signals = 0
        self._log: logging.Handler | None = None

    def _hosts(self) -> frozenset[str]:
        names = {*NAMES_OF_THIS_COMPUTER, _in_address(self.host)}
        if self.token:
            names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
        return frozenset(
            {f"{name}:{self.port}" for name in names} | (names if self.port == 80 else set())
        )

    @property
    def address(self) -> str:
        """The address to open, with the token if one is needed."""
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
        source: Source | None = None,
    ) -> None:
        """Begin a comparison of files of this computer, which the page shows first.

        Args:
            references: the files of references.
            systems: the file of each system by its name.
            metrics: the metrics, as after `-m`.
            source: the file of source texts.
        """
        made = self.comparisons.begin()
        files = [(REFERENCES, file.name, file) for file in references]
        files += [(SYSTEMS, name, system) for name, system in systems.items()]
        files += [] if source is None else [(SOURCES, source.name, source)]
        for role, name, file in files:
            reading = {
                "max_segment_bytes": file.max_segment_bytes,
                "bom": file.bom,
                "as_lines": file.as_lines,
            }
            made.add(role, Path(file.path).resolve(), name, file.column, **reading)
        made.start(list(metrics))
        self._compared = made

    def __enter__(self) -> Self:
        # From here on there are folders and processes, which a signal must not leave.
        for number in SIGNALS:
            if number != SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # as after `nohup`
                self._handlers[number] = signal.signal(number, self._stop)
        try:
            # The first process starts while this one loads what it needs.
            self.workers.warm()
            remove_abandoned()
            self._server = self._made()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._clean_up()
        if self._log is not None:
            logging.getLogger().removeHandler(self._log)
        self._socket.close()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _made(self) -> Any:
        """Return the library's server of the application."""
        uvicorn: Any = optional("uvicorn")
        from bleuet.web.application import make_application
        from bleuet.web.connections import (
            Connection,
            close_late,
            log_to_stderr,
            most_connections,
        )

        app = make_application(
            self._hosts(), self.comparisons, self.workers, self.token, **self._limits
        )
        Connection.most = most_connections()
        self._log = log_to_stderr()

        async def every_second() -> None:
            close_late(made.server_state.connections)

        config = uvicorn.Config(
            app,
            http=Connection,
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            backlog=64,
            callback_notify=every_second,
            timeout_notify=1,
            timeout_graceful_shutdown=ANSWER_SECONDS,
        )
        made = uvicorn.Server(config)
        # The library would raise the signal again, and what comes after would not be done.
        made.capture_signals = nullcontext
        return made

    def run(self) -> None:
        """Serve until a signal ends the process; answers have a second to be finished."""
        if not self._signals:
            self._server.run(sockets=[self._socket])

    def _stop(self, *_: object) -> None:
        self._signals += 1
        if self._server is not None:
            self._server.should_exit = True
            # A second signal does not wait for requests.
            self._server.force_exit = self._signals > 1
        end = Timer(END_SECONDS, self._end)
        end.daemon = True
        end.start()

    def _end(self) -> None:
        """End the process, whatever it waits for."""
        self._clean_up()
        os._exit(0)

    def _clean_up(self) -> None:
        self.workers.end()
        self.comparisons.end()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
