"""No argument of a public function is ignored: what holds for the arguments of all functions.

`every_argument.py` says which functions are public, and what a case is.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

import bleuet
from bleuet import BLEU, CHRF, SelfBLEU
from bleuet.frozen import Value
from tests.contract import test_every_argument_of_files as files
from tests.contract import test_every_argument_of_scores as scores
from tests.contract import test_every_argument_of_studies as studies
from tests.contract.every_argument import (
    RESULTS,
    call,
    differ,
    public_arguments,
    public_functions,
    public_things,
    threads_used,
)
from tests.contract.test_every_argument_of_files import folder as folder
from tests.contract.test_every_argument_of_files import in_a_folder as in_a_folder
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from tests.contract.every_argument import Calls

CALLS: Calls = {**scores.CALLS, **studies.CALLS, **files.CALLS}
CASES = [*scores.CASES, *studies.CASES, *files.CASES]
# Arguments that a test below or another file holds.
OF_FILES, OF_STUDIES = (
    f"tests/contract/test_every_argument_of_{one}.py" for one in ("files", "studies")
)
ELSEWHERE = {
    "AgreementSettings.all_segments": "tests/cli/test_every_option.py",
    "AgreementSettings.correction": "tests/cli/test_every_option.py",
    "AgreementSettings.held_out_epsilon": "tests/cli/test_every_option.py",
    "AgreementSettings.margin": "tests/cli/test_every_option.py",
    "AgreementSettings.rank_systems": "tests/cli/test_every_option.py",
    "AgreementSettings.rater_scale": "tests/cli/test_every_option.py",
    "AgreementSettings.resample": "tests/cli/test_every_option.py",
    "AgreementSettings.test": "tests/cli/test_every_option.py",
    "AgreementSettings.trials": "tests/cli/test_every_option.py",
    "AgreementSettings.undefined_as_zero": "tests/cli/test_every_option.py",
    "Answer.to_dataframe.library": "tests/significance/test_paired_results.py",
    "Answer.to_dataframe.part": "tests/significance/test_paired_results.py",
    "Decisions.decided.duplicates": "tests/minimum_bayes_risk/test_decoding.py",
    "Evaluation.from_saved.allow_mismatch": OF_FILES,
    "METEOR.sentence_score.hypothesis": "tests/oracles/test_meteor.py",
    "METEOR.sentence_score.references": "tests/oracles/test_meteor.py",
    "MeanScore.mean.measure": "its measure is that of MeanOfSegments.mean",
    "MetricScores.counted": OF_STUDIES,
    "MetricScores.lower_is_better": "tests/meta_evaluation/test_human_tables.py",
    "MetricScores.sentinel": "tests/meta_evaluation/test_sentinels.py",
    "Parallel.count_lines": "it says how lines are counted, and changes no text",
    "Reward.check.references": "tests/rewards/test_reward.py",
    "ScoreMatrix.from_rows.average_repeated": OF_STUDIES,
    "Scores.to_dataframe.library": "tests/evaluation/test_scoring.py",
    "Scores.to_dataframe.part": "tests/evaluation/test_scoring.py",
    "Scores.to_parquet.path": "tests/evaluation/test_scoring.py",
    "SegmentMean.signature.n_references": "external scores have no references",
    "ShardSettings.address": "tests/shards",
    "ShardSettings.by": "tests/shards",
    "ShardSettings.engine": "tests/shards",
    "ShardSettings.key": "tests/shards",
    "ShardSettings.results": "tests/shards",
    "ShardSettings.segment_scores": "tests/shards",
    "ShardSettings.workers": "tests/shards",
    "Source.as_lines": OF_FILES,
    "Source.bom": "tests/text/test_lines.py",
    "Source.max_segment_bytes": OF_FILES,
    "Source.read.several": "tests/text/test_source.py",
    "Source.row_groups": "tests/shards/test_definition.py",
    "Table.rows": "the number of rows, which must be that of the columns",
    "Value.replace.changes": "below",
    "load_tables.path": OF_FILES,
    "read_history.max_segment_bytes": OF_FILES,
    "read_sentences.name": "the name in messages: tests/text/test_m2.py",
    "save_tables.path": OF_FILES,
    "save_tables.references": OF_FILES,
    "save_tables.tables": OF_FILES,
    "score_shards.hypotheses": "tests/shards",
    "score_shards.intervals": "tests/shards",
    "score_shards.metrics": "tests/shards",
    "score_shards.references": "tests/shards",
    "score_shards.settings": "tests/shards",
    "score_shards.sources": "tests/shards",
    "score_shards.progress": "tests/shards",
}
# Arguments for which another value is an error: texts where sums are expected.
REFUSED = {
    "BLEU.score.references", "Metric.score.references", "SelfBLEU.score.totals",
    "SelfBLEU.score.references", "CrystalBLEU.table_of_others._", "CrystalBLEU.table_of_others.__",
}  # fmt: skip
# Functions that are called with what is done so far.
REPORTING = ("progress", "report")
COUNTING = sorted(name for name in CALLS if f"{name}.threads" in public_arguments())


def test_every_argument_has_a_case() -> None:
    held = {one.name for one in CASES} | REFUSED | ELSEWHERE.keys()
    left = [
        name
        for name in public_arguments()
        if name not in held and name.rpartition(".")[2] not in ("threads", *REPORTING)
    ]
    assert left == []


def test_every_case_is_of_an_argument_that_is_there() -> None:
    known = set(public_arguments())
    assert [one.name for one in CASES if one.name not in known] == []
    assert [name for name in (*ELSEWHERE, *REFUSED) if name not in known] == []
    named = {word for text in ELSEWHERE.values() for word in text.split() if "/" in word}
    assert [name for name in named if not (REPOSITORY / name).exists()] == []
    without = [f"{name}.threads" for name in CALLS] + ["score_shards"]
    threaded = [one for one in public_arguments() if one.endswith(".threads")]
    assert set(threaded) <= set(without)


@pytest.mark.parametrize("name", COUNTING)
def test_threads_reach_all_that_counts_and_change_nothing(name: str) -> None:
    function, arguments = CALLS[name]()
    usual = call(function, arguments)
    function, arguments = CALLS[name]()
    with threads_used() as used:
        result = call(function, {**arguments, "threads": 3})
    assert used == {3}
    assert not differ(usual, result)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_default_that_is_written_out_changes_nothing(name: str) -> None:
    declared = inspect.signature(public_functions()[name]).parameters
    function, arguments = CALLS[name]()
    taken = inspect.signature(function).parameters
    named = any(one.kind is one.VAR_KEYWORD for one in taken.values())
    defaults = {
        key: one.default
        for key, one in declared.items()
        if one.default is not one.empty and key not in arguments and (named or key in taken)
    }
    if defaults:
        usual = call(*CALLS[name]())
        assert not differ(usual, call(function, {**arguments, **defaults}))


@pytest.mark.parametrize(
    "name", [one for one in public_arguments() if one.endswith(REPORTING) and "shards" not in one]
)
def test_what_is_done_is_reported_and_changes_nothing(name: str) -> None:
    function, argument = name.rpartition(".")[::2]
    seen: list[Any] = []
    usual = call(*CALLS[function]())
    made, arguments = CALLS[function]()
    result = call(made, {**arguments, argument: lambda *done: seen.append(done)})
    assert seen == sorted(seen)
    assert seen[-1][0] == (seen[-1][1] if argument == "progress" else 1.0)
    assert not differ(usual, result)


def test_texts_where_sums_are_expected_are_refused() -> None:
    totals = BLEU().count(["a b"], ["a c"]).totals()
    for metric in (BLEU(), CHRF()):
        with pytest.raises(bleuet.InputTypeError):
            metric.score(metric.count(["a b"], ["a c"]).totals(), ["a c"])  # type: ignore[arg-type]
    with pytest.raises(bleuet.BleuetError):
        SelfBLEU().score(totals)
    with pytest.raises(bleuet.BleuetError):
        bleuet.CrystalBLEU().table_of_others(["a", "b"])


def test_a_value_made_by_functions_has_each_field_it_is_made_of() -> None:
    kinds = [
        kind
        for name, kind in public_things().items()
        if name in RESULTS and issubclass(kind, Value) and kind._complete is Value._complete
    ]
    assert len(kinds) > 20
    for kind in kinds:
        if kind._checked or kind.__init__ is not Value.__init__:
            continue
        fields = {name: object() for name in inspect.signature(kind).parameters}
        made, others = kind(**fields), {name: object() for name in fields}
        assert made.as_dict() == fields
        assert [made.replace(**{name: one}).as_dict() for name, one in others.items()] == [
            {**fields, name: one} for name, one in others.items()
        ]
