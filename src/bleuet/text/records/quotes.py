"""Quotes in TSV files: whether they are those of a program, such as pandas, or of the texts."""

from __future__ import annotations

from bleuet.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# What programs quote a cell for.
_NEEDS_QUOTES = frozenset('\t\n,"')


def may_be_quoted(blocks: Iterable[bytes]) -> bool:
    r"""Return whether a cell begins with a quote, as bytes show quickly.

    >>> may_be_quoted([b'He said "no".\t', b'"no"\n']), may_be_quoted([b'He said "no".\n'])
    (True, False)
    """
    last = b"\n"
    for block in blocks:
        if b'\t"' in block or b'\n"' in block or (block[:1] == b'"' and last in b"\t\n"):
            return True
        last = block[-1:]
    return False


def is_quoted(lines: Iterable[str], name: str, named: bool, most: int) -> bool:
    r"""Return whether the cells of a TSV file are quoted as RFC 4180 says, with tabs.

    They are if the whole file can be read so, every row has the same number of cells, and all names
    of columns are quoted, or every quoted cell has something to be quoted for. Otherwise quotes
    belong to the texts.

    Args:
        lines: the lines with their ends.
        name: the file, for messages.
        named: whether the first line has the names of the columns.
        most: the most bytes of a cell.

    Raises:
        InputError: the names are quoted as R quotes them, and quotes in cells are not doubled.

    >>> is_quoted(['id\tref\n', '1\t"He said ""no""."\n'], "a.tsv", True, 100)
    True
    >>> is_quoted(['id\tref\n', '1\t"Yes" she said\n'], "a.tsv", True, 100)
    False
    """
    header = ""

    def fed() -> Iterator[str]:
        nonlocal header
        for line in lines:
            header = header or line
            yield line

    all_quoted = False
    try:
        width = 0
        for row in _rows(fed(), most):
            if not width:
                width = len(row)
                all_quoted = all(quoted for _, quoted in row)
            elif len(row) != width:
                raise ValueError("rows differ")
            if not all_quoted and any(
                quoted and cell and _NEEDS_QUOTES.isdisjoint(cell) for cell, quoted in row
            ):
                return False
    except ValueError:
        names = header.rstrip("\n").split("\t")
        if named and all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in names):
            raise InputError(
                f"{name} has quoted names of columns, as R writes them, but cannot be read with "
                "quotes; expected quotes inside of cells to be doubled: write it in R with "
                'qmethod="double" and row.names=FALSE, or as CSV'
            ) from None
        return False
    return True


def _rows(lines: Iterator[str], most: int) -> Iterator[list[tuple[str, bool]]]:
    """Yield the cells of each row, and whether each is quoted.

    Raises:
        ValueError: a quote is at a wrong place, or a cell is too long.
    """
    for line in lines:
        row: list[tuple[str, bool]] = []
        rest = line
        while True:
            if not rest.startswith('"'):
                cell, mark, rest = rest.partition("\t")
                row.append((cell if mark else cell.removesuffix("\n"), False))
                if not mark:
                    break
                continue
            end = 1
            while True:
                end = rest.find('"', end)
                if end < 0:
                    # The cell goes on in the next line.
                    end = len(rest)
                    rest += next(lines, "")
                    if len(rest) == end or len(rest) > most:
                        raise ValueError("a quote has no end")
                elif rest[end + 1 : end + 2] == '"':
                    end += 2
                else:
                    break
            row.append((rest[1:end].replace('""', '"'), True))
            after, rest = rest[end + 1 : end + 2], rest[end + 2 :]
            if after == "\n":
                break
            if after != "\t":
                raise ValueError("text behind a quote")
        yield row
