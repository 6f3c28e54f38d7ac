"""Limits of single metrics: numbers by the name of a metric, as users write them.

A name is the printed name of a metric, such as chrF2, or what selects it in `-m`, such as chrf,
chrf++ or bleu:tokenize=intl.
"""

from __future__ import annotations

from math import isfinite

from bleuet.errors import OptionError
from bleuet.messages import nearest, shown
from bleuet.metrics.catalogue import NAMES, metric_parts, parse_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bleuet.metrics.base.metric import Metric


def parse_limits(
    words: Sequence[str], option: str, *, for_all: bool = False
) -> tuple[float | None, dict[str, float]]:
    """Return the limit of all metrics, None for none, and those of single metrics by their names.

    Args:
        words: each METRIC=NUMBER, or a number for all metrics.
        option: the option that they are of.
        for_all: whether a number for all metrics is possible.

    Raises:
        OptionError: a word is neither, or there are two limits of one metric.

    >>> parse_limits(["0.5", "chrf=0.2"], "max_drop", for_all=True)
    (0.5, {'chrf': 0.2})
    """
    general: float | None = None
    single: dict[str, float] = {}
    expected = "a number or METRIC=NUMBER" if for_all else "METRIC=NUMBER, such as bleu=30"
    for word in words:
        name, equals, number = word.rpartition("=")
        value = _number(number)
        if value is None or bool(equals) != bool(name) or not (name or for_all):
            point = word.replace(",", ".", 1)
            comma = "," in word and _number(point.rpartition("=")[2]) is not None
            hint = f": write {point}, with a point" if comma else ""
            raise OptionError(f"must be {expected}, not {shown(word)}{hint}", option=option)
        if name in single or (not name and general is not None):
            whose = f"for {name}" if name else "for all metrics"
            raise OptionError(f"has two numbers {whose}: keep one", option=option)
        if name:
            single[name] = value
        else:
            general = value
    return general, single


def _number(text: str) -> int | float | None:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return None


def check_numbers(limits: Mapping[str, float], option: str, *, least: float | None = None) -> None:
    """Check the limits of single metrics.

    Args:
        limits: a number for each name.
        option: the option that they are of.
        least: the least possible number, None for any.

    Raises:
        OptionError: one is not a finite number, or too small.
    """
    if not hasattr(limits, "items") or not all(isinstance(name, str) for name in limits):
        raise OptionError(
            f"must be a dictionary such as {{'bleu': 30}}, not {shown(limits)}", option=option
        )
    for name, number in limits.items():
        if not is_finite(number) or (least is not None and number < least):
            more = "" if least is None else f", {least:g} or more"
            raise OptionError(
                f"must be a number of points{more}, not {name}={number}", option=option
            )


def is_finite(number: object) -> bool:
    """Return whether a value is a number that can be compared with a score."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        return False
    try:
        return isfinite(number)
    except OverflowError:  # an integer beyond any float
        return False


def limits_of(
    limits: Mapping[str, float], metrics: Sequence[Metric[Any]], option: str
) -> list[float | None]:
    """Return the limit of each metric, None for none.

    Args:
        limits: a number for each name.
        metrics: the metrics.
        option: the option that they are of.

    Raises:
        OptionError: a name is that of no metric or of several, or two are of one metric.

    >>> from bleuet import BLEU, CHRF
    >>> limits_of({"chrf": 0.2}, [BLEU(), CHRF()], "max_drop")
    [None, 0.2]
    """
    found: list[float | None] = [None] * len(metrics)
    names: dict[int, str] = {}
    for name, number in limits.items():
        place = _place(name, metrics, option)
        if place in names:
            raise OptionError(
                f"has two numbers for {metrics[place].name}, as {names[place]} and as {name}: keep "
                "one",
                option=option,
            )
        names[place] = name
        found[place] = number
    return found


def _place(name: str, metrics: Sequence[Metric[Any]], option: str) -> int:
    """Return which of the metrics has a name; arguments as of `limits_of`."""
    printed = [metric.name for metric in metrics]
    found = [place for place, own in enumerate(printed) if own.lower() == name.lower()]
    if not found or (len(found) > 1 and _base(name) in NAMES):
        found = _selected(name, metrics, printed, option)
    if len(found) > 1:
        several = " and ".join(repr(metrics[place]) for place in found)
        raise OptionError(
            f"{name} is the name of {several}: add the options of one, as in bleu:tokenize=intl=30",
            option=option,
        )
    return found[0]


def _base(name: str) -> str:
    return name.partition(":")[0].lower()


def _selected(
    name: str, metrics: Sequence[Metric[Any]], printed: Sequence[str], option: str
) -> list[int]:
    """Return which of the metrics a word of -m selects.

    Args:
        name: the word.
        metrics: the metrics.
        printed: their printed names.
        option: the option that the word is of.
    """
    base = _base(name)
    if base not in NAMES:
        near = nearest(base, NAMES) or nearest(base, printed)
        raise OptionError(
            f"names the metric {shown(name)}, which does not exist{near}: the metrics are "
            f"{', '.join(printed)}",
            option=option,
        )
    kind, preset, options = metric_parts(name)
    wanted = kind(**{**preset, **options}).option_values()
    selects = {key: wanted[key] for key in (*preset, *options)}
    found = [
        place
        for place, metric in enumerate(metrics)
        if type(metric) is kind and selects.items() <= metric.option_values().items()
    ]
    if not found:
        raise OptionError(
            f"names {name}, which is not among the metrics ({', '.join(printed)}): add it with -m, "
            "or remove its limit",
            option=option,
        )
    if len(found) > 1:
        same = parse_metric(name)
        found = [place for place in found if metrics[place] == same] or found
    return found
