"""The options of metrics that count words: the tokenizer and the letter case."""

from __future__ import annotations

from bleuet.errors import SignatureError
from bleuet.frozen import cached_property
from bleuet.messages import nearest, wrong_type
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import CASE
from bleuet.statistics.backend import backend
from bleuet.text import segments
from bleuet.text.segments import IDS
from bleuet.text.tokenizers import (
    DEFAULT,
    SIGNED_PREFIX,
    SPM_PREFIX,
    TOKENIZERS,
    find_tokenizer,
    tokenizer_for_language,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal, TypeAlias

    from bleuet.metrics.base.option import Option
    from bleuet.metrics.base.score import ScoreT  # noqa: F401 - in the quoted base class
    from bleuet.text.tokenizers import Tokenizer

    # Other values are tokenizers too: the file of a model.
    TokenizerName: TypeAlias = Literal[
        "13a",
        "none",
        "char",
        "intl",
        "zh",
        "zh-fixed",
        "mteval-v13a",
        "mteval-v14",
        "ja-mecab",
        "ko-mecab",
        "spm",
        "flores101",
        "flores200",
        "spBLEU-1K",
    ]


def _language(text: str) -> str:
    if not text:
        return text
    from bleuet.text.languages import checked_language

    return checked_language(text)


def _is_in_kernel(metric: Any) -> bool:
    return metric._tokenizer is not None and metric._tokenizer.in_kernel


# How a counter of words finds the words of a text; see `CounterClass`.
WORDS: dict[str, Callable[[Any], Any] | None] = {
    "tokenize": None,
    "tokenizer": lambda metric: metric.tokenize if _is_in_kernel(metric) else "none",
    "lowercase": lambda metric: metric.lowercase and _is_in_kernel(metric),
}


class WordOptions(Metric["ScoreT"]):
    """The letter case and the tokenizer, of metrics that count words."""

    _for_users = (*Metric._for_users, "tokens")
    lowercase: bool = option(
        default=False,
        help="lower-case hypotheses and references first",
        key="case",
        short_key="c",
        values=CASE,
    )
    tokenize: TokenizerName | str = option(
        default=DEFAULT,
        help="the tokenizer; its default depends on the target language",
        key="tok",
        choices=TOKENIZERS,
        also=f"{SPM_PREFIX}FILE for a SentencePiece model, {IDS} for token ids",
        follows="trg_lang",
        default_for=tokenizer_for_language,
    )
    trg_lang: str = option(
        default="",
        help="code of the target language, such as ja; selects the default tokenizer",
        check=_language,
        init_only=True,
    )

    def check_options(self) -> None:
        """Reject a tokenizer that is not there, and letter case of token ids."""
        if self._tokenizer is None and self.lowercase:
            raise self.rejected("lowercase", "must be off: token ids have no case")

    @cached_property
    def _tokenizer(self) -> Tokenizer | None:
        return None if self.tokenize == IDS else find_tokenizer(self.tokenize)

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the language's tokenizer, as sacreBLEU's command line does."""
        return {"tokenize": tokenizer_for_language(language)}

    # --- Signature --------------------------------------------------------------------------------

    def _sign(self, one: Option) -> str:
        if one.name == "tokenize":
            return IDS if self._tokenizer is None else self._tokenizer.signature()
        return super()._sign(one)

    @classmethod
    def _unsign(cls, one: Option, text: str) -> dict[str, Any]:
        if one.name == "tokenize":
            return {"tokenize": _tokenizer_of_signature(text)}
        return super()._unsign(one, text)

    def _is_sacrebleus(self) -> bool:
        return (
            self._tokenizer is not None
            and self._tokenizer.in_sacrebleu
            and super()._is_sacrebleus()
        )

    # --- Words ------------------------------------------------------------------------------------

    @cached_property
    def counted_kind(self) -> str:
        """`TOKEN_IDS` with tokenize="ids", otherwise `TEXT`."""
        return segments.TOKEN_IDS if self._tokenizer is None else segments.TEXT

    @cached_property
    def tokenize_text(self) -> Callable[[str], str] | None:
        """The function from text to tokens, where the kernel does not have the tokenizer."""
        if self._tokenizer is None or self._tokenizer.in_kernel:
            return None
        return self._tokenize

    def tokens(self, text: str) -> Sequence[object]:
        """Return the tokens of a text as the metric counts them.

        Raises:
            InputTypeError: it is not a text; token ids are tokens already.

        >>> from bleuet.metrics.bleu.metric import BLEU
        >>> BLEU(lowercase=True).tokens("The cat.")
        ['the', 'cat', '.']
        """
        if self._tokenizer is None:  # token ids, which `Corpus` has checked
            return text
        if not isinstance(text, str):
            raise wrong_type("text", "a string", text)
        if self.tokenize_text is not None:
            return self.tokenize_text(text).split()
        cased = text.lower() if self.lowercase else text
        tokens: list[str] = backend().tokenize(self.tokenize, cased)
        return tokens

    def _tokenize(self, text: str) -> str:
        assert self._tokenizer is not None
        if not isinstance(text, str):
            raise TypeError(f"expected a string, got {type(text).__name__}")
        if self.lowercase:
            return self._tokenizer.lower_tokens(text)
        return self._tokenizer.tokenize(text.rstrip())


def _tokenizer_of_signature(tok: str) -> str:
    """Return the name of the tokenizer that signs with `tok`; MeCab's sign with their version."""
    if tok in TOKENIZERS or tok == IDS or tok.startswith(SIGNED_PREFIX):
        return tok
    if tok.startswith("spm-"):
        raise SignatureError(
            f"the signature's tokenizer is a SentencePiece model given as a file ({tok}: its name "
            "and the beginning of its SHA-256); make the metric with tokenize='spm:FILE'"
        )
    for name in TOKENIZERS:
        if tok.startswith(f"{name}-"):
            found = find_tokenizer(name)
            if found.signature() == tok:
                return name
            raise SignatureError(
                f"the signature's tokenizer is {tok}, but the one installed is {found.signature()}"
            )
    raise SignatureError(f"no tokenizer has the signature {tok}{nearest(tok, TOKENIZERS)}")
