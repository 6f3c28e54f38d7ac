"""`bleuet meta`: the agreement of metrics with human scores."""

from __future__ import annotations

from pathlib import Path
from secrets import randbits

from bleuet.cli.documents import read_documents
from bleuet.cli.external_score_options import (
    LOWER_IS_BETTER,
    SCORES,
    TABLE_LAYOUT,
    check_lower_is_better,
    score_files,
    table_layout,
)
from bleuet.cli.metric_selection import target_language
from bleuet.cli.options import (
    ALLOW_MISMATCH,
    CONFIDENCE,
    DOCUMENTS,
    DOWNLOAD,
    DRAWS,
    LANGUAGE_PAIR,
    METRICS,
    NO_CHOICE,
    READING,
    REFERENCES,
    SEED,
    SOURCE_TEXTS,
    SYSTEMS,
    THREADS,
    Command,
    Flag,
    FlagRule,
    flag_of,
    seed_of,
    settings_of,
)
from bleuet.cli.picture_options import PICTURE, THEME, check_pictures, write_picture
from bleuet.cli.text_input import reading, source_of, sources
from bleuet.cli.warning_lines import warn_of_left_out
from bleuet.errors import OptionError
from bleuet.evaluation.names import named_file, stored_names
from bleuet.meta_evaluation import RATER_SCORES, STATISTICS, AgreementSettings
from bleuet.meta_evaluation.evaluation_files import HUMAN_SCORES, EvaluationFiles
from bleuet.meta_evaluation.evaluation_test_set import EvaluationTestSet
from bleuet.meta_evaluation.leaderboard import LEVELS
from bleuet.meta_evaluation.metric_scores import metrics_from_texts
from bleuet.meta_evaluation.mt_metrics_eval import TestSet, choose_references
from bleuet.meta_evaluation.settings import PERM_BOTH, SIGNED_RANK
from bleuet.significance.correction import CORRECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.cli.options import Arguments
    from bleuet.meta_evaluation import Leaderboard
    from bleuet.meta_evaluation.metric_scores import MetricToCompute

DEFAULT_DRAWS = AgreementSettings.declared["trials"].default
DEFAULT_METRICS = ("bleu",)


HUMAN = Flag(
    "--human", metavar="FILE", reads=True,
    help="human scores, MQM annotations, judgments or rankings; FILE:COLUMN names the column of "
    "scores",
)  # fmt: skip
RATERS = Flag(
    "--rater-scores", metavar="WHAT", choices=RATER_SCORES,
    help="how scores of a table with a column rater become one: raw (their mean) or z (the mean of "
    f"the z-scores of each rater) (default: {RATER_SCORES[0]})",
)  # fmt: skip
MQM_WEIGHTS = Flag(
    "--mqm-weights", metavar="FILE", reads=True,
    help="weights of errors in MQM annotations: a table with the columns severity, category, "
    "weight",
)  # fmt: skip
SENTINELS = Flag(
    "--sentinels", kind="switch",
    help="add metrics that know only the lengths of texts, which other metrics should be above",
)  # fmt: skip
LEAVE_OUT = Flag(
    "--leave-out", many="+", metavar="SYSTEM",
    help="systems to leave out",
)  # fmt: skip
MT_METRICS_EVAL = Flag(
    "--mt-metrics-eval", metavar="FOLDER",
    help="a test set of mt-metrics-eval; REF then is the name of one of its references",
)  # fmt: skip
HUMAN_NAME = Flag(
    "--human-name", metavar="NAME",
    help="the name of the human scores of the test set (default: the only ones, or mqm)",
)  # fmt: skip
STORED = Flag(
    "--stored", many="*", metavar="NAME",
    help="stored metrics of the test set to use; without a name, none (default: all that used the "
    "references REF, or no references)",
)  # fmt: skip
STATISTIC = Flag(
    "--statistic", many="+", metavar="NAME", choices=tuple(STATISTICS),
    help="statistics, see below; the first one orders the metrics (default: those for the level "
    "and the human scores)",
)  # fmt: skip
LEVEL = Flag(
    "--level", many="+", metavar="LEVEL", choices=LEVELS,
    help="segment, system or both: selects among the default statistics",
)  # fmt: skip
GROUPING = flag_of(AgreementSettings, "grouping")
MARGIN = flag_of(AgreementSettings, "margin")
UNDEFINED_AS_ZERO = flag_of(AgreementSettings, "undefined_as_zero")
HELD_OUT_EPSILON = flag_of(AgreementSettings, "held_out_epsilon")
ALL_SEGMENTS = flag_of(AgreementSettings, "all_segments")
RESAMPLE = flag_of(AgreementSettings, "resample", metavar="WHAT")
TEST = flag_of(AgreementSettings, "test", metavar="TEST", many="?", implied=PERM_BOTH)
RANK_SYSTEMS = flag_of(
    AgreementSettings, "rank_systems", metavar="TEST", many="?", implied=SIGNED_RANK
)
RATER_SCALE = flag_of(AgreementSettings, "rater_scale")
CORRECTION = flag_of(
    AgreementSettings, "correction", default=NO_CHOICE, choices=(*CORRECTIONS, NO_CHOICE)
)
SCATTER = Flag(
    "--scatter", metavar="FILE", writes=True,
    help="draw the metric score and human score of each system, with a regression line",
)  # fmt: skip
SUMMARY = """\
Measure how well metrics agree with human scores.

Human scores are a table (.tsv, .csv, .jsonl, .parquet, compressed or not) with the
columns segment, system, score, and rater for scores by rater; or system, score; or
segment, better, worse; or segment, system1 ..., rank1 ...; or MQM annotations, one
error per row, with the columns system, seg_id, rater, category, severity. Segments
are numbered from 0, in MQM annotations from 1. Metrics are computed from texts, or
read as external scores.

A metric can have options: bleu:smooth=floor,max_ngram_order=2"""

