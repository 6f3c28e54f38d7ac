"""Files of saved tables with their metrics, and the metrics that are selected from them."""

from __future__ import annotations

import re

from bleuet.errors import BleuetError, InputError, OptionError, SignatureError, TableError
from bleuet.metrics.base.signature import ParsedSignature, number_of_references
from bleuet.metrics.catalogue import (
    PRESETS,
    find_metric,
    metric_from_signature,
    metric_parts,
)
from bleuet.statistics.table import Table
from bleuet.tablefile.reader import TableReader
from bleuet.tablefile.rescoring import rescoring
from bleuet.tablefile.row_checks import impossible_rows
from bleuet.tablefile.schema import MetricColumns, damaged
from bleuet.text.tokenizers import SIGNED_PREFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.metrics.base.metric import Metric


class SavedFile:
    """A file of saved tables, with its metrics rebuilt from their signatures.

    Args:
        path: the file.

    Raises:
        InputError: there is no such file, or it has no saved tables, is of a later version or
            damaged.
        SignatureError: the signature of a metric is not understood.
        MissingExtraError: the library for Parquet is not installed.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.reader = TableReader(path)
        description = self.reader.description
        self.systems = description.systems
        self.segments = description.segments
        self.references = description.references
        self.columns = description.metrics
        self.metrics = [self._metric(columns) for columns in description.metrics]

    def _metric(self, columns: MetricColumns) -> Metric[Any]:
        metric = _metric_to_score_with(self.path, columns.signature)
        number = number_of_references(columns.n_references)
        if ParsedSignature(columns.signature).take("nrefs", optional=True) != number:
            problem = f"{columns.prefix} does not have {number} references per segment"
            raise InputError(damaged(self.path, problem))
        found = (columns.integer_columns, columns.real_columns)
        if found != (metric.integer_columns, metric.real_columns):
            problem = f"{columns.prefix} does not have the columns of its signature"
            raise InputError(damaged(self.path, problem))
        return metric

    def select(self, words: Sequence[str] | None = None, *, sentences: bool = False) -> Selection:
        """Return the file with the metrics to read and score.

        Args:
            words: metrics as -m names them, with the options to score with; None for all metrics
                of the file.
            sentences: whether segments are scored one by one.

        Raises:
            OptionError: a metric or option does not exist, or a metric is selected twice.
            TableError: there is no such table, more than one, or none with these counts.
        """
        if words is None:
            chosen = [
                (place, self._rescored(place, _scoring_of_sentences(type(metric), sentences)))
                for place, metric in enumerate(self.metrics)
            ]
        else:
            chosen = [self._find(word, sentences) for word in words]
        return Selection(self, [place for place, _ in chosen], [metric for _, metric in chosen])

    def _find(self, word: str, sentences: bool) -> tuple[int, Metric[Any]]:
        """Return the place of the table that a word names, and the metric to score it with.

        A plain name selects a metric without the options that its presets set: chrf is not
        chrf++. Where no table has exactly these options, any with the same counts is used.
        """
        kind, preset, options = metric_parts(word)
        options = {**_scoring_of_sentences(kind, sentences), **options}
        defaults = {
            name: kind.option_named(name).default
            for base, settings, _ in PRESETS.values()
            for name in settings
            if find_metric(base) is kind and name not in options
        }
        preset = {**defaults, **preset}
        same_kind = [place for place, one in enumerate(self.metrics) if type(one) is kind]
        if not same_kind:
            names = ", ".join(columns.prefix for columns in self.columns)
            raise TableError(f"{self.path} has no table of {kind.__name__}; it has {names}")
        same = [i for i in same_kind if _has(self.metrics[i], {**preset, **options})]
        named = [i for i in same_kind if _has(self.metrics[i], preset)]
        return self._only(same or named or same_kind, {**preset, **options})

    def _only(self, places: Sequence[int], options: dict[str, Any]) -> tuple[int, Metric[Any]]:
        """Return the only one of some tables that can be scored with these options."""
        found: list[tuple[int, Metric[Any]]] = []
        problem: BleuetError | None = None
        for place in places:
            try:
                found.append((place, self._rescored(place, options)))
            except (TableError, OptionError) as error:
                problem = problem or error
        if problem is not None and not found:
            raise problem
        if len(found) > 1:
            several = " and ".join(
                self.metrics[i].signature(self.columns[i].n_references).full() for i, _ in found
            )
            raise TableError(f"{self.path} has {several}: name the options of the one you mean")
        return found[0]

    def _rescored(self, place: int, options: dict[str, Any]) -> Metric[Any]:
        there = self.columns[place]
        columns = (*there.integer_columns, *there.real_columns)
        n_references = there.n_references
        return rescoring(self.metrics[place], columns, n_references, options, source=self.path)


class Selection:
    """A file of saved tables, and the metrics to read from it.

    Args:
        file: the file.
        places: the place of each metric's columns in the file.
        metrics: the metrics to score with.

    Raises:
        OptionError: a metric is selected twice.
    """

    def __init__(self, file: SavedFile, places: list[int], metrics: list[Metric[Any]]) -> None:
        self.file = file
        self.metrics = metrics
        self.columns = [
            _columns_of(file.columns[place], metric)
            for place, metric in zip(places, metrics, strict=True)
        ]
        for place, metric in enumerate(metrics):
            if metric in metrics[:place]:
                twice = self.signatures()[metric.signature().full()]
                raise OptionError(f"-m selects {twice} twice: name each metric once")

    def signatures(self) -> dict[str, str]:
        """Return signatures with the number of references, by signatures without it."""
        return {
            metric.signature().full(): metric.signature(columns.n_references).full()
            for metric, columns in zip(self.metrics, self.columns, strict=True)
        }

    def stream(self, system: str) -> Iterator[list[Table]]:
        """Yield portions of a system's rows: one table for each metric.

        Raises:
            InputError: the file is damaged, which can show only after the last portion.
        """
        file = self.file
        for tables in file.reader.stream(file.systems.index(system), self.columns):
            for metric, columns, table in zip(self.metrics, self.columns, tables, strict=True):
                problem = impossible_rows(metric, table)
                if problem:
                    raise InputError(damaged(file.path, f"{columns.prefix} of {system}: {problem}"))
            yield tables

    def tables(self, system: str) -> list[Table]:
        """Return all rows of a system: one table for each metric; errors as of `stream`."""
        portions = zip(*self.stream(system), strict=True)
        return [Table.concatenate(tables) for tables in portions]


def select_metrics(
    words: Sequence[str] | None, files: Sequence[SavedFile], *, sentences: bool = False
) -> list[Selection]:
    """Return a selection for each file, with the same metrics in all.

    Args:
        words: metrics as -m names them; None for all metrics of the files.
        files: the files.
        sentences: whether segments are scored one by one.

    Raises:
        OptionError: a metric or option does not exist, or a metric is selected twice.
        TableError: a file has no such table, or the files would be scored in different ways.
    """
    selections = [file.select(words, sentences=sentences) for file in files]
    for other in selections[1:]:
        _check_same(selections[0], other)
    return selections


def _check_same(one: Selection, other: Selection) -> None:
    """Raise where the scores of two files would be computed in different ways."""
    ours, theirs = one.signatures(), other.signatures()
    if list(ours) == list(theirs):
        return
    lacking = [signature for key, signature in ours.items() if key not in theirs]
    extra = [signature for key, signature in theirs.items() if key not in ours]
    if not lacking:
        one, other, lacking, extra = other, one, extra or list(ours.values()), []
    alike = [name for name in extra if name.partition("|")[0] == lacking[0].partition("|")[0]]
    if alike:
        raise TableError(
            f"{one.file.path} has {lacking[0]}, but {other.file.path} has {alike[0]}, so their "
            "scores are not comparable: count the texts of one again with the options of the other"
        )
    raise TableError(
        f"{one.file.path} has {lacking[0]}, and {other.file.path} does not: select metrics that "
        "all files have with -m"
    )


def _scoring_of_sentences(kind: type[Metric[Any]], sentences: bool) -> dict[str, Any]:
    """Return the options that suit sentences and change only how counts are scored."""
    suited = kind.suited_to(language="", sentences=True) if sentences else {}
    return {name: suited[name] for name in suited if name in kind.rescoring_options(1)}


def _columns_of(there: MetricColumns, metric: Metric[Any]) -> MetricColumns:
    """Return those of the columns in a file that a metric needs."""
    return MetricColumns(
        there.prefix,
        there.signature,
        metric.integer_columns,
        metric.real_columns,
        there.n_references,
        there.learned,
    )


def _metric_to_score_with(path: str, signature: str) -> Metric[Any]:
    """Return the metric that a signature describes.

    Where its tokenizer is not installed, its name suffices: nothing is tokenized again.
    """
    try:
        return metric_from_signature(signature)
    except BleuetError as error:
        signed = re.sub(r"\|tok:(?!signed:)", f"|tok:{SIGNED_PREFIX}", signature, count=1)
        try:
            return metric_from_signature(signed)
        except BleuetError:
            raise SignatureError(f"{path}: {error}") from None


def _has(metric: Metric[Any], options: dict[str, Any]) -> bool:
    return all(getattr(metric, name) == value for name, value in options.items())
