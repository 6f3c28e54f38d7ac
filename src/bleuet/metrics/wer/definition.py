"""The rows of word error rate and its relatives, slow and readable, from the definitions."""

from __future__ import annotations

import re
from collections import Counter, deque
from itertools import groupby
from operator import itemgetter

from bleuet.statistics.definitions.counter import AligningCounter
from bleuet.statistics.definitions.length_limit import MOST_EDIT_CELLS, check_cells
from bleuet.text.tokenizers.international import ANY_PUNCTUATION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from typing import Any, TypeAlias

    from bleuet.statistics.definitions.counter import Aligned, Number

    # An operation, and the positions in reference and hypothesis at which it takes an item, or
    # before which it stands.
    Edit: TypeAlias = tuple[str, int, int]
    Items: TypeAlias = Sequence[Hashable]

# What turns the reference into the hypothesis.
HIT = "hit"
SUBSTITUTE = "substitute"
DELETE = "delete"
INSERT = "insert"
JUMP = "jump"
OF_REFERENCE = {HIT, SUBSTITUTE, DELETE}
OF_HYPOTHESIS = {HIT, SUBSTITUTE, INSERT}
# The kinds of aligned items.
KINDS = (HIT, SUBSTITUTE, DELETE, INSERT, JUMP)

# Bytes of two bits per cell above which a table is cut in halves, and the least sizes.
LARGEST_TABLE = 1 << 20
SHORTEST_REFERENCE, SHORTEST_HYPOTHESIS = 65, 10


class WerCounter(AligningCounter):
    """The edits of WER, CDER and PER."""

    integers = 4

    def __init__(self, *, moves: str, **options: Any) -> None:
        super().__init__(**options)
        self.moves = moves

    def read(self, text: str, *, reference: bool) -> Any:
        """Return the words or characters that are compared."""
        return items_of(text, **self.options)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return hits, substitutions, deletions and insertions."""
        self._check_lengths(hypothesis, references)
        return wer_row(hypothesis, references, self.moves)

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return edits and hits with the nearest reference."""
        self._check_lengths(hypothesis, references)
        return nearest_alignment(hypothesis, references, self.moves)

    def _check_lengths(self, hypothesis: Items, references: list[Items]) -> None:
        unit = "characters" if self.options["characters"] else "words"
        for reference in references:
            if self.moves != "free" and hypothesis != reference:
                sizes = len(hypothesis), len(reference)
                check_cells(f"edits of {unit}", *sizes, MOST_EDIT_CELLS)


# --- Text -----------------------------------------------------------------------------------------


def items_of(
    text: str, *, characters: bool, lowercase: bool, no_punct: bool, whitespace: str
) -> Items:
    r"""Return the words or characters that are compared.

    Args:
        text: a segment.
        characters: whether characters are compared, not words.
        lowercase: lower-case the text.
        no_punct: remove punctuation, the Unicode class P.
        whitespace: "jiwer", "single" or "none", see `WER`; or "keep", where all characters count.

    >>> options = {"characters": False, "lowercase": True, "no_punct": True, "whitespace": "jiwer"}
    >>> items_of(" Not\tnow,  Bob. ", **options)
    ['not\tnow', 'bob']
    """
    text = text.lower() if lowercase else text
    text = ANY_PUNCTUATION.sub("", text) if no_punct else text
    if whitespace == "single":
        text = re.sub(r"\s+", " ", text)
    elif whitespace == "none":
        text = re.sub(r"\s", "", text)
    if characters:
        return text if whitespace == "keep" else text.strip()
    # A single tab or no-break space is part of a word.
    return [word for word in re.sub(r"\s\s+", " ", text).strip().split(" ") if word]


# --- Rows -----------------------------------------------------------------------------------------


