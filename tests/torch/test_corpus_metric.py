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
from tests.patience import PATIENCE
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
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    ours = counted_in_process(0, tmp_path / "store")
    theirs, _ = other.communicate(timeout=PATIENCE)
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


CASTS: dict[str, Any] = {
    "half": lambda metric: metric.half(),
    "bfloat16": lambda metric: metric.bfloat16(),
    "to": lambda metric: metric.to(torch.bfloat16),
    "set_dtype": lambda metric: metric.set_dtype(torch.float16),
    "the module around": lambda metric: torch.nn.ModuleDict({"a": metric}).to(torch.float16),
    "type": lambda metric: torch.nn.Sequential(metric).type(torch.bfloat16),
    "double": lambda metric: metric.to(torch.float64),
}


@pytest.mark.parametrize("cast", CASTS)
@pytest.mark.parametrize("name", ["ter", "mean-bleu", "bleu:reference_length=average"])
def test_scores_do_not_depend_on_the_precision_of_the_model(name: str, cast: str) -> None:
    metric, other = bleu.CorpusMetric(name), bleu.CorpusMetric(name)
    types = {key: getattr(metric, key).dtype for key in metric._defaults}
    for one in (metric, other):
        one.update(HYPOTHESES[:3], REFERENCES[:3])
        one.compute()
    CASTS[cast](metric)
    for _ in range(2):
        for one in (metric, other):
            one.update(HYPOTHESES[3:], REFERENCES[3:])
        assert {key: getattr(metric, key).dtype for key in metric._defaults} == types
        assert metric.compute().dtype == torch.float64
        assert metric.compute() == other.compute()
        # The numbers that it begins with are cast no more than the sums.
        for one in (metric, other):
            one.reset()
            one.update(HYPOTHESES[:3], REFERENCES[:3])


def test_states_move_to_another_device() -> None:
    metric = bleu.CorpusMetric("ter").to("meta")
    assert {metric.integers.device.type, metric.reals.device.type} == {"meta"}
    metric = bleu.CorpusMetric("ter").to("meta", torch.bfloat16)
    assert (metric.reals.device.type, metric.reals.dtype) == ("meta", torch.float64)


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


def test_a_list_of_metrics_has_a_key_for_each() -> None:
    words = ["bleu", "chrf", "chrf++", "bleu:tokenize=intl", "bleu:smooth=add-k,smooth_value=0.5"]
    keys = ["BLEU", "chrF2", "chrF2++", "BLEU tokenize=intl", "BLEU smooth=add-k smooth_value=0,5"]
    metrics = list(map(bleu.CorpusMetric, words))
    collection = import_module("torchmetrics").MetricCollection(metrics, prefix="test/")
    collection.update(HYPOTHESES, REFERENCES)
    found = collection.clone().compute()
    for key, word in zip(keys, words, strict=True):
        expected = bleu.CorpusMetric(word).metric.corpus_score(HYPOTHESES, REFERENCES)
        assert found[f"test/{key}"].item() == expected.score
    assert repr(metrics[3]) == "CorpusMetric(BLEU tokenize=intl)"
    assert isinstance(metrics[0], bleu.CorpusMetric)
    with pytest.raises(ValueError, match="both named BLEU"):
        import_module("torchmetrics").MetricCollection([metrics[0], bleu.CorpusMetric("bleu")])


def test_metrics_share_sums_only_where_they_count_the_same() -> None:
    """The first sums of both tokenizers are equal by chance."""
    names = {"13a": "bleu", "floor": "bleu:smooth=floor", "intl": "bleu:tokenize=intl"}
    hypotheses, references = ["the cat sat"], ["the cat sat"]
    later = ["it is \u201cvery wet\u201d now"], ["it is \u201c very wet \u201d now"]
    collection = import_module("torchmetrics").MetricCollection(
        {key: bleu.CorpusMetric(name) for key, name in names.items()}
    )
    collection.update(hypotheses, references)
    collection.update(*later)
    assert list(map(set, collection.compute_groups.values())) == [{"13a", "floor"}, {"intl"}]
    found = collection.compute()
    for key, name in names.items():
        metric = parse_metric(name)
        score = metric.corpus_score(hypotheses + later[0], references + later[1]).score
        assert found[key].item() == score
    assert found["intl"] > found["13a"]


def test_states_of_another_metric_are_rejected() -> None:
    one, other = bleu.CorpusMetric("bleu"), bleu.CorpusMetric("bleu:tokenize=intl")
    for metric in (one, other):
        metric.persistent(True)
    one.update(HYPOTHESES, REFERENCES)
    other.load_state_dict(one.state_dict())
    with pytest.raises(InputError, match="which counts differently from BLEU"):
        other.compute()
    smoothed = bleu.CorpusMetric("bleu:smooth=add-k")
    smoothed.load_state_dict(one.state_dict())
    assert smoothed.score() == smoothed.metric.corpus_score(HYPOTHESES, REFERENCES)


def test_scores_from_0_to_1() -> None:
    for name in ("bleu", "ter"):
        metric = bleu.CorpusMetric(name, percent=False)
        metric.update(HYPOTHESES, REFERENCES)
        expected = metric.metric.corpus_score(HYPOTHESES, REFERENCES)
        assert metric.compute().item() == expected.score / 100
        assert metric.score() == expected
        assert repr(metric) == f"CorpusMetric({expected.metric.name}, percent=False)"


def test_pictures() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is in no extra").use("agg")
    for name, percent, top in (("bleu", True, 100), ("chrf", False, 1), ("ter", True, None)):
        metric = bleu.CorpusMetric(name, percent=percent)
        metric.update(HYPOTHESES, REFERENCES)
        _, axes = metric.plot()
        assert axes.get_title() in ("", metric.metric.name)
        assert (metric.plot_lower_bound, metric.plot_upper_bound) == (0, top)
        metric.plot([metric.compute(), metric.compute()])


def test_derived_classes_keep_their_name() -> None:
    from tests.torch.derived import Named

    metric = Named("chrf", percent=False)
    metric.update(HYPOTHESES, REFERENCES)
    for one in (deepcopy(metric), pickle.loads(pickle.dumps(metric)), metric.clone()):
        assert type(one) is Named
        assert one.compute() == metric.compute()
    assert repr(metric) == "Named(chrF2, percent=False)"


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (("The cat sat", "The dog sat"), "preds must be a list, as in update(['The cat sat.'], ["),
        ((["The cat sat"], "The dog sat"), "target must be a list, as in update("),
        ((None, ["a"]), "preds must be a list"),
        (({"a": 1}, ["a"]), "preds must be a list"),
        ((["a"], {"a"}), "target must be a list"),
    ],
)
def test_wrong_batches(batch: Any, message: str) -> None:
    metric = bleu.CorpusMetric("bleu")
    with pytest.raises(InputTypeError) as caught:
        metric.update(*batch)
    assert message in str(caught.value)
    assert metric.rows == 0


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
    with pytest.raises(OptionError, match="percent must be True or False, not 1"):
        bleu.CorpusMetric("bleu", percent=1)
    with pytest.raises(OptionError, match="threads must be a whole number"):
        bleu.CorpusMetric("bleu", threads=-1)
    with pytest.raises(InputError, match="2 hypotheses"):
        bleu.CorpusMetric("bleu").update(["a", "b"], ["a"])
