# mypy: disable-error-code="no-untyped-def, name-defined, untyped-decorator"
"""Clipped n-gram matches on a GPU: a Triton kernel that sorts a segment, as `sorted_matches` does.

One program has all places of one segment, candidate and references together, in its registers. It
reads each token once and writes one number for each order:

1. Ids are sorted, and a binary search finds the rank of each.
2. The ranks of the n-gram from each place on, packed into one integer of 64 bits, are sorted. In
   this order the equal n-grams of each order are neighbours, and form a run.
3. For each order, sums that begin anew with each run count what the run has of each text.

Where the ranks of an n-gram need more than 64 bits, the rank of its first tokens replaces them.
Triton's interpreter (`TRITON_INTERPRET=1`) runs the kernel on a CPU.
"""

from __future__ import annotations

from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.torch.token_tensors import Tensor, TokenRows

TORCH = optional("torch")
triton = optional("triton")
tl = optional("triton.language")

# A program holds the places of one segment, some in each thread.
MOST_PLACES, FEWEST_PLACES = 2048, 64
PLACES_OF_WARP, THREADS_OF_WARP = 256, 32
MOST_ORDERS = 8
# Bits of a key, which must not be negative.
KEY_BITS = 63
# A number of 32 bits has two counts of at most MOST_PLACES, and its sign marks the begin of a run.
COUNT_BITS = tl.constexpr(15)
LOW_COUNT = tl.constexpr((1 << 15) - 1)
BEGIN = tl.constexpr(-(1 << 31))


def fits_kernel(candidates: TokenRows, references: TokenRows, orders: int) -> bool:
    """Return whether the kernel counts these orders, and a program can hold a segment."""
    # Triton before 3.3 cannot gather.
    fits = orders <= MOST_ORDERS and _places(candidates, references) <= MOST_PLACES
    return fits and hasattr(tl, "gather")


def kernel_matches(candidates: TokenRows, references: TokenRows, orders: int) -> Tensor:
    """Return the same numbers as `sorted_matches`, for segments that fit."""
    ids, lengths, reference_ids, reference_lengths = (
        one.contiguous() for one in (*candidates, *references)
    )
    several, width = references.ids.shape[1:]
    matches = lengths.new_empty((ids.shape[0], orders))
    # Triton starts kernels on the current device.
    with TORCH.cuda.device_of(ids):
        _count[(ids.shape[0],)](
            ids,
            lengths,
            reference_ids,
            reference_lengths,
            matches,
            ids.shape[2],
            width,
            several,
            **constants(_places(candidates, references), several, orders),
        )
    return matches


