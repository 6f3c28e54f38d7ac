"""BERTScore (Zhang et al. 2020): the words of both sides that a model finds most similar."""

from __future__ import annotations

import csv
from contextlib import contextmanager
from functools import partial
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from bleuet.errors import InputError, OptionError
from bleuet.extras import deferred
from bleuet.messages import shown
from bleuet.metrics.base.option import option
from bleuet.metrics.neural.checkpoints import weights_of
from bleuet.metrics.neural.encoder import (
    TextTokens,
    configuration_of,
    copies_of,
    devices_of,
    empty_model,
    encode,
    encoder_of,
    encoder_tensors,
)
from bleuet.metrics.neural.files_read import FilesRead
from bleuet.metrics.neural.folders import model_folder, published_model, short_name
from bleuet.metrics.neural.metric import (
    NeuralCounter,
    NeuralMetric,
    NeuralModel,
    NeuralScore,
    check_model_name,
    packed,
    unpacked,
)
from bleuet.metrics.neural.remembered import MOST_IN_MEMORY
from bleuet.metrics.neural.tokenizer_files import ANY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, Literal, TypeAlias

    import torch

    from bleuet.metrics.neural.metric import Item, Keep
    from bleuet.statistics.definitions.counter import LearnedCounts

    # The tokens of a text and the vector of each.
    Encoded: TypeAlias = tuple[list[int], Any]
else:
    torch = deferred("torch")

# The layer that correlates best with human scores, by the name of the model: those of bert-score,
# which has none for other models of the same family, such as bert-base-cased.
LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "bert-base-chinese": 8,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "distilroberta-base": 5,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "deberta-base-mnli": 9,
    "deberta-large-mnli": 18,
    "deberta-xlarge-mnli": 40,
}
# Models whose tokenizers expect a space before a text (bert-score adds it).
WITH_SPACE = ("roberta", "gpt2")
# Types of models that put no token around a text which bert-score knows to be no word.
WITHOUT_SPECIAL = ("t5", "mt5", "umt5", "pegasus")
# Those whose positions begin behind that of padding.
POSITIONS_BEHIND_PADDING = ("roberta", "camembert", "mpnet", "longformer")
# Those whose numbers depend on the padding of a batch, which its convolutions read.
READS_PADDING = ("convbert",)
F1, PRECISION, RECALL = "f1", "precision", "recall"
# Pairs that are compared before their results are kept.
PAIRS = 256
# The key under which the number of references is learned.
REFERENCES = -1


class BERTScoreScore(NeuralScore):
    """A BERTScore, with precision and recall."""

    components = ("precision", "recall", "f1", "segments")

    @property
    def precision(self) -> float:
        """The mean precision."""
        return self.mean("precision")

    @property
    def recall(self) -> float:
        """The mean recall."""
        return self.mean("recall")

    @property
    def f1(self) -> float:
        """The mean F1."""
        return self.mean("f1")

    def details(self) -> str:
        """Return all three as they are printed."""
        return f"(P = {self.precision:.4f} R = {self.recall:.4f} F = {self.f1:.4f})"


