"""The options of the command line: each flag that commands share is declared once, here.

A command declares its flags as a `Command`; parsing, validation, help and completion come from
the declarations.
"""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.evaluation.names import files_of
from bleuet.frozen import Frozen, Value, cached_property
from bleuet.metrics.base.option_types import type_name
from bleuet.metrics.catalogue import ALL_NAMES, SUITES
from bleuet.output.rendering import FORMATS
from bleuet.study_settings import Between, IntervalSettings
from bleuet.text.files import MAX_SEGMENT_BYTES
from bleuet.text.lines import BYTE_ORDER_MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeVar

    from bleuet.study_settings import StudySettings

    Settings = TypeVar("Settings", bound=StudySettings)

# The kind of a flag by the type of its setting.
KINDS = {"bool": "switch", "int": "whole", "float": "number", "str": "text"}


class Flag:
    """One option or positional argument of the command line.

    Args:
        names: how it is spelled, such as ("-t", "--threads"), or one name without hyphens for a
            positional argument.
        help: one line for --help; "{default}" shows the default.
        kind: "switch", "yes or no" (--name and --no-name), "text", "whole" or "number".
        metavar: the name of its value in --help.
        default: the value where the option is absent.
        choices: the values it can take, where they are few.
        suggestions: values that completion offers, though others are accepted.
        many: "+" for one or more values, "*" for any number, "?" for an optional value.
        implied: with many="?", the value where the option stands alone.
        least, most: the range of a number, ends included.
        between: the range of a number, ends excluded.
        reads: its values are files or sources that the command reads.
        writes: its value is a file that the command writes.
        paths: returns the files that a value names, where a value is not just one file.
        setting: the name of the setting of a study that it sets, "" for none.
        rare: few users need it, so that --help lists it last.
    """

    # Class attributes are the defaults, so that a flag costs little to make: every start of a
    # command makes some thirty.
    names: tuple[str, ...]
    dest: str  # the attribute that contains its value
    help: str
    kind: str = "text"
    metavar: str = ""
    default: Any = None
    choices: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    many: str = ""
    implied: Any = None
    least: float | None = None
    most: float | None = None
    between: tuple[float, float] | None = None
    reads: bool = False
    writes: bool = False
    paths: Callable[[str], Sequence[str]] | None = None
    setting: str = ""
    rare: bool = False

    if TYPE_CHECKING:

        def __init__(
            self,
            *names: str,
            help: str,  # noqa: A002 - argparse's name
            kind: str = "text",
            metavar: str = "",
            default: Any = None,
            choices: Sequence[str] = (),
            suggestions: Sequence[str] = (),
            many: str = "",
            implied: Any = None,
            least: float | None = None,
            most: float | None = None,
            between: tuple[float, float] | None = None,
            reads: bool = False,
            writes: bool = False,
            paths: Callable[[str], Sequence[str]] | None = None,
            setting: str = "",
            rare: bool = False,
        ) -> None: ...

    else:

        def __init__(self, *names, **settings):
            dest = names[-1].lstrip("-").replace("-", "_")
            vars(self).update(settings, names=names, dest=dest)
            if self.kind == "switch":
                self.default = False

    @property
    def name(self) -> str:
        """Its name in messages: the long one, or the metavar of a positional argument."""
        long = self.names[-1]
        return long if long.startswith("-") else self.metavar or long

    def but(self, **changes: Any) -> Flag:
        """Return the same flag with another help, default or the like."""
        settings = {**vars(self), **changes}
        del settings["names"], settings["dest"]
        return Flag(*self.names, **settings)

    def files(self, value: Any) -> list[str]:
        """Return the files that a value of the flag names."""
        if value is None or not (self.reads or self.writes):
            return []
        words = [value] if isinstance(value, str) else value
        if self.paths is not None:
            return [path for word in words for path in self.paths(word)]
        return list(words)

    def check(self, value: Any) -> None:
        """Validate a value.

        Raises:
            OptionError: a number is out of range, or a file has no name.
        """
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._check_range(value)
        if not all(self.files(value)):
            raise OptionError(f"{self.name} got an empty file name: is a shell variable empty?")

    def _check_range(self, value: float) -> None:
        if self.between is not None and not self.between[0] < value < self.between[1]:
            wanted = f"between {self.between[0]:g} and {self.between[1]:g}"
        elif self.least is not None and not value >= self.least:
            wanted = f"{self.least:g} or more"
            if self.most is not None:
                wanted = f"from {self.least:g} to {self.most:g}"
        elif self.most is not None and not value <= self.most:
            wanted = f"from {self.least or 0:g} to {self.most:g}"
        else:
            return
        percent = ""
        if self.between == (0, 1) and 1 < value < 100:
            percent = f": write {value / 100:g} for {value:g}%"
        raise OptionError(f"{self.name} must be {wanted}, not {value:g}{percent}")


