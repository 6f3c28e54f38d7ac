"""`bleuet metrics` and `bleuet tokenizers`: what they list is what the other commands take."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

import pytest

from bleuet.metrics.catalogue import (
    CATALOGUE,
    GROUPS,
    NEURAL,
    PRESETS,
    SUITES,
    find_metric,
    parse_metric,
)
from bleuet.metrics.neural.published_models import OF_METRICS
from bleuet.text.tokenizers import TOKENIZERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Outcome

Run: TypeAlias = "Callable[..., Outcome]"


def test_every_metric_is_listed(run: Run) -> None:
    lines = run("metrics").out.splitlines()
    names = [line.split()[0] for line in lines[1 : lines.index("")]]
    assert sorted(names) == sorted([*CATALOGUE, *PRESETS, *NEURAL, *OF_METRICS])
    chrf = names.index("chrf")
    assert lines[chrf + 2].split()[:4] == ["chrf++", "n-grams", "CHRF", "higher"]
    assert "same as" in run("metrics", "chrf++").out
    assert "chrf:word_order=2" in run("metrics", "chrf++").out
    assert any(line.startswith("bleuet metrics NAME prints the formula") for line in lines)


@pytest.mark.parametrize("suite", SUITES)
def test_a_suite_is_its_metrics(run: Run, suite: str) -> None:
    assert f"-m {suite} is -m {' '.join(SUITES[suite])}.\n" in run("metrics").out
    whole = run("score", "ref.txt", "-i", "a.txt", "-m", "ter", suite.upper())
    assert whole.code == 0
    assert whole.out == run("score", "ref.txt", "-i", "a.txt", "-m", "ter", *SUITES[suite]).out
    outcome = run("score", "ref.txt", "-i", "a.txt", "-m", f"{suite}:lowercase")
    assert (outcome.code, outcome.out) == (2, "")
    advice = "it cannot have the options 'lowercase': name the metrics, each with its options"
    assert advice in outcome.err
    outcome = run("explain", "ref.txt", "-i", "a.txt", "--from", suite, "--to", "bleu")
    assert "stands for several metrics, but one is expected: bleu" in outcome.err


def test_metrics_are_listed_group_by_group(run: Run) -> None:
    listed = json.loads(run("metrics", "-f", "json").out)
    groups = [one["group"] for one in listed]
    assert list(dict.fromkeys(groups)) == [group for group in GROUPS if group in groups]
    assert groups == sorted(groups, key=GROUPS.index)
    lower = {one["metric"] for one in listed if one["better"] == "lower"}
    rates = {"ter", "wer", "cer", "mer", "wil", "per", "cder", "eed"}
    points = {name for name in (*NEURAL, *OF_METRICS) if name.startswith("metricx")}
    assert lower == rates | points | {"character", "charcut", "edit-distance"}


@pytest.mark.parametrize("name", [*CATALOGUE, *PRESETS, *NEURAL, "xcomet-xl", "bleurt-20"])
def test_a_metric_has_a_formula_and_a_source(run: Run, name: str) -> None:
    one = json.loads(run("metrics", name, "-f", "json").out)
    assert len(one["formula"]) > 10
    assert len(one["source"]) > 20
    lines = run("metrics", name).out.splitlines()
    assert lines[0] == f"{name}: {one['summary']}"
    assert any(line.split(maxsplit=1) == ["formula", one["formula"]] for line in lines)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_option_is_listed_with_its_default(run: Run, name: str) -> None:
    listed = json.loads(run("metrics", name, "-f", "json").out)
    assert (listed["metric"], listed["summary"]) == (name, CATALOGUE[name].summary)
    options = [one for one in find_metric(name).options if one.on_command_line]
    assert [one["option"] for one in listed["options"]] == [one.name for one in options]
    for shown, option in zip(listed["options"], options, strict=True):
        assert shown["help"] == option.help
        if not shown["default"].startswith("depends on") and shown["default"] != "none":
            text = f"{name}:{option.name}={shown['default']}"
            assert parse_metric(text) == parse_metric(name)
    table = run("metrics", name).out
    assert all(f"\n{option.name} " in table for option in options)


def test_values_are_those_that_a_metric_takes(run: Run) -> None:
    options = json.loads(run("metrics", "bleu", "-f", "json").out)["options"]
    values = {one["option"]: one["values"].split(", ") for one in options}
    for smooth in values["smooth"]:
        parse_metric(f"bleu:smooth={smooth}")
    for length in values["reference_length"]:
        parse_metric(f"bleu:reference_length={length}")
    assert values["lowercase"] == ["yes", "no"]
    assert set(TOKENIZERS) <= set(values["tokenize"])


def test_plain_data_of_all_metrics(run: Run) -> None:
    listed = json.loads(run("metrics", "-f", "json").out)
    lines = run("metrics", "-f", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == listed
    one = json.loads(run("metrics", "CHRF++", "-f", "json").out)
    assert one in listed


def test_tokenizers(run: Run) -> None:
    lines = run("tokenizers").out.splitlines()[1:]
    assert ["ja-mecab", "ja"] in [[line.split()[0], line.split()[-1]] for line in lines]
    for line in lines[:6]:
        metric = f"bleu:tokenize={line.split()[0]}"
        assert run("explain", "ref.txt", "-i", "a.txt", "--from", metric, "--to", "bleu").code == 0


def test_an_unknown_metric_is_an_error(run: Run) -> None:
    outcome = run("metrics", "blue")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "bleuet: error: there is no metric 'blue' (did you mean bleu?): `bleuet metrics` lists "
        "the metrics\n"
    )
