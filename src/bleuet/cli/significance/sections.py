"""Tested systems as tables of cells, and what is said above and below them."""

from __future__ import annotations

from bleuet.studies.comparison.sections import (
    PEOPLE,
    Ends,
    Number,
    Probability,
    Scored,
    Section,
)
from bleuet.studies.significance.findings import TOO_COARSE, correction_in_words
from bleuet.studies.significance.interval import in_percent
from bleuet.studies.significance.testing import TESTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.cli.significance.tested import Tested
    from bleuet.studies.comparison.sections import Cell
    from bleuet.studies.significance import Comparison, Significance

BASELINE, UNDECIDED = "baseline", "n.s."


def sections_of(tested: Tested, width: int) -> list[Section]:
    """Return the tables: one for each metric, or where all pairs are compared two.

    Args:
        tested: what was found.
        width: digits after the decimal point.
    """
    return [
        section
        for metric in tested.found.results.metrics
        for section in (
            [_untested(tested, metric)]
            if metric in tested.found.untested
            else [_with_baseline(tested, metric, width)]
            if tested.baseline is not None
            else [_scores(tested, metric), _pairs(tested, metric, width)]
        )
    ]


def _untested(tested: Tested, metric: str) -> Section:
    rows = tuple(
        (name, *_score(tested, name, metric, marks=False)) for name in tested.found.results.systems
    )
    return Section("significance", metric, ("system", *_score_columns(tested)), rows)


# --- A baseline -----------------------------------------------------------------------------------


def _with_baseline(tested: Tested, metric: str, width: int) -> Section:
    results = tested.found.results
    compared = {one.system: one for one in results.comparisons if one.metric == metric}
    rows = tuple(
        (
            name,
            *_score(tested, name, metric, marks=False),
            *_difference(tested, metric, compared.get(name), width),
        )
        for name in results.systems
    )
    columns = ("system", *_score_columns(tested), *_difference_columns(tested, metric, "change"))
    return Section("significance", metric, columns, rows)


def _score_columns(tested: Tested) -> list[str]:
    return ["mean", "s", "all runs"] if tested.runs else ["score"]


def _score(tested: Tested, name: str, metric: str, *, marks: bool) -> list[Cell]:
    found = tested.found
    interval = found.interval(name, metric)
    score = Scored(
        found.results.estimate(name, metric).score,
        None if interval is None else (interval.low, interval.high),
        found.marks(name, metric) if marks else "",
        tested.digits(metric),
    )
    if not tested.runs:
        return [score]
    run = next(one for one in tested.runs if (one.system, one.metric) == (name, metric))
    more = tested.digits(metric)
    return [Number(run.mean, more), Number(run.standard_deviation, more), score]


def _difference_columns(tested: Tested, metric: str, difference: str) -> list[str]:
    level = _level(tested)
    ends = [] if level is None else [f"{in_percent(level)} interval"]
    people = ["people agree"] if metric in tested.found.covered else []
    return [difference, *ends, "p", "verdict", *people]


def _difference(tested: Tested, metric: str, one: Comparison | None, width: int) -> Sequence[Cell]:
    """The cells of a comparison; those of the baseline are empty."""
    found = tested.found
    more = tested.digits(metric)
    ends = [] if _level(tested) is None else [_ends(one, width + more)]
    people = [_people(found, one)] if metric in found.covered else []
    if one is None:
        return [None, *ends, None, BASELINE, *people]
    return [Number(one.difference, more), *ends, Probability(one.p), _verdict(found, one), *people]


def _level(tested: Tested) -> float | None:
    """The level of the differences' intervals, None where there are none."""
    one = next(iter(tested.found.results.comparisons), None)
    if one is None:
        return None
    interval = tested.found.interval(one.system, one.metric)
    return None if one.low is None or interval is None else interval.level


def _ends(one: Comparison | None, width: int) -> Ends:
    if one is None or one.low is None or one.high is None:
        return Ends()
    return Ends(f"{one.low:+.{width}f} to {one.high:+.{width}f}")


def _verdict(found: Significance, one: Comparison) -> str:
    if not found.is_significant(one):
        return UNDECIDED
    return "better" if one.better == one.system else "worse"


def _people(found: Significance, one: Comparison | None) -> str:
    share = None if one is None else found.agreement(one)
    return "" if share is None else f"{share:.0%}"


# --- All pairs ------------------------------------------------------------------------------------


def _scores(tested: Tested, metric: str) -> Section:
    found = tested.found
    rows = tuple(
        (name, found.letters[name], *_score(tested, name, metric, marks=True))
        for name in found.results.systems
    )
    return Section("scores", metric, ("system", "letter", *_score_columns(tested)), rows)


def _pairs(tested: Tested, metric: str, width: int) -> Section:
    rows = tuple(
        (f"{one.system} - {one.baseline}", *_difference(tested, metric, one, width))
        for one in tested.found.results.comparisons
        if one.metric == metric
    )
    columns = ("systems", *_difference_columns(tested, metric, "difference"))
    return Section("differences", f"Differences in {metric}", columns, rows)


# --- In words -------------------------------------------------------------------------------------


def test_in_words(tested: Tested) -> str:
    """Return the test, what it was made of, and when a difference counts, in one sentence."""
    found, results = tested.found, tested.found.results
    drawn = f"{found.trials:,} trials" if found.trials else f"{found.draws or 0:,} draws"
    seed = "no seed" if tested.seed is None else f"seed {tested.seed}"
    pairs = len({(one.baseline, one.system) for one in results.comparisons})
    against = "" if tested.baseline is None else f" with {tested.baseline}"
    what = f"1 comparison{against}"
    if pairs > 1:
        what = f"{pairs} comparisons{against}, {correction_in_words(results.correction)}"
    stratified = "stratified over runs, " if tested.runs else ""
    return (
        f"{TESTS[tested.test].summary[0].upper()}{TESTS[tested.test].summary[1:]}, {stratified}"
        f"{drawn}, {seed}; {tested.segments:,} segments; {what}; a difference counts where "
        f"p < {found.alpha:g}."
    )


def notes_of(tested: Tested) -> list[str]:
    """Return what is to be said below the tables."""
    return list(_notes(tested))


def _notes(tested: Tested) -> Iterator[str]:
    found = tested.found
    results = found.results
    yield from tested.gaps
    interval = next((one.interval for one in results.estimates if one.interval), None)
    if interval is not None:
        yield f"± is half the {in_percent(interval.level)} interval of {found.draws:,} draws."
    if tested.runs:
        runs = len(tested.runs[0].scores)
        yield (
            f"mean and s are mean and standard deviation of the scores of {runs} runs; all runs is "
            "the score of all of them as one text, whose differences are tested."
        )
    if tested.baseline is None:
        yield "Letters behind a score name the systems that are significantly worse."
    if any(not found.is_significant(one) for one in results.comparisons):
        yield f"{UNDECIDED}: not significant, so that this test set does not tell who is better."
    if found.covered:
        yield f"{PEOPLE}."
    if found.is_too_coarse:
        yield TOO_COARSE
    if found.untested:
        yield found.untested_in_words()
