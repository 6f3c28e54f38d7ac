"""Words and phrases that are replaced, and files of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import WER, InputError, OptionError, SignatureError
from bleuet.metrics.catalogue import parse_metric
from bleuet.text.replacements import ReplacementFile, Replacements
from tests.backends import counted_by_python
from tests.effort import examples


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("colour", "color"),
        ("a colour, b", "a color, b"),
        ("colours colouring", "colours colouring"),
        ("new  york", "NY"),
        ("new york city", "NYC"),
        ("new, york", "new, york"),
        ("i won't go", "i will not go"),
        ("won", "lost"),
        ("uh yes uh", " yes "),
        ("", ""),
    ],
)
def test_whole_words_and_the_longest_phrase(text: str, expected: str) -> None:
    replace = Replacements(
        [
            ("colour", "color"),
            ("new york", "NY"),
            ("new york city", "NYC"),
            ("won't", "will not"),
            ("won", "lost"),
            ("uh", ""),
        ]
    )
    assert replace(text) == expected


@examples(60)
@given(
    text=st.text("ab c'.", max_size=20),
    word=st.sampled_from(["a", "b", "ab", "ba"]),
)
def test_one_word_is_replaced_as_a_pattern_replaces_it(text: str, word: str) -> None:
    pattern = rf"(?<![\w]){word}(?![\w])"
    if "'" in text:
        pattern = rf"(?<![\w])(?<!\w'){word}(?![\w])(?!'\w)"
    assert Replacements([(word, "-")])(text) == re.sub(pattern, "-", text)


def test_what_is_replaced_is_not_replaced_again() -> None:
    assert Replacements([("a", "b"), ("b", "a")])("a b") == "b a"


BAD = {
    "a line without a tab": ("colour color\n", ":1: expected a word or phrase, one tab"),
    "two tabs": ("a\tb\n\na\tb\tc\n", ":3: expected a word or phrase, one tab"),
    "nothing to replace": ("\tb\n", ":1: expected a word or phrase, one tab"),
    "one word twice": ("a\tb\n a \tc\n", ":2 replaces the same as line 1: remove one"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_line_is_named(case: str, tmp_path: Path) -> None:
    content, message = BAD[case]
    file = tmp_path / "words.tsv"
    file.write_text(content)
    with pytest.raises(InputError, match=re.escape(message)):
        ReplacementFile(str(file))
    with pytest.raises(OptionError, match="replacements must be a file of replacements, but"):
        WER(replacements=str(file))


@pytest.mark.parametrize("name", ["missing.tsv", "-", ""])
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / name) if name.endswith(".tsv") else name
    with pytest.raises(OptionError, match="replacements must be a file of replacements, but"):
        WER(replacements=path)


def test_the_signature_has_the_content_of_the_file(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in ("one.tsv", "same.tsv", "other.tsv"))
    one.write_text("colour\tcolor\n")
    same.write_bytes(b"colour\tcolor\r\n")
    other.write_text("colour\tcolors\n")
    signed = [str(WER(replacements=str(path)).signature()) for path in (one, same, other)]
    assert signed[0] == signed[1] != signed[2]
    assert re.search(r"\|repl:[0-9a-f]{12}\|", signed[0])
    with pytest.raises(SignatureError, match="make the metric with replacements='FILE'"):
        parse_metric(signed[0])


@pytest.mark.parametrize("tokenize", ["words", "char"])
def test_scores_marks_and_alignment_agree(tokenize: Any, tmp_path: Path) -> None:
    file = tmp_path / "words.tsv"
    file.write_text("colour\tcolor\nnew york\tny\n")
    metric = WER(replacements=str(file), lowercase=True, tokenize=tokenize)
    hypotheses, references = ["The COLOUR of New York", "a"], [["the color of ny", "x"], "a b"]
    scores = metric.sentence_scores(hypotheses, references)
    assert scores[0] == 0
    assert metric.marked(hypotheses[0], references[0]).score.values == scores.score(0).values
    found = metric.alignment(hypotheses, references)
    assert [segment.counts for segment in found] == [scores.score(i).values for i in range(2)]
    assert metric.matrix(["colour"], ["color"])[0][0] == 0
    with counted_by_python():
        again = WER(replacements=str(file), lowercase=True, tokenize=tokenize)
        assert again.corpus_score(hypotheses, references) == found.score


def test_token_ids_have_no_words() -> None:
    with pytest.raises(OptionError, match="normalize is for text"):
        WER(tokenize="ids", normalize="english")
