"""METEOR (Denkowski and Lavie 2014), with the numbers of METEOR 1.5 and no Java.

The first METEORs (Banerjee and Lavie 2005, Lavie and Agarwal 2007) are versions of it.
"""

from __future__ import annotations

from bleuet.errors import InputError, SignatureError
from bleuet.frozen import cached_property
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import MAX_WEIGHT
from bleuet.metrics.base.score import Score
from bleuet.metrics.base.text_checks import warn_of_references
from bleuet.metrics.meteor.formula import meteor_score
from bleuet.metrics.meteor.parameters import (
    BEAM,
    DATA,
    LANGUAGE_MATCHERS,
    LATEST,
    MATCHERS,
    STAGE_BEAM,
    TASKS,
    VERSIONS,
    Tuned,
    tuned,
)
from bleuet.statistics.backend import backend, kernel_or_definition
from bleuet.text.stemmers import STEMMERS, find_stemmer
from bleuet.text.user_folders import stored_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal, Self

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.marks import Mark
    from bleuet.metrics.base.option import Option
    from bleuet.metrics.base.row_limit import RowLimit
    from bleuet.metrics.base.signature import ParsedSignature
    from bleuet.metrics.meteor.words import MeteorWords
    from bleuet.text.meteor_resources import MeteorResources
    from bleuet.text.wordnet import WordNet

# What options can be besides names of tasks, matchers and files.
ALL, AUTO, NONE, STORED = "all", "auto", "none", "stored"
LANGUAGE_CODES = (*STEMMERS, "cs", "other")
# Bokmål and Nynorsk, which share a stemmer.
NORWEGIAN = {"nb": "no", "nn": "no"}
# METEOR normalizes texts of these.
NORMALIZED = ("en", "cs", "de", "es", "fr", "ru")
WITHOUT_FILES = ("exact", "stem")
# What the first versions do not have.
LATEST_ONLY = ("task", "delta", "weights", "function_words", "no_punct", "characters")
STORE = "bleuet meteor-data --from FILE stores METEOR's"
PENALTY = "gamma * (chunks / matches)^beta"
F_MEAN = "P * R / (alpha * P + (1 - alpha) * R)"


class METEORScore(Score):
    """A METEOR score and its components."""

    components = ("hyp_words", "ref_words", "matches", "chunks")
    metric: METEOR
    values: tuple[int, ...]

    @property
    def hyp_words(self) -> int:
        """Words of the hypotheses."""
        return self.values[-4 if self.metric.characters else 0]

    @property
    def ref_words(self) -> int:
        """The words of the references; in each segment only the best reference counts."""
        return self.values[-3 if self.metric.characters else 1]

    @property
    def matches(self) -> float:
        """Matched words, the mean of hypotheses and references."""
        return sum(self.values[-2 if self.metric.characters else 5 :]) / 2

    @property
    def chunks(self) -> int:
        """Runs of matches in the same order; 0 for a segment that matches in full and in order."""
        return self.values[4]


