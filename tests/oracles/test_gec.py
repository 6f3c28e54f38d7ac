"""Scores of grammatical corrections against ERRANT, gec-metrics, gleu and compare-mt."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bleuet import ERRANT, GECGLEU, InputError, OptionError, compare, score, with_sources
from bleuet.cli.main import main
from bleuet.engines.counting import score_batches
from bleuet.metrics.errant import count_edits
from bleuet.text.m2 import read_sentences
from bleuet.text.parallel import Parallel, read_systems
from bleuet.text.segments import like
from bleuet.text.source import Source
from tests.oracles.gec_goldens import (
    FILE,
    FLAGS,
    REFERENCES,
    SHORT,
    SYSTEMS,
    corrections,
    m2_text,
    sentences,
    without_repeats,
)


@cache
def goldens() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Source], Source]:
    folder = tmp_path_factory.mktemp("m2")
    made = sentences()
    paths = [folder / f"{name}.m2" for name in (*SYSTEMS, "ref")]
    for path, system in zip(paths, (0, 1, None), strict=True):
        path.write_text(m2_text(made, system), encoding="utf-8")
    *systems, reference = (Source(path) for path in paths)
    return systems, reference


@pytest.mark.parametrize(("flags", "options"), FLAGS)
@pytest.mark.parametrize(
    ("annotator", "stored"), [("running", "errant"), ("sentence", "errant_alone")]
)
def test_errant_compare(
    files: tuple[list[Source], Source],
    flags: str,
    options: dict[str, Any],
    annotator: Any,
    stored: str,
) -> None:
    """Every sentence, with each flag.

    > **The same number** as `errant_compare` of ERRANT 3.0.2, which prints a fraction of four
      digits.

    > `errant_compare` takes the annotator that gives the highest F of this and all sentences
      before, rounded to four digits, so its choice depends on the order of the sentences: that is
      the default, `annotator=running`.

    > **Edits of the type UNK** count only with `match=span` and `token`, as in `errant_compare`.
    """
    metric = ERRANT(annotator=annotator, **options)
    systems, reference = files
    for corpus, expected in zip(
        read_systems(systems, [reference]), goldens()[stored][flags], strict=True
    ):
        assert len(expected) == len(corpus) > 300
        table = metric.table(corpus)
        assert [list(row.values) for row in table] == expected
        tp, fp, fn = (sum(column) for column in zip(*expected, strict=True))
        found = metric.score(table.totals())
        assert (found.tp, found.fp, found.fn) == (tp, fp, fn)
        precision, recall = tp / (tp + fp), tp / (tp + fn)
        weight = metric.beta**2
        f = (1 + weight) * precision * recall / (weight * precision + recall)
        assert found.score == pytest.approx(100 * f, rel=1e-14)
        assert (found.precision, found.recall) == (100 * precision, 100 * recall)


def test_annotators_are_chosen_by_what_came_before() -> None:
    """Or the test above would not tell the two ways apart."""
    running, alone = goldens()["errant"], goldens()["errant_alone"]
    assert sum(running[flags] != alone[flags] for flags, _ in FLAGS) >= 3


@pytest.mark.parametrize("batch", [1, 7, 1000])
@pytest.mark.parametrize("flags", ["-b 1", "-b 2 -dt"])
def test_batches_follow_each_other(
    files: tuple[list[Source], Source], batch: int, flags: str
) -> None:
    metric = ERRANT(**dict(FLAGS)[flags])
    systems, reference = files
    with Parallel(systems, [reference], batch_size=batch) as batches:
        found = score_batches([metric, ERRANT()], batches)
    for number, scores in enumerate(found):
        for one, stored in zip(scores, (flags, ""), strict=True):
            expected = goldens()["errant"][stored][number]
            assert one.values == tuple(map(sum, zip(*expected, strict=True)))


def test_a_matrix_has_no_order(files: tuple[list[Source], Source]) -> None:
    systems, reference = files
    corpus = read_systems(systems, [reference])[1]
    # Of one source, as a matrix has hypotheses and references of one segment.
    hypotheses, references = (
        [like(str(one) if isinstance(one, str) else list(one), one) for one in side[40:60]]
        for side in (corpus.hypotheses, corpus.references)
    )
    for one in (*hypotheses, *references):
        one.source = "the same"
    metric = ERRANT(beta=2, match="token")
    matrix = metric.matrix(hypotheses, references)
    assert matrix.tolist() == [
        [metric.sentence_score(one, other).score for other in references] for one in hypotheses
    ]


# What errant_compare 3.0.2 prints of one sentence: the edits of a system's annotators, those of the
# reference's, and TP, FP and FN.
TIES = [
    # F is 0, and so are the right edits: fewer wrong ones, then fewer missing ones.
    ({0: "ab", 1: "c"}, {0: "de"}, (0, 1, 2)),
    ({0: "c"}, {0: "de", 1: "f"}, (0, 1, 1)),
    # F is 1: more right edits.
    ({0: "a", 1: "ab"}, {0: "a", 1: "ab"}, (2, 0, 0)),
    # F comes first.
    ({0: "a", 1: "abcd"}, {0: "ab"}, (1, 0, 1)),
]


@pytest.mark.parametrize(("ours", "theirs", "expected"), TIES)
@pytest.mark.parametrize("annotator", ["running", "sentence"])
def test_ties_of_annotators(
    ours: dict[int, str], theirs: dict[int, str], expected: tuple[int, ...], annotator: Any
) -> None:
    def block(edits: dict[int, str]) -> list[str]:
        several = [(number, one) for number, text in edits.items() for one in text]
        end = "REQUIRED|||-NONE-"
        return ["S w", *(f"A 0 0|||M:X|||{one}|||{end}|||{number}" for number, one in several)]

    (system,), (reference,) = (read_sentences(block(one), "a.m2") for one in (ours, theirs))
    found = ERRANT(annotator=annotator).corpus_score([system.hypothesis], [reference.references()])
    assert found.values == expected


def test_edits_that_can_be_counted() -> None:
    assert count_edits({}, {}) == (0, 0, 0)
    assert count_edits({(-1, -1): ["noop"]}, {(-1, -1): ["noop"]}) == (0, 0, 0)
    assert count_edits({1: ["R"], 2: ["R", "M"]}, {(-1, -1): ["noop"]}) == (0, 3, 0)
    assert count_edits({1: ["R"]}, {1: ["R", "M"], 2: ["U", "U"]}) == (2, 0, 2)


@pytest.mark.parametrize("references", REFERENCES)
def test_gec_metrics(references: int) -> None:
    """Corpora and segments.

    > **The same number** as `GLEUOfficial` of gec-metrics 0.1.1 where no sum is 0,

    > With several references, `compute_gleu` prints the mean over them, and so does
      `sampling=turns` with a number of draws that theirs divides,
    """
    sources, several, hypotheses = corrections(references)
    stored = goldens()["gec_metrics"][str(references)]
    carrying = with_sources(several, sources)
    found = GECGLEU().corpus_score(hypotheses, carrying).score
    assert found == pytest.approx(100 * stored["corpus"], rel=1e-13)
    each = GECGLEU(sampling="turns", draws=references)
    scores = [one / 100 for one in each.sentence_scores(hypotheses, carrying)]
    assert scores == pytest.approx(stored["segments"], rel=1e-13, abs=1e-15)
    assert len(set(scores)) > 20


def test_sums_of_zero_of_gec_metrics() -> None:
    """Its figures, and ours: 0, or the brevity penalty of the words that are there.

    > Where no hypothesis has four words, `compute_gleu` has 0, and gec-metrics takes the share of
      4-grams for 1: 100 for a right correction of two words. It also counts an empty text as one
      word.
    """
    scores = [
        GECGLEU().corpus_score(hypotheses, with_sources([[text] for text in references], sources))
        for sources, references, hypotheses in SHORT
    ]
    two_words, *_, empty_hypothesis, empty_reference = goldens()["short"]
    assert [score.score for score in scores[:4]] == [0, 0, 0, 0]
    assert two_words == 1
    # Nine words of the references beside five or six of the hypotheses, and five beside six.
    assert scores[4].score == pytest.approx(100 * math.exp(1 - 9 / 5))
    assert empty_hypothesis == pytest.approx(math.exp(1 - 9 / 6))
    assert scores[5].score == pytest.approx(100 * empty_reference)


@pytest.mark.parametrize("references", REFERENCES)
def test_gleu(references: int) -> None:
    """With its flag -f.

    > and with `sampling=python2` as `gleu -f` of gleu 1.1.0,
    """
    sources, several, hypotheses = corrections(references)
    metric = GECGLEU(sampling="python2")
    found = metric.corpus_score(hypotheses, with_sources(several, sources)).score
    assert found == pytest.approx(goldens()["gleu"][str(references)], rel=1e-13, abs=1e-12)


def test_smoothed_segments_of_compare_mt() -> None:
    sources, references, hypotheses = without_repeats()
    metric = GECGLEU(smooth="one")
    scores = metric.sentence_scores(hypotheses, with_sources(references, sources))
    assert list(scores) == pytest.approx(goldens()["compare_mt"], rel=1e-13, abs=1e-12)


@pytest.mark.peers
def test_gleu_itself(tmp_path: Path) -> None:
    made = sentences()
    names = {"s": [" ".join(one.words) for one in made]}
    texts = read_sentences(m2_text(made, 1).splitlines(), "o.m2")
    names["o"] = [one.hypothesis for one in texts]
    # As many references for each sentence: annotators take turns.
    several = [list(one.references()) for one in read_sentences(m2_text(made).splitlines(), "r.m2")]
    references = [[one[i % len(one)] for i in range(3)] for one in several]
    names |= {f"r{i}": [one[i] for one in references] for i in range(3)}
    for name, lines in names.items():
        text = "".join(f"{line}\n" for line in lines)
        (tmp_path / name).write_text(text, encoding="utf-8")
    flags = ["-s", "s", "-r", "r0", "r1", "r2", "-o", "o", "-f", "-d", "12"]
    command = [sys.executable, "-c", "from gleu.main import gleu; gleu()", *flags]
    printed = subprocess.check_output(command, cwd=tmp_path, text=True)
    metric = GECGLEU(sampling="python2")
    found = metric.corpus_score(names["o"], with_sources(references, names["s"]))
    assert found.score == pytest.approx(float(printed.split("\t")[1]), rel=1e-13, abs=1e-12)
    assert 20 < found.score < 90


def test_draws_belong_to_places() -> None:
    """Parts of a corpus have the draws of the whole, whoever counts them."""
    sources, several, hypotheses = corrections(3)
    carrying = with_sources(several, sources)
    metric = GECGLEU(draws=20)
    whole = metric.count(hypotheses, carrying)
    part = metric.count(hypotheses[50:90], carrying[50:90])
    assert part == whole.select(range(50, 90))
    assert metric.count(hypotheses[50:90], with_sources(several[50:90], sources[50:90])) != part


def test_the_mean_of_counts_is_the_score_with_one_reference() -> None:
    sources, several, hypotheses = corrections(1)
    carrying = with_sources(several, sources)
    found = [
        GECGLEU(sampling=sampling).corpus_score(hypotheses, carrying).score
        for sampling in ("python3", "python2", "turns", "mean")
    ]
    assert len(set(found)) == 1
    sources, several, hypotheses = corrections(4)
    carrying = with_sources(several, sources)
    drawn, mean = (
        GECGLEU(sampling=sampling).corpus_score(hypotheses, carrying).score
        for sampling in ("python3", "mean")
    )
    assert drawn != mean
    assert mean == pytest.approx(drawn, abs=0.5)


def test_m2_files_have_all_that_metrics_of_corrections_read(
    files: tuple[list[Source], Source], capsys: pytest.CaptureFixture[str]
) -> None:
    systems, reference = files
    args = [reference.path, "-i", *(one.path for one in systems)]
    code = main(
        ["score", *args, "-m", "errant", "gec-gleu", "sari:tokenize=none", "-f", "json", "-q"]
    )
    assert code == 0
    printed = json.loads(capsys.readouterr().out)
    corpora = read_systems(systems, [reference])
    found = score(
        {name: corpus.hypotheses for name, corpus in zip(SYSTEMS, corpora, strict=True)},
        corpora[0].references,
        ["errant", "gec-gleu", "sari:tokenize=none"],
    )
    assert [[one["score"] for one in printed if one["system"] == name] for name in SYSTEMS] == [
        [found[metric][name].score for metric in found] for name in SYSTEMS
    ]
    # Sources named twice are the same.
    main(["score", *args, "-m", "gec-gleu", "-b", "-q", "--width", "9"])
    first = capsys.readouterr().out
    main(["score", *args, "-m", "gec-gleu", "-b", "-q", "--width", "9", "--source", reference.path])
    assert capsys.readouterr().out == first
    compared = compare(
        {name: corpus.hypotheses for name, corpus in zip(SYSTEMS, corpora, strict=True)},
        corpora[0].references,
        ["errant", "gec-gleu:draws=9"],
    )
    assert "sentence GEC-GLEU|nrefs:var" in str(compared)


def test_texts_without_edits_or_sources_are_errors() -> None:
    (sentence,) = read_sentences(["S a b"], "a.m2")
    with pytest.raises(InputError, match="came without sources"):
        ERRANT().sentence_score(sentence.hypothesis, "a b")
    with pytest.raises(InputError, match="the hypotheses came as texts: use M2 files"):
        ERRANT().sentence_score("a b", sentence.references())
    with pytest.raises(InputError, match="the references came as texts: use M2 files"):
        ERRANT().sentence_score(sentence.hypothesis, with_sources(["a b"], ["a b"])[0])
    (other,) = read_sentences(["S a c"], "a.m2")
    with pytest.raises(InputError, match="the source 'a c' and the hypotheses 'a b': check that"):
        ERRANT().sentence_score(sentence.hypothesis, other.references())
    with pytest.raises(InputError, match="came without sources"):
        GECGLEU().corpus_score(["a"], ["a"])
    for wrong in ("R:PUNCT M:PUNCT", "/", "a|b", "a//b"):
        with pytest.raises(OptionError, match="with slashes between them"):
            ERRANT(ignored=wrong)
