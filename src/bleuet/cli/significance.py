"""`bleuet significance`: paired significance tests of systems, by several metrics at once."""

from __future__ import annotations

from bleuet.cli.documents import read_documents, warn_of_documents
from bleuet.cli.external_score_options import (
    EXTERNAL_SCORES,
    RULES_OF_EXTERNAL_SCORES,
    SCORES,
    check_external_scores,
    order_metrics,
    read_scores,
    score_files,
)
from bleuet.cli.metric_selection import metrics_of
from bleuet.cli.options import (
    ALLOW_MISMATCH,
    DOCUMENTS,
    DOWNLOAD,
    FROM_TABLE,
    LANGUAGE_PAIR,
    METRICS,
    READING,
    REFERENCES,
    RULES_OF_SAVED_TABLES,
    SAVED_TABLES,
    SOURCE_TEXTS,
    SYSTEMS,
    THREADS,
    Command,
    FlagRule,
    flag_of,
    settings_of,
)
from bleuet.cli.significance_options import ALL_PAIRS, BASELINE, OPTIONS_OF_A_TEST, TEST
from bleuet.cli.table_input import read_tables
from bleuet.cli.text_input import count_texts, text_files
from bleuet.cli.warning_lines import warn_of_left_out
from bleuet.errors import OptionError
from bleuet.evaluation.evaluation import Evaluation
from bleuet.evaluation.names import is_file, named_system, shown_systems
from bleuet.evaluation.stream import Stream
from bleuet.messages import nearest
from bleuet.metrics.ter.metric import TER
from bleuet.significance.few_segments import ENOUGH
from bleuet.significance.settings import TestSettings, check_runs
from bleuet.significance.testing import paired_test
from bleuet.text.fingerprint import Fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bleuet.cli.options import Arguments
    from bleuet.evaluation.names import NamedSystem
    from bleuet.significance import PairedResults

DEFAULT_METRICS = ("bleu", "chrf")

COMMAND = Command(
    "significance",
    """\
Test which differences between systems are significant.

The first system, or the one that --baseline names, is compared with every other
system by each metric. The output has the scores with their confidence
intervals, the differences, p-values corrected for the number of comparisons,
and for BLEU and chrF an estimate of how often humans agree with the metric.

The input files are the same as for bleuet score. If a system was trained
several times, its runs follow its name, with commas between them.""",
    [
        "REF [REF ...] -i HYP HYP [HYP ...] [option ...]",
        "--from-table FILE [FILE ...] [option ...]",
    ],
    {
        "input": (
            REFERENCES,
            SOURCE_TEXTS,
            SYSTEMS.but(
                help="a file of hypotheses for each system; NAME=HYP names the system, "
                "NAME=HYP,HYP,... are its runs",
            ),
            *READING,
            *SAVED_TABLES,
        ),
        "metrics": (
            METRICS.but(
                help=f"{METRICS.help} (default: {' '.join(DEFAULT_METRICS)}, or those of the "
                "saved tables)"
            ),
            LANGUAGE_PAIR,
            DOWNLOAD,
        ),
        "external scores": EXTERNAL_SCORES,
        "test": (
            TEST.but(
                help=f"{TEST.help} (default: bootstrap; welch for several runs; randomization "
                f"below {ENOUGH} segments or documents)"
            ),
            BASELINE,
            ALL_PAIRS,
            *OPTIONS_OF_A_TEST,
            DOCUMENTS,
            flag_of(
                TestSettings,
                "confidence",
                metavar="LEVEL",
                many="?",
                implied=TestSettings.declared["confidence"].default,
                help="the confidence level of the intervals (default: {default})",
            ),
        ),
        "computing": (THREADS,),
    },
    rules=(
        *RULES_OF_SAVED_TABLES,
        FlagRule((ALLOW_MISMATCH,), needs=(FROM_TABLE, SCORES)),
        *RULES_OF_EXTERNAL_SCORES,
        FlagRule((ALL_PAIRS,), excludes=(BASELINE,), reason="all pairs have no baseline"),
    ),
    examples="""\
examples:
  bleuet significance ref.txt -i old.txt new.txt
  bleuet significance ref.txt -i a.txt b.txt c.txt -m bleu chrf ter --all-pairs
  bleuet significance ref.txt -i old=a1.txt,a2.txt,a3.txt new=b1.txt,b2.txt,b3.txt
  bleuet significance --from-table old.parquet new.parquet -m bleu:smooth=floor
  bleuet significance ref.txt -i a.txt b.txt --test sacrebleu-bootstrap
  bleuet significance ref.txt -i a.txt b.txt --scores COMET=a.comet,b.comet

exit codes: 0 done, 1 input that cannot be tested, 2 wrong usage, 130 Ctrl-C""",
    stray="write the references first and the systems after -i, as in bleuet significance REF -i "
    "HYP HYP",
)


