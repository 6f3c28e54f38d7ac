"""Scores of shards are those of all texts at one place."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import (
    InputError,
    OptionError,
    ShardSettings,
    make_metric,
    score,
    score_shards,
    with_sources,
)
from bleuet.errors import BleuetWarning
from bleuet.shards import finding
from bleuet.study_settings import IntervalSettings
from tests.cli.conftest import run_apart
from tests.shards.texts import DOMAINS, lines, write, write_shards

if TYPE_CHECKING:
    from bleuet.shards.scoring import ShardScores

pytestmark = [pytest.mark.slow, pytest.mark.libraries]

METRICS = [
    "bleu",
    "chrf",
    "ter",
    "nist",
    "cider",
    "rougeL",
    "meteor:matchers=exact",
    "crystal-bleu",
]
REF, HYP = "data/part-*.jsonl:ref", "data/part-*.jsonl:hyp"
ONE = ShardSettings(workers=2)


def column(segments: list[dict[str, str]], name: str) -> list[str]:
    return [one[name] for one in segments]


def check(found: ShardScores, segments: list[dict[str, str]], metrics: list[str]) -> None:
    """Compare scores with those of the same texts at one place."""
    for name in metrics:
        expected = make_metric(name).corpus_score(column(segments, "hyp"), column(segments, "ref"))
        assert found[name].score == pytest.approx(expected.score, rel=1e-12)
        assert str(found[name].signature) == str(expected.signature)
    assert found.segments == len(segments)


def test_every_kind_of_metric(segments: list[dict[str, str]]) -> None:
    found = score_shards(HYP, REF, METRICS, ONE)
    check(found, segments, METRICS)
    assert (found.shards, found.resumed) == (6, 0)
    for name in METRICS:
        metric = make_metric(name)
        if not metric.real_columns:
            whole = metric.corpus_score(column(segments, "hyp"), column(segments, "ref"))
            # All counts are the same integers, as the guide says.
            assert (found[name].score, found[name].values) == (whole.score, whole.values)


@pytest.mark.parametrize("kind", ["parquet", "csv", "jsonl"])
def test_formats(kind: str, tmp_path: Path) -> None:
    segments = write_shards(tmp_path / "a", 3, kind)
    word = f"{tmp_path}/a/*.{kind}"
    found = score_shards(f"{word}:hyp", f"{word}:ref", ["bleu"], ShardSettings(by="domain"))
    check(found, segments, ["bleu"])
    for domain in DOMAINS:
        own = [one for one in segments if one["domain"] == domain]
        expected = make_metric("bleu").corpus_score(column(own, "hyp"), column(own, "ref"))
        assert found.groups[domain]["bleu"].score == expected.score


def test_warnings_are_those_of_all_texts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shards print the sentences of `bleuet score` without shards, and --quiet hides them."""
    monkeypatch.chdir(tmp_path)
    whole: dict[str, str] = {"ref": "", "two": "", "hyp": ""}
    for number in range(3):
        texts = {
            "ref": "The cat sat down.\nIt rained.\n",
            "two": f"A cat sat.\n{'' if number else 'It poured.'}\n",
            "hyp": f"A cat &amp; a dog.\n{'' if number else 'It rains.'}\n",
        }
        for side, text in texts.items():
            whole[side] += text
            (tmp_path / f"{number}.{side}.txt").write_text(text, encoding="utf-8")
    for side, text in whole.items():
        (tmp_path / f"{side}.txt").write_text(text, encoding="utf-8")
    plain = run_apart("score", "ref.txt", "two.txt", "-i", "a=hyp.txt")
    words = ("score", "*.ref.txt", "*.two.txt", "-i", "a=*.hyp.txt")
    shards = run_apart(*words)
    assert shards.out == plain.out
    assert shards.err == plain.err.replace("two.txt", "*.two.txt")
    assert shards.err.splitlines() == [
        f"bleuet: warning: {sentence} (--quiet hides this)"
        for sentence in (
            "2 lines of *.two.txt are empty, and each counts as a reference of length 0: if "
            "references are missing, use a JSON Lines file with lists of references",
            "2 lines of a are empty",
            "3 lines of a contain escaped entities such as &quot;; bleuet lint prints where",
        )
    ]
    assert run_apart(*words, "-q").err == ""
    # The results of an earlier run have their warnings.
    for _ in range(2):
        kept = run_apart(*words, "--results", "kept")
        assert kept.err == shards.err


