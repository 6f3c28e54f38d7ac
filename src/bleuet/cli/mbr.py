"""`bleuet mbr`: choose from candidates the one that is most like all of them."""

from __future__ import annotations

from functools import partial

from bleuet.cli.metric_selection import make_metrics, metrics_of
from bleuet.cli.options import (
    DOWNLOAD,
    LANGUAGE_PAIR,
    METRICS,
    READING,
    REFERENCES,
    SOURCE_TEXTS,
    SYSTEMS,
    THREADS,
    Command,
    Flag,
    FlagRule,
)
from bleuet.cli.progress import share_bar
from bleuet.cli.text_input import source_of, sources
from bleuet.errors import OptionError
from bleuet.evaluation.names import named_file
from bleuet.minimum_bayes_risk.candidate_lists import read_candidates
from bleuet.minimum_bayes_risk.decoding import WAYS, mbr
from bleuet.minimum_bayes_risk.list_formats import FORMATS
from bleuet.minimum_bayes_risk.matrix_files import load_matrices, save_matrices
from bleuet.output.destination import Destination
from bleuet.text.parallel import read_references
from bleuet.text.source_texts import with_sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.minimum_bayes_risk.candidate_lists import CandidateLists
    from bleuet.minimum_bayes_risk.decoding import Decisions

# A metric prefers what it has chosen, so corpus scores have these too.
REPORTED = ("bleu", "chrf")

PSEUDO = Flag(
    "--pseudo-references", many="+", metavar="FILE", reads=True,
    help="texts to compare the candidates with, in the same formats (default: the candidates)",
)  # fmt: skip
LIST_FORMAT = Flag(
    "--list-format", metavar="FORMAT", suggestions=FORMATS,
    help=f"the format of a file of lists: {', '.join(FORMATS)}, where K is the number of lines of "
    "each source (default: the one that fits)",
)  # fmt: skip
ORACLE = Flag(
    "--oracle", kind="switch",
    help="compare the candidates with REF, which gives the best possible choice",
)  # fmt: skip
WEIGHTS = Flag(
    "--weights", metavar="WHAT", default="equal", choices=("equal", "scores", "weights"),
    help="weights of pseudo-references: equal; scores: the probabilities that follow from the "
    "list's model scores; weights: those in the list (default: {default})",
)  # fmt: skip
DISTINCT = Flag("--distinct", kind="switch", help="count repeated pseudo-references once")
WAY = Flag(
    "--way", metavar="WAY", default=WAYS[0], choices=WAYS,
    help="exact; aggregated: compare with mean n-gram counts (bleu, chrf); pruned: drop weak "
    "candidates early (default: {default})",
)  # fmt: skip
LOSS = Flag("--loss", kind="switch", help="measure how much worse --way is than the exact choice")
TEXTS = Flag(
    "--texts", metavar="FILE", writes=True, help="write the chosen texts to FILE, one per line"
)
SAVE_MATRIX = Flag(
    "--save-matrix", metavar="FILE", writes=True,
    help="write the scores of each pair to FILE, one JSON object per source",
)  # fmt: skip

FROM_MATRIX = Flag(
    "--from-matrix", metavar="FILE", reads=True,
    help="choose by the scores in FILE, which --save-matrix wrote, instead of -i; -m selects some "
    "of its metrics",
)  # fmt: skip

COMMAND = Command(
    "mbr",
    """\
Choose for each source the candidate with the highest expected score, by
minimum Bayes risk: the mean of its scores against all candidates of the source.

-i takes an n-best list of Moses, Marian, Joshua, Travatar or fairseq, JSON of
samples, a column of lists such as data.jsonl:candidates, K lines for each
source, or a file for each system. REF is not needed: with it the
corpus scores of the first candidates, of the chosen ones and of the best
possible choice are printed too, by the metrics that choose, BLEU and chrF.""",
    ["[REF ...] -i FILE [FILE ...] [option ...]", "[REF ...] --from-matrix FILE [option ...]"],
    {
        "input": (
            REFERENCES.but(help="real references, for corpus scores"),
            SOURCE_TEXTS,
            SYSTEMS.but(metavar="FILE", help="the candidates"),
            PSEUDO,
            LIST_FORMAT,
            FROM_MATRIX,
            *READING,
        ),
        "choice": (
            METRICS.but(help="the metrics whose mean is the utility (default: bleu)"),
            LANGUAGE_PAIR,
            DOWNLOAD,
            ORACLE,
            WEIGHTS,
            DISTINCT,
            WAY,
            LOSS,
        ),
        "computing": (THREADS,),
        "output": (TEXTS, SAVE_MATRIX),
    },
    rules=(
        FlagRule(
            (FROM_MATRIX,),
            excludes=(SYSTEMS, PSEUDO, LIST_FORMAT, ORACLE, WAY, LOSS),
            reason="the scores of all pairs are in the file",
        ),
    ),
    examples="""\
examples:
  bleuet mbr -i nbest.txt --texts chosen.txt
  bleuet mbr ref.txt -i a.txt b.txt c.txt -m chrf
  bleuet mbr -i data.jsonl:samples -m bleu chrf -f jsonl
  bleuet mbr -i samples.txt --list-format lines:32
  bleuet mbr ref.txt -i nbest.txt --oracle
  bleuet mbr -i nbest.txt -m bleu chrf --save-matrix pairs.jsonl
  bleuet mbr --from-matrix pairs.jsonl -m chrf --weights scores""",
    stray="write real references first, and the candidates after -i",
)


