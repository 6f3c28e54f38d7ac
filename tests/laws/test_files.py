"""How a file ends its lines, begins and is compressed changes no answer, whichever file it is."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet.cli.main import main
from tests.laws.generated import generated

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.laws.generated import Study

    Run = Callable[..., tuple[int, str, str]]

MARK = b"\xef\xbb\xbf"
STUDY = generated().select(range(14))


def files_of(study: Study) -> dict[str, list[str]]:
    """The lines of each file."""
    rows = range(len(study.names))
    systems = {f"{name}.txt": own for name, own in study.systems.items()}
    numbers = {
        f"{name}.num": [f"{len(text)}" if text else "" for text in own]
        for name, own in study.systems.items()
    }
    human = [
        f"{row}\t{name}\t{len(set(own[row].split()))}" for name, own in study.systems.items()
        for row in rows
    ]  # fmt: skip
    nbest = [
        f"{row} ||| {text} ||| lm= {len(text)} tm= {place} ||| 1.5"
        for row in rows
        for place, text in enumerate(own[row] or "nothing" for own in study.systems.values())
    ]
    words = [[f"T{len(word)}" for word in own.split()] for own in study.column(0)]
    return {
        **systems,
        **numbers,
        "one.txt": study.column(0),
        "two.txt": study.column(1),
        "src.txt": study.sources,
        "documents.txt": study.documents,
        "groups.txt": study.groups,
        "training.txt": [*study.sources[:5], *study.column(0)[5:9], "nothing else rang"],
        "places.txt": ["Harbour", "lighthouse"],
        "people.txt": ["Anna", "keeper"],
        "tags.txt": [" ".join(own) for own in words],
        "human.tsv": ["segment\tsystem\tscore", *human],
        "scores.csv": ["segment,system,score", *(one.replace("\t", ",") for one in human)],
        "nbest.txt": nbest,
        "held.txt": nbest,
        "weights.ini": ["[weight]", "lm= 0.25", "tm= -1"],
    }


# The words of commands, in which every file stands that they read.
COMMANDS = {
    "score": (
        "score one.txt two.txt -i first=first.txt close=close.txt "
        "worse=worse.txt -m bleu ter --source src.txt "
        "--documents documents.txt --confidence --draws 20"
    ),
    "sentences": "score one.txt two.txt -i a=first.txt b=worse.txt -m bleu rougeL -s",
    "significance": (
        "significance one.txt two.txt -i first=first.txt close=close.txt "
        "worse=worse.txt -m chrf ter "
        "--draws 100 --test randomization"
    ),
    "external scores": (
        "significance one.txt -i first=first.txt close=close.txt "
        "worse=worse.txt -m ter --draws 100 "
        "--scores A=first.num,close.num,worse.num B=scores.csv "
        "--test randomization --documents documents.txt"
    ),
    "runs": (
        "significance one.txt -i old=first.txt,close.txt new=worse.txt,twin.txt -m chrf --draws 20"
    ),
    "compare": (
        "compare one.txt two.txt -i first=first.txt close=close.txt "
        "worse=worse.txt --labels groups.txt "
        "documents.txt --frequencies training.txt --word-lists places.txt people.txt --all-pairs"
    ),
    "labels": (
        "compare one.txt -i x=one.txt y=one.txt --reference-labels tags.txt "
        "--system-labels tags.txt tags.txt -m ter"
    ),
    "gate": (
        "gate one.txt two.txt --baseline first=first.txt --release close=close.txt "
        "-i worse=worse.txt -m chrf ter --draws 100 --documents documents.txt --test randomization"
    ),
    "mbr": (
        "mbr one.txt two.txt -i first.txt close.txt worse.txt --pseudo-references twin.txt "
        "close.txt -m chrf"
    ),
    "lists": "mbr one.txt -i nbest.txt --weights scores -m ter",
    "meta": (
        "meta one.txt two.txt -i first=first.txt close=close.txt "
        "worse=worse.txt twin=twin.txt -m chrf --scores A=first.num,close.num,worse.num,twin.num "
        "--human human.tsv --statistic tau acc-eq --documents documents.txt --confidence --draws 20"
    ),
    "lint": (
        "lint one.txt two.txt -i first=first.txt close=close.txt "
        "worse=worse.txt --source src.txt "
        "--training training.txt"
    ),
    "diversity": "diversity first=first.txt close=close.txt worse=worse.txt",
    "matrix": "matrix one.txt two.txt -i worse.txt -m ter",
    "explain": "explain one.txt two.txt -i worse.txt --segment 14 -m bleu ter",
    "tune": (
        "tune one.txt two.txt --nbest nbest.txt --held-out held.txt --held-out-references "
        "two.txt --method mert:restarts=1,patience=1"
    ),
    "apply": "tune one.txt two.txt --nbest nbest.txt --apply weights.ini",
    "align": (
        "align one.txt -i first.txt --documents documents.txt --hypothesis-documents documents.txt"
    ),
}
NAMES = re.compile(r"[\w-]+\.(?:txt|num|tsv|csv|ini)\b")


def _plain(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


ALL_OF_THEM = "all of them"
WAYS: dict[str, Callable[[bytes], bytes]] = {
    "no last line end": lambda content: content.removesuffix(b"\n"),
    "CRLF": lambda content: content.replace(b"\n", b"\r\n"),
    "gzip": lambda content: gzip.compress(content, mtime=0),
    "a mark": lambda content: MARK + content,
    ALL_OF_THEM: lambda content: gzip.compress(
        MARK + content.replace(b"\n", b"\r\n").removesuffix(b"\r\n"), mtime=0
    ),
}


ONE_OF_THEM = [way for way in WAYS if way != ALL_OF_THEM]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in a folder with all files."""
    monkeypatch.chdir(tmp_path)
    for name, lines in files_of(STUDY).items():
        Path(name).write_bytes(_plain(lines))

    def run_here(command: str, *more: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main([*command.split(), *more])
        out, err = capfd.readouterr()
        return code, out, err

    return run_here


def read_by(command: str) -> list[str]:
    return list(dict.fromkeys(NAMES.findall(command)))


@pytest.mark.parametrize("name", COMMANDS)
def test_each_file_may_be_written_in_any_way(name: str, run: Run) -> None:
    command = COMMANDS[name]
    code, expected, err = run(command, "-f", "json", "-q", "--bom", "strip")
    assert code in (0, 3), err
    assert json.loads(expected)
    for place, file in enumerate(read_by(command)):
        plain = Path(file).read_bytes()
        # Each file in two ways, and the files of a command in turn in all.
        for way in (ALL_OF_THEM, ONE_OF_THEM[place % len(ONE_OF_THEM)]):
            content = WAYS[way](plain)
            written = f"{file}.gz" if content[:2] == b"\x1f\x8b" else file
            Path(written).write_bytes(content)
            renamed = re.sub(rf"\b{re.escape(file)}", written, command)
            found, out, err = run(renamed, "-f", "json", "-q", "--bom", "strip")
            # Two long texts that differ take long to be shown.
            is_same = out.replace(written, file) == expected
            assert (found, is_same) == (code, True), f"{file} with {way}: {err}"
            Path(written).unlink()
            Path(file).write_bytes(plain)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_mark_is_warned_of_in_each_file_of_texts(name: str, run: Run) -> None:
    """Numbers and names of columns never begin with it."""
    command = COMMANDS[name]
    _, expected, _ = run(command, "-f", "json", "-q")
    for file in read_by(command):
        plain = Path(file).read_bytes()
        Path(file).write_bytes(MARK + plain.removesuffix(b"\n"))
        _, out, err = run(command, "-f", "json")
        if Path(file).suffix == ".txt":
            assert f"{file} begins with a byte order mark" in err
        else:
            assert (out == expected, "mark" in err) == (True, False), file
        _, _, err = run(command, "-f", "json", "--bom", "keep")
        assert "byte order mark" not in err
        Path(file).write_bytes(plain)


# Their lines are no segments, or name them.
ANY_LENGTH = {
    "training.txt", "places.txt", "people.txt", "human.tsv", "scores.csv", "nbest.txt", "held.txt",
    "weights.ini",
}  # fmt: skip
# Here lines are counted that no file alone has.
NOT_NAMED = {"labels", "lists", "align"}


@pytest.mark.parametrize("name", [*sorted(COMMANDS.keys() - {"lint", "diversity", "matrix"})])
def test_a_file_of_another_length_is_an_error(name: str, run: Run) -> None:
    """Whichever file it is, it is never cut or filled."""
    command = COMMANDS[name]
    for file in set(read_by(command)) - ANY_LENGTH:
        plain = Path(file).read_bytes()
        lines = plain.splitlines(keepends=True)
        for content in (lines[:-1], [*lines, b"\n"]):
            Path(file).write_bytes(b"".join(content))
            code, out, err = run(command, "-f", "json", "-q")
            assert (code, out) == (1, ""), f"{file} of {len(content)} lines"
            assert file in err or name in NOT_NAMED
        Path(file).write_bytes(plain)
