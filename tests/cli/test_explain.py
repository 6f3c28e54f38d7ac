"""`bleuet explain`: its output, its options and its errors."""

from __future__ import annotations

import csv
import json
from functools import cache
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet import BLEU, CHRF, MeanBLEU, explain
from tests.cli.conftest import Outcome, run_apart
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.explanation import Explanation

    Run = Callable[..., Outcome]

FILES = ("explain", "ref.txt", "ref2.txt", "-i", "a.txt")
SENTENCE = ("explain", "--hypothesis", "The cat sat.", "--reference", "The cat sat down.")
WAY = ("--from", "bleu", "--to", "mean-bleu:lowercase")


@cache
def found() -> Explanation:
    """What the study finds."""
    references = list(zip(REFERENCE, REFERENCE_2, strict=True))
    return explain(BLEU(), MeanBLEU(lowercase=True), SYSTEM_A, references)


def test_text(run: Run) -> None:
    assert run(*FILES, *WAY) == (0, f"{found()}\n", "")
    assert run(*FILES, *WAY, "-w", "4") == (0, found().to_text(width=4), "")


def test_json(run: Run) -> None:
    outcome = run(*FILES, *WAY, "-f", "json")
    assert (outcome.code, outcome.err) == (0, "")
    assert json.loads(outcome.out) == json.loads(json.dumps(found().to_dict()))


def test_width_rounds_json_and_csv(run: Run) -> None:
    whole = json.loads(run(*FILES, *WAY, "-f", "json", "-w", "3").out)
    assert whole["difference"] == round(found().difference, 3)
    rows = list(csv.DictReader(StringIO(run(*FILES, *WAY, "-f", "csv").out)))
    assert [float(row["after"]) for row in rows] == [step.after for step in found().steps]
    assert [row["changes"] for row in rows] == [step.change_texts for step in found().steps]


def test_signatures(run: Run) -> None:
    way = ("--from", found().a.signature.full(), "--to", str(found().b.signature))
    assert run(*FILES, *way).out == f"{found()}\n"


@pytest.mark.slow
def test_to_a_file_and_from_standard_input(run: Run) -> None:
    assert run(*FILES, *WAY, "-o", "found.txt") == (0, "", "")
    assert Path("found.txt").read_text() == f"{found()}\n"
    piped = run_apart(*FILES[:-1], "-", *WAY, stdin=Path("a.txt").read_bytes())
    assert piped == (0, f"{found()}\n", "")


@pytest.mark.parametrize("threads", ["0", "3"])
def test_threads_change_nothing(run: Run, threads: str) -> None:
    assert run(*FILES, *WAY, "-t", threads) == run(*FILES, *WAY)


