"""The networks of COMET: an encoder, a mix of its layers, and a head; read from a checkpoint."""

from __future__ import annotations

from functools import partial

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.frozen import Value
from bleuet.messages import in_short, shown
from bleuet.metrics.neural.checkpoints import Inert, checkpoint_of, hash_of
from bleuet.metrics.neural.encoder import (
    TextTokens,
    configuration_of,
    copies_of,
    empty_model,
    encoder_of,
)
from bleuet.metrics.neural.folders import model_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any, TypeAlias

    import torch
    import yaml

    from bleuet.metrics.neural.files_read import FilesRead

    Tensor: TypeAlias = torch.Tensor
else:
    torch = deferred("torch")
    yaml = deferred("yaml")

REGRESSION, REFERENCELESS = "regression_metric", "referenceless_regression_metric"
UNIFIED, XCOMET = "unified_metric", "xcomet_metric"
SENTINEL = "sentinel_regression_metric"
KINDS = (REGRESSION, REFERENCELESS, UNIFIED, XCOMET, SENTINEL)
# What each class takes for a hyperparameter that a checkpoint does not have.
COMMON = {
    "activations": "Tanh",
    "final_activation": None,
    "layer": "mix",
    "layer_norm": True,
    "layer_transformation": "softmax",
    "pool": "avg",
}
JOINT = {
    "layer_transformation": "sparsemax",
    "sent_layer": "mix",
    "word_level_training": False,
    "error_labels": ["minor", "major"],
    "input_segments": ["mt", "src", "ref"],
}
DEFAULTS: dict[str, dict[str, Any]] = {
    REGRESSION: {**COMMON, "hidden_sizes": [3072, 1024]},
    REFERENCELESS: {**COMMON, "hidden_sizes": [2048, 1024]},
    # Sentinels take the first token of the last layer.
    SENTINEL: {**COMMON, "hidden_sizes": [2048, 1024], "pool": "default"},
    UNIFIED: {**COMMON, **JOINT, "hidden_sizes": [3072, 1024], "word_layer": 24},
    XCOMET: {
        **COMMON,
        **JOINT,
        "layer_norm": False,
        "hidden_sizes": [2560, 1280],
        "word_layer": 36,
        "word_level_training": True,
        "error_labels": ["minor", "major", "critical"],
    },
}
SOFTMAX, SPARSEMAX = "softmax", "sparsemax"
# In the file beside a checkpoint this says that the checkpoint's own word is wrong.
PATCH = "sparsemax_patch"
# How many vectors the head of each class takes.
VECTORS = {REGRESSION: 6, REFERENCELESS: 4, SENTINEL: 1, UNIFIED: 1, XCOMET: 1}
# The encoder that reads which tokens are those of the hypothesis; unbabel-comet does not pass them
# to RemBERT.
WITH_KINDS = "BERT"
ENCODER = "encoder.model."
NORM_EPSILON = 1e-12


class Checkpoint(Value, eq=False):
    """What a folder of COMET holds.

    Attributes:
        kind: one of `KINDS`.
        settings: the hyperparameters.
        tensors: the weights.
        weights: their hash.
        mix: "softmax" or "sparsemax", with which the layers are mixed.
    """

    kind: str
    settings: dict[str, Any]
    tensors: dict[str, Any]
    weights: str
    mix: str


