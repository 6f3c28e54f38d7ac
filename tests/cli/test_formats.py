"""Every format has the scores of the library, corpus by corpus and segment by segment."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from bleuet.cli.main import read_arguments
from bleuet.cli.metric_selection import make_metrics
from bleuet.cli.score import COMMAND
from bleuet.engines.counting import count_batches
from bleuet.engines.spooling import SpooledRows
from bleuet.evaluation.names import without_common_ending
from bleuet.evaluation.sentence_scores import SentenceScores
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from bleuet.metrics.ter.metric import TER
from bleuet.text.fingerprint import fingerprint_of
from bleuet.text.parallel import Parallel
from bleuet.text.source import Source
from tests.cli.conftest import Outcome, environment, run_apart
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A, SYSTEM_B, write_lines
from tests.output.documents import without_bold

if TYPE_CHECKING:
    from collections.abc import Callable

METRICS: dict[str, Callable[[], Metric]] = {
    "bleu": BLEU,
    "chrf": CHRF,
    "chrf++": partial(CHRF, word_order=2),
    "ter": TER,
}
FORMATS = ("text", "json", "jsonl", "csv", "markdown", "latex")
REFERENCES = list(zip(REFERENCE, REFERENCE_2, strict=True))
# Their names are those of their files, without the ending that both share.
SYSTEMS = {"a": SYSTEM_A, "b": SYSTEM_B}
FILES = ("score", "ref.txt", "ref2.txt", "-i", "a.txt", "b.txt")


ENDINGS = {
    "s.csv": "csv", "s.JSON": "json", "s.jsonl": "jsonl", "s.md": "markdown", "s.tex": "latex",
    "s.html": "html", "s.txt": "text", "s.out": "text", "csv": "text",
}  # fmt: skip


class Cell(NamedTuple):
    """One number of an output, with what it belongs to; segment 0 is the whole corpus."""

    segment: int
    system: str
    metric: str
    number: str


def parsed(format_: str, text: str, segments: bool) -> tuple[list[Cell], list[str]]:
    """The cells and the signatures of an output."""
    if format_ in ("json", "jsonl"):
        objects = json.loads(text) if format_ == "json" else map(json.loads, text.splitlines())
        rows = list(objects)
        cells = [Cell(r.get("segment", 0), r["system"], r["name"], repr(r["score"])) for r in rows]
        return cells, [row["signature"] for row in rows]
    if format_ == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        cells = [Cell(int(r.get("segment", 0)), r["system"], r["metric"], r["score"]) for r in rows]
        return cells, [row["signature"] for row in rows]
    table, signatures = WIDE[format_](text, segments)
    header, *body = table
    cells = []
    for row in body:
        segment = int(row[0]) if segments else 0
        system, *numbers = row[segments:]
        names = header[segments + 1 :]
        cells += [Cell(segment, system, *pair) for pair in zip(names, numbers, strict=True)]
    return cells, signatures


def _text(text: str, segments: bool) -> tuple[list[list[str]], list[str]]:
    lines = text.splitlines()
    if segments:
        signatures = [line.partition("|")[2] for line in lines if line.startswith("# ")]
        return [line.split("\t") for line in lines[len(signatures) :]], signatures
    gap = lines.index("")
    return [line.split() for line in lines[:gap]], [
        line.partition("|")[2] for line in lines[gap + 1 :]
    ]


def _markdown(text: str, segments: bool) -> tuple[list[list[str]], list[str]]:
    lines = text.splitlines()
    gap = lines.index("")
    table = [re.split(r" ?(?<!\\)\| ?", line)[1:-1] for line in lines[:gap]]
    assert all(set(cell) <= set("-: ") for cell in table.pop(1))
    table = [[without_bold(cell) for cell in row] for row in table]
    return table, [re.fullmatch(r"- .*: `(.*)`", line)[1] for line in lines[gap + 1 :]]  # type: ignore[index]


def _latex(text: str, segments: bool) -> tuple[list[list[str]], list[str]]:
    environment_ = "longtable" if segments else "tabular"
    assert f"\\begin{{{environment_}}}" in text
    assert text.endswith(f"\\bottomrule\n\\end{{{environment_}}}\n")
    rows = [line.removesuffix(" \\\\") for line in text.splitlines() if line.endswith(" \\\\")]
    signatures = re.findall(r"(?m)^% \S+: (.*)$", text)
    return [without_bold(row).split(" & ") for row in rows], signatures


WIDE: dict[str, Callable[[str, bool], tuple[list[list[str]], list[str]]]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
}


def shown(value: float, format_: str, width: int | None) -> str:
    if format_ in ("json", "jsonl") or (format_ == "csv" and width is None):
        return repr(value if width is None else float(f"{value:.{width}f}"))
    return f"{value:.{2 if width is None else width}f}"


@pytest.mark.parametrize("width", [None, 0, 5])
@pytest.mark.parametrize("format_", FORMATS)
def test_a_corpus_in_every_format(
    run: Callable[..., Outcome], format_: str, width: int | None
) -> None:
    more = [] if width is None else ["-w", str(width)]
    outcome = run(*FILES, "-m", *METRICS, "-f", format_, *more)
    assert (outcome.code, outcome.err) == (0, "")
    cells, signatures = parsed(format_, outcome.out, segments=False)
    metrics = [make() for make in METRICS.values()]
    assert cells == [
        Cell(0, system, metric.name, shown(float(score), format_, width))
        for system, lines in SYSTEMS.items()
        for metric in metrics
        for score in [metric.corpus_score(lines, REFERENCES)]
    ]
    assert set(signatures) == {str(metric.signature(2)) for metric in metrics}


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", METRICS)
def test_sentences_of_every_metric_in_every_format(
    run: Callable[..., Outcome], format_: str, name: str
) -> None:
    outcome = run(*FILES, "-m", name, "-f", format_, "-s", "-w", "9")
    assert (outcome.code, outcome.err) == (0, "")
    cells, signatures = parsed(format_, outcome.out, segments=True)
    metric = BLEU(effective_order=True) if name == "bleu" else METRICS[name]()
    assert cells == [
        Cell(segment + 1, system, metric.name, shown(float(score), format_, 9))
        for segment in range(len(REFERENCES))
        for system, lines in SYSTEMS.items()
        for score in [metric.sentence_score(lines[segment], REFERENCES[segment])]
    ]
    assert set(signatures) == {str(metric.signature(2))}


@pytest.mark.parametrize("format_", FORMATS)
def test_sentences_of_several_metrics(run: Callable[..., Outcome], format_: str) -> None:
    outcome = run(*FILES, "-m", *METRICS, "-f", format_, "-s")
    cells, signatures = parsed(format_, outcome.out, segments=True)
    assert len(cells) == len(REFERENCES) * len(SYSTEMS) * len(METRICS)
    assert len(set(signatures)) == len(METRICS)
    names = [make().name for make in METRICS.values()]
    assert [cell.metric for cell in cells[: len(METRICS)]] == names


@pytest.mark.parametrize("level", [False, True])
@pytest.mark.parametrize("format_", FORMATS)
def test_cumulative_bleu(run: Callable[..., Outcome], format_: str, level: bool) -> None:
    more = ["-s"] if level else []
    outcome = run("score", "ref.txt", "-i", "a.txt", "b.txt", "-f", format_, "--cumulative", *more)
    metric = BLEU(effective_order=level)
    score: Any = (
        metric.sentence_score(SYSTEM_A[0], REFERENCE[0])
        if level
        else metric.corpus_score(SYSTEM_A, REFERENCE)
    )
    if format_ in ("json", "jsonl"):
        first = json.JSONDecoder().raw_decode(outcome.out.lstrip("[ \n"))[0]
        assert first["cumulative"] == list(score.cumulative)
        return
    cells, signatures = parsed(format_, outcome.out, segments=level)
    numbers = {cell.metric: cell.number for cell in cells[:5]}
    wanted = dict(zip(("BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4"), score.cumulative, strict=True))
    values = {"BLEU": score.score, **wanted}
    assert numbers == {name: shown(value, format_, None) for name, value in values.items()}
    assert set(signatures) == {str(metric.signature())}


@pytest.mark.parametrize("name", METRICS)
def test_text_of_one_system_is_sacrebleus_line(run: Callable[..., Outcome], name: str) -> None:
    outcome = run("score", "ref.txt", "-i", "a.txt", "-m", name)
    score = METRICS[name]().corpus_score(SYSTEM_A, REFERENCE)
    assert outcome.out == score.format(signature=True) + "\n"


def test_json_gives_every_component(run: Callable[..., Outcome]) -> None:
    outcome = run("score", "ref.txt", "-i", "a.txt", "-m", *METRICS, "-f", "json")
    test_set = fingerprint_of(REFERENCE)
    assert json.loads(outcome.out) == [
        {
            "system": "a.txt",
            **make().corpus_score(SYSTEM_A, REFERENCE).to_dict(),
            "test_set": test_set,
        }
        for make in METRICS.values()
    ]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("level", [[], ["-s"]])
def test_short_signatures(run: Callable[..., Outcome], format_: str, level: list[str]) -> None:
    outcome = run(*FILES, "--short", "-f", format_, *level)
    signature = BLEU(effective_order=bool(level)).signature(2)
    if format_ in ("json", "jsonl", "csv"):
        # Programs rebuild the metric from it, so it is the same for all.
        assert str(signature) in outcome.out
        return
    assert signature.short() in outcome.out
    assert "nrefs:" not in outcome.out


@pytest.mark.parametrize("level", [[], ["-s"]])
def test_bare_numbers(run: Callable[..., Outcome], level: list[str]) -> None:
    outcome = run(*FILES, "-m", "bleu", "ter", "-b", *level)
    rows = [line.split("\t") for line in outcome.out.splitlines()]
    assert len(rows) == (len(SYSTEMS) * len(REFERENCE) if level else len(SYSTEMS))
    assert all(len([float(number) for number in row]) == 2 for row in rows)


def test_bare_numbers_with_cumulative_bleu(run: Callable[..., Outcome]) -> None:
    outcome = run("score", "ref.txt", "-i", "a.txt", "-b", "--cumulative")
    assert len(outcome.out.split("\t")) == 5


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("level", [[], ["-s"]])
def test_a_file_holds_what_standard_output_does(
    run: Callable[..., Outcome], format_: str, level: list[str]
) -> None:
    Path("out").write_text("old")
    Path("out").chmod(0o640)
    Path("link").symlink_to("out")
    printed = run(*FILES, "-f", format_, *level)
    assert run(*FILES, "-f", format_, *level, "-o", "link") == (0, "", "")
    assert Path("out").read_bytes().decode() == printed.out
    assert Path("link").is_symlink()
    assert Path("out").stat().st_mode & 0o777 == 0o640
    assert run(*FILES, "-f", format_, *level, "-o", "-") == printed
    assert not [name for name in os.listdir() if name.startswith(".")]


def test_a_new_file_has_the_usual_mode(run: Callable[..., Outcome]) -> None:
    Path("usual").touch()
    run(*FILES, "-o", "out")
    assert Path("out").stat().st_mode == Path("usual").stat().st_mode


def test_segments_that_differ_in_references_sign_so(run: Callable[..., Outcome]) -> None:
    write_lines(Path("d.jsonl"), ['{"r": ["a b", "c"]}', '{"r": "a b"}'])
    write_lines(Path("h.txt"), ["a b", "a"])
    for format_ in FORMATS:
        for level in ([], ["-s"]):
            arguments = ("score", "d.jsonl:r", "-i", "h.txt", "-m", "ter", "-f", format_, *level)
            assert "nrefs:var" in run(*arguments).out, (format_, level)


def sentences_in_batches(size: int, *arguments: str) -> str:
    """What the command prints, reading portions of some size."""
    args = read_arguments(COMMAND, arguments)
    metrics = make_metrics(args, sentences=True)
    references = [Source.parse(path) for path in args.references]
    with Parallel([Source(path) for path in args.input], references, size) as batches:
        rows = SpooledRows(count_batches(metrics, batches))
    return SentenceScores(without_common_ending(args.input), metrics, rows).render(args.format)


@pytest.mark.parametrize("format_", FORMATS)
def test_sentences_are_the_same_in_portions_of_any_size(
    run: Callable[..., Outcome], format_: str
) -> None:
    arguments = (*FILES[1:], "-m", "ter", "bleu", "-f", format_)
    whole = run("score", "-s", *arguments).out
    for size in (1, 2, 3, 4, 5):
        assert sentences_in_batches(size, "-s", *arguments) == whole, size


def test_a_head_knows_all_portions(folder: Path) -> None:
    write_lines(folder / "d.jsonl", ['{"r": ["a b", "c"]}', '{"r": "a b"}', '{"r": ["a", "b"]}'])
    write_lines(folder / "h.txt", ["a b", "a", "b"])
    found = sentences_in_batches(1, "d.jsonl:r", "-i", "h.txt", "-m", "ter", "-s")
    assert found.startswith("# TER|nrefs:var|")


# --- Names that mean something to a format --------------------------------------------------------

ODD = {
    "a name with marks": b"[bold]x|y_$&%#{}~^\\*<b>`.txt",
    "a line end": b"two\nlines.txt",
    "a terminal's escape": b"red\x1b[31m.txt",
    "tab, comma and quote": b'a\tb,"c".txt',
    "other scripts": "übung 日本.txt".encode(),
    "bytes that are no UTF-8": b"caf\xe9.txt",
    "an emoji's code": b":smile:.txt",
}


@pytest.mark.slow
@pytest.mark.parametrize("level", [[], ["-s"]])
@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("case", ODD)
def test_odd_names_do_not_break_a_format(
    run: Callable[..., Outcome], case: str, format_: str, level: list[str]
) -> None:
    name = os.fsdecode(ODD[case])
    write_lines(Path(name), SYSTEM_B)
    outcome = run("score", "ref.txt", "-i", "a.txt", name, "-f", format_, *level)
    assert (outcome.code, outcome.err) == (0, "")
    if format_ in ("json", "jsonl", "csv"):
        cells, _ = parsed(format_, outcome.out, segments=bool(level))
        assert cells[1].system == ODD[case].decode("utf-8", "backslashreplace").removesuffix(".txt")
        return
    plain = run("score", "ref.txt", "-i", "a.txt", "b.txt", "-f", format_, *level)
    assert outcome.out.count("\n") == plain.out.count("\n")
    assert all(mark.isprintable() or mark in "\n\t" for mark in outcome.out)
    separator = {"text": "\t" if level else "  ", "markdown": " | ", "latex": " & "}[format_]
    if case != "other scripts" or format_ != "text":
        assert outcome.out.count(separator) >= plain.out.count(separator)
    if format_ == "markdown":
        cells, _ = parsed(format_, outcome.out, segments=bool(level))
        assert len(cells) == len(parsed(format_, plain.out, segments=bool(level))[0])


def test_latex_and_markdown_specials(run: Callable[..., Outcome]) -> None:
    name = "[a]_50%|x*.txt"
    write_lines(Path(name), SYSTEM_A)
    latex = run("score", "ref.txt", "-i", name, "b.txt", "-f", "latex").out
    assert "\n{[}a{]}\\_50\\%\\textbar{}x{*} & " in latex
    markdown = run("score", "ref.txt", "-i", name, "b.txt", "-f", "markdown").out
    assert "\n| \\[a\\]\\_50%\\|x\\* | " in markdown


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize(("format_", "level"), [("text", []), ("json", []), ("jsonl", ["-s"])])
def test_other_encodings_of_standard_output(encoding: str, format_: str, level: list[str]) -> None:
    write_lines(Path("übung 日本.txt"), SYSTEM_B)
    outcome = run_apart(
        *("score", "ref.txt", "-i", "a.txt", "übung 日本.txt", "-f", format_, "-m", "ter", *level),
        env=environment(PYTHONIOENCODING=encoding),
    )
    assert (outcome.code, outcome.err) == (0, "")
    if format_ == "text":
        assert "übung 日本" in outcome.out
    else:
        assert parsed(format_, outcome.out, bool(level))[0][1].system == "übung 日本"


def test_files_with_the_same_name_go_by_their_paths(run: Callable[..., Outcome]) -> None:
    for folder in ("one", "two"):
        Path(folder).mkdir()
        write_lines(Path(folder, "out.txt"), SYSTEM_A)
    outcome = run("score", "ref.txt", "-i", "one/out.txt", "two/out.txt", "-f", "csv")
    systems = [row["system"] for row in csv.DictReader(io.StringIO(outcome.out))]
    assert systems == ["one/out", "two/out"]


@pytest.mark.parametrize("name", ENDINGS)
def test_the_ending_of_a_file_selects_its_format(run: Callable[..., Outcome], name: str) -> None:
    assert run(*FILES, "-o", name) == (0, "", "")
    assert Path(name).read_text() == run(*FILES, "-f", ENDINGS[name]).out


def test_an_ending_that_names_no_format_has_text(run: Callable[..., Outcome]) -> None:
    for name in ("s.out", "s", "model-1.5"):
        assert run(*FILES, "-o", name) == (0, "", "")
        assert Path(name).read_text() == run(*FILES).out


@pytest.mark.parametrize("name", ["s.csv", "s.parquet", "s.xlsx"])
def test_a_format_that_is_named_is_stronger_than_an_ending(
    run: Callable[..., Outcome], name: str
) -> None:
    assert run(*FILES, "-f", "text", "-o", name) == (0, "", "")
    assert Path(name).read_text() == run(*FILES).out
