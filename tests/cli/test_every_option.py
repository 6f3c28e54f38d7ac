"""Each option of each command changes the answer, in the way that it promises.

The options come from the declarations of the commands, so that a new one needs a line here: in
`CASES`, with the options that many commands share, or with a reason in `ELSEWHERE`.
"""

from __future__ import annotations

import csv
import json
import math
import re
from importlib import import_module
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import pytest

from bleuet import BLEU, SARI, TER, with_sources
from bleuet.cli.main import COMMANDS
from bleuet.significance import Evaluation, IntervalSettings
from bleuet.significance.interval import bootstrap_intervals
from bleuet.text.tokenizers import find_tokenizer
from tests.cli import test_shared_options
from tests.cli.every_option import SEGMENTS, Folder, Said, bare, command_line_folder, texts
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.text.source import Source


pytestmark = pytest.mark.slow


class Case(NamedTuple):
    """A command with and without an option.

    Attributes:
        line: the command; what is in braces is left out without the option, or `{this => that}`
            is "this" without it and "that" with it.
        law: what holds of the command without and with the option.
        like: another command, without the option, that says the same as this with the option.
    """

    line: str
    law: Callable[[Said, Said], Any] = lambda _without, _given: True
    like: str = ""

    @property
    def without(self) -> str:
        """The command without the option."""
        return re.sub(r"\{(?:(.*?) => )?.*?\}", lambda found: found[1] or "", self.line)

    @property
    def given(self) -> str:
        """The command with the option."""
        return re.sub(r"\{(?:.*? => )?(.*?)\}", lambda found: found[1], self.line)


def rows(said: Said) -> list[dict[str, Any]]:
    """Return the rows of scores."""
    return list(said.json if isinstance(said.json, list) else said.json["scores"])


def each(said: Said, key: str) -> list[Any]:
    """Return a value of each row of scores."""
    return [row[key] for row in rows(said)]


def score(said: Said) -> float:
    """Return the first score."""
    return float(rows(said)[0]["score"])


def widths(said: Said) -> list[float]:
    """Return the width of each interval."""
    return [row["high"] - row["low"] for row in rows(said)]


def near(one: Any, other: Any) -> bool:
    """Return whether numbers, or lists of them, or lists of lists, are equal but for rounding."""
    if isinstance(one, list) and one and isinstance(one[0], list):
        return len(one) == len(other) and all(map(near, one, other))
    return bool(one == pytest.approx(other, rel=1e-9, abs=1e-12))


def compared(said: Said) -> list[dict[str, Any]]:
    """Return the comparisons of a test."""
    found = said.json
    return list((found.get("significance") or found)["comparisons"])


def p_values(said: Said, kind: str = "p_value") -> list[float]:
    """Return the p-values of all comparisons."""
    return [one[kind] for one in compared(said)]


def is_fixed(without: Said, given: Said) -> bool:
    """Whether the command can run only with the option."""
    return without.code in (1, 2) and given.code in (0, 3)


def adds_rows(without: Said, given: Said) -> bool:
    """Whether the rows without the option are among more with it."""
    return all(row in rows(given) for row in rows(without)) and len(rows(given)) > len(
        rows(without)
    )


def lengths(name: str) -> list[int]:
    """Return the number of words of each line of a file."""
    return [len(text.split()) for text in texts()[name]]


def has_length(choose: Callable[[int, int], float]) -> Callable[[Said, Said], bool]:
    """The length of the references is the sum of what is chosen from each pair of them."""
    return lambda _, b: (
        b.json[0]["ref_len"] == sum(map(choose, lengths("ref.txt"), lengths("ref2.txt")))
    )


def chosen_texts_score(key: str) -> Callable[[Said, Said], bool]:
    """The texts that are written have the score that is printed, and nothing else changes."""
    return lambda a, b: (
        a.out == b.out
        and near(
            b.json[key],
            BLEU().corpus_score(b.file("new.txt").splitlines(), texts()["ref.txt"]).score,
        )
    )


def tokens_of(name: str) -> int:
    """Return the number of tokens of a file, by the tokenizer 13a."""
    return sum(len(find_tokenizer("13a").tokenize(text).split()) for text in texts()[name])


