"""sacreBLEU's layout of references, transposed, and the errors for wrong layouts."""

from __future__ import annotations

from bleuet.errors import InputError, InputTypeError
from bleuet.messages import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

STREAMS = "a list of streams, references[k][i] being the k-th reference of segment i"
_PLAIN: set[type] = {str, type(None)}


def per_segment(streams: Any) -> list[Any]:
    """Return the references of each segment from streams of references.

    Args:
        streams: `streams[k][i]` is the k-th reference of segment i, None if it is absent.

    Returns:
        For each segment a string if there is one stream, else a tuple of strings and None.

    Raises:
        InputTypeError: `streams` is not a list of streams of strings.
        InputError: streams differ in length or are empty, or a segment has no reference.

    >>> per_segment([["a", "b"], ["c", None]])
    [('a', 'c'), ('b', None)]
    """
    columns = [_stream(k, stream) for k, stream in enumerate(_streams(streams))]
    if not columns:
        raise InputError(f"references is empty; expected {STREAMS}: pass at least one stream")
    for k, column in enumerate(columns):
        if len(column) != len(columns[0]):
            raise InputError(
                f"references[0] has {plural(len(columns[0]), 'segment')} but "
                f"references[{k}] has {len(column):,}; every stream needs one reference, or None, "
                "for each hypothesis"
            )
    rows: list[Any] = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    _check_present(rows, columns)
    return rows


def check_length(hypotheses: Sequence[str], rows: Sequence[Any], streams: Any = None) -> None:
    """Check that there are as many hypotheses as references; sacreBLEU silently drops the rest.

    Args:
        hypotheses: one string for each segment.
        rows: the references, per segment.
        streams: the references as the caller passed them, to recognise one not transposed.

    Raises:
        InputError: the numbers differ, or there is no segment.

    >>> check_length(["a"], ["b"])
    """
    if len(hypotheses) != len(rows):
        ours = plural(len(hypotheses), "hypothesis", "hypotheses")
        theirs = plural(len(rows), "reference")
        found = f"{ours} but {theirs} in each stream"
        if streams is not None and len(streams) == len(hypotheses):
            raise InputError(
                f"{found}; these look like the references of each segment, but sacreBLEU's layout "
                "is transposed: pass list(zip(*references)), or use bleuet.BLEU, which takes "
                "references per segment"
            )
        raise InputError(
            f"{found}; expected {STREAMS}: check that both come from the same test set and that no "
            "line is missing"
        )
    if not hypotheses:
        raise InputError(
            "there is no segment to score; pass at least one hypothesis and its reference"
        )


def check_sentence(hypothesis: Any, references: Any) -> list[str | None]:
    """Return the references of one hypothesis as a list.

    Raises:
        InputTypeError: the hypothesis is not a string, or `references` not a list of strings.
        InputError: there is no reference.

    >>> check_sentence("a", ("b", None))
    ['b', None]
    """
    if not isinstance(hypothesis, str):
        raise InputTypeError(f"the hypothesis is {_kind(hypothesis)}; expected a string")
    wanted = "a list of strings, one for each reference of the hypothesis"
    if isinstance(references, str):
        raise InputTypeError(f"references is a string; expected {wanted}: wrap it in a list")
    listed = _listed(references, "references", wanted)
    for k, reference in enumerate(listed):
        if reference is not None and not isinstance(reference, str):
            raise InputTypeError(
                f"references[{k}] is {_kind(reference)}; expected {wanted}, None where absent"
            )
    if listed.count(None) == len(listed):
        raise InputError("the hypothesis has no reference; pass at least one ('' is an empty one)")
    return listed


def _streams(streams: Any) -> list[Any]:
    if isinstance(streams, str):
        raise InputTypeError(f"references is a string; expected {STREAMS}: wrap it, [[text]]")
    return _listed(streams, "references", STREAMS)


def _stream(k: int, stream: Any) -> list[Any]:
    if isinstance(stream, str):
        raise InputTypeError(
            f"references[{k}] is a string; expected {STREAMS}: wrap a single stream, [references]"
        )
    column = _listed(stream, f"references[{k}]", STREAMS)
    if not set(map(type, column)) <= _PLAIN:
        for i, text in enumerate(column):
            if text is not None and not isinstance(text, str):
                raise InputTypeError(
                    f"references[{k}][{i}] is {_kind(text)}; expected a string, or None if absent, "
                    f"in {STREAMS}"
                )
    return column


def _check_present(rows: Sequence[Any], columns: Sequence[Sequence[Any]]) -> None:
    if not all(None in column for column in columns):
        return
    for i, row in enumerate(rows):
        if row is None or (not isinstance(row, str) and row.count(None) == len(row)):
            raise InputError(
                f"segment {i} has no reference, as every stream has None there; pass one ('' is an "
                "empty one), or remove the segment on both sides"
            )


def _listed(values: Any, name: str, wanted: str) -> list[Any]:
    if type(values) is list:
        return values
    if hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, (bytes, dict, set, frozenset)) or not hasattr(values, "__iter__"):
        raise InputTypeError(f"{name} is {_kind(values)}; expected {wanted}")
    return list(values)


def _kind(value: object) -> str:
    return "None" if value is None else f"of the type {type(value).__name__}"
