"""`bleuet diversity`: how much the texts of a file repeat each other."""

from __future__ import annotations

from functools import partial
from random import Random

from bleuet.cli.metric_selection import make_metrics
from bleuet.cli.options import (
    LANGUAGE_PAIR,
    METRICS,
    READING,
    SEED,
    THREADS,
    Command,
    Flag,
    FlagRule,
    seed_of,
)
from bleuet.cli.text_input import sources
from bleuet.errors import InputError, OptionError
from bleuet.evaluation.names import named_file, shown_names, stored_names
from bleuet.messages import plural
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.self_bleu import AVERAGES, SelfBLEU
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.text.parallel import read_texts
from bleuet.text.segments import TEXT, Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.cli.options import Arguments
    from bleuet.metrics.base.signature import Signature
    from bleuet.metrics.self_bleu import SelfBLEUScore
    from bleuet.output.document import Cell
    from bleuet.text.source import Source

TEXTS = Flag(
    "texts", many="*", metavar="FILE", default=(), reads=True,
    help="a file with one text per line; NAME=FILE names its system",
)  # fmt: skip
AVERAGE = Flag(
    "--average", metavar="WHAT", default=AVERAGES[0], choices=AVERAGES,
    help=f"{SelfBLEU.option_named('average').help}: {', '.join(AVERAGES)} (default: {{default}})",
)  # fmt: skip
ITSELF = Flag("--itself", kind="switch", help=SelfBLEU.option_named("itself").help)
SAMPLE = Flag(
    "--sample", kind="whole", metavar="N", default=0, least=0,
    help=SelfBLEU.option_named("sample").help,
)  # fmt: skip

COMMAND = Command(
    "diversity",
    """\
Measure how much texts repeat each other: Self-BLEU, which is the BLEU of each
text with all others as its references, and distinct-n, the share of different
n-grams. There are no references: each file is a set of texts.""",
    ["FILE [FILE ...] [option ...]"],
    {
        "input": (TEXTS, *READING),
        "metric": (
            METRICS.but(help="bleu, with options after a colon: bleu:smooth=floor (default: bleu)"),
            LANGUAGE_PAIR,
            AVERAGE,
            ITSELF,
            SAMPLE,
            SEED,
        ),
        "computing": (THREADS,),
    },
    rules=(FlagRule((SEED,), needs=(SAMPLE,)),),
    examples="""\
examples:
  bleuet diversity samples.txt
  bleuet diversity new=a.txt old=b.txt -m bleu:max_ngram_order=3,smooth=floor
  bleuet diversity samples.jsonl:text --average pairs -f json

exit codes: 0 done, 1 input that cannot be scored, 2 wrong usage, 130 Ctrl-C""",
    stray="write the files first, as in bleuet diversity FILE FILE",
)


def answer(args: Arguments) -> Diversity:
    """Return the Self-BLEU of each file.

    Raises:
        OptionError: there is no file, or the metric is not BLEU.
        InputError: a file cannot be read, or has too few texts.
    """
    if not args.texts:
        raise OptionError("no texts; expected a file with one text per line")
    metrics = make_metrics(args)
    if len(metrics) > 1 or type(metrics[0]) is not BLEU:
        raise OptionError(
            "-m must be bleu, with or without options: Self-BLEU uses no other metric"
        )
    named = [named_file(word) for word in args.texts]
    files = sources(args, [path for _, path in named])
    names = [name for name, _ in named]
    # Without a seed, each run draws another sample.
    chosen = seed_of(args)
    seed = Random().randrange(2**32) if chosen is None else chosen
    # A metric warns of each kind of problem once, and each file may have it.
    make = partial(
        SelfBLEU,
        **metrics[0].option_values(),
        average=args.average,
        itself=args.itself,
        sample=args.sample,
        seed=seed,
    )
    scores = [make().score_texts(_texts(file, args), threads=args.threads) for file in files]
    return Diversity(shown_names(names, stored_names(names, files)), scores)


def _texts(file: Source, args: Arguments) -> Segments:
    texts = read_texts(file)
    if len(texts) < 2 and not args.itself:
        raise InputError(
            f"{file} has {plural(len(texts), 'text')}; expected two or more, since each is "
            "compared with the others"
        )
    return Segments(TEXT, texts).marked(file.as_lines).of_system(str(file))


class Diversity(Answer):
    """The Self-BLEU and distinct-n of one or more sets of texts.

    Args:
        names: the name of each set.
        scores: its score.
    """

    __slots__ = ("names", "scores")

    def __init__(self, names: Sequence[str], scores: Sequence[SelfBLEUScore]) -> None:
        self.names = names
        self.scores = scores

    def document(self) -> Document:
        """Return one table with a row per set."""
        name = self.scores[0].name
        columns = [
            Column("system"),
            Column("texts", kind="count"),
            Column(name, kind="score", lower_is_better=True),
            *(Column(f"distinct-{n}", kind="score") for n in self._orders),
        ]
        return Document(
            tables=[DocumentTable("diversity", "", columns, list(self._rows()))],
            signatures=list(self._signatures()),
            data=lambda: [
                {"system": system, **score.to_dict()}
                for system, score in zip(self.names, self.scores, strict=True)
            ],
        )

    @property
    def _orders(self) -> range:
        return range(1, len(self.scores[0].distinct) + 1)

    def _rows(self) -> Iterator[list[Cell]]:
        for name, score in zip(self.names, self.scores, strict=True):
            yield [name, score.texts, score.score, *score.distinct]

    def _signatures(self) -> Iterator[tuple[str, Signature]]:
        """Yield each signature; sets of different size have different ones."""
        found = [score.signature for score in self.scores]
        if len(set(map(str, found))) == 1:
            yield self.scores[0].name, found[0]
            return
        for name, score, signature in zip(self.names, self.scores, found, strict=True):
            yield f"{score.name} of {name}", signature
