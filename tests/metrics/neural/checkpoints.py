"""Folders of small models with the layout of published ones: the same numbers wherever written.

Only torch, safetensors and tokenizers are needed, since names and shapes of tensors are written out
here; so the original packages, in environments of their own, and our tests read the same models.
Nothing of them is stored: a test writes the folder that it needs.

Every function of `MODELS` takes a new folder, fills it and returns the hash of its weights. COMET's
is `checkpoints/model.ckpt` and `hparams.yaml`, with the encoder's tokenizer and configuration in
`encoder`, which the published models take from another repository.
"""

from __future__ import annotations

import functools
import itertools
import sys
import types
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import save_file

from tests.metrics.neural import vocabularies, weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

Tensors = dict[str, torch.Tensor]
SEED = 13
# Two tokens less are what a text and what surrounds it may have.
POSITIONS = 98

XLMR: dict[str, Any] = {
    "architectures": ["XLMRobertaForMaskedLM"],
    "attention_probs_dropout_prob": 0.1,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "hidden_size": 16,
    "initializer_range": 0.02,
    "intermediate_size": 24,
    "layer_norm_eps": 1e-05,
    "max_position_embeddings": POSITIONS,
    "model_type": "xlm-roberta",
    "num_attention_heads": 4,
    "num_hidden_layers": 4,
    "pad_token_id": 1,
    "position_embedding_type": "absolute",
    "type_vocab_size": 1,
    "use_cache": True,
}
XLMR_XL = XLMR | {"architectures": ["XLMRobertaXLForMaskedLM"], "model_type": "xlm-roberta-xl"}
# MiniLM: BERT's layers with XLM-R's tokenizer.
MINILM = XLMR | {
    "architectures": ["BertModel"],
    "layer_norm_eps": 1e-12,
    "model_type": "bert",
    "num_hidden_layers": 3,
    "pad_token_id": 0,
    "tokenizer_class": "XLMRobertaTokenizer",
    "type_vocab_size": 2,
}
BERT = XLMR | {
    "architectures": ["BertForMaskedLM"],
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": POSITIONS - 2,
    "model_type": "bert",
    "pad_token_id": 0,
    "type_vocab_size": 2,
}
REMBERT = BERT | {
    "architectures": ["RemBertForMaskedLM"],
    "bos_token_id": 2,
    "classifier_dropout_prob": 0.1,
    "eos_token_id": 3,
    "input_embedding_size": 8,
    "model_type": "rembert",
    "output_embedding_size": 12,
}
SHAPES = {
    "bert": weights.bert,
    "rembert": weights.rembert,
    "roberta": weights.bert,
    "xlm-roberta": weights.bert,
    "xlm-roberta-xl": weights.xlm_roberta_xl,
}


# COMET
# -----

