"""Rank clusters: lines where all systems above are significantly better than all below."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.comparison import compare
from bleuet.comparison.clusters import RankedSystem, rank_clusters
from bleuet.errors import InputError, OptionError
from bleuet.metrics.bleu.metric import BLEU
from bleuet.significance import PairedComparison, PairedResults, TestSettings
from bleuet.significance.paired import paired_bootstrap

if TYPE_CHECKING:
    from collections.abc import Sequence


def systems_in_clusters(ranked: Sequence[RankedSystem]) -> tuple[tuple[str, ...], ...]:
    """The names of the systems of each cluster, the best first."""
    numbers = sorted({one.cluster for one in ranked})
    return tuple(tuple(one.system for one in ranked if one.cluster == number) for number in numbers)


P_VALUES = st.sampled_from([0.001, 0.049, 0.05, 0.2, 1.0])


@given(st.integers(1, 6), st.booleans(), st.data())
def test_lines_are_where_all_pairs_across_are_significant(
    count: int, higher: bool, data: st.DataObject
) -> None:
    names = [f"s{number}" for number in range(count)]
    scores = {name: float(data.draw(st.integers(0, 9))) for name in names}
    p_values = {pair: data.draw(P_VALUES) for pair in combinations(names, 2)}

    def beats(one: str, other: str) -> bool:
        better = scores[one] > scores[other] if higher else scores[one] < scores[other]
        return better and (p_values.get((one, other)) or p_values.get((other, one)) or 1) < 0.05

    ranked = rank_clusters(scores, p_values, higher_is_better=higher)
    order = [one.system for one in ranked]
    assert sorted(order) == names
    ordered = [scores[name] for name in order]
    assert ordered == sorted(ordered, reverse=higher)
    for place, (above, below) in enumerate(pairwise(ranked), 1):
        line = all(beats(one, other) for one in order[:place] for other in order[place:])
        assert below.cluster - above.cluster == line
    for one in ranked:
        assert one.best == 1 + sum(beats(other, one.system) for other in names)
        assert one.worst == count - sum(beats(one.system, other) for other in names)
    groups = systems_in_clusters(ranked)
    assert [name for group in groups for name in group] == order
    assert len(groups) == ranked[-1].cluster


def test_a_comparison_takes_p_values() -> None:
    systems = {"a": ["the cat sat"], "b": ["the cat lay"], "c": ["dogs"]}
    found = compare(systems, ["the cat sat"], ["chrf", "ter"], by=[])
    assert found.clusters == ()
    p_values = {("a", "b"): 0.3, ("c", "a"): 0.01, ("b", "c"): 0.02}
    clustered = found.with_clusters({"TER": p_values})
    (ranking,) = clustered.clusters
    assert (ranking.metric, ranking.alpha, ranking.test) == ("TER", 0.05, None)
    assert [(one.system, one.cluster, one.best, one.worst) for one in ranking.systems] == [
        ("a", 1, 1, 2),
        ("b", 1, 1, 2),
        ("c", 2, 3, 3),
    ]
    assert clustered.to_dict()["clusters"][0]["systems"][2] == {
        "system": "c",
        "score": 100.0,
        "cluster": 2,
        "ranks": [3, 3],
    }
    (table,) = clustered.tables("clusters")
    assert list(table.rows) == [
        ["a", 0.0, 1, "1-2"],
        ["b", pytest.approx(100 / 3), 1, "1-2"],
        ["c", 100.0, 2, "3"],
    ]
    assert [column.title for column in table.columns] == ["system", "TER", "cluster", "ranks"]


def test_clusters_have_the_digits_of_their_metric() -> None:
    """CIDEr has two digits more than a score in percent."""
    found = compare({"a": ["a b"], "b": ["a c"]}, ["a b"], ["ter", "cider"], by=[])
    for metric, digits in (("TER", 0), ("CIDEr", 2)):
        (table,) = found.with_clusters({metric: {("a", "b"): 0.5}}).tables("clusters")
        assert [column.extra_digits for column in table.columns] == [0, digits, 0, 0]


def results(test: str | None, correction: str | None, *pairs: PairedComparison) -> PairedResults:
    metrics = tuple(dict.fromkeys(pair.metric for pair in pairs))
    settings = TestSettings(test=test, correction=correction)
    return PairedResults(settings, ("a", "b"), metrics, (), pairs, {})


def test_a_comparison_takes_what_a_paired_test_found() -> None:
    metrics = [BLEU(), BLEU(lowercase=True)]
    systems = {"a": ["the cat sat down"], "b": ["The Cat sat down"]}
    found = compare(systems, ["the cat sat down"], metrics, by=[])
    first = PairedComparison("a", "b", "first", -9.0, "a", 0.01)
    second = PairedComparison("a", "b", "second", 0.0, None, 0.9)
    third = PairedComparison("a", "b", "h", -0.1, "a", 0.1)
    clustered = found.with_significance(results("bootstrap", None, first, second, third))
    found_clusters = [
        (ranking.metric, ranking.test, [one.cluster for one in ranking.systems])
        for ranking in clustered.clusters
    ]
    assert found_clusters == [
        ("BLEU (1)", "two-sided paired bootstrap", [1, 2]),
        ("BLEU (2)", "two-sided paired bootstrap", [1, 1]),
    ]
    titles = [table.columns[1].title for table in clustered.tables("clusters")]
    assert titles == ["BLEU (1)", "BLEU (2)"]
    with pytest.raises(InputError, match="no p-value"):
        found.with_significance(results("bootstrap", "holm", first, second.replace(system="c")))
    with pytest.raises(InputError, match="test all of them"):
        found.with_significance(results("bootstrap", "holm", first))


@pytest.mark.parametrize(
    ("corrected", "alpha", "clusters"),
    [(None, 0.05, [1, 2]), (0.04, 0.05, [1, 2]), (0.06, 0.05, [1, 1]), (0.06, 0.1, [1, 2])],
)
def test_clusters_have_the_corrected_p_values_and_the_alpha_of_the_test(
    corrected: float | None, alpha: float, clusters: list[int]
) -> None:
    found = compare({"a": ["the cat sat"], "b": ["dogs"]}, ["the cat sat"], ["chrf"], by=[])
    pair = PairedComparison("a", "b", "chrF2", -9.0, "a", 0.01, corrected_p_value=corrected)
    tested = results("bootstrap", "holm", pair)
    tested = tested.replace(settings=tested.settings.replace(alpha=alpha))
    (ranking,) = found.with_significance(tested).clusters
    assert ranking.alpha == alpha
    assert [one.cluster for one in ranking.systems] == clusters


def test_a_test_of_significance_ranks_a_comparison() -> None:
    references = [f"the cat sat on mat {number} today" for number in range(40)]
    systems = {
        "same": references,
        "alike": ["a", *references[1:]],
        "worse": [text.replace("cat", "dog") for text in references],
    }
    found = compare(systems, references, ["bleu", "ter"], by=[])
    results = paired_bootstrap(
        found.evaluation, TestSettings(test="bootstrap", all_pairs=True)
    ).corrected("holm")
    rankings = found.with_significance(results).clusters
    assert len(rankings) == 2
    for ranking in rankings:
        assert ranking.test == "two-sided paired bootstrap, holm"
        assert systems_in_clusters(ranking.systems) == (("same", "alike"), ("worse",))


def test_p_values_that_are_invalid_are_rejected() -> None:
    scores = {"a": 1.0, "b": 2.0}
    with pytest.raises(InputError, match="no p-value for b and a"):
        rank_clusters(scores, {})
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(InputError, match="a number from 0 to 1"):
            rank_clusters(scores, {("a", "b"): wrong})
    with pytest.raises(OptionError, match="alpha"):
        rank_clusters(scores, {("a", "b"): 0.1}, alpha=5)
    found = compare({"a": ["x"], "b": ["y"]}, ["x"], ["chrf"], by=[])
    with pytest.raises(OptionError, match="p-values for chrF; the metrics are chrF2"):
        found.with_clusters({"chrF": {("a", "b"): 0.1}})
