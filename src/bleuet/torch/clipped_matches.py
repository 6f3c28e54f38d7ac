"""Clipped n-gram matches as one operator, which compiled functions call with any shape."""

from __future__ import annotations

import os
from importlib.util import find_spec

from bleuet.extras import optional
from bleuet.torch.ngram_matches import sorted_matches
from bleuet.torch.token_tensors import TokenRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.torch.token_tensors import Tensor

TORCH = optional("torch")
# Triton comes with PyTorch for CUDA; its interpreter runs kernels on a CPU, for tests.
_HAS_TRITON = find_spec("triton") is not None
_IS_INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
# Sorting needs about 100 bytes for each place of a text; so many places are sorted at a time.
PLACES_IN_BLOCK = 1 << 18
_SCHEMA = (
    "(Tensor ids, Tensor lengths, Tensor reference_ids, Tensor reference_lengths, int orders)"
    " -> Tensor"
)


def clipped_matches(candidates: TokenRows, references: TokenRows, orders: int) -> Tensor:
    """Return how many n-grams of each candidate match, clipped as in BLEU.

    Args:
        candidates: B segments of one text.
        references: B segments of R texts, at least one.
        orders: the longest n-grams that count, at least 1.

    Returns:
        int64 `[B, orders]`. Source: Papineni et al. 2002, section 2.1.
    """
    return TORCH.ops.bleuet.clipped_matches(*candidates, *references, orders)


def _count(
    ids: Tensor, lengths: Tensor, reference_ids: Tensor, reference_lengths: Tensor, orders: int
) -> Tensor:
    candidates = TokenRows(ids, lengths)
    references = TokenRows(reference_ids, reference_lengths)
    used = min(orders, ids.shape[2], reference_ids.shape[2])
    if not (used and len(ids)):
        return lengths.new_zeros((len(ids), orders))
    matches = _counted(candidates, references, used)
    return TORCH.nn.functional.pad(matches, (0, orders - used)) if used < orders else matches


def _counted(candidates: TokenRows, references: TokenRows, orders: int) -> Tensor:
    """Return the matches; a Triton kernel counts them if it runs here and the segments fit."""
    if _HAS_TRITON and (candidates.ids.is_cuda or _IS_INTERPRETED):
        from bleuet.torch.ngram_kernel import fits_kernel, kernel_matches

        if fits_kernel(candidates, references, orders):
            return kernel_matches(candidates, references, orders)
    several, width = references.ids.shape[1:]
    places = candidates.ids.shape[2] + several * width
    step = max(1, PLACES_IN_BLOCK // places)
    blocks = [
        sorted_matches(_some(candidates, start, step), _some(references, start, step), orders)
        for start in range(0, len(candidates.ids), step)
    ]
    return blocks[0] if len(blocks) == 1 else TORCH.cat(blocks)


def _some(rows: TokenRows, start: int, number: int) -> TokenRows:
    return TokenRows(*(one[start : start + number] for one in rows))


def _shape(
    ids: Tensor, lengths: Tensor, reference_ids: Tensor, reference_lengths: Tensor, orders: int
) -> Tensor:
    return lengths.new_empty((ids.shape[0], orders))


TORCH.library.custom_op(
    "bleuet::clipped_matches", _count, mutates_args=(), schema=_SCHEMA
).register_fake(_shape)
