"""The guide to metrics has the table of options that `bleuet metrics NAME -f markdown` prints.

`python -m tests.metrics.test_documented_options` writes the tables into the guide.
"""

from __future__ import annotations

import re

import pytest

from bleuet.cli.metrics import MetricOptions
from bleuet.metrics.catalogue import CATALOGUE
from tests.evaluation_data import REPOSITORY

GUIDE = REPOSITORY / "docs" / "metrics.md"
BLOCK = re.compile(r"<!-- bleuet metrics (\S+) -f markdown -->\n\n(.*?)\n\n<!-- end -->", re.DOTALL)

pytestmark = pytest.mark.skipif(not GUIDE.is_file(), reason="the documentation is not here")


def printed(name: str) -> str:
    lines = MetricOptions(name).to_markdown().splitlines()
    return "\n".join(line for line in lines if line.startswith("|"))


def test_every_metric_has_a_table() -> None:
    found = [name for name, _ in BLOCK.findall(GUIDE.read_text(encoding="utf-8"))]
    assert found == list(CATALOGUE)


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_table_is_what_the_command_prints(name: str) -> None:
    tables = dict(BLOCK.findall(GUIDE.read_text(encoding="utf-8")))
    assert tables[name] == printed(name), "run python -m tests.metrics.test_documented_options"


def write_tables() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    GUIDE.write_text(
        BLOCK.sub(lambda block: block[0].replace(block[2], printed(block[1])), text),
        encoding="utf-8",
    )


if __name__ == "__main__":
    write_tables()
