"""The options that many commands share do in each of them what they promise.

Which command has which option comes from the declarations, so that a new command needs a line in
`BASES`, and a new flag that reads a file a line in `READ`.
"""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.cli.main import COMMANDS
from bleuet.cli.options import (
    BOM,
    DOWNLOAD,
    FORMAT,
    LANGUAGE_PAIR,
    MAX_SEGMENT,
    OUTPUT_FILE,
    QUIET,
    SHORT,
    THREADS,
    WIDTH,
)
from bleuet.output.failure import print_line
from bleuet.statistics import backend
from tests.cli.every_option import Folder, bare, command_line_folder

if TYPE_CHECKING:
    from bleuet.cli.options import Flag

pytestmark = pytest.mark.slow
folder = command_line_folder
SHARED = (
    FORMAT, OUTPUT_FILE, WIDTH, SHORT, QUIET, BOM, MAX_SEGMENT, LANGUAGE_PAIR, DOWNLOAD, THREADS,
)  # fmt: skip
# A command of each, with scores, signatures and notes where it has them.
BASES = {
    "score": "score ref.txt -i a.txt b.txt",
    "matrix": "matrix ref.txt -i a.txt",
    "diversity": "diversity a.txt b.txt",
    "compare": "compare ref.txt -i a.txt b.txt -m bleu --test randomization --draws 50",
    "significance": "significance ref.txt -i a.txt b.txt -m bleu --draws 50",
    "gate": "gate ref.txt --baseline a.txt -i b.txt --draws 100",
    "history": "history h.jsonl",
    "explain": "explain ref.txt -i a.txt --from bleu --to bleu:lowercase",
    "meta": "meta ref.txt -i a.txt b.txt c.txt --human human.tsv",
    "mbr": "mbr ref.txt -i a.txt b.txt c.txt",
    "tune": "tune ref.txt --nbest nbest.txt --method mira",
    "lint": "lint ref.txt -i a.txt copied.txt --source foreign.txt",
    "align": "align ref.txt -i line-a.txt",
    "metrics": "metrics bleu",
    "tokenizers": "tokenizers",
    "meteor-data": "meteor-data",
    "doctor": "doctor",
    "completion": "completion bash",
}
PLAIN = {"align", "metrics", "tokenizers", "meteor-data", "doctor"}
# Which commands an option has nothing to do for, and why.
NOTHING_TO_DO = {
    WIDTH.dest: dict.fromkeys(PLAIN, "it prints no score"),
    SHORT.dest: dict.fromkeys(PLAIN, "it prints no signature"),
    QUIET.dest: dict.fromkeys(PLAIN - {"align"}, "it has no bar, and warns of nothing"),
}
NOTHING_TO_DO[WIDTH.dest] |= {"lint": "an effect is a sentence, with two digits"}
NOTHING_TO_DO[QUIET.dest] |= {"history": "it has no bar, and warns of nothing"}


def commands_with(flag: Flag) -> list[str]:
    """Return the commands that have a flag, and for which it has something to do."""
    without = NOTHING_TO_DO.get(flag.dest, {})
    return [
        name
        for name, (module, _) in COMMANDS.items()
        if name not in (*without, "serve")
        and any(
            flag.dest == one.dest
            for one in getattr(import_module(module), "COMMAND", NO_COMMAND).flags
        )
    ]


class NO_COMMAND:  # noqa: N801 - stands for a command
    flags: tuple[Flag, ...] = ()


def for_each(flag: Flag) -> pytest.MarkDecorator:
    """Run a test for each command that has a flag."""
    shtab = {"completion": [pytest.mark.libraries]}
    commands = [pytest.param(name, marks=shtab.get(name, [])) for name in commands_with(flag)]
    return pytest.mark.parametrize("command", commands)


# --- Output ---------------------------------------------------------------------------------------


@for_each(FORMAT)
def test_a_format_is_the_one_that_was_asked_for(folder: Folder, command: str) -> None:
    texts = {
        name: folder.run(f"{BASES[command]} -f {name}").out for name in ("text", "json", "html")
    }
    assert folder.run(BASES[command]).out == texts["text"] != texts["json"]
    json.loads(texts["json"])
    assert texts["html"].startswith("<") or not texts["html"].strip()


@for_each(OUTPUT_FILE)
def test_a_file_gets_what_would_be_printed(folder: Folder, command: str) -> None:
    printed = folder.run(BASES[command])
    written = folder.run(f"{BASES[command]} -o new.out")
    assert (written.code, written.out) == (printed.code, "")
    assert written.file("new.out") == printed.out
    if command != "completion":
        said = folder.run(f"{BASES[command]} -f json")
        assert folder.run(f"{BASES[command]} -o new.json").file("new.json") == said.out


