"""The report without a browser: charts hold the comparison's numbers, pictures are whole."""

from __future__ import annotations

import json
import warnings
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

from bleuet import InputError
from bleuet.report import Report
from bleuet.report.charts.system_charts import COLOURS, bucket_scores, system_scores
from bleuet.report.page.explanations import how_to_read
from bleuet.report.page.kept import kept_segments
from bleuet.report.page.page_data import in_script, packed_data, page_data
from bleuet.report.page.word_spans import with_spans
from bleuet.report.pictures import to_svg
from bleuet.studies.comparison import Comparison, compare
from bleuet.studies.significance import FewSegmentsWarning
from bleuet.text.tokenizers import TOKENIZERS
from bleuet.text.tokenizers.mteval13a import REPLACEMENTS
from tests.report.page_contents import read_packed
from tests.report.specifications import values_in

if TYPE_CHECKING:
    from collections.abc import Sequence

SYSTEMS = {
    "one": ["The cat sat.", "It rains a lot today.", "Yes."],
    "../two </b>": ["A cat sat.", "It rains today.", "No!"],
}
REFERENCES = ["The cat sat down.", "It rains a lot today.", "Yes!"]


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    labels = {"../of what": ["x", "y", "x"]}
    return compare(SYSTEMS, REFERENCES, ["bleu", "ter"], labels=labels).tested(draws=50)


def test_charts_hold_the_numbers_of_the_comparison(comparison: Comparison) -> None:
    charts = Report(comparison).charts()
    assert comparison.significance is not None
    for number, metric in enumerate(comparison.metrics):
        rows = values_in(charts[f"scores-{metric}"].chart.to_dict())
        for name, own in zip(comparison.systems, comparison.scores, strict=True):
            interval = comparison.significance.score(name, metric).interval
            assert interval is not None
            expected = (own[number].score, interval.low, interval.high)
            (row,) = {
                (row["score"], row["low"], row["high"]) for row in rows if row["system"] == name
            }
            assert row == expected
        scatter = charts[f"scatter-1-2-{metric}"].specification()
        points = [(row["segment"], row["left"], row["right"]) for row in values_in(scatter)]
        one, two = (own[number] for own in comparison.evaluation.sentence_scores)
        expected_points = [
            (i + 1, round(a, 2), round(b, 2))
            for i, (a, b) in enumerate(zip(one, two, strict=True))
            if a is not None and b is not None
        ]
        assert points == expected_points
        counts = values_in(charts[f"histogram-{metric}"].chart.to_dict())
        bins = {
            (row["system"], row["low"]): row["sentences"]
            for row in counts
            if row["low"] < row["high"]
        }
        assert sum(bins.values()) == len(REFERENCES) * len(SYSTEMS)
    by_label = values_in(charts["buckets-of-what-BLEU"].chart.to_dict())
    scores = comparison.breakdown("../of what").systems[0]
    shown = {row["bucket"]: row["score"] for row in by_label if row["system"] == "one"}
    assert shown == {
        one.bucket.label: float(one.scores[0]) for one in scores if one.scores[0] is not None
    }


