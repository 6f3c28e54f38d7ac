"""Every two options of a command together: the answer by the definition, and laws.

The rows are drawn by a fixed seed, so that each two values of two options meet in a row.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import BLEU, CHRF, TER, compare
from bleuet.metrics.catalogue import make_metric
from bleuet.significance import Evaluation, TestSettings, paired_test
from tests.cli.every_option import SEGMENTS, Folder, Said, bare, command_line_folder, texts
from tests.cli.option_pairs import pairs_of, rows_with_all_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bleuet import Metric
    from tests.cli.option_pairs import Row

pytestmark = pytest.mark.slow
folder = command_line_folder
ENOUGH = 1e-9


def near(one: Any, other: Any) -> bool:
    """Return whether lists of numbers are equal but for rounding."""
    return bool(one == pytest.approx(other, rel=ENOUGH, abs=1e-10))


def line_of(command: str, row: Mapping[str, str], *, backwards: bool = False) -> str:
    """Return a command with the options of a row."""
    (_, references), *others = row.items()
    words = [value for name, value in others if value and name != "format"]
    return " ".join([command, references, *(reversed(words) if backwards else words)])


def references_of(row: Mapping[str, str]) -> list[Any]:
    """Return the references that a row names."""
    names = row["references"].split()
    columns = [texts()[name] for name in names]
    return (
        columns[0] if len(columns) == 1 else [list(entry) for entry in zip(*columns, strict=True)]
    )


def test_each_pair_of_values_is_in_a_row() -> None:
    options = {"a": "123", "b": "12", "c": "1234", "d": "12"}
    rows = rows_with_all_pairs(options, lambda row: (row.get("a"), row.get("b")) != ("3", "2"))
    met = set().union(*map(pairs_of, rows))
    for one, other in itertools.combinations(options, 2):
        for pair in itertools.product(options[one], options[other]):
            names = ((one, pair[0]), (other, pair[1]))
            assert (names in met) == (names != (("a", "3"), ("b", "2")))
    assert len(rows) < 24


# --- bleuet score ---------------------------------------------------------------------------------

SCORE = {
    "references": ["ref.txt", "ref.txt ref2.txt"],
    "systems": ["-i a.txt", "-i a.txt mark/b.txt", "-i c.txt b.txt a.txt"],
    "metrics": ["-m bleu", "-m bleu chrf", "-m ter bleu"],
    "case": ["", "--lowercase"],
    "tokens": ["", "--tokenize none"],
    "smoothing": ["", "--smooth floor --smooth-value 0.5", "--smooth none"],
    "order": ["", "--max-ngram-order 2"],
    "level": ["", "-s", "--confidence 0.9 --draws 20 --seed 3"],
    "documents": ["", "--documents docs.txt"],
    "format": ["json", "csv", "text"],
    "threads": ["", "-t 2"],
}


def goes_together(row: Mapping[str, str]) -> bool:
    """Whether options of `bleuet score` go together."""
    return not row.get("documents") or row.get("level", "--confidence").startswith("--confidence")


def bleu_options(row: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of BLEU in a row."""
    options: dict[str, Any] = {}
    if row["case"]:
        options["lowercase"] = True
    if row["tokens"]:
        options["tokenize"] = "none"
    if row["order"]:
        options["max_ngram_order"] = 2
    words = row["smoothing"].split()
    if words:
        options["smooth"] = words[1]
    if len(words) > 2:
        options["smooth_value"] = float(words[3])
    return options


def metric_of(name: str, row: Mapping[str, str]) -> Metric[Any]:
    """Return a metric with the options of a row."""
    if name == "bleu":
        return BLEU(effective_order=row.get("level") == "-s", **bleu_options(row))
    return make_metric(name)


