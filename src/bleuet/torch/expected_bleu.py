"""A lower bound of the expected BLEU of a matrix of token probabilities."""

from __future__ import annotations

import math

from bleuet.extras import optional
from bleuet.torch.expected_matches import (
    check_order,
    expected_clipped_matches,
    ngrams_of,
    read_texts,
)
from bleuet.torch.token_tensors import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.torch.expected_matches import ExpectedTexts, Ngrams
    from bleuet.torch.token_tensors import Ids, Tensor

TORCH = optional("torch")

# With a floor below exp(-1.5), a parabola that goes through the floor's logarithm at 0 and touches
# the logarithm at a number from 1 on is not above the logarithm at any whole number.
HIGHEST_FLOOR = 0.2
FAR = 1 << 40


def expected_bleu_bound(
    probabilities: Tensor,
    references: Tensor,
    *,
    padding: Ids = None,
    end: Ids = None,
    candidate_lengths: Tensor | None = None,
    reference_lengths: Tensor | None = None,
    max_ngram_order: int = 4,
) -> Tensor:
    """Return numbers that the expected BLEU of each sentence is not below, from 0 to 1.

    A candidate is drawn from the probabilities, each token independent of the others. The bound is
    differentiable, exactly BLEU where all probabilities are 0 or 1, and needs no samples. BLEU is
    `BLEU(tokenize="ids")` with its smoothing "exp", divided by 100. To train, use the negated mean.

    The aim and the input are those of Zhukov, Golikov and Kretov (2017), Differentiable Lower Bound
    for Expected BLEU Score. Their formula for matches is no bound where an n-gram comes twice in a
    reference or overlaps with itself, and the geometric mean of expected precisions is above the
    expected BLEU. So the bound is another one:

    - The expected number of clipped matches of each order is exact, read off by an automaton.
    - Its variance has an upper bound: replacing one token loses at most the n-grams around it
      (Efron and Stein 1981).
    - A number with this mean and variance has the least expected logarithm if it is 0 or one other
      number.
    - The exponential of the expected logarithm of BLEU is not above the expected BLEU (Jensen).

    Args:
        probabilities: `[B, L, V]`, the distribution of each token of a candidate. Only the columns
            of the references' words are read.
        references: token ids `[B, W]`, or `[B, R, W]` for R references of each sentence. An id that
            is not below V never matches.
        padding: an id, or several, that is not a token of a reference.
        end: an id, or several, with which a reference ends; it and what follows is not a token.
        candidate_lengths: `[B]`, the number of tokens of each candidate; default L.
        reference_lengths: `[B]` or `[B, R]`; a negative length is a reference that is not there.
        max_ngram_order: the longest n-grams that count.

    Returns:
        `[B]`, numbers of 32 or 64 bits. Where hardly a word matches, it can be slightly below 0.

    Raises:
        InputTypeError: an argument has the wrong type.
        InputError: the shapes do not fit, or the probabilities of a place do not add up to 1, as
            logits do not. On a GPU only the first call checks that, since it waits.
        OptionError: there is no such order.

    >>> import torch
    >>> probabilities = torch.eye(6)[None] * 0.94 + 0.01
    >>> bound = expected_bleu_bound(probabilities, torch.tensor([[0, 1, 2, 3, 4, 5]]))
    >>> [round(value, 3) for value in bound.tolist()]
    [0.759]
    """
    check_order("max_ngram_order", max_ngram_order)
    texts = read_texts(
        probabilities, references, marks(padding, end), candidate_lengths, reference_lengths
    )
    logarithm = texts.words.new_zeros(len(texts.words))
    floors = TORCH.zeros_like(logarithm)
    is_long = texts.candidate_lengths >= max_ngram_order
    of_orders = [ngrams_of(texts, order) for order in range(1, max_ngram_order + 1)]
    means = expected_clipped_matches(of_orders)
    for order, (ngrams, mean) in enumerate(zip(of_orders, means, strict=True), 1):
        # What BLEU's smoothing "exp" counts where this and all longer n-grams match nowhere.
        floor = 0.5 ** (max_ngram_order + 1 - order)
        total = ngrams.totals.clamp(min=1).to(logarithm.dtype).log()
        logarithm = logarithm + _logarithm_of_matches(mean, ngrams, floor) - total
        floors = floors + math.log(floor) - total
    without_match = _no_match(of_orders[0]) * (floors / max_ngram_order).exp()
    score = (logarithm / max_ngram_order).exp() - without_match
    return TORCH.where(is_long, _brevity_penalty(texts) * score, 0.0)


def _logarithm_of_matches(mean: Tensor, ngrams: Ngrams, floor: float) -> Tensor:
    """Return a lower bound of the expected logarithm of max(floor, matches)."""
    lower = min(floor, HIGHEST_FLOOR)
    is_found = mean > 0
    divisor = TORCH.where(is_found, mean, 1.0)
    other = (mean + matches_variance(ngrams) / divisor).clamp(min=1.0)
    bound = math.log(lower) + mean / other * (other.log() - math.log(lower))
    return bound + math.log(floor / lower) * (1 - mean).clamp(min=0)


def matches_variance(ngrams: Ngrams) -> Tensor:
    """Return an upper bound of the variance of the number of clipped matches."""
    order = ngrams.tokens.shape[-1]
    found = ngrams.at_places()
    places = TORCH.arange(found.shape[1], device=found.device)
    variance = found.new_zeros(found.shape[0])
    for offset in range(order):
        at = ngrams.probabilities[:, offset : offset + found.shape[1], :, offset]
        # How many n-grams have the token at this place.
        place = places + offset
        last = ngrams.totals[:, None] - 1
        covering = TORCH.minimum(place, last) - (place - order + 1).clamp(min=0) + 1
        variance = variance + ((found * (1 - at)).sum(-1) * covering).sum(-1)
    return variance


def _no_match(words_of_references: Ngrams) -> Tensor:
    """Return the probability that no word of a candidate is in a reference: `[B]`."""
    words = words_of_references.at_places().sum(-1)
    return (1 - words).clamp(min=0).prod(-1)


def _brevity_penalty(texts: ExpectedTexts) -> Tensor:
    """Return BLEU's penalty, with the length of the closest reference, of two the shorter."""
    candidate, lengths = texts.candidate_lengths[:, None], texts.reference_lengths
    # The difference decides, then the length. A negative length is no reference.
    distance = (lengths - candidate).abs() * 2 + (lengths > candidate)
    distance = distance.masked_fill(lengths < 0, FAR)
    closest = lengths.gather(1, distance.argmin(1, keepdim=True)).clamp(min=0)
    ratio = closest.to(texts.words.dtype) / candidate.clamp(min=1)
    return (1 - ratio).clamp(max=0).exp()[:, 0]
