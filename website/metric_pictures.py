"""The pictures on the pages of metrics: one example, what of it counts, and the steps to its score.

Scores and steps are those of `bleuet explain`, so that a picture shows what the product computes.
So are the marks; of metrics that mark nothing, n-grams are found by the same function, and edits
are those of TER or of the edit distance, which the picture names.
`python -m website.metric_pictures` writes `docs/pictures/metrics/NAME.svg`, and the line of each
page that shows its picture.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from bleuet import make_metric, with_sources
from bleuet.metrics.answers.definition import normalized
from bleuet.metrics.base.derivation import number_text
from bleuet.metrics.base.marks import EQUAL, EXTRA, MISSING, SHIFTED, SUBSTITUTED, matched_ngrams
from bleuet.metrics.catalogue import NEURAL, parse_metric
from bleuet.metrics.neural.published_models import PUBLISHED
from bleuet.text.m2 import read_sentences
from website.svg import document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from bleuet.metrics.base.marked_segment import MarkedSegment
    from bleuet.metrics.base.marks import Mark

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "pictures" / "metrics"
# A picture is as wide as the screen of a phone, so that it is not made smaller there.
WIDTH = 400
MARGIN = 14
# The widest letters of common monospaced fonts, as a share of the size.
LETTER = 0.605
# The mean width of letters of other fonts.
PROSE = 0.56
NO_BREAK = "\u00a0"
TOKEN_SIZE, STEP_SIZE, LABEL_SIZE = 14, 12.5, 12.5
TOKEN_HEIGHT = 24
STYLE = """
.paper { fill: var(--paper); stroke: var(--line); }
text { fill: var(--ink); font-family: system-ui, sans-serif; }
.muted { fill: var(--muted); }
.code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  white-space: pre; }
.score { font-weight: 700; }
.token { fill: var(--token); stroke: var(--line); }
.ok { fill: var(--ok-fill); stroke: var(--ok); }
.bad { fill: var(--bad-fill); stroke: var(--bad); stroke-dasharray: 4 2; }
.move { fill: var(--move-fill); stroke: var(--move); stroke-dasharray: 1.5 2; }
.ring { fill: none; stroke: var(--move); stroke-width: 1.8; stroke-dasharray: 2 2.5; }
.bar { fill: var(--ok); }
.wrong { fill: var(--bad); }
.clipped { fill: none; stroke: var(--bad); stroke-dasharray: 3 2; }
.unmatched { fill: none; stroke: var(--line); }
path.ok { fill: none; stroke-width: 1.6; }
path.bad { fill: none; stroke-width: 1.6; }
path.move { fill: none; stroke-width: 1.8; }
"""


class Example(NamedTuple):
    """One hypothesis, and how its picture is drawn.

    Args:
        metric: the metric, as the command line names it.
        hypothesis: the text.
        reference: its reference.
        draw: what draws the texts.
        source: the source, for metrics that read it.
        learned: references of other segments, for metrics that learn from all references.
    """

    metric: str
    hypothesis: str
    reference: str
    draw: Callable[[Drawing, Scene], None]
    source: str = ""
    learned: tuple[str, ...] = ()


class Scene(NamedTuple):
    """An example, its metric, and the metric's view of it."""

    example: Example
    metric: Any
    view: MarkedSegment

    @property
    def hypothesis(self) -> list[str]:
        """The tokens of the hypothesis, as the metric reads them."""
        return list(self.view.hypothesis) or self.tokens(self.example.hypothesis)

    @property
    def reference(self) -> list[str]:
        """The tokens of the reference, as the metric reads them."""
        several = self.view.references
        return list(several[0]) if several else self.tokens(self.example.reference)

    def tokens(self, text: str) -> list[str]:
        """Return the words of a text, as the metric reads them."""
        read = self.metric.tokenize_text
        return read(text).split() if read else text.split()


class Box(NamedTuple):
    """Where a token is drawn."""

    left: float
    right: float
    top: float

    @property
    def middle(self) -> float:
        """The middle between left and right."""
        return (self.left + self.right) / 2


