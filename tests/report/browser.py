"""Pages opened in a browser that can reach nothing: Chromium without a window."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.groups import BROWSERS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

LINES = """lines => Object.fromEntries(lines.map((line) => {
  const score = line.querySelector("td.score");
  return [line.querySelector("th").textContent, {
    score: score?.firstChild.textContent ?? "",
    counts: score?.querySelector("small").textContent ?? "",
    text: line.querySelector("td.text").textContent,
  }];
}))"""


def started_browser() -> Iterator[Any]:
    """Yield a browser, which is closed behind it."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Opened:
    """An open page with all its messages and requests."""

    page: Any
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def segments(self) -> list[int]:
        """The numbers of the segments that are shown, in order."""
        return [int(text.split()[1]) for text in self.page.locator(".segment b").all_inner_texts()]

    def lines(self, segment: int) -> dict[str, dict[str, str]]:
        """The score, the counts and the text of each line of a segment, by its name."""
        lines = self.page.locator(f"#segment-{segment} tr:not(.segment)")
        found: dict[str, dict[str, str]] = lines.evaluate_all(LINES)
        return found

    def assert_quiet(self) -> None:
        """The console has no message, and the page sent no request."""
        assert self.messages == []
        assert len(self.requests) == 1
        assert self.requests[0].startswith("file://")


def open_page(browser: Any, path: Path, html: str, **settings: Any) -> Opened:
    """Open a page from a file, and wait until its charts are drawn."""
    path.write_text(html, encoding="utf-8")
    page = browser.new_context(**settings).new_page()
    opened = Opened(page)
    page.on("console", lambda message: opened.messages.append(message.text))
    page.on("pageerror", lambda error: opened.messages.append(str(error)))
    page.on("dialog", lambda dialog: opened.messages.append(dialog.message))
    page.on("request", lambda request: opened.requests.append(request.url))
    page.goto(path.as_uri())
    page.locator("#scores-charts .chart svg").first.wait_for()
    page.locator("#histogram-chart svg").wait_for()
    return opened
