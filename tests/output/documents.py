"""Documents for the tests of the renderers, small and with every kind of cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bleuet.output.document import Column, Document, DocumentTable, Estimate

HOSTILE = (
    "<script>alert(1)</script>",
    "a|b",
    "50%_[x]&co.txt",
    "\\input{x}",
    "x\ny",
    "red\x1b[31m.txt",
    "`code`",
    'quote",comma',
    "=1+1",
    "# heading",
    "tab\tbed",
    "</table>",
    "שלום",
    "中文",
    "e\u0301",
    "caf\udce9.txt",
    "\u202eevil",
    "$x^2~y#{z}$",
    "]]>&amp;",
    "",
)


def without_bold(text: str) -> str:
    """Return Markdown or LaTeX without bold numbers and small intervals."""
    text = re.sub(r"\*\*([\d.]+)\*\*", r"\1", text)
    return re.sub(r"\\textbf{([\d.]+)}", r"\1", re.sub(r"{\\scriptsize ([^}]*)}", r"\1", text))


class Sign:
    """A signature in two spellings."""

    def __init__(self, long: str, short: str) -> None:
        self._long, self._short = long, short

    def short(self) -> str:
        return self._short

    def __str__(self) -> str:
        return self._long


BLEU = ("BLEU", Sign("nrefs:1|case:mixed", "#:1|c:mixed"))

SCORES = DocumentTable(
    "scores",
    "Scores",
    [
        Column("system"),
        Column("bleu", "BLEU", "score"),
        Column("ter", "TER", "score", lower_is_better=True),
        Column("n", "segments", "count"),
    ],
    [
        ["a.txt", Estimate(30.123, 29.0, 31.0, "b"), 50.0, 12],
        ["long-name.txt", Estimate(9.5, 9.0, 10.5), float("nan"), None],
    ],
    "One note.",
    rank_best=True,
)
TESTS = DocumentTable(
    "tests",
    "Tests",
    [
        Column("pair"),
        Column("difference", kind="difference"),
        Column("interval", "95%", "interval"),
        Column("p_value", "p", "p-value"),
        Column("agree", "people agree", "share"),
    ],
    [["a - b", -1.234, (-2.0, 0.5), 0.00012, 0.756], ["a - c", 0.001, None, 1.0, None]],
)
TEXTS = DocumentTable(
    "sentences",
    "",
    [
        Column("segment", kind="count"),
        Column("reference", kind="long text"),
        Column("a.txt", kind="long text"),
    ],
    [[3, "The cat sat.", "A cat sits."]],
)


DOCUMENT = Document("A title", [SCORES, TESTS], ["A last note."], [BLEU])


class Rows:
    """Rows that are read more than once and never held together."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.held = 0

    def __iter__(self) -> Iterator[list[Any]]:
        for number in range(1, self.count + 1):
            yield [number, "a.txt", number / 3]


def streamed(count: int = 2) -> Document:
    """Return a document whose table and data are streamed."""
    columns = [Column("segment", kind="count"), Column("system"), Column("BLEU", kind="score")]
    rows = Rows(count)
    table = DocumentTable("scores", "", columns, rows)
    return Document(
        "Sentence scores",
        [table],
        ["A note."],
        [BLEU],
        data=lambda: ({"segment": one, "score": score} for one, _, score in rows),
    )
