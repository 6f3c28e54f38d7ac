"""`bleuet lint`, and the quick checks of `bleuet score`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from bleuet.cli.lint import COMMAND
from bleuet.linting.checks import CHECKS
from bleuet.metrics.bleu.metric import BLEU
from bleuet.text.tokenizers import BY_LANGUAGE
from tests.cli.conftest import Outcome, run_apart
from tests.corpora import REFERENCE, REFERENCE_2, write_lines
from tests.corpora.scripts import make
from tests.evaluation_data import REPOSITORY
from tests.patience import little_work

if TYPE_CHECKING:
    from collections.abc import Callable

Run: TypeAlias = "Callable[..., Outcome]"
LINT = ("lint", "ref.txt", "-i")


@pytest.fixture
def texts(folder: Path) -> tuple[list[str], list[str]]:
    """A clean system c.txt, and h.txt with an empty line and an entity, against ref.txt."""
    source, references, hypotheses = make(0, size=60)
    write_lines(folder / "ref.txt", references)
    write_lines(folder / "src.txt", source)
    write_lines(folder / "c.txt", hypotheses)
    hypotheses[4], hypotheses[8] = "", f"{hypotheses[8]} &amp;"
    write_lines(folder / "h.txt", hypotheses)
    return hypotheses, references


def score_without(row: int, texts: tuple[list[str], list[str]]) -> str:
    hypotheses, references = ([t for i, t in enumerate(side) if i != row] for side in texts)
    return f"{BLEU().corpus_score(hypotheses, references).score:.2f}"


def findings(out: str) -> list[list[str]]:
    """Return the cells of each finding in plain text."""
    table = out.split("\n\n")[0].splitlines()
    assert table[0].split() == ["place", "check", "finding", "effect"]
    return [re.split("  +", line) for line in table[1:]]


def test_findings_have_lines_and_effects(run: Run, texts: tuple[list[str], list[str]]) -> None:
    outcome = run(*LINT, "h.txt", "c.txt")
    assert (outcome.code, outcome.err) == (0, "")
    empty, entities = findings(outcome.out)
    before = f"{BLEU().corpus_score(*texts).score:.2f}"
    assert empty[:3] == ["h.txt:5", "empty", "1 line is empty: 5"]
    assert empty[3].startswith(
        f"without these lines: BLEU {before} -> {score_without(4, texts)}, chrF2 "
    )
    sentence = "1 line contains escaped entities, such as &amp;: 9"
    assert entities[:3] == ["h.txt:9", "entities", sentence]
    assert entities[3].startswith("unescaped: BLEU ")
    _, summary, signatures = outcome.out.split("\n\n")
    assert summary == (
        "2 findings by 21 checks (not run: source-copy needs --source, overlap needs --training)"
    )
    assert [line.split("|")[0] for line in signatures.splitlines()] == ["BLEU", "chrF2"]


def test_nothing_found(run: Run, texts: object) -> None:
    assert run(*LINT, "c.txt", "--source", "src.txt", "--strict") == (
        0,
        "nothing found by 22 checks (not run: overlap needs --training)\n",
        "",
    )
    assert run(*LINT, "c.txt", "--checks", "empty").out == "nothing found by 1 check\n"


def test_strict_fails_where_something_was_found(run: Run, texts: object) -> None:
    assert run(*LINT, "h.txt", "--strict").code == 1
    assert run(*LINT, "h.txt", "--strict", "--checks", "script").code == 0
    assert run(*LINT, "h.txt", "--strict").out == run(*LINT, "h.txt").out


def test_formats(run: Run, texts: tuple[list[str], list[str]]) -> None:
    found = json.loads(run(*LINT, "h.txt", "-f", "json").out)
    assert [one["check"] for one in found["findings"]] == ["empty", "entities"]
    (bleu, _), lines = found["findings"][0]["effects"], found["findings"][0]["lines"]
    assert (bleu["system"], bleu["metric"], lines) == ("h.txt", "BLEU", [5])
    assert f"{bleu['after']:.2f}" == score_without(4, texts)
    assert found["not_run"] == {"source-copy": "source", "overlap": "training"}
    assert found["signatures"]["BLEU"].startswith("nrefs:1|case:mixed|")
    lines = [json.loads(line) for line in run(*LINT, "h.txt", "-f", "jsonl").out.splitlines()]
    assert [(one["check"], one["lines"]) for one in lines] == [("empty", [5]), ("entities", [9])]
    table = run(*LINT, "h.txt", "-f", "markdown").out.splitlines()
    assert table[0] == "| place | check | finding | effect |"
    assert table[2].startswith("| h.txt:5 | empty | 1 line is empty: 5 | without these lines: ")
    assert "such as \\&amp;" in table[3]
    assert run(*LINT, "h.txt", "-f", "text").out == run(*LINT, "h.txt").out


def test_output_goes_to_a_file(run: Run, texts: object) -> None:
    printed = run(*LINT, "h.txt").out
    assert run(*LINT, "h.txt", "-o", "found.txt") == (0, "", "")
    assert Path("found.txt").read_text(encoding="utf-8") == printed


def test_metrics_and_languages_are_chosen(run: Run, texts: object) -> None:
    out = run(*LINT, "h.txt", "-m", "ter", "chrf:word_order=1", "--checks", "empty").out
    assert "TER " in out
    assert "chrF2+ " in out
    assert "BLEU" not in out
    found = json.loads(run(*LINT, "h.txt", "-l", "en-zh", "-f", "json").out)
    assert "|tok:zh|" in found["signatures"]["BLEU"]


def test_several_references_are_kept_apart(run: Run, texts: tuple[list[str], list[str]]) -> None:
    write_lines(
        Path("ref2.txt"), [f"Or {text}" if i != 6 else "" for i, text in enumerate(texts[1])]
    )
    out = run("lint", "ref.txt", "ref2.txt", "-i", "c.txt", "h.txt", "--checks", "empty").out
    assert [place for place, *_ in findings(out)] == ["h.txt:5", "ref2.txt:7"]
    assert "(h.txt)" in out or "(c.txt)" in out


def test_files_of_one_name_are_shown_by_their_paths(
    run: Run, texts: tuple[list[str], list[str]]
) -> None:
    Path("1").mkdir()
    write_lines(Path("1/h.txt"), ["", *texts[1][1:]])
    out = run("lint", "1/h.txt", "-i", "h.txt", "--checks", "empty").out
    assert [place for place, *_ in findings(out)] == ["h.txt:5", "1/h.txt:1"]


def test_overlap_with_training_text(run: Run, texts: tuple[list[str], list[str]]) -> None:
    write_lines(Path("train.txt"), ["x", texts[1][20], "y"])
    (found,) = findings(run(*LINT, "c.txt", "--training", "train.txt").out)
    assert found[:2] == ["ref.txt:21", "overlap"]
    assert found[2].startswith("1 line is in the training text")
    assert found[2].endswith("line 2 of train.txt: 21")
    assert found[3].startswith("without these lines: BLEU")


def test_what_a_file_holds_cannot_steer_a_terminal(run: Run, texts: object) -> None:
    lines = Path("c.txt").read_text(encoding="utf-8").splitlines()
    write_lines(Path("e.txt"), ["x \x1b[31m" * 6, *lines[1:]])
    outcome = run(*LINT, "e.txt")
    assert "\x1b" not in outcome.out
    assert "invisible" in outcome.out


def test_help_lists_every_check(run: Run) -> None:
    outcome = run("lint", "--help")
    assert outcome.code == 0
    for name, check in CHECKS.items():
        assert f"  {name} " in outcome.out
        assert check.summary in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 100


MISUSES = {
    "no arguments": ([], 2, "no reference; expected a file"),
    "no hypotheses": (["ref.txt"], 2, "bleuet lint ref.txt -i HYP"),
    "no references": (["-i", "h.txt"], 2, "bleuet lint REF -i h.txt"),
    "an unknown check": ([*LINT[1:], "h.txt", "--checks", "scripts"], 2, "did you mean script?"),
    "no source": (
        [*LINT[1:], "h.txt", "--checks", "source-copy"],
        2,
        "the source text: add it",
    ),
    "no training": (
        [*LINT[1:], "h.txt", "--checks", "overlap"],
        2,
        "the training text: add it",
    ),
    "an unknown format": ([*LINT[1:], "h.txt", "-f", "htm"], 2, "did you mean html?"),
    "an unknown metric": ([*LINT[1:], "h.txt", "-m", "blue"], 2, "did you mean bleu?"),
    "an unknown option": ([*LINT[1:], "h.txt", "--sources", "s"], 2, "did you mean --source?"),
    "no file": ([*LINT[1:], "nothing.txt"], 1, "there is no file nothing.txt"),
    "no training file": ([*LINT[1:], "h.txt", "--training", "no.txt"], 1, "no file no.txt"),
    "an empty name": ([*LINT[1:], "h.txt", "--source", ""], 2, "--source got an empty file name"),
    "another length": (
        [*LINT[1:], "h.txt", "--source", "a.txt", "--checks", "empty"],
        1,
        "the files differ in length",
    ),
    "standard input twice": ([*LINT[1:], "-", "--source", "-"], 2, "only once"),
    "itself as output": ([*LINT[1:], "h.txt", "--source", "s", "-o", "h.txt"], 2, "overwrite"),
    "the same system twice": ([*LINT[1:], "h.txt", "h.txt"], 2, "is named twice"),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_is_one_sentence(run: Run, texts: object, misuse: str) -> None:
    arguments, code, piece = MISUSES[misuse]
    outcome = run("lint", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith("bleuet: error: ")
    assert outcome.err.count("\n") == 1
    assert piece in outcome.err


@pytest.mark.slow
@pytest.mark.usefixtures("needs_kernel")
def test_the_work_does_not_grow_with_the_square_of_the_segments(run: Run, folder: Path) -> None:
    source, references, hypotheses = make(0, size=6000)
    for name, lines in (("src", source), ("ref", references), ("h", hypotheses)):
        write_lines(folder / f"{name}.txt", lines)
    with little_work():
        assert run(*LINT, "h.txt", "--source", "src.txt").out.startswith("nothing found")


def test_the_guide_names_every_check_and_option() -> None:
    guide = REPOSITORY / "docs" / "lint.md"
    text = guide.read_text(encoding="utf-8")
    assert [name for name in CHECKS if f"\n| `{name}` | " not in text] == []
    options = {"--source", "--training", "--checks", "-m", "-l", "--strict", "-f", "-o"}
    assert [option for option in options if f"`{option}" not in text] == []
    own = {flag.name for flag in COMMAND.groups["checks"]}
    assert own == {"--checks", "--metrics", "--language-pair", "--strict"}


# --- Quick checks while scoring ------------------------------------------------------------------


@pytest.mark.parametrize("level", [[], ["-s"]])
def test_scoring_tells_what_it_sees(run: Run, texts: object, level: list[str]) -> None:
    score = ("score", "ref.txt", "-i", "h.txt", "c.txt", *level)
    outcome = run(*score)
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "bleuet: warning: 1 line of h.txt is empty (--quiet hides this)",
        "bleuet: warning: 1 line of h.txt contains escaped entities such as &quot;; "
        "bleuet lint prints where (--quiet hides this)",
    ]
    assert run(*score, "-q") == (0, outcome.out, "")
    assert run("score", "ref.txt", "-i", "c.txt", *level).err == ""


def test_scoring_tells_of_references(run: Run, texts: tuple[list[str], list[str]]) -> None:
    references = texts[1]
    write_lines(Path("copy.txt"), references)
    told = run("score", "ref.txt", "-i", "copy.txt", "c.txt").err
    assert told.startswith("bleuet: warning: copy.txt is the same as a reference, line by line")
    assert told.count("\n") == 1
    write_lines(Path("ref2.txt"), ["", "", *references[2:-1], "Other"])
    told = run("score", "ref2.txt", "-i", "copy.txt").err
    assert told.startswith("bleuet: warning: 2 lines of the references are empty")
    assert told.count("\n") == 1
    several = run("score", "ref2.txt", "ref.txt", "-i", "copy.txt").err.splitlines()
    assert len(several) == 2
    assert several[0].startswith("bleuet: warning: 2 lines of ref2.txt are empty, and each counts")
    assert several[1].startswith("bleuet: warning: copy.txt is the same as a reference")
    write_lines(Path("source.txt"), [*reversed(references)])
    told = run("score", "ref.txt", "-i", "source.txt", "--source", "source.txt").err
    assert told.startswith("bleuet: warning: source.txt is the same as the source, line by line")
    # The very file is told of once.
    assert run("score", "ref.txt", "-i", "ref.txt").err.count("warning") == 1


EMPTY_LINES = (
    "bleuet: warning: 2 lines of ref3.txt are empty, and each counts as a reference of length 0: "
    "if references are missing, use a JSON Lines file with lists of references (--quiet hides this)"
)
EMPTY_TEXTS = (
    "bleuet: warning: 2 references are empty, and each counts as a reference of length 0: leave "
    "out missing ones (--quiet hides this)"
)


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("score", ()),
        ("score", ("-s",)),
        ("score", ("-m", "sari", "--source", "b.txt")),
        ("compare", ("--show", "scores")),
        ("significance", ("--draws", "100")),
    ],
)
def test_empty_lines_of_further_references(run: Run, command: str, more: tuple[str, ...]) -> None:
    write_lines(Path("ref3.txt"), ["", REFERENCE_2[1], "", REFERENCE_2[3]])
    systems = ("-i", "a.txt", "b.txt")
    lines = run(command, "ref.txt", "ref3.txt", *systems, *more).err.splitlines()
    assert lines.count(EMPTY_LINES) == 1
    assert not any("reference" in line for line in lines if line != EMPTY_LINES)
    assert EMPTY_LINES not in run(command, "ref.txt", "ref2.txt", *systems, *more).err
    assert run(command, "ref.txt", "ref3.txt", *systems, *more, "-q").err == ""


def test_empty_references_in_lists(run: Run) -> None:
    write_lines(Path("hyp.txt"), REFERENCE[:2])
    for texts, warnings in ((["a b", ""], [EMPTY_TEXTS]), (["a b", None], []), (["a b"], [])):
        rows = [json.dumps({"ref": texts})] * 2
        write_lines(Path("data.jsonl"), rows)
        assert run("score", "data.jsonl:ref", "-i", "hyp.txt").err.splitlines() == warnings


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(
    ("references", "words"),
    [
        ("2", "2 references for each segment, but the files have 1"),
        ("var", "different numbers of references, but the files have 1 for each segment"),
        ("1", ""),
    ],
)
def test_a_signature_of_other_references(
    run: Run, command: str, references: str, words: str
) -> None:
    for signature in (
        f"nrefs:{references}|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
        f"#:{references}|c:mixed|e:no|tok:13a|s:exp|v:2.6.0",
    ):
        told = run(command, "ref.txt", "-i", "a.txt", "b.txt", "-m", signature).err
        end = f"{words}: the scores cannot be compared (--quiet hides this)\n"
        assert told == (f"bleuet: warning: the signature after -m has {end}" if words else "")


@pytest.mark.slow
def test_what_is_seen_does_not_hang_on_batches(folder: Path) -> None:
    """More segments than a batch holds, some faults behind the first."""
    references = [f"The number {i} is one of many." for i in range(40_000)]
    hypotheses = [
        f"Number {i} is one of many ." if i >= 39_900 else r for i, r in enumerate(references)
    ]
    hypotheses[35_000] = hypotheses[39_999] = ""
    write_lines(folder / "ref.txt", references)
    write_lines(folder / "h.txt", hypotheses)
    outcome = run_apart("score", "ref.txt", "-i", "h.txt", "-b")
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "bleuet: warning: 2 lines of h.txt are empty (--quiet hides this)",
    ]
    hypotheses[39_899] = "Many ."
    hypotheses[39_898] = "Many ."
    write_lines(folder / "h.txt", hypotheses)
    outcome = run_apart("score", "ref.txt", "-i", "h.txt", "-b")
    assert "100 lines of h.txt or more end in ' .'" in outcome.err


# --- Files of different lengths -------------------------------------------------------------------


def test_a_lost_line_is_found(run: Run, texts: tuple[list[str], list[str]]) -> None:
    hypotheses, _ = texts
    write_lines(Path("lost.txt"), [*hypotheses[:30], *hypotheses[31:]])
    outcome = run(*LINT, "lost.txt", "c.txt", "--source", "src.txt")
    assert (outcome.code, outcome.err) == (0, "")
    assert (
        "lost.txt:31  length  it has 59 lines, but the references have 60; the line for line 31 of "
        "the references is missing before this line"
    ) in outcome.out
    assert "1 finding by 1 check; the other checks need files of one length" in outcome.out
    assert run(*LINT, "lost.txt", "--strict").code == 1
    assert run("score", *LINT[1:], "lost.txt").code == 1


# --- Text without spaces between words ------------------------------------------------------------

SENTENCES = {
    "zh": "猫坐在旧椅子上。今天下了一整夜的雨。",
    "ja": "猫は古い椅子の上に座った。一晩中雨が降った。",
    "ko": "고양이는 낡은 의자에 앉았다. 골짜기에는 밤새도록 비가 내렸다.",
    "th": "แมวนั่งบนเก้าอี้เก่า ฝนตกทั้งคืนในหุบเขา",
    "lo": "ແມວນັ່ງຢູ່ເທິງຕັ່ງເກົ່າ ຝົນຕົກຕະຫຼອດຄືນ",
    "km": "ឆ្មាអង្គុយលើកៅអីចាស់។ភ្លៀងធ្លាក់ពេញមួយយប់",
    "my": "ကြောင်သည်ကုလားထိုင်ဟောင်းပေါ်တွင်ထိုင်သည်။",
    "bo": "ཞི་མི་རྐུབ་ཀྱག་རྙིང་པའི་སྟེང་ལ་བསྡད།",
}
WITH_SPACES = {
    "en": "The cat sat down on the old chair, and it rained all night.",
    "de": "Die Bürger mögen größere Häuser und süße Äpfel über alles.",
    "ru": "Кошка села на старый стул, и всю ночь шёл дождь.",
    "hi": "बिल्ली पुरानी कुर्सी पर बैठी और सारी रात बारिश होती रही।",
    "ka": "კატა ძველ სკამზე დაჯდა და მთელი ღამე წვიმდა.",
    "am": "ድመቷ በአሮጌው ወንበር ላይ ተቀመጠች እና ሌሊቱን ሙሉ ዘነበ።",
    "segmented": "猫 坐 在 旧 椅子 上 。 今天 下 了 一 整夜 的 雨 。",
    "names": "The singer 王菲 and the writer 村上春樹 met in Tokyo last year.",
}


@pytest.fixture
def written(folder: Path) -> Path:
    for name, sentence in {**SENTENCES, **WITH_SPACES}.items():
        write_lines(folder / f"{name}.ref", [f"{sentence}{n}" for n in range(20)])
        write_lines(folder / f"{name}.hyp", [f"{sentence[1:]}{n}" for n in range(20)])
        write_lines(folder / f"{name}.tsv", ["ref", *(f"{sentence}{n}" for n in range(20))])
    return folder


WORDS = "not split into words"


@pytest.mark.slow
@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("language", SENTENCES)
def test_text_without_spaces_needs_another_tokenizer(run: Run, language: str) -> None:
    more = {
        "score": (),
        "compare": ("--show", "scores"),
        "significance": ("x=b.hyp", "--draws", "20", "-m", "bleu"),
        "gate": ("--baseline", "b.hyp", "--draws", "100"),
    }
    Path("b.hyp").write_bytes(Path(f"{language}.hyp").read_bytes())
    for command, words in more.items():
        files = (command, f"{language}.ref", "-i", f"{language}.hyp", *words)
        assert run(*files).err.count(WORDS) == 1, command
        assert WORDS not in run(*files, "-q").err
        named = run(*files[:4], *words[:-2] if "-m" in words else words, "-m", "bleu:tokenize=char")
        assert (named.code in (0, 3), WORDS in named.err) == (True, False)
    table = run("score", f"{language}.tsv:ref", "-i", f"{language}.hyp")
    assert table.err.count(WORDS) == 1
    if language in BY_LANGUAGE:
        assert f"as in bleu:tokenize={BY_LANGUAGE[language]} or -l xx-{language}" in table.err
    found = run("lint", f"{language}.ref", "-i", f"{language}.hyp")
    assert (found.code, found.out.count(WORDS)) == (0, 1)


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("language", WITH_SPACES)
def test_text_with_spaces_does_not(run: Run, language: str) -> None:
    for command in ("score", "lint"):
        outcome = run(command, f"{language}.ref", "-i", f"{language}.hyp", "-m", "bleu", "ter")
        assert (outcome.code, WORDS in outcome.err + outcome.out) == (0, False)


@pytest.mark.usefixtures("written")
def test_rouge_of_text_without_spaces(run: Run) -> None:
    of_zh = ("score", "zh.ref", "-i", "zh.hyp", "-m")
    found = run(*of_zh, "rouge-1", "rouge-l", "rouge-2:tokenize=none").err
    assert found.count("ROUGE with tokenize=rouge does not split into words") == 1
    assert "letters" not in found
    assert run(*of_zh, "rouge-l:tokenize=unicode").err == ""
    assert run(*of_zh, "rouge-l", "-l", "en-zh").err == ""


def test_lines_without_words_for_rouge(run: Run, tmp_path: Path) -> None:
    """Letters, but none of a to z: Cyrillic and Greek, not punctuation or mixed text."""
    lines = ["Привет, мир!", "...", "A cat", "Ж 1", "", "αβγ"]
    ref, hyp = tmp_path / "ref", tmp_path / "hyp"
    write_lines(ref, lines)
    write_lines(hyp, lines[:3] * 2)
    found = run("score", str(ref), "-i", str(hyp), "-m", "rouge-1", "bleu").err
    assert "3 lines of the references have letters, but none of a to z" in found
    assert "2 lines of hyp have letters, but none of a to z" in found
    for metric in ("rouge-1:tokenize=unicode", "bleu"):
        assert "letters" not in run("score", str(ref), "-i", str(hyp), "-m", metric).err


@pytest.mark.usefixtures("written")
def test_the_language_pair_selects_it(run: Run) -> None:
    outcome = run("score", "zh.ref", "-i", "zh.hyp", "-l", "en-zh")
    assert (outcome.code, outcome.err) == (0, "")
    fixed = run("score", "zh.ref", "-i", "zh.hyp", "-m", "ter:normalized,asian_support", "chrf")
    assert (fixed.code, fixed.err) == (0, "")
    assert (
        "TER does not split into words" in run("score", "zh.ref", "-i", "zh.hyp", "-m", "ter").err
    )
