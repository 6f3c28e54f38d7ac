"""What the Python tokenizers make of a line, by hand."""

from __future__ import annotations

from itertools import product

import pytest

from bleuet import BLEU
from bleuet.text.tokenizers import find_tokenizer, tercom
from bleuet.text.tokenizers.chinese import FIXED_RANGES, RANGES
from tests import effort
from tests.backends import counted_by_python, kernel

LINES = [
    ("13a", "Hello, world.", "Hello , world ."),
    ("13a", "1,000.5 and 1, 2", "1,000.5 and 1 , 2"),
    ("13a", "a.b 1.b a.1", "a . b 1 . b a . 1"),
    ("13a", "well-known 1990-91", "well-known 1990 - 91"),
    ("13a", "&quot;a&quot; &amp;amp; &lt;", '" a " & amp ; <'),
    # Replaced one after the other, so that some are there only after another.
    ("13a", "&amp;quot; &amp;lt; &amp;gt;", "& quot ; < >"),
    ("13a", "<skipped>a end-\nof\nline", "a endof line"),
    ("13a", "don't «you»", "don't «you»"),
    ("13a", "a\u00a0b\u3000c\u200bd", "a b c\u200bd"),
    ("13a", "5%+3=$8", "5 % + 3 = $ 8"),
    ("none", " a  b, c. ", " a  b, c. "),
    ("char", "ab c", "a b   c"),
    ("intl", "«Oui», 3€.", "« Oui » , 3 € ."),
    ("intl", "1,000.5 2014.", "1,000.5 2014."),
    ("intl", "&quot;a&quot;", "& quot ; a & quot ;"),
    ("intl", "٣٫٥", "٣٫٥"),  # a decimal point of Arabic between Arabic digits
    ("zh", "你好,world。", "你 好 , world 。"),
    ("zh", "a你1.5", "a 你 1.5"),
    ("zh", "＂ａ＂", "＂ ａ ＂"),
    ("zh", "ア한", "ア한"),  # neither kana nor hangul are split
    ("zh", "a–b", "a – b"),  # U+2013 is split by a slip of sacreBLEU's
    ("zh-fixed", "a–b", "a–b"),
    ("zh", "\U00020000a", "\U00020000a"),
    ("zh-fixed", "\U00020000a", "\U00020000 a"),
]


@pytest.mark.parametrize(("name", "line", "expected"), LINES)
def test_tokens(name: str, line: str, expected: str) -> None:
    assert find_tokenizer(name).tokenize(line) == expected


@pytest.mark.parametrize(("name", "line", "expected"), LINES)
def test_the_kernel_counts_the_same_tokens(name: str, line: str, expected: str) -> None:
    kernel()
    own = BLEU(tokenize=name).count([line], [line]).totals()
    meant = BLEU(tokenize="none").count([expected], [expected]).totals()
    assert own.values == meant.values
    mixed = BLEU(tokenize=name).count([line], [expected]).totals()
    with counted_by_python():
        assert BLEU(tokenize=name).count([line], [expected]).totals() == mixed


@pytest.mark.parametrize("name", ["13a", "mteval-v13a"])
def test_all_short_lines_of_what_13a_treats_apart(name: str) -> None:
    in_kernel, in_python = kernel().tokenize, find_tokenizer(name).tokenize
    for length in range(6 if effort.is_whole() else 5):
        for characters in product("a1.,- &/\u00e9", repeat=length):
            line = "".join(characters)
            assert in_kernel(name, line) == in_python(line).split(), line


def test_the_fixed_ranges_are_the_others_but_for_the_two_slips() -> None:
    slip = (0x2001, 0x2A6D)
    meant = {(0x20000, 0x2A6D6), (0x2F800, 0x2FA1D)}
    fixed, parity = (
        {c for low, high in ranges for c in range(low, high + 1)}
        for ranges in (FIXED_RANGES, RANGES)
    )
    assert slip in RANGES
    assert meant <= set(FIXED_RANGES)
    assert all(slip[0] <= c <= slip[1] for c in parity - fixed)
    assert fixed - parity == {c for low, high in meant for c in range(low, high + 1)}


class TestTercom:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("a, b.", ["a", ",", "b", "."]),
            ("1,000.5", ["1,000.5"]),
            ("it's s's ", ["it", "'s", "s", "'s"]),
            ("&lt;b&gt; &quot;&amp;", ["<", "b", ">", '"', "&"]),
            ("a\n-b\nc", ["ab", "c"]),
            ("3-4 a-b", ["3", "-", "4", "a-b"]),
            ("", []),
        ],
    )
    def test_normalized(self, line: str, expected: list[str]) -> None:
        assert tercom.tokenize(line, normalized=True) == expected

    def test_not_normalized(self) -> None:
        assert tercom.tokenize("a, &lt;\n-b") == ["a,", "&lt;", "-b"]

    def test_punctuation_goes(self) -> None:
        assert tercom.tokenize('.,?:;!"() a-b', no_punct=True) == ["a-b"]
        assert tercom.tokenize("a。b、", no_punct=True) == ["a。b、"]
        assert tercom.tokenize("a。b、", no_punct=True, asian_support=True) == ["ab"]

    def test_characters_of_asia_stand_alone_with_normalized(self) -> None:
        assert tercom.tokenize("你好a", normalized=True) == ["你好a"]
        assert tercom.tokenize("你好a", normalized=True, asian_support=True) == ["你", "好", "a"]
        assert tercom.tokenize("你好a", asian_support=True) == ["你好a"]
