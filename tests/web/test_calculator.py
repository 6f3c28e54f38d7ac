"""The calculator in a browser: computed by the server, and by the browser itself."""

from __future__ import annotations

import json
import random
import shlex
import subprocess
import sys
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, make_metric
from bleuet.metrics.catalogue import parse_metric
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)> <script>alert(1)</script> & \" ' \u202e\u0000 </textarea>"


class Calculator:
    """An open calculator with all that its console said."""

    def __init__(self, browser: Any, address: str, **settings: Any) -> None:
        self.context = browser.new_context(**settings)
        self.page = self.context.new_page()
        self.messages: list[str] = []
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("dialog", lambda dialog: self.messages.append(dialog.message))
        self.page.goto(address)
        self.page.locator("#score").filter(has_text="=").wait_for(timeout=1000 * PATIENCE)
        self.page.locator("#chart svg").wait_for(timeout=1000 * PATIENCE)

    def _note(self, message: Any) -> None:
        # Of an answer with an error, which the page shows.
        if "Failed to load resource" not in message.text:
            self.messages.append(message.text)

    def type(self, hypothesis: str) -> None:
        self.page.locator("#hypothesis").fill(hypothesis)

    def wait_for_score(self, text: str) -> None:
        self.page.locator("#score").filter(has_text=text).wait_for()

    def chart(self) -> list[str]:
        """What stands at the bars, as "17/18"."""
        texts: list[str] = self.page.locator("#chart svg text").all_text_contents()
        return [text.partition(" = ")[0] for text in texts if " = " in text]


@pytest.fixture(params=["server", "browser"])
def calculator(request: pytest.FixtureRequest, chromium: Any) -> Iterator[Calculator]:
    address = request.getfixturevalue("address" if request.param == "server" else "site")
    opened = Calculator(chromium, address)
    yield opened
    assert opened.messages == []
    opened.context.close()


def test_the_examples_have_the_figures_of_the_paper(calculator: Calculator) -> None:
    """Papineni et al. 2002, section 2.1."""
    examples = {
        "seven times": ["2/7"],
        "Party, 1": ["17/18", "10/17"],
        "Party, 2": ["8/14", "1/13"],
    }
    for name, figures in examples.items():
        calculator.page.get_by_role("button", name=name).click()
        calculator.page.locator("#chart").filter(has_text=figures[-1]).wait_for()
        assert calculator.chart()[: len(figures)] == figures


def test_typing_updates_score_chart_and_tokens(calculator: Calculator) -> None:
    page = calculator.page
    calculator.type("The cat sat on the mat.")
    calculator.wait_for_score("BLEU = 100.00 (1.0000")
    assert calculator.chart()[:4] == ["7/7", "6/6", "5/5", "4/4"]
    calculator.type("The cat sat sat sat.")
    calculator.wait_for_score("BLEU = ")
    page.locator(".token.clipped").first.wait_for()
    assert page.locator(".token.clipped").all_inner_texts() == ["sat", "sat"]
    page.locator('.token[data-side="hypothesis"]').nth(1).hover()
    connected = page.locator('.token.connected[data-side="reference"]').all_inner_texts()
    assert connected == ["The", "cat", "sat"]
    page.locator("#metric").select_option("ter")
    calculator.wait_for_score("TER = ")
    page.locator("#chart svg").filter(has_text="substituted words").wait_for()
    page.locator("#metric").select_option("eed")
    calculator.wait_for_score("EED = ")
    assert page.locator("#chart-figure").is_hidden()
    page.locator("#metric").select_option("ter")
    calculator.wait_for_score("TER = ")
    page.get_by_text("Options").click()
    page.locator("#option-case_sensitive").check()
    page.locator("#signature").filter(has_text="case:mixed").wait_for()


def test_the_chart_is_saved(calculator: Calculator) -> None:
    page = calculator.page
    for kind, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"save the chart BLEU as {kind}").click()
        assert Path(download.value.path()).read_bytes().startswith(begins)


