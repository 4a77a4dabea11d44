"""Implements `load`: programs from text, paths, and what JAX makes of a function."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Optional, Sequence

from .calls import (
    Call,
    call_of_artifact,
    call_of_exported,
    call_of_jitted,
    call_of_lowered,
    mesh_of_compiled,
)
from .outside import functions_of
from .program import Program
from .wrapped import Wrapper, jitted_of, unbound, wrapper_of


def _is_path(source: str) -> bool:
    """True for a path.  The text of a program has several lines, or starts with an operation."""
    return "\n" not in source and not source.lstrip().startswith(
        ("module", "func.func", "#", "sdy.")
    )


def _lowered_text(lowered: Any) -> str:
    """Returns the text with locations, so that reports name source lines.  A wrapper of a lowering, such
    as that of equinox's filter_jit, may not have this option; then JAX's lowering inside is asked."""
    for one in (lowered, getattr(lowered, "lowered", None)):
        try:
            return one.as_text(debug_info=True)
        except (AttributeError, TypeError):  # JAX before 0.4.36 has no such option either
            pass
    return lowered.as_text()


def _refuse_arguments(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    if arguments or keywords:
        raise TypeError("arguments can only be given for a function")


def _number_of_arguments(program: Program) -> int:
    return len(program.signature["arguments"])


def _of_lowered(lowered: Any, name: str) -> Program:
    program = Program._from_text(_lowered_text(lowered), name)
    program._callbacks = functions_of(lowered)
    return program


def _with_call(program: Program, call: Optional[Call]) -> Program:
    """Sets how the program is called.  If its arguments and results are not the leaves of the function's
    (effects add others), it is called with arrays."""
    program._call = call
    program._call = program._fitting_call(program.signature)
    return program


def _as_exported(program: Program) -> Program:
    """Makes an artifact of `exported.serialize()` take and return what the function does, if JAX is
    installed."""
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
    """Loads a jitted function, or a wrapper of one, for some arguments.  `static`: the positions of
    static arguments, if they are known."""
    name, wrapper = getattr(jitted, "__name__", None) or "program", wrapper_of(jitted)
    if wrapper:
        return _load_wrapped(wrapper, name, arguments, keywords)
    lowered = jitted.lower(*arguments, **keywords)
    program = _of_lowered(lowered, name)
    if not hasattr(lowered, "args_info"):  # another kind of wrapper
        return program
    count = _number_of_arguments(program)
    return _with_call(program, call_of_jitted(jitted, lowered, arguments, keywords, count, static))


def _load_wrapped(wrapper: Wrapper, name: str, arguments: Any, keywords: Any) -> Program:
    lowered, inner, named = wrapper.lower(arguments, keywords)
    text = _lowered_text(lowered)
    program = Program._from_text(text, name)
    count = _number_of_arguments(program)
    call = call_of_jitted(wrapper.jitted, lowered, inner, named, count)
    call.wrapper = wrapper
    names = wrapper.names(arguments, keywords, call.every_leaf(inner, named))
    renamed = _with_names(text, program, [names[i] for i in call.kept])
    program = Program._from_text(renamed, name) if renamed != text else program
    program._callbacks = functions_of(lowered)
    return _with_call(program, call)


def _with_names(text: str, program: Program, names: Sequence[Optional[str]]) -> str:
    """Returns the text with these names of the arguments instead of the function's own."""
    new = {
        row["source"]: name
        for row, name in zip(program.table(), names)
        if name and row["source"] and '"' not in name + row["source"]
    }
    return re.sub(r'loc\("([^"]+)"\)', lambda m: f'loc("{new.get(m[1], m[1])}")', text)


def _load_lowered(lowered: Any, name: str) -> Program:
    program = _of_lowered(lowered, name)
    if not hasattr(lowered, "args_info"):
        return program
    return _with_call(program, call_of_lowered(lowered, _number_of_arguments(program)))


def _load_text(source: Any) -> Program:
    if isinstance(source, os.PathLike):
        return _as_exported(Program._from_file(os.fspath(source)))
    if isinstance(source, (bytes, bytearray)):
        return _as_exported(Program._from_text(bytes(source), "program"))
    if _is_path(source):
        return _as_exported(Program._from_file(source))
    return Program._from_text(source, "program")


def _is_function(source: Any) -> bool:
    """True for what jax.jit takes.  (Results of .compile() and export are callable, too.)"""
    return callable(source) and not any(
        callable(getattr(source, name, None)) for name in ("as_text", "mlir_module")
    )


def _load_bound(function: Any, before: Any, named: Any, arguments: Any, keywords: Any) -> Program:
    """Loads a method or partial application; the program is called without the bound arguments."""
    program = load(function, *before, *arguments, **{**named, **keywords})
    if program._call:
        program._call.before, program._call.named = before, named
    return program


def _load_jaxpr(closed: Any) -> Program:
    """Loads what jax.make_jaxpr(…)(…) has returned, a function of flat arrays."""
    import jax
    import jax.extend

    types = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in closed.in_avals]
    function = jax.extend.core.jaxpr_as_fun(closed)
    return load_jitted(jax.jit(lambda *leaves: function(*leaves)), tuple(types), {})


def load(source: Any, *arguments: Any, **keywords: Any) -> Program:
    """Loads a program from

    - a function and the arguments to trace it with, arrays or jax.ShapeDtypeStructs.  The function may be
      what jax.jit returned, a wrapper of that (flax.nnx.jit, equinox.filter_jit), a method or partial
      application of these, or a plain function;
    - what `jitted.trace(...)`, `jitted.lower(...)`, `jitted.lower(...).compile()`,
      `jax.make_jaxpr(...)(...)` or `jax.export.export(...)(...)` return;
    - text of StableHLO or HLO, as str or bytes;
    - MLIR bytecode, a StableHLO portable artifact, or what `exported.serialize()` returns, as bytes;
    - a path to any of these, plain or gzipped.

    A program from a function or an export takes and returns what the function does: its pytrees,
    static arguments and typed PRNG keys.

    Raises tessera.Error, with places and source lines, if the text is wrong.
    """
    if isinstance(source, Program):
        _refuse_arguments(arguments, keywords)
        return source.copy()
    if isinstance(source, (str, bytes, bytearray, os.PathLike)):
        _refuse_arguments(arguments, keywords)
        return _load_text(source)
    function, before, named = unbound(source)
    if before or named:
        return _load_bound(function, before, named, arguments, keywords)
    if callable(getattr(source, "lower", None)):
        if hasattr(source, "jaxpr"):  # what .trace() returned: it is lowered without arguments
            _refuse_arguments(arguments, keywords)
            return _load_lowered(source.lower(), getattr(source, "fun_name", None) or "program")
        return load_jitted(source, arguments, keywords)
    if _is_function(source):
        return load_jitted(jitted_of(source, arguments, keywords), arguments, keywords)
    _refuse_arguments(arguments, keywords)
    if callable(getattr(source, "as_text", None)):
        program = _load_lowered(source, "program")
        mesh = mesh_of_compiled(source)
        return program if mesh is None else program.with_mesh(mesh)
    if callable(getattr(source, "mlir_module", None)):
        name = getattr(source, "fun_name", "program")
        return _with_call(Program._from_text(source.mlir_module(), name), call_of_exported(source))
    if hasattr(source, "jaxpr") and hasattr(source, "in_avals"):
        return _load_jaxpr(source)
    raise TypeError(
        f"load takes a function, its lowering, jaxpr or export, a text or a path, not "
        f"{type(source).__name__}"
    )
