"""Segments of integers, such as the token ids of a vocabulary: they are validated once."""

from __future__ import annotations

from itertools import chain

from bleuet.errors import InputError, InputTypeError
from bleuet.text.validation import (
    flat_kinds,
    is_unordered,
    iterated,
    kind_of,
    reject_empty,
    reject_segment,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

    from bleuet.text.validation import References

    Tokens = Any  # a list or tuple of int, or a contiguous one-dimensional buffer of integers

_SEVERAL: set[type] = {list, tuple}
_LIMIT = 2**63
_INTEGER_FORMATS = frozenset("bBhHiIlLqQ")


def check_token_hypotheses(hypotheses: Iterable[Tokens]) -> list[Tokens]:
    """Validate the token ids of the hypotheses of one system.

    Args:
        hypotheses: one sequence of integers for each segment.

    Returns:
        The same list, or a new one if an element becomes a list of int.

    Raises:
        InputTypeError: the hypotheses, or one of them, have the wrong type.

    >>> check_token_hypotheses([[1, 2], range(3)])
    [[1, 2], [0, 1, 2]]
    """
    listed = iterated(hypotheses, "hypotheses", "one sequence of integers for each segment")
    if _are_integer_lists(listed):
        return listed
    return [_check_tokens(tokens, f"hypotheses[{index}]") for index, tokens in enumerate(listed)]


def check_token_references(references: Iterable[Any]) -> list[References]:
    """Validate the token ids of references.

    Args:
        references: for each segment one sequence of integers, or a list of sequences and None.

    Returns:
        For each segment a list of sequences and None.

    Raises:
        InputTypeError: the references, or one of them, have the wrong type.
        InputError: there is no segment, or a segment has no reference.

    >>> check_token_references([[1, 2], [[3], None]])
    [[[1, 2]], [[3], None]]
    """
    listed = iterated(references, "references", "sequences of integers for each segment")
    if not listed:
        reject_empty()
    if _are_integer_lists(listed) and all(listed):
        return [[tokens] for tokens in listed]
    return [_check_token_alternatives(entry, index) for index, entry in enumerate(listed)]


def _are_integer_lists(values: list[Any]) -> bool:
    """Return whether these are lists of integers of 64 bits, which is quick to find out."""
    if not (set(map(type, values)) <= _SEVERAL and flat_kinds(values) <= {int}):
        return False
    lowest = min(chain.from_iterable(values), default=0)
    return lowest >= -_LIMIT and max(chain.from_iterable(values), default=0) < _LIMIT


def _check_token_alternatives(entry: Any, index: int) -> list[Any]:
    """Return the references of one segment as a list of token sequences and None."""
    name = f"references[{index}]"
    if entry is None:
        reject_segment(index)
    if not isinstance(entry, (list, tuple)):
        if getattr(entry, "ndim", 1) != 2:
            return [_check_tokens(entry, name)]
        entry = list(entry)
    if not entry:
        raise InputError(
            f"{name} is empty, which could mean no reference or one without tokens; expected a "
            "sequence of integers or a list of those: write [[]] for one reference without tokens"
        )
    if not any(hasattr(type(tokens), "__len__") for tokens in entry):
        if all(tokens is None for tokens in entry):
            reject_segment(index)
        return [_check_tokens(entry, name)]
    return [
        None if tokens is None else _check_tokens(tokens, f"{name}[{number}]")
        for number, tokens in enumerate(entry)
    ]


def _check_tokens(tokens: Any, name: str) -> Tokens:
    if isinstance(tokens, (list, tuple)):
        whole = set(map(type, tokens)) <= {int}
        return _in_64_bits(tokens if whole else _integers(tokens, name), name)
    if isinstance(tokens, (str, bytes, bytearray)) or is_unordered(tokens):
        _reject_tokens(tokens, name)
    try:
        view = memoryview(tokens)
    except (TypeError, ValueError, BufferError):
        return _iterated_tokens(tokens, name)
    if view.ndim != 1 or view.format.lstrip("@=<>") not in _INTEGER_FORMATS:
        _reject_tokens(tokens, name)
    usable = view.format[0] != ">" and view.c_contiguous and view.format[-1] not in "LQ"
    return tokens if usable else _in_64_bits(tokens.tolist(), name)


def _iterated_tokens(tokens: Any, name: str) -> Sequence[int]:
    if hasattr(tokens, "tolist"):
        tokens = tokens.tolist()
    try:
        ids = list(tokens)
    except TypeError:
        _reject_tokens(tokens, name)
    return _in_64_bits(_integers(ids, name), name)


def _in_64_bits(tokens: Sequence[int], name: str) -> Sequence[int]:
    if tokens and not (min(tokens) >= -_LIMIT and max(tokens) < _LIMIT):
        wrong = next(token for token in tokens if not -_LIMIT <= token < _LIMIT)
        raise InputError(
            f"{name} holds the token id {wrong}; expected an integer of 64 bits: number the "
            "vocabulary from 0"
        )
    return tokens


def _integers(tokens: Sequence[Any], name: str) -> list[int]:
    for index, token in enumerate(tokens):
        # Arrays of one element have an index too, but they are not tokens.
        whole = hasattr(type(token), "__index__") and not hasattr(type(token), "__len__")
        if not whole or isinstance(token, bool):
            raise InputTypeError(
                f"{name}[{index}] is {kind_of(token)}; expected an integer: pass the ids of the "
                "tokens, or pass strings to Corpus(hypotheses, references)"
            )
    return [int(token) for token in tokens]


def _reject_tokens(tokens: object, name: str) -> NoReturn:
    raise InputTypeError(
        f"{name} is {kind_of(tokens)}; expected a one-dimensional sequence of integers: pass one "
        "list of ids for each segment, or pass strings to Corpus(hypotheses, references)"
    )
