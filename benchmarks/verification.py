"""Check that scores are equal, to the last digit, before times are measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from benchmarks.timing import Task


class Outcome(NamedTuple):
    """Differences that are errors, and the runners whose scores may differ and do."""

    wrong: list[str]
    different: set[str]


def verify(task: Task) -> Outcome:
    """Run every runner once and compare the scores; this also warms up caches."""
    first, *rest = task.runners
    right = list(first.run())
    found: list[str] = []
    different: set[str] = set()
    for runner in rest:
        difference = _difference(runner.name, list(runner.run()), right)
        if difference and not runner.expected:
            different.add(runner.name)
        elif difference:
            found.append(difference)
    for check in task.checks:
        difference = _difference(check.name, list(check.ours()), list(check.theirs()))
        found += [difference] if difference else []
    return Outcome(found, different)


def _difference(name: str, got: list[float], right: list[float]) -> str:
    if got == right:
        return ""
    if len(got) != len(right):
        return f"{name}: {len(got)} scores instead of {len(right)}"
    at = next(i for i, (a, b) in enumerate(zip(got, right, strict=True)) if a != b)
    count = sum(a != b for a, b in zip(got, right, strict=True))
    return f"{name}: {count} of {len(right)} scores differ, first {at}: {got[at]!r}, {right[at]!r}"
