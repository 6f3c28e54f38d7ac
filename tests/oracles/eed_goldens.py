"""Distances of torchmetrics, which needs torch and so does not run with the other tests.

    python -m tests.oracles.eed_goldens

computes them again and writes `goldens/eed.json`. It ran with torch 2.13.0 and torchmetrics 1.9.0.
"""

from __future__ import annotations

import json
from typing import Any

from tests.evaluation_data import REPOSITORY, EvaluationData
from tests.oracles import fuzz

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "eed.json"
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


def main() -> None:
    data = EvaluationData.find()
    goldens = {}
    for name, (hypotheses, references) in cases(data).items():
        options = [*COSTS, {"language": "ja"}] if name == "drawn" else COSTS[:1]
        goldens[name] = [computed(hypotheses, references, one) for one in options]
    FILE.write_text(json.dumps(goldens, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
