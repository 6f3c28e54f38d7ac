"""The corpus: hypotheses and, for each, its references, checked once and trusted from then on."""

from __future__ import annotations

from itertools import chain

from understudy.errors import InputError, InputTypeError
from understudy.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence, Sized
    from typing import Any, NoReturn

    Tokens = Any  # a list or tuple of int, or a contiguous one-dimensional buffer of integers
    References = Any  # a str, or a list or tuple of str and None; of Tokens and None for token ids

_TEXT: set[type] = {str}
_TEXT_OR_ABSENT: set[type] = {str, type(None)}
_SEVERAL: set[type] = {list, tuple}
_UNSET = -1
_VARIES = 0  # no segment of a corpus is without references
_LIMIT = 2**63
_INTEGER_FORMATS = frozenset("bBhHiIlLqQ")


class Corpus(Frozen):
    """Hypotheses and their references, one entry of each for every segment; never changed.

    `references[i]` belongs to `hypotheses[i]`. It is a string, or a list of strings when a segment
    has several references; None in such a list is an absent reference, '' a real one of length 0.
    Lists are kept, not copied; anything else that can be iterated becomes a list.

    With n hypotheses and n references of n strings each, this layout and sacreBLEU's cannot be
    told apart by their shape: such references are taken to be per segment, as everywhere here.

    Args:
        hypotheses: one string for each segment.
        references: for each segment a string, or a list of strings and None.

    Raises:
        InputTypeError: an argument, or an element of one, is of the wrong kind.
        InputError: the lengths differ, there is no segment, or a segment has no reference.

    >>> corpus = Corpus(["a cat", "a dog"], ["the cat", ["the dog", "a hound"]])
    >>> corpus
    Corpus(2 segments, varying numbers of references)
    >>> corpus[1:].references
    [['the dog', 'a hound']]
    """

    __slots__ = ("_n_references", "hypotheses", "references", "token_ids")

    hypotheses: list[Any]
    references: list[References]
    token_ids: bool
    _n_references: int

    def __init__(
        self, hypotheses: Iterable[str], references: Iterable[str | Iterable[str | None]]
    ) -> None:
        texts = check_hypotheses(hypotheses)
        given = _listed(references, "references", "a list with one entry for each hypothesis")
        check_lengths(texts, given)
        self._fill(texts, check_references(given), False)

    @classmethod
    def from_sacrebleu(
        cls, hypotheses: Iterable[str], streams: Iterable[Iterable[str | None]]
    ) -> Corpus:
        """Build a corpus from sacreBLEU's transposed layout.

        Args:
            hypotheses: one string for each segment.
            streams: `streams[k][i]` is the k-th reference of segment i, None where it is absent.

        Returns:
            The corpus, with its references per segment.

        Raises:
            InputTypeError: an argument, or an element of one, is of the wrong kind.
            InputError: a stream's length differs, or a segment has no reference.

        >>> Corpus.from_sacrebleu(["a", "b"], [["a", "c"], ["d", None]]).references
        [('a', 'd'), ('c', None)]
        """
        texts = check_hypotheses(hypotheses)
        columns = _check_streams(streams, len(texts))
        rows = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
        return cls.from_checked(texts, check_references(rows))

    @classmethod
    def from_token_ids(cls, hypotheses: Iterable[Tokens], references: Iterable[Any]) -> Corpus:
        """Build a corpus of integers, such as the token ids of a model's vocabulary.

        A sequence is a list or tuple of integers, an `array.array`, or a one-dimensional integer
        array or tensor. It is kept as it is when it is a list or tuple of int, or a contiguous
        buffer of integers, and becomes a list of int otherwise.

        Args:
            hypotheses: one sequence for each segment; an empty one is an empty hypothesis.
            references: for each segment one sequence, or a list of sequences and None.

        Returns:
            The corpus; each entry of its `references` is a list of sequences and None.

        Raises:
            InputTypeError: an argument, or an element of one, is of the wrong kind.
            InputError: the lengths differ, there is no segment, or a segment has no reference.

        >>> Corpus.from_token_ids([[5, 6], [7]], [[5, 8], [[7], [7, 9]]]).references
        [[[5, 8]], [[7], [7, 9]]]
        """
        ids = check_token_hypotheses(hypotheses)
        given = _iterated(references, "references", "sequences of integers for each segment")
        check_lengths(ids, given)
        return cls.from_checked(ids, check_token_references(given), token_ids=True)

    @classmethod
    def from_checked(
        cls, hypotheses: list[Any], references: list[References], token_ids: bool = False
    ) -> Corpus:
        """Build a corpus from parts that were checked already, without looking at them.

        Args:
            hypotheses: as `check_hypotheses` returns them.
            references: as `check_references` returns them, as many.
            token_ids: whether the segments are sequences of integers.

        Returns:
            The corpus.

        >>> Corpus.from_checked(["a"], ["b"])
        Corpus(1 segment, 1 reference each)
        """
        corpus = cls.__new__(cls)
        corpus._fill(hypotheses, references, token_ids)
        return corpus

    def with_hypotheses(self, hypotheses: Iterable[Any]) -> Corpus:
        """Pair another system's hypotheses with the same references, which are not checked again.

        Args:
            hypotheses: one string for each segment, or one sequence where this holds token ids.

        Returns:
            The other system's corpus; it shares this one's references.

        Raises:
            InputTypeError: the hypotheses, or one of them, are of the wrong kind.
            InputError: there are more or fewer of them than references.

        >>> Corpus(["a"], ["b"]).with_hypotheses(["c"]).hypotheses
        ['c']
        """
        check: Callable[[Iterable[Any]], list[Any]]
        check = check_token_hypotheses if self.token_ids else check_hypotheses
        checked = check(hypotheses)
        check_lengths(checked, self.references)
        return Corpus.from_checked(checked, self.references, self.token_ids)

    def select(self, rows: Iterable[int]) -> Corpus:
        """Take some segments, in the order asked for, with repetition if asked.

        Args:
            rows: segment numbers, from 0.

        Returns:
            The corpus of those segments.

        Raises:
            InputTypeError: a row is not an integer, as in a mask of true and false.
            InputError: no rows, or a row that does not exist.

        >>> Corpus(["a", "b", "c"], ["d", "e", "f"]).select([2, 0, 2]).hypotheses
        ['c', 'a', 'c']
        """
        chosen = [_check_row(row, len(self)) for row in rows]
        return self._part(
            [self.hypotheses[row] for row in chosen], [self.references[row] for row in chosen]
        )

    @property
    def n_references(self) -> int | None:
        """How many references each segment has, absent ones not counted; None if it varies.

        >>> Corpus(["a"], [["b", None, "c"]]).n_references
        2
        """
        if self._n_references == _UNSET:
            self._set(_n_references=count_references(self.references) or _VARIES)
        return self._n_references or None

    def _fill(self, hypotheses: list[Any], references: list[References], token_ids: bool) -> None:
        self._set(
            hypotheses=hypotheses,
            references=references,
            token_ids=token_ids,
            _n_references=_UNSET,
        )

    def _part(self, hypotheses: list[Any], references: list[References]) -> Corpus:
        if not hypotheses:
            raise InputError(
                f"no segments were chosen out of {len(self)}; a corpus needs at least one: "
                "choose a slice or rows that are not empty"
            )
        return Corpus.from_checked(hypotheses, references, self.token_ids)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def __getitem__(self, part: slice) -> Corpus:
        if not isinstance(part, slice):
            raise InputTypeError(
                f"a corpus is cut by slices, not by {_kind(part)}: write corpus[i:i + 1] or "
                "corpus.select([i]) for one segment"
            )
        return self._part(self.hypotheses[part], self.references[part])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return self._plain() == other._plain()

    # Lists inside make it unhashable; the class says so instead of hashing by identity.
    __hash__ = None  # type: ignore[assignment]

    def _plain(self) -> tuple[bool, list[Any], list[Any]]:
        if not self.token_ids:
            rows = [
                (entry,) if isinstance(entry, str) else tuple(entry) for entry in self.references
            ]
            return False, self.hypotheses, rows
        return (
            True,
            [list(tokens) for tokens in self.hypotheses],
            [[ids if ids is None else list(ids) for ids in entry] for entry in self.references],
        )

    def __repr__(self) -> str:
        segments = _counted(len(self), "segment", "segments")
        count = self.n_references
        references = (
            "varying numbers of references"
            if count is None
            else f"{_counted(count, 'reference', 'references')} each"
        )
        return f"Corpus({segments}{' of token ids' if self.token_ids else ''}, {references})"

    def __reduce__(self) -> tuple[Callable[..., Corpus], tuple[list[Any], list[Any], bool]]:
        return Corpus.from_checked, (self.hypotheses, self.references, self.token_ids)


