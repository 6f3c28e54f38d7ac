"""The comparison as a whole: plain values, everything counted once, an error is one sentence."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from bleuet.comparison import Comparison, compare
from bleuet.comparison.analyses import Analyses
from bleuet.comparison.comparison import PARTS
from bleuet.comparison.division import DIVISIONS
from bleuet.comparison.texts import ComparedTexts
from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.evaluation.evaluation import Evaluation
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from bleuet.significance import TestSettings
from tests.backends import HAS_KERNEL, counted_by_python
from tests.corpora.several_systems import Drawn, drawn_systems
from tests.effort import examples

if TYPE_CHECKING:
    from collections.abc import Callable

SYSTEMS = {"a": ["The cat sat.", "It rains."], "b": ["A cat sat.", "It is raining."]}
REFERENCES: list[Any] = ["The cat sat.", ["It is raining.", "Rain falls."]]


@examples(40)
@given(drawn_systems())
def test_it_is_plain_values(test_set: Drawn) -> None:
    found = compare(test_set.systems, test_set.references, ["bleu", "chrf", "ter"]).show("all")
    values = found.to_dict(texts=True)
    assert json.loads(json.dumps(values)) == values
    assert values["segments"] == len(test_set.references)
    for row, line in enumerate(values["texts"]):
        assert line["references"] == test_set.texts_of(row)
        assert line["hypotheses"] == {name: own[row] for name, own in test_set.systems.items()}
    assert "texts" not in found.to_dict()
    tables = found.document().tables
    keys = {table.key for table in tables}
    untested = {"clusters", "differences", "blocks"}
    assert keys == set(PARTS) - untested - ({"sentences", "ngrams"} - keys)
    for table in tables:
        assert all(len(list(row)) == len(table.columns) for row in table.rows)


def test_every_system_is_counted_once_by_each_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[str, int]] = []
    fill = Metric._fill

    def watched(self: Metric[Any], hypotheses: Any, references: Any, threads: int) -> Any:
        counted.append((self.name, len(hypotheses)))
        return fill(self, hypotheses, references, threads)

    monkeypatch.setattr(Metric, "_fill", watched)
    compare(SYSTEMS, REFERENCES, ["bleu", "ter"], labels={"kind": ["x", "y"]})
    assert sorted(counted) == [("BLEU", 2), ("BLEU", 2), ("TER", 2), ("TER", 2)]


# What each part computes of the words and sentences; the corpus scores need none of it.
COMPUTED: dict[str, set[str]] = {
    "scores": set(),
    "differences": set(),
    "clusters": set(),
    "parts": {"score_parts"},
    "blocks": set(),
    "buckets": {"tokens", "breakdowns"},
    "words": {"tokens", "words", "word_counts", "frequencies", "word accuracy"},
    "sentences": {"sentence_scores"},
    "ngrams": {"tokens", "words", "ngram_groups"},
    "histogram": {"sentence_scores", "histograms"},
    "surface": {"tokens", "surface"},
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("as_data", [False, True])
@pytest.mark.filterwarnings("ignore::bleuet.significance.FewSegmentsWarning")
def test_only_the_parts_that_are_shown_are_computed(part: str, as_data: bool) -> None:
    found = compare(SYSTEMS, REFERENCES).tested(TestSettings(draws=20)).with_blocks(2).show(part)
    assert computed_by(found) == set()
    values = found.to_dict() if as_data else found.document()
    assert computed_by(found) == COMPUTED[part] | ({"problems"} if as_data else set())
    if isinstance(values, dict) and part != "differences":
        assert set(values) & set(PARTS) == {part}


def computed_by(found: Comparison) -> set[str]:
    """What was computed so far, except for corpus scores and the names of pairs."""
    # Both have words: the texts tokens, the analyses their accuracy.
    names = {"word accuracy" if name == "words" else name for name in vars(found.analyses)}
    fields = {name for kind in (Evaluation, ComparedTexts, Analyses) for name in kind._arguments}
    always = {"scores", "compared", "scored_segments", "sentence_metrics", "extra_digits", "pairs"}
    always |= {"references", "sources"}
    return {*vars(found.evaluation), *vars(found.texts), *names} - fields - always


@pytest.mark.filterwarnings("ignore::bleuet.significance.FewSegmentsWarning")
def test_what_is_computed_is_shared_by_all_forms_of_a_comparison() -> None:
    found = compare(SYSTEMS, REFERENCES).show("all")
    breakdowns = found.breakdowns
    other = found.tested(TestSettings(draws=20)).with_blocks(2).show("buckets")
    assert other.breakdowns is breakdowns
    assert other.parts == ("buckets",)


def test_kernel_and_python_backend_agree() -> None:
    if not HAS_KERNEL:
        pytest.skip("the native kernel was not built")

    def values() -> dict[str, Any]:
        found = compare(SYSTEMS, REFERENCES, ["bleu", "chrf", "ter"], by=list(DIVISIONS))
        return found.show("all").to_dict(texts=True)

    kernel = values()
    with counted_by_python():
        assert values() == kernel


def test_its_names_and_settings() -> None:
    metrics: list[Any] = [BLEU(), BLEU(lowercase=True), "chrf++"]
    found = compare(SYSTEMS, REFERENCES, metrics, threads=2)
    assert found.metrics == ("BLEU (1)", "BLEU (2)", "chrF2++")
    assert found.systems == ("a", "b")
    assert repr(found) == "<Comparison of a, b on 2 segments by BLEU (1), BLEU (2), chrF2++>"
    assert repr(found.evaluation).startswith("<Evaluation of a, b on 2 segments by BLEU, BLEU, ")
    assert [score.score for score in found.scores[1]] == [
        metric.corpus_score(SYSTEMS["b"], REFERENCES).score
        for metric in (BLEU(), BLEU(lowercase=True), CHRF(word_order=2))
    ]
    first = found.to_dict()["metrics"][0]
    assert "eff:no" in first["signature"]
    assert "eff:yes" in first["sentence_signature"]
    assert first["signature"].startswith("nrefs:var|")


@pytest.mark.parametrize(
    ("make", "tokenize", "expected"),
    [
        (lambda: ["bleu"], None, "13a"),
        (lambda: ["chrf", "ter"], None, "13a"),
        (lambda: [CHRF(), BLEU(tokenize="char")], None, "char"),
        (lambda: [BLEU(tokenize="char")], "intl", "intl"),
    ],
)
def test_words_are_those_of_a_tokenizer(
    make: Callable[[], list[Any]], tokenize: str | None, expected: str
) -> None:
    found = compare(SYSTEMS, REFERENCES, make(), tokenize=tokenize)
    assert found.texts.tokens.tokenizer == expected
    assert found.to_dict()["tokenizer"] == expected
    length = 10 if expected == "char" else 4
    assert len(found.texts.tokens.hypotheses[0][0]) == length


def test_it_cannot_be_changed_and_travels() -> None:
    found = compare(SYSTEMS, REFERENCES).show("all")
    with pytest.raises(AttributeError):
        found.scores = ()  # type: ignore[misc]
    again: Comparison = pickle.loads(pickle.dumps(found))
    assert again.to_dict(texts=True) == found.to_dict(texts=True)


def test_what_moves_a_difference_is_that_of_its_two_systems() -> None:
    systems = {**SYSTEMS, "c": ["The cat sat down.", "Rain."], "d": ["Cats.", "It rains today."]}
    found = compare(systems, REFERENCES, ["chrf", "bleu:max_ngram_order=2"], all_pairs=True, by=[])
    names = list(systems)
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    assert found.score_parts
    for part in found.score_parts:
        place = found.metrics.index(part.metric)
        scores = dict(zip(names, (own[place].score for own in found.scores), strict=True))
        made = dict(zip(names, part.systems, strict=True))
        assert [(one.left, one.right) for one in part.differences] == pairs
        for one in part.differences:
            assert one.difference == scores[one.left] - scores[one.right]
            assert sum(moved.points for moved in one.parts) == pytest.approx(one.difference)
            for moved in one.parts:
                for name, value in ((one.left, moved.left), (one.right, moved.right)):
                    factors = {factor.name: factor.value for factor in made[name].factors}
                    assert value == factors[moved.name]


def test_pairs() -> None:
    systems = {name: ["x"] for name in "abcd"}
    assert len(compare(systems, ["x"], all_pairs=True).pairs) == 6
    pairs = compare(systems, ["x"]).pairs
    assert [(pair.left, pair.right) for pair in pairs] == [("a", "b"), ("a", "c"), ("a", "d")]
    assert compare({"a": ["x"]}, ["x"]).pairs == ()


@pytest.mark.parametrize(
    ("systems", "references", "options", "error", "message"),
    [
        (["x"], ["x"], {}, InputTypeError, "must be a dictionary from names"),
        ({}, ["x"], {}, InputError, "there is no system"),
        ({1: ["x"]}, ["x"], {}, InputTypeError, "a key of hypotheses must be a text, not 1"),
        ({"a": "x"}, ["x"], {}, InputTypeError, "^system a: "),
        ({"a": ["x"], "b": ["x", "y"]}, ["x"], {}, InputError, "^system b: 2 hypotheses but 1"),
        ({"a": ["x"]}, ["x"], {"metrics": []}, OptionError, "there is no metric; name"),
        ({"a": ["x"]}, ["x"], {"metrics": ["bleu", "BLEU"]}, OptionError, "named twice"),
        ({"a": ["x"]}, ["x"], {"metrics": ["comet:model=./no"]}, InputError, "no folder './no'"),
        ({"a": ["x"]}, ["x"], {"tokenize": "13b"}, OptionError, "no tokenizer '13b'"),
        ({"a": ["x"]}, ["x"], {"by": ["size"]}, OptionError, "cannot be divided by 'size'"),
        ({"a": ["x"]}, ["x"], {"by": ["length", "length=3"]}, InputError, "by length twice"),
        ({"a": ["x"]}, ["x"], {"examples": -1}, OptionError, "examples must be 0 or more"),
        ({"a": ["x"]}, ["x"], {"examples": 0.5}, OptionError, "examples must be a whole number"),
        ({"a": ["x"]}, ["x"], {"examples": True}, OptionError, "examples must be a whole number"),
        ({"a": ["x"]}, ["x"], {"threads": -1}, OptionError, "threads"),
    ],
)  # fmt: skip
def test_an_error_is_one_sentence(
    systems: Any, references: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        compare(systems, references, **options)


def test_a_metric_of_token_ids_is_refused() -> None:
    metric = BLEU(tokenize="ids")
    with pytest.raises(OptionError, match="token ids"):
        compare({"a": ["x"]}, ["x"], metric)
