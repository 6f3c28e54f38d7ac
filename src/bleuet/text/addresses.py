"""Files that are not on this computer, such as s3://bucket/ref.txt, opened by Arrow."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.messages import in_short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SIGN = "://"


def is_address(path: str) -> bool:
    """Return whether a path is an address that Arrow's filesystems open.

    >>> is_address("s3://bucket/ref.txt"), is_address("data/ref.txt")
    (True, False)
    """
    return SIGN in path


def filesystem_of(address: str) -> tuple[Any, str]:
    """Return the filesystem of an address, and the path of the file in it.

    Raises:
        InputError: Arrow has no filesystem for such addresses, or cannot reach it.
        MissingExtraError: pyarrow is not installed.
    """
    library = optional("pyarrow.fs")
    try:
        found, path = library.FileSystem.from_uri(address)
    except Exception as error:  # Arrow has no class of its own for them
        raise InputError(
            f"{address} cannot be opened ({in_short(error)}); expected a path, or an address that "
            "begins with s3://, gs://, hdfs:// or file://"
        ) from None
    return found, path


def open_address(address: str) -> Any:
    """Open the file at an address for reading at any place.

    Raises:
        InputError: it cannot be opened.
    """
    filesystem, path = filesystem_of(address)
    try:
        return filesystem.open_input_file(path)
    except Exception as error:
        raise InputError(f"{address} cannot be opened ({in_short(error)}): check it") from None


def names_in(address: str) -> list[str]:
    """Return the names of the files in the folder at an address; none if it is not there.

    Raises:
        InputError: it cannot be listed.
    """
    library = optional("pyarrow.fs")
    filesystem, path = filesystem_of(address)
    try:
        found = filesystem.get_file_info(library.FileSelector(path, allow_not_found=True))
    except Exception as error:
        raise InputError(f"{address} cannot be listed ({in_short(error)}): check it") from None
    return [one.base_name for one in found]


def file_for_arrow(path: str) -> Any:
    """Return what Arrow's readers take for a path or an address."""
    return open_address(path) if is_address(path) else path


def size_of(address: str) -> int:
    """Return the bytes of the file at an address.

    Raises:
        InputError: there is none.
    """
    with open_address(address) as file:
        size: int = file.size()
        return size
