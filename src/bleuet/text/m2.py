"""M2 files: sentences with the edits of annotators, as grammatical error correction has them.

    S This are a sentence .
    A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

A line S is a source, split into words at spaces, and each line A under it is an edit: the words
that go, the type of the error, what comes in their place, two fields without use, and the number of
the annotator. An empty line ends a sentence. An annotator without corrections has an edit `noop`.
"""

from __future__ import annotations

import re
from itertools import pairwise

from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.messages import shown
from bleuet.text.segments import EditedText, WithSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import NoReturn

    from bleuet.text.segments import Annotations, Edit

NOOP = "noop"
# Types of edits that change nothing: that of no correction, and those of errors that an annotator
# found and did not correct, by ERRANT and by NUCLE.
UNCHANGED = (NOOP, "UNK", "Um")
# Python reads no number of more than 4300 digits, and no sentence has so many words.
_SPAN = re.compile(r"A +(-1|\d{1,9}) +(-1|\d{1,9}) *", re.ASCII)
_ANNOTATOR = re.compile(r" *\d{1,9} *", re.ASCII)
_FIELDS = 6
_EXAMPLE = "A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0"
# Old files have several corrections of one edit.
_OR = "||"


class AnnotatedSentence(Value):
    """A sentence and the edits of its annotators.

    Args:
        source: the sentence.
        edits: the edits of each annotator, by the annotator's number, in the order of the file.
        corrected: the sentence after the edits of each annotator, in the same order.
    """

    source: str
    edits: Annotations
    corrected: tuple[str, ...]

    @property
    def hypothesis(self) -> EditedText:
        """The text of the first annotator, which carries the edits of all."""
        return EditedText(self.corrected[0], self.source, self.edits)

    def references(self, place: int = 0) -> WithSource:
        """Return one reference for each annotator, with the source and the edits.

        Args:
            place: the number of the segment in its corpus, from 0.
        """
        return WithSource(self.source, self.corrected, place, self.edits)


def read_sentences(lines: Iterable[str], name: str) -> list[AnnotatedSentence]:
    """Return the sentences of an M2 file.

    Args:
        lines: the lines of the file.
        name: the name of the file.

    Raises:
        InputError: a line is not of an M2 file, or an edit is not of its sentence; the message has
            the number of the line.

    >>> lines = ["S A cat sit .", "A 2 3|||R:VERB:SVA|||sits|||REQUIRED|||-NONE-|||0"]
    >>> (sentence,) = read_sentences(lines, "a.m2")
    >>> sentence.hypothesis, sentence.edits
    ('A cat sits .', {0: [(2, 3, 'R:VERB:SVA', 'sits')]})
    """
    return list(_sentences(lines, name))


def _sentences(lines: Iterable[str], name: str) -> Iterator[AnnotatedSentence]:
    block: _Block | None = None
    # The same places and annotators are in very many lines.
    spans: dict[str, tuple[int, int]] = {}
    annotators: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        mark = line[:2]
        if mark == "A " and block is not None:
            fields = line.split("|||")
            try:
                span, kind, correction, _, _, last = fields
                start, end = spans[span]
                annotator = annotators[last]
            except (KeyError, ValueError):
                start, end, annotator = _numbers(fields, f"{name}:{number}")
                spans[span], annotators[last] = (start, end), annotator
            if not 0 <= start <= end <= block.length and not (kind == NOOP and start == end == -1):
                _reject_span(start, end, block.length, f"{name}:{number}")
            block.add(annotator, (start, end, kind, correction))
        elif mark == "S " or line == "S":
            if block is not None:
                yield block.sentence()
            block = _Block(line[2:], number, name)
        elif not line and block is not None:
            yield block.sentence()
            block = None
        elif line.strip():
            _reject_line(line, f"{name}:{number}")
    if block is not None:
        yield block.sentence()


