"""`bleuet compare --scores`: every form of external scores, and errors."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.comparison import compare
from bleuet.significance import SegmentMean
from tests.cli.conftest import Outcome, run_apart
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Outcome]

BOTH = ("compare", "ref.txt", "-i", "a.txt", "b.txt")
SYSTEMS = {"a": SYSTEM_A, "b": SYSTEM_B}
COMET: dict[str, list[float | None]] = {"a": [0.81, None, 0.5, 0.75], "b": [0.9, 0.25, None, 0.5]}
ROWS = [
    (segment, system, scores[segment])
    for segment in (2, 0, 3, 1)
    for system, scores in (("b.txt", COMET["b"]), ("a", COMET["a"]))
]


def in_lines(scores: list[float | None], gap: str = "") -> str:
    return "".join(f"{gap if score is None else score}\n" for score in scores)


@pytest.fixture
def scores(folder: Path) -> Path:
    """Files of the same scores, in every layout there is."""
    for name, own in COMET.items():
        (folder / f"{name}.comet").write_text("\ufeff" + in_lines(own, "None"))
        (folder / f"{name}.gz").write_bytes(gzip.compress(in_lines(own).encode()))
    pairs = list(zip(*COMET.values(), strict=True))
    cells = [tuple("" if score is None else str(score) for score in pair) for pair in pairs]
    write_lines(folder / "two.tsv", ["\t".join(pair) for pair in cells])
    write_lines(folder / "named.tsv", ["sa\tsb", *("\t".join(pair) for pair in cells)])
    write_lines(folder / "two.jsonl", [json.dumps({"sa": a, "sb": b}) for a, b in pairs])
    lines = [(s, name, "nan" if score is None else score) for s, name, score in ROWS]
    for ending, mark in (("tsv", "\t"), ("csv", ","), ("da", "\t")):
        header = mark.join(("segment", "system", "score"))
        write_lines(folder / f"long.{ending}", [header, *(mark.join(map(str, x)) for x in lines)])
    keys = ("segment", "system", "score")
    write_lines(folder / "long.jsonl", [json.dumps(dict(zip(keys, x, strict=True))) for x in ROWS])
    other = ["seg\tsys\tmqm", *(f"{s + 1}\t{name}\t{score}" for s, name, score in lines)]
    write_lines(folder / "other.tsv", other)
    raters = [
        x
        for s, name, score in lines
        if score != "nan"
        for x in ((s, name, float(score) - 0.1), (s, name, float(score) + 0.1))
    ]
    write_lines(
        folder / "raters.tsv", ["segment\tsystem\tscore", *("\t".join(map(str, x)) for x in raters)]
    )
    return folder


def expected(**more: Any) -> dict[str, Any]:
    options = {"by": ["length"], "scores": {"COMET": COMET}, **more}
    return compare(SYSTEMS, REFERENCE, **options).to_dict()


FORMS: dict[str, tuple[str, ...]] = {
    "a file each": ("COMET=a.comet,b.comet",),
    "as a shell spells braces": ("COMET=a.comet", "COMET=b.comet"),
    "compressed": ("COMET=a.gz,b.gz",),
    "numbered columns": ("COMET=two.tsv:1,two.tsv:2",),
    "named columns": ("COMET=named.tsv:sa,named.tsv:sb",),
    "keys": ("COMET=two.jsonl:sa,two.jsonl:sb",),
    "a table of tabs": ("COMET=long.tsv",),
    "a table of commas": ("COMET=long.csv",),
    "a table with another ending": ("COMET=long.da",),
    "a table of objects": ("COMET=long.jsonl",),
    "other names of columns": (
        *("COMET=other.tsv:mqm", "--columns", "segment=seg", "system=sys"),
        *("--first-segment", "1"),
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_comparison(run: Run, scores: Path, form: str) -> None:
    outcome = run(*BOTH, "-f", "json", "--scores", *FORMS[form])
    assert (outcome.code, outcome.err) == (0, "")
    assert json.loads(outcome.out) == expected()


@pytest.mark.libraries
def test_parquet(run: Run, scores: Path) -> None:
    import pyarrow as arrow
    from pyarrow import parquet

    parquet.write_table(arrow.table({"sa": COMET["a"], "sb": COMET["b"]}), scores / "two.parquet")
    segments, systems, own = zip(*ROWS, strict=True)
    table = {"segment": list(segments), "system": list(systems), "score": list(own)}
    parquet.write_table(arrow.table(table), scores / "long.parquet")
    for form in ("COMET=two.parquet:sa,two.parquet:sb", "COMET=long.parquet"):
        outcome = run(*BOTH, "-f", "json", "--scores", form)
        assert json.loads(outcome.out) == expected()


def test_several_raters_are_averaged(run: Run, scores: Path) -> None:
    rejected = run(*BOTH, "--scores", "DA=raters.tsv")
    assert rejected.code == 1
    assert "or use --average" in rejected.err
    found = json.loads(run(*BOTH, "-f", "json", "--scores", "DA=raters.tsv", "--average").out)
    means = [found["scores"][name][2]["score"] for name in "ab"]
    assert means == pytest.approx([(0.81 + 0.5 + 0.75) / 3, (0.9 + 0.25 + 0.5) / 3])
    assert [found["scores"][name][2]["segments"] for name in "ab"] == [3, 3]


def test_one_system_takes_numbers_or_its_rows_of_a_table(run: Run, scores: Path) -> None:
    one = ("compare", "ref.txt", "-i", "a.txt", "-f", "json", "--scores")
    own = {"COMET": {"a.txt": COMET["a"]}}
    wanted = compare({"a.txt": SYSTEM_A}, REFERENCE, scores=own).to_dict()
    # The rows of the table are in another order than the segments.
    for form in ("COMET=a.comet", "COMET=two.tsv:1", "COMET=named.tsv:sa", "COMET=long.tsv"):
        assert json.loads(run(*one, form).out) == wanted


def test_a_file_whose_name_has_a_comma(run: Run, scores: Path) -> None:
    (scores / "x,y").write_text(in_lines(COMET["a"]))
    outcome = run(*BOTH, "-f", "json", "--scores", "COMET=x,y", "COMET=b.comet")
    assert json.loads(outcome.out) == expected()


def test_lower_may_be_better(run: Run, scores: Path) -> None:
    outcome = run(
        *(*BOTH, "-f", "json", "--scores", "COMET=a.comet,b.comet", "edits=long.tsv"),
        *("--lower-is-better", "edits"),
    )
    both = {"COMET": COMET, SegmentMean("edits", higher_is_better=False): COMET}
    found = json.loads(outcome.out)
    assert found == expected(scores=both)
    assert [metric["higher_is_better"] for metric in found["metrics"]] == [True, True, True, False]
    ranks = found["sentences"][0]["rankings"]
    assert (ranks[2]["wins"], ranks[2]["losses"]) == (ranks[3]["losses"], ranks[3]["wins"])


def test_metrics_order_external_scores(run: Run, scores: Path) -> None:
    for metrics, names in (
        (("comet", "bleu"), ["COMET", "BLEU"]),
        (("COMET",), ["COMET"]),
        (("ter",), ["TER", "COMET"]),
    ):
        outcome = run(*(*BOTH, "-m", *metrics, "-f", "json", "--scores", "COMET=a.comet,b.comet"))
        assert [one["name"] for one in json.loads(outcome.out)["metrics"]] == names
    out = run(*BOTH, "-m", "COMET", "--scores", "COMET=a.comet,b.comet").out
    assert "Sentences where a is furthest ahead of b by COMET (ahead in 1 of 2)" in out
    assert "\nsegment  COMET of a  COMET of b  reference" in out
    assert "\n      4      0.7500      0.5000  " in out
    own = "COMET is the mean over each system's own segments with a score (a has 3, b has 3, of 4)"
    assert own in " ".join(out.split())


@pytest.mark.usefixtures("scores")
@pytest.mark.parametrize("command", ["compare", "significance"])
def test_formats_without_notes_warn_of_missing_scores(run: Run, command: str) -> None:
    words = (command, *BOTH[1:], "-m", "COMET", "--scores", "COMET=a.comet,b.comet")
    for format_ in ("csv", "jsonl"):
        said = run(*words, "-f", format_).err
        assert "warning: COMET is the mean over each system's own segments" in said
        assert run(*words, "-f", format_, "-q").err == ""
    assert "COMET is the mean" not in run(*words, "-f", "json").err


@pytest.mark.slow
def test_scores_may_come_through_a_pipe(scores: Path) -> None:
    # One system, whose file could be a table: a pipe can be read only once.
    outcome = run_apart(
        *("compare", "ref.txt", "-i", "a.txt", "-f", "json", "-m", "chrf", "--scores", "COMET=-"),
        stdin=in_lines(COMET["a"]).encode(),
    )
    assert json.loads(outcome.out)["scores"]["a.txt"][1]["segments"] == 3


MISUSES: dict[str, tuple[tuple[str, ...], int, str]] = {
    "no file": (("--scores", "COMET"), 2, "--scores must be NAME=FILE,FILE with a file for each"),
    "no name": (("--scores", "=a.comet,b.comet"), 2, "not '=a.comet,b.comet'"),
    "an empty file": (("--scores", "COMET=a.comet,"), 2, "not 'COMET=a.comet,'"),
    "a file too few": (
        ("--scores", "COMET=a.comet"),
        2,
        "--scores names 1 file of COMET for 2 systems; expected one for each, in the order of -i, "
        "or one table",
    ),
    "a file too many": (
        ("--scores", "COMET=a.comet,b.comet,a.comet"),
        2,
        "names 3 files of COMET for 2 systems",
    ),
    "a line too few": (
        ("--scores", "COMET=a.comet,short"),
        1,
        "short has 3 COMET scores, but there are 4 segments; expected one on each line",
    ),
    "no number": (
        ("--scores", "COMET=a.comet,words"),
        1,
        "words:3: COMET is 'good'; expected a number, or an empty cell or None for a missing score",
    ),
    "a text": (("--scores", "COMET=a.comet,long"), 1, "long:1: COMET is 'no number no number no"),
    "not finite": (("--scores", "COMET=a.comet,huge"), 1, "huge:1: COMET is '1e999'"),
    "nothing scored": (("--scores", "COMET=a.comet,none"), 1, "system b has no COMET scores"),
    "no such file": (
        ("--scores", "COMET=a.comet,b.commet"),
        1,
        "nearest name in that folder is b.",
    ),
    "no such table": (("--scores", "COMET=lang.tsv"), 1, "there is no file lang.tsv"),
    "a metric's name": (
        ("--scores", "bleu=a.comet,b.comet"),
        2,
        "must not be that of a metric, such as bleu",
    ),
    "a metric's printed name": (
        ("--scores", "chrF2=a.comet,b.comet"),
        2,
        "two metrics are called chrF2: choose another name",
    ),
    "a name that is none": (("--scores", "a|b=a.comet,b.comet"), 2, "a name without '|'"),
    "lower of nothing": (
        ("--lower-is-better", "COMET"),
        2,
        "--lower-is-better needs --scores: add --scores",
    ),
    "lower of another": (
        ("--scores", "COMET=a.comet,b.comet", "--lower-is-better", "COMMET"),
        2,
        "--lower-is-better: there are no scores COMMET (did you mean COMET?)",
    ),
    "average of nothing": (("--average",), 2, "--average needs --scores: add --scores"),
    "a misnumbered segment": (
        ("--scores", "COMET=long.tsv", "--first-segment", "2"),
        2,
        "--first-segment must be from 0 to 1, not 2",
    ),
    "segments from 1": (
        ("--scores", "DA=other.tsv:mqm", "--columns", "segment=seg", "system=sys"),
        1,
        "use --first-segment 1",
    ),
    "a system missing in a table": (
        ("--scores", "DA=lacking.tsv"),
        1,
        "lacking.tsv has no DA score of b.txt; it has a: name the system in the table after",
    ),
    "scores of whole systems": (
        ("--scores", "DA=whole.tsv"),
        1,
        "whole.tsv has one DA score for each system; expected one for each segment",
    ),
    "a column without a name": (
        ("--scores", "DA=two.jsonl,two.jsonl"),
        1,
        "two.jsonl needs the name of a column; it has sa, sb",
    ),
    "no such column": (("--scores", "DA=two.jsonl:sc,two.jsonl:sb"), 1, "no column sc"),
    "a role that is none": (
        ("--scores", "DA=long.tsv", "--columns", "seg=seg"),
        2,
        "there is no role seg",
    ),
    "a column that no table has": (
        ("--scores", "DA=long.tsv", "--columns", "score=scores"),
        1,
        "--columns score=scores: no table has a column scores (did you mean score?); there are seg",
    ),
    "columns of no table": (
        ("--scores", "COMET=a.comet,b.comet", "--columns", "score=x"),
        1,
        "no table has a column x; there are no tables with named columns",
    ),
    "a column that is none of a table's": (
        ("--scores", "DA=named.tsv"),
        1,
        "no column system; it has sa, sb; expected segment, system, score: rename the column",
    ),
    "the same twice": (
        ("-m", "COMET", "comet", "--scores", "COMET=a.comet,b.comet"),
        2,
        "COMET is named twice",
    ),
    "a metric that is neither": (
        ("-m", "COMMET", "--scores", "COMET=a.comet,b.comet"),
        2,
        "there is no metric 'COMMET' (did you mean COMET?); expected one that `bleuet metrics`",
    ),
    "standard input twice": (("--scores", "COMET=-,-"), 2, "standard input can be read only once"),
    "written over": (
        ("--scores", "COMET=a.comet,b.comet", "-o", "b.comet"),
        2,
        "would overwrite a file that is read",
    ),
}


@pytest.mark.parametrize("case", MISUSES)
def test_an_error_is_one_line(run: Run, scores: Path, case: str) -> None:
    write_lines(scores / "short", ["1", "2", "3"])
    write_lines(scores / "words", ["1", "2", "good", "4"])
    write_lines(scores / "long", ["no number " * 999] * 4)
    write_lines(scores / "huge", ["1e999", "2", "3", "4"])
    write_lines(scores / "none", ["", "NA", "null", "None"])
    write_lines(scores / "lacking.tsv", ["segment\tsystem\tscore", "0\ta\t1"])
    write_lines(scores / "whole.tsv", ["system\tscore", "a\t1", "b\t2"])
    words, code, message = MISUSES[case]
    outcome = run(*BOTH, *words)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
    assert len(outcome.err) < 400
