"""What tests read in Markdown: blocks of code, commands with their output, tables, links."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

DOCS = REPOSITORY / "docs"
# What contributors and GitHub read.
FOR_CONTRIBUTORS = [
    *(REPOSITORY / name for name in ("SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff")),
    *(REPOSITORY / ".github").glob("*.*"),
    *(REPOSITORY / ".github" / "ISSUE_TEMPLATE").glob("*.yml"),
    *(REPOSITORY / "changes").glob("*.md"),
]
BLOCK = re.compile(r"(?ms)^ *```(\w*)\n(.*?)^ *```$")
# A link or a picture, or an address in a form for GitHub.
LINK = re.compile(r"\]\(([^)\s]+)\)|\burl: (\S+)")
AT_GITHUB = re.compile(r"https://github\.com/bleuet/bleuet/(?:blob|tree)/main/")


class Example(NamedTuple):
    """A command of a page, and what the page shows as its output."""

    line: int
    command: str
    shown: str


def examples(text: str) -> list[Example]:
    """Return the commands of a page's console blocks."""
    found = []
    for block in BLOCK.finditer(text):
        if block[1] != "console":
            continue
        start = text.count("\n", 0, block.start(2)) + 1
        for one in re.finditer(r"(?ms)^\$ ([^\n]*)\n(.*?)(?=^\$ |\Z)", block[2]):
            line = start + block[2].count("\n", 0, one.start())
            found.append(Example(line, one[1], one[2]))
    return found


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code in a language."""
    return [block for name, block in BLOCK.findall(text) if name == language]


def without_code(page: Path) -> str:
    """Return the text of a page without its blocks of code."""
    return BLOCK.sub("", page.read_text(encoding="utf-8"))


def tables(text: str) -> list[list[list[str]]]:
    r"""Return the cells of each table, row by row; the first row has the headings.

    >>> tables("| a | b |\n| --- | --- |\n| 1 | `x` |\n")
    [[['a', 'b'], ['1', '`x`']]]
    """
    return [
        [
            [cell.strip() for cell in re.split(r" \| ", line.strip()[1:-1])]
            for line in table.splitlines()
            if not re.fullmatch(r"[|\s:-]+", line)
        ]
        for table in re.findall(r"(?m)(?:^\|.*\|\n)+", text + "\n")
    ]


def titles(page: Path) -> list[str]:
    """Return the headings of a page, without the markup of links."""
    return [
        re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", title)
        for title in re.findall(r"(?m)^#+ (.+)$", without_code(page))
    ]


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the places of a page to which a link can point, as GitHub and the site write them."""
    named = re.findall(r'<a id="([^"]*)">', page.read_text(encoding="utf-8"))
    of_titles = (re.sub(r"[^\w\- ]", "", one.lower()).strip() for one in titles(page))
    return frozenset(named) | {one.replace(" ", "-") for one in of_titles}


def links(page: Path, folder: Path | None = None) -> list[tuple[Path, str]]:
    """Return the files and places of the repository to which a page links.

    Args:
        page: a document.
        folder: where its links begin; default its own folder.
    """
    found = []
    for link in (one or other for one, other in LINK.findall(without_code(page))):
        inside = AT_GITHUB.sub("", link)
        if inside == link and "://" in link:
            continue
        start = REPOSITORY if inside != link else folder or page.parent
        name, _, anchor = inside.partition("#")
        found.append(((start / name).resolve() if name else page, anchor))
    return found


def lost_links(page: Path, folder: Path | None = None) -> list[str]:
    """Return the links of a page that lead to no file or to no heading; arguments as of `links`."""
    return [
        f"{target}#{anchor}"
        for target, anchor in links(page, folder)
        if not target.exists() or (anchor and target.is_file() and anchor not in anchors(target))
    ]
