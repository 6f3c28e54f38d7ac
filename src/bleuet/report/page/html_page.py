"""The HTML page: one file with its style, scripts, charts and data.

Its content security policy forbids all requests, and all scripts and styles except those of this
page, by their hashes. So nothing in a text or in the name of a system can run or send data.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from io import StringIO

from bleuet.comparison.comparison import ALL
from bleuet.output.document import Document, DocumentTable, Estimate
from bleuet.output.escaping import printable
from bleuet.output.html_tables import table_in_html
from bleuet.output.rendering import write
from bleuet.report.charts.system_charts import COLOURS
from bleuet.report.page.charts_library import charts_library
from bleuet.report.page.explanations import (
    how_to_read,
    left_out,
    summary,
    verdicts,
    warnings,
)
from bleuet.report.page.kept import kept_segments
from bleuet.report.page.page_data import in_script, listed_names, packed_data, page_data
from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bleuet.comparison import Comparison
    from bleuet.output.document import Cell

# They share one scope, and the last one starts the page. The calculator has some of them, too.
SCRIPTS = (
    "packed.js", "rows.js", "served_texts.js", "words.js", "elements.js", "charts.js", "link.js",
    "address.js", "aligned.js", "saving.js", "scores.js",
    "sentences.js", "controls.js",
)  # fmt: skip
# The parts in folded tables; the page shows sentences and scores in other ways.
TABLES = ("words", "ngrams", "surface", "clusters", "buckets", "histogram")
OFFLINE = "This page contains its texts and sends no request to any server."
SERVED = "This page gets its sentences from the server on this computer that made it."
# The other pages of a server.
NAVIGATION = (
    '<nav aria-label="Pages"><a href="/">Explain one sentence</a> '
    '<a href="/systems">Compare systems</a></nav>'
)
# More charts of scores are higher than the table beside them.
BESIDE = 2
# A title names at most so many systems.
NAMED = 3


def html_page(comparison: Comparison, title: str | None, command: str | None) -> str:
    """Return a page that holds its sentences.

    Args:
        comparison: the comparison.
        title: the title above the page; default the names of the systems.
        command: the command that makes the page again, None for none.
    """
    parts = _parts(comparison, title, command)
    kept = kept_segments(comparison.texts)
    packed = "".join(
        f'<script type="application/octet-stream" id="{name}">{content}</script>\n'
        for name, content in packed_data(comparison, kept).items()
    )
    data = in_script(page_data(comparison))
    own = {
        "kept": left_out(kept),
        "promise": OFFLINE,
        "data": data,
        "packed": packed,
        "navigation": "",
    }
    return _filled({**parts, **own})


def served_page(comparison: Comparison, calculator: str) -> str:
    """Return a page that gets its sentences from the server, at `numbers`, `texts` and `search`.

    Args:
        comparison: the comparison.
        calculator: the address of the calculator on the server.
    """
    data = in_script({**page_data(comparison), "server": {"calculator": calculator}})
    own = {"kept": "", "promise": SERVED, "data": data, "packed": "", "navigation": NAVIGATION}
    requests = "connect-src 'self'; frame-src 'self'; "
    return _filled({**_parts(comparison, None, None), **own}, requests)


def _parts(comparison: Comparison, title: str | None, command: str | None) -> dict[str, str]:
    """Return the parts of the page that need no script."""
    return {
        "title": escape(printable(title or _default_title(comparison))),
        "summary": summary(comparison),
        "warnings": warnings(comparison),
        "scores": _scores(comparison),
        "size": "many" if _are_many(comparison) else "few",
        "verdicts": verdicts(comparison),
        "reading": how_to_read(comparison),
        "differences": _differences(comparison),
        "where": "Where the systems differ" if len(comparison.systems) > 1 else "Scores by bucket",
        "tables": _tables(comparison, TABLES),
        "signatures": _signatures(comparison),
        "command": _command(command),
        "version": escape(__version__),
    }


def _filled(parts: Mapping[str, str], connections: str = "") -> str:
    """Return the page with its parts, its scripts and the policy for them.

    Args:
        parts: all other parts.
        connections: the part of the policy about requests.
    """
    style = _file("colours.css") + _file("page.css")
    scripts = [charts_library(), _script()]
    policy = (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes([style])}; "
        f"{connections}base-uri 'none'; form-action 'none'"
    )
    own = {"policy": policy, "style": style, "library": scripts[0], "script": scripts[1]}
    filled = {**parts, **own}
    # In one pass, so that inserted text is not searched again.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], _file("page.html"))


def _are_many(comparison: Comparison) -> bool:
    """Return whether the charts of the scores are higher than the table."""
    systems, metrics = len(comparison.systems), len(comparison.metrics)
    return metrics > BESIDE or (metrics > 1 and systems > COLOURS)


def _differences(comparison: Comparison) -> str:
    """Return the folded tables of all differences; nothing without a test."""
    tables = _tables(comparison, ["differences"])
    if not tables:
        return ""
    return f"<details><summary>All differences, with p-values</summary>\n{tables}\n</details>"


def _default_title(comparison: Comparison) -> str:
    names = comparison.systems
    if len(names) > NAMED:
        return f"Comparison of {len(names)} systems"
    return f"Comparison of {listed_names(names)}" if len(names) > 1 else names[0]


def _file(name: str) -> str:
    return files("bleuet.report.page").joinpath(name).read_text(encoding="utf-8")


def _script() -> str:
    """Return the scripts of the page as one, with a scope of its own."""
    scripts = "\n".join(map(_file, SCRIPTS))
    return f'(() => {{\n"use strict";\n{scripts}}})();'


def _hashes(texts: Iterable[str]) -> str:
    digests = (sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests)


def _tables(comparison: Comparison, parts: Iterable[str]) -> str:
    return "\n".join(
        _scrolling(table, Document(tables=[table], signatures=list(comparison.signatures())))
        for part in parts
        for table in comparison.tables(part)
    )


def _scrolling(table: DocumentTable, saved: Document) -> str:
    """Return a table that scrolls, also with the keyboard, where it is wider than the page.

    Args:
        table: the table.
        saved: what its buttons copy and save.
    """
    label = escape(printable(table.title), quote=True)
    inside = _with_breaks("".join(table_in_html(table)))
    other = "".join(
        f' data-{name}="{escape(_rendered(saved, name), quote=True)}"' for name in ("latex", "csv")
    )
    return (
        f'<div class="scroll" role="group" aria-label="{label}" tabindex="0"{other}>{inside}</div>'
    )


def _rendered(document: Document, name: str) -> str:
    out = StringIO()
    write(document, out, name)
    return out.getvalue()


def _with_breaks(html: str) -> str:
    """Return HTML with places where a browser may break long words, as in names of files.

    >>> _with_breaks('<th class="a.b">big.v1_tuned 0.25</th>')
    '<th class="a.b">big.<wbr>v1_<wbr>tuned 0.25</th>'
    """
    # Not between the digits of a number.
    return re.sub(r"(<[^>]*>)|(?:\.(?!\d)|[_/:=])(?=\w)|[^\W_]{17,}", _with_break, html)


def _with_break(found: re.Match[str]) -> str:
    if found[1]:
        return found[0]
    return (
        "<wbr>".join(re.findall(".{1,10}", found[0])) if len(found[0]) > 1 else f"{found[0]}<wbr>"
    )


def _scores(comparison: Comparison) -> str:
    # The page explains its marks in more detail than the note of the table does.
    # Lines between clusters are in place of letters.
    (table,) = comparison.tables("scores")
    places = [at for at, column in enumerate(table.columns) if column.key != "letter"]
    rows = [[_unmarked(row[at]) for at in places] for row in map(list, table.rows)]
    bare = DocumentTable(table.key, table.title, [table.columns[at] for at in places], rows)
    return _scrolling(bare, comparison.show("scores").document())


def _unmarked(cell: Cell) -> Cell:
    return cell.replace(marks="") if isinstance(cell, Estimate) else cell


def _signatures(comparison: Comparison) -> str:
    return "\n".join(
        f"<dt>{escape(heading)}</dt><dd><code>{escape(str(signature))}</code></dd>"
        for heading, signature in comparison.show(ALL).signatures()
    )


def _command(command: str | None) -> str:
    if command is None:
        return ""
    return (
        "<p>The command that made this page:</p>"
        f'<pre id="command"><code>{escape(printable(command))}</code></pre>'
    )
