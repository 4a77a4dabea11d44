"""What `load` understands: text, paths, and what JAX makes of a function."""

from __future__ import annotations

import json
import os
from typing import Any, Optional

from .calls import Call, call_of_artifact, call_of_exported, call_of_jitted, call_of_lowered
from .program import Program


def _is_path(source: str) -> bool:
    """A text of MLIR has several lines or an operation; a path has neither."""
    return "\n" not in source and not source.lstrip().startswith(
        ("module", "func.func", "#", "sdy.")
    )


def _lowered_text(lowered: Any) -> str:
    """With locations, so that reports name source lines.  What wraps a lowering, as equinox's
    filter_jit does, may have no such option: then that of JAX within, if it shows one."""
    for one in (lowered, getattr(lowered, "lowered", None)):
        try:
            return one.as_text(debug_info=True)
        except (AttributeError, TypeError):  # JAX before 0.4.36 has no such option either
            pass
    return lowered.as_text()


def _refuse_arguments(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    if arguments or keywords:
        raise TypeError("arguments go with a jitted function only")


def _number_of_arguments(program: Program) -> int:
    return len(program.signature["arguments"])


def _with_call(program: Program, call: Optional[Call]) -> Program:
    """A program whose arguments and results are no leaves of the function's, as those of effects,
    is called with arrays."""
    program._call = call
    program._call = program._fitting_call(program.signature)
    return program


def _as_exported(program: Program) -> Program:
    """What `exported.serialize()` made takes and returns what the function does, if JAX is there."""
    said = program._export
    if said is None:
        return program
    program.title = said["name"] or program.title
    try:
        return _with_call(program, call_of_artifact(said))
    except ImportError:
        why = "there is no JAX"
    except TypeError as error:
        why = str(error)
    program.notes += (f"{why}: the program takes and returns arrays, one for each leaf",)
    return program


def load_jitted(
    jitted: Any,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    static: Optional[tuple[int, ...]] = None,
) -> Program:
    """A jitted function for some arguments.  `static`: which are static, if that is known."""
    lowered = jitted.lower(*arguments, **keywords)
    program = Program._from_text(
        _lowered_text(lowered), getattr(jitted, "__name__", None) or "program"
    )
    if not hasattr(lowered, "args_info"):  # what wraps JAX's, as equinox's does
        return program
    count = _number_of_arguments(program)
    return _with_call(program, call_of_jitted(jitted, lowered, arguments, keywords, count, static))


def _load_lowered(lowered: Any, name: str) -> Program:
    program = Program._from_text(_lowered_text(lowered), name)
    if not hasattr(lowered, "args_info"):
        return program
    return _with_call(program, call_of_lowered(lowered, _number_of_arguments(program)))


def load(source: Any, *arguments: Any, **keywords: Any) -> Program:
    """A program from

    - a jitted function and the arguments to trace it with: arrays, or jax.ShapeDtypeStruct;
    - what `jitted.trace(...)`, `jitted.lower(...)` or `jax.export.export(...)(...)` return;
    - text of StableHLO, as str or bytes;
    - MLIR bytecode, a StableHLO portable artifact, or what `exported.serialize()` returns, as bytes;
    - a path to any of these, plain or gzipped.

    From a function, or an export, the program takes and returns what the function does, its pytrees,
    static arguments and typed PRNG keys.

    Raises tessera.Error, with places and source lines, if the text is wrong.
    """
    if isinstance(source, Program):
        _refuse_arguments(arguments, keywords)
        return source.copy()
    if callable(getattr(source, "lower", None)) and not isinstance(
        source, (str, bytes, bytearray, os.PathLike)
    ):
        if hasattr(source, "jaxpr"):  # what .trace() returned: it is lowered without arguments
            _refuse_arguments(arguments, keywords)
            return _load_lowered(source.lower(), getattr(source, "fun_name", None) or "program")
        return load_jitted(source, arguments, keywords)
    _refuse_arguments(arguments, keywords)
    if callable(getattr(source, "as_text", None)):
        return _load_lowered(source, "program")
    if callable(getattr(source, "mlir_module", None)):
        name = getattr(source, "fun_name", "program")
        return _with_call(Program._from_text(source.mlir_module(), name), call_of_exported(source))
    if isinstance(source, os.PathLike):
        return _as_exported(Program._from_file(os.fspath(source)))
    if isinstance(source, (bytes, bytearray)):
        return _as_exported(Program._from_text(bytes(source), "program"))
    if isinstance(source, str):
        if _is_path(source):
            return _as_exported(Program._from_file(source))
        return Program._from_text(source, "program")
    raise TypeError(
        f"load takes a jitted function, its lowering or export, text or a path, not "
        f"{type(source).__name__}"
    )
