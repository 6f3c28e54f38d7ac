# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import bz2
import gzip
import io
import os
import random
import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.errors import InputError, MissingExtraError
from bleuet.text.files import ByteFile, compression_suffix
from bleuet.text.lines import count_lines, read_lines, split_lines, stream_lines
from tests.text.archives import COMPRESS, every_archive, every_suffix

TEXT = "one\ntwo 2\n\n\u2028three\x0b\x85\x1c four\rfive\r\nsechs ß 漢字 😀\nlast"
LINES = ["one", "two 2", "", "\u2028three\x0b\x85\x1c four\rfive", "sechs ß 漢字 😀", "last"]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


def refusal(path, *parts, read=read_lines):
    with pytest.raises(InputError) as caught:
        read(path)
    message = str(caught.value)
    assert "\n" not in message
    missing = [part for part in parts if part not in message]
    assert not missing, message
    return message


def read_in_batches(path, batch_bytes=1, batch_lines=1):
    return [line for batch in stream_lines(path, batch_bytes, batch_lines) for line in batch]


class TestSplitting:
    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("", []),
            ("\n", [""]),
            ("\n\n", ["", ""]),
            ("a", ["a"]),
            ("a\n", ["a"]),
            ("a\r\nb", ["a", "b"]),
            ("a\r\r\nb", ["a\r", "b"]),
            ("a\rb\r", ["a\rb\r"]),
            ("\r\n", [""]),
            ("\ufeffa\n\ufeffb", ["\ufeffa", "\ufeffb"]),
            ("a\0b", ["a\0b"]),
            (TEXT, LINES),
        ],
    )
    def test_only_newlines_end_lines(self, text, lines):
        assert split_lines(text) == lines

    @given(st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]))))
    def test_lines_survive(self, lines):
        lines = [line.removesuffix("\r") if line.endswith("\r") else line for line in lines]
        lines = [line for line in lines if not line.endswith("\r")]
        assert split_lines("".join(line + "\n" for line in lines)) == lines
        assert split_lines("".join(line + "\r\n" for line in lines)) == lines

    @given(st.text(st.sampled_from("a\r\n\u2028ß")))
    def test_as_many_lines_as_newlines(self, text):
        ends = text.count("\n")
        assert len(split_lines(text)) == ends + (not text.endswith("\n") and text != "")