def wer_row(
    hypothesis: Items, references: Sequence[Items], moves: str
) -> tuple[int, int, int, int]:
    """Count the edits to the nearest reference.

    The nearest is the one with the fewest errors; of those with as few, the longest, whose rate is
    lowest; of those as long, the one with the most hits.

    Args:
        hypothesis: words or other items.
        references: at least one reference.
        moves: how words may move: "none", "blocks" or "free".

    Returns:
        Hits, substitutions, deletions and insertions; a jump is an insertion.

    >>> wer_row("a c d".split(), ["a b".split(), "a b c".split()], "none")
    (1, 2, 0, 0)
    """
    return _counts(nearest_edits(hypothesis, references, moves)[1])


def nearest_edits(
    hypothesis: Items, references: Sequence[Items], moves: str
) -> tuple[int, list[Edit]]:
    """Return the number of the nearest reference, from 0, and the edits from it.

    Args:
        hypothesis: words or other items.
        references: at least one reference.
        moves: as for `wer_row`.
    """
    edits = [EDITS[moves](reference, hypothesis) for reference in references]
    return min(enumerate(edits), key=lambda pair: _rank(*_counts(pair[1])))


def nearest_alignment(
    hypothesis: Items, references: Sequence[Items], moves: str
) -> tuple[int, list[Aligned]]:
    """Return the number of the nearest reference, from 0, and the alignment with it.

    Arguments as for `wer_row`.

    Returns:
        The number; and of each edit and hit the first item of the hypothesis, how many, the same of
        the reference, and its place in `KINDS`. Where items keep their order, neighbours of one
        kind are together.

    >>> nearest_alignment("abc", ["bc"], "none")
    (0, [(0, 1, 0, 0, 3), (1, 2, 0, 2, 0)])
    """
    number, edits = nearest_edits(hypothesis, references, moves)
    runs = [[edit] for edit in edits]
    if moves == "none":
        runs = [list(run) for _, run in groupby(edits, key=itemgetter(0))]
    found = []
    for run in runs:
        kind, j, i = run[0]
        ours, theirs = kind in OF_HYPOTHESIS, kind in OF_REFERENCE
        found.append((i, ours * len(run), j, theirs * len(run), KINDS.index(kind)))
    return number, found


def _rank(hits: int, substitutions: int, deletions: int, insertions: int) -> tuple[int, int, int]:
    errors = substitutions + deletions + insertions
    return errors, -(hits + substitutions + deletions), -hits


def _counts(edits: Sequence[Edit]) -> tuple[int, int, int, int]:
    found = Counter(edit[0] for edit in edits)
    return found[HIT], found[SUBSTITUTE], found[DELETE], found[INSERT] + found[JUMP]


# --- WER ------------------------------------------------------------------------------------------


def levenshtein_edits(reference: Items, hypothesis: Items) -> list[Edit]:
    """Return one cheapest alignment, that of rapidfuzz.

    What both begin and end with is matched first. The rest is traced from its end: a deletion where
    it lies on a cheapest path; else an insertion where the cell above is less than the one on the
    diagonal; else a match or substitution. Where the table is large, the hypothesis is cut in
    halves and the reference where the parts cost least, as far left as possible (Hirschberg 1975).

    Args:
        reference: words or other items.
        hypothesis: likewise.

    >>> levenshtein_edits("abc", "xbcd")
    [('substitute', 0, 0), ('hit', 1, 1), ('hit', 2, 2), ('insert', 3, 3)]
    """
    return list(_aligned(reference, hypothesis, max(len(reference), len(hypothesis)), 0, 0))


def _aligned(
    reference: Items, hypothesis: Items, limit: int, at_r: int, at_h: int
) -> Iterator[Edit]:
    """Yield the edits of parts that begin at these positions and cost at most `limit`."""
    head = _common(reference, hypothesis)
    tail = _common(reference[head:][::-1], hypothesis[head:][::-1])
    inner_r = reference[head : len(reference) - tail]
    inner_h = hypothesis[head : len(hypothesis) - tail]
    yield from ((HIT, at_r + k, at_h + k) for k in range(head))
    limit = min(limit, max(len(inner_r), len(inner_h)))
    align = _halves if _is_large(len(inner_r), len(inner_h), limit) else _traced
    yield from align(inner_r, inner_h, limit, at_r + head, at_h + head)
    at_r, at_h = at_r + head + len(inner_r), at_h + head + len(inner_h)
    yield from ((HIT, at_r + k, at_h + k) for k in range(tail))


