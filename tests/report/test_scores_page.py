"""External scores in the page: sorted, filtered and drawn; a missing score is an empty cell."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.comparison import Comparison, compare
from bleuet.report import Report
from bleuet.significance import SegmentMean, TestSettings
from tests.report.browser import Opened, open_page
from tests.report.page_contents import read_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.browser
SEGMENTS = 60
SYSTEMS = ("one", "two", "three")
# Where each number begins and ends, and whether it is seen.
SPANS = """labels => labels.map((one) => {
  const {left, right} = one.getBoundingClientRect();
  return [left, right, Number(one.getAttribute("opacity") ?? 1)];
})"""
MEANS = (0.8998, 0.8908, 0.8763)
NASTY = "</script><img src=x onerror=alert(1)>{left}"


def columns() -> dict[str, list[float | None]]:
    """Return scores with four digits that differ in the last two, and gaps, which are not alike."""
    draw = random.Random(5)
    return {
        name: [
            None if draw.random() < 0.2 else round(0.8 + draw.randint(-99, 99) / 1e4, 4)
            for _ in range(SEGMENTS)
        ]
        for name in SYSTEMS
    }


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    draw = random.Random(6)
    words = ["the", "cat", "sat", "under", "a", "tree", "."]
    references = [" ".join(draw.choices(words, k=6)) for _ in range(SEGMENTS)]
    texts = {name: [text[: -2 * n - 1] for text in references] for n, name in enumerate(SYSTEMS)}
    labels = {"half": ["first" if row < SEGMENTS / 2 else "second" for row in range(SEGMENTS)]}
    errors = {name: [0 if score is None else 3 for score in own] for name, own in columns().items()}
    found = compare(
        texts,
        references,
        ["chrf"],
        by=["length=3"],
        labels=labels,
        scores={"COMET": columns(), SegmentMean("MQM", higher_is_better=False): errors},
    )
    return found.tested(TestSettings(draws=50))


@pytest.fixture
def opened(
    chromium: Any, comparison: Comparison, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Opened]:
    path = tmp_path_factory.mktemp("pages") / "scores.html"
    found = open_page(chromium, path, Report(comparison).to_html())
    found.page.locator("#metric").select_option(label="COMET")
    yield found
    found.assert_quiet()
    found.page.context.close()


def ordered(keys: list[float | None], sign: int) -> list[int]:
    """Return the segments in order, those without a number last either way."""
    return [
        row + 1
        for row in sorted(
            range(SEGMENTS), key=lambda row: (keys[row] is None, sign * (keys[row] or 0), row)
        )
    ]


def all_pages(opened: Opened) -> list[int]:
    found = opened.segments
    following = opened.page.locator("nav.pages [aria-label='next page']:enabled").first
    while following.is_visible():
        following.click()
        found += opened.segments
    return found


def test_sorted_with_all_digits_and_gaps_last(opened: Opened) -> None:
    one = columns()["one"]
    opened.page.locator("#sort").select_option("0")
    assert all_pages(opened) == ordered(one, 1)
    opened.page.locator("#direction").click()
    assert all_pages(opened) == ordered(one, -1)
    # The last page shows the gaps: an empty cell, the counts of n-grams, and a word above.
    last = [segment for segment in opened.segments if one[segment - 1] is None]
    assert last
    for segment in last:
        lines = opened.lines(segment)
        assert lines["one"]["score"] == ""
        assert lines["one"]["counts"]
        heading = opened.page.locator(f"#segment-{segment} .segment").inner_text()
        assert "no COMET score" in heading
        assert "better by" not in heading
        assert lines["three"]["score"] == shown(columns()["three"][segment - 1])


def shown(score: float | None) -> str:
    return "" if score is None else f"{score:.4f}"


def test_sorted_by_the_lead(opened: Opened) -> None:
    one, two = columns()["one"], columns()["two"]
    leads = [
        None if a is None or b is None else round(a - b, 4) for a, b in zip(one, two, strict=True)
    ]
    opened.page.locator("#sort").select_option("lead")
    found = all_pages(opened)
    assert found == ordered(leads, -1)
    opened.page.get_by_role("button", name="first page").first.click()
    heading = opened.page.locator(f"#segment-{found[0]} .segment").inner_text()
    assert f"one is better by {leads[found[0] - 1]:.4f}" in heading


def test_filtered_by_score_and_by_who_is_ahead(opened: Opened) -> None:
    page, own = opened.page, columns()
    page.locator("#filters summary").click()
    page.locator("#sort").select_option("segment")
    page.locator("#score-of").select_option("1")
    page.locator("#low").fill("0.7985")
    page.locator("#high").fill("0.8055")
    expected = [i + 1 for i, s in enumerate(own["two"]) if s is not None and 0.7985 <= s <= 0.8055]
    assert all_pages(opened) == expected
    page.locator("#reset").click()
    both = list(enumerate(zip(own["one"], own["two"], strict=True), 1))
    for who, keeps in (("left", 1), ("right", -1), ("same", 0)):
        page.locator("#ahead").select_option(who)
        expected = [
            segment
            for segment, (a, b) in both
            if a is not None and b is not None and (a > b) - (a < b) == keeps
        ]
        assert all_pages(opened) == expected


def test_charts_leave_gaps_out(opened: Opened, comparison: Comparison) -> None:
    page = opened.page
    page.locator("#chart-metric").select_option("COMET")
    page.locator("#histogram-chart text", has_text="sentence COMET").first.wait_for()
    page.locator("#chart-division").select_option("1")
    page.locator("#buckets-chart text", has_text="second").wait_for()
    # Points, for bars would grow from a 0 that is no score's end.
    assert page.locator("#buckets-chart .mark-symbol.role-mark path").count() == 2 * len(SYSTEMS)
    labels = page.locator("#scores-charts .chart").nth(1).locator(".mark-text text")
    labels.first.wait_for()
    scores = [f"{own[1].score:.4f}" for own in comparison.scores]
    assert set(scores) <= set(labels.all_text_contents())
    page.locator("#scatter-chart canvas").wait_for()
    rows = [list(pair) for pair in zip(columns()["one"], columns()["two"], strict=True)]
    drawn = Report(comparison).charts()["scatter-1-2-COMET"].rows
    assert [[row["left"], row["right"]] for row in drawn] == [r for r in rows if None not in r]


def test_numbers_on_an_axis_do_not_touch(chromium: Any, tmp_path: Path) -> None:
    # An axis from 0.870 to 0.905, with numbers that fill the width of a telephone.
    scores = {
        name: [mean - 0.012, mean + 0.012] * 9 for name, mean in zip("abc", MEANS, strict=True)
    }
    found = compare({name: ["a b"] * 18 for name in "abc"}, ["a b"] * 18, [], scores={"M": scores})
    opened = open_page(
        chromium,
        tmp_path / "axis.html",
        Report(found.tested(TestSettings(draws=50))).to_html(),
        viewport={"width": 350, "height": 900},
    )
    axis = opened.page.locator("#scores-charts .role-axis-label").first
    labels = axis.locator("text").evaluate_all(SPANS)
    shown = sorted((left, right) for left, right, opacity in labels if opacity > 0)
    assert len(shown) > 1
    assert all(one[1] + 5 < other[0] for one, other in pairwise(shown))
    opened.assert_quiet()
    opened.page.context.close()


def test_the_legend_says_what_is_underlined_in_a_third_system(opened: Opened) -> None:
    legend = opened.page.locator("#legend").inner_text()
    assert "in further systems: not in the first system of the pair" in legend


def test_the_page_says_what_the_scores_are(opened: Opened) -> None:
    notes = opened.page.locator(".reading").inner_text()
    assert "COMET is compared on the segments that all systems have a score for" in notes
    assert "MQM counts errors: lower is better." in notes


def test_no_segment_in_common_and_a_hostile_name(chromium: Any, tmp_path: Path) -> None:
    texts = {"one": ["a b c d", "e f g"], "two": ["a b c", "e f"]}
    scores = {NASTY: {"one": [0.5, None], "two": [None, 0.25]}}
    for metrics in ([], ["chrf"]):
        found = compare(texts, ["a b c d", "e f g h"], metrics, scores=scores).tested(
            TestSettings(draws=20)
        )
        html = Report(found).to_html()
        assert read_page(html)["scores"][0][len(metrics)] == [0.5, None]
        opened = open_page(chromium, tmp_path / "nothing.html", html)
        opened.page.locator("#metric").select_option(label=NASTY)
        if metrics:
            opened.page.locator("#chart-metric").select_option(label=NASTY)
        for division in range(len(found.breakdowns)):
            opened.page.locator("#chart-division").select_option(str(division))
        assert (
            "No segment has a score of both systems."
            in opened.page.locator("#scatter").inner_text()
        )
        assert opened.segments == [1, 2]
        assert f"no {NASTY} score of two" in opened.page.locator("#segment-1 .segment").inner_text()
        opened.page.wait_for_timeout(200)
        opened.assert_quiet()
        opened.page.context.close()
