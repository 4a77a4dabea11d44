"""The devices on which the scripts beside this one train: 8 CPU devices, in one process, or in several with
--processes N --process K --port P.

`mesh` has these devices, 4 over `data` and 2 over `model`; `process` is the number of this process.
"""

import argparse

import jax

parser = argparse.ArgumentParser()
parser.add_argument("--processes", type=int, default=1)
parser.add_argument("--process", type=int, default=0)
parser.add_argument("--port", type=int, default=18700)
options = parser.parse_args()
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_num_cpu_devices", 8 // options.processes)
if options.processes > 1:
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"localhost:{options.port}", options.processes, options.process)
mesh = jax.make_mesh((4, 2), ("data", "model"), (jax.sharding.AxisType.Auto,) * 2)
process = options.process
