"""The page served by `bleuet serve`, and by a static folder in which the browser computes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from bleuet.web.site import build_site
from tests.evaluation_data import REPOSITORY
from tests.patience import PATIENCE
from tests.report.charts_library import stand_in_for_vl_convert

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

stand_in_for_vl_convert()
(VERSION,) = re.findall(r"(?m)^PYODIDE := (.*)$", (REPOSITORY / "Makefile").read_text())
PYODIDE = f"pyodide@{VERSION}"

MAIN = "import sys; from bleuet.cli.main import main; sys.exit(main())"


def start(
    *options: str, folder: Path | None = None, files: int | None = None, first: str = ""
) -> tuple[subprocess.Popen[str], str]:
    """Start a server on a free port, and return it with its address.

    Args:
        *options: options of `bleuet serve`.
        folder: where it makes its temporary folder.
        files: how many files it may open.
        first: statements of Python that its process runs before.
    """
    program = ["-c", f"{first}\n{MAIN}"] if first else ["-m", "bleuet"]
    command = [sys.executable, *program, "serve", "--port", "0", *options]
    if files is not None:
        command = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", *command]
    environment = {**os.environ, "TMPDIR": str(folder)} if folder is not None else None
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    assert server.stderr is not None
    line = server.stderr.readline()
    assert line.startswith("bleuet serves at http"), line
    return server, line.split()[3]


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a running server."""
    server, found = start()
    yield found
    server.terminate()
    assert server.wait(PATIENCE) in (0, -15)


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static folder."""
    folder = tmp_path_factory.mktemp("site")
    build_site(folder, pyodide(tmp_path_factory.mktemp("pyodide")))
    return folder


@pytest.fixture(scope="session")
def site(site_folder: Path) -> Iterator[str]:
    """The address of the static folder."""
    handler = partial(Quiet, directory=str(site_folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word on stderr."""

    def log_message(self, *args: object) -> None:
        """Say nothing."""


def pyodide(folder: Path) -> Path:
    """Return the folder of the npm package, which `make calculator` has or npm gets now."""
    known = REPOSITORY / "build" / f"pyodide-{VERSION}" / "package"
    if known.is_dir():
        return known
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm to get Pyodide with")
    packed = subprocess.run(
        [npm, "pack", "--silent", PYODIDE], cwd=folder, capture_output=True, text=True, check=False
    )
    if packed.returncode:
        pytest.skip(f"npm cannot get {PYODIDE}: {packed.stderr.strip()[-200:]}")
    archive = packed.stdout.split()[-1]
    subprocess.run(["tar", "-xzf", archive], cwd=folder, check=True)
    return folder / "package"
