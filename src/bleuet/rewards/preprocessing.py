"""What happens to the text of a model before it is scored."""

from __future__ import annotations

import re
from unicodedata import normalize

from bleuet.errors import InputError
from bleuet.messages import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    # From a text and its prompt to a text.
    Step: TypeAlias = Callable[[str, str], str]

# How models mark a thought: where it begins, and where it ends.
THOUGHTS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<reasoning>": "</reasoning>",
    "[THINK]": "[/THINK]",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",
}
# The header of the final channel can name a format, as in "final <|constrain|>json<|message|>".
FINAL = r"<\|channel\|>final[^<]{0,80}(?:<\|constrain\|>[^<]{0,80})?<\|message\|>"
CLOSING = re.compile("|".join([*map(re.escape, THOUGHTS.values()), FINAL]))
OPENING = re.compile("|".join([*map(re.escape, THOUGHTS), r"<\|channel\|>analysis"]))
END_OF_MESSAGE = re.compile(r"<\|(?:return|end|start)\|>")
# What is left of the headers of channels where special tokens were removed.
BARE_ANALYSIS, BARE_FINAL = "analysis", "assistantfinal"
# The special tokens of usual models: <|im_end|>, <｜end▁of▁sentence｜>, </s>, <end_of_turn>, [PAD].
SPECIAL = re.compile(
    r"<[|｜][^<>|｜\s]{1,40}[|｜]>|</?s>|<(?:pad|eos|bos|unk|mask|(?:start|end)_of_turn)>"
    r"|\[(?:PAD|CLS|SEP|MASK|UNK|/?INST)\]"
)
BOXED = re.compile(r"\\boxed\s*\{")
BRACES = re.compile(r"\\.|[{}]", re.DOTALL)


# --- The answer -----------------------------------------------------------------------------------


def after_thinking(text: str, prompt: str = "") -> str:
    """Return the text after the last thought; of a thought that is not closed, nothing.

    >>> after_thinking("<think>a or b?</think>a"), after_thinking("<think>a or")
    ('a', '')
    >>> prompt = "a or b? <think>"
    >>> after_thinking("Either.</think>a", prompt), after_thinking("Eith", prompt)
    ('a', '')
    """
    # Most texts have no mark, and are looked at no further.
    is_plain = "<" not in text and "[" not in text and text[:8] != BARE_ANALYSIS
    if is_plain and prompt.rstrip()[-1:] not in (">", "]"):
        return text
    return _after_thought(text, prompt, must_end=False)


def after_closed_thinking(text: str, prompt: str = "") -> str:
    """Return the text after the last thought, or nothing if no thought ends.

    >>> after_closed_thinking("a or b?</think>a"), after_closed_thinking("a or")
    ('a', '')
    """
    return _after_thought(text, prompt, must_end=True)


def _after_thought(text: str, prompt: str, *, must_end: bool) -> str:
    answer, has_ended = _after_last_mark(text)
    if not has_ended:
        before = prompt.rstrip()
        is_open = must_end or before.endswith(tuple(THOUGHTS))
        # A template that turns thinking off writes an empty thought.
        if is_open and not before.endswith(tuple(THOUGHTS.values())):
            return ""
    is_thought = ("<" in answer or "[" in answer) and OPENING.search(answer)
    return "" if is_thought else answer


def _after_last_mark(text: str) -> tuple[str, bool]:
    """Return what follows the end of the last thought, and whether there is one."""
    if "<" in text or "[" in text:
        last = None
        for mark in CLOSING.finditer(text):
            last = mark
        if last is not None:
            answer = text[last.end() :]
            is_channel = last.group().startswith("<|")
            return (END_OF_MESSAGE.split(answer, 1)[0] if is_channel else answer), True
    if text.startswith(BARE_ANALYSIS) and BARE_FINAL in text:
        return text.rpartition(BARE_FINAL)[2], True
    return text, False


def in_answer_tags(text: str, prompt: str = "") -> str:
    """Return what the last `<answer>` after the thoughts holds; nothing if it is not closed.

    >>> in_answer_tags("<think>a?</think> It is <answer> a </answer>."), in_answer_tags("a")
    ('a', '')
    """
    inside, closing, _ = (
        after_thinking(text, prompt).rpartition("<answer>")[2].partition("</answer>")
    )
    return inside.strip() if closing else ""


