"""The catalogue: every metric by name. A new metric adds one line."""

from __future__ import annotations

from importlib import import_module

from bleuet.errors import BleuetError, OptionError, SignatureError
from bleuet.frozen import Value, checked
from bleuet.messages import nearest, plain_name, shown
from bleuet.metrics.base.signature import (
    ALIGN_KEY,
    FOREIGN_KEYS,
    ParsedSignature,
    Signature,
    is_signature,
)
from bleuet.metrics.neural.published_models import BESIDE, OF_METRICS, SIMILAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bleuet.metrics.base.declared import Declared
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.option import Option
    from bleuet.metrics.base.score import Score


class Entry(Value):
    """One line of the catalogue.

    Args:
        path: where the metric is, as module:class, imported when it is needed.
        group: what kind of metric it is, one of `GROUPS`.
        summary: what it is, in one line.
    """

    path: str
    group: str
    summary: str

    @property
    def class_name(self) -> str:
        """The name of the metric's class."""
        return self.path.partition(":")[2]

    def load(self) -> type[Metric]:
        """Import the metric."""
        found: type[Metric] = getattr(import_module(self.path.partition(":")[0]), self.class_name)
        return found


# The kinds of metrics, in the order in which they are listed.
GROUPS = NGRAMS, EDITS, ALIGNMENT, SUMMARIES, CAPTIONS, ANSWERS, CORRECTIONS, CODE, MODELS = (
    "n-grams",
    "edits",
    "alignment and word order",
    "summaries",
    "image captions",
    "answers to questions",
    "grammatical corrections",
    "source code",
    "neural models",
)

CATALOGUE: dict[str, Entry] = {
    "bleu": Entry("bleuet.metrics.bleu.metric:BLEU", NGRAMS, "clipped word n-gram precision"),
    "mean-bleu": Entry("bleuet.metrics.mean_bleu:MeanBLEU", NGRAMS, "mean of sentence BLEU"),
    "crystal-bleu": Entry(
        "bleuet.metrics.crystal_bleu.metric:CrystalBLEU",
        NGRAMS,
        "BLEU without the most common n-grams",
    ),
    "chrf": Entry("bleuet.metrics.chrf.metric:CHRF", NGRAMS, "character n-gram F-score"),
    "mean-chrf": Entry("bleuet.metrics.mean_chrf:MeanCHRF", NGRAMS, "mean of chrF over segments"),
    "gleu": Entry(
        "bleuet.metrics.gleu.metric:GLEU", NGRAMS, "the smaller of n-gram precision and recall"
    ),
    "nist": Entry(
        "bleuet.metrics.nist.metric:NIST", NGRAMS, "information of the n-grams that match"
    ),
    "ribes": Entry(
        "bleuet.metrics.ribes.metric:RIBES", ALIGNMENT, "the order of the words that match"
    ),
    "hlepor": Entry(
        "bleuet.metrics.hlepor.metric:HLEPOR",
        ALIGNMENT,
        "words that match, their places, and lengths",
    ),
    "meteor": Entry(
        "bleuet.metrics.meteor.metric:METEOR", ALIGNMENT, "words that match, and their order"
    ),
    "ter": Entry("bleuet.metrics.ter.metric:TER", EDITS, "edits per reference word"),
    "wer": Entry("bleuet.metrics.wer.metric:WER", EDITS, "word errors per reference word"),
    "edit-distance": Entry(
        "bleuet.metrics.edit_distance:EditDistance", EDITS, "edits of characters or words, counted"
    ),
    "character": Entry(
        "bleuet.metrics.character.metric:CharacTER",
        EDITS,
        "shifts of words and edits of characters per hypothesis character",
    ),
    "eed": Entry("bleuet.metrics.eed.metric:EED", EDITS, "character edits with jumps at spaces"),
    "charcut": Entry(
        "bleuet.metrics.charcut.metric:CharCut",
        EDITS,
        "characters that are deleted, inserted or shifted",
    ),
    "cider": Entry("bleuet.metrics.cider.metric:CIDEr", CAPTIONS, "similarity of weighted n-grams"),
    "rouge": Entry(
        "bleuet.metrics.rouge.metric:ROUGE", SUMMARIES, "words in common with a summary"
    ),
    "sari": Entry(
        "bleuet.metrics.sari.metric:SARI",
        SUMMARIES,
        "words that a simplification adds, keeps and deletes",
    ),
    "token-f1": Entry(
        "bleuet.metrics.answers.metric:TokenF1", ANSWERS, "F1 of the words of an answer"
    ),
    "exact-match": Entry(
        "bleuet.metrics.answers.metric:ExactMatch", ANSWERS, "answers that are right"
    ),
    "errant": Entry(
        "bleuet.metrics.errant:ERRANT", CORRECTIONS, "edits that an annotator has, of M2 files"
    ),
    "gec-gleu": Entry(
        "bleuet.metrics.gec_gleu:GECGLEU",
        CORRECTIONS,
        "n-grams of a correction, less those of the source that should have gone",
    ),
    "codebleu": Entry(
        "bleuet.metrics.code_bleu.metric:CodeBLEU", CODE, "words, syntax and data flow of code"
    ),
}

