"""Code without its comments, as codebleu 0.7.0 removes them before it reads the syntax."""

from __future__ import annotations

import re
from io import StringIO

# Where a comment or a text in quotes can begin.
_START = re.compile(r"//|/\*|['\"]")
# A text in quotes up to the quote that ends it; "possessive", so that no step is taken back.
_QUOTED = {quote: re.compile(rf"(?:\\.|[^\\{quote}])*+{quote}", re.DOTALL) for quote in "'\""}


def without_comments(code: str, language: str) -> str:
    r"""Return code without comments and without lines that are empty.

    Python code has no docstrings then, either. Ruby code stays as it is. In other languages only
    comments with slashes are found, and each becomes a space.

    Args:
        code: the code.
        language: one of `LANGUAGES`.

    >>> without_comments("int a; // one\n\nint b = '/';", "c")
    "int a;  \nint b = '/';"
    """
    if language == "ruby":
        return code
    found = _without_python_comments(code) if language == "python" else _without_slashes(code)
    if found is None:
        return code
    return "\n".join([line for line in found.split("\n") if line.strip()])


def _without_slashes(code: str) -> str:
    """Return code in which each comment is a space.

    What begins a comment or a text in quotes and has no end is none. After one such, no other of
    its kind has an end, since the first would have it, too: so the time is linear.
    """
    parts: list[str] = []
    endless: set[str] = set()
    place = kept = 0
    while found := _START.search(code, place):
        start, mark = found.span()[0], found.group()
        end = -1
        if mark == "//":
            end = code.find("\n", start)
            end = len(code) if end < 0 else end
        elif mark not in endless:
            if mark == "/*":
                end = code.find("*/", start + 2)
                end = end + 2 if end >= 0 else end
            else:
                quoted = _QUOTED[mark].match(code, start + 1)
                end = quoted.end() if quoted else -1
            if end < 0:
                endless.add(mark)
        place = end if end >= 0 else start + 1
        if end >= 0 and mark[0] == "/":
            parts += code[kept:start], " "
            kept = end
    return "".join([*parts, code[kept:]])


def _without_python_comments(code: str) -> str | None:
    """Return Python code without comments and docstrings, or None if it has no tokens.

    A docstring is a text that begins a line or a block. Lines that a backslash joins are one line
    then. Which code has no tokens depends on the version of Python.
    """
    import tokenize

    parts: list[str] = []
    before = tokenize.INDENT
    line, column = -1, 0
    try:
        for kind, text, start, end, _ in tokenize.generate_tokens(StringIO(code).readline):
            if start[0] > line:
                column = 0
            parts.append(" " * (start[1] - column))
            docstring = kind == tokenize.STRING and (
                before in (tokenize.INDENT, tokenize.NEWLINE) or start[1] == 0
            )
            if kind != tokenize.COMMENT and not docstring:
                parts.append(text)
            before = kind
            line, column = end
    except (tokenize.TokenError, SyntaxError):
        return None
    return "".join(parts)
