"""`bleuet score --from-table`: scores what was counted and saved, without the texts."""

from __future__ import annotations

from bleuet.cli.destination import check_destination
from bleuet.cli.given import chosen_options, find_asked, refuse_unused, with_flags
from bleuet.cli.refusals import refuse_empty_names
from bleuet.cli.segments import read_segments
from bleuet.errors import OptionError, TableError
from bleuet.metrics.catalogue import CATALOGUE, PRESETS, find_metric
from bleuet.tablefile.saved_systems import SavedSystems
from bleuet.tablefile.saved_tables import SavedFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.cli.given import Given
    from bleuet.metrics.metric import Metric
    from bleuet.tablefile.saved_systems import Chosen


def open_saved(given: Given) -> SavedSystems:
    """Open saved tables, with the metrics that the arguments ask for.

    Raises:
        OptionError: an option has no place here, or belongs to no metric.
        InputError: a file cannot be read.
        TableError: a file has not what is asked for, or the files do not belong together.
    """
    _check(given)
    check_destination(given.output, given.from_table)
    files = [SavedFile(path) for path in given.from_table]
    return SavedSystems(files, choose_metrics(given, files), append=given.append)


def chosen_segments(given: Given, saved: SavedSystems) -> list[range] | None:
    """Return the segments that --segments names, None for all; errors as of `read_segments`."""
    return None if given.segments is None else read_segments(given.segments, saved.segments)


def _check(given: Given) -> None:
    if given.references:
        raise OptionError(
            f"--from-table does without texts, so {given.references[0]} has no place here: "
            "leave the references out"
        )
    refuse_empty_names(given.from_table)
    if given.language_pair is not None:
        raise OptionError(
            "--language-pair chooses a tokenizer, but saved tables are counted already: leave it "
            "out"
        )
    if given.save_table is not None:
        raise OptionError(
            "--save-table keeps what is counted now, and --from-table counts nothing: give one of "
            "them"
        )
    if given.append and len(given.from_table) == 1:
        raise OptionError("--append joins several saved tables, but one was given: name all")


def choose_metrics(given: Given, files: Sequence[SavedFile]) -> list[Chosen]:
    """Return for each file the place of each metric asked for, and the metric to score with.

    Raises:
        OptionError: an option belongs to no metric that was asked for, or a metric came twice.
        TableError: a file has not the metric, or its rows cannot be scored so.
    """
    used: set[str] = set()
    if given.metrics:
        chosen = [[_find(given, file, asked, used) for asked in given.metrics] for file in files]
    else:
        chosen = [_all_of(given, file, used) for file in files]
        given.metrics = list(dict.fromkeys(_name_of(metric) for _, metric in chosen[0]))
    refuse_unused(given, used)
    _refuse_double(files[0], chosen[0])
    for file, metrics in zip(files, chosen, strict=True):
        _check_same(files[0], chosen[0], file, metrics)
    return chosen


def _refuse_double(file: SavedFile, chosen: Chosen) -> None:
    metrics = [metric for _, metric in chosen]
    for i, metric in enumerate(metrics):
        if metric in metrics[:i]:
            (twice,) = _signed(file, chosen[i : i + 1]).values()
            raise OptionError(f"{twice} was asked for more than once: name each metric once")


def _signed(file: SavedFile, chosen: Chosen) -> dict[str, str]:
    """Metrics by what does not depend on the references: signatures of a file's tables."""
    return {
        metric.signature().full(): metric.signature(file.columns[number].n_references).full()
        for number, metric in chosen
    }


def _find(given: Given, file: SavedFile, asked: str, used: set[str]) -> tuple[int, Metric[Any]]:
    name, preset = find_asked(asked)
    kind = find_metric(name)
    options = chosen_options(given, name, used, leave=preset)
    defaults = {option.name: option.default for option in kind.options}
    # By its plain name a metric is asked for without what its presets set.
    plain = {
        option: defaults[option]
        for base, settings in PRESETS.values()
        for option in settings
        if base == name and option not in options
    }
    try:
        return file.find(kind, {**_of_sentences(given, kind), **options}, {**plain, **preset})
    except (OptionError, TableError) as error:
        message = with_flags(str(error), CATALOGUE[name].flag, kind)
        raise type(error)(message) from error


def _of_sentences(given: Given, kind: type[Metric[Any]]) -> dict[str, Any]:
    """The options that suit sentences, as far as they are about scoring."""
    suited = kind.suited_to(language="", sentences=True) if given.sentence_level else {}
    return {name: suited[name] for name in suited if name in kind.rescoring_options(1)}


def _name_of(metric: Metric[Any]) -> str:
    return next(name for name, entry in CATALOGUE.items() if entry.load() is type(metric))


def _all_of(given: Given, file: SavedFile, used: set[str]) -> Chosen:
    """Every metric of a file, with the options that were given for its kind."""
    found: Chosen = []
    for number, metric in enumerate(file.metrics):
        name, kind = _name_of(metric), type(metric)
        options = {**_of_sentences(given, kind), **chosen_options(given, name, used)}
        try:
            found.append((number, file.rescoring(number, options)))
        except (OptionError, TableError) as error:
            message = with_flags(str(error), CATALOGUE[name].flag, kind)
            raise type(error)(message) from error
    return found


def _check_same(first: SavedFile, expected: Chosen, file: SavedFile, found: Chosen) -> None:
    """Refuse to set scores side by side that were not computed in the same way."""
    signed = [_signed(first, expected), _signed(file, found)]
    if list(signed[0]) == list(signed[1]):
        return
    lacking, more = (
        [told for name, told in some.items() if name not in others]
        for some, others in (signed, signed[::-1])
    )
    if not lacking:
        first, file, lacking, more = file, first, more or list(signed[0].values()), []
    alike = [name for name in more if name.partition("|")[0] == lacking[0].partition("|")[0]]
    if alike:
        raise TableError(
            f"{first.path} has {lacking[0]}, but {file.path} {alike[0]}, so their scores do not "
            "compare: count the texts of one again with the options of the other"
        )
    raise TableError(
        f"{first.path} has {lacking[0]}, and {file.path} has not: name metrics that all files "
        "have with -m"
    )
