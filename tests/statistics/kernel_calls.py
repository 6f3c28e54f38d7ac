"""Calls of all that the kernel has, with arguments that are right, and of sizes that are wrong.

    python -m tests.statistics.kernel_calls NAME

makes the calls of a function or class in this process, and prints those that wrong sizes did not
end with an exception. A crash ends the process.
"""

from __future__ import annotations

import sys
from array import array
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from bleuet.metrics.catalogue import NAMES, make_metric
from bleuet.statistics import _kernel
from bleuet.statistics.backend import is_native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES = (0, -1, 2**31, 2**32, 2**61, 2**63 - 1)
# The most memory of the process: numbers of words may be any, and have a table each.
MOST_MEMORY = 3 << 30
# What no buffer limits: numbers that are compared with others, and those of a stream.
REALS = {
    *("alpha", "beta", "gamma", "delta", "rho", "deletion", "insertion", "weight", "variance"),
    *("length_weight", "position_weight", "words_weight"),
}
FREE = {
    *("threads", "limit", "window", "below", "seed", "reals", "integers", "n_integers", "n_reals"),
    "context",
}

TEXTS = array("i", [0, 1, 0]), array("q", [2, 3])
REFERENCES = (*TEXTS, array("q", [1, 2]))


def doubles(count: int) -> array[float]:
    return array("d", [0.0] * count)


def integers(count: int) -> array[int]:
    return array("q", [0] * count)


def tables(rows: int = 2, draws: int = 3) -> list[tuple[Any, ...]]:
    return [(integers(rows), 1, doubles(2 * rows), 2, integers(draws), doubles(2 * draws))]


def line_search() -> Any:
    return _kernel.LineSearch(2, 2, doubles(8), 2, integers(4), 1, doubles(4), 1)


def intervals() -> Any:
    return line_search().follow(doubles(4), doubles(2), 1, integers(2))


def scorer(**changed: Any) -> Any:
    usual: dict[str, Any] = {
        "max_ngram_order": 4, "smooth": "exp", "smooth_value": 0.0, "smooth_unmatched": False,
        "effective_order": False, "weights": [], "real_length": False, "compensated_sum": False,
        "needs_words": False,
    }  # fmt: skip
    return _kernel.BleuScorer(**usual | changed)


