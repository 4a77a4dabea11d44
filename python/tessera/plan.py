"""A plan: a mesh and shardings that were found for a program and a machine."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from ._library import (
    JSON,
    Error,
    PlanOpts,
    byref,
    c_void_p,
    encode,
    encode_or_none,
    integer,
    lib,
    opts,
)
from .results import _Page, _Text
from .sharding import Sharding

if TYPE_CHECKING:
    from .program import Program

_KEEP = ("none", "inputs", "annotations")


class Plan(_Page, _Text):
    """The JSON of `tess plan`.  It prints as its text, and shows its page in a notebook.

    `.program` is the program with the plan's mesh and annotations, which can be reported, verified,
    compared and compiled like any other.  `.fits` is true if the plan is within the memory limit; if it
    is false, no plan is, and this one needs the least memory.
    """

    def __init__(self, data: Any, found: _Found, program: Program, target: Optional[str]):
        super().__init__(data, found.report)
        self._target = target or data["target"]
        self.program, self._emitted, self.fits = program, found.emitted, found.fits()

    def __reduce__(self) -> Any:
        raise TypeError("a plan cannot be pickled; its `.program` and `dict(plan)` can")

    @property
    def mesh(self) -> dict[str, int]:
        """The axes with their sizes."""
        return dict(self["mesh"])

    @property
    def specs(self) -> dict[str, Any]:
        """PartitionSpecs of arguments by their paths, "['layers'][*]['w']", where [*] stands for the
        number of a layer.  Arguments without a known path are named by number, "arg:0"."""
        from jax.sharding import PartitionSpec

        return {
            row["place"]: eval(row["spec"], {"P": PartitionSpec, "__builtins__": {}})
            for row in json.loads(self.emit("json"))["arguments"]
        }

    def emit(self, form: str) -> str:
        """Returns the plan as code or data: "jax", "dtensor", "specs" or "json"."""
        return self._emitted(form)

    def _jax_mesh(self, mesh: Any) -> Any:
        import jax

        if mesh is not None:
            return mesh
        auto = (jax.sharding.AxisType.Auto,) * len(self.mesh)
        return jax.make_mesh(tuple(self.mesh.values()), tuple(self.mesh), axis_types=auto)

    def _named(self, mesh: Any) -> tuple[list[Any], list[Any]]:
        """Returns a NamedSharding for each argument and result, or None where the plan leaves it open."""
        from jax.sharding import NamedSharding

        def named(row: dict[str, Any]) -> Any:
            text = row["sharding"]
            spec = Sharding.parse(text).to_partition_spec() if text else None
            return None if spec is None else NamedSharding(mesh, spec)

        signature = self.program.signature
        return [named(r) for r in signature["arguments"]], [named(r) for r in signature["results"]]

    def jit_args(self, mesh: Any = None) -> dict[str, Any]:
        """Returns in_shardings and out_shardings for the function that the program was loaded from:
        jax.jit(f, **plan.jit_args()).  `mesh`: a jax.sharding.Mesh; by default one of jax.devices()."""
        takes, returns = self._named(self._jax_mesh(mesh))
        call = self.program._fitting_call(self.program.signature)
        if call is None:
            raise ValueError("the program was not loaded from a function of JAX")
        args, kwargs = call.spread(takes, None)
        if kwargs:
            raise ValueError("jax.jit has no in_shardings for arguments by name")
        return {"in_shardings": args, "out_shardings": call.tree(returns)}

    def constrained(self, function: Callable[..., Any], mesh: Any = None) -> Callable[..., Any]:
        """Returns the function with the plan's constraints on values inside of it, for jax.jit with
        jit_args().  `function` is what jax.jit takes, with positional arguments only."""
        made: dict[str, Any] = {}
        exec(compile(self.emit("jax"), "plan", "exec"), made)
        if mesh is not None:
            made["mesh"] = mesh
        return made["constrained"](function) if "constrained" in made else function

    def apply(self, *arguments: Any, mesh: Any = None) -> Any:
        """Places arguments of the function as the plan says.  Returns a tuple, or one value if one is given."""
        import jax

        placed = jax.tree.map(
            lambda value, where: value if where is None else jax.device_put(value, where),
            arguments,
            self.jit_args(mesh)["in_shardings"][: len(arguments)],
            is_leaf=lambda leaf: leaf is None,
        )
        return placed[0] if len(arguments) == 1 else placed


def find(
    program: Program,
    target: Optional[str],
    devices: int,
    limit: Union[int, float, str, None],
    mesh: Optional[str],
    keep: str,
    tactic: Optional[str],
    forbid: Optional[str],
    budget: int,
) -> Plan:
    """Implements Program.plan()."""
    from .program import Program

    if keep not in _KEEP:
        raise ValueError(f"keep must be one of {', '.join(_KEEP)}, not {keep!r}")
    o = opts(
        PlanOpts,
        target=encode_or_none(target),
        devices=integer(devices, "devices", 0),
        limit=_bytes(limit),
        keep=_KEEP.index(keep),
        mesh=encode_or_none(mesh),
        tactic=encode_or_none(tactic),
        forbid=encode_or_none(forbid),
        budget=integer(budget, "budget", 0),
    )
    context, handle = program._context, c_void_p()
    with context.lock:
        context.check(lib.tess_plan_find(program._handle, byref(o), byref(handle)))
        found = _Found(context, handle.value)
        applied = Program(context, lib.tess_plan_apply(found.handle), program.title)
    applied._call, applied._callbacks = program._call, program._callbacks
    return Plan(json.loads(found.report(JSON)), found, applied, target)


def planned(program: Program, plan: Any, devices: Any) -> tuple[Program, str]:
    """Implements Program.compile(plan=...): returns the program with a plan for the devices that it would
    be compiled for, and the plan's machine."""
    from .compiled import devices_of

    if not isinstance(plan, Plan):
        options = {"target": plan} if isinstance(plan, str) else dict(plan)
        mesh = program._call and program._call.mesh
        options.setdefault("devices", len(devices_of(devices, mesh)))
        plan = program.plan(**options)
    if not plan.fits:
        raise Error(f"no plan for {program.title} fits into the memory of a device: {plan}")
    return plan.program, plan._target