def test_byte_order_marks_of_many_files_are_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        (tmp_path / f"{number}.ref.txt").write_text("\ufeffIt rained.\n", encoding="utf-8")
        (tmp_path / f"{number}.hyp.txt").write_text("It rains.\n", encoding="utf-8")
    words = ("score", "*.ref.txt", "-i", "*.hyp.txt")
    (line,) = run_apart(*words).err.splitlines()
    assert line.startswith("bleuet: warning: 0.ref.txt begins with a byte order mark")
    assert line.endswith("; so do 2 other files (--quiet hides this)")
    assert run_apart(*words, "-q").err == ""


def test_plain_and_compressed_files_of_lines(segments: list[dict[str, str]]) -> None:
    for number in range(6):
        own = segments[40 * number : 40 * (number + 1)]
        Path(f"de-en.{number}.txt").write_text("".join(f"{one['hyp']}\n" for one in own))
        Path("refs").mkdir(exist_ok=True)
        with gzip.open(f"refs/{number}.ref.gz", "wt") as file:
            file.writelines(f"{one['ref']}\n" for one in own)
    found = score_shards("de-en.?.txt", "refs/[0-9].ref.gz")
    check(found, segments, ["bleu"])


def test_several_systems_references_and_sources(segments: list[dict[str, str]]) -> None:
    other = "data/part-*.jsonl:other"
    found = score_shards(
        {"mine": HYP, "theirs": other}, [REF, other], ["sari", "bleu"], ONE,
        sources="data/part-*.jsonl:src",
    )  # fmt: skip
    references: Any = [[one["ref"], one["other"]] for one in segments]
    carried = with_sources(references, column(segments, "src"))
    for name, side in (("mine", "hyp"), ("theirs", "other")):
        for metric in ("sari", "bleu"):
            expected = make_metric(metric).corpus_score(column(segments, side), carried)
            assert found[metric][name].score == pytest.approx(expected.score, rel=1e-12)


def test_names_of_systems_on_the_command_line(segments: list[dict[str, str]]) -> None:
    other = "data/part-*.jsonl:other"

    def names(*systems: str) -> list[str]:
        words = ("score", REF, "-i", *systems, "--workers", "1", "-f", "csv")
        rows = csv.DictReader(run_apart(*words).out.splitlines())
        return [row["system"] for row in rows]

    assert names(HYP) == ["hyp"]
    assert names(HYP, other) == ["hyp", "other"]
    assert names(f"mine={HYP}", other) == ["mine", "other"]
    assert names(f"other={HYP}", other) == ["other", "part-*.jsonl:other"]
    # A file that is no pattern has the name that it has without shards.
    words = ("data/part-00.jsonl:hyp", "data/part-0[0].jsonl:other")
    for systems, expected in (
        (words, ["part-00.jsonl:hyp", "other"]),
        (words[::-1], ["other", "part-00.jsonl:hyp"]),
    ):
        printed = run_apart(
            "score", "data/part-00.jsonl:ref", "-i", *systems, "--workers", "1", "-f", "csv"
        ).out
        assert [row["system"] for row in csv.DictReader(printed.splitlines())] == expected


def test_folders_of_partitions(segments: list[dict[str, str]]) -> None:
    """What is before an equals sign in a path is no name of a system."""
    for number in range(6):
        folder = Path(f"parts/kind={number % 2}")
        folder.mkdir(parents=True, exist_ok=True)
        Path(f"data/part-{number:02}.jsonl").rename(folder / f"{number}.jsonl")
    by_kind = "parts/kind=*/*.jsonl"
    for pattern in (by_kind, "parts/**/*.jsonl", f"file://{Path.cwd()}/{by_kind}"):
        words = ("score", f"{pattern}:ref", "-i", f"{pattern}:hyp", "--workers", "1", "-f", "json")
        (found,) = json.loads(run_apart(*words).out)
        assert (found["system"], found["score"]) == ("hyp", bleu_of(segments))
    printed = run_apart("score", f"{by_kind}:ref", "-i", f"a/b={by_kind}:hyp", "-f", "json").out
    (found,) = json.loads(printed)
    assert (found["system"], found["score"]) == ("a/b", bleu_of(segments))
    with pytest.raises(InputError, match=r"parts is a folder; .* such as 'parts/\*\*/\*.parquet'"):
        score_shards("parts", "parts")


