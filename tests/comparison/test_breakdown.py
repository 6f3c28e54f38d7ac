"""Scores by bucket equal those of the bucket's texts, scored from the beginning."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.comparison import compare
from bleuet.comparison.cutoffs import Cutoffs
from bleuet.comparison.division import DIVISIONS, Division, find_division
from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from bleuet.metrics.mean_bleu import MeanBLEU
from bleuet.metrics.ter.metric import TER
from bleuet.text.tokenizers.mteval13a import tokenize
from tests.corpora.several_systems import Drawn, chosen, drawn_systems
from tests.effort import examples

if TYPE_CHECKING:
    from bleuet.comparison.breakdown import Breakdown

# Every cutoff that a small test set can tell apart.
CUTOFFS = ["length=1,3,6", "hypothesis-length=1,3,6", "length-difference=-2,0,1,2"]
OTHERS = ["frequency=1,2,4", "score=10,50,90"]


@cache
def metrics() -> tuple[Metric[Any], ...]:
    return (
        BLEU(),
        BLEU(reference_length="average", smooth="add-k"),
        CHRF(word_order=2),
        TER(),
        MeanBLEU(),
    )


def words(text: str) -> list[str]:
    return tokenize(text.rstrip()).split()


def place(number: float, cutoffs: list[float]) -> int:
    """How many of the cutoffs a number has reached."""
    return sum(number >= cutoff for cutoff in cutoffs)


def expected_numbers(name: str, test_set: Drawn, system: str) -> list[float]:
    """What each division goes by, from the texts."""
    firsts = [words(test_set.texts_of(row)[0]) for row in range(len(test_set.references))]
    own = test_set.systems[system]
    if name == "length":
        return [len(first) for first in firsts]
    if name == "hypothesis-length":
        return [len(words(text)) for text in own]
    if name == "frequency":
        every = [w for row in range(len(firsts)) for t in test_set.texts_of(row) for w in words(t)]
        return [min((every.count(word) for word in first), default=0) for first in firsts]
    if name == "score":
        metric = BLEU(effective_order=True)
        return [
            metric.sentence_score(text, test_set.references[row]).score
            for row, text in enumerate(own)
        ]
    differences = []
    for row, text in enumerate(own):
        length = len(words(text))
        lengths = sorted(len(words(reference)) for reference in test_set.texts_of(row))
        closest = min(lengths, key=lambda other: abs(other - length))
        differences.append(float(length - closest))
    return differences


def check_scores(breakdown: Breakdown, test_set: Drawn) -> None:
    """Every score is that of the bucket's texts; every segment is in one bucket."""
    everything = set(range(len(test_set.references)))
    for (_, texts), buckets in zip(test_set.systems.items(), breakdown.systems, strict=True):
        rows = [row for scored in buckets for row in scored.bucket.rows]
        assert sorted(rows) == sorted(everything)
        for scored in buckets:
            assert scored.bucket.count == len(scored.bucket.rows)
            if not scored.bucket.rows:
                assert scored.scores == (None,) * len(metrics())
                continue
            part = chosen(texts, scored.bucket.rows)
            references = chosen(test_set.references, scored.bucket.rows)
            for metric, score in zip(metrics(), scored.scores, strict=True):
                anew = metric.corpus_score(part, references)
                assert score is not None
                assert (score.values, score.score) == (anew.values, anew.score)


@examples(40)
@given(drawn_systems())
def test_buckets_are_scored_as_their_texts_are(test_set: Drawn) -> None:
    found = compare(test_set.systems, test_set.references, metrics(), by=[*CUTOFFS, *OTHERS])
    assert [breakdown.name for breakdown in found.breakdowns] == list(DIVISIONS)
    for breakdown, text in zip(found.breakdowns, [*CUTOFFS, *OTHERS], strict=True):
        check_scores(breakdown, test_set)
        cutoffs = [float(number) for number in text.partition("=")[2].split(",")]
        labels = find_division(text).cutoffs.labels
        for name, buckets in zip(test_set.systems, breakdown.systems, strict=True):
            numbers = expected_numbers(breakdown.name, test_set, name)
            for scored in buckets:
                expected = tuple(
                    row
                    for row, number in enumerate(numbers)
                    if labels[place(number, cutoffs)] == scored.bucket.label
                )
                assert scored.bucket.rows == expected


@examples(40)
@given(drawn_systems(), st.data())
def test_labels_divide_segments(test_set: Drawn, data: st.DataObject) -> None:
    count = len(test_set.references)
    labels = data.draw(st.lists(st.sampled_from("xyz"), min_size=count, max_size=count))
    found = compare(
        test_set.systems, test_set.references, metrics(), by=[], labels={"domain": labels}
    )
    breakdown = found.breakdown("domain")
    check_scores(breakdown, test_set)
    assert list(breakdown.labels) == list(dict.fromkeys(labels))
    for buckets in breakdown.systems:
        for scored in buckets:
            assert chosen(labels, scored.bucket.rows) == [scored.bucket.label] * scored.bucket.count


