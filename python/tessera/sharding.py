"""Meshes and shardings as values, and their conversion to and from JAX's and PyTorch's.

Sharding.parse('<@mesh, [{"x"}, {?}]>').spec     # (("x",), ())
Sharding.from_jax(named_sharding, rank=2)        # jax.sharding.NamedSharding
sharding.to_jax(jax_mesh)                        # and back
sharding.to_dtensor(["dp", "tp"])                # [Shard(0), Replicate()]
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence


@dataclass(frozen=True)
class Axis:
    """A mesh axis, or, with `size`, the part `"name":(pre)size` of it."""

    name: str
    pre: int = 1
    size: Optional[int] = None

    def __str__(self) -> str:
        part = "" if self.size is None else f":({self.pre}){self.size}"
        return f'"{self.name}"{part}'


@dataclass(frozen=True, eq=False)
class Mesh:
    """Axis names and sizes, from major to minor; `device_ids` unless they are 0, 1, 2, …"""

    axes: Mapping[str, int]
    device_ids: Optional[tuple[int, ...]] = None

    def _key(self) -> Any:
        ids = None if self.device_ids is None else tuple(self.device_ids)
        return tuple(self.axes.items()), ids

    def __eq__(self, other: object) -> bool:
        """Compares meshes; the order of the axes matters."""
        return self._key() == other._key() if isinstance(other, Mesh) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        ids = "" if self.device_ids is None else f", device_ids={list(self.device_ids)}"
        return "<[" + ", ".join(f'"{n}"={s}' for n, s in self.axes.items()) + f"]{ids}>"

    @staticmethod
    def from_jax(mesh: Any) -> Mesh:
        """Converts a jax.sharding.Mesh or AbstractMesh."""
        axes = dict(
            zip(
                mesh.axis_names,
                mesh.axis_sizes if hasattr(mesh, "axis_sizes") else mesh.devices.shape,
            )
        )
        try:
            devices = mesh.devices
        except (AttributeError, ValueError):  # an AbstractMesh
            devices = None
        if devices is None or not hasattr(devices, "flat"):
            return Mesh(axes)
        ids = tuple(d.id for d in devices.flat)
        return Mesh(axes, None if ids == tuple(range(len(ids))) else ids)

    def to_jax(self, devices: Optional[Sequence[Any]] = None) -> Any:
        """Returns a jax.sharding.Mesh over `devices` (default: jax.devices()), or an AbstractMesh
        if there are not enough."""
        import jax
        import numpy

        shape, names = tuple(self.axes.values()), tuple(self.axes)
        count = 1
        for size in shape:
            count *= size
        devices = list(jax.devices() if devices is None else devices)
        if len(devices) < count:
            return jax.sharding.AbstractMesh(shape, names)
        order = self.device_ids or range(count)
        grid = numpy.array([devices[i] for i in order], dtype=object).reshape(shape)
        return jax.sharding.Mesh(grid, names)


# The grammar of the text of a sharding.
_AXIS = r'"([^"]*)"(?::\((\d+)\)(\d+))?'
_ONE = r'"[^"]*"(?::\(\d+\)\d+)?'
_AXES = rf"{_ONE}(?:\s*,\s*{_ONE})*"
_DIM = rf"\{{\s*(?:({_AXES})(\s*,\s*\?)?|(\?)?)\s*\}}(?:p(\d+))?"
_SHARDING = re.compile(
    r'\s*(?P<open>(?:#sdy\.sharding)?<\s*'
    r'(?:@(?P<mesh>[\w.$-]+|"[^"]*")|mesh<(?:"[^"]*"|[^>"])*>)\s*,\s*)?'
    rf"\[\s*(?P<dims>(?:{_DIM}(?:\s*,\s*{_DIM})*)?)\s*\]"
    rf"(?:\s*,\s*replicated\s*=\s*\{{\s*(?P<replicated>{_AXES})?\s*\}})?"
    rf"(?:\s*,\s*unreduced\s*=\s*(?P<reduction>sum|max|min)?\s*"
    rf"\{{\s*(?P<unreduced>{_AXES})?\s*\}})?"
    r"\s*(?P<close>>)?\s*"
)


def _parse_axes(text: str) -> tuple[Axis, ...]:
    return tuple(
        Axis(m.group(1), int(m.group(2) or 1), int(m.group(3)) if m.group(3) else None)
        for m in re.finditer(_AXIS, text)
    )


def _in_order(spec: Any, order: Mapping[str, int]) -> list[str]:
    """Returns the unreduced axes of a PartitionSpec, in the order of the mesh."""
    return sorted(getattr(spec, "unreduced", ()), key=lambda n: (order.get(n, len(order)), n))


def _axes_text(axes: Sequence[Axis]) -> str:
    return ", ".join(map(str, axes))


@dataclass(frozen=True, repr=False)
class Sharding:
    """A sharding: for each dimension, the axes that split it, from major to minor."""

    dims: tuple[tuple[Axis, ...], ...]
    open: tuple[bool, ...] = ()
    replicated: tuple[Axis, ...] = ()
    unreduced: tuple[Axis, ...] = ()
    mesh: str = "mesh"
    priorities: tuple[Optional[int], ...] = field(default=())
    reduction: str = "sum"  # of the unreduced axes: or "max", "min"

    def __post_init__(self) -> None:
        if isinstance(self.dims, str):
            raise TypeError(
                f"dims are tuples of Axis, one for each dimension; Sharding.parse({self.dims!r}) "
                "reads a text"
            )

    @staticmethod
    def parse(text: str) -> Sharding:
        """Reads `<@mesh, [{"x"}, {?}], replicated={"y"}>`, or only `[{"x"}, {?}]…`."""
        m = _SHARDING.fullmatch(text)
        if not m or bool(m["open"]) != bool(m["close"]):
            raise ValueError(f"this is not a sharding: {text!r}")
        dims = list(re.finditer(_DIM, m["dims"]))
        return Sharding(
            tuple(_parse_axes(d[1] or "") for d in dims),
            tuple(bool(d[2] or d[3]) for d in dims),
            replicated=_parse_axes(m["replicated"] or ""),
            unreduced=_parse_axes(m["unreduced"] or ""),
            reduction=m["reduction"] or "sum",
            mesh=(m["mesh"] or "mesh").strip('"'),
            priorities=tuple(int(d[4]) if d[4] else None for d in dims),
        )

    def dims_text(self) -> str:
        """Returns the text without the mesh, as `tess --arg` takes it."""
        parts = []
        for i, axes in enumerate(self.dims):
            marks = [str(a) for a in axes] + (["?"] if i < len(self.open) and self.open[i] else [])
            priority = self.priorities[i] if i < len(self.priorities) else None
            parts.append(
                "{" + ", ".join(marks) + "}" + ("" if priority is None else f"p{priority}")
            )
        text = "[" + ", ".join(parts) + "]"
        if self.replicated:
            text += ", replicated={" + _axes_text(self.replicated) + "}"
        if self.unreduced:
            kind = "" if self.reduction == "sum" else self.reduction
            text += f", unreduced={kind}{{" + _axes_text(self.unreduced) + "}"
        return text

    def __str__(self) -> str:
        plain = re.fullmatch(r"[A-Za-z_][\w.$-]*", self.mesh)
        return f"<@{self.mesh if plain else chr(34) + self.mesh + chr(34)}, {self.dims_text()}>"

    def __repr__(self) -> str:
        return f"Sharding({str(self)!r})"

    @property
    def spec(self) -> tuple[tuple[str, ...], ...]:
        """Axis names only: (("data",), ()).  Raises ValueError for parts of axes, which have no names."""
        for axes in self.dims:
            for a in axes:
                if a.size is not None:
                    raise ValueError(f"{a} is a part of an axis, which a specification cannot name")
        return tuple(tuple(a.name for a in axes) for axes in self.dims)

    # ---- JAX ---------------------------------------------------------------------------

    @staticmethod
    def from_jax(sharding: Any, rank: Optional[int] = None) -> Sharding:
        """Converts a jax.sharding.NamedSharding or PartitionSpec.  Give the rank of the tensor, because
        a PartitionSpec may be shorter."""
        spec = getattr(sharding, "spec", sharding)
        # JAX 0.11 does not iterate over a specification with unreduced axes.
        parts = getattr(spec, "partitions", spec)
        if isinstance(parts, str) or not hasattr(parts, "__iter__"):
            raise TypeError(
                f"expected a NamedSharding or PartitionSpec, not {type(sharding).__name__}"
            )
        entries = list(parts)
        if rank is not None and len(entries) > rank:
            raise ValueError(f"{spec} has {len(entries)} entries for a tensor of rank {rank}")
        names = getattr(getattr(sharding, "mesh", None), "axis_names", ())
        order = {name: i for i, name in enumerate(names)}
        entries += [None] * ((len(entries) if rank is None else rank) - len(entries))
        unconstrained = (
            type(spec).UNCONSTRAINED if hasattr(type(spec), "UNCONSTRAINED") else object()
        )
        dims = tuple(
            ()
            if e is None or e is unconstrained
            else (Axis(e),)
            if isinstance(e, str)
            else tuple(map(Axis, e))
            for e in entries
        )
        return Sharding(
            dims,
            tuple(e is unconstrained for e in entries),
            unreduced=tuple(map(Axis, _in_order(spec, order))),
            reduction=getattr(getattr(spec, "unreduced_kind", None), "name", "sum"),
        )

    def to_partition_spec(self) -> Any:
        """Returns a jax.sharding.PartitionSpec."""
        from jax.sharding import PartitionSpec

        entries = [
            None if not names else names[0] if len(names) == 1 else names for names in self.spec
        ]
        if self.unreduced and self.reduction != "sum":
            raise ValueError(f"{self} has no PartitionSpec: in these, unreduced values are sums")
        if self.unreduced:
            return PartitionSpec(*entries, unreduced={a.name for a in self.unreduced})
        return PartitionSpec(*entries)

    def to_jax(self, mesh: Any) -> Any:
        """Returns a jax.sharding.NamedSharding on a JAX mesh or a tessera.Mesh."""
        from jax.sharding import NamedSharding

        return NamedSharding(
            mesh.to_jax() if isinstance(mesh, Mesh) else mesh, self.to_partition_spec()
        )

    # ---- PyTorch -------------------------------------------------------------------------

    def to_placements(self, axis_names: Sequence[str]) -> list[tuple[str, Optional[int]]]:
        """Returns one placement for each mesh dimension, in DTensor's terms: ("shard", dim),
        ("replicate", None) or ("partial", None)."""
        placements: list[tuple[str, Optional[int]]] = [("replicate", None)] * len(axis_names)
        for d, names in enumerate(self.spec):
            positions = [list(axis_names).index(n) for n in names]
            if positions != sorted(positions):
                raise ValueError(
                    f"DTensor splits dimension {d} in the order of the mesh, so not by {names}"
                )
            for p in positions:
                placements[p] = ("shard", d)
        for a in self.unreduced:
            placements[list(axis_names).index(a.name)] = ("partial", None)
        return placements

    def to_dtensor(self, axis_names: Sequence[str]) -> list[Any]:
        """Returns placements of torch.distributed.tensor, one for each mesh dimension."""
        from torch.distributed.tensor import Partial, Replicate, Shard

        return [
            Shard(d) if kind == "shard" else Partial() if kind == "partial" else Replicate()
            for kind, d in self.to_placements(axis_names)
        ]

    @staticmethod
    def from_dtensor(placements: Sequence[Any], axis_names: Sequence[str], rank: int) -> Sharding:
        """Converts DTensor's placements, or what to_placements() returns."""
        dims: list[list[Axis]] = [[] for _ in range(rank)]
        unreduced = []
        for name, p in zip(axis_names, placements):
            kind, d = (
                p if isinstance(p, tuple) else (type(p).__name__.lower(), getattr(p, "dim", None))
            )
            if kind == "shard":
                dims[d if d >= 0 else d + rank].append(Axis(name))
            elif kind == "partial":
                unreduced.append(Axis(name))
            elif kind != "replicate":
                raise ValueError(f"placement {p!r} has no counterpart")
        return Sharding(tuple(map(tuple, dims)), unreduced=tuple(unreduced))
