"""Minimum Bayes risk on candidates of models equals brute force with sacreBLEU."""

from __future__ import annotations

import json
from importlib import import_module
from math import fsum
from typing import TYPE_CHECKING

import pytest

from bleuet import mbr

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

pytestmark = [pytest.mark.peers, pytest.mark.data]


def test_sacrebleu_chooses_the_same(evaluation_data: EvaluationData) -> None:
    lines = evaluation_data.lines("data/mbr/tatoeba-enfr.jsonl.gz")[:12]
    lists = [json.loads(line)["beam10"] for line in lines]
    peer = import_module("sacrebleu")
    for name, score in {"bleu": peer.sentence_bleu, "chrf": peer.sentence_chrf}.items():
        for choice, texts in zip(mbr(lists, name), lists, strict=True):
            rows = [[score(a, [b]).score for b in texts] for a in texts]
            assert choice.utilities == tuple(fsum(row) / len(row) for row in rows)
            assert choice.index == max(range(len(rows)), key=lambda row: fsum(rows[row]))
