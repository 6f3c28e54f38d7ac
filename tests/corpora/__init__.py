"""The small corpora of all tests.

Here: four segments with two references and two systems. `any_text` draws texts of every kind for
Hypothesis, `several_systems` draws test sets with several systems, and `scripts` makes clean test
sets in many scripts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

REFERENCE = [
    "The cat sat down on the old chair.",
    "It rained all night in the valley.",
    "Nobody knew where the key was.",
    "Tea, please!",
]
REFERENCE_2 = [
    "The cat sat on the old chair.",
    "It was raining in the valley all night.",
    "Nobody knew where they had put the key.",
    "Some tea, please.",
]
SYSTEM_A = [
    "The cat sat on the old chair.",
    "It was raining all night in the valley.",
    "No one knew where the Key was.",
    "tea please",
]
SYSTEM_B = [
    "A cat was sitting on a chair.",
    "Rain fell in the valley during the night.",
    "Nobody knew the place of the key.",
    "Coffee, please!",
]


def write_lines(path: Path, lines: list[str]) -> None:
    """Write one line for each segment."""
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
