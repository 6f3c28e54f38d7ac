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


def verl_settings(*overrides: str) -> Any:
    """Return the settings of verl's trainer, with those of its command line."""
    folder = importlib.util.find_spec("verl")
    assert folder is not None
    (place,) = folder.submodule_search_locations or []
    with import_module("hydra").initialize_config_dir(f"{place}/trainer/config", version_base=None):
        settings = import_module("hydra").compose("ppo_trainer", overrides=list(overrides))
    return import_module("verl.experimental.reward_loop.reward_loop").migrate_legacy_reward_impl(
        settings
    )


def verl_sample(truth: Any) -> Any:
    verl, torch, numpy = map(import_module, ("verl", "torch", "numpy"))
    tensors = {
        name: torch.ones(1, size, dtype=torch.long)
        for name, size in (("prompts", 2), ("responses", 3), ("attention_mask", 5))
    }
    others: dict[str, list[Any]] = {
        "data_source": ["wmt"],
        "reward_model": [{"ground_truth": truth}],
        "extra_info": [{}],
    }
    return verl.DataProto.from_dict(
        tensors, non_tensors={k: numpy.array(v, dtype=object) for k, v in others.items()}
    )


@pytest.mark.usefixtures("no_running_loop")
@pytest.mark.parametrize("prefix", ["reward.", ""], ids=["today's name", "the older name"])
def test_verl(tmp_path: Path, expected: float, prefix: str) -> None:
    """Its trainer finds the function and the managers by its own settings."""
    trainer = import_module("verl.trainer.ppo.reward")
    registry = import_module("verl.experimental.reward_loop.reward_manager.registry")
    file = tmp_path / "my_rewards.py"
    file.write_text(
        "from bleuet.rewards import verl_reward\n"
        "compute_score = verl_reward('chrf')\n"
        "several = verl_reward({'chrf': 1, 'ter': 0})\n"
    )

    async def reward(name: str, function: str) -> Any:
        settings = verl_settings(
            f"{prefix}custom_reward_function.path={file}",
            f"{prefix}custom_reward_function.name={function}",
            f"reward.reward_manager.name={name}",
        )
        trainer.resolve_reward_manager_cls(settings).init_class(settings, None)
        manager = trainer.load_reward_manager(settings, Tokenizer(TEXT))
        return await manager.run_single(verl_sample(REFERENCE))

    # The manager "remote" calls it the same way, in a process of Ray.
    names = sorted(set(registry.REWARD_MANAGER) - {"remote"})
    assert "naive" in names
    for name in names:
        assert asyncio.run(reward(name, "compute_score"))["reward_score"] == expected, name
    several = asyncio.run(reward("naive", "several"))
    assert several["reward_score"] == expected
    assert set(several["reward_extra_info"]) == {"score", "chrF2", "TER"}


def test_verl_reads_references_as_parquet_files_have_them(expected: float) -> None:
    array = import_module("numpy").array([REFERENCE, "It is dry."], dtype=object)
    for truth in (array, f'["{REFERENCE}", "It is dry."]', [REFERENCE]):
        assert verl_reward("chrf")("wmt", TEXT, truth) == expected
    (row,) = verl_sample(array)
    verl_reward("chrf").check([row.non_tensor_batch])


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
