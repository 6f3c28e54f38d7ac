"""Every misuse is one line on standard error, no output, and the right exit code."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet.cli.parser import SACREBLEU_FLAGS
from bleuet.compat.sacrebleu import flags as sacrebleu
from tests.cli.conftest import Outcome, command, environment, run_apart
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCORE = ("score", "ref.txt", "-i", "a.txt")

# Arguments, exit code, and pieces of the sentence: what was expected, what came, how to fix it.
MISUSES: dict[str, tuple[tuple[str, ...], int, tuple[str, ...]]] = {
    "a misspelt command": (("scor", "ref.txt"), 2, ("command scor", "did you mean score?")),
    "an unlike command": (("translate",), 2, ("no command translate", "the commands are score, ")),
    "a metric for a command": (
        ("wer", "ref.txt", "a.txt"),
        2,
        ("wer is a metric: bleuet score REF -i HYP -m wer",),
    ),
    "a command with hyphens": (
        ("--score", "ref.txt"),
        2,
        ("write the command without hyphens, as in bleuet score",),
    ),
    "an option that no command has": (
        ("--verbose",),
        2,
        ("the command comes first, then its options: bleuet score REF -i HYP",),
    ),
    "references behind a flag": (
        ("score", "--references", "ref.txt", "-i", "a.txt"),
        2,
        ("references are written first, without a flag, as in bleuet score REF -i HYP",),
    ),
    "a format as a flag": ((*SCORE, "--json"), 2, ("no option --json: write -f json",)),
    "metrics in quotes": (
        (*SCORE, "-m", "bleu chrf"),
        2,
        ("write several metrics without quotes, as in -m bleu chrf",),
    ),
    "a limit with a comma": (
        ("gate", "ref.txt", "-i", "a.txt", "--baseline", "b.txt", "--max-drop", "0,5"),
        2,
        ("not '0,5': write 0.5, with a point",),
    ),
    "no command": (("-m", "bleu"), 2, ("the command comes first", "bleuet score -m")),
    "nothing to score": (("score",), 2, ("no reference; expected", "bleuet score REF -i HYP")),
    "no reference": (("score", "-i", "a.txt"), 2, ("no reference", "REF -i a.txt")),
    "references behind -i": (
        ("score", "-i", "a.txt", "b.txt", "ref.txt"),
        2,
        ("-i took all 3 files", "first", "score ref.txt -i a.txt"),
    ),
    "an option behind --": (
        ("score", "-i", "a.txt", "--", "ref.txt", "--quiet"),
        2,
        ("--quiet comes after --", "before --"),
    ),
    "a word that belongs nowhere": (
        (*SCORE, "--quiet", "b.txt"),
        2,
        ("b.txt is not expected here", "after -i"),
    ),
    "a flag of sacreBLEU": (
        (*SCORE, "-tok", "zh"),
        2,
        ("-tok is a flag of sacreBLEU: write --tokenize, or use bleuet sacrebleu",),
    ),
    "a flag of sacreBLEU that another command has": (
        ("significance", "ref.txt", "-i", "a.txt", "b.txt", "-lc"),
        2,
        ("-lc is a flag of sacreBLEU: write -m bleu:lowercase,",),
    ),
    "a flag of sacreBLEU that has no use": ((*SCORE, "-nc"), 2, ("remove it, or use bleuet",)),
    "letters behind a flag with a number": ((*SCORE, "-tc"), 2, ("there is no option -tc;",)),
    "an option without its value": ((*SCORE, "-w"), 2, ("--width needs a value", "one N")),
    "-i without a file": (("score", "ref.txt", "-i"), 2, ("--input", "at least one HYP")),
    "-m without a metric": ((*SCORE, "-m"), 2, ("--metrics", "at least one METRIC")),
    "a value for a switch": ((*SCORE, "--quiet=no"), 2, ("--quiet takes no value",)),
    "a misspelt option": ((*SCORE, "--tokenise", "intl"), 2, ("did you mean --tokenize?",)),
    "an unlike option": ((*SCORE, "--zzzz"), 2, ("no option --zzzz; bleuet score --help",)),
    "an abbreviated option": ((*SCORE, "--thr", "2"), 2, ("--thr (did you mean --threads?)",)),
    "an unknown letter": ((*SCORE, "-x"), 2, ("no option -x; bleuet score --help",)),
    "a missing reference": (
        ("score", "reff.txt", "-i", "a.txt"),
        1,
        ("no file reff.txt", "nearest name", "ref.txt"),
    ),
    "a missing system": (("score", "ref.txt", "-i", "c/a.txt"), 1, ("and no folder c",)),
    "an empty name": (
        ("score", "", "-i", "a.txt"),
        2,
        ("REF got an empty file name", "shell variable"),
    ),
    "an empty name of a system": (
        ("score", "ref.txt", "-i", ""),
        2,
        ("--input got an empty file name",),
    ),
    "a folder": (("score", "ref.txt", "-i", "."), 1, (". is a folder; expected a file",)),
    "a shorter file": (
        ("score", "ref.txt", "-i", "short.txt"),
        1,
        ("short.txt has 3, ref.txt has 4", "belong to segment i"),
    ),
    "a shorter reference": (
        ("score", "ref.txt", "short.txt", "-i", "a.txt"),
        1,
        ("a.txt has 4, ref.txt has 4, short.txt has 3",),
    ),
    "an empty system": (("score", "ref.txt", "-i", "empty.txt"), 1, ("empty.txt has 0",)),
    "nothing on both sides": (("score", "empty.txt", "-i", "nil.txt"), 1, ("no segments",)),
    "Latin-1": (
        ("score", "ref.txt", "-i", "latin1.txt"),
        1,
        ("latin1.txt:2: byte 5 of the line (0xe9) is not UTF-8", "iconv"),
    ),
    "UTF-16": (("score", "ref.txt", "-i", "utf16.txt"), 1, ("is UTF-16; expected UTF-8",)),
    "bytes at random": (("score", "ref.txt", "-i", "noise.bin"), 1, ("not UTF-8",)),
    "half an archive": (("score", "ref.txt", "-i", "half.gz"), 1, ("half.gz", "too early")),
    "no archive": (("score", "ref.txt", "-i", "plain.gz"), 1, ("compressed with gzip",)),
    "standard input twice": (("score", "-", "-i", "-"), 2, ("standard input can be read only",)),
    "a system twice": (("score", "ref.txt", "-i", "a.txt", "a.txt"), 2, ("a.txt is named twice",)),
    "a misspelt metric": (
        (*SCORE, "-m", "blue"),
        2,
        ("'blue' (did you mean bleu?)", "`bleuet metrics` lists the metrics"),
    ),
    "metrics with commas": ((*SCORE, "-m", "bleu,ter"), 2, ("spaces between metrics",)),
    "a metric twice": ((*SCORE, "-m", "ter", "TER"), 2, ("-m names TER twice",)),
    "one metric by two names": (
        (*SCORE, "-m", "chrf:word_order=2", "chrf++"),
        2,
        ("-m names chrf++ twice",),
    ),
    "a misspelt tokenizer": ((*SCORE, "--tokenize", "int1"), 2, ("did you mean intl?",)),
    "a misspelt smoothing": ((*SCORE, "--smooth", "expo"), 2, ("--smooth must be one of none",)),
    "a misspelt format": ((*SCORE, "-f", "jsn"), 2, ("--format must be one", "mean json?")),
    "a flag without its metric": (
        (*SCORE, "-m", "ter", "--smooth", "floor"),
        2,
        ("--smooth is an option of bleu, which -m does not name", "add -m bleu"),
    ),
    "a switch that the metric has as an option": (
        (*SCORE, "-m", "wer", "--lowercase"),
        2,
        ("write wer:lowercase, or remove --lowercase",),
    ),
    "an option of a metric as a flag": (
        (*SCORE, "-m", "ter", "wer:rate=mer", "--normalize", "english"),
        2,
        ("there is no option --normalize: write wer:rate=mer,normalize=english",),
    ),
    "a folder of a model that is not there": (
        (*SCORE, "-m", "comet:model=./models/typo"),
        1,
        ("there is no folder './models/typo': correct the path",),
    ),
    "a neural metric without sources": (
        (*SCORE, "-m", "metricx"),
        1,
        ("reads sources, but the texts came without them: add --source FILE",),
    ),
    "an option as another program spells it": (
        (*SCORE, "-m", "chrf:worder=2"),
        2,
        ("did you mean word_order?",),
    ),
    "another name of lower-casing": ((*SCORE, "-m", "wer:lc"), 2, ("did you mean lowercase?",)),
    "an option that needs one of some values": (
        (*SCORE, "-m", "wer:normalize"),
        2,
        ("wer:normalize needs a value: none, english",),
    ),
    "a switch without its metric": ((*SCORE, "-m", "ter", "--lowercase"), 2, ("--lowercase is",)),
    "a flag of another metric": ((*SCORE, "-m", "chrf", "--chrf-beta", "3"), 2, ("--chrf-beta",)),
    "scores in no known format": (
        (*SCORE, "--save-scores", "s.txt"),
        2,
        (".parquet, .csv, .jsonl, not s.txt", "s.csv"),
    ),
    "scores to standard output": (
        (*SCORE, "--save-scores", "-"),
        2,
        ("not -: use a name such as scores.csv",),
    ),
    "scores of saved tables": (
        ("score", "--from-table", "t.parquet", "--save-scores", "s.csv"),
        2,
        ("--from-table and --save-scores exclude each other", "--sentence-level -f csv"),
    ),
    "scores over a reference": ((*SCORE, "--save-scores", "ref.txt"), 2, ("overwrite",)),
    "scores and the answer in one file": (
        (*SCORE, "--save-scores", "s.csv", "-o", "s.csv"),
        2,
        ("both write s.csv",),
    ),
    "an alignment without a metric": ((*SCORE, "--alignment"), 2, ("not BLEU: write -m wer",)),
    "an alignment of two metrics": (
        (*SCORE, "--alignment", "-m", "wer", "cer"),
        2,
        ("takes only one metric, not WER, CER: write -m wer",),
    ),
    "an alignment of words that move": (
        (*SCORE, "--alignment", "-m", "per"),
        2,
        ("wer, cer, mer, wil and wip, not PER",),
    ),
    "an alignment and sentences": (
        (*SCORE, "-m", "wer", "--alignment", "-s"),
        2,
        ("--alignment and --sentence-level exclude",),
    ),
    "an alignment and an interval": (
        (*SCORE, "-m", "wer", "--alignment", "--confidence"),
        2,
        ("--alignment and --confidence",),
    ),
    "an alignment and bare numbers": (
        (*SCORE, "-m", "wer", "--alignment", "-b"),
        2,
        ("--alignment and --score-only exclude",),
    ),
    "an alignment of saved tables": (
        ("score", "--from-table", "t.parquet", "--alignment"),
        2,
        ("saved tables have no words",),
    ),
    "an alignment that is saved": (
        (*SCORE, "-m", "wer", "--alignment", "--save-table", "t.parquet"),
        2,
        ("--alignment and --save-table exclude",),
    ),
    "--cumulative without BLEU": ((*SCORE, "-m", "ter", "--cumulative"), 2, ("option of bleu",)),
    "an option behind the colon that does not exist": (
        (*SCORE, "-m", "chrf:word_ordr=1"),
        2,
        ("chrf:word_ordr is not an option (did you mean word_order?)",),
    ),
    "an option of another metric": ((*SCORE, "-m", "ter:beta=1"), 2, ("ter:beta is not an",)),
    "an option twice": ((*SCORE, "-m", "chrf:beta=1,beta=2"), 2, ("chrf:beta appears twice",)),
    "an option as flag and behind the colon": (
        (*SCORE, "-m", "bleu:smooth=floor", "--smooth", "exp"),
        2,
        ("--smooth appears twice",),
    ),
    "an option without a value": ((*SCORE, "-m", "chrf:beta"), 2, ("chrf:beta needs a value",)),
    "a word for a switch": ((*SCORE, "-m", "ter:no_punct=maybe"), 2, ("expected yes or no",)),
    "a word for a number": ((*SCORE, "--smooth-value", "x"), 2, ("must be a number", "not 'x'")),
    "a smoothing without a value": (
        (*SCORE, "--smooth-value", "1"),
        2,
        ("--smooth-value belongs to floor, add-k, chen-cherry-1,",),
    ),
    "a negative value": (
        (*SCORE, "--smooth", "floor", "--smooth-value", "-1"),
        2,
        ("--smooth-value must be a finite number from 0 to 1000, not -1",),
    ),
    "not a number": ((*SCORE, "-m", "chrf:beta=nan"), 2, ("chrf:beta must be", "nan")),
    "order 0": ((*SCORE, "--max-ngram-order", "0"), 2, ("--max-ngram-order must be", "not 0")),
    "half an order": ((*SCORE, "-m", "chrf:char_order=2.5"), 2, ("chrf:char_order", "not 2.5")),
    "too few weights": (
        (*SCORE, "--weights", ".5", ".5"),
        2,
        ("--weights needs one number per order, 4 for max_ngram_order=4, but 2 came",),
    ),
    "weights beyond 1": ((*SCORE, "--weights", "1", "1", "1", "1"), 2, ("add up to 4",)),
    "a negative width": ((*SCORE, "-w", "-1"), 2, ("--width must be from 0 to 17, not -1",)),
    "a huge width": ((*SCORE, "-w", "18"), 2, ("--width must be from 0 to 17, not 18",)),
    "half a width": ((*SCORE, "-w", "2.5"), 2, ("--width must be a whole number, not '2.5'",)),
    "negative threads": ((*SCORE, "-t", "-1"), 2, ("--threads must be 0 or more, not -1",)),
    "threads in words": ((*SCORE, "-t", "all"), 2, ("--threads must be a whole number",)),
    "one language": ((*SCORE, "-l", "ja"), 2, ("like en-ja", "not 'ja': write xx-ja")),
    "two languages without a hyphen": ((*SCORE, "-l", "en_zh"), 2, ("write en-zh",)),
    "no languages": ((*SCORE, "-l", "-"), 2, ("not '-'",)),
    "three languages": ((*SCORE, "-l", "en-us-ja"), 2, ("en-zh_TW", "'en-us-ja'")),
    "bare numbers as JSON": (
        (*SCORE, "-b", "-f", "json"),
        2,
        ("--score-only prints numbers as text, not json", "remove it, or write -f text"),
    ),
    "an unknown column": (
        ("score", "data.tsv:reff", "-i", "a.txt"),
        1,
        ("no column reff", "did you mean ref?"),
    ),
    "a column that is not there": (("score", "data.tsv:9", "-i", "a.txt"), 1, ("from 1 to 2",)),
    "a table without a column": (("score", "data.tsv", "-i", "a.txt"), 1, ("data.tsv:1 has 2",)),
    "a column of a text": (("score", "ref.txt:2", "-i", "a.txt"), 1, ("has no columns",)),
    "a missing model": ((*SCORE, "--tokenize", "spm:no.model"), 1, ("no.model",)),
    "texts to explain in place of files": (
        ("explain", "The cat sat.", "The cat sat down."),
        2,
        ("write --hypothesis TEXT --reference TEXT for texts",),
    ),
    "nothing to explain": (
        ("explain", "ref.txt", "-i", "a.txt"),
        2,
        ("add --segment N", "--from A and --to B", "--hypothesis and --reference"),
    ),
    "a Parquet file as output": (
        (*SCORE, "-o", "s.parquet"),
        2,
        ("--output writes no Parquet file: use ", "--save-scores", "--save-table", "s.csv"),
    ),
    "a Parquet file as output of a listing": (
        ("metrics", "-o", "m.parquet"),
        2,
        ("--output writes no Parquet file: use a name such as m.csv",),
    ),
    "a spreadsheet as output": (
        (*SCORE, "-o", "s.xlsx"),
        2,
        (
            "--output writes no .xlsx file: use a name that ends in .txt, .md, .tex, .csv, .json, "
            ".jsonl or .html",
        ),
    ),
    "a compressed file as output": ((*SCORE, "-o", "s.csv.gz"), 2, ("writes no .gz file",)),
    "bare numbers in a table": ((*SCORE, "-b", "-o", "s.csv"), 2, ("not csv", "write -f text")),
    "a folder as output": ((*SCORE, "-o", "."), 1, (". is a folder; expected a file",)),
    "an output nowhere": ((*SCORE, "-o", "no/out"), 1, ("there is no folder", "create it first")),
    "an output without a name": ((*SCORE, "-o", ""), 2, ("--output got an empty file name",)),
    "an input as output": ((*SCORE, "-o", "ref.txt"), 2, ("would overwrite",)),
    "a missing argument": (("completion",), 2, ("shell is missing", "completion --help")),
    "completion without its library": (("completion", "bash"), 1, ("'bleuet[completion]'",)),
    "help of nothing": (("help", "scroe"), 2, ("no command scroe (did you mean score?)",)),
    "an unknown shell": (("completion", "ksh"), 2, ("shell must be one of bash",)),
    "a word for a listing": (("tokenizers", "13a"), 2, ("13a is not expected here: remove it",)),
    "an option for a listing": (("tokenizers", "-x"), 2, ("no option -x",)),
}


@pytest.fixture
def odd_files(folder: Path) -> None:
    (folder / "short.txt").write_text("a\nb\nc\n")
    (folder / "empty.txt").touch()
    (folder / "nil.txt").touch()
    (folder / "latin1.txt").write_bytes(b"one\ncaf \xe9\n3\n4\n")
    (folder / "utf16.txt").write_bytes("one\ntwo\n".encode("utf-16"))
    (folder / "noise.bin").write_bytes(bytes(range(250, 100, -1)))
    (folder / "half.gz").write_bytes(gzip.compress(b"a line\n" * 1000)[:40])
    (folder / "plain.gz").write_text("a line\n")
    (folder / "data.tsv").write_text("id\tref\n1\tone\n")


@pytest.mark.usefixtures("odd_files")
@pytest.mark.parametrize("misuse", MISUSES)
def test_a_misuse_is_refused_in_one_sentence(
    run: Callable[..., Outcome], misuse: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    arguments, code, pieces = MISUSES[misuse]
    before = {file: file.read_bytes() for file in Path().iterdir()}
    outcome = run(*arguments)
    assert outcome.code == code, outcome.err
    assert outcome.out == ""
    assert outcome.err.startswith("bleuet: error: ")
    assert outcome.err.count("\n") == 1
    for piece in pieces:
        assert piece in outcome.err
    assert {file: file.read_bytes() for file in Path().iterdir()} == before


@pytest.mark.parametrize("format_", ["text", "json", "csv"])
@pytest.mark.parametrize("level", [[], ["-s"]])
def test_what_is_no_regular_file_is_written_to_and_not_replaced(
    run: Callable[..., Outcome], format_: str, level: list[str]
) -> None:
    """A pipe stands for devices here: as root, a mistake would put a file in place of /dev/null."""
    printed = run(*SCORE, "-f", format_, *level)
    os.mkfifo("pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE, text=True) as reader:
        assert run(*SCORE, "-f", format_, *level, "-o", "pipe") == (0, "", "")
        reading = Path("pipe").is_fifo()
        if not reading:
            reader.kill()
        out, _ = reader.communicate(timeout=PATIENCE)
    assert reading
    assert out == printed.out


def test_every_short_flag_of_sacrebleu_with_several_letters_has_advice() -> None:
    """One letter and a value is what argparse reads in place of such a flag."""
    flags = {name for action in sacrebleu.parser()._actions for name in action.option_strings}
    assert set(SACREBLEU_FLAGS) == {
        name for name in flags if len(name) > 2 and not name.startswith("--")
    }


@contextmanager
def without_roots_rights() -> Iterator[None]:
    """Be somebody who may not read everything, where root runs the tests."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)  # nobody
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_file_that_may_not_be_read(run: Callable[..., Outcome]) -> None:
    Path().chmod(0o755)
    assert run(*SCORE).code == 0  # what is imported on the way may lie where only root reads
    Path("a.txt").chmod(0)
    with without_roots_rights():
        outcome = run(*SCORE)
    assert outcome.code == 1
    assert "a.txt cannot be read by this user" in outcome.err


