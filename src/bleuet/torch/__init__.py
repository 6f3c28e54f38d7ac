"""Metrics in the programs that train models with PyTorch: BLEU of tensors, losses, torchmetrics.

Names are imported when they are first used, so that each needs only the libraries it uses.
"""

from __future__ import annotations

# Where each name is.
_HOMES: dict[str, str] = {}

__all__: list[str] = []


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'bleuet.torch' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
