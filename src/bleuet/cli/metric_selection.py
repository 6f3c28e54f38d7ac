"""The metrics of a run, from -m and --language-pair: one grammar for every command."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.metrics.catalogue import find_preset, known_name, parse_metric

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


def with_option(words: Sequence[str], option: str, value: str = "") -> str:
    """Return the first word of -m whose metric has an option, with that option; "" for none.

    Args:
        words: the words.
        option: the name of the option.
        value: its value as it is typed; a switch needs none.

    >>> with_option(["ter", "wer:rate=mer"], "lowercase"), with_option(["wer"], "smooth", "exp")
    ('wer:rate=mer,lowercase', '')
    """
    for word in words:
        name = word.partition(":")[0]
        declared = find_preset(name)[0].declared if known_name(name) is not None else {}
        if option in declared:
            is_switch = isinstance(declared[option].default, bool)
            setting = option if is_switch or not value else f"{option}={value}"
            return f"{word}{',' if ':' in word else ':'}{setting}"
    return ""


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
            f"{pair!r}{_meant_pair(pair)}"
        )
    from bleuet.text.languages import language_code

    source, target = "-".join(words[: cuts[0]]), "-".join(words[cuts[0] :])
    try:
        if source.lower() != ANY_SOURCE:
            language_code(source)
        return language_code(target)
    except OptionError as error:
        raise OptionError(f"--language-pair {pair}: {error}") from None


def _meant_pair(text: str) -> str:
    """Return advice for one language, or for two with another character between them."""
    from bleuet.text.languages import LANGUAGES, language_code

    two = text.replace("_", "-").replace("/", "-").replace(":", "-")
    if two != text and all(code in LANGUAGES for code in two.split("-")):
        return f": write {two}"
    try:
        return f": write {ANY_SOURCE}-{text}" if language_code(text) and "-" not in text else ""
    except OptionError:
        return ""


def _has_two(words: Sequence[str], cut: int) -> bool:
    """Return whether two languages, each perhaps with scripts and regions, meet at a cut."""
    more = (*words[1:cut], *words[cut + 1 :])
    return all((words[0], words[cut])) and all(map(_is_script_or_region, more))


def _is_script_or_region(word: str) -> bool:
    if word.isdigit():
        return len(word) == 3
    return word.isalpha() and (len(word) == 4 or (len(word) == 2 and word.isupper()))
