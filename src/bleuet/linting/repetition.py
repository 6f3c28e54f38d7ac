"""Repetition loops: a decoder that repeats the same words over and over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material

# A loop repeats at most so many tokens, at least so many times, and has at least so many tokens in
# all. Speech repeats words up to three times.
LONGEST_UNIT = 12
LEAST_TIMES = 4
LEAST_TOKENS = 6
# A text with more characters per token than this is written without spaces: its characters are the
# tokens, and a loop has at least so many of them, because laughter repeats one character.
UNSPACED = 15
LEAST_CHARACTERS = 12


def find_repetition(material: Material) -> Iterator[Finding]:
    """Find hypotheses that repeat words over and over, unless a reference or the source does."""
    for side in material.systems:
        loops = {
            row: unit
            for row, text in side
            if (unit := loop_in(text)) and not any(map(loop_in, material.others(side, row)))
        }
        if loops:
            unit = next(iter(loops.values()))
            yield side.finding(
                "repetition",
                loops,
                f"{plural(len(loops), 'line repeats', 'lines repeat')} the same words "
                f"{LEAST_TIMES} times or more in a row, such as {_shortened(unit)!r}",
                "without these lines",
                material.effects_without(side, loops),
            )


def _shortened(unit: str) -> str:
    return unit if len(unit) <= 30 else f"{unit[:30]}..."


def loop_in(text: str) -> str:
    """Return the words that a text repeats over and over, or "".

    >>> loop_in("it is the case of the case of the case of the case of the"), loop_in("no, no, no!")
    ('the case of', '')
    """
    tokens, joint, least = text.split(), " ", LEAST_TOKENS
    if len(text) > UNSPACED * len(tokens) and not text.isascii():
        tokens, joint, least = list(text), "", LEAST_CHARACTERS
    # Repetitions add no new tokens.
    if len(tokens) - len(set(tokens)) < least * (LEAST_TIMES - 1) // LEAST_TIMES:
        return ""
    for size in range(1, LONGEST_UNIT + 1):
        unit = _unit(tokens, size, least)
        if unit and any(map(str.isalnum, joint.join(unit))):
            return joint.join(unit)
    return ""


def _unit(tokens: Sequence[str], size: int, least: int) -> Sequence[str]:
    """Return the first run of `size` tokens that repeats often enough."""
    needed = max((LEAST_TIMES - 1) * size, least - size)
    run = 0
    for at in range(size, len(tokens)):
        run = run + 1 if tokens[at] == tokens[at - size] else 0
        if run >= needed:
            first = at - run + 1 - size
            return tokens[first : first + size]
    return ()
