"""The command with its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.significance.corpora import METRICS, Run, references, texts
from tests.corpora import write_lines


@pytest.fixture
def significance(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command, quiet, with a reference and four systems of some quality."""
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    write_lines(Path("ref.txt"), references())
    for name, lines in texts().items():
        write_lines(Path(f"{name}.txt"), lines)
    return lambda *arguments: run("significance", *arguments, "-q")


@pytest.fixture
def saved(significance: Run, run: Run) -> Run:
    """The command, with tables of a and b in one file and of c in another."""
    for files, name in ((("a.txt", "b.txt"), "ab.parquet"), (("c.txt",), "c.parquet")):
        done = run("score", "ref.txt", "-i", *files, *METRICS, "--save-table", name)
        assert done.code == 0
    return significance
