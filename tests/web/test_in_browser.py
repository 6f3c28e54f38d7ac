"""What the static calculator offers, found by computing everything once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

# In a process of its own, since tokenizers that were made before stay.
WITHOUT_LIBRARIES = """
import sys
for library in ("MeCab", "ipadic", "tree_sitter", "nltk"):
    sys.modules[library] = None
from bleuet.web.in_browser import offered
print(offered())
"""


@pytest.fixture(scope="module")
def metrics() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_LIBRARIES], capture_output=True, encoding="utf-8", check=True
    )
    return {one["metric"]: one for one in json.loads(done.stdout)["metrics"]}


def unavailable(metrics: dict[str, Any], metric: str, option: str) -> dict[str, str]:
    options = {one["option"]: one for one in metrics[metric]["options"]}
    found: dict[str, str] = options[option]["unavailable"]
    return found


def test_a_metric_that_nothing_makes_run_is_not_offered(metrics: dict[str, Any]) -> None:
    missing = {name for name, one in metrics.items() if one["unavailable"]}
    assert missing == {"sari", "errant", "gec-gleu", "codebleu"}
    assert "pip install 'bleuet[code]'" in metrics["codebleu"]["unavailable"]


def test_a_choice_that_needs_a_library_is_not_offered(metrics: dict[str, Any]) -> None:
    missing = unavailable(metrics, "bleu", "tokenize")
    assert "pip install 'bleuet[ja]'" in missing["ja-mecab"]
    assert not {"13a", "none", "char", "intl", "zh"} & set(missing)
    # Only summaries in lines can be divided: the sentences of NLTK need it, whatever the variant.
    assert list(unavailable(metrics, "rouge", "sentences")) == ["nltk"]
    assert "pip install 'bleuet[nltk]'" in unavailable(metrics, "rouge", "sentences")["nltk"]


def test_a_choice_that_needs_another_option_is_offered(metrics: dict[str, Any]) -> None:
    assert unavailable(metrics, "wer", "whitespace") == {}
    assert unavailable(metrics, "cder", "rate") == {}
    assert unavailable(metrics, "rouge", "rules") == {}


def test_a_choice_for_other_than_text_is_not_offered(metrics: dict[str, Any]) -> None:
    assert list(unavailable(metrics, "ter", "tokenize")) == ["ids"]
    assert "lists of numbers" in unavailable(metrics, "ter", "tokenize")["ids"]
