"""Addresses of files, whose filesystem is Arrow's; here that of this computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bleuet.errors import InputError
from bleuet.text.addresses import names_in, size_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.libraries


def test_a_folder_that_is_not_there_has_no_files(tmp_path: Path) -> None:
    """In stores of objects no folder is made before its first file."""
    (tmp_path / "a.txt").write_bytes(b"it rains\n")
    assert names_in(f"file://{tmp_path}") == ["a.txt"]
    assert names_in(f"file://{tmp_path}/missing") == []
    assert size_of(f"file://{tmp_path}/a.txt") == 9
    with pytest.raises(InputError, match=r"a\.txt cannot be listed"):
        names_in(f"file://{tmp_path}/a.txt")
    with pytest.raises(InputError, match=r"b\.txt cannot be opened"):
        size_of(f"file://{tmp_path}/b.txt")
