# mypy: disable-error-code="no-untyped-def, name-defined, untyped-decorator"
"""Clipped n-gram matches on a GPU: the method of `ngram_matches` as one Triton kernel.

One program counts one segment and keeps it in registers: it reads each token once, and writes one
number per order. Triton's interpreter (`TRITON_INTERPRET=1`) runs it on a CPU.
"""

from __future__ import annotations

from bleuet.extras import optional
from bleuet.torch.ngram_matches import BITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.torch.token_tensors import Tensor, TokenRows

triton = optional("triton")
tl = optional("triton.language")

# Places of a segment that one program can hold.
MOST_PLACES = 4096
PLACES_OF_WARP = 128
FEWEST_PLACES = 16


def fits_kernel(candidates: TokenRows, references: TokenRows, orders: int) -> bool:
    """Return whether one program can hold a segment, and a number of 64 bits an n-gram."""
    size = _size(candidates.ids, references.ids)
    bits = orders * size.bit_length() + references.ids.shape[1].bit_length()
    return size <= MOST_PLACES and bits <= BITS


def kernel_matches(candidates: TokenRows, references: TokenRows, orders: int) -> Tensor:
    """Return the same numbers as `sorted_matches`, for segments that fit."""
    ids, lengths, reference_ids, reference_lengths = (
        one.contiguous() for one in (*candidates, *references)
    )
    size = _size(ids, reference_ids)
    matches = lengths.new_empty((ids.shape[0], orders))
    _count[(ids.shape[0],)](
        ids,
        lengths,
        reference_ids,
        reference_lengths,
        matches,
        ids.shape[2],
        reference_ids.shape[2],
        REFERENCES=reference_ids.shape[1],
        ORDERS=orders,
        SIZE=size,
        HALVINGS=size.bit_length() - 1,
        BITS=size.bit_length(),
        SIDE_BITS=reference_ids.shape[1].bit_length(),
        num_warps=max(1, size // PLACES_OF_WARP),
    )
    return matches


def _size(ids: Tensor, reference_ids: Tensor) -> int:
    """Return the places that a program has, a power of 2."""
    places: int = ids.shape[2] + reference_ids.shape[1] * reference_ids.shape[2]
    return max(FEWEST_PLACES, 1 << (places - 1).bit_length())


@triton.jit
def _larger(one, other):
    return tl.maximum(one, other)


# Other widths are the same kernel.
@triton.jit(do_not_specialize=["width", "reference_width"])
def _count(
    ids,
    lengths,
    reference_ids,
    reference_lengths,
    matches,
    width,
    reference_width,
    REFERENCES: tl.constexpr,  # noqa: N803 - constants of the kernel
    ORDERS: tl.constexpr,  # noqa: N803
    SIZE: tl.constexpr,  # noqa: N803
    HALVINGS: tl.constexpr,  # noqa: N803
    BITS: tl.constexpr,  # noqa: N803
    SIDE_BITS: tl.constexpr,  # noqa: N803
):
    segment = tl.program_id(0).to(tl.int64)
    place = tl.arange(0, SIZE)

    # The candidate, then its references one after the other: side 0, 1, ..., REFERENCES.
    is_ours = place < width
    behind = tl.where(is_ours, 0, place - width)
    side = tl.where(is_ours, 0, behind // reference_width + 1)
    is_theirs = (side > 0) & (side <= REFERENCES)
    reference = segment * REFERENCES + tl.where(is_theirs, side - 1, 0)
    index = tl.where(is_ours, place, behind % reference_width)
    length = tl.load(reference_lengths + reference, mask=is_theirs, other=0)
    length = tl.where(is_ours, tl.load(lengths + segment), length)
    is_token = index < length
    token = tl.load(ids + segment * width + index, mask=is_token & is_ours, other=0)
    token += tl.load(
        reference_ids + reference * reference_width + index, mask=is_token & is_theirs, other=0
    )

    # The rank of a token is the first place among the sorted tokens that is not less.
    ordered = tl.sort(token)
    rank = tl.zeros_like(place)
    for halving in tl.static_range(HALVINGS):
        step = SIZE >> (halving + 1)
        rank = tl.where(tl.gather(ordered, rank + (step - 1), 0) < token, rank + step, rank)
    rank = tl.where(is_token, rank + 1, 0).to(tl.int64)

    key = rank
    for offset in tl.static_range(1, ORDERS):
        ahead = tl.gather(rank, tl.minimum(place + offset, SIZE - 1), 0)
        key = (key << BITS) | tl.where(index + offset < length, ahead, 0)
    key = tl.sort((key << SIDE_BITS) | tl.where(is_token, side, 0).to(tl.int64))
    side = key & ((1 << SIDE_BITS) - 1)

    for order in tl.static_range(1, ORDERS + 1):
        prefix = key >> (SIDE_BITS + BITS * (ORDERS - order))
        is_ngram = (prefix & ((1 << BITS) - 1)) != 0
        before = tl.gather(prefix, tl.maximum(place - 1, 0), 0)
        after = tl.gather(prefix, tl.minimum(place + 1, SIZE - 1), 0)
        is_first = (place == 0) | (before != prefix)
        is_last = (place == SIZE - 1) | (after != prefix)
        ours = tl.zeros_like(key)
        most = tl.zeros_like(key)
        for number in range(1, REFERENCES + 1):
            one = (side == 0).to(tl.int64) + ((side == number).to(tl.int64) << 32)
            through = tl.cumsum(one, 0)
            begin = tl.associative_scan(tl.where(is_first, through - one, 0), 0, _larger)
            counts = through - begin
            ours = counts & 0xFFFFFFFF
            most = tl.maximum(most, counts >> 32)
        clipped = tl.where(is_last & is_ngram, tl.minimum(ours, most), 0)
        tl.store(matches + segment * ORDERS + (order - 1), tl.sum(clipped))
