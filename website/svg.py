"""What all pictures have: colours for light and dark readers, a title, and nothing to request."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Each colour on a light and on a dark page; an SVG's rules use it as var(--NAME).
COLOURS = {
    "paper": ("#ffffff", "#14181d"),
    "ink": ("#1b1f24", "#e9edf1"),
    "muted": ("#59636e", "#a3adb8"),
    "line": ("#c4ccd4", "#48525d"),
    "token": ("#f1f3f5", "#252b32"),
    "ok": ("#1a7f37", "#56d272"),
    "ok-fill": ("#d5f3dc", "#123f20"),
    "bad": ("#b3261e", "#ff8f86"),
    "bad-fill": ("#fde0dd", "#521a17"),
    "move": ("#7a4f00", "#f2c14e"),
    "move-fill": ("#fdeec4", "#463407"),
    "one": ("#2457c5", "#7aa2ff"),
    "two": ("#9c3fb5", "#d58be8"),
}


def colours() -> str:
    """Return the rules that give each colour its value for the reader's scheme."""
    light, dark = (
        "".join(f"--{name}:{both[scheme]};" for name, both in COLOURS.items()) for scheme in (0, 1)
    )
    return f"svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}"


def document(
    width: int, height: int, title: str, rules: str, shapes: Iterable[str], description: str = ""
) -> str:
    """Return a picture.

    Args:
        width: its width in pixels.
        height: its height in pixels.
        title: what it shows.
        rules: the rules of its classes.
        shapes: its elements.
        description: what a reader learns from it, for those who cannot see it.
    """
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            f"<title>{escape(title)}</title>",
            *([f"<desc>{escape(description)}</desc>"] if description else []),
            f"<style>{colours()}{rules}</style>",
            *shapes,
            "</svg>\n",
        ]
    )
