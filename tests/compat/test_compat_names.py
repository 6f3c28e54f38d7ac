"""Every public name of sacreBLEU is there, with the same arguments, and imports next to nothing."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from typing import Any

import pytest

from bleuet.compat import sacrebleu as ours
from tests.compat.agreement import (
    FUNCTIONS,
    TOKENIZERS,
    theirs,
)

MODULES = (
    "",
    ".compat",
    ".dataset",
    ".metrics",
    ".metrics.base",
    ".metrics.bleu",
    ".metrics.chrf",
    ".metrics.helpers",
    ".metrics.ter",
    ".significance",
    ".tokenizers",
    ".tokenizers.tokenizer_spm",
    ".utils",
    ".version",
    *(f".tokenizers.{module}" for module in TOKENIZERS),
)
# Constants of its own machinery, and what typing's imports leave behind.
NOT_PUBLIC = {
    "Any",
    "COMMIT_ID",
    "FAIL_MESSAGE",
    "Optional",
    "SACREBLEU_DIR",
    "TYPE_CHECKING",
    "VERSION_TUPLE",
}


def public_names(module: Any) -> set[str]:
    """What a module defines: its own classes and functions, and constants."""
    found = {name: value for name, value in vars(module).items() if name[0] != "_"}
    return {
        name
        for name, value in found.items()
        if getattr(value, "__module__", module.__name__) == module.__name__
        and not inspect.ismodule(value)
    } - NOT_PUBLIC


@pytest.mark.peers
@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_there(module: str) -> None:
    other = importlib.import_module(f"sacrebleu{module}")
    mine = importlib.import_module(f"bleuet.compat.sacrebleu{module}")
    wanted = public_names(other)
    assert wanted or module in ("", ".tokenizers", ".metrics")
    assert {name for name in wanted if not hasattr(mine, name)} == set()
    with pytest.raises(AttributeError):
        mine.no_such_name  # noqa: B018


@pytest.mark.peers
def test_everything_sacrebleu_exports_is_exported() -> None:
    assert set(theirs().__all__) <= set(ours.__all__)
    assert all(hasattr(ours, name) for name in ours.__all__)
    assert ours.__version__ == theirs().__version__ == "2.6.0"


def parameters(function: Any) -> list[tuple[str, Any]]:
    return [(p.name, p.default) for p in inspect.signature(function).parameters.values()]


@pytest.mark.peers
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER", "BLEUScore", "CHRFScore", "TERScore"])
def test_constructors_and_methods_take_the_same_arguments(name: str) -> None:
    mine, other = getattr(ours.metrics, name), getattr(theirs().metrics, name)
    assert parameters(mine) == parameters(other)
    for method in dir(other):
        if not method.startswith("_") and callable(getattr(other, method)):
            assert parameters(getattr(mine, method)) == parameters(getattr(other, method)), method


@pytest.mark.peers
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_the_same_arguments(name: str) -> None:
    assert parameters(getattr(ours, name)) == parameters(getattr(theirs(), name))


@pytest.mark.peers
def test_class_attributes_are_the_same() -> None:
    assert list(ours.BLEU.TOKENIZERS) == list(theirs().BLEU.TOKENIZERS)
    assert ours.BLEU.SMOOTH_DEFAULTS == theirs().BLEU.SMOOTH_DEFAULTS
    assert ours.BLEU.TOKENIZER_DEFAULT == theirs().BLEU.TOKENIZER_DEFAULT
    for name in "CHAR_ORDER", "WORD_ORDER", "BETA":
        assert getattr(ours.CHRF, name) == getattr(theirs().CHRF, name)
    assert ours.metrics.METRICS.keys() == theirs().metrics.METRICS.keys()


@pytest.mark.peers
def test_test_sets_are_sacrebleus_own() -> None:
    assert ours.DATASETS is theirs().DATASETS
    assert ours.get_available_testsets() == theirs().get_available_testsets()
    assert ours.get_langpairs_for_testset("wmt17") == theirs().get_langpairs_for_testset("wmt17")


def test_without_the_package_the_test_sets_say_how_to_get_them() -> None:
    program = (
        "import sys; sys.modules['sacrebleu'] = None\n"
        "from bleuet.compat import sacrebleu\n"
        "print(sacrebleu.corpus_bleu(['a b c d'], [['a b c d']]).score)\n"
        "try: sacrebleu.DATASETS\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    score, message = done.stdout.splitlines()
    assert score == "100.00000000000004"
    assert message.endswith("pip install 'bleuet[sacrebleu]'")


@pytest.mark.usefixtures("needs_kernel")
def test_scoring_imports_next_to_nothing() -> None:
    program = (
        "import sys; before = set(sys.modules)\n"
        "from bleuet.compat import sacrebleu\n"
        "for metric in sacrebleu.BLEU(), sacrebleu.CHRF(), sacrebleu.TER():\n"
        "    str(metric.corpus_score(['a b'], [['a c']])), str(metric.get_signature())\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    heavy = {"argparse", "json", "logging", "numpy", "regex", "sacrebleu", "tabulate", "typing"}
    assert "bleuet" in done.stdout.split(), done.stderr
    assert not heavy & set(done.stdout.split())
