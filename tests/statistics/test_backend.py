from __future__ import annotations

import sys
import warnings
from typing import Any

import pytest

import bleuet.statistics
from bleuet.errors import OptionError
from bleuet.statistics import backend as choice
from bleuet.statistics.definitions import plain_python


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
        assert choice.backend() is plain_python
    assert not choice.is_native()


def test_without_the_kernel_the_python_backend_counts_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "bleuet.statistics._kernel"
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delattr(bleuet.statistics, "_kernel", raising=False)
    with pytest.warns(RuntimeWarning, match=r"without its native kernel.*pip install") as caught:
        assert choice.backend() is plain_python
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert choice.backend() is plain_python
    assert not choice.is_native()


@pytest.mark.usefixtures("needs_kernel")
def test_python_has_functions_of_the_kernel() -> None:
    from bleuet.statistics import _kernel

    for name in ("sum_integers", "sum_reals", "select_integers", "select_reals", "tokenize"):
        assert callable(getattr(_kernel, name)), name
        assert callable(getattr(plain_python, name)), name


@pytest.mark.parametrize(("threads", "given"), [(0, 0), (1, 1), (1023, 1023), (1025, 1024)])
def test_the_kernel_gets_as_many_threads_as_it_can_start(threads: int, given: int) -> None:
    """Zero stays zero, which means one for each core."""
    assert choice.check_threads(threads) == given


@pytest.mark.parametrize("wrong", [-1, True, 1.0, "2", None])
def test_other_numbers_of_threads_are_rejected(wrong: Any) -> None:
    with pytest.raises(OptionError, match="threads must be a whole number, 0 for one per core"):
        choice.check_threads(wrong)
