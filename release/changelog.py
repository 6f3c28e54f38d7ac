"""What the changelog says of a version, as the notes of a release have it.

python -m release.changelog 0.2.0
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHANGED_NUMBERS = "### Numbers that changed"


def heading_of(version: str) -> str:
    """Return what follows the version in its heading, or "" if there is no such heading."""
    found = re.search(rf"^## {re.escape(version)}\b(.*)$", _text(), re.M)
    return found[1].strip() if found else ""


def sections(version: str) -> int:
    """Return how many sections a version has; towncrier adds one to those that were written."""
    return len(re.findall(rf"^## {re.escape(version)}\b", _text(), re.M))


def section_of(version: str) -> str:
    """Return what the changelog says of a version, without the heading."""
    found = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", _text(), re.M | re.S)
    return found[1].strip() if found else ""


def unexplained(metrics: list[str], version: str) -> list[str]:
    """Return the metrics that neither the changelog nor a file of `changes/` explains.

    Both begin each explanation with the metric in bold type.
    """
    section = section_of(version).partition(f"{CHANGED_NUMBERS}\n")[2].partition("\n### ")[0]
    files = (ROOT / "changes").glob("*.numbers.md")
    texts = [section, *(file.read_text(encoding="utf-8") for file in files)]
    explained = {name.lower() for text in texts for name in re.findall(r"\*\*(.+?)\*\*", text)}
    return [name for name in metrics if name not in explained]


def _text() -> str:
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def notes_of(version: str) -> str:
    """Return the section of a version with links that lead to the files of the release."""
    files = f"https://github.com/bleuet/bleuet/blob/v{version}/"
    return re.sub(r"\]\((?!https?:)", f"]({files}", section_of(version))


if __name__ == "__main__":
    print(notes_of(sys.argv[1].removeprefix("v")))
