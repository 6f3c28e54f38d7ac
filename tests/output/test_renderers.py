"""Every format of a small document, written by hand."""

from __future__ import annotations

import csv
import json
import tracemalloc
from html import escape
from io import StringIO
from typing import Any

import pytest

from bleuet.errors import OptionError
from bleuet.output.document import AtMost, Column, Document, DocumentTable, Estimate
from bleuet.output.rendering import FORMATS, render, write
from bleuet.output.settings import Settings
from tests.output.documents import BLEU, DOCUMENT, SCORES, TESTS, TEXTS, streamed

TEXT = """\
A title

Scores
system                   BLEU    TER  segments
a.txt          30.12 ± 1.00 b  50.00        12
long-name.txt   9.50 ± 0.75        -         -
One note.

Tests
pair   difference             95%       p  people agree
a - b       -1.23  -2.00 to +0.50  0.0001           76%
a - c        0.00               -  1.0000             -

A last note.

BLEU|nrefs:1|case:mixed
"""
MARKDOWN = """\
A title

## Scores

| system | BLEU | TER | segments |
| --- | ---: | ---: | ---: |
| a.txt | **30.12** ± 1.00 <sup>b</sup> | **50.00** | 12 |
| long-name.txt | 9.50 ± 0.75 | - | - |

One note.

## Tests

| pair | difference | 95% | p | people agree |
| --- | ---: | ---: | ---: | ---: |
| a - b | -1.23 | -2.00 to +0.50 | 0.0001 | 76% |
| a - c | 0.00 | - | 1.0000 | - |

A last note.

- BLEU: `nrefs:1|case:mixed`
"""
LATEX = r"""% needs \usepackage{booktabs}
% A title
% A last note.
% BLEU: nrefs:1|case:mixed

% Scores
% One note.
\begin{tabular}{lrrr}
\toprule
system & BLEU & TER & segments \\
\midrule
a.txt & \textbf{30.12} {\scriptsize $\pm$ 1.00}\textsuperscript{b} & \textbf{50.00} & 12 \\
long-name.txt & 9.50 {\scriptsize $\pm$ 0.75}\phantom{\textsuperscript{b}} & - & - \\
\bottomrule
\end{tabular}

% Tests
\begin{tabular}{lrrrr}
\toprule
pair & difference & 95\% & p & people agree \\
\midrule
a - b & $-$1.23 & $-$2.00 to +0.50 & 0.0001 & 76\% \\
a - c & 0.00 & - & 1.0000 & - \\
\bottomrule
\end{tabular}
"""
CSV = """\
part,table,row,item,column,value
scores,Scores,1,a.txt,bleu,30.123
scores,Scores,1,a.txt,bleu_low,29.0
scores,Scores,1,a.txt,bleu_high,31.0
scores,Scores,1,a.txt,bleu_better_than,b
scores,Scores,1,a.txt,ter,50.0
scores,Scores,1,a.txt,n,12
scores,Scores,2,long-name.txt,bleu,9.5
scores,Scores,2,long-name.txt,bleu_low,9.0
scores,Scores,2,long-name.txt,bleu_high,10.5
scores,Scores,2,long-name.txt,bleu_better_than,
scores,Scores,2,long-name.txt,ter,
scores,Scores,2,long-name.txt,n,
tests,Tests,1,a - b,difference,-1.234
tests,Tests,1,a - b,interval_low,-2.0
tests,Tests,1,a - b,interval_high,0.5
tests,Tests,1,a - b,p_value,0.00012
tests,Tests,1,a - b,agree,0.756
tests,Tests,2,a - c,difference,0.001
tests,Tests,2,a - c,interval_low,
tests,Tests,2,a - c,interval_high,
tests,Tests,2,a - c,p_value,1.0
tests,Tests,2,a - c,agree,
"""
JSON = {
    "scores": [
        {
            "system": "a.txt",
            "bleu": 30.123,
            "bleu_low": 29.0,
            "bleu_high": 31.0,
            "bleu_better_than": "b",
            "ter": 50.0,
            "n": 12,
        },
        {
            "system": "long-name.txt",
            "bleu": 9.5,
            "bleu_low": 9.0,
            "bleu_high": 10.5,
            "bleu_better_than": "",
            "ter": None,
            "n": None,
        },
    ],
    "tests": [
        {
            "pair": "a - b",
            "difference": -1.234,
            "interval_low": -2.0,
            "interval_high": 0.5,
            "p_value": 0.00012,
            "agree": 0.756,
        },
        {
            "pair": "a - c",
            "difference": 0.001,
            "interval_low": None,
            "interval_high": None,
            "p_value": 1.0,
            "agree": None,
        },
    ],
}
HTML = """\
<meta charset="utf-8">
<p>A title</p>
<style>.bleuet caption,.bleuet th,.bleuet td{text-align:left!important;padding:0 .5em}\
.bleuet .number{text-align:right!important}</style>
<table class="bleuet"><caption>Scores</caption><thead><tr><th scope="col">system</th>\
<th scope="col" class="number">BLEU</th><th scope="col" class="number">TER</th>\
<th scope="col" class="number">segments</th></tr></thead>
<tbody>
<tr><th scope="row">a.txt</th><td class="number">30.12 <small>± 1.00</small><sup>b</sup></td>\
<td class="number">50.00</td><td class="number">12</td></tr>
<tr><th scope="row">long-name.txt</th><td class="number">9.50 <small>± 0.75</small></td>\
<td class="number">-</td><td class="number">-</td></tr>
</tbody></table>
<p class="note">One note.</p>
<table class="bleuet"><caption>Tests</caption><thead><tr><th scope="col">pair</th>\
<th scope="col" class="number">difference</th><th scope="col" class="number">95%</th>\
<th scope="col" class="number">p</th><th scope="col" class="number">people agree</th></tr></thead>
<tbody>
<tr><th scope="row">a - b</th><td class="number">-1.23</td>\
<td class="number">-2.00 to +0.50</td><td class="number">0.0001</td><td class="number">76%</td></tr>
<tr><th scope="row">a - c</th><td class="number">0.00</td><td class="number">-</td>\
<td class="number">1.0000</td><td class="number">-</td></tr>
</tbody></table>
<p class="note">A last note.</p>
<ul><li>BLEU: <code>nrefs:1|case:mixed</code></li></ul>
"""


