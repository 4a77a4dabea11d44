#!/usr/bin/env python3
"""XLA, told not to partition, runs what `tess partition` prints: are the numbers right?

    PYTHON tests/conformance/xla/xla.py [--tess build/tess] [--manifest FILE] FOLDER [NAME...]

PYTHON has jax, jaxlib, numpy and ml_dtypes.  FOLDER holds NAME.mlir and NAME.npz (in0.., out0..);
the manifest (JSON, {NAME: {"tol": t, "max_err": e}}) gives tolerances.  The devices are replicas
of one partition, so that XLA's partitioner does not run: partition_id becomes replica_id, and channel
handles, which count partitions, go; nothing else is changed.  What each device holds of a value is
computed here, from tess.global_type and tess.global_sharding.  Every device's copy is compared.
One process for each program: an abort of XLA costs that program only.  Exit status 1 if one fails
that --known does not name.
"""

import argparse
import json
import os
import re
import subprocess
import sys

import numpy as np

DEVICES = 8


class Layout:
    """How a value lies on the devices, by tess.global_type and tess.global_sharding."""

    def __init__(self, ir, sdy, row, kind, meshes):
        whole = ir.TypeAttr(row["tess.global_type"]).value if "tess.global_type" in row else kind
        whole = ir.RankedTensorType(whole)
        self.shape, self.element = tuple(whole.shape), str(whole.element_type)
        self.axes, self.mesh = [[] for _ in self.shape], None
        if "tess.global_sharding" in row:
            sharding = sdy.TensorShardingAttr(row["tess.global_sharding"])
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
        block = np.zeros(self.local, value.dtype)
        piece = value[self.place(device)]
        block[tuple(slice(0, n) for n in piece.shape)] = piece
        return block


def typed(array, element):
    """NumPy knows no bfloat16: bytes of the element type."""
    import ml_dtypes

    names = {"f32": "float32", "f64": "float64", "f16": "float16", "i1": "bool"}
    names |= {"complex<f32>": "complex64", "complex<f64>": "complex128", "bf16": "bfloat16"}
    name = names.get(element) or re.sub(r"^(u?)i(\d+)$", r"\1int\2", element)
    name = re.sub(r"^f(\d+)(E\w+)$", lambda m: f"float{m[1]}_{m[2].lower()}", name)
    want = np.dtype(getattr(ml_dtypes, name, None) or name)
    return array if array.dtype == want else array.view(want)


def operations(op):
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                yield inner.operation
                yield from operations(inner.operation)


class Module:
    """The text as jaxlib reads it, its devices as replicas."""

    def __init__(self, text):
        from jax._src.interpreters import mlir
        from jax._src.lib.mlir import ir
        from jax._src.lib.mlir.dialects import sdy

        self.context = mlir.make_ir_context()
        with self.context, ir.Location.unknown():
            self.module = ir.Module.parse(text)
            top = self.module.operation
            self.devices = ir.IntegerAttr(top.attributes["mhlo.num_partitions"]).value
            meshes = {}
            for op in list(self.module.body.operations):
                if op.operation.name == "sdy.mesh":
                    mesh = sdy.MeshAttr(op.attributes["mesh"])
                    axes = [(a.name, a.size) for a in map(sdy.MeshAxisAttr, mesh.axes)]
                    ids = list(mesh.device_ids) or list(range(int(np.prod([n for _, n in axes]))))
                    meshes[ir.StringAttr(op.attributes["sym_name"]).value] = axes, ids
                elif ir.StringAttr(op.attributes["sym_name"]).value == "main":
                    main = op.operation
            kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)

            def layouts(key, types):
                none = [ir.DictAttr.get({})] * len(types)
                rows = main.attributes[key] if key in main.attributes else none
                return [Layout(ir, sdy, ir.DictAttr(r), t, meshes) for r, t in zip(rows, types)]

            self.arguments = layouts("arg_attrs", kind.inputs)
            self.results = layouts("res_attrs", kind.results)
            self.make_replicas(ir)

    def make_replicas(self, ir):
        top, i32 = self.module.operation, ir.IntegerType.get_signless(32)
        for op in list(operations(top)):
            if op.name == "stablehlo.partition_id":
                at = ir.InsertionPoint(op)
                new = ir.Operation.create("stablehlo.replica_id", [op.results[0].type], ip=at)
                op.results[0].replace_all_uses_with(new.results[0])
                op.erase()
                continue
            for key in "channel_handle", "use_global_device_ids":
                if op.name.startswith("stablehlo.") and key in op.attributes:
                    del op.attributes[key]
        top.attributes["mhlo.num_partitions"] = ir.IntegerAttr.get(i32, 1)
        top.attributes["mhlo.num_replicas"] = ir.IntegerAttr.get(i32, self.devices)

    def compile(self, backend, devices):
        from jax._src import compiler
        from jax._src.lib import xla_client

        ids = np.array([d.id for d in devices]).reshape(-1, 1)
        options = compiler.get_compile_options(len(devices), 1, ids, backend=backend)
        options.executable_build_options.use_spmd_partitioning = False
        with self.context:
            return backend.compile_and_load(
                self.module, xla_client.DeviceList(tuple(devices)), options
            )