MISUSES: dict[str, tuple[tuple[str, ...], int, str]] = {
    "nothing": (("explain",), 2, "no reference; expected a file"),
    "no reference": (("explain", "-i", "a.txt", *WAY), 2, "no reference; expected a file"),
    "a reference behind -i": (
        ("explain", "-i", "a.txt", "ref.txt", *WAY),
        2,
        "no reference: -i took all 2 files as systems",
    ),
    "two systems": ((*FILES, "b.txt", *WAY), 2, "-i took 2 files (a.txt b.txt), but explain takes"),
    "no first": ((*FILES, "--to", "bleu"), 2, "--from is missing: add --segment N"),
    "no second": ((*FILES, "--from", "bleu"), 2, "--to is missing: add --segment N"),
    "an empty name": ((*FILES[:1], "", *FILES[1:], *WAY), 2, "REF got an empty file name"),
    "different metrics": (
        (*FILES, "--from", "bleu", "--to", "chrf"),
        2,
        "BLEU and chrF2 have no step in common",
    ),
    "a misspelt metric": ((*FILES, "--from", "blue", "--to", "bleu"), 2, "did you mean bleu?"),
    "a misspelt option": (
        (*FILES, "--from", "bleu:smoth=exp", "--to", "bleu"),
        2,
        "did you mean smooth?",
    ),
    "half a signature": (
        (*FILES, "--from", "nrefs:1|case:lc", "--to", "bleu"),
        1,
        "the signature has no key ",
    ),
    "a missing file": (("explain", "reff.txt", "-i", "a.txt", *WAY), 1, "no file reff.txt"),
    "an unknown format": ((*FILES, *WAY, "-f", "xml"), 2, "must be one of text, markdown"),
    "too many digits": ((*FILES, *WAY, "-w", "99"), 2, "--width must be from 0 to 17, not 99"),
    "threads": ((*FILES, *WAY, "-t", "-1"), 2, "--threads must be 0"),
    "standard input twice": (("explain", "-", "-i", "-", *WAY), 2, "read only once"),
    "its own input as output": ((*FILES, *WAY, "-o", "a.txt"), 2, "would overwrite"),
    "token ids": ((*FILES, *WAY[:-1], "bleu:tokenize=ids"), 1, "the corpus holds text"),
    "a hypothesis alone": (
        ("explain", "--hypothesis", "a"),
        2,
        "--hypothesis needs --reference: add --reference TEXT",
    ),
    "a reference alone": (
        ("explain", "--reference", "a"),
        2,
        "--reference needs --hypothesis: add --hypothesis TEXT",
    ),
    "a sentence and files": ((*FILES, *SENTENCE[1:]), 2, "--hypothesis and REF exclude each other"),
    "a sentence without quotes": (
        ("explain", "--hypothesis", "a", "b", "--reference", "a"),
        2,
        "put quotes around",
    ),
    "a sentence and a system": ((*SENTENCE, "-i", "a.txt"), 2, "--hypothesis and --input exclude"),
    "a sentence and a segment": (
        (*SENTENCE, "--segment", "1"),
        2,
        "--hypothesis and --segment exclude each other",
    ),
    "a sentence and one setting": ((*SENTENCE, "--from", "bleu"), 2, "--to is missing"),
    "metrics and settings": (
        (*SENTENCE, *WAY, "-m", "bleu"),
        2,
        "--metrics and --from exclude each other",
    ),
    "metrics alone": ((*FILES, "-m", "bleu"), 2, "--metrics needs --segment or --hypothesis"),
    "no text": (("explain", "--hypothesis"), 2, "--hypothesis needs a value"),
    "a sentence and no such metric": ((*SENTENCE, "-m", "blue"), 2, "did you mean bleu?"),
}


