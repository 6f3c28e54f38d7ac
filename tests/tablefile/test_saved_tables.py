"""Saved tables come back bit for bit, and a file that is not whole is refused in a sentence."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as arrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from bleuet import (
    BLEU,
    CHRF,
    SARI,
    TER,
    BleuetError,
    InputError,
    InputTypeError,
    MissingExtraError,
    OptionError,
    SignatureError,
    Table,
    TableError,
    load_tables,
    save_tables,
    with_sources,
)
from bleuet.evaluation.external import SegmentMean
from bleuet.tablefile import reader as saved_module
from bleuet.tablefile.reader import TableReader
from bleuet.tablefile.row_checks import MAX_COUNT
from bleuet.tablefile.saved_files import SavedFile
from bleuet.tablefile.schema import KEY, MAX_BYTES
from bleuet.tablefile.writer import TableWriter
from bleuet.text.fingerprint import fingerprint_of
from tests.contract.settings import every_metric, settings_of, with_texts
from tests.effort import examples
from tests.tablefile.edited_files import description_of, rewrite

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.metrics.base.metric import Metric

pytestmark = pytest.mark.libraries
HYPOTHESES = ["The bridge is closed.", "Ask at the harbour.", "No."]
OTHERS = ["A bridge was closed.", "Ask in the port.", "No!"]
REFERENCES = ["The bridge was closed.", "Ask down at the harbour.", "No."]
BOTH = [[one, other] for one, other in zip(REFERENCES, OTHERS, strict=True)]


def counted(*metrics: Metric) -> list[tuple[str, Metric, Table]]:
    return [
        (name, metric, metric.count(texts, REFERENCES))
        for name, texts in (("mine", HYPOTHESES), ("theirs", OTHERS))
        for metric in metrics
    ]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "tables.parquet")


# --- What was saved comes back --------------------------------------------------------------------


@every_metric
@examples(3)
@given(data=st.data())
def test_a_table_comes_back_bit_for_bit(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.parquet"
    for setting, hypotheses, references in with_texts(settings_of(name), data):
        metric = setting.metric()
        table = metric.count(hypotheses, references)
        save_tables(path, [("a system", metric, table)])
        (back,) = load_tables(path)
        assert tuple(back) == ("a system", metric, table), str(setting)
        assert back.table.blocks() == table.blocks(), str(setting)
        signature = back.metric.signature(back.table.n_references)
        assert signature == metric.signature(table.n_references), str(setting)
        if not setting.options.get("smooth", "").startswith("nltk"):
            assert back.score() == metric.score(table.totals()), str(setting)


def test_several_systems_and_metrics_come_back_in_order(path: str) -> None:
    tables = counted(BLEU(), CHRF(word_order=2), TER(), BLEU(lowercase=True))
    save_tables(path, tables)
    assert load_tables(path) == tables
    assert pickle.loads(pickle.dumps(load_tables(path))) == tables


def test_what_is_known_of_references_stays(path: str, tmp_path: Path) -> None:
    save_tables(path, counted(TER(), BLEU()), references=REFERENCES)
    loaded = load_tables(path)
    (known,) = {one.references for one in loaded}
    assert known == fingerprint_of(REFERENCES)
    for same in (pickle.loads(pickle.dumps(loaded)), [copy.copy(one) for one in loaded]):
        assert {one.references for one in same} == {known}
    assert loaded[1].rescored(smooth="floor").references == known
    assert loaded[1]._replace(system="b").references == known
    again = str(tmp_path / "again.parquet")
    save_tables(again, loaded)
    assert {one.references for one in load_tables(again)} == {known}
    # Of what was not loaded nothing is known, unless it is said.
    save_tables(again, [*loaded, ("other", *loaded[0][1:]), ("other", *loaded[1][1:])])
    assert {one.references for one in load_tables(again)} == {""}


def test_tables_of_other_references_are_not_saved_together(path: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other.parquet")
    save_tables(path, [("one", *counted(TER())[0][1:])], references=REFERENCES)
    save_tables(other, [("two", *counted(TER())[0][1:])], references=REFERENCES[::-1])
    with pytest.raises(TableError, match=r"one and two .*: the second has other references"):
        save_tables(tmp_path / "both.parquet", [*load_tables(path), *load_tables(other)])
    assert not (tmp_path / "both.parquet").exists()


@pytest.mark.parametrize("rows", [1, 32_767, 32_768, 32_769])
def test_tables_of_any_length_come_back(path: str, rows: int) -> None:
    rng = random.Random(rows)
    numbers = [(rng.randrange(MAX_COUNT), rng.random() * 9) for _ in range(rows)]
    table = Table.from_rows(("num_edits",), ("ref_length",), numbers, n_references=None)
    save_tables(path, [("a", TER(), table), ("b", TER(), table)])
    assert [one.table for one in load_tables(path)] == [table, table]


@pytest.mark.parametrize("portion", [1, 3, 7, 64])
def test_rows_of_systems_may_lie_in_any_portions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, portion: int
) -> None:
    """Written in turns and read in portions of another size."""
    monkeypatch.setattr(saved_module, "BATCH_SEGMENTS", portion)
    rows = [(i, i / 2) for i in range(20)]
    path = tmp_path / "turns.parquet"
    with path.open("wb") as out, TableWriter(out, ["a", "b"], [TER()]) as writer:
        for start in range(0, 20, 5):
            for system, many in ((0, 1), (1, 2)):
                part = [(i * many, r) for i, r in rows[start : start + 5]]
                table = Table.from_rows(("num_edits",), ("ref_length",), part)
                writer.write(system, [table])
        writer.finish()
    reader = TableReader(str(path))
    for system, many in ((0, 1), (1, 2)):
        parts = [tables[0] for tables in reader.stream(system, reader.description.metrics)]
        assert {part.rows for part in parts[:-1]} <= {portion}
        whole = Table.concatenate(parts)
        assert list(whole.column("num_edits")) == [i * many for i, _ in rows]


def test_the_file_is_a_plain_table_for_others(path: str) -> None:
    save_tables(path, counted(BLEU(), TER()))
    table = parquet.read_table(path, columns=["system", "segment", "BLEU_sys_len"])
    assert table["system"].to_pylist() == ["mine"] * 3 + ["theirs"] * 3
    assert table["segment"].to_pylist() == [1, 2, 3] * 2
    assert sum(table["BLEU_sys_len"].to_pylist()[:3]) == 12
    description = json.loads(parquet.read_metadata(path).metadata[KEY])
    assert description["format"] == 1
    assert description["systems"] == ["mine", "theirs"]
    assert [m["n_references"] for m in description["metrics"]] == [1, 1]
    assert description["metrics"][0]["signature"] == BLEU().signature().full()


def test_a_fingerprint_tells_references_apart(path: str) -> None:
    prints = set()
    for references in (REFERENCES, BOTH, [*REFERENCES[:2], "No"], None):
        save_tables(path, counted(TER()), references)
        prints.add(SavedFile(path).references)
    assert len(prints) == 4
    assert "" in prints


def test_the_source_is_in_the_fingerprint_if_one_metric_reads_it(path: str) -> None:
    references = with_sources(REFERENCES, OTHERS)
    for metrics, expected in (
        ((TER(), SARI()), fingerprint_of(references)),
        ((SARI(), TER()), fingerprint_of(references)),
        ((TER(), BLEU()), fingerprint_of(REFERENCES)),
    ):
        tables = [("mine", metric, metric.count(HYPOTHESES, references)) for metric in metrics]
        save_tables(path, tables, references)
        assert SavedFile(path).references == expected


# --- Scored in another way ------------------------------------------------------------------------


def test_rescored_tables_are_saved_as_those_of_the_texts(path: str) -> None:
    save_tables(path, counted(BLEU(), CHRF(word_order=2)))
    bleu, chrf = load_tables(path)[:2]
    for back, options in ((bleu, {"max_ngram_order": 2}), (chrf, {"beta": 1})):
        anew = back.rescored(**options)
        save_tables(path, [anew])
        assert load_tables(path)[0].table == anew.metric.count(HYPOTHESES, REFERENCES)


def test_a_table_can_be_scored_without_its_tokenizer(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that of a SentencePiece model, whose file is somewhere else."""
    save_tables(path, counted(BLEU()))
    description = description_of(path)
    signature = description["metrics"][0]["signature"]
    description["metrics"][0]["signature"] = signature.replace(
        "tok:13a", "tok:spm-pieces-0123456789ab"
    )
    rewrite(path, description)
    back = load_tables(path)[0]
    assert str(back.metric.signature()) == (
        "nrefs:1|case:mixed|eff:no|tok:spm-pieces-0123456789ab|smooth:exp|"
        f"version:{str(BLEU(reference_length='shortest').signature()).rpartition(':')[2]}"
    )
    assert back.score().score == BLEU().corpus_score(HYPOTHESES, REFERENCES).score
    assert back.rescored(smooth="floor").metric.smooth == "floor"  # type: ignore[attr-defined]
    with pytest.raises(OptionError, match="known only by its signature"):
        back.metric.corpus_score(HYPOTHESES, REFERENCES)


