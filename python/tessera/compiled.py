"""A partitioned program as a JAX function, which XLA compiles and runs.

Only JAX's public interface is used.  jax.export of a function with the types of one device returns an
Exported, whose module is then replaced by ours, as text.  jax.shard_map over a mesh calls it.  There
every axis is manual, so XLA's own partitioner leaves it as it is.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, NamedTuple, Optional, Sequence

from . import arrays
from ._library import Error
from .calls import Call, Leaf, is_array
from .sharding import Sharding


class Boundary(NamedTuple):
    """An argument or result of a program that is one manual computation."""

    name: str
    shape: tuple[int, ...]
    local: tuple[int, ...]
    dtype: Any
    spec: Any  # jax.sharding.PartitionSpec
    donated: bool
    weak: bool = False


def _element_type(kind: Optional[str], name: str) -> Any:
    import jax

    dtype = arrays.dtype_of_mlir(kind) if kind else None
    if dtype is None:
        raise Error(f"{name} is {kind or 'not an array'}, for which NumPy has no type")
    if jax.dtypes.canonicalize_dtype(dtype) != dtype:
        raise Error(
            f"{name} is {kind}, but 64-bit types are disabled in JAX: call "
            'jax.config.update("jax_enable_x64", True) before'
        )
    return dtype


def _boundary(row: dict[str, Any], name: str, axes: dict[str, int], weak: bool) -> Boundary:
    from jax.sharding import PartitionSpec

    dtype = _element_type(row.get("dtype"), f"{name}, {row['type']},")
    sharding, shape = Sharding.parse(row["sharding"]), tuple(row["dims"])
    if sharding.unreduced:
        raise Error(
            f"{name} is unreduced over {', '.join(a.name for a in sharding.unreduced)}: give it a "
            "sharding without unreduced axes, since a jax.Array cannot hold its terms"
        )
    parts = [1] * len(shape)
    for d, names in enumerate(sharding.spec):
        for axis in names:
            parts[d] *= axes[axis]
    local = tuple(n // p for n, p in zip(shape, parts))
    spec = PartitionSpec(*(names or None for names in sharding.spec))
    return Boundary(name, shape, local, dtype, spec, bool(row.get("donated")), weak)


def _mesh_row(signature: dict[str, Any]) -> dict[str, Any]:
    """The mesh of the manual computation: that of the arguments and results; one device if there
    are none."""
    for row in signature["arguments"] + signature["results"]:
        name = Sharding.parse(row["sharding"]).mesh
        return next(m for m in signature["meshes"] if m.get("name") == name)
    return {"name": "mesh", "axes": {}, "devices": 1}


def devices_of(devices: Any, mesh: Any) -> list[Any]:
    """Returns `devices`, which may be a mesh of them; by default those of `mesh`, or else all."""
    import jax

    if devices is None:
        devices = mesh
    if isinstance(devices, jax.sharding.Mesh):
        return list(devices.devices.flat)
    return list(jax.devices() if devices is None else devices)


def _jax_mesh(row: dict[str, Any], devices: Any, mesh: Any) -> Any:
    """Returns a mesh of `devices`, or of those of `mesh`, in the order of the program's mesh.  A mesh of
    the caller that has the same axes is returned as it is."""
    import jax
    import numpy

    names, sizes = tuple(row["axes"]), tuple(row["axes"].values())
    if "device_ids" in row:
        raise Error(
            f"the mesh {row['name']} of the arguments and results has devices in the order "
            f"{row['device_ids']}: give the mesh to JAX in that order, without device_ids"
        )
    for one in (devices, mesh):
        if isinstance(one, jax.sharding.Mesh) and (one.axis_names, one.devices.shape) == (
            names,
            sizes,
        ):
            return one
    found, count = devices_of(devices, mesh), row["devices"]
    if len(found) < count:
        raise Error(f"the program is for {count} devices, but JAX has {len(found)}")
    return jax.sharding.Mesh(numpy.array(found[:count], dtype=object).reshape(sizes), names)


def _shard_map(function: Any, mesh: Any, in_specs: Any, out_specs: Any) -> Any:
    import jax

    if hasattr(jax, "shard_map"):
        return jax.shard_map(
            function, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=False
        )
    from jax.experimental.shard_map import shard_map  # before JAX 0.6

    return shard_map(function, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_rep=False)


def _zeros(like: Boundary) -> Any:
    """Returns zeros, of a weak type if `like` has one, as Python's numbers do."""
    import jax

    strong = jax.numpy.zeros(like.local, like.dtype)
    number = {"i": 0, "f": 0.0, "c": 0j}.get(strong.dtype.kind) if like.weak else None
    if number is None:
        return strong
    found = jax.lax.broadcast(jax.numpy.asarray(number), like.local)
    return found if found.dtype == like.dtype else strong


