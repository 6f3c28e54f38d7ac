"""`bleuet score`: score systems against references, or score saved tables again."""

from __future__ import annotations

import os
import sys

from bleuet.cli.metric_selection import metrics_of, with_option
from bleuet.cli.options import (
    ALLOW_MISMATCH,
    CONFIDENCE,
    DOCUMENTS,
    DOWNLOAD,
    DRAWS,
    FROM_TABLE,
    LANGUAGE_PAIR,
    METRICS,
    READING,
    REFERENCES,
    RULES_OF_SAVED_TABLES,
    SAVE_TABLE,
    SAVED_TABLES,
    SEED,
    SOURCE_TEXTS,
    SYSTEMS,
    THREADS,
    Command,
    Flag,
    FlagRule,
    settings_of,
)
from bleuet.cli.shards import BY, SHARDS, check, has_shards, scores
from bleuet.cli.text_input import count_texts, text_files
from bleuet.errors import BleuetError, OptionError, TableError
from bleuet.evaluation.names import shown_systems, single_system
from bleuet.evaluation.stream import Stream
from bleuet.evaluation.system_scores import Scores
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.catalogue import known_name
from bleuet.study_settings import IntervalSettings
from bleuet.text.files import STDIN
from bleuet.text.tokenizers import TOKENIZERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.cli.text_input import TextFiles
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.option import Option
    from bleuet.output.answer import Answer

SUMMARY = """\
Score one or more systems against references.
Line i of each file is segment i. Files can be .gz, .zst, .bz2 or .xz, - is
standard input, and data.tsv:2 or data.csv:ref is a column (.jsonl, .parquet)."""

EXAMPLES = """\
examples:
  bleuet score ref.txt -i system.txt
  bleuet score ref1.txt ref2.txt -i a.txt b.txt -m bleu chrf:word_order=2 ter
  bleuet score data.tsv:ref -i data.tsv:hyp --sentence-level -f jsonl

exit codes: 0 done, 1 input that cannot be scored, 2 wrong usage, 130 Ctrl-C"""

DEFAULT_METRICS = ("bleu",)
# The formats in which scores are kept to be read again, with a fingerprint of their test set.
STORED = ("json", "jsonl")

SENTENCE_LEVEL = Flag(
    "-s", "--sentence-level", kind="switch", help="score each segment separately"
)  # fmt: skip
SCORE_ONLY = Flag("-b", "--score-only", kind="switch", help="print only the scores")
CUMULATIVE = Flag(
    "--cumulative", kind="switch", rare=True,
    help="also show BLEU-1 to BLEU-N, with n-grams of up to n words",
)  # fmt: skip
SAVE_SCORES = Flag(
    "--save-scores", metavar="FILE", writes=True,
    help="save the scores of segments in a .parquet, .csv or .jsonl file",
)  # fmt: skip
ALIGNMENT = Flag(
    "--alignment", kind="switch",
    help="with -m wer or cer: show substitutions, deletions and insertions",
)  # fmt: skip


def _flag(option: Option) -> Flag:
    """Return the flag of an option of BLEU: its name with hyphens."""
    name = f"--{option.name.replace('_', '-')}"
    if isinstance(option.default, bool):
        return Flag(name, kind="yes or no" if option.depends else "switch", help=option.help)
    shown = "" if option.default is None else f" (default: {option.default})"
    if option.choices:
        names = f"{option.help}: {', '.join(option.choices)}{shown}"
        return Flag(name, metavar="NAME", suggestions=option.choices, help=names)
    return Flag(name, metavar="N", many="+" if option.many else "", help=option.help + shown)


ALIGN = Flag(
    "--align", metavar="NAME", many="?", implied="none", suggestions=tuple(TOKENIZERS), rare=True,
    help="run `bleuet align` first; NAME is a tokenizer, or time",
)  # fmt: skip


BLEU_OPTIONS = {_flag(option): option for option in BLEU.options if option.on_command_line}