def check_hypotheses(hypotheses: Iterable[str]) -> list[str]:
    """Check one system's hypotheses on their own.

    Args:
        hypotheses: one string for each segment.

    Returns:
        The same list, or a new one if it was not a list.

    Raises:
        InputTypeError: a bare string, an unordered collection, or an element that is no string.

    >>> check_hypotheses(word for word in ("a", "b"))
    ['a', 'b']
    """
    texts = _listed(hypotheses, "hypotheses", "a list of strings, one for each segment")
    _check_texts(texts, "hypotheses", _TEXT)
    return texts


def check_references(references: Iterable[str | Iterable[str | None]]) -> list[References]:
    """Check references on their own, to prepare them once for many systems.

    Args:
        references: for each segment a string, or a list of strings and None.

    Returns:
        The same list, or a new one if it was not a list; every entry is a str, list or tuple.

    Raises:
        InputTypeError: a bare string, an unordered collection, or an element that is no string.
        InputError: there is no segment, or a segment has no reference.

    >>> check_references(["a", ("b", None)])
    ['a', ('b', None)]
    """
    listed = _listed(references, "references", "a list with one entry for each hypothesis")
    if not listed:
        _refuse_nothing()
    kinds = set(map(type, listed))
    if kinds <= _TEXT:
        return listed
    if kinds <= _SEVERAL and _flat_kinds(listed) <= _TEXT_OR_ABSENT:
        for index, entry in enumerate(listed):
            if entry.count(None) == len(entry):
                _refuse_segment(index)
        return listed
    if not kinds <= _TEXT | _SEVERAL:
        listed = [_alternatives(entry, index) for index, entry in enumerate(listed)]
    for index, entry in enumerate(listed):
        if not isinstance(entry, str):
            _check_alternatives(entry, index)
    return listed


