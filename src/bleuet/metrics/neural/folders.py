"""Where a model is: a folder, or a name that is looked up in the hub's cache on this computer.

Nothing is downloaded unless `allow_downloads` was called, as `--download` does.
"""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from bleuet.errors import InputError
from bleuet.extras import deferred, optional
from bleuet.messages import in_short, near_names, nearest, shown
from bleuet.metrics.neural.checkpoints import has_weights, hash_of
from bleuet.metrics.neural.published_models import COMET, PUBLISHED
from bleuet.metrics.neural.tokenizer_files import missing_tokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import huggingface_hub
    from huggingface_hub import errors as hub_errors

    from bleuet.metrics.neural.published_models import PublishedModel
else:
    huggingface_hub = deferred("huggingface_hub")
    hub_errors = deferred("huggingface_hub.errors")

# What is read beside weights: configuration, tokenizer, hyperparameters.
WITHOUT_WEIGHTS = ("*.json", "*.model", "*.txt")
BESIDE_WEIGHTS = (*WITHOUT_WEIGHTS, "*.yaml")
# The forms of weights; of several the first one is read.
CHECKPOINTS, SAFETENSORS, PICKLED = "checkpoints/*.ckpt", "model*.safetensors", "pytorch_model*.bin"
# Owners of models whose names had no owner before 2024, as caches and checkpoints still have them.
FORMER = ("FacebookAI", "google-bert", "distilbert", "albert", "openai-community", "google-t5")
# What needs the libraries of models, and the extra that installs them.
NEURAL = ("a neural metric", "neural")
MEGABYTE, GIGABYTE = 1e6, 1e9
UNAUTHORIZED, FORBIDDEN = 401, 403
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
    folder = check_path(name)
    if folder.is_dir():
        return _snapshot_in(folder)
    published = published_model(name)
    repository = name if published is None else published.repository
    # Models without an encoder of another repository have a tokenizer.
    tokenizer = not weights or (published is not None and not published.encoder)
    cached = _cached(repository, weights=weights, tokenizer=tokenizer)
    if cached is not None:
        return cached
    if repository.count("/") != 1 or not all(repository.split("/")):
        raise InputError(
            f"there is no model {shown(name)}{nearest(name, PUBLISHED)}: name a folder, a "
            "repository of the hub such as Unbabel/wmt22-comet-da, or one of "
            f"{', '.join(PUBLISHED)}"
        )
    if published is None and folder.parent.is_dir():
        raise InputError(
            f"there is no folder {name}{_near_folder(folder)}, but there is {folder.parent}: "
            "correct the path, or run in another folder if it is a repository of the hub"
        )
    return _fetched(repository, published, weights=weights)


def check_path(name: str) -> Path:
    """Return the path that the name of a model is, after a check that needs no library.

    Raises:
        InputError: it is the path of a folder that is not there, or of a file.
    """
    folder = Path(name).expanduser()
    if folder.is_file():
        raise InputError(f"a model is a folder, but {shown(name)} is a file: name its folder")
    # The name of a repository has one slash, in its middle, and does not begin with a dot.
    is_path = name.count("/") > 1 or name.startswith((".", "/", "~")) or name.endswith("/")
    if is_path and not folder.is_dir():
        raise InputError(
            f"there is no folder {shown(name)}{_near_folder(folder)}: correct the path, or name a "
            "repository of the hub such as Unbabel/wmt22-comet-da"
        )
    return folder


def published_model(name: str) -> PublishedModel | None:
    """Return the published model that a short name or the name of a repository stands for.

    >>> published_model("XCOMET-XL") is published_model("Unbabel/XCOMET-XL")
    True
    """
    lowered = name.lower()
    by_name = PUBLISHED.get(lowered)
    if by_name is not None:
        return by_name
    return next((one for one in PUBLISHED.values() if one.repository.lower() == lowered), None)


def hash_without_weights(folder: Path) -> str:
    """Return the hash of the configuration and the tokenizer in a folder."""
    files = {file for pattern in WITHOUT_WEIGHTS for file in folder.glob(pattern)}
    return hash_of(file for file in sorted(files) if file.is_file())


def short_name(name: str) -> str:
    """Return a model's name as signatures have it: the last part of a path or of a repository.

    >>> short_name("/models/wmt22-comet-da/"), short_name("Unbabel/XCOMET-XL")
    ('wmt22-comet-da', 'XCOMET-XL')
    """
    return os.path.basename(os.path.normpath(name))


