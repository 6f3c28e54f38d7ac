"""The figures of the guide, which metric is hard to game and which smoothing, measured again."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from bleuet.rewards import Reward
from tests.evaluation_data import EvaluationData

pytestmark = pytest.mark.data
GUIDE = Path(__file__).parents[2] / "docs" / "rewards.md"
SYSTEMS = (
    "Facebook-AI", "HuaweiTSC", "NVIDIA-NeMo", "Online-W", "UEdin", "VolcTrans-AT",
    "VolcTrans-GLAT", "eTranslation",
)  # fmt: skip


@cache
def lines(name: str) -> list[str]:
    return EvaluationData.find().lines(f"data/wmt21-ende/{name}.gz")


@cache
def outputs() -> list[list[str]]:
    """The translations of each source."""
    systems = [lines(f"systems/{one}.de.txt") for one in SYSTEMS]
    return [list(several) for several in zip(*systems, strict=True)]


def rows_of(heading: str) -> dict[str, list[str]]:
    """The rows of the table whose first heading this is, by their first cells."""
    text = GUIDE.read_text(encoding="utf-8")
    table = text[text.index(f"\n| {heading} |") :].partition("\n\n")[0].strip().splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return {first: rest for first, *rest in cells}


def reward_named(cell: str) -> Reward:
    metric, _, penalty = cell.strip("`").partition(", length_penalty=")
    return Reward(metric.strip('"'), length_penalty=float(penalty or 0))


def test_what_games_a_metric() -> None:
    texts: list[list[str]] = [[] for _ in range(5)]
    references = []
    for several, reference, source in zip(
        outputs(), lines("refA.de.txt"), lines("src.en.txt"), strict=True
    ):
        for place, one in enumerate(several):
            words = one.split()
            written = (
                one,
                f"{one} {several[(place + 1) % len(several)]}",
                f"{one} {one}",
                " ".join(words[: (len(words) + 1) // 2]),
                f"{one} {source}",
            )
            for column, text in zip(texts, written, strict=True):
                column.append(text)
            references.append(reference)
    table = rows_of("reward")
    assert len(references) == 4216
    assert len(table) == 7
    for name, cells in table.items():
        reward = reward_named(name)
        means = [sum(filter(None, reward(column, references))) / 4216 for column in texts]
        assert cells == [f"{mean:.3f}" for mean in means], name


def test_which_smoothing() -> None:
    chance = random.Random(1)
    references = [one for one in lines("refA.de.txt") for _ in SYSTEMS]
    texts = [one for several in outputs() for one in several]
    shuffled = [" ".join(chance.sample(words := one.split(), len(words))) for one in texts]
    different = [len(set(several)) > 1 for several in outputs()]
    means = {}
    for name, cells in rows_of("smoothing").items():
        reward = reward_named(name.partition(" ")[0])
        found, of_shuffled = reward(texts, references), reward(shuffled, references)
        groups = [found[start : start + 8] for start in range(0, len(found), 8)]
        flat = [
            is_mixed and len(set(one)) == 1 for is_mixed, one in zip(different, groups, strict=True)
        ]
        shares = (
            found.count(0) / len(found),
            sum(flat) / len(flat),
            of_shuffled.count(0) / len(found),
        )
        assert cells == [f"{100 * share:.1f}%" for share in shares], name
        means[name] = f"{sum(filter(None, of_shuffled)) / len(found):.3f}"
    guide = " ".join(GUIDE.read_text(encoding="utf-8").split())
    _, exp, floor, add_k = means.values()
    assert f"is {floor} with `floor`, {exp} with `exp` and {add_k} with `add-k`" in guide
