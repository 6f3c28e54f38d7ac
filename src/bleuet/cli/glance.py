"""What can be seen at a glance while scoring: what `bleuet lint` would say, nearly for free."""

from __future__ import annotations

from bleuet.statistics.backend import backend
from bleuet.text.segments import LINES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleuet.engines.counting import Batch
    from bleuet.text.segments import Segments

# sacreBLEU's measure of a corpus that somebody forgot to detokenize.
TOKENIZED_LINES = 100
# Fewer lines may be equal by skill.
SAME_LINES = 10
# What escapes leave behind. More of them, and where they stand, is for `bleuet lint`.
ENTITIES = ("&quot;", "&amp;", "&#39;", "&apos;", "&lt;", "&gt;")


class Glance:
    """Looks at each batch on its way to be counted, and remembers what is wrong with it.

    Args:
        names: the systems' names.
        detokenized: whether the metrics expect detokenized text.
        known: for each system, whether it is known to be a reference.
    """

    def __init__(self, names: Sequence[str], detokenized: bool, known: Sequence[bool]) -> None:
        self._names = names
        self._detokenized = detokenized
        self._empty = [0] * len(names)
        self._tokenized = [0] * len(names)
        self._entities = [0] * len(names)
        self._same = [not itself for itself in known]
        self._lines = 0
        self._empty_references = 0

    def over(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Hand batches on after a look at them."""
        for first, batch in enumerate(batches):
            hypotheses, references = batch
            self._lines += len(references)
            self._empty_references += _count_empty(references)
            for system, texts in enumerate(hypotheses):
                self._look(system, texts, references)
                # Escaped text is escaped from the start: later batches would only cost time.
                if not first:
                    self._entities[system] = _count_escaped(texts)
            yield batch

    def _look(self, system: int, texts: Segments, references: Segments) -> None:
        self._empty[system] += _count_empty(texts)
        if self._same[system]:
            self._same[system] = _is_a_reference(texts, references)
        if self._detokenized and self._tokenized[system] < TOKENIZED_LINES:
            self._tokenized[system] += _count_tokenized(texts)

    def warnings(self) -> Iterator[str]:
        """Return a sentence for everything that was seen."""
        if self._empty_references:
            yield f"{_lines(self._empty_references, 'of the references is', 'are')} empty"
        for system, name in enumerate(self._names):
            if self._empty[system]:
                yield f"{_lines(self._empty[system], f'of {name} is', 'are')} empty"
            if self._same[system] and self._lines >= SAME_LINES:
                yield f"{name} is the same as a reference, line by line"
            if self._tokenized[system] >= TOKENIZED_LINES:
                yield (
                    f"{TOKENIZED_LINES} lines of {name} or more end in ' .', as tokenized text "
                    "does; scores are comparable only on detokenized text"
                )
            if self._entities[system]:
                yield (
                    f"{_lines(self._entities[system], f'of {name} holds', 'hold')} escaped "
                    "entities such as &quot;; bleuet lint tells where"
                )


def _lines(count: int, one: str, many: str) -> str:
    """A number of lines with its verb.

    >>> _lines(1, "of a.txt is", "are"), _lines(2, "of a.txt is", "are")
    ('1 line of a.txt is', '2 lines of a.txt are')
    """
    if count == 1:
        return f"1 line {one}"
    return f"{count} lines {one.rpartition(' ')[0]} {many}"


def _count_empty(segments: Segments) -> int:
    if segments.kind != LINES:
        return segments.count("")
    # Of several references of a segment, some reference is not empty.
    return _count_endings(segments, b"\n") if len(segments.files) == 1 else 0


def _count_tokenized(texts: Segments) -> int:
    if texts.kind == LINES:
        return _count_endings(texts, b" .")
    return sum([text.endswith(" .") for text in texts])


def _count_endings(lines: Segments, ending: bytes) -> int:
    count = backend().count_endings
    return sum([count(block, ending) for block, _ in lines.files[0]])


def _is_a_reference(texts: Segments, references: Segments) -> bool:
    """Whether hypotheses are the references, which mostly the first line disproves."""
    if references.kind == LINES:
        return any(texts == column for column in references.columns)
    if type(references[0]) is str:
        return texts == references
    return texts[0] in references[0] and any(
        list(column) == texts for column in zip(*references, strict=False)
    )


def _count_escaped(texts: Segments) -> int:
    return sum(any(entity in text for entity in ENTITIES) for text in texts.containing("&"))
