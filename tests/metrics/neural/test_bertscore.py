"""BERTScore's precision, recall and F1 are those of bert-score, with every option."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import InputError, OptionError
from bleuet.errors import BleuetWarning
from bleuet.metrics.neural.metric import forget_models
from tests.metrics.neural.conftest import SPECIAL, TRIPLES, golden
from tests.metrics.neural.texts import references

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.neural

GOLDENS = golden("bertscore")
PARTS = {"P": "precision", "R": "recall", "F": "f1"}
CLOSE = 1e-5
HYPOTHESES = [one.hypothesis for one in TRIPLES]
SINGLE = [one.reference for one in TRIPLES]


def bertscore(folder: Path, **options: Any) -> Any:
    from bleuet.metrics.neural.bertscore import BERTScore

    return BERTScore(model=str(folder), **options)


def baseline(folder: Path) -> str:
    from tests.metrics.neural.checkpoints import write_baseline

    file = folder.with_suffix(".tsv")
    write_baseline(file, 5)
    return str(file)


WAYS: dict[str, tuple[list[str], Any, dict[str, Any]]] = {
    "plain": (HYPOTHESES, SINGLE, {}),
    "idf": (HYPOTHESES, SINGLE, {"idf": True}),
    "references": (HYPOTHESES, references(), {}),
    "references idf": (HYPOTHESES, references(), {"idf": True}),
    "rescaled": (HYPOTHESES, SINGLE, {"baseline": ""}),
    "references rescaled": (HYPOTHESES, references(), {"baseline": ""}),
    "layer 1": (HYPOTHESES[:12], SINGLE[:12], {"layer": 1}),
    "layer 0": (HYPOTHESES[:12], SINGLE[:12], {"layer": 0}),
    "idf of nothing": (["the", "the dog"], ["the dog", "the cat"], {"idf": True}),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", GOLDENS)
def test_scores_are_those_of_the_original(
    name: str, way: str, folder_of: Callable[[str], Path]
) -> None:
    hypotheses, against, options = WAYS[way]
    folder, expected = folder_of(name), GOLDENS[name][way]
    if "baseline" in options:
        options = {"baseline": baseline(folder)}
    metric = bertscore(folder, **{"layer": GOLDENS[name]["layers"], **options})
    table = metric.count(hypotheses, against)
    for key, column in PARTS.items():
        # The original has no number where no token of a text weighs anything: here it is 0.
        wanted = [0.0 if one is None else one for one in expected[key]]
        assert list(table.column(column)) == pytest.approx(wanted, abs=CLOSE)
    for key, column in PARTS.items():
        score = metric.with_options(variant=column).score(table.totals()).score
        present = [0.0 if one is None else one for one in expected[key]]
        assert score == pytest.approx(sum(present) / len(present), abs=CLOSE)


@pytest.mark.parametrize("name", GOLDENS)
def test_special_texts(name: str, folder_of: Callable[[str], Path]) -> None:
    metric = bertscore(folder_of(name), layer=GOLDENS[name]["layers"])
    for triple, expected in zip(SPECIAL, GOLDENS[name]["special"], strict=True):
        table = metric.count([triple.hypothesis], [triple.reference])
        found = [table.column(column)[0] for column in PARTS.values()]
        assert found == pytest.approx(expected, abs=CLOSE)
        assert not any(map(isnan, found))


@pytest.mark.parametrize("name", GOLDENS)
@pytest.mark.parametrize("way", ["all layers", "all layers rescaled"])
def test_all_layers(name: str, way: str, folder_of: Callable[[str], Path]) -> None:
    expected = GOLDENS[name][way]
    options = {"baseline": baseline(folder_of(name))} if "rescaled" in way else {}
    metric = bertscore(folder_of(name), layer=1, **options)
    pairs = list(zip(HYPOTHESES, SINGLE, strict=True))[: len(expected["P"][0])]
    for place, pair in enumerate(pairs):
        found = metric.layer_scores(*pair)
        assert len(found) == len(expected["P"])
        for layer, row in enumerate(found):
            wanted = [expected[key][layer][place] for key in PARTS]
            assert row == pytest.approx(wanted, abs=CLOSE)


def test_idf_is_learned_from_the_whole_test_set(folder_of: Callable[[str], Path]) -> None:
    from bleuet import Corpus

    metric = bertscore(folder_of("bert"), layer=2, idf=True)
    whole = metric.count(HYPOTHESES, SINGLE)
    taught = metric.prepare(Corpus(HYPOTHESES, SINGLE))
    half = len(HYPOTHESES) // 2
    parts = [taught.count(HYPOTHESES[own], SINGLE[own]) for own in (slice(half), slice(half, None))]
    found = [*parts[0].column("f1"), *parts[1].column("f1")]
    assert found == pytest.approx(list(whole.column("f1")), abs=1e-12)


def test_references_are_encoded_once_for_all_systems(
    folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bleuet.metrics.neural.encoder import encode

    module = "bleuet.metrics.neural.bertscore"
    metric = bertscore(folder_of(next(iter(GOLDENS))), layer=2, cache=False)
    encoded: list[int] = []

    def counting(models: Any, inputs: Any, *more: Any, **named: Any) -> None:
        encoded.append(len(inputs))
        encode(models, inputs, *more, **named)

    monkeypatch.setattr(f"{module}.encode", counting)
    references = [f"the dog {number}" for number in range(9)]
    systems = [[f"{word} cat {number}" for number in range(9)] for word in ("a", "one", "no")]
    scores = [metric.corpus_score(texts, references).score for texts in systems]
    assert encoded == [18, 9, 9]
    # What was kept changes no score, and is forgotten where it takes too much memory.
    monkeypatch.setattr(f"{module}.MOST_IN_MEMORY", 0)
    again = bertscore(folder_of(next(iter(GOLDENS))), layer=2, cache=False, variant="f1")
    again.network._references.clear()
    again.network._remembered = type(again.network._remembered)("none", on_disk=False)
    assert [again.corpus_score(texts, references).score for texts in systems] == scores
    assert encoded[3:] == [18, 18, 18]


def test_pairs_are_compared_in_parts(
    folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each score is that of its pair, and of each part the texts that are cut are named."""
    long = "the dog sleeps " * 200
    hypotheses = [*HYPOTHESES[:5], long, *HYPOTHESES[5:8]]
    against = [*SINGLE[:7], f"a {long}", SINGLE[8]]
    expected: list[Any] = []
    for pairs in (256, 3, 1):
        monkeypatch.setattr("bleuet.metrics.neural.bertscore.PAIRS", pairs)
        forget_models()
        metric = bertscore(folder_of("bert"), layer=2, cache=False)
        with pytest.warns(BleuetWarning, match=": 2 pairs of 9 segments$"):
            table = metric.count(hypotheses, against)
        found = [list(table.column(column)) for column in PARTS.values()]
        expected = expected or found
        for one, other in zip(found, expected, strict=True):
            assert one == pytest.approx(other, abs=CLOSE)


