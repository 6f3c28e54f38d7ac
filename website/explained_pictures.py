"""Draw the pictures of `docs/explained`: `python -m website.explained_pictures`.

All numbers are bleuet's, on the example corpus or on the sentences below.

Every picture is an SVG file that makes no request. Its colours follow the reader's light or dark
scheme. The screenshots of a report are made with `--screenshots` only, because they need Chromium.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape

import bleuet
from bleuet import BLEU
from bleuet.significance import Evaluation, TestSettings, bootstrap_interval, paired_test
from bleuet.statistics.resampling import Resampler, exchanged
from website.svg import document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.significance import Interval, PairedResults

REPOSITORY = Path(__file__).parent.parent
FOLDER = REPOSITORY / "docs" / "pictures" / "explained"
EXAMPLES = REPOSITORY / "examples"
SCREENSHOTS = ("report.png", "report-sentences.png")

# The sentence that docs/explained/bleu.md counts by hand.
REFERENCE = "the old man feeds the birds in the park"
HYPOTHESIS = "the old man feeds the the the birds"

FERRY = "The ferry to the island leaves at 9 in the morning."
CHANGES = {
    "one number is wrong": "The ferry to the island leaves at 8 in the morning.",
    "the opposite is said": "The ferry to the island never leaves at 9 in the morning.",
    "lower case": FERRY.lower(),
    "another word order": "At 9 in the morning the ferry leaves to the island.",
    "other word endings": "The ferries to the islands leaving at 9 in the mornings.",
    "a good paraphrase": "Every morning a boat sails to the island at nine.",
    "the second half is missing": "The ferry to the island.",
    "everything is said twice": f"{FERRY} {FERRY}",
}

STYLE = (
    "text{font-family:system-ui,sans-serif}line{stroke-width:1.5}.paper{fill:var(--paper)}"
    + "".join(
        f".{name}{{fill:var(--{name})}}line.{name},.{name}.outline{{stroke:var(--{name})}}"
        for name in ("ink", "muted", "line", "ok", "move", "one", "two")
    )
    + ".outline{fill:none;stroke-width:2}"
)


def lines_of(name: str) -> list[str]:
    """Return the lines of a file of the example corpus."""
    return (EXAMPLES / name).read_text(encoding="utf-8").split("\n")[:-1]


def mixed_system() -> list[str]:
    """Return system A with every fifth line of system B: it is truly a little worse than A."""
    pairs = zip(lines_of("system-a.txt"), lines_of("system-b.txt"), strict=True)
    return [b if number % 5 == 0 else a for number, (a, b) in enumerate(pairs, 1)]


class Picture:
    """An SVG picture.

    Args:
        width: the width in pixels.
        height: the height in pixels.
        title: what the picture shows, in a few words.
        description: what a reader learns who cannot see it.
    """

    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        self.title = title
        self._size = width, height
        self._description = description
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        words: str,
        colour: str = "ink",
        *,
        anchor: str = "start",
        size: int = 14,
        bold: bool = False,
    ) -> None:
        """Write words; `y` is the line that they stand on."""
        weight = ' font-weight="600"' if bold else ""
        self._parts.append(
            f'<text class="{colour}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
            f'font-size="{size}"{weight}>{escape(words)}</text>'
        )

    def bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a filled bar."""
        self._parts.append(
            f'<rect class="{colour}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" rx="1.5"/>'
        )

    def box(self, x: float, y: float, width: float, height: float, colour: str, dash: str) -> None:
        """Draw the outline of a box; `dash` is empty for a whole line."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<rect class="{colour} outline" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" rx="5"{dashes}/>'
        )

    def line(
        self, x: float, y: float, to_x: float, to_y: float, colour: str, dash: str = ""
    ) -> None:
        """Draw a line."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<line class="{colour}" x1="{x:.1f}" y1="{y:.1f}" '
            f'x2="{to_x:.1f}" y2="{to_y:.1f}"{dashes}/>'
        )

    def svg(self) -> str:
        """Return the file."""
        width, height = self._size
        paper = f'<rect class="paper" width="{width}" height="{height}"/>'
        return document(width, height, self.title, STYLE, [paper, *self._parts], self._description)


class Gram(NamedTuple):
    """An n-gram of a hypothesis, and whether it counts."""

    words: str
    kind: str  # match, clipped or missing


