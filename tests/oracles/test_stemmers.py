"""The stemmers against METEOR 1.5 and, live, against the program that Snowball generates."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from bleuet import METEOR
from bleuet.text.stemmers import STEMMERS, find_stemmer
from tests.oracles import stem_goldens

every_language = pytest.mark.parametrize("language", STEMMERS)
# What Snowball has changed from METEOR 1.5 to PyStemmer 2.2: words that match may have other stems.
CHANGED = {
    # Digits and signs were consonants, of which a double one loses a letter.
    "da": r"[^a-zæøå]",
    # -nisse becomes -nis.
    "de": "niss|niß",
    # Digits and å were consonants; METEOR's program never finds these endings.
    "fi": "[^a-zäö]|siin$|seen$|den$|tten$",
    "fr": "[ëïA-Z]",
    # õ and û were written for them.
    "hu": "[őűõû]",
    # è is two of the three letters before R1, since PyStemmer counts bytes.
    "nl": "[èA-Z]",
    # The endings were Spanish.
    "pt": "uci(ón|ones)|uç(ão|ões)|logía|logia",
    # ё becomes е.
    "ru": "ё",
}
DIFFERENT = [
    ("da", "abba22", "abba2", "abba22"),
    ("de", "verhältnisse", "verhaltniss", "verhaltnis"),
    ("fi", "vapaaseen", "vapaas", "vapa"),
    ("fi", "2000", "200", "2000"),
    ("fr", "ëa", "ëa", "ë"),
    ("hu", "kővel", "kővel", "kő"),
    ("nl", "ène", "ène", "èn"),
    ("pt", "institución", "institu", "institución"),
    ("ru", "актёром", "актёр", "актер"),
]


@every_language
def test_meteor_1_5(language: str) -> None:
    """2,000 words of each of 15 languages.

    > each of 30,000 drawn words of all 15 languages has the stem that METEOR's program prints.
    """
    stem = find_stemmer(language)
    found = [
        (word, stem(word), theirs)
        for other, word, theirs in stem_goldens.stored()
        if other == language
    ]
    assert len(found) >= stem_goldens.COUNT
    assert [one for one in found if one[1] != one[2]] == []


@pytest.mark.peers
@every_language
def test_snowball(language: str) -> None:
    snowball = import_module("Stemmer").Stemmer(STEMMERS[language], 0)
    changed = CHANGED.get(language)
    stem = find_stemmer(language)
    words = [
        word
        for other, word, _ in stem_goldens.stored()
        if other == language and not (changed and re.search(changed, word))
    ]
    assert len(words) > 500
    assert list(map(stem, words)) == snowball.stemWords(words)


@pytest.mark.peers
@pytest.mark.parametrize(("language", "word", "ours", "theirs"), DIFFERENT)
def test_what_snowball_changed(language: str, word: str, ours: str, theirs: str) -> None:
    """The stem of each by both.

    > **Stems** include what later versions of Snowball corrected: `ё` is no vowel, Hungarian `ő`
      and `ű` neither, and a Finnish word that ends in `-seen` loses only the `n`.
    """
    assert find_stemmer(language)(word) == ours
    assert import_module("Stemmer").Stemmer(STEMMERS[language], 0).stemWord(word) == theirs


@every_language
def test_any_text_has_a_stem(language: str) -> None:
    stem = find_stemmer(language)
    for word in ("", "x", "'", "\ud800s", "𝒳es", "1.5", "Ё", "e" * 10_000, "é" * 10_000):
        assert len(stem(word)) <= len(word)


@every_language
def test_words_match_by_their_stems(language: str) -> None:
    several = {
        stem: word
        for other, word, stem in stem_goldens.stored()
        if other == language and word.islower() and stem.isalpha() and stem != word
    }
    stem, word = next(iter(several.items()))
    assert find_stemmer(language)(stem) == stem
    options: dict[str, Any] = {"language": language, "matchers": "stem", "normalize": "none"}
    metric = METEOR(**options)
    assert metric.sentence_score(word, stem).matches == 1


def test_an_italian_pronoun_behind_an_infinitive_gives_the_e_back() -> None:
    """As Snowball's step 0 says, so that the stem is that of the infinitive."""
    stem = find_stemmer("it")
    pairs = {"vederci": "vedere", "crederci": "credere", "venderci": "vendere"}
    assert {word: stem(word) for word in pairs} == {
        word: stem(infinitive) for word, infinitive in pairs.items()
    }