def _numbers(fields: list[str], place: str) -> tuple[int, int, int]:
    """Return the places and the annotator of a line."""
    if len(fields) != _FIELDS:
        raise InputError(
            f"{place} has {len(fields)} fields between |||; expected {_FIELDS}, as in {_EXAMPLE}: "
            "correct that line"
        )
    span, last = _SPAN.fullmatch(fields[0]), _ANNOTATOR.fullmatch(fields[-1])
    if span is None or last is None:
        place_is, annotator_is = shown(fields[0][2:]), shown(fields[-1])
        wrong = f"place is {place_is}" if span is None else f"annotator is {annotator_is}"
        raise InputError(
            f"{place}: the {wrong}; expected whole numbers, as in {_EXAMPLE}: correct that line"
        )
    return int(span[1]), int(span[2]), int(last[0])


def _reject_span(start: int, end: int, words: int, place: str) -> NoReturn:
    raise InputError(
        f"{place} edits the words from {start} to {end}; expected places from 0 to {words}, the "
        "number of words of the sentence, and the first one first: correct that line"
    )


class _Block:
    """A sentence and the edits under it, as they are read.

    Args:
        source: the sentence.
        line: the number of its line.
        name: the name of the file.
    """

    __slots__ = ("_annotators", "_edits", "_line", "_name", "_source", "_words", "length")

    def __init__(self, source: str, line: int, name: str) -> None:
        self._source = source
        self._words = source.split()
        self.length = len(self._words)
        self._line = line
        self._name = name
        self._edits: Annotations = {}
        # Of each edit, in the order of the lines.
        self._annotators: list[int] = []

    def add(self, annotator: int, edit: Edit) -> None:
        """Add the edit of the next line."""
        self._annotators.append(annotator)
        several = self._edits.get(annotator)
        if several is None:
            self._edits[annotator] = [edit]
        else:
            several.append(edit)

    def sentence(self) -> AnnotatedSentence:
        """Return the sentence with all edits."""
        # A sentence without edits is one that its only annotator found correct.
        edits = self._edits or {0: []}
        corrected = [self._corrected(annotator, several) for annotator, several in edits.items()]
        return AnnotatedSentence(self._source, edits, tuple(corrected))

    def _corrected(self, annotator: int, edits: list[Edit]) -> str:
        """Return the sentence after the edits of an annotator."""
        text = _edited(self._words, edits)
        if text is not None:
            return text
        # Edits can have any order in the file.
        lines = [i for i, one in enumerate(self._annotators, self._line + 1) if one == annotator]
        ordered = sorted(zip(edits, lines, strict=True), key=lambda pair: pair[0][:2])
        text = _edited(self._words, [edit for edit, _ in ordered])
        if text is None:
            self._reject_overlap([pair for pair in ordered if pair[0][2] not in UNCHANGED])
        return text

    def _reject_overlap(self, edits: list[tuple[Edit, int]]) -> NoReturn:
        first, second = next(
            (before[1], after[1]) for before, after in pairwise(edits) if after[0][0] < before[0][1]
        )
        raise InputError(
            f"{self._name}:{second} edits words that the edit in line {first} changes too; "
            "expected each word in one edit of an annotator: correct one of the lines"
        )


def _edited(words: Sequence[str], edits: Iterable[Edit]) -> str | None:
    """Return a text after edits in the order of their places; None if they have another order."""
    kept: list[str] = []
    done = 0
    for start, end, kind, correction in edits:
        if kind in UNCHANGED:
            continue
        if start < done:
            return None
        kept += words[done:start]
        kept += correction.partition(_OR)[0].split()
        done = end
    return " ".join([*kept, *words[done:]])


def _reject_line(line: str, place: str) -> NoReturn:
    before = " before the first S" if line.startswith("A ") else ""
    raise InputError(
        f"{place}: {shown(line)}{before} is no line of an M2 file; expected S and a sentence, or A "
        f"and an edit under it, as in {_EXAMPLE}: correct that line, or name the file .txt if it "
        "has one segment per line"
    )
