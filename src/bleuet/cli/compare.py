"""`bleuet compare`: in which segments, words and n-grams systems differ."""

from __future__ import annotations

import os
import shlex
from itertools import chain

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
from bleuet.cli.metric_selection import target_language
from bleuet.cli.options import (
    ALLOW_MISMATCH,
    CONFIDENCE,
    DOCUMENTS,
    DOWNLOAD,
    LANGUAGE_PAIR,
    METRICS,
    READING,
    REFERENCES,
    SEED,
    SOURCE_TEXTS,
    SYSTEMS,
    THREADS,
    Command,
    Flag,
    FlagRule,
    settings_of,
)
from bleuet.cli.significance_options import (
    ALL_PAIRS,
    ALPHA,
    CORRECT_OVER,
    CORRECTION,
    OPTIONS_OF_A_TEST,
    TEST_DRAWS,
    TEST_OF_ONE_RUN,
)
from bleuet.cli.text_input import quick_checks, sources, text_files
from bleuet.cli.warning_lines import warn, warn_of_left_out
from bleuet.comparison import TokenLabels, compare
from bleuet.comparison.comparison import (
    ALL,
    BY,
    DEFAULT_PARTS,
    EXAMPLES,
    PARTS,
    WORDS,
)
from bleuet.comparison.comparison import METRICS as DEFAULT_METRICS
from bleuet.comparison.division import DIVISIONS
from bleuet.errors import InputError, OptionError
from bleuet.evaluation.names import system_names
from bleuet.metrics.base.text_checks import without_warnings
from bleuet.metrics.catalogue import parse_metric
from bleuet.output.destination import STDOUT, Destination, check_local
from bleuet.output.rendering import check_ending
from bleuet.significance.blocks import BLOCKS
from bleuet.significance.few_segments import ENOUGH
from bleuet.significance.settings import BOOTSTRAP, RANDOMIZATION, TestSettings
from bleuet.text.fingerprint import fingerprint_of
from bleuet.text.parallel import read_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleuet.cli.options import Arguments
    from bleuet.cli.text_input import TextFiles
    from bleuet.comparison import Comparison
    from bleuet.metrics.base.metric import Metric
    from bleuet.text.corpus import Corpus
    from bleuet.text.source import Source

DIVIDE_BY = Flag(
    "--by", many="+", metavar="NAME[=N,N,...]", suggestions=tuple(DIVISIONS),
    help=f"scores by bucket: divide segments by {', '.join(DIVISIONS)}; with cutoffs, as in "
    f"length=10,20,40 (default: {' '.join(BY)})",
)  # fmt: skip
LABELS = Flag(
    "--labels", many="+", metavar="FILE", reads=True,
    help="also divide segments by labels, such as their domain: files with one label per line",
)  # fmt: skip
FREQUENCIES = Flag(
    "--frequencies", metavar="FILE", reads=True,
    help="count word frequencies in this training text (default: in the references)",
)  # fmt: skip
WORD_LISTS = Flag(
    "--word-lists", many="+", metavar="FILE", reads=True,
    help="measure how well the words of lists are translated: files with one word per line",
)  # fmt: skip
REFERENCE_LABELS = Flag(
    "--reference-labels", metavar="FILE", reads=True,
    help="labels of the tokens of the first reference, such as parts of speech, separated by "
    "spaces",
)  # fmt: skip
SYSTEM_LABELS = Flag(
    "--system-labels", many="+", metavar="FILE", reads=True,
    help="labels of the tokens of each system, in the order of -i",
)  # fmt: skip
# The parts that have something to show only after a test.
PARTS_OF_A_TEST = ("differences", "clusters")
BLOCKS_FLAG = Flag(
    "--blocks", kind="whole", metavar="N", least=2,
    help="compare systems by Student's paired t over N blocks, as the BLEU paper does "
    f"(default with --show blocks: {BLOCKS})",
)  # fmt: skip
SHOW = Flag(
    "--show", many="+", metavar="PART", choices=(ALL, *PARTS),
    help=f"the parts to show: all, or some of {', '.join(PARTS)} (default: "
    f"{' '.join(DEFAULT_PARTS)}, and {WORDS} with an option about words)",
)  # fmt: skip
EXAMPLES_FLAG = Flag(
    "-n", "--examples", kind="whole", metavar="N", default=EXAMPLES, least=0,
    help="sentences and n-grams to show for each system of a pair (default: {default})",
)  # fmt: skip
HTML = Flag(
    "--html", metavar="FILE", writes=True,
    help="also write a page: scores, charts and all sentences, in one file that opens offline",
)  # fmt: skip
BESIDE = "the source text: --html shows it beside the sentences, and some metrics read it"
TITLE = Flag("--title", metavar="TEXT", help="the title of the page")
PICTURES = Flag(
    "--pictures", metavar="FOLDER",
    help="also write each chart as an SVG and a PNG file",
)  # fmt: skip

