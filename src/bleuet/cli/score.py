"""`bleuet score`: score systems against references, or score saved tables again."""

from __future__ import annotations

import os
import sys

from bleuet.cli.display_names import known_systems, named_file, shown_names
from bleuet.cli.metric_selection import make_metrics
from bleuet.cli.options import (
    CONFIDENCE,
    DOCUMENTS,
    DRAWS,
    LANGUAGE_PAIR,
    METRICS,
    READING,
    REFERENCES,
    SAVE_TABLE,
    SAVED_TABLES,
    SEED,
    SYSTEMS,
    THREADS,
    Command,
    Flag,
)
from bleuet.cli.text_input import count_texts, text_files
from bleuet.engines.counting import keep_counted, score_counted
from bleuet.errors import BleuetError, OptionError, TableError
from bleuet.evaluation.system_scores import Scores
from bleuet.metrics.bleu import BLEU
from bleuet.text.files import STDIN
from bleuet.text.tokenizers import TOKENIZERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeAlias

    from bleuet.cli.options import Arguments
    from bleuet.metrics.metric import Metric
    from bleuet.metrics.option import Option
    from bleuet.output.answer import Answer
    from bleuet.statistics.counted import Counted

    # The number of segments of saved tables, and those that are selected, None for all.
    Selected: TypeAlias = tuple[int, Sequence[range] | None]
    # The systems' names, the metrics, batches of counts, and the segments of saved tables.
    Counting: TypeAlias = tuple[
        Sequence[str], Sequence[Metric[Any]], Iterable[Counted], Selected | None
    ]

SUMMARY = """\
Score one or more systems against references.

Files contain one segment per line, in UTF-8; line i of every file belongs to
segment i. Compressed files (.gz, .zst, .bz2, .xz) can be read directly, and -
is standard input. To read a column of a table, write it after a colon:
data.tsv:2, data.csv:reference, data.jsonl:hyp, data.parquet:ref."""

EXAMPLES = """\
examples:
  bleuet score ref.txt -i system.txt
  bleuet score ref1.txt ref2.txt -i a.txt b.txt -m bleu chrf:word_order=2 ter
  bleuet score ref.ja.txt -i out.ja.txt -l en-ja
  bleuet score data.tsv:ref -i data.tsv:hyp --sentence-level -f jsonl
  ssh host cat out.gz | bleuet score ref.txt -i -
  bleuet score ref.txt -i a.txt b.txt --confidence
  bleuet score ref.txt -i a.txt b.txt --save-table ab.parquet
  bleuet score --from-table ab.parquet --segments 1-500

exit codes: 0 done, 1 input that cannot be scored, 2 wrong usage, 130 Ctrl-C"""

SENTENCE_LEVEL = Flag(
    "-s", "--sentence-level", kind="switch", help="score each segment separately"
)  # fmt: skip
SCORE_ONLY = Flag("-b", "--score-only", kind="switch", help="print only the scores")
CUMULATIVE = Flag(
    "--cumulative", kind="switch",
    help="also show BLEU-1 to BLEU-N, where BLEU-n uses n-grams of up to n words",
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
    "--align", metavar="NAME", many="?", implied="none", suggestions=tuple(TOKENIZERS),
    help="first cut each hypothesis into the segments of the references, as `bleuet align` does, "
    "with the fewest edits of words, or of the tokens of a tokenizer, such as char; time cuts "
    "subtitles by time",
)  # fmt: skip


BLEU_OPTIONS = {_flag(option): option for option in BLEU.options if option.on_command_line}

COMMAND = Command(
    "score",
    SUMMARY,
    ["REF [REF ...] -i HYP [HYP ...] [option ...]", "--from-table FILE [FILE ...] [option ...]"],
    {
        "input": (
            REFERENCES,
            SYSTEMS.but(help=f"{SYSTEMS.help} (default: standard input)"),
            ALIGN,
            *READING,
        ),
        "metrics": (
            METRICS.but(help=f"{METRICS.help} (default: bleu, or those of the saved tables)"),
            LANGUAGE_PAIR,
            SENTENCE_LEVEL,
        ),
        "options of bleu, also accepted as -m bleu:OPTION=VALUE": tuple(BLEU_OPTIONS),
        "confidence intervals": (
            CONFIDENCE,
            DRAWS.but(help="bootstrap draws (default: 1000)"),
            SEED,
            DOCUMENTS.but(help=DOCUMENTS.help.replace(" and exchanged", "")),
        ),
        "saved tables (Parquet files)": (*SAVED_TABLES, SAVE_TABLE),
        "computing": (THREADS,),
        "output": (SCORE_ONLY, CUMULATIVE),
    },
    examples=EXAMPLES,
    stray="write the references first and the systems after -i, as in bleuet score REF -i HYP HYP",
)


def answer(args: Arguments) -> Answer:
    """Return the scores.

    Raises:
        OptionError: options do not go together, or a metric does not exist.
        InputError: a file cannot be read.
        TableError: saved tables do not have what is wanted.
    """
    _check(args)
    setattr(args, METRICS.dest, _with_bleu_options(args))
    try:
        read = _texts if args.from_table is None else _tables
        names, metrics, batches, selected = read(args)
    except (OptionError, TableError) as error:
        raise _with_flag(error, args) from error
    _check_cumulative(args, metrics)
    found: Answer
    if args.sentence_level:
        from bleuet.engines.spooling import SpooledRows
        from bleuet.evaluation.sentence_scores import SentenceScores

        rows = SpooledRows(batches)
        found = SentenceScores(names, metrics, rows, cumulative=args.cumulative)
    elif args.confidence is None:
        scores = score_counted(metrics, batches)
        found = Scores(names, scores, cumulative=args.cumulative)
    else:
        found = _scores_with_intervals(args, names, metrics, batches, selected)
    if args.score_only:
        from bleuet.cli.bare_numbers import BareNumbers

        return BareNumbers(found)
    return found


