"""xla_modules.py: the HLO that jaxlib makes of MLIR modules, for the scripts of tests/conformance.

Made in a process of its own for each module: XLA's flags are read once, and a failed check ends the
process."""

import os

DEVICES = 8


def files_in(paths, end=".mlir"):
    """Files as they are; of folders, those with this ending."""
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(os.path.join(path, f) for f in os.listdir(path) if f.endswith(end))
        else:
            yield path


def keep(folder, path, kind, data):
    """Writes NAME.KIND of NAME.mlir into the folder, if there is one."""
    if folder:
        os.makedirs(folder, exist_ok=True)
        name = os.path.basename(path).removesuffix(".mlir")
        with open(os.path.join(folder, f"{name}.{kind}"), "wb") as file:
            file.write(data)


def lowered_and_compiled(path):
    """[(kind, HloModule)]: before XLA's passes, and after compilation for 8 host devices."""
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    import numpy
    from jax._src import compiler, xla_bridge
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    from jaxlib import _jax

    with open(path, encoding="utf-8") as file:
        text = file.read()
    lowered = _jax.mlir.mlir_module_to_xla_computation(
        text, use_tuple_args=False, return_tuple=False
    ).get_hlo_module()
    client = xla_bridge.get_backend("cpu")
    options = compiler.get_compile_options(
        num_replicas=1,
        num_partitions=DEVICES,
        device_assignment=numpy.arange(DEVICES).reshape(1, DEVICES),
    )
    options.executable_build_options.use_spmd_partitioning = True
    options.executable_build_options.use_shardy_partitioner = True
    with mlir.make_ir_context():
        executable = client.compile_and_load(
            ir.Module.parse(text), _jax.DeviceList(tuple(client.devices()[:DEVICES])), options
        )
    return [("lowered", lowered), ("compiled", executable.hlo_modules()[0])]
