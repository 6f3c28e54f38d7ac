"""Minimum Bayes risk on candidates of models equals brute force with sacreBLEU."""

from __future__ import annotations

import json
from math import fsum
from typing import TYPE_CHECKING, Any

from sacrebleu import sentence_bleu, sentence_chrf

from bleuet import mbr

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

THEIRS: dict[str, Any] = {"bleu": sentence_bleu, "chrf": sentence_chrf}


def test_sacrebleu_chooses_the_same(evaluation_data: EvaluationData) -> None:
    lines = evaluation_data.lines("data/mbr/tatoeba-enfr.jsonl.gz")[:12]
    lists = [json.loads(line)["beam10"] for line in lines]
    for name, score in THEIRS.items():
        for choice, texts in zip(mbr(lists, name), lists, strict=True):
            rows = [[score(a, [b]).score for b in texts] for a in texts]
            assert choice.utilities == tuple(fsum(row) / len(row) for row in rows)
            assert choice.index == max(range(len(rows)), key=lambda row: fsum(rows[row]))
