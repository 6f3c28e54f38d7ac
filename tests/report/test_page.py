"""The page in a browser: charts, sorting, filters and searching, and nothing that leaves it."""

from __future__ import annotations

import csv
import json
import random
import re
from importlib.resources import files
from io import StringIO
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU
from bleuet.comparison import Comparison, compare
from bleuet.metrics.bleu.metric import BLEUScore
from bleuet.report import Report
from bleuet.report.page import page_data as page_data_module
from bleuet.report.page.kept import kept_segments
from bleuet.report.page.page_data import packed_data, page_data
from bleuet.significance import TestSettings
from tests.patience import PATIENCE
from tests.report.browser import Opened, open_page
from tests.report.page_contents import read_packed

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser
PAGE = 25
SCORES = "#scores-title + .beside tbody tr"
PAGE_FOLDER = files("bleuet.report.page")
# Where each table begins, and how high its title is.
PLACES = """tables => tables.map((one) => [
  one.getBoundingClientRect().top, one.querySelector("caption").getBoundingClientRect().height,
])"""
WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "house",
    "river",
    "old",
    "new",
    "sees",
    "under",
    "over",
    ",",
    ".",
    "sat",
]
NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;"
RIGHT_TO_LEFT = "\u202eevil\u202c {right} \u05d0\u05d1"


def corpus(segments: int, systems: int) -> tuple[dict[str, list[str]], list[list[str]]]:
    draw = random.Random(7)

    def text() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(0, 14)))

    references = [[text() or "one", text() or "two"] for _ in range(segments)]
    hypotheses = {
        f"system {number}": [
            " ".join(word for word in own[0].split() if draw.random() > 0.15 * number) + text()[:9]
            for own in references
        ]
        for number in range(1, systems + 1)
    }
    return hypotheses, references


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    hypotheses, references = corpus(segments=60, systems=3)
    labels = {"domain": ["news" if row % 3 else "chat" for row in range(60)]}
    found = compare(hypotheses, references, ["bleu", "ter"], by=["length=5,10"], labels=labels)
    return found.tested(TestSettings(test="bootstrap", draws=200))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def opened(chromium: Any, comparison: Comparison, folder: Path) -> Iterator[Opened]:
    found = open_page(chromium, folder / "page.html", Report(comparison, command="do it").to_html())
    yield found
    found.assert_quiet()
    found.page.context.close()


def of_sentences(comparison: Comparison, system: int, metric: int) -> list[float]:
    scores = comparison.evaluation.sentence_scores[system][metric]
    return [round(score, 2) for score in scores if score is not None]


def ordered(keys: list[float], *, largest_first: bool) -> list[int]:
    sign = -1 if largest_first else 1
    return [row + 1 for row in sorted(range(len(keys)), key=lambda row: (sign * keys[row], row))]


def test_charts_are_drawn(opened: Opened, comparison: Comparison) -> None:
    page = opened.page
    page.locator("#scatter-chart canvas").wait_for()
    points = page.locator("#scores-charts .chart").nth(1).locator(".mark-symbol path")
    points.first.wait_for()
    assert points.count() == len(comparison.systems)
    page.locator("#buckets-chart .mark-rect path").first.wait_for()
    buckets = len(comparison.breakdown("length").labels)
    assert page.locator("#buckets-chart .mark-rect.role-mark path").count() == 3 * buckets
    page.locator("#chart-division").select_option("1")
    page.locator("#buckets-chart text", has_text="chat").wait_for()
    page.locator("#chart-metric").select_option("TER")
    page.locator("#histogram-chart text", has_text="sentence TER").first.wait_for()


def test_a_bar_that_is_clicked_shows_its_sentences(opened: Opened) -> None:
    page = opened.page
    page.locator("#chart-division").select_option("1")
    page.locator("#chart-metric").select_option("TER")
    page.locator("#buckets-chart text", has_text="chat").wait_for()
    bars = page.locator("#buckets-chart path[aria-roledescription=bar]")
    named = bars.evaluate_all("bars => bars.map((bar) => bar.ariaLabel)")
    bars.nth(next(i for i, name in enumerate(named) if "bucket: chat" in name)).click()
    page.locator("#count", has_text="20 of 60 segments").wait_for()
    assert page.locator("#metric option:checked").inner_text() == "TER"
    assert all(segment % 3 == 1 for segment in opened.segments)
    assert page.locator("#divisions select").nth(1).is_visible()
    assert page.locator("#divisions select").nth(1).locator("option:checked").inner_text() == "chat"
    bars.nth(next(i for i, name in enumerate(named) if "bucket: news" in name)).click()
    page.locator("#count", has_text="40 of 60 segments").wait_for()


