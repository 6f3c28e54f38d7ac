"""A part alone is what it is among others: systems, metrics, groups, prompts and segments."""

from __future__ import annotations

import json
import warnings
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

import bleuet
from bleuet import ShardSettings, score_shards
from bleuet.gate import Limits, gate_systems
from bleuet.rewards import Reward, openrlhf_reward, trl_reward, verl_reward
from bleuet.shards import scoring
from bleuet.significance import TestSettings, paired_test
from bleuet.study_settings import IntervalSettings
from tests.laws.generated import GROUPS, METRICS, generated
from tests.laws.studies import answers_of, differences, evaluation_of, same

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.laws.generated import Study
    from tests.laws.studies import Answers

STUDY = generated()
# How studies print the metrics.
PRINTED = {"bleu": "BLEU", "chrf": "chrF2", "ter": "TER", "rougeL": "ROUGE-L", "gleu": "GLEU"}
EXTERNAL = "words"
# Their answers compare a system with all others.
AMONG_ALL = ("rank", "better", "histogram")
TESTS = ("bootstrap", "bootstrap of documents", "randomization", "randomization of documents")
EACH_GROUP = pytest.mark.parametrize("group", GROUPS)


@cache
def known(name: str) -> Answers:
    return answers_of(name, STUDY)


def without(value: Any, left_out: Iterable[str]) -> Any:
    """A value without what it has under some names."""
    if isinstance(value, tuple):
        return tuple(without(one, left_out) for one in value)
    if not isinstance(value, dict):
        return value
    return {key: without(own, left_out) for key, own in value.items() if key not in left_out}


@pytest.mark.parametrize(
    "name",
    ["scores", "contributions", *TESTS, "comparison", "matrix", "diversity", "lint", "rewards"],
)
def test_two_systems_alone_are_what_they_are_among_others(name: str) -> None:
    def of_pair(answers: Answers, others: set[str]) -> Answers:
        # An external score is compared on the segments that all systems have one for, and
        # p-values are corrected for the number of pairs.
        return {
            key: value[:4] + value[5:] if key[0] == "pair" else without(value, {EXTERNAL, *others})
            for key, value in answers.items()
            if not {EXTERNAL, *AMONG_ALL, *others} & set(key)
        }

    for pair in combinations(STUDY.systems, 2):
        found = answers_of(name, STUDY.of_systems(pair))
        others = STUDY.systems.keys() - set(pair)
        if name == "lint":
            known_here = {
                key: (rows, {own: v for own, v in effects.items() if own[0] in pair})
                for key, (rows, effects) in known(name).items()
            }
        else:
            known_here = known(name)
        expected = of_pair(known_here, others)
        assert expected
        assert not differences(of_pair(found, others), expected)


@pytest.mark.parametrize("name", ["scores", *TESTS, "comparison", "gate by size", "rewards"])
def test_a_metric_alone_is_what_it_is_among_others(name: str) -> None:
    for metric in METRICS:
        others = {
            label
            for other, printed in PRINTED.items()
            if other != metric
            for label in (other, printed)
        }

        def of_metric(answers: Answers, others: set[str] = others) -> Answers:
            # The first metric divides segments by their scores.
            return {
                key: without(value, others)
                for key, value in answers.items()
                if not others & set(key) and key[:2] != ("bucket", "score")
            }

        expected = of_metric(known(name))
        assert len(expected) > len(STUDY.systems)
        found = answers_of(name, STUDY._replace(metrics=(metric,)))
        assert not differences(of_metric(found), expected)


# --- Groups of segments ---------------------------------------------------------------------------


@EACH_GROUP
def test_a_bucket_is_the_test_set_of_its_segments(group: str) -> None:
    found = bleuet.compare(
        STUDY.systems, STUDY.references, list(METRICS), labels={"group": STUDY.groups}
    )
    alone = STUDY.select(STUDY.rows_of(group))
    expected = bleuet.score(alone.systems, alone.references, METRICS)
    for system, buckets in zip(STUDY.systems, found.breakdown("group").systems, strict=True):
        (bucket,) = [one for one in buckets if one.bucket.label == group]
        scores = [expected[metric][system].score for metric in METRICS]
        assert same(bucket.values, scores)


