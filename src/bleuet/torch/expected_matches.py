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
    from collections.abc import Sequence
    from typing import Any

    from bleuet.torch.token_tensors import Marks, Tensor

TORCH = optional("torch")
# How far the sum of the probabilities of a place may be from 1: 16 bits are that rough.
TOLERANCE = 0.01
ADVICE = (
    ", as of logits.softmax(-1) or log_probabilities.exp(); pass candidate_lengths where a row has "
    "padding"
)
_NEVER_WAITED_FOR = frozenset(["cpu"])
# The kinds of other devices on which a first call was checked.
_CHECKED: set[str] = set()


class ExpectedTexts(NamedTuple):
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
        before: `[B, G]`, the number of the same n-gram that comes before in the same reference; -1
            if it is the first one, or the reference has ended.
        is_counted: `[B, G]`, whether it is in the reference with the most of its kind: as many are
            true as count.
        probabilities: `[B, L, G, n]`, that of the n-gram's token k at place t.
        totals: `[B]`, the number of n-grams of a candidate.
    """

    tokens: Tensor
    counts: Tensor
    before: Tensor
    is_counted: Tensor
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
    ignored: Marks,
    candidate_lengths: Tensor | None,
    reference_lengths: Tensor | None,
    dimensions: tuple[int, ...] = (2, 3),
) -> ExpectedTexts:
    """Return a batch with its lengths, and the columns of the references' words.

    Raises:
        InputTypeError: an argument has the wrong type.
        InputError: the shapes do not fit.
    """
    ids, lengths = token_rows("references", references, reference_lengths, ignored, dimensions)
    candidate_lengths = _candidate_lengths(probabilities, ids, candidate_lengths)
    _check_distributions(probabilities, candidate_lengths)
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
    return ExpectedTexts(words, ids, candidate_lengths, lengths)


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


def _check_distributions(probabilities: Tensor, lengths: Tensor) -> None:
    """Raise an error if the probabilities of a place do not add up to 1, as logits do not.

    On a GPU only the first call is checked, since a check waits for it. NaN is no error: the loss
    is NaN then, which training in low precision expects.
    """
    device = probabilities.device
    is_compiled = TORCH.compiler.is_compiling()
    if not is_compiled and device.type not in _NEVER_WAITED_FOR:
        if device.type in _CHECKED:
            return
        _CHECKED.add(device.type)
    kind = TORCH.promote_types(probabilities.dtype, TORCH.float32)
    totals = probabilities.detach().sum(-1, dtype=kind)
    is_wrong = is_before(lengths, totals.shape[-1]) & ((totals - 1).abs() > TOLERANCE)
    if is_compiled:
        TORCH._assert_async(~is_wrong.any(), f"expected probabilities of each place{ADVICE}")
    elif is_wrong.any():
        sentence, place = is_wrong.nonzero()[0].tolist()
        raise InputError(
            f"the probabilities at place {place} of sentence {sentence} add up to "
            f"{totals[sentence, place].item():.4g}; expected 1{ADVICE}"
        )


def check_order(name: str, order: object) -> None:
    """Raise if there are no n-grams of an order."""
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise OptionError(f"{name} is {shown(order)}; expected a whole number, 1 or more")


def ngrams_of(texts: ExpectedTexts, order: int) -> Ngrams:
    """Return the references' n-grams of one order."""
    missing = max(0, order - texts.references.shape[-1])
    windows = TORCH.nn.functional.pad(texts.references, (0, missing)).unfold(-1, order, 1)
    batch, references, starts, _ = windows.shape
    number = TORCH.arange(starts, device=windows.device)
    is_there = (number < (texts.reference_lengths - order + 1)[..., None]).flatten(1)
    tokens = windows.flatten(1, 2)
    same = (tokens[:, :, None] == tokens[:, None, :]).all(-1) & is_there[:, None]
    in_each = same.view(batch, -1, references, starts).sum(-1)
    most = in_each.amax(-1, keepdim=True)
    is_first = is_there & ~same.tril(-1).any(-1)
    # Of references with equally many the first.
    is_chosen = (in_each == most) & ((in_each == most).cumsum(-1) == 1)
    own = TORCH.arange(references, device=windows.device).repeat_interleave(starts)
    is_counted = is_there & is_chosen.gather(-1, own.expand(batch, -1)[..., None])[..., 0]
    numbers = TORCH.arange(len(own), device=windows.device)
    is_before = same & is_there[..., None] & (own[:, None] == own) & (numbers < numbers[:, None])
    before = TORCH.where(is_before, numbers, -1).amax(-1)
    words = TORCH.nn.functional.pad(texts.words, (0, missing)).unfold(-1, order, 1)
    totals = (texts.candidate_lengths - order + 1).clamp(min=0)
    counts = most[..., 0] * is_first
    return Ngrams(tokens, counts, before, is_counted, words.flatten(2, 3), totals)


