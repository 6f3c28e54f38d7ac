"""Codes of languages, and what users write instead of them."""

from __future__ import annotations

import pytest

from bleuet import BLEU, OptionError, make_metric
from bleuet.cli.metric_selection import target_language
from bleuet.compat import sacrebleu
from bleuet.text.languages import LANGUAGES, OTHER_SCRIPTS, language_code
from bleuet.text.tokenizers import BY_LANGUAGE


def test_every_code_of_two_letters_is_a_language() -> None:
    assert len(LANGUAGES) == 184
    assert {code: language_code(code) for code in LANGUAGES} == {code: code for code in LANGUAGES}
    # Codes of countries that are also codes of other languages.
    for code in ("se", "kr", "br", "ch", "sa", "tw", "be", "uk"):
        assert language_code(code) == code
    assert set(BY_LANGUAGE) | OTHER_SCRIPTS <= {*LANGUAGES, "yue"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", ""),
        ("JA", "ja"),
        ("ja_JP", "ja"),
        ("zh-TW", "zh"),
        ("zh-Hant-TW", "zh"),
        ("zho_Hans", "zh"),
        ("chi", "zh"),
        ("cmn", "zh"),
        ("deu", "de"),
        ("ger", "de"),
        ("pt-BR", "pt"),
        ("es-419", "es"),
        ("yue_Hant", "yue"),
        ("ewe", "ee"),
        ("iw", "he"),
        ("ceb_Latn", "ceb"),
    ],
)
def test_codes(text: str, code: str) -> None:
    assert language_code(text) == code


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("cn", "zh"),
        ("jp", "ja"),
        ("cz", "cs"),
        ("ua", "uk"),
        ("dk", "da"),
        ("ge", "de or ka"),
        ("chinese", "zh"),
        ("Japanese", "ja"),
        ("KOREAN", "ko"),
        ("Haitian Creole", "ht"),
        ("Serbo-Croatian", "sh"),
        ("cn_Hans", "zh"),
    ],
)
def test_other_words_name_the_code_that_is_meant(text: str, meant: str) -> None:
    wanted = f"there is no language '{text}' \\(did you mean {meant}\\?\\): write a code of ISO 639"
    with pytest.raises(OptionError, match=wanted):
        language_code(text)
    with pytest.raises(OptionError, match=f"BLEU: trg_lang is unknown: {wanted}"):
        BLEU(trg_lang=text)
    with pytest.raises(OptionError, match=wanted):
        make_metric("chrf", trg_lang=text)


@pytest.mark.parametrize("text", ["xx", "e", "zh-", "z1", "zh--TW", "日本", "tlh1", "-", "zh TW"])
def test_words_that_are_no_language(text: str) -> None:
    with pytest.raises(OptionError, match=r"there is no language '.*': write"):
        language_code(text)


def test_every_english_name_leads_to_its_code() -> None:
    for code, name in LANGUAGES.items():
        if name.lower() not in ("ewe", "ido", "lao", "twi"):  # codes of three letters
            with pytest.raises(OptionError, match=rf"did you mean {code}\?"):
                language_code(name)
        else:
            assert language_code(name) == code


@pytest.mark.parametrize(
    ("pair", "language"),
    [
        ("en-zh-TW", "zh"),
        ("zh-TW-en", "en"),
        ("pt-BR-fr-CA", "fr"),
        ("es-419-zh-Hant-TW", "zh"),
        ("pt_BR-zh_Hans", "zh"),
        ("xx-zh", "zh"),
        ("ces_Latn-nob_Latn", "nb"),
    ],
)
def test_pairs(pair: str, language: str) -> None:
    assert target_language(pair) == language


@pytest.mark.parametrize(
    ("pair", "problem"),
    [
        ("en-cn", r"--language-pair en-cn: there is no language 'cn' \(did you mean zh\?\)"),
        ("jp-en", r"there is no language 'jp' \(did you mean ja\?\)"),
        ("en-xx", "there is no language 'xx': write"),
        ("zh-tw-en", "must be two languages and one hyphen"),
        ("en-", "must be two languages and one hyphen"),
        ("en", "must be two languages and one hyphen"),
        # A Breton text of England, or Brazilian Portuguese and English.
        ("PT-BR-EN", "must be two languages and one hyphen"),
    ],
)
def test_pairs_that_are_none(pair: str, problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        target_language(pair)


def test_sacrebleus_classes_take_any_word() -> None:
    assert sacrebleu.BLEU(trg_lang="cn").tokenizer_signature == "13a"
