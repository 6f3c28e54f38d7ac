"""The sentences of a summary, as ROUGE-Lsum compares them."""

from __future__ import annotations

from bleuet.errors import MissingExtraError
from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def sentence_lines(divider: str) -> Callable[[str], str]:
    r"""Return a function from a text to the same text with one sentence per line.

    Args:
        divider: a mark between sentences, or "nltk" for NLTK's sentence tokenizer.

    >>> sentence_lines("<n>")("It rains.<n>It pours.")
    'It rains.\nIt pours.'
    """
    if divider == "nltk":
        return _lines_of_nltk
    return lambda text: text.replace(divider, "\n")


def _lines_of_nltk(text: str) -> str:
    try:
        sentences = optional("nltk").sent_tokenize(text)
    except LookupError:
        raise MissingExtraError(
            "NLTK's sentence tokenizer needs its data punkt_tab, which is not installed: "
            "python -m nltk.downloader punkt_tab"
        ) from None
    return "\n".join([sentence.replace("\n", " ") for sentence in sentences])
