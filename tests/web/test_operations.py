"""The operations give the library's own numbers, and errors that say how to fix a request."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest

from bleuet import BLEU, CHRF, TER, make_metric
from bleuet.errors import BleuetError, InputError
from bleuet.metrics.catalogue import NAMES
from bleuet.web.calculation import READINGS
from bleuet.web.operations import OPERATIONS, call, call_json
from bleuet.web.request_types import REQUESTS
from bleuet.web.requested_metrics import as_word, described_metrics, requested_metric
from tests.contract.settings import every_metric, settings_of

HYPOTHESES = ["The cat sat down.", "It rains."]
REFERENCES = [["The cat sat up.", "A cat sat."], ["It rained."]]
PARTY = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]


def calculated(hypothesis: str, references: list[str], metric: Any) -> dict[str, Any]:
    request = {"hypothesis": hypothesis, "references": references, "metrics": [metric]}
    found: dict[str, Any] = call("calculate", request)["metrics"][0]
    return found


@pytest.mark.parametrize(
    ("hypothesis", "references", "order", "figure"),
    [
        (
            "the the the the the the the",
            ["The cat is on the mat.", "There is a cat on the mat."],
            1,
            "2/7",
        ),
        (
            "It is a guide to action which ensures that the military always obeys the commands of "
            "the party",
            PARTY,
            1,
            "17/18",
        ),
        (
            "It is a guide to action which ensures that the military always obeys the commands of "
            "the party",
            PARTY,
            2,
            "10/17",
        ),
        (
            "It is to insure the troops forever hearing the activity guidebook that party direct",
            PARTY,
            1,
            "8/14",
        ),
        (
            "It is to insure the troops forever hearing the activity guidebook that party direct",
            PARTY,
            2,
            "1/13",
        ),
    ],
)
def test_the_figures_of_the_paper(
    hypothesis: str, references: list[str], order: int, figure: str
) -> None:
    """Papineni et al. 2002, section 2.1."""
    found = calculated(hypothesis, references, {"name": "bleu", "options": {"lowercase": True}})
    assert found["chart"][order - 1]["text"].startswith(f"{figure} = ")


@every_metric
def test_every_metric_can_be_calculated(name: str) -> None:
    for setting in settings_of(name):
        if setting.token_ids:
            continue
        metric = setting.metric()
        if name == "errant" and "ignored" in setting.options:  # any text, which requests cannot set
            continue
        if metric.reads_sources:
            with pytest.raises(InputError, match="came without sources"):
                calculated(HYPOTHESES[0], REFERENCES[0], as_word(metric))
            continue
        found = calculated(HYPOTHESES[0], REFERENCES[0], as_word(metric, sentences=True))
        score = metric.sentence_score(HYPOTHESES[0], REFERENCES[0]).score
        assert found["score"] == score, str(setting)
        assert found["signature"] == str(metric.signature(2))
        assert requested_metric(found["metric"], sentences=True) == metric, str(setting)
        last = float(found["steps"][-1]["value"])
        assert last == pytest.approx(score, rel=1e-5), str(setting)
        json.dumps(found)


@pytest.mark.parametrize("word", ["bleu", "bleu:max_ngram_order=2,smooth=floor", "bleu:lowercase"])
def test_smoothings_side_by_side_are_the_librarys(word: str) -> None:
    metric: Any = requested_metric(word)
    found = calculated(HYPOTHESES[0], REFERENCES[0], word)["smoothings"]
    assert [one["smooth"] for one in found if one["chosen"]] == [metric.smooth]
    assert len(found) > 20
    for one in found:
        other = metric.with_options(smooth=one["smooth"])
        assert one["score"] == other.sentence_score(HYPOTHESES[0], REFERENCES[0]).score


@pytest.mark.slow
def test_an_answer_is_there_before_the_next_key() -> None:
    """The page shall show a result within 50 ms, most of which the browser needs."""
    request = {"hypothesis": PARTY[0], "references": PARTY, "metrics": ["bleu", "chrf++", "ter"]}
    times = []
    for _ in range(40):  # the least of many, as other programs disturb some
        begin = process_time()
        call("calculate", request)
        times.append(process_time() - begin)
    assert min(times) < 0.025


def test_every_system_is_scored_by_every_metric_as_the_library_does() -> None:
    """By each way to name a metric, in the order of the request."""
    systems = {"a": HYPOTHESES, "b": HYPOTHESES[::-1]}
    named = ["bleu:lowercase", {"name": "chrf++", "options": {"word_order": 1}}, "ter"]
    metrics = [BLEU(lowercase=True), CHRF(word_order=1), TER()]
    request = {"systems": systems, "references": REFERENCES, "metrics": named}
    pairs = [(name, metric) for name in systems for metric in metrics]
    scores = [metric.corpus_score(systems[name], REFERENCES) for name, metric in pairs]
    assert [(one["system"], one["signature"], one["score"]) for one in call("score", request)] == [
        (name, str(score.signature), score.score)
        for (name, _), score in zip(pairs, scores, strict=True)
    ]
    compared = call("compare", request)["scores"]
    assert list(compared) == list(systems)
    assert [[one["signature"], one["score"]] for own in compared.values() for one in own] == [
        [str(score.signature), score.score] for score in scores
    ]
    # BLEU of sentences has the effective order.
    alone = [BLEU(lowercase=True, effective_order=True), *metrics[1:]]
    assert call("sentences", request) == [
        {
            "system": name,
            "name": metric.name,
            "scores": list(metric.sentence_scores(texts, REFERENCES).values),
            "signature": str(metric.signature(None)),
        }
        for name, texts in systems.items()
        for metric in alone
    ]


def test_the_steps_between_two_settings_lead_from_the_first_to_the_second() -> None:
    hypotheses = [text.upper() for text in HYPOTHESES]
    other = {"name": "bleu", "options": {"lowercase": True}}
    found = call(
        "explain", {"hypotheses": hypotheses, "references": REFERENCES, "a": "bleu", "b": other}
    )
    scores = [BLEU(lowercase=lower).corpus_score(hypotheses, REFERENCES) for lower in (False, True)]
    assert scores[0].score < scores[1].score
    assert [found["from"]["score"], found["to"]["score"]] == [one.score for one in scores]
    assert [step["step"] for step in found["steps"]] == ["case"]


def test_forms_have_every_metric_and_no_option_that_names_a_file() -> None:
    described = {one["metric"]: one for one in described_metrics()}
    assert list(described) == list(NAMES)
    for name, form in described.items():
        defaults = {one["option"]: one["default"] for one in form["options"]}
        metric = make_metric(name)
        assert requested_metric({"name": name, "options": {}}) == metric
        for option, value in defaults.items():
            kept = getattr(metric, option)
            assert (list(kept) if isinstance(kept, tuple) else kept) == value
    offered = call("metrics", {})["metrics"]
    assert offered == json.loads(json.dumps(offered))


@pytest.mark.parametrize(
    ("name", "request_", "said"),
    [
        ("scores", {}, "there is no operation 'scores'"),
        ("score", [], "a request must be an object"),
        ("score", {"file": "x"}, "score has no field 'file'"),
        ("score", {"references": ["a"]}, "expected either 'hypotheses'"),
        ("score", {"hypotheses": ["a"], "references": "a"}, "references must be a list"),
        ("score", {"systems": [], "references": ["a"]}, "systems must be an object"),
        ("score", {"systems": {"": ["a"]}, "references": ["a"]}, "the name of a system must be"),
        (
            "score",
            {"systems": {"a": ["a"]}, "hypotheses": ["a"], "references": ["a"]},
            "either 'hypotheses'",
        ),
        ("score", {"hypotheses": ["a"], "references": ["a", "b"]}, "1 hypothes"),
        (
            "sentences",
            {"systems": {"a": ["a", "b"], "b": ["a"]}, "references": ["a", "b"]},
            "1 hypothes",
        ),
        ("calculate", {"hypothesis": 1, "references": ["a"]}, "hypothesis must be a text"),
        ("calculate", {"hypothesis": "a", "references": []}, "references must be a list of at"),
        ("calculate", {"hypothesis": "a", "references": ["a"], "metrics": []}, "metrics must be"),
        (
            "calculate",
            {"hypothesis": "a", "references": ["a"], "metrics": ["ter", "ter"]},
            "occurs twice",
        ),
        (
            "calculate",
            {"hypothesis": "a", "references": ["a"], "metrics": ["bleu:tokenize=spm:/etc/passwd"]},
            "a request cannot name a file",
        ),
        ("calculate", {"hypothesis": "a", "references": ["a"], "metrics": [1]}, "each metric must"),
        (
            "score",
            {"hypotheses": ["a"], "references": ["a"], "metrics": ["xcomet"]},
            "a server does not load for a request",
        ),
        ("explain", {"hypotheses": ["a"], "references": ["a"], "a": "comet", "b": "bleu"}, "COMET"),
        ("explain", {"hypotheses": "a", "references": ["a"]}, "hypotheses must be a list"),
    ],
)
def test_wrong_requests_are_answered_with_what_to_do(name: str, request_: Any, said: str) -> None:
    with pytest.raises(BleuetError, match=r"\w") as caught:
        call(name, request_)
    assert said in str(caught.value)
    assert said in json.loads(call_json(name, json.dumps(request_)))["detail"]


def test_a_score_at_the_limit_of_two_ranges_is_of_the_higher() -> None:
    request = {
        "hypothesis": "a b c d e",
        "references": ["a b x y z"],
        "metrics": ["bleu:max_ngram_order=1"],
    }
    (found,) = call("calculate", request)["metrics"]
    assert found["score"] == 40
    assert (50, found["reading"]["text"]) in READINGS


def test_operations_are_described() -> None:
    for name, operation in OPERATIONS.items():
        assert operation.summary, name


def test_requests_have_the_fields_of_the_functions() -> None:
    assert set(REQUESTS) == set(OPERATIONS) - {"metrics"}
    for name, request in REQUESTS.items():
        assert set(request.model_fields) == set(OPERATIONS[name].fields), name
    assert OPERATIONS["metrics"].fields == ()