class BERTScore(NeuralMetric):
    """BERTScore: each token counts with the most similar token of the other side.

    Precision is the mean over the tokens of the hypothesis of the largest cosine similarity with a
    token of the reference, recall the same of the reference, F1 their harmonic mean (Zhang et al.
    2020, section 3). With several references, each of the three is the largest. The score is the
    mean over segments.

    >>> BERTScore(model="roberta-large").variant
    'f1'
    """

    model: str = option(
        default="roberta-large",
        help="a folder, or the name of a published model",
        key="bertscore",
        before="weights",
        check=check_model_name,
    )
    layer: int | None = option(
        default=None,
        help="the layer whose vectors are compared, 0 for the embeddings; default the one that its "
        "authors chose for a published model",
        key="layer",
        least=0,
        most=1000,
    )
    idf: bool = option(
        default=False, help="weigh tokens by how rare they are in the references", key="idf"
    )
    variant: Literal["f1", "precision", "recall"] = option(
        default="f1",
        help="which of the three is the score",
        key="score",
        choices=(F1, PRECISION, RECALL),
    )
    baseline: str = option(
        default="",
        help="rescale with the file of a model's baselines, or its folder: of random pairs of "
        "sentences the score is then 0",
        key="baseline",
        sign_default=False,
    )
    score_type = BERTScoreScore
    real_columns = ("precision", "recall", "f1")
    definition = (
        "mean over segments of F1 = 2PR / (P + R); P and R are means of the largest cosine "
        "similarity of each token with one of the other side: -1 to 1, mostly above 0.8; with a "
        "baseline about 0 to 1"
    )
    source = (
        "Zhang, Kishore, Wu, Weinberger and Artzi (2020), BERTScore: Evaluating Text Generation "
        "with BERT, ICLR"
    )
    same_number = "bert-score 0.3.13, within 0.00001"

    @property
    def measure(self) -> str:
        """The column that is the score."""
        return self.variant

    @property
    def learns(self) -> bool:  # type: ignore[override]
        """Whether it learns how rare tokens are."""
        return self.idf

    def load(self) -> BERTScoreModel:
        """Load the model."""
        layer = self._default_layer if self.layer is None else self.layer
        if layer is None:
            raise self.rejected(
                "layer",
                f"must be set for the model {self.model}, which has no default: layer=9, for "
                "example",
            )
        if self.baseline:
            read_baselines(self.baseline, short_name(self.model))
        devices_of(self.device, self.dtype)
        # What is wrong with the options is said before a model is fetched.
        files = FilesRead()
        folder = files.add(model_folder(self.model))
        return BERTScoreModel(
            folder, layer, dtype=self.dtype, devices=self.device, files=files, on_disk=self.cache
        )

    @property
    def _default_layer(self) -> int | None:
        """The layer for a published model, or for a folder of its name; not for others' copies."""
        is_known = published_model(self.model) or Path(self.model).expanduser().is_dir()
        return LAYERS.get(short_name(self.model).lower()) if is_known else None

    def loaded_by(self) -> tuple[Any, ...]:
        """Return the options of the model; the others only decide what is made of its vectors."""
        return type(self), self.model, self.layer, self.dtype, self.device, self.cache

    if TYPE_CHECKING:

        @property
        def network(self) -> BERTScoreModel:
            """The model."""

    def _sign(self, one: Any) -> str:
        if one.name == "layer" and self.layer is None:
            return str(self.network.layer)
        if one.name == "baseline":
            return short_name(self.baseline)
        return super()._sign(one)

    def _make_counter(self) -> BERTScoreCounter:
        return BERTScoreCounter(self)

    def measures(self, items: Sequence[Item]) -> list[tuple[float, ...]]:
        """Return precision, recall and F1 of each item, rescaled if there is a baseline."""
        rows = self.network.rows(items, self.learned)
        if not self.baseline:
            return rows
        by_layer = read_baselines(self.baseline, short_name(self.model))
        if self.network.layer >= len(by_layer):
            raise self.rejected(
                "baseline",
                f"has {len(by_layer)} layers, but the layer is {self.network.layer}: it belongs to "
                "another model",
            )
        return [_rescaled(row, by_layer[self.network.layer]) for row in rows]

    def layer_scores(
        self, hypothesis: str, references: str | list[str]
    ) -> list[tuple[float, float, float]]:
        """Return precision, recall and F1 by each layer, the embeddings first.

        Args:
            hypothesis: the hypothesis.
            references: one reference or a list of them.
        """
        several = [references] if isinstance(references, str) else references
        learned: LearnedCounts | None = self.learned
        if self.idf and learned is None:
            raise OptionError("is set, but the metric has not learned: call prepare", option="idf")
        rows = []
        for place in range(self.network.depth + 1):
            found = self.network.compare([(hypothesis, one) for one in several], learned, place)
            rows.append(_best(found))
        if not self.baseline:
            return rows
        known = read_baselines(self.baseline, short_name(self.model))
        if len(known) != len(rows):
            raise self.rejected(
                "baseline", f"has {len(known)} layers, but the model has {len(rows)}"
            )
        return [_rescaled(row, base) for row, base in zip(rows, known, strict=True)]


def read_baselines(path: str, model: str) -> list[tuple[float, float, float]]:
    """Return precision, recall and F1 of random pairs of sentences, by layer.

    Args:
        path: a file of values separated by commas with the columns LAYER, P, R and F, as
            bert-score has it; or a folder with such files by the names of models.
        model: the name of the model.

    Raises:
        InputError: there is no such file, or it has other columns.
    """
    file = Path(path).expanduser()
    if file.is_dir():
        file /= f"{model}.tsv"
    try:
        with file.open(encoding="utf-8", newline="") as opened:
            rows = [
                (float(row["P"]), float(row["R"]), float(row["F"]))
                for row in csv.DictReader(opened)
            ]
    except OSError as error:
        raise InputError(f"there is no baseline {file}: {error.strerror}") from None
    except (KeyError, ValueError, TypeError):
        raise InputError(
            f"{file} has no baselines; expected lines with LAYER,P,R,F as bert-score has them"
        ) from None
    if not rows:
        raise InputError(f"{file} is empty; expected lines with LAYER,P,R,F")
    return rows


