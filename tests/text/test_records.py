# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import csv
import itertools
import json
import os
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import load_tables
from bleuet.errors import InputError, MissingExtraError
from bleuet.text.records.quotes import may_be_quoted
from bleuet.text.source import Source
from tests.text.archives import COMPRESS, every_suffix

TSV = "source\thyp\tref\nein\ta\tthe a\nzwei\t\tthe\u2028b\ndrei\tc\t\n"
JSONL: list[dict[str, Any]] = [
    {"hyp": "a", "refs": ["the a", "an a"]},
    {"hyp": "", "refs": ["b", None]},
    {"hyp": "ß\n漢", "refs": "c", "extra": 3},
    {"hyp": "d", "refs": None},
]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


def read_column(path, column, several=False, batch_bytes=1 << 20, batch_rows=1 << 15):
    return Source(path, column).stream(several, batch_bytes, batch_rows)


def flat(batches):
    return [value for batch in batches for value in batch]


def refusal(build, *parts):
    with pytest.raises(InputError) as caught:
        flat(build())
    message = str(caught.value)
    assert "\n" not in message
    missing = [part for part in parts if part not in message]
    assert not missing, message
    return message


class TestTsv:
    @every_suffix
    @pytest.mark.parametrize("batch_rows", [1, 2, 1000])
    def test_a_named_column(self, write, suffix, batch_rows):
        path = write("data.tsv" + suffix, COMPRESS[suffix](TSV.encode()))
        for column, values in [("hyp", ["a", "", "c"]), ("ref", ["the a", "the\u2028b", ""])]:
            stream = read_column(path, column, batch_rows=batch_rows)
            assert flat(stream) == values
            assert stream.name == f"{path}:{column}"
            assert stream.bytes_read == stream.bytes_total

    def test_a_numbered_column_takes_every_line(self, write):
        path = write("data.tsv", TSV)
        assert flat(read_column(path, "2")) == ["hyp", "a", "", "c"]
        assert flat(read_column(path, "1", batch_bytes=1)) == ["source", "ein", "zwei", "drei"]

    def test_windows_line_ends_and_a_mark_in_front(self, write):
        path = write("data.tsv", "\ufeffhyp\tref\r\na\tb\r\n")
        assert flat(read_column(path, "hyp")) == ["a"]
        assert flat(read_column(path, "ref")) == ["b"]

    def test_quotes_are_text(self, write):
        assert flat(read_column(write("data.tsv", '"a\t"b"\n'), "1")) == ['"a']

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ('"a"\tb\n', True),
            ('a\t"b"\n', True),
            ('a\tb\n"c"\td', True),
            ('a"b\tc" "d"\n', False),
            ('a\tb\nc "d"\t e "\n', False),
        ],
    )
    def test_quotes_are_looked_for_wherever_blocks_begin(self, content, expected):
        data = content.encode()
        cuts = range(1, len(data))
        assert may_be_quoted([data]) == expected
        for first, second in itertools.combinations_with_replacement(cuts, 2):
            blocks = [data[:first], data[first:second], data[second:]]
            assert may_be_quoted(filter(None, blocks)) == expected, blocks

    @pytest.mark.parametrize("end", ["\n", ""])
    @pytest.mark.parametrize(
        ("lines", "texts"),
        [
            # Quoted as a program does it, and then the same text with a quote in one cell.
            ('k\tt\n1\t"a, ""b"""\n2\t"c,"', ['a, "b"', "c,"]),
            ('k\tt\n1\t"a, ""b"""\n2\t"c" d', ['"a, ""b"""', '"c" d']),
            ('k\tt\n1\t"a, ""b"""\n2\t"c"', ['"a, ""b"""', '"c"']),
            ('"k"\t"t"\n"1"\t"a"\n"2"\t"c"', ["a", "c"]),
            ('k\tt\n"a\tb"\n2\tc', ['b"', "c"]),
            ('k\tt\n1\t"a, b"\n2\tc"', ["a, b", 'c"']),
            ('k\tt\n1\t"a, b"\n2\t"c,', ['"a, b"', '"c,']),
        ],
    )
    def test_the_last_line_decides_too_whether_cells_are_quoted(self, write, lines, texts, end):
        assert flat(read_column(write("data.tsv", lines + end), "t")) == texts

    def test_no_column_is_plain_lines(self, write):
        assert flat(read_column(write("data.tsv", "a\n\nb"), None)) == ["a", "", "b"]
        path = write("tabs.tsv", "a\nb\tc\td\n")
        for size in (1, 1000):
            refusal(
                lambda size=size: read_column(path, None, batch_rows=size),
                f"{path}:2 has 3 columns",
                "no column was named",
                f"{path}:1 to {path}:3",
            )
        path = write("named.tsv", TSV)
        refusal(lambda: read_column(path, None), f"{path}:1", f"such as {path}:ref")

    @pytest.mark.parametrize("rows", [1, 2, 1000])
    @pytest.mark.parametrize("column", ["1", "hyp"])
    @pytest.mark.parametrize(("line", "width"), [("a", "1 column"), ("a\tb\tc", "3 columns")])
    def test_a_line_of_another_width(self, write, rows, column, line, width):
        path = write("data.tsv", f"hyp\tref\na\tb\n{line}\nc\td\n")
        refusal(
            lambda: read_column(path, column, batch_rows=rows),
            f"{path}:3 has {width}",
            "expected 2",
            "tabs",
        )

    def test_columns_that_do_not_exist(self, write):
        path = write("data.tsv", TSV)
        refusal(lambda: read_column(path, "hyps"), path, "no column hyps", "did you mean hyp?")
        refusal(lambda: read_column(path, "zzz"), "no column zzz", "it has source, hyp, ref")
        refusal(lambda: read_column(path, "4"), "no column 4", "from 1 to 3")
        refusal(lambda: read_column(path, "0"), "no column 0", "from 1 to 3")
        path = write("twice.tsv", "a\ta\n1\t2\n")
        refusal(lambda: read_column(path, "a"), "2 columns with the name a", "rename")
        path = write("wide.tsv", "\t".join(f"c{i}" for i in range(50)) + "\n")
        refusal(lambda: read_column(path, "zzz"), "c19 and 30 more")

    def test_empty_files(self, write):
        path = write("data.tsv", "")
        assert flat(read_column(path, "2")) == flat(read_column(path, None)) == []
        refusal(lambda: read_column(path, "ref"), "is empty", "first line that names its columns")
        assert flat(read_column(write("head.tsv", "a\tb\n"), "b")) == []

    def test_invalid_utf8_has_its_line(self, write):
        path = write("data.tsv", b"a\tb\nc\t\xff\n")
        refusal(lambda: read_column(path, "b"), f"{path}:2: byte 3")

    @pytest.mark.parametrize(("column", "count"), [("hyp", 3), ("2", 4)])
    @pytest.mark.parametrize("taken", [0, 1, 2])
    def test_the_rest_is_counted(self, write, column, count, taken):
        stream = read_column(write("data.tsv", TSV), column, batch_rows=1)
        for _ in range(taken):
            next(stream)
        assert stream.count_rest() == (count - taken, True)

    cells = st.text(st.characters(exclude_characters="\t\r\n", exclude_categories=["Cs"]))

    @given(st.lists(st.tuples(cells, cells, cells)), st.integers(1, 9))
    def test_columns_survive(self, tmp_path_factory, rows, size):
        path = tmp_path_factory.getbasetemp() / "data.tsv"
        path.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8", newline="\n")
        for number in range(3):
            stream = read_column(str(path), str(number + 1), batch_bytes=size, batch_rows=size)
            assert flat(stream) == [row[number] for row in rows]


