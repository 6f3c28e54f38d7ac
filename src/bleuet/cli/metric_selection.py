"""The metrics of a run, from -m and --language-pair: one grammar for every command."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.metrics.catalogue import parse_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.metrics.base.metric import Metric

# The source of a pair whose source does not matter, as in messages.
ANY_SOURCE = "xx"


def make_metrics(
    args: Arguments, default: Sequence[str] = ("bleu",), *, sentences: bool = False
) -> list[Metric[Any]]:
    """Return the metrics that -m names, in that order.

    Args:
        args: the arguments, with `metrics` and `language_pair`.
        default: the metrics where -m is absent.
        sentences: whether segments are scored one by one.

    Raises:
        OptionError: a metric or option does not exist, or a metric is named twice.
    """
    texts = default if args.metrics is None else args.metrics
    return metrics_of(texts, args.language_pair, sentences=sentences)


def metrics_of(
    texts: Sequence[str], language_pair: str | None = None, *, sentences: bool = False
) -> list[Metric[Any]]:
    """Return the metrics that words of -m name, in that order.

    Args:
        texts: the words.
        language_pair: the languages; the target decides options that the words do not set.
        sentences: whether segments are scored one by one.

    Raises:
        OptionError: a metric or option does not exist, or a metric is named twice.
    """
    language = target_language(language_pair)
    metrics: list[Metric[Any]] = []
    for text in texts:
        metric = parse_metric(text, language=language, sentences=sentences)
        if metric in metrics:
            raise OptionError(f"-m names {text} twice: name each metric once")
        metrics.append(metric)
    return metrics


def target_language(pair: str | None) -> str:
    """Return the code of the target language, "" for no pair.

    A script or region can follow each language, as in en-zh-TW or pt_BR-en.

    Raises:
        OptionError: it is no pair of two languages.

    >>> target_language("en-zh_TW"), target_language("eng_Latn-jpn_Jpan")
    ('zh', 'ja')
    """
    if pair is None:
        return ""
    words = pair.split("-")
    cuts = [cut for cut in range(1, len(words)) if _has_two(words, cut)]
    if len(cuts) != 1:
        raise OptionError(
            "--language-pair must be two languages and one hyphen, like en-ja or en-zh_TW, not "
            f"{pair!r}"
        )
    from bleuet.text.languages import language_code

    source, target = "-".join(words[: cuts[0]]), "-".join(words[cuts[0] :])
    try:
        if source.lower() != ANY_SOURCE:
            language_code(source)
        return language_code(target)
    except OptionError as error:
        raise OptionError(f"--language-pair {pair}: {error}") from None


def _has_two(words: Sequence[str], cut: int) -> bool:
    """Return whether two languages, each perhaps with scripts and regions, meet at a cut."""
    more = (*words[1:cut], *words[cut + 1 :])
    return all((words[0], words[cut])) and all(map(_is_script_or_region, more))


def _is_script_or_region(word: str) -> bool:
    if word.isdigit():
        return len(word) == 3
    return word.isalpha() and (len(word) == 4 or (len(word) == 2 and word.isupper()))
