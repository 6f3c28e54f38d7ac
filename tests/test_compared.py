"""The pages about other programs: commands and tables are true, links lead somewhere."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from tests.documents import tables
from tests.evaluation_data import REPOSITORY

ROOM = REPOSITORY / "docs" / "compared"
PAGES = sorted(ROOM.glob("*.md"))
INDEX = ROOM / "index.md"
# Commands that need Java are left out where it is missing.
# Of both tables of the first page.
COLUMNS = (
    ("program", "metrics", "same numbers", "licence", "last release"),
    (
        "program",
        "significance",
        "where systems differ",
        "a page",
        "bleuet is faster by",
        "checks of input",
    ),
)
MOST_LINES = 80


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_short_and_say_when_to_stay(page: Path) -> None:
    if page != INDEX:
        lines = page.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= MOST_LINES
        assert "## When to stay with" in "\n".join(lines)


def test_the_tables_have_every_page_and_column() -> None:
    found = tables(INDEX.read_text(encoding="utf-8"))
    assert tuple(tuple(rows[0]) for rows in found) == COLUMNS
    for titles, *rows in found:
        assert all(len(row) == len(titles) for row in rows)
        linked = {name for row in rows for name in re.findall(r"\]\(([\w-]+\.md)\)", row[0])}
        assert linked == {page.name for page in PAGES} - {INDEX.name}


@pytest.mark.peers
def test_versions_are_those_that_are_installed() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    checked = 0
    for package, named in set(re.findall(r"\b([A-Za-z][\w-]*) (\d+(?:\.\d+)+)", text)):
        name = {"sacreBLEU": "sacrebleu", "NLTK": "nltk"}.get(package, package)
        try:
            installed = version(name)
        except PackageNotFoundError:
            continue
        if name not in ("bleuet", "MATEO"):
            assert named == installed, package
            checked += 1
    assert checked >= 7


def test_speeds_are_those_that_the_readme_has() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    measured, checked = set(re.findall(r"([\d,]+)×", readme)), 0
    for page in PAGES:
        speed = page.read_text(encoding="utf-8").partition("## Speed")[2].partition("\n## ")[0]
        if "(../numbers/speed.md)" in speed:
            times = re.findall(r"([\d,]+)(?: to ([\d,]+))?\s+times", speed)
            found = {number for pair in times for number in pair if number}
            assert found, page
            assert found <= measured, page
            checked += 1
    assert checked == 6


@pytest.mark.peers
def test_commands_of_benchmarks_select_rows() -> None:
    from benchmarks.tasks import TASKS

    patterns = [
        pattern
        for page in PAGES
        for pattern in re.findall(r"BENCH=\"--rows '([^']+)'", page.read_text(encoding="utf-8"))
    ]
    assert len(patterns) >= 7
    for pattern in patterns:
        assert any(re.search(pattern, task, re.IGNORECASE) for task in TASKS), pattern


def test_notes_are_used_and_written() -> None:
    table, _, notes = INDEX.read_text(encoding="utf-8").partition("## Notes")
    used = [int(number) for number in re.findall(r"<sup>(\d+)</sup>", table)]
    written = [int(number) for number in re.findall(r"(?m)^(\d+)\. ", notes)]
    assert written == list(range(1, len(written) + 1))
    assert list(dict.fromkeys(used)) == written
