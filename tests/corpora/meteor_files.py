"""Small files like METEOR's, with words of our own, in each form that METEOR's come in."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

WORDS = {
    "function/english.words": "the\na\nof\n",
    "function/german.words": "der\ndie\n",
    "synonym/english.synsets": "car\n1 2\nautomobile\n1\nbank\n3\nshore\n3 4\n",
    "synonym/english.exceptions": "shore\nshoar\n",
    "nonbreaking/english.prefixes": "# titles\nMr\nNo #NUMERIC_ONLY#\n",
}
PARAPHRASES = [("the bank", "shore"), ("shore", "the bank"), ("car of", "a car"), ("cars", "car x")]


def table_of(entries: Iterable[tuple[str, str]] = PARAPHRASES) -> bytes:
    """A table of paraphrases."""
    text = "".join(f"0.5\n{one}\n{other}\n" for one, other in entries)
    return gzip.compress(text.encode(), mtime=0)


def jar_of(words: dict[str, str] = WORDS) -> bytes:
    """A jar with lists of words."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as jar:
        for name, text in words.items():
            jar.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def parts(folder: str = "meteor-1.5/") -> dict[str, bytes]:
    """METEOR's folder: a jar, tables of two languages, and what else there is."""
    return {
        f"{folder}README": b"read me",
        f"{folder}data/paraphrase-de.gz": table_of([("das haus", "der bau")]),
        f"{folder}data/paraphrase-en.gz": table_of(),
        f"{folder}meteor-1.5.jar": jar_of(),
    }


def tar_of(members: dict[str, bytes], mode: str = "w:gz") -> bytes:
    """A tar archive; a member without content is a link to a file outside."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            if not data:
                member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(member, io.BytesIO(data))
    return content.getvalue()


def zip_of(members: dict[str, bytes]) -> bytes:
    """A zip archive, as a wheel is."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return content.getvalue()


def write_parts(folder: Path, members: dict[str, bytes]) -> None:
    """Write the members as files."""
    for name, data in members.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
