"""codebleu's figures on made-up code in ten languages.

    python -m tests.oracles.codebleu_goldens

writes `goldens/codebleu.json` again. It needs codebleu 0.7.0 and the grammars of `bleuet[code]`.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from tests.corpora.code import SYNTAX, pairs
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "codebleu.json"
SEED, PAIRS = 7, 100
PARTS = ("ngram_match", "weighted_ngram_match", "syntax_match", "dataflow_match")


class OrderedSet(dict):  # type: ignore[type-arg]
    """What the program takes for a set: one that keeps the order, in each process the same."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(dict.fromkeys(items))

    def add(self, item: Any) -> None:
        self[item] = None


def program() -> Any:
    """Return the program's function, with sets that have an order."""
    from codebleu import calc_codebleu, dataflow_match
    from codebleu.parser import DFG

    dataflow_match.set = DFG.set = OrderedSet
    logging.disable(logging.WARNING)
    return calc_codebleu


def figures(language: str, segments: Iterable[tuple[str, list[str]]]) -> Iterator[list[float]]:
    """Yield the four parts and the sum of each segment, from 0 to 1."""
    calculate = program()
    for hypothesis, references in segments:
        found = calculate([references], [hypothesis], language)
        yield [*(found[f"{part}_score"] for part in PARTS), found["codebleu"]]


def main() -> None:
    stored: dict[str, Any] = {}
    for language in SYNTAX:
        segments = list(pairs(language, SEED, PAIRS))
        hypotheses = [hypothesis for hypothesis, _ in segments]
        references = [several for _, several in segments]
        whole = program()(references, hypotheses, language)
        stored[language] = {
            "segments": list(figures(language, segments)),
            "corpus": [*(whole[f"{part}_score"] for part in PARTS), whole["codebleu"]],
        }
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
