"""The report without a browser: charts hold the comparison's numbers, pictures are whole."""

from __future__ import annotations

import json
import re
import warnings
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import InputError
from bleuet.comparison import Comparison, compare
from bleuet.report import Report
from bleuet.report.charts.system_charts import COLOURS, bucket_scores, system_scores
from bleuet.report.page.explanations import how_to_read, summary, verdicts
from bleuet.report.page.kept import kept_segments
from bleuet.report.page.page_data import in_script, packed_data, page_data
from bleuet.report.page.word_spans import with_spans
from bleuet.report.pictures import to_svg
from bleuet.report.theme import THEMES, theme
from bleuet.significance import FewSegmentsWarning, TestSettings
from bleuet.text.tokenizers import TOKENIZERS
from bleuet.text.tokenizers.mteval13a import REPLACEMENTS
from tests.effort import examples
from tests.report.page_contents import read_packed, read_page
from tests.report.specifications import valid, values_in

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
    return compare(SYSTEMS, REFERENCES, ["bleu", "ter"], labels=labels).tested(
        TestSettings(draws=50)
    )


@pytest.mark.slow
def test_charts_hold_the_numbers_of_the_comparison(comparison: Comparison) -> None:
    charts = Report(comparison).charts()
    assert comparison.significance is not None
    for number, metric in enumerate(comparison.metrics):
        rows = values_in(valid(charts[f"scores-{metric}"].chart.to_dict()))
        for name, own in zip(comparison.systems, comparison.scores, strict=True):
            interval = comparison.significance.score(name, metric).interval
            assert interval is not None
            expected = (own[number].score, interval.low, interval.high)
            (row,) = {
                (row["score"], row["low"], row["high"]) for row in rows if row["system"] == name
            }
            assert row == expected
        scatter = valid(charts[f"scatter-1-2-{metric}"].specification())
        points = [(row["segment"], row["left"], row["right"]) for row in values_in(scatter)]
        one, two = (own[number] for own in comparison.evaluation.sentence_scores)
        expected_points = [
            (i + 1, round(a, 2), round(b, 2))
            for i, (a, b) in enumerate(zip(one, two, strict=True))
            if a is not None and b is not None
        ]
        assert points == expected_points
        counts = values_in(valid(charts[f"histogram-{metric}"].chart.to_dict()))
        bins = {
            (row["system"], row["low"]): row["sentences"]
            for row in counts
            if row["low"] < row["high"]
        }
        assert sum(bins.values()) == len(REFERENCES) * len(SYSTEMS)
    by_label = values_in(valid(charts["buckets-of-what-BLEU"].chart.to_dict()))
    scores = comparison.breakdown("../of what").systems[0]
    shown = {row["bucket"]: row["score"] for row in by_label if row["system"] == "one"}
    assert shown == {
        one.bucket.label: float(one.scores[0]) for one in scores if one.scores[0] is not None
    }


def test_charts_of_buckets_have_the_digits_of_their_metrics() -> None:
    """CIDEr-D has two digits more than a score in percent."""
    labels = {"of what": ["x", "y", "x"]}
    found = compare(SYSTEMS, REFERENCES, ["bleu", "cider", "ter"], labels=labels)
    charts = Report(found).charts()
    for metric, digits in zip(found.metrics, (2, 4, 2), strict=True):
        rows = values_in(charts[f"buckets-of-what-{metric}"].chart.to_dict())
        assert len(rows) == 4
        for row in rows:
            assert row["score_text"] == f"{row['score']:.{digits}f}"


@pytest.mark.slow
@examples(30)
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
        packed_data(found, kept_segments(found.texts)), len(found.systems), len(found.metrics)
    )
    of_page = {**json.loads(in_script(page_data(found))), **packed}
    compared = found.texts
    for row, words in enumerate(compared.tokens.references):
        assert of_page["references"][row] == _packed([*compared.references[row]], words)
    for system, own in enumerate(compared.hypotheses):
        tokens = compared.tokens.hypotheses[system]
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


