"""The history of a gate: its lines, its file under several processes, its parts, its labels."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bleuet import BLEU, CHRF, TER, InputError, OptionError
from bleuet.gate import (
    GateResult,
    GateRun,
    History,
    Limits,
    append_run,
    gate_limits,
    gate_systems,
    read_history,
    run_of,
)
from bleuet.gate import history_file as file_of_history
from bleuet.gate.commit_label import commit, short_label
from bleuet.gate.runs import FORMAT, now, parse_run
from bleuet.significance import Evaluation, IntervalSettings, TestSettings, bootstrap_interval
from bleuet.tablefile.saved_tables import SavedTable
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B
from tests.gate_runs import (
    SIGNATURES,
    VERSION,
    five_runs,
    gate_run,
    lines_of,
    run_score,
    with_breaks,
)

TIME = "2026-11-25T23:50:00Z"


def metrics() -> list[Any]:
    return [BLEU(), CHRF(), TER()]


def gated(old: list[str], new: list[str], **test: Any) -> tuple[GateResult, list[SavedTable]]:
    evaluation = Evaluation.count(metrics(), {"old": old, "new": new}, REFERENCE * 10)
    result = gate_systems(evaluation, Limits(), TestSettings(draws=300, **test))
    own = evaluation.tables["new"]
    return result, [
        SavedTable("new", metric, table, "f" * 64)
        for metric, table in zip(metrics(), own, strict=True)
    ]


# --- From a gate ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "significant"),
    [(SYSTEM_A, SYSTEM_B, "worse"), (SYSTEM_B, SYSTEM_A, "better"), (SYSTEM_A, SYSTEM_A, None)],
)
def test_a_run_has_the_numbers_of_the_gate(
    old: list[str], new: list[str], significant: str | None
) -> None:
    result, tables = gated(old * 10, new * 10)
    settings = IntervalSettings(draws=200, seed=7)
    run = run_of(result, tables, label="one", time=TIME, settings=settings)
    assert (run.system, run.segments, run.test_set) == ("new", 40, "f" * 64)
    assert (run.passed, run.test, run.alpha) == (result.passed, result.test, 0.05)
    for score, check, saved in zip(run.scores, result.checks, tables, strict=True):
        interval = bootstrap_interval(saved.metric, saved.table, settings)
        assert (score.metric, score.score) == (check.metric, check.new)
        assert (score.low, score.high) == (interval.low, interval.high)
        assert score.fails == check.fails
        (one,) = score.comparisons
        assert (one.baseline, one.score, one.drop) == ("old", check.baseline, check.drop)
        assert (one.p_value, one.corrected_p_value) == (check.p_value, check.corrected_p_value)
        assert (one.low, one.high) == (check.low, check.high)
        assert one.significant == significant == score.significant
    assert parse_run(run.line()) == run


def test_a_change_is_significant_by_the_corrected_p_value() -> None:
    result, tables = gated(SYSTEM_B * 10, SYSTEM_A * 10)
    p_values = {check.corrected_p_value for check in result.checks}
    (p,) = p_values
    assert p is not None
    for alpha, expected in ((p * 1.01, "better"), (p, None)):
        limited = result.replace(limits=Limits(alpha=alpha))
        run = run_of(limited, tables, label="one", time=TIME)
        assert {score.significant for score in run.scores} == {expected}


def test_a_p_value_that_may_be_smaller_is_printed_as_the_largest_it_can_be() -> None:
    """The shuffled system is worse in each draw, so that p is the smallest that draws can give."""
    result, tables = gated(SYSTEM_A * 10, [" ".join(line.split()[::-1]) for line in SYSTEM_A] * 10)
    run = run_of(result, tables, label="one", time=TIME)
    (bleu,) = [score.comparisons[0] for score in run.scores if score.metric == "BLEU"]
    assert bleu.at_most
    assert parse_run(run.line()) == run
    assert f"≤ {bleu.final_p_value:.4f}" in History((run,)).to_text()
    line = json.loads(run.line())
    for score in line["scores"]:
        del score["comparisons"][0]["at_most"]
    older = parse_run(json.dumps(line))
    assert {score.comparisons[0].at_most for score in older.scores} == {False}
    assert "≤" not in History((older,)).to_text()


def test_each_score_has_its_baseline_and_its_release() -> None:
    texts = {"last": SYSTEM_B * 10, "v1": SYSTEM_A * 10, "new": SYSTEM_B * 10}
    evaluation = Evaluation.count(metrics(), texts, REFERENCE * 10)
    result = gate_systems(evaluation, Limits(), TestSettings(draws=300))
    saved = zip(metrics(), evaluation.tables["new"], strict=True)
    run = run_of(result, [SavedTable("new", *one) for one in saved], label="one", time=TIME)
    for score in run.scores:
        assert [one.baseline for one in score.comparisons] == ["last", "v1"]
        assert [one.significant for one in score.comparisons] == [None, "worse"]
        # The mark of a chart is the change from the baseline.
        assert (score.significant, score.fails) == (None, True)
    rows = History((run,)).to_text().splitlines()
    assert [row.split()[-1] for row in rows[1:3]] == ["fails", "fails"]


def test_a_run_without_a_baseline_has_no_comparison() -> None:
    _, tables = gated(SYSTEM_A * 10, SYSTEM_A * 10)
    scores = [saved.score() for saved in tables]
    result = gate_limits("new", scores, Limits(min={"bleu": 99}))
    run = run_of(result, tables, label="one", time=TIME)
    assert [score.comparisons for score in run.scores] == [(), (), ()]
    assert (run.passed, run.scores[0].fails, run.test) == (False, True, None)
    assert "difference" not in History((run,)).to_text()
    assert parse_run(run.line()) == run


# --- Lines ----------------------------------------------------------------------------------------


def changed(**changes: Any) -> str:
    return json.dumps({**json.loads(gate_run(1).line()), **changes})


def with_score(**changes: Any) -> str:
    data = json.loads(gate_run(1).line())
    data["scores"][0].update(changes)
    return json.dumps(data)


def with_comparison(**changes: Any) -> str:
    data = json.loads(gate_run(1).line())
    data["scores"][0]["comparisons"][0].update(changes)
    return json.dumps(data)


def without(key: str) -> str:
    data = json.loads(gate_run(1).line())
    del data[key]
    return json.dumps(data)


FAULTS: dict[str, tuple[str, str]] = {
    "nothing": ("", "it is empty"),
    "not JSON": ("hello", "character 1: Expecting value"),
    "half a line": (gate_run(1).line()[:300], "is not a run of a gate (character"),
    "nested deeply": ("[" * 100_000, "nested too deeply"),
    "a long number": (changed(segments=1).replace("1,", "1" * 5000 + ",", 1), "4300 digits"),
    "a list": ("[]", "it is not an object"),
    "no format": (without("format"), "it has no number of a format"),
    "a format of 0": (changed(format=0), "it has no number of a format"),
    "a switch as format": (changed(format=True), "it has no number of a format"),
    "a later format": (changed(format=FORMAT + 1), "install a newer version"),
    "no label": (without("label"), "it has no label"),
    "a key twice": ('{"label": "a", ' + gate_run(1).line()[1:], "'label' occurs twice"),
    "an empty label": (changed(label=" "), "label must not be empty"),
    "a long label": (changed(label="x" * 201), "at most 200 characters, not 201"),
    "a label of two lines": (changed(label="a\nb"), "label must be one line"),
    "a label of a number": (changed(label=5), "label must be a text, not 5"),
    "a time that is none": (changed(time="2026-02-30T00:00:00Z"), "time must be a time such as"),
    "a time with one digit": (changed(time="2026-2-3T00:00:00Z"), "time must be a time such as"),
    "no segments": (changed(segments=0), "segments must be 1 or more"),
    "half a segment": (changed(segments=0.5), "segments must be a whole number"),
    "an alpha of 1": (changed(alpha=1), "alpha must be between 0 and 1"),
    "no scores": (changed(scores=[]), "scores must have one score or more"),
    "scores that are none": (changed(scores=None), "it has no list of scores"),
    "a score that is none": (changed(scores=[3]), "a score is not an object"),
    "NaN": (gate_run(1).line().replace("30.0", "NaN"), "NaN is not a number of JSON"),
    "a score beyond numbers": (
        gate_run(1).line().replace('"score": 30.0', '"score": 1e999'),
        "score must be a finite number",
    ),
    "a score as text": (with_score(score="30"), "score must be a number"),
    "one end of an interval": (with_score(high=None), "low must be a number if high is one"),
    "ends the wrong way": (with_score(low=40), "low must be at most high"),
    "no signature": (with_score(signature="BLEU"), "BLEU"),
    "no comparisons": (with_score(comparisons=None), "it has no list of comparisons"),
    "a comparison that is none": (with_score(comparisons=[3]), "a comparison is not an object"),
    "a p-value of 2": (with_comparison(p_value=2), "p_value must be from 0 to 1, not 2"),
    "a change of no kind": (
        with_comparison(significant="equal"),
        "significant must be worse, better or null",
    ),
    "a conflict of git": ("<<<<<<< HEAD", "is a mark of a merge conflict of git"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_line_that_is_not_a_run_is_an_error_with_its_number(tmp_path: Path, name: str) -> None:
    line, problem = FAULTS[name]
    path = tmp_path / "history.jsonl"
    path.write_text("\n".join([gate_run(1).line(), line, gate_run(2).line()]) + "\n")
    with pytest.raises(InputError) as caught:
        read_history(str(path))
    message = str(caught.value)
    assert message.startswith(f"{path}:2 ")
    assert problem in message
    assert "\n" not in message


def test_keys_of_later_versions_are_ignored() -> None:
    data = json.loads(gate_run(1).line())
    data["weather"] = "rain"
    data["scores"][0]["colour"] = None
    data["scores"][0]["comparisons"][0]["colour"] = [1]
    assert parse_run(json.dumps(data)) == gate_run(1)


def test_a_line_ends_in_any_way(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    lines = lines_of(five_runs())
    for text in ("\n".join(lines), "\r\n".join(lines) + "\r\n", "\ufeff" + "\n".join(lines)):
        path.write_bytes(text.encode())
        assert list(read_history(str(path)).runs) == five_runs()


# --- The file -------------------------------------------------------------------------------------


def test_runs_are_appended_and_nothing_else_changes(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    for number, run in enumerate(five_runs(), 1):
        append_run(str(path), run)
        assert path.read_text().splitlines() == lines_of(five_runs()[:number])
    path.write_text(path.read_text().rstrip("\n"))
    path.chmod(0o640)
    append_run(str(path), gate_run(9))
    assert path.read_text().splitlines() == lines_of([*five_runs(), gate_run(9)])
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["history.jsonl"]


def test_the_oldest_runs_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_of_history, "MOST_RUNS", 3)
    path = tmp_path / "history.jsonl"
    for run in five_runs():
        append_run(str(path), run)
    assert path.read_text().splitlines() == lines_of(five_runs()[-3:])


def test_a_file_that_an_error_leaves_empty_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(run: GateRun) -> str:
        raise InputError("no line")

    append_run(str(tmp_path / "old.jsonl"), gate_run(1))
    (tmp_path / "empty.jsonl").touch()
    monkeypatch.setattr(GateRun, "line", fail)
    for name in ("new.jsonl", "empty.jsonl", "old.jsonl"):
        with pytest.raises(InputError, match="no line"):
            append_run(str(tmp_path / name), gate_run(2))
    sizes = {file.name: file.stat().st_size > 0 for file in tmp_path.iterdir()}
    assert sizes == {"empty.jsonl": False, "old.jsonl": True}


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    link.symlink_to(target)
    append_run(str(link), gate_run(1))
    append_run(str(link), gate_run(2))
    assert link.is_symlink()
    assert len(target.read_text().splitlines()) == 2


def append_many(path: str, process: int, count: int) -> None:
    for number in range(count):
        append_run(path, gate_run(1, label=f"{process} {number}"))


@pytest.mark.slow
def test_processes_that_append_at_once_lose_no_run(tmp_path: Path) -> None:
    path = str(tmp_path / "history.jsonl")
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=append_many, args=(path, i, 25)) for i in range(4)]
    for one in processes:
        one.start()
    # A reader never sees a part of a line.
    seen = 0
    while any(one.is_alive() for one in processes):
        if os.path.exists(path):
            found = len(read_history(path).runs)
            assert found >= seen
            seen = found
    for one in processes:
        one.join()
        assert one.exitcode == 0
    labels = [run.label for run in read_history(path).runs]
    assert sorted(labels) == sorted(f"{i} {number}" for i in range(4) for number in range(25))
    for i in range(4):
        assert [label for label in labels if label.startswith(f"{i} ")] == [
            f"{i} {number}" for number in range(25)
        ]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("folder", "is a folder"),
        ("none/history.jsonl", "no folder"),
        ("history.jsonl.gz", "has the name of a compressed file"),
        ("pipe", "is not a regular file"),
    ],
)
def test_a_file_that_cannot_hold_runs(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=problem):
        append_run(str(tmp_path / name), gate_run(1))


# --- Parts ----------------------------------------------------------------------------------------


def test_runs_are_in_the_order_of_time() -> None:
    """As after a merge of two branches, whose lines git has put one after the other."""
    runs = five_runs()
    mixed = History((*runs[3:], *runs[:3]))
    assert list(mixed.runs) == runs
    same = [gate_run(1, label=label) for label in "cab"]
    assert [run.label for run in History(tuple(same)).runs] == ["c", "a", "b"]


def test_scores_with_the_same_options_and_test_set_are_one_part() -> None:
    history = History(tuple(five_runs()))
    assert [panel.metric for panel in history.panels] == ["BLEU", "TER"]
    assert [[point.part for point in panel.points] for panel in history.panels] == [[1] * 5] * 2
    assert history.breaks == []
    assert "part" not in history.to_text()


def test_other_options_or_another_test_set_begin_a_part() -> None:
    history = History(tuple(with_breaks()))
    (panel,) = history.panels
    for system in ("en-de", "en-cs"):
        own = [point for point in panel.points if point.run.system == system]
        assert [point.part for point in own] == [1, 1, 2, 2, 2, 3]
        assert [point.step for point in own] == [1, 2, 3, 4, 5, 6]
        first, second = (one for one in history.breaks if one.system == system)
        assert (first.step, first.reasons) == (3, ("options",))
        assert "has tok:intl (before tok:13a), so scores" in first.text
        assert (second.step, second.reasons) == (6, ("test set",))
        assert "has another test set (60 segments, before 500), so scores" in second.text
    text = history.to_text()
    # Once for both systems.
    assert text.count("cannot be compared") == 2
    assert f"BLEU: {panel.points[4].label} has tok:intl" in text
    # Another version alone is mentioned, and no break.
    assert f"on, bleuet-99.0 computed the scores, before it {VERSION}." in text


def test_a_test_set_of_equal_size_is_another_one_by_its_fingerprint() -> None:
    runs = (gate_run(1), gate_run(2, test_set="7" * 64))
    (one,) = History(runs).breaks
    assert (one.reasons, one.step) == (("test set",), 2)
    assert "another test set (500 segments)" in one.text


def test_a_change_of_one_system_names_it() -> None:
    runs = [gate_run(day, system=name) for day in (1, 2) for name in ("en-de", "en-cs")]
    runs[-1] = runs[-1].replace(test_set="7" * 64)
    history = History(tuple(runs))
    assert [one.system for one in history.breaks] == ["en-cs"]
    assert f"BLEU of en-cs: {runs[-1].label[:7]} has another test set" in history.to_text()


def test_an_option_that_one_signature_lacks_is_named() -> None:
    plain = SIGNATURES["BLEU"]
    other = plain.replace("|version", "|order:2|version")
    for before, after, text in (
        (plain, other, "order:2 (before no order)"),
        (other, plain, "no order (before order:2)"),
    ):
        runs = [gate_run(i, run_score(30, signature=s)) for i, s in ((1, before), (2, after))]
        assert text in History(tuple(runs)).breaks[0].text


def test_two_metrics_of_one_name_are_two_panels() -> None:
    other = SIGNATURES["BLEU"].replace("13a", "intl")
    pair = (run_score(30), run_score(33, signature=other))
    runs = (gate_run(1, *pair), gate_run(2, *reversed(pair)), gate_run(3, pair[0]))
    history = History(runs)
    assert [panel.metric for panel in history.panels] == ["BLEU (1)", "BLEU (2)"]
    assert history.breaks == []
    assert [[p.score.score for p in panel.points] for panel in history.panels] == [
        [30, 30, 30],
        [33, 33],
    ]


def test_a_metric_that_is_left_out_once_continues() -> None:
    ter = run_score(60, metric="TER")
    runs = (gate_run(1, run_score(30), ter), gate_run(2), gate_run(3, run_score(30), ter))
    assert [[p.step for p in panel.points] for panel in History(runs).panels] == [
        [1, 2, 3],
        [1, 3],
    ]
    assert History(runs).breaks == []


def test_a_repeated_run_of_one_commit_has_a_place_of_its_own() -> None:
    runs = [gate_run(1), gate_run(1), gate_run(2)]
    assert History(tuple(runs)).steps == [1, 2, 3]
    both = [gate_run(1, system=name) for name in "ab"]
    assert History((*both, *both)).steps == [1, 1, 2, 2]


def test_the_newest_runs_only() -> None:
    history = History(tuple(with_breaks()))
    newest = history.newest(2)
    assert (len(newest.runs), newest.left_out, newest.steps) == (4, 8, [1, 1, 2, 2])
    assert "8 older runs are left out." in newest.to_text()
    assert history.newest(100) == history
    # What was left out before stays left out.
    assert history.newest(4).newest(2) == newest
    with pytest.raises(OptionError, match="1 or more"):
        history.newest(0)


def test_the_difference_is_the_score_less_that_of_the_baseline() -> None:
    for record in History(tuple(five_runs())).document().records["runs"]():
        assert record["difference"] == record["score"] - record["baseline_score"]


def test_few_segments_are_mentioned() -> None:
    assert "1 run of fewer than 100 segments" in History((gate_run(1, segments=99),)).to_text()
    assert "fewer" not in History((gate_run(1, segments=100),)).to_text()
    documents = History((gate_run(1, documents=99), gate_run(2, documents=3)))
    assert "2 runs of fewer than 100 segments or documents" in documents.to_text()


# --- Labels ---------------------------------------------------------------------------------------


ONE, OTHER = "1" * 40, "2" * 40


def test_the_commit_of_continuous_integration_comes_first(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert commit({"GITHUB_SHA": ONE, "CI_COMMIT_SHA": OTHER}, folder) == ONE
    assert commit({"CI_COMMIT_SHA": OTHER}, folder) == OTHER
    assert commit({"GITHUB_SHA": "", "CI_COMMIT_SHA": "main"}, folder) == ""


def test_the_label_of_a_commit_is_short() -> None:
    assert short_label(ONE) == "1" * 7
    assert short_label("a" * 64) == "a" * 7
    assert short_label("A" * 40) == "A" * 40


@pytest.mark.slow
def test_the_commit_of_a_repository(tmp_path: Path) -> None:
    """As git itself reports it: of a branch, packed or not, a worktree and a detached head."""

    def git(*words: str, folder: Path = tmp_path / "one") -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    (tmp_path / "one" / "deep").mkdir(parents=True)
    git("init", "-b", "feature/a")
    assert commit({}, str(tmp_path / "one")) == ""
    for message in "ab":
        git("commit", "--allow-empty", "-m", message)
    head = git("rev-parse", "HEAD")
    assert commit({}, str(tmp_path / "one" / "deep")) == head
    git("pack-refs", "--all")
    assert commit({}, str(tmp_path / "one")) == head
    git("worktree", "add", "-b", "other", "../two", "HEAD~1")
    assert commit({}, str(tmp_path / "two")) == git("rev-parse", "HEAD~1") != head
    git("checkout", "--detach", "HEAD~1")
    assert commit({}, str(tmp_path / "one")) == git("rev-parse", "HEAD") != head


@pytest.mark.parametrize("head", ["ref: ../../secret", "ref: refs/../../secret", "ref: x", "\xff"])
def test_a_head_outside_the_repository_is_not_read(tmp_path: Path, head: str) -> None:
    (tmp_path / "secret").write_text(ONE)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head, encoding="latin-1")
    assert commit({}, str(tmp_path)) == ""


def test_a_time_has_one_form() -> None:
    times = [now(), gate_run(1).time, gate_run(30).time]
    assert {len(time) for time in times} == {20}
    assert all(one < other for one, other in pairwise(sorted(times[1:])))
    assert GateRun(**{**gate_run(1).as_dict(), "time": now()}).time[-1] == "Z"
