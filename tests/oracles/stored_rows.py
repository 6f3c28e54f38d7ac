"""sacreBLEU's rows on whole test sets, stored as digests: computing them takes many minutes.

    python -m tests.oracles.stored_rows

computes them again and writes `goldens/sacrebleu_rows.json`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.evaluation_data import REPOSITORY, EvaluationData
from tests.oracles.sacrebleu_peer import Pair, forget, their_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "sacrebleu_rows.json"
INTO_ENGLISH = ["data/wmt13/cs-en", "data/wmt13/de-en", "data/wmt13/es-en", "data/wmt13/fr-en"]
BLEU, CHRF, CHRF_PLUS_PLUS, TER = (
    Pair("bleu", {}),
    Pair("chrf", {}),
    Pair("chrf", {"word_order": 2}),
    Pair("ter", {}),
)
TOKENIZERS = [
    Pair("bleu", {"tokenize": "intl", "lowercase": True}),
    Pair("bleu", {"tokenize": "char"}),
    Pair("bleu", {"tokenize": "zh"}),
    Pair("bleu", {"tokenize": "none", "max_ngram_order": 6}),
]


class Case(NamedTuple):
    """A metric on the systems of a test set."""

    pair: Pair
    folder: str
    every: int = 1  # 3: every third segment, where sacreBLEU is slow
    at_most: int = 99  # systems

    def systems(self, data: EvaluationData) -> list[str]:
        return data.system_names(self.folder)[: self.at_most]

    def references(self, data: EvaluationData) -> list[Any]:
        e2e = self.folder == "data/e2e"
        return (data.e2e_references() if e2e else data.reference(self.folder))[:: self.every]

    def hypotheses(self, data: EvaluationData, system: str) -> list[str]:
        return data.system(self.folder, system)[:: self.every]

    def __str__(self) -> str:
        return f"{self.pair} {self.folder}" + (f" 1/{self.every}" if self.every > 1 else "")


CASES = [
    *[
        Case(pair, folder)
        for pair in (BLEU, CHRF, CHRF_PLUS_PLUS)
        for folder in (*INTO_ENGLISH, "data/wmt17-ende", "data/e2e")
    ],
    # The evaluation data has sacreBLEU's TER of the other sets.
    *[Case(TER, folder, every=3) for folder in INTO_ENGLISH if folder != "data/wmt13/de-en"],
    Case(TER, "data/e2e", every=12),
    *[
        Case(pair, folder, at_most=2)
        for pair in TOKENIZERS
        for folder in ("data/wmt17-ende", "data/wmt13/cs-en")
    ],
]


def digest(rows: Iterable[Sequence[float]]) -> str:
    """Return a digest that differs if any number does."""
    numbers = [[float(number) for number in row] for row in rows]
    return hashlib.sha256(repr(numbers).encode()).hexdigest()


def stored() -> dict[str, Any]:
    """Return the file: sacreBLEU's version, and the digests by case and system."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Compute the digests and write the file."""
    data = EvaluationData.find()
    digests: dict[str, dict[str, str]] = {}
    for case in CASES:
        theirs = case.pair.theirs(case.references(data))
        digests[str(case)] = {
            system: digest(their_rows(theirs, case.hypotheses(data, system), None))
            for system in case.systems(data)
        }
        forget()
        sys.stderr.write(f"{case}\n")
    found = {"sacrebleu": version("sacrebleu"), "digests": digests}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
