"""CharCut's costs and lengths by charcut, on made texts.

    python -m tests.oracles.charcut_goldens

writes `goldens/charcut.json` again. It needs charcut 1.1.1, in which Bram Vanroy packaged the
authors' program. That is under the GPL: it is run, and nothing is read or copied.
"""

from __future__ import annotations

import json
import random
import re
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.evaluation_data import REPOSITORY
from tests.oracles import fuzz

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "charcut.json"
SEED, PAIRS = 2017, 250
# The options of the program, and ours.
OPTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"match_size": 1}, {"match_size": 1}),
    ({"match_size": 2}, {"match_size": 2}),
    ({"match_size": 5, "alt_norm": True}, {"match_size": 5, "normalize": "hypothesis"}),
]
# Strings that are equally long and that repeat are frequent in texts of few characters.
ALPHABETS = ["ab", "abc ", "ab .'", "ab.,", "aé_1-", "a中。 ", "a\xa0 \t", "a²\u0301 ", "ab😀 "]


def texts(seed: int = SEED, pairs: int = PAIRS) -> tuple[list[str], list[str]]:
    """Return hypotheses and references without the line breaks that end the program's segments."""
    drawn = random.Random(seed)
    made = [
        tuple("".join(drawn.choices(letters, k=drawn.randint(0, 24))) for _ in range(2))
        for letters in drawn.choices(ALPHABETS, k=pairs)
    ]
    words = ["the", "cat", "cats", "sat", "on", "a", "mat,", "mat.", "o'clock", "old", "olden"]
    for _ in range(pairs):
        text = " ".join(drawn.choices(words, k=drawn.randint(1, 14)))
        made.append((fuzz.changed(drawn, text), text))
    kept = [pair for pair in made if all(_is_one_line(one) for one in pair)]
    return [one for one, _ in kept], [other for _, other in kept]


def _is_one_line(text: str) -> bool:
    return len(text.splitlines()) <= 1


def counted_by_charcut(
    hypotheses: Sequence[str], references: Sequence[str], options: dict[str, Any]
) -> tuple[float, list[tuple[int, int]]]:
    """Return the score of the corpus, and the cost and length of each segment."""
    calculate: Any = import_module("charcut").calculate_charcut
    with TemporaryDirectory() as folder:
        file = Path(folder, "segments.txt")
        score, _ = calculate([*hypotheses], [*references], plain_output_file=str(file), **options)
        lines = file.read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"\S+ \((\d+)/(\d+)\)", line) for line in lines]
    return score, [(int(one[1]), int(one[2])) for one in found if one]


def main() -> None:
    made = [counted_by_charcut(*texts(), theirs) for theirs, _ in OPTIONS]
    stored = {"made_with": "charcut 1.1.1", "scores": [one for one, _ in made]}
    rows = {"segments": [segments for _, segments in made]}
    FILE.write_text(json.dumps({**stored, **rows}, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