COMMAND = Command(
    "score",
    SUMMARY,
    ["REF [REF ...] -i HYP [HYP ...] [option ...]", "--from-table FILE [FILE ...] [option ...]"],
    {
        "input": (
            REFERENCES,
            SYSTEMS.but(help="hypotheses of each system; NAME=HYP names it (default: stdin)"),
            SOURCE_TEXTS,
            ALIGN,
            *READING,
        ),
        "metrics": (
            METRICS.but(
                help="such as bleu chrf:word_order=2; see `bleuet metrics` (default: bleu)"
            ),
            LANGUAGE_PAIR,
            DOWNLOAD,
            SENTENCE_LEVEL,
        ),
        "options of bleu": tuple(BLEU_OPTIONS),
        "confidence intervals": (
            CONFIDENCE,
            DRAWS,
            SEED,
            DOCUMENTS.but(help="document of each segment, one per line: draw whole documents"),
        ),
        "saved tables (Parquet files)": (SAVE_TABLE, *SAVED_TABLES, ALLOW_MISMATCH),
        "shards": SHARDS,
        "output": (SCORE_ONLY, ALIGNMENT, SAVE_SCORES, CUMULATIVE, THREADS),
    },
    elsewhere={
        "options of bleu": "see `bleuet metrics bleu`; each is also a flag, such as --tokenize",
        "shards": "patterns in quotes, such as 'data/*.txt'; see the guide to large test sets",
    },
    rules=(
        *RULES_OF_SAVED_TABLES,
        FlagRule((ALLOW_MISMATCH,), needs=(FROM_TABLE,)),
        FlagRule((DRAWS, SEED), needs=(CONFIDENCE,)),
        FlagRule(
            (DOCUMENTS,),
            needs=(CONFIDENCE, ALIGN, SAVE_SCORES),
            reason="bleuet compare --labels scores each document",
        ),
        FlagRule(
            (CONFIDENCE,), excludes=(SENTENCE_LEVEL,), reason="an interval needs many segments"
        ),
        FlagRule((BY,), excludes=(SCORE_ONLY,), reason="there are scores of several groups"),
        FlagRule((ALIGN,), excludes=(FROM_TABLE,), reason="saved tables have no texts to cut"),
        FlagRule((ALIGNMENT,), excludes=(FROM_TABLE,), reason="saved tables have no words"),
        FlagRule(
            (ALIGNMENT,),
            excludes=(SENTENCE_LEVEL, CONFIDENCE, SCORE_ONLY, CUMULATIVE, SAVE_TABLE, SAVE_SCORES),
        ),
        FlagRule(
            (FROM_TABLE,),
            excludes=(SAVE_SCORES,),
            reason="--sentence-level -f csv prints the scores of saved tables",
        ),
    ),
    examples=EXAMPLES,
    stray="write the references first and the systems after -i, as in bleuet score REF -i HYP HYP",
)


AT_ONE_PLACE = (
    *(FROM_TABLE, ALIGN, SENTENCE_LEVEL, SAVE_TABLE, SAVE_SCORES, ALIGNMENT, DOCUMENTS, CUMULATIVE),
    THREADS,
)


def answer(args: Arguments) -> Answer:
    """Return the scores.

    Raises:
        OptionError: options do not go together, or a metric does not exist.
        InputError: a file cannot be read.
        TableError: saved tables do not have what is wanted.
    """
    _check(args)
    settings = None if args.confidence is None else settings_of(args, IntervalSettings)
    words = _with_bleu_options(args)
    if has_shards(args):
        check(args, AT_ONE_PLACE)
        made = _metrics(args, words)
        named = dict(zip(words or DEFAULT_METRICS, made, strict=True))
        fingerprint = args.format in STORED
        return _shown(args, scores(args, named, settings, fingerprint=fingerprint))
    if args.alignment:
        return _alignment(args, words)
    try:
        read = _texts if args.from_table is None else _tables
        stream = read(args, words)
    except (OptionError, TableError) as error:
        raise _with_flag(error, args) from error
    _check_cumulative(args, stream.metrics)
    found: Answer
    if args.sentence_level:
        from bleuet.engines.spooling import SpooledRows
        from bleuet.evaluation.sentence_scores import SentenceScores

        rows = SpooledRows(stream.batches)
        found = SentenceScores(stream.systems, stream.metrics, rows, cumulative=args.cumulative)
    elif settings is None:
        totals = stream.scores()
        found = Scores(stream.systems, totals, cumulative=args.cumulative, test_set=stream.test_set)
    else:
        found = _scores_with_intervals(args, stream, settings)
    return _shown(args, found)


def _shown(args: Arguments, found: Answer) -> Answer:
    if args.score_only:
        from bleuet.cli.bare_numbers import BareNumbers

        return BareNumbers(found)
    return found


