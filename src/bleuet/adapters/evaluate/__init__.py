"""Metrics of Hugging Face's `evaluate`, computed by bleuet: the same arguments and result keys.

>>> from bleuet.adapters.evaluate import folder
>>> folder("sacrebleu").name
'sacrebleu'
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.messages import nearest, shown

if TYPE_CHECKING:
    from typing import Any

HERE = Path(__file__).parent
NAMES = tuple(sorted(one.name for one in HERE.iterdir() if (one / f"{one.name}.py").is_file()))


def folder(name: str) -> Path:
    """Return the folder of a metric, as `evaluate.load` takes it.

    Args:
        name: its name there, such as "sacrebleu".

    Raises:
        OptionError: there is no such metric here.
    """
    if name not in NAMES:
        raise OptionError(
            f"there is no module {shown(name)}{nearest(name, NAMES)}: it must be one of "
            f"{', '.join(NAMES)}"
        )
    return HERE / name


def load(name: str, **options: Any) -> Any:
    """Return a metric as `evaluate.load(name)` does, computed by bleuet.

    Args:
        name: its name, such as "sacrebleu".
        **options: as of `evaluate.load`.
    """
    return optional("evaluate").load(str(folder(name)), **options)
