"""Tercom's tokenizer, as in sacreBLEU's TER: by default only a split at white space."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ASIAN_PUNCTUATION = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff61-\uff65"
    "\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
)
# Ideographs, radicals, strokes and compatibility forms. 3200-3F22 is sacreBLEU's mistake for
# 3200-32FF. Its three rules for kana never apply, since each matches only at the start of the
# line, and normalization puts a blank there.
ASIAN_TOKENS = (
    "\u2e80-\u2eff\u31c0-\u31ef\u3200-\u3f22\u3300-\u33ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f" + ASIAN_PUNCTUATION
)

# The order matters: each rule reads the result of the rule before.
GENERAL_RULES = (
    (re.compile(r"\n-"), ""),
    (re.compile(r"\n"), " "),
    (re.compile(r"&quot;"), '"'),
    (re.compile(r"&amp;"), "&"),
    (re.compile(r"&lt;"), "<"),
    (re.compile(r"&gt;"), ">"),
)
WESTERN_RULES = (
    (re.compile(r"([ -&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"'s "), " 's "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])-"), r"\1 - "),
)
ASIAN_RULES = ((re.compile(f"([{ASIAN_TOKENS}])"), r" \1 "),)
REMOVALS = ((re.compile(r'[.,?:;!"()]'), ""),)
ASIAN_REMOVALS = ((re.compile(f"[{ASIAN_PUNCTUATION}]"), ""),)


def tokenize(
    line: str, *, normalized: bool = False, no_punct: bool = False, asian_support: bool = False
) -> list[str]:
    """Split a line into tokens as Tercom does.

    Args:
        line: one segment, already lower-cased where case is ignored.
        normalized: join lines, undo XML escapes and split off punctuation.
        no_punct: drop punctuation.
        asian_support: extend the two above to Chinese and Japanese; does nothing without them.

    Returns:
        The tokens, none of them empty.

    Source: Normalizer.java of tercom 0.10, with the differences that sacreBLEU 2.6.0 has.

    >>> tokenize("it's 1,000 &lt; 2-3.")
    ["it's", '1,000', '&lt;', '2-3.']
    >>> tokenize("it's 1,000 &lt; 2-3.", normalized=True)
    ['it', "'s", '1,000', '<', '2', '-', '3', '.']
    >>> tokenize("it's (1,000).", no_punct=True)
    ["it's", '1000']
    """
    if normalized and line:
        line = apply(GENERAL_RULES, line)
        line = apply(WESTERN_RULES, f" {line} ")
        if asian_support:
            line = apply(ASIAN_RULES, line)
    if no_punct:
        line = apply(REMOVALS, line)
        if asian_support:
            line = apply(ASIAN_REMOVALS, line)
    return line.split()


def tokenize_segment(
    line: str,
    *,
    times: int = 1,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
) -> list[str]:
    """Tokenize a segment as TER does: without trailing white space, and references twice.

    sacreBLEU tokenizes references a second time. This makes a difference with `normalized`: a rule
    may apply only after a later rule has split the text.

    Args:
        line: one segment, already lower-cased where case is ignored.
        times: 1 for a hypothesis; for a reference 2 as in sacreBLEU, or 1 for the correct tokens.
        normalized: see `tokenize`.
        no_punct: see `tokenize`.
        asian_support: see `tokenize`.

    Returns:
        The tokens, none of them empty.

    >>> tokenize_segment("the dog's.", normalized=True)
    ['the', "dog's", '.']
    >>> tokenize_segment("the dog's.", normalized=True, times=2)
    ['the', 'dog', "'s", '.']
    """
    for _ in range(times):
        tokens = tokenize(
            line.rstrip(),
            normalized=normalized,
            no_punct=no_punct,
            asian_support=asian_support,
        )
        line = " ".join(tokens)
    return line.split()


def apply(rules: Sequence[tuple[re.Pattern[str], str]], line: str) -> str:
    r"""Apply each rule to the result of the rule before.

    Args:
        rules: patterns and their replacements.
        line: the text to change.

    Returns:
        The changed text.

    >>> apply(GENERAL_RULES, "hyphen\n-ated &amp;lt;")
    'hyphenated <'
    """
    for pattern, replacement in rules:
        line = pattern.sub(replacement, line)
    return line
