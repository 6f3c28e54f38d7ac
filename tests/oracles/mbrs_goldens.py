"""Utilities of mbrs, which needs torch and so does not run with the other tests.

    pip install torch==2.13.0 && pip install --no-deps mbrs==0.1.8
    pip install sacrebleu==2.6.0 fastchrf==0.2.1 simple-parsing tabulate tqdm
    python -m tests.oracles.mbrs_goldens

computes them again and writes `goldens/mbrs.json`, which has numbers only. mbrs has single
precision, and of equal candidates it chooses any.
"""

from __future__ import annotations

import json
from typing import Any

from benchmarks.mbrs_runs import decoder
from tests.evaluation_data import REPOSITORY, EvaluationData
from tests.oracles import fuzz

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "mbrs.json"
# For each set of candidates its file, and how many sources.
SETS = {"beam10": ("tatoeba-enfr", 50), "candidates": ("wmt21-ende", 15)}
DRAWN, SIZE = 20, 6
WAYS = [
    ("bleu", "exact"),
    ("bleu", "aggregated"),
    ("chrf", "exact"),
    ("chrf", "aggregated"),
    ("ter", "exact"),
]


def cases(data: EvaluationData | None = None) -> dict[str, list[list[str]]]:
    """Lists of candidates by a name; without data, only what is drawn."""
    hypotheses, _ = fuzz.segments(14, DRAWN * SIZE)
    found = {"drawn": [hypotheses[n : n + SIZE] for n in range(0, len(hypotheses), SIZE)]}
    if data is not None:
        for key, (name, sources) in SETS.items():
            lines = data.lines(f"data/mbr/{name}.jsonl.gz")[:sources]
            found[key] = [json.loads(line)[key] for line in lines]
    return found


def computed(lists: list[list[str]], metric: str, way: str) -> list[list[float]]:
    """The expected score of each candidate from mbrs, in their order."""
    decode = decoder(metric, way).decode
    return [in_order(decode(texts, texts, nbest=len(texts))) for texts in lists]


def in_order(output: Any) -> list[float]:
    """The scores of the output of mbrs, by the places of the candidates."""
    scores = dict(zip(output.idx, map(float, output.score), strict=True))
    return [float(f"{scores[place]:.8g}") for place in range(len(scores))]


def main() -> None:
    goldens = {
        name: {f"{metric} {way}": computed(lists, metric, way) for metric, way in WAYS}
        for name, lists in cases(EvaluationData.find()).items()
    }
    FILE.write_text(json.dumps(goldens) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