def check_token_hypotheses(hypotheses: Iterable[Tokens]) -> list[Tokens]:
    """Check one system's hypotheses of token ids on their own, as `Corpus.from_token_ids` does.

    Args:
        hypotheses: one sequence of integers for each segment.

    Returns:
        The same list, or a new one if something in it had to become a list of int.

    Raises:
        InputTypeError: the hypotheses, or one of them, are of the wrong kind.

    >>> check_token_hypotheses([[1, 2], range(3)])
    [[1, 2], [0, 1, 2]]
    """
    listed = _iterated(hypotheses, "hypotheses", "one sequence of integers for each segment")
    if _are_integer_lists(listed):
        return listed
    return [_check_tokens(tokens, f"hypotheses[{index}]") for index, tokens in enumerate(listed)]


def check_token_references(references: Iterable[Any]) -> list[References]:
    """Check references of token ids on their own, as `Corpus.from_token_ids` does.

    Args:
        references: for each segment one sequence of integers, or a list of sequences and None.

    Returns:
        For each segment a list of sequences and None.

    Raises:
        InputTypeError: the references, or one of them, are of the wrong kind.
        InputError: there is no segment, or a segment has no reference.

    >>> check_token_references([[1, 2], [[3], None]])
    [[[1, 2]], [[3], None]]
    """
    listed = _iterated(references, "references", "sequences of integers for each segment")
    if not listed:
        _refuse_nothing()
    if _are_integer_lists(listed) and all(listed):
        return [[tokens] for tokens in listed]
    return [_check_token_alternatives(entry, index) for index, entry in enumerate(listed)]