class TestReading:
    @every_suffix
    def test_all_lines(self, write, suffix):
        path = write("ref.txt" + suffix, COMPRESS[suffix](TEXT.encode()))
        assert read_lines(path) == LINES
        assert read_in_batches(path) == LINES

    @every_suffix
    def test_no_lines(self, write, suffix):
        path = write("ref" + suffix, COMPRESS[suffix](b""))
        assert read_lines(path) == []
        assert list(stream_lines(path)) == []

    @pytest.mark.slow
    @every_suffix
    def test_more_than_a_block(self, write, suffix):
        lines = [f"line {number} {'ß' * (number % 50)}" for number in range(60_000)]
        path = write("ref" + suffix, COMPRESS[suffix]("\n".join(lines).encode()))
        assert read_lines(path) == lines
        batches = list(stream_lines(path))
        assert [len(batch) for batch in batches][:1] == [32_768]
        assert [line for batch in batches for line in batch] == lines

    @every_archive
    def test_archives_behind_one_another(self, write, suffix):
        compress = COMPRESS[suffix]
        path = write("ref" + suffix, compress(b"a\nb") + compress(b"") + compress(b"c\nd\n"))
        assert read_lines(path) == ["a", "bc", "d"]

    @every_archive
    def test_zeros_behind_an_archive(self, write, suffix):
        assert read_lines(write("ref" + suffix, COMPRESS[suffix](b"a\n") + bytes(512))) == ["a"]

    @pytest.mark.libraries
    def test_a_skippable_frame_in_front(self, write):
        frame = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"size"
        assert read_lines(write("ref.zst", frame + COMPRESS[".zst"](b"a\n"))) == ["a"]

    def test_a_path_object_and_an_upper_case_suffix(self, tmp_path):
        path = tmp_path / "REF.GZ"
        path.write_bytes(gzip.compress(b"a\n"))
        assert read_lines(path) == ["a"]
        assert compression_suffix("ref.gz.txt") == ""

    @every_suffix
    @pytest.mark.parametrize("size", [1, 2, 1000])
    def test_a_byte_order_mark_is_text(self, write, suffix, size):
        path = write("ref" + suffix, COMPRESS[suffix]("\ufeffa\n\ufeffb".encode()))
        with pytest.warns(UserWarning, match="ref.* begins with a byte order mark.*--bom strip"):
            lines = [line for batch in stream_lines(path, size, size) for line in batch]
        assert lines == ["\ufeffa", "\ufeffb"]

    @every_suffix
    @pytest.mark.parametrize("size", [1, 2, 1000])
    @pytest.mark.parametrize(("bom", "mark"), [("keep", "\ufeff"), ("strip", "")])
    def test_what_happens_to_a_byte_order_mark(self, write, recwarn, suffix, size, bom, mark):
        path = write("ref" + suffix, COMPRESS[suffix]("\ufeffa\n\ufeffb".encode()))
        lines = [line for batch in stream_lines(path, size, size, bom=bom) for line in batch]
        assert lines == read_lines(path, bom=bom) == [f"{mark}a", "\ufeffb"]
        with stream_lines(path, bom=bom) as file:
            assert file.next_portion(count_lines) == [f"{mark}a", "\ufeffb"]
        assert not recwarn.list

    @pytest.mark.slow
    @every_archive
    def test_archives_far_smaller_than_any_text(self, suffix, write):
        """A system's one repeated line is read, and what only fills the memory is not."""
        path = write(f"same.txt{suffix}", COMPRESS[suffix](b"I do not know.\n" * 200_000))
        assert len(read_lines(path)) == 200_000
        empty = b"\n" * 1_300_000
        path = write(f"empty.txt{suffix}", COMPRESS[suffix](empty))
        with pytest.raises(InputError, match=r"empty\.txt.* more than 200 times .*-segment-bytes"):
            read_lines(path)
        assert len(read_lines(path, max_segment_bytes=5_200_000)) == 1_300_000
        # Only the excess counts, so these bytes are enough for as many lines.
        text = random.Random(1).randbytes(10_000).hex().encode()
        path = write(f"long.txt{suffix}", COMPRESS[suffix](text + empty))
        assert len(read_lines(path)) == 1_300_000

    @pytest.mark.slow
    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    @pytest.mark.parametrize(
        ("suffix", "name"), [("", "pipe"), (".gz", "pipe"), (".gz", "pipe.gz")]
    )
    def test_a_named_pipe(self, tmp_path, suffix, name):
        path = str(tmp_path / name)
        os.mkfifo(path)
        stored = COMPRESS[suffix]("".join(f"{n}\n" for n in range(99_999)).encode())

        def feed():
            with open(path, "wb") as pipe:
                pipe.write(stored)

        writer = threading.Thread(target=feed)
        writer.start()
        with stream_lines(path) as batches:
            assert batches.bytes_total is None
            assert sum(map(len, batches)) == 99_999
            assert batches.bytes_read == len(stored)
        writer.join()

    @pytest.mark.parametrize("text", [TEXT, "", "a\n"])
    def test_standard_input(self, monkeypatch, text):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert read_lines("-") == split_lines(text)
        assert not sys.stdin.closed

    @every_archive
    def test_an_archive_on_standard_input(self, monkeypatch, suffix):
        stored = COMPRESS[suffix](TEXT.encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stored)))
        assert read_lines("-") == LINES

    @pytest.mark.slow
    def test_a_real_pipe(self):
        code = (
            "from bleuet.text.lines import stream_lines\n"
            "batches = stream_lines('-')\n"
            "print(sum(map(len, batches)), batches.bytes_total, batches.name)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            input=b"a\n" * 100_000,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert done.stdout.decode().split() == ["100000", "None", "<stdin>"]


class TestBatches:
    @pytest.mark.parametrize("batch_bytes", [1, 2, 3, 7, 1 << 20])
    @pytest.mark.parametrize("batch_lines", [1, 2, 1000])
    def test_any_size_gives_the_same_lines(self, write, batch_bytes, batch_lines):
        batches = list(stream_lines(write("ref", TEXT), batch_bytes, batch_lines))
        assert [line for batch in batches for line in batch] == LINES
        assert all(1 <= len(batch) <= batch_lines for batch in batches)

    @given(text=st.text(st.sampled_from("a\r\nß😀\u2028")), size=st.integers(1, 6))
    def test_cuts_inside_characters_and_line_ends(self, tmp_path_factory, text, size):
        path = tmp_path_factory.getbasetemp() / "cut"
        path.write_bytes(text.encode())
        assert read_in_batches(path, size, size) == split_lines(text) == read_lines(path)

    def test_a_batch_is_bounded_by_bytes(self, write):
        path = write("ref", ("x" * 999 + "\n") * 2_000)
        sizes = [sum(map(len, batch)) for batch in stream_lines(path, batch_bytes=10_000)]
        assert max(sizes) <= 20_000

    def test_a_line_larger_than_a_batch_stays_whole(self, write):
        path = write("ref", "a\n" + "x" * 1_000_000 + "\nb")
        assert list(map(len, read_in_batches(path, 4096, 10))) == [1, 1_000_000, 1]

    @every_suffix
    @pytest.mark.slow
    def test_progress_counts_stored_bytes(self, write, suffix):
        path = write("ref" + suffix, COMPRESS[suffix](os.urandom(300_000).hex().encode()))
        with stream_lines(path) as batches:
            assert batches.bytes_total == os.path.getsize(path)
            assert batches.bytes_read == 0
            list(batches)
            assert batches.bytes_read == batches.bytes_total
            assert list(batches) == []

    @pytest.mark.parametrize("taken", range(8))
    @pytest.mark.parametrize("text", [TEXT, TEXT + "\n"])
    def test_the_rest_is_counted(self, write, taken, text):
        batches = stream_lines(write("ref", text), batch_lines=1)
        seen = sum(len(next(batches, [])) for _ in range(taken))
        assert batches.count_rest() == (len(LINES) - seen, True)

    def test_an_endless_rest_is_given_up(self, monkeypatch):
        monkeypatch.setattr("bleuet.text.lines._COUNT_LIMIT_BYTES", 1 << 20)
        with stream_lines("/dev/zero") as batches:
            assert batches.count_rest() == (0, False)

    def test_the_file_is_closed(self, write):
        batches = stream_lines(write("ref", TEXT))
        list(batches)
        assert batches._file.closed
        with stream_lines(write("ref", TEXT)) as batches:
            pass
        assert batches._file.closed


class TestEncoding:
    @pytest.mark.parametrize("read", [read_lines, read_in_batches])
    def test_the_place_of_a_wrong_byte(self, write, read):
        path = write("ref.txt", "eins\nzwei ß\n".encode() + b"dr\xfcei\n")
        refusal(path, f"{path}:3: byte 3", "(0xfc) is not UTF-8", "iconv -f", path, read=read)

    @pytest.mark.parametrize("read", [read_lines, read_in_batches])
    @every_archive
    def test_the_place_inside_an_archive(self, write, suffix, read):
        content = b"line\n" * 100_000 + b"\xff\n"
        path = write("ref" + suffix, COMPRESS[suffix](content))
        if read is read_in_batches:
            content = b"line\n" * 100 + b"\xff\n"
            path = write("ref" + suffix, COMPRESS[suffix](content))
        line = content.count(b"\n")
        refusal(path, f"{path}:{line}: byte 1", "(0xff)", read=read)

    @pytest.mark.parametrize(
        "wrong", [b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\x80", b"a\nb\xc3"]
    )
    def test_what_utf8_forbids(self, write, wrong):
        refusal(write("ref", wrong), "is not UTF-8; expected UTF-8", "iconv")

    @pytest.mark.parametrize("read", [read_lines, read_in_batches])
    @pytest.mark.parametrize(
        ("encoding", "mark", "name"),
        [
            ("utf-16-le", b"\xff\xfe", "UTF-16"),
            ("utf-16-be", b"\xfe\xff", "UTF-16"),
            ("utf-32-le", b"\xff\xfe\0\0", "UTF-32"),
        ],
    )
    def test_utf16_is_recognised(self, write, encoding, mark, name, read):
        path = write("ref", mark + "text\n".encode(encoding))
        refusal(path, f"is {name}", "expected UTF-8", f"iconv -f {name} -t UTF-8 {path}", read=read)

    @pytest.mark.parametrize("read", [read_lines, read_in_batches])
    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (b"PK\x03\x04\x14\xaf\n", "is a zip file, such as a spreadsheet (.xlsx)"),
            (b"\x00\x01ab\xff\n", "seems to be a binary file"),
        ],
    )
    def test_what_is_no_text(self, write, content, says, read):
        assert "iconv" not in refusal(write("ref", content), says, "expected", read=read)

    def test_standard_input_has_no_path_to_convert(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\n")))
        assert refusal("-", "<stdin>:1: byte 1", "iconv").endswith("-t UTF-8")


class TestFilesThatCannotBeRead:
    def test_the_nearest_name_is_told(self, write):
        path = write("reference.en", "a\n")
        refusal(path.replace("ere", "re"), "there is no file", "nearest name", "is reference.en")

    def test_nothing_is_near(self, tmp_path):
        refusal(str(tmp_path / "ref"), "there is no file", "check the path")
        refusal(str(tmp_path / "no" / "ref"), "there is no file", "and no folder", "check")

    def test_a_folder(self, tmp_path):
        refusal(str(tmp_path), "is a folder; expected a file")

    def test_permission(self, write, monkeypatch):
        def forbid(*arguments, **options):
            raise PermissionError(13, "Permission denied")

        path = write("ref", "a\n")
        monkeypatch.setattr("builtins.open", forbid)
        refusal(path, path, "cannot be read by this user", "chmod u+r")

    @pytest.mark.parametrize("path", ["a\0b", "x" * 5000])
    def test_impossible_paths(self, path):
        refusal(path, "cannot be opened", "check the path")

    def test_a_file_is_no_folder(self, write):
        refusal(write("ref", "a\n") + "/ref", "cannot be opened")

    def test_a_device_that_fails(self, write, monkeypatch):
        class Broken(io.BytesIO):
            def read(self, size=-1):
                raise OSError(5, "Input/output error")

        monkeypatch.setattr("bleuet.text.files._open", lambda path: Broken())
        refusal("ref.txt", "ref.txt cannot be read: Input/output error")

    def test_no_standard_input(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", None)
        refusal("-", "standard input, but there is none", "name a file")

    @every_archive
    @pytest.mark.parametrize("kept", [0.3, 0.9])
    def test_a_truncated_archive(self, write, suffix, kept):
        stored = COMPRESS[suffix](os.urandom(20_000).hex().encode())
        path = write("ref" + suffix, stored[: int(len(stored) * kept)])
        refusal(path, path, "archive ends too early", "create or download the file again")

    @every_archive
    def test_a_last_byte_missing(self, write, suffix):
        refusal(write("ref" + suffix, COMPRESS[suffix](b"text\n")[:-1]), "ends too early")

    @every_archive
    def test_a_damaged_archive(self, write, suffix):
        if suffix == ".zst":
            import zstandard

            packed = zstandard.ZstdCompressor(write_checksum=True).compress(b"text\n" * 9000)
        else:
            packed = COMPRESS[suffix](b"text\n" * 9000)
        stored = bytearray(packed)
        stored[len(stored) // 2] ^= 0xFF
        with pytest.raises(InputError, match=r"archive (is damaged|ends too early)"):
            read_lines(write("ref" + suffix, bytes(stored)))

    @every_archive
    def test_rubbish_behind_an_archive(self, write, suffix):
        refusal(write("ref" + suffix, COMPRESS[suffix](b"a\n") + b"rubbish"), "is damaged")

    @every_archive
    def test_an_archive_that_is_not_called_one(self, write, suffix):
        for content in (b"text\n", b""):
            path = write("ref.txt", COMPRESS[suffix](content))
            refusal(path, path, "is compressed with", f"does not end in {suffix}", "rename it")

    @every_archive
    def test_a_name_that_promises_too_much(self, write, suffix):
        path = write("ref" + suffix, "plain\n")
        refusal(
            path,
            path,
            f"ends in {suffix}",
            "should be compressed",
            "is not",
            "suffix of its content",
        )
        refusal(write("empty" + suffix, ""), f"ends in {suffix}", "it is empty")

    def test_one_archive_called_another(self, write):
        path = write("ref.gz", bz2.compress(b"a\n"))
        refusal(path, "ends in .gz", "compressed with gzip", "is compressed with bzip2")

    @every_archive
    def test_a_damaged_archive_on_standard_input(self, monkeypatch, suffix):
        stored = COMPRESS[suffix](b"a\nb\n")[:-1]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stored)))
        refusal("-", "<stdin>: the ", "archive ends too early")

    def test_a_missing_library_says_how_to_install_it(self, write, monkeypatch):
        path = write("ref.zst", b"\x28\xb5\x2f\xfd")
        monkeypatch.setitem(sys.modules, "zstandard", None)
        with pytest.raises(MissingExtraError, match=r"pip install 'bleuet\[zstd\]'"):
            read_lines(path)

    @pytest.mark.slow
    @every_archive
    def test_an_archive_that_swells_is_read_in_portions(self, write, suffix):
        path = write("ref" + suffix, COMPRESS[suffix](bytes(50_000_000)))
        with ByteFile(path) as file:
            blocks = iter(lambda: len(file.read_block(1000)), 0)
            largest, total = 0, 0
            for size in blocks:
                largest, total = max(largest, size), total + size
        assert total == 50_000_000
        assert largest < 20_000_000