@pytest.fixture(scope="module")
def three() -> Comparison:
    """Three systems, of which each is the best by another metric, and a metric of any scale."""
    systems = {
        "one": ["The cat sat down.", "It rains a lot.", "Yes, of course.", "a b"],
        "two": ["The cat sat down there by the door.", "It rains.", "Yes.", "a b c d e f"],
        "three": ["A dog.", "It rains a lot today.", "No, not at all.", "x"],
    }
    references = [["The cat sat down.", "A cat sat."], "It rains a lot today.", "Yes!", "a b c"]
    given: Any = {
        "one": [-2.0, 0.5, None, 1],
        "two": [0.25, -0.5, 1, 2],
        "three": [3.0, None, 5, 4],
    }
    return compare(
        systems,
        references,
        ["bleu", "ter", "nist"],
        scores={"M": given},
        by=["hypothesis-length=3,5"],
        labels={"a/b": ["x", "y", "x", "y"], "a-b": ["p", "p", "q", "q"]},
        all_pairs=True,
    )


def test_charts_of_buckets_have_the_scores_of_each_system(three: Comparison) -> None:
    charts = [one for one in Report(three).charts().values() if one.kind == "buckets"]
    # Names of files that would be the same differ.
    assert len(charts) == len(three.breakdowns) * len(three.metrics) == 12
    for number, chart in enumerate(charts):
        breakdown, metric = divmod(number, len(three.metrics))
        of_systems = three.breakdowns[breakdown].systems
        expected = {
            (name, one.bucket.label): (found and found.score, one.bucket.count)
            for name, own in zip(three.systems, of_systems, strict=True)
            for one in own
            for found in [one.scores[metric]]
        }
        rows = values_in(chart.chart.to_dict())
        assert {
            (row["system"], row["bucket"]): (row["score"], row["segments"]) for row in rows
        } == expected
        # Bars begin at 0, so that there are none where scores can be negative.
        mark = chart.chart.to_dict()["mark"]["type"]
        assert mark == ("point" if three.metrics[metric] == "M" else "bar")


def test_scatter_charts_have_the_scores_of_their_pair(three: Comparison) -> None:
    charts = [one for one in Report(three).charts().values() if one.kind == "scatter"]
    places = [(0, 1), (0, 2), (1, 2)]
    settings = [(pair, metric) for pair in places for metric in range(4)]
    for ((left, right), metric), one in zip(settings, charts, strict=True):
        chart = one.specification()
        axes = chart["layer"][0]["encoding"]
        assert (axes["x"]["title"][0], axes["y"]["title"][0]) == (
            three.systems[left],
            three.systems[right],
        )
        assert [axes[axis].get("scale") for axis in "xy"] == 2 * [
            {"zero": False} if three.metrics[metric] == "M" else None
        ]
        digits = 2 + three.evaluation.extra_digits[metric]
        scores = [three.evaluation.sentence_scores[system][metric] for system in (left, right)]
        assert [(row["segment"], row["left"], row["right"]) for row in values_in(chart)] == [
            (segment, round(x, digits), round(y, digits))
            for segment, (x, y) in enumerate(zip(*scores, strict=True), 1)
            if x is not None and y is not None
        ]


def test_pictures_are_drawn_in_the_theme_that_is_asked_for(three: Comparison) -> None:
    for colours in THEMES:
        _, picture = next(Report(three).pictures([".json"], colours))
        assert json.loads(picture)["config"] == theme(colours)


def test_a_page_has_the_leads_and_parts_of_every_pair(three: Comparison) -> None:
    data = page_data(three)
    evaluation = three.evaluation
    for metric, name in enumerate(three.metrics):
        sign = -1 if name == "TER" else 1
        for left, right in ((0, 1), (0, 2), (1, 2)):
            pairs = zip(
                *(evaluation.sentence_scores[system][metric] for system in (left, right)),
                strict=True,
            )
            leads = [sign * (x - y) for x, y in pairs if x is not None and y is not None]
            assert list(data["leads"][metric][left][right - left - 1]) == [
                sum(lead > 0 for lead in leads),
                sum(lead < 0 for lead in leads),
                leads.count(0),
            ]
            if name == "BLEU":
                one, other = (three.scores[system][metric].score for system in (left, right))
                points = data["parts"][metric]["points"][f"{left}-{right}"]
                assert sum(points) == pytest.approx(one - other)
    # NIST weighs words by all references, of which the calculator has one.
    links = {one["name"]: one["calculator"] for one in data["metrics"]}
    assert links == {
        "BLEU": {"name": "bleu", "options": {}},
        "TER": {"name": "ter", "options": {}},
        "NIST": None,
        "M": None,
    }


def test_a_column_of_references_runs_as_the_first_one_does() -> None:
    hebrew, latin = "\u05d0\u05d9\u05e9", "a man"
    found = compare({"one": [hebrew], "two": [latin]}, [[hebrew, latin]], ["chrf"])
    directions = page_data(found)["directions"]
    assert directions == {"source": "ltr", "references": "rtl", "systems": ["rtl", "ltr"]}


