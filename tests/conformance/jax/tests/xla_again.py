#!/usr/bin/env python3
"""xla_again.py: computes a recorded program with XLA once more, in another way.

    PYTHON-WITH-JAX tests/conformance/jax/tests/xla_again.py NAME OUT.npz DEVICES TYPES [WAY...]

NAME.mlir and NAME.npz are the program and its values; TYPES are the types of its arguments, separated
by commas.  The ways: `optimised` (recordings are made without most of the compiler's optimizations),
`rounded` (about half of the input floats are changed by one unit in the last place).

judge.py runs this if results differ: what XLA itself computes differently is not determined by the
program.  It is a process of its own, because the number of devices cannot change later, and because XLA
aborts on some programs.
"""

import os
import sys

import numpy as np
from agreement import load, typed

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../xla"))
from xla_memory import options_for  # noqa: E402


def rounded(array):
    """The array with about half of its floats one unit further from zero."""
    if array.dtype.kind == "c":
        return (rounded(array.real) + 1j * rounded(array.imag)).astype(array.dtype)
    if array.dtype.kind != "f" and array.dtype.name != "bfloat16":
        return array
    array = np.ascontiguousarray(array)
    bits = array.view({2: np.uint16, 4: np.uint32, 8: np.uint64}[array.dtype.itemsize])
    chosen = np.random.default_rng(1).random(array.shape) < 0.5
    chosen &= np.isfinite(array) & (array != 0)
    return np.where(chosen, bits + bits.dtype.type(1), bits).view(array.dtype)


def compiled(text, devices, optimised):
    import jax
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir
    from jaxlib.cpu import _lapack

    _lapack.initialize()  # fills in the functions of LAPACK's custom calls
    options = options_for(devices)
    if not optimised:
        debug = options.executable_build_options.debug_options
        debug.xla_backend_optimization_level = 0
        debug.xla_llvm_disable_expensive_passes = True
    where = xla_client.DeviceList(tuple(jax.devices()[:devices]))
    with mlir.make_ir_context():
        code = mlir.module_to_bytecode(ir.Module.parse(text))
    return jax.devices()[0].client.compile_and_load(code, where, options)


def shardings(executable, devices, inputs):
    """The sharding of each argument or result."""
    import jax
    from jax.sharding import SingleDeviceSharding
    from jax._src.sharding_impls import GSPMDSharding

    where = tuple(jax.devices()[:devices])
    found = executable.get_parameter_shardings() if inputs else executable.get_output_shardings()
    if devices == 1 or found is None:
        return lambda i: SingleDeviceSharding(where[0])
    return lambda i: GSPMDSharding(where, found[i])


def executed(executable, devices, inputs, shapes):
    """The whole results, which have these shapes."""
    import jax

    into, out_of = (shardings(executable, devices, side) for side in (True, False))
    arguments = [jax.device_put(a, into(i)) for i, a in enumerate(inputs)]
    parts = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
    return [
        jax.make_array_from_single_device_arrays(shape, out_of(i), parts[i])
        for i, shape in enumerate(shapes)
    ]


def storable(array):
    array = np.asarray(array)
    plain = array.dtype.num < 256 and array.dtype.kind != "V"
    return array if plain else array.view({1: np.uint8, 2: np.uint16}[array.dtype.itemsize])


def main():
    name, out, devices, types, *ways = sys.argv[1:]
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    os.environ["JAX_ENABLE_X64"] = "1"  # else the arguments' types would change
    values = load(name + ".npz")
    inputs = [typed(values[f"in{i}"], t) for i, t in enumerate(types.split(",") if types else [])]
    if "rounded" in ways:
        inputs = [rounded(a) for a in inputs]
    shapes = [values[f"out{i}"].shape for i in range(len(values) - len(inputs))]
    with open(name + ".mlir", encoding="utf-8") as file:
        executable = compiled(file.read(), int(devices), "optimised" in ways)
    results = executed(executable, int(devices), inputs, shapes)
    np.savez(out, **{f"out{i}": storable(r) for i, r in enumerate(results)})


if __name__ == "__main__":
    main()