class METEOR(Metric[METEORScore]):
    """METEOR: words that match exactly, by stem, synonym or paraphrase, and their order.

    METEOR = (1 - gamma * (chunks / matches)^beta) * P * R / (alpha * P + (1 - alpha) * R), in
    percent, where precision P and recall R weight each match by its matcher, and content words
    against function words by delta (Denkowski and Lavie 2014, section 2). With several
    references, a segment counts with the best. Without `resources`, words match exactly or by
    stem, and all words are weighted alike; `bleuet meteor-data` stores METEOR's for every later
    use. `version` selects the METEOR of 2005 or 2007.

    >>> print(METEOR(matchers="exact").corpus_score(["The cat sat down."], ["The cat sat up."]))
    METEOR = 38.21
    """

    version: Literal["1.5", "2007", "2005"] = option(
        default="1.5",
        help="1.5, or that of the paper of 2007 or 2005: stages that map words with the fewest "
        "crossings, no paraphrases, and all words and matches weighted alike",
        key="meteor",
        choices=VERSIONS,
        sign_default=False,
    )
    language: Literal[
        "da",
        "de",
        "en",
        "es",
        "fi",
        "fr",
        "hu",
        "it",
        "nl",
        "no",
        "pt",
        "ro",
        "ru",
        "sv",
        "tr",
        "cs",
        "other",
    ] = option(
        default="en",
        help="code of the language: it decides stemmer, normalization, parameters and files",
        key="lang",
        choices=LANGUAGE_CODES,
    )
    task: Literal["auto", "rank", "adq", "hter", "li", "tune", "util"] = option(
        default="auto",
        help="what the parameters were tuned for: ranking systems, adequacy, HTER, any language, "
        "tuning systems, or use for translators; auto: rank where METEOR has it, otherwise li",
        key="task",
        choices=(AUTO, *TASKS),
        sign_default=False,
    )
    matchers: str = option(
        default=ALL,
        help="what matches: exact, stem, synonym and paraphrase with plus signs between them; "
        "all: those that METEOR has for the language and that resources allow",
        key="match",
        choices=(ALL, *MATCHERS),
        also="several with + between them, such as exact+stem",
    )
    resources: str = option(
        default=NONE,
        help="function words, synonyms and paraphrases: METEOR's jar, or a folder with its files; "
        "stored: those that bleuet meteor-data has stored, the default if it has; for version 2007 "
        "and 2005 also WordNet's folder",
        key="files",
        choices=(NONE,),
        also="stored, a file or folder",
        follows="language",
        default_for=lambda _: STORED if stored_folder(DATA) else NONE,
    )
    function_words: Literal["english", "language"] = option(
        default="english",
        help="english: those of English for every language, as METEOR 1.5 has unless its option -s "
        "names a file; language: those of the language",
        key="func",
        choices=("english", "language"),
        sign_default=False,
    )
    normalize: Literal["full", "lower", "none"] = option(
        default="full",
        help="full: tokenize and normalize as METEOR's -norm does; lower: only lower-case; none: "
        "words as they are, with spaces between them",
        key="norm",
        choices=("full", "lower", "none"),
        follows="language",
        default_for=lambda language: "full" if language in NORMALIZED else "lower",
    )
    no_punct: bool = option(
        default=False,
        help="remove punctuation after normalize=full, as METEOR's -noPunct does",
        key="punct",
        values={"yes": False, "no": True},
        sign_default=False,
    )
    characters: bool = option(
        default=False,
        help="count the characters of words in precision and recall, as METEOR's -ch does",
        key="ch",
        sign_default=False,
    )
    alpha: float | None = option(
        default=None,
        help="weight of recall against precision; none: as tuned",
        key="alpha",
        sign_default=False,
        least=0,
        most=1,
        scoring="one reference",
    )
    beta: float | None = option(
        default=None,
        help="exponent of the fragmentation; none: as tuned",
        key="beta",
        sign_default=False,
        least=0,
        most=MAX_WEIGHT,
        scoring="one reference",
    )
    gamma: float | None = option(
        default=None,
        help="the most that fragmentation can cost; none: as tuned",
        key="gamma",
        sign_default=False,
        least=0,
        most=1,
        scoring="one reference",
    )
    delta: float | None = option(
        default=None,
        help="weight of content words against function words; none: as tuned",
        key="delta",
        sign_default=False,
        least=0,
        most=1,
        scoring="one reference",
    )
    weights: Sequence[float] | None = option(
        default=None,
        help="weight of each matcher; none: as tuned",
        key="weights",
        sign_default=False,
        least=0,
        most=1,
        scoring="one reference",
    )
    beam: int = option(
        default=BEAM,
        help="how many partial alignments the search keeps",
        key="beam",
        sign_default=False,
        least=1,
        most=10_000,
        follows="version",
        default_for=lambda version: BEAM if version == LATEST else STAGE_BEAM,
    )
    counter = CounterClass(
        "bleuet.metrics.meteor.definition:MeteorCounter",
        version=None,
        staged=lambda metric: metric.version != LATEST,
        language=None,
        task=None,
        matchers=lambda metric: list(metric.used_matchers),
        resources=None,
        function_words=None,
        normalize=None,
        no_punct=None,
        weights=lambda metric: metric.parameters[0],
        alpha=lambda metric: metric.parameters[1],
        beta=lambda metric: metric.parameters[2],
        gamma=lambda metric: metric.parameters[3],
        delta=lambda metric: metric.parameters[4],
    )
    score_type = METEORScore
    splits_at_spaces = True
    definition = f"100 * (1 - {PENALTY}) * {F_MEAN}"
    source = (
        "Denkowski and Lavie (2014), Meteor Universal, WMT, section 2; the alignment: Denkowski "
        "and Lavie (2011), Meteor 1.3, WMT, section 2.1; version=2005: Banerjee and Lavie (2005), "
        "METEOR, ACL workshop, section 2.2; version=2007: Lavie and Agarwal (2007), METEOR, WMT"
    )
    needs = (
        "METEOR's jar for function words and synonyms, and its table of paraphrases, which bleuet "
        "meteor-data stores; WordNet's folder instead in version 2005 and 2007"
    )
    same_number = (
        "METEOR 1.5, times 100, with its jar and -norm; version=2005, normalize=lower: NLTK's "
        "meteor_score, times 100, where it follows the paper"
    )

    # --- Options ----------------------------------------------------------------------------------

    def check_options(self) -> None:
        """Reject what METEOR does not have for the language, and a wrong number of weights."""
        names = self.matchers.split("+")
        known = self.matchers == ALL or set(names) <= set(MATCHERS)
        if not known or len(set(names)) < len(names):
            raise self.rejected(
                "matchers",
                f"must be {', '.join(MATCHERS)} with + between them, not {self.matchers!r}",
            )
        if self.version != LATEST:
            self._check_version()
        if "stem" in self.used_matchers and self.language not in STEMMERS:
            raise self.rejected("matchers", f"has no stemmer for the language {self.language}")
        if self.normalize == "full" and self.language not in NORMALIZED:
            raise self.rejected("normalize", f"must be lower or none for {self.language}")
        if self.no_punct and self.normalize != "full":
            raise self.rejected("no_punct", f"needs normalize=full, not {self.normalize}")
        if tuned(self.language, self.used_task, self.version) is None:
            name = "task" if self.version == LATEST else "version"
            raise self.rejected(name, f"has no parameters for the language {self.language}")
        if self.weights is not None and len(self.weights) != len(self.used_matchers):
            raise self.rejected(
                "weights", f"must be as many as matchers, which are {'+'.join(self.used_matchers)}"
            )
        self._check_files()

    def _check_version(self) -> None:
        """Reject what only METEOR 1.5 has."""
        for name in LATEST_ONLY:
            if not self.is_default(self.option_named(name)):
                raise self.rejected(name, f"needs version={LATEST}, not {self.version}")
        if "paraphrase" in self.matchers.split("+"):
            raise self.rejected("matchers", f"has paraphrase, which needs version={LATEST}")

    def _check_files(self) -> None:
        """Reject matchers whose files are missing."""
        needing = [name for name in self.used_matchers if name not in WITHOUT_FILES]
        if self.resources == NONE and needing:
            raise self.rejected(
                "matchers",
                f"has {needing[0]}, which needs resources: {STORE}, or name its jar with "
                "resources=FILE",
            )
        try:
            if self._files is not None:
                self._files.check(needing)
                _ = self._listed_words
        except InputError as error:
            raise self.rejected("resources", f"cannot be used: {error}") from None

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the language, or "other" for one that METEOR does not know."""
        if not language:
            return {}
        language = NORWEGIAN.get(language, language)
        return {"language": language if language in LANGUAGE_CODES else "other"}

    @cached_property
    def used_matchers(self) -> tuple[str, ...]:
        """The names of the matchers, in METEOR's order."""
        if self.matchers != ALL:
            return tuple(name for name in MATCHERS if name in self.matchers.split("+"))
        known = LANGUAGE_MATCHERS.get(self.language, WITHOUT_FILES)
        if self.version != LATEST or not self._may_have_paraphrases:
            known = tuple(name for name in known if name != "paraphrase")
        return tuple(n for n in known if self.resources != NONE or n in WITHOUT_FILES)

    @property
    def _may_have_paraphrases(self) -> bool:
        """Whether stored files have a table for the language; a file that is named must."""
        from bleuet.text.meteor_resources import MeteorResources

        files = self._files if self.resources == STORED else None
        return not isinstance(files, MeteorResources) or files.has_paraphrases()

    @property
    def used_task(self) -> str:
        """The task, or the one that METEOR has for the language."""
        if self.task != AUTO:
            return self.task
        return "rank" if tuned(self.language, "rank") else "li"

    @cached_property
    def parameters(self) -> tuple[list[float], float, float, float, float]:
        """The weights of the matchers, alpha, beta, gamma and delta."""
        usual = tuned(self.language, self.used_task, self.version) or Tuned(
            0, 0, 0, 0, (0, 0, 0, 0)
        )
        weights = self.weights or [usual.weights[MATCHERS.index(n)] for n in self.used_matchers]
        alpha, beta, gamma, delta = (
            float(getattr(usual, name) if getattr(self, name) is None else getattr(self, name))
            for name in ("alpha", "beta", "gamma", "delta")
        )
        return list(weights), alpha, beta, gamma, delta

    def _sign(self, one: Option) -> str:
        if one.name == "resources" and self._files is not None:
            return self._files.fingerprint()
        return super()._sign(one)

    @classmethod
    def _unsign(cls, one: Option, text: str) -> dict[str, Any]:
        if one.name != "resources" or text == NONE:
            return super()._unsign(one, text)
        if stored_folder(DATA) is None:
            raise _other_files(text, "none are stored")
        return {"resources": STORED}

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> Self:
        """Return the metric that a signature describes; its files must be those that are stored.

        Raises:
            SignatureError: a key is missing, a value is unknown, or other files are stored.
        """
        wanted = parsed.pairs.get(cls.option_named("resources").key, "")
        metric = super().from_signature(parsed)
        found = metric._files.fingerprint() if metric._files is not None else NONE
        if found != wanted:
            raise _other_files(wanted, f"{found} is stored")
        return metric

    # --- Scoring ----------------------------------------------------------------------------------

    def sentence_score(self, hypothesis: Any, references: Any) -> METEORScore:
        """Score one hypothesis against one reference, or a list of them.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        score = super().sentence_score(hypothesis, references)
        # It splits punctuation, which matches even where no word does.
        warn_of_references(self, references)
        return score

    @cached_property
    def integer_columns(self) -> tuple[str, ...]:
        """Words, function words, chunks, and per matcher matched content and function words.

        With `characters` these are characters, and the words of both sides and those that match
        follow.
        """
        kinds = ("hyp_content", "ref_content", "hyp_function", "ref_function")
        matched = [f"{kind}_{name}" for name in self.used_matchers for kind in kinds]
        words = ("hyp_words", "ref_words")
        sizes = ("hyp_characters", "ref_characters") if self.characters else words
        last = (*words, "hyp_matched", "ref_matched") if self.characters else ()
        return *sizes, "hyp_function", "ref_function", "chunks", *matched, *last

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return that no more words match than there are."""
        from bleuet.metrics.base.row_limit import RowLimit

        sizes = self.integer_columns[:2]
        limits = []
        for name in self.integer_columns[2:]:
            of = sizes[name.startswith("ref_")]
            if name == "chunks" or name.endswith("_matched"):
                of = "hyp_words" if name.startswith("hyp_") else "ref_words"
            limits.append(RowLimit(name, of))
        return limits

    def formula(self, values: Sequence[int | float]) -> float:
        """Return METEOR in percent (Denkowski and Lavie 2014, section 2)."""
        return meteor_score(values, *self.parameters, self.characters)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add weighted matches of both sides, precision, recall, their mean, and fragmentation."""
        weights, alpha, beta, gamma, delta = self.parameters
        counted = "characters" if self.characters else "words"
        for side, name in enumerate(("hypothesis", "reference")):
            content, function = row[side] - row[2 + side], row[2 + side]
            formula = f"delta * {content} + (1 - delta) * {function}"
            steps.compute(f"w{side}", f"weighted {counted} of the {name}", formula, delta=delta)
            parts = [
                f"{weight!r} * (delta * {row[at + side]} + (1 - delta) * {row[at + 2 + side]})"
                for weight, at in zip(weights, range(5, len(row), 4), strict=False)
                if any(row[at : at + 4])
            ]
            title = f"weighted {counted} of the {name} that match"
            steps.compute(f"m{side}", title, " + ".join(parts) or "0", delta=delta)
        if not (steps["m0"] > 0 and steps["m1"] > 0):
            steps.score(f"{self.name}: nothing matches", "0")
            return
        matched = sum(row[-2 if self.characters else 5 :])
        steps.compute("P", "precision", "m0 / w0", whole=1)
        steps.compute("R", "recall", "m1 / w1", whole=1)
        steps.compute("F", "weighted mean of both", F_MEAN, whole=1, alpha=alpha)
        steps.compute("matches", "words that match, mean of both sides", f"{matched} / 2")
        steps.count("chunks", "runs of matches in the same order", row[4])
        title = "penalty of the fragments"
        steps.compute("penalty", title, PENALTY, whole=1, beta=beta, gamma=gamma)
        steps.score(self.name, "100 * (1 - penalty) * F", whole=100)

    # --- Counting ---------------------------------------------------------------------------------

    @cached_property
    def _files(self) -> MeteorResources | WordNet | None:
        if self.resources == NONE:
            return None
        if self.resources == STORED:
            return self._stored_files()
        if self.version != LATEST:
            from bleuet.text.wordnet import WordNet

            if WordNet.is_at(self.resources):
                return WordNet(self.resources)
        from bleuet.text.meteor_resources import MeteorResources

        return MeteorResources(self.resources, self.language)

    def _stored_files(self) -> MeteorResources:
        from bleuet.text.meteor_resources import MeteorResources

        folder = stored_folder(DATA)
        if folder is None:
            raise self.rejected("resources", f"needs files, and none are stored: {STORE}")
        try:
            return MeteorResources(folder, self.language)
        except InputError as error:
            raise self.rejected("resources", f"cannot be used: {error}") from None

    @cached_property
    def _listed_words(self) -> frozenset[str]:
        """The function words; none without files and in the versions that do not weight them."""
        from bleuet.text.meteor_resources import MeteorResources

        if self.version != LATEST or not isinstance(self._files, MeteorResources):
            return frozenset()
        return self._files.function_words(self.function_words)

    @cached_property
    def tokenize_text(self) -> Callable[[str], str]:
        """The function from text to words with spaces between them."""
        if self.normalize == "full":
            prefixes = self._files.prefixes() if self._files else {}
            normalize: Callable[[str], str] = backend().MeteorNormalizer(
                prefixes, self.language, self.no_punct
            )
            return normalize
        return str.lower if self.normalize == "lower" else str

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the words, and the matches with the best reference."""
        from bleuet.metrics.base.marks import Mark
        from bleuet.metrics.meteor.lexicon import words_of

        ours, *theirs = map(self.tokenize_text, (hypothesis, *references))
        best = 0
        if len(theirs) > 1:
            scores = [self.formula(self._counter.row("tokens", ours, text)) for text in theirs]
            best = scores.index(max(scores))
        marks = [
            Mark(self.used_matchers[matcher], (i, i + n), (j, j + m), best)
            for i, n, j, m, matcher in self._counter.align(ours, theirs[best])
        ]
        return words_of(ours), [words_of(text) for text in theirs], marks

    def _make_counter(self) -> MeteorWords:
        from bleuet.metrics.meteor.words import MeteorWords

        lexicon = kernel_or_definition("bleuet.metrics.meteor.lexicon:MeteorLexicon")()
        counter_class = kernel_or_definition(self.counter.definition)
        options = self.counter.options_of(self)
        files, names = self._files, self.used_matchers
        if files is not None and "paraphrase" in names:
            self._read_paraphrases(files, lexicon)
        return MeteorWords(
            lambda words: counter_class(**options, lexicon=words),
            lexicon,
            self._stemmer() if "stem" in names else None,
            self._listed_words,
            files.synonyms() if files and "synonym" in names else None,
        )

    def _read_paraphrases(self, files: Any, lexicon: Any) -> None:
        for part in files.paraphrases():
            lexicon.read_paraphrases(part)
        try:
            lexicon.close_paraphrases()
        except ValueError as error:
            raise InputError(
                f"{files.paraphrase_file} is not METEOR's table of paraphrases: {error}"
            ) from None

    def _stemmer(self) -> Callable[[str], str]:
        """Return the function from a word to its stem."""
        if self.version == LATEST or self.language != "en":
            return find_stemmer(self.language)
        from bleuet.text.porter import porter_stem

        return lambda word: porter_stem(word.lower())


def _other_files(wanted: str, found: str) -> SignatureError:
    return SignatureError(
        f"the signature's files are {wanted} (a name and the beginning of their SHA-256), and "
        f"{found}: {STORE}, or make the metric with resources='FILE'"
    )
