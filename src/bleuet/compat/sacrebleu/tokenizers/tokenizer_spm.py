"""The SentencePiece models that sacreBLEU knows by name."""

from __future__ import annotations

import os

from bleuet.compat.sacrebleu.notice import warn
from bleuet.compat.sacrebleu.original import original
from bleuet.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer
from bleuet.errors import InputError, MissingExtraError
from bleuet.text.tokenizers.sentencepiece import MODELS, models_folder

SPM_MODELS = {
    name: {"url": address, "signature": signature}
    for name, (address, _, signature) in MODELS.items()
}


class TokenizerSPM(NamedTokenizer):
    """Pieces by one of `SPM_MODELS`."""

    def __init__(self, key: str = "spm") -> None:
        fetch_model(key)
        super().__init__(key)
        self.name = SPM_MODELS[key]["signature"]


class Flores101Tokenizer(TokenizerSPM):
    """Pieces by FLORES-101's model."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """Pieces by FLORES-200's model."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):
    """Pieces by spBLEU-1K's model."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")


def fetch_model(name: str) -> None:
    """Download a model that is missing, with the sacrebleu package.

    Without that package nothing happens; the tokenizer's error then says where the model is.

    Raises:
        InputError: the download failed.
    """
    if name == "spm":
        warn("Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future.")
    if name not in MODELS:
        return
    address, file_name, _ = MODELS[name]
    path = os.path.join(models_folder(), file_name)
    if os.path.exists(path):
        return
    try:
        download = original("utils").download_file
    except MissingExtraError:
        return
    try:
        download(address, path)
    except OSError as error:
        raise InputError(
            f"the model of the tokenizer {name} could not be downloaded from {address} ({error}): "
            f"download it to {path} in another way"
        ) from None
