"""The tasks: what each tool runs on which part of a corpus, and the rows of the result."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks import (
    bleuet_runs,
    commands,
    jiwer_runs,
    marks_runs,
    matrix_runs,
    mbrs_runs,
    meteor_runs,
    mweralign_runs,
    other_metrics,
    rapidfuzz_runs,
    reward_runs,
    rouge_score_runs,
    sacrebleu_runs,
    self_bleu_runs,
)
from benchmarks.bleuet_runs import NAME as BLEUET
from benchmarks.bleuet_runs import TWO_THREADS
from benchmarks.compression import COMPRESSION, COMPRESSION_TWICE, compression
from benchmarks.corpora import generated
from benchmarks.other_tools import (
    crystalbleu,
    has_torchmetrics,
    nltk_nist,
    nltk_ribes,
    others,
    pycocoevalcap_cider,
    torchmetrics_squad,
)
from benchmarks.sacrebleu_runs import NAME as SACREBLEU
from benchmarks.timing import Check, Comparison, Runner, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchmarks.corpora import Pairs


class Sizes(NamedTuple):
    """The largest number of pairs that are scored; smaller where sacreBLEU is slow."""

    bleu: int = 30_000
    chrf: int = 1_500
    ter: int = 300
    wer: int = 3_000
    aligned: int = 1_000
    others: int = 60
    command_line: int = 2_000
    drawn: int = 200_000
    draws: int = 100
    exchanged: int = 2_000
    trials: int = 10_000
    self_bleu: int = 100_000
    matrix: int = 256
    mbr: int = 20
    marked: int = 6


class Setup(NamedTuple):
    """What a task runs on: a corpus, sizes, and a folder for files."""

    pairs: Pairs
    sizes: Sizes
    folder: Path


def _task(row: str, pairs: Pairs, runners: Sequence[Runner], *checks: Check) -> Task:
    """Return a task of sacreBLEU and bleuet with one and with two threads.

    While sacreBLEU runs, the second core is idle, so two threads gain here what a single call gains
    that starts with an idle core.
    """
    comparisons = [
        Comparison(row, BLEUET, SACREBLEU),
        Comparison(f"{row}, 2 threads after idling", TWO_THREADS, BLEUET),
        Comparison(f"{row}, 2 threads after idling", TWO_THREADS, SACREBLEU),
    ]
    return Task(len(pairs.hypotheses), list(runners), comparisons, checks)


def _corpus(metric: str, row: str, setup: Setup) -> Task:
    size = {"BLEU": setup.sizes.bleu, "TER": setup.sizes.ter}.get(metric, setup.sizes.chrf)
    pairs = setup.pairs.sample(size)
    runners = [
        sacrebleu_runs.corpus_score(metric, pairs),
        bleuet_runs.corpus_score(metric, pairs),
        bleuet_runs.corpus_score(metric, pairs, threads=2),
    ]
    if metric == "BLEU":
        return _task(row, pairs, runners)  # sentence BLEU is another task
    ours = bleuet_runs.sentence_batch(metric, pairs).run
    theirs = sacrebleu_runs.sentence_scores(metric, pairs).run
    return _task(row, pairs, runners, Check(f"sentence {metric}", ours, theirs))


def _threads(setup: Setup) -> Task:
    """One thread and two, in turn; the task before compares their scores with sacreBLEU's.

    The speed-up of compression, where threads share nothing, shows what a second core gives now.
    """
    pairs = setup.pairs.sample(setup.sizes.bleu)
    runners = [bleuet_runs.corpus_score("BLEU", pairs, threads=n) for n in (1, 2)]
    rows = [
        Comparison("corpus BLEU, 2 threads", TWO_THREADS, BLEUET),
        Comparison("only compression, 2 threads", COMPRESSION_TWICE, COMPRESSION),
    ]
    runners = [*runners, *(compression(pairs, threads) for threads in (1, 2))]
    return Task(len(pairs.hypotheses), runners, rows)


def _prepared(setup: Setup) -> Task:
    pairs = setup.pairs.sample(setup.sizes.bleu)
    runners = [
        sacrebleu_runs.prepared(pairs),
        bleuet_runs.prepared(pairs),
        bleuet_runs.prepared(pairs, threads=2),
    ]
    return _task("corpus BLEU, prepared references", pairs, runners)


def _files(setup: Setup) -> Task:
    pairs = setup.pairs.sample(setup.sizes.bleu)
    hypotheses, references = commands.write(pairs, setup.folder)
    runners = [
        sacrebleu_runs.from_files(hypotheses, references),
        bleuet_runs.from_files(hypotheses, references),
        bleuet_runs.from_files(hypotheses, references, threads=2),
    ]
    return _task("corpus BLEU, from files", pairs, runners)


def _sentences(setup: Setup) -> Task:
    pairs = setup.pairs.sample(setup.sizes.bleu)
    calls = bleuet_runs.sentence_calls(pairs)
    runners = [
        sacrebleu_runs.sentence_scores("BLEU", pairs),
        bleuet_runs.sentence_batch("BLEU", pairs),
        bleuet_runs.sentence_batch("BLEU", pairs, threads=2),
        calls,
    ]
    task = _task("sentence BLEU, batch", pairs, runners)
    one_call = Comparison("sentence BLEU, one call each", calls.name, SACREBLEU)
    return task._replace(comparisons=[*task.comparisons, one_call])


def _draws(setup: Setup) -> Task:
    """A bootstrap interval from counted rows; times are per drawn row.

    The corpus is repeated until it has enough rows. With 1,000 draws sacreBLEU would need 10 GB.
    """
    pairs, rows, draws = setup.pairs, setup.sizes.drawn, setup.sizes.draws
    runners = [
        sacrebleu_runs.interval(pairs, rows, draws),
        bleuet_runs.interval(pairs, rows, draws),
        bleuet_runs.interval(pairs, rows, draws, threads=2),
    ]
    task = _task("bootstrap interval of BLEU", pairs, runners)
    return task._replace(pairs=rows * draws, rounds=5)


def _exchanges(setup: Setup) -> Task:
    """A paired test of two systems from texts; times are per pair and trial."""
    pairs, trials = setup.pairs.sample(setup.sizes.exchanged), setup.sizes.trials
    runners = [
        sacrebleu_runs.randomization(pairs, trials),
        bleuet_runs.randomization(pairs, trials),
        bleuet_runs.randomization(pairs, trials, threads=2),
    ]
    task = _task("approximate randomization, BLEU", pairs, runners)
    return task._replace(pairs=task.pairs * trials, rounds=3)


def _not_in_sacrebleu(peer: Any, metric: str, setup: Setup) -> Task:
    """A metric that sacreBLEU does not have, compared with the program of a module of runs."""
    pairs = setup.pairs.sample(setup.sizes.wer)
    ours = [bleuet_runs.corpus_score(metric, pairs, threads=threads) for threads in (1, 2)]
    comparisons = [
        Comparison(metric, BLEUET, peer.NAME),
        Comparison(f"{metric}, 2 threads after idling", TWO_THREADS, peer.NAME),
    ]
    runners = [peer.corpus_score(metric, pairs), *ours]
    return Task(len(pairs.hypotheses), runners, comparisons)


def _edit_distance(setup: Setup) -> Task:
    """The sum of all edit distances, one thread on both sides."""
    pairs = setup.pairs.sample(setup.sizes.wer)
    theirs = rapidfuzz_runs.edit_distances(pairs)
    runners = [bleuet_runs.corpus_score("edit distance", pairs), *theirs]
    rows = [Comparison("edit distance", BLEUET, other.name) for other in theirs]
    return Task(len(pairs.hypotheses), runners, rows)


def _others(metric: str, work: str, setup: Setup) -> Task:
    """Tools with other scores, on few pairs because some take milliseconds for each."""
    pairs = setup.pairs.sample(setup.sizes.others)
    if work.startswith("sentence"):
        ours = bleuet_runs.sentence_batch(metric, pairs)
        oracle = sacrebleu_runs.sentence_scores(metric, pairs)
    else:
        ours = bleuet_runs.corpus_score(metric, pairs)
        oracle = sacrebleu_runs.corpus_score(metric, pairs)
    different = others(work, pairs)
    comparisons = [Comparison(work, BLEUET, tool.name) for tool in different]
    runners = [oracle, ours, *different]
    return Task(len(pairs.hypotheses), runners, comparisons, rounds=3)


def _rewards(setup: Setup) -> Task:
    """Sentence BLEU as a reward of a batch, and of one text after the other."""
    pairs = setup.pairs.sample(setup.sizes.chrf)
    theirs = [reward_runs.sacrebleu_rewards(pairs), *others("sentence BLEU", pairs)]
    ours = [reward_runs.of_a_batch(pairs), reward_runs.of_one_call_each(pairs)]
    rows = ("rewards, a batch", "rewards, one call each")
    comparisons = [
        Comparison(row, one.name, other.name)
        for row, one in zip(rows, ours, strict=True)
        for other in theirs
    ]
    return Task(len(pairs.hypotheses), [*theirs, *ours], comparisons)


def _of_words(
    peer: Callable[[Pairs], Runner], metric: str, setup: Setup, digits: int | None = None
) -> Task:
    """The number of another tool, perhaps rounded."""
    pairs = setup.pairs.sample(setup.sizes.chrf)
    theirs = peer(pairs)
    ours = [bleuet_runs.corpus_score(metric, pairs, threads=threads) for threads in (1, 2)]
    rows = [
        Comparison(metric, BLEUET, theirs.name),
        Comparison(f"{metric}, 2 threads after idling", TWO_THREADS, theirs.name),
    ]
    runners = [_rounded(one, digits) for one in (*ours, theirs)]
    return Task(len(pairs.hypotheses), runners, rows, rounds=5)


def _other_metric(metric: str, setup: Setup) -> Task:
    """The number of a metric's program; the last digits may differ."""
    runners, size = other_metrics.runners(metric, setup.pairs.sample(setup.sizes.chrf))
    rows = [Comparison(metric, BLEUET, runners[0].name)]
    return Task(size, [_rounded(one, 9) for one in runners], rows, rounds=5)


