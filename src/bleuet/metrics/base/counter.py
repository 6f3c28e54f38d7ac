"""What counts for a metric: a class of the kernel or its definition, or a method in Python."""

from __future__ import annotations

from bleuet.statistics.backend import kernel_or_definition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class CounterClass:
    """The class of a metric's counter, and what the counter is made with.

    It stands in the class of the metric. The counter gets by name each option of the metric that
    is not for scores alone, and as `learned` what a metric that learns has learned.

    Args:
        definition: where the definition in Python is, such as
            "bleuet.metrics.eed.definition:EedCounter"; the kernel's class has the same name.
            Without it, `count_segment` of the metric counts.
        **options: the options of the counter that differ, by name: a function from the metric to
            the value, or None for an option that only the metric has.
    """

    __slots__ = ("definition", "options")

    def __init__(self, definition: str = "", **options: Callable[[Any], Any] | None) -> None:
        self.definition = definition
        self.options = options

    def make(self, metric: Any) -> Any:
        """Return a counter for a metric, of the kernel or in Python."""
        if not self.definition:
            from bleuet.statistics.definitions.counter import FunctionCounter

            sizes = len(metric.integer_columns), len(metric.real_columns)
            return FunctionCounter(*sizes, metric.count_segment, metric.learn_segment)
        return kernel_or_definition(self.definition)(**self.options_of(metric))

    def options_of(self, metric: Any) -> dict[str, Any]:
        """Return what the counter of a metric is made with.

        >>> from bleuet.metrics.ter.metric import TER
        >>> TER.counter.options_of(TER())["lowercase"]
        True
        """
        made = {
            one.name: getattr(metric, one.name)
            for one in metric.options
            if one.scoring is not True and one.name not in self.options
        }
        for name, value_of in self.options.items():
            if value_of is not None:
                made[name] = value_of(metric)
        if metric.learns:
            made["learned"] = metric.learned
        return made