def test_a_page_names_the_best_system_by_each_metric(three: Comparison) -> None:
    assert "4 segments with 1 to 2 references each, by BLEU, TER, NIST and M." in summary(three)
    texts = {"a": ["one cat"], "b": ["the red dog"], "c": ["the dog"]}
    given = {"a": [0.5], "b": [0.75], "c": [0.25]}
    found = compare(texts, ["the dog"], ["ter"], scores={"M": given})
    lines = re.findall("<li>(.*?)</li>", verdicts(found.tested(TestSettings(draws=20))))
    assert [re.sub("<.*?>", "", line).split(" ")[:3] for line in lines] == [
        ["By", "TER,", "c"],
        ["By", "M,", "b"],
    ]


@pytest.mark.parametrize(
    ("names", "title"),
    [("a", "a"), ("abc", "Comparison of a, b and c"), ("abcd", "Comparison of 4 systems")],
)
def test_a_title_names_up_to_three_systems(names: str, title: str) -> None:
    page = Report(compare({name: ["x"] for name in names}, ["x"], ["chrf"])).to_html()
    assert f"<title>{title}</title>" in page


def test_every_chart_has_a_safe_name(comparison: Comparison) -> None:
    charts = Report(comparison).charts()
    assert {"scores-BLEU", "buckets-of-what-TER", "histogram-BLEU", "scatter-1-2-TER"} <= set(
        charts
    )
    for name in charts:
        assert not set(name) & set("/\\<> ")
        assert not name.startswith(".")


@pytest.mark.libraries
def test_every_chart_is_a_picture(comparison: Comparison) -> None:
    report = Report(comparison)
    chosen = dict(report.pictures([".svg"]))
    assert len(chosen) == len(report.charts())
    for picture in chosen.values():
        ElementTree.fromstring(picture)
    name, picture = next(report.pictures([".png"]))
    assert name == "scores-BLEU.png"
    assert picture.startswith(b"\x89PNG")


@pytest.mark.slow
def test_more_systems_than_colours_are_rows() -> None:
    systems = {f"system {i}": [f"a b {i} d", "e f g"] for i in range(COLOURS + 1)}
    charts = Report(compare(systems, ["a b c d", "e f h"], ["chrf"])).charts()
    for name in ("buckets-length-chrF2", "histogram-chrF2"):
        chart = valid(charts[name].chart.to_dict())
        assert chart["mark"]["type"] == "rect"
        assert chart["encoding"]["y"]["field"] == "system"


@pytest.mark.libraries
def test_rows_of_systems_are_drawn() -> None:
    systems = {f"system {i}": [f"a b {i} d", "e f g"] for i in range(COLOURS + 1)}
    charts = Report(compare(systems, ["a b c d", "e f h"], ["chrf"])).charts()
    for name in ("buckets-length-chrF2", "histogram-chrF2"):
        ElementTree.fromstring(to_svg(charts[name].specification("dark")))


@pytest.mark.libraries
def test_all_charts_make_pictures() -> None:
    found = compare(
        {"one": ["a b", "c", "d e"], "two": ["a", "c d", "d"]},
        ["a b", "c", "d"],
        [],
        scores={"COMET": {"one": [0.5, None, 0.25], "two": [0.5, None, None]}},
    )
    names = [name for name, content in Report(found).pictures([".svg"]) if content[:4] == b"<svg"]
    assert {"scores-COMET.svg", "histogram-COMET.svg", "scatter-1-2-COMET.svg"} <= set(names)
    assert len(names) == len(Report(found).charts())


@pytest.mark.slow
def test_every_chart_is_valid() -> None:
    columns = ([0.5, None, 0.25], [-0.5, None, None])
    scores = {"COMET": dict(zip(SYSTEMS, columns, strict=True))}
    found = compare(SYSTEMS, REFERENCES, ["bleu"], scores=scores)
    for chart in Report(found).charts().values():
        for colours in THEMES:
            valid(chart.specification(colours))
    for kind in page_data(found)["charts"].values():
        for one in kind:
            valid(one["chart"])


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(InputError, match="could be drawn"):
        system_scores([], metric="BLEU")
    with pytest.raises(InputError, match="could be drawn"):
        bucket_scores([], metric="BLEU", by="length")


