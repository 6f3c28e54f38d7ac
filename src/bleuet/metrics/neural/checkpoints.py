"""Weights of models: read without running anything that a file contains, and hashed."""

from __future__ import annotations

import hashlib
import json
import pickletools
import re
import struct
from contextlib import contextmanager
from math import prod
from pathlib import Path

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.messages import in_short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias

    import torch
    from safetensors import torch as safetensors_torch

    Tensors: TypeAlias = dict[str, torch.Tensor]
else:
    torch = deferred("torch")
    safetensors_torch = deferred("safetensors.torch")

BLOCK = 1 << 22
# Modules of which checkpoints have callbacks, settings and measures, which no score needs: their
# classes are read as classes that do nothing.
_INERT = (
    *("pytorch_lightning.", "lightning.", "lightning_fabric.", "lightning_utilities."),
    *("numpy.", "pathlib.", "argparse.", "jsonargparse.", "omegaconf.", "torchmetrics."),
    *("comet.", "transformers.", "DeBERTa.", "collections."),
)
_READ_BY_TORCH = {"collections.OrderedDict", "_codecs.encode"}
# The names of a type of numbers in a file of safetensors.
_TYPES = {
    **{"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"},
    **{"I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8", "U8": "uint8"},
    "BOOL": "bool",
}
# What old files call the weight and the bias of a normalisation.
_OLD_NAMES = (("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias"))
# The number of a layer in the name of its tensor.
_NUMBER = re.compile(r"\.\d+\.")
# The digits of a hash that signatures have.
DIGITS = 12


def weights_of(folder: Path) -> tuple[Tensors, str]:
    """Return the tensors of a model of transformers, and their hash.

    They are in memory of their own, so that a file which is overwritten changes none of them.

    Args:
        folder: with `model.safetensors` or `pytorch_model.bin`, or the parts that an index lists.

    Raises:
        InputError: there are none, or the file cannot be read without running code.
    """
    files = _weight_files(folder)
    if not files:
        raise InputError(
            f"the folder {folder} has no weights; expected model.safetensors or "
            "pytorch_model.bin: name the folder of a model"
        )
    tensors: Tensors = {}
    for file in files:
        if not file.is_file():
            raise InputError(f"the folder {folder} has no {file.name}, a part of its weights")
        tensors |= _read(file)
    return {_new_name(name): value for name, value in tensors.items()}, hash_of(files)


def _new_name(name: str) -> str:
    for old, new in _OLD_NAMES:
        if name.endswith(old):
            return name.removesuffix(old) + new
    return name


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
            return _safetensors(file)
        except OSError:
            raise
        except Exception as error:
            raise _broken(file, error) from None
    content = checkpoint_of(file)
    state: Any = content.get("state_dict", content)
    # Some files have the configuration beside the weights.
    tensors = {name: value for name, value in state.items() if isinstance(value, torch.Tensor)}
    if not tensors:
        raise InputError(f"{file} has no weights: fetch it again")
    return tensors


def _safetensors(file: Path) -> Tensors:
    """Return the tensors of a file of safetensors: a header in JSON, then numbers.

    The library maps the file into memory, so that it must not change as long as a tensor is used.
    """
    # It checks that the header fits to the file.
    with safetensors_torch.safe_open(file, "pt"):
        pass
    tensors: Tensors = {}
    with file.open("rb") as opened:
        (size,) = struct.unpack("<Q", opened.read(8))
        header = json.loads(opened.read(size))
        header.pop("__metadata__", None)
        for name, known in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
            dtype = getattr(torch, _TYPES[known["dtype"]])
            begin, end = known["data_offsets"]
            content = bytearray(end - begin)
            opened.seek(8 + size + begin)
            if opened.readinto(content) != end - begin:
                raise ValueError("it ends too early")
            shape = known["shape"]
            tensors[name] = (
                torch.frombuffer(content, dtype=dtype).reshape(shape)
                if prod(shape)
                else torch.empty(shape, dtype=dtype)
            )
    return tensors


def checkpoint_of(file: Path) -> dict[str, Any]:
    """Return what a checkpoint of torch holds, without running anything in it.

    Args:
        file: the checkpoint.

    Raises:
        InputError: it names what could run code, or cannot be read.
    """
    try:
        with _inert_classes(file):
            content = torch.load(file, map_location="cpu", weights_only=True)
    except OSError:
        raise
    except Exception as error:
        raise _broken(file, error) from None
    if not isinstance(content, dict):
        raise InputError(f"{file} is not a checkpoint of a model")
    return content


@contextmanager
def _inert_classes(file: Path) -> Iterator[None]:
    """Let the names of classes in a checkpoint stand for classes that do nothing."""
    names = _names_in(file)
    refused = sorted(name for name in names if not name.startswith(_INERT))
    if refused:
        raise InputError(f"it names {', '.join(refused[:3])}, and reading it could run code")
    with torch.serialization.safe_globals([(_inert(name), name) for name in names]):
        yield