def check_lengths(hypotheses: Sized, references: Sized) -> None:
    """Refuse references that cannot belong to these hypotheses, segment by segment.

    Args:
        hypotheses: one entry for each segment.
        references: one entry for each segment; only their number is looked at while it fits.

    Raises:
        InputError: the lengths differ, or both are zero; the message says whether the references
            look like sacreBLEU's transposed layout, and how to turn them.

    >>> check_lengths(["a", "b"], [["c", "d"]])
    Traceback (most recent call last):
        ...
    understudy.errors.InputError: 2 hypotheses but references in sacreBLEU's layout (1 stream of \
2); expected references[i] to belong to hypotheses[i]: use Corpus.from_sacrebleu(hypotheses, \
references), or turn them with [list(refs) for refs in zip(*references)]
    """
    hypothesis_count, reference_count = len(hypotheses), len(references)
    if hypothesis_count != reference_count:
        entries = references if isinstance(references, list) else []
        raise InputError(_length_advice(hypothesis_count, reference_count, entries))
    if not hypothesis_count:
        _refuse_nothing()


def count_references(references: list[References]) -> int | None:
    """Count the references of a segment, absent ones left out.

    Args:
        references: as `check_references` returns them, or a token-id corpus's.

    Returns:
        How many each segment has; None if that varies.

    >>> count_references([["a", None], "b"]), count_references([["a", "b"], "c"])
    (1, None)
    """
    kinds = set(map(type, references))
    if kinds <= _TEXT:
        return 1
    if kinds <= _SEVERAL and type(None) not in _flat_kinds(references):
        counts = set(map(len, references))
    else:
        counts = {
            1 if isinstance(entry, str) else sum(text is not None for text in entry)
            for entry in references
        }
    return counts.pop() if len(counts) == 1 else None


def _length_advice(expected: int, count: int, references: list[Any]) -> str:
    hypotheses = _counted(expected, "hypothesis", "hypotheses")
    shape = _shape(references)
    if shape == {expected} and expected:
        streams = _counted(count, "stream", "streams")
        return (
            f"{hypotheses} but references in sacreBLEU's layout ({streams} of {expected}); "
            "expected references[i] to belong to hypotheses[i]: use "
            "Corpus.from_sacrebleu(hypotheses, references), or turn them with "
            "[list(refs) for refs in zip(*references)]"
        )
    found = f"{hypotheses} but {_counted(count, 'reference', 'references')}"
    if expected == 1 and set(map(type, references)) <= _TEXT and references:
        return f"{found}; several references of one hypothesis go in a list of their own: [[...]]"
    if shape and len(shape) == 1:
        found += f" (each a list of {shape.pop()})"
    return (
        f"{found}; expected one entry of references for each hypothesis: check that both come "
        "from the same test set and that neither lost a line"
    )


def _shape(references: Sequence[Any]) -> set[int]:
    """Collect the lengths of the entries if all are lists of texts or lists."""
    for entry in references:
        if isinstance(entry, (str, bytes)) or not hasattr(type(entry), "__len__"):
            return set()
        if len(entry) and isinstance(entry[0], int):
            return set()
    return set(map(len, references))


def _check_streams(streams: Iterable[Iterable[str | None]], expected: int) -> list[list[Any]]:
    wanted = "a list of streams, streams[k][i] being the k-th reference of segment i"
    columns = _listed(streams, "streams", wanted)
    if not columns:
        raise InputError(f"streams is empty; expected {wanted}: give at least one stream")
    per_segment = len(columns) == expected
    for number, stream in enumerate(columns):
        if isinstance(stream, str):
            raise InputTypeError(
                f"streams[{number}] is a string; expected {wanted}: for one reference per "
                "segment use Corpus(hypotheses, references)"
            )
    columns = [
        _listed(stream, f"streams[{number}]", "one reference or None for each hypothesis")
        for number, stream in enumerate(columns)
    ]
    for number, stream in enumerate(columns):
        if len(stream) != expected:
            raise InputError(_stream_advice(number, len(stream), expected, per_segment))
        _check_texts(stream, f"streams[{number}]", _TEXT_OR_ABSENT)
    return columns


