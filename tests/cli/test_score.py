"""`bleuet score`: its input, which options reach which metric, its warnings."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet.cli.main import COMMAND_GROUPS
from bleuet.cli.metric_selection import target_language
from bleuet.cli.score import BLEU_OPTIONS
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.catalogue import CATALOGUE
from bleuet.metrics.sari.metric import SARI
from bleuet.text.source_texts import with_sources
from tests.cli.conftest import Outcome, run_apart
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A, SYSTEM_B, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Outcome]

NUMBERS = ("score", "-b", "-w", "12")


@cache
def wanted() -> str:
    return f"{BLEU().corpus_score(SYSTEM_A, REFERENCE).score:.12f}\n"


# --- Input ----------------------------------------------------------------------------------------


def test_several_systems_and_references(run: Run) -> None:
    references = list(zip(REFERENCE, REFERENCE_2, strict=True))
    outcome = run(*NUMBERS, "ref.txt", "ref2.txt", "-i", "a.txt", "b.txt")
    scores = [BLEU().corpus_score(lines, references).score for lines in (SYSTEM_A, SYSTEM_B)]
    assert outcome == (0, "".join(f"{score:.12f}\n" for score in scores), "")


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_source_texts(run: Run, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"source.txt{ending}"
    lines = "".join(f"{line}\n" for line in SYSTEM_B)
    path.write_bytes(gzip.compress(lines.encode()) if ending else lines.encode())
    references = list(zip(REFERENCE, REFERENCE_2, strict=True))
    sari = SARI().corpus_score(SYSTEM_A, with_sources(references, SYSTEM_B)).score
    bleu = BLEU().corpus_score(SYSTEM_A, references).score
    both = ("ref.txt", "ref2.txt", "-i", "a.txt", "-m", "sari", "bleu")
    outcome = run(*NUMBERS, *both, "--source", str(path))
    assert outcome == (0, f"{sari:.12f}\t{bleu:.12f}\n", "")
    assert "SARI" in run("compare", *both, "--source", str(path)).out
    code, _, error = run("score", *both)
    assert (code, "without sources: add --source FILE" in error) == (1, True)
    other = tmp_path / "other.txt"
    other.write_text("one line\n")
    code, _, error = run("score", *both, "--source", str(other))
    assert (code, "differ in length" in error) == (1, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("ref.txt", "-i", "a.txt"),
        ("-i", "a.txt", "--", "ref.txt"),
        ("-i", "a.txt", "-q", "ref.txt"),
        ("ref.txt", "-i", "a.txt", "--"),
        ("--input=a.txt", "ref.txt"),
        ("-m", "bleu", "--", "ref.txt"),
    ],
)
def test_references_before_or_behind(
    run: Run, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path("a.txt").open(encoding="utf-8") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert run(*NUMBERS, *arguments) == (0, wanted(), "")


def test_options_given_twice_add_up(run: Run) -> None:
    once = run(*NUMBERS, "ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu", "ter")
    twice = run(*NUMBERS, "ref.txt", "-i", "a.txt", "-m", "bleu", "-i", "b.txt", "-m", "ter")
    assert once == twice
    assert once.out.count("\n") == 2


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("arguments", [("ref.txt",), ("ref.txt", "-i", "-")])
def test_hypotheses_from_standard_input(arguments: tuple[str, ...]) -> None:
    outcome = run_apart(*NUMBERS, *arguments, stdin=Path("a.txt").read_bytes())
    assert outcome == (0, wanted(), "")


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_references_from_standard_input() -> None:
    outcome = run_apart(*NUMBERS, "-", "-i", "a.txt", stdin=Path("ref.txt").read_bytes())
    assert outcome == (0, wanted(), "")


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
def test_compressed_files(run: Run, suffix: str, compress: Callable[[bytes], bytes]) -> None:
    Path(f"a{suffix}").write_bytes(compress(Path("a.txt").read_bytes()))
    assert run(*NUMBERS, "ref.txt", "-i", f"a{suffix}") == (0, wanted(), "")


def test_columns_of_tables(run: Run) -> None:
    pairs = list(zip(REFERENCE, SYSTEM_A, strict=True))
    write_lines(Path("d.tsv"), ["ref\thyp", *(f"{ref}\t{hyp}" for ref, hyp in pairs)])
    write_lines(Path("n.tsv"), [f"{ref}\t{hyp}" for ref, hyp in pairs])
    write_lines(Path("d.jsonl"), [json.dumps({"ref": ref, "hyp": hyp}) for ref, hyp in pairs])
    for arguments in (
        ("d.tsv:ref", "-i", "d.tsv:hyp"),
        ("n.tsv:1", "-i", "n.tsv:2"),
        ("d.jsonl:ref", "-i", "d.jsonl:hyp"),
        ("ref.txt", "-i", "d.jsonl:hyp"),
    ):
        assert run(*NUMBERS, *arguments) == (0, wanted(), ""), arguments


@pytest.mark.libraries
def test_a_parquet_file(run: Run) -> None:
    import pyarrow as arrow
    from pyarrow import parquet

    parquet.write_table(arrow.table({"ref": REFERENCE, "hyp": SYSTEM_A}), "d.parquet")
    assert run(*NUMBERS, "d.parquet:ref", "-i", "d.parquet:hyp") == (0, wanted(), "")


def test_line_ends_of_windows(run: Run) -> None:
    Path("w.txt").write_bytes("\r\n".join(SYSTEM_A).encode())
    assert run(*NUMBERS, "ref.txt", "-i", "w.txt") == (0, wanted(), "")


# --- Options --------------------------------------------------------------------------------------

# For each option of each metric: how it is set, and what its signature then has.
REACHES: dict[str, dict[str, tuple[str, str]]] = {
    "bleu": {
        "tokenize": ("tokenize=char", "tok:char"),
        "lowercase": ("lowercase", "case:lc"),
        "smooth": ("smooth=floor", "smooth:floor[0.10]"),
        "smooth_value": ("smooth_value=0.25,smooth=add-k", "smooth:add-k[0.25]"),
        "smooth_unmatched": ("smooth_unmatched", "unmatched:smoothed"),
        "max_ngram_order": ("max_ngram_order=2", "order:2"),
        "effective_order": ("effective_order", "eff:yes"),
        "weights": ("weights=.4/.3/.2/.1", "weights:0.4/0.3/0.2/0.1"),
        "reference_length": ("reference_length=shortest", "reflen:shortest"),
        "round_trip": ("round_trip", "roundtrip:yes"),
    },
    "mean-bleu": {
        "weighting": ("weighting=plain", "mean:plain"),
        "tokenize": ("tokenize=char", "tok:char"),
        "lowercase": ("lowercase", "case:lc"),
        "smooth": ("smooth=floor", "sentsmooth:floor[0.10]"),
        "smooth_value": ("smooth-value=0.25,smooth=add-k", "sentsmooth:add-k[0.25]"),
        "smooth_unmatched": ("smooth_unmatched", "unmatched:smoothed"),
        "max_ngram_order": ("max_ngram_order=2", "order:2"),
        "effective_order": ("effective_order=no", "eff:no"),
        "weights": ("weights=.4/.3/.2/.1", "weights:0.4/0.3/0.2/0.1"),
        "reference_length": ("reference_length=shortest", "reflen:shortest"),
        "round_trip": ("round_trip", "roundtrip:yes"),
    },
    "chrf": {
        "char_order": ("char_order=4", "nc:4"),
        "word_order": ("word-order=1", "nw:1"),
        "beta": ("beta=3", "beta:3"),
        "lowercase": ("lowercase", "case:lc"),
        "whitespace": ("whitespace=yes", "space:yes"),
        "eps_smoothing": ("eps_smoothing", "eff:no"),
    },
    "ter": {
        "normalized": ("normalized", "norm:yes"),
        "no_punct": ("no_punct", "punct:no"),
        "asian_support": ("asian_support", "asian:yes"),
        "case_sensitive": ("case_sensitive", "case:mixed"),
        "tokenize_references_once": ("tokenize_references_once", "reftok:once"),
    },
}


def test_the_table_of_options_is_complete() -> None:
    for name, options in REACHES.items():
        known = {one.name for one in CATALOGUE[name].load().options if one.on_command_line}
        assert set(options) == known


def with_and_without(
    run: Run, metrics: tuple[str, str], *flags: str
) -> tuple[list[str], list[str]]:
    """The keys of two signatures: of a metric with options, and of the plain one."""
    common = ("score", "ref.txt", "-i", "a.txt", "-f", "jsonl", "-m")
    plain, outcome = run(*common, metrics[0]), run(*common, metrics[1], *flags)
    assert (outcome.code, outcome.err) == (0, "")
    keys = [json.loads(one.out)["signature"].split("|") for one in (outcome, plain)]
    return keys[0], keys[1]


@pytest.mark.parametrize(
    ("metric", "option"), [(metric, option) for metric in REACHES for option in REACHES[metric]]
)
def test_an_option_reaches_its_metric(run: Run, metric: str, option: str) -> None:
    setting, mark = REACHES[metric][option]
    found, plain = with_and_without(run, (metric, f"{metric}:{setting}"))
    assert mark in found
    assert mark not in plain


BLEU_FLAGS: dict[str, tuple[str, ...]] = {
    "--tokenize": ("char",),
    "--lowercase": (),
    "--smooth": ("floor",),
    "--smooth-value": ("0.25", "--smooth", "add-k"),
    "--smooth-unmatched": (),
    "--max-ngram-order": ("2",),
    "--effective-order": (),
    "--weights": (".4", ".3", ".2", ".1"),
    "--reference-length": ("shortest",),
    "--round-trip": (),
}


def test_every_option_of_bleu_has_a_flag() -> None:
    assert {flag.name for flag in BLEU_OPTIONS} == set(BLEU_FLAGS)


@pytest.mark.parametrize("flag", BLEU_FLAGS)
def test_a_flag_of_bleu_is_the_option_behind_the_colon(run: Run, flag: str) -> None:
    option = flag.removeprefix("--").replace("-", "_")
    setting, mark = REACHES["bleu"][option]
    files = ("score", "ref.txt", "-i", "a.txt", "-m", "ter")
    expected = run(*files, f"bleu:{setting}")
    assert mark in expected.out
    assert run(*files, "BLEU", flag, *BLEU_FLAGS[flag]) == expected
    if "ter" not in setting:
        assert run(*files[:4], flag, *BLEU_FLAGS[flag]).out == expected.out.splitlines(True)[1]


def test_a_flag_of_bleu_and_options_behind_the_colon_add_up(run: Run) -> None:
    common = ("score", "ref.txt", "-i", "a.txt", "-m")
    expected = run(*common, "bleu:lowercase,smooth=floor", "chrf", "bleu:smooth=floor")
    assert expected.code == 0
    assert run(*common, "bleu:lowercase", "chrf", "bleu", "--smooth", "floor") == expected


def test_a_flag_that_is_off(run: Run) -> None:
    outcome = run(
        *("score", "ref.txt", "-i", "a.txt", "--smooth", "chen-cherry-1"), "--no-effective-order"
    )
    assert "|eff:no|" in outcome.out


def test_options_of_several_metrics_at_once(run: Run) -> None:
    outcome = run(
        *("score", "ref.txt", "-i", "a.txt", "-m", "ter:no_punct", "chrf:lowercase", "bleu"),
        *("--tokenize", "none"),
    )
    lines = outcome.out.splitlines()
    assert [line.partition("|")[0] for line in lines] == ["TER", "chrF2", "BLEU"]
    assert "punct:no" in lines[0]
    assert "case:lc" in lines[1]
    assert "tok:none" in lines[2]


@pytest.mark.parametrize(
    ("pair", "language"),
    [
        ("en-de", "de"),
        ("en-JA", "ja"),
        ("en-zh_TW", "zh"),
        ("eng_Latn-jpn_Jpan", "ja"),
        ("eng_Latn-zho_Hans", "zh"),
        ("deu-kor", "ko"),
    ],
)
def test_language_pairs(pair: str, language: str) -> None:
    assert target_language(pair) == language


def test_a_language_pair_chooses_the_tokenizer(run: Run) -> None:
    common = ("score", "ref.txt", "-i", "a.txt", "-l")
    assert "|tok:zh|" in run(*common, "en-zh").out
    assert "|tok:13a|" in run(*common, "zh-en").out
    assert "|tok:char|" in run(*common, "en-zh", "--tokenize", "char").out


@pytest.mark.parametrize("threads", ["0", "1", "2", "7"])
def test_threads_change_nothing(run: Run, threads: str) -> None:
    for lines, name in ((SYSTEM_A, "a.txt"), (REFERENCE, "ref.txt"), (SYSTEM_B, "b.txt")):
        write_lines(Path(name), lines * 300)
    arguments = ("score", "ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu", "chrf", "ter", "-s")
    assert run(*arguments, "-t", threads) == run(*arguments)


# --- Warnings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [[], ["-s"]])
def test_tokenized_text_is_told(run: Run, level: list[str]) -> None:
    write_lines(Path("r.txt"), ["A cat ."] * 100)
    write_lines(Path("h.txt"), ["A dog ."] * 100)
    write_lines(Path("h99.txt"), ["A dog ."] * 99 + ["A dog."])
    outcome = run("score", "r.txt", "-i", "h.txt", "h99.txt", *level)
    assert outcome.err.startswith("bleuet: warning: 100 lines of h.txt or more end in ' .'")
    assert outcome.err.count("\n") == 1
    assert outcome.out == run("score", "r.txt", "-i", "h.txt", "h99.txt", *level, "-q").out
    assert run("score", "r.txt", "-i", "h.txt", "-q", *level).err == ""
    assert run("score", "r.txt", "-i", "h.txt", "--tokenize", "none", *level).err == ""


def test_a_system_against_itself_is_told(run: Run) -> None:
    outcome = run("score", "ref.txt", "a.txt", "-i", "b.txt", "a.txt", "-b")
    assert outcome.code == 0
    assert outcome.err.startswith("bleuet: warning: a.txt is both a system and a reference")
    assert run("score", "ref.txt", "a.txt", "-i", "b.txt", "a.txt", "-b", "-q").err == ""


def test_a_missing_kernel_is_told_in_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleuet.statistics.backend._chosen", None)
    monkeypatch.setitem(sys.modules, "bleuet.statistics._kernel", None)
    monkeypatch.delenv("BLEUET_BACKEND", raising=False)
    outcome = run(*NUMBERS, "ref.txt", "-i", "a.txt")
    assert outcome.out == wanted()
    assert outcome.err.startswith("bleuet: warning: bleuet was installed without")
    assert outcome.err.count("\n") == 1
    monkeypatch.setattr("bleuet.statistics.backend._chosen", None)
    assert run(*NUMBERS, "ref.txt", "-i", "a.txt", "-q") == (0, wanted(), "")


# --- Help and listings ----------------------------------------------------------------------------


@pytest.mark.parametrize("columns", ["50", "60", "80", "100"])
@pytest.mark.parametrize("command", ["score", "explain", "metrics", "tokenizers", "completion"])
def test_help(run: Run, command: str, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    outcome = run(command, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"usage: bleuet {command}")
    if int(columns) >= 80:
        assert max(map(len, outcome.out.splitlines())) <= int(columns)


@pytest.mark.parametrize("flag", ["-h", "--help", "help"])
def test_help_of_the_whole(run: Run, flag: str) -> None:
    outcome = run(flag)
    assert outcome.code == 0
    for title, commands in COMMAND_GROUPS.items():
        assert f"\n{title}:\n" in outcome.out
        for command in commands:
            assert f"\n  {command} " in outcome.out


@pytest.mark.parametrize("command", ["score", "metrics", "sacrebleu"])
def test_help_and_a_command_are_the_commands_help(run: Run, command: str) -> None:
    assert run("help", command) == run(command, "--help")


def test_help_of_score_is_short(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = run("score", "--help").out.splitlines()
    # A screen and a half.
    assert len(lines) <= 63
    assert [line for line in lines if line.startswith("  ") and "`bleuet metrics bleu`" in line]


def test_every_flag_of_bleu_is_an_option_that_metrics_explains(run: Run) -> None:
    text = run("metrics", "bleu").out
    for flag in BLEU_OPTIONS:
        assert f"\n{flag.dest} " in text


def test_version(run: Run) -> None:
    assert run("--version") == run("-V")
    assert run("-V").out.startswith("bleuet ")