def grams_of(hypothesis: str, reference: str, order: int) -> list[Gram]:
    """Return the n-grams of a hypothesis; of those that repeat, the reference's number match."""

    def ngrams(text: str) -> list[str]:
        words = text.split()
        return [" ".join(words[i : i + order]) for i in range(len(words) - order + 1)]

    left = Counter(ngrams(reference))
    in_reference = set(left)
    found = []
    for gram in ngrams(hypothesis):
        kind = "match" if left[gram] > 0 else "clipped" if gram in in_reference else "missing"
        left[gram] -= 1
        found.append(Gram(gram, kind))
    return found


def clipping() -> Picture:
    """Draw every n-gram of the sentence, and which of them count."""
    score = BLEU().sentence_score(HYPOTHESIS, REFERENCE)
    picture = Picture(
        900,
        262,
        "Which n-grams count",
        "All 1-grams to 4-grams of the hypothesis. Matches have a solid frame, those that are "
        "clipped a dashed frame, and those that the reference does not have a dotted frame. "
        f"Matches are {', '.join(map(str, score.counts))} of {', '.join(map(str, score.totals))}.",
    )
    style = {"match": ("ok", ""), "clipped": ("move", "7 4"), "missing": ("muted", "2 4")}
    for order, (count, total) in enumerate(zip(score.counts, score.totals, strict=True), 1):
        grams = grams_of(HYPOTHESIS, REFERENCE, order)
        if (count, total) != (sum(gram.kind == "match" for gram in grams), len(grams)):
            message = f"order {order}: the picture does not count as bleuet does"
            raise ValueError(message)
        y, x = 14 + 52 * (order - 1), 96.0
        picture.text(14, y + 21, f"{order}-grams", "muted")
        for gram in grams:
            colour, dash = style[gram.kind]
            width = 7.1 * len(gram.words) + 14
            picture.box(x, y, width, 30, colour, dash)
            picture.text(x + width / 2, y + 20, gram.words, anchor="middle", size=13)
            x += width + 7
        picture.text(886, y + 21, f"{count} of {total}", anchor="end", bold=True, size=16)
    for x, kind, words in (
        (96.0, "match", "counts"),
        (250.0, "clipped", "in the reference, but not so often"),
        (570.0, "missing", "not in the reference"),
    ):
        colour, dash = style[kind]
        picture.box(x, 230, 30, 18, colour, dash)
        picture.text(x + 38, 244, words, "muted", size=13)
    return picture


def from_precisions_to_score() -> Picture:
    """Draw the precisions, their geometric mean, the brevity penalty and the score."""
    score = BLEU().sentence_score(HYPOTHESIS, REFERENCE)
    average = score.score / score.bp
    steps = [
        *((f"{n}-gram precision", value, "one") for n, value in enumerate(score.precisions, 1)),
        ("geometric mean of the four", average, "two"),
        (f"times brevity penalty {score.bp:.3f}", score.score, "ok"),
    ]
    picture = Picture(
        760,
        44 * len(steps) + 22,
        "From precisions to BLEU",
        "; ".join(f"{name} {value:.1f}" for name, value, _ in steps),
    )
    for number, (name, value, colour) in enumerate(steps):
        y = 16 + 44 * number
        picture.text(230, y + 20, name, anchor="end")
        picture.bar(244, y, 4.4 * value, 29, colour)
        picture.text(252 + 4.4 * value, y + 20, f"{value:.1f}", bold=True)
    return picture


def signed(number: float) -> str:
    """Return a number with two digits and the sign of mathematics."""
    return f"{number:.2f}".replace("-", "\N{MINUS SIGN}")


class Bins(NamedTuple):
    """How many values are in each bucket, from the lowest bucket to the highest."""

    start: float
    width: float
    counts: list[int]


