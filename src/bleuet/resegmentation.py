"""Re-segmentation: a hypothesis is cut so that its segments fit the references.

Matusov, Leusch, Bender and Ney 2005, "Evaluating machine translation output with automatic sentence
segmentation": the segments are those with the fewest word edits.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise

from bleuet.errors import InputError
from bleuet.frozen import Value, checked
from bleuet.messages import plural, wrong_type
from bleuet.output.answer import Answer
from bleuet.statistics.backend import backend
from bleuet.text.numbering import WordNumbers
from bleuet.text.pieces import Pieces, bare, join, look
from bleuet.text.validation import check_hypotheses, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import IO, Any, TypeAlias

    from bleuet.output.document import Document
    from bleuet.output.settings import Settings
    from bleuet.text.pieces import Piece
    from bleuet.text.subtitles import Cue

    References: TypeAlias = Sequence[str | Sequence[str | None]]
    # The hypotheses and the references of one document, and the places of the latter.
    Part: TypeAlias = tuple[list[Piece], list[list[str]], list[int]]


# The value of `align` in a signature where segments were cut by time.
BY_TIME = "time"


class Alignment(Answer, Value):
    """A hypothesis in the segments of the references; as text it is one line for each.

    Args:
        segments: the text of each segment.
        edits: the insertions, deletions and substitutions of tokens.
        reference_length: the tokens of the references; of several, the mean.
        signature: tokenizer and case, as the key `align` of a signature has them, or `BY_TIME`.
    """

    segments: Sequence[str]
    edits: int
    reference_length: float
    signature: str

    def _in_brief(self) -> str:
        return f"of {plural(len(self.segments), 'segment')} with {plural(self.edits, 'edit')}"

    def write(self, out: IO[str], format: str, settings: Settings) -> None:  # noqa: A002
        """Write the segments; as text they are lines, which can be scored."""
        if format == "text":
            out.writelines([f"{segment}\n" for segment in self.segments])
        else:
            super().write(out, format, settings)

    def document(self) -> Document:
        """Return one table, with a row for each segment."""
        from bleuet.output.document import Column, Document, DocumentTable
        from bleuet.output.plain_values import plain_values

        columns = [Column("segment", kind="count"), Column("hypothesis", kind="long text")]
        rows = list(enumerate(self.segments, 1))
        return Document(
            tables=[DocumentTable("segments", "", columns, rows)],
            notes=[
                f"{plural(self.edits, 'edit')} of {self.reference_length:g} tokens of the "
                f"references, align:{self.signature}"
            ],
            data=lambda: plain_values(
                self, ("segments", "edits", "reference_length", "align=signature")
            ),
        )


@checked
def align(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str | None]],
    *,
    documents: Sequence[str] | None = None,
    hypothesis_documents: Sequence[str] | None = None,
    tokenize: str = "none",
    case_sensitive: bool = False,
    report: Callable[[float], object] | None = None,
) -> Alignment:
    """Cut a hypothesis so that its segments fit the references with the fewest edits.

    Args:
        hypotheses: the text in any parts, which follow one another; where they end is not used. All
            texts are lists, arrays, or columns of a data frame.
        references: for each segment one reference, or a list of them.
        documents: the document of each reference; documents are cut separately.
        hypothesis_documents: the document of each part of the text; without it, there are as many
            parts as documents, or as references.
        tokenize: what an edit changes: "none" for words between white space, "char" for
            characters, or another tokenizer, such as "spm:FILE".
        case_sensitive: match case.
        report: is called now and then with the share of the work that is done.

    Returns:
        The segments, one for each reference, and the edits.

    Raises:
        InputError: there is no reference, or documents do not fit.
        OptionError: there is no such tokenizer.
        MissingExtraError: the tokenizer needs a library that is not installed.

    >>> found = align(["A cat sat It", "is raining."], ["The cat sat.", "It is raining."])
    >>> found.segments, found.edits
    (['A cat sat', 'It is raining.'], 2)
    """
    hypotheses = check_hypotheses(hypotheses)
    references = listed(references, "references", "a text or a list of texts for each segment")
    if documents is not None:
        documents = listed(documents, "documents", "the document of each reference")
    if hypothesis_documents is not None:
        wanted = "the document of each part of the text"
        hypothesis_documents = listed(hypothesis_documents, "hypothesis_documents", wanted)
    pieces = Pieces(tokenize, case_sensitive=case_sensitive)
    texts_of = [_texts(row, some) for row, some in enumerate(references)]
    groups = _by_document(hypotheses, references, documents, hypothesis_documents)
    parts = [(pieces.of(texts), [texts_of[row] for row in rows], rows) for texts, rows in groups]
    segments, edits = [""] * len(references), 0
    done = _Progress(parts, report)
    for own, texts, rows in parts:
        found, cuts = _cut(own, texts, pieces, done.of_part(len(own) * len(rows)))
        edits += found
        for row, (begin, end) in zip(rows, pairwise([0, *cuts]), strict=True):
            segments[row] = join(own[begin:end])
    return Alignment(segments, edits, _length(parts, pieces), pieces.signature)


def _texts(row: int, references: str | Sequence[str | None]) -> list[str]:
    if isinstance(references, str):
        return [references]
    references = listed(references, f"references[{row}]", "a text or a list of texts")
    for text in references:
        if not isinstance(text, str | None):
            raise wrong_type(f"references[{row}]", "a text or a list of texts", references)
    found = [text for text in references if text is not None]
    if not found:
        raise InputError(
            f"segment {row + 1} has no reference; expected at least one: add one ('' is a "
            "reference of length 0), or remove the segment"
        )
    return found


def _cut(
    own: list[Piece], references: list[list[str]], pieces: Pieces, report: Callable[[float], object]
) -> tuple[int, list[int]]:
    """Return the edits of one document, and where its segments end among the pieces."""
    texts = [text for several in references for text in several]
    groups = array("q", accumulate(map(len, references)))
    tokens = [pieces.tokens(text) for text in texts]
    number = WordNumbers()
    edits, found = backend().cut_segments(
        number.of([piece.token for piece in own]),
        (*number.of_texts(tokens), groups),
        _edges(own, texts, tokens),
        _characters(own, texts, groups, pieces),
        report,
    )
    return edits, _between_words(memoryview(found).cast("q").tolist(), own)


def _edges(own: list[Piece], texts: list[str], tokens: list[list[str]]) -> list[array[int]]:
    """Return how the words beside a cut look, and which they are."""
    looks, words = WordNumbers(), WordNumbers()
    return [
        looks.of([look(piece.text[:1]) for piece in own]),
        looks.of([look(piece.text[-1:]) for piece in own]),
        words.of([bare(piece.token) for piece in own]),
        looks.of([look(text.lstrip()[:1]) for text in texts]),
        looks.of([look(text.rstrip()[-1:]) for text in texts]),
        words.of([bare(some[0]) if some else "" for some in tokens]),
        words.of([bare(some[-1]) if some else "" for some in tokens]),
    ]


def _characters(
    own: list[Piece], texts: list[str], groups: array[int], pieces: Pieces
) -> tuple[Any, ...]:
    """Return the characters, and where each piece begins and ends among them."""
    number = WordNumbers()
    parts = [" " * piece.spaced + pieces.in_case(piece.text) for piece in own]
    ends = array("q", accumulate(map(len, parts)))
    begins = array("q", [0, *ends][: len(own)])
    for place, piece in enumerate(own):
        begins[place] += piece.spaced
    return (
        number.of("".join(parts)),
        begins,
        ends,
        (*number.of_texts([pieces.in_case(" ".join(text.split())) for text in texts]), groups),
    )


def _between_words(cuts: list[int], own: list[Piece]) -> list[int]:
    """Move each cut inside a word to the nearer end of the word."""
    open_places = [i for i, piece in enumerate(own) if piece.begins]
    if len(open_places) == len(own):
        return cuts
    open_places.append(len(own))
    found = []
    for cut in cuts:
        behind = bisect_left(open_places, cut)
        around = open_places[max(behind - 1, 0) : behind + 1]
        found.append(min(around, key=lambda place: (abs(place - cut), -place)))
    return found


def _length(parts: Sequence[Part], pieces: Pieces) -> float:
    return float(
        sum(
            sum([len(pieces.tokens(text)) for text in texts]) / len(texts)
            for _, references, _ in parts
            for texts in references
        )
    )


class _Progress:
    """The share of the work of all documents."""

    def __init__(self, parts: Sequence[Part], report: Callable[[float], object] | None) -> None:
        self._total = sum(len(own) * len(rows) for own, _, rows in parts) or 1
        self._done = 0
        self._report = report

    def of_part(self, work: int) -> Callable[[float], object]:
        """Return what is called with the share of the work of the next document."""
        before = self._done
        self._done += work

        def report(share: float) -> None:
            if self._report is not None:
                self._report((before + share * work) / self._total)

        return report


# --- Times ----------------------------------------------------------------------------------------


@checked
def align_by_time(hypotheses: Sequence[Cue], references: Sequence[Cue]) -> Alignment:
    """Cut timed segments, such as subtitles, at the times of the reference's segments.

    The characters of a segment share its time evenly. A word, or a character of a script without
    spaces, belongs to the segment of the reference in whose time its middle is; in a pause to the
    nearer one. Where two segments overlap, the middle of the overlap divides them.

    Args:
        hypotheses: the timed segments of the hypothesis.
        references: the timed segments of the reference.

    Returns:
        The segments, one for each of the reference, and their edits in characters.

    Raises:
        InputError: there is no reference.

    >>> from bleuet.text.subtitles import Cue
    >>> own = [Cue(0, 4000, "A cat sat. Rain")]
    >>> align_by_time(own, [Cue(0, 2900, "The cat sat."), Cue(3100, 4000, "Rain.")]).segments
    ['A cat sat.', 'Rain']
    """
    if not references:
        raise InputError("there is no reference; expected one for each segment: add them")
    pieces = Pieces("char")
    order = sorted(range(len(references)), key=lambda row: references[row].start)
    borders = _borders([references[row] for row in order])
    found: list[list[Piece]] = [[] for _ in references]
    for cue in hypotheses:
        for middle, word in _timed_words(cue, pieces):
            found[order[bisect_right(borders, middle)]] += word
    parts: list[Part] = [
        (own, [[cue.text]], [row])
        for row, (own, cue) in enumerate(zip(found, references, strict=True))
    ]
    edits = sum(_cut(own, texts, pieces, lambda share: None)[0] for own, texts, _ in parts)
    segments = [join(own) for own in found]
    return Alignment(segments, edits, _length(parts, pieces), BY_TIME)


def _borders(references: Sequence[Cue]) -> list[float]:
    """Return the times half-way between two segments, from which the second one is nearer."""
    borders = [(one.end + other.start) / 2 for one, other in pairwise(references)]
    return list(accumulate(borders, max))


def _timed_words(cue: Cue, pieces: Pieces) -> Iterator[tuple[float, list[Piece]]]:
    """Yield the pieces of a timed segment that stay together, and the middle of their time."""
    own = pieces.of([cue.text])
    begins = [i for i, piece in enumerate(own) if piece.begins]
    for begin, end in pairwise([*begins, len(own)]):
        share = (begin + end) / 2 / len(own)
        yield cue.start + share * (cue.end - cue.start), own[begin:end]


# --- Documents ------------------------------------------------------------------------------------


def _by_document(
    hypotheses: Sequence[str],
    references: References,
    documents: Sequence[str] | None,
    of_hypotheses: Sequence[str] | None,
) -> Iterator[tuple[list[str], list[int]]]:
    """Yield the texts of each document, and the places of its references."""
    if not references:
        raise InputError("there is no reference; expected one for each segment: add them")
    if documents is None:
        yield list(hypotheses), list(range(len(references)))
        return
    _check_length(documents, "references", len(references))
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(documents):
        rows.setdefault(name, []).append(row)
    texts: dict[str, list[str]] = {name: [] for name in rows}
    names = _names(hypotheses, documents, list(rows), of_hypotheses)
    for text, name in zip(hypotheses, names, strict=True):
        if name not in texts:
            raise InputError(
                f"the hypotheses have a document {name!r}, but no reference belongs to this "
                f"document; expected a document of the references: correct the name"
            )
        texts[name].append(text)
    for name, own in rows.items():
        yield texts[name], own


def _names(
    hypotheses: Sequence[str],
    documents: Sequence[str],
    names: Sequence[str],
    given: Sequence[str] | None,
) -> Sequence[str]:
    """Return the document of each part of the hypothesis."""
    if given is not None:
        _check_length(given, "hypotheses", len(hypotheses))
        return given
    for known in (documents, names):
        if len(known) == len(hypotheses):
            return known
    raise InputError(
        f"{plural(len(hypotheses), 'hypothesis', 'hypotheses')} for "
        f"{plural(len(names), 'document')} and {plural(len(documents), 'reference')}; expected one "
        "for each document or each reference: add the document of each hypothesis"
    )


def _check_length(documents: Sequence[str], what: str, expected: int) -> None:
    if len(documents) != expected:
        raise InputError(
            f"{plural(len(documents), 'document')} for {expected} {what}; expected the document of "
            "each: check the files"
        )
