"""tessera.jit: jax.jit with tessera's partition."""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any, Callable, Optional, Sequence, Union

from .calls import is_array
from .compiled import Compiled
from .load import load_jitted
from .program import Program


def _listed(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, (int, str)) else tuple(value)


def _statics(function: Any, numbers: Any, names: Any) -> tuple[tuple[int, ...], frozenset[str]]:
    """Returns static positions and names.  As in jax.jit, each is derived from the other if it is not given."""
    numbers, names = _listed(numbers), _listed(names)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    plain = [p.name for p in parameters if p.kind == p.POSITIONAL_OR_KEYWORD]
    leading = len([p for p in parameters if p.kind == p.POSITIONAL_ONLY])
    of_names = [leading + plain.index(n) for n in names if n in plain] if numbers == () else []
    of_numbers = (
        [plain[n - leading] for n in numbers if 0 <= n - leading < len(plain)]
        if names == ()
        else []
    )
    return (*numbers, *of_names), frozenset((*names, *of_numbers))


class Jitted:
    """What `tessera.jit` returns: a function that tessera partitions and XLA compiles, once for each
    kind of arguments."""

    def __init__(self, function: Callable[..., Any], how: tuple[Any, ...], **options: Any):
        """`how`: the arguments of Program.compile()."""
        import jax

        self._jitted = jax.jit(function, **{k: v for k, v in options.items() if v is not None})
        self._how = how
        self._static, self._static_names = _statics(
            function, options.get("static_argnums"), options.get("static_argnames")
        )
        self._compiled: dict[Any, Compiled] = {}
        functools.update_wrapper(self, function)

    def _positions(self, args: Sequence[Any]) -> tuple[int, ...]:
        """Returns the positions of the static arguments among these."""
        counted = {i + len(args) if i < 0 else i for i in self._static}
        return tuple(sorted(i for i in counted if i < len(args)))

    def _kind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Returns what a compilation depends on: structure, types, shardings of arrays, static values."""
        import jax

        positions = self._positions(args)
        static = [args[i] for i in positions]
        static += [(k, v) for k, v in sorted(kwargs.items()) if k in self._static_names]
        dynamic = (
            [a for i, a in enumerate(args) if i not in positions],
            {k: v for k, v in kwargs.items() if k not in self._static_names},
        )
        leaves, tree = jax.tree_util.tree_flatten(dynamic)
        return tree, tuple(static), tuple(map(_kind_of_leaf, leaves))

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """Returns the tessera.Program for such arguments."""
        return load_jitted(self._jitted, args, kwargs, self._positions(args))

    def compiled(self, *args: Any, **kwargs: Any) -> Compiled:
        """Returns the tessera.Compiled for such arguments, which may be jax.ShapeDtypeStructs."""
        args, kwargs = _without_tracers((args, kwargs))
        kind = self._kind(args, kwargs)
        if kind not in self._compiled:
            program = self.program(*args, **kwargs)
            self._compiled[kind] = program.compile(*self._how)
        return self._compiled[kind]

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the jax.stages.Lowered of a call."""
        return self.compiled(*args, **kwargs).lower(*args, **kwargs)

    def trace(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the jax.stages.Traced of a call, which knows nothing of tessera's partition."""
        return self._jitted.trace(*args, **kwargs)

    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the types of what a call returns, as jax.ShapeDtypeStructs."""
        return self._jitted.eval_shape(*args, **kwargs)

    def clear_cache(self) -> None:
        """Forgets what has been compiled."""
        self._compiled.clear()
        self._jitted.clear_cache()

    def __get__(self, owner: Any, _: Any = None) -> Any:
        """Binds the function to an object if it is a method of a class."""
        return self if owner is None else types.MethodType(self, owner)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.compiled(*args, **kwargs)(*args, **kwargs)


def _without_tracers(tree: Any) -> Any:
    """Replaces tracers, the values inside of another function's jit, by their types."""
    import jax

    def known(leaf: Any) -> Any:
        if not isinstance(leaf, jax.core.Tracer):
            return leaf
        return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, weak_type=leaf.weak_type)

    return jax.tree_util.tree_map(known, tree)


def _kind_of_leaf(leaf: Any) -> Any:
    if not is_array(leaf):
        return type(leaf)
    placed = getattr(leaf, "committed", True) and getattr(leaf, "sharding", None)
    return tuple(leaf.shape), leaf.dtype, getattr(leaf, "weak_type", False), placed or None


def jit(
    function: Optional[Callable[..., Any]] = None,
    *,
    in_shardings: Any = None,
    out_shardings: Any = None,
    static_argnums: Union[None, int, Sequence[int]] = None,
    static_argnames: Union[None, str, Sequence[str]] = None,
    donate_argnums: Union[None, int, Sequence[int]] = None,
    donate_argnames: Union[None, str, Sequence[str]] = None,
    keep_unused: bool = False,
    inline: bool = False,
    compiler_options: Optional[dict[str, Any]] = None,
    devices: Any = None,
    verify: bool = False,
    plan: Any = None,
) -> Any:
    """Replaces jax.jit: tessera partitions the function, and XLA compiles and runs it.

    `devices`, `verify` and `plan` are those of Program.compile(); the rest are those of jax.jit.  With
    plan="h100x8", a mesh and shardings are found for each kind of arguments, instead of their own.
    """
    options = {
        "in_shardings": in_shardings,
        "out_shardings": out_shardings,
        "static_argnums": static_argnums,
        "static_argnames": static_argnames,
        "donate_argnums": donate_argnums,
        "donate_argnames": donate_argnames,
        "keep_unused": keep_unused,
        "inline": inline,
    }
    how = devices, verify, plan, compiler_options
    if function is None:
        return lambda f: Jitted(f, how, **options)
    return Jitted(function, how, **options)
