"""Losses of sampled candidates: how probable a model finds each, and how well each scores."""

from __future__ import annotations

from bleuet.errors import InputError, OptionError
from bleuet.extras import optional
from bleuet.messages import shown, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, TypeAlias

    from bleuet.torch.token_tensors import Tensor

    Baseline: TypeAlias = Literal["none", "mean", "leave-one-out"] | Tensor

TORCH = optional("torch")
BASELINES = ("none", "mean", "leave-one-out")
# How far above 0 rounding may take the logarithm of a probability.
TOLERANCE = 0.01


def minimum_risk_loss(
    log_probabilities: Tensor, scores: Tensor, alpha: float = 0.005, *, mask: Tensor | None = None
) -> Tensor:
    """Return the risk of the candidates: their expected score under the model, negated.

    The model's probabilities are sharpened and renormalized over the candidates of a sentence,
    Q(y) = P(y)^alpha / sum P(y')^alpha, and the risk is the mean of -sum Q(y) score(y) over the
    sentences (Shen et al. 2016, Minimum Risk Training for Neural Machine Translation, section 3:
    the risk on a subset of the candidates; the loss of a candidate is its negated score, as there).
    The paper's subset has no candidate twice: mask those that have come before.

    Args:
        log_probabilities: `[B, K]`, the sums of the logarithms of the tokens' probabilities of K
            candidates for each of B sentences.
        scores: `[B, K]`, the score of each candidate, such as sentence BLEU from 0 to 1. No
            gradient flows through them.
        alpha: how sharp Q is; 0 weighs all candidates equally. The paper's best is 0.005, for 100
            candidates; the larger it is, the more the probable candidates count.
        mask: `[B, K]`, true where a candidate is present. A sentence without any has no risk.

    Returns:
        A scalar of 32 or 64 bits; with scores from 0 to 1 it is between -1 and 0.

    Raises:
        InputTypeError: an argument is not a tensor.
        InputError: the shapes differ; no candidate of a sentence is possible; a score is not a
            finite number; or a log probability is above 0.
        OptionError: alpha is not a number of 0 or more.

    >>> import torch
    >>> log_probabilities = torch.tensor([[-2.0, -3.0]], requires_grad=True)
    >>> loss = minimum_risk_loss(log_probabilities, torch.tensor([[0.9, 0.3]]), alpha=1.0)
    >>> loss.backward()
    >>> round(loss.item(), 4), [round(value, 4) for value in log_probabilities.grad[0].tolist()]
    (-0.7386, [-0.118, 0.118])
    """
    is_number = isinstance(alpha, int | float) and not isinstance(alpha, bool)
    if not is_number or not 0 <= alpha < float("inf"):
        raise OptionError(f"alpha must be a number, 0 or more, not {shown(alpha)}")
    present = _present(log_probabilities, scores, mask)
    log_probabilities = _precise(log_probabilities)
    is_possible = present & (log_probabilities > -TORCH.inf)
    _check_sentences(
        {
            "log_probabilities are -inf for all candidates": present.any(-1) & ~is_possible.any(-1),
            "log_probabilities has a number that is NaN or infinite": (
                present & ~(log_probabilities < TORCH.inf)
            ).any(-1),
            "scores has a number that is NaN or infinite": (present & ~scores.isfinite()).any(-1),
            **_no_logarithms(log_probabilities, present),
        }
    )
    # Absent candidates may have any value: replaced before they can make a gradient undefined.
    # Each probability to the power of 0 is 1, that of an impossible candidate too.
    is_read = present if alpha else TORCH.zeros_like(present)
    sharpened = TORCH.where(is_read, alpha * log_probabilities, 0.0)
    sharpened = sharpened.masked_fill(~present & present.any(-1, keepdim=True), -TORCH.inf)
    scores = TORCH.where(present, scores.detach().to(sharpened.dtype), 0.0)
    risk = -(sharpened.softmax(-1) * scores).sum(-1)
    return risk.sum() / present.any(-1).sum().clamp(min=1)


