"""WER, CER, MER and WIL against jiwer; PER and CDER against their definitions."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import WER
from tests.backends import counted_by_python
from tests.oracles import fuzz
from tests.oracles.peer_goldens import RATES, WER_OPTIONS, asked_of_jiwer, jiwer_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.evaluation_data import EvaluationData

each = pytest.mark.parametrize("options", WER_OPTIONS, ids=str)


def rows_of(metric: WER, hypotheses: Any, references: Any) -> list[tuple[int, ...]]:
    table = metric.count(hypotheses, references)
    return list(zip(*(table.column(name) for name in metric.columns), strict=True))


def assert_equal_to_jiwer(
    hypotheses: list[str], references: list[str], options: dict[str, Any]
) -> None:
    found = asked_of_jiwer(hypotheses, references, options)
    metric = WER(**options)
    assert rows_of(metric, hypotheses, references) == list(map(jiwer_row, found.alignments))
    for rate in RATES:
        score = metric.with_options(rate=rate).corpus_score(hypotheses, references)
        assert score.score == 100 * getattr(found, rate)
        assert score.hits == found.hits


@pytest.mark.peers
@pytest.mark.data
@each
@pytest.mark.parametrize("system", ["uedin-wmt13", "online-A"])
def test_real_translations(
    evaluation_data: EvaluationData, system: str, options: dict[str, Any]
) -> None:
    folder = "data/wmt13/de-en"
    hypotheses = evaluation_data.system(folder, system)
    references = evaluation_data.reference(folder)
    some = slice(None, None, 9 if options.get("tokenize") else 3)
    assert_equal_to_jiwer(hypotheses[some], references[some], options)


def one_each(references: list[Any]) -> list[str]:
    return [
        one if isinstance(one, str) else next(text for text in one if text is not None)
        for one in references
    ]


@pytest.mark.peers
@each
def test_any_text(options: dict[str, Any]) -> None:
    r"""Each option by the transforms that mean the same.

    > bleuet takes the alignment that rapidfuzz traces, so all numbers are jiwer's.

    > `jiwer` 4.0.0 gives the same numbers H, S, D and I for every segment, and the same rates,
      with these transforms:

    > | `WER()` | `RemoveMultipleSpaces`, `Strip` |

    > | `WER(tokenize="char")` | `Strip` |

    > | `lowercase=True` | `ToLowerCase` |

    > | `no_punct=True` | `RemovePunctuation` |

    > | `whitespace="single"` | `SubstituteRegexes({r"\s+": " "})` |

    > | `whitespace="none"` | `SubstituteRegexes({r"\s": ""})` |

    > bleuet's alignment is jiwer's.
    """
    hypotheses, references = fuzz.segments(23, fuzz.pairs(4000))
    hypotheses, several = known(hypotheses), known(one_each(references))
    assert_equal_to_jiwer(hypotheses, several, options)


def known(texts: list[str]) -> list[str]:
    """Without what newer Unicode calls punctuation, which jiwer removes on newer Pythons only."""
    import unicodedata

    return ["".join(c for c in text if unicodedata.category(c) != "Cn") for text in texts]


@pytest.mark.peers
def test_segments_alone_have_jiwers_rates() -> None:
    """With its default transforms.

    > `whitespace="jiwer"` does what jiwer's default transforms do.
    """
    jiwer = import_module("jiwer")
    hypotheses, references = fuzz.segments(24, 500)
    single = one_each(references)
    rate: Any
    for rate in RATES:
        compute = getattr(jiwer, rate)
        scores = WER(rate=rate).sentence_scores(hypotheses, single).values
        assert list(scores) == [
            100 * compute(r, h) for h, r in zip(hypotheses, single, strict=True)
        ]
    scores = WER(tokenize="char").sentence_scores(hypotheses, single).values
    assert list(scores) == [100 * jiwer.cer(r, h) for h, r in zip(hypotheses, single, strict=True)]


@pytest.mark.peers
@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("", ""), ("a b", ""), ("", "a b"), (" ", "\n")]
)
def test_empty_texts(hypothesis: str, reference: str) -> None:
    """Alone and beside others.

    > **Empty references**: as in jiwer, if the references have no word, each insertion counts as
      100 in WER, and MER and WIL are 100, or 0 if the hypotheses are empty too.
    """
    assert_equal_to_jiwer([hypothesis], [reference], WER_OPTIONS[0])
    assert_equal_to_jiwer([hypothesis], [reference], WER_OPTIONS[1])
    assert_equal_to_jiwer([hypothesis, "a"], [reference, "a"], WER_OPTIONS[0])


def near(rng: random.Random, items: list[int], size: int, edits: int) -> list[int]:
    other = list(items)
    for _ in range(edits):
        at = rng.randrange(len(other) + 1)
        change = rng.randrange(4)
        if change == 0:
            del other[at : at + 2]
        elif change == 1:
            other[at:at] = [rng.randrange(size)]
        elif change == 2:
            other[at : at + 1] = [rng.randrange(size)]
        else:
            moved = other[at : at + 9]
            del other[at : at + 9]
            to = rng.randrange(len(other) + 1)
            other[to:to] = moved
    return other


def as_text(items: list[int]) -> str:
    return " ".join(map(str, items))


@pytest.mark.peers
@pytest.mark.parametrize("length", [50, 64, 65, 130, 1000, 2100, 4200, 9000])
def test_long_texts(length: int) -> None:
    """Those of more than 2,048 words on both sides are aligned in halves."""
    rng = random.Random(length)
    hypotheses, references = [], []
    for size in (2, 20, 1000):
        items = [rng.randrange(size) for _ in range(length)]
        references += [as_text(items)] * 3
        hypotheses += [as_text(near(rng, items, size, edits)) for edits in (3, 40, length // 4)]
    references.append(as_text([rng.randrange(9) for _ in range(length)]))
    hypotheses.append(as_text([rng.randrange(9) for _ in range(length // 2)]))
    assert_equal_to_jiwer(hypotheses, references, WER_OPTIONS[0])
    expected = rows_of(WER(), hypotheses, references)
    if length < 5000:
        with counted_by_python():
            assert rows_of(WER(), hypotheses, references) == expected


# --- Several references ---------------------------------------------------------------------------


def nearest(rows: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Fewest errors, then most reference words, then most hits."""
    return sorted(rows, key=lambda r: (r[1] + r[2] + r[3], -r[0] - r[1] - r[2], -r[0]))[0]


