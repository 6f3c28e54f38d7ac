"""The pages name their scripts, which are plain ones that share a scope."""

from __future__ import annotations

import re

import pytest

from bleuet.report.page.html_page import SCRIPTS
from bleuet.web.page_files import CALCULATOR, REPORT, SYSTEMS, page_file


@pytest.mark.parametrize(
    ("page", "names", "last"),
    [("index.html", CALCULATOR, "calculator.js"), ("systems.html", SYSTEMS, "systems.js")],
)
def test_a_page_loads_all_its_scripts(page: str, names: dict[str, str], last: str) -> None:
    loaded = re.findall(r'<script defer src="([^"]+)"></script>', page_file(page))
    assert sorted(loaded) == sorted(name for name in names if name.endswith(".js"))
    assert loaded[-1] == last


def test_no_script_of_a_page_is_a_module() -> None:
    names = [name for name in (*CALCULATOR, *SYSTEMS) if name.endswith(".js")]
    for name in names:
        assert not re.search(r"(?m)^(import|export) ", page_file(name)), name
    shared = {name for name, package in CALCULATOR.items() if package == REPORT}
    assert shared - {"colours.css"} < set(SCRIPTS)
