"""MetricX (Juraska et al. 2023, 2024): mT5, trained to say how many errors a translation has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.metrics.base.option import option
from bleuet.metrics.neural.checkpoints import weights_of
from bleuet.metrics.neural.encoder import (
    TextTokens,
    configuration_of,
    copies_of,
    devices_of,
    empty_model,
    encode,
)
from bleuet.metrics.neural.files_read import FilesRead
from bleuet.metrics.neural.folders import model_folder, published_model, short_name
from bleuet.metrics.neural.metric import (
    NeuralMetric,
    NeuralModel,
    check_model_name,
    packed,
    unpacked,
)
from bleuet.metrics.neural.tokenizer_files import missing_tokenizer, read_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any, Literal

    import torch
    import transformers

    from bleuet.metrics.neural.metric import Item, Keep
else:
    torch = deferred("torch")
    transformers = deferred("transformers")

OWN, OF_2023, OF_2024 = "own", "23", "24"
# What the models read, with references and without.
WORDING = {
    OF_2023: (
        "candidate: {hypothesis} reference: {reference}",
        "candidate: {hypothesis} source: {source}",
    ),
    OF_2024: (
        "source: {source} candidate: {hypothesis} reference: {reference}",
        "source: {source} candidate: {hypothesis}",
    ),
}
MOST_TOKENS = {OF_2023: 1024, OF_2024: 1536}
# The names of the embeddings of words, of which files have one or more.
EMBEDDINGS = ("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight")
# The token whose logit is the score, and the range of scores.
TOKEN = 250_089
LEAST, MOST = 0.0, 25.0


class MetricX(NeuralMetric):
    """MetricX: the points that a model takes off for errors, from 0 for none to 25.

    Lower is better. The models of 2023 read reference and hypothesis, or source and hypothesis if
    `qe` is in their name; those of 2024 read the source, and the reference where there is one. The
    score is the mean over segments.

    >>> MetricX(model="metricx-24-hybrid-large-v2p6").version
    'own'
    """

    model: str = option(
        default="metricx-24-hybrid-large-v2p6",
        help="a folder, or the name of a published model",
        key="metricx",
        before="weights",
        check=check_model_name,
    )
    version: Literal["own", "23", "24"] = option(
        default="own",
        help="the year, which decides what the model reads; own: the one in its name",
        key="year",
        choices=(OWN, OF_2023, OF_2024),
    )
    max_tokens: int | None = option(
        default=None,
        help="the most tokens that it reads; default 1024 for the models of 2023 and 1536 for "
        "those of 2024",
        key="max",
        sign_default=False,
        least=16,
        most=100_000,
    )
    tokenizer: str = option(
        default="",
        help="the folder of its tokenizer; default that of the model, or mT5's for a published one",
    )
    higher_is_better = False
    reads_one_reference = True
    real_columns = ("metricx",)
    definition = "mean over segments of the points off, 0 to 25, that a model predicts"
    source = (
        "Juraska, Deutsch, Finkelstein and Freitag (2024), MetricX-24: The Google Submission to "
        "the WMT 2024 Metrics Shared Task, WMT"
    )
    same_number = "metricx 23 and 24, within 0.0001"

    @property
    def year(self) -> str:
        """The version of the model.

        Raises:
            OptionError: the name of the model does not say it.
        """
        if self.version != OWN:
            return self.version
        name = short_name(self.model)
        for year in (OF_2024, OF_2023):
            if f"x-{year}" in name or f"x{year}" in name:
                return year
        raise self.rejected(
            "version", f"must be 23 or 24, which the name of the model {name} does not say"
        )

    @property
    def reads_references(self) -> bool:  # type: ignore[override]
        """Whether the model reads references."""
        return "-qe" not in short_name(self.model)

    @property
    def reads_sources(self) -> bool:  # type: ignore[override]
        """Whether the model reads sources; the models of 2023 do so in place of a reference."""
        return self.year == OF_2024 or not self._is_published or not self.reads_references

    @property
    def needs_sources(self) -> bool:  # type: ignore[override]
        """Whether the model cannot do without sources."""
        return self.year == OF_2024 or not self.reads_references

    @property
    def needs_references(self) -> bool:  # type: ignore[override]
        """Whether the model cannot do without references."""
        return self.year == OF_2023 and self.reads_references and self._is_published

    @property
    def _is_published(self) -> bool:
        return published_model(self.model) is not None

    def _sign(self, one: Any) -> str:
        return self.year if one.name == "version" else super()._sign(one)

    def load(self) -> MetricXModel:
        """Load the model."""
        # What is wrong with the options is said before a model is fetched.
        devices_of(self.device, self.dtype)
        if self.tokenizer:
            model_folder(self.tokenizer, weights=False)
        files = FilesRead()
        folder = files.add(model_folder(self.model))
        known = published_model(self.model)
        if self.tokenizer:
            tokens = model_folder(self.tokenizer, weights=False)
        elif not missing_tokenizer(folder):
            tokens = folder
        elif known is not None:
            tokens = model_folder(known.encoder, weights=False)
        else:
            raise self.rejected("tokenizer", f"must be set, since {folder} has no tokenizer")
        return MetricXModel(
            folder,
            files.add(tokens),
            year=self.year,
            most=self.max_tokens or MOST_TOKENS[self.year],
            dtype=self.dtype,
            devices=self.device,
            files=files,
            on_disk=self.cache,
        )


class MetricXModel(NeuralModel):
    """A model of MetricX in memory.

    Args:
        folder: its folder.
        tokenizer: the folder of its tokenizer.
        year: a key of `WORDING`.
        most: the most tokens that it reads.
        dtype: the type of numbers.
        devices: the devices, as `bleuet.metrics.neural.encoder.devices_of` reads them.
        files: as of `NeuralModel`.
        on_disk: whether results are kept for later runs.
    """

    reads = "all texts of a segment together; segments"

    def __init__(
        self,
        folder: Path,
        tokenizer: Path,
        *,
        year: str,
        most: int,
        dtype: str,
        devices: str,
        files: FilesRead,
        on_disk: bool,
    ) -> None:
        config = configuration_of(folder)
        if config.model_type != "mt5":
            raise InputError(
                f"the folder {folder} has a model of the type {config.model_type}; expected mt5, "
                "as models of MetricX are"
            )
        tensors, weights = weights_of(folder)
        super().__init__(weights, most, f"{year}|{dtype}", files=files, on_disk=on_disk)
        # Without the size of the vocabulary, which has places for many tokens that no text has.
        self.tokens = TextTokens(tokenizer, None)
        self._wording = WORDING[year]
        embeddings = next((tensors[name] for name in EMBEDDINGS if name in tensors), None)
        head = tensors.get("lm_head.weight")
        # A model whose last layer has the embeddings of words makes its states smaller. The file is
        # read, since the library takes every mT5 for such a model.
        tied = read_json(folder / "config.json").get("tie_word_embeddings", False)
        self._scale = config.d_model**-0.5 if tied else 1.0
        if head is None and tied:
            head = embeddings
        if head is None or head.shape[0] <= TOKEN:
            raise InputError(f"the folder {folder} is no model of MetricX: it does not rate texts")
        # Only this line of the last layer is used.
        self._last = head[TOKEN].float().clone()
        del head
        if embeddings is not None:
            tensors |= dict.fromkeys(EMBEDDINGS, embeddings)
        del embeddings
        tensors.pop("lm_head.weight", None)
        model = empty_model(partial(transformers.MT5Model, config), tensors, dtype)
        self._models = copies_of(model, dtype, devices)

    def rows(self, items: Sequence[Item]) -> list[tuple[float, ...]]:
        """Return the points off of each item."""
        prompts = [(self._prompt(item),) for item in items]
        return [unpacked(one)[:1] for one in self.computed(prompts, self._rate)]

    def _prompt(self, item: Item) -> str:
        hypothesis, references, source = item
        with_reference, without = self._wording
        if not references:
            return without.format(hypothesis=hypothesis, source=source or "")
        return with_reference.format(
            hypothesis=hypothesis, reference=references[0], source=source or ""
        )

    def _rate(self, prompts: Sequence[tuple[str | None, ...]], keep: Keep) -> None:
        # Without the token at the end, which takes a place all the same.
        room = self.limit - 1
        numbers = self.tokens.numbers([prompt or "" for (prompt,) in prompts])
        inputs = [one.ids[:room] for one in numbers]
        cut = {place for place, one in enumerate(numbers) if len(one.ids) > room}

        def run(model: Any, batch: Any, mask: Any, _: Sequence[int]) -> list[bytes]:
            begin = torch.zeros((len(batch), 1), dtype=torch.long, device=batch.device)
            states = model(
                input_ids=batch, attention_mask=mask, decoder_input_ids=begin, use_cache=False
            ).last_hidden_state
            rated = states[:, 0].float() * self._scale @ self._last.to(states.device)
            return [packed([points]) for points in rated.clamp(LEAST, MOST).tolist()]

        encode(self._models, inputs, self.tokens.padding, run, partial(keep, cut))
