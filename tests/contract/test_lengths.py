"""Both backends count texts of all lengths around the kernel's machine words, bit for bit alike.

The kernel counts short texts in words of 64 bits, longer ones in several and very long ones in
tables, and it keeps up to 16 bytes of a word beside it.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests import effort
from tests.backends import counted_by, counted_by_python, kernel
from tests.contract.settings import Setting, counted, every_metric

pytestmark = pytest.mark.usefixtures("needs_kernel")

LENGTHS = [0, 1, 2, 5, 31, 63, 64, 65, 127, 128, 129, 200, 260]
# What the Python backend counts quickly.
LONGEST = {"ter": 65, "meteor": 40, "eed": 130}
# In tokens, one for each way in which strings are stored, and sizes of a word.
WORDS = ["a", "b", "c", ".", "(d)", "1,5", "é", "你", "😀", "e" * 8, "f" * 9, "g" * 16, "h" * 17]
ALPHABETS = ["ab ", "abcdefgh.,( ", "aé\u00a0\u0085b", "б\u0432. a\u3000", "😀aé \U0010ffff!"]


def words_of(rng: random.Random, length: int) -> list[str]:
    return rng.choices(rng.sample(WORDS, rng.choice([1, 3, 13])), k=length)


def text_of(rng: random.Random, length: int) -> str:
    if rng.random() < 0.5:
        return "".join(rng.choices(rng.choice(ALPHABETS), k=length))
    return " ".join(words_of(rng, length))


def ids_of(rng: random.Random, length: int) -> list[int]:
    return rng.choices(range(rng.choice([1, 3, 20])), k=length)


def near(rng: random.Random, text: Any) -> Any:
    """The same with a run of it moved, one token or character replaced and another left out."""
    if len(text) < 4:
        return text
    a, b, c = sorted(rng.sample(range(len(text)), 3))
    at = rng.randrange(len(text))
    moved = text[:a] + text[b:c] + text[a:b] + text[c:]
    return moved[:at] + text[a : a + 1] + moved[at + 2 :]


def corpus(rng: random.Random, setting: Setting, segments: int) -> tuple[list[Any], list[Any]]:
    most = LONGEST.get(setting.name, LENGTHS[-1])
    lengths = [length for length in LENGTHS if length <= most]
    draw: Any = ids_of if setting.token_ids else text_of
    hypotheses, references = [], []
    for _ in range(segments):
        hypothesis = draw(rng, rng.choice(lengths))
        hypotheses.append(hypothesis)
        others = [draw(rng, rng.choice(lengths)), near(rng, hypothesis)]
        references.append(rng.choices(others, k=rng.randint(1, 2)))
    return setting.edited(hypotheses), setting.sourced(references)


def check_rows(setting: Setting, hypotheses: list[Any], references: list[Any]) -> None:
    with counted_by(kernel()):
        metric = setting.metric()
        table = metric.count(hypotheses, references)
        assert metric.count(hypotheses, metric.prepare_references(references)) == table
    with counted_by_python():
        expected = setting.metric().count(hypotheses, references)
    rows = [row for row in range(len(table)) if table.row(row) != expected.row(row)]
    assert [(hypotheses[row], references[row]) for row in rows] == []


@every_metric
def test_lengths_around_a_machine_word(name: str) -> None:
    rng = random.Random(name)
    first, *others = counted(name)
    several = 1 if effort.is_quick() else 3
    for setting in (first, *rng.sample(others, min(several, len(others)))):
        check_rows(setting, *corpus(rng, setting, 2))


def test_ter_of_very_different_lengths() -> None:
    rng = random.Random(2)
    short = [" ".join(words_of(rng, rng.randrange(9))) for _ in range(5)]
    long = [" ".join(words_of(rng, 300)) for _ in range(5)]
    check_rows(Setting("ter", {}), short + long, long + short)


COSTS = [0, 0.1, 0.2, 0.3, 1, 1 / 3, 2, 1e-17, 7, 1000]


def test_eed_with_any_costs() -> None:
    rng = random.Random(2019)
    for case in range(5 if effort.is_quick() else 20):
        names = "alpha", "rho", "deletion", "insertion"
        options = {name: float(rng.choice(COSTS)) for name in names}
        longest = 400 if case % 10 == 0 else 120
        hypothesis = text_of(rng, rng.randrange(longest))
        reference = rng.choice([near(rng, hypothesis), text_of(rng, rng.randrange(longest))])
        check_rows(Setting("eed", {**options, "preparation": "none"}), [hypothesis], [reference])


# The kernel cuts larger tables in halves, and keeps some of their rows.
@pytest.mark.slow
@pytest.mark.parametrize("moves", ["none", "blocks"])
def test_wer_of_a_table_that_is_cut(moves: str) -> None:
    rng = random.Random(moves)
    reference = rng.choices([f"w{n}" for n in range(40)], k=2100)
    hypothesis = near(rng, near(rng, reference))
    setting = Setting("wer", {"moves": moves})
    check_rows(setting, [" ".join(hypothesis)], [" ".join(reference)])
