"""Documents, messages, docstrings and comments use the plain words of the field."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import pytest

from bleuet.cli.main import COMMANDS, main
from tests.documents import DOCS, FOR_CONTRIBUTORS
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    not (REPOSITORY / "docs").is_dir(), reason="the documentation is not here"
)


class Word(NamedTuple):
    """A word that is not used, what is used for it, and texts that have it."""

    pattern: str
    use: str
    examples: tuple[str, ...]


# A space in a pattern is any white space, and the mark of a comment that goes on.
WORDS = [
    Word(r"\bsooner\b", "faster", ("a hundred times sooner",)),
    Word(r"\bmend(s|ed|ing)?\b", "fix", ("says how to mend it", "what mends it")),
    Word(
        r"\bh(eld|old|olds|olding) (\w+ ){0,3}against\b",
        "compare with",
        ("held against the references", "hold a system against them"),
    ),
    Word(
        r"\b(tell|tells|told|untold|telling)\b",
        "report, print, warn, distinguish",
        ("the error tells the line", "is told"),
    ),
    Word(r"\b(speak|speaks|spoken|speaking) of\b", "describe, mention", ("speaks of itself",)),
    Word(r"\bsa(y|ys|id) (so|of|to)\b", "report, describe", ("says of itself", "and says so")),
    Word(r"\bscores? lies?\b", "confidence interval", ("where 95% of scores lie",)),
    Word(r"\brandomness (begins|starts)\b", "random seed", ("what randomness begins from",)),
    Word(r"\bwhom\b", "which; baseline system", ("whom others are compared with",)),
    Word(r"\brefus(e|es|ed|ing|al|als)\b", "reject, validate", ("refuse a value", "is refused")),
    Word(
        r"\b(is|are|be|was|were) no (\w+ )?(\w*number|string|text|list|dict|mapping|metric|"
        r"integer|float|bool|table|file|folder|sequence|name|option|object|array|column|kind)s?\b",
        "is not a",
        ("is no whole number", "are no strings"),
    ),
    Word(r"\bbroken\b", "fractional", ("a broken number",)),
    Word(
        r"\b(none|twice) (or|nor) (double|twice|none)\b"
        r"|\bdouble (line|name|segment|key|entry|entries|text)s?\b",
        "empty, duplicate",
        ("none or double", "double lines"),
    ),
    Word(r"\bpeople(s|'s)?\b", "human scores, annotators, readers", ("what people say",)),
    Word(r"\basked\b|\basks\b", "option, argument; requested", ("what was asked", "asked for")),
    Word(
        r"\b(is|are|was|were|be|been) given\b|\bgiven scores\b|\bgives? out\b|\bgiven out\b",
        "passed, set; option, argument",
        ("what was given", "given scores"),
    ),
    Word(r"\bglances?\b", "quick checks", ("the glance at the files",)),
    Word(
        r"\b(from|scores) elsewhere\b|\bknown scores\b",
        "external scores",
        ("scores from elsewhere",),
    ),
    Word(r"\btwins?\b", "Python backend", ("the kernel's twin",)),
    Word(r"\bprograms? that counts?\b", "backend", ("the program that counts",)),
    Word(r"\bline-?ups?\b", "selected systems", ("the lineup",)),
    Word(r"\bbands?\b", "buckets", ("a band of lengths",)),
    Word(
        r"\b(some|any)body\b|\bnobody's\b|\bone's own\b|\bof one's\b",
        "user, another, your own",
        ("somebody else's", "a metric of one's own"),
    ),
    Word(r"\bin silence\b", "silently", ("passed in silence",)),
    Word(
        r"\bhad better\b|\bmay not be had\b|\bto be had\b", "available", ("where it is to be had",)
    ),
]
# Phrases with such a word that are plain all the same, with the reason.
PLAIN = {
    r"there (is|are|was|were) no": "it says that something does not exist",
    r"broken pipe": "the operating system's name of the error",
    r"as two people would write them": "persons, not scores",
    r"Significance does not tell whether": "sacreBLEU's text, printed as it is",
}


class Text(NamedTuple):
    """A piece of a file's prose."""

    place: str  # what is rewritten at once: a folder of the package, or a document
    file: str
    line: int
    text: str


def documents() -> Iterator[Text]:
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "examples/README.md",
        "pyproject.toml",
        "Makefile",
        "CMakeLists.txt",
    ):
        yield document(REPOSITORY / name)
    for file in (*sorted(DOCS.rglob("*.md")), *FOR_CONTRIBUTORS):
        yield document(file)


def document(file: Path, place: str = "") -> Text:
    name = file.relative_to(REPOSITORY).as_posix()
    return Text(place or name, name, 1, file.read_text(encoding="utf-8"))