def test_an_example_can_be_undone(calculator: Calculator) -> None:
    page = calculator.page
    calculator.type("My own words.")
    page.locator("#reference-0").fill("Their words.")
    page.get_by_role("button", name="seven times").click()
    calculator.wait_for_score("BLEU")
    assert page.locator("#hypothesis").input_value().startswith("the the the")
    page.get_by_role("button", name="Bring them back").click()
    assert page.locator("#hypothesis").input_value() == "My own words."
    assert page.locator("#reference-0").input_value() == "Their words."
    assert page.locator("#replaced").is_hidden()
    page.get_by_role("button", name="seven times").click()
    page.go_back()
    page.wait_for_function("() => document.getElementById('hypothesis').value === 'My own words.'")


def test_right_to_left_and_a_warning(calculator: Calculator) -> None:
    page = calculator.page
    calculator.type("NATO \u05d0\u05d9\u05e9\u05e8\u05d4 \u05d6\u05d0\u05ea .")
    page.locator("#reference-0").fill("NATO \u05d0\u05d9\u05e9\u05e8\u05d4 .")
    # Until the answer comes, the tokens are those of the texts before.
    page.locator("#tokens > div[dir=rtl]").wait_for()
    places = page.locator("#tokens .tokens").first.locator(".token")
    x = places.evaluate_all("words => words.map((word) => word.getBoundingClientRect().x)")
    assert x == sorted(x, reverse=True)
    assert page.locator("#warnings").is_hidden()
    for field in ("#hypothesis", "#reference-0"):
        page.locator(field).fill("\u6211\u4eec\u56de\u5bb6\u3002")
    page.locator("#warnings li").filter(has_text="the references are in Chinese").wait_for()
    page.locator("#tokens > div[dir=ltr]").wait_for()


def test_a_link_holds_the_whole_state(calculator: Calculator) -> None:
    page = calculator.page
    calculator.type(HOSTILE + " ünïcödé 🌧")
    page.locator("#metric").select_option("chrf++")
    page.get_by_role("button", name="Add a reference").click()
    page.locator("#reference-1").fill("二つ目")
    page.locator("#signature").filter(has_text="nrefs:2").wait_for()
    score = page.locator("#score").inner_text()
    link = page.url
    assert "#" in link
    page.get_by_role("button", name="Add a metric").click()
    page.locator("#metric").select_option("ter")
    page.locator("#scores tbody tr").nth(1).filter(has_text="TER").wait_for()
    page.get_by_role("button", name="chrF2++", exact=True).click()
    assert page.locator("#score").inner_text() == score
    link = page.url
    other = calculator.context.new_page()
    other.goto(link)
    other.locator("#score").filter(has_text=score).wait_for(timeout=1000 * PATIENCE)
    assert other.locator("#hypothesis").input_value() == page.locator("#hypothesis").input_value()
    assert other.locator("#reference-1").input_value() == "二つ目"
    assert other.locator("#scores tbody th").all_inner_texts() == ["chrF2++", "TER"]
    pressed = other.locator('#scores button[aria-pressed="true"]').all_inner_texts()
    assert pressed == ["chrF2++"]
    other.goto(link.partition("#")[0] + "#bm9uc2Vuc2U")
    other.locator("#score").filter(has_text="=").wait_for(timeout=1000 * PATIENCE)


def test_links_of_the_first_version_open(chromium: Any, address: str) -> None:
    old = {"v": 1, "hypothesis": "a é", "references": ["a b"], "metric": "ter", "options": {}}
    link = urlsafe_b64encode(json.dumps(old).encode()).decode().rstrip("=")
    opened = Calculator(chromium, f"{address}#{link}")
    assert opened.page.locator("#score").inner_text().startswith("TER = 50.00")
    assert opened.page.locator("#hypothesis").input_value() == "a é"
    assert opened.messages == []
    opened.context.close()


