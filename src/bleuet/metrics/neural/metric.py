"""What neural metrics share: their options, how they count, and how a model is loaded once."""

from __future__ import annotations

import struct
from collections import deque
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from bleuet.errors import InputError, warn_caller
from bleuet.extras import optional
from bleuet.frozen import cached_property
from bleuet.messages import plural
from bleuet.metrics.base.mean_of_segments import MeanOfSegments, MeanScore
from bleuet.metrics.base.option import option
from bleuet.metrics.neural.checkpoints import DIGITS
from bleuet.metrics.neural.encoder import AUTO, TYPES
from bleuet.metrics.neural.folders import NEURAL, check_path, short_name
from bleuet.metrics.neural.remembered import Remembered, key_of
from bleuet.statistics.definitions.counter import RowCounter
from bleuet.text.segments import WithSource

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any, ClassVar, Literal, TypeAlias

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.option import Option
    from bleuet.metrics.neural.files_read import FilesRead
    from bleuet.statistics.definitions.counter import Number
    from bleuet.statistics.table import Table
    from bleuet.text.segments import Segments

    # A hypothesis, its references and its source, None where they are not known.
    Item: TypeAlias = tuple[str, tuple[str, ...], str | None]
    # Takes the places of all texts that the model cuts, then the places of some texts and what the
    # model made of them.
    Keep: TypeAlias = Callable[[Collection[int], Sequence[int], Sequence[bytes]], None]

# Models that are loaded, by what decides them. Each is there as long as a metric that uses it, and
# the last ones stay for the next metric.
_LOADED: WeakValueDictionary[tuple[Any, ...], NeuralModel] = WeakValueDictionary()
_LAST: deque[NeuralModel] = deque(maxlen=2)
# What is before a value that is kept: whether a text was cut.
CUT, WHOLE = b"!", b"."
# Goes up when a model's numbers change, so that those of earlier versions are not used.
FORMAT = 3


class NeuralModel:
    """A model in memory: it makes a row of numbers of each item.

    Args:
        weights: the hash of its weights.
        limit: the most tokens of a text that it reads.
        settings: what else decides its numbers, for the cache.
        files: what it was read from: its tokenizer and configuration decide its numbers, too.
        on_disk: whether results are kept for later runs.
    """

    # What has at most so many tokens, and what is counted if one has more.
    reads = "each text; texts"

    def __init__(
        self, weights: str, limit: int, settings: str, *, files: FilesRead, on_disk: bool
    ) -> None:
        self.weights = weights
        self.limit = limit
        self.files = files
        self._settings = f"{FORMAT}|{limit}|{settings}|{files.described}"
        self._remembered = Remembered(weights, on_disk=on_disk)
        # The texts that were cut since this was last empty, as they are read together.
        self.cut: set[tuple[str | None, ...]] = set()

    def rows(self, items: Sequence[Item]) -> list[tuple[float, ...]]:
        """Return the measures of each item, in the order of the metric's real columns."""
        raise NotImplementedError

    def computed(
        self,
        parts: Sequence[tuple[str | None, ...]],
        compute: Callable[[Sequence[tuple[str | None, ...]], Keep], None],
        what: str = "",
    ) -> list[bytes]:
        """Return what the model makes of texts that it reads together, each computed once.

        Args:
            parts: the texts.
            compute: computes those that are not known yet, and passes results on as they are done.
            what: distinguishes results of several kinds.
        """
        distinct = {part: key_of(part, f"{self._settings}|{what}") for part in dict.fromkeys(parts)}
        known = self._remembered.find(distinct.values())
        missing = [part for part, key in distinct.items() if key not in known]

        def keep(cut: Collection[int], places: Sequence[int], results: Sequence[bytes]) -> None:
            found = {
                distinct[missing[place]]: (CUT if place in cut else WHOLE) + value
                for place, value in zip(places, results, strict=True)
            }
            known.update(found)
            self._remembered.keep(found)

        if missing:
            compute(missing, keep)
        self.cut |= {part for part, key in distinct.items() if known[key].startswith(CUT)}
        return [known[distinct[part]][1:] for part in parts]


