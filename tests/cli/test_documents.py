"""A warning where a file names the documents of the segments and a test does not know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Outcome

ROWS = [("The cat sat down.", "The cat sat.", "A cat sat."), ("It rains.", "It rain.", "It rains.")]


def table(folder: Path, column: str, documents: list[str]) -> str:
    lines = ["\t".join(("ref", "old", "new", column))]
    lines += ["\t".join((*ROWS[row % 2], name)) for row, name in enumerate(documents)]
    path = folder / "data.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path.name


COMMANDS = {
    "significance": ["significance", "{0}:ref", "-i", "{0}:old", "{0}:new", "--draws", "20"],
    "compare": ["compare", "{0}:ref", "-i", "{0}:old", "{0}:new", "--test", "bootstrap"],
    "score": ["score", "{0}:ref", "-i", "{0}:old", "--confidence"],
    "gate": ["gate", "{0}:ref", "--baseline", "{0}:old", "-i", "{0}:new", "--max-drop", "9"],
}
FOUR = ["one", "one", "two", "two"] * 3


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("column", ["document", "docid", "Doc_ID", "document-id"])
def test_a_column_of_documents_is_named(
    folder: Path, run: Callable[..., Outcome], command: str, column: str
) -> None:
    data = table(folder, column, FOUR)
    arguments = [word.format(data) for word in COMMANDS[command]]
    found = run(*arguments)
    assert f"add --documents {data}:{column} (--quiet hides this)" in found.err
    assert found.err.count("seems to name the document") == 1
    for more in (["--quiet"], ["--documents", f"{data}:{column}"]):
        assert "seems to name the document" not in run(*arguments, *more).err


@pytest.mark.parametrize(
    ("column", "documents"),
    [
        ("document", [f"story {n}" for n in range(12)]),
        ("document", ["one"] * 12),
        ("domain", FOUR),
        ("doctor", FOUR),
    ],
)
def test_other_columns_are_not(
    folder: Path, run: Callable[..., Outcome], column: str, documents: list[str]
) -> None:
    data = table(folder, column, documents)
    arguments = [word.format(data) for word in COMMANDS["significance"]]
    assert "seems to name the document" not in run(*arguments).err


def test_scores_without_intervals_need_no_documents(
    folder: Path, run: Callable[..., Outcome]
) -> None:
    data = table(folder, "document", FOUR)
    assert "seems to name" not in run("score", f"{data}:ref", "-i", f"{data}:old").err


@pytest.mark.parametrize(
    ("column", "ids", "first"),
    [
        ("id", [f"story-{n // 2}_{n % 2 + 1}" for n in range(12)], "story-0"),
        ("segment_id", [f"news.{n // 2}:{n}" for n in range(12)], "news.0"),
        ("segid", [f"seg-{n}" for n in range(12)], ""),
        ("id", [f"{'law' if n < 6 else 'news'}_{n}" for n in range(12)], ""),
        ("id", [f"story-{n}_1" for n in range(12)], ""),
        ("id", [str(n) for n in range(12)], ""),
        ("name", [f"story-{n // 2}_{n % 2}" for n in range(12)], ""),
    ],
)
def test_ids_that_begin_with_documents(
    folder: Path, run: Callable[..., Outcome], column: str, ids: list[str], first: str
) -> None:
    data = table(folder, column, ids)
    found = run(*[word.format(data) for word in COMMANDS["significance"]]).err
    note = f"ids such as {ids[0]} in {data}:{column} seem to begin with the names of documents"
    assert (note in found) == bool(first)
    assert (f"write the name {first} and so on" in found) == bool(first)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("command", COMMANDS)
def test_documents_are_looked_for_in_every_file(
    folder: Path, run: Callable[..., Outcome], command: str, place: int
) -> None:
    """In that of the references and in that of the last system."""
    table(folder, "document", FOUR)
    (folder / "data.tsv").rename(folder / "documents.tsv")
    table(folder, "domain", FOUR)
    arguments = [word.format("data.tsv") for word in COMMANDS[command]]
    chosen = [at for at, word in enumerate(arguments) if word.startswith("data.tsv")][-place]
    arguments[chosen] = arguments[chosen].replace("data", "documents")
    assert "add --documents documents.tsv:document (--quiet" in run(*arguments).err
