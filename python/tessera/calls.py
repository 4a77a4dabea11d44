"""How a JAX function is called: its pytrees, and which of their leaves its program has.

The program has one argument for each leaf that the function uses, and one result for each leaf that
it returns.  A `Call` converts between the two: it drops static arguments and unused leaves, replaces
typed PRNG keys by the integers that they are made of, and builds the tree that the function returns.
"""

from __future__ import annotations

import inspect
import itertools
from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence

from .wrapped import Wrapper

# Runs the program: takes one array for each of its arguments, and what the function was called with.
Run = Callable[[list[Any], Any, Any], Sequence[Any]]


def is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


class Leaf(NamedTuple):
    """A leaf of the arguments or results of a function, as JAX sees it."""

    name: str  # "[0]['w']"
    shape: tuple[int, ...]
    dtype: Any
    key: Optional[str]  # the implementation of a typed PRNG key: "fry"
    weak: bool = False  # of a weak type, as Python's numbers are


def _key_of(shape: tuple[int, ...], dtype: Any) -> Optional[str]:
    import jax

    if not jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key):
        return None
    found: list[Any] = []
    key = jax.ShapeDtypeStruct(shape, dtype)
    jax.eval_shape(lambda k: found.append(jax.random.key_impl(k)) or 0, key)
    return found[0]


def _leaf(path: Any, info: Any) -> Leaf:
    import jax

    shape, dtype = tuple(info.shape), info.dtype
    weak = bool(getattr(info, "weak_type", False))
    return Leaf(jax.tree_util.keystr(path), shape, dtype, _key_of(shape, dtype), weak)


def _leaves(tree: Any, skip: int = 0) -> tuple[list[Leaf], Any]:
    """Returns the leaves of a tree, and its structure.  `skip` parts at the start of each path are
    left out of the leaf's name."""
    import jax

    found, structure = jax.tree_util.tree_flatten_with_path(tree)
    return [_leaf(path[skip:], info) for path, info in found], structure


def _key_data(key: Any) -> Any:
    """Returns the integers that a typed PRNG key is made of; for a jax.ShapeDtypeStruct, their type."""
    import jax

    of_types = isinstance(key, jax.ShapeDtypeStruct)
    return jax.eval_shape(jax.random.key_data, key) if of_types else jax.random.key_data(key)


