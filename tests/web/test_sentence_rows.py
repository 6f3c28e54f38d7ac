"""The server finds the segments that a page finds which holds them, and sends only those."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.comparison import Comparison, compare
from bleuet.errors import OptionError
from bleuet.report.page.kept import kept_segments
from bleuet.report.page.page_data import packed_data, page_data
from bleuet.web.request_types import PointsRequest, SentencesRequest
from bleuet.web.row_files import write_rows
from bleuet.web.sentence_rows import SentenceRows
from tests.report.page_contents import read_packed
from tests.report.test_page import PAGE_FOLDER
from tests.web.conftest import start

if TYPE_CHECKING:
    from pathlib import Path

SEGMENTS = 120
WORDS = "the a Cat dog SEES under over Straße ΟΔΟΣ . , 猫 &amp; 😀".split()  # noqa: SIM905
SORTS = ["segment", "length", "lead", "difference", "contribution", "impact", 0, 1, 2]
SCRIPTS = ("words.js", "sentences.js", "own_rows.js")
# Makes the rows of a page of plain values, and finds what each of many states wants.
OWN_ROWS = """async ({data, held, states, pairs}) => {
  const numbers = (column) => Float64Array.from(column, (score) => score ?? NaN);
  const [scores, contributions] = [held.scores, held.contributions].map(
    (columns) => columns.map((own) => own.map(numbers)));
  const {references, hypotheses} = held;
  const texts = {of: (row) => ({
    references: references[row], hypotheses: hypotheses.map((own) => own[row]),
  })};
  const rows = new OwnRows(data, {...held, scores, contributions, texts});
  const found = [];
  for (const {first, count, ...state} of states) {
    found.push(await rows.find({...state, shown: new Set(state.shown)}, first, count));
  }
  return {found, points: await Promise.all(pairs.map((pair) => rows.points(pair)))};
}"""


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    draw = random.Random(11)

    def texts() -> list[str]:
        return [" ".join(draw.choices(WORDS, k=draw.randint(0, 12))) for _ in range(SEGMENTS)]

    references = [list(own) for own in zip(texts(), texts(), strict=True)]
    references[3:9] = [own[:1] for own in references[3:9]]
    known = [None, 0.5, 0.25, 0.5 + 1e-9]
    scores = {name: [0.1, *draw.choices(known, k=SEGMENTS - 1)] for name in ("one", "two", "three")}
    found: Comparison = compare(
        {name: texts() for name in scores},
        references,
        ["bleu", "ter"],
        scores={"M": scores},
        labels={"domain": draw.choices(["news", "chat"], k=SEGMENTS)},
        sources=texts(),
    )
    return found


@pytest.fixture(scope="module")
def rows(comparison: Comparison, tmp_path_factory: pytest.TempPathFactory) -> SentenceRows:
    folder = tmp_path_factory.mktemp("rows")
    write_rows(comparison, folder)
    return SentenceRows(folder)


def request(**fields: Any) -> dict[str, Any]:
    return SentencesRequest(**fields).model_dump()


def random_request(draw: random.Random) -> dict[str, Any]:
    left, right = draw.sample(range(3), 2)
    return {
        "first": draw.choice([0, 0, 5, 100]),
        "count": 25,
        "left": left,
        "right": right,
        "metric": draw.randrange(3),
        "sort": draw.choice(SORTS),
        "descending": draw.random() < 0.5,
        "query": draw.choice(["", "", "e", "cat sees", "STRASSE", "straße", "οδος", "猫", " the "]),
        "shown": draw.sample(range(3), draw.randint(0, 3)),
        "ahead": draw.choice([None, None, "left", "right", "same"]),
        "low": draw.choice([None, None, 0.5, 20]),
        "high": draw.choice([None, None, 0.5, 60.25]),
        "score_of": draw.choice([None, 0, 2]),
        "buckets": [draw.choice([None, None, 0, 1]) for _ in range(2)],
    }


def as_state(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what the page's controls have for a request."""
    score_of = wanted["score_of"]
    return {
        **wanted,
        "sort": str(wanted["sort"]),
        "ahead": wanted["ahead"] or "",
        "scoreOf": -1 if score_of is None else score_of,
        "buckets": [-1 if bucket is None else bucket for bucket in wanted["buckets"]],
    }