def test_a_bin_that_is_clicked_shows_its_sentences(opened: Opened, comparison: Comparison) -> None:
    page = opened.page
    plot = page.locator("#histogram-chart .mark-group.role-frame.root .background").first
    (found,) = [one for one in comparison.histograms if one.metric == "BLEU"]
    scores = [of_sentences(comparison, system, 0) for system in range(3)]
    bins = list(pairwise(found.edges))
    for number in (0, 3, len(bins) - 1):
        low = -inf if number == 0 else bins[number][0]
        high = inf if number == len(bins) - 1 else bins[number][1]
        expected = sum(any(low <= one < high for one in same) for same in zip(*scores, strict=True))
        assert 0 < expected < 60
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        # At the top, where no line is.
        page.mouse.click(box["x"] + (number + 0.5) / len(bins) * box["width"], box["y"] + 3)
        page.locator("#count", has_text=f"{expected} of 60 segments").wait_for(
            timeout=1000 * PATIENCE
        )


def test_bars_of_other_segments_by_system_select_nothing(chromium: Any, folder: Path) -> None:
    hypotheses, references = corpus(segments=30, systems=2)
    found = compare(hypotheses, references, ["bleu"], by=["hypothesis-length=5,10"])
    opened = open_page(chromium, folder / "own.html", Report(found).to_html())
    bars = opened.page.locator("#buckets-chart path[aria-roledescription=bar]")
    bars.first.wait_for()
    assert opened.page.locator("#bars").is_hidden()
    bars.last.click()
    assert opened.page.locator("#count").inner_text() == "30 segments"
    opened.assert_quiet()
    opened.page.context.close()


def test_a_scatter_chart_draws_an_even_sample_of_many_segments(
    chromium: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_data_module, "MOST_POINTS", 10)
    hypotheses, references = corpus(segments=25, systems=2)
    html = Report(compare(hypotheses, references, ["bleu"])).to_html()
    opened = open_page(chromium, folder / "sample.html", html)
    said = "Each of 10 segments, an even sample of all, is a point."
    opened.page.locator("#points", has_text=said).wait_for()
    opened.assert_quiet()
    opened.page.context.close()


def test_scores_have_intervals_and_a_verdict(opened: Opened, comparison: Comparison) -> None:
    assert comparison.significance is not None
    for name in comparison.systems:
        shown = opened.page.locator(SCORES, has_text=name).inner_text().split()
        for metric in comparison.metrics:
            interval = comparison.significance.score(name, metric).interval
            assert interval is not None
            assert f"{interval.score:.2f}" in shown
            assert f"{interval.half_width:.2f}" in shown
    assert "is significantly better than" in opened.page.locator(".verdicts").inner_text()
    assert "do it" in opened.page.locator("#command").inner_text()


def test_scores_are_ranked_with_lines_between_clusters(
    opened: Opened, comparison: Comparison
) -> None:
    page = opened.page
    names = page.locator(f"{SCORES} th")
    for number, ranking in enumerate(comparison.clusters):
        if number:
            page.get_by_role("button", name=ranking.metric, exact=True).click()
        best_first = [one.system for one in ranking.systems]
        assert names.all_inner_texts() == best_first
        ends = [
            one.system for one, after in pairwise(ranking.systems) if one.cluster != after.cluster
        ]
        assert ends
        assert page.locator(f"{SCORES}.cluster-end th").all_inner_texts() == ends
        head = page.locator("#scores-title + .beside thead th", has_text=ranking.metric)
        higher = comparison.evaluation.metrics[number].higher_is_better
        assert head.get_attribute("aria-sort") == ("descending" if higher else "ascending")
        head.get_by_role("button").click()
        assert names.all_inner_texts() == best_first[::-1]
    page.get_by_role("button", name="system", exact=True).click()
    assert names.all_inner_texts() == list(comparison.systems)
    assert page.locator(".cluster-end").count() == 0


def test_a_score_leads_to_the_sentences_behind_it(opened: Opened, comparison: Comparison) -> None:
    (best, *_, worst) = [one.system for one in comparison.clusters[0].systems]
    opened.page.locator(SCORES, has_text=worst).locator("button").first.click()
    opened.page.locator("#quick [aria-pressed=true]", has_text=f"Where {worst} is worse").wait_for()
    assert opened.page.locator("#left option:checked").inner_text() == best
    evaluation = comparison.evaluation
    places = [comparison.systems.index(name) for name in (best, worst)]
    one, other = (evaluation.contributions[place][0] for place in places)
    moved = [(x or 0) - (y or 0) for x, y in zip(one, other, strict=True)]
    assert opened.segments == ordered(moved, largest_first=True)[:PAGE]


