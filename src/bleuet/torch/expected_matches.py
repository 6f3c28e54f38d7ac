"""What n-grams of references a matrix of token probabilities contains, on average.

Row t of a matrix is the distribution of token t; the tokens are independent of each other, as a
non-autoregressive model draws them. Only the columns of the references' words are read.
"""

from __future__ import annotations

from typing import NamedTuple

from bleuet.errors import InputError, OptionError
from bleuet.extras import optional
from bleuet.messages import shown, wrong_type
from bleuet.torch.token_tensors import is_before, token_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.torch.token_tensors import Tensor

TORCH = optional("torch")


class Texts(NamedTuple):
    """A batch: the probabilities of the candidates' tokens, and the references' words.

    Attributes:
        words: `[B, L, R, W]`, the probability of word w of reference r at place t; 0 behind the
            end of the candidate or of the reference.
        references: `[B, R, W]`, the ids of the references' words.
        candidate_lengths: `[B]`.
        reference_lengths: `[B, R]`.
    """

    words: Tensor
    references: Tensor
    candidate_lengths: Tensor
    reference_lengths: Tensor


class Ngrams(NamedTuple):
    """The n-grams of one order of the references of each sentence.

    Attributes:
        tokens: `[B, G, n]`, the ids.
        counts: `[B, G]`, how many of an n-gram count: the most that one reference has. 0 where an
            n-gram stands for the second time or a reference has ended.
        probabilities: `[B, L, G, n]`, that of the n-gram's token k at place t.
        totals: `[B]`, the number of n-grams of a candidate.
    """

    tokens: Tensor
    counts: Tensor
    probabilities: Tensor
    totals: Tensor

    def at_places(self) -> Tensor:
        """Return the probability that an n-gram begins at a place: `[B, L - n + 1, G]`."""
        order = self.tokens.shape[-1]
        last = max(0, self.probabilities.shape[1] - order + 1)
        found = self.probabilities[:, :last, :, 0]
        for offset in range(1, order):
            found = found * self.probabilities[:, offset : offset + last, :, offset]
        return found * (self.counts > 0)[:, None, :]


def read_texts(
    probabilities: Tensor,
    references: Tensor,
    padding: int | None,
    candidate_lengths: Tensor | None,
    reference_lengths: Tensor | None,
    dimensions: tuple[int, ...] = (2, 3),
) -> Texts:
    """Return a batch with its lengths, and the columns of the references' words.

    Raises:
        InputTypeError: an argument has the wrong type.
        InputError: the shapes do not fit.
    """
    ids, lengths = token_rows("references", references, reference_lengths, padding, dimensions)
    candidate_lengths = _candidate_lengths(probabilities, ids, candidate_lengths)
    places, vocabulary = probabilities.shape[1:]
    # An id outside of the vocabulary has no column: it is never written.
    is_word = is_before(lengths, ids.shape[-1]) & (ids >= 0) & (ids < vocabulary)
    columns = ids.clamp(0, vocabulary - 1).flatten(1).unsqueeze(1).expand(-1, places, -1)
    # Products of numbers of 16 bits would be 0 too soon.
    words = probabilities.gather(-1, columns).to(
        TORCH.promote_types(probabilities.dtype, TORCH.float32)
    )
    words = words.unflatten(-1, ids.shape[1:])
    words = words * is_word.unsqueeze(1)
    words = words * is_before(candidate_lengths, places)[..., None, None]
    return Texts(words, ids, candidate_lengths, lengths)


def _candidate_lengths(probabilities: Any, references: Tensor, lengths: Any) -> Tensor:
    """Return the lengths of the candidates, and check the shapes."""
    if not (isinstance(probabilities, TORCH.Tensor) and probabilities.is_floating_point()):
        raise wrong_type("probabilities", "a tensor of floating-point numbers", probabilities)
    shape = probabilities.shape
    if len(shape) != 3 or shape[0] != references.shape[0] or not shape[-1]:
        raise InputError(
            f"probabilities have the shape {shown(tuple(shape))}; expected that of "
            f"[{references.shape[0]}, places, words of the vocabulary], as many as references"
        )
    if lengths is None:
        return references.new_full(shape[:1], shape[1])
    if not isinstance(lengths, TORCH.Tensor) or lengths.shape != shape[:1]:
        raise wrong_type("candidate_lengths", f"a tensor of {shape[0]} integers", lengths)
    return lengths.to(TORCH.int64).clamp(0, shape[1])


