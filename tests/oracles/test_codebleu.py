"""CodeBLEU against codebleu 0.7.0, and the rules of its paper against their definition."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from math import exp, log
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import CodeBLEU
from bleuet.errors import InputError, OptionError, SignatureError
from bleuet.metrics.catalogue import make_metric, metric_from_signature
from bleuet.metrics.code_bleu.comments import without_comments
from bleuet.metrics.code_bleu.data_flow import data_flow
from bleuet.metrics.code_bleu.languages import LANGUAGES
from bleuet.metrics.code_bleu.metric import LANGUAGE_NAMES
from bleuet.metrics.code_bleu.syntax import SyntaxTree
from tests.corpora.code import SYNTAX, pairs
from tests.oracles.codebleu_goldens import FILE, PAIRS, PARTS, SEED, figures, program

if TYPE_CHECKING:
    from bleuet import CodeBLEUScore

EVERY_LANGUAGE = pytest.mark.parametrize("language", SYNTAX)


def python(rules: str = "codebleu") -> Any:
    return make_metric("codebleu", language="python", rules=rules)


def numbers(score: CodeBLEUScore) -> list[float]:
    return [*(getattr(score, part) / 100 for part in PARTS), score.score / 100]


def metric_of(language: str) -> Any:
    return make_metric("codebleu", language=language)


def stored(language: str) -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))[language]


@pytest.mark.slow
@EVERY_LANGUAGE
def test_the_numbers_of_the_program(language: str) -> None:
    metric = metric_of(language)
    hypotheses, references = zip(*pairs(language, SEED, PAIRS), strict=True)
    theirs = stored(language)
    table = metric.count(list(hypotheses), list(references))
    scores = metric.segment_scores(table)
    for segment, row in enumerate(theirs["segments"]):
        assert numbers(scores.score(segment)) == pytest.approx(row, rel=1e-12, abs=1e-14)
    whole = metric.score(table.totals())
    assert numbers(whole) == pytest.approx(theirs["corpus"], rel=1e-12)
    # The made-up code has all that is compared.
    flows = {row[3] for row in theirs["segments"]}
    assert len(flows) > 15
    assert len({row[2] for row in theirs["segments"]}) > 50


def test_an_example_of_the_program() -> None:
    """In its documentation: 0.5537, with the parts 0.1041, 0.1109, 1 and 1."""
    hypothesis = "def add ( a , b ) :\n return a + b"
    reference = "def sum ( first , second ) :\n return second + first"
    found = numbers(python().sentence_score(hypothesis, reference))
    assert [int(10_000 * one) for one in found] == [1041, 1109, 10_000, 10_000, 5537]


@pytest.mark.peers
@EVERY_LANGUAGE
def test_new_code(language: str) -> None:
    """Sets have an order, for the program too.

    > **The same number** as the program codebleu 0.7.0 (`calc_codebleu`), times 100, from the
      rules `codebleu`, the default, on the same grammars.

    > It was compared with the program with ordered sets: of 60,000 made-up pairs of code in the
      ten languages, many of them incomplete, none differs.
    """
    segments = list(pairs(language, 11, 40))
    metric = metric_of(language)
    for (hypothesis, references), theirs in zip(segments, figures(language, segments), strict=True):
        ours = numbers(metric.sentence_score(hypothesis, references))
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-14), (hypothesis, references)


@pytest.mark.peers
def test_the_program_s_weights() -> None:
    hypothesis, reference = "x = f(a, b)\ny = x", "x = f(b, c)\nz = x + 1"
    for weights in ((0.1, 0.1, 0.4, 0.4), (0, 0, 1, 0), (0, 0, 0, 1)):
        theirs = program()([[reference]], [hypothesis], "python", weights=weights)["codebleu"]
        score = python().with_options(weights=weights).sentence_score(hypothesis, reference)
        assert score.score / 100 == pytest.approx(theirs, rel=1e-12)


@pytest.mark.peers
def test_keywords_are_those_of_the_program() -> None:
    from codebleu.codebleu import PACKAGE_DIR

    for name, language in LANGUAGES.items():
        lines = (PACKAGE_DIR / "keywords" / f"{name}.txt").read_text(encoding="utf-8").split("\n")
        assert {line.strip() for line in lines} - {""} == {*language.keywords.split()}


def rows_of(hypothesis: str, reference: str) -> list[float]:
    """The program's figures, which ours equal."""
    (row,) = figures("python", [(hypothesis, [reference])])
    ours = numbers(python().sentence_score(hypothesis, reference))
    assert ours == pytest.approx(row, rel=1e-12, abs=1e-14)
    return row