def _names_in(file: Path) -> list[str]:
    """Return the names in a checkpoint beside those that torch knows to be safe."""
    with file.open("rb") as opened:
        if opened.read(2) == b"PK":
            names: list[str] = torch.serialization.get_unsafe_globals_in_checkpoint(file)
            return names
        # Before 1.6, torch wrote a magic number, its version, the system and the content, one
        # after the other; the names of classes are written in full.
        opened.seek(0)
        found = set()
        for _ in range(4):
            for operation, argument, _ in pickletools.genops(opened):
                if operation.name == "GLOBAL":
                    found.add(str(argument).replace(" ", "."))
    # Those of torch are its own to read, or to reject.
    return sorted(name for name in found - _READ_BY_TORCH if not name.startswith("torch."))


class Inert(dict):  # type: ignore[type-arg]
    """Stands for an object of a checkpoint whose class is not there, and does nothing."""

    def __new__(cls, *_: Any, **__: Any) -> Inert:
        """Make an empty one, whatever the arguments are."""
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__()

    def __setstate__(self, state: Any) -> None:
        """Forget the state, but for the code of a type of NumPy."""
        self.state = state


class _NumPyType(Inert):
    """Stands for a type of numbers of NumPy, whose code is such as f8."""

    def __init__(self, code: Any = "", *_: Any) -> None:
        super().__init__()
        self.code = str(code)
        self.state: Any = ()


def _numpy_scalar(kind: Any, content: Any = b"") -> Any:
    """Return a number of NumPy as a number of Python; None for anything else."""
    code = getattr(kind, "code", "").lstrip("<>=|")
    letter = {"f8": "d", "f4": "f", "f2": "e", "i8": "q", "i4": "i", "i2": "h", "i1": "b"}.get(
        code, {"u8": "Q", "u4": "I", "u2": "H", "u1": "B", "b1": "?"}.get(code)
    )
    if letter is None or not isinstance(content, bytes):
        return None
    order = ">" if ">" in kind.state[1:2] else "<"
    return struct.unpack(order + letter, content)[0]


def _inert(name: str) -> Callable[..., Any]:
    module, _, last = name.rpartition(".")
    if module.startswith("numpy"):
        if last == "scalar":
            return _numpy_scalar
        if last == "dtype":
            return _NumPyType
    return type(last, (Inert,), {"__module__": module})


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


def fill(module: Any, tensors: Tensors, *, dtype: Any = None) -> None:
    """Give a module that was made without memory its tensors.

    Tensors that the module has no use for, such as those of another head, are left out, as
    transformers does.

    Args:
        module: the module, on the device `meta`.
        tensors: the tensors by their names in the module; it is empty afterwards, so that none is
            in memory twice.
        dtype: the type of its numbers, single precision by default.

    Raises:
        InputError: a tensor is missing, has another shape, or belongs to a layer that the module
            does not have.
    """
    expected = module.state_dict()
    missing = sorted(set(expected) - set(tensors))
    if missing:
        raise InputError(
            f"the weights have no tensors for {_listed(missing)}: they are not of this kind of "
            "model, or not complete"
        )
    stacks = {_stack(name) for name in expected} - {""}
    more = [
        name
        for name in sorted(set(tensors) - set(expected))
        if tensors[name].dim() == 2 and _stack(name) in stacks and "bias" not in name
    ]
    if more:
        raise InputError(
            f"the weights have unknown tensors {_listed(more)} in their layers: the configuration "
            "is that of another model"
        )
    for name, empty in expected.items():
        if tensors[name].shape != empty.shape:
            raise InputError(
                f"the tensor {name} has the shape {tuple(tensors[name].shape)}, but the "
                f"configuration says {tuple(empty.shape)}"
            )
    converted: Tensors = {}
    for name in expected:
        value = tensors.pop(name)
        converted[name] = value.to(dtype or torch.float32) if value.is_floating_point() else value
    tensors.clear()
    module.load_state_dict(converted, strict=False, assign=True)
    _fill_buffers(module)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - 3} others" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _stack(name: str) -> str:
    """Return the beginning of a tensor's name that all layers have; "" outside of layers."""
    found = _NUMBER.search(name)
    return name[: found.start()] if found else ""


def _fill_buffers(module: Any) -> None:
    """Give a module the numbers that no file has, such as the positions from 0 on."""
    for name, buffer in module.named_buffers():
        if not buffer.is_meta:
            continue
        place, _, last = name.rpartition(".")
        owner = module.get_submodule(place)
        if last == "position_ids":
            made = torch.arange(buffer.shape[-1]).expand(buffer.shape).to(buffer.dtype)
        elif last == "token_type_ids":
            made = torch.zeros(buffer.shape, dtype=buffer.dtype)
        elif last.endswith("inv_freq"):
            # The angles of rotary positions, which follow from the configuration.
            made = getattr(type(owner)(owner.config), last)
        else:
            raise InputError(f"the buffer {name} of this kind of model is not known")
        owner.register_buffer(last, made, persistent=False)
