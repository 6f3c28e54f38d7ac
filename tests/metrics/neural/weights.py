"""Weights of small models: numbers by chance that are the same on every machine.

A tensor's numbers depend on the seed and on its name only. They are made from whole numbers, so
that no machine rounds otherwise, and are nearly distributed as a normal distribution.
"""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Mapping

# Names of tensors with their shapes.
Shapes = dict[str, tuple[int, ...]]
# The sum of so many whole numbers below a limit is nearly normal.
ADDED, LIMIT = 4, 1 << 12
SCALE = math.sqrt(ADDED * (LIMIT**2 - 1) / 12)


def normal(shape: tuple[int, ...], seed: int, name: str) -> torch.Tensor:
    """A tensor of double precision with mean 0 and deviation 1."""
    start = int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:7], "big")
    generator = torch.Generator().manual_seed(start)
    numbers = torch.randint(0, LIMIT, (ADDED, *shape), generator=generator)
    return (numbers.sum(0) - ADDED * (LIMIT - 1) / 2).double() / SCALE


def tensor(name: str, shape: tuple[int, ...], seed: int, gain: float) -> torch.Tensor:
    """The weights of a name: what they are multiplied with depends on what they are."""
    numbers = normal(shape, seed, name)
    kind = name.lower()
    if kind.endswith(("norm.weight", "gamma")):
        numbers = 1 + numbers / 4
    elif "scalar_parameters" in kind:
        pass
    elif kind.endswith("bias"):
        numbers = numbers / 5
    elif "embeddings." in kind or len(shape) < 2:
        numbers = numbers * (0.8 if "word_embeddings" in kind else 0.4)
    else:
        numbers = numbers * (gain / math.sqrt(shape[1]))
    return numbers.float()


def filled(shapes: Shapes, seed: int, gain: float = 1.2) -> dict[str, torch.Tensor]:
    """Tensors for names and shapes."""
    return {name: tensor(name, shape, seed, gain) for name, shape in shapes.items()}


def linear(name: str, inputs: int, outputs: int) -> Shapes:
    """A linear layer."""
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def norm(name: str, size: int) -> Shapes:
    """A normalisation of layers."""
    return {f"{name}.weight": (size,), f"{name}.bias": (size,)}


def embeddings(config: Mapping[str, Any], size: int, normed: bool = True) -> Shapes:
    """The embeddings of an encoder: words, places and kinds of tokens."""
    shapes: Shapes = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], size),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], size),
        "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], size),
    }
    if normed:
        shapes |= norm("embeddings.LayerNorm", size)
    return shapes


def layers(config: Mapping[str, Any], norms: tuple[str, ...]) -> Shapes:
    """The layers of an encoder of the family of BERT, with the names of their normalisations."""
    size, inner = config["hidden_size"], config["intermediate_size"]
    shapes: Shapes = {}
    for place in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{place}"
        for part in ("query", "key", "value"):
            shapes |= linear(f"{layer}.attention.self.{part}", size, size)
        shapes |= linear(f"{layer}.attention.output.dense", size, size)
        shapes |= linear(f"{layer}.intermediate.dense", size, inner)
        shapes |= linear(f"{layer}.output.dense", inner, size)
        for name in norms:
            shapes |= norm(f"{layer}.{name}", size)
    return shapes


def bert(config: Mapping[str, Any]) -> Shapes:
    """BERT, RoBERTa and XLM-R, without the layer above the first token."""
    return embeddings(config, config["hidden_size"]) | layers(
        config, ("attention.output.LayerNorm", "output.LayerNorm")
    )


def xlm_roberta_xl(config: Mapping[str, Any]) -> Shapes:
    """XLM-R-XL, which normalises before its layers and after the last."""
    return (
        embeddings(config, config["hidden_size"], normed=False)
        | layers(config, ("attention.self_attn_layer_norm", "LayerNorm"))
        | norm("encoder.LayerNorm", config["hidden_size"])
    )


def rembert(config: Mapping[str, Any], projection: str = "embedding_hidden_mapping_in") -> Shapes:
    """RemBERT, whose embeddings are smaller than its layers."""
    size, smaller = config["hidden_size"], config["input_embedding_size"]
    return (
        embeddings(config, smaller)
        | linear(f"encoder.{projection}", smaller, size)
        | layers(config, ("attention.output.LayerNorm", "output.LayerNorm"))
    )


def mt5(config: Mapping[str, Any]) -> Shapes:
    """MT5 with its head: T5's layers, whose linear ones have no bias."""
    size, inner = config["d_model"], config["d_ff"]
    heads, head = config["num_heads"], config["num_heads"] * config["d_kv"]
    shapes: Shapes = {"shared.weight": (config["vocab_size"], size)}
    for stack, count in (("encoder", "num_layers"), ("decoder", "num_decoder_layers")):
        parts = ["SelfAttention", *(["EncDecAttention"] if stack == "decoder" else [])]
        buckets = f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        shapes[buckets] = (config["relative_attention_num_buckets"], heads)
        for block in range(config[count]):
            for place, part in enumerate(parts):
                layer = f"{stack}.block.{block}.layer.{place}"
                for name in "qkv":
                    shapes[f"{layer}.{part}.{name}.weight"] = (head, size)
                shapes[f"{layer}.{part}.o.weight"] = (size, head)
                shapes[f"{layer}.layer_norm.weight"] = (size,)
            layer = f"{stack}.block.{block}.layer.{len(parts)}"
            shapes[f"{layer}.DenseReluDense.wi_0.weight"] = (inner, size)
            shapes[f"{layer}.DenseReluDense.wi_1.weight"] = (inner, size)
            shapes[f"{layer}.DenseReluDense.wo.weight"] = (size, inner)
            shapes[f"{layer}.layer_norm.weight"] = (size,)
        shapes[f"{stack}.final_layer_norm.weight"] = (size,)
    return shapes


def named(prefix: str, shapes: Shapes) -> Shapes:
    """The same shapes with a prefix before each name."""
    return {prefix + name: shape for name, shape in shapes.items()}


def digest(tensors: Mapping[str, torch.Tensor]) -> str:
    """A hash of names, types, shapes and numbers, whatever their order."""
    found = hashlib.sha256()
    for name in sorted(tensors):
        value = tensors[name].contiguous()
        found.update(f"{name} {value.dtype} {tuple(value.shape)} ".encode())
        found.update(value.flatten().view(torch.uint8).numpy().tobytes())
    return found.hexdigest()[:16]
