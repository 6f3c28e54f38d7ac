"""Scripts: hypotheses in other letters than their references."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bleuet.studies.lint.finding import Finding, counted
from bleuet.studies.lint.letters import scripts_of, weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.studies.lint.material import Material

# A line needs so many letters before its script says anything: names stay in theirs.
LEAST_LETTERS = 12
# A script that the references as a whole are written in to this share is at home there.
AT_HOME = 0.1


def find_scripts(material: Material) -> Iterator[Finding]:
    """Find hypotheses mostly in a script that their references are not written in."""
    written = [scripts_of("".join(texts)) for texts in material.alternatives]
    whole = sum(written, Counter[str]())
    home = {script for script, n in whole.items() if n >= AT_HOME * whole.total()}
    for side in material.systems:
        foreign = {
            row: script for row, text in side if (script := _foreign(text, written[row], home))
        }
        if foreign:
            scripts = ", ".join(sorted(set(foreign.values())))
            yield Finding(
                "script",
                side.name,
                side.role,
                tuple(row + 1 for row in foreign),
                f"{counted(len(foreign), 'line is', 'lines are')} written in {scripts}, the "
                f"references in {', '.join(sorted(home)) or 'no letters'}",
                "without these lines",
                material.effects_without(side, foreign),
            )


def _foreign(text: str, reference: Counter[str], home: set[str]) -> str:
    """The script that a hypothesis is mostly written in, where its references are not."""
    scripts = scripts_of(text)
    if weight(scripts) < LEAST_LETTERS or not home:
        return ""
    script, count = scripts.most_common(1)[0]
    if script in home or script in reference or 2 * count <= scripts.total():
        return ""
    return script
