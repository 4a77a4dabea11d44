"""Element types that NumPy does not have: as inputs, as results, and in memory figures."""
# MUST bfloat16: 16 bytes, (16, 8), agrees
# MUST float8_e4m3fn: 8 bytes, (16, 8), agrees
# MUST int4: 4 bytes, (16, 8), agrees
# MUST float4_e2m1fn: 4 bytes, (16, 8), agrees
# MUST bool: 8 bytes, (16, 8), agrees
# MUST complex64: 64 bytes, (16, 8), agrees
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


twice = jax.jit(lambda x: jnp.concatenate([x, x]))
for kind in ("bfloat16", "float8_e4m3fn", "int4", "float4_e2m1fn", "bool", "complex64"):
    x = jax.device_put(jnp.ones((8, 8), kind), placed("data", "model"))
    program = tessera.load(twice, x)
    out = program.run(np.asarray(x))
    right = out.dtype == x.dtype and all(c.agree for c in program.verify(np.asarray(x)))
    size = program.report()["memory"]["arguments"]
    print(f"{kind}: {size} bytes, {out.shape}, {'agrees' if right else 'differs'}")
