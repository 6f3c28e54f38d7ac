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
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow
LIMIT = 1_000
LONG = 6 << 20


def compress_zst(text):
    import zstandard

    return zstandard.compress(text)


COMPRESS = {
    "": bytes,
    ".gz": lambda text: gzip.compress(text, 1),
    ".zst": compress_zst,
    ".bz2": lambda text: bz2.compress(text, 1),
    ".xz": lambda text: lzma.compress(text, preset=0),
}
LONG_TEXT = "x" * LONG
FILES = {
    "bomb.txt": f"1\n{LONG_TEXT}\n",
    "open.txt": f"1\n{LONG_TEXT}",
    "bomb.tsv": f"segment\tsystem\tscore\tc\n0\ta\t1\t{LONG_TEXT}\n",
    "bomb.csv": f"segment,system,score,c\n0,a,1,{LONG_TEXT}\n",
    "quotes.csv": 'segment,system,score,c\n0,a,1,"' + "xxxxxxx\n" * (LONG // 8) + '"\n',
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
    ("score", "source"): (*PAIR, "--source", "FILE"),
    ("matrix", "source"): ("ref.txt", "-i", "a.txt", "--source", "FILE"),
    ("compare", "references"): REFERENCES,
    ("compare", "input"): HYPOTHESES,
    ("compare", "source"): (*PAIR, "--source", "FILE"),
    ("significance", "source"): (*PAIR, "--source", "FILE"),
    ("gate", "source"): (
        "ref.txt", "--baseline", "a.txt", "-i", "b.txt", "--source", "FILE",
    ),
    ("explain", "source"): ("ref.txt", "-i", "a.txt", "--segment", "1", "--source", "FILE"),
    ("mbr", "source"): ("-i", "a.txt", "b.txt", "--source", "FILE"),
    ("meta", "source"): (*PAIR, "--human", "human.tsv", "--source", "FILE"),
    ("meta", "mqm_weights"): (*PAIR, "--human", "human.tsv", "--mqm-weights", "FILE"),
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
    ("gate", "release"): (
        "ref.txt", "--baseline", "a.txt", "--release", "FILE", "-i", "b.txt",
    ),
    ("history", "file"): ("FILE",),
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
# A file of lines, which has no columns.
WITHOUT_COLUMNS = {("history", "file")}


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
    """A folder for bombs, with the files that are read beside them."""
    folder = tmp_path_factory.mktemp("bombs")
    write_lines(folder / "ref.txt", REFERENCE)
    for name in "ab":
        write_lines(folder / f"{name}.txt", REFERENCE)
    write_lines(folder / "nbest.txt", [f"{n} ||| a ||| x= 1" for n in range(len(REFERENCE))])
    write_lines(folder / "a.num", ["1"] * len(REFERENCE))
    rows = [f"{n}\t{system}\t{n}" for n in range(len(REFERENCE)) for system in "ab"]
    write_lines(folder / "human.tsv", ["segment\tsystem\tscore", *rows])
    return folder


TABLES = {"bomb.parquet": ["1", LONG_TEXT], "many.parquet": [LONG_TEXT] * 10_000}


def write_bomb(folder, name):
    if (folder / name).exists():
        return
    if name in TABLES:
        write_parquet(folder / name, TABLES[name])
    else:
        suffix = "" if name in FILES else name[name.rindex(".") :]
        text = FILES[name.removesuffix(suffix)]
        (folder / name).write_bytes(COMPRESS[suffix](text.encode()))


def write_parquet(path, texts):
    import pyarrow as arrow
    from pyarrow import parquet

    column = arrow.DictionaryArray.from_arrays(
        [texts.index(text) for text in texts], sorted(set(texts), key=len)
    )
    numbers = range(len(texts))
    table = arrow.table(
        {"segment": numbers, "system": ["a"] * len(texts), "score": numbers, "c": column}
    )
    parquet.write_table(table, path, write_statistics=False)


ONE_FLAG = ("score", "references")


def cases():
    """Every flag with every plain format; every archive with every format with one flag."""
    for name in [*(name + suffix for name in FILES for suffix in COMPRESS), *TABLES]:
        plain = name in FILES or name in TABLES
        has_columns = name.split(".")[1] in COLUMN
        for case in WORDS if plain else [ONE_FLAG]:
            if has_columns and case in WITHOUT_COLUMNS:
                continue
            marks = []
            if name in TABLES or name.endswith(".zst"):
                marks.append(pytest.mark.libraries)
            if name != "bomb.txt" and case != ONE_FLAG:
                marks.append(pytest.mark.long)
            yield pytest.param(name, *case, marks=marks, id=f"{'-'.join(case)}-{name}")


@pytest.mark.parametrize(("name", "called", "flag"), list(cases()))
def test_a_segment_that_is_too_long(run, bombs, monkeypatch, name, called, flag):
    monkeypatch.chdir(bombs)
    write_bomb(bombs, name)
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


def test_the_limit_can_be_raised(run, bombs, monkeypatch):
    monkeypatch.chdir(bombs)
    write_bomb(bombs, "open.txt")
    words = ("score", "open.txt", "-i", "a.txt", "--max-segment-bytes")
    assert "differ in length" in run(*words, str(LONG)).err
    assert f"{LONG - 1:,} bytes" in run(*words, str(LONG - 1)).err


def test_a_limit_of_one_byte_is_the_least(run, folder):
    (folder / "letters.txt").write_text("a\nb\n", encoding="utf-8")
    (folder / "words.txt").write_text("a\nbc\n", encoding="utf-8")
    words = ("score", "letters.txt", "-m", "cer", "-b", "--max-segment-bytes")
    assert run(*words, "1", "-i", "letters.txt")[:2] == (0, "0.00\n")
    assert "words.txt:2" in run(*words, "1", "-i", "words.txt").err
    assert run(*words, "0", "-i", "letters.txt").code == 2


# --- Without options, in little memory ------------------------------------------------------------

ADDRESS_SPACE = 600 << 20
ZEROS = 1 << 30


PIECE = bytes(1 << 20)


def zeros_in_xz():
    fast = lzma.LZMACompressor(preset=0)
    return b"".join([*map(fast.compress, [PIECE] * 256), fast.flush()]) * 4


def zeros_in_zst():
    import zstandard

    packed = zstandard.ZstdCompressor().compressobj()
    return b"".join([*map(packed.compress, [PIECE] * (ZEROS >> 20)), packed.flush()])


def window_in_zst():
    import zstandard

    window = zstandard.ZstdCompressionParameters.from_level(1, window_log=30)
    large = zstandard.ZstdCompressor(compression_params=window).compressobj()
    return large.compress(PIECE) + large.flush()


def window_in_xz():
    dictionary = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    return lzma.compress(b"a\n" * 9, filters=dictionary)


# Archives that contain one line of 1 GiB, and archives that ask for as much memory.
ARCHIVES = {
    "zeros.gz": lambda: gzip.compress(PIECE) * (ZEROS >> 20),
    "zeros.bz2": lambda: bz2.compress(PIECE) * (ZEROS >> 20),
    "zeros.xz": zeros_in_xz,
    "zeros.zst": zeros_in_zst,
    "window.zst": window_in_zst,
    "window.xz": window_in_xz,
}


def archives(*names):
    marks = {".zst": [pytest.mark.libraries]}
    cases = [pytest.param(name, marks=marks.get(name[-4:], ())) for name in names]
    return pytest.mark.parametrize("archive", cases, indirect=True)


@pytest.fixture
def archive(request, tmp_path):
    """An archive, beside a text."""
    write_lines(tmp_path / "a.txt", REFERENCE)
    path = tmp_path / request.param
    path.write_bytes(ARCHIVES[request.param]())
    return path


def in_little_memory(folder, *words, stdin=None):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))

    with open(stdin or "/dev/null", "rb") as file:
        done = subprocess.run(
            command(*words), cwd=folder, capture_output=True, text=True, stdin=file,
            env=environment(), timeout=PATIENCE, check=False, preexec_fn=limit,
        )  # fmt: skip
    assert done.returncode == 1, done
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@archives("zeros.gz", "zeros.bz2", "zeros.xz", "zeros.zst")
def test_a_line_of_a_gibibyte(archive):
    folder, bomb = archive.parent, archive.name
    for words in (["score", "a.txt", "-i", bomb], ["sacrebleu", bomb, "-i", "a.txt"]):
        assert f"{bomb}:1 has more than 4,194,304 bytes" in in_little_memory(folder, *words)
    found = in_little_memory(folder, "score", "a.txt", stdin=archive)
    assert "<stdin>:1 has more than 4,194,304 bytes" in found


@archives("zeros.gz")
def test_a_line_of_a_gibibyte_in_another_encoding(archive):
    words = ("sacrebleu", "a.txt", "-i", archive.name, "-e", "latin-1")
    assert f"{archive.name}:1 has more than" in in_little_memory(archive.parent, *words)


@archives("window.zst", "window.xz")
def test_an_archive_that_demands_memory(archive):
    message = in_little_memory(archive.parent, "score", "a.txt", "-i", archive.name)
    assert f"{archive.name}: the " in message
    assert "archive needs more than 128 MiB of memory" in message
