"""Weights by the names of features, in files: a section of Moses' ini, or JSON."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError
from bleuet.messages import plural, shown
from bleuet.output.destination import Destination
from bleuet.text.json_text import json_problem, unique_keys
from bleuet.tuning.nbest_lists import features_of, parse_features

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bleuet.text.source import Source

_SECTION = "[weight]"
# The number of a feature in its group, as in tm_0.
_NUMBERED = re.compile(r"(.+)_(0|[1-9][0-9]{0,5})")


def write_weights(path: str, weights: Mapping[str, float]) -> None:
    """Write weights to a file: JSON if its name ends in .json, otherwise a section of Moses' ini.

    Args:
        path: the file.
        weights: the weight of each feature.

    Raises:
        InputError: the file cannot be written.
    """
    with Destination(path) as out:
        if path.lower().endswith(".json"):
            out.write(json.dumps(dict(weights), indent=1, ensure_ascii=False) + "\n")
        else:
            out.write("".join(f"{line}\n" for line in ini_lines(weights)))


def ini_lines(weights: Mapping[str, float]) -> Iterator[str]:
    """Yield the lines of a section: one for each group of features.

    >>> list(ini_lines({"lm_0": 0.5, "tm_0": 0.25, "tm_1": -0.25, "unknown": 1.0}))
    ['[weight]', 'lm= 0.5', 'tm= 0.25 -0.25', 'unknown=1.0']
    """
    yield _SECTION
    groups: dict[str, list[str]] = {}
    for name, weight in weights.items():
        found = _NUMBERED.fullmatch(name)
        if found and int(found[2]) == len(groups.get(f"{found[1]}= ", ())):
            groups.setdefault(f"{found[1]}= ", []).append(repr(weight))
        else:
            groups[f"{name}="] = [repr(weight)]
    for name, numbers in groups.items():
        yield name + " ".join(numbers)


def read_weights(source: Source) -> dict[str, float]:
    """Read the weights of features from a file that `bleuet tune` or Moses wrote.

    Args:
        source: the section `[weight]` of a Moses ini file; or JSON, in which an object has the
            weights by name, or under the key `weights`.

    Raises:
        InputError: the file cannot be read or has no weights; the message says what is wrong.
    """
    # Read as lines: a file .json has no other form.
    lines = source.without_mark().read()
    if any(line.strip() for line in lines) and "\n".join(lines).lstrip().startswith("{"):
        return _of_json("\n".join(lines), str(source))
    return _of_ini(lines, str(source))


def aligned(names: Sequence[str], weights: Mapping[str, float], place: str) -> list[float]:
    """Return the weights of features in the order of their names.

    A feature that stands alone, such as a sparse one, has weight 0 where there is none. Features of
    a numbered group need one.

    Args:
        names: the names of the features.
        weights: the weights by name.
        place: what the weights are called in the error.

    Raises:
        InputError: a feature has no weight.

    >>> aligned(["lm_0", "rare"], {"lm_0": 0.5, "tm_0": 1.0}, "the weights")
    [0.5, 0.0]
    """
    missing = [name for name in names if name not in weights]
    if len(missing) == len(names) or any(_NUMBERED.fullmatch(name) for name in missing):
        raise InputError(
            f"{place} have no weight for {missing[0]}; expected one for each of the "
            f"{plural(len(names), 'feature')} of the lists: use weights of the same features"
        )
    return [weights.get(name, 0.0) for name in names]


def _of_ini(lines: Sequence[str], name: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    places: dict[str, int] = {}
    inside = found = False
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("["):
            inside = text == _SECTION
            found = found or inside
        elif inside and text and not text.startswith("#"):
            try:
                own = parse_features(text)
            except ValueError as error:
                raise InputError(
                    f"{name}:{number}: {error}; expected weights such as 'tm= 0.2 0.3': correct "
                    "that line"
                ) from None
            for feature in own:
                if places.setdefault(feature, number) != number:
                    raise InputError(
                        f"{name}:{number}: the weight of {feature} occurs twice, before in line "
                        f"{places[feature]}; expected one for each feature: remove one of them"
                    )
            weights |= own
    if not found or not weights:
        raise InputError(
            f"{name} has no weights; expected a section {_SECTION} with lines such as "
            "'tm= 0.2 0.3', or JSON such as {\"tm_0\": 0.2}"
        )
    return weights


def _of_json(text: str, name: str) -> dict[str, float]:
    try:
        found: Any = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name} is not JSON ({json_problem(error)}): write the weights again"
        ) from None
    weights = found.get("weights", found)
    return features_of(weights, name)


def as_weights(weights: Any, names: Sequence[str], place: str) -> list[float]:
    """Return weights as a list in the order of features.

    Args:
        weights: a dict by name, in which a group may have a list; or one number for each feature.
        names: the names of the features.
        place: what the weights are called in errors.

    Raises:
        InputError: a feature has no weight, or a weight is not a finite number.

    >>> as_weights({"tm": [1, 2]}, ["tm_0", "tm_1"], "the weights")
    [1.0, 2.0]
    """
    if not isinstance(weights, dict):
        numbers = weights.tolist() if hasattr(weights, "tolist") else weights
        if not isinstance(numbers, list | tuple) or len(numbers) != len(names):
            raise InputError(
                f"{place} are {shown(weights)}; expected a dict by name, or "
                f"{plural(len(names), 'number')}, one for each feature"
            )
        weights = dict(zip(names, numbers, strict=True))
    return aligned(names, features_of(weights, place), place)