@EACH_GROUP
@pytest.mark.parametrize("documents", [False, True])
def test_selected_segments_are_tested_as_a_test_set_of_their_own(
    group: str, documents: bool
) -> None:
    rows = STUDY.rows_of(group)
    whole = evaluation_of(STUDY, documents=documents)
    alone = evaluation_of(STUDY.select(rows), documents=documents)
    chosen = whole.select(range(len(whole.metrics)), rows)
    assert chosen.documents == alone.documents
    settings = TestSettings(test="bootstrap", draws=60, all_pairs=True)
    found, expected = paired_test(chosen, settings), paired_test(alone, settings)
    assert found.comparisons == expected.comparisons
    assert found.scores == expected.scores
    assert chosen.sentence_scores == alone.sentence_scores


def write_shards(folder: Path, study: Study, cuts: list[int]) -> None:
    ends = [*cuts, len(study.names)]
    for number, (start, end) in enumerate(zip([0, *cuts], ends, strict=True)):
        part = study.select(range(start, end))
        columns = {
            "one": part.column(0), "two": part.column(1), "three": part.column(2),
            "group": part.groups, **part.systems,
        }  # fmt: skip
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        (folder / f"{number}.jsonl").write_text(text, encoding="utf-8")


def shards_of(folder: Path, **more: Any) -> Any:
    systems = {name: f"{folder}/*.jsonl:{name}" for name in STUDY.systems}
    references = [f"{folder}/*.jsonl:{name}" for name in ("one", "two", "three")]
    settings = ShardSettings(by="group")
    return score_shards(systems, references, list(METRICS), settings, **more)


@EACH_GROUP
@pytest.mark.parametrize("cuts", [[], [7], [1, 1, 12, 39]], ids=["one file", "two", "five"])
def test_a_group_in_shards_is_the_test_set_of_its_segments(
    group: str, cuts: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "launch", lambda function, shards, _: map(function, shards))
    write_shards(tmp_path, STUDY, cuts)
    whole = shards_of(tmp_path, intervals=IntervalSettings(draws=20))
    rows = STUDY.rows_of(group)
    three = [STUDY.column(number) for number in range(3)]
    for found, chosen in ((whole.groups[group], rows), (whole.scores, range(len(STUDY.names)))):
        alone = STUDY.select(chosen)
        references = [[own[row] for own in three] for row in chosen]
        expected = bleuet.score(alone.systems, references, METRICS)
        for metric in METRICS:
            for system in STUDY.systems:
                assert same(found[metric][system].score, expected[metric][system].score)
    # Its intervals do not depend on how the other segments are grouped.
    others = [one if one == group else "rest" for one in STUDY.groups]
    write_shards(tmp_path, STUDY._replace(groups=others), cuts)
    two = shards_of(tmp_path, intervals=IntervalSettings(draws=20))
    assert list(two.groups) == sorted([group, "rest"])
    assert two.groups[group].intervals == whole.groups[group].intervals
    assert two.groups["rest"].intervals != whole.scores.intervals


# --- Prompts and sources --------------------------------------------------------------------------


def test_samples_of_a_prompt_are_rewarded_as_in_a_batch_of_their_own() -> None:
    """Samples of four prompts in turn; a prompt of one sample has nothing that it resembles."""
    texts = STUDY.systems["first"][:20] + STUDY.systems["twin"][:20]
    references: list[Any] = [*STUDY.references[:20], *STUDY.references[:20]]
    references[6] = None
    prompts = [f"prompt {row % 3}" for row in range(39)] + ["another prompt"]
    made = Reward(
        {"chrf": 0.6, "bleu": 0.4}, 3.0, preprocess="prompt",
        length_penalty=0.3, repetition_penalty=0.1,
    )  # fmt: skip
    function = trl_reward(made, diversity_penalty=0.5)

    def rewards(rows: list[int]) -> dict[int, float | None]:
        found = function(
            prompts=[prompts[row] for row in rows],
            completions=[f"{prompts[row]} {texts[row]}" for row in rows],
            reference=[references[row] for row in rows],
        )
        return dict(zip(rows, found, strict=True))

    every = list(range(40))
    whole = rewards(every)
    plain = made([" ".join(pair) for pair in zip(prompts, texts, strict=True)], references, prompts)
    for prompt in dict.fromkeys(prompts):
        rows = [row for row in every if prompts[row] == prompt]
        assert rewards(rows) == {row: whole[row] for row in rows}
        assert rewards(rows[::-1]) == {row: whole[row] for row in rows}
    assert whole[6] is None
    assert whole[39] == plain[39]
    assert sum(whole[row] != plain[row] for row in every) > 30


