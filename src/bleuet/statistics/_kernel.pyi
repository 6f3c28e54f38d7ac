"""The native kernel: counters over whole corpora, and arithmetic on columns of numbers.

Column buffers hold one column after the other, 8 bytes a number. `kind` is a kind of
`bleuet.text.segments`. A counter is listed here if it has methods of its own. The same counters in
Python stand beside the metrics, and everything else in `bleuet.statistics.definitions`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from typing_extensions import Buffer

NATIVE: bool
COMPILER: str
SSE2: bool

# What `Segments.content` returns for a kind of segments: a list, or for lines the blocks of bytes
# of each file.
_Content: TypeAlias = Sequence[Any] | tuple[tuple[bytes, ...], ...]

class _ReadReferences:
    """References that a counter has read; each counter has its own class of them."""

    def __len__(self) -> int: ...

class _Counter:
    """What all counters have. Their options are those of their metrics; see `CounterClass`."""

    def __init__(self, **options: Any) -> None: ...
    @property
    def integers(self) -> int: ...
    @property
    def reals(self) -> int: ...
    def table(
        self,
        kind: str,
        hypotheses: _Content,
        references: _Content | _ReadReferences,
        integer_columns: Buffer,
        real_columns: Buffer,
        threads: int = 1,
    ) -> int: ...
    def prepare(self, kind: str, references: _Content, threads: int = 1) -> _ReadReferences: ...
    def row(self, kind: str, hypothesis: Any, references: Any) -> tuple[int | float, ...]: ...

class _PairCounter(_Counter):
    """A counter that can count every hypothesis against every reference."""

    def pairs(
        self,
        kind: str,
        hypotheses: _Content,
        references: _ReadReferences,
        integer_columns: Buffer,
        real_columns: Buffer,
        threads: int = 1,
    ) -> None: ...

# The first word of a hypothesis and how many, the same of a reference, and a kind.
_Aligned: TypeAlias = tuple[int, int, int, int, int]

class _AligningCounter(_PairCounter):
    """A counter that can say which words are aligned with the reference that counts."""

    def align(self, kind: str, hypothesis: Any, references: Any) -> tuple[int, list[_Aligned]]: ...

class BleuCounter(_PairCounter):
    """Lengths, clipped matches and n-gram totals."""

    def self_table(
        self,
        kind: str,
        texts: _Content,
        references: bytes,
        itself: bool,
        integer_columns: Buffer,
        real_columns: Buffer,
        threads: int = 1,
    ) -> list[int]: ...
    def score_pairs(
        self,
        kind: str,
        hypotheses: _Content,
        references: _ReadReferences,
        scorer: BleuScorer,
        scores: Buffer,
        threads: int = 1,
    ) -> None: ...

class MeteorNormalizer:
    """METEOR's own tokenization and normalization, its option `-norm`."""

    def __init__(
        self, prefixes: Mapping[str, bool], language: str, no_punct: bool = False
    ) -> None: ...
    def __call__(self, text: str) -> str: ...

class MeteorLexicon:
    """What METEOR knows of words and phrases."""

    def __init__(self) -> None: ...
    def read(
        self, text: str, describe: Callable[[str], tuple[str, bool, Sequence[int]]]
    ) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...
    def without_words(self) -> MeteorLexicon: ...
    def read_paraphrases(self, part: bytes) -> None: ...
    def close_paraphrases(self) -> int: ...

class MeteorCounter(_PairCounter):
    """Words, chunks and matches of METEOR; segments are numbers of the lexicon's words."""

    def align(self, hypothesis: Sequence[int], reference: Sequence[int]) -> list[_Aligned]: ...

class LearnedReferences(_ReadReferences):
    """The references a metric has learned from, as numbers of their words."""

    @property
    def fingerprint(self) -> str: ...
    @staticmethod
    def join(parts: Sequence[LearnedReferences]) -> LearnedReferences: ...

class _LearningCounter(_Counter):
    """A counter that is made with what it learned, which are references that it has read."""

    learned_type: type[LearnedReferences]

    def prepare(self, kind: str, references: _Content, threads: int = 1) -> LearnedReferences: ...
    def learn(self, kind: str, references: _Content, threads: int = 1) -> LearnedReferences: ...

class CrystalBleuCounter(_LearningCounter):
    """Lengths, clipped matches and n-gram totals, without the most common n-grams."""

    def common(self) -> list[tuple[str | int, ...]]: ...

class AnswerCounter(_PairCounter):
    """The number 1, and what an answer scores against the best right answer."""

class CharacterCounter(_PairCounter):
    """The number 1 and CharacTER's rate."""

    def parts(self, kind: str, hypothesis: Any, references: Any) -> tuple[float, int, int]: ...

class CharCutCounter(_AligningCounter):
    """Characters that are deleted, inserted and shifted."""

class EedCounter(_PairCounter):
    """The number 1 and the extended edit distance."""

    def path(self, kind: str, hypothesis: Any, references: Any) -> tuple[int, float, int]: ...

class BleuScorer:
    """BLEU's formula for single rows and for all rows of a table."""

    def __init__(
        self,
        max_ngram_order: int,
        smooth: str,
        smooth_value: float,
        smooth_unmatched: bool,
        effective_order: bool,
        weights: Sequence[float],
        real_length: bool,
        compensated_sum: bool,
        needs_words: bool,
    ) -> None: ...
    def score(self, values: tuple[int | float, ...]) -> float: ...
    def scores(self, integers: Buffer, reals: Buffer, rows: int, scores: Buffer) -> None: ...

