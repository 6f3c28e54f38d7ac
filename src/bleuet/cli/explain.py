"""`bleuet explain`: what counts in one segment, or why two settings of a metric differ."""

from __future__ import annotations

from bleuet.cli.metric_selection import make_metrics
from bleuet.cli.options import (
    LANGUAGE_PAIR,
    METRICS,
    READING,
    REFERENCES,
    SYSTEMS,
    THREADS,
    Command,
    Flag,
    FlagRule,
)
from bleuet.cli.text_input import text_files
from bleuet.errors import OptionError
from bleuet.explanation import explain
from bleuet.metrics.base.marked_segment import MarkedSegments
from bleuet.text.parallel import read_corpus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments
    from bleuet.cli.text_input import TextFiles
    from bleuet.explanation import Explanation

FROM = Flag("--from", metavar="A", help="the first metric: a signature or a name")
TO = Flag("--to", metavar="B", help="the second metric: a signature or a name")
SEGMENT = Flag("--segment", metavar="N", kind="whole", least=1, help="explain this segment, from 1")

COMMAND = Command(
    "explain",
    """\
Explain a score. With --segment: what of one segment counts by each metric, such
as matched n-grams, edits or aligned words. With --from and --to: why two
settings of one metric give a system different scores, and by how much each step
changes the score (case, tokens, clipping, reference length, smoothing,
averaging).

A and B are signatures, printed by bleuet or sacreBLEU, or names with options
after a colon: bleu, bleu:smooth=floor,lowercase, mean-bleu:weighting=plain,
chrf++.""",
    [
        "REF [REF ...] -i HYP --segment N [option ...]",
        "REF [REF ...] -i HYP --from A --to B [option ...]",
    ],
    {
        "input": (REFERENCES, SYSTEMS.but(help="a file of hypotheses"), *READING),
        "one segment": (SEGMENT, METRICS, LANGUAGE_PAIR),
        "two settings": (FROM, TO),
        "computing": (THREADS,),
    },
    rules=(
        FlagRule((METRICS,), needs=(SEGMENT,), reason="two settings are named by --from and --to"),
        FlagRule((SEGMENT,), excludes=(FROM, TO)),
    ),
    examples="""\
examples:
  bleuet explain ref.txt -i system.txt --segment 12 -m bleu ter
  bleuet explain ref.txt -i system.txt --from bleu --to bleu:tokenize=intl
  bleuet explain ref.txt -i system.txt --from bleu --to mean-bleu
  bleuet explain ref.txt -i system.txt \\
    --from 'nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0' --to bleu""",
    stray="write the references first, and one system after -i",
)


def answer(args: Arguments) -> Explanation | MarkedSegments:
    """Return the steps between two settings, or what counts in a segment."""
    files = text_files(args)
    if len(files.systems) > 1:
        raise OptionError(
            f"-i took {len(files.systems)} files ({' '.join(args.input)}), but explain takes one "
            "system: write the references before -i"
        )
    if args.segment is not None:
        return _segment(args, files)
    first, second = (_metric(args, flag) for flag in (FROM, TO))
    corpus = read_corpus(files.systems[0], files.references)
    return explain(first, second, corpus, threads=args.threads)


def _segment(args: Arguments, files: TextFiles) -> MarkedSegments:
    metrics = make_metrics(args, sentences=True)
    corpus = read_corpus(files.systems[0], files.references)
    if args.segment > len(corpus):
        raise OptionError(
            f"--segment is {args.segment}, but there are {len(corpus)} segments: use 1 to "
            f"{len(corpus)}"
        )
    place = args.segment - 1
    segment = corpus.hypotheses[place], corpus.references[place]
    return MarkedSegments([metric.prepare(corpus).marked(*segment) for metric in metrics])


def _metric(args: Arguments, flag: Flag) -> str:
    text: str | None = getattr(args, flag.dest)
    if not text:
        raise OptionError(
            f"{flag.name} is missing; expected a metric's name or signature, as in "
            "bleuet explain REF -i HYP --from bleu --to bleu:smooth=floor, or one segment, as in "
            "bleuet explain REF -i HYP --segment 1"
        )
    return text
