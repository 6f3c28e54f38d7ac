"""What other packages return for an empty corpus, as docs/moving.md says."""

from __future__ import annotations

from importlib import import_module

import pytest

from bleuet import BLEU
from bleuet.errors import InputError


def test_bleuet() -> None:
    with pytest.raises(InputError, match="no segments to score"):
        BLEU().corpus_score([], [])


@pytest.mark.peers
def test_packages_for_texts() -> None:
    assert import_module("jiwer").wer([], []) == 0
    with pytest.raises(ZeroDivisionError):
        import_module("nltk.translate.bleu_score").corpus_bleu([], [])
    with pytest.raises(IndexError):
        import_module("sacrebleu").corpus_bleu([], [[]])


@pytest.mark.torch
def test_torchmetrics() -> None:
    assert import_module("torchmetrics.functional.text").bleu_score([], []) == 0
    assert import_module("bleuet.torch").CorpusMetric("bleu").compute() == 0