# What the published models have in their hparams.yaml and in their checkpoints.
TRAINED: dict[str, Any] = {
    "activations": "Tanh",
    "batch_size": 4,
    "dropout": 0.1,
    "encoder_learning_rate": 1e-06,
    "encoder_model": "XLM-RoBERTa",
    "final_activation": None,
    "hidden_sizes": [20, 8],
    "keep_embeddings_frozen": True,
    "layer": "mix",
    "layer_norm": False,
    "layer_transformation": "sparsemax",
    "layerwise_decay": 0.95,
    "learning_rate": 1.5e-05,
    "loss": "mse",
    "nr_frozen_epochs": 0.3,
    "optimizer": "AdamW",
    "pool": "avg",
    "train_data": ["data/1720-da.csv"],
    "validation_data": ["data/wmt-ende-newstest2021.csv", "data/wmt-enru-newstest2021.csv"],
}
REGRESSION = TRAINED | {"class_identifier": "regression_metric"}
# As wmt20-comet-da and wmt20-comet-qe-da.
NORMED = {"layer_norm": True, "layer_transformation": "softmax"}
REFERENCELESS = TRAINED | {"class_identifier": "referenceless_regression_metric"}
# As wmt22-cometkiwi-da.
KIWI = TRAINED | {
    "class_identifier": "unified_metric",
    "input_segments": ["mt", "src"],
    "loss_lambda": 0.65,
    "sent_layer": "mix",
    "word_layer": 3,
    "word_level_training": False,
    "word_weights": [0.15, 0.85],
}
UNITE = KIWI | {"input_segments": ["mt", "src", "ref"]}
WORDS = {"word_level_training": True, "error_labels": ["minor", "major"]}
# As XCOMET-XL.
XCOMET = TRAINED | {
    "class_identifier": "xcomet_metric",
    "cross_entropy_weights": [0.08, 0.486, 0.505, 0.533],
    "error_labels": ["minor", "major", "critical"],
    "input_segments": ["mt", "src", "ref"],
    "loss_lambda": 0.055,
    "sent_layer": "mix",
    "word_layer": 3,
    "word_level_training": True,
}
AS_BERT = {"encoder_model": "BERT"}
AS_REMBERT = {"encoder_model": "RemBERT"}
# Since April 2025 some yaml files say that softmax was meant; the checkpoints still say sparsemax.
PATCH = {"layer_transformation": "sparsemax_patch"}
# How many vectors the head takes.
INPUTS = {
    "regression_metric": 6,
    "referenceless_regression_metric": 4,
    "unified_metric": 1,
    "xcomet_metric": 1,
    "sentinel_regression_metric": 1,
}


def head(hparams: Mapping[str, Any], config: Mapping[str, Any]) -> weights.Shapes:
    """What a model of COMET has above its encoder."""
    depth, size = config["num_hidden_layers"] + 1, config["hidden_size"]
    shapes: weights.Shapes = {}
    layer = hparams.get("sent_layer", hparams.get("layer"))
    if layer == "mix":
        shapes["layerwise_attention.gamma"] = (1,)
        for place in range(depth):
            shapes[f"layerwise_attention.scalar_parameters.{place}"] = (1,)
    sizes = [INPUTS[hparams["class_identifier"]] * size, *hparams["hidden_sizes"], 1]
    for place, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        shapes |= weights.linear(f"estimator.ff.{3 * place}", inputs, outputs)
    if hparams.get("word_level_training"):
        shapes |= weights.linear("hidden2tag", size, len(hparams["error_labels"]) + 1)
    return shapes


def write_comet(
    folder: Path,
    *,
    hparams: Mapping[str, Any],
    config: Mapping[str, Any] = XLMR,
    yaml: Mapping[str, Any] | None = None,
    older: bool = False,
    seed: int = SEED,
    encoder: str | None = None,
    tokenizer: str = "xlmr",
) -> str:
    """Write a model of COMET and return the hash of its weights.

    `yaml` is what hparams.yaml says otherwise than the checkpoint. An older checkpoint has tensors
    that nothing reads, and names classes of Lightning. `encoder` is the encoder's name in the
    checkpoint; without it that is the path of its folder.
    """
    write = {
        "bert": vocabularies.write_bert,
        "rembert": vocabularies.write_rembert_pieces,
        "xlmr": vocabularies.write_xlmr,
    }[tokenizer]
    config = {**config, "vocab_size": write(folder / "encoder", POSITIONS - 2)}
    vocabularies.write_json(folder / "encoder" / "config.json", config)
    hparams = {**hparams, "pretrained_model": encoder or str(folder / "encoder")}
    shapes = weights.named("encoder.model.", SHAPES[config["model_type"]](config))
    if config["model_type"] in ("bert", "rembert") or older:
        size = config["hidden_size"]
        shapes |= weights.linear("encoder.model.pooler.dense", size, size)
    tensors = weights.filled(shapes, seed)
    tensors |= weights.filled(head(hparams, config), seed, gain=1.7)
    depth = config["num_hidden_layers"] + 1
    if "layerwise_attention.gamma" in tensors and hparams["dropout"]:
        tensors["layerwise_attention.dropout_mask"] = torch.zeros(depth)
        tensors["layerwise_attention.dropout_fill"] = torch.full((depth,), -1e20)
    if hparams.get("cross_entropy_weights"):
        tensors["wordloss.weight"] = torch.tensor(hparams["cross_entropy_weights"])
    if older:
        places = torch.arange(POSITIONS).unsqueeze(0)
        tensors["encoder.model.embeddings.position_ids"] = places
    write_lightning(folder / "checkpoints" / "model.ckpt", tensors, hparams, older)
    write_yaml(folder / "hparams.yaml", {**hparams, **(yaml or {})})
    return weights.digest(tensors)


