"""Shards that are counted in this process: what they say is what all texts at one place say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import Corpus, InputError, OptionError, ShardSettings, make_metric, score_shards
from bleuet.shards import finding, scoring, task
from bleuet.text.parallel import Parallel
from tests.shards.texts import DOMAINS, lines, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

REF, HYP, OTHER = (f"data/part-*.jsonl:{name}" for name in ("ref", "hyp", "other"))


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def launch(function: Callable[..., Any], shards: Iterable[Any], _: Any) -> Iterable[Any]:
        return map(function, reversed(list(shards)))

    monkeypatch.setattr(scoring, "launch", launch)


def test_systems_metrics_and_groups_are_those_of_all_texts(segments: list[dict[str, str]]) -> None:
    """Metrics that learn do so from all references, also where a group is scored."""
    names = ["nist:tokenize=char", "bleu", "cider", "ter"]
    systems = {"one": HYP, "other": OTHER, "third": REF}
    found = score_shards(systems, REF, names, ShardSettings(by="domain"))
    every = Corpus([one["hyp"] for one in segments], [one["ref"] for one in segments])
    assert set(found.groups) == set(DOMAINS)
    for name in names:
        metric = make_metric(name).prepare(every)
        for system, side in (("one", "hyp"), ("other", "other"), ("third", "ref")):
            for group in ("", *DOMAINS):
                own = [one for one in segments if group in ("", one["domain"])]
                texts = [[one[key] for one in own] for key in (side, "ref")]
                expected = metric.corpus_score(*texts)
                scores = found.groups[group] if group else found.scores
                assert scores[name][system].score == pytest.approx(expected.score, rel=1e-12)
    assert found.segments == len(segments)


@pytest.mark.parametrize(
    ("changed", "other"),
    [
        ({"key": "id"}, "keys"),
        ({"by": "domain"}, "groups"),
        ({"by": "id", "key": "id"}, "groups"),
    ],
)
def test_results_with_other_columns_are_not_taken(
    changed: dict[str, str], other: str, segments: list[dict[str, str]]
) -> None:
    settings = ShardSettings(results="results")
    score_shards(HYP, REF, "bleu", settings)
    with pytest.raises(OptionError, match=f"results of a run with other {other}: , but now"):
        score_shards(HYP, REF, "bleu", settings.replace(**changed))
    assert score_shards(HYP, REF, "bleu", settings).resumed == 6


def test_rows_are_numbered_on_from_batch_to_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reader(shard: finding.Shard) -> Parallel:
        return Parallel(list(shard.texts.systems), list(shard.texts.references), batch_size=2)

    monkeypatch.setattr(task, "_reader", reader)
    settings = ShardSettings(key="id")
    for number, (ours, theirs, problem) in enumerate(
        (
            ("abcda", "abcda", "rows 1 and 5 of .* both have the id a"),
            ("abcdd", "abcdd", "rows 4 and 5 of .* both have the id d"),
            ("abc e", "abc e", "row 4 of .* has no id"),
            ("abcde", "abced", r"row 4 of .*ref.* has the id d, and row 4 of .*hyp.* has e"),
        )
    ):
        words = []
        for side, keys in (("ref", ours), ("hyp", theirs)):
            path = tmp_path / f"{number}.{side}.jsonl"
            rows = [{"id": key.strip(), "t": "it rains"} for key in keys]
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            words.append(f"{path}:t")
        with pytest.raises(InputError, match=problem):
            score_shards(words[1], words[0], "bleu", settings)


def test_progress_counts_every_shard(segments: list[dict[str, str]]) -> None:
    calls: list[tuple[int, int]] = []
    settings = ShardSettings(results="results")

    def run() -> list[tuple[int, int]]:
        calls.clear()
        score_shards(HYP, REF, settings=settings, progress=lambda *counts: calls.append(counts))
        return list(calls)

    assert run() == [(number, 6) for number in range(1, 7)]
    assert run() == []
    for number in (1, 4):
        Path(f"results/00000{number}.json").unlink()
    assert run() == [(5, 6), (6, 6)]


@pytest.mark.parametrize("alone", [1, 3, 4])
def test_files_that_fit_nothing_are_named_and_counted(
    alone: int, segments: list[dict[str, str]]
) -> None:
    for number in range(6, 6 + alone):
        write(Path(f"data/part-{number:02d}.jsonl"), lines(number, 1))
    with pytest.raises(InputError) as caught:
        score_shards("data/part-0[0-5].jsonl:hyp", REF.replace("*", "0[0-9]"))
    named = ", ".join(f"data/part-{n:02d}.jsonl" for n in range(6, 6 + min(alone, 3)))
    more = f" and {alone - 3} more" if alone > 3 else ""
    assert f": {named}{more} fits nothing of data/part-0[0-5].jsonl" in str(caught.value)


def test_parts_have_as_few_row_groups_as_reach_the_least_rows() -> None:
    most = finding.PART_ROWS
    for rows, parts in (
        ([most, most, 1], [(0, 1), (1, 2), (2, 3)]),
        ([most - 1, 1, most], [(0, 2), (2, 3)]),
        ([most - 1, 2, most - 1], [(0, 2), (2, 3)]),
        ([1, 1, 1], [(0, 3)]),
        ([most + 1], [(0, 1)]),
    ):
        assert list(finding._divided(rows)) == parts


@pytest.mark.parametrize("wrong", [1, 2, 3, 4, 6])
def test_the_error_counts_the_shards_that_cannot_be_counted(
    wrong: int, segments: list[dict[str, str]]
) -> None:
    """The others have results, which the error names if there are any."""
    for number in range(wrong):
        Path(f"data/part-{number:02d}.jsonl").write_text('{"ref": "a", "hyp": 5, "domain": "x"}\n')
    with pytest.raises(InputError) as caught:
        score_shards(HYP, REF, "bleu", ShardSettings(results="results"))
    message = str(caught.value)
    assert message.startswith(f"{wrong} of 6 shards cannot be counted: data/part-00.jsonl:1")
    assert message.count(".jsonl:1") == min(wrong, 3)
    assert (f"; and {wrong - 3} more" in message) == (wrong > 3)
    assert ("the results of the others are in results" in message) == (wrong < 6)
    assert len(list(Path("results").glob("0*.json"))) == 6 - wrong


@pytest.mark.slow
@pytest.mark.libraries
def test_scores_of_a_shard_that_fails_leave_no_file(
    segments: list[dict[str, str]], tmp_path: Path
) -> None:
    """At an address, too, where a file appears under another name first."""
    Path("data/part-02.jsonl").write_text('{"ref": "a", "hyp": "a"}\n{"ref": "a", "hyp": 5}\n')
    for number, folder in enumerate((f"file://{tmp_path}/scores", "here")):
        (tmp_path / "scores").mkdir(exist_ok=True)
        with pytest.raises(InputError, match="1 of 6 shards cannot be counted"):
            score_shards(HYP, REF, "bleu", ShardSettings(segment_scores=folder))
        written = (tmp_path / "scores", Path("here"))[number]
        assert sorted(path.name for path in written.iterdir()) == [
            f"{shard:06d}.parquet" for shard in (0, 1, 3, 4, 5)
        ]
