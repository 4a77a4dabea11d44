"""Functions that jax.jit did not return: wrappers of a jitted function, and plain functions.

A wrapper, such as those of flax.nnx.jit and equinox.filter_jit, has a function of jax.jit as one of its
attributes.  It converts what the user passes into arguments of that function, calls it, and converts
the results back.  If the attribute is replaced by another function, the wrapper does the same for
tessera.  So this module needs to know nothing about the library that made the wrapper.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import threading
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence

_lock = threading.RLock()  # wrappers are changed while they are called


class _Taken(BaseException):
    """Ends a call of a wrapper once its arguments are known."""


def _is_of_jax(function: Any) -> bool:
    import jax

    return isinstance(function, type(jax.jit(lambda: None)))


class Wrapper:
    """A callable, and its attribute that is a function of jax.jit."""

    def __init__(self, outside: Any, attribute: str):
        self.outside, self._attribute = outside, attribute
        self.jitted = getattr(outside, attribute)

    @contextlib.contextmanager
    def _with(self, function: Any) -> Iterator[None]:
        with _lock:
            object.__setattr__(self.outside, self._attribute, function)  # it may be frozen
            try:
                yield
            finally:
                object.__setattr__(self.outside, self._attribute, self.jitted)

    def call(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Calls the wrapper with another function instead of that of jax.jit."""
        with self._with(function):
            return self.outside(*args, **kwargs)

    def arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, Any]:
        """Returns the arguments that the wrapper would pass to its function."""
        found: list[Any] = []

        def take(*inner: Any, **named: Any) -> None:
            found.append((inner, named))
            raise _Taken

        with contextlib.suppress(_Taken):
            self.call(take, args, kwargs)
        if not found:
            raise TypeError(f"{self.outside!r} does not call its function {self._attribute!r}")
        return found[0]

    def lower(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """Returns the function's jax.stages.Lowered, and the arguments for that."""
        shell = _Lowering(self.jitted)
        with self._with(shell):
            self.outside.lower(*args, **kwargs)
        if shell.found is None:
            raise TypeError(f"{self.outside!r} does not lower its function {self._attribute!r}")
        return shell.found


    def names(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], leaves: Sequence[Any]
    ) -> list[Optional[str]]:
        """Returns the user's names for these leaves of the function's arguments, "model.layers[0].weight";
        None if a leaf is not an object that the user passed."""
        named: dict[int, list[str]] = {}
        for name, leaf in _named_leaves(self.outside, args, kwargs):
            named.setdefault(id(leaf), []).append(name)
        found: list[Optional[str]] = []
        for leaf in leaves:
            names = named.get(id(leaf), []) if _is_value(leaf) else []
            found.append((names.pop(0) if len(names) > 1 else names[0]) if names else None)
        return found


def _named_leaves(
    function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> list[tuple[str, Any]]:
    """Returns the leaves of a function's arguments with the names that JAX gives them."""
    import jax

    try:
        given = dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        given = {"args": tuple(args), **kwargs}
    found = []
    for name, value in given.items():
        for path, leaf in jax.tree_util.tree_flatten_with_path(value)[0]:
            # the arrays of flax are values of variables
            found.append((name + jax.tree_util.keystr(path).removesuffix(".value"), leaf))
    return found


class _Lowering:
    """Stands in for a function of jax.jit, and records the arguments and result of its lower()."""

    def __init__(self, jitted: Any):
        self._jitted, self.found = jitted, None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jitted, name)

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        lowered = self._jitted.lower(*args, **kwargs)
        self.found = lowered, args, kwargs
        return lowered


def wrapper_of(function: Any) -> Optional[Wrapper]:
    """Returns the wrapper; None if the function is jax.jit's own, or none of its attributes is."""
    if not _is_of_jax(function):
        for name, value in getattr(function, "__dict__", {}).items():
            if _is_of_jax(value):
                return Wrapper(function, name)
    return None


