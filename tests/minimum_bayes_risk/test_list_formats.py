"""Every format of lists is read, and what fits none, or two, is an error with its place."""

from __future__ import annotations

import json
from itertools import product
from math import log
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BleuetError, InputError, OptionError
from bleuet.minimum_bayes_risk.candidate_lists import CandidateLists, parse_nbest, read_candidates
from bleuet.minimum_bayes_risk.list_formats import (
    FORMATS,
    NBEST_FORMATS,
    _places,
    check_format,
    lists_of_lines,
)
from bleuet.text.source import Source
from bleuet.tuning.nbest_lists import read_nbest
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = [["a b", "a"], ["c"]]
SCORES = [[-1.5, -2.0], [-0.5]]

# The lines of each program: the texts and the scores are those above.
NBEST = {
    "moses": ["lm= -5 tm= -1 -2 ||| -1.5", "lm= -6 tm= -2 -2 ||| -2", "lm= -1 tm= 0 0 ||| -0.5"],
    "moses with words": [
        "lm= -5 ||| -1.5 ||| 0-0 1-1",
        "lm= -6 ||| -2 |||",
        "lm= -1 ||| -0.5 ||| 0-0",
    ],
    "moses with phrases and words": [
        "lm= -5 ||| -1.5 ||| 0-1=0-1 2=2 ||| 0-0 1-1",
        "lm= -6 ||| -2 ||| 0=0 ||| 0-0",
        "lm= -1 ||| -0.5 ||| ||| ",
    ],
    "colons": ["lm: -5 tm: -1 -2 ||| -1.5", "lm: -6 tm: 1 2 ||| -2", "lm: -1 tm: 1 2 ||| -.5"],
    "cdec": ["LM=-5 Glue=1 ||| -1.5", "LM=-6 ||| -2", "||| -0.5"],
    "joshua": ["-5 -1 -2 ||| -1.5", "-6 -2 -2 ||| -2", "-1 0 0 ||| -0.5"],
    "joshua, one feature": ["-5 ||| -1.5", "-6 ||| -2", "-1 ||| -0.5"],
    "joshua with words": ["-5 1 ||| -1.5 ||| 0-0", "-6 1 ||| -2 ||| 0-0 1-1", "1 2 ||| -0.5 |||"],
    "marian": ["F0= -1.5 ||| -1.5", "F0= -2 ||| -2", "F0= -0.5 ||| -0.5"],
    "marian with words": [
        "0-0 1-1 ||| F0= -3 ||| -1.5",
        "||| F0= -4 ||| -2",
        "0-0 ||| F0= -1 ||| -0.5",
    ],
    "marian with probabilities": [
        "0.9,0.1 0.2,0.8 ||| F0=-3 ||| -1.5",
        "1,0 1e-5,0.9 ||| F0=-4 ||| -2",
        "1,0 ||| F0=-1 ||| -0.5",
    ],
    "marian with word scores": [
        "0-0 ||| WordScores= -1 -2 ||| F0= -3 ||| -1.5",
        "0-0 ||| WordScores= -1 ||| F0= -4 ||| -2",
        "0-0 ||| WordScores= -1 ||| F0= -1 ||| -0.5",
    ],
    "travatar": ["-1.5 ||| lm=-5 tm=1", "-2 ||| lm=-6", "-0.5 ||| "],
    "score": ["-1.5", "-2", "-0.5"],
}
PAIRS = (("a", -1), ("b", -2))
FAIRSEQ = """\
2021-05-04 10:00:00 | INFO | fairseq_cli.generate | loading model
S-1\tsrc
T-1\tref
H-1\t-0.5\tc
P-1\t-0.1 -0.2
S-0\tsrc
H-0\t-1.5\ta b
D-0\t-1.5\ta b
H-0\t-2\ta
D-0\t-2\ta
D-1\t-0.5\tc
Generate test with beam=5: BLEU4 = 10.00
"""


def nbest(fields: list[str]) -> list[str]:
    numbered = zip((0, 0, 1), ("a b", "a", "c"), fields, strict=True)
    return [f"{number} ||| {text} ||| {field}" for number, text, field in numbered]


