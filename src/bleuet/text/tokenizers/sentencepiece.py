"""Subword pieces of a SentencePiece model: one that sacreBLEU has stored, or any file."""

from __future__ import annotations

import os

from bleuet.errors import InputError
from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# name: (address sacreBLEU downloads from, file name in its folder, signature)
MODELS = {
    "spm": (
        "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
        "sacrebleu_tokenizer_spm.model",
        "flores101",
    ),
    "flores101": (
        "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
        "sacrebleu_tokenizer_spm.model",
        "flores101",
    ),
    "flores200": (
        "https://tinyurl.com/flores200sacrebleuspm",
        "flores200sacrebleuspm",
        "flores200",
    ),
    "spBLEU-1K": (
        "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
        "spbleu-1k_tokenizer_spm.model",
        "spBLEU-1K",
    ),
}


def models_folder() -> str:
    """Return the folder where sacreBLEU keeps models: $SACREBLEU or ~/.sacrebleu."""
    home = os.environ.get("SACREBLEU") or os.path.join(os.path.expanduser("~"), ".sacrebleu")
    return os.path.join(home, "models")


def make_named(name: str) -> tuple[Callable[[str], str], str]:
    """Return the tokenizer of a model that sacreBLEU has a name for, and its signature.

    Raises:
        MissingExtraError: sentencepiece is not installed.
        InputError: the model is not in sacreBLEU's folder; the message says where to get it.
    """
    address, file_name, signature = MODELS[name]
    path = os.path.join(models_folder(), file_name)
    if not os.path.exists(path):
        optional("sentencepiece")
        raise InputError(
            f"the tokenizer {name} needs the model {path}, which does not exist: "
            f"download it from {address}, or use another model with spm:FILE"
        )
    return _pieces_of(path), signature


def make_from_file(name: str) -> tuple[Callable[[str], str], str]:
    """Return the tokenizer of the model in `spm:FILE` and its signature.

    The signature has the name of the file and the beginning of its SHA-256, so that two models of
    the same name have different signatures.

    Raises:
        MissingExtraError: sentencepiece is not installed.
        InputError: there is no such file, or it is not a SentencePiece model.
    """
    from hashlib import sha256

    path = name.partition(":")[2]
    try:
        with open(path, "rb") as file:
            digest = sha256(file.read()).hexdigest()
    except OSError as error:
        raise InputError(
            f"the SentencePiece model {path} cannot be read ({error.strerror}): "
            "name an existing file, as spm:FILE"
        ) from None
    stem = os.path.splitext(os.path.basename(path))[0].replace("|", "_").replace(":", "_")
    return _pieces_of(path), f"spm-{stem}-{digest[:12]}"


def _pieces_of(path: str) -> Callable[[str], str]:
    processor = optional("sentencepiece").SentencePieceProcessor()
    try:
        processor.Load(path)
    except (OSError, RuntimeError) as error:
        raise InputError(
            f"{path} is not a SentencePiece model ({str(error).splitlines()[0]}): "
            "name a .model file that SentencePiece has trained"
        ) from None

    def tokenize(line: str) -> str:
        try:
            return " ".join(processor.EncodeAsPieces(line))
        except RuntimeError:
            raise InputError(
                f"SentencePiece cannot read the line {line[:40]!r}, which has a lone surrogate: "
                "remove it"
            ) from None

    return tokenize