def defined_rows(comparison: Comparison, wanted: dict[str, Any]) -> tuple[list[int], int]:
    """Which segments a request wants, in their order, and how often they have its phrase."""
    evaluation = comparison.evaluation
    metric, left, right = wanted["metric"], wanted["left"], wanted["right"]
    scores: list[list[float | None]]
    contributions: list[list[float | None]]
    scores, contributions = (
        [list(own[metric]) for own in numbers]
        for numbers in (evaluation.sentence_scores, evaluation.contributions)
    )
    sign = -1 if comparison.metrics[metric] == "TER" else 1
    digits = 2 + evaluation.extra_digits[metric]

    def lead(row: int, numbers: list[list[float | None]] = scores) -> float | None:
        one, other = numbers[left][row], numbers[right][row]
        return None if one is None or other is None else sign * (one - other)

    def key(row: int) -> float | None:
        if isinstance(wanted["sort"], int):
            return scores[wanted["sort"]][row]
        lead_of_row, contributed = lead(row), lead(row, contributions)
        return {
            "segment": row,
            "length": len(comparison.texts.tokens.references[row][0]),
            "lead": lead_of_row,
            "difference": None if lead_of_row is None else abs(lead_of_row),
            "contribution": contributed,
            "impact": None if contributed is None else abs(contributed),
        }[wanted["sort"]]

    def texts(row: int) -> list[str]:
        shown = [comparison.texts.hypotheses[system][row] for system in set(wanted["shown"])]
        assert comparison.texts.sources is not None
        return [comparison.texts.sources[row], *comparison.texts.references[row], *shown]

    def hits(row: int) -> int:
        return sum(text.lower().count(wanted["query"].strip().lower()) for text in texts(row))

    def passes(row: int) -> bool:
        shared = [breakdown.systems[0] for breakdown in comparison.breakdowns]
        for own, bucket in zip(shared, wanted["buckets"], strict=True):
            if bucket is not None and row not in own[bucket].bucket.rows:
                return False
        signs = {"left": 1, "right": -1, "same": 0}
        value = lead(row)
        if wanted["ahead"] and (
            value is None or (value > 0) - (value < 0) != signs[wanted["ahead"]]
        ):
            return False
        if wanted["low"] is not None or wanted["high"] is not None:
            low, high = (wanted["low"] or -1e9), (wanted["high"] or 1e9)
            chosen = scores if wanted["score_of"] is None else [scores[wanted["score_of"]]]
            found = [round(own[row] or 0, digits) for own in chosen if own[row] is not None]
            return any(low <= score <= high for score in found)
        return True

    rows = [row for row in range(SEGMENTS) if passes(row)]
    counted = 0
    if wanted["query"].strip():
        rows = [row for row in rows if hits(row)]
        counted = sum(map(hits, rows))
    keys = {row: key(row) for row in rows}
    turn = -1 if wanted["descending"] else 1
    rows.sort(key=lambda row: (keys[row] is None, turn * (keys[row] or 0), row))
    return rows, counted


@pytest.mark.slow
def test_requests_find_what_they_describe(comparison: Comparison, rows: SentenceRows) -> None:
    draw = random.Random(6)
    found_rows = 0
    for _ in range(200):
        wanted = random_request(draw)
        expected, hits = defined_rows(comparison, wanted)
        found = rows.find(request(**wanted))
        assert (found["found"], found["hits"]) == (len(expected), hits), wanted
        page = expected[wanted["first"] :][: wanted["count"]]
        assert [one["segment"] - 1 for one in found["segments"]] == page, wanted
        for one in found["segments"]:
            row = one["segment"] - 1
            for name, numbers in (
                ("scores", comparison.evaluation.sentence_scores),
                ("contributions", comparison.evaluation.contributions),
            ):
                assert one[name] == [[column[row] for column in columns] for columns in numbers]
            assert comparison.texts.sources is not None
            assert one["source"] == comparison.texts.sources[row]
            references = comparison.texts.references[row]
            shown = [text if isinstance(text, str) else text[0] for text in one["references"]]
            assert shown == list(references)
        found_rows += len(page)
    assert found_rows > 500


def test_points_are_the_scores_of_two_systems(comparison: Comparison, rows: SentenceRows) -> None:
    for metric in range(3):
        wanted = PointsRequest(left=0, right=2, metric=metric).model_dump()
        one, other = (comparison.evaluation.sentence_scores[system][metric] for system in (0, 2))
        pairs = enumerate(zip(one, other, strict=True), 1)
        assert rows.points(wanted) == [(row, *pair) for row, pair in pairs if None not in pair]


