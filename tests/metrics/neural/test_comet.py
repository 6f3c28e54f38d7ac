"""COMET's scores and error spans are those of unbabel-comet, of every kind of model."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, InputError, OptionError, with_sources
from tests.metrics.neural.conftest import SPECIAL, TRIPLES, golden, rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.neural

COMET_GOLDENS, SENTINEL_GOLDENS = golden("comet"), golden("sentinel")
# What float32 leaves open.
CLOSE = 1e-5


def comet(folder: Path, **options: Any) -> Any:
    from bleuet.metrics.neural.comet.metric import COMET

    return COMET(model=str(folder), **options)


def scores(found: list[tuple[Any, ...]]) -> list[float]:
    assert {row[0] for row in found} == {1}
    return [row[1] for row in found]


@pytest.mark.parametrize("name", COMET_GOLDENS)
def test_scores_are_those_of_the_original(name: str, folder_of: Callable[[str], Path]) -> None:
    metric = comet(folder_of(name))
    expected = COMET_GOLDENS[name]
    compared = 0
    for way, triples in (("", TRIPLES), ("special ", SPECIAL)):
        for kind in ("scores", "without references"):
            own = expected.get(kind)
            if own is None or f"{way}segments" not in own:
                continue
            found = scores(rows(metric, triples, references=kind == "scores"))
            assert found == pytest.approx(own[f"{way}segments"], abs=CLOSE)
            assert sum(found) / len(found) == pytest.approx(own[f"{way}system"], abs=CLOSE)
            compared += len(found)
    assert compared >= len(TRIPLES)
    assert len({round(score, 3) for score in scores(rows(metric, TRIPLES))}) > 20


@pytest.mark.parametrize("name", SENTINEL_GOLDENS)
def test_sentinels_read_one_text(name: str, folder_of: Callable[[str], Path]) -> None:
    metric = comet(folder_of(name))
    for way, triples in (("", TRIPLES), ("special ", SPECIAL)):
        expected = SENTINEL_GOLDENS[name][f"{way}segments"]
        assert scores(rows(metric, triples)) == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize(
    "name", [n for n, own in COMET_GOLDENS.items() if "spans" in own["scores"]]
)
def test_error_spans_are_those_of_the_original(name: str, folder_of: Callable[[str], Path]) -> None:
    metric = comet(folder_of(name))
    compared = 0
    for way, triples in (("", TRIPLES), ("special ", SPECIAL)):
        for kind in ("scores", "without references"):
            own = COMET_GOLDENS[name][kind].get(f"{way}spans")
            if own is None:
                continue
            given = [one.reference for one in triples] if kind == "scores" else None
            references = with_sources(given, [one.source for one in triples])
            for triple, against, spans in zip(triples, references, own, strict=True):
                found = metric.error_spans(triple.hypothesis, against)
                # The original looks for the words of a text with padding in the text without it.
                first = int("<pad>" in triple.hypothesis and name == "xcomet-rembert")
                assert [[one.text, one.start, one.end, one.severity][first:] for one in found] == [
                    span[first:4] for span in spans
                ]
                assert [one.confidence for one in found] == pytest.approx(
                    [span[4] for span in spans], abs=CLOSE
                )
                compared += len(found)
    assert compared > 20


@pytest.mark.parametrize("name", ["regression-sparsemax", "xcomet", "bert", "bleurt-20"])
def test_scores_depend_on_no_other_segment(name: str, folder_of: Callable[[str], Path]) -> None:
    """Neither on their order nor on the batch; and texts are computed once."""
    from bleuet.metrics.neural.bertscore import BERTScore
    from bleuet.metrics.neural.bleurt import BLEURT
    from bleuet.metrics.neural.comet.metric import COMET
    from bleuet.metrics.neural.metric import forget_models

    kinds: dict[str, Any] = {"bert": partial(BERTScore, layer=2), "bleurt-20": BLEURT}
    options: dict[str, Any] = {"model": str(folder_of(name)), "cache": False}
    made = kinds.get(name, COMET)
    metric = made(**options)
    whole = rows(metric, TRIPLES)
    shuffled = list(range(len(TRIPLES)))
    random.Random(3).shuffle(shuffled)
    forget_models()
    mixed = rows(made(**options), [TRIPLES[place] for place in shuffled])
    assert mixed == [pytest.approx(whole[place], abs=CLOSE) for place in shuffled]
    forget_models()
    alone = [rows(made(**options), [one])[0] for one in TRIPLES[:8]]
    assert alone == [pytest.approx(row, abs=CLOSE) for row in whole[:8]]


def test_each_text_is_encoded_once(
    folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two systems: their hypotheses, and the sources and references of both once."""
    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.neural import encoder

    encoded: list[int] = []
    encode = encoder.encode

    def counting(models: Any, inputs: Any, *others: Any) -> None:
        encoded.append(len(inputs))
        encode(models, inputs, *others)

    monkeypatch.setattr("bleuet.metrics.neural.comet.metric.encode", counting)
    hypotheses = [one.hypothesis for one in TRIPLES]
    systems = {"a": hypotheses, "b": [f"{text} again" for text in hypotheses]}
    references = [one.reference for one in TRIPLES]
    sources = [one.source for one in TRIPLES]
    metric = comet(folder_of("regression-sparsemax"), cache=False)
    Evaluation.count([metric], systems, with_sources(references, sources))
    assert sum(encoded) == len({*references, *sources, *systems["a"], *systems["b"]})


