"""Scorers inside lm-eval and Inspect, each run by the released package."""

from __future__ import annotations

import json
import re
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from bleuet import OptionError, TableError, make_metric
from bleuet.adapters.items import items_of
from bleuet.significance.interval import standard_deviation
from tests.adapters.texts import HYPOTHESES, REFERENCES, SEVERAL

pytestmark = [pytest.mark.adapters, pytest.mark.libraries, pytest.mark.peers]

BOTH: Any = SEVERAL


def expected(name: str) -> float:
    """The score of all texts with both references of each."""
    return float(make_metric(name).corpus_score(HYPOTHESES, BOTH).score)


def test_rows_of_items() -> None:
    import numpy as np

    items = items_of("bleu")
    rows = [items.row(*pair) for pair in zip(HYPOTHESES, BOTH, strict=True)]
    assert rows == items.rows(HYPOTHESES, BOTH)
    rows = json.loads(json.dumps(rows))
    assert items.score(rows) == expected("bleu")
    assert isnan(items_of("ter").score([]))
    assert isnan(items.standard_error(rows[:1]))
    drawn = np.random.default_rng(1)
    draws = []
    for _ in range(2000):
        chosen = drawn.integers(0, len(rows), len(rows))
        draws.append(items.score([rows[place] for place in chosen]))
    assert items.standard_error(rows, 2000) == pytest.approx(standard_deviation(draws), rel=0.1)
    with pytest.raises(TableError, match="a row of BLEU has 10 numbers"):
        items.score([[1, 2]])
    with pytest.raises(OptionError, match="learns from all references first"):
        items_of("nist")


UTILS = """
from bleuet.adapters.lm_eval import aggregation, process_results, standard_error
process = process_results(
    "bleu", "bleu:lowercase", "chrf", "ter:normalized,no_punct", target="references"
)
bleu, chrf = aggregation("bleu"), aggregation("chrf")
lowercase, ter = aggregation("bleu:lowercase"), aggregation("ter:normalized,no_punct")
bleu_stderr, chrf_stderr = standard_error("bleu"), standard_error("chrf")
lowercase_stderr = standard_error("bleu:lowercase")
ter_stderr = standard_error("ter:normalized,no_punct")
"""
TASK = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{number}}}}"
doc_to_target: "{{{{text}}}}"
generation_kwargs: {{until: ["</s>"]}}
"""
SEVERAL_REFERENCES = """
process_results: !function utils.process
metric_list:
  - {metric: bleu, aggregation: !function utils.bleu, higher_is_better: true}
  - {metric: chrf, aggregation: !function utils.chrf, higher_is_better: true}
  - {metric: bleu:lowercase, aggregation: !function utils.lowercase, higher_is_better: true}
  - metric: bleu:lowercase_stderr
    aggregation: !function utils.lowercase_stderr
    higher_is_better: false
  - metric: ter:normalized;no_punct
    aggregation: !function utils.ter
    higher_is_better: false
  - metric: ter:normalized;no_punct_stderr
    aggregation: !function utils.ter_stderr
    higher_is_better: false
  - {metric: bleu_stderr, aggregation: !function utils.bleu_stderr, higher_is_better: false}
  - {metric: chrf_stderr, aggregation: !function utils.chrf_stderr, higher_is_better: false}
"""
ONE_REFERENCE = """
metric_list:
  - {metric: bleuet_bleu}
  - {metric: bleuet_bleu_stderr}
  - {metric: bleuet_bleu:lowercase}
  - {metric: bleuet_bleu:lowercase_stderr}
  - {metric: bleu, aggregation: bleu, higher_is_better: true}