@pytest.mark.parametrize(
    ("format_", "wanted"),
    [("text", TEXT), ("markdown", MARKDOWN), ("latex", LATEX), ("csv", CSV), ("html", HTML)],
)
def test_a_document_in_full(format_: str, wanted: str) -> None:
    assert render(DOCUMENT, format_) == wanted


def test_json_is_the_records_of_all_tables() -> None:
    assert json.loads(render(DOCUMENT, "json")) == JSON


def test_json_lines_are_the_rows_of_all_tables() -> None:
    lines = [json.loads(line) for line in render(DOCUMENT, "jsonl").splitlines()]
    assert [line["values"] for line in lines] == [row for rows in JSON.values() for row in rows]
    assert [line["part"] for line in lines] == [key for key, rows in JSON.items() for _ in rows]
    assert {line["table"] for line in lines} == {table.title for table in DOCUMENT.tables}


def test_json_lines_of_one_table_are_its_rows() -> None:
    lines = render(Document(tables=[TESTS]), "jsonl").splitlines()
    assert [json.loads(line) for line in lines] == JSON[TESTS.key]


def test_one_table_is_wide_csv() -> None:
    assert render(Document(tables=[TESTS]), "csv") == (
        "pair,difference,interval_low,interval_high,p_value,agree\n"
        "a - b,-1.234,-2.0,0.5,0.00012,0.756\na - c,0.001,,,1.0,\n"
    )


