"""A program: its shardings, reports, and runs."""

from __future__ import annotations

import ctypes
import json
import re
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import arrays
from ._library import (
    AdviseOpts,
    FAILED,
    INVALID,
    JSON,
    OK,
    Context,
    DiffOpts,
    ExecOpts,
    ExplainOpts,
    LintOpts,
    ParseOpts,
    PartitionOpts,
    PartitionStats,
    PrintOpts,
    ReportOpts,
    Str,
    TEXT,
    Tensor,
    VerifyOpts,
    WriteOpts,
    byref,
    bytes_at,
    encode,
    encode_or_none,
    integer,
    lib,
    opts,
    taken,
)
from .calls import Call
from .outside import Outside
from .results import Advice, Difference, Explanation, Findings, Report, Shardings, shown
from .sharding import Mesh, Sharding

if TYPE_CHECKING:
    from .beside import Comparison as Beside
    from .compiled import Compiled
    from .plan import Plan


class Comparison(NamedTuple):
    """The comparison of one output of the partitioned run with that of the whole run."""

    output: int
    agree: bool
    elements: int
    wrong: int
    max_error: float


class _Run:
    """A tess_exec: a program that is propagated, partitioned and planned."""

    def __init__(self, program: Program, whole: bool, threads: int):
        self.context = program._context
        self.outside = Outside(program._callbacks)
        o = opts(ExecOpts, whole=bool(whole), threads=_threads(threads), outside=self.outside.calls)
        self.handle = lib.tess_exec_new(program._handle, byref(o))
        if not self.handle:
            self.context.raise_error(INVALID)
        self.context.own(self.handle)

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.context.disown(lib.tess_exec_free, self.handle)

    def inputs(self) -> list[Tensor]:
        wanted = []
        for i in range(lib.tess_exec_input_count(self.handle)):
            wanted.append(Tensor())
            lib.tess_exec_input(self.handle, i, byref(wanted[-1]))
        return wanted

    def run(self, values: Sequence[Any]) -> None:
        kept = _as_wanted(values, self.inputs())
        given = (Tensor * len(kept))(*(k.tensor for k in kept))
        with self.outside.failing():
            self.context.check(lib.tess_exec_run(self.handle, given, len(kept)))

    def outputs(self) -> list[Tensor]:
        found = []
        for i in range(lib.tess_exec_output_count(self.handle)):
            found.append(Tensor())
            lib.tess_exec_output(self.handle, i, byref(found[-1]))
        return found