def _stream_advice(number: int, length: int, expected: int, per_segment: bool) -> str:
    found = (
        f"{_counted(expected, 'hypothesis', 'hypotheses')} but streams[{number}] has "
        f"{_counted(length, 'reference', 'references')}"
    )
    if per_segment:
        return (
            f"{found}; these look like the references of each segment, not like sacreBLEU's "
            "streams: use Corpus(hypotheses, references)"
        )
    return f"{found}; every stream needs one reference, or None, for each hypothesis"


def _check_alternatives(entry: Sequence[Any], index: int) -> None:
    kinds = set(map(type, entry))
    if not kinds <= _TEXT:
        _check_texts(entry, f"references[{index}]", _TEXT_OR_ABSENT)
    if not kinds or kinds == {type(None)}:
        _refuse_segment(index)


def _refuse_nothing() -> NoReturn:
    raise InputError(
        "no segments to score, as the list is empty; expected at least one: give a hypothesis and "
        "its reference"
    )


def _refuse_segment(index: int) -> NoReturn:
    raise InputError(
        f"references[{index}] holds no reference; expected at least one for each segment: give "
        "one ('' is a reference of length 0), or leave the segment out on both sides"
    )


def _alternatives(entry: Any, index: int) -> Any:
    if entry is None:
        _refuse_segment(index)
    if isinstance(entry, (str, list, tuple)):
        return entry
    return _listed(entry, f"references[{index}]", "a string or a list of strings")


def _check_texts(values: Sequence[Any], name: str, allowed: set[type]) -> None:
    if set(map(type, values)) <= allowed:
        return
    for index, value in enumerate(values):
        if not isinstance(value, str) and type(value) not in allowed:
            raise InputTypeError(
                f"{name}[{index}] is {_kind(value)}; expected a string: {_text_advice(value)}"
            )


def _text_advice(value: object) -> str:
    if value is None:
        return "write '' for an empty text, or leave the segment out on both sides"
    if isinstance(value, (bytes, bytearray)):
        return "decode it, for example with .decode('utf-8')"
    if isinstance(value, (list, tuple)):
        return "join its tokens with ' '.join(tokens), or use Corpus.from_token_ids for integers"
    if isinstance(value, float):
        return "tables hold missing texts as a float, so fill them with '' or drop those rows"
    return "convert it with str()"


def _listed(values: Any, name: str, expected: str) -> list[Any]:
    if type(values) is list:
        return values
    if hasattr(values, "tolist") and not isinstance(values, (memoryview, type)):
        # Arrays and table columns: plain objects compare and hash faster than their scalars.
        values = values.tolist()
    return _iterated(values, name, expected)


def _iterated(values: Any, name: str, expected: str) -> list[Any]:
    if isinstance(values, list):
        return values
    if isinstance(values, (str, bytes, bytearray)):
        kind = "a bare string" if isinstance(values, str) else _kind(values)
        raise InputTypeError(f"{name} is {kind}; expected {expected}: wrap it in a list, [text]")
    if _is_unordered(values):
        raise InputTypeError(
            f"{name} is {_kind(values)}, which has no order; expected {expected}: make a list of "
            "its texts in the order of the segments"
        )
    try:
        iterator = iter(values)
    except TypeError:
        mend = "give a list"
        if hasattr(values, "__fspath__"):
            mend = "read the file first with understudy.text.lines.read_lines(path)"
        raise InputTypeError(f"{name} is {_kind(values)}; expected {expected}: {mend}") from None
    return list(iterator)


def _is_unordered(values: object) -> bool:
    from collections.abc import Mapping

    return isinstance(values, (set, frozenset, Mapping))


