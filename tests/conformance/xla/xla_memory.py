#!/usr/bin/env python3
"""Prints what XLA's CPU compiler says about a program: memory, and the collectives in its HLO.

    PYTHON-WITH-JAXLIB tests/conformance/xla/xla_memory.py FILE DEVICES

Prints one line of JSON.  memory.py runs this for each program, in a process of its own: the
number of virtual devices is fixed when jaxlib starts, and some programs abort it.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from programs import program_text  # noqa: E402

SIZE = {
    "pred": 1,
    "s8": 1,
    "u8": 1,
    "s16": 2,
    "u16": 2,
    "bf16": 2,
    "f16": 2,
    "s32": 4,
    "u32": 4,
    "f32": 4,
    "s64": 8,
    "u64": 8,
    "f64": 8,
    "c64": 8,
    "c128": 16,
}
COLLECTIVE = re.compile(
    r"\s*(?:ROOT )?%?\S+ = (.*?) (all-reduce|all-gather|reduce-scatter|"
    r"all-to-all|collective-permute)(?:-start)?\("
)
POINTER = 8


def options_for(devices):
    import numpy
    from jax._src.lib import xla_client

    options = xla_client.CompileOptions()
    options.num_replicas, options.num_partitions = 1, devices
    build = options.executable_build_options
    build.use_spmd_partitioning = build.use_shardy_partitioner = True
    build.num_partitions = devices
    assignment = xla_client.DeviceAssignment.create(numpy.arange(devices).reshape(1, devices))
    options.device_assignment = build.device_assignment = assignment
    return options


def result_count(module):
    from jax._src.lib.mlir import ir

    main = [
        f
        for f in module.body.operations
        if "sym_name" in f.attributes and ir.StringAttr(f.attributes["sym_name"]).value == "main"
    ][0]
    return len(ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value).results)


def bytes_of(text):
    """Of "f32[8,16]{1,0}", or a tuple of such."""
    total = 0
    for kind, dims in re.findall(r"(\w+)\[([\d,]*)\]", text):
        size = SIZE.get(kind, 1)
        for d in dims.split(","):
            size *= int(d) if d else 1
        total += size
    return total


def collectives_in(hlo):
    """{"all-reduce": [how many, bytes of their results]}"""
    found = {}
    for line in hlo.splitlines():
        match = COLLECTIVE.match(line)
        if match:
            entry = found.setdefault(match.group(2), [0, 0])
            entry[0] += 1
            entry[1] += bytes_of(match.group(1))
    return found


def compiled(text, devices):
    """(executable, number of results)"""
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    import jax
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir

    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        results, code = result_count(module), mlir.module_to_bytecode(module)
    where = xla_client.DeviceList(tuple(jax.devices()))
    return jax.devices()[0].client.compile_and_load(code, where, options_for(devices)), results


def main():
    executable, results = compiled(program_text(sys.argv[1]), int(sys.argv[2]))
    stats = executable.get_compiled_memory_stats()
    table = POINTER * results if results != 1 else 0  # of a tuple
    print(
        json.dumps(
            {
                "arguments": stats.argument_size_in_bytes,
                "results": stats.output_size_in_bytes - table,
                "aliased": stats.alias_size_in_bytes,
                "temporaries": stats.temp_size_in_bytes,
                "collectives": collectives_in(executable.hlo_modules()[0].to_string()),
            }
        )
    )


if __name__ == "__main__":
    main()
