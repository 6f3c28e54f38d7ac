"""The bound against all candidates of small vocabularies, their samples, and finite differences."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, InputError, InputTypeError, OptionError
from bleuet.torch import expected_bleu_bound
from bleuet.torch.expected_bleu import HIGHEST_FLOOR, matches_variance
from bleuet.torch.expected_matches import expected_clipped_matches, ngrams_of, read_texts
from bleuet.torch.token_tensors import marks
from tests.effort import examples

pytestmark = pytest.mark.torch
torch: Any = import_module("torch")


def sentence_bleu(hypotheses: Any, references: Any) -> Any:
    scores = BLEU(tokenize="ids").sentence_scores(hypotheses, references).values
    return torch.tensor(scores.tolist(), dtype=torch.double) / 100


@st.composite
def batches(draw: Any) -> Any:
    """Ids of candidates and references of different lengths, and the lengths."""
    vocabulary, places, width, number = (draw(st.integers(1, most)) for most in (5, 9, 9, 2))
    size = 12
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32)))

    def integers(low: int, high: int, *shape: int) -> Any:
        return torch.randint(low, high, shape, generator=generator)

    return (
        vocabulary,
        integers(0, vocabulary, size, places),
        integers(0, places + 1, size),
        integers(0, vocabulary, size, number, width),
        integers(0, width + 1, size, number),
    )


@examples(40)
@given(batches())
def test_the_bound_of_certain_tokens_is_their_bleu(batch: Any) -> None:
    vocabulary, candidates, lengths, references, reference_lengths = batch
    bound = expected_bleu_bound(
        torch.nn.functional.one_hot(candidates, vocabulary).double(),
        references,
        candidate_lengths=lengths,
        reference_lengths=reference_lengths,
    )
    wanted = sentence_bleu(
        [row[:length] for row, length in zip(candidates.tolist(), lengths, strict=True)],
        [
            [row[:length] for row, length in zip(rows, row_lengths, strict=True)]
            for rows, row_lengths in zip(references.tolist(), reference_lengths, strict=True)
        ],
    )
    torch.testing.assert_close(bound, wanted, rtol=0, atol=1e-12)


def distribution(seed: int, places: int, vocabulary: int, sharpness: float) -> Any:
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(1, places, vocabulary, generator=generator, dtype=torch.double)
    return (logits * sharpness).softmax(-1)


def all_candidates(probabilities: Any) -> Any:
    """Every candidate, and its probability."""
    _, places, vocabulary = probabilities.shape
    candidates = torch.tensor(list(itertools.product(range(vocabulary), repeat=places)))
    each = probabilities[0].gather(1, candidates.T)
    return candidates.tolist(), each.prod(0)


def ngram_counts(words: list[int], order: int) -> Any:
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


@examples(30)
@given(
    st.integers(0, 2**32),
    st.sampled_from([(2, 7), (3, 5)]),
    st.floats(0, 6),
    st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=8), min_size=1, max_size=2),
)
def test_matches_are_exact_and_bleu_is_bounded(
    seed: Any, shape: Any, sharpness: Any, references: Any
) -> None:
    vocabulary, places = shape
    probabilities = distribution(seed, places, vocabulary, sharpness)
    width = max(map(len, references))
    padded = torch.tensor([[row + [-1] * (width - len(row)) for row in references]])
    candidates, weights = all_candidates(probabilities)
    scores = sentence_bleu(candidates, [references] * len(candidates))
    bound = expected_bleu_bound(probabilities, padded, padding=-1)
    assert bound <= weights @ scores + 1e-9
    texts = read_texts(probabilities, padded, marks(-1, None), None, None)
    for order in range(1, 5):
        wanted: Any = Counter()
        for reference in references:
            wanted |= ngram_counts(reference, order)
        matches = torch.tensor(
            [(ngram_counts(one, order) & wanted).total() for one in candidates]
        ).double()
        ngrams = ngrams_of(texts, order)
        mean = weights @ matches
        torch.testing.assert_close(expected_clipped_matches([ngrams])[0][0], mean)
        assert weights @ (matches - mean) ** 2 <= matches_variance(ngrams)[0] + 1e-9


@pytest.mark.parametrize("floor", [HIGHEST_FLOOR, 1 / 8, 1 / 16, 1e-6])
def test_the_parabola_of_the_bound_is_below_the_logarithm(floor: float) -> None:
    """Expected values of the parabola depend on the mean and the variance alone."""
    touched = torch.linspace(1, 60, 2000, dtype=torch.double)[:, None]
    bend = ((touched / floor).log() - 1) / touched**2
    numbers = torch.arange(1, 500, dtype=torch.double)
    slope = 1 / touched + 2 * bend * touched
    parabola = math.log(floor) + slope * numbers - bend * numbers**2
    assert (parabola <= numbers.log() + 1e-9).all()
    # Fewer matches, and a larger variance, lower the bound.
    assert (bend > 0).all()


def test_the_formula_of_the_paper_is_no_bound_where_a_word_comes_twice() -> None:
    probabilities = torch.full((1, 3, 2), 0.5, dtype=torch.double)
    texts = read_texts(probabilities, torch.tensor([[0, 0]]), marks(None, None), None, None)
    matches = expected_clipped_matches([ngrams_of(texts, 1)])[0].item()
    # Each place: 1/2 min(1, 2 / (1 + 1/2 + 1/2)). All candidates: (3 * 1 + 4 * 2) / 8.
    assert matches == 11 / 8 < 3 / 2


def near(references: Any, vocabulary: int, lean: Any) -> Any:
    """Logits of tokens that lean to the reference's more and more."""
    generator = torch.Generator().manual_seed(5)
    logits = torch.randn(*references.shape, vocabulary, generator=generator)
    lean = torch.tensor(lean)[:, None, None].expand(*references.shape, 1)
    return logits.scatter_(2, references[..., None], lean)


