"""Tensors of token ids: validated, and moved so that the tokens of each row come first."""

from __future__ import annotations

from typing import NamedTuple

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.messages import shown, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    Tensor: TypeAlias = Any  # torch.Tensor
    Ids: TypeAlias = int | Sequence[int] | None

TORCH = optional("torch")
_INTEGERS = frozenset(
    getattr(TORCH, name)
    for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
)
_LIMIT = 2**63


class TokenRows(NamedTuple):
    """The texts of each segment, as token ids.

    Attributes:
        ids: int64 `[B, R, L]`, R texts for each of B segments; what follows the tokens of a text
            has no meaning.
        lengths: int64 `[B, R]`, the tokens of each text; -1 where there is no text.
    """

    ids: Tensor
    lengths: Tensor


class Marks(NamedTuple):
    """Ids that are no tokens: those that count nowhere, and those with which a text ends."""

    padding: tuple[int, ...]
    end: tuple[int, ...]


def marks(padding: Ids, end: Ids) -> Marks:
    """Return the ids that are no tokens.

    Raises:
        InputTypeError: an id is not an integer of 64 bits.
    """
    return Marks(_ids("padding", padding), _ids("end", end))


def token_rows(
    name: str, ids: Tensor, lengths: Tensor | None, ignored: Marks, dimensions: tuple[int, ...]
) -> TokenRows:
    """Return the tokens of a tensor without padding.

    Args:
        name: the name of the argument.
        ids: token ids `[B, L]` or `[B, R, L]`.
        lengths: how many ids of each row are tokens or padding, `[B]` or `[B, R]`; a negative
            length is a text that is not there.
        ignored: the ids that are not tokens.
        dimensions: the numbers of dimensions that `ids` can have.

    Raises:
        InputTypeError: an argument is not a tensor of integers.
        InputError: the shapes do not fit.
    """
    _check(name, ids, lengths, dimensions)
    if ids.ndim == 2:
        ids = ids.unsqueeze(1)
        lengths = None if lengths is None else lengths.unsqueeze(1)
    ids, width = ids.to(TORCH.int64), ids.shape[-1]
    if lengths is None:
        lengths = ids.new_full(ids.shape[:-1], width)
    else:
        lengths = lengths.to(TORCH.int64).clamp(-1, width)
    is_padding = _is_one_of(ids, ignored.padding) if ignored.padding else None
    if ignored.end:
        lengths = TORCH.minimum(lengths, _first_end(ids, ignored, is_padding))
    rows = TokenRows(ids, lengths)
    return rows if is_padding is None else without(rows, is_padding)


def read_segments(
    candidates: Tensor,
    references: Tensor,
    ignored: Marks,
    candidate_lengths: Tensor | None,
    reference_lengths: Tensor | None,
) -> tuple[TokenRows, TokenRows]:
    """Return the candidates and the references of as many segments.

    Arguments are those of `bleu_statistics`; `ignored` has the ids that are not tokens.

    Raises:
        InputTypeError: an argument has the wrong type.
        InputError: the shapes or the devices do not fit.
    """
    ours = token_rows("candidates", candidates, candidate_lengths, ignored, (2,))
    theirs = read_references(references, reference_lengths, ignored, ours.ids.device)
    if ours.ids.shape[0] != theirs.ids.shape[0]:
        raise InputError(
            f"there are {ours.ids.shape[0]} candidates but references of {theirs.ids.shape[0]} "
            "segments; expected as many: repeat the references of candidates that share them"
        )
    return TokenRows(ours.ids, ours.lengths.clamp(min=0)), theirs


def read_references(
    references: Tensor, lengths: Tensor | None, ignored: Marks, device: Any
) -> TokenRows:
    """Return references, at least one of each segment, which are on the device of the candidates.

    Args:
        references: token ids `[B, L]` or `[B, R, L]`.
        lengths: as of `token_rows`.
        ignored: as there.
        device: the device of the candidates.

    Raises:
        InputError: they are somewhere else, or there is none.
    """
    theirs = token_rows("references", references, lengths, ignored, (2, 3))
    if not theirs.ids.shape[1]:
        raise InputError(
            "references has no reference for a segment; expected at least one, of shape [B, R, L]"
        )
    if references.device != device:
        raise InputError(
            f"references is on the device {references.device}, but the candidates are on {device}; "
            "move one of them"
        )
    return theirs


