"""What happens to the text of a model before it is scored."""

from __future__ import annotations

import re
from unicodedata import normalize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    # From a text and its prompt to a text.
    Step: TypeAlias = Callable[[str, str], str]

OPENING, CLOSING, MARK = "<think>", "</think>", "think>"
# The special tokens of usual models: <|im_end|>, <｜end▁of▁sentence｜>, </s>, <end_of_turn>, [PAD].
SPECIAL = re.compile(
    r"<[|｜][^<>|｜\s]{1,40}[|｜]>|</?s>|<(?:pad|eos|bos|unk|mask|(?:start|end)_of_turn)>"
    r"|\[(?:PAD|CLS|SEP|MASK|UNK|/?INST)\]"
)


def without_prompt(text: str, prompt: str) -> str:
    """Return what follows the prompt, which may be cut at its beginning, or follow a token.

    >>> without_prompt("<s>Say hello.Hello.", "Say hello."), without_prompt("o. Hi", "Say hello. ")
    ('Hello.', 'Hi')
    """
    place = text.find(prompt)
    if place >= 0:
        return text[place + len(prompt) :]
    # The most of the prompt's end that the text begins with.
    for length in range(min(len(prompt), len(text)), 0, -1):
        if text.startswith(prompt[-length:]):
            return text[length:]
    return text


def without_special_tokens(text: str, prompt: str = "") -> str:
    """Return a text without the tokens that only models write.

    >>> without_special_tokens("<|im_start|>Hello.<|im_end|></s>")
    'Hello.'
    """
    return SPECIAL.sub("", text) if "<" in text or "[" in text else text


def after_thinking(text: str, prompt: str = "") -> str:
    """Return the text after the last `</think>`; of thinking that is not closed, nothing.

    >>> after_thinking("<think>a or b?</think>a"), after_thinking("<think>a or")
    ('a', '')
    >>> prompt = "a or b? <think>"
    >>> after_thinking("Either.</think>a", prompt), after_thinking("Eith", prompt)
    ('a', '')
    """
    if MARK not in text and MARK not in prompt:
        return text
    _, closing, answer = text.rpartition(CLOSING)
    unclosed = not closing and prompt.rstrip().endswith(OPENING)
    return "" if unclosed or OPENING in answer else answer


def composed(text: str, prompt: str = "") -> str:
    """Return a text in Unicode's normal form C, in which equal characters are equal."""
    return text if text.isascii() else normalize("NFC", text)


STEPS: dict[str, Step] = {
    "prompt": without_prompt,
    "special-tokens": without_special_tokens,
    "thinking": after_thinking,
    "nfc": composed,
}
DEFAULT = ("thinking", "nfc")
# Of a text that holds the prompt and all tokens.
WHOLE = ("prompt", "special-tokens", *DEFAULT)