@pytest.mark.slow
def test_no_arguments_show_the_usage() -> None:
    outcome = run_apart()
    assert (outcome.code, outcome.out) == (2, "")
    assert "usage: bleuet COMMAND" in outcome.err
    assert "Start with" in outcome.err


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("ref.txt",), "no hypotheses: name a file with -i"),
        (("ref.txt", "a.txt"), "no hypotheses (all files before -i are references)"),
    ],
)
def test_a_forgotten_i_does_not_wait_for_input(arguments: tuple[str, ...], sentence: str) -> None:
    outcome = run_apart("score", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert sentence in outcome.err


SHELL = {
    "standard input closed": ("score ref.txt <&-", 2, "no hypotheses: name a file"),
    "standard input closed, and asked for": (
        "score ref.txt -i - <&-",
        1,
        "standard input, but there is none",
    ),
    "standard output closed": ("score ref.txt -i a.txt >&-", 1, "standard output is closed"),
    "standard error closed": ("score ref.txt -i a.tx 2>&-", 1, ""),
    "all closed": ("score ref.txt -i a.txt <&- >&- 2>&-", 1, ""),
    "a full disk": ("score ref.txt -i a.txt >/dev/full", 1, "No space left"),
    "a full disk for sentences": ("score ref.txt -i a.txt -s >/dev/full", 1, "No space left"),
    "a full disk for a listing": ("metrics >/dev/full", 1, "No space left"),
    "a full disk for help": ("score --help >/dev/full", 1, "No space left"),
    "a reader that leaves": ("score ref.txt -i a.txt | true", 0, ""),
}


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("case", SHELL)
def test_streams_that_are_closed_or_full(case: str) -> None:
    line, code, sentence = SHELL[case]
    start = " ".join(command())
    done = subprocess.run(
        ["bash", "-c", f"{start} {line}; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert done.stderr.count("\n") == bool(sentence)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_many_lines_into_a_reader_that_leaves() -> None:
    Path("long.txt").write_text("a b c\n" * 20_000)
    Path("long2.txt").write_text("a b d\n" * 20_000)
    start = " ".join(command("score", "long.txt", "-i", "long2.txt", "-s"))
    done = subprocess.run(
        ["bash", "-c", f"{start} | head -1; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