# Metrics that neural models compute. They need a model, which most computers do not have, so that
# what goes through all metrics leaves them out.
NEURAL: dict[str, Entry] = {
    "comet": Entry(
        "bleuet.metrics.neural.comet.metric:COMET", MODELS, "what a model predicts of ratings"
    ),
    "bertscore": Entry("bleuet.metrics.neural.bertscore:BERTScore", MODELS, SIMILAR),
    "bleurt": Entry("bleuet.metrics.neural.bleurt:BLEURT", MODELS, BESIDE),
    "metricx": Entry(
        "bleuet.metrics.neural.metricx:MetricX", MODELS, "points off that a model predicts"
    ),
}

# Metrics of texts without references, which `-m` does not name.
WITHOUT_REFERENCES: dict[str, Entry] = {
    "self-bleu": Entry("bleuet.metrics.self_bleu:SelfBLEU", NGRAMS, "how texts repeat each other"),
}

# Names for a metric with some options set: (name in the catalogue, options, summary).
PRESETS: dict[str, tuple[str, dict[str, object], str]] = {
    "bleuberi": (
        "bleu",
        {"smooth": "nmt", "reference_length": "shortest"},
        "BLEU as Hugging Face evaluate's bleu with smooth=True, the reward of BLEUBERI",
    ),
    "chrf++": ("chrf", {"word_order": 2}, "character and word n-gram F-score"),
    "mean-chrf++": ("mean-chrf", {"word_order": 2}, "mean of chrF++ over segments"),
    "cer": ("wer", {"tokenize": "char"}, "character errors per reference character"),
    "mer": ("wer", {"rate": "mer"}, "word errors per aligned word"),
    "wil": ("wer", {"rate": "wil"}, "word information lost"),
    "wip": ("wer", {"rate": "wip"}, "word information preserved"),
    "per": ("wer", {"moves": "free"}, "word errors, without regard to the order of words"),
    "cder": ("wer", {"moves": "blocks"}, "word errors, where blocks of words may move"),
    "cider-d": ("cider", {"variant": "d"}, "CIDEr with clipped counts and a length penalty"),
    "rouge-1": ("rouge", {"variant": "1"}, "words in common with a summary"),
    "rouge-2": ("rouge", {"variant": "2"}, "2-grams in common with a summary"),
    "rouge-3": ("rouge", {"variant": "3"}, "3-grams in common with a summary"),
    "rouge-4": ("rouge", {"variant": "4"}, "4-grams in common with a summary"),
    "rouge-5": ("rouge", {"variant": "5"}, "5-grams in common with a summary"),
    "rouge-l": ("rouge", {"variant": "L"}, "longest common subsequence of words"),
    "rouge-lsum": ("rouge", {"variant": "Lsum"}, "the same, sentence by sentence of a summary"),
    "rouge-w": ("rouge", {"variant": "W"}, "the same, where runs of words count more"),
    "rouge-s": ("rouge", {"variant": "S"}, "pairs of words in order, with gaps"),
    "rouge-su": ("rouge", {"variant": "SU"}, "pairs of words in order, and single words"),
}


