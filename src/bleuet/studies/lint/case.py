"""Letter case: hypotheses that lost their capitals, held against references that kept them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.studies.lint.finding import Finding
from bleuet.studies.lint.material import REFERENCES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleuet.studies.lint.material import Material

# Of lines with letters that have two cases, this share in one case alone means that the text was
# changed; text as people write it has fewer than that one.
ALL, MIXED = 0.95, 0.5
LEAST_LINES = 10


def find_case(material: Material) -> Iterator[Finding]:
    """Find files without capitals, or without anything else, where the other side is mixed."""
    for kind, test in (("lower", str.islower), ("upper", str.isupper)):
        for side in material.scored:
            others = material.systems if side.role == REFERENCES else material.references
            texts = [text for other in others for text in other.texts]
            if _share(side.texts, test) >= ALL and 0 <= _share(texts, test) <= MIXED:
                yield Finding(
                    "case",
                    side.name,
                    side.role,
                    (),
                    f"everything is in {kind} case, but the {others[0].role} are not",
                    "both sides in lower case",
                    material.effects_of_both_mended(side, str.lower),
                )


def _share(texts: Sequence[str], test: Callable[[str], bool]) -> float:
    """The share of lines with letters that pass a test; -1 where there are too few to say."""
    cased = [text for text in texts if text.lower() != text.upper()]
    return sum(map(test, cased)) / len(cased) if len(cased) >= LEAST_LINES else -1.0
