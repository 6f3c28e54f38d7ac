"""Self-BLEU by definition: the BLEU of each text with the others as its references."""

from __future__ import annotations

import random
from math import fsum
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import (
    BLEU,
    CHRF,
    InputError,
    InputTypeError,
    OptionError,
    SelfBLEU,
    metric_from_signature,
    self_bleu,
)
from bleuet.metrics.bleu.metric import NLTKS_OF_THE_LAST_SENTENCE
from bleuet.metrics.bleu.options import REFERENCE_LENGTHS
from bleuet.metrics.bleu.smoothing import SMOOTHINGS
from bleuet.rewards import Reward, self_similarity
from bleuet.text.segments import Segments
from tests import effort
from tests.backends import counted_by, counted_by_python, kernel

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

TEXTS = ["a b c d e", "a b c d f", "a b x", "", "x y z x y z x"]


def any_texts(rng: random.Random) -> list[str]:
    letters = "abc"[: rng.randint(1, 3)]
    sizes = [rng.randint(0, 9) for _ in range(rng.randint(2, 8))]
    return [" ".join(rng.choices(letters, k=size)) for size in sizes]


def by_definition(
    metric: BLEU, texts: Sequence[Any], chosen: Collection[int], itself: bool
) -> list[float]:
    references = [
        [texts[other] for other in chosen if itself or other != place]
        for place in range(len(texts))
    ]
    pairs = zip(texts, references, strict=True)
    return [metric.sentence_score(text, others).score for text, others in pairs]


@pytest.mark.parametrize("smooth", SMOOTHINGS)
@pytest.mark.parametrize("reference_length", REFERENCE_LENGTHS)
def test_it_is_the_sentence_score_against_the_others(smooth: Any, reference_length: Any) -> None:
    rng = random.Random(f"{smooth} {reference_length}")
    for _ in range(1 if effort.is_quick() else 4):
        for order in (1, 4, 6):
            metric = BLEU(
                smooth=smooth,
                reference_length=reference_length,
                max_ngram_order=order,
                weights=rng.choice([None, [1.0 / order] * order]),
                effective_order=rng.random() < 0.5,
            )
            texts = any_texts(rng)
            chosen = rng.sample(range(len(texts)), rng.randint(2, len(texts)))
            for itself in (False, True):
                table, _ = metric.table_of_others(
                    texts, chosen=chosen, itself=itself, threads=rng.randint(1, 3)
                )
                found = metric.segment_scores(table).values.tolist()
                assert found == by_definition(metric, texts, chosen, itself)


@pytest.mark.usefixtures("needs_kernel")
def test_the_backends_agree() -> None:
    rng = random.Random(7)
    for _ in range(100 if effort.is_quick() else 400):
        options: dict[str, Any] = {
            "max_ngram_order": rng.randint(1, 7),
            "reference_length": rng.choice(REFERENCE_LENGTHS),
            "smooth": rng.choice(["exp", "nltk-1"]),
        }
        texts = any_texts(rng)
        chosen = rng.sample(range(len(texts)), rng.randint(2, len(texts)))
        asked: dict[str, Any] = {"chosen": chosen, "itself": rng.random() < 0.5}
        with counted_by(kernel()):
            table, different = BLEU(**options).table_of_others(texts, **asked)
        with counted_by_python():
            assert BLEU(**options).table_of_others(texts, **asked) == (table, different)


def test_many_parts_and_threads() -> None:
    # More words than one part of the kernel has.
    rng = random.Random(3)
    texts = [" ".join(f"w{int(rng.paretovariate(0.9))}" for _ in range(30)) for _ in range(1500)]
    metric = BLEU(tokenize="none")
    table, different = metric.table_of_others(texts)
    assert metric.table_of_others(texts, threads=3) == (table, different)
    for place in rng.sample(range(len(texts)), 5):
        others = texts[:place] + texts[place + 1 :]
        assert table.row(place).values == metric.count([texts[place]], [others]).row(0).values
    for n, found in enumerate(different, 1):
        words = [text.split() for text in texts]
        assert found == len({tuple(w[i : i + n]) for w in words for i in range(len(w) - n + 1)})


@pytest.mark.parametrize("options", [{"tokenize": "intl"}, {"tokenize": "zh", "lowercase": True}])
def test_tokenizers(options: dict[str, Any]) -> None:
    metric = BLEU(**options)
    texts = ["Ärger, 你好!", "ärger 你 x.", "Ärger. 好 y"]
    table, _ = metric.table_of_others(texts)
    found = metric.segment_scores(table).values.tolist()
    assert found == by_definition(metric, texts, range(3), False)


def test_token_ids() -> None:
    metric = BLEU(tokenize="ids", smooth="floor")
    texts = [[1, 2, 3, 4, 5], [1, 2, 3], [-7, 2, 3, 4]]
    table, _ = metric.table_of_others(texts)
    found = metric.segment_scores(table).values.tolist()
    assert found == by_definition(metric, texts, range(3), False)


def test_lines() -> None:
    lines = Segments.of_lines([(b"a b\n", 1), (b"a b c\nb c\n", 2)])
    with counted_by_python():
        found = BLEU().table_of_others(lines)
        assert found == BLEU().table_of_others(lines.tolist()) == BLEU().table_of_others(lines)


