"""Command lines whose whole output is frozen in `answers/`, in each of their formats.

`python -m tests.cli.answers` writes the goldens again, those of `tests/web/` too. The file
`answers/NAME.json` is what the command line with that name prints with `-f json`.
"""

from __future__ import annotations

import json
import os
import shlex
import tempfile
import warnings
from contextlib import chdir, redirect_stdout
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuet import compare, make_metric
from bleuet.cli.main import COMMANDS, main, read_arguments
from bleuet.output.rendering import FORMATS
from bleuet.significance import compare_blocks
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A, SYSTEM_B, write_lines
from tests.gate_runs import lines_of, with_breaks, with_changes
from tests.goldens import write

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = Path(__file__).parent / "answers"
# What Python programs get, and no command prints.
PLAIN_VALUES = FOLDER / "of-python-values.json"
DATA_FRAMES = FOLDER / "of-python-data-frames.json"
EVERY = "text markdown latex csv json jsonl html"
# Variables that change what is printed.
VARIABLES = ("COLUMNS", "SACREBLEU_SEED", "SACREBLEU_FORMAT", "NO_COLOR")


class Case(NamedTuple):
    """A command line without -f, and what it gives.

    Args:
        line: the words after `bleuet`, as in a shell.
        formats: the formats that are frozen; "" for a command without formats.
        code: the exit code.
        group: the group of tests that it belongs to, if any.
        before: a command line that makes a file for it.
    """

    line: str
    formats: str = "json text"
    code: int = 0
    group: str = ""
    before: str = ""


TEXTS = "ref.txt -i a.txt b.txt -q"
THREE = "ref.txt -i a.txt b.txt c.txt -q"
DRAWS = "--draws 40 --seed 7"
HUMAN = f"meta {THREE} --human human.tsv"
FOUR = HUMAN.replace("c.txt", "c.txt d.txt")
NBEST = "tune ref.txt --nbest nbest.txt --seed 1 -q -w 4"
SCORES = "--scores COMET=a.comet,b.comet,c.comet MQM=mqm.tsv --lower-is-better MQM"
WORDS = "--word-lists animals.txt --reference-labels ref.pos --system-labels a.pos b.pos"
METRICS = (
    "bleu bleuberi mean-bleu crystal-bleu chrf chrf++ mean-chrf gleu nist ter wer cer eed ribes "
    "rouge-1 rouge-l cider cider-d token-f1 exact-match"
)
EXPLAINED = "chrf++ wer eed ribes rouge-l"

