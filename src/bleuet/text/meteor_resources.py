"""The files of METEOR: function words, prefixes, synonyms and paraphrases.

They belong to others and are no part of bleuet. A user names METEOR's jar, or a folder, or stores
both in the data folder with `bleuet meteor-data`. Nothing in them is run; what is read is limited
in size.
"""

from __future__ import annotations

import gzip
import os
import zipfile
from hashlib import sha256
from pathlib import Path

from bleuet.errors import InputError
from bleuet.messages import shown
from bleuet.text.meteor_normalizer import read_prefixes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# METEOR's names of languages: in files, and of tables of paraphrases.
LANGUAGES = {
    "cs": ("czech", "cz"), "da": ("danish", "da"), "de": ("german", "de"), "en": ("english", "en"),
    "es": ("spanish", "es"), "fi": ("finnish", "fi"), "fr": ("french", "fr"),
    "hu": ("hungarian", "hu"), "it": ("italian", "it"), "nl": ("dutch", "nl"),
    "no": ("norwegian", "no"), "other": ("other", "other"), "pt": ("portuguese", "pt"),
    "ro": ("romanian", "ro"), "ru": ("russian", "ru"), "sv": ("swedish", "se"),
    "tr": ("turkish", "tr"),
}  # fmt: skip
MOST_BYTES = 1 << 26
MOST_TABLE_BYTES = 1 << 33
BLOCK_BYTES = 1 << 22
SOURCE = (
    "download METEOR 1.5 from https://www.cs.cmu.edu/~alavie/METEOR/ and store its files with "
    "bleuet meteor-data --from FILE"
)
# METEOR's, in its order.
ENDINGS = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
    ("men", "man"), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
    ("ing", "e"), ("ing", ""), ("er", ""), ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip


def broken_archive() -> tuple[type[Exception], ...]:
    """Return what reading a damaged archive raises."""
    from lzma import LZMAError
    from struct import error
    from zlib import error as zlib_error

    return (
        *(OSError, EOFError, RuntimeError, ValueError, MemoryError),
        *(zipfile.BadZipFile, LZMAError, error, zlib_error),
    )


