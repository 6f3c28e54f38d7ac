"""WER, word error rate, and what is computed from the same edits: CER, MER, WIL, WIP, PER, CDER."""

from __future__ import annotations

from bleuet.errors import InputError, SignatureError
from bleuet.frozen import cached_property
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import CASE
from bleuet.metrics.base.score import Score
from bleuet.metrics.ter.metric import TER
from bleuet.text import segments
from bleuet.text.segments import IDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Literal, Self

    from bleuet.metrics.base.composition import Composition
    from bleuet.metrics.base.counting import Hypotheses, References
    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.marks import Mark
    from bleuet.metrics.base.option import Option
    from bleuet.metrics.wer.alignment import Pair, WordAlignment
    from bleuet.statistics.table import Table
    from bleuet.text.replacements import ReplacementFile

WORDS, CHARACTERS = "words", "char"
# Whose rules of lower case there are.
UNICODE, TURKISH = "unicode", "turkish"
# The value of an option that does nothing.
NONE = "none"
# The mark of a place at which a path of CDER jumps.
JUMP = "jump"
COLUMNS = ("hits", "substitutions", "deletions", "insertions")


FORMULAS = {
    "wer": "100 * (S + D + I) / (H + S + D)",
    "mer": "100 * (S + D + I) / (H + S + D + I)",
    "wil": "100 * (1 - H / (H + S + D) * H / (H + S + I))",
    "wip": "100 * (H / (H + S + D) * H / (H + S + I))",
}
ALIGNMENTS = {
    "none": "of hits H, substitutions S, deletions D and insertions I with the fewest edits",
    "blocks": "of hits H, substitutions S, deletions D and jumps I with the fewest edits, on a "
    "path through the reference that can jump to any word of the hypothesis",
    "free": "where H words are in both, whatever their order, S and D are the other words of the "
    "reference, and I is how many words longer the hypothesis is",
}
SOURCES = {
    "none": "Levenshtein (1966), Binary codes capable of correcting deletions, insertions and "
    "reversals",
    "mer": "Morris, Maier and Green (2004), From WER and RIL to MER and WIL",
    "wil": "Morris, Maier and Green (2004), From WER and RIL to MER and WIL",
    "wip": "Morris, Maier and Green (2004), From WER and RIL to MER and WIL",
    "free": "Tillmann, Vogel, Ney, Zubiaga and Sawaf (1997), Accelerated DP based search for "
    "statistical translation",
    "blocks": "Leusch, Ueffing and Ney (2006), CDER: Efficient MT evaluation using block movements",
}


class WERScore(Score):
    """An error rate and the edits that it is computed from."""

    components = COLUMNS
    metric: WER
    values: tuple[int, ...]

    @property
    def hits(self) -> int:
        """Reference words that the hypothesis has."""
        return self.values[0]

    @property
    def substitutions(self) -> int:
        """Reference words in whose place the hypothesis has another word."""
        return self.values[1]

    @property
    def deletions(self) -> int:
        """Reference words that the hypothesis lacks."""
        return self.values[2]

    @property
    def insertions(self) -> int:
        """Words that only the hypothesis has; with moves="blocks", jumps."""
        return self.values[3]

    def composition(self) -> Composition | None:
        """Return the edits of each kind per reference word, whose sum is the score."""
        from bleuet.metrics.base.composition import SUM, Composition, Factor

        hits, *edits = self.values
        of = {"wer": hits + edits[0] + edits[1], "mer": hits + sum(edits)}.get(self.metric.rate)
        # Without reference words, or as word information, the score is no sum of edits.
        if not of:
            return None
        counted = zip(COLUMNS[1:], edits, strict=True)
        return Composition(SUM, tuple(Factor(name, 100 * own / of) for name, own in counted))


