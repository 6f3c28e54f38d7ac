"""The pages of metrics have the tables of options that `bleuet metrics NAME -f markdown` prints.

`python -m tests.metrics.test_documented_options` writes the tables into the pages.
"""

from __future__ import annotations

import re

import pytest

from bleuet.cli.metrics import MetricList, MetricOptions
from bleuet.metrics.catalogue import CATALOGUE, NEURAL
from tests.metrics.guide import OVERVIEW, PAGES, guide

LIST = re.compile(r"<!-- bleuet metrics -f markdown -->\n\n(.*?)\n\n<!-- end -->", re.DOTALL)
DOCUMENTED = (*CATALOGUE, *NEURAL)
BLOCK = re.compile(r"<!-- bleuet metrics (\S+) -f markdown -->\n\n(.*?)\n\n<!-- end -->", re.DOTALL)

pytestmark = pytest.mark.skipif(not OVERVIEW.is_file(), reason="the documentation is not here")


def printed(name: str) -> str:
    """The table of options, which is the last."""
    return MetricOptions(name).to_markdown().strip().split("\n\n")[-1]


def printed_list() -> str:
    return MetricList().to_markdown().strip().split("\n\n")[0]


def test_every_metric_has_a_table() -> None:
    found = [name for name, _ in BLOCK.findall(guide())]
    assert sorted(found) == sorted(DOCUMENTED)


def test_the_list_of_metrics_is_what_the_command_prints() -> None:
    (listed,) = LIST.findall(guide())
    assert listed == printed_list(), "run python -m tests.metrics.test_documented_options"


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_table_is_what_the_command_prints(name: str) -> None:
    tables = dict(BLOCK.findall(guide()))
    assert tables[name] == printed(name), "run python -m tests.metrics.test_documented_options"


def write_tables() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for pattern in (LIST, BLOCK):
            text = pattern.sub(_with_table, text)
        page.write_text(text, encoding="utf-8")


def _with_table(block: re.Match[str]) -> str:
    first, *_, last = block[0].split("\n\n")
    table = printed(block[1]) if block.re is BLOCK else printed_list()
    return f"{first}\n\n{table}\n\n{last}"


if __name__ == "__main__":
    write_tables()