def csv_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a table in CSV."""
    return list(csv.DictReader(StringIO(text)))


def said_score(said: Said) -> list[float]:
    """Return the numbers with a point in what was printed."""
    return [*map(float, re.findall(r"-?\d+\.\d+", said.out))]


# All segments, from 1.
ALL = [*range(1, SEGMENTS + 1)]


def score_interval(words: str) -> list[float]:
    """Return the interval of BLEU of b by Python, with options of a command."""
    options = words.split()
    evaluation = Evaluation.count([BLEU()], {"b": texts()["b.txt"]}, texts()["ref.txt"])
    table = evaluation.tables["b"][0]
    (found,) = bootstrap_intervals(
        [(BLEU(), table)],
        IntervalSettings(seed=7 if "--seed" in options else 12345),
        documents=texts()["docs.txt"] if "--documents" in options else None,
    )
    return [found.low, found.high]


def sari(name: str) -> float:
    """Return SARI with a file of sources."""
    references = with_sources(texts()["ref.txt"], texts()[name])
    return SARI().corpus_score(texts()["a.txt"], references).score


# --- bleuet score ---------------------------------------------------------------------------------

ONE = "score ref.txt -i a.txt -f json"
TWO = "score ref.txt -i a.txt b.txt -f json"
FAR = "score far-ref.txt -i far.txt -f json"
Cases = dict[str, Case | list[Case]]
SCORE: Cases = {
    "REF": Case(
        "score ref.txt {ref2.txt} -i a.txt b.txt -f json",
        lambda a, b: all(
            "nrefs:2" in y["signature"] and x["counts"][3] <= y["counts"][3]
            for x, y in zip(a.json, b.json, strict=True)
        ),
    ),
    "--input": Case(
        "score ref.txt -i x=a.txt {y=b.txt} -f json",
        lambda a, b: adds_rows(a, b) and b.json[1]["sys_len"] == tokens_of("b.txt"),
    ),
    "--source": Case(
        "score ref.txt -i a.txt -f json -m sari --source {src.txt => ref2.txt}",
        lambda a, b: near(score(a), sari("src.txt")) and near(score(b), sari("ref2.txt")),
    ),
    "--align": Case(
        "score ref.txt -i line-ref.txt -f json {--align}",
        lambda a, b: is_fixed(a, b) and near(score(b), 100) and b.json[0]["sys_len"] > 200,
    ),
    "--metrics": Case(f"{TWO} -m bleu {{ter}}", adds_rows),
    "--sentence-level": Case(
        f"{TWO} {{-s}}",
        lambda a, b: (
            len(b.json) == 2 * SEGMENTS
            and all(
                [sum(row["counts"][n] for row in b.json[i::2]) for n in range(4)]
                == a.json[i]["counts"]
                for i in range(2)
            )
        ),
    ),
    "--lowercase": Case(
        f"{TWO} {{--lowercase}}", like="score low-ref.txt -i low-a.txt low-b.txt -f json"
    ),
    "--effective-order": [
        Case(
            "score three-ref.txt -i three.txt -f json {--effective-order}",
            lambda a, b: score(a) == 0 < score(b) == b.json[0]["cumulative"][2],
        ),
        Case(
            "score three-ref.txt -i three.txt -s -f json {--no-effective-order}",
            lambda a, b: score(a) > 0 == score(b),
        ),
    ],
    "--tokenize": Case(
        f"{TWO} {{--tokenize none}}",
        lambda _, b: each(b, "sys_len") == [sum(lengths(name)) for name in ("a.txt", "b.txt")],
    ),
    "--smooth": Case(
        f"{FAR} {{--smooth floor}}",
        lambda a, b: (
            a.json[0]["counts"][3] == 0
            and near(b.json[0]["precisions"][3], 100 * 0.1 / b.json[0]["totals"][3])
        ),
    ),
    "--smooth-value": Case(
        f"{FAR} --smooth floor {{--smooth-value 0.5}}",
        lambda a, b: near(b.json[0]["precisions"][3], 100 * 0.5 / b.json[0]["totals"][3]),
    ),
    "--smooth-unmatched": Case(
        "score far-ref.txt -i none.txt -f json --smooth floor {--smooth-unmatched}",
        lambda a, b: (
            score(a) == 0
            and near(b.json[0]["precisions"], [100 * 0.1 / n for n in b.json[0]["totals"]])
        ),
    ),
    "--max-ngram-order": Case(
        f"{TWO} {{--max-ngram-order 2}}",
        lambda a, b: each(b, "score") == [row["cumulative"][1] for row in a.json],
    ),
    "--weights": Case(
        f"{TWO} {{--weights 1 0 0 0}}",
        lambda a, b: near(each(b, "score"), [row["precisions"][0] * row["bp"] for row in a.json]),
    ),
    "--reference-length": [
        Case(
            f"score ref.txt ref2.txt -i a.txt -f json --tokenize none "
            f"{{--reference-length {name}}}",
            has_length(choose),
        )
        for name, choose in (("shortest", min), ("average", lambda one, other: (one + other) / 2))
    ],
    "--round-trip": Case(
        f"{TWO} {{--round-trip}}",
        lambda _, b: all("roundtrip:yes" in row["signature"] for row in b.json),
        like=TWO,
    ),
    "--confidence": [
        Case(f"{TWO} {{--confidence}}", lambda _, b: each(b, "confidence") == [0.95, 0.95]),
        Case(
            f"{TWO} --confidence {{0.5}}",
            lambda a, b: (
                each(b, "confidence") == [0.5, 0.5] and all(map(float.__lt__, widths(b), widths(a)))
            ),
        ),
    ],
    "--draws": Case(
        f"{TWO} --confidence {{--draws 30}}",
        lambda a, b: (
            all("|bs:30|" in row["signature"] for row in b.json)
            and all(map(float.__ne__, each(a, "low"), each(b, "low")))
        ),
    ),
    "--seed": Case(
        f"{TWO} --confidence --draws 30 {{--seed 7}}",
        lambda a, b: (
            all("|seed:7|" in row["signature"] for row in b.json)
            and all(map(float.__ne__, each(a, "low"), each(b, "low")))
        ),
    ),
    "--documents": Case(
        f"{TWO} --confidence --draws 30 --documents {{each.txt => docs.txt}}",
        lambda a, b: all(map(float.__ne__, each(a, "low"), each(b, "low"))),
    ),
    "--save-table": Case(
        f"{TWO} {{--save-table new.parquet}}",
        lambda a, b: a.out == b.out and b.files["new.parquet"][:4] == b"PAR1",
    ),
    "--from-table": [
        Case("score --from-table {b.parquet => two.parquet} -f json", like=TWO),
        Case(
            "score --from-table two.parquet -f json {-i b.txt}",
            like="score ref.txt -i b.txt -f json",
        ),
    ],
    "--append": Case(
        "score --from-table head.parquet tail.parquet -f json {--append}", is_fixed, ONE
    ),
    "--segments": Case(
        "score --from-table two.parquet -f json {--segments 2-5,18}",
        like="score some-ref.txt -i some-a.txt some-b.txt -f json",
    ),
    "--allow-mismatch": Case(
        "score --from-table a.parquet other.parquet -f json {--allow-mismatch}",
        lambda a, b: (
            is_fixed(a, b) and each(b, "sys_len") == [tokens_of("a.txt"), tokens_of("b.txt")]
        ),
    ),
    "--score-only": Case(
        "score ref.txt -i a.txt b.txt {-b}",
        lambda a, b: [*map(float, b.out.split())] == said_score(a)[:2],
    ),
    "--alignment": Case(
        f"{TWO} -m wer {{--alignment}}",
        lambda a, b: all(
            near(row["score"], own["WER"])
            and near(
                own["WER"],
                100
                * (own["substitutions"] + own["deletions"] + own["insertions"])
                / sum(lengths("ref.txt")),
            )
            for row, own in zip(a.json, b.json["totals"], strict=True)
        ),
    ),
    "--save-scores": Case(
        f"{TWO} {{--save-scores new.csv}}",
        lambda a, b: (
            a.out == b.out
            and near(
                {
                    (row["system"], int(row["segment"])): float(row["bleu"])
                    for row in csv_rows(b.file("new.csv"))
                },
                {
                    (name, i + 1): bleu_with("ref.txt", f"{name}.txt", i)
                    for name in "ab"
                    for i in range(SEGMENTS)
                },
            )
        ),
    ),
    "--cumulative": Case(
        "score ref.txt -i a.txt b.txt {--cumulative}",
        lambda a, b: (
            "BLEU-4" not in a.out
            and re.findall(r"BLEU-\d", b.out) == [f"BLEU-{n}" for n in range(1, 5)]
        ),
    ),
}
# --- bleuet significance --------------------------------------------------------------------------

SIGNIFICANCE_BASE = "significance ref.txt -i a.txt b.txt c.txt -m bleu --draws 100 -f json"
PAIR = "significance ref.txt -i a.txt b.txt -m bleu --draws 100 -f json"
OF_TABLES = "significance --draws 100 -f json --from-table"
EXTERNAL = "S=a.num,b.num,c.num"


def of_tests(base: str) -> Cases:
    """Return the cases of the options of a test, for a command whose base compares a, b and c."""
    corrected = "corrected_p_value"
    return {
        "--correction": Case(
            f"{base} --correction {{none => bonferroni}}",
            lambda a, b: (
                near(p_values(b, corrected), [min(1, len(compared(a)) * p) for p in p_values(a)])
                and len(compared(a)) > 1
            ),
        ),
        "--correct-over": Case(
            f"{base.replace('-m bleu', '-m bleu ter')} --correction bonferroni "
            "{--correct-over all}",
            lambda a, b: near(
                p_values(b, corrected), [min(1, 2 * p) for p in p_values(a, corrected)]
            ),
        ),
        "--alpha": Case(
            f"{base.replace('b.txt', 'near.txt')} --correction none {{--alpha 0.9}}",
            lambda a, b: (
                all(
                    one["significant"] == (one["p_value"] < alpha)
                    for said, alpha in ((a, 0.05), (b, 0.9))
                    for one in compared(said)
                )
                and a.json != b.json
                and p_values(a) == p_values(b)
            ),
        ),
        "--seed": Case(
            f"{base} {{--seed 7}}",
            lambda a, b: (
                results(b)["seed"] == 7
                and all(
                    x["low"] != y["low"]
                    for x, y in zip(results(a)["scores"], results(b)["scores"], strict=True)
                )
            ),
        ),
        "--documents": Case(
            f"{base} {{--documents docs.txt}}",
            lambda a, b: (
                results(b)["documents"] == 6 and all(one["units"] == 6 for one in compared(b))
            ),
        ),
    }


def of_scores(base: str, found: Callable[[Said], float]) -> Cases:
    """Return the cases of external scores.

    Args:
        base: a command without --scores that compares a, b and c.
        found: returns the external score of the last system.
    """
    human = [float(line.split("\t")[2]) for line in texts()["human.tsv"][1:]]
    mean = sum(human[2::3]) / SEGMENTS
    return {
        "--columns": Case(
            f"{base} --scores S=named.tsv {{--columns system=who}}",
            is_fixed,
            f"{base} --scores S=human.tsv",
        ),
        "--first-segment": Case(
            f"{base} --scores S=from-one.tsv {{--first-segment 1}}",
            is_fixed,
            f"{base} --scores S=human.tsv",
        ),
        "--average": Case(
            f"{base} --scores S=twice.tsv {{--average}}",
            lambda a, b: is_fixed(a, b) and near(found(b), mean + 5),
        ),
        "--allow-mismatch": Case(
            f"{base} --scores S=other.csv:ter {{--allow-mismatch}}",
            is_fixed,
            f"{base} --scores S=other-scores.csv:ter",
        ),
    }


def results(said: Said) -> dict[str, Any]:
    """Return the plain values of a test."""
    found = said.json
    return dict(found.get("significance") or found)


SIGNIFICANCE: Cases = {
    **of_tests(SIGNIFICANCE_BASE),
    **of_scores(SIGNIFICANCE_BASE, lambda said: float(rows(said)[-1]["score"])),
    "REF": Case(
        "significance ref.txt {ref2.txt} -i a.txt b.txt -m bleu --draws 100 -f json",
        lambda a, b: (
            "nrefs:2" in b.json["signatures"]["BLEU"]
            and all(map(float.__le__, each(a, "score"), each(b, "score")))
        ),
    ),
    "--source": Case(
        "significance ref.txt -i a.txt b.txt -m sari --draws 100 -f json "
        "--source {src.txt => ref2.txt}",
        lambda a, b: near(score(a), sari("src.txt")) and near(score(b), sari("ref2.txt")),
    ),
    "--input": Case(
        "significance ref.txt -i x=a.txt y=b.txt {z=c.txt} -m bleu --draws 100 -f json",
        lambda a, b: adds_rows(a, b) and near(each(b, "score")[2], 17.896816610992214),
    ),
    "--from-table": Case(f"{OF_TABLES} a.parquet {{c.parquet => b.parquet}}", like=PAIR),
    "--append": Case(f"{OF_TABLES} head-two.parquet tail-two.parquet {{--append}}", is_fixed, PAIR),
    "--segments": Case(
        f"{OF_TABLES} two.parquet {{--segments 2-5,18}}",
        like="significance some-ref.txt -i a=some-a.txt b=some-b.txt -m bleu --draws 100 -f json",
    ),
    "--allow-mismatch": [
        Case(f"{OF_TABLES} a.parquet other.parquet {{--allow-mismatch}}", is_fixed),
        of_scores(SIGNIFICANCE_BASE, score)["--allow-mismatch"],  # type: ignore[list-item]
    ],
    "--metrics": Case(
        "significance ref.txt -i a.txt b.txt -m bleu {ter} --draws 100 -f json",
        lambda a, b: adds_rows(a, b) and {*each(b, "metric")} == {"BLEU", "TER"},
    ),
    "--scores": Case(
        f"{SIGNIFICANCE_BASE} {{--scores {EXTERNAL}}}",
        lambda a, b: (
            adds_rows(a, b)
            and near(
                [row["score"] for row in rows(b) if row["metric"] == "S"],
                [sum(map(float, texts()[f"{name}.num"])) / SEGMENTS for name in "abc"],
            )
        ),
    ),
    "--lower-is-better": Case(
        f"{SIGNIFICANCE_BASE} --scores {EXTERNAL} {{--lower-is-better S}}",
        lambda a, b: all(
            (one["better"] == other["better"]) == (one["metric"] != "S")
            for one, other in zip(compared(a), compared(b), strict=True)
        ),
    ),
    "--test": Case(
        f"{SIGNIFICANCE_BASE} --test {{bootstrap => randomization}}",
        lambda a, b: (a.json["test"], b.json["test"]) == ("bootstrap", "randomization"),
    ),
    "--baseline": Case(
        f"{SIGNIFICANCE_BASE} {{--baseline b.txt}}",
        lambda a, b: (
            [(one["baseline"], one["system"]) for one in compared(b)] == [("b", "a"), ("b", "c")]
            and near(compared(a)[0]["difference"], -compared(b)[0]["difference"])
        ),
    ),
    "--all-pairs": Case(
        f"{SIGNIFICANCE_BASE} {{--all-pairs}}",
        lambda a, b: (
            [(one["baseline"], one["system"]) for one in compared(b)]
            == [("a", "b"), ("a", "c"), ("b", "c")]
        ),
    ),
    "--draws": Case(
        "significance ref.txt -i a.txt near.txt -m bleu -f json --test randomization {--draws 300}",
        lambda a, b: (
            b.json["trials"] == 300 and near(p_values(b)[0] * 301, round(p_values(b)[0] * 301))
        ),
    ),
    "--confidence": Case(
        f"{SIGNIFICANCE_BASE} --confidence {{0.95 => 0.5}}",
        lambda a, b: (
            all(map(float.__lt__, widths(b), widths(a))) and each(b, "confidence") == [0.5] * 3
        ),
    ),
}

# --- bleuet compare -------------------------------------------------------------------------------

COMPARE_BASE = "compare ref.txt -i a.txt b.txt c.txt -m bleu -f json"
TESTED = f"{COMPARE_BASE} --show scores differences --test randomization --draws 100"
BUCKETS = "compare ref.txt -i a.txt b.txt -m bleu:tokenize=none -f json --show buckets"
WORDS = "compare ref.txt -i a.txt b.txt -m bleu:tokenize=none -f json --show words"


def buckets(said: Said, number: int, system: str) -> dict[str, Any]:
    """Return the segments and the first score of each bucket of a division."""
    found = said.json["buckets"][number]["systems"][system]
    return {one["label"]: (one["segments"], one["scores"][0]) for one in found}


def bleu_of(name: str, chosen: list[int], **options: Any) -> float:
    """Return BLEU of some segments, from 1, of a system."""
    picked = [[texts()[file][i - 1] for i in chosen] for file in (name, "ref.txt")]
    return BLEU(**options).corpus_score(*picked).score


def with_label(label: str) -> list[int]:
    """Return the segments with a label, from 1."""
    return [i for i, one in enumerate(texts()["labels.txt"], 1) if one == label]


def labels(said: Said, system: str, key: str) -> int:
    """Return how many tokens with the label The are expected, or produced by a system."""
    found = said.json["words"][1]["systems"][system]
    return sum(one[key] for one in found if one["label"] == "The")


def count_of_the(name: str) -> int:
    """Return how often a file has the word The."""
    return " ".join(texts()[name]).split().count("The")


COMPARE: Cases = {
    **of_tests(TESTED),
    **of_scores(
        f"{COMPARE_BASE} --show scores", lambda said: float(said.json["scores"]["c"][-1]["score"])
    ),
    "REF": Case(
        "compare ref.txt {ref2.txt} -i a.txt b.txt -m bleu -f json",
        lambda a, b: "nrefs:2" in b.json["metrics"][0]["signature"],
    ),
    "--input": Case(
        "compare ref.txt -i a.txt b.txt {c.txt} -m bleu -f json",
        lambda a, b: (
            b.json["systems"] == ["a", "b", "c"]
            and near(b.json["scores"]["c"][0]["score"], bleu_of("c.txt", ALL))
        ),
    ),
    "--source": Case(
        "compare ref.txt -i a.txt b.txt -m sari -f json --source {src.txt => ref2.txt}",
        lambda a, b: (
            near(a.json["scores"]["a"][0]["score"], sari("src.txt"))
            and near(b.json["scores"]["a"][0]["score"], sari("ref2.txt"))
        ),
    ),
    "--metrics": Case(
        f"{COMPARE_BASE} {{ter}}".replace("-m bleu -f json", "-f json -m bleu"),
        lambda a, b: [one["name"] for one in b.json["metrics"]] == ["BLEU", "TER"],
    ),
    "--scores": Case(
        f"{COMPARE_BASE} --show scores {{--scores {EXTERNAL}}}",
        lambda a, b: near(
            [b.json["scores"][name][1]["score"] for name in "abc"],
            [sum(map(float, texts()[f"{name}.num"])) / SEGMENTS for name in "abc"],
        ),
    ),
    "--lower-is-better": Case(
        f"{COMPARE_BASE} --scores {EXTERNAL} {{--lower-is-better S}}",
        lambda a, b: (
            [one["higher_is_better"] for one in a.json["metrics"]] == [True, True]
            and [one["higher_is_better"] for one in b.json["metrics"]] == [True, False]
        ),
    ),
    "--by": Case(
        f"{BUCKETS} {{--by length=11,14}}",
        lambda _, b: (
            all(
                segments
                == [
                    i for i, n in enumerate(lengths("ref.txt"), 1) if (n >= 11) + (n >= 14) == place
                ]
                and near(score, bleu_of("b.txt", segments, tokenize="none"))
                for place, (segments, score) in enumerate(buckets(b, 0, "b").values())
            )
            and len(buckets(b, 0, "b")) == 3
        ),
    ),
    "--labels": Case(
        f"{BUCKETS} {{--labels labels.txt}}",
        lambda _, b: all(
            buckets(b, 1, system)[label][0] == with_label(label)
            and near(
                buckets(b, 1, system)[label][1],
                bleu_of(f"{system}.txt", with_label(label), tokenize="none"),
            )
            for system in "ab"
            for label in ("news", "talk")
        ),
    ),
    "--frequencies": Case(
        f"{BUCKETS} --by frequency {{--frequencies training.txt}}",
        lambda _, b: (
            buckets(b, 0, "b")["<1"][0]
            == [
                i
                for i, text in enumerate(texts()["ref.txt"], 1)
                if {*text.split()} - {*" ".join(texts()["training.txt"]).split()}
            ]
        ),
    ),
    "--word-lists": Case(
        f"{WORDS} {{--word-lists words.txt}}",
        lambda _, b: (
            sum(" ".join(texts()["ref.txt"]).split().count(word) for word in texts()["words.txt"])
            in [one["expected"] for part in b.json["words"] for one in part["systems"]["b"]]
        ),
    ),
    "--reference-labels": Case(
        f"{WORDS} --reference-labels {{ref.txt => low-ref.txt}} --system-labels a.txt b.txt",
        lambda a, b: (
            [labels(said, "b", "expected") for said in (a, b)] == [count_of_the("ref.txt"), 0]
        ),
    ),
    "--system-labels": Case(
        f"{WORDS} --reference-labels ref.txt --system-labels a.txt {{b.txt => low-b.txt}}",
        # A token that matches has the label of the reference.
        lambda a, b: (
            [labels(said, name, "produced") for said in (a, b) for name in "ab"]
            == [*(count_of_the(f"{name}.txt") for name in "aba"), labels(a, "b", "matched")]
        ),
    ),
    "--all-pairs": Case(
        f"{COMPARE_BASE} {{--all-pairs}}",
        lambda a, b: (
            [(one["left"], one["right"]) for one in b.json["sentences"]]
            == [("a", "b"), ("a", "c"), ("b", "c")]
        ),
    ),
    "--test": Case(
        f"{COMPARE_BASE} --draws 100 --test {{bootstrap => randomization}}",
        lambda a, b: (results(a)["test"], results(b)["test"]) == ("bootstrap", "randomization"),
    ),
    "--draws": Case(
        f"{COMPARE_BASE} --test bootstrap {{--draws 300}}", lambda _, b: results(b)["draws"] == 300
    ),
    "--confidence": Case(
        f"{TESTED} --confidence {{0.95 => 0.5}}",
        lambda a, b: (
            [one["confidence"] for one in results(b)["scores"]] == [0.5] * 3
            and all(
                y["high"] - y["low"] < x["high"] - x["low"]
                for x, y in zip(results(a)["scores"], results(b)["scores"], strict=True)
            )
        ),
    ),
    "--blocks": Case(
        f"{COMPARE_BASE} --show blocks --blocks {{2 => 3}}",
        lambda _, b: near(
            b.json["blocks"][0]["systems"]["b"]["scores"],
            [bleu_of("b.txt", [*range(i, i + 6)]) for i in (1, 7, 13)],
        ),
    ),
    "--show": Case(
        f"{COMPARE_BASE} {{--show scores}}",
        lambda a, b: (
            a.json["scores"] == b.json["scores"]
            and {*a.json} - {*b.json} >= {"buckets", "sentences", "ngrams"}
        ),
    ),
    "--examples": Case(
        f"{COMPARE_BASE} --show sentences {{-n 2}}",
        lambda a, b: all(
            y["rankings"][0]["gained"] == x["rankings"][0]["gained"][:2]
            for x, y in zip(a.json["sentences"], b.json["sentences"], strict=True)
        ),
    ),
    "--html": Case(
        f"{COMPARE_BASE} --draws 100 --test randomization {{--html page.html}}",
        lambda a, b: a.out == b.out and [*b.files] == ["page.html"],
    ),
    "--title": Case(
        f"{COMPARE_BASE} --html page.html --draws 100 {{--title 'Before and after'}}",
        lambda a, b: "<title>Before and after" in b.file("page.html"),
    ),
    "--pictures": Case(
        f"{COMPARE_BASE} --draws 100 --test randomization {{--pictures charts}}",
        lambda a, b: a.out == b.out and {name[-4:] for name in b.files} == {".svg", ".png"},
    ),
}

# --- bleuet gate and history ----------------------------------------------------------------------

GATE_BASE = "gate ref.txt --baseline a.txt -i b.txt -q -f json"
FINE = "gate ref.txt --baseline a.txt -i near.txt -q -f json"
DROP = "gate ref.txt --baseline near.txt -i a.txt -q -f json"


def check(said: Said, key: str, number: int = 0) -> Any:
    """Return a value of a check of a gate."""
    return said.json["checks"][number][key]


def fails(without: Said, given: Said) -> bool:
    """Whether the gate fails with the option alone."""
    return (without.code, given.code) == (0, 3)


def passes(without: Said, given: Said) -> bool:
    """Whether the gate passes with the option alone."""
    return (without.code, given.code) == (3, 0)


GATE: Cases = {
    "REF": Case(
        "gate ref.txt {ref2.txt} --baseline a.txt -i b.txt -q -f json",
        lambda a, b: "nrefs:2" in check(b, "signature") and check(b, "new") > check(a, "new"),
    ),
    "--source": Case(
        "gate ref.txt --baseline a.txt -i a.txt -m sari -q -f json --source {src.txt => ref2.txt}",
        lambda a, b: (
            near(check(a, "new"), sari("src.txt")) and near(check(b, "baseline"), sari("ref2.txt"))
        ),
    ),
    "--baseline": Case(
        "gate ref.txt --baseline {a.txt => c.txt} -i b.txt -q -f json",
        lambda a, b: passes(a, b) and near(check(b, "baseline"), bleu_of("c.txt", ALL)),
    ),
    "--release": Case(
        "gate ref.txt --baseline c.txt -i b.txt -q -f json {--release a.txt}",
        lambda a, b: (
            fails(a, b) and [one["baseline_system"] for one in b.json["checks"]] == ["c", "a"]
        ),
    ),
    "--input": Case(
        "gate ref.txt --baseline a.txt -i {near.txt => b.txt} -q -f json",
        lambda a, b: fails(a, b) and near(check(b, "new"), bleu_of("b.txt", ALL)),
    ),
    "--baseline-system": Case(
        "gate ref.txt --baseline two.parquet {--baseline-system b.txt} -i a.txt -q -f json",
        is_fixed,
        "gate ref.txt --baseline b.txt -i a.txt -q -f json",
    ),
    "--input-system": Case(
        "gate ref.txt --baseline a.txt -i two.parquet {--input-system b.txt} -q -f json",
        is_fixed,
        GATE_BASE,
    ),
    "--init": Case(
        "gate ref.txt --baseline new.parquet -i b.txt {--init} -q -f json",
        lambda a, b: is_fixed(a, b) and [*b.files] == ["new.parquet"] and not a.files,
    ),
    "--allow-mismatch": Case(
        "gate ref.txt --baseline other.parquet -i a.txt {--allow-mismatch} -q -f json", is_fixed
    ),
    "--metrics": Case(
        "gate ref.txt --baseline a.txt -i b.txt -q -f json -m bleu {ter}",
        lambda a, b: [one["metric"] for one in b.json["checks"]] == ["BLEU", "TER"],
    ),
    "--max-drop": [
        Case(f"{GATE_BASE} {{--max-drop 90}}", passes),
        Case(f"{GATE_BASE} -m bleu ter --max-drop bleu=90 {{ter=90}}", passes),
    ],
    "--min": [
        Case(f"{FINE} {{--min bleu=99}}", fails),
        Case(f"{FINE} -m chrf bleu --min chrf=1 {{bleu=99}}", fails),
    ],
    "--max": Case(f"{FINE} -m bleu ter {{--max ter=1}}", fails),
    "--fail-on": Case(
        f"{DROP} --max-drop 0.5 {{--fail-on drop}}",
        lambda a, b: fails(a, b) and check(a, "drop") > 0.5 and not check(a, "significant"),
    ),
    "--test": Case(
        f"{GATE_BASE} --test {{bootstrap => randomization}}",
        lambda a, b: (a.json["test"], b.json["test"]) == ("bootstrap", "randomization"),
    ),
    "--correction": Case(
        f"{GATE_BASE} -m bleu ter --correction {{none => bonferroni}}",
        lambda a, b: near(
            [one["corrected_p_value"] for one in b.json["checks"]],
            [2 * one["p_value"] for one in a.json["checks"]],
        ),
    ),
    "--alpha": Case(
        f"{DROP} {{--alpha 0.9}}",
        lambda a, b: fails(a, b) and 0.05 < check(a, "p_value") == check(b, "p_value") < 0.9,
    ),
    "--changes": Case(
        f"{DROP} --alpha 0.9 {{--changes 4}}",
        lambda a, b: (
            passes(a, b)
            and 0.9 / 4 < check(b, "p_value") < 0.9
            and near(b.json["confidence"], 1 - 0.9 / 4)
        ),
    ),
    "--draws": Case(
        f"{DROP} {{--draws 300}}",
        lambda a, b: (
            b.json["draws"] == 300
            and near(check(b, "p_value") * 301, round(check(b, "p_value") * 301))
        ),
    ),
    "--seed": Case(
        f"{GATE_BASE} {{--seed 7}}",
        lambda a, b: b.json["seed"] == 7 and check(a, "low") != check(b, "low"),
    ),
    "--documents": Case(
        f"{GATE_BASE} {{--documents docs.txt}}", lambda a, b: b.json["documents"] == 6
    ),
    "--summary": Case(
        f"{GATE_BASE} {{--summary new.md}}",
        lambda a, b: a.out == b.out and "| BLEU |" in b.file("new.md"),
    ),
    "--history": Case(
        f"{GATE_BASE} --changes 1 {{--history h.jsonl}}",
        lambda a, b: (
            a.out == b.out
            and b.file("h.jsonl").count("\n") == 4
            and json.loads(b.file("h.jsonl").splitlines()[-1])["system"] == "b.txt"
        ),
    ),
    "--label": Case(
        f"{GATE_BASE} --changes 1 --history new.jsonl --label {{old => mine}}",
        lambda a, b: json.loads(b.file("new.jsonl"))["label"] == "mine",
    ),
}
HISTORY: Cases = {
    "FILE": Case(
        "history {short.jsonl => h.jsonl} -f json",
        lambda a, b: (
            [one["label"] for one in b.json["runs"]] == ["run-0", "run-1", "run-2"]
            and a.json["runs"] == b.json["runs"][:1]
        ),
    ),
    "--last": Case(
        "history h.jsonl -f json {--last 2}",
        lambda a, b: b.json["runs"] == a.json["runs"][1:] and b.json["left_out"] == 1,
    ),
    "--picture": Case(
        "history h.jsonl {--picture new.json}",
        lambda a, b: a.out == b.out and "run-2" in b.file("new.json"),
    ),
    "--theme": Case(
        "history h.jsonl --picture new.json {--theme dark}", lambda a, b: a.out == b.out
    ),
}

# --- bleuet mbr and tune --------------------------------------------------------------------------

MBR_BASE = "mbr -i a.txt b.txt c.txt -f json"


def utilities(said: Said) -> list[list[float]]:
    """Return the utilities of the candidates of each source."""
    return [one["utilities"] for one in said.json["choices"]]


def bleu_with(reference: str, name: str, segment: int) -> float:
    """Return the BLEU of a segment."""
    return (
        BLEU(effective_order=True)
        .sentence_score(texts()[name][segment], texts()[reference][segment])
        .score
    )


MBR: Cases = {
    "REF": Case(
        "mbr {ref.txt} -i a.txt b.txt c.txt -f json",
        lambda a, b: (
            utilities(a) == utilities(b)
            and near(
                b.json["scores"][0]["score"],
                bleu_of("a.txt", ALL, effective_order=True),
            )
        ),
    ),
    "--source": Case(
        f"{MBR_BASE} -m sari --source {{src.txt => ref2.txt}}",
        lambda a, b: utilities(a) != utilities(b),
    ),
    "--input": Case(
        "mbr -i a.txt b.txt {c.txt} -f json",
        lambda a, b: {len(one) for one in utilities(b)} == {3},
    ),
    "--pseudo-references": Case(
        f"{MBR_BASE} --pseudo-references ref.txt {{ref2.txt}}",
        lambda a, b: near(
            utilities(b),
            [
                [
                    sum(bleu_with(name, f"{one}.txt", i) for name in ("ref.txt", "ref2.txt")) / 2
                    for one in "abc"
                ]
                for i in range(SEGMENTS)
            ],
        ),
    ),
    "--list-format": Case(
        "mbr -i nbest.txt -f json {--list-format lines:3}",
        lambda a, b: (
            all("|||" in one["best"] for one in b.json["choices"])
            and not any("|||" in one["best"] for one in a.json["choices"])
        ),
    ),
    "--from-matrix": Case(
        "mbr -f json {-i a.txt b.txt => --from-matrix matrix.jsonl} -m bleu chrf",
        like=f"{MBR_BASE} -m bleu chrf",
    ),
    "--metrics": Case(
        f"{MBR_BASE} -m bleu {{chrf}}", lambda a, b: [*b.json["signatures"]] == ["BLEU", "chrF2"]
    ),
    "--oracle": Case(
        "mbr ref.txt -i a.txt b.txt c.txt -f json {--oracle}",
        lambda a, b: near(
            utilities(b),
            [[bleu_with("ref.txt", f"{name}.txt", i) for name in "abc"] for i in range(SEGMENTS)],
        ),
    ),
    "--weights": Case(
        "mbr -i nbest.txt -f json {--weights scores}",
        lambda a, b: all(
            near(
                own,
                [
                    sum(
                        weight * BLEU(effective_order=True).sentence_score(text, other).score
                        for weight, other in zip(weights, candidates, strict=True)
                    )
                    for text in candidates
                ],
            )
            for own, (candidates, weights) in zip(utilities(b), nbest(), strict=True)
        ),
    ),
    "--distinct": Case(
        "mbr -i x=a.txt y=a.txt z=b.txt -f json {--distinct}",
        lambda a, b: all(
            near(own[0], (bleu_with("a.txt", "a.txt", i) + bleu_with("b.txt", "a.txt", i)) / 2)
            for i, own in enumerate(utilities(b))
            if texts()["a.txt"][i] != texts()["b.txt"][i]
        ),
    ),
    "--way": Case(f"{MBR_BASE} {{--way aggregated}}", lambda a, b: utilities(a) != utilities(b)),
    "--loss": Case(
        f"{MBR_BASE} --way aggregated {{--loss}}",
        lambda a, b: utilities(a) == utilities(b) and b.json["loss"]["utility"] >= 0,
    ),
    "--texts": Case(
        f"{MBR_BASE} {{--texts new.txt}}",
        lambda a, b: (
            a.out == b.out
            and b.file("new.txt").splitlines() == [one["best"] for one in b.json["choices"]]
        ),
    ),
    "--save-matrix": Case(
        f"{MBR_BASE} {{--save-matrix new.jsonl}}",
        lambda a, b: a.out == b.out and b.file("new.jsonl").count("\n") >= SEGMENTS,
    ),
}


def nbest() -> list[tuple[list[str], list[float]]]:
    """Return the texts of each list and the probabilities that follow from their scores."""
    lines = [line.split(" ||| ") for line in texts()["nbest.txt"]]
    found = []
    for i in range(0, len(lines), 3):
        powers = [math.exp(float(line[3])) for line in lines[i : i + 3]]
        found.append(
            ([line[1] for line in lines[i : i + 3]], [one / sum(powers) for one in powers])
        )
    return found


TUNE_BASE = "tune ref.txt --nbest nbest.txt -f json"
HELD = f"{TUNE_BASE} --held-out head-nbest.txt --held-out-references head-ref.txt"


def of_choice(
    weights: dict[str, float], lists: str = "nbest.txt", reference: str = "ref.txt"
) -> float:
    """Return BLEU of the texts with the highest weighted sums of features."""
    best: dict[int, tuple[float, str]] = {}
    for line in texts()[lists]:
        number, text, features, _ = line.split(" ||| ")
        words = features.split()
        total = weights["F"] * float(words[1]) + weights["G"] * float(words[3])
        if int(number) not in best or total > best[int(number)][0]:
            best[int(number)] = (total, text)
    return BLEU().corpus_score([text for _, text in best.values()], texts()[reference]).score


def weights_of(said: Said, key: str = "weights") -> dict[str, float]:
    """Return the weights without the numbers that follow the names of features."""
    return {name[0]: value for name, value in said.json[key].items()}


TUNE: Cases = {
    "REF": Case(
        "tune ref.txt {ref2.txt} --nbest nbest.txt -f json",
        lambda a, b: (
            "nrefs:2" in b.json["signatures"]["BLEU"]
            and b.json["oracle"]["corpus"] > a.json["oracle"]["corpus"]
        ),
    ),
    "--nbest": Case(
        "tune ref.txt --nbest more-nbest.txt {nbest.txt} -f json",
        lambda a, b: a.json["oracle"]["corpus"] < b.json["oracle"]["corpus"],
    ),
    "--held-out": Case(
        f"{TUNE_BASE} --held-out {{nbest.txt => more-nbest.txt}} --held-out-references ref.txt",
        lambda a, b: (
            near(b.json["held_out"]["start"], of_choice({"F": 1, "G": 1}, "more-nbest.txt"))
            and near(b.json["held_out"]["tuned"], of_choice(weights_of(b), "more-nbest.txt"))
        ),
    ),
    "--held-out-references": Case(
        f"{TUNE_BASE} --held-out nbest.txt --held-out-references {{ref.txt => ref2.txt}}",
        lambda a, b: (
            near(b.json["held_out"]["start"], of_choice({"F": 1, "G": 1}, reference="ref2.txt"))
            and a.json["tuned"] == b.json["tuned"]
        ),
    ),
    "--metrics": Case(
        f"{TUNE_BASE} -m bleu {{ter}}", lambda a, b: [*b.json["signatures"]] == ["BLEU", "TER"]
    ),
    "--method": Case(
        f"{TUNE_BASE} --method {{mert => mira}}",
        lambda a, b: b.json["method"] == "mira" and near(b.json["tuned"], of_choice(weights_of(b))),
    ),
    "--start": Case(
        f"{TUNE_BASE} {{--start weights.json}}",
        lambda a, b: (
            weights_of(b, "start_weights") == {"F": 1, "G": 0.25}
            and near(b.json["start"], of_choice({"F": 1, "G": 0.25}))
        ),
    ),
    "--seed": Case(f"{TUNE_BASE} --method pro {{--seed 7}}", lambda a, b: b.json["seed"] == 7),
    "--apply": Case(
        f"{TUNE_BASE} --apply {{weights.json => other-weights.json}}",
        lambda a, b: (
            near(a.json["chosen"], of_choice({"F": 1, "G": 0.25}))
            and near(b.json["chosen"], of_choice({"F": -1, "G": 2}))
        ),
    ),
    "--save-weights": Case(
        f"{TUNE_BASE} {{--save-weights new.json}}",
        lambda a, b: a.out == b.out and json.loads(b.file("new.json")) == b.json["weights"],
    ),
    "--texts": [
        Case(
            f"{TUNE_BASE} {options} {{--texts new.txt}}",
            chosen_texts_score(key),
        )
        for options, key in (("", "tuned"), ("--apply other-weights.json", "chosen"))
    ],
}

# --- bleuet lint, matrix, diversity, explain and align --------------------------------------------

LINT_BASE = "lint ref.txt -i a.txt mark/b.txt -q -f json"


def found(said: Said) -> list[tuple[str, str]]:
    """Return the check and the file of each finding."""
    return [(one["check"], one["file"]) for one in said.json["findings"]]


LINT: Cases = {
    "REF": Case(
        "lint ref.txt {mark/ref2.txt} -i a.txt -q -f json",
        lambda a, b: ("invisible", "ref2.txt") in found(b) and not found(a),
    ),
    "--input": Case(
        "lint ref.txt -i a.txt {mark/b.txt} -q -f json",
        lambda a, b: found(b) == [("invisible", "b.txt")] and not found(a),
    ),
    "--source": Case(
        "lint ref.txt -i a.txt copied.txt -q -f json {--source foreign.txt}",
        lambda a, b: not found(a) and found(b) == [("source-copy", "copied.txt")],
    ),
    "--training": Case(
        f"{LINT_BASE} {{--training training.txt}}",
        lambda a, b: (
            [one["lines"] for one in b.json["findings"] if one["check"] == "overlap"]
            == [[1, 2, 3, 4]]
        ),
    ),
    "--checks": Case(
        f"{LINT_BASE} {{--checks length}}",
        lambda a, b: b.json["checks"] == ["length"] and found(a) and not found(b),
    ),
    "--metrics": Case(
        f"{LINT_BASE} {{-m ter}}",
        lambda a, b: {one["metric"] for one in b.json["findings"][0]["effects"]} == {"TER"},
    ),
    "--strict": Case(
        f"{LINT_BASE} {{--strict}}",
        lambda a, b: (a.code, b.code) == (0, 1) and a.out == b.out,
    ),
}
MATRIX: Cases = {
    "REF": Case(
        "matrix {ref.txt => head-b.txt} -i head-a.txt -f json",
        lambda a, b: near(
            b.json["matrix"][8][7],
            BLEU(effective_order=True)
            .sentence_score(texts()["a.txt"][8], texts()["b.txt"][7])
            .score,
        ),
    ),
    "--source": Case("matrix ref.txt -i a.txt -m sari -f json --source {src.txt => ref2.txt}"),
    "--input": Case(
        "matrix ref.txt -i {head-a.txt => a.txt} -f json",
        lambda a, b: b.json["matrix"][:9] == a.json["matrix"] and len(b.json["matrix"]) == SEGMENTS,
    ),
    "--metrics": Case(
        "matrix ref.txt -i a.txt -f json {-m ter}",
        lambda a, b: near(
            b.json["matrix"][3][4],
            TER().sentence_score(texts()["a.txt"][3], texts()["ref.txt"][4]).score,
        ),
    ),
}
DIVERSITY: Cases = {
    "FILE": Case("diversity x=a.txt {y=b.txt} -f json", adds_rows),
    "--metrics": Case(
        "diversity a.txt b.txt -f json {-m bleu:max_ngram_order=2}",
        lambda a, b: all(len(row["distinct"]) == 2 for row in b.json),
    ),
    "--average": Case(
        "diversity a.txt b.txt -f json {--average pairs}",
        lambda a, b: near(
            score(b),
            sum(
                bleu_with_other("a.txt", i, j)
                for i in range(SEGMENTS)
                for j in range(SEGMENTS)
                if i != j
            )
            / (SEGMENTS * (SEGMENTS - 1)),
        ),
    ),
    "--itself": Case(
        "diversity a.txt b.txt -f json {--itself}", lambda _, b: near(each(b, "score"), [100, 100])
    ),
    "--sample": Case(
        "diversity a.txt b.txt -f json {--sample 5}",
        lambda _, b: all("sample:5" in row["signature"] for row in b.json),
    ),
    "--seed": Case(
        "diversity a.txt b.txt -f json --sample 5 {--seed 7}",
        lambda a, b: all(x["score"] != y["score"] for x, y in zip(a.json, b.json, strict=True)),
    ),
}


def bleu_with_other(name: str, one: int, other: int) -> float:
    """Return the BLEU of a text of a file with another as its reference."""
    return BLEU().sentence_score(texts()[name][one], texts()[name][other]).score


SENTENCE = "explain --hypothesis 'the Cat sat here' --reference 'the cat sat there'"
EXPLAIN: Cases = {
    "REF": Case(
        "explain ref.txt {ref2.txt} -i a.txt --segment 3 -f json",
        lambda _, b: "nrefs:2" in b.json[0]["signature"],
    ),
    "--source": Case(
        "explain ref.txt -i a.txt --segment 3 -m sari -f json --source {src.txt => ref2.txt}",
        lambda _, b: near(
            b.json[0]["score"],
            SARI()
            .sentence_score(
                texts()["a.txt"][2],
                with_sources([texts()["ref.txt"][2]], [texts()["ref2.txt"][2]])[0],
            )
            .score,
        ),
    ),
    "--input": Case(
        "explain ref.txt -i {a.txt => b.txt} --segment 3 -f json",
        lambda _, b: near(b.json[0]["score"], bleu_with("ref.txt", "b.txt", 2)),
    ),
    "--hypothesis": Case(
        "explain --hypothesis {'a cat' => 'the cat'} --reference 'the cat' -f json",
        lambda _, b: near(b.json[0]["score"], 100),
    ),
    "--reference": Case(
        "explain --hypothesis 'the cat' --reference 'a cat' {'the cat'} -f json",
        lambda _, b: near(b.json[0]["score"], 100),
    ),
    "--segment": Case(
        "explain ref.txt -i b.txt --segment {1 => 18} -f json",
        lambda a, b: near(
            [a.json[0]["score"], b.json[0]["score"]],
            [bleu_with("ref.txt", "b.txt", 0), bleu_with("ref.txt", "b.txt", 17)],
        ),
    ),
    "--metrics": Case(
        f"{SENTENCE} -f json -m bleu {{ter}}",
        lambda a, b: [one["name"] for one in b.json] == ["BLEU", "TER"],
    ),
    "--from": Case(
        "explain ref.txt -i a.txt --from {bleu => bleu:tokenize=none} --to bleu:lowercase -f json",
        lambda _, b: near(b.json["from"]["score"], bleu_of("a.txt", ALL, tokenize="none")),
    ),
    "--to": Case(
        "explain ref.txt -i a.txt --from bleu --to {bleu:lowercase => bleu:tokenize=none} -f json",
        lambda _, b: near(b.json["to"]["score"], bleu_of("a.txt", ALL, tokenize="none")),
    ),
}
ALIGN: Cases = {
    "REF": Case(
        "align {head-ref.txt => ref.txt} -i line-a.txt",
        lambda a, b: (
            (len(a.lines), len(b.lines)) == (9, SEGMENTS)
            and b.out.split() == " ".join(texts()["a.txt"]).split()
        ),
    ),
    "--input": Case(
        "align ref.txt -i {line-a.txt => line-ref.txt}",
        lambda _, b: b.lines == texts()["ref.txt"],
    ),
    "--tokenize": Case(
        "align ref.txt -i line-a.txt -f json {--tokenize char}",
        lambda _, b: b.json["align"].startswith("char"),
    ),
    "--case-sensitive": Case(
        "align ref.txt -i line-low-ref.txt -f json {--case-sensitive}",
        lambda a, b: a.json["edits"] == 0 < b.json["edits"],
    ),
    "--documents": Case(
        "align ref.txt -i swapped.txt {--documents halves.txt "
        "--hypothesis-documents swapped-halves.txt}",
        lambda a, b: b.lines == texts()["ref.txt"] != a.lines,
    ),
    "--hypothesis-documents": Case(
        "align ref.txt -i ref.txt --documents halves.txt --hypothesis-documents "
        "{swapped-halves.txt => halves.txt}",
        lambda a, b: b.lines == texts()["ref.txt"] != a.lines,
    ),
    "--by-time": Case(
        "align r.srt -i h.srt {--by-time}",
        lambda a, b: (a.lines, b.lines) == (["one two", "three four"], ["one", "two three four"]),
    ),
    "--without-speakers": Case(
        "align said-ref.txt -i said-a.txt -f json {--without-speakers}",
        like="align ref.txt -i a.txt -f json",
    ),
    "--without-repeats": Case(
        "align rolling.srt -i rolling.srt {--without-repeats}",
        lambda a, b: (
            b.out.split() == ["one", "two", "three", "four", "five"] and a.out.count("three") == 2
        ),
    ),
}

# --- bleuet meta ----------------------------------------------------------------------------------

META_BASE = "meta ref.txt -i a.txt b.txt c.txt --human human.tsv -f json"
ALL_STATISTICS = f"{META_BASE} --statistic pearson system-pearson"


def agreement(said: Said, metric: str = "BLEU", key: str = "value") -> list[Any]:
    """Return a value of each statistic of a metric."""
    return [one[key] for one in said.json["agreement"] if one["metric"] == metric]


META: Cases = {
    "REF": Case(
        "meta ref.txt {ref2.txt} -i a.txt b.txt c.txt --human human.tsv -f json",
        lambda _, b: all("nrefs:2" in one for one in agreement(b, key="signature")),
    ),
    "--source": Case(
        f"{META_BASE} -m sari --source {{src.txt => ref2.txt}}",
        lambda a, b: agreement(a, "SARI") != agreement(b, "SARI"),
    ),
    "--input": Case(
        "meta ref.txt -i a.txt b.txt {c.txt} --human human.tsv -f json",
        lambda a, b: (agreement(a, key="used")[0], agreement(b, key="used")[0]) == (18, 54),
    ),
    "--metrics": Case(
        f"{META_BASE} -m bleu {{ter}}",
        lambda a, b: agreement(a) == agreement(b) and len(agreement(b, "TER")) == len(agreement(b)),
    ),
    "--scores": Case(
        f"{ALL_STATISTICS} {{--scores {EXTERNAL}}}",
        # They are the human scores, divided by 7.
        lambda a, b: (
            agreement(a) == agreement(b) and agreement(b, "S") == pytest.approx([1, 1], abs=1e-4)
        ),
    ),
    "--lower-is-better": [
        Case(
            f"{ALL_STATISTICS} --scores {EXTERNAL} {{--lower-is-better S}}",
            lambda a, b: (
                near(agreement(b, "S"), [-x for x in agreement(a, "S")])
                and agreement(a) == agreement(b)
            ),
        ),
        Case(
            f"{ALL_STATISTICS} --scores {EXTERNAL} {{--lower-is-better human}}",
            lambda a, b: near(agreement(b), [-x for x in agreement(a)]),
        ),
    ],
    "--sentinels": Case(
        f"{META_BASE} {{--sentinels}}",
        lambda a, b: (
            agreement(a) == agreement(b)
            and any(one["metric"].startswith("sentinel") for one in b.json["agreement"])
        ),
    ),
    "--human": Case(
        "meta ref.txt -i a.txt b.txt c.txt -f json --human {human.tsv => half.tsv}",
        lambda _, b: agreement(b, key="used")[0] == 27,
    ),
    "--columns": Case(
        "meta ref.txt -i a.txt b.txt c.txt -f json --human named.tsv {--columns system=who}",
        is_fixed,
        META_BASE,
    ),
    "--first-segment": Case(
        "meta ref.txt -i a.txt b.txt c.txt -f json --human from-one.tsv {--first-segment 1}",
        is_fixed,
        META_BASE,
    ),
    "--average": Case(
        "meta ref.txt -i a.txt b.txt c.txt -f json --human twice.tsv {--average}",
        lambda a, b: is_fixed(a, b) and "agreement" in b.json,
    ),
    "--allow-mismatch": Case(
        f"{META_BASE} --scores S=other.csv:ter {{--allow-mismatch}}",
        is_fixed,
        f"{META_BASE} --scores S=other-scores.csv:ter",
    ),
    "--mqm-weights": Case(
        "meta ref.txt -i a.txt b.txt c.txt --human mqm.tsv --rank-systems -f "
        "json {--mqm-weights weights.tsv}",
        # Each b has an error of 1 or of 50, each c one of 50 or of 2.
        lambda a, b: near(
            {one["system"]: one["score"] for one in b.json["systems"]["systems"]},
            {"a": -1, "b": -25.5, "c": -26},
        ),
    ),
    "--rater-scores": Case(
        "meta ref.txt -i a.txt b.txt c.txt --human raters.tsv --rank-systems "
        "-f json {--rater-scores z}",
        # The z-scores of each rater have the mean 0, and each system the same segments.
        lambda _, b: near(sum(one["score"] for one in b.json["systems"]["systems"]), 0),
    ),
    "--rater-scale": Case(
        "meta ref.txt -i a.txt b.txt c.txt --human raters.tsv -f json {--rater-scale ordinal}",
        lambda a, b: (
            b.json["raters"]["scale"] == "ordinal"
            and a.json["raters"]["alpha"] != b.json["raters"]["alpha"]
        ),
    ),
    "--rank-systems": Case(
        f"{META_BASE} {{--rank-systems}}",
        lambda _, b: near(
            [one["score"] for one in b.json["systems"]["systems"]],
            [
                sum(float(line.split("\t")[2]) for line in texts()["human.tsv"][1 + i :: 3])
                / SEGMENTS
                for i in range(3)
            ],
        ),
    ),
    "--leave-out": Case(
        f"{META_BASE} {{--leave-out c}}",
        like="meta ref.txt -i a.txt b.txt --human no-c.tsv -f json",
    ),
    "--statistic": Case(
        f"{META_BASE} {{--statistic pearson tau-b}}",
        lambda _, b: [one["statistic"] for one in b.json["agreement"]] == ["pearson", "tau-b"],
    ),
    "--level": Case(
        f"{META_BASE} {{--level system}}",
        lambda a, b: (
            b.json["agreement"] == [one for one in a.json["agreement"] if one["level"] == "system"]
        ),
    ),
    "--grouping": Case(
        f"{META_BASE} --statistic pearson {{--grouping item}}",
        lambda a, b: agreement(b, key="grouping") == ["item"] and agreement(a) != agreement(b),
    ),
    "--all-segments": Case(
        "meta ref.txt -i a.txt b.txt c.txt --human half.tsv -f json "
        "--statistic system-pearson {--all-segments}",
        lambda a, b: agreement(a) != agreement(b),
    ),
    "--margin": Case(
        f"{META_BASE} --statistic tau-wmt14 --grouping item {{--margin 25}}",
        lambda a, b: agreement(a) != agreement(b),
    ),
    "--undefined-as-zero": Case(
        "meta ref.txt -i a=a.txt b=near.txt --human no-c.tsv -f json "
        "--statistic pearson --grouping item "
        "{--undefined-as-zero}",
        lambda a, b: (
            agreement(a, key="left_out") != [0]
            and near(
                agreement(b)[0] * SEGMENTS,
                agreement(a)[0] * (SEGMENTS - 16),
            )
        ),
    ),
    "--held-out-epsilon": Case(
        f"{META_BASE} --statistic acc-eq {{--held-out-epsilon}}",
        lambda a, b: agreement(b)[0] <= agreement(a)[0],
    ),
    "--confidence": [
        Case(
            f"{ALL_STATISTICS} {{--confidence --draws 50}}",
            lambda a, b: (
                agreement(a) == agreement(b)
                and agreement(b, key="low")[0] < agreement(b, key="high")[0]
            ),
        ),
        Case(
            f"{ALL_STATISTICS} --draws 50 --confidence {{0.5}}",
            lambda a, b: agreement(b, key="low")[0] > agreement(a, key="low")[0],
        ),
    ],
    "--draws": Case(
        f"{ALL_STATISTICS} --confidence --draws {{50 => 60}}",
        lambda a, b: agreement(a, key="low") != agreement(b, key="low"),
    ),
    "--resample": Case(
        f"{ALL_STATISTICS} --confidence --draws 50 {{--resample systems}}",
        lambda a, b: agreement(a, key="low")[0] != agreement(b, key="low")[0],
    ),
    "--documents": Case(
        f"{ALL_STATISTICS} --confidence --draws 50 {{--documents docs.txt}}",
        lambda a, b: agreement(a, key="low")[0] != agreement(b, key="low")[0],
    ),
    "--test": Case(
        f"{ALL_STATISTICS} -m bleu ter --draws 50 --confidence {{--test}}",
        lambda a, b: {*agreement(a, key="rank")} == {None} != {*agreement(b, key="rank")},
    ),
    "--correction": Case(
        f"{META_BASE} --statistic pearson -m bleu ter chrf --draws 50 --test "
        f"{{--correction bonferroni}}",
    ),
    "--seed": Case(
        f"{ALL_STATISTICS} --confidence --draws 50 {{--seed 7}}",
        lambda a, b: agreement(a, key="low") != agreement(b, key="low"),
    ),
    "--picture": Case(
        f"{META_BASE} {{--picture new.json}}",
        lambda a, b: a.out == b.out and "BLEU" in b.file("new.json"),
    ),
    "--scatter": Case(
        f"{META_BASE} {{--scatter new.json}}",
        lambda a, b: a.out == b.out and "BLEU" in b.file("new.json"),
    ),
    "--theme": [
        Case(f"{META_BASE} {option} new.json {{--theme dark}}", lambda a, b: a.out == b.out)
        for option in ("--picture", "--scatter")
    ],
}

# --- The other commands ---------------------------------------------------------------------------

METRICS_COMMAND: Cases = {
    "NAME": Case(
        "metrics {ter} -f json", lambda a, b: b.json["metric"] == "ter" and b.json in a.json
    ),
}
TUTORIAL: Cases = {
    "FOLDER": Case(
        "tutorial {one => other} --files-only",
        lambda _, b: {name.split("/")[0] for name in b.files} == {"other"},
    ),
}
COMPLETION: Cases = {
    "shell": Case("completion {zsh => bash}", lambda _, b: "complete " in b.out),
    "--output": Case(
        "completion bash {-o new.sh}", lambda a, b: b.out == "" and b.file("new.sh") == a.out
    ),
}
# --- Two options together -------------------------------------------------------------------------


def interval(said: Said, name: str = "new.jsonl") -> list[float]:
    """Return the interval of the newest run of a history."""
    newest = json.loads(said.file(name).splitlines()[-1])["scores"][0]
    return [newest["low"], newest["high"]]


def flipped(without: Said, given: Said) -> bool:
    """Whether T, the second of the external scores, became better if lower, as S was before."""
    each_time = [
        {one["name"]: one["higher_is_better"] for one in said.json["metrics"]}
        if "metrics" in said.json
        else {row["metric"]: row["higher_is_better"] for row in rows(said)}
        for said in (without, given)
    ]
    return [found["S"] for found in each_time] == [False, False] and [
        found["T"] for found in each_time
    ] == [True, False]


BOTH_SCORES = "--scores S=a.num,b.num T=b.num,a.num --lower-is-better S {T}"
HISTORIC = "gate ref.txt --baseline a.txt -i b.txt -q -f json --history new.jsonl"
OF_MATRIX = "mbr -f json --from-matrix"
# The second value of an option that takes several, and options that only matter together.
TOGETHER: dict[str, list[Case]] = {
    "score": [
        Case(
            "score ref.txt -i x=line-ref.txt y=line-a.txt -f json {--align}",
            lambda a, b: near(each(b, "score"), [100, bleu_of("a.txt", ALL)]),
        ),
        Case(
            "score --from-table two.parquet -q -f json --confidence --draws 50 --segments 2-5,18 "
            "{--documents docs.txt}",
            like="score some-ref.txt -i some-a.txt some-b.txt -q -f json --confidence --draws 50 "
            "--documents some-docs.txt",
        ),
        Case(
            "score ref.txt -i a.txt b.txt -q -f json --confidence --draws 50 --documents docs.txt "
            "{--seed 7}"
        ),
        Case(
            "score ref.txt -i a.txt b.txt -s -f json {--lowercase}",
            like="score low-ref.txt -i low-a.txt low-b.txt -s -f json",
        ),
        Case(
            "score ref.txt -i a.txt b.txt -m ter bleu -f json {--tokenize none}",
            like="score ref.txt -i a.txt b.txt -m ter bleu:tokenize=none -f json",
        ),
    ],
    "significance": [
        Case(f"{PAIR} {BOTH_SCORES}", flipped),
        Case(
            f"{OF_TABLES} two.parquet --scores S=a.num,b.num {{--segments 2-5,18}}",
            like="significance some-ref.txt -i a=some-a.txt b=some-b.txt -m bleu --draws 100 "
            "-f json --scores S=some-a.num,some-b.num",
        ),
        Case(
            f"{OF_TABLES} two.parquet --segments 2-5,18 {{--documents docs.txt}}",
            like="significance some-ref.txt -i a=some-a.txt b=some-b.txt -m bleu --draws 100 "
            "-f json --documents some-docs.txt",
        ),
        Case(
            f"{PAIR} --scores S=both-named.tsv --columns system=who {{segment=where}}",
            is_fixed,
            f"{PAIR} --scores S=human.tsv",
        ),
    ],
    "compare": [
        Case(f"compare ref.txt -i a.txt b.txt -m bleu -f json {BOTH_SCORES}", flipped),
        Case(
            f"{BUCKETS} --by length {{frequency}}",
            lambda a, b: (
                b.json["buckets"][0] == a.json["buckets"][0]
                and [one["name"] for one in b.json["buckets"]] == ["length", "frequency"]
            ),
        ),
        Case(
            f"{WORDS} --word-lists foreign-words.txt {{words.txt}}",
            lambda a, b: b.json["words"][:-1] == a.json["words"][:-1],
        ),
        Case(
            f"{COMPARE_BASE} --show scores {{ngrams}}",
            lambda a, b: {*b.json} - {*a.json} == {"ngrams"},
        ),
    ],
    "gate": [
        Case(
            f"{HISTORIC} {{--documents docs.txt}}",
            lambda a, b: (
                interval(a) == score_interval("") != interval(b)
                and interval(b) == score_interval("--documents docs.txt")
            ),
        ),
        Case(f"{HISTORIC} {{--seed 7}}", lambda _, b: interval(b) == score_interval("--seed 7")),
        Case(
            f"{GATE_BASE} --summary new.md {{-w 5}}",
            lambda a, b: (
                f"{check(b, 'new'):.2f} " in a.file("new.md")
                and f"{check(b, 'new'):.5f} " in b.file("new.md")
            ),
        ),
        Case(
            f"{GATE_BASE} --summary new.md {{--short}}", lambda _, b: "#:1|c:" in b.file("new.md")
        ),
        Case(f"{FINE} -m ter wer --max ter=99 {{wer=1}}", fails),
    ],
    "mbr": [
        Case(
            f"{OF_MATRIX} list-matrix.jsonl {{--weights scores}}",
            like="mbr -f json -i nbest.txt -m bleu chrf --weights scores",
        ),
        Case(
            f"{OF_MATRIX} twice-matrix.jsonl {{--distinct}}",
            like="mbr -f json -i x=a.txt y=a.txt z=near.txt -m bleu chrf --distinct",
        ),
        Case(
            f"{OF_MATRIX} matrix.jsonl {{-m chrf}}",
            like="mbr -f json -i a.txt b.txt c.txt -m chrf",
        ),
        Case(
            "mbr {ref.txt} -f json --from-matrix matrix.jsonl",
            lambda a, b: near(
                b.json["scores"][0]["score"], bleu_of("a.txt", ALL, effective_order=True)
            ),
        ),
        Case(
            f"{OF_MATRIX} matrix.jsonl {{--texts new.txt}}",
            lambda _, b: (
                b.file("new.txt").splitlines() == [one["best"] for one in b.json["choices"]]
            ),
        ),
    ],
    "meta": [
        Case(
            "meta --human four.tsv --rank-systems -f json --leave-out d {b}",
            lambda a, b: (
                [[one["system"] for one in said.json["systems"]["systems"]] for said in (a, b)]
                == [["a", "b", "c"], ["a", "c"]]
            ),
        ),
        Case(
            f"{ALL_STATISTICS} --scores {EXTERNAL} T=a.num,b.num,c.num --lower-is-better S {{T}}",
            lambda a, b: (
                agreement(a, "S") == agreement(b, "S") == agreement(b, "T")
                and near(agreement(a, "T"), [-x for x in agreement(b, "T")])
            ),
        ),
        Case(
            "meta ref.txt -i a.txt b.txt c.txt --human both-named.tsv -f json "
            "--columns system=who {segment=where}",
            is_fixed,
            META_BASE,
        ),
    ],
    "lint": [
        Case(
            f"{LINT_BASE} --checks length {{invisible}}",
            lambda a, b: not found(a) and found(b) == [("invisible", "b.txt")],
        ),
    ],
}
CASES: dict[str, Cases] = {
    "score": SCORE,
    "matrix": MATRIX,
    "diversity": DIVERSITY,
    "compare": COMPARE,
    "significance": SIGNIFICANCE,
    "gate": GATE,
    "history": HISTORY,
    "explain": EXPLAIN,
    "meta": META,
    "mbr": MBR,
    "tune": TUNE,
    "lint": LINT,
    "align": ALIGN,
    "tutorial": TUTORIAL,
    "metrics": METRICS_COMMAND,
    "completion": COMPLETION,
}


folder = command_line_folder
LISTED = [
    (f"{command} {name}{f' {number}' if number else ''}", command, case)
    for command, own in CASES.items()
    for name, cases in own.items()
    for number, case in enumerate(cases if isinstance(cases, list) else [cases])
] + [
    (f"{command} together {number}", command, case)
    for command, own in TOGETHER.items()
    for number, case in enumerate(own)
]
# What needs pyarrow, vl-convert and shtab.
NEEDS_LIBRARIES = re.compile(r"\.parquet|--pictures|^completion")
TABLE = [
    pytest.param(
        *(command, case),
        id=name,
        marks=[pytest.mark.libraries] if NEEDS_LIBRARIES.search(case.line) else [],
    )
    for name, command, case in LISTED
]


@pytest.mark.parametrize(("command", "case"), TABLE)
def test_an_option_changes_the_answer_as_it_promises(
    folder: Folder, command: str, case: Case
) -> None:
    without, given = folder.run(case.without), folder.run(case.given)
    assert case.line.split()[0] == command
    assert (without[:2], without.files) != (given[:2], given.files), "the option is ignored"
    assert case.law(without, given), (without, given)
    if case.like:
        assert bare(given.json) == bare(folder.run(case.like).json)


# --- Shards ---------------------------------------------------------------------------------------

SHARDS = "score 'shard-*.tsv:ref' -i 'shard-*.tsv:a' 'shard-*.tsv:b' --workers 1 -f json"


def test_options_of_shards_do_what_they_promise(folder: Folder) -> None:
    plain = folder.run(SHARDS)
    assert near(each(plain, "score"), each(folder.run(TWO), "score"))
    by = folder.run(f"{SHARDS} --by label").json
    assert near([by["scores"]["bleu"][name]["score"] for name in "ab"], each(plain, "score"))
    assert by["groups"].keys() == {"news", "talk"}
    for label, scores in by["groups"].items():
        found = [scores["bleu"][name]["score"] for name in "ab"]
        assert near(found, [bleu_of(f"{name}.txt", with_label(label)) for name in "ab"])
    kept = folder.run(f"{SHARDS} --results kept")
    assert kept.json == plain.json
    assert {name.partition("/")[0] for name in kept.files} == {"kept"}


@pytest.mark.libraries
def test_segment_scores_of_shards_have_their_ids(folder: Folder) -> None:
    from pyarrow import parquet

    for words, has_key in (("", False), ("--key id", True)):
        scored = folder.run(f"{SHARDS} --segment-scores scored {words}")
        tables = [
            parquet.read_table(BytesIO(content))
            for name, content in sorted(scored.files.items())
            if name.endswith(".parquet")
        ]
        assert len(tables) == 2
        assert all(("id" in table.column_names) == has_key for table in tables)
        if has_key:
            ids = {value for table in tables for value in table.column("id").to_pylist()}
            assert ids == {f"s{i}" for i in range(SEGMENTS)}


# --- bleuet serve ---------------------------------------------------------------------------------


class StandIn:
    """What `bleuet serve` starts, which remembers how it was started and does not listen."""

    started: ClassVar[dict[str, Any]] = {}
    invitation = "ready"

    def __init__(self, host: str, port: int, **limits: Any) -> None:
        self.started.clear()
        self.started.update(host=host, port=port, **limits)
        self.started["origins"] = list(limits["origins"])

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def compare(
        self, references: list[Source], systems: dict[str, Source], metrics: list[str], source: Any
    ) -> None:
        """Remember what is compared."""
        read = [*references, *systems.values(), *([source] if source else [])]
        self.started.update(
            {
                "references": [one.path for one in references],
                "systems": {name: one.path for name, one in systems.items()},
                "metrics": metrics,
                "source": source and source.path,
                "reading": {(one.bom, one.max_segment_bytes) for one in read},
            }
        )

    def run(self) -> None:
        """End at once."""


FILES = "ref.txt -i a.txt"
# Each option: a command, and what the server then gets.
SERVE: dict[str, tuple[str, str, Any]] = {
    "REF": ("serve ref.txt ref2.txt -i a.txt", "references", ["ref.txt", "ref2.txt"]),
    "--input": (f"serve {FILES} x=b.txt", "systems", {"a.txt": "a.txt", "x": "b.txt"}),
    "--source": (f"serve {FILES} --source src.txt", "source", "src.txt"),
    "--metrics": (f"serve {FILES} -m ter", "metrics", ["ter"]),
    "--max-segment-bytes": (
        f"serve {FILES} --source src.txt --max-segment-bytes 999", "reading", {("warn", 999)},
    ),
    "--bom": (f"serve {FILES} --source src.txt --bom strip", "reading", {("strip", 4 << 20)}),
    "--host": (f"serve {FILES} --host 127.0.0.2", "host", "127.0.0.2"),
    "--port": (f"serve {FILES} --port 0", "port", 0),
    "--allow-origin": (
        f"serve {FILES} --allow-origin https://a.org http://b.org:80",
        "origins",
        ["https://a.org", "http://b.org"],
    ),
    "--max-request-bytes": (f"serve {FILES} --max-request-bytes 77", "max_request_bytes", 77),
    "--mcp": (f"serve {FILES} --mcp", "tools", True),
}  # fmt: skip


@pytest.mark.parametrize("flag", SERVE)
def test_a_server_starts_with_the_options(
    folder: Folder, flag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleuet.web.server.Server", StandIn)
    line, key, value = SERVE[flag]
    assert folder.run_again(f"serve {FILES}").code == 0
    usual = StandIn.started[key]
    assert folder.run_again(line).code == 0
    assert StandIn.started[key] == value != usual


# --- Completeness ---------------------------------------------------------------------------------

# Options of which other tests show what they do, and where.
ELSEWHERE = {
    ("score", "--engine"): "tests/shards/test_clusters.py",
    ("score", "--address"): "tests/shards/test_clusters.py",
    # The number of processes changes no answer.
    ("score", "--workers"): "tests/shards/test_faults.py",
    ("meta", "--mt-metrics-eval"): "tests/cli/test_meta.py",
    ("meta", "--human-name"): "tests/cli/test_meta.py",
    ("meta", "--stored"): "tests/cli/test_meta.py",
    ("meteor-data", "--from"): "tests/cli/test_meteor_data.py",
    ("tutorial", "--files-only"): "tests/cli/test_tutorial.py",
    ("tutorial", "--no-pause"): "tests/cli/test_tutorial.py",
}
OF_SHARDS = {"--by", "--results", "--segment-scores", "--key"}


def test_every_option_of_every_command_has_a_case() -> None:
    declared = {
        (name, flag.name)
        for name, (module, _) in COMMANDS.items()
        for flag in getattr(getattr(import_module(module), "COMMAND", None), "flags", ())
    }
    shared = {
        (name, flag.name)
        for flag in test_shared_options.SHARED
        for name in test_shared_options.commands_with(flag)
    } | {
        (name, flag.name)
        for flag in test_shared_options.SHARED
        for name in test_shared_options.NOTHING_TO_DO.get(flag.dest, ())
    }
    cases = {(name, flag) for name, own in CASES.items() for flag in own}
    cases |= {("serve", flag) for flag in SERVE} | {("score", flag) for flag in OF_SHARDS}
    assert declared - cases - shared - ELSEWHERE.keys() == set()
    assert (cases | ELSEWHERE.keys()) - declared == set()
    for (_, flag), file in ELSEWHERE.items():
        assert flag in (REPOSITORY / file).read_text(encoding="utf-8"), (
            f"{file} does not use {flag}"
        )