EXAMPLES = """\
examples:
  bleuet meta ref.txt -i north.txt south.txt -m bleu chrf ter --human mqm.tsv:mqm
  bleuet meta ref.txt -i *.out.txt -m bleu bleu:smooth=floor --human pairs.tsv
  bleuet meta --scores comet=comet.tsv bleurt=b.jsonl --human human.tsv
  bleuet meta refA --mt-metrics-eval wmt22 -l en-de --test
  bleuet meta --human raters.tsv --rater-scores z --rank-systems

statistics:
{statistics}

exit codes: 0 success, 1 unusable input, 2 wrong usage, 130 Ctrl-C"""

COMMAND = Command(
    "meta",
    SUMMARY,
    ["[REF ...] [-i SYS ...] [-m METRIC ...] --human FILE [option ...]"],
    {
        "metrics": [
            REFERENCES,
            SOURCE_TEXTS,
            SYSTEMS.but(
                metavar="SYS",
                help="a file of hypotheses for each system, as FILE or NAME=FILE",
            ),
            METRICS.but(
                help=f"{METRICS.help} (default: {' '.join(DEFAULT_METRICS)}; none if a test set "
                "has stored metrics)"
            ),
            LANGUAGE_PAIR.but(help=f"{LANGUAGE_PAIR.help}; with a test set, it selects the texts"),
            DOWNLOAD,
            SCORES,
            LOWER_IS_BETTER.but(
                help="names of --scores that are error rates; human for the human scores"
            ),
            SENTINELS,
            *READING,
            THREADS,
        ],
        "human scores": [
            HUMAN,
            *TABLE_LAYOUT,
            MQM_WEIGHTS,
            ALLOW_MISMATCH,
            RATERS,
            RATER_SCALE,
            RANK_SYSTEMS,
            LEAVE_OUT,
            MT_METRICS_EVAL,
            HUMAN_NAME,
            STORED,
        ],
        "statistics": [
            STATISTIC,
            LEVEL,
            GROUPING,
            ALL_SEGMENTS,
            MARGIN,
            UNDEFINED_AS_ZERO,
            HELD_OUT_EPSILON,
            CONFIDENCE,
            DRAWS.but(
                help="bootstrap draws for intervals, and permutations of a test "
                f"(default: {DEFAULT_DRAWS})"
            ),
            RESAMPLE,
            DOCUMENTS,
            TEST,
            CORRECTION,
            SEED,
        ],
        "output": [PICTURE, SCATTER, THEME],
    },
    rules=(
        FlagRule((HUMAN_NAME, STORED), needs=(MT_METRICS_EVAL,)),
        FlagRule(
            (MT_METRICS_EVAL,), excludes=(HUMAN, SOURCE_TEXTS, SYSTEMS, SCORES, LOWER_IS_BETTER)
        ),
        FlagRule((ALLOW_MISMATCH,), needs=(SCORES,)),
        FlagRule((MQM_WEIGHTS, RATERS, RATER_SCALE), needs=(HUMAN,)),
        FlagRule((MT_METRICS_EVAL,), needs=(LANGUAGE_PAIR,)),
        FlagRule(
            (SENTINELS,),
            needs=(SYSTEMS, MT_METRICS_EVAL),
            reason="sentinels are the lengths of texts",
        ),
        FlagRule((STATISTIC,), excludes=(LEVEL,), reason="each statistic has a level"),
        FlagRule((RESAMPLE,), needs=(CONFIDENCE,)),
        FlagRule((DRAWS,), needs=(CONFIDENCE, TEST)),
        FlagRule((DOCUMENTS,), needs=(CONFIDENCE, TEST, RANK_SYSTEMS)),
        FlagRule((CORRECTION,), needs=(TEST, RANK_SYSTEMS)),
        FlagRule((THEME,), needs=(PICTURE, SCATTER)),
    ),
    examples=EXAMPLES.format(
        statistics="\n".join(f"  {name:<16} {one.summary}" for name, one in STATISTICS.items())
    ),
    stray="write the references first and the systems right after -i, as in "
    "bleuet meta REF -i SYS SYS --human FILE",
)


