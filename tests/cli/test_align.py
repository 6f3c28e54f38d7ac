"""`bleuet align`."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING

import pytest

from bleuet import (
    BLEU,
    CIDEr,
    OptionError,
    load_tables,
    metric_from_signature,
    save_tables,
)
from tests.corpora import REFERENCE, SYSTEM_A, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Outcome

    Run = Callable[..., Outcome]


@pytest.fixture
def joined(folder: Path) -> Path:
    """The first system in one line."""
    write_lines(folder / "joined.txt", [" ".join(SYSTEM_A)])
    return folder


def test_the_output_can_be_scored(joined: Path, run: Run) -> None:
    done = run("align", "ref.txt", "-i", "joined.txt", "-o", "aligned.txt")
    assert done == (0, "", "")
    lines = (joined / "aligned.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    assert len(lines) == len(REFERENCE)
    assert " ".join(lines).split() == " ".join(SYSTEM_A).split()
    assert run("score", "ref.txt", "-i", "aligned.txt").code == 0


@pytest.mark.usefixtures("joined")
def test_json(run: Run) -> None:
    done = run("align", "ref.txt", "ref2.txt", "-i", "joined.txt", "-f", "json")
    data = json.loads(done.out)
    assert list(data) == ["segments", "edits", "reference_length", "align"]
    assert (
        run("align", "ref.txt", "ref2.txt", "-i", "joined.txt").out.split("\n")[:-1]
        == (data["segments"])
    )


@pytest.mark.usefixtures("joined")
def test_documents(folder: Path, run: Run) -> None:
    names = [str(i // 2) for i in range(len(REFERENCE))]
    write_lines(folder / "documents.txt", names)
    half = [" ".join(SYSTEM_A[i : i + 2]) for i in range(0, len(SYSTEM_A), 2)]
    write_lines(folder / "halves.txt", half)
    plain = run("align", "ref.txt", "-i", "halves.txt", "--documents", "documents.txt")
    lines = plain.out.removesuffix("\n").split("\n")
    assert [" ".join(lines[i : i + 2]).split() for i in range(0, len(lines), 2)] == [
        line.split() for line in half
    ]
    write_lines(folder / "own.txt", sorted(set(names)))
    own = ("--documents", "documents.txt", "--hypothesis-documents", "own.txt")
    assert run("align", "ref.txt", "-i", "halves.txt", *own) == plain


@pytest.mark.usefixtures("joined")
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("-i", "a.txt", "b.txt"), "align takes one system"),
        (("-i", "a.txt", "--hypothesis-documents", "a.txt"), "--hypothesis-documents needs"),
        (("-i", "a.txt", "--tokenize", "cha"), "did you mean char?"),
        (("-i", "joined.txt", "--documents", "joined.txt"), "1 document for"),
        (("joined.txt", "-i", "a.txt"), "the files differ in length"),
    ],
)
def test_misuse(run: Run, more: tuple[str, ...], message: str) -> None:
    done = run("align", "ref.txt", *more)
    assert done.code in (1, 2)
    assert message in done.err
    assert done.err.count("\n") == 1


class TestScore:
    """`bleuet score --align`: as cut first and scored then, with a key in the signature."""

    @pytest.mark.usefixtures("joined")
    @pytest.mark.parametrize("more", [(), ("--sentence-level",), ("--confidence", "--draws", "9")])
    def test_it_is_the_score_of_the_output(self, run: Run, more: tuple[str, ...]) -> None:
        run("align", "ref.txt", "ref2.txt", "-i", "joined.txt", "-o", "aligned.txt")
        settings = ("-m", "bleu", "ter", *more, "-f", "json", "-q")
        plain = json.loads(run("score", "ref.txt", "ref2.txt", "-i", "aligned.txt", *settings).out)
        found = json.loads(
            run("score", "ref.txt", "ref2.txt", "-i", "aligned.txt", "--align", *settings).out
        )
        joined = json.loads(
            run("score", "ref.txt", "ref2.txt", "-i", "joined.txt", "--align", *settings).out
        )
        for one in plain:
            one["signature"] = one["signature"].replace("|version:", "|align:none-lc|version:")
        for one in joined:
            one["system"] = one["system"].replace("joined", "aligned")
        assert joined == plain
        assert found == plain

    @pytest.mark.usefixtures("joined")
    def test_every_format_has_the_key(self, run: Run) -> None:
        for name in ("text", "markdown", "latex", "html", "json", "jsonl", "csv"):
            done = run("score", "ref.txt", "-i", "joined.txt", "--align", "char", "-f", name)
            assert "align:char-lc" in done.out.replace("\\", ""), name
            level = ("--sentence-level", "-f", name)
            done = run("score", "ref.txt", "-i", "joined.txt", "--align", "char", *level)
            assert "align:char-lc" in (done.out + done.err).replace("\\", ""), name

    def test_a_signature_with_the_key_makes_its_metric(self) -> None:
        plain = BLEU(lowercase=True)
        found = metric_from_signature(
            "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|align:none-lc|version:2.6.0"
        )
        assert found == plain.with_align("none-lc") != plain
        for other in (found.with_options(lowercase=True), pickle.loads(pickle.dumps(found))):
            assert (other, str(other.signature())) == (found, str(found.signature()))
        assert found.with_align("") == plain
        assert CIDEr().with_align("char-lc").with_learned(CIDEr().learn(["a"])).align == "char-lc"
        with pytest.raises(OptionError, match="such as none-lc"):
            plain.with_align("a|b")

    @pytest.mark.libraries
    @pytest.mark.usefixtures("joined")
    @pytest.mark.parametrize("level", [(), ("--sentence-level",)])
    def test_saved_tables_keep_the_key(self, run: Run, level: tuple[str, ...]) -> None:
        words = ("-m", "bleu", "ter", "cider", *level)
        found = run(
            "score", "ref.txt", "-i", "joined.txt", "--align", *words, "--save-table", "t.parquet"
        )
        assert found.code == 0, found.err
        assert (found.out + found.err).count("align:none-lc") == 3
        assert run("score", "--from-table", "t.parquet", *level) == found
        assert run("score", "--from-table", "t.parquet", "-m", "bleu", "-s").code == 0
        saved = load_tables("t.parquet")
        assert [one.metric.align for one in saved] == ["none-lc"] * 3
        save_tables("u.parquet", saved)
        assert load_tables("u.parquet") == saved

    @pytest.mark.libraries
    @pytest.mark.usefixtures("joined")
    def test_other_cuts_are_not_compared(self, run: Run) -> None:
        for name, cut in (("words", "none"), ("characters", "char")):
            saving = ("--align", cut, "--save-table", f"{name}.parquet")
            assert run("score", "ref.txt", "-i", "joined.txt", *saving).code == 0
        run("score", "ref.txt", "-i", "a.txt", "--save-table", "plain.parquet")
        for other in ("characters.parquet", "plain.parquet"):
            commands: list[tuple[str, ...]] = [
                ("score", "--from-table", "words.parquet", other),
                ("significance", "--from-table", other, "words.parquet"),
                ("gate", "--baseline", "words.parquet", "-i", other),
            ]
            for words in commands:
                done = run(*words)
                assert done.err.count("\n") == 1
                assert "align:none-lc" in done.err
        gated = ("gate", "--baseline", "words.parquet", "ref.txt", "-i", "joined.txt")
        assert "joined.txt is not: save its table" in run(*gated).err
        run("score", "ref.txt", "-i", "joined.txt", "--align", "-f", "json", "-o", "old.json")
        more = ("--max-drop", "1", "--fail-on", "drop")
        assert "is not: save its table" in run(*gated[:2], "old.json", *gated[3:], *more).err
        done = run("gate", "--baseline", "old.json", "-i", "words.parquet", *more)
        assert (done.code, "align:none-lc" in done.out) == (0, True)
        both = ("-i", "joined.txt", "a.txt", "--align", "--save-table", "both.parquet")
        run("score", "ref.txt", *both)
        done = run("significance", "--from-table", "both.parquet")
        assert "align:none-lc" in done.out, done.err

    @pytest.mark.usefixtures("joined")
    def test_documents(self, folder: Path, run: Run) -> None:
        names = [str(i // 2) for i in range(len(REFERENCE))]
        write_lines(folder / "documents.txt", names)
        half = [" ".join(SYSTEM_A[i : i + 2]) for i in range(0, len(SYSTEM_A), 2)]
        write_lines(folder / "halves.txt", half)
        documents = ("--documents", "documents.txt")
        run("align", "ref.txt", "-i", "halves.txt", *documents, "-o", "aligned.txt")
        plain = run("score", "ref.txt", "-i", "aligned.txt", "-b")
        words = ("score", "ref.txt", "-i", "halves.txt", "--align", *documents)
        assert run(*words, "-b") == plain
        assert run(*words, "--confidence", "--draws", "9").code == 0

    @pytest.mark.usefixtures("joined")
    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (
                ("--from-table", "x.parquet"),
                "saved tables have no texts to cut",
            ),
            (("-i", "joined.txt", "--align", "ref.txt"), "no reference"),
        ],
    )
    def test_misuse(self, run: Run, more: tuple[str, ...], message: str) -> None:
        done = run("score", "--align", "none", *more)
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert message in done.err


class TestTime:
    """Subtitles, cut by time."""

    @pytest.fixture(autouse=True)
    def _subtitles(self, folder: Path) -> None:
        lines = ["1", "00:00:01,000 --> 00:00:02,000", "The cat.", ""]
        write_lines(folder / "ref.srt", [*lines, "2", "00:00:02,000 --> 00:00:03,000", "It rains."])
        write_lines(folder / "own.vtt", ["WEBVTT", "", "00:01.000 --> 00:03.000", "A cat. It is."])
        write_lines(folder / "own.txt", ["A cat.", "It is."])

    def test_segments(self, run: Run) -> None:
        done = run("align", "ref.srt", "-i", "own.vtt", "--by-time")
        assert done == (0, "A cat.\nIt is.\n", "")

    def test_scores(self, run: Run) -> None:
        plain = run("score", "ref.srt", "-i", "own.txt", "-m", "ter").out
        found = run("score", "ref.srt", "-i", "own.vtt", "-m", "ter", "--align", "time").out
        assert found == plain.replace("|version:", "|align:time|version:")

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("align", "ref.txt", "-i", "own.vtt", "--by-time"), "ref.txt does not have times"),
            (("align", "ref.srt", "ref.srt", "-i", "own.vtt", "--by-time"), "only one reference"),
            (("align", "ref.srt", "-i", "own.vtt", "--by-time", "--tokenize", "char"), "--by-time"),
            (("score", "ref.srt", "-i", "own.txt", "--align", "time"), "own.txt does not have"),
        ],
    )
    def test_misuse(self, run: Run, words: tuple[str, ...], message: str) -> None:
        done = run(*words)
        assert done.code in (1, 2)
        assert done.err.count("\n") == 1
        assert message in done.err


class TestCaptions:
    """What subtitles have beside the words."""

    LABELLED = ("- ANNA: The train is late.", "- Again?"), (">> It left the coast at six.",)
    ROLLING = ("the train is late",), ("the train is late", "again it left"), (
        "again it left", "the coast at six",
    )  # fmt: skip
    BOTH = ("--without-speakers", "--without-repeats")

    @pytest.fixture(autouse=True)
    def _files(self, folder: Path) -> None:
        for name, segments in (("ref.srt", self.LABELLED), ("own.srt", self.ROLLING)):
            lines = [
                line
                for row, texts in enumerate(segments)
                for line in (f"00:00:0{2 * row},000 --> 00:00:0{2 * row + 2},000", *texts, "")
            ]
            write_lines(folder / name, lines)
        write_lines(folder / "ref.txt", [" ".join(texts) for texts in self.LABELLED])
        rows = [["- The train is late.", None], ["ANNA: It left.", ">> It left the coast."]]
        write_lines(folder / "ref.jsonl", [json.dumps({"r": row}) for row in rows])

    def test_labels_and_repeats_are_left_out(self, run: Run) -> None:
        done = run("align", "ref.srt", "-i", "own.srt", *self.BOTH)
        assert done == (0, "the train is late again\nit left the coast at six\n", "")
        data = json.loads(run("align", "ref.srt", "-i", "own.srt", *self.BOTH, "-f", "json").out)
        assert (data["edits"], data["reference_length"]) == (3, 11)
        plain = run("align", "ref.srt", "-i", "own.srt").out
        assert plain.split().count("again") == 2

    def test_files_of_lines(self, run: Run) -> None:
        done = run("align", "ref.txt", "-i", "own.srt", *self.BOTH)
        assert done.out == "the train is late again\nit left the coast at six\n"
        done = run("align", "ref.jsonl:r", "-i", "own.srt", *self.BOTH, "-f", "json")
        assert json.loads(done.out)["reference_length"] == 4 + (2 + 4) / 2

    @pytest.mark.parametrize("option", [(), ("--without-speakers",)])
    def test_labels_stay_unless_they_are_left_out(self, run: Run, option: tuple[str, ...]) -> None:
        """Of the second reference of a segment, too."""
        done = run("align", "ref.jsonl:r", "-i", "own.srt", *option, "-f", "json")
        words = 4 + (2 + 4) / 2 if option else 5 + (3 + 5) / 2
        assert json.loads(done.out)["reference_length"] == words

    def test_by_time(self, run: Run) -> None:
        done = run("align", "ref.srt", "-i", "own.srt", "--by-time", *self.BOTH)
        assert done == (0, "the train is late\nagain it left the coast at six\n", "")

    def test_repeats_need_subtitles(self, run: Run) -> None:
        done = run("align", "ref.txt", "-i", "ref.txt", "--without-repeats")
        assert (done.code, done.out) == (2, "")
        assert "--without-repeats needs subtitles" in done.err
