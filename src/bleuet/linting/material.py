"""The input of all checks: the texts of all files, line by line, and their scores."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.linting.effect import Scoring
from bleuet.linting.finding import Finding
from bleuet.metrics.base.text_checks import TextChecks
from bleuet.text.corpus import Corpus
from bleuet.text.segments import TEXT, Segments
from bleuet.text.validation import check_lengths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from bleuet.linting.finding import Effect
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.text_checks import TextCheck
    from bleuet.text.source import Source

HYPOTHESES, REFERENCES, SOURCE = "hypotheses", "references", "source"


class Side(Value):
    """One file: its texts and their segments; one segment may have several texts.

    Args:
        name: its name in findings.
        role: hypotheses, references or source.
        texts: the texts.
        rows: the segment of each text, from 0.
        as_lines: whether users say that they are plain text.
    """

    name: str
    role: str
    texts: Sequence[str]
    rows: Sequence[int]
    as_lines: bool = False

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return zip(self.rows, self.texts, strict=True)

    def faulty(self, has_fault: Callable[[str], bool]) -> dict[int, str]:
        """Return the segments of which a text has a fault, from 0, and the first such text of each.

        Args:
            has_fault: whether a text has it.
        """
        texts: dict[int, str] = {}
        for row, text in self:
            if row not in texts and has_fault(text):
                texts[row] = text
        return texts

    def finding(
        self,
        check: str,
        rows: Iterable[int],
        message: str,
        remedy: str = "",
        effects: tuple[Effect, ...] = (),
    ) -> Finding:
        """Return a finding in this file.

        Args:
            check: the check's name.
            rows: the affected lines, from 0; none if it is the whole file.
            message: the problem as a sentence.
            remedy: the change that `effects` measure.
            effects: the scores before and after the remedy.
        """
        lines = tuple(row + 1 for row in rows)
        return Finding(check, self.name, self.role, lines, message, remedy, effects)


class Material:
    """The texts that checks read.

    Args:
        systems: the hypotheses of each system, by its name.
        references: for each segment a string, or a list of strings and None.
        source: one string for each segment, or None.
        training: a file of training text, or None.
        metrics: the metrics that measure the effect of findings.
        names: one name for each file of references, and the name of the source.

    Raises:
        InputError: the texts cannot be scored, or differ in number.
    """

    def __init__(
        self,
        systems: Mapping[str, Sequence[str] | Segments],
        references: Sequence[Any] | Segments,
        *,
        source: Sequence[str] | Segments | None = None,
        training: Source | None = None,
        metrics: Sequence[Metric[Any]] = (),
        names: tuple[Sequence[str], str] = (("references",), "source"),
    ) -> None:
        shared = Segments.references(references)
        entries = shared.tolist()
        segments = {name: Segments.hypotheses(given) for name, given in systems.items()}
        texts = {name: given.tolist() for name, given in segments.items()}
        for hypotheses in texts.values():
            check_lengths(hypotheses, entries)
        if source is not None and len(source) != len(entries):
            raise InputError(
                f"the source has {len(source)} segments and the references have {len(entries)}; "
                "expected as many: check that both come from the same test set"
            )
        every = range(len(entries))
        self.systems = tuple(
            Side(name, HYPOTHESES, given.tolist(), every, given.as_lines)
            for name, given in segments.items()
        )
        self.source = None
        if source is not None:
            given = Segments.hypotheses(source)
            self.source = Side(names[1], SOURCE, given.tolist(), every, given.as_lines)
        self.training = training
        self.entries = entries
        self.references = tuple(
            side.replace(as_lines=shared.as_lines) for side in _reference_sides(entries, names[0])
        )
        self.scoring = Scoring(
            {n: Corpus.from_checked(t, entries) for n, t in texts.items()}, metrics
        )

    def checked_by(self, check: type[TextCheck]) -> Iterator[str]:
        """Yield the sentences of a check of the scored texts."""
        checks = TextChecks([side.name for side in self.systems], (), checks=(check,))
        texts: list[Any] = [side.texts for side in self.systems]
        checks.check([Segments(TEXT, own) for own in texts], Segments(TEXT, self.entries))
        return checks.problems()

    @cached_property
    def alternatives(self) -> list[tuple[str, ...]]:
        """The references of each segment, without missing ones."""
        return [_texts_of(entry) for entry in self.entries]

    @property
    def scored(self) -> tuple[Side, ...]:
        """The files that are scored: hypotheses and references."""
        return (*self.systems, *self.references)

    @property
    def sides(self) -> tuple[Side, ...]:
        """All files except the training text."""
        return (*self.scored, *([self.source] if self.source else []))

    def systems_affected_by(self, side: Side) -> list[str]:
        """Return the systems whose scores depend on a file."""
        if side.role == HYPOTHESES:
            return [side.name]
        return [system.name for system in self.systems] if side.role == REFERENCES else []

    def effects_without(self, side: Side, rows: Collection[int]) -> tuple[Effect, ...]:
        """Return the effect of leaving lines of a file out.

        Args:
            side: the file.
            rows: the lines, from 0.
        """
        return self.scoring.without(rows, self.systems_affected_by(side))

    def effects_repaired(
        self, side: Side, rows: Iterable[int], repair: Callable[[str], str]
    ) -> tuple[Effect, ...]:
        """Return the effect of repairing lines of a file.

        Args:
            side: the file.
            rows: the lines, from 0.
            repair: returns the repaired text.
        """
        if side.role == HYPOTHESES:
            return self.scoring.repaired(
                [side.name], {row: repair(side.texts[row]) for row in rows}
            )
        entries = {row: repaired_entry(self.entries[row], repair) for row in rows}
        return self.scoring.repaired(self.systems_affected_by(side), references=entries)

    def effects_of_both_repaired(
        self, side: Side, repair: Callable[[str], str]
    ) -> tuple[Effect, ...]:
        """Return the effect of repairing hypotheses and references, on systems a file affects."""
        entries = {row: repaired_entry(entry, repair) for row, entry in enumerate(self.entries)}
        affected = self.systems_affected_by(side)
        return tuple(
            effect
            for system in self.systems
            if system.name in affected
            for effect in self.scoring.repaired(
                [system.name], {row: repair(text) for row, text in system}, entries
            )
        )

    def faulty_alone(self, side: Side, has_fault: Callable[[str], bool]) -> dict[int, str]:
        """Return what `Side.faulty` does, without segments where the fault is on both sides.

        Args:
            side: the file.
            has_fault: whether a text has it.
        """
        return {
            row: text
            for row, text in side.faulty(has_fault).items()
            if not any(map(has_fault, self.others(side, row)))
        }

    def others(self, side: Side, row: int) -> list[str]:
        """Return the texts of a segment in the files that a file is compared with.

        Hypotheses are compared with references and source, and these with each other.
        """
        texts = [] if side.role == REFERENCES else list(self.alternatives[row])
        if self.source is not None and side.role != SOURCE:
            texts.append(self.source.texts[row])
        return texts


def repaired_entry(entry: Any, repair: Callable[[str], str]) -> Any:
    """Return the references of a segment, each one repaired.

    >>> repaired_entry(["A", None], str.lower)
    ['a', None]
    """
    if isinstance(entry, str):
        return repair(entry)
    return [None if text is None else repair(text) for text in entry]


def _texts_of(entry: Any) -> tuple[str, ...]:
    return (entry,) if isinstance(entry, str) else tuple(t for t in entry if t is not None)


def _reference_sides(entries: Sequence[Any], names: Sequence[str]) -> Iterator[Side]:
    if all(isinstance(entry, tuple) and len(entry) == len(names) for entry in entries):
        # Each segment has one text from each file.
        for k, name in enumerate(names):
            rows = [i for i, entry in enumerate(entries) if entry[k] is not None]
            yield Side(name, REFERENCES, [entries[i][k] for i in rows], rows)
        return
    pairs = [(i, text) for i, entry in enumerate(entries) for text in _texts_of(entry)]
    yield Side(" ".join(names), REFERENCES, [t for _, t in pairs], [i for i, _ in pairs])