def answer(args: Arguments) -> PairedResults:
    """Return the results of the test."""
    settings = settings_of(args, TestSettings)
    check_external_scores(args)
    words = _metric_words(args)
    computed = words and [word for word in words if word not in score_files(args.scores)]
    read = _texts if args.from_table is None else _tables
    systems, stream = read(args, computed)
    names = shown_systems(systems, stream.systems)
    runs = _number_of_runs(settings.test, names, systems)
    baseline = _baseline(settings.baseline, names, systems)
    of_each = _evaluation(args, words, stream, "run" if runs > 1 else "system")
    of_runs = iter(of_each.tables.values())
    evaluation = Evaluation.of_runs(
        of_each.metrics, {name: [next(of_runs) for _ in range(runs)] for name in names}
    )
    documents = read_documents(args, stream.segments or evaluation.segments, stream.rows)
    results = paired_test(
        evaluation.replace(documents=documents),
        settings.replace(baseline=baseline),
        threads=args.threads,
    )
    warn_of_left_out(args, results.missing)
    return results


# --- Systems and their runs -----------------------------------------------------------------------


def _checked(word: str, exists: Callable[[str], bool]) -> NamedSystem:
    """Return the system that a word names; arguments as of `named_system`.

    Raises:
        OptionError: several runs have no name, or as for `named_system`.
    """
    name, runs = named_system(word, exists)
    parts = word.split(",")
    if not name and len(parts) > 1 and not exists(word) and all(map(exists, parts)):
        raise OptionError(f"several runs need a name for their system: write NAME={word}")
    return name, runs


def _number_of_runs(test: str | None, names: Sequence[str], systems: Sequence[NamedSystem]) -> int:
    if len(names) < 2:
        raise OptionError(
            f"a test compares two systems or more, but there is only {names[0]}: add one after -i"
        )
    counts = [len(runs) for _, runs in systems]
    if len(set(counts)) > 1:
        listed = ", ".join(f"{name} has {n}" for name, n in zip(names, counts, strict=True))
        raise OptionError(f"all systems must have the same number of runs, but {listed}")
    if test is not None:
        check_runs(test, counts[0])
    return counts[0]


def _baseline(word: str | None, names: Sequence[str], systems: Sequence[NamedSystem]) -> str | None:
    """Return the baseline system, which a word names by its name or its file."""
    if word is None:
        return None
    for name, (_, runs) in zip(names, systems, strict=True):
        if word == name or (word,) == runs:
            return name
    raise OptionError(
        f"--baseline: there is no system {word}{nearest(word, names)}; expected one of "
        f"{', '.join(names)}"
    )


# --- Input ----------------------------------------------------------------------------------------


def _texts(args: Arguments, words: Sequence[str] | None) -> tuple[list[NamedSystem], Stream]:
    systems = [_checked(word, is_file) for word in args.input or ()]
    files = text_files(args, [("", run) for _, runs in systems for run in runs])
    warn_of_documents(args, [*files.references, *files.systems])
    # Where all scores are external, a metric shows how many segments there are.
    metrics = metrics_of(DEFAULT_METRICS if words is None else words, args.language_pair) or [TER()]
    # Scores that --save-scores wrote name their test set.
    fingerprint = Fingerprint(sources=True) if args.scores else None
    return systems, count_texts(files, metrics, args, fingerprint)


def _tables(args: Arguments, words: Sequence[str] | None) -> tuple[list[NamedSystem], Stream]:
    return read_tables(args, words or None, _checked)


# --- Metrics --------------------------------------------------------------------------------------


def _metric_words(args: Arguments) -> list[str] | None:
    """Return the words of -m and all external scores, in order; None without -m."""
    return None if args.metrics is None else order_metrics(args.metrics, score_files(args.scores))


def _evaluation(
    args: Arguments, words: Sequence[str] | None, stream: Stream, each: str
) -> Evaluation:
    """Return the evaluation of each run, by all metrics in the order of -m.

    Args:
        args: the arguments.
        words: the words of -m; None for the computed metrics, then the external scores.
        stream: the rows of each run.
        each: what messages call a run.
    """
    counted, selected = stream.evaluation(), stream.rows
    rows = range(counted.segments) if selected is None else selected
    names = {name: name for name in counted.systems}
    segments = stream.segments or counted.segments
    scores = read_scores(args, names, segments, lambda: stream.test_set or "", each)
    if not scores:
        return counted
    given = Evaluation.from_scores(
        {
            mean: {name: [column[row] for row in rows] for name, column in own.items()}
            for mean, own in scores.items()
        },
        counted.systems,
        counted.segments,
    )
    if words is None:
        return Evaluation.joined([counted, given])
    by_name, computed = {metric.name: metric for metric in given.metrics}, iter(counted.metrics)
    ordered = [by_name.get(word) or next(computed) for word in words]
    return Evaluation.joined([counted, given], ordered)
