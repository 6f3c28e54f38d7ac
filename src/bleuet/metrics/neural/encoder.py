"""The encoder: texts to the hidden states of a model, in batches of similar length."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from inspect import signature

from bleuet.errors import InputError, OptionError
from bleuet.extras import deferred
from bleuet.metrics.neural.checkpoints import fill
from bleuet.metrics.neural.tokenizer_files import LANGUAGE, check_size, read_tokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    import torch
    import transformers
else:
    torch = deferred("torch")
    transformers = deferred("transformers")

FLOAT32, BFLOAT16, INT8 = "float32", "bfloat16", "int8"
TYPES = (FLOAT32, BFLOAT16, INT8)
AUTO, CPU = "auto", "cpu"
# What models call the token of padding, where their files do not say it.
PADDING = ("<pad>", "[PAD]")
# Tokens of a batch, padding included: what the caches of a processor hold, and what keeps a GPU
# busy.
TOKENS_ON_CPU, TOKENS_ON_GPU = 512, 16_384
_progress: Callable[[int, int], None] | None = None


@contextmanager
def progress(report: Callable[[int, int], None] | None) -> Iterator[None]:
    """Report how many texts are encoded, of how many, while the block runs."""
    global _progress
    before, _progress = _progress, report
    try:
        yield
    finally:
        _progress = before


@contextmanager
def quiet() -> Iterator[None]:
    """Let the library transformers say nothing below an error, which it raises."""
    logging = transformers.utils.logging
    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(before)


def configuration_of(folder: Path) -> Any:
    """Return the configuration of a model of transformers.

    Raises:
        InputError: the folder has none, or one that the library does not know.
    """
    if not (folder / "config.json").is_file():
        raise InputError(f"the folder {folder} has no config.json: name the folder of a model")
    try:
        with quiet():
            return transformers.AutoConfig.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False
            )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder / 'config.json'}: {error}") from None


def empty_model(make: Callable[[], Any], tensors: dict[str, Any], dtype: str = FLOAT32) -> Any:
    """Return a model with given weights, made without memory for other weights before.

    Args:
        make: makes the model.
        tensors: its weights; empty afterwards, as `fill` leaves them.
        dtype: the type of numbers that it will compute with; a member of `TYPES`.
    """
    with torch.device("meta"), quiet():
        model = make()
    for name, part in model.named_modules():
        # Positions that are computed: files of Pegasus may have them.
        if hasattr(part, "create_weight") and f"{name}.weight" not in tensors:
            tensors[f"{name}.weight"] = part.create_weight()
    fill(model, tensors, dtype=torch.bfloat16 if dtype == BFLOAT16 else None)
    return model.eval().requires_grad_(False)


def encoder_of(config: Any) -> Any:
    """Return the encoder of a kind of model, without what pools its states."""
    kind = transformers.AutoModel._model_mapping[type(config)]
    pools = "add_pooling_layer" in signature(kind.__init__).parameters
    if hasattr(config, "attention_type"):
        # Otherwise it depends on the longest text of a batch, and of those before it.
        config.attention_type = "original_full"
    options = {"add_pooling_layer": False} if pools else {}
    model = transformers.AutoModel.from_config(config, **options)
    if config.is_encoder_decoder:
        model = model.get_encoder()
    if getattr(model, "pooler", None) is not None:
        model.pooler = torch.nn.Identity()
    relative = "relative" in str(getattr(config, "position_embedding_type", ""))
    if relative and not any("distance_embedding" in name for name, _ in model.named_parameters()):
        raise InputError(
            "the model has relative positions (position_embedding_type in config.json), which this "
            "version of transformers does not compute: choose another model"
        )
    return model


def encoder_tensors(tensors: Mapping[str, Any], config: Any) -> dict[str, Any]:
    """Return the tensors of a published model by their names in `encoder_of`."""
    kind = transformers.AutoModel._model_mapping[type(config)]
    prefix = f"{kind.base_model_prefix}."
    plain = {name.removeprefix(prefix): value for name, value in tensors.items()}
    if config.is_encoder_decoder:
        # Both sides have the same embeddings, which files have under one of their names.
        names = ("encoder.embed_tokens.weight", "shared.weight", "decoder.embed_tokens.weight")
        shared = next((plain[name] for name in names if name in plain), None)
        plain = {name.removeprefix("encoder."): value for name, value in plain.items()}
        if shared is not None:
            plain["embed_tokens.weight"] = shared
    return plain


class TextTokens:
    """The tokenizer of a model: texts to numbers, without the tokens around a text.

    Args:
        folder: with the files of the tokenizer.
        vocabulary: how many tokens the model knows, None where that says nothing about them.

    Attributes:
        begin: the tokens before a text.
        between: the tokens between two texts that are read together.
        end: the tokens behind a text.
        padding: the number of the token that fills batches.
        most: the most tokens of a text that the model was made for.
    """

    def __init__(self, folder: Path, vocabulary: int | None) -> None:
        made = read_tokenizer(folder)
        self._backend, self.most = made.backend, made.most
        self._backend.no_truncation()
        self._backend.no_padding()
        if vocabulary is not None:
            ordinary, whole = (self._backend.get_vocab_size(added) for added in (False, True))
            check_size(ordinary, whole, vocabulary, folder)
        known = (self._backend.token_to_id(token) for token in (made.padding, *PADDING))
        self.padding = next((number for number in known if number is not None), 0)
        self.begin, self.between, self.end = self._around()

    @property
    def languages(self) -> set[int]:
        """The tokens around a text that name its language."""
        around = {*self.begin, *self.end}
        return {
            number for number in around if LANGUAGE.fullmatch(self._backend.id_to_token(number))
        }

    def _around(self) -> tuple[list[int], list[int], list[int]]:
        """Return the special tokens before, between and behind two texts."""
        pair = self._backend.encode("a", "a")
        parts: list[list[int]] = [[]]
        for number, special, sequence in zip(
            pair.ids, pair.special_tokens_mask, pair.sequence_ids, strict=True
        ):
            if special:
                parts[-1].append(number)
            elif len(parts) <= sequence + 1:
                parts.append([])
        return parts[0], parts[1], parts[-1]

    def numbers(self, texts: Sequence[str]) -> list[Any]:
        """Return the encoding of each text: `ids` are its tokens, `offsets` their places."""
        found: list[Any] = self._backend.encode_batch(list(texts), add_special_tokens=False)
        return found

    def text_of(self, tokens: Sequence[int]) -> str:
        """Return the text of some tokens, special ones included."""
        text: str = self._backend.decode(list(tokens), skip_special_tokens=False)
        return text


def devices_of(word: str, dtype: str = FLOAT32) -> list[Any]:
    """Return the devices that an option names: all GPUs, or the processor, by default.

    Args:
        word: the value of the option.
        dtype: the type of numbers; int8 is computed by processors only.

    Raises:
        OptionError: there is no such device, or it cannot compute with the type.
    """
    if dtype == INT8:
        word = CPU if word == AUTO else word
        if {*word.split("+")} != {CPU}:
            raise OptionError(
                f"is {word}, but int8 runs on processors only: set device=cpu or dtype=bfloat16",
                option="device",
            )
    if word == AUTO:
        found = [f"cuda:{number}" for number in range(torch.cuda.device_count())]
        if not found and torch.backends.mps.is_available():
            found = ["mps"]
        return [torch.device(name) for name in found or [CPU]]
    try:
        devices = [torch.device(name) for name in word.split("+")]
        for device in devices:
            torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise OptionError(
            f"names a device that cannot be used: {reason}", option="device"
        ) from None
    return devices


def copies_of(model: Any, dtype: str, devices: str) -> list[Any]:
    """Return a model of a type of numbers on each device that an option names."""
    from copy import deepcopy

    first, *others = devices_of(devices, dtype)
    model = _as_type(model, dtype)
    return [*(deepcopy(model).to(device) for device in others), model.to(first)]


def _as_type(model: Any, dtype: str) -> Any:
    """Return a model with the type of numbers that it computes with."""
    if dtype == BFLOAT16:
        return model.to(torch.bfloat16)
    if dtype == INT8:
        if not hasattr(torch.ao, "quantization"):
            raise OptionError("is int8, which this version of torch lacks", option="dtype")
        with warnings.catch_warnings():
            # It will move to a library of its own.
            warnings.simplefilter("ignore")
            # In place, so that no layer is in memory twice.
            return torch.ao.quantization.quantize_dynamic(
                model, {torch.nn.Linear}, dtype=torch.qint8, inplace=True
            )
    return model


def in_batches(
    lengths: Sequence[int], most: int, *, without_padding: bool = False
) -> list[list[int]]:
    """Return the numbers of texts in batches, the longest first, each of at most some tokens.

    Args:
        lengths: the tokens of each text.
        most: the most tokens of a batch with its padding; a longer text is a batch of its own.
        without_padding: whether the texts of a batch have the same length.

    >>> in_batches([3, 9, 2, 4], 9)
    [[1], [3, 0], [2]]
    >>> in_batches([3, 9, 3, 4], 9, without_padding=True)
    [[1], [3], [0, 2]]
    """
    batches: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lambda number: -lengths[number]):
        last = batches[-1] if batches else []
        longest = lengths[last[0]] if last else 0
        fits = not without_padding or lengths[number] == longest
        if last and fits and longest * (len(last) + 1) <= most:
            last.append(number)
        else:
            batches.append([number])
    return batches


def encode(
    models: Sequence[Any],
    inputs: Sequence[Sequence[int]],
    padding: int,
    run: Callable[[Any, Any, Any, Sequence[int]], Sequence[Any]],
    done: Callable[[list[int], Sequence[Any]], None],
    most: int | None = None,
    *,
    without_padding: bool = False,
) -> None:
    """Run a model on all inputs; several models, one on each device, share the work.

    Args:
        models: copies of the model, each on its device.
        inputs: the tokens of each text, or of texts that are read together.
        padding: the token that fills batches.
        run: returns a result for each row of a batch, of a model, tokens, mask and the numbers of
            the inputs.
        done: takes the numbers of the inputs of a batch and their results; it is called by one
            thread at a time.
        most: the most tokens of a batch; default what suits the device.
        without_padding: as of `in_batches`.
    """
    if most is None:
        on_cpu = models[0].device.type == CPU
        most = TOKENS_ON_CPU if on_cpu else TOKENS_ON_GPU
    batches = in_batches(list(map(len, inputs)), most, without_padding=without_padding)
    finished = 0

    def computed(model: Any, batch: list[int]) -> Sequence[Any]:
        width = len(inputs[batch[0]])
        tokens = torch.full((len(batch), width), padding, dtype=torch.long)
        mask = torch.zeros((len(batch), width), dtype=torch.long)
        for row, number in enumerate(batch):
            own = inputs[number]
            tokens[row, : len(own)] = torch.tensor(own, dtype=torch.long)
            mask[row, : len(own)] = 1
        with torch.inference_mode():
            return run(model, tokens.to(model.device), mask.to(model.device), batch)

    def finish(batch: list[int], results: Sequence[Any]) -> None:
        nonlocal finished
        done(batch, results)
        finished += len(batch)
        if _progress is not None:
            _progress(finished, len(inputs))

    # Longformer says how it pads each batch.
    with quiet():
        if len(models) > 1:
            _share(models, batches, computed, finish)
            return
        for batch in batches:
            finish(batch, computed(models[0], batch))


def _share(
    models: Sequence[Any],
    batches: list[list[int]],
    computed: Callable[[Any, list[int]], Sequence[Any]],
    finish: Callable[[list[int], Sequence[Any]], None],
) -> None:
    """Let each model take the next batch as soon as it has done one."""
    from concurrent.futures import ThreadPoolExecutor
    from queue import Empty, SimpleQueue
    from threading import Event, Lock

    waiting: SimpleQueue[list[int]] = SimpleQueue()
    for batch in batches:
        waiting.put(batch)
    lock, stop = Lock(), Event()

    def work(model: Any) -> None:
        while not stop.is_set():
            try:
                batch = waiting.get_nowait()
            except Empty:
                return
            results = computed(model, batch)
            with lock:
                finish(batch, results)

    with ThreadPoolExecutor(len(models)) as pool:
        jobs = [pool.submit(work, model) for model in models]
        try:
            for job in jobs:
                job.result()
        finally:
            stop.set()
