"""COMET: a model that was trained on human judgments reads source, hypothesis and reference."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from bleuet.extras import deferred
from bleuet.metrics.base.marks import Mark
from bleuet.metrics.base.option import option
from bleuet.metrics.neural.comet.network import (
    REFERENCELESS,
    REGRESSION,
    SENTINEL,
    SOFTMAX,
    SPARSEMAX,
    UNIFIED,
    XCOMET,
    Network,
    read_checkpoint,
)
from bleuet.metrics.neural.comet.spans import ErrorSpan, error_spans, severity_score
from bleuet.metrics.neural.encoder import devices_of, encode
from bleuet.metrics.neural.files_read import FilesRead
from bleuet.metrics.neural.folders import model_folder, published_model, short_name
from bleuet.metrics.neural.metric import (
    NeuralMetric,
    NeuralModel,
    check_model_name,
    packed,
    unpacked,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any, Literal

    import torch

    from bleuet.metrics.neural.metric import Item, Keep
else:
    torch = deferred("torch")

# The shares of the inputs with source, with reference and with both, and of the error spans.
XCOMET_SHARES = (0.12, 0.33, 0.33, 0.22)
TAG_SHARES = (0.1667, 0.3333, 0.5)
OWN = "own"


class COMET(NeuralMetric):
    """COMET: what a model predicts of human ratings of each segment.

    The score is the mean over segments. The model decides what it reads: source and reference, or
    the source alone, as those for quality estimation do. `model` is a folder with `hparams.yaml`
    and `checkpoints/model.ckpt`, or the name of a published model.

    >>> COMET(model="wmt22-comet-da").higher_is_better
    True
    """

    model: str = option(
        default="wmt22-comet-da",
        help="a folder, or the name of a published model",
        key="comet",
        before="weights",
        check=check_model_name,
    )
    encoder: str = option(
        default="",
        help="the folder with the tokenizer and the configuration of the encoder; default that "
        "which the model names",
        key="encoder",
        sign_default=False,
    )
    mix: Literal["own", "softmax", "sparsemax"] = option(
        default="own",
        help="how the layers are mixed; own: as the model says, which some copies from before "
        "April 2025 say wrongly",
        key="mix",
        choices=(OWN, SOFTMAX, SPARSEMAX),
    )
    real_columns = ("comet",)
    definition = (
        "mean over segments of the score that a model predicts: of most models about 0 to 1, of "
        "those without references and of sentinels on the scale of their training data; not in "
        "percent"
    )
    source = (
        "Rei, Stewart, Farinha and Lavie (2020), COMET: A Neural Framework for MT Evaluation, "
        "EMNLP; Guerreiro et al. (2024), xCOMET, TACL 12"
    )
    same_number = "unbabel-comet 2.2.7 in float32, within 0.00001"

    @property
    def name(self) -> str:
        """The printed name, which says what kind of model it is where that is known."""
        lowered = self.model.lower()
        names = (
            ("sentinel", "Sentinel"),
            ("xcomet", "xCOMET"),
            ("kiwi", "COMETKiwi"),
            ("unite", "UniTE"),
        )
        return next((name for part, name in names if part in lowered), "COMET")

    if TYPE_CHECKING:

        @property
        def network(self) -> COMETModel:
            """The model."""

    reads_one_reference = True

    @property
    def _reads(self) -> tuple[Collection[str], bool]:
        """What the model reads, and whether it can do without source or reference.

        Of a published model both are known before it is fetched. The model of a saved table is not
        looked for: it may have read everything.
        """
        is_folder = not self.is_stored and Path(self.model).expanduser().is_dir()
        if not (is_folder or self.is_loaded):
            published = published_model(self.model)
            if published is not None:
                return published.inputs, published.joint
            if self.is_stored:
                return ("mt", "src", "ref"), True
        return self.network.inputs, self.network.joint

    @property
    def reads_sources(self) -> bool:  # type: ignore[override]
        """Whether the model reads sources."""
        return "src" in self._reads[0]

    @property
    def reads_references(self) -> bool:  # type: ignore[override]
        """Whether the model reads references."""
        return "ref" in self._reads[0]

    @property
    def needs_sources(self) -> bool:  # type: ignore[override]
        """Whether the model cannot do without sources."""
        inputs, joint = self._reads
        return "src" in inputs and not (joint and "ref" in inputs)

    @property
    def needs_references(self) -> bool:  # type: ignore[override]
        """Whether the model cannot do without references."""
        inputs, joint = self._reads
        return "ref" in inputs and not (joint and "src" in inputs)

    def load(self) -> COMETModel:
        """Load the model."""
        # What is wrong with the options is said before a model is fetched.
        devices_of(self.device, self.dtype)
        if self.encoder:
            model_folder(self.encoder, weights=False)
        files = FilesRead()
        folder = files.add(model_folder(self.model))
        checkpoint = read_checkpoint(folder)
        mix = checkpoint.mix if self.mix == OWN else self.mix
        network = Network(
            checkpoint,
            encoder=self.encoder,
            beside=folder,
            mix=mix,
            dtype=self.dtype,
            devices=self.device,
            files=files,
        )
        settings = f"{checkpoint.kind}|{mix}|{self.dtype}"
        return COMETModel(network, mix, settings, files=files, on_disk=self.cache)

    def _sign(self, one: Any) -> str:
        if one.name == "encoder":
            return short_name(self.encoder)
        return self.network.mix if one.name == "mix" and self.mix == OWN else super()._sign(one)

    # --- Error spans --------------------------------------------------------------------------

    def error_spans(self, hypothesis: str, references: list[str]) -> list[ErrorSpan]:
        """Return the errors that the model finds in a hypothesis, in their order.

        Args:
            hypothesis: the hypothesis.
            references: its references, with the source.

        Returns:
            The spans; none of a model that does not look for errors.
        """
        return self.errors_in([hypothesis], [references])[0]

    @property
    def finds_errors(self) -> bool:
        """Whether the model is in memory and looks for errors."""
        return self.is_loaded and self.network.finds_errors

    def errors_in(
        self, hypotheses: Sequence[str], references: Sequence[list[str]]
    ) -> list[list[ErrorSpan]]:
        """Return the errors in each of several hypotheses; see `error_spans`."""
        pairs = zip(hypotheses, references, strict=True)
        return self.network.spans([self.item(*pair) for pair in pairs])

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the words, and marks on those in which the model finds an error.

        It does not say which words of a reference belong to them, so that there are none.
        """
        spans = self.error_spans(hypothesis, references)
        if not spans:
            return (), (), ()
        words, places = _words_of(hypothesis)
        marks = []
        for span in spans:
            inside = [
                number
                for number, (begin, end) in enumerate(places)
                if begin < span.end and span.start < end
            ]
            if inside:
                marks.append(Mark(f"{span.severity} error", (inside[0], inside[-1] + 1), (0, 0)))
        return words, (), marks


