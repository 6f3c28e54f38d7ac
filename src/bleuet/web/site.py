"""The calculator as a static folder: the page runs bleuet's Python in the browser (Pyodide)."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from bleuet.errors import InputError
from bleuet.web.page_files import CALCULATOR, CHART_FILE, IN_BROWSER, page_file
from bleuet.web.segment_chart import chart_module

# Of Pyodide: what is copied, and what is packed under another name.
SCRIPTS = ("pyodide.mjs", "pyodide.asm.mjs", "python_stdlib.zip")
LOCK, WASM = "pyodide-lock.json", "pyodide.asm.wasm"
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
        InputError: a file of Pyodide is missing, or Node.js, or Python does not start there.
        MissingExtraError: the extra `report` is not installed.
    """
    for name in (*SCRIPTS, LOCK, WASM):
        if not (pyodide / name).is_file():
            raise InputError(
                f"{pyodide} has no {name}: unpack the npm package pyodide there (npm pack pyodide)"
            )
    chart = chart_module()
    runtime = folder / "pyodide"
    runtime.mkdir(parents=True, exist_ok=True)
    for name in SCRIPTS:
        shutil.copyfile(pyodide / name, runtime / name)
    # The packages that it lists are not used.
    lock = json.loads((pyodide / LOCK).read_bytes())
    (runtime / LOCK).write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")
    (runtime / "python.wasm").write_bytes(_packed((pyodide / WASM).read_bytes()))
    (runtime / "modules.zip").write_bytes(_package())
    _start_python(pyodide, folder)
    (folder / CHART_FILE).write_text(chart, encoding="utf-8")
    for name in (*CALCULATOR, *IN_BROWSER):
        (folder / name).write_text(_page_file(name), encoding="utf-8")
    _fill_in(folder / "worker.js", "BYTES", str(sum(map(_size, runtime.glob("python.*")))))
    # The last, since the version is that of all files.
    _fill_in(folder / "service-worker.js", "VERSION", _version(folder))


def _size(path: Path) -> int:
    return path.stat().st_size


def _fill_in(path: Path, name: str, value: str) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(name, value), encoding="utf-8")


def _start_python(pyodide: Path, folder: Path) -> None:
    """Write the memory of a Python that has loaded bleuet, and the metrics that it can compute."""
    runtime = folder / "pyodide"
    with TemporaryDirectory() as temporary, as_file(files("bleuet.web") / "snapshot.mjs") as script:
        memory = Path(temporary, "memory")
        paths = (pyodide, runtime / "modules.zip", folder / "metrics.json", memory)
        try:
            subprocess.run(["node", str(script), *map(str, paths)], check=True)
        except FileNotFoundError:
            raise InputError("there is no Node.js, which starts Python: install node") from None
        except subprocess.CalledProcessError:
            raise InputError(f"Python does not start with the files of {pyodide}") from None
        (runtime / "python.memory").write_bytes(_packed(memory.read_bytes()))


def _packed(content: bytes) -> bytes:
    """Return bytes that the browser unpacks; a server that knew it would unpack them first."""
    return gzip.compress(content, mtime=0)


def _page_file(name: str) -> str:
    text = page_file(name)
    if name == "index.html":
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        text = text.replace('<html lang="en">', '<html lang="en" data-backend="browser">')
        return text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}')
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


def _version(folder: Path) -> str:
    """Return a text that is another one once any file is."""
    found = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


if __name__ == "__main__":
    build_site(Path(sys.argv[1]), Path(sys.argv[2]))
