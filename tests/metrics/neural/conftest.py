"""Small models in folders, and what the original packages report for them."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.metrics.neural import texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.metrics.base.metric import Metric

GOLDENS = Path(__file__).parent / "goldens"
TRIPLES, SPECIAL = texts.triples(), texts.SPECIAL


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test, no model of the user, and none in memory."""
    from bleuet.metrics.neural.metric import forget_models

    forget_models()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path / "cache" / "bleuet" / "models"


@pytest.fixture(autouse=True)
def one_thread_of_torch(request: pytest.FixtureRequest) -> None:
    """Small models are slower with more, and other tests run beside these."""
    if request.node.get_closest_marker("neural") is not None:
        import_module("torch").set_num_threads(1)


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function from the name of a small model to its folder."""
    made: dict[str, Path] = {}

    def find(name: str) -> Path:
        if name not in made:
            from tests.metrics.neural.checkpoints import MODELS

            made[name] = tmp_path_factory.mktemp("models") / name
            MODELS[name](made[name])
        return made[name]

    return find


def golden(package: str, part: str = "models") -> dict[str, Any]:
    """What an original package reports for each model, or another part of what is stored."""
    found: dict[str, dict[str, Any]] = json.loads((GOLDENS / f"{package}.json").read_text("utf-8"))
    return found[part]


def rows(
    metric: Metric[Any], triples: list[texts.Triple], *, references: bool = True
) -> list[tuple[Any, ...]]:
    """The rows of some triples, which come at once as those of a test set."""
    from bleuet import with_sources

    given = [one.reference for one in triples] if references else None
    sources = with_sources(given, [one.source for one in triples])
    table = metric.count([one.hypothesis for one in triples], sources)
    return list(zip(*map(table.column, metric.columns), strict=True))
