"""M2 files: what they hold as texts, and what is wrong in them."""

from __future__ import annotations

import copy
import gzip
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, SARI, Corpus, InputError, score, with_sources
from bleuet.cli.main import main
from bleuet.text.m2 import read_sentences
from bleuet.text.parallel import Parallel, read_references, read_systems
from bleuet.text.segments import EditedText, WithSource
from bleuet.text.source import Source
from tests.effort import examples

END = "|||REQUIRED|||-NONE-|||"
LINES = [
    "S This are gramamtical sentence .",
    f"A 1 2|||R:VERB:SVA|||is{END}0",
    f"A 2 2|||M:DET|||a{END}0",
    f"A 2 3|||R:SPELL|||grammatical{END}0",
    f"A -1 -1|||noop|||-NONE-{END}1",
    "",
    "S Fine .",
    "",
    "",
    "S  two  spaces and old ||alternatives",
    f"A 4 4|||Um|||unknown{END}4",
    f"A 3 4|||ArtOrDet|||older||eldest{END}4",
    f"A 0 2|||Rloc-||||{END}4",
    f"A 5 5|||UNK|||-NONE-{END}2",
    "",
    "S",
    f"A 0 0|||M:OTHER|||Yes .{END}0",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.m2"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def test_each_annotator_gives_a_reference(path: Path) -> None:
    references = Source(str(path)).read(several=True)
    assert references == [
        ["This is a grammatical sentence .", "This are gramamtical sentence ."],
        ["Fine ."],
        ["and older ||alternatives", "two spaces and old ||alternatives"],
        ["Yes ."],
    ]
    assert [one.source for one in references] == [
        "This are gramamtical sentence .", "Fine .", " two  spaces and old ||alternatives", "",
    ]  # fmt: skip
    assert [one.place for one in references] == [0, 1, 2, 3]
    assert list(references[2].edits) == [4, 2]
    assert references[0].edits[1] == [(-1, -1, "noop", "-NONE-")]
    assert references[1].edits == {0: []}


def test_a_hypothesis_is_the_text_of_its_only_annotator(path: Path) -> None:
    hypotheses = Source(str(path)).read()
    assert hypotheses == [
        "This is a grammatical sentence .", "Fine .", "and older ||alternatives", "Yes .",
    ]  # fmt: skip
    assert hypotheses[3].edits == {0: [(0, 0, "M:OTHER", "Yes .")]}
    assert Source(str(path), "source").read() == [
        "This are gramamtical sentence .", "Fine .", " two  spaces and old ||alternatives", "",
    ]  # fmt: skip


def test_it_may_be_compressed_and_have_windows_line_ends(tmp_path: Path, path: Path) -> None:
    other = tmp_path / "b.M2.gz"
    other.write_bytes(gzip.compress(b"\xef\xbb\xbf" + "\r\n".join(LINES).encode()))
    assert Source(str(other)).read() == Source(str(path)).read()


def test_references_and_sources_of_a_corpus(path: Path) -> None:
    here = Source(str(path))
    (corpus,) = read_systems([here], [here])
    # An M2 file as the source has its sentences, and not what the edits make of them.
    (named,) = read_systems([here], [here], source=here)
    for one, other in zip(corpus.references, named.references, strict=True):
        assert (one, one.source, one.place, one.edits) == (
            other, other.source, other.place, other.edits,
        )  # fmt: skip
    assert read_references([here]) == list(corpus.references)
    by_hand = with_sources(
        [list(one) for one in corpus.references], here.with_sources_only().read()
    )
    metric = SARI(tokenize="none")
    assert metric.count(corpus).totals() == metric.count(corpus.hypotheses, by_hand).totals()


def test_places_go_on_in_the_next_batch(path: Path) -> None:
    here = Source(str(path))
    for source in (None, here):
        with Parallel([here], [here], batch_size=3, source=source) as batches:
            places = [[one.place for one in references] for _, references in batches]
        assert places == [[0, 1, 2], [3]]


def test_several_files_have_all_references_and_edits(tmp_path: Path, path: Path) -> None:
    plain, other = tmp_path / "b.txt", tmp_path / "c.m2"
    plain.write_text("a\nb\nc\nd\n", encoding="utf-8")
    sources = "This are gramamtical sentence .", "Fine .", "two spaces and old ||alternatives", ""
    text = "\n".join(f"S {source}\n" for source in sources)
    other.write_text(f"{text.rstrip()}\nA 0 0|||M:OTHER|||No{END}0\n", encoding="utf-8")
    last = read_references([Source(str(one)) for one in (plain, path, other)])[-1]
    assert isinstance(last, WithSource)
    assert (list(last), last.source, last.place) == (["d", "Yes .", "No"], "", 3)
    assert last.edits == {0: [(0, 0, "M:OTHER", "Yes .")], 1: [(0, 0, "M:OTHER", "No")]}
    other.write_text("S This are\n\nS Fine !\n\nS a\n\nS b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"M2 files differ in the sentence .*, segment 1, where"):
        read_references([Source(str(path)), Source(str(other))])


def test_texts_keep_their_edits(path: Path) -> None:
    (hypothesis, *_), (references, *_) = (
        Source(str(path)).read(several) for several in (False, True)
    )
    for again in (
        pickle.loads(pickle.dumps(hypothesis)), copy.copy(hypothesis), copy.deepcopy(hypothesis),
    ):  # fmt: skip
        assert (type(again), again, again.source, again.edits) == (
            EditedText, hypothesis, "This are gramamtical sentence .", hypothesis.edits,
        )  # fmt: skip
    again = pickle.loads(pickle.dumps(references))
    assert (again, again.source, again.place, again.edits) == (
        references, references.source, references.place, references.edits,
    )  # fmt: skip
    assert Corpus([hypothesis], [references])[0][0] is hypothesis


def test_other_metrics_take_them_for_texts(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hypotheses, references = (Source(str(path)).read(several) for several in (False, True))
    plain = list(map(str, hypotheses)), list(map(list, references))
    found = score(hypotheses, references, ["bleu", "chrf", "ter"])
    expected = score(*plain, ["bleu", "chrf", "ter"])
    assert [found[name].score for name in found] == [expected[name].score for name in expected]
    assert main(["score", str(path), "-i", str(path), "-m", "bleu", "-b", "-q"]) == 0
    assert capsys.readouterr().out == f"{BLEU().corpus_score(*plain).score:.2f}\n"


def test_only_sources_are_like_a_column(path: Path) -> None:
    assert Source.parse(f"{path}:source") == Source(str(path), "source")
    with pytest.raises(InputError, match=r"a.m2:0 names a column.*a.m2:source for the sentences"):
        Source.parse(f"{path}:0").read()


WRONG = [
    (["A 1 2|||R|||a|||b|||c|||0"], 1, "before the first S is no line of an M2 file"),
    (["S a", "", "A 0 1|||R|||a|||b|||c|||0"], 3, "before the first S"),
    (["S a", "B"], 2, "'B' is no line of an M2 file; expected S and a sentence, or A"),
    (["a b"], 1, "name the file .txt if it has one segment per line"),
    (["S a", "A 0 1|||R|||a|||b|||0"], 2, "has 5 fields between |||; expected 6"),
    (["S a", "A 0 1|||R|||a|||b|||c|||0|||1"], 2, "has 7 fields"),
    (["S a", "A 0 x|||R|||a|||b|||c|||0"], 2, "the place is '0 x'; expected whole numbers"),
    (["S a", f"A 0 {'9' * 5000}|||R|||a|||b|||c|||0"], 2, "the place is "),
    (["S a", "A ٠ 1|||R|||a|||b|||c|||0"], 2, "the place is "),
    (["S a", "A 0 1|||R|||a|||b|||c|||-1"], 2, "the annotator is '-1'"),
    (["S a", "A 0 2|||R|||a|||b|||c|||0"], 2, "from 0 to 2; expected places from 0 to 1"),
    (["S a", "A 1 0|||R|||a|||b|||c|||0"], 2, "from 1 to 0"),
    (["S a", "A -1 -1|||R|||a|||b|||c|||0"], 2, "from -1 to -1"),
    (["S a", "A -1 0|||noop|||a|||b|||c|||0"], 2, "from -1 to 0"),
    (
        ["S a b c", "A 1 3|||R|||a|||b|||c|||0", "A 0 2|||R|||a|||b|||c|||0"],
        2,
        "edits words that the edit in line 3 changes too",
    ),
]


@pytest.mark.parametrize(("lines", "number", "message"), WRONG)
def test_a_wrong_line_is_named(lines: list[str], number: int, message: str) -> None:
    with pytest.raises(InputError, match=rf"^a\.m2:{number}\b.*{re.escape(message)}") as found:
        read_sentences(lines, "a.m2")
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 400


pieces = st.sampled_from(
    ["S ", "A ", "0 1", "|||", "R:X", "noop", "-1 -1", "a b", "0", "", " ", "\t"]
)


@examples(300)
@given(st.lists(st.lists(pieces, max_size=14).map("".join), max_size=6))
def test_any_lines_are_read_or_rejected(lines: list[str]) -> None:
    problem = ""
    try:
        found = read_sentences(lines, "a.m2")
    except InputError as error:
        problem = str(error)
    if problem:
        assert re.match(r"a\.m2:\d+\b", problem)
    else:
        assert len(found) == sum(line == "S" or line.startswith("S ") for line in lines)


def test_an_empty_file_has_no_segments(tmp_path: Path) -> None:
    (tmp_path / "a.m2").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="no segments to score"):
        read_references([Source(str(tmp_path / "a.m2"))])