def systems_of(row: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the texts of the systems that a row names."""
    names = [name.rpartition("/")[2] for name in row["systems"].split()[1:]]
    return {name.removesuffix(".txt"): texts()[name] for name in names}


def scores_in(said: Said, kind: str) -> list[float]:
    """Return the scores of a document in some format, in order."""
    if kind == "json":
        return [row["score"] for row in said.json]
    return [float(row["score"]) for row in csv.DictReader(StringIO(said.out))]


@pytest.mark.parametrize(
    "row", rows_with_all_pairs(SCORE, goes_together), ids=lambda row: line_of("", row)
)
def test_scores_are_those_of_python_in_each_format(folder: Folder, row: Row) -> None:
    line = f"{line_of('score', row)} --bom strip -q"
    names, refs = row["metrics"].split()[1:], references_of(row)
    expected = []
    if row["level"] == "-s":
        found = {
            (system, name): metric_of(name, row).sentence_scores(lines, refs).values
            for system, lines in systems_of(row).items()
            for name in names
        }
        expected = [
            found[system, name][i]
            for i in range(SEGMENTS)
            for system in systems_of(row)
            for name in names
        ]
    else:
        expected = [
            metric_of(name, row).corpus_score(lines, refs).score
            for lines in systems_of(row).values()
            for name in names
        ]
    said = folder.run(f"{line} -f json")
    assert near(scores_in(said, "json"), expected)
    if row["format"] == "csv":
        assert scores_in(folder.run(f"{line} -f csv"), "csv") == scores_in(said, "json")
    if row["format"] == "text":
        printed = folder.run(f"{line} -w 6").out
        assert all(f"{score:.6f}" in printed for score in expected)
    assert (
        folder.run(f"{line_of('score', row, backwards=True)} --bom strip -q -f json").out
        == said.out
    )
    if row["level"].startswith("--confidence"):
        # Whatever else is scored, a system has the same interval.
        lines = row["systems"].split()[1:]
        alone = {**row, "systems": f"-i {lines[-1]}", "metrics": f"-m {names[-1]}"}
        if names[-1] == "bleu" or not bleu_options(row):
            own = folder.run(f"{line_of('score', alone)} --bom strip -q -f json")
            assert bare(own.json) == bare(said.json[-1:])


# --- bleuet significance and compare --------------------------------------------------------------

SIGNIFICANCE = {
    "references": ["ref.txt", "ref.txt ref2.txt"],
    "systems": ["-i a.txt near.txt b.txt", "-i near.txt a.txt", "-i b.txt c.txt near.txt a.txt"],
    "metrics": ["-m bleu", "-m bleu ter", "-m chrf bleu"],
    "test": ["--test bootstrap", "--test randomization"],
    "pairs": ["", "--all-pairs", "--baseline near"],
    "correction": [
        "", "--correction none", "--correction bonferroni", "--correction benjamini-hochberg",
    ],
    "over": ["", "--correct-over all"],
    "alpha": ["", "--alpha 0.4"],
    "draws": ["--draws 50", "--draws 60"],
    "seed": ["", "--seed 5"],
    "documents": ["", "--documents docs.txt"],
    "level": ["", "--confidence 0.8"],
}  # fmt: skip


def value_in(row: Mapping[str, str], name: str, default: Any) -> Any:
    """Return the last word of an option of a row, as the default's kind."""
    return type(default)(row[name].split()[-1]) if row[name] else default


def settings_in(row: Mapping[str, str]) -> TestSettings:
    """Return the settings of a test in a row."""
    correction = value_in(row, "correction", "holm")
    return TestSettings(
        test=row["test"].split()[1],
        draws=int(row["draws"].split()[1]),
        seed=value_in(row, "seed", 12345),
        confidence=value_in(row, "level", 0.95),
        alpha=value_in(row, "alpha", 0.05),
        correction=None if correction == "none" else correction,
        correct_over=value_in(row, "over", "pairs"),
        all_pairs=row["pairs"] == "--all-pairs",
        baseline="near" if "near" in row["pairs"] else None,
    )


def corrected(p_values: list[float], method: str) -> list[float]:
    """Return p-values corrected for their number, by the definition of each method."""
    count = len(p_values)
    if method == "none":
        return p_values
    if method == "bonferroni":
        return [min(1, count * p) for p in p_values]
    ranked = sorted(p_values)
    if method == "holm":
        steps = [(count - i) * p for i, p in enumerate(ranked)]
        return [min(1, max(steps[: ranked.index(p) + ranked.count(p)])) for p in p_values]
    steps = [count / (i + 1) * p for i, p in enumerate(ranked)]
    return [min(1, *steps[ranked.index(p) :]) for p in p_values]


def metrics_in(row: Mapping[str, str]) -> list[Metric[Any]]:
    """Return the metrics of a row, with their defaults."""
    return [make_metric(name) for name in row["metrics"].split()[1:]]


def check_corrections(comparisons: list[dict[str, Any]], settings: TestSettings) -> None:
    """Check the corrected p-values by the definition, and what is significant."""
    families: dict[str, list[dict[str, Any]]] = {}
    for one in comparisons:
        families.setdefault("" if settings.correct_over == "all" else one["metric"], []).append(one)
    for family in families.values():
        expected = corrected([one["p_value"] for one in family], settings.correction or "none")
        found = [
            one["p_value"] if one["corrected_p_value"] is None else one["corrected_p_value"]
            for one in family
        ]
        assert near(found, expected)
        assert [one["significant"] for one in family] == [p < settings.alpha for p in expected]


@pytest.mark.parametrize("row", rows_with_all_pairs(SIGNIFICANCE), ids=lambda row: line_of("", row))
def test_a_test_is_that_of_python_and_corrected_by_definition(folder: Folder, row: Row) -> None:
    said = folder.run(f"{line_of('significance', row)} -q -f json")
    again = folder.run(f"{line_of('significance', row, backwards=True)} -q -f json")
    assert again.out == said.out
    settings = settings_in(row)
    evaluation = Evaluation.count(metrics_in(row), systems_of(row), references_of(row))
    if row["documents"]:
        evaluation = evaluation.replace(documents=texts()["docs.txt"])
    results = paired_test(evaluation, settings)
    assert said.json == json.loads(results.render("json"))
    names = [*systems_of(row)]
    pairs = [*itertools.combinations(names, 2)]
    if not settings.all_pairs:
        base = settings.baseline or names[0]
        pairs = [(base, name) for name in names if name != base]
    assert [
        *dict.fromkeys((one["baseline"], one["system"]) for one in said.json["comparisons"])
    ] == pairs
    check_corrections(said.json["comparisons"], settings)
    for one in said.json["comparisons"]:
        scores = {
            row["system"]: row["score"]
            for row in said.json["scores"]
            if row["metric"] == one["metric"]
        }
        assert near(one["difference"], scores[one["system"]] - scores[one["baseline"]])


COMPARE = {
    "references": ["ref.txt", "ref.txt ref2.txt"],
    "systems": ["-i a.txt b.txt", "-i near.txt a.txt c.txt"],
    "metrics": ["-m bleu", "-m ter chrf", "-m chrf bleu"],
    "by": ["", "--by length=11,14", "--by hypothesis-length=12 score"],
    "labels": ["", "--labels labels.txt", "--labels labels.txt docs.txt"],
    "pairs": ["", "--all-pairs"],
    "examples": ["", "-n 2"],
    "test": ["--test randomization", "--test bootstrap"],
    "draws": ["--draws 50"],
    "correction": ["", "--correction none"],
    "over": ["", "--correct-over all"],
    "alpha": ["", "--alpha 0.4"],
    "seed": ["", "--seed 5"],
    "level": ["", "--confidence 0.8"],
    "documents": ["", "--documents docs.txt"],
}


@pytest.mark.long
@pytest.mark.parametrize("row", rows_with_all_pairs(COMPARE), ids=lambda row: line_of("", row))
def test_a_comparison_is_that_of_python_and_each_bucket_that_of_its_segments(
    folder: Folder, row: Row
) -> None:
    said = folder.run(f"{line_of('compare', row)} -q -f json")
    metrics, systems, refs = metrics_in(row), systems_of(row), references_of(row)
    settings = settings_in({**row, "pairs": "--all-pairs"})
    expected = compare(
        systems,
        refs,
        metrics,
        by=row["by"].split()[1:] or ["length"],
        labels={name: texts()[name] for name in row["labels"].split()[1:]},
        all_pairs=bool(row["pairs"]),
        examples=2 if row["examples"] else 5,
        documents=texts()["docs.txt"] if row["documents"] else None,
    ).tested(settings)
    assert bare(said.json) == bare(json.loads(expected.render("json")))
    check_corrections(said.json["significance"]["comparisons"], settings)
    for division in said.json["buckets"]:
        for name, own in division["systems"].items():
            for bucket in own:
                rows = [i - 1 for i in bucket["segments"]]
                picked = [systems[name][i] for i in rows], [refs[i] for i in rows]
                assert bucket["count"] == len(rows)
                if rows:
                    assert near(
                        bucket["scores"], [one.corpus_score(*picked).score for one in metrics]
                    )


# --- bleuet gate ----------------------------------------------------------------------------------

GATE = {
    "references": ["ref.txt", "ref.txt ref2.txt"],
    "baseline": ["--baseline near.txt", "--baseline b.txt", "--baseline c.txt"],
    "new": ["-i a.txt", "-i near.txt", "-i b.txt"],
    "metrics": ["-m bleu", "-m chrf bleu", "-m bleu ter"],
    "release": ["", "--release c.txt"],
    "drop": ["", "--max-drop 0.5", "--max-drop 60 bleu=0.1"],
    "least": ["", "--min bleu=50"],
    "rule": [
        "", "--fail-on either", "--fail-on drop", "--fail-on possible", "--fail-on significance",
    ],
    "correction": ["", "--correction none", "--correction bonferroni"],
    "alpha": ["", "--alpha 0.9"],
    "changes": ["", "--changes 3"],
    "test": ["--test randomization", "--test bootstrap"],
    "draws": ["--draws 100"],
    "seed": ["", "--seed 5"],
    "documents": ["", "--documents docs.txt"],
}  # fmt: skip


def fits_a_gate(row: Mapping[str, str]) -> bool:
    """Whether options of `bleuet gate` go together."""
    rule = row.get("rule")
    needs = rule in ("--fail-on drop", "--fail-on possible", "--fail-on either")
    twice = row.get("release") and row.get("baseline") == "--baseline c.txt"
    same = row.get("baseline", "?").split()[-1] == row.get("new", "!").split()[-1]
    return not same and not (needs and row.get("drop") == "") and not twice


def check_by_hand(one: dict[str, Any], row: Mapping[str, str], p: float) -> None:
    """Check one verdict of a gate by the definition of its rule."""
    limits = {"": None, "--max-drop 0.5": 0.5, "--max-drop 60 bleu=0.1": 60.0}
    most = limits[row["drop"]]
    if row["drop"].endswith("bleu=0.1") and one["metric"] == "BLEU":
        most = 0.1
    assert one["max_drop"] == most
    alpha = value_in(row, "alpha", 0.05) / value_in(row, "changes", 1)
    too_large = most is not None and one["drop"] > most
    significant = one["drop"] > 0 and p < alpha
    assert one["too_large"] == too_large
    assert one["significant"] == significant
    rule = row["rule"].split()[-1] if row["rule"] else "both"
    least = 50 if row["least"] and one["metric"] == "BLEU" else -math.inf
    failing = {
        "both": significant and (too_large or most is None),
        "either": significant or too_large,
        "drop": too_large,
        "possible": most is not None and (one["high"] or -math.inf) > most,
        "significance": significant,
    }[rule]
    assert one["beyond_limit"] == (one["new"] < least)
    assert one["fails"] == (failing or one["new"] < least)


@pytest.mark.parametrize(
    "row", rows_with_all_pairs(GATE, fits_a_gate), ids=lambda row: line_of("", row)
)
def test_a_gate_fails_by_the_definition_of_its_rule(folder: Folder, row: Row) -> None:
    said = folder.run(f"{line_of('gate', row)} -q -f json")
    refs = references_of(row)
    found = said.json["checks"]
    for one in found:
        metric = {"BLEU": BLEU(), "chrF2": CHRF(), "TER": TER()}[one["metric"]]
        new, old = (
            metric.corpus_score(texts()[name], refs).score
            for name in (row["new"].split()[1], f"{one['baseline_system']}.txt")
        )
        assert near([one["new"], one["baseline"]], [new, old])
        assert near(one["drop"], old - new if metric.higher_is_better else new - old)
    tested = [one for one in found if one["p_value"] is not None]
    method = value_in(row, "correction", "holm")
    p_values = dict(
        zip(map(id, tested), corrected([one["p_value"] for one in tested], method), strict=True)
    )
    for one in found:
        check_by_hand(one, row, p_values.get(id(one), 1.0))
    assert (said.code == 3) == any(one["fails"] for one in found) == (not said.json["passed"])
    # A stricter limit never passes more.
    for strict in ({"drop": "--max-drop 0.01"}, {"least": "--min bleu=99.9"}):
        other = folder.run(f"{line_of('gate', {**row, **strict})} -q -f json")
        if row["drop"] or "least" in strict:
            assert other.code >= said.code


# --- bleuet mbr -----------------------------------------------------------------------------------

MBR = {
    "references": ["", "ref.txt", "ref.txt ref2.txt"],
    "lists": ["-i a.txt b.txt c.txt", "-i x=a.txt y=a.txt z=near.txt", "-i nbest.txt"],
    "metrics": ["", "-m ter", "-m bleu chrf", "-m chrf:word_order=2 bleu:lowercase"],
    "pseudo": ["", "--pseudo-references ref.txt ref2.txt", "--oracle"],
    "weights": ["", "--weights scores"],
    "distinct": ["", "--distinct"],
    "texts": ["", "--texts new.txt"],
    "kept": ["", "--save-matrix new.jsonl"],
    "threads": ["", "-t 2"],
}  # fmt: skip


def fits_mbr(row: Mapping[str, str]) -> bool:
    """Whether options of `bleuet mbr` go together."""
    scored = row.get("lists", "-i nbest.txt") == "-i nbest.txt" and not row.get("pseudo")
    oracle = row.get("pseudo") == "--oracle"
    return not (row.get("weights") and not scored) and not (oracle and row.get("references") == "")


def candidates_in(row: Mapping[str, str]) -> Iterator[tuple[list[str], list[float]]]:
    """Yield the candidates of each source, and the probabilities of their scores."""
    if row["lists"] == "-i nbest.txt":
        lines = [line.split(" ||| ") for line in texts()["nbest.txt"]]
        for i in range(SEGMENTS):
            own = lines[3 * i : 3 * i + 3]
            powers = [math.exp(float(line[3])) for line in own]
            yield [line[1] for line in own], [one / sum(powers) for one in powers]
    else:
        names = [word.partition("=")[2] or word for word in row["lists"].split()[1:]]
        for i in range(SEGMENTS):
            yield [texts()[name][i] for name in names], [1 / 3] * 3


def metric_named(word: str) -> Metric[Any]:
    """Return a metric of the rows of mbr, for sentences."""
    return {
        "bleu": BLEU(effective_order=True),
        "bleu:lowercase": BLEU(effective_order=True, lowercase=True),
        "chrf": CHRF(),
        "chrf:word_order=2": CHRF(word_order=2),
        "ter": TER(),
    }[word]


@pytest.mark.parametrize(
    "row", rows_with_all_pairs(MBR, fits_mbr), ids=lambda row: line_of("", row)
)
def test_a_choice_is_the_best_by_the_definition_of_its_utility(folder: Folder, row: Row) -> None:
    said = folder.run(f"{line_of('mbr', row)} -q -f json")
    metrics = [metric_named(word) for word in row["metrics"].split()[1:] or ["bleu"]]
    best = []
    for i, (choice, (own, chances)) in enumerate(
        zip(said.json["choices"], candidates_in(row), strict=True)
    ):
        against, weights = own, chances if row["weights"] else [1.0] * len(own)
        if row["pseudo"]:
            names = row["pseudo"].split()[1:] or row["references"].split()
            against = [texts()[name][i] for name in names]
            weights = [1.0] * len(against)
        if row["distinct"]:
            summed: dict[str, float] = {}
            for text, weight in zip(against, weights, strict=True):
                summed[text] = summed.get(text, 0) + weight if row["weights"] else 1.0
            against, weights = [*summed], [*summed.values()]
        entry: list[Any] = [[text] for text in against]
        if row["pseudo"] == "--oracle":  # all references of a source are one entry
            entry, weights = [against], [1.0]
        utilities = [
            np.mean(
                [
                    (1 if metric.higher_is_better else -1)
                    * np.average(
                        [metric.sentence_score(text, one).score for one in entry], weights=weights
                    )
                    for metric in metrics
                ]
            )
            for text in own
        ]
        assert near(choice["utilities"], utilities)
        assert utilities[choice["index"]] == pytest.approx(max(utilities), abs=1e-9)
        assert own[choice["index"]] == choice["best"]
        best.append(choice["best"])
    if row["texts"]:
        assert said.file("new.txt").splitlines() == best
    if row["references"]:
        scores = {(one["system"], one["name"]): one["score"] for one in said.json["scores"]}
        if row["metrics"] in ("", "-m ter"):
            metric: Metric[Any] = TER() if row["metrics"] else BLEU(effective_order=True)
            found = metric.corpus_score(best, references_of(row)).score
            assert near(scores["chosen", metric.name], found)


# --- bleuet meta ----------------------------------------------------------------------------------

META = {
    "references": ["ref.txt", "ref.txt ref2.txt"],
    "systems": ["-i a.txt b.txt c.txt"],
    "human": ["--human human.tsv", "--human half.tsv"],
    "metrics": ["-m bleu ter", "-m chrf bleu"],
    "statistic": ["--statistic pearson tau-b", "--statistic system-pearson pearson"],
    "grouping": ["", "--grouping item", "--grouping system"],
    "segments": ["", "--all-segments"],
    "scores": [
        "",
        "--scores S=a.num,b.num,c.num",
        "--scores S=a.num,b.num,c.num --lower-is-better S",
    ],
    "leave": ["", "--leave-out b"],
    "interval": ["", "--confidence 0.9 --draws 20", "--confidence 0.9 --draws 20 --seed 5"],
    "documents": ["", "--documents docs.txt"],
}  # fmt: skip


def fits_meta(row: Mapping[str, str]) -> bool:
    """Whether options of `bleuet meta` go together."""
    return not (row.get("documents") and row.get("interval") == "")


def agreement(said: Said, metric: str, statistic: str) -> dict[str, Any]:
    """Return the agreement of one metric by one statistic, without its rank."""
    (found,) = [
        one
        for one in said.json["agreement"]
        if (one["metric"], one["statistic"]) == (metric, statistic)
    ]
    return {**found, "rank": None}


@pytest.mark.long
@pytest.mark.parametrize(
    "row", rows_with_all_pairs(META, fits_meta), ids=lambda row: line_of("", row)
)
def test_an_agreement_is_that_of_its_definition_and_alone(folder: Folder, row: Row) -> None:
    said = folder.run(f"{line_of('meta', row)} -q -f json")
    systems = [name for name in "abc" if not (row["leave"] and name == "b")]
    human: dict[tuple[str, int], float] = {}
    for line in texts()[row["human"].split()[1]][1:]:
        system, segment, score = line.split("\t")
        human[system, int(segment)] = float(score)
    rated = [i for i in range(SEGMENTS) if ("a", i) in human]
    refs = references_of(row)
    statistics = row["statistic"].split()[1:]
    names = row["metrics"].split()[1:]
    for word in names:
        metric = metric_named(word)
        sign = 1 if metric.higher_is_better else -1
        values = {
            (name, i): sign * metric.sentence_score(texts()[f"{name}.txt"][i], refs[i]).score
            for name in systems
            for i in rated
        }
        groups = {
            "": [[*values]],
            "--grouping item": [[(name, i) for name in systems] for i in rated],
            "--grouping system": [[(name, i) for i in rated] for name in systems],
        }[row["grouping"]]
        if "pearson" in statistics:
            with np.errstate(invalid="ignore"):
                each = [
                    np.corrcoef([values[key] for key in own], [human[key] for key in own])[0, 1]
                    for own in groups
                ]
            found = agreement(said, metric.name, "pearson")
            assert near(found["value"], np.nanmean(each))
        if "system-pearson" in statistics:
            used = range(SEGMENTS) if row["segments"] else rated
            whole = make_metric(word)
            scores = [
                sign
                * whole.corpus_score(
                    [texts()[f"{name}.txt"][i] for i in used], [refs[i] for i in used]
                ).score
                for name in systems
            ]
            means = [np.mean([human[name, i] for i in rated]) for name in systems]
            found = agreement(said, metric.name, "system-pearson")
            assert near(found["value"], np.corrcoef(scores, means)[0, 1])
        alone = folder.run(
            f"{line_of('meta', {**row, 'metrics': f'-m {word}', 'scores': ''})} -q -f json"
        )
        for statistic in statistics:
            assert agreement(alone, metric.name, statistic) == agreement(
                said, metric.name, statistic
            )
    if row["scores"]:
        sign = -1 if "lower" in row["scores"] else 1
        expected = pytest.approx(sign, abs=1e-3)
        assert agreement(said, "S", "pearson")["value"] == expected


# --- bleuet tune ----------------------------------------------------------------------------------

TUNE = {
    "references": ["ref.txt", "ref.txt ref2.txt"],
    "lists": ["--nbest nbest.txt", "--nbest more-nbest.txt"],
    "metrics": ["-m bleu", "-m ter bleu", "-m chrf"],
    "method": ["--method mira", "--method mert:restarts=1", "--method pro"],
    "start": ["", "--start weights.json"],
    "held": [
        "",
        "--held-out more-nbest.txt --held-out-references ref2.txt",
        "--held-out head-nbest.txt --held-out-references head-ref.txt",
    ],
    "seed": ["", "--seed 5"],
    "texts": ["", "--texts new.txt"],
    "kept": ["", "--save-weights new.json"],
    "threads": ["", "-t 2"],
}


def chosen(weights: Mapping[str, float], name: str) -> list[str]:
    """Return the texts of n-best lists with the highest weighted sums of features."""
    best: dict[str, tuple[float, str]] = {}
    for line in texts()[name]:
        number, text, features, _ = line.split(" ||| ")
        found = re.findall(r"(\w)= (\S+)", features)
        total = sum(weights[feature] * float(value) for feature, value in found)
        if number not in best or total > best[number][0]:
            best[number] = (total, text)
    return [text for _, text in best.values()]


@pytest.mark.long
@pytest.mark.parametrize("row", rows_with_all_pairs(TUNE), ids=lambda row: line_of("", row))
def test_tuned_weights_choose_the_texts_that_are_scored(folder: Folder, row: Row) -> None:
    said = folder.run(f"{line_of('tune', row)} -q -f json")
    metric = make_metric(row["metrics"].split()[1])
    lists, refs = row["lists"].split()[1], references_of(row)
    start, tuned = (
        {name[0]: value for name, value in said.json[key].items()}
        for key in ("start_weights", "weights")
    )
    assert start == ({"F": 1, "G": 0.25} if row["start"] else {"F": 1, "G": 1})
    assert said.json["seed"] == (5 if row["seed"] else 12345)

    def scores(name: str, references: list[Any]) -> list[float]:
        return [
            metric.corpus_score(one, references).score
            for one in (chosen(start, name), chosen(tuned, name))
        ]

    assert near([said.json["start"], said.json["tuned"]], scores(lists, refs))
    if row["held"]:
        held, _, against = row["held"].split()[1:]
        found = said.json["held_out"]
        assert near([found["start"], found["tuned"]], scores(held, texts()[against]))
    if row["texts"]:
        assert said.file("new.txt").splitlines() == chosen(tuned, lists)
    if row["kept"]:
        assert json.loads(said.file("new.json")) == said.json["weights"]
