"""The page put together: one file with its style, scripts, charts and data in it.

Its policy forbids every request, and every script and style but those written here, by their
hashes; so nothing that a text or a system's name holds can run, or tell anybody anything.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from bleuet.extras import optional
from bleuet.output.escaping import printable
from bleuet.report.charts.system_charts import COLOURS
from bleuet.report.page.data import in_script, names_in_words, page_data
from bleuet.report.page.prose import how_to_read, summary, verdicts
from bleuet.studies.comparison.markup import signature_lines, table_in_html
from bleuet.studies.comparison.sections import sections_of
from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import vl_convert

    from bleuet.studies.comparison import Comparison
else:
    vl_convert = optional("vl_convert")

SCRIPTS = ("texts.js", "charts.js", "sentences.js", "start.js")
# The library's functions by the name that the page's scripts call.
LIBRARY = "globalThis.bleuetEmbed = vegaEmbed;"
# What the page shows in folded tables; sentences and scores it shows by other means.
TABLES = ("words", "ngrams", "surface", "clusters", "buckets", "histogram")
NAMED = 3
# Scores by more metrics, with their intervals, are wider than half the page.
BESIDE = 3


def assemble(comparison: Comparison, title: str | None, command: str | None) -> str:
    """Return the whole page.

    Args:
        comparison: what it is about.
        title: what stands above; default the systems' names.
        command: the command that makes it again, or None.
    """
    style = _file("page.css")
    scripts = [charts_library(), _script()]
    policy = (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes([style])}; "
        "base-uri 'none'; form-action 'none'"
    )
    heading = printable(title or _default_title(comparison))
    parts = {
        "policy": policy,
        "title": escape(heading),
        "style": style,
        "summary": summary(comparison),
        "scores": _scores(comparison),
        "size": "many" if _is_wide(comparison) else "few",
        "verdicts": verdicts(comparison),
        "reading": how_to_read(comparison),
        "differences": _differences(comparison),
        "where": "Where the systems differ" if len(comparison.systems) > 1 else "Part by part",
        "tables": _tables(comparison, TABLES),
        "signatures": _signatures(comparison),
        "command": _command(command),
        "version": escape(__version__),
        "data": in_script(page_data(comparison)),
        "library": scripts[0],
        "script": scripts[1],
    }
    # In one pass, so that nothing put in is looked through again.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _file("page.html"))


def _is_wide(comparison: Comparison) -> bool:
    """Return whether scores need the whole width, and have no room for charts beside them."""
    return len(comparison.systems) > COLOURS or len(comparison.metrics) > BESIDE


def _differences(comparison: Comparison) -> str:
    """Return every difference, folded up; nothing where nothing was tested."""
    tables = _tables(comparison, ["differences"])
    if not tables:
        return ""
    return f"<details><summary>Every difference, with its p-value</summary>\n{tables}\n</details>"


def _default_title(comparison: Comparison) -> str:
    names = comparison.systems
    if len(names) > NAMED:
        return f"{len(names)} systems compared"
    return f"{names_in_words(names)} compared" if len(names) > 1 else names[0]


def _file(name: str) -> str:
    return files("bleuet.report.page").joinpath(name).read_text(encoding="utf-8")


def _script() -> str:
    """Return the page's own scripts as one, whose names nobody else sees."""
    return '(() => {\n"use strict";\n' + "\n".join(map(_file, SCRIPTS)) + "})();"


@lru_cache(maxsize=1)
def charts_library() -> str:
    """Return the library that draws charts, its many names kept to itself."""
    return f"(() => {{\n{vl_convert.javascript_bundle(LIBRARY)}\n}})();"


def _hashes(texts: Iterable[str]) -> str:
    digests = (sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests)


def _tables(comparison: Comparison, keys: Iterable[str]) -> str:
    return "\n".join(
        f'<div class="scroll">{table_in_html(section)}</div>'
        for section in sections_of(comparison, list(keys))
    )


def _scores(comparison: Comparison) -> str:
    # The page explains its marks at more length.
    (section,) = sections_of(comparison, ["scores"])
    return f'<div class="scroll">{table_in_html(replace(section, note=""))}</div>'


def _signatures(comparison: Comparison) -> str:
    return "\n".join(
        f"<dt>{escape(heading)}</dt><dd><code>{escape(signature)}</code></dd>"
        for heading, signature in signature_lines(comparison)
    )


def _command(command: str | None) -> str:
    if command is None:
        return ""
    return (
        "<p>This page was made by</p>"
        f'<pre id="command"><code>{escape(printable(command))}</code></pre>'
    )
