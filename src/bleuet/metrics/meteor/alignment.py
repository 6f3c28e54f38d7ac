"""The alignment of METEOR, slow and readable, from the definition.

METEOR matches words and phrases of the hypothesis and of one reference, and then searches for the
matches that cover most words in the fewest chunks. How its program breaks ties is no part of its
papers; it was found by comparing outputs, and comments below say what was found.
"""

from __future__ import annotations

from typing import NamedTuple

from bleuet.metrics.meteor.parameters import BEAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# The matchers, in the order in which METEOR applies them.
EXACT, STEM, SYNONYM, PARAPHRASE = range(4)
# Where more words match, only words near the diagonal are compared.
MOST_MATCHES = 1_000_000


class Word(NamedTuple):
    """What is known of a word.

    Attributes:
        text: the word.
        stem: its stem.
        function: whether it is a function word.
        synonyms: the numbers of the sets of synonyms that it is in.
    """

    text: str
    stem: str
    function: bool
    synonyms: tuple[int, ...] = ()

    @property
    def characters(self) -> int:
        """How many numbers of 16 bits the word has in UTF-16, which METEOR takes for characters."""
        return len(self.text.encode("utf-16-le", "surrogatepass")) // 2


class Match(NamedTuple):
    """Words of a hypothesis that match words of a reference.

    Attributes:
        hypothesis: the first word of the hypothesis.
        hypothesis_words: how many words of the hypothesis.
        reference: the first word of the reference.
        reference_words: how many words of the reference.
        matcher: `EXACT`, `STEM`, `SYNONYM` or `PARAPHRASE`.
    """

    hypothesis: int
    hypothesis_words: int
    reference: int
    reference_words: int
    matcher: int

    @property
    def value(self) -> int:
        """What the match adds to the coverage: 1 for each word of both sides.

        A word that does not match exactly counts half, rounded down on each side, so that only
        phrases of two words or more add anything.
        """
        if self.matcher == EXACT:
            return 2
        return self.hypothesis_words // 2 + self.reference_words // 2

    @property
    def distance(self) -> int:
        """How far apart the places of both sides are."""
        return abs(self.hypothesis - self.reference)

    def follows(self, other: Match) -> bool:
        """Whether the match is next to another one on both sides."""
        return (
            other.hypothesis + other.hypothesis_words == self.hypothesis
            and other.reference + other.reference_words == self.reference
        )


class Path(NamedTuple):
    """An alignment of the words of the reference that the search has passed.

    Attributes:
        matches: the matches, in the order of the reference.
        hypothesis_used: which words of the hypothesis are matched, as bits.
        reference_used: which words of the reference are matched, as bits.
        value: the values of the matches.
        chunks: the runs of matches that are next to each other on both sides.
        cost: the distances of matches that were possible and were not taken.
        last: the match before the current word of the reference, if there is one.
    """

    matches: tuple[Match, ...]
    hypothesis_used: int
    reference_used: int
    value: int = 0
    chunks: int = 0
    cost: int = 0
    last: Match | None = None

    def take(self, match: Match, cost: int) -> Path:
        """Return the path with one more match."""
        joined = self.last is not None and match.follows(self.last)
        hypothesis_bits, reference_bits = _bits(match)
        return Path(
            (*self.matches, match),
            self.hypothesis_used | hypothesis_bits,
            self.reference_used | reference_bits,
            self.value + match.value,
            self.chunks + (not joined),
            cost,
            match,
        )

    def allows(self, match: Match) -> bool:
        """Whether all words of a match are free."""
        hypothesis_bits, reference_bits = _bits(match)
        return not (self.hypothesis_used & hypothesis_bits or self.reference_used & reference_bits)

    @property
    def rank(self) -> tuple[int, int, int]:
        """What comes first: more coverage, fewer chunks that have ended, a lower cost."""
        return -self.value, self.chunks - (self.last is not None), self.cost

    @property
    def final_rank(self) -> tuple[int, int, int]:
        """What is chosen first: more coverage, fewer chunks, a lower cost."""
        return -self.value, self.chunks, self.cost


def _bits(match: Match) -> tuple[int, int]:
    return (
        ((1 << match.hypothesis_words) - 1) << match.hypothesis,
        ((1 << match.reference_words) - 1) << match.reference,
    )


def find_matches(
    hypothesis: Sequence[Word],
    reference: Sequence[Word],
    matchers: Sequence[int],
    paraphrases: Mapping[str, Sequence[str]],
    longest_phrase: int,
) -> list[list[Match]]:
    """Return all matches, by the first word of the reference.

    Those of one word come matcher after matcher, and then from left to right.

    Args:
        hypothesis: its words.
        reference: its words.
        matchers: which matchers find matches.
        paraphrases: by each phrase those that it leads to, in the order of the table.
        longest_phrase: words of the longest phrase.
    """
    for reach in reaches(hypothesis, reference):
        found: list[list[Match]] = [[] for _ in reference]
        for matcher in matchers:
            if matcher == PARAPHRASE:
                for match in _phrases(hypothesis, reference, paraphrases, longest_phrase):
                    if match.hypothesis in reach[match.reference]:
                        found[match.reference].append(match)
                continue
            for j, theirs in enumerate(reference):
                for i in reach[j]:
                    if _words_match(matcher, hypothesis[i], theirs):
                        found[j].append(Match(i, 1, j, 1, matcher))
        if sum(map(len, found)) <= MOST_MATCHES:
            break
    return found