def read(
    folder: Path, text: str, name: str = "list.txt", form: str | None = None
) -> CandidateLists:
    file, _, column = name.partition(":")
    (folder / file).write_text(text, encoding="utf-8")
    return read_candidates([Source(str(folder / file), column or None)], form)


@pytest.mark.parametrize("name", NBEST)
def test_lines_of_each_program(tmp_path: Path, name: str) -> None:
    found = read(tmp_path, "\n".join(nbest(NBEST[name])) + "\n")
    assert (found.texts, found.scores) == (TEXTS, SCORES)
    # The format that is found reads the same when it is named.
    fitting = [
        one.name
        for one in NBEST_FORMATS
        if all(one.fit([field.strip() for field in fields.split("|||")]) for fields in NBEST[name])
    ]
    for form in fitting:
        assert parse_nbest(nbest(NBEST[name]), form=form) == found


def test_features_of_each_program(tmp_path: Path) -> None:
    for name in NBEST:
        path = tmp_path / "list"
        path.write_text("\n".join(nbest(NBEST[name])) + "\n")
        if name == "score":
            with pytest.raises(InputError, match="no hypothesis or no feature"):
                read_nbest(Source(str(path)))
        else:
            found = read_nbest(Source(str(path)))
            assert found.texts == TEXTS
            assert found.values[0][0][0] in (-5, -3, -1.5)
    (tmp_path / "list").write_text("\n".join(nbest(NBEST["joshua"])) + "\n")
    assert read_nbest(Source(str(tmp_path / "list"))).names == ("f_0", "f_1", "f_2")


def test_no_line_has_two_readings() -> None:
    """Of all fields that stand side by side, no two formats read different ones."""
    samples = (
        "",
        "-1.5",
        "-1 -2",
        "lm= -1 2",
        "lm=-1",
        "0-0 1-1",
        "0.5,0.5",
        "WordScores= -1",
        "x",
    )
    for count in range(5):
        for fields in product(samples, repeat=count):
            places = {
                _places(kinds) for one in NBEST_FORMATS if (kinds := one.fit(fields)) is not None
            }
            assert len(places) <= 1, fields


def test_fairseq(tmp_path: Path) -> None:
    found = read(tmp_path, FAIRSEQ)
    assert found.texts == TEXTS
    assert found.scores is not None
    # Its logarithms are of base 2.
    assert found.scores == [[score * log(2) for score in scores] for scores in SCORES]
    other = FAIRSEQ.replace("D-1\t-0.5\tc", "D-1\t-0.5\tC!")
    with pytest.raises(InputError, match=r"--list-format fairseq or --list-format fairseq-detok"):
        read(tmp_path, other)
    assert read(tmp_path, other, form="fairseq") == found
    assert read(tmp_path, other, form="fairseq-detokenized").texts == [["a b", "a"], ["C!"]]
    only = "".join(line + "\n" for line in FAIRSEQ.splitlines() if line.startswith("D-"))
    assert read(tmp_path, only) == found


def test_lines_of_each_source(tmp_path: Path) -> None:
    text = "a\nb\n\nc\n"
    assert read(tmp_path, text, form="lines:2").texts == [["a", "b"], ["", "c"]]
    assert read(tmp_path, text, form="lines:1").texts == [["a"], ["b"], [""], ["c"]]
    with pytest.raises(InputError, match=r"has 4 lines; expected a multiple of 3"):
        read(tmp_path, text, form="lines:3")
    with pytest.raises(InputError, match="--list-format lines:K"):
        read(tmp_path, text)


OBJECTS: dict[str, list[Any]] = {
    "lists": [["a b", "a"], ["c"]],
    "objects of lists": [{"id": 7, "samples": ["a b", "a"]}, {"samples": ["c"]}],
    "objects in lists": [[{"generated_text": "a b"}, {"generated_text": "a"}], [{"text": "c"}]],
    "an object for each candidate": [
        {"segment": 0, "text": "a b"},
        {"segment": 0, "text": "a"},
        {"segment": 1, "text": "c"},
    ],
}


