"""Files whose lines hold more than text: rejected with what they are, or warned of; text is not."""

from __future__ import annotations

import gzip
import json
import pickle
import sqlite3
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import InputError, score
from bleuet.cli.main import main
from bleuet.linting.linting import lint
from bleuet.metrics.base.text_checks import TextChecks
from bleuet.metrics.base.text_problems import count_missing
from bleuet.text.parallel import Parallel, read_references, read_systems
from bleuet.text.segments import TEXT as PLAIN
from bleuet.text.segments import Segments
from bleuet.text.source import Source
from tests.cli.conftest import Outcome
from tests.evaluation_data import EvaluationData

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = EvaluationData.find().root / "data"
REF = ["the ferry leaves at nine", "nobody was on deck", "the harbour is closed"]
HYP = ["the ferry left at nine", "nobody was on the deck", "the harbour closed"]
IDS = ["call_03-001", "call_01-007", "call_02-004"]

# What files begin with, and what the message calls them.
REJECTED = {
    "a.trn": (
        "\n".join(f"{text} ({key})" for text, key in zip(REF, IDS, strict=True)),
        "a transcript of sclite (.trn)",
    ),
    "text": (
        "\n".join(f"{key} {text}" for text, key in zip(REF, IDS, strict=True)),
        "a transcript (Kaldi) with an id before each text, such as call_03-001",
    ),
    "a.stm": (
        ";; comment\nf1 A bob 0.0 1.5 <o,f0> the ferry\nf1 A eve 1.5 2.25 <o,f0> leaves",
        "a transcript with times (.stm)",
    ),
    "a.ctm": (
        "f1 A 0.00 0.31 the 0.98\nf1 A 0.31 0.44 ferry 0.77\nf1 A 0.75 0.2 left 1.0",
        "words with times (.ctm)",
    ),
    "a.seglst.json": (
        json.dumps([{"session_id": "s", "speaker": "1", "words": "the ferry"}]),
        "one JSON value",
    ),
    "whole.json": (json.dumps({"a": ["the ferry"]}, indent=2), "one JSON value"),
    "lines.txt": ('{"hyp": "the ferry"}\n{"hyp": "nobody"}', "JSON objects, one on each line"),
    "a.tmx": ('<?xml version="1.0"?>\n<tmx version="1.4"><body>', "an XML document"),
    "b.tmx": ("<tmx version='1.4'>\n<body>", "a translation memory (TMX)"),
    "a.xliff": ("\ufeff<xliff version='1.2'>\n<file>", "an XLIFF document"),
    "a.sgm": ("<refset setid='x'>\n<doc>", "an SGML document"),
    "a.html": ("<!DOCTYPE html>\n<html>", "a page of HTML"),
    "a.rtf": ("{\\rtf1\\ansi the ferry}", "a document in RTF"),
    "a.po": ('# messages\nmsgid ""\nmsgstr ""\n', "a catalogue of messages (PO)"),
    "cues.txt": ("1\n00:00:01,000 --> 00:00:02,000\nthe ferry", "subtitles (.srt)"),
    "edits.txt": ("S the ferry left\nA 2 3|||R|||leaves|||REQUIRED|||-NONE-|||0", "an M2 file"),
    "decoded.txt": ("S-1\tdie Fähre\nH-1\t-0.4\tthe ferry\nD-1\t-0.4\tthe ferry", "of fairseq"),
    "a.md": ("| n | text |\n|---|:-:|\n| 1 | the ferry |\n| 2 | nobody |", "a table of Markdown"),
    "nbest.txt": ("0 ||| the ferry ||| lm=-3 ||| -1.2\n0 ||| a ferry ||| lm=-4 ||| -2", "n-best"),
}
# What is perhaps text: a warning.
DOUBTFUL = {
    "header.txt": ("translation\nthe ferry leaves\nnobody", "a column, since the first line is"),
    "numbers.txt": ("\n".join(f"{n} the ferry" for n in range(5, 10)), "a number before each line"),
    "table.txt": ("the ferry\tdie Fähre\nnobody\tniemand", "a table of 2 columns"),
    "speakers.txt": (
        "\n".join(f"SPEAKER_0{n % 2}: the ferry" for n in range(5)),
        "text with its speaker before each line, such as SPEAKER_00:",
    ),
    "lists.txt": ("['the ferry left']\n[\"it's nobody\"]", "lists of texts, as Python prints them"),
    "label.txt": (
        "\n".join(f"Assistant: {text}" for text in (*REF, *HYP)),
        "the same label before each line, 'Assistant:'",
    ),
    "bullets.txt": ("\n".join(f"- {text}" for text in (*REF, *HYP)), "label before each line, '-'"),
    "quotes.txt": ("\n".join(f'"{text}"' for text in (*REF, *HYP)), "quotes around each line"),
    "guillemets.txt": ("\n".join(f"« {text} »" for text in (*REF, *HYP)), "quotes around each"),
    "log.txt": (
        "\n".join(f"[2026-03-0{n + 1} 10:00:0{n}] INFO {t}" for n, t in enumerate((*REF, *HYP))),
        "a log with the time before each line",
    ),
    "bpe.txt": (
        "the cat\nthe fer@@ ry left\nno@@ bo@@ dy was on deck\nthe har@@ bour is closed",
        "subwords that were not joined, marked with @@",
    ),
    "pieces.txt": (
        "\u2581the \u2581fer ry \u2581left\n\u2581no body \u2581was",
        "subwords that were not joined, marked with \u2581",
    ),
    "misread.txt": (
        "le d\u00c3\u00a9part\nil est d\u00c3\u00a9j\u00c3\u00a0 l\u00c3\u00a0",
        "UTF-8 that was read as Latin-1 or Windows-1252, such as '\u00c3\u00a9' for '\u00e9'",
    ),
    "cyrillic.txt": (
        "паром ушёл\nда".encode().decode("latin-1"),
        "UTF-8 that was read as Latin-1",
    ),
    "lost.txt": ("le d\ufffdpart\nil est d\ufffdj\ufffd l\ufffd", "lost characters, U+FFFD"),
    "escapes.txt": ("le d\\u00e9part\nla fin", "text with escapes such as \\u00e9"),
    "percent.txt": ("the%20ferry%20left\nnobody", "percent-encoded text"),
    "bytes.txt": ("b'the ferry left'\nb\"it's nobody\"", "bytes as Python prints them"),
    "wordpiece.txt": ("the fer ##ry left\nno ##body was", "not joined, marked with ##"),
    "tags.txt": ("<s> the ferry </s>\n<s> nobody </s>", "text with markup on each line"),
}
# The checks of `bleuet lint` that find them.
SHAPES = ("shape", "subwords", "encoding", "lost-characters")
# Text that shares some of this.
TEXT = [
    ["Q1 was weak.", "Q2 was strong.", "Q3 is open."],
    ["3-1 win for us", "2-0 defeat", "5-4 in the end"],
    ["Text", "Bild", "Ton"],
    ["https://a.org/M%C3%BCnchen", "https://a.org/K%C3%B6ln", "https://a.org/Rom"],
    ["First ## Part", "Second ## Part", "the end"],
    ["G20 leaders meet", "F-16 jets land", "They left (1999)", "COVID-19 spreads"],
    ["He left (1999)", "She came (2001)", "Nobody stayed."],
    ["3 people came", "12 people left"],
    ["[laughter] the ferry", "<unk> left", "{ brackets }"],
    ['"Yes," she said.', '"No."'],
    ["The <b>ferry</b> left", "<b>Nobody</b> came"],
    ["S Bahn", "A ferry"],
    ["Source of all evil", "the text"],
    ["1999 was cold", "2003 was hot", "2005 was dry"],
    ["h0", "h1", "h2", "h3"],
    ["| one", "| two", "| three"],
    ["['tis] late", "['twas] early"],
    ["['tis late]", "[it was early]"],
    ["S ||| bends twice", "S goes on"],
    ["A: hello", "B: hello", "A: who is there", "B: nobody", "A: well"],
    ["# a comment", "- a list", "* a star"],
    ['"No."', '"Yes," he said, "and no."', '"Well."', '"He said so."', '"I did."'],
    ["Note: it rains", "Note: it snows", "A note: it hails", "Hail", "Rain"],
    ["me @@ home", "the ferry", "nobody was on deck", "the harbour", "a deck"],
    ["\u00c3 demain", "\u00c9t\u00e9 \u00c3", "\u00c3O", "\u00d1u"],
    ["a 100% sure", "50%C3 of it", "the ferry left"],
    ["C:\\users\\xavier", "the ferry", "nobody was on deck"],
    ["issue ##12 is open", "the ferry left", "nobody was on deck", "the harbour is closed"],
]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run a command in this process."""

    def run_here(*arguments: str) -> Outcome:
        capfd.readouterr()
        code = main(arguments)
        return Outcome(code, *capfd.readouterr())

    return run_here


@pytest.mark.parametrize("name", REJECTED)
def test_files_of_another_shape_are_rejected(tmp_path: Path, name: str) -> None:
    content, what = REJECTED[name]
    path, plain = tmp_path / name, tmp_path / "plain.txt"
    path.write_text(content, encoding="utf-8")
    count = len(content.split("\n")) - content.endswith("\n")
    plain.write_text("the ferry\n" * count, encoding="utf-8")
    for systems, references in (
        *(([path], [plain]), ([plain], [path])),
        *(([plain, path], [plain]), ([plain], [plain, path])),
    ):
        with pytest.raises(InputError) as caught:
            read_systems(list(map(Source, systems)), list(map(Source, references)))
        assert str(caught.value).startswith(f"{path} is ")
        assert what in str(caught.value)
        assert f"or write lines:{path} to score" in str(caught.value)
    for files in ([path], [plain, path]):
        with pytest.raises(InputError, match="expected text, one segment per line"):
            read_references(list(map(Source, files)))
    forced = Source.parse(f"lines:{path}")
    with warnings.catch_warnings(action="ignore"):
        assert len(read_systems([forced], [forced])[0]) == count


@pytest.mark.parametrize("name", [*REJECTED, *DOUBTFUL])
def test_texts_in_memory_are_warned_of(name: str) -> None:
    content, what = {**REJECTED, **DOUBTFUL}[name]
    lines = content.split("\n")
    plain = ["the ferry left"] * len(lines)
    for hypotheses, references, side in (
        (lines, plain, "the hypotheses"), (plain, lines, "the references"),
    ):  # fmt: skip
        with pytest.warns(match=f"^{side} look like ") as caught:
            score(hypotheses, references, ["chrf"])
        assert any(what in str(one.message) for one in caught)


def test_sets_of_texts_are_warned_of(run: Callable[..., Outcome], tmp_path: Path) -> None:
    """Those that are compared with each other, or each with each."""
    content, what = DOUBTFUL["bpe.txt"]
    path, plain = tmp_path / "bpe.txt", tmp_path / "plain.txt"
    path.write_text(content, encoding="utf-8")
    plain.write_text("\n".join(REF), encoding="utf-8")
    for command in (
        ["diversity", "bpe.txt"], ["diversity", "plain.txt", "bpe.txt"],
        ["matrix", "plain.txt", "-i", "bpe.txt"], ["matrix", "bpe.txt", "-i", "plain.txt"],
        ["mbr", "-i", "bpe.txt", "--list-format", "lines:4"],
    ):  # fmt: skip
        words = [str(tmp_path / word) if word.endswith(".txt") else word for word in command]
        warned = run(*words)
        assert warned.code == 0, warned.err
        assert f"like {what}" in warned.err, command
        assert run(*words, "-q").err == ""
    assert run("diversity", f"lines:{path}").err == ""


@pytest.mark.parametrize("name", DOUBTFUL)
def test_doubtful_files_are_scored_with_a_warning(
    run: Callable[..., Outcome], tmp_path: Path, name: str
) -> None:
    content, what = DOUBTFUL[name]
    path, plain = tmp_path / name, tmp_path / "plain.txt"
    path.write_text(content, encoding="utf-8")
    plain.write_text("the ferry\n" * len(content.split("\n")), encoding="utf-8")
    done = run("score", str(plain), "-i", str(path))
    assert done.code == 0
    assert f"warning: {name} looks like " in done.err
    assert what in done.err
    assert run("score", str(plain), "-i", f"lines:{path}").err == ""


@pytest.mark.parametrize("name", [*REJECTED, *DOUBTFUL])
def test_no_command_warns_of_lines_that_are_text_as_users_say(
    run: Callable[..., Outcome], tmp_path: Path, name: str
) -> None:
    content, _ = {**REJECTED, **DOUBTFUL}[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    forced = f"lines:{tmp_path / name}"
    shard = f"lines:{tmp_path}/?{name[1:]}"
    for command, file in (
        ("score", forced), ("compare", forced), ("score", shard), ("matrix", forced),
    ):  # fmt: skip
        done = run(command, file, "-i", f"mine={file}", "-m", "chrf", "-f", "json")
        assert done.code == 0
        assert "whose marks and ids count as text" not in done.out + done.err


@pytest.mark.parametrize("name", [*REJECTED, *DOUBTFUL])
def test_lint_reports_what_score_warns_of(
    run: Callable[..., Outcome], tmp_path: Path, name: str
) -> None:
    content, what = {**REJECTED, **DOUBTFUL}[name]
    lines = content.removesuffix("\n").split("\n")
    plain = ["the ferry left"] * len(lines)
    for systems, references, role in ((lines, plain, "hypotheses"), (plain, lines, "references")):
        (found,) = [one for one in lint(systems, references).findings if one.check in SHAPES]
        assert found.role == role
        # The other checks show what a line has instead.
        assert found.check != "shape" or what in found.message
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    (tmp_path / "plain.txt").write_text("\n".join(plain), encoding="utf-8")
    done = run("lint", str(tmp_path / "plain.txt"), "-i", str(path))
    assert what in done.out + done.err or f" {found.check} " in done.out
    done = run("lint", str(tmp_path / "plain.txt"), "-i", f"lines:{path}", "--checks", "shape")
    assert (done.code, "nothing found" in done.out) == (0, True)


def test_lint_reports_references_in_another_layout() -> None:
    hypotheses = ["the ferry left at nine", "nobody was on deck"]
    found = lint(hypotheses, [text.split() for text in hypotheses]).findings
    assert ("shape", "references") in [(one.check, one.role) for one in found]


MISSING = ["nan", "NaN", "NaT", "<NA>", "#N/A", "NA", "N/A", "None", "null", "NULL"]


@pytest.mark.parametrize("word", MISSING)
@pytest.mark.parametrize("size", [6, 20_000])
def test_words_for_missing_texts_in_files_are_warned_of(
    run: Callable[..., Outcome], tmp_path: Path, word: str, size: int
) -> None:
    lines = [word if row % 3 == 1 else f"the ferry left pier {row}" for row in range(size)]
    (tmp_path / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "b.txt").write_text("the ferry left\n" * size, encoding="utf-8")
    for paths in (("a.txt", "b.txt"), ("b.txt", "a.txt")):
        reference, system = (str(tmp_path / path) for path in paths)
        done = run("score", reference, "-i", system)
        name = "the references" if paths[0] == "a.txt" else "a.txt"
        said = f"{lines.count(word)} lines of {name} are nan, NA, None or the like"
        assert said in done.err


def test_one_line_of_many_may_be_such_a_word(run: Callable[..., Outcome], tmp_path: Path) -> None:
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    other.write_text("the ferry left\n" * 200, encoding="utf-8")
    for words, warned in ((["None"], False), (["nan"], True), (["None", "None"], True)):
        path.write_text(
            "".join(f"{line}\n" for line in [*words, *["the ferry left pier"] * 200][:200]),
            encoding="utf-8",
        )
        assert ("nan, NA, None" in run("score", str(other), "-i", str(path)).err) == warned
    # Where texts are one word, these are words like others.
    path.write_text("None\nAll\nSome\n" * 60, encoding="utf-8")
    other.write_text("None\nAll\nFew\n" * 60, encoding="utf-8")
    assert "nan, NA, None" not in run("score", str(other), "-i", str(path)).err


@pytest.mark.data
def test_no_line_of_real_texts_is_a_word_for_a_missing_one() -> None:
    for path in sorted(DATA.rglob("*.txt.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines = file.read().split("\n")
        assert count_missing(Segments(PLAIN, lines)) == 0, path


@pytest.mark.parametrize("lines", TEXT)
def test_plain_text_is_silent(lines: list[str], tmp_path: Path) -> None:
    other = ["the ferry left"] * len(lines)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(lines, other, ["chrf"])
        score(other, lines, ["chrf"])
    path = tmp_path / "text.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert read_references([Source(path)]) == lines


def test_names_with_numbers_are_warned_of_and_not_rejected(tmp_path: Path) -> None:
    for lines in (
        ["H2O is water.", "CO2 is air.", "O3 is ozone."],
        ["2024-01-05 Meeting", "2024-01-06 Lunch", "2024-01-07 Rest"],
        ["We use (GPT-4)", "They use (Llama-2)"],
        ["COVID-19 spreads.", "GPT-4 wins."],
    ):
        path = tmp_path / "names.txt"
        path.write_text("\n".join(lines), encoding="utf-8")
        with warnings.catch_warnings(action="ignore"):
            assert read_systems([Source(path)], [Source(path)])[0].hypotheses == lines


@pytest.mark.parametrize("sign", ["-", "\u2014", "*", "\u266a", "\u00ab"])
def test_signs_of_both_sides_are_text(sign: str) -> None:
    end = " \u00bb" if sign == "\u00ab" else ""
    hypotheses, references = (
        [f"{sign} {text}{end}" for text in (*texts, *texts)] for texts in (HYP, REF)
    )
    with warnings.catch_warnings(action="error"):
        score(hypotheses, references, ["chrf"])
    with pytest.warns(match="^the hypotheses look like text with"):
        score(hypotheses, REF * 2, ["chrf"])


@pytest.mark.parametrize(
    "line", ["b'the ferry {}'", "le d\\u00e9part {}", "the%20ferry%20{}"], ids=["b", "u", "%"]
)
def test_escapes_of_both_sides_are_text(line: str) -> None:
    """Code and addresses have them, and one side alone is wrong."""
    texts = [line.format(number) for number in range(8)]
    with warnings.catch_warnings(action="error"):
        score(texts, texts[::-1], ["chrf"])
    with pytest.warns(match="^the references look like"):
        score(REF * 2, [*texts, *texts][: len(REF * 2)], ["chrf"])


def test_keyed_files_of_two_lines_share_their_ids(tmp_path: Path) -> None:
    for name, lines in (
        ("a", ["utt1 the ferry", "utt2 left"]),
        ("b", ["utt2 left", "utt1 a ferry"]),
    ):
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match="Kaldi"):
        read_systems([Source(tmp_path / "a")], [Source(tmp_path / "b")])


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (pickle.dumps(["the ferry"]), "is a pickle of Python"),
        (b"PK\x03\x04\x14\0", "is a zip file, such as a spreadsheet"),
        (b"PAR1\x15\x04\x15\x10", "is a Parquet file"),
        (b"%PDF-1.7\n", "is a document in PDF"),
        ("the ferry\n".encode("utf-16-le"), "seems to be UTF-16"),
        ("the ferry\n".encode("utf-16-be"), "seems to be UTF-16"),
        ("the ferry\n".encode("utf-16"), "is UTF-16"),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.csv:ref", "a.tsv:ref", "a.jsonl:ref"])
def test_binary_files_are_named(tmp_path: Path, content: bytes, what: str, name: str) -> None:
    (tmp_path / name.partition(":")[0]).write_bytes(content)
    with pytest.raises(InputError, match=what):
        Source.parse(f"{tmp_path}/{name}").read()


def test_a_database_is_named(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.txt") as database:
        database.execute("CREATE TABLE texts (ref)")
    with pytest.raises(InputError, match="is a database of SQLite"):
        Source(tmp_path / "a.txt").read()


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
@pytest.mark.parametrize("header", ["reference", "Hyp", "my_model_v2"])
def test_the_name_of_an_only_column_is_not_scored(tmp_path: Path, name: str, header: str) -> None:
    path = tmp_path / name
    path.write_text("\n".join([header, *REF]), encoding="utf-8")
    with pytest.raises(InputError, match=f"write {path}:{header} if it is, or {path}:1 to score"):
        Source(path).read()
    assert Source.parse(f"{path}:{header}").read() == REF
    assert Source.parse(f"{path}:1").read() == [header, *REF]


@pytest.mark.data
def test_real_texts_have_no_other_shape() -> None:
    """No file of texts of the evaluation data is rejected, or has a warning of its shape."""
    files = [path for path in sorted(DATA.rglob("*.txt.gz")) if "kbest" not in path.parts]
    assert len(files) > 150
    for path in files:
        if path.name.startswith("wmt21-ende.systems"):
            continue
        checks = TextChecks([path.name], [])
        for batch in checks.over(Parallel([Source(path)], [Source(path)])):
            del batch
        problems = [one for one in checks.problems() if "look" in one or "nan" in one]
        assert problems == [], path


# --- Tables ---------------------------------------------------------------------------------------

ROWS: list[dict[str, Any]] = [
    {"id": "1", "ref": 'She said "no", and left.', "hyp": 'She said "no" and left.'},
    {"id": "2", "ref": "It cost 3,50; nobody paid.", "hyp": "It cost 3,50, and nobody paid."},
    {"id": "3", "ref": "Two lines\nin one cell.", "hyp": "Two lines in one cell."},
    {"id": "4", "ref": "A tab\there.", "hyp": '"Here" is a tab.'},
]


@pytest.mark.libraries
def test_tables_of_pandas_have_one_score(tmp_path: Path) -> None:
    import pandas

    frame = pandas.DataFrame(ROWS)
    frame.to_csv(tmp_path / "comma.csv", index=False)
    frame.to_csv(tmp_path / "marked.csv", index=False, encoding="utf-8-sig", lineterminator="\r\n")
    frame.to_csv(tmp_path / "semicolon.csv", index=False, sep=";", decimal=",")
    frame.to_csv(tmp_path / "tab.csv", index=False, sep="\t")
    frame.to_csv(tmp_path / "some.tsv", index=False, sep="\t")
    frame.to_csv(tmp_path / "all.tsv", index=False, sep="\t", quoting=1)
    frame.to_csv(tmp_path / "some.tsv.gz", index=False, sep="\t")
    frame.to_json(tmp_path / "rows.jsonl", orient="records", lines=True)
    frame.to_parquet(tmp_path / "rows.parquet")
    expected = score([row["hyp"] for row in ROWS], [row["ref"] for row in ROWS], "chrf")
    for path in sorted(tmp_path.iterdir()):
        sides = [Source.parse(f"{path}:{side}").read() for side in ("hyp", "ref")]
        assert sides == [[row[side] for row in ROWS] for side in ("hyp", "ref")], path
        assert score(sides[0], sides[1], "chrf")["chrf"].score == expected["chrf"].score


def test_raw_quotes_of_tsv_files_are_text(tmp_path: Path) -> None:
    path = tmp_path / "raw.tsv"
    lines = ["id\thyp", '1\t"Yes" she said', '2\t"one quote, only', "3\tplain", '4\t"All of it."']
    path.write_text("\n".join(lines), encoding="utf-8")
    assert Source.parse(f"{path}:hyp").read() == [line.split("\t")[1] for line in lines[1:]]


def test_quotes_of_r_are_explained(tmp_path: Path) -> None:
    path = tmp_path / "r.tsv"
    path.write_text('"id"\t"ref"\n"1"\t"She said \\"no\\"."\n', encoding="utf-8")
    with pytest.raises(InputError, match=r'qmethod="double" and row\.names=FALSE'):
        Source.parse(f"{path}:ref").read()


def test_the_line_of_excel_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("sep=;\nref;hyp\na;b\n", encoding="utf-8")
    with pytest.raises(InputError, match="which Excel alone reads: remove this line"):
        Source.parse(f"{path}:ref").read()


def test_semicolons_in_texts_are_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    for content in (
        "One; two.\n",
        "One; two.\nThree.\n",
        "ref\nOne; two.\n",
        '"One, two; three."\n',
    ):
        path.write_text(content, encoding="utf-8")
        read = Source.parse(f"{path}:1").read()
        assert read == [line.strip('"') for line in content.splitlines()]


def test_missing_texts_of_tables_are_warned_of(run: Callable[..., Outcome], tmp_path: Path) -> None:
    ref, hyp = tmp_path / "ref.csv", tmp_path / "hyp.csv"
    ref.write_text("ref\nThe ferry left.\nNobody came.\nIt rained.\n", encoding="utf-8")
    hyp.write_text("hyp\nA ferry left.\nNA\nIt rains.\n", encoding="utf-8")
    done = run("score", f"{ref}:ref", "-i", f"mine={hyp}:hyp")
    assert "1 line of mine is nan, NA, None or the like, which counts as a word" in done.err
    with pytest.warns(match="1 line of the hypotheses is nan"):
        score(["A ferry left.", "nan"], ["The ferry left.", "It rained."])


def test_ids_in_another_order_are_warned_of(run: Callable[..., Outcome], tmp_path: Path) -> None:
    ref, hyp = tmp_path / "ref.jsonl", tmp_path / "hyp.csv"
    ref.write_text('{"id": 1, "ref": "A."}\n{"id": 2, "ref": "B."}\n', encoding="utf-8")
    hyp.write_text("id,hyp\n2,B.\n1,A.\n", encoding="utf-8")
    done = run("score", f"{ref}:ref", "-i", f"{hyp}:hyp", "-m", "wer")
    assert done.code == 0
    assert "have the column id in another order, such as 2 and 1 in row 1" in done.err
    hyp.write_text("id,hyp\n1,B.\n2,A.\n", encoding="utf-8")
    assert "order" not in run("score", f"{ref}:ref", "-i", f"{hyp}:hyp", "-m", "wer").err
    # The second system, too, and no file without the column.
    other, without = tmp_path / "other.csv", tmp_path / "without.csv"
    other.write_text("id,hyp\n2,B.\n1,A.\n", encoding="utf-8")
    without.write_text("hyp\nB.\nA.\n", encoding="utf-8")
    words = ("score", f"{ref}:ref", "-m", "wer", "-i", f"{without}:hyp", f"a={hyp}:hyp")
    assert "order" not in run(*words).err
    (warning,) = [line for line in run(*words, f"b={other}:hyp").err.splitlines() if "id" in line]
    assert f"{without} and" not in warning
    assert str(other) in warning


@pytest.mark.data
def test_real_tables_keep_their_quotes() -> None:
    """The published tables of judgements have raw quotes, and are read as they are."""
    path = DATA / "wmt21-ende" / "mqm.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    with Source(path).records() as records:
        records.choose(rows[0][-1])
        read = [value for columns in iter(records.next_columns, []) for value in columns[0]]
    assert read == [row[-1] for row in rows[1:]]
