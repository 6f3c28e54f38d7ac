"""Re-segmentation of texts: pieces, documents, several references."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import InputError, OptionError, align
from bleuet.resegmentation import align_by_time
from bleuet.text.pieces import Pieces, join
from bleuet.text.subtitles import Cue
from tests.backends import counted_by_python
from tests.effort import examples

REFERENCES = ["The cat sat down.", "It is raining.", "Nobody is there."]
texts = st.lists(st.text("aAb.猫。。é \u3000", max_size=8), max_size=4)


@examples(100)
@given(texts, st.lists(st.text("aAb.猫é ", max_size=8), min_size=1, max_size=4))
def test_no_text_is_lost(hypotheses: list[str], references: list[str]) -> None:
    for tokenize in ("none", "char", "13a"):
        found = align(hypotheses, references, tokenize=tokenize)
        assert len(found.segments) == len(references)
        assert "".join("".join(found.segments).split()) == "".join("".join(hypotheses).split())
        with counted_by_python():
            again = align(hypotheses, references, tokenize=tokenize)
        assert (again.segments, again.edits) == (found.segments, found.edits)


def test_where_lines_end_changes_nothing() -> None:
    segments = ["A cat sat down.", "It is rainy.", "Nobody was there."]
    words = " ".join(segments).split()
    whole = align([" ".join(words)], REFERENCES)
    assert (whole.segments, whole.edits, whole.reference_length) == (segments, 3, 10)
    for place in range(len(words)):
        parts = align([" ".join(words[:place]), " ".join(words[place:])], REFERENCES)
        assert (parts.segments, parts.edits) == (whole.segments, whole.edits)


def test_the_edits_of_documents_add() -> None:
    texts, references = ["A cat sat down.", "It rains.", "Nobody is here."], REFERENCES
    each = [align([text], [own]) for text, own in zip(texts, references, strict=True)]
    assert [one.edits for one in each] == [1, 2, 1]
    whole = align(texts, references, documents=["a", "b", "c"])
    assert (whole.segments, whole.edits, whole.reference_length) == (texts, 4, 10)


def test_the_nearest_of_several_references_counts() -> None:
    references: list[list[str | None]] = [
        ["The cat sat.", "A dog lay there."],
        ["It rains.", None, "Rain."],
    ]
    found = align(["A dog lay there. It rains."], references)
    assert found.segments == ["A dog lay there.", "It rains."]
    assert (found.edits, found.reference_length) == (0, 5)


def test_case() -> None:
    assert align(["THE CAT"], ["the cat"]).edits == 0
    found = align(["THE CAT"], ["the cat"], case_sensitive=True)
    assert (found.edits, found.signature) == (2, "none-mixed")
    assert align(["a"], ["a"], tokenize="char").signature == "char-lc"


def test_characters_are_cut_between_words_or_where_a_script_has_no_spaces() -> None:
    references = ["猫坐在旧椅子上。", "今天下雨。"]
    found = align(["猫坐在椅子上。今天", "下大雨。"], references, tokenize="char")
    assert found.segments == ["猫坐在椅子上。", "今天下大雨。"]
    found = align(["Bankhaus Tor"], ["Bank", "Haustor"], tokenize="char")
    assert found.segments == ["Bankhaus", "Tor"]


def test_a_word_that_cannot_be_divided_is_kept_whole() -> None:
    pieces = Pieces("13a").of(["a&quot;b"])
    assert [piece.token for piece in pieces] == ["a", '"', "b"]
    assert join(pieces) == "a&quot;b"
    assert [piece.begins for piece in pieces] == [True, False, False]


class TestDocuments:
    def test_each_is_cut_by_itself(self) -> None:
        documents = ["x", "x", "y"]
        found = align(["It is raining.", "Nobody"], REFERENCES, documents=documents)
        assert found.segments == ["", "It is raining.", "Nobody"]
        found = align(["It is", "raining.", "Nobody"], REFERENCES, documents=documents)
        assert found.segments == ["", "It is raining.", "Nobody"]

    def test_they_need_not_follow_one_another(self) -> None:
        found = align(
            ["Nobody", "It is raining. The cat", "is there."],
            REFERENCES,
            documents=["x", "y", "x"],
            hypothesis_documents=["x", "y", "x"],
        )
        assert found.segments == ["", "It is raining. The cat", "Nobody is there."]

    def test_wrong_documents(self) -> None:
        with pytest.raises(InputError, match="2 documents for 3 references"):
            align(["a"], REFERENCES, documents=["x", "x"])
        with pytest.raises(InputError, match="4 hypotheses for 2 documents and 3 references"):
            align(["a"] * 4, REFERENCES, documents=["x", "x", "y"])
        with pytest.raises(InputError, match="1 document for 2 hypotheses"):
            align(["a"] * 2, REFERENCES, documents=["x"] * 3, hypothesis_documents=["x"])
        with pytest.raises(InputError, match="have a document 'z'"):
            align(["a"], REFERENCES, documents=["x"] * 3, hypothesis_documents=["z"])


def test_wrong_arguments() -> None:
    with pytest.raises(InputError, match="there is no reference"):
        align(["a"], [])
    with pytest.raises(InputError, match="segment 2 has no reference"):
        align(["a"], ["a", []])
    with pytest.raises(OptionError, match="did you mean char"):
        align(["a"], ["a"], tokenize="cha")


def test_progress_is_reported_over_all_documents() -> None:
    found: list[float] = []
    align(["a", "b"], ["a", "b"], documents=["x", "y"], report=found.append)
    assert found == [0.5, 1.0]


class TestTime:
    """Segments of subtitles by their times."""

    def test_words_follow_their_times(self) -> None:
        references = [Cue(0, 1000, "a b"), Cue(1000, 2000, "c d"), Cue(3000, 4000, "e f")]
        assert align_by_time(references, references).segments == ["a b", "c d", "e f"]
        found = align_by_time([Cue(0, 2000, "a b c d"), Cue(2400, 3600, "e f")], references)
        assert (found.segments, found.edits) == (["a b", "c d", "e f"], 0)
        assert (found.reference_length, found.signature) == (6.0, "time")

    def test_words_in_a_pause_belong_to_the_nearer_segment(self) -> None:
        references = [Cue(0, 1000, "a"), Cue(2000, 3000, "b")]
        own = [Cue(1100, 1300, "near"), Cue(1700, 1900, "behind"), Cue(9000, 9001, "late")]
        assert align_by_time(own, references).segments == ["near", "behind late"]

    def test_segments_that_overlap_or_are_not_in_order(self) -> None:
        references = [Cue(2000, 4000, "b"), Cue(0, 3000, "a")]
        own = [Cue(2400, 2500, "first"), Cue(2500, 2700, "second")]
        assert align_by_time(own, references).segments == ["second", "first"]

    def test_characters_without_spaces(self) -> None:
        references = [Cue(0, 1000, "猫坐。"), Cue(1000, 2000, "下雨。")]
        assert align_by_time([Cue(0, 2000, "猫坐。下雨。")], references).segments == [
            "猫坐。",
            "下雨。",
        ]

    def test_no_reference(self) -> None:
        with pytest.raises(InputError, match="there is no reference"):
            align_by_time([Cue(0, 1, "a")], [])


COLUMNS = {
    "numpy": lambda values: import_module("numpy").array(values),
    "pandas": lambda values: import_module("pandas").Series(
        values, index=range(5, 5 + len(values))
    ),
    "polars": lambda values: import_module("polars").Series(values),
    "pyarrow": lambda values: import_module("pyarrow").array(values),
    "chunks of pyarrow": lambda values: import_module("pyarrow").chunked_array([values, []]),
    "an iterator": iter,
}


@pytest.mark.libraries
@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_are_lists(kind: str) -> None:
    made: Any = COLUMNS[kind]
    texts, names = ["A cat sat down. It is", "rainy. Nobody was there."], ["a", "b"]
    expected = align(texts, REFERENCES)
    assert align(made(texts), made(REFERENCES)) == expected
    assert align(made(texts), made([[text] for text in REFERENCES])) == expected
    documents: dict[str, Any] = {"documents": names, "hypothesis_documents": names}
    columns = {key: made(value) for key, value in documents.items()}
    assert align(made(texts), made(texts), **columns) == align(texts, texts, **documents)