def answer(args: Arguments) -> Leaderboard:
    """Return the leaderboard of the metrics; write the pictures.

    Raises:
        InputError: a file cannot be read or written, or systems or segments do not match.
        OptionError: options do not fit together, or a name does not exist.
    """
    if args.mt_metrics_eval is None:
        _check_files(args)
    check_pictures(args.picture, args.scatter)
    read = _files if args.mt_metrics_eval is None else _test_set
    data = read(args).read(args.threads)
    documents = read_documents(args, data.segments) or data.documents
    settings = _settings(args, documents)
    board = data.leaderboard(args.statistic or (), args.level or (), settings)
    _write_pictures(args, board)
    warn_of_left_out(args, board.left_out)
    return board


# --- Input ----------------------------------------------------------------------------------------


def _check_files(args: Arguments) -> None:
    if args.human is None:
        raise OptionError("no human scores; expected a file of scores or judgments: add --human")
    if args.input and not args.references:
        raise OptionError(
            f"no reference; write it before -i, as in bleuet meta REF -i {args.input[0]} --human "
            "FILE"
        )
    if args.references and not args.input:
        raise OptionError("no systems; name a file of hypotheses for each after -i")
    if args.metrics and not args.input:
        raise OptionError(
            f"-m {args.metrics[0]} needs texts: name references, and systems after -i"
        )
    if not args.input and not args.scores:
        if args.rank_systems is None:
            raise OptionError(
                "no metric; expected references and systems to compute one, or external scores: "
                "add -i, or --scores NAME=FILE; to rank systems by human scores, add --rank-systems"
            )
        _check_without_metrics(args)


def _check_without_metrics(args: Arguments) -> None:
    flags = (STATISTIC, LEVEL, TEST, PICTURE, SCATTER)
    for flag in flags:
        if getattr(args, flag.dest) is not None:
            raise OptionError(
                f"{flag.name} needs a metric: add -i, or --scores NAME=FILE, or leave it out"
            )


def _settings(args: Arguments, documents: Sequence[str] | None) -> AgreementSettings:
    draws, seed = args.draws or DEFAULT_DRAWS, seed_of(args)
    return settings_of(
        args,
        AgreementSettings,
        draws=0 if args.confidence is None else draws,
        trials=draws,
        # SACREBLEU_SEED=none means a new seed in each run.
        seed=randbits(32) if seed is None else seed,
        documents=documents,
    )


# --- Input ----------------------------------------------------------------------------------------


def _metrics(args: Arguments, default: tuple[str, ...] = ()) -> list[MetricToCompute]:
    language = target_language(args.language_pair)
    return metrics_from_texts(args.metrics or default, language)


def _files(args: Arguments) -> EvaluationFiles:
    scores = score_files(args.scores)
    check_lower_is_better(args, [HUMAN_SCORES, *scores])
    named = [named_file(word) for word in args.input or ()]
    files = sources(args, [path for _, path in named])
    names = stored_names([name for name, _ in named], files)
    return EvaluationFiles(
        human=sources(args, [args.human])[0],
        systems=dict(zip(names, files, strict=True)),
        references=sources(args, args.references),
        source=source_of(args),
        metrics=_metrics(args, DEFAULT_METRICS) if files else (),
        scores={name: sources(args, words) for name, words in scores.items()},
        lower_is_better=args.lower_is_better or (),
        leave_out=args.leave_out or (),
        layout=table_layout(args),
        rater_scores=args.rater_scores or RATER_SCORES[0],
        sentinels=args.sentinels,
        mqm_weights=sources(args, [args.mqm_weights])[0] if args.mqm_weights else None,
        allow_mismatch=args.allow_mismatch,
    )


def _test_set(args: Arguments) -> EvaluationTestSet:
    test_set = TestSet(Path(args.mt_metrics_eval), args.language_pair, reading(args))
    return EvaluationTestSet(
        test_set,
        choose_references(test_set, args.references),
        human_name=args.human_name,
        metrics=_metrics(args),
        default=metrics_from_texts(DEFAULT_METRICS, target_language(args.language_pair)),
        stored=args.stored,
        leave_out=args.leave_out or (),
        sentinels=args.sentinels,
    )


# --- Pictures -------------------------------------------------------------------------------------


def _write_pictures(args: Arguments, board: Leaderboard) -> None:
    if args.picture is None and args.scatter is None:
        return
    from bleuet.report.charts.metric_charts import leaderboard_bars, leaderboard_scatter

    if args.picture is not None:
        write_picture(args.picture, leaderboard_bars(board), args.theme)
    if args.scatter is not None:
        write_picture(args.scatter, leaderboard_scatter(board), args.theme)
