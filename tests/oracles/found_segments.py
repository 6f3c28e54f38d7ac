"""Segments that fuzzing found, and some like them; `test_found_segments.py` checks all of them.

`test_fuzz.py` adds each segment that bleuet and sacreBLEU count or score in another way.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.evaluation_data import REPOSITORY
from tests.oracles.sacrebleu_peer import Pair, their_rows
from tests.oracles.stored_texts import as_stored, as_text

if TYPE_CHECKING:
    from pathlib import Path

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "found.jsonl"


class Found(NamedTuple):
    """A segment with sacreBLEU's row and sentence score."""

    pair: Pair
    hypothesis: str
    references: Any
    row: list[float]
    score: float

    @classmethod
    def of(cls, pair: Pair, hypothesis: str, references: Any) -> Found:
        """Ask sacreBLEU for the row and the score."""
        theirs = pair.theirs()
        (row,) = their_rows(theirs, [hypothesis], [references])
        # Their smoothing changes the row it is given.
        score = theirs._compute_score_from_stats(list(row)).score
        return cls(pair, hypothesis, references, row, score)

    def line(self) -> str:
        """Return the line of the file."""
        return json.dumps(
            {
                "metric": self.pair.name,
                "options": self.pair.options,
                "hypothesis": as_stored(self.hypothesis),
                "references": as_stored(self.references),
                "row": self.row,
                "score": self.score,
            }
        )


def read(file: Path = FILE) -> list[Found]:
    """Return the segments of a file."""
    entries = map(json.loads, file.read_text(encoding="ascii").splitlines())
    return [
        Found(
            Pair(entry["metric"], entry["options"]),
            as_text(entry["hypothesis"]),
            as_text(entry["references"]),
            entry["row"],
            entry["score"],
        )
        for entry in entries
    ]


def keep(found: Found, file: Path = FILE) -> None:
    """Add a segment, unless the file has it."""
    if found.line() not in file.read_text(encoding="ascii").splitlines():
        with file.open("a", encoding="ascii") as out:
            out.write(found.line() + "\n")
