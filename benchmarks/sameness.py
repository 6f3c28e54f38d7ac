"""Nothing is timed before the numbers are equal, to the last digit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from benchmarks.timing import Race


class Outcome(NamedTuple):
    """What differs and must not, and who has other numbers and may."""

    wrong: list[str]
    strangers: set[str]


def compare(race: Race) -> Outcome:
    """Compute everybody's numbers once, which warms everybody up too."""
    first, *rest = race.contestants
    right = list(first.run())
    found: list[str] = []
    strangers: set[str] = set()
    for contestant in rest:
        difference = _difference(contestant.name, list(contestant.run()), right)
        if difference and not contestant.expected:
            strangers.add(contestant.name)
        elif difference:
            found.append(difference)
    for check in race.checks:
        difference = _difference(check.name, list(check.ours()), list(check.theirs()))
        found += [difference] if difference else []
    return Outcome(found, strangers)


def _difference(name: str, got: list[float], right: list[float]) -> str:
    if got == right:
        return ""
    if len(got) != len(right):
        return f"{name}: {len(got)} numbers instead of {len(right)}"
    at = next(i for i, (a, b) in enumerate(zip(got, right, strict=True)) if a != b)
    count = sum(a != b for a, b in zip(got, right, strict=True))
    return f"{name}: {count} of {len(right)} numbers differ, first {at}: {got[at]!r}, {right[at]!r}"
