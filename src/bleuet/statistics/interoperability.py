"""Interoperability: other libraries read the numbers of a table through DLPack and Arrow, in place.

Both protocols pass C structures with a function to call when the borrower is done. They are built
with ctypes, so they work with and without the native kernel, and neither numpy nor pyarrow is
imported. What a structure points to is kept in `_lent` until the borrower releases it.

Sources: the DLPack Python specification (data interchange, versions 0 and 1) and the Arrow C data
and PyCapsule interfaces.
"""

from __future__ import annotations

import ctypes
from itertools import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    Capsule: TypeAlias = Any

CPU = (1, 0)
DLPACK_VERSION = (1, 0)
_READ_ONLY, _IS_COPIED = 1, 2


def to_array(numbers: memoryview[float], dtype: Any = None, copy: bool | None = None) -> Any:
    """Return numbers as an array of numpy, for `__array__` of their owner.

    Args:
        numbers: the numbers, which are not copied unless the type needs it.
        dtype: the type of the array; default theirs.
        copy: True for a copy, False for none.

    Raises:
        ValueError: there must be no copy, but the type needs one.
        MissingExtraError: numpy is not installed.
    """
    from bleuet.extras import optional

    array = optional("numpy").asarray(numbers)
    wanted = array if dtype is None else array.astype(dtype, copy=False)
    if copy is False and wanted is not array:
        raise ValueError(f"numbers of the type {array.dtype} become {wanted.dtype} only as a copy")
    return wanted.copy() if copy and wanted is array else wanted


_lent: dict[int, tuple[object, ...]] = {}
# The Arrow structures that capsules point to, by address.
_offered: dict[int, object] = {}
_numbers = count(1)


def _keep(*objects: object) -> int:
    number = next(_numbers)
    _lent[number] = objects
    return number


def _address(block: memoryview) -> int:
    """Return the address of a read-only view, which ctypes cannot take from the view itself."""
    if block.nbytes == 0:
        return 0
    view = _PyBuffer()
    _get_buffer(block, ctypes.byref(view), 0)
    address = int(view.buf)
    _release_buffer(ctypes.byref(view))
    return address


class _PyBuffer(ctypes.Structure):
    _fields_ = (
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    )


_get_buffer = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int
)(("PyObject_GetBuffer", ctypes.pythonapi))
_release_buffer = ctypes.PYFUNCTYPE(None, ctypes.POINTER(_PyBuffer))(
    ("PyBuffer_Release", ctypes.pythonapi)
)
_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_new_capsule = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))
# A destructor sees its capsule with no reference left, so it may handle the bare address only.
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def _capsule(pointer: int, name: bytes, destructor: Any) -> Capsule:
    return _new_capsule(pointer, name, ctypes.cast(destructor, ctypes.c_void_p))


# --- DLPack -------------------------------------------------------------------------------------


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("number", ctypes.c_void_p), ("deleter", _Deleter))


class _ManagedVersioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("number", ctypes.c_void_p),
        ("deleter", _Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


def _give_back_managed(address: int) -> None:
    _lent.pop(_Managed.from_address(address).number, None)


def _give_back_versioned(address: int) -> None:
    _lent.pop(_ManagedVersioned.from_address(address).number, None)


_managed_deleter = _Deleter(_give_back_managed)
_versioned_deleter = _Deleter(_give_back_versioned)


def _drop_unused(capsule: int) -> None:
    """Release a tensor whose capsule was not consumed; a consumed capsule has another name."""
    for name, give_back in (
        (b"dltensor", _give_back_managed),
        (b"dltensor_versioned", _give_back_versioned),
    ):
        if _is_valid(capsule, name):
            give_back(_get_pointer(capsule, name))


_drop_tensor = _Destructor(_drop_unused)


def to_dlpack(
    block: memoryview,
    kind: str,
    shape: tuple[int, int],
    *,
    max_version: tuple[int, int] | None,
    device: tuple[int, int] | None,
    copy: bool | None,
) -> Capsule:
    """Return a DLPack capsule over rows x columns numbers that lie column after column.

    Args:
        block: the numbers.
        kind: "<i8" or "<f8".
        shape: rows and columns.
        max_version: the newest DLPack version that the borrower supports.
        device: the requested device; only the CPU is available.
        copy: True for a copy that the borrower may change.

    Raises:
        BufferError: another device was requested; or the borrower wants no copy, and its version of
            DLPack has no mark for read-only numbers.
    """
    if device is not None and tuple(device) != CPU:
        raise BufferError(f"the table is in main memory, not on the device {device}")
    versioned = max_version is not None and max_version[0] >= DLPACK_VERSION[0]
    if not versioned and not copy:
        raise BufferError(
            "a table cannot be changed, and this version of DLPack has no mark for that: "
            "use copy=True, or numpy.asarray(table)"
        )
    data: memoryview | bytearray = bytearray(block) if copy else block
    sizes = (ctypes.c_int64 * 2)(*shape)
    strides = (ctypes.c_int64 * 2)(1, shape[0])
    tensor = _Tensor(
        _address(memoryview(data)), *CPU, 2, 0 if kind == "<i8" else 2, 64, 1, sizes, strides, 0
    )
    managed: _Managed | _ManagedVersioned
    if versioned:
        flags = _IS_COPIED if copy else _READ_ONLY
        managed = _ManagedVersioned(*DLPACK_VERSION, None, _versioned_deleter, flags, tensor)
        name = b"dltensor_versioned"
    else:
        managed = _Managed(tensor, None, _managed_deleter)
        name = b"dltensor"
    managed.number = _keep(managed, data, sizes, strides)
    return _capsule(ctypes.addressof(managed), name, _drop_tensor)


# --- Arrow --------------------------------------------------------------------------------------


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Schema._fields_ = (
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.c_void_p),
    ("release", _Release),
    ("number", ctypes.c_void_p),
)
_Array._fields_ = (
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.c_void_p),
    ("release", _Release),
    ("number", ctypes.c_void_p),
)