def bleu_of(segments: list[dict[str, str]]) -> float:
    return make_metric("bleu").corpus_score(column(segments, "hyp"), column(segments, "ref")).score


def test_plain_and_compressed_records_of_one_pattern(segments: list[dict[str, str]]) -> None:
    file = Path("data/part-03.jsonl")
    with gzip.open("data/part-03.jsonl.gz", "wt") as out:
        out.write(file.read_text())
    file.unlink()
    found = score_shards("data/*.jsonl*:hyp", "data/*.jsonl*:ref")
    assert (found.shards, found["bleu"].score) == (6, bleu_of(segments))


def test_a_large_file_is_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet

    segments = write_shards(tmp_path / "a", 1, "parquet")
    monkeypatch.setattr(finding, "DIVIDED_BYTES", 1)
    monkeypatch.setattr(finding, "PART_ROWS", 15)
    word = f"{tmp_path}/a/part-00.parquet"
    settings = ShardSettings(segment_scores=str(tmp_path / "scores"), key="id", by="domain")
    found = score_shards(f"{word}:hyp", f"{word}:ref", ["bleu"], settings)
    check(found, segments, ["bleu"])
    assert found.shards == 2
    tables = [pyarrow.parquet.read_table(one) for one in sorted((tmp_path / "scores").iterdir())]
    rows = [row for table in tables for row in table.to_pylist()]
    assert [row["segment"] for row in rows] == list(range(1, 41))
    assert [row["id"] for row in rows] == column(segments, "id")
    assert [row["domain"] for row in rows] == column(segments, "domain")
    expected = score(column(segments, "hyp"), column(segments, "ref"), ["bleu"])
    assert [row["bleu"] for row in rows] == expected.segment_scores("bleu").tolist()


def test_addresses(segments: list[dict[str, str]], tmp_path: Path) -> None:
    """The filesystem of addresses is Arrow's; here that of this computer."""
    word = f"file://{tmp_path}/data/part-*.jsonl"
    folder = f"file://{tmp_path}"
    settings = ShardSettings(segment_scores=folder)
    check(score_shards(f"{word}:hyp", f"{word}:ref", ["bleu"], settings), segments, ["bleu"])
    assert len(list(tmp_path.glob("0*.parquet"))) == 6
    write(tmp_path / "all.parquet", segments)
    large = f"file://{tmp_path}/all.parquet"
    check(score_shards(f"{large}:hyp", f"{large}:ref"), segments, ["bleu"])
    with pytest.raises(InputError, match="cannot be opened"):
        score_shards("nowhere://a/b.txt", "nowhere://a/c.txt")


def test_intervals_are_near_those_with_all_rows(segments: list[dict[str, str]]) -> None:
    found = score_shards(HYP, REF, ["bleu", "ter"], intervals=IntervalSettings(draws=2000))
    again = score_shards(
        HYP, REF, ["bleu", "ter"], ShardSettings(workers=1), intervals=IntervalSettings(draws=2000)
    )
    from bleuet.significance.interval import bootstrap_interval

    for place, name in enumerate(("bleu", "ter")):
        metric = make_metric(name)
        table = metric.count(column(segments, "hyp"), column(segments, "ref"))
        expected = bootstrap_interval(metric, table, IntervalSettings(draws=2000))
        assert found.scores.intervals is not None
        assert again.scores.intervals is not None
        interval = found.scores.intervals[0][place]
        assert interval == again.scores.intervals[0][place]
        width = expected.high - expected.low
        assert interval.low == pytest.approx(expected.low, abs=0.08 * width)
        assert interval.high == pytest.approx(expected.high, abs=0.08 * width)
        assert "|bs:2000|seed:12345|draw:poisson|" in str(interval.signature)


