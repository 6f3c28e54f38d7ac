# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import gzip
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.errors import InputError
from bleuet.text.corpus import Corpus
from bleuet.text.parallel import Parallel, read_corpus, read_systems, stream_corpus
from bleuet.text.source import Source


@pytest.fixture
def write(tmp_path):
    def write(name, lines):
        path = tmp_path / name
        text = "".join(line + "\n" for line in lines).encode()
        path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
        return Source(str(path))

    return write


@pytest.fixture
def write_json(tmp_path):
    def write_json(name, values):
        path = tmp_path / name
        path.write_text("".join(json.dumps({"r": value}) + "\n" for value in values))
        return Source(str(path), "r")

    return write_json


def joined(corpora):
    corpora = list(corpora)
    return Corpus(
        [text for corpus in corpora for text in corpus.hypotheses],
        [entry for corpus in corpora for entry in corpus.references],
    )


def streamed(system, references):
    return joined(stream_corpus(system, references, 2, 3))


def refusal(action, *parts):
    with pytest.raises(InputError) as caught:
        action()
    message = str(caught.value)
    assert "\n" not in message
    missing = [part for part in parts if part not in message]
    assert not missing, message
    return message


both = pytest.mark.parametrize("read", [read_corpus, streamed])


@both
class TestOneSystem:
    def test_one_reference(self, write, read):
        hypotheses, references = [f"h{n}" for n in range(99)], [f"r{n}" * n for n in range(99)]
        corpus = read(write("hyp", hypotheses), [write("ref.gz", references)])
        assert corpus == Corpus(hypotheses, references)

    def test_several_files_of_references(self, write, read):
        corpus = read(write("hyp", "ab"), [write("r1", "cd"), write("r2", "ef")])
        assert corpus == Corpus(["a", "b"], [["c", "e"], ["d", "f"]])

    def test_several_references_in_one_file(self, write, write_json, read):
        values = [["c", "d"], "e", ["f", None]]
        corpus = read(write("hyp", "xyz"), [write_json("ref.jsonl", values)])
        assert corpus == Corpus(["x", "y", "z"], values)

    def test_files_of_both_kinds(self, write, write_json, read):
        several = write_json("ref.jsonl", [["c", "d"], None, []])
        corpus = read(write("hyp", "xyz"), [write("ref", "abc"), several])
        assert corpus == Corpus(["x", "y", "z"], [["a", "c", "d"], ["b", None], ["c"]])

    @pytest.mark.parametrize("none", [None, [], [None]])
    def test_a_segment_without_a_reference(self, write, write_json, read, none):
        source = write_json("ref.jsonl", ["a", "b", "c", none, "d"])
        hypotheses = write("hyp", "abcde")
        refusal(lambda: read(hypotheses, [source]), "segment 4 has no reference", str(source), "''")

    @pytest.mark.parametrize(("n", "m"), [(3, 5), (5, 3), (0, 2), (2, 0), (70_000, 69_999)])
    def test_lengths_that_differ(self, write, read, n, m):
        if n > 100 and read is streamed:

            def read(system, references):
                return joined(stream_corpus(system, references))

        hypotheses, references = write("hyp", ["h"] * n), write("ref.gz", ["r"] * m)
        refusal(
            lambda: read(hypotheses, [references]),
            "differ in length",
            f"{hypotheses} has {n}",
            f"{references} has {m}",
            "expected",
            "check",
            "`bleuet lint REF -i HYP` finds the line",
        )

    def test_nothing_at_all(self, write, read):
        hypotheses, references = write("hyp", []), write("ref", [])
        refusal(
            lambda: read(hypotheses, [references]), "no segments", str(hypotheses), "at least one"
        )

    def test_no_references(self, write, read):
        hypotheses = write("hyp", ["a"])
        refusal(lambda: read(hypotheses, []), "no file of references", "at least one")

    def test_hypotheses_are_single(self, write, write_json, read):
        hypotheses = write_json("hyp.jsonl", ["a", ["b"]])
        refusal(lambda: read(hypotheses, [write("ref", "ab")]), ":2: r is a list")


