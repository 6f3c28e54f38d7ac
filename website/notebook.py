"""The notebook of the examples: `python -m website.notebook` runs its cells and writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NOTEBOOK = EXAMPLES / "tour.ipynb"
# Programs that draw these have the picture, too, which is smaller.
LEFT_OUT = ("application/vnd.vegalite.v6+json", "application/vnd.vegalite.v5+json")

CELLS = (
    "# A tour of bleuet\n\n"
    "This notebook scores two systems, tests their difference, and shows where it comes from. It "
    "needs `pip install 'bleuet[studies,report]' pandas`. Run it in the folder of the examples; "
    "`bleuet tutorial examples --files-only` writes them.",
    "```python\n"
    "from pathlib import Path\n\n"
    "import bleuet\n\n\n"
    "def lines(name):\n"
    '    return Path(f"{name}.txt").read_text(encoding="utf-8").splitlines()\n\n\n'
    "references = [list(pair) for pair in zip(lines('reference-1'), lines('reference-2'))]\n"
    "systems = {name: lines(name) for name in ('system-a', 'system-b')}\n"
    "```",
    "## Scores\n\nAn answer shows itself as a table. The signatures below it say how to compute "
    "the same scores.",
    "```python\nscores = bleuet.score(systems, references, ['bleu', 'chrf', 'ter'])\nscores\n```",
    "The scores of the segments are a data frame.",
    "```python\nscores.to_dataframe().round(1).head()\n```",
    "## Is the difference more than chance?",
    "```python\n"
    "from bleuet.significance import Evaluation, paired_test\n\n"
    "paired_test(Evaluation.count(['bleu', 'chrf'], systems, references))\n"
    "```",
    "## Where do the systems differ?",
    "```python\n"
    "found = bleuet.compare(systems, references, ['chrf'])\n"
    "found.show('sentences')\n"
    "```",
    "A chart is a picture. `Report(found)` alone would show the whole page.",
    "```python\n"
    "from bleuet.report import Report\n\n"
    "charts = Report(found).charts()\n"
    "charts['scores-chrF2'].chart\n"
    "```",
    "## Why do two settings give different scores?",
    "```python\n"
    "bleuet.explain('bleu', 'bleu:tokenize=none,lowercase', systems['system-a'], references)\n"
    "```",
)


def notebook() -> Any:
    """Return the notebook with what its cells print and show."""
    cells = [
        nbformat.v4.new_code_cell(text.removeprefix("```python\n").removesuffix("\n```"))
        if text.startswith("```python")
        else nbformat.v4.new_markdown_cell(text)
        for text in CELLS
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    found = nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    )
    NotebookClient(found, timeout=120, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    for cell in found.cells:
        cell.metadata = {}
        for output in cell.get("outputs", ()):
            for kind in LEFT_OUT:
                output.get("data", {}).pop(kind, None)
    found.metadata.pop("language_info", None)
    return found


if __name__ == "__main__":
    nbformat.write(notebook(), NOTEBOOK)