def read_checkpoint(folder: Path) -> Checkpoint:
    """Read `checkpoints/model.ckpt` and `hparams.yaml` of a folder.

    Raises:
        InputError: they are not there, or are not those of COMET.
    """
    described = folder / "hparams.yaml"
    files = sorted(folder.glob("checkpoints/*.ckpt"))
    if not described.is_file() or len(files) != 1:
        raise InputError(
            f"the folder {folder} is no model of COMET, which has hparams.yaml and "
            "checkpoints/model.ckpt: name the folder of such a model"
        )
    beside = _read_settings(described)
    kind = beside.get("class_identifier")
    if kind not in KINDS:
        raise InputError(
            f"{described} has the class_identifier {shown(kind)}; expected one of "
            f"{', '.join(KINDS)}"
        )
    content = checkpoint_of(files[0])
    own, tensors = content.get("hyper_parameters"), content.get("state_dict")
    if not isinstance(own, dict) or not isinstance(tensors, dict):
        raise InputError(f"{files[0]} has no hyperparameters, or no weights: fetch it again")
    settings = {**DEFAULTS[kind], **own}
    unread = [name for name in DEFAULTS[kind] if isinstance(settings[name], Inert)]
    if unread:
        raise InputError(
            f"{files[0]} has the hyperparameter {unread[0]} in a form that bleuet cannot read"
        )
    if kind == SENTINEL and settings.get("sent_to_use") not in ("src", "mt", "ref"):
        raise InputError(
            f"{described} has the class_identifier {kind}, but the checkpoint has no sent_to_use, "
            "which says what it reads: correct it"
        )
    mix = SPARSEMAX if settings["layer_transformation"] == SPARSEMAX else SOFTMAX
    if beside.get("layer_transformation") == PATCH:
        mix = SOFTMAX
    tensors = {name: one for name, one in tensors.items() if isinstance(one, torch.Tensor)}
    return Checkpoint(kind, settings, tensors, hash_of(files), mix)


def _read_settings(file: Path) -> dict[str, Any]:
    """Return what a file of YAML says.

    Only names are needed of it. What Python wrote into it, such as tuples and numbers of NumPy, is
    left out, and nothing of it is run.
    """

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        pass

    Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda *_: None)
    try:
        settings = Loader(file.read_text(encoding="utf-8")).get_single_data()
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{file} is not valid YAML: {in_short(error)}") from None
    if not isinstance(settings, dict):
        raise InputError(
            f"{file} is not valid YAML of hyperparameters; expected lines such as "
            "class_identifier: regression_metric"
        )
    return settings


