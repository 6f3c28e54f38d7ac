"""References in another layout: words where texts are expected, and transposed lists."""

from __future__ import annotations

import random
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, CHRF, WER, Corpus, InputError, score
from bleuet.rewards import Reward
from bleuet.significance import Evaluation
from bleuet.text.layouts import TRANSPOSED, WORDS, are_transposed, are_words
from tests.evaluation_data import EvaluationData

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HYPOTHESES = [
    "the ferry left the harbour at nine",
    "nobody came on deck",
    "it rained all night long",
]
REFERENCES = [
    ["the ferry left harbour at nine", "at nine the ferry left", "the ferry left the port at nine"],
    ["nobody was on deck", "no one came on deck", "there was nobody on deck"],
    ["it rained all night", "the whole night it rained", "it was raining the whole night"],
]
STREAMS = [list(column) for column in zip(*REFERENCES, strict=True)]
TOKENS = [references[0].split() for references in REFERENCES]


@contextmanager
def heard() -> Iterator[list[str]]:
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield messages
    messages += [str(one.message) for one in caught]


CALLS: dict[str, Callable[[Any], object]] = {
    "score": lambda references: score(HYPOTHESES, references),
    "corpus": lambda references: BLEU().corpus_score(HYPOTHESES, references),
    "a corpus": lambda references: CHRF().corpus_score(Corpus(HYPOTHESES, references)),
    "sentences": lambda references: WER().sentence_scores(HYPOTHESES, references),
    "evaluation": lambda references: Evaluation.count(["ter"], {"a": HYPOTHESES}, references),
    "reward": lambda references: Reward("chrf")(HYPOTHESES, references),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_call_notices_both(name: str) -> None:
    for references, sentence in ((TOKENS, WORDS), (STREAMS, TRANSPOSED)):
        with heard() as messages:
            CALLS[name](references)
        assert messages == [sentence]
    with heard() as messages:
        CALLS[name](REFERENCES)
    assert messages == []


def test_words_of_one_sentence() -> None:
    for metric in (BLEU(effective_order=True), CHRF(), WER()):
        with heard() as messages:
            metric.sentence_score(HYPOTHESES[0], TOKENS[0])
        assert messages == [WORDS]
        with heard() as messages:
            metric.sentence_score(HYPOTHESES[0], REFERENCES[0])
            metric.sentence_score("Paris is it", ["Paris", "paris", "PARIS"])
        assert messages == []


def test_streams_that_are_none() -> None:
    corpus = Corpus.from_sacrebleu(HYPOTHESES, REFERENCES)
    with heard() as messages:
        BLEU().corpus_score(corpus)
    assert messages == [TRANSPOSED]
    with heard() as messages:
        BLEU().corpus_score(Corpus.from_sacrebleu(HYPOTHESES, STREAMS))
    assert messages == []


def test_lists_of_tokens_are_errors_that_say_what_to_do() -> None:
    for hypotheses, references in (
        ([text.split() for text in HYPOTHESES], REFERENCES),
        (HYPOTHESES, [[tokens] for tokens in TOKENS]),
    ):
        with pytest.raises(InputError, match=r"join its tokens with ' '\.join\(tokens\)"):
            score(hypotheses, references)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        # Answers of one word, and their other spellings.
        (["the city is Paris", "it is nine"], [["Paris", "paris", "PARIS"], ["9", "nine", "Nine"]]),
        (["it is a cat"], [["cat", "kitten"]]),
        (["cat", "dog"], [["cat", "kitten", "kitty"], ["dog", "hound", "puppy"]]),
        # As many references as words.
        (["he left", "she came"], [["he left", "he went"], ["she came", "she arrived"]]),
        (["我们去公园", "今天下雨"], [["我们去公园", "我们去了公园"], ["今天下雨了", "下雨了"]]),
        (HYPOTHESES, [[text, None, None] for text in ["it left", "he came", "it rained"]]),
    ],
)
def test_real_references_are_silent(hypotheses: list[str], references: list[Any]) -> None:
    assert not are_words(hypotheses, references)
    assert not are_transposed(hypotheses, references)


@pytest.mark.data
def test_no_false_alarm_on_real_references() -> None:
    """Samples of E2E, whose references are like each other, of as many segments as references."""
    data = EvaluationData.find()
    references = data.e2e_references()
    drawn, systems = random.Random(7), data.root / "data" / "e2e" / "systems"
    for path in sorted(systems.iterdir()):
        hypotheses = data.lines(path)
        assert not are_transposed(hypotheses, references)
        for start in range(0, len(references), 40):
            assert not are_words(hypotheses[start : start + 40], references[start : start + 40])
        for count in (2, 3, 5, 8):
            long = [row for row, texts in enumerate(references) if len(texts) >= count]
            for _ in range(50):
                rows = drawn.sample(long, count)
                square = [drawn.sample(references[row], count) for row in rows]
                assert not are_transposed([hypotheses[row] for row in rows], square)
