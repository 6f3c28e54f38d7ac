"""The notebook runs, and shows what it has shown when it was written."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.site


def shown(found: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return each cell and what it shows, without the bytes of pictures."""
    cells = []
    for cell in found.cells:
        outputs: dict[str, Any] = {}
        for output in cell.get("outputs", ()):
            outputs |= output.get("data", {"error": output.get("evalue", output.get("text"))})
        cells.append((cell.source, {**outputs, "image/png": "image/png" in outputs}))
    return cells


def committed() -> list[tuple[str, dict[str, Any]]]:
    """Return what the cells of the notebook in the examples show."""
    import nbformat

    from website.notebook import NOTEBOOK

    return shown(nbformat.read(NOTEBOOK, as_version=4))


def test_the_notebook_runs_and_shows_the_same() -> None:
    from website.notebook import notebook

    assert shown(notebook()) == committed()


def test_answers_are_tables_and_charts_are_pictures() -> None:
    from website.notebook import NOTEBOOK

    outputs = [one for _, one in committed()]
    assert sum("<table" in "".join(one.get("text/html", "")) for one in outputs) >= 5
    assert sum(one["image/png"] for one in outputs) >= 1
    assert NOTEBOOK.stat().st_size < 150_000