def test_records_come_before_tables() -> None:
    parts: dict[str, Any] = {
        "first": lambda: [{"a": 1, "b": [1, "é"]}],
        "second": lambda: [{"c": 2}],
    }
    document = Document(tables=[SCORES, TESTS], data={"x": 1}, records=parts)
    assert render(document, "csv") == 'a,b\n1,"[1, ""é""]"\n'
    assert render(document, "jsonl") == '{"a": 1, "b": [1, "é"]}\n'
    assert render(document, "json", indent=None) == '{"x": 1}\n'


def test_json_lines_of_a_list_are_its_items() -> None:
    document = Document(tables=[SCORES], data=[{"x": 1}, {"x": float("nan")}])
    assert render(document, "jsonl") == '{"x": 1}\n{"x": null}\n'


@pytest.mark.parametrize(
    ("width", "wanted"),
    [(None, "0.123456 0.0012345"), (0, "0 0.0012"), (3, "0.123 0.0012"), (6, "0.123456 0.001234")],
)
def test_width_rounds_every_format_alike(width: int | None, wanted: str) -> None:
    columns = [Column("score", kind="score"), Column("p_value", kind="p-value")]
    document = Document(tables=[DocumentTable("t", "", columns, [[0.123456, 0.0012345]])])
    in_full = wanted.split() if width is not None else ["0.123456", "0.0012345"]
    assert render(document, "csv", width=width).splitlines()[1].split(",") == in_full
    assert list(json.loads(render(document, "jsonl", width=width)).values()) == [
        float(number) for number in in_full
    ]
    for_readers = wanted.split() if width is not None else ["0.12", "0.0012"]
    assert render(document, "text", width=width).splitlines()[1].split() == for_readers


@pytest.mark.parametrize(
    ("p", "width", "in_full", "for_readers"),
    [
        (0.00001234, None, "1.234e-05", "< 0.0001"),
        (0.00001234, 2, "0.00001", "< 0.0001"),
        (0.00001234, 6, "0.000012", "0.000012"),
        (3e-9, 6, "0.000000003", "< 0.000001"),
        (0.00006, 2, "0.0001", "0.0001"),
        (0.0, 2, "0.0000", "< 0.0001"),
        (AtMost(0.001), 2, "0.0010", "≤ 0.0010"),
        (AtMost(0.00001), 2, "0.00001", "< 0.0001"),
    ],
)
def test_a_p_value_never_becomes_zero(
    p: float, width: int | None, in_full: str, for_readers: str
) -> None:
    columns = [Column("p_value", kind="p-value")]
    document = Document(tables=[DocumentTable("t", "", columns, [[p]])])
    assert render(document, "csv", width=width).splitlines()[1] == in_full
    assert json.loads(render(document, "jsonl", width=width)) == {"p_value": float(in_full)}
    assert render(document, "text", width=width).splitlines()[1].strip() == for_readers
    assert escape(for_readers) in render(document, "html", width=width)
    latex = {"<": r"\textless{}", "≤": r"$\leq$"}
    expected = "".join(latex.get(mark, mark) for mark in for_readers)
    assert expected in render(document, "latex", width=width)
    assert for_readers.replace("<", r"\<") in render(document, "markdown", width=width)


def test_extra_digits_are_for_readers() -> None:
    columns = [Column("score", kind="score", extra_digits=2)]
    document = Document(tables=[DocumentTable("t", "", columns, [[0.123456]])])
    assert render(document, "text").split() == ["score", "0.1235"]
    assert render(document, "text", width=1).split() == ["score", "0.123"]


