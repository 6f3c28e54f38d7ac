"""Every way, with every kind of weights and every metric, is what its definition says."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import partial
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import BLEU, CHRF, BleuetError, InputError, OptionError, mbr
from bleuet.metrics.catalogue import CATALOGUE, parse_metric
from bleuet.minimum_bayes_risk.decoding import WAYS
from bleuet.minimum_bayes_risk.equal_utilities import first_of_best
from bleuet.minimum_bayes_risk.pruning import pruned_utilities
from bleuet.statistics.definitions import plain_python
from bleuet.statistics.seed import SEED
from tests.backends import counted_by, kernel
from tests.contract.settings import counting_word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORDS = ["a", "the", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree"]


def samples(seed: int, count: int) -> list[str]:
    """Return texts that are more and less like one text."""
    random = Random(seed)
    text = random.choices(WORDS, k=9)
    return [
        " ".join(random.choice(WORDS) if random.random() < 0.4 else word for word in text)
        for _ in range(count)
    ]


# The weights of that many pseudo-references.
WEIGHTS: dict[str, Callable[[int], list[float]]] = {
    "equal": lambda count: [0.1] * count,
    "rising": lambda count: [float(n * n) for n in range(1, count + 1)],
    "falling": lambda count: [0.8**n for n in range(count)],
    "only the last ones": lambda count: [0.0] * (count - 3) + [1.0] * 3,
    "one of them": lambda count: [0.0] * (count - 1) + [5.0],
    "one above all": lambda count: [1.0] * (count - 2) + [1e6, 1.0],
    "from the smallest to the largest number": lambda count: (
        [5e-324, 1e-300] + [1.0] * (count - 4) + [1.7e308, 1.7e308]
    ),
    "random": lambda count: [Random(n).expovariate(1) ** 3 for n in range(count)],
}
CANDIDATES: dict[str, list[str]] = {
    "samples": samples(1, 8),
    "one": ["the cat sat"],
    "equal": ["the cat sat", "the cat sat", "the cat sat", "the cat sat"],
    "repeated": [*samples(2, 3), *samples(2, 3)],
    "empty": ["", "the cat sat", "", "cat"],
}


def expected(scores: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean, of which only the result is rounded."""
    total = sum(map(Fraction, weights))
    return float(
        sum(Fraction(w) * Fraction(s) for w, s in zip(weights, scores, strict=True)) / total
    )


def scores_of_pairs(metric: Any, texts: list[str]) -> list[list[float]]:
    sign = 1 if metric.higher_is_better else -1
    return [[sign * metric.sentence_score(text, other).score for other in texts] for text in texts]


def by_definition(metric: Any, texts: list[str], weights: Sequence[float]) -> list[float]:
    return [expected(scores, weights) for scores in scores_of_pairs(metric, texts)]


def first(utilities: Sequence[float]) -> int:
    """The first that no other exceeds by more than rounding."""
    best = max(utilities)
    return next(n for n, one in enumerate(utilities) if best - one <= 1e-12 * max(100, abs(best)))


def weights_of(kind: str, count: int) -> list[float]:
    return WEIGHTS[kind](count)[-count:]


def count_by(backend: str) -> Any:
    return counted_by(kernel() if backend == "kernel" else plain_python)


