"""Chinese tokenization: every Chinese character is a token, the rest is cut as in 13a."""

from __future__ import annotations

from bleuet.text.tokenizers.mteval13a import separate_punctuation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# The ranges of sacreBLEU. Two of them have five digits after a four-digit escape, so that U+20000
# to U+2A6D6 became U+2001 to U+2A6D.
RANGES = (
    (0x2001, 0x2A6D), (0x2E80, 0x2FDF), (0x2FF0, 0x303F), (0x3100, 0x312F), (0x31A0, 0x31EF),
    (0x3200, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A), (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF),
)  # fmt: skip
# The ranges that sacreBLEU intends.
FIXED_RANGES = (
    (0x2600, 0x27BF), (0x2E80, 0x2FDF), (0x2FF0, 0x303F), (0x3100, 0x312F), (0x31A0, 0x31BF),
    (0x31C0, 0x31EF), (0x3200, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF), (0x20000, 0x2A6D6),
    (0x2F800, 0x2FA1D),
)  # fmt: skip


def make(name: str) -> tuple[Callable[[str], str], str]:
    """Return the tokenizer `zh` or `zh-fixed` and its signature."""
    ranges = FIXED_RANGES if name == "zh-fixed" else RANGES
    return lambda line: tokenize(line, ranges), name


def tokenize(line: str, ranges: tuple[tuple[int, int], ...] = RANGES) -> str:
    """Return a line with one space between tokens.

    >>> tokenize("你好, world.")
    '你 好 , world .'
    """
    spaced = "".join(
        f" {c} " if any(low <= ord(c) <= high for low, high in ranges) else c for c in line.strip()
    )
    return separate_punctuation(spaced)