COMMAND = Command(
    "compare",
    """\
Show in which segments and n-grams systems differ on one test set.

Prints scores, scores by bucket, the sentences with the largest differences,
and n-grams that one system matches more often than another. Reads the same
kinds of files as bleuet score; line i of every file belongs to segment i.""",
    ["REF [REF ...] -i HYP [HYP ...] [option ...]"],
    {
        "input": (REFERENCES, SYSTEMS, SOURCE_TEXTS.but(help=BESIDE), *READING),
        "metrics": (
            METRICS.but(
                help="metrics, with options after a colon: chrf:word_order=2, and names of "
                f"--scores (default: {' '.join(DEFAULT_METRICS)})"
            ),
            LANGUAGE_PAIR,
            DOWNLOAD,
        ),
        "external scores": EXTERNAL_SCORES,
        "comparison": (
            DIVIDE_BY,
            LABELS,
            FREQUENCIES,
            WORD_LISTS,
            REFERENCE_LABELS,
            SYSTEM_LABELS,
            ALL_PAIRS.but(
                help="compare all pairs of systems, not only the first with each other system"
            ),
        ),
        "significance": (
            TEST_OF_ONE_RUN.but(
                help="test all pairs of systems and add confidence intervals; "
                f"{TEST_OF_ONE_RUN.help} "
                f"(default with --html or --pictures: {BOOTSTRAP}, or {RANDOMIZATION} below "
                f"{ENOUGH} segments or documents)"
            ),
            *OPTIONS_OF_A_TEST,
            CONFIDENCE,
            DOCUMENTS,
            BLOCKS_FLAG,
        ),
        "computing": (THREADS,),
        "output": (SHOW, EXAMPLES_FLAG, HTML, TITLE, PICTURES),
    },
    rules=(
        *RULES_OF_EXTERNAL_SCORES,
        FlagRule((ALLOW_MISMATCH,), needs=(SCORES,)),
        FlagRule(
            (TEST_DRAWS, SEED, DOCUMENTS), needs=(TEST_OF_ONE_RUN, CONFIDENCE, HTML, PICTURES)
        ),
        FlagRule((ALPHA, CORRECTION, CORRECT_OVER), needs=(TEST_OF_ONE_RUN, HTML, PICTURES)),
        FlagRule((REFERENCE_LABELS,), needs=(SYSTEM_LABELS,)),
        FlagRule((SYSTEM_LABELS,), needs=(REFERENCE_LABELS,)),
        FlagRule((TITLE,), needs=(HTML,)),
    ),
    examples="""\
examples:
  bleuet compare ref.txt -i mine.txt theirs.txt
  bleuet compare ref.txt -i a.txt b.txt --by length=10,20,40 frequency
      --frequencies train.gz
  bleuet compare ref.txt -i a.txt b.txt --labels domains.txt --show buckets
  bleuet compare ref.txt -i a.txt b.txt -m chrf ter --format json -o out.json
  bleuet compare ref.txt -i a.txt b.txt --html report.html
  bleuet compare ref.txt -i a.txt b.txt --scores COMET=a.comet,b.comet

exit codes: 0 done, 1 input that cannot be compared, 2 wrong usage, 130 Ctrl-C""",
    stray="write the references first and the systems after -i, as in bleuet compare REF -i HYP "
    "HYP",
)


