"""Shards that are counted in this process: what they say is what all texts at one place say."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import (
    Corpus,
    InputError,
    OptionError,
    ShardSettings,
    make_metric,
    score_shards,
    with_sources,
)
from bleuet.shards import finding, scoring, task
from bleuet.shards.folder import ResultsFolder
from bleuet.study_settings import IntervalSettings
from bleuet.text.fingerprint import fingerprint_of
from bleuet.text.parallel import Parallel
from bleuet.text.source import Source
from tests.shards.texts import DOMAINS, lines, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

METRICS = ("sari", "cider", "ter", "nist")
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
    with pytest.raises(InputError, match=rf"part-00\.jsonl has 1 file and .* has {6 + alone}: "):
        score_shards("data/part-00.jsonl:hyp", REF)


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


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, list[str]]]:
    """Return a run of four shards, which have different flaws, that returns its warnings too."""
    monkeypatch.chdir(tmp_path)

    def reader(shard: finding.Shard) -> Parallel:
        of = shard.texts
        return Parallel(list(of.systems), list(of.references), batch_size=4, source=of.source)

    monkeypatch.setattr(task, "_reader", reader)
    for number, name in enumerate("abcd"):
        own = lines(number, 9)
        sides = {side: [row[side] for row in own] for side in ("hyp", "other", "ref", "src")}
        sides["two"] = [f"{row['ref']} again" for row in own]
        if name == "a":
            sides["other"][0] = "a cat &amp; a dog"
        if name == "b":
            sides["two"][5:7] = "", ""
        if name == "c":
            sides["ref"][0] = "\ufeff" + sides["ref"][0]
        if name == "d":
            sides = {side: [] for side in sides}
        for side, texts in sides.items():
            text = "".join(f"{line}\n" for line in texts)
            Path(f"{name}.{side}").write_text(text, encoding="utf-8")

    def run(places: str = "*", results: str | None = None) -> tuple[Any, list[str]]:
        names = ("hyp", "other", "two", "ref", "two", "src")
        found = [Source.parse(f"{places}.{name}") for name in names]
        texts = finding.ShardTexts(tuple(found[:3]), tuple(found[3:5]), found[5])
        metrics = {name: make_metric(name) for name in METRICS}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            scores = scoring.score_texts(
                texts,
                ["mine", "theirs", "third"],
                metrics,
                ShardSettings(results=results),
                None if places == "whole" else IntervalSettings(draws=9),
                fingerprint=True,
            )
        return scores, [str(one.message) for one in caught]

    return run


def test_shards_have_the_scores_warnings_and_test_set_of_all_texts(
    told: Callable[..., tuple[Any, list[str]]],
) -> None:
    """Also of the second reference, of the sources, and where the last shard is empty."""
    texts = {}
    for side in ("hyp", "other", "two", "ref", "src"):
        text = "".join(Path(f"{name}.{side}").read_text(encoding="utf-8") for name in "abc")
        Path(f"whole.{side}").write_text(text, encoding="utf-8")
        texts[side] = text.splitlines()
    pairs = list(map(list, zip(texts["ref"], texts["two"], strict=True)))
    references = with_sources(pairs, texts["src"])
    shards, warned = told("[a-d]")
    for name in METRICS:
        for system, side in (("mine", "hyp"), ("theirs", "other"), ("third", "two")):
            expected = make_metric(name).corpus_score(texts[side], references)
            assert shards[name][system].score == pytest.approx(expected.score, rel=1e-12)
    assert shards.scores.test_set == fingerprint_of(references)
    _, of_whole = told("whole")
    assert [one.partition(",")[0].partition(";")[0] for one in warned] == [
        "2 lines of [a-d].two are empty",
        "1 line of theirs contains escaped entities such as &quot",
        "2 lines of third are empty",
        "third is both a system and a reference",
        "c.ref begins with a byte order mark",
    ]
    assert [one.replace("[a-d].", "whole.") for one in warned[:-1]] == of_whole


@pytest.mark.parametrize("left", ["", "0", "12", "3", "123"])
def test_a_resumed_run_says_what_one_run_says(
    left: str, told: Callable[..., tuple[Any, list[str]]]
) -> None:
    """Scores, intervals, warnings and the fingerprint of the test set."""
    one, warned = told(results="results")
    assert len(warned) == 5
    for number in left:
        Path(f"results/00000{number}.json").unlink()
    again, warned_again = told(results="results")
    assert again.resumed == 4 - len(left)
    assert warned_again == warned
    assert again.render("json") == one.render("json")
    assert json.loads(one.render("json"))[0]["test_set"]


def test_only_a_shard_without_a_result_may_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under its name, and where no metric learns from the texts of all shards."""
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    for number in range(6):
        write(Path(f"data/part-0{number}.jsonl"), lines(number, 2))
    for place, (metrics, gone, changed, allowed) in enumerate(
        (
            (["bleu"], [3], [3], True),
            (["bleu"], [0, 3], [0, 3], True),
            (["bleu"], [0], [3], False),
            (["bleu"], [3], [0], False),
            (["bleu"], [3], [3, 5], False),
            (["bleu", "nist"], [3], [3], False),
            (["nist", "bleu"], [3], [3], False),
        )
    ):
        settings = ShardSettings(results=f"results-{place}")
        score_shards(HYP, REF, metrics, settings)
        for number in gone:
            Path(f"results-{place}/00000{number}.json").unlink()
        for number in changed:
            write(Path(f"data/part-0{number}.jsonl"), lines(100 + 10 * place + number, 2))
        if allowed:
            assert score_shards(HYP, REF, metrics, settings).resumed == 6 - len(gone)
            whole = score_shards(HYP, REF, metrics)
            assert score_shards(HYP, REF, metrics, settings)["bleu"] == whole["bleu"]
        else:
            with pytest.raises(OptionError, match="results of a run with other files"):
                score_shards(HYP, REF, metrics, settings)


