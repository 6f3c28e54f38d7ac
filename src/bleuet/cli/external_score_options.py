"""The options of external scores: segment scores that another program or human raters gave."""

from __future__ import annotations

import os

from bleuet.cli.options import ALLOW_MISMATCH, Flag, FlagRule
from bleuet.cli.text_input import sources
from bleuet.errors import OptionError
from bleuet.evaluation.external import check_name
from bleuet.evaluation.external_score_files import read_external_scores
from bleuet.evaluation.score_tables import ROLES, SameTestSet, TableLayout
from bleuet.messages import nearest
from bleuet.metrics.catalogue import NAMES, SPELLINGS, known_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bleuet.cli.options import Arguments
    from bleuet.evaluation.external import SegmentMean
    from bleuet.evaluation.external_score_files import Numbers


def files_of(word: str) -> list[str]:
    """Return the files that a value of --scores names.

    A comma separates files, unless a file of that very name exists.

    >>> files_of("COMET=a.comet,b.comet")
    ['a.comet', 'b.comet']
    """
    value = word.partition("=")[2]
    return [value] if os.path.exists(value) else value.split(",")


def _named_files(word: str) -> list[str]:
    # `score_files` reports an empty name, together with the whole word.
    return [file for file in files_of(word) if file]


SCORES = Flag(
    "--scores", many="+", metavar="NAME=FILE,FILE", reads=True, paths=_named_files,
    help="external scores, such as those of a neural metric or of human raters: a file for each "
    "system in the order of -i, with one number per line (empty if there is no score); or one "
    "table with the columns segment, system, score",
)  # fmt: skip
LOWER_IS_BETTER = Flag(
    "--lower-is-better", many="+", metavar="NAME",
    help="names of --scores that are better if they are lower, such as error rates",
)  # fmt: skip
COLUMNS = Flag(
    "--columns", many="+", metavar="ROLE=NAME",
    help="names of columns in tables of scores, such as segment=seg_id",
)  # fmt: skip
FIRST_SEGMENT = Flag(
    "--first-segment", kind="whole", metavar="N", least=0, most=1,
    help="the number of the first segment in tables of scores, 0 or 1 (default: 0)",
)  # fmt: skip
AVERAGE = Flag(
    "--average", kind="switch",
    help="average repeated scores in tables, such as those of several raters",
)  # fmt: skip
TABLE_LAYOUT = (COLUMNS, FIRST_SEGMENT, AVERAGE)
EXTERNAL_SCORES = (SCORES, LOWER_IS_BETTER, *TABLE_LAYOUT, ALLOW_MISMATCH)
RULES_OF_EXTERNAL_SCORES = (FlagRule((LOWER_IS_BETTER, *TABLE_LAYOUT), needs=(SCORES,)),)


def score_files(words: Iterable[str] | None) -> dict[str, list[str]]:
    """Return the files of each name of --scores, in order.

    A repeated name adds files, since a shell expands `NAME={a,b}.txt` to that.

    Raises:
        OptionError: a word is not of the form NAME=FILE, or its name is that of a metric.

    >>> score_files(["COMET=a.comet,b.comet", "human=a.da", "human=b.da"])
    {'COMET': ['a.comet', 'b.comet'], 'human': ['a.da', 'b.da']}
    """
    found: dict[str, list[str]] = {}
    for word in words or ():
        name, equals, _ = word.partition("=")
        files = files_of(word)
        if not (name.strip() and equals and all(files)):
            raise OptionError(
                f"--scores must be NAME=FILE,FILE with a file for each system, or NAME=FILE with "
                f"one table, not {word!r}"
            )
        check_name(name)
        found.setdefault(name, []).extend(files)
    return found


def table_layout(args: Arguments) -> TableLayout:
    """Return how tables of scores are read.

    Raises:
        OptionError: a word of --columns is not of the form ROLE=NAME, or a role does not exist or
            occurs twice.
    """
    columns: dict[str, str] = {}
    for word in args.columns or ():
        role, equals, name = word.partition("=")
        if not (role and equals and name):
            raise OptionError(f"--columns must be ROLE=NAME, as in segment=seg_id, not {word!r}")
        if role not in ROLES:
            raise OptionError(
                f"--columns: there is no role {role}{nearest(role, ROLES)}; "
                f"the roles are {', '.join(ROLES)}"
            )
        if role in columns:
            raise OptionError(f"--columns names the role {role} twice: name each role once")
        columns[role] = name
    return TableLayout(columns, args.first_segment, args.average)


def check_external_scores(args: Arguments) -> None:
    """Check that the options of external scores fit together.

    Raises:
        OptionError: an option has no effect without --scores, or names scores that do not exist.
    """
    names = list(score_files(args.scores))
    check_lower_is_better(args, names)


def check_lower_is_better(args: Arguments, names: Sequence[str]) -> None:
    """Check that --lower-is-better names external scores.

    Args:
        args: the arguments.
        names: the names of the external scores.

    Raises:
        OptionError: there are no scores of a name.
    """
    for name in args.lower_is_better or ():
        if name not in names:
            raise OptionError(
                f"--lower-is-better: there are no scores {name}{nearest(name, names)}; expected "
                f"one of {', '.join(names)}"
            )


def read_scores(
    args: Arguments,
    systems: Mapping[str, str],
    segments: int,
    test_set: Callable[[], str],
    each: str = "system",
) -> dict[SegmentMean, dict[str, Numbers]]:
    """Read the external scores that the arguments name.

    Args:
        args: the arguments.
        systems: the name of each system, and the name of its file, which tables may use.
        segments: the number of segments.
        test_set: returns the fingerprint of the texts.
        each: what messages call a system.

    Raises:
        InputError: a file cannot be read, has a value that is not a number, or lacks a system or
            segments; the message names the place.
        OptionError: the number of files is not the number of systems.
    """
    return read_external_scores(
        {name: sources(args, files) for name, files in score_files(args.scores).items()},
        systems,
        segments,
        lower_is_better=args.lower_is_better or (),
        layout=table_layout(args),
        each=each,
        same=SameTestSet(test_set, allow_mismatch=args.allow_mismatch),
    )


def order_metrics(words: Sequence[str], names: Iterable[str]) -> list[str]:
    """Return the words of -m with the names of external scores as --scores spells them.

    External scores that -m does not name come last.

    Args:
        words: the words of -m.
        names: the names of the external scores.

    Raises:
        OptionError: a word is neither such a name nor a metric.

    >>> order_metrics(["comet", "bleu:lowercase"], ["human", "COMET"])
    ['COMET', 'bleu:lowercase', 'human']
    """
    listed = list(names)
    spelled = {name.lower(): name for name in listed}
    for word in words if listed else ():
        metric = word.lower().partition("|")[0].partition(":")[0]
        if known_name(metric) is None and word.lower() not in spelled:
            hint = nearest(word, (*NAMES, *listed), SPELLINGS)
            raise OptionError(
                f"there is no metric {word!r}{hint}; expected one that `bleuet metrics` lists, or "
                f"one of --scores: {', '.join(listed)}"
            )
    ordered = [spelled.get(word.lower(), word) for word in words]
    return [*ordered, *(name for name in listed if name not in ordered)]