CASES: dict[str, Case] = {
    # --- score
    "score": Case("score ref.txt ref2.txt -i a.txt b.txt -m bleu chrf ter -q", EVERY),
    "score-one": Case("score ref.txt -i a.txt", "json text csv"),
    "score-every-metric": Case(f"score ref.txt ref2.txt -i a.txt -q -m {METRICS}", "json text csv"),
    "score-meteor": Case("score ref.txt -i a.txt -m meteor:matchers=exact"),
    "score-sentences": Case("score few.txt -i ours=few-a.txt few-b.txt -s -m bleu ter", EVERY),
    "score-sentences-bare": Case("score few.txt -i few-a.txt -s -b -m bleu ter", "text"),
    "score-sentences-cumulative": Case("score few.txt -i few-a.txt -s --cumulative", "csv jsonl"),
    "score-cumulative": Case(f"score {TEXTS} --cumulative", "json text csv"),
    "score-intervals": Case(f"score {TEXTS} -m bleu ter --confidence {DRAWS}", EVERY),
    "score-intervals-one": Case(f"score ref.txt -i a.txt -q --confidence 0.9 {DRAWS}"),
    "score-intervals-documents": Case(
        f"score {TEXTS} --confidence --documents documents.txt {DRAWS}"
    ),
    "score-short": Case(f"score {TEXTS} --short -w 4 -m bleu chrf", "text markdown html json csv"),
    "score-bare": Case(f"score {TEXTS} -b -m bleu ter", "text"),
    "score-aligned": Case("score ref.txt -i joined.txt --align"),
    "score-saved": Case(
        "score --from-table ab.parquet --segments 2-5", group="libraries",
        before=f"score {TEXTS} -m bleu ter --save-table ab.parquet -o saved.txt",
    ),
    "score-alignment": Case(f"score {TEXTS} -m wer --alignment", "text jsonl"),
    # --- compare
    "compare": Case(f"compare {TEXTS} -n 2", EVERY),
    "compare-all": Case(
        f"compare {TEXTS} -m bleu ter --show all -n 1 --test bootstrap {DRAWS} --blocks 2 "
        f"--by length=6 hypothesis-length=6 length-difference frequency=1,2 score=30 "
        f"--labels domains.txt {WORDS}",
    ),
    "compare-tested": Case(
        f"compare {THREE} --show scores differences clusters --test randomization {DRAWS} "
        "--all-pairs --correction benjamini-hochberg --correct-over all --short",
        "json text latex",
    ),
    "compare-external": Case(
        f"compare {THREE} -m bleu MQM {SCORES} -n 1 --by score --confidence {DRAWS} "
        "--show scores buckets sentences"
    ),
    "compare-external-only": Case(
        f"compare {THREE} -m COMET {SCORES} --show scores buckets sentences -n 1", "text"
    ),
    "compare-blocks": Case(
        f"compare {THREE} -m bleu --show blocks --blocks 4 --all-pairs", "json text csv"
    ),
    "compare-words": Case(
        f"compare {TEXTS} --show words buckets --frequencies training.txt {WORDS}",
        "text csv",
    ),
    "compare-significant": Case(
        "compare ref.txt -i ref2.txt b.txt source.txt -q -m bleu --draws 400 --seed 7 "
        "--test randomization --show scores differences clusters --all-pairs",
        "text csv",
    ),
    "compare-documents": Case(
        f"compare {TEXTS} --show scores differences --test sacrebleu-bootstrap {DRAWS} "
        "--documents documents.txt",
        "text",
    ),
    "compare-charts": Case(
        f"compare {TEXTS} -m bleu --show histogram surface ngrams -n 2", "text csv"
    ),
    # --- significance
    "significance": Case(f"significance {THREE} -m bleu chrf ter {DRAWS}", EVERY),
    **{
        f"significance-{test}": Case(f"significance {TEXTS} --test {test} {DRAWS}")
        for test in ("bootstrap", "randomization", "sacrebleu-bootstrap", "sacrebleu-randomization")
    },
    "significance-pairs": Case(
        f"significance {THREE} --all-pairs --correction bonferroni --correct-over all {DRAWS}",
        "json text csv latex",
    ),
    "significance-baseline": Case(
        f"significance {THREE} --baseline c --test bootstrap --correction none --alpha 0.1 "
        f"--confidence 0.9 -m bleu {DRAWS}",
        "json text csv",
    ),
    "significance-runs": Case(
        f"significance ref.txt -i old=a.txt,b.txt new=c.txt,d.txt -q -m bleu ter {DRAWS}", EVERY
    ),
    "significance-runs-multeval": Case(
        "significance ref.txt -i old=a.txt,b.txt new=c.txt,d.txt -q -m bleu "
        f"--test multeval-randomization {DRAWS}"
    ),
    "significance-external": Case(
        f"significance {THREE} {SCORES} -m bleu COMET MQM {DRAWS}", "json text csv"
    ),
    "significance-significant": Case(
        "significance ref.txt -i ref2.txt b.txt source.txt -q --all-pairs --draws 400 --seed 7",
        "text csv html latex markdown",
    ),
    "significance-documents": Case(f"significance {TEXTS} --documents documents.txt {DRAWS}"),
    "significance-saved": Case(
        f"significance --from-table sig.parquet -i b a -m bleu -q {DRAWS}", group="libraries",
        before=f"score {TEXTS} -m bleu ter --save-table sig.parquet -o saved.txt",
    ),
    # --- meta
    "meta": Case(f"{HUMAN} -m bleu ter", EVERY),
    "meta-intervals": Case(
        f"{HUMAN} -m bleu chrf --confidence {DRAWS} --resample both "
        "--statistic pearson acc-eq system-pearson",
        "json text csv latex",
    ),
    "meta-statistics": Case(
        f"{HUMAN} -m bleu --grouping system --statistic tau-a tau-b tau-c acc-eq pairwise-pearson "
        "pearson spearman system-spearman system-tau system-accuracy spa --seed 7 "
        "--undefined-as-zero",
    ),
    "meta-held-out": Case(
        f"{HUMAN} -m bleu ter --grouping item --statistic acc-eq tau-b --held-out-epsilon"
    ),
    **{
        f"meta-{test}": Case(
            f"{FOUR} -m bleu chrf ter --test {test} --draws 40 --statistic {statistic} "
            "--correction holm",
            "json text",
        )
        for test, statistic in (
            ("perm-both", "pearson"),
            ("williams", "system-pearson"),
            ("perm-pairs", "acc-eq"),
        )
    },
    "meta-pairs": Case(f"meta {THREE} --human pairs.tsv -m bleu ter"),
    "meta-rankings": Case(f"meta {THREE} --human rankings.tsv -m bleu --first-segment 1"),
    "meta-systems": Case(f"meta {THREE} --human systems.tsv -m bleu chrf"),
    "meta-external": Case(
        "meta -q --scores comet=comet.tsv --human human.tsv --margin 1 --leave-out c "
        "--statistic tau tau-wmt12 tau-wmt13 tau-wmt14",
    ),
    "meta-test-set": Case(
        "meta refA --mt-metrics-eval wmt99 -l en-de -q -m bleu --level system segment",
        "json text csv",
    ),
    "meta-sentinels": Case(
        f"{HUMAN} -m bleu ter --sentinels --statistic pearson tau-b acc-eq", "json text"
    ),
    "meta-documents": Case(
        f"{HUMAN} -m bleu --confidence {DRAWS} --documents documents.txt --statistic pearson"
    ),
    "meta-raters": Case(
        f"meta {THREE} --human raters.tsv -m bleu --rater-scores z --rank-systems rank-sum "
        f"--confidence {DRAWS}",
        "json text csv",
    ),
    "meta-ranking": Case(
        "meta --human raters.tsv --rank-systems --correction holm --rater-scale ordinal", EVERY
    ),
    "meta-mixed-effects": Case(
        "meta --human raters.tsv --rank-systems mixed-effects --documents documents.txt -w 3",
        "text",
    ),
    # --- gate
    "gate": Case(
        "gate ref.txt --baseline a.txt -i b.txt -q -m bleu ter --max-drop 1 --fail-on either "
        f"{DRAWS}",
        EVERY,
        code=3,
    ),
    "gate-drop": Case(
        f"gate ref.txt --baseline b.txt -i a.txt -q --max-drop 1 "
        f"--test bootstrap --alpha 0.1 {DRAWS}",
        "json text markdown",
    ),
    "gate-stored": Case(
        "gate ref.txt --baseline stored.json -i b.txt -q --max-drop 0.5 --fail-on drop",
        "json text csv", code=3, before="score ref.txt -i a.txt -m bleu ter -f json -o stored.json",
    ),
    "gate-limits": Case(
        "gate ref.txt --baseline b.txt -i a.txt -q -m bleu ter --fail-on drop "
        "--max-drop 1 ter=60 --min bleu=99 --max ter=99"
        , "json text", code=3
    ),
    "gate-alone": Case(
        "gate ref.txt -i a.txt -q -m bleu chrf ter --min bleu=20 --max ter=1",
        "json text markdown",
        code=3,
    ),
    "gate-documents": Case(
        f"gate ref.txt --baseline a.txt -i b.txt -q --documents documents.txt {DRAWS}"
    ),
    "gate-release": Case(
        "gate ref.txt --baseline last=b.txt --release v1=a.txt -i b.txt -q -m bleu ter --changes 2 "
        "--fail-on possible --max-drop 1 --alpha 0.2 --draws 60 --seed 7",
        "json text csv",
        code=3,
    ),
    "gate-saved": Case(
        f"gate ref.txt --baseline gate.parquet -i b.txt -q {DRAWS}", group="libraries",
        before="score ref.txt -i a.txt --save-table gate.parquet -o saved.txt",
    ),
    "history": Case("history history.jsonl --last 1 --short", EVERY),
    "history-breaks": Case("history breaks.jsonl --last 3 --short", "text"),
    # --- align, diversity, matrix
    "align": Case("align ref.txt ref2.txt -i joined.txt", EVERY),
    "align-documents": Case(
        "align ref.txt -i by-document.txt --documents documents.txt --tokenize char "
        "--case-sensitive"
    ),
    "align-time": Case("align ref.srt -i spoken.srt --by-time --without-speakers"),
    "diversity": Case("diversity one=a.txt b.txt", EVERY),
    "diversity-corpus": Case("diversity a.txt --average corpus --itself -m bleu:max_ngram_order=2"),
    "diversity-pairs": Case("diversity a.txt b.txt --average pairs --sample 3 --seed 7 -q"),
    "matrix": Case("matrix few.txt -i few-a.txt", EVERY),
    "matrix-lists": Case("matrix lists.jsonl:ref -i lists.jsonl:all -m ter", EVERY),
    # --- mbr, tune
    "mbr": Case("mbr few.txt -i few-a.txt few-b.txt few-c.txt -m chrf -q", EVERY),
    "mbr-aggregated": Case("mbr -i lists.jsonl:all --way aggregated --loss -m bleu -q"),
    "mbr-pruned": Case("mbr few.txt -i lists.jsonl:all --way pruned --loss -m bleu ter -q"),
    "mbr-oracle": Case("mbr few.txt -i lists.jsonl:all --oracle -m bleu ter", "text csv"),
    "mbr-weights": Case("mbr -i moses.txt --weights scores --distinct", "json text csv"),
    "mbr-pseudo-references": Case(
        "mbr -i lists.jsonl:all --pseudo-references few.txt few-c.txt -m ter"
    ),
    "mbr-saved": Case(
        "mbr --from-matrix pairs.jsonl -m chrf",
        before="mbr -i lists.jsonl:all -m bleu chrf --save-matrix pairs.jsonl -o saved.txt",
    ),
    "tune": Case(f"{NBEST} --method mert:restarts=2", EVERY),
    "tune-pro": Case(f"{NBEST} --method pro -m bleu ter"),
    "tune-mira": Case(f"{NBEST} --method mira"),
    "tune-expected": Case(f"{NBEST} --method expected-bleu"),
    "tune-held-out": Case(
        f"{NBEST} --method mert:restarts=1 -m bleu ter --start weights.json --held-out nbest.txt "
        "--held-out-references ref2.txt",
        "json text csv",
    ),
    "tune-apply": Case("tune ref.txt --nbest nbest.txt --apply weights.json -m bleu ter", EVERY),
    "tune-apply-without-references": Case("tune --nbest nbest.txt --apply weights.json"),
    # --- explain, lint
    "explain": Case(
        "explain ref.txt -i a.txt --from bleu:lowercase --to mean-bleu:smooth=floor -q", EVERY
    ),
    "explain-settings": Case(
        "explain ref.txt ref2.txt -i a.txt --from bleu "
        "--to bleu:tokenize=char,max_ngram_order=2,reference_length=shortest",
    ),
    "explain-other": Case("explain ref.txt -i a.txt --from chrf --to chrf++:lowercase"),
    "explain-segment": Case("explain ref.txt ref2.txt -i a.txt --segment 3 -m bleu ter", EVERY),
    "explain-sentence": Case(
        'explain --hypothesis "The cat sat." --reference "The cat sat down." -m bleu chrf', "text"
    ),
    "explain-segment-metrics": Case(
        f"explain ref.txt -i a.txt --segment 2 -m {EXPLAINED}"
    ),
    "explain-segment-meteor": Case("explain ref.txt -i a.txt --segment 1 -m meteor:matchers=exact"),
    "lint": Case("lint ref.txt -i bad.txt a.txt --source source.txt -q", EVERY),
    "lint-checks": Case(
        "lint ref.txt -i copies.txt --source source.txt --training training.txt --strict -m ter",
        "json text csv", code=1,
    ),
    "lint-none": Case("lint ref.txt -i a.txt --checks script", "json text csv"),
    # --- lists
    # Its JSON is that of each metric, one after the other.
    "metrics": Case("metrics", "text markdown latex csv"),
    "metrics-bleu": Case("metrics bleu", "json"),
    "metrics-ter": Case("metrics ter", EVERY),
    "tokenizers": Case("tokenizers", EVERY),
    "meteor-data": Case("meteor-data", EVERY),
    # --- sacreBLEU's own output
    "sacrebleu": Case("sacrebleu ref.txt ref2.txt -i a.txt -m bleu chrf ter -f json", ""),
    "sacrebleu-text": Case("sacrebleu ref.txt -i a.txt -m bleu chrf ter -f text -w 4", ""),
    "sacrebleu-several": Case("sacrebleu ref.txt -i a.txt b.txt -m bleu ter -f text", ""),
    "sacrebleu-several-json": Case("sacrebleu ref.txt -i a.txt b.txt -m bleu ter -f json", ""),
    "sacrebleu-several-latex": Case("sacrebleu ref.txt -i a.txt b.txt -m bleu ter -f latex", ""),
    "sacrebleu-sentences": Case("sacrebleu ref.txt -i a.txt -sl -m chrf -f text", ""),
    "sacrebleu-intervals": Case("sacrebleu ref.txt -i a.txt -m bleu ter -ci -cin 50", ""),
    "sacrebleu-bootstrap": Case(
        "sacrebleu ref.txt -i a.txt b.txt -m bleu chrf -pbs -pbsn 50 -f json", ""
    ),
    "sacrebleu-randomization": Case(
        "sacrebleu ref.txt -i a.txt b.txt -m bleu -par -parn 50 -f text", ""
    ),
}  # fmt: skip


