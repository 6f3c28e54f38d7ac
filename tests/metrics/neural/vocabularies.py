"""Tokenizers of small models, written as the files which published models have.

Their vocabularies are lists in here, so that a folder is the same wherever it is written. They
have letters, digits, some words and pieces of words and a few characters of other writings; the
rest is unknown to them, as emoji and Arabic are.
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)

if TYPE_CHECKING:
    from pathlib import Path

SPACE = "▁"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
CHARACTERS = [*LETTERS, *"0123456789", *".,!?;:'\"()-€<>/[]", *"äöüßéèàçêÄÖÜ"]
CHARACTERS += [*"абвгдезиклмнопрстуяКшв", *"猫庭眠安静地唱歌在はでっているの。"]
WORDS = (
    *("the", "a", "The", "A", "dog", "cat", "song", "garden", "sleeps", "sings", "is", "not"),
    *("in", "and", "of", "it", "today", "Hund", "Katze", "Lied", "der", "die", "Der", "Die"),
    *("und", "im", "nicht", "heute", "кошка", "спит", "source", "candidate", "reference", "It"),
)
PIECES = (
    *("ing", "er", "en", "ed", "ch", "sch", "th", "ly", "st", "un", "re", "ng", "es", "ee"),
    *("ein", "42", "20", "ка", "ть", "猫は"),
)
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
# A few rows of the table of characters that SentencePiece has in a model.
CHANGED = {
    "\t": " ",
    "\u00a0": " ",
    "\u200b": " ",
    "\ufb01": "fi",
    "e\u0301": "\u00e9",
    "\u2026": "...",
    "\uff21": "A",
}


def scored_pieces() -> list[tuple[str, float]]:
    """Pieces of a vocabulary of SentencePiece with their scores; no two texts cut alike tie."""
    words = [SPACE + word for word in WORDS]
    starts = [SPACE + piece for piece in PIECES[:8]]
    found = [(SPACE, -3.5)]
    found += [(word, -5.0 - place / 64) for place, word in enumerate([*words, *starts])]
    found += [(piece, -6.0 - place / 64) for place, piece in enumerate(PIECES)]
    found += [(character, -8.0 - place / 128) for place, character in enumerate(CHARACTERS)]
    return list(dict(found).items())


def write_json(file: Path, value: Any) -> None:
    """Write a file of JSON as those of published models."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def character_map(changed: dict[str, str]) -> bytes:
    """A table of characters as SentencePiece stores it: a trie in one array, then its answers.

    A node is at a place of the array, its child for a byte at `place ^ offset ^ byte`, and what it
    says itself at the child for 0.
    """
    answers = b""
    trie: dict[int, Any] = {}
    for text, answer in sorted(changed.items()):
        node = trie
        for byte in text.encode():
            node = node.setdefault(byte, {})
        node[0] = len(answers)
        answers += answer.encode() + b"\0"
    units: dict[int, int] = {0: 0}
    waiting = [(0, trie)]
    for place, node in waiting:
        offset = next(
            offset
            for offset in range(1, 1 << 20)
            if all(place ^ offset ^ label not in units for label in node)
        )
        units[place] |= offset << 10 | (0 in node) << 8
        for label, below in node.items():
            child = place ^ offset ^ label
            units[child] = below | 1 << 31 if label == 0 else label
            if label:
                waiting.append((child, below))
    size = max(units) // 256 * 256 + 256
    array = struct.pack(f"<{size}I", *(units.get(place, 0) for place in range(size)))
    return struct.pack("<I", len(array)) + array + answers


def field(number: int, value: bytes | str | float | int) -> bytes:
    """A field of a message of protocol buffers: a text, a number of single precision or a whole."""
    if isinstance(value, float):
        return bytes([number << 3 | 5]) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    """A whole number in groups of seven bits, the lowest first."""
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


# What SentencePiece says a piece is.
ORDINARY, UNKNOWN, CONTROL = 1, 2, 3


def sentencepiece(file: Path, control: list[str], unknown: str) -> None:
    """Write a model of SentencePiece: control tokens and the unknown one, then the pieces."""
    content = b""
    for token in control:
        kind = UNKNOWN if token == unknown else CONTROL
        content += field(1, field(1, token) + field(2, 0.0) + field(3, kind))
    for piece, score in scored_pieces():
        content += field(1, field(1, piece) + field(2, score) + field(3, ORDINARY))
    places = {name: control.index(name) if name in control else -1 for name in ("<s>", "</s>")}
    padding = next((place for place, name in enumerate(control) if "pad" in name.lower()), -1)
    # The kind of model, then the ids of four tokens; none is written as 64 bits set.
    trained = field(3, 1) + field(40, control.index(unknown))
    trained += field(41, places["<s>"] % (1 << 64)) + field(42, places["</s>"] % (1 << 64))
    trained += field(43, padding % (1 << 64)) + field(45, unknown)
    normalised = field(1, "nmt_nfkc") + field(2, character_map(CHANGED))
    content += field(2, trained) + field(3, normalised)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def unigram(pieces: list[tuple[str, float]], unknown: int) -> Tokenizer:
    """A tokenizer which cuts texts as SentencePiece does, with characters made compatible."""
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.Precompiled(character_map(CHANGED))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(SPACE, "always")]
    )
    tokenizer.decoder = decoders.Metaspace(SPACE, "always")
    return tokenizer