class Drawing:
    """The elements of a picture from above to below, and what they say in words."""

    def __init__(self) -> None:
        self.elements: list[str] = []
        self.words: list[str] = []
        self.bottom = float(MARGIN)

    def add(self, name: str, text: str = "", /, **attributes: object) -> None:
        """Add an element; underscores of attributes become hyphens, and `kind` is the class."""
        pairs = (
            (key.replace("_", "-").replace("kind", "class"), number(value))
            for key, value in attributes.items()
        )
        inner = "".join(f' {key}="{escape(value)}"' for key, value in pairs)
        self.elements.append(f"<{name}{inner}>{escape(text)}</{name}>")

    def label(self, text: str, kind: str = "muted", size: float = LABEL_SIZE) -> None:
        """Add a text below what there is, in lines if it is long."""
        for line in wrap(text, int((WIDTH - 2 * MARGIN) / (PROSE * size))):
            self.bottom += size + 3
            self.add("text", line, x=MARGIN, y=self.bottom - 3, font_size=size, kind=kind)

    def tokens(self, tokens: Sequence[str], kinds: Sequence[str] = ()) -> list[Box]:
        """Add a row of tokens in boxes, and return where they are."""
        self.bottom += 2
        gap = 3 if sum(map(len, tokens)) > len(tokens) else 2
        room = WIDTH - 2 * MARGIN - gap * (len(tokens) - 1)
        padding = 4 if gap == 3 else 3
        widths = [len(one) * LETTER * TOKEN_SIZE + 2 * padding for one in tokens]
        if sum(widths) > room:
            raise ValueError(f"{' '.join(tokens)} is wider than a picture")
        boxes, left = [], float(MARGIN)
        for i, (token, width) in enumerate(zip(tokens, widths, strict=True)):
            kind = kinds[i] if kinds else "token"
            box = {"x": left, "y": self.bottom, "width": width, "height": TOKEN_HEIGHT}
            self.add("rect", **box, rx=3, kind=kind)
            self.add(
                "text",
                token.replace(" ", "␣"),
                x=left + width / 2,
                y=self.bottom + TOKEN_HEIGHT / 2 + 5,
                font_size=TOKEN_SIZE,
                text_anchor="middle",
                kind="code",
            )
            boxes.append(Box(left, left + width, self.bottom))
            left += width + gap
        self.bottom += TOKEN_HEIGHT + 4
        return boxes

    def bars(self, boxes: Sequence[Box], kinds: Mapping[tuple[int, int], str]) -> None:
        """Add a bar below the tokens of each n-gram; bars that would overlap stand in rows."""
        self.bottom += 2
        rows = 0
        for (first, behind), kind in kinds.items():
            row = first % (behind - first)
            rows = max(rows, row + 1)
            left, right = boxes[first].left, boxes[behind - 1].right
            place = {"x": left + 1, "y": self.bottom + 7 * row, "width": right - left - 2}
            self.add("rect", **place, height=4, rx=2, kind=kind)
        self.bottom += 7 * rows + 1

    def say(self, text: str) -> None:
        """Add a line of text, which the picture's description has too."""
        self.label(text)
        self.words.append(f"{text[0].upper()}{text[1:]}.")

    def legend(self, entries: Iterable[tuple[str, str]]) -> None:
        """Add a line that names the kinds of marks."""
        left = float(MARGIN)
        self.bottom += 4
        for kind, text in entries:
            width = 18 + len(text) * LABEL_SIZE * 0.56 + 12
            if left + width > WIDTH - MARGIN:
                left = float(MARGIN)
                self.bottom += 20
            self.add("rect", x=left, y=self.bottom + 2, width=13, height=13, rx=2, kind=kind)
            self.add(
                "text", text, x=left + 18, y=self.bottom + 13, font_size=LABEL_SIZE, kind="muted"
            )
            left += width
        self.bottom += 22

    def steps(self, scene: Scene) -> None:
        """Add the steps to the score."""
        self.bottom += 4
        self.add("path", d=f"M{MARGIN} {number(self.bottom)}H{WIDTH - MARGIN}", kind="unmatched")
        self.bottom += 4
        *steps, last = scene.view.steps
        for step in steps:
            text = _with_value(step.computation, step.value)
            if step.formula:
                self.label(step.title)
                self.code(text)
            else:
                # A formula is not broken.
                self.label(f"{step.title}: {text.replace(' ', NO_BREAK)}")
                self.bottom += 5
        self.label(last.title, "score")
        self.code(_with_value(last.computation, last.value), "code score")
        self.words.append(f"{last.title} = {number_text(round(last.value, 4))}.")

    def code(self, text: str, kind: str = "code") -> None:
        """Add lines of code, broken where they are too long."""
        room = int((WIDTH - 2 * MARGIN) / (LETTER * STEP_SIZE))
        for line in _lines(text, room):
            self.bottom += STEP_SIZE + 3
            self.add("text", line, x=MARGIN, y=self.bottom - 3, font_size=STEP_SIZE, kind=kind)
        self.bottom += 5

    def svg(self, title: str) -> str:
        """Return the picture."""
        height = round(self.bottom + MARGIN)
        size = f'width="{WIDTH - 1}" height="{height - 1}"'
        paper = f'<rect class="paper" x="0.5" y="0.5" {size} rx="6"/>'
        return document(WIDTH, height, title, STYLE, [paper, *self.elements])


