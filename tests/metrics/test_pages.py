"""Each metric has a page, and all pages have the same parts, pictures and facts that are true."""

from __future__ import annotations

import re
from html import unescape

import pytest

from bleuet.metrics.catalogue import CATALOGUE, NEURAL, find_metric, parse_metric
from tests.documents import anchors, tables
from tests.metrics.guide import FOLDER, OVERVIEW
from website.metric_pictures import EXAMPLES, IMAGE, NAMES, image_line, picture
from website.metric_pictures import FOLDER as PICTURES

pytestmark = pytest.mark.skipif(not OVERVIEW.is_file(), reason="the documentation is not here")

# Pages of what several metrics have.
OF_SEVERAL = {"smoothing", "tokenizers"}
# The pages of metrics that share one with another.
ON_THE_PAGE_OF = {"mean-chrf": "chrf", "exact-match": "token-f1"}
OF_METRICS = sorted(page.stem for page in FOLDER.glob("*.md") if page.stem not in OF_SEVERAL)
PARTS = [
    "How it is counted",
    "Example",
    "Options",
    "The same number elsewhere",
    "Limits and common mistakes",
    "Facts",
]
FACTS = [
    "range",
    "better",
    "score of a corpus",
    "source needed",
    "several references",
    "how words are cut",
    "cost",
    "signature",
]


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def facts_of(name: str) -> dict[str, str]:
    _, _, table = text_of(name).partition("\n## Facts\n")
    ((_, *rows),) = tables(table)
    return {row[0]: row[1] for row in rows}


def test_every_metric_has_a_page() -> None:
    assert {ON_THE_PAGE_OF.get(name, name) for name in (*CATALOGUE, *NEURAL)} == set(OF_METRICS)


def test_the_overview_names_every_page() -> None:
    named = re.findall(r"\]\(metrics/([\w-]+)\.md\)", OVERVIEW.read_text(encoding="utf-8"))
    assert set(named) == {page.stem for page in FOLDER.glob("*.md")}


@pytest.mark.parametrize("name", OF_METRICS)
def test_a_page_has_the_same_parts_as_all(name: str) -> None:
    text = text_of(name)
    titles = re.findall(r"(?m)^## (.+)$", text)
    assert [title for title in titles if title in PARTS] == PARTS
    assert titles[:3] == PARTS[:3]
    # The title, what the metric is for, its paper, and the picture.
    title, intro, paper, image, _ = text.split("\n\n", 4)
    assert title.startswith("# ")
    assert " Use it " in intro.replace("\n", " ") or " Use them " in intro.replace("\n", " ")
    assert re.fullmatch(r"(?s)\*[^*]+\*", paper)
    assert IMAGE.fullmatch(image)
    assert list(facts_of(name)) == FACTS


@pytest.mark.parametrize("name", [one for one in OF_METRICS if one not in NEURAL])
def test_a_page_shows_what_the_metric_does_not_see(name: str) -> None:
    """Of two hypotheses, the worse one has the better score."""
    text = " ".join(text_of(name).split())
    assert text.count("**What it cannot see.**") == 1
    _, _, below = text_of(name).partition("**What it cannot see.**")
    (example,) = re.findall(r"(?s)```python\n(.*?)```", below.partition("\n## ")[0])[:1]
    scores = [float(one) for one in re.findall(r"(?m)^(\d+\.\d\d)\b", example)]
    assert len(scores) == 2
    better, worse = scores if parse_metric(name).higher_is_better else reversed(scores)
    assert better > worse


@pytest.mark.parametrize("name", OF_METRICS)
def test_facts_are_those_of_the_metric(name: str) -> None:
    facts = facts_of(name)
    metric = find_metric(name) if name in NEURAL else parse_metric(name)
    assert facts["better"].split(";")[0] == ("higher" if metric.higher_is_better else "lower")
    if name in NEURAL:
        return
    assert facts["source needed"].startswith("yes") == (metric.reads_sources or name == "errant")
    shown = unescape(facts["signature"]).removeprefix("<code>").removesuffix("</code>")
    assert shown == parse_metric(name).signature().full()


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_what_the_script_makes(name: str) -> None:
    """`python -m website.metric_pictures` writes them, and the lines of pages that show them."""
    svg, words = picture(name)
    assert (PICTURES / f"{name}.svg").read_text(encoding="utf-8") == svg
    assert f"\n{image_line(name, words)}\n" in text_of(name)


def test_every_picture_is_of_an_example() -> None:
    assert {path.stem for path in PICTURES.glob("*.svg")} == set(NAMES)
    assert set(EXAMPLES) == set(NAMES) - set(NEURAL)


@pytest.mark.parametrize("name", NAMES)
def test_pictures_request_nothing_and_follow_the_reader_s_colours(name: str) -> None:
    svg = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert re.findall(r"https?://\S+?(?=\")", svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|<image|<use|url\(|@import|href=", svg)
    assert "prefers-color-scheme:dark" in svg


def test_former_sections_of_the_guide_are_found() -> None:
    """Links of other sites to sections that are pages now end at the row with the page."""
    there = anchors(OVERVIEW)
    for former in ("bleu", "ter", "smoothings-of-nltk", "gleu-of-grammatical-error-correction"):
        assert former in there
    assert len(there) > 40
