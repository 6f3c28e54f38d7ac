"""Sentences of the guides that tests of this folder quote in docstrings are still in the guides.

A quotation is a paragraph of a docstring that begins with `> `. Who changes such a sentence changes
the quotation, and sees the test that the sentence needs.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.evaluation_data import REPOSITORY

QUOTATION = re.compile(r"(?m)^ *> (.+(?:\n.*\S.*)*)")
FOLDERS = ("oracles", "compat", "torch", "significance")


def one_line(text: str) -> str:
    return " ".join(text.split())


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
        for page in sorted((REPOSITORY / "docs").glob("*.md"))
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_guides_say_so(folder: str) -> None:
    pages = guides()
    assert [quoted for quoted in quotations(folder) if quoted not in pages] == []


def test_quotations_are_found() -> None:
    assert len(quotations("oracles")) > 30
