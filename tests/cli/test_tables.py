"""`--save-table` and `--from-table`: the same scores without the texts, or a refusal."""

from __future__ import annotations

import errno
import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet import BLEU, NIST, TER, Corpus, Table, load_tables, save_tables
from bleuet.cli.table_input import read_segments
from bleuet.errors import InputError, OptionError, TableError
from bleuet.output.destination import Destination
from tests.cli.conftest import Outcome
from tests.cli.test_interruption import Endless
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.libraries

FILES = ("ref.txt", "-i", "a.txt", "b.txt")
METRICS = ("-m", "bleu", "chrf", "ter", "chrf++")
FORMATS = ("text", "json", "jsonl", "csv", "markdown", "latex")


@pytest.fixture
def saved(run: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """The command, with both systems saved by all metrics in ab.parquet."""
    assert run("score", *FILES, *METRICS, "--save-table", "ab.parquet").code == 0
    return run


# --- The same scores ------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [[], ["-s"]])
@pytest.mark.parametrize("format_", FORMATS)
def test_saved_tables_print_what_texts_print(
    saved: Callable[..., Outcome], format_: str, level: list[str]
) -> None:
    more = ("-f", format_, *level)
    expected = saved("score", *FILES, *METRICS, *more)
    assert saved("score", "--from-table", "ab.parquet", *more) == expected
    assert saved("score", *FILES, *METRICS, *more, "--save-table", "again.parquet") == expected
    assert saved("score", "--from-table", "again.parquet", *more) == expected


@pytest.mark.parametrize(
    "more",
    [
        ["-m", "bleu", "--smooth", "floor"],
        ["-m", "bleu", "--smooth", "add-k", "--smooth-value", "2"],
        ["-m", "bleu", "--max-ngram-order", "2", "--effective-order"],
        ["-m", "bleu", "--weights", "0.4", "0.3", "0.2", "0.1"],
        ["-m", "chrf:beta=1"],
        ["-m", "chrf++:beta=3,char_order=4"],
        ["-m", "ter", "bleu"],
        ["-m", "bleu", "--cumulative", "-s"],
        ["-m", "bleu:smooth=floor", "chrf:beta=1", "bleu:max_ngram_order=3"],
        ["-m", "bleu", "bleu:effective_order", "--smooth", "floor"],
    ],
)
def test_saved_tables_are_scored_in_another_way(
    saved: Callable[..., Outcome], more: list[str]
) -> None:
    expected = saved("score", *FILES, *more)
    assert expected.code == 0
    assert saved("score", "--from-table", "ab.parquet", *more) == expected


def test_chrf_comes_out_of_chrf_plus_plus(run: Callable[..., Outcome]) -> None:
    run("score", *FILES, "-m", "chrf++", "--save-table", "t.parquet")
    for metrics in (["chrf"], ["chrf++"], ["chrf", "chrf++"]):
        expected = run("score", *FILES, "-m", *metrics)
        assert run("score", "--from-table", "t.parquet", "-m", *metrics) == expected


def test_several_references(run: Callable[..., Outcome]) -> None:
    texts = ("score", "ref.txt", "ref2.txt", "-i", "a.txt", *METRICS)
    expected = run(*texts, "--save-table", "t.parquet")
    assert run("score", "--from-table", "t.parquet") == expected
    Path("v.jsonl").write_text('{"r": "a b", "h": "a"}\n{"r": ["a b", "c"], "h": "c"}\n')
    expected = run("score", "v.jsonl:r", "-i", "v.jsonl:h", *METRICS, "--save-table", "v.parquet")
    assert "nrefs:var" in expected.out
    assert run("score", "--from-table", "v.parquet") == expected


def test_long_files_are_saved_in_portions(run: Callable[..., Outcome]) -> None:
    write_lines(Path("ref.txt"), REFERENCE * 20_000)
    write_lines(Path("a.txt"), SYSTEM_A * 20_000)
    write_lines(Path("b.txt"), SYSTEM_B * 20_000)
    expected = run("score", *FILES, "-m", "ter", "bleu", "--save-table", "t.parquet")
    assert run("score", "--from-table", "t.parquet") == expected
    for name, metric, table in load_tables("t.parquet"):
        texts = {"a.txt": SYSTEM_A, "b.txt": SYSTEM_B}[name] * 20_000
        assert metric.count(texts, REFERENCE * 20_000) == table
    sentences = run("score", *FILES, "-m", "ter", "-s", "-b")
    assert run("score", "--from-table", "t.parquet", "-m", "ter", "-s", "-b") == sentences


def test_systems_are_chosen_by_name(saved: Callable[..., Outcome]) -> None:
    expected = saved("score", "ref.txt", "-i", "b.txt", *METRICS)
    assert saved("score", "--from-table", "ab.parquet", "-i", "b.txt") == expected
    swapped = saved("score", "--from-table", "ab.parquet", "-i", "b.txt", "a.txt")
    assert swapped == saved("score", "ref.txt", "-i", "b.txt", "a.txt", *METRICS)


def test_a_system_of_saved_tables_is_no_file(saved: Callable[..., Outcome]) -> None:
    """The output can have the name of a system, whose file is not read."""
    expected = saved("score", "--from-table", "ab.parquet", "-i", "a.txt")
    outcome = saved("score", "--from-table", "ab.parquet", "-i", "a.txt", "-o", "a.txt")
    assert outcome == (0, "", "")
    assert Path("a.txt").read_text() == expected.out


# --- Some segments --------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [[], ["-s"]])
@pytest.mark.parametrize("segments", ["2-3", "2,3", "3,2-3", "2-3,3,2"])
def test_some_segments(saved: Callable[..., Outcome], segments: str, level: list[str]) -> None:
    for name, lines in (("ref.txt", REFERENCE), ("a.txt", SYSTEM_A), ("b.txt", SYSTEM_B)):
        write_lines(Path("some-" + name), lines[1:3])
    found = saved("score", "--from-table", "ab.parquet", "--segments", segments, *level)
    texts = saved("score", "some-ref.txt", "-i", "some-a.txt", "some-b.txt", *METRICS, *level)
    expected = texts.out.replace("some-a", "a").replace("some-b", "b")
    if level:
        # The numbers of the segments are those of the whole.
        expected = expected.replace("\n2\t", "\n3\t").replace("\n1\t", "\n2\t")
    assert [line.split() for line in found.out.splitlines()] == [
        line.split() for line in expected.splitlines()
    ]


def test_segments_of_a_file(saved: Callable[..., Outcome]) -> None:
    Path("which").write_text("3\n1-2\n")
    expected = saved("score", "--from-table", "ab.parquet", "--segments", "1-3")
    assert saved("score", "--from-table", "ab.parquet", "--segments", "which") == expected
    assert saved("score", "--from-table", "ab.parquet", "--segments", "-3").code == 2


@pytest.mark.parametrize("portion", [1, 2, 3, 100])
def test_segments_across_portions(
    saved: Callable[..., Outcome], portion: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ["1", "1,3", "2-4", "1-2,4", "1-"]
    runs = [("score", "--from-table", "ab.parquet", "-s", "--segments", w) for w in wanted]
    expected = [saved(*arguments) for arguments in runs]
    monkeypatch.setattr("bleuet.tablefile.reader.BATCH_SEGMENTS", portion)
    assert [saved(*arguments) for arguments in runs] == expected


def test_ranges_are_sets_of_segments() -> None:
    for size, parts in itertools.product((4, 9), itertools.product(range(1, 5), repeat=3)):
        first, length, other = parts
        text = f"{other},{first}-{min(first + length, size)}"
        numbers = [n for some in read_segments(text, size) for n in some]
        assert numbers == sorted({other, *range(first, min(first + length, size) + 1)})


@pytest.mark.parametrize("wrong", ["0", "5", "3-2", "1-5", "0-1", "99999999999999999", "", "1,,2"])
def test_segments_that_are_none(saved: Callable[..., Outcome], wrong: str) -> None:
    outcome = saved("score", "--from-table", "ab.parquet", "--segments", wrong)
    assert (outcome.code in (1, 2), outcome.out) == (True, "")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("line", ["", "x", "5", "1 2", "0", "-1", "1,2"])
def test_lines_that_are_no_segments(tmp_path: Path, line: str) -> None:
    path = tmp_path / "which"
    path.write_text(f"1\n{line}\n")
    with pytest.raises(InputError, match="which:2: "):
        read_segments(str(path), 4)


def test_an_empty_file_of_segments(tmp_path: Path) -> None:
    path = tmp_path / "which"
    path.touch()
    with pytest.raises(InputError, match="is empty"):
        read_segments(str(path), 4)
    with pytest.raises(OptionError, match="is empty"):
        read_segments("", 4)


# --- Several files --------------------------------------------------------------------------------


def test_files_of_other_systems(saved: Callable[..., Outcome]) -> None:
    for name in ("a", "b"):
        texts = ("score", "ref.txt", "-i", f"{name}.txt", *METRICS)
        saved(*texts, "--save-table", f"{name}.parquet")
    for level in ([], ["-s"]):
        expected = saved("score", *FILES, *METRICS, *level)
        assert saved("score", "--from-table", "a.parquet", "b.parquet", *level) == expected


def test_files_of_further_segments(saved: Callable[..., Outcome]) -> None:
    parts = {"ref.txt": REFERENCE, "a.txt": SYSTEM_A, "b.txt": SYSTEM_B}
    for part, (start, stop) in {"one": (0, 1), "two": (1, 4)}.items():
        os.mkdir(part)
        for name, lines in parts.items():
            write_lines(Path(part, name), lines[start:stop])
        texts = [f"{part}/{name}" for name in ("ref.txt", "a.txt", "b.txt")]
        order = texts[1:] if part == "one" else texts[:0:-1]
        saved("score", texts[0], "-i", *order, *METRICS, "--save-table", f"{part}.parquet")
    for more in ([], ["-s"], ["--segments", "1-2,4"], ["-i", "b.txt"]):
        expected = saved("score", "--from-table", "ab.parquet", *more)
        joined = ("score", "--from-table", "one.parquet", "two.parquet", "--append", *more)
        assert saved(*joined) == expected
    outcome = saved("score", "--from-table", "one.parquet", "two.parquet")
    assert (outcome.code, outcome.out) == (1, "")
    assert "one.parquet has 1 segments, two.parquet has 3; add --append" in outcome.err


def test_files_of_metrics_that_learned_from_other_references(
    saved: Callable[..., Outcome],
) -> None:
    for part, (start, stop) in {"one": (0, 2), "two": (2, 4), "all": (0, 4)}.items():
        write_lines(Path(f"{part}-ref.txt"), REFERENCE[start:stop])
        write_lines(Path(f"{part}-a.txt"), SYSTEM_A[start:stop])
        texts = ("score", f"{part}-ref.txt", "-i", f"a={part}-a.txt", "-m", "nist", "bleu")
        assert saved(*texts, "--save-table", f"{part}.parquet").code == 0
    joined = ("score", "--from-table", "one.parquet", "two.parquet", "--append")
    outcome = saved(*joined)
    assert (outcome.code, outcome.out) == (1, "")
    assert (
        "NIST learned its weights from other references for one.parquet than for two.parquet, so "
        "their rows cannot be combined: count all texts at once" in outcome.err
    )
    assert saved(*joined, "-m", "bleu", "-b").code == 0
    # Rows that a metric counted after it learned from all references join.
    metric = NIST().prepare(Corpus(SYSTEM_A, REFERENCE))
    for part, rows in (("one", slice(0, 2)), ("two", slice(2, 4))):
        table = metric.count(SYSTEM_A[rows], REFERENCE[rows])
        save_tables(f"{part}.parquet", [("a", metric, table)])
    whole = saved("score", "--from-table", "all.parquet", "-m", "nist", "-b")
    assert saved(*joined, "-m", "nist", "-b") == whole
    ((_, loaded, table),) = load_tables("all.parquet")[:1]
    assert loaded.count(SYSTEM_A, REFERENCE) == table
    saved(
        "score", "one-ref.txt", "-i", "b=one-a.txt", "-m", "nist", "--save-table", "alone.parquet"
    )
    tables = load_tables("one.parquet")[0].table, load_tables("alone.parquet")[0].table
    with pytest.raises(TableError, match="count all texts at once"):
        Table.concatenate(tables)
    outcome = saved("score", "--from-table", "one.parquet", "alone.parquet")
    assert outcome.code == 1
    assert "NIST learned its weights from other references for one.parquet" in outcome.err


def test_one_name_in_two_files(saved: Callable[..., Outcome]) -> None:
    for place, source in (("old", "a.txt"), ("new", "b.txt")):
        os.mkdir(place)
        Path(place, "out.txt").write_bytes(Path(source).read_bytes())
        texts = ("score", "ref.txt", "-i", f"{place}/out.txt")
        saved(*texts, "--save-table", f"{place}.parquet")
        saved(*texts, "--save-table", f"{place}/t.parquet")
    outcome = saved("score", "--from-table", "old.parquet", "new.parquet")
    assert [line.split()[0] for line in outcome.out.splitlines()[1:3]] == ["old", "new"]
    for name in ("old", "old.parquet:out.txt"):
        one = saved("score", "--from-table", "old.parquet", "new.parquet", "-i", name, "-b")
        assert one.out.split()[:1] == ["49.58"]
    outcome = saved("score", "--from-table", "old/t.parquet", "new/t.parquet", "-b")
    assert outcome.code == 0
    outcome = saved("score", "--from-table", "old.parquet", "old.parquet")
    assert (outcome.code, "old.parquet:out.txt is named twice" in outcome.err) == (2, True)


def test_files_that_do_not_go_together(saved: Callable[..., Outcome]) -> None:
    saved("score", "ref2.txt", "-i", "a.txt", *METRICS, "--save-table", "other.parquet")
    saved("score", "ref.txt", "ref2.txt", "-i", "a.txt", *METRICS, "--save-table", "two.parquet")
    saved("score", *FILES, "-m", "bleu", "--save-table", "bleu.parquet")
    saved("score", *FILES, "-m", "bleu", "-q", "--lowercase", "--save-table", "lc.parquet")
    saved("score", "ref.txt", "-i", "a.txt", "--save-table", "a.parquet")
    saved("score", "ref.txt", "-i", "b.txt", "--save-table", "b.parquet")
    refused = {
        (
            "ab.parquet",
            "other.parquet",
        ): "has other references; count both on the same texts, or",
        ("ab.parquet", "two.parquet"): "have different references",
        ("ab.parquet", "bleu.parquet"): "ab.parquet has chrF2|nrefs:1|",
        ("bleu.parquet", "ab.parquet"): "bleu.parquet does not: select metrics that all files",
        ("bleu.parquet", "lc.parquet"): "bleu.parquet has BLEU|nrefs:1|case:mixed|",
        (
            "lc.parquet",
            "bleu.parquet",
            "-m",
            "bleu",
        ): "but bleu.parquet has BLEU|nrefs:1|case:mixed|",
        ("two.parquet", "bleu.parquet", "-m", "bleu"): "different references",
        ("two.parquet", "bleu.parquet"): "two.parquet has chrF2|nrefs:2|",
        ("two.parquet", "lc.parquet", "-m", "bleu"): "two.parquet has BLEU|nrefs:2|",
        ("two.parquet", "-m", "bleu", "--max-ngram-order", "5"): "which BLEU|nrefs:2|case:mixed|",
        ("ab.parquet", "bleu.parquet", "-m", "ter"): "bleu.parquet has no table of TER; it has",
        ("a.parquet", "b.parquet", "--append"): "a.parquet has a.txt and b.parquet has b.txt",
    }
    for files, says in refused.items():
        outcome = saved("score", "--from-table", *files)
        assert (outcome.code, outcome.out) == (1, ""), files
        assert says in outcome.err
    both = ("score", "--from-table", "ab.parquet", "bleu.parquet", "-m", "bleu")
    assert saved(*both).code == 0


def test_two_metrics_of_one_kind_in_a_file(run: Callable[..., Outcome]) -> None:
    metrics = [BLEU(), BLEU(tokenize="char"), TER()]
    save_tables("t.parquet", [("a", m, m.count(SYSTEM_A, REFERENCE)) for m in metrics])
    lines = run("score", "--from-table", "t.parquet").out.splitlines()
    assert [line.partition("|")[0] for line in lines] == ["BLEU", "BLEU", "TER"]
    outcome = run("score", "--from-table", "t.parquet", "-m", "bleu")
    assert (outcome.code, "name the options of the one you mean" in outcome.err) == (1, True)
    chosen = run("score", "--from-table", "t.parquet", "-m", "bleu", "--tokenize", "char", "-b")
    assert chosen.out == f"{BLEU(tokenize='char').corpus_score(SYSTEM_A, REFERENCE).score:.2f}\n"


# --- Refusals -------------------------------------------------------------------------------------

WRONG: dict[str, tuple[list[str], int, str]] = {
    "another tokenizer": (
        ["-m", "bleu", "--tokenize", "intl"],
        1,
        "--tokenize changes what is counted, and ab.parquet was counted with '13a', not",
    ),
    "another case": (
        ["-m", "bleu:lowercase"],
        1,
        "bleu:lowercase changes what is counted, and ab.parquet was counted without it",
    ),
    "more orders": (["-m", "bleu", "--max-ngram-order", "5"], 1, "has no column matches_5"),
    "another chrF": (["-m", "chrf:whitespace"], 1, "chrf:whitespace changes what"),
    "another TER": (["-m", "ter:no_punct"], 1, "ter:no_punct changes what"),
    "no smoothing": (["-m", "bleu", "--smooth", "bla"], 2, "--smooth must be one of"),
    "a value for none": (["-m", "bleu", "--smooth-value", "2"], 2, "--smooth-value belongs to"),
    "an option of no metric": (["--smooth", "floor"], 2, "-m does not name: add -m bleu"),
    "no metric": (["-m", "blue"], 2, "did you mean bleu?"),
    "a metric twice": (["-m", "bleu", "bleu"], 2, "name each metric once"),
    "a language": (["-l", "en-ja"], 2, "saved tables are counted already"),
    "references": (["-q", "ref.txt"], 2, "is not expected here"),
    "texts": (["-i", "c.txt"], 2, "no system c.txt in the saved tables; "),
    "a system twice": (["-i", "a.txt", "a.txt"], 2, "name each once"),
    "another table": (["--save-table", "c.parquet"], 2, "remove one"),
    "nothing to append": (["--append"], 2, "name all"),
    "itself as output": (
        ["-f", "text", "-o", "ab.parquet"],
        2,
        "would overwrite a file that is read",
    ),
    "a file of texts": (["a.txt"], 1, "a.txt cannot be read as Parquet"),
    "no file": (["abc.parquet"], 1, "the nearest name in that folder is ab.parquet"),
    "standard input": (["-"], 1, "name a file, not -"),
    "an empty name": ([""], 2, "is a shell variable empty?"),
    "order without bleu": (["-m", "ter", "--cumulative"], 2, "--cumulative is an option of bleu"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused(saved: Callable[..., Outcome], name: str) -> None:
    more, code, says = WRONG[name]
    before = Path("ab.parquet").read_bytes()
    outcome = saved("score", "--from-table", "ab.parquet", *more)
    if name == "references":
        outcome = saved("score", "ref.txt", "--from-table", "ab.parquet")
        says = "--from-table and REF exclude each other (saved tables are counted already)"
    assert (outcome.code, outcome.out) == (code, "")
    assert says in outcome.err
    assert outcome.err.count("\n") == 1
    assert Path("ab.parquet").read_bytes() == before


UNSAVED: dict[str, tuple[list[str], int, str]] = {
    "another format": (["--save-table", "t.csv"], 2, "use a name such as t.parquet"),
    "standard output": (["--save-table", "-"], 2, "use a name such as tables.parquet"),
    "no name": (["--save-table", ""], 2, "--save-table got an empty file name"),
    "no folder": (["--save-table", "no/t.parquet"], 1, "create it first"),
    "the other output": (
        ["-f", "text", "-o", "t.parquet", "--save-table", "./t.parquet"],
        2,
        "use two files",
    ),
    "append": (["--append"], 2, "--append needs --from-table: add --from-table FILE"),
    "segments": (["--segments", "1"], 2, "--segments needs --from-table: add --from-table FILE"),
}


@pytest.mark.parametrize("name", UNSAVED)
def test_what_is_not_saved(run: Callable[..., Outcome], name: str) -> None:
    more, code, says = UNSAVED[name]
    before = set(os.listdir())
    outcome = run("score", *FILES, *more)
    assert (outcome.code, outcome.out) == (code, "")
    assert says in outcome.err
    assert set(os.listdir()) == before


def test_a_table_is_not_written_over_a_file_that_is_read(run: Callable[..., Outcome]) -> None:
    os.link("ref.txt", "ref.parquet")
    outcome = run("score", *FILES, "--save-table", "ref.parquet")
    assert (outcome.code, "would overwrite a file that is read" in outcome.err) == (2, True)


def test_a_device_is_written_to(run: Callable[..., Outcome]) -> None:
    assert run("score", *FILES, "--save-table", "/dev/null").code == 0


# --- All or nothing -------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [[], ["-s"]])
@pytest.mark.usefixtures("folder")
def test_ctrl_c_leaves_the_old_table(level: list[str]) -> None:
    Path("t.parquet").write_text("old")
    endless = Endless("--save-table", "t.parquet", *level)
    endless.feed(SYSTEM_A)
    outcome = endless.stop(signal.SIGINT)
    assert outcome == (130, "", "bleuet: interrupted\n")
    assert Path("t.parquet").read_text() == "old"
    assert not [name for name in os.listdir() if "unfinished" in name]


def test_an_error_in_the_last_line_leaves_the_old_table(run: Callable[..., Outcome]) -> None:
    Path("t.parquet").write_text("old")
    write_lines(Path("ref.txt"), REFERENCE * 20_000)
    write_lines(Path("a.txt"), (SYSTEM_A * 20_000)[:-1])
    outcome = run("score", "ref.txt", "-i", "a.txt", "--save-table", "t.parquet")
    assert (outcome.code, outcome.out) == (1, "")
    assert "differ in length" in outcome.err
    assert Path("t.parquet").read_text() == "old"
    assert not [name for name in os.listdir() if "unfinished" in name]


def test_a_full_disk_leaves_the_old_table(
    run: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("t.parquet").write_text("old")
    before = set(os.listdir())
    really = Destination._open

    def open_full(destination: Destination) -> object:
        really(destination).close()
        return open("/dev/full", "wb", buffering=0)

    monkeypatch.setattr(Destination, "_open", open_full)
    outcome = run("score", "ref.txt", "-i", "a.txt", "--save-table", "t.parquet")
    assert (outcome.code, outcome.out) == (1, "")
    assert os.strerror(errno.ENOSPC) in outcome.err
    assert outcome.err.count("\n") == 1
    assert Path("t.parquet").read_text() == "old"
    assert set(os.listdir()) == before


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="there is no /proc")
@pytest.mark.usefixtures("folder")
def test_memory_does_not_grow_with_the_corpus() -> None:
    """Three times the segments, and nearly the same memory."""
    measure = (
        "import sys\nfrom bleuet.cli.main import main\n"
        "code = main(sys.argv[1:])\n"
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print(status['VmHWM'].split()[0], file=sys.stderr)\n"
        "sys.exit(code)"
    )
    peaks = {}
    for times in (200_000, 600_000):
        write_lines(Path("ref.txt"), ["a sea"] * times)
        write_lines(Path("a.txt"), ["the sea"] * times)
        for way in (
            ["ref.txt", "-i", "a.txt", "-m", "chrf", "--save-table", "t.parquet"],
            ["--from-table", "t.parquet"],
        ):
            done = subprocess.run(
                [sys.executable, "-c", measure, "score", *way],
                capture_output=True, text=True, check=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )  # fmt: skip
            peaks[times, way[0]] = int(done.stderr)
    for kind in ("ref.txt", "--from-table"):
        # The table alone would take 58 MB more.
        assert peaks[600_000, kind] - peaks[200_000, kind] < 25_000, peaks


# --- Changed files --------------------------------------------------------------------------------

# Every way in which a command reads saved tables.
READS = [
    ["score", "--from-table", "ab.parquet"],
    ["score", "--from-table", "ab.parquet", "-m", "bleu:max_ngram_order=2", "--segments", "1"],
    ["score", "--from-table", "ab.parquet", "-i", "b.txt", "-s", "-f", "jsonl"],
    ["score", "--from-table", "ab.parquet", "--confidence", "-f", "html"],
    ["significance", "--from-table", "ab.parquet", "-m", "bleu"],
    ["gate", "ref.txt", "--baseline", "ab.parquet", "--baseline-system", "b.txt", "-i", "a.txt"],
]


@pytest.mark.parametrize("words", READS, ids=" ".join)
def test_no_command_prints_anything_of_a_changed_file(
    saved: Callable[..., Outcome], words: list[str]
) -> None:
    import pyarrow as arrow

    from tests.tablefile.edited_files import description_of, rewrite

    def last_match(table: object) -> object:
        numbers = table["BLEU_matches_1"].to_pylist()  # type: ignore[index]
        numbers[-1] -= 1
        place = table.schema.get_field_index("BLEU_matches_1")  # type: ignore[attr-defined]
        return table.set_column(place, "BLEU_matches_1", arrow.array(numbers))  # type: ignore[attr-defined]

    assert saved(*words).code in (0, 3)
    rewrite("ab.parquet", description_of("ab.parquet"), last_match, checksums=False)
    outcome = saved(*words)
    assert (outcome.code, outcome.out) == (1, "")
    assert "BLEU_matches_1 has other numbers of b.txt than were written" in outcome.err
