"""Every command in every format, read back: JSON parsed, CSV read, LaTeX compiled, HTML parsed."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from collections import Counter
from importlib import import_module
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from bleuet.cli.main import COMMANDS, main, read_arguments
from bleuet.output.rendering import FORMATS, write
from tests.cli.conftest import Outcome
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B, write_lines
from tests.gate_runs import gate_run, lines_of, run_score
from tests.output.html_reader import HtmlReader

if TYPE_CHECKING:
    from collections.abc import Callable

Run: TypeAlias = "Callable[..., Outcome]"

# Names that are markup in one format or another.
A, B = "a|b<i>_&%#$.txt", "中文 `c`~{d}^.txt"
TEXTS = ("ref.txt", "-i", A, B, "-q")
HELD_OUT = ("--held-out", "nbest.txt", "--held-out-references", "ref.txt")
# Each command, in the ways that give different documents.
RUNS: dict[str, tuple[str, ...]] = {
    "score": ("score", *TEXTS, "-m", "bleu", "chrf", "ter"),
    "score of one system": ("score", "ref.txt", "-i", A),
    "score of sentences": ("score", *TEXTS, "-s", "-m", "bleu", "chrf"),
    "score with intervals": ("score", *TEXTS, "--confidence", "--draws", "20"),
    "score with BLEU-1 to BLEU-n": ("score", *TEXTS, "--cumulative"),
    "score with the alignment": ("score", *TEXTS, "-m", "wer", "--alignment"),
    "compare": ("compare", *TEXTS, "-m", "bleu", "chrf"),
    "significance": ("significance", *TEXTS, "--draws", "50"),
    "meta": ("meta", "ref.txt", "-i", A, B, "--human", "human.tsv", "-q"),
    "gate": ("gate", "ref.txt", "--baseline", B, "-i", A, "-q"),
    "history": ("history", "history.jsonl"),
    "align": ("align", "ref.txt", "-i", A),
    "diversity": ("diversity", A, B),
    "metrics": ("metrics",),
    "metrics with a name": ("metrics", "bleu"),
    "tokenizers": ("tokenizers",),
    "explain": ("explain", "ref.txt", "-i", A, "--from", "bleu", "--to", "bleu:smooth=floor"),
    "explain a sentence": ("explain", "--hypothesis", "a|b <i>c", "--reference", "a|b {d}"),
    "lint": ("lint", "ref.txt", "-i", A, B),
    "matrix": ("matrix", "ref.txt", "-i", A),
    "mbr": ("mbr", "ref.txt", "-i", A, B, "--way", "pruned", "--loss", "-m", "bleu", "ter"),
    "tune": ("tune", "ref.txt", "--nbest", "nbest.txt", "-m", "bleu", "ter", *HELD_OUT),
    "tune with weights": ("tune", "ref.txt", "--nbest", "nbest.txt", "--apply", "weights.json"),
    "meteor-data": ("meteor-data",),
    "lint without findings": ("lint", "ref.txt", "-i", A, "--checks", "script"),
}
# A shell's script, the output of other programs, and what depends on the computer and on the
# output itself: tests/cli/test_doctor.py has that.
NO_DOCUMENTS = {"completion", "doctor", "sacrebleu", "serve", "tutorial"}
EMPTY = {"lint without findings", "meteor-data"}


@pytest.fixture
def files(folder: Path) -> None:
    write_files(folder)


def write_files(folder: Path) -> None:
    """Write what the runs read."""
    write_lines(folder / "ref.txt", REFERENCE * 3)
    write_lines(folder / A, [*SYSTEM_A, *SYSTEM_B, *SYSTEM_A])
    write_lines(folder / B, [*SYSTEM_B[:3], "", *SYSTEM_A, *SYSTEM_B])
    lists = zip(REFERENCE * 3, SYSTEM_A * 3, strict=True)
    nbest = [
        f"{segment} ||| {text} ||| <b>|= {number} a= 1 2"
        for segment, texts in enumerate(lists)
        for number, text in enumerate(texts)
    ]
    write_lines(folder / "nbest.txt", nbest)
    write_lines(folder / "weights.json", ['{"<b>|": [1], "a": [1, 2]}'])
    runs = [gate_run(day, run_score(30, 5), label=B, system=A) for day in (1, 2)]
    write_lines(folder / "history.jsonl", lines_of([*runs, gate_run(3, test_set="")]))
    human = [
        f"{name.removesuffix('.txt')}\t{segment}\t{segment * 7 % 5 + (name == A)}"
        for name in (A, B)
        for segment in range(12)
    ]
    write_lines(folder / "human.tsv", ["system\tsegment\tscore", *human])


def read_text(out: str) -> None:
    assert all(line == line.rstrip() for line in out.split("\n"))
    assert all(part.isprintable() for line in out.splitlines() for part in line.split("\t"))


def read_json(out: str) -> None:
    def reject(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    assert json.loads(out, parse_constant=reject)


def read_json_lines(out: str) -> None:
    for line in out.removesuffix("\n").split("\n"):
        read_json(line)


def read_csv(out: str) -> None:
    heading, *rows = csv.reader(StringIO(out, newline=""), strict=True)
    assert rows
    assert len(set(heading)) == len(heading)
    assert {len(row) for row in rows} == {len(heading)}


def read_markdown(out: str) -> None:
    blocks = [block.splitlines() for block in out.split("\n\n")]
    tables = [block for block in blocks if block[0].startswith("|")]
    for heading, rule, *rows in tables:
        assert re.fullmatch(r"\|( ---:? \|)+", rule)
        cells = [len(re.findall(r"(?<!\\)\|", line)) for line in (heading, rule, *rows)]
        assert rows
        assert len(set(cells)) == 1
    # Marks of significance are the only HTML.
    assert not re.search(r"(?<!\\)<(?!/?sup>)", out)


def read_latex(out: str) -> None:
    lines = [line for line in out.splitlines() if not line.startswith("%")]
    for begin, end in (("\\begin{", "\\end{"), ("\\toprule", "\\bottomrule")):
        assert sum(line.startswith(begin) for line in lines) == sum(
            line.startswith(end) for line in lines
        )
    columns = 0
    for line in lines:
        started = re.fullmatch(r"\\begin\{\w+\}\{(.*)\}", line)
        if started:
            columns = len(re.sub(r"p\{[^}]*\}", "p", started[1]))
        if line.endswith("\\\\"):
            assert len(re.findall(r"(?<!\\)&", line)) == columns - 1
    compile_latex(out)


def compile_latex(out: str) -> None:
    """Compile where LaTeX is installed; without a font for it, Chinese is only left out."""
    program = shutil.which("xelatex")
    if program is None:
        return
    Path("out.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs,longtable}\\begin{document}\n"
        f"{out}\\end{{document}}\n",
        encoding="utf-8",
    )
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "out.tex"]
    subprocess.run(command, check=True, capture_output=True)


def read_html(out: str) -> None:
    reader = HtmlReader(out)
    assert reader.names <= HtmlReader.NAMES
    assert all(len(set(table)) == 1 for table in reader.tables)


READERS: dict[str, Callable[[str], None]] = {
    "text": read_text,
    "markdown": read_markdown,
    "latex": read_latex,
    "csv": read_csv,
    "json": read_json,
    "jsonl": read_json_lines,
    "html": read_html,
}


def test_every_command_and_format_is_here() -> None:
    assert {arguments[0] for arguments in RUNS.values()} | NO_DOCUMENTS == COMMANDS.keys()
    assert READERS.keys() == FORMATS.keys()
    for name in COMMANDS.keys() - NO_DOCUMENTS | {"doctor", "tutorial"}:
        assert hasattr(import_module(COMMANDS[name][0]), "COMMAND"), name


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.slow
def test_the_output_is_read_back(run: Run, files: None, name: str, format_: str) -> None:
    outcome = run(*RUNS[name], "-f", format_)
    assert outcome.code in (0, 3)
    if name in EMPTY and format_ in ("csv", "jsonl"):
        assert outcome.out == ""
        return
    READERS[format_](outcome.out)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_a_file_holds_what_is_printed(run: Run, files: None, name: str) -> None:
    for format_ in ("text", "json"):
        printed = run(*RUNS[name], "-f", format_)
        written = run(*RUNS[name], "-f", format_, "-o", "out")
        assert (written.code, written.out) == (printed.code, "")
        assert Path("out").read_text(encoding="utf-8") == printed.out


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_standard_output_has_the_bytes_of_a_file(
    run: Run, files: None, name: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    format_ = {"latin-1": "text", "ascii": "jsonl"}[encoding]
    written = run(*RUNS[name], "-f", format_, "-o", "written")
    out = TextIOWrapper(BytesIO(), encoding=encoding)
    monkeypatch.setattr("sys.stdout", out)
    assert main((*RUNS[name], "-f", format_)) == written.code
    assert out.detach().getvalue() == Path("written").read_bytes()


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*too few for a bootstrap")
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("width", ["40", "100"])
def test_a_terminal_shows_every_number(
    run: Run, files: None, name: str, width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setenv("NO_COLOR", "1")
    module = import_module(COMMANDS[RUNS[name][0]][0])
    answer = module.answer(read_arguments(module.COMMAND, RUNS[name][1:]))
    out = Terminal()
    write(answer.document(), out, "text")
    number = r"[-+]?\d+\.\d+"
    tables = run(*RUNS[name]).out
    assert Counter(re.findall(number, tables)) <= Counter(re.findall(number, out.getvalue()))


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_tables_have_the_same_rows_in_all_formats(run: Run, files: None, name: str) -> None:
    shown = {
        format_: run(*RUNS[name], "-f", format_).out for format_ in ("markdown", "latex", "html")
    }
    rows = {
        "markdown": len(re.findall(r"(?m)^\| (?!---)", shown["markdown"])),
        "latex": shown["latex"].count(" \\\\\n"),
        "html": shown["html"].count("<tr>"),
    }
    if name == "significance":  # papers have one table
        del rows["html"]
    assert len(set(rows.values())) == 1
