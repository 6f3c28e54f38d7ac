"""The report on a comparison: a page that opens offline, and its charts as pictures."""

from __future__ import annotations

import re
from html import escape
from itertools import chain

from bleuet.frozen import Value, checked
from bleuet.report.comparison_charts import (
    bucket_charts,
    histogram_charts,
    scatter_charts,
    scores_charts,
)
from bleuet.report.page.html_page import html_page
from bleuet.report.pictures import KINDS, check_theme, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.comparison import Comparison
    from bleuet.report.comparison_charts import NamedChart

PICTURES = (".svg", ".png")
_IN_NOTEBOOK = 'style="width:100%;height:900px;border:1px solid #8888"'


@checked
class Report(Value):
    """A comparison as a page and as pictures.

    The page shows all parts of the comparison, even those that its other formats leave out.

    Args:
        comparison: the comparison, with intervals and tests after `tested()`.
        title: the title above the page; default the names of the systems.
        command: the command that makes the page again, for readers.

    >>> from bleuet.comparison import compare
    >>> found = compare({"mine": ["A cat."], "theirs": ["The cat."]}, ["A cat."], ["chrf"])
    >>> Report(found).to_html()[:15]
    '<!DOCTYPE html>'
    """

    comparison: Comparison
    title: str | None = None
    command: str | None = None

    def to_html(self) -> str:
        """Return the page: one file that contains all it needs and sends no request."""
        return html_page(self.comparison, self.title, self.command)

    def charts(self) -> dict[str, NamedChart]:
        """Return all charts by name, such as "scores-BLEU"."""
        charts = chain(
            *(make(self.comparison) for make in (scores_charts, bucket_charts, histogram_charts)),
            scatter_charts(self.comparison),
        )
        named: dict[str, NamedChart] = {}
        for one in charts:
            name = _file_name(one)
            named[name if name not in named else f"{name}-{len(named)}"] = one
        return named

    @checked
    def pictures(
        self, kinds: Sequence[str] = PICTURES, colours: str = "light"
    ) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the content of a file for each chart.

        Args:
            kinds: file extensions, of `bleuet.report.pictures.KINDS`.
            colours: "light" or "dark".

        Raises:
            OptionError: there is no such extension or theme.
        """
        draw_each = [(kind, KINDS[kind_of(kind)]) for kind in kinds]
        check_theme(colours)
        return (
            (name + kind, draw(chart.specification(colours)))
            for name, chart in self.charts().items()
            for kind, draw in draw_each
        )

    def _repr_html_(self) -> str:
        """Return the page in a frame, as notebooks show it."""
        page = escape(self.to_html())
        return f'<iframe sandbox="allow-scripts" {_IN_NOTEBOOK} srcdoc="{page}"></iframe>'


def _file_name(chart: NamedChart) -> str:
    """Return a name that every file system accepts, even if a file of labels has a strange one."""
    parts = [chart.kind, chart.about, chart.metric]
    plain = [re.sub(r"[^A-Za-z0-9+]+", "-", part).strip("-") for part in parts]
    return "-".join(part for part in plain if part)
