"""Classes of torchmetrics whose score is that of the whole corpus, in any parts and processes."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bleuet import BLEU, CHRF, NIST, TER, InputError, InputTypeError, OptionError
from bleuet.metrics.catalogue import parse_metric
from tests.torch.process import HYPOTHESES, METRICS, REFERENCES, counted_in_process

pytestmark = pytest.mark.torch
torch: Any = import_module("torch")
bleu: Any = import_module("bleuet.torch")
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "name",
    ["bleu", "chrf++", "ter:normalized", "bleu:reference_length=average", "mean-bleu"],
)
def test_batches_score_as_the_corpus(name: str) -> None:
    for metric in (name, parse_metric(name)):
        one = bleu.CorpusMetric(metric)
        for start in range(0, len(HYPOTHESES), 3):
            one.update(HYPOTHESES[start : start + 3], REFERENCES[start : start + 3])
        one.update([], [])
        expected = one.metric.corpus_score(HYPOTHESES, REFERENCES)
        assert one.compute().dtype == torch.float64
        assert one.compute().item() == expected.score
        assert one.score() == expected
        assert one.score().signature == expected.signature


def test_two_processes_score_as_the_corpus(tmp_path: Path) -> None:
    other = subprocess.Popen(
        [sys.executable, "-m", "tests.torch.process", "1", str(tmp_path / "store")],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    ours = counted_in_process(0, tmp_path / "store")
    theirs, _ = other.communicate(timeout=120)
    for name, found in ours.items():
        expected = bleu.CorpusMetric(METRICS[name]).metric.corpus_score(HYPOTHESES, REFERENCES)
        assert found == repr((expected.score, str(expected.signature)))
    assert theirs.splitlines() == list(ours.values())


def test_forward_scores_the_batch_and_keeps_the_corpus() -> None:
    metric = bleu.CorpusMetric("ter")
    halves = slice(0, 4), slice(4, None)
    for half in halves:
        batch = HYPOTHESES[half], REFERENCES[half]
        assert metric(*batch).item() == TER().corpus_score(*batch).score
    assert metric.compute().item() == TER().corpus_score(HYPOTHESES, REFERENCES).score


def test_reset_forgets_what_was_counted() -> None:
    metric = bleu.CorpusMetric("bleu")
    metric.update(["a b c d"], [["a b c d", "a"]])
    metric.reset()
    metric.update(["a b c d"], ["a b c e"])
    expected = BLEU().corpus_score(["a b c d"], ["a b c e"])
    assert (metric.score(), metric.score().signature) == (expected, expected.signature)


@pytest.mark.parametrize("copy", [deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_count_on(copy: Any) -> None:
    metric = bleu.CorpusMetric(CHRF(word_order=2), threads=2)
    metric.update(HYPOTHESES[:3], REFERENCES[:3])
    other = copy(metric)
    for one in (metric, other):
        one.update(HYPOTHESES[3:], REFERENCES[3:])
        assert one.score() == CHRF(word_order=2).corpus_score(HYPOTHESES, REFERENCES)
    assert (other.metric, other.threads) == (metric.metric, 2)


def test_states_are_exact_beyond_24_and_53_bits() -> None:
    metric = bleu.CorpusMetric("ter")
    text, other = "a b c", "a b d"
    metric.update([text], [other])
    metric.integers = metric.integers + 2**60
    metric.update([text], [other])
    assert set(metric.integers.tolist()) == {2**60 + 2}
    assert metric.float().half().integers.dtype == torch.int64


def test_states_add_and_are_saved() -> None:
    metric = bleu.CorpusMetric("bleu")
    metric.update(HYPOTHESES, REFERENCES)
    metric.persistent(True)
    other = bleu.CorpusMetric("bleu")
    other.persistent(True)
    other.load_state_dict(metric.state_dict())
    assert other.score() == metric.score()


def test_a_collection_of_metrics() -> None:
    collection = import_module("torchmetrics").MetricCollection(
        {name: bleu.CorpusMetric(name) for name in ("bleu", "chrf", "ter")}
    )
    collection.update(HYPOTHESES, REFERENCES)
    for name, value in collection.compute().items():
        expected = bleu.CorpusMetric(name).metric.corpus_score(HYPOTHESES, REFERENCES)
        assert value.item() == expected.score


def test_what_is_better() -> None:
    assert bleu.CorpusMetric("bleu").higher_is_better
    assert not bleu.CorpusMetric("ter").higher_is_better


def test_wrong_arguments() -> None:
    with pytest.raises(OptionError, match="there is no metric 'blue' \\(did you mean bleu"):
        bleu.CorpusMetric("blue")
    with pytest.raises(OptionError, match="NIST learns from all references"):
        bleu.CorpusMetric(NIST())
    with pytest.raises(InputTypeError, match="metric must be a metric or its name, not 3"):
        bleu.CorpusMetric(3)
    with pytest.raises(InputError, match="2 hypotheses"):
        bleu.CorpusMetric("bleu").update(["a", "b"], ["a"])
