"""Files of different lengths: where lines were lost, added, merged or split.

Lines of a file are aligned with those of the references in order (Gale and Church 1993, "A Program
for Aligning Sentences in Bilingual Corpora"), by chrF instead of lengths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.frozen import Value
from bleuet.linting.finding import Finding
from bleuet.linting.material import HYPOTHESES, SOURCE
from bleuet.messages import plural
from bleuet.metrics.chrf.metric import CHRF
from bleuet.text.corpus import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.linting.material import Material

LENGTH = "length"
# Files whose lengths differ by more lines are not aligned.
MOST_LINES = 30
# The alignment may run so many lines beside the shifts that the lengths need.
ROOM = 2
# In points of chrF: what each step but one line with one line costs, so that noise makes none.
COST = 30.0
# Places whose alignments are worse by less than this are as good.
MARGIN = 15.0
# Files belong together if their lines have this much more chrF than with unrelated lines.
LEAST_GAIN = 5.0
# How many lines of each side a step takes: (hypotheses, references).
LOST, ADDED, MERGED, SPLIT = (0, 1), (1, 0), (1, 2), (2, 1)
PAIR = (1, 1)


class Misalignment(Value):
    """A step of an alignment that is not one line with one line.

    Attributes:
        kind: LOST, ADDED, MERGED or SPLIT.
        line: the line of the file, from 0, where it happened.
        reference: the line of the references, from 0.
        first: the first line of the file that is as likely.
        last: the last line that is as likely.
    """

    kind: tuple[int, int]
    line: int
    reference: int
    first: int
    last: int


def find_lost_lines(
    name: str, role: str, texts: Sequence[str], references: Sequence[str]
) -> Iterator[Finding]:
    """Find where a file has lines fewer or more than the references.

    Args:
        name: the name of the file.
        role: its role: hypotheses or references.
        texts: its lines.
        references: the lines that it should have counterparts of.
    """
    difference = len(references) - len(texts)
    message = f"it has {plural(len(texts), 'line')}, but the references have {len(references):,}"
    if role == SOURCE:
        yield Finding(LENGTH, name, role, (), message)
        return
    steps: list[Misalignment] | None = None
    if texts and abs(difference) <= MOST_LINES:
        steps = align(texts, references)
    if not steps:
        reason = "the lines do not fit those of the references"
        if abs(difference) > MOST_LINES:
            reason = f"more than {MOST_LINES} are not searched for"
        reason += ": it may be another test set"
        if role == HYPOTHESES:
            reason += ", or text in other segments, which bleuet align cuts as the references are"
        yield Finding(LENGTH, name, role, (), f"{message}; {reason}")
        return
    for step in steps:
        line = min(step.line + 1, len(texts))
        told = _told(step, line)
        if role == HYPOTHESES and step.kind in (MERGED, SPLIT):
            told += "; bleuet align cuts it as the references are"
        yield Finding(LENGTH, name, role, (line,), f"{message}; {told}")


def _told(step: Misalignment, line: int) -> str:
    reference = step.reference + 1
    side = "before" if line == step.line + 1 else "after"
    happened = {
        LOST: f"the line for line {reference} of the references is missing {side} this line",
        ADDED: "the references have no counterpart of this line",
        MERGED: f"this line is lines {reference} and {reference + 1} of the references in one",
        SPLIT: f"this line and the next one are line {reference} of the references",
    }[step.kind]
    if step.first == step.last:
        return happened
    return f"{happened}, or somewhere in lines {step.first + 1} to {step.last + 1}"


def find_lengths(material: Material) -> Iterator[Finding]:
    """Find nothing: material that all checks can read has files of one length."""
    yield from ()


def align(texts: Sequence[str], references: Sequence[str]) -> list[Misalignment] | None:
    """Return the steps of the best alignment that are not one line with one line.

    Args:
        texts: the lines of a file.
        references: the lines of the other file; their numbers may differ by `MOST_LINES`.

    Returns:
        The steps in order; None where the files do not belong together.
    """
    difference = len(references) - len(texts)
    shifts = range(min(0, difference) - ROOM, max(0, difference) + ROOM + 1)
    fits = _Fits(texts, references)
    unrelated = fits.mean_of_shift(shifts.stop + 5)
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for i in range(len(texts) + 1):
        for shift in shifts:
            j = i + shift
            if not 0 <= j <= len(references) or (i, j) == (0, 0):
                continue
            options = [
                (best[i - taken, j - given][0] + value, (taken, given))
                for taken, given in (PAIR, LOST, ADDED, MERGED, SPLIT)
                if (i - taken, j - given) in best
                and (value := fits.value(i, j, (taken, given), unrelated)) is not None
            ]
            if options:
                best[i, j] = max(options)
    steps = _walk_back(best, (len(texts), len(references)))
    if best[len(texts), len(references)][0] < LEAST_GAIN * min(len(texts), len(references)):
        return None
    return [_with_range(step, fits, steps, n) for n, step in enumerate(steps)]


def _walk_back(
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]], end: tuple[int, int]
) -> list[Misalignment]:
    steps: list[Misalignment] = []
    i, j = end
    while (i, j) != (0, 0):
        kind = best[i, j][1]
        i, j = i - kind[0], j - kind[1]
        if kind != PAIR:
            steps.append(Misalignment(kind, i, j, i, i))
    return steps[::-1]


def _with_range(
    step: Misalignment, fits: _Fits, steps: Sequence[Misalignment], n: int
) -> Misalignment:
    """Return a step with all lines at which it is equally likely."""
    if step.kind not in (LOST, ADDED):
        return step
    before = step.reference - step.line
    after = before + step.kind[1] - step.kind[0]
    first = last = step.line
    lost, least = 0.0, steps[n - 1].line + 1 if n else 0
    # Earlier: the lines between fit the later shift nearly as well, and the other way round.
    for line in range(step.line - 1, least - 1, -1):
        lost += fits.pair(line, before) - fits.pair(line + step.kind[0], after)
        if lost > MARGIN:
            break
        first = line
    lost, most = 0.0, steps[n + 1].line if n + 1 < len(steps) else len(fits.texts)
    for line in range(step.line, most):
        lost += fits.pair(line + step.kind[0], after) - fits.pair(line, before)
        if lost > MARGIN:
            break
        last = line + 1
    return step.replace(first=first, last=min(last, most))


class _Fits:
    """The chrF of lines and groups of lines, counted shift by shift."""

    def __init__(self, texts: Sequence[str], references: Sequence[str]) -> None:
        self.texts = texts
        self._references = references
        self._counted: dict[tuple[tuple[int, int], int], list[float]] = {}

    def value(self, i: int, j: int, kind: tuple[int, int], unrelated: float) -> float | None:
        """Return what a step to line i of the texts and j of the references adds."""
        taken, given = kind
        if not (taken and given):
            return -COST
        at, shift = i - taken, (j - given) - (i - taken)
        fit = self._of(kind, shift)[at]
        if kind == PAIR:
            return fit - unrelated
        # It must be better than the better of its two lines alone.
        alone = max(self.pair(at, shift), self.pair(i - 1, j - i))
        return fit - unrelated + (fit - alone) - COST

    def pair(self, i: int, shift: int) -> float:
        """Return the chrF of a line and the one `shift` lines later, 0 for none."""
        values = self._of(PAIR, shift)
        return values[i] if 0 <= i < len(values) else 0.0

    def mean_of_shift(self, shift: int) -> float:
        """Return the mean chrF of lines that do not belong together."""
        values = self._of(PAIR, min(shift, len(self._references) - 1))
        present = [value for value in values if value]
        return sum(present) / len(present) if present else 0.0

    def _of(self, kind: tuple[int, int], shift: int) -> list[float]:
        if (kind, shift) not in self._counted:
            self._counted[kind, shift] = self._count(kind, shift)
        return self._counted[kind, shift]

    def _count(self, kind: tuple[int, int], shift: int) -> list[float]:
        taken, given = kind
        lines = range(
            max(0, -shift),
            min(len(self.texts) - taken + 1, len(self._references) - shift - given + 1),
        )
        values = [0.0] * len(self.texts)
        if not lines:
            return values
        corpus = Corpus.from_checked(
            [" ".join(self.texts[i : i + taken]) for i in lines],
            [" ".join(self._references[i + shift : i + shift + given]) for i in lines],
        )
        metric = CHRF(beta=1)
        found = metric.segment_scores(metric.table(corpus)).values
        values[lines.start : lines.stop] = found
        return values