def count_lines(utf8: bytes) -> int: ...
def count_endings(utf8: bytes, ending: bytes) -> int: ...
def tokenize(tokenizer: str, line: str) -> list[str]: ...
def chrf_scores(
    integers: Buffer,
    rows: int,
    scores: Buffer,
    char_order: int,
    word_order: int,
    beta: float,
    eps_smoothing: bool,
) -> None: ...
def ter_scores(integers: Buffer, reals: Buffer, rows: int, scores: Buffer) -> None: ...
def unwritten(numbers: int) -> bytearray: ...
def sum_integers(columns: Buffer, rows: int, initial: list[int]) -> list[int]: ...
def sum_reals(columns: Buffer, rows: int, initial: list[float]) -> list[float]: ...
def select_integers(
    columns: Buffer, rows: int, chosen: Buffer, n_chosen: int, n_columns: int, out: Buffer
) -> None: ...
def select_reals(
    columns: Buffer, rows: int, chosen: Buffer, n_chosen: int, n_columns: int, out: Buffer
) -> None: ...

# A table that rows are drawn from: integers, how many columns, reals, how many columns, and the
# buffers for the sums of both.
_Table: TypeAlias = tuple[Buffer, int, Buffer, int, Buffer, Buffer]

class Pcg64:
    """numpy's stream of random numbers, and sums of rows drawn from it."""

    def __init__(self, seed: Sequence[int]) -> None: ...
    def rows(self, below: int, out: Buffer, count: int) -> None: ...
    def choices(self, out: Buffer, count: int) -> None: ...
    def sum_draws(
        self, tables: Sequence[_Table], rows: int, draws: int, threads: int = 1
    ) -> None: ...
    def sum_choices(
        self, tables: Sequence[_Table], rows: int, draws: int, threads: int = 1
    ) -> None: ...

def exchange_integers(
    chosen: Buffer, taken: Buffer, rows: int, totals: list[int], out: Buffer
) -> None: ...
def exchange_reals(
    chosen: Buffer, taken: Buffer, rows: int, totals: list[float], out: Buffer
) -> None: ...
def sum_given_draws(
    chosen: Buffer, tables: Sequence[_Table], rows: int, draws: int, threads: int = 1
) -> None: ...
def sum_given_choices(
    chosen: Buffer, tables: Sequence[_Table], rows: int, draws: int, threads: int = 1
) -> None: ...

class LineSearch:
    """The line search of tuning over n-best lists; see `bleuet.tuning.line_search`."""

    def __init__(
        self,
        segments: int,
        width: int,
        features: Buffer,
        n_features: int,
        integers: Buffer,
        n_integers: int,
        reals: Buffer,
        n_reals: int,
    ) -> None: ...
    def follow(
        self,
        intercepts: Buffer,
        directions: Buffer,
        n_directions: int,
        first: Buffer,
        threads: int = 1,
    ) -> Intervals: ...

class Intervals:
    """The intervals along each direction in which the choice is the same."""

    @property
    def rows(self) -> int: ...
    def sums(self, starts: Buffer, integers: Buffer, reals: Buffer) -> None: ...
    def best(self, scores: Buffer, window: int, steps: Buffer, values: Buffer) -> None: ...

def weighted_sums(features: Buffer, weights: Buffer, sums: Buffer) -> None: ...

# Texts whose words are numbers: the numbers (32 bits), and where each text ends (64 bits). Of
# references also with which text those of each segment end (64 bits).
_Texts: TypeAlias = tuple[Buffer, Buffer]
_References: TypeAlias = tuple[Buffer, Buffer, Buffer]

def number_words(
    tokenizer: str, lists: Sequence[Sequence[str]]
) -> tuple[list[str], list[tuple[bytearray, bytearray]]]: ...
def replace_numbers(numbers: Buffer, by: Buffer) -> bytearray: ...
def count_words(
    hypotheses: _Texts, references: _References, words: int
) -> tuple[bytearray, bytearray, bytearray]: ...
def surface_errors(
    hypotheses: _Texts, references: _References, lower: Buffer, kinds: Buffer
) -> tuple[tuple[int, int, tuple[int, ...], tuple[int, ...]], ...]: ...
def cut_segments(
    hypothesis: Buffer,
    references: _References,
    edges: Sequence[Buffer],
    characters: tuple[Buffer, Buffer, Buffer, _References],
    report: Callable[[float], object] | None = None,
) -> tuple[int, bytearray]: ...
def match_mean_ngrams(
    hypotheses: _Texts, references: _Texts, weights: Buffer, words: int, order: int
) -> tuple[bytearray, bytearray]: ...
def match_ngrams(
    hypotheses: Sequence[_Texts], references: _References, words: int, longest: int
) -> tuple[bytearray, bytearray, bytearray, bytearray]: ...
def pack_texts(
    vocabulary: Sequence[str],
    hypotheses: Sequence[tuple[Sequence[str], _Texts]],
    references: tuple[Sequence[str], _References],
) -> tuple[bytearray, bytearray, list[tuple[int, int]]]: ...
def first_ngrams(
    numbers: Buffer,
    ranks: Buffer,
    starts: Buffer,
    slices: Sequence[tuple[int, int]],
    length: int,
    limit: int,
) -> list[int]: ...
