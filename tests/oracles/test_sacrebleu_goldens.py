"""Stored rows and scores of sacreBLEU, which need not be installed (see sacrebleu_goldens.py)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bleuet.compat import sacrebleu
from tests.oracles.sacrebleu_goldens import DIGITS, FILE, PAIRS, digests
from tests.oracles.sacrebleu_peer import OF_STORED, Pair, rows_of
from tests.oracles.stored_texts import as_text


@pytest.fixture(scope="module")
def goldens() -> Any:
    return json.loads(FILE.read_text(encoding="ascii"))


def test_every_setting(goldens: Any) -> None:
    """Rows and scores, of the defaults too.

    > By default BLEU, chrF and TER give the same scores as sacreBLEU 2.6.0, even where sacreBLEU
      has an error
    """
    hypotheses = [as_text(hypothesis) for hypothesis, _ in goldens["segments"]]
    references = [as_text(several) for _, several in goldens["segments"]]
    assert len(hypotheses) == 150
    for golden in goldens["figures"]:
        pair = Pair(golden["metric"], golden["options"])
        metric = pair.ours()
        table = metric.count(hypotheses, references)
        found = digests(rows_of(table))
        different = [
            place
            for place in range(len(hypotheses))
            if found[place * DIGITS :][:DIGITS] != golden["rows"][place * DIGITS :][:DIGITS]
        ]
        assert different == [], pair
        scores = list(metric.segment_scores(table).values)
        assert scores == pytest.approx(golden["scores"], rel=OF_STORED, abs=0), pair
        score = metric.score(table.totals()).score
        assert score == pytest.approx(golden["corpus"], rel=1e-12, abs=0), pair


def test_every_setting_is_stored_and_of_this_sacrebleu(goldens: Any) -> None:
    assert [Pair(one["metric"], one["options"]) for one in goldens["figures"]] == PAIRS
    assert goldens["sacrebleu"] == sacrebleu.__version__
