"""The calculator as a static folder: the page runs bleuet's Python in the browser (Pyodide)."""

from __future__ import annotations

import json
import shutil
import sys
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from bleuet.errors import InputError
from bleuet.web.page_files import CALCULATOR, CHART_FILE, IN_BROWSER, page_file
from bleuet.web.segment_chart import chart_module

PYODIDE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
# WebAssembly is compiled from files of this folder. Nothing else runs, and no other host is used.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)


def build_site(folder: Path, pyodide: Path) -> None:
    """Write the static folder.

    Args:
        folder: where it goes; what is there of the same names is replaced.
        pyodide: the folder of the npm package `pyodide`.

    Raises:
        InputError: a file of Pyodide is missing.
        MissingExtraError: the extra `report` is not installed.
    """
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    for name in PYODIDE:
        if not (pyodide / name).is_file():
            raise InputError(
                f"{pyodide} has no {name}: unpack the npm package pyodide there (npm pack pyodide)"
            )
        shutil.copyfile(pyodide / name, folder / "pyodide" / name)
    (folder / "package.zip").write_bytes(_package())
    (folder / CHART_FILE).write_text(chart_module(), encoding="utf-8")
    for name in (*CALCULATOR, *IN_BROWSER):
        (folder / name).write_text(_page_file(name), encoding="utf-8")
    _write_sizes(folder)


def _page_file(name: str) -> str:
    text = page_file(name)
    if name == "index.html":
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        text = text.replace('<html lang="en">', '<html lang="en" data-backend="browser">')
        return text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}')
    if name == "service-worker.js":
        names = (*CALCULATOR, *IN_BROWSER)
        contents = [_package(), *(page_file(one).encode() for one in names)]
        return text.replace("VERSION", sha256(b"".join(contents)).hexdigest()[:12])
    return text


def _package() -> bytes:
    """Return bleuet's Python files as an archive; the same files give the same bytes."""
    root = Path(str(files("bleuet")))
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*.py")):
            inside = ZipInfo(path.relative_to(root.parent).as_posix())
            archive.writestr(inside, path.read_bytes(), ZIP_DEFLATED)
    return packed.getvalue()


def _write_sizes(folder: Path) -> None:
    """Write how large each file is, for the progress that the page shows."""
    sizes = {
        path.relative_to(folder).as_posix(): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    (folder / "sizes.json").write_text(json.dumps(sizes), encoding="utf-8")


if __name__ == "__main__":
    build_site(Path(sys.argv[1]), Path(sys.argv[2]))