def _common(a: Items, b: Items) -> int:
    """Return how many items both begin with."""
    for k, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return k
    return min(len(a), len(b))


def _is_large(n: int, m: int, limit: int) -> bool:
    # rapidfuzz decides by these numbers too; others would trace another alignment.
    table = 2 * min(n, 2 * limit + 1) * m // 8
    return table >= LARGEST_TABLE and n >= SHORTEST_REFERENCE and m >= SHORTEST_HYPOTHESIS


def _halves(
    reference: Items, hypothesis: Items, limit: int, at_r: int, at_h: int
) -> Iterator[Edit]:
    middle = len(hypothesis) // 2
    before = last_row(reference, hypothesis[:middle])
    after = last_row(reference[::-1], hypothesis[middle:][::-1])[::-1]
    cut = min(range(len(before)), key=lambda j: before[j] + after[j])
    yield from _aligned(reference[:cut], hypothesis[:middle], before[cut], at_r, at_h)
    yield from _aligned(reference[cut:], hypothesis[middle:], after[cut], at_r + cut, at_h + middle)


def last_row(reference: Items, hypothesis: Items) -> list[int]:
    """Return what the hypothesis costs for each beginning of the reference."""
    ((rises, falls),) = deque(_rows(reference, hypothesis), maxlen=1)
    cells = [len(hypothesis)]
    for j in range(len(reference)):
        cells.append(cells[-1] + (rises >> j & 1) - (falls >> j & 1))
    return cells


def _rows(reference: Items, hypothesis: Items) -> Iterator[tuple[int, int]]:
    """Yield for each hypothesis item which cells are one more, and one less, than the left one.

    Bit j stands for the cell after j + 1 reference items (Hyyrö 2003; Python's integers have as
    many bits as the reference has items).
    """
    positions: dict[Hashable, int] = {}
    for j, item in enumerate(reference):
        positions[item] = positions.get(item, 0) | 1 << j
    everything = (1 << len(reference)) - 1
    rises, falls = everything, 0
    for item in hypothesis:
        matches = positions.get(item, 0)
        diagonal = (((matches & rises) + rises) ^ rises) | matches | falls
        higher = (falls | ~(diagonal | rises)) << 1 | 1
        lower = (rises & diagonal) << 1
        rises, falls = (lower | ~(diagonal | higher)) & everything, higher & diagonal & everything
        yield rises, falls


def _traced(
    reference: Items, hypothesis: Items, limit: int, at_r: int, at_h: int
) -> Iterator[Edit]:
    i, j = len(hypothesis), len(reference)
    # Only columns near the diagonal are kept: the others are not on a path this cheap.
    reach = limit + 1
    kept = [
        (rises >> max(row - reach, 0) & (1 << 2 * reach) - 1,
         falls >> max(row - reach, 0) & (1 << 2 * reach) - 1)
        for row, (rises, falls) in enumerate(_rows(reference, hypothesis))
    ] if i and j else []  # fmt: skip

    def is_set(side: int, row: int, column: int) -> int:
        shift = column - max(row - reach, 0)
        return kept[row][side] >> shift & 1

    edits: list[Edit] = []
    while i and j:
        if is_set(0, i - 1, j - 1):
            j -= 1
            edits.append((DELETE, at_r + j, at_h + i))
            continue
        i -= 1
        if i and is_set(1, i - 1, j - 1):
            edits.append((INSERT, at_r + j, at_h + i))
            continue
        j -= 1
        edits.append((HIT if reference[j] == hypothesis[i] else SUBSTITUTE, at_r + j, at_h + i))
    edits += [(DELETE, at_r + k, at_h) for k in range(j - 1, -1, -1)]
    edits += [(INSERT, at_r, at_h + k) for k in range(i - 1, -1, -1)]
    yield from reversed(edits)