# Other names of metrics, as papers and other programs spell them, for what `-m` takes.
ALIASES: dict[str, str] = {
    "rouge1": "rouge-1", "rouge2": "rouge-2", "rougeL": "rouge-l", "rougeLsum": "rouge-lsum",
    "sacrebleu": "bleu", "bleu4": "bleu", "bleu3": "bleu:max_ngram_order=3",
    "bleu2": "bleu:max_ngram_order=2", "bleu1": "bleu:max_ngram_order=1",
    "lcbleu": "bleu:lowercase", "bleu_lc": "bleu:lowercase", "google_bleu": "gleu",
    "chrF2": "chrf", "chrF2++": "chrf++", "chrfpp": "chrf++", "chrf2pp": "chrf++",
    "chrF1": "chrf:beta=1", "chrF3": "chrf:beta=3", "chrF+": "chrf:word_order=1",
    "chrfp": "chrf:word_order=1", "nist_mt": "nist:information=paper",
    "levenshtein": "edit-distance",
    "word_error_rate": "wer", "character_error_rate": "cer", "f1": "token-f1", "em": "exact-match",
    "cometkiwi": "wmt22-cometkiwi-da", "xcomet": "xcomet-xl", "cometinho": "eamt22-cometinho-da",
    "unite": "unite-mup", "sentinel": "sentinel-src-mqm",
    "squad_f1": "token-f1:rules=squad-1.1", "squad_em": "exact-match:rules=squad-1.1",
}  # fmt: skip

# What users mean by names that no metric has, for hints; "" for metrics that only look like one.
SPELLINGS = {
    "sentence-bleu": "bleu with --sentence-level", "sentbleu": "bleu with --sentence-level",
    "sbleu": "bleu with --sentence-level", "mean-sentence-bleu": "mean-bleu",
    "macro-bleu": "mean-bleu", "corpus-bleu": "bleu", "spbleu": "bleu:tokenize=flores200",
    "hter": "ter with post-edited references", "rouge-n": "rouge-2",
    "exact": "exact-match", "bleus": "", "self-bleu": "bleuet diversity",
    "pairwise-bleu": "bleuet diversity", "distinct-n": "bleuet diversity",
    "mwer": "wer with several references", "tp": "",
}  # fmt: skip

# The names of metrics of words and characters; and all that `-m` accepts, in any case and with or
# without hyphens.
NAMES = (*CATALOGUE, *PRESETS)
ALL_NAMES = (*NAMES, *NEURAL, *OF_METRICS, *ALIASES)

# Words of `-m` for several metrics, where a well-known suite says which: the metrics of the graders
# of OpenAI's API of the type `text_similarity`, except cosine and fuzzy_match.
SUITES: dict[str, tuple[str, ...]] = {
    "text-similarity": (
        "bleu", "gleu", "meteor", "rouge-1", "rouge-2", "rouge-3", "rouge-4", "rouge-5", "rouge-l",
    ),
}  # fmt: skip


def known_name(name: object) -> str | None:
    """Return the word of `-m` that a name of a metric stands for, None if no metric has it.

    >>> known_name("ROUGE L"), known_name("sacreBLEU"), known_name("chrF1"), known_name("blurb")
    ('rouge-l', 'bleu', 'chrf:beta=1', None)
    """
    if not isinstance(name, str):
        return None
    word = name.strip().lower()
    return word if word in CATALOGUE else _words_by_plain_name().get(plain_name(word))


def _words_by_plain_name() -> dict[str, str]:
    """Return the words of `-m` by all names of metrics, which no command needs at its start."""
    if not _WORDS:
        _WORDS.update({plain_name(alias): word for alias, word in ALIASES.items()})
        _WORDS.update({plain_name(name): name for name in (*NAMES, *NEURAL, *OF_METRICS)})
    return _WORDS


_WORDS: dict[str, str] = {}


def find_metric(name: str) -> type[Metric[Score]]:
    """Return the class of a metric by its name.

    Raises:
        OptionError: no metric has that name, and the message suggests the nearest; or the name
            stands for a class with options set, which `make_metric` makes.

    >>> find_metric("chrF2").__name__
    'CHRF'
    """
    kind, preset = find_preset(name)
    if preset:
        options = ", ".join(f"{option}={value!r}" for option, value in preset.items())
        raise OptionError(
            f"{shown(name)} is {kind.__name__}({options}), and not a class: use "
            f"make_metric({name!r})"
        )
    return kind


