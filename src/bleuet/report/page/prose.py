"""What the page says in sentences: what was compared, who is better, what marks mean."""

from __future__ import annotations

from html import escape

from bleuet.output.escaping import printable
from bleuet.report.page.data import names_in_words
from bleuet.studies.comparison.sections import gaps_in_words
from bleuet.studies.significance.few_segments import (
    TOO_NARROW,
    TOO_OFTEN,
    are_few,
    describe_few,
)
from bleuet.studies.significance.interval import in_percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.studies.comparison import Comparison
    from bleuet.studies.significance.paired_results import PairedResults


def summary(comparison: Comparison) -> str:
    """Return what was compared, in a line."""
    systems, segments = len(comparison.systems), len(comparison.evaluation)
    counts = {len(references) for references in comparison.evaluation.references}
    references = str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"
    return escape(
        f"{_count(systems, 'system')} on {_count(segments, 'segment')} with {references} "
        f"reference{'' if counts == {1} else 's'} each, by {names_in_words(comparison.metrics)}."
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def verdicts(comparison: Comparison) -> str:
    """Return who is best by each metric, and whom the test set cannot tell from it."""
    found = comparison.significance
    if found is None or len(comparison.systems) < 2:
        return ""
    alike: dict[str, list[str]] = {}
    for number, metric in enumerate(comparison.metrics):
        alike.setdefault(_verdict(comparison, found, number), []).append(metric)
    lines = "".join(
        f"<li>By {escape(names_in_words(metrics))}, {verdict}.</li>"
        for verdict, metrics in alike.items()
    )
    return f'<ul class="verdicts">{lines}</ul>'


def _verdict(comparison: Comparison, found: PairedResults, number: int) -> str:
    metric = comparison.metrics[number]
    sign = 1 if comparison.evaluation.metrics[number].higher_is_better else -1
    scores = [sign * own[number].score for own in comparison.scores]
    if len(set(scores)) == 1:
        return "all systems have the same score"
    best = comparison.systems[scores.index(max(scores))]
    worse = found.significantly_worse(best, metric)
    others = [name for name in comparison.systems if name != best and name not in worse]
    tested = metric not in found.untested
    return "; ".join(_clauses(_name(best), worse, others, tested))


def _clauses(best: str, worse: Sequence[str], others: Sequence[str], tested: bool) -> Iterator[str]:
    if worse:
        them = "all others" if not others and len(worse) > 1 else _names(worse)
        yield f"{best} is significantly better than {them}"
    else:
        yield f"{best} has the best score"
    if others and tested:
        yield f"this test set cannot tell it from {_names(others)}"


def _names(names: Sequence[str]) -> str:
    return names_in_words([_name(name) for name in names])


def _name(name: str) -> str:
    return f"<bdi><b>{escape(printable(name))}</b></bdi>"


def how_to_read(comparison: Comparison) -> str:
    """Return what the numbers and marks of the table of scores mean."""
    return "".join(f"<p>{escape(line)}</p>" for line in _explained(comparison))


def _explained(comparison: Comparison) -> Iterator[str]:
    for number, metric in enumerate(comparison.metrics):
        if not comparison.evaluation.metrics[number].higher_is_better:
            yield f"{metric} counts errors: lower is better."
    yield from gaps_in_words(comparison)
    found = comparison.significance
    if found is None:
        yield "No intervals or tests were asked for, so any difference may be due to chance."
        return
    interval = next((one.interval for one in found.scores if one.interval), None)
    if interval is not None:
        yield (
            f"± is half of a {in_percent(interval.confidence)} interval, from {found.draws:,} "
            "test sets drawn at random from this one: on other test sets of this kind the score "
            "would mostly lie that close."
        )
    if found.comparisons:
        yield (
            "Letters behind a score name the systems that are significantly worse "
            f"({found.short_test()}). Where no letter stands the systems may still differ, but "
            "this test set cannot tell."
        )
    yield from _few_segments(len(comparison.evaluation), found)
    yield from found.test_notes()


def _few_segments(segments: int, found: PairedResults) -> Iterator[str]:
    """Return what the command line warns of, for a page is read without it."""
    if are_few(segments):
        tests_too = found.comparisons and "bootstrap" in found.test
        yield f"{describe_few(segments, TOO_OFTEN if tests_too else TOO_NARROW)}."
