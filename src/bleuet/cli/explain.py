"""`bleuet explain`: the effect of each step between two settings of a metric on a score."""

from __future__ import annotations

from bleuet.cli.options import READING, REFERENCES, SYSTEMS, THREADS, Command, Flag
from bleuet.cli.text_input import text_files
from bleuet.errors import OptionError
from bleuet.studies.explanation import explain
from bleuet.text.parallel import read_corpus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments
    from bleuet.studies.explanation import Explanation

FROM = Flag("--from", metavar="A", help="the first metric: a signature or a name")
TO = Flag("--to", metavar="B", help="the second metric: a signature or a name")

COMMAND = Command(
    "explain",
    """\
Explain why two settings of one metric give a system different scores: by how
much each step changes the score (case, tokens, clipping, reference length,
smoothing, averaging).

A and B are signatures, printed by bleuet or sacreBLEU, or names with options
after a colon: bleu, bleu:smooth=floor,lowercase, mean-bleu:weighting=plain,
chrf++.""",
    ["REF [REF ...] -i HYP --from A --to B [option ...]"],
    {
        "input": (REFERENCES, SYSTEMS.but(help="a file of hypotheses"), FROM, TO, *READING),
        "computing": (THREADS,),
    },
    examples="""\
examples:
  bleuet explain ref.txt -i system.txt --from bleu --to bleu:tokenize=intl
  bleuet explain ref.txt -i system.txt --from bleu --to mean-bleu
  bleuet explain ref.txt -i system.txt \\
    --from 'nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0' --to bleu""",
    stray="write the references first, and one system after -i",
)


def answer(args: Arguments) -> Explanation:
    """Return the steps."""
    files = text_files(args)
    if len(files.systems) > 1:
        raise OptionError(
            f"-i took {len(files.systems)} files ({' '.join(args.input)}), but explain takes one "
            "system: write the references before -i"
        )
    first, second = (_metric(args, flag) for flag in (FROM, TO))
    corpus = read_corpus(files.systems[0], files.references)
    return explain(first, second, corpus, threads=args.threads)


def _metric(args: Arguments, flag: Flag) -> str:
    text: str | None = getattr(args, flag.dest)
    if not text:
        raise OptionError(
            f"{flag.name} is missing; expected a metric's name or signature, as in "
            "bleuet explain REF -i HYP --from bleu --to bleu:smooth=floor"
        )
    return text
