"""Which system is which: files matched with the systems that people judged, by their names."""

from __future__ import annotations

from collections import Counter

from bleuet.errors import InputError
from bleuet.messages import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import NoReturn


def match_systems(given: Sequence[str], judged: Collection[str]) -> dict[str, str]:
    """Find each system among those that people judged.

    A file may have more endings than the system's name: `north.de.txt.gz` is `north`.

    Args:
        given: the systems as their files are called.
        judged: the systems as people's judgments call them.

    Returns:
        The judged name of each given one, in order. Where all judged systems are given, others
        were not judged and are not there; else they could be judged ones by another name.

    Raises:
        InputError: a given system was not judged, though a judged one was not given; or two are
            the same; both sides are named.

    >>> match_systems(["north.de.txt.gz", "v1.5.txt"], ["ref-A", "v1.5", "north"])
    {'north.de.txt.gz': 'north', 'v1.5.txt': 'v1.5'}
    """
    found: dict[str, str] = {}
    for name in given:
        fitting = next((part for part in without_endings(name) if part in judged), None)
        if fitting is not None:
            found[name] = fitting
    twice = next((name for name, count in Counter(found.values()).items() if count > 1), None)
    if twice is not None:
        files = [name for name, judged_name in found.items() if judged_name == twice]
        raise InputError(
            f"{' and '.join(files)} are both called {twice} in the human judgments: leave one out"
        )
    lost = [name for name in given if name not in found]
    unused = [name for name in judged if name not in found.values()]
    if lost and unused:
        _refuse_unjudged(lost, unused)
    return found


def without_endings(name: str) -> Iterable[str]:
    """Return the name, and what is left as one ending after the other is taken off.

    >>> list(without_endings("north.de.txt"))
    ['north.de.txt', 'north.de', 'north']
    """
    yield name
    while "." in name.lstrip("."):
        name = name.rpartition(".")[0]
        yield name


def _refuse_unjudged(lost: list[str], unused: list[str]) -> NoReturn:
    short = [list(without_endings(name))[-1] for name in lost]
    near = next((hint for name in short if (hint := nearest(name, unused))), "")
    raise InputError(
        f"the human judgments have no system {', '.join(lost)}{near}; judged and not given are "
        f"{', '.join(unused)}: name a file after its system, as in -i {unused[0]}=FILE, or say "
        f"--leave-out {' '.join(short)}"
    )