def test_the_bound_is_below_the_mean_of_samples() -> None:
    generator = torch.Generator().manual_seed(5)
    references = torch.randint(0, 50, (4, 12), generator=generator)
    probabilities = near(references, 50, [2.0, 5.0, 8.0, 11.0]).softmax(-1)
    bound = expected_bleu_bound(probabilities, references)
    samples = torch.multinomial(
        probabilities.flatten(0, 1), 1000, replacement=True, generator=generator
    ).view(4, 12, 1000)
    hypotheses = samples.transpose(1, 2).flatten(0, 1).tolist()
    repeated = references.repeat_interleave(1000, 0).tolist()
    scores = sentence_bleu(hypotheses, repeated).view(4, 1000)
    assert (bound < scores.mean(1) + 3 * scores.std(1) / 1000**0.5).all()
    # It is not trivial.
    assert (bound > torch.tensor([0.6, 0.4, 0.9, 0.99]) * scores.mean(1)).all()


@pytest.mark.parametrize("references", [[[0, 1, 0, 1, 0]], [[[0, 1, 2, 1, 0], [2, 2, 2, 2, 9]]]])
def test_gradients(references: Any) -> None:
    logits = distribution(3, 6, 4, 1).log().requires_grad_()
    references = torch.tensor(references)
    assert torch.autograd.gradcheck(
        lambda values: expected_bleu_bound(values.softmax(-1), references, padding=9), [logits]
    )


def test_gradients_are_numbers_where_nothing_matches() -> None:
    probabilities = torch.zeros(1, 6, 5)
    probabilities[..., 0] = 1
    probabilities.requires_grad_()
    expected_bleu_bound(probabilities, torch.tensor([[1, 2, 3, 4, 1]])).sum().backward()
    assert probabilities.grad.isfinite().all()


def test_bleu_rises_with_the_bound() -> None:
    references = torch.randint(0, 20, (3, 8), generator=torch.Generator().manual_seed(1))
    logits = near(references, 20, [0.5, 1.0, 1.5]).requires_grad_()
    optimizer = torch.optim.Adam([logits], 0.5)
    before = sentence_bleu(logits.argmax(-1).tolist(), references.tolist()).mean()
    for _ in range(20):
        optimizer.zero_grad()
        (-expected_bleu_bound(logits.softmax(-1), references).sum()).backward()
        optimizer.step()
    after = sentence_bleu(logits.argmax(-1).tolist(), references.tolist()).mean()
    assert before < 0.2
    assert after > 0.6


