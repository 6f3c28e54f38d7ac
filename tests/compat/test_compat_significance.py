"""PairedTest gives sacreBLEU's results for the same seed."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bleuet import OptionError
from bleuet.compat import sacrebleu as ours
from bleuet.compat.sacrebleu import significance
from tests.compat.agreement import WORDS, both, sign_alike, theirs
from tests.compat.test_compat_behaviour import same_words


def systems(segments: int, seed: int) -> tuple[list[tuple[str, list[str]]], list[list[str]]]:
    rng = random.Random(seed)
    references = [" ".join(rng.choices(WORDS, k=rng.randint(1, 12))) for _ in range(segments)]
    named = []
    for k in range(3):
        texts = [
            " ".join(w if rng.random() > 0.1 * k else rng.choice(WORDS) for w in line.split())
            for line in references
        ]
        named.append((f"system {k}", texts))
    return named, [references, [line.upper() for line in references]]


def results(module: Any, metrics: dict[str, Any], *arguments: Any, **options: Any) -> Any:
    return module.PairedTest(arguments[0], metrics, *arguments[1:], **options)()


@pytest.mark.peers
@pytest.mark.parametrize(
    "options",
    [
        {"test_type": "bs", "n_samples": 90},
        {"test_type": "ar", "n_samples": 150},
        {"test_type": "ar", "n_samples": 60, "n_ar_confidence": 50},
        {"test_type": "bs", "n_samples": 30, "n_ar_confidence": 20},
    ],
)
def test_results_are_sacrebleus(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in ("12345", "1", "99999999999999999999999"):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        for segments in (1, 2, 7, 40):
            assert_results_are_sacrebleus(segments, options)


def assert_results_are_sacrebleus(segments: int, options: dict[str, Any]) -> None:
    named, streams = systems(segments, seed=segments)
    names = {"BLEU": {"effective_order": True}, "CHRF": {}, "TER": {}}
    pairs = {name: both(name, given) for name, given in names.items()}
    mine = results(significance, {n: p[0] for n, p in pairs.items()}, named, streams, **options)
    other = results(
        theirs().significance, {n: p[1] for n, p in pairs.items()}, named, streams, **options
    )
    assert list(mine[1]) == list(other[1]) == ["System", "BLEU", "chrF2", "TER"]
    assert mine[1]["System"] == other[1]["System"]
    for name in list(other[1])[1:]:
        sign_alike(mine[0][name], other[0][name])
        for a, b in zip(mine[1][name], other[1][name], strict=True):
            assert (a.score, a.p_value) == (b.score, b.p_value)
            assert list(vars(a)) == list(vars(b))
            if b.mean is None:
                assert a.mean is a.ci is None
            else:
                # sacreBLEU draws in single precision.
                assert (a.mean, a.ci) == pytest.approx((b.mean, b.ci), rel=1e-6, abs=1e-5)


def test_cached_references_and_the_default_number_of_draws() -> None:
    named, streams = systems(12, seed=3)
    test = significance.PairedTest(named, {"TER": ours.TER(references=streams)}, None, "bs")
    signatures, found = test()
    assert test.n_samples == 1000
    assert "bs:1000|seed:12345" in str(signatures["TER"])
    assert [result.p_value is None for result in found["TER"]] == [True, False, False]
    assert significance.PairedTest(named, {"TER": ours.TER()}, streams).n_samples == 10000


@pytest.mark.parametrize(
    ("given", "draws", "intervals"),
    [((1, 1), 1, 1), ((0, 0), 10000, 1000), ((-1, -1), 10000, -1), ((2, 0), 2, 1000)],
)
def test_a_number_of_draws_is_the_default_only_where_none_is_given(
    given: tuple[int, int], draws: int, intervals: int
) -> None:
    """A single draw is a number; a negative number of those for intervals means none."""
    named, streams = systems(3, seed=3)
    test = significance.PairedTest(
        named, {"TER": ours.TER()}, streams, n_samples=given[0], n_ar_confidence=given[1]
    )
    assert (test.n_samples, test.n_ar_confidence) == (draws, intervals)


@pytest.mark.peers
def test_what_sacrebleus_randomization_does_with_equal_differences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two equal systems, and two that differ in one segment.

    > In sacreBLEU's randomization p is small all the same, because it counts only larger
      differences.

    > Two systems that differ in one segment have the same difference in every trial, so no trial
      has a larger one, and p is as small as possible.
    """
    monkeypatch.setenv("SACREBLEU_SEED", "5")
    named, streams = systems(30, seed=6)
    _, same = named[1]
    other = ["x y z", *same[1:]]
    metric = theirs().CHRF()
    options = {"test_type": "ar", "n_samples": 200}
    triple = [("a", same), ("again", same), ("one", other)]
    _, found = results(theirs().significance, {"c": metric}, triple, streams, **options)
    first, again, one = found["chrF2"]
    assert first.score == again.score != one.score
    assert again.p_value <= 0.05
    assert one.p_value == 1 / 201


