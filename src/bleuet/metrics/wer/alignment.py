"""The alignment that WER and CER count: for each segment which words are hits, and which edits."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from bleuet.frozen import Value, cached_property
from bleuet.messages import plural, wrong_type
from bleuet.output.answer import Answer
from bleuet.output.cells import cell_width, padded, text_of
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.output.escaping import printable
from bleuet.output.rendering import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import IO, Any, TypeAlias

    from bleuet.output.document import Cell, Record
    from bleuet.output.settings import Settings
    from bleuet.text.corpus import Corpus

    # A word of the reference, a word of the hypothesis, and what that is: H, S, D or I.
    Pair: TypeAlias = tuple[str | None, str | None, str]

# In the order of the counter.
KINDS = "HSDI"
NAMES = ("hit", "substitution", "deletion", "insertion")
GAP = "*"
# A character that is white space, where characters are aligned.
SPACE = "␣"
# Rows of the tables of words; data have all.
MOST = 20


class SegmentAlignment(Value):
    """One segment, with its words in pairs.

    Args:
        number: the number of the segment, from 1.
        reference_number: the reference that counts, from 0.
        pairs: from left to right: a word of the reference or None, a word of the hypothesis or
            None, and H for a hit, S for a substitution, D for a deletion, I for an insertion.
    """

    number: int
    reference_number: int
    pairs: Sequence[Pair]

    def _complete(self) -> None:
        self._set(pairs=tuple(self.pairs))

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Hits, substitutions, deletions and insertions."""
        kinds = [kind for _, _, kind in self.pairs]
        hits, substitutions, deletions, insertions = map(kinds.count, KINDS)
        return hits, substitutions, deletions, insertions

    def lines(self, width: int | None = None) -> Iterator[str]:
        """Yield lines of the reference, the hypothesis and the edits, in columns.

        Args:
            width: columns of a terminal, after which lines break between words; default never.

        >>> pairs = [("a", "a", "H"), (None, "big", "I"), ("cat", "dog", "S")]
        >>> print(*SegmentAlignment(1, 0, pairs).lines(), sep=chr(10))
        REF: a *** cat
        HYP: a big dog
               I   S
        """
        columns, widths = [], []
        for ours, theirs, kind in self.pairs:
            if ours == theirs:
                word = _shown(ours)
                widths.append(cell_width(word))
                columns.append((word, word, " " * widths[-1]))
            else:
                word, other = _both_shown(ours, theirs)
                widest = max(cell_width(word), cell_width(other))
                widths.append(widest)
                columns.append((padded(word, widest), padded(other, widest), padded(kind, widest)))
        for start, end in _line_ends(widths, width and width - len("REF: ")):
            for side, label in enumerate(("REF:", "HYP:", "    ")):
                line = " ".join([label, *(column[side] for column in columns[start:end])]).rstrip()
                if line:
                    yield line


class WordAlignment(Answer):
    """The alignment of hypotheses with references, which `WER.alignment` returns.

    It is a sequence of segments, which are aligned when they are read. `print` shows each in
    columns, and then the most frequent edits.

    Args:
        metric: a `WER`, whose module imports this one.
        corpus: hypotheses and references.
    """

    def __init__(self, metric: Any, corpus: Corpus) -> None:
        self.metric = metric
        self._hypotheses, self._references = corpus.hypotheses, corpus.references
        self._n_references = corpus.n_references

    def __len__(self) -> int:
        return len(self._hypotheses)

    def __getitem__(self, place: int) -> SegmentAlignment:
        """Return the alignment of a segment, from 0."""
        if not isinstance(place, int):
            raise wrong_type("place", "a whole number", place)
        entry = self._references[place]
        several = [entry] if isinstance(entry, str) else [one for one in entry if one is not None]
        number, pairs = self.metric.aligned_pairs(self._hypotheses[place], several)
        return SegmentAlignment(place % len(self) + 1, number, pairs)

    def __iter__(self) -> Iterator[SegmentAlignment]:
        return map(self.__getitem__, range(len(self)))

    @cached_property
    def _edits(self) -> Counter[Pair]:
        """How often each pair occurs."""
        return Counter(chain.from_iterable(segment.pairs for segment in self))

    @cached_property
    def score(self) -> Any:
        """The score of the whole corpus; it has `hits`, `substitutions` and the other counts."""
        totals = dict.fromkeys(KINDS, 0)
        for (_, _, kind), times in self._edits.items():
            totals[kind] += times
        return self.metric.score_values(tuple(totals.values()), self._n_references)

    @property
    def substitutions(self) -> list[tuple[str, str, int]]:
        """Word of the reference, word of the hypothesis and how often; most frequent first."""
        return [(str(a), str(b), times) for a, b, times in self._most("S")]

    @property
    def deletions(self) -> list[tuple[str, int]]:
        """Word of the reference and how often it is deleted; most frequent first."""
        return [(str(a), times) for a, _, times in self._most("D")]

    @property
    def insertions(self) -> list[tuple[str, int]]:
        """Word of the hypothesis and how often it is inserted; most frequent first."""
        return [(str(b), times) for _, b, times in self._most("I")]

    def _most(self, wanted: str) -> list[tuple[str | None, str | None, int]]:
        found = [(a, b, times) for (a, b, kind), times in self._edits.items() if kind == wanted]
        return sorted(found, key=lambda one: (-one[2], one[0] or "", one[1] or ""))

    def document(self) -> Document:
        """Return a table of the segments, one of the totals, and those of the edits."""
        return WordAlignments({"": self}).document()

    def write(self, out: IO[str], format: str, settings: Settings) -> None:  # noqa: A002
        """Write the alignment; as text, in columns."""
        WordAlignments({"": self}).write(out, format, settings)