def test_several_metrics_stand_side_by_side(calculator: Calculator) -> None:
    page = calculator.page
    calculator.type("The cat sat.")
    for name in ("chrf", "rouge-l"):
        page.get_by_role("button", name="Add a metric").click()
        page.locator("#metric").select_option(name)
    rows = page.locator("#scores tbody tr")
    rows.nth(2).filter(has_text="ROUGE-L").wait_for()
    texts = "The cat sat.", ["The cat sat on the mat."]
    for number, name in enumerate(("bleu", "chrf", "rouge-l")):
        score = make_metric(name).sentence_score(*texts)
        rows.nth(number).filter(has_text=f"{score.score:.2f}").wait_for()
        page.locator("#scores button").nth(number).click()
        calculator.wait_for_score(f"{score.name} = {score.score:.2f}")
        assert page.locator("#metric").input_value() == name
        last = page.locator("#steps tbody tr").last.locator("td").last
        assert float(last.inner_text()) == pytest.approx(score.score, rel=1e-5)
    page.get_by_role("button", name="Remove this metric").click()
    calculator.wait_for_score("chrF2 = ")
    assert rows.count() == 2


def test_tokens_are_reached_with_the_keyboard(calculator: Calculator) -> None:
    page = calculator.page
    calculator.type("on the the the mat")
    page.locator(".token.clipped").wait_for()
    page.locator('.token[data-side="hypothesis"]').first.focus()
    connected = page.locator('.token.connected[data-side="reference"]')
    assert connected.all_inner_texts() == ["on", "the"]
    for _ in range(4):
        page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "mat"
    assert connected.all_inner_texts() == ["the", "mat"]
    struck = "getComputedStyle(document.querySelector('.token.clipped')).textDecorationLine"
    assert page.evaluate(struck) == "line-through"


def test_errors_say_what_to_do(calculator: Calculator) -> None:
    page = calculator.page
    page.get_by_text("Options").click()
    page.locator("#option-max_ngram_order").fill("0")
    page.locator("#error").filter(has_text="max_ngram_order").wait_for()
    assert page.locator("#answer").is_hidden()
    page.locator("#option-max_ngram_order").fill("3")
    page.locator("#answer").wait_for()


def test_hostile_texts_are_shown_and_not_run(calculator: Calculator) -> None:
    calculator.type(HOSTILE)
    calculator.page.locator(".token").filter(has_text="onerror").first.wait_for()
    assert calculator.page.locator("img, #tokens script").count() == 0


def test_500_sentences_score_as_in_the_library(calculator: Calculator) -> None:
    generator = random.Random(7)
    words = ["the", "cat", "sat", "on", "a", "mat", ".", "Über", "猫", "🌧", "rain,", "3.5%"]
    texts = [" ".join(generator.choices(words, k=generator.randint(0, 12))) for _ in range(1000)]
    hypotheses, references = texts[:500], texts[500:]
    metrics = ["bleu", "chrf++", "ter"]
    found = calculator.page.evaluate(
        """async (request) => {
          const inBrowser = document.documentElement.dataset.backend === "browser";
          const backend = inBrowser ? new BrowserBackend(() => {}) : new ServerBackend();
          return backend.call("sentences", request);
        }""",
        {"hypotheses": hypotheses, "references": references, "metrics": metrics},
    )
    for name, one in zip(metrics, found, strict=True):
        metric = parse_metric(name, sentences=True)
        expected = list(metric.sentence_scores(hypotheses, references).values)
        # From Python 3.12 on, which the browser has, sums of floats are rounded less.
        assert one["scores"] == pytest.approx(expected, abs=1e-11)


def test_the_score_is_in_view_while_one_types_on_a_phone(chromium: Any, address: str) -> None:
    opened = Calculator(chromium, address, viewport={"width": 390, "height": 500})
    page = opened.page
    page.get_by_role("button", name="Party, 1").click()
    opened.wait_for_score("BLEU = 50.46")
    for field in ("#reference-2", "#reference-0", "#hypothesis"):
        page.locator(field).click()
        page.locator(field).press("End")
        page.keyboard.type(" party")
        score, typed = page.locator("#score").bounding_box(), page.locator(field).bounding_box()
        assert score["y"] >= 0
        assert score["height"] < 40
        assert score["y"] + score["height"] <= typed["y"]
        assert typed["y"] + typed["height"] <= 500
    page.get_by_text("Options").click()
    page.locator("#option-max_ngram_order").fill("0")
    error = page.locator("#error").filter(has_text="max_ngram_order")
    error.wait_for()
    assert 0 <= error.bounding_box()["y"] < 100
    assert page.locator("#score").is_hidden()
    opened.context.close()