def _alignment(args: Arguments, words: Sequence[str] | None) -> Answer:
    """Return the alignments of all systems by one metric."""
    from bleuet.metrics.wer.alignment import WordAlignments
    from bleuet.metrics.wer.metric import WER
    from bleuet.text.parallel import read_systems

    made = _metrics(args, words)
    if len(made) > 1:
        names = ", ".join(one.name for one in made)
        raise OptionError(f"--alignment takes only one metric, not {names}: write -m wer")
    if not isinstance(made[0], WER) or made[0].moves != "none":
        raise OptionError(
            "--alignment needs one of the metrics wer, cer, mer, wil and wip, not "
            f"{made[0].name}: write -m wer"
        )
    files, (metric,) = _files(args, made)
    assert isinstance(metric, WER)
    corpora = read_systems(files.systems, files.references)
    return WordAlignments(
        {name: metric.alignment(corpus) for name, corpus in zip(files.shown, corpora, strict=True)}
    )


def _metrics(
    args: Arguments, words: Sequence[str] | None, *, sentences: bool = False
) -> list[Metric[Any]]:
    """Return the metrics that words of -m name, or BLEU without -m."""
    named = DEFAULT_METRICS if words is None else words
    return metrics_of(named, args.language_pair, sentences=sentences)


def _files(args: Arguments, metrics: list[Metric[Any]]) -> tuple[TextFiles, list[Metric[Any]]]:
    """Return the files, cut into the segments of the references with --align, and the metrics."""
    files = text_files(args, None if args.input else _standard_input(args))
    if args.align is None:
        return files, metrics
    from bleuet.cli.align import aligned

    files, signature = aligned(files, args, args.align)
    return files, [metric.with_align(signature) for metric in metrics]


def _texts(args: Arguments, words: Sequence[str] | None) -> Stream:
    """Return the systems of texts, which are counted batch by batch."""
    files, metrics = _files(args, _metrics(args, words, sentences=args.sentence_level))
    if args.confidence is not None:
        from bleuet.cli.documents import warn_of_documents

        warn_of_documents(args, [*files.references, *files.systems])
    if args.save_scores is None:
        return _counted(args, words, files, metrics)
    from bleuet.cli.documents import read_documents
    from bleuet.engines.spooling import SpooledRows
    from bleuet.evaluation.saved_scores import SavedScores, check_scores_file

    check_scores_file(args.save_scores, SAVE_SCORES.name)
    pairs = zip(_metrics(args, words, sentences=True), metrics, strict=True)
    suited = [metric.with_align(counting.align) for metric, counting in pairs]
    names = DEFAULT_METRICS if args.metrics is None else args.metrics
    stream = _counted(args, words, files, metrics)
    rows = SpooledRows(stream.batches)
    documents = read_documents(args, sum(len(counted.segments) for counted in rows))
    made = dict(zip(names, suited, strict=True))
    SavedScores(stream.systems, made, rows, documents, str(stream.test_set)).save(args.save_scores)
    return stream.replace(batches=rows)


def _counted(
    args: Arguments, words: Sequence[str] | None, files: TextFiles, metrics: list[Metric[Any]]
) -> Stream:
    """Return the systems of texts, whose counts --save-table saves."""
    fingerprint = None
    if args.format in STORED or args.save_table is not None or args.save_scores is not None:
        from bleuet.text.fingerprint import Fingerprint

        fingerprint = Fingerprint(any(metric.reads_sources for metric in metrics))
    if args.save_table is None:
        return count_texts(files, metrics, args, fingerprint).replace(systems=files.shown)
    from bleuet.tablefile.writer import check_table_file, save_counted

    check_table_file(args.save_table, SAVE_TABLE.name)
    # The options that suit sentences are about scoring, and what is saved are counts.
    counting = [
        plain.with_align(metric.align)
        for plain, metric in zip(_metrics(args, words), metrics, strict=True)
    ]
    stream = count_texts(files, metrics, args, fingerprint)
    assert fingerprint is not None
    saved = save_counted(stream.batches, args.save_table, files.names, counting, fingerprint)
    return stream.replace(systems=files.shown, batches=saved)


