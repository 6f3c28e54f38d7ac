"""What `understudy significance` tests: systems counted from texts or kept in saved tables."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import chain

from understudy.cli.destination import check_destination
from understudy.cli.from_table import chosen_segments, open_saved
from understudy.cli.given import make_metrics
from understudy.cli.glance import Glance
from understudy.cli.names import names_of, well_formed
from understudy.cli.progress import watched
from understudy.cli.refusals import refuse_empty_names, refuse_second_stdin
from understudy.cli.score import expects_detokenized, warn, warn_of_references
from understudy.engines.streaming import count_batches, keep_counted
from understudy.errors import InputError, OptionError
from understudy.metrics.option import nearest
from understudy.studies.significance.testing import RANDOMIZATION, STRICT_RANDOMIZATION
from understudy.text.files import STDIN
from understudy.text.parallel import Parallel
from understudy.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeAlias

    from understudy.cli.significance_arguments import SignificanceGiven
    from understudy.engines.saved import SavedSystems
    from understudy.metrics.metric import Metric
    from understudy.statistics.table import Table

    # One table per metric.
    Run: TypeAlias = Sequence[Table]


TESTS_OF_RUNS = (RANDOMIZATION, STRICT_RANDOMIZATION)


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
class Evidence:
    """Systems, counted.

    Attributes:
        metrics: the metrics.
        runs: each system's runs by its name; where each has one, there is nothing to average.
        baseline: whom all others are compared with, None where all pairs are compared.
    """

    metrics: tuple[Metric[Any], ...]
    runs: dict[str, list[Run]]
    baseline: str | None

    @property
    def segments(self) -> int:
        """How many segments the test set has."""
        return next(iter(self.runs.values()))[0][0].rows

    @property
    def has_runs(self) -> bool:
        """Whether a system has several runs."""
        return any(len(runs) > 1 for runs in self.runs.values())


def read_evidence(given: SignificanceGiven) -> Evidence:
    """Count texts, or open what was counted.

    Raises:
        OptionError: an option has no place, or systems are not named as they should be.
        InputError: a file cannot be read.
        TableError: saved tables do not fit together.
    """
    read = _from_texts if given.from_table is None else _from_tables
    return read(given)


# --- Texts ----------------------------------------------------------------------------------------


def _from_texts(given: SignificanceGiven) -> Evidence:
    named = [_named(word, _is_file) for word in given.input]
    words = list(chain.from_iterable(system.words for system in named))
    refuse_empty_names(words)
    refuse_second_stdin((*words, *given.references))
    sources = [Source.parse(word) for word in words]
    references = [Source.parse(path) for path in given.references]
    shown = names_of(sources)
    names = _names(named, shown)
    _check_runs(given, names, named)
    baseline = _baseline(given, names, named)
    metrics = make_metrics(given)
    check_destination(given.output, [source.path for source in (*sources, *references)])
    with Parallel(sources, references) as batches, watched(batches, given.quiet) as bar:
        known = [source in references for source in sources]
        glance = Glance(shown, expects_detokenized(metrics), known)
        looked_at = batches if given.quiet else glance.over(batches)
        counted = keep_counted(count_batches(metrics, looked_at, threads=given.threads), bar)
    if not given.quiet:
        warn_of_references(sources, references)
        for warning in glance.warnings():
            warn(warning)
    return Evidence(tuple(metrics), _by_system(names, named, counted), baseline)


def _is_file(word: str) -> bool:
    try:
        return word == STDIN or os.path.exists(Source.parse(word).path)
    except InputError:
        return False


# --- Saved tables ---------------------------------------------------------------------------------


def _from_tables(given: SignificanceGiven) -> Evidence:
    saved = open_saved(given)
    named = _named_in_tables(given, saved)
    saved.choose(list(chain.from_iterable(system.words for system in named)))
    names = _names(named, saved.names)
    _check_runs(given, names, named)
    baseline = _baseline(given, names, named)
    counted = keep_counted(saved.counted(chosen_segments(given, saved)))
    return Evidence(tuple(saved.metrics), _by_system(names, named, counted), baseline)


def _named_in_tables(given: SignificanceGiven, saved: SavedSystems) -> list[Named]:
    if given.input is None:
        return [Named("", (name,)) for name in saved.names]
    return [_named(word, saved.names.__contains__) for word in given.input]


# --- Names ----------------------------------------------------------------------------------------


def _named(word: str, is_known: Callable[[str], bool]) -> Named:
    """Take NAME=HYP,HYP apart; what is known by the whole word comes first."""
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
    names = []
    for system in named:
        own = [next(following) for _ in system.words]
        names.append(system.name or own[0])
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


def _by_system(
    names: Sequence[str], named: Sequence[Named], counted: Sequence[Run]
) -> dict[str, list[Run]]:
    following: Iterator[Run] = iter(counted)
    return {
        name: [next(following) for _ in system.words]
        for name, system in zip(names, named, strict=True)
    }
