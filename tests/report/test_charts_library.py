"""The library of charts is put together once, and kept where nobody else can write."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bleuet.report.page import charts_library as library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(library, "version", lambda _: "9.9")
    monkeypatch.setattr(library, "_bundled", lambda: "made()")
    forget()
    yield tmp_path / "bleuet" / "charts-9.9.js"
    forget()


def forget() -> None:
    for function in (library.charts_library, library._kept):
        function.cache_clear()


def test_what_is_kept_is_not_made_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = library.charts_library()
    assert "made()" in first
    assert cache.is_file()
    assert [path.name for path in cache.parent.iterdir()] == [cache.name]
    monkeypatch.setattr(library, "_bundled", lambda: pytest.fail("made again"))
    monkeypatch.setattr(library, "_bundling", lambda: pytest.fail("started again"))
    forget()
    library.begin_bundle()
    assert library.charts_library() == first


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _other(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"made", b"evil"))


def _writable(path: Path) -> None:
    path.write_bytes(path.read_bytes())
    path.chmod(0o666)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no modes here")
@pytest.mark.parametrize("change", [_cut, _other, _writable])
def test_what_is_not_whole_or_not_ours_is_made_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    library.charts_library()
    change(cache)
    monkeypatch.setattr(library, "_bundled", lambda: "made anew()")
    forget()
    assert "made anew()" in library.charts_library()


def test_a_cache_that_cannot_be_written_changes_nothing(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bleuet").write_text("a file")
    assert "made()" in library.charts_library()
    assert not cache.is_file()
