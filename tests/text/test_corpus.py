# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import array
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.errors import InputError, InputTypeError
from bleuet.text.corpus import Corpus
from bleuet.text.segments import Segments
from bleuet.text.validation import (
    check_hypotheses,
    check_lengths,
    check_references,
    count_references,
)


def refusal(*arguments, build=Corpus, error=InputError):
    with pytest.raises(error) as caught:
        build(*arguments)
    message = str(caught.value)
    assert "\n" not in message
    return message


def holds(message, *parts):
    missing = [part for part in parts if part not in message]
    assert not missing, message


class TestValue:
    def test_lists_are_kept_as_they_are(self):
        hypotheses, references = ["a", "b"], ["c", ["d", None]]
        corpus = Corpus(hypotheses, references)
        assert corpus.hypotheses is hypotheses
        assert corpus.references is references
        assert not corpus.token_ids
        assert len(corpus) == 2

    @pytest.mark.parametrize("wrap", [tuple, iter, np.array, lambda texts: (t for t in texts)])
    def test_anything_in_order_becomes_a_list(self, wrap):
        corpus = Corpus(wrap(["a", "b"]), wrap(["c", "d"]))
        assert type(corpus.hypotheses) is list
        assert corpus == Corpus(["a", "b"], ["c", "d"])
        assert all(type(text) is str for text in corpus.hypotheses)

    def test_alternatives_of_any_kind_become_lists(self):
        corpus = Corpus(["a", "b"], [(text for text in "cd"), np.array(["e"])])
        assert corpus.references == [["c", "d"], ["e"]]

    def test_subclasses_of_str_are_strings(self):
        class Marked(str):
            pass

        assert Corpus([Marked("a")], [[Marked("b"), None]]).hypotheses == ["a"]

    def test_an_empty_text_is_a_text(self):
        corpus = Corpus(["", ""], ["", [""]])
        assert corpus.n_references == 1

    @pytest.mark.parametrize(
        ("references", "count"),
        [
            (["a", "b"], 1),
            ([["a"], "b"], 1),
            ([["a", "b"], ("c", "d")], 2),
            ([["a", None], "b"], 1),
            ([["a", None], ["b", "c"]], None),
            ([["a", ""], ["b", "c"]], 2),
        ],
    )
    def test_present_references_are_counted(self, references, count):
        assert Corpus(["x", "y"], references).n_references == count

    def test_it_never_changes(self):
        corpus = Corpus(["a"], ["b"])
        with pytest.raises(AttributeError, match="frozen"):
            corpus.hypotheses = ["c"]  # type: ignore[misc]
        with pytest.raises(AttributeError, match="frozen"):
            del corpus.references
        with pytest.raises(AttributeError):
            corpus.other = 1
        with pytest.raises(TypeError, match="unhashable"):
            hash(corpus)

    def test_it_is_short_to_look_at(self):
        large = Corpus(["a"] * 1000, ["b"] * 1000)
        assert repr(large) == "Corpus(1,000 segments, 1 reference each)"
        assert repr(Corpus.from_token_ids([[1]], [[[1], [2]]])) == (
            "Corpus(1 segment of token ids, 2 references each)"
        )

    def test_it_travels_between_processes(self):
        for corpus in (Corpus(["a"], [["b", None]]), Corpus.from_token_ids([[1]], [[1, 2]])):
            other = pickle.loads(pickle.dumps(corpus))
            assert other == corpus
            assert other.n_references == 1

    def test_equality_looks_at_the_texts(self):
        assert Corpus(["a"], ["b"]) == Corpus(["a"], [["b"]])
        assert Corpus(["a"], ["b"]) != Corpus(["a"], ["c"])
        assert Corpus(["a"], ["b"]) != "a"
        ids = Corpus.from_token_ids([[1, 2]], [[3]])
        assert ids == Corpus.from_token_ids([np.array([1, 2])], [array.array("i", [3])])