def reaches(hypothesis: Sequence[Word], reference: Sequence[Word]) -> Iterator[list[range]]:
    """Yield by each word of the reference the words of the hypothesis to compare it with.

    First these are all, then those near the diagonal, each time half as far from it. On the
    diagonal a text goes along with the other one.
    """
    n, m = len(hypothesis), len(reference)
    far = max(n, m)
    while True:
        diagonal = [j * n // m for j in range(m)]
        yield [range(max(i - far, 0), min(i + far + 1, n)) for i in diagonal]
        if far == 0:
            return
        far //= 2


def _words_match(matcher: int, ours: Word, theirs: Word) -> bool:
    """Return whether two words match; words that are equal only match exactly."""
    if matcher == EXACT or ours.text == theirs.text:
        return matcher == EXACT and ours.text == theirs.text
    if matcher == STEM:
        return ours.stem == theirs.stem
    return not set(ours.synonyms).isdisjoint(theirs.synonyms)


def _phrases(
    hypothesis: Sequence[Word],
    reference: Sequence[Word],
    paraphrases: Mapping[str, Sequence[str]],
    longest: int,
) -> Iterator[Match]:
    """Yield the paraphrases that phrases of the reference lead to, then those of the hypothesis.

    Phrases go from left to right, shorter ones first, and what each leads to comes in the order of
    the table. METEOR counts a pair that the table has in both directions as two matches.
    """
    for n, j, i, m in _led(reference, hypothesis, paraphrases, longest):
        yield Match(i, m, j, n, PARAPHRASE)
    for n, i, j, m in _led(hypothesis, reference, paraphrases, longest):
        yield Match(i, n, j, m, PARAPHRASE)


def _led(
    texts: Sequence[Word],
    others: Sequence[Word],
    paraphrases: Mapping[str, Sequence[str]],
    longest: int,
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the words and the start of a phrase, and the start and the words of its paraphrase."""
    places: dict[str, list[tuple[int, int]]] = {}
    for n, start, text in _spans(others, longest):
        places.setdefault(text, []).append((start, n))
    for n, start, text in _spans(texts, longest):
        for other in paraphrases.get(text, ()):
            for place, m in places.get(other, ()):
                yield n, start, place, m


def _spans(words: Sequence[Word], longest: int) -> Iterator[tuple[int, int, str]]:
    for start in range(len(words)):
        for n in range(1, min(longest, len(words) - start) + 1):
            yield n, start, " ".join([word.text for word in words[start : start + n]])


def align(found: Sequence[Sequence[Match]], beam: int = BEAM) -> list[Match]:
    """Return the best alignment that a beam search finds (Denkowski and Lavie 2011, section 2.1).

    It covers most words, then has the fewest chunks, then the lowest cost.

    Args:
        found: all matches, by the first word of the reference.
        beam: how many partial alignments are kept.

    >>> one = Match(0, 1, 1, 1, EXACT)
    >>> align([[], [one]]) == [one]
    True
    """
    sure = sure_matches(found)
    hypothesis_used = reference_used = 0
    for match in sure.values():
        hypothesis_bits, reference_bits = _bits(match)
        hypothesis_used |= hypothesis_bits
        reference_used |= reference_bits
    paths = [Path((), hypothesis_used, reference_used)]
    for place, matches in enumerate(found):
        paths = _pruned(paths, beam)
        paths = [longer for path in paths for longer in _extended(path, place, matches, sure)]
    return list(min(_pruned(paths, beam), key=lambda path: path.final_rank).matches)


def sure_matches(found: Sequence[Sequence[Match]]) -> dict[int, Match]:
    """Return the matches whose words have no other match, by the first word of the reference.

    METEOR takes these before it searches.
    """
    hypothesis_counts: dict[int, int] = {}
    reference_counts: dict[int, int] = {}
    matches = [match for several in found for match in several]
    for match in matches:
        for i in range(match.hypothesis, match.hypothesis + match.hypothesis_words):
            hypothesis_counts[i] = hypothesis_counts.get(i, 0) + 1
        for j in range(match.reference, match.reference + match.reference_words):
            reference_counts[j] = reference_counts.get(j, 0) + 1
    return {
        match.reference: match
        for match in matches
        if all(hypothesis_counts[match.hypothesis + k] == 1 for k in range(match.hypothesis_words))
        and all(reference_counts[match.reference + k] == 1 for k in range(match.reference_words))
    }


def _pruned(paths: list[Path], beam: int) -> list[Path]:
    """Return the best paths in order; those that are alike stay in the order that they have."""
    return sorted(paths, key=lambda path: path.rank)[:beam]


def _extended(
    path: Path, place: int, matches: Sequence[Match], sure: Mapping[int, Match]
) -> Iterator[Path]:
    """Yield what a path becomes at a word of the reference, in METEOR's order."""
    last = path.last
    if last is not None and last.reference + last.reference_words > place:
        yield path
        return
    if place in sure:
        yield path.take(sure[place], path.cost)
        return
    taken, cost = [], path.cost
    for match in matches:
        if path.allows(match):
            # A match costs the distances of those before it, and no match those of all: METEOR
            # adds the distance to the wrong one of two paths.
            taken.append(path.take(match, cost))
            cost += match.distance
    yield from taken
    yield path._replace(cost=cost, last=None)


def count_chunks(matches: Sequence[Match]) -> int:
    """Return the runs of matches that are next to each other on both sides.

    Args:
        matches: in the order of the reference.
    """
    return sum(i == 0 or not match.follows(matches[i - 1]) for i, match in enumerate(matches))