"""


def test_lm_eval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "cache"))
    import lm_eval
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager
    from lm_eval.utils import make_table

    from bleuet.adapters.lm_eval import register

    data = tmp_path / "data.jsonl"
    rows = [
        {"number": str(place), "text": text, "references": both}
        for place, (text, both) in enumerate(zip(REFERENCES, BOTH, strict=True))
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    (tasks / "utils.py").write_text(UTILS)
    for name, more in (("several", SEVERAL_REFERENCES), ("single", ONE_REFERENCE)):
        (tasks / f"{name}.yaml").write_text(TASK.format(name=name, data=data) + more)

    class Stored(LM):  # type: ignore[misc]
        """A model whose outputs are known."""

        def loglikelihood(self, requests: Any) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: Any) -> Any:
            raise NotImplementedError

        def generate_until(self, requests: Any) -> list[str]:
            return [HYPOTHESES[int(one.args[0])] for one in requests]

    names = ["bleuet_bleu", "bleuet_bleu_stderr"]
    names += ["bleuet_bleu:lowercase", "bleuet_bleu:lowercase_stderr"]
    for _ in range(2):  # as when a cell of a notebook runs again
        assert register("bleu", "bleu:lowercase") == names
    whole = lm_eval.simple_evaluate(
        Stored(),
        tasks=["several", "single"],
        task_manager=TaskManager(include_path=str(tasks), include_defaults=False),
        bootstrap_iters=10,
    )
    found = whole["results"]
    printed = make_table(whole)
    for word in ("bleu", "bleu:lowercase", "chrf", "ter:normalized,no_punct"):
        name = word.replace(",", ";")
        assert found["several"][f"{name},none"] == expected(word)
        assert re.search(rf"\| *{re.escape(name)} *\|.*\|{expected(word):.4f}\|", printed)
    for name in ("bleu", "chrf"):
        rows = items_of(name).rows(HYPOTHESES, BOTH)  # type: ignore[assignment]
        error = items_of(name).standard_error(rows)  # type: ignore[arg-type]
        assert found["several"][f"{name}_stderr,none"] == error > 0
    # With one reference the harness is right, too.
    single = found["single"]
    assert single["bleuet_bleu:lowercase,none"] == pytest.approx(
        make_metric("bleu:lowercase").corpus_score(HYPOTHESES, REFERENCES).score
    )
    assert single["bleuet_bleu,none"] == pytest.approx(single["bleu,none"], abs=1e-9)
    assert single["bleuet_bleu_stderr,none"] > 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("no_running_loop")
def test_inspect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from bleuet.adapters.inspect_ai import bleuet

    def output(text: str) -> Any:
        made = ModelOutput.from_content("stored", text)
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    model = get_model("mockllm/model", custom_outputs=[output(one) for one in HYPOTHESES])
    samples = [Sample(input="x", target=list(both)) for both in BOTH]
    words = ["chrf", "bleu", "bleu:lowercase"]
    (log,) = inspect_ai.eval(
        inspect_ai.Task(dataset=samples, scorer=list(map(bleuet, words))),
        model=model, max_connections=1, max_samples=1, display="none", log_dir=str(tmp_path),
    )  # fmt: skip
    assert log.status == "success"
    assert log.results is not None
    # Each number has the word of its metric as its name.
    for word, one in zip(words, log.results.scores, strict=True):
        assert list(one.metrics) == [word, f"{word}_stderr"]
        assert one.metrics[word].value == pytest.approx(expected(word))
        assert one.metrics[f"{word}_stderr"].value > 0
    # A log has what a score of all samples needs.
    again = inspect_ai.score(log, bleuet("ter"), display="none")
    assert again.results is not None
    found = again.results.scores[-1].metrics["ter"].value
    assert found == pytest.approx(expected("ter"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("no_running_loop")
def test_epochs_of_inspect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All outputs count, not those of the first epoch alone."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from bleuet.adapters.inspect_ai import bleuet

    outputs = []
    for text in HYPOTHESES[:3] * 2:
        outputs.append(ModelOutput.from_content("stored", text))
        outputs[-1].usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    (log,) = inspect_ai.eval(
        inspect_ai.Task(
            dataset=[Sample(input="x", target=REFERENCES[place]) for place in range(2)],
            scorer=bleuet("ter"),
            epochs=3,
        ),
        model=get_model("mockllm/model", custom_outputs=outputs),
        max_connections=1, max_samples=1, display="none", log_dir=str(tmp_path),
    )  # fmt: skip
    assert log.results is not None
    (one,) = log.results.scores
    rows = [sample.scores["bleuet"].metadata["row"] for sample in log.samples]
    assert len(rows) == 6
    assert one.metrics["ter"].value == pytest.approx(items_of("ter").score(rows))
