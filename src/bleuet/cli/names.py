"""What a system is called in output: its file's name, which may hold anything."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.output.escaping import in_latex, in_markdown, printable, well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.text.source import Source

__all__ = [
    "in_latex",
    "in_markdown",
    "names_of",
    "printable",
    "well_formed",
    "without_common_ending",
]


def names_of(systems: Sequence[Source], what: str = "a system") -> list[str]:
    """Return short names where they tell the systems apart, else whole paths.

    Args:
        systems: the systems, or other files that are named.
        what: what each is, for the error.

    Raises:
        OptionError: a system was given twice.

    >>> from bleuet.text.source import Source
    >>> names_of([Source("runs/a.txt"), Source("runs/b.txt")])
    ['a.txt', 'b.txt']
    >>> names_of([Source("1/out.txt"), Source("2/out.txt")])
    ['1/out.txt', '2/out.txt']
    """
    short = [well_formed(source.name) for source in systems]
    if len(set(short)) == len(short):
        return short
    whole = [well_formed(str(source)) for source in systems]
    twice = next((name for name in whole if whole.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"{twice} was given twice as {what}: name each file once")
    return whole


def without_common_ending(names: Sequence[str]) -> list[str]:
    """Return names without the endings that all of them have, such as .de.txt.gz.

    Only for what is shown of just these systems: a name that is kept in a file, to be found again,
    must not depend on the names beside it.

    Args:
        names: names of files, of which no two are the same; one alone has nothing in common.

    >>> without_common_ending(["north.de.txt.gz", "v1.5.de.txt.gz"])
    ['north', 'v1.5']
    >>> without_common_ending([".txt", "a.txt"]), without_common_ending(["a.1", "b.1"])
    (['.txt', 'a.txt'], ['a.1', 'b.1'])
    """
    shown = list(names)
    while len(shown) > 1:
        split = [name.rpartition(".") for name in shown]
        ending = split[0][2]
        # A number belongs to a name, as in model-1.5.
        if ending.isdigit() or "/" in ending or any(tail != ending for _, _, tail in split):
            break
        if not all(head.rpartition("/")[2].strip(".") for head, _, _ in split):
            break
        shown = [head for head, _, _ in split]
    return shown
