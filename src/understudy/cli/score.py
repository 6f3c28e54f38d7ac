"""`understudy score`: reads systems and references in step, scores them, prints the result."""

from __future__ import annotations

import sys
from contextlib import nullcontext

from understudy.cli.arguments import make_metrics, score_parser
from understudy.engines.streaming import score_batches
from understudy.errors import InputError, OptionError
from understudy.text.parallel import Parallel
from understudy.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from understudy.engines.streaming import Counted
    from understudy.metrics.metric import Metric

# sacreBLEU's measure of a corpus that somebody forgot to detokenize.
TOKENIZED_LINES = 100
MAX_WIDTH = 17


def main(command: str, arguments: Sequence[str]) -> int:
    """Run `understudy score` and return its exit code."""
    given = score_parser().parse_args(arguments)
    _check(given)
    metrics = make_metrics(given)
    systems = [Source.parse(path) for path in given.input or ["-"]]
    references = [Source.parse(path) for path in given.references]
    if [source.path for source in (*systems, *references)].count("-") > 1:
        raise OptionError("standard input can be read only once; give the other side as a file")
    if given.input is None and sys.stdin is not None and sys.stdin.isatty():
        raise OptionError("no hypotheses were given; name a file with -i, or pipe them in")

    with Parallel(systems, references) as batches:
        _score(given, metrics, _names(systems), batches)
    return 0


def _check(given: Namespace) -> None:
    if given.width is not None and not 0 <= given.width <= MAX_WIDTH:
        raise OptionError(f"--width must be from 0 to {MAX_WIDTH}, not {given.width}")
    if given.score_only and given.format not in ("text",):
        raise OptionError("--score-only prints bare numbers; leave out --format")


def _score(
    given: Namespace, metrics: Sequence[Metric], names: list[str], batches: Parallel
) -> None:
    tokenized = [0] * len(names)

    def note_tokenized(counted: Counted) -> None:
        for s, hypotheses in enumerate(counted.hypotheses):
            tokenized[s] += sum([line.endswith(" .") for line in hypotheses])

    watchers: list[Callable[[Counted], None]] = []
    if not given.quiet and any("13a" in repr(metric) for metric in metrics):
        watchers.append(note_tokenized)

    def after_batch(counted: Counted) -> None:
        for watch in watchers:
            watch(counted)

    with _progress(given, batches) as show:
        if show is not None:
            watchers.append(show)
        if given.sentence_level:
            from understudy.cli.sentences import write_sentences

            write_sentences(given, metrics, names, batches, after_batch)
        else:
            scores = score_batches(metrics, batches, threads=given.threads, after_batch=after_batch)
    if not given.sentence_level:
        from understudy.cli.output import write_scores

        write_scores(given, names, scores)
    for name, lines in zip(names, tokenized, strict=True):
        if lines >= TOKENIZED_LINES:
            sys.stderr.write(
                f"understudy: warning: {lines} lines of {name} end in ' .', as tokenized text "
                "does; scores are comparable only on detokenized text (--quiet hides this)\n"
            )


def _progress(
    given: Namespace, batches: Parallel
) -> AbstractContextManager[Callable[[Counted], None] | None]:
    if given.quiet or sys.stderr is None or not sys.stderr.isatty():
        return nullcontext(None)
    from understudy.cli.terminal import progress

    return progress(batches)


def _names(systems: Sequence[Source]) -> list[str]:
    """Short names where they tell the systems apart, else whole paths."""
    short = [source.name for source in systems]
    if len(set(short)) == len(short):
        return short
    whole = [str(source) for source in systems]
    twice = next((name for name in whole if whole.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{twice} was given twice as a system; name each file once")
    return whole