class WER(Metric[WERScore]):
    """Word error rate: edits to the nearest reference per reference word; lower is better.

    An edit substitutes, deletes or inserts a word. With `tokenize="char"` it is CER, the character
    error rate; with other options MER, WIL, WIP, PER or CDER. Of several references, the one with
    the fewest edits counts, the longest of those. Defaults give jiwer's numbers.

    >>> print(WER().corpus_score(["The cat sat down."], ["The cat sat up."]))
    WER = 25.00
    >>> print(WER(moves="free").corpus_score(["sat the cat"], ["the cat sat"]))
    PER = 0.00
    """

    rate: Literal["wer", "mer", "wil", "wip"] = option(
        default="wer",
        help="wer: edits per reference word; mer: edits per edit or hit; wil: the share of word "
        "information that is lost; wip: the share that is preserved, so higher is better",
        key="rate",
        choices=("wer", "mer", "wil", "wip"),
        scoring=True,
    )
    moves: Literal["none", "blocks", "free"] = option(
        default="none",
        help="none: words keep their order; blocks: they move together, for one edit per jump "
        "(CDER); free: their order does not count (PER)",
        key="moves",
        choices=("none", "blocks", "free"),
    )
    lowercase: bool = option(
        default=False, help="lower-case hypotheses and references first", key="case", values=CASE
    )
    casing: Literal["unicode", "turkish"] = option(
        default="unicode",
        help="of lowercase, unicode: I becomes i; turkish: I becomes ı and İ becomes i, as in "
        "Turkish and Azeri, whose language code selects it",
        key="casing",
        choices=(UNICODE, TURKISH),
        sign_default=False,
    )
    tokenize: Literal["words", "char", "ids"] = option(
        default="words",
        help="compare words, characters, or token ids instead of text",
        key="tok",
        choices=(WORDS, CHARACTERS, IDS),
    )
    no_punct: bool = option(
        default=False, help="remove punctuation of all of Unicode", like=TER.no_punct
    )
    whitespace: Literal["jiwer", "single", "none"] = option(
        default="jiwer",
        help="jiwer: words end at spaces and at several characters of white space; single: all "
        "white space between two words counts as one space; none: white space is no character",
        key="space",
        choices=("jiwer", "single", "none"),
    )
    normalize: Literal["none", "english"] = option(
        default="none",
        help="english: write English transcripts in one way first: lower case, no punctuation, "
        "notes in brackets or fillers, contractions in full, numbers as digits",
        key="norm",
        choices=(NONE, "english"),
        sign_default=False,
    )
    replacements: str = option(
        default=NONE,
        help="a file with a word or phrase, a tab and what replaces it on each line; replaced "
        "after lower-casing and normalize",
        key="repl",
        choices=(NONE,),
        also="a file",
        sign_default=False,
    )
    counter = CounterClass(
        "bleuet.metrics.wer.definition:WerCounter",
        tokenize=None,
        casing=None,
        normalize=None,
        replacements=None,
        characters=lambda metric: metric.tokenize == CHARACTERS,
    )
    score_type = WERScore
    integer_columns = COLUMNS

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """Whether larger scores are better, as of WIP alone."""
        return self.rate == "wip"

    @property
    def definition(self) -> str:
        """The formula of the rate, and which alignment counts the edits."""
        return f"{FORMULAS[self.rate]}, {ALIGNMENTS[self.moves]}"

    @property
    def source(self) -> str:
        """The paper of the rate or of the alignment."""
        return SOURCES[self.rate if self.rate != "wer" else self.moves]

    @property
    def same_number(self) -> str:
        """The function of jiwer, which has no alignment with moves."""
        return f"jiwer 4.0.0: {self.name.lower()}, times 100" if self.moves == "none" else ""

    @property
    def name(self) -> str:
        """The printed name: WER, CER, MER, WIL, WIP, PER or CDER."""
        if self.rate != "wer":
            return self.rate.upper()
        if self.moves != "none":
            return {"blocks": "CDER", "free": "PER"}[self.moves]
        return "CER" if self.tokenize == CHARACTERS else "WER"

    def check_options(self) -> None:
        """Reject options of text for token ids, and what is not defined."""
        if self.tokenize == IDS:
            for name in (
                "lowercase",
                "casing",
                "no_punct",
                "whitespace",
                "normalize",
                "replacements",
            ):
                if not self.is_default(self.option_named(name)):
                    raise self.rejected(name, "is for text, and token ids are compared as they are")
        if self.casing == TURKISH and not self.lowercase:
            raise self.rejected("casing", "needs lowercase, whose rules it chooses")
        if self.whitespace == "none" and self.tokenize == WORDS:
            raise self.rejected("whitespace", "would leave one word: use it with tokenize=char")
        if self.moves == "blocks" and self.rate != "wer":
            raise self.rejected("rate", "must be wer with moves=blocks, where jumps are no words")
        try:
            _ = self._replace
        except InputError as error:
            raise self.rejected(
                "replacements", f"must be a file of replacements, but {error}"
            ) from error

    @classmethod
    def made_for(
        cls, options: Mapping[str, Any], *, language: str = "", sentences: bool = False
    ) -> Self:
        """Return the metric with options, and with the lower case of Turkish and Azeri for them."""
        if language and options.get("lowercase"):
            from bleuet.text.casing import DOTTED_AND_DOTLESS_I

            if language in DOTTED_AND_DOTLESS_I:
                options = {"casing": TURKISH, **options}
        return super().made_for(options, language=language, sentences=sentences)

    def _sign(self, one: Option) -> str:
        if one.name == "replacements" and self._replace is not None:
            return self._replace.digest
        return super()._sign(one)

    @classmethod
    def _unsign(cls, one: Option, text: str) -> dict[str, Any]:
        if one.name == "replacements" and text != NONE:
            raise SignatureError(
                f"the signature's replacements are a file ({text}: the beginning of its SHA-256); "
                "make the metric with replacements='FILE'"
            )
        return super()._unsign(one, text)

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the rate in percent.

        As in jiwer, each insertion into empty references counts as 100.
        """
        hits, substitutions, deletions, insertions = values
        errors = substitutions + deletions + insertions
        reference = hits + substitutions + deletions
        if self.rate == "wer":
            return 100 * (errors / reference) if reference else 100.0 * insertions
        if self.rate == "mer":
            return 100 * (errors / (errors + hits)) if errors else 0.0
        preserved = information_preserved(hits, reference, hits + substitutions + insertions)
        return 100 * (preserved if self.rate == "wip" else 1 - preserved)

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        for i, values in enumerate(zip(*map(table.column, COLUMNS), strict=True)):
            scores[i] = self.formula(values)

    @cached_property
    def counted_kind(self) -> str:
        """`TOKEN_IDS` with tokenize="ids", otherwise `TEXT`."""
        return segments.TOKEN_IDS if self.tokenize == IDS else segments.TEXT

    @cached_property
    def _replace(self) -> ReplacementFile | None:
        if self.replacements == NONE:
            return None
        from bleuet.text.replacements import ReplacementFile

        return ReplacementFile(self.replacements)

    @property
    def _lowered(self) -> Callable[[str], str]:
        """The function that lower-cases a text."""
        if self.casing == UNICODE:
            return str.lower
        from bleuet.text.casing import lowered_turkish

        return lowered_turkish

    @cached_property
    def tokenize_text(self) -> Callable[[str], str] | None:
        """The function that normalizes a text and replaces words; None without these options."""
        steps: list[Callable[[str], str]] = [self._lowered] if self.lowercase else []
        if self.normalize != NONE:
            from bleuet.text.english_speech import normalized_speech

            steps.append(normalized_speech)
        if self._replace is not None:
            steps.append(self._replace)
        if steps in ([], [str.lower]):
            return None

        def in_steps(text: str) -> str:
            for step in steps:
                text = step(text)
            return text

        return in_steps

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the words or characters, and the edits to the nearest reference."""
        from bleuet.metrics.base.marks import EQUAL, EXTRA, MISSING, SUBSTITUTED, aligned_marks

        items, several = self._items(hypothesis, references)
        kinds = (EQUAL, SUBSTITUTED, MISSING, EXTRA, JUMP)
        return items, several, aligned_marks(self, hypothesis, references, kinds)[1]

    def alignment(self, hypotheses: Hypotheses, references: References = None) -> WordAlignment:
        """Return which words of each segment are hits, and which are edits.

        Several alignments can have as few edits. This is the one that `marked` shows, and that
        rapidfuzz and jiwer find.

        Args:
            hypotheses: one string per segment, or a whole corpus.
            references: per segment a string or a list of strings; the nearest one is aligned.

        Raises:
            OptionError: words may move, with `moves`.
            InputError: the input cannot be scored; the message says how to fix it.

        >>> found = WER().alignment(["the cat sat up"], ["the old cat sat down"])
        >>> print(*found[0].lines(), sep=chr(10))
        REF: the old cat sat down
        HYP: the *** cat sat up
                 D           S
        >>> found.substitutions, found.deletions, found.score.hits
        ([('down', 'up', 1)], [('old', 1)], 3)
        """
        from bleuet.metrics.wer.alignment import WordAlignment

        if self.moves != "none":
            raise self.rejected("moves", "must be none, because words that move have no columns")
        return WordAlignment(self, self.corpus(hypotheses, references))

    def aligned_pairs(self, hypothesis: Any, references: list[Any]) -> tuple[int, list[Pair]]:
        """Return the number of the nearest reference, from 0, and the pairs of its alignment.

        Args:
            hypothesis: the hypothesis.
            references: its references, at least one.
        """
        ours, several = self._items(hypothesis, references)
        replace = self.tokenize_text or (lambda text: text)
        number, runs = self._counter.align(
            self.counted_kind, replace(hypothesis), [replace(one) for one in references]
        )
        return number, _pairs(ours, several[number], runs)

    def _items(self, hypothesis: Any, references: list[Any]) -> tuple[Any, list[Any]]:
        """Return the words or characters of a hypothesis and of its references."""
        if self.tokenize == IDS:
            return [*map(str, hypothesis)], [[*map(str, one)] for one in references]
        return self._read(hypothesis), [self._read(one) for one in references]

    @cached_property
    def _read(self) -> Callable[[str], Sequence[object]]:
        from bleuet.metrics.wer.definition import WerCounter

        read = WerCounter(**self.counter.options_of(self)).read
        replace = self.tokenize_text or (lambda text: text)
        return lambda text: read(replace(text), reference=False)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the steps of the hits and edits, and of the rate that follows from them."""
        jumps = self.moves == "blocks"
        titles = {
            "H": "hits, which both have",
            "S": "substitutions",
            "D": "deletions, which only the reference has",
            "I": "jumps" if jumps else "insertions, which only the hypothesis has",
        }
        for (symbol, title), value in zip(titles.items(), row, strict=True):
            steps.count(symbol, title, value, whole=sum(row))
        formula = FORMULAS[self.rate]
        if self.rate == "wer" and not sum(row[:3]):
            formula = "100 * I"
        elif not sum(row):
            formula = "100" if self.rate == "wip" else "0"
        elif self.rate in ("wil", "wip") and not row[0]:
            formula = "0" if self.rate == "wip" else "100"
        steps.score(self.name, formula)


def _pairs(ours: Sequence[str], theirs: Sequence[str], runs: Iterable[Sequence[int]]) -> list[Pair]:
    """Return words of the reference, words of the hypothesis, and a letter of "HSDI" of each."""
    pairs: list[Pair] = []
    for i, n, j, m, kind in runs:
        own = ours[i : i + n] if n else (None,) * m
        other = theirs[j : j + m] if m else (None,) * n
        letter = "HSDI"[kind]
        pairs += [(b, a, letter) for a, b in zip(own, other, strict=True)]
    return pairs


def information_preserved(hits: float, reference: float, hypothesis: float) -> float:
    """Return the share of word information that is preserved (Morris, Maier and Green 2004).

    Args:
        hits: words that are right.
        reference: words of the references.
        hypothesis: words of the hypotheses.

    >>> information_preserved(2, 4, 2), information_preserved(0, 0, 0)
    (0.5, 1.0)
    """
    if reference == hypothesis == 0:
        return 1.0
    return (hits / reference) * (hits / hypothesis) if reference and hypothesis else 0.0
