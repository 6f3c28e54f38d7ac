"""`python -m benchmarks.adapters`: metrics of frameworks beside the same by bleuet's adapters.

Both get the same texts, in turns, and their numbers are compared before the times are printed:
segments per second, of the median of some rounds.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bleuet.adapters.items import Items

WORDS = ("the", "a", "cat", "dog", "sat", "ran,", "house.", "tree", "blue", "2.5", "it's")
CLOSE = 1e-5


class Pair(NamedTuple):
    """The same number by two programs, each a function without arguments."""

    name: str
    theirs: Callable[[], float]
    ours: Callable[[], float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adapters", description=__doc__)
    parser.add_argument("--segments", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args(arguments)
    drawn = random.Random(1)
    references = [
        " ".join(drawn.choices(WORDS, k=drawn.randint(4, 30))) for _ in range(args.segments)
    ]
    hypotheses = [
        " ".join(one if drawn.random() < 0.7 else drawn.choice(WORDS) for one in line.split())
        for line in references
    ]
    print("| metric | the framework's own, segments per second | by bleuet | times |")
    print("| --- | ---: | ---: | ---: |")
    for pair in [*of_torchmetrics(hypotheses, references), *of_lm_eval(hypotheses, references)]:
        found, wanted = pair.ours(), pair.theirs()
        if abs(found - wanted) > CLOSE * max(1.0, abs(wanted)):
            print(f"{pair.name}: {wanted} there, {found} here", file=sys.stderr)
            return 1
        seconds: list[tuple[float, float]] = []
        for _ in range(args.rounds):
            seconds.append((timed(pair.theirs), timed(pair.ours)))
        theirs, ours = (median(one) for one in zip(*seconds, strict=True))
        rates = [f"{args.segments / one:,.0f}" for one in (theirs, ours)]
        print(f"| {pair.name} | {rates[0]} | {rates[1]} | {theirs / ours:.0f} |")
    return 0


def timed(function: Callable[[], float]) -> float:
    """Return the seconds of a call."""
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def of_torchmetrics(hypotheses: list[str], references: list[str]) -> list[Pair]:
    """Return the metrics of torchmetrics with one reference."""
    import torchmetrics.text as originals

    import bleuet.adapters.torchmetrics as own

    pairs = []
    for name in ("SacreBLEUScore", "CHRFScore", "ExtendedEditDistance", "WordErrorRate"):
        target: Any = references if "Word" in name else [[one] for one in references]

        def compute(module: Any, name: str, target: Any) -> float:
            metric = getattr(module, name)()
            metric.update(hypotheses, target)
            return float(metric.compute())

        both = (partial(compute, module, name, target) for module in (originals, own))
        pairs.append(Pair(f"torchmetrics {name}", *both))
    return pairs


def of_lm_eval(hypotheses: list[str], references: list[str]) -> list[Pair]:
    """Return the aggregations of lm-eval, whose items are pairs of texts."""
    from lm_eval.api import metrics

    from bleuet.adapters.items import items_of

    items = list(zip(references, hypotheses, strict=True))
    pairs = []
    for name in ("bleu", "chrf", "ter"):
        own = items_of(name)

        def ours(own: Items) -> float:
            return own.score(own.rows(hypotheses, references))

        theirs = partial(getattr(metrics, name), items)
        pairs.append(Pair(f"lm-eval {name}", theirs, partial(ours, own)))
    return pairs


if __name__ == "__main__":
    raise SystemExit(main())