def test_averages() -> None:
    metric = BLEU(smooth="floor")
    others = [[one for one in TEXTS if one != text] for text in TEXTS]
    sentences = by_definition(metric, TEXTS, range(5), False)
    assert self_bleu(TEXTS, metric).score == fsum(sentences) / 5
    corpus = self_bleu(TEXTS, metric, average="corpus")
    assert corpus.score == metric.corpus_score(TEXTS, others).score
    pairs = [
        metric.sentence_score(one, other).score for one in TEXTS for other in TEXTS if one != other
    ]
    assert self_bleu(TEXTS, metric, average="pairs").score == fsum(pairs) / 20
    with_itself = [metric.sentence_score(one, other).score for one in TEXTS for other in TEXTS]
    found = self_bleu(TEXTS, metric, average="pairs", itself=True)
    assert found.score == fsum(with_itself) / 25


def test_distinct_ngrams_are_counted_without_those_that_nltk_adds() -> None:
    for smooth in ("exp", "nltk-1", "nltk-5"):
        score = self_bleu(["a b a b", "a b", "c"], BLEU(smooth=smooth, max_ngram_order=3))
        assert score.distinct == (100 * 3 / 7, 100 * 2 / 4, 100.0)
    assert self_bleu(["", ""]).distinct == (0.0,) * 4


def test_a_sample_of_references() -> None:
    metric = BLEU(smooth="floor")
    score = self_bleu(TEXTS, metric, sample=3, seed=5)
    assert score == self_bleu(TEXTS, metric, sample=3, seed=5)
    possible = {self_bleu(TEXTS, metric, sample=3, seed=seed).score for seed in range(20)}
    assert len(possible) > 3
    # Random(5).random() promises the same numbers in every version of Python.
    rng = random.Random(5)
    chosen = [place for _, place in sorted((rng.random(), place) for place in range(5))][:3]
    assert score.score == fsum(by_definition(metric, TEXTS, chosen, False)) / 5
    assert self_bleu(TEXTS, metric, sample=5).score == self_bleu(TEXTS, metric).score


def test_a_text_that_is_its_own_reference_scores_100() -> None:
    assert self_bleu(["a b c d", "e f g h"], itself=True).score == pytest.approx(100)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"average": "corpus", "itself": True},
        {"average": "pairs", "sample": 2, "seed": 9},
        {"sample": 3, "smooth": "floor", "smooth_value": 0.5, "max_ngram_order": 2},
    ],
)
def test_the_signature_makes_it_again(options: dict[str, Any]) -> None:
    metric = SelfBLEU(**options)
    score = metric.score_texts(TEXTS)
    assert metric_from_signature(score.signature) == metric
    assert metric_from_signature(score.signature.short()) == metric
    assert score.metric.bleu == BLEU(
        **{name: value for name, value in options.items() if name in BLEU().option_values()}
    )


def test_the_score_shows_what_it_counts() -> None:
    score = self_bleu(["a b c d", "a b c d", "e f"])
    assert str(score) == "Self-BLEU = 66.67 (texts = 3 distinct = 60.0/57.1/50.0/50.0)"
    assert str(self_bleu(["a", "a"], average="pairs")).startswith("pairwise-BLEU = 0.00")
    assert score.to_dict()["texts"] == 3
    assert score.n_references == 2


def test_misuse() -> None:
    with pytest.raises(InputError, match="each text needs another one"):
        self_bleu(["a"])
    with pytest.raises(InputError, match="0 of 0 texts"):
        self_bleu([])
    with pytest.raises(InputError, match="each text needs another one"):
        self_bleu(["a", "b"], sample=1)
    with pytest.raises(InputError, match="the sample has 3 references, but there are 2 texts"):
        self_bleu(["a", "b"], sample=3)
    with pytest.raises(InputTypeError, match="metric must be a BLEU"):
        self_bleu(["a", "b"], CHRF())  # type: ignore[arg-type]
    with pytest.raises(InputTypeError, match="texts must be a list"):
        self_bleu("a b")
    with pytest.raises(OptionError, match="average must be"):
        self_bleu(["a", "b"], average="median")  # type: ignore[arg-type]
    with pytest.raises(InputTypeError, match="Self-BLEU has no references"):
        SelfBLEU().corpus_score(["a"], ["a"])
    with pytest.raises(InputTypeError, match="Self-BLEU has no references"):
        SelfBLEU().sentence_score("a", "a")
    with pytest.raises(InputTypeError, match="Self-BLEU has no references"):
        SelfBLEU().score(BLEU().count(["a"], ["a"]).totals())
    with pytest.raises(OptionError, match="round_trip must be off"):
        SelfBLEU(round_trip=True)


def test_smoothings_of_one_sentence_have_no_corpus() -> None:
    smooth: Any
    for smooth in NLTKS_OF_THE_LAST_SENTENCE:
        metric = BLEU(smooth=smooth)
        with pytest.raises(OptionError, match="which is for sentences"):
            self_bleu(TEXTS, metric, average="corpus")
        assert self_bleu(TEXTS, metric).score > 0


def test_the_diversity_of_rewards_is_that_of_all_others() -> None:
    rng = random.Random(2)
    for reward in (Reward("bleu"), Reward({"bleu": 0.5}, scale=3), Reward("bleu:smooth=floor")):
        samples = [one or "a" for one in any_texts(rng)]
        others = [samples[:place] + samples[place + 1 :] for place in range(len(samples))]
        assert self_similarity(samples, reward) == reward(samples, others)
    assert self_similarity(["a", " ", "a"], "chrf") == [1.0, 0.0, 1.0]
