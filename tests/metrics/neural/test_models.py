"""Models are found on this computer, fetched only where that is allowed, and never run code."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import InputError, OptionError, with_sources
from bleuet.metrics.catalogue import find_preset, is_neural, parse_metric, summary_of
from bleuet.metrics.neural.bertscore import LAYERS
from bleuet.metrics.neural.folders import model_folder
from bleuet.metrics.neural.published_models import OF_METRICS, PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.neural

MADE: list[str] = []


class Runs:
    """Leaves a trace where it is unpickled."""

    def __reduce__(self) -> Any:
        return MADE.append, ("ran",)


def score(folder: Path) -> float:
    from bleuet.metrics.neural.comet.metric import COMET

    found: float = COMET(model=str(folder)).corpus_score(["a"], with_sources(["b"], ["s"])).score
    return found


def copy_of(folder: Path, target: Path) -> Path:
    shutil.copytree(folder, target)
    return target


def test_every_published_model_has_a_name_and_a_metric() -> None:
    for name, model in PUBLISHED.items():
        assert name == name.lower()
        assert model.repository.count("/") == 1
        assert model.gigabytes > 0
        assert model.licence
    assert LAYERS.keys() <= PUBLISHED.keys()
    for name, model in OF_METRICS.items():
        kind, preset = find_preset(name)
        assert preset == {"model": name}
        assert kind is find_preset(model.metric)[0]
        assert summary_of(name) == model.summary
        assert is_neural(name)


def test_a_name_is_looked_up_in_the_cache_of_the_hub(
    tmp_path: Path, folder_of: Callable[[str], Path]
) -> None:
    """The layout that the hub's library writes: blobs, snapshots and refs."""
    home = tmp_path / "hub" / "hub"
    repository = home / "models--Unbabel--wmt22-comet-da"
    commit = "a" * 40
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(commit)
    made = copy_of(folder_of("regression-sparsemax"), repository / "snapshots" / commit)
    import huggingface_hub.constants

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(home))
        assert model_folder("wmt22-comet-da").samefile(made)
        assert model_folder("Unbabel/wmt22-comet-da").samefile(made)
        with pytest.raises(InputError, match="is not on this computer: add --download"):
            model_folder("wmt20-comet-da")
        # A download that was stopped, or that was of the tokenizer alone, is done again.
        next(made.glob("checkpoints/*.ckpt")).unlink()
        with pytest.raises(InputError, match="is not on this computer: add --download"):
            model_folder("wmt22-comet-da")


def test_names_that_are_no_model(tmp_path: Path) -> None:
    for word, meant in (("comett", "comet"), ("wmt22-comet-dda", "wmt22-comet-da")):
        with pytest.raises(OptionError, match=f"did you mean {meant}"):
            parse_metric(word)
    with pytest.raises(InputError, match=r"no model 'wmt22-comet-dda' \(did you mean wmt22"):
        model_folder("wmt22-comet-dda")
    file = tmp_path / "model.ckpt"
    file.write_text("")
    with pytest.raises(InputError, match="a model is a folder, but"):
        model_folder(str(file))
    with pytest.raises(InputError, match=r"^the model Unbabel/XCOMET-XL is not on this computer"):
        model_folder("Unbabel/XCOMET-XL")
    for path in ("./typo", "/models/typo", "~/typo", "models/comet/typo", "typo/"):
        with pytest.raises(InputError, match=f"^there is no folder '{path}': correct the path"):
            model_folder(path)


def test_a_checkpoint_runs_no_code(tmp_path: Path, folder_of: Callable[[str], Path]) -> None:
    import torch

    folder = copy_of(folder_of("regression-sparsemax"), tmp_path / "comet")
    file = folder / "checkpoints" / "model.ckpt"
    content = torch.load(file, weights_only=True)
    torch.save({**content, "callbacks": {"a": Runs()}}, file)
    with pytest.raises(InputError, match="reading it could run code"):
        score(folder)
    file.write_bytes(pickle.dumps({**content, "callbacks": Runs()}))
    with pytest.raises(InputError, match="cannot be read as weights"):
        score(folder)
    assert MADE == []
    other = copy_of(folder_of("bleurt-20"), tmp_path / "bleurt")
    torch.save({"classifier.weight": Runs()}, other / "pytorch_model.bin")
    from bleuet.metrics.neural.bleurt import BLEURT

    with pytest.raises(InputError, match="reading it could run code"):
        BLEURT(model=str(other)).corpus_score(["a"], ["b"])
    assert MADE == []