class TestParts:
    corpus = Corpus(list("abcde"), list("fghij"))

    def test_slices(self):
        part = self.corpus[1:4]
        assert part == Corpus(list("bcd"), list("ghi"))
        assert self.corpus[::-1].hypotheses == list("edcba")

    def test_selection_repeats_and_reorders(self):
        part = self.corpus.select(np.array([3, 0, 3]))
        assert part == Corpus(list("dad"), list("ifi"))

    def test_parts_of_token_ids_stay_token_ids(self):
        ids = Corpus.from_token_ids([[1], [2]], [[3], [4]])
        assert ids[1:].token_ids
        assert ids.select([1]) == ids[1:]

    @pytest.mark.parametrize("mask", [[True, False], np.array([True, False])])
    def test_a_mask_is_refused(self, mask):
        message = refusal(mask, build=self.corpus.select, error=InputTypeError)
        holds(message, "expected segment numbers", "bool", "enumerate(mask)")

    def test_parts_that_are_no_parts_are_refused(self):
        holds(refusal([5], build=self.corpus.select), "row 5", "from 0 to 4")
        holds(refusal([], build=self.corpus.select), "none of 5 segments was selected")
        holds(refusal(slice(3, 3), build=self.corpus.__getitem__), "segments was selected")
        message = refusal([0], build=self.corpus.__getitem__, error=InputTypeError)
        holds(message, "number of a segment", "a list", "corpus.select(numbers)")
        with pytest.raises(IndexError, match="segment 5 of 5"):
            self.corpus[5]

    def test_segments_have_numbers_and_an_order(self):
        segments = list(zip(self.corpus.hypotheses, self.corpus.references, strict=True))
        assert [self.corpus[i] for i in range(len(self.corpus))] == segments
        assert list(self.corpus) == segments
        assert self.corpus[-1] == segments[-1]
        lines = Corpus.from_checked(Segments.of_lines([(b"a\nb\n", 2)]), ["c", "d"])
        assert (lines[0], lines[1], list(lines)) == (
            ("a", "c"),
            ("b", "d"),
            [("a", "c"), ("b", "d")],
        )

    def test_another_system_shares_the_references(self):
        other = self.corpus.with_hypotheses(iter("vwxyz"))
        assert other.references is self.corpus.references
        assert other.hypotheses == list("vwxyz")
        holds(refusal(["a"], build=self.corpus.with_hypotheses), "1 hypothesis but 5 references")
        ids = Corpus.from_token_ids([[1]], [[2]])
        assert ids.with_hypotheses([[4]]) == Corpus.from_token_ids([[4]], [[2]])


class TestMisuse:
    def test_lengths_that_differ(self):
        message = refusal(["h"] * 3003, ["r"] * 3000)
        holds(
            message,
            "3,003 hypotheses but 3,000 references",
            "expected one entry",
            "no line is missing",
        )
        holds(refusal(["h"], []), "1 hypothesis but 0 references")
        holds(refusal([], ["r"]), "0 hypotheses but 1 reference")

    @pytest.mark.parametrize(
        ("hypotheses", "streams"),
        [
            (["a", "b", "c"], [["d", "e", "f"]]),
            (["a", "b", "c"], [["d", "e", "f"], ["g", None, "i"]]),
            (["a", "b", "c"], [("d", "e", "f"), ("g", "h", "i")]),
            (["a", "b"], [["d", "e"], ["f", "g"], ["h", "i"]]),
            (["a"], [["d"], ["e"]]),
            (["a", "b", "c"], [np.array(["d", "e", "f"])]),
        ],
    )
    def test_transposed_references_say_how_to_turn_them(self, hypotheses, streams):
        message = refusal(hypotheses, streams)
        holds(message, "sacreBLEU's layout", "Corpus.from_sacrebleu(hypotheses, references)")
        holds(message, "[list(refs) for refs in zip(*references)]", "references[i]")
        turned = [list(references) for references in zip(*streams, strict=True)]
        assert Corpus(hypotheses, turned) == Corpus.from_sacrebleu(hypotheses, streams)

    def test_shapes_that_fit_both_layouts_are_per_segment(self):
        assert Corpus(["a"], [["b", "c"]]).n_references == 2
        square = [["c", "d"], ["e", "f"]]
        assert Corpus(["a", "b"], square).references is square

    def test_streams_of_another_length(self):
        holds(refusal(["h"] * 5, [["r"] * 4]), "5 hypotheses but 1 reference (each a list of 4)")

    def test_several_references_of_one_hypothesis(self):
        holds(refusal(["h"], ["r", "s"]), "1 hypothesis but 2 references", "[[...]]")

    @pytest.mark.parametrize(
        ("arguments", "parts"),
        [
            (("text", ["r"]), ("hypotheses is a bare string", "expected a list of strings", "[")),
            ((["h"], "text"), ("references is a bare string", "expected a list", "wrap it")),
            ((b"text", ["r"]), ("hypotheses is bytes", "expected a list of strings")),
            ((["h"], bytearray(b"r")), ("references is a bytearray", "expected a list")),
            (({"h"}, ["r"]), ("hypotheses is a set", "no order", "make a list")),
            ((["h"], {0: "r"}), ("references is a dict", "no order", "make a list")),
            ((["h"], frozenset("r")), ("references is a frozenset", "no order")),
            ((None, ["r"]), ("hypotheses is None", "expected a list", "pass a list")),
            ((3, ["r"]), ("hypotheses is an int", "expected a list", "pass a list")),
            ((["h", None], ["r", "s"]), ("hypotheses[1] is None", "expected a string", "''")),
            ((["h", b"x"], ["r", "s"]), ("hypotheses[1] is bytes", "a string", ".decode('utf-8')")),
            ((["h", 3], ["r", "s"]), ("hypotheses[1] is an int", "a string", "str()")),
            (([["h"]], ["r"]), ("hypotheses[0] is a list", "' '.join(tokens)", "from_token_ids")),
            ((["h"], [3]), ("references[0] is an int", "a string or a list of strings")),
            ((["h"], [float("nan")]), ("references[0] is a float", "expected a string")),
            ((["h"], [b"r"]), ("references[0] is bytes", "expected a string")),
            ((["h"], [{"r"}]), ("references[0] is a set", "no order")),
            ((["h"], [["r", 4.0]]), ("references[0][1] is a float", "expected a string", "fill")),
            ((["h"], [["r", ["s"]]]), ("references[0][1] is a list", "expected a string")),
        ],
    )
    def test_wrong_kinds_are_named(self, arguments, parts):
        holds(refusal(*arguments, error=InputTypeError), *parts)

    def test_a_path_is_told_how_to_be_read(self, tmp_path):
        message = refusal(tmp_path, ["r"], error=InputTypeError)
        holds(message, "PosixPath", "expected a list of strings", "read_lines(path)")

    @pytest.mark.parametrize("none", [None, [], (), [None], (None, None)])
    @pytest.mark.parametrize("other", ["s", ["s"], ["s", None]])
    def test_a_segment_without_a_reference(self, none, other):
        message = refusal(["a", "b"], [other, none])
        holds(message, "references[1] has no reference", "at least one", "remove the segment")

    def test_no_segments(self):
        holds(refusal([], []), "no segments to score", "at least one")
        holds(refusal([], build=check_references), "no segments to score")
        holds(refusal([], [], build=check_lengths), "no segments to score")

    def test_an_error_of_the_callers_iterator_is_his(self):
        def broken():
            yield "a"
            raise TypeError("mine")

        with pytest.raises(TypeError, match="mine"):
            Corpus(broken(), ["b"])

    def test_parts_can_be_checked_alone(self):
        assert check_hypotheses(("a", "b")) == ["a", "b"]
        references = [["a", None], "b"]
        assert check_references(references) is references
        check_lengths(["a"], ["b"])
        refusal([["a"], [None]], build=check_references)