def test_the_parts_of_a_difference_add_up(opened: Opened, comparison: Comparison) -> None:
    page = opened.page
    for left, right in ((0, 1), (2, 0)):
        page.locator("#why-left").select_option(str(left))
        page.locator("#why-right").select_option(str(right))
        rows = [
            [cell.strip() for cell in row.split("\t")]
            for row in page.locator("#why-table tbody tr").all_inner_texts()
        ]
        names = [row[0] for row in rows]
        assert names == [*(f"{n}-gram precision" for n in range(1, 5)), *names[4:]]
        assert names[4:] == ["brevity penalty", "length ratio", "BLEU"]
        score = comparison.scores[left][0]
        assert isinstance(score, BLEUScore)
        assert [float(row[1]) for row in rows[:4]] == [round(p, 3) for p in score.precisions]
        points = [float(row[3].replace("−", "-")) for row in rows if len(row) > 3]
        difference = score.score - comparison.scores[right][0].score
        assert points[-1] == pytest.approx(difference, abs=0.0051)
        assert sum(points[:-1]) == pytest.approx(difference, abs=0.03)
        # The pair is that of the sentences, too.
        assert page.locator("#left").input_value() == str(left)
    page.locator("#why-metric").select_option("1")
    assert page.locator("#why").is_hidden()


def test_sorting(opened: Opened, comparison: Comparison) -> None:
    bleu = [of_sentences(comparison, system, 0) for system in range(3)]
    lead = [round(one - other, 2) for one, other in zip(bleu[0], bleu[1], strict=True)]
    length = [len(own[0]) for own in comparison.texts.tokens.references]
    page, sort = opened.page, opened.page.locator("#sort")
    one, other = (comparison.evaluation.contributions[system][0] for system in range(2))
    effect = [x - y for x, y in zip(one, other, strict=True) if x is not None and y is not None]
    assert opened.segments == ordered(list(map(abs, effect)), largest_first=True)[:PAGE]
    for option, keys, largest_first in (
        ("contribution", effect, True),
        ("difference", list(map(abs, lead)), True),
        ("lead", lead, True),
        ("length", [float(number) for number in length], False),
        ("2", bleu[2], False),
    ):
        sort.select_option(option)
        assert opened.segments == ordered(keys, largest_first=largest_first)[:PAGE]
    page.locator("#direction").click()
    assert opened.segments == ordered(bleu[2], largest_first=True)[:PAGE]
    page.get_by_role("button", name="next page").first.click()
    assert opened.segments == ordered(bleu[2], largest_first=True)[PAGE : 2 * PAGE]


def test_where_a_system_got_worse(opened: Opened, comparison: Comparison) -> None:
    evaluation = comparison.evaluation

    def lead(rows: list[int]) -> float:
        one, other = (evaluation.scores_of(name, rows)[0] for name in comparison.systems[:2])
        assert one is not None
        assert other is not None
        return one.score - other.score

    every = list(range(evaluation.segments))
    moved = [lead(every) - lead([*every[:row], *every[row + 1 :]]) for row in every]
    opened.page.get_by_role("button", name="Where system 2 is worse").click()
    worst = ordered([round(one, 9) for one in moved], largest_first=True)
    assert opened.segments[:5] == worst[:5]
    heading = opened.page.locator(f"#segment-{worst[0]} .segment").inner_text()
    size = moved[worst[0] - 1]
    assert f"moves the difference of all segments by {size:.4f} towards system 1" in heading
    opened.page.get_by_role("button", name="Where system 2 is better").click()
    assert opened.segments[:5] == ordered([round(one, 9) for one in moved], largest_first=False)[:5]


