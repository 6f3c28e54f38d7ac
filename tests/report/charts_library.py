"""Pages without vl_convert, which is large: a folder with a module that stands in for it."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

FOLDER = str(Path(__file__).parent / "stand_in")


def stand_in_for_vl_convert() -> None:
    """Let pages be made where vl_convert is not installed, in other processes too."""
    if find_spec("vl_convert") is None:
        sys.path.append(FOLDER)
        known = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join([known, FOLDER] if known else [FOLDER])
