"""Every place that prints a score of a metric prints as many digits as the metric needs."""

from __future__ import annotations

import re
import warnings

from bleuet import compare, explain, lint
from bleuet.gate import Limits, gate_systems
from bleuet.output.document import Document
from bleuet.significance import Evaluation, IntervalSettings, block_scores, bootstrap_interval
from tests.contract.settings import counting, every_metric, with_made_edits, with_made_sources
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B

SCORES = ("score", "difference")


def digits(document: Document) -> set[int]:
    """Return the extra digits of all columns of scores."""
    return {
        column.extra_digits
        for table in document.tables
        for column in table.columns
        if column.kind in SCORES
    }


def printed(text: str) -> set[int]:
    """Return the number of decimals of all numbers in a text."""
    return {len(number) for number in re.findall(r"\d\.(\d+)", text)}


@every_metric
def test_digits(name: str) -> None:
    metric = counting(name)
    extra = metric.extra_digits
    references, one_more = (
        with_made_sources(metric, texts) for texts in (REFERENCE, [*REFERENCE, "It rains."])
    )
    system_a, system_b = (with_made_edits(metric, texts) for texts in (SYSTEM_A, SYSTEM_B))
    table = metric.count(system_a, references)
    texts = {"a": system_a, "b": system_b}
    assert printed(str(metric.score(table.totals())).split(" (")[0].split(" ")[2]) == {2 + extra}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compared = compare(texts, references, [metric])
        assert digits(Document(tables=[compared.document().tables[0]])) == {extra}
        systems = Evaluation.count([metric], texts, references)
        passed = gate_systems(systems, Limits(max_drop=100, fail_on="drop"))
        assert digits(passed.document()) == {extra}
        interval = bootstrap_interval(metric, table, IntervalSettings(draws=20))
    assert printed(str(interval)) == {2 + extra}
    assert printed(str(block_scores(metric, table, blocks=2))) == {2 + extra, 2 + 2 * extra}
    other = metric.with_options(lowercase=True) if "lowercase" in metric._fields else metric
    if other != metric:
        explained = explain(metric, other, system_a, references)
        assert digits(explained.document()) == {extra}
    found = lint([*system_a, *with_made_edits(metric, [""])], one_more, metrics=[metric])
    effects = [effect for one in found.findings for effect in one.effects]
    assert effects
    for effect in effects:
        assert printed(str(effect).removeprefix(metric.name)) == {2 + extra}
