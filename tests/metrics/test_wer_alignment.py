"""The alignment of WER and CER: the words in pairs, in columns, and the most frequent edits."""

from __future__ import annotations

import json
import random
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import WER, Corpus, InputTypeError, OptionError
from bleuet.metrics.wer.alignment import SegmentAlignment, WordAlignments
from tests.backends import counted_by_python
from tests.effort import examples

SETTINGS: list[dict[str, Any]] = [
    {},
    {"lowercase": True, "no_punct": True},
    {"tokenize": "char"},
    {"tokenize": "char", "whitespace": "none"},
    {"rate": "wil", "whitespace": "single"},
]
TEXTS = st.text("ab B.\t中", max_size=12)


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@examples(40)
@given(data=st.data())
def test_pairs_are_the_words_and_the_counts_those_of_the_row(
    options: dict[str, Any], data: st.DataObject
) -> None:
    metric = WER(**options)
    hypotheses = data.draw(st.lists(TEXTS, min_size=1, max_size=4))
    references = [data.draw(st.lists(TEXTS, min_size=1, max_size=3)) for _ in hypotheses]
    found = metric.alignment(hypotheses, references)
    assert len(found) == len(hypotheses)
    counted = metric.sentence_scores(hypotheses, references)
    scores = [counted.score(i) for i in range(len(counted))]
    for segment, score, hypothesis, several in zip(
        found, scores, hypotheses, references, strict=True
    ):
        marked = metric.marked(hypothesis, several)
        assert segment.counts == score.values
        assert [b for _, b, _ in segment.pairs if b is not None] == list(marked.hypothesis)
        assert [a for a, _, _ in segment.pairs if a is not None] == list(
            marked.references[segment.reference_number]
        )
        for ours, theirs, kind in segment.pairs:
            assert (
                kind
                == {
                    (False, False): "H" if ours == theirs else "S",
                    (True, False): "I",
                    (False, True): "D",
                }[ours is None, theirs is None]
            )
    assert found.score == metric.corpus_score(hypotheses, references)
    assert sum(one[-1] for one in found.substitutions) == found.score.substitutions
    assert sum(one[-1] for one in found.deletions) == found.score.deletions
    assert sum(one[-1] for one in found.insertions) == found.score.insertions
    with counted_by_python():
        assert list(WER(**options).alignment(hypotheses, references)) == list(found)


def noisy(rng: random.Random, words: list[str], vocabulary: list[str]) -> str:
    """Return words, some of which are deleted, substituted or followed by another."""
    found = []
    for word in words:
        kind = rng.choices(["hit", "substitute", "delete", "insert"], [7, 1, 1, 1])[0]
        if kind != "delete":
            found.append(rng.choice(vocabulary) if kind == "substitute" else word)
        if kind == "insert":
            found.append(rng.choice(vocabulary))
    return " ".join(found)


@pytest.mark.peers
@pytest.mark.parametrize("tokenize", ["words", "char"])
def test_jiwer_finds_the_same_edits(tokenize: Any) -> None:
    jiwer = import_module("jiwer")
    rng = random.Random(5)
    vocabulary = [f"w{i}" for i in range(40)]
    texts = [rng.choices(vocabulary, k=rng.randint(1, 30)) for _ in range(300)]
    hypotheses = [noisy(rng, words, vocabulary) for words in texts]
    references = [" ".join(words) for words in texts]
    process = jiwer.process_words if tokenize == "words" else jiwer.process_characters
    theirs = process(references, hypotheses)
    ours = WER(tokenize=tokenize).alignment(hypotheses, references)
    assert ours.score.values == (
        theirs.hits,
        theirs.substitutions,
        theirs.deletions,
        theirs.insertions,
    )
    letters = {"equal": "H", "substitute": "S", "delete": "D", "insert": "I"}
    for segment, chunks in zip(ours, theirs.alignments, strict=True):
        sizes = [
            (one, max(one.ref_end_idx - one.ref_start_idx, one.hyp_end_idx - one.hyp_start_idx))
            for one in chunks
        ]
        edits = "".join(letters[one.type] * size for one, size in sizes)
        assert "".join(kind for _, _, kind in segment.pairs) == edits


