"""Python functions that a program calls: those of jax.pure_callback, io_callback, jax.debug.print, and of
checks such as equinox.error_if.

The custom call contains the number of its function in the list that JAX made when it lowered the program.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
from typing import Any, Callable, Iterator, Optional, Sequence

from . import arrays
from ._library import Error, OutsideCall, lib

_TYPE = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(OutsideCall))


def functions_of(lowered: Any) -> Sequence[Callable[..., Any]]:
    """Returns the functions that the program of a jax.stages.Lowered calls.  JAX has no public name for
    them.  If they are not found, the program is treated like one from a file."""
    lowering = getattr(lowered, "_lowering", None)
    return tuple(getattr(lowering, "compile_args", {}).get("host_callbacks") or ())


def _takes_token(function: Callable[..., Any]) -> bool:
    """True if the function takes a token first, and returns it, as JAX's ordered callbacks do."""
    return next(iter(inspect.signature(function).parameters), "") == "token"


class Outside:
    """Answers the calls of a run.  `calls` is the option `outside` of the run; NULL without functions."""

    def __init__(self, functions: Sequence[Callable[..., Any]]):
        self._functions = functions
        self._failure: Optional[BaseException] = None
        self._kept = _TYPE(self._answer)  # C has only its address
        self.calls = ctypes.cast(self._kept, ctypes.c_void_p) if functions else None

    def _answer(self, _: Any, pointer: Any) -> bool:
        call = pointer.contents
        try:
            number = lib.tess_attr_get_int(lib.tess_attr_find(call.config, b"index"), -1)
            self._run(self._functions[number], call)
            return True
        except BaseException as error:  # it cannot pass through C
            self._failure = error
            why = f"{type(error).__name__}: {error}".encode()[: call.why_room - 1]
            ctypes.memmove(call.why, why + b"\0", len(why) + 1)
            return False

    def _run(self, function: Callable[..., Any], call: Any) -> None:
        operands = [arrays.from_tensor(call.operands[i]) for i in range(call.n_operands)]
        token = [None] if _takes_token(function) else []
        results = list(function(*token, *operands))[len(token) :]
        for i, result in zip(range(call.n_results), results):
            arrays.write_tensor(call.results[i], result)

    @contextlib.contextmanager
    def failing(self) -> Iterator[None]:
        """Makes an exception of a function the cause of the run's error."""
        try:
            yield
        except Error as error:
            raise error from self._failure
        finally:
            self._failure = None

