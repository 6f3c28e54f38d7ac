"""Parts of the pages with numbers that are made of the package and of other pages."""

from __future__ import annotations

from pathlib import Path

from bleuet.cli.metrics import MetricOptions, names_by_group
from bleuet.metrics.catalogue import CATALOGUE, NEURAL

ROOT = Path(__file__).resolve().parents[1]


def parity_table() -> str:
    """Return a table of the metrics and the programs that give the same number."""
    lines = ["| metric | the same number |", "|---|---|"]
    for name in names_by_group():
        if name in CATALOGUE or name in NEURAL:
            found = MetricOptions(name).to_dict()
            lines.append(f"| `{name}` | {found['same_number']} |")
    return "\n".join(lines)


def bench_section() -> str:
    """Return the tables of times of the README, whose headings are those of a page of its own."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    start, end = text.index("<!-- bench -->"), text.index("\n## Install")
    return text[start:end].replace("<!-- /bench -->", "").replace("<!-- bench -->", "").strip()


# What stands in place of a comment of a page.
PARTS = {"<!-- parity -->": parity_table, "<!-- bench -->": bench_section}
