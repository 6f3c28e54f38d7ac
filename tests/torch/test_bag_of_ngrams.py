"""The loss against the counts of all candidates, samples of them, and finite differences."""

from __future__ import annotations

import itertools
from collections import Counter
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import InputError, OptionError
from bleuet.torch import bag_of_ngrams_loss
from tests.effort import examples

pytestmark = pytest.mark.torch
torch: Any = import_module("torch")


def distribution(seed: int, places: int, vocabulary: int) -> Any:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(1, places, vocabulary, generator=generator, dtype=torch.double).softmax(-1)


def bag(words: list[int], order: int, weight: float = 1.0) -> Any:
    found: Any = Counter()
    for place in range(len(words) - order + 1):
        found[tuple(words[place : place + order])] += weight
    return found


def distance(expected: Any, reference: Any) -> Any:
    keys = expected.keys() | reference.keys()
    total = sum(expected.values()) + sum(reference.values())
    return sum(abs(expected[key] - reference[key]) for key in keys) / total if total else 0.0


@examples(60)
@given(
    st.integers(0, 2**32),
    st.integers(1, 4),
    st.integers(0, 5),
    st.lists(st.integers(0, 2), min_size=1, max_size=7),
)
def test_the_loss_is_that_of_all_candidates(
    seed: int, order: int, length: int, reference: list[int]
) -> None:
    probabilities = distribution(seed, 5, 3)
    expected: Any = Counter()
    for candidate in map(list, itertools.product(range(3), repeat=length)):
        weight = 1.0
        for place, word in enumerate(candidate):
            weight *= probabilities[0, place, word].item()
        for ngram, count in bag(candidate, order, weight).items():
            expected[ngram] += count
    found = bag_of_ngrams_loss(
        probabilities,
        torch.tensor([reference]),
        order,
        candidate_lengths=torch.tensor([length]),
    )
    assert found.item() == pytest.approx(distance(expected, bag(reference, order)), abs=1e-9)


def test_samples_agree() -> None:
    probabilities = distribution(1, 9, 12)[0].float()
    reference = [3, 4, 5, 3, 4, 7, 8, 1, 2]
    generator = torch.Generator().manual_seed(0)
    samples = torch.multinomial(probabilities, 20_000, replacement=True, generator=generator)
    expected: Any = Counter()
    for candidate in samples.T.tolist():
        expected.update(bag(candidate, 2, 1 / 20_000))
    found = bag_of_ngrams_loss(probabilities[None], torch.tensor([reference]))
    assert found.item() == pytest.approx(distance(expected, bag(reference, 2)), abs=0.003)


def test_the_mean_over_sentences_with_padding() -> None:
    probabilities = torch.cat([distribution(1, 5, 4), distribution(2, 5, 4)])
    references = torch.tensor([[0, 1, 2, 9], [3, 3, 9, 9]])
    alone = [
        bag_of_ngrams_loss(probabilities[:1], torch.tensor([[0, 1, 2]])),
        bag_of_ngrams_loss(probabilities[1:], torch.tensor([[3, 3]])),
    ]
    both = bag_of_ngrams_loss(probabilities, references, padding=9)
    torch.testing.assert_close(both, sum(alone) / 2)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_gradients(order: int) -> None:
    logits = distribution(3, 6, 4).log().requires_grad_()
    references = torch.tensor([[0, 1, 0, 1, 2]])
    assert torch.autograd.gradcheck(
        lambda values: bag_of_ngrams_loss(values.softmax(-1), references, order), [logits]
    )


def test_wrong_arguments() -> None:
    probabilities = distribution(1, 5, 4)
    with pytest.raises(OptionError, match="order is"):
        bag_of_ngrams_loss(probabilities, torch.tensor([[1]]), 0)
    with pytest.raises(InputError, match="2 dimensions"):
        bag_of_ngrams_loss(probabilities, torch.tensor([[[1]]]))
