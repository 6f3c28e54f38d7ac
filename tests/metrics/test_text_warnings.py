"""Texts that make scores meaningless: warnings in Python, once for each metric."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import normalize

import pytest

from bleuet import (
    BLEU,
    CHRF,
    METEOR,
    ROUGE,
    TER,
    WER,
    BleuetWarning,
    Corpus,
    Metric,
    compare,
    explain,
    mbr,
)
from bleuet import score as score_texts
from bleuet.adapters.items import items_of
from bleuet.compat import sacrebleu
from bleuet.metrics.catalogue import parse_metric
from bleuet.metrics.self_bleu import SelfBLEU
from bleuet.rewards import Reward
from bleuet.significance import Evaluation, FewSegmentsWarning
from bleuet.web.operations import score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHINESE = ["猫坐在旧椅子上。今天下雨了。", "我们去公园散步吧。他们很高兴。"] * 3
CHINESE_OUTPUT = ["猫坐在旧椅子上。今天下雪了。", "我们去公园玩吧。他们很开心。"] * 3
JAPANESE = ["猫は古い椅子の上に座った。", "一晩中雨が降った。"]
KOREAN = ["고양이는 낡은 의자에 앉았다.", "골짜기에는 밤새도록 비가 내렸다."]
THAI = ["แมวนั่งบนเก้าอี้เก่า", "ฝนตกทั้งคืนในหุบเขา"]
HINDI = ["बिल्ली पुरानी कुर्सी पर बैठी है।", "वह 3 बजे आया।"]
GERMAN = ["Die Bürger mögen süße Äpfel.", "Größere Häuser überall."]
ENGLISH = ["The cat sat on the chair.", "It rained all night."]

BY_TOKENIZER = (
    "the references are in Chinese, which tokenizer 13a does not split into words: use tokenize=zh "
    "(or char), as in bleu:tokenize=zh or -l xx-zh"
)


@contextmanager
def heard() -> Iterator[list[str]]:
    """What is warned of, at every place once, as Python does it."""
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.simplefilter("default")
        yield messages
    for one in caught:
        assert one.category is BleuetWarning
        assert one.filename == __file__, one
        messages.append(str(one.message))


def told_of(metric: Metric[Any], hypotheses: list[str], references: list[str]) -> list[str]:
    with heard() as messages:
        metric.corpus_score(hypotheses, references)
    return messages


# --- Which texts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        *((name, BY_TOKENIZER) for name in ("bleu", "mean-bleu", "gleu", "nist", "ribes", "cider")),
        ("crystal-bleu", BY_TOKENIZER),
        ("bleu:tokenize=mteval-v13a", "tokenizer mteval-v13a does not split into words"),
        ("wer", "which WER does not split into words: use tokenize=char, as in cer"),
        ("per", "which WER does not split into words: use tokenize=char, as in cer"),
        ("ter", "which TER does not split into words: use ter:normalized,asian_support, or chrf"),
        ("meteor", "which METEOR does not split into words: use chrf"),
        ("token-f1", "which TokenF1 does not split into words: use chrf"),
        ("rouge-l", "which ROUGE with tokenize=rouge does not split into words: use tokenize=uni"),
    ],
)
def test_text_without_spaces(name: str, sentence: str) -> None:
    metric = parse_metric(name)
    messages = told_of(metric, CHINESE_OUTPUT, CHINESE)
    assert len(messages) == 1
    assert sentence in messages[0]
    assert told_of(metric, CHINESE_OUTPUT, CHINESE) == []  # once for each metric
    assert told_of(parse_metric(name), GERMAN, GERMAN[::-1]) == []
    assert told_of(parse_metric(name), ENGLISH, ENGLISH[::-1]) == []


@pytest.mark.parametrize(
    "name",
    ["chrf", "chrf++", "eed", "cer", "exact-match", "bleu:tokenize=zh", "bleu:tokenize=char",
     "wer:tokenize=char", "ter:normalized,asian_support", "rouge-l:tokenize=unicode"],
)  # fmt: skip
def test_metrics_that_suit_it(name: str) -> None:
    for references in (CHINESE, JAPANESE):
        assert told_of(parse_metric(name), references[::-1], references) == []


def test_languages() -> None:
    assert "are in Japanese" in told_of(BLEU(), JAPANESE[::-1], JAPANESE)[0]
    assert "are in Thai" in told_of(BLEU(), THAI[::-1], THAI)[0]
    assert "use tokenize=flores200 (or char), as in bleu:tokenize=flores200" in told_of(
        BLEU(), THAI[::-1], THAI
    )[0].removesuffix(" or -l")
    assert "are in Korean" in told_of(BLEU(), KOREAN[::-1], KOREAN)[0]
    # Its groups of words have spaces between them.
    assert told_of(WER(), KOREAN[::-1], KOREAN) == []
    assert "are in Japanese" in told_of(WER(), JAPANESE[::-1], JAPANESE)[0]


def test_rouge_of_other_letters() -> None:
    with heard() as messages:
        ROUGE(variant="1").corpus_score([HINDI[0], "a 3"], HINDI)
    assert messages == [
        f"{count} of {side} {has} letters, but none of a to z, which alone ROUGE's tokenizer "
        "keeps: use tokenize=unicode, as in rouge-l:tokenize=unicode"
        for count, side, has in (
            ("2 lines", "the references", "have"), ("1 line", "the hypotheses", "has"),
        )
    ]  # fmt: skip
    with heard() as messages:
        ROUGE(variant="1").sentence_score(HINDI[0], HINDI[0])
    assert messages[0].startswith("1 line of the references has letters, but none of a to z")
    for metric in (BLEU(), METEOR(matchers="exact"), ROUGE(tokenize="unicode")):
        assert told_of(metric, HINDI[::-1], HINDI) == []


def test_empty_texts() -> None:
    assert told_of(CHRF(), ["", *ENGLISH[1:]], ENGLISH) == ["1 line of the hypotheses is empty"]
    assert told_of(CHRF(), ["", ""], ENGLISH) == ["2 lines of the hypotheses are empty"]
    assert told_of(CHRF(), ENGLISH, ["", ENGLISH[1]]) == ["1 line of the references is empty"]
    with heard() as messages:
        CHRF().sentence_score("", "a")
    assert messages == []


def test_one_system_without_a_name() -> None:
    with heard() as messages:
        score_texts(["a", ""], ENGLISH, ["chrf"])
    assert messages == ["1 line of the hypotheses is empty"]


def test_tokenized_text() -> None:
    lines = [f"A cat {n} ." for n in range(100)]
    assert told_of(BLEU(), lines, lines[::-1]) == [
        "100 lines of the hypotheses or more end in ' .', as tokenized text does; scores are "
        "comparable only on detokenized text"
    ]
    assert told_of(BLEU(), [*lines[1:], "A cat."], lines) == []
    assert told_of(BLEU(tokenize="none"), lines, lines[::-1]) == []


def test_several_kinds_of_problems_of_one_metric() -> None:
    bleu = BLEU()
    assert told_of(bleu, CHINESE_OUTPUT, CHINESE) == [BY_TOKENIZER]
    assert told_of(bleu, ["", ENGLISH[0]], ENGLISH) == ["1 line of the hypotheses is empty"]
    assert told_of(bleu, ["", *CHINESE_OUTPUT[1:]], CHINESE) == []


# --- References that are padded with empty texts --------------------------------------------------

PADDED = [["It rained all night in the valley.", ""]]
PADDED_BY = "1 reference is empty, and it counts as a reference of length 0: leave out missing ones"
PADDED_CALLS: dict[str, Callable[[], object]] = {
    "score": lambda: score_texts(["It rained."], PADDED),
    "corpus": lambda: BLEU().corpus_score(["It rained."], PADDED),
    "a corpus": lambda: BLEU().corpus_score(Corpus(["It rained."], PADDED)),
    "sacreBLEU's layout": lambda: BLEU().corpus_score(
        Corpus.from_sacrebleu(["It rained."], list(zip(*PADDED, strict=True)))
    ),
    "sentences": lambda: WER().sentence_scores(["It rained."], PADDED),
    "a sentence": lambda: BLEU().sentence_score("It rained.", PADDED[0]),
    "prepared": lambda: BLEU().prepare_references(PADDED),
    "a matrix": lambda: CHRF().matrix(["It rained."], PADDED),
    "evaluation": lambda: Evaluation.count(["bleu"], {"a": ["It rained."]}, PADDED),
    "compare": lambda: compare({"a": ["It rained."]}, PADDED, ["bleu"]),
    "reward": lambda: Reward("bleu")(["It rained."], PADDED),
    "reward of one": lambda: Reward("bleu").score("It rained.", PADDED[0]),
    "items of frameworks": lambda: items_of("bleu").row("It rained.", PADDED[0]),
}


@pytest.mark.parametrize("name", PADDED_CALLS)
def test_padded_references_are_noticed_by_every_call(name: str) -> None:
    with heard() as messages:
        PADDED_CALLS[name]()
    assert messages == [PADDED_BY]


def test_references_without_padding_are_silent() -> None:
    for references in ([["a b", "a c"]], [["a b", None]], ["a b"], [("a b", "c")]):
        assert told_of(BLEU(), ["a d"], references) == []  # type: ignore[arg-type]


@pytest.mark.libraries
def test_padded_references_in_sql_and_frames() -> None:
    import duckdb
    import polars

    from bleuet.duckdb import register
    from bleuet.polars import sentence_bleu

    connection = duckdb.connect()
    register(connection, {"bleu": "bleu"})
    frame = polars.DataFrame({"hyp": ["It rained."], "ref": PADDED})
    for call in (
        lambda: connection.execute("SELECT sentence_bleu_list('It rained.', ['It did.', ''])"),
        lambda: frame.select(sentence_bleu("hyp", "ref")),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()  # type: ignore[no-untyped-call]
        assert PADDED_BY in [str(one.message) for one in caught]


# --- Which calls ----------------------------------------------------------------------------------

CALLS: dict[str, Callable[[], object]] = {
    "corpus": lambda: BLEU().corpus_score(CHINESE_OUTPUT, CHINESE),
    "tuples": lambda: BLEU().corpus_score(tuple(CHINESE_OUTPUT), tuple(CHINESE)),
    "several references": lambda: BLEU().corpus_score(CHINESE_OUTPUT, [[one] for one in CHINESE]),
    "a corpus": lambda: BLEU().corpus_score(Corpus(CHINESE_OUTPUT, CHINESE)),
    "count": lambda: BLEU().count(CHINESE_OUTPUT, CHINESE),
    "sentences": lambda: BLEU().sentence_scores(CHINESE_OUTPUT, CHINESE),
    "a sentence": lambda: BLEU().sentence_score(CHINESE_OUTPUT[0], CHINESE[0]),
    "a sentence with references": lambda: BLEU().sentence_score(CHINESE_OUTPUT[0], [CHINESE[0]]),
    "prepared": lambda: BLEU().prepare_references(CHINESE),
    "a matrix": lambda: BLEU().matrix(CHINESE_OUTPUT, CHINESE),
    "marks": lambda: BLEU().marked(CHINESE_OUTPUT[0], CHINESE[0]),
    "steps": lambda: explain(BLEU(), BLEU(smooth="floor"), CHINESE_OUTPUT, CHINESE),
    "compare": lambda: compare({"a": CHINESE_OUTPUT}, CHINESE, ["bleu"]),
    "evaluation": lambda: Evaluation.count(["bleu"], {"a": CHINESE_OUTPUT}, CHINESE),
    "reward": lambda: Reward("bleu")(CHINESE_OUTPUT, CHINESE),
    "reward of one": lambda: Reward("bleu").score(CHINESE_OUTPUT[0], CHINESE[0]),
    "mbr": lambda: mbr([CHINESE], BLEU(effective_order=True)),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_call_warns_once(name: str) -> None:
    with heard() as messages:
        for _ in range(3):
            CALLS[name]()
    assert messages == [BY_TOKENIZER]


def test_sentences_are_looked_at_where_nothing_matches() -> None:
    bleu = BLEU(effective_order=True)
    with heard() as messages:
        for hypothesis, reference in zip(["Hi.", *CHINESE_OUTPUT], ["Hi!", *CHINESE], strict=True):
            bleu.sentence_score(hypothesis, reference)
    assert messages == [BY_TOKENIZER]
    for kind in (TER, WER, METEOR):
        with heard() as messages:
            for hypothesis, reference in zip(CHINESE_OUTPUT, CHINESE, strict=True):
                kind().sentence_score(hypothesis, reference)
        assert len(messages) == 1


def test_a_reward_warns_once_whatever_the_filter_says() -> None:
    reward = Reward("bleu")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(4):
            reward(CHINESE_OUTPUT, CHINESE)
    assert [str(one.message) for one in caught] == [BY_TOKENIZER]


def test_systems_have_their_names() -> None:
    systems = {"mine": ENGLISH, "theirs": ["", ENGLISH[1]]}
    with heard() as messages:
        Evaluation.count([CHRF()], systems, ENGLISH)
        compare(systems, ENGLISH, [CHRF()])
    assert messages == ["1 line of theirs is empty"] * 2


def test_prepared_references_are_checked_first_and_hypotheses_then() -> None:
    bleu = BLEU()
    with heard() as messages:
        prepared = bleu.prepare_references(CHINESE)
        bleu.corpus_score(["", *CHINESE_OUTPUT[1:]], prepared)
    assert messages == [BY_TOKENIZER, "1 line of the hypotheses is empty"]


def test_what_was_warned_of_is_no_part_of_a_metric() -> None:
    bleu = BLEU()
    told_of(bleu, CHINESE_OUTPUT, CHINESE)
    assert bleu == BLEU()
    assert hash(bleu) == hash(BLEU())
    for copy in (pickle.loads(pickle.dumps(bleu)), bleu.with_options(lowercase=True)):
        assert told_of(copy, CHINESE_OUTPUT, CHINESE) == [BY_TOKENIZER]


def test_token_ids_are_no_text() -> None:
    with heard() as messages:
        BLEU(tokenize="ids").corpus_score([[1, 2], []], [[1, 3], [2]])
        BLEU(tokenize="ids").sentence_score([1], [2])
    assert messages == []


def test_sacrebleus_classes_and_the_server_are_silent() -> None:
    with heard() as messages:
        sacrebleu.BLEU().corpus_score(CHINESE_OUTPUT, [CHINESE])
        sacrebleu.BLEU(references=[CHINESE]).corpus_score(CHINESE_OUTPUT, None)
        sacrebleu.sentence_bleu(CHINESE_OUTPUT[0], [CHINESE[0]])
        score(hypotheses=CHINESE_OUTPUT, references=CHINESE, metrics=["bleu", "wer"])
    assert messages == []


# --- The category ---------------------------------------------------------------------------------


def test_the_category_is_that_of_all_warnings() -> None:
    assert issubclass(BleuetWarning, UserWarning)
    assert issubclass(FewSegmentsWarning, BleuetWarning)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=BleuetWarning)
        BLEU().corpus_score(CHINESE_OUTPUT, CHINESE)
        warnings.filterwarnings("error", category=BleuetWarning)
        with pytest.raises(BleuetWarning, match="are in Chinese"):
            BLEU().corpus_score(CHINESE_OUTPUT, CHINESE)


@pytest.mark.usefixtures("needs_kernel")
def test_scores_need_no_module_of_warnings() -> None:
    code = (
        "import sys; before = set(sys.modules); from bleuet import BLEU; "
        "BLEU().corpus_score(['a b'], ['a c']); BLEU().sentence_score('ä', 'ö'); "
        "print(sorted({'re', 'bleuet.text.tokenizers.unspaced', 'bleuet.text.languages'} "
        "& (set(sys.modules) - before)))"
    )
    shell = {**os.environ, "BLEUET_BACKEND": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=shell
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("name", ["cider", "cider-d"])
def test_metrics_that_learn_nothing_from_one_segment(name: str) -> None:
    text, said = ["a cat sat on a mat"], "of 1 segment alone is always 0"
    calls: list[Any] = [
        lambda: parse_metric(name).corpus_score(text, text),
        lambda: parse_metric(name).sentence_score(text[0], text[0]),
        lambda: parse_metric(name).sentence_scores(text, [text]),
        lambda: score_texts(text, text, name),
    ]
    for call in calls:
        with pytest.warns(BleuetWarning, match=said) as caught:
            call()
        assert len(caught) == 1
    metric = parse_metric(name)
    learned = metric.with_learned(metric.learn([*text, "two dogs run"]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert learned.sentence_score(text[0], text[0]).score > 0
        parse_metric(name).corpus_score([*text, "dogs"], [*text, "two dogs"])


FORMS: list[Literal["NFC", "NFD"]] = ["NFC", "NFD"]


@pytest.mark.parametrize("lines", [3, 150])
@pytest.mark.parametrize("forms", [FORMS, FORMS[::-1]])
def test_letters_of_another_normal_form_are_warned_of(
    forms: list[Literal["NFC", "NFD"]], lines: int
) -> None:
    text = ["le d\u00e9part \u00e9tait pr\u00e9vu", "il est \u00e9tonn\u00e9", "rien de plus"]
    hypotheses, references = (
        [normalize(form, entry) for entry in text * (lines // 3)] for form in forms
    )
    sentence = {
        "NFC": "are in Unicode's normal form C, as the references are not",
        "NFD": "are not in Unicode's normal form C, as the references are",
    }[forms[0]]
    with pytest.warns(BleuetWarning, match=sentence):
        BLEU().corpus_score(hypotheses, references)
    with pytest.warns(BleuetWarning, match=f"^mine {sentence.replace('are', 'is', 1)}"):
        score_texts({"mine": hypotheses}, references, ["chrf"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "\u043a\u0430\u043a\u043e\u0438\u0306 \u0434\u0435\u043d\u044c",
            "\u043a\u0430\u043a\u043e\u0439 \u0434\u0435\u043d\u044c",
        ),
        (
            "\u092a\u095d\u0928\u093e \u0938\u095c\u0915",
            "\u092a\u0922\u093c\u0928\u093e \u0938\u0921\u093c\u0915",
        ),
    ],
    ids=["Cyrillic", "Devanagari"],
)
def test_normal_forms_of_other_scripts(one: str, other: str) -> None:
    for hypothesis, reference in ((one, other), (other, one)):
        with pytest.warns(BleuetWarning, match="Unicode's normal form C, as the references are"):
            CHRF().corpus_score([hypothesis] * 4, [reference] * 4)


def test_letters_of_one_normal_form_are_silent() -> None:
    for form in FORMS:
        texts = [normalize(form, "le d\u00e9part \u00e9tait"), "it left"] * 20
        with warnings.catch_warnings(action="error"):
            CHRF().corpus_score([text[1:] for text in texts], texts)
            CHRF().corpus_score(["the depart"] * 40, texts)


def test_texts_are_the_same_as_references_only_where_these_are_known() -> None:
    texts, others = [[f"{word} sat on mat {number}" for number in range(12)] for word in "ab"]
    with warnings.catch_warnings(action="error"):
        bleu = BLEU()
        bleu.count(texts, bleu.prepare_references(others))
        SelfBLEU().score_texts(texts)
    with pytest.warns(BleuetWarning, match="^the hypotheses are the same as a reference, line"):
        BLEU().count(texts, texts)
