"""BLEU of tensors: the integers that the CPU counts, compiled or not, and every BLEU's score."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleuet import (
    BLEU,
    CrystalBLEU,
    InputError,
    InputTypeError,
    MeanBLEU,
    OptionError,
    TableError,
    Totals,
)
from bleuet.metrics.bleu.smoothing import SMOOTHINGS
from tests.torch.batches import Batch, compare_batches, counted_on_cpu, random_batch

pytestmark = pytest.mark.torch
torch: Any = import_module("torch")
bleu: Any = import_module("bleuet.torch")
ROOT = Path(__file__).parents[2]


def ids(*rows: list[Any]) -> Any:
    return torch.tensor([*rows])


# --- The same integers ----------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "seed", "width"), [(400, 1, 12), (20, 2, 200)])
def test_rows_are_those_of_the_cpu(number: int, seed: int, width: int) -> None:
    compare_batches(number, seed, width)


def test_a_wrong_row_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = bleu.bleu_statistics

    def wrong(*batch: Any, **options: Any) -> Any:
        rows = right(*batch, **options)
        return rows + (rows[:, 2:3] > 3)

    monkeypatch.setattr(bleu, "bleu_statistics", wrong)
    with pytest.raises(AssertionError):
        compare_batches(50, 1, 12)


@pytest.mark.parametrize("bits", [2, 3, 40])
def test_n_grams_that_need_more_than_one_number(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks need that many tokens for more than 63 bits that fewer bits are made to do."""
    from bleuet.torch import ngram_matches

    chance = random.Random(bits)
    batches = [random_batch(chance, 12) for _ in range(60)]
    for batch in filter(lambda one: len(one.candidates), batches):
        candidates, references, options = batch
        places = candidates.shape[1] + references.shape[1] * references.shape[2]
        least = 2 * places.bit_length() + references.shape[1].bit_length()
        monkeypatch.setattr(ngram_matches, "BITS", max(least, bits))
        rows = bleu.bleu_statistics(candidates, references, **options)
        assert np.array_equal(rows.numpy(), counted_on_cpu(batch)), batch


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
@pytest.mark.parametrize(("number", "width"), [(2000, 12), (200, 200), (20, 1500)])
def test_rows_of_a_gpu_are_those_of_the_cpu(number: int, width: int) -> None:
    compare_batches(number, 7, width, "cuda")