class WordAlignments(Answer):
    """The alignments of several systems.

    Args:
        systems: the alignment of each system by its name; all of one metric.
    """

    def __init__(self, systems: Mapping[str, WordAlignment]) -> None:
        self._systems = systems
        self._first = next(iter(systems.values()))
        self._several = len(systems) > 1

    def document(self) -> Document:
        """Return a table of the segments, one of the totals, and those of the edits."""
        metric = self._first.metric
        columns = [
            Column("segment", kind="count"),
            *_counted(metric),
            Column("reference"),
            Column("hypothesis"),
            Column("edits"),
        ]
        if self._several:
            columns.insert(1, Column("system"))
        return Document(
            tables=[
                DocumentTable("segments", "Segments", columns, _RowsReadAgain(self._segment_rows)),
                *self._summary(MOST),
            ],
            signatures=[(metric.name, self._first.score.signature)],
            data=self._data,
            records={
                "segments": self._segment_records,
                "totals": self._total_records,
                **{name: self._records_of(name) for name in EDITS},
            },
        )

    def write(self, out: IO[str], format: str, settings: Settings) -> None:  # noqa: A002
        """Write the alignments; as text, in columns that a terminal breaks between words."""
        if format != "text":
            super().write(out, format, settings)
            return
        width = None
        if out.isatty():
            from shutil import get_terminal_size

            width = get_terminal_size().columns
        column = _counted(self._first.metric)[-1]
        for name, alignment in self._systems.items():
            of_system = f"{printable(name)}, " if self._several else ""
            for segment in alignment:
                rate = text_of(alignment.metric.formula(segment.counts), column, settings.width)
                counts = f"{column.title} = {rate}, {_counts_text(segment.counts)}"
                out.write(f"{of_system}segment {segment.number}: {counts}\n")
                out.writelines(f"{line}\n" for line in segment.lines(width))
                out.write("\n")
        signatures = self.document().signatures
        rest = Document(tables=self._summary(MOST), signatures=signatures)
        out.write(render(rest, "text", width=settings.width, short=settings.short))

    def _segment_rows(self) -> Iterator[list[Cell]]:
        for name, alignment in self._systems.items():
            for segment in alignment:
                words = [_both_shown(ours, theirs) for ours, theirs, _ in segment.pairs]
                yield [
                    segment.number,
                    *([name] if self._several else []),
                    *segment.counts,
                    alignment.metric.formula(segment.counts),
                    " ".join(ours for ours, _ in words),
                    " ".join(theirs for _, theirs in words),
                    " ".join(kind for _, _, kind in segment.pairs),
                ]

    def _summary(self, most: int) -> list[DocumentTable]:
        systems = self._systems.items()
        named = [Column("system")] if self._several else []
        tables = [
            DocumentTable(
                "totals",
                "Totals",
                [*named, Column("segments", kind="count"), *_counted(self._first.metric)],
                [
                    [*([name] if named else []), len(one), *one.score.values, one.score.score]
                    for name, one in systems
                ],
            )
        ]
        for key, (title, columns) in EDITS.items():
            for name, alignment in systems:
                rows = getattr(alignment, key)
                more = len(rows) - most
                tables.append(
                    DocumentTable(
                        key,
                        f"{title} of {name}" if named else title,
                        [*map(Column, columns), Column("times", kind="count")],
                        [[*map(_shown, row[:-1]), row[-1]] for row in rows[:most]],
                        note=f"and {more} more, none more frequent; json has all"
                        if more > 0
                        else "",
                    )
                )
        return tables

    # --- Data -------------------------------------------------------------------------------------

    def _data(self) -> dict[str, Any]:
        parts = self.document().records
        data = {name: list(records()) for name, records in parts.items()}
        return {**data, "signature": str(self._first.score.signature)}

    def _segment_records(self) -> Iterator[Record]:
        for name, alignment in self._systems.items():
            metric = alignment.metric
            for segment in alignment:
                yield {
                    **({"system": name} if name else {}),
                    "segment": segment.number,
                    "reference_number": segment.reference_number,
                    **dict(zip(metric.columns, segment.counts, strict=True)),
                    metric.name: metric.formula(segment.counts),
                    "reference": [ours for ours, _, _ in segment.pairs],
                    "hypothesis": [theirs for _, theirs, _ in segment.pairs],
                    "edits": [kind for _, _, kind in segment.pairs],
                }

    def _total_records(self) -> Iterator[Record]:
        for name, alignment in self._systems.items():
            score = alignment.score
            counts = dict(zip(score.metric.columns, score.values, strict=True))
            system = {"system": name} if name else {}
            yield {**system, "segments": len(alignment), **counts, score.name: score.score}

    def _records_of(self, key: str) -> Callable[[], Iterator[Record]]:
        def records() -> Iterator[Record]:
            for name, alignment in self._systems.items():
                for row in getattr(alignment, key):
                    cells = dict(zip((*EDITS[key][1], "times"), row, strict=True))
                    yield {**({"system": name} if name else {}), **cells}

        return records