def answer(args: Arguments) -> Decisions:
    """Return the choices; write the texts and matrices to their files."""
    _check(args)
    found, pseudo = (_decided if args.from_matrix is None else _decided_again)(args)
    if args.texts is not None:
        with Destination(args.texts) as out:
            # A line has one text.
            out.writelines(" ".join(text.split("\n")) + "\n" for text in found.best)
    if args.save_matrix is not None:
        save_matrices(args.save_matrix, found, pseudo)
    return found


def _check(args: Arguments) -> None:
    if args.from_matrix is not None:
        return
    if not args.input:
        raise OptionError("no candidates: name their file after -i, as in bleuet mbr -i nbest.txt")
    if args.oracle and (args.pseudo_references or not args.references):
        raise OptionError(
            "--oracle compares with the references only: name REF, and remove --pseudo-references"
        )
    if args.way == WAYS[0] and args.loss:
        raise OptionError("--way exact loses nothing: remove --loss, or name another way")
    if args.save_matrix is not None and args.way != WAYS[0]:
        raise OptionError(f"--save-matrix needs every pair: remove --way {args.way}")


def _decided(args: Arguments) -> tuple[Decisions, CandidateLists]:
    """Return the choices, and the pseudo-references."""
    metrics = make_metrics(args, sentences=True)
    candidates = read_candidates(
        sources(args, [named_file(word)[1] for word in args.input]), args.list_format
    )
    real = _real(args)
    lists = candidates
    pseudo: list[Any] | None = None
    if args.pseudo_references:
        lists = read_candidates(sources(args, args.pseudo_references), args.list_format)
        pseudo = lists.texts
    elif args.oracle and real is not None:
        pseudo = [[entry] for entry in real]
    decide = partial(
        mbr,
        candidates.texts,
        metrics,
        references=pseudo,
        weights=lists.weights(args.weights),
        duplicates=not args.distinct,
        sources=_source_texts(args),
        threads=args.threads,
    )
    with share_bar(args) as report:
        chosen = decide(way=args.way, keep_matrices=args.save_matrix is not None, report=report)
    if args.loss:
        with share_bar(args) as report:
            chosen = chosen.compared(decide(report=report))
    return _scored(args, chosen, real), lists


def _decided_again(args: Arguments) -> tuple[Decisions, CandidateLists]:
    """Return the choices by the scores in a file, and the pseudo-references."""
    kept, lists = load_matrices(*sources(args, [args.from_matrix]))
    chosen = kept.decided(
        make_metrics(args, sentences=True) if args.metrics else None,
        weights=lists.weights(args.weights),
        duplicates=not args.distinct,
    )
    return _scored(args, chosen, _real(args)), lists


def _real(args: Arguments) -> Any:
    if not args.references:
        return None
    texts = _source_texts(args)
    found = read_references(sources(args, args.references))
    return found if texts is None else with_sources(found, texts)


def _source_texts(args: Arguments) -> list[str] | None:
    source = source_of(args)
    return None if source is None else source.read()


def _scored(args: Arguments, chosen: Decisions, real: Any) -> Decisions:
    """Add corpus scores by the metrics that chose and by others."""
    if real is None:
        return chosen
    kinds = {type(metric) for metric in chosen.metrics}
    others = [one for one in metrics_of(REPORTED, args.language_pair) if type(one) not in kinds]
    return chosen.scored(real, [*chosen.metrics, *others], threads=args.threads)