def test_an_option_that_names_files_is_not_in_the_form(calculator: Calculator) -> None:
    page = calculator.page
    page.locator("#metric").select_option("meteor")
    page.get_by_text("Options").click()
    page.locator("#option-language").wait_for()
    # Its stems need no library that a browser does not have.
    calculator.wait_for_score("METEOR = ")
    assert page.locator("#option-resources").count() == 0
    said = page.locator("#of-files").inner_text()
    assert "-m meteor:resources=PATH" in said
    assert 'METEOR(resources="PATH")' in said
    assert page.locator("#options select option:only-child").count() == 0
    page.locator("#metric").select_option("ter")
    calculator.wait_for_score("TER = ")
    assert page.locator("#of-files p").count() == 0


def test_what_is_copied_computes_the_score_again(chromium: Any, address: str) -> None:
    opened = Calculator(chromium, address, permissions=["clipboard-read", "clipboard-write"])
    page = opened.page
    opened.type("The cat sat down.")
    texts = "The cat sat down.", ["The cat sat on the mat."]
    opened.wait_for_score(f"BLEU = {BLEU().sentence_score(*texts).score:.2f}")
    page.get_by_role("button", name="Copy as command").click()
    page.locator("#copied").filter(has_text="Copied command").wait_for()
    _, *command = shlex.split(page.evaluate("navigator.clipboard.readText()"))
    ran = subprocess.run(
        [sys.executable, "-m", "bleuet", *command], capture_output=True, text=True, check=True
    )
    assert page.locator("#signature").inner_text() in ran.stdout
    page.get_by_role("button", name="Copy as Python").click()
    page.locator("#copied").filter(has_text="Copied python").wait_for()
    code = page.evaluate("navigator.clipboard.readText()")
    namespace: dict[str, Any] = {}
    exec(code.replace("print(", "found = (", 1), namespace)
    score = namespace["found"]
    assert score == BLEU(effective_order=True).sentence_score(*texts)
    opened.context.close()


def test_a_short_sentence_scores_as_on_the_command_line(calculator: Calculator) -> None:
    """The effective order is on, unless it is turned off; the chart ends with the score."""
    page = calculator.page
    page.locator("#reference-0").fill("Good morning.")
    calculator.type("Good morning.")
    calculator.wait_for_score("BLEU = 100.00")
    page.get_by_text("Options").click()
    page.locator("#option-effective_order").uncheck()
    calculator.wait_for_score("BLEU = 0.00")
    page.locator("#option-effective_order").check()
    calculator.type("morning.")
    calculator.wait_for_score("BLEU = 60.65")
    page.locator("#chart").filter(has_text="60.65 %").wait_for()
    assert "exp(1 - 3 / 2)" in calculator.chart()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_is_accessible_and_fits(
    chromium: Any, address: str, width: int, dark: bool
) -> None:
    from axe_playwright_python.sync_playwright import (
        Axe,
    )

    scheme = "dark" if dark else "light"
    opened = Calculator(
        chromium,
        address,
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        bypass_csp=True,
    )
    page = opened.page
    page.get_by_role("button", name="Party, 1").click()
    opened.wait_for_score("BLEU = 50.46")
    page.get_by_role("button", name="Add a metric").click()
    page.locator("#metric").select_option("ter")
    page.locator("#scores tbody tr").nth(1).filter(has_text="TER").wait_for()
    page.get_by_role("button", name="BLEU", exact=True).click()
    page.get_by_text("Options").click()
    page.get_by_text("What each smoothing gives").click()
    serious = [
        (one["id"], one["nodes"][0]["html"])
        for one in Axe().run(page).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
    opened.context.close()
