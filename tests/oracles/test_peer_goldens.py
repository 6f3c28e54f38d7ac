"""Stored figures of other programs, which need not be installed (see peer_goldens.py)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bleuet import BLEU
from bleuet.metrics.catalogue import CATALOGUE
from tests.oracles.peer_goldens import FILE, PROGRAMS, RATES

# Relative and absolute, where a program adds up in another order.
TOLERANCES = {
    "nltk": (1e-11, 1e-300),
    "rouge-score": (0.0, 0.0),
    "jiwer": (0.0, 0.0),
    "pycocoevalcap": (1e-11, 1e-13),
    "crystalbleu": (1e-12, 1e-70),
    "compare-mt": (1e-11, 0),
    "fast-bleu": (1e-9, 1e-9),
}


@pytest.fixture(scope="module")
def goldens() -> Any:
    return json.loads(FILE.read_text(encoding="ascii"))


def corpus(sets: Any, name: str) -> tuple[list[str], list[Any]]:
    name, _, first = name.partition(" ")
    hypotheses, references = zip(*sets[name], strict=True)
    return list(hypotheses), [several[:1] if first else several for several in references]


@pytest.mark.parametrize("program", PROGRAMS)
def test_figures(goldens: Any, program: str) -> None:
    relative, absolute = TOLERANCES[program]
    cases = goldens["programs"][program]["cases"]
    assert cases
    for case in cases:
        hypotheses, references = corpus(goldens["texts"], case["texts"])
        if case["metric"] == "self-bleu":
            metric: Any = BLEU(**case["options"])
            table = metric.table_of_others(hypotheses)[0]
        else:
            metric = CATALOGUE[case["metric"]].load()(**case["options"])
            table = metric.count(hypotheses, references)
        compared = 0
        if "segments" in case:
            found = metric.segment_scores(table).values
            pairs = zip(found, case["segments"], strict=True)
            some = [(a, 100 * b) for a, b in pairs if b is not None]
            assert [a for a, _ in some] == pytest.approx(
                [b for _, b in some], rel=relative, abs=absolute
            ), case
            compared += len(some)
        if "corpus" in case:
            score = metric.score(table.totals()).score
            assert score == pytest.approx(100 * case["corpus"], rel=relative, abs=absolute), case
            compared += 1
        if "rows" in case:
            columns = [table.column(name) for name in case["columns"]]
            assert list(map(list, zip(*columns, strict=True))) == case["rows"], case
            compared += len(set(map(tuple, case["rows"])))
        for rate in RATES if "rates" in case else ():
            score = metric.with_options(rate=rate).score(table.totals()).score
            assert score == 100 * case["rates"][rate], case
        # Different figures that are not 0.
        assert compared >= (10 if {"segments", "rows"} & case.keys() else 1), case
