"""What neural metrics share, with a model that counts letters and needs no library."""

from __future__ import annotations

import random
import re
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import OptionError, with_sources
from bleuet.errors import BleuetWarning
from bleuet.evaluation.evaluation import Evaluation
from bleuet.metrics.base.option import option
from bleuet.metrics.neural.bertscore import BERTScore
from bleuet.metrics.neural.bleurt import BLEURT
from bleuet.metrics.neural.checkpoints import hash_of
from bleuet.metrics.neural.comet.metric import COMET
from bleuet.metrics.neural.encoder import in_batches
from bleuet.metrics.neural.files_read import FilesRead
from bleuet.metrics.neural.metric import (
    NeuralMetric,
    NeuralModel,
    forget_models,
    packed,
    unpacked,
)
from bleuet.metrics.neural.metricx import MetricX
from bleuet.text.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.metrics.neural.metric import Item, Keep

REFERENCES = ["a cat", "two cats sleep here"]
SOURCES = ["un chat", "deux chats dorment ici"]
REFERENCES_AND_SOURCES = with_sources(REFERENCES, SOURCES)
SYSTEMS = {
    "first": ["the cat", "two cats sleep in here"],
    "second": ["one cat", "cats"],
    "third": ["the cat", "all of these cats sleep"],
}


class LettersModel(NeuralModel):
    """Counts the letters of the first words of each text, as many words as its limit."""

    reads = "each text; texts"

    def __init__(self, weights: str, limit: int, factor: int, **known: Any) -> None:
        super().__init__(weights, limit, str(factor), **known)
        self._factor = factor
        self.counted: list[str] = []

    def rows(self, items: Sequence[Item]) -> list[tuple[float, ...]]:
        return [
            tuple(self._letters([text])[0] for text in (hypothesis, references[0], source or ""))
            for hypothesis, references, source in items
        ]

    def _letters(self, texts: Sequence[str], what: str = "") -> list[float]:
        several = [(text,) for text in texts]
        return [unpacked(one)[0] for one in self.computed(several, self._count, what)]

    def _count(self, missing: Sequence[tuple[str | None, ...]], keep: Keep) -> None:
        texts = [text or "" for (text,) in missing]
        self.counted += texts
        cut = {place for place, text in enumerate(texts) if len(text.split()) > self.limit}
        keep(cut, range(len(texts)), [packed([letters(text, self)]) for text in texts])


def letters(text: str, model: LettersModel) -> int:
    return model._factor * len("".join(text.split()[: model.limit]))


class Letters(NeuralMetric):
    """The letters that a model reads of hypothesis, reference and source."""

    model: str = option(default="letters", help="a folder", key="letters", before="weights")
    words: int = option(default=4, help="words that it reads", key="words")
    factor: int = option(default=1, help="what a letter counts", key="factor")
    real_columns = ("hypothesis", "reference", "source")
    reads_sources = True
    definition = "letters"
    source = "none"

    def load(self) -> LettersModel:
        files = FilesRead()
        folder = files.add(Path(self.model))
        weights = hash_of([folder / "weights.txt"])
        return LettersModel(weights, self.words, self.factor, files=files, on_disk=self.cache)

    if TYPE_CHECKING:

        @property
        def network(self) -> LettersModel: ...


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> partial[Letters]:
    """The metric, with a folder and without the libraries of real models."""
    monkeypatch.setattr("bleuet.metrics.neural.metric.optional", lambda *_: None)
    folder = tmp_path / "letters"
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "weights.txt").write_text("1", encoding="utf-8")
    (folder / "config.json").write_text("{}", encoding="utf-8")
    return partial(Letters, model=str(folder))


def read_of(text: str, words: int = 4) -> int:
    """The letters of the first words of a text."""
    return sum(map(len, text.split()[:words]))


def counted(metric: Letters, texts: list[str]) -> list[list[float]]:
    table = metric.count(texts, REFERENCES_AND_SOURCES)
    return [[float(one) for one in table.column(name)] for name in metric.real_columns]