@pytest.mark.slow
def test_importing_the_readers_is_light():
    heavy = "dataclasses typing inspect pathlib json gzip csv re zlib bz2 lzma difflib numpy"
    code = (
        "import sys; before = set(sys.modules); "
        "import bleuet.text.parallel, bleuet.text.source; "
        "print(*(set(sys.modules) - before))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=environment
    )
    assert not set(done.stdout.decode().split()) & set(heavy.split())


@pytest.mark.parametrize(
    ("missing", "there", "told"),
    [
        ("reff.txt", ["ref.txt", "a.txt"], "ref.txt"),
        ("ref.txt", ["ref.txt.gz", "hyp.txt"], "ref.txt.gz"),
        ("REF.TXT", ["ref.txt"], "ref.txt"),
        ("refrence.en.txt", ["reference.en.txt", "source.en.txt"], "reference.en.txt"),
        # Nothing is alike but the ending.
        ("c.txt", ["ref.txt", "a.txt"], None),
        ("hyp.en.txt", ["ref.en.txt"], None),
        ("mine.txt", ["time.txt"], None),
        ("a.comet", ["a.tok.de", "b.comet"], None),
    ],
)
def test_the_nearest_name_is_near(tmp_path, missing, there, told):
    for name in there:
        (tmp_path / name).touch()
    wanted = (
        "no file in its folder has a similar name" if told is None else f"in that folder is {told}"
    )
    refusal(str(tmp_path / missing), "there is no file", wanted)
