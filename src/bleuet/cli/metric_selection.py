"""The metrics of a run, from -m and --language-pair: one grammar for every command."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.metrics.catalogue import parse_metric
from bleuet.text.tokenizers import TWO_LETTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.metrics.base.metric import Metric


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
        language_pair: the languages, whose target selects the tokenizer.
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
    """Return the two-letter code of the target language, "" for no pair.

    Raises:
        OptionError: it is no pair of two languages.

    >>> target_language("en-zh_TW"), target_language("eng_Latn-jpn_Jpan")
    ('zh', 'ja')
    """
    if pair is None:
        return ""
    codes = [side.partition("_")[0].lower() for side in pair.split("-")]
    if len(codes) != 2 or not all(_is_code(code) for code in codes):
        raise OptionError(
            "--language-pair must be two languages and one hyphen, like en-ja or en-zh_TW, not "
            f"{pair!r}"
        )
    return TWO_LETTERS.get(codes[1], codes[1])


def _is_code(code: str) -> bool:
    return code.isascii() and code.isalpha() and 2 <= len(code) <= 3