class _Found:
    """A tess_plan."""

    def __init__(self, context: Any, handle: Any):
        self.context, self.handle = context, context.own(handle)
        self.free = lib.tess_plan_free  # kept here: the module's `lib` is gone when Python exits

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.context.disown(self.free, self.handle)

    def fits(self) -> bool:
        with self.context.lock:
            return bool(lib.tess_plan_fits(self.handle))

    def report(self, kind: int) -> str:
        with self.context.lock:
            text = lib.tess_plan_report(self.handle, kind)
            return text if text is not None else self.context.raise_error()

    def emitted(self, form: str) -> str:
        with self.context.lock:
            text = lib.tess_plan_emit(self.handle, encode(form))
            return text if text is not None else self.context.raise_error()


_UNIT = {"B": 1, "": 1}
_UNIT.update({prefix + "B": 1000 ** (i + 1) for i, prefix in enumerate("kMGT")})
_UNIT.update({prefix + "iB": 1024 ** (i + 1) for i, prefix in enumerate("KMGT")})


def _bytes(limit: Union[int, float, str, None]) -> int:
    """Returns a limit in bytes; it may be given as 72_000_000_000, 72e9 or "72GB", as in the command."""
    if limit is None:
        return 0
    if isinstance(limit, str):
        given = re.fullmatch(r"\s*([0-9.]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z]*)", limit)
        try:
            limit = int(float(given[1]) * _UNIT[given[2]])  # type: ignore[index]
        except (KeyError, TypeError, ValueError):
            raise ValueError(
                f"a limit is written in bytes, as in 500kB, 72GB or 64GiB, not {limit!r}"
            ) from None
    elif isinstance(limit, float) and limit.is_integer():
        limit = int(limit)
    return integer(limit, "a limit", 0)