def number(value: object) -> str:
    """Return a number of a picture with at most one decimal, or a text as it is."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def _with_value(computation: str, value: float) -> str:
    """Return a formula and its value, which it may end with already."""
    text = number_text(value)
    return computation if computation.endswith(f"= {text}") else f"{computation} = {text}"


def _lines(text: str, room: int) -> list[str]:
    """Return a formula in lines, broken at spaces; all but the first are indented."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1].strip() and len(lines[-1]) + 1 + len(word) > room:
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines


# --- Texts of which n-grams count -----------------------------------------------------------------

# The longest n-grams of metrics that have no option for it.
LONGEST = 4
# Bars of n-grams that match, and of those that the hypothesis has more often than the reference.
BARS = ("bar", "clipped")
BAR_NAMES = {
    "bar": "in the reference",
    "wrong": "only in the source: an error that was left",
    "clipped": "more often than in the reference",
    "unmatched": "not in the reference",
}


def draw_ngrams(drawing: Drawing, scene: Scene) -> None:
    """Draw both texts, and a bar for each n-gram of the hypothesis."""
    longest = getattr(scene.metric, "max_ngram_order", LONGEST)
    marks = scene.view.marks or matched_ngrams(
        scene.hypothesis, [scene.reference], range(1, longest + 1)
    )
    _draw_bars(drawing, scene, scene.hypothesis, scene.reference, marks, longest)


def draw_characters(drawing: Drawing, scene: Scene) -> None:
    """Draw both texts, and a bar for each n-gram of characters of the hypothesis."""
    ours, theirs = (
        list(text.replace(" ", "")) for text in (scene.example.hypothesis, scene.example.reference)
    )
    longest = scene.metric.char_order
    marks = matched_ngrams(ours, [theirs], range(1, longest + 1))
    _draw_bars(drawing, scene, ours, theirs, marks, longest)


def _draw_bars(
    drawing: Drawing,
    scene: Scene,
    ours: Sequence[str],
    theirs: Sequence[str],
    marks: Sequence[Mark],
    longest: int,
    wrong: Sequence[Mark] = (),
) -> None:
    if scene.example.source:
        drawing.label("source")
        drawing.tokens(scene.tokens(scene.example.source))
    drawing.label("reference")
    drawing.tokens(theirs)
    drawing.label("hypothesis")
    boxes = drawing.tokens(ours)
    ignored = getattr(scene.metric, "common", ())
    kinds = {mark.hypothesis: BARS[mark.kind.endswith("clipped")] for mark in marks}
    kinds.update((mark.hypothesis, "wrong") for mark in wrong)
    shown: set[str] = set()
    for n in range(1, min(longest, len(ours)) + 1):
        spans = [
            (i, i + n) for i in range(len(ours) - n + 1) if tuple(ours[i : i + n]) not in ignored
        ]
        of_order = {span: kinds.get(span, "unmatched") for span in spans}
        matched = sum(kind == "bar" for kind in of_order.values())
        drawing.say(f"{n}-grams: {matched} of {len(of_order)} match")
        drawing.bars(boxes, of_order)
        shown.update(of_order.values())
    names = {**BAR_NAMES, "unmatched": BAR_NAMES["unmatched"] if not wrong else "in neither"}
    drawing.legend((kind, name) for kind, name in names.items() if kind in shown)
    if ignored:
        words = ", ".join(" ".join(one) for one in sorted(ignored))
        drawing.say(f"ignored, because they are most common: {words}")