def expected_clipped_matches(of_orders: Sequence[Ngrams]) -> list[Tensor]:
    """Return the expected number of clipped matches of each order, exactly: `[B]` each.

    An automaton (Knuth, Morris and Pratt 1977) reads a candidate token by token. There is one for
    each n-gram of the references: of an n-gram that stands there three times, the first one waits
    for the candidate's first, and the last one for its third. Its state s has the probability that
    those before have been found, and that the candidate now ends with the first s tokens of the
    n-gram; so n-grams that overlap with themselves are counted right. All orders are read at once,
    with their states aligned at the end.
    """
    width = max(one.tokens.shape[-1] for one in of_orders)
    automata = [_automaton(one, width) for one in of_orders]
    sizes = [one.tokens.shape[1] for one in of_orders]
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    moves, after_match, start = (TORCH.cat(part, 1) for part in zip(*automata, strict=True))
    shifted = zip(of_orders, starts, strict=True)
    before = TORCH.cat([one.before.clamp(min=0) + first for one, first in shifted], 1)
    is_counted = TORCH.cat([one.is_counted for one in of_orders], 1)
    is_new = TORCH.cat([one.before < 0 for one in of_orders], 1)
    after_match = after_match * ~is_new[..., None]
    state = start * is_new[..., None]
    padded = [_aligned(one.probabilities, width) for one in of_orders]
    matched = [TORCH.zeros_like(is_new, dtype=state.dtype)]
    for place in TORCH.cat(padded, 2).unbind(1):
        # To the next states, of which the last one is the match.
        reached = (state[..., None] * moves).sum(-2) * place
        found = reached[..., -1]
        nothing = state.sum(-1) - reached.sum(-1)
        matched.append(found)
        state = TORCH.addcmul(reached[..., :-1], nothing[..., None], start)
        state = TORCH.addcmul(state, found.gather(1, before)[..., None], after_match)
    total = TORCH.stack(matched).sum(0) * is_counted
    return [one.sum(-1) for one in total.split(sizes, 1)]


def _aligned(tokens: Tensor, width: int) -> Tensor:
    """Return numbers of tokens for the states that these lead to: 0 for those there are not."""
    return TORCH.nn.functional.pad(tokens, (width + 1 - tokens.shape[-1], 0))


def _automaton(ngrams: Ngrams, width: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return where each state of the automata leads.

    Args:
        ngrams: n-grams of n tokens; their states 0 to n - 1 are the last ones of all.
        width: the number of states, at least n.

    Returns:
        `[B, G, width, width + 1]`, 1 where the right token leads from a state to another, or to
        the match, which is the last one; `[B, G, width]`, 1 at the state after a match; the same
        for the state 0.
    """
    tokens, dtype = ngrams.tokens, ngrams.probabilities.dtype
    order = tokens.shape[-1]
    first = width - order
    equal = tokens[..., :, None] == tokens[..., None, :]
    moves = tokens.new_zeros((*tokens.shape[:-1], width, width + 1), dtype=dtype)
    for state in range(order):
        # The longest beginning that a token leads to; shorter ones only if it is another token.
        taken: list[tuple[int, Tensor]] = []
        for length in range(state + 1, 0, -1):
            leads = _ends_with(equal, state, length - 1)
            for longer, is_taken in taken:
                leads = leads & ~(is_taken & equal[..., longer - 1, length - 1])
            taken.append((length, leads))
            moves[..., first + state, first + length] = leads.to(dtype)
    after_match = tokens.new_zeros((*tokens.shape[:-1], width), dtype=dtype)
    is_open = TORCH.ones_like(tokens[..., 0], dtype=TORCH.bool)
    for length in range(order - 1, -1, -1):
        border = is_open & _ends_with(equal, order, length)
        after_match[..., first + length] = border.to(dtype)
        is_open = is_open & ~border
    start = TORCH.zeros_like(after_match)
    start[..., first] = 1
    return moves, after_match, start


def _ends_with(equal: Tensor, state: int, length: int) -> Tensor:
    """Return whether the first `state` tokens end with the first `length`.

    Args:
        equal: `[B, G, n, n]`, whether two tokens of an n-gram are equal.
        state: a number of tokens.
        length: a smaller number of tokens, or the same.
    """
    pairs = equal[..., :length, state - length : state]
    return pairs.diagonal(dim1=-2, dim2=-1).all(-1)