@pytest.mark.parametrize("format_", FORMATS)
def test_short_signatures(format_: str) -> None:
    shown = render(DOCUMENT, format_, short=True)
    assert ("#:1|c:mixed" in shown) is (format_ not in ("csv", "json", "jsonl"))
    assert "nrefs" not in shown


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_no_number_anywhere(value: float) -> None:
    columns = [Column("a", kind="score"), Column("b", kind="share"), Column("c", kind="difference")]
    document = Document(tables=[DocumentTable("t", "", columns, [[value] * 3])])
    assert render(document, "text").splitlines()[1].split() == ["-", "-", "-"]
    assert render(document, "csv") == "a,b,c\n,,\n"
    assert render(document, "csv", width=1) == "a,b,c\n,,\n"
    assert json.loads(render(document, "jsonl", width=2)) == {"a": None, "b": None, "c": None}


def test_tables_without_rows() -> None:
    document = Document(tables=[DocumentTable("t", "Nothing", [Column("a")], [])])
    shown = {name: render(document, name) for name in FORMATS}
    assert shown == {
        "text": "Nothing\nnone\n",
        "markdown": "## Nothing\n\nNone.\n",
        "latex": "% needs \\usepackage{booktabs}\n\n% Nothing\n% none\n",
        "csv": "",
        "json": '{\n "t": []\n}\n',
        "jsonl": "",
        "html": '<meta charset="utf-8">\n<p>Nothing: none</p>\n',
    }


def test_documents_without_tables() -> None:
    document = Document("One line.", data={"a": 1})
    assert render(document, "text") == render(document, "markdown") == "One line.\n"
    assert render(document, "csv") == render(document, "jsonl") == ""


def test_columns_of_one_name_are_kept_apart() -> None:
    columns = [Column("n"), Column("n", kind="count"), Column("n_2", kind="count")]
    document = Document(tables=[DocumentTable("t", "", columns, [["a", 1, 2]])])
    assert render(document, "csv") == "n,n_2,n_2_2\na,1,2\n"
    columns = [Column("n", kind="count")] * 4
    document = Document(tables=[DocumentTable("t", "", columns, [[1, 2, 3, 4]])])
    assert render(document, "csv").splitlines()[1] == "1,2,3,4"
    (keys, _) = render(document, "csv").splitlines()
    assert len(set(keys.split(","))) == 4


def test_tables_of_one_key_are_one_part() -> None:
    columns = [Column("n", kind="count")]
    document = Document(tables=[DocumentTable("t", one, columns, [[1]]) for one in "ab"])
    assert json.loads(render(document, "json")) == {"t": [{"n": 1}, {"n": 1}]}
    lines = [json.loads(line) for line in render(document, "jsonl").splitlines()]
    assert lines == [{"part": "t", "table": name, "values": {"n": 1}} for name in "ab"]


def test_wide_characters_take_two_columns() -> None:
    rows: list[list[Any]] = [["中\uff21", 1.0], ["e\u0301", 22.0], ["abcd", 3.0]]
    table = DocumentTable("t", "", [Column("name"), Column("x", kind="score")], rows)
    lines = render(Document(tables=[table]), "text").splitlines()
    assert lines == ["name      x", "中\uff21   1.00", "e\u0301     22.00", "abcd   3.00"]


def test_nothing_has_no_sign() -> None:
    rows = [[-0.001], [-0.0], [-0.01]]
    for kind, expected in (
        ("score", ["0.00", "0.00", "-0.01"]),
        ("difference", ["0.00", "0.00", "-0.01"]),
    ):
        table = DocumentTable("t", "", [Column("x", kind=kind)], rows)
        shown = render(Document(tables=[table]), "text").split()
        assert shown == ["x", *expected]


def test_columns_with_one_name_keep_their_cells() -> None:
    columns = [Column("BLEU", kind="count") for _ in range(4)]
    table = DocumentTable("t", "", columns, [[1, 2, 3, 4]])
    (record,) = json.loads(render(Document(tables=[table]), "json"))["t"]
    assert list(record.values()) == [1, 2, 3, 4]


def test_numbers_have_at_most_the_digits_of_a_double() -> None:
    assert Settings(17).width == 17
    with pytest.raises(OptionError, match="width must be"):
        Settings(18)
    assert Settings(indent=100).indent == 100
    with pytest.raises(OptionError, match="indent must be"):
        Settings(indent=101)


