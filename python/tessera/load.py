"""What `load` understands: text, paths, and what JAX makes of a function."""

from __future__ import annotations

import os
from typing import Any

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


def load(source: Any, *arguments: Any, **keywords: Any) -> Program:
    """A program from

    - a jitted function and the arguments to trace it with: arrays, or jax.ShapeDtypeStruct;
    - what `jitted.trace(...)`, `jitted.lower(...)` or `jax.export.export(...)(...)` return;
    - text of StableHLO, as str or bytes;
    - a path to such text, plain or gzipped.

    Raises tessera.Error, with places and source lines, if the text is wrong.
    """
    if isinstance(source, Program):
        _refuse_arguments(arguments, keywords)
        return source.copy()
    if callable(getattr(source, "lower", None)) and not isinstance(
        source, (str, bytes, bytearray, os.PathLike)
    ):
        # A jitted function, or what .trace() returned; the latter is lowered without arguments.
        return Program._from_text(
            _lowered_text(source.lower(*arguments, **keywords)),
            getattr(source, "__name__", None) or "program",
        )
    _refuse_arguments(arguments, keywords)
    if callable(getattr(source, "as_text", None)):
        return Program._from_text(_lowered_text(source), "program")
    if callable(getattr(source, "mlir_module", None)):
        return Program._from_text(source.mlir_module(), getattr(source, "fun_name", "program"))
    if isinstance(source, os.PathLike):
        return Program._from_file(os.fspath(source))
    if isinstance(source, (bytes, bytearray)):
        return Program._from_text(bytes(source).decode(), "program")
    if isinstance(source, str):
        return (
            Program._from_file(source)
            if _is_path(source)
            else Program._from_text(source, "program")
        )
    raise TypeError(
        f"load takes a jitted function, its lowering or export, text or a path, not "
        f"{type(source).__name__}"
    )
