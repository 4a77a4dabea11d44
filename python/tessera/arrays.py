"""Arrays in and out: NumPy's if it is installed, buffers if it is not."""

from __future__ import annotations

import ctypes
import functools
import itertools
from typing import Any

from ._library import Str, Tensor, TensorDifference, byref, bytes_at, c_int64, lib

try:
    import numpy
except ImportError:  # everything but DLPack works without
    numpy = None  # type: ignore[assignment]

# Formats of the buffer protocol.
_FORMATS = {
    "?": "bool",
    "b": "int8",
    "h": "int16",
    "i": "int32",
    "q": "int64",
    "l": "int64",
    "B": "uint8",
    "H": "uint16",
    "I": "uint32",
    "Q": "uint64",
    "L": "uint64",
    "e": "float16",
    "f": "float32",
    "d": "float64",
    "Zf": "complex64",
    "Zd": "complex128",
}


class Kept:
    """A tensor together with what its pointers borrow."""

    def __init__(self, dtype: int, dims: tuple[int, ...], address: int, size: int, owner: Any):
        self.owner, self.dims = owner, (c_int64 * max(len(dims), 1))(*dims)
        self.tensor = Tensor(b"", dtype, len(dims), self.dims, address, size)


def _name(dtype: int) -> str:
    """Returns the name in NumPy or ml_dtypes of a number of tess_dtype; "" if neither has the type."""
    name = lib.tess_dtype_numpy(dtype).decode()
    return "" if name == "?" else name  # which NumPy takes for a boolean


@functools.lru_cache(maxsize=None)
def _dtype(name: str) -> int:
    """Returns the number of tess_dtype of a type of NumPy or ml_dtypes; 0 if there is none."""
    numbers = itertools.takewhile(lib.tess_dtype_bits, itertools.count(1))
    return next((number for number in numbers if name and _name(number) == name), 0)


@functools.lru_cache(maxsize=None)
def dtype_named(name: str) -> Any:
    """Returns the type of NumPy, or of ml_dtypes if that is installed; None if neither has it."""
    try:
        return numpy.dtype(name)
    except TypeError:
        try:
            import ml_dtypes

            return numpy.dtype(getattr(ml_dtypes, name))
        except (ImportError, AttributeError):
            return None


@functools.lru_cache(maxsize=None)
def dtype_of(dtype: int) -> Any:
    """Returns NumPy's type for a number of tess_dtype; None if neither NumPy nor ml_dtypes has it."""
    return dtype_named(_name(dtype))


def dtype_of_mlir(kind: str) -> Any:
    """Returns NumPy's type for "f32", "bf16"; None if neither NumPy nor ml_dtypes has it."""
    spelled = kind.encode()
    buffer = ctypes.create_string_buffer(spelled)
    return dtype_of(lib.tess_dtype_from_mlir(Str(ctypes.addressof(buffer), len(spelled))))


def _as_numpy(value: Any, wanted: Tensor) -> Any:
    if isinstance(value, numpy.ndarray):
        array = value
    elif isinstance(value, (bool, int, float, complex, list, tuple)):
        array = numpy.asarray(value, dtype=dtype_of(wanted.dtype))
    elif hasattr(value, "__array__"):
        array = numpy.asarray(value)  # a JAX array on any devices becomes whole
    elif hasattr(value, "__dlpack__"):
        array = numpy.from_dlpack(value)
    else:
        array = numpy.asarray(value)
    return numpy.asarray(array, order="C")


def to_tensor(value: Any, wanted: Tensor) -> Kept:
    """Returns `value` as libtessera reads it.  A list of numbers gets the type of `wanted`."""
    if numpy is not None:
        array = _as_numpy(value, wanted)
        if not _dtype(array.dtype.name):
            raise TypeError(
                f"expected an array of numbers, not {type(value).__name__}, which NumPy "
                f"converts to {array.dtype}"
            )
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        return Kept(_dtype(array.dtype.name), array.shape, array.ctypes.data, array.nbytes, array)
    view = memoryview(value)
    if not view.c_contiguous:
        raise TypeError("without NumPy an array must be contiguous")
    owner = (ctypes.c_char * view.nbytes).from_buffer_copy(view)
    return Kept(
        _dtype(_FORMATS.get(view.format, "")),
        view.shape or (),
        ctypes.addressof(owner),
        view.nbytes,
        owner,
    )


def from_tensor(t: Tensor) -> Any:
    """Returns a copy of a result."""
    dims, name = tuple(t.dims[i] for i in range(t.rank)), _name(t.dtype)
    data = bytes_at(t.data, t.bytes) if t.bytes else bytearray()
    if numpy is not None:
        dtype = dtype_named(name) or numpy.dtype(f"V{lib.tess_dtype_bytes(t.dtype)}")
        return numpy.frombuffer(data, dtype=dtype).reshape(dims)
    code = next((f for f, n in _FORMATS.items() if n == name), "B")
    view = memoryview(data)
    return view.cast("B").cast(code, dims) if dims and "Z" not in code else view


def write_tensor(t: Tensor, value: Any) -> None:
    """Writes an array into the memory of a tensor, converted to the tensor's type; the shapes must agree."""
    dtype = dtype_of(t.dtype)
    array = numpy.asarray(value, dtype=dtype, order="C")
    dims = tuple(t.dims[i] for i in range(t.rank))
    if array.shape != dims:
        raise TypeError(f"expected an array of shape {list(dims)}, not {list(array.shape)}")
    ctypes.memmove(t.data, array.ctypes.data, t.bytes)


def difference(got: Any, want: Any) -> str:
    """Says how two arrays of one type and shape differ, if by more than is usual for the type; else ""."""
    pair = [to_tensor(a, Tensor()) for a in (got, want)]
    found = TensorDifference()
    tolerance = lib.tess_tolerance_of(pair[0].tensor.dtype)
    agree = lib.tess_tensor_compare(
        byref(pair[0].tensor), byref(pair[1].tensor), tolerance, byref(found)
    )
    if agree:
        return ""
    return (
        f"{found.wrong} of {found.elements} elements, the first is {found.got:g} and was to be "
        f"{found.expected:g}, the largest error is {found.max_error:.2g}"
    )
