"""`bleuet compare` with intervals, tests, a page and pictures, used rightly and wrongly."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Outcome

    Run = Callable[..., Outcome]

BOTH = ("compare", "ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu")
FEW = ("--draws", "50", "--show", "scores")


@pytest.mark.slow
def test_a_page_is_written_besides_the_output(run: Run, folder: Path) -> None:
    done = run(*BOTH, *FEW, "--html", "page.html", "--title", "A & B", "-q")
    assert (done.code, done.err) == (0, "")
    assert "a       a" in done.out
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "<h1><bdi>A &amp; B</bdi></h1>" in page
    # The command makes the same page again.
    assert "bleuet compare ref.txt -i a.txt b.txt -m bleu --draws 50" in page


@pytest.mark.libraries
def test_pictures_are_written_besides_the_output(run: Run, folder: Path) -> None:
    done = run(*BOTH, *FEW, "--pictures", "charts", "-q")
    assert (done.code, done.err) == (0, "")
    assert "a       a" in done.out
    pictures = sorted(file.name for file in (folder / "charts").iterdir())
    assert "scores-BLEU.svg" in pictures
    assert "scatter-1-2-BLEU.png" in pictures
    ElementTree.parse(folder / "charts" / "scores-BLEU.svg")


@pytest.mark.slow
def test_the_same_command_writes_the_same_page(run: Run, folder: Path) -> None:
    pages = []
    for _ in range(2):
        assert run(*BOTH, *FEW, "--html", "page.html").code == 0
        pages.append((folder / "page.html").read_bytes())
    assert pages[0] == pages[1]


def test_csv_and_json_have_intervals_and_tests(run: Run) -> None:
    rows = csv.DictReader(io.StringIO(run(*BOTH, *FEW, "--test", "bootstrap", "-f", "csv").out))
    found = {row["system"]: row for row in rows}
    assert found["a"]["letter"] == "a"
    low, score, high = (float(found["a"][name]) for name in ("BLEU_low", "BLEU", "BLEU_high"))
    assert low <= score <= high
    values = json.loads(run(*BOTH, *FEW, "--test", "randomization", "-f", "json").out)
    assert values["significance"]["test"] == "randomization"
    assert "|ar:50|" in values["significance"]["signatures"]["BLEU"]
    (difference,) = values["significance"]["comparisons"]
    assert 0 < difference["p_value"] <= difference["corrected_p_value"] <= 1


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--html", ""), 2, "--html got an empty file name"),
        (("--html", "."), 1, ". is a folder; expected a file to write"),
        (("--html", "no/page.html"), 1, "there is no folder"),
        (("--html", "a.txt"), 2, "--html a.txt would overwrite a file that is read"),
        (("--html", "-"), 2, "not standard output"),
        (("--html", "x", "-o", "x"), 2, "both write x: use two files"),
        (("--html",), 2, "--html needs a value; expected one FILE after it"),
        (("--title", "x"), 2, "add --html FILE"),
        (("--pictures", ""), 2, "--pictures got an empty folder name"),
        (("--pictures", "a.txt"), 1, "a.txt is a file; --pictures expects a folder"),
        (("--pictures", "no/charts"), 1, "there is no folder"),
        (("--draws", "9"), 2, "--draws needs --test or --confidence or --html or --pictures"),
        (("--seed", "9"), 2, "--seed needs --test or --confidence or --html or --pictures"),
        (("--confidence", "2"), 2, "--confidence must be between 0 and 1"),
        (("--test", "bootstrap", "--draws", "1"), 2, "--draws must be 2 or more, not 1"),
        (("--test", "bootstrap", "--correction", "holms"), 2, "did you mean holm?"),
        (("--html", "x", "--alpha", "5"), 2, "--alpha must be between 1e-12 and 1"),
    ],
)
def test_an_error_comes_before_anything_is_written(
    run: Run, folder: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    before = sorted(folder.iterdir())
    done = run(*BOTH, *words)
    assert (done.code, done.out) == (code, "")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert sorted(folder.iterdir()) == before


def test_intervals_without_a_test(run: Run) -> None:
    done = run(*BOTH, *FEW, "--confidence", "0.8", "-q")
    assert (done.code, done.err) == (0, "")
    assert "± is half the 80% confidence interval of 50 bootstrap draws." in done.out
    assert "letter" not in done.out
    assert "Not tested" not in done.out
    values = json.loads(run(*BOTH, *FEW, "--confidence", "-q", "-f", "json").out)
    assert [one["confidence"] for one in values["significance"]["scores"]] == [0.95, 0.95]
    assert values["significance"]["comparisons"] == []


@pytest.mark.slow
def test_one_system_gets_a_page_too(run: Run, folder: Path) -> None:
    done = run("compare", "ref.txt", "-i", "a.txt", *FEW, "--html", "page.html", "-q")
    assert (done.code, done.err) == (0, "")
    assert (folder / "page.html").is_file()
