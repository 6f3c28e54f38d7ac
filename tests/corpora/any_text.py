"""Corpora of every kind of text there can be, for Hypothesis to draw."""

from __future__ import annotations

from typing import Any, TypeAlias

from hypothesis import strategies as st

Hypotheses: TypeAlias = list[Any]
References: TypeAlias = list[Any]

# Lone surrogates, NUL and control characters included.
ANY_CHARACTER = st.characters(exclude_categories=())
# What the tokenizers treat apart, next to what they do not.
MARKS = st.sampled_from(
    [
        *"aA1b2.,-'\"&;:!?()<>/ \n\t\x00\r",
        "&amp;",
        "&quot;",
        "&lt;",
        "<skipped>",
        "-\n",
        "\n-",
        "'s ",
        "ß",
        "İ",
        "ẞ",
        "ǅ",
        "Σ",
        "é",
        "é",
        "你",
        "。",
        "、",
        "ア",
        "㈀",
        "한",
        "\u3000",
        "\x85",
        "\u2028",
        "\xa0",
        "\ufeff",
        "٣",
        "½",
        "€",
        "«",
        "𠀀",
        "😀",
        "�",
        "�",
        "ﬀ",
    ]
)
# Few words, so that n-grams match, repeat and move.
WORDS = st.sampled_from(["a", "b", "c", "the", "The", "cat", "mat.", "1,5", "don't", "x-y", "你好"])
SPACES = st.sampled_from([" ", " ", " ", "  ", "\t", "\u3000"])

sentences = st.lists(WORDS, max_size=12).map(" ".join)
spaced_sentences = st.lists(st.tuples(WORDS, SPACES), max_size=8).map(
    lambda pairs: "".join(word + space for word, space in pairs)
)


def _long_sentences(most: int) -> st.SearchStrategy[str]:
    """Return sentences of 10 to `most` repetitions of up to 5 words."""
    return st.builds(
        lambda words, times, rest: " ".join(words * times + rest),
        st.lists(WORDS, min_size=1, max_size=5),
        st.integers(10, most),
        st.lists(WORDS, max_size=4),
    )


marked = st.lists(MARKS, max_size=20).map("".join)
anything = st.text(ANY_CHARACTER, max_size=20)
texts = st.one_of(sentences, spaced_sentences, marked, anything, st.just(""))


@st.composite
def _near(draw: st.DrawFn, text: str) -> str:
    """A text with words moved, dropped and put in, so that alignments have something to do."""
    words = text.split(" ")
    for _ in range(draw(st.integers(0, 3))):
        if not words:
            break
        at = draw(st.integers(0, len(words) - 1))
        change = draw(st.sampled_from(["drop", "double", "move", "replace"]))
        if change == "drop":
            del words[at]
        elif change == "double":
            words.insert(at, words[at])
        elif change == "move":
            words.insert(draw(st.integers(0, len(words) - 1)), words.pop(at))
        else:
            words[at] = draw(WORDS)
    return " ".join(words)


@st.composite
def _segments(draw: st.DrawFn, text: st.SearchStrategy[str]) -> tuple[str, Any]:
    hypothesis = draw(text)
    one = st.one_of(_near(hypothesis), text)
    if draw(st.booleans()):
        return hypothesis, draw(one)
    # A list with one text in it at least, and absent ones anywhere.
    references: list[str | None] = draw(st.lists(st.none() | one, max_size=3))
    references.insert(draw(st.integers(0, len(references))), draw(one))
    return hypothesis, references


def _unzipped(segments: list[tuple[Any, Any]]) -> tuple[Hypotheses, References]:
    return [hypothesis for hypothesis, _ in segments], [references for _, references in segments]


corpora = st.lists(_segments(texts), min_size=1, max_size=5).map(_unzipped)


def _corpora_with_long(most: int) -> st.SearchStrategy[tuple[Hypotheses, References]]:
    some = st.one_of(texts, texts, texts, _long_sentences(most))
    return st.lists(_segments(some), min_size=1, max_size=4).map(_unzipped)


corpora_with_long = _corpora_with_long(40)
# Up to 144 words, more than two of the kernel's machine words. In Python, the time that shifts of
# words take grows with the cube of the length.
corpora_for_ter = _corpora_with_long(28)
# CharacTER's tries more shifts; up to 94 words are still more than one machine word.
corpora_for_character = _corpora_with_long(18)
# EED's goes through a table of characters.
corpora_for_eed = _corpora_with_long(20)
# METEOR's, in Python, with the number of words that match.
corpora_for_meteor = _corpora_with_long(12)

_ids = st.lists(st.sampled_from([0, 1, 2, 3, -1, 2**31, 2**63 - 1, -(2**63)]), max_size=10)
_full_ids = st.lists(st.integers(0, 3), min_size=1, max_size=10)
token_corpora = st.lists(
    st.tuples(
        _ids, _full_ids | st.lists(_ids | st.none(), max_size=2).map(lambda ids: [[1], *ids])
    ),
    min_size=1,
    max_size=5,
).map(_unzipped)


def long_corpora_for(name: str) -> st.SearchStrategy[tuple[Hypotheses, References]]:
    """Return corpora with long texts, as long as the Python backend counts a metric quickly."""
    kinds = {
        "ter": corpora_for_ter,
        "character": corpora_for_character,
        "eed": corpora_for_eed,
        "meteor": corpora_for_meteor,
    }
    return kinds.get(name, corpora_with_long)