def check_order(name: str, order: object) -> None:
    """Raise if there are no n-grams of an order."""
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise OptionError(f"{name} is {shown(order)}; expected a whole number from 1 on")


def ngrams_of(texts: Texts, order: int) -> Ngrams:
    """Return the references' n-grams of one order."""
    missing = max(0, order - texts.references.shape[-1])
    windows = TORCH.nn.functional.pad(texts.references, (0, missing)).unfold(-1, order, 1)
    batch, references, starts, _ = windows.shape
    number = TORCH.arange(starts, device=windows.device)
    is_there = (number < (texts.reference_lengths - order + 1)[..., None]).flatten(1)
    tokens = windows.flatten(1, 2)
    same = (tokens[:, :, None] == tokens[:, None, :]).all(-1) & is_there[:, None]
    most = same.view(batch, -1, references, starts).sum(-1).amax(-1)
    is_first = is_there & ~same.tril(-1).any(-1)
    words = TORCH.nn.functional.pad(texts.words, (0, missing)).unfold(-1, order, 1)
    totals = (texts.candidate_lengths - order + 1).clamp(min=0)
    return Ngrams(tokens, most * is_first, words.flatten(2, 3), totals)


def expected_clipped_matches(ngrams: Ngrams) -> Tensor:
    """Return the expected number of clipped matches of an n-gram, exactly: `[B, G]`.

    An automaton (Knuth, Morris and Pratt 1977) reads a candidate token by token. `state` has the
    probability that an n-gram has come k times and that the candidate now ends with its first s
    tokens; so n-grams that overlap with themselves are counted right.
    """
    limit = int(ngrams.counts.max()) if ngrams.counts.numel() else 0
    matched = ngrams.probabilities.new_zeros(ngrams.counts.shape)
    if not limit:
        return matched
    moves, after_match = _automaton(ngrams.tokens, ngrams.probabilities.dtype)
    counting = TORCH.arange(limit, device=matched.device) < ngrams.counts[..., None]
    state = matched.new_zeros((*matched.shape, limit, ngrams.tokens.shape[-1]))
    state[..., 0, 0] = 1
    for place in ngrams.probabilities.unbind(1):
        longer = (state @ moves) * place[..., None, :]
        found = longer[..., -1]
        matched = matched + (found * counting).sum(-1)
        nothing = state.sum(-1) - longer.sum(-1)
        once_more = TORCH.nn.functional.pad(found[..., :-1], (1, 0))
        state = TORCH.cat([nothing[..., None], longer[..., :-1]], -1)
        state = state + once_more[..., None] * after_match[..., None, :]
    return matched


def _automaton(tokens: Tensor, dtype: Any) -> tuple[Tensor, Tensor]:
    """Return where each state of the automaton leads.

    Returns:
        `[B, G, n, n]`, 1 where the last token of the first s + 1 tokens leads from the state r to
        s + 1; and `[B, G, n]`, 1 at the state after a match.
    """
    order = tokens.shape[-1]
    moves = tokens.new_zeros((*tokens.shape, order), dtype=dtype)
    for state in range(order):
        taken: list[tuple[int, Tensor]] = []
        for length in range(state + 1, 0, -1):
            leads = _ends_with(tokens, state, length - 1)
            for longer, is_taken in taken:
                leads = leads & ~(is_taken & (tokens[..., longer - 1] == tokens[..., length - 1]))
            taken.append((length, leads))
            moves[..., state, length - 1] = leads.to(dtype)
    after_match = TORCH.zeros_like(moves[..., 0])
    is_open = TORCH.ones_like(tokens[..., 0], dtype=TORCH.bool)
    for length in range(order - 1, -1, -1):
        border = is_open & _ends_with(tokens, order, length)
        after_match[..., length] = border.to(dtype)
        is_open = is_open & ~border
    return moves, after_match


def _ends_with(tokens: Tensor, state: int, length: int) -> Tensor:
    """Return whether the first `state` tokens end with the first `length`."""
    return (tokens[..., :length] == tokens[..., state - length : state]).all(-1)