def test_long_tables_break_across_pages_in_latex() -> None:
    table = DocumentTable("t", "", [Column("n", kind="count")], [[n] for n in range(100)])
    shown = render(Document(tables=[table]), "latex")
    assert "\\usepackage{booktabs,longtable}" in shown
    assert "\\midrule\n\\endhead\n" in shown
    assert shown.count("\\begin{longtable}{r}") == shown.count("\\end{longtable}") == 1
    page = DocumentTable("t", "", [Column("n", kind="count")], [[n] for n in range(40)])
    assert "\\begin{tabular}{r}" in render(Document(tables=[page]), "latex")


def test_texts_break_in_latex() -> None:
    shown = render(Document(tables=[TEXTS]), "latex")
    assert "\\begin{tabular}{rp{0.2\\textwidth}p{0.2\\textwidth}}\n" in shown


def test_a_table_with_a_label_floats_under_a_caption() -> None:
    table = DocumentTable(
        "t", "A title.", SCORES.columns, SCORES.rows, "50% ± 1.", rank_best=True, label="tab:x"
    )
    document = Document("About it.", [table], ["For authors."], [BLEU])
    assert (
        render(document, "latex")
        == r"""% needs \usepackage{booktabs}
% About it.
% For authors.

\begin{table}
\centering
\begin{tabular}{lrrr}
\toprule
system & BLEU & TER & segments \\
\midrule
a.txt & \textbf{30.12} {\scriptsize $\pm$ 1.00}\textsuperscript{b} & \textbf{50.00} & 12 \\
long-name.txt & 9.50 {\scriptsize $\pm$ 0.75}\phantom{\textsuperscript{b}} & - & - \\
\bottomrule
\end{tabular}
\caption{%
A title.
50\% $\pm$ 1.
Signatures:
BLEU: \texttt{nrefs:1|\allowbreak case:mixed}.}
\label{tab:x}
\end{table}
"""
    )


def test_a_long_table_with_a_label_is_a_longtable() -> None:
    table = DocumentTable("t", "Long.", [Column("n", kind="count")], [[1]] * 41, label="tab:x")
    shown = render(Document(tables=[table]), "latex")
    assert "\\begin{table}" not in shown
    beginning = "\\begin{longtable}{r}\n\\caption{%\nLong.}\n\\label{tab:x} \\\\\n\\toprule\n"
    assert beginning in shown


def test_papers_have_their_own_document() -> None:
    document = Document("All.", [SCORES], for_papers=Document("One.", [TESTS]))
    for format_ in FORMATS:
        other = Document("One.", [TESTS]) if format_ in ("markdown", "latex") else None
        wanted = render(other or Document("All.", [SCORES]), format_)
        assert render(document, format_) == wanted


def test_equal_numbers_share_the_first_place() -> None:
    columns = [Column("x", kind="score"), Column("y", kind="score", lower_is_better=True)]
    rows: list[list[Any]] = [
        [2.001, 2.0],
        [Estimate(1.999, 1, 3, "†"), float("nan")],
        [None, Estimate(-1.0, -2, 0)],
        [float("inf"), 3.0],
    ]
    document = Document(tables=[DocumentTable("t", "", columns, rows, rank_best=True)])
    assert render(document, "markdown").splitlines()[2:] == [
        "| **2.00** | 2.00 |",
        "| **2.00** ± 1.00 <sup>†</sup> | - |",
        "| - | **-1.00** ± 1.00 |",
        "| - | 3.00 |",
    ]
    assert "| **2.001** |" in render(document, "markdown", width=3)
    assert "| 1.999 ± 1.000" in render(document, "markdown", width=3)
    assert "\\textbf{$-$1.00} {\\scriptsize $\\pm$ 1.00}" in render(document, "latex")


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(OptionError, match=r"format must be one of text, .*not 'cvs'.*mean csv"):
        write(DOCUMENT, StringIO(), "cvs")


