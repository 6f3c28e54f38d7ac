# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import io
import json
import pickle
import sys

import pytest

from bleuet.errors import InputError
from bleuet.text.source import Source


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(action, *parts):
    with pytest.raises(InputError) as caught:
        action()
    message = str(caught.value)
    assert "\n" not in message
    missing = [part for part in parts if part not in message]
    assert not missing, message


class TestParsing:
    @pytest.mark.parametrize(
        ("text", "path", "column", "kind", "name"),
        [
            ("ref.txt", "ref.txt", None, "lines", "ref.txt"),
            ("runs/ref.en.gz", "runs/ref.en.gz", None, "lines", "ref.en.gz"),
            ("-", "-", None, "lines", "<stdin>"),
            ("data.tsv", "data.tsv", None, "tsv", "data.tsv"),
            ("a/data.tsv:2", "a/data.tsv", "2", "tsv", "data.tsv:2"),
            ("data.tsv:ref", "data.tsv", "ref", "tsv", "data.tsv:ref"),
            ("data.TSV.GZ:ref", "data.TSV.GZ", "ref", "tsv", "data.TSV.GZ:ref"),
            ("data.tsv:a:b", "data.tsv", "a:b", "tsv", "data.tsv:a:b"),
            ("x:y/data.jsonl:hyp", "x:y/data.jsonl", "hyp", "jsonl", "data.jsonl:hyp"),
            ("data.ndjson.zst:hyp", "data.ndjson.zst", "hyp", "jsonl", "data.ndjson.zst:hyp"),
            ("data.parquet:r", "data.parquet", "r", "parquet", "data.parquet:r"),
            # Patterns for files of which some may be compressed.
            ("d/*.jsonl*:hyp", "d/*.jsonl*", "hyp", "jsonl", "*.jsonl*:hyp"),
            ("d/*.tsv**", "d/*.tsv**", None, "tsv", "*.tsv**"),
            ("data.parquet:a b", "data.parquet", "a b", "parquet", "data.parquet:a b"),
            ("missing:2", "missing:2", None, "lines", "missing:2"),
            ("a\0:b", "a\0:b", None, "lines", "a\0:b"),
        ],
    )
    def test_what_an_argument_means(self, text, path, column, kind, name):
        source = Source.parse(text)
        assert (source.path, source.column, source.kind) == (path, column, kind)
        assert source.name == name
        assert str(source) == (text if text != "-" else "<stdin>")

    def test_an_existing_file_of_that_name_wins(self, folder):
        (folder / "data.tsv:ref").write_text("a\n")
        (folder / "10:30.txt").write_text("b\n")
        assert Source.parse("data.tsv:ref") == Source("data.tsv:ref")
        assert Source.parse("data.tsv:ref").read() == ["a"]
        assert Source.parse("10:30.txt").read() == ["b"]

    def test_the_file_that_exists_decides_between_colons(self, folder):
        (folder / "a.tsv").write_text("b.tsv:c\nx\n")
        assert Source.parse("a.tsv:b.tsv:c").read() == ["x"]
        (folder / "a.tsv:b.tsv").write_text("c\ny\n")
        assert Source.parse("a.tsv:b.tsv:c").read() == ["y"]

    def test_a_path_object_has_no_column(self, folder):
        assert Source.parse(folder / "data.tsv:2") == Source(str(folder / "data.tsv:2"))

    def test_columns_that_cannot_be(self, folder):
        (folder / "ref.txt").write_text("a\n")
        for text in ("ref.txt:2", "-:2"):
            refusal(
                lambda text=text: Source.parse(text), "has no columns", ".tsv", "remove the column"
            )
        refusal(lambda: Source.parse("data.tsv:"), "names no column", "data.tsv:NAME")
        refusal(Source("ref.txt", "2").read, "ref.txt is read line by line", "remove the column")


class TestValue:
    def test_it_never_changes(self):
        source = Source("data.tsv", "ref")
        with pytest.raises(AttributeError, match="frozen"):
            source.path = "x"  # type: ignore[misc]
        with pytest.raises(AttributeError, match="frozen"):
            del source.column

    def test_it_is_compared_by_what_it_says(self):
        assert {Source.parse("data.tsv:ref"), Source("data.tsv", "ref")} == {
            Source("data.tsv", "ref")
        }
        assert Source("data.tsv", "ref") != Source("data.tsv", "hyp")
        assert Source("data.tsv") != "data.tsv"
        assert repr(Source("data.tsv", "ref")) == "Source('data.tsv', 'ref')"
        assert repr(Source("ref.txt")) == "Source('ref.txt')"
        assert pickle.loads(pickle.dumps(Source("data.tsv", "2"))) == Source("data.tsv", "2")


class TestReading:
    values = tuple(f"text {number} ß" for number in range(10))

    @pytest.fixture
    def sources(self, folder):
        (folder / "ref.txt").write_text("\n".join(self.values) + "\n", "utf-8")
        (folder / "plain.tsv").write_text("\n".join(self.values), "utf-8")
        (folder / "data.tsv").write_text("".join(f"x\t{v}\n" for v in self.values), "utf-8")
        (folder / "data.csv").write_text("".join(f'x,"{v}"\n' for v in self.values), "utf-8")
        (folder / "texts.jsonl").write_text("".join(f'"{v}"\n' for v in self.values), "utf-8")
        rows = "".join(json.dumps({"a": value}) + "\n" for value in self.values)
        (folder / "data.jsonl").write_text(rows, "utf-8")
        return ["ref.txt", "plain.tsv", "data.tsv:2", "data.csv:2", "texts.jsonl", "data.jsonl:a"]

    @pytest.mark.libraries
    def test_parquet_reads_alike(self, folder):
        import pyarrow as arrow
        from pyarrow import parquet

        parquet.write_table(arrow.table({"a": list(self.values)}), folder / "data.parquet")
        self.check(["data.parquet:a"])

    def test_every_kind_reads_alike(self, sources):
        self.check(sources)

    def check(self, sources):
        for name in sources:
            source = Source.parse(name)
            assert tuple(source.read()) == self.values, name
            for size in (1, 3, 100):
                with source.stream(batch_segments=size) as batches:
                    assert str(source) == batches.name
                    assert tuple(v for batch in batches for v in batch) == self.values, name
                    assert batches.bytes_read == batches.bytes_total

    def test_standard_input(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb")))
        assert Source.parse("-").read() == ["a", "b"]

    def test_references_may_be_several(self, folder):
        (folder / "data.jsonl").write_text('{"r": ["a", null]}\n{"r": "b"}\n')
        source = Source.parse("data.jsonl:r")
        assert source.read(several=True) == [["a", None], "b"]
        refusal(source.read, "data.jsonl:1", "r is a list")

    def test_what_is_missing_is_named(self, folder):
        (folder / "data.tsv").write_text("hyp\tref\na\tb\n")
        (folder / "data.jsonl").write_text('{"hyp": "a"}\n')
        refusal(Source.parse("data.tsv:reff").read, "no column reff", "did you mean ref?")
        refusal(Source.parse("data.tsv").read, "data.tsv:1 has 2 columns", "such as data.tsv:ref")
        refusal(Source.parse("data.jsonl").read, "data.jsonl needs the name", "data.jsonl:hyp")
        refusal(Source.parse("date.tsv:ref").read, "no file date.tsv", "nearest", "data.tsv")
        refusal(Source.parse("dat.jsonl:hyp").read, "no file dat.jsonl", "data.jsonl")