def draw_corrections(drawing: Drawing, scene: Scene) -> None:
    """Draw the n-grams of a correction, and those of the source that should have gone."""
    texts = (scene.example.hypothesis, scene.example.reference, scene.example.source)
    ours, theirs, source = map(scene.tokens, texts)
    orders = range(1, 5)
    marks = matched_ngrams(ours, [theirs], orders)
    right = {mark.hypothesis for mark in marks if not mark.kind.endswith("clipped")}
    left = [one for one in matched_ngrams(ours, [source], orders) if one.hypothesis not in right]
    _draw_bars(drawing, scene, ours, theirs, marks, LONGEST, left)


# --- Texts that are aligned -----------------------------------------------------------------------

# Of more tokens of a kind, the description has the number; only characters are so many.
MOST_SAID = 10
CLASSES = {SUBSTITUTED: "bad", MISSING: "bad", EXTRA: "bad", SHIFTED: "move", "stem": "move"}


def draw_alignment(drawing: Drawing, scene: Scene) -> None:
    """Draw both texts, with a line between the tokens that are aligned."""
    marks = scene.view.marks
    _draw_aligned(drawing, scene.hypothesis, scene.reference, marks)


def draw_equal_words(drawing: Drawing, scene: Scene) -> None:
    """Draw both texts, with a line between equal words."""
    marks = matched_ngrams(scene.hypothesis, [scene.reference], [1])
    matches = [mark for mark in marks if mark.kind == "1-gram"]
    _draw_aligned(drawing, scene.hypothesis, scene.reference, matches)


def draw_answers(drawing: Drawing, scene: Scene) -> None:
    """Draw two answers after their normalization, with a line between equal words."""
    ours = normalized(scene.example.hypothesis).split()
    theirs = normalized(scene.example.reference).split()
    _draw_aligned(drawing, ours, theirs, matched_ngrams(ours, [theirs], [1]))


def draw_shifted_words(drawing: Drawing, scene: Scene) -> None:
    """Draw both texts as TER aligns their words."""
    view = make_metric("ter", case_sensitive=True).marked(
        scene.example.hypothesis, scene.example.reference
    )
    drawing.say("words as TER aligns them")
    _draw_aligned(drawing, view.hypothesis, view.references[0], view.marks)


def draw_edited_characters(drawing: Drawing, scene: Scene) -> None:
    """Draw both texts with the edits of characters that an edit distance has."""
    view = make_metric("edit-distance").marked(scene.example.hypothesis, scene.example.reference)
    drawing.say("characters as the edit distance aligns them")
    _draw_aligned(drawing, view.hypothesis, view.references[0], view.marks)


def _draw_aligned(
    drawing: Drawing, ours: Sequence[str], theirs: Sequence[str], marks: Sequence[Mark]
) -> None:
    pairs = [(kind, i, j) for mark in marks for kind, i, j in _single(mark)]
    kinds_of_ours = _kinds(len(ours), ((kind, i) for kind, i, _ in pairs))
    kinds_of_theirs = _kinds(len(theirs), ((kind, j) for kind, _, j in pairs))
    drawing.label("reference")
    above = drawing.tokens(theirs, kinds_of_theirs)
    drawing.bottom += 46
    below = drawing.tokens(ours, kinds_of_ours)
    for kind, i, j in pairs:
        if i is not None and j is not None:
            start, end = above[j], below[i]
            path = (
                f"M{start.middle:.1f} {start.top + TOKEN_HEIGHT:.1f}L{end.middle:.1f} {end.top:.1f}"
            )
            drawing.add("path", d=path, kind=CLASSES.get(kind, "ok"))
    shifted = [mark.hypothesis for mark in marks if mark.kind == SHIFTED]
    for first, behind in shifted:
        left, right = below[first].left - 3, below[behind - 1].right + 3
        place = {"x": left, "y": below[first].top - 3, "width": right - left}
        drawing.add("rect", **place, height=TOKEN_HEIGHT + 6, rx=5, kind="ring")
    drawing.label("hypothesis")
    _name_kinds(drawing, ours, theirs, pairs, shifted)