def _matrix(metric: str, setup: Setup) -> Task:
    """Every hypothesis against every reference; times are per pair."""
    size = min(matrix_runs.SIZES[metric], setup.sizes.matrix)
    pairs = setup.pairs.sample(size)
    theirs = [matrix_runs.sacrebleu(metric, pairs)]
    if metric == "chrF":
        theirs += matrix_runs.fastchrf(pairs)
    row = f"matrix of {metric}"
    comparisons = [Comparison(row, BLEUET, other.name) for other in theirs]
    comparisons.append(Comparison(f"{row}, 2 threads after idling", TWO_THREADS, BLEUET))
    runners = [theirs[0], *[matrix_runs.ours(metric, pairs, n) for n in (1, 2)], *theirs[1:]]
    return Task(len(pairs.hypotheses) ** 2, runners, comparisons, rounds=3)


def _mbr(metric: str, setup: Setup) -> Task:
    """Candidates of some sources, each against each; times are per source."""
    pairs = setup.pairs.sample(setup.sizes.mbr)
    runners = [mbrs_runs.ours(metric, pairs), mbrs_runs.theirs(metric, pairs)]
    row = f"minimum Bayes risk by {metric}, {mbrs_runs.CANDIDATES} candidates"
    comparisons = [Comparison(row, BLEUET, mbrs_runs.NAME)]
    return Task(len(pairs.hypotheses), runners, comparisons, rounds=3)