def goldens(name: str) -> dict[str, Path]:
    """Return the golden of each format of a command line; of format "" without formats."""
    formats = CASES[name].formats.split()
    return {one: FOLDER / f"{name}{FORMATS[one].ending}" for one in formats} or {
        "": FOLDER / f"{name}.{'json' if CASES[name].line.endswith('json') else 'txt'}"
    }


def data_frames(library: Any) -> str:
    """Return the columns of data frames of a comparison as JSON.

    Args:
        library: whose data frames they are.
    """
    found = compare({"a": SYSTEM_A, "b": SYSTEM_B}, REFERENCE, ["bleu"])
    parts = ("scores", "buckets", "sentences")
    frames = [found.to_dataframe(part, library=library).to_pydict() for part in parts]
    return json.dumps(dict(zip(parts, frames, strict=True)), indent=1) + "\n"


def plain_values() -> str:
    """Return as JSON what only Python programs see: records of data frames, and plain values."""
    columns = {}
    for name, case in CASES.items():
        if case.formats == EVERY:
            command, *words = shlex.split(case.line)
            module = import_module(COMMANDS[command][0])
            with warnings.catch_warnings(action="ignore"):
                document = module.answer(read_arguments(module.COMMAND, words)).document()
            columns[name] = {
                part: " ".join(next(iter(records()), ()))
                for part, records in document.records.items()
            }
    compared = compare({"a": SYSTEM_A, "b": SYSTEM_B}, REFERENCE, ["bleu"])
    metric = make_metric("ter")
    tables = [metric.count(texts, REFERENCE) for texts in (SYSTEM_A, SYSTEM_B)]
    values = {
        "columns": columns,
        "texts": compared.to_dict(texts=True)["texts"][:1],
        "blocks": compare_blocks(metric, *tables, blocks=2).to_dict(),
    }
    return json.dumps(values, indent=1) + "\n"