def _single(mark: Mark) -> Iterable[tuple[str, int | None, int | None]]:
    """Yield the tokens of a mark: pairs if both sides have as many."""
    ours, theirs = range(*mark.hypothesis), range(*mark.reference)
    if mark.kind == SHIFTED and not theirs:
        return
    if len(ours) == len(theirs):
        yield from ((mark.kind, i, j) for i, j in zip(ours, theirs, strict=True))
    else:
        yield from ((mark.kind, i, None) for i in ours)
        yield from ((mark.kind, None, j) for j in theirs)


def _kinds(length: int, marked: Iterable[tuple[str, int | None]]) -> list[str]:
    kinds = ["token"] * length
    for kind, place in marked:
        if place is not None:
            kinds[place] = CLASSES.get(kind, "ok")
    return kinds


def _name_kinds(
    drawing: Drawing,
    ours: Sequence[str],
    theirs: Sequence[str],
    pairs: Sequence[tuple[str, int | None, int | None]],
    shifted: Sequence[tuple[int, int]],
) -> None:
    """Name what is marked, below the texts and in words."""
    of_kind: dict[str, list[str]] = {}
    for kind, i, j in pairs:
        words = [theirs[j]] if j is not None else []
        words += [ours[i]] if i is not None and (j is None or ours[i] != theirs[j]) else []
        of_kind.setdefault(kind, []).append("/".join(words))
    if shifted:
        of_kind[SHIFTED] = [" ".join(ours[first:behind]).strip() for first, behind in shifted]
    names: dict[str, list[str]] = {}
    for kind, words in of_kind.items():
        name = EQUAL if kind == "1-gram" else kind
        said = ", ".join(words) if len(words) <= MOST_SAID else f"{len(words)} characters"
        drawing.words.append(f"{name[0].upper()}{name[1:]}: {said}.")
        ringed = kind == SHIFTED and all(one != SHIFTED for one, _, _ in pairs)
        names.setdefault("ring" if ringed else CLASSES.get(kind, "ok"), []).append(name)
    drawing.legend((kind, ", ".join(several)) for kind, several in sorted(names.items()))


# --- Texts that are compared with a source --------------------------------------------------------


def draw_simplification(drawing: Drawing, scene: Scene) -> None:
    """Draw the words that a simplification keeps, deletes and adds."""
    texts = (scene.example.source, scene.example.hypothesis, scene.example.reference)
    lowered = [text.lower() for text in texts]
    source, ours, theirs = map(scene.tokens, lowered)
    kept = [word for word in source if word in ours]
    deleted = [word for word in source if word not in ours]
    added = [word for word in ours if word not in source]
    drawing.label("source: kept words are green, deleted ones are red")
    drawing.tokens(source, ["ok" if word in ours else "bad" for word in source])
    drawing.label("hypothesis: added words are yellow")
    drawing.tokens(ours, ["ok" if word in source else "move" for word in ours])
    drawing.label("reference: the same")
    drawing.tokens(theirs, ["ok" if word in source else "move" for word in theirs])
    drawing.legend([("ok", "kept"), ("bad", "deleted"), ("move", "added")])
    for name, words in (("Kept", kept), ("Deleted", deleted), ("Added", added)):
        drawing.words.append(f"{name}: “{' '.join(words)}”.")


M2 = """S He go to home every days .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:NUM|||day|||REQUIRED|||-NONE-|||0
"""
SYSTEM_M2 = """S He go to home every days .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 4 5|||R:DET|||each|||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:NUM|||day|||REQUIRED|||-NONE-|||0
"""


