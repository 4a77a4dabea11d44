"""The ways in which XLA runs what tessera partitions, through jaxlib's CPU client.

replicas  `tess partition --devices replicas`: the devices are replicas of one partition, and XLA's
          partitioner does not run.
manual    `tess partition --wrap shard_map`: one manual computation, which XLA's partitioner leaves as
          it is.
compile   program.compile() of the Python package, which uses only JAX's public interface.
whole     the program itself on one device, without its shardings: the others are compared with it
          if there are no recorded results.

The text is used as printed.  What each device holds of a value is computed here, from
tess.global_type and tess.global_sharding, or, for a whole program, from sdy.sharding.
"""

import os
import re
import subprocess

import numpy as np

WAYS = ("replicas", "manual", "compile")
PRINTED = {"replicas": ["--devices", "replicas"], "manual": ["--wrap", "shard_map"]}


def start(devices=8):
    """jax, with so many CPU devices; before anything else imports it."""
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax


def partitioned(tess, path, way):
    """The text that a way takes."""
    command = [tess, "partition", path, *PRINTED[way]]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Layout:
    """How a value lies on the devices."""

    def __init__(self, ir, sdy, row, kind, meshes):
        whole = ir.TypeAttr(row["tess.global_type"]).value if "tess.global_type" in row else kind
        whole = ir.RankedTensorType(whole)
        self.shape, self.element = tuple(whole.shape), str(whole.element_type)
        self.axes, self.mesh = [[] for _ in self.shape], None
        name = next((n for n in ("tess.global_sharding", "sdy.sharding") if n in row), None)
        if name:
            sharding = sdy.TensorShardingAttr(row[name])
            ref = str(sharding.mesh_or_ref)
            self.mesh = meshes[ref[1:].strip('"')]
            for axes, dim in zip(self.axes, sharding.dimension_shardings):
                for axis in map(sdy.AxisRefAttr, sdy.DimensionShardingAttr(dim).axes):
                    info = axis.sub_axis_info and sdy.SubAxisInfoAttr(axis.sub_axis_info)
                    size = dict(self.mesh[0])[axis.name]
                    axes.append((axis.name, *((info.pre_size, info.size) if info else (1, size))))
        parts = [int(np.prod([size for _, _, size in axes])) for axes in self.axes]
        self.local = tuple(-(-n // p) for n, p in zip(self.shape, parts))

    def place(self, device):
        """The slice of the whole value that a device holds."""
        if self.mesh is None or not self.mesh[0]:
            return tuple(slice(0, n) for n in self.shape)
        axes, ids = self.mesh
        names, sizes = zip(*axes)
        at = dict(zip(names, np.unravel_index(ids.index(device), sizes)))
        found = []
        for dim, size in zip(self.axes, self.local):
            i = 0
            for name, pre, count in dim:
                i = i * count + int(at[name]) // (dict(axes)[name] // (pre * count)) % count
            found.append(slice(i * size, (i + 1) * size))
        return tuple(found)

    def block(self, value, device):
        """What a device is given: its part, and no numbers behind the end."""
        block = np.full(self.local, no_number(value.dtype), value.dtype)
        piece = value[self.place(device)]
        block[tuple(slice(0, n) for n in piece.shape)] = piece
        return block


def no_number(dtype):
    if dtype.kind in "iu":
        return np.iinfo(dtype).max
    return True if dtype.kind == "b" else np.array(np.nan).astype(dtype)


def type_of(element):
    """NumPy's type, or ml_dtypes'."""
    import ml_dtypes

    names = {"f32": "float32", "f64": "float64", "f16": "float16", "i1": "bool"}
    names |= {"complex<f32>": "complex64", "complex<f64>": "complex128", "bf16": "bfloat16"}
    name = names.get(element) or re.sub(r"^(u?)i(\d+)$", r"\1int\2", element)
    name = re.sub(r"^f(\d+)(E\w+)$", lambda m: f"float{m[1]}_{m[2].lower()}", name)
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def typed(array, element):
    """NumPy's files know no bfloat16: bytes of the element type."""
    want = type_of(element)
    return array if array.dtype == want else array.view(want)


class Module:
    """A text as jaxlib reads it, which verifies it."""

    def __init__(self, text):
        from jax._src.interpreters import mlir
        from jax._src.lib.mlir import ir
        from jax._src.lib.mlir.dialects import sdy

        self.context = mlir.make_ir_context()
        self.context.allow_unregistered_dialects = True
        with self.context, ir.Location.unknown():
            self.module = ir.Module.parse(text)
            meshes, main = {}, None
            for op in self.module.body.operations:
                name = ir.StringAttr(op.attributes["sym_name"]).value
                if op.operation.name == "sdy.mesh":
                    mesh = sdy.MeshAttr(op.attributes["mesh"])
                    axes = [(a.name, a.size) for a in map(sdy.MeshAxisAttr, mesh.axes)]
                    ids = list(mesh.device_ids) or list(range(int(np.prod([n for _, n in axes]))))
                    meshes[name] = axes, ids
                elif name == "main":
                    main = op.operation
            kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)

            def layouts(key, types):
                none = [ir.DictAttr.get({})] * len(types)
                rows = main.attributes[key] if key in main.attributes else none
                return [Layout(ir, sdy, ir.DictAttr(r), t, meshes) for r, t in zip(rows, types)]

            self.arguments = layouts("arg_attrs", kind.inputs)
            self.results = layouts("res_attrs", kind.results)
            top = self.module.operation
            numbers = [top.attributes[f"mhlo.num_{n}"] for n in ("replicas", "partitions")]
            self.replicas, self.partitions = (ir.IntegerAttr(n).value for n in numbers)


class Program:
    """A text, compiled; run() on whole values gives every device's copy of every result."""

    def __init__(self, text):
        from jax._src import compiler, xla_bridge
        from jax._src.lib import xla_client

        self.module = module = Module(text)
        backend = xla_bridge.get_backend()
        self.devices = backend.devices()[: module.replicas * module.partitions]
        shape = module.replicas, module.partitions
        ids = np.array([d.id for d in self.devices]).reshape(shape)
        options = compiler.get_compile_options(*shape, ids, backend=backend)
        build = options.executable_build_options
        build.use_spmd_partitioning = build.use_shardy_partitioner = module.partitions > 1
        where = xla_client.DeviceList(tuple(self.devices))
        with module.context:
            self.executable = backend.compile_and_load(module.module, where, options)

    @property
    def arguments(self):
        return self.module.arguments

    @property
    def results(self):
        return self.module.results

    def given(self, values):
        values = [typed(v, a.element) for v, a in zip(values, self.arguments)]
        return [on_devices(a, v, self.devices) for v, a in zip(values, self.arguments)]

    def execute(self, given):
        return self.executable.execute_sharded(given).disassemble_into_single_device_arrays()

    def run(self, values):
        """[[(slice of the whole result, what a device has)]]"""
        shards = self.execute(self.given(values))
        return [
            [(layout.place(i), np.asarray(s)) for i, s in enumerate(found)]
            for layout, found in zip(self.results, shards)
        ]

    def hlo(self):
        return self.executable.hlo_modules()[0].to_string()


def on_devices(layout, value, devices):
    """A jax.Array of which each device has its block."""
    import jax

    blocks = [layout.block(value, i) for i in range(len(devices))]
    spec = jax.sharding.PartitionSpec(*["d"][: len(layout.local)])
    named = jax.sharding.NamedSharding(jax.sharding.Mesh(np.array(devices), ("d",)), spec)
    shape = (layout.local[0] * len(devices), *layout.local[1:]) if layout.local else ()
    shards = [jax.device_put(b, d) for b, d in zip(blocks, devices)]
    return jax.make_array_from_single_device_arrays(shape, named, shards)


class Compiled:
    """program.compile(), as Program."""

    def __init__(self, path):
        import tessera

        self.step = tessera.load(path).compile()
        signature = self.step.program.signature
        self.kinds = [row["dtype"] for row in signature["arguments"]]

    def run(self, values):
        values = [typed(v, k) for v, k in zip(values, self.kinds)]
        return [
            [(s.index, np.asarray(s.data)) for s in result.addressable_shards]
            for result in self.step(*values)
        ]


def made(tess, path, way):
    return Compiled(path) if way == "compile" else Program(partitioned(tess, path, way))


def difference(got, want):
    """The largest error, relative to 1 + |want|; 1 for integers that differ."""
    if want.dtype.kind in "iub" or "int" in want.dtype.name:
        return float(np.any(got != want))
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    a, b = got.astype(wide), want.astype(wide)
    with np.errstate(invalid="ignore"):
        error = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, abs(a - b) / (1 + abs(b)))
    return float(np.max(np.where(np.isnan(error), np.inf, error), initial=0))


def worst_of(results, wanted):
    """The largest error of any device's copy of any result."""
    worst = 0.0
    for copies, whole in zip(results, wanted):
        for at, got in copies:
            whole = whole if whole.dtype == got.dtype else whole.view(got.dtype)
            part = whole[at]
            worst = max(worst, difference(got[tuple(slice(0, n) for n in part.shape)], part))
    return worst
