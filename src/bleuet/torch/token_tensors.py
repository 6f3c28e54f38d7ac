"""Tensors of token ids: validated, and moved so that the tokens of each row come first."""

from __future__ import annotations

from typing import NamedTuple

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.messages import shown, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Tensor: TypeAlias = Any  # torch.Tensor

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


def token_rows(
    name: str, ids: Tensor, lengths: Tensor | None, padding: int | None, dimensions: tuple[int, ...]
) -> TokenRows:
    """Return the tokens of a tensor without padding.

    Args:
        name: the name of the argument.
        ids: token ids `[B, L]` or `[B, R, L]`.
        lengths: how many ids of each row are tokens or padding, `[B]` or `[B, R]`; a negative
            length is a text that is not there.
        padding: the id that is not a token, wherever it is in a row.
        dimensions: the numbers of dimensions that `ids` can have.

    Raises:
        InputTypeError: an argument is not a tensor of integers.
        InputError: the shapes do not fit.
    """
    _check_padding(padding)
    _check(name, ids, lengths, dimensions)
    if ids.ndim == 2:
        ids = ids.unsqueeze(1)
        lengths = None if lengths is None else lengths.unsqueeze(1)
    ids, width = ids.to(TORCH.int64), ids.shape[-1]
    if lengths is None:
        lengths = ids.new_full(ids.shape[:-1], width)
    else:
        lengths = lengths.to(TORCH.int64).clamp(-1, width)
    rows = TokenRows(ids, lengths)
    return rows if padding is None else without(rows, ids == padding)


def read_segments(
    candidates: Tensor,
    references: Tensor,
    padding: int | None,
    candidate_lengths: Tensor | None,
    reference_lengths: Tensor | None,
) -> tuple[TokenRows, TokenRows]:
    """Return the candidates and the references of as many segments.

    Arguments are those of `bleu_statistics`.

    Raises:
        InputTypeError: an argument has the wrong type.
        InputError: the shapes or the devices do not fit.
    """
    ours = token_rows("candidates", candidates, candidate_lengths, padding, (2,))
    theirs = read_references(references, reference_lengths, padding, ours.ids.device)
    if ours.ids.shape[0] != theirs.ids.shape[0]:
        raise InputError(
            f"there are {ours.ids.shape[0]} candidates but references of {theirs.ids.shape[0]} "
            "segments; expected as many: repeat the references of candidates that share them"
        )
    return TokenRows(ours.ids, ours.lengths.clamp(min=0)), theirs


def read_references(
    references: Tensor, lengths: Tensor | None, padding: int | None, device: Any
) -> TokenRows:
    """Return references, at least one of each segment, which are on the device of the candidates.

    Args:
        references: token ids `[B, L]` or `[B, R, L]`.
        lengths: as of `token_rows`.
        padding: as there.
        device: the device of the candidates.

    Raises:
        InputError: they are somewhere else, or there is none.
    """
    theirs = token_rows("references", references, lengths, padding, (2, 3))
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
    places = TORCH.where(is_token, is_token.cumsum(-1) - 1, width)
    moved = ids.new_zeros((*ids.shape[:-1], width + 1)).scatter(-1, places, ids)
    kept = TORCH.where(lengths < 0, lengths, is_token.sum(-1))
    return TokenRows(moved[..., :width], kept)


def is_before(lengths: Tensor, width: int) -> Tensor:
    """Return for each place of rows of a width whether it is before the row's length."""
    return TORCH.arange(width, device=lengths.device) < lengths.unsqueeze(-1)


def _check_padding(padding: object) -> None:
    """Raise if padding is neither None nor an integer of 64 bits."""
    whole = isinstance(padding, int) and not isinstance(padding, bool)
    if padding is not None and not (whole and -_LIMIT <= padding < _LIMIT):  # type: ignore[operator]
        raise wrong_type("padding", "an integer of 64 bits or None", padding)


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