class TestSacrebleuLayout:
    def test_one_stream_is_not_copied(self):
        stream = ["c", "d"]
        assert Corpus.from_sacrebleu(["a", "b"], [stream]).references is stream

    def test_streams_turn(self):
        corpus = Corpus.from_sacrebleu(["a", "b"], [["c", "d"], iter(["e", None]), ("f", "g")])
        assert corpus == Corpus(["a", "b"], [["c", "e", "f"], ["d", None, "g"]])
        assert corpus.n_references is None

    @pytest.mark.parametrize(
        ("hypotheses", "streams", "parts"),
        [
            (["a", "b"], ["c", "d"], ("streams[0] is a string", "expected a list of streams")),
            (["a", "b", "c"], [["d", "e"], ["f", "g"], ["h"]], ("use Corpus(hypotheses, refer",)),
            (
                ["a"],
                [["c", "d"]],
                ("streams[0] has 2 references", "Corpus(hypotheses, references)"),
            ),
            (["a", "b", "c"], [["d", "e", "f"], ["g"]], ("3 hypotheses but streams[1] has 1 ref",)),
            (["a"], [], ("streams is empty", "at least one stream")),
            (["a"], "c", ("streams is a bare string", "expected a list of streams")),
            (["a"], [None], ("streams[0] is None", "expected one reference")),
            (["a"], [[["c"]]], ("streams[0][0] is a list", "expected a string")),
            (["a"], [[3]], ("streams[0][0] is an int", "expected a string")),
            (["a", "b"], [["c", None]], ("references[1] has no reference",)),
            (["a", "b"], [["c", None], ["d", None]], ("references[1] has no reference",)),
            ("a", [["c"]], ("hypotheses is a bare string",)),
            ([], [[]], ("no segments to score",)),
        ],
    )
    def test_misuse(self, hypotheses, streams, parts):
        holds(refusal(hypotheses, streams, build=Corpus.from_sacrebleu), *parts)

    @given(
        st.integers(1, 5).flatmap(
            lambda n: st.lists(st.lists(st.text(), min_size=n, max_size=n), min_size=1, max_size=4)
        )
    )
    def test_turning_twice_changes_nothing(self, streams):
        corpus = Corpus.from_sacrebleu(streams[0], streams)
        rows = [[row] if isinstance(row, str) else list(row) for row in corpus.references]
        assert [list(stream) for stream in zip(*rows, strict=True)] == streams
        assert corpus.n_references == len(streams)