@pytest.mark.parametrize("name", OBJECTS)
def test_json(tmp_path: Path, name: str) -> None:
    lines = "".join(json.dumps(one) + "\n" for one in OBJECTS[name])
    whole = json.dumps(OBJECTS[name], indent=1)
    for text, file in ((lines, "a.jsonl"), (lines, "a.txt"), (whole, "a.json")):
        assert read(tmp_path, text, file) == CandidateLists(TEXTS)
    assert read(tmp_path, lines, "a.jsonl", form="json").texts == TEXTS


@pytest.mark.parametrize(
    ("entries", "scores", "weights"),
    [
        ([{"candidates": ["a", "b"], "scores": [-1, -2]}], [[-1, -2]], None),
        ([{"candidates": ["a", "b"], "weights": [0.5, 2]}], None, [[0.5, 2]]),
        (
            [{"outputs": ["a", "b"], "logprobs": [-1, -2], "weights": [1, 0]}],
            [[-1, -2]],
            [[1, 0]],
        ),
        (
            [{"choices": [{"text": "a", "score": -1}, {"text": "b", "score": -2}]}],
            [[-1, -2]],
            None,
        ),
        ([[{"text": "a", "probability": 1}, {"text": "b", "probability": 3}]], None, [[1, 3]]),
        (
            [{"segment": 0, "text": t, "weight": w} for t, w in (("a", 0.25), ("b", 0.75))],
            None,
            [[0.25, 0.75]],
        ),
        (
            [{"outputs": [{"text": t, "cumulative_logprob": s} for t, s in PAIRS]}],
            [[-1, -2]],
            None,
        ),
    ],
)  # fmt: skip
def test_scores_and_weights_of_samples(
    tmp_path: Path, entries: list[Any], scores: Any, weights: Any
) -> None:
    text = "".join(json.dumps(one) + "\n" for one in entries)
    found = read(tmp_path, text, "a.jsonl")
    assert found == CandidateLists([["a", "b"]], scores, weights)
    assert found.weights("equal") is None
    for kind, there in (("scores", scores), ("weights", weights)):
        if there is None:
            with pytest.raises(InputError, match=f"no .*{kind}"):
                found.weights(kind)
        else:
            assert found.weights(kind) is not None


def test_of_each_source_the_likeliest_candidate_has_weight_1() -> None:
    scores = [[-1.0, -1.0 - log(2)], [-900.0 - log(4), -900.0, -900.0 - log(8)]]
    weights = CandidateLists([["a", "b"], ["c", "d", "e"]], scores).weights()
    assert weights is not None
    assert [pytest.approx(own) for own in weights] == [[1, 1 / 2], [1 / 4, 1, 1 / 8]]