class Arguments(Frozen):
    """The arguments of one run by name, as the flags of its command declare them.

    Args:
        command: the command that declares the flags.
        words: what the user typed after the command's name.
        values: the values of all flags, as `default_values` has them.
        commands: the module and summary of every command, for a command about commands.
    """

    _fields = ("words",)
    command: Command
    words: Sequence[str]
    commands: Mapping[str, tuple[str, str]]

    def __init__(
        self,
        command: Command,
        words: Sequence[str],
        values: Mapping[str, Any],
        commands: Mapping[str, tuple[str, str]],
    ) -> None:
        changed = [flag.dest for flag in command.flags if values[flag.dest] != flag.default]
        vars(self).update(values, command=command, words=tuple(words), commands=commands)
        self._set(set_flags=frozenset(changed))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def was_set(self, flag: Flag) -> bool:
        """Return whether the user set a flag to another value than its default."""
        return flag.dest in self.set_flags


def default_values(command: Command) -> dict[str, Any]:
    """Return the default of each flag of a command, and of the flags of all documents."""
    return {flag.dest: flag.default for flag in (*OUTPUT, *command.flags)}


class FlagRule(Value):
    """Which flags need others, or exclude them; those that a command lacks do not matter.

    Args:
        flags: each of these, where it is set, ...
        needs: needs at least one of these, ...
        excludes: and none of these.
        reason: why, in a few words.
    """

    flags: tuple[Flag, ...]
    needs: tuple[Flag, ...] = ()
    excludes: tuple[Flag, ...] = ()
    reason: str = ""

    def check(self, args: Arguments) -> None:
        """Raise where a flag is set without one that it needs, or with one that it excludes.

        Raises:
            OptionError: the message names both, and how to go on.
        """
        why = f" ({self.reason})" if self.reason else ""
        for flag in filter(args.was_set, self.flags):
            here = [one for one in self.needs if one.dest in vars(args)]
            if self.needs and not any(map(args.was_set, self.needs)):
                names = " or ".join(one.name for one in here)
                alone = len(here) == 1
                add = f"{names} {here[0].metavar}".strip() if alone else "one of them"
                raise OptionError(
                    f"{flag.name} needs {names}{why}: add {add}, or remove {flag.name}"
                )
            for other in filter(args.was_set, self.excludes):
                raise OptionError(
                    f"{flag.name} and {other.name} exclude each other{why}: remove one of them"
                )


class Command(Value):
    """A command: its flags by group, the rules between them, and the texts of its help.

    Args:
        name: its name, as in `bleuet NAME`.
        summary: what it does, the first paragraph of its help.
        usage: the usage lines after the command's name, such as "REF -i HYP".
        groups: its flags by the title of their group in --help.
        elsewhere: by the title of a group, the sentence that --help has instead of its flags.
        rules: which flags need or exclude each other.
        examples: the end of its help.
        stray: advice for an unexpected argument.
        common: whether the flags of all documents are added.
    """

    name: str
    summary: str
    usage: Sequence[str]
    groups: Mapping[str, Sequence[Flag]]
    elsewhere: Mapping[str, str] | None = None
    rules: Sequence[FlagRule] = ()
    examples: str = ""
    stray: str = "remove it"
    common: bool = True

    _fields = ("name",)

    @cached_property
    def all_groups(self) -> dict[str, Sequence[Flag]]:
        """The groups, with the flags of all documents where they are added."""
        if not self.common:
            return dict(self.groups)
        return {**self.groups, "output": (*self.groups.get("output", ()), *OUTPUT)}

    @cached_property
    def flags(self) -> tuple[Flag, ...]:
        """All flags."""
        return tuple(flag for group in self.all_groups.values() for flag in group)