def test_the_state_is_in_the_address(opened: Opened, chromium: Any) -> None:
    page = opened.page
    page.locator("#right").select_option("2")
    page.locator("#metric").select_option("1")
    page.locator("#query").fill("cat")
    page.locator("#filters summary").click()
    page.locator("#divisions select").nth(1).select_option(label="chat")
    page.get_by_label("system 2").last.uncheck()
    page.locator("#chart-metric").select_option("TER")
    page.locator("#chart-division").select_option(label="domain")
    page.locator("#sort").select_option("length")
    ranked = page.locator(f"{SCORES} th").all_inner_texts()
    page.locator("#scores-title + .beside thead button").nth(1).click()
    assert page.locator(f"{SCORES} th").all_inner_texts() == ranked[::-1]
    shown, address = opened.segments, page.url
    other = chromium.new_page()
    other.goto(address)
    other.locator(".segment b").first.wait_for()
    segments = [int(text.split()[1]) for text in other.locator(".segment b").all_inner_texts()]
    assert segments == shown
    assert other.locator("#query").input_value() == "cat"
    assert other.locator("#right").input_value() == "2"
    assert other.locator("#sort").input_value() == "length"
    other.locator("#buckets-chart text", has_text="chat").wait_for()
    other.locator("#histogram-chart text", has_text="sentence TER").first.wait_for()
    assert "system 2" not in other.locator("tbody").last.inner_text()
    assert other.locator(f"{SCORES} th").all_inner_texts() == ranked[::-1]
    other.context.close()
    page.go_back()
    page.wait_for_function("() => !location.hash.includes('turned')")
    assert page.locator(f"{SCORES} th").all_inner_texts() == ranked
    page.go_back()
    page.locator("#sort").filter(has=page.locator("option:checked[value=impact]")).wait_for()
    assert page.locator("#query").input_value() == "cat"
    page.evaluate("location.hash = 'left=99&metric=x&sort=no&buckets=7+8&page=3&low=a'")
    page.locator("#count").filter(has_text="60 segments").wait_for()
    assert page.locator("#left").input_value() == "0"
    # Another spelling of an address adds no entry to the history, which would keep Back there.
    page.go_back()
    page.wait_for_function("() => document.getElementById('query').value === 'cat'")


def test_an_ngram_that_is_clicked_is_searched(opened: Opened, comparison: Comparison) -> None:
    gained = comparison.pairs[0].gained
    opened.page.locator("#ngrams summary").click()
    buttons = opened.page.locator("#ngram-lists > div").first.locator("button")
    assert buttons.first.inner_text() == gained[0].text
    buttons.first.click()
    assert opened.page.locator("#query").input_value() == gained[0].text
    opened.page.locator("#hits").filter(has_text="found").wait_for()
    assert len(opened.segments) > 0


def test_words_beneath_each_other(chromium: Any, folder: Path) -> None:
    systems = {"one": ["The cat sat on the mat ."], "two": ["A cat on the the mat ."]}
    page = Report(compare(systems, ["The cat sat on the mat ."], ["bleu"])).to_html()
    opened = open_page(chromium, folder / "aligned.html", page)
    opened.page.get_by_role("button", name="Word by word").click()
    columns = opened.page.locator(".alignment .words:not(.names)").evaluate_all(
        """columns => columns.map((one) => [...one.children].map(
          (word) => word.textContent + '/' + word.className))"""
    )
    assert columns == [
        ["The/", "The/equal", "A/substituted"],
        ["cat/", "cat/equal", "cat/equal"],
        ["sat/", "sat/equal", "–/deleted"],
        ["on/", "on/equal", "on/equal"],
        ["/", "/", "the/inserted"],
        ["the/", "the/equal", "the/equal"],
        ["mat/", "mat/equal", "mat/equal"],
        ["./", "./equal", "./equal"],
    ]
    opened.page.get_by_role("button", name="Word by word").click()
    assert opened.page.locator(".alignment").count() == 0
    opened.assert_quiet()
    opened.page.context.close()


def test_a_source_stands_above_and_texts_run_as_their_column_does(
    chromium: Any, folder: Path
) -> None:
    arabic, latin = "\u0647\u0630\u0627 \u0628\u064a\u062a", "NATO"
    references = [f"{latin} {arabic}", arabic, arabic]
    systems = {"one": [latin, arabic, arabic], "two": [arabic, f"{latin} {arabic}", arabic]}
    sources = ["One house.", "Two.", "Three."]
    page = Report(compare(systems, references, ["chrf"], sources=sources)).to_html()
    opened = open_page(chromium, folder / "rtl.html", page)
    rows = opened.page.locator("#segment-1 tr:not(.segment)")
    assert rows.locator("th").all_inner_texts() == ["source", "reference", "one", "two"]
    cells = opened.page.locator("td.text")
    directions = cells.evaluate_all("cells => cells.map((cell) => cell.dir)")
    assert directions == 3 * ["ltr", "rtl", "rtl", "rtl"]
    opened.page.context.close()


def test_documents_are_a_filter(chromium: Any, folder: Path) -> None:
    texts = [f"Line {number} of a text." for number in range(12)]
    documents = ["first", "second", "first"] * 4
    found = compare({"one": texts, "two": texts[::-1]}, texts, ["chrf"], documents=documents)
    opened = open_page(chromium, folder / "documents.html", Report(found).to_html())
    opened.page.locator("#filters summary").click()
    opened.page.locator("#divisions").get_by_label("document").select_option(label="second")
    opened.page.locator("#count").filter(has_text="4 of 12").wait_for()
    assert sorted(opened.segments) == [2, 5, 8, 11]
    opened.page.context.close()


