"""Clipped n-gram matches of tensors, by sorting: exact, and in memory linear in the tokens.

1. A token's rank is its place among the sorted tokens of its segment, hypothesis and references
   together; equal tokens have one rank, from 1. Rank 0 is no token.
2. The ranks of the N tokens from each place on, packed into one integer of 64 bits, are sorted. In
   this order the equal n-grams of each order up to N are neighbours.
3. Running sums say how often the n-grams of a run are in the hypothesis and in each reference.

Where N ranks need more than 64 bits, the rank of the first ones replaces them. No step depends on
the values of other segments, and none waits for the device.
"""

from __future__ import annotations

from bleuet.extras import optional
from bleuet.torch.token_tensors import is_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.torch.token_tensors import Tensor, TokenRows

TORCH = optional("torch")
BITS = 63
_HALF = 32
_LOW = (1 << _HALF) - 1


def sorted_matches(candidates: TokenRows, references: TokenRows, orders: int) -> Tensor:
    """Return the numbers of `clipped_matches`; orders are at most the width of both sides."""
    ranks = _ranks(candidates, references)
    n_references = references.lengths.shape[1]
    places = sum(one.shape[1] * one.shape[2] for one in ranks)
    bits, side_bits = places.bit_length(), n_references.bit_length()
    sides = _sides(ranks)
    lead, done = None, 0
    found: list[Tensor] = []
    while done < orders:
        room = (BITS - side_bits) // bits - (lead is not None)
        step = min(orders - done, room)
        keys = _packed(ranks, lead, range(done, done + step), bits)
        keys = (keys << side_bits) | sides
        ordered = keys.sort(dim=1).values
        side = ordered & ((1 << side_bits) - 1)
        through = [_sums(side, one) for one in range(1, n_references + 1)]
        for last in range(step - 1, -1, -1):
            found.append(_clipped(ordered >> (side_bits + bits * last), bits, through))
        done += step
        if done < orders:
            lead = TORCH.searchsorted(ordered, keys >> side_bits << side_bits) + 1
    return TORCH.stack(found, dim=1)


def _ranks(candidates: TokenRows, references: TokenRows) -> tuple[Tensor, Tensor]:
    """Return the rank of each token among those of its segment, from 1, and 0 for no token."""
    sides = candidates, references
    ids = TORCH.cat([rows.ids.flatten(1) for rows in sides], dim=1)
    ranks = TORCH.searchsorted(ids.sort(dim=1).values, ids) + 1
    split = ranks.split([rows.ids.shape[1] * rows.ids.shape[2] for rows in sides], dim=1)
    ours, theirs = (
        TORCH.where(is_before(rows.lengths, rows.ids.shape[2]), part.view(rows.ids.shape), 0)
        for rows, part in zip(sides, split, strict=True)
    )
    return ours, theirs


def _sides(ranks: tuple[Tensor, Tensor]) -> Tensor:
    """Return 0 for each place of the candidate, and the number of the reference for its places."""
    ours, theirs = ranks
    numbers = TORCH.arange(theirs.shape[1] + 1, device=ours.device)
    return TORCH.cat(
        [
            numbers[:1].expand(ours.shape[2]),
            numbers[1:].unsqueeze(1).expand(theirs.shape[1:]).flatten(),
        ]
    )


def _packed(ranks: tuple[Tensor, Tensor], lead: Tensor | None, offsets: range, bits: int) -> Tensor:
    """Return the ranks at offsets from each place as one number, after that of the lead."""
    keys = lead
    for offset in offsets:
        parts = [_ahead(one, offset).flatten(1) for one in ranks]
        digit = TORCH.cat(parts, dim=1)
        keys = digit if keys is None else (keys << bits) | digit
    return keys


def _ahead(ranks: Tensor, offset: int) -> Tensor:
    """Return the rank that follows each place at an offset, 0 behind the end."""
    width = ranks.shape[-1]
    return TORCH.nn.functional.pad(ranks[..., offset:], (0, min(offset, width)))


def _sums(side: Tensor, reference: int) -> tuple[Tensor, Tensor]:
    """Return how many places up to each are the candidate's, and the reference's: both in one."""
    one = (side == 0).to(TORCH.int64) + ((side == reference).to(TORCH.int64) << _HALF)
    through = one.cumsum(dim=1)
    return through, through - one


def _clipped(prefixes: Tensor, bits: int, through: list[tuple[Tensor, Tensor]]) -> Tensor:
    """Return the clipped matches of the n-grams whose sorted keys these are."""
    is_ngram = (prefixes & ((1 << bits) - 1)) != 0
    differs = prefixes[:, 1:] != prefixes[:, :-1]
    is_first = TORCH.nn.functional.pad(differs, (1, 0), value=True)
    is_last = TORCH.nn.functional.pad(differs, (0, 1), value=True)
    most = TORCH.zeros_like(prefixes)
    for up_to, before in through:
        # The sums never fall, so the highest one before a run is the one where it begins.
        counts = up_to - TORCH.where(is_first, before, 0).cummax(dim=1).values
        most = TORCH.maximum(most, counts >> _HALF)
        ours = counts & _LOW
    return TORCH.where(is_last & is_ngram, TORCH.minimum(ours, most), 0).sum(dim=1)
