"""hLEPOR's figures by hLepor, on made texts.

    python -m tests.oracles.hlepor_goldens

writes `goldens/hlepor.json` again. It needs hLepor 0.0.4, the port of the authors' program, with
nptyping below 2.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from tests.evaluation_data import REPOSITORY
from tests.oracles import fuzz

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "hlepor.json"
SEED, PAIRS = 41, 600
OPTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"n": 1, "alpha": 1.0}, {"context": 1, "alpha": 1}),
    (
        {"n": 3, "weight_elp": 1.0, "weight_pos": 3.0, "weight_pr": 2.0},
        {"context": 3, "length_weight": 1, "position_weight": 3, "words_weight": 2},
    ),
]


def texts() -> tuple[list[str], list[str]]:
    """Return hypotheses and references that have words, with one space between them."""
    found, references = fuzz.segments(SEED, PAIRS)
    pairs = [
        (" ".join(one.split()), " ".join(several[0].split()))
        for one, several in zip(found, fuzz.all_references(references), strict=True)
    ]
    kept = [pair for pair in pairs if all(pair)]
    return [one for one, _ in kept], [other for _, other in kept]


def main() -> None:
    score: Any = import_module("hlepor").single_hlepor_score
    made = [
        [
            float(score(reference, hypothesis, separate_punctuation=False, **theirs))
            for hypothesis, reference in zip(*texts(), strict=True)
        ]
        for theirs, _ in OPTIONS
    ]
    stored = {"made_with": "hLepor 0.0.4", "scores": made}
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
