"""The pages about other programs: commands and tables are true, links lead somewhere."""

from __future__ import annotations

import os
import re
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import environment
from tests.cli.test_documentation import comparable, examples, printed
from tests.evaluation_data import REPOSITORY
from tests.test_words import document, found_in

ROOM = REPOSITORY / "docs" / "compared"
PAGES = sorted(ROOM.glob("*.md"))
INDEX = ROOM / "index.md"
# Commands that need Java are left out where it is missing.
JAVA = re.compile(r"\bjava\b")
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


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder in which `examples` is the example corpus."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    return tmp_path


def shell_of(place: Path) -> dict[str, str]:
    """The environment of a shell that finds bleuet and the programs beside this Python."""
    programs = place / "bin"
    programs.mkdir()
    program = programs / "bleuet"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bleuet "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    folders = (str(programs), str(Path(sys.executable).parent), os.environ["PATH"])
    found = find_spec("pycocoevalcap")
    jar = Path(
        ((found and found.submodule_search_locations) or [""])[0], "meteor", "meteor-1.5.jar"
    )
    return environment(PATH=os.pathsep.join(folders), NO_COLOR="1", METEOR_JAR=str(jar))


def check_commands(page: Path, place: Path) -> int:
    """Run the commands of a page, and return how many there were."""
    shell, ran = shell_of(place), 0
    for line, command, shown in examples(page.read_text(encoding="utf-8")):
        if JAVA.search(command) and shutil.which("java") is None:
            continue
        found = printed(command, place / "printed", shell)
        assert comparable(found, page.name) == comparable(shown, page.name), f"{page}:{line}"
        ran += 1
    return ran


def check_links(page: Path) -> None:
    """Links to pages, headings and pictures of the documentation lead to something."""
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#]*(?:#[^)]*)?)\)", text):
        if target.startswith("https://"):
            continue
        name, _, heading = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.is_file(), f"{page}: {target}"
        if heading:
            assert heading in headings(file), f"{page}: {target}"


def headings(file: Path) -> set[str]:
    """The addresses of the headings of a page."""
    text = re.sub(r"(?ms)^```.*?^```$", "", file.read_text(encoding="utf-8"))
    titles = re.findall(r"(?m)^#+ (.+)$", text)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def tables() -> list[list[list[str]]]:
    """The cells of each table of the first page, row by row."""
    text = INDEX.read_text(encoding="utf-8")
    found = re.findall(r"(?m)(?:^\|.*\n)+", text)
    return [
        [
            [cell.strip() for cell in line.strip("|").split(" | ")]
            for line in one.splitlines()
            if line.startswith("| ")
        ]
        for one in found
    ]


@pytest.mark.peers
@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_the_page_shows(page: Path, place: Path) -> None:
    check_commands(page, place)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_short_plain_and_linked(page: Path) -> None:
    assert found_in(document(page)) == []
    check_links(page)
    if page != INDEX:
        lines = page.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= MOST_LINES
        assert "## When to stay with" in "\n".join(lines)


def test_the_tables_have_every_page_and_column() -> None:
    assert tuple(tuple(rows[0]) for rows in tables()) == COLUMNS
    for titles, *rows in tables():
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
