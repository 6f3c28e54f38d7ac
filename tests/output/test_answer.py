"""What an answer says of itself in one line."""

from __future__ import annotations

import pytest

from bleuet.output.answer import names_or_number


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], ""),
        (["a", "b", "c", "d"], "a, b, c, d"),
        (["a", "b", "c", "d", "e"], "5 systems"),
        (["a" * 30, "b" * 30], f"{'a' * 30}, {'b' * 30}"),
        (["a" * 30, "b" * 31], "2 systems"),
    ],
)
def test_at_most_four_names_of_sixty_letters_are_listed(names: list[str], said: str) -> None:
    assert names_or_number(names, "system") == said