def _with_text(
    text: str, given: Sequence[Boundary], back: Sequence[Boundary], platform: str
) -> Any:
    """Returns a JAX function that runs the text of a program of one device."""
    import jax
    import jax.export

    def same_types(*_: Any) -> Any:
        return tuple(map(_zeros, back))

    types = [jax.ShapeDtypeStruct(b.local, b.dtype) for b in given]
    shell = jax.jit(same_types, keep_unused=True)
    exported = jax.export.export(shell, platforms=[platform])(*types)
    exported = _holding(exported, text)
    return lambda *values: tuple(exported.call(*values))


def _refuse_callbacks(text: str) -> None:
    """Refuses Python callbacks: XLA crashes if a program calls a function that JAX has not registered."""
    if re.search(r"custom_call @\"?xla_\w*python_\w*callback", text):
        raise Error(
            "the program calls Python functions (jax.debug.print, jax.pure_callback, io_callback), "
            "which a compiled program cannot do: remove these calls"
        )


def _not_differentiable(function: Any, title: str) -> Any:
    """Makes derivatives an error: the one that JAX has for the Exported is not that of our module."""
    import jax

    wrapped = jax.custom_jvp(function)

    def refuse(primals: Any, tangents: Any) -> Any:
        raise Error(
            f"{title} cannot be differentiated, since it is compiled: compile the function that "
            "computes the gradient instead"
        )

    wrapped.defjvp(refuse)
    return wrapped


def _holding(exported: Any, text: str) -> Any:
    """Returns the Exported with another module, which JAX takes as text from 0.10 on."""
    ours = dataclasses.replace(exported, mlir_module_serialized=text.encode())
    try:
        ours.mlir_module()
        return ours
    except Exception:  # its class has no public name
        return dataclasses.replace(exported, mlir_module_serialized=_bytecode(text))


def _bytecode(text: str) -> bytes:
    """Returns the program as an artifact, for JAX before 0.10."""
    import jax
    from jax.extend.mlir.dialects import stablehlo

    try:
        return stablehlo.serialize_portable_artifact_str(text, stablehlo.get_minimum_version())
    except ValueError as error:
        raise Error(
            f"JAX {jax.__version__} refuses the partitioned program, maybe because it has "
            "operations of chlo: JAX 0.10 accepts them"
        ) from error


def _placed(value: Any, wanted: Boundary, sharding: Any) -> Any:
    """Returns an argument as the compiled program takes it: checked, converted, and on its devices."""
    import jax
    import numpy

    if not is_array(value):
        value = numpy.asarray(value, None if hasattr(value, "__array__") else wanted.dtype)
    if value.dtype != wanted.dtype and not isinstance(value, jax.Array):
        if jax.dtypes.canonicalize_dtype(value.dtype) == wanted.dtype:
            value = numpy.asarray(value, wanted.dtype)
    if tuple(value.shape) != wanted.shape or value.dtype != wanted.dtype:
        raise TypeError(
            f"{wanted.name} is {value.dtype}{list(value.shape)}, but the program was made for "
            f"{wanted.dtype}{list(wanted.shape)}"
        )
    if isinstance(value, jax.core.Tracer):
        return value
    if isinstance(value, jax.ShapeDtypeStruct):
        return jax.ShapeDtypeStruct(wanted.shape, wanted.dtype, sharding=sharding)
    if isinstance(value, jax.Array):
        if value.sharding == sharding or value.sharding.is_equivalent_to(sharding, value.ndim):
            return value
        if value.is_fully_addressable and not sharding.is_fully_addressable:
            value = numpy.asarray(value)
    if isinstance(value, jax.Array) or sharding.is_fully_addressable:
        return jax.device_put(value, sharding)
    return jax.make_array_from_callback(wanted.shape, sharding, lambda at: value[at])