@pytest.mark.peers
def test_the_faults_of_the_program() -> None:
    """Each by a pair of texts.

    > | A data flow match of 0 counts as 1: code that shares no edge gets as many points as a copy.
      | 0 counts as 0. |

    > | References without data flow count as a match of 1 in the sum, although `dataflow_match` is
      0. | The other weights are divided by their sum. |

    > | Weighted n-grams are a recall: shares of the references' n-grams, of 1 to 4 words. Only
      single words have weights. | Precision of single words, as equation 2 and the text after it
      say. |

    > | The brevity penalty of weighted n-grams takes 2 for the length of every reference, so short
      hypotheses lose nothing. | The length of the closest reference. |

    > | A subtree of the hypothesis matches every equal subtree of the reference. | Each matches
      once. |

    > | After letters of several bytes in UTF-8, the texts of tokens are cut in the wrong places. |
      They are cut rightly. |
    """
    parts = dict(zip((*PARTS, "codebleu"), rows_of("f(1)", "a = b\nc = a"), strict=True))
    assert (parts["dataflow_match"], parts["syntax_match"], parts["codebleu"]) == (0, 0, 0.25)
    parts = dict(zip((*PARTS, "codebleu"), rows_of("f(1)", "f(2)"), strict=True))
    assert (parts["dataflow_match"], parts["syntax_match"], parts["codebleu"]) == (0, 1, 0.5)
    # Recall of one to four words: keywords count 5 times among single words.
    shares = 7 / 8, 2 / 3, 1 / 2, 0.1 / 1
    weighted = rows_of("if x :", "if x : y")[1]
    assert weighted == pytest.approx(exp(sum(map(log, shares)) / 4))
    # Three of eight words: no penalty, the shares alone.
    shares = 7 / 12, 2 / 7, 1 / 6, 0.1 / 5
    weighted = rows_of("if x :", "if x : y z u v w")[1]
    assert weighted == pytest.approx(exp(sum(map(log, shares)) / 4))
    assert rows_of("a = 1", "a = 1\na = 1")[2] == 0.8
    assert rows_of('x = "é"; y = x', 'x = "e"; y = x')[3] == 0.5
    assert rows_of('x = "e"; y = x', 'x = "e"; y = x')[3] == 1
    paper = python("paper")
    assert paper.sentence_score("f(1)", "a = b\nc = a").score == 0
    assert paper.sentence_score('x = "é"; y = x', 'x = "e"; y = x').dataflow_match == 100


DRAWN = """
import logging
logging.disable(50)
from codebleu import calc_codebleu
hypothesis = "a = b\\nfor x in y:\\n    c = a + d + e + f\\n    g = c + a + x"
reference = "q = b\\nfor k in y:\\n    z = q + m + n + o\\n    u = z + q + k"
print(calc_codebleu([[reference]], [hypothesis], "python")["dataflow_match_score"])
"""


@pytest.mark.peers
@pytest.mark.slow
def test_the_order_of_a_set() -> None:
    """The program as it is, in some processes.

    > **What the program's number depends on**: lists of variables in data flow have the order of a
      Python set, so with several variables the same code has another data flow match in another
      process (`PYTHONHASHSEED`).

    > bleuet uses the order of the code, so a copy in which only names of variables differ matches
      in full.
    """
    found = {
        subprocess.check_output(
            [sys.executable, "-c", DRAWN], env={**os.environ, "PYTHONHASHSEED": str(seed)}
        )
        for seed in range(5)
    }
    assert len(found) > 1
    hypothesis = "a = b\nfor x in y:\n    c = a + d + e + f\n    g = c + a + x"
    reference = "q = b\nfor k in y:\n    z = q + m + n + o\n    u = z + q + k"
    assert python().sentence_score(hypothesis, reference).dataflow_match == 100


@pytest.mark.peers
def test_deep_code_of_the_program() -> None:
    """A copy of code that is nested 3,000 times.

    > Deep nesting is none: where the program has no data flow beyond the depth of Python's
      recursion, bleuet has one.
    """
    code = "a = b\n" + "(" * 3000 + "a" + ")" * 3000
    (row,) = figures("python", [(code, [code])])
    assert row[3] == 0
    assert python().sentence_score(code, code).dataflow_match == 100


# --- The rules ------------------------------------------------------------------------------------


def test_data_flow_that_does_not_match_counts_as_100_percent_in_the_program() -> None:
    hypothesis, reference = "f(1)", "a = b\nc = a"
    by_program = python().sentence_score(hypothesis, reference)
    original = python("codexglue").sentence_score(hypothesis, reference)
    assert by_program.dataflow_match == original.dataflow_match == 0
    assert by_program.score == pytest.approx(original.score + 25)


def test_code_with_a_loop_that_lacks_its_body_has_no_data_flow() -> None:
    """Whatever else the code has before and behind; the program stops at the first such part."""
    code = "<?php $a = 1; $b = $a; foreach ($c as $d) {} $e = $b;"
    incomplete = code.replace(" {}", ";")
    metric = metric_of("php")
    assert "data flow = 100.00" in str(metric.sentence_score(code, code))
    assert "data flow = none in the references" in str(metric.sentence_score(code, incomplete))
    assert "data flow = 0.00" in str(metric.sentence_score(incomplete, code))