def _rescaled(row: Sequence[float], base: Sequence[float]) -> tuple[float, float, float]:
    p, r, f = ((score - own) / (1 - own) for score, own in zip(row, base, strict=True))
    return p, r, f


def _best(found: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    p, r, f = (max(column) for column in zip(*found, strict=True))
    return p, r, f


class BERTScoreCounter(NeuralCounter):
    """Counts, and learns how many references have each token."""

    _metric: BERTScore

    def lessons(self, references: list[str]) -> Iterable[int]:
        """Yield the tokens of each reference, each once, and that there is a reference."""
        for own in self._metric.network.tokens_of(references):
            yield REFERENCES
            yield from set(own)


class BERTScoreModel(NeuralModel):
    """An encoder in memory, cut behind a layer.

    Args:
        folder: the folder of the model.
        layer: the layer whose vectors are compared.
        dtype: the type of numbers.
        devices: the devices, as `bleuet.metrics.neural.encoder.devices_of` reads them.
        files: as of `NeuralModel`.
        on_disk: whether results are kept for later runs.
    """

    reads = "each text; pairs with a text"

    def __init__(
        self,
        folder: Path,
        layer: int,
        *,
        dtype: str,
        devices: str,
        files: FilesRead,
        on_disk: bool,
    ) -> None:
        config = configuration_of(folder)
        self.depth = int(config.num_hidden_layers)
        if layer > self.depth:
            raise OptionError(
                f"must be at most {self.depth}, the number of the model's layers, not {layer}",
                metric="BERTScore",
                option="layer",
                value=layer,
            )
        self.tokens = TextTokens(folder, int(config.vocab_size))
        tensors, weights = weights_of(folder)
        limit = min(self.tokens.most, _positions(config))
        super().__init__(weights, limit, f"{layer}|{dtype}", files=files, on_disk=on_disk)
        self.layer = layer
        self._reads_padding = config.model_type in READS_PADDING
        self._space = " " if config.model_type in WITH_SPACE else ""
        # That of a language counts as a word.
        around = {*self.tokens.begin, *self.tokens.end} - self.tokens.languages
        self._special = set() if config.model_type in WITHOUT_SPECIAL else around
        tensors = encoder_tensors(tensors, config)
        model = empty_model(partial(encoder_of, config), tensors, dtype)
        self._models = copies_of(model, dtype, devices)
        self._references: dict[str, Encoded] = {}

    def rows(
        self, items: Sequence[Item], learned: LearnedCounts | None = None
    ) -> list[tuple[float, ...]]:
        """Return precision, recall and F1 of each item.

        Args:
            items: the items.
            learned: as of `scores`.
        """
        pairs = [(text, one) for text, several, _ in items for one in several]
        found = iter(self.scores(pairs, learned))
        return [_best([next(found) for _ in several]) for _, several, _ in items]

    def tokens_of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text, with those around it."""
        numbers = self.tokens.numbers([self._space + text.strip() for text in texts])
        contents = [
            one.ids[: self._room] if text.strip() else []
            for text, one in zip(texts, numbers, strict=True)
        ]
        return [[*self.tokens.begin, *one, *self.tokens.end] for one in contents]

    @property
    def _room(self) -> int:
        """How many tokens of a text are read, without those around it."""
        return self.limit - len(self.tokens.begin) - len(self.tokens.end)

    def _is_too_long(self, text: str) -> bool:
        # No token is shorter than a character.
        if len(text) <= self._room:
            return False
        (one,) = self.tokens.numbers([self._space + text.strip()])
        return len(one.ids) > self._room

    def scores(
        self, pairs: Sequence[tuple[str, str]], learned: LearnedCounts | None
    ) -> list[tuple[float, float, float]]:
        """Return precision, recall and F1 of pairs of a hypothesis and a reference.

        Args:
            pairs: the pairs.
            learned: how many references have each token, None for equal weights.
        """

        def compute(missing: Sequence[tuple[str | None, ...]], keep: Keep) -> None:
            for first in range(0, len(missing), PAIRS):
                some = [(one[0] or "", one[1] or "") for one in missing[first : first + PAIRS]]
                cut = {
                    first + place
                    for place, pair in enumerate(some)
                    if any(map(self._is_too_long, pair))
                }
                found = self.compare(some, learned, self.layer)
                keep(cut, range(first, first + len(some)), list(map(packed, found)))

        what = "" if learned is None else learned.fingerprint
        return [unpacked(one)[:3] for one in self.computed(pairs, compute, what)]  # type: ignore[misc]

    def compare(
        self, pairs: Sequence[tuple[str, str]], learned: LearnedCounts | None, layer: int
    ) -> list[tuple[float, float, float]]:
        """Return precision, recall and F1 of pairs by one layer; see `scores`."""
        kept = self._references if layer == self.layer else {}
        texts = dict.fromkeys(text for pair in pairs for text in pair)
        new = [text for text in texts if text not in kept]
        known = kept | dict(zip(new, self._encoded(new, layer), strict=True))
        if layer == self.layer:
            self._keep({reference: known[reference] for _, reference in pairs})
        return [self._compared(known[one], known[other], learned) for one, other in pairs]

    def _keep(self, references: Mapping[str, Encoded]) -> None:
        """Keep the vectors of references, which other systems have, too."""
        self._references |= references
        held = sum(vectors.nbytes for _, vectors in self._references.values())
        if held > MOST_IN_MEMORY:
            self._references = {}

    def _encoded(self, texts: Sequence[str], layer: int) -> list[Encoded]:
        inputs = self.tokens_of(texts)
        vectors: list[Any] = [None] * len(inputs)

        def run(model: Any, batch: Any, mask: Any, _: Sequence[int]) -> list[Any]:
            states = _up_to(model, layer, input_ids=batch, attention_mask=mask).float()
            unit = states / states.norm(dim=-1, keepdim=True)
            return [
                own[:size] for own, size in zip(unit.cpu(), mask.sum(dim=1).tolist(), strict=True)
            ]

        def done(batch: list[int], results: Sequence[Any]) -> None:
            for place, result in zip(batch, results, strict=True):
                vectors[place] = result

        padding = self.tokens.padding
        encode(self._models, inputs, padding, run, done, without_padding=self._reads_padding)
        return list(zip(inputs, vectors, strict=True))

    def _compared(
        self,
        ours: Encoded,
        theirs: Encoded,
        learned: LearnedCounts | None,
    ) -> tuple[float, float, float]:
        around = len(self.tokens.begin) + len(self.tokens.end)
        if len(ours[0]) == around or len(theirs[0]) == around:
            return 0.0, 0.0, 0.0
        similar = ours[1] @ theirs[1].T
        precision = _mean(similar.max(dim=1).values, self._weights(ours[0], learned))
        recall = _mean(similar.max(dim=0).values, self._weights(theirs[0], learned))
        both = precision + recall
        return precision, recall, 2 * precision * recall / both if both else 0.0

    def _weights(self, tokens: Sequence[int], learned: LearnedCounts | None) -> Any:
        if learned is None:
            # The tokens around texts weigh nothing, wherever they are.
            return torch.tensor([float(token not in self._special) for token in tokens])
        references = learned[REFERENCES]
        return torch.tensor(
            [log((references + 1) / (learned.get(token, 0) + 1)) for token in tokens],
            dtype=torch.float32,
        )


def _mean(values: Any, weights: Any) -> float:
    whole = weights.sum()
    # Without idf for any token, there is no mean.
    mean: float = (values * (weights / whole)).sum().item() if whole else 0.0
    return mean


def _positions(config: Any) -> int:
    names = ("max_encoder_position_embeddings", "max_position_embeddings")
    positions = max(int(getattr(config, name, 0) or 0) for name in names)
    if positions <= 0:
        return ANY
    behind = any(kind in config.model_type for kind in POSITIONS_BEHIND_PADDING)
    return positions - 2 if behind else positions


@contextmanager
def _cut(model: Any, layer: int) -> Iterator[None]:
    """Let a model end behind a layer while the block runs."""
    owners = [model, getattr(model, "encoder", None), getattr(model, "transformer", None)]
    for owner in owners:
        if hasattr(owner, "albert_layer_groups"):
            name, whole = "num_hidden_layers", owner.config.num_hidden_layers
            owner, shorter = owner.config, layer
            break
        # What models call their layers.
        names = (word for word in ("layer", "layers", "block", "h") if hasattr(owner, word))
        name = next(names, "")
        if name:
            whole = getattr(owner, name)
            shorter = whole[:layer]
            break
    else:
        raise InputError(
            f"bleuet does not know where the layers of a {shown(model.config.model_type)} are"
        )
    setattr(owner, name, shorter)
    try:
        yield
    finally:
        setattr(owner, name, whole)


def _up_to(model: Any, layer: int, **inputs: Any) -> Any:
    """Return the output of a model that ends behind a layer."""
    with _cut(model, layer):
        return model(**inputs).last_hidden_state
