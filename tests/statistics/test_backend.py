from __future__ import annotations

import sys
import warnings

import pytest

import bleuet.statistics
from bleuet.statistics import backend as choice
from bleuet.statistics.python_backend import counters as python_backend


@pytest.fixture(autouse=True)
def _not_yet_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "_chosen", None)
    monkeypatch.delenv("BLEUET_BACKEND", raising=False)


@pytest.mark.usefixtures("needs_kernel")
def test_the_kernel_counts_where_it_was_built() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert choice.backend().__name__ == "bleuet.statistics._kernel"
    assert choice.is_native()


def test_a_variable_chooses_the_python_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEUET_BACKEND", "python")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # who asks for it needs no warning
        assert choice.backend() is python_backend
    assert not choice.is_native()


def test_without_the_kernel_the_python_backend_counts_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "bleuet.statistics._kernel"
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delattr(bleuet.statistics, "_kernel", raising=False)
    with pytest.warns(RuntimeWarning, match=r"without its native kernel.*pip install") as caught:
        assert choice.backend() is python_backend
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert choice.backend() is python_backend
    assert not choice.is_native()


@pytest.mark.usefixtures("needs_kernel")
def test_the_python_backend_has_the_kernels_counters() -> None:
    from bleuet.statistics import _kernel

    counters = {name for name in dir(_kernel) if name.endswith("Counter")}
    assert counters >= {"BleuCounter", "ChrfCounter", "TerCounter"}
    others = {"sum_integers", "sum_reals", "select_integers", "select_reals", "tokenize"}
    for name in counters | others:
        assert hasattr(python_backend, name), name
