"""Tokens and their places are those of transformers 4, whichever files a folder has."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from tests.metrics.neural import texts
from tests.metrics.neural.conftest import golden

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.neural

GOLDENS = golden("tokenizers", "tokenizers")


def layouts() -> Any:
    return import_module("tests.metrics.neural.layouts")


def test_goldens_are_of_these_texts_and_tokenizers() -> None:
    stored: Any = golden("tokenizers", "odd")
    assert stored == texts.odd_digest()
    assert set(GOLDENS) == set(layouts().READ)


@pytest.mark.parametrize("name", GOLDENS)
def test_tokens_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    from bleuet.metrics.neural.tokenizer_files import read_tokenizer

    layouts().write_tokenizer(tmp_path / "model", name)
    backend = read_tokenizer(tmp_path / "model").backend
    theirs = GOLDENS[name]
    encodings = [backend.encode(text, add_special_tokens=False) for text in texts.odd()]
    digests = [
        texts.tokens_digest(one.ids, one.offsets if theirs["places"] else None) for one in encodings
    ]
    pairs = zip(texts.odd(), digests, theirs["texts"].split(), strict=True)
    assert [text for text, ours, other in pairs if ours != other] == []
    assert backend.encode("a").ids == theirs["one"]
    assert backend.encode("a", "b").ids == theirs["two"]
    # Not all is unknown.
    assert len({token for one in encodings for token in one.ids}) > 60
