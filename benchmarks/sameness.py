"""Nothing is timed before the numbers are equal, to the last digit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.timing import Race


def differences(race: Race) -> list[str]:
    """Return one sentence for everything of a race that should be equal and is not."""
    first, *rest = race.contestants
    right = _numbers(first.run())
    found = [
        _difference(contestant.name, _numbers(contestant.run()), right)
        for contestant in rest
        if contestant.expected
    ]
    for check in race.checks:
        found.append(_difference(check.name, _numbers(check.ours()), _numbers(check.theirs())))
    return [sentence for sentence in found if sentence]


def strangers(race: Race) -> set[str]:
    """Return the names of the contestants whose numbers are not those of the first."""
    optional = [contestant for contestant in race.contestants if not contestant.expected]
    if not optional:
        return set()
    right = _numbers(race.contestants[0].run())
    return {contestant.name for contestant in optional if _numbers(contestant.run()) != right}


def _numbers(values: Sequence[float]) -> list[float]:
    return list(values)


def _difference(name: str, got: list[float], right: list[float]) -> str:
    if got == right:
        return ""
    if len(got) != len(right):
        return f"{name}: {len(got)} numbers instead of {len(right)}"
    at = next(i for i, (a, b) in enumerate(zip(got, right, strict=True)) if a != b)
    count = sum(a != b for a, b in zip(got, right, strict=True))
    return f"{name}: {count} of {len(right)} numbers differ, first {at}: {got[at]!r}, {right[at]!r}"