def _words_of(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    words = text.split()
    places = []
    end = 0
    for word in words:
        begin = text.index(word, end)
        end = begin + len(word)
        places.append((begin, end))
    return words, places


class COMETModel(NeuralModel):
    """A model of COMET in memory.

    Args:
        network: its network.
        mix: how the layers are mixed.
        settings: as of `NeuralModel`.
        files: as of `NeuralModel`.
        on_disk: as of `NeuralModel`.
    """

    def __init__(
        self, network: Network, mix: str, settings: str, *, files: FilesRead, on_disk: bool
    ) -> None:
        self._kind = network.checkpoint.kind
        # The tokens around a text count, and the positions of XLM-R begin at 2.
        limit = network.positions - 4
        if self._kind == SENTINEL:
            limit = min(network.tokens.most, network.positions - 2)
        super().__init__(network.checkpoint.weights, limit, settings, files=files, on_disk=on_disk)
        self.mix = mix
        self._network = network
        if self.joint:
            self.reads = "each text; inputs with a text"

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """What the model reads: "mt", "src" and "ref", in this order."""
        if self._kind == REGRESSION:
            return ("mt", "src", "ref")
        if self._kind == REFERENCELESS:
            return ("mt", "src")
        settings = self._network.checkpoint.settings
        if self._kind == SENTINEL:
            return (settings["sent_to_use"],)
        named = settings["input_segments"]
        return tuple(one for one in ("mt", "src", "ref") if one in named)

    @property
    def joint(self) -> bool:
        """Whether it reads texts together, and can do without source or reference."""
        return self._kind in (UNIFIED, XCOMET)

    def rows(self, items: Sequence[Item]) -> list[tuple[float, ...]]:
        """Return the score of each item."""
        if self.joint:
            return [(score,) for score in self._joint_scores(items)]
        return [(score,) for score in self._scores_of_vectors(items)]

    # --- Models that encode each text by itself -----------------------------------------------

    def _scores_of_vectors(self, items: Sequence[Item]) -> list[float]:
        columns = [self._column(items, name) for name in self._order]
        texts = [(text,) for column in columns for text in column]
        content = b"".join(self.computed(texts, self._encode_texts))
        numbers = torch.frombuffer(bytearray(content), dtype=torch.float32)
        vectors = numbers.reshape(len(columns), len(items), -1)
        with torch.inference_mode():
            if self._kind == SENTINEL:
                joined = vectors[0]
            else:
                mt, *others = vectors
                parts = []
                for number, other in enumerate(others):
                    parts += [mt, other] if number == 0 else []
                    parts += [mt * other, (mt - other).abs()]
                joined = torch.cat(parts, dim=1)
            scores: list[float] = self._network.estimate(joined).tolist()
        return scores

    @property
    def _order(self) -> tuple[str, ...]:
        """In which order the head takes what the model reads."""
        return ("mt", "ref", "src") if self._kind == REGRESSION else self.inputs

    def _column(self, items: Sequence[Item], name: str) -> list[str]:
        if name == "mt":
            return [item[0] for item in items]
        if name == "ref":
            return [item[1][0] for item in items]
        return [item[2] or "" for item in items]

    def _encode_texts(self, texts: Sequence[tuple[str | None, ...]], keep: Keep) -> None:
        network = self._network
        tokens = network.tokens
        numbers = tokens.numbers([text or "" for (text,) in texts])
        inputs = [[*tokens.begin, *one.ids[: self._room], *tokens.end] for one in numbers]
        cut = {place for place, one in enumerate(numbers) if len(one.ids) > self._room}

        def run(model: Any, batch: Any, mask: Any, _: Sequence[int]) -> list[bytes]:
            states = model(input_ids=batch, attention_mask=mask, output_hidden_states=True)
            vectors = network.pooled(states.hidden_states, batch, mask)
            return [packed(vector) for vector in vectors.tolist()]

        encode(network.encoders, inputs, tokens.padding, run, partial(keep, cut))

    @property
    def _room(self) -> int:
        """How many tokens of a text are read, without those around it."""
        return self.limit - len(self._network.tokens.begin) - len(self._network.tokens.end)

    # --- Models that read texts together ------------------------------------------------------

    def _parts(self, item: Item) -> list[tuple[str | None, ...]]:
        """Return what is read together of an item: hypothesis, source and reference."""
        hypothesis, references, source = item
        reference = references[0] if references else None
        if source is None or reference is None:
            return [(hypothesis, source, reference)]
        return [
            (hypothesis, source, None),
            (hypothesis, None, reference),
            (hypothesis, source, reference),
        ]

    def _read_together(self, items: Sequence[Item]) -> list[list[tuple[float, ...]]]:
        """Return for each item what the model makes of each of its inputs."""
        several = [self._parts(item) for item in items]
        content = iter(self.computed([part for own in several for part in own], self._encode_parts))
        return [[unpacked(next(content)) for _ in own] for own in several]

    def _joint_scores(self, items: Sequence[Item]) -> list[float]:
        read = self._read_together(items)
        if self._kind == UNIFIED:
            return [sum(one[0] for one in own) / len(own) for own in read]
        *shares, of_spans = XCOMET_SHARES
        found = []
        for own, spans in zip(read, self._spans(items, read), strict=True):
            clamped = [min(one[0], 1.0) for one in own]
            regression = (
                sum(share * score for share, score in zip(shares, clamped, strict=True))
                if len(own) > 1
                else sum(shares) * clamped[0]
            )
            found.append(regression + of_spans * severity_score(spans))
        return found

    @property
    def finds_errors(self) -> bool:
        """Whether it looks for errors."""
        return self._network.tagger is not None

    def spans(self, items: Sequence[Item]) -> list[list[ErrorSpan]]:
        """Return the errors in each hypothesis; none of a model that does not look for errors."""
        if not self.finds_errors:
            return [[] for _ in items]
        return self._spans(items, self._read_together(items))

    def _spans(
        self, items: Sequence[Item], read: Sequence[Sequence[tuple[float, ...]]]
    ) -> list[list[ErrorSpan]]:
        labels = self._network.checkpoint.settings["error_labels"]
        tokens = self._network.tokens
        encoded = tokens.numbers([hypothesis for hypothesis, _, _ in items])
        found = []
        for own, one in zip(read, encoded, strict=True):
            shares = TAG_SHARES if len(own) > 1 else (1.0,)
            size = len(labels) + 1
            weighted = [
                sum(share * part[1 + place] for share, part in zip(shares, own, strict=True))
                for place in range(len(own[0]) - 1)
            ]
            tags = [weighted[first : first + size] for first in range(0, len(weighted), size)]
            content = one.ids[: len(tags) - 2]
            found.append(
                error_spans(
                    tags,
                    [(0, 0), *one.offsets[: len(content)], (0, 0)],
                    labels,
                    [*tokens.begin, *content, *tokens.end],
                    tokens.text_of,
                )
            )
        return found

    def _encode_parts(self, parts: Sequence[tuple[str | None, ...]], keep: Keep) -> None:
        network = self._network
        tokens = network.tokens
        distinct = list(dict.fromkeys(text for part in parts for text in part if text is not None))
        numbers = dict(zip(distinct, tokens.numbers(distinct), strict=True))
        contents = {text: one.ids[: self._room] for text, one in numbers.items()}
        too_long = {text for text, one in numbers.items() if len(one.ids) > self._room}
        cut = {place for place, part in enumerate(parts) if too_long.intersection(part)}
        inputs, sizes, firsts = [], [], []
        for part in parts:
            joined: list[int] = [*tokens.begin]
            for number, text in enumerate(one for one in part if one is not None):
                joined += tokens.between if number else []
                joined += [one for one in contents[text] if one != tokens.padding]
            # The end is cut off, too, where the texts are longer.
            inputs.append([*joined, *tokens.end][: network.positions - 2])
            first = contents[part[0] or ""]
            sizes.append(len(first) + 2)
            firsts.append(len(first) - first.count(tokens.padding) + 2)

        def run(model: Any, batch: Any, mask: Any, places: Sequence[int]) -> list[bytes]:
            kinds = {}
            if network.tells_kinds:
                kinds["token_type_ids"] = _kinds(batch, [firsts[place] for place in places])
            states = model(input_ids=batch, attention_mask=mask, output_hidden_states=True, **kinds)
            layer = network.checkpoint.settings["sent_layer"]
            first = network.mixed(states.hidden_states, mask, layer)[:, 0]
            scores = network.estimate(first).tolist()
            if network.tagger is None:
                return [packed([score]) for score in scores]
            # The labels of the tokens of the hypothesis, which comes first.
            tags = network.tags(states.hidden_states)
            return [
                packed([score, *own[: sizes[place]].reshape(-1).tolist()])
                for score, own, place in zip(scores, tags, places, strict=True)
            ]

        encode(network.encoders, inputs, tokens.padding, run, partial(keep, cut))


def _kinds(batch: Any, sizes: Sequence[int]) -> Any:
    """Return the kind of each token: 0 for the first text with what is around it, 1 behind it."""
    places = torch.arange(batch.shape[1], device=batch.device)
    ends = torch.tensor(sizes, device=batch.device)
    return (places >= ends.unsqueeze(1)).long()