def test_what_cannot_be_done(segments: list[dict[str, str]]) -> None:
    with pytest.raises(InputError, match=r"no file fits data/\*.txt"):
        score_shards("data/*.txt", REF)
    Path("data/part-06.jsonl").write_text("")
    Path("hyp").mkdir()
    Path("hyp/part-01.jsonl").write_text("")
    with pytest.raises(InputError, match="has 7 files and hyp/part"):
        score_shards("hyp/part-*.jsonl:hyp", REF)
    with pytest.raises(InputError, match="standard input cannot be divided"):
        score_shards("-", REF)
    with pytest.raises(OptionError, match="counts each segment with those before it in mind"):
        score_shards(HYP, REF, "errant")
    with pytest.raises(OptionError, match="the engine is processes"):
        ShardSettings(address="a")
    with pytest.raises(OptionError, match="engine must be one of"):
        ShardSettings(engine="threads")
    with pytest.raises(OptionError, match="seed"):
        score_shards(HYP, REF, intervals=IntervalSettings(seed=None))
    # A shard may have no segment, but not all.
    assert score_shards(HYP, REF, ["bleu", "nist"]).segments == len(segments)
    Path("empty.txt").write_text("")
    with pytest.raises(InputError, match="there are no segments to score"):
        score_shards("empty.txt", "empty.txt")
    with pytest.raises(InputError, match="has no column nope"):
        score_shards(HYP, REF, "bleu", ShardSettings(by="nope"))


def test_names_that_wildcards_cannot_tell_apart(tmp_path: Path) -> None:
    for name in ("xa", "ax", "a"):
        for side in ("ref", "hyp"):
            (tmp_path / f"{name}.{side}").write_text(f"{name} it rains a lot\n")
    found = score_shards(f"{tmp_path}/*a*.hyp", f"{tmp_path}/*a*.ref")
    assert (found.shards, found.segments) == (3, 3)
    (tmp_path / "aa.ref").write_text("a\n")
    (tmp_path / "aa.hyp").write_text("a\n")
    assert score_shards(f"{tmp_path}//*a*.hyp", f"{tmp_path}/*a*.ref").segments == 4
    for pattern, why in (
        ("[z-a].txt", "cannot be read"),
        ("[0.txt", "cannot be read: No such file"),
    ):
        with pytest.raises(InputError, match=why):
            score_shards(f"{tmp_path}/{pattern}", f"{tmp_path}/{pattern}")


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_groups_without_a_value(tmp_path: Path, kind: str) -> None:
    domains = (None, "(none)", "", "=news", "(blank)", "all")
    rows: list[Any] = [
        dict(row, domain=value) for row, value in zip(lines(1, 6), domains, strict=True)
    ]
    write(tmp_path / f"a.{kind}", rows)
    word = f"{tmp_path}/a.{kind}"
    found = score_shards(f"{word}:hyp", f"{word}:ref", "ter", ShardSettings(by="domain"))
    names = ("((none))", "(none)", "((blank))", "=news", "(blank)", "all")
    assert {name: scores["ter"].score for name, scores in found.groups.items()} == {
        name: make_metric("ter").corpus_score([row["hyp"]], [row["ref"]]).score
        for name, row in zip(names, rows, strict=True)
    }


