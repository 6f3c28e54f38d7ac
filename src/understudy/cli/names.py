"""What a system is called in output: its file's name, which may hold anything."""

from __future__ import annotations

from understudy.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from understudy.text.source import Source


def names_of(systems: Sequence[Source], what: str = "a system") -> list[str]:
    """Return short names where they tell the systems apart, else whole paths.

    Args:
        systems: the systems, or other files that are named.
        what: what each is, for the error.

    Raises:
        OptionError: a system was given twice.

    >>> from understudy.text.source import Source
    >>> names_of([Source("runs/a.txt"), Source("runs/b.txt")])
    ['a.txt', 'b.txt']
    >>> names_of([Source("1/out.txt"), Source("2/out.txt")])
    ['1/out.txt', '2/out.txt']
    """
    short = [well_formed(source.name) for source in systems]
    if len(set(short)) == len(short):
        return short
    whole = [well_formed(str(source)) for source in systems]
    twice = next((name for name in whole if whole.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"{twice} was given twice as {what}: name each file once")
    return whole


def well_formed(name: str) -> str:
    r"""Return a name that can be written as UTF-8: bytes that are none become escapes.

    >>> well_formed("caf\udce9.txt")
    'caf\\xe9.txt'
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def printable(text: str) -> str:
    r"""Return a text on one line, without anything that steers a terminal.

    >>> printable("a\nb\x1b[31m")
    'a\\nb\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        mark if mark.isprintable() else mark.encode("unicode_escape").decode()
        for mark in well_formed(text)
    )


def in_markdown(name: str) -> str:
    r"""Return a name with what Markdown would take for markup escaped.

    >>> in_markdown("my_run*|[1].txt"), in_markdown("_a_")
    ('my_run\\*\\|\\[1\\].txt', '\\_a\\_')
    """
    text = printable(name)
    return "".join(
        "\\" + mark if mark in "\\`*[]<>|~&$" or (mark == "_" and _stands_free(text, i)) else mark
        for i, mark in enumerate(text)
    )


def _stands_free(text: str, i: int) -> bool:
    """Whether an underscore is not inside a word, and so could begin or end emphasis."""
    return not (text[i - 1 : i].isalnum() and text[i + 1 : i + 2].isalnum())


_IN_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "%": r"\%", "&": r"\&",
        "#": r"\#", "$": r"\$", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
        # Bare, the first two would be read as an argument of the line's end before them.
        "[": "{[}", "*": "{*}", "]": "{]}",
    }
)  # fmt: skip


def in_latex(name: str) -> str:
    r"""Return a name with LaTeX's special characters escaped.

    >>> in_latex("50%_[a]")
    '50\\%\\_{[}a{]}'
    """
    return printable(name).translate(_IN_LATEX)
