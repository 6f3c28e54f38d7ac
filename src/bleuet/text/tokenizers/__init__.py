"""The tokenizers of BLEU, as a table; each is one file of this folder.

The kernel has the first group; their Python files serve the Python backend. The others are in
Python, or in Python libraries, and the kernel counts their tokens.
"""

from __future__ import annotations

from importlib import import_module

from bleuet.errors import OptionError
from bleuet.frozen import Value, cached_property, checked
from bleuet.messages import nearest, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # Makes a function from a stripped line to a line with one space between tokens, and the
    # value of `tok` in a signature.
    Maker = Callable[[str], tuple[Callable[[str], str], str]]

SPM_PREFIX = "spm:"
_ASCII_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
# The prefix of a tokenizer that is known only by its `tok` in a signature.
SIGNED_PREFIX = "signed:"


class Tokenizer(Value):
    """One tokenizer of the table.

    Args:
        name: its name.
        path: where it is: module:function, in this package.
        summary: what it does, in one line.
        in_kernel: the kernel has it; otherwise the Python function makes the tokens.
        in_sacrebleu: sacreBLEU has it under the same name.
        case: where tokens are lower-cased, and not the text before: "ascii" for ASCII letters
            only, "letters" for all, each by itself.
    """

    _fields = ("name", "path")
    name: str
    path: str
    summary: str
    in_kernel: bool = False
    in_sacrebleu: bool = True
    case: str = ""

    def tokenize(self, line: str) -> str:
        """Return the line with one space between tokens, with this tokenizer's Python code.

        >>> find_tokenizer("13a").tokenize("Yes, 3.5%.")
        'Yes , 3.5 % .'
        """
        return self._loaded[0](line)

    def lower_tokens(self, line: str) -> str:
        """Return the tokens of a line in lower case, with one space between them.

        >>> find_tokenizer("13a").lower_tokens("ÄB&QUOT; ")
        'äb "'
        >>> find_tokenizer("mteval-v13a").lower_tokens("ÄB&QUOT; ")
        'Äb & quot ;'
        """
        if not self.case:
            return self.tokenize(line.lower().rstrip())
        tokens = self.tokenize(line.rstrip())
        if self.case == "ascii":
            return tokens.translate(_ASCII_LOWER)
        # In a word of its own, no sigma is the one that ends a word.
        return "".join(map(str.lower, tokens))

    def signature(self) -> str:
        """Return the value of `tok` in a signature."""
        return self.name if self.in_kernel else self._loaded[1]

    @cached_property
    def _loaded(self) -> tuple[Callable[[str], str], str]:
        module, _, function = self.path.partition(":")
        make: Maker = getattr(import_module(f"bleuet.text.tokenizers.{module}"), function)
        return make(self.name)


TOKENIZERS: dict[str, Tokenizer] = {
    tokenizer.name: tokenizer
    for tokenizer in (
        Tokenizer("13a", "mteval13a:make", "mteval-v13a, as in WMT; the default", in_kernel=True),
        Tokenizer("none", "whitespace:make", "splits at white space only", in_kernel=True),
        Tokenizer("char", "characters:make", "every character is a token", in_kernel=True),
        Tokenizer(
            "intl",
            "international:make",
            "mteval-v14, with Unicode punctuation and symbols",
            in_kernel=True,
        ),
        Tokenizer(
            "zh",
            "chinese:make",
            "every Chinese character is a token, as in sacreBLEU",
            in_kernel=True,
        ),
        Tokenizer(
            "zh-fixed",
            "chinese:make",
            "as zh, with the intended ranges of characters",
            in_kernel=True,
            in_sacrebleu=False,
        ),
        Tokenizer(
            "mteval-v13a",
            "mteval13a:make",
            "as 13a, with mteval's lower-casing of ASCII letters only",
            in_kernel=True,
            in_sacrebleu=False,
            case="ascii",
        ),
        Tokenizer(
            "mteval-v14",
            "international:make_mteval",
            "as intl, with the entities that mteval replaces",
            in_sacrebleu=False,
            case="letters",
        ),
        Tokenizer("ja-mecab", "mecab:make_japanese", "Japanese words from MeCab with IPADIC"),
        Tokenizer("ko-mecab", "mecab:make_korean", "Korean words from MeCab-ko"),
        Tokenizer("spm", "sentencepiece:make_named", "older name of flores101"),
        Tokenizer("flores101", "sentencepiece:make_named", "FLORES-101 SentencePiece pieces"),
        Tokenizer("flores200", "sentencepiece:make_named", "FLORES-200 SentencePiece pieces"),
        Tokenizer("spBLEU-1K", "sentencepiece:make_named", "spBLEU-1K SentencePiece pieces"),
    )
}

# What users mean by other names, for hints.
SPELLINGS = {
    "13": "13a", "v13a": "13a", "v14": "intl", "mteval13a": "mteval-v13a", "mteval": "mteval-v13a",
    "international": "intl", "whitespace": "none", "character": "char", "chars": "char",
    "zh-cn": "zh", "zh-tw": "zh", "chinese": "zh", "jieba": "zh", "japanese": "ja-mecab",
    "korean": "ko-mecab", "mecab": "ja-mecab", "sentencepiece": "spm", "spbleu": "flores200",
    "tercom": "", "moses": "",
}  # fmt: skip
# Target languages without white space between words.
BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
DEFAULT = "13a"


def find_tokenizer(name: str) -> Tokenizer:
    """Return a tokenizer by its name, or the one of a SentencePiece model, `spm:FILE`.

    Raises:
        OptionError: there is no such tokenizer; the message names the nearest.
        MissingExtraError: it needs a library that is not installed.
    """
    found = TOKENIZERS.get(name) if isinstance(name, str) else None
    if found is None and str(name).startswith(SPM_PREFIX):
        found = Tokenizer(name, "sentencepiece:make_from_file", "", in_sacrebleu=False)
    if found is None and str(name).startswith(SIGNED_PREFIX):
        # sacreBLEU has all tokenizers except SentencePiece models of files.
        file = str(name).startswith(f"{SIGNED_PREFIX}spm-")
        found = Tokenizer(name, "signed:make", "", in_sacrebleu=not file)
    if found is None:
        raise OptionError(
            f"there is no tokenizer {shown(name)}{nearest(str(name), TOKENIZERS, SPELLINGS)}; the "
            f"tokenizers are {', '.join(TOKENIZERS)}, "
            f"and {SPM_PREFIX}FILE for a SentencePiece model"
        )
    if not found.in_kernel:
        # A missing library or model is found now, not in the middle of a corpus.
        found.signature()
    return found


@checked
def tokenizer_for_language(language: str) -> str:
    """Return the name of the tokenizer that fits a target language.

    Args:
        language: a code such as "ja"; a region or script is ignored.

    >>> tokenizer_for_language("zh-TW"), tokenizer_for_language("de")
    ('zh', '13a')
    """
    return BY_LANGUAGE.get(language.lower().replace("_", "-").partition("-")[0], DEFAULT)
