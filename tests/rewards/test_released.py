"""The released frameworks themselves call the functions, where they are installed.

pip install 'bleuet[frameworks]'    # TRL and verl, also in CI
pip install --no-deps openrlhf==0.11.2 && pip install aiohttp
pip install verifiers==0.4.0    # or 0.1.14; needs another mcp than the tests of the server
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from bleuet.rewards import Reward, openrlhf_reward, verifiers_reward, verl_reward

pytestmark = pytest.mark.frameworks
REPOSITORY = Path(__file__).resolve().parents[2]
TEXT, REFERENCE = "It rains today.", "Today it rains."


@pytest.fixture
def expected() -> float:
    found = Reward("chrf").score(TEXT, REFERENCE)
    assert found is not None
    return found


class Tokenizer:
    """Has one token, a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def decode(self, tokens: object, skip_special_tokens: bool) -> str:
        return self.text if skip_special_tokens else f"{self.text}</s>"


def loaded(file: Path) -> Any:
    """Return a file as a module, without the packages around it."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reward_rises_in_trl() -> None:
    rewards = loaded(REPOSITORY / "examples" / "grpo.py").train()
    assert rewards[-1] > rewards[0] + 0.2


@pytest.mark.usefixtures("no_running_loop")
def test_verl(expected: float) -> None:
    verl, torch, numpy = map(import_module, ("verl", "torch", "numpy"))
    one_by_one = import_module("verl.experimental.reward_loop.reward_manager.naive")
    in_batches = import_module("verl.workers.reward_manager.batch")
    tensors = {
        name: torch.ones(1, size, dtype=torch.long)
        for name, size in (("prompts", 2), ("responses", 3), ("attention_mask", 5))
    }
    others: dict[str, list[Any]] = {
        "data_source": ["wmt"],
        "reward_model": [{"ground_truth": REFERENCE}],
        "extra_info": [{}],
    }
    data = verl.DataProto.from_dict(
        tensors, non_tensors={k: numpy.array(v, dtype=object) for k, v in others.items()}
    )

    async def one(function: Any) -> Any:
        manager = one_by_one.NaiveRewardManager(SimpleNamespace(), Tokenizer(TEXT), function)
        return await manager.run_single(data)

    assert asyncio.run(one(verl_reward("chrf")))["reward_score"] == expected
    several = asyncio.run(one(verl_reward({"chrf": 1, "ter": 0})))
    assert several["reward_score"] == expected
    assert set(several["reward_extra_info"]) == {"score", "chrF2", "TER"}
    manager = in_batches.BatchRewardManager(Tokenizer(TEXT), 0, verl_reward("chrf", batch=True))
    assert manager(data)[0, -1].item() == pytest.approx(expected)


@pytest.mark.usefixtures("no_running_loop")
def test_openrlhf(tmp_path: Path, expected: float) -> None:
    torch: Any = import_module("torch")
    found = importlib.util.find_spec("openrlhf")
    if found is None or found.origin is None:
        pytest.skip("OpenRLHF is not installed")
    # Its packages import vLLM and Ray, which this needs none of.
    logging = ModuleType("openrlhf.utils.logging_utils")
    logging.init_logger = lambda name: SimpleNamespace(info=print, warning=print)  # type: ignore[attr-defined]
    sys.modules["openrlhf.utils.logging_utils"] = logging
    agent = loaded(Path(found.origin).parent / "utils" / "agent.py")
    file = tmp_path / "reward.py"
    file.write_text(
        "from bleuet.rewards import openrlhf_reward\nreward_func = openrlhf_reward('chrf')\n"
    )
    executor = agent.SingleTurnAgentExecutor(str(file))
    assert executor.reward_func == openrlhf_reward("chrf")
    prompt = "<s>Weather? "
    (info,) = asyncio.run(
        executor._fetch_rewards_via_func([f"{prompt}{TEXT}</s>"], [prompt], [REFERENCE])
    )
    # As its samples generator makes tensors of them.
    assert torch.tensor([info["rewards"]]).flatten().tolist() == pytest.approx([expected])
    assert torch.tensor([info["extra_logs"]["chrF2"]]).numel() == 1


@pytest.mark.usefixtures("no_running_loop")
def test_verifiers(expected: float) -> None:
    vf = pytest.importorskip("verifiers", reason="verifiers is in no extra")
    if version("verifiers").startswith("0.1."):
        rubric = vf.Rubric(funcs=[verifiers_reward("chrf")])
        completion = [{"role": "assistant", "content": TEXT}]
        state = vf.State(prompt="p", completion=completion, answer=REFERENCE, input={}, timing={})
        call = rubric._call_individual_reward_func(rubric.funcs[0], state)
        assert asyncio.run(call) == expected
        assert rubric._get_individual_reward_func_names() == ["chrf2_reward"]
        return
    invoke_all = import_module("verifiers.v1.utils.decorators").invoke_all
    available = {
        "task": SimpleNamespace(answer=REFERENCE),
        "trace": SimpleNamespace(last_reply=TEXT),
    }
    assert asyncio.run(invoke_all([verifiers_reward("chrf")], available)) == [expected]
