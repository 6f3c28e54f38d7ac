"""The texts of a finished comparison, which are read and searched in its files.

The files are mapped into memory, so that the server holds none of their content itself.
"""

from __future__ import annotations

import json
import mmap
from itertools import pairwise
from typing import TYPE_CHECKING

from bleuet.comparison.tokens import splitter
from bleuet.errors import OptionError
from bleuet.report.page.word_spans import with_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

# The file that describes the others; `segment_files` writes it.
DESCRIPTION = "texts.json"


class SentenceTexts:
    """The texts of the segments of a comparison.

    Args:
        folder: where `write_segments` wrote them.
    """

    def __init__(self, folder: Path) -> None:
        described = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        self._systems: int = described["systems"]
        self._has_sources: bool = described["sources"]
        self._split = splitter(described["tokenizer"])
        self._firsts: Sequence[int] = memoryview(_mapped(folder / "firsts")).cast("q")
        self._texts = _Texts(folder, "texts")
        self._lower = _Texts(folder, "lower")

    def __len__(self) -> int:
        return len(self._firsts) - 1

    def read(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Return the texts of some segments.

        Args:
            wanted: the fields of `bleuet.web.request_types.TextsRequest`.

        Raises:
            OptionError: there is no such segment.
        """
        segments = wanted["segments"]
        if any(not 1 <= one <= len(self) for one in segments):
            raise OptionError(f"segments are numbers from 1 to {len(self)}")
        return {"segments": [{"segment": one, **self._of(one - 1)} for one in segments]}

    def _of(self, row: int) -> dict[str, Any]:
        first = self._firsts[row] + self._has_sources
        texts = [
            with_spans(text, self._split(text))
            for text in map(self._texts.read, range(first, self._firsts[row + 1]))
        ]
        references = len(texts) - self._systems
        return {
            "source": self._texts.read(first - 1) if self._has_sources else None,
            "references": texts[:references],
            "hypotheses": texts[references:],
        }

    def search(self, wanted: Mapping[str, Any]) -> dict[str, list[int]]:
        """Return the segments that have a phrase in a text that is shown, and how often each.

        Args:
            wanted: the fields of `bleuet.web.request_types.SearchRequest`.

        Raises:
            OptionError: there is no such system.
        """
        systems = range(self._systems)
        shown = systems if wanted["shown"] is None else wanted["shown"]
        if any(system not in systems for system in shown):
            raise OptionError(f"systems are numbers from 0 to {self._systems - 1}")
        hidden = set(systems).difference(shown)
        phrase = wanted["query"].strip().lower().encode(errors="surrogatepass")
        content, ends = self._lower.content, self._lower.ends
        bounds = pairwise([0, *(ends[stop - 1] for stop in self._firsts[1:])])
        found = {
            row: hits
            for row, (begin, end) in enumerate(bounds)
            if phrase and (hits := content[begin:end].count(phrase))
        }
        if hidden:
            found = {row: hits - self._hits_of(hidden, row, phrase) for row, hits in found.items()}
        return {
            "segments": [row + 1 for row, hits in found.items() if hits],
            "hits": [hits for hits in found.values() if hits],
        }

    def _hits_of(self, systems: Iterable[int], row: int, phrase: bytes) -> int:
        """Return how often the hypotheses of some systems have a phrase."""
        content, ends = self._lower.content, self._lower.ends
        first = self._firsts[row + 1] - self._systems
        return sum(
            content[ends[first + system - 1] : ends[first + system]].count(phrase)
            for system in systems
        )


class _Texts:
    """Texts, each with a line feed behind it, and where each ends."""

    def __init__(self, folder: Path, name: str) -> None:
        self.content = _mapped(folder / name)
        self.ends: Sequence[int] = memoryview(_mapped(folder / f"{name}-ends")).cast("q")

    def read(self, number: int) -> str:
        """Return one text."""
        begin = self.ends[number - 1] if number else 0
        return self.content[begin : self.ends[number] - 1].decode()


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