def printed(line: str) -> tuple[int, str]:
    """Run a command line in this process, and return its exit code and what it prints."""
    with redirect_stdout(TextIOWrapper(BytesIO(), encoding="utf-8")) as out:
        code = main(shlex.split(line))
        out.flush()
    buffer = out.detach()
    assert isinstance(buffer, BytesIO)
    return code, buffer.getvalue().decode()


def answer(name: str, format_: str) -> str:
    """Run a command line in the working folder, and return what it prints in a format."""
    case = CASES[name]
    if case.before:
        assert printed(case.before)[0] == 0, case.before
    code, out = printed(f"{case.line} -f {format_}" if format_ else case.line)
    assert code == case.code, f"{case.line}: exit code {code}"
    return out


# --- The files that command lines read ------------------------------------------------------------

SYSTEM_C = [
    "The cat sat down down on the chair, old.",
    "It rained all the night.",
    "Nobody knew where the key was.",
    "Tea!",
    "On the old chair sat the cat.",
    "In the valley it was raining.",
    "They had put the key where nobody knew.",
    "Some tea, please!",
]
SOURCE = [
    "Die Katze setzte sich auf den alten Stuhl.",
    "Es regnete die ganze Nacht im Tal.",
    "Niemand wusste, wo der Schlüssel war.",
    "Tee, bitte!",
    "Die Katze saß auf dem alten Stuhl.",
    "Die ganze Nacht regnete es im Tal.",
    "Niemand wusste, wohin der Schlüssel gelegt worden war.",
    "Etwas Tee, bitte.",
]
BAD = [
    "The cat sat on the old chair &amp; slept .",
    "",
    "Nobody knew where the key \ufffd was",
    "the the the the the the the the the the the the",
    "Niemand wusste, wohin der Schlüssel gelegt worden war.",
    "It was rain@@ ing in the val@@ ley all night.",
    "Nobody knew where thÃ© key was\u200b.",
    "Sоme tea, please.",
]
SYSTEMS = {
    "a": [*SYSTEM_A, *SYSTEM_B], "b": [*SYSTEM_B[:3], "", *SYSTEM_A], "c": SYSTEM_C,
}  # fmt: skip
REFERENCES = [*REFERENCE, *REFERENCE_2]
FEW = 3
SUBTITLE = "{number}\n00:00:0{number},000 --> 00:00:0{number},900\n{text}\n"


