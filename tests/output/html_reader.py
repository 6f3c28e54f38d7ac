"""Reads HTML back, and fails where an element is not closed."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import ClassVar


class HtmlReader(HTMLParser):
    """The elements and the tables of a piece of HTML.

    Attributes:
        names: the names of all elements.
        cells: the text of each cell.
        tables: for each table the number of cells of each row.
    """

    # Everything that a document of tables needs.
    NAMES: ClassVar = frozenset(
        (
            *("meta", "p", "table", "caption", "thead", "tbody", "tr", "th", "td"),
            *("bdi", "style", "small", "sup", "ul", "li", "code"),
        )
    )
    EMPTY: ClassVar = frozenset(("meta",))

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.cells: list[str] = []
        self.tables: list[list[int]] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in self.EMPTY:
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append(0)
        elif tag in ("td", "th"):
            self.tables[-1][-1] += 1
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"}.intersection(self._open):
            self.cells[-1] += data
