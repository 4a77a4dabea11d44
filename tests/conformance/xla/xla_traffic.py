#!/usr/bin/env python3
"""Prints XLA's figures for a program for one device: bytes accessed after fusion, and memory.

    PYTHON-WITH-JAXLIB tests/conformance/xla/xla_traffic.py FILE cpu|cuda [DUMP]

Prints one line of JSON; DUMP gets the optimized HLO.  `cpu` is jaxlib's own compiler.  `cuda` is that of
PyPI's jax-cuda13-pjrt, which compiles for an H100 without one.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from hlo_traffic import traffic  # noqa: E402
from programs import program_text  # noqa: E402

os.environ["JAX_PLATFORMS"] = "cpu"
POINTER = 8
# What the compiler asks of a GPU: an H100 SXM as NVIDIA describes it.
H100 = """
gpu_device_info {
  threads_per_block_limit: 1024
  threads_per_warp: 32
  shared_memory_per_block: 49152
  shared_memory_per_core: 233472
  threads_per_core_limit: 2048
  core_count: 132
  fpus_per_core: 128
  block_dim_limit_x: 2147483647
  block_dim_limit_y: 65535
  block_dim_limit_z: 65535
  memory_bandwidth: 3352320000000
  l2_cache_size: 52428800
  clock_rate_ghz: 1.98
  device_memory_size: 84978434048
  shared_memory_per_block_optin: 232448
  cuda_compute_capability { major: 9 }
  registers_per_core_limit: 65536
  registers_per_block_limit: 65536
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 10 patch: 0 }
device_description_str: "NVIDIA H100 80GB HBM3"
"""


def cuda_devices(count):
    import jax_plugins.xla_cuda13
    from jax._src.lib import xla_client

    folder = os.path.dirname(jax_plugins.xla_cuda13.__file__)
    api = xla_client.load_pjrt_plugin_dynamically("cuda", f"{folder}/xla_cuda_plugin.so")
    xla_client.initialize_pjrt_plugin("cuda")
    topology = xla_client.make_c_api_device_topology(
        api, "", topology=f"1x1x{count}", target_config=H100
    )
    return topology._make_compile_only_devices()


def options_for(devices, platform):
    import numpy
    from jax._src.lib import xla_client

    options = xla_client.CompileOptions()
    options.num_replicas, options.num_partitions = 1, devices
    build = options.executable_build_options
    build.num_partitions = devices
    build.use_spmd_partitioning = build.use_shardy_partitioner = devices > 1
    where = xla_client.DeviceAssignment.create(numpy.arange(devices).reshape(1, devices))
    options.device_assignment = build.device_assignment = where
    if platform == "cuda":
        # How often the sum of a product is split is tuned on the device; without one it is guessed.
        options.env_option_overrides = [("xla_gpu_experimental_force_split_k", 1)]
    return options


def compiled(text, platform):
    import jax
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir
    from xla_memory import result_count

    devices = cuda_devices(1) if platform == "cuda" else jax.devices()[:1]
    where = xla_client.DeviceList(tuple(devices))
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        results = result_count(module)
        if platform == "cuda":
            return devices[0].client.compile(module, where, options_for(1, platform)), results
        code = mlir.module_to_bytecode(module)
    return devices[0].client.compile_and_load(code, where, options_for(1, platform)), results


def main():
    program, results = compiled(program_text(sys.argv[1]), sys.argv[2])
    hlo = program.hlo_modules()[0].to_string()
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w", encoding="utf-8") as f:
            f.write(hlo)
    stats = program.get_compiled_memory_stats()
    counted, once, kernels = traffic(hlo)
    said = program.get_cost_analysis() if hasattr(program, "get_cost_analysis") else None
    if said is None:
        try:
            said = program.cost_analysis()
        except Exception:  # the CUDA plugin has none without a device
            said = None
    said = said[0] if isinstance(said, (list, tuple)) else said
    table = POINTER * results if results != 1 else 0  # of a tuple
    print(
        json.dumps(
            {
                "counted": counted,
                "once": once,
                "said": (said or {}).get("bytes accessed"),
                "kernels": kernels,
                "loops": " while(" in hlo or " conditional(" in hlo,
                "arguments": stats.argument_size_in_bytes,
                "results": stats.output_size_in_bytes - table,
                "aliased": stats.alias_size_in_bytes,
                "temporaries": stats.temp_size_in_bytes,
            }
        )
    )


if __name__ == "__main__":
    main()
