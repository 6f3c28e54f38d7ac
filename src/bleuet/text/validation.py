"""Validation of texts: they become lists, and invalid ones are rejected in one sentence."""

from __future__ import annotations

from itertools import chain

from bleuet.errors import InputError, InputTypeError
from bleuet.messages import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Sized
    from typing import Any, NoReturn

    References = Any  # a str, or a list or tuple of str and None; of Tokens and None for token ids

_TEXT: set[type] = {str}
_TEXT_OR_ABSENT: set[type] = {str, type(None)}
_SEVERAL: set[type] = {list, tuple}
# More names of columns are no help.
_MOST_COLUMNS = 8


def check_hypotheses(hypotheses: Iterable[str], name: str = "hypotheses") -> list[str]:
    """Validate the hypotheses of one system, or other texts of which each segment has one.

    Args:
        hypotheses: one string for each segment.
        name: what they are, for messages.

    Returns:
        The same list, or a new one if it was not a list.

    Raises:
        InputTypeError: it is a bare string or has no order, or an element is not a string.

    >>> check_hypotheses(word for word in ("a", "b"))
    ['a', 'b']
    """
    texts = listed(hypotheses, name, "a list of strings, one for each segment")
    _check_texts(texts, name, _TEXT)
    return texts


def check_references(references: Iterable[str | Iterable[str | None]]) -> list[References]:
    """Validate references.

    Args:
        references: for each segment a string, or a list of strings and None.

    Returns:
        The same list, or a new one if it was not a list; every entry is a str, list or tuple.

    Raises:
        InputTypeError: it is a bare string or has no order, or an element is not a string.
        InputError: there is no segment, or a segment has no reference.

    >>> check_references(["a", ("b", None)])
    ['a', ('b', None)]
    """
    entries = listed(references, "references", "a list with one entry for each hypothesis")
    if not entries:
        reject_empty()
    kinds = set(map(type, entries))
    if kinds <= _TEXT:
        return entries
    if kinds <= _SEVERAL and flat_kinds(entries) <= _TEXT_OR_ABSENT:
        for index, entry in enumerate(entries):
            if entry.count(None) == len(entry):
                reject_segment(index)
        return entries
    if not kinds <= _TEXT | _SEVERAL:
        entries = [_alternatives(entry, index) for index, entry in enumerate(entries)]
    for index, entry in enumerate(entries):
        if not isinstance(entry, str):
            _check_alternatives(entry, index)
    return entries


def check_lengths(hypotheses: Sized, references: Sized) -> None:
    """Reject references that are more or fewer than the hypotheses.

    Args:
        hypotheses: one entry for each segment.
        references: one entry for each segment; only their number is read if it is right.

    Raises:
        InputError: the lengths differ, or both are zero; the message says whether the references
            seem to be in sacreBLEU's transposed layout, and how to transpose them.

    >>> check_lengths(["a", "b"], [["c", "d"]])
    Traceback (most recent call last):
        ...
    bleuet.errors.InputError: 2 hypotheses but references in sacreBLEU's layout (1 stream of \
2); expected references[i] to belong to hypotheses[i]: use Corpus.from_sacrebleu(hypotheses, \
references), or transpose them with [list(refs) for refs in zip(*references)]
    """
    hypothesis_count, reference_count = len(hypotheses), len(references)
    if hypothesis_count != reference_count:
        entries = references if isinstance(references, list) else []
        raise InputError(_length_advice(hypothesis_count, reference_count, entries))
    if not hypothesis_count:
        reject_empty()


def count_references(references: list[References]) -> int | None:
    """Return the number of references of each segment, without absent ones.

    Args:
        references: as `check_references` or `check_token_references` returns them.

    Returns:
        The number; None if segments differ.

    >>> count_references([["a", None], "b"]), count_references([["a", "b"], "c"])
    (1, None)
    """
    kinds = set(map(type, references))
    if kinds <= _TEXT:
        return 1
    if kinds <= _SEVERAL and type(None) not in flat_kinds(references):
        counts = set(map(len, references))
    else:
        counts = {
            1 if isinstance(entry, str) else sum(text is not None for text in entry)
            for entry in references
        }
    return counts.pop() if len(counts) == 1 else None


