"""Scripts: hypotheses in another script than their references."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bleuet.linting.letters import scripts_of, weight
from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material

# Shorter lines may be names, which keep their script.
LEAST_LETTERS = 12
# A script belongs to the references if at least this share of their letters is in it.
OWN_SHARE = 0.1


def find_scripts(material: Material) -> Iterator[Finding]:
    """Find hypotheses mostly in a script that their references do not use."""
    written = [scripts_of("".join(texts)) for texts in material.alternatives]
    whole = sum(written, Counter[str]())
    own = {script for script, n in whole.items() if n >= OWN_SHARE * whole.total()}
    for side in material.systems:
        foreign = {
            row: script for row, text in side if (script := _foreign(text, written[row], own))
        }
        if foreign:
            scripts = ", ".join(sorted(set(foreign.values())))
            yield side.finding(
                "script",
                foreign,
                f"{plural(len(foreign), 'line is', 'lines are')} written in {scripts}, the "
                f"references in {', '.join(sorted(own)) or 'no letters'}",
                "without these lines",
                material.effects_without(side, foreign),
            )


def _foreign(text: str, reference: Counter[str], own: set[str]) -> str:
    """Return the main script of a hypothesis if its references do not use it, else ""."""
    scripts = scripts_of(text)
    if weight(scripts) < LEAST_LETTERS or not own:
        return ""
    script, count = scripts.most_common(1)[0]
    if script in own or script in reference or 2 * count <= scripts.total():
        return ""
    return script
