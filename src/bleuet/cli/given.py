"""What was asked of `bleuet score`: read from plain words, checked, and made into metrics."""

from __future__ import annotations

import os

from bleuet.cli.refusals import (
    check_threads,
    check_width,
    refuse_empty_names,
    refuse_second_stdin,
)
from bleuet.errors import OptionError
from bleuet.messages import nearest
from bleuet.metrics.catalogue import CATALOGUE, PRESETS, find_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from typing import Any

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.option import Option

FORMATS = ("text", "json", "jsonl", "csv", "latex", "markdown")
METRICS = (*CATALOGUE, *PRESETS)

# ISO 639-2 and 639-3 codes, as in FLORES, of the languages that have a tokenizer of their own.
_TWO_LETTERS = {"zho": "zh", "chi": "zh", "cmn": "zh", "jpn": "ja", "kor": "ko"}


class Given:
    """The arguments of a command by name, with the defaults of `bleuet score`.

    Options of metrics are there only where they were given.
    """

    command = "score"
    references: Sequence[str] = ()
    input: Any = None
    metrics: Any = None
    language_pair: str | None = None
    sentence_level = False
    format: Any = None
    width: int | None = None
    score_only = False
    cumulative = False
    short = False
    output: str | None = None
    quiet = False
    threads = 1
    save_table: str | None = None
    from_table: Any = None
    append = False
    segments: str | None = None
    confidence = False
    # Not draws and seed, which commands with tests have, and their own defaults.
    interval_draws: int | None = None
    interval_seed: int | None = None


GENERAL = frozenset(name for name in vars(Given) if not name.startswith("_"))
PLAIN = {"-i": "input", "--input": "input", "-m": "metrics", "--metrics": "metrics"}


def read_plainly(arguments: Sequence[str]) -> Given | None:
    """Read `REF ... [-i HYP ...] [-m METRIC ...]`, the common command, and nothing else.

    It asks for no parser, whose import takes longer than scoring does.

    Returns:
        What the parser would return, or None where a word asks for the parser.

    >>> given = read_plainly(["ref.txt", "-i", "a.txt", "b.txt"])
    >>> given.references, given.input
    (['ref.txt'], ['a.txt', 'b.txt'])
    >>> read_plainly(["ref.txt", "-i", "a.txt", "--quiet"]) is None
    True
    """
    given = Given()
    words: list[str] = []
    given.references = words
    bare = False  # whether the last word was -i or -m, which the parser refuses to see alone
    for word in arguments:
        if word in PLAIN:
            if bare:
                return None
            words = getattr(given, PLAIN[word]) or []
            setattr(given, PLAIN[word], words)
            bare = True
        elif word.startswith("-") and word != "-":
            return None
        else:
            words.append(word)
            bare = False
    return None if bare else given


def options_of(metric: type[Metric]) -> list[Option]:
    """Return the options of a metric that the command line has."""
    return [option for option in metric.options if option.on_command_line]


def flag_of(prefix: str, option: Option) -> str:
    """Return an option as the command line spells it, such as --chrf-word-order."""
    return f"--{prefix}{option.name.replace('_', '-')}"


def check_values(given: Given) -> None:
    """Refuse what does not fit together, and fill in what was left out.

    Raises:
        OptionError: a number is out of range, two options exclude each other, no reference was
            given, or a name is empty.
    """
    _check_files(given)
    check_width(given.width)
    check_threads(given.threads)
    if given.score_only and given.format not in (None, "text"):
        raise OptionError(
            f"--score-only prints bare numbers: leave it out, or --format {given.format}"
        )
    given.format = given.format or "text"
    if given.from_table is None:
        given.metrics = given.metrics or ["bleu"]


def _check_files(given: Given) -> None:
    if given.from_table is not None:
        return  # cli/from_table.py checks what belongs to it
    for name, flag in (("append", "--append"), ("segments", "--segments")):
        if getattr(given, name) not in (None, False):
            raise OptionError(f"{flag} is about saved tables: name them with --from-table")
    systems = given.input or []
    if not given.references and len(systems) > 1:
        raise OptionError(
            f"no reference was given, for -i took all {len(systems)} files as systems: write the "
            f"reference before -i, or behind --, as in -i {systems[0]} -- {systems[-1]}"
        )
    if not given.references:
        raise OptionError(
            "no reference was given; expected a file with one per segment, as in "
            f"bleuet {given.command} REF -i {systems[0] if systems else 'HYP'}"
        )
    refuse_empty_names((*given.references, *systems))
    option = next((name for name in given.references if name.startswith("-") and name != "-"), None)
    if option is not None and not os.path.exists(option):
        raise OptionError(
            f"{option} stands behind --, where all are files: write options before --"
        )
    refuse_second_stdin((*systems, *given.references))


# --- Metrics --------------------------------------------------------------------------------------