def draw_edits(drawing: Drawing, scene: Scene) -> None:
    """Draw the edits of an annotator and of a system below the words of the source."""
    annotator, system = edits(M2), edits(SYSTEM_M2)
    drawing.label("source")
    boxes = drawing.tokens(M2.partition("\n")[0].split()[1:])
    rows = (("annotator", annotator, system), ("system", system, annotator))
    for name, ours, theirs in rows:
        drawing.label(name)
        for start, end, text in sorted(ours):
            kind = "ok" if (start, end, text) in theirs else "bad"
            middle = (boxes[start].left + boxes[end - 1].right) / 2
            width = max(len(text), 1) * LETTER * TOKEN_SIZE + 8
            place = {"x": middle - width / 2, "y": drawing.bottom, "width": width}
            drawing.add("rect", **place, height=TOKEN_HEIGHT, rx=3, kind=kind)
            drawing.add(
                "text",
                text or "–",
                x=middle,
                y=drawing.bottom + TOKEN_HEIGHT / 2 + 5,
                font_size=TOKEN_SIZE,
                text_anchor="middle",
                kind="code",
            )
        drawing.bottom += TOKEN_HEIGHT + 4
    drawing.legend([("ok", "an edit of both"), ("bad", "only of one"), ("token", "– deletes")])
    for name, found in (
        ("Of both", annotator & system),
        ("Only of the annotator", annotator - system),
        ("Only of the system", system - annotator),
    ):
        words = M2.partition("\n")[0].split()[1:]
        shown = [f"{' '.join(words[i:j])} → {text or 'nothing'}" for i, j, text in sorted(found)]
        drawing.words.append(f"{name}: {', '.join(shown)}.")


def edits(m2: str) -> set[tuple[int, int, str]]:
    """Return the edits of a sentence: the first word, the one after the last, and the new text."""
    (sentence,) = read_sentences(m2.splitlines(), "example.m2")
    annotations = sentence.references().edits or {}
    return {(start, end, text) for start, end, _, text in annotations[0]}


# --- The examples ---------------------------------------------------------------------------------

OURS, THEIRS = "the cat sat on a mat yesterday", "yesterday the cat sat on the mat"
EXAMPLES = {
    "bleu": Example("bleu:effective_order=yes", OURS, THEIRS, draw_ngrams),
    "smoothing": Example(
        "bleu:effective_order=yes", "the cat sat down", "the cat sat up", draw_ngrams
    ),
    "mean-bleu": Example(
        "mean-bleu", "it rains in Oslo today", "today it rains in Oslo", draw_ngrams
    ),
    "crystal-bleu": Example(
        "crystal-bleu:tokenize=none,smooth=nltk-1,ignored=4",
        "f ( x ) ; g ( x ) ;",
        "f ( y ) ; g ( x ) ;",
        draw_ngrams,
        learned=("h ( z , 2 ) ;",),
    ),
    "chrf": Example("chrf", "the cats sit", "the cat sits", draw_characters),
    "gleu": Example("gleu", OURS, THEIRS, draw_ngrams),
    "nist": Example(
        "nist:max_ngram_order=3", OURS, THEIRS, draw_ngrams, learned=("the dog sat on the mat",)
    ),
    "ribes": Example("ribes", OURS, THEIRS, draw_alignment),
    "hlepor": Example("hlepor", OURS, THEIRS, draw_equal_words),
    "meteor": Example(
        "meteor:resources=none", "the cats sat on a mat", "a cat sat on the mats", draw_alignment
    ),
    "ter": Example("ter", OURS, THEIRS, draw_alignment),
    "wer": Example("wer", "the big cat sat up", "the cat sat down", draw_alignment),
    "edit-distance": Example("edit-distance", "sitting", "kitten", draw_alignment),
    "character": Example("character", OURS, THEIRS, draw_shifted_words),
    "eed": Example("eed", "the cat sat dawn", "the cats sat down", draw_edited_characters),
    "charcut": Example("charcut", "on the mat sat a cat", "a cat sat on the mat", draw_alignment),
    "cider": Example(
        "cider",
        "two dogs run",
        "two dogs run fast",
        draw_ngrams,
        learned=("a cat sat down", "two men run"),
    ),
    "rouge": Example("rouge-l", OURS, THEIRS, draw_alignment),
    "sari": Example(
        "sari",
        "The man was hurt .",
        "The man was not hurt .",
        draw_simplification,
        source="The man did not sustain injuries .",
    ),
    "token-f1": Example("token-f1", "in the city of Paris", "Paris, France", draw_answers),
    "errant": Example("errant", "", "", draw_edits),
    "gec-gleu": Example(
        "gec-gleu",
        "He goes home by bus every days",
        "He goes home by bus every day",
        draw_corrections,
        source="He go home by bus every days",
    ),
    "codebleu": Example(
        "codebleu:language=python",
        "def add ( a , b ) : return a + b",
        "def add ( x , y ) : return y + x",
        draw_ngrams,
    ),
}