def _marks(metric: str, setup: Setup) -> Task:
    """What `explain` shows of a segment; times are per segment."""
    pairs = setup.pairs.sample(setup.sizes.marked)
    runners = [
        marks_runs.marks(marks_runs.DEFINITIONS, metric, pairs, python=True),
        marks_runs.marks(BLEUET, metric, pairs),
    ]
    rows = [Comparison(f"marks of {metric}", BLEUET, marks_runs.DEFINITIONS)]
    return Task(marks_runs.segments(pairs), runners, rows, rounds=3)


def _self_bleu(peer: Callable[[list[str]], Runner], texts: int, setup: Setup) -> Task:
    """Each text against all others."""
    chosen = setup.pairs.sample(min(texts, setup.sizes.self_bleu)).hypotheses
    theirs = peer(chosen)
    row = f"Self-BLEU, {len(chosen):,} texts"
    runners = [self_bleu_runs.ours(BLEUET, lambda: chosen), theirs]
    return Task(len(chosen), runners, [Comparison(row, BLEUET, theirs.name)], rounds=3)


def _growing(texts: int, setup: Setup) -> Task:
    """Each text against all others, in sets of growing size; times are per text."""
    size = min(texts, setup.sizes.self_bleu)
    # Made when they are needed, which takes seconds.
    chosen = cache(lambda: generated(size).hypotheses)
    runners = [
        self_bleu_runs.ours(BLEUET, chosen),
        self_bleu_runs.ours(TWO_THREADS, chosen, threads=2),
    ]
    row = f"Self-BLEU, {size:,} texts, 2 threads"
    return Task(size, runners, [Comparison(row, TWO_THREADS, BLEUET)], rounds=3)