def test_a_sample_alone_has_the_reward_that_it_has_in_a_batch() -> None:
    made = Reward(
        {"chrf": 0.6, "ter": 0.4}, -2.0, preprocess=["prompt", "thinking"],
        length_penalty=0.3, repetition_penalty=0.1, threads=2,
    )  # fmt: skip
    queries = [
        f"{source}<think>{text}</think> {text}"
        for source, text in zip(STUDY.sources, STUDY.systems["worse"], strict=True)
    ]
    batch = made.details(queries, STUDY.references, STUDY.sources)
    remote = openrlhf_reward(made)(queries, STUDY.sources, STUDY.references)
    assert remote["rewards"] == batch["reward"]
    assert remote["extra_logs"] == {key: own for key, own in batch.items() if key != "reward"}
    alone = verl_reward(made)
    for row, query in enumerate(queries):
        prompt, references = STUDY.sources[row], STUDY.references[row]
        own = {name: values[row] for name, values in batch.items()}
        assert same(made.score(query, references, prompt), own["reward"])
        assert same(made.details([query], [references], [prompt]), {k: [v] for k, v in own.items()})
        text = made.prepared(query, prompt)
        found = alone(solution_str=text, ground_truth=references)
        assert isinstance(found, dict)
        assert same({"reward": found.pop("score"), **found}, own)


@pytest.mark.parametrize("way", ["exact", "aggregated", "pruned"])
def test_a_source_alone_has_the_choice_that_it_has_among_others(way: str) -> None:
    """Each source has candidates, references and weights of its own, and not as many as others."""
    every = list(zip(*STUDY.systems.values(), strict=True))
    candidates = [own[: 2 + row % 3] for row, own in enumerate(every)]
    references = [[*own, STUDY.systems["worse"][row]] for row, own in enumerate(STUDY.references)]
    weights = [
        [1.0 + place + row for place in range(len(own))] for row, own in enumerate(references)
    ]
    found = bleuet.mbr(candidates, "chrf", references=references, weights=weights, way=way)
    for row, choice in enumerate(found):
        (alone,) = bleuet.mbr(
            [candidates[row]], "chrf", references=[references[row]], weights=[weights[row]], way=way
        )
        assert alone == choice


def test_a_list_alone_has_the_choice_that_it_has_among_others() -> None:
    lists = [
        [
            (text, {"length": len(text), "place": place})
            for place, text in enumerate(own[: 1 + row % 4])
        ]
        for row, own in enumerate(zip(*STUDY.systems.values(), strict=True))
    ]
    weights = {"length": 0.5, "place": -4.0}
    whole = bleuet.rerank(lists, weights)
    for own, choice in zip(lists, whole.choices, strict=True):
        assert bleuet.rerank([own], weights).choices == (choice,)
        best = max(
            range(len(own)), key=lambda n: own[n][1]["length"] * 0.5 - own[n][1]["place"] * 4
        )
        assert choice.index == best


def test_a_pair_is_judged_alone_as_beside_a_release() -> None:
    """Without a correction, which depends on the number of comparisons."""
    evaluation = evaluation_of(STUDY)
    limits = Limits(0.5, max_drops={"ter": 3.0}, fail_on="both", min={"bleu": 45})
    settings = TestSettings(test="bootstrap", draws=100, correction=None)

    def checks(*names: str) -> list[Any]:
        tables = {name: evaluation.tables[name] for name in names}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(gate_systems(evaluation.replace(tables=tables), limits, settings).checks)

    both = checks("first", "close", "worse")
    assert both == checks("first", "worse") + checks("close", "worse")
    assert {one.baseline_system for one in both} == {"first", "close"}