def test_warnings_stand_above_the_scores(chromium: Any, folder: Path) -> None:
    references = ["\u6211\u4eec\u56de\u5bb6\u3002", "\u4eca\u5929\u5929\u6c14\u597d\u3002"] * 6
    systems = {"one": references[::-1], "copy": references}
    page = Report(compare(systems, references, ["bleu"])).to_html()
    opened = open_page(chromium, folder / "warned.html", page)
    warnings = opened.page.locator(".warnings li").all_inner_texts()
    assert [one.partition(",")[0] for one in warnings] == [
        "the references are in Chinese",
        "copy is the same as a reference",
    ]
    opened.page.context.close()


def test_print_keeps_highlights_and_the_whole_table(opened: Opened) -> None:
    page = opened.page
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 1000})
    match = page.locator(".m4").first
    assert match.evaluate("cell => getComputedStyle(cell).printColorAdjust") == "exact"
    table = page.locator("#scores-title + .beside table").first
    assert table.evaluate("one => one.getBoundingClientRect().right") <= 680
    assert page.locator("#quick").is_hidden()


def saved(page: Any, label: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=label, exact=True).first.click()
    content: bytes = Path(download.value.path()).read_bytes()
    return content


def test_tables_charts_and_sentences_are_saved(opened: Opened, comparison: Comparison) -> None:
    page = opened.page
    assert saved(page, "save the chart scores BLEU as SVG").startswith(b"<svg")
    assert saved(page, "save the chart scores BLEU as PNG").startswith(b"\x89PNG")
    shown = comparison.show("scores")
    assert saved(page, "save Scores as CSV").decode() == shown.to_csv()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="copy Scores as LaTeX", exact=True).click()
    page.get_by_text("copied").first.wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == shown.to_latex()
    page.locator("#sort").select_option("segment")
    page.locator("#query").fill("cat")
    page.locator("#hits").filter(has_text="found").wait_for()
    rows = list(csv.DictReader(StringIO(saved(page, "save these segments as CSV").decode())))
    found = [row for row in rows if "cat" in " ".join(map(str, row.values())).lower()]
    assert found == rows
    assert len(rows) > PAGE
    for row in rows:
        place = int(row["segment"]) - 1
        assert row["reference 2"] == comparison.texts.references[place][1]
        assert row["system 3"] == comparison.texts.hypotheses[2][place]
        assert float(row["BLEU of system 3"]) == of_sentences(comparison, 2, 0)[place]


def test_another_pair_and_metric(opened: Opened, comparison: Comparison) -> None:
    ter = [of_sentences(comparison, system, 1) for system in range(3)]
    # For TER lower is better, and who is lower leads.
    lead = [round(other - one, 2) for one, other in zip(ter[2], ter[1], strict=True)]
    opened.page.locator("#left").select_option("2")
    opened.page.locator("#metric").select_option("1")
    opened.page.locator("#sort").select_option("lead")
    assert opened.segments == ordered(lead, largest_first=True)[:PAGE]


def test_filters(opened: Opened, comparison: Comparison) -> None:
    page = opened.page
    bleu = [of_sentences(comparison, system, 0) for system in range(3)]
    page.locator("#filters summary").click()
    page.locator("#sort").select_option("segment")
    page.locator("#score-of").select_option("1")
    page.locator("#low").fill("20")
    page.locator("#high").fill("60.5")
    expected = [row + 1 for row, score in enumerate(bleu[1]) if 20 <= score <= 60.5]
    assert opened.segments == expected[:PAGE]
    page.locator("#divisions select").nth(1).select_option(label="chat")
    expected = [segment for segment in expected if (segment - 1) % 3 == 0]
    assert opened.segments == expected[:PAGE]
    page.locator("#ahead").select_option("left")
    expected = [segment for segment in expected if bleu[0][segment - 1] > bleu[1][segment - 1]]
    assert opened.segments == expected[:PAGE]
    assert page.locator("#count").inner_text() == f"{len(expected)} of 60 segments"
    page.locator("#reset").click()
    assert page.locator("#count").inner_text() == "60 segments"
    page.get_by_label("system 3").last.uncheck()
    assert "system 3" not in opened.lines(opened.segments[0])


def test_searching(opened: Opened, comparison: Comparison) -> None:
    page = opened.page
    page.locator("#sort").select_option("segment")
    page.locator("#query").fill("Cat SEES")
    compared = comparison.texts
    expected = []
    for row, references in enumerate(compared.references):
        texts = [*references, *(own[row] for own in compared.hypotheses)]
        if any("cat sees" in text for text in texts):
            expected.append(row + 1)
    assert expected
    assert opened.segments == expected[:PAGE]
    assert page.evaluate("() => CSS.highlights.get('search').size") > 0
    page.locator("#query").fill("no such words")
    assert opened.segments == []
    assert "No segment" in page.locator("#table").inner_text()


