"""MQM scores equal WMT's published ones, and an independent definition; errors name the place."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import InputError, OptionError
from bleuet.evaluation.score_tables import ScoreTable, TableLayout
from bleuet.meta_evaluation import MqmWeights, ScoreMatrix, mqm_scores
from bleuet.meta_evaluation.evaluation_files import EvaluationFiles
from bleuet.meta_evaluation.judgment_tables import read_human_table
from bleuet.meta_evaluation.mqm import AnnotatedScores
from bleuet.text.source import Source

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "system doc doc_id seg_id rater source target category severity"

# Labels of mqm_ted_ende.tsv, and the scores of mqm_ted_ende.avg_seg_scores.tsv: both are from
# github.com/google/wmt-mqm-human-evaluation, commit b957b786cedcd737cd1961c18d4ec32296a174da.
PUBLISHED = [
    (1, "Facebook-AI", "rater1", "Terminology/Inappropriate for context", "Minor"),
    (1, "HuaweiTSC", "rater3", "Fluency/Register", "Major"),
    (2, "Facebook-AI", "rater1", "No-error", "No-error"),
    (2, "HuaweiTSC", "rater3", "No-error", "No-error"),
    (3, "Facebook-AI", "rater1", "No-error", "No-error"),
    (3, "HuaweiTSC", "rater3", "No-error", "No-error"),
    (4, "Facebook-AI", "rater1", "No-error", "No-error"),
    (4, "HuaweiTSC", "rater3", "No-error", "No-error"),
    (5, "Facebook-AI", "rater1", "Style/Awkward", "Minor"),
    (5, "Facebook-AI", "rater1", "Terminology/Inappropriate for context", "Minor"),
    (5, "HuaweiTSC", "rater3", "No-error", "No-error"),
]
PUBLISHED_SCORES = {"Facebook-AI": [-1, 0, 0, 0, -2], "HuaweiTSC": [-5, 0, 0, 0, 0]}

# Labels of mqm_ted_zhen.tsv with errors of the source, and their averages in
# mqm_ted_zhen.avg_seg_scores.tsv, at the same commit. All 15,341 averages of both files of talks
# that have labels were compared so: 38 of them contain errors of the source.
WITH_SOURCE_ERRORS = {
    (96, "Borderline"): (-1.0, [("Source error", "Minor")]),
    (394, "DIDI-NLP"): (-5.0, [("Source error", "Major")]),
    (409, "NiuTrans"): (
        -15.0,
        [("Source error", "Major"), *2 * [("Accuracy/Mistranslation", "Major")]],
    ),
    (418, "metricsystem5"): (
        -5.2,
        [("Source error", "Major"), *2 * [("Fluency/Punctuation", "Minor")]],
    ),
    (570, "IIE-MT"): (-5.1, [("Source error", "Major"), ("Fluency/Punctuation", "Minor")]),
}


def table(rows: list[tuple[int, str, str, str, str]], header: str = HEADER) -> str:
    lines = [
        (system, "talk", segment, segment, rater, 'a "b', "<v>c</v>", category, severity)
        for segment, system, rater, category, severity in rows
    ]
    return "".join("\t".join(map(str, line)) + "\n" for line in [header.split(), *lines])


def read(
    path: Path, text: str, columns: dict[str, str] | None = None, first: int | None = None
) -> AnnotatedScores:
    path.write_text(text, encoding="utf-8")
    found = read_human_table(Source(str(path)), TableLayout(columns or {}, first))
    assert isinstance(found, AnnotatedScores)
    return found


def test_published_scores(tmp_path: Path) -> None:
    found = read(tmp_path / "a.tsv", table(PUBLISHED))
    assert set(found.raters) == {"rater1", "rater3"}
    assert found.names == list(PUBLISHED_SCORES)
    scores = found.scores_by_rater(found.names, 5).means()
    assert scores.values.tolist() == list(PUBLISHED_SCORES.values())


@pytest.mark.parametrize("place", WITH_SOURCE_ERRORS)
def test_published_scores_count_errors_of_the_source(place: tuple[int, str]) -> None:
    published, errors = WITH_SOURCE_ERRORS[place]
    assert mqm_scores([(*place, "r", *error) for error in errors]) == [(*place, published)]


# Table 4 of the paper, and what the published averages count.
WEIGHTS = [
    ("Non-translation!", "Major", 25),
    ("Non-translation", "Major", 25),
    ("Accuracy/Mistranslation", "Major", 5),
    ("Fluency/Punctuation", "Major", 5),
    ("A category of 2040", "Major", 5),
    ("Fluency/Punctuation", "Minor", 0.1),
    ("fluency/punctuation", "minor", 0.1),
    ("Fluency/Grammar", "Minor", 1),
    ("Non-translation!", "Minor", 1),
    ("Style", "Neutral", 0),
    ("Fluency/Punctuation", "Neutral", 0),
    ("no-error", "no-error", 0),
    ("Found", "HOTW-test", 0),
    ("Fluency/Punctuation/Spacing", "Minor", 0.1),
    ("Source error", "Major", 5),
    ("Source issue", "Minor", 1),
]


@pytest.mark.parametrize(("category", "severity", "weight"), WEIGHTS)
def test_weights(category: str, severity: str, weight: float) -> None:
    assert mqm_scores([(0, "north", "r", category, severity)]) == [(0, "north", -weight)]


def test_a_perfect_segment_has_no_minus() -> None:
    assert str(mqm_scores([(0, "north", "r", "No-error", "No-error")])[0][2]) == "0.0"


def defined(rows: list[tuple[int, str, str, str, str]]) -> dict[tuple[int, str], Fraction]:
    """Return the scores by definition, in exact arithmetic."""
    exact = {(c, s): Fraction(str(weight)) for c, s, weight in WEIGHTS}
    found = {}
    for place in {row[:2] for row in rows}:
        mine = [row for row in rows if row[:2] == place]
        raters = {row[2] for row in mine}
        total = sum((exact[row[3], row[4]] for row in mine), Fraction())
        found[place] = -total / len(raters)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_several_raters_and_errors(seed: int) -> None:
    draw = random.Random(seed)
    rows = [
        (draw.randrange(6), draw.choice("ab"), draw.choice("xyz"), *draw.choice(WEIGHTS)[:2])
        for _ in range(100)
    ]
    expected = defined(rows)
    scores = mqm_scores(rows)
    assert len(scores) == len(expected)
    for segment, system, score in scores:
        assert score == pytest.approx(float(expected[segment, system]), rel=1e-15, abs=1e-15)
    # The order of the rows changes no bit of a score.
    draw.shuffle(rows)
    assert sorted(mqm_scores(rows)) == sorted(scores)


def test_segments_start_at_1_unless_another_number_is_named(tmp_path: Path) -> None:
    rows = [(1, "north", "r", "Style", "Minor"), (3, "south", "r", "Style", "Major")]
    assert read(tmp_path / "a.tsv", table(rows)).segments == [0, 2]
    assert read(tmp_path / "a.tsv", table(rows), first=1).segments == [0, 2]
    assert read(tmp_path / "a.tsv", table(rows), first=0).segments == [1, 3]
    text = table(rows, HEADER.replace("seg_id", "globalSegId"))
    assert read(tmp_path / "a.tsv", text, {"segment": "globalSegId"}).segments == [0, 2]


def test_a_table_with_scores_stays_a_table_of_scores(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    names = "segment system rater category severity score"
    path.write_text("\t".join(names.split()) + "\n0\tnorth\tr\tStyle\tMinor\t7\n")
    found = read_human_table(Source(str(path)), TableLayout())
    assert isinstance(found, ScoreTable)
    assert (found.segments, found.scores) == ([0], [7.0])
    found = read_human_table(Source(str(path), "segment"), TableLayout())
    assert not isinstance(found, AnnotatedScores)


GOOD = (1, "north", "r", "Style", "Minor")
MISUSES = {
    "an unknown severity": (
        table([GOOD, (2, "north", "r", "Style", "Severe")]),
        "a.tsv:3: severity is 'Severe'; expected Major, Minor, Neutral, No-error or HOTW-test: "
        "correct it, or add its weight with --mqm-weights",
    ),
    "no severity": (table([(1, "north", "r", "Style", "")]), "a.tsv:2: severity is ''"),
    "no rater": (table([(1, "north", "", "Style", "Minor")]), "a.tsv:2: rater is ''"),
    "segment 0": (table([(0, "north", "r", "Style", "Minor")]), "a.tsv:2: seg_id is 0, but"),
    "no column of severities": (
        table([GOOD], HEADER.replace("severity", "sevrity")),
        "a.tsv:1 has no column severity (did you mean sevrity?)",
    ),
    "no column of raters": (
        table([GOOD], HEADER.replace("rater", "who")),
        "expected MQM annotations with the columns system, seg_id, rater, category, severity",
    ),
    "no column of systems": (table([GOOD], HEADER.replace("system", "mt")), "no column system"),
    "no column of segments": (table([GOOD], HEADER.replace("seg_id", "id")), "no column segment"),
    "numbers of each document": (
        table([GOOD, GOOD]).replace("talk", "other", 1),
        "a.tsv:3: seg_id is a segment of document talk, but in row 2 of other",
    ),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_an_error_names_the_place(tmp_path: Path, misuse: str) -> None:
    text, sentence = MISUSES[misuse]
    with pytest.raises(InputError) as raised:
        read(tmp_path / "a.tsv", text)
    assert sentence in str(raised.value)


def test_an_unknown_severity_in_python() -> None:
    with pytest.raises(InputError, match="row 2: severity is 'bad'; expected Major"):
        mqm_scores([GOOD, (0, "north", "r", "Style", "bad")])


def test_rows_that_are_not_annotations() -> None:
    with pytest.raises(InputError, match="there are no rows"):
        mqm_scores([])
    short: Any = GOOD[:4]
    with pytest.raises(InputError, match="row 2 must hold segment, system, rater, category"):
        mqm_scores(iter([GOOD, short]))


def test_a_segment_beyond_the_texts_names_its_first_annotation(tmp_path: Path) -> None:
    later = (9, "north", "r", "Style", "Minor")
    found = read(tmp_path / "a.tsv", table([GOOD, GOOD, later, later]))
    with pytest.raises(InputError, match=r"a\.tsv:4 has a segment beyond the last of 8"):
        found.scores_by_rater(["north"], 8)


def test_scores_of_a_meta_evaluation(tmp_path: Path) -> None:
    human, metric = tmp_path / "a.tsv", tmp_path / "m.tsv"
    human.write_text(table(PUBLISHED), encoding="utf-8")
    lines = [f"{i}\t{name}\t{i}\n" for name in PUBLISHED_SCORES for i in range(5)]
    metric.write_text("segment\tsystem\tscore\n" + "".join(lines), encoding="utf-8")
    files = EvaluationFiles(Source(str(human)), scores={"m": [Source(str(metric))]})
    data = files.read()
    expected = ScoreMatrix(tuple(PUBLISHED_SCORES), np.array(list(PUBLISHED_SCORES.values())))
    assert data.human.scores == expected
    assert data.notes == (
        "2 systems, 5 segments, 10 human scores from MQM annotations of 2 raters",
    )


class TestOtherWeights:
    ROWS = (
        (1, "north", "r", "Source error", "Major"),
        (1, "north", "r", "Fluency/Punctuation", "Minor"),
        (1, "south", "r", "Accuracy/Omission", "Critical"),
        (1, "south", "r", "Fluency/Grammar", "Minor"),
    )
    TABLE = "severity\tcategory\tweight\n\tSource error\t0\nCritical\t\t25\nminor\tFluency\t2\n"

    def test_weights_of_a_table(self, tmp_path: Path) -> None:
        path = tmp_path / "weights.tsv"
        path.write_text(self.TABLE)
        weights = MqmWeights.read(Source(str(path)))
        # The longest category counts: that of a default weight, too.
        assert mqm_scores(self.ROWS, weights) == [(1, "north", -0.1), (1, "south", -27.0)]
        other = {("", "source error"): 0, ("critical", ""): 25, ("Minor", "fluency"): 2}
        assert mqm_scores(self.ROWS, MqmWeights(other)) == mqm_scores(self.ROWS, weights)
        assert weights.severities[0] == "Critical"

    def test_the_severity_decides_between_equally_long_categories(self) -> None:
        weights = MqmWeights({("", "Style"): 3, ("Major", "Style"): 7})
        assert [weights.of("Style/Awkward", one) for one in ("Minor", "Major")] == [3, 7]

    def test_a_critical_error_has_no_default_weight(self) -> None:
        with pytest.raises(InputError, match="row 3: severity is 'Critical'; expected Major,"):
            mqm_scores(self.ROWS)

    def test_a_note_counts_errors_of_the_source(self, tmp_path: Path) -> None:
        human, weights = tmp_path / "a.tsv", tmp_path / "w.tsv"
        human.write_text(table([*self.ROWS[:2], (1, "south", "r", "Style", "Minor")]))
        weights.write_text(self.TABLE)
        (note,) = EvaluationFiles(Source(str(human))).read().notes
        assert "; errors of the source (1) count by their severity" in note
        (note,) = EvaluationFiles(Source(str(human)), mqm_weights=Source(str(weights))).read().notes
        assert "source" not in note

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("severity\tcategory\tweight\nMajor\t\t-5\n", "w.tsv:2: weight is -5; expected a num"),
            ("severity\tcategory\tweight\nMajor\t\t\n", "w.tsv:2: weight is nan; expected a num"),
            ("severity\tcategory\tweight\nMajor\t\t5\nmajor\t\t6\n", "w.tsv:3 repeats the sev"),
            ("severity\tweight\nMajor\t5\n", "w.tsv has no column category"),
            ("severity\tcategory\nMajor\t5\n", "w.tsv has no column weight"),
        ],
    )
    def test_a_table_that_is_wrong(self, tmp_path: Path, text: str, sentence: str) -> None:
        path = tmp_path / "w.tsv"
        path.write_text(text)
        with pytest.raises(InputError, match=re.escape(sentence)):
            MqmWeights.read(Source(str(path)))

    @pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), True, "5"])
    def test_a_weight_that_is_wrong(self, weight: Any) -> None:
        with pytest.raises(InputError, match=r"must be a number( of 0 or more)?, not"):
            MqmWeights({("Major", ""): weight})

    def test_weights_need_annotations(self, tmp_path: Path) -> None:
        human, weights = tmp_path / "a.tsv", tmp_path / "w.tsv"
        human.write_text("segment\tsystem\tscore\n0\ta\t1\n0\tb\t2\n")
        weights.write_text(self.TABLE)
        files = EvaluationFiles(Source(str(human)), mqm_weights=Source(str(weights)))
        with pytest.raises(OptionError, match="--mqm-weights needs MQM annotations, which"):
            files.read()


def test_scores_of_annotations_are_never_negated(tmp_path: Path) -> None:
    human = tmp_path / "a.tsv"
    human.write_text(table(PUBLISHED), encoding="utf-8")
    metric = tmp_path / "m.tsv"
    metric.write_text("system\tscore\nFacebook-AI\t1\nHuaweiTSC\t2\n", encoding="utf-8")
    files = EvaluationFiles(
        Source(str(human)), scores={"m": [Source(str(metric))]}, lower_is_better=["human"]
    )
    with pytest.raises(OptionError, match="not MQM annotations"):
        files.read()