@settings(max_examples=30)
@given(st.data())
def test_the_page_has_the_numbers_of_the_comparison(data: st.DataObject) -> None:
    rows = data.draw(st.integers(1, 5))
    texts = st.lists(st.text("ab .&", max_size=9), min_size=rows, max_size=rows)
    given_scores = st.none() | st.floats(-1, 1) | st.floats(0.5, 0.5 + 1e-9)
    columns = st.lists(given_scores, min_size=rows, max_size=rows)
    scores = {name: [*data.draw(columns)[1:], 0.5] for name in ("one", "two")}
    found = compare(
        {name: data.draw(texts) for name in ("one", "two")},
        data.draw(texts),
        data.draw(st.sampled_from([["bleu"], ["ter", "chrf"]])),
        scores={"M": scores},
    )
    packed = read_packed(
        packed_data(found, kept_segments(found.evaluation)), len(found.systems), len(found.metrics)
    )
    of_page = {**json.loads(in_script(page_data(found))), **packed}
    evaluation = found.evaluation
    for row, words in enumerate(evaluation.tokens.references):
        assert of_page["references"][row] == _packed([*evaluation.references[row]], words)
    for system, own in enumerate(evaluation.hypotheses):
        tokens = evaluation.tokens.hypotheses[system]
        assert of_page["hypotheses"][system] == _packed(own, tokens)
    printed = json.loads(json.dumps(found.to_dict(texts=True)))
    assert of_page["systems"] == printed["systems"]
    assert [one["name"] for one in of_page["metrics"]] == [
        one["name"] for one in printed["metrics"]
    ]
    for system, name in enumerate(found.systems):
        columns_of_page = zip(*of_page["scores"][system], strict=True)
        assert [list(own) for own in columns_of_page] == [
            one["scores"][name] for one in printed["texts"]
        ]


def _packed(texts: list[str], words: Sequence[Sequence[str]]) -> list[Any]:
    """The form of texts on the page, before it is compressed."""
    own = [with_spans(*pair) for pair in zip(texts, words, strict=True)]
    found: list[Any] = json.loads(json.dumps(own))
    return found


def test_every_chart_is_a_picture_with_a_safe_name(comparison: Comparison) -> None:
    report = Report(comparison)
    wanted = {"scores-BLEU", "buckets-of-what-TER", "histogram-BLEU", "scatter-1-2-TER"}
    assert wanted <= set(report.charts())
    chosen = dict(report.pictures([".svg"]))
    assert len(chosen) == len(report.charts())
    for name, picture in chosen.items():
        assert not set(name) & set("/\\<> ")
        assert not name.startswith(".")
        ElementTree.fromstring(picture)
    name, picture = next(report.pictures([".png"]))
    assert name == "scores-BLEU.png"
    assert picture.startswith(b"\x89PNG")


def test_more_systems_than_colours_are_rows() -> None:
    systems = {f"system {i}": [f"a b {i} d", "e f g"] for i in range(COLOURS + 1)}
    charts = Report(compare(systems, ["a b c d", "e f h"], ["chrf"])).charts()
    for name in ("buckets-length-chrF2", "histogram-chrF2"):
        chart = charts[name].chart.to_dict()
        assert chart["mark"]["type"] == "rect"
        assert chart["encoding"]["y"]["field"] == "system"
        ElementTree.fromstring(to_svg(charts[name].specification("dark")))


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(InputError, match="could be drawn"):
        system_scores([], metric="BLEU")
    with pytest.raises(InputError, match="could be drawn"):
        bucket_scores([], metric="BLEU", by="length")


def test_the_page_has_no_differences_without_a_test() -> None:
    fold, where = "All differences, with p-values", "Where the systems differ"
    two, same = {"one": REFERENCES, "two": ["a", "b", "c"]}, {"one": ["", "", ""], "two": [""] * 3}
    page = Report(compare(two, REFERENCES, ["chrf"]).tested(draws=50)).to_html()
    assert fold in page
    assert where in page
    alone = Report(compare({"one": REFERENCES}, REFERENCES, ["chrf"]).tested(draws=50)).to_html()
    assert fold not in alone
    assert where not in alone
    assert fold not in Report(compare(two, REFERENCES, ["chrf"])).to_html()
    equal = Report(compare(same, REFERENCES, ["chrf"]).tested(draws=50)).to_html()
    assert "<li>By chrF2, all systems have the same score.</li>" in equal
    assert "has the best score" not in equal


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(comparison: Comparison) -> None:
    html = Report(comparison)._repr_html_()
    assert html.startswith('<iframe sandbox="allow-scripts"')
    assert html.count("<") == 2
    assert html.count('"') == 6