def test_data_flow_that_references_do_not_have() -> None:
    hypothesis, reference = "f(1)", "f(2)"
    paper = python("paper").sentence_score(hypothesis, reference)
    parts = paper.ngram_match, paper.weighted_ngram_match, paper.syntax_match
    assert paper.score == pytest.approx(sum(parts) / 3)
    assert "data flow = none in the references" in str(paper)
    by_program = python().sentence_score(hypothesis, reference)
    assert by_program.score == pytest.approx((by_program.syntax_match + 100) / 4)


def test_weighted_precision_of_the_paper() -> None:
    """Equation 2, with single words and weights of 5 for keywords."""
    metric = CodeBLEU(language="python", rules="paper")
    score = metric.sentence_score("if x : return y", "if x and z : return 1")
    hits, words = 5 + 1 + 1 + 5, 5 + 1 + 1 + 5 + 1
    expected = exp(1 - 7 / 5) * hits / words
    assert score.weighted_ngram_match == pytest.approx(100 * expected)


def test_weighted_recall_of_the_program() -> None:
    """Recall, with a length of the reference of 2, so that brevity is never punished."""
    score = python().sentence_score("if x :", "if x : y")
    shares = 7 / 8, 2 / 3, 1 / 2, 0.1 / 1
    expected = exp(sum(map(log, shares)) / 4)
    assert score.weighted_ngram_match == pytest.approx(100 * expected)


def test_a_subtree_of_the_hypothesis_matches_once_in_the_paper() -> None:
    hypothesis, reference = "a = 1", "a = 1\na = 1"
    # The module, and twice the statement and the assignment.
    assert python().sentence_score(hypothesis, reference).syntax_match == pytest.approx(80)
    paper = python("paper").sentence_score(hypothesis, reference)
    assert paper.syntax_match == pytest.approx(40)


def test_names_of_variables_do_not_count() -> None:
    """Also where a loop joins them, whose order in the program is that of a set."""
    code = "for a in b:\n    c = a + d + e + f\n    g = c + a"
    names = dict(zip("abcdefg", ["zeta", "x", "k", "alpha", "n1", "m", "q"], strict=True))
    renamed = "".join(names.get(one, one) for one in code.replace("for", "@").replace("in", "#"))
    renamed = renamed.replace("@", "for").replace("#", "in")
    assert python().sentence_score(renamed, code).dataflow_match == 100


def test_tokens_after_letters_of_two_bytes() -> None:
    """The program cuts them at places in bytes; the rules of the paper cut them rightly."""
    edges = [
        data_flow(SyntaxTree('x = "é"; y = x', "python", exact=exact), LANGUAGES["python"].flow)
        for exact in (True, False)
    ]
    plain = data_flow(SyntaxTree('x = "e"; y = x', "python"), LANGUAGES["python"].flow)
    assert plain == edges[0]
    assert plain != edges[1]


# --- Languages, versions, limits ------------------------------------------------------------------


def test_a_language_is_needed() -> None:
    assert tuple(LANGUAGES) == LANGUAGE_NAMES
    listed = ", ".join(LANGUAGES)
    with pytest.raises(OptionError, match=rf"language must be chosen.*: {listed}"):
        CodeBLEU().sentence_score("a = 1", "a = 1")
    with pytest.raises(OptionError, match=rf"language must be chosen.*: {listed}"):
        CodeBLEU().corpus_score(["a = 1"], ["a = 1"])
    with pytest.raises(OptionError, match=rf"language must be one of none, {listed}, not 'perl'"):
        make_metric("codebleu:language=perl")
    with pytest.raises(OptionError, match=r"weights must add up to 1, but add up to 0\.6"):
        CodeBLEU(language="c", weights=(0.1, 0.1, 0.2, 0.2))
    with pytest.raises(OptionError, match=r"needs four numbers.*but 2 came"):
        CodeBLEU(language="c", weights=(0.5, 0.5))


def test_the_signature_has_the_version_of_the_grammar() -> None:
    metric = CodeBLEU(language="java", rules="paper")
    signature = str(metric.signature())
    assert "code:java-0.21.0|rules:paper|parts:0.25/0.25/0.25/0.25|" in signature
    assert metric_from_signature(signature) == metric
    with pytest.raises(SignatureError, match=r"java-0.1.2, but the grammar .* is java-0.21.0"):
        metric_from_signature(signature.replace("0.21.0", "0.1.2"))


