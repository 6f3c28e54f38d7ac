"""`bleuet compare`: its output in every format, and its errors."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from typing import TYPE_CHECKING

import pytest

from bleuet.comparison import TokenLabels, compare
from bleuet.comparison.comparison import PARTS
from bleuet.metrics.bleu.metric import BLEU
from tests.cli.conftest import Outcome, environment, run_apart
from tests.cli.test_terminal import plain, show
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A, SYSTEM_B, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Outcome]

SYSTEMS = {"a": SYSTEM_A, "b": SYSTEM_B}
BOTH = ("ref.txt", "-i", "a.txt", "b.txt")
# Parts that only a test of significance has.
OF_TESTS = {"clusters", "differences"}


def printed(run: Run, *more: str) -> str:
    outcome = run("compare", *BOTH, *more)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


def test_what_it_prints(run: Run) -> None:
    out = printed(run, "-n", "1")
    found = compare(SYSTEMS, REFERENCE, by=["length"], examples=1)
    blocks = out.split("\n\n")
    titles = [block.partition("\n")[0] for block in blocks[:-1]]
    assert titles == [table.title for table in found.document().tables]
    for name, (bleu, chrf) in zip(SYSTEMS, found.scores, strict=True):
        assert re.search(rf"^{name} +{bleu.score:.2f} +{chrf.score:.2f}$", out, re.MULTILINE)
    assert f"<10            4  {found.scores[0][0].score:.2f}" in out
    (best,) = found.pairs[0].sentences[0].gained
    numbers = [str(best.row + 1), *(f"{score:.2f}" for score in best.scores)]
    (row,) = (line for line in out.splitlines() if line.split()[:3] == numbers)
    assert re.split("  +", row.strip()) == [*numbers, *best.references, *best.hypotheses]
    assert f"BLEU|{BLEU().signature()}\n" in out
    assert f"sentence BLEU|{BLEU(effective_order=True).signature()}\n" in out


def test_a_row_is_a_line_without_spaces_at_its_end(run: Run) -> None:
    document = compare(SYSTEMS, REFERENCE).show("all").document()
    lines = printed(run, "--show", "all").splitlines()
    assert [line for line in lines if line.endswith(" ")] == []
    # For each table its title, its heading, its rows, its note if it has one, and an empty line.
    rows = sum(3 + len(list(table.rows)) + bool(table.note) for table in document.tables)
    assert len(lines) == rows + len(document.signatures)


def test_several_references(run: Run) -> None:
    outcome = run("compare", "ref.txt", "ref2.txt", "-i", "a.txt", "-f", "json")
    references = [list(pair) for pair in zip(REFERENCE, REFERENCE_2, strict=True)]
    expected = compare({"a.txt": SYSTEM_A}, references, by=["length"])
    assert json.loads(outcome.out) == expected.to_dict()


def test_json_is_the_whole_comparison(run: Run, folder: Path) -> None:
    domains = ["news", "news", "chat", "chat"]
    write_lines(folder / "domain.txt", domains)
    (folder / "data.tsv").write_text("id\tkind\n1\tx\n2\ty\n3\tx\n4\ty\n")
    write_lines(folder / "train.txt", ["The cat", "the the cat sat"])
    write_lines(folder / "animals.txt", ["cat", "", "dog "])
    out = printed(
        run,
        *("-m", "ter", "bleu:lowercase", "--by", "score=20,60", "frequency"),
        *("--labels", "domain.txt", "data.tsv:kind", "--frequencies", "train.txt"),
        *("--word-lists", "animals.txt", "-n", "3", "--all-pairs", "--show", "all"),
        *("-f", "json"),
    )
    found = compare(
        SYSTEMS,
        REFERENCE,
        ["ter", BLEU(lowercase=True)],
        by=["score=20,60", "frequency"],
        labels={"domain.txt": domains, "kind": ["x", "y", "x", "y"]},
        frequencies=["The cat", "the the cat sat"],
        word_lists={"animals.txt": ["cat", "dog"]},
        all_pairs=True,
        examples=3,
    )
    assert json.loads(out) == found.show("all").to_dict()


def test_labels_of_tokens(run: Run, folder: Path) -> None:
    for name, texts in (("ref", REFERENCE), ("a", SYSTEM_A), ("b", SYSTEM_B)):
        labels = [" ".join("W" if word[0].islower() else "C" for word in t.split()) for t in texts]
        write_lines(folder / f"{name}.labels", labels)
    more = ("--reference-labels", "ref.labels", "--system-labels", "a.labels", "b.labels")
    out = printed(run, "-m", "bleu:tokenize=none", "chrf", *more, "-f", "json")
    own = TokenLabels(
        (folder / "ref.labels").read_text().splitlines(),
        {name: (folder / f"{name}.labels").read_text().splitlines() for name in "ab"},
    )
    found = compare(SYSTEMS, REFERENCE, [BLEU(tokenize="none"), "chrf"], token_labels=own)
    assert json.loads(out)["words"] == found.to_dict()["words"]
    out = printed(run, "-m", "bleu:tokenize=none", *more)
    assert "Word accuracy (F) by label of the token" in out


def test_csv_has_every_cell(run: Run) -> None:
    rows = list(csv.reader(io.StringIO(printed(run, "--show", "all", "-f", "csv"))))
    assert rows[0] == ["part", "table", "row", "item", "column", "value"]
    found = compare(SYSTEMS, REFERENCE).show("all")
    cells = [
        (table.key, table.title, str(number), column.key)
        for table in found.document().tables
        for number, row in enumerate(table.rows, 1)
        for column in table.columns[1:]
    ]
    assert [(row[0], row[1], row[2], row[4]) for row in rows[1:]] == cells
    assert ["scores", "Scores", "1", "a", "BLEU", repr(found.scores[0][0].score)] in rows


def test_every_format_is_what_python_writes(run: Run) -> None:
    found = compare(SYSTEMS, REFERENCE, by=["length"])
    parts = ["scores", "surface", "words"]
    shown = found.show(*parts)
    assert shown.parts == ("scores", "words", "surface")
    for format_, written in (
        ("text", shown.to_text(width=3)),
        ("json", shown.to_json(width=3) + "\n"),
        ("jsonl", shown.to_jsonl(width=3)),
        ("csv", shown.to_csv(width=3)),
        ("markdown", shown.to_markdown(width=3)),
        ("latex", shown.to_latex(width=3)),
        ("html", shown.to_html(width=3)),
    ):
        assert printed(run, "--show", *parts, "-w", "3", "-f", format_) == written


def test_words_that_no_reference_has_make_no_row(run: Run, folder: Path) -> None:
    write_lines(folder / "train.txt", ["sat"])
    found = compare(SYSTEMS, REFERENCE).show("words").to_dict()["words"][0]["systems"]["a"]
    assert (found[0]["label"], found[0]["expected"]) == ("<1", 0)
    assert found[0]["produced"] > 0
    assert "\n<1 " not in printed(run, "--show", "words")
    # Of a training text's words a reference may have others.
    assert "\n<1 " in printed(run, "--show", "words", "--frequencies", "train.txt")


def test_systems_are_called_without_their_common_ending(run: Run, folder: Path) -> None:
    for name in ("1/north.en.txt", "1/south.en.txt", "2/north.en.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        write_lines(folder / name, SYSTEM_A)
    for files, names in (
        (["1/north.en.txt", "1/south.en.txt"], ["north", "south"]),
        (["1/north.en.txt", "2/north.en.txt"], ["1/north", "2/north"]),
        (["1/north.en.txt", "a.txt"], ["north.en", "a"]),
        (["1/north.en.txt"], ["north.en.txt"]),
    ):
        found = json.loads(run("compare", "ref.txt", "-i", *files, "-f", "json", "-q").out)
        assert found["systems"] == names
        # A warning names the file that is meant.
        write_lines(folder / "empty.en.txt", [""] * 4)
    warning = run("compare", "ref.txt", "-i", "1/north.en.txt", "empty.en.txt").err
    assert "empty.en.txt" in warning


def test_markdown_and_latex(run: Run, folder: Path) -> None:
    write_lines(folder / "kind.txt", ["a|b", "a|b", "50%", "50%"])
    more = ("--labels", "kind.txt", "--show", "buckets", "-m", "chrf", "-w", "1")
    markdown = printed(run, *more, "-f", "markdown").splitlines()
    assert "## chrF2 by kind.txt" in markdown
    assert "| kind.txt | segments | a | b |" in markdown
    assert "| --- | ---: | ---: | ---: |" in markdown
    (line,) = (line for line in markdown if line.startswith(r"| a\|b | 2 | "))
    found = compare(SYSTEMS, REFERENCE, ["chrf"], labels={"kind.txt": ["a|b", "a|b", "50%", "50%"]})
    numbers = [
        f"{buckets[0].scores[0].score:.1f}"
        for buckets in found.breakdown("kind.txt").systems
        if buckets[0].scores[0]
    ]
    assert line == rf"| a\|b | 2 | {' | '.join(numbers)} |"
    latex = printed(run, *more, "-f", "latex")
    assert rf"a\textbar{{}}b & 2 & {' & '.join(numbers)} \\" in latex
    assert r"50\% & 2 & " in latex
    assert latex.count(r"\begin{tabular}{lrrr}") == latex.count(r"\end{tabular}") == 2


@pytest.mark.parametrize("part", sorted(set(PARTS) - OF_TESTS))
def test_each_part_alone(run: Run, part: str) -> None:
    more = ("--blocks", "4") * (part == "blocks")
    arguments = ("-m", "bleu", "--show", part, *more)
    found = compare(SYSTEMS, REFERENCE, ["bleu"])
    tables = (found.with_blocks(4) if more else found).tables(part)
    shown = printed(run, *arguments).split("\n\n")[:-1]
    assert [block.partition("\n")[0] for block in shown] == [table.title for table in tables]
    assert set(json.loads(printed(run, *arguments, "-f", "json"))) & set(PARTS) == {part}
    csv_rows = csv.DictReader(io.StringIO(printed(run, *arguments, "-f", "csv")))
    if len(tables) > 1:
        assert {row["part"] for row in csv_rows} == {part}
    else:
        assert csv_rows.fieldnames == [column.key for column in tables[0].columns]


def test_blocks(run: Run, folder: Path) -> None:
    assert "blocks" not in printed(run, "--show", "all")
    assert "\nBLEU of 2 blocks of 2 segments\n" in printed(run, "--blocks", "2")
    outcome = run("compare", *BOTH, "--show", "blocks")
    assert outcome.code == 2
    assert "blocks must be from 2 to 4, the number of segments, not 20" in outcome.err
    for name in ("ref.txt", "a.txt", "b.txt"):
        write_lines(folder / name, (folder / name).read_text("utf-8").splitlines() * 5)
    out = printed(run, "-m", "ter", "--show", "blocks")
    assert "TER of 20 blocks of 1 segment\n" in out
    found = compare(
        {name: texts * 5 for name, texts in SYSTEMS.items()}, REFERENCE * 5, ["ter"]
    ).with_blocks(20)
    (test,) = found.blocks[0].tests
    numbers = (f"{test.found.difference:.2f}", f"{test.found.t:.2f}", f"{test.found.p_value:.4f}")
    assert re.search(rf"^a +b +\+?{' +'.join(numbers)}$", out, re.MULTILINE)


def test_words_are_shown_with_an_option_about_words(run: Run) -> None:
    assert "Word accuracy" not in printed(run)
    assert "Word accuracy" in printed(run, "--frequencies", "ref2.txt")
    for more in (("-f", "json"), ("--show", "buckets", "--by", "frequency")):
        printed(run, "--frequencies", "ref2.txt", *more)


def test_the_first_system_is_compared_with_the_others(run: Run, folder: Path) -> None:
    write_lines(folder / "c.txt", REFERENCE)
    three = ("compare", "ref.txt", "-i", "a.txt", "b.txt", "c.txt", "-f", "json")
    for more, pairs in (((), ["ab", "ac"]), (("--all-pairs",), ["ab", "ac", "bc"])):
        found = json.loads(run(*three, *more).out)["sentences"]
        assert [pair["left"][0] + pair["right"][0] for pair in found] == pairs


def test_the_environment_may_set_the_seed_of_a_test(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = ("compare", "ref.txt", "-i", "a.txt", "b.txt", "--show", "scores")
    tested = (*scores, "--test", "bootstrap")
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert "|seed:7|" in run(*tested).out
    assert run(*tested).out == run(*tested, "--seed", "7").out
    assert "|seed:0|" in run(*tested, "--seed", "0").out
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert "|seed:none|" in run(*tested).out
    monkeypatch.setenv("SACREBLEU_SEED", "often")
    assert run(*scores).code == 0
    rejected = run(*tested)
    assert rejected.code == 2
    assert "SACREBLEU_SEED must be a whole number or 'none', not 'often'" in rejected.err


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_clusters_by_a_paired_test(run: Run, folder: Path, test: str) -> None:
    texts = [f"the cat sat on mat {number} today" for number in range(100)]
    write_lines(folder / "ref.txt", texts)
    write_lines(folder / "a.txt", [text.replace("cat", "dog") for text in texts])
    write_lines(folder / "b.txt", [*texts[:-1], "the cat sat"])
    more = ("-m", "bleu", "--test", test, "--seed", "7", "--alpha", "0.01")
    values = json.loads(printed(run, *more, "-f", "json"))
    (ranking,) = values["clusters"]
    assert (ranking["metric"], ranking["alpha"]) == ("BLEU", 0.01)
    assert [(one["system"], one["cluster"]) for one in ranking["systems"]] == [
        ("b", 1),
        ("a", 2),
    ]
    assert f"Clusters by BLEU ({ranking['test']}, alpha 0.01)" in printed(run, *more)
    assert test in ranking["test"]
    assert "holm" in ranking["test"]


def test_no_examples_take_no_room(run: Run) -> None:
    out = printed(run, "-n", "0")
    assert "none" not in out
    assert "BLEU by tokens in the reference" in out


def test_output_to_a_file(run: Run, folder: Path) -> None:
    text = printed(run)
    assert printed(run, "-o", "out.txt") == ""
    assert (folder / "out.txt").read_text() == text


@pytest.mark.slow
def test_80_columns_hold_five_systems_with_long_names(folder: Path) -> None:
    names = [f"newstest-2013.de-en.system-number-{n}-primary.final.txt" for n in range(5)]
    for number, name in enumerate(names):
        write_lines(folder / name, [text + "!" * number for text in SYSTEM_A])
    arguments = ("compare", "ref.txt", "-i", *names, "--by", "length", "length-difference", "score")
    arguments = (*arguments, "--show", "buckets", "words", "histogram", "scores")
    out = plain(show(*arguments, width=80))
    tables = [line for line in out.splitlines() if line.startswith("  ")]
    assert len(tables) > 50
    assert all(len(line) <= 80 for line in tables)
    assert "…" not in out
    # In a pipe nothing is folded.
    piped = run_apart(*arguments).out
    assert max(map(len, piped.splitlines())) > 200
    assert len(piped.splitlines()) < len(out.splitlines())
    score = BLEU().corpus_score(SYSTEM_A, REFERENCE).score
    assert f"{score:.2f}" in out


@pytest.mark.slow
def test_a_table_that_cannot_be_narrower_is_not_cut(folder: Path) -> None:
    names = [f"system-{number}.txt" for number in range(14)]
    for number, name in enumerate(names):
        write_lines(folder / name, [text + "!" * number for text in SYSTEM_A])
    out = plain(show("compare", "ref.txt", "-i", *names, "--show", "buckets", "-w", "4", width=80))
    scores = [f"{BLEU().corpus_score([t + '!' * n for t in SYSTEM_A], REFERENCE).score:.4f}"
              for n in range(14)]  # fmt: skip
    (line,) = (x for x in out.splitlines() if scores[0] in x and scores[13] in x)
    assert line.split() == ["<10", "4", *scores]


@pytest.mark.slow
def test_many_labels_are_all_shown_but_on_a_terminal(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ref.txt", "a.txt"):
        write_lines(folder / name, [f"{name} {number}" for number in range(50)])
    write_lines(folder / "document.txt", [f"d{min(number, 40)}" for number in range(50)])
    arguments = ("compare", "ref.txt", "-i", "a.txt", "--labels", "document.txt", "-m", "chrf")
    out = run(*arguments, "--show", "buckets").out
    assert [line.split()[0] for line in out.splitlines() if re.match(r"d\d", line)] == [
        f"d{number}" for number in range(41)
    ]
    rows = csv.DictReader(io.StringIO(run(*arguments, "--show", "buckets", "-f", "csv").out))
    assert len({row["item"] for row in rows if row["table"].endswith("document.txt")}) == 41
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    out = run(*arguments, "--show", "buckets").out
    assert "  and 11 more, none larger; the other formats have all" in out
    assert "  d40 " in out


def test_escape_sequences_do_not_reach_the_terminal(run: Run, folder: Path) -> None:
    write_lines(folder / "a.txt", ["\x1b[31mred\x07", *SYSTEM_A[1:]])
    write_lines(folder / "kind.txt", ["\x1b]0;title\x07"] * 4)
    for format_ in ("text", "markdown", "latex"):
        out = printed(run, "--labels", "kind.txt", "--show", "all", "-n", "9", "-f", format_)
        assert "\x1b" not in out
        assert "\x07" not in out


@pytest.mark.slow
def test_an_ascii_locale(folder: Path) -> None:
    write_lines(folder / "a.txt", ["né", *SYSTEM_A[1:]])
    env = environment(PYTHONIOENCODING="ascii")
    for format_ in ("text", "json", "csv"):
        outcome = run_apart("compare", *BOTH, "-f", format_, env=env)
        assert (outcome.code, outcome.err) == (0, "")
        assert "né" in outcome.out


def test_a_system_that_is_a_reference_is_reported(run: Run) -> None:
    outcome = run("compare", "ref.txt", "-i", "a.txt", "ref.txt")
    assert outcome.code == 0
    assert "ref.txt is both a system and a reference" in outcome.err
    assert run("compare", "ref.txt", "-i", "a.txt", "ref.txt", "-q").err == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "no reference; expected a file with one reference per segment"),
        (["ref.txt"], 2, "no system: files before -i are references"),
        (["ref.txt", "a.txt", "b.txt"], 2, "files before -i are references"),
        (["-i", "a.txt", "b.txt"], 2, "-i took all 2 files as systems"),
        (["ref.txt", "-i"], 2, "--input needs a value"),
        ([*BOTH, "a.txt"], 2, "a.txt is named twice as a system"),
        (["ref.txt", "-i", "c.txt"], 1, "there is no file c.txt"),
        ([*BOTH, "--by", "lenght"], 2, "(did you mean length?)"),
        ([*BOTH, "--by", "length=ten"], 2, "the cutoffs of length must be numbers"),
        ([*BOTH, "--by", "length=20,10"], 2, "cutoffs must be finite numbers in ascending order"),
        ([*BOTH, "--by", "length", "length=3"], 1, "divided by length twice"),
        ([*BOTH, "--show", "score"], 2, "(did you mean scores?)"),
        ([*BOTH, "--show", "clusters"], 2, "add --test randomization, or leave out clusters"),
        (
            [*BOTH, "--show", "differences", "scores", "clusters", "--confidence"],
            2,
            "--show differences clusters needs --test: add --test randomization, or leave out "
            "differences and clusters",
        ),
        ([*BOTH, "--html", "r.pdf"], 2, "--html writes no .pdf file: use a name that ends"),
        ([*BOTH, "--html", "r.csv"], 2, "--html writes no .csv file"),
        (
            [*BOTH, "--frequencies", "ref2.txt", "--show", "scores"],
            2,
            "--frequencies is for the part words, which --show leaves out: add it to --show, or",
        ),
        (
            [*BOTH, "--by", "frequency", "--show", "buckets", "--word-lists", "a.txt"],
            2,
            "--word-lists is for the part words",
        ),
        ([*BOTH, "--by", "score", "--show", "scores"], 2, "--by is for the part buckets"),
        ([*BOTH, "--labels", "a.txt", "--show", "words"], 2, "--labels is for the part buckets"),
        ([*BOTH, "--blocks", "2", "--show", "words"], 2, "--blocks is for the part blocks"),
        ([*BOTH, "-n", "-1"], 2, "--examples must be 0 or more"),
        ([*BOTH, "--alpha", "0.1"], 2, "--alpha needs --test or --html or --pictures"),
        ([*BOTH, "--test", "bootstrap", "--alpha", "5"], 2, "--alpha must be between 1e-12 and 1"),
        ([*BOTH, "--test", "bootstrap", "--seed", "-5"], 2, "--seed must be 0 or more"),
        ([*BOTH, "--blocks", "1"], 2, "--blocks must be 2 or more, not 1"),
        ([*BOTH, "--test", "t"], 2, "--test must be one of bootstrap, randomization"),
        (["ref.txt", "-i", "a.txt", "--test", "bootstrap"], 2, "needs two systems or more"),
        ([*BOTH, "-w", "99"], 2, "--width must be from 0 to 17"),
        ([*BOTH, "-f", "xml"], 2, "--format must be one of text, markdown, latex, csv, json"),
        ([*BOTH, "-m", "comet:model=./no"], 1, "there is no folder './no'"),
        ([*BOTH, "-m", "ter:smooth=exp"], 2, "smooth"),
        ([*BOTH, "--smooth", "exp"], 2, "there is no option --smooth"),
        ([*BOTH, "--sentence-level"], 2, "there is no option --sentence-level"),
        ([*BOTH, "--labels", "three.txt"], 1, "labels three.txt: 3 labels but 4 segments"),
        ([*BOTH, "--labels", "ref.txt", "ref.txt"], 2, "ref.txt is named twice as labels"),
        ([*BOTH, "--word-lists", "ref.txt"], 1, "ref.txt:1 has more than one word"),
        ([*BOTH, "--frequencies", "none.txt"], 1, "there is no file none.txt"),
        ([*BOTH, "--reference-labels", "ref.txt"], 2, "add --system-labels FILE"),
        (
            [*BOTH, "--reference-labels", "ref.txt", "--system-labels", "a.txt"],
            2,
            "names 1 files for 2 systems",
        ),
        (
            [*BOTH, "--reference-labels", "ref.txt", "--system-labels", "a.txt", "b.txt"],
            1,
            "segment 1 of the reference has 8 labels but 9 tokens",
        ),
        ([*BOTH, "--labels", "-", "--frequencies", "-"], 2, "standard input can be read only once"),
        ([*BOTH, "-o", "a.txt"], 2, "would overwrite a file that is read"),
        (["three.txt", "-i", "a.txt"], 1, "the files differ in length"),
        (["ref.txt", "-i", "empty.txt"], 1, "the files differ in length"),
    ],
)  # fmt: skip
def test_an_error_is_one_line(
    run: Run, folder: Path, arguments: list[str], code: int, message: str
) -> None:
    write_lines(folder / "three.txt", REFERENCE[:3])
    write_lines(folder / "empty.txt", [])
    outcome = run("compare", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith("bleuet: error: ")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_help_names_everything(run: Run) -> None:
    out = run("compare", "--help").out
    for word in ("--by", "length-difference", *PARTS, "--frequencies", "--word-lists"):
        assert word in out