def test_old_checkpoints_name_classes_of_lightning(folder_of: Callable[[str], Path]) -> None:
    """They are read, though no library of that name is there, and none is made."""
    assert "pytorch_lightning" not in sys.modules
    score(folder_of("regression-softmax-norm"))
    assert "pytorch_lightning" not in sys.modules


def test_checkpoints_that_do_not_fit(tmp_path: Path, folder_of: Callable[[str], Path]) -> None:
    import torch

    original = folder_of("regression-sparsemax")

    def changed(name: str, change: Callable[[dict[str, Any]], None]) -> Path:
        folder = copy_of(original, tmp_path / name)
        file = folder / "checkpoints" / "model.ckpt"
        content = torch.load(file, weights_only=True)
        change(content)
        torch.save(content, file)
        return folder

    def without_a_layer(content: dict[str, Any]) -> None:
        for name in [*content["state_dict"]]:
            if "encoder.layer.1." in name:
                del content["state_dict"][name]

    def with_adapters(content: dict[str, Any]) -> None:
        name = "encoder.model.encoder.layer.2.adapter.down.weight"
        content["state_dict"][name] = torch.zeros(4, 16)

    def of_another_size(content: dict[str, Any]) -> None:
        name = "encoder.model.embeddings.LayerNorm.weight"
        content["state_dict"][name] = torch.zeros(3)

    for name, change, said in (
        ("missing", without_a_layer, "have no tensors for encoder.layer.1"),
        ("adapters", with_adapters, "unknown tensors encoder.layer.2.adapter.down.weight in their"),
        ("size", of_another_size, r"has the shape \(3,\), but the configuration says \(16,\)"),
        ("no weights", lambda content: content.pop("state_dict"), "or no weights"),
    ):
        with pytest.raises(InputError, match=said):
            score(changed(name, change))


def test_folders_of_another_kind(tmp_path: Path, folder_of: Callable[[str], Path]) -> None:
    from bleuet.metrics.neural.bertscore import BERTScore
    from bleuet.metrics.neural.bleurt import BLEURT
    from bleuet.metrics.neural.metricx import MetricX

    texts = ["a"], ["b"]
    with pytest.raises(InputError, match="is no model of COMET"):
        score(folder_of("bert"))
    for made in (
        lambda folder: BLEURT(model=folder),
        lambda folder: BERTScore(model=folder, layer=1),
        lambda folder: MetricX(model=folder, version="23", tokenizer=folder),
    ):
        with pytest.raises(InputError, match=r"config.json"):
            made(str(folder_of("kiwi"))).corpus_score(*texts)
    with pytest.raises(InputError, match="does not rate texts"):
        BLEURT(model=str(folder_of("bert"))).corpus_score(*texts)
    bert = str(folder_of("bert"))
    with pytest.raises(InputError, match="expected mt5"):
        MetricX(model=bert, version="23", tokenizer=bert).corpus_score(*texts)
    folder = copy_of(folder_of("bert"), tmp_path / "bert")
    (folder / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(InputError, match="cannot be read as weights"):
        BERTScore(model=str(folder), layer=1).corpus_score(*texts)
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"has no weights; expected model.safetensors"):
        BERTScore(model=str(folder), layer=1).corpus_score(*texts)
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "../../elsewhere.safetensors"}}))
    with pytest.raises(InputError, match="lists files that are not in its folder"):
        BERTScore(model=str(folder), layer=1).corpus_score(*texts)


def test_hyperparameters_that_are_wrong(tmp_path: Path, folder_of: Callable[[str], Path]) -> None:
    folder = copy_of(folder_of("regression-sparsemax"), tmp_path / "comet")
    described = folder / "hparams.yaml"
    text = described.read_text("utf-8")
    described.write_text(text.replace("regression_metric", "ranking_metric"), "utf-8")
    with pytest.raises(InputError, match="class_identifier 'ranking_metric'; expected one of"):
        score(folder)
    described.write_text("a: [", "utf-8")
    with pytest.raises(InputError, match="is not valid YAML"):
        score(folder)
    described.write_text("!!python/object/apply:os.system ['true']", "utf-8")
    with pytest.raises(InputError, match="is not valid YAML"):
        score(folder)
