"""Minimum risk and REINFORCE against their definitions, all candidates, and finite differences."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import InputError, InputTypeError, OptionError
from bleuet.torch import minimum_risk_loss, reinforce_loss
from tests.effort import examples

pytestmark = pytest.mark.torch
torch: Any = import_module("torch")

NUMBERS = st.floats(-20, 0)
CANDIDATES = st.lists(st.tuples(NUMBERS, st.floats(0, 1), st.booleans()), min_size=1, max_size=4)


def risk_of(candidates: Any, alpha: float) -> Any:
    present = [(log, score) for log, score, is_present in candidates if is_present]
    weights = [math.exp(log) ** alpha for log, _ in present]
    return -sum(
        weight / sum(weights) * score for weight, (_, score) in zip(weights, present, strict=True)
    )


def columns(sentences: Any) -> Any:
    """Sentences of different numbers of candidates as tensors; absent ones have no number."""
    most = max(map(len, sentences))
    absent = (math.nan, math.nan, False)
    rows = [[*one, *[absent] * (most - len(one))] for one in sentences]
    return [
        torch.tensor([[one[place] for one in row] for row in rows], dtype=kind)
        for place, kind in enumerate((torch.double, torch.double, torch.bool))
    ]


@examples(100)
@given(st.lists(CANDIDATES, min_size=1, max_size=3), st.floats(0, 2))
def test_the_risk_is_the_formula_of_the_paper(sentences: Any, alpha: float) -> None:
    logs, scores, mask = columns(sentences)
    logs.requires_grad_()
    loss = minimum_risk_loss(logs, scores, alpha, mask=mask)
    with_candidates = [one for one in sentences if any(part[2] for part in one)]
    risks = [risk_of(one, alpha) for one in with_candidates]
    assert loss.item() == pytest.approx(sum(risks) / max(1, len(risks)), abs=1e-9)
    loss.backward()
    assert logs.grad.isfinite().all()
    assert (logs.grad[~mask] == 0).all()


MASK = torch.tensor([[True, True, False], [True, True, True]])


@pytest.mark.parametrize("mask", [None, MASK])
@pytest.mark.parametrize("alpha", [0.005, 1.0])
def test_gradients_of_the_risk(mask: Any, alpha: float) -> None:
    logs, scores = -3 * torch.rand(2, 3, dtype=torch.double), torch.rand(2, 3, dtype=torch.double)
    assert torch.autograd.gradcheck(
        lambda values: minimum_risk_loss(values, scores, alpha, mask=mask), [logs.requires_grad_()]
    )


def test_alpha_1_is_the_expected_score_of_all_candidates() -> None:
    logits = torch.randn(1, 6, dtype=torch.double, requires_grad=True)
    scores = torch.rand(1, 6, dtype=torch.double)
    logs = logits.log_softmax(-1)
    risk = minimum_risk_loss(logs, scores, 1.0)
    torch.testing.assert_close(risk, -(logs.exp() * scores).sum())


BASELINES = [
    "none",
    "mean",
    "leave-one-out",
    torch.tensor([0.5, 0.1]),
    torch.tensor([[0.1, 0.9, 0.4], [0.7, 0.2, 0.5]]),
]


@pytest.mark.parametrize("mask", [None, MASK])
@pytest.mark.parametrize("baseline", BASELINES, ids=str)
def test_gradients_of_reinforce(mask: Any, baseline: Any) -> None:
    logs, rewards = -3 * torch.rand(2, 3, dtype=torch.double), torch.rand(2, 3, dtype=torch.double)
    assert torch.autograd.gradcheck(
        lambda values: reinforce_loss(values, rewards, baseline=baseline, mask=mask),
        [logs.requires_grad_()],
    )


@pytest.mark.parametrize(
    ("baseline", "advantages"),
    [
        ("none", [0.9, 0.3, 0.0]),
        ("mean", [0.5, -0.1, -0.4]),
        ("leave-one-out", [0.75, -0.15, -0.6]),
        (torch.tensor([0.2]), [0.7, 0.1, -0.2]),
        (torch.tensor([[0.9, 0.2, 0.1]]), [0.0, 0.1, -0.1]),
    ],
    ids=str,
)
def test_baselines(baseline: Any, advantages: Any) -> None:
    logs = torch.zeros(1, 3, requires_grad=True)
    reinforce_loss(logs, torch.tensor([[0.9, 0.3, 0.0]]), baseline=baseline).backward()
    torch.testing.assert_close(logs.grad, -torch.tensor([advantages]) / 3)


@pytest.mark.parametrize("baseline", ["none", "leave-one-out"])
def test_the_mean_gradient_is_that_of_the_expected_reward(baseline: Any) -> None:
    """All pairs of samples, each as often as it is drawn."""
    rewards = torch.rand(4, dtype=torch.double)
    logits = torch.randn(4, dtype=torch.double, requires_grad=True)
    wanted = torch.autograd.grad(-(logits.softmax(-1) @ rewards), logits)[0]
    logs = logits.log_softmax(-1)
    found = torch.zeros_like(wanted)
    for one in range(4):
        for other in range(4):
            pair = torch.tensor([one, other])
            loss = reinforce_loss(logs[pair][None], rewards[pair][None], baseline=baseline)
            gradient = torch.autograd.grad(loss, logits, retain_graph=True)[0]
            found += logs[pair].sum().exp().item() * gradient
    torch.testing.assert_close(found, wanted)


def test_absent_and_lone_samples_teach_nothing() -> None:
    logs = torch.tensor([[-1.0, math.nan], [-1.0, -2.0]], requires_grad=True)
    rewards = torch.tensor([[0.9, math.nan], [1.0, 0.0]])
    mask = torch.tensor([[True, False], [True, True]])
    reinforce_loss(logs, rewards, mask=mask).backward()
    torch.testing.assert_close(logs.grad, torch.tensor([[0.0, 0.0], [-1 / 3, 1 / 3]]))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("loss", [minimum_risk_loss, reinforce_loss])
def test_sums_of_numbers_of_16_bits_have_32(loss: Any, dtype: Any) -> None:
    generator = torch.Generator().manual_seed(1)
    logs = (-20 * torch.rand(4, 300, generator=generator)).to(dtype)
    scores = torch.rand(4, 300, generator=generator).to(dtype)
    found = loss(logs, scores)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, loss(logs.float(), scores.float()), rtol=0, atol=0)
    with torch.autocast("cpu", torch.bfloat16):
        torch.testing.assert_close(loss(logs.float(), scores.float()), found, rtol=0, atol=0)


def test_impossible_candidates_weigh_nothing() -> None:
    logs = torch.tensor([[-1.0, -math.inf, -2.0]], requires_grad=True)
    scores = torch.tensor([[0.5, 1.0, 0.1]])
    loss = minimum_risk_loss(logs, scores, 1.0)
    torch.testing.assert_close(loss, minimum_risk_loss(logs[:, ::2], scores[:, ::2], 1.0))
    loss.backward()
    assert logs.grad.isfinite().all()
    # To the power of 0 all probabilities are 1.
    torch.testing.assert_close(minimum_risk_loss(logs, scores, 0), -scores.mean())


INFINITE = {
    "all at -inf": ([[-1.0, -1.0], [-math.inf, -math.inf]], [[0.0, 0.0]] * 2, None),
    "all present at -inf": (
        [[-1.0, -1.0], [-math.inf, -1.0]],
        [[0.0, 0.0]] * 2,
        [[True, True], [True, False]],
    ),
    "not a number": ([[-1.0, -1.0], [-1.0, math.nan]], [[0.0, 0.0]] * 2, None),
    "infinite": ([[-1.0, -1.0], [-1.0, math.inf]], [[0.0, 0.0]] * 2, None),
    "a score": ([[-1.0, -1.0]] * 2, [[0.0, 0.0], [math.nan, 0.0]], None),
}


@pytest.mark.parametrize("loss", [minimum_risk_loss, reinforce_loss])
@pytest.mark.parametrize("case", INFINITE)
def test_a_loss_is_an_error_rather_than_not_a_number(case: str, loss: Any) -> None:
    logs, scores, mask = INFINITE[case]
    present = None if mask is None else torch.tensor(mask)
    with pytest.raises(InputError, match="in sentence 1: expected finite numbers"):
        loss(torch.tensor(logs), torch.tensor(scores), mask=present)
    if case.startswith("all") and loss is minimum_risk_loss:
        with pytest.raises(InputError, match="log_probabilities are -inf for all candidates in"):
            loss(torch.tensor(logs), torch.tensor(scores), mask=present)


@pytest.mark.parametrize("loss", [minimum_risk_loss, reinforce_loss])
def test_losses_compile_without_a_break(loss: Any) -> None:
    compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)
    logs = torch.tensor([[-1.0, -2.0]], requires_grad=True)
    scores = torch.tensor([[0.5, 0.1]])
    torch.testing.assert_close(compiled(logs, scores), loss(logs, scores))
    with pytest.raises(RuntimeError, match="expected that no sentence has"):
        compiled(logs * math.nan, scores)


LOGS = torch.zeros(2, 3)


@pytest.mark.parametrize("loss", [minimum_risk_loss, reinforce_loss])
def test_wrong_tensors(loss: Any) -> None:
    with pytest.raises(InputTypeError, match="scores must be a tensor"):
        loss(LOGS, [[1.0]])
    with pytest.raises(InputTypeError, match="floating-point"):
        loss(torch.zeros(2, 3, dtype=torch.long), LOGS)
    with pytest.raises(InputError, match="add up those of the tokens"):
        loss(torch.zeros(2, 3, 4), torch.zeros(2, 3, 4))
    with pytest.raises(InputError, match="scores and log_probabilities"):
        loss(LOGS, torch.zeros(3, 2))
    with pytest.raises(InputError, match="mask and log_probabilities"):
        loss(LOGS, LOGS, mask=torch.ones(2, dtype=torch.bool))


@pytest.mark.parametrize("alpha", [-1, math.nan, math.inf, "0.5", True, None])
def test_wrong_alphas(alpha: Any) -> None:
    with pytest.raises(OptionError, match="alpha must be a number, 0 or more"):
        minimum_risk_loss(LOGS, LOGS, alpha)


@pytest.mark.parametrize("baseline", ["median", None, 0.5, ["mean"]])
def test_wrong_baselines(baseline: Any) -> None:
    with pytest.raises(OptionError, match="baseline must be a tensor or one of"):
        reinforce_loss(LOGS, LOGS, baseline=baseline)


def test_a_baseline_of_another_shape() -> None:
    with pytest.raises(InputError, match="one number for each sentence"):
        reinforce_loss(LOGS, LOGS, baseline=torch.zeros(3))


@pytest.mark.parametrize("loss", [minimum_risk_loss, reinforce_loss])
def test_probabilities_and_logits_are_no_logarithms(loss: Any) -> None:
    scores = torch.tensor([[0.9, 0.3], [0.5, 0.5]])
    for wrong in ([[-1.0, -2.0], [0.5, 0.2]], [[-1.0, -2.0], [5.0, -2.0]]):
        with pytest.raises(InputError, match=r"has a number above 0, .* in sentence 1"):
            loss(torch.tensor(wrong), scores)
    masked = torch.tensor([[True, True], [False, True]])
    assert loss(torch.tensor([[-1.0, -2.0], [5.0, -2.0]]), scores, mask=masked).isfinite()
    # Rounding.
    assert loss(torch.tensor([[0.0, 1e-4], [-1.0, -2.0]]), scores).isfinite()