class _RowsReadAgain:
    """Rows that can be read again, and that are not all in memory."""

    def __init__(self, rows: Callable[[], Iterator[Sequence[Cell]]]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Sequence[Cell]]:
        return self._rows()


# The title and the columns of the table of each kind of edits.
EDITS = {
    "substitutions": ("Most frequent substitutions", ("reference", "hypothesis")),
    "deletions": ("Most frequent deletions", ("reference",)),
    "insertions": ("Most frequent insertions", ("hypothesis",)),
}


def _counted(metric: Any) -> list[Column]:
    counts = [Column(name, kind="count") for name in metric.columns]
    return [*counts, Column(metric.name, kind="score", lower_is_better=True)]


def _counts_text(counts: Sequence[int]) -> str:
    """Return counts as text.

    >>> _counts_text((3, 1, 0, 2))
    '3 hits, 1 substitution, 0 deletions, 2 insertions'
    """
    return ", ".join(plural(count, name) for count, name in zip(counts, NAMES, strict=True))


def _both_shown(reference: str | None, hypothesis: str | None) -> tuple[str, str]:
    """Return the words of a pair to show, with stars for one that is missing.

    >>> _both_shown("cat", None), _both_shown(" ", "a")
    (('cat', '***'), ('␣', 'a'))
    """
    ours, theirs = _shown(reference), _shown(hypothesis)
    return ours or GAP * cell_width(theirs), theirs or GAP * cell_width(ours)


def _shown(word: str | None) -> str:
    return "" if word is None else printable(word).replace(" ", SPACE)


def _line_ends(widths: Sequence[int], room: int | None) -> Iterator[tuple[int, int]]:
    """Yield the first word of each line, and the one after its last.

    Args:
        widths: how wide each word is.
        room: how wide a line can be, None without a limit.

    >>> list(_line_ends([3, 3, 3], 7))
    [(0, 2), (2, 3)]
    """
    start = used = 0
    for at, width in enumerate(widths if room is not None else ()):
        if used + width > room and at > start:  # type: ignore[operator]
            yield start, at
            start, used = at, 0
        used += width + 1
    yield start, len(widths)
