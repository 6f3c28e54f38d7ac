"""Checks of the built site: links and anchors, requests to other hosts, alternative texts."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

# Attributes from which a browser loads something by itself, and the elements that have them.
LOADED = {
    ("img", "src"), ("script", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"),
    ("audio", "src"), ("embed", "src"), ("object", "data"), ("image", "href"), ("track", "src"),
    ("video", "poster"), ("input", "src"),
}  # fmt: skip
# Links of these kinds make the browser load their target.
LOADED_LINKS = {
    "stylesheet",
    "icon",
    "preload",
    "modulepreload",
    "manifest",
    "preconnect",
    "prefetch",
}
# Addresses with a host in a style sheet.
LOADED_BY_CSS = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


class Page(HTMLParser):
    """What a page links to, what it loads, and its anchors.

    Args:
        text: its HTML.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.pictures_without_text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's links and anchor."""
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(filter(None, (values.get("id"), values.get("name"))))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        self.loaded += [values[name] for of, name in LOADED if of == tag and name in values]
        if tag == "link" and LOADED_LINKS & set(values.get("rel", "").lower().split()):
            self.loaded.append(values.get("href", ""))
        # Several addresses, each with the width for which it is meant.
        several = values.get("srcset", "").split(",")
        self.loaded += [one.split()[0] for one in several if one.strip()]
        if tag == "img" and not values.get("alt"):
            self.pictures_without_text.append(values.get("src", ""))


def faults(site: Path, left_out: Collection[str] = ()) -> list[str]:
    """Return what is wrong with a site, one line each.

    Args:
        site: the folder of the site.
        left_out: folders whose pages are not checked.
    """
    pages = {
        file.resolve(): Page(file.read_text(encoding="utf-8"))
        for file in sorted(site.rglob("*.html"))
        if file.relative_to(site).parts[0] not in left_out
    }
    found = []
    for file, page in pages.items():
        name = file.relative_to(site.resolve())
        found += [f"{name}: {fault}" for fault in _faults_of(file, page, pages, site.resolve())]
    for sheet in sorted(site.rglob("*.css")):
        addresses = LOADED_BY_CSS.findall(sheet.read_text(encoding="utf-8"))
        found += [f"{sheet.relative_to(site)}: loads {one} from another host" for one in addresses]
    return found


def _faults_of(file: Path, page: Page, pages: dict[Path, Page], site: Path) -> Iterator[str]:
    for address in page.loaded:
        if urlsplit(address).netloc:
            yield f"loads {address} from another host"
    for picture in page.pictures_without_text:
        yield f"the picture {picture} has no alternative text"
    # Links of the page that stands for every missing page begin at the site's address.
    if file.name == "404.html":
        return
    for address in dict.fromkeys([*page.links, *page.loaded]):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = _target(file, unquote(parts.path), site)
        if not target.exists():
            yield f"{address} leads nowhere"
        elif parts.fragment and target in pages:
            anchor = unquote(parts.fragment)
            if anchor not in pages[target].anchors:
                yield f"{address}: that page has no such heading"


def _target(file: Path, path: str, site: Path) -> Path:
    start = site if path.startswith("/") else file.parent
    target = (start / path.lstrip("/")).resolve() if path else file
    return target / "index.html" if target.is_dir() else target