class TestJsonl:
    @every_suffix
    @pytest.mark.parametrize("ascii_only", [True, False])
    @pytest.mark.parametrize("batch_rows", [1, 3, 1000])
    def test_values(self, write, suffix, ascii_only, batch_rows):
        lines = "\n".join(json.dumps(record, ensure_ascii=ascii_only) for record in JSONL)
        path = write("data.jsonl" + suffix, COMPRESS[suffix](lines.encode()))
        hypotheses = read_column(path, "hyp", batch_rows=batch_rows)
        assert flat(hypotheses) == [record["hyp"] for record in JSONL]
        references = read_column(path, "refs", several=True, batch_rows=batch_rows)
        assert flat(references) == [record["refs"] for record in JSONL]
        assert references.bytes_read == references.bytes_total

    def test_a_mark_in_front(self, write):
        assert flat(read_column(write("data.jsonl", '\ufeff{"a": "\ufeffb"}\n'), "a")) == [
            "\ufeffb"
        ]

    def test_escaped_pairs_are_one_character(self, write):
        assert flat(read_column(write("d.jsonl", r'{"a": "\ud83d\ude00"}'), "a")) == ["😀"]

    @pytest.mark.parametrize("rows", [1, 1000])
    @pytest.mark.parametrize(
        ("line", "parts"),
        [
            ("{", ("is not JSON", "Expecting", "one JSON object on every line", "correct")),
            ("", ("is blank", "remove that line")),
            ("  ", ("is blank", "remove that line")),
            ("[1]", ("is JSON but not an object", '{"a": "text"}', "wrap")),
            ('"text"', ("is JSON but not an object",)),
            ('{"b": 1, "aa": 2}', ("no column a", "did you mean aa?", "b, aa")),
            ("{}", ("no column a", "it has none")),
            ('{"a": 3}', ("a is of type int", "expected a string", "write it as a string")),
            ('{"a": null}', ("a is null", "expected a string", '""')),
            ('{"a": ["b"]}', ("a is a list", "expected a string", "only references")),
            ('{"a": {"b": 1}}', ("a is of type dict", "expected a string")),
            (r'{"a": "\ud83d"}', ("half of a surrogate pair", "both halves")),
            ("[" * 100_000, ("is not JSON",)),
        ],
    )
    def test_lines_that_cannot_be_read(self, write, rows, line, parts):
        path = write("data.jsonl", '{"a": "b"}\n{"a": "c"}\n' + line + '\n{"a": "d"}\n')
        refusal(lambda: read_column(path, "a", batch_rows=rows), f"{path}:3", *parts)

    @pytest.mark.parametrize(
        ("value", "parts"),
        [
            ("3", ("of type int", "a string or a list of strings")),
            ('["b", 3]', ("inside the list", "of type int", "expected a string")),
            ('["b", ["c"]]', ("inside the list", "is a list")),
            (r'["b", "\udc00"]', ("surrogate",)),
        ],
    )
    def test_references_that_cannot_be_read(self, write, value, parts):
        path = write("data.jsonl", f'{{"a": "b"}}\n{{"a": {value}}}\n')
        refusal(lambda: read_column(path, "a", several=True), f"{path}:2", *parts)

    def test_keys_of_the_first_line(self, write):
        path = write("data.jsonl", '{"hyp": "a", "ref": "b"}\n')
        refusal(lambda: read_column(path, None), "needs the name of a column", "hyp, ref", ":hyp")
        refusal(lambda: read_column(path, "href"), f"{path}:1", "did you mean ref?", "hyp, ref")

    def test_an_empty_file(self, write):
        assert flat(read_column(write("data.jsonl", ""), "a")) == []

    def test_the_rest_is_counted(self, write):
        stream = read_column(write("data.jsonl", '{"a": "b"}\n' * 5), "a", batch_rows=2)
        next(stream)
        assert stream.count_rest() == (3, True)

    texts = st.text(st.characters(exclude_categories=["Cs"]))

    @given(
        st.lists(st.one_of(texts, st.none(), st.lists(st.one_of(texts, st.none())))),
        st.integers(1, 9),
        st.booleans(),
    )
    def test_values_survive(self, tmp_path_factory, values, size, ascii_only):
        path = tmp_path_factory.getbasetemp() / "data.jsonl"
        lines = [json.dumps({"a": value}, ensure_ascii=ascii_only) + "\n" for value in values]
        path.write_text("".join(lines), "utf-8", newline="\n")
        stream = read_column(str(path), "a", several=True, batch_bytes=size, batch_rows=size)
        assert flat(stream) == values


