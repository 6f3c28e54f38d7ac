"""The parser of every command, made from its flags; argparse is imported only here."""

from __future__ import annotations

import argparse
import os

from bleuet.cli.metric_selection import with_option
from bleuet.cli.options import FORMAT, REFERENCES, default_values
from bleuet.errors import OptionError
from bleuet.messages import nearest, shown
from bleuet.output.destination import StandardOutput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from bleuet.cli.options import Command, Flag


def parse(command: Command, words: Sequence[str]) -> dict[str, Any]:
    """Return the value of each flag of a command; --help prints and raises SystemExit.

    Raises:
        OptionError: an option is unknown, a word belongs nowhere, or a value is not of its kind.
    """
    return Parser(command).read(words)


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, up to 100 columns.

    argparse makes a formatter for every argument that is added, and the default one imports a
    module for the terminal's width.
    """

    def __init__(self, prog: str) -> None:
        width = min(max(_terminal_width(), 50), 100)
        super().__init__(prog, max_help_position=32 if width >= 80 else 20, width=width)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Return an option with its value once, as newer Pythons do: `-t, --threads N`."""
        names = ", ".join(action.option_strings)
        if not names or action.nargs == 0:
            return names or super()._format_action_invocation(action)
        return f"{names} {self._format_args(action, action.dest.upper())}"

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        """Return the value of an option; several as `HYP ...`, which takes one line more often."""
        if action.nargs == argparse.ONE_OR_MORE:
            return f"{action.metavar} ..."
        return super()._format_args(action, default_metavar)


def _terminal_width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal():
        return int(columns[:6])
    try:
        return os.get_terminal_size(1).columns or 100
    except OSError:
        return 100


# What argparse writes before the names of missing arguments.
MISSING = "the following arguments are required: "


# sacreBLEU's short flags of several letters, which argparse would read as a short flag and its
# value, each with what says the same: a flag that some commands have, or words.
SACREBLEU_FLAGS: dict[str, tuple[str, ...]] = {
    "-tok": ("--tokenize", "-m bleu:tokenize=NAME"),
    "-lc": ("--lowercase", "-m bleu:lowercase"),
    "-sv": ("--smooth-value", "-m bleu:smooth_value=N"),
    "-cc": ("-m chrf:char_order=N",),
    "-cw": ("-m chrf:word_order=N",),
    "-sl": ("--sentence-level",),
    "-ci": ("--confidence",),
    "-cin": ("--draws",),
    "-par": (
        "--test sacrebleu-randomization",
        "bleuet significance --test sacrebleu-randomization",
    ),
    "-parn": ("--draws",),
    "-pbs": ("--test sacrebleu-bootstrap", "bleuet significance --test sacrebleu-bootstrap"),
    "-pbsn": ("--draws",),
    "-sh": ("--short",),
    "-nr": (),
    "-nc": (),
    "-ol": (),
}


# What other programs call their flag of references.
REFERENCE_FLAGS = ("--references", "--reference", "--refs", "--ref")


