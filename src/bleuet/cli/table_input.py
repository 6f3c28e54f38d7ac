"""Saved tables as the input of a run, in place of texts."""

from __future__ import annotations

import os
import re

from bleuet.errors import InputError, OptionError, TableError
from bleuet.metrics.catalogue import (
    CATALOGUE,
    PRESETS,
    find_metric,
    parse_metric,
    parse_options,
)
from bleuet.tablefile.saved_systems import SavedSystems
from bleuet.tablefile.saved_tables import SavedFile
from bleuet.text.lines import stream_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.metrics.metric import Metric
    from bleuet.tablefile.saved_systems import Chosen

_RANGES = re.compile(r"[0-9]+(-[0-9]*)?(,[0-9]+(-[0-9]*)?)*")
_RANGE = re.compile(r"([0-9]{1,15})(?:(-)([0-9]{0,15}))?")
NO_OPTIONS: Mapping[str, Any] = {}


def open_tables(
    args: Arguments, *, sentences: bool = False, bleu: Mapping[str, Any] = NO_OPTIONS
) -> SavedSystems:
    """Open the saved tables of --from-table, with the metrics that -m selects.

    Args:
        args: the arguments, with `from_table`, `append`, `metrics` and what texts need.
        sentences: whether segments are scored one by one.
        bleu: options of the metrics named bleu.

    Raises:
        OptionError: an option does not go with saved tables, or a metric is named twice.
        InputError: a file cannot be read.
        TableError: a file lacks a metric, or the files do not belong together.
    """
    check_table_options(args)
    files = [SavedFile(path) for path in args.from_table]
    metrics = select_metrics(args.metrics, files, sentences=sentences, bleu=bleu)
    return SavedSystems(files, metrics, append=args.append)


def check_table_options(args: Arguments) -> None:
    """Raise where options do not go together: those of texts and those of saved tables.

    Raises:
        OptionError: there are such options.
    """
    if args.from_table is None:
        for name, value in (("--append", args.append), ("--segments", args.segments)):
            if value not in (None, False):
                raise OptionError(f"{name} is an option of saved tables: add --from-table")
        return
    if args.references:
        raise OptionError(
            f"--from-table needs no references, but {args.references[0]} was passed: remove it"
        )
    if args.language_pair is not None:
        raise OptionError(
            "--language-pair selects a tokenizer, but saved tables are counted already: remove it"
        )
    if getattr(args, "save_table", None) is not None:
        raise OptionError(
            "--save-table saves what is counted, but --from-table counts nothing: remove one"
        )
    if args.append and len(args.from_table) == 1:
        raise OptionError("--append joins several saved tables, but one was passed: name all")


# --- Metrics --------------------------------------------------------------------------------------


def select_metrics(
    texts: Sequence[str] | None,
    files: Sequence[SavedFile],
    *,
    sentences: bool = False,
    bleu: Mapping[str, Any] = NO_OPTIONS,
) -> list[Chosen]:
    """Return for each file the places of its selected metrics, and the metrics to score with.

    Args:
        texts: metrics as -m names them; None for all metrics of the files.
        files: the files.
        sentences: whether segments are scored one by one.
        bleu: options of the metrics named bleu.

    Raises:
        OptionError: a metric or option does not exist, or a metric is named twice.
        TableError: a file lacks the metric, or its counts cannot be scored so.
    """
    if texts is None:
        selected = [_all_of(file, sentences, bleu) for file in files]
    else:
        selected = [[_find(file, text, sentences, bleu) for text in texts] for file in files]
    metrics = [metric for _, metric in selected[0]]
    for i, metric in enumerate(metrics):
        if metric in metrics[:i]:
            (twice,) = _signatures(files[0], selected[0][i : i + 1]).values()
            raise OptionError(f"-m selects {twice} twice: name each metric once")
    for file, found in zip(files, selected, strict=True):
        _check_same(files[0], selected[0], file, found)
    return selected


def _find(
    file: SavedFile, text: str, sentences: bool, bleu: Mapping[str, Any]
) -> tuple[int, Metric[Any]]:
    name, _, rest = text.strip().partition(":")
    parse_metric(name)  # rejects an unknown name
    base, preset = PRESETS.get(name.lower(), (name.lower(), {}))
    kind = find_metric(base)
    options = {**_of_sentences(kind, sentences), **(bleu if base == "bleu" else {})}
    options.update(parse_options(kind, rest))
    defaults = {option.name: option.default for option in kind.options}
    # A plain name selects the metric without the options that presets of it set.
    plain = {
        option: defaults[option]
        for other, settings in PRESETS.values()
        for option in settings
        if other == base and option not in options
    }
    return file.find(kind, options, {**plain, **preset})


