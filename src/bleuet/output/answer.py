"""The base of every answer: it builds one document, and every format comes from that."""

from __future__ import annotations

from bleuet.frozen import checked
from bleuet.messages import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import IO, Any, Literal, overload

    import pandas

    from bleuet.output.document import Document, Record
    from bleuet.output.settings import Settings

# `repr` is one line: it counts systems where there are more, or their names are longer together.
MOST_NAMES, LONGEST_NAMES = 4, 60


class Answer:
    """A result that can be shown: a subclass gives `document`, and has every format for free.

    >>> from bleuet.output.document import Column, Document, DocumentTable
    >>> class Count(Answer):
    ...     def document(self):
    ...         columns = [Column("word"), Column("n", kind="count")]
    ...         table = DocumentTable("counts", "", columns, [["a", 2]])
    ...         return Document(tables=[table])
    >>> print(Count().to_markdown(), end="")
    | word | n |
    | --- | ---: |
    | a | 2 |
    >>> Count().to_json(indent=None)
    '{"counts": [{"word": "a", "n": 2}]}'
    >>> print(Count())
    word  n
    a     2
    >>> Count()
    <Count>
    """

    __slots__ = ()

    @property
    def exit_code(self) -> int:
        """What a command exits with once the answer is written."""
        return 0

    def document(self) -> Document:
        """Return the document: the only place that lays the answer out."""
        raise NotImplementedError

    def _in_brief(self) -> str:
        """Return a few words for `repr`, such as "of 20 segments"."""
        return ""

    def render(self, format: str, **settings: Any) -> str:  # noqa: A002 - the option's name
        """Return the answer in a format.

        Args:
            format: one of `bleuet.output.rendering.FORMATS`.
            **settings: `width`, the digits after the decimal point; `short`, for signatures with
                short keys; `indent`, for JSON.

        Raises:
            OptionError: there is no such format.
        """
        from io import StringIO

        from bleuet.output.settings import Settings

        out = StringIO()
        self.write(out, format, Settings(**settings))
        return out.getvalue()

    def write(self, out: IO[str], format: str, settings: Settings) -> None:  # noqa: A002
        """Write the answer to an open text file.

        Args:
            out: the file.
            format: one of `bleuet.output.rendering.FORMATS`.
            settings: digits, signatures and indentation.

        Raises:
            OptionError: there is no such format.
        """
        from bleuet.output.rendering import write

        write(self.document(), out, format, settings)

    @checked
    def to_text(self, *, width: int | None = None, short: bool = False) -> str:
        """Return plain text: one line for each row; arguments as of `render`."""
        return self.render("text", width=width, short=short)

    @checked
    def to_markdown(self, *, width: int | None = None, short: bool = False) -> str:
        """Return Markdown with pipe tables; arguments as of `render`."""
        return self.render("markdown", width=width, short=short)

    @checked
    def to_latex(self, *, width: int | None = None, short: bool = False) -> str:
        """Return LaTeX tables for the package booktabs; arguments as of `render`."""
        return self.render("latex", width=width, short=short)

    @checked
    def to_html(self, *, width: int | None = None, short: bool = False) -> str:
        """Return HTML tables without scripts; arguments as of `render`."""
        return self.render("html", width=width, short=short)

    @checked
    def to_csv(self, *, width: int | None = None) -> str:
        """Return comma-separated values, every number in full unless `width` is set."""
        return self.render("csv", width=width)

    @checked
    def to_json(self, *, width: int | None = None, indent: int | None = 1) -> str:
        """Return the plain data as JSON, every number in full unless `width` is set."""
        return self.render("json", width=width, indent=indent).rstrip("\n")

    @checked
    def to_jsonl(self, *, width: int | None = None) -> str:
        """Return JSON Lines: one object for each observation."""
        return self.render("jsonl", width=width)

    def to_dict(self) -> dict[str, Any]:
        """Return the plain data of `to_json`; a list stands under the name of its records."""
        document = self.document()
        data = document.data
        return data if isinstance(data, dict) else {next(iter(document.records)): list(data)}

    if TYPE_CHECKING:

        @overload
        def to_dataframe(
            self, part: str | None = None, *, library: Literal["pandas"] | None = None
        ) -> pandas.DataFrame: ...
        @overload
        def to_dataframe(
            self, part: str | None = None, *, library: Literal["polars", "pyarrow"]
        ) -> Any: ...

    @checked
    def to_dataframe(self, part: str | None = None, *, library: str | None = None) -> Any:
        """Return observations as a data frame.

        Args:
            part: which observations, a name of the document's records; default the first.
            library: "pandas", "polars" or "pyarrow"; default the first that is installed.

        Raises:
            OptionError: there is no such part or library.
            MissingExtraError: the library is not installed.
        """
        from bleuet.output.data_frame import data_frame

        return data_frame(self._parts(), part, library)

    def _parts(self) -> dict[str, Callable[[], Iterable[Record]]]:
        """Return functions that return the observations of each part, by its name."""
        return self.document().records

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<{f'{type(self).__name__} {self._in_brief()}'.rstrip()}>"

    def _repr_html_(self) -> str:
        """Return the answer as notebooks show it: HTML that stands inside their page."""
        from bleuet.output.html_tables import fragments
        from bleuet.output.settings import Settings

        return "".join(fragments(self.document(), Settings()))


def names_or_number(names: Collection[str], unit: str) -> str:
    """Return a few names, or the number of many.

    Args:
        names: the names.
        unit: what has them, in the singular.

    >>> names_or_number(["a", "b"], "system"), names_or_number("abcde", "system")
    ('a, b', '5 systems')
    """
    few = len(names) <= MOST_NAMES and sum(map(len, names)) <= LONGEST_NAMES
    return ", ".join(names) if few else plural(len(names), unit)