class Network:
    """A model of COMET on its devices.

    Args:
        checkpoint: what its folder holds; its tensors are gone afterwards, so that none is in
            memory twice.
        encoder: the folder or the name of its encoder, "" for the one that the checkpoint names.
        beside: the folder of the checkpoint, which may have the encoder's files itself.
        mix: "softmax" or "sparsemax".
        dtype: the type of numbers, one of `bleuet.metrics.neural.encoder.TYPES`.
        devices: the devices, as `devices_of` reads them.
        files: takes down what is read.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        *,
        encoder: str,
        beside: Path,
        mix: str,
        dtype: str,
        devices: str,
        files: FilesRead,
    ) -> None:
        self.checkpoint = checkpoint
        settings = checkpoint.settings
        folder = _encoder_folder(encoder, str(settings.get("pretrained_model", "")), beside)
        config = configuration_of(files.add(folder))
        self.tokens = TextTokens(folder, int(config.vocab_size))
        self.positions = int(config.max_position_embeddings)
        self.tells_kinds = settings.get("encoder_model") == WITH_KINDS
        tensors = checkpoint.tensors
        names = [name for name in tensors if name.startswith(ENCODER)]
        own = {name.removeprefix(ENCODER): tensors.pop(name) for name in names}
        heads = {name: value.float() for name, value in tensors.items()}
        tensors.clear()
        self.layer_weights = self._layer_weights(heads, config, mix)
        self.linear = _linear_layers(heads, checkpoint, int(config.hidden_size))
        self.tagger = (
            _tagger(heads, settings, int(config.hidden_size))
            if _check_finds_errors(checkpoint)
            else None
        )
        _check_layers(settings, self.layer_weights is not None, int(config.num_hidden_layers))
        model = empty_model(partial(encoder_of, config), own, dtype)
        self.encoders = copies_of(model, dtype, devices)

    def _layer_weights(self, tensors: Mapping[str, Tensor], config: Any, mix: str) -> Tensor | None:
        """Return by how much each layer counts, None if only one counts."""
        if "layerwise_attention.gamma" not in tensors:
            return None
        layers = int(config.num_hidden_layers) + 1
        names = [f"layerwise_attention.scalar_parameters.{place}" for place in range(layers)]
        if any(name not in tensors for name in names):
            raise InputError(
                f"the checkpoint has no weight for each of the encoder's {layers} layers: it was "
                "trained with another encoder"
            )
        scalars = torch.cat([tensors[name].reshape(1) for name in names])
        shares = sparsemax(scalars) if mix == SPARSEMAX else torch.softmax(scalars, dim=0)
        found: Tensor = tensors["layerwise_attention.gamma"] * shares
        return found

    # --- From tokens to vectors -------------------------------------------------------------------

    def mixed(self, states: Sequence[Tensor], mask: Tensor, layer: Any) -> Tensor:
        """Return the states of all tokens: a mix of the layers, or one of them.

        Args:
            states: the hidden states of each layer, batch x tokens x size.
            mask: 1 for each token that is no padding, batch x tokens.
            layer: "mix", or the number of a layer.
        """
        if layer != "mix" or self.layer_weights is None:
            return states[int(layer)].float()
        weights = self.layer_weights.to(states[0].device)
        total: Any = 0
        for weight, state in zip(weights, states, strict=True):
            if not weight:  # sparsemax leaves layers out
                continue
            own = state.float()
            total = total + weight * (
                _normed(own, mask) if self.checkpoint.settings["layer_norm"] else own
            )
        mixed: Tensor = total
        return mixed

    def pooled(self, states: Sequence[Tensor], tokens: Tensor, mask: Tensor) -> Tensor:
        """Return a vector for each text, batch x size."""
        settings = self.checkpoint.settings
        pool = settings["pool"]
        if pool == "default":
            return states[-1][:, 0].float()
        mixed = self.mixed(states, mask, settings["layer"])
        if pool == "cls":
            return mixed[:, 0]
        # A text may have the token of padding itself.
        padding = (tokens == self.tokens.padding).unsqueeze(-1)
        if pool == "max":
            return mixed.masked_fill(padding, float("-inf")).max(dim=1).values
        if pool != "avg":
            raise InputError(f"the checkpoint pools by {shown(pool)}; expected avg, cls or max")
        summed = mixed.masked_fill(padding, 0.0).sum(dim=1)
        return summed / mask.sum(dim=1, keepdim=True).float()

    def estimate(self, vectors: Tensor) -> Tensor:
        """Return the number that the head makes of each vector."""
        activation = _activation(self.checkpoint.settings["activations"])
        for place, (weight, bias) in enumerate(self.linear):
            vectors = torch.nn.functional.linear(
                vectors, weight.to(vectors.device), bias.to(vectors.device)
            )
            if place + 1 < len(self.linear):
                vectors = activation(vectors)
        last = self.checkpoint.settings["final_activation"]
        found = vectors if last is None else _activation(last)(vectors)
        return found.reshape(-1)

    def tags(self, states: Sequence[Tensor]) -> Tensor:
        """Return the share of each label for each token, batch x tokens x labels."""
        assert self.tagger is not None
        weight, bias = self.tagger
        layer = states[int(self.checkpoint.settings["word_layer"])].float()
        weight, bias = weight.to(layer.device), bias.to(layer.device)
        return torch.softmax(torch.nn.functional.linear(layer, weight, bias), dim=-1)


def _encoder_folder(named: str, own: str, beside: Path) -> Path:
    if named:
        return model_folder(named, weights=False)
    if (beside / "config.json").is_file():
        return beside
    if not own:
        raise InputError("the checkpoint does not name its encoder: name its folder with encoder=")
    try:
        return model_folder(_full_name(own), weights=False)
    except InputError as error:
        raise InputError(
            f"the tokenizer and the configuration of the encoder {own}: {error}"
        ) from None


def _full_name(name: str) -> str:
    """Return the name of a repository with its owner, which old checkpoints leave out.

    >>> _full_name("xlm-roberta-large"), _full_name("microsoft/infoxlm-large")
    ('FacebookAI/xlm-roberta-large', 'microsoft/infoxlm-large')
    """
    return f"FacebookAI/{name}" if name.startswith("xlm-roberta") else name


def sparsemax(scores: Tensor) -> Tensor:
    """Return the shares that are nearest to some scores: most of them can be 0.

    Source: Martins and Astudillo (2016), algorithm 1.

    Args:
        scores: one number for each share.
    """
    ordered, _ = torch.sort(scores.double(), descending=True)
    places = torch.arange(1, len(ordered) + 1)
    sums = ordered.cumsum(0)
    support = int((1 + places * ordered > sums).sum())
    threshold = (sums[support - 1] - 1) / support
    return (scores.double() - threshold).clamp(min=0).float()


def _normed(states: Tensor, mask: Tensor) -> Tensor:
    """Return states with mean 0 and variance 1 over all numbers of each text."""
    kept = mask.unsqueeze(-1).float()
    count = kept.sum(dim=(1, 2), keepdim=True) * states.shape[-1]
    mean = (states * kept).sum(dim=(1, 2), keepdim=True) / count
    variance = (((states - mean) * kept) ** 2).sum(dim=(1, 2), keepdim=True) / count
    return (states - mean) / torch.sqrt(variance + NORM_EPSILON)


def _linear_layers(
    tensors: Mapping[str, Tensor], checkpoint: Checkpoint, size: int
) -> list[tuple[Tensor, Tensor]]:
    """Return weight and bias of each layer of the head.

    Args:
        tensors: the tensors beside those of the encoder.
        checkpoint: of which they are.
        size: how many numbers the encoder has for a token.
    """
    hidden = list(checkpoint.settings["hidden_sizes"])
    inputs = [VECTORS[checkpoint.kind] * size, *hidden]
    layers = []
    for place, shape in enumerate(zip([*hidden, 1], inputs, strict=True)):
        name = f"estimator.ff.{3 * place}"
        if f"{name}.weight" not in tensors or f"{name}.bias" not in tensors:
            raise InputError(f"the checkpoint has no weights {name}: it is not complete")
        weight, bias = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
        if tuple(weight.shape) != shape:
            raise InputError(
                f"the head {name} of the checkpoint takes {weight.shape[-1]} numbers and makes "
                f"{weight.shape[0]}, but that of a {checkpoint.kind} takes {shape[1]} and makes "
                f"{shape[0]}: correct the class_identifier in hparams.yaml"
            )
        layers.append((weight, bias))
    return layers


def _check_finds_errors(checkpoint: Checkpoint) -> bool:
    """Return whether a model finds errors, without which xCOMET's score is another one."""
    finds = bool(checkpoint.settings.get("word_level_training"))
    if checkpoint.kind == XCOMET and not finds:
        raise InputError(
            f"the class_identifier in hparams.yaml is {XCOMET}, but the checkpoint does not find "
            "errors: correct it"
        )
    return finds


