"""Shifted alignment: from some line on, hypotheses belong to the references of other lines."""

from __future__ import annotations

from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING

from understudy.metrics.chrf import CHRF
from understudy.studies.inspection.finding import Finding
from understudy.text.corpus import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from understudy.studies.inspection.material import Material

# How far lines are looked for from where they belong.
FARTHEST = 3
# A run of lines is shifted where it is so long, and chrF gains so many points per line there, and
# so many standard errors.
LEAST_LINES, LEAST_GAIN, LEAST_ERRORS = 15, 5.0, 6.0


def find_shifts(material: Material) -> Iterator[Finding]:
    """Find runs of hypotheses that fit the references some lines on better than their own."""
    count = len(material.entries)
    if count < LEAST_LINES:
        return
    steps = [step for d in range(1, FARTHEST + 1) for step in (d, -d) if count - d >= LEAST_LINES]
    for side in material.systems:
        fits = {step: _fits(material, side.name, step) for step in (0, *steps)}
        for rows, step in _runs(fits, steps):
            yield _shift(material, side.name, rows, step)


def _fits(material: Material, system: str, step: int) -> list[float]:
    """The chrF of every hypothesis with the references `step` lines on; 0 where there are none."""
    corpus = material.scoring.corpora[system]
    first, last = max(0, -step), len(corpus) - max(0, step)
    shifted = Corpus.from_checked(
        corpus.hypotheses[first:last], corpus.references[first + step : last + step]
    )
    values = CHRF().sentence_scores(shifted).values
    return [*[0.0] * first, *values, *[0.0] * (len(corpus) - last)]


def _runs(fits: dict[int, list[float]], steps: Sequence[int]) -> Iterator[tuple[range, int]]:
    """All runs that are shifted, the clearest first taken, none inside another."""
    open_rows = [range(len(fits[0]))]
    while open_rows:
        rows = open_rows.pop()
        found = [
            (gain, run, step)
            for step in steps
            for gain, run in [_best_run(fits[0], fits[step], rows)]
            if run
        ]
        if found:
            _, run, step = max(found, key=lambda one: one[0])
            yield run, step
            open_rows += [range(rows.start, run.start), range(run.stop, rows.stop)]


def _best_run(here: Sequence[float], there: Sequence[float], rows: range) -> tuple[float, range]:
    """The run that gains most by the shift, and its gain; an empty one where that is not clear.

    It is the segment with the largest sum (Kadane), found from the running sums.
    """
    gains = [there[row] - here[row] for row in rows]
    best, least, start, run = 0.0, 0.0, 0, range(0)
    for stop, total in enumerate(accumulate(gains), 1):
        if total - least > best:
            best, run = total - least, range(start, stop)
        if total <= least:
            least, start = total, stop
    picked = [gains[i] for i in run]
    if len(run) < LEAST_LINES or best < LEAST_GAIN * len(run):
        return 0.0, range(0)
    mean = best / len(run)
    spread = sqrt(sum((gain - mean) ** 2 for gain in picked) / (len(run) - 1))
    if mean * sqrt(len(run)) < LEAST_ERRORS * spread:
        return 0.0, range(0)
    return best, range(rows.start + run.start, rows.start + run.stop)


def _shift(material: Material, system: str, rows: range, step: int) -> Finding:
    lines = "line" if abs(step) == 1 else "lines"
    where = "further down" if step > 0 else "further up"
    message = (
        f"lines {rows.start + 1} to {rows.stop} fit the references {abs(step)} {lines} {where} "
        f"better than their own: near line {rows.start + 1} a line is "
        f"{'missing here or too much there' if step > 0 else 'too much here or missing there'}"
    )
    return Finding(
        "alignment",
        system,
        "hypotheses",
        tuple(row + 1 for row in rows),
        message,
        "shifted back",
        material.scoring.realigned(system, rows, step),
    )