# --- What cannot be saved -------------------------------------------------------------------------


def test_what_cannot_be_saved_is_refused(path: str, tmp_path: Path) -> None:
    bleu, ter = counted(BLEU())[0], counted(TER())[0]
    short = ("short", TER(), TER().count(HYPOTHESES[:2], REFERENCES[:2]))
    refused: list[tuple[Any, type[Exception], str]] = [
        ([], TableError, "there is no table to save"),
        ([ter, short], TableError, "the same number of segments"),
        ([ter, ("other", *bleu[1:])], TableError, "the same metrics in the same order"),
        (
            [ter, ("same", *ter[1:]), ("third", *bleu[1:])],
            TableError,
            r"mine has TER.* and third has BLEU",
        ),
        ([("mine", ter[2])], InputTypeError, "a tuple of str, Metric and Table, not"),
        ([("", *ter[1:])], InputError, "the name of a system must be text"),
        ([("half \ud800", *ter[1:])], InputError, "the name of a system must be text"),
        ([("x" * 5000, *ter[1:])], InputError, "shorten their names"),
        ([("mine", BLEU(), ter[2])], TableError, "there is no column"),
        ([("mine", TER(), Table(("num_edits",), ("ref_length",), 0, b"", b""))], TableError, "one"),
    ]
    Path(path).write_text("old")
    for tables, kind, says in refused:
        with pytest.raises(kind, match=says):
            save_tables(path, tables)
    assert Path(path).read_text() == "old"
    with pytest.raises(InputError, match="cannot be written"):
        save_tables(tmp_path / "nowhere" / "t.parquet", [ter])
    assert os.listdir(tmp_path) == ["tables.parquet"]


