"""`bleuet mbr` and `bleuet matrix`: their inputs, outputs and errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet import BLEU, CHRF, mbr
from bleuet.metrics.catalogue import parse_metric
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A, SYSTEM_B, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable

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
    # chrF is there though BLEU chooses, with its signature.
    assert [line.split() for line in outcome.out.splitlines() if line.startswith("system")] == [
        ["system", "BLEU", "chrF2"]
    ]
    assert "chrF2|nrefs:1|" in outcome.out
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
        (("mbr", "-i", "a.txt"), "a.txt:1 is"),
        (("mbr", "-i", "lists.jsonl:ref"), "expected a list of candidates"),
        (("mbr", "-i", "lists.jsonl:all", "--oracle"), "--oracle compares with the references"),
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


class TestFromMatrix:
    """Saved scores of pairs: the choices by any rule are those of the texts."""

    @pytest.fixture(autouse=True)
    def _saved(self, run: Run, lists: str) -> None:
        words = ("-m", "bleu", "chrf", "--save-matrix")
        for name, source in (("m.jsonl", lists), ("n.jsonl", "nbest.txt")):
            assert run("mbr", "-i", source, *words, name).code == 0

    @pytest.mark.parametrize(
        ("more", "source"),
        [
            ((), "lists.jsonl:all"),
            (("--distinct",), "lists.jsonl:all"),
            (("-m", "chrf"), "lists.jsonl:all"),
            (("-m", "chrf", "--weights", "scores"), "nbest.txt"),
            (("-m", "chrf", "bleu", "--weights", "scores", "--distinct"), "nbest.txt"),
        ],
    )
    def test_it_chooses_as_from_texts(
        self, run: Run, folder: Path, more: tuple[str, ...], source: str
    ) -> None:
        file = "n.jsonl" if source == "nbest.txt" else "m.jsonl"
        metrics = () if "-m" in more else ("-m", "bleu", "chrf")
        found = run("mbr", "--from-matrix", file, *more, "-f", "json", "--save-matrix", "o.jsonl")
        expected = run(
            "mbr", "-i", source, *metrics, *more, "-f", "json", "--save-matrix", "p.jsonl"
        )
        assert found == expected
        assert found.code == 0
        assert (folder / "o.jsonl").read_text() == (folder / "p.jsonl").read_text()

    def test_corpus_scores_and_other_pseudo_references(self, run: Run, lists: str) -> None:
        assert run("mbr", "ref.txt", "--from-matrix", "m.jsonl") == run(
            "mbr", "ref.txt", "-i", lists, "-m", "bleu", "chrf"
        )
        others = ("--pseudo-references", "ref.txt", "ref2.txt", "-m", "ter")
        expected = run("mbr", "-i", lists, *others, "--save-matrix", "q.jsonl")
        assert run("mbr", "--from-matrix", "q.jsonl") == expected
        # As many as there are candidates, and yet other texts.
        as_many = ("--pseudo-references", "ref.txt", "ref2.txt", "b.txt", "-m", "ter")
        expected = run("mbr", "-i", lists, *as_many, "--save-matrix", "q.jsonl")
        assert run("mbr", "--from-matrix", "q.jsonl", "--save-matrix", "r.jsonl") == expected
        assert Path("r.jsonl").read_text() == Path("q.jsonl").read_text()
        first = json.loads(Path("q.jsonl").read_text().splitlines()[0])
        assert first["references"] == [REFERENCE[0], REFERENCE_2[0], SYSTEM_B[0]]
        oracle = ("mbr", "ref.txt", "ref2.txt", "-i", lists, "--oracle", "--save-matrix", "q.jsonl")
        expected = run(*oracle)
        assert run("mbr", "ref.txt", "ref2.txt", "--from-matrix", "q.jsonl") == expected

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (("-i", "a.txt"), "--from-matrix and --input exclude each other"),
            (("--way", "pruned"), "--from-matrix and --way exclude"),
            (("--loss",), "--from-matrix and --loss exclude"),
            (("-m", "ter"), r"no scores by TER\|.* were kept; there are those by BLEU\|"),
            (("--weights", "scores"), "no model scores"),
        ],
    )
    def test_misuse(self, run: Run, more: tuple[str, ...], message: str) -> None:
        outcome = run("mbr", "--from-matrix", "m.jsonl", *more)
        assert (outcome.code in (1, 2), outcome.err.count("\n")) == (True, 1)
        assert re.search(message, outcome.err), outcome.err

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"segment": 2}, "another number"),
            ({"candidates": []}, "no valid candidates"),
            ({"candidates": [1, 2, 3]}, "no valid candidates"),
            ({"references": ["a", []]}, "no valid references"),
            ({"references": ["a"]}, "score for each pair"),
            ({"model_scores": [1]}, "no valid model_scores"),
            ({"model_scores": [1, 2, float("nan")]}, "no valid model_scores"),
            ({"signatures": {}}, "no signatures"),
            ({"signatures": {"BLEU": 1}}, "not text"),
            ({"signatures": {"BLEU": "BLEU|a:b"}}, "describe no metric"),
            ({"scores": []}, "other metrics"),
            ({"scores": {}}, "no scores by BLEU, chrF2"),
            ({"scores": {"BLEU": [[1]], "chrF2": [[1]]}}, "a row of scores for each"),
            ({"scores": {"BLEU": [[1, 2, 10**400]] * 3, "chrF2": 1}}, "for each pair"),
        ],
    )
    def test_a_wrong_file(
        self, run: Run, folder: Path, change: dict[str, object], message: str
    ) -> None:
        lines = (folder / "m.jsonl").read_text().splitlines()
        write_lines(folder / "w.jsonl", [json.dumps({**json.loads(lines[0]), **change})])
        outcome = run("mbr", "--from-matrix", "w.jsonl")
        assert (outcome.code, outcome.err.count("\n")) == (1, 1)
        assert outcome.err.startswith("bleuet: error: line 1 of w.jsonl ")
        assert message in outcome.err

    def test_files_of_another_kind(self, run: Run, folder: Path) -> None:
        for text in ("", "{}", "[[", "[" * 100_000, "\udcff"):
            (folder / "w.jsonl").write_text(text, errors="surrogateescape")
            outcome = run("mbr", "--from-matrix", "w.jsonl")
            assert (outcome.code, outcome.err.count("\n")) == (1, 1)
        lines = (folder / "m.jsonl").read_text().splitlines()
        for second in ({"signatures": {"TER": "TER"}}, {"model_scores": [1, 2, 3]}):
            changed = json.dumps({**json.loads(lines[1]), **second})
            write_lines(folder / "w.jsonl", [lines[0], changed])
            outcome = run("mbr", "--from-matrix", "w.jsonl")
            assert (outcome.code, outcome.err.count("\n")) == (1, 1)