def find_preset(name: str) -> tuple[type[Metric], dict[str, Any]]:
    """Return the class of a metric and the options that its name sets.

    Args:
        name: a name of the catalogue, of a preset or an alias, in any spelling.

    Raises:
        OptionError: no metric has that name; the message suggests the nearest name.

    >>> find_preset("chrF++")[1], find_preset("ROUGE_L")[1]
    ({'word_order': 2}, {'variant': 'L'})
    """
    word = known_name(name)
    if word is None:
        raise _no_metric(name)
    base, _, options = word.partition(":")
    preset: dict[str, Any] = {}
    if base in OF_METRICS:
        base, preset = OF_METRICS[base].metric, {"model": base}
    elif base in PRESETS:
        base, preset, _ = PRESETS[base]
    kind = entry_of(base).load()
    return kind, {**preset, **parse_options(kind, options)}


def is_neural(word: str) -> bool:
    """Return whether a word of `-m` names a neural metric, or is the signature of one.

    >>> is_neural("comet:model=a"), is_neural("XCOMET-XL"), is_neural("bleu")
    (True, True, False)
    """
    base = (known_name(word.partition(":")[0]) or "").partition(":")[0]
    return base in NEURAL or base in OF_METRICS or "|weights:" in word


def entry_of(name: str) -> Entry:
    """Return the line of a metric in the catalogue, of words or neural."""
    return CATALOGUE[name] if name in CATALOGUE else NEURAL[name]


def summary_of(name: str) -> str:
    """Return what a metric is, in one line.

    Args:
        name: one of `ALL_NAMES` that is no alias.

    >>> summary_of("chrf++")
    'character and word n-gram F-score'
    """
    if name in NEURAL:
        return NEURAL[name].summary
    if name in OF_METRICS:
        return OF_METRICS[name].summary
    return CATALOGUE[name].summary if name in CATALOGUE else PRESETS[name][2]


def _no_metric(name: object, more: str = "") -> OptionError:
    words = name.split() if isinstance(name, str) else []
    apart = len(words) > 1 and all(known_name(word.partition(":")[0]) for word in words)
    hint = next(
        filter(
            None,
            (
                nearest(str(name), names, SPELLINGS)
                for names in (NAMES, ALIASES, (*NEURAL, *OF_METRICS))
            ),
        ),
        "",
    )
    if "," in str(name):
        hint = "; put spaces between metrics"
    elif apart:
        hint = f"; write several metrics without quotes, as in -m {' '.join(words)}"
    return OptionError(
        f"there is no metric {shown(name)}{hint}: `bleuet metrics` lists the metrics{more}"
    )


@checked
def make_metric(name: str, **options: Any) -> Metric[Score]:
    """Make a metric by its name.

    Args:
        name: any name of a metric, such as "chrf++" or "rougeL". Options can follow after a colon
            as on the command line, and it can be a signature.
        options: options of the metric, which replace those of the name. Every metric takes
            `trg_lang`, the code of the target language, which decides options that are not set,
            such as the tokenizer.

    Raises:
        OptionError: there is no such metric or option, or it does not accept the value.

    >>> make_metric("chrf++", beta=3).name, make_metric("ROUGE-L:stemming").name
    ('chrF3++', 'ROUGE-L')
    >>> make_metric("meteor", trg_lang="hi").language
    'other'
    """
    kind, preset, named = metric_parts(name)
    passed = {**preset, **named, **options}
    if "trg_lang" not in passed or "trg_lang" in kind.declared:
        return kind(**passed)
    from bleuet.text.languages import checked_language

    try:
        language = checked_language(passed.pop("trg_lang"))
    except ValueError as error:
        raise OptionError(str(error), metric=kind.__name__, option="trg_lang") from None
    return kind.made_for(passed, language=language)


@checked
def metric_from_signature(signature: str | Signature) -> Metric[Score]:
    """Return the metric that a signature describes.

    Args:
        signature: a signature of bleuet or sacreBLEU, with long or short keys, with or without
            the name of the metric before it. Those of sacreBLEU 1, such as
            `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.1`, need the name.

    Raises:
        SignatureError: no metric of the catalogue has these keys, or a value is unknown.

    >>> metric_from_signature("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0").lowercase
    True
    """
    text = signature.full() if isinstance(signature, Signature) else signature
    parsed = ParsedSignature(text)
    kind, described = _described_by(parsed)
    metric = kind.from_signature(described)
    align = described.take(ALIGN_KEY, optional=True)
    described.finish()
    return metric if align is None else metric.with_align(align)