def _length_advice(expected: int, count: int, references: list[Any]) -> str:
    hypotheses = plural(expected, "hypothesis", "hypotheses")
    shape = _shape(references)
    if shape == {expected} and expected:
        streams = plural(count, "stream")
        return (
            f"{hypotheses} but references in sacreBLEU's layout ({streams} of {expected}); "
            "expected references[i] to belong to hypotheses[i]: use "
            "Corpus.from_sacrebleu(hypotheses, references), or transpose them with "
            "[list(refs) for refs in zip(*references)]"
        )
    found = f"{hypotheses} but {plural(count, 'reference')}"
    if expected == 1 and set(map(type, references)) <= _TEXT and references:
        return f"{found}; several references of one hypothesis are a list inside the list: [[...]]"
    if shape and len(shape) == 1:
        found += f" (each a list of {shape.pop()})"
    return (
        f"{found}; expected one entry of references for each hypothesis: check that both are "
        "of the same test set and that no line is missing"
    )


def _shape(references: Sequence[Any]) -> set[int]:
    """Return the lengths of the entries if all are lists of texts or of lists."""
    for entry in references:
        if isinstance(entry, (str, bytes)) or not hasattr(type(entry), "__len__"):
            return set()
        if len(entry) and isinstance(entry[0], int):
            return set()
    return set(map(len, references))


def check_streams(streams: Iterable[Iterable[str | None]], expected: int) -> list[list[Any]]:
    """Validate sacreBLEU's layout: `streams[k][i]` is the k-th reference of segment i, or None.

    Args:
        streams: the streams.
        expected: how many segments each has.

    Returns:
        Every stream as a list.

    Raises:
        InputTypeError: an argument, or an element of one, has the wrong type.
        InputError: there is no stream, or a stream's length differs.

    >>> check_streams([("a", "c"), ["d", None]], 2)
    [['a', 'c'], ['d', None]]
    """
    wanted = "a list of streams, where streams[k][i] is the k-th reference of segment i"
    columns = listed(streams, "streams", wanted)
    if not columns:
        raise InputError(f"streams is empty; expected {wanted}: pass at least one stream")
    per_segment = len(columns) == expected
    for number, stream in enumerate(columns):
        if isinstance(stream, str):
            raise InputTypeError(
                f"streams[{number}] is a string; expected {wanted}: for one reference per "
                "segment use Corpus(hypotheses, references)"
            )
    columns = [
        listed(stream, f"streams[{number}]", "one reference or None for each hypothesis")
        for number, stream in enumerate(columns)
    ]
    for number, stream in enumerate(columns):
        if len(stream) != expected:
            raise InputError(_stream_advice(number, len(stream), expected, per_segment))
        _check_texts(stream, f"streams[{number}]", _TEXT_OR_ABSENT)
    return columns


def _stream_advice(number: int, length: int, expected: int, per_segment: bool) -> str:
    found = (
        f"{plural(expected, 'hypothesis', 'hypotheses')} but streams[{number}] has "
        f"{plural(length, 'reference')}"
    )
    if per_segment:
        return (
            f"{found}; these seem to be the references of each segment, not sacreBLEU's "
            "streams: use Corpus(hypotheses, references)"
        )
    return f"{found}; every stream needs one reference, or None, for each hypothesis"


def _check_alternatives(entry: Sequence[Any], index: int) -> None:
    kinds = set(map(type, entry))
    if not kinds <= _TEXT:
        _check_texts(entry, f"references[{index}]", _TEXT_OR_ABSENT)
    if not kinds or kinds == {type(None)}:
        reject_segment(index)


def reject_empty() -> NoReturn:
    """Reject a corpus without segments."""
    raise InputError(
        "no segments to score, as the list is empty; expected at least one: pass a hypothesis "
        "and its reference"
    )


def reject_segment(index: int) -> NoReturn:
    """Reject a segment, by its number, that has no reference."""
    raise InputError(
        f"references[{index}] has no reference; expected at least one for each segment: add "
        "one ('' is a reference of length 0), or remove the segment from both sides"
    )


def _alternatives(entry: Any, index: int) -> Any:
    if entry is None:
        reject_segment(index)
    if isinstance(entry, (str, list, tuple)):
        return entry
    name, expected = f"references[{index}]", "a string or a list of strings"
    if isinstance(entry, (bytes, bytearray)) or not hasattr(type(entry), "__iter__"):
        raise InputTypeError(
            f"{name} is {kind_of(entry)}; expected {expected}: {_text_advice(entry)}"
        )
    return listed(entry, name, expected)


