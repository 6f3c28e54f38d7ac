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
from bleuet.torch import bag_of_ngrams_loss, expected_bleu_bound
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


LOGITS = torch.randn(1, 4, 5, generator=torch.Generator().manual_seed(0))
NO_PROBABILITIES = {
    "minus ones": -torch.ones(1, 4, 5),
    "logits": LOGITS,
    "log probabilities": LOGITS.log_softmax(-1),
    "sigmoids": LOGITS.sigmoid(),
    "halves": LOGITS.softmax(-1) / 2,
    "padding": torch.nn.functional.pad(LOGITS.softmax(-1)[:, :3], (0, 0, 0, 1)),
}


@pytest.mark.parametrize("loss", [bag_of_ngrams_loss, expected_bleu_bound])
@pytest.mark.parametrize("kind", NO_PROBABILITIES)
def test_what_is_no_distribution_is_rejected(loss: Any, kind: str) -> None:
    """Logits gave numbers such as 0, a perfect loss."""
    references = torch.tensor([[0, 1, 2, 3]])
    values = NO_PROBABILITIES[kind]
    with pytest.raises(InputError, match=r"add up to .*; expected 1, as of logits\.softmax\(-1\)"):
        loss(values, references)
    compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)
    with pytest.raises(RuntimeError, match="expected probabilities of each place"):
        compiled(values, references)
    right = LOGITS.softmax(-1)
    for kind_of_number in (torch.float16, torch.bfloat16, torch.float64):
        assert loss(right.to(kind_of_number), references).isfinite().all()
    # What a length leaves out need not be a distribution, and NaN shows itself.
    cut = torch.nn.functional.pad(right, (0, 0, 0, 2))
    lengths = torch.tensor([4])
    assert torch.equal(loss(cut, references, candidate_lengths=lengths), loss(right, references))
    assert loss(right * torch.nan, references).isnan().all()