def test_matches_are_those_that_bleu_counts(opened: Opened, comparison: Comparison) -> None:
    compared = comparison.texts
    metric = BLEU(effective_order=True)
    for segment in opened.segments:
        lines = opened.lines(segment)
        for system, name in enumerate(comparison.systems):
            text = compared.hypotheses[system][segment - 1]
            score = metric.sentence_score(text, list(compared.references[segment - 1]))
            pairs = zip(score.counts, score.totals, strict=True)
            counts = " ".join(f"{count}/{total}" for count, total in pairs if total)
            shown = {"score": f"{score.score:.2f}", "counts": counts, "text": text or "(empty)"}
            assert lines[name] == shown


def test_hits_are_counted_and_enter_goes_to_the_first(
    opened: Opened, comparison: Comparison
) -> None:
    page = opened.page
    page.locator("#query").fill("Cat")
    compared = comparison.texts
    texts = [
        [*references, *(own[row] for own in compared.hypotheses)]
        for row, references in enumerate(compared.references)
    ]
    hits = [sum(text.count("cat") for text in own) for own in texts]
    found = page.locator("#hits").inner_text()
    assert found.startswith(f"found {sum(hits)} times, in {sum(map(bool, hits))} segments")
    page.locator("#query").press("Enter")
    top = page.locator(".segment").first.evaluate("(one) => one.getBoundingClientRect().top")
    assert -200 < top < page.viewport_size["height"]
    # Texts that are not shown are not searched.
    page.locator("#filters summary").click()
    page.get_by_label("system 3").last.uncheck()
    shown = [sum(text.count("cat") for text in own[:-1]) for own in texts]
    assert sum(shown) < sum(hits)
    assert page.locator("#hits").inner_text().startswith(f"found {sum(shown)} times")
    page.locator("#query").fill("no such words")
    assert page.locator("#hits").inner_text() == "not found"
    assert "“no such words”" in page.locator("#table").inner_text()
    page.get_by_role("button", name="Clear the search").click()
    assert page.locator("#hits").inner_text() == ""
    assert len(opened.segments) == PAGE


def test_hits_are_highlighted_where_lower_case_is_longer(chromium: Any, folder: Path) -> None:
    texts = ["In \u0130stanbul and in \u0130zmir the cat sat"]
    opened = open_page(
        chromium, folder / "longer.html", Report(compare({"one": texts}, texts, ["bleu"])).to_html()
    )
    opened.page.locator("#query").fill("the cat")
    painted = "() => [...CSS.highlights.get('search')].map((range) => range.toString())"
    assert opened.page.evaluate(painted) == ["the cat"] * 2
    opened.assert_quiet()


def scripts(expression: str) -> str:
    """Return a function of the page's scripts, as a browser evaluates it."""
    names = ("words.js", "sentences.js")
    texts = [PAGE_FOLDER.joinpath(name).read_text("utf-8") for name in names]
    return f"(given) => {{ {' '.join(texts)} return ({expression})(given); }}"


def test_the_page_counts_what_the_comparison_counts(chromium: Any) -> None:
    draw = random.Random(9)
    comparisons = []
    for _ in range(8):
        rows = draw.randint(1, 30)
        # Half of the differences are smaller than the digits that are shown.
        scores: dict[str, list[float | None]] = {
            name: [
                draw.choice([None, 0.5, draw.random(), 0.5 + draw.random() / 1e9])
                for _ in range(rows - 1)
            ]
            + [0.25]
            for name in ("one", "two")
        }
        texts = [
            [" ".join(draw.choices(WORDS, k=draw.randint(0, 33))) for _ in range(rows)]
            for _ in range(3)
        ]
        systems = {"one": texts[0], "two": texts[1]}
        metrics = ["bleu", "chrf", "ter"]
        comparisons.append(compare(systems, texts[2], metrics, scores={"M": scores}))
    pages = [
        {
            **page_data(found),
            **read_packed(packed_data(found, kept_segments(found.texts)), len(found.systems), 4),
        }
        for found in comparisons
    ]
    page = chromium.new_page()
    counted = page.evaluate(
        scripts(
            "(pages) => pages.map((data) => data.metrics.map((_, metric) => [leadsOf(data, "
            "{left: 0, right: 1, metric}), data.scores.map((own) => own[metric].map((score) => "
            "score === null ? null : asText(score, data.metrics[metric].digits)))]))"
        ),
        pages,
    )
    for found, of_page in zip(comparisons, counted, strict=True):
        listed = json.loads(found.show("sentences").to_json())["sentences"][0]["rankings"]
        sentences = found.to_dict(texts=True)["texts"]
        for metric, (ranking, (leads, texts)) in enumerate(zip(listed, of_page, strict=True)):
            expected = {"left": "wins", "right": "losses", "same": "ties"}
            assert leads == {side: ranking[name] for side, name in expected.items()}
            digits = 2 + found.evaluation.extra_digits[metric]
            for name, own in zip(found.systems, texts, strict=True):
                printed = [one["scores"][name][metric] for one in sentences]
                assert own == [None if one is None else f"{one:.{digits}f}" for one in printed]
    page.close()


