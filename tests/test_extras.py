"""Optional libraries that are missing, or that fail when they are imported."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from bleuet import MissingExtraError
from bleuet.extras import optional

if TYPE_CHECKING:
    from pathlib import Path


def test_a_missing_library_has_one_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match="pip install") as caught:
        optional("polars")
    assert caught.value.__suppress_context__
    assert caught.value.__cause__ is None


def test_a_library_that_lacks_another_shows_which(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "mecab_ko.py").write_text("import no_such_library_at_all\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mecab_ko", raising=False)
    with pytest.raises(MissingExtraError) as caught:
        optional("mecab_ko")
    assert "no_such_library_at_all" in str(caught.value.__cause__)