def _texts(args: Arguments) -> Counting:
    """Return systems, metrics and the counts of texts, batch by batch."""
    metrics = make_metrics(args, sentences=args.sentence_level)
    files = text_files(args, None if args.input else _standard_input(args))
    if args.align is not None:
        from bleuet.cli.align import aligned

        files, signature = aligned(files, args, args.align)
        metrics = [metric.with_align(signature) for metric in metrics]
    if args.save_table is None:
        return files.shown, metrics, count_texts(files, metrics, args), None
    from bleuet.tablefile.writer import check_table_file, save_counted
    from bleuet.text.fingerprint import Fingerprint

    check_table_file(args.save_table, SAVE_TABLE.name)
    # The options that suit sentences are about scoring, and what is saved are counts.
    counting = [
        plain.with_align(metric.align)
        for plain, metric in zip(make_metrics(args), metrics, strict=True)
    ]
    fingerprint = Fingerprint()
    counted = count_texts(files, metrics, args, fingerprint)
    saved = save_counted(counted, args.save_table, files.names, counting, fingerprint)
    return files.shown, metrics, saved, None


def _tables(args: Arguments) -> Counting:
    """Return systems, metrics and the counts in saved tables, batch by batch."""
    from bleuet.cli.table_input import open_tables, selected_segments

    saved = open_tables(args, args.metrics, sentences=args.sentence_level)
    given = [""] * len(saved.names)
    if args.input is not None:
        known = known_systems(saved.names)
        named = [named_file(word, known.__contains__) for word in args.input]
        given = [name for name, _ in named]
        saved.choose([known.get(name, name) for _, name in named])
    selected = selected_segments(args, saved)
    return (
        shown_names(given, saved.names),
        saved.metrics,
        saved.counted(selected),
        (saved.segments, selected),
    )


def _scores_with_intervals(
    args: Arguments,
    names: Sequence[str],
    metrics: Sequence[Metric[Any]],
    batches: Iterable[Counted],
    selected: Selected | None,
) -> Scores:
    from bleuet.significance.interval import DRAWS as DEFAULT_DRAWS
    from bleuet.significance.interval import bootstrap_intervals

    # All systems and metrics share the draws, which need all rows in memory.
    tables = [
        (metric, table)
        for system in keep_counted(batches)
        for metric, table in zip(metrics, system, strict=True)
    ]
    intervals = bootstrap_intervals(
        tables,
        draws=DEFAULT_DRAWS if args.draws is None else args.draws,
        seed=args.seed,
        confidence=args.confidence,
        threads=args.threads,
        documents=_documents(args, selected or (tables[0][1].rows, None)),
    )
    scores = [metric.score(table.totals()) for metric, table in tables]
    starts = range(0, len(tables), len(metrics))
    return Scores(
        names,
        [scores[first : first + len(metrics)] for first in starts],
        [intervals[first : first + len(metrics)] for first in starts],
        cumulative=args.cumulative,
    )


def _documents(args: Arguments, selected: Selected) -> Sequence[str] | None:
    from bleuet.cli.documents import read_documents
    from bleuet.cli.table_input import rows_of

    segments, chosen = selected
    return read_documents(args, segments, rows_of(chosen))


# --- Checks ---------------------------------------------------------------------------------------


def _check(args: Arguments) -> None:
    if args.score_only and args.format != "text":
        raise OptionError(
            f"--score-only prints numbers as text: remove it, or --format {args.format}"
        )
    if args.confidence is not None and args.sentence_level:
        raise OptionError(
            "--confidence needs many segments, and --sentence-level scores each one separately: "
            "remove one of them"
        )
    if args.align is not None and args.from_table is not None:
        raise OptionError("--align cuts texts, and --from-table has none: remove one of them")
    for flag in (DRAWS, SEED, DOCUMENTS):
        if args.was_set(flag) and args.confidence is None:
            if flag.name == DOCUMENTS.name and args.align is not None:
                continue  # each document is cut by itself
            raise OptionError(f"{flag.name} is an option of intervals: {_instead(args, flag)}")
    if args.confidence is not None:
        _ = args.seed  # a wrong SACREBLEU_SEED is an error before anything is read


def _instead(args: Arguments, flag: Flag) -> str:
    """Return how to fix an option of intervals without intervals."""
    if args.sentence_level:
        return f"remove it, or replace --sentence-level with {CONFIDENCE.name}"
    if flag.name == DOCUMENTS.name:
        return (
            f"add {CONFIDENCE.name}; for a score of each document, use bleuet compare "
            f"--labels {args.documents}"
        )
    return f"add {CONFIDENCE.name}"


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
        raise OptionError(
            f"{flag.name} is an option of bleu, which -m does not name: add -m bleu, or remove "
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
    return word.partition(":")[0].strip().lower() == "bleu"


def _with_flag(error: BleuetError, args: Arguments) -> BleuetError:
    """Return an error about an option of BLEU with the flag that set it."""
    for flag, option in BLEU_OPTIONS.items():
        if error.metric == BLEU.__name__ and error.option == option.name and args.was_set(flag):
            return type(error)(error.naming(flag.name))
    return error