def unbound(function: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Returns the function that a method or partial application calls, and the arguments bound to it."""
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = {}
    while True:
        if hasattr(function, "__func__") and hasattr(function, "__self__"):
            args, function = (function.__self__, *args), function.__func__
        elif isinstance(getattr(function, "keywords", None), dict) and hasattr(function, "func"):
            args, kwargs = (*function.args, *args), {**function.keywords, **kwargs}
            function = function.func
        else:
            return function, args, kwargs


# ---- plain functions ----------------------------------------------------------------------


def _is_value(leaf: Any) -> bool:
    """True for leaves that jax.jit traces: arrays and numbers."""
    return (hasattr(leaf, "shape") and hasattr(leaf, "dtype")) or isinstance(
        leaf, (bool, int, float, complex)
    )


class OfValues:
    """A plain function of trees with leaves that are neither arrays nor numbers, such as the activation of
    an equinox module.  These leaves stay what they were when the function was loaded."""

    def __init__(self, function: Callable[..., Any], arguments: Any):
        import jax

        functools.update_wrapper(self, function)  # its name and those of its arguments
        leaves, self._tree = jax.tree_util.tree_flatten(arguments)
        self._given = [(_is_value(leaf), leaf) for leaf in leaves]
        self._returned: tuple[Any, Any] = None, None

        @functools.wraps(function)
        def of_values(*args: Any, **kwargs: Any) -> Any:
            args, kwargs = self._filled(self._tree, self._given, (args, kwargs))
            leaves, tree = jax.tree_util.tree_flatten(function(*args, **kwargs))
            self._returned = tree, [(_is_value(leaf), leaf) for leaf in leaves]
            return self._values(tree, leaves)

        self.jitted = jax.jit(of_values)

    @staticmethod
    def _filled(tree: Any, kept: Sequence[tuple[bool, Any]], values: Any) -> Any:
        import jax

        rest = iter(jax.tree_util.tree_leaves(values))
        leaves = [next(rest) if is_value else leaf for is_value, leaf in kept]
        return jax.tree_util.tree_unflatten(tree, leaves)

    @staticmethod
    def _values(tree: Any, leaves: Sequence[Any]) -> Any:
        import jax

        return jax.tree_util.tree_unflatten(
            tree, [leaf if _is_value(leaf) else None for leaf in leaves]
        )

    def _arguments(self, arguments: Any) -> Any:
        import jax

        leaves, tree = jax.tree_util.tree_flatten(arguments)
        if tree != self._tree:
            raise TypeError(
                f"the program was made for arguments {self._tree}, but is called with {tree}"
            )
        for leaf, (is_value, was) in zip(leaves, self._given):
            if not is_value and not (leaf is was or leaf == was):
                raise TypeError(f"the program was made for {was!r}, but is called with {leaf!r}")
        return self._values(tree, leaves)

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = self._arguments((args, kwargs))
        return self.jitted.lower(*args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = self._arguments((args, kwargs))
        results = self.jitted(*args, **kwargs)
        return self._filled(*self._returned, results)


def _changes_its_arguments(arguments: Any) -> Any:
    """Returns flax.nnx if any argument is one of its modules or optimizers, which functions change."""
    import jax

    nnx = sys.modules.get("flax.nnx")
    kinds = tuple(
        k for k in (getattr(nnx, n, None) for n in ("Pytree", "Object", "Module")) if k is not None
    )
    leaves = jax.tree_util.tree_leaves(arguments, is_leaf=lambda x: isinstance(x, kinds))
    return nnx if any(isinstance(leaf, kinds) for leaf in leaves) else None


def jitted_of(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Returns a plain function in a form that can be lowered for these arguments."""
    import jax

    nnx = _changes_its_arguments((args, kwargs))
    if nnx:
        return nnx.jit(function)
    if all(map(_is_value, jax.tree_util.tree_leaves((args, kwargs)))):
        return jax.jit(function)
    return OfValues(function, (args, kwargs))
