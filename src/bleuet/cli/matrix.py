"""`bleuet matrix`: score every hypothesis against every reference."""

from __future__ import annotations

from bleuet.cli.metric_selection import make_metrics
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
)
from bleuet.cli.text_input import text_files
from bleuet.errors import InputError, OptionError
from bleuet.evaluation.pair_scores import PairScores
from bleuet.text.parallel import read_references, read_texts
from bleuet.text.segments import TEXT, Segments, WithSource
from bleuet.text.source_texts import with_sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.cli.options import Arguments

COMMAND = Command(
    "matrix",
    """\
Score every hypothesis against every reference. The files can have different
lengths.

Where -i names a column of lists, such as data.jsonl:candidates, each segment
has a matrix of its own: each text of its list against each reference of the
segment.""",
    ["REF [REF ...] -i HYP [option ...]"],
    {
        "input": (REFERENCES, SOURCE_TEXTS, SYSTEMS.but(help="a file of hypotheses"), *READING),
        "metric": (METRICS.but(help="the metric (default: bleu)"), LANGUAGE_PAIR, DOWNLOAD),
        "computing": (THREADS,),
    },
    examples="""\
examples:
  bleuet matrix ref.txt -i system.txt -m chrf -f csv
  bleuet matrix data.jsonl:reference -i data.jsonl:candidates -f json""",
    stray="write the references first, and one file after -i",
)


def answer(args: Arguments) -> PairScores:
    """Return the scores."""
    files = text_files(args)
    metrics = make_metrics(args, sentences=True)
    if len(files.systems) > 1 or len(metrics) > 1:
        raise OptionError(
            "matrix takes one file after -i and one metric after -m: run it once for each"
        )
    (metric,), (source,) = metrics, files.systems
    texts = read_texts(source, several=True)
    references: Any = read_references(files.references)
    if files.source is not None:
        references = with_sources(references, files.source.read()).tolist()
    numbered = any(isinstance(entry, list) for entry in texts)
    if not texts or not references:
        raise InputError(f"{source if references else files.references[0]} has no segments")
    if not numbered:
        hypotheses = Segments(TEXT, texts).marked(source.as_lines)
        shared = Segments.references(references)
        if any(file.as_lines for file in files.references):
            # Segments have no further check.
            references = shared
        matrix = metric.matrix(hypotheses, references, threads=args.threads)
        return PairScores(metric, [matrix], False, shared.n_references)
    if len(texts) != len(references):
        raise InputError(
            f"{source} has {len(texts)} segments but the references have {len(references)}; "
            "expected the references of each list on its line"
        )
    matrices = [
        metric.matrix(_several(several), _several(entry), threads=args.threads)
        for several, entry in zip(texts, references, strict=True)
    ]
    return PairScores(metric, matrices, True, 1)


def _several(entry: Any) -> list[Any]:
    if isinstance(entry, str):
        return [entry]
    texts = [text for text in entry if text is not None]
    if isinstance(entry, WithSource):
        return [entry.with_texts(entry.source, [text]) for text in texts]
    return texts
