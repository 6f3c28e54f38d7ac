"""The segments of a comparison as files: the numbers of the page, and texts one after the other.

Each text is stored twice: unchanged for the page, and in lower case for the search.
"""

from __future__ import annotations

import json
from array import array
from itertools import chain

from bleuet.comparison.division import reference_lengths
from bleuet.report.page.packed import little_endian, numbers
from bleuet.report.page.page_data import filters_of
from bleuet.web.comparison_files import NUMBERS
from bleuet.web.sentence_texts import DESCRIPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from bleuet.comparison import Comparison
    from bleuet.comparison.texts import ComparedTexts


def write_segments(comparison: Comparison, folder: Path) -> None:
    """Write what a page and `SentenceTexts` read."""
    evaluation, texts = comparison.evaluation, comparison.texts
    columns = (evaluation.sentence_scores, evaluation.contributions)
    wide = numbers(chain.from_iterable(chain.from_iterable(columns)))
    counts = [reference_lengths(texts, 0), *(one.buckets for one in filters_of(comparison))]
    narrow = little_endian(array("i", chain.from_iterable(counts)))
    (folder / NUMBERS).write_bytes(wide + narrow)
    firsts = array("q", [0])
    beside = len(evaluation.systems) + (texts.sources is not None)
    for references in texts.references:
        firsts.append(firsts[-1] + len(references) + beside)
    (folder / "firsts").write_bytes(firsts)
    _write_texts(folder, "texts", _texts(texts))
    _write_texts(folder, "lower", map(str.lower, _texts(texts)))
    described = {
        "systems": len(evaluation.systems),
        "sources": texts.sources is not None,
        "tokenizer": texts.tokenizer,
    }
    (folder / DESCRIPTION).write_text(json.dumps(described), encoding="utf-8")


def _texts(texts: ComparedTexts) -> Iterator[str]:
    """Yield of each segment the source, where it is known, the references and the hypotheses."""
    for row, references in enumerate(texts.references):
        if texts.sources is not None:
            yield texts.sources[row]
        yield from references
        for own in texts.hypotheses:
            yield own[row]


def _write_texts(folder: Path, name: str, texts: Iterable[str]) -> None:
    """Write texts, each with a line feed behind it, and where each ends."""
    ends = array("q")
    end = 0
    with (folder / name).open("wb") as out:
        for text in texts:
            end += out.write(text.encode() + b"\n")
            ends.append(end)
    (folder / f"{name}-ends").write_bytes(ends)
