"""Weights of models: read without running anything that a file contains, and hashed."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from pathlib import Path

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.messages import in_short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    import torch
    from safetensors import torch as safetensors_torch

    Tensors: TypeAlias = dict[str, torch.Tensor]
else:
    torch = deferred("torch")
    safetensors_torch = deferred("safetensors.torch")

BLOCK = 1 << 22
# Old checkpoints of Lightning name its callbacks; they are read as classes that do nothing.
_INERT = ("pytorch_lightning.", "lightning.", "lightning_fabric.")
# The digits of a hash that signatures have.
DIGITS = 12


def weights_of(folder: Path) -> tuple[Tensors, str]:
    """Return the tensors of a model of transformers, and their hash.

    Args:
        folder: with `model.safetensors` or `pytorch_model.bin`, or the parts that an index lists.

    Raises:
        InputError: there are none, or the file holds more than tensors.
    """
    files = _weight_files(folder)
    if not files:
        raise InputError(
            f"the folder {folder} has no weights; expected model.safetensors or "
            "pytorch_model.bin: name the folder of a model"
        )
    tensors: Tensors = {}
    for file in files:
        tensors |= _read(file)
    return tensors, hash_of(files)


def has_weights(folder: Path) -> bool:
    """Return whether a folder has weights, of transformers or of COMET, with all their parts."""
    files = _weight_files(folder) or list(folder.glob("checkpoints/*.ckpt"))
    return bool(files) and all(file.is_file() for file in files)


def _weight_files(folder: Path) -> list[Path]:
    for name in ("model.safetensors", "pytorch_model.bin"):
        index = folder / f"{name}.index.json"
        if (folder / name).is_file():
            return [folder / name]
        if index.is_file():
            return [folder / part for part in _parts(index)]
    return []


def _parts(index: Path) -> list[str]:
    found = json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()
    parts = sorted(set(found))
    if any(Path(part).name != part for part in parts):
        raise InputError(f"{index} lists files that are not in its folder")
    return parts


def _read(file: Path) -> Tensors:
    if file.suffix == ".safetensors":
        try:
            tensors: Tensors = safetensors_torch.load_file(file)
        except OSError:
            raise
        except Exception as error:
            raise _broken(file, error) from None
        return tensors
    found = checkpoint_of(file)
    state: Any = found.get("state_dict", found)
    if not all(isinstance(one, torch.Tensor) for one in state.values()):
        raise InputError(f"{file} has other values beside tensors")
    return dict(state)


def checkpoint_of(file: Path) -> dict[str, Any]:
    """Return what a checkpoint of torch holds, without running anything in it.

    Args:
        file: the checkpoint.

    Raises:
        InputError: it holds more than tensors and plain values, or cannot be read.
    """
    try:
        with _inert_classes(file):
            found = torch.load(file, map_location="cpu", weights_only=True, mmap=_can_map(file))
    except OSError:
        raise
    except Exception as error:
        raise _broken(file, error) from None
    if not isinstance(found, dict):
        raise InputError(f"{file} is not a checkpoint of a model")
    return found


def _can_map(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(2) == b"PK"


@contextmanager
def _inert_classes(file: Path) -> Iterator[None]:
    """Let the names of Lightning's classes in a checkpoint stand for classes that do nothing."""
    names = torch.serialization.get_unsafe_globals_in_checkpoint(file)
    wanted = [name for name in names if name.startswith(_INERT)]
    others = [name for name in names if name not in wanted]
    if others:
        raise InputError(f"it names {', '.join(sorted(others)[:3])}, and reading it could run code")
    with torch.serialization.safe_globals([(_inert(name), name) for name in wanted]):
        yield


def _inert(name: str) -> type:
    module, _, own = name.rpartition(".")
    return type(own, (), {"__module__": module})


def _broken(file: Path, error: Exception) -> InputError:
    reason = in_short(error, 300)
    return InputError(f"{file} cannot be read as weights ({reason}): fetch it again")


def hash_of(files: Iterable[Path]) -> str:
    """Return the first digits of the SHA-256 of files, one after the other."""
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as opened:
            while block := opened.read(BLOCK):
                digest.update(block)
    return digest.hexdigest()[:DIGITS]


def fill(module: Any, tensors: Mapping[str, Any], *, without: Iterable[str] = ()) -> None:
    """Give a module that was made without memory its tensors.

    Args:
        module: the module, on the device `meta`.
        tensors: the tensors by their names in the module.
        without: names, or beginnings of names, that the module may lack or that may be missing.

    Raises:
        InputError: a tensor is missing, has another shape, or is not known.
    """
    known = tuple(without)
    expected = module.state_dict()
    usable = {
        name: value for name, value in tensors.items() if name in expected or not _in(name, known)
    }
    unknown = sorted(set(usable) - set(expected))
    missing = sorted(name for name in set(expected) - set(usable) if not _in(name, known))
    for names, what in ((unknown, "unknown tensors"), (missing, "no tensors for")):
        if names:
            more = f" and {len(names) - 3} others" if len(names) > 3 else ""
            raise InputError(
                f"the weights have {what} {', '.join(names[:3])}{more}: they are not of this kind "
                "of model"
            )
    for name, value in usable.items():
        if value.shape != expected[name].shape:
            raise InputError(
                f"the tensor {name} has the shape {tuple(value.shape)}, but the configuration says "
                f"{tuple(expected[name].shape)}"
            )
    floating = {
        name: value.float() if value.is_floating_point() else value
        for name, value in usable.items()
    }
    module.load_state_dict(floating, strict=False, assign=True)
    _fill_buffers(module)


def _fill_buffers(module: Any) -> None:
    """Give a module the numbers that no file has, such as the positions from 0 on."""
    for name, buffer in module.named_buffers():
        if not buffer.is_meta:
            continue
        owner, _, own = name.rpartition(".")
        if own not in ("position_ids", "token_type_ids"):
            raise InputError(f"the buffer {name} of this kind of model is not known")
        made = torch.zeros(buffer.shape, dtype=buffer.dtype)
        if own == "position_ids":
            made += torch.arange(buffer.shape[-1])
        module.get_submodule(owner).register_buffer(own, made, persistent=False)


def _in(name: str, known: tuple[str, ...]) -> bool:
    return bool(known) and name.startswith(known)
