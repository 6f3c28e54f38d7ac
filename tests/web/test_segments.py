"""The page finds the segments that a request describes; texts are its own or the server's."""

from __future__ import annotations

import random
import struct
from base64 import b64encode
from math import nan
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.comparison import Comparison, compare
from bleuet.errors import OptionError
from bleuet.report.page.kept import kept_segments
from bleuet.report.page.page_data import packed_data, page_data
from bleuet.web.comparison_files import NUMBERS
from bleuet.web.request_types import SearchRequest, TextsRequest
from bleuet.web.segment_files import write_segments
from bleuet.web.sentence_texts import SentenceTexts
from tests.patience import PATIENCE
from tests.report.test_page import PAGE_FOLDER
from tests.web.conftest import start

if TYPE_CHECKING:
    from pathlib import Path

SEGMENTS = 120
WORDS = "the a Cat dog SEES under over Straße ΟΔΟΣ . , 猫 &amp; 😀".split()  # noqa: SIM905
SORTS = ["segment", "length", "lead", "difference", "contribution", "impact", 0, 1, 2]
SCRIPTS = ("words.js", "sentences.js", "packed.js", "served_texts.js", "rows.js")
# Makes the rows of a page of what it holds, and of what a server sends, which this stands for; and
# finds what each of many states wants in both.
BOTH = """async ({data, packed, numbers, answers, states, pairs}) => {
  globalThis.data = data;
  for (const [id, textContent] of Object.entries(packed)) {
    const made = document.createElement("script");
    document.body.append(Object.assign(made, {id, textContent, type: "text/plain"}));
  }
  const bytes = Uint8Array.from(atob(numbers), (letter) => letter.charCodeAt(0));
  const asked = [];
  globalThis.fetch = async (address, options) => {
    if (address.endsWith("numbers")) return new Response(bytes);
    asked.push([address.replace(/.*[/]/, ""), JSON.parse(options.body)]);
    return new Response(JSON.stringify(await globalThis.answer(...asked.at(-1))));
  };
  const found = [];
  const sources = [await readRows(data), await servedRows(data)];
  for (const rows of sources) {
    const own = [];
    for (const {first, count, ...state} of states) {
      own.push(await rows.find({...state, shown: new Set(state.shown)}, first, count));
    }
    found.push({found: own, points: pairs.map((pair) => rows.points(pair))});
  }
  return found;
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
def folder(comparison: Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found: Path = tmp_path_factory.mktemp("segments")
    write_segments(comparison, found)
    return found


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


@pytest.mark.browser
def test_both_sources_find_what_requests_describe(
    chromium: Any, comparison: Comparison, folder: Path
) -> None:
    draw = random.Random(5)
    requests = [random_request(draw) for _ in range(300)]
    pairs = [{"left": 0, "right": 2, "metric": metric} for metric in range(3)]
    given = {
        "data": page_data(comparison),
        "packed": packed_data(comparison, kept_segments(comparison.texts)),
        "numbers": b64encode((folder / NUMBERS).read_bytes()).decode(),
        "states": list(map(as_state, requests)),
        "pairs": pairs,
    }
    texts = SentenceTexts(folder)
    answers: dict[str, Any] = {
        "texts": lambda asked: texts.read(TextsRequest(**asked).model_dump()),
        "search": lambda asked: texts.search(SearchRequest(**asked).model_dump()),
    }
    scripts = " ".join(PAGE_FOLDER.joinpath(name).read_text("utf-8") for name in SCRIPTS)
    page = chromium.new_page()
    page.expose_function("answer", lambda name, asked: answers[name](asked))
    both = page.evaluate(f"(given) => {{ {scripts} return ({BOTH})(given); }}", given)
    page.context.close()
    for of_page in both:
        found_rows = 0
        for wanted, found in zip(requests, of_page["found"], strict=True):
            expected, hits = defined_rows(comparison, wanted)
            assert (found["found"], found["hits"]) == (len(expected), hits), wanted
            shown = expected[wanted["first"] :][: wanted["count"]]
            assert [one["segment"] - 1 for one in found["segments"]] == shown, wanted
            for one in found["segments"]:
                check_segment(comparison, one)
            found_rows += len(shown)
        assert found_rows > 500
        assert any(one["hits"] and one["segments"] for one in of_page["found"])
        for pair, points in zip(pairs, of_page["points"], strict=True):
            numbers = comparison.evaluation.sentence_scores
            one, other = (numbers[system][pair["metric"]] for system in (0, 2))
            scored = enumerate(zip(one, other, strict=True), 1)
            assert points == [[row, *scores] for row, scores in scored if None not in scores]
    assert both[0] == both[1]


def check_segment(comparison: Comparison, found: dict[str, Any]) -> None:
    """The numbers and texts of a segment are those of the comparison."""
    row = found["segment"] - 1
    evaluation, texts = comparison.evaluation, comparison.texts
    for name, numbers in (
        ("scores", evaluation.sentence_scores),
        ("contributions", evaluation.contributions),
    ):
        assert found[name] == [[column[row] for column in columns] for columns in numbers]
    assert texts.sources is not None
    assert found["source"] == texts.sources[row]
    for name, own in (
        ("references", texts.references[row]),
        ("hypotheses", [system[row] for system in texts.hypotheses]),
    ):
        plain = [text if isinstance(text, str) else text[0] for text in found[name]]
        assert plain == list(own)


def test_the_numbers_are_laid_out_as_the_api_describes(
    comparison: Comparison, folder: Path
) -> None:
    """Scores and contributions, system after system, then the lengths and divisions."""
    evaluation, content = comparison.evaluation, (folder / NUMBERS).read_bytes()
    wide = [
        nan if one is None else one
        for numbers in (evaluation.sentence_scores, evaluation.contributions)
        for own in numbers
        for column in own
        for one in column
    ]
    found = struct.unpack_from(f"<{len(wide)}d", content)
    assert list(map(repr, found)) == list(map(repr, map(float, wide)))
    narrow = [len(own[0]) for own in comparison.texts.tokens.references]
    for breakdown in comparison.breakdowns:
        buckets = [-1] * SEGMENTS
        for number, one in enumerate(breakdown.systems[0]):
            for row in one.bucket.rows:
                buckets[row] = number
        narrow += buckets
    assert list(struct.unpack_from(f"<{len(narrow)}i", content, 8 * len(wide))) == narrow
    assert len(content) == 8 * len(wide) + 4 * len(narrow)
    assert len(comparison.breakdowns) == 2


def test_texts_have_the_words_of_the_tokenizer_and_no_source_where_there_is_none(
    tmp_path: Path,
) -> None:
    found = compare({"one": ["ab"], "two": ["a b"]}, ["abc"], ["bleu:tokenize=char"])
    write_segments(found, tmp_path)
    assert SentenceTexts(tmp_path).read({"segments": [1]})["segments"] == [
        {
            "segment": 1,
            "source": None,
            "references": [["abc", [1, 2]]],
            "hypotheses": [["ab", [1]], "a b"],
        }
    ]


def test_a_search_is_in_the_texts_that_are_shown(comparison: Comparison, folder: Path) -> None:
    texts = SentenceTexts(folder)
    read = comparison.texts
    assert read.sources is not None
    for shown in (None, [], [1], [0, 2]):
        for query in (" cat SEES", "οδος", "猫", "nowhere", " "):
            found = texts.search(SearchRequest(query=query, shown=shown).model_dump())
            expected = {}
            for row in range(SEGMENTS):
                systems = range(3) if shown is None else shown
                own = [read.hypotheses[system][row] for system in systems]
                every = [read.sources[row], *read.references[row], *own]
                phrase = query.strip().lower()
                expected[row + 1] = sum(text.lower().count(phrase) for text in every) * bool(phrase)
            hits = {segment: number for segment, number in expected.items() if number}
            assert found == {"segments": list(hits), "hits": list(hits.values())}


def test_each_segment_has_its_source_references_and_hypotheses(
    comparison: Comparison, folder: Path
) -> None:
    texts = comparison.texts
    assert texts.sources is not None
    read = SentenceTexts(folder).read({"segments": [*range(1, SEGMENTS + 1)]})["segments"]
    assert [one["source"] for one in read] == list(texts.sources)
    for row, one in enumerate(read):
        assert one["segment"] == row + 1
        plain = {
            name: [text if isinstance(text, str) else text[0] for text in one[name]]
            for name in ("references", "hypotheses")
        }
        assert plain["references"] == list(texts.references[row])
        assert plain["hypotheses"] == [own[row] for own in texts.hypotheses]


def test_numbers_that_are_not_there(folder: Path) -> None:
    texts = SentenceTexts(folder)
    for segment in (0, SEGMENTS + 1, -1):
        with pytest.raises(OptionError, match="segments are numbers from 1 to 120"):
            texts.read({"segments": [segment]})
    for system in (3, -1):
        with pytest.raises(OptionError, match="systems are numbers from 0 to 2"):
            texts.search({"query": "a", "shown": [system]})


@pytest.mark.browser
def test_pages_of_rows_come_from_the_server(chromium: Any, tmp_path: Path) -> None:
    draw = random.Random(1)
    lines = [" ".join(draw.choices(WORDS, k=6)) + f" line{number}" for number in range(2000)]
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
        page.locator("#open").wait_for(timeout=1000 * PATIENCE)
        with page.expect_response("**/texts"), page.expect_response("**/numbers"):
            page.locator("#open").click()
        page.locator("#scatter-chart canvas").wait_for(timeout=1000 * PATIENCE)
        count = page.locator("#count")
        assert count.inner_text() == "2,000 segments"
        # The page itself has no text, and each answer those of one page.
        assert "line17" not in page.content().replace(page.locator("#table").inner_html(), "")
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
        with page.expect_response("**/texts"):
            page.locator("#ahead").select_option("right")
        better = (
            page.locator("#leads").inner_text().split(" and ")[1].split(" in ")[1].split(";")[0]
        )
        page.wait_for_function(
            f"document.querySelector('#count').innerText.startsWith('{better} ')"
        )
        for answer in answers:
            if answer.url.endswith("/texts") and answer.ok:
                assert len(answer.json()["segments"]) <= 25
        # A newer request ends an older one, which is no message.
        assert messages == []
        page.context.close()
    finally:
        server.terminate()
        server.wait(PATIENCE)