@examples(40)
@given(drawn_systems())
@pytest.mark.slow
def test_the_rows_of_all_buckets_add_up_to_the_whole(test_set: Drawn) -> None:
    found = compare(test_set.systems, test_set.references, metrics(), by=list(DIVISIONS))
    for breakdown in found.breakdowns:
        for system, buckets in enumerate(breakdown.systems):
            for number, metric in enumerate(metrics()):
                table = found.evaluation.tables[found.systems[system]][number]
                parts = [table.select(scored.bucket.rows).totals() for scored in buckets]
                whole = [sum(values) for values in zip(*(p.values for p in parts), strict=True)]
                assert whole == pytest.approx(table.totals().values, rel=1e-12)
                assert metric.score(table.totals()) == found.scores[system][number]


def test_a_number_at_a_cutoff_belongs_above_it() -> None:
    cutoffs = Cutoffs((0.5, 2.0), whole=False)
    assert cutoffs.groups([0.49, 0.5, 1.99, 2.0]) == (
        ("<0.5", (0,)),
        ("[0.5, 2)", (1, 2)),
        (">=2", (3,)),
    )
    assert Cutoffs((-2, -1, 3)).labels == ("<-2", "-2", "-1 to 2", ">=3")


@pytest.mark.parametrize("cutoffs", [(), (2, 1), (1, 1), (float("nan"),), (float("inf"),), (1.5,)])
def test_cutoffs_that_are_invalid_are_rejected(cutoffs: tuple[float, ...]) -> None:
    with pytest.raises(OptionError, match="cutoffs"):
        Cutoffs(cutoffs)


def test_divisions_by_name() -> None:
    for name, division in DIVISIONS.items():
        assert find_division(name) is division
        assert (division.name, len(division.title) > 5) == (name, True)
    with pytest.raises(OptionError, match=r"divided by 'lenght' \(did you mean length\?\)"):
        find_division("lenght")
    # Lengths are whole numbers, scores are not, whatever the cutoffs are.
    assert find_division("length=20,40").cutoffs.labels == ("<20", "20 to 39", ">=40")
    assert find_division("score=20,40").cutoffs.labels == ("<20", "[20, 40)", ">=40")
    with pytest.raises(OptionError, match="must be whole"):
        find_division("length=1.5")
    for text in ("length=", "length=a,b", "length=1;2"):
        with pytest.raises(OptionError, match="numbers separated by commas"):
            find_division(text)


def test_a_division_of_ones_own() -> None:
    questions = Division(
        "questions",
        "question marks",
        lambda texts, system: [references[0].count("?") for references in texts.references],
        Cutoffs((1,)),
    )
    found = compare({"a": ["Who?", "He."]}, ["Who?", "She."], by=[questions])
    (first, second) = found.breakdown("questions").systems[0]
    assert (first.bucket.rows, second.bucket.rows) == ((1,), (0,))
    assert second.scores[1] is not None
    assert second.scores[1].score == 100
    with pytest.raises(OptionError, match="divided by questions, not by 'length'"):
        found.breakdown("length")


def test_labels_that_do_not_fit_are_rejected() -> None:
    systems, references = {"a": ["x", "y"]}, ["x", "y"]
    with pytest.raises(InputError, match="labels domain: 1 labels but 2 segments"):
        compare(systems, references, labels={"domain": ["news"]})
    with pytest.raises(InputTypeError, match=r"labels\['domain'\] must be a list of str"):
        compare(systems, references, labels={"domain": "xy"})
    with pytest.raises(InputError, match="divided by length twice"):
        compare(systems, references, by=["length"], labels={"length": ["1", "2"]})


def test_words_are_counted_in_what_is_given() -> None:
    systems, references = {"a": ["the cat"] * 3}, ["the cat", "a Dog", ""]
    (one,) = compare(systems, references, by=["frequency"]).breakdowns
    assert [(b.bucket.label, b.bucket.rows) for b in one.systems[0]] == [
        ("<1", (2,)),
        ("1", (0, 1)),
    ]
    training = (line for line in ["the cat", "the cat, a dog", "cat"])
    (two,) = compare(systems, references, by=["frequency"], frequencies=training).breakdowns
    assert [(b.bucket.label, b.bucket.rows) for b in two.systems[0]] == [
        ("<1", (1, 2)),
        ("2", (0,)),
    ]
    lowered = BLEU(lowercase=True)
    for counts in (["A dog"], {"A": 3, "DOG": 1, "dog": 1}):
        (three,) = compare(
            systems, references, [lowered], by=["frequency"], frequencies=counts
        ).breakdowns
        assert three.systems[0][-1].bucket.rows == (1,)
    with pytest.raises(InputTypeError, match="frequencies must be a dictionary or a list of str"):
        compare(systems, references, frequencies="train.txt")


def test_buckets_list_their_segments_from_1() -> None:
    systems = {"a": ["x", "y z", "x"]}
    found = compare(systems, ["x", "y z", "x"], labels={"kind": ["one", "two", "one"]})
    buckets = found.breakdown("kind").to_dict(("a",))["systems"]["a"]
    assert [bucket["segments"] for bucket in buckets] == [[1, 3], [2]]
