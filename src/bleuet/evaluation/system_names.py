"""Names of systems: files matched with the systems that a table names."""

from __future__ import annotations

from collections import Counter

from bleuet.errors import InputError
from bleuet.messages import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import NoReturn


def match_systems(names: Sequence[str], judged: Collection[str]) -> dict[str, str]:
    """Return the judged system of each file name.

    A file name may have more endings than the name of the system: `north.de.txt.gz` is `north`.

    Args:
        names: the systems by the names of their files.
        judged: the systems by their names in the human scores.

    Returns:
        The judged name of each file name, in order. A file name without a judged system is left
        out where every judged system has a file.

    Raises:
        InputError: a file name has no judged system although some judged system has no file, or
            two files have the same judged system.

    >>> match_systems(["north.de.txt.gz", "v1.5.txt"], ["ref-A", "v1.5", "north"])
    {'north.de.txt.gz': 'north', 'v1.5.txt': 'v1.5'}
    """
    found: dict[str, str] = {}
    for name in names:
        match = next((part for part in without_endings(name) if part in judged), None)
        if match is not None:
            found[name] = match
    repeated = next((name for name, count in Counter(found.values()).items() if count > 1), None)
    if repeated is not None:
        files = [name for name, judged_name in found.items() if judged_name == repeated]
        raise InputError(
            f"{' and '.join(files)} are both called {repeated} in the human scores: leave one out"
        )
    unmatched = [name for name in names if name not in found]
    unused = [name for name in judged if name not in found.values()]
    if unmatched and unused:
        _reject_unmatched(unmatched, unused)
    return found


def without_endings(name: str) -> Iterable[str]:
    """Yield a name, and then the name without its last ending, its last two endings and so on.

    >>> list(without_endings("north.de.txt"))
    ['north.de.txt', 'north.de', 'north']
    """
    yield name
    while "." in name.lstrip("."):
        name = name.rpartition(".")[0]
        yield name


def _reject_unmatched(unmatched: list[str], unused: list[str]) -> NoReturn:
    short = [list(without_endings(name))[-1] for name in unmatched]
    # Files such as sys.north and sys.south have the same first part.
    short = short if len(set(short)) == len(short) else unmatched
    near = next((hint for name in short if (hint := nearest(name, unused))), "")
    meant = [
        f"{part}={name}"
        for name in unmatched
        for part in [next((one for one in _parts(name) if one in unused), None)]
        if part is not None
    ]
    raise InputError(
        f"the human scores have no system {', '.join(unmatched)}{near}; systems without a file "
        f"are {', '.join(unused)}: name a file after its system, as in -i "
        f"{' '.join(meant) or f'{unused[0]}=FILE'}, or use --leave-out {' '.join(short)}"
    )


def _parts(name: str) -> Iterable[str]:
    """Yield all runs of parts of a name between dots, the longest first.

    >>> list(_parts("sys.north.de"))
    ['sys.north.de', 'sys.north', 'north.de', 'sys', 'north', 'de']
    """
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        for start in range(len(parts) - length + 1):
            yield ".".join(parts[start : start + length])
