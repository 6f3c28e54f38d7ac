"""The version of sacreBLEU with the same interface and the same scores."""

from __future__ import annotations

__all__ = [
    "__commit_id__",
    "__version__",
    "__version_tuple__",
    "commit_id",
    "version",
    "version_tuple",
]

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)
__commit_id__ = commit_id = None