def answer(args: Arguments) -> Comparison:
    """Return the comparison, and write the page and the pictures."""
    _check(args)
    settings = _settings(args)
    files = text_files(args)
    metrics = _metrics(args)
    names = files.shown
    corpora = read_systems(files.systems, files.references, files.source)
    comparison = compare(
        {name: corpus.segments[0] for name, corpus in zip(names, corpora, strict=True)},
        corpora[0].segments[1],
        metrics,
        scores=read_scores(
            args,
            dict(zip(names, files.names, strict=True)),
            len(corpora[0]),
            lambda: fingerprint_of(corpora[0].references),
        ),
        by=args.by or BY,
        labels=_labels(args),
        frequencies=_lines(args) if args.frequencies else None,
        word_lists=_word_lists(args),
        token_labels=_token_labels(args, names),
        all_pairs=args.all_pairs,
        examples=args.examples,
        documents=read_documents(args, len(corpora[0])),
        threads=args.threads,
    )
    if settings is not None:
        test = comparison.tested if _has_test(args) else comparison.with_intervals
        comparison = test(settings, threads=args.threads)
    if args.blocks is not None or "blocks" in (args.show or ()):
        comparison = comparison.with_blocks(args.blocks or BLOCKS)
    if args.show:
        comparison = comparison.show(*args.show)
    _write_report(args, comparison)
    warn_of_left_out(args, comparison.missing)
    if not args.quiet:
        _warn(args, files, comparison, corpora)
    if settings is not None:
        warn_of_documents(args, [*files.references, *files.systems])
    return comparison


def _metrics(args: Arguments) -> list[str | Metric]:
    """Return the metrics of -m, with external scores by their names."""
    external = list(score_files(args.scores))
    language = target_language(args.language_pair)
    # The quick checks print what the metrics would warn of.
    return [
        word if word in external else without_warnings(parse_metric(word, language=language))
        for word in order_metrics(args.metrics or DEFAULT_METRICS, external)
    ]


def _settings(args: Arguments) -> TestSettings | None:
    """Return the settings of the test of all pairs, or of the intervals; None for neither."""
    if not _has_test(args) and args.confidence is None:
        return None
    return settings_of(args, TestSettings)


def _has_test(args: Arguments) -> bool:
    """Return whether there is a test; a report has one in any case."""
    return args.test is not None or _has_report(args)


def _warn(
    args: Arguments, files: TextFiles, comparison: Comparison, corpora: Sequence[Corpus]
) -> None:
    checks = quick_checks(files, comparison.evaluation.metrics, args)
    checks.check([corpus.segments[0] for corpus in corpora], corpora[0].segments[1])
    for problem in checks.problems():
        warn(problem)


# --- Checks ---------------------------------------------------------------------------------------


def _check(args: Arguments) -> None:
    """Check that the options fit together."""
    systems = args.input or []
    labels = args.system_labels or []
    if labels and len(labels) != len(systems):
        raise OptionError(
            f"--system-labels names {len(labels)} files for {len(systems)} systems; expected one "
            "for each, in the order of -i"
        )
    check_external_scores(args)
    _check_report(args)
    _check_test(args, len(systems))
    _check_parts(args)


def _check_test(args: Arguments, systems: int) -> None:
    if args.test is not None and systems == 1 and not _has_report(args):
        raise OptionError("--test needs two systems or more: name more after -i")


def _check_parts(args: Arguments) -> None:
    """Reject parts that would be empty, and options that have no effect on the parts to show."""
    if args.show is None or ALL in args.show or args.html is not None:
        return
    untested = [part for part in args.show if part in PARTS_OF_A_TEST]
    if untested and not _has_test(args):
        raise OptionError(
            f"{SHOW.name} {' '.join(untested)} needs {TEST_OF_ONE_RUN.name}: add "
            f"{TEST_OF_ONE_RUN.name} {RANDOMIZATION}, or leave out {' and '.join(untested)}"
        )
    # Charts have buckets, whatever is shown.
    buckets = {"buckets"} if args.pictures is None else set(PARTS)
    frequencies = {WORDS}
    if any(name.partition("=")[0] == "frequency" for name in args.by or ()):
        frequencies |= buckets
    for flag, parts in (
        (DIVIDE_BY, buckets),
        (LABELS, buckets),
        (FREQUENCIES, frequencies),
        (WORD_LISTS, {WORDS}),
        (REFERENCE_LABELS, {WORDS}),
        (BLOCKS_FLAG, {"blocks"}),
    ):
        if args.was_set(flag) and not parts & set(args.show):
            names = " or ".join(part for part in PARTS if part in parts)
            raise OptionError(
                f"{flag.name} is for the part {names}, which --show leaves out: add it to --show, "
                f"or remove {flag.name}"
            )


