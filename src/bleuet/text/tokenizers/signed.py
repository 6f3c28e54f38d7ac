"""Stands for a tokenizer that is not here, so that saved tables it has counted can be scored."""

from __future__ import annotations

from bleuet.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def make(name: str) -> tuple[Callable[[str], str], str]:
    """Return a tokenizer that only refuses, and the signature of the one it stands for."""
    signature = name.partition(":")[2]

    def tokenize(line: str) -> NoReturn:
        raise OptionError(
            f"the tokenizer {signature} is known by its signature alone, which is enough to score "
            "saved tables and not to count texts: name a tokenizer that is installed"
        )

    return tokenize, signature