def _described_by(parsed: ParsedSignature) -> tuple[type[Metric], ParsedSignature]:
    """Return the metric whose keys fit a signature best, and the signature with its long keys."""
    nearest_kind: tuple[int, type[Metric], ParsedSignature] | None = None
    for entry in (*CATALOGUE.values(), *WITHOUT_REFERENCES.values(), *NEURAL.values()):
        kind = entry.load()
        described = parsed.with_long_keys(kind.short_keys)
        keys = described.pairs.keys() - FOREIGN_KEYS - {ALIGN_KEY}
        known = {one.key for one in kind.options if one.key}
        needed = {one.key for one in kind.options if one.key and one.sign_default}
        distance = len(needed - keys) + len(keys - known)
        if keys & known and (nearest_kind is None or distance < nearest_kind[0]):
            nearest_kind = distance, kind, described
            if not distance:
                break
    if nearest_kind is None:
        raise SignatureError(
            f"no metric has a signature with only the keys {', '.join(parsed.pairs)}: copy the "
            "whole signature as it was printed"
        )
    return nearest_kind[1:]


# --- Metrics as text ------------------------------------------------------------------------------


def parse_metric(text: str, *, language: str = "", sentences: bool = False) -> Metric[Any]:
    r"""Make a metric from one word, as `-m` of every command takes it.

    The word is any name of a metric. Options can follow after a colon, with commas between them:
    `bleu:smooth=floor,max_ngram_order=2`. A switch needs no value (`bleu:lowercase`), but can have
    yes or no. Several numbers have slashes between them (`weights=0.5/0.5`). A comma in a value is
    written `\,`; colons and equals signs in a value are written as they are
    (`tokenize=spm:a.model`). The word can also be a whole signature.

    Args:
        text: the word.
        language: code of the target language; it decides options that the word does not set.
        sentences: whether segments are scored one by one, which decides such options too.

    Raises:
        OptionError: there is no such metric, option or value; the message names the nearest.
        SignatureError: it is a signature that describes no metric.

    >>> parse_metric("chrf++:beta=3").name
    'chrF3++'
    >>> parse_metric("bleu:max-ngram-order=2,weights=0.5/0.5,lowercase").weights
    (0.5, 0.5)
    """
    kind, preset, options = metric_parts(text)
    return kind.made_for({**preset, **options}, language=language, sentences=sentences)


def name_and_options(
    metric: Metric[Any], names: Iterable[str] = NAMES, *, sentences: bool = False
) -> tuple[str, dict[str, Any]]:
    """Return the name of a metric, and the options that it needs beside the name.

    Args:
        metric: the metric.
        names: the names to choose from.
        sentences: whether the options that suit sentences are left out too.

    Raises:
        OptionError: no name of the catalogue stands for a metric of its kind.

    >>> name_and_options(make_metric("chrf++", beta=3))
    ('chrf++', {'beta': 3})
    >>> name_and_options(parse_metric("bleu:lowercase", sentences=True), sentences=True)
    ('bleu', {'lowercase': True})
    """
    suited = metric.suited_to(language="", sentences=True) if sentences else {}
    found = []
    for name in names:
        kind, preset = find_preset(name)
        if kind is not type(metric) or any(getattr(metric, k) != v for k, v in preset.items()):
            continue
        options = {
            one.name: value
            for one in kind.options
            for value in [getattr(metric, one.name)]
            if one.name not in preset
            and not (value == suited[one.name] if one.name in suited else metric.is_default(one))
        }
        found.append((len(options), name, options))
    if not found:
        raise OptionError(f"{metric!r} is not a metric of the catalogue: pass one of its metrics")
    return min(found, key=lambda one: one[:2])[1:]


def each_metric(words: Iterable[str]) -> list[str]:
    """Return words of `-m` with the metrics of a suite in its place.

    Raises:
        OptionError: a suite has options, which belong to each of its metrics.

    >>> each_metric(["ter", "text-similarity"])[:3]
    ['ter', 'bleu', 'gleu']
    """
    found: list[str] = []
    for word in words:
        name, colon, options = word.partition(":")
        suite = _suite(name)
        if suite and colon:
            raise OptionError(
                f"{name} stands for the metrics {', '.join(suite)}, so it cannot have the options "
                f"{options!r}: name the metrics, each with its options"
            )
        found += suite or [word]
    return found


