"""Build the site: `python -m website.build SITE`.

The pages of docs/ are copied, those of the reference are made of the package, and Zensical makes
HTML of both. The calculator is added if it was built. Then every link is checked.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from website import api, commands
from website.checks import faults
from website.config import settings
from website.parts import PARTS

ROOT = Path(__file__).resolve().parents[1]
DOCS, CALCULATOR = ROOT / "docs", ROOT / "build" / "calculator"
# The calculator's own files, which the server of `bleuet serve` has, too.
FROM_OTHERS = ("calculator",)


def build(site: Path, calculator: Path = CALCULATOR) -> list[str]:
    """Build the site, and return what is wrong with it: links that lead nowhere, and the like.

    Args:
        site: the folder for the site, which is replaced.
        calculator: the folder of the calculator; without it, its page says how to build it.
    """
    shutil.rmtree(site, ignore_errors=True)
    site.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        docs, built = Path(folder) / "docs", Path(folder) / "site"
        shutil.copytree(DOCS, docs)
        for page in docs.rglob("*.md"):
            _put_parts(page)
        for name, text in {**commands.pages(), **api.pages()}.items():
            page = docs / name
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, encoding="utf-8")
        # Zensical reads YAML, and JSON is YAML.
        config = Path(folder) / "mkdocs.yml"
        config.write_text(json.dumps(settings(docs)), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "zensical",
            "build",
            "--strict",
            "--clean",
            "-f",
            str(config),
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            return [done.stdout + done.stderr]
        _put_guides_first(built / "search.json")
        shutil.move(built, site)
    if calculator.is_dir():
        shutil.copytree(calculator, site / "calculator", dirs_exist_ok=True)
    return faults(site, FROM_OTHERS)


def _put_guides_first(index: Path) -> None:
    """Let a search find the pages that explain a thing before the names in Python of the same word.

    The search shows first what has the word at the beginning of the title, then what has it in the
    names of the rooms, then what comes first in its index.
    """
    found = json.loads(index.read_text(encoding="utf-8"))
    names = [item for item in found["items"] if _is_in_python(item)]
    for item in names:
        # Without the title of the page, which is often the word itself.
        item["path"] = item["path"][:2]
        full_name = item["location"].partition("#")[2]
        if full_name.startswith("bleuet."):
            item["title"] = f"<code>{full_name}</code>"
    found["items"].sort(key=_is_in_python)
    index.write_text(json.dumps(found), encoding="utf-8")


def _is_in_python(item: dict[str, Any]) -> bool:
    return bool(item["location"].startswith(f"{api.FOLDER}/"))


def _put_parts(page: Path) -> None:
    """Replace the comments of a page that stand for parts made of the package."""
    text = written = page.read_text(encoding="utf-8")
    for comment, made in PARTS.items():
        if comment in text:
            written = written.replace(comment, made())
    if written != text:
        page.write_text(written, encoding="utf-8")


def main() -> int:
    """Build the site into the folder that the first argument names."""
    site = Path(sys.argv[1])
    found = build(site)
    pages = sum(1 for _ in site.rglob("*.html"))
    print("\n".join(found) if found else f"{pages} pages in {site}: every link leads somewhere.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
