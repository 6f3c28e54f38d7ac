"""The table of tokenizers: names, what they need, and what is refused."""

from __future__ import annotations

import pickle

import pytest

from bleuet import BLEU, OptionError
from bleuet.text.tokenizers import (
    BY_LANGUAGE,
    TOKENIZERS,
    find_tokenizer,
    tokenizer_for_language,
)


def test_every_line_is_found_under_its_name() -> None:
    for name, tokenizer in TOKENIZERS.items():
        assert tokenizer.name == name
        assert len(tokenizer.summary) > 10
        if tokenizer.in_kernel:
            assert find_tokenizer(name) is tokenizer
            assert tokenizer.signature() == name
            assert tokenizer.tokenize("a") == "a"


def test_the_kernels_tokenizers() -> None:
    in_kernel = {name for name, tokenizer in TOKENIZERS.items() if tokenizer.in_kernel}
    assert in_kernel == {"13a", "none", "char", "intl", "zh", "zh-fixed", "mteval-v13a"}
    others = [name for name, one in TOKENIZERS.items() if not one.in_sacrebleu]
    assert others == ["zh-fixed", "mteval-v13a", "mteval-v14"]


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("13b", "13a"), ("international", "intl"), ("ja", "ja-mecab"), ("cha", "char")],
)
def test_a_name_nearly_right(wrong: str, near: str) -> None:
    with pytest.raises(OptionError) as caught:
        find_tokenizer(wrong)
    assert f"there is no tokenizer '{wrong}' (did you mean {near}?)" in str(caught.value)
    assert all(name in str(caught.value) for name in TOKENIZERS)


def test_a_signature_of_sacrebleu_names_no_model_of_a_file() -> None:
    """A tokenizer that is known by a signature alone is sacreBLEU's, unless a file makes it."""
    for tok, in_sacrebleu in (("flores101", True), ("ja-mecab-0.996-IPA", True), ("spm-ab", False)):
        assert find_tokenizer(f"signed:{tok}").in_sacrebleu == in_sacrebleu


@pytest.mark.parametrize("wrong", ["", "xyzzy", "SPM:a", None, 13])
def test_a_name_that_is_none(wrong: object) -> None:
    with pytest.raises(OptionError, match="there is no tokenizer"):
        find_tokenizer(wrong)  # type: ignore[arg-type]


def test_languages() -> None:
    assert {code: tokenizer_for_language(code) for code in BY_LANGUAGE} == BY_LANGUAGE
    assert set(BY_LANGUAGE.values()) <= set(TOKENIZERS)
    assert tokenizer_for_language("en") == tokenizer_for_language("") == "13a"
    # Scripts and regions, in any case and with either sign.
    for code in ("zh-TW", "zh_TW", "ZH_Hans_CN", "zh-Hant-TW", "Zh"):
        assert tokenizer_for_language(code) == "zh"
    assert tokenizer_for_language("kok") == tokenizer_for_language("zha_CN") == "13a"


def test_a_metric_with_a_tokenizer_that_was_used_can_be_pickled() -> None:
    metric = BLEU(tokenize="zh-fixed")
    TOKENIZERS["zh-fixed"].tokenize("a")
    assert pickle.loads(pickle.dumps(metric)) == metric