# --- Input ----------------------------------------------------------------------------------------

REFERENCES = Flag(
    "references", many="*", metavar="REF", default=(), reads=True,
    help="a file with one reference per segment",
)  # fmt: skip
SYSTEMS = Flag(
    "-i", "--input", many="+", metavar="HYP", reads=True, paths=files_of,
    help="a file of hypotheses for each system; NAME=HYP names the system",
)  # fmt: skip
SOURCE_TEXTS = Flag(
    "--source", metavar="SRC", reads=True, rare=True,
    help="the source text, for metrics that read it, such as sari and comet",
)  # fmt: skip
MAX_SEGMENT = Flag(
    "--max-segment-bytes", kind="whole", metavar="N", default=MAX_SEGMENT_BYTES, least=1, rare=True,
    help="longest line, or cell of a table, in bytes (default: {default})",
)  # fmt: skip
BOM = Flag(
    "--bom", metavar="WHAT", default=BYTE_ORDER_MARK[0], choices=BYTE_ORDER_MARK,
    rare=True,
    help="a byte order mark: strip, keep, or warn and keep it (default: {default})",
)  # fmt: skip
READING = (MAX_SEGMENT, BOM)
ALLOW_MISMATCH = Flag(
    "--allow-mismatch", kind="switch", rare=True,
    help="use stored scores of another test set, or by other settings",
)  # fmt: skip
METRICS = Flag(
    "-m", "--metrics", many="+", metavar="METRIC", suggestions=(*ALL_NAMES, *SUITES),
    help="metrics, with options after a colon: chrf:word_order=2; `bleuet metrics` lists them",
)  # fmt: skip
LANGUAGE_PAIR = Flag(
    "-l", "--language-pair", metavar="SRC-TRG",
    help="such as en-ja; the target selects tokenizers, and METEOR's language",
)  # fmt: skip

DOWNLOAD = Flag(
    "--download", kind="switch", rare=True,
    help="fetch models of neural metrics that are not on this computer",
)  # fmt: skip

# --- Saved tables ---------------------------------------------------------------------------------

FROM_TABLE = Flag(
    "--from-table", many="+", metavar="FILE", reads=True,
    help="read saved tables instead of texts; -m and -i select among them",
)  # fmt: skip
APPEND = Flag(
    "--append", kind="switch", rare=True,
    help="the saved tables are consecutive parts of one test set",
)  # fmt: skip
SEGMENTS = Flag(
    "--segments", metavar="RANGES",
    help="use only these segments: 1-100,205, or a file with such ranges",
)  # fmt: skip
SAVE_TABLE = Flag(
    "--save-table", metavar="FILE", writes=True,
    help="save the counts, to score them again without the texts",
)  # fmt: skip
SAVED_TABLES = (FROM_TABLE, APPEND, SEGMENTS)
RULES_OF_SAVED_TABLES = (
    FlagRule((APPEND, SEGMENTS), needs=(FROM_TABLE,)),
    FlagRule((ALLOW_MISMATCH,), excludes=(APPEND,), reason="parts have different test sets"),
    FlagRule(
        (FROM_TABLE,),
        excludes=(REFERENCES, SOURCE_TEXTS, LANGUAGE_PAIR, SAVE_TABLE),
        reason="saved tables are counted already",
    ),
)

# --- Settings of studies --------------------------------------------------------------------------

# What stands on the command line for None, where that is not the default.
NO_CHOICE = "none"