def write_inputs(folder: Path) -> None:
    """Write all files that the command lines read."""
    files = {
        "ref.txt": REFERENCES,
        "ref2.txt": [*REFERENCE_2, *REFERENCE],
        "few.txt": REFERENCES[:FEW],
        "d.txt": [*SYSTEM_A, *SYSTEM_C[4:]],
        "joined.txt": [" ".join(SYSTEMS["a"])],
        "by-document.txt": [" ".join(SYSTEM_A), " ".join(SYSTEM_B)],
        "documents.txt": ["news"] * 4 + ["talk"] * 4,
        "domains.txt": ["home", "weather", "home", "food"] * 2,
        "animals.txt": ["cat", "dog"],
        "training.txt": [*SYSTEM_A, SOURCE[1], REFERENCE[0], "A dog is not a cat."],
        "source.txt": SOURCE,
        "bad.txt": BAD,
        "copies.txt": [*SOURCE[:4], *REFERENCES[3:7]],
        "history.jsonl": lines_of(with_changes()),
        "breaks.jsonl": lines_of(with_breaks()),
        "ref.pos": _labels(REFERENCES),
        "weights.json": ['{"lm": [1], "tm": [0.5, 0.25]}'],
        "mqm.tsv": _table("segment system score", _numbers()),
        "comet.tsv": _table("segment system score", _numbers()),
        "human.tsv": _table("segment system score", _judged()),
        "raters.tsv": _table("segment system rater score", _rated()),
        "systems.tsv": _table("system score", [("a", 2.5), ("b", -1.0), ("c", 0.75)]),
        "pairs.tsv": _table(
            "segment better worse",
            [(i, *(("a", "b"), ("c", "b"), ("a", "c"))[i % 3]) for i in range(8)],
        ),
        "rankings.tsv": _table(
            "segment system1 rank1 system2 rank2 system3 rank3",
            [(i + 1, "a", 1 + i % 2, "b", 2, "c", 3 - i % 3) for i in range(8)],
        ),
        "lists.jsonl": [
            json.dumps({"ref": REFERENCES[i], "all": [own[i] for own in SYSTEMS.values()]})
            for i in range(FEW)
        ],
        "moses.txt": [
            f"{i} ||| {own[i]} ||| lm= {-k}.5 ||| {-1 - k * i}"
            for i in range(FEW)
            for k, own in enumerate([*SYSTEMS.values(), SYSTEMS["a"]])
        ],
        "nbest.txt": [
            f"{i} ||| {own[i]} ||| lm= {-1 - (i + k) % 3} tm= {k * i % 4} {len(own[i].split())}"
            for i in range(8)
            for k, own in enumerate(SYSTEMS.values())
        ],
        "ref.srt": _subtitles(["JOHN: The cat sat down.", "- It rained.", "Tea, please!"]),
        "spoken.srt": _subtitles(["The cat sat", "MARY: down. It rained. Some tea", "please"]),
    }
    for number, (name, texts) in enumerate(SYSTEMS.items()):
        files[f"{name}.txt"] = texts
        files[f"few-{name}.txt"] = texts[:FEW]
        files[f"{name}.pos"] = _labels(texts)
        files[f"{name}.comet"] = [
            "" if i + number == 4 else f"0.{(i * 3 + number) % 8}5" for i in range(8)
        ]
    for name, lines in files.items():
        write_lines(folder / name, lines)
    _write_test_set(folder / "wmt99")


