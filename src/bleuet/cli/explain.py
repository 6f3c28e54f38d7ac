"""`bleuet explain`: what counts in one segment, or why two settings of a metric differ."""

from __future__ import annotations

import os
import re

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
from bleuet.cli.text_input import source_of, text_files
from bleuet.errors import OptionError
from bleuet.explanation import explain
from bleuet.metrics.base.marked_segment import MarkedSegments
from bleuet.metrics.base.marked_sentences import compared_words
from bleuet.text.corpus import Corpus
from bleuet.text.parallel import read_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.explanation import Explanation
    from bleuet.metrics.base.metric import Metric

# A hyphen, a folder and a name, or a name with an ending, perhaps with a column.
NAME_OF_FILE = re.compile(r"^-$|\w[/\\]\w|\w\.[a-z]\w{0,6}(:\w+)?$")

FROM = Flag("--from", metavar="A", help="the first metric: a signature or a name")
TO = Flag("--to", metavar="B", help="the second metric: a signature or a name")
SEGMENT = Flag("--segment", metavar="N", kind="whole", least=1, help="explain this segment, from 1")
HYPOTHESIS = Flag("--hypothesis", metavar="TEXT", help="explain this hypothesis, without files")
SOURCE = SOURCE_TEXTS.but(help=f"{SOURCE_TEXTS.help}; with --hypothesis a sentence or a file")
REFERENCE = Flag("--reference", metavar="TEXT", many="+", help="its reference, or references")

COMMAND = Command(
    "explain",
    """\
Explain a score. With --segment, or with --hypothesis and --reference: which
words match, are missed or added, what of one segment counts by each metric
(such as matched n-grams, edits or aligned words), and each step to the score.
With --from and --to: why two settings of one metric give a system different
scores, and by how much each step changes the score (case, tokens, clipping,
reference length, smoothing, averaging).

A and B are signatures, printed by bleuet or sacreBLEU, or names with options
after a colon: bleu, bleu:smooth=floor,lowercase, mean-bleu:weighting=plain,
chrf++.""",
    [
        "--hypothesis TEXT --reference TEXT [TEXT ...] [option ...]",
        "REF [REF ...] -i HYP --segment N [option ...]",
        "REF [REF ...] -i HYP --from A --to B [option ...]",
    ],
    {
        "input": (REFERENCES, SOURCE, SYSTEMS.but(help="a file of hypotheses"), *READING),
        "one sentence": (HYPOTHESIS, REFERENCE),
        "one segment": (SEGMENT, METRICS, LANGUAGE_PAIR, DOWNLOAD),
        "two settings": (FROM, TO),
        "computing": (THREADS,),
    },
    rules=(
        FlagRule((HYPOTHESIS,), needs=(REFERENCE,)),
        FlagRule((REFERENCE,), needs=(HYPOTHESIS,)),
        FlagRule(
            (HYPOTHESIS,),
            excludes=(REFERENCES, SYSTEMS, *READING),
            reason="a text is not a file; put quotes around several words",
        ),
        FlagRule((HYPOTHESIS,), excludes=(SEGMENT,), reason="there is one segment"),
        FlagRule(
            (METRICS,),
            needs=(SEGMENT, HYPOTHESIS),
            excludes=(FROM, TO),
            reason="two settings are named by --from and --to",
        ),
        FlagRule((SEGMENT,), excludes=(FROM, TO)),
    ),
    examples="""\
examples:
  bleuet explain --hypothesis "The cat sat." --reference "The cat sat down."
  bleuet explain ref.txt -i system.txt --segment 12 -m bleu ter
  bleuet explain ref.txt -i system.txt --from bleu --to bleu:tokenize=intl
  bleuet explain ref.txt -i system.txt --from bleu --to mean-bleu
  bleuet explain ref.txt -i system.txt \\
    --from 'nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0' --to bleu""",
    stray="write the references first, and one system after -i, or a text in quotes",
)


def answer(args: Arguments) -> Explanation | MarkedSegments:
    """Return the steps between two settings, or what counts in a segment."""
    if args.was_set(HYPOTHESIS):
        corpus = Corpus([args.hypothesis], [args.reference], _source_of_sentence(args))
    else:
        corpus = _corpus_of_files(args)
    if args.segment is not None:
        return _segment(args, corpus, args.segment)
    if args.was_set(HYPOTHESIS) and not (args.was_set(FROM) or args.was_set(TO)):
        return _segment(args, corpus, 1)
    first, second = (_metric(args, flag) for flag in (FROM, TO))
    return explain(first, second, corpus, threads=args.threads)


def _source_of_sentence(args: Arguments) -> list[str] | None:
    """Return the source beside --hypothesis: a text, or what is in a file.

    A word that can only be the name of a file is one, also where the file is missing.
    """
    word = args.source
    file = source_of(args) if word and (len(word.split()) == 1 or os.path.exists(word)) else None
    if file is not None and (os.path.exists(file.path) or NAME_OF_FILE.search(word)):
        return file.read()
    return [word] if word else None


def _corpus_of_files(args: Arguments) -> Corpus:
    if args.references and not (args.input or any(map(os.path.exists, args.references))):
        raise OptionError(
            "no system; write --hypothesis TEXT --reference TEXT for texts, or REF -i HYP for files"
        )
    files = text_files(args)
    if len(files.systems) > 1:
        raise OptionError(
            f"-i took {len(files.systems)} files ({' '.join(args.input)}), but explain takes one "
            "system: write the references before -i"
        )
    if args.segment is None:
        for flag in (FROM, TO):
            _metric(args, flag)  # a missing one is an error before anything is read
    return read_systems(files.systems, files.references, files.source)[0]


def _segment(args: Arguments, corpus: Corpus, number: int) -> MarkedSegments:
    metrics = make_metrics(args, sentences=True)
    if number > len(corpus):
        raise OptionError(
            f"--segment is {number}, but there are {len(corpus)} segments: use 1 to {len(corpus)}"
        )
    hypothesis, references = corpus.hypotheses[number - 1], corpus.references[number - 1]
    views = [metric.prepare(corpus).marked(hypothesis, references) for metric in metrics]
    several = (
        [references]
        if isinstance(references, str)
        else [one for one in references if one is not None]
    )
    sentences = compared_words(hypothesis, several) if several else None
    return MarkedSegments(views, sentences, list(_notes(args, metrics)))


def _notes(args: Arguments, metrics: Sequence[Metric[Any]]) -> Iterator[str]:
    """Yield the settings that a segment has and a whole file has not."""
    for metric, text in zip(metrics, args.metrics or ["bleu"], strict=True):
        (usual,) = metrics_of([text], args.language_pair)
        for one in metric.options:
            ours, theirs = (getattr(some, one.name) for some in (metric, usual))
            if ours != theirs:
                yield (
                    f"{metric.name} of one segment is computed with {one.name}={one.spell(ours)}, "
                    f"that of a whole file with {one.name}={one.spell(theirs)}."
                )


def _metric(args: Arguments, flag: Flag) -> str:
    text: str | None = getattr(args, flag.dest)
    if not text:
        raise OptionError(
            f"{flag.name} is missing: add --segment N for one segment, or --from A and --to B for "
            "two metrics such as bleu and bleu:smooth=floor, or give texts instead of files by "
            "--hypothesis and --reference"
        )
    return text
