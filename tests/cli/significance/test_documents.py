"""--documents: every command that draws or exchanges does so with whole documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bleuet.significance import IntervalSettings, TestSettings, bootstrap_interval, paired_test
from tests.cli.significance.corpora import FILES, METRICS, SEGMENTS, Run, found, systems
from tests.corpora import write_lines

pytestmark = pytest.mark.slow

DOCUMENTS = [f"document {segment // 3}" for segment in range(SEGMENTS)]


def write_documents() -> tuple[str, str]:
    write_lines(Path("documents.txt"), DOCUMENTS)
    table = [f"{segment}\t{name}" for segment, name in enumerate(DOCUMENTS)]
    write_lines(Path("documents.tsv"), ["id\tdocument", *table])
    return "--documents", "documents.txt"


def test_significance_and_compare(significance: Run, run: Run) -> None:
    words = (*write_documents(), "--draws", "200", *METRICS, "-f", "json")
    values = found(significance(*FILES, *words))
    expected = paired_test(
        systems("a", "b", "c").replace(documents=DOCUMENTS), TestSettings(draws=200)
    )
    assert values == json.loads(expected.to_json())
    column = ("--documents", "documents.tsv:document", *words[2:])
    assert found(significance(*FILES, *column)) == values
    compared = found(run("compare", *FILES, *words, "--test", "randomization", "-q"))
    pairs = found(significance(*FILES, *words, "--all-pairs"))
    kept = compared["significance"]
    assert {key: pairs[key] for key in kept} == kept


@pytest.mark.usefixtures("significance")  # it writes the files
def test_score_and_gate(run: Run) -> None:
    words = (*write_documents(), "-m", "ter", "--draws", "200")
    score = ("score", "ref.txt", "-i", "a.txt", "--confidence", "0.95", *words, "-f", "json", "-q")
    out = run(*score).out
    table = systems("a").tables["a"][2]
    metric = systems("a").metrics[2]
    interval = bootstrap_interval(metric, table, IntervalSettings(draws=200), documents=DOCUMENTS)
    (one,) = json.loads(out) if out.startswith("[") else [json.loads(out)]
    assert (one["low"], one["high"]) == (interval.low, interval.high)
    gate = run("gate", "ref.txt", "--baseline", "a.txt", "-i", "b.txt", *words, "-q")
    assert "documents are too few for a bootstrap, so the test is a randomization" in gate.out


@pytest.mark.libraries
def test_saved_tables_with_selected_segments(saved: Run) -> None:
    words = write_documents()
    tables = ("--from-table", "ab.parquet")
    chosen = saved(*tables, *words, "--segments", "1-30", "-m", "ter", "-f", "json")
    rows = range(30)
    expected = systems("a", "b").select([2], rows)
    assert found(chosen) == json.loads(
        paired_test(expected.replace(documents=DOCUMENTS[:30])).to_json()
    )
