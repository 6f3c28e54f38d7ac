"""The chart of the calculator as a module for browsers: its definition and what draws it."""

from __future__ import annotations

import json
import sys

from bleuet.errors import MissingExtraError


def chart_module() -> str:
    """Return the module, which exports `chart`, without data, and its `themes`.

    Raises:
        MissingExtraError: the extra `report` is not installed.
    """
    from bleuet.report.charts.segment_charts import score_parts
    from bleuet.report.page.charts_library import charts_library
    from bleuet.report.theme import THEMES, theme

    chart = json.dumps(score_parts(width="container").to_dict())
    themes = json.dumps({name: theme(name) for name in THEMES})
    return f"{charts_library()}\nexport const chart = {chart};\nexport const themes = {themes};\n"


if __name__ == "__main__":
    try:
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        sys.stdout.write(chart_module())
    except MissingExtraError:
        sys.exit(1)