# By name: what is called, and arguments by name that are right.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "count_lines": (_kernel.count_lines, {"utf8": b"a\n"}),
    "count_endings": (_kernel.count_endings, {"utf8": b"a\n", "ending": b"a"}),
    "tokenize": (_kernel.tokenize, {"tokenizer": "13a", "line": "a b"}),
    "chrf_scores": (
        _kernel.chrf_scores,
        {"integers": integers(48), "rows": 2, "scores": doubles(2), "char_order": 6,
         "word_order": 2, "beta": 2.0, "eps_smoothing": False},
    ),
    "ter_scores": (
        _kernel.ter_scores,
        {"integers": integers(2), "reals": doubles(2), "rows": 2, "scores": doubles(2)},
    ),
    "unwritten": (_kernel.unwritten, {"numbers": 2}),
    "sum_integers": (
        _kernel.sum_integers, {"columns": integers(16), "rows": 2, "initial": [0] * 8}
    ),
    "sum_reals": (_kernel.sum_reals, {"columns": doubles(16), "rows": 2, "initial": [0.0] * 8}),
    "select_integers": (
        _kernel.select_integers,
        {"columns": integers(4), "rows": 2, "chosen": integers(3), "n_chosen": 3, "n_columns": 2,
         "out": integers(6)},
    ),
    "select_reals": (
        _kernel.select_reals,
        {"columns": doubles(4), "rows": 2, "chosen": integers(3), "n_chosen": 3, "n_columns": 2,
         "out": doubles(6)},
    ),
    "Pcg64": (_kernel.Pcg64, {"seed": [1]}),
    "Pcg64.rows": (_kernel.Pcg64([1]).rows, {"below": 3, "out": integers(4), "count": 4}),
    "Pcg64.choices": (_kernel.Pcg64([1]).choices, {"out": bytearray(4), "count": 4}),
    "Pcg64.sum_draws": (
        _kernel.Pcg64([1]).sum_draws, {"tables": tables(), "rows": 2, "draws": 3, "threads": 1}
    ),
    "Pcg64.sum_choices": (
        _kernel.Pcg64([1]).sum_choices, {"tables": tables(), "rows": 2, "draws": 3, "threads": 1}
    ),
    "sum_given_draws": (
        _kernel.sum_given_draws,
        {"chosen": integers(6), "tables": tables(), "rows": 2, "draws": 3, "threads": 1},
    ),
    "sum_given_choices": (
        _kernel.sum_given_choices,
        {"chosen": bytes(6), "tables": tables(), "rows": 2, "draws": 3, "threads": 1},
    ),
    "exchange_integers": (
        _kernel.exchange_integers,
        {"chosen": integers(4), "taken": integers(4), "rows": 2, "totals": [0, 0],
         "out": integers(4)},
    ),
    "exchange_reals": (
        _kernel.exchange_reals,
        {"chosen": doubles(4), "taken": doubles(4), "rows": 2, "totals": [0.0, 0.0],
         "out": doubles(4)},
    ),
    "LineSearch": (
        _kernel.LineSearch,
        {"segments": 2, "width": 2, "features": doubles(8), "n_features": 2,
         "integers": integers(4), "n_integers": 1, "reals": doubles(4), "n_reals": 1},
    ),
    "LineSearch.follow": (
        line_search().follow,
        {"intercepts": doubles(4), "directions": doubles(2), "n_directions": 1,
         "first": integers(2), "threads": 1},
    ),
    "Intervals.sums": (
        intervals().sums,
        {"starts": doubles(1), "integers": integers(intervals().rows),
         "reals": doubles(intervals().rows)},
    ),
    "Intervals.best": (
        intervals().best,
        {"scores": doubles(intervals().rows), "window": 1, "steps": doubles(1),
         "values": doubles(1)},
    ),
    "weighted_sums": (
        _kernel.weighted_sums, {"features": doubles(6), "weights": doubles(2), "sums": doubles(3)}
    ),
    "number_words": (_kernel.number_words, {"tokenizer": "none", "lists": [["a b"]]}),
    "replace_numbers": (
        _kernel.replace_numbers, {"numbers": array("i", [0, 1]), "by": array("i", [1, 0])}
    ),
    "count_words": (
        _kernel.count_words, {"hypotheses": TEXTS, "references": REFERENCES, "words": 2}
    ),
    "surface_errors": (
        _kernel.surface_errors,
        {"hypotheses": TEXTS, "references": REFERENCES, "lower": array("i", [0, 1]),
         "kinds": bytes(2)},
    ),
    "cut_segments": (
        _kernel.cut_segments,
        {"hypothesis": TEXTS[0], "references": REFERENCES,
         "edges": [array("i", [0] * n) for n in (3, 3, 3, 2, 2, 2, 2)],
         "characters": (TEXTS[0], integers(3), integers(3), REFERENCES)},
    ),
    "match_mean_ngrams": (
        _kernel.match_mean_ngrams,
        {"hypotheses": TEXTS, "references": TEXTS, "weights": array("d", [1, 1]), "words": 2,
         "order": 2},
    ),
    "match_ngrams": (
        _kernel.match_ngrams,
        {"hypotheses": [TEXTS], "references": REFERENCES, "words": 2, "longest": 2},
    ),
    "pack_texts": (
        _kernel.pack_texts,
        {"vocabulary": ["a", "b"], "hypotheses": [(["a b", "a"], TEXTS)],
         "references": (["a b", "a"], REFERENCES)},
    ),
    "first_ngrams": (
        _kernel.first_ngrams,
        {"numbers": TEXTS[0], "ranks": array("i", [0, 1]), "starts": array("i", [0, 1]),
         "slices": [(0, 2)], "length": 1, "limit": 1},
    ),
    "BleuScorer": (scorer, {"max_ngram_order": 4}),
    "BleuScorer.score": (scorer().score, {"values": tuple(range(10))}),
    "BleuScorer.scores": (
        scorer().scores, {"integers": integers(20), "reals": b"", "rows": 2, "scores": doubles(2)}
    ),
    "LearnedReferences.join": (_kernel.LearnedReferences.join, {"parts": []}),
    "MeteorNormalizer": (_kernel.MeteorNormalizer, {"prefixes": {}, "language": "en"}),
    "MeteorLexicon": (_kernel.MeteorLexicon, {}),
    "MeteorCounter": (
        _kernel.MeteorCounter,
        {"lexicon": _kernel.MeteorLexicon(), "matchers": ["exact"], "weights": [1.0],
         "alpha": 0.5, "beta": 0.5, "gamma": 0.5, "delta": 0.5, "beam": 4, "staged": False,
         "characters": False},
    ),
}  # fmt: skip


def metrics_with_counters() -> Iterator[Any]:
    for name in NAMES:
        metric = make_metric(name)
        if metric.counter.definition and name != "meteor":
            yield metric


def fill(counter: Any, **options: Any) -> None:
    made = counter(**options)
    rows = ["a b c d", "a"]
    made.table("text", rows, rows, integers(2 * made.integers), doubles(2 * made.reals))
    made.row("text", *rows)


@cache
def counters() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """The counters of the catalogue: each is made, and fills a table of two segments."""
    found: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {}
    for metric in metrics_with_counters():
        name = metric.counter.definition.partition(":")[2]
        if not hasattr(_kernel, name):
            continue

        call = partial(fill, getattr(_kernel, name))
        found.setdefault(name, (call, metric.counter.options_of(metric)))
    return found


def all_calls() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    return CALLS | counters()


def wrong_calls(name: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    call, right = all_calls()[name]
    for argument, value in right.items():
        if type(value) is not int:
            continue
        for size in SIZES:
            free = argument in FREE or (argument == "words" and name.startswith("match_"))
            if size == value or (size >= 0 and free) or argument in REALS:
                continue
            yield f"{argument}={size}", partial(call, **right | {argument: size})
    if "tables" in right:
        for place in (1, 3):
            for size in SIZES:
                table = list(tables()[0])
                table[place] = size
                drawn = right | {"tables": [tuple(table)]}
                yield f"column {place}={size}", partial(call, **drawn)


def main(names: list[str]) -> None:
    """Print each name, and its wrong sizes that are no error."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    for name in names:
        print(name, flush=True)
        call, right = all_calls()[name]
        call(**right)
        assert is_native()
        for what, wrong in wrong_calls(name):
            try:
                wrong()
            except SystemError:
                raise
            except Exception:
                continue
            print(what, flush=True)
    print("all were called")


if __name__ == "__main__":
    main(sys.argv[1:])
