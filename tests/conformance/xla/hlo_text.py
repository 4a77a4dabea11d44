#!/usr/bin/env python3
"""Compares `tess hlo` with jaxlib's own printing of HLO text.

    PYTHON-WITH-JAX tests/conformance/xla/hlo_text.py --tess build/tess FILE-OR-FOLDER...

Each MLIR module is lowered to HLO, and compiled for 8 host devices, by jaxlib; both texts
are printed in full, then read by tess and printed without metadata, and in canonical form.
The collectives that `tess hlo --stats` counts are compared with a count over the text, and
for compiled modules, which are partitioned, those of `tess report`.
Prints what differs with -v, a line per module, and the totals; the exit status is 1 if
fewer than --percent of the texts agree.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys

COLLECTIVES = (
    "all-gather",
    "all-reduce",
    "all-to-all",
    "collective-broadcast",
    "collective-permute",
    "ragged-all-to-all",
    "reduce-scatter",
)


def texts_of(path):
    """[(kind, full text, {style: expected})]; runs in a process of its own."""
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
    import numpy
    from jax._src import compiler, xla_bridge
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    from jaxlib import _hlo, _jax

    def printed(module):
        plain = _hlo.HloPrintOptions()
        plain.print_metadata = False
        return {
            "default": module.to_string(plain),
            "canonical": module.to_string(_hlo.HloPrintOptions.canonical()),
        }

    text = open(path).read()
    lowered = _jax.mlir.mlir_module_to_xla_computation(
        text, use_tuple_args=False, return_tuple=False
    ).get_hlo_module()
    found = [("lowered", lowered.to_string(), printed(lowered))]
    client = xla_bridge.get_backend("cpu")
    options = compiler.get_compile_options(
        num_replicas=1, num_partitions=8, device_assignment=numpy.arange(8).reshape(1, 8)
    )
    options.executable_build_options.use_spmd_partitioning = True
    options.executable_build_options.use_shardy_partitioner = True
    with mlir.make_ir_context():
        executable = client.compile_and_load(
            ir.Module.parse(text), _jax.DeviceList(tuple(client.devices()[:8])), options
        )
    compiled = executable.hlo_modules()[0]
    found.append(("compiled", compiled.to_string(), printed(compiled)))
    return found


def run(tess, arguments, text):
    return subprocess.run(
        tess + ["hlo", "-"] + arguments, input=text, capture_output=True, text=True
    )


def count_collectives(text):
    """Instructions, not computations; a pair of start and done counts once."""
    counts = {}
    for name in re.findall(r" ([a-z-]+)\(", text):
        name = name.removesuffix("-start")
        if name in COLLECTIVES:
            counts[name] = counts.get(name, 0) + 1
    return counts


def reported(tess, command, text, key, read):
    """Counts by opcode of what a command's JSON lists as collectives; None if it fails."""
    done = subprocess.run(
        tess + command + ["--json", "-"], input=text, capture_output=True, text=True
    )
    if done.returncode:
        return None
    counts = {}
    for collective in json.loads(done.stdout)["collectives"]:
        opcode = read(collective[key])
        counts[opcode] = counts.get(opcode, 0) + 1
    return counts


def differences(tess, kind, text, wanted):
    problems = []
    for style, want in wanted.items():
        extra = ["--no-metadata"] if style == "default" else ["--style", style]
        got = run(tess, extra, text)
        if got.returncode or got.stdout != want:
            lines = difflib.unified_diff(
                want.splitlines(), got.stdout.splitlines(), lineterm="", n=0
            )
            problems.append(f"{style}: {got.stderr}" + "\n".join(list(lines)[:8]))
    counted = count_collectives(text)
    stats = reported(tess, ["hlo", "--stats"], text, "opcode", str)
    if stats != counted:
        problems.append(f"hlo --stats: {stats}, in the text {counted}")
    report = reported(tess, ["report"], text, "op", lambda op: op.split(".")[-1].replace("_", "-"))
    if report is None or kind == "compiled" and report != counted:
        problems.append(f"report: {report}, in the text {counted}")
    return problems


def keep(folder, path, kind, text):
    if folder:
        os.makedirs(folder, exist_ok=True)
        name = os.path.basename(path).removesuffix(".mlir")
        with open(os.path.join(folder, f"{name}.{kind}.hlo"), "w") as f:
            f.write(text)


def modules_in(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(
                os.path.join(path, f) for f in os.listdir(path) if f.endswith(".mlir")
            )
        else:
            yield path


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--percent", type=float, default=98)
    parser.add_argument("-v", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER", help="write jaxlib's texts there")
    parser.add_argument("--texts", help=argparse.SUPPRESS)  # of one module, for a child process
    parser.add_argument("paths", nargs="*")
    arguments = parser.parse_args()
    if arguments.texts:
        json.dump(texts_of(arguments.texts), sys.stdout)
        return 0
    agree = total = 0
    for path in modules_in(arguments.paths):
        child = subprocess.run(
            [sys.executable, __file__, "--texts", path], capture_output=True, text=True
        )
        if child.returncode:
            print(f"{path}: jaxlib fails: {(child.stderr.strip().splitlines() or ['it dies'])[-1]}")
            continue
        for kind, text, wanted in json.loads(child.stdout):
            keep(arguments.keep, path, kind, text)
            problems = differences(arguments.tess.split(), kind, text, wanted)
            total += 1
            agree += not problems
            print(f"{os.path.basename(path)} {kind}: {'differs' if problems else 'same'}")
            if arguments.v:
                print("\n".join(problems))
    print(f"{agree} of {total} texts agree")
    return 1 if not total or 100 * agree < arguments.percent * total else 0


sys.exit(main())
