"""A scalar as the first argument: JAX then declares an empty mesh first."""
# MUST counter: 8 devices
# MUST adam: 8 devices over data, model
# MUST named: 8 devices
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


def devices(program):
    return f"{program.report()['devices']} devices"


x = jax.device_put(np.ones((8, 8), "f"), placed("data"))
w = jax.device_put(np.ones((8, 4), "f"), placed(None, "model"))
print("counter:", devices(tessera.load(jax.jit(lambda c, x: (c + 1, x * 2)), 0, x)))

state = {"count": jnp.zeros([], jnp.int32), "mu": w, "nu": w}
step = jax.jit(lambda s, w, x: ({**s, "count": s["count"] + 1}, w * x.sum() + s["mu"]))
program = tessera.load(step, state, w, x)
print("adam:", devices(program), "over", ", ".join(program.report()["mesh"]))
print("named:", devices(program.with_mesh({"data": 2, "model": 4})))