def _rounded(runner: Runner, digits: int | None) -> Runner:
    if digits is None:
        return runner
    return runner._replace(run=lambda: [round(value, digits) for value in runner.run()])


def _alignment(setup: Setup) -> Task:
    """Re-segmentation: the time per pair grows with the number of pairs."""
    pairs = setup.pairs.sample(setup.sizes.aligned)
    runners = [mweralign_runs.theirs(pairs), mweralign_runs.ours(pairs)]
    rows = [Comparison("re-segmentation", BLEUET, mweralign_runs.NAME)]
    return Task(len(pairs.hypotheses), runners, rows, rounds=3)


def _command_line(setup: Setup) -> Task:
    pairs = setup.pairs.sample(setup.sizes.command_line)
    hypotheses, references = map(str, commands.write(pairs, setup.folder))
    theirs, ours = [references, "-i", hypotheses], ["score", references, "-i", hypotheses]
    exact = ["-b", "-w", "12"]
    caches = setup.folder / "byte-code"
    scored = partial(commands.scored, caches=caches)
    digits = partial(commands.digits, caches=caches)
    return Task(
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


TASKS: dict[str, Callable[[Setup], Task]] = {
    "corpus BLEU": partial(_corpus, "BLEU", "corpus BLEU"),
    "corpus BLEU, 2 threads": _threads,
    "corpus BLEU, prepared references": _prepared,
    "corpus BLEU, from files": _files,
    "sentence BLEU": _sentences,
    "rewards": _rewards,
    "chrF": partial(_corpus, "chrF", "chrF"),
    "chrF++": partial(_corpus, "chrF++", "chrF++"),
    "TER": partial(_corpus, "TER", "TER"),
    "WER": partial(_not_in_sacrebleu, jiwer_runs, "WER"),
    "CER": partial(_not_in_sacrebleu, jiwer_runs, "CER"),
    "edit distance": _edit_distance,
    **{
        metric: partial(_not_in_sacrebleu, rouge_score_runs, metric)
        for metric in rouge_score_runs.VARIANTS
    },
    **{
        metric: partial(_of_words, partial(meteor_runs.corpus_score, metric), metric, digits=9)
        for metric in meteor_runs.VARIANTS
        if meteor_runs.is_there()
    },
    "NIST": partial(_of_words, nltk_nist, "NIST"),
    "CrystalBLEU": partial(_of_words, crystalbleu, "CrystalBLEU", digits=11),
    "CIDEr-D": partial(_of_words, pycocoevalcap_cider, "CIDEr-D", digits=11),
    "RIBES": partial(_of_words, nltk_ribes, "RIBES"),
    **(
        {"exact match": partial(_of_words, torchmetrics_squad, "exact match", digits=4)}
        if has_torchmetrics()
        else {}
    ),
    **{metric: partial(_other_metric, metric) for metric in other_metrics.metrics()},
    **{f"matrix of {metric}": partial(_matrix, metric) for metric in matrix_runs.SIZES},
    **{
        f"minimum Bayes risk by {metric}": partial(_mbr, metric)
        for metric in mbrs_runs.METRICS
        if mbrs_runs.is_there()
    },
    **{f"marks of {metric}": partial(_marks, metric) for metric in marks_runs.METRICS},
    "Self-BLEU beside NLTK": partial(_self_bleu, self_bleu_runs.nltk, 100),
    **(
        {"Self-BLEU beside fast-bleu": partial(_self_bleu, self_bleu_runs.fast_bleu, 1000)}
        if self_bleu_runs.has_fast_bleu()
        else {}
    ),
    **{
        f"Self-BLEU of {texts:,} texts": partial(_growing, texts)
        for texts in (100, 1_000, 10_000, 100_000)
    },
    "re-segmentation": _alignment,
    "bootstrap interval": _draws,
    "approximate randomization": _exchanges,
    "command line": _command_line,
    "other tools, corpus BLEU": partial(_others, "BLEU", "corpus BLEU"),
    "other tools, sentence BLEU": partial(_others, "BLEU", "sentence BLEU"),
    "other tools, chrF": partial(_others, "chrF", "chrF"),
    "other tools, chrF++": partial(_others, "chrF++", "chrF++"),
    "other tools, TER": partial(_others, "TER", "TER"),
}
