"""The site as its readers have it: every link, three widths, light and dark, search, no network."""

from __future__ import annotations

from functools import partial
from http.server import ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.conftest import Quiet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.site, pytest.mark.browser]
# One page of each kind.
PAGES = (
    *("", "start/", "how-to/", "how-to/table-for-a-paper/", "explained/bleu/", "metrics/"),
    *("metrics/ter/", "reference/commands/score/", "reference/python/scoring/", "numbers/speed/"),
    *("compared/", "command-line/", "architecture/"),
)
WIDTHS = (360, 800, 1400)
# Browsers let the keyboard reach what scrolls, such as a wide table.
LEFT_OUT = ("scrollable-region-focusable",)
# How far the page can be scrolled sideways.
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, which is built once, without the calculator."""
    from website.build import build

    folder: Path = tmp_path_factory.mktemp("documentation") / "site"
    assert build(folder, folder / "no calculator") == []
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def opened(chromium: Any, address: str, width: int, scheme: str = "light") -> tuple[Any, list[str]]:
    """Return an open page, and what it requested and what its console says."""
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    page.on("pageerror", lambda error: seen.append(f"error {error}"))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return page, seen


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_fit_and_request_nothing_from_others(site: str, chromium: Any, width: int) -> None:
    for path in PAGES:
        page, seen = opened(chromium, site + path, width)
        assert [one for one in seen if not one.startswith((site, "data:", "blob:"))] == [], path
        assert page.evaluate(SIDEWAYS) <= 0, path
        page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(site: str, chromium: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for path in PAGES:
        page, _ = opened(chromium, site + path, 1400, scheme)
        results = Axe().run(page, ".md-content")
        found += [
            f"{path}: {one['id']}: {one['nodes'][0]['html'][:120]}"
            for one in results.response["violations"]
            if one["impact"] in ("serious", "critical") and one["id"] not in LEFT_OUT
        ]
        page.context.close()
    assert found == []


def test_the_search_finds_a_page(site: str, chromium: Any) -> None:
    page, seen = opened(chromium, site, 1400)
    page.keyboard.press("/")
    page.keyboard.type("brevity penalty")
    page.get_by_text("BLEUScore.bp").first.wait_for()
    assert [one for one in seen if not one.startswith((site, "data:", "blob:"))] == []


def test_the_search_finds_guides_before_names_in_python(site: str, chromium: Any) -> None:
    page, _ = opened(chromium, site, 1400)
    page.keyboard.press("/")
    page.keyboard.type("gate")
    page.get_by_text("bleuet.gate.GateResult").first.wait_for()
    found = page.locator("a[href*='?h=gate']").evaluate_all("all => all.map(a => a.pathname)")
    assert "/gate/" in found[:3]
    assert "/reference/commands/gate/" in found[:3]


def test_pictures_follow_the_mode_of_the_page(site: str, chromium: Any) -> None:
    """A reader who chooses the dark mode gets light text in pictures, whatever the system has."""
    page, _ = opened(chromium, site + "metrics/ter/", 1400)
    box = page.locator("article img").first.bounding_box()
    # Inside the picture, since the page shows at its corners.
    inside = {"x": box["x"] + 20, "y": box["y"] + 20, "width": 200, "height": 100}
    light = page.screenshot(clip=inside)
    page.evaluate("document.body.setAttribute('data-md-color-scheme', 'slate')")
    page.wait_for_timeout(500)
    assert page.screenshot(clip=inside) != light
