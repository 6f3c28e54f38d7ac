"""What the site is made of: its pages in the order of the menu, and the settings of Zensical."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from website import api, commands

PROJECT_FILE = Path(__file__).resolve().parents[1] / "pyproject.toml"
# Where the site is published, for 404.html, sitemap.xml and canonical links.
ADDRESS = tomllib.loads(PROJECT_FILE.read_text("utf-8"))["project"]["urls"]["Documentation"]
# Rooms of the documentation whose page index.md lists the others, in the order of the menu.
HOW_TO, COMPARED = "how-to", "compared"
EXPLAINED = {
    "What BLEU is": "explained/bleu.md",
    "Significance": "explained/significance.md",
    "Which metric": "explained/which-metric.md",
    "Read a report": "explained/reading-a-report.md",
}
GUIDES = {
    "Command line": "command-line.md",
    "Python": "python.md",
    "Intervals and tests": "significance.md",
    "Comparing systems": "comparison.md",
    "Reports": "report.md",
    "A gate for changes": "gate.md",
    "Explain a score": "explain.md",
    "Checking files": "lint.md",
    "A page": "page.md",
    "The HTTP API": "api.md",
    "Neural metrics": "neural.md",
    "Meta-evaluation": "meta-evaluation.md",
    "Choosing from candidates": "mbr.md",
    "Diversity": "diversity.md",
    "Tuning": "tuning.md",
    "Re-segmentation": "align.md",
    "Rewards": "rewards.md",
    "PyTorch": "torch.md",
    "Large test sets": "shards.md",
    "SQL and data frames": "tables.md",
    "Frameworks of evaluation": "frameworks.md",
    "Moving from sacreBLEU": "sacrebleu.md",
    "Moving from other packages": "moving.md",
}
NUMBERS = {
    "Speed": "numbers/speed.md",
    "The same numbers": "numbers/parity.md",
    "False findings": "numbers/false-findings.md",
}
PROJECT = {
    "Help and security": "help.md",
    "Versions": "versioning.md",
    "Architecture": "architecture.md",
    "Releasing": "releasing.md",
}
SOURCE = {"link": "https://github.com/bleuet/bleuet", "name": "Source on GitHub"}
FEATURES = (
    *("navigation.tabs", "navigation.indexes", "navigation.top", "navigation.footer"),
    *("navigation.tracking", "toc.follow", "search.highlight", "content.code.copy"),
)
# Of the reader's system first, then light and dark.
PALETTE = [
    {
        "media": "(prefers-color-scheme)",
        "toggle": {"icon": "lucide/sun-moon", "name": "Switch to light mode"},
    },
    {
        "media": "(prefers-color-scheme: light)",
        "scheme": "default",
        "toggle": {"icon": "lucide/sun", "name": "Switch to dark mode"},
    },
    {
        "media": "(prefers-color-scheme: dark)",
        "scheme": "slate",
        "toggle": {"icon": "lucide/moon", "name": "Follow the system"},
    },
]
LINK = re.compile(r"\[([^\]]+)\]\(([\w.-]+\.md)\)")


def navigation(docs: Path) -> list[Any]:
    """Return the menu: titles and pages, as Zensical reads them.

    Args:
        docs: the folder of the documentation.
    """
    metrics = sorted(page.name for page in (docs / "metrics").glob("*.md"))
    reference = [
        {"Commands": _generated(commands.FOLDER, commands.pages())},
        {"Python": _generated(api.FOLDER, api.pages())},
        {"Metrics": ["metrics.md", *(f"metrics/{page}" for page in metrics)]},
    ]
    return [
        {"Start": ["index.md", {"Five minutes": "start.md"}]},
        {"How do I …": _listed(docs, HOW_TO)},
        {"Explained": _titled(EXPLAINED)},
        {"Guides": _titled(GUIDES)},
        {"Reference": reference},
        {"Numbers": ["numbers/index.md", *_titled(NUMBERS)]},
        {"Compared": _listed(docs, COMPARED)},
        {"Project": _titled(PROJECT)},
    ]


def _titled(pages: dict[str, str]) -> list[Any]:
    return [{title: page} for title, page in pages.items()]


def _generated(folder: str, pages: dict[str, str]) -> list[str]:
    first = f"{folder}/index.md"
    return [first, *(page for page in pages if page != first)]


def _listed(docs: Path, room: str) -> list[Any]:
    """Return a page that lists others, and those by the names that it has for them."""
    index = docs / room / "index.md"
    found: dict[str, str] = {}
    for title, page in LINK.findall(index.read_text(encoding="utf-8")):
        found.setdefault(page, title.replace("`", ""))
    return [f"{room}/index.md", *({title: f"{room}/{page}"} for page, title in found.items())]


def settings(docs: Path) -> dict[str, Any]:
    """Return what Zensical reads as mkdocs.yml, beside the folders docs/ and site/.

    Args:
        docs: the folder with all pages, also those that are generated.
    """
    return {
        "site_name": "bleuet",
        "site_url": ADDRESS,
        "site_description": "BLEU, chrF, TER and thirty more metrics: exact, fast and explained",
        "docs_dir": "docs",
        "site_dir": "site",
        "use_directory_urls": True,
        # Not as `repo_url`, with which each page sends requests to GitHub.
        "extra": {"generator": False, "social": [{"icon": "fontawesome/brands/github", **SOURCE}]},
        "extra_css": ["site.css"],
        "theme": {
            "name": "material",
            "language": "en",
            # No request leaves the reader's machine.
            "font": False,
            "features": list(FEATURES),
            "palette": PALETTE,
        },
        "markdown_extensions": [
            "admonition",
            "attr_list",
            "md_in_html",
            "tables",
            {"toc": {"permalink": True}},
            {"pymdownx.highlight": {"anchor_linenums": False}},
            "pymdownx.superfences",
            {"pymdownx.tabbed": {"alternate_style": True}},
        ],
        "plugins": ["search"],
        "nav": navigation(docs),
    }
