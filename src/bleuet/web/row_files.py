"""The segments of a comparison as files: tables of numbers, and texts one after the other.

Texts are there as they are written, and in lower case, in which phrases are searched.
"""

from __future__ import annotations

import json
from array import array
from itertools import chain
from math import nan

from bleuet.comparison.division import reference_lengths
from bleuet.report.comparison_charts import digits_of
from bleuet.report.page.page_data import buckets_of_segments, shared_breakdowns
from bleuet.web.comparison_files import DESCRIPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from bleuet.comparison import Comparison
    from bleuet.comparison.texts import ComparedTexts


def write_rows(comparison: Comparison, folder: Path) -> None:
    """Write what `SentenceRows` reads."""
    evaluation, texts = comparison.evaluation, comparison.texts
    segments = evaluation.segments
    numbers = [reference_lengths(texts, 0)]
    numbers += [buckets_of_segments(one, segments) for one in shared_breakdowns(comparison)]
    columns = chain.from_iterable(evaluation.sentence_scores)
    firsts = array("q", [0])
    for references in texts.references:
        firsts.append(firsts[-1] + len(references) + len(evaluation.systems))
    (folder / "numbers").write_bytes(b"".join(array("i", own) for own in numbers))
    (folder / "scores").write_bytes(b"".join(map(_packed, columns)))
    (folder / "firsts").write_bytes(firsts)
    _write_texts(folder, "texts", _texts(texts))
    _write_texts(folder, "lower", map(str.lower, _texts(texts)))
    described = {
        "systems": len(evaluation.systems),
        "higher": [metric.higher_is_better for metric in evaluation.metrics],
        "digits": digits_of(comparison),
        "tokenizer": texts.tokenizer,
    }
    (folder / DESCRIPTION).write_text(json.dumps(described), encoding="utf-8")


def _packed(column: Iterable[float | None]) -> array[float]:
    return array("d", [nan if score is None else score for score in column])


def _texts(texts: ComparedTexts) -> Iterator[str]:
    """Yield the references and then the hypotheses of each segment."""
    for row, references in enumerate(texts.references):
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