def check_nearest(hypotheses: list[str], references: list[list[str]]) -> None:
    pairs = [(h, r) for h, several in zip(hypotheses, references, strict=True) for r in several]
    found = asked_of_jiwer([h for h, _ in pairs], [r for _, r in pairs], WER_OPTIONS[0])
    all_rows = map(jiwer_row, found.alignments)
    expected = [nearest([next(all_rows) for _ in several]) for several in references]
    assert rows_of(WER(), hypotheses, references) == expected


@pytest.mark.peers
@pytest.mark.data
def test_several_real_references(evaluation_data: EvaluationData) -> None:
    check_nearest(evaluation_data.system("data/e2e", "tgen"), evaluation_data.e2e_references())


@pytest.mark.peers
def test_several_references_of_any_text() -> None:
    hypotheses, references = fuzz.segments(25, 2000)
    check_nearest(hypotheses, fuzz.all_references(references))


# --- PER and CDER, by definition ------------------------------------------------------------------


def unordered_errors(hypothesis: list[str], reference: list[str]) -> int:
    """What Tillmann et al. (1997) count, as Leusch et al. (2003) write it, twice."""
    ours, theirs = Counter(hypothesis), Counter(reference)
    different = sum(abs(ours[word] - theirs[word]) for word in ours | theirs)
    twice = abs(len(hypothesis) - len(reference)) + different
    assert twice == 2 * (max(len(hypothesis), len(reference)) - (ours & theirs).total())
    return twice // 2


