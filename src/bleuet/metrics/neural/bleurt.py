"""BLEURT (Sellam et al. 2020): a model that was trained to rate a text beside its reference."""

from __future__ import annotations

import json
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.messages import shown
from bleuet.metrics.base.option import option
from bleuet.metrics.neural.checkpoints import weights_of
from bleuet.metrics.neural.encoder import TextTokens, copies_of, devices_of, empty_model, quiet
from bleuet.metrics.neural.files_read import FilesRead
from bleuet.metrics.neural.folders import model_folder
from bleuet.metrics.neural.metric import NeuralMetric, check_model_name
from bleuet.metrics.neural.pair_model import PairModel
from bleuet.metrics.neural.tokenizer_files import check_size, read_pieces

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any, Literal

    import transformers
else:
    transformers = deferred("transformers")

# The activation of Google's program, and that of the port to torch.
TANH, ERF = "tanh", "erf"
ACTIVATIONS = {TANH: "gelu_pytorch_tanh", ERF: "gelu"}
# What the port calls parts of the model that transformers has, too.
RENAMED = (("bleurt.", "rembert."), ("embedding_projection", "embedding_hidden_mapping_in"))


class BLEURT(NeuralMetric):
    """BLEURT: what a model predicts of human ratings of a text, given its reference.

    The score is the mean over segments. It is about 1 for a perfect text and 0 for a random one,
    but is not limited. With several references, a segment has the score of the best.

    >>> BLEURT(model="bleurt-20").gelu
    'erf'
    """

    model: str = option(
        default="bleurt-20",
        help="a folder, or the name of a published model",
        key="bleurt",
        before="weights",
        check=check_model_name,
    )
    gelu: Literal["erf", "tanh"] = option(
        default="erf",
        help="the activation: erf, as the port to torch has it, or tanh, as Google's program",
        key="gelu",
        choices=(ERF, TANH),
    )
    real_columns = ("bleurt",)
    definition = (
        "mean over segments of the score that a model predicts: about 0 to 1, but not limited"
    )
    source = (
        "Sellam, Das and Parikh (2020), BLEURT: Learning Robust Metrics for Text Generation, ACL"
    )
    same_number = "bleurt-pytorch 0.0.1, within 0.00001"

    def load(self) -> PairModel:
        """Load the model."""
        devices_of(self.device, self.dtype)
        files = FilesRead()
        folder = files.add(model_folder(self.model))
        model, weights = read_bleurt(folder, self.gelu, self.dtype)
        tokens = tokens_of(folder, int(model.config.vocab_size))
        positions = int(model.config.max_position_embeddings)

        def join(
            reference: Sequence[int], hypothesis: Sequence[int]
        ) -> tuple[list[int], list[int]]:
            ours, theirs = _cut(hypothesis, reference, positions - 3)
            first = [*tokens.begin, *theirs, *tokens.between]
            second = [*ours, *tokens.end]
            return [*first, *second], [0] * len(first) + [1] * len(second)

        def run(network: Any, batch: Any, mask: Any, kinds: Any) -> Any:
            found = network(input_ids=batch, attention_mask=mask, token_type_ids=kinds)
            return found.logits[:, 0]

        return PairModel(
            copies_of(model, self.dtype, self.device),
            tokens,
            join,
            run,
            weights=weights,
            limit=positions - 3,
            settings=f"{self.gelu}|{self.dtype}",
            files=files,
            on_disk=self.cache,
        )


def _cut(
    one: Sequence[int], other: Sequence[int], most: int
) -> tuple[Sequence[int], Sequence[int]]:
    """Return two lists without the last numbers of the longer one, so that they have at most some.

    Of two equal ones the first one loses a number, as in Google's program.

    >>> _cut([1, 2, 3, 4], [5], 3), _cut([1, 2], [3, 4], 3)
    (([1, 2], [5]), ([1], [3, 4]))
    """
    ours, theirs = len(one), len(other)
    while ours + theirs > most:
        if theirs > ours:
            theirs -= 1
        else:
            ours -= 1
    return one[:ours], other[:theirs]


class PieceTokens:
    """The tokenizer of BLEURT-20, which only SentencePiece reads; a `TextTokens` without places.

    Args:
        file: the model of SentencePiece.
        vocabulary: how many tokens the model knows.
    """

    padding = 0

    def __init__(self, file: Path, vocabulary: int) -> None:
        self._pieces = read_pieces(file)
        count = self._pieces.get_piece_size()
        check_size(count, count, vocabulary, file.parent)
        self.begin = [self._pieces.piece_to_id("[CLS]")]
        self.end = self.between = [self._pieces.piece_to_id("[SEP]")]

    def numbers(self, texts: Sequence[str]) -> list[Any]:
        """Return the tokens of each text as `ids`."""
        return [SimpleNamespace(ids=own) for own in self._pieces.encode(list(texts))]


def tokens_of(folder: Path, vocabulary: int) -> Any:
    """Return the tokenizer of a folder, of a model that knows so many tokens."""
    pieces = folder / "spm.model"
    make = PieceTokens if pieces.is_file() else TextTokens
    return make(pieces if pieces.is_file() else folder, vocabulary)


def read_bleurt(folder: Path, gelu: str, dtype: str) -> tuple[Any, str]:
    """Return the network of a folder, and the hash of its weights.

    Args:
        folder: as bleurt-pytorch or transformers writes it.
        gelu: a key of `ACTIVATIONS`.
        dtype: the type of numbers.

    Raises:
        InputError: the folder does not hold one.
    """
    file = folder / "config.json"
    try:
        described = json.loads(file.read_text(encoding="utf-8"))
        kind = described["model_type"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(
            f"the folder {folder} is no model of BLEURT, which has a config.json: name the folder "
            "of one, as bleurt-pytorch has them"
        ) from None
    tensors, weights = weights_of(folder)
    if "lm_head.weight" in tensors or "classifier.weight" not in tensors:
        raise InputError(f"the folder {folder} is no model of BLEURT: it does not rate texts")
    if kind in ("bleurt", "rembert") and described.get("embedding_size"):
        with quiet():
            config = transformers.RemBertConfig(
                **_without_names(described), input_embedding_size=described["embedding_size"]
            )
        make = transformers.RemBertForSequenceClassification
        tensors = {_renamed(name, *RENAMED): value for name, value in tensors.items()}
    elif kind in ("bleurt", "bert"):
        with quiet():
            config = transformers.BertConfig(**_without_names(described))
        make = transformers.BertForSequenceClassification
        tensors = {_renamed(name, ("bleurt.", "bert.")): value for name, value in tensors.items()}
    else:
        raise InputError(
            f"{file} has the model_type {shown(kind)}; expected bleurt, rembert or bert"
        )
    config.num_labels = 1
    config.hidden_act = ACTIVATIONS[gelu]
    return empty_model(partial(make, config), tensors, dtype), weights


def _without_names(described: Mapping[str, Any]) -> dict[str, Any]:
    left_out = ("model_type", "architectures", "id2label", "label2id", "transformers_version")
    return {
        name: value
        for name, value in described.items()
        if name not in left_out and not (name == "embedding_size" and value is None)
    }


def _renamed(name: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        name = name.replace(old, new, 1)
    return name