@pytest.mark.libraries
class TestParquet:
    @pytest.fixture
    def table(self, tmp_path):
        import pyarrow as arrow
        from pyarrow import parquet

        def table(row_group_size=None, **columns):
            path = str(tmp_path / "data.parquet")
            parquet.write_table(arrow.table(columns), path, row_group_size=row_group_size)
            return path

        return table

    @pytest.mark.parametrize("batch_rows", [1, 2, 1000])
    @pytest.mark.parametrize("row_group_size", [1, 3, None])
    def test_values(self, table, batch_rows, row_group_size):
        hypotheses = ["a", "", "ß\n漢", "d"]
        references = [["a", "b"], ["c", None], None, ["d"]]
        path = table(row_group_size, hyp=hypotheses, refs=references, number=[1, 2, 3, 4])
        assert flat(read_column(path, "hyp", batch_rows=batch_rows)) == hypotheses
        stream = read_column(path, "refs", several=True, batch_rows=batch_rows)
        assert stream.bytes_read == 0
        assert flat(stream) == references
        assert stream.bytes_read == stream.bytes_total
        assert stream.name == f"{path}:refs"

    def test_dictionaries_and_large_strings(self, table):
        import pyarrow as arrow

        path = table(
            a=arrow.array(["x", "y", "x"]).dictionary_encode(),
            b=arrow.array(["x", "y", "x"], arrow.large_string()),
        )
        assert flat(read_column(path, "a")) == flat(read_column(path, "b")) == ["x", "y", "x"]

    def test_a_large_text_that_is_repeated(self, table):
        import pyarrow as arrow

        text = "x" * (3 << 20)
        path = table(a=arrow.DictionaryArray.from_arrays([0, 1, 0] * 40, [text, "y"]))
        batches = list(read_column(path, "a"))
        assert flat(batches) == [text, "y", text] * 40
        # As many as are read at once must fit into memory when they are joined.
        assert max(sum(map(len, batch)) for batch in batches) <= 32 << 20

    def test_columns(self, table):
        path = table(hyp=["a"], ref=["b"])
        refusal(lambda: read_column(path, None), "needs the name of a column", "hyp, ref", ":hyp")
        refusal(lambda: read_column(path, "reff"), path, "no column reff", "did you mean ref?")

    def test_values_that_are_no_texts(self, table):
        path = table(a=["x", None], b=[1, 2], c=[["x"], ["y"]], d=[b"x", b"y"])
        refusal(lambda: read_column(path, "a"), f"{path}: row 2", "a is null", "a string")
        refusal(lambda: read_column(path, "b", several=True), "row 1", "type int")
        refusal(lambda: read_column(path, "c"), "row 1", "c is a list", "only references")
        refusal(lambda: read_column(path, "d"), "row 1", "type bytes")

    def test_the_rest_is_counted(self, table):
        stream = read_column(table(a=["x"] * 10), "a", batch_rows=4)
        next(stream)
        assert stream.count_rest() == (6, True)

    def test_an_empty_file(self, table):
        import pyarrow as arrow

        stream = read_column(table(a=arrow.array([], arrow.string())), "a")
        assert flat(stream) == []
        assert stream.bytes_read == stream.bytes_total

    @pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1 rubbish PAR1", b"text\n" * 100])
    def test_files_that_are_no_parquet(self, write, content):
        path = write("data.parquet", content)
        refusal(
            lambda: read_column(path, "a"),
            path,
            "cannot be read as Parquet",
            "create or download",
        )

    def test_a_truncated_file(self, table):
        path = table(a=["x" * 100] * 1000)
        with open(path, "r+b") as file:
            file.truncate(200)
        refusal(lambda: read_column(path, "a"), path, "cannot be read as Parquet")

    def test_missing_and_compressed_files(self, tmp_path, table):
        path = table(a=["x"])
        refusal(lambda: read_column(path.replace("data", "date"), "a"), "is data.parquet")
        (tmp_path / "folder.parquet").mkdir()
        refusal(lambda: read_column(str(tmp_path / "folder.parquet"), "a"), "is a folder")
        refusal(lambda: read_column("data.parquet.gz", "a"), "compressed Parquet", "decompress")

    def test_more_rows_than_texts_need(self, tmp_path):
        import pyarrow as arrow
        from pyarrow import parquet

        path = str(tmp_path / "data.parquet")
        texts = arrow.DictionaryArray.from_arrays(arrow.array([0] * 500_000, "int32"), [""])
        table = arrow.table({"a": arrow.chunked_array([texts] * 5)})
        parquet.write_table(table, path)
        refusal(lambda: read_column(path, "a"), "2,500,000 rows in", "--max-segment-bytes")
        source = Source(path, "a", max_segment_bytes=10_000_000)
        with source.stream() as batches:
            assert next(batches)[:2] == ["", ""]

    def test_numbers_that_python_does_not_read(self, write):
        path = write("data.jsonl", '{"a": "x", "b": ' + "9" * 10_000 + "}\n")
        refusal(lambda: flat(read_column(path, "a")), ":1 is not JSON (a number has more than 4300")
        path = write("data.tsv", "a\tb\n")
        refusal(lambda: flat(read_column(path, "9" * 10_000)), "has no column 999")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_a_pipe_is_not_waited_for(self, tmp_path):
        path = str(tmp_path / "pipe.parquet")
        os.mkfifo(path)
        # Without a writer, opening the pipe would wait for ever.
        for action in (lambda: read_column(path, "a"), lambda: load_tables(path)):
            refusal(
                action, "pipe.parquet is not a regular file", "write the Parquet file to a disk"
            )