class Suggestions(tuple[str, ...]):
    """Words that completion offers and that help shows, without rejecting others."""

    __slots__ = ()

    def __contains__(self, word: object) -> bool:
        return True


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line: what was expected, what came, how to fix it.

    Args:
        command: the command whose flags are read.
        every_flag: whether the help has the flags of groups that are explained elsewhere, too.
    """

    def __init__(self, command: Command, *, every_flag: bool = False) -> None:
        prog = f"bleuet {command.name}"
        usage = "\n       ".join(f"{prog} {line}" for line in command.usage)
        super().__init__(
            prog=prog,
            usage=usage.replace("%", "%%"),
            description=command.summary,
            epilog=command.examples,
            allow_abbrev=False,
            formatter_class=Formatter,
            exit_on_error=False,
        )
        self.command = command
        for title, flags in command.all_groups.items():
            elsewhere = (command.elsewhere or {}).get(title)
            group = self.add_argument_group(title, elsewhere)
            for flag in flags:
                if not flag.rare:
                    action = group.add_argument(*flag.names, **_settings(flag))
                    if elsewhere is not None and not every_flag:
                        action.help = argparse.SUPPRESS
        group = self.add_argument_group("rarely needed")
        for flag in command.flags:
            if flag.rare:
                group.add_argument(*flag.names, **_settings(flag))

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the value of each flag; errors as of `parse`."""
        for word in words:
            if word == "--":
                break
            self._reject_flag_of_sacrebleu(word.partition("=")[0])
        found = argparse.Namespace(**default_values(self.command))
        try:
            _, rest = self.parse_known_args(self._with_implied_values(words), found)
        except argparse.ArgumentError as error:
            self._reject_value(error, words)
        rest = [word for word in rest if word != "--"]
        if rest:
            self._reject_rest(rest, words, getattr(found, "metrics", None) or ())
        return vars(found)

    def _with_implied_values(self, words: Sequence[str]) -> list[str]:
        """Return the words, with the value of a flag that has one only if a number follows.

        So a file can follow such a flag: `--confidence ref.txt`.
        """
        optional = {
            name: flag
            for flag in self.command.flags
            if flag.many == "?" and flag.kind == "number"
            for name in flag.names
        }
        found: list[str] = []
        for word, following in zip(words, [*words[1:], ""], strict=False):
            flag = optional.get(word)
            alone = flag is not None and not _is_number(following)
            found.append(f"{word}={flag.implied}" if flag is not None and alone else word)
        return found

    def _reject_value(self, error: argparse.ArgumentError, words: Sequence[str]) -> NoReturn:
        name = (error.argument_name or "").rpartition("/")[2]
        if not name:
            # From Python 3.15 on, what is missing comes here too.
            self.error(error.message)
        action = self._option_string_actions.get(name)
        if action is not None and error.message.startswith("expected "):
            many = "at least one" if action.nargs == "+" else "one"
            raise OptionError(f"{name} needs a value; expected {many} {action.metavar} after it")
        if action is not None and action.nargs == 0:
            raise OptionError(f"{name} takes no value; write {name} alone")
        for word in words:
            # argparse reads -tc as -t with the value c.
            if action is not None and word[:2] in action.option_strings and word[2:].isalpha():
                raise OptionError(
                    f"there is no option {word}; {self.prog} --help lists the options"
                )
        raise OptionError(f"{name} {error.message}")

    def _reject_flag_of_sacrebleu(self, word: str) -> None:
        known = self._option_string_actions
        if word not in SACREBLEU_FLAGS or word in known:
            return
        for advice in SACREBLEU_FLAGS[word]:
            if not advice.startswith("--") or advice.partition(" ")[0] in known:
                raise OptionError(
                    f"{word} is a flag of sacreBLEU: write {advice}, or use bleuet sacrebleu"
                )
        raise OptionError(f"{word} is a flag of sacreBLEU: remove it, or use bleuet sacrebleu")

    def _reject_rest(
        self, rest: list[str], words: Sequence[str], metrics: Sequence[str]
    ) -> NoReturn:
        option = next((word for word in rest if word.startswith("-") and word != "-"), None)
        if option is None:
            raise OptionError(f"{rest[0]} is not expected here: {self.command.stray}")
        name, _, value = option.partition("=")
        following = [*words, ""][words.index(option) + 1]
        if not (value or following.startswith("-")):
            value = following
        named = with_option(metrics, name.lstrip("-").replace("-", "_"), value)
        if named:
            raise OptionError(f"there is no option {name}: write {named}")
        self._reject_known_habit(name)
        known = [flag for flag in self._option_string_actions if flag.startswith("--")]
        hint = nearest(name, known) if name.startswith("--") else ""
        raise self._no_option(f"{name}{hint}")

    def _reject_known_habit(self, name: str) -> None:
        """Reject options that other programs have, and say what is written here."""
        if name in REFERENCE_FLAGS and any(f.dest == REFERENCES.dest for f in self.command.flags):
            raise OptionError(
                f"there is no option {name}: references are written first, without a flag, as in "
                f"{self.prog} REF -i HYP"
            )
        formats = self._option_string_actions.get(FORMAT.name)
        if formats is not None and name.startswith("--") and name[2:] in FORMAT.choices:
            raise OptionError(f"there is no option {name}: write -f {name[2:]}")

    def _no_option(self, name: str) -> OptionError:
        return OptionError(f"there is no option {name}; {self.prog} --help lists the options")

    def print_help(self, file: Any = None) -> None:
        """Print the help; argparse's own method ignores a full disk."""
        with StandardOutput():
            print(self.format_help(), end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the whole usage."""
        missing = message.removeprefix(MISSING)
        if missing != message:
            message = f"{missing} is missing"
        raise OptionError(f"{message}; {self.prog} --help shows the usage")


def _settings(flag: Flag) -> dict[str, Any]:
    """Return what `add_argument` needs for a flag."""
    # A help text is a format string of argparse.
    default = "" if flag.default is None else str(flag.default)
    text = flag.help.replace("{default}", default).replace("%", "%%")
    settings: dict[str, Any] = {"help": text, "default": flag.default}
    if flag.names[0].startswith("-"):
        settings["dest"] = flag.dest
    if flag.kind == "switch":
        return {**settings, "action": "store_true"}
    if flag.kind == "yes or no":
        return {**settings, "action": argparse.BooleanOptionalAction}
    settings["metavar"] = flag.metavar or None
    if flag.many:
        settings["nargs"] = flag.many
    if flag.many in ("+", "*") and flag.names[0].startswith("-"):
        settings["action"] = "extend"
    if flag.many == "?":
        settings["const"] = flag.implied
    if flag.choices:
        return {**settings, "type": _one_of(flag.choices), "choices": flag.choices}
    if flag.suggestions:
        settings["choices"] = Suggestions(flag.suggestions)
    return {**settings, "type": READERS[flag.kind]}


def _one_of(names: Sequence[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text in names:
            return text
        raise argparse.ArgumentTypeError(
            f"must be one of {', '.join(names)}, not {text!r}{nearest(text, names)}"
        )

    return read


def _number(text: str) -> int | float:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    raise argparse.ArgumentTypeError(f"must be a number, not {shown(text)}")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {shown(text)}") from None


READERS: dict[str, Callable[[str], Any]] = {"text": str, "number": _number, "whole": _whole_number}
