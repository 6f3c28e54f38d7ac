"""The guide lists the options of every method as they are declared."""

from __future__ import annotations

import re

import pytest

from bleuet.tuning.methods import METHODS
from tests.evaluation_data import REPOSITORY

GUIDE = REPOSITORY / "docs" / "tuning.md"


def rows() -> list[str]:
    """Return the rows of the table of options."""
    found = []
    for name, kind in METHODS.items():
        for one in kind.options:
            default = f"`{one.spell(one.default)}`"
            values = one.kind.describe().replace("|", ", ")
            found.append(f"| `{name}` | `{one.name}` | {default} | {values} | {one.help} |")
    return found


@pytest.mark.skipif(not GUIDE.is_file(), reason="the documentation is not here")
def test_every_option_stands_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if re.match(r"\| `[^`]+` \| `", line)]
    assert table == rows()