@pytest.mark.slow
@EVERY_LANGUAGE
def test_deep_code(language: str) -> None:
    metric = metric_of(language)
    for deep in ("(" * 5000, "(" * 1500 + "a" + ")" * 1500, "a = [" * 1500, "if (a) { " * 1500):
        score = metric.sentence_score(deep, "a = 1")
        assert 0 <= score.score <= 100
    code = "a" + "+ (a" * 1500 + ")" * 1500
    same = metric.sentence_score(code, code)
    assert same.syntax_match == 100


@pytest.mark.slow
def test_very_deep_code() -> None:
    assert 0 <= python().sentence_score("(" * 20_000, "a = 1").score <= 100
    code = "a" + "+ (a" * 5000 + ")" * 5000
    assert python().sentence_score(code, code).syntax_match == 100


def test_loops_in_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = CodeBLEU(language="java")
    code = "".join(f"while (a{i} > 0) {{ b{i} = a{i}; " for i in range(8)) + "}" * 8
    assert metric.sentence_score(code, code).dataflow_match == 100
    monkeypatch.setattr("bleuet.metrics.code_bleu.data_flow.MAX_STEPS", 30_000)
    with pytest.raises(InputError, match="takes more than 30000 steps, as each loop in a loop"):
        metric.sentence_score("while (a) { a = b; " * 40 + "}" * 40, "a = b;")


@pytest.mark.slow
def test_very_long_code() -> None:
    with pytest.raises(InputError, match="a segment of 59999 bytes is too long for CodeBLEU"):
        python().sentence_score("a = 1\n" * 10_000, "a = 1")


@pytest.mark.parametrize("mark", ["/*", "'\\", '"\\', "'", "/*'", "//", "\\'\""])
def test_comments_take_time_that_grows_with_the_length(mark: str) -> None:
    text = mark * 100_000
    assert len(without_comments(text, "c")) <= len(text)


def test_comments() -> None:
    code = "a /* b\n*/ + '//' // c\n\n\"/*\" /*/ d */ ' e"
    assert without_comments(code, "java") == "a   + '//'  \n\"/*\"   ' e"
    assert without_comments("a = 1  # b\n\n'''c'''\nd = 'e'\n", "python") == "a = 1  \nd = 'e'"
    assert without_comments("a # b", "ruby") == "a # b"


def test_what_several_references_count() -> None:
    """Subtrees and edges of all, n-grams of the hypothesis once."""
    one, other = "a = b\nc = a", "d = 1"
    first, second = (python().sentence_score("a = b", each).values for each in (one, other))
    both = python().sentence_score("a = b", [one, other]).values
    assert both[-4:] == tuple(map(sum, zip(first[-4:], second[-4:], strict=True)))
    assert both[4:8] == first[4:8]


# Cut before "}": in Go, the end of the code is a token without characters that ends the statement.
CUT_AT_THE_END = "switch a { case 1: b = 2; default: b = c"


def test_the_end_of_code_is_not_missing() -> None:
    """tree-sitter does not write this end, so what is before it is the same as in whole code."""
    score = metric_of("go").sentence_score(CUT_AT_THE_END, CUT_AT_THE_END + " }")
    # All but the file and the statement `switch`.
    assert score.values[-4:-2] == (9, 11)


@pytest.mark.peers
def test_the_end_of_code_in_the_program() -> None:
    segment = CUT_AT_THE_END, [CUT_AT_THE_END + " }"]
    ours = numbers(metric_of("go").sentence_score(*segment))
    assert ours == pytest.approx(next(figures("go", [segment])), rel=1e-12)


def test_equal_subtrees_are_those_that_tree_sitter_writes_alike() -> None:
    from bleuet.metrics.code_bleu.definition import CleanCode

    for language in SYNTAX:
        for hypothesis, (reference, *_) in pairs(language, 3, 12):
            trees = []
            for text in (hypothesis, reference):
                stack = [SyntaxTree(text, language)._tree.root_node]
                written: Counter[str] = Counter()
                while stack:
                    node = stack.pop()
                    if node.children or not written:
                        written[str(node)] += 1
                    stack += node.children
                trees.append(written)
            ours, theirs = (CleanCode(t, language, exact=False) for t in (hypothesis, reference))
            assert theirs.subtrees.total() == trees[1].total()
            shared = (theirs.subtrees_in(ours) & theirs.subtrees).total()
            assert shared == (trees[0] & trees[1]).total()


OPTIMIZED = """
from bleuet import CodeBLEU
texts = ["def f(a):\\n    return a"], ["def g(b):\\n    return b"]
print(CodeBLEU(language="python").corpus_score(*texts))
"""


@pytest.mark.slow
def test_the_score_does_not_depend_on_assertions() -> None:
    """Python leaves them out with -O."""
    scores = [
        subprocess.run([sys.executable, *flags, "-c", OPTIMIZED], capture_output=True, check=True)
        for flags in ([], ["-O"])
    ]
    assert scores[0].stdout == scores[1].stdout