def test_what_could_not_be_read_back_is_not_saved(path: str) -> None:
    mean = SegmentMean("COMET")
    with pytest.raises(TableError, match="a table of COMET cannot be saved"):
        save_tables(path, [("mine", mean, mean.table_of([0.5, 0.6]))])
    document = BLEU().count(HYPOTHESES, REFERENCES).totals()
    names = (BLEU().integer_columns, BLEU().real_columns)
    with pytest.raises(TableError, match="no segment has such counts: totals_2 has the count"):
        save_tables(path, [("mine", BLEU(), Table.from_rows(*names, [document.values]))])
    assert not Path(path).exists()


def test_a_missing_library_says_how_to_install_it(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_tables(path, counted(TER()))
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'bleuet\[parquet\]'"):
        load_tables(path)
    with pytest.raises(MissingExtraError, match=r"pip install 'bleuet\[parquet\]'"):
        save_tables(path, counted(TER()))


# --- What is not believed -------------------------------------------------------------------------


def test_rewriting_alone_changes_nothing(path: str) -> None:
    save_tables(path, counted(TER()))
    rewrite(path, description_of(path))
    assert load_tables(path) == counted(TER())


def changed(**values: Any) -> Callable[[dict[str, Any]], object]:
    return lambda description: {**description, **values}


def in_metric(**values: Any) -> Callable[[dict[str, Any]], object]:
    return lambda d: {**d, "metrics": [{**d["metrics"][0], **values}]}


UNTRUE: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no JSON": (lambda d: b"{", "not JSON"),
    "no UTF-8": (lambda d: b"\xff", "not JSON"),
    "nested without end": (lambda d: b"[" * 100_000, "not JSON"),
    "no object": (lambda d: [d], "not a JSON object"),
    "huge": (lambda d: {**d, "more": "x" * MAX_BYTES}, "bytes long"),
    "no format": (lambda d: {k: v for k, v in d.items() if k != "format"}, "its format is missing"),
    "a format of text": (changed(format="1"), "its format is missing or of another type"),
    "a format of truth": (changed(format=True), "its format is missing or of another type"),
    "format 0": (changed(format=0), "there is no format 0"),
    "a later format": (changed(format=2, version="9.1"), "has format 2, of bleuet 9.1"),
    "no systems": (changed(systems=[]), "systems are empty or duplicate"),
    "a system twice": (changed(systems=["mine", "mine"]), "systems are empty or duplicate"),
    "a system of a number": (changed(systems=["mine", 2]), "its systems is not a text"),
    "half a surrogate pair": (changed(systems=["mine", "\ud800"]), "its systems is not a text"),
    "a long name": (changed(systems=["mine", "x" * 5000]), "its systems is not a text"),
    "another system": (changed(systems=["mine", "nobody"]), "nobody has 0 rows, not 3"),
    "fewer segments": (changed(segments=2), "it has 6 rows, not 2 for each of 2 systems"),
    "more segments": (changed(segments=4), "it has 6 rows, not 4 for each of 2 systems"),
    "no segments": (changed(segments=0), "has 0 segments"),
    "segments of text": (changed(segments="3"), "its segments is missing or of another type"),
    "no metrics": (changed(metrics=[]), "names no metric"),
    "metrics of text": (changed(metrics=["TER"]), "not a JSON object"),
    "a number for the references": (changed(references=5), "its references is not a text"),
    "no references": (in_metric(n_references=0), "TER does not have 0 references"),
    "references of text": (in_metric(n_references="1"), "n_references is missing or of another"),
    "other references": (in_metric(n_references=2), "does not have 2 references per segment"),
    "other columns": (in_metric(integer_columns=["edits"]), "its column TER_edits is missing"),
    "columns of another kind": (
        in_metric(integer_columns=["num_edits", "ref_length"], real_columns=[]),
        "its column TER_ref_length is double, not int64",
    ),
    "fewer columns": (in_metric(real_columns=[]), "does not have the columns of its signature"),
    "a column twice": (
        in_metric(real_columns=["num_edits"]),
        "two of its columns have the same name",
    ),
    "another metric": (
        lambda d: in_metric(signature=BLEU().signature().full())(d),
        "not have the columns",
    ),
    "no metric": (in_metric(signature="TER|nrefs:1|colour:red"), "no metric has a signature with"),
    "a later option": (
        lambda d: in_metric(signature=f"{TER().signature().full()}|colour:red")(d),
        "the signature has the key colour",
    ),
}


@pytest.mark.parametrize("name", UNTRUE)
def test_an_untrue_description_is_refused(path: str, name: str) -> None:
    save_tables(path, counted(TER()))
    change, says = UNTRUE[name]
    rewrite(path, change(description_of(path)))
    with pytest.raises((InputError, SignatureError)) as caught:
        load_tables(path)
    assert says in str(caught.value)
    assert str(caught.value).startswith(path)


def with_column(name: str, values: Any) -> Callable[[Any], Any]:
    def change(table: Any) -> Any:
        return table.set_column(table.schema.get_field_index(name), name, values)

    return change


def doubles(*values: float | None) -> Any:
    return arrow.array([*values, 1.0, 1.0, 1.0, 1.0], arrow.float64())


DAMAGED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "NaN": (with_column("TER_ref_length", doubles(1.0, float("nan"))), "that is not finite"),
    "infinite": (with_column("TER_ref_length", doubles(1.0, float("inf"))), "not finite"),
    "negative": (with_column("TER_ref_length", doubles(1.0, -2.0)), "has the count -2.0"),
    "empty": (with_column("TER_ref_length", doubles(1.0, None)), "has missing values"),
    "negative edits": (
        with_column("TER_num_edits", arrow.array([1, 1, 1, 1, 1, -1])),
        "TER of theirs: num_edits has the count -1",
    ),
    "edits without number": (
        with_column("TER_num_edits", arrow.array([1, 1, 1, 1, 1, 2**62])),
        "TER of theirs: num_edits has the count 4611686018427387904",
    ),
    "short integers": (
        with_column("TER_num_edits", arrow.array([1] * 6, arrow.int32())),
        "TER_num_edits is int32, not int64",
    ),
    "texts": (with_column("TER_num_edits", arrow.array(["1"] * 6)), "is string, not int64"),
    "lists": (with_column("TER_num_edits", arrow.array([[1]] * 6)), "neither numbers nor"),
    "numbered systems": (with_column("system", arrow.array([1] * 6)), "column system is int64"),
    "no system": (
        with_column("system", arrow.array(["mine", None, "mine", *["theirs"] * 3])),
        "its column system has missing values",
    ),
    "a system more": (
        with_column("system", arrow.array(["mine", "ours", "mine", *["theirs"] * 3])),
        "segments of mine are not numbered from 1",
    ),
    "a segment twice": (
        with_column("segment", arrow.array([1, 2, 2, 1, 2, 3])),
        "segments of mine are not numbered from 1",
    ),
    "no segment": (lambda table: table.drop_columns(["segment"]), "column segment is missing"),
    "columns twice": (
        lambda table: table.append_column("segment", arrow.array([1] * 6)),
        "it has two columns segment",
    ),
    "fewer rows": (lambda table: table.slice(0, 5), "it has 5 rows, not 3 for each of 2 systems"),
    "more rows": (lambda t: arrow.concat_tables([t, t.slice(5)]), "it has 7 rows, not 3"),
    "no rows": (lambda table: table.slice(0, 0), "it has a group of 0 rows"),
    "another order": (lambda table: table.take([1, 0, 2, 3, 4, 5]), "segments of mine are not"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_rows_are_refused(path: str, name: str) -> None:
    save_tables(path, counted(TER()))
    change, says = DAMAGED[name]
    rewrite(path, description_of(path), change)
    with pytest.raises(InputError, match="is damaged or was changed") as caught:
        load_tables(path)
    assert says in str(caught.value)


def test_systems_in_turns_and_plain_texts_are_understood(path: str) -> None:
    """Another program may have sorted the rows, so long as each system's count on."""
    save_tables(path, counted(TER()))
    plain = with_column("system", arrow.array(["mine"] * 3 + ["theirs"] * 3))
    rewrite(path, description_of(path), lambda table: plain(table).take([0, 3, 1, 4, 2, 5]))
    assert load_tables(path) == counted(TER())


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1 rubbish PAR1", b"text\n" * 100])
def test_files_of_another_kind_are_refused(path: str, content: bytes) -> None:
    Path(path).write_bytes(content)
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        load_tables(path)


def test_other_peoples_parquet_is_refused(path: str, tmp_path: Path) -> None:
    parquet.write_table(arrow.table({"system": ["a"], "segment": [1]}), path)
    with pytest.raises(InputError, match="has no saved tables"):
        load_tables(path)
    with pytest.raises(InputError, match="there is no file"):
        load_tables(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="is a folder"):
        load_tables(tmp_path)
    with pytest.raises(InputError, match="name a file"):
        load_tables("-")


def test_a_file_cut_short_anywhere_is_refused(path: str) -> None:
    save_tables(path, counted(TER()))
    whole = Path(path).read_bytes()
    for size in range(0, len(whole), 97):
        Path(path).write_bytes(whole[:size])
        with pytest.raises(InputError, match="cannot be read as Parquet"):
            load_tables(path)


def test_no_changed_byte_yields_other_numbers(path: str) -> None:
    """Pages have checksums; what lies outside of them is checked, or is no number."""
    tables = counted(BLEU(), TER())
    save_tables(path, tables)
    whole = Path(path).read_bytes()
    rng = random.Random(7)
    refused = 0
    for _ in range(400):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        Path(path).write_bytes(damaged)
        try:
            back = load_tables(path)
        except BleuetError:
            refused += 1
        else:
            assert [one.table.blocks() for one in back] == [t.blocks() for _, _, t in tables]
    assert refused > 200