def _are_integer_lists(values: list[Any]) -> bool:
    """Whether these need no closer look: lists of integers of 64 bits."""
    if not (set(map(type, values)) <= _SEVERAL and _flat_kinds(values) <= {int}):
        return False
    lowest = min(chain.from_iterable(values), default=0)
    return lowest >= -_LIMIT and max(chain.from_iterable(values), default=0) < _LIMIT


def _flat_kinds(values: list[Any]) -> set[type]:
    return set(map(type, chain.from_iterable(values)))


def _check_token_alternatives(entry: Any, index: int) -> list[Any]:
    """Check one segment's references and make them a list of token sequences and None."""
    name = f"references[{index}]"
    if entry is None:
        _refuse_segment(index)
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
            _refuse_segment(index)
        return [_check_tokens(entry, name)]
    return [
        None if tokens is None else _check_tokens(tokens, f"{name}[{number}]")
        for number, tokens in enumerate(entry)
    ]


def _check_tokens(tokens: Any, name: str) -> Tokens:
    if isinstance(tokens, (list, tuple)):
        whole = set(map(type, tokens)) <= {int}
        return _in_64_bits(tokens if whole else _integers(tokens, name), name)
    if isinstance(tokens, (str, bytes, bytearray)) or _is_unordered(tokens):
        _refuse_tokens(tokens, name)
    try:
        view = memoryview(tokens)
    except (TypeError, ValueError, BufferError):
        return _iterated_tokens(tokens, name)
    if view.ndim != 1 or view.format.lstrip("@=<>") not in _INTEGER_FORMATS:
        _refuse_tokens(tokens, name)
    usable = view.format[0] != ">" and view.c_contiguous and view.format[-1] not in "LQ"
    return tokens if usable else _in_64_bits(tokens.tolist(), name)


def _iterated_tokens(tokens: Any, name: str) -> Sequence[int]:
    if hasattr(tokens, "tolist"):
        tokens = tokens.tolist()
    try:
        ids = list(tokens)
    except TypeError:
        _refuse_tokens(tokens, name)
    return _in_64_bits(_integers(ids, name), name)


def _in_64_bits(tokens: Sequence[int], name: str) -> Sequence[int]:
    if tokens and not (min(tokens) >= -_LIMIT and max(tokens) < _LIMIT):
        wrong = next(token for token in tokens if not -_LIMIT <= token < _LIMIT)
        raise InputError(
            f"{name} holds the token id {wrong}; expected one of 64 bits: number the vocabulary "
            "from 0"
        )
    return tokens


def _integers(tokens: Sequence[Any], name: str) -> list[int]:
    for index, token in enumerate(tokens):
        # Arrays of one element have an index too, and are no token.
        whole = hasattr(type(token), "__index__") and not hasattr(type(token), "__len__")
        if not whole or isinstance(token, bool):
            raise InputTypeError(
                f"{name}[{index}] is {_kind(token)}; expected an integer: give the ids of the "
                "tokens, or strings to Corpus(hypotheses, references)"
            )
    return [int(token) for token in tokens]


def _refuse_tokens(tokens: object, name: str) -> NoReturn:
    raise InputTypeError(
        f"{name} is {_kind(tokens)}; expected a one-dimensional sequence of integers: give one "
        "list of ids for each segment, or strings to Corpus(hypotheses, references)"
    )


def _check_row(row: Any, count: int) -> int:
    if isinstance(row, bool) or not hasattr(type(row), "__index__") or "bool" in type(row).__name__:
        raise InputTypeError(
            f"select was given {_kind(row)}; expected segment numbers: turn a mask into numbers "
            "with [i for i, chosen in enumerate(mask) if chosen]"
        )
    number = int(row)
    if not -count <= number < count:
        raise InputError(
            f"row {number} does not exist; expected segment numbers from 0 to {count - 1}: choose "
            "rows of this corpus"
        )
    return number


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _kind(value: object) -> str:
    """Name a value's type with its article, as a sentence needs it.

    >>> _kind(3), _kind(None), _kind("")
    ('an int', 'None', 'a str')
    """
    if value is None:
        return "None"
    name = type(value).__name__
    return name if name == "bytes" else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
