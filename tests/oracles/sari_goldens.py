"""SARI's figures by flexeval, on made texts.

    python -m tests.oracles.sari_goldens

writes `goldens/sari.json` again. It needs flexeval 0.18.3, which installs PyTorch.
"""

from __future__ import annotations

import json
import random
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from tests.evaluation_data import REPOSITORY
from tests.oracles import fuzz

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "sari.json"
SEED, PAIRS = 31, 400
ORDERS = (4, 2)
PARTS = ("sari", "add", "keep", "delete")


def texts() -> tuple[list[str], list[list[str]], list[str]]:
    """Return simplifications, references and sources; each source is near another side."""
    found, references = fuzz.segments(SEED, PAIRS)
    several = fuzz.all_references(references)
    rng = random.Random(SEED)
    hypotheses, kept, sources = [], [], []
    for hypothesis, one in zip(found, several, strict=True):
        near = rng.choice([hypothesis, one[0], one[-1], f"{hypothesis} {one[0]}"])
        words = near.split()
        source = " ".join(word for word in words if rng.random() < 0.8)
        line, *lines = (" ".join(text.split()) for text in (hypothesis, *one))
        # flexeval finds no word in a text without tokens, and evaluate one.
        if all(text.replace("<skipped>", "") for text in (line, source, *lines)):
            hypotheses.append(line)
            kept.append(lines)
            sources.append(source)
    return hypotheses, kept, sources


def figures(order: int) -> list[list[float]]:
    """Return SARI and its parts of each segment, from 0 to 1."""
    scorer: Any = import_module("flexeval.core.metric.sari").SARI(
        source_key="source", max_ngrams=order
    )
    hypotheses, references, sources = texts()
    extra: Sequence[dict[str, str]] = [{"source": source} for source in sources]
    names = ("score", "add", "keep", "del")
    found = [
        scorer.evaluate([one], [several], [more]).summary
        for one, several, more in zip(hypotheses, references, extra, strict=True)
    ]
    return [[float(one[f"sari_{name}"]) for name in names] for one in found]


def main() -> None:
    made = {str(order): figures(order) for order in ORDERS}
    stored = {"made_with": f"flexeval {version('flexeval')}", "scores": made}
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
