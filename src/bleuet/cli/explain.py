"""`bleuet explain`: which step between two settings of a metric moves a system's score."""

from __future__ import annotations

from bleuet.cli.arguments import (
    Parser,
    add_destination,
    add_format,
    add_threads,
    whole_number,
)
from bleuet.cli.destination import Destination, check_destination
from bleuet.cli.refusals import (
    check_threads,
    check_width,
    refuse_empty_names,
    refuse_second_stdin,
)
from bleuet.errors import OptionError
from bleuet.studies.explanation import explain
from bleuet.text.parallel import read_corpus
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, Any

    from bleuet.studies.explanation import Explanation

DESCRIPTION = """\
Say which step between two settings of one metric moves a system's score by how
much: tokens, clipping, reference length, smoothing or averaging.

A metric is a whole signature, sacreBLEU's too, or a name with options behind a
colon: bleu, bleu:smooth=floor,lowercase, mean-bleu:weighting=plain, chrf++."""

EXAMPLES = """\
examples:
  bleuet explain ref.txt -i system.txt --from bleu --to bleu:tokenize=intl
  bleuet explain ref.txt -i system.txt --from bleu --to mean-bleu
  bleuet explain ref.txt -i system.txt \\
    --from 'nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0' --to bleu"""

FORMATS = ("text", "json")
# What a run needs: where it stands, what is said where it is missing.
NEEDED = {
    "input": "no hypotheses were given; expected a file of one system's behind -i",
    "references": "no reference was given; expected a file with one per segment before -i",
    "first": "no metric to begin with was given; expected its name or signature behind --from",
    "second": "no metric to end with was given; expected its name or signature behind --to",
}


def main(command: str, arguments: Sequence[str]) -> int:
    """Run `bleuet explain` and return its exit code."""
    given: Any = explain_parser().read(arguments)
    _check(given)
    system, *references = map(Source.parse, (*given.input, *given.references))
    check_destination(given.output, [source.path for source in (system, *references)])
    corpus = read_corpus(system, references)
    found = explain(given.first, given.second, corpus, threads=given.threads)
    with Destination(given.output) as out:
        WRITERS[given.format or "text"](out, found, given.width)
    return 0


def explain_parser() -> Parser:
    """Return the parser of `bleuet explain`."""
    parser = Parser(
        prog="bleuet explain",
        usage="bleuet explain REF [REF ...] -i HYP --from A --to B [option ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        stray="write the references first, and one system behind -i",
    )
    add = parser.add_argument
    add("references", nargs="*", metavar="REF", help="a file with one reference per segment")
    # More than one, to refuse a second system, or a reference, that stands there.
    add("-i", "--input", nargs="+", metavar="HYP", default=None, help="a file of hypotheses")
    add("--from", dest="first", metavar="A", default=None, help="the metric to begin with")
    add("--to", dest="second", metavar="B", default=None, help="the metric to end with")
    add_format(add, FORMATS)
    add(
        "-w", "--width", type=whole_number, metavar="N", default=None,
        help="digits after the decimal point of text (default: 2)",
    )  # fmt: skip
    add_destination(add)
    add_threads(add)
    return parser


def _check(given: Any) -> None:
    given.input = given.input or []
    if len(given.input) > 1:
        raise OptionError(
            f"-i took {len(given.input)} files ({' '.join(given.input)}), but one system is "
            "explained at a time: write the references before -i"
        )
    for name, problem in NEEDED.items():
        if not getattr(given, name):
            raise OptionError(
                f"{problem}, as in bleuet explain REF -i HYP --from bleu --to bleu:smooth=floor"
            )
    refuse_empty_names((*given.references, *given.input))
    check_width(given.width)
    if given.width is not None and given.format == "json":
        raise OptionError("--width is for text: json has every number in full, so leave it out")
    check_threads(given.threads)
    refuse_second_stdin((*given.input, *given.references))


def _write_text(out: IO[str], found: Explanation, width: int | None) -> None:
    out.write(found.format(2 if width is None else width) + "\n")


def _write_json(out: IO[str], found: Explanation, width: int | None) -> None:
    import json

    out.write(json.dumps(found.to_dict(), indent=1) + "\n")


WRITERS = {"text": _write_text, "json": _write_json}
