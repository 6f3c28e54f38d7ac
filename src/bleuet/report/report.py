"""The report on a comparison: a page that opens offline, and its charts as pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import chain

from bleuet.report.drawings import (
    bucket_charts,
    histogram_charts,
    scatter_charts,
    scores_charts,
)
from bleuet.report.page.assembly import assemble
from bleuet.report.pictures import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.report.drawings import Drawn
    from bleuet.studies.comparison import Comparison

PICTURES = (".svg", ".png")
_IN_NOTEBOOK = 'style="width:100%;height:900px;border:1px solid #8888"'


@dataclass(frozen=True)
class Report:
    """A comparison as a page and as pictures.

    Args:
        comparison: what to report on; with intervals and tests after `with_significance()`.
        title: what stands above the page; default the systems' names.
        command: the command that makes it again, for readers who want to.

    >>> from bleuet.studies.comparison import compare
    >>> found = compare({"mine": ["A cat."], "theirs": ["The cat."]}, ["A cat."], ["chrf"])
    >>> Report(found).to_html()[:15]
    '<!DOCTYPE html>'
    """

    comparison: Comparison
    title: str | None = None
    command: str | None = None

    def to_html(self) -> str:
        """Return the page: one file that holds all it needs and asks for nothing else."""
        return assemble(self.comparison, self.title, self.command)

    def charts(self) -> dict[str, Drawn]:
        """Return all charts by name, such as "scores-BLEU"; `.chart` of each is Altair's."""
        drawn = chain(
            *(make(self.comparison) for make in (scores_charts, bucket_charts, histogram_charts)),
            scatter_charts(self.comparison),
        )
        named: dict[str, Drawn] = {}
        for one in drawn:
            name = _file_name(one)
            named[name if name not in named else f"{name}-{len(named)}"] = one
        return named

    def pictures(
        self, kinds: Sequence[str] = PICTURES, colours: str = "light"
    ) -> Iterator[tuple[str, bytes]]:
        """Yield every chart as a file, its name first.

        Args:
            kinds: endings of names, of `bleuet.report.pictures.KINDS`.
            colours: "light" or "dark".
        """
        for name, drawn in self.charts().items():
            for kind in kinds:
                yield name + kind, KINDS[kind](drawn.specification(colours))

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, as notebooks show it."""
        page = escape(self.to_html())
        return f'<iframe sandbox="allow-scripts" {_IN_NOTEBOOK} srcdoc="{page}"></iframe>'


def _file_name(drawn: Drawn) -> str:
    """Return a name that any file system takes, whatever a label file is called."""
    parts = [drawn.kind, drawn.about, drawn.metric]
    plain = [re.sub(r"[^A-Za-z0-9+]+", "-", part).strip("-") for part in parts]
    return "-".join(part for part in plain if part)