class Synonyms:
    """Sets of words that mean the same.

    Args:
        sets: by each word the numbers of the sets that it is in.
        exceptions: by each irregular form the words that it is a form of.
        endings: of other forms, and what they are replaced by; the first counts that gives a word
            that the sets have.
    """

    def __init__(
        self,
        sets: dict[str, tuple[int, ...]],
        exceptions: dict[str, tuple[str, ...]],
        endings: Sequence[tuple[str, str]] = ENDINGS,
    ) -> None:
        self._sets = sets
        self._exceptions = exceptions
        self._endings = endings

    @property
    def words(self) -> int:
        """How many words the sets have."""
        return len(self._sets)

    def of(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the sets that a word is in, or the word that it is a form of.

        >>> Synonyms({"car": (7,), "be": (1,)}, {"is": ("be",)}).of("cars")
        (7,)
        """
        numbers = set(self._sets.get(word, ()))
        for base in self._exceptions.get(word) or self._regular(word):
            numbers.update(self._sets.get(base, ()))
        return tuple(sorted(numbers))

    def _regular(self, word: str) -> tuple[str, ...]:
        # As WordNet has it for nouns (morphy(7WN)), and METEOR for all words.
        if len(word) <= 2 or word.endswith("ss"):
            return ()
        for ending, instead in self._endings:
            if word.endswith(ending):
                base = word[: -len(ending)] + instead
                if base in self._sets:
                    return (base,)
        return ()


class MeteorResources:
    """METEOR's files for one language.

    Args:
        path: METEOR's jar, or a folder with the jar or with the files that are in it. A table of
            paraphrases is `data/paraphrase-CODE.gz` beside the jar or in the folder.
        language: a language of `LANGUAGES`.

    Raises:
        InputError: there is no such file or folder, or it is not METEOR's.
    """

    def __init__(self, path: str, language: str) -> None:
        self.language, self.code = LANGUAGES[language]
        place = Path(path)
        if "\0" in path or not os.path.exists(path):
            raise InputError(f"{shown(path)} does not exist; {SOURCE}")
        jars = sorted(place.glob("meteor*.jar")) if place.is_dir() else [place]
        self.folder = place if place.is_dir() else place.parent
        self.jar = jars[-1] if jars else None
        if self.jar is not None and not zipfile.is_zipfile(self.jar):
            raise InputError(
                f"{self.jar} is not a jar file: name METEOR's jar or its folder, or {SOURCE}"
            )

    def check(self, matchers: Sequence[str]) -> None:
        """Reject a place without the files of matchers.

        Args:
            matchers: `synonym` and `paraphrase`, or one of them, or none.

        Raises:
            InputError: a file is missing.
        """
        if "synonym" in matchers:
            self._needed(f"synonym/{self.language}.exceptions", "the matcher synonym")
        if "paraphrase" in matchers:
            self._check_paraphrases()

    def _check_paraphrases(self) -> None:
        file = self.paraphrase_file
        if not self.has_paraphrases():
            raise InputError(f"paraphrases need the file {file}, which is missing; {SOURCE}")

    @property
    def place(self) -> Path:
        """The jar, or the folder if the files are in it."""
        return self.jar or self.folder

    def lines(self, name: str) -> list[str] | None:
        """Return the lines of a file of the jar or the folder, or None if it is missing."""
        content = self._content(name)
        if content is None:
            return None
        try:
            return content.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            raise InputError(f"{name} of {self.folder} is not UTF-8") from None

    def _content(self, name: str) -> bytes | None:
        try:
            if self.jar is None:
                file = self.folder / name
                content = limited(file) if file.is_file() else None
            else:
                with zipfile.ZipFile(self.jar) as jar, jar.open(name) as member:
                    content = member.read(MOST_BYTES + 1)
        except KeyError:
            return None
        except broken_archive() as error:
            raise InputError(f"{name} of {self.place} cannot be read: {error}") from error
        if content is not None and len(content) > MOST_BYTES:
            raise InputError(f"{name} of {self.place} has more than 64 MiB")
        return content

    def function_words(self, whose: str) -> frozenset[str]:
        """Return the words that are frequent and mean little.

        Args:
            whose: "english" for those of English, "language" for those of the language.

        Raises:
            InputError: METEOR has no list of them.
        """
        language = "english" if whose == "english" else self.language
        lines = self._needed(f"function/{language}.words", "function words")
        return frozenset([line for line in lines if line])

    def prefixes(self) -> dict[str, bool]:
        """Return the words that keep their full stop, as `read_prefixes` does."""
        return read_prefixes(self.lines(f"nonbreaking/{self.language}.prefixes") or [])

    def synonyms(self) -> Synonyms:
        """Return the sets of synonyms."""
        sets = self._needed(f"synonym/{self.language}.synsets", "the matcher synonym")
        exceptions = self._needed(f"synonym/{self.language}.exceptions", "the matcher synonym")
        forms: dict[str, tuple[str, ...]] = {}
        for base, line in _pairs(exceptions):
            for form in line.split():
                forms[form] = (*forms.get(form, ()), base)
        try:
            numbers = {word: tuple(map(int, line.split())) for word, line in _pairs(sets)}
        except ValueError as error:
            raise InputError(f"{self.folder} does not have METEOR's synonyms: {error}") from None
        return Synonyms(numbers, forms)

    def _needed(self, name: str, what: str) -> list[str]:
        lines = self.lines(name)
        if lines is None:
            raise InputError(f"{what}: {self.place} has no file {name}; {SOURCE}")
        return lines

    def has_paraphrases(self) -> bool:
        """Return whether there is a table of paraphrases for the language."""
        return self.paraphrase_file.is_file()

    @property
    def paraphrase_file(self) -> Path:
        """The table of paraphrases, which need not be there."""
        return self.folder / "data" / f"paraphrase-{self.code}.gz"

    def paraphrases(self) -> Iterator[bytes]:
        """Yield the table of paraphrases in parts.

        Raises:
            InputError: the file is missing, damaged, or too large.
        """
        self._check_paraphrases()
        file = self.paraphrase_file
        total = 0
        try:
            with gzip.open(file) as table:
                while block := table.read(BLOCK_BYTES):
                    total += len(block)
                    if total > MOST_TABLE_BYTES:
                        raise InputError(f"{file} has more than 8 GiB")
                    yield block
        except InputError:
            raise
        except broken_archive() as error:
            raise InputError(f"{file} cannot be read: {error}") from error

    def fingerprint(self) -> str:
        """Return a name and the start of the SHA-256 of all files, for a signature."""
        files = [self.jar] if self.jar else sorted(self.folder.glob("*/*"))
        return fingerprint_of(self.place.stem, dict.fromkeys([*files, self.paraphrase_file]))


def fingerprint_of(name: str, files: Iterable[Path]) -> str:
    """Return a name and the start of the SHA-256 of all files that are there, for a signature.

    Args:
        name: the name.
        files: the files, in order.
    """
    found = sha256()
    for file in files:
        if file.is_file():
            with open(file, "rb") as content:
                while block := content.read(BLOCK_BYTES):
                    found.update(block)
    return f"{name}-{found.hexdigest()[:12]}"


def limited(file: Path) -> bytes:
    """Return what is in a file, but no more than one byte more than `MOST_BYTES`."""
    with open(file, "rb") as content:
        return content.read(MOST_BYTES + 1)


def _pairs(lines: list[str]) -> Iterator[tuple[str, str]]:
    return zip(lines[::2], lines[1::2], strict=False)