@pytest.mark.peers
def test_seed_0_of_sacrebleu(monkeypatch: pytest.MonkeyPatch) -> None:
    """It draws anew each time.

    > bleuet uses the seed 0 like any other seed; sacreBLEU ignores it.
    """
    named, streams = systems(25, seed=5)

    def run(seed: str) -> tuple[float, ...]:
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        test = theirs().significance.PairedTest(named, {"b": theirs().BLEU()}, streams, "bs", 50)
        return tuple(float(result.mean) for result in test()[1]["BLEU"])

    assert run("1") == run("1")
    assert run("0") != run("0")


@pytest.mark.peers
def test_a_metric_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "5")
    named, streams = systems(9, seed=4)
    for options in {"test_type": "bs", "n_samples": 40}, {"test_type": "ar", "n_samples": 40}:
        mine = results(
            significance, {"x": same_words(ours.metrics.base)}, named, streams, **options
        )
        peer = {"x": same_words(theirs().metrics.base)}
        other = results(theirs().significance, peer, named, streams, **options)
        (name,) = list(other[1])[1:]
        for a, b in zip(mine[1][name], other[1][name], strict=True):
            assert (a.score, a.p_value) == pytest.approx((b.score, b.p_value))


def test_a_formula_of_ones_own_is_used() -> None:
    class Halved(ours.BLEU):
        def _compute_score_from_stats(self, stats: Any) -> Any:
            score = super()._compute_score_from_stats(stats)
            score.score /= 2
            return score

    named, streams = systems(9, seed=4)
    whole, half = (
        significance.PairedTest(named, {"b": metric()}, streams, "bs", 30)()[1]["BLEU"]
        for metric in (ours.BLEU, Halved)
    )
    for a, b in zip(whole, half, strict=True):
        assert b.mean == pytest.approx(a.mean / 2)


def test_seed_0_is_a_seed_and_none_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    named, streams = systems(25, seed=5)

    def run(seed: str) -> tuple[float, ...]:
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        found = significance.PairedTest(named, {"b": ours.BLEU()}, streams, "bs", 50)()
        return tuple(result.mean for result in found[1]["BLEU"])

    assert run("0") == run("0") != run("1")
    assert run("None") != run("none")


@pytest.mark.peers
def test_results_and_intervals_print_as_sacrebleus() -> None:
    peer = theirs().significance
    arguments = (1.5, 0.25, None, 3.0)
    assert repr(significance.Result(*arguments)) == repr(peer.Result(*arguments))
    scores = [float(x) for x in random.Random(1).sample(range(1000), 95)]
    assert significance.estimate_ci(scores) == pytest.approx(
        theirs().significance.estimate_ci(np.array(scores))
    )
    assert significance.sacrelogger is peer.sacrelogger
    assert significance.IS_WINDOWS == peer.IS_WINDOWS


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"test_type": "tt"}, "'ar' or 'bs', not 'tt'"),
        ({"named_systems": []}, "named_systems is empty"),
        ({"metrics": {}}, "metrics is empty"),
        ({"n_jobs": -1}, "threads"),
    ],
)
def test_misuse(changed: dict[str, Any], message: str) -> None:
    named, streams = systems(3, seed=6)
    given: dict[str, Any] = {"named_systems": named, "metrics": {"b": ours.BLEU()}}
    with pytest.raises(OptionError, match=message):
        significance.PairedTest(**{**given, "references": streams, **changed})


def test_every_system_is_compared_with_the_baseline() -> None:
    """Its p is that without the system between them, up to chance."""
    references = [f"a b c {i % 7} d e f {i % 5} g" for i in range(60)]
    base = [text.replace(f"{i % 3}", "x") for i, text in enumerate(references)]
    near = [text.replace(f"{i % 4}", "x") for i, text in enumerate(references)]
    far = [text[: 4 + i % 9] for i, text in enumerate(references)]
    metrics = {"chrF": ours.CHRF(), "TER": ours.TER()}
    found = {}
    for systems in ([("base", base), ("near", near)], [("base", base), ("f", far), ("near", near)]):
        test = significance.PairedTest(systems, metrics, [references], "ar", 2000)
        _, results = test()
        found[len(systems)] = [results[name][-1].p_value for name in ("chrF2", "TER")]
    assert found[3] == pytest.approx(found[2], abs=0.06)
    assert all(0.02 < p < 0.9 for p in found[2])
