"""`bleuet sacrebleu`: sacreBLEU's flags and, byte for byte except for the version, its output."""

from __future__ import annotations

import os
import sys

from bleuet.compat.sacrebleu import utils
from bleuet.compat.sacrebleu.flags import parse
from bleuet.compat.sacrebleu.metrics import METRICS
from bleuet.compat.sacrebleu.streams import check_lengths, read_references, read_systems
from bleuet.errors import MissingExtraError, OptionError
from bleuet.extras import optional
from bleuet.output.destination import StandardOutput, flush_standard_output
from bleuet.output.failure import exit_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from typing import Any

    from bleuet.compat.sacrebleu.streams import Stream

SUCCESS = 0

# (condition, message: what is wrong and how to fix it)
_CONTRADICTIONS: tuple[tuple[Callable[[Namespace], object], str], ...] = (
    (
        lambda a: (a.origlang or a.subset) and not (a.test_set and a.langpair),
        "--origlang and --subset select parts of a test set: add -t and -l",
    ),
    (
        lambda a: a.echo and not (a.test_set and a.langpair),
        "--echo prints fields of a test set: add -t and -l",
    ),
    (
        lambda a: a.citation and not a.test_set,
        "--citation prints the citation of a test set: add -t",
    ),
    (
        lambda a: a.sentence_level and len(a.metrics) > 1,
        "-sl prints one number per line: use one metric",
    ),
    (
        lambda a: a.sentence_level and (a.confidence or a.paired_bs or a.paired_ar),
        "confidence intervals and paired tests need corpus scores: remove -sl or the test",
    ),
    (lambda a: a.num_refs < 1, "--num-refs must be 1 or more"),
    (lambda a: a.width < 0, "--width must be 0 or more"),
    (lambda a: a.confidence and a.confidence_n < 2, "--confidence-n must be 2 or more"),
    (
        lambda a: a.num_refs > 1 and (a.test_set or len(a.refs) > 1),
        "--num-refs splits one reference file at tabs: pass one file, and no -t",
    ),
    (
        lambda a: a.test_set and a.refs,
        "references come from a test set (-t) or from files: remove one of the two",
    ),
    (
        lambda a: not (a.test_set or a.refs or a.list or a.download),
        "there are no references: name their files before -i, or a test set with -t",
    ),
    (
        lambda a: a.langpair and "-" not in a.langpair,
        "-l must be two language codes joined by a hyphen, such as en-de",
    ),
)

# Flags that need the sacrebleu package; --origlang, --subset and --echo always come with -t.
_HANDED_OVER = {
    "list": "--list",
    "download": "--download",
    "test_set": "-t",
}


def main(arguments: list[str]) -> int:
    """Run sacreBLEU's command line.

    Args:
        arguments: the command-line arguments after the program's name.

    Returns:
        The exit code: 0 for success, 1 for input that cannot be scored, 2 for wrong usage. Where
        the sacrebleu package ran the command, its exit code.
    """
    coloured = utils.Color.ENABLE_COLORS
    try:
        code = _run(arguments)
        flush_standard_output()
    except BaseException as error:
        return exit_code(error)
    finally:
        utils.Color.ENABLE_COLORS = coloured
    return code


def _run(arguments: list[str]) -> int:
    try:
        # It writes nothing but the help and the version.
        with StandardOutput():
            args = parse(arguments)
    except SystemExit as ended:  # argparse's, after --help and --version
        return int(ended.code or SUCCESS)
    for is_so, message in _CONTRADICTIONS:
        if is_so(args):
            raise OptionError(message)
    if args.citation:
        return _cite(args)
    for name, flag in _HANDED_OVER.items():
        if getattr(args, name):
            return hand_over(arguments, flag)
    _set_up_output(args)
    references = read_references(args.refs, args.num_refs, args.encoding)
    paired = args.paired_bs or args.paired_ar
    systems = read_systems(args.input, args.encoding, paired=paired)
    if len(systems) > 1 and args.sentence_level:
        raise OptionError(
            f"-sl scores one system, but there are {len(systems)}: pass one file to -i"
        )
    if len(systems) == 1 and paired:
        raise OptionError(
            "paired tests compare systems: pass a baseline and one or more other files to -i"
        )
    if len(systems) > 1 and args.confidence:
        raise OptionError(
            "-ci works for one system: compare several with --paired-bs or --paired-ar"
        )
    check_lengths(systems, references)
    metrics = _make_metrics(args)
    streams = [stream.segments for stream in references]
    if args.detail and args.format == "json":
        args.format = "text"
    with StandardOutput():
        if args.sentence_level:
            _print_sentences(args, metrics, systems[0], streams)
        elif len(systems) == 1:
            _print_system(args, metrics, systems[0], streams)
        elif paired:
            _print_paired(args, metrics, systems, streams)
        else:
            _print_systems(args, metrics, systems, streams)
    return SUCCESS


