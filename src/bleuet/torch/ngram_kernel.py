# mypy: disable-error-code="no-untyped-def, name-defined, untyped-decorator"
"""Clipped n-gram matches on a GPU: a Triton kernel that compares places, without any memory.

An n-gram of the candidate counts if fewer of its kind come before it than one reference has. So
each place needs two numbers: equal n-grams before it, and equal ones in the reference with most of
them. One program finds these for some places of one candidate, and compares tiles of places
token by token. Triton's interpreter (`TRITON_INTERPRET=1`) runs it on a CPU.
"""

from __future__ import annotations

from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.torch.token_tensors import Tensor, TokenRows

TORCH = optional("torch")
triton = optional("triton")
tl = optional("triton.language")

# Places of the candidate and of the other text in a tile.
PLACES, STEP = 64, 16
# A tile counts each order in 8 bits of one number.
MOST_ORDERS, MOST_STEPS = 8, 255
ORDERS_OF_32_BITS = 4
# Above so many pairs of places in a segment, sorting does less work.
MOST_PAIRS = 1 << 21


def fits_kernel(candidates: TokenRows, references: TokenRows, orders: int) -> bool:
    """Return whether the kernel counts these orders and lengths, with less work than sorting."""
    width, _, reference_places = _places(candidates, references)
    longest = max(width, references.ids.shape[2])
    is_short = longest <= STEP * MOST_STEPS and width * (width + reference_places) <= MOST_PAIRS
    return orders <= MOST_ORDERS and is_short


def kernel_matches(candidates: TokenRows, references: TokenRows, orders: int) -> Tensor:
    """Return the same numbers as `sorted_matches`, for segments that fit."""
    ids, lengths, reference_ids, reference_lengths = (
        one.contiguous() for one in (*candidates, *references)
    )
    width, several, _ = _places(candidates, references)
    blocks = triton.cdiv(width, PLACES)
    matches = lengths.new_empty((ids.shape[0], blocks, orders))
    # Triton starts kernels on the current device.
    with TORCH.cuda.device_of(ids):
        _count[(ids.shape[0], blocks)](
            ids,
            lengths,
            reference_ids,
            reference_lengths,
            matches,
            width,
            reference_ids.shape[2],
            several,
            ORDERS=orders,
            LANES=triton.next_power_of_2(orders),
            IS_WIDE=orders > ORDERS_OF_32_BITS,
            PLACES=PLACES,
            STEP=STEP,
        )
    return matches.sum(dim=1)


def _places(candidates: TokenRows, references: TokenRows) -> tuple[int, int, int]:
    """Return the places of a candidate, its references, and the places of all of these."""
    several, width = references.ids.shape[1:]
    return candidates.ids.shape[2], several, several * width


@triton.jit
def _orders(
    ours,
    place,
    length,
    theirs,
    other,
    their_length,
    BEFORE: tl.constexpr,  # noqa: N803 - constants of the kernel, as below
    MASKED: tl.constexpr,  # noqa: N803
    ORDERS: tl.constexpr,  # noqa: N803
    IS_WIDE: tl.constexpr,  # noqa: N803
):
    """Return for each pair of places a byte of 1 for each order whose n-grams are equal."""
    equal = tl.zeros([place.shape[0], other.shape[0]], tl.int64 if IS_WIDE else tl.int32)
    same = equal == 0
    if MASKED and BEFORE:
        same = other[None, :] < place[:, None]
    for offset in tl.static_range(ORDERS):
        one = tl.load(ours + place + offset, mask=place + offset < length, other=0)
        is_there = other + offset < their_length
        two = tl.load(theirs + other + offset, mask=is_there, other=0)
        same = same & (one[:, None] == two[None, :])
        if MASKED:
            same = same & is_there[None, :]
        equal = tl.where(same, ((1 << (8 * (offset + 1))) - 1) // 255, equal)
    return equal


@triton.jit
def _counts(
    ours,
    place,
    length,
    theirs,
    unmasked,
    stop,
    their_length,
    BEFORE: tl.constexpr,  # noqa: N803
    ORDERS: tl.constexpr,  # noqa: N803
    LANES: tl.constexpr,  # noqa: N803
    IS_WIDE: tl.constexpr,  # noqa: N803
    STEP: tl.constexpr,  # noqa: N803
):
    """Return how many n-grams of each order of a text equal that of each place.

    All n-grams that begin before `unmasked` end in the text, and count.
    """
    step = tl.arange(0, STEP)
    found = tl.zeros([place.shape[0], STEP], tl.int64 if IS_WIDE else tl.int32)
    tail = tl.maximum(unmasked, 0) // STEP * STEP
    for start in range(0, tail, STEP):
        found += _orders(
            ours, place, length, theirs, start + step, their_length, BEFORE, False, ORDERS, IS_WIDE
        )
    for start in range(tail, stop, STEP):
        found += _orders(
            ours, place, length, theirs, start + step, their_length, BEFORE, True, ORDERS, IS_WIDE
        )
    lanes = (found[:, :, None] >> (8 * tl.arange(0, LANES))[None, None, :]) & 255
    return tl.sum(lanes.to(tl.int32), axis=1)


# Other shapes are the same kernel.
@triton.jit(do_not_specialize=["width", "reference_width", "several"])
def _count(
    ids,
    lengths,
    reference_ids,
    reference_lengths,
    matches,
    width,
    reference_width,
    several,
    ORDERS: tl.constexpr,  # noqa: N803
    LANES: tl.constexpr,  # noqa: N803
    IS_WIDE: tl.constexpr,  # noqa: N803
    PLACES: tl.constexpr,  # noqa: N803
    STEP: tl.constexpr,  # noqa: N803
):
    segment = tl.program_id(0).to(tl.int64)
    first = tl.program_id(1) * PLACES
    place = first + tl.arange(0, PLACES)
    ours = ids + segment * width
    length = tl.load(lengths + segment).to(tl.int32)
    is_used = first < length
    stop = tl.where(is_used, tl.minimum(length, first + PLACES), 0)
    unmasked = tl.where(is_used, tl.minimum(first, length - (ORDERS - 1)), 0)
    before = _counts(
        ours, place, length, ours, unmasked, stop, length, True, ORDERS, LANES, IS_WIDE, STEP
    )
    most = tl.zeros_like(before)
    for number in range(several):
        row = segment * several + number
        theirs = reference_ids + row * reference_width
        # Below 0 where the reference is not there.
        end = tl.load(reference_lengths + row).to(tl.int32)
        stop = tl.where(is_used, end, 0)
        unmasked = tl.minimum(stop, end - (ORDERS - 1))
        equal = _counts(
            ours, place, length, theirs, unmasked, stop, end, False, ORDERS, LANES, IS_WIDE, STEP
        )
        most = tl.maximum(most, equal)
    lane = tl.arange(0, LANES)
    is_ngram = place[:, None] + lane[None, :] < length
    counted = tl.sum(((before < most) & is_ngram).to(tl.int32), axis=0)
    row = segment * tl.num_programs(1) + tl.program_id(1)
    tl.store(matches + row * ORDERS + lane, counted.to(tl.int64), mask=lane < ORDERS)
