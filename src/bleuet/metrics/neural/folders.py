"""Where a model is: a folder, or a name that is looked up in the hub's cache on this computer.

Nothing is downloaded unless `allow_downloads` was called, as `--download` does.
"""

from __future__ import annotations

import os
from pathlib import Path

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.messages import in_short, nearest, shown
from bleuet.metrics.neural.checkpoints import has_weights, hash_of
from bleuet.metrics.neural.published_models import PUBLISHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    import huggingface_hub

    from bleuet.metrics.neural.published_models import PublishedModel
else:
    huggingface_hub = deferred("huggingface_hub")

# What of a repository is needed: weights, configuration, tokenizer, licence.
PATTERNS = ("*.json", "*.ckpt", "*.safetensors", "*.bin", "*.model", "*.txt", "*.yaml", "*.md")
# What an encoder needs beside the weights of the metric.
WITHOUT_WEIGHTS = ("*.json", "*.model", "*.txt")
_report: Callable[[str], None] | None = None


def allow_downloads(report: Callable[[str], None] | None) -> None:
    """Let models be downloaded that are not on this computer.

    Args:
        report: is called before each download with its size and its licence; None forbids downloads
            again.
    """
    global _report
    _report = report


def model_folder(name: str, *, weights: bool = True) -> Path:
    """Return the folder of a model.

    Args:
        name: a folder, a short name of `published_models`, or the name of a repository on the hub.
        weights: whether its weights are needed; of an encoder only tokenizer and configuration may
            be.

    Raises:
        InputError: the model is not on this computer; the message has the command that fetches it.
        MissingExtraError: the library of the hub is needed and not installed.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    if folder.exists():
        raise InputError(f"a model is a folder, but {shown(name)} is a file: name its folder")
    # The name of a repository has one slash, in its middle, and does not begin with a dot.
    if name.count("/") > 1 or name.startswith((".", "/", "~")) or name.endswith("/"):
        raise InputError(
            f"there is no folder {shown(name)}: correct the path, or name a repository of the hub "
            "such as Unbabel/wmt22-comet-da"
        )
    known = PUBLISHED.get(name.lower())
    repository = known.repository if known is not None else name
    if repository.count("/") != 1 or not all(repository.split("/")):
        raise InputError(
            f"there is no model {shown(name)}{nearest(name, PUBLISHED)}: name a folder, a "
            "repository of the hub such as Unbabel/wmt22-comet-da, or one of "
            f"{', '.join(PUBLISHED)}"
        )
    found = _cached(repository, weights=weights)
    if found is None:
        found = _fetched(repository, known, weights=weights)
    return found


def hash_without_weights(folder: Path) -> str:
    """Return the hash of the configuration and the tokenizer in a folder."""
    files = {file for pattern in WITHOUT_WEIGHTS for file in folder.glob(pattern)}
    return hash_of(file for file in sorted(files) if file.is_file())


def _cached(repository: str, *, weights: bool) -> Path | None:
    patterns = PATTERNS if weights else WITHOUT_WEIGHTS
    try:
        folder = huggingface_hub.snapshot_download(
            repository, allow_patterns=list(patterns), local_files_only=True
        )
    except (OSError, ValueError):  # whose subclasses say that it is not there
        return None
    # A download may have been stopped, or have been of the tokenizer alone.
    return Path(folder) if not weights or has_weights(Path(folder)) else None


def _fetched(repository: str, known: PublishedModel | None, *, weights: bool) -> Path:
    patterns: tuple[str, ...] = PATTERNS if weights else WITHOUT_WEIGHTS
    included = " ".join(f"--include {shown(one)}" for one in patterns)
    elsewhere = (
        f"on a computer with internet run `hf download {repository} {included} "
        f"--local-dir {short_name(repository)}`, copy that folder, and name it"
    )
    if weights and known is not None and known.encoder:
        elsewhere += f"; fetch its encoder {known.encoder} in the same way"
    if _report is None:
        missing = f"the model {repository} is not on this computer"
        if weights and not any(one.repository == repository for one in PUBLISHED.values()):
            missing = f"there is no folder {repository}, and {missing}"
        raise InputError(f"{missing}: add --download to fetch it, or {elsewhere}")
    size = f"about {known.gigabytes:g} GB" if known is not None and weights else "of unknown size"
    licence = known.licence if known is not None else "see its page on the hub"
    if weights:
        _report(f"downloading the model {repository}, {size}; licence of its weights: {licence}")
    try:
        if "*.bin" in patterns and _has_safetensors(repository):
            patterns = tuple(one for one in patterns if one != "*.bin")
        return Path(huggingface_hub.snapshot_download(repository, allow_patterns=list(patterns)))
    except Exception as error:
        raise InputError(
            f"the model {repository} could not be downloaded ({in_short(error)}): {elsewhere}"
        ) from None


def _has_safetensors(repository: str) -> bool:
    """Return whether a repository has its weights as `*.safetensors`, beside other forms."""
    files: list[str] = huggingface_hub.HfApi().list_repo_files(repository)
    return any(file.endswith(".safetensors") for file in files)


def short_name(name: str) -> str:
    """Return a model's name as signatures have it: the last part of a path or of a repository.

    >>> short_name("/models/wmt22-comet-da/"), short_name("Unbabel/XCOMET-XL")
    ('wmt22-comet-da', 'XCOMET-XL')
    """
    return os.path.basename(os.path.normpath(name))
