"""No letter of the page is cut at any width: tables wrap or scroll, charts have room for labels.

Every run has a few pages; `make fuzz` opens all of them.
"""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.comparison import compare
from bleuet.report import Report
from bleuet.significance import TestSettings
from tests import effort
from tests.report.browser import open_page

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser
NAMES = (
    "Online-B",
    "Facebook-AI",
    "a-rather-long-name-of-a-transformer-big-ensemble.finetuned.v12",
    "NiuTrans",
    "mine",
    "x" * 70,
    "WWWWWW MMMMMM",
    "HuaweiTSC",
    "P3AI",
    "机器翻译系统的一个很长的名字",
    "outputs/2021_submission_primary.file_name.detokenized.txt",
    "VolcTrans-AT",
)
LABELS = ("news", "social media and conversation", "a_quite.long/label-of-some-domain", "y" * 50)
TEXTS = (
    "See https://www.example.org/a/very/long/path/to_some_file.html?query=one&other=two now .",
    "w" * 200,
    "我们今天去北京参观故宫博物院，然后在附近的餐馆吃烤鸭，晚上再坐火车回上海。",
    "the cat &amp; the dog &amp; the &quot;house&quot; under the old river",
)
METRICS = ("bleu", "chrf", "ter", "chrf++")
WIDTHS = (360, 768, 1280, 1920)

PAGES = [(5, 3, 1280), (12, 4, 360), (5, 1, 360), (12, 2, 768)]
ALL_PAGES = [(n, m, width) for n in (1, 2, 5, 7, 12) for m in (1, 2, 3, 4) for width in WIDTHS]

# Yields a sentence for everything that a reader cannot see.
FIND_CUT = r"""() => {
  const found = [];
  const say = (what, element) => found.push(
    `${what}: <${element.tagName} ${element.id || element.getAttribute("class")}> ` +
    element.textContent.slice(0, 60));
  const unseen = (element) => !element.checkVisibility() || element.closest(".for-screen-readers");
  if (document.documentElement.scrollWidth > innerWidth) say("wider than the page", document.body);
  for (const element of document.body.querySelectorAll("*")) {
    if (unseen(element) || element.closest("svg, canvas, select")) continue;
    const style = getComputedStyle(element);
    if (style.clipPath !== "none") continue;
    const {left, right, width} = element.getBoundingClientRect();
    const scrolls = element.closest(".scroll, .chart");
    if (width && (left < -1 || right > innerWidth + 1) && !scrolls) say("beyond the page", element);
    if (style.display === "inline" || element.scrollWidth <= element.clientWidth + 1) continue;
    if (!["auto", "scroll"].includes(style.overflowX)) say("wider than its box", element);
    else if (style.backgroundImage === "none") say("scrolls, and nothing shows it", element);
    else if (!element.matches(".chart, [tabindex='0']")) say("scrolls without a keyboard", element);
  }
  for (const cell of document.querySelectorAll(".scroll th, .scroll td")) {
    if (unseen(cell)) continue;
    const box = cell.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(cell);
    for (const {left, right} of range.getClientRects()) {
      if (left < box.left - 1 || right > box.right + 1) say("beyond its cell", cell);
    }
    const scroll = cell.closest(".scroll");
    const first = cell.matches(":first-child");
    if (first && getComputedStyle(cell).position !== "sticky") say("scrolls away", cell);
    const reach = scroll.getBoundingClientRect().left - scroll.scrollLeft + scroll.scrollWidth;
    if (box.right > reach + 1) say("out of reach", cell);
  }
  const scores = document.querySelector("#scores-title + .beside .scroll");
  if (scores.scrollWidth > scores.clientWidth) say("the table of scores must fit", scores);
  for (const svg of document.querySelectorAll(".chart svg")) {
    const frame = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll("text")) {
      if (Number(text.getAttribute("opacity") ?? 1) === 0 || !text.textContent.trim()) continue;
      const box = text.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1
        || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) say("beyond its chart", text);
      if (text.textContent.includes("…")) say("shortened", text);
    }
    for (const axis of svg.querySelectorAll(".role-axis-label, .role-legend-label")) {
      const lines = [...axis.querySelectorAll("text")].filter((one) =>
        !one.getAttribute("transform").includes("rotate") && one.getAttribute("opacity") !== "0");
      const boxes = lines.map((one) => {
        const parts = [...one.querySelectorAll("tspan")]
          .filter((part) => /[^\s\u200b]/.test(part.textContent));
        const range = document.createRange();
        range.setStartBefore(parts[0] ?? one.firstChild);
        range.setEndAfter(parts.at(-1) ?? one.lastChild);
        return range.getBoundingClientRect();
      });
      boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && down > 3) {
          say("over another label", lines[i]);
        }
      }));
    }
  }
  return found;
}"""


@cache
def page(systems: int, metrics: int) -> str:
    draw = random.Random(5)
    words = ["the", "a", "cat", "dog", "house", "river", "old", "new", "sees", "under", ",", "."]
    references = [" ".join(draw.choices(words, k=draw.randint(3, 25))) for _ in range(40)]
    hypotheses = {
        name: [
            " ".join(word if draw.random() > 0.06 * number else "so" for word in text.split())
            for text in references
        ]
        for number, name in enumerate(NAMES[:systems])
    }
    texts = {name: [*own, *TEXTS] for name, own in hypotheses.items()}
    labels = {"domain": [LABELS[i % len(LABELS)] for i in range(44)]}
    labels["document"] = [f"document {i % 20}" for i in range(44)]
    found = compare(texts, [*references, *TEXTS], METRICS[:metrics], labels=labels, scores=None)
    # Without a correction most systems have letters.
    tested = found.tested(TestSettings(draws=100, correction=None))
    return Report(tested, command=f"bleuet compare {' '.join(NAMES)}").to_html()


@pytest.mark.filterwarnings("ignore:.* segments are too few")
def test_nothing_is_cut(chromium: Any, tmp_path: Path) -> None:
    for shape in ALL_PAGES if effort.is_fuzzing() else PAGES:
        check_page(chromium, tmp_path, *shape)


def check_page(chromium: Any, tmp_path: Path, systems: int, metrics: int, width: int) -> None:
    html = page(systems, metrics)
    view = {"width": width, "height": 900}
    opened = open_page(chromium, tmp_path / "page.html", html, viewport=view)
    show_all = "() => document.querySelectorAll('details').forEach((one) => { one.open = true; })"
    opened.page.evaluate(show_all)
    divisions = opened.page.locator("#chart-division")
    for division in range(divisions.locator("option").count()):
        divisions.select_option(str(division))
        opened.page.wait_for_timeout(150)
        assert opened.page.evaluate(FIND_CUT) == [], (systems, metrics, width)
    opened.assert_quiet()
    opened.page.context.close()
