"""The names of systems, the same in every command: what the command line says, else their files."""

from __future__ import annotations

import os

from bleuet.errors import InputError, OptionError
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    # A system as the command line names it: its name, "" for that of its file, and its file or its
    # name in saved tables; several where it has runs.
    NamedSystem: TypeAlias = tuple[str, tuple[str, ...]]


def is_file(word: str) -> bool:
    """Return whether a word names a file that exists, or a column of one."""
    try:
        return os.path.exists(Source.parse(word).path)
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
            f"a system is HYP or NAME=HYP, not {word!r}: write what is missing beside the ="
        )
    runs = (rest,) if "," not in rest or exists(rest) else tuple(rest.split(","))
    if not all(runs):
        raise OptionError(f"a run between the commas of {word!r} has no file: name it")
    return _well_formed(name), runs


def named_file(word: str, exists: Callable[[str], bool] = is_file) -> tuple[str, str]:
    """Return the name, "" for none, and the file of a system without runs; arguments as above.

    Raises:
        OptionError: a name or a file is missing, or there are several files.

    >>> named_file("mine=out/system.txt")
    ('mine', 'out/system.txt')
    """
    name, files = named_system(word, exists)
    if len(files) > 1:
        raise OptionError(
            f"{word} names {len(files)} runs of one system, which only bleuet significance takes: "
            "name one file, as in NAME=HYP"
        )
    return name, files[0]


def files_of(word: str) -> list[str]:
    """Return the files that a word for a system names, to check them before they are read."""
    return list(named_system(word)[1])


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


def _checked(given: Sequence[str], own: Sequence[str]) -> list[str]:
    rest = iter(own)
    names = [name or next(rest) for name in given]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise OptionError(f"two systems are named {twice}: name them apart, as in NAME=HYP")
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