def test_a_column_of_objects_has_its_weights(tmp_path: Path) -> None:
    text = '{"samples": ["x"], "other": ["a", "b"], "weights": [1, 2]}\n'
    assert read(tmp_path, text, "a.jsonl:other") == CandidateLists([["a", "b"]], None, [[1, 2]])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a", "0 ||| a ||| lm= 1 ||| -1\n0 ||| b ||| lm= 1\n", "a:2 is .*'N ||| text ||| features"),
        ("a", "0 ||| a ||| lm= 1 ||| nan\n", "a:1 is .*finite numbers"),
        ("a", "0 ||| a ||| 1 2 ||| 1\n0 ||| b ||| lm= 1 ||| 1\n", "a:2 is .*lines before it have"),
        ("a", "0 ||| a ||| lm= 1 ||| -1 ||| what\n", "a:1 is .*expected 'N"),
        ("a", "0 ||| a ||| b ||| lm= 1 ||| -1\n", "a:1 is .*expected 'N"),
        ("a", "1 ||| a ||| -1\n", "a:1 is .*number 0"),
        ("a", "0 ||| a\n2 ||| b\n", "a:2 is .*number 0 or 1"),
        ("a", "0 ||| a\n\n", "a:2 is ''"),
        ("a", "H-0\t-1\ta\nH-2\t-1\tb\n", "no candidate of source 1"),
        ("a", "H-0\t-1\ta\nH-0\t-1\n", "a:2 is .*expected the number of a source, a score"),
        ("a", "H-0\t-1\ta\nH-0\tnan\tb\n", "a:2 is"),
        ("a", "H-0\t-1\ta\nx y\n", "a:2 is .*keep the lines that begin with H-"),
        ("a", "S-0\tx\n", "no candidate"),
        ("a.jsonl", '{"samples": ["a"], "candidates": ["b"]}\n', "keys candidates and samples"),
        ("a.jsonl", '{"samples": ["a"], "samples": ["b"]}\n', "a.jsonl:1 is not JSON.*twice"),
        ("a.jsonl", '{"samples": ["a"]}\n{"samples": []}\n', "a.jsonl:2 has .*list of candidates"),
        ("a.jsonl", '{"samples": ["a", 1]}\n', "a.jsonl:1 has 1; expected a text"),
        (
            "a.jsonl",
            '{"samples": ["a"], "weights": [1, 2]}\n',
            r"has \[1, 2\]; expected by.* of the 1",
        ),
        ("a.jsonl", '{"samples": ["a"], "weights": [NaN]}\n', "weights is nan"),
        ("a.jsonl", '{"samples": ["a"], "weights": [true]}\n', "weights is True"),
        ("a.jsonl", '{"samples": ["a"], "weights": ["1"]}\n', "weights is '1'"),
        ("a.jsonl", '["a"]\n[{"text": "b", "score": 1}]\n', "a.jsonl:2 has a score"),
        ("a.jsonl", '[{"text": "b", "score": 1, "logprob": 2}]\n', "keys score and logprob"),
        ("a.jsonl", '{"segment": 1, "text": "a"}\n', "a.jsonl:1 has .*segment"),
        ("a.jsonl", '{"segment": 0, "text": "a"}\n["b"]\n', "a.jsonl:2 has .*as before"),
        ("a.jsonl", "[1\n", "a.jsonl:1 is not JSON"),
        ("a", '["a"]\n[1\n', "a:2 is not JSON"),
        ("a", '{"samples": ["a"]}\n{"samples": 1}\n', "a:2 has .*expected a list of candidates"),
        ("a.jsonl", "", "no candidate"),
        ("a.json", "[" * 100_000, "not JSON"),
        ("a.json", "[]", "no candidate"),
        ("a.json", '[["a"], 5]', "entry 2 of .*a.json has 5"),
        ("a", "", "is empty"),
    ],
)
def test_wrong_lines_have_their_place(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(BleuetError, match=message) as caught:
        read(tmp_path, text, name)
    assert "\n" not in str(caught.value)


def test_wrong_formats(tmp_path: Path) -> None:
    for name in ("mozes", "lines", "lines:0", "lines:x", "lines:K", ""):
        with pytest.raises(OptionError, match="there is no list format"):
            check_format(name)
    with pytest.raises(OptionError, match="is not the format of"):
        read(tmp_path, "a\tb\n", "a.tsv:1", form="moses")
    with pytest.raises(OptionError, match="is the format of one file"):
        read_candidates([Source("a"), Source("b")], "moses")
    with pytest.raises(InputError, match=r":1 is .*'N \|\|\| text \|\|\| score \|\|\| features'"):
        read(tmp_path, "0 ||| a ||| lm= 1 ||| -1\n", form="travatar")


def test_a_line_keeps_its_place() -> None:
    (line,) = lists_of_lines(["0 ||| a"], "list.txt")
    assert line == ("list.txt:1", 0, "a", None, None)


def test_every_format_stands_in_the_guide() -> None:
    guide = REPOSITORY / "docs" / "mbr.md"
    if not guide.is_file():
        pytest.skip("the documentation is not here")
    text = guide.read_text(encoding="utf-8")
    for name in FORMATS:
        assert f"| `{name}` |" in text


def test_a_number_that_python_does_not_read(tmp_path: Path) -> None:
    file = tmp_path / "samples.jsonl"
    file.write_text('{"candidates": ["a"], "scores": [' + "9" * 5000 + "]}\n")
    with pytest.raises(InputError, match=r"samples\.jsonl:1 is not JSON \(a number has more than"):
        read_candidates([Source(file)])