def test_numbers_are_rounded_as_in_tables(chromium: Any) -> None:
    draw = random.Random(4)
    numbers = [k / 2**n for n in (1, 2, 3, 4, 5, 7) for k in range(-99, 400) if k]
    numbers += [draw.uniform(-200, 200) for _ in range(2000)]
    numbers += [round(draw.uniform(-9, 99), 3) for _ in range(2000)]
    page = chromium.new_page()
    for digits in (2, 3, 4, 6):
        written = page.evaluate(
            scripts(f"(all) => all.map((one) => asText(one, {digits}))"), numbers
        )
        assert written == [f"{one:.{digits}f}" for one in numbers]
    page.close()


def marked(opened: Opened, segment: int, name: str) -> list[tuple[str, str]]:
    line = opened.page.locator(f"#segment-{segment} tr", has_text=name)
    marks = line.locator("td.text span").all()
    return [(mark.get_attribute("class"), mark.inner_text()) for mark in marks]


def test_words_are_coloured_by_their_longest_match(chromium: Any, folder: Path) -> None:
    systems = {
        "one": ["the the cat sat on the mat", "Tom &amp; Ann", "&quot;A&quot; or B &amp; C"],
        "two": ["the cat lay on a mat", "Tom and Ann", "A or"],
    }
    references = ["the cat sat on a mat", "Tom & Ann", '"A" and B & C']
    found = compare(systems, references, ["bleu"])
    opened = open_page(chromium, folder / "marks.html", Report(found).to_html())
    # The reference has one `the`, which belongs to the longer match; the other system's one is
    # compared with the first.
    assert marked(opened, 1, "one") == [
        ("m4", "the cat sat on"),
        ("differs", "the"),
        ("differs", "sat"),
        ("differs", "the"),
        ("m1", "mat"),
    ]
    # The same escapes again and again do not move the marks of the words after them.
    assert marked(opened, 3, "one") == [
        ("m3", "&quot;A&quot;"),
        ("differs", "&quot;"),
        ("differs", "&quot;"),
        ("m3", "B &amp; C"),
        ("differs", "B"),
        ("differs", "&amp;"),
        ("differs", "C"),
    ]
    assert marked(opened, 1, "two") == [
        ("m2", "the cat"),
        ("differs", "lay"),
        ("m3", "on a mat"),
        ("differs", "a"),
    ]
    # The tokenizer reads an escaped mark as the mark.
    assert opened.lines(2)["one"]["text"] == "Tom &amp; Ann"
    assert opened.lines(2)["one"]["counts"] == "3/3 2/2 1/1"
    opened.assert_quiet()


def test_hostile_text_stays_text(chromium: Any, folder: Path) -> None:
    names = [f"{NASTY}{{left}}", RIGHT_TO_LEFT]
    texts = [f"{NASTY} the cat", f"{RIGHT_TO_LEFT} __proto__ constructor \U0001f600 x."]
    systems = {name: [*texts, "ab\u2028c\u0085d\ufeff e"] for name in names}
    references = [[NASTY, "the cat"], ["constructor __proto__ x."], ["{{data}} \\1"]]
    found = compare(systems, references, ["bleu"], labels={NASTY: [NASTY, "toString", ""]})
    html = Report(found.tested(TestSettings(draws=50)), title=NASTY, command=NASTY).to_html()
    opened = open_page(chromium, folder / "hostile.html", html)
    page = opened.page
    assert page.locator("h1").inner_text() == NASTY
    assert page.locator("#command").inner_text() == NASTY
    assert page.locator("#left option").all_inner_texts()[0] == f"{NASTY}{{left}}"
    # Marks of text direction are escaped in names, and isolated in texts.
    assert page.locator("#left option").all_inner_texts()[1].startswith("\\u202eevil")
    for segment in (1, 2, 3):
        lines = opened.lines(segment)
        for name, own in systems.items():
            shown = lines[name.replace("\u202e", "\\u202e").replace("\u202c", "\\u202c")]
            assert shown["text"] == own[segment - 1]
    assert page.locator("img, iframe, script:not([type]) + script + script").count() == 0
    page.locator("#scatter-chart canvas").wait_for()
    page.locator("#scores-charts .mark-symbol path").first.hover()
    assert f"{NASTY}{{left}}" in page.locator("#tooltip").inner_text()
    opened.assert_quiet()