def test_compiled_without_a_break() -> None:
    compiled = torch.compile(expected_bleu_bound, backend="aot_eager", fullgraph=True)
    references = torch.tensor([[[0, 1, 0, 1, 0], [0, 0, 1, 9, 9]], [[2, 1, 2, 9, 9], [3] * 5]])
    logits = torch.cat([distribution(seed, 6, 4, 1) for seed in (1, 2)]).log().requires_grad_()
    gradients = []
    for function in (expected_bleu_bound, compiled):
        bound = function(logits.softmax(-1), references, padding=9)
        gradients.append(torch.autograd.grad(bound.sum(), logits)[0])
        torch.testing.assert_close(
            bound, expected_bleu_bound(logits.softmax(-1), references, padding=9)
        )
    torch.testing.assert_close(*gradients)


def test_nothing_waits_for_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    modes = import_module("torch.utils._python_dispatch")
    called: Counter[str] = Counter()

    class Calls(modes.TorchDispatchMode):  # type: ignore[name-defined, misc]
        def __torch_dispatch__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            called[function.overloadpacket._qualified_op_name] += 1
            return function(*args, **(kwargs or {}))

    references = torch.randint(0, 9, (3, 2, 40), generator=torch.Generator().manual_seed(1))
    probabilities = distribution(1, 40, 9, 1).expand(3, -1, -1)
    # The first call on a GPU looks at the sums of probabilities; here the CPU stands for one.
    monkeypatch.setattr("bleuet.torch.expected_matches._NEVER_WAITED_FOR", frozenset())
    monkeypatch.setattr("bleuet.torch.expected_matches._CHECKED", set())
    with pytest.raises(InputError, match="add up to"):
        expected_bleu_bound(probabilities.log(), references)
    with Calls():
        expected_bleu_bound(probabilities, references)
    assert not called["aten::_local_scalar_dense"] + called["aten::nonzero"]
    # All orders are read at once, with a fixed number of operations for each place.
    assert called.total() < 1700


def test_numbers_of_16_bits_are_read() -> None:
    probabilities = distribution(1, 6, 4, 1).to(torch.bfloat16)
    references = torch.tensor([[0, 1, 2, 3, 1, 1]])
    bound = expected_bleu_bound(probabilities, references)
    assert bound == expected_bleu_bound(probabilities.float(), references)


def test_a_reference_that_is_not_there() -> None:
    probabilities = distribution(1, 6, 4, 1)
    references = torch.tensor([[[0, 1, 2, 3, 1], [3, 3, 2, 1, 0]]])
    bound = expected_bleu_bound(
        probabilities, references, reference_lengths=torch.tensor([[5, -1]])
    )
    assert bound == expected_bleu_bound(probabilities, references[:, 0])


def test_ids_outside_of_the_vocabulary_never_match() -> None:
    probabilities = distribution(1, 6, 4, 1)
    inside = expected_bleu_bound(
        torch.cat([probabilities, torch.zeros(1, 6, 1)], -1), torch.tensor([[0, 1, 4, 2, 3]])
    )
    outside = expected_bleu_bound(probabilities, torch.tensor([[0, 1, 2**40, 2, 3]]))
    assert inside == outside > 0


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[0.5]], torch.tensor([[1]])), InputTypeError, "probabilities"),
        ((torch.rand(1, 2), torch.tensor([[1]])), InputError, "places"),
        ((torch.rand(2, 2, 3), torch.tensor([[1]])), InputError, "references"),
        ((torch.rand(1, 2, 3), torch.tensor([[0.5]])), InputTypeError, "integers"),
    ],
)
def test_wrong_arguments(arguments: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        expected_bleu_bound(*arguments)


@pytest.mark.parametrize("order", [0, True, "4"])
def test_wrong_orders(order: int) -> None:
    with pytest.raises(OptionError, match="max_ngram_order"):
        expected_bleu_bound(torch.rand(1, 2, 3), torch.tensor([[1]]), max_ngram_order=order)
