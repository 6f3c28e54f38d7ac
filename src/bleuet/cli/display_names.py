"""The names of systems in output: those of their files, as short as keeps them apart."""

from __future__ import annotations

from bleuet.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.text.source import Source


def system_names(sources: Sequence[Source], what: str = "a system") -> list[str]:
    """Return file names where they differ, else whole paths.

    Args:
        sources: the files.
        what: what each file is, for the error.

    Raises:
        OptionError: a file is named twice.

    >>> from bleuet.text.source import Source
    >>> system_names([Source("runs/a.txt"), Source("runs/b.txt")])
    ['a.txt', 'b.txt']
    >>> system_names([Source("1/out.txt"), Source("2/out.txt")])
    ['1/out.txt', '2/out.txt']
    """
    short = [_well_formed(source.name) for source in sources]
    if len(set(short)) == len(short):
        return short
    whole = [_well_formed(str(source)) for source in sources]
    twice = next((name for name in whole if whole.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"{twice} is named twice as {what}: name each file once")
    return whole


def _well_formed(name: str) -> str:
    if name.isascii():
        return name
    from bleuet.output.escaping import well_formed

    return well_formed(name)


def without_common_ending(names: Sequence[str]) -> list[str]:
    """Return names without the endings that all of them have, such as .de.txt.gz.

    Only for output about just these systems: a name that is stored in a file, to be looked up
    later, must not depend on the other names.

    Args:
        names: names of files, all different; one alone has nothing in common with others.

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
