"""The pages that explain: commands and pictures are true, and every page has a picture."""

from __future__ import annotations

import base64
import json
import re
import struct
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

import bleuet
from tests.evaluation_data import REPOSITORY
from website import explained_pictures

if TYPE_CHECKING:
    from pathlib import Path

ROOM = REPOSITORY / "docs" / "explained"
PAGES = sorted(ROOM.glob("*.md"))
PICTURES = REPOSITORY / "docs" / "pictures" / "explained"
NAMES = ["bleu", "reading-a-report", "significance", "which-metric"]
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pictures as they are drawn now."""
    folder = tmp_path_factory.mktemp("pictures")
    assert explained_pictures.main(["--folder", str(folder)]) == 0
    return folder


def images() -> list[tuple[str, str]]:
    return [found for page in PAGES for found in IMAGE.findall(page.read_text(encoding="utf-8"))]


def test_every_page_has_a_picture_and_every_picture_a_page() -> None:
    assert [page.stem for page in PAGES] == NAMES
    for page in PAGES:
        assert IMAGE.search(page.read_text(encoding="utf-8")), page
    used = {target.rpartition("/")[2] for _, target in images()}
    assert used == {file.name for file in PICTURES.iterdir()}


def test_pictures_are_those_that_are_drawn_now(drawn: Path) -> None:
    stored = {file.name: file.read_text(encoding="utf-8") for file in PICTURES.glob("*.svg")}
    assert {file.name: file.read_text(encoding="utf-8") for file in drawn.iterdir()} == stored


def test_pictures_have_words_and_both_schemes_and_request_nothing() -> None:
    files = sorted(PICTURES.glob("*.svg"))
    assert len(files) > 3
    for file in files:
        text = file.read_text(encoding="utf-8")
        root = ElementTree.fromstring(text)
        for name in ("title", "desc"):
            assert root.findtext(f"{{http://www.w3.org/2000/svg}}{name}")
        assert "prefers-color-scheme:dark" in text
        links = re.findall(r"https?://[^\"]+", text)
        assert links == ["http://www.w3.org/2000/svg"]
        assert not re.search(r"href|url\(|@import|<script|<image", text)


def test_numbers_of_alternative_texts_are_those_of_the_pictures() -> None:
    checked = 0
    for words, target in images():
        if not target.endswith(".svg"):
            continue
        file = PICTURES / target.rpartition("/")[2]
        drawn_words = " ".join(ElementTree.fromstring(file.read_text(encoding="utf-8")).itertext())
        for number in re.findall(r"\d+\.\d+", words):
            assert number in drawn_words, f"{file.name}: {number}"
            checked += 1
    assert checked > 3


def test_screenshots_are_small_pictures() -> None:
    for name in explained_pictures.SCREENSHOTS:
        content = (PICTURES / name).read_bytes()
        assert content.startswith(b"\x89PNG\r\n")
        assert len(content) < 150_000
        width, height = struct.unpack(">II", content[16:24])
        assert width == 1000
        assert 500 < height < 1000


def test_a_page_has_the_calculator_with_its_sentences() -> None:
    text = (ROOM / "bleu.md").read_text(encoding="utf-8")
    (frame,) = re.findall(r"<iframe [^>]+></iframe>", text)
    assert re.search(r'title="[^"]{10,}"', frame)
    # Zensical makes addresses of the site from those of the folder.
    (source,) = re.findall(r'src="([^"]+)"', frame)
    address, _, link = source.partition("#")
    assert (ROOM / address).is_file()
    assert f"]({address})" in text
    state = json.loads(base64.urlsafe_b64decode(link + "=" * (-len(link) % 4)))
    (reference,) = state["references"]
    assert f"| hypothesis | {state['hypothesis']} |" in text
    assert f"| reference | {reference} |" in text
    (metric,) = state["metrics"]
    score = bleuet.make_metric(metric["name"]).sentence_score(state["hypothesis"], [reference])
    assert f"{score.score:.1f} above" in text


def test_an_n_gram_that_is_counted_otherwise_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explained_pictures, "grams_of", lambda *_: [])
    with pytest.raises(ValueError, match="does not count as bleuet does"):
        explained_pictures.clipping()