NAMES = (*EXAMPLES, *NEURAL)


def scene_of(example: Example) -> Scene:
    """Return an example with the view that its metric has of it."""
    metric = parse_metric(example.metric)
    hypothesis, references = example.hypothesis, [example.reference]
    if example.draw is draw_edits:
        (system,) = read_sentences(SYSTEM_M2.splitlines(), "system.m2")
        (sentence,) = read_sentences(M2.splitlines(), "reference.m2")
        return Scene(example, metric, metric.marked(system.hypothesis, sentence.references()))
    if example.source:
        (references,) = with_sources([references], [example.source])
    if metric.learns:
        every = [[example.reference], *([one] for one in example.learned)]
        metric = metric.with_learned(metric.learn(every))
    return Scene(example, metric, metric.marked(hypothesis, references))


def reading(name: str) -> tuple[str, str]:
    """Return a picture of what a neural metric's own model reads, and the same in words."""
    metric: Any = parse_metric(name)
    model = metric.model
    published = PUBLISHED[model]
    texts = [one for one in ("source", "reference") if one in published.summary.partition(",")[0]]
    texts = [*(texts or ["reference"]), "hypothesis"]
    drawing = Drawing()
    drawing.label(f"{metric.name} with {model}", "score", 14)
    drawing.bottom += 8
    above = drawing.tokens(texts)
    drawing.bottom += 30
    (below,) = drawing.tokens([model], ["ok"])
    for box in above:
        path = f"M{box.middle:.1f} {box.top + TOKEN_HEIGHT:.1f}L{below.middle:.1f} {below.top:.1f}"
        drawing.add("path", d=path, kind="ok")
    drawing.bottom += 4
    drawing.label(published.summary)
    drawing.label(f"{metric.name} = {metric.definition.partition(':')[0]}", "score")
    drawing.bottom += 2
    words = (
        f"The model {model} reads {' and '.join(texts)}. {metric.name} is the "
        f"{metric.definition.partition(':')[0]}."
    )
    return drawing.svg(words), words


def picture(name: str) -> tuple[str, str]:
    """Return the picture of a metric, and what it shows in words."""
    if name in NEURAL:
        return reading(name)
    scene = scene_of(EXAMPLES[name])
    drawing = Drawing()
    drawing.label(str(scene.view.score).partition(" (")[0], "score", 14)
    drawing.bottom += 4
    EXAMPLES[name].draw(drawing, scene)
    drawing.steps(scene)
    example = scene.example
    texts = {"Source": example.source, "Reference": example.reference}
    texts["Hypothesis"] = example.hypothesis
    said = [f"{title}: “{text}”." for title, text in texts.items() if text]
    words = " ".join([*said, *drawing.words])
    return drawing.svg(words), words


IMAGE = re.compile(r"!\[[^\]]*\]\(\.\./pictures/metrics/[\w-]+\.svg\)")


def image_line(name: str, words: str) -> str:
    """Return the line of a page that shows its picture."""
    return f"![{words.replace('[', '(').replace(']', ')')}](../pictures/metrics/{name}.svg)"


def with_image(page: str, name: str, words: str) -> str:
    """Return a page with the line that shows its picture."""
    return IMAGE.sub(lambda _: image_line(name, words), page)


def write_pictures() -> None:
    """Write all pictures, and the lines of pages that show them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        svg, words = picture(name)
        (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")
        page = DOCS / "metrics" / f"{name}.md"
        page.write_text(with_image(page.read_text("utf-8"), name, words), encoding="utf-8")


if __name__ == "__main__":
    write_pictures()