def reinforce_loss(
    log_probabilities: Tensor,
    rewards: Tensor,
    *,
    baseline: Baseline = "leave-one-out",
    mask: Tensor | None = None,
) -> Tensor:
    """Return a loss whose gradient is that of the negated expected reward, estimated from samples.

    The loss is the mean of -(reward - baseline) * log P over the samples (Williams 1992, Simple
    Statistical Gradient-Following Algorithms, equation 4). A baseline lowers the variance.

    Args:
        log_probabilities: `[B, K]`, the sums of the logarithms of the tokens' probabilities of K
            samples for each of B sentences, drawn from the model.
        rewards: `[B, K]`, the reward of each sample. No gradient flows through them.
        baseline: what is subtracted from a reward. `"leave-one-out"` is the mean reward of the
            other samples of the sentence (Kool et al. 2019), so that the estimate has no bias;
            `"mean"` is that of all its samples, which makes gradients smaller by 1 - 1/K;
            `"none"` is 0. A tensor `[B]` or `[B, K]` is used as it is: with the rewards of the
            model's greedy output this is self-critical training (Rennie et al. 2017).
        mask: `[B, K]`, true where a sample is present.

    Returns:
        A scalar. Only its gradient has a meaning.

    Raises:
        InputTypeError: an argument is not a tensor.
        InputError: the shapes differ, a number of a sample is not finite, or a log probability is
            above 0.
        OptionError: there is no such baseline.

    >>> import torch
    >>> log_probabilities = torch.tensor([[-2.0, -3.0]], requires_grad=True)
    >>> reinforce_loss(log_probabilities, torch.tensor([[0.9, 0.3]])).backward()
    >>> [round(value, 4) for value in log_probabilities.grad[0].tolist()]
    [-0.3, 0.3]
    """
    present = _present(log_probabilities, rewards, mask)
    log_probabilities = _precise(log_probabilities)
    _check_sentences(
        {
            f"{name} has a number that is NaN or infinite": (present & ~numbers.isfinite()).any(-1)
            for name, numbers in (("log_probabilities", log_probabilities), ("rewards", rewards))
        }
        | _no_logarithms(log_probabilities, present)
    )
    rewards = TORCH.where(present, _precise(rewards.detach()), 0.0)
    advantages = TORCH.where(present, rewards - _baseline(rewards, present, baseline), 0.0)
    weighted = advantages * TORCH.where(present, log_probabilities, 0.0)
    return -weighted.sum() / present.sum().clamp(min=1)


def _precise(numbers: Tensor) -> Tensor:
    """Return numbers of at least 32 bits: sums of fewer lose the differences that a loss is of."""
    return numbers.to(TORCH.promote_types(numbers.dtype, TORCH.float32))


def _no_logarithms(log_probabilities: Tensor, present: Tensor) -> dict[str, Tensor]:
    """Return in which sentences a number is above 0, as of logits and of probabilities."""
    problem = "log_probabilities has a number above 0, which no logarithm of a probability is,"
    return {problem: (present & (log_probabilities > TOLERANCE)).any(-1)}


def _check_sentences(problems: Mapping[str, Tensor]) -> None:
    """Raise an error if something is wrong with a sentence; a compiled function raises its own.

    Args:
        problems: `[B]` for each problem, whether a sentence has it.
    """
    found = TORCH.stack(list(problems.values()))
    if TORCH.compiler.is_compiling():
        TORCH._assert_async(~found.any(), f"expected that no sentence has: {'; '.join(problems)}")
        return
    for problem, sentences in zip(problems, found.tolist(), strict=True):
        if True in sentences:
            raise InputError(
                f"{problem} in sentence {sentences.index(True)}: expected finite numbers, for "
                "log_probabilities as of log_softmax; leave candidates out with mask"
            )


def _baseline(rewards: Tensor, present: Tensor, baseline: Baseline) -> Tensor:
    if isinstance(baseline, TORCH.Tensor):
        return _per_sample(baseline.detach(), rewards)
    if not isinstance(baseline, str) or baseline not in BASELINES:
        raise OptionError(
            f"baseline must be a tensor or one of {', '.join(BASELINES)}, not {shown(baseline)}"
        )
    if baseline == "none":
        return TORCH.zeros_like(rewards)
    total, number = rewards.sum(-1, keepdim=True), present.sum(-1, keepdim=True)
    if baseline == "mean":
        return total / number.clamp(min=1)
    # A sample without others is its own baseline: it teaches nothing.
    return TORCH.where(number > 1, (total - rewards) / (number - 1).clamp(min=1), rewards)


def _per_sample(baseline: Tensor, rewards: Tensor) -> Tensor:
    if baseline.shape == rewards.shape:
        return baseline
    if baseline.shape == rewards.shape[:1]:
        return baseline.unsqueeze(-1)
    raise InputError(
        f"the baseline has the shape {shown(tuple(baseline.shape))}; expected one number for each "
        f"sentence or for each sample of {shown(tuple(rewards.shape))}"
    )


def _present(log_probabilities: Any, scores: Any, mask: Any) -> Tensor:
    """Return which candidates are present, and check the tensors."""
    _check_tensor("log_probabilities", log_probabilities)
    if not log_probabilities.is_floating_point():
        raise wrong_type(
            "log_probabilities", "a tensor of floating-point numbers", log_probabilities
        )
    shape = tuple(log_probabilities.shape)
    if len(shape) != 2:
        raise InputError(
            f"log_probabilities have the shape {shown(shape)}; expected [sentences, candidates]: "
            "add up those of the tokens of each candidate"
        )
    mask = TORCH.ones_like(log_probabilities, dtype=TORCH.bool) if mask is None else mask
    for name, tensor in (("scores", scores), ("mask", mask)):
        _check_tensor(name, tensor)
        if tuple(tensor.shape) != shape:
            raise InputError(
                f"{name} and log_probabilities have the shapes {shown(tuple(tensor.shape))} and "
                f"{shown(shape)}; expected one number for each candidate"
            )
    return mask.bool()


def _check_tensor(name: str, value: object) -> None:
    if not isinstance(value, TORCH.Tensor):
        raise wrong_type(name, "a tensor", value)
