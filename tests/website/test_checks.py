"""The checks of a built site find each fault that is planted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from website.checks import faults

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """\
<link rel="stylesheet" href="../site.css"><h1 id="top">A</h1>
<a href="../">up</a> <a href="#top">here</a> <a href="../index.html#first">there</a>
<a href="https://example.org/">another host</a> <img src="p.svg" alt="a picture">
"""


def site(folder: Path, text: str) -> Path:
    (folder / "a").mkdir()
    (folder / "site.css").touch()
    (folder / "a" / "p.svg").touch()
    (folder / "index.html").write_text('<h1 id="first">First</h1>')
    (folder / "a" / "index.html").write_text(text)
    return folder


def test_a_good_site(tmp_path: Path) -> None:
    assert faults(site(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<a href="../b/">', "a/index.html: ../b/ leads nowhere"),
        ('<a href="#bottom">', "a/index.html: #bottom: that page has no such heading"),
        ('<a href="../#last">', "a/index.html: ../#last: that page has no such heading"),
        ('<img src="q.svg" alt="q">', "a/index.html: q.svg leads nowhere"),
        ('<img src="p.svg">', "a/index.html: the picture p.svg has no alternative text"),
        ('<iframe src="../c/">', "a/index.html: ../c/ leads nowhere"),
        (
            '<script src="https://cdn.example.org/x.js">',
            "a/index.html: loads https://cdn.example.org/x.js from another host",
        ),
        (
            '<link rel="preconnect stylesheet" href="//fonts.example.org">',
            "a/index.html: loads //fonts.example.org from another host",
        ),
        (
            '<img alt="p" src="p.svg" srcset="p.svg 1x, https://example.org/p.svg 2x">',
            "a/index.html: loads https://example.org/p.svg from another host",
        ),
    ],
)
def test_planted_faults(tmp_path: Path, text: str, fault: str) -> None:
    assert faults(site(tmp_path, GOOD + text)) == [fault]


def test_folders_of_other_programs_are_left_out(tmp_path: Path) -> None:
    folder = site(tmp_path, '<a href="../b/">')
    assert faults(folder, ["a"]) == []
    # Not a folder of the same name in another one.
    (folder / "b" / "a").mkdir(parents=True)
    (folder / "b" / "a" / "index.html").write_text('<a href="c/">')
    assert faults(folder, ["a"]) == ["b/a/index.html: c/ leads nowhere"]


def test_a_style_sheet_that_loads_from_another_host(tmp_path: Path) -> None:
    folder = site(tmp_path, GOOD)
    (folder / "site.css").write_text("@import '//example.org/a.css'; a { background: url(p.svg) }")
    assert faults(folder) == ["site.css: loads //example.org/a.css from another host"]