class TestTokenIds:
    @pytest.mark.parametrize(
        "wrap",
        [
            list,
            tuple,
            np.array,
            lambda ids: array.array("q", ids),
            lambda ids: np.array(ids, dtype=np.uint16),
            lambda ids: np.array(ids, dtype=">i4"),
            lambda ids: np.repeat(ids, 2)[::2],
            lambda ids: [np.int64(number) for number in ids],
        ],
    )
    def test_sequences_of_integers(self, wrap):
        corpus = Corpus.from_token_ids(
            [wrap([1, 2]), wrap([3])], [wrap([4, 5]), [wrap([6]), None, wrap([7, 8])]]
        )
        assert corpus.token_ids
        assert corpus == Corpus.from_token_ids([[1, 2], [3]], [[4, 5], [[6], None, [7, 8]]])
        assert corpus.n_references is None

    def test_references_are_always_several(self):
        assert Corpus.from_token_ids([[1]] * 2, [[2, 3], [4]]).references == [[[2, 3]], [[4]]]
        mixed = Corpus.from_token_ids([[1]] * 2, [[2, 3], [[4], []]])
        assert mixed.references == [[[2, 3]], [[4], []]]

    def test_contiguous_buffers_are_kept(self):
        ids = np.arange(5)
        assert Corpus.from_token_ids([ids], [ids]).hypotheses[0] is ids

    def test_an_array_of_two_dimensions_is_several_sequences(self):
        square = np.arange(6).reshape(2, 3)
        corpus = Corpus.from_token_ids(square, [square, square])
        assert corpus.n_references == 2
        assert [list(ids) for ids in corpus.hypotheses] == [[0, 1, 2], [3, 4, 5]]

    def test_sequences_without_tokens(self):
        corpus = Corpus.from_token_ids([[], np.array([], dtype=int)], [[[]], [[], None]])
        assert corpus.n_references == 1
        message = refusal([[1]], [[]], build=Corpus.from_token_ids)
        holds(message, "references[0] is empty", "could mean", "write [[]]")

    @pytest.mark.parametrize(
        ("hypotheses", "references", "parts"),
        [
            ([[1, 2.0]], [[1]], ("hypotheses[0][1] is a float", "expected an integer")),
            ([[1, True]], [[1]], ("hypotheses[0][1] is a bool", "expected an integer")),
            ([["a"]], [[1]], ("hypotheses[0][0] is a str", "Corpus(hypotheses, references)")),
            (["ab"], [[1]], ("hypotheses[0] is a str", "one-dimensional sequence of integers")),
            ([b"ab"], [[1]], ("hypotheses[0] is bytes", "sequence of integers")),
            ([1, 2], [[1], [2]], ("hypotheses[0] is an int", "one list of ids for each segment")),
            ([None], [[1]], ("hypotheses[0] is None", "sequence of integers")),
            ([[None]], [[1]], ("hypotheses[0][0] is None", "expected an integer")),
            ([range(2), iter([1, "a"])], [[1]] * 2, ("hypotheses[1][1] is a str", "an integer")),
            ([np.array([1.5])], [[1]], ("hypotheses[0] is a ndarray", "sequence of integers")),
            ([np.array([True])], [[1]], ("hypotheses[0] is a ndarray", "sequence of integers")),
            ([np.zeros((2, 2), int)], [[1]], ("hypotheses[0] is a ndarray", "one-dimensional")),
            ([[1]], [[1, None]], ("references[0][1] is None", "expected an integer")),
            ([[1]], [[None]], ("references[0] has no reference",)),
            ([[1]], [None], ("references[0] has no reference",)),
            ([[1]], [[[1], "a"]], ("references[0][1] is a str", "sequence of integers")),
            ([[1]], [{1}], ("references[0] is a set", "sequence of integers")),
            ([[1], [2]], [[1, 2]], ("2 hypotheses but 1 reference",)),
            ([], [], ("no segments to score",)),
            (7, [[1]], ("hypotheses is an int", "one sequence of integers for each segment")),
        ],
    )
    def test_misuse(self, hypotheses, references, parts):
        holds(refusal(hypotheses, references, build=Corpus.from_token_ids), *parts)


def test_references_prepared_elsewhere_have_only_a_length():
    class Prepared:
        def __len__(self):
            return 3

    check_lengths(["a"] * 3, Prepared())
    holds(refusal(["a"], Prepared(), build=check_lengths), "1 hypothesis but 3 references")


@pytest.mark.parametrize(
    ("references", "count"),
    [(["a"], 1), ([["a", "b"]], 2), ([["a", None]], 1), ([[[1], None], [[2]]], 1), (["a", "b"], 1)],
)
def test_references_are_counted_alone(references, count):
    assert count_references(references) == count