def without(rows: TokenRows, is_dropped: Tensor) -> TokenRows:
    """Return rows without some of their ids; the others move to the front."""
    ids, lengths = rows
    width = ids.shape[-1]
    is_token = is_before(lengths, width) & ~is_dropped
    # What is not a token goes to one place behind all others, which is cut off.
    places = is_token.cumsum(-1).sub_(1).masked_fill_(~is_token, width)
    moved = ids.new_zeros((*ids.shape[:-1], width + 1)).scatter(-1, places, ids)
    kept = TORCH.where(lengths < 0, lengths, is_token.sum(-1))
    return TokenRows(moved[..., :width], kept)


def is_before(lengths: Tensor, width: int) -> Tensor:
    """Return for each place of rows of a width whether it is before the row's length."""
    return TORCH.arange(width, device=lengths.device) < lengths.unsqueeze(-1)


def _is_one_of(ids: Tensor, several: tuple[int, ...]) -> Tensor:
    found = ids == several[0]
    for one in several[1:]:
        found = found | (ids == one)
    return found


def _first_end(ids: Tensor, ignored: Marks, is_padding: Tensor | None) -> Tensor:
    """Return the place of the first id in each row with which a text ends, or the width."""
    width = ids.shape[-1]
    places = TORCH.arange(width, dtype=TORCH.int32, device=ids.device)
    is_end = _is_one_of(ids, ignored.end)
    if is_padding is not None:
        # Models are often padded with the id that ends a text, also before the text.
        is_text = places > _first_place(~is_padding)[..., None]
        is_end = is_end & (~is_padding | is_text)
    return _first_place(is_end).to(TORCH.int64)


def _first_place(is_there: Tensor) -> Tensor:
    """Return the first place in each row that is true, or the width."""
    width = is_there.shape[-1]
    places = TORCH.arange(width + 1, dtype=TORCH.int32, device=is_there.device)
    # The place behind the row, for a row in which no place is true.
    padded = TORCH.nn.functional.pad(is_there, (0, 1), value=True)
    return TORCH.where(padded, places, width).amin(-1)


def _ids(name: str, value: Any) -> tuple[int, ...]:
    """Return an id, several or none as a tuple."""
    several = () if value is None else value if isinstance(value, list | tuple) else (value,)
    for one in several:
        whole = isinstance(one, int) and not isinstance(one, bool)
        if not (whole and -_LIMIT <= one < _LIMIT):
            raise wrong_type(name, "an integer of 64 bits, a list of them or None", value)
    return tuple(several)


def _check(name: str, ids: Any, lengths: Any, dimensions: tuple[int, ...]) -> None:
    for one, tensor in ((name, ids), (f"the lengths of {name}", lengths)):
        is_tensor = isinstance(tensor, TORCH.Tensor) and tensor.dtype in _INTEGERS
        if not is_tensor and (tensor is not None or one == name):
            raise wrong_type(one, "a tensor of integers", tensor)
    if ids.ndim not in dimensions:
        raise InputError(
            f"{name} has the shape {shown(tuple(ids.shape))}; expected a tensor of "
            f"{' or '.join(map(str, dimensions))} dimensions, whose last one holds the token ids"
        )
    if lengths is not None and lengths.shape != ids.shape[:-1]:
        raise InputError(
            f"the lengths of {name} have the shape {shown(tuple(lengths.shape))}; expected one "
            f"length for each row: {shown(tuple(ids.shape[:-1]))}"
        )
    if lengths is not None and lengths.device != ids.device:
        raise InputError(f"{name} and their lengths are on different devices; move one of them")
