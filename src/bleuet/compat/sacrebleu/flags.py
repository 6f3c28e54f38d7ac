"""sacreBLEU's command-line flags, with its defaults; errors take one line."""

from __future__ import annotations

import os
from argparse import ArgumentParser, RawDescriptionHelpFormatter

from bleuet.compat.sacrebleu.metrics import METRICS
from bleuet.compat.sacrebleu.version import __version__ as sacrebleu_version
from bleuet.errors import OptionError
from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace, _ArgumentGroup
    from typing import NoReturn

FORMATS = ("json", "text", "latex")
DESCRIPTION = """\
sacreBLEU's command line, computed by bleuet: the same flags and the same output.

  bleuet sacrebleu reference.txt -i output.txt -m bleu chrf ter
  bleuet sacrebleu reference.txt < output.txt

Flags that need sacreBLEU's test sets (-t, --list, --echo, --download, --origlang, --subset) run the
sacrebleu package, which must be installed."""


class Parser(ArgumentParser):
    """A parser that raises `OptionError` for wrong usage."""

    def error(self, message: str) -> NoReturn:
        raise OptionError(f"{message}; bleuet sacrebleu --help lists the flags")


def parse(arguments: list[str]) -> Namespace:
    """Return the parsed arguments.

    Raises:
        OptionError: the arguments are wrong.

    >>> parse(["ref.txt", "-i", "a.txt", "-m", "chrf"]).metrics
    ['chrf']
    """
    parsed = parser().parse_args(arguments)
    parsed.asks_for_json = parsed.format == "json"
    parsed.format = parsed.format or "json"
    wanted = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if wanted in FORMATS:
        parsed.format = wanted
        parsed.asks_for_json = parsed.asks_for_json and wanted == "json"
    return parsed


def parser() -> Parser:
    """Return the parser of sacreBLEU's flags."""
    # The name is sacreBLEU's because scripts read the second word of --version.
    made = Parser(
        prog="sacrebleu", description=DESCRIPTION, formatter_class=RawDescriptionHelpFormatter
    )
    made.add_argument(
        "--version",
        "-V",
        action="version",
        version=f"%(prog)s {sacrebleu_version} (bleuet {__version__})",
    )
    _add_test_sets(made.add_argument_group("test sets (of the sacrebleu package)"))
    _add_input(made.add_argument_group("input"))
    _add_bleu(made.add_argument_group("BLEU"))
    _add_chrf(made.add_argument_group("chrF"))
    _add_ter(made.add_argument_group("TER"))
    _add_statistics(made.add_argument_group("statistics"))
    _add_report(made.add_argument_group("report"))
    return made


def _add_test_sets(group: _ArgumentGroup) -> None:
    group.add_argument("--citation", "--cite", action="store_true", help="print a BibTeX entry")
    group.add_argument("--list", action="store_true", help="list the test sets")
    group.add_argument("--test-set", "-t", help="test sets, separated by commas")
    group.add_argument(
        "--language-pair", "-l", dest="langpair", help="such as en-de; selects BLEU's tokenizer"
    )
    group.add_argument("--origlang", "-ol", help="only segments with this original language")
    group.add_argument("--subset", help="only documents whose annotation matches")
    group.add_argument("--download", metavar="TEST_SET", help="download a test set")
    group.add_argument("--echo", nargs="+", metavar="FIELD", help="print src, ref or other fields")


def _add_input(group: _ArgumentGroup) -> None:
    group.add_argument("refs", nargs="*", default=[], help="reference files, before -i")
    group.add_argument("--input", "-i", nargs="*", help="system outputs; default standard input")
    group.add_argument(
        "--num-refs", "-nr", type=int, default=1, help="references per line, separated by tabs"
    )
    group.add_argument(
        "--encoding", "-e", default="utf-8", help="encoding of all files (%(default)s)"
    )
    group.add_argument(
        "--metrics",
        "-m",
        nargs="+",
        choices=[name.lower() for name in METRICS],
        default=["bleu"],
        help="metrics to compute (bleu)",
    )
    group.add_argument(
        "--sentence-level", "-sl", action="store_true", help="score each segment by itself"
    )