def test_a_missing_library_says_how_to_install_it(write, monkeypatch):
    path = write("data.parquet", b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'bleuet\[parquet\]'"):
        read_column(path, "a")


class TestCsv:
    CSV = 'source,hyp,ref\r\nein,a,"the ""a"", b"\r\nzwei,,"two\r\nlines"\r\ndrei,c,\r\n'

    @every_suffix
    @pytest.mark.parametrize("batch_rows", [1, 2, 1000])
    def test_a_named_column(self, write, suffix, batch_rows):
        path = write("data.csv" + suffix, COMPRESS[suffix](self.CSV.encode()))
        for column, values in [
            ("hyp", ["a", "", "c"]),
            ("ref", ['the "a", b', "two\nlines", ""]),
            ("1", ["source", "ein", "zwei", "drei"]),
        ]:
            stream = read_column(path, column, batch_rows=batch_rows)
            assert flat(stream) == values
            assert stream.name == f"{path}:{column}"
            assert stream.bytes_read == stream.bytes_total

    def test_one_column_needs_no_name(self, write):
        assert flat(read_column(write("data.csv", '"a, b"\n\nc\n'), None)) == ["a, b", "", "c"]
        path = write("data.csv", "a, b\n")
        refusal(lambda: read_column(path, None), f"{path}:1 has 2 columns separated by commas")

    @pytest.mark.parametrize("rows", [1, 1000])
    def test_places_are_the_first_lines_of_rows(self, write, rows):
        path = write("data.csv", 'a,b\n"1\n1",2\n3\n')
        refusal(
            lambda: read_column(path, "a", batch_rows=rows),
            f"{path}:4 has 1 column separated by commas",
            "expected 2",
        )
        path = write("open.csv", 'a,b\n1,2\n"3,4\n')
        refusal(lambda: read_column(path, "a", batch_rows=rows), f"{path}:3 cannot", "quotes")

    @pytest.mark.parametrize("before", ["", "3;x\n", '3;"x\ny"\n'])
    @pytest.mark.parametrize("lines", range(44, 54))
    def test_a_cell_that_goes_on_behind_the_first_lines_hides_no_semicolon(
        self, write, lines, before
    ):
        path = write("data.csv", f"a;b\n{before}" + "1;2\n" * lines + '"k\nl";m\n')
        assert flat(read_column(path, "b"))[-2:] == ["2", "m"]

    def test_a_batch_has_few_bytes(self, write):
        path = write("data.csv", "aa,b\n" * 6)
        for size, rows in ((1, [1] * 6), (5, [1] * 6), (6, [2] * 3), (15, [3] * 2), (99, [6])):
            assert list(map(len, read_column(path, "1", batch_bytes=size))) == rows

    def test_a_mark_in_front(self, write, recwarn):
        path = write("data.csv", "\ufeffhyp,ref\na,b\n")
        assert flat(read_column(path, "hyp")) == ["a"]
        assert not recwarn.list
        with pytest.warns(UserWarning, match="byte order mark"):
            assert flat(read_column(path, "1")) == ["\ufeffhyp", "a"]

    @pytest.mark.parametrize("taken", [0, 1, 2])
    def test_the_rest_is_counted(self, write, taken):
        stream = read_column(write("data.csv", self.CSV), "hyp", batch_rows=1)
        for _ in range(taken):
            next(stream)
        assert stream.count_rest() == (3 - taken, True)

    def test_a_cell_larger_than_the_limit_of_the_library(self, write):
        before = csv.field_size_limit()
        path = write("data.csv", f'a,b\n"{"x" * 200_000}",1\n')
        assert list(map(len, flat(read_column(path, "a")))) == [200_000]
        assert csv.field_size_limit() == before

    cells = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]))

    @given(st.lists(st.tuples(cells, cells, cells)), st.integers(1, 9))
    def test_columns_survive(self, tmp_path_factory, rows, size):
        path = tmp_path_factory.getbasetemp() / "data.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        for number in range(3):
            source = Source(path, str(number + 1), bom="keep")
            assert flat(source.stream(batch_bytes=size, batch_segments=size)) == [
                row[number] for row in rows
            ]


