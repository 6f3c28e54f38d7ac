"""`bleuet score` of files that patterns name: each is counted by itself, here or on a cluster."""

from __future__ import annotations

from bleuet.cli.options import flag_of, settings_of
from bleuet.errors import OptionError
from bleuet.evaluation.names import named_file
from bleuet.shards.settings import ShardSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.cli.options import Arguments, Flag
    from bleuet.cli.text_input import TextFiles
    from bleuet.metrics.base.metric import Metric
    from bleuet.shards.scoring import ShardScores
    from bleuet.study_settings import IntervalSettings

BY = flag_of(ShardSettings, "by", metavar="COLUMN")
ENGINE = flag_of(
    ShardSettings, "engine", default=None,
    help="where shards are counted: processes (the default), ray or spark",
)  # fmt: skip
SHARDS = (
    ENGINE,
    flag_of(ShardSettings, "address", metavar="ADDRESS"),
    flag_of(ShardSettings, "workers"),
    flag_of(ShardSettings, "results", metavar="FOLDER"),
    BY,
    flag_of(ShardSettings, "segment_scores", metavar="FOLDER"),
    flag_of(ShardSettings, "key", metavar="COLUMN"),
)
WILDCARDS = "*?["


def has_shards(args: Arguments) -> bool:
    """Return whether files come in shards: a flag is set for them, or a word is a pattern."""
    return any(map(args.was_set, SHARDS)) or _has_pattern(args)


def _has_pattern(args: Arguments) -> bool:
    words = [*args.references, *(args.input or ()), args.source or ""]
    if not any(one in word for word in words for one in WILDCARDS):
        return False
    from bleuet.shards.finding import is_pattern
    from bleuet.text.source import Source

    return any(is_pattern(Source.parse(named_file(word)[1]).path) for word in words if word)


def check(args: Arguments, others: Sequence[Flag]) -> None:
    """Reject flags that need all texts at one place.

    Args:
        args: the arguments.
        others: these flags.

    Raises:
        OptionError: one is set.
    """
    for flag in filter(args.was_set, others):
        why = next((one.name for one in SHARDS if args.was_set(one)), "a pattern for files")
        raise OptionError(
            f"{flag.name} needs all texts at one place, and {why} divides them into shards: remove "
            "one of them"
        )


def scores(
    args: Arguments,
    metrics: dict[str, Metric[Any]],
    intervals: IntervalSettings | None,
    *,
    fingerprint: bool = False,
) -> ShardScores:
    """Return the scores.

    Args:
        args: the arguments.
        metrics: the metrics by the words of -m.
        intervals: the settings of intervals, None for none.
        fingerprint: whether the scores get the fingerprint of the test set.
    """
    from bleuet.cli.progress import share_bar
    from bleuet.cli.text_input import text_files
    from bleuet.shards.finding import ShardTexts
    from bleuet.shards.scoring import score_texts

    files = text_files(args)
    texts = ShardTexts(tuple(files.systems), tuple(files.references), files.source)
    settings = settings_of(args, ShardSettings)
    with share_bar(args) as report:

        def progress(done: int, shards: int) -> None:
            if report is not None:
                report(done / shards)

        names = _names(args, files)
        return score_texts(
            texts, names, metrics, settings, intervals, progress, fingerprint=fingerprint
        )


def _names(args: Arguments, files: TextFiles) -> list[str]:
    """Return the names of the systems; that of a column of a pattern is the column's name."""
    from bleuet.shards.finding import is_pattern

    named = [
        name or (source.column if is_pattern(source.path) else None) or shown
        for (name, _), source, shown in zip(
            map(named_file, args.input), files.systems, files.shown, strict=True
        )
    ]
    return named if len(set(named)) == len(named) else files.shown
