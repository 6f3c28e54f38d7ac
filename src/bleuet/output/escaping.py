"""Texts that may hold anything, such as a file's name, written where some characters are markup."""

from __future__ import annotations


def well_formed(name: str) -> str:
    r"""Return a name that can be written as UTF-8: bytes that are not UTF-8 become escapes.

    >>> well_formed("caf\udce9.txt"), well_formed("\ud800")
    ('caf\\xe9.txt', '\\ud800')
    """
    try:
        encoded = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that stands for no byte
        encoded = name.encode("utf-8", "backslashreplace")
    return encoded.decode("utf-8", "backslashreplace")


def printable(text: str) -> str:
    r"""Return a text on one line, without characters that control a terminal.

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
        "\\" + mark if mark in "\\`*[]<|~&$" or (mark == "_" and _stands_free(text, i)) else mark
        for i, mark in enumerate(text)
    )


def _stands_free(text: str, i: int) -> bool:
    """Whether an underscore is not inside a word, and so could begin or end emphasis."""
    return not (text[i - 1 : i].isalnum() and text[i + 1 : i + 2].isalnum())


def markdown_paragraph(text: str) -> str:
    r"""Return a text as a paragraph, not a heading, a list, a rule or a quotation.

    >>> markdown_paragraph("# one"), markdown_paragraph("- one"), markdown_paragraph("1. one")
    ('\\# one', '\\- one', '1\\. one')
    """
    shown = in_markdown(text).lstrip()
    number = shown[: len(shown) - len(shown.lstrip("0123456789"))]
    rest = shown[len(number) :]
    if rest and rest[0] in (".)" if number else "#-+=>"):
        return f"{number}\\{rest}"
    return shown


def markdown_code(text: str) -> str:
    """Return a text as code, between more backticks than it holds itself.

    >>> markdown_code("nrefs:1"), markdown_code("a`b")
    ('`nrefs:1`', '`` a`b ``')
    """
    shown, fence = printable(text), "`"
    while fence in shown:
        fence += "`"
    return f"`{shown}`" if fence == "`" else f"{fence} {shown} {fence}"


_IN_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "%": r"\%", "&": r"\&",
        "#": r"\#", "$": r"\$", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
        # Bare, the first two would be read as an argument of the line's end before them.
        "[": "{[}", "*": "{*}", "]": "{]}",
        "±": r"$\pm$", "†": r"$\dagger$", "≤": r"$\leq$",
    }
)  # fmt: skip


def in_latex(name: str) -> str:
    r"""Return a name with LaTeX's special characters escaped.

    >>> in_latex("50%_[a]")
    '50\\%\\_{[}a{]}'
    """
    return printable(name).translate(_IN_LATEX)


def number_in_latex(number: str) -> str:
    r"""Return a number, or numbers among words, with a minus where a hyphen would be set.

    >>> number_in_latex("-1.94"), number_in_latex("-4.37 to +0.65"), number_in_latex("-")
    ('$-$1.94', '$-$4.37 to +0.65', '-')
    """
    return "".join(
        "$-$" if mark == "-" and number[i + 1 : i + 2].isdecimal() else mark
        for i, mark in enumerate(number)
    )
