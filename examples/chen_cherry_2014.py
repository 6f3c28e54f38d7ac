"""Agreement of smoothed sentence BLEU with human judgments: the segments of Chen and Cherry (2014).

Their table 2 gives Kendall's tau (equation 12) between sentence BLEU and pairwise judgments of WMT,
into English, without smoothing (0) and with seven smoothings. This counts the systems of WMT 2012
and 2013 once, scores the counts with every smoothing, and prints tau beside the paper's. The column
"literal" has the tau of the formulas as the paper prints them (chen-cherry-1-literal and so on):

    python examples/chen_cherry_2014.py FOLDER

FOLDER contains wmt12/XX-en and wmt13/XX-en, each with ref.en.txt.gz, systems/NAME.en.txt.gz and
pairs.tsv.gz (segment, better system, worse system; segments count from 0).
"""

from __future__ import annotations

import argparse
import gzip
import sys
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from bleuet import BLEU, BleuetError
from bleuet.meta_evaluation import AgreementSettings, PairwiseJudgments, ScoreMatrix, agreement

SMOOTHINGS = ["none", *(f"chen-cherry-{n}" for n in range(1, 8))]
# Table 2 of the paper: WMT 2012 and 2013, with Russian, which is not among these sets.
PAPERS = dict(
    zip(SMOOTHINGS, [0.165, 0.224, 0.226, 0.224, 0.228, 0.234, 0.230, 0.236], strict=True)
)
LITERAL = {name: name if name == "none" else f"{name}-literal" for name in SMOOTHINGS}
SETS = ("wmt12", "wmt13")


class Tau(NamedTuple):
    """Kendall's tau and half the width of its 95% interval."""

    value: float
    half_width: float


def read_lines(path: Path) -> list[str]:
    """Return the lines of a compressed file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.removesuffix("\n") for line in file]


def taus_of(folder: Path, draws: int, threads: int) -> dict[str, Tau]:
    """Return tau by smoothing of one language pair."""
    files = sorted((folder / "systems").glob("*.gz"))
    systems = tuple(file.name.partition(".")[0] for file in files)
    references = read_lines(folder / "ref.en.txt.gz")
    # Smoothing 7 needs one more order of n-grams than the others, so all can use its counts.
    counter = BLEU(smooth="chen-cherry-7")
    prepared = counter.prepare_references(references, threads=threads)
    tables = [counter.count(read_lines(file), prepared, threads=threads) for file in files]
    rows = [line.split("\t") for line in read_lines(folder / "pairs.tsv.gz")[1:]]
    judgments = PairwiseJudgments.from_better_worse(
        [(int(segment), better, worse) for segment, better, worse in rows],
        segments=len(references),
    )
    found = {}
    for smoothing in dict.fromkeys([*SMOOTHINGS, *LITERAL.values()]):
        metric = BLEU(smooth=smoothing)
        scores = np.array([metric.segment_scores(table).values for table in tables])
        tau = agreement(
            "tau", judgments, ScoreMatrix(systems, scores), AgreementSettings(draws=draws)
        )
        assert tau.low is not None
        assert tau.high is not None
        found[smoothing] = Tau(tau.value, (tau.high - tau.low) / 2)
    return found


def mean_of(taus: list[Tau]) -> Tau:
    """Return the mean of independent figures."""
    half_width = sqrt(sum(tau.half_width**2 for tau in taus)) / len(taus)
    return Tau(sum(tau.value for tau in taus) / len(taus), half_width)


def show(taus: dict[str, dict[str, list[Tau]]]) -> None:
    """Print one line per smoothing: the mean of each set's language pairs, and of all."""
    table = Table(title="Kendall's tau of sentence BLEU with human judgments, into English")
    for heading in ("smoothing", *SETS, "all", "literal", "paper"):
        table.add_column(heading, justify="left" if heading == "smoothing" else "right")
    for smoothing in SMOOTHINGS:
        by_set = [taus[name][smoothing] for name in SETS]
        means = [mean_of(found) for found in (*by_set, [*by_set[0], *by_set[1]])]
        cells = [f"{tau.value:.3f} ± {tau.half_width:.3f}" for tau in means]
        literal = mean_of([tau for name in SETS for tau in taus[name][LITERAL[smoothing]]])
        table.add_row(smoothing, *cells, f"{literal.value:.3f}", f"{PAPERS[smoothing]:.3f}")
    Console(width=84).print(table)


def main() -> int:
    """Compute tau for every set and smoothing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder with wmt12 and wmt13")
    parser.add_argument("--draws", type=int, default=1000, help="bootstrap draws (default: 1000)")
    parser.add_argument("--threads", type=int, default=0, help="default: one per core")
    args = parser.parse_args()
    taus: dict[str, dict[str, list[Tau]]] = {}
    for name in SETS:
        taus[name] = {}
        pairs = sorted((args.folder / name).glob("*-en"))
        if not pairs:
            raise FileNotFoundError(f"no language pairs XX-en were found in {args.folder / name}")
        for folder in pairs:
            for smoothing, tau in taus_of(folder, args.draws, args.threads).items():
                taus[name].setdefault(smoothing, []).append(tau)
    show(taus)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, BleuetError) as error:
        sys.exit(f"error: {error}")
