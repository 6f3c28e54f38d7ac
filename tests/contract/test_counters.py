"""A metric declares its counter once: the kernel's class and the definition follow from that."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import bleuet.statistics
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.catalogue import CATALOGUE
from tests.backends import kernel
from tests.contract.settings import every_metric, settings_of

pytestmark = pytest.mark.usefixtures("needs_kernel")
STUB = Path(bleuet.statistics.__file__).parent / "_kernel.pyi"


def counters() -> dict[str, CounterClass]:
    """What metrics declare, by the name of the kernel's class."""
    declared = [entry.load().counter for entry in CATALOGUE.values()]
    named = {one.definition.partition(":")[2]: one for one in declared}
    return {name: one for name, one in named.items() if name}


def test_each_counter_of_the_kernel_is_declared_by_a_metric() -> None:
    assert {name for name in dir(kernel()) if name.endswith("Counter")} == set(counters())


def test_the_types_of_the_kernel_leave_options_to_metrics() -> None:
    found = 0
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name in counters():
            members = [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
            assert "__init__" not in members, node.name
            kind = getattr(kernel(), node.name)
            assert [name for name in members if not hasattr(kind, name)] == [], node.name
            found += 1
    assert found > 2


@every_metric
def test_kernel_and_definition_are_made_with_the_same_options(name: str) -> None:
    """What they count is compared in tests/contract/test_backends.py."""
    for setting in settings_of(name):
        metric: Any = setting.metric()
        declared = metric.counter
        if not declared.definition or metric.counted_by is not metric:
            continue
        # NIST of NLTK is counted in Python by both backends.
        if metric.option_values().get("several") == "nltk":
            continue
        options = declared.options_of(metric)
        if name == "meteor":
            options["lexicon"] = kernel().MeteorLexicon()
        home, _, kind = declared.definition.partition(":")
        sizes = []
        for program in (kernel(), import_module(home)):
            made = getattr(program, kind)(**options)
            sizes.append((made.integers, made.reals))
        assert sizes == [(len(metric.integer_columns), len(metric.real_columns))] * 2