class NeuralScore(MeanScore):
    """The mean of a model's ratings of each segment."""


class NeuralMetric(MeanOfSegments[NeuralScore]):
    """The base of metrics that a neural model computes.

    A subclass declares `model`, and loads it in `load`.
    """

    model: str
    weights: str = option(
        default="",
        help="the first digits of the hash of the weights, as a signature has it: other weights "
        "are rejected",
        key="weights",
    )
    dtype: Literal["float32", "bfloat16", "int8"] = option(
        default="float32",
        help="type of numbers: bfloat16 and int8 are faster and less exact",
        key="dtype",
        choices=TYPES,
    )
    device: str = option(
        default=AUTO,
        help="where the model runs: auto, all GPUs or else the processor; cpu; cuda:0; several "
        "with plus signs, cuda:0+cuda:1",
    )
    cache: bool = option(default=True, help="keep what the model makes of each text for later runs")
    score_type = NeuralScore
    scale = 1.0
    highest = None
    rates = True
    extra_digits = 2
    # What the model can read, and whether it can do without it; a metric whose models differ
    # overrides.
    reads_references: ClassVar[bool] = True
    needs_sources: ClassVar[bool] = False
    # Whether it reads one reference at most; others take the best of several.
    reads_one_reference: ClassVar[bool] = False
    needs = "a model: a folder, or a name that --download fetches; pip install 'bleuet[neural]'"

    def load(self) -> NeuralModel:
        """Load the model."""
        raise NotImplementedError

    def loaded_by(self) -> tuple[Any, ...]:
        """Return what decides which model is loaded: all options, by default."""
        return type(self), *(getattr(self, name) for name in self._fields if name != "weights")

    @cached_property
    def network(self) -> NeuralModel:
        """The model, which metrics with the same options share.

        Raises:
            InputError: there is no such model, or it is of another kind.
            OptionError: its weights are not those of the option.
        """
        check_path(self.model)
        for library in ("torch", "transformers", "tokenizers"):
            optional(library, NEURAL)
        key = self.loaded_by()
        found = _LOADED.get(key)
        if found is None or not found.files.unchanged:
            found = self.load()
            if not found.files.unchanged:
                raise InputError(
                    f"the files of the model {self.model} changed while they were read: run it "
                    "again when they are complete"
                )
            _LOADED[key] = found
            _LAST.append(found)
        if not found.weights.startswith(self.weights):
            raise self.rejected(
                "weights",
                f"are {self.weights}, but the model {self.model} has {found.weights}: it is "
                "another version of the model",
            )
        return found

    @property
    def is_loaded(self) -> bool:
        """Whether its model is in memory."""
        found = _LOADED.get(self.loaded_by())
        return found is not None and found.weights.startswith(self.weights)

    @property
    def is_stored(self) -> bool:
        """Whether it has the whole hash, as that of a saved table, whose model may be elsewhere."""
        return len(self.weights) == DIGITS

    def measures(self, items: Sequence[Item]) -> list[tuple[float, ...]]:
        """Return what the model measures of each item, in the order of `real_columns`."""
        return self.network.rows(items)

    def _make_counter(self) -> NeuralCounter:
        return NeuralCounter(self)

    def _fill(self, hypotheses: Segments, references: Any, threads: int) -> Table:
        # The counter gets lists, and warns of texts that are cut.
        self._counter.system = hypotheses.system
        try:
            return super()._fill(hypotheses, references, threads)
        finally:
            self._counter.system = ""

    def _sign(self, one: Option) -> str:
        if one.name == "model":
            return short_name(self.model)
        if one.name == "weights":
            # A metric of a saved table needs no model to say which it was.
            return self.weights if self.is_stored else self.network.weights
        return super()._sign(one)

    def item(self, hypothesis: str, references: Sequence[str]) -> Item:
        """Return what the model reads of a segment.

        Raises:
            InputError: it needs a source or a reference that is not there.
        """
        source = references.source if isinstance(references, WithSource) else None
        given = tuple(references)
        if not self.is_stored:
            self._check_given(source, given)
        # A published model is fetched and loaded only now, when it gets what it needs.
        _ = self.network
        if self.is_stored:
            # What it reads is known only now.
            self._check_given(source, given)
        return (
            hypothesis,
            given if self.reads_references else (),
            source if self.reads_sources else None,
        )

    def _check_given(self, source: str | None, given: Sequence[str]) -> None:
        """Raise if a segment lacks what the model needs, or has too much."""
        if source is None and (self.needs_sources or (self.reads_sources and not given)):
            raise InputError(
                f"the model {short_name(self.model)} reads sources, but the texts came without "
                "them: add --source FILE on the command line, sources=[...] to bleuet.score or to "
                "a Corpus, or pass bleuet.with_sources(references, sources) as references"
            )
        if self.needs_references and not given:
            raise InputError(
                f"the model {short_name(self.model)} reads references, but a segment has none"
            )
        if len(given) > 1 and self.reads_one_reference and self.reads_references:
            raise InputError(
                f"{self.name} with the model {short_name(self.model)} reads one reference, but a "
                f"segment has {len(given)}: score with it alone against one file of references at "
                "a time, and leave it out where the other metrics take several"
            )

    def _warn_of_cut(self, items: Sequence[Item], system: str = "") -> None:
        """Warn of texts that are longer than the model reads, by what they are."""
        network = self.network
        if not network.cut:
            return
        cut, network.cut = network.cut, set()
        counts = (
            (sum((text,) in cut for text, _, _ in items), "hypothesis", "hypotheses"),
            (
                sum(any((one,) in cut for one in several) for _, several, _ in items),
                "reference",
                "",
            ),
            (sum((source,) in cut for _, _, source in items), "source", ""),
        )
        longer = [plural(count, *words) for count, *words in counts if count]
        what, _, together = network.reads.partition("; ")
        which = ", ".join(longer) or plural(len(cut), together.partition(" ")[0].removesuffix("s"))
        warn_caller(
            f"{short_name(self.model)} reads the first {network.limit} tokens of {what}, and not "
            f"the rest of longer ones: {which} of {plural(len(items), 'segment')}"
            f"{system and f' of {system}'}"
        )

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the measures of the model."""
        for name, value in zip(self.real_columns, row[1:], strict=True):
            steps.count(name, name.replace("_", " "), value)
        steps.count("", self.name, self.formula(row))


class NeuralCounter(RowCounter):
    """Gets the rows of many segments from a model at once.

    Args:
        metric: the metric.
    """

    integers = 1

    def __init__(self, metric: NeuralMetric) -> None:
        super().__init__()
        self._metric = metric
        # Whose hypotheses it counts, for warnings.
        self.system = ""
        self.reals = len(metric.real_columns)

    def read(self, text: str, *, reference: bool) -> str:
        """Return the text as it is."""
        return text

    def count(self, hypothesis: str, references: list[str]) -> Sequence[Number]:
        """Return the row of one segment."""
        return self.rows([hypothesis], [references])[0]

    def rows(self, texts: list[str], references: list[list[str]]) -> list[Sequence[Number]]:
        """Return 1 and the measures of each segment."""
        metric = self._metric
        items = [metric.item(*pair) for pair in zip(texts, references, strict=True)]
        found: list[Sequence[Number]] = [(1, *row) for row in metric.measures(items)]
        metric._warn_of_cut(items, self.system)
        return found

    def _references(self, kind: str, entry: object) -> list[str]:
        # A segment may have a source alone.
        if isinstance(entry, WithSource) and not any(one is not None for one in entry):
            return entry.with_texts(entry.source, [])
        return super()._references(kind, entry)


def forget_models() -> None:
    """Forget the models that no metric uses, so that the next metric loads them again."""
    _LAST.clear()
    _LOADED.clear()


def packed(numbers: Sequence[float]) -> bytes:
    """Return numbers as bytes, as they are kept."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def unpacked(content: bytes) -> tuple[float, ...]:
    """Return the numbers of `packed`."""
    return struct.unpack(f"<{len(content) // 4}f", content)


def check_model_name(value: str) -> str:
    """Return the name or the folder of a model that an option has.

    Raises:
        ValueError: it is empty.
    """
    if not value.strip():
        raise ValueError("must be a folder or the name of a model")
    return value
