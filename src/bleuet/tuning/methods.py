"""The methods of tuning by name, and as words of the command line."""

from __future__ import annotations

from typing import Any

from bleuet.errors import OptionError
from bleuet.messages import nearest, wrong_type
from bleuet.metrics.catalogue import parse_options
from bleuet.tuning.expected_score import ExpectedScore
from bleuet.tuning.mert import MERT
from bleuet.tuning.method import Method
from bleuet.tuning.mira import MIRA
from bleuet.tuning.pro import PRO

METHODS: dict[str, type[Method]] = {
    "mert": MERT,
    "pro": PRO,
    "mira": MIRA,
    "expected-bleu": ExpectedScore,
}


def parse_method(word: Any) -> Method:
    """Return a method from its name, which options can follow as those of a metric do.

    Args:
        word: such as `mert` or `pro:rounds=5,l2=0.01`, or a method.

    Raises:
        OptionError: there is no such method or option, or it does not accept the value.

    >>> parse_method("mert:restarts=5").restarts
    5
    """
    if isinstance(word, Method):
        return word
    if not isinstance(word, str):
        raise wrong_type("method", "the name of a method, or a method", word)
    name, _, options = word.strip().partition(":")
    kind = METHODS.get(name.lower())
    if kind is None:
        raise OptionError(
            f"there is no method {name!r}{nearest(name, METHODS)}; the methods are "
            f"{', '.join(METHODS)}, and options follow a colon, as in mert:restarts=50"
        )
    return kind(**parse_options(kind, options))


def name_of(method: Method) -> str:
    """Return the name of a method, and its options that differ from the defaults.

    >>> name_of(MERT(restarts=5))
    'mert:restarts=5'
    """
    name = next(name for name, kind in METHODS.items() if type(method) is kind)
    changed = [one for one in method.options if not method.is_default(one)]
    pairs = [f"{one.name}={one.spell(getattr(method, one.name))}" for one in changed]
    return f"{name}:{','.join(pairs)}" if pairs else name