def _tree_leaves(tree: Any) -> Sequence[Any]:
    import jax

    return jax.tree_util.tree_leaves(tree)


def _types(values: Any, shardings: Any) -> Any:
    """Returns the types of a tree of arrays, with these shardings."""
    import jax

    def known(value: Any, sharding: Any) -> Any:
        if not is_array(value):
            return value
        weak = bool(getattr(value, "weak_type", False))
        keys = jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key)
        dtype = value.dtype if keys else jax.dtypes.canonicalize_dtype(value.dtype)
        return jax.ShapeDtypeStruct(value.shape, dtype, sharding=sharding, weak_type=weak)

    return jax.tree_util.tree_map(known, values, shardings)


class Compiled:
    """A program that XLA runs.  Call it like the function, with global jax.Arrays, NumPy arrays or
    numbers; it returns what the function returns, as global jax.Arrays.

    `mesh`: the jax.sharding.Mesh that it runs on.
    `jitted`: the jax.jit of its leaves.
    """

    def __init__(
        self,
        program: Any,
        devices: Any = None,
        verify: bool = False,
        target: Optional[str] = None,
        compiler_options: Optional[dict[str, Any]] = None,
    ):
        import jax

        whole = program.partition(wrap="shard_map", target=target)
        signature = whole.signature
        self.program, self._call = program, program._fitting_call(signature)
        if verify and (self._call is None or self._call.function is None):
            raise ValueError("verify=True needs a program that was loaded from a jitted function")
        row, mesh = _mesh_row(signature), self._call and self._call.mesh
        self.mesh, self._unverified = _jax_mesh(row, devices, mesh), verify
        self._given = self._boundaries(signature, "arguments", row["axes"])
        self._back = self._boundaries(signature, "results", row["axes"])
        self._in = [jax.sharding.NamedSharding(self.mesh, b.spec) for b in self._given]
        self._out = [jax.sharding.NamedSharding(self.mesh, b.spec) for b in self._back]
        platform = self.mesh.devices.flat[0].platform
        local = program.partition(bare=True, target=target, for_cpu=platform == "cpu")
        self.jitted = self._jit(local._printed(), platform, compiler_options)

    def _boundaries(
        self, signature: dict[str, Any], which: str, axes: dict[str, int]
    ) -> list[Boundary]:
        rows = signature[which]
        said = [(f"{which[:-1]} {i}", False) for i in range(len(rows))]
        if self._call:
            leaves: Sequence[Leaf] = (
                self._call.arguments if which == "arguments" else self._call.results
            )
            said = [(f"{which[:-1]}{leaf.name}", leaf.weak) for leaf in leaves]
        return [_boundary(row, name, axes, weak) for row, (name, weak) in zip(rows, said)]

    def _jit(self, text: str, platform: str, compiler_options: Optional[dict[str, Any]]) -> Any:
        import jax

        _refuse_callbacks(text)
        body = _with_text(text, self._given, self._back, platform)
        specs = tuple(b.spec for b in self._given), tuple(b.spec for b in self._back)
        inside = _not_differentiable(_shard_map(body, self.mesh, *specs), self.program.title)

        def step(*leaves: Any) -> Any:
            return inside(*leaves)

        step.__name__ = "".join(c if c.isalnum() else "_" for c in self.program.title)
        donated = [i for i, b in enumerate(self._given) if b.donated]
        options = {"compiler_options": compiler_options} if compiler_options else {}
        return jax.jit(
            step,
            in_shardings=tuple(self._in),
            out_shardings=tuple(self._out),
            donate_argnums=donated,
            **options,
        )

    # ---- shardings ---------------------------------------------------------------------

    def _of_keys(self, shardings: Sequence[Any], leaves: Sequence[Leaf]) -> list[Any]:
        """Adapts shardings to typed PRNG keys, which have one dimension less than their integers."""
        import jax

        return [
            jax.sharding.NamedSharding(
                self.mesh, jax.sharding.PartitionSpec(*tuple(s.spec)[: len(leaf.shape)])
            )
            if leaf.key
            else s
            for s, leaf in zip(shardings, leaves)
        ]

    def _in_trees(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        import jax

        if not self._call:
            return tuple(self._in), {}
        whole = jax.sharding.NamedSharding(self.mesh, jax.sharding.PartitionSpec())
        return self._call.spread(self._of_keys(self._in, self._call.arguments), whole)

    @property
    def in_shardings(self) -> tuple[Any, ...]:
        """A NamedSharding for each leaf of each positional argument; None for a static one."""
        return self._in_trees()[0]

    @property
    def keyword_shardings(self) -> dict[str, Any]:
        """The same for keyword arguments."""
        return self._in_trees()[1]

    @property
    def out_shardings(self) -> Any:
        """A NamedSharding for each leaf of the result."""
        import jax

        if not self._call:
            return tuple(self._out)
        leaves = self._of_keys(self._out, self._call.results)
        return jax.tree_util.tree_unflatten(self._call.out_tree, leaves)

    # ---- calls -------------------------------------------------------------------------

    def _placed(self, leaves: Sequence[Any]) -> list[Any]:
        if len(leaves) != len(self._given):
            raise TypeError(f"the program takes {len(self._given)} arrays, not {len(leaves)}")
        return [_placed(v, b, s) for v, b, s in zip(leaves, self._given, self._in)]

    def _leaves(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        if self._call:
            return self._placed(self._call.flatten(args, kwargs))
        if kwargs:
            raise TypeError("a program that was loaded from text has no keyword arguments")
        return self._placed(args)

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the jax.stages.Lowered of a call, given arguments or their types.  Its `.compile()` takes
        and returns what the function does; `.compile().as_text()` is XLA's optimized HLO."""
        call = self._call
        if call is None or call.function is None or call.wrapper or call.before or call.named:
            return self.jitted.lower(*self._leaves(args, kwargs))
        call.flatten(args, kwargs)  # refuses other trees
        places, named = self._in_trees()
        given = [v if s is None else _types(v, s) for v, s in zip(args, places)]
        return self._of_trees(call).lower(
            *given, **{k: _types(v, named[k]) if k in named else v for k, v in kwargs.items()}
        )

    def _of_trees(self, call: Call) -> Any:
        """Returns the jax.jit of the function itself, with its pytrees."""
        import jax

        def step(*args: Any, **kwargs: Any) -> Any:
            return call.apply(self._run, args, kwargs)

        step.__name__ = self.jitted.__name__
        positions, names = call.spread([b.donated for b in self._given], False)
        return jax.jit(
            step,
            static_argnums=tuple(call.static),
            static_argnames=tuple(call.static_keywords),
            donate_argnums=[i for i, p in enumerate(positions) if any(_tree_leaves(p))],
            donate_argnames=[k for k, v in names.items() if any(_tree_leaves(v))],
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self._call:
            return self.jitted(*self._leaves(args, kwargs))
        return self._call.apply(self._verified if self._unverified else self._run, args, kwargs)

    def _run(self, leaves: Sequence[Any], *_: Any) -> Sequence[Any]:
        return self.jitted(*self._placed(leaves))

    def _verified(self, leaves: Sequence[Any], args: Any, kwargs: Any) -> Sequence[Any]:
        """Runs the first call, and compares it with JAX's own."""
        import jax

        copies = jax.tree_util.tree_map(
            lambda x: x.copy() if isinstance(x, jax.Array) else x, (args, kwargs)
        )
        wanted = jax.tree_util.tree_leaves(self._call.function(*copies[0], **copies[1]))
        results = self.jitted(*self._placed(leaves))
        for got, want, leaf in zip(results, wanted, self._call.results):
            want = jax.random.key_data(want) if leaf.key else want
            _compare(f"result{leaf.name}", got, want)
        self._unverified = False
        return results

    def __repr__(self) -> str:
        return f"<tessera.Compiled {self.program.title!r} on {self.mesh.devices.size} devices>"


def _compare(name: str, got: Any, want: Any) -> None:
    """Raises an error if a block of a result differs from JAX's."""
    import jax
    import numpy

    if want.sharding != got.sharding:
        want = jax.device_put(want, got.sharding)
    expected = {s.device: s for s in want.addressable_shards}
    for shard in got.addressable_shards:
        other = numpy.asarray(expected[shard.device].data)
        difference = arrays.difference(numpy.asarray(shard.data), other)
        if difference:
            raise Error(f"{name} differs from jax.jit's on {shard.device}: {difference}")
