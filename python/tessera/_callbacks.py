"""Callbacks of JAX programs (jax.debug.print, pure_callback, io_callback, buffer_callback) on the
PJRT plugin, and handlers that others registered with jax.ffi.

JAX lowers a callback to a custom call with a number.  JAX's own handler needs state of XLA's
runtime.  So for programs of this plugin, the number is an index into a table in this module, and
the plugin calls back with it.
"""

from __future__ import annotations

import ctypes
import itertools
import traceback
from typing import Any, Callable

from .arrays import dtype_named

IN_PLACE = "xla_buffer_python_cpu_callback"
TARGETS = ("xla_ffi_python_cpu_callback", "xla_ffi_partitioned_python_cpu_callback", IN_PLACE)


class _Array(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_char_p),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
        ("rank", ctypes.c_int64),
        ("data", ctypes.c_void_p),
    ]


_HOST_CALL = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_uint64,
    ctypes.c_int64,
    ctypes.c_int32,
    ctypes.c_int32,
    ctypes.POINTER(_Array),
    ctypes.POINTER(ctypes.c_char),
    ctypes.c_size_t,
)

_callables: dict[int, Callable[..., Any]] = {}
_numbers = itertools.count()
_kept: list[Any] = []  # keeps what C calls from being collected


_dropped: list[int] = []  # no executable has these any more, but runs may still use them


def _runs() -> int:
    return 0


class _Buffer:
    """The array that buffer_callback passes to its function; it lives as long as the call."""

    def __init__(self, array: Any, writeable: bool):
        self._array = array
        self.shape, self.dtype, self.ndim = array.shape, array.dtype, array.ndim
        self.writeable = writeable

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self._array.view()
        array.flags.writeable = self.writeable
        if dtype is not None and dtype != array.dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


class _Context:
    """The context of a call on a device that has no stream."""

    @property
    def stage(self) -> Any:
        from jax.experimental.buffer_callback import ExecutionStage

        return ExecutionStage.EXECUTE

    @property
    def stream(self) -> Any:
        import jax

        raise jax.errors.JaxRuntimeError("UNIMPLEMENTED: XLA FFI GPU context is not available")


class _InPlace:
    """A function of buffer_callback, which writes into the results; some of them start as operands."""

    def __init__(self, function: Callable[..., Any], aliases: dict[int, int]):
        self.function = function
        self.aliases = aliases

    def __call__(self, operands: list[Any], results: list[Any]) -> None:
        for i, k in self.aliases.items():
            results[k][...] = operands[i]
            operands[i] = results[k]
        arguments = [_Buffer(a, False) for a in operands] + [_Buffer(r, True) for r in results]
        self.function(_Context(), *arguments)


class _Entry:
    """The entry of a function in the table, which stays while an executable that calls it lives or runs."""

    def __init__(self, function: Callable[..., Any]):
        self.number = next(_numbers)
        _callables[self.number] = function

    def __del__(self) -> None:
        _dropped.append(self.number)
        if not _runs():
            while _dropped:
                _callables.pop(_dropped.pop(), None)


def _last_lines(text: str, room: int) -> bytes:
    """As many whole lines as fit, of the last ones, in which an exception is named."""
    whole = text.encode("utf-8", "replace")
    part = whole[-room:]
    return part if part == whole or b"\n" not in part[:-1] else part[part.index(b"\n") + 1 :]


def _host_call() -> Any:
    import numpy as np

    def view(array: _Array) -> Any:
        dtype = dtype_named(array.type.decode())
        shape = tuple(array.dims[i] for i in range(array.rank))
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if size == 0:
            return np.empty(shape, dtype)
        memory = (ctypes.c_char * size).from_address(array.data)
        return np.frombuffer(memory, dtype).reshape(shape)

    def call(number, device, n_operands, n_results, arrays, why, room):  # type: ignore[no-untyped-def]
        try:
            function = _callables[number]
            if isinstance(function, _InPlace):
                views = [view(arrays[i]) for i in range(n_operands + n_results)]
                function(views[:n_operands], views[n_operands:])
                return 0
            operands = []
            for i in range(n_operands):
                operand = view(arrays[i]).copy()  # the callback may keep it
                operand.flags.writeable = False
                operands.append(operand)
            results = function(*operands)
            for i, result in enumerate(results):
                to = view(arrays[n_operands + i])
                to[...] = np.asarray(result)
            return 0
        except BaseException:
            text = _last_lines(traceback.format_exc(), room - 1)
            ctypes.memmove(why, text + b"\0", len(text) + 1)
            return 1

    return _HOST_CALL(call)


