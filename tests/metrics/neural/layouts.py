"""The layouts of published models, as small folders: files, names of tensors, kind of tokenizer.

The hubs cannot be read when tests run, so `TABLE` has what is in the folders, and how each fact is
known. `python -m tests.metrics.neural.layouts` prints it, with our numbers beside the originals'.
"""

from __future__ import annotations

import functools
import json
import tempfile
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from safetensors.torch import save_file

from tests.metrics.neural import checkpoints, texts, vocabularies, weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Tensors = dict[str, torch.Tensor]
POSITIONS = checkpoints.POSITIONS
MOST = POSITIONS - 2
SMALL: dict[str, Any] = {
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_attention_heads": 4,
    "num_hidden_layers": 4,
}
FAIRSEQ = {
    "bos_token_id": 0,
    "eos_token_id": 2,
    "max_position_embeddings": POSITIONS,
    "pad_token_id": 1,
    "type_vocab_size": 1,
}
PLAIN = {"max_position_embeddings": POSITIONS - 2, "pad_token_id": 0, "type_vocab_size": 2}
CONFIGS: dict[str, dict[str, Any]] = {
    "roberta": {**SMALL, **FAIRSEQ},
    "xlm-roberta": {**SMALL, **FAIRSEQ},
    "camembert": {**SMALL, **FAIRSEQ},
    "mpnet": {**SMALL, **FAIRSEQ, "relative_attention_num_buckets": 32},
    "longformer": {**SMALL, **FAIRSEQ, "attention_window": [8, 8, 8, 8], "sep_token_id": 2},
    "bert": {**SMALL, **PLAIN},
    "electra": {**SMALL, **PLAIN, "embedding_size": 8},
    "albert": {**SMALL, **PLAIN, "embedding_size": 8, "num_hidden_groups": 1},
    "deberta": {
        **SMALL,
        **PLAIN,
        "max_relative_positions": -1,
        "pos_att_type": ["c2p", "p2c"],
        "position_biased_input": False,
        "relative_attention": True,
        "type_vocab_size": 0,
    },
    "deberta-v2": {
        **SMALL,
        **PLAIN,
        "max_relative_positions": -1,
        "norm_rel_ebd": "layer_norm",
        "pos_att_type": ["p2c", "c2p"],
        "position_biased_input": False,
        "position_buckets": 32,
        "relative_attention": True,
        "share_att_key": True,
        "type_vocab_size": 0,
    },
    "convbert": {
        **{**SMALL, **PLAIN, "embedding_size": 8},
        **{"conv_kernel_size": 3, "head_ratio": 2, "num_groups": 1},
    },
    "squeezebert": {**SMALL, **PLAIN, "embedding_size": 16},
    "distilbert": {
        **{"dim": 16, "hidden_dim": 24, "n_heads": 4, "n_layers": 4},
        **{"max_position_embeddings": POSITIONS - 2, "pad_token_id": 0},
    },
    "bart": {
        **{"d_model": 16, "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "encoder_layers": 4},
        **{"decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4},
        **{"max_position_embeddings": POSITIONS, "pad_token_id": 1, "bos_token_id": 0},
        "eos_token_id": 2,
    },
    "xlnet": {"d_model": 16, "d_inner": 24, "n_head": 4, "n_layer": 4, "pad_token_id": 5},
    "modernbert": {
        **SMALL,
        **{"max_position_embeddings": 256, "local_attention": 16, "pad_token_id": 3},
        **{"bos_token_id": 1, "cls_token_id": 1, "eos_token_id": 2, "sep_token_id": 2},
        "reference_compile": False,
    },
    "t5": {
        **{"d_ff": 24, "d_kv": 4, "d_model": 16, "num_heads": 4, "num_layers": 4},
        **{"num_decoder_layers": 2, "pad_token_id": 0, "eos_token_id": 1},
    },
    "led": {
        **{"d_model": 16, "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "encoder_layers": 4},
        **{"decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4},
        **{"max_encoder_position_embeddings": MOST, "max_decoder_position_embeddings": 40},
        **{"attention_window": [8, 8, 8, 8], "pad_token_id": 1, "bos_token_id": 0},
        "eos_token_id": 2,
    },
    "mbart": {
        **{"d_model": 16, "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "encoder_layers": 4},
        **{"decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4},
        **{"max_position_embeddings": MOST, "pad_token_id": 1, "bos_token_id": 0},
        **{"activation_function": "relu", "scale_embedding": True, "eos_token_id": 2},
    },
    "pegasus": {
        **{"d_model": 16, "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "encoder_layers": 4},
        **{"decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4},
        **{"max_position_embeddings": MOST, "pad_token_id": 0, "activation_function": "relu"},
        **{"scale_embedding": True, "eos_token_id": 1},
    },
    "big_bird": {
        **{**SMALL, "max_position_embeddings": MOST, "pad_token_id": 0, "type_vocab_size": 2},
        **{"attention_type": "block_sparse", "block_size": 64, "num_random_blocks": 3},
        **{"hidden_act": "gelu_new", "rescale_embeddings": False, "use_bias": True},
        **{"bos_token_id": 1, "eos_token_id": 2, "sep_token_id": 3},
    },
    "mt5": {
        **{"d_ff": 24, "d_kv": 4, "d_model": 16, "num_heads": 4, "num_layers": 4},
        **{"num_decoder_layers": 2, "pad_token_id": 0, "eos_token_id": 1},
        **{"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
    },
}


# Files of tokenizers
# -------------------


def keep(write: Callable[[Path], int], *names: str, settings: Any = None) -> Callable[[Path], int]:
    """Return what writes a tokenizer, and leaves only some of its files."""

    def written(folder: Path) -> int:
        size = write(folder)
        for file in folder.iterdir():
            if file.name not in names:
                file.unlink()
        if settings is not None:
            vocabularies.write_json(folder / "tokenizer_config.json", settings)
        return size

    return written


def with_other_tokens(write: Callable[[Path], int], names: Mapping[str, str]) -> Any:
    """Return what writes a tokenizer with other names for some tokens of its vocabulary."""

    def written(folder: Path) -> int:
        size = write(folder)
        for file, quote in (("vocab.json", '"'), ("vocab.txt", "")):
            if (folder / file).is_file():
                text = (folder / file).read_text("utf-8")
                for old, new in names.items():
                    text = text.replace(quote + old + quote, quote + new + quote, 1)
                (folder / file).write_text(text, "utf-8")
        return size

    return written


LENGTH = {"model_max_length": MOST}
WORDS, PIECES, WHOLE = "vocab.txt", "sentencepiece.bpe.model", "tokenizer.json"
MERGES = ("vocab.json", "merges.txt")
BERTWEET = (WORDS, "bpe.codes")
bert, roberta, xlmr = (
    functools.partial(write, most=MOST)
    for write in (vocabularies.write_bert, vocabularies.write_roberta, vocabularies.write_xlmr)
)
cased = functools.partial(vocabularies.write_bert, most=MOST, lowercase=False)
AS_DEBERTA = {"<s>": "[CLS]", "<pad>": "[PAD]", "</s>": "[SEP]", "<unk>": "[UNK]"}
AS_MPNET = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>", "[MASK]": "<mask>"}


def pieces(name: str, control: list[str], unknown: str, more: int, settings: Any) -> Any:
    """Return what writes a model of SentencePiece alone, of which the model knows `more` tokens."""

    def written(folder: Path) -> int:
        vocabularies.sentencepiece(folder / name, control, unknown)
        vocabularies.write_json(folder / "tokenizer_config.json", settings)
        return len(control) + len(vocabularies.scored_pieces()) + more

    return written


def whole_roberta(folder: Path) -> int:
    """Write a tokenizer.json of bytes, alone, as ModernBERT has it."""
    size = roberta(folder)
    for name in (*MERGES, "tokenizer_config.json"):
        (folder / name).unlink()
    file = folder / WHOLE
    text = file.read_text("utf-8")
    for old, new in {**AS_DEBERTA, "<mask>": "[MASK]"}.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    file.write_text(text, "utf-8")
    described = {"[CLS]": "cls", "[SEP]": "sep", "[PAD]": "pad", "[UNK]": "unk", "[MASK]": "mask"}
    settings = {f"{word}_token": token for token, word in described.items()}
    vocabularies.write_json(
        folder / "tokenizer_config.json",
        {**LENGTH, **settings, "tokenizer_class": "PreTrainedTokenizerFast"},
    )
    return size


def of_bytes(folder: Path) -> int:
    """Write the settings of a ByT5, which has no other file for its tokenizer."""
    more = [f"<extra_id_{number}>" for number in range(125)]
    vocabularies.write_json(
        folder / "tokenizer_config.json",
        {
            **{**LENGTH, "tokenizer_class": "ByT5Tokenizer", "extra_ids": 125},
            **{"additional_special_tokens": more, "pad_token": "<pad>", "eos_token": "</s>"},
            "unk_token": "<unk>",
        },
    )
    return 3 + 256 + 125


SETTINGS_V3 = {"do_lower_case": False, "vocab_type": "spm"}
TOKENIZERS: dict[str, Callable[[Path], int]] = {
    "bytes, whole": keep(roberta, *MERGES, WHOLE, settings=LENGTH),
    "bytes": keep(roberta, *MERGES, settings=LENGTH),
    "bytes, deberta": keep(
        with_other_tokens(roberta, {**AS_DEBERTA, "<mask>": "[MASK]"}),
        *MERGES,
        settings={"do_lower_case": False, **LENGTH},
    ),
    "whole": whole_roberta,
    "words, whole": keep(bert, WORDS, WHOLE, settings=LENGTH),
    "words": keep(bert, WORDS, settings=LENGTH),
    "words, cased": keep(cased, WORDS, settings={"do_lower_case": False, **LENGTH}),
    "words, mpnet": keep(with_other_tokens(bert, AS_MPNET), WORDS, settings=LENGTH),
    "fairseq, whole": keep(xlmr, PIECES, WHOLE, settings=LENGTH),
    "fairseq": keep(xlmr, PIECES, settings=LENGTH),
    "camembert": pieces(PIECES, ["<unk>", "<s>", "</s>"], "<unk>", 5, LENGTH),
    "t5": pieces("spiece.model", ["<pad>", "</s>", "<unk>"], "<unk>", 100, LENGTH),
    "mt5": pieces(
        "spiece.model",
        ["<pad>", "</s>", "<unk>"],
        "<unk>",
        12,
        {**LENGTH, "extra_ids": 0, "eos_token": "</s>"},
    ),
    "albert": pieces(
        "spiece.model", ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"], "<unk>", 0, LENGTH
    ),
    "xlnet": pieces(
        "spiece.model",
        ["<unk>", "<s>", "</s>", "<cls>", "<sep>", "<pad>", "<mask>", "<eod>", "<eop>"],
        "<unk>",
        0,
        LENGTH,
    ),
    "mbart": pieces(PIECES, ["<unk>", "<s>", "</s>"], "<unk>", 27, LENGTH),
    "mbart-50": pieces(
        PIECES,
        ["<unk>", "<s>", "</s>"],
        "<unk>",
        54,
        {**LENGTH, "src_lang": None, "tokenizer_class": "MBart50Tokenizer"},
    ),
    "pegasus": pieces("spiece.model", ["<pad>", "</s>", "<unk>"], "<unk>", 103, LENGTH),
    "big-bird": pieces(
        "spiece.model",
        ["<pad>", "<s>", "</s>", "<unk>", "[CLS]", "[SEP]", "[MASK]"],
        "<unk>",
        0,
        LENGTH,
    ),
    "byt5": of_bytes,
    "rembert": pieces(
        "sentencepiece.model",
        vocabularies.REMBERT,
        "<unk>",
        0,
        {**LENGTH, "pad_token": "<pad>", "unk_token": "<unk>"},
    ),
    "deberta-v3": pieces(
        "spm.model",
        ["[PAD]", "[CLS]", "[SEP]", "[UNK]"],
        "[UNK]",
        100,
        {**SETTINGS_V3, **LENGTH},
    ),
}


# Encoders of BERTScore
# ---------------------


class Encoder(NamedTuple):
    """What the folder of an encoder has.

    Attributes:
        kind: the type of model, a key of `CONFIGS`.
        tokenizer: a key of `TOKENIZERS`.
        prefix: what is before the names of its tensors.
        pooler: whether the layer above the first token is there.
        heads: what other tensors are there, of heads and buffers.
        old: whether normalisations are called gamma and beta.
        file: the form of the weights.
        config_in_state: whether the configuration is among the weights.
        computed: what is not in the file, since it can be computed.
        more: what the configuration says besides that of `CONFIGS`.
    """

    kind: str
    tokenizer: str
    prefix: str = ""
    pooler: bool = False
    heads: tuple[str, ...] = ()
    old: bool = False
    file: str = "pytorch_model.bin"
    config_in_state: bool = False
    computed: tuple[str, ...] = ()
    more: Mapping[str, Any] = MappingProxyType({})


BERT_HEAD = (
    *("cls.predictions.bias", "cls.predictions.transform.dense.weight"),
    *("cls.predictions.decoder.weight", "cls.seq_relationship.weight"),
)
LM_HEAD = ("lm_head.bias", "lm_head.dense.weight", "lm_head.layer_norm.weight")
CLASSIFIER = ("classifier.weight", "classifier.bias")
IDS = "embeddings.position_ids"
ENCODERS = {
    "roberta-large": Encoder("roberta", "bytes, whole", "roberta.", heads=LM_HEAD),
    "roberta-base": Encoder(
        "roberta", "bytes", "roberta.", heads=(*LM_HEAD, f"roberta.{IDS}"), old=False
    ),
    "roberta-mnli": Encoder(
        *("roberta", "bytes", "roberta.", True),
        ("classifier.dense.weight", "classifier.out_proj.bias"),
    ),
    "xlm-roberta": Encoder(
        "xlm-roberta",
        "fairseq, whole",
        "roberta.",
        True,
        (*LM_HEAD, "lm_head.decoder.weight"),
        file="model.safetensors",
    ),
    "xlm-roberta, pieces": Encoder(
        "xlm-roberta", "fairseq", "roberta.", heads=LM_HEAD, file="old pytorch_model.bin"
    ),
    "bert": Encoder("bert", "words, whole", "bert.", True, BERT_HEAD, True),
    "bert, words": Encoder(
        "bert", "words", "bert.", True, BERT_HEAD, True, "old pytorch_model.bin"
    ),
    "bert, cased": Encoder(
        "bert", "words, cased", "bert.", True, BERT_HEAD, True, "model.safetensors"
    ),
    "deberta": Encoder(
        "deberta",
        "bytes, deberta",
        "deberta.",
        heads=(
            *("pooler.dense.weight", *CLASSIFIER, "lm_predictions.lm_head.bias"),
            "deberta.embeddings.position_embeddings.weight",
        ),
    ),
    "deberta-large-mnli": Encoder(
        "deberta",
        "bytes, deberta",
        "deberta.",
        heads=("pooler.dense.weight", *CLASSIFIER),
        config_in_state=True,
    ),
    "deberta-v3": Encoder(
        "deberta-v2",
        "deberta-v3",
        "deberta.",
        heads=(
            *("mask_predictions.dense.weight", "mask_predictions.classifier.weight"),
            *("lm_predictions.lm_head.dense.weight", "deberta.embeddings.word_embeddings._weight"),
        ),
    ),
    "deberta-v2": Encoder(
        "deberta-v2",
        "deberta-v3",
        "deberta.",
        heads=("cls.predictions.bias", f"deberta.{IDS}"),
        more={"conv_act": "gelu", "conv_kernel_size": 3},
    ),
    "convbert": Encoder("convbert", "words", "convbert.", heads=("generator_lm_head.bias",)),
    "electra-generator": Encoder(
        "electra", "words", "electra.", heads=("generator_predictions.dense.weight",)
    ),
    "distilbert": Encoder(
        "distilbert",
        "words",
        "distilbert.",
        heads=("vocab_transform.weight", "vocab_layer_norm.bias", "vocab_projector.bias"),
        file="model.safetensors",
    ),
    "albert": Encoder(
        "albert",
        "albert",
        "albert.",
        True,
        ("predictions.dense.weight", "predictions.decoder.bias", "sop_classifier.weight"),
        file="model.safetensors",
    ),
    "electra": Encoder(
        "electra",
        "words",
        "electra.",
        heads=("discriminator_predictions.dense.weight", f"electra.{IDS}"),
    ),
    "bart": Encoder("bart", "bytes", heads=("encoder.version", "final_logits_bias")),
    "bart-mnli": Encoder(
        "bart", "bytes", "model.", heads=("classification_head.dense.weight", "final_logits_bias")
    ),
    "led": Encoder("led", "bytes", "led.", heads=("final_logits_bias", "lm_head.weight")),
    "mbart": Encoder("mbart", "mbart", "model.", heads=("final_logits_bias", "lm_head.weight")),
    "mbart-50": Encoder("mbart", "mbart-50", "model.", heads=("final_logits_bias",)),
    "pegasus": Encoder(
        *("pegasus", "pegasus", "model."),
        heads=("final_logits_bias",),
        computed=("encoder.embed_positions.weight", "decoder.embed_positions.weight"),
    ),
    "pegasus, positions": Encoder(
        "pegasus", "pegasus", "model.", heads=("final_logits_bias",)
    ),
    "big-bird": Encoder(
        "big_bird", "big-bird", "bert.", True, ("cls.predictions.bias", f"bert.{IDS}")
    ),
    "byt5": Encoder("t5", "byt5", heads=("lm_head.weight",)),
    "xlnet": Encoder("xlnet", "xlnet", "transformer.", heads=("lm_loss.weight", "lm_loss.bias")),
    "mpnet": Encoder("mpnet", "words, mpnet", "mpnet.", heads=(*LM_HEAD, f"mpnet.{IDS}")),
    "camembert": Encoder("camembert", "camembert", "roberta.", heads=LM_HEAD),
    "longformer": Encoder(
        "longformer", "bytes", "longformer.", heads=(*LM_HEAD, f"longformer.{IDS}")
    ),
    "modernbert": Encoder(
        "modernbert",
        "whole",
        "model.",
        heads=("head.dense.weight", "head.norm.weight", "decoder.bias"),
        file="model.safetensors",
    ),
    "t5": Encoder(
        "t5",
        "t5",
        heads=("decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight",),
    ),
    "mt5": Encoder("mt5", "mt5", heads=("lm_head.weight",)),
}  # fmt: skip
LAYER = 3
# Tokenizers that are read: the type of model, and a key of `TOKENIZERS`.
READ = {
    **{f"{one.kind} {one.tokenizer}": (one.kind, one.tokenizer) for one in ENCODERS.values()},
    "xlm-roberta-xl fairseq": ("xlm-roberta-xl", "fairseq"),
    "rembert rembert": ("rembert", "rembert"),
}


def write_tokenizer(folder: Path, name: str) -> None:
    """Write a folder with the tokenizer of a model, and with no weights."""
    kind, tokenizer = READ[name]
    TOKENIZERS[tokenizer](folder)
    vocabularies.write_json(folder / "config.json", {"model_type": kind})


# Tokenizers that are not read: the type of model, what else config.json says, and the files.
UNREAD: dict[str, tuple[str, dict[str, str], tuple[str, ...]]] = {
    "xlm-mlm-en-2048": ("xlm", {}, MERGES),
    "vinai/bertweet-base": ("roberta", {"tokenizer_class": "BertweetTokenizer"}, BERTWEET),
    "vinai/bertweet-base, no class": ("roberta", {}, BERTWEET),
    "microsoft/prophetnet-large-uncased": ("prophetnet", {}, ("prophetnet.tokenizer",)),
}


def write_unread(folder: Path, name: str) -> None:
    """Write a folder whose tokenizer is not read."""
    kind, settings, files = UNREAD[name]
    folder.mkdir()
    vocabularies.write_json(folder / "config.json", {"model_type": kind, **settings})
    for file in files:
        (folder / file).write_text("{}" if file.endswith(".json") else "", "utf-8")
    torch.save({"embeddings.weight": torch.ones(3, 3)}, folder / "pytorch_model.bin")


def shapes_of(kind: str, config: Mapping[str, Any]) -> weights.Shapes:
    """Return the tensors of a kind of model, by the names that its files have."""
    from transformers import AutoConfig, AutoModel

    with torch.device("meta"):
        model = AutoModel.from_config(AutoConfig.for_model(kind, **config))
    return {name: tuple(value.shape) for name, value in model.state_dict().items()}


def write_encoder(folder: Path, layout: Encoder, seed: int = 7) -> str:
    """Write an encoder of a layout and return the hash of its weights."""
    size = TOKENIZERS[layout.tokenizer](folder)
    if layout.kind == "deberta":
        (folder / "bpe_encoder.bin").write_bytes(b"not read")
    config = {**CONFIGS[layout.kind], **layout.more, "vocab_size": size}
    described = {**config, "model_type": layout.kind}
    vocabularies.write_json(folder / "config.json", described)
    shapes = shapes_of(layout.kind, config)
    shapes = {
        name: shape
        for name, shape in shapes.items()
        if (layout.pooler or not _pools(name)) and name not in layout.computed
    }
    tensors = weights.filled(shapes, seed)
    if "shared.weight" in tensors:
        for name in ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight"):
            # All have one tensor; some files have it once.
            tensors.pop(name, None)
    digest = weights.digest(tensors)
    tensors = {layout.prefix + name: value for name, value in tensors.items()}
    if layout.old:
        for name in list(tensors):
            for new, old in (
                ("LayerNorm.weight", "LayerNorm.gamma"),
                ("LayerNorm.bias", "LayerNorm.beta"),
            ):
                if name.endswith(new):
                    tensors[name.removesuffix(new) + old] = tensors.pop(name)
    for name in layout.heads:
        places = torch.arange(config.get("max_position_embeddings", POSITIONS)).unsqueeze(0)
        tensors[name] = places if name.endswith(IDS) else torch.ones(3, 3)
    _save(folder, tensors, layout, described)
    return digest


def _pools(name: str) -> bool:
    return name.startswith("pooler.")


def _save(folder: Path, tensors: Tensors, layout: Encoder, config: dict[str, Any]) -> None:
    if layout.file == "model.safetensors":
        save_file(tensors, folder / layout.file, {"format": "pt"})
        return
    content: dict[str, Any] = {**tensors, **({"config": config} if layout.config_in_state else {})}
    # Before 1.6, torch wrote no archive.
    zipped = not layout.file.startswith("old ")
    torch.save(content, folder / "pytorch_model.bin", _use_new_zipfile_serialization=zipped)


# COMET
# -----


def write_comet(folder: Path, *, pieces_only: bool = False, **options: Any) -> str:
    """Write a model of COMET, whose encoder may have a model of SentencePiece alone."""
    digest = checkpoints.write_comet(folder, **options)
    if pieces_only:
        (folder / "encoder" / WHOLE).unlink()
    return digest


XL = {"config": checkpoints.XLMR_XL}
ENCODER_XL = {"encoder_model": "XLM-RoBERTa-XL"}
SOFTMAX = {"layer_transformation": "softmax"}
COMETS: dict[str, Callable[[Path], str]] = {
    "wmt20-comet-da": functools.partial(
        write_comet, hparams=checkpoints.REGRESSION | checkpoints.NORMED, older=True, seed=41
    ),
    "wmt20-comet-qe-da": functools.partial(
        write_comet, hparams=checkpoints.REFERENCELESS | checkpoints.NORMED, older=True, seed=42
    ),
    "wmt22-comet-da": functools.partial(write_comet, hparams=checkpoints.REGRESSION, seed=43),
    "eamt22-cometinho-da": functools.partial(
        write_comet,
        hparams=checkpoints.REGRESSION | checkpoints.NORMED | {"encoder_model": "MiniLM"},
        config=checkpoints.MINILM,
        pieces_only=True,
        seed=44,
    ),
    "unite-mup": functools.partial(
        write_comet, hparams=checkpoints.UNITE | SOFTMAX, seed=45
    ),
    "wmt22-cometkiwi-da": functools.partial(
        write_comet,
        hparams=checkpoints.KIWI,
        yaml=checkpoints.PATCH,
        pieces_only=True,
        seed=46,
    ),
    "wmt23-cometkiwi-da-xl": functools.partial(
        write_comet,
        hparams=checkpoints.KIWI | ENCODER_XL,
        yaml=checkpoints.PATCH,
        pieces_only=True,
        seed=47,
        **XL,  # type: ignore[arg-type]
    ),
    "xcomet-xl": functools.partial(
        write_comet,
        hparams=checkpoints.XCOMET | ENCODER_XL,
        yaml=checkpoints.PATCH,
        pieces_only=True,
        seed=30,
        **XL,  # type: ignore[arg-type]
    ),
}  # fmt: skip


# The table
# ---------

WRITERS: dict[str, Callable[[Path], str]] = {
    **{
        f"encoder {name}": functools.partial(write_encoder, layout=layout)
        for name, layout in ENCODERS.items()
    },
    **{f"comet {name}": write for name, write in COMETS.items()},
}


class Published(NamedTuple):
    """What is known of a published model's folder.

    Attributes:
        layout: its small model: a key of `WRITERS`, or of the models of `checkpoints`.
        seen: what was seen in a public log, an issue or a package.
        remembered: what is from memory, or supposed.
    """

    layout: str
    seen: str
    remembered: str


NO_POOLER = "no pooler"
LEFT = "lm_head.* left over"
SAME = "like roberta-base"
PIECES_ONLY = "whether it has tokenizer.json: supposed that not"
BERT_SEEN = "vocab.txt, cls.*, pooler"
OLD = "names gamma and beta"
V3 = "spm.model, tokenizer_config of two keys, mask_predictions.*"
XLMR_SEEN = "sentencepiece.bpe.model, tokenizer.json, pooler, lm_head.* (older: lm_head.decoder)"
CKPT = "checkpoints/model.ckpt, hparams.yaml"
OLDER = "names of Lightning's classes, position_ids, pooler"
TABLE: dict[str, Published] = {
    # BERTScore.
    "roberta-large": Published("encoder roberta-large", NO_POOLER, f"{LEFT}, tokenizer.json"),
    "roberta-base": Published(
        "encoder roberta-base", f"{NO_POOLER}, {LEFT}, some copies position_ids", "vocab, merges"
    ),
    "roberta-large-mnli": Published("encoder roberta-mnli", "roberta.pooler.*", "classifier.*"),
    "distilroberta-base": Published("encoder roberta-base", "", SAME),
    "xlm-roberta-base": Published("encoder xlm-roberta", XLMR_SEEN, ""),
    "xlm-roberta-large": Published("encoder xlm-roberta", XLMR_SEEN, ""),
    "xlm-roberta, before torch 1.6": Published(
        "encoder xlm-roberta, pieces", "", "an old copy: pieces only, a file that is no archive"
    ),
    "bert-base-uncased": Published("encoder bert", BERT_SEEN, f"{OLD}, tokenizer.json"),
    "bert-large-uncased": Published("encoder bert", BERT_SEEN, f"{OLD}, tokenizer.json"),
    "bert-base-cased": Published("encoder bert, cased", BERT_SEEN, OLD),
    "bert-large-cased": Published("encoder bert, cased", BERT_SEEN, OLD),
    "bert-base-multilingual-cased": Published("encoder bert, cased", BERT_SEEN, OLD),
    "bert-base-chinese": Published("encoder bert, cased", BERT_SEEN, OLD),
    "bert-base-uncased, before torch 1.6": Published(
        "encoder bert, words", BERT_SEEN, "an old copy: vocab.txt only, no archive"
    ),
    **dict.fromkeys(
        ("deberta-base-mnli", "deberta-xlarge-mnli", "microsoft/deberta-base"),
        Published(
            "encoder deberta",
            "bpe_encoder.bin, vocab.json, merges.txt; base: an extra position_embeddings, "
            "lm_predictions.*",
            "pooler.*, classifier.* without prefix",
        ),
    ),
    "deberta-large-mnli": Published(
        "encoder deberta-large-mnli", "a key config beside pooler.*, classifier.*", ""
    ),
    **{
        f"microsoft/{name}": Published("encoder deberta-v3", V3, "no tokenizer.json")
        for name in ("deberta-v3-base", "deberta-v3-large", "mdeberta-v3-base")
    },
    "microsoft/deberta-v2-xlarge": Published(
        "encoder deberta-v2", "", "spm.model, a convolution, cls.predictions.*"
    ),
    "YituTech/conv-bert-base": Published("encoder convbert", "", "vocab.txt"),
    "google/electra-base-generator": Published(
        "encoder electra-generator", "", "vocab.txt, generator_predictions.*"
    ),
    "distilbert-base-uncased": Published("encoder distilbert", "", "vocab.txt, vocab_transform.*"),
    "albert-base-v2": Published("encoder albert", "", "spiece.model, predictions.*"),
    "google/electra-base-discriminator": Published(
        "encoder electra", "", "vocab.txt, discriminator_predictions.*"
    ),
    "facebook/bart-base": Published("encoder bart", "", "no prefix, shared.weight once"),
    "facebook/bart-large-mnli": Published("encoder bart-mnli", "", "prefix model., a classifier"),
    "xlnet-base-cased": Published("encoder xlnet", "", "spiece.model, lm_loss.*"),
    "microsoft/mpnet-base": Published("encoder mpnet", "", f"{NO_POOLER}, vocab.txt, {LEFT}"),
    "camembert-base": Published(
        "encoder camembert", "", f"{NO_POOLER}, sentencepiece.bpe.model, {LEFT}"
    ),
    "allenai/longformer-base-4096": Published(
        "encoder longformer", "", f"{NO_POOLER}, vocab.json, merges.txt, {LEFT}"
    ),
    "answerdotai/ModernBERT-base": Published(
        "encoder modernbert", "", "tokenizer.json only, head.*, decoder.bias"
    ),
    "allenai/led-base-16384": Published(
        "encoder led", "", "vocab.json, merges.txt, prefix led., final_logits_bias"
    ),
    "facebook/mbart-large-cc25": Published(
        "encoder mbart",
        "",
        "sentencepiece.bpe.model, 25 languages, a normalisation behind the last layer",
    ),
    "facebook/mbart-large-50": Published(
        "encoder mbart-50", "", "tokenizer_class MBart50Tokenizer, 52 languages"
    ),
    **dict.fromkeys(
        ("google/pegasus-large", "google/pegasus-xsum"),
        Published("encoder pegasus", "", "spiece.model, no positions, since they are computed"),
    ),
    "google/pegasus-xsum, with positions": Published(
        "encoder pegasus, positions", "", "other copies have the positions"
    ),
    "google/bigbird-roberta-base": Published(
        "encoder big-bird", "", "spiece.model, pooler, block_sparse"
    ),
    "google/byt5-small": Published(
        "encoder byt5", "", "no file of a tokenizer but its settings, model_type t5"
    ),
    "t5-small": Published("encoder t5", "", "spiece.model, an extra EncDecAttention tensor"),
    "google/mt5-small": Published("encoder mt5", "spiece.model, byte fallback", PIECES_ONLY),
    # COMET.
    "wmt20-comet-da": Published("comet wmt20-comet-da", CKPT, OLDER),
    "wmt20-comet-qe-da": Published("comet wmt20-comet-qe-da", CKPT, OLDER),
    "wmt22-comet-da": Published("comet wmt22-comet-da", f"{CKPT}, sparsemax", "encoder's name"),
    "eamt22-cometinho-da": Published("comet eamt22-cometinho-da", CKPT, PIECES_ONLY),
    "unite-mup": Published("comet unite-mup", CKPT, "softmax"),
    "wmt22-unite-da": Published("comet unite-mup", CKPT, "like unite-mup"),
    "wmt22-cometkiwi-da": Published(
        "comet wmt22-cometkiwi-da", f"{CKPT}, sparsemax_patch, InfoXLM", PIECES_ONLY
    ),
    **dict.fromkeys(
        ("wmt23-cometkiwi-da-xl", "wmt23-cometkiwi-da-xxl"),
        Published("comet wmt23-cometkiwi-da-xl", CKPT, f"XLM-R-XL; {PIECES_ONLY}"),
    ),
    **dict.fromkeys(
        ("xcomet-xl", "xcomet-xxl"),
        Published("comet xcomet-xl", f"{CKPT}, XLM-R-XL, word_layer, three labels", PIECES_ONLY),
    ),
    **{
        f"sentinel-{side}-{ratings}": Published(f"sentinel-{side}", CKPT, "XLM-R-large")
        for side in ("src", "ref", "cand")
        for ratings in ("da", "mqm")
    },
    # BLEURT and MetricX.
    **{
        f"bleurt-20{size}": Published("bleurt-20", "spm.model, 512 positions", "position_ids")
        for size in ("", "-d12", "-d6", "-d3")
    },
    **{
        f"metricx-{version}-{size}-{number}": Published(
            "metricx-sharded", "score token 250089, mT5's spiece.model", "parts of safetensors"
        )
        for version, number in (("23", "v2p0"), ("23-qe", "v2p0"), ("24-hybrid", "v2p6"))
        for size in ("large", "xl", "xxl")
    },
}


def write(folder: Path, name: str) -> Path:
    """Write the folder of a published model's layout, with the tokenizers' files that it has."""
    layout = TABLE[name].layout
    if layout in WRITERS:
        WRITERS[layout](folder)
        return folder
    checkpoints.MODELS[layout](folder)
    if layout.startswith("metricx"):
        (folder / "tokenizer" / WHOLE).unlink()
        vary_metricx(folder)
    return folder


def vary_metricx(folder: Path) -> None:
    """Leave one of the names of T5's embeddings, another than that which T5 makes first."""
    from safetensors.torch import load_file

    for file in folder.glob("*.safetensors"):
        tensors = load_file(file)
        if "shared.weight" in tensors:
            tensors["encoder.embed_tokens.weight"] = tensors.pop("shared.weight").clone()
            save_file(tensors, file, {"format": "pt"})
    index = folder / "model.safetensors.index.json"
    text = index.read_text("utf-8").replace('"shared.weight"', '"encoder.embed_tokens.weight"')
    index.write_text(text, "utf-8")


def original(name: str) -> list[float]:
    """Return the scores of the texts by the original program."""
    layout = TABLE[name].layout
    stored = {"bleurt-20": "bleurt", "metricx-sharded": "metricx"}
    file = "sentinel" if layout.startswith("sentinel") else stored.get(layout, "layouts")
    text = (Path(__file__).parent / "goldens" / f"{file}.json").read_text("utf-8")
    found: Any = json.loads(text)["models"][layout]
    if layout == "bleurt-20":
        found = found["gelu"]["segments"]
    elif file == "metricx":
        found = found[metricx_way(name)]["segments"]
    elif file == "sentinel":
        found = found["segments"]
    else:
        found = found["F"] if "F" in found else found["scores"]["segments"]
    scores: list[float] = found
    return scores


def metricx_way(name: str) -> str:
    """Return the part of MetricX's stored scores for a published name."""
    if "-qe-" in name:
        return "23 without references"
    return "24" if "-24-" in name else "23"


def ours(name: str, folder: Path) -> list[float]:
    """Return our scores of the texts with a folder of a published model's layout."""
    from bleuet import with_sources
    from bleuet.metrics.catalogue import parse_metric

    layout = TABLE[name].layout
    if layout.startswith("encoder "):
        chosen = f"bertscore:model={folder},layer={LAYER}"
    elif layout.startswith("metricx"):
        most = json.loads((Path(__file__).parent / "goldens" / "metricx.json").read_text("utf-8"))
        tokens = most["models"][layout]["most"]
        version = metricx_way(name)[:2]
        tokenizer = folder / "tokenizer"
        chosen = f"metricx:model={folder},tokenizer={tokenizer},version={version}"
        chosen += f",max_tokens={tokens}"
    else:
        chosen = f"{'bleurt' if layout == 'bleurt-20' else 'comet'}:model={folder}"
    metric = parse_metric(chosen)
    triples = texts.triples()
    references: Any = [one.reference for one in triples]
    if metric.reads_sources:
        given = None if "without" in metricx_way(name) and "metricx" in name else references
        references = with_sources(given, [one.source for one in triples])
    table = metric.count([one.hypothesis for one in triples], references)
    column = "f1" if layout.startswith("encoder ") else metric.real_columns[0]
    return list(table.column(column))


def main() -> None:
    """Print the table."""
    print("| name | small model | seen | from memory | ours | original | largest difference |")
    print("|---|---|---|---|--:|--:|--:|")
    done: dict[tuple[str, str], list[float]] = {}
    for name, known in TABLE.items():
        way = metricx_way(name) if "metricx" in name else ""
        if (known.layout, way) not in done:
            with tempfile.TemporaryDirectory() as folder:
                done[known.layout, way] = ours(name, write(Path(folder, "model"), name))
        found, expected = done[known.layout, way], original(name)
        apart = max(abs(one - other) for one, other in zip(found, expected, strict=True))
        means = [f"{sum(scores) / len(scores):.6f}" for scores in (found, expected)]
        cells = [name, known.layout, known.seen, known.remembered, *means, f"{apart:.1e}"]
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