def test_types_of_numbers(folder_of: Callable[[str], Path]) -> None:
    exact = scores(rows(comet(folder_of("regression-sparsemax")), TRIPLES))
    for dtype, limit in (("bfloat16", 0.3), ("int8", 0.5)):
        metric = comet(folder_of("regression-sparsemax"), dtype=dtype)
        found = scores(rows(metric, TRIPLES))
        assert 0 < max(abs(a - b) for a, b in zip(exact, found, strict=True)) < limit
        assert f"|dtype:{dtype}|" in str(metric.signature())


def test_several_devices_share_the_work(folder_of: Callable[[str], Path]) -> None:
    one = comet(folder_of("kiwi"), device="cpu", cache=False)
    two = comet(folder_of("kiwi"), device="cpu+cpu", cache=False)
    assert len(two.network._network.encoders) == 2
    assert rows(two, TRIPLES) == [pytest.approx(row, abs=CLOSE) for row in rows(one, TRIPLES)]
    with pytest.raises(OptionError, match="is cuda:0, but int8 runs on processors only"):
        rows(comet(folder_of("kiwi"), device="cuda:0", dtype="int8"), TRIPLES)
    with pytest.raises(OptionError, match="names a device that cannot be used"):
        rows(comet(folder_of("kiwi"), device="cuda:77"), TRIPLES)


def test_a_model_says_what_is_missing(folder_of: Callable[[str], Path]) -> None:
    texts = ["a"], ["b"]
    with pytest.raises(InputError, match="reads sources, but the texts came without them: add"):
        comet(folder_of("kiwi")).corpus_score(*texts)
    with pytest.raises(InputError, match="sources alone: add the references"):
        comet(folder_of("regression-sparsemax")).corpus_score(["a"], with_sources(None, ["s"]))
    several = with_sources([["a", "b"]], ["s"])
    with pytest.raises(InputError, match=r"COMET with the model \S+ reads one reference, but a"):
        comet(folder_of("regression-sparsemax")).corpus_score(["a"], several)
    # One that reads either needs one of them.
    either = comet(folder_of("unite"))
    assert either.corpus_score(*texts).score != either.corpus_score(
        ["a"], with_sources(["b"], ["s"])
    )
    alone = with_sources(None, ["s"])
    with pytest.raises(InputError, match="sources alone: add the references"):
        BLEU().corpus_score(["a"], alone)
    # One segment, or segments in a list, are taken like all of them.
    with pytest.raises(InputError, match="sources alone: add the references"):
        BLEU().sentence_score("a", alone[0])
    kiwi = comet(folder_of("kiwi"))
    expected = pytest.approx(kiwi.corpus_score(["a"], alone).score, abs=CLOSE)
    assert kiwi.sentence_score("a", alone[0]).score == expected
    assert kiwi.corpus_score(["a"], alone.tolist()).score == expected
    with pytest.raises(InputError, match=r"references\[1\] has no reference"):
        kiwi.corpus_score(["a", "b"], [["b"], alone[0]])


def test_a_signature_names_the_weights(folder_of: Callable[[str], Path]) -> None:
    from bleuet.metrics.catalogue import metric_from_signature

    folder = folder_of("kiwi")
    metric = comet(folder)
    signature = metric.signature(0)
    pairs = dict(pair.split(":") for pair in str(signature).split("|"))
    assert (pairs["nrefs"], pairs["comet"], pairs["mix"]) == ("0", "kiwi", "softmax")
    assert comet(folder, weights=pairs["weights"]).network.weights == pairs["weights"]
    with pytest.raises(OptionError, match="another version of the model"):
        rows(comet(folder, weights="0123456789ab"), TRIPLES)
    again = metric_from_signature(signature.full())
    # It needs no model to say what it was.
    assert again.signature(0) == signature
    with pytest.raises(InputError, match="there is no model 'kiwi'"):
        again.corpus_score(["a"], with_sources(None, ["s"]))


def test_cut_texts_are_counted_each_time(folder_of: Callable[[str], Path]) -> None:
    from bleuet.errors import BleuetWarning
    from bleuet.metrics.neural.metric import forget_models

    for _ in range(2):
        forget_models()
        with pytest.warns(BleuetWarning, match="of longer ones: .* of [0-9]* segments$"):
            rows(comet(folder_of("regression-sparsemax")), TRIPLES)


def test_cut_texts_are_named_by_what_they_are(folder_of: Callable[[str], Path]) -> None:
    from bleuet.errors import BleuetWarning

    long = "dog sleeps " * 5_000
    first, second, third = TRIPLES[:3]
    some = [first._replace(source=long), second._replace(hypothesis=long, source=long), third]
    metric = comet(folder_of("regression-sparsemax"), cache=False)
    said = (
        f"reads the first {metric.network.limit} tokens of each text, and not the rest of longer "
        "ones: 1 hypothesis, 2 sources of 3 segments$"
    )
    with pytest.warns(BleuetWarning, match=said):
        rows(metric, some)


def test_a_text_of_many_tokens(folder_of: Callable[[str], Path]) -> None:
    long = "dog sleeps " * 50_000
    for name in ("regression-sparsemax", "xcomet"):
        metric = comet(folder_of(name))
        (long_row, short_row) = rows(
            metric,
            [
                TRIPLES[0]._replace(hypothesis=long, source=long, reference=long),
                TRIPLES[0]._replace(
                    hypothesis=long[:1100], source=long[:1100], reference=long[:1100]
                ),
            ],
        )
        assert long_row == pytest.approx(short_row, abs=CLOSE)


def test_a_pickled_metric_loads_its_model_again(folder_of: Callable[[str], Path]) -> None:
    import pickle

    metric = comet(folder_of("kiwi"))
    rows(metric, TRIPLES[:1])
    content = pickle.dumps(metric)
    assert len(content) < 2000
    assert pickle.loads(content) == metric