class TestSeveralSystems:
    def test_they_share_the_references(self, write):
        systems = [write("a", "ab"), write("b", "cd")]
        first, second = read_systems(systems, [write("ref", "ef")])
        assert first == Corpus(["a", "b"], ["e", "f"])
        assert second.hypotheses == ["c", "d"]
        assert second.references is first.references

    def test_they_are_read_in_step(self, write):
        systems = [write("a", "abcde"), write("b", ["long" * 20] * 5)]
        batches = list(Parallel(systems, [write("ref", "vwxyz")], batch_size=2, batch_bytes=50))
        assert all(len(set(map(len, (*texts, references)))) == 1 for texts, references in batches)
        assert [text for texts, _ in batches for text in texts[0]] == list("abcde")
        assert [text for texts, _ in batches for text in texts[1]] == ["long" * 20] * 5
        assert [text for _, references in batches for text in references] == list("vwxyz")

    def test_all_lengths_are_told(self, write):
        sources = [write("a", "abc"), write("b", "abcd"), write("ref", "ab")]
        found = [f"{source} has {n}" for source, n in zip(sources, (3, 4, 2), strict=True)]
        refusal(lambda: list(Parallel(sources[:2], sources[2:], 1)), *found)
        refusal(lambda: list(Parallel(sources[:2], sources[2:], 1, 1)), *found)
        refusal(lambda: read_systems(sources[:2], sources[2:]), *found)

    def test_no_system(self, write):
        refusal(lambda: read_systems([], [write("ref", "a")]), "no file of hypotheses")

    @pytest.mark.parametrize("forced", [(), (0,), (1,), (2,), (3,), (1, 3)])
    def test_each_file_is_read_as_it_was_named(self, write, forced):
        """Also the second system, and the second file of references."""
        plain = [write(name, [f"{name} one.", f"{name} two."]) for name in "abcd"]
        files = [source.replace(as_lines=number in forced) for number, source in enumerate(plain)]
        expected = [0 in forced, 1 in forced], 2 in forced or 3 in forced
        corpora = read_systems(files[:2], files[2:])
        (batch,) = Parallel(files[:2], files[2:])
        assert ([one.segments[0].as_lines for one in corpora], expected[1]) == expected
        assert {one.segments[1].as_lines for one in corpora} == {expected[1]}
        assert ([one.as_lines for one in batch[0]], batch[1].as_lines) == expected


class TestStreaming:
    def test_progress(self, write):
        hypotheses, references = write("hyp", ["h" * 99] * 5000), write("ref.gz", ["r"] * 5000)
        with stream_corpus(hypotheses, [references], 1000, 100_000) as batches:
            assert batches.bytes_total == sum(
                map(os.path.getsize, (hypotheses.path, references.path))
            )
            seen = [(batches.bytes_read, batches.segments_read) for _ in batches]
            assert batches.bytes_read == batches.bytes_total
        assert seen == sorted(seen)
        assert seen[-1][1] == 5000
        assert seen[0][0] < seen[-1][0]

    def test_a_pipe_has_no_size(self, write):
        pipe, file = Source("/dev/null"), write("ref", "a")
        for system, references in ((pipe, [file]), (file, [pipe]), (file, [file, pipe])):
            with stream_corpus(system, references) as batches:
                assert batches.bytes_total is None

    def test_a_very_long_rest_is_not_counted(self, write, monkeypatch):
        monkeypatch.setattr("bleuet.text.lines._COUNT_LIMIT_BYTES", 0)
        hypotheses, references = write("hyp", ["h"]), write("ref", ["r"] * 500_000)
        refusal(lambda: streamed(hypotheses, [references]), "has at least")

    def test_files_are_closed_when_one_is_missing(self, write, tmp_path):
        refusal(
            lambda: stream_corpus(write("hyp", "a"), [Source(str(tmp_path / "hyq"))]),
            "nearest name in that folder is hyp",
        )

    def test_a_wrong_byte_further_on(self, write, tmp_path):
        (tmp_path / "ref").write_bytes(b"r\n" * 50 + b"\xff\n")
        hypotheses = write("hyp", ["h"] * 51)
        refusal(lambda: streamed(hypotheses, [Source(str(tmp_path / "ref"))]), "ref:51: byte 1")

    segments = st.lists(
        st.tuples(*[st.text(st.sampled_from("ab \r\u2028ß")).map(lambda t: t + ".")] * 3),
        min_size=1,
    )

    @given(segments, st.integers(1, 5), st.integers(1, 20))
    def test_streaming_is_reading(self, tmp_path_factory, segments, size, batch_bytes):
        sources = []
        for number, lines in enumerate(zip(*segments, strict=True)):
            path = tmp_path_factory.getbasetemp() / f"part{number}"
            path.write_bytes("\n".join(lines).encode())
            sources.append(Source(str(path)))
        whole = read_corpus(sources[0], sources[1:])
        assert joined(stream_corpus(sources[0], sources[1:], size, batch_bytes)) == whole
        assert whole.hypotheses == [hypothesis for hypothesis, *_ in segments]
