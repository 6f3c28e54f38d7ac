"""`bleuet tokenizers`: the tokenizers of BLEU."""

from __future__ import annotations

from bleuet.cli.options import Command
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.text.tokenizers import BY_LANGUAGE, SPM_PREFIX, TOKENIZERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments

COMMAND = Command("tokenizers", "List the tokenizers of BLEU.", ["[option ...]"], {})


def answer(args: Arguments) -> Tokenizers:
    """Return the list of tokenizers."""
    return Tokenizers()


class Tokenizers(Answer):
    """The tokenizers, and the target languages that select them."""

    def document(self) -> Document:
        """Return one table."""
        languages = {name: language for language, name in BY_LANGUAGE.items()}
        rows = [
            [name, tokenizer.summary, languages.get(name)] for name, tokenizer in TOKENIZERS.items()
        ]
        rows.append([f"{SPM_PREFIX}FILE", "pieces of the SentencePiece model in FILE", None])
        columns = [
            Column("tokenizer"),
            Column("summary"),
            Column("language", "target language (-l)"),
        ]
        return Document(tables=[DocumentTable("tokenizers", "", columns, rows)])
