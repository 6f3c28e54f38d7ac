"""The races: who does what on which part of a corpus, and which row of the result it makes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import commands, sacrebleus
from benchmarks import ours as bleuet
from benchmarks.compressing import COMPRESSION, COMPRESSION_TWICE, compression
from benchmarks.others import others
from benchmarks.ours import NAME as BLEUET
from benchmarks.ours import TWO_THREADS
from benchmarks.sacrebleus import NAME as SACREBLEU
from benchmarks.timing import Check, Comparison, Contestant, Race

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchmarks.corpora import Pairs


class Sizes(NamedTuple):
    """How many pairs of a corpus are scored at most, less where sacreBLEU takes long."""

    bleu: int = 30_000
    chrf: int = 1_500
    ter: int = 300
    others: int = 60
    command_line: int = 2_000
    drawn: int = 200_000
    draws: int = 100
    exchanged: int = 2_000
    trials: int = 10_000


class Ground(NamedTuple):
    """What a race is run on: a corpus, sizes, and a folder for files."""

    pairs: Pairs
    sizes: Sizes
    folder: Path


def _race(row: str, pairs: Pairs, runners: Sequence[Contestant], *checks: Check) -> Race:
    """Return a race of sacreBLEU and bleuet with one and with two threads.

    While sacreBLEU runs, the second core falls asleep: what two threads gain over one here is what
    a single call gains on waking it.
    """
    comparisons = [
        Comparison(row, BLEUET, SACREBLEU),
        Comparison(f"{row}, 2 threads on waking", TWO_THREADS, BLEUET),
        Comparison(f"{row}, 2 threads on waking", TWO_THREADS, SACREBLEU),
    ]
    return Race(len(pairs.hypotheses), list(runners), comparisons, checks)


def _corpus(metric: str, row: str, ground: Ground) -> Race:
    size = {"BLEU": ground.sizes.bleu, "TER": ground.sizes.ter}.get(metric, ground.sizes.chrf)
    pairs = ground.pairs.sample(size)
    runners = [
        sacrebleus.corpus_score(metric, pairs),
        bleuet.corpus_score(metric, pairs),
        bleuet.corpus_score(metric, pairs, threads=2),
    ]
    if metric == "BLEU":
        return _race(row, pairs, runners)  # sentence BLEU has a race of its own
    ours = bleuet.sentence_batch(metric, pairs).run
    theirs = sacrebleus.sentence_scores(metric, pairs).run
    return _race(row, pairs, runners, Check(f"sentence {metric}", ours, theirs))


def _threads(ground: Ground) -> Race:
    """One thread and two, back to back; their numbers are sacreBLEU's in the race before.

    Compression, of which threads share nothing, tells what a second core gives at that hour.
    """
    pairs = ground.pairs.sample(ground.sizes.bleu)
    runners = [bleuet.corpus_score("BLEU", pairs, threads=n) for n in (1, 2)]
    rows = [
        Comparison("corpus BLEU, 2 threads", TWO_THREADS, BLEUET),
        Comparison("nothing but compression, 2 threads", COMPRESSION_TWICE, COMPRESSION),
    ]
    contestants = [*runners, *(compression(pairs, threads) for threads in (1, 2))]
    return Race(len(pairs.hypotheses), contestants, rows)


def _prepared(ground: Ground) -> Race:
    pairs = ground.pairs.sample(ground.sizes.bleu)
    runners = [
        sacrebleus.prepared(pairs),
        bleuet.prepared(pairs),
        bleuet.prepared(pairs, threads=2),
    ]
    return _race("corpus BLEU, prepared references", pairs, runners)


def _files(ground: Ground) -> Race:
    pairs = ground.pairs.sample(ground.sizes.bleu)
    hypotheses, references = commands.write(pairs, ground.folder)
    runners = [
        sacrebleus.from_files(hypotheses, references),
        bleuet.from_files(hypotheses, references),
        bleuet.from_files(hypotheses, references, threads=2),
    ]
    return _race("corpus BLEU, from files", pairs, runners)


def _sentences(ground: Ground) -> Race:
    pairs = ground.pairs.sample(ground.sizes.bleu)
    calls = bleuet.sentence_calls(pairs)
    runners = [
        sacrebleus.sentence_scores("BLEU", pairs),
        bleuet.sentence_batch("BLEU", pairs),
        bleuet.sentence_batch("BLEU", pairs, threads=2),
        calls,
    ]
    race = _race("sentence BLEU, batch", pairs, runners)
    one_call = Comparison("sentence BLEU, one call each", calls.name, SACREBLEU)
    return race._replace(comparisons=[*race.comparisons, one_call])


def _draws(ground: Ground) -> Race:
    """An interval from rows that are counted already; a pair of the result is a row drawn.

    The corpus is repeated until it has the rows; with 1,000 draws sacreBLEU would need 10 GB.
    """
    pairs, rows, draws = ground.pairs, ground.sizes.drawn, ground.sizes.draws
    runners = [
        sacrebleus.interval(pairs, rows, draws),
        bleuet.interval(pairs, rows, draws),
        bleuet.interval(pairs, rows, draws, threads=2),
    ]
    race = _race("bootstrap interval of BLEU", pairs, runners)
    return race._replace(pairs=rows * draws, rounds=5)


def _exchanges(ground: Ground) -> Race:
    """A paired test of two systems from texts; a pair of the result is one that changes places."""
    pairs, trials = ground.pairs.sample(ground.sizes.exchanged), ground.sizes.trials
    runners = [
        sacrebleus.randomization(pairs, trials),
        bleuet.randomization(pairs, trials),
        bleuet.randomization(pairs, trials, threads=2),
    ]
    race = _race("approximate randomization, BLEU", pairs, runners)
    return race._replace(pairs=race.pairs * trials, rounds=3)


def _others(metric: str, work: str, ground: Ground) -> Race:
    """The tools whose numbers are their own, on few pairs, for some take milliseconds for one."""
    pairs = ground.pairs.sample(ground.sizes.others)
    if work.startswith("sentence"):
        ours = bleuet.sentence_batch(metric, pairs)
        oracle = sacrebleus.sentence_scores(metric, pairs)
    else:
        ours = bleuet.corpus_score(metric, pairs)
        oracle = sacrebleus.corpus_score(metric, pairs)
    strangers = others(work, pairs)
    comparisons = [Comparison(work, BLEUET, stranger.name) for stranger in strangers]
    runners = [oracle, ours, *strangers]
    return Race(len(pairs.hypotheses), runners, comparisons, rounds=3)


def _command_line(ground: Ground) -> Race:
    pairs = ground.pairs.sample(ground.sizes.command_line)
    hypotheses, references = map(str, commands.write(pairs, ground.folder))
    theirs, ours = [references, "-i", hypotheses], ["score", references, "-i", hypotheses]
    exact = ["-b", "-w", "12"]
    caches = ground.folder / "byte-code"
    scored = partial(commands.scored, caches=caches)
    digits = partial(commands.digits, caches=caches)
    return Race(
        len(pairs.hypotheses),
        [scored("sacrebleu", theirs), scored("bleuet", ours)],
        [Comparison("command line, BLEU", "bleuet", "sacrebleu")],
        [
            Check(
                "command line",
                partial(digits, "bleuet", [*ours, *exact]),
                partial(digits, "sacrebleu", [*theirs, *exact]),
            )
        ],
    )


RACES: dict[str, Callable[[Ground], Race]] = {
    "corpus BLEU": partial(_corpus, "BLEU", "corpus BLEU"),
    "corpus BLEU, 2 threads": _threads,
    "corpus BLEU, prepared references": _prepared,
    "corpus BLEU, from files": _files,
    "sentence BLEU": _sentences,
    "chrF": partial(_corpus, "chrF", "chrF"),
    "chrF++": partial(_corpus, "chrF++", "chrF++"),
    "TER": partial(_corpus, "TER", "TER"),
    "bootstrap interval": _draws,
    "approximate randomization": _exchanges,
    "command line": _command_line,
    "other tools, corpus BLEU": partial(_others, "BLEU", "corpus BLEU"),
    "other tools, sentence BLEU": partial(_others, "BLEU", "sentence BLEU"),
    "other tools, chrF": partial(_others, "chrF", "chrF"),
    "other tools, chrF++": partial(_others, "chrF++", "chrF++"),
    "other tools, TER": partial(_others, "TER", "TER"),
}
