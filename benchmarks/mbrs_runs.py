"""Minimum Bayes risk: bleuet, and mbrs if it is installed; it needs torch, so it is no extra."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from benchmarks.bleuet_runs import NAME as BLEUET
from benchmarks.timing import Runner
from bleuet import mbr

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

NAME = "mbrs"
METRICS = {"bleu": "MetricBLEU", "chrf": "MetricChrF", "ter": "MetricTER"}
DECODERS = {"exact": "DecoderMBR", "aggregated": "DecoderAggregateMBR"}
# Its metrics that are models, whose libraries are not needed.
MODELS = {
    "bertscore": "MetricBERTScore",
    "bleurt": "MetricBLEURT",
    "comet": "MetricCOMET",
    "cometkiwi": "MetricCOMETkiwi",
    "metricx": "MetricMetricX",
    "xcomet": "MetricXCOMET",
}
CANDIDATES = 20


def is_there() -> bool:
    """Return whether mbrs is installed."""
    return find_spec("mbrs") is not None


def decoder(metric: str, way: str) -> Any:
    """Return a decoder of mbrs, with two processes."""
    for name, model in MODELS.items():
        stub = ModuleType(f"mbrs.metrics.{name}")
        setattr(stub, model, None)
        sys.modules.setdefault(stub.__name__, stub)
    kind = getattr(import_module("mbrs.metrics"), METRICS[metric])
    decoding = getattr(import_module("mbrs.decoders"), DECODERS[way])
    return decoding(decoding.Config(), kind(kind.Config(num_workers=2)))


def _candidates(pairs: Pairs) -> list[list[str]]:
    """Return for each pair candidates that lack one of the words each."""
    lists = []
    for words in map(str.split, pairs.hypotheses):
        places = range(max(len(words), CANDIDATES))
        lists.append([" ".join(words[:n] + words[n + 1 :]) for n in places[:CANDIDATES]])
    return lists


def ours(metric: str, pairs: Pairs) -> Runner:
    """The utilities of all candidates."""
    lists = _candidates(pairs)
    return Runner(BLEUET, lambda: [u for one in mbr(lists, metric) for u in one.utilities])


def theirs(metric: str, pairs: Pairs) -> Runner:
    """The same from mbrs, in single precision, the best first."""
    lists = _candidates(pairs)
    decode = decoder(metric, "exact").decode

    def run() -> list[float]:
        return [u for texts in lists for u in decode(texts, texts, nbest=CANDIDATES).score]

    return Runner(NAME, run, expected=False)
