"""`bleuet meta`: the numbers are those of its parts, and each error is one line."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import BLEU, CHRF, TER
from bleuet.cli.meta import COMMAND
from bleuet.meta_evaluation import (
    STATISTICS,
    AgreementSettings,
    PairwiseJudgments,
    ScoreMatrix,
    agreement,
    compare_metrics,
)
from tests.cli.conftest import Outcome
from tests.corpora import write_lines
from tests.evaluation_data import REPOSITORY
from tests.meta_evaluation.test_mt_metrics_eval import make_tree
from tests.output.documents import without_bold
from tests.report.specifications import values_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Run = Callable[..., Outcome]

WORDS = [
    "the",
    "cat",
    "sat",
    "down",
    "on",
    "an",
    "old",
    "mat",
    "while",
    "rain",
    "fell",
    "over",
    "a",
    "quiet",
    "town",
    "by",
    "the",
    "river",
]
NAMES = ("north", "south", "east", "west")
SEGMENTS = 24
TEXTS = ("ref.txt", "-i", *(f"{name}.en.txt" for name in NAMES))


@pytest.fixture
def human(folder: Path) -> ScoreMatrix:
    """Files of four systems, each worse than the last, and human scores that count their errors."""
    chance = random.Random(8)
    references = [" ".join(chance.choices(WORDS, k=9)) for _ in range(SEGMENTS)]
    write_lines(folder / "ref.txt", references)
    errors = np.zeros((len(NAMES), SEGMENTS))
    rows = []
    for s, name in enumerate(NAMES):
        outputs = []
        for i, reference in enumerate(references):
            words = reference.split()
            for at in range(len(words)):
                if chance.random() < 0.15 * (s + 1):
                    words[at] = chance.choice(WORDS)
                    errors[s, i] += 1
            outputs.append(" ".join(words))
            rows.append((str(i), name, str(-errors[s, i])))
        write_lines(folder / f"{name}.en.txt", outputs)
    write_table("human.tsv", "segment system score", rows)
    return ScoreMatrix(NAMES, -errors)


def write_table(name: str, header: str, rows: Sequence[tuple[str, ...]]) -> None:
    write_lines(Path(name), ["\t".join(header.split()), *("\t".join(row) for row in rows)])


def lines_of(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").splitlines()


def scores_of(metric: Any, *, whole: bool) -> ScoreMatrix:
    sign = 1 if metric.higher_is_better else -1
    references = lines_of("ref.txt")
    rows = []
    for name in NAMES:
        outputs = lines_of(f"{name}.en.txt")
        if whole:
            rows.append([sign * metric.corpus_score(outputs, references).score])
        else:
            rows.append([sign * x for x in metric.sentence_scores(outputs, references).values])
    return ScoreMatrix(NAMES, np.array(rows))


def records(outcome: Outcome) -> dict[tuple[str, str], dict[str, Any]]:
    assert (outcome.code, outcome.err) == (0, "")
    listed = json.loads(outcome.out)["agreement"]
    return {(one["metric"], one["statistic"]): one for one in listed}


def test_numbers_are_those_of_metric_and_statistic(run: Run, human: ScoreMatrix) -> None:
    found = records(
        run(
            "meta", *TEXTS, "-m", "bleu", "bleu:smooth=floor,max_ngram_order=2", "ter", "chrf++",
            "--human", "human.tsv", "-f", "json", "--statistic", *STATISTICS,
        )
    )  # fmt: skip
    metrics = {
        "BLEU": (BLEU(effective_order=True), BLEU()),
        "BLEU smooth=floor,max_ngram_order=2": (
            BLEU(smooth="floor", max_ngram_order=2, effective_order=True),
            BLEU(smooth="floor", max_ngram_order=2),
        ),
        "TER": (TER(), TER()),
        "chrF2++": (CHRF(word_order=2), CHRF(word_order=2)),
    }
    assert len(found) == len(metrics) * len(STATISTICS)
    for name, (of_segments, of_systems) in metrics.items():
        for statistic, entry in STATISTICS.items():
            metric = of_segments if entry.needs_segments else of_systems
            scores = scores_of(metric, whole=not entry.needs_segments)
            expected = agreement(statistic, human, scores)
            assert found[name, statistic]["value"] == expected.value
            assert found[name, statistic]["signature"] == str(metric.signature())


@pytest.mark.slow
def test_best_first_with_intervals_and_ranks(run: Run, human: ScoreMatrix) -> None:
    arguments = (
        "meta", *TEXTS, "-m", "ter", "bleu", "chrf", "--human", "human.tsv", "--statistic", "tau-b",
        "--grouping", "none", "--confidence", "--draws", "60", "--seed", "4", "--test",
    )  # fmt: skip
    found = records(run(*arguments, "-f", "json"))
    listed = [one["value"] for one in found.values()]
    assert listed == sorted(listed, reverse=True)
    for metric, name in ((BLEU(effective_order=True), "BLEU"), (CHRF(), "chrF2"), (TER(), "TER")):
        expected = agreement(
            "tau-b",
            human,
            scores_of(metric, whole=False),
            AgreementSettings(grouping="none", draws=60, seed=4),
        )
        one = found[name, "tau-b"]
        assert (one["low"], one["high"]) == (expected.low, expected.high)
        assert one["grouping"] == "none"
        assert one["rank"] >= 1
    text = run(*arguments)
    header, *rows = text.out.splitlines()
    assert header.split() == ["metric", "tau-b", "rank", "p"]
    (best, _), *_ = found
    assert rows[0].split()[0] == best
    for row in rows[:3]:
        name, value, low, high, *_ = (
            row.replace("[", " ").replace("]", " ").replace(",", " ").split()
        )
        one = found[name, "tau-b"]
        assert value == f"{one['value']:.3f}"
        assert (low, high) == (f"{one['low']:.3f}", f"{one['high']:.3f}")
    assert "4 systems, 24 segments, 96 human scores" in text.out
    assert "brackets: 95% confidence intervals from 60 bootstrap draws of segments" in text.out


@pytest.mark.usefixtures("human")
def test_judgments_and_rankings(run: Run) -> None:
    pairs = [(3, "north", "east"), (4, "south", "north"), (4, "south", "west"), (5, "north", "oak")]
    write_table("pairs.tsv", "segment better worse", [tuple(map(str, row)) for row in pairs])
    ranks = [(3, 1, "north", "east", "oak", 1, 2, 1), (7, 1, "south", "west", "east", 2, 2, -1)]
    header = "segment judge system1 system2 system3 rank1 rank2 rank3"
    write_table("ranks.tsv", header, [tuple(map(str, row)) for row in ranks])
    scores = scores_of(CHRF(), whole=False)
    text = run("meta", *TEXTS, "-m", "chrf", "--human", "pairs.tsv")
    judged = PairwiseJudgments.from_better_worse(pairs[:3], SEGMENTS, systems=NAMES)
    expected = agreement("tau", judged, scores).value
    assert text.out.splitlines()[1].split() == ["chrF2", f"{expected:.3f}"]
    assert "left out: oak, without metric scores" in text.out
    assert "left out: 1 judgment of other systems" in text.out
    text = run("meta", *TEXTS, "-m", "chrf", "--human", "ranks.tsv", "-w", "4")
    judged = PairwiseJudgments.from_rankings(
        [(3, ["north", "east"], [1, 2]), (7, ["south", "west", "east"], [2, 2, -1])],
        SEGMENTS,
        systems=NAMES,
    )
    assert text.out.splitlines()[1].split() == [
        "chrF2",
        f"{agreement('tau', judged, scores).value:.5f}",
    ]
    assert "left out: 2 pairs with a missing rank" in text.out
    assert "left out: 2 judgments of other systems" in text.out
    assert "tau: 1 tied pair left out" in text.out


def write_metric(name: str, scores: ScoreMatrix, skip: tuple[tuple[int, str], ...] = ()) -> None:
    rows = [
        (str(i), system, repr(float(value)))
        for system, row in zip(scores.systems, scores.values, strict=True)
        for i, value in enumerate(row)
        if (i, system) not in skip
    ]
    write_table(name, "segment system score", rows)


def test_external_scores_are_compared_with_computed_ones(run: Run, human: ScoreMatrix) -> None:
    chrf = scores_of(CHRF(), whole=False)
    write_metric("chrf.tsv", chrf)
    rates = ScoreMatrix(NAMES, -chrf.values)
    write_metric("rates.tsv", rates)
    arguments = ("--human", "human.tsv", "--statistic", "tau", "acc-eq", "spa", "-f", "json")
    stored = ("--scores", "mine=chrf.tsv", "rate=rates.tsv", "--lower-is-better", "rate")
    found = records(run("meta", *TEXTS, "-m", "chrf", *stored, *arguments))
    alone = records(run("meta", *stored, *arguments))
    for statistic in ("tau", "acc-eq", "spa"):
        value = agreement(statistic, human, chrf).value
        for name in ("chrF2", "mine", "rate"):
            assert found[name, statistic]["value"] == pytest.approx(value, abs=1e-12)
        assert alone["mine", statistic]["value"] == found["mine", statistic]["value"]


def test_external_scores_with_a_file_for_each_system(run: Run, human: ScoreMatrix) -> None:
    """The files have the order of -i, where a system without human scores has a file too."""
    values = scores_of(CHRF(), whole=False).values.copy()
    values[0, 1] = np.nan
    systems = dict(zip(NAMES, values, strict=True))
    systems = {"oak": np.zeros(SEGMENTS), **systems}
    for name, scores in systems.items():
        lines = ["" if np.isnan(score) else repr(float(-score)) for score in scores]
        write_lines(Path(f"{name}.rate"), lines)
    shutil.copy("ref.txt", "oak.en.txt")
    outcome = run(
        "meta", "ref.txt", "-i", *(f"{name}.en.txt" for name in systems), "-m", "ter",
        "--scores", f"rate={','.join(f'{name}.rate' for name in systems)}",
        "--lower-is-better", "rate", "--human", "human.tsv", "--statistic", "tau-a", "-f", "json",
    )  # fmt: skip
    kept = ScoreMatrix(NAMES, np.where(np.isnan(values), np.nan, human.values))
    expected = agreement("tau-a", kept, ScoreMatrix(NAMES, values))
    assert records(outcome)["rate", "tau-a"]["value"] == pytest.approx(expected.value, abs=1e-12)
    notes = json.loads(outcome.out)["notes"]
    assert "left out: oak.en.txt, without human scores" in notes
    assert "left out: 1 human scores where a metric has no score" in notes


def test_segments_without_external_scores_are_left_out_for_all(
    run: Run, human: ScoreMatrix
) -> None:
    chrf = scores_of(CHRF(), whole=False)
    write_metric("chrf.tsv", chrf, skip=((0, "north"), (2, "west")))
    outcome = run(
        "meta", *TEXTS, "-m", "ter", "--scores", "mine=chrf.tsv", "--human", "human.tsv", "-f",
        "json", "--statistic", "pearson",
    )  # fmt: skip
    there = np.ones((4, SEGMENTS), dtype=bool)
    there[0, 0] = there[3, 2] = False
    kept = ScoreMatrix(NAMES, np.where(there, human.values, np.nan))
    expected = agreement("pearson", kept, scores_of(TER(), whole=False))
    assert records(outcome)["TER", "pearson"]["value"] == pytest.approx(expected.value, abs=1e-12)
    notes = json.loads(outcome.out)["notes"]
    assert any(
        note.startswith("left out: 2 human scores where a metric has no score") for note in notes
    )
    quiet = run(
        "meta",
        "--scores",
        "mine=chrf.tsv",
        "--human",
        "human.tsv",
        "-f",
        "csv",
        "--level",
        "system",
    )
    assert "warning: left out: 2 human scores" in quiet.err


@pytest.mark.usefixtures("human")
def test_systems_are_named_left_out_and_matched(run: Run) -> None:
    shutil.move("west.en.txt", "outputs.txt")
    shutil.copy("ref.txt", "unknown.txt")
    given = ("ref.txt", "-i", "north.en.txt", "south.en.txt", "east.en.txt")
    out = run("meta", *given, "west=outputs.txt", "unknown.txt", "--human", "human.tsv").out
    assert "4 systems, " in out
    assert "left out: unknown.txt, without human scores" in out
    outcome = run("meta", *given, "outputs.txt", "--human", "human.tsv")
    assert outcome.code == 1
    assert "no system outputs.txt; systems without a file are west" in outcome.err
    out = run("meta", *given, "west=outputs.txt", "--human", "human.tsv", "--leave-out", "east").out
    assert "3 systems, " in out
    assert "left out: east, without metric scores" in out


@pytest.mark.usefixtures("human")
def test_several_raters_are_averaged(run: Run) -> None:
    rows = lines_of("human.tsv")
    write_lines(Path("twice.tsv"), [*rows, rows[1]])
    rejected = run("meta", *TEXTS, "--human", "twice.tsv")
    assert rejected.code == 1
    assert "twice.tsv:98 repeats the score of north for the same segment in row 2" in rejected.err
    assert run("meta", *TEXTS, "--human", "twice.tsv", "--average").code == 0


@pytest.mark.usefixtures("human")
def test_segments_from_1(run: Run) -> None:
    header, *rows = lines_of("human.tsv")
    shifted = [f"{int(row.split()[0]) + 1}\t" + row.partition("\t")[2] for row in rows]
    write_lines(Path("one.tsv"), [header, *shifted])
    rejected = run("meta", *TEXTS, "--human", "one.tsv")
    assert rejected.code == 1
    assert "one.tsv:25 has a segment beyond the last" in rejected.err
    same = run("meta", *TEXTS, "--human", "human.tsv")
    assert run("meta", *TEXTS, "--human", "one.tsv", "--first-segment", "1").out == same.out


# --- Sentinels ------------------------------------------------------------------------------------


def test_sentinels_are_lengths_of_the_files(run: Run, human: ScoreMatrix) -> None:
    base = ("meta", *TEXTS, "-m", "bleu", "--human", "human.tsv", "--scores", "own=human.tsv")
    base += ("--statistic", "tau-b", "pearson", "-f", "json")
    outcome = run(*base, "--sentinels")
    found = records(outcome)
    lengths = [[len(line) for line in lines_of(f"{name}.en.txt")] for name in NAMES]
    of_references = [[len(line) for line in lines_of("ref.txt")]] * len(NAMES)
    for text, values in (("hypothesis", lengths), ("reference", of_references)):
        for word, sign in (("short", -1), ("long", 1)):
            matrix = ScoreMatrix(NAMES, sign * np.array(values, dtype=float))
            one = found[f"sentinel-{word}-{text}", "pearson"]
            assert one["value"] == agreement("pearson", human, matrix).value
            assert one["signature"] is None
    assert found["sentinel-long-reference", "tau-b"]["value"] is None
    without = records(run(*base))
    assert without == {key: one for key, one in found.items() if "sentinel" not in key[0]}
    assert "undefined for sentinel-" in outcome.out


def test_sentinels_of_a_test_set(run: Run, folder: Path) -> None:
    make_tree(folder / "wmt99")
    base = ("meta", "refA", "refB", "--mt-metrics-eval", "wmt99", "-l", "en-de", "--sentinels")
    found = records(run(*base, "-f", "json", "--statistic", "pearson"))
    stored = {"MIX-refA.refB", "EVERY-all", "QE-src"}
    assert {name for name, _ in found if not name.startswith("sentinel-")} == stored
    systems = ("south", "north", "east")
    human = ScoreMatrix(systems, np.array([[-1, np.nan, -5], [0, -1.5, 0], [-9, -4, -25]]))
    # The means of "eins" and "ein", "zwei Katzen" and "zwo Katzen", ...
    lengths = ScoreMatrix(systems, np.array([[3.5, 10.5, 12.5]] * 3))
    expected = agreement("pearson", human, lengths).value
    assert found["sentinel-long-reference", "pearson"]["value"] == pytest.approx(expected)


# --- mt-metrics-eval ------------------------------------------------------------------------------


def test_a_test_set_in_the_layout_of_mt_metrics_eval(run: Run, folder: Path) -> None:
    make_tree(folder / "wmt99")
    base = ("meta", "refA", "--mt-metrics-eval", "wmt99", "-l", "en-de")
    outcome = run(*base, "-f", "json", "-m", "chrf", "--statistic", "pearson", "system-pearson")
    found = records(outcome)
    assert {metric for metric, _ in found} == {"chrF2", "COMET-22-refA", "QE-src"}
    systems = ("south", "north", "refB", "east")
    human = ScoreMatrix(
        systems, np.array([[-1, np.nan, -5], [0, -1.5, 0], [0, 0, 0], [-9, -4, -25]])
    )
    texts = [lines_of(f"wmt99/system-outputs/en-de/{name}.txt") for name in systems]
    references = lines_of("wmt99/references/en-de.refA.txt")
    chrf = [CHRF().sentence_scores(outputs, references).values for outputs in texts]
    expected = agreement("pearson", human, ScoreMatrix(systems, np.array(chrf)))
    assert found["chrF2", "pearson"]["value"] == pytest.approx(expected.value, abs=1e-12)
    gold = ScoreMatrix(systems, np.array([[-3], [-0.5], [0], [-12]]))
    # The second segment of south has no human score.
    rated = [[0, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
    for option, coverage in (((), "rated"), (("--all-segments",), "all")):
        whole = []
        for outputs, rows in zip(texts, rated, strict=True):
            kept = [0, 1, 2] if option else rows
            own = [outputs[i] for i in kept], [references[i] for i in kept]
            whole.append([CHRF().corpus_score(*own).score])
        expected = agreement("system-pearson", gold, ScoreMatrix(systems, np.array(whole)))
        outcome = run(*base, "-f", "json", "-m", "chrf", "--statistic", "system-pearson", *option)
        one = records(outcome)["chrF2", "system-pearson"]
        assert one["value"] == pytest.approx(expected.value, abs=1e-12)
        assert one["coverage"] == coverage
        segments = json.loads(outcome.out)["segments"]
        assert segments == {"all": 3, "rated_min": 2, "rated_max": 3}


def test_stored_metrics_of_a_test_set(run: Run, folder: Path) -> None:
    make_tree(folder / "wmt99")
    base = ("meta", "refA", "--mt-metrics-eval", "wmt99", "-l", "en-de")
    everything = run(*base, "--leave-out", "refB")
    assert everything.code == 0
    rows = everything.out.split("\n\n")[0].splitlines()
    assert {row.split()[0] for row in rows[1:]} == {"COMET-22-refA", "QE-src", "BLEU-refA"}
    assert "references: refA" in everything.out
    assert "left out: refA, refB" in everything.out
    # BLEU has no score of refB, so it is left out where refB is used.
    assert "left out: BLEU-refA, which lack scores of systems" in run(*base).out
    some = run(*base, "--stored", "COMET-22")
    assert [row.split()[0] for row in some.out.split("\n\n")[0].splitlines()[1:]] == [
        "COMET-22-refA"
    ]
    z_scores = run(*base, "--human-name", "wmt-z", "-f", "json")
    assert {one["statistic"] for one in json.loads(z_scores.out)["agreement"]} == {
        "system-pearson",
        "system-accuracy",
    }


@pytest.mark.slow
@pytest.mark.usefixtures("human")
def test_the_seed_of_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("meta", *TEXTS, "--human", "human.tsv", "--statistic", "pearson", "--confidence")
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    seven = run(*arguments).out
    assert run(*arguments, "--seed", "7").out == seven
    monkeypatch.delenv("SACREBLEU_SEED")
    assert run(*arguments).out == run(*arguments, "--seed", "12345").out != seven
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert len({run(*arguments, "-f", "csv").out for _ in range(3)}) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("human")
def test_intervals_have_1000_draws_and_a_level(run: Run) -> None:
    arguments = ("meta", *TEXTS, "--human", "human.tsv", "--statistic", "pearson", "-f", "json")
    default = records(run(*arguments, "--confidence"))["BLEU", "pearson"]
    same = records(run(*arguments, "--confidence", "0.95", "--draws", "1000"))["BLEU", "pearson"]
    narrow = records(run(*arguments, "--confidence", "0.5"))["BLEU", "pearson"]
    assert default == same
    assert default["low"] < narrow["low"] < narrow["high"] < default["high"]
    assert records(run(*arguments))["BLEU", "pearson"]["low"] is None


# --- Formats and pictures -------------------------------------------------------------------------


@pytest.mark.usefixtures("human")
def test_every_format_has_the_same_numbers(run: Run) -> None:
    arguments = ("meta", *TEXTS, "-m", "bleu", "ter", "--human", "human.tsv", "--statistic", "tau")
    found = records(run(*arguments, "-f", "json"))
    listed = list(csv.DictReader(io.StringIO(run(*arguments, "-f", "csv").out)))
    assert [(one["metric"], float(one["value"])) for one in listed] == [
        (one["metric"], one["value"]) for one in found.values()
    ]
    assert listed[0].keys() == next(iter(found.values())).keys()
    for format_, row in (("markdown", "| {} | {:.3f} |"), ("latex", "{} & {:.3f} \\\\")):
        out = without_bold(run(*arguments, "-f", format_).out)
        for (name, _), one in found.items():
            assert row.format(name, one["value"]) in out
            assert one["signature"] in out
    run(*arguments, "-o", "board.txt")
    assert Path("board.txt").read_text(encoding="utf-8") == run(*arguments).out


def test_systems_are_compared_on_their_rated_segments(run: Run, human: ScoreMatrix) -> None:
    """A third of the segments has human scores; corpus BLEU is that of these segments."""
    header, *rows = lines_of("human.tsv")
    rated = list(range(0, SEGMENTS, 3))
    kept = [row for row in rows if int(row.split("\t")[0]) in rated]
    write_lines(Path("part.tsv"), [header, *kept])
    base = ("meta", *TEXTS, "--human", "part.tsv", "--statistic", "system-pearson")
    references = lines_of("ref.txt")
    some, whole = [], []
    for name in NAMES:
        outputs = lines_of(f"{name}.en.txt")
        texts = [outputs[i] for i in rated], [references[i] for i in rated]
        some.append([BLEU().corpus_score(*texts).score])
        whole.append([BLEU().corpus_score(outputs, references).score])
    means = ScoreMatrix(NAMES, human.values[:, rated].mean(axis=1, keepdims=True))
    for option, scores, note in (
        ((), some, "8 of 24 segments; scores of systems cover the same segments"),
        (
            ("--all-segments",),
            whole,
            "8 of 24 segments; the metrics' scores of systems cover all segments",
        ),
    ):
        outcome = run(*base, *option, "-f", "json")
        expected = agreement("system-pearson", means, ScoreMatrix(NAMES, np.array(scores)))
        found = records(outcome)["BLEU", "system-pearson"]["value"]
        assert found == pytest.approx(expected.value, abs=1e-12)
        assert f"human scores: {note}" in json.loads(outcome.out)["notes"]
        assert f"human scores: {note}" in run(*base, *option).out


@pytest.mark.usefixtures("human")
def test_json_is_as_documented(run: Run) -> None:
    guide = REPOSITORY / "docs" / "meta-evaluation.md"
    text = guide.read_text(encoding="utf-8")
    section = text[text.index("`csv`, `json` and `jsonl` have one record") :]
    of_record, of_object = section.split("\n\n")[:2]
    fields = re.findall(r"`([a-z_]+)`", of_record.partition(":")[2].partition("A field")[0])
    base = ("meta", *TEXTS, "-m", "bleu", "ter", "--human", "human.tsv", "--test", "--draws", "9")
    found = json.loads(run(*base, "-f", "json").out)
    assert all(f"`{name}`" in of_object for name in found)
    assert all(f"`{name}`" in of_object for name in found["segments"])
    assert list(found) == ["notes", "segments", "agreement", "raters", "systems"]
    assert [list(one) for one in found["agreement"]] == [fields] * len(found["agreement"])
    assert run(*base, "-f", "csv").out.splitlines()[0].split(",") == fields
    listed = [json.loads(line) for line in run(*base, "-f", "jsonl").out.splitlines()]
    assert listed == found["agreement"]


def test_options_of_statistics_reach_them(run: Run, human: ScoreMatrix) -> None:
    scores = scores_of(BLEU(effective_order=True), whole=False)
    cases: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
        ("tau", ("--margin", "2"), {"margin": 2.0}),
        ("tau-b", ("--undefined-as-zero",), {"undefined_as_zero": True}),
        ("acc-eq", ("--held-out-epsilon",), {"held_out_epsilon": True}),
        ("pairwise-pearson", (), {}),
    ]
    for statistic, options, settings in cases:
        found = records(
            run("meta", *TEXTS, "--human", "human.tsv", "--statistic", statistic, *options,
                "-f", "json")
        )  # fmt: skip
        expected = agreement(statistic, human, scores, AgreementSettings(**settings))
        one = found["BLEU", statistic]
        assert one["value"] == pytest.approx(expected.value, abs=1e-12)
        assert (one["used"], one["left_out"]) == (expected.used, expected.left_out)


def test_documents_are_drawn_and_exchanged_whole(run: Run, human: ScoreMatrix) -> None:
    documents = [f"text {segment // 4}" for segment in range(SEGMENTS)]
    write_lines(Path("documents.txt"), documents)
    base = (
        "meta", *TEXTS, "-m", "bleu", "ter", "--human", "human.tsv", "--statistic", "tau-b",
        "--documents", "documents.txt", "--draws", "50", "--seed", "4",
    )  # fmt: skip
    outcome = run(*base, "--confidence", "--test", "-f", "json")
    found = records(outcome)
    (best, _), (worse, _) = found
    metrics = {"BLEU": BLEU(effective_order=True), "TER": TER()}
    scores = {name: scores_of(metric, whole=False) for name, metric in metrics.items()}
    expected = agreement(
        "tau-b", human, scores["BLEU"], AgreementSettings(draws=50, seed=4, documents=documents)
    )
    assert found["BLEU", "tau-b"]["low"] == pytest.approx(expected.low, abs=1e-12)
    test = compare_metrics(
        "tau-b",
        human,
        scores[worse],
        scores[best],
        AgreementSettings(trials=50, seed=4, documents=documents),
    )
    assert found[worse, "tau-b"]["p_value"] == test.p_value
    notes = " ".join(json.loads(outcome.out)["notes"])
    assert "50 bootstrap draws of 6 documents" in notes
    assert "perm-both, 6 documents exchanged whole" in notes
    assert "6 documents are too few for a bootstrap, whose intervals are too narrow" in notes
    write_lines(Path("documents.txt"), documents[1:])
    outcome = run(*base, "--confidence")
    assert outcome.code == 1
    assert "23 documents for 24 segments" in outcome.err


def test_a_test_set_has_its_own_documents(run: Run, folder: Path) -> None:
    make_tree(folder / "wmt99")
    base = (
        "meta", "refA", "--mt-metrics-eval", "wmt99", "-l", "en-de", "--stored", "QE-src",
        "--statistic", "pearson", "--confidence", "--draws", "20",
    )  # fmt: skip
    assert "20 bootstrap draws of 2 documents" in run(*base).out
    write_lines(Path("own.txt"), ["1", "2", "3"])
    assert "20 bootstrap draws of 3 documents" in run(*base, "--documents", "own.txt").out
    (folder / "wmt99/documents/en-de.docs").unlink()
    assert "20 bootstrap draws of segments" in run(*base).out


@pytest.mark.usefixtures("human")
def test_p_values_of_several_metrics_can_be_corrected(run: Run) -> None:
    base = (
        "meta", *TEXTS, "-m", "bleu", "chrf", "ter", "--human", "human.tsv", "--statistic",
        "acc-eq", "--test", "perm-pairs", "-f", "json",
    )  # fmt: skip
    plain, corrected = (run(*base, *option) for option in ((), ("--correction", "bonferroni")))
    raw, multiplied = (
        [one["p_value"] for one in records(outcome).values()] for outcome in (plain, corrected)
    )
    assert multiplied == [None if p is None else min(1.0, 3 * p) for p in raw]
    notes = " ".join(json.loads(plain.out)["notes"])
    assert "p-values are not corrected for the 3 pairs of metrics: of 3 equal metrics" in notes
    assert "perm-pairs takes the pairs of a segment as independent" in notes


@pytest.mark.usefixtures("human")
def test_files_with_the_same_first_part_are_named_in_the_hint(run: Run) -> None:
    for name in NAMES:
        shutil.move(f"{name}.en.txt", f"sys.{name}")
    files = [f"sys.{name}" for name in NAMES]
    outcome = run("meta", "ref.txt", "-i", *files, "--human", "human.tsv")
    assert outcome.code == 1
    meant = " ".join(f"{name}=sys.{name}" for name in NAMES)
    assert f"as in -i {meant}, or use --leave-out {' '.join(files)}" in outcome.err
    named = [f"{name}=sys.{name}" for name in NAMES]
    assert run("meta", "ref.txt", "-i", *named, "--human", "human.tsv").code == 0


@pytest.mark.usefixtures("human")
def test_pictures(run: Run) -> None:
    arguments = (
        "meta",
        *TEXTS,
        "-m",
        "bleu",
        "ter",
        "--human",
        "human.tsv",
        "--confidence",
        "--draws",
        "20",
    )
    drawn = ("--picture", "bars.json", "--scatter", "dots.json", "--theme", "dark")
    outcome = run(*arguments, "--statistic", "tau", *drawn)
    assert outcome.out == run(*arguments, "--statistic", "tau").out
    values = values_in(json.loads(Path("bars.json").read_bytes()))
    assert {row["metric"] for row in values} == {"BLEU", "TER"}
    assert all(row["low"] <= row["value"] <= row["high"] for row in values)
    dots = Path("dots.json").read_text(encoding="utf-8")
    assert "4 systems, r = 0.9" in dots  # BLEU
    assert "4 systems, r = -0.9" in dots  # an error rate is not negated here


@pytest.mark.usefixtures("human")
def test_a_missing_library_is_named_before_anything_is_done(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    for module in [name for name in sys.modules if name.startswith("bleuet.report.")]:
        monkeypatch.delitem(sys.modules, module)
    arguments = ("meta", *TEXTS, "--human", "human.tsv", "--statistic", "tau")
    outcome = run(*arguments, "--picture", "a.png")
    assert (outcome.code, outcome.out) == (1, "")
    assert "pip install 'bleuet[report]'" in outcome.err
    assert run(*arguments).code == 0


def test_every_option_is_in_the_guide() -> None:
    guide = REPOSITORY / "docs" / "meta-evaluation.md"
    text = guide.read_text(encoding="utf-8")
    flags = [flag.name for flag in COMMAND.flags if flag.name.startswith("--")]
    assert [flag for flag in flags if f"`{flag}" not in text] == []


# --- Misuse ---------------------------------------------------------------------------------------

HUMAN = ("--human", "human.tsv")
MISUSES: dict[str, tuple[tuple[str, ...], int, tuple[str, ...]]] = {
    "no human scores": (TEXTS, 2, ("no human scores", "add --human")),
    "nothing at all": ((), 2, ("add --human",)),
    "a correction without a test": (
        (*TEXTS, *HUMAN, "--correction", "holm"),
        2,
        ("--correction needs --test or --rank-systems: add one of them",),
    ),
    "sentinels without texts": (
        (*HUMAN, "--scores", "x=human.tsv", "--sentinels"),
        2,
        ("--sentinels needs --input or --mt-metrics-eval (sentinels are the lengths of texts)",),
    ),
    "z-scores without raters": (
        (*TEXTS, *HUMAN, "--rater-scores", "z"),
        2,
        ("--rater-scores z needs scores of segments by rater: add a column rater",),
    ),
    "scores of raters of no kind": (
        (*TEXTS, *HUMAN, "--rater-scores", "zz"),
        2,
        ("--rater-scores must be one of raw, z, not 'zz'",),
    ),
    "a statistic without a metric": (
        (*HUMAN, "--rank-systems", "--statistic", "tau"),
        2,
        ("--statistic needs a metric: add -i, or --scores NAME=FILE",),
    ),
    "documents that nothing draws": (
        (*TEXTS, *HUMAN, "--documents", "human.tsv:system"),
        2,
        ("--documents needs --confidence or --test or --rank-systems: add one of them",),
    ),
    "a held-out epsilon of all pairs": (
        (*TEXTS, *HUMAN, "--statistic", "acc-eq", "--grouping", "none", "--held-out-epsilon"),
        2,
        ("needs the grouping item, not 'none'",),
    ),
    "a test of another statistic": (
        (*TEXTS, *HUMAN, "--statistic", "tau", "--test", "perm-pairs"),
        2,
        ("the test perm-pairs needs the statistic acc-eq, which is not among tau",),
    ),
    "no systems": (("ref.txt", *HUMAN), 2, ("no systems; name a file of hypotheses", "-i")),
    "no references": (("-i", "north.en.txt", *HUMAN), 2, ("no reference", "REF -i north.en.txt")),
    "no metric": (HUMAN, 2, ("no metric; expected", "--scores NAME=FILE")),
    "a metric without texts": ((*HUMAN, "-m", "bleu"), 2, ("-m bleu needs texts",)),
    "an empty name": (("", "-i", "a.txt", *HUMAN), 2, ("shell variable empty?",)),
    "one system": (
        ("ref.txt", "-i", "north.en.txt", *HUMAN),
        1,
        ("two systems or more must have both human scores and a file",),
    ),
    "a missing file": ((*TEXTS, "--human", "humn.tsv"), 1, ("no file humn.tsv", "human.tsv")),
    "an unknown column": (
        (*TEXTS, "--human", "human.tsv:mqm"),
        1,
        ("human.tsv has no column mqm",),
    ),
    "no table": ((*TEXTS, "--human", "ref.txt"), 1, ("ref.txt has no column", "expected segment")),
    "an unknown system": (
        ("ref.txt", "-i", "north.en.txt", "wset.en.txt", *HUMAN),
        1,
        ("no system wset.en.txt (did you mean west?)", "without a file are south, east, west"),
    ),
    "a misspelt metric": ((*TEXTS, *HUMAN, "-m", "blue"), 2, ("mean bleu?", "bleu:lowercase")),
    "a misspelt option": ((*TEXTS, *HUMAN, "-m", "bleu:smoth=exp"), 2, ("did you mean smooth?",)),
    "a metric twice": ((*TEXTS, *HUMAN, "-m", "ter", "TER"), 2, ("the metric TER occurs twice",)),
    "one name for two": (
        (*TEXTS, *HUMAN, "-m", "chrf", "--scores", "chrF2=human.tsv"),
        2,
        ("two metrics are called chrF2: choose another name for the external scores",),
    ),
    "a metric's name": (
        (*TEXTS, *HUMAN, "--scores", "TER=human.tsv"),
        2,
        ("must not be that of a metric, such as TER",),
    ),
    "a misspelt statistic": (
        (*TEXTS, *HUMAN, "--statistic", "tua"),
        2,
        ("did you mean tau or tau-a?",),
    ),
    "a statistic twice": (
        (*TEXTS, *HUMAN, "--statistic", "spa", "spa"),
        2,
        ("the statistic spa occurs twice",),
    ),
    "statistic and level": (
        (*TEXTS, *HUMAN, "--statistic", "spa", "--level", "system"),
        2,
        ("exclude each other",),
    ),
    "a level that is none": ((*TEXTS, *HUMAN, "--level", "document"), 2, ("segment, system",)),
    "a grouping that is none": ((*TEXTS, *HUMAN, "--grouping", "items"), 2, ("mean item?",)),
    "a test that is none": ((*TEXTS, *HUMAN, "--test", "wiliams"), 2, ("did you mean williams?",)),
    "williams without its statistic": (
        (*TEXTS, *HUMAN, "--test", "williams", "--statistic", "tau", "spa"),
        2,
        ("needs the statistic system-pearson, which is not among tau, spa", "perm-both"),
    ),
    "draws of nothing": (
        (*TEXTS, *HUMAN, "--draws", "9"),
        2,
        ("--draws needs --confidence or --test: add one of them",),
    ),
    "draws of no interval": (
        (*TEXTS, *HUMAN, "--resample", "systems"),
        2,
        ("--resample needs --confidence: add --confidence",),
    ),
    "a theme of no picture": (
        (*TEXTS, *HUMAN, "--theme", "dark"),
        2,
        ("--theme needs --picture or --scatter",),
    ),
    "no draws": ((*TEXTS, *HUMAN, "--draws", "0"), 2, ("--draws must be 2 or more, not 0",)),
    "full confidence": ((*TEXTS, *HUMAN, "--confidence", "1"), 2, ("between 0 and 1", "not 1")),
    "scores without a name": (
        (*HUMAN, "--scores", "a.tsv"),
        2,
        ("--scores must be NAME=FILE", "not 'a.tsv'"),
    ),
    "files without systems": (
        (*HUMAN, "--scores", "a=ref.txt", "a=ref.txt"),
        2,
        ("--scores names 2 files of a for 0 systems", "or one table"),
    ),
    "a file too few": (
        (*TEXTS, *HUMAN, "--scores", "a=ref.txt,ref.txt"),
        2,
        ("--scores names 2 files of a for 4 systems",),
    ),
    "an unknown error rate": (
        (*TEXTS, *HUMAN, "--lower-is-better", "ter"),
        2,
        ("--lower-is-better: there are no scores ter", "human"),
    ),
    "an unknown system left out": (
        (*TEXTS, *HUMAN, "--leave-out", "nort"),
        2,
        ("--leave-out: there is no system nort (did you mean north?)",),
    ),
    "an unknown role": ((*TEXTS, *HUMAN, "--columns", "sistem=x"), 2, ("did you mean system?",)),
    "a column that no table has": (
        (*TEXTS, *HUMAN, "--columns", "score=scores"),
        1,
        ("no table has a column scores (did you mean score?)",),
    ),
    "a third way to count": (
        (*TEXTS, *HUMAN, "--first-segment", "2"),
        2,
        ("--first-segment must be from 0 to 1, not 2",),
    ),
    "a picture of no kind": ((*TEXTS, *HUMAN, "--picture", "a.gif"), 2, ("must end in .svg",)),
    "a picture nowhere": ((*TEXTS, *HUMAN, "--picture", "no/a.png"), 1, ("no folder",)),
    "one file for two": (
        (*TEXTS, *HUMAN, "--picture", "a.png", "--scatter", "a.png"),
        2,
        ("--picture and --scatter both write a.png: use two files",),
    ),
    "an input as output": (
        (*TEXTS, *HUMAN, "-f", "text", "-o", "human.tsv"),
        2,
        ("would overwrite",),
    ),
    "an input as output, named": (
        (*HUMAN, "--scores", "a=ref.txt", "-o", "ref.txt"),
        2,
        ("would overwrite",),
    ),
    "a word that belongs nowhere": (
        (*TEXTS, "--quiet", "ref2.txt", *HUMAN),
        2,
        ("ref2.txt is not expected here",),
    ),
    "a folder that is no test set": (
        ("--mt-metrics-eval", ".", "-l", "en-de"),
        1,
        ("no folder system-outputs",),
    ),
    "no language pair": (("--mt-metrics-eval", "."), 2, ("add --language-pair SRC-TRG",)),
    "a test set and human scores": (
        ("--mt-metrics-eval", ".", "-l", "en-de", *HUMAN),
        2,
        ("--mt-metrics-eval and --human exclude",),
    ),
    "a test set's option": (
        (*TEXTS, *HUMAN, "--human-name", "mqm"),
        2,
        ("--human-name needs --mt-metrics-eval: add --mt-metrics-eval FOLDER",),
    ),
}


@pytest.mark.usefixtures("human")
@pytest.mark.parametrize("misuse", MISUSES)
def test_an_error_is_one_line(run: Run, misuse: str) -> None:
    arguments, code, pieces = MISUSES[misuse]
    before = sorted(Path().iterdir())
    outcome = run("meta", *arguments)
    assert outcome.code == code, outcome.err
    assert outcome.out == ""
    assert outcome.err.startswith("bleuet: error: ")
    assert outcome.err.count("\n") == 1
    for piece in pieces:
        assert piece in outcome.err
    assert sorted(Path().iterdir()) == before


def test_help_names_every_statistic(run: Run) -> None:
    out = run("meta", "--help").out
    assert [name for name in STATISTICS if f"\n  {name} " not in out] == []


# --- Human scores that say little -----------------------------------------------------------------


def write_scores(path: Path, rows: list[tuple[int, str, float]]) -> None:
    lines = ["\t".join(map(str, row)) for row in rows]
    path.write_text("\n".join(["segment\tsystem\tscore", *lines]) + "\n")


def scored(holes: bool, ties: float) -> tuple[list[tuple[int, str, float]], list[Any]]:
    """Return human and metric scores of 21 systems, of which raters scored five per segment."""
    draw = random.Random(1)
    names = [f"s{n:02}" for n in range(21)]
    human, metric = [], []
    for segment in range(60):
        rated = draw.sample(names, 5) if holes else names
        for place, name in enumerate(names):
            quality = place / 5 + draw.gauss(0, 1)
            metric.append((segment, name, quality + draw.gauss(0, 0.5)))
            if name in rated:
                human.append((segment, name, 0 if draw.random() < ties else round(quality, 1)))
    return human, metric


@pytest.mark.slow
@pytest.mark.parametrize("holes", [False, True])
def test_raters_who_scored_some_systems_of_each_segment(
    run: Callable[..., Outcome], holes: bool
) -> None:
    human, metric = scored(holes, 0)
    write_scores(Path("human.tsv"), human)
    write_scores(Path("metric.tsv"), metric)
    tables = ("meta", "--scores", "x=metric.tsv", "--human", "human.tsv")
    outcome = run(*tables)
    assert (outcome.code, outcome.err) == (0, "")
    instead = "spa needs two segments or more with scores of all systems, which there are not"
    assert (instead in outcome.out, "system-accuracy" in outcome.out) == (holes, holes)
    wanted = run(*tables, "--statistic", "spa")
    assert (wanted.code, "use system-accuracy" in wanted.err) == (
        (1, True) if holes else (0, False)
    )


@pytest.mark.parametrize(("ties", "note"), [(0.0, False), (0.3, False), (0.98, True)])
def test_human_ties_that_decide_everything(
    run: Callable[..., Outcome], ties: float, note: bool
) -> None:
    human, metric = scored(holes=False, ties=ties)
    write_scores(Path("human.tsv"), human)
    write_scores(Path("metric.tsv"), metric)
    outcome = run("meta", "--scores", "x=metric.tsv", "--human", "human.tsv", "--level", "segment")
    assert outcome.code == 0
    assert ("nearly all scores of x tie" in outcome.out) is note


def test_weights_of_mqm_annotations(run: Run, folder: Path) -> None:
    names = "system seg_id rater category severity"
    rows = ["a 1 r Style Minor", "b 1 r Style Critical", "b 1 r Style Minor"]
    lines = [row.replace(" ", "\t") for row in (names, *rows)]
    write_lines(folder / "mqm.tsv", lines)
    write_lines(folder / "weights.csv", ["severity,category,weight", "Critical,,10"])
    command = ("meta", "--human", "mqm.tsv", "--rank-systems", "-f", "json")
    refused = run(*command)
    assert refused.code == 1
    assert "severity is 'Critical'; expected" in refused.err
    found = run(*command, "--mqm-weights", "weights.csv")
    systems = json.loads(found.out)["systems"]["systems"]
    assert [(one["system"], one["score"]) for one in systems] == [("a", -1.0), ("b", -11.0)]