def _labels(texts: list[str]) -> list[str]:
    """Return a label for each token, as the tokenizer 13a splits these texts."""
    marks = str.maketrans({mark: f" {mark} " for mark in ".,!"})
    words = [text.translate(marks).split() for text in texts]
    return [
        " ".join("NAME" if one.istitle() else "WORD" if one.isalpha() else "MARK" for one in own)
        for own in words
    ]


def _table(header: str, rows: Iterable[tuple[object, ...]]) -> list[str]:
    return ["\t".join(map(str, row)) for row in (header.split(), *rows)]


def _numbers() -> list[tuple[int, str, float]]:
    return [(i, name, (i * 5 + k * 3) % 7 / 2) for i in range(8) for k, name in enumerate(SYSTEMS)]


def _judged() -> list[tuple[int, str, int]]:
    return [(i, name, (i * 7) % 5 - 2 * k) for i in range(8) for k, name in enumerate("abcd")]


def _rated() -> list[tuple[int, str, str, int]]:
    """Two raters of each translation, of three who differ in how severe they are."""
    return [
        (i, name, f"rater{rater}", 80 - 20 * rater - 9 * k + (i * 7 + k * 5 + rater * 3) % 11)
        for i in range(8)
        for k, name in enumerate(SYSTEMS)
        for rater in (i % 3, (i + 1) % 3)
    ]