def _near_folder(folder: Path) -> str:
    """Return which folder beside the missing one was meant, as part of a message."""
    try:
        beside = [entry.name for entry in folder.parent.iterdir() if entry.is_dir()]
    except OSError:
        return ""
    near = near_names(folder.name, beside)
    return (
        f" (did you mean {' or '.join(str(folder.parent / one) for one in near)}?)" if near else ""
    )


# --- In the cache of the hub ----------------------------------------------------------------------


def _snapshot_in(folder: Path) -> Path:
    """Return the files of a repository in a cache of the hub; any other folder is itself."""
    try:
        commit = (folder / "refs" / "main").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return folder
    snapshot = folder / "snapshots" / commit
    return snapshot if commit and snapshot.is_dir() else folder


def _cached(repository: str, *, weights: bool, tokenizer: bool) -> Path | None:
    for name in _spellings(repository):
        for cache in _caches():
            folder = _snapshot_in(Path(cache, f"models--{name.replace('/', '--')}"))
            # A download may have been stopped, or have been of other parts alone.
            if (has_weights(folder) or not weights) and (_has_tokenizer(folder) or not tokenizer):
                return folder
    return None


def _constant(name: str) -> str:
    """Return where the hub or its cache is, which variables of the environment decide."""
    value: str = getattr(optional("huggingface_hub.constants"), name)
    return value


def _spellings(repository: str) -> list[str]:
    """Return the names of a repository: that of today, and the one that it had before.

    >>> _spellings("FacebookAI/xlm-roberta-large"), _spellings("microsoft/infoxlm-large")
    (['FacebookAI/xlm-roberta-large', 'xlm-roberta-large'], ['microsoft/infoxlm-large'])
    """
    owner, _, name = repository.partition("/")
    if not name:
        return [repository, *(f"{former}/{repository}" for former in FORMER)]
    return [repository, name] if owner in FORMER else [repository]


def _caches() -> Iterator[str]:
    """Yield the hub's cache, and the one that encoders of earlier programs are in."""
    yield _constant("HF_HUB_CACHE")
    # Up to version 4 of transformers, which unbabel-comet needs.
    earlier = os.environ.get("TRANSFORMERS_CACHE")
    if earlier:
        yield os.path.expanduser(earlier)


def _has_tokenizer(folder: Path) -> bool:
    return (folder / "config.json").is_file() and not missing_tokenizer(folder)


# --- From the hub ---------------------------------------------------------------------------------


def _fetched(repository: str, published: PublishedModel | None, *, weights: bool) -> Path:
    elsewhere = _elsewhere(repository, published, weights=weights)
    if _report is None:
        missing = f"the model {repository} is not on this computer: add"
        about = f" ({published.gigabytes:g} GB)" if published is not None and weights else ""
        if published is None:
            missing = (
                f"there is no folder {repository}, and no model of that name on this computer: "
                "correct the path, or for a repository of the hub add"
            )
        raise InputError(f"{missing} --download to fetch it{about}, or {elsewhere}")
    for library in ("safetensors.torch", "sentencepiece", "yaml"):
        optional(library, NEURAL)
    try:
        sizes = _sizes(repository)
        files = _needed(sizes, weights=weights)
        if weights:
            if not any(_is_weights(file) for file in files):
                raise InputError(
                    f"the repository {repository} has no weights; expected {CHECKPOINTS}, "
                    f"{SAFETENSORS} or {PICKLED}: name another repository"
                )
            size = sum(sizes[file] for file in files)
            _check_room(repository, size)
            licence = "see its page on the hub" if published is None else published.licence
            _report(
                f"downloading the model {repository}, {_in_gigabytes(size)}; licence of its "
                f"weights: {licence}"
            )
        return Path(huggingface_hub.snapshot_download(repository, allow_patterns=files))
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            _why_not(error, repository)
            or f"the model {repository} could not be downloaded ({in_short(error)}): try again, or "
            f"{elsewhere}"
        ) from None


def _sizes(repository: str) -> dict[str, int]:
    """Return the bytes of each file of a repository."""
    described = huggingface_hub.HfApi().model_info(repository, files_metadata=True)
    return {file.rfilename: file.size or 0 for file in described.siblings or ()}


def _needed(files: Iterable[str], *, weights: bool) -> list[str]:
    """Return those of a repository's files that are read, with one form of its weights.

    >>> _needed(["config.json", "onnx/config.json", "pytorch_model.bin", "model.safetensors"],
    ...     weights=True)
    ['config.json', 'model.safetensors']
    """
    names = list(files)
    if not weights:
        return _matching(names, WITHOUT_WEIGHTS)
    forms = (_matching(names, [form]) for form in (CHECKPOINTS, SAFETENSORS, PICKLED))
    return [*_matching(names, BESIDE_WEIGHTS), *next(filter(None, forms), ())]


