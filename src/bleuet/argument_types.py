"""Types of arguments: public functions check what they get against their own annotations.

The annotations are texts that nothing evaluates, so that the modules behind them need no import.
"""

from __future__ import annotations

# The interpreter has loaded this module; `collections.abc`, its public name, would load a package.
from _collections_abc import Hashable, Mapping, Set

from bleuet.errors import OptionError
from bleuet.messages import shown, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def check_call(
    function: Callable[..., Any],
    args: Iterable[object],
    keywords: dict[str, object],
) -> None:
    """Check the types of the arguments of one call.

    Args:
        function: the function, whose annotations are read.
        args: its positional arguments.
        keywords: its other arguments.

    Raises:
        OptionError: a number, a text or a switch is of a wrong type.
        InputTypeError: another argument is.

    >>> def repeat(text, times): return text * times
    >>> repeat.__annotations__ = {"text": "str", "times": "int"}
    >>> check_call(repeat, ["ab"], {"times": "2"})
    Traceback (most recent call last):
        ...
    bleuet.errors.OptionError: times must be a whole number, not '2'
    """
    code, annotations = function.__code__, function.__annotations__
    names = code.co_varnames[: code.co_argcount]
    # The name after those of all arguments is that of *several.
    several = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :][:1]
    for place, value in enumerate(args):
        for name in names[place : place + 1] or several:
            _check(name, value, annotations.get(name, "Any"))
    check_values(keywords, annotations)


def check_values(values: dict[str, object], annotations: dict[str, str]) -> None:
    """Check the types of named values; errors as of `check_call`.

    Args:
        values: the values by their names.
        annotations: the type of each, by the same names.
    """
    for name, value in values.items():
        _check(name, value, annotations.get(name, "Any"))


def _check(name: str, value: object, annotation: str) -> None:
    if fits(value, annotation):
        return
    place, value, annotation = _misfit(name, value, annotation)
    wanted = _split(annotation, "|")
    words = " or ".join(dict.fromkeys(map(_words, wanted)))
    if "int" in wanted and type(value) is int:
        words = words.replace("a whole number", "a whole number of 64 bits")
    if place == name and _heads(wanted) <= {"int", "float", "bool", "str", "Literal", "None"}:
        raise OptionError(f"must be {words}, not {shown(value)}", option=name, value=value)
    raise wrong_type(place, words, value)


def _heads(annotations: Iterable[str]) -> set[str]:
    return {one.partition("[")[0] for one in annotations}


def _misfit(place: str, value: Any, annotation: str) -> tuple[str, object, str]:
    """Return where in an argument the value is that does not fit, that value and its type.

    >>> _misfit("texts", {"a": ["x", 1]}, "Mapping[str, Sequence[str]]")
    ("texts['a'][1]", 1, 'str')
    """
    _, whole = ALIASES.get(annotation.partition("[")[0], ("", annotation))
    kinds = [one for one in _split(whole, "|") if _fits_one(value, one.partition("[")[0])]
    parts = _split(kinds[0].partition("[")[2][:-1], ",") if len(kinds) == 1 else [""]
    if parts == [""] or isinstance(value, str):
        return place, value, annotation
    if isinstance(value, Mapping):
        for key, element in value.items():
            if not fits(key, parts[0]):
                return f"a key of {place}", key, parts[0]
            if not fits(element, parts[-1]):
                return _misfit(f"{place}[{shown(key)}]", element, parts[-1])
    listed = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(listed, (list, tuple)) and (len(parts) == 1 or parts[1] == "..."):
        for number, element in enumerate(listed):
            if not fits(element, parts[0]):
                return _misfit(f"{place}[{number}]", element, parts[0])
    return place, value, annotation


def fits(value: object, annotation: str) -> bool:
    """Return whether a value is of a type that an annotation names.

    The elements of lists, tuples and dictionaries are checked too.

    >>> fits(["a"], "Sequence[str] | None"), fits([1], "Sequence[str] | None"), fits(True, "int")
    (True, False, False)
    """
    return any(_fits_one(value, one) for one in _split(annotation, "|"))


