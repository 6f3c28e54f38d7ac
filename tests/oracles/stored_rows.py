"""sacreBLEU's rows of TER on whole test sets, stored as digests: computing them takes minutes.

    python -m tests.oracles.stored_rows

computes them again and writes `goldens/ter_rows.json`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING, Any

from tests.evaluation_data import REPOSITORY, EvaluationData

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "ter_rows.json"
# Each folder, and which of its segments are compared: 12 means every twelfth.
FOLDERS = {"data/wmt13/cs-en": 3, "data/wmt13/es-en": 3, "data/wmt13/fr-en": 3, "data/e2e": 12}


def digest(rows: Iterable[Sequence[float]]) -> str:
    """Return a digest that differs where any number does."""
    numbers = [[float(number) for number in row] for row in rows]
    return hashlib.sha256(repr(numbers).encode()).hexdigest()


def stored() -> dict[str, dict[str, str]]:
    """Return the digests by folder and system."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return dict(found["digests"])


def references_of(data: EvaluationData, folder: str) -> list[Any]:
    """Return the references of each segment of a test set."""
    return data.e2e_references() if folder == "data/e2e" else data.reference(folder)


def main() -> None:
    """Compute and write the digests."""
    import sacrebleu

    from tests.oracles.sacrebleu_peer import Pair, forget, their_rows

    data = EvaluationData.find()
    digests: dict[str, dict[str, str]] = {}
    for folder, every in FOLDERS.items():
        theirs = Pair("ter", {}).theirs(references_of(data, folder)[::every])
        for system in data.system_names(folder):
            rows = their_rows(theirs, data.system(folder, system)[::every], None)
            digests.setdefault(folder, {})[system] = digest(rows)
            sys.stderr.write(f"{folder} {system}\n")
            forget()
    found = {"sacrebleu": sacrebleu.__version__, "digests": digests}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
