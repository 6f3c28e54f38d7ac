"""Which systems `bleuet significance` compares: their names, their runs, and the baseline."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.cli.names import well_formed, without_common_ending
from bleuet.errors import OptionError
from bleuet.messages import nearest
from bleuet.studies.significance.testing import TESTS_OF_RUNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    from bleuet.cli.significance.arguments import SignificanceGiven

    Run = TypeVar("Run")


@dataclass(frozen=True, slots=True)
class Named:
    """A system as the command line names it.

    Attributes:
        name: its name, "" where the word has none.
        words: its file, or its name in saved tables; several where it has runs.
    """

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lineup:
    """The systems as they are compared.

    Attributes:
        runs: how many runs each system has, by its name.
        baseline: whom all others are compared with, None where all pairs are compared.
    """

    runs: dict[str, int]
    baseline: str | None

    @property
    def has_runs(self) -> bool:
        """Whether a system has several runs."""
        return any(runs > 1 for runs in self.runs.values())

    def shared_out(self, of_runs: Iterator[Run]) -> dict[str, list[Run]]:
        """Return what each run gave, which comes system after system, by the systems' names."""
        return {name: [next(of_runs) for _ in range(runs)] for name, runs in self.runs.items()}


def line_up(given: SignificanceGiven, named: Sequence[Named], shown: Sequence[str]) -> Lineup:
    """Name the systems and choose the baseline, before anything is counted.

    Args:
        given: what was asked.
        named: the systems as the command line names them.
        shown: what each run of each system is called by its file or in saved tables.

    Raises:
        OptionError: a system is alone, two have one name, runs are not as many of each, or there
            is no such baseline.
    """
    names = _names(named, shown)
    _check_runs(given, names, named)
    runs = {name: len(one.words) for name, one in zip(names, named, strict=True)}
    return Lineup(runs, _baseline(given, names, named))


def named_by(word: str, is_known: Callable[[str], bool]) -> Named:
    """Take NAME=HYP,HYP apart; what is known by the whole word comes first.

    Raises:
        OptionError: there is nothing on one side of the sign, or between two commas.

    >>> named_by("new=a.txt,b.txt", lambda word: False)
    Named(name='new', words=('a.txt', 'b.txt'))
    >>> named_by("new=a.txt", lambda word: True)
    Named(name='', words=('new=a.txt',))
    """
    if is_known(word):
        return Named("", (word,))
    name, equals, rest = word.partition("=")
    if not equals:
        parts = word.split(",")
        if len(parts) > 1 and all(map(is_known, parts)):
            raise OptionError(f"several runs are of a system that has a name: write NAME={word}")
        return Named("", (word,))
    if not name.strip() or not rest:
        raise OptionError(f"-i takes files, or NAME=HYP,HYP,... for several runs, not {word!r}")
    runs = (rest,) if is_known(rest) else tuple(rest.split(","))
    if not all(runs):
        raise OptionError(f"a run without a file stands between the commas of {word!r}: name it")
    return Named(well_formed(name), runs)


def _names(named: Sequence[Named], shown: Sequence[str]) -> list[str]:
    """The systems' names: those given, and for others what their files are called."""
    following = iter(shown)
    plain: list[str] = []
    for system in named:
        own = [next(following) for _ in system.words]
        plain += [] if system.name else own
    short = iter(without_common_ending(plain))
    names = [system.name or next(short) for system in named]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"two systems are called {name}: name them apart, as in NAME=HYP")
    if len(names) < 2:
        raise OptionError(
            f"a test compares two systems or more, but there is only {names[0]}: name more behind "
            "-i"
        )
    return names


def _check_runs(given: SignificanceGiven, names: Sequence[str], named: Sequence[Named]) -> None:
    """Refuse, before anything is counted, runs that nothing can be said of."""
    counts = [len(system.words) for system in named]
    if max(counts) == 1:
        return
    if len(set(counts)) > 1:
        told = ", ".join(f"{name} has {n}" for name, n in zip(names, counts, strict=True))
        raise OptionError(f"systems need the same number of runs, but {told}: give each as many")
    if given.test not in (None, *TESTS_OF_RUNS):
        raise OptionError(
            f"several runs change places in {' or '.join(TESTS_OF_RUNS)}, and --test {given.test} "
            "does not know them: leave it out"
        )


def _baseline(given: SignificanceGiven, names: Sequence[str], named: Sequence[Named]) -> str | None:
    """The baseline by its name or its file's, before anything is counted."""
    if given.all_pairs:
        return None
    if given.baseline is None:
        return names[0]
    for name, system in zip(names, named, strict=True):
        if given.baseline == name or (given.baseline,) == system.words:
            return name
    raise OptionError(
        f"--baseline: there is no system {given.baseline}{nearest(given.baseline, names)}; there "
        f"are {', '.join(names)}"
    )