def test_as_text() -> None:
    hypotheses = ["the big cat sat up on mat", "it was good", "a b"]
    references = ["the cat sat down on the mat", "it is good", "a b"]
    assert str(WER().alignment(hypotheses, references)).startswith(
        """\
segment 1: WER = 42.86, 5 hits, 1 substitution, 1 deletion, 1 insertion
REF: the *** cat sat down on the mat
HYP: the big cat sat up   on *** mat
         I           S       D

segment 2: WER = 33.33, 2 hits, 1 substitution, 0 deletions, 0 insertions
REF: it is  good
HYP: it was good
        S

segment 3: WER = 0.00, 2 hits, 0 substitutions, 0 deletions, 0 insertions
REF: a b
HYP: a b

Totals
segments  hits  substitutions  deletions  insertions    WER
       3     9              2          1           1  33.33

Most frequent substitutions
reference  hypothesis  times
down       up              1
is         was             1

Most frequent deletions
reference  times
the            1

Most frequent insertions
hypothesis  times
big             1
"""
    )


def test_wide_characters_and_spaces_stand_in_columns() -> None:
    (segment,) = WER(tokenize="char").alignment(["中 bb"], ["文cb"])
    assert list(segment.lines()) == ["REF: ** 文 c b", "HYP: 中 ␣  b b", "     I  S  S"]


def test_lines_break_between_words_and_only_there() -> None:
    pairs = [("one", "one", "H"), ("two", "three", "S"), (None, "a-very-long-word", "I")]
    segment = SegmentAlignment(1, 0, pairs)
    assert list(segment.lines(16)) == [
        "REF: one two",
        "HYP: one three",
        "         S",
        "REF: ****************",
        "HYP: a-very-long-word",
        "     I",
    ]
    assert list(SegmentAlignment(1, 0, []).lines(16)) == ["REF:", "HYP:"]


def test_only_the_most_frequent_edits_are_shown_and_data_have_all() -> None:
    words = [f"w{i:02}" for i in range(30)]
    found = WER().alignment([" ".join(words), "w07"], ["", ""])
    assert found.insertions[:2] == [("w07", 2), ("w00", 1)]
    assert "and 10 more, none more frequent" in found.to_text()
    assert len(json.loads(found.to_json())["insertions"]) == 30


def test_data_have_words_and_none() -> None:
    data = json.loads(WER().alignment(["a c"], [["x", "a b c"]]).to_json())
    assert data["segments"] == [
        {
            "segment": 1,
            "reference_number": 1,
            "hits": 2,
            "substitutions": 0,
            "deletions": 1,
            "insertions": 0,
            "WER": pytest.approx(100 / 3),
            "reference": ["a", "b", "c"],
            "hypothesis": ["a", None, "c"],
            "edits": ["H", "D", "H"],
        }
    ]
    assert data["deletions"] == [{"reference": "b", "times": 1}]


def test_several_systems_have_their_names() -> None:
    references = ["a b"]
    found = WordAlignments({name: WER().alignment([name], references) for name in ("a", "b")})
    assert found.to_text().startswith("a, segment 1: WER = 50.00, 1 hit, ")
    assert [one["system"] for one in json.loads(found.to_json())["totals"]] == ["a", "b"]


def test_token_ids() -> None:
    corpus = Corpus.from_token_ids([[1, 2]], [[1, 3]])
    assert WER(tokenize="ids").alignment(corpus).substitutions == [("3", "2", 1)]


@pytest.mark.parametrize("moves", ["free", "blocks"])
def test_words_that_move_have_no_columns(moves: Any) -> None:
    with pytest.raises(OptionError, match="moves must be none"):
        WER(moves=moves).alignment(["a"], ["a"])


def test_one_segment_at_a_time() -> None:
    found = WER().alignment(["a", "b"], ["a", "c"])
    assert found[-1] == found[1]
    with pytest.raises(InputTypeError, match="place"):
        found[:1]  # type: ignore[index]
    with pytest.raises(IndexError):
        found[2]
