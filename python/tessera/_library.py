"""libtessera through ctypes: the shared library, its structs, and errors as exceptions.

The declarations below are those of include/tessera; a struct that carries its size
first may grow there without being wrong here.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import glob
import operator
import os
import sys
import threading
import warnings
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any, Optional

OK, INVALID, NOMEM, IO, USAGE, FAILED = range(6)
TEXT, COLOR, JSON, HTML, SARIF = range(5)


class Error(Exception):
    """What libtessera says is wrong: its diagnostics, with places and source lines."""

    def __init__(self, message: str, status: int = INVALID):
        super().__init__(message)
        self.status = status


def bytes_at(address: int, size: int) -> bytearray:
    """A copy of memory of the library.  The size of ctypes.string_at() is an int."""
    return bytearray((ctypes.c_char * size).from_address(address))


class Str(Structure):
    _fields_ = [("ptr", c_void_p), ("len", c_size_t)]

    def text(self) -> str:
        return bytes_at(self.ptr, self.len).decode("utf-8", "replace") if self.ptr else ""


class Diag(Structure):
    _fields_ = [
        ("severity", c_int),
        ("code", c_char_p),
        ("file", c_char_p),
        ("line", c_uint32),
        ("col", c_uint32),
        ("end_col", c_uint32),
        ("message", Str),
        ("line_text", Str),
    ]


class ParseOpts(Structure):
    _fields_ = [("struct_size", c_size_t), ("allow_unregistered", c_bool), ("skip_verify", c_bool)]


class PrintOpts(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("generic", c_bool),
        ("locations", c_bool),
        ("local_scope", c_bool),
        ("keep_names", c_bool),
        ("elide_larger", c_int64),
    ]


class ReportOpts(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("format", c_int),
        ("title", c_char_p),
        ("target", c_char_p),
        ("large", c_int64),
    ]


class ExplainOpts(Structure):
    _fields_ = [("struct_size", c_size_t), ("format", c_int), ("dim", c_int64), ("axis", c_char_p)]


class PartitionOpts(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("merge", c_bool),
        ("bare", c_bool),
        ("devices", c_int),
        ("wrap", c_int),
    ]


class PartitionStats(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("devices", c_int64),
        ("operations", c_int64),
        ("replicated", c_int64),
    ]


class ExecOpts(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("whole", c_bool),
        ("direct", c_bool),
        ("function", c_char_p),
        ("faithful", c_bool),
        ("threads", c_int),
        ("max_bytes", c_uint64),
    ]


class Tensor(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("dtype", c_int),
        ("rank", c_int),
        ("dims", POINTER(c_int64)),
        ("data", c_void_p),
        ("bytes", c_size_t),
    ]


class Tolerance(Structure):
    _fields_ = [("most", c_double), ("all", c_double)]


class TensorDifference(Structure):
    _fields_ = [
        ("elements", c_int64),
        ("wrong", c_int64),
        ("first", c_int64),
        ("got", c_double),
        ("expected", c_double),
        ("max_error", c_double),
    ]


class VerifyOpts(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("inputs", POINTER(Tensor)),
        ("n_inputs", c_size_t),
        ("seed", c_uint64),
        ("expected", POINTER(Tensor)),
        ("n_expected", c_size_t),
        ("tolerance", Tolerance),
        ("local", c_void_p),
        ("as_is", c_bool),
        ("locate", c_bool),
        ("threads", c_int),
    ]


class OutputComparison(Structure):
    _fields_ = [
        ("output", c_size_t),
        ("against", c_int),
        ("agree", c_bool),
        ("sensitive", c_bool),
        ("type", Tensor),
        ("difference", TensorDifference),
    ]


def opts(kind: Any, **fields: Any) -> Any:
    """An options struct with its size filled in."""
    return kind(struct_size=ctypes.sizeof(kind), **fields)


# name: (result, arguments)
_PROTOTYPES = {
    "tess_version": (c_char_p, []),
    "tess_features": (c_char_p, []),
    "tess_ctx_new": (c_void_p, [c_void_p]),
    "tess_ctx_free": (None, [c_void_p]),
    "tess_diag_render": (Str, [c_void_p, c_bool]),
    "tess_diag_clear": (None, [c_void_p]),
    "tess_diag_count": (c_size_t, [c_void_p]),
    "tess_diag_get": (c_bool, [c_void_p, c_size_t, POINTER(Diag)]),
    "tess_dtype_mlir": (c_char_p, [c_int]),
    "tess_dtype_from_mlir": (c_int, [Str]),
    "tess_dtype_bytes": (c_int, [c_int]),
    "tess_module_parse": (c_void_p, [c_void_p, Str, c_char_p, c_void_p]),
    "tess_module_parse_file": (c_void_p, [c_void_p, c_char_p, c_void_p]),
    "tess_module_clone": (c_void_p, [c_void_p]),
    "tess_module_free": (None, [c_void_p]),
    "tess_module_print": (Str, [c_void_p, POINTER(PrintOpts)]),
    "tess_module_set_mesh": (c_int, [c_void_p, c_char_p]),
    "tess_module_shard_input": (c_int, [c_void_p, c_size_t, c_char_p]),
    "tess_module_shard_output": (c_int, [c_void_p, c_size_t, c_char_p]),
    "tess_module_constrain": (c_int, [c_void_p, c_char_p, c_char_p]),
    "tess_module_propagate": (c_int, [c_void_p]),
    "tess_module_partition": (c_int, [c_void_p, POINTER(PartitionOpts), POINTER(PartitionStats)]),
    "tess_module_is_local": (c_bool, [c_void_p]),
    "tess_module_table": (Str, [c_void_p, c_int]),
    "tess_module_signature": (Str, [c_void_p]),
    "tess_module_report": (c_int, [c_void_p, POINTER(ReportOpts), POINTER(Str)]),
    "tess_module_lint": (c_int, [c_void_p, POINTER(ReportOpts), POINTER(Str), POINTER(c_size_t)]),
    "tess_module_diff": (
        c_int,
        [c_void_p, c_void_p, POINTER(ReportOpts), POINTER(Str), POINTER(c_bool)],
    ),
    "tess_module_explain_collective": (
        c_int,
        [c_void_p, c_int64, POINTER(ExplainOpts), POINTER(Str)],
    ),
    "tess_module_explain": (c_int, [c_void_p, c_char_p, POINTER(ExplainOpts), POINTER(Str)]),
    "tess_exec_new": (c_void_p, [c_void_p, POINTER(ExecOpts)]),
    "tess_exec_free": (None, [c_void_p]),
    "tess_exec_devices": (c_int64, [c_void_p]),
    "tess_exec_input_count": (c_size_t, [c_void_p]),
    "tess_exec_output_count": (c_size_t, [c_void_p]),
    "tess_exec_input": (c_bool, [c_void_p, c_size_t, POINTER(Tensor)]),
    "tess_exec_output": (c_bool, [c_void_p, c_size_t, POINTER(Tensor)]),
    "tess_exec_run": (c_int, [c_void_p, POINTER(Tensor), c_size_t]),
    "tess_tolerance_of": (Tolerance, [c_int]),
    "tess_tensor_compare": (
        c_bool,
        [POINTER(Tensor), POINTER(Tensor), Tolerance, POINTER(TensorDifference)],
    ),
    "tess_module_inputs": (c_int, [c_void_p, POINTER(Tensor), c_size_t, POINTER(c_size_t)]),
    "tess_verify": (c_int, [c_void_p, POINTER(VerifyOpts), POINTER(c_void_p)]),
    "tess_verdict_free": (None, [c_void_p]),
    "tess_verdict_get": (c_bool, [c_void_p, c_size_t, POINTER(OutputComparison)]),
}


def _path() -> str:
    """$TESSERA_LIBRARY, the library beside this file, or the system's."""
    named = os.environ.get("TESSERA_LIBRARY")
    if named:
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    for pattern in ("libtessera.so*", "libtessera*.dylib"):
        beside = sorted(glob.glob(os.path.join(here, pattern)))
        if beside:
            return beside[0]
    found = ctypes.util.find_library("tessera")
    if found:
        return found
    raise ImportError(
        "libtessera was not found: install the package with `pip install .`, or set "
        "TESSERA_LIBRARY to the path of libtessera.so"
    )