def _matching(names: Iterable[str], patterns: Iterable[str]) -> list[str]:
    # A star does not stand for a slash here, as it does in the hub's library.
    return [name for name in names if any(Path("/", name).match(f"/{one}") for one in patterns)]


def _is_weights(file: str) -> bool:
    return bool(_matching([file], [CHECKPOINTS, SAFETENSORS, PICKLED]))


def _check_room(repository: str, size: int) -> None:
    folder = Path(_constant("HF_HUB_CACHE"))
    there = next((one for one in (folder, *folder.parents) if one.exists()), None)
    free = size if there is None else shutil.disk_usage(there).free
    if free < size:
        needs, has = f"needs {_in_gigabytes(size)}", f"has {_in_gigabytes(free)}"
        raise InputError(_no_room(repository, needs, has))


def _in_gigabytes(size: int) -> str:
    """Return a number of bytes in units of a million or more.

    >>> _in_gigabytes(2_330_000_000), _in_gigabytes(470_900_000)
    ('2.3 GB', '471 MB')
    """
    return f"{size / GIGABYTE:.1f} GB" if size >= GIGABYTE else f"{size / MEGABYTE:.0f} MB"


def _no_room(repository: str, needs: str, has: str) -> str:
    folder = _constant("HF_HUB_CACHE")
    return (
        f"the model {repository} {needs}, but the disk of {folder} {has}: make room, or set "
        "HF_HOME to a folder on another disk"
    )


def _why_not(error: Exception, repository: str) -> str:
    """Return what an error of the hub means and how to go on, "" for other failures."""
    login = "run `hf auth login`, or set HF_TOKEN to a token of your account"
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(error, hub_errors.GatedRepoError) or status == FORBIDDEN:
        return (
            f"the hub denies access to the model {repository} ({status}): accept its licence on "
            f"{_constant('ENDPOINT')}/{repository}, then {login} that may read gated "
            "repositories"
        )
    if isinstance(error, hub_errors.RepositoryNotFoundError):
        return (
            f"there is no folder {repository}, and the hub has no model of that name, or a private "
            f"one: correct the name; for a private one {login}"
        )
    if status == UNAUTHORIZED:
        return f"the hub does not accept your token ({status}): {login}"
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return _no_room(repository, "does not fit", "is full")
    if any(isinstance(one, hub_errors.OfflineModeIsEnabled) for one in (error, error.__cause__)):
        return (
            f"the model {repository} is not on this computer, and HF_HUB_OFFLINE is set, which "
            "forbids downloads: unset it"
        )
    return ""


def _elsewhere(repository: str, published: PublishedModel | None, *, weights: bool) -> str:
    """Return how to fetch a model on another computer.

    It is a command of Python, since versions of the hub's own command read several patterns
    differently: some take the last one only, others the second as the name of a file.
    """
    folder, metric = short_name(repository), "" if published is None else published.metric
    folders, named, otherwise = "the folder", "name it", ""
    patterns: tuple[str, ...] = WITHOUT_WEIGHTS
    if not weights:
        named += " with the option encoder of COMET or tokenizer of MetricX"
    elif metric == COMET:
        patterns = (*BESIDE_WEIGHTS, CHECKPOINTS)
    else:
        patterns = (*BESIDE_WEIGHTS, CHECKPOINTS, SAFETENSORS)
        patterns = patterns if published is None else (*WITHOUT_WEIGHTS, SAFETENSORS)
        otherwise = f" ('{PICKLED}' in place of '{SAFETENSORS}' if it has none)"
    calls = [_call(repository, patterns, folder)]
    if weights and published is not None:
        named += f": -m {metric}:model={folder}"
        # The folder of a model of COMET can have the files of its encoder, too.
        beside = folder if metric == COMET else short_name(published.encoder)
        if published.encoder:
            calls.append(_call(published.encoder, WITHOUT_WEIGHTS, beside))
        if beside != folder and published.encoder:
            folders, named = "both folders", f"{named},tokenizer={beside}"
    command = f"from huggingface_hub import snapshot_download as get; {'; '.join(calls)}"
    return (
        f'on a computer with internet run `python -c "{command}"`{otherwise}, copy {folders} here, '
        f"and {named}"
    )


def _call(repository: str, patterns: Iterable[str], folder: str) -> str:
    quoted = ", ".join(f"'{pattern}'" for pattern in patterns)
    return f"get('{repository}', allow_patterns=[{quoted}], local_dir='{folder}')"
