"""Shifted alignment: hypotheses that belong to the references of other lines."""

from __future__ import annotations

from itertools import accumulate
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING

from bleuet.metrics.chrf.metric import CHRF
from bleuet.text.corpus import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material, Side

# The largest shift, in lines, that is searched for.
FARTHEST = 3
# A run of lines is shifted if it has at least so many lines, and chrF with the shift is higher than
# with any other by at least so many points per line and so many standard errors.
LEAST_LINES, LEAST_GAIN, LEAST_ERRORS = 15, 5.0, 6.0


def find_shifts(material: Material) -> Iterator[Finding]:
    """Find runs of hypotheses that fit the references of later or earlier lines better."""
    count = len(material.entries)
    steps = [step for d in range(1, FARTHEST + 1) for step in (d, -d) if count - d >= LEAST_LINES]
    if not steps:
        return
    for side in material.systems:
        fits = {step: _fits(material, side.name, step) for step in (0, *steps)}
        for rows, step in _runs(_gains(fits)):
            yield _shift(material, side, rows, step)


def _fits(material: Material, system: str, step: int) -> list[float]:
    """Return the chrF of each hypothesis and the references `step` lines later, 0 without any."""
    corpus = material.scoring.corpora[system]
    first, last = max(0, -step), len(corpus) - max(0, step)
    shifted = Corpus.from_checked(
        corpus.hypotheses[first:last], corpus.references[first + step : last + step]
    )
    metric = CHRF()
    values = metric.segment_scores(metric.table(shifted)).values
    return [*[0.0] * first, *values, *[0.0] * (len(corpus) - last)]


def _gains(fits: dict[int, list[float]]) -> dict[int, list[float]]:
    """Return by how much each shift fits each hypothesis better than the best other shift."""
    gains = {}
    for step in fits.keys() - {0}:
        others = zip(*(fit for other, fit in fits.items() if other != step), strict=True)
        gains[step] = [fit - max(rest) for fit, rest in zip(fits[step], others, strict=True)]
    return gains


def _runs(gains: dict[int, list[float]]) -> list[tuple[range, int]]:
    """Return all shifted runs, none inside another: the clearest first, then those in the rest."""
    runs = []
    open_rows = [range(len(next(iter(gains.values()))))]
    while open_rows:
        rows = open_rows.pop()
        found = [(*_best_run(gains[step], rows), step) for step in gains]
        _, run, step = max(found, key=lambda one: one[0])
        if run:
            runs.append((run, step))
            open_rows += [range(rows.start, run.start), range(run.stop, rows.stop)]
    return sorted(runs, key=lambda one: one[0].start)


def _best_run(gains: Sequence[float], rows: range) -> tuple[float, range]:
    """Return the run that gains most by the shift, and its gain; an empty one if none is clear.

    It is the slice with the largest sum (Kadane's algorithm), from the running sums.
    """
    best, least, start, run = 0.0, 0.0, rows.start, range(0)
    for stop, total in enumerate(accumulate(gains[rows.start : rows.stop]), rows.start + 1):
        if total - least > best:
            best, run = total - least, range(start, stop)
        if total <= least:
            least, start = total, stop
    # A line at an end that gains next to nothing is the extra line itself, and not shifted.
    while run and gains[run[0]] < LEAST_GAIN:
        run = run[1:]
    while run and gains[run[-1]] < LEAST_GAIN:
        run = run[:-1]
    return (best, run) if _is_clear([gains[row] for row in run]) else (0.0, range(0))


def _is_clear(gains: Sequence[float]) -> bool:
    if len(gains) < LEAST_LINES or sum(gains) < LEAST_GAIN * len(gains):
        return False
    return mean(gains) * sqrt(len(gains)) >= LEAST_ERRORS * stdev(gains)


def _shift(material: Material, side: Side, rows: range, step: int) -> Finding:
    lines = "line" if abs(step) == 1 else "lines"
    where = "further down" if step > 0 else "further up"
    message = (
        f"lines {rows.start + 1} to {rows.stop} fit the references {abs(step)} {lines} {where} "
        f"better than their own: near line {rows.start + 1} a line is "
        f"{'missing here or too much there' if step > 0 else 'too much here or missing there'}"
    )
    effects = material.scoring.realigned(side.name, rows, step)
    return side.finding("alignment", rows, message, "shifted back", effects)