def test_a_shard_of_another_name_is_another_shard(segments: list[dict[str, str]]) -> None:
    """Its name decides the draws of its intervals."""
    settings = ShardSettings(results="results")
    score_shards(HYP, REF, "bleu", settings)
    Path("results/000005.json").unlink()
    Path("data/part-05.jsonl").rename("data/part-06.jsonl")
    with pytest.raises(OptionError, match=r"other files: 05, .* but now 06, "):
        score_shards(HYP, REF, "bleu", settings)


@pytest.mark.parametrize("wrong", [1, 2])
def test_a_column_is_compared_in_every_file_to_its_end(
    wrong: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The references have it first; then each system."""
    monkeypatch.chdir(tmp_path)

    def run(values: str) -> int:
        for number, name in enumerate("rst"):
            rows = [
                {"kind": kind, "t": "it rains"} for kind in (values if number == wrong else "xyx")
            ]
            content = "".join(json.dumps(row) + "\n" for row in rows)
            Path(f"{name}.jsonl").write_text(content, encoding="utf-8")
        words = [f"{name}.jsonl:t" for name in "rst"]
        return score_shards(words[1:], words[0], "ter", ShardSettings(by="kind")).segments

    assert run("xyx") == 3
    name = "rst"[wrong]
    with pytest.raises(InputError, match=f"row 3 of r.jsonl has the kind x, and row 3 of {name}"):
        run("xyy")


@pytest.mark.parametrize("changed", [0, 1, 2])
def test_a_file_that_changes_after_it_was_found_is_an_error(
    changed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the files of a shard it is."""
    monkeypatch.chdir(tmp_path)
    for name in "abc":
        Path(name).write_text("it rains\n", encoding="utf-8")
    sources = [Source.parse(name) for name in "abc"]
    (shard,) = finding.find_shards(finding.ShardTexts(tuple(sources[:2]), tuple(sources[2:])))
    shard.check_unchanged()
    os.utime("abc"[changed], ns=(1, 1))
    with pytest.raises(InputError, match=f"{'abc'[changed]} was changed while the run went on"):
        shard.check_unchanged()


@pytest.mark.parametrize("changed", ["systems", "references", "sources"])
def test_results_of_other_texts_are_not_taken(changed: str, segments: list[dict[str, str]]) -> None:
    """Also where the files are the same, and only one column of one side is another."""
    words = {"systems": [HYP, OTHER], "references": [REF, OTHER], "sources": [REF]}
    settings = ShardSettings(results="results")

    def run() -> int:
        return score_shards(
            words["systems"], words["references"], "sari", settings, sources=words["sources"][0]
        ).resumed

    assert (run(), run()) == (0, 6)
    words[changed][-1] = "data/part-*.jsonl:id"
    with pytest.raises(OptionError, match="results of a run with other"):
        run()


@pytest.mark.parametrize("order", ["right wrong", "wrong right"])
def test_draws_of_a_group_are_those_of_its_segments(order: str, tmp_path: Path) -> None:
    """A group without an edit has none in any draw."""
    rows = [
        {"kind": kind, "ref": "it rains", "hyp": "it rains" if kind == "right" else "it rained"}
        for kind in order.split() * 9
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with warnings.catch_warnings(action="error"):
        found = score_shards(
            f"{path}:hyp",
            f"{path}:ref",
            "ter",
            ShardSettings(by="kind"),
            intervals=IntervalSettings(draws=9),
        )
    for group, rate in (("right", 0), ("wrong", 50)):
        intervals = found.groups[group].intervals
        assert intervals is not None
        ((one,),) = intervals
        assert (one.low, one.high) == (rate, rate)
        assert found.groups[group]["ter"].score == rate
        assert "|bs:9|seed:12345|draw:poisson|" in str(one.signature)


def test_a_new_run_takes_no_file_of_scores_for_its_own(tmp_path: Path) -> None:
    """One that goes on takes those of its shards; other files may lie beside them."""
    folder = str(tmp_path / "scores")

    def written(*, is_new: bool) -> set[int] | None:
        return scoring._scores_of_segments(folder, 3, is_new=is_new)

    assert scoring._scores_of_segments("", 3, is_new=True) is None
    for is_new in (True, False, True):
        assert written(is_new=is_new) == set()
    for name in ("notes.txt", "000000.parquet", "000002.parquet"):
        Path(folder, name).touch()
    assert written(is_new=False) == {0, 2}
    with pytest.raises(OptionError, match=r"files of another run, such as 00000[02]\.parquet"):
        written(is_new=True)
    Path(folder, "000003.parquet").touch()
    with pytest.raises(OptionError, match=r"files of another run, such as 000003\.parquet"):
        written(is_new=False)


def test_a_folder_of_results_is_new_once(tmp_path: Path) -> None:
    job = task.Job(("",), {"bleu": make_metric("bleu")})
    for is_new in (True, False, False):
        with ResultsFolder(str(tmp_path / "results"), job, {"systems": ["a"]}) as folder:
            assert folder.is_new == is_new
