"""`bleuet align`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.corpora import REFERENCE, SYSTEM_A, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Outcome

    Run = Callable[..., Outcome]


@pytest.fixture
def joined(folder: Path) -> Path:
    """The first system in one line."""
    write_lines(folder / "joined.txt", [" ".join(SYSTEM_A)])
    return folder


def test_the_output_can_be_scored(joined: Path, run: Run) -> None:
    done = run("align", "ref.txt", "-i", "joined.txt", "-o", "aligned.txt")
    assert done == (0, "", "")
    lines = (joined / "aligned.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    assert len(lines) == len(REFERENCE)
    assert " ".join(lines).split() == " ".join(SYSTEM_A).split()
    assert run("score", "ref.txt", "-i", "aligned.txt").code == 0


@pytest.mark.usefixtures("joined")
def test_json(run: Run) -> None:
    done = run("align", "ref.txt", "ref2.txt", "-i", "joined.txt", "-f", "json")
    data = json.loads(done.out)
    assert list(data) == ["segments", "edits", "reference_length", "align"]
    assert (
        run("align", "ref.txt", "ref2.txt", "-i", "joined.txt").out.split("\n")[:-1]
        == (data["segments"])
    )


@pytest.mark.usefixtures("joined")
def test_documents(folder: Path, run: Run) -> None:
    names = [str(i // 2) for i in range(len(REFERENCE))]
    write_lines(folder / "documents.txt", names)
    half = [" ".join(SYSTEM_A[i : i + 2]) for i in range(0, len(SYSTEM_A), 2)]
    write_lines(folder / "halves.txt", half)
    plain = run("align", "ref.txt", "-i", "halves.txt", "--documents", "documents.txt")
    lines = plain.out.removesuffix("\n").split("\n")
    assert [" ".join(lines[i : i + 2]).split() for i in range(0, len(lines), 2)] == [
        line.split() for line in half
    ]
    write_lines(folder / "own.txt", sorted(set(names)))
    own = ("--documents", "documents.txt", "--hypothesis-documents", "own.txt")
    assert run("align", "ref.txt", "-i", "halves.txt", *own) == plain


@pytest.mark.usefixtures("joined")
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("-i", "a.txt", "b.txt"), "align takes one system"),
        (("-i", "a.txt", "--hypothesis-documents", "a.txt"), "--hypothesis-documents needs"),
        (("-i", "a.txt", "--tokenize", "cha"), "did you mean char?"),
        (("-i", "joined.txt", "--documents", "joined.txt"), "1 document for"),
        (("joined.txt", "-i", "a.txt"), "the files differ in length"),
    ],
)
def test_misuse(run: Run, more: tuple[str, ...], message: str) -> None:
    done = run("align", "ref.txt", *more)
    assert done.code in (1, 2)
    assert message in done.err
    assert done.err.count("\n") == 1
