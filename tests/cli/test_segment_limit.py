# mypy: allow-untyped-defs, allow-untyped-calls
"""Files whose segments are too long: every flag that reads a file, every format, every archive.

The flags come from the declarations of the commands, so a new one must be added to `WORDS`.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import resource
import subprocess
import tracemalloc
from importlib import import_module

import pytest

from bleuet.cli.main import COMMANDS
from bleuet.cli.options import READING
from tests.cli.conftest import command, environment
from tests.corpora import REFERENCE, write_lines

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
zstandard = pytest.importorskip("zstandard")

LIMIT = 1_000
LONG = 6 << 20
COMPRESS = {
    "": bytes,
    ".gz": lambda text: gzip.compress(text, 1),
    ".zst": zstandard.compress,
    ".bz2": lambda text: bz2.compress(text, 1),
    ".xz": lambda text: lzma.compress(text, preset=0),
}
LONG_TEXT = "x" * LONG
FILES = {
    "bomb.txt": f"1\n{LONG_TEXT}\n",
    "open.txt": f"1\n{LONG_TEXT}",
    "bomb.tsv": f"segment\tsystem\tscore\tc\n0\ta\t1\t{LONG_TEXT}\n",
    "bomb.csv": f"segment,system,score,c\n0,a,1,{LONG_TEXT}\n",
    "quotes.csv": 'segment,system,score,c\n0,a,1,"' + "x\n" * (LONG // 2) + '"\n',
    "bomb.jsonl": json.dumps({"segment": 0, "system": "a", "score": 1, "c": LONG_TEXT}) + "\n",
}
COLUMN = {"tsv": ":c", "csv": ":c", "jsonl": ":c", "parquet": ":c"}

# What each flag that reads a file needs beside it; FILE is the file.
PAIR = ("ref.txt", "-i", "a.txt", "b.txt")
SCORED = ("ref.txt", "-i", "a.txt", "b.txt", "--scores")
HYPOTHESES = ("ref.txt", "-i", "FILE", "a.txt")
REFERENCES = ("FILE", "-i", "a.txt", "b.txt")
TUNE = ("ref.txt", "--nbest", "nbest.txt")
WORDS = {
    ("score", "references"): REFERENCES,
    ("score", "input"): HYPOTHESES,
    ("compare", "references"): REFERENCES,
    ("compare", "input"): HYPOTHESES,
    ("compare", "scores"): (*SCORED, "S=FILE,a.num"),
    ("compare", "labels"): (*PAIR, "--labels", "FILE"),
    ("compare", "frequencies"): (*PAIR, "--frequencies", "FILE", "--by", "frequency"),
    ("compare", "word_lists"): (*PAIR, "--word-lists", "FILE"),
    ("compare", "reference_labels"): (
        *PAIR, "--reference-labels", "FILE", "--system-labels", "a.txt", "b.txt",
    ),
    ("compare", "system_labels"): (
        *PAIR, "--reference-labels", "ref.txt", "--system-labels", "FILE", "b.txt",
    ),
    ("score", "documents"): (*PAIR, "--confidence", "--documents", "FILE"),
    ("compare", "documents"): (*PAIR, "--test", "randomization", "--documents", "FILE"),
    ("significance", "documents"): (*PAIR, "--documents", "FILE"),
    ("meta", "documents"): (*PAIR, "--human", "human.tsv", "--confidence", "--documents", "FILE"),
    ("gate", "documents"): ("ref.txt", "--baseline", "a.txt", "-i", "b.txt", "--documents", "FILE"),
    ("significance", "references"): REFERENCES,
    ("significance", "input"): HYPOTHESES,
    ("significance", "scores"): (*SCORED, "S=FILE"),
    ("meta", "references"): (*REFERENCES, "--human", "human.tsv"),
    ("meta", "input"): ("ref.txt", "-i", "a=FILE", "b.txt", "--human", "human.tsv"),
    ("meta", "scores"): (*SCORED, "S=FILE", "--human", "human.tsv"),
    ("meta", "human"): (*PAIR, "--human", "FILE"),
    ("gate", "references"): ("FILE", "--baseline", "a.txt", "-i", "b.txt"),
    ("gate", "baseline"): ("ref.txt", "--baseline", "FILE", "-i", "b.txt"),
    ("gate", "input"): ("ref.txt", "--baseline", "a.txt", "-i", "FILE"),
    ("explain", "references"): ("FILE", "-i", "a.txt", "--from", "bleu", "--to", "chrf"),
    ("explain", "input"): ("ref.txt", "-i", "FILE", "--from", "bleu", "--to", "chrf"),
    ("lint", "references"): REFERENCES,
    ("lint", "input"): HYPOTHESES,
    ("lint", "source"): (*PAIR, "--source", "FILE"),
    ("lint", "training"): (*PAIR, "--training", "FILE"),
    ("align", "references"): ("FILE", "-i", "a.txt"),
    ("align", "input"): ("ref.txt", "-i", "FILE"),
    ("align", "documents"): ("ref.txt", "-i", "a.txt", "--documents", "FILE"),
    ("align", "hypothesis_documents"): (
        "ref.txt", "-i", "a.txt", "--documents", "ref.txt", "--hypothesis-documents", "FILE",
    ),
    ("diversity", "texts"): ("a.txt", "FILE"),
    ("matrix", "references"): ("FILE", "-i", "a.txt"),
    ("matrix", "input"): ("ref.txt", "-i", "FILE"),
    ("mbr", "references"): REFERENCES,
    ("mbr", "input"): HYPOTHESES,
    ("mbr", "pseudo_references"): ("-i", "a.txt", "b.txt", "--pseudo-references", "FILE"),
    ("tune", "references"): ("FILE", "--nbest", "nbest.txt"),
    ("tune", "nbest"): ("ref.txt", "--nbest", "FILE"),
    ("tune", "start"): (*TUNE, "--start", "FILE"),
    ("tune", "apply"): (*TUNE, "--apply", "FILE"),
    ("tune", "held_out"): (*TUNE, "--held-out", "FILE", "--held-out-references", "ref.txt"),
    ("tune", "held_out_references"): (
        *TUNE, "--held-out", "nbest.txt", "--held-out-references", "FILE",
    ),
}  # fmt: skip
# Saved tables and matrices, which have their own limits.
OTHERS = {"from_table", "from_matrix"}


def commands():
    for name, (module, _) in COMMANDS.items():
        loaded = import_module(module)
        # serve gives its files to another process; tests/web/ has it.
        if hasattr(loaded, "COMMAND") and name != "serve":
            yield name, loaded.COMMAND


def test_every_flag_that_reads_is_here() -> None:
    declared = {
        (name, flag.dest)
        for name, declared in commands()
        for flag in declared.flags
        if flag.reads and flag.dest not in OTHERS
    }
    assert declared == set(WORDS)


def test_every_command_that_reads_has_the_flags_of_reading() -> None:
    for name, declared in commands():
        if any(flag.reads for flag in declared.flags):
            assert set(READING) <= set(declared.flags), name


@pytest.fixture(scope="module")
def bombs(tmp_path_factory):
    """A folder with a bomb of each format in each compression."""
    folder = tmp_path_factory.mktemp("bombs")
    for name, text in FILES.items():
        for suffix, compress in COMPRESS.items():
            (folder / (name + suffix)).write_bytes(compress(text.encode()))
    for name, texts in (("bomb", ["1", LONG_TEXT]), ("many", [LONG_TEXT] * 10_000)):
        column = arrow.DictionaryArray.from_arrays(
            [texts.index(text) for text in texts], sorted(set(texts), key=len)
        )
        numbers = range(len(texts))
        table = arrow.table(
            {"segment": numbers, "system": ["a"] * len(texts), "score": numbers, "c": column}
        )
        parquet.write_table(table, folder / f"{name}.parquet", write_statistics=False)
    write_lines(folder / "ref.txt", REFERENCE)
    for name in "ab":
        write_lines(folder / f"{name}.txt", REFERENCE)
    write_lines(folder / "nbest.txt", [f"{n} ||| a ||| x= 1" for n in range(len(REFERENCE))])
    write_lines(folder / "a.num", ["1"] * len(REFERENCE))
    rows = [f"{n}\t{system}\t{n}" for n in range(len(REFERENCE)) for system in "ab"]
    write_lines(folder / "human.tsv", ["segment\tsystem\tscore", *rows])
    return folder


def names_of_bombs():
    yield from (name + suffix for name in FILES for suffix in COMPRESS)
    yield from ("bomb.parquet", "many.parquet")


def cases():
    """Every flag with every plain format; every archive with every format with one flag."""
    for name in names_of_bombs():
        plain = name in FILES or name.endswith(".parquet")
        for case in WORDS if plain else [("score", "references")]:
            yield pytest.param(name, *case, id=f"{'-'.join(case)}-{name}")


@pytest.mark.parametrize(("name", "called", "flag"), list(cases()))
def test_a_segment_that_is_too_long(run, bombs, monkeypatch, name, called, flag):
    monkeypatch.chdir(bombs)
    kind = name.split(".")[1]
    table = flag in ("human", "scores") and not (called == "compare" and flag == "scores")
    file = name + COLUMN.get(kind, "")
    if table and kind == "txt":
        # A table in any file has columns separated by tabs: this line is one cell.
        file = name
    words = [word.replace("FILE", file) for word in WORDS[called, flag]]
    if kind == "parquet" or flag == "documents":
        run(called, *words, "--max-segment-bytes", str(LIMIT))  # the libraries are loaded
    tracemalloc.start()
    try:
        outcome = run(called, *words, "--max-segment-bytes", str(LIMIT))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (outcome.code, outcome.out) == (1, ""), outcome
    message = outcome.err.splitlines()[-1]
    assert f"{name}" in message
    assert f"has more than {LIMIT:,} bytes" in message
    assert "raise the limit with --max-segment-bytes" in message
    if name in FILES:
        assert peak < LONG, f"{peak:,}"
    else:  # what an archive is expanded with, and less than 10,000 times the text in Parquet
        assert peak < 50 << 20, f"{peak:,}"


@pytest.mark.parametrize(("name", "called", "flag"), [("open.txt", "score", "references")])
def test_the_limit_can_be_raised(run, bombs, monkeypatch, name, called, flag):
    monkeypatch.chdir(bombs)
    words = [word.replace("FILE", name) for word in WORDS[called, flag]]
    assert "differ in length" in run(called, *words, "--max-segment-bytes", str(LONG)).err
    assert f"{LONG - 1:,} bytes" in run(called, *words, "--max-segment-bytes", str(LONG - 1)).err


# --- Without options, in little memory ------------------------------------------------------------

ADDRESS_SPACE = 600 << 20
ZEROS = 1 << 30


@pytest.fixture(scope="module")
def zeros(tmp_path_factory):
    """A folder with archives that contain one line of 1 GiB."""
    folder = tmp_path_factory.mktemp("zeros")
    write_lines(folder / "a.txt", REFERENCE)
    piece = bytes(1 << 20)
    zst = zstandard.ZstdCompressor().compressobj()
    fast = lzma.LZMACompressor(preset=0)
    archives = {
        ".gz": gzip.compress(piece) * (ZEROS >> 20),
        ".bz2": bz2.compress(piece) * (ZEROS >> 20),
        ".xz": b"".join([*map(fast.compress, [piece] * 256), fast.flush()]) * 4,
        ".zst": b"".join([*map(zst.compress, [piece] * (ZEROS >> 20)), zst.flush()]),
    }
    for suffix, stored in archives.items():
        (folder / f"zeros{suffix}").write_bytes(stored)
    window = zstandard.ZstdCompressionParameters.from_level(1, window_log=30)
    large = zstandard.ZstdCompressor(compression_params=window).compressobj()
    (folder / "window.zst").write_bytes(large.compress(piece) + large.flush())
    dictionary = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    header = lzma.compress(b"a\n" * 9, filters=dictionary)
    (folder / "window.xz").write_bytes(header)
    return folder


def in_little_memory(folder, *words, stdin=None):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))

    with open(stdin or "/dev/null", "rb") as file:
        done = subprocess.run(
            command(*words), cwd=folder, capture_output=True, text=True, stdin=file,
            env=environment(), timeout=120, check=False, preexec_fn=limit,
        )  # fmt: skip
    assert done.returncode == 1, done
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_a_line_of_a_gibibyte(zeros, suffix):
    bomb = f"zeros{suffix}"
    for words in (["score", "a.txt", "-i", bomb], ["sacrebleu", bomb, "-i", "a.txt"]):
        assert f"{bomb}:1 has more than 4,194,304 bytes" in in_little_memory(zeros, *words)
    found = in_little_memory(zeros, "score", "a.txt", stdin=zeros / bomb)
    assert "<stdin>:1 has more than 4,194,304 bytes" in found


def test_a_line_of_a_gibibyte_in_another_encoding(zeros):
    words = ("sacrebleu", "a.txt", "-i", "zeros.gz", "-e", "latin-1")
    assert "zeros.gz:1 has more than" in in_little_memory(zeros, *words)


@pytest.mark.parametrize("name", ["window.zst", "window.xz"])
def test_an_archive_that_demands_memory(zeros, name):
    message = in_little_memory(zeros, "score", "a.txt", "-i", name)
    assert f"{name}: the " in message
    assert "archive needs more than 128 MiB of memory" in message