def _tables(args: Arguments, words: Sequence[str] | None) -> Stream:
    """Return the systems of saved tables, which are read batch by batch."""
    from bleuet.cli.table_input import read_tables

    systems, stream = read_tables(args, words, single_system, sentences=args.sentence_level)
    return stream.replace(systems=shown_systems(systems, stream.systems))


def _scores_with_intervals(args: Arguments, stream: Stream, settings: IntervalSettings) -> Scores:
    from bleuet.cli.documents import read_documents
    from bleuet.significance.interval import bootstrap_intervals

    # All systems and metrics share the draws, which need all rows in memory.
    evaluation = stream.evaluation()
    documents = read_documents(args, stream.segments or evaluation.segments, stream.rows)
    intervals = iter(
        bootstrap_intervals(
            [
                (metric, table)
                for own in evaluation.tables.values()
                for metric, table in zip(evaluation.metrics, own, strict=True)
            ],
            settings,
            threads=args.threads,
            documents=documents,
        )
    )
    scores = list(evaluation.scores.values())
    test_set = stream.test_set
    if test_set and documents is not None:
        from bleuet.text.fingerprint import with_documents

        test_set = with_documents(test_set, documents)
    return Scores(
        evaluation.systems,
        scores,
        [[next(intervals) for _ in own] for own in scores],
        cumulative=args.cumulative,
        test_set=test_set,
    )


# --- Checks ---------------------------------------------------------------------------------------


def _check(args: Arguments) -> None:
    if args.score_only and args.format != "text":
        raise OptionError(
            f"--score-only prints numbers as text, not {args.format}: remove it, or write -f text"
        )


def _check_cumulative(args: Arguments, metrics: Sequence[Metric[Any]]) -> None:
    if args.cumulative and not any(isinstance(metric, BLEU) for metric in metrics):
        raise OptionError(
            "--cumulative is an option of bleu, which is not among the metrics: add -m bleu, or "
            "remove --cumulative"
        )


def _standard_input(args: Arguments) -> list[tuple[str, str]]:
    """Return standard input as the only system; it must not be a terminal, which would wait."""
    import stat

    if not args.references:
        return []
    try:
        waits = stat.S_ISCHR(os.fstat(sys.stdin.fileno()).st_mode)
    except AttributeError:  # closed
        waits = True
    except OSError:  # replaced by something in memory
        waits = False
    if not waits:
        return [("", STDIN)]
    several = " (all files before -i are references)" if len(args.references) > 1 else ""
    raise OptionError(f"no hypotheses{several}: name a file with -i, or pipe them in")


# --- Options of BLEU ------------------------------------------------------------------------------


def _with_bleu_options(args: Arguments) -> list[str] | None:
    """Return the metrics of -m, with BLEU's flags after the colon of those named bleu."""
    words: list[str] | None = args.metrics
    settings = [_setting(flag, args) for flag in BLEU_OPTIONS if args.was_set(flag)]
    if not settings:
        return words
    if words is None:
        words = ["bleu"] if args.from_table is None else []
    if not any(_is_bleu(word) for word in words):
        flag = next(flag for flag in BLEU_OPTIONS if args.was_set(flag))
        value = "" if getattr(args, flag.dest) is True else _setting(flag, args).partition("=")[2]
        word = with_option(words, flag.dest, value)
        advice = f"write {word}" if word else "add -m bleu"
        raise OptionError(
            f"{flag.name} is an option of bleu, which -m does not name: {advice}, or remove "
            f"{flag.name}"
        )
    added = ",".join(settings)
    return [
        f"{word}{',' if ':' in word else ':'}{added}" if _is_bleu(word) else word for word in words
    ]


def _setting(flag: Flag, args: Arguments) -> str:
    value = getattr(args, flag.dest)
    if isinstance(value, bool):
        return f"{flag.dest}={'yes' if value else 'no'}"
    text = value if isinstance(value, str) else "/".join(value)
    return f"{flag.dest}={text.replace(',', chr(92) + ',')}"


def _is_bleu(word: str) -> bool:
    named = known_name(word.partition(":")[0])
    return named is not None and named.partition(":")[0] == "bleu"


def _with_flag(error: BleuetError, args: Arguments) -> BleuetError:
    """Return an error about an option of BLEU with the flag that set it."""
    for flag, option in BLEU_OPTIONS.items():
        if error.metric == BLEU.__name__ and error.option == option.name and args.was_set(flag):
            return type(error)(error.naming(flag.name))
    return error
