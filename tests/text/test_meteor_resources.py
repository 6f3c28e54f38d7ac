"""Tables of paraphrases are read in parts, and not beyond a limit."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from bleuet.errors import InputError
from bleuet.text import meteor_resources
from bleuet.text.meteor_resources import MeteorResources

if TYPE_CHECKING:
    from pathlib import Path

TABLE = b"0.5\na ferry\na boat\n" * 9


@pytest.fixture
def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MeteorResources:
    """METEOR's files for English, with a table that is read in many parts."""
    monkeypatch.setattr(meteor_resources, "BLOCK_BYTES", 10)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/paraphrase-en.gz").write_bytes(gzip.compress(TABLE))
    return MeteorResources(str(tmp_path), "en")


@pytest.mark.parametrize("spare", [-1, 0, 1])
def test_a_table_as_large_as_the_limit_is_read(
    spare: int, resources: MeteorResources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meteor_resources, "MOST_TABLE_BYTES", len(TABLE) + spare)
    if spare >= 0:
        assert b"".join(resources.paraphrases()) == TABLE
        return
    with pytest.raises(InputError, match=r"paraphrase-en\.gz has more than 8 GiB$"):
        list(resources.paraphrases())


def test_a_damaged_table_is_an_error(resources: MeteorResources) -> None:
    stored = resources.paraphrase_file.read_bytes()
    resources.paraphrase_file.write_bytes(stored[:-9])
    with pytest.raises(InputError, match=r"paraphrase-en\.gz cannot be read: "):
        list(resources.paraphrases())


def test_a_signature_knows_every_file(resources: MeteorResources) -> None:
    """Each file changes it, that of the paraphrases too."""
    known = {resources.fingerprint()}
    words = resources.folder / "function/english.words"
    words.parent.mkdir()
    for file, content in ((words, b"the"), (words, b"a"), (resources.paraphrase_file, b"")):
        file.write_bytes(content)
        known.add(resources.fingerprint())
    assert len(known) == 4