@pytest.mark.browser
def test_both_sources_find_the_same(
    chromium: Any, comparison: Comparison, rows: SentenceRows
) -> None:
    draw = random.Random(5)
    requests = [random_request(draw) for _ in range(300)]
    kept = kept_segments(comparison.texts)
    held = read_packed(packed_data(comparison, kept), 3, 3)
    pairs = [{"left": 0, "right": 2, "metric": metric} for metric in range(3)]
    texts = " ".join(PAGE_FOLDER.joinpath(name).read_text("utf-8") for name in SCRIPTS)
    given = {
        "data": page_data(comparison), "held": held, "states": list(map(as_state, requests)),
        "pairs": pairs,
    }  # fmt: skip
    page = chromium.new_page()
    found = page.evaluate(f"(given) => {{ {texts} return ({OWN_ROWS})(given); }}", given)
    page.context.close()
    for wanted, of_page in zip(requests, found["found"], strict=True):
        served = json.loads(json.dumps(rows.find(request(**wanted))))
        assert served == of_page, wanted
    assert any(one["hits"] and one["segments"] for one in found["found"])
    for pair, of_page in zip(pairs, found["points"], strict=True):
        served = rows.points(PointsRequest(**pair).model_dump())
        assert [list(point) for point in served] == of_page


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"left": 3}, "systems are numbers from 0 to 2"),
        ({"sort": -1}, "systems are numbers"),
        ({"shown": [7]}, "systems are numbers"),
        ({"score_of": 3}, "systems are numbers"),
        ({"metric": 3}, "metrics are numbers from 0 to 2"),
        ({"buckets": [0, 0, 0]}, "there are 2 divisions"),
    ],
)
def test_numbers_that_are_not_there(rows: SentenceRows, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        rows.find(request(**fields))


@pytest.mark.browser
def test_pages_of_rows_come_from_the_server(chromium: Any, tmp_path: Path) -> None:
    draw = random.Random(1)
    lines = [f"line{number} " + " ".join(draw.choices(WORDS, k=6)) for number in range(2000)]
    paths = []
    for name in ("ref.txt", "one.txt", "two.txt"):
        kept = [" ".join(w for w in line.split() if draw.random() < 0.8) for line in lines]
        text = "\n".join(lines if name == "ref.txt" else kept)
        paths.append(tmp_path / name)
        paths[-1].write_text(text + "\n", encoding="utf-8")
    server, address = start(str(paths[0]), "-i", *map(str, paths[1:]))
    try:
        page = chromium.new_page()
        messages: list[str] = []
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("console", lambda message: messages.append(message.text))
        answers: list[Any] = []
        page.on("response", lambda answer: answers.append(answer))
        page.goto(address)
        page.locator("#open").wait_for(timeout=60_000)
        with page.expect_response("**/sentences"), page.expect_response("**/points"):
            page.locator("#open").click()
        page.locator("#scatter-chart canvas").wait_for(timeout=30_000)
        count = page.locator("#count")
        assert count.inner_text() == "2,000 segments"
        # The page itself has no text, and each answer those of one page.
        assert "line17 " not in page.content().replace(page.locator("#table").inner_html(), "")
        page.locator("#sort").select_option("segment")
        first = page.locator(".segment b").first
        first.filter(has_text="Segment 1").wait_for()
        page.get_by_role("button", name="last page").first.click()
        first.filter(has_text="Segment 1976").wait_for()
        assert page.locator(".segment").count() == 25
        page.get_by_role("button", name="previous page").first.click()
        first.filter(has_text="Segment 1951").wait_for()
        page.locator("#query").fill("LINE1234")
        first.filter(has_text="Segment 1235").wait_for()
        assert count.inner_text() == "1 of 2,000 segments"
        assert "in 1 segment" in page.locator("#hits").inner_text()
        assert page.evaluate("() => CSS.highlights.get('search').size") > 0
        page.locator("#query").fill("no such words")
        page.locator("#table", has_text="No segment").wait_for()
        page.locator("#query").fill("")
        first.filter(has_text="Segment 1").wait_for()
        page.locator("#filters summary").click()
        with page.expect_response("**/sentences") as waiting:
            page.locator("#ahead").select_option("right")
        better = (
            page.locator("#leads").inner_text().split(" and ")[1].split(" in ")[1].split(";")[0]
        )
        assert waiting.value.json()["found"] == int(better.replace(",", ""))
        for answer in answers:
            if answer.url.endswith("/sentences") and answer.ok:
                assert len(answer.json()["segments"]) <= 25
        # A newer request ends an older one, which is no message.
        assert messages == []
        page.context.close()
    finally:
        server.terminate()
        server.wait(10)
