"""Sentences of the guides that tests of this folder quote in docstrings are still in the guides.

A quotation is a paragraph of a docstring that begins with `> `. Who changes such a sentence changes
the quotation, and sees the test that the sentence needs.

Every statement of docs/metrics.md and docs/metrics/ about another program is quoted by a test with
that program, or stands in `untested_statements.toml` with a reason.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.evaluation_data import REPOSITORY
from tests.metrics.guide import guide
from tests.oracles.statements import one_line, statements

QUOTATION = re.compile(r"(?m)^ *> (.+(?:\n.*\S.*)*)")
FOLDERS = ("oracles", "compat", "torch", "significance")
UNTESTED = REPOSITORY / "tests" / "oracles" / "untested_statements.toml"
# A quotation of a part of a statement has so many characters at least.
SHORTEST = 40


@cache
def quotations(folder: str) -> list[str]:
    found: list[str] = []
    for path in sorted((REPOSITORY / "tests" / folder).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found += map(one_line, QUOTATION.findall(ast.get_docstring(node) or ""))
    return found


def guides() -> str:
    return "\n".join(
        one_line(Path(page).read_text(encoding="utf-8"))
        for page in sorted((REPOSITORY / "docs").rglob("*.md"))
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_guides_say_so(folder: str) -> None:
    pages = guides()
    assert [quoted for quoted in quotations(folder) if quoted not in pages] == []


def test_quotations_are_found() -> None:
    assert len(quotations("oracles")) > 30


# --- Every statement of the guide of metrics about another program --------------------------------


def is_quoted(statement: str, quoted: str) -> bool:
    """Whether one contains the other, and not only a few words of it."""
    shorter, longer = sorted((statement, quoted), key=len)
    return len(shorter) >= min(SHORTEST, len(statement)) and shorter in longer


def untested() -> list[str]:
    """The statements of the guide that no test quotes."""
    every = [quoted for folder in FOLDERS for quoted in quotations(folder)]
    found = statements(guide())
    return [one for one in found if not any(is_quoted(one, quoted) for quoted in every)]


def listed() -> list[str]:
    """The beginnings of statements that have a reason instead."""
    reasons = tomllib.loads(UNTESTED.read_text(encoding="utf-8"))["reasons"]
    assert all(one["reason"] and one["statements"] for one in reasons)
    return [start for one in reasons for start in one["statements"]]


def test_every_statement_has_a_test_or_a_reason() -> None:
    """A new statement about a program needs a test that quotes it, or a line in the list."""
    starts = tuple(listed())
    assert [one for one in untested() if not one.startswith(starts)] == []


def test_every_reason_is_needed() -> None:
    """A statement that is gone, changed or quoted now needs none."""
    found = Counter(start for one in untested() for start in listed() if one.startswith(start))
    assert [start for start in listed() if found[start] != 1] == []


def test_statements_are_found() -> None:
    page = """# NLTK

*NLTK's authors (2002), "NLTK".*

It is like BLEU. jiwer has 2, e.g. here. **NLTK has 3.** It has Python.
sacreBLEU has 4,
and `x` too:

- The program
  has 5.
- Nothing.

| program | here |
|---|---|
| it has | 6 |

| what | is it |
|---|---|
| a | number |
| jiwer | 7 |

```python
>>> NLTK
```
"""
    assert statements(page) == [
        "jiwer has 2, e.g. here.",
        "**NLTK has 3.**",
        "sacreBLEU has 4, and `x` too:",
        "The program has 5.",
        "| it has | 6 |",
        "| jiwer | 7 |",
    ]
    assert len(statements(guide())) > 200


def test_a_few_words_are_no_quotation() -> None:
    sentence = "NLTK has a number that nobody else has, and nobody knows why."
    assert is_quoted(sentence, f"{sentence} And so on.")
    assert is_quoted(sentence, "NLTK has a number that nobody else has, and")
    assert not is_quoted(sentence, "NLTK has a number")
    assert not is_quoted(sentence, sentence.replace("why", "who"))
    assert not is_quoted(sentence, "NLTK has another number that nobody else has, and nobody.")
    assert is_quoted("It has 5.", "It has 5.")
