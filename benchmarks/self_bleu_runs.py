"""Self-BLEU: each text against all others, with NLTK's smoothing 1, from words between spaces."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from benchmarks.timing import Runner
from bleuet import BLEU

if TYPE_CHECKING:
    from collections.abc import Callable

METRIC = BLEU(tokenize="none", smooth="nltk-1")
# fast-bleu and NLTK round otherwise in the last digits.
DIGITS = 8


def ours(name: str, texts: Callable[[], list[str]], threads: int = 1) -> Runner:
    """The score of each text."""

    def run() -> list[float]:
        table, _ = METRIC.table_of_others(texts(), threads=threads)
        return [round(one, DIGITS) for one in METRIC.segment_scores(table).values]

    return Runner(name, run)


def has_fast_bleu() -> bool:
    """Return whether fast-bleu is installed; it is built on installation, so it is no extra."""
    return find_spec("fast_bleu") is not None


def fast_bleu(texts: list[str]) -> Runner:
    """The same scores from fast-bleu, which uses all cores."""
    module: Any = import_module("fast_bleu")
    words = [text.split() for text in texts]

    def run() -> list[float]:
        scores = module.SelfBLEU(words, {"": (0.25,) * 4}).get_score()[""]
        return [round(100 * one, DIGITS) for one in scores]

    return Runner("fast-bleu", run)


def nltk(texts: list[str]) -> Runner:
    """The same scores from NLTK, as the code of Texygen computes them."""
    module: Any = import_module("nltk.translate.bleu_score")
    smoothing = module.SmoothingFunction().method1
    words = [text.split() for text in texts]

    def run() -> list[float]:
        scores = [
            module.sentence_bleu(
                words[:place] + words[place + 1 :], one, smoothing_function=smoothing
            )
            for place, one in enumerate(words)
        ]
        return [round(100 * one, DIGITS) for one in scores]

    return Runner("nltk", run)