def _check_texts(values: Sequence[Any], name: str, allowed: set[type]) -> None:
    if set(map(type, values)) <= allowed:
        return
    for index, value in enumerate(values):
        if not isinstance(value, str) and type(value) not in allowed:
            raise InputTypeError(
                f"{name}[{index}] is {kind_of(value)}; expected a string: {_text_advice(value)}"
            )


def _text_advice(value: object) -> str:
    if value is None:
        return "write '' for an empty text, or remove the segment from both sides"
    if isinstance(value, (bytes, bytearray)):
        return "decode it, for example with .decode('utf-8')"
    if isinstance(value, (list, tuple)):
        return "join its tokens with ' '.join(tokens), or use Corpus.from_token_ids for integers"
    if isinstance(value, float):
        return "a missing text of a data frame is a float: fill these with '' or drop the rows"
    if type(value).__name__ in ("NAType", "NaTType"):
        return "it is a missing text of a data frame: fill these with '' or drop the rows"
    return "convert it with str()"


def listed(values: Any, name: str, expected: str) -> list[Any]:
    """Return values as a list, those of arrays as plain objects. Arguments as `iterated`."""
    if type(values) is list:
        return values
    if hasattr(values, "tolist") and not isinstance(values, (memoryview, type)):
        # Plain objects compare and hash faster than the scalars of arrays and data frames.
        values = values.tolist()
        if isinstance(values, list):
            return values
    return iterated(values, name, expected)


def iterated(values: Any, name: str, expected: str) -> list[Any]:
    """Return the elements of an iterable as a list; a list itself is returned as it is.

    Args:
        values: the iterable.
        name: the name of the argument, for messages.
        expected: what the argument should be, for messages.

    Raises:
        InputTypeError: it is a bare string, has no order, or cannot be iterated.
    """
    if isinstance(values, list):
        return values
    if isinstance(values, str):
        raise InputTypeError(
            f"{name} is a bare string; expected {expected}: wrap it in a list, [text]"
        )
    if isinstance(values, (bytes, bytearray)):
        raise InputTypeError(
            f"{name} is {kind_of(values)}; expected {expected}: decode it and wrap it in a list, "
            "[text.decode()]"
        )
    has_columns = hasattr(values, "columns") or hasattr(values, "column_names")
    if has_columns and not isinstance(values, type):
        raise InputTypeError(
            f"{name} is {kind_of(values)}, which has columns; expected {expected}: pass one "
            f"column, as in {_column_advice(values)}"
        )
    if is_unordered(values):
        raise InputTypeError(
            f"{name} is {kind_of(values)}, which has no order; expected {expected}: make a list "
            "of its texts in the order of the segments"
        )
    if hasattr(values, "to_pylist") and not isinstance(values, type):
        # The elements of Arrow's arrays are not strings.
        values = values.to_pylist()
    try:
        iterator = iter(values)
    except TypeError:
        fix = "pass a list"
        if hasattr(values, "__fspath__"):
            fix = "read the file first with bleuet.text.lines.read_lines(path)"
        raise InputTypeError(f"{name} is {kind_of(values)}; expected {expected}: {fix}") from None
    return list(iterator)


def _column_advice(frame: Any) -> str:
    """Return how to take a column of a data frame, a table or a data set, with its real names.

    >>> from types import SimpleNamespace
    >>> _column_advice(SimpleNamespace(columns=["hyp", "ref"]))
    "frame['hyp'] (its columns are hyp, ref)"
    """
    # The columns of an Arrow table are arrays, and those of data frames are names.
    columns: Any = getattr(frame, "column_names", None) or getattr(frame, "columns", ())
    names = [str(column) for column in columns][:_MOST_COLUMNS]
    return f"frame[{names[0]!r}] (its columns are {', '.join(names)})" if names else "frame['text']"


def is_unordered(values: object) -> bool:
    """Return whether a collection has no order of its elements."""
    from collections.abc import Mapping

    return isinstance(values, (set, frozenset, Mapping))


def flat_kinds(values: list[Any]) -> set[type]:
    """Return the types of the elements of some sequences."""
    return set(map(type, chain.from_iterable(values)))


def kind_of(value: object) -> str:
    """Return the name of the type of a value with its article.

    >>> kind_of(3), kind_of(None), kind_of("")
    ('an int', 'None', 'a str')
    """
    if value is None:
        return "None"
    name = type(value).__name__
    return name if name == "bytes" else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
