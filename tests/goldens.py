"""Goldens: committed files with what was printed or answered, which tests compare exactly.

Only the last bits of numbers in formats for programs may differ, since other machines may add in
another order. The versions in signatures are left out.
"""

from __future__ import annotations

import difflib
import math
import re
from typing import TYPE_CHECKING

import pytest

from bleuet.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

REWRITE = "python -m tests.cli.answers"
# Floats of these formats have all digits.
FOR_PROGRAMS = {"csv", "json", "jsonl"}
TOLERANCE = 1e-12
FLOAT = re.compile(r"(?<![\w.])-?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)(?![\w.])")
VERSION = re.compile(rf"bleuet-{re.escape(__version__)}(=sacrebleu-[0-9.]+)?")
# A longer difference is cut.
MOST_LINES = 24


def without_version(text: str) -> str:
    """Return a text without the versions of bleuet and of the sacreBLEU that it equals."""
    text = VERSION.sub(lambda found: "VERSION=" if found[1] else "VERSION", text)
    return text.replace(f'"version":"{__version__}"', '"version":"VERSION"')


def check(golden: Path, found: str) -> None:
    """Compare a text with its golden; a failure shows the lines that differ."""
    found = without_version(found)
    expected = golden.read_bytes().decode() if golden.is_file() else ""
    if golden.suffix[1:] in FOR_PROGRAMS:
        found = settled(found, expected)
    if found != expected:
        pytest.fail(difference(golden, expected, found), pytrace=False)


def settled(found: str, expected: str) -> str:
    """Return a text with the floats of another where they are nearly the same."""
    others = FLOAT.findall(expected)
    if len(others) != len(FLOAT.findall(found)):
        return found
    numbers = iter(others)

    def settle(match: re.Match[str]) -> str:
        number = next(numbers)
        same = math.isclose(float(match[0]), float(number), rel_tol=TOLERANCE)
        return number if same else match[0]

    return FLOAT.sub(settle, found)


def difference(golden: Path, expected: str, found: str) -> str:
    """Return what differs, in few lines."""
    lines = list(
        difflib.unified_diff(
            expected.split("\n"), found.split("\n"), golden.name, "found", lineterm="", n=1
        )
    )
    more = [f"... and {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []
    shown = [line if len(line) <= 300 else f"{line[:300]}..." for line in lines[:MOST_LINES]]
    hint = f"{golden.name} differs; if that is meant, `{REWRITE}` writes it again:"
    return "\n".join([hint, *shown, *more])


def write(golden: Path, text: str) -> None:
    """Write a golden."""
    golden.parent.mkdir(exist_ok=True)
    golden.write_bytes(without_version(text).encode())