# --- Files ----------------------------------------------------------------------------------------


def _labels(args: Arguments) -> dict[str, list[str]]:
    files = sources(args, args.labels or ())
    return {name: source.read() for name, source in zip(_label_names(files), files, strict=True)}


def _label_names(sources: Sequence[Source]) -> list[str]:
    """Return the name of a label's column, if it has one that no other column has.

    >>> from bleuet.text.source import Source
    >>> _label_names([Source("a.tsv", column) for column in ("domain", "length", "2")])
    ['domain', 'a.tsv:length', 'a.tsv:2']
    """
    columns = [source.column or "" for source in sources]
    taken = [*columns, *DIVISIONS]
    return [
        column if column and not column.isdigit() and taken.count(column) == 1 else name
        for column, name in zip(columns, system_names(sources, "labels"), strict=True)
    ]


def _lines(args: Arguments) -> Iterable[str]:
    """Return the lines of a training file, which are read one by one."""
    return chain.from_iterable(sources(args, [args.frequencies])[0].stream())


def _word_lists(args: Arguments) -> dict[str, list[str]]:
    files = sources(args, args.word_lists or ())
    names = system_names(files, "a word list")
    return {name: _words(name, source) for name, source in zip(names, files, strict=True)}


def _words(name: str, source: Source) -> list[str]:
    lines = source.read()
    for number, line in enumerate(lines, 1):
        if len(line.split()) > 1:
            raise InputError(
                f"{name}:{number} has more than one word; expected one word per line: write the "
                "words of a phrase on lines of their own"
            )
    return [line.strip() for line in lines if line.strip()]


def _token_labels(args: Arguments, names: Sequence[str]) -> TokenLabels | None:
    if not args.reference_labels:
        return None
    files = [source.read() for source in sources(args, args.system_labels)]
    hypotheses = dict(zip(names, files, strict=True))
    return TokenLabels(sources(args, [args.reference_labels])[0].read(), hypotheses)


# --- Report ---------------------------------------------------------------------------------------


def _has_report(args: Arguments) -> bool:
    return args.html is not None or args.pictures is not None


def _check_report(args: Arguments) -> None:
    """Check the files of the report, and load the libraries that draw, before anything is read."""
    if args.html == STDOUT:
        raise OptionError("--html writes a file, not standard output: name a file")
    if args.html is not None:
        check_ending(args.html, (".html", ".htm"), HTML.dest)
    if args.pictures is not None:
        _check_folder(args.pictures)
    if _has_report(args):
        from bleuet.report import Report  # noqa: F401
    if args.html is not None:
        from bleuet.report.page.charts_library import begin_bundle

        begin_bundle()  # it runs beside the comparison


def _check_folder(folder: str) -> None:
    if not folder:
        raise OptionError("--pictures got an empty folder name: is a shell variable empty?")
    check_local(folder)
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InputError(f"{folder} is a file; --pictures expects a folder: choose another name")
    above = os.path.dirname(os.path.realpath(folder))
    if not os.path.isdir(above):
        raise InputError(f"{folder} cannot be created: there is no folder {above}; create it first")


def _write_report(args: Arguments, comparison: Comparison) -> None:
    """Write the page and the pictures."""
    if not _has_report(args):
        return
    from bleuet.report import Report

    command = shlex.join(["bleuet", args.command.name, *args.words])
    report = Report(comparison, title=args.title, command=command)
    if args.html is not None:
        with Destination(args.html) as out:
            out.write(report.to_html())
    if args.pictures is None:
        return
    try:
        os.makedirs(args.pictures, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{args.pictures} cannot be created ({error.strerror}): choose another folder"
        ) from error
    for name, content in report.pictures():
        with Destination(os.path.join(args.pictures, name), binary=True) as out:
            out.write(content)