def warned(metric: Letters, hypotheses: Any) -> list[str]:
    """What a count says of texts that are cut, from the first count on."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric.count(hypotheses, REFERENCES_AND_SOURCES)
    return [re.sub(".*longer ones: ", "", str(one.message)) for one in caught]


@pytest.mark.parametrize("again", ["in memory", "on disk"])
def test_metrics_that_differ_in_an_option_share_no_result(
    again: str, made: partial[Letters]
) -> None:
    """They have the same weights, so that what they keep is in the same file."""
    metrics = [made(words=words, factor=factor) for words, factor in ((2, 1), (3, 1), (2, 5))]
    for _ in range(2):
        for metric in metrics:
            for texts in SYSTEMS.values():
                own = metric.factor, metric.words
                with pytest.warns(BleuetWarning):
                    found = counted(metric, texts)
                assert found == [
                    [own[0] * read_of(text, own[1]) for text in column]
                    for column in (texts, REFERENCES, SOURCES)
                ]
        if again == "on disk":
            forget_models()
            metrics = [metric.with_options(cache=True) for metric in metrics]
    distinct = {text for texts in (*SYSTEMS.values(), REFERENCES, SOURCES) for text in texts}
    for metric in metrics:
        # Each text was counted once, by this model or by an earlier one.
        assert sorted(metric.network.counted) == (sorted(distinct) if again == "in memory" else [])


def test_results_of_several_kinds_are_kept_apart(made: partial[Letters]) -> None:
    model = made().network
    asked: list[tuple[str, str]] = []

    def compute(what: str, value: bytes) -> Any:
        def run(missing: Sequence[tuple[str | None, ...]], keep: Keep) -> None:
            asked.extend((what, text or "") for (text,) in missing)
            keep(set(), range(len(missing)), [value] * len(missing))

        return run

    texts = [("a",), ("b",), ("a",)]
    for _ in range(2):
        assert model.computed(texts, compute("one", b"1"), "one") == [b"1"] * 3
        assert model.computed(texts, compute("other", b"2"), "other") == [b"2"] * 3
    assert asked == [("one", "a"), ("one", "b"), ("other", "a"), ("other", "b")]
    assert model.computed([("b",), ("c",)], compute("one", b"3"), "one") == [b"1", b"3"]


def test_a_text_that_was_cut_is_named_in_every_run(made: partial[Letters]) -> None:
    """And by every system that has it; no text that was not cut."""
    said = {
        "first": ["1 hypothesis of 2 segments of first"],
        "second": [],
        "third": ["1 hypothesis of 2 segments of third"],
    }
    for _ in range(3):
        metric = made()
        for name, texts in SYSTEMS.items():
            hypotheses = Segments.hypotheses(texts).of_system(name)
            assert warned(metric, hypotheses) == said[name], name
            # Without a name, none is in the warning.
            unnamed = [one.removesuffix(f" of {name}") for one in said[name]]
            assert warned(metric, texts) == unnamed
            # A sentence is of no system, also behind those of a system.
            metric.count(Segments.hypotheses(["a", "b"]).of_system(name), REFERENCES_AND_SOURCES)
            with pytest.warns(BleuetWarning, match=": 1 hypothesis of 1 segment$"):
                metric.sentence_score("a b c d e", REFERENCES_AND_SOURCES[0])
        forget_models()
        del metric


def test_an_evaluation_counts_each_text_once(made: partial[Letters]) -> None:
    metric = made(words=9, cache=False)
    found = Evaluation.count([metric], SYSTEMS, REFERENCES_AND_SOURCES)
    for name, texts in SYSTEMS.items():
        (table,) = found.tables[name]
        assert list(table.column("hypothesis")) == [read_of(text, 9) for text in texts]
        assert list(table.column("source")) == [read_of(text, 9) for text in SOURCES]
    every = [text for texts in (*SYSTEMS.values(), REFERENCES, SOURCES) for text in texts]
    assert sorted(metric.network.counted) == sorted(set(every))


@pytest.mark.parametrize("file", ["weights.txt", "config.json", "checkpoints/model.ckpt"])
def test_a_model_that_changed_is_loaded_again(file: str, made: partial[Letters]) -> None:
    first = made()
    network = first.network
    assert made().network is network
    changed = Path(first.model, file)
    changed.write_text("another", encoding="utf-8")
    second = made()
    assert second.network is not network
    assert first.network is network
    # What it keeps is that of the new files.
    assert (second.network.weights != network.weights) == (file == "weights.txt")
    assert counted(second, ["a", "b"])[0] == [1, 1]
    assert (second.network._settings != network._settings) == (file != "checkpoints/model.ckpt")


def test_a_signature_has_the_whole_hash_however_many_digits_are_given(
    made: partial[Letters],
) -> None:
    whole = hash_of([Path(made().model, "weights.txt")])
    for given in ("", whole[:4], whole):
        assert f"|weights:{whole}|" in f"{made(weights=given).signature()}|"
    with pytest.raises(OptionError, match="another version of the model"):
        made(weights=f"{whole[:4]}-").signature()
    assert not made(weights=f"{whole[:4]}-").is_loaded
    assert made(weights=whole[:4]).is_loaded


# What decides a score but not which model is loaded.
OF_NO_MODEL: dict[type[Any], set[str]] = {BERTScore: {"idf", "variant", "baseline"}}
OTHER_VALUES = {"layer": 3, "max_tokens": 99, "idf": True, "cache": False, "dtype": "bfloat16"}


@pytest.mark.parametrize("kind", [BERTScore, BLEURT, COMET, MetricX, Letters])
def test_metrics_share_a_model_if_the_options_of_the_model_are_equal(
    kind: type[Any],
) -> None:
    plain = kind()
    assert plain.loaded_by() == kind().loaded_by()
    known = {plain.loaded_by()}
    for one in kind.options:
        choices = [choice for choice in one.choices or () if choice != one.default]
        fallback = 7 if isinstance(one.default, int) else "other"
        value = choices[0] if choices else OTHER_VALUES.get(one.name, fallback)
        key = plain.with_options(**{one.name: value}).loaded_by()
        if one.name in {"weights", *OF_NO_MODEL.get(kind, ())}:
            assert key == plain.loaded_by(), one.name
        else:
            assert key not in known, one.name
            known.add(key)
    assert len(known) > 4


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("most", [1, 9, 10, 64])
def test_batches_are_as_full_as_they_can_be(most: int, same: bool) -> None:
    numbers = random.Random(most)
    for size in (0, 1, 2, 30):
        lengths = [numbers.randrange(1, 12) for _ in range(size)]
        batches = in_batches(lengths, most, without_padding=same)
        order = [number for batch in batches for number in batch]
        assert order == sorted(range(size), key=lambda number: -lengths[number])
        for place, batch in enumerate(batches):
            longest = lengths[batch[0]]
            assert len(batch) == 1 or longest * len(batch) <= most
            assert not same or {lengths[number] for number in batch} == {longest}
            if place + 1 < len(batches):
                # The first text of the next batch does not fit into this one.
                follows = lengths[batches[place + 1][0]]
                assert longest * (len(batch) + 1) > most or (same and follows != longest)