def write_lightning(file: Path, tensors: Tensors, hparams: Mapping[str, Any], older: bool) -> None:
    """Write a checkpoint as Lightning does."""
    content: dict[str, Any] = {
        "epoch": 1,
        "global_step": 2000,
        "pytorch-lightning_version": "1.3.5" if older else "2.0.2",
        "state_dict": tensors,
        "callbacks": {},
        "hparams_name": "kwargs",
        "hyper_parameters": dict(hparams),
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    if not older:
        torch.save(content, file)
        return
    with LightningClasses() as (stopping, checkpoint):
        content["callbacks"] = {stopping: {"wait_count": 2}, checkpoint: {"best_model_score": 0.3}}
        torch.save(content, file)


class LightningClasses:
    """Two classes with the names of Lightning's, which older checkpoints name in their pickle."""

    MODULE = "pytorch_lightning.callbacks"
    NAMES = (("early_stopping", "EarlyStopping"), ("model_checkpoint", "ModelCheckpoint"))

    def __enter__(self) -> Iterator[type]:
        self.kept = {name: sys.modules.get(name) for name in self.modules()}
        found = []
        for name in self.modules():
            sys.modules[name] = types.ModuleType(name)
        for module, name in self.NAMES:
            made = type(name, (), {"__module__": f"{self.MODULE}.{module}"})
            setattr(sys.modules[made.__module__], name, made)
            found.append(made)
        return iter(found)

    def __exit__(self, *_: object) -> None:
        for name, module in self.kept.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module

    @classmethod
    def modules(cls) -> list[str]:
        """The modules which have to be there for pickle to find the classes."""
        found = ["pytorch_lightning", cls.MODULE]
        return found + [f"{cls.MODULE}.{module}" for module, _ in cls.NAMES]


def write_yaml(file: Path, values: Mapping[str, Any]) -> None:
    """Write a file of YAML with names, numbers and lists of them, as hparams.yaml is."""
    words: dict[bool | None, str] = {None: "null", True: "true", False: "false"}
    lines = []
    for name in sorted(values):
        value = values[name]
        if isinstance(value, list):
            lines += [f"{name}:", *(f"- {item}" for item in value)]
        elif isinstance(value, float):
            # What YAML takes as a number: 1.0e-06.
            written = repr(value)
            lines.append(f"{name}: {written if '.' in written else written.replace('e', '.0e')}")
        else:
            known = value is None or isinstance(value, bool)
            lines.append(f"{name}: {words[value] if known else value}")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


COMET_OPTIONS: dict[str, dict[str, Any]] = {
    # wmt22-comet-da and wmt20-comet-da, and what they could have been.
    "regression-sparsemax": {"hparams": REGRESSION},
    "regression-softmax-norm": {"hparams": REGRESSION | NORMED, "older": True},
    "regression-patch": {"hparams": REGRESSION, "yaml": PATCH},
    "regression-sparsemax-norm": {"hparams": REGRESSION | {"layer_norm": True}, "seed": 8},
    "regression-cls": {"hparams": REGRESSION | {"pool": "cls"}},
    "regression-max": {"hparams": REGRESSION | {"pool": "max"}},
    "regression-default": {"hparams": REGRESSION | {"pool": "default"}},
    "regression-layer": {"hparams": REGRESSION | {"layer": 2}},
    "regression-sigmoid": {
        "hparams": REGRESSION
        | {"activations": "sigmoid", "dropout": 0.0, "final_activation": "Sigmoid"}
        | {"hidden_sizes": [20]},
        "seed": 9,
    },
    # eamt22-cometinho-da.
    "regression-minilm": {
        "hparams": REGRESSION | NORMED | {"encoder_model": "MiniLM"},
        "config": MINILM,
    },
    # wmt20-comet-qe-da.
    "referenceless": {"hparams": REFERENCELESS | NORMED, "older": True},
    "referenceless-sparsemax": {"hparams": REFERENCELESS},
    # wmt22-cometkiwi-da.
    "kiwi": {"hparams": KIWI, "yaml": PATCH},
    "kiwi-xl": {
        "hparams": KIWI | {"encoder_model": "XLM-RoBERTa-XL"},
        "config": XLMR_XL,
        "yaml": PATCH,
    },
    # unite-mup.
    "unite": {"hparams": UNITE | {"layer_transformation": "softmax"}, "seed": 12},
    "unite-reference": {"hparams": UNITE | {"input_segments": ["mt", "ref"]}, "seed": 14},
    "unite-layer": {"hparams": UNITE | {"sent_layer": 3, "layer_norm": True}},
    "unite-words": {"hparams": UNITE | WORDS, "seed": 7},
    # Encoders of BERT, which read the kinds of tokens, and of RemBERT, which do not.
    "kiwi-bert": {"hparams": KIWI | AS_BERT, "config": BERT, "tokenizer": "bert", "seed": 51},
    "unite-bert": {"hparams": UNITE | AS_BERT, "config": BERT, "tokenizer": "bert", "seed": 52},
    "xcomet-bert": {"hparams": XCOMET | AS_BERT, "config": BERT, "tokenizer": "bert", "seed": 22},
    **{
        f"{name}-rembert": {
            "hparams": hparams | AS_REMBERT,
            "config": REMBERT,
            "tokenizer": "rembert",
            "seed": seed,
        }
        for name, hparams, seed in (
            ("kiwi", KIWI, 61),
            ("unite", UNITE, 62),
            ("xcomet", XCOMET, 22),
        )
    },
    # XCOMET-XL, and with a smaller encoder.
    "xcomet": {"hparams": XCOMET, "yaml": PATCH, "seed": 22},
    "xcomet-xl": {
        "hparams": XCOMET | {"encoder_model": "XLM-RoBERTa-XL"},
        "config": XLMR_XL,
        "yaml": PATCH,
        "seed": 30,
    },
}
COMET: dict[str, Callable[[Path], str]] = {
    name: functools.partial(write_comet, **options) for name, options in COMET_OPTIONS.items()
}


# BERTScore
# ---------

ROBERTA = XLMR | {"architectures": ["RobertaForMaskedLM"], "model_type": "roberta"}
TOKENIZERS = {
    "bert": vocabularies.write_bert,
    "roberta": vocabularies.write_roberta,
    "xlm-roberta": vocabularies.write_xlmr,
}


def write_encoder(
    folder: Path,
    *,
    config: Mapping[str, Any],
    prefix: str = "",
    older: bool = False,
    seed: int = 7,
) -> str:
    """Write an encoder and return the hash of its weights.

    Models for filling in words have a prefix before the names of their encoder. Older ones of BERT
    have other names for what normalises, and indices of places.
    """
    size = TOKENIZERS[config["model_type"]](folder, POSITIONS - 2)
    config = {**config, "vocab_size": size}
    vocabularies.write_json(folder / "config.json", config)
    shapes = SHAPES[config["model_type"]](config)
    shapes |= weights.linear("pooler.dense", config["hidden_size"], config["hidden_size"])
    tensors = weights.filled(shapes, seed)
    found = weights.digest(tensors)
    tensors = {prefix + name: value for name, value in tensors.items()}
    if older:
        places = torch.arange(config["max_position_embeddings"]).unsqueeze(0)
        tensors[f"{prefix}embeddings.position_ids"] = places
        names = (("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta"))
        for name in list(tensors):
            for new, old in names:
                if name.endswith(new):
                    tensors[name.removesuffix(new) + old] = tensors.pop(name)
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    return found


ENCODERS: dict[str, Callable[[Path], str]] = {
    "bert": functools.partial(write_encoder, config=BERT, prefix="bert.", older=True),
    "roberta": functools.partial(write_encoder, config=ROBERTA, prefix="roberta."),
    "xlmr": functools.partial(write_encoder, config=XLMR),
}


def write_baseline(file: Path, depth: int) -> None:
    """Write a table of baselines for BERTScore: a row for each layer and the embeddings."""
    rows = ["LAYER,P,R,F"]
    for place in range(depth):
        rows.append(
            f"{place},{0.3 + place / 16:.8f},{0.31 + place / 17:.8f},{0.32 + place / 18:.8f}"
        )
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")


# BLEURT
# ------

BLEURT: dict[str, Any] = {
    "architectures": ["BleurtForSequenceClassification"],
    "attention_probs_dropout_prob": 0.1,
    "classifier_dropout": None,
    "embedding_size": 8,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "hidden_size": 16,
    "id2label": {"0": "LABEL_0"},
    "initializer_range": 0.02,
    "intermediate_size": 24,
    "label2id": {"LABEL_0": 0},
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": POSITIONS - 2,
    "model_type": "bleurt",
    "num_attention_heads": 4,
    "num_hidden_layers": 3,
    "pad_token_id": 0,
    "position_embedding_type": "absolute",
    "tie_word_embeddings": False,
    "type_vocab_size": 2,
    "use_cache": False,
}
# bleurt-base and bleurt-large, once as the port has them and once as a stock BERT.
OLDER_BLEURT = BLEURT | {"embedding_size": None}
STOCK_BLEURT = {name: value for name, value in BLEURT.items() if name != "embedding_size"} | {
    "architectures": ["BertForSequenceClassification"],
    "model_type": "bert",
}


def write_bleurt(folder: Path, *, config: Mapping[str, Any], seed: int = SEED) -> str:
    """Write a model of BLEURT as its port to torch has them, and return the hash of its weights."""
    size, prefix = config["hidden_size"], f"{config['model_type']}."
    if config.get("embedding_size"):
        vocabulary = vocabularies.write_rembert(folder, POSITIONS - 2)
        sizes = {**config, "input_embedding_size": config["embedding_size"]}
        shapes = weights.rembert({**sizes, "vocab_size": vocabulary}, "embedding_projection")
    else:
        vocabulary = vocabularies.write_bert(folder, POSITIONS - 2)
        shapes = weights.bert({**config, "vocab_size": vocabulary})
    vocabularies.write_json(folder / "config.json", {**config, "vocab_size": vocabulary})
    shapes |= weights.linear("pooler.dense", size, size)
    tensors = weights.filled(shapes, seed)
    tensors = {prefix + name: value for name, value in tensors.items()}
    tensors |= weights.filled(weights.linear("classifier", size, 1), seed, gain=1.7)
    places = torch.arange(config["max_position_embeddings"]).unsqueeze(0)
    tensors[f"{prefix}embeddings.position_ids"] = places
    torch.save(tensors, folder / "pytorch_model.bin")
    return weights.digest(tensors)


BLEURTS: dict[str, Callable[[Path], str]] = {
    "bleurt-20": functools.partial(write_bleurt, config=BLEURT),
    "bleurt-base": functools.partial(write_bleurt, config=OLDER_BLEURT),
    "bleurt-base-stock": functools.partial(write_bleurt, config=STOCK_BLEURT),
}


# MetricX
# -------

# The token whose logit is the score.
SCORE = 250089
MT5: dict[str, Any] = {
    "architectures": ["MT5ForRegression"],
    "classifier_dropout": 0.0,
    "d_ff": 16,
    "d_kv": 4,
    "d_model": 8,
    "decoder_start_token_id": 0,
    "dense_act_fn": "gelu_new",
    "dropout_rate": 0.1,
    "eos_token_id": 1,
    "feed_forward_proj": "gated-gelu",
    "initializer_factor": 1.0,
    "is_encoder_decoder": True,
    "is_gated_act": True,
    "layer_norm_epsilon": 1e-06,
    "model_type": "mt5",
    "num_decoder_layers": 3,
    "num_heads": 3,
    "num_layers": 3,
    "output_past": True,
    "pad_token_id": 0,
    "relative_attention_max_distance": 128,
    "relative_attention_num_buckets": 32,
    "tie_word_embeddings": False,
    "tokenizer_class": "T5Tokenizer",
    "use_cache": True,
    "vocab_size": 250112,
}


def write_metricx(folder: Path, *, kind: str = "bin", half: bool = False, seed: int = 24) -> str:
    """Write a model of MetricX and return the hash of its weights.

    Its tokenizer is in `tokenizer`, since the published models take mT5's. Weights are in one file
    of pickle or in several of safetensors, and of single precision or of bfloat16.
    """
    vocabularies.write_mt5(folder / "tokenizer")
    numbers = {"torch_dtype": "bfloat16" if half else "float32"}
    vocabularies.write_json(folder / "config.json", MT5 | numbers)
    tensors = weights.filled(weights.mt5(MT5), seed)
    tensors["lm_head.weight"] = torch.zeros(MT5["vocab_size"], MT5["d_model"])
    tensors["lm_head.weight"][SCORE] = 4 * weights.normal((MT5["d_model"],), seed, "score").float()
    if half:
        tensors = {name: value.bfloat16() for name, value in tensors.items()}
    found = weights.digest(tensors)
    if kind == "bin":
        shared = tensors["shared.weight"]
        copies = {f"{stack}.embed_tokens.weight": shared for stack in ("encoder", "decoder")}
        torch.save(tensors | copies, folder / "pytorch_model.bin")
        return found
    names = sorted(tensors)
    files: dict[str, str] = {}
    parts = (names[: len(names) // 2], names[len(names) // 2 :])
    for place, part in enumerate(parts, 1):
        file = f"model-{place:05}-of-{len(parts):05}.safetensors"
        save_file({name: tensors[name] for name in part}, folder / file, {"format": "pt"})
        files |= dict.fromkeys(part, file)
    size = sum(value.numel() * value.element_size() for value in tensors.values())
    index = {"metadata": {"total_size": size}, "weight_map": files}
    vocabularies.write_json(folder / "model.safetensors.index.json", index)
    return found


METRICX: dict[str, Callable[[Path], str]] = {
    "metricx": functools.partial(write_metricx),
    "metricx-sharded": functools.partial(write_metricx, kind="safetensors", seed=33),
    "metricx-bfloat16": functools.partial(write_metricx, kind="safetensors", half=True),
}


# Sentinel metrics
# ----------------

SENTINEL: dict[str, Any] = {
    "activations": "Tanh",
    "batch_size": 8,
    "class_identifier": "sentinel_regression_metric",
    "dropout": 0.1,
    "encoder_model": "XLM-RoBERTa",
    "final_activation": None,
    "hidden_sizes": [20, 8],
    "keep_embeddings_frozen": False,
    "learning_rate": 1e-06,
    "load_pretrained_weights": True,
    "name": "sentinel_regression_metric",
    "optimizer": "RAdam",
    "sent_to_use": "mt",
    "shuffle": True,
    "train_data": ["data/da/train/1720-da.csv"],
    "validation_data": ["data/da/dev/wmt-ende-newstest2021.csv"],
    "warmup_steps": 0,
}
SENTINELS: dict[str, Callable[[Path], str]] = {
    f"sentinel-{name}": functools.partial(
        write_comet, hparams=SENTINEL | {"sent_to_use": side}, seed=seed
    )
    for name, side, seed in (("src", "src", 7), ("cand", "mt", 8), ("ref", "ref", 9))
}
MODELS: dict[str, Callable[[Path], str]] = {
    **COMET,
    **ENCODERS,
    **BLEURTS,
    **METRICX,
    **SENTINELS,
}