def on_devices(jax, layout, value, devices):
    """A jax.Array of which each device has its block."""
    value = typed(value, layout.element)
    blocks = [layout.block(value, i) for i in range(len(devices))]
    spec = jax.sharding.PartitionSpec(*["d"][: len(layout.local)])
    named = jax.sharding.NamedSharding(jax.sharding.Mesh(np.array(devices), ("d",)), spec)
    shape = (layout.local[0] * len(devices), *layout.local[1:]) if layout.local else ()
    shards = [jax.device_put(b, d) for b, d in zip(blocks, devices)]
    return jax.make_array_from_single_device_arrays(shape, named, shards)


def difference(got, want):
    """The largest error, relative to 1 + |want|; 1 for integers that differ."""
    if want.dtype.kind in "iub" or "int" in want.dtype.name:
        return float(np.any(got != want))
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    a, b = got.astype(wide), want.astype(wide)
    with np.errstate(invalid="ignore"):
        error = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, abs(a - b) / (1 + abs(b)))
    return float(np.max(np.where(np.isnan(error), np.inf, error), initial=0))


def run_one(options, name):
    """The largest error of the copies of all results."""
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    from jax._src import xla_bridge

    jax.config.update("jax_enable_x64", True)
    path = os.path.join(options.folder, name)
    text = subprocess.run(
        [options.tess, "partition", path + ".mlir"], check=True, capture_output=True, text=True
    )
    module, data = Module(text.stdout), np.load(path + ".npz")
    backend = xla_bridge.get_backend()
    devices = backend.devices()[: module.devices]
    program = module.compile(backend, devices)
    given = [on_devices(jax, a, data[f"in{i}"], devices) for i, a in enumerate(module.arguments)]
    shards = program.execute_sharded(given).disassemble_into_single_device_arrays()
    worst = 0.0
    for k, layout in enumerate(module.results):
        want = typed(data[f"out{k}"], layout.element)
        for i, shard in enumerate(shards[k]):
            part = want[layout.place(i)]
            got = np.asarray(shard)[tuple(slice(0, n) for n in part.shape)]
            worst = max(worst, difference(got, part))
    return worst


def judge(options, name):
    """'' or what is wrong."""
    command = [sys.executable, os.path.abspath(__file__), "--one", "--tess", options.tess]
    try:
        done = subprocess.run(
            [*command, options.folder, name], capture_output=True, text=True, timeout=300
        )
    except subprocess.TimeoutExpired:
        return "takes more than 300 seconds"
    if done.returncode:
        lines = [x for x in done.stderr.strip().splitlines() if x and not x.startswith("W")]
        return lines[-1][:300] if lines else f"exit status {done.returncode}"
    worst = float(done.stdout.split()[-1])
    most = options.tolerances.get(name, {}).get("tol", 2e-3)
    return "" if worst <= most else f"an error of {worst:.3g}, more than {most:g}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--manifest")
    parser.add_argument("--known", default="", help="programs on which XLA itself fails")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.one:
        print(run_one(options, options.names[0]))
        return
    options.tolerances = json.load(open(options.manifest)) if options.manifest else {}
    names = options.names or sorted(
        f[:-4] for f in os.listdir(options.folder) if f.endswith(".npz")
    )
    wrong = {}
    for name in names:
        wrong[name] = judge(options, name)
        print(f"{'FAILED' if wrong[name] else 'ok':7}{name}  {wrong[name]}".rstrip(), flush=True)
    failed = [n for n in names if wrong[n]]
    print(f"{len(names) - len(failed)} agree of {len(names)}")
    sys.exit(1 if set(failed) - set(options.known.split(",")) else 0)


if __name__ == "__main__":
    main()
