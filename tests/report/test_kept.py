"""Of a large test set the page holds the segments that are read."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.comparison import Comparison, compare
from bleuet.report import Report
from bleuet.report.page import kept
from bleuet.report.page.kept import kept_segments
from tests.report.browser import open_page
from tests.report.page_contents import read_page

if TYPE_CHECKING:
    from pathlib import Path

SEGMENTS, ROOM = 300, 60


def comparison(*systems: str) -> Comparison:
    draw = random.Random(2)
    words = ["the", "a", "cat", "dog", "sees", "under", "over", "old", "new", ".", ","]

    def texts() -> list[str]:
        return [" ".join(draw.choices(words, k=draw.randint(3, 9))) for _ in range(SEGMENTS)]

    return compare({name: texts() for name in systems}, texts(), ["bleu", "ter"])


@pytest.fixture
def small_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_SEGMENTS", ROOM)


def test_a_small_test_set_is_kept_whole() -> None:
    found = kept_segments(comparison("one", "two").texts)
    assert found.are_all
    assert list(found.rows) == list(range(SEGMENTS))


@pytest.mark.usefixtures("small_room")
def test_the_largest_differences_and_an_even_sample_are_kept() -> None:
    found = comparison("one", "two", "three")
    rows = set(kept_segments(found.texts).rows)
    assert len(rows) == ROOM
    largest = set()
    for numbers in (found.evaluation.sentence_scores, found.evaluation.contributions):
        for metric in range(2):
            columns = [[one or 0 for one in own[metric]] for own in numbers]
            spread = [max(same) - min(same) for same in zip(*columns, strict=True)]
            order = sorted(range(SEGMENTS), key=lambda row: (-spread[row], row))
            largest.update(order[: ROOM // 8])
    assert largest <= rows
    others = [row for row in range(SEGMENTS) if row not in largest]
    gaps = [others.index(row) for row in sorted(rows - largest)]
    steps = {after - before for before, after in pairwise(gaps)}
    assert max(steps) - min(steps) <= 1


@pytest.mark.usefixtures("small_room")
def test_the_worst_sentences_of_one_system_are_kept() -> None:
    found = comparison("one")
    rows = set(kept_segments(found.texts).rows)
    bleu, ter = (
        [float(score or 0) for score in own] for own in found.evaluation.sentence_scores[0]
    )
    assert bleu.index(min(bleu)) in rows
    assert ter.index(max(ter)) in rows


def test_long_texts_leave_room_for_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    found = comparison("one", "two")
    every = [*found.texts.hypotheses, [own[0] for own in found.texts.references]]
    content = sum(len(text) for own in every for text in own) + SEGMENTS * 2 * 2 * 16
    monkeypatch.setattr(kept, "MOST_CONTENT", content // 3)
    assert abs(len(kept_segments(found.texts)) - SEGMENTS // 3) <= 1


@pytest.mark.slow
@pytest.mark.usefixtures("small_room")
def test_the_page_holds_what_is_kept() -> None:
    drawn = comparison("one", "two").texts
    texts = dict(zip(("one", "two"), drawn.hypotheses, strict=True))
    domains = {"domain": [f"{row % 7}" for row in range(SEGMENTS)]}
    sources = [f"source {row}" for row in range(SEGMENTS)]
    found = compare(
        texts, drawn.references, ["bleu", "ter"], by=[], labels=domains, sources=sources
    )
    rows = list(kept_segments(found.texts).rows)
    html = Report(found).to_html()
    assert "has the sentences of 60 of the 300 segments" in html
    data = read_page(html)
    assert data["rows"] == rows
    assert data["references"] == [list(found.texts.references[row]) for row in rows]
    assert data["sources"] == [sources[row] for row in rows]
    assert data["lengths"] == [len(found.texts.tokens.references[row][0]) for row in rows]
    labels = data["divisions"][0]["labels"]
    assert [labels[bucket] for bucket in data["buckets"][0]] == [f"{row % 7}" for row in rows]
    evaluation = found.evaluation
    for system, metric in ((0, 1), (1, 0)):
        for name, numbers in (
            ("scores", evaluation.sentence_scores),
            ("contributions", evaluation.contributions),
        ):
            assert data[name][system][metric] == [numbers[system][metric][row] for row in rows]


@pytest.mark.browser
@pytest.mark.usefixtures("small_room")
def test_the_page_says_what_it_leaves_out(chromium: Any, tmp_path: Path) -> None:
    found = comparison("one", "two")
    rows = list(kept_segments(found.texts).rows)
    html = Report(found).to_html()
    opened = open_page(chromium, tmp_path / "kept.html", html)
    page = opened.page
    assert "has the sentences of 60 of the 300 segments" in page.locator(".note").last.inner_text()
    count = page.locator("#count")
    assert count.inner_text() == "60 segments on this page, of 300 in the test set"
    # The leads are those of all segments.
    ranking = found.pairs[0].sentences[0]
    assert f"better in {ranking.wins} segments" in page.locator("#leads").inner_text()
    page.locator("#sort").select_option("segment")
    numbers = [row + 1 for row in rows]
    assert opened.segments == numbers[:25]
    first = opened.lines(numbers[0])
    assert first["two"]["text"] == found.texts.hypotheses[1][rows[0]]
    page.locator("#query").fill("sees the")
    hits = [row + 1 for row in rows if any("sees the" in text for text in _texts(found, row))]
    assert page.locator("#count").inner_text() == f"{len(hits)} of 60 segments on this page"
    assert opened.segments == hits[:25]
    opened.assert_quiet()
    page.context.close()


def _texts(found: Comparison, row: int) -> list[str]:
    return [*found.texts.references[row], *(own[row] for own in found.texts.hypotheses)]
