"""What limits each connection: how long it may wait, how many there are, and what is logged."""

from __future__ import annotations

import logging
import socket
from time import monotonic
from typing import Any

from bleuet.extras import optional
from bleuet.output.escaping import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import BaseTransport
    from collections.abc import Iterable

    import uvicorn.protocols.http.h11_impl as http
else:
    http = optional("uvicorn.protocols.http.h11_impl")

# Connections at once, and the files that are left for everything else.
MAX_CONNECTIONS = 512
# Seconds that a connection may take for the headers of a request, or be idle.
HEADER_SECONDS = 10
# Seconds after which a connection is closed whose client reads nothing of its answer.
READ_SECONDS = 60
# What a client may send while its request is at work.
MAX_AHEAD_BYTES = 64 << 10
# Seconds between two lines of the log of one kind, and the most lines in this time.
LOG_SECONDS = 10
MAX_LINES = 10


def most_connections() -> int:
    """Return how many connections there can be: half of the files that this process may open."""
    try:
        import resource
    except ImportError:
        return MAX_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(1, min(MAX_CONNECTIONS, files // 2))


class Connection(http.H11Protocol):
    """A connection that answers without delay, and gives way to others if it only waits.

    Where there are too many, the one that has waited longest for a request is closed.
    """

    most = MAX_CONNECTIONS

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin; the end of an answer must not wait until the client has confirmed its begin."""
        made: Any = transport
        made.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.waits_since = monotonic()
        self._waits_for: tuple[object, int] = (None, 0)
        super().connection_made(made)
        every: set[Any] = self.connections
        if len(every) > self.most:
            waiting = [one for one in every if not one.is_at_work]
            oldest = min(waiting, key=lambda one: one.waits_since, default=self)
            oldest.transport.abort()
            every.discard(oldest)

    def data_received(self, data: bytes) -> None:
        """Take what the client sends; a closed connection is noticed while a request is at work."""
        super().data_received(data)
        if not self.is_at_work or str(self.conn.their_state) != "DONE":
            return
        # The next request is here before the answer, and nothing more would be read.
        ahead, _ = self.conn.trailing_data
        if len(ahead) > MAX_AHEAD_BYTES:
            self.transport.abort()
        elif not self.transport.is_closing():
            self.flow.resume_reading()

    @property
    def is_at_work(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def close_if_late(self) -> None:
        """Close where the client has neither sent a request nor read any answer for too long."""
        unread = self.transport.get_write_buffer_size()
        waits_for, now = (self.cycle if not self.is_at_work else None, unread), monotonic()
        if waits_for != self._waits_for:
            self._waits_for, self.waits_since = waits_for, now
        if self.is_at_work and not unread:
            return
        if now - self.waits_since > (READ_SECONDS if unread else HEADER_SECONDS):
            self.transport.abort()


def close_late(connections: Iterable[Connection]) -> None:
    """Close the connections whose clients are late; to be called every second."""
    for one in list(connections):
        one.close_if_late()


class Seldom(logging.Filter):
    """Lets pass one line of a kind in some seconds, without a traceback, so that no log grows."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        kind, now = (record.name, str(record.msg).partition("\n")[0]), monotonic()
        self._last = {known: at for known, at in self._last.items() if now - at < LOG_SECONDS}
        if kind in self._last or len(self._last) >= MAX_LINES:
            return False
        self._last[kind] = now
        said = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            said = f"{said} ({type(record.exc_info[1]).__name__}: {record.exc_info[1]})"
        record.msg, record.args = printable(" ".join(said.split())), None
        record.exc_info = record.exc_text = record.stack_info = None
        return True


def log_to_stderr() -> logging.Handler:
    """Write warnings and errors of the server to standard error; return what does, to remove it.

    The library's own way, a dictionary, would close the handlers of all others in this process.
    """
    handler = logging.StreamHandler()
    handler.addFilter(Seldom())
    handler.setFormatter(logging.Formatter("bleuet serve: %(message)s"))
    logging.getLogger().addHandler(handler)
    return handler