NUMBER = re.compile(r"(?<![\w.:=-])-?\d+\.(\d+)\b")


@for_each(WIDTH)
def test_a_width_prints_so_many_digits_of_the_same_numbers(folder: Folder, command: str) -> None:
    few, many = (folder.run(f"{BASES[command]} -w {width}").out for width in (1, 5))
    usual = folder.run(BASES[command]).out
    digits = [[len(one[1]) for one in NUMBER.finditer(text)] for text in (few, usual, many)]
    more = 1 if command == "meta" else 0  # correlations have another digit
    assert [1 + more in digits[0], 2 + more in digits[1], 5 + more in digits[2]] == [True] * 3
    assert 5 + more not in digits[1]
    long, short = ([float(one[0]) for one in NUMBER.finditer(text)] for text in (many, usual))
    if len(long) == len(short):
        assert all(abs(one - other) <= 0.00501 for one, other in zip(long, short, strict=True))


@for_each(SHORT)
def test_a_short_signature_has_short_keys(folder: Folder, command: str) -> None:
    usual, short = folder.run(BASES[command]).out, folder.run(f"{BASES[command]} --short").out
    keys = {"nrefs:": "#:", "|case:": "|c:", "|version:": "|v:"}
    for long, brief in keys.items():
        assert (long in usual, brief in usual) == (True, False)
        assert (long in short, brief in short) == (False, True)


# --- Reading --------------------------------------------------------------------------------------