_FIND_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p))
_STAGES = ("instantiate", "prepare", "initialize", "execute")


_handlers: dict[str, Any] = {}  # registered for CPUs; jaxlib itself only knows their "execute" stage


def _note_handlers() -> None:
    """Records the handlers that have been registered, and those that will be."""
    from jaxlib import xla_client

    register = xla_client.register_custom_call_target

    def note(name: Any, handler: Any, platform: str, version: int) -> None:
        if platform in ("cpu", "Host") and version == 1:
            text = name.decode() if isinstance(name, bytes) else name
            _handlers[text] = handler if isinstance(handler, dict) else {"execute": handler}

    def register_too(
        name: Any, fn: Any, platform: str = "cpu", api_version: int = 0, *rest: Any, **options: Any
    ) -> Any:
        note(name, fn, platform, api_version)
        return register(name, fn, platform, api_version, *rest, **options)

    for name, handler, version, *_ in getattr(xla_client, "_custom_callback", {}).get("cpu", []):
        note(name, handler, "cpu", version)
    xla_client.register_custom_call_target = register_too


def _find_handler() -> Any:
    """Returns the function that finds the stages of a handler for CPUs."""
    from jaxlib import xla_client

    capsule_name = ctypes.pythonapi.PyCapsule_GetName
    capsule_name.argtypes, capsule_name.restype = [ctypes.py_object], ctypes.c_char_p
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
    pointer_of.restype = ctypes.c_void_p

    def find(name, stages):  # type: ignore[no-untyped-def]
        try:
            handler = _handlers.get(name.decode())
            if handler is None:
                handler = xla_client._xla.custom_call_targets("Host").get(name.decode())
            if not isinstance(handler, dict):
                return 0  # a handler for the API before XLA's FFI
            for i, stage in enumerate(_STAGES):
                capsule = handler.get(stage)
                stages[i] = pointer_of(capsule, capsule_name(capsule)) if capsule else None
            return 1
        except Exception:
            traceback.print_exc()
            return 0

    return _FIND_HANDLER(find)


def install(library: str) -> None:
    """Gives the plugin the functions that it calls, and makes JAX's lowerings use our numbers."""
    plugin = ctypes.CDLL(library)
    _kept.append(_host_call())
    plugin.tess_pjrt_set_host_call.argtypes = [_HOST_CALL]
    plugin.tess_pjrt_set_host_call.restype = None
    plugin.tess_pjrt_set_host_call(_kept[-1])
    _note_handlers()
    _kept.append(_find_handler())
    plugin.tess_pjrt_set_find_handler.argtypes = [_FIND_HANDLER]
    plugin.tess_pjrt_set_find_handler.restype = None
    plugin.tess_pjrt_set_find_handler(_kept[-1])
    plugin.tess_pjrt_host_runs.argtypes = []
    plugin.tess_pjrt_host_runs.restype = ctypes.c_int64
    plugin.tess_pjrt_watch_interrupts.argtypes = []
    plugin.tess_pjrt_watch_interrupts.restype = None
    plugin.tess_pjrt_watch_interrupts()
    global _runs
    _runs = plugin.tess_pjrt_host_runs
    _number_callbacks()


def _is_ours(context: Any) -> bool:
    backend = context.module_context.get_backend(optional=True)
    return "tessera" in str(getattr(backend, "platform_version", ""))


def _number_callbacks() -> None:
    from jax._src import callback as jax_callback

    original = jax_callback.ffi.build_ffi_lowering_function

    def build(target: str, **options: Any) -> Callable[..., Any]:
        lower = original(target, **options)
        if target not in TARGETS:
            return lower

        def lower_numbered(context: Any, *operands: Any, **attributes: Any) -> Any:
            if "index" not in attributes or not _is_ours(context):
                return lower(context, *operands, **attributes)
            function = context.module_context.host_callbacks[int(attributes["index"])]
            if target == IN_PLACE:
                function = _InPlace(function, options.get("operand_output_aliases") or {})
            elif operands and str(getattr(operands[0], "type", "")) == "!stablehlo.token":
                function = _without_token(function)
            entry = _Entry(function)
            context.module_context.add_keepalive(entry)
            attributes["index"] = type(attributes["index"])(entry.number)
            return lower(context, *operands, **attributes)

        return lower_numbered

    jax_callback.ffi.build_ffi_lowering_function = build


def _without_token(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *operands: function(None, *operands)[1:]