def _add_bleu(group: _ArgumentGroup) -> None:
    bleu = METRICS["BLEU"]
    group.add_argument(
        "--smooth-method",
        "-s",
        choices=list(bleu.SMOOTH_DEFAULTS),
        default="exp",
        dest="bleu_smooth_method",
        help="smoothing of precisions without matches (%(default)s)",
    )
    group.add_argument(
        "--smooth-value",
        "-sv",
        type=float,
        dest="bleu_smooth_value",
        help="parameter of floor (0.1) and add-k (1)",
    )
    group.add_argument(
        "--tokenize",
        "-tok",
        choices=list(bleu.TOKENIZERS),
        dest="bleu_tokenize",
        help="tokenizer (the one that fits -l, or 13a)",
    )
    group.add_argument(
        "--lowercase", "-lc", action="store_true", dest="bleu_lowercase", help="ignore case"
    )
    group.add_argument(
        "--force", action="store_true", dest="bleu_force", help="do not warn about tokenized input"
    )


def _add_chrf(group: _ArgumentGroup) -> None:
    chrf = METRICS["CHRF"]
    group.add_argument(
        "--chrf-char-order",
        "-cc",
        type=int,
        default=chrf.CHAR_ORDER,
        help="longest character n-grams (%(default)s)",
    )
    group.add_argument(
        "--chrf-word-order",
        "-cw",
        type=int,
        default=chrf.WORD_ORDER,
        help="longest word n-grams; 2 is chrF++",
    )
    group.add_argument(
        "--chrf-beta", type=int, default=chrf.BETA, help="weight of recall (%(default)s)"
    )
    group.add_argument(
        "--chrf-whitespace", action="store_true", help="count white space as characters"
    )
    group.add_argument("--chrf-lowercase", action="store_true", help="ignore case")
    group.add_argument(
        "--chrf-eps-smoothing", action="store_true", help="average F over all orders"
    )


def _add_ter(group: _ArgumentGroup) -> None:
    group.add_argument("--ter-case-sensitive", action="store_true", help="keep case")
    group.add_argument("--ter-asian-support", action="store_true", help="split CJK characters")
    group.add_argument("--ter-no-punct", action="store_true", help="remove punctuation")
    group.add_argument("--ter-normalized", action="store_true", help="normalise and tokenize")


def _add_statistics(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--confidence",
        "-ci",
        action="store_true",
        help="add a bootstrap confidence interval (one system)",
    )
    group.add_argument(
        "--confidence-n",
        "-cin",
        type=int,
        default=1000,
        help="number of draws for --confidence (%(default)s)",
    )
    paired = group.add_mutually_exclusive_group()
    paired.add_argument(
        "--paired-ar", "-par", action="store_true", help="paired approximate randomization"
    )
    paired.add_argument("--paired-bs", "-pbs", action="store_true", help="paired bootstrap")
    group.add_argument(
        "--paired-ar-n", "-parn", type=int, default=10000, help="number of trials for --paired-ar"
    )
    group.add_argument(
        "--paired-bs-n", "-pbsn", type=int, default=1000, help="number of draws for --paired-bs"
    )
    group.add_argument("--paired-jobs", "-j", type=int, default=1, help="threads, 0 for all")


def _add_report(group: _ArgumentGroup) -> None:
    group.add_argument("--quiet", "-q", action="store_true", help="print no messages")
    group.add_argument("--short", "-sh", action="store_true", help="print short signatures")
    group.add_argument("--score-only", "-b", action="store_true", help="print only the number")
    group.add_argument(
        "--width", "-w", type=int, default=1, help="digits after the decimal point (%(default)s)"
    )
    group.add_argument("--detail", "-d", action="store_true", help="split by original language")
    group.add_argument("--no-color", "-nc", action="store_true", help="no colours")
    group.add_argument(
        "--format",
        "-f",
        choices=FORMATS,
        help="json or text for one system, json, text or latex for several (json); "
        "SACREBLEU_FORMAT overrides it",
    )
