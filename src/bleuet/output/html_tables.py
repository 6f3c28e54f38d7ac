"""HTML tables."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from bleuet.output.document import Document
    from bleuet.output.rendering import Settings


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document; arguments as of `bleuet.output.rendering.write`."""
    from bleuet.output import plain_text

    plain_text.write(document, out, settings)