def _open() -> ctypes.CDLL:
    library = ctypes.CDLL(_path())
    for name, (result, arguments) in _PROTOTYPES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


lib = _open()


def version() -> str:
    """The version of the library."""
    return lib.tess_version().decode()


def features() -> dict[str, str]:
    """Which optional parts are built in."""
    return dict(
        line.split(None, 1)
        for line in lib.tess_features().decode().splitlines()
        if len(line.split(None, 1)) == 2
    )


_WARNING = 2


def _outside() -> int:
    """The stacklevel, for whoever calls this, of the first frame that is not the package's."""
    here, level = os.path.dirname(os.path.abspath(__file__)), 1
    frame = sys._getframe(1)
    while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == here:
        frame, level = frame.f_back, level + 1
    return level


class Context:
    """A tess_ctx.  Everything of one program hangs off one context, which is for one thread at a
    time: calls, and reading what they lend, are between `with context.lock`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.handle = lib.tess_ctx_new(None)
        if not self.handle:
            raise MemoryError("libtessera: out of memory")

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            lib.tess_ctx_free(self.handle)

    def raise_error(self, status: int = INVALID) -> None:
        message = lib.tess_diag_render(self.handle, False).text().rstrip()
        lib.tess_diag_clear(self.handle)
        if status == NOMEM:
            raise MemoryError("libtessera: out of memory")
        raise Error(message or f"libtessera: status {status}", status)

    def check(self, status: int) -> list[str]:
        """Raises what is wrong; else what there is to say, notes after what they belong to.
        Warnings become Python's."""
        if status != OK:
            self.raise_error(status)
        said = [d for i in range(lib.tess_diag_count(self.handle)) if (d := self._diag(i))]
        lib.tess_diag_clear(self.handle)
        for severity, text in said:
            if severity == _WARNING:
                warnings.warn(text, stacklevel=_outside())
        return [text for severity, text in said if severity != _WARNING]

    def _diag(self, i: int) -> Optional[tuple[int, str]]:
        d = Diag()
        found = lib.tess_diag_get(self.handle, i, byref(d))
        return (d.severity, d.message.text()) if found else None

    def text_of(self, function: Any, *arguments: Any, also: int = OK) -> str:
        """Calls a function whose last argument receives a text."""
        out = Str()
        with self.lock:
            status = function(*arguments, byref(out))
            text = out.text() if status in (OK, also) else ""
            self.check(OK if status == also else status)
            return text


def encode(text: str) -> bytes:
    """As a C string."""
    if not isinstance(text, str):
        raise TypeError(f"a text was expected, not {type(text).__name__}")
    if "\0" in text:
        raise ValueError(f"a text without null characters was expected, not {text!r}")
    return text.encode()


def encode_or_none(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else encode(text)


def integer(value: Any, what: str) -> int:
    """As an int64_t: ctypes alone would drop the bits that do not fit."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {type(value).__name__}") from None
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"{what} {number} does not fit 64 bits")
    return number