@pytest.mark.parametrize("backend", ["kernel", pytest.param("python", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", CATALOGUE)
def test_the_exact_way(name: str, backend: str) -> None:
    with count_by(backend):
        plain = parse_metric(counting_word(name), sentences=True)
        if plain.reads_sources:
            with pytest.raises(InputError, match="came without sources"):
                mbr([["a b", "a c"]], plain)
            return
        for texts in CANDIDATES.values():
            # What a metric learns, it learns from the different pseudo-references.
            metric = plain.with_learned(plain.learn(list(dict.fromkeys(texts))))
            rows = scores_of_pairs(metric, texts)
            for kind in WEIGHTS:
                weights = weights_of(kind, len(texts))
                (found,) = mbr([texts], plain, weights=[weights])
                utilities = [expected(scores, weights) for scores in rows]
                assert found.utilities == pytest.approx(utilities, rel=1e-12, abs=1e-10)
                assert found.index == first(utilities), (kind, texts)


def mean_ngrams(metric: BLEU | CHRF, texts: list[str], weights: Sequence[float]) -> list[float]:
    """The scores against the mean counts of n-grams, which are added as fractions."""
    total = sum(map(Fraction, weights))
    if isinstance(metric, BLEU):
        kinds = [([metric.tokens(text) for text in texts], metric.max_ngram_order)]
    else:
        kinds = [(["".join(text.split()) for text in texts], metric.char_order)]
    rows: list[list[Any]] = [[] for _ in texts]
    for read, orders in kinds:
        for order in range(1, orders + 1):
            counts = [
                Counter(tuple(one[at : at + order]) for at in range(len(one) - order + 1))
                for one in read
            ]
            mean: dict[Any, Fraction] = defaultdict(Fraction)
            for one, weight in zip(counts, weights, strict=True):
                for ngram, count in one.items():
                    mean[ngram] += Fraction(weight) * count / total
            length = float(sum(mean.values()))
            for row, one in zip(rows, counts, strict=True):
                matches = float(
                    sum(min(Fraction(count), mean[ngram]) for ngram, count in one.items())
                )
                row.append((one.total(), length, matches))
    if isinstance(metric, CHRF):
        return [
            metric.formula([cell for n, m, both in row for cell in (n if m else 0, m, both)])
            for row in rows
        ]
    return [
        metric.formula([row[0][0], row[0][1], *(m for _, _, m in row), *(n for n, _, _ in row)])
        for row in rows
    ]


@pytest.mark.parametrize("backend", ["kernel", "python"])
@pytest.mark.parametrize("kind", list(WEIGHTS))
def test_the_aggregated_way(kind: str, backend: str) -> None:
    with count_by(backend):
        for metric in (BLEU(effective_order=True), CHRF()):
            for texts in CANDIDATES.values():
                weights = weights_of(kind, len(texts))
                (found,) = mbr([texts], metric, weights=[weights], way="aggregated")
                utilities = mean_ngrams(metric, texts, weights)
                assert found.utilities == pytest.approx(utilities, rel=1e-9, abs=1e-9)
                assert found.index == first(list(found.utilities))


def test_what_has_no_mean_counts_is_an_error() -> None:
    for name in CATALOGUE:
        if name not in ("bleu", "chrf"):
            with pytest.raises(OptionError, match="has no mean of n-gram counts"):
                mbr([["a b", "a c"]], name, way="aggregated")


def pruned_by_definition(metric: Any, texts: list[str], weights: list[float]) -> set[int]:
    """Return the candidates that are left, from a matrix of all pairs."""
    order = sorted((n for n, weight in enumerate(weights) if weight), key=lambda n: -weights[n])
    matrix = np.asarray(metric.matrix(texts, texts))[:, order]
    scores = matrix if metric.higher_is_better else -matrix
    shares = np.array([weights[n] for n in order]) / max(weights)
    left, used = np.arange(len(texts)), 16
    while 2 * used <= len(order):
        part = shares[:used]
        if part.sum() ** 2 >= 16 * (part**2).sum() - 1e-9:
            drawn = np.random.default_rng(SEED).integers(0, used, size=(500, used))
            sums = (scores[left, :used] * part)[:, drawn].sum(axis=2)
            best = first(list(scores[left, :used] @ part / part.sum()))
            left = left[(sums >= sums[best] - 1e-9 * used).sum(axis=1) > 5]
        used *= 2
    return set(left.tolist())


@pytest.mark.parametrize(
    ("name", "backend"),
    [
        ("bleu", "kernel"),
        ("token-f1", "kernel"),
        *(
            pytest.param(name, backend, marks=pytest.mark.slow)
            for name, backend in [
                *((name, "kernel") for name in ("chrf", "ter", "nist", "cider")),
                *((name, "python") for name in ("token-f1", "nist")),
            ]
        ),
    ],
)
def test_the_pruned_way(name: str, backend: str) -> None:
    with count_by(backend):
        plain = parse_metric(name, sentences=True)
        texts = [*samples(4, 38), "x y", "z"]
        metric = plain.with_learned(plain.learn(list(dict.fromkeys(texts))))
        for kind in WEIGHTS:
            weights = weights_of(kind, len(texts))
            (found,) = mbr([texts], plain, weights=[weights], way="pruned")
            left = {n for n, one in enumerate(found.utilities) if one != -inf}
            assert left == pruned_by_definition(metric, texts, weights), kind
            exact = mbr([texts], plain, weights=[weights])[0].utilities
            for n in left:
                assert found.utilities[n] == pytest.approx(exact[n], rel=1e-12, abs=1e-10)
            assert found.index == min(left, key=lambda n: (-round(exact[n], 9), n))


@pytest.mark.slow
@pytest.mark.usefixtures("needs_kernel")
def test_pruning_rarely_loses_the_best_by_weight() -> None:
    lists = [samples(seed, 64) for seed in range(30)]
    for kind in WEIGHTS:
        weights = [weights_of(kind, 64)] * len(lists)
        exact, pruned = (
            mbr(lists, "bleu", weights=weights, way=way) for way in ("exact", "pruned")
        )
        loss = pruned.compared(exact).loss
        assert loss is not None
        assert loss.changed <= 1, kind
        assert loss.utility < 0.05, kind


@pytest.mark.parametrize("way", WAYS)
class TestEveryWay:
    """What holds of exact, aggregated and pruned choices."""

    def test_equal_weights_are_none(self, way: str) -> None:
        texts = samples(6, 48)
        (plain,) = mbr([texts], "chrf", way=way)
        (weighted,) = mbr([texts], "chrf", way=way, weights=[[0.3] * 48])
        assert weighted.index == plain.index
        assert weighted.utilities == pytest.approx(plain.utilities, rel=1e-12)

    def test_a_weight_of_0_leaves_out(self, way: str) -> None:
        texts, others = samples(7, 40), samples(8, 20)
        (found,) = mbr(
            [texts], "chrf", references=[[*others, *texts]], weights=[[0] * 20 + [2] * 40], way=way
        )
        (expected,) = mbr([texts], "chrf", way=way)
        assert found.index == expected.index
        assert found.utilities == pytest.approx(expected.utilities, rel=1e-12)

    def test_one_candidate_is_chosen(self, way: str) -> None:
        for weights in (None, [[3.0]], [[5e-324]], [[1.7e308]]):
            (found,) = mbr([["the cat sat"]], "chrf", weights=weights, way=way)
            assert (found.index, found.utilities) == (0, (100.0,))

    def test_of_equal_candidates_the_first_is_chosen(self, way: str) -> None:
        texts = ["x y z"] + ["the cat sat on a mat"] * 60 + ["the cat ran"] * 3
        for kind in ("equal", "random", "rising"):
            (found,) = mbr([texts], "chrf", weights=[weights_of(kind, len(texts))], way=way)
            assert found.index == 1

    def test_what_differs_by_rounding_is_equal(self, way: str) -> None:
        # The mean of 0.1, 0.2, 0.3 times the scores is rounded differently for each order of them.
        texts = ["a b c d", "a b c e", "a b c f"]
        for weights in ([0.1, 0.1, 0.1], [0.3, 0.3, 0.3], [1 / 3, 1 / 3, 1 / 3]):
            (found,) = mbr([texts], "chrf", weights=[weights], way=way)
            assert found.index == 0

    def test_the_first_weight_of_a_duplicate_must_not_be_0(self, way: str) -> None:
        with pytest.raises(OptionError, match="all weights of source 1 are 0"):
            mbr(
                [["a", "b"]], "chrf", references=[["x", "x"]], weights=[[0, 1]],
                duplicates=False, way=way,
            )  # fmt: skip


def parts(rows: list[list[float]], some: list[int], low: int, high: int) -> list[list[float]]:
    return [rows[n][low:high] for n in some]


@pytest.mark.parametrize("backend", ["kernel", "python"])
def test_rounded_utilities_tie(backend: str) -> None:
    """Sums of error rates that are equal fractions, but not equal numbers."""
    rows = {"a": [-12.5, -25.0, -9.375], "b": [-12.500000000000002, -25.0, -9.374999999999998]}
    assert first_of_best([-15.625, -15.624999999999998]) == 0
    assert first_of_best([-15.624999999999998, -15.625]) == 0
    assert first_of_best([-15.625, -15.624999]) == 1
    assert first_of_best([-inf, -2e6, -2e6 + 1e-9]) == 1
    with count_by(backend):
        for names in ("ab", "ba"):
            several = [rows[name] * 20 for name in names]
            assert list(pruned_utilities(partial(parts, several), 2, 60)) == [0, 1]


def test_a_loss_by_rounding_is_none() -> None:
    choices = mbr([["a", "b"]], "chrf", keep_matrices=True)
    (one,) = choices
    above = one.replace(index=0, utilities=(50.0, 50.00000000000001))
    below = one.replace(index=1, utilities=(50.0, 50.00000000000001))
    for exact, other in ((above, below), (below, above)):
        loss = choices.replace(choices=(other,)).compared(choices.replace(choices=(exact,))).loss
        assert loss is not None
        assert (loss.utility, loss.changed) == (0, 0)


def test_huge_weights_are_checked() -> None:
    wrongs: list[Any] = [10**400, float("nan"), float("inf"), -1, "1", None]
    for wrong in wrongs:
        with pytest.raises(BleuetError, match=r"0 or more|must be a"):
            mbr([["a"]], "chrf", weights=[[wrong]])
    assert mbr([["a", "b"]], "chrf", weights=[[1e308, 1e308]])[0].utilities == (50.0, 50.0)