# Small keys need to be sorted for each order, and few places in a warp need several warps.
@pytest.mark.parametrize("constants", [[], ["KEY_BITS=18", "PLACES_OF_WARP=32"]])
def test_the_kernel_of_the_gpu_in_the_interpreter(constants: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.torch.batches", "5", "6", "80", *constants],
        env={
            **os.environ,
            "TRITON_INTERPRET": "1",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout == "equal\n", done.stderr


@pytest.mark.parametrize(("places", "several", "orders"), [(64, 1, 4), (256, 3, 8), (2048, 1, 4)])
def test_the_kernel_compiles_for_a_gpu(places: int, several: int, orders: int) -> None:
    triton, compiler, backends = map(
        import_module, ("triton", "triton.compiler", "triton.backends.compiler")
    )
    from bleuet.torch import ngram_kernel

    constants = ngram_kernel.constants(places, several, orders)
    options = {"num_warps": constants.pop("num_warps")}
    pointers = ("ids", "lengths", "reference_ids", "reference_lengths", "matches")
    types = {
        **dict.fromkeys(pointers, "*i64"),
        **dict.fromkeys(("width", "reference_width", "several"), "i32"),
        **dict.fromkeys(constants, "constexpr"),
    }
    source = compiler.ASTSource(ngram_kernel._count, types, constants)
    made = triton.compile(source, target=backends.GPUTarget("cuda", 90, 32), options=options)
    assert "_count" in made.asm["ptx"]
    # For most places, 16 KB, which every GPU has.
    assert made.metadata.shared <= 8 * places


def test_what_fits_the_kernel() -> None:
    from bleuet.torch.ngram_kernel import constants, fits_kernel
    from bleuet.torch.token_tensors import TokenRows

    def rows(references: int, width: int) -> Any:
        return TokenRows(torch.zeros(1, references, width), torch.zeros(1, references))

    assert fits_kernel(rows(1, 1024), rows(1, 1024), 8)
    assert fits_kernel(rows(1, 2), rows(3, 682), 4)
    assert not fits_kernel(rows(1, 3), rows(3, 682), 4)
    assert not fits_kernel(rows(1, 512), rows(1, 512), 9)
    # A key has room for at least the rank of an n-gram and that of one more token.
    for places in (2, 64, 65, 1025, 2048):
        for several in (1, places - 1):
            one = constants(places, several, 8)
            assert places <= one["PLACES"] < 2 ** one["RANK_BITS"]
            assert several < 2 ** one["SIDE_BITS"]
            assert one["RANKS"] >= 2
            assert one["RANKS"] * one["RANK_BITS"] + one["SIDE_BITS"] <= 63


# --- Padding, lengths and types -------------------------------------------------------------------


def test_padding_on_either_side_is_no_token() -> None:
    right = bleu.bleu_statistics(ids([5, 6, 0, 0]), ids([5, 6, 7, 0]), padding=0)
    left = bleu.bleu_statistics(ids([0, 0, 5, 6]), ids([0, 5, 6, 7]), padding=0)
    assert right.tolist() == left.tolist() == [[2, 3, 2, 1, 0, 0, 2, 1, 0, 0]]


def test_several_ids_that_are_no_tokens() -> None:
    """As labels are: the ids of padding, and -100 where no loss is."""
    rows = bleu.bleu_statistics(ids([5, 0, 6, -100]), ids([-100, 5, 6, 7]), padding=[0, -100])
    assert rows.tolist() == [[2, 3, 2, 1, 0, 0, 2, 1, 0, 0]]
    assert torch.equal(rows, bleu.bleu_statistics(ids([5, 6]), ids([5, 6, 7]), padding=()))


@pytest.mark.parametrize(
    ("candidate", "options"),
    [
        ([5, 6, 2, 9, 2], {"end": 2}),
        ([5, 6, 3, 9, 2], {"end": [2, 3]}),
        ([5, 6, 2, 9, 0], {"end": 2, "padding": 0}),
        ([0, 5, 6, 2, 9], {"end": 2, "padding": 0}),
        ([2, 2, 5, 6, 2], {"end": 2, "padding": 2}),
        ([5, 6, 2, 7, 2], {"end": 2, "padding": 2}),
        ([5, 6, 9, 2, 2], {"end": 2, "candidate_lengths": torch.tensor([2])}),
    ],
)
def test_what_follows_the_end_is_no_token(candidate: list[int], options: Any) -> None:
    expected = bleu.bleu_statistics(ids([5, 6]), ids([5, 6, 7]))
    reference = ids([5, 6, 7, 2, 9]) if 3 not in candidate else ids([5, 6, 7, 2, 3])
    assert torch.equal(bleu.bleu_statistics(ids(candidate), reference, **options), expected)


def test_every_function_knows_the_end() -> None:
    batch = ids([5, 6, 7, 8, 2, 9]), ids([5, 6, 7, 8, 2, 4])
    options = {"padding": [0, -100], "end": 2}
    assert bleu.sentence_bleu(*batch, **options).item() == pytest.approx(100)
    assert bleu.corpus_bleu(*batch, **options).score == pytest.approx(100)
    assert bleu.matrix(*batch, **options).item() == pytest.approx(100)
    assert bleu.bleu_table(*batch, **options).row(0)["ref_len"] == 4
    assert bleu.chrf_statistics(*batch, **options)[0, :3].tolist() == [4, 4, 4]
    certain = torch.nn.functional.one_hot(batch[0][:, :4], 10).double()
    assert bleu.expected_bleu_bound(certain, batch[1], **options).item() == pytest.approx(1)
    assert bleu.bag_of_ngrams_loss(certain, batch[1], **options).item() == 0


def test_an_empty_text_ends_at_once() -> None:
    rows = bleu.bleu_statistics(ids([2, 5, 0], [2, 2, 2]), ids([5, 6, 2], [5, 2, 2]), end=2)
    assert rows[:, :2].tolist() == [[0, 2], [0, 1]]
    rows = bleu.bleu_statistics(ids([2, 2, 2]), ids([5, 2, 2]), end=2, padding=2)
    assert rows[:, :2].tolist() == [[0, 1]]


@pytest.mark.parametrize("places", [1, 40])
def test_segments_are_sorted_in_blocks(places: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("bleuet.torch.clipped_matches"), "PLACES_IN_BLOCK", places)
    compare_batches(60, 5, 12)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_segments() -> None:
    profiler = import_module("torch.profiler")
    candidates = torch.randint(0, 9, (1024, 512), generator=torch.Generator().manual_seed(1))
    highest = 0
    with profiler.profile(activities=[profiler.ProfilerActivity.CPU], profile_memory=True) as run:
        bleu.bleu_statistics(candidates, candidates)
    events = [one for one in run.profiler.kineto_results.events() if one.name() == "[memory]"]
    held = 0
    for event in sorted(events, key=lambda one: one.start_ns()):
        held += event.nbytes()
        highest = max(highest, held)
    # About 100 bytes for each place of a block, and not for each of the million places.
    assert 1 << 20 < highest < 40 << 20


def test_a_reference_that_is_not_there() -> None:
    references = ids([[5, 6, 7], [5, 0, 0]])
    lengths = torch.tensor([[3, -1]])
    rows = bleu.bleu_statistics(ids([5]), references, reference_lengths=lengths)
    assert rows[0, 1] == 3
    # An empty reference is there.
    rows = bleu.bleu_statistics(ids([5]), references, reference_lengths=lengths.clamp(min=0))
    assert rows[0, 1] == 0
    rows = bleu.bleu_statistics(ids([5]), references, reference_lengths=lengths.clamp(max=-1))
    assert rows[0].tolist() == [1, 0, 0, 0, 0, 0, 1, 0, 0, 0]


def test_lengths_beyond_the_width_are_the_width() -> None:
    rows = bleu.bleu_statistics(
        ids([5, 6]),
        ids([5, 6]),
        candidate_lengths=torch.tensor([9]),
        reference_lengths=torch.tensor([2**40]),
        max_ngram_order=1,
    )
    assert rows.tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64"])
def test_every_type_of_integers(dtype: str) -> None:
    batch = ids([5, 6, 7, 9], [1, 1, 1, 2]), ids([5, 6, 7, 8], [1, 2, 1, 1])
    rows = bleu.bleu_statistics(*(one.to(getattr(torch, dtype)) for one in batch), padding=1)
    assert torch.equal(rows, bleu.bleu_statistics(*batch, padding=1))


def test_views_that_are_not_contiguous() -> None:
    whole = torch.arange(48).view(4, 12) % 5
    some, other = whole[::2, ::3], whole[1::2, ::2]
    expected = bleu.bleu_statistics(some.clone(), other.clone())
    assert torch.equal(bleu.bleu_statistics(some, other), expected)


def test_inputs_are_not_changed() -> None:
    batch = ids([0, 5, 6]), ids([5, 0, 6])
    copies = [one.clone() for one in batch]
    bleu.bleu_statistics(*batch, padding=0)
    assert all(map(torch.equal, batch, copies))


def test_no_memory_grows_with_the_vocabulary() -> None:
    """No tensor has more elements than a few for each token, whatever the ids are."""
    modes = import_module("torch.utils._python_dispatch")
    largest = 0

    class Sizes(modes.TorchDispatchMode):  # type: ignore[name-defined, misc]
        def __torch_dispatch__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            nonlocal largest
            found = function(*args, **(kwargs or {}))
            for one in found if isinstance(found, tuple | list) else [found]:
                if isinstance(one, torch.Tensor):
                    largest = max(largest, one.numel())
            return found

    candidates = torch.arange(16 * 40).view(16, 40) * 2**40
    with Sizes():
        bleu.bleu_statistics(candidates, candidates.view(16, 2, 20))
    assert 16 * 40 <= largest <= 16 * (80 + 2)


# --- Compiled and in training ---------------------------------------------------------------------


def test_compiled_without_a_break_for_any_shape() -> None:
    counts = []

    def backend(graph: Any, inputs: Any) -> Any:
        counts.append(len(list(graph.graph.nodes)))
        return graph

    compiled = torch.compile(bleu.bleu_statistics, backend=backend, fullgraph=True, dynamic=True)
    chance = random.Random(3)
    for rows, width in ((5, 7), (3, 9), (4, 6)):
        batch = Batch(
            torch.tensor([[chance.randrange(4) for _ in range(width)] for _ in range(rows)]),
            torch.tensor([[[chance.randrange(4)] * (width + 1)] * 2 for _ in range(rows)]),
            {"padding": [0, -100], "end": 3, "max_ngram_order": 4},
        )
        with torch.no_grad():
            found = compiled(*batch[:2], **batch.options)
        assert np.array_equal(found.numpy(), counted_on_cpu(batch))
    assert len(counts) == 1


def test_the_operator_is_a_right_one() -> None:
    rows = torch.zeros(2, 1, 3, dtype=torch.int64), torch.tensor([[3], [1]])
    torch.library.opcheck(torch.ops.bleuet.clipped_matches.default, (*rows, *rows, 2))


def test_in_inference_mode() -> None:
    with torch.inference_mode():
        assert bleu.bleu_statistics(ids([5]), ids([5]), max_ngram_order=1).tolist() == [[1] * 4]


# --- Scores ---------------------------------------------------------------------------------------

METRICS: list[tuple[type[Any], dict[str, Any]]] = [
    *[(BLEU, {"smooth": smooth}) for smooth in SMOOTHINGS],
    (BLEU, {"reference_length": "shortest", "effective_order": True}),
    (BLEU, {"reference_length": "average", "max_ngram_order": 2}),
    (BLEU, {"weights": (0.5, 0.5, 0.0), "max_ngram_order": 3}),
    (MeanBLEU, {"smooth": "floor"}),
]


def lists(batch: Batch) -> tuple[list[Any], list[Any]]:
    def tokens(rows: Any) -> list[int]:
        return [token for token in rows if token]

    references = [[tokens(one) for one in several] for several in batch.references.tolist()]
    return list(map(tokens, batch.candidates.tolist())), references


def small_batch(rows: int = 12) -> Batch:
    chance = np.random.default_rng(4)
    candidates = torch.from_numpy(chance.integers(0, 4, (rows, 9)))
    return Batch(candidates, torch.from_numpy(chance.integers(0, 4, (rows, 2, 8))), {"padding": 0})


def test_every_bleu_scores_tensors() -> None:
    batch = small_batch()
    texts = lists(batch)
    for kind, options in METRICS:
        metric = kind(tokenize="ids", **options)
        found = bleu.sentence_bleu(*batch[:2], metric, padding=0)
        assert found.dtype == torch.float64
        assert found.tolist() == metric.sentence_scores(*texts).values.tolist(), metric
        if metric.smooth not in ("nltk-5", "nltk-6", "nltk-7"):
            score = bleu.corpus_bleu(*batch[:2], metric, padding=0)
            assert score == metric.corpus_score(*texts), metric
            assert score.signature == metric.corpus_score(*texts).signature


def test_the_default_is_bleu_of_token_ids() -> None:
    batch, metric = small_batch(), BLEU(tokenize="ids")
    assert bleu.corpus_bleu(*batch[:2], padding=0) == metric.corpus_score(*lists(batch))
    table = bleu.bleu_table(*batch[:2], padding=0)
    assert np.array_equal(np.asarray(table), np.asarray(metric.count(*lists(batch))))


def test_rows_that_were_added_score_as_the_corpus() -> None:
    batch, metric = small_batch(), BLEU(tokenize="ids", smooth="add-k")
    sums = bleu.bleu_statistics(*batch[:2], padding=0).sum(0).tolist()
    score = metric.score(Totals(metric.columns, sums, len(batch.candidates), 2))
    assert score == metric.corpus_score(*lists(batch))


@pytest.mark.parametrize("pairs", [1, 50, 1 << 14])
def test_a_matrix(pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[bleu.matrix.__module__], "_PAIRS_IN_BLOCK", pairs)
    batch, metric = small_batch(), BLEU(tokenize="ids", smooth="floor")
    hypotheses, references = lists(batch)
    found = bleu.matrix(batch.candidates[:5], batch.references, metric, padding=0)
    assert found.tolist() == metric.matrix(hypotheses[:5], references).tolist()
    assert bleu.matrix(batch.candidates[:0], batch.references, metric).shape == (0, 12)


def test_no_segments() -> None:
    empty = torch.zeros(0, 3, dtype=torch.int64)
    assert bleu.sentence_bleu(empty, empty).shape == (0,)
    assert bleu.bleu_statistics(empty, empty).shape == (0, 10)
    with pytest.raises(TableError, match="of no segment is undefined"):
        bleu.corpus_bleu(empty, empty)


# --- Errors ---------------------------------------------------------------------------------------

TEXT = torch.zeros(2, 3, dtype=torch.int64)
WRONG = {
    "a list": (([[1]], TEXT), {}, InputTypeError, "candidates must be a tensor of integers"),
    "real numbers": ((TEXT, TEXT.double()), {}, InputTypeError, "references must be a tensor of"),
    "one dimension": ((TEXT[0], TEXT), {}, InputError, "candidates has the shape (3,); expected"),
    "candidates of 3": ((TEXT[:, None], TEXT), {}, InputError, "expected a tensor of 2 dim"),
    "references of 4": ((TEXT, TEXT[:, None, None]), {}, InputError, "of 2 or 3 dimensions"),
    "other segments": ((TEXT, TEXT[:1]), {}, InputError, "2 candidates but references of 1 seg"),
    "no reference": ((TEXT, TEXT[:, None][:, :0]), {}, InputError, "at least one, of shape"),
    "wrong lengths": (
        (TEXT, TEXT),
        {"candidate_lengths": TEXT},
        InputError,
        "the lengths of candidates have the shape (2, 3); expected one length for each row: (2,)",
    ),
    "lengths of floats": (
        (TEXT, TEXT),
        {"reference_lengths": torch.zeros(2)},
        InputTypeError,
        "the lengths of references must be a tensor of integers",
    ),
    "padding": ((TEXT, TEXT), {"padding": 2**63}, InputTypeError, "an integer of 64 bits, a list"),
    "padding of text": ((TEXT, TEXT), {"padding": [0, "a"]}, InputTypeError, "not [0, 'a']"),
    "an end of text": ((TEXT, TEXT), {"end": "</s>"}, InputTypeError, "end must be an integer of"),
    "padding of 1": ((TEXT, TEXT), {"padding": True}, InputTypeError, "an integer of 64 bits"),
    "another device": ((TEXT, TEXT.to("meta")), {}, InputError, "on the device meta, but the"),
    "order": ((TEXT, TEXT), {"max_ngram_order": 0}, OptionError, "a whole number from 1 to 1000"),
    "average": ((TEXT, TEXT), {"reference_length": "average"}, OptionError, "closest or shortest"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments(case: str) -> None:
    batch, options, kind, message = WRONG[case]
    with pytest.raises(kind) as caught:
        bleu.bleu_statistics(*batch, **options)
    assert message in str(caught.value)


def test_a_metric_that_counts_something_else() -> None:
    with pytest.raises(OptionError, match="which counts text; use tokenize='ids'"):
        bleu.sentence_bleu(TEXT, TEXT, BLEU())
    for metric in (CrystalBLEU(tokenize="ids", ignored=1), "bleu"):
        with pytest.raises(InputTypeError, match="metric must be a BLEU or a mean of BLEU"):
            bleu.sentence_bleu(TEXT, TEXT, metric)


def test_the_benchmark_finds_equal_matches(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import tensors

    assert tensors.main(["--rows", "8", "--tokens", "9", "--rounds", "1"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n| ") == 5
    assert torch.cuda.is_available() or "no figure of a GPU was taken" in printed
