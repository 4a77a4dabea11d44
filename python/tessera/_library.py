"""libtessera through ctypes: the shared library, and errors as exceptions.

Structs, numbers and prototypes come from include/tessera: tools/prototypes generates the module
_prototypes from them when the package is built, or in a source tree when it is imported.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import glob
import operator
import os
import subprocess
import sys
import threading
import types
import warnings
from ctypes import byref, c_int64, c_void_p
from typing import Any, Optional


def _prototypes() -> Any:
    """Returns the module of this name, from the package or from the headers of the source tree."""
    try:
        from . import _prototypes  # type: ignore[attr-defined]

        return _prototypes
    except ImportError:
        tree = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        tool = os.path.join(tree, "tools", "prototypes")
        if not os.path.exists(tool):
            raise
    made = subprocess.run(
        [sys.executable, tool, os.path.join(tree, "include", "tessera")],
        stdout=subprocess.PIPE,
        check=True,
    )
    module = types.ModuleType("tessera._prototypes")
    exec(made.stdout.decode(), module.__dict__)
    return module


_c = _prototypes()
Str, Diag, Tensor, Tolerance = _c.Str, _c.Diag, _c.Tensor, _c.Tolerance
PrintOpts, ReportOpts, LintOpts, DiffOpts = _c.PrintOpts, _c.ReportOpts, _c.LintOpts, _c.DiffOpts
ExplainOpts, ExecOpts, PlanOpts, AdviseOpts = _c.ExplainOpts, _c.ExecOpts, _c.PlanOpts, _c.AdviseOpts
ParseOpts, WriteOpts = _c.ParseOpts, _c.WriteOpts
PartitionOpts, PartitionStats = _c.PartitionOpts, _c.PartitionStats
VerifyOpts, TensorDifference = _c.VerifyOpts, _c.Difference
OutsideCall = _c.OutsideCall

OK, INVALID, NOMEM, USAGE, FAILED = (
    _c.TESS_OK,
    _c.TESS_INVALID,
    _c.TESS_NOMEM,
    _c.TESS_USAGE,
    _c.TESS_FAILED,
)
TEXT, COLOR, JSON, HTML = (
    _c.TESS_FORMAT_TEXT,
    _c.TESS_FORMAT_COLOR,
    _c.TESS_FORMAT_JSON,
    _c.TESS_FORMAT_HTML,
)


class Error(Exception):
    """An error of libtessera.  Its text is the diagnostics, with places and source lines."""

    def __init__(self, message: str, status: int = INVALID):
        super().__init__(message)
        self.status = status


def bytes_at(address: int, size: int) -> bytearray:
    """Copies memory of the library.  (ctypes.string_at() takes its size as an int, which is too small.)"""
    return bytearray((ctypes.c_char * size).from_address(address))


def borrowed(text: Any) -> str:
    """Returns the text of a tess_str."""
    return bytes_at(text.ptr, text.len).decode("utf-8", "replace") if text.ptr else ""


def opts(kind: Any, **fields: Any) -> Any:
    """Returns an options struct as its initializer in C does, with these fields set."""
    return kind(struct_size=ctypes.sizeof(kind), **{**kind.defaults, **fields})


def taken(address: Optional[int]) -> Optional[str]:
    """Returns a text that the library has given away, and frees it; None if it is NULL."""
    if not address:
        return None
    text = ctypes.string_at(address).decode("utf-8", "replace")
    lib.tess_text_free(address)
    return text


def _path() -> str:
    """Returns $TESSERA_LIBRARY, the library beside this file, or the system's."""
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


@functools.lru_cache(None)
def _open() -> ctypes.CDLL:
    library = ctypes.CDLL(_path())
    for name, (result, arguments) in _c.PROTOTYPES.items():
        function = getattr(library, name, None)
        if function is None:
            continue  # this library was built without the part: a call of the function fails
        function.restype = c_void_p if result is _c.TEXT else result
        function.argtypes = arguments
        if result is _c.TEXT:
            function.errcheck = lambda address, _function, _arguments: taken(address)
    return library


class _Library:
    """libtessera, opened at the first use of a function.  JAX and PyTorch/XLA import the package for its
    plugins, also in programs that use nothing else of it; the import must not fail without the library."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        function = getattr(_open(), name)
        setattr(self, name, function)
        return function


lib = _Library()


def version() -> str:
    """Returns the version of the library."""
    return lib.tess_version().decode()


def features() -> dict[str, str]:
    """Returns the optional parts, and whether they are built in."""
    return dict(
        line.split(None, 1)
        for line in lib.tess_features().decode().splitlines()
        if len(line.split(None, 1)) == 2
    )


_WARNING = _c.TESS_SEVERITY_WARNING


def _outside() -> int:
    """Returns the stacklevel, seen from the caller, of the first frame outside of the package."""
    here, level = os.path.dirname(os.path.abspath(__file__)), 1
    frame = sys._getframe(1)
    while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == here:
        frame, level = frame.f_back, level + 1
    return level


class Context:
    """A tess_ctx.  Everything that belongs to one program belongs to one context, which only one thread
    may use at a time: calls, and reading what they lend, happen inside `with context.lock`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._handles = 0  # that belong to it
        self._unused = False  # no Python object refers to it any more
        self.handle = lib.tess_ctx_new(None)
        if not self.handle:
            raise MemoryError("libtessera: out of memory")

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self._unused = True
            self._free()

    def own(self, handle: int) -> int:
        """Counts a handle that belongs to the context.  It is released by disown()."""
        self._handles += 1
        return handle

    def disown(self, free: Any, handle: int) -> None:
        """Frees a handle.  In a garbage cycle, Python may delete the context before its handles; the
        context is then freed with the last of them."""
        with self.lock:
            free(handle)
            self._handles -= 1
            self._free()

    def _free(self) -> None:
        if self._unused and not self._handles:
            lib.tess_ctx_free(self.handle)
            self.handle = None

    def raise_error(self, status: int = INVALID) -> None:
        message = (lib.tess_diag_render(self.handle, False) or "").rstrip()
        lib.tess_diag_clear(self.handle)
        if status == NOMEM:
            raise MemoryError("libtessera: out of memory")
        raise Error(message or f"libtessera: status {status}", status)

    def check(self, status: int) -> list[str]:
        """Raises an Error unless the status is OK.  Otherwise issues warnings as Python's, and returns
        the other diagnostics, each followed by its notes."""
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
        return (d.severity, borrowed(d.message)) if found else None

    def text_of(self, function: Any, *arguments: Any, also: int = OK, after: tuple = ()) -> str:
        """Calls a function with these arguments, a pointer that receives a text, and the arguments
        `after`; returns the text.  The status `also` counts as OK."""
        out = c_void_p()
        with self.lock:
            status = function(*arguments, byref(out), *after)
            text = taken(out.value)
            self.check(OK if status == also else status)
            return text or ""


def encode(text: str) -> bytes:
    """Returns a C string."""
    if not isinstance(text, str):
        raise TypeError(f"expected a text, not {type(text).__name__}")
    if "\0" in text:
        raise ValueError(f"expected a text without null characters, not {text!r}")
    return text.encode()


def encode_or_none(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else encode(text)


def integer(value: Any, what: str, least: int = -(2**63)) -> int:
    """Returns the value as an int64_t of at least `least`.  ctypes alone would drop the bits that do not
    fit."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be a whole number, not {type(value).__name__}") from None
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"{what} {number} does not fit 64 bits")
    if number < least:
        raise ValueError(f"{what} must be at least {least}, not {number}")
    return number