def test_json_of_groups_has_the_fingerprint_of_all_segments(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", lines(1, 9))
    word = f"{tmp_path}/a.jsonl"
    plain, grouped = (
        json.loads(run_apart("score", f"{word}:ref", "-i", f"{word}:hyp", *more).out)
        for more in (("-f", "json"), ("-f", "json", "--by", "domain"))
    )
    (score_of_all,) = grouped["scores"]["bleu"].values()
    assert score_of_all["test_set"] == plain[0]["test_set"] != ""
    for group in grouped["groups"].values():
        assert {one["test_set"] for one in group["bleu"].values()} == {""}


def test_groups_that_look_alike_are_warned_of(tmp_path: Path) -> None:
    rows = zip(lines(1, 4), ("news", "news ", "talks", "News"), strict=True)
    write(tmp_path / "a.jsonl", [dict(row, domain=domain) for row, domain in rows])
    word = f"{tmp_path}/a.jsonl"
    names = "domain has the groups 'News' and 'news' and 'news ', which differ in white space"
    with pytest.warns(BleuetWarning, match=f"^{names}"):
        found = score_shards(f"{word}:hyp", f"{word}:ref", "ter", ShardSettings(by="domain"))
    assert len(found.groups) == 4


@pytest.mark.parametrize("column", ["domain", "metric"])
def test_all_segments_are_no_group_in_any_format(tmp_path: Path, column: str) -> None:
    """Whatever a group is called, "all" or nothing."""
    (tmp_path / "a.csv").write_text(
        f"ref,hyp,{column}\nit rains a lot,it rains a lot,\nit is cold now,it was hot then,all\n"
    )
    word = f"{tmp_path}/a.csv"
    found = score_shards(f"{word}:hyp", f"{word}:ref", "ter", ShardSettings(by=column))
    expected = {"": 37.5, "(blank)": 0.0, "all": 75.0}
    heading = {"domain": "domain", "metric": "by metric"}[column]
    for rows in (
        list(csv.DictReader(found.to_csv().splitlines())),
        [json.loads(line) for line in found.render("jsonl").splitlines()],
    ):
        assert {row[heading]: float(row["score"]) for row in rows} == expected
    data = json.loads(found.to_json())
    assert data["scores"]["ter"]["score"] == 37.5
    assert data["groups"].keys() == {"(blank)", "all"}
    for text in (found.to_text(), found.to_markdown(), found.to_latex(), found.render("html")):
        whole, _, groups = text.partition(f"by {column}")
        assert "37.50" in whole
        assert "37.50" not in groups
        assert "(blank)" in groups


def write_apart(folder: Path, ids: list[Any], kind: str = "jsonl") -> tuple[str, str]:
    """Write references with the ids 0, 1, ..., and hypotheses with these; return their words."""
    folder.mkdir()
    segments = lines(1, len(ids))
    for name, keys in (("ref", range(len(ids))), ("hyp", ids)):
        rows: Any = [
            {"id": str(key), name: row[name]} for row, key in zip(segments, keys, strict=True)
        ]
        write(folder / f"{name}.{kind if name == 'hyp' else 'jsonl'}", rows)
    return f"{folder}/hyp.{kind}:hyp", f"{folder}/ref.jsonl:ref"


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_keys_of_all_files_are_compared(tmp_path: Path, kind: str) -> None:
    settings = ShardSettings(segment_scores=str(tmp_path / "scores"), key="id", workers=1)
    same = write_apart(tmp_path / "same", [0, 1, 2], kind)
    assert score_shards(*same, "bleu", settings).segments == 3
    other = write_apart(tmp_path / "other", [0, 2, 1], kind)
    for changed in (settings, ShardSettings(by="id", workers=1)):
        changed = changed.replace(segment_scores=changed.segment_scores and str(tmp_path / "new"))
        with pytest.raises(
            InputError,
            match=rf"row 2 of .*/ref\.jsonl has the id 1, and row 2 of .*/hyp\.{kind} has 2: "
            "expected the same segment in the same row: sort both files",
        ):
            score_shards(*other, "bleu", changed)


def test_keys_that_name_no_segment(tmp_path: Path) -> None:
    for name, ids, problem in (
        ("missing", ["a", ""], r"row 2 of .*one\.jsonl has no id, so that the files cannot"),
        ("twice", ["a", "a"], r"rows 1 and 2 of .*one\.jsonl both have the id a, so that"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("one", "other"):
            write(folder / f"{file}.jsonl", [{"id": key, "t": "it rains"} for key in ids])
        word = str(folder / "one.jsonl:t")
        settings = ShardSettings(segment_scores=str(folder / "scores"), key="id", workers=1)
        for checked in (settings, settings.replace(segment_scores="")):
            with pytest.raises(InputError, match=problem):
                score_shards(str(folder / "other.jsonl:t"), word, "bleu", checked)
        # One file needs no key to be in step with itself, and a file of lines has none.
        assert score_shards(word, word, "bleu", settings).segments == 2
        (folder / "lines.txt").write_text("it rains\n" * 2)
        settings = settings.replace(segment_scores=str(folder / "more"))
        assert score_shards(str(folder / "lines.txt"), word, "bleu", settings).segments == 2


def test_groups_may_be_in_the_file_of_the_system(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", segments := lines(1, 9))
    (tmp_path / "ref.txt").write_text("".join(f"{row['ref']}\n" for row in segments))
    found = score_shards(
        f"{tmp_path}/a.jsonl:hyp", f"{tmp_path}/ref.txt", "bleu", ShardSettings(by="domain")
    )
    assert set(found.groups) == set(column(segments, "domain"))


def test_intervals_do_not_depend_on_groups(segments: list[dict[str, str]]) -> None:
    plain, grouped = (
        score_shards(HYP, REF, "bleu", ShardSettings(by=by), intervals=IntervalSettings(draws=99))
        for by in ("", "domain")
    )
    assert plain.scores.intervals == grouped.scores.intervals
