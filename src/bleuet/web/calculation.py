"""All that the calculator shows of one hypothesis: score, tokens, marks, steps, smoothings."""

from __future__ import annotations

import shlex

from bleuet.errors import InputTypeError, OptionError
from bleuet.messages import shown
from bleuet.metrics.base.derivation import drawn_steps, number_text
from bleuet.metrics.base.text_checks import TextChecks
from bleuet.metrics.bleu.metric import BLEU, BLEUScore
from bleuet.metrics.bleu.smoothing import SMOOTHINGS
from bleuet.text.segments import TEXT, Segments
from bleuet.web.requested_metrics import as_word, requested_metrics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.metrics.base.marked_segment import MarkedSegment
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score

# The metrics of a request that names none.
METRICS = ["bleu"]
# What BLEU of a whole test set often means. Tokens, languages, domains and the number of references
# move these limits by ten points and more.
READINGS = (
    (10, "Hardly any phrases in common."),
    (20, "A few phrases in common; the gist is hard to get."),
    (30, "The gist comes across; many words and forms differ."),
    (40, "Much of the wording is that of the reference."),
    (50, "Close to the reference."),
    (60, "Very close to the reference."),
    (
        float("inf"),
        "Nearly the wording of the reference: check that it was not in the training data.",
    ),
)
ROUGH = (
    "This is rough: the ranges are for test sets of thousands of sentences with one reference, and "
    "they move with language, domain, tokenizer and the number of references. One sentence can "
    "score low and be a perfect translation."
)


def calculate(
    hypothesis: Any = None, references: Any = None, metrics: Any = METRICS
) -> dict[str, Any]:
    """Return what the calculator shows.

    Args:
        hypothesis: a text.
        references: a list of texts.
        metrics: a list as `requested_metrics` takes it.

    Raises:
        InputError: a text is missing, or is not a string.
        OptionError: a metric cannot be made.

    >>> round(calculate("Good morning.", ["Good morning."])["metrics"][0]["score"], 2)
    100.0
    """
    if not isinstance(hypothesis, str):
        raise InputTypeError(f"hypothesis must be a text, not {shown(hypothesis)}")
    if not isinstance(references, list) or not references:
        raise InputTypeError(
            f"references must be a list of at least one text, not {shown(references)}"
        )
    made = requested_metrics(metrics, sentences=True)
    return {"metrics": [_calculated(metric, hypothesis, references) for metric in made]}


def _calculated(metric: Metric[Any], hypothesis: str, references: list[str]) -> dict[str, Any]:
    found = metric.marked(hypothesis, references)
    score, word = found.score, as_word(metric, sentences=True)
    texts = ("--hypothesis", hypothesis, "--reference", *references)
    return {
        **score.to_dict(),
        "metric": word,
        "digits": 2 + metric.extra_digits,
        "higher_is_better": metric.higher_is_better,
        "short_signature": score.signature.short(),
        "definition": metric.definition,
        "source": metric.source,
        "marked": _tokens_and_marks(found) if found.references else None,
        "steps": [{**step.to_dict(), "value": number_text(step.value)} for step in found.steps],
        "chart": list(drawn_steps(found.steps)),
        "smoothings": _smoothings(metric, hypothesis, references),
        "reading": _reading(score),
        "warnings": _warnings(metric, hypothesis, references),
        "python": f"{metric!r}.sentence_score({hypothesis!r}, {references!r})",
        "command": f"bleuet explain {shlex.join(texts)} -m {shlex.quote(word)}",
    }


def _tokens_and_marks(found: MarkedSegment) -> dict[str, Any]:
    plain = found.to_dict()
    return {key: plain[key] for key in ("hypothesis", "references", "marks")}


def _warnings(metric: Metric[Any], hypothesis: str, references: list[str]) -> list[str]:
    """Return what makes the score doubtful, as a language that the metric does not split."""
    checks = TextChecks(("the hypothesis",), (metric,))
    checks.check([Segments(TEXT, [hypothesis])], Segments(TEXT, [references]))
    return list(checks.problems())


def _reading(score: Score) -> dict[str, str] | None:
    if not isinstance(score, BLEUScore):
        return None
    text = next(text for limit, text in READINGS if score.score < limit)
    return {"text": text, "caveat": ROUGH}


def _smoothings(
    metric: Metric[Any], hypothesis: str, references: list[str]
) -> list[dict[str, Any]]:
    """Return what every smoothing would give, the other options being as they are."""
    if type(metric) is not BLEU:
        return []
    found = []
    # Most smoothings are computed from the same counts.
    rows: dict[tuple[str, ...], Any] = {}
    for name in SMOOTHINGS:
        try:
            other = metric.with_options(smooth=name)
        except OptionError:  # another order than the smoothing needs
            continue
        if other.columns not in rows:
            rows[other.columns] = other.sentence_score(hypothesis, references).values
        score = other.formula(rows[other.columns])
        found.append({"smooth": name, "score": score, "chosen": name == metric.smooth})
    return found
