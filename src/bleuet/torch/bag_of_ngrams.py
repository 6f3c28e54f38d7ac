"""The difference between the n-grams that a model expects to write and those of a reference."""

from __future__ import annotations

from bleuet.extras import optional
from bleuet.torch.expected_matches import check_order, ngrams_of, read_texts
from bleuet.torch.token_tensors import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.torch.token_tensors import Ids, Tensor

TORCH = optional("torch")


def bag_of_ngrams_loss(
    probabilities: Tensor,
    references: Tensor,
    order: int = 2,
    *,
    padding: Ids = None,
    end: Ids = None,
    candidate_lengths: Tensor | None = None,
    reference_lengths: Tensor | None = None,
) -> Tensor:
    """Return how far the expected bags of n-grams are from those of the references, 0 to 1.

    Each n-gram has an expected count in the candidate, the sum over places of the product of its
    tokens' probabilities, and a count in the reference. The sum of the absolute differences over
    all n-grams that exist needs only those of the reference: it is the number of n-grams of both
    texts, less twice the sum of the smaller counts. The loss is that divided by the number of
    n-grams of both (Shao et al. 2020, Minimizing the Bag-of-Ngrams Difference for
    Non-Autoregressive Neural Machine Translation; they divide by twice the number of n-grams, as
    both texts have the same length there), and its mean over the sentences.

    Args:
        probabilities: `[B, L, V]`, the distribution of each token of a candidate. The tokens are
            independent of each other, as those of a non-autoregressive model.
        references: `[B, W]`, the ids of each reference.
        order: the n of the n-grams; 2 is the paper's best.
        padding: an id, or several, that is not a token of a reference.
        end: an id, or several, with which a reference ends; it and what follows is not a token.
        candidate_lengths: `[B]`, the number of tokens of each candidate; default L.
        reference_lengths: `[B]`, the number of words of each reference, instead of `padding`.

    Returns:
        A scalar. A sentence where both texts are shorter than `order` has the difference 0.

    Raises:
        InputTypeError: an argument has the wrong type.
        InputError: the shapes do not fit, or the probabilities of a place do not add up to 1, as
            logits do not. On a GPU only the first call checks that, since it waits.
        OptionError: there is no such order.

    >>> import torch
    >>> probabilities = torch.tensor([[[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]])
    >>> bag_of_ngrams_loss(probabilities, torch.tensor([[0, 1, 2]])).item()
    0.5
    """
    check_order("order", order)
    texts = read_texts(
        probabilities,
        references,
        marks(padding, end),
        candidate_lengths,
        reference_lengths,
        dimensions=(2,),
    )
    ngrams = ngrams_of(texts, order)
    expected = ngrams.at_places().sum(1)
    shared = TORCH.minimum(expected, ngrams.counts.to(expected.dtype)).sum(-1)
    total = ngrams.totals + ngrams.counts.sum(-1)
    return ((total - 2 * shared) / total.clamp(min=1)).mean()