@pytest.mark.parametrize("format_", ["json", "jsonl", "html"])
def test_files_that_are_not_unicode_get_escapes(format_: str) -> None:
    class Ascii(StringIO):
        encoding = "ascii"

    table = DocumentTable("t", "", [Column("name")], [["中文"]])
    out = Ascii()
    write(Document(tables=[table]), out, format_, Settings())
    assert out.getvalue().isascii()


STREAMED = {
    "text": "# Sentence scores\n# A note.\n# BLEU|nrefs:1|case:mixed\n"
    "segment\tsystem\tBLEU\n1\ta.txt\t0.33\n2\ta.txt\t0.67\n",
    "markdown": "Sentence scores\n\n| segment | system | BLEU |\n| ---: | --- | ---: |\n"
    "| 1 | a.txt | 0.33 |\n| 2 | a.txt | 0.67 |\n\nA note.\n\n- BLEU: `nrefs:1|case:mixed`\n",
    "latex": "% needs \\usepackage{booktabs,longtable}\n% Sentence scores\n% A note.\n"
    "% BLEU: nrefs:1|case:mixed\n\n\\begin{longtable}{rlr}\n\\toprule\n"
    "segment & system & BLEU \\\\\n\\midrule\n\\endhead\n1 & a.txt & 0.33 \\\\\n"
    "2 & a.txt & 0.67 \\\\\n\\bottomrule\n\\end{longtable}\n",
    "csv": "segment,system,BLEU\n1,a.txt,0.3333333333333333\n2,a.txt,0.6666666666666666\n",
    "json": '[\n{"segment": 1, "score": 0.3333333333333333},\n'
    '{"segment": 2, "score": 0.6666666666666666}\n]\n',
    "jsonl": '{"segment": 1, "score": 0.3333333333333333}\n'
    '{"segment": 2, "score": 0.6666666666666666}\n',
}


@pytest.mark.parametrize("format_", STREAMED)
def test_a_streamed_table(format_: str) -> None:
    assert render(streamed(), format_) == STREAMED[format_]


@pytest.mark.slow
@pytest.mark.parametrize("format_", FORMATS)
def test_a_streamed_table_is_never_held_in_memory(format_: str) -> None:
    class Nowhere(StringIO):
        written = 0

        def write(self, text: str) -> int:
            self.written += len(text)
            return len(text)

    write(streamed(1), Nowhere(), format_)  # imports
    out = Nowhere()
    tracemalloc.start()
    write(streamed(10_000), out, format_)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert out.written > 100_000
    assert peak < 100_000


def test_an_empty_stream() -> None:
    assert render(streamed(0), "json") == "[]\n"
    assert render(streamed(0), "csv") == ""
    assert render(streamed(0), "text").splitlines()[-1] == "segment\tsystem\tBLEU"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1.5", "@a", "=cmd|' /C calc'!A0", "\tx", "\rx"])
def test_csv_has_texts_as_they_are(text: str) -> None:
    """No apostrophe stands before what a spreadsheet takes for a formula, as the guide says."""
    table = DocumentTable("t", "", [Column("name"), Column("x", kind="score")], [[text, -1.5]])
    written = render(Document(tables=[table]), "csv")
    assert list(csv.reader(StringIO(written, newline=""))) == [
        ["name", "x"],
        [text, "-1.5"],
    ]


@pytest.mark.parametrize("format_", FORMATS)
def test_a_file_is_written_as_a_text_is_made(format_: str) -> None:
    """Without settings, and with them."""
    for width, short, indent in ((None, False, 1), (3, True, None), (0, True, 4)):
        out = StringIO()
        write(DOCUMENT, out, format_, Settings(width, short=short, indent=indent))
        assert out.getvalue() == render(DOCUMENT, format_, width=width, short=short, indent=indent)
    out = StringIO()
    write(DOCUMENT, out, format_)
    assert out.getvalue() == render(DOCUMENT, format_)
