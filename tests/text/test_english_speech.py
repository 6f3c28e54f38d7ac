"""English transcripts in one form: fillers, contractions, punctuation and numbers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import WER
from bleuet.text.english_numbers import SMALL, TENS
from bleuet.text.english_speech import normalized_speech
from tests.effort import examples
from tests.patience import little_work

# What Whisper's normalizer makes of them too.
EXAMPLES = {
    "one hundred and five people": "105 people",
    "the first 3rd twenty-first one": "the 1st 3rd 21st one",
    "in nineteen eighty four": "in 1984",
    "one two three": "123",
    "a hundred": "a 100",
    "two and a half million": "2500000",
    "minus five percent": "-5%",
    "ten thousand dollars": "$10000",
    "three hundred thousand": "300000",
    "5 million": "5000000",
    "two thousand and ten": "2010",
    "zero oh seven": "007",
    "double seven": "77",
    "half past two": "half past 2",
    "Café naïve €5 5% a-b": "cafe naive €5 5% a b",
    "two thirds": "2 thirds",
    "hundreds of thousands": "100s of 1000s",
    "two hundred and": "200 and",
    "one oh one": "101",
    "He's been there; she'd gone. they'd like": "he has been there she had gone they would like",
    "the cat 's": "the cat is",
    "eleven hundred": "1100",
    "fifteen fifty": "1550",
    "one hundred one thousand": "101000",
    "three point one four": "3.14",
    "$20 million": "$20000000",
    "U.S. 3.5 a.m.": "u s 3.5 a m",
    "five pounds": "£5",
    "one million two hundred thousand three hundred and four": "1200304",
    "point five": ".5",
    "two point": "2 point",
    "plus two": "+2",
    "five cents": "¢5",
    "no. 5": "no 5",
    "five dollars and ten cents": "$5.10",
    "ten to one": "10 to one",
    "million": "1000000",
    "3 and a half": "3 and a half",
    "Uh, won't Mr. Smith [laughs] (again) go? Hmm.": "will not mister smith go",
    "let's say y'all gonna wanna": "let us say you all going to want to",
    "1,000,000": "1000000",
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples(text: str) -> None:
    assert normalized_speech(text) == EXAMPLES[text]


def below_thousand(number: int) -> str:
    """Return a number below 1000 in words."""
    units = [word for word in SMALL if word not in ("oh", "o")]
    if number < 20:
        return units[number]
    if number < 100:
        rest = f"-{units[number % 10]}" if number % 10 else ""
        return TENS.split()[number // 10 - 2] + rest
    rest = f" and {below_thousand(number % 100)}" if number % 100 else ""
    return f"{units[number // 100]} hundred{rest}"


def in_words(number: int) -> str:
    parts = []
    for scale, word in ((10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if number >= scale:
            parts.append(f"{below_thousand(number // scale)} {word}")
            number %= scale
    if number or not parts:
        parts.append(below_thousand(number))
    return " ".join(parts)


@examples(200)
@given(number=st.integers(2, 10**12 - 1))
def test_every_number_in_words_is_that_number(number: int) -> None:
    text = in_words(number)
    assert normalized_speech(f"about {text} people") == f"about {number} people"
    assert normalized_speech(f"{text} dollars") == f"${number}"
    assert normalized_speech(f"minus {text} percent") == f"-{number}%"


@examples(200)
@given(text=st.text(max_size=30))
def test_any_text_has_a_form(text: str) -> None:
    found = normalized_speech(text)
    assert found == " ".join(found.split())
    assert found == normalized_speech(text)


@examples(60)
@given(
    words=st.lists(st.sampled_from([*SMALL, "hundred", "thousand", "and", "a", "point", "half"]))
)
def test_any_number_words_have_a_form(words: list[str]) -> None:
    assert isinstance(normalized_speech(" ".join(words)), str)


def test_both_sides_are_normalized() -> None:
    metric = WER(normalize="english")
    score = metric.corpus_score(["it is twenty one dollars [noise]"], ["Uh, it's $21."])
    assert score.score == 0
    assert "|norm:english|" in str(score.signature)


LONG = {
    "words": ["it's", "the", *SMALL, "hundred", "and", "(", "[", "<"],
    "digits": ["one"],
    "scales": ["million", "septillion"],
    "fractions": ["point", "one"],
    "brackets": ["(", "[", "<"],
    "ordinals": ["first", "minus", "3.5", "million"],
    "halves": ["one", "and", "a", "half"],
}


@pytest.mark.parametrize("case", LONG)
def test_a_long_text_takes_little_work(case: str) -> None:
    text = " ".join(random.Random(3).choices(LONG[case], k=20_000))
    with little_work():
        assert normalized_speech(text + " " * 100_000 + "9" * 50_000 + " million") is not None