PAIR = "ref.txt -i a.txt b.txt"
# What each flag that reads a file needs beside it; @ stands before the name of its file.
READ = {
    ("score", "references"): "score ref.txt @ref2.txt -i a.txt b.txt",
    ("score", "input"): "score ref.txt -i a.txt @b.txt",
    ("score", "source"): f"score {PAIR} -m sari --source @src.txt",
    ("score", "documents"): f"score {PAIR} --confidence --draws 50 --documents @docs.txt",
    ("matrix", "references"): "matrix @ref.txt -i a.txt",
    ("matrix", "input"): "matrix ref.txt -i @a.txt",
    ("matrix", "source"): "matrix ref.txt -i a.txt -m sari --source @src.txt",
    ("diversity", "texts"): "diversity a.txt @b.txt",
    ("compare", "references"): "compare ref.txt @ref2.txt -i a.txt b.txt",
    ("compare", "input"): "compare ref.txt -i a.txt @b.txt",
    ("compare", "source"): f"compare {PAIR} -m sari --source @src.txt",
    ("compare", "scores"): f"compare {PAIR} --scores S=a.num,@b.num",
    ("compare", "labels"): f"compare {PAIR} --labels docs.txt @labels.txt",
    ("compare", "frequencies"): f"compare {PAIR} --by frequency --frequencies @training.txt",
    ("compare", "word_lists"): f"compare {PAIR} --word-lists foreign-words.txt @words.txt",
    ("compare", "reference_labels"): (
        f"compare {PAIR} -m bleu:tokenize=none --reference-labels @ref.txt "
        "--system-labels a.txt b.txt"
    ),
    ("compare", "system_labels"): (
        f"compare {PAIR} -m bleu:tokenize=none --reference-labels ref.txt "
        "--system-labels a.txt @b.txt"
    ),
    ("compare", "documents"): f"compare {PAIR} --confidence --draws 50 --documents @docs.txt",
    ("significance", "references"): "significance ref.txt @ref2.txt -i a.txt b.txt --draws 50",
    ("significance", "input"): "significance ref.txt -i x=a.txt,c.txt y=b.txt,@near.txt --draws 50",
    ("significance", "source"): f"significance {PAIR} -m sari --draws 50 --source @src.txt",
    ("significance", "scores"): f"significance {PAIR} --draws 50 --scores S=a.num,@b.num",
    ("significance", "documents"): f"significance {PAIR} --draws 50 --documents @docs.txt",
    ("gate", "references"): "gate ref.txt @ref2.txt --baseline a.txt -i b.txt --draws 100",
    (
        "gate",
        "source",
    ): "gate ref.txt --baseline a.txt -i b.txt --draws 100 -m sari --source @src.txt",
    ("gate", "baseline"): "gate ref.txt --baseline @a.txt -i b.txt --draws 100",
    ("gate", "release"): "gate ref.txt --baseline a.txt --release @c.txt -i b.txt --draws 100",
    ("gate", "input"): "gate ref.txt --baseline a.txt -i @b.txt --draws 100",
    (
        "gate",
        "documents",
    ): "gate ref.txt --baseline a.txt -i b.txt --draws 100 --documents @docs.txt",
    ("history", "file"): "history @h.jsonl",
    ("explain", "references"): "explain ref.txt @ref2.txt -i a.txt --segment 1",
    ("explain", "input"): "explain ref.txt -i @a.txt --segment 1",
    ("explain", "source"): "explain ref.txt -i a.txt --segment 1 -m sari --source @src.txt",
    ("meta", "references"): "meta ref.txt @ref2.txt -i a.txt b.txt c.txt --human human.tsv",
    ("meta", "input"): "meta ref.txt -i a=a.txt b=b.txt c=@c.txt --human human.tsv",
    ("meta", "source"): "meta ref.txt -i a.txt b.txt -m sari --source @src.txt --human no-c.tsv",
    ("meta", "scores"): "meta --scores S=human.tsv T=@twice.tsv --average --human human.tsv",
    ("meta", "human"): "meta --scores S=twice.tsv --average --human @human.tsv",
    ("meta", "mqm_weights"): "meta --human mqm.tsv --rank-systems --mqm-weights @weights.tsv",
    ("meta", "documents"): (
        "meta ref.txt -i a.txt b.txt c.txt --human human.tsv --statistic pearson --confidence "
        "--draws 50 --documents @docs.txt"
    ),
    ("mbr", "references"): "mbr ref.txt @ref2.txt -i a.txt b.txt c.txt",
    ("mbr", "input"): "mbr -i a.txt b.txt @c.txt",
    ("mbr", "pseudo_references"): "mbr -i a.txt b.txt --pseudo-references ref.txt @ref2.txt",
    ("mbr", "source"): "mbr -i a.txt b.txt c.txt -m sari --source @src.txt",
    ("mbr", "from_matrix"): "mbr --from-matrix @matrix.jsonl",
    ("tune", "references"): "tune ref.txt @ref2.txt --nbest nbest.txt --method mira",
    ("tune", "nbest"): "tune ref.txt --nbest nbest.txt @more-nbest.txt --method mira",
    ("tune", "start"): "tune ref.txt --nbest nbest.txt --method mira --start @weights.json",
    ("tune", "apply"): "tune ref.txt --nbest nbest.txt --apply @weights.json",
    ("tune", "held_out"): (
        "tune ref.txt --nbest nbest.txt --method mira --held-out nbest.txt @more-nbest.txt "
        "--held-out-references ref.txt"
    ),
    ("tune", "held_out_references"): (
        "tune ref.txt --nbest nbest.txt --method mira --held-out nbest.txt "
        "--held-out-references ref.txt @ref2.txt"
    ),
    ("lint", "references"): "lint ref.txt @ref2.txt -i a.txt b.txt",
    ("lint", "input"): "lint ref.txt -i a.txt @b.txt",
    ("lint", "source"): "lint ref.txt -i a.txt copied.txt --source @foreign.txt",
    ("lint", "training"): "lint ref.txt -i a.txt b.txt --training @first.txt",
    ("align", "references"): "align ref.txt @ref2.txt -i line-a.txt",
    ("align", "input"): "align ref.txt -i @line-a.txt",
    ("align", "documents"): (
        "align ref.txt -i swapped.txt --documents @halves.txt "
        "--hypothesis-documents swapped-halves.txt"
    ),
    ("align", "hypothesis_documents"): (
        "align ref.txt -i swapped.txt --documents halves.txt "
        "--hypothesis-documents @swapped-halves.txt"
    ),
}
# Files that no line of text is read from, and what another test reads.
NOT_READ = {
    ("score", "from_table"), ("significance", "from_table"), ("serve", "references"),
    ("serve", "input"), ("serve", "source"),
}  # fmt: skip


def test_every_flag_that_reads_a_file_is_here() -> None:
    reading = {
        (name, flag.dest)
        for name, (module, _) in COMMANDS.items()
        for flag in getattr(import_module(module), "COMMAND", NO_COMMAND).flags
        if flag.reads
    }
    assert READ.keys() | NOT_READ == reading
    assert not READ.keys() & NOT_READ


def with_mark(line: str) -> str:
    """Return a command that reads a file with a byte order mark, under the same name."""
    return line.replace("@", "mark/")


