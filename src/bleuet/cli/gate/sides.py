"""The two sides of a gate: texts, saved tables or, for the baseline, scores."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.cli.from_table import choose_metrics
from bleuet.cli.gate.stored_scores import StoredScores
from bleuet.cli.given import chosen_options, make_metrics
from bleuet.cli.names import well_formed
from bleuet.cli.refusals import refuse_empty_names, refuse_second_stdin
from bleuet.engines.streaming import count_batches
from bleuet.errors import OptionError, TableError
from bleuet.messages import nearest
from bleuet.metrics.catalogue import CATALOGUE
from bleuet.statistics.backend import backend
from bleuet.statistics.table import Table
from bleuet.tablefile.saved_tables import SavedFile
from bleuet.text.fingerprint import Fingerprint
from bleuet.text.parallel import Parallel
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.cli.given import Given
    from bleuet.metrics.metric import Metric

    File = Source | SavedFile | StoredScores

BASELINE, INPUT = "baseline", "input"


@dataclass(frozen=True, slots=True)
class Side:
    """One side, counted.

    Attributes:
        name: the system's name.
        tables: one per metric.
        references: a fingerprint of the references, "" where it is not known.
    """

    name: str
    tables: tuple[Table, ...]
    references: str


@dataclass(frozen=True, slots=True)
class Sides:
    """Baseline and new system, counted by the same metrics on the same segments.

    Attributes:
        metrics: the metrics.
        names: the baseline's name, which is not the new system's, and that one's.
        tables: one per metric for each side, the baseline's first; the new system's alone, where
            the baseline is mere scores.
        scores: these scores, one per metric.
    """

    metrics: tuple[Metric[Any], ...]
    names: tuple[str, str]
    tables: tuple[tuple[Table, ...], ...]
    scores: tuple[float, ...] | None


def read_sides(given: Given) -> Sides:
    """Read and count what the arguments name.

    Raises:
        OptionError: a file or option is missing or has no place.
        InputError: a file cannot be read.
        TableError: the sides were not counted in the same way.
    """
    old, new = _files(given)
    metrics, places = _metrics(given, old, new)
    counted = _count(given, metrics, [file for file in (old, new) if isinstance(file, Source)])
    sides = {
        which: _from_saved(given, which, file, metrics, places)
        if isinstance(file, SavedFile)
        else next(counted)
        for which, file in ((BASELINE, old), (INPUT, new))
        if not isinstance(file, StoredScores)
    }
    mine = sides[INPUT]
    if isinstance(old, StoredScores):
        system = _system(given, BASELINE, old)
        n_references = [table.n_references for table in mine.tables]
        scores = tuple(old.scores(system, metrics, n_references))
        return Sides(tuple(metrics), _apart(system, mine.name), (mine.tables,), scores)
    _check_together(sides[BASELINE], mine)
    names = _apart(sides[BASELINE].name, mine.name)
    return Sides(tuple(metrics), names, (sides[BASELINE].tables, mine.tables), None)


# --- What was named -------------------------------------------------------------------------------


def _files(given: Given) -> tuple[File, File]:
    options = vars(given)
    if not given.input:
        raise OptionError("no new system was given; expected -i with a file")
    if len(given.input) > 1:
        raise OptionError(
            f"a gate judges one new system, but -i has {len(given.input)} files: run it for each"
        )
    paths = (options[BASELINE], given.input[0])
    refuse_empty_names((*paths, *given.references))
    refuse_second_stdin((*paths, *given.references))
    old, new = (_file(path) for path in paths)
    if isinstance(new, StoredScores):
        raise OptionError(f"{paths[1]} holds scores, which only a baseline can be: give texts")
    for file, which in ((old, BASELINE), (new, INPUT)):
        if options[f"{which}_system"] is not None and isinstance(file, Source):
            raise OptionError(
                f"--{which}-system chooses from a saved table or scores: leave it out"
            )
    _check_references(given, [file for file in (old, new) if isinstance(file, Source)])
    return old, new


def _file(path: str) -> File:
    source = Source.parse(path)
    if source.kind == "parquet" and source.column is None:
        return SavedFile(path)
    if path.endswith(".json") or (source.kind == "jsonl" and source.column is None):
        return StoredScores(path)
    return source


def _check_references(given: Given, texts: Sequence[Source]) -> None:
    if texts and not given.references:
        raise OptionError(f"no reference was given for {texts[0]}; expected --ref with a file")
    if given.references and not texts:
        raise OptionError("both sides are counted already: leave --ref out")


def _system(given: Given, which: str, file: SavedFile | StoredScores) -> str:
    asked: str | None = vars(given)[f"{which}_system"]
    known = ", ".join(file.systems)
    if asked is None and len(file.systems) > 1:
        raise OptionError(f"{file.path} has the systems {known}: choose one with --{which}-system")
    if asked is not None and asked not in file.systems:
        meant = nearest(asked, file.systems)
        raise OptionError(f"{file.path} has no system {asked}{meant}; its systems are {known}")
    return asked or file.systems[0]


# --- Counting -------------------------------------------------------------------------------------


def _metrics(given: Given, old: File, new: File) -> tuple[list[Metric[Any]], dict[str, list[int]]]:
    """The metrics, and their places in each saved file."""
    saved = [file for file in (old, new) if isinstance(file, SavedFile)]
    if saved:
        _refuse_language(given)
        chosen = choose_metrics(given, saved)
        places = {
            file.path: [place for place, _ in found]
            for file, found in zip(saved, chosen, strict=True)
        }
        return [metric for _, metric in chosen[0]], places
    if isinstance(old, StoredScores) and not given.metrics:
        _refuse_language(given)
        _refuse_options(given, old.path)
        metrics = old.metrics(_system(given, BASELINE, old))
        return metrics, {}
    given.metrics = given.metrics or ["bleu"]
    return make_metrics(given), {}


def _refuse_language(given: Given) -> None:
    if given.language_pair is not None:
        raise OptionError(
            "--language-pair chooses a tokenizer, but the metrics are those of a file: leave it out"
        )


def _refuse_options(given: Given, path: str) -> None:
    for name, entry in CATALOGUE.items():
        for option in chosen_options(given, name, set()):
            flag = f"--{entry.flag}{option.replace('_', '-')}"
            raise OptionError(
                f"the metrics are those of {path}, so {flag} has no place: name metrics with -m"
            )


def _count(given: Given, metrics: Sequence[Metric[Any]], texts: Sequence[Source]) -> Iterator[Side]:
    if not texts:
        return
    fingerprint = Fingerprint()

    def noted(batches: Parallel) -> Iterator[Any]:
        for batch in batches:
            fingerprint.update(batch[1])
            yield batch

    references = [Source.parse(path) for path in given.references]
    with Parallel(texts, references, count_lines=backend().count_lines) as batches:
        portions = [c.tables for c in count_batches(metrics, noted(batches), threads=given.threads)]
    for source, tables in zip(texts, zip(*portions, strict=True), strict=True):
        whole = tuple(Table.concatenate(some) for some in zip(*tables, strict=True))
        yield Side(well_formed(source.name), whole, str(fingerprint))


def _from_saved(
    given: Given,
    which: str,
    file: SavedFile,
    metrics: Sequence[Metric[Any]],
    places: dict[str, list[int]],
) -> Side:
    system = _system(given, which, file)
    tables = file.tables(file.systems.index(system))
    rows = tuple(
        tables[place].take_columns(metric.integer_columns, metric.real_columns)
        for place, metric in zip(places[file.path], metrics, strict=True)
    )
    return Side(system, rows, file.references)


def _check_together(old: Side, new: Side) -> None:
    """Refuse to compare what was counted on other segments or against other references."""
    rows = [side.tables[0].rows for side in (old, new)]
    if rows[0] != rows[1]:
        raise TableError(
            f"{old.name} has {rows[0]} segments, and {new.name} has {rows[1]}: both must be of the "
            "same test set"
        )
    known = old.references and new.references
    counts = [[table.n_references for table in side.tables] for side in (old, new)]
    if (known and old.references != new.references) or counts[0] != counts[1]:
        raise TableError(
            f"{old.name} and {new.name} were counted against different references, so their scores "
            "do not compare: name the same references in the same order, or count the baseline "
            "again"
        )


def _apart(old: str, new: str) -> tuple[str, str]:
    return (old, new) if old != new else (f"{old} (baseline)", f"{new} (new)")