def _tagger(
    tensors: Mapping[str, Tensor], settings: Mapping[str, Any], size: int
) -> tuple[Tensor, Tensor]:
    if "hidden2tag.weight" not in tensors or "hidden2tag.bias" not in tensors:
        raise InputError("the checkpoint has no weights hidden2tag, which find errors")
    weight, bias = tensors["hidden2tag.weight"], tensors["hidden2tag.bias"]
    expected = len(settings["error_labels"]) + 1, size
    if tuple(weight.shape) != expected:
        raise InputError(
            f"the weights hidden2tag have the shape {tuple(weight.shape)}, but the labels "
            f"{', '.join(settings['error_labels'])} need {expected}"
        )
    return weight, bias


def _check_layers(settings: Mapping[str, Any], has_mix: bool, depth: int) -> None:
    """Check that a model has the layers that its hyperparameters name."""
    names = ["sent_layer"] if "sent_layer" in settings else ["layer"]
    names = [] if settings["pool"] == "default" and names == ["layer"] else names
    if settings.get("word_level_training"):
        names.append("word_layer")
    for name in names:
        layer = settings[name]
        if layer == "mix" and has_mix and name != "word_layer":
            continue
        if not isinstance(layer, int) or not 0 <= layer <= depth:
            missing = "no weights layerwise_attention" if layer == "mix" else f"{depth} layers"
            raise InputError(
                f"the checkpoint has {missing}, but the {name} {shown(layer)}: correct the "
                "class_identifier in hparams.yaml, or fetch it again"
            )


def _activation(name: str) -> Any:
    found = {"tanh": torch.tanh, "sigmoid": torch.sigmoid}.get(str(name).lower())
    if found is None:
        raise InputError(
            f"the head of the model has the activation {shown(name)}, which is unknown"
        )
    return found
