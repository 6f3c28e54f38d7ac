"""The library that draws charts in a browser, put together from what vl-convert contains.

That takes a second and 100 MB of memory, so that another process does it, and the result is kept in
the user's cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from tempfile import TemporaryFile, mkstemp

from bleuet.extras import optional
from bleuet.text.user_folders import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    import vl_convert
else:
    vl_convert = optional("vl_convert")

# The name by which the scripts of the page call the library.
LIBRARY = "globalThis.bleuetEmbed = vegaEmbed;"
# A signal ends this program when the one that started it has ended, whose end of the pipe is closed
# then. No thread could see that, since the library holds the lock of Python.
BUNDLE = """
import select, sys
try:
    import fcntl, os
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, os.O_ASYNC)
    if select.select([0], [], [], 0)[0]:
        sys.exit(1)
except (ImportError, AttributeError, OSError):
    pass
import vl_convert
sys.stdout.reconfigure(encoding="utf-8", newline="")
sys.stdout.write(vl_convert.javascript_bundle(sys.argv[1]))
"""
# Nobody but the owner may write the file.
WRITABLE_BY_OTHERS = 0o022


@lru_cache(maxsize=1)
def charts_library() -> str:
    """Return the library that draws charts, with a scope of its own."""
    made = _kept()
    if made is None:
        made = _bundled()
        _keep(made)
    return f"(() => {{\n{made}\n}})();"


def begin_bundle() -> None:
    """Start to put the library together, unless it is kept, beside what the caller does."""
    if _kept() is None:
        _bundling()


def _bundled() -> str:
    bundling, out = _bundling()
    with out:
        if bundling is None or bundling.wait():
            # Inside a program that is not Python itself, there is no such process.
            made: str = vl_convert.javascript_bundle(LIBRARY)
            return made
        out.seek(0)
        return out.read().decode()


@lru_cache(maxsize=1)
def _bundling() -> tuple[subprocess.Popen[bytes] | None, IO[bytes]]:
    """Start the process that puts the library together, and return it with the file it writes.

    In a process of its own, since the 100 MB of memory that it takes are not released. It writes
    a file, since it would wait for the reader of a pipe.
    """
    out = TemporaryFile()  # noqa: SIM115
    command = [sys.executable, "-P", "-c", BUNDLE, LIBRARY]
    try:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL
        ), out
    except (OSError, TypeError):
        return None, out


# --- The cache ------------------------------------------------------------------------------------


def _place() -> str | None:
    """Return the file that keeps the library, None if its version is unknown."""
    try:
        made_by = version("vl-convert-python")
    except PackageNotFoundError:
        return None
    return os.path.join(cache_folder(), f"charts-{made_by}.js")


@lru_cache(maxsize=1)
def _kept() -> str | None:
    """Return the library that an earlier run has kept, None if it has not, or if it is not whole.

    What another user could have written is not read, since every page runs it.
    """
    place = _place()
    if place is None:
        return None
    try:
        with open(place, "rb") as file:
            status = os.fstat(file.fileno())
            own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
            if not own or status.st_mode & WRITABLE_BY_OTHERS:
                return None
            first, _, content = file.read().partition(b"\n")
    except OSError:
        return None
    return content.decode() if first.decode("ascii", "replace") == _head(content) else None


def _keep(made: str) -> None:
    """Keep the library for later runs, where the cache can be written."""
    place, content = _place(), made.encode()
    if place is None:
        return
    folder = os.path.dirname(place)
    with suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        # A `Destination` would give the file the rights of other files, which may be too many.
        descriptor, temporary = mkstemp(dir=folder)
        try:
            with open(descriptor, "wb") as file:
                file.write(_head(content).encode() + b"\n" + content)
            os.replace(temporary, place)
        except BaseException:
            os.unlink(temporary)
            raise


def _head(content: bytes) -> str:
    """Return the first line of the file, which shows whether the rest is whole."""
    return f"// {sha256(content + LIBRARY.encode()).hexdigest()}"