def words_of(found: object) -> list[str]:
    """Read what `with_spans` returns, as the page does."""
    if isinstance(found, str):
        return [word for word in found.split(" ") if word]
    assert isinstance(found, list)
    text, places, *otherwise = found
    in_units = text.encode("utf-16-le", "surrogatepass")

    def part(begin: int, end: int) -> str:
        return bytes(in_units[2 * begin : 2 * end]).decode("utf-16-le", "surrogatepass")

    if otherwise:
        pairs = zip(places[::2], places[1::2], strict=True)
        read = [part(*pair) for pair in pairs]
        return [otherwise[0].get(i, word) for i, word in enumerate(read)]
    ends = [*places, len(in_units) // 2]
    pieces = [part(begin, end) for begin, end in zip([0, *places], ends, strict=True)]
    return [word for piece in pieces for word in piece.split(" ") if word]


def parts_of(found: object) -> tuple[list[str], list[str]]:
    """Return the part of the text that each word marks, and the parts between the words."""
    if isinstance(found, str):
        return [word for word in found.split(" ") if word], []
    assert isinstance(found, list)
    text, places, *otherwise = found
    if not otherwise:
        return words_of(found), []
    in_units = text.encode("utf-16-le", "surrogatepass")
    ends = [0, *places, len(in_units) // 2]
    assert ends == sorted(ends)
    parts = [
        in_units[2 * begin : 2 * end].decode("utf-16-le", "surrogatepass")
        for begin, end in pairwise(ends)
    ]
    assert "".join(parts) == text
    return parts[1::2], parts[::2]


def unescaped(text: str) -> str:
    for old, new in REPLACEMENTS:
        text = text.replace(old, new)
    return text


PIECES = [
    "a",
    "cat",
    "<skipped>",
    "&lt;",
    "-",
    "\n",
    ".",
    "'s",
    "&amp;",
    "&quot;",
    "1,000",
    " ",
    "  ",
    "\t",
    "\u3000",
    "日本",
    "😀",
    "▁",
]


@given(
    st.lists(st.sampled_from(PIECES)).map("".join),
    st.sampled_from([name for name, entry in TOKENIZERS.items() if entry.in_kernel]),
)
def test_words_are_found_again_whatever_the_tokenizer_did(text: str, tokenizer: str) -> None:
    from bleuet.studies.comparison.tokens import splitter

    words = splitter(tokenizer)(text)
    found = with_spans(text, words)
    assert words_of(json.loads(json.dumps(found), object_hook=_numbered)) == list(words)
    assert (found if isinstance(found, str) else found[0]) == text
    # Each word is where the tokenizer read it, and between the words is nothing that it reads.
    read = unescaped if tokenizer.endswith("13a") else str
    shown, between = parts_of(found)
    assert [read(part) for part in shown] == list(words)
    assert not read("".join(between)).strip()


@given(st.text(), st.lists(st.text(min_size=1)))
def test_words_that_are_not_in_the_text_are_listed(text: str, words: Sequence[str]) -> None:
    assert words_of(with_spans(text, words)) == [*words]


def _numbered(pairs: dict[str, str]) -> dict[int, str]:
    return {int(place): word for place, word in pairs.items()}


@pytest.mark.parametrize(
    ("segments", "test", "said"),
    [
        (99, "bootstrap", "99 segments are too few for a bootstrap, which finds differences"),
        (99, "randomization", "99 segments are too few for a bootstrap, whose intervals are too"),
        (100, "bootstrap", None),
    ],
)
def test_a_page_says_where_segments_are_few(segments: int, test: str, said: str | None) -> None:
    texts = [f"The cat number {number} sat." for number in range(segments)]
    systems = {"one": texts, "two": [text.replace("The", "A") for text in texts]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewSegmentsWarning)
        found = compare(systems, texts, ["ter"]).tested(test=test, draws=100)
    lines = how_to_read(found)
    assert said in lines if said else "too few" not in lines
