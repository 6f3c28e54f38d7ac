"""Whatever a name or a text holds is read back as it was, and is never markup."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.output.document import Column, Document, DocumentTable, Estimate
from bleuet.output.escaping import markdown_code, printable, well_formed
from bleuet.output.rendering import render
from tests.output.documents import HOSTILE, Sign
from tests.output.html_reader import HtmlReader

if TYPE_CHECKING:
    from bleuet.output.document import Cell

NAMES = st.one_of(
    st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=()), max_size=20)
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.lists(st.tuples(NAMES, NUMBERS), min_size=1, max_size=5)


def document(rows: list[tuple[str, float]], name: str = "name") -> Document:
    columns = [Column(name, kind="text"), Column("x", kind="score"), Column("y", kind="long text")]
    table = DocumentTable("t", name, columns, [[text, number, text] for text, number in rows], name)
    return Document(name, [table], [name], [(name, Sign(name, name))])


@given(ROWS, NAMES)
@pytest.mark.slow
def test_text_has_one_line_for_each_row(rows: list[tuple[str, float]], name: str) -> None:
    shown = render(document(rows, name), "text")
    # Name, title, heading, rows, note; notes; signatures; each one line, and two empty lines.
    named = bool(name)
    assert len(shown.split("\n")) == 1 + len(rows) + 3 * named + 2 * 2 + named + 1
    assert all(line.isprintable() for line in shown.splitlines())


@given(ROWS, NAMES)
def test_csv_is_read_back(rows: list[tuple[str, float]], name: str) -> None:
    shown = render(document(rows, name), "csv")
    shown.encode()
    heading, *found = csv.reader(StringIO(shown, newline=""))
    assert [(row[0], float(row[1]), row[2]) for row in found] == [
        (well_formed(text), number, well_formed(text)) for text, number in rows
    ]
    assert heading[0] == well_formed(name)


@given(ROWS, NAMES)
def test_json_is_read_back(rows: list[tuple[str, float]], name: str) -> None:
    name = name if name not in ("x", "y") else "name"
    for format_ in ("json", "jsonl"):
        shown = render(document(rows, name), format_)
        shown.encode()
        found = (
            json.loads(shown)["t"]
            if format_ == "json"
            else [json.loads(line) for line in shown.removesuffix("\n").split("\n")]
        )
        assert [tuple(row.values()) for row in found] == [
            (well_formed(text), number, well_formed(text)) for text, number in rows
        ]


@given(ROWS, NAMES)
def test_html_is_balanced_and_holds_the_texts(rows: list[tuple[str, float]], name: str) -> None:
    reader = HtmlReader(render(document(rows, name), "html"))
    assert reader.names <= HtmlReader.NAMES
    assert reader.cells[:1] == [printable(name or "name") if name else printable(name)]
    assert reader.cells[3::3] == [printable(text) for text, _ in rows]


def in_columns(line: str) -> list[str]:
    """Return the cells of a line of a pipe table."""
    return re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]


@given(ROWS, NAMES)
def test_markdown_tables_have_their_columns(rows: list[tuple[str, float]], name: str) -> None:
    lines = render(document(rows, name), "markdown").split("\n")
    table = [line for line in lines if line.startswith("| ")]
    assert len(table) == 2 + len(rows)
    assert all(len(in_columns(line)) == 3 for line in table)
    assert not re.search(r"(?<!\\)<(?!/?sup>)", "".join(table))


@given(ROWS, NAMES)
def test_latex_braces_are_balanced_and_no_command_comes_in(
    rows: list[tuple[str, float]], name: str
) -> None:
    lines = render(document(rows, name), "latex").split("\n")
    body = [line for line in lines if not line.startswith("%")]
    whole = "\n".join(body).replace("\\\\", "").replace("\\{", "").replace("\\}", "")
    assert whole.count("{") == whole.count("}")
    own = {"begin", "end", "toprule", "midrule", "bottomrule", "textwidth", "pm"}
    escapes = {"textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater"}
    assert set(re.findall(r"\\([a-zA-Z]+)", whole)) <= own | escapes | {"textbar"}
    assert sum(line.endswith(" \\\\") for line in body) == 1 + len(rows)


@pytest.mark.parametrize("program", ["xelatex", "pdflatex"])
def test_latex_compiles(tmp_path: Path, program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    names = [name for name in HOSTILE if program == "xelatex" or printable(name).isascii()]
    columns = [Column("name"), Column("x", kind="score")]
    rows: list[list[Cell]] = [[name, Estimate(1.5, 1, 2, "ab")] for name in names]
    rows += [[name, Estimate(1, marks="†")] for name in names]
    tables = [
        DocumentTable("t", "title", columns, more, " ".join(names), rank_best=True, label=label)
        for label in ("", "tab:short", "tab:long")
        for more in ([rows] if label == "tab:short" else [rows * 9])
    ]
    signatures = [(name, Sign(name, name)) for name in names]
    source = (
        "\\documentclass{article}\\usepackage{booktabs,longtable}\\begin{document}\n"
        f"{render(Document('title', tables, names, signatures), 'latex')}\\end{{document}}\n"
    )
    (tmp_path / "x.tex").write_text(source, encoding="utf-8")
    subprocess.run(
        [program, "-interaction=nonstopmode", "-halt-on-error", "x.tex"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )


def test_code_is_between_more_backticks_than_it_has() -> None:
    for backticks in range(6):
        text = f"a{'`' * backticks}b"
        fence = "`" * (backticks + 1)
        assert markdown_code(text) == (f"{fence} {text} {fence}" if backticks else f"`{text}`")