def flag_of(kind: type[StudySettings], name: str, **changes: Any) -> Flag:
    """Return the flag of a setting, with its values, its default and its help.

    Args:
        kind: the settings.
        name: the setting.
        **changes: other attributes of the flag.

    >>> from bleuet.study_settings import IntervalSettings
    >>> flag_of(IntervalSettings, "draws").least
    2
    """
    one = kind.declared[name]
    attributes: dict[str, Any] = {"help": one.help, "kind": KINDS[type_name(one.annotation)]}
    if one.choices:
        nothing = one.default is not None and "None" in one.annotation
        choices = (*one.choices, NO_CHOICE) if nothing else one.choices
        attributes |= {"choices": choices, "metavar": "NAME"}
    elif one.annotation != "bool":
        attributes["metavar"] = "NAME" if attributes["kind"] == "text" else "N"
    if one.default is not None:
        attributes["default"] = one.default
    if one.default:
        attributes["help"] += " (default: {default})"
    if isinstance(one.check, Between):
        attributes["between"] = (one.check.low, one.check.high)
    attributes |= {"least": one.least, "most": one.most, "setting": name} | changes
    return Flag(f"--{name.replace('_', '-')}", **attributes)


def settings_of(args: Arguments, kind: type[Settings], **known: Any) -> Settings:
    """Return the settings that the flags of a command set.

    Args:
        args: the arguments; a setting without a flag, or whose flag is absent, has its default.
        kind: the settings.
        **known: settings that do not come from flags.

    Raises:
        OptionError: a value is not valid, or the environment variable of the seed is not.
    """
    found: dict[str, Any] = {}
    for flag in args.command.flags:
        if flag.setting not in kind.declared or flag.setting in known:
            continue
        value = seed_of(args) if flag.dest == SEED.dest else getattr(args, flag.dest)
        if value == NO_CHOICE and NO_CHOICE not in kind.declared[flag.setting].choices:
            found[flag.setting] = None
        elif value is not None or flag.dest == SEED.dest:
            found[flag.setting] = value
    return kind(**found, **known)


def seed_of(args: Arguments) -> int | None:
    """Return the random seed, which the environment has where no flag sets it; None for none.

    Raises:
        OptionError: the environment variable is not a whole number.
    """
    if args.seed is not None:
        seed: int = args.seed
        return seed
    from bleuet.statistics.seed import default_seed

    return default_seed()


CONFIDENCE = flag_of(
    IntervalSettings, "confidence", default=None, metavar="LEVEL", many="?",
    implied=IntervalSettings.declared["confidence"].default,
    help="add bootstrap confidence intervals (default level: 0.95)",
)  # fmt: skip
DRAWS = flag_of(IntervalSettings, "draws", help="bootstrap draws (default: 1000)")
SEED = flag_of(
    IntervalSettings, "seed", default=None,
    help="random seed (default: $SACREBLEU_SEED, or 12345)",
)  # fmt: skip
DOCUMENTS = Flag(
    "--documents", metavar="FILE", reads=True,
    help="the name of the document of each segment, one per line, or a column such as "
    "data.tsv:document; whole documents are then drawn and exchanged",
)  # fmt: skip
# --- Computing ------------------------------------------------------------------------------------

THREADS = Flag(
    "-t", "--threads", kind="whole", metavar="N", default=1, least=0,
    help="number of threads, 0 for one per core (default: {default})",
)  # fmt: skip

# --- Output, the same for every command that answers with a document ------------------------------

FORMAT = Flag(
    "-f", "--format", metavar="FORMAT", choices=tuple(FORMATS),
    help=f"{', '.join(FORMATS)} (default: text)",
)  # fmt: skip
OUTPUT_FILE = Flag(
    "-o", "--output", metavar="FILE", writes=True,
    help="write to FILE when complete; an ending such as .csv sets --format",
)  # fmt: skip
WIDTH = Flag(
    "-w", "--width", kind="whole", metavar="N", least=0, most=17,
    help="digits after the decimal point (default: 2; csv, json, jsonl: all)",
)  # fmt: skip
SHORT = Flag(
    "--short", kind="switch", rare=True,
    help="print signatures with short keys (text, markdown, latex, html)",
)  # fmt: skip
QUIET = Flag("-q", "--quiet", kind="switch", help="no progress bar, no warnings")
OUTPUT = (FORMAT, OUTPUT_FILE, WIDTH, SHORT, QUIET)
