"""Every link of a document leads to a file of the repository and to a heading of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.documents import DOCS, FOR_CONTRIBUTORS, lost_links
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation is not here")
CHANGES = REPOSITORY / "changes"
NAMES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", "kernel/README.md")
PAGES = [*(REPOSITORY / name for name in NAMES), *DOCS.rglob("*.md"), *FOR_CONTRIBUTORS]


def start_of(page: Path) -> Path:
    """Texts of changes become a part of CHANGELOG.md."""
    in_changelog = page.parent == CHANGES and page.name != "README.md"
    return REPOSITORY if in_changelog else page.parent


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert lost_links(page, start_of(page)) == []


def test_lost_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A title: of *two* [parts](x.md)\n<a id='y'>\n")
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n[a](other.md) [b](other.md#a-title-of-two-parts) [c](#here) [d](https://x.org/#y)\n"
        "[e](https://github.com/bleuet/bleuet/blob/main/README.md)\n```\n[f](no.md)\n```\n"
        "[g](none.md) [h](other.md#none) ![i](none.svg) [j](#there)\n"
        "[k](https://github.com/bleuet/bleuet/blob/main/NONE.md)\n"
    )
    names = [link.rpartition("/")[2] for link in lost_links(page)]
    assert names == ["none.md#", "other.md#none", "none.svg#", "page.md#there", "NONE.md#"]
