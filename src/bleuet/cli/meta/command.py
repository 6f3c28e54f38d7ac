"""`bleuet meta`: how well metrics agree with people."""

from __future__ import annotations

from bleuet.cli.destination import check_destination
from bleuet.cli.meta.arguments import CONFIDENCE, TRIALS, read_arguments
from bleuet.cli.meta.evidence import LEFT_OUT, evidence_of_files, evidence_of_test_set
from bleuet.cli.meta.output import Told, write_leaderboard, write_picture
from bleuet.cli.warning_lines import warn
from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.report.theme import THEMES
from bleuet.studies.meta_evaluation import RESAMPLED
from bleuet.studies.meta_evaluation.human_scores_check import on_common_ground
from bleuet.studies.meta_evaluation.leaderboard import (
    Terms,
    leaderboard,
    usual_statistics,
)
from bleuet.studies.meta_evaluation.statistics import find_statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.cli.meta.arguments import MetaGiven
    from bleuet.cli.meta.evidence import Evidence


def main(command: str, arguments: Sequence[str]) -> int:
    """Run `bleuet meta` and return its exit code."""
    given = read_arguments(arguments)
    for name in given.statistic or ():
        find_statistic(name)
    _check_outputs(given)
    collect = evidence_of_files if given.mt_metrics_eval is None else evidence_of_test_set
    evidence = collect(given)
    told = _judge(given, evidence)
    for path, drawn in ((given.picture, told.bars), (given.scatter, told.dots)):
        if path is not None:
            write_picture(path, drawn(), given.theme or THEMES[0])
    write_leaderboard(given, told)
    if not given.quiet and given.format == "csv":
        for note in told.notes:
            if note.startswith(LEFT_OUT):
                warn(note)
    return 0


def _check_outputs(given: MetaGiven) -> None:
    """Refuse what could not be written, before anything is computed."""
    files = [
        word.partition("=")[2] or word for word in (*(given.input or ()), *(given.scores or ()))
    ]
    inputs = [*given.references, *files, given.human or ""]
    written = [given.output, given.picture, given.scatter]
    for picture in filter(None, written[1:]):
        # What draws is loaded here, so that it is found missing before anything is computed.
        optional("altair")
        from bleuet.report.pictures import kind_of

        kind_of(picture)
    for path in written:
        check_destination(path, inputs)
    named = [path for path in written if path is not None]
    if len(set(named)) < len(named):
        raise OptionError("-o, --picture and --scatter need a file each: name them apart")


def _usual(evidence: Evidence, levels: Sequence[str]) -> list[str]:
    """The usual statistics that at least one metric has the scores for."""
    of_segments = any(one.segments is not None for one in evidence.contenders)
    return [
        name
        for name in usual_statistics(evidence.people, levels)
        if of_segments or not find_statistic(name).needs_segments
    ]


def _judge(given: MetaGiven, evidence: Evidence) -> Told:
    statistics = given.statistic or _usual(evidence, given.level or ())
    twice = next((name for name in statistics if statistics.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"the statistic {twice} was asked for twice; name it once")
    people, contenders, left_out = on_common_ground(evidence.people, evidence.contenders)
    notes = list(evidence.notes)
    if left_out:
        notes.append(
            f"{LEFT_OUT}{left_out:,} scores or judgments of people where a metric has no score"
        )
    terms = Terms(
        grouping=given.grouping,
        draws=given.draws or 0,
        confidence=given.confidence or CONFIDENCE,
        resample=given.resample or RESAMPLED[0],
        seed=given.seed,
        test=given.test,
        trials=given.trials or TRIALS,
    )
    return Told(people, leaderboard(people, contenders, statistics, terms), notes, terms)
