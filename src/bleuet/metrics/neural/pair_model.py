"""Models that read a hypothesis and one reference together, and make one number of both."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bleuet.extras import deferred
from bleuet.metrics.neural.encoder import encode
from bleuet.metrics.neural.metric import NeuralModel, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import torch

    from bleuet.metrics.neural.metric import Item, Keep
else:
    torch = deferred("torch")


class PairModel(NeuralModel):
    """A model that rates pairs of texts.

    Args:
        models: copies of the network, each on its device.
        tokens: its tokenizer, which has the members of `TextTokens`.
        join: returns the tokens that the network reads of a reference and a hypothesis, and the
            kind of each.
        run: returns a number for each row of a batch, of the network, tokens, mask and kinds.
        **known: as of `NeuralModel`.
    """

    reads = "hypothesis and reference together; pairs"

    def __init__(
        self,
        models: Sequence[Any],
        tokens: Any,
        join: Callable[[Sequence[int], Sequence[int]], tuple[list[int], list[int]]],
        run: Callable[[Any, Any, Any, Any], Any],
        **known: Any,
    ) -> None:
        super().__init__(**known)
        self._models = models
        self._tokens = tokens
        self._join = join
        self._run = run

    def rows(self, items: Sequence[Item]) -> list[tuple[float, ...]]:
        """Return the score of each hypothesis with the best of its references."""
        pairs = [(text, one) for text, several, _ in items for one in several]
        found = iter(self.computed(pairs, self._rate))
        return [(max(unpacked(next(found))[0] for _ in several),) for _, several, _ in items]

    def _rate(self, pairs: Sequence[tuple[str | None, ...]], keep: Keep) -> None:
        texts = list(dict.fromkeys(text or "" for pair in pairs for text in pair))
        numbers = {
            text: one.ids for text, one in zip(texts, self._tokens.numbers(texts), strict=True)
        }
        joined = [self._join(numbers[pair[1] or ""], numbers[pair[0] or ""]) for pair in pairs]
        cut = {
            place
            for place, pair in enumerate(pairs)
            if sum(len(numbers[text or ""]) for text in pair) > self.limit
        }

        def run(network: Any, batch: Any, mask: Any, places: Sequence[int]) -> list[bytes]:
            kinds = torch.zeros_like(batch)
            for row, place in enumerate(places):
                own = joined[place][1]
                kinds[row, : len(own)] = torch.tensor(own, device=kinds.device)
            rated = self._run(network, batch, mask, kinds).float().tolist()
            return [packed([one]) for one in rated]

        inputs = [tokens for tokens, _ in joined]
        encode(self._models, inputs, self._tokens.padding, run, partial(keep, cut))