def test_the_policy_forbids_what_is_not_ours(opened: Opened) -> None:
    """Even a script that got into the page would not run, and could tell nobody."""
    policy = opened.page.locator("meta[http-equiv]").get_attribute("content")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    opened.page.evaluate(
        "() => { const planted = document.createElement('script');"
        "planted.textContent = 'document.title = 1';"
        "document.body.append(planted); }"
    )
    assert opened.page.title() != "1"
    assert any("Content Security Policy" in line for line in opened.messages)
    opened.messages.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_and_wide_light_and_dark(
    chromium: Any, comparison: Comparison, folder: Path, scheme: Any
) -> None:
    html = Report(comparison).to_html()
    for width in (1280, 390):
        opened = open_page(
            chromium,
            folder / "looks.html",
            html,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
        )
        page = opened.page
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        paper = "() => getComputedStyle(document.body).backgroundColor"
        before = page.evaluate(paper)
        assert (before == "rgb(255, 255, 255)") == (scheme == "light")
        page.locator("#theme").click()
        assert page.evaluate(paper) != before
        page.locator("#scores-charts svg").first.wait_for()
        page.locator("summary", has_text="All numbers as tables").click()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        tables = page.locator(".tables .scroll").evaluate_all(PLACES)
        assert len({top for top, _ in tables}) < len(tables) or width == 390
        assert all(height < 40 for _, height in tables) or width == 390
        opened.assert_quiet()
        page.context.close()


def test_a_point_leads_to_its_segment(chromium: Any, folder: Path) -> None:
    found = compare({"one": ["a b c d"] * 40, "two": ["a b c e"] * 40}, ["a b c d"] * 40, ["bleu"])
    opened = open_page(chromium, folder / "point.html", Report(found).to_html())
    canvas = opened.page.locator("#scatter-chart canvas")
    canvas.wait_for()
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    # All points lie on one another, at the right end and in the upper half.
    for across in range(int(box["width"]) - 30, int(box["width"]), 3):
        for down in range(100, 200, 5):
            opened.page.mouse.click(box["x"] + across, box["y"] + down)
            if opened.page.evaluate("() => document.activeElement.id").startswith("segment-"):
                tooltip = opened.page.locator("#tooltip").text_content()
                assert re.search(r"BLEU of one 100\.00.*BLEU of two 59\.46", tooltip)
                assert opened.page.locator("#sort").input_value() == "segment"
                return
    pytest.fail("no point could be clicked")


def test_one_system_needs_no_pair(chromium: Any, folder: Path) -> None:
    found = compare({"one": ["a b c d", "e"]}, ["a b c d", "f"], ["bleu"]).tested(
        TestSettings(draws=50)
    )
    opened = open_page(chromium, folder / "single.html", Report(found).to_html())
    assert opened.segments == [1, 2]
    assert not opened.page.locator("#pair, #scatter, #ahead-filter").locator("visible=true").count()
    opened.assert_quiet()


def large(segments: int, systems: int) -> Comparison:
    draw = random.Random(3)
    words = [f"word{number}" for number in range(3000)]
    references = [" ".join(draw.choices(words, k=22)) + "." for _ in range(segments)]
    hypotheses = {
        f"system {number}": [
            f"{text[: 12 * number]} {draw.choice(words)} {text[20 * number :]}"
            for text in references
        ]
        for number in range(1, systems + 1)
    }
    found = compare(hypotheses, references, ["bleu"])
    # The page shows them in folded tables, and they take long to compute.
    vars(found.analyses).update(words=(), pairs=(), surface=((),) * systems)
    return found


def test_ten_thousand_segments_of_five_systems(chromium: Any, folder: Path) -> None:
    html = Report(large(10_000, 5)).to_html()
    assert len(html.encode()) < 20_000_000
    opened = open_page(chromium, folder / "large.html", html)
    opened.page.locator("#scatter-chart canvas").wait_for()
    assert len(opened.segments) == PAGE
    for option in ("3", "length", "difference"):
        opened.page.locator("#sort").select_option(option)
        opened.page.locator(".segment b").first.inner_text()
    opened.page.locator("#query").fill("word17")
    assert re.fullmatch(r"[\d,]+ of 10,000 segments", opened.page.locator("#count").inner_text())
    opened.assert_quiet()
