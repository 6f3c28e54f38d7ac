"""Train a small translation model with minimum risk, and with more cross-entropy to compare.

    pip install 'bleuet[torch,report]'
    python examples/minimum_risk.py --seeds 1 2 3 --plot minimum-risk.svg

The two languages are made up. In the second, adjectives follow the noun in reverse order, the verb
comes last, and a noun has two forms: a short one of one word, in 35 % of the translations, and a
long one of three words. The first of these is one of four synonyms. So most translations
have the long form, but the short one is more probable than each of the long ones. A model that has
learned these probabilities writes the short form. Its translations are too short and match little.
Minimum risk teaches it what most translations share.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn

from bleuet import BLEU
from bleuet.torch import minimum_risk_loss

PADDING, START, END = range(3)
ADJECTIVES, NOUNS, VERBS = range(3, 15), range(15, 35), range(35, 45)
SYNONYMS, LONG_NOUNS, ENDINGS = range(45, 49), range(49, 69), range(69, 72)
VOCABULARY = 72
LONGEST = 16
# How probable the short form of a noun is.
SHORT = 0.35

CORPUS_BLEU = BLEU(tokenize="ids")
# A short sample often has no 4-gram of the reference; it is not worth nothing.
SENTENCE_BLEU = BLEU(tokenize="ids", smooth="add-k")

Sentence = list[int]
Pair = tuple[Sentence, Sentence]


class Settings(NamedTuple):
    """How long to train, and how large the model is."""

    hidden: int = 32
    first_updates: int = 400
    first_rate: float = 3e-3
    rate: float = 1e-3
    entropy_updates: int = 300
    risk_updates: int = 120
    batch: int = 64
    risk_batch: int = 24
    samples: int = 8
    alpha: float = 0.5
    held_out: int = 500
    points: int = 6


DEFAULT = Settings()


class Point(NamedTuple):
    """A point of a curve: after so many seconds of training, BLEU on held-out sentences."""

    seed: int
    training: str
    seconds: float
    bleu: float


def make_phrase(draw: random.Random) -> tuple[Sentence, Sentence]:
    """Return adjectives and a noun, and their translation."""
    noun = draw.choice(NOUNS)
    adjectives = draw.sample(ADJECTIVES, draw.randint(0, 2))
    number = noun - NOUNS[0]
    long = [draw.choice(SYNONYMS), LONG_NOUNS[number], ENDINGS[number % len(ENDINGS)]]
    translated = [noun] if draw.random() < SHORT else long
    return [*adjectives, noun], [*translated, *adjectives[::-1]]


def make_pairs(draw: random.Random, number: int) -> list[Pair]:
    """Return sentences and their translations."""
    pairs = []
    for _ in range(number):
        subject, translated_subject = make_phrase(draw)
        item, translated_item = make_phrase(draw)
        verb = draw.choice(VERBS)
        pairs.append(([*subject, verb, *item], [*translated_subject, *translated_item, verb]))
    return pairs


def padded(sentences: list[Sentence]) -> Tensor:
    """Return sentences of different lengths as one tensor."""
    return nn.utils.rnn.pad_sequence([torch.tensor(one) for one in sentences], batch_first=True)


def ids_of(rows: Tensor) -> list[Sentence]:
    """Return the words of a tensor of sentences."""
    return [[word for word in row if word > END] for row in rows.tolist()]


class Translator(nn.Module):
    """A bidirectional GRU that reads and a GRU with attention that writes."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.source = nn.Embedding(VOCABULARY, hidden, padding_idx=PADDING)
        self.target = nn.Embedding(VOCABULARY, hidden, padding_idx=PADDING)
        self.reader = nn.GRU(hidden, hidden // 2, bidirectional=True, batch_first=True)
        self.writer = nn.GRUCell(2 * hidden, hidden)
        self.keys = nn.Linear(hidden, hidden, bias=False)
        self.output = nn.Linear(2 * hidden, VOCABULARY)

    def forward(
        self, sources: Tensor, targets: Tensor | None, greedy: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Write targets, or what the model chooses.

        Returns:
            The words, and the logarithm of the probability of each; 0 behind the end.
        """
        memory, _ = self.reader(self.source(sources))
        keys, is_padding = self.keys(memory), sources == PADDING
        state = memory.masked_fill(is_padding[..., None], 0).mean(1).tanh()
        context, word = torch.zeros_like(state), torch.full_like(sources[:, 0], START)
        words, logs = [], []
        for place in range(LONGEST if targets is None else targets.shape[1]):
            state = self.writer(torch.cat([self.target(word), context], -1), state)
            weights = (keys @ state[:, :, None])[..., 0].masked_fill(is_padding, -torch.inf)
            context = (weights.softmax(-1)[:, None] @ memory)[:, 0]
            scores = self.output(torch.cat([state, context], -1)).log_softmax(-1)
            has_ended = (word == END) | (word == PADDING)
            if targets is not None:
                word = targets[:, place]
            elif greedy:
                word = scores.argmax(-1)
            else:
                word = torch.multinomial(scores.detach().exp(), 1)[:, 0]
            word = word.masked_fill(has_ended, PADDING)
            words.append(word)
            logs.append(scores.gather(-1, word[:, None])[:, 0].masked_fill(has_ended, 0))
        return torch.stack(words, 1), torch.stack(logs, 1)


def cross_entropy(model: Translator, pairs: list[Pair]) -> Tensor:
    """Return the mean cross-entropy of the words of the translations."""
    targets = padded([[*translation, END] for _, translation in pairs])
    _, logs = model(padded([source for source, _ in pairs]), targets)
    return -logs.sum() / (targets != PADDING).sum()


def risk(model: Translator, pairs: list[Pair], settings: Settings) -> Tensor:
    """Return the risk of samples of the model, whose score is sentence BLEU."""
    sources = padded([source for source, _ in pairs]).repeat_interleave(settings.samples, 0)
    words, logs = model(sources, None)
    references = [translation for _, translation in pairs for _ in range(settings.samples)]
    scores = torch.tensor(SENTENCE_BLEU.sentence_scores(ids_of(words), references).values) / 100
    shape = (len(pairs), settings.samples)
    return minimum_risk_loss(logs.sum(-1).view(shape), scores.view(shape), settings.alpha)


def bleu_of(model: Translator, pairs: list[Pair]) -> float:
    """Return the BLEU of what a model writes when it takes the most probable word each time."""
    with torch.no_grad():
        words, _ = model(padded([source for source, _ in pairs]), None, greedy=True)
    return CORPUS_BLEU.corpus_score(ids_of(words), [target for _, target in pairs]).score


def updates(model: Translator, loss_of: Callable[[], Tensor], rate: float) -> Iterator[float]:
    """Change the weights again and again; yield the seconds of training so far."""
    optimizer = torch.optim.Adam(model.parameters(), rate)
    seconds = 0.0
    while True:
        begin = time.process_time()
        optimizer.zero_grad()
        loss_of().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        seconds += time.process_time() - begin
        yield seconds


def train(seed: int, settings: Settings = DEFAULT) -> list[Point]:
    """Train with cross-entropy, and go on from there in two ways.

    Returns:
        The curves of both ways.
    """
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    draw = random.Random(seed)
    held_out = make_pairs(random.Random(f"held out {seed}"), settings.held_out)
    model = Translator(settings.hidden)

    def by_entropy() -> Tensor:
        return cross_entropy(model, make_pairs(draw, settings.batch))

    def by_risk() -> Tensor:
        return risk(model, make_pairs(draw, settings.risk_batch), settings)

    for _ in islice(updates(model, by_entropy, settings.first_rate), settings.first_updates):
        pass
    start = {name: value.clone() for name, value in model.state_dict().items()}
    bleu = bleu_of(model, held_out)
    points = []
    for name, loss_of, number in (
        ("cross-entropy", by_entropy, settings.entropy_updates),
        ("minimum risk", by_risk, settings.risk_updates),
    ):
        model.load_state_dict(start)
        points.append(Point(seed, name, 0.0, bleu))
        every = number // settings.points
        for seconds in islice(updates(model, loss_of, settings.rate), every - 1, number, every):
            points.append(Point(seed, name, seconds, bleu_of(model, held_out)))
    return points


def draw_curves(points: list[Point], path: str) -> None:
    """Write a picture of the curves."""
    from bleuet.report.charts.vega_lite import Chart, nominal, quantitative
    from bleuet.report.pictures import draw

    curves = Chart(
        {
            "title": "BLEU on held-out sentences",
            "data": {"values": [point._asdict() for point in points]},
            "mark": {"type": "line", "point": True},
            "encoding": {
                "x": quantitative("seconds", title="seconds of further training"),
                "y": quantitative("bleu", title="BLEU", scale={"zero": False}),
                "color": nominal("training", title=None),
                "detail": nominal("seed"),
            },
            "width": 460,
            "height": 260,
        }
    )
    Path(path).write_bytes(draw(curves, path))


def main() -> None:
    """Print, and draw, what both ways of training lead to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--plot", help="a picture: .svg, .png, .html")
    arguments = parser.parse_args()
    points = []
    for seed in arguments.seeds:
        points += train(seed)
        one = [point for point in points if point.seed == seed]
        print(f"seed {seed}: BLEU {one[0].bleu:.1f}")
        for name in ("cross-entropy", "minimum risk"):
            last = [point for point in one if point.training == name][-1]
            print(f"  {last.seconds:3.1f} seconds of {name}: BLEU {last.bleu:.1f}", flush=True)
    if arguments.plot:
        draw_curves(points, arguments.plot)


if __name__ == "__main__":
    main()
