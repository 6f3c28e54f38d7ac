"""Small models and texts are those of which the original packages' scores are stored."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.metrics.neural import texts

pytestmark = pytest.mark.neural

GOLDENS = {
    file.stem: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parent / "goldens").glob("*.json"))
}
# Some goldens are not of models.
MODELS = [
    (golden, name) for golden, content in GOLDENS.items() for name in content.get("models", ())
]


def writers() -> dict[str, Any]:
    checkpoints: Any = import_module("tests.metrics.neural.checkpoints")
    layouts: Any = import_module("tests.metrics.neural.layouts")
    return {**checkpoints.MODELS, **layouts.WRITERS}


@pytest.mark.parametrize(("golden", "name"), MODELS)
def test_weights_are_those_of_the_goldens(golden: str, name: str, tmp_path: Path) -> None:
    assert writers()[name](tmp_path) == GOLDENS[golden]["models"][name]["weights"]


@pytest.mark.parametrize("golden", GOLDENS)
def test_texts_are_those_of_the_goldens(golden: str) -> None:
    assert GOLDENS[golden]["texts"] == texts.digest()


def test_every_model_has_goldens() -> None:
    assert set(writers()) == {name for _, name in MODELS}
