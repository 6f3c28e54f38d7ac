"""The guide to metrics: the overview, and a page for each metric."""

from __future__ import annotations

from tests.evaluation_data import REPOSITORY

OVERVIEW = REPOSITORY / "docs" / "metrics.md"
FOLDER = REPOSITORY / "docs" / "metrics"
# The overview first.
PAGES = (OVERVIEW, *sorted(FOLDER.glob("*.md")))


def guide() -> str:
    """Return the text of all pages."""
    return "\n\n".join(page.read_text(encoding="utf-8") for page in PAGES)