# --- CDER -----------------------------------------------------------------------------------------


def long_jump_edits(reference: Items, hypothesis: Items) -> list[Edit]:
    """Return one cheapest alignment with long jumps (Leusch, Ueffing and Ney 2006).

    A path takes each reference item once, from left to right: with the next hypothesis item (a
    match costs 0, a substitution 1) or without one (a deletion, 1). Between two of these it may
    jump to any place in the hypothesis for 1. It begins before the first hypothesis item and ends
    after the last one. Seen from the end, it prefers a match to a substitution, that to a deletion,
    and that to a jump; a jump comes from the last place that it can come from.

    Args:
        reference: words or other items.
        hypothesis: likewise.

    >>> [at for at, edit in enumerate(long_jump_edits("abcdefgh", "efghabcd")) if edit[0] == "jump"]
    [0, 5, 10]
    """
    rows = list(_jump_rows(reference, hypothesis))
    edits: list[Edit] = []
    i, j = len(hypothesis), len(reference)
    while j:
        here, above = rows[j][i], rows[j - 1]
        equal = i > 0 and hypothesis[i - 1] == reference[j - 1]
        if i > 0 and here == above[i - 1] + (not equal):
            i, j = i - 1, j - 1
            edits.append((HIT if equal else SUBSTITUTE, j, i))
        elif here == above[i] + 1:
            j -= 1
            edits.append((DELETE, j, i))
        else:
            edits.append((JUMP, j, i))
            i = max(place for place, cost in enumerate(rows[j]) if cost == here - 1)
    if i:
        edits.append((JUMP, 0, i))
    return edits[::-1]


def _jump_rows(reference: Items, hypothesis: Items) -> Iterator[list[int]]:
    """Yield what each number of reference items costs at each place in the hypothesis."""
    row = [0] + [1] * len(hypothesis)
    yield row
    for item in reference:
        below = [row[0] + 1]
        for i, word in enumerate(hypothesis):
            below.append(min(row[i] + (word != item), row[i + 1] + 1))
        jump = min(below) + 1
        row = [min(cost, jump) for cost in below]
        yield row


# --- PER ------------------------------------------------------------------------------------------


def unordered_edits(reference: Items, hypothesis: Items) -> list[Edit]:
    """Return the edits of items that may stand in any order (Tillmann et al. 1997).

    Items without a match are substituted in pairs; those that are left on one side are deleted or
    inserted.

    Args:
        reference: words or other items.
        hypothesis: likewise.

    >>> unordered_edits("ab", "xbay")
    [('hit', 1, 1), ('hit', 0, 2), ('insert', 2, 0), ('insert', 2, 3)]
    """
    places: dict[Hashable, list[int]] = {}
    for j in reversed(range(len(reference))):
        places.setdefault(reference[j], []).append(j)
    edits: list[Edit] = []
    ours: list[int] = []
    for i, item in enumerate(hypothesis):
        if places.get(item):
            edits.append((HIT, places[item].pop(), i))
        else:
            ours.append(i)
    theirs = sorted(j for several in places.values() for j in several)
    edits += [(SUBSTITUTE, j, i) for j, i in zip(theirs, ours, strict=False)]
    edits += [(DELETE, j, len(hypothesis)) for j in theirs[len(ours) :]]
    edits += [(INSERT, len(reference), i) for i in ours[len(theirs) :]]
    return edits


EDITS: dict[str, Callable[[Items, Items], list[Edit]]] = {
    "none": levenshtein_edits,
    "blocks": long_jump_edits,
    "free": unordered_edits,
}
