"""Arrays in and out: NumPy's where it is installed, buffers where it is not."""

from __future__ import annotations

import ctypes
from typing import Any

from ._library import Str, Tensor, TensorDifference, byref, bytes_at, c_int64, lib

try:
    import numpy
except ImportError:  # everything but DLPack works without
    numpy = None  # type: ignore[assignment]

# NumPy's name of a type (ml_dtypes' where NumPy has none) to MLIR's.
_MLIR = {
    "bool": "i1",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "ui8",
    "uint16": "ui16",
    "uint32": "ui32",
    "uint64": "ui64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2": "f8E5M2",
    "float8_e4m3": "f8E4M3",
    "float8_e3m4": "f8E3M4",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
    "float4_e2m1fn": "f4E2M1FN",
    "float6_e2m3fn": "f6E2M3FN",
    "float6_e3m2fn": "f6E3M2FN",
    "int4": "i4",
    "uint4": "ui4",
    "int2": "i2",
    "uint2": "ui2",
}
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


def _dtype(name: str) -> int:
    spelled = _MLIR.get(name, "").encode()
    buffer = ctypes.create_string_buffer(spelled)
    return lib.tess_dtype_from_mlir(Str(ctypes.addressof(buffer), len(spelled))) if spelled else 0


def _name(dtype: int) -> str:
    spelled = lib.tess_dtype_mlir(dtype).decode()
    return next((n for n, m in _MLIR.items() if m == spelled), "")


def _numpy_dtype(name: str) -> Any:
    """NumPy's type; ml_dtypes' if that is installed; None if neither has it."""
    try:
        return numpy.dtype(name)
    except TypeError:
        try:
            import ml_dtypes

            return numpy.dtype(getattr(ml_dtypes, name))
        except (ImportError, AttributeError):
            return None


def dtype_of_mlir(kind: str) -> Any:
    """NumPy's type of "f32", "bf16"; None if neither NumPy nor ml_dtypes has it."""
    name = next((n for n, m in _MLIR.items() if m == kind), None)
    return _numpy_dtype(name) if name else None


def _as_numpy(value: Any, wanted: Tensor) -> Any:
    if isinstance(value, numpy.ndarray):
        array = value
    elif isinstance(value, (bool, int, float, complex, list, tuple)):
        array = numpy.asarray(value, dtype=_numpy_dtype(_name(wanted.dtype)))
    elif hasattr(value, "__array__"):
        array = numpy.asarray(value)  # of a JAX array on any devices: the whole
    elif hasattr(value, "__dlpack__"):
        array = numpy.from_dlpack(value)
    else:
        array = numpy.asarray(value)
    return numpy.asarray(array, order="C")


def to_tensor(value: Any, wanted: Tensor) -> Kept:
    """`value` as libtessera reads it; `wanted` gives a list of numbers its type."""
    if numpy is not None:
        array = _as_numpy(value, wanted)
        if array.dtype.name not in _MLIR:
            raise TypeError(
                f"an array of numbers was expected, not {type(value).__name__}, for NumPy "
                f"of {array.dtype}"
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
    """A copy of a result."""
    dims, name = tuple(t.dims[i] for i in range(t.rank)), _name(t.dtype)
    data = bytes_at(t.data, t.bytes) if t.bytes else bytearray()
    if numpy is not None:
        dtype = _numpy_dtype(name) or numpy.dtype(f"V{lib.tess_dtype_bytes(t.dtype)}")
        return numpy.frombuffer(data, dtype=dtype).reshape(dims)
    code = next((f for f, n in _FORMATS.items() if n == name), "B")
    view = memoryview(data)
    return view.cast("B").cast(code, dims) if dims and "Z" not in code else view


def difference(got: Any, want: Any) -> str:
    """How two arrays of one type and shape differ by more than is usual for the type; or ""."""
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