def constants(places: int, several: int, orders: int) -> dict[str, int]:
    """Return the constants of the kernel for so many places and references of a segment."""
    room = max(triton.next_power_of_2(places), FEWEST_PLACES)
    rank_bits, side_bits = room.bit_length(), several.bit_length()
    warps = max(room // PLACES_OF_WARP, 1)
    return {
        "ORDERS": orders,
        "PLACES": room,
        "THREADS": warps * THREADS_OF_WARP,
        "RANK_BITS": rank_bits,
        "SIDE_BITS": side_bits,
        # Each key after the first begins with the rank of an n-gram.
        "RANKS": max(min((KEY_BITS - side_bits) // rank_bits, orders), 2),
        "num_warps": warps,
    }


def _places(candidates: TokenRows, references: TokenRows) -> int:
    several, width = references.ids.shape[1:]
    places: int = candidates.ids.shape[2] + several * width
    return places


@triton.jit
def _loaded(
    ids,
    lengths,
    reference_ids,
    reference_lengths,
    width,
    reference_width,
    several,
    PLACES: tl.constexpr,  # noqa: N803 - constants of the kernel, as below
):
    """Return the id at each place, the number of its text, and the tokens from there to its end.

    The candidate is text 0, and its references follow. Places without a token have any id.
    """
    segment = tl.program_id(0).to(tl.int64)
    place = tl.arange(0, PLACES)
    is_ours = place < width
    behind = tl.maximum(place - width, 0)
    number = behind // reference_width
    is_theirs = (place >= width) & (number < several)
    offset = tl.where(is_ours, place, behind % reference_width)
    row = segment * several + number
    length = tl.load(reference_lengths + row, mask=is_theirs, other=0)
    length = tl.where(is_ours, tl.load(lengths + segment), length)
    left = length.to(tl.int32) - offset
    ours = tl.load(ids + segment * width + offset, mask=is_ours & (left > 0), other=0)
    theirs = reference_ids + row * reference_width + offset
    tokens = ours + tl.load(theirs, mask=is_theirs & (left > 0), other=0)
    return tokens, tl.where(is_theirs, number + 1, 0), tl.maximum(left, 0)


@triton.jit
def _sorted(keys, THREADS: tl.constexpr):  # noqa: N803
    """Return sorted keys. Most steps compare neighbours, so that these begin in one thread."""
    places: tl.constexpr = keys.shape[0]
    columns = tl.trans(tl.reshape(keys, [places // THREADS, THREADS]))
    return tl.sort(tl.reshape(columns, [places]))


@triton.jit
def _rank(ordered, keys, RANK_BITS: tl.constexpr):  # noqa: N803
    """Return how many of the sorted keys are below each key, by binary search, and 1 more."""
    found = tl.zeros(keys.shape, tl.int32)
    for bit in tl.static_range(1, RANK_BITS):
        step = keys.shape[0] >> bit
        found += tl.where(tl.gather(ordered, found + (step - 1), 0) < keys, step, 0)
    return found + 1


@triton.jit
def _in_run(before, after):
    return tl.where(after < 0, after, before + after)


@triton.jit
def _sums_of_runs(one, THREADS: tl.constexpr):  # noqa: N803
    """Return sums of numbers through each place, from the place of the last negative one on.

    Each thread adds up its own places first.
    """
    rows: tl.constexpr = one.shape[0] // THREADS
    columns = tl.trans(tl.reshape(one, [THREADS, rows]))
    sums = tl.associative_scan(columns, 0, _in_run)
    is_last = tl.arange(0, rows)[:, None] == rows - 1
    through = tl.associative_scan(tl.sum(tl.where(is_last, sums, 0), axis=0), 0, _in_run)
    thread = tl.arange(0, THREADS)
    before = tl.gather(through, tl.maximum(thread - 1, 0), 0)
    before = tl.where(thread == 0, 0, before)
    return tl.reshape(tl.trans(_in_run(before[None, :], sums)), one.shape)


@triton.jit
def _clipped(side, is_first, is_counted, several, THREADS: tl.constexpr):  # noqa: N803
    """Return the clipped matches of runs: those that end at the places that are counted."""
    most = tl.zeros(side.shape, tl.int32)
    for number in range(1, several + 1):
        # Places of the candidate, and above them those of the reference.
        one = tl.where(side == 0, 1, tl.where(side == number, LOW_COUNT + 1, 0))
        counts = _sums_of_runs(tl.where(is_first, one | BEGIN, one), THREADS) & ~BEGIN
        most = tl.maximum(most, tl.minimum(counts & LOW_COUNT, counts >> COUNT_BITS))
    return tl.sum(tl.where(is_counted, most, 0), axis=0)


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
    PLACES: tl.constexpr,  # noqa: N803
    THREADS: tl.constexpr,  # noqa: N803
    RANK_BITS: tl.constexpr,  # noqa: N803
    SIDE_BITS: tl.constexpr,  # noqa: N803
    RANKS: tl.constexpr,  # noqa: N803
):
    tokens, side, left = _loaded(
        ids, lengths, reference_ids, reference_lengths, width, reference_width, several, PLACES
    )
    place = tl.arange(0, PLACES)
    # By the low 32 bits of ids, and then by 16 more at a time if an id needs them.
    keys = tokens.to(tl.int32)
    is_wide = tl.max((keys != tokens).to(tl.int32), axis=0)
    ranks = keys
    for part in range(1 + 2 * is_wide):
        ranks = _rank(_sorted(keys, THREADS), keys, RANK_BITS)
        keys = (ranks << 16) | ((tokens >> (32 + 16 * part)).to(tl.int32) & 0xFFFF)

    lead = tl.where(left > 0, ranks, 0)
    for start in tl.static_range(0, ORDERS - 1 if ORDERS > 1 else 1, RANKS - 1):
        keys = lead.to(tl.int64)
        for ahead in tl.static_range(start + 1, start + RANKS):
            rank = tl.gather(ranks, tl.minimum(place + ahead, PLACES - 1), 0)
            keys = (keys << RANK_BITS) | tl.where(left > ahead, rank, 0)
        keys <<= SIDE_BITS
        ordered = _sorted(keys | side, THREADS)
        if start + RANKS < ORDERS:
            lead = _rank(ordered, keys, RANK_BITS)
        keys = ordered >> SIDE_BITS
        sides = (ordered ^ (keys << SIDE_BITS)).to(tl.int32)
        # What differs from the key before, and from the key behind.
        begins = tl.where(place == 0, -1, keys ^ tl.gather(keys, tl.maximum(place - 1, 0), 0))
        ends = tl.gather(begins, tl.minimum(place + 1, PLACES - 1), 0)
        ends = tl.where(place == PLACES - 1, -1, ends)
        for order in tl.static_range(start + RANKS - 1, start - (start == 0), -1):
            if order < ORDERS:
                is_ngram = keys & (2 * PLACES - 1) != 0
                clipped = _clipped(sides, begins != 0, is_ngram & (ends != 0), several, THREADS)
                row = matches + tl.program_id(0).to(tl.int64) * ORDERS
                tl.store(row + order, clipped.to(tl.int64))
            keys, begins, ends = keys >> RANK_BITS, begins >> RANK_BITS, ends >> RANK_BITS
