from __future__ import annotations

import sys
import warnings

import pytest

import understudy.statistics
from understudy.statistics import counting
from understudy.statistics.twin import program as twin


@pytest.fixture(autouse=True)
def _not_yet_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_chosen", None)
    monkeypatch.delenv("UNDERSTUDY_KERNEL", raising=False)


@pytest.mark.usefixtures("needs_kernel")
def test_the_kernel_counts_where_it_was_built() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert counting.program().__name__ == "understudy.statistics._kernel"
    assert counting.is_native()


def test_a_variable_chooses_the_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNDERSTUDY_KERNEL", "twin")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # whoever asks for the twin need not be warned of it
        assert counting.program() is twin
    assert not counting.is_native()


def test_without_the_kernel_the_twin_counts_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "understudy.statistics._kernel"
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delattr(understudy.statistics, "_kernel", raising=False)
    with pytest.warns(RuntimeWarning, match=r"without its native kernel.*pip install") as caught:
        assert counting.program() is twin
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert counting.program() is twin
    assert not counting.is_native()


@pytest.mark.usefixtures("needs_kernel")
def test_the_twin_has_the_kernels_counters() -> None:
    from understudy.statistics import _kernel

    counters = {name for name in dir(_kernel) if name.endswith("Counter")}
    assert counters >= {"BleuCounter", "ChrfCounter", "TerCounter"}
    others = {"sum_integers", "sum_reals", "select_integers", "select_reals", "tokenize"}
    for name in counters | others:
        assert hasattr(twin, name), name
