"""The command `understudy`: imports only the subcommand asked for, tells errors in one line."""

from __future__ import annotations

import sys
from importlib import import_module

from understudy.errors import OptionError, UnderstudyError
from understudy.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# name: (module with main(arguments) -> exit code, summary)
COMMANDS = {
    "score": ("understudy.cli.score", "score systems against references"),
    "metrics": ("understudy.cli.listings", "list the metrics and their options"),
    "tokenizers": ("understudy.cli.listings", "list the tokenizers of BLEU"),
    "sacrebleu": (
        "understudy.compat.sacrebleu_cli",
        "take sacreBLEU's flags and print what it does",
    ),
    "completion": ("understudy.cli.completion", "print a completion script for a shell"),
}

SUCCESS, INPUT_ERROR, USAGE_ERROR, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: what follows the program's name; default that of this process.

    Returns:
        The exit code: 0, 1 for input that cannot be scored, 2 for wrong usage, 130 for Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except OptionError as error:
        return _tell(error, USAGE_ERROR)
    except UnderstudyError as error:
        return _tell(error, INPUT_ERROR)
    except KeyboardInterrupt:
        return _tell("interrupted; nothing was written", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has left, as `head` does; Python would complain at exit.
        sys.stdout = None
        return SUCCESS


def _run(given: list[str]) -> int:
    if not given or given[0] in ("-h", "--help", "help"):
        sys.stdout.write(usage())
        return SUCCESS if given else USAGE_ERROR
    if given[0] in ("-V", "--version"):
        sys.stdout.write(f"understudy {__version__}\n")
        return SUCCESS
    if given[0] not in COMMANDS:
        raise OptionError(_unknown(given[0]))
    module = import_module(COMMANDS[given[0]][0])
    code: int = (
        module.main(given[0], given[1:])
        if module.__package__ == __package__
        else (module.main(given[1:]))
    )
    sys.stdout.flush()
    return code


def _unknown(name: str) -> str:
    if name.startswith("-"):
        return f"the command comes first, then its options: understudy score {name} ..."
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"there is no command {name}{hint}; the commands are {', '.join(COMMANDS)}"


def usage() -> str:
    """Return the help of the whole command."""
    lines = "".join(f"  {name:<12} {summary}\n" for name, (_, summary) in COMMANDS.items())
    return (
        "usage: understudy COMMAND ...\n\n"
        "Judge machine translation and any generated text against references.\n\n"
        f"commands:\n{lines}\n"
        "understudy COMMAND --help tells more. For example, BLEU, chrF and TER of two systems:\n\n"
        "  understudy score reference.txt -i system-a.txt system-b.txt -m bleu chrf ter\n"
    )


def _tell(problem: object, code: int) -> int:
    message = " ".join(str(problem).split())
    sys.stderr.write(f"understudy: error: {message}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