def _subtitles(texts: list[str]) -> list[str]:
    return [SUBTITLE.format(number=number, text=text) for number, text in enumerate(texts, 1)]


def _write_test_set(root: Path) -> None:
    """Write a test set in the folders of mt-metrics-eval."""
    scores = {name: [score for _, own, score in _judged() if own == name] for name in SYSTEMS}
    blocks = [f"{name}\t{score}" for name, own in scores.items() for score in own]
    files = {
        "sources/en-de.txt": SOURCE,
        "documents/en-de.docs": ["news one"] * 4 + ["talk two"] * 4,
        "references/en-de.refA.txt": REFERENCES,
        **{f"system-outputs/en-de/{name}.txt": texts for name, texts in SYSTEMS.items()},
        "human-scores/en-de.mqm.seg.score": blocks,
        "human-scores/en-de.mqm.sys.score": [f"{name} {sum(own)}" for name, own in scores.items()],
        "metric-scores/en-de/COMET-refA.seg.score": [
            f"{name}\t{score}" for name in SYSTEMS for _, own, score in _numbers() if own == name
        ],
    }
    for name, lines in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        write_lines(root / name, lines)


def rewrite() -> None:
    """Write all goldens again, and remove those of no command line."""
    from tests.web.answers import FOLDER as API_FOLDER
    from tests.web.answers import api_answers

    for name in VARIABLES:
        os.environ.pop(name, None)
    # Nothing of METEOR is stored there.
    os.environ["XDG_DATA_HOME"] = os.devnull
    written = {PLAIN_VALUES, DATA_FRAMES}
    for golden, text in api_answers().items():
        write(golden, text)
        written.add(golden)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        write_inputs(Path(folder))
        for name in CASES:
            for format_, golden in goldens(name).items():
                write(golden, answer(name, format_))
                written.add(golden)
        write(PLAIN_VALUES, plain_values())
        write(DATA_FRAMES, data_frames("pyarrow"))
    for golden in {*FOLDER.iterdir(), *API_FOLDER.iterdir()} - written:
        golden.unlink()


if __name__ == "__main__":
    rewrite()