def test_only_what_prints_a_document_has_its_options() -> None:
    """A server, a script for a shell and a tutorial print none."""
    for name, (module, _) in COMMANDS.items():
        flags = getattr(import_module(module), "COMMAND", NO_COMMAND).flags
        if flags:
            expected = name not in ("serve", "completion", "tutorial")
            for flag in (FORMAT, WIDTH, SHORT, QUIET):
                assert (flag in flags) == expected, (name, flag.name)


@pytest.mark.parametrize("case", READ, ids=" ".join)
def test_a_byte_order_mark_is_kept_with_a_warning_or_taken_away(
    folder: Folder, case: tuple[str, str]
) -> None:
    """Also where it is in the second file, and where the file has no last newline."""
    line = READ[case]
    plain = folder.run(f"{line.replace('@', '')} -q -f json")
    assert bare(folder.run(f"{with_mark(line)} -q -f json --bom strip").json) == bare(plain.json)
    assert "byte order mark" not in folder.run(f"{with_mark(line)} --bom strip").err
    kept = folder.run(f"{with_mark(line)} --bom keep")
    assert "with --bom strip" not in kept.err
    warned = folder.run(with_mark(line))
    assert "byte order mark" in warned.err or warned.code == kept.code == plain.code == 0


@for_each(BOM)
def test_every_command_that_reads_texts_has_a_case(folder: Folder, command: str) -> None:
    assert command in {name for name, _ in READ}


@for_each(MAX_SEGMENT)
def test_a_line_may_be_as_long_as_the_limit_says(folder: Folder, command: str) -> None:
    usual = folder.run(BASES[command])
    assert folder.run(f"{BASES[command]} --max-segment-bytes 4000").out == usual.out
    too_long = folder.run(f"{BASES[command]} --max-segment-bytes 9")
    assert too_long.code == 1
    assert " has more than 9 bytes" in too_long.err


# --- Metrics --------------------------------------------------------------------------------------


@for_each(LANGUAGE_PAIR)
def test_a_target_language_selects_the_tokenizer(folder: Folder, command: str) -> None:
    line = BASES[command] if command != "explain" else "explain ref.txt -i a.txt --segment 3"
    if " -m " not in line:
        line += " -m bleu"
    line = re.sub(r" (\w+\.txt)", r" zh/\1", line)
    given = folder.run(f"{line} -f json -q -l en-zh")
    named = folder.run(f"{line.replace('-m bleu', '-m bleu:tokenize=zh')} -f json -q")
    usual = folder.run(f"{line} -f json -q")
    if command == "meta":  # a name of a metric has the options that are not its defaults
        assert given.out == named.out.replace("BLEU tokenize=zh", "BLEU") != usual.out
    else:
        assert bare(given.json) == bare(named.json) != bare(usual.json)
    assert "tok:zh" in given.out
    assert "tok:zh" not in usual.out


@for_each(DOWNLOAD)
def test_models_are_fetched_only_with_the_option(
    folder: Folder, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed: list[Any] = []
    monkeypatch.setattr("bleuet.cli.neural_models.allow_downloads", allowed.append)
    line = BASES[command] if command != "explain" else "explain ref.txt -i a.txt --segment 3"
    line = f"{line.replace('-m bleu', '')} -m comet"
    for words, first in ((line, None), (f"{line} --download", print_line)):
        allowed.clear()
        folder.run_again(words)
        assert allowed == [first, None]


# --- Computing ------------------------------------------------------------------------------------


@for_each(THREADS)
def test_everything_is_counted_by_so_many_threads(
    folder: Folder, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = []
    check = backend.check_threads

    def recorded(threads: int) -> int:
        numbers.append(threads)
        return check(threads)

    folder.run(BASES[command])  # imports what it needs
    for name, module in [*sys.modules.items()]:
        if name.startswith("bleuet.") and getattr(module, "check_threads", None) is check:
            monkeypatch.setattr(module, "check_threads", recorded)
    assert folder.run_again(f"{BASES[command]} -t 3").out == folder.run(BASES[command]).out
    assert {*numbers} == {3}


# --- Quiet ----------------------------------------------------------------------------------------


@for_each(QUIET)
def test_quiet_says_nothing(folder: Folder, command: str) -> None:
    line = BASES[command].replace(" -q", "")
    # What is read first begins with a byte order mark.
    line = re.sub(r" (\w+\.txt)", r" mark/\1", line, count=1)
    loud, quiet = folder.run(line), folder.run(f"{line} -q")
    assert loud.err.startswith("bleuet: warning: ")
    assert quiet.err == ""
    assert quiet.out == loud.out