def _all_of(file: SavedFile, sentences: bool, bleu: Mapping[str, Any]) -> Chosen:
    found: Chosen = []
    for number, metric in enumerate(file.metrics):
        kind = type(metric)
        options = _of_sentences(kind, sentences)
        if CATALOGUE["bleu"].load() is kind:
            options.update(bleu)
        found.append((number, file.rescoring(number, options)))
    return found


def _of_sentences(kind: type[Metric[Any]], sentences: bool) -> dict[str, Any]:
    """Return the scoring options that suit sentences."""
    suited = kind.suited_to(language="", sentences=True) if sentences else {}
    return {name: suited[name] for name in suited if name in kind.rescoring_options(1)}


def _signatures(file: SavedFile, selected: Chosen) -> dict[str, str]:
    """Return signatures with the number of references, by signatures without it."""
    return {
        metric.signature().full(): metric.signature(file.columns[number].n_references).full()
        for number, metric in selected
    }


def _check_same(first: SavedFile, expected: Chosen, file: SavedFile, found: Chosen) -> None:
    """Raise where the scores of two files would be computed in different ways."""
    ours, theirs = _signatures(first, expected), _signatures(file, found)
    if list(ours) == list(theirs):
        return
    lacking = [signature for key, signature in ours.items() if key not in theirs]
    extra = [signature for key, signature in theirs.items() if key not in ours]
    if not lacking:
        first, file, lacking, extra = file, first, extra or list(ours.values()), []
    alike = [name for name in extra if name.partition("|")[0] == lacking[0].partition("|")[0]]
    if alike:
        raise TableError(
            f"{first.path} has {lacking[0]}, but {file.path} has {alike[0]}, so their scores are "
            "not comparable: count the texts of one again with the options of the other"
        )
    raise TableError(
        f"{first.path} has {lacking[0]}, and {file.path} does not: select metrics that all files "
        "have with -m"
    )


# --- Segments -------------------------------------------------------------------------------------


def selected_segments(args: Arguments, saved: SavedSystems) -> list[range] | None:
    """Return the segments that --segments selects, None for all; errors as of `read_segments`."""
    return None if args.segments is None else read_segments(args.segments, saved.segments)


def read_segments(text: str, segments: int) -> list[range]:
    """Return segments as ascending ranges that do not overlap.

    Args:
        text: numbers from 1 and ranges of them, such as 1-100,205,300- , or a file with a number
            or a range on every line.
        segments: the number of segments.

    Raises:
        OptionError: a range is not valid, or goes beyond the last segment.
        InputError: the file cannot be read, or a line is neither a number nor a range.

    >>> read_segments("7-9,2,8-", 10)
    [range(2, 3), range(7, 11)]
    """
    if _RANGES.fullmatch(text):
        parts = [(f"--segments {text}", part) for part in text.split(",")]
        return _joined(_range(place, part, segments, OptionError) for place, part in parts)
    if not text:
        raise OptionError("--segments is empty; expected ranges such as 1-100,205 or a file")
    if not os.path.exists(text):
        raise OptionError(
            f"--segments {text}: expected ranges of segments such as 1-100,205,300- or a file"
        )
    found = _joined(_range(*line, segments, InputError) for line in _lines(text))
    if not found:
        raise InputError(f"{text} is empty; expected the number of a segment on every line")
    return found


def _lines(path: str) -> Iterable[tuple[str, str]]:
    number = 0
    with stream_lines(path) as batches:
        for batch in batches:
            for line in batch:
                number += 1
                yield f"{path}:{number}", line.strip()


def _range(
    place: str, text: str, segments: int, error: type[InputError] | type[OptionError]
) -> range:
    match = _RANGE.fullmatch(text)
    if match is None:
        raise error(
            f"{place}: {text[:40]!r} is no segment; expected a number from 1, or a range such as "
            "10-20 or 10-"
        )
    first = int(match[1])
    last = int(match[3]) if match[3] else segments if match[2] else first
    if not 1 <= first <= last <= segments:
        raise error(
            f"{place}: there is no segment {text}; the tables have the segments 1 to {segments}"
        )
    return range(first, last + 1)


def _joined(ranges: Iterable[range]) -> list[range]:
    """Return ascending ranges without overlaps."""
    found: list[range] = []
    for one in sorted(ranges, key=lambda one: one.start):
        if found and one.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, one.stop))
        else:
            found.append(one)
    return found
