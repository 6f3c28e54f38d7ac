"""Distances of torchmetrics, which needs torch and so does not run with the other tests, and of the
authors' program.

    python -m tests.oracles.eed_goldens

computes them again and writes `goldens/eed.json`. It ran with torch 2.13.0 and torchmetrics 1.9.0.

    python -m tests.oracles.eed_goldens FOLDER

writes `goldens/eed_program.json`. The folder has github.com/rwth-i6/ExtendedEditDistance. It ran
with commit f944adc, whose EED.cpp was compiled as its README says, by GCC 12.2.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

from tests.evaluation_data import REPOSITORY, EvaluationData
from tests.oracles import fuzz

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "eed.json"
PROGRAM_FILE = FILE.with_name("eed_program.json")
# Short texts whose distances are easy to follow, a hypothesis and a reference each.
SHORT = [
    ("baabaa", "a"),
    ("the cat sat", "the cat sat"),
    ("the cat sat down", "the cat sat up"),
    ("", "a"),
    ("a", ""),
    ("", ""),
    ("\u00e9\u00e8 \u4e2d \U0001f600", "\u00e9 \u4e2d\U0001f600 x"),
    ("b a " * 40, "a b " * 40),
]
COSTS = [
    {},
    {"alpha": 0.5, "rho": 0.0, "deletion": 0.7, "insertion": 0.3},
    {"alpha": 1.0, "rho": 1.5, "deletion": 0.0, "insertion": 2.0},
]
REAL, DRAWN = 200, 400


def cases(data: EvaluationData | None = None) -> dict[str, tuple[list[str], list[list[str]]]]:
    """Hypotheses and references by a name; without data, only what is drawn."""
    hypotheses, references = fuzz.segments(41, DRAWN)
    found = {"drawn": (hypotheses, fuzz.all_references(references))}
    if data is not None:
        folder = "data/wmt13/de-en"
        reference = [[line] for line in data.reference(folder)[:REAL]]
        found["wmt13"] = data.system(folder, "uedin-wmt13")[:REAL], reference
        found["e2e"] = data.system("data/e2e", "tgen")[:60], data.e2e_references()[:60]
    return found


def computed(hypotheses: list[str], references: list[list[str]], options: Any) -> dict[str, Any]:
    """The mean that torchmetrics returns, in single precision, and each distance in double."""
    from torchmetrics.functional.text import eed  # type: ignore[import-not-found,unused-ignore]

    prepare = {"en": eed._preprocess_en, "ja": eed._preprocess_ja}[options.get("language", "en")]
    costs = {name: value for name, value in options.items() if name != "language"}
    distances = [
        min(eed._eed_function(prepare(h), prepare(r), **costs) for r in several)
        for h, several in zip(hypotheses, references, strict=True)
    ]
    mean: Any = eed.extended_edit_distance(hypotheses, references, **options)
    return {"options": options, "mean": float(mean), "distances": distances}


def of_program(folder: str) -> dict[str, list[float]]:
    """The distances of the authors' program, to the nearest reference of each segment."""
    sys.path.insert(0, folder)
    program, util = import_module("EED"), import_module("util")

    def distance(hypothesis: str, reference: str) -> float:
        texts = [list(util.preprocess(text, "en")) for text in (hypothesis, reference)]
        found: float = program.eed(*texts)
        return found

    goldens = {"short": [distance(*pair) for pair in SHORT]}
    for name, (hypotheses, references) in cases(EvaluationData.find()).items():
        goldens[name] = [
            # The program cannot encode half a character.
            -1.0 if _is_cut(h, *several) else min(distance(h, r) for r in several)
            for h, several in zip(hypotheses, references, strict=True)
        ]
    return goldens


def _is_cut(*texts: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for text in texts for letter in text)


def main(folders: list[str]) -> None:
    if folders:
        goldens = of_program(*folders)
        PROGRAM_FILE.write_text(json.dumps(goldens, indent=0) + "\n", encoding="utf-8")
    else:
        write_torchmetrics()


def write_torchmetrics() -> None:
    data = EvaluationData.find()
    goldens = {}
    for name, (hypotheses, references) in cases(data).items():
        options = [*COSTS, {"language": "ja"}] if name == "drawn" else COSTS[:1]
        goldens[name] = [computed(hypotheses, references, one) for one in options]
    FILE.write_text(json.dumps(goldens, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
