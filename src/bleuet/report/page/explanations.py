"""The sentences of the page: what is compared, which system is better, what marks mean."""

from __future__ import annotations

from html import escape

from bleuet.messages import plural
from bleuet.output.escaping import printable
from bleuet.report.page.page_data import listed_names
from bleuet.significance.interval import in_percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.comparison import Comparison
    from bleuet.report.page.kept import Kept
    from bleuet.significance.paired_results import PairedResults


# So many systems or warnings are listed.
NAMED = 5


def summary(comparison: Comparison) -> str:
    """Return what is compared, in one line."""
    systems, segments = len(comparison.systems), comparison.evaluation.segments
    counts = {len(references) for references in comparison.texts.references}
    references = str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"
    return escape(
        f"{plural(systems, 'system')} on {plural(segments, 'segment')} with {references} "
        f"reference{'' if counts == {1} else 's'} each, by {listed_names(comparison.metrics)}."
    )


def warnings(comparison: Comparison) -> str:
    """Return what makes the scores doubtful as a list, "" if nothing does."""
    lines = [f"<li>{escape(printable(one))}.</li>" for one in comparison.texts.problems]
    if not lines:
        return ""
    more = "".join(lines[NAMED:])
    folded = f"<details><summary>{len(lines) - NAMED} more</summary><ul>{more}</ul></details>"
    return (
        '<div class="warnings" role="note" aria-label="Warnings">'
        f"<ul>{''.join(lines[:NAMED])}</ul>{folded if more else ''}</div>"
    )


def left_out(kept: Kept) -> str:
    """Return which segments a page does not hold, and where they are; nothing if it holds all."""
    if kept.are_all:
        return ""
    several = len(kept.hypotheses) > 1
    first = "whose scores differ most between systems" if several else "with the worst scores"
    return (
        f'<p class="note">This page has the sentences of {len(kept):,} of the '
        f"{len(kept.texts.references):,} segments: by each metric those {first}, and an even "
        "sample of the others. Everything above counts all segments. <code>bleuet serve REF -i "
        "SYSTEM ...</code> shows all sentences.</p>"
    )


def verdicts(comparison: Comparison) -> str:
    """Return the best system by each metric, and the systems that may be as good."""
    found = comparison.significance
    if found is None or len(comparison.systems) < 2:
        return ""
    same: dict[str, list[str]] = {}
    for number, metric in enumerate(comparison.metrics):
        same.setdefault(_verdict(comparison, found, number), []).append(metric)
    lines = "".join(
        f"<li>By {escape(listed_names(metrics))}, {verdict}.</li>"
        for verdict, metrics in same.items()
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
    tested = bool(found.comparisons_by(metric))
    return "; ".join(_clauses(_name(best), worse, others, tested))


def _clauses(best: str, worse: Sequence[str], others: Sequence[str], tested: bool) -> Iterator[str]:
    if worse:
        them = _names(worse)
        if not others and len(worse) > 1:
            them = "all others"
        elif len(worse) > NAMED:
            them = plural(len(worse), "system")
        yield f"{best} is significantly better than {them}"
    else:
        yield f"{best} has the best score"
    if others and tested:
        rest = _names(others)
        if len(others) > NAMED:
            rest = f"{plural(len(others), 'other system')}, such as {_name(others[0])}"
        yield f"this test set does not show a difference between it and {rest}"


def _names(names: Sequence[str]) -> str:
    return listed_names([_name(name) for name in names])


def _name(name: str) -> str:
    return f"<bdi><b>{escape(printable(name))}</b></bdi>"


def how_to_read(comparison: Comparison) -> str:
    """Return what the numbers and marks in the table of scores mean."""
    return "".join(f"<p>{escape(line)}</p>" for line in _explanations(comparison))


def _explanations(comparison: Comparison) -> Iterator[str]:
    for number, metric in enumerate(comparison.metrics):
        if not comparison.evaluation.metrics[number].higher_is_better:
            yield f"{metric} counts errors: lower is better."
    yield from map(str, comparison.missing)
    found = comparison.significance
    if found is None:
        yield "There are no intervals and tests, so any difference may be due to chance."
        return
    interval = next((one.interval for one in found.scores if one.interval), None)
    if interval is not None:
        yield (
            f"± is half of a {in_percent(interval.confidence)} confidence interval, from "
            f"{found.draws:,} test sets drawn at random from this one: on other test sets of this "
            "kind, most scores would be this close."
        )
    if found.comparisons:
        yield (
            "A line in the table, which is sorted by a metric, separates clusters: all systems "
            f"above it are significantly better than all below ({found.short_test()}). Systems "
            "without a line between them may differ, too, but this test set does not show it."
        )
    yield from found.test_notes()