@pytest.mark.slow
def test_the_page_has_no_differences_without_a_test() -> None:
    fold, where = "All differences, with p-values", "Where the systems differ"
    two, same = {"one": REFERENCES, "two": ["a", "b", "c"]}, {"one": ["", "", ""], "two": [""] * 3}
    page = Report(compare(two, REFERENCES, ["chrf"]).tested(TestSettings(draws=50))).to_html()
    assert fold in page
    assert where in page
    alone = Report(
        compare({"one": REFERENCES}, REFERENCES, ["chrf"]).tested(TestSettings(draws=50))
    ).to_html()
    assert fold not in alone
    assert where not in alone
    assert fold not in Report(compare(two, REFERENCES, ["chrf"])).to_html()
    equal = Report(compare(same, REFERENCES, ["chrf"]).tested(TestSettings(draws=50))).to_html()
    assert "<li>By chrF2, all systems have the same score.</li>" in equal
    assert "has the best score" not in equal


@pytest.mark.slow
def test_the_page_holds_its_data_as_json() -> None:
    found = compare({"</script>": ["\u2028 <!-- x"]}, ["y"], ["chrf"])
    html = Report(found).to_html()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert data is not None
    assert "<" not in data[1]
    assert read_page(html)["hypotheses"][0][0][0] == "\u2028 <!-- x"


class Parts(HTMLParser):
    """The elements of a page, and what stands in them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.attributes: list[dict[str, str | None]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.texts.setdefault(tag, []).append("")
        self.attributes.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        self.open.pop(len(self.open) - 1 - self.open[::-1].index(tag))

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data


NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;{{data}}\\1"


@pytest.mark.slow
def test_names_and_texts_stay_text() -> None:
    def page(name: str) -> str:
        systems = {name: [f"{name} the cat", "a."], "other": ["the cat", name]}
        found = compare(systems, ["the cat", name], ["bleu"], labels={name: [name, "toString"]})
        return Report(found.tested(TestSettings(draws=50)), title=name, command=name).to_html()

    plain, nasty = Parts(page("plain")), Parts(page(NASTY))
    assert nasty.texts["title"] == nasty.texts["h1"] == [NASTY]
    assert any(NASTY in text for text in nasty.texts["pre"])
    assert any(NASTY in text for text in nasty.texts["th"])
    # No element is there because a name or a text looks like one.
    for tag in ("script", "img", "h1"):
        assert len(nasty.texts.get(tag, ())) == len(plain.texts.get(tag, ())), tag
    for one in nasty.attributes:
        assert not [key for key in one if key.startswith("on")]


def test_lone_surrogates_are_escaped() -> None:
    lone = "\ud800"
    systems = {f"a{lone}": [f"the cat {lone} sat on &amp; mat", ""], "b": ["x", lone]}
    page = Report(compare(systems, [f"the cat {lone} sat on the mat", "q"], ["bleu"])).to_html()
    assert r"a\ud800" in page.encode("utf-8").decode()


@pytest.mark.slow
def test_the_policy_names_the_scripts_and_styles_of_the_page(comparison: Comparison) -> None:
    html = Report(comparison).to_html()
    found = re.search(r'Content-Security-Policy" content="(.*?)">', html)
    assert found is not None
    policy = dict(rule.split(" ", 1) for rule in found[1].split("; "))
    assert policy.pop("default-src") == policy.pop("base-uri") == policy.pop("form-action")
    for rule, element in (("script-src", "script"), ("style-src", "style")):
        contents = re.findall(rf"<{element}>(.*?)</{element}>", html, re.DOTALL)
        hashes = [b64encode(sha256(one.encode()).digest()).decode() for one in contents]
        assert policy.pop(rule).split() == [f"'sha256-{one}'" for one in hashes]
    assert policy == {}


def test_long_words_may_break_and_numbers_may_not() -> None:
    systems = {"big.v1_tuned": ["a b c d", "e"], "x" * 40: ["a b c", "e"]}
    html = Report(compare(systems, ["a b c d", "f"], ["bleu"])).to_html()
    assert "big.<wbr>v1_<wbr>tuned" in html
    assert "<wbr>".join(["x" * 10] * 4) in html
    assert not re.search(r"\d\.<wbr>\d", html)


@pytest.mark.slow
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
    from bleuet.comparison.tokens import splitter

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
        found = compare(systems, texts, ["ter"]).tested(TestSettings(test=test, draws=100))
    lines = how_to_read(found)
    assert said in lines if said else "too few" not in lines
