"""Segments: what metrics count. Their kind is decided once, when they are made."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias

    # Bytes and the number of lines in them.
    Block: TypeAlias = tuple[bytes, int]
    # The first word of the source that goes, the word behind the last one, the type of the error,
    # and what comes in their place.
    Edit: TypeAlias = tuple[int, int, str, str]
    # The edits of each annotator, by the annotator's number.
    Annotations: TypeAlias = dict[int, list[Edit]]

TEXT = "text"
LINES = "lines"
ARROW = "arrow"
TOKEN_IDS = "token ids"
TOKENS = "tokens"
# The value of the option `tokenize` with which a metric counts token ids.
IDS = "ids"

# How many bytes say where a text of an array begins, by the type of the array.
_WIDTHS = {"string": 4, "large_string": 8, "string_view": 16}
# Below this distance the end of a line is searched line by line.
_NEAR_BYTES = 1 << 10


class Segments:
    """One side of a corpus: the hypotheses of a system, or the references.

    It behaves like the list of its segments. Its kind says what they are:

    - `TEXT`: strings. In references, an entry is a string, or a list of strings in which None is
      an absent reference; a `WithSource` is such a list.
    - `LINES`: lines of files in UTF-8, read as bytes; `of_lines` makes them. They are decoded only
      on use as a list. References have one file for each reference.
    - `ARROW`: texts of Arrow's arrays, read where they are; `of_arrow` makes them. In references
      each column has one for every segment. They are decoded only on use as a list.
    - `TOKEN_IDS`: sequences of integers. In references, an entry is a list of sequences and None.
    - `TOKENS`: text after tokenization, with white space between tokens; otherwise like `TEXT`.

    The constructor checks nothing. `hypotheses` and `references` validate what users pass.

    Args:
        kind: one of the above, but neither `LINES` nor `ARROW`.
        items: the segments.

    >>> Segments(TEXT, ["a", "b"])[1:]
    ['b']
    """

    __slots__ = ("_as_lines", "_items", "_length", "_n_references", "_system", "files", "kind")

    kind: str
    # The blocks of each file, of lines; or the chunks of each column.
    files: tuple[list[Any], ...]
    _as_lines: bool
    _items: list[Any] | None
    _length: int
    _n_references: int | None
    _system: str

    def __init__(self, kind: str, items: list[Any]) -> None:
        # Lines alone have a length of their own; what is not set here is found when it is read.
        self.kind = kind
        self._items = items
        self.files = ()

    @classmethod
    def of_lines(cls, *files: list[Block]) -> Segments:
        r"""Return the lines of a file, or as references of several files in parallel.

        Args:
            *files: for each file, pairs of bytes and the number of lines in them. The bytes are
                valid UTF-8. Every line ends with "\n", which is not part of it. All files have
                the same number of lines.

        >>> Segments.of_lines([(b"a\n\xc3\xa9\n", 2), (b"c\n", 1)]).tolist()
        ['a', 'é', 'c']
        >>> Segments.of_lines([(b"a\nb\n", 2)], [(b"c\nd\n", 2)]).tolist()
        [('a', 'c'), ('b', 'd')]
        """
        made = cls.__new__(cls)
        made.kind = LINES
        made._items = None
        made.files = files
        made._length = sum([lines for _, lines in files[0]])
        made._n_references = len(files)
        return made

    @classmethod
    def of_arrow(cls, *columns: Any) -> Segments:
        """Return the texts of an array of Arrow, or as references of several arrays.

        Args:
            *columns: arrays of type string, large_string or string_view, chunked or not, of the
                same length, without an absent value.
        """
        made = cls.__new__(cls)
        made.kind = ARROW
        made._items = None
        made.files = tuple([getattr(column, "chunks", [column]) for column in columns])
        made._length = len(columns[0])
        made._n_references = len(columns)
        return made

    @classmethod
    def hypotheses(cls, values: Iterable[Any], kind: str = TEXT) -> Segments:
        """Validate the hypotheses of one system.

        Args:
            values: one string for each segment, or one sequence of integers; segments stay as
                they are.
            kind: `TEXT` or `TOKEN_IDS`.

        Raises:
            InputTypeError: `values`, or one of them, has the wrong type.
        """
        if isinstance(values, Segments):
            return values
        if kind == TOKEN_IDS:
            from bleuet.text.token_ids import check_token_hypotheses

            return cls(kind, check_token_hypotheses(values))
        from bleuet.text.validation import check_hypotheses

        return cls(kind, check_hypotheses(values))

    @classmethod
    def references(cls, values: Iterable[Any], kind: str = TEXT) -> Segments:
        """Validate references.

        Args:
            values: for each segment one reference or a list of references, in which None is an
                absent one; segments stay as they are.
            kind: `TEXT` or `TOKEN_IDS`.

        Raises:
            InputTypeError: `values`, or one of them, has the wrong type.
            InputError: there is no segment, or a segment has no reference.
        """
        if isinstance(values, Segments):
            return values
        if kind == TOKEN_IDS:
            from bleuet.text.token_ids import check_token_references

            return cls(kind, check_token_references(values))
        if isinstance(values, list) and _are_sources_alone(values):
            return cls(kind, values)
        from bleuet.text.validation import check_references

        return cls(kind, check_references(values))

    @property
    def content(self) -> list[Any] | tuple[tuple[Any, ...], ...]:
        """What the counters of the kernel and of the Python backend read, depending on the kind."""
        if self.kind == LINES:
            return tuple(map(_bytes_of, self.files))
        if self.kind == ARROW:
            return tuple([tuple(map(_buffers_of, chunks)) for chunks in self.files])
        return self._items  # type: ignore[return-value]  # only lines have none

    @property
    def columns(self) -> list[Segments]:
        """The lines of each file by themselves; nothing for other kinds."""
        return [Segments.of_lines(file) for file in self.files]

    @property
    def as_lines(self) -> bool:
        """Whether users say that they are plain text, whatever they look like."""
        return getattr(self, "_as_lines", False)

    def marked(self, as_lines: bool) -> Segments:
        """Mark what is read from files, and return it.

        Args:
            as_lines: whether users say that it is plain text, as `Source.as_lines`.

        >>> Segments(TEXT, ["utt1 a cat"]).marked(as_lines=True).as_lines
        True
        """
        self._as_lines = as_lines
        return self

    @property
    def system(self) -> str:
        """The name of the system whose hypotheses they are, "" where it is not known."""
        return getattr(self, "_system", "")

    def of_system(self, name: str) -> Segments:
        """Note whose hypotheses they are, for warnings about them, and return them."""
        self._system = name
        return self

    @property
    def n_references(self) -> int | None:
        """How many references each segment has, absent ones not counted; None if it varies."""
        try:
            return self._n_references
        except AttributeError:
            from bleuet.text.validation import count_references

            self._n_references = count_references(self.tolist())
            return self._n_references

    def tolist(self) -> list[Any]:
        """Return the segments as a list; lines are decoded once."""
        if self._items is None:
            decode = _decoded if self.kind == LINES else _listed
            columns = [decode(file) for file in self.files]
            self._items = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
        return self._items

    def decoded(self) -> Segments:
        """Return lines and texts of Arrow as text; other kinds as they are."""
        if self.kind not in (LINES, ARROW):
            return self
        return Segments(TEXT, self.tolist()).marked(self.as_lines).of_system(self.system)

    def tokenized(self, tokenize: Callable[[str], str]) -> Segments:
        """Return the tokens of text or lines.

        Args:
            tokenize: returns a text with white space between its tokens.

        >>> Segments(TEXT, ["a.", ["b.", None]]).tokenized(lambda text: text[0] + " .").tolist()
        ['a .', ['b .', None]]
        """
        return Segments(
            TOKENS,
            [
                tokenize(entry) if isinstance(entry, str) else _tokenized(entry, tokenize)
                for entry in self.tolist()
            ],
        )

    def cut(self, count: int) -> tuple[Segments, Segments]:
        r"""Return the first segments and the others.

        >>> [part.tolist() for part in Segments.of_lines([(b"a\nb\n\n", 3)]).cut(2)]
        [['a', 'b'], ['']]
        """
        if self.kind != LINES:
            items = self.tolist()
            return Segments(self.kind, items[:count]), Segments(self.kind, items[count:])
        if count >= self._length:
            return self, Segments.of_lines([])
        parts = [_cut_blocks(file, count) for file in self.files]
        first, others = (Segments.of_lines(*part) for part in zip(*parts, strict=True))
        return first, others

    def containing(self, text: str) -> Iterator[str]:
        r"""Return the hypotheses that contain a text; other lines are not decoded.

        >>> list(Segments.of_lines([(b"a b\nc\nb\n", 3)]).containing("b"))
        ['a b', 'b']
        """
        if self.kind != LINES:
            items = self.tolist()
            # One search of everything is faster than one search in each segment.
            yield from [one for one in items if text in one] if text in "".join(items) else []
            return
        wanted = text.encode("utf-8")
        for block, _ in self.files[0]:
            end = 0
            while (at := block.find(wanted, end)) >= 0:
                begin, end = block.rfind(b"\n", 0, at) + 1, block.index(b"\n", at)
                yield block[begin:end].decode("utf-8")

    def count(self, segment: object) -> int:
        """Count the segments that are equal to one."""
        return self.tolist().count(segment)

    def __len__(self) -> int:
        return self._length if self._items is None else len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, place: Any) -> Any:
        first = place == 0 and self._items is None and self._length and len(self.files) == 1
        if first and self.kind == LINES:
            block = self.files[0][0][0]
            return block[: block.index(b"\n")].decode("utf-8")
        return self.tolist()[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segments):
            return self.tolist() == other
        if self.kind != LINES or other.kind != LINES:
            return self.tolist() == other.tolist()
        if len(self) != len(other) or len(self.files) != len(other.files):
            return False
        # The first lines mostly differ already.
        if len(self) and len(self.files) == 1 and self[0] != other[0]:
            return False
        return all(
            b"".join(_bytes_of(ours)) == b"".join(_bytes_of(theirs))
            for ours, theirs in zip(self.files, other.files, strict=True)
        )

    # It can be equal to a list.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        from bleuet.messages import plural, shown

        first = f": {shown(self[0])}{', ...' if len(self) > 1 else ''}" if len(self) else ""
        return f"<{plural(len(self), 'segment')} of {self.kind}{first}>"


class WithSource(list):  # type: ignore[type-arg]
    """The references of one segment, a list of texts, and its source.

    Metrics that do not read sources take it for the list that it is.

    Args:
        source: the source.
        references: one reference, or several in which None is an absent one.
        place: the number of the segment in its corpus, from 0.
        edits: the edits of each annotator of an M2 file, by the annotator's number; None if the
            references came as texts.

    >>> entry = WithSource("The cat perched.", ["The cat sat."])
    >>> entry, entry.source
    (['The cat sat.'], 'The cat perched.')
    """

    __slots__ = ("edits", "place", "source")

    source: str
    place: int
    edits: Annotations | None

    def __init__(
        self, source: str, references: Any, place: int = 0, edits: Annotations | None = None
    ) -> None:
        super().__init__([references] if isinstance(references, str) else references)
        self.source = source
        self.place = place
        self.edits = edits

    def with_texts(self, source: str, references: list[Any]) -> WithSource:
        """Return the same segment with other texts, such as its tokens."""
        return WithSource(source, references, self.place, self.edits)

    def __reduce__(self) -> tuple[Any, ...]:
        return WithSource, (self.source, list(self), self.place, self.edits)


def lacks_references(segments: Segments) -> bool:
    """Return whether segments are sources alone, as their first one shows.

    >>> lacks_references(Segments(TEXT, [WithSource("The cat perched.", [])]))
    True
    """
    items = segments._items
    return bool(items) and type(items[0]) is WithSource and not items[0]  # type: ignore[index]


def _are_sources_alone(entries: list[Any]) -> bool:
    return bool(entries) and all(type(entry) is WithSource and not entry for entry in entries)


def sources_of(references: Iterable[Any]) -> list[str] | None:
    """Return the sources that references carry; None where some carry none."""
    listed = list(references)
    found = [entry.source for entry in listed if isinstance(entry, WithSource)]
    return found if found and len(found) == len(listed) else None


class EditedText(str):
    """A hypothesis with the edits that make it of its source, as M2 files have them.

    Metrics that do not read edits take it for the text that it is.

    Args:
        text: the text after the edits.
        source: the text before.
        edits: the edits of each annotator, by the annotator's number; a system is one annotator.
    """

    __slots__ = ("edits", "source")

    source: str
    edits: Annotations

    def __new__(cls, text: str, source: str, edits: Annotations) -> EditedText:
        """Make the text."""
        made = super().__new__(cls, text)
        made.source = source
        made.edits = edits
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return EditedText, (str(self), self.source, self.edits)


def like(new: Any, old: Any) -> Any:
    """Return other texts of a segment with the source and the edits that the old ones carry.

    >>> like("b", WithSource("the source", ["a"])).source
    'the source'
    """
    if isinstance(old, EditedText):
        return EditedText(new, old.source, old.edits)
    if isinstance(old, WithSource):
        return old.with_texts(old.source, [new] if isinstance(new, str) else new)
    return new


def _tokenized(entry: Iterable[str | None], tokenize: Callable[[str], str]) -> list[str | None]:
    texts = [text if text is None else tokenize(text) for text in entry]
    if isinstance(entry, WithSource):
        return entry.with_texts(tokenize(entry.source), texts)
    return texts


def _bytes_of(file: list[Block]) -> tuple[bytes, ...]:
    return tuple([block for block, _ in file])


def _decoded(file: list[Block]) -> list[str]:
    lines: list[str] = []
    for block, _ in file:
        lines += block.decode("utf-8").split("\n")
        lines.pop()
    return lines


def _buffers_of(chunk: Any) -> tuple[Any, int, tuple[Any, ...], int, int]:
    """Return what the kernel reads of an array.

    Returns:
        Where its texts begin, with how many bytes each place has, and the buffers of its texts;
        which text is the first, and how many there are.
    """
    _, places, *buffers = chunk.buffers()
    width = _WIDTHS[str(chunk.type)]
    texts = tuple([buffer or b"" for buffer in buffers])
    return places or b"\0" * 8, width, texts, chunk.offset, len(chunk)


def _listed(chunks: list[Any]) -> list[str]:
    return [text for chunk in chunks for text in chunk.to_pylist()]


def _cut_blocks(file: list[Block], count: int) -> tuple[list[Block], list[Block]]:
    first: list[Block] = []
    rest = file[::-1]
    while count:
        block, lines = rest.pop()
        if lines > count:
            end = _end_of_line(block, count)
            rest.append((block[end:], lines - count))
            block, lines = block[:end], count
        first.append((block, lines))
        count -= lines
    return first, rest[::-1]


def _end_of_line(utf8: bytes, count: int) -> int:
    """Return where line number `count`, from 1, ends; there are at least as many."""
    begin, end = 0, len(utf8)
    while end - begin > _NEAR_BYTES:
        middle = (begin + end) // 2
        lines = utf8.count(b"\n", begin, middle)
        if lines < count:
            begin, count = middle, count - lines
        else:
            end = middle
    for _ in range(count):
        begin = utf8.index(b"\n", begin) + 1
    return begin
