#!/usr/bin/env python3
"""Checks that XLA computes the same from random programs as tessera partitions them, and whole.

    PYTHON tests/conformance/xla/random_xla.py [--build build] [--seed N] [--count N]
        [--ways replicas,manual]

The programs are those of the property test (`partition_property --print`).  The expected results are those of
`tess run --devices 1`.  XLA must agree on the unpartitioned program first; otherwise the program cannot be
judged, and is counted ("differs").  All of 36 such programs among 710 are of three kinds: XLA drops the initial
value of a reduction of one element; it leaves out a whole scatter window that is partly beyond the end, where
StableHLO leaves out only the elements beyond; and for a scatter with two operands that are one value, it
computes both results wrong, or crashes.

Programs that XLA does not compile whole, that it reports as not implemented, or that cannot be one manual
computation are refused, and counted.  Programs run in batches; an abort of XLA costs one program.  The exit
status is 1 if one is wrong.
"""

import argparse
import collections
import os
import subprocess
import sys
import tempfile

import numpy as np
import ways

BATCH = 25
TOLERANCE = 1e-4


def without_shardings(text):
    """The module as one device runs it."""
    from jax._src.lib.mlir import ir

    module = ways.Module.__new__(ways.Module)
    module.__init__(annotated(text))
    top = module.module.operation
    with module.context:
        for op in list(operations(top)):
            if op.name in ("sdy.sharding_constraint", "sdy.propagation_barrier"):
                op.results[0].replace_all_uses_with(op.operands[0])
                op.erase()
            elif op.name in ("sdy.sharding_group", "sdy.mesh"):
                op.erase()
            else:
                for key in "sdy.sharding", "arg_attrs", "res_attrs":
                    if key in op.attributes:
                        del op.attributes[key]
        one = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 1)
        top.attributes["mhlo.num_partitions"] = one
        return str(module.module)


def with_whole_ends(text):
    """The module with arguments and results that every device has whole: XLA would shard those with open
    dimensions as it likes."""
    from jax._src.lib.mlir import ir

    module = ways.Module.__new__(ways.Module)
    module.__init__(text)
    with module.context:
        body = list(module.module.body.operations)
        main = next(op for op in body if op.operation.name == "func.func" and op.name.value == "main")
        meshes = (op for op in body if op.operation.name == "sdy.mesh" and "=" in str(op.mesh))
        mesh = next(meshes).sym_name.value
        for key, types in ("arg_attrs", main.type.inputs), ("res_attrs", main.type.results):
            ends = []
            for type_ in types:
                dims = ", ".join(["{}"] * ir.RankedTensorType(type_).rank)
                ends.append(f"{{sdy.sharding = #sdy.sharding<@{mesh}, [{dims}]>}}")
            main.attributes[key] = ir.Attribute.parse(f"[{', '.join(ends)}]")
        return str(module.module)


def annotated(text, devices=1):
    """With counts of devices, which tess does not need."""
    counts = f"attributes {{mhlo.num_partitions = {devices} : i32, mhlo.num_replicas = 1 : i32}}"
    return text.replace("module {", f"module {counts} {{", 1)


def operations(op):
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                yield from operations(inner.operation)
                yield inner.operation


def inputs_of(layouts, seed):
    """Small whole numbers, so that sums are exact."""
    rng = np.random.default_rng(seed)
    return [rng.integers(-4, 5, a.shape).astype(ways.type_of(a.element)) for a in layouts]


def run_whole(options, path, text, values):
    """The results, as `tess run --devices 1` computes them."""
    with tempfile.TemporaryDirectory() as folder:
        given, back = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
        np.savez(given, **{f"in{i}": v for i, v in enumerate(values)})
        command = [options.tess, "run", "--devices", "1", path, "--inputs", given]
        subprocess.run([*command, "--outputs", back], check=True, capture_output=True)
        data = np.load(back)
        return [data[f"out{i}"] for i in range(len(data))]


def xla_computes(options, path, text, values, whole):
    """Whether XLA computes the same of the program itself: on one device, or, with a manual
    computation, on those that it needs, by XLA's own partition."""
    if "sdy.manual_computation" in text:
        devices = ways.Module(ways.partitioned(options.tess, path, "replicas")).replicas
        found = ways.Program(with_whole_ends(annotated(text, devices))).run(values)
    else:
        found = ways.Program(without_shardings(text)).run(values)
    return ways.worst_of(found, whole) <= TOLERANCE


def try_seed(options, seed, folder):
    """Lines: what happened to the program, whole and in each way."""
    generator = os.path.join(options.build, "tests/property/partition_property")
    command = [generator, "--print", "--seed", str(seed), "--count", "1"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    path = os.path.join(folder, f"{seed}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    try:
        values = inputs_of(ways.Module(annotated(text)).arguments, seed)
        whole = run_whole(options, path, text, values)
        if not xla_computes(options, path, text, values, whole):
            yield "whole", "differs"
            return
    except Exception as error:
        yield "whole", f"refused: {short(error)}"
        return
    for way in options.ways.split(","):
        print("TRY", seed, way, flush=True)
        try:
            program = ways.made(options.tess, path, way)
            worst = ways.worst_of(program.run(values), whole)
            yield way, "agrees" if worst <= TOLERANCE else f"WRONG by {worst:.3g}"
        except subprocess.CalledProcessError as error:
            yield way, f"refused: {short(error.stderr)}"
        except Exception as error:
            unsupported = "UNIMPLEMENTED" in str(error)
            yield way, f"{'refused' if unsupported else 'FAILED'}: {short(error)}"


def short(error):
    return f"{error}".strip().replace("\n", " ")[:200]


def run_batch(options):
    ways.start()
    os.environ["XLA_FLAGS"] += " --xla_backend_optimization_level=0"
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            print("TRY", seed, "whole", flush=True)
            for way, what in try_seed(options, seed, folder):
                print("WAY", seed, way, what, flush=True)


def batches(options):
    """Lines of all programs, in processes of their own; one that dies goes on behind the program."""
    seed, end = options.seed, options.seed + options.count
    while seed < end:
        count = min(BATCH, end - seed)
        command = [sys.executable, os.path.abspath(__file__), "--batch", "--build", options.build]
        command += ["--ways", options.ways, "--seed", str(seed), "--count", str(count)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=900)
            output, status = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            output, status = (late.stdout or b"").decode(), "time-out"
        lines = output.splitlines()
        yield from (x.split(" ", 3)[1:] for x in lines if x.startswith("WAY "))
        seed += count
        if status:  # in the last of these; where XLA dies of the program itself nobody can judge it
            tries = [line.split() for line in lines if line.startswith("TRY ")]
            at, way = tries[-1][1:] if tries else (str(seed - count), "process")
            yield at, way, f"{'refused' if way == 'whole' else 'FAILED'}: {status}"
            seed = int(at) + 1


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default="build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--ways", default="replicas,manual")
    parser.add_argument("--batch", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.tess = os.path.join(options.build, "tess")
    if options.batch:
        run_batch(options)
        return
    counts = collections.defaultdict(collections.Counter)
    for seed, way, what in batches(options):
        counts[way][what.split(":")[0].split(" ")[0]] += 1
        if what != "agrees":
            print(f"{seed} {way} {what}", flush=True)
    for way, found in counts.items():
        print(f"{way}: " + ", ".join(f"{n} {what}" for what, n in sorted(found.items())))
    good = sum(found["agrees"] for found in counts.values())
    bad = sum(found["WRONG"] + found["FAILED"] for found in counts.values())
    print(f"{good} agree, {bad} wrong or failed")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