def python_texts(file: Path, root: Path = REPOSITORY) -> Iterator[Text]:
    """Yield the strings, docstrings included, and the comments of a Python file."""
    name = file.relative_to(root).as_posix()
    place = name.rpartition("/")[0]
    source = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Text(place, name, node.lineno, node.value)
    comments = [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]
    yield from (Text(place, name, line, text) for line, text in joined(comments))


def joined(comments: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Join comments on lines that follow each other."""
    block: list[tuple[int, str]] = []
    for line, text in comments:
        if block and line != block[-1][0] + 1:
            yield block[0][0], "\n".join(text for _, text in block)
            block = []
        block.append((line, text))
    if block:
        yield block[0][0], "\n".join(text for _, text in block)


CPP_PROSE = re.compile(r"//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)


def kernel_texts(file: Path, root: Path = REPOSITORY) -> Iterator[Text]:
    """Yield the comments and strings of a C++ file."""
    name = file.relative_to(root).as_posix()
    source = file.read_text(encoding="utf-8")
    for match in CPP_PROSE.finditer(source):
        yield Text("kernel", name, source.count("\n", 0, match.start()) + 1, match[0])


def all_texts() -> Iterator[Text]:
    yield from documents()
    for folder in ("src", "kernel", "benchmarks", "examples"):
        for file in sorted((REPOSITORY / folder).rglob("*.py")):
            yield from python_texts(file)
    for file in sorted((REPOSITORY / "src").rglob("*")):
        if file.suffix in (".js", ".html", ".css"):
            yield document(file, file.parent.relative_to(REPOSITORY).as_posix())
    for file in sorted((REPOSITORY / "kernel").rglob("*")):
        if file.suffix in (".cpp", ".hpp"):
            yield from kernel_texts(file)
        elif file.suffix == ".txt":
            yield document(file, "kernel")


def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s+(?:(?:\#|//|\*)\s*)?"), re.IGNORECASE)


PATTERNS = [(compiled(word.pattern), word.use) for word in WORDS]
ANY = compiled("|".join(f"(?:{word.pattern})" for word in WORDS))
PLAIN_PATTERNS = [compiled(phrase) for phrase in PLAIN]


def found_in(text: Text) -> list[str]:
    """Return what is to be changed in a text, one line for each word."""
    if not ANY.search(text.text):
        return []
    plain = [match.span() for one in PLAIN_PATTERNS for match in one.finditer(text.text)]
    found = []
    for pattern, use in PATTERNS:
        for match in pattern.finditer(text.text):
            if any(start <= match.start() < end for start, end in plain):
                continue
            line = text.line + text.text.count("\n", 0, match.start())
            word = " ".join(match[0].split())
            found.append(f"{text.file}:{line}: {word!r}; use: {use}")
    return found


@pytest.mark.slow
def test_words_are_plain() -> None:
    assert [line for text in all_texts() for line in found_in(text)] == []


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_plain_words(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        main([*command.split(), "--help"])
    found = found_in(Text("help", f"bleuet {command} --help", 1, capsys.readouterr().out))
    assert found == []


def test_a_planted_word_is_found() -> None:
    for word in WORDS:
        for example in word.examples:
            found = found_in(Text("", "", 1, example))
            assert any(line.endswith(f"use: {word.use}") for line in found), example


def test_words_are_found_across_lines() -> None:
    text = "It was\nheld\nagainst it."
    assert found_in(Text("", "a.md", 1, text)) == ["a.md:2: 'held against'; use: compare with"]
    comment = "# One thing.\n# A file held\n# against another."
    assert found_in(Text("", "a.py", 5, comment)) == ["a.py:6: 'held # against'; use: compare with"]


def test_other_words_are_not_found() -> None:
    for plain in (
        "The tellers withhold it.",
        "Broken pipe",
        "there is no such metric",
        "a given file",
    ):
        assert found_in(Text("", "", 1, plain)) == []


def test_every_kind_of_text_is_read(tmp_path: Path) -> None:
    python = tmp_path / "a.py"
    python.write_text('"""One."""\nA = f"{1} two"  # three\n# four\n\n# five\n', encoding="utf-8")
    found = [(text.line, text.text) for text in python_texts(python, tmp_path)]
    assert found == [(1, "One."), (2, " two"), (2, "# three\n# four"), (5, "# five")]
    cpp = tmp_path / "a.cpp"
    cpp.write_text('// a\n// b\nint c; /* d */ f("e");\n', encoding="utf-8")
    found = [(text.line, text.text) for text in kernel_texts(cpp, tmp_path)]
    assert found == [(1, "// a\n// b"), (3, "/* d */"), (3, '"e"')]