def hand_over(arguments: list[str], flag: str) -> int:
    """Run the sacrebleu package with these arguments and return its exit code.

    Args:
        arguments: the command-line arguments after the program's name.
        flag: the flag that needs the package, for the message.

    Raises:
        MissingExtraError: the package is not installed; the message contains the install command.
    """
    try:
        optional("sacrebleu")
    except MissingExtraError as error:
        raise MissingExtraError(
            f"{flag} needs the sacrebleu package, which is not installed: "
            "pip install 'bleuet[sacrebleu]'"
        ) from error
    from subprocess import call

    flush_standard_output()
    # Without a buffer, Python loses output without an error on a full disk.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    return call([sys.executable, "-m", "sacrebleu", *arguments], env=environment)


def _cite(args: Namespace) -> int:
    """Print the citations of test sets; sacreBLEU 2.6.0 fails here."""
    for name in args.test_set.split(","):
        dataset = utils.DATASETS.get(name)
        if dataset is None:
            raise OptionError(f"there is no test set {name}; --list lists them")
        with StandardOutput():
            print(dataset.citation or f"% {name} has no citation")
    return SUCCESS


def _set_up_output(args: Namespace) -> None:
    to_utf8 = getattr(sys.stdout, "reconfigure", None)
    if to_utf8:
        to_utf8(encoding="utf-8")
    plain = bool(os.environ.get("NO_COLOR")) or args.no_color
    utils.Color.ENABLE_COLORS = not plain and sys.stdout.isatty()
    if not args.quiet:
        import logging

        logging.basicConfig(level=logging.INFO, format="sacreBLEU: %(message)s")


def _make_metrics(args: Namespace) -> dict[str, Any]:
    metrics = {}
    for name in sorted(set(args.metrics)):
        options = utils.args_to_dict(args, name, strip_prefix=True)
        if name == "bleu":
            options["effective_order"] = args.sentence_level
            options["trg_lang"] = args.langpair.split("-")[1] if args.langpair else ""
        metrics[name.upper()] = METRICS[name.upper()](**options)
    return metrics


def _print_sentences(
    args: Namespace, metrics: dict[str, Any], system: Stream, streams: list[list[str]]
) -> None:
    (metric,) = metrics.values()
    scores = metric._sentence_scores(system.segments, streams)
    signature = metric.get_signature().format(args.short)
    # sacreBLEU prints lines of text here; -f json prints JSON.
    as_json = args.asks_for_json and not args.score_only
    lines = (score.format(args.width, args.score_only, signature, as_json) for score in scores)
    if as_json:
        joined = ",\n".join(lines)
        print(f"[\n{joined}\n]")
        return
    for line in lines:
        print(line)


def _print_system(
    args: Namespace, metrics: dict[str, Any], system: Stream, streams: list[list[str]]
) -> None:
    as_json = args.format == "json"
    draws = args.confidence_n if args.confidence else 1
    lines = []
    for metric in metrics.values():
        score = metric.corpus_score(system.segments, streams, n_bootstrap=draws)
        signature = metric.get_signature().format(args.short and not as_json)
        lines.append(score.format(args.width, args.score_only, signature, as_json))
    utils.print_single_results(lines, args)
    if args.detail:
        print("No subset information found. Consider using --origlang argument.")


def _print_systems(
    args: Namespace,
    metrics: dict[str, Any],
    systems: list[Stream],
    streams: list[list[str]],
) -> None:
    _log_number_of(args, systems)
    from_stdin = args.input is None
    names = [f"System {k}" if from_stdin else s.name for k, s in enumerate(systems, start=1)]
    results, signatures = {"System": names}, {}
    for metric in metrics.values():
        metric._ref_cache = metric._cache_references(streams)
        scores = [metric.corpus_score(system.segments, None) for system in systems]
        results[scores[0].name] = [score.format(args.width, True) for score in scores]
        signatures[scores[0].name] = metric.get_signature().format(args.short)
    utils.print_results_table(results, signatures, args)


def _print_paired(
    args: Namespace,
    metrics: dict[str, Any],
    systems: list[Stream],
    streams: list[list[str]],
) -> None:
    from bleuet.compat.sacrebleu.significance import PairedTest

    _log_number_of(args, systems)
    first, *others = systems
    if args.input is None:
        names = ["Baseline", *(f"System {k}" for k in range(1, len(systems)))]
    else:
        names = [f"Baseline: {first.name}", *(system.name for system in others)]
    kind, wanted = ("bs", args.paired_bs_n) if args.paired_bs else ("ar", args.paired_ar_n)
    in_order = {name: metrics[name] for name in map(str.upper, args.metrics)}
    for metric in in_order.values():
        metric._ref_cache = metric._cache_references(streams)
    texts = [system.segments for system in systems]
    named = list(zip(names, texts, strict=True))
    test = PairedTest(named, in_order, None, kind, wanted, n_jobs=args.paired_jobs)
    signatures, results = test()
    setattr(args, f"paired_{kind}_n", test.n_samples)
    printed = {name: signature.format(args.short) for name, signature in signatures.items()}
    utils.print_results_table(results, printed, args)


def _log_number_of(args: Namespace, systems: list[Stream]) -> None:
    if not args.quiet:
        from bleuet.compat.sacrebleu.notice import logger

        logger().info(f"Found {len(systems)} systems.")