def _fits_one(value: Any, annotation: str) -> bool:
    head, bracket, rest = annotation.partition("[")
    head = head.rpartition(".")[2]
    if head in ANYTHING:
        return True
    if head in ALIASES:
        return fits(value, ALIASES[head][1])
    if head not in KINDS:
        return any(kind.__name__ == head for kind in type(value).__mro__)
    if not KINDS[head][1](value):
        return False
    parts = _split(rest[:-1], ",") if bracket else []
    if not parts or head == "Callable":
        return True
    if isinstance(value, dict):
        return _all_fit(value, parts[0]) and _all_fit(value.values(), parts[-1])
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        # What can be iterated once only is read by the function alone.
        return True
    if head == "tuple" and parts[-1] not in ("", "..."):
        return len(value) == len(parts) and all(map(fits, value, parts))
    return _all_fit(value, parts[0])


def _all_fit(values: Iterable[object], annotation: str) -> bool:
    if "[" not in annotation:
        # One of each type is enough, and a list of texts may be long.
        values = {type(value): value for value in values}.values()
    return all(fits(value, annotation) for value in values)


def _split(text: str, mark: str) -> list[str]:
    """Split at the marks outside of brackets.

    >>> _split("dict[str, int | None] | None", "|")
    ['dict[str, int | None]', 'None']
    """
    parts, depth = [""], 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if character == mark and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _words(annotation: str) -> str:
    """Return a type in words.

    >>> _words("Sequence[str | Metric[Any]]"), _words("int"), _words("tuple[str, Metric[Any], int]")
    ('a list of str or Metric', 'a whole number', 'a tuple of str, Metric and int')
    """
    head, _, rest = annotation.partition("[")
    head = head.rpartition(".")[2]
    if head in ALIASES:
        return ALIASES[head][0]
    words = KINDS[head][0] if head in KINDS else f"a {head}"
    if words != "a list":
        return words
    parts = _split(rest[:-1], ",")
    if head == "tuple" and parts[-1] not in ("", "..."):
        *first, last = [part.partition("[")[0] for part in parts]
        return f"a tuple of {', '.join(first)} and {last}" if first else f"a tuple of one {last}"
    elements = _split(_split(rest[:-1], ",")[0], "|")
    named = [one.partition("[")[0] for one in elements if one and one not in ANYTHING]
    return f"a list of {' or '.join(named)}" if named else words


def _is_switch(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")


def _is_whole(value: Any) -> bool:
    kind = type(value)
    whole = hasattr(kind, "__index__") and not (hasattr(kind, "__len__") or _is_switch(value))
    # Nothing here has more than 64 bits; floats cannot hold all larger numbers.
    return whole and abs(int(value)) < 2**64


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or _is_whole(value) or type(value).__name__.startswith("float")


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_list(value: Any) -> bool:
    unlike = (str, bytes, bytearray, Set, Mapping, type)
    ordered = hasattr(type(value), "__iter__") and not isinstance(value, unlike)
    return ordered and not hasattr(value, "columns")


# By the name of a type: its name in messages, and whether a value is of it.
KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "bool": ("True or False", _is_switch),
    "int": ("a whole number", _is_whole),
    "float": ("a number", _is_number),
    "str": ("a text", lambda value: isinstance(value, str)),
    # The function that takes a few texts names them in its message.
    "Literal": ("a text", lambda value: isinstance(value, str)),
    "None": ("None", lambda value: value is None),
    "Mapping": ("a dictionary", _is_mapping),
    "dict": ("a dictionary", _is_mapping),
    "Hashable": ("a name", lambda value: isinstance(value, Hashable)),
    "Callable": ("a function", callable),
    "PathLike": ("a path", lambda value: hasattr(value, "__fspath__")),
    **dict.fromkeys(("Sequence", "Iterable", "Collection", "list", "tuple"), ("a list", _is_list)),
}
# Names of annotations that stand for texts, numbers of arrays or several types. The functions that
# use these check them.
ANYTHING = frozenset(
    ["Any", "object", "Hypotheses", "References", "Tokens", "ScoreT", "Floats", "Integers", "IO"]
).union(["Scores", "Segments", "PValues", "Batch", "Counted"])
# By the name of an annotation for a longer one: its words in messages, and what is checked of it.
ALIASES = {
    "Outputs": ("a dictionary from names of systems to lists of texts", "Mapping[str, Hypotheses]"),
    "Rows": ("a list of rows", "Iterable[Sequence]"),
    "Specification": ("a dictionary", "dict"),
    "Measure": ("a function", "Callable"),
}