def make_metrics(given: Given, *, sentences: bool | None = None) -> list[Metric]:
    """Return the metrics that the arguments ask for, in the order given.

    Args:
        given: the arguments.
        sentences: whether segments are scored one by one; None for what the arguments say.

    Raises:
        OptionError: a metric or option does not exist, comes twice, or belongs to a metric that
            was not asked for.
    """
    language = target_language(given.language_pair)
    used: set[str] = set()
    sentences = given.sentence_level if sentences is None else sentences
    metrics: list[Metric] = []
    for asked in given.metrics:
        metric = _make_metric(given, asked, language, used, sentences)
        if metric in metrics:
            raise OptionError(f"the metric {asked} was asked for twice; name it once")
        metrics.append(metric)
    refuse_unused(given, used)
    return metrics


def _make_metric(
    given: Given, asked: str, language: str, used: set[str], sentences: bool
) -> Metric:
    name, preset = find_asked(asked)
    kind = find_metric(name)
    chosen = {**preset, **chosen_options(given, name, used, leave=preset)}
    suited = kind.suited_to(language=language, sentences=sentences)
    try:
        return kind(**{**suited, **chosen})
    except OptionError as error:
        raise OptionError(with_flags(str(error), CATALOGUE[name].flag, kind)) from error


def find_asked(asked: str) -> tuple[str, dict[str, object]]:
    """Return the name in the catalogue and the options that a metric's name stands for.

    Raises:
        OptionError: there is no such metric.

    >>> find_asked("chrF++")
    ('chrf', {'word_order': 2})
    """
    if asked.lower() in METRICS:
        return PRESETS.get(asked.lower(), (asked.lower(), {}))
    if "," in asked:
        raise OptionError(f"there is no metric {asked!r}: put spaces between metrics, no commas")
    known = ", ".join(METRICS)
    raise OptionError(f"there is no metric {asked!r}{nearest(asked, METRICS)}; they are {known}")


def chosen_options(
    given: Given, name: str, used: set[str], leave: Container[str] = ()
) -> dict[str, Any]:
    """Return the options that were given for a metric.

    Args:
        given: the arguments.
        name: the metric's name in the catalogue.
        used: where the names of the arguments that were read are added.
        leave: options not to read, because they are set.
    """
    prefix = CATALOGUE[name].flag
    chosen: dict[str, Any] = {}
    for option in options_of(find_metric(name)):
        value = getattr(given, prefix + option.name, None)
        if value is not None and option.name not in leave:
            chosen[option.name] = value
            used.add(prefix + option.name)
    return chosen


def with_flags(message: str, prefix: str, kind: type[Metric]) -> str:
    """Spell a metric's options as the command line does.

    >>> from bleuet.metrics.bleu import BLEU
    >>> with_flags("BLEU: smooth_value belongs to floor; smooth='exp' takes none", "", BLEU)
    '--smooth-value belongs to floor; --smooth exp takes none'
    >>> with_flags("counted with lowercase=False, and lowercase=True changes it", "", BLEU)
    'counted without --lowercase, and --lowercase changes it'
    """
    metric, colon, rest = message.partition(": ")
    for option in options_of(kind):
        flag = flag_of(prefix, option)
        for python, typed in _spellings(flag, option):
            message = message.replace(python, typed)
        if colon and rest.startswith(f"{option.name} "):
            message = message.replace(f"{metric}: {option.name}", flag, 1)
    return message


def _spellings(flag: str, option: Option) -> Iterator[tuple[str, str]]:
    """Yield how Python writes settings of an option, and what one types for them."""
    name = option.name
    if isinstance(option.default, bool):
        no = f"--no-{flag.removeprefix('--')}"
        if not option.depends:
            yield f" with {name}=False", f" without {flag}"
            no = f"no {flag}"
        yield f" {name}=False", f" {no}"
        yield f" {name}=True", f" {flag}"
    for choice in option.choices:
        yield f" {name}={choice!r}", f" {flag} {choice}"
    yield f" {name}=", f" {flag} "


def target_language(pair: str | None) -> str:
    """Return the two-letter code of a pair's target language, "" where no pair was given.

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
    return _TWO_LETTERS.get(codes[1], codes[1])


def _is_code(code: str) -> bool:
    return code.isascii() and code.isalpha() and 2 <= len(code) <= 3


def refuse_unused(given: Given, used: set[str]) -> None:
    """Refuse options of metrics that were not asked for.

    Raises:
        OptionError: there is one.
    """
    asked = " ".join(given.metrics)
    if given.cumulative and not any(name.lower() == "bleu" for name in given.metrics):
        raise OptionError(_not_asked_for("--cumulative", "bleu", asked))
    unused = {name for name, value in vars(given).items() if value is not None} - used
    if unused <= GENERAL:
        return
    for name, entry in CATALOGUE.items():
        for option in options_of(entry.load()):
            if entry.flag + option.name in unused:
                raise OptionError(_not_asked_for(flag_of(entry.flag, option), name, asked))


def _not_asked_for(flag: str, name: str, asked: str) -> str:
    return (
        f"{flag} is an option of {name}, which is not among the metrics ({asked}): "
        f"add {name} to -m, or leave the option out"
    )
