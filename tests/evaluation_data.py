"""The evaluation data: translations, references and figures of reference tools, beside the code.

It is no part of the repository. `BLEUET_EVALUATION_DATA` says where it lies, by default in
`../shared` seen from the repository's root. The tests that need it are the group `data`.
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
VARIABLE = "BLEUET_EVALUATION_DATA"


class EvaluationData:
    """The folder, and how its files are read: UTF-8, one segment per line, nothing stripped."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def find(cls) -> EvaluationData:
        chosen = os.environ.get(VARIABLE)
        return cls(Path(chosen) if chosen else REPOSITORY / ".." / "shared")

    @property
    def is_there(self) -> bool:
        return (self.root / "data").is_dir() and (self.root / "oracles").is_dir()

    def text(self, path: str | Path) -> str:
        whole = self.root / path
        content = gzip.decompress(whole.read_bytes()) if whole.suffix == ".gz" else None
        return (whole.read_bytes() if content is None else content).decode("utf-8")

    def lines(self, path: str | Path) -> list[str]:
        return self.text(path).removesuffix("\n").split("\n")

    def oracle(self, name: str) -> Any:
        """The figures of a file of the folder `oracles`, without what it says about itself."""
        return json.loads(self.text(f"oracles/{name}"))["scores"]

    def oracle_meta(self, name: str) -> Any:
        return json.loads(self.text(f"oracles/{name}"))["meta"]

    def system_names(self, folder: str) -> list[str]:
        """The systems of one set, such as 'data/wmt13/cs-en'."""
        return sorted(
            file.name.split(".")[0] for file in (self.root / folder / "systems").iterdir()
        )

    def system(self, folder: str, name: str) -> list[str]:
        (file,) = (self.root / folder / "systems").glob(f"{name}.*")
        return self.lines(file.relative_to(self.root))

    def reference(self, folder: str) -> list[str]:
        """The one reference of a set of the shared translation tasks."""
        (file,) = (self.root / folder).glob("ref.*")
        return self.lines(file.relative_to(self.root))

    def e2e_references(self) -> list[list[str]]:
        return [json.loads(line) for line in self.lines("data/e2e/refs.jsonl.gz")]