class TestListsInJsonLines:
    LINES = '["a", "an a"]\n["b", null]\n["c", "d"]\n'

    @pytest.mark.parametrize("rows", [1, 2, 1000])
    def test_lists_of_references(self, write, rows):
        path = write("refs.jsonl", self.LINES)
        found = flat(read_column(path, None, several=True, batch_rows=rows))
        assert found == [["a", "an a"], ["b", None], ["c", "d"]]
        assert flat(read_column(path, "1", batch_rows=rows)) == ["a", "b", "c"]
        assert flat(read_column(path, "2", several=True)) == ["an a", None, "d"]

    def test_strings(self, write):
        path = write("hyps.jsonl", '"a"\n"\\u00e9"\n')
        assert flat(read_column(path, None)) == ["a", "é"]
        path = write("refs.jsonl", '"a"\n["b", "c"]\n')
        assert flat(read_column(path, None, several=True)) == ["a", ["b", "c"]]

    @pytest.mark.parametrize(
        ("line", "column", "parts"),
        [
            ('{"a": "b"}', None, ("is of type dict", "a list of strings")),
            ("3", None, ("is of type int", "a list of strings")),
            ('["a", 3]', None, ("inside the list", "is of type int")),
            ('["a"]', "2", ("is a list of 1", "2 elements or more")),
            ('"a"', "1", ("is not a list", "1 elements or more")),
            (r'["\ud83d"]', None, ("half of a surrogate pair",)),
        ],
    )
    def test_lines_that_cannot_be_read(self, write, line, column, parts):
        path = write("refs.jsonl", f'["a", "b"]\n{line}\n')
        refusal(lambda: read_column(path, column, several=True), f"{path}:2", *parts)

    def test_hypotheses_are_single(self, write):
        path = write("refs.jsonl", self.LINES)
        refusal(lambda: read_column(path, None), f"{path}:1", "is a list", "only references")
        refusal(lambda: read_column(path, "0"), "no element 0")
        refusal(lambda: read_column(path, "ref"), f"{path}:1", "not an object")
