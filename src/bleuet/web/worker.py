"""A process that answers requests, one after the other, so that the server can end it at any time.

`python -m bleuet.web.worker` reads requests from standard input and writes their answers to
standard output. A request is a line of JSON (`name`, `settings`, and the `size` of the body) and
its body; an answer is a line of JSON (`status`, `size`, and whether it is the `last`) and its
content. The process ends when its input does, which is when the server has ended in any way.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, TypeAlias

    Request: TypeAlias = tuple[dict[str, Any], bytes]

# A process that once took so much memory ends after its answer, since it seldom gives it back.
MAX_MEMORY_BYTES = 512 << 20


def end_with_server(requests: IO[bytes], read: SimpleQueue[Request] | None = None) -> None:
    """Read requests until the server ends, and then end this process at once.

    Args:
        requests: what the server writes.
        read: where requests go.
    """
    while line := requests.readline():
        header = json.loads(line)
        body = requests.read(header["size"])
        if read is not None and len(body) == header["size"]:
            read.put((header, body))
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        # With the processes that it started, such as the one that draws charts.
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def watch_server() -> None:
    """End this process when the server has ended, whatever it does then."""
    Thread(target=end_with_server, args=(sys.stdin.buffer,), daemon=True).start()


def work() -> None:
    """Answer requests until the server ends."""
    # What a library prints must not be read as an answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    read: SimpleQueue[Request] = SimpleQueue()
    Thread(target=end_with_server, args=(sys.stdin.buffer, read), daemon=True).start()
    from bleuet.web.answering import answer

    last = False
    while not last:
        header, body = read.get()
        status, content = answer(header["name"], body, header["settings"])
        del body
        last = _used_bytes() > MAX_MEMORY_BYTES
        said = {"status": status, "size": len(content), "last": last}
        answers.write(json.dumps(said).encode() + b"\n" + content)
        answers.flush()


def _used_bytes() -> int:
    """Return the most memory that this process has used, 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used << 10


if __name__ == "__main__":
    work()