def in_box(text: str, prompt: str = "") -> str:
    r"""Return what the last `\boxed{}` after the thoughts holds; nothing if it is not closed.

    >>> in_box(r"So it is \boxed{x^{2}}."), in_box("x^{2}")
    ('x^{2}', '')
    """
    text = after_thinking(text, prompt)
    start = None
    for box in BOXED.finditer(text):
        start = box.end()
    if start is None:
        return ""
    depth = 1
    for brace in BRACES.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(brace.group(), 0)
        if not depth:
            return text[start : brace.start()].strip()
    return ""


# --- Other steps ----------------------------------------------------------------------------------


def without_prompt(text: str, prompt: str) -> str:
    """Return what follows the prompt, which may be cut at its beginning, or follow a token.

    A tokenizer can write a prompt with other spaces and in another Unicode form.

    Raises:
        InputError: the text does not contain its prompt.

    >>> without_prompt("<s>Say hello.Hello.", "Say hello."), without_prompt("o. Hi", "Say hello. ")
    ('Hello.', 'Hi')
    >>> without_prompt("Say  hello. Hi", "Say hello. ")
    'Hi'
    """
    place = text.find(prompt)
    if place >= 0:
        return text[place + len(prompt) :]
    wanted, (letters, places) = _letters(prompt)[0], _letters(text)
    if not wanted or not letters:
        return text
    place = letters.find(wanted)
    end = place + len(wanted) if place >= 0 else _overlap(wanted, letters)
    if not end:
        raise InputError(
            f"the text {shown(text)} does not contain its prompt {shown(prompt)}: expected the "
            "prompt and then the answer; for answers alone, leave out 'prompt' of preprocess"
        )
    return text[places[end - 1] + 1 :].lstrip()


def _letters(text: str) -> tuple[str, list[int]]:
    """Return the decomposed characters that are no white space, and the place of each in the text.

    >>> _letters("a é")
    ('ae\u0301', [0, 2, 2])
    """
    letters, places = [], []
    for place, character in enumerate(text):
        if not character.isspace():
            parts = character if character.isascii() else normalize("NFKD", character)
            letters.append(parts)
            places += [place] * len(parts)
    return "".join(letters), places


def _overlap(prompt: str, text: str) -> int:
    """Return the length of the longest end of a prompt that a text begins with.

    By the failure function of Knuth, Morris and Pratt 1977, in time linear in both.

    >>> _overlap("ababab", "abab it"), _overlap("ab", "c")
    (4, 0)
    """
    text = text[: len(prompt)]
    if not text or text[0] not in prompt:
        return 0
    borders, length = [0] * len(text), 0
    for place in range(1, len(text)):
        while length and text[place] != text[length]:
            length = borders[length - 1]
        length += text[place] == text[length]
        borders[place] = length
    length = 0
    for character in prompt:
        if length == len(text):
            length = borders[length - 1]
        while length and character != text[length]:
            length = borders[length - 1]
        length += character == text[length]
    return length


def without_special_tokens(text: str, prompt: str = "") -> str:
    """Return a text without the tokens that only models write.

    >>> without_special_tokens("<|im_start|>Hello.<|im_end|></s>")
    'Hello.'
    """
    return SPECIAL.sub("", text) if "<" in text or "[" in text else text


def composed(text: str, prompt: str = "") -> str:
    """Return a text in Unicode's normal form C, in which equal characters are equal."""
    return text if text.isascii() else normalize("NFC", text)


# Where the answer is in a text, and what else can be done to it.
ANSWERS: dict[str, Step] = {
    "thinking": after_thinking,
    "closed-thinking": after_closed_thinking,
    "answer": in_answer_tags,
    "boxed": in_box,
}
STEPS: dict[str, Step] = {
    "prompt": without_prompt,
    **ANSWERS,
    "special-tokens": without_special_tokens,
    "nfc": composed,
}
DEFAULT = ("thinking", "nfc")
# Of a text that holds the prompt and all tokens. Thoughts go first: their marks can be such tokens.
WHOLE = ("prompt", "thinking", "special-tokens", "nfc")
