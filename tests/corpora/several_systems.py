"""Small test sets with several systems, for Hypothesis to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

# Few words, so that they match, repeat and differ in case, punctuation and digits alone.
WORDS = st.sampled_from(
    ["a", "b", "the", "The", "THE", "cat", "Cat", "mat.", ",", "!", "1", "12", "3,5", "né", "Né"]
)
sentences = st.lists(WORDS, max_size=14).map(" ".join)


class Drawn(NamedTuple):
    """Hypotheses by system, and the references of each segment."""

    systems: dict[str, list[str]]
    references: list[Any]

    def texts_of(self, row: int) -> list[str]:
        """The references of a segment that are there."""
        entry = self.references[row]
        return [entry] if isinstance(entry, str) else [text for text in entry if text is not None]


@st.composite
def drawn_systems(
    draw: st.DrawFn, least_systems: int = 1, several_references: bool = True
) -> Drawn:
    segments = draw(st.integers(1, 6))
    names = [f"system {number}" for number in range(draw(st.integers(least_systems, 3)))]
    references: list[Any] = [draw(sentences) for _ in range(segments)]
    if several_references and draw(st.booleans()):
        references = [
            [*draw(st.lists(st.none() | sentences, max_size=2)), text] for text in references
        ]
    some = [text for entry in references for text in ([entry] if isinstance(entry, str) else entry)]
    near = st.sampled_from([text for text in some if text is not None])
    systems = {name: [draw(st.one_of(sentences, near)) for _ in range(segments)] for name in names}
    return Drawn(systems, references)


def chosen(values: Sequence[Any], rows: Sequence[int]) -> list[Any]:
    return [values[row] for row in rows]
