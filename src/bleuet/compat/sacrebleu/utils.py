"""sacreBLEU's module `utils`: files, sums, printing; test sets come from the sacrebleu package."""

from __future__ import annotations

import os

from bleuet.compat.sacrebleu.metrics.counted import sum_of_rows
from bleuet.compat.sacrebleu.notice import logger
from bleuet.compat.sacrebleu.original import original
from bleuet.compat.sacrebleu.printing import Color, print_results_table, print_single_results
from bleuet.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

__all__ = [
    "SACREBLEU_DIR",
    "USERHOME",
    "Color",
    "args_to_dict",
    "my_log",
    "print_results_table",
    "print_single_results",
    "sanity_check_lengths",
    "smart_open",
    "sum_of_lists",
]

USERHOME = os.path.expanduser("~")
SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(USERHOME, ".sacrebleu"))

# Names of this module in sacreBLEU that only make sense with its test sets.
_OF_TEST_SETS = frozenset(
    {
        "DATASETS",
        "SUBSETS",
        "download_file",
        "download_test_set",
        "extract_tarball",
        "filter_subset",
        "get_available_origlangs",
        "get_available_subsets",
        "get_available_testsets",
        "get_available_testsets_for_langpair",
        "get_files",
        "get_langpairs_for_testset",
        "get_md5sum",
        "get_reference_files",
        "get_source_file",
        "print_subset_results",
        "print_test_set",
    }
)


def __getattr__(name: str) -> Any:
    if name in _OF_TEST_SETS:
        return getattr(original("utils"), name)
    if name == "sacrelogger":
        return logger()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    r"""Open a plain or .gz file, whose lines end only at "\n"."""
    if file.endswith(".gz"):
        import gzip

        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """Return the natural logarithm, or a very small number for 0.

    >>> my_log(1.0), my_log(0.0)
    (0.0, -9999999999)
    """
    from math import log

    return log(num) if num else -9999999999


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Return the sum of rows of numbers.

    >>> sum_of_lists([[1, 2], [3, 4]])
    [4, 6]
    """
    return sum_of_rows(lists)


def args_to_dict(args: Namespace, prefix: str, strip_prefix: bool = False) -> dict[str, Any]:
    """Return the arguments whose names begin with a prefix.

    >>> from argparse import Namespace
    >>> args_to_dict(Namespace(ter_norm=True, width=1), "ter", strip_prefix=True)
    {'norm': True}
    """
    start = f"{prefix}_"
    return {
        name.removeprefix(start) if strip_prefix else name: value
        for name, value in vars(args).items()
        if name.startswith(start)
    }


def sanity_check_lengths(
    system: Sequence[str], refs: Sequence[Sequence[str]], test_set: str | None = None
) -> None:
    """Check that each stream has as many references as there are hypotheses.

    Raises:
        InputError: a stream has another length, where sacreBLEU ends the program.
    """
    for k, stream in enumerate(refs):
        if len(stream) != len(system):
            where = f" of {test_set}" if test_set else ""
            raise InputError(
                f"the system has {len(system)} segments, but reference stream {k}{where} has "
                f"{len(stream)}: check that both are complete and from the same test set"
            )
