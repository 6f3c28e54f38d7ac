"""The texts of a run: files of systems and references, read, checked and counted batch by batch."""

from __future__ import annotations

import os
import sys

from bleuet.cli.options import METRICS, READING, SOURCE_TEXTS
from bleuet.cli.warning_lines import warn
from bleuet.engines.counting import count_batches
from bleuet.errors import OptionError
from bleuet.evaluation.names import named_file, shown_names, stored_names
from bleuet.evaluation.stream import Stream
from bleuet.frozen import Value
from bleuet.metrics.base.text_checks import TextChecks
from bleuet.metrics.catalogue import signed_references
from bleuet.statistics.backend import backend
from bleuet.text.files import STDIN
from bleuet.text.parallel import Parallel
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.engines.counting import Batch
    from bleuet.metrics.base.metric import Metric
    from bleuet.statistics.counted import Counted
    from bleuet.text.fingerprint import Fingerprint


class TextFiles(Value):
    """The files of a run.

    Args:
        systems: where each system's hypotheses are.
        references: where the references are.
        names: the systems' names, which can be saved and looked up.
        shown: their names in output, without the ending that all names of files share.
        source: where the source texts are, for metrics that read them.
    """

    systems: list[Source]
    references: list[Source]
    names: list[str]
    shown: list[str]
    source: Source | None = None

    @classmethod
    def named(
        cls,
        systems: list[Source],
        references: list[Source],
        names: Sequence[str],
        source: Source | None = None,
    ) -> TextFiles:
        """Return files with the names of the command line, or those of the files where it has "".

        Raises:
            OptionError: two systems have one name.
        """
        stored = stored_names(names, systems)
        return cls(systems, references, stored, shown_names(names, stored), source)

    def with_texts(self, systems: list[Source], references: list[Source]) -> TextFiles:
        """Return files with other texts under the same names."""
        return self.replace(systems=systems, references=references)


def text_files(args: Arguments, systems: Sequence[tuple[str, str]] | None = None) -> TextFiles:
    """Return the files that the arguments name.

    Args:
        args: the arguments, with `references`, and `input` for the systems.
        systems: the name of each system, "" for that of its file, and its file, where they are not
            those of `args.input`.

    Raises:
        OptionError: there is no reference or no system, or two systems have one name.
        InputError: a path names a column of a file that has none.
    """
    named = [named_file(word) for word in args.input or ()] if systems is None else systems
    _check(args, [path for _, path in named])
    files = sources(args, [path for _, path in named])
    references, names = sources(args, args.references), [name for name, _ in named]
    return TextFiles.named(files, references, names, source_of(args))


def source_of(args: Arguments) -> Source | None:
    """Return the file of source texts, for commands that have a flag for it."""
    word = getattr(args, SOURCE_TEXTS.dest, None)
    return sources(args, [word])[0].with_sources_only() if word else None


def sources(args: Arguments, words: Iterable[str]) -> list[Source]:
    """Return the files, or columns of files, that words of the command line name.

    Args:
        args: the arguments, with those of `READING`.
        words: the words.

    Raises:
        InputError: a word names a column of a file that has none.
    """
    settings = reading(args)
    return [Source.parse(word, **settings) for word in words]


def reading(args: Arguments) -> dict[str, Any]:
    """Return how the arguments say that files are read, as `Source` takes it."""
    return {flag.dest: getattr(args, flag.dest) for flag in READING}


def _check(args: Arguments, systems: Sequence[str]) -> None:
    command = f"bleuet {args.command.name}"
    has_source = bool(getattr(args, SOURCE_TEXTS.dest, None))
    if not args.references and len(systems) > 1 and not has_source:
        raise OptionError(
            f"no reference: -i took all {len(systems)} files as systems; write the references "
            f"first, as in {command} {systems[-1]} -i {systems[0]}"
        )
    if not args.references and not has_source:
        hypotheses = systems[0] if systems else "HYP"
        raise OptionError(
            "no reference; expected a file with one reference per segment, as in "
            f"{command} REF -i {hypotheses}"
        )
    if not systems:
        raise OptionError(
            "no system: files before -i are references; name the systems after it, as in "
            f"{command} {' '.join(args.references[:1]) or '--source SRC'} -i HYP"
        )
    option = next((name for name in args.references if name.startswith("-") and name != STDIN), "")
    if option and not os.path.exists(option):
        raise OptionError(f"{option} comes after --, where all words are files: write it before --")


def count_texts(
    files: TextFiles,
    metrics: Sequence[Metric[Any]],
    args: Arguments,
    fingerprint: Fingerprint | None = None,
) -> Stream:
    """Return systems whose texts are counted batch by batch.

    The quick checks run beside, and a terminal shows a progress bar. The warnings of the quick
    checks are printed after the last batch.

    Args:
        files: the files.
        metrics: the metrics to count with.
        args: the arguments, with `threads` and `quiet`.
        fingerprint: is updated with the references.

    Raises:
        InputError: a file cannot be read, or the files differ in length; raised by the batches.
    """
    rows = _counted(files, metrics, args, fingerprint)
    return Stream(files.names, metrics, rows, fingerprint=fingerprint)


def _counted(
    files: TextFiles,
    metrics: Sequence[Metric[Any]],
    args: Arguments,
    fingerprint: Fingerprint | None,
) -> Iterator[Counted]:
    checks = None
    if not args.quiet:
        checks = quick_checks(files, metrics, args)
    with Parallel(
        files.systems, files.references, count_lines=backend().count_lines, source=files.source
    ) as reader:
        batches: Iterable[Batch] = reader
        if checks is not None:
            batches = checks.over(batches)
        if fingerprint is not None:
            batches = fingerprint.over(batches)
        counted = count_batches(metrics, batches, threads=args.threads, names=files.names)
        no_bar = args.quiet or sys.stderr is None or not sys.stderr.isatty()
        # A model has a bar of its own.
        if no_bar or any(metric.rates for metric in metrics):
            yield from counted
        else:
            from bleuet.cli.progress import with_bar

            yield from with_bar(counted, reader)
    if checks is not None:
        for problem in checks.problems():
            warn(problem)


def quick_checks(files: TextFiles, metrics: Sequence[Metric[Any]], args: Arguments) -> TextChecks:
    """Return the quick checks of some files, for metrics that arguments name."""
    own = [
        name
        for name, system in zip(files.names, files.systems, strict=True)
        if system in files.references
    ]
    words = getattr(args, METRICS.dest, None) or ()
    return TextChecks(
        files.names,
        metrics,
        own,
        list(map(str, files.references)),
        map(signed_references, words),
    )
