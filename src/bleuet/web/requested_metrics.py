"""Metrics as requests name them. No value of a request ever names a file."""

from __future__ import annotations

from collections.abc import Mapping

from bleuet.errors import InputTypeError, OptionError
from bleuet.messages import shown
from bleuet.metrics.base.text_checks import without_warnings
from bleuet.metrics.catalogue import (
    NAMES,
    find_preset,
    known_name,
    make_metric,
    metric_parts,
    name_and_options,
    summary_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.option import Option


def requested_metric(wanted: Any, *, sentences: bool = False) -> Metric[Any]:
    """Return the metric that a request names.

    Args:
        wanted: a name with options after a colon, as `-m` of the commands takes it, or a
            dictionary with `name` and `options`.
        sentences: whether segments are scored one by one, which decides options that the request
            does not set, as on the command line.

    Raises:
        InputTypeError: it is neither.
        OptionError: there is no such metric, option or value; or the value would open a file.

    >>> requested_metric({"name": "chrf++", "options": {"beta": 3}}).name
    'chrF3++'
    """
    if isinstance(wanted, str):
        kind, preset, options = metric_parts(wanted)
    elif isinstance(wanted, Mapping) and isinstance(wanted.get("name"), str):
        kind, preset = find_preset(wanted["name"])
        options = _options(wanted.get("options", {}))
    else:
        raise InputTypeError(
            "each metric must be a text such as 'bleu:smooth=floor', or an object with 'name' and "
            f"'options', not {shown(wanted)}"
        )
    if kind.rates:
        raise OptionError(
            f"{kind.__name__} needs a model, which a server does not load for a request: use the "
            "command line, and `bleuet compare --html` for a page"
        )
    options = {**preset, **options}
    for name, value in options.items():
        _check_closed(kind, kind.option_named(name), value)
    return kind.made_for(options, sentences=sentences)


def requested_metrics(wanted: Any, *, sentences: bool = False) -> list[Metric[Any]]:
    """Return the metrics that a request names, each once.

    Args:
        wanted: a list, each as `requested_metric` takes it.
        sentences: whether segments are scored one by one.

    Raises:
        InputTypeError: it is not a list.
        OptionError: a metric cannot be made, or comes twice.
    """
    if not isinstance(wanted, list) or not wanted:
        raise InputTypeError(f"metrics must be a list of at least one metric, not {shown(wanted)}")
    metrics: list[Metric[Any]] = []
    for one in wanted:
        metric = requested_metric(one, sentences=sentences)
        if metric in metrics:
            raise OptionError(f"the metric {metric!r} occurs twice: name each metric once")
        # Nobody reads the warnings of a server.
        metrics.append(without_warnings(metric))
    return metrics


def is_open(option: Option) -> bool:
    """Return whether an option names files, since it lists no two values to choose from."""
    return option.annotation.startswith("str") and len(option.choices) < 2


def _options(options: Any) -> dict[str, Any]:
    if not isinstance(options, Mapping):
        raise InputTypeError(f"options must be an object, not {shown(options)}")
    return dict(options)


def _check_closed(kind: type[Metric[Any]], option: Option, value: Any) -> None:
    if not isinstance(value, str) or value in option.choices:
        return
    if option.annotation.startswith("str"):
        choices = ", ".join(option.choices) or "its default"
        raise OptionError(
            f"takes only {choices} here, because a request cannot name a file of this computer",
            metric=kind.__name__,
            option=option.name,
            value=value,
        )


def described_metrics() -> list[dict[str, Any]]:
    """Return all metrics with what a form needs of their options."""
    return [_described(name) for name in NAMES]


def metrics_in_short(name: str | None = None) -> dict[str, Any]:
    """Return the names of all metrics with a line about each, or one metric with its options.

    Args:
        name: a metric, whose options do not matter; default all.

    Raises:
        OptionError: there is no such metric.

    >>> metrics_in_short()["metrics"][:1]
    ['bleu: clipped word n-gram precision']
    >>> [one["option"] for one in metrics_in_short("gleu")["options"]][:2]
    ['lowercase', 'tokenize']
    """
    if name is None:
        return {"metrics": [_line(one) for one in NAMES]}
    name = name.partition(":")[0]
    find_preset(name)
    word = (known_name(name) or name).partition(":")[0]
    described = {**_described(word), "summary": summary_of(word)}
    for option in described["options"]:
        if option["sentence_default"] == option["default"]:
            del option["sentence_default"]
    found = _without_empty(described)
    return {**found, "options": [_without_empty(one) for one in described["options"]]}


def _line(name: str) -> str:
    metric = make_metric(name)
    lower = "" if metric.higher_is_better else " (lower is better)"
    needs = f" (needs {metric.needs})" if metric.needs else ""
    return f"{name}: {summary_of(name)}{lower}{needs}"


def _without_empty(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value not in (None, "", [], {})}


def _described(name: str) -> dict[str, Any]:
    kind, preset = find_preset(name)
    metric = make_metric(name)
    alone = requested_metric(name, sentences=True)
    return {
        "metric": name,
        "name": metric.name,
        "higher_is_better": metric.higher_is_better,
        "definition": metric.definition,
        "source": metric.source,
        "needs": metric.needs,
        "preset": preset,
        "options": [_form_field(one, metric, alone) for one in kind.options if not is_open(one)],
        "files": [_file_option(one, metric, name) for one in kind.options if is_open(one)],
    }


def _form_field(option: Option, metric: Metric[Any], alone: Metric[Any]) -> dict[str, Any]:
    kinds = {"bool": "switch", "int": "whole", "float": "number", "str": "choice"}
    return {
        "option": option.name,
        "kind": "numbers" if option.many else kinds[option.annotation.partition(" ")[0]],
        "default": _plain(getattr(metric, option.name)),
        "sentence_default": _plain(getattr(alone, option.name)),
        "help": option.help,
        "choices": list(option.choices),
        "least": option.least,
        "most": option.most,
    }


def _file_option(option: Option, metric: Metric[Any], name: str) -> dict[str, str]:
    """Return where an option that names files can be set, since a request cannot."""
    return {
        "option": option.name,
        "help": option.help,
        "command": f"-m {name}:{option.name}=PATH",
        "python": f'{type(metric).__name__}({option.name}="PATH")',
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def as_word(metric: Metric[Any], names: Sequence[str] = NAMES, *, sentences: bool = False) -> str:
    """Return a metric as one types it after `-m`.

    Args:
        metric: the metric.
        names: the names to choose from.
        sentences: whether a command reads it that scores segments one by one.

    >>> from bleuet.metrics.bleu.metric import BLEU
    >>> as_word(BLEU(smooth="floor", lowercase=True)), as_word(make_metric("chrf++"))
    ('bleu:lowercase=yes,smooth=floor', 'chrf++')
    """
    name, options = name_and_options(metric, names, sentences=sentences)
    spelt = [
        f"{option}={metric.option_named(option).spell(value).replace(',', chr(92) + ',')}"
        for option, value in options.items()
    ]
    return f"{name}:{','.join(spelt)}" if spelt else name