def jump_errors(hypothesis: list[str], reference: list[str]) -> int:
    """The cost of the cheapest path from one corner of the grid to the other, by Dijkstra.

    Leusch, Ueffing and Ney (2006): the edges of Levenshtein distance, and an edge of cost 1 between
    any two places of a row.
    """
    n, m = len(hypothesis), len(reference)
    costs = {(0, 0): 0}
    queue = [(0, 0, 0)]
    while queue:
        cost, i, j = heapq.heappop(queue)
        if (i, j) == (n, m):
            return cost
        if costs[i, j] < cost:
            continue
        edges = [(1, other, j) for other in range(n + 1)]
        if i < n:
            edges.append((1, i + 1, j))
        if j < m:
            edges.append((1, i, j + 1))
        if i < n and j < m:
            edges.append((int(hypothesis[i] != reference[j]), i + 1, j + 1))
        for more, to_i, to_j in edges:
            if cost + more < costs.get((to_i, to_j), cost + more + 1):
                costs[to_i, to_j] = cost + more
                heapq.heappush(queue, (cost + more, to_i, to_j))
    raise AssertionError("there is always a path")


def check_definition(moves: Any, errors: Any, hypotheses: list[str], references: list[Any]) -> None:
    metric = WER(moves=moves, whitespace="single")
    rows = rows_of(metric, hypotheses, references)
    total = length = 0
    for found, hypothesis, group in zip(rows, hypotheses, references, strict=True):
        texts = [group] if isinstance(group, str) else [one for one in group if one is not None]
        counts = [(errors(hypothesis.split(), t.split()), -len(t.split())) for t in texts]
        fewest, longest = min(counts)
        hits, substitutions, deletions, insertions = found
        assert substitutions + deletions + insertions == fewest
        assert hits + substitutions + deletions == -longest
        if moves == "free":
            assert hits + substitutions + insertions == len(hypothesis.split())
        total, length = total + fewest, length - longest
    assert metric.corpus_score(hypotheses, references).score == 100 * (total / length)


DEFINITIONS = {"free": unordered_errors, "blocks": jump_errors}


@pytest.mark.parametrize("moves", DEFINITIONS)
def test_definitions_on_any_text(moves: str) -> None:
    hypotheses, references = fuzz.segments(26, fuzz.pairs() // (1 if moves == "free" else 4))
    check_definition(moves, DEFINITIONS[moves], hypotheses, references)


@pytest.mark.data
@pytest.mark.parametrize("moves", DEFINITIONS)
def test_definitions_on_real_translations(evaluation_data: EvaluationData, moves: str) -> None:
    folder, some = "data/wmt13/de-en", slice(None, 3000 if moves == "free" else 100)
    hypotheses = evaluation_data.system(folder, "uedin-wmt13")[some]
    check_definition(moves, DEFINITIONS[moves], hypotheses, evaluation_data.reference(folder)[some])


@pytest.mark.data
@pytest.mark.parametrize("moves", DEFINITIONS)
def test_definitions_on_several_references(evaluation_data: EvaluationData, moves: str) -> None:
    some = slice(None, 30)
    hypotheses = evaluation_data.system("data/e2e", "tgen")[some]
    references = evaluation_data.e2e_references()[some]
    check_definition(moves, DEFINITIONS[moves], hypotheses, references)


def test_blocks_of_long_texts() -> None:
    """The trace of the kernel keeps some rows only; the Python backend keeps all."""
    rng = random.Random(5)
    items = [rng.randrange(300) for _ in range(1500)]
    hypotheses = [as_text(near(rng, items, 300, edits)) for edits in (10, 200)]
    references = [as_text(items)] * 2
    for metric in (WER(moves="blocks"), WER(moves="free")):
        expected = rows_of(metric, hypotheses, references)
        with counted_by_python():
            assert rows_of(metric, hypotheses, references) == expected


def test_order_costs_less_the_freer_words_move() -> None:
    hypotheses, references = fuzz.segments(27, 1000)
    single = one_each(references)
    errors = [
        [sum(one[1:]) for one in rows_of(WER(moves=moves), hypotheses, single)]
        for moves in ("none", "free")
    ]
    assert all(wer >= per for wer, per in zip(*errors, strict=True))
