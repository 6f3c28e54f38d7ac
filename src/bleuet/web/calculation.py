"""All that the calculator shows of one hypothesis: score, tokens, marks, steps, smoothings."""

from __future__ import annotations

from math import isfinite

from bleuet.errors import InputTypeError, OptionError
from bleuet.messages import shown
from bleuet.metrics.bleu import BLEU, BLEUScore, brevity_penalty
from bleuet.metrics.smoothing import SMOOTHINGS
from bleuet.web.requested_metrics import as_word, requested_metrics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.score import Score

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


def calculate(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the calculator shows.

    Args:
        request: `hypothesis`, a text; `references`, a list of texts; `metrics`, a list as
            `requested_metrics` takes it.

    Raises:
        InputError: a text is missing, or is not a string.
        OptionError: a metric cannot be made.

    >>> request = {"hypothesis": "a b", "references": ["a b"], "metrics": ["ter"]}
    >>> calculate(request)["metrics"][0]["score"]
    0.0
    """
    hypothesis, references = request.get("hypothesis"), request.get("references")
    if not isinstance(hypothesis, str):
        raise InputTypeError(f"hypothesis must be a text, not {shown(hypothesis)}")
    if not isinstance(references, list) or not references:
        raise InputTypeError(
            f"references must be a list of at least one text, not {shown(references)}"
        )
    metrics = requested_metrics(request.get("metrics", ["bleu"]))
    return {"metrics": [_calculated(metric, hypothesis, references) for metric in metrics]}


def _calculated(metric: Metric[Any], hypothesis: str, references: list[str]) -> dict[str, Any]:
    score = metric.sentence_score(hypothesis, references)
    word = as_word(metric)
    return {
        **score.to_dict(),
        "metric": word,
        "digits": 2 + metric.extra_digits,
        "higher_is_better": metric.higher_is_better,
        "short_signature": score.signature.short(),
        "definition": metric.definition,
        "source": metric.source,
        "marked": _marked(metric, hypothesis, references),
        "steps": list(_steps(score)),
        "chart": _chart(score),
        "smoothings": _smoothings(metric, hypothesis, references),
        "reading": _reading(score),
        "python": f"{metric!r}.sentence_score({hypothesis!r}, {references!r})",
        "command": f"bleuet score ref.txt -i hyp.txt --sentence-level -m '{word}'",
    }


def _marked(metric: Metric[Any], hypothesis: str, references: list[str]) -> dict[str, Any] | None:
    try:
        found = metric.marked(hypothesis, references).to_dict()
    except OptionError:
        return None
    return {key: found[key] for key in ("hypothesis", "references", "marks")}


def _reading(score: Score) -> dict[str, str] | None:
    if not isinstance(score, BLEUScore):
        return None
    text = next(text for limit, text in READINGS if score.score < limit)
    return {"text": text, "caveat": ROUGH}


def _chart(score: Score) -> list[dict[str, Any]]:
    """Return the bars of the chart: precisions and their mean, or components in percent."""
    if not isinstance(score, BLEUScore):
        return []
    orders = zip(score.precisions, score.counts, score.totals, strict=True)
    bars = [
        {"label": f"{n}-grams", "value": value, "text": f"{count}/{total}"}
        for n, (value, count, total) in enumerate(orders, 1)
    ]
    return [*bars, {"label": "mean", "value": _mean_of(score), "text": ""}]


def _mean_of(score: BLEUScore) -> float:
    penalty = brevity_penalty(score.sys_len, score.ref_len)
    return score.score / penalty if penalty else 0.0


# --- Steps ----------------------------------------------------------------------------------------


def _steps(score: Score) -> Iterator[dict[str, str]]:
    """Yield the steps of the computation, with the numbers put in."""
    if isinstance(score, BLEUScore):
        yield from _steps_of_bleu(score)
        return
    for name in score.components:
        value = getattr(score, name)
        several = isinstance(value, tuple)
        yield {
            "title": name.replace("_", " "),
            "formula": "",
            "value": ", ".join(map(_number, value)) if several else _number(value),
        }
    yield {
        "title": score.name,
        "formula": score.metric.definition,
        "value": _number(score.score),
    }


def _steps_of_bleu(score: BLEUScore) -> Iterator[dict[str, str]]:
    c, r = score.sys_len, score.ref_len
    yield {"title": "length of the hypothesis", "formula": "c", "value": _number(c)}
    rule = score.metric.reference_length
    yield {"title": f"reference length ({rule})", "formula": "r", "value": _number(r)}
    smoothing = score.metric.smooth
    orders = zip(score.precisions, score.counts, score.totals, strict=True)
    for n, (precision, count, total) in enumerate(orders, 1):
        plain = 100 * count / total if total else 0.0
        smoothed = f", {smoothing} smoothing" if precision != plain else ""
        yield {
            "title": f"precision of {n}-grams{smoothed}",
            "formula": f"p{n} = {count}/{total}",
            "value": f"{_number(precision)} %",
        }
    if c >= r:
        formula = f"BP = 1, because c = {_number(c)} is not shorter than r = {_number(r)}"
    else:
        formula = f"BP = exp(1 - {_number(r)}/{_number(c)})" if c else "BP = 0, nothing to score"
    yield {"title": "brevity penalty", "formula": formula, "value": _number(score.bp)}
    factors = " · ".join(f"{p:.4g}" for p in score.precisions)
    weights = score.metric.weights
    root = f"({factors})^(1/{len(score.precisions)})"
    if weights is not None:
        powers = zip(score.precisions, weights, strict=True)
        root = " · ".join(f"{p:.4g}^{w:g}" for p, w in powers)
    elif score.metric.effective_order:
        root += ", over the orders that the hypothesis has"
    mean = _mean_of(score)
    yield {"title": "geometric mean", "formula": root, "value": f"{_number(mean)} %"}
    yield {
        "title": score.name,
        "formula": f"{_number(score.bp)} · {_number(mean)}",
        "value": _number(score.score),
    }


def _smoothings(
    metric: Metric[Any], hypothesis: str, references: list[str]
) -> list[dict[str, Any]]:
    """Return what every smoothing would give, the other options being as they are."""
    if type(metric) is not BLEU:
        return []
    found = []
    for name in SMOOTHINGS:
        try:
            score = metric.with_options(smooth=name).sentence_score(hypothesis, references)
        except OptionError:  # another order than the smoothing needs
            continue
        found.append({"smooth": name, "score": score.score, "chosen": name == metric.smooth})
    return found


def _number(value: float) -> str:
    """Return a number with at most four digits after the point.

    >>> _number(7), _number(2 / 7), _number(50.0)
    ('7', '0.2857', '50')
    """
    if isinstance(value, int) or not isfinite(value):
        return str(value)
    return f"{value:.4f}".rstrip("0").rstrip(".")
