"""Languages that are written without spaces between words, found by their scripts."""

from __future__ import annotations

from collections import Counter

from bleuet.text.tokenizers import BY_LANGUAGE

# The first and last character of each script, the language of the text and its name.
SCRIPTS = (
    (0x0E00, 0x0E7F, "th", "Thai"),
    (0x0E80, 0x0EFF, "lo", "Lao"),
    (0x0F00, 0x0FFF, "bo", "Tibetan"),
    (0x1000, 0x109F, "my", "Burmese"),
    (0x1780, 0x17FF, "km", "Khmer"),
    (0x3040, 0x30FF, "ja", "Japanese"),
    (0x3400, 0x4DBF, "zh", "Chinese"),
    (0x4E00, 0x9FFF, "zh", "Chinese"),
    (0xAC00, 0xD7AF, "ko", "Korean"),
    (0x20000, 0x3FFFF, "zh", "Chinese"),
)
# Their marks: Chinese, Japanese and full-width punctuation.
MARKS = ((0x3000, 0x303F), (0xFF00, 0xFFEF))
NAMES = {language: name for _, _, language, name in SCRIPTS}
# A text is in a script if it has at least this share of the marks, and so many.
SHARE, LEAST = 0.5, 4
# Japanese has at least this share of kana among its ideographs.
KANA = 0.1
# A text has no spaces between words if there are more letters than these for each space. Korean
# has spaces, but between groups of words.
RUN, KOREAN_RUN = 7, 2.5


def language_without_spaces(utf8: bytes) -> str:
    """Return the language of a text without spaces between words, "" for other text.

    Args:
        utf8: the first lines of the text; the last character may be cut.

    Returns:
        A key of `NAMES`.

    >>> language_without_spaces("猫坐在旧椅子上。今天下雨。".encode())
    'zh'
    >>> language_without_spaces("A cat sat on the old chair.".encode())
    ''
    """
    marks = Counter(utf8.decode("utf-8", "ignore"))
    spaces = marks.pop(" ", 0)
    del marks["\n"]
    found: Counter[str] = Counter()
    for mark, count in marks.items():
        code = ord(mark)
        for first, last, language, _ in SCRIPTS:
            if first <= code <= last:
                found[language] += count
    if found["ja"] >= KANA * found["zh"]:
        found["ja"] += found.pop("zh", 0)
    language, count = found.most_common(1)[0] if found else ("", 0)
    if count < max(LEAST, SHARE * marks.total()):
        return ""
    return language if count > spaces * (KOREAN_RUN if language == "ko" else RUN) else ""


def is_unspaced(character: str) -> bool:
    """Return whether a character is of a script that has no spaces between words.

    >>> is_unspaced("猫"), is_unspaced("。"), is_unspaced("é"), is_unspaced("한")
    (True, True, False, False)
    """
    code = ord(character)
    return any(
        first <= code <= last for first, last, language, _ in SCRIPTS if language != "ko"
    ) or any(first <= code <= last for first, last in MARKS)


def fitting_tokenizers(language: str) -> list[str]:
    """Return the tokenizers that fit a language without spaces, the usual one first.

    >>> fitting_tokenizers("ja"), fitting_tokenizers("th")
    (['ja-mecab', 'char'], ['flores200', 'char'])
    """
    return [BY_LANGUAGE.get(language, "flores200"), "char"]