def write_xlmr(folder: Path, most: int) -> int:
    """Write the tokenizer of an XLM-R, and return the size of its vocabulary."""
    pieces = [*((token, 0.0) for token in SPECIAL), *scored_pieces(), ("<mask>", 0.0)]
    tokenizer = unigram(pieces, SPECIAL.index("<unk>"))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    tokenizer.add_special_tokens([*SPECIAL, AddedToken("<mask>", lstrip=True)])
    sentencepiece(folder / "sentencepiece.bpe.model", ["<unk>", "<s>", "</s>"], "<unk>")
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "XLMRobertaTokenizer",
            "model_max_length": most,
            "bos_token": "<s>",
            "cls_token": "<s>",
            "eos_token": "</s>",
            "sep_token": "</s>",
            "pad_token": "<pad>",
            "unk_token": "<unk>",
            "mask_token": "<mask>",
        },
    )
    return len(pieces)


def write_bert(folder: Path, most: int, lowercase: bool = True) -> int:
    """Write the tokenizer of a BERT, and return the size of its vocabulary."""
    letters = [*LETTERS[:26], *CHARACTERS[52:]]
    words = sorted({word.lower() for word in WORDS}) if lowercase else list(WORDS)
    letters += [] if lowercase else LETTERS[26:]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [f"##{piece}" for piece in [*PIECES, *letters]]
    tokens = list(dict.fromkeys([*tokens, *letters, *words, *pieces]))
    vocabulary = {token: place for place, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.add_special_tokens(tokens[:5])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "vocab.txt").write_text("\n".join(tokens) + "\n", encoding="utf-8")
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "BertTokenizer",
            "model_max_length": most,
            "do_lower_case": lowercase,
            "cls_token": "[CLS]",
            "mask_token": "[MASK]",
            "pad_token": "[PAD]",
            "sep_token": "[SEP]",
            "unk_token": "[UNK]",
        },
    )
    return len(tokens)


def write_roberta(folder: Path, most: int) -> int:
    """Write the tokenizer of a RoBERTa, and return the size of its vocabulary."""
    pieces = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges: list[tuple[str, str]] = []
    for word in ["".join(("Ġ", word)) for word in WORDS if word.isascii()] + list(PIECES[:14]):
        start = word[0]
        for letter in word[1:]:
            if (start, letter) not in merges:
                merges.append((start, letter))
            start += letter
    pieces += [first + second for first, second in merges]
    tokens = [*SPECIAL, *dict.fromkeys(pieces), "<mask>"]
    vocabulary = {token: place for place, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False
    )
    tokenizer.add_special_tokens([*SPECIAL, AddedToken("<mask>", lstrip=True)])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(folder / "vocab.json", vocabulary)
    rows = ["#version: 0.2", *(" ".join(merge) for merge in merges)]
    (folder / "merges.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    write_json(
        folder / "tokenizer_config.json",
        {"tokenizer_class": "RobertaTokenizer", "model_max_length": most},
    )
    return len(tokens)


# The first ids of RemBERT's vocabulary are other ones, among many that nothing here needs.
REMBERT = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
MT5 = ["<pad>", "</s>", "<unk>"]


def write_rembert(folder: Path, most: int) -> int:
    """Write the tokenizer of BLEURT-20, and return the size of its vocabulary.

    The package adds the tokens [PAD] and [UNK] to it, which need places behind the pieces.
    """
    sentencepiece(folder / "spm.model", REMBERT, "<unk>")
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "BleurtSPTokenizer",
            "model_max_length": most,
            "do_lower_case": False,
            "bos_token": "[CLS]",
            "cls_token": "[CLS]",
            "eos_token": "[SEP]",
            "mask_token": "[MASK]",
            "pad_token": "[PAD]",
            "sep_token": "[SEP]",
            "unk_token": "[UNK]",
        },
    )
    return len(REMBERT) + len(scored_pieces()) + 2


def write_rembert_pieces(folder: Path, most: int) -> int:
    """Write the tokenizer of RemBERT itself, and return the size of its vocabulary."""
    sentencepiece(folder / "sentencepiece.model", REMBERT, "<unk>")
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "RemBertTokenizer",
            "model_max_length": most,
            "pad_token": "<pad>",
            "unk_token": "<unk>",
        },
    )
    return len(REMBERT) + len(scored_pieces())


def write_mt5(folder: Path) -> int:
    """Write the tokenizer of an mT5, and return how many tokens it has."""
    pieces = [*((token, 0.0) for token in MT5), *scored_pieces()]
    tokenizer = unigram(pieces, MT5.index("<unk>"))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(character_map(CHANGED)),
            normalizers.Strip(left=False, right=True),
            normalizers.Replace(Regex(" {2,}"), SPACE),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(SPACE, "always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    tokenizer.add_special_tokens(MT5)
    sentencepiece(folder / "spiece.model", MT5, "<unk>")
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "T5Tokenizer",
            "eos_token": "</s>",
            "extra_ids": 0,
            "pad_token": "<pad>",
            "unk_token": "<unk>",
        },
    )
    return len(pieces)