def _suite(name: str) -> tuple[str, ...]:
    plain = plain_name(name)
    return next((metrics for suite, metrics in SUITES.items() if plain_name(suite) == plain), ())


def metric_parts(text: str) -> tuple[type[Metric[Any]], dict[str, Any], dict[str, Any]]:
    """Return the class of a metric, the options that its name sets, and those that a text gives.

    Args:
        text: as for `parse_metric`; a signature gives all options.

    Raises:
        OptionError, SignatureError: as `parse_metric`.

    >>> metric_parts("chrf++:beta=3")[1:]
    ({'word_order': 2}, {'beta': 3})
    """
    name, _, rest = text.strip().partition(":")
    if known_name(name) is not None:
        kind, preset = find_preset(name)
        return kind, preset, parse_options(kind, rest)
    if is_signature(text):
        metric = metric_from_signature(text)
        return type(metric), {}, metric.option_values()
    if name.lower() == "all":
        raise OptionError(
            "there is no metric 'all': name the metrics that answer your question, which `bleuet "
            "metrics` lists: with all of them, some would differ by chance alone, and some need "
            "extra files"
        )
    if suite := _suite(name):
        raise OptionError(
            f"{name} stands for several metrics, but one is expected: {', '.join(suite)}"
        )
    raise _no_metric(name, ", and options follow a colon, as in bleu:lowercase")


def signed_references(text: str) -> str:
    """Return the number of references that a signature has, "" for other words of `-m`.

    Args:
        text: as for `parse_metric`.

    >>> signed_references("BLEU|nrefs:var|case:mixed"), signed_references("bleu:lowercase")
    ('var', '')
    """
    if not is_signature(text) or known_name(text.partition(":")[0]) is not None:
        return ""
    try:
        return ParsedSignature(text).n_references
    except SignatureError:
        return ""


def parse_options(kind: type[Declared], text: str) -> dict[str, Any]:
    """Return the values of options that a text gives, such as `smooth=floor,lowercase`.

    Args:
        kind: the class of a metric, or of another value with options.
        text: the text, as after the colon of `parse_metric`.

    Raises:
        OptionError: there is no such option, it appears twice, or its value has the wrong type.

    >>> parse_options(find_metric("bleu"), "smooth=floor,lowercase")
    {'smooth': 'floor', 'lowercase': True}
    """
    chosen: dict[str, Any] = {}
    option: Option | None = None
    for piece in _pieces(text):
        key, equals, value = piece.partition("=")
        if option is not None and option.many and key.strip().replace(".", "", 1).isdigit():
            raise OptionError(
                f"needs slashes between its numbers, as in {option.name}=0.5/0.5: commas separate "
                f"options",
                metric=kind.__name__,
                option=option.name,
                value=text,
            )
        option = kind.option_named(key.strip().replace("-", "_"))
        if option.name in chosen:
            raise OptionError(
                "appears twice: use it once",
                metric=kind.__name__,
                option=option.name,
                value=value,
            )
        chosen[option.name] = option.read(value.strip() if equals else None, kind.__name__)
    return chosen


def _pieces(text: str) -> list[str]:
    r"""Split at commas that do not follow a backslash.

    >>> _pieces("a=1,b=c\\,d")
    ['a=1', 'b=c,d']
    """
    mark = "\0"
    pieces = text.replace("\\,", mark).split(",")
    return [piece.replace(mark, ",") for piece in pieces if piece.strip()]


def spelled(error: BleuetError) -> str:
    """Return an error's message with the option as the command line spells it.

    >>> try:
    ...     parse_metric("chrf:beta=-1")
    ... except OptionError as error:
    ...     print(spelled(error))
    chrf:beta must be a finite number from 0 to 1000, not -1
    """
    entries = {**CATALOGUE, **NEURAL}
    name = next((n for n, entry in entries.items() if entry.class_name == error.metric), "")
    return error.naming(f"{name}:{error.option}" if name else error.option)