def _release(structure: Any) -> None:
    """Release the children that the borrower has not moved, then the structure itself."""
    if not structure.release:
        return
    for i in range(structure.n_children):
        _release(structure.children[i].contents)
    number = structure.number
    # First, since the structure itself may be part of what is freed.
    structure.release = _Release()
    _lent.pop(number, None)


_release_schema = _Release(lambda address: _release(_Schema.from_address(address)))
_release_array = _Release(lambda address: _release(_Array.from_address(address)))


def _drop(kind: type[ctypes.Structure], capsule: int, name: bytes) -> None:
    """Release a structure that was not consumed, and free its memory.

    A borrower may have released it in place; the capsule has pointed to it until now.
    """
    address = _get_pointer(capsule, name)
    _release(kind.from_address(address))
    _offered.pop(address)


_drop_schema = _Destructor(lambda capsule: _drop(_Schema, capsule, b"arrow_schema"))
_drop_array = _Destructor(lambda capsule: _drop(_Array, capsule, b"arrow_array"))


def _offer(structure: _Schema | _Array, name: bytes, destructor: Any) -> Capsule:
    address = ctypes.addressof(structure)
    _offered[address] = structure
    return _capsule(address, name, destructor)


def to_arrow_schema(integer_columns: Sequence[str], real_columns: Sequence[str]) -> Capsule:
    """Return the Arrow schema capsule of a struct of int64 and float64 columns."""
    children = [
        _schema(code, name.encode())
        for names, code in ((integer_columns, b"l"), (real_columns, b"g"))
        for name in names
    ]
    parent = _schema(b"+s", b"", children)
    return _offer(parent, b"arrow_schema", _drop_schema)


def _schema(code: bytes, name: bytes, children: Sequence[_Schema] = ()) -> _Schema:
    pointers = (ctypes.POINTER(_Schema) * len(children))(*map(ctypes.pointer, children))
    schema = _Schema(code, name, None, 0, len(children), pointers, None, _release_schema, None)
    schema.number = _keep(schema, code, name, pointers, *children)
    return schema


def to_arrow_array(blocks: Sequence[memoryview], rows: int) -> Capsule:
    """Return the Arrow array capsule of a struct of these columns."""
    children = [_array(rows, (None, _address(block)), keep=block) for block in blocks]
    parent = _array(rows, (None,), children)
    return _offer(parent, b"arrow_array", _drop_array)


def _array(
    rows: int,
    addresses: Sequence[int | None],
    children: Sequence[_Array] = (),
    keep: object = None,
) -> _Array:
    buffers = (ctypes.c_void_p * len(addresses))(*addresses)
    pointers = (ctypes.POINTER(_Array) * len(children))(*map(ctypes.pointer, children))
    array = _Array(
        rows, 0, 0, len(addresses), len(children), buffers, pointers, None, _release_array, None
    )
    array.number = _keep(array, buffers, pointers, keep, *children)
    return array