def bins_of(values: Sequence[float], start: float, width: float, number: int) -> Bins:
    """Count values in buckets of one width; values outside are in the first or last bucket."""
    places = Counter(min(number - 1, max(0, int((value - start) // width))) for value in values)
    return Bins(start, width, [places[place] for place in range(number)])


class Histogram:
    """A histogram with an axis, in which lines mark values."""

    def __init__(self, picture: Picture, bins: Bins, top: float, height: float) -> None:
        self._picture, self._bins = picture, bins
        self._left, self._right = 40.0, 720.0
        self.top, self.bottom = top, top + height
        self._scale = height / max(bins.counts)

    def x(self, value: float) -> float:
        """Return the place of a value."""
        bins = self._bins
        share = (value - bins.start) / (bins.width * len(bins.counts))
        return self._left + share * (self._right - self._left)

    def draw(self, ticks: Sequence[float], unit: str, outside: tuple[float, float] | None) -> None:
        """Draw the bars; those that are not between two values have another colour."""
        bins, picture = self._bins, self._picture
        for place, count in enumerate(bins.counts):
            low = bins.start + place * bins.width
            middle = low + bins.width / 2
            inside = outside is None or outside[0] <= middle <= outside[1]
            left, right = self.x(low) + 0.7, self.x(low + bins.width) - 0.7
            tall = count * self._scale
            picture.bar(left, self.bottom - tall, right - left, tall, "one" if inside else "move")
        picture.line(self._left, self.bottom, self._right, self.bottom, "muted")
        for tick in ticks:
            picture.text(
                self.x(tick),
                self.bottom + 19,
                f"{tick:g}".replace("-", "\N{MINUS SIGN}"),
                "muted",
                anchor="middle",
            )
        picture.text(self._right, self.bottom + 38, unit, "muted", anchor="end", size=13)

    def mark(self, value: float, words: str, row: int = 0, anchor: str = "start") -> None:
        """Mark a value by a line with words at its top."""
        x, y = self.x(value), self.top - 20 - 19 * row
        self._picture.line(x, y - 8, x, self.bottom, "ink", "5 4")
        self._picture.text(x + (6 if anchor == "start" else -6), y, words, anchor=anchor, bold=True)


def sentences_and_corpus() -> Picture:
    """Draw the sentence scores of a system, their mean and the score of the corpus."""
    system, references = lines_of("system-a.txt"), lines_of("reference-1.txt")
    values = list(BLEU(effective_order=True).sentence_scores(system, references).values)
    corpus = BLEU().corpus_score(system, references).score
    picture = Picture(
        760,
        292,
        "Sixty sentence scores and one corpus score",
        f"A histogram of 60 sentence scores from {min(values):.1f} to {max(values):.1f}. Their "
        f"mean is {mean(values):.2f}; the score of the corpus is {corpus:.2f}.",
    )
    histogram = Histogram(picture, bins_of(values, 0, 5, 20), 66, 170)
    histogram.draw(range(0, 101, 20), "BLEU of a sentence", None)
    histogram.mark(mean(values), f"mean of the sentences {mean(values):.2f}", anchor="end")
    histogram.mark(corpus, f"corpus {corpus:.2f}", row=1)
    return picture


def one_output_many_scores() -> Picture:
    """Draw BLEU of one output with several settings."""
    system = lines_of("system-a.txt")
    one, two = lines_of("reference-1.txt"), lines_of("reference-2.txt")
    both = [list(pair) for pair in zip(one, two, strict=True)]
    scores = {
        "default: 13a, one reference": BLEU().corpus_score(system, one).score,
        "tokenize=intl": BLEU(tokenize="intl").corpus_score(system, one).score,
        "tokenize=none": BLEU(tokenize="none").corpus_score(system, one).score,
        "tokenize=char": BLEU(tokenize="char").corpus_score(system, one).score,
        "lowercase": BLEU(lowercase=True).corpus_score(system, one).score,
        "two references": BLEU().corpus_score(system, both).score,
        "the second reference alone": BLEU().corpus_score(system, two).score,
        "a good translation: reference 2 as system": BLEU().corpus_score(two, one).score,
    }
    return bars("One output, many scores", scores)


def bars(title: str, scores: dict[str, float]) -> Picture:
    """Draw one bar for each score."""
    description = "; ".join(f"{name}: {value:.2f}" for name, value in scores.items())
    picture = Picture(760, 36 * len(scores) + 20, title, description)
    for number, (name, value) in enumerate(scores.items()):
        y = 14 + 36 * number
        picture.text(310, y + 17, name, anchor="end")
        picture.bar(322, y, 5.2 * value, 24, "ok" if name.startswith("a good") else "one")
        picture.text(330 + 5.2 * value, y + 17, f"{value:.2f}", bold=True)
    return picture


class Draws(NamedTuple):
    """Two systems on the example corpus, and what is drawn from them."""

    scores: list[float]  # of 1,000 bootstrap draws of system A
    differences: list[float]  # of the same draws
    exchanged: list[float]  # of 10,000 trials of a randomization
    bootstrap: PairedResults
    randomization: PairedResults


def draws_of_two_systems() -> Draws:
    """Draw as `bleuet significance` does: the same draws, so that pictures and p-values agree."""
    metric, references = BLEU(), lines_of("reference-1.txt")
    systems = {"system-a": lines_of("system-a.txt"), "mixed": mixed_system()}
    evaluation = Evaluation.count([metric], systems, references)
    tables = [evaluation.tables[name][0] for name in systems]
    a, mixed = (
        list(metric.segment_scores(sums).values) for sums in Resampler(12345).draw(tables, 1000)
    )
    chosen = Resampler(12345).choose(tables, 10_000)
    mine, others = zip(tables, chosen, strict=True)
    swapped = (
        metric.segment_scores(exchanged(x, y)).values for x, y in ((mine, others), (others, mine))
    )
    return Draws(
        a,
        [y - x for x, y in zip(a, mixed, strict=True)],
        [y - x for x, y in zip(*swapped, strict=True)],
        paired_test(evaluation, TestSettings(test="bootstrap", draws=1000)),
        paired_test(evaluation, TestSettings(test="randomization", draws=10_000)),
    )


def interval_of_a() -> Interval:
    """Return the confidence interval of system A."""
    corpus = bleuet.Corpus(lines_of("system-a.txt"), lines_of("reference-1.txt"))
    return bootstrap_interval(BLEU(), BLEU().table(corpus))


def interval_picture(draws: Draws) -> Picture:
    """Draw the scores of bootstrap draws, and the interval."""
    found = interval_of_a()
    picture = Picture(
        760,
        292,
        "BLEU of 1,000 redrawn test sets",
        f"A histogram of the scores of system A on 1,000 redrawn test sets. The score is "
        f"{found.score:.2f}; 95% of the draws are between {found.low:.2f} and {found.high:.2f}.",
    )
    histogram = Histogram(picture, bins_of(draws.scores, 29, 0.5, 32), 66, 170)
    histogram.draw(range(30, 46, 3), "BLEU of system A", (found.low, found.high))
    histogram.mark(found.low, f"{found.low:.2f}", anchor="end")
    histogram.mark(found.high, f"{found.high:.2f}")
    histogram.mark(found.score, f"test set {found.score:.2f}", row=1)
    return picture


def difference_picture(draws: Draws) -> Picture:
    """Draw the differences of the same draws."""
    found = draws.bootstrap.comparison("system-a", "mixed")
    low, high = found.low or 0.0, found.high or 0.0
    picture = Picture(
        760,
        292,
        "The difference on the same 1,000 test sets",
        f"A histogram of the difference of two systems on 1,000 redrawn test sets. It is "
        f"{found.difference:.2f} on the test set; 95% of the draws are between {low:.2f} and "
        f"{high:.2f}, and 0 is outside.",
    )
    histogram = Histogram(picture, bins_of(draws.differences, -8, 0.25, 40), 66, 170)
    histogram.draw(range(-8, 3, 2), "BLEU of the mixed system minus BLEU of system A", (low, high))
    histogram.mark(low, signed(low), anchor="end")
    histogram.mark(high, signed(high), anchor="end")
    histogram.mark(0, "0: no difference", row=1)
    histogram.mark(found.difference, f"test set {signed(found.difference)}", row=1, anchor="end")
    return picture


def randomization_picture(draws: Draws) -> Picture:
    """Draw the differences after random exchanges."""
    found = draws.randomization.comparison("system-a", "mixed")
    size = abs(found.difference)
    beyond = sum(abs(value) >= size - 1e-9 for value in draws.exchanged)
    picture = Picture(
        760,
        292,
        "Differences that chance alone makes",
        f"A histogram of the differences after 10,000 random exchanges. In {beyond} of them the "
        f"difference is at least {size:.2f}, in one direction or the other.",
    )
    histogram = Histogram(picture, bins_of(draws.exchanged, -5, 0.25, 40), 66, 170)
    histogram.draw(range(-4, 5, 2), "difference after a random exchange", (-size, size))
    histogram.mark(found.difference, f"observed {signed(found.difference)}", anchor="end")
    histogram.mark(size, f"as large: {size:.2f}")
    histogram.mark(0, f"{beyond:,} of 10,000 trials are outside the lines", row=1, anchor="middle")
    return picture


def sizes_picture() -> Picture:
    """Draw the interval of a score on the first segments of the example corpus, and on copies."""
    metric = BLEU()
    table = metric.table(bleuet.Corpus(lines_of("system-a.txt"), lines_of("reference-1.txt")))
    picture = Picture(
        760,
        268,
        "More segments, narrower intervals",
        "The width of the 95% interval falls with the square root of the number of segments.",
    )
    for row, copies in enumerate((1, 4, 16, 64)):
        copied = table.select([place for _ in range(copies) for place in range(table.rows)])
        found = bootstrap_interval(metric, copied)
        y = 26 + 54 * row

        def x(score: float) -> float:
            return 190 + (score - 31) * 42

        picture.text(170, y + 16, f"{copied.rows:,} segments", anchor="end")
        picture.bar(x(found.low), y + 5, x(found.high) - x(found.low), 12, "one")
        picture.line(x(found.score), y - 4, x(found.score), y + 26, "ink")
        picture.text(
            x(found.high) + 12, y + 17, f"{found.low:.1f} to {found.high:.1f}", "muted", size=13
        )
    picture.text(746, 252, "BLEU of system A, 95% interval", "muted", anchor="end", size=13)
    return picture


METRICS = ("bleu:effective_order", "chrf", "ter", "rouge-l")
METRIC_NAMES = ("BLEU", "chrF", "TER", "ROUGE-L")


def scores_of_changes() -> dict[str, tuple[float, ...]]:
    """Return the scores of each changed sentence by four metrics."""
    found = {}
    for change, text in CHANGES.items():
        scores = bleuet.score([text], [FERRY], list(METRICS))
        found[change] = tuple(scores[name].score for name in scores)
    return found


def changes_picture() -> Picture:
    """Draw what four metrics make of eight changes of one sentence."""
    found = scores_of_changes()
    picture = Picture(
        880,
        62 + 37 * len(found),
        "What four metrics make of eight changes",
        "; ".join(
            f"{change}: "
            + ", ".join(f"{n} {v:.0f}" for n, v in zip(METRIC_NAMES, values, strict=True))
            for change, values in found.items()
        ),
    )
    for column, name in enumerate(METRIC_NAMES):
        note = ", lower is better" if name == "TER" else ""
        picture.text(240 + 160 * column, 26, name + note, bold=True, size=13)
    for row, (change, values) in enumerate(found.items()):
        y = 44 + 37 * row
        picture.text(224, y + 17, change, anchor="end")
        for column, value in enumerate(values):
            x = 240 + 160 * column
            colour = "move" if METRIC_NAMES[column] == "TER" else "one"
            picture.bar(x, y, max(1.0, 1.05 * value), 24, colour)
            picture.text(x + 6 + 1.05 * value, y + 17, f"{value:.0f}", bold=True, size=13)
    return picture


def pictures() -> Iterator[tuple[str, Picture]]:
    """Yield the name of each file and its picture."""
    yield "clipping.svg", clipping()
    yield "precisions.svg", from_precisions_to_score()
    yield "sentences.svg", sentences_and_corpus()
    yield "settings.svg", one_output_many_scores()
    draws = draws_of_two_systems()
    yield "interval.svg", interval_picture(draws)
    yield "difference.svg", difference_picture(draws)
    yield "randomization.svg", randomization_picture(draws)
    yield "sizes.svg", sizes_picture()
    yield "changes.svg", changes_picture()


def report_page() -> str:
    """Return the page of a comparison of the example corpus."""
    from bleuet import compare
    from bleuet.report import Report

    systems = {"system-a": lines_of("system-a.txt"), "system-b": lines_of("system-b.txt")}
    pairs = zip(lines_of("reference-1.txt"), lines_of("reference-2.txt"), strict=True)
    found = compare(systems, [list(pair) for pair in pairs], metrics=["bleu", "chrf"])
    return Report(found.tested(), title="Two systems").to_html()


def take_screenshots(folder: Path) -> None:
    """Open the page of a comparison in Chromium and store two parts of it."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as place, sync_playwright() as playwright:
        page_file = Path(place) / "report.html"
        page_file.write_text(report_page(), encoding="utf-8")
        browser: Any = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": 1000, "height": 860}, color_scheme="light")
        page.goto(page_file.as_uri())
        page.wait_for_timeout(2000)
        page.screenshot(path=str(folder / SCREENSHOTS[0]))
        sort = page.get_by_text("Sort", exact=True).first
        sort.evaluate("label => label.scrollIntoView()")
        page.wait_for_timeout(1000)
        page.set_viewport_size({"width": 1000, "height": 700})
        page.screenshot(path=str(folder / SCREENSHOTS[1]))
        browser.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m website.explained_pictures")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files are written")
    parser.add_argument("--screenshots", action="store_true", help="also open a report in Chromium")
    args = parser.parse_args(arguments)
    args.folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures():
        (args.folder / name).write_text(picture.svg(), encoding="utf-8")
    if args.screenshots:
        take_screenshots(args.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
