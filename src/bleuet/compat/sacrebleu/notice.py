"""Messages to sacreBLEU's logger, `sacrebleu`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from logging import Logger


def logger() -> Logger:
    """Return sacreBLEU's logger; `logging` is imported only when there is a message."""
    from logging import getLogger

    return getLogger("sacrebleu")


def warn(*lines: str) -> None:
    """Log each line as a warning."""
    for line in lines:
        logger().warning(line)
