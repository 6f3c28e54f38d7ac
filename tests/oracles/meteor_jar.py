"""METEOR's jar, which pycocoevalcap carries with the English table of paraphrases."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest


def jar() -> str:
    found = find_spec("pycocoevalcap")
    if found is None or not found.submodule_search_locations:
        pytest.skip("pycocoevalcap is not installed")
    return str(Path(found.submodule_search_locations[0]) / "meteor" / "meteor-1.5.jar")
