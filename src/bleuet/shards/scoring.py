"""Scores of a test set in shards: who counts what, and what all counts together say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bleuet.errors import InputError, OptionError, warn_caller
from bleuet.evaluation.system_scores import Scores, score_columns
from bleuet.frozen import checked
from bleuet.messages import plural
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.catalogue import parse_metric
from bleuet.output.answer import Answer
from bleuet.shards.finding import ShardTexts, find_shards
from bleuet.shards.folder import FILES, ResultsFolder
from bleuet.shards.launchers import launch
from bleuet.shards.settings import ShardSettings
from bleuet.shards.task import (
    GROUP,
    NO_GROUP,
    PARQUET,
    Job,
    count_shard,
    learn_shard,
    plus,
    scores_file,
)
from bleuet.significance.interval import DRAWS, interval_of, with_draws
from bleuet.text.addresses import is_address, names_in
from bleuet.text.fingerprint import append_fingerprints
from bleuet.text.source import Source
from bleuet.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import IO, Any, TypeAlias

    from bleuet.metrics.base.score import Score
    from bleuet.output.document import Document, Record
    from bleuet.output.settings import Settings
    from bleuet.shards.finding import Shard
    from bleuet.shards.task import Sum, Sums
    from bleuet.significance.interval import Interval
    from bleuet.study_settings import IntervalSettings

    AnyMetric: TypeAlias = Metric[Any]

SETTINGS = ShardSettings()
# What the segments without a value in the column of groups are called, and those with an empty one.
WITHOUT_GROUP, BLANK_GROUP = "(none)", "(blank)"
_SHOWN = 3


class ShardScores(Answer):
    """The scores of a test set in shards.

    Args:
        scores: those of all segments.
        groups: those of each group by its name, in the order of the names; empty without groups. No
            name is empty: rows of CSV and JSON Lines have an empty one for all segments.
        by: the column with the groups, "" without groups.
        segments: the number of segments.
        shards: the number of shards.
        resumed: how many of the shards an earlier run had counted.
    """

    def __init__(
        self,
        scores: Scores,
        groups: Mapping[str, Scores],
        by: str,
        segments: int,
        shards: int,
        resumed: int,
    ) -> None:
        self.scores = scores
        self.groups = groups
        self.by = by
        self.segments = segments
        self.shards = shards
        self.resumed = resumed

    def __getitem__(self, metric: str | AnyMetric) -> Any:
        """Return what `scores[metric]` is: a score, or the score of each system."""
        return self.scores[metric]

    def write(self, out: IO[str], format: str, settings: Settings) -> None:  # noqa: A002
        """Write the scores; without groups they look as those of `bleuet score`."""
        if self.groups:
            super().write(out, format, settings)
        else:
            self.scores.write(out, format, settings)

    def document(self) -> Document:
        """Return the scores, and with groups a second table of them."""
        from bleuet.output.document import Column, Document, DocumentTable

        whole = self.scores.document()
        if not self.groups:
            return whole
        (table,) = whole.tables
        inner = score_columns(self.scores.scores[0], False)
        named = list(self.scores.names) != [""]
        columns = [Column(self.by), *(inner if named else inner[1:])]
        rows = [
            [group, *row]
            for group, own in self.groups.items()
            for row in own.document().tables[0].rows
        ]
        by_group = DocumentTable("groups", f"by {self.by}", columns, rows)
        return Document(
            tables=[table.replace(title="all segments") if not table.title else table, by_group],
            notes=whole.notes,
            signatures=whole.signatures,
            data=self._data,
            records={"scores": self._records},
        )

    def _data(self) -> dict[str, Any]:
        return {
            "scores": self.scores.written(),
            "groups": {group: scores.written() for group, scores in self.groups.items()},
            "segments": self.segments,
        }

    def _records(self) -> list[Record]:
        parts = {"": self.scores, **self.groups}
        records = [
            (group, record)
            for group, scores in parts.items()
            for record in scores.document().records["scores"]()
        ]
        name = self.by
        # The files can have a column "metric", too.
        while any(name in record for _, record in records):
            name = f"by {name}"
        return [{name: group, **record} for group, record in records]

    def to_dict(self) -> dict[str, Any]:
        """Return the scores of all segments and of each group as plain values."""
        return self._data()


@checked
def score_shards(
    hypotheses: str | Sequence[str] | Mapping[str, str],
    references: str | Sequence[str],
    metrics: str | AnyMetric | Sequence[str | AnyMetric] = "bleu",
    settings: ShardSettings = SETTINGS,
    *,
    sources: str | None = None,
    intervals: IntervalSettings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ShardScores:
    r"""Score a test set in many files, each counted by itself, on this computer or on a cluster.

    Metrics that add integers have the score of all texts at one place, to the last digit. Real
    numbers, such as those of ROUGE, are added file by file: the last digits may differ.

    Args:
        hypotheses: the files of a system, as a pattern such as `data/*.parquet:hyp`; or one for
            each system, or patterns by the names of the systems.
        references: the files of the references, in the same form.
        metrics: names of metrics as `bleuet.score` takes them, or metrics.
        settings: where shards are counted, where their results are kept, and the columns that are
            read beside the texts.
        sources: the files of the sources, for metrics that read them.
        intervals: the settings of bootstrap intervals; None for no intervals. A draw has Poisson
            weights, which need no rows of other shards.
        progress: is called with the number of counted shards and of all.

    Returns:
        The scores of all segments and of each group.

    Raises:
        InputError: a file is missing, or a shard cannot be counted; the others are counted.
        OptionError: an option is wrong, or the folder of results has those of another run.

    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for number in range(3):
    ...     for side in ("ref", "hyp"):
    ...         text = f"It rains again on day {number}.\n"
    ...         _ = (folder / f"{number}.{side}.txt").write_text(text)
    >>> found = score_shards(f"{folder}/*.hyp.txt", f"{folder}/*.ref.txt")
    >>> print(f"{found['bleu'].score:.2f} of {found.segments} segments")
    100.00 of 3 segments
    """
    if isinstance(hypotheses, str):
        systems = {"": hypotheses}
    elif isinstance(hypotheses, Mapping):
        systems = dict(hypotheses)
    else:
        systems = {word: word for word in hypotheses}
    words = [references] if isinstance(references, str) else references
    texts = ShardTexts(
        tuple(map(Source.parse, systems.values())),
        tuple(map(Source.parse, words)),
        None if sources is None else Source.parse(sources),
    )
    listed = [metrics] if isinstance(metrics, (str, Metric)) else metrics
    made = {
        one if isinstance(one, str) else one.name: (
            parse_metric(one) if isinstance(one, str) else one
        )
        for one in listed
    }
    return score_texts(texts, list(systems), made, settings, intervals, progress)


def score_texts(
    texts: ShardTexts,
    systems: Sequence[str],
    metrics: Mapping[str, AnyMetric],
    settings: ShardSettings,
    intervals: IntervalSettings | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    fingerprint: bool = False,
) -> ShardScores:
    """Score sources whose paths are patterns.

    Args:
        texts: where the texts are.
        systems: the names of the systems.
        metrics: the metrics by the names of their columns.
        settings: as of `score_shards`.
        intervals: as of `score_shards`.
        progress: as of `score_shards`.
        fingerprint: whether the scores get the fingerprint of the test set; results that are kept
            always have it.
    """
    _check(metrics, settings)
    shards = find_shards(texts)
    draws, seed = _drawn(intervals)
    job = Job(
        systems=tuple(systems),
        metrics=dict(metrics),
        by=settings.by,
        key=settings.key,
        draws=draws,
        seed=seed,
        folder=settings.segment_scores,
        reference_files=tuple(map(str, texts.references)),
        fingerprint=fingerprint or settings.results is not None,
    )
    described = _described(job, texts, shards)
    with (
        TemporaryDirectory() as own,
        ResultsFolder(settings.results or own, job, described) as folder,
    ):
        written = _scores_of_segments(settings.segment_scores, len(shards), is_new=folder.is_new)
        left = [
            shard
            for shard in shards
            if not folder.has(shard.number) or (written is not None and shard.number not in written)
        ]
        counted = resumed = len(shards) - len(left)
        errors: dict[int, str] = {}
        if left:
            # What metrics learn comes from all shards, those with a result included.
            job = job.replace(metrics=_taught(job, shards, settings))
            for outcome in launch(partial(count_shard, job), left, settings):
                if outcome.error:
                    errors[outcome.number] = outcome.error
                else:
                    folder.save(outcome)
                counted += 1
                if progress is not None:
                    progress(counted, len(shards))
        if errors:
            raise _failed(errors, len(shards), settings.results)
        sums: Sums = {}
        segments, test_sets = 0, list[str]()
        own_references = [
            name
            for name, source in zip(systems, texts.systems, strict=True)
            if source in texts.references
        ]
        checks, told = job.checks(own_references), list[str]()
        # In the order of the shards, so that sums of real numbers are the same in every run.
        for outcome in folder.results(len(shards)):
            segments += outcome.segments
            if outcome.segments:
                test_sets.append(outcome.test_set)
            checks.add(outcome.checks)
            told += outcome.warnings
            for group, found in outcome.sums.items():
                sums[group] = plus(sums[group], found) if group in sums else found
    if not sums:
        raise InputError("there are no segments to score: all files are empty")
    _warn([*checks.problems(), *told])
    test_set = append_fingerprints(test_sets) if fingerprint else None
    return _answer(job, intervals, sums, (segments, test_set), (len(shards), resumed))


def _warn(sentences: Sequence[str]) -> None:
    """Warn of each problem once; a sentence about a file begins with its name."""
    files: dict[str, list[str]] = {}
    for sentence in dict.fromkeys(sentences):
        name, _, problem = sentence.partition(" ")
        files.setdefault(problem, []).append(name)
    for problem, names in files.items():
        more = f"; so {_others(len(names) - 1)}" if len(names) > 1 else ""
        warn_caller(f"{names[0]} {problem}{more}")


def _others(count: int) -> str:
    return "does 1 other file" if count == 1 else f"do {count} other files"


def _check(metrics: Mapping[str, AnyMetric], settings: ShardSettings) -> None:
    for name, metric in metrics.items():
        if metric.in_order:
            raise OptionError(
                f"{name} counts each segment with those before it in mind, so that shards cannot "
                "be counted apart: join the files, and score them without shards"
            )
    if settings.segment_scores:
        taken = ["system", "segment", *metrics]
        for column in filter(None, (settings.by, settings.key)):
            if column in taken:
                raise OptionError(
                    f"the scores of segments have a column {column} already: rename that of the "
                    "files"
                )
            taken.append(column)


def _scores_of_segments(folder: str, shards: int, *, is_new: bool) -> set[int] | None:
    """Return the shards whose scores of segments are written, None if none are wanted.

    Args:
        folder: the folder for them, which is made if it is not there; "" for none.
        shards: the number of shards.
        is_new: whether no earlier run can have written there.

    Raises:
        OptionError: it has files of another run.
        InputError: it cannot be made or listed.
    """
    if not folder:
        return None
    if is_address(folder):
        names = names_in(folder)
    else:
        try:
            os.makedirs(folder, exist_ok=True)
            names = os.listdir(folder)
        except OSError as error:
            raise InputError(
                f"the folder {folder} for scores of segments cannot be used ({error.strerror}): "
                "name another one"
            ) from None
    own = {os.path.basename(scores_file(folder, number)): number for number in range(shards)}
    others = [name for name in names if name.endswith(PARQUET) and (is_new or name not in own)]
    if others:
        raise OptionError(
            f"the folder {folder} has files of another run, such as {others[0]}: name a new folder "
            "for scores of segments, or remove them"
        )
    return {own[name] for name in names if name in own}


def _drawn(intervals: IntervalSettings | None) -> tuple[int, int]:
    """Return the number of draws and their seed."""
    if intervals is None:
        return 0, 0
    if intervals.seed is None:
        raise OptionError(
            "must be a number: all workers draw the same, and a run that goes on does, too",
            option="seed",
        )
    return intervals.draws or DRAWS, intervals.seed


def _described(job: Job, texts: ShardTexts, shards: Sequence[Shard]) -> dict[str, Any]:
    """Return what decides the results, so that those of another run are not taken for them."""
    return {
        "version": __version__,
        "metrics": list(job.metrics),
        "options of metrics": [repr(metric) for metric in job.metrics.values()],
        "systems": list(job.systems),
        "references": len(texts.references),
        "columns": [
            f"{source}, bom={source.bom}, max_segment_bytes={source.max_segment_bytes}"
            for source in texts.all
        ],
        "groups": job.by,
        "keys": job.key,
        "draws": [job.draws, job.seed],
        "scores of segments": job.folder,
        FILES: [
            [shard.name, *(f"{one.path}, {one.size} bytes, {one.modified}" for one in shard.files)]
            for shard in shards
        ],
    }


def _taught(job: Job, shards: Sequence[Shard], settings: ShardSettings) -> dict[str, AnyMetric]:
    """Return the metrics after those that learn have learned from the references of all shards."""
    learning = {
        name: one for name, one in job.metrics.items() if one.learns and one.learned is None
    }
    if not learning:
        return job.metrics
    parts: dict[int, list[Any]] = {}
    errors: dict[int, str] = {}
    learn = partial(learn_shard, list(learning.values()))
    for number, learned, error in launch(learn, shards, settings):
        if error:
            errors[number] = error
        elif learned:
            parts[number] = learned
    if errors:
        raise _failed(errors, len(shards), None)
    ordered = [parts[number] for number in sorted(parts)]
    taught = {
        name: metric.with_learned(*(own[place] for own in ordered))
        for place, (name, metric) in enumerate(learning.items())
    }
    return {name: taught.get(name, metric) for name, metric in job.metrics.items()}


def _failed(errors: Mapping[int, str], shards: int, results: str | None) -> InputError:
    """Return the error of shards that cannot be counted."""
    listed = [errors[number] for number in sorted(errors)]
    more = f"; and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    if shards == 1:
        return InputError(listed[0])
    kept = (
        f"; the results of the others are in {results}: correct the texts, and run the same again"
        if results and len(errors) < shards
        else ""
    )
    return InputError(
        f"{len(listed)} of {plural(shards, 'shard')} cannot be counted: "
        f"{'; '.join(listed[:_SHOWN])}{more}{kept}"
    )


def _answer(
    job: Job,
    intervals: IntervalSettings | None,
    sums: Sums,
    whole_set: tuple[int, str | None],
    shards: tuple[int, int],
) -> ShardScores:
    """Return the answer.

    Args:
        job: what was computed.
        intervals: the settings of intervals.
        sums: the sums by group.
        whole_set: the number of all segments, and their fingerprint; None if it is not shown.
        shards: how many shards there are, and how many of them an earlier run had counted.
    """
    keys = sorted(sums)
    whole = sums[keys[0]]
    for key in keys[1:]:
        whole = plus(whole, sums[key])
    segments, test_set = whole_set
    # The fingerprint of a group is unknown.
    of_group = None if test_set is None else ""
    groups = {
        name: _scores(job, intervals, sums[key], of_group)
        for key, name in (_names_of(keys) if job.by else {}).items()
    }
    _warn_of_similar(job.by, list(groups))
    scores = _scores(job, intervals, whole, test_set)
    return ShardScores(scores, groups, job.by, segments, *shards)


def _warn_of_similar(column: str, groups: Sequence[str]) -> None:
    """Warn of groups whose names look alike, so that one group is perhaps divided."""
    alike: dict[str, list[str]] = {}
    for name in groups:
        alike.setdefault(" ".join(name.split()).lower(), []).append(name)
    for names in alike.values():
        if len(names) > 1:
            listed = " and ".join(map(repr, names))
            warn_caller(
                f"{column} has the groups {listed}, which differ in white space or case only: "
                "write them alike if they are the same"
            )


def _names_of(keys: Sequence[str]) -> dict[str, str]:
    """Return the name of each group by its key: different names, and none that is empty.

    >>> _names_of(["", "=", "=(none)", "=news"])
    {'': '((none))', '=': '(blank)', '=(none)': '(none)', '=news': 'news'}
    """
    names = {key: key.removeprefix(GROUP) for key in keys}
    for key, name in ((NO_GROUP, WITHOUT_GROUP), (GROUP, BLANK_GROUP)):
        while name in names.values():
            name = f"({name})"
        if key in names:
            names[key] = name
    return names


def _scores(
    job: Job, intervals: IntervalSettings | None, sums: list[list[Sum]], test_set: str | None
) -> Scores:
    metrics, keys = list(job.metrics.values()), list(job.metrics)
    scores = [
        [metric.score(one.totals) for metric, one in zip(metrics, own, strict=True)] for own in sums
    ]
    if intervals is None:
        return Scores(job.systems, scores, keys=keys, test_set=test_set)
    found = [
        [
            _interval(job, one, score, intervals.confidence)
            for one, score in zip(own, ours, strict=True)
        ]
        for own, ours in zip(sums, scores, strict=True)
    ]
    return Scores(job.systems, scores, found, keys=keys, test_set=test_set)


def _interval(job: Job, one: Sum, score: Score, confidence: float) -> Interval:
    assert one.draws is not None
    metric = score.metric
    signature = with_draws(score.signature, bs=job.draws, seed=job.seed, poisson=True)
    draws = metric.segment_scores(one.draws).values
    return interval_of(score.score, draws, confidence, signature, metric.extra_digits)
