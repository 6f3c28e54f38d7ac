"""The names of systems: what the command line says, else those of their files.

A file is called after its system, with endings such as .de.txt.gz. In output, endings that all
files share are left out; where a table names a system, endings are left out until the names match.
"""

from __future__ import annotations

import os

from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.messages import nearest
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import NoReturn, TypeAlias

    # A system as the command line names it: its name, "" for that of its file, and its file or its
    # name in saved tables; several where it has runs.
    NamedSystem: TypeAlias = tuple[str, tuple[str, ...]]


def check_names(names: Iterable[object]) -> None:
    """Raise an error unless the name of each system is a text, and not an empty one.

    Raises:
        InputTypeError: a name is something else.

    >>> check_names(["mine", ""])
    Traceback (most recent call last):
    bleuet.errors.InputTypeError: the name of a system must be a text, not '': give it a name
    """
    for name in names:
        if not (isinstance(name, str) and name):
            raise InputTypeError(
                f"the name of a system must be a text, not {name!r}: give it a name"
            )


# --- On the command line --------------------------------------------------------------------------


def is_file(word: str) -> bool:
    """Return whether a word names a file that exists, or a column of one; or files by a pattern."""
    try:
        path = Source.parse(word).path
        # Only words with an equals sign come here, and few of them are patterns.
        if "://" in path.partition("=")[0]:
            return True
        if "*" in path:
            from glob import iglob

            return any(iglob(path, recursive=True))
        return os.path.exists(path)
    except (InputError, ValueError):
        return False


def named_system(word: str, exists: Callable[[str], bool] = is_file) -> NamedSystem:
    """Return the system of HYP, NAME=HYP or NAME=HYP,HYP; a file of that very name comes first.

    Args:
        word: the word.
        exists: whether there is a file, or a system in saved tables, of a name.

    Raises:
        OptionError: a name or a file is missing.

    >>> named_system("new=a.txt,b.txt", lambda word: False)
    ('new', ('a.txt', 'b.txt'))
    >>> named_system("new=a.txt", lambda word: True)
    ('', ('new=a.txt',))
    """
    name, equals, rest = word.partition("=")
    if not equals or exists(word):
        return "", (word,)
    if not name.strip() or not rest:
        raise OptionError(
            f"a system is HYP or NAME=HYP, not {word!r}: write a name before the = and a file "
            f"after it"
        )
    runs = (rest,) if "," not in rest or exists(rest) else tuple(rest.split(","))
    if not all(runs):
        raise OptionError(f"a run between the commas of {word!r} has no file: name it")
    return _well_formed(name), runs


def single_system(word: str, exists: Callable[[str], bool] = is_file) -> NamedSystem:
    """Return the system of HYP or NAME=HYP, without further runs; arguments as above.

    Raises:
        OptionError: a name or a file is missing, or there are several files.

    >>> single_system("mine=out/system.txt")
    ('mine', ('out/system.txt',))
    """
    name, files = named_system(word, exists)
    if len(files) > 1:
        raise OptionError(
            f"{word} names {len(files)} runs of one system, which only bleuet significance takes: "
            "name one file, as in NAME=HYP"
        )
    return name, files


def named_file(word: str) -> tuple[str, str]:
    """Return the name, "" for none, and the file of a system without further runs.

    Raises:
        OptionError: as of `single_system`.

    >>> named_file("mine=out/system.txt")
    ('mine', 'out/system.txt')
    """
    name, (file,) = single_system(word)
    return name, file


def files_of(word: str) -> list[str]:
    """Return the files that a word for a system names, to check them before they are read."""
    return list(named_system(word)[1])


# --- In output ------------------------------------------------------------------------------------


def system_names(sources: Sequence[Source], what: str = "a system") -> list[str]:
    """Return file names if they differ, otherwise whole paths.

    Args:
        sources: the files.
        what: what each file is, for the error.

    Raises:
        OptionError: a file is named twice.

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


def stored_names(given: Sequence[str], sources: Sequence[Source]) -> list[str]:
    """Return the names under which systems are saved, and looked up later.

    Args:
        given: the name of each system on the command line, "" for that of its file.
        sources: the file of each system.

    Raises:
        OptionError: two systems have one name, or a file is named twice.
    """
    own = system_names([source for name, source in zip(given, sources, strict=True) if not name])
    return _checked(given, own)


def shown_names(given: Sequence[str], stored: Sequence[str]) -> list[str]:
    """Return the names of systems in output: without the ending that all names of files share.

    Args:
        given: the name of each system on the command line, "" for that of its file.
        stored: what `stored_names` returns.

    >>> shown_names(["", "mine", ""], ["a.en.txt", "mine", "b.en.txt"])
    ['a', 'mine', 'b']
    """
    own = [name for own, name in zip(given, stored, strict=True) if not own]
    short = without_common_ending(own)
    # A name on the command line may be what a file's name would become.
    return _checked(given, own if set(short) & set(given) else short)


def shown_systems(systems: Sequence[NamedSystem], stored: Sequence[str]) -> list[str]:
    """Return the names in output of systems that can have several runs.

    Args:
        systems: the systems.
        stored: what `stored_names` returns for all their runs.

    >>> shown_systems([("", ("1.txt", "2.txt")), ("new", ("3.txt",))], ["1.txt", "2.txt", "3.txt"])
    ['1.txt', 'new']
    """
    of_runs = iter(stored)
    own = [[next(of_runs) for _ in runs] for _, runs in systems]
    given = [name for name, _ in systems]
    return shown_names(given, [name or of[0] for name, of in zip(given, own, strict=True)])


def _checked(given: Sequence[str], own: Sequence[str]) -> list[str]:
    rest = iter(own)
    names = [name or next(rest) for name in given]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise OptionError(f"two systems are named {twice}: give each its own name, as in NAME=HYP")
    return names


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


def known_systems(names: Sequence[str]) -> dict[str, str]:
    """Return saved names by the words that select them: these names, and those shown in output.

    >>> known_systems(["a.en.txt", "b.en.txt"])["a"]
    'a.en.txt'
    """
    short = zip(without_common_ending(names), names, strict=True)
    return {**dict(short), **{name: name for name in names}}


# --- In tables ------------------------------------------------------------------------------------


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
    matched = list(found.values())
    repeated = next((name for name in matched if matched.count(name) > 1), None)
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
