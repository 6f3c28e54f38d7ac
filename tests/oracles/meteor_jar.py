"""METEOR's jar, which pycocoevalcap carries with the English table of paraphrases."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def jar() -> str:
    """Return its path; pycocoevalcap must be installed."""
    found = find_spec("pycocoevalcap")
    assert found is not None
    assert found.submodule_search_locations
    return str(Path(found.submodule_search_locations[0]) / "meteor" / "meteor-1.5.jar")
