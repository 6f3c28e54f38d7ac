"""Sentences of the documents are short enough to be understood at the first reading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.documents import BLOCK, DOCS

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation is not here")
# Most words between two stops, also of the 95th percentile of a page with enough sentences.
LONGEST, OFTEN, ENOUGH = 45, 31, 20
# Rooms for newcomers.
LONGEST_HERE, PLAIN_ROOMS = 36, ("how-to", "explained", "compared", "numbers")
NOT_PROSE = (
    r"(?s)<!--.*?-->",
    r"(?m)^(\||#|<|>).*$",
    r"(?s)!\[[^\]]*\]\([^)]*\)",
)
STOP = re.compile(r"(?<=[.!?;:])\s+|(?<=[.!?;:]\*\*)\s+")


def clauses(text: str) -> Iterator[list[str]]:
    """Yield the words of each part of a page's prose between two stops."""
    text = BLOCK.sub("\n\n", text)
    for pattern in NOT_PROSE:
        text = re.sub(pattern, "\n\n", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "code", text)
    for paragraph in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", text):
        for clause in STOP.split(" ".join(paragraph.split())):
            if clause:
                yield clause.split()


PAGES = sorted(file.relative_to(DOCS).as_posix() for file in DOCS.rglob("*.md"))


@pytest.mark.parametrize("page", PAGES)
def test_sentences_are_short(page: str) -> None:
    found = [*clauses((DOCS / page).read_text(encoding="utf-8"))]
    longest = LONGEST_HERE if page.startswith(PLAIN_ROOMS) else LONGEST
    assert [" ".join(words) for words in found if len(words) > longest] == []
    lengths = sorted(map(len, found))
    if len(lengths) >= ENOUGH:
        assert lengths[int(0.95 * len(lengths))] <= OFTEN


def test_a_long_sentence_is_found() -> None:
    text = "# A heading\n\nShort. " + "word " * 50 + "end.\n\n- one; two\n\n```\nno prose\n```\n"
    assert [len(words) for words in clauses(text)] == [1, 51, 2, 1]
