"""`bleuet tune`: tune the weights of a log-linear model on n-best lists."""

from __future__ import annotations

from bleuet.cli.metric_selection import make_metrics
from bleuet.cli.options import (
    LANGUAGE_PAIR,
    METRICS,
    READING,
    REFERENCES,
    SEED,
    THREADS,
    Command,
    Flag,
    FlagRule,
    seed_of,
)
from bleuet.cli.text_input import sources
from bleuet.errors import OptionError
from bleuet.output.destination import Destination
from bleuet.text.parallel import read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.cli.options import Arguments
    from bleuet.text.source import Source
    from bleuet.tuning.list_scores import ListMetrics
    from bleuet.tuning.nbest_lists import NBestLists
    from bleuet.tuning.reranking import Reranking
    from bleuet.tuning.tuning import Tuning

NBEST = Flag(
    "--nbest", many="+", metavar="LIST", reads=True,
    help="n-best lists with features; several lists, such as those of several iterations, are "
    "merged",
)  # fmt: skip
METHOD = Flag(
    "--method", metavar="METHOD", default="mert",
    suggestions=("mert", "pro", "mira", "expected-bleu"),
    help="mert, pro, mira or expected-bleu, with options after a colon: mert:restarts=50 "
    "(default: {default})",
)  # fmt: skip
START = Flag(
    "--start", metavar="FILE", reads=True,
    help="the starting weights, a file as --save-weights writes it (default: equal weights)",
)  # fmt: skip
HELD_OUT = Flag(
    "--held-out", many="+", metavar="LIST", reads=True, help="n-best lists that are only scored"
)
HELD_OUT_REFERENCES = Flag(
    "--held-out-references", many="+", metavar="REF", reads=True, help="their references"
)
APPLY = Flag(
    "--apply", metavar="WEIGHTS", reads=True,
    help="do not tune: choose from the lists with the weights of this file",
)  # fmt: skip
SAVE_WEIGHTS = Flag(
    "--save-weights", metavar="FILE", writes=True,
    help="write the weights to FILE: JSON if its name ends in .json, otherwise the section of a "
    "Moses ini file",
)  # fmt: skip
TEXTS = Flag(
    "--texts", metavar="FILE", writes=True, help="write the chosen texts to FILE, one per line"
)

COMMAND = Command(
    "tune",
    """\
Tune the weights of a log-linear model on n-best lists, so that the hypotheses
with the highest weighted sum of features score best.

An n-best list has lines as Moses or Travatar writes them, or is a .jsonl file
with the keys segment, text and features. With several metrics the first is
tuned for.""",
    ["REF ... --nbest LIST ... [option ...]", "[REF ...] --nbest LIST ... --apply WEIGHTS"],
    {
        "input": (REFERENCES, NBEST, HELD_OUT, HELD_OUT_REFERENCES, *READING),
        "tuning": (
            METRICS.but(help="the metric to tune for, and others to report (default: bleu)"),
            LANGUAGE_PAIR,
            METHOD,
            START,
            SEED,
            APPLY,
        ),
        "computing": (THREADS,),
        "output": (SAVE_WEIGHTS, TEXTS),
    },
    rules=(
        FlagRule((HELD_OUT,), needs=(HELD_OUT_REFERENCES,)),
        FlagRule((HELD_OUT_REFERENCES,), needs=(HELD_OUT,)),
        FlagRule(
            (APPLY,),
            excludes=(HELD_OUT, START, METHOD, SAVE_WEIGHTS),
            reason="given weights are not tuned",
        ),
    ),
    examples="""\
examples:
  bleuet tune ref.txt --nbest nbest.txt --method mert --seed 1
  bleuet tune ref.txt --nbest run1.txt run2.txt --method mira --save-weights moses.ini
  bleuet tune ref.txt --nbest dev.txt --held-out test.txt --held-out-references test-ref.txt
  bleuet tune --nbest test.txt --apply moses.ini --texts best.txt""",
    stray="write the references first, and the lists after --nbest",
)


def answer(args: Arguments) -> Tuning | Reranking:
    """Return the tuned weights, or what weights choose; write the files that are named.

    Raises:
        OptionError: options do not go together.
        InputError: a file cannot be read.
        MissingExtraError: numpy is not installed.
    """
    _check(args)
    found = _tuned(args) if args.apply is None else _reranked(args)
    if args.texts is not None:
        with Destination(args.texts) as out:
            # A line has one text.
            out.writelines(" ".join(text.split("\n")) + "\n" for text in found.texts)
    return found


def _check(args: Arguments) -> None:
    if not args.nbest:
        raise OptionError("no n-best list: name it, as in bleuet tune REF --nbest LIST")
    if args.apply is None and not args.references:
        raise OptionError(
            "no reference; expected one per segment, as in bleuet tune REF --nbest LIST"
        )


def _tuned(args: Arguments) -> Tuning:
    # Imported here, so that the help needs no optional library.
    from bleuet.tuning.feature_weights import read_weights, write_weights
    from bleuet.tuning.tuning import tune

    found = tune(
        _lists(args, args.nbest),
        read_references(sources(args, args.references)),
        _metrics(args),
        method=args.method,
        start=None if args.start is None else read_weights(_source(args, args.start)),
        seed=seed_of(args),
        held_out=_lists(args, args.held_out) if args.held_out else None,
        held_out_references=read_references(sources(args, args.held_out_references))
        if args.held_out
        else None,
        threads=args.threads,
    )
    if args.save_weights is not None:
        write_weights(args.save_weights, found.weights)
    return found


def _reranked(args: Arguments) -> Reranking:
    from bleuet.tuning.feature_weights import read_weights
    from bleuet.tuning.reranking import rerank

    return rerank(
        _lists(args, args.nbest),
        read_weights(_source(args, args.apply)),
        read_references(sources(args, args.references)) if args.references else None,
        _metrics(args),
        threads=args.threads,
    )


def _lists(args: Arguments, words: Sequence[str]) -> NBestLists:
    from bleuet.tuning.nbest_lists import NBestLists, read_nbest

    return NBestLists.merge([read_nbest(source) for source in sources(args, words)])


def _source(args: Arguments, word: str) -> Source:
    (source,) = sources(args, [word])
    return source


def _metrics(args: Arguments) -> ListMetrics:
    from bleuet.tuning.list_scores import ListMetrics

    return ListMetrics(tuple(make_metrics(args)), make_metrics(args, sentences=True)[0])