def _alike(value: Any, info: Any) -> bool:
    """True if an argument has the structure and shapes that JAX reports."""
    import jax

    given, structure = jax.tree_util.tree_flatten(value)
    infos, wanted = jax.tree_util.tree_flatten(info)
    return structure == wanted and all(
        tuple(getattr(g, "shape", ())) == tuple(i.shape) for g, i in zip(given, infos)
    )


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _apart(a: str, b: str) -> tuple[str, str]:
    """Returns two texts; of long ones, only what is around their first difference."""
    most = 300
    if a == b:
        b = "others that are written alike, as classes and functions that were made twice are"
    if max(len(a), len(b)) <= most:
        return a, b
    first = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    begin = max(first - most // 2, 0)
    return tuple(  # type: ignore[return-value]
        ("…" if begin else "") + t[begin : begin + most] + ("…" if begin + most < len(t) else "")
        for t in (a, b)
    )


def static_positions(arguments: Sequence[Any], infos: Sequence[Any]) -> tuple[int, ...]:
    """Returns which positional arguments are static: those that JAX does not report.  If there are
    several possibilities, prefers static arguments that are not floats, and that come last."""
    missing = len(arguments) - len(infos)
    found = []
    for static in itertools.combinations(range(len(arguments)), missing):
        rest = [a for i, a in enumerate(arguments) if i not in static]
        if all(_hashable(arguments[i]) for i in static) and all(map(_alike, rest, infos)):
            floats = sum(isinstance(arguments[i], (float, complex)) for i in static)
            found.append((floats, [-i for i in reversed(static)], static))
    if not found:
        raise TypeError("it is not clear which arguments are static: load jitted.lower(…) instead")
    return min(found)[2]


def _default_of(function: Any, name: str) -> Any:
    """Returns the default of a parameter; Parameter.empty if it has none, or none is known."""
    try:
        parameter = inspect.signature(function).parameters.get(name)
    except (TypeError, ValueError):
        parameter = None
    return parameter.default if parameter else inspect.Parameter.empty


class Call:
    """How a function is called, and what its program takes and returns."""

    def __init__(
        self,
        function: Any,
        arguments: Any,
        results: Any,
        kept: Sequence[int],
        static: Mapping[int, Any],
        static_keywords: Mapping[str, Any] = {},
        mesh: Any = None,
    ):
        """`arguments`: (args, kwargs) of objects that have .shape and .dtype; `results` likewise.
        `kept`: the leaves that the program has.  `static`: positional arguments that it does not have;
        `static_keywords`: those by name.  `mesh`: that of the arguments it was loaded with, or None."""
        self.function, self.kept, self.mesh = function, tuple(kept), mesh
        self.static, self.static_keywords = dict(static), dict(static_keywords)
        self.wrapper: Optional[Wrapper] = None  # that calls the function for the user
        self.before: tuple[Any, ...] = ()  # arguments bound by a method or partial application
        self.named: dict[str, Any] = {}
        self.leaves, self.in_tree = _leaves(arguments, skip=1)
        self.results, self.out_tree = _leaves(results)

    @property
    def arguments(self) -> list[Leaf]:
        """The leaves that the program has as arguments."""
        return [self.leaves[i] for i in self.kept]

    def fits(self, n_arguments: int, n_results: int) -> bool:
        """True if a program has as many arguments and results."""
        return len(self.kept) == n_arguments and len(self.results) == n_results

    def _dynamic(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        for i, value in self.static.items():
            if i < len(args) and not (args[i] is value or args[i] == value):
                raise TypeError(
                    f"argument {i} is static, and the program was made for {value!r}, not for "
                    f"{args[i]!r}"
                )
        return tuple(a for i, a in enumerate(args) if i not in self.static)

    def _dynamic_keywords(self, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        for name, value in self.static_keywords.items():
            given = kwargs[name] if name in kwargs else _default_of(self.function, name)
            if not (given is value or given == value):
                raise TypeError(
                    f"argument {name} is static, and the program was made for {value!r}, not for "
                    + ("a call without it" if given is inspect.Parameter.empty else repr(given))
                )
        return {k: v for k, v in kwargs.items() if k not in self.static_keywords}

    def flatten(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
        """Returns one array for each argument of the program."""
        args, kwargs = (*self.before, *args), {**self.named, **kwargs}
        if self.wrapper:
            args, kwargs = self.wrapper.arguments(args, kwargs)
        return self._flatten(args, kwargs)

    def apply(self, run: Run, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Returns what the function returns, with `run` computing the program's results from its
        arguments.  A wrapper of the function does what it does after each call."""

        def called(*inner: Any, **named: Any) -> Any:
            results = run(self._flatten(inner, named), inner, named)
            return self.unflatten(self._wanted_outside(results))

        args, kwargs = (*self.before, *args), {**self.named, **kwargs}
        return self.wrapper.call(called, args, kwargs) if self.wrapper else called(*args, **kwargs)

    def _wanted_outside(self, results: Sequence[Any]) -> Sequence[Any]:
        """Converts results to JAX's arrays for a wrapper, which may store them in the user's objects."""
        if not self.wrapper:
            return results
        import jax

        return [r if isinstance(r, jax.Array) else jax.numpy.asarray(r) for r in results]

    def every_leaf(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
        """Returns all leaves of the function's arguments, also those that its program does not have."""
        import jax

        return jax.tree_util.tree_leaves((self._dynamic(args), self._dynamic_keywords(kwargs)))

    def _flatten(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
        import jax

        dynamic = (self._dynamic(args), self._dynamic_keywords(kwargs))
        leaves, tree = jax.tree_util.tree_flatten(dynamic)
        if tree != self.in_tree:
            raise TypeError(
                "the program was made for arguments {}, but is called with {}".format(
                    *_apart(str(self.in_tree), str(tree))
                )
            )
        return [
            _key_data(leaves[i]) if self.leaves[i].key else leaves[i] for i in self.kept
        ]

    def unflatten(self, values: Sequence[Any]) -> Any:
        """Returns the function's result, given one array for each result of the program."""
        import jax

        leaves = [
            jax.random.wrap_key_data(jax.numpy.asarray(v), impl=leaf.key) if leaf.key else v
            for v, leaf in zip(values, self.results)
        ]
        return jax.tree_util.tree_unflatten(self.out_tree, leaves)

    def tree(self, values: Sequence[Any]) -> Any:
        """Arranges one value for each result of the program in the tree that the function returns."""
        import jax

        return jax.tree_util.tree_unflatten(self.out_tree, values)

    def spread(self, values: Sequence[Any], other: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arranges one value for each argument of the program as the function's arguments: positional
        ones, with None for static ones, and those by name.  Unused leaves get `other`."""
        import jax

        leaves = [other] * len(self.leaves)
        for i, value in zip(self.kept, values):
            leaves[i] = value
        args, kwargs = jax.tree_util.tree_unflatten(self.in_tree, leaves)
        rest = iter(args)
        every = range(len(args) + len(self.static))
        return tuple(None if i in self.static else next(rest) for i in every), kwargs


def _mesh_of(arguments: Any) -> Any:
    """Returns the mesh of the arrays among some arguments, or None."""
    import jax

    for leaf in jax.tree_util.tree_leaves(arguments):
        mesh = getattr(getattr(leaf, "sharding", None), "mesh", None)
        if isinstance(mesh, jax.sharding.Mesh) and mesh.size > 1:
            return mesh
    return None


def mesh_of_compiled(compiled: Any) -> Any:
    """Returns the mesh of what jitted.lower(…).compile() has returned (its HLO only has device numbers);
    None if it has none, or is something else."""
    placed = [getattr(compiled, f"{which}_shardings", None) for which in ("input", "output")]
    if placed == [None, None]:
        return None
    import jax

    for sharding in jax.tree_util.tree_leaves(placed):
        if isinstance(sharding, jax.sharding.NamedSharding) and sharding.mesh.size > 1:
            return sharding.mesh
    return None


def _kept_of(function: Any, args: Any, kwargs: Any, n_leaves: int, n_arguments: int) -> Any:
    """Returns the leaves that the program of a jitted function has.  Only an export knows them."""
    import jax.export

    if n_leaves == n_arguments:
        return range(n_leaves)
    every = [jax.export.DisabledSafetyCheck.platform()]
    try:
        exported = jax.export.export(function, disabled_checks=every)(*args, **kwargs)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise TypeError(
            "some arguments are not used, and JAX does not say which: call jax.jit with "
            f"keep_unused=True ({error})"
        ) from error
    return exported.module_kept_var_idx


def _results_of(function: Any, lowered: Any, args: Any, kwargs: Any) -> Any:
    """Returns the types of the results.  A lowering alone does not say which of them are weak."""
    shapes = getattr(function, "eval_shape", None)
    return shapes(*args, **kwargs) if shapes else lowered.out_info


def call_of_jitted(
    function: Any, lowered: Any, args: Any, kwargs: Any, n_arguments: int, static: Any = None
) -> Call:
    """Returns the Call of a jitted function, given its lowering and the arguments for that.  `static`:
    the positions of static arguments, if known."""
    infos, keywords = lowered.args_info
    positions = static_positions(args, infos) if static is None else static
    _, in_tree = _leaves((infos, keywords))
    kept = _kept_of(function, args, kwargs, in_tree.num_leaves, n_arguments)
    return Call(
        function,
        (infos, keywords),
        _results_of(function, lowered, args, kwargs),
        kept,
        {i: args[i] for i in positions},
        {k: v for k, v in kwargs.items() if k not in keywords},
        _mesh_of((args, kwargs)),
    )


def call_of_lowered(lowered: Any, n_arguments: int) -> Optional[Call]:
    """Returns the Call of what jitted.lower(…) has returned; None if some arguments are not used,
    because it does not say which."""
    call = Call(None, lowered.args_info, lowered.out_info, (), {})
    if len(call.leaves) != n_arguments:
        return None
    call.kept = tuple(range(n_arguments))
    return call


_KEYS = {"key<fry>": "threefry2x32", "key<rbg>": "rbg", "key<unsafe_rbg>": "unsafe_rbg"}


def _dtype_of(name: str) -> Any:
    import jax

    if name in _KEYS:
        return jax.eval_shape(lambda: jax.random.key(0, impl=_KEYS[name])).dtype
    return jax.dtypes.float0 if name == "float0" else jax.numpy.dtype(name)


class _Shown:
    """What an artifact says about a leaf.  (A named tuple would be a pytree itself.)"""

    def __init__(self, said: Mapping[str, Any]):
        self.shape, self.dtype = tuple(said.get("shape", ())), _dtype_of(said["dtype"])


def _tree_of(tree: Any, leaves: Sequence[Any]) -> Any:
    if tree is None or isinstance(tree, int):
        return None if tree is None else leaves[tree]
    kind = next(k for k in ("tuple", "list", "dict", "custom") if k in tree)
    children = [_tree_of(t, leaves) for t in tree[kind]]
    if kind == "custom":
        raise TypeError(f"the program takes or returns a pytree of the type {tree['type']}")
    if kind == "dict":
        return dict(zip(tree["keys"], children))
    return children if kind == "list" else tuple(children)


def call_of_artifact(said: Mapping[str, Any]) -> Call:
    """Returns the Call of an artifact that `exported.serialize()` has made.  Raises TypeError for
    user-defined pytree types, which no file contains, and ImportError without JAX."""
    sides = []
    for key in ("arguments", "results"):
        leaves = [_Shown(leaf) for leaf in said[key]["leaves"]]
        sides.append(_tree_of(said[key]["tree"], leaves))
    used = [leaf.get("used", True) for leaf in said["arguments"]["leaves"]]
    return Call(None, *sides, [i for i, u in enumerate(used) if u], {})


def call_of_exported(exported: Any) -> Call:
    """Returns the Call of what jax.export.export(…)(…) has returned."""
    import jax

    arguments = jax.tree_util.tree_unflatten(exported.in_tree, exported.in_avals)
    results = jax.tree_util.tree_unflatten(exported.out_tree, exported.out_avals)
    return Call(None, arguments, results, exported.module_kept_var_idx, {})
