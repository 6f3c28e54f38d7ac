"""`bleuet mbr` and `bleuet matrix`: their inputs, outputs and errors."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from bleuet import BLEU, CHRF, mbr
from bleuet.metrics.catalogue import parse_metric
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A, SYSTEM_B, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Outcome

    Run = Callable[..., Outcome]

LISTS = [list(texts) for texts in zip(SYSTEM_A, SYSTEM_B, REFERENCE, strict=True)]
NBEST = [
    "0 ||| a b ||| f=1 ||| -1",
    "0 ||| a c ||| f=2 ||| -9",
    "0 ||| a c ||| f=2 ||| -9.5",
    "1 ||| d ||| ||| 0",
]


@pytest.fixture
def lists(folder: Path) -> str:
    lines = [
        json.dumps({"ref": one, "all": several})
        for one, several in zip(REFERENCE, LISTS, strict=True)
    ]
    write_lines(folder / "lists.jsonl", lines)
    write_lines(folder / "nbest.txt", NBEST)
    return "lists.jsonl:all"


def test_a_file_for_each_system_and_a_column_of_lists(run: Run, lists: str) -> None:
    files = run("mbr", "-i", "a.txt", "b.txt", "ref.txt", "-m", "chrf", "-f", "jsonl")
    column = run("mbr", "-i", lists, "-m", "chrf", "-f", "jsonl", "-t", "2")
    assert files == column
    found = [json.loads(line) for line in files.out.splitlines()]
    expected = mbr(LISTS, "chrf")
    assert [one["utilities"] for one in found] == [list(one.utilities) for one in expected]
    assert [one["best"] for one in found] == expected.best


def test_an_nbest_list_and_its_scores(run: Run, lists: str) -> None:
    equal, scored = (
        json.loads(run("mbr", "-i", "nbest.txt", "-f", "json", *more).out)["choices"]
        for more in ((), ("--weights", "scores"))
    )
    assert [one["best"] for one in equal] == ["a c", "d"]
    assert [one["best"] for one in scored] == ["a b", "d"]


def test_texts_matrices_and_corpus_scores(run: Run, folder: Path, lists: str) -> None:
    outcome = run("mbr", "ref.txt", "-i", lists, "--texts", "out.txt", "--save-matrix", "m.jsonl")
    assert outcome.code == 0, outcome.err
    assert all(name in outcome.out for name in ("first candidates", "chosen", "oracle"))
    bleu = parse_metric("bleu", sentences=True)
    assert (folder / "out.txt").read_text().splitlines() == mbr(LISTS).best
    first = json.loads((folder / "m.jsonl").read_text().splitlines()[0])
    assert first["scores"] == {"BLEU": bleu.matrix(LISTS[0], LISTS[0]).tolist()}


def test_the_oracle_chooses_the_reference(run: Run, folder: Path, lists: str) -> None:
    assert run("mbr", "ref.txt", "-i", lists, "--oracle", "--texts", "out.txt").code == 0
    assert (folder / "out.txt").read_text().splitlines() == REFERENCE
    other = run(
        "mbr", "-i", lists, "--pseudo-references", "ref.txt", "ref.txt", "--texts", "o2.txt"
    )
    assert other.code == 0
    assert (folder / "o2.txt").read_text().splitlines() == REFERENCE


def test_the_loss_of_an_approximation_is_printed(run: Run, lists: str) -> None:
    for way in ("aggregated", "pruned"):
        assert "sources, and lost" in run("mbr", "-i", lists, "--way", way, "--loss").out


def test_matrix(run: Run, lists: str) -> None:
    found = json.loads(
        run("matrix", "ref.txt", "ref2.txt", "-i", "a.txt", "-m", "chrf", "-f", "json").out
    )
    both = list(zip(REFERENCE, REFERENCE_2, strict=True))
    assert found["matrix"] == CHRF().matrix(SYSTEM_A, both).tolist()
    of_lists = json.loads(run("matrix", "lists.jsonl:ref", "-i", lists, "-f", "json").out)[
        "matrices"
    ]
    bleu = BLEU(effective_order=True)
    assert of_lists == [
        bleu.matrix(several, [one]).tolist() for several, one in zip(LISTS, REFERENCE, strict=True)
    ]
    text = run("matrix", "ref.txt", "-i", "a.txt").out.splitlines()
    assert text[0].split() == ["hypothesis", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mbr",), "no candidates"),
        (("mbr", "-i", "a.txt"), "line 1 of a.txt"),
        (("mbr", "-i", "lists.jsonl:ref"), "expected a list of candidates"),
        (("mbr", "-i", "lists.jsonl:all", "--oracle"), "--oracle compares with REF"),
        (("mbr", "-i", "lists.jsonl:all", "--weights", "scores"), "no model scores"),
        (
            ("mbr", "-i", "lists.jsonl:all", "--way", "pruned", "--save-matrix", "m"),
            "needs every pair",
        ),
        (("mbr", "ref.txt", "-i", "nbest.txt"), "2.*4|4.*2"),
        (("matrix", "ref.txt", "-i", "a.txt", "b.txt"), "one file after -i"),
        (("matrix", "-i", "a.txt"), "no reference"),
        (("matrix", "nbest.txt", "-i", "lists.jsonl:all", "-m", "bleu", "chrf"), "one metric"),
    ],
)
def test_errors(run: Run, lists: str, words: tuple[str, ...], message: str) -> None:
    outcome = run(*words)
    assert outcome.code in (1, 2)
    assert outcome.err.count("\n") == 1
    assert re.search(message, outcome.err), outcome.err
