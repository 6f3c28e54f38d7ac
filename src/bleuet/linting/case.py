"""Letter case: files in one case only, while the other side has both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.linting.material import REFERENCES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material

# A file was changed to one case if at least the first share of its lines is in that case only;
# the other side is normal text if at most the second share is.
ALL, MIXED = 0.95, 0.5
LEAST_LINES = 10


def find_case(material: Material) -> Iterator[Finding]:
    """Find files in lower or upper case only, where the other side has both cases."""
    for kind, test in (("lower", str.islower), ("upper", str.isupper)):
        for side in material.scored:
            others = material.systems if side.role == REFERENCES else material.references
            texts = [text for other in others for text in other.texts]
            if _share(side.texts, test) >= ALL and 0 <= _share(texts, test) <= MIXED:
                yield side.finding(
                    "case",
                    (),
                    f"everything is in {kind} case, but the {others[0].role} are not",
                    "both sides in lower case",
                    material.effects_of_both_repaired(side, str.lower),
                )


def _share(texts: Sequence[str], test: Callable[[str], bool]) -> float:
    """Return the share of lines with cased letters that pass a test, -1 for too few lines."""
    cased = [text for text in texts if text.lower() != text.upper()]
    return sum(map(test, cased)) / len(cased) if len(cased) >= LEAST_LINES else -1.0
