"""A tokenizer known only by its signature: saved tables that it has counted can be scored."""

from __future__ import annotations

from bleuet.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def make(name: str) -> tuple[Callable[[str], str], str]:
    """Return a tokenizer that always raises an error, and the signature that it has."""
    signature = name.partition(":")[2]

    def tokenize(line: str) -> NoReturn:
        raise OptionError(
            f"the tokenizer {signature} is known only by its signature, which is enough to score "
            "saved tables but not to count texts: use a tokenizer that is installed"
        )

    return tokenize, signature