def test_misuses(folder_of: Callable[[str], Path], tmp_path: Path) -> None:
    texts = ["a"], ["b"]
    with pytest.raises(OptionError, match="layer must be set for the model"):
        bertscore(folder_of("bert")).corpus_score(*texts)
    with pytest.raises(OptionError, match="layer must be at most 4"):
        bertscore(folder_of("bert"), layer=9).corpus_score(*texts)
    with pytest.raises(InputError, match="there is no baseline"):
        bertscore(folder_of("bert"), layer=1, baseline=str(tmp_path / "no")).corpus_score(*texts)
    file = tmp_path / "other.tsv"
    file.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="has no baselines; expected lines with LAYER,P,R,F"):
        bertscore(folder_of("bert"), layer=1, baseline=str(file)).corpus_score(*texts)
    file.write_text("LAYER,P,R,F\n0,.1,.1,.1\n")
    with pytest.raises(OptionError, match="has 1 layers, but the layer is 1"):
        bertscore(folder_of("bert"), layer=1, baseline=str(file)).corpus_score(*texts)


def test_default_layers_are_those_of_bert_score() -> None:
    from bleuet.metrics.neural.bertscore import LAYERS

    layers = golden("bertscore-layers", "layers")
    theirs = {name.rpartition("/")[2]: layer for name, layer in layers.items()}
    assert {name: theirs.get(name) for name in LAYERS} == LAYERS


@pytest.mark.parametrize("model", ["bert-base-cased", "bert-large-cased", "nobody/roberta-large"])
def test_a_model_without_a_default_layer(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for before the model is fetched."""
    from bleuet.metrics.neural.bertscore import BERTScore

    monkeypatch.setattr("bleuet.metrics.neural.bertscore.model_folder", None)
    with pytest.raises(OptionError, match=f"must be set for the model {model}, .* layer=9, for"):
        BERTScore(model=model).corpus_score(["a"], ["b"])


def test_options_are_checked_before_the_model_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    from bleuet.metrics.neural.bertscore import BERTScore

    monkeypatch.setattr("bleuet.metrics.neural.bertscore.model_folder", None)
    with pytest.raises(InputError, match=r"there is no baseline none\.tsv"):
        BERTScore(baseline="none.tsv").corpus_score(["a"], ["b"])
    with pytest.raises(OptionError, match="names a device that cannot be used"):
        BERTScore(device="cuda:99").corpus_score(["a"], ["b"])