class Program:
    """A StableHLO program with its annotations.  It never changes: methods that change something
    return a new program."""

    def __init__(self, context: Context, handle: Optional[int], title: str):
        if not handle:
            context.raise_error(INVALID)
        self._context, self._handle, self.title = context, context.own(handle), title
        self._call: Optional[Call] = None  # of the function that it was loaded from
        self._callbacks: Sequence[Any] = ()  # Python functions that it calls, by number
        # Remarks and notes from reading it, or from the change that made it.
        self.notes: tuple[str, ...] = tuple(context.check(OK))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._context.disown(lib.tess_module_free, self._handle)

    def __reduce__(self) -> Any:
        """Pickles, and copies, the program as text."""
        return Program._from_text, (self._printed(), self.title)

    @classmethod
    def _from_text(
        cls, text: str | bytes, title: str, context: Optional[Context] = None
    ) -> Program:
        context, data = context or Context(), text.encode() if isinstance(text, str) else text
        buffer = ctypes.create_string_buffer(data, len(data))
        with context.lock:
            handle = lib.tess_module_parse(
                context.handle,
                Str(ctypes.addressof(buffer), len(data)),
                encode(title),
                byref(opts(ParseOpts, platform=b"")),
            )
            return cls(context, handle, title)

    @classmethod
    def _from_file(cls, path: str) -> Program:
        context = Context()
        how = opts(ParseOpts, platform=b"")
        return cls(context, lib.tess_module_parse_file(context.handle, encode(path), byref(how)), path)

    def copy(self) -> Program:
        """Returns a copy of the program."""
        with self._context.lock:
            new = Program(self._context, lib.tess_module_clone(self._handle), self.title)
            new._call, new._callbacks = self._call, self._callbacks
            return new

    def _changed(self, function: Any, *arguments: Any) -> Program:
        with self._context.lock:
            new = self.copy()
            new.notes = tuple(self._context.check(function(new._handle, *arguments)))
            return new

    # ---- text ------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The program as MLIR text, with the value names of the original."""
        return self._printed(locations=False)

    def serialize(self, version: Optional[str] = "") -> bytes:
        """Returns the program as a StableHLO portable artifact, which
        `stablehlo.deserialize_portable_artifact` and `load` read.  `version` is a version, "1.16.0", or
        the age of the oldest reader, "4w", "12w"; the default is the newest version.  None returns MLIR
        bytecode, which has no version."""
        o = opts(WriteOpts, target=None if version is None else encode(version))
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        with self._context.lock:
            self._context.check(
                lib.tess_module_write(self._handle, byref(o), byref(data), byref(size))
            )
            written = bytes(bytes_at(data.value, size.value))
            lib.tess_text_free(data)
            return written

    def _printed(self, locations: bool = True) -> str:
        o = opts(PrintOpts, keep_names=True, locations=locations, elide_larger=-1)
        with self._context.lock:
            return lib.tess_module_print(self._handle, byref(o)) or ""

    def __str__(self) -> str:
        """Returns the text.  On a terminal, a long text is cut."""
        return shown(self.text, "`.text` has all")

    def __repr__(self) -> str:
        return f"<tessera.Program {self.title!r}>"

    # ---- what if ---------------------------------------------------------------------

    def with_dims(self, *sizes: Any, **named: int) -> Program:
        """Gives sizes to dimensions that the program leaves open, as jax.export does for symbolic shapes:
        with_dims(b=8), or {"b": 8, "0.1": 4}, where 0.1 is dimension 1 of argument 0, or the text of
        `tess --dim`."""
        given = [s if isinstance(s, str) else _sizes_text(s) for s in (*sizes, named) if s]
        return self._changed(lib.tess_module_set_sizes, encode(", ".join(given)))

    def with_mesh(self, mesh: Any) -> Program:
        """Returns the program on another mesh: "x=2,y=4", {"x": 2, "y": 4}, a tessera.Mesh or a JAX mesh.
        It replaces the mesh that the program's shardings use; `.notes` say which one.  If the new axes
        do not divide an argument or result, a warning says so when the program is used."""
        return self._changed(lib.tess_module_set_mesh, encode(_mesh_text(mesh)))

    def with_input(self, index: Union[int, str], sharding: Any) -> Program:
        """Returns the program with another sharding of an argument: '[{"x"}, {}]', a tessera.Sharding, or a
        PartitionSpec or NamedSharding of JAX; None removes it.  `index` is a number, or a name as in
        `constrain`."""
        if isinstance(index, str):
            return self.constrain(index, "P()" if sharding is None else sharding)
        return self._changed(
            lib.tess_module_shard_input,
            _number(index),
            None if sharding is None else encode(_dims_text(sharding)),
        )

    def with_output(self, index: int, sharding: Any) -> Program:
        """Returns the program with another sharding of a result, as `with_input`."""
        return self._changed(
            lib.tess_module_shard_output,
            _number(index),
            None if sharding is None else encode(_dims_text(sharding)),
        )

    def constrain(self, value: str, sharding: Any) -> Program:
        """Returns the program with `value` sharded in this way, as if the program had said so.  `value` is
        "%h", or the path of a parameter, "params/w", "params['w']", or an end of it; * stands for
        anything: "layers.*.w"."""
        return self._changed(lib.tess_module_constrain, encode(value), encode(_dims_text(sharding)))

    # ---- stages ----------------------------------------------------------------------

    def propagate(self) -> Program:
        """Returns the program with a sharding on every value that annotations reach."""
        return self._changed(lib.tess_module_propagate)

    def partition(
        self,
        merge: bool = False,
        bare: bool = False,
        devices: str = "partitions",
        wrap: Optional[str] = None,
        target: Optional[str] = None,
        for_cpu: bool = False,
    ) -> Program:
        """Returns the program that each device runs, with its collectives.

        `merge`: merge collectives among the same devices into one with several operands, some of which
        XLA reads differently.  `bare`: leave out the attributes that say what its values are parts of.
        `devices`: "partitions", or "replicas", which are told apart by replica_id.  `wrap`: "shard_map"
        for a whole program with one manual computation over all axes.  `target`: the machine, as for
        `report`, on which it should be fastest; None: send the fewest bytes.  `for_cpu`: XLA compiles
        it for CPUs: write products such that it need not transpose their operands.
        """
        new = self.propagate()
        how, stats = opts(PartitionOpts, merge=bool(merge), bare=bool(bare)), opts(PartitionStats)
        how.for_cpu = bool(for_cpu)
        how.devices = _one_of("devices", devices, ("partitions", "replicas"))
        how.wrap = _one_of("wrap", wrap, (None, "shard_map"))
        how.target = target.encode() if target else None
        if how.devices and how.wrap:
            raise ValueError("wrap=\"shard_map\" and devices=\"replicas\" exclude each other")
        with self._context.lock:
            self._context.check(
                lib.tess_module_partition(new._handle, byref(how), byref(stats))
            )
        return new

    def compile(
        self,
        devices: Any = None,
        verify: bool = False,
        plan: Any = None,
        compiler_options: Optional[dict[str, Any]] = None,
    ) -> Compiled:
        """Returns the partitioned program as a JAX function, which XLA compiles and runs.  It takes and
        returns what the function does that the program was loaded from, as global jax.Arrays.

        `devices`: jax.Devices, or a jax.sharding.Mesh of them; by default those of the arrays that the
        program was loaded with, or the first of jax.devices().  `verify`: the first call also runs
        the function as JAX partitions it, and compares.

        `plan`: use the annotations of a plan for these devices instead of the program's own.  It is a
        machine, "h100x8", or the arguments of plan() in a dict, or what plan() returned.  The program is
        then partitioned for that machine, as for the plan's predicted time.

        `compiler_options`: XLA's, as for jax.jit.
        """
        from .compiled import Compiled
        from .plan import planned

        program, target = (self, None) if plan is None else planned(self, plan, devices)
        return Compiled(program, devices, verify, target, compiler_options)

    @property
    def signature(self) -> dict[str, Any]:
        """What @main takes and returns: "arguments", "results" and "meshes"."""
        with self._context.lock:
            return json.loads(lib.tess_module_signature(self._handle))

    @property
    def _export(self) -> Optional[dict[str, Any]]:
        """What jax.export says about the program, if it is from such a file."""
        with self._context.lock:
            said = lib.tess_module_export(self._handle)
            return json.loads(said) if said else None

    def _fitting_call(self, signature: dict[str, Any]) -> Optional[Call]:
        """Returns the Call of the function that the program was loaded from, if the program still has the
        function's arguments and results."""
        call = self._call
        counts = len(signature["arguments"]), len(signature["results"])
        return call if call and call.fits(*counts) else None

    @property
    def is_local(self) -> bool:
        """True if this is a program of one device, as `partition` returns it.  It can be run and
        reported, but not partitioned again."""
        with self._context.lock:
            return bool(lib.tess_module_is_local(self._handle))

    def table(self) -> list[dict[str, Any]]:
        """Returns every value of @main as it is now, without propagating: value, op, type, sharding,
        local_type, local_bytes, source."""
        with self._context.lock:
            text = lib.tess_module_table(self._handle, JSON)
        return json.loads(text)["values"]

    @property
    def shardings(self) -> Shardings:
        """The sharding of every value after propagation, by name: {"%x": Sharding, …, "result:0": …}.
        None means whole on every device.  If there are many, it prints the first ones."""
        return Shardings(
            (row["value"], Sharding.parse(row["sharding"]) if row["sharding"] else None)
            for row in self.propagate().table()
        )

    @property
    def specs(self) -> tuple[Any, Any]:
        """PartitionSpecs of arguments and results, after propagation.  For a program that was loaded from
        a function, they have the function's trees: ((args, kwargs), results), with None for arguments
        that it does not use.  For other programs they are two lists."""
        from jax.sharding import PartitionSpec

        signature = self.propagate().signature
        call = self._fitting_call(signature)

        def spec_of(row: dict[str, Any]) -> Any:
            text = row["sharding"]
            return Sharding.parse(text).to_partition_spec() if text else PartitionSpec()

        takes = [spec_of(row) for row in signature["arguments"]]
        returns = [spec_of(row) for row in signature["results"]]
        return (call.spread(takes, None), call.tree(returns)) if call else (takes, returns)

    # ---- what people read --------------------------------------------------------------

    def report(
        self, target: Optional[str] = None, reshard_policy: str = "cost", advise: bool = False
    ) -> Report:
        """Returns memory, communication and cost of one device.  `reshard_policy`: "cost" reshards values
        where that costs least, "sdy" where Shardy would, and therefore XLA.  `advise`: start with what to
        change, as `suggest` finds it."""
        machine = encode_or_none(target)

        def render(kind: int) -> str:
            o = opts(ReportOpts, format=kind, title=encode(self.title), target=machine)
            o.reshards = _policy(reshard_policy)
            o.advise = int(advise)
            return self._context.text_of(lib.tess_module_report, self._handle, byref(o))

        return Report(json.loads(render(JSON)), render)

    def lint(self, large: int = 0, reshard_policy: str = "cost") -> Findings:
        """Returns likely mistakes, the most serious first.  `reshard_policy` is as for `report`."""

        def render(kind: int) -> str:
            o = opts(LintOpts, format=kind, large=integer(large, "large"))
            o.reshards = _policy(reshard_policy)
            return self._context.text_of(
                lib.tess_module_lint, self._handle, byref(o), also=FAILED, after=(None,)
            )

        return Findings(json.loads(render(JSON))["findings"], render)

    def suggest(
        self, target: Optional[str] = None, budget: int = 0, reshard_policy: str = "cost"
    ) -> Advice:
        """Returns what to change in the annotations.  Each change has been tried, and comes with what it
        gains and the line of Python that makes it.  `reshard_policy` is as for `report`."""

        data = ctypes.c_void_p()
        o = opts(
            AdviseOpts,
            format=TEXT,
            title=encode(self.title),
            target=encode_or_none(target),
            budget=integer(budget, "budget", 0),
            reshards=_policy(reshard_policy),
            json=ctypes.addressof(data),
        )
        text = self._context.text_of(lib.tess_module_advise, self._handle, byref(o))
        return Advice(json.loads(taken(data.value) or ""), text)

    def explain(self, value: str, dim: int = -1, axis: Optional[str] = None) -> Explanation:
        """Explains why a value is or is not sharded, back to the annotations.  `value` is "%h" or "params/w";
        "layers/3/attention" for the values that a module passes on, or "train.py:26" for those that a line
        made.  For several values, "values" has one explanation each."""

        def render(kind: int) -> str:
            o = opts(ExplainOpts, format=kind, dim=integer(dim, "dim"), axis=encode_or_none(axis))
            return self._context.text_of(
                lib.tess_module_explain, self._handle, encode(value), byref(o)
            )

        found = json.loads(render(JSON))
        return Explanation(found if isinstance(found, dict) else {"values": found}, render)

    def explain_collective(self, number: int, reshard_policy: str = "cost") -> Explanation:
        """Explains why a collective of the report exists: what it moves, from which sharding to which, and
        for which operation."""
        index = integer(number, "a collective")

        def render(kind: int) -> str:
            o = opts(ExplainOpts, format=kind, dim=-1, reshards=_policy(reshard_policy))
            return self._context.text_of(
                lib.tess_module_explain_collective, self._handle, index, byref(o)
            )

        return Explanation(json.loads(render(JSON)), render)

    def diff(
        self, other: Program, target: Optional[str] = None, reshard_policy: str = "cost"
    ) -> Difference:
        """Returns what changed from this program to `other`, annotations first.  `reshard_policy` is as for
        `report`, for both programs."""
        if not isinstance(other, Program):
            raise TypeError(f"expected a Program, not {type(other).__name__}")
        if other._context is not self._context:  # two programs are compared within one context
            other = Program._from_text(other._printed(), other.title, self._context)

        def render(kind: int) -> str:
            o = opts(DiffOpts, format=kind, target=encode_or_none(target))
            o.title_a, o.title_b = encode(self.title), encode(other.title)
            o.reshards_a = o.reshards_b = _policy(reshard_policy)
            return self._context.text_of(
                lib.tess_module_diff, self._handle, other._handle, byref(o), after=(None,)
            )

        return Difference(json.loads(render(JSON)), render)

    def plan(
        self,
        target: Optional[str] = None,
        devices: int = 0,
        limit: Union[int, float, str, None] = None,
        mesh: Optional[str] = None,
        keep: str = "none",
        tactic: Optional[str] = None,
        forbid: Optional[str] = None,
        budget: int = 0,
    ) -> Plan:
        """Finds a mesh and shardings with which a step takes the least time on the machine and fits into
        its memory.  The arguments are those of `tess plan`; docs/plan.md explains them."""
        from .plan import find

        return find(self, target, devices, limit, mesh, keep, tactic, forbid, budget)

    def compare(self, compiled: Any) -> Beside:
        """Compares memory and collectives of this program's partition with those of XLA's.  `compiled` is
        what `jitted.lower(…).compile()` returned, or the text of optimized HLO."""
        from .beside import Comparison as Beside, memory_of

        if not isinstance(compiled, str) and not hasattr(compiled, "as_text"):
            raise TypeError(
                "compare takes what jitted.lower(…).compile() returned, or the text of optimized HLO, "
                f"not {type(compiled).__name__}"
            )
        text = compiled if isinstance(compiled, str) else compiled.as_text()
        theirs = Program._from_text(text, f"{self.title} as XLA made it")
        return Beside(self.report(), theirs.report(), memory_of(compiled))

    # ---- running -----------------------------------------------------------------------

    def _flat(self, values: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
        """Returns one array for each argument of @main."""
        if self._call:
            return self._call.flatten(tuple(values), keywords)
        if keywords:
            raise TypeError("a program that was loaded from text has no keyword arguments")
        return list(values)

    def run(self, *values: Any, whole: bool = False, threads: int = 0, **keywords: Any) -> Any:
        """Runs the program on as many virtual devices as its mesh has, and returns the global results.

        Arguments are whole arrays: NumPy's, or anything with __dlpack__ or the buffer protocol.
        `whole`: do not partition.  The results are NumPy arrays, or memoryviews without NumPy.  A
        program that was loaded from a JAX function takes and returns what the function does.
        """
        def run(leaves: Sequence[Any], *_: Any) -> list[Any]:
            with self._context.lock:
                session = _Run(self, whole, threads)
                session.run(leaves)
                return [arrays.from_tensor(t) for t in session.outputs()]

        if self._call:
            return self._call.apply(run, values, keywords)
        return run(self._flat(values, keywords))

    def verify(
        self,
        *values: Any,
        threads: int = 0,
        seed: Optional[int] = None,
        inputs_like: Optional[Mapping[str, Any]] = None,
        **keywords: Any,
    ) -> list[Comparison]:
        """Runs the program partitioned and whole, and compares each result: `all(c.agree for c in …)`.

        Without arguments, random ones are used, as by `tess verify`: the same for the same `seed`, by
        default 1.  The elements of argument 0 are drawn from those of inputs_like["in0"], and so on; it
        need not have all, and may be what numpy.load() returns.  Beside arguments, these two names are
        the program's own.

        Results also agree if they differ by no more than a rounding of the inputs would change them.
        """
        own = {"seed": seed, "inputs_like": inputs_like}
        if values or keywords:
            keywords.update((name, value) for name, value in own.items() if value is not None)
        with self._context.lock:
            wanted = self._inputs()
            if values or keywords:
                given = _tensors(_as_wanted(self._flat(values, keywords), wanted))
                return self._verify(threads, inputs=given, n_inputs=len(given))
            like = _tensors(_examples(inputs_like or {}, wanted))
            number = 1 if seed is None else integer(seed, "seed")
            return self._verify(threads, seed=number, like=like, n_like=len(like))

    def _verify(self, threads: int, **inputs: Any) -> list[Comparison]:
        outside = Outside(self._callbacks)
        o = opts(VerifyOpts, threads=_threads(threads), **inputs)
        o.outside = outside.calls
        verdict = ctypes.c_void_p()
        with outside.failing():
            status = lib.tess_verify(self._handle, byref(o), byref(verdict))
            self._context.check(OK if verdict else status)
        found: list[Comparison] = []
        while c := lib.tess_verdict_get(verdict, len(found)):
            o, d = c.contents, c.contents.difference
            found.append(Comparison(o.output, o.agree, d.elements, d.wrong, d.max_error))
        lib.tess_verdict_free(verdict)
        return found

    def _inputs(self) -> list[Tensor]:
        n = ctypes.c_size_t()
        self._context.check(lib.tess_module_inputs(self._handle, None, 0, byref(n)))
        wanted = (Tensor * n.value)()
        self._context.check(lib.tess_module_inputs(self._handle, wanted, n, byref(n)))
        return list(wanted)


def _as_wanted(values: Sequence[Any], wanted: Sequence[Tensor]) -> list[Any]:
    """Returns the arrays as tensors of the types that the program takes."""
    if len(values) != len(wanted):
        hint = "" if values else "; program.verify() runs it on random ones"
        raise TypeError(f"the program takes {len(wanted)} arrays, not {len(values)}{hint}")
    return [arrays.to_tensor(v, t) for v, t in zip(values, wanted)]


def _examples(like: Mapping[str, Any], wanted: Sequence[Tensor]) -> list[Any]:
    """Returns, for each argument, the array whose elements are drawn, or None."""
    for name in like:
        if not re.fullmatch(r"in\d+|out\d+", name) or (name[0] == "i" and int(name[2:]) >= len(wanted)):
            raise ValueError(f"inputs_like has {name!r}: expected in0, in1, …, one for each argument")
    names = [f"in{i}" for i in range(len(wanted))]
    return [arrays.to_tensor(like[n], t) if n in like else None for n, t in zip(names, wanted)]


def _tensors(kept: Sequence[Any]) -> Any:
    """Returns a C array that refers to the arrays, which it also keeps."""
    array = (Tensor * len(kept))(*(k.tensor if k else Tensor() for k in kept))
    array.kept = kept
    return array


def _one_of(what: str, word: Optional[str], words: Sequence[Optional[str]]) -> int:
    if word not in words:
        raise ValueError(f"{what} must be {' or '.join(map(repr, words))}, not {word!r}")
    return words.index(word)


def _policy(word: str) -> int:
    return _one_of("reshard_policy", word, ("cost", "sdy"))


def _threads(threads: int) -> int:
    number = integer(threads, "threads")
    if not 0 <= number < 2**31:
        raise ValueError(f"threads must be 0, for one per processor, or more; not {number}")
    return number


def _number(index: int) -> int:
    number = integer(index, "an index")
    if number < 0:
        raise IndexError(f"arguments and results are counted from 0; there is none {number}")
    return number


def _sizes_text(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={integer(size, 'a size')}" for name, size in sizes.items())


def _mesh_text(mesh: Any) -> str:
    if isinstance(mesh, (str, Mesh)):
        return str(mesh)
    return str(Mesh.from_jax(mesh) if hasattr(mesh, "axis_names") else Mesh(dict(mesh)))


def _dims_text(sharding: Any) -> str:
    if isinstance(sharding, Sharding):
        return sharding.dims_text()
    if isinstance(sharding, str):
        return sharding
    # A PartitionSpec may be shorter than the rank, which the library knows.
    spec = getattr(sharding, "spec", sharding)
    if type(spec).__name__ in ("P", "PartitionSpec"):
        return str(spec)
    raise TypeError(
        "expected a tessera.Sharding, a PartitionSpec or NamedSharding of JAX, or its text, "
        f"not {type(sharding).__name__}"
    )