@pytest.mark.parametrize("case", MISUSES)
def test_misuse_is_one_sentence(run: Run, case: str) -> None:
    arguments, code, message = MISUSES[case]
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith("bleuet: error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def test_each_segment_is_explained_and_no_other(run: Callable[..., Outcome]) -> None:
    for number, segment in enumerate(zip(SYSTEM_A, REFERENCE, REFERENCE_2, strict=True), 1):
        outcome = run(*FILES, "--segment", str(number), "-m", "chrf", "-f", "json", "-w", "17")
        assert outcome.code == 0, outcome.err
        (score,) = json.loads(outcome.out)
        assert score["score"] == CHRF().sentence_score(segment[0], segment[1:]).score
    for number in (0, len(SYSTEM_A) + 1):
        outcome = run(*FILES, "--segment", str(number), "-m", "chrf")
        assert (outcome.code, outcome.out) == (2, "")
        assert "--segment" in outcome.err


def test_a_sentence_needs_no_file(run: Run) -> None:
    outcome = run(*SENTENCE, "-m", "bleu", "ter")
    assert (outcome.code, outcome.err) == (0, "")
    bleu, ter = outcome.out.split("\nTER = ")
    assert bleu.splitlines()[1:6] == [
        "sentence    words",
        "hypothesis  The cat sat .",
        "reference   The cat sat [-down-] .",
        "missed      down",
        "added       -",
    ]
    assert "p4 = m / 1 = 0.5 / 1" in bleu
    assert "hypothesis  the cat {+sat.+}" in ter
    assert "BLEU of one segment is computed with effective_order=yes" in ter


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv", "json", "jsonl", "html"])
def test_a_sentence_is_explained_as_the_segment_of_a_file(run: Run, format: str) -> None:  # noqa: A002
    settings = ("-m", "bleu", "chrf", "ter", "-f", format)
    Path("one.txt").write_text("The cat sat.\n")
    Path("its.txt").write_text("The cat sat down.\n")
    of_files = run("explain", "its.txt", "-i", "one.txt", "--segment", "1", *settings)
    assert of_files.code == 0
    assert run(*SENTENCE, *settings) == of_files


def test_the_source_of_a_sentence(run: Run) -> None:
    Path("one.txt").write_text("The cat sat.\n")
    Path("its.txt").write_text("The cat sat down.\n")
    Path("source.txt").write_text("The cat perched .\n")
    Path("source.m2").write_text("S The cat perched .\nA -1 -1|||noop|||-NONE-|||R|||-NONE-|||0\n")
    settings = ("-m", "sari", "--source")
    of_files = run("explain", "its.txt", "-i", "one.txt", "--segment", "1", *settings, "source.txt")
    assert of_files.code == 0
    for source in ("source.txt", "source.m2"):
        assert run(*SENTENCE, *settings, source) == of_files
    outcome = run(*SENTENCE, *settings, "ref.txt")
    assert (outcome.code, outcome.out) == (1, "")
    assert "4 sources but references of 1 segment" in outcome.err


def test_the_source_of_a_sentence_is_a_sentence_too(run: Run) -> None:
    Path("source.txt").write_text("The cat perched .\n")
    settings = (*SENTENCE, "-m", "sari", "--source")
    of_a_file = run(*settings, "source.txt")
    assert of_a_file.code == 0
    assert run(*settings, "The cat perched .") == of_a_file
    # One word, and punctuation at its end, is a sentence; a name of a missing file is none.
    for source in ("Perched", "Perched."):
        assert run(*settings, source).code == 0
    for file in ("sorce.txt", "folder/source", "source.tsv:2"):
        assert "there is no f" in run(*settings, file).err, file


def test_several_references_of_a_sentence(run: Run) -> None:
    several = run(*SENTENCE, "A cat sat.", "--reference", "Sat the cat.", "-f", "json")
    (score,) = json.loads(several.out)
    references = ["The cat sat down.", "A cat sat.", "Sat the cat."]
    metric = BLEU(effective_order=True)
    assert score["score"] == metric.sentence_score("The cat sat.", references).score
    assert score["missed"] == [
        {"reference_number": 0, "words": ["down"]},
        {"reference_number": 1, "words": ["A"]},
        {"reference_number": 2, "words": ["Sat", "the"]},
    ]
    assert score["added"] == []


def test_a_short_sentence_has_the_effective_order(run: Run) -> None:
    text = "Good morning."
    outcome = run("explain", "--hypothesis", text, "--reference", text)
    assert outcome.out.startswith("BLEU = 100.00 ")
    assert "the hypothesis has no 4-grams" in outcome.out
    whole = run(
        "explain", "--hypothesis", text, "--reference", text, "-m", "bleu:effective_order=no"
    )
    assert whole.out.startswith("BLEU = 0.00 ")
    assert "of one segment is computed with" not in whole.out


def test_words_are_compared_where_no_metric_marks_them(run: Run) -> None:
    outcome = run(*SENTENCE, "-m", "chrf")
    assert outcome.out.startswith("Words between spaces\n")
    assert "reference   The cat [-sat down.-]\n" in outcome.out


def test_settings_of_a_sentence(run: Run) -> None:
    outcome = run(*SENTENCE, *WAY, "-f", "json")
    expected = explain(
        BLEU(), MeanBLEU(lowercase=True), ["The cat sat."], ["The cat sat down."]
    ).to_dict()
    assert json.loads(outcome.out) == json.loads(json.dumps(expected))
