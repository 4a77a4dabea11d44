"""Rates of machines at JAX's default precision, traffic as XLA fuses, last slices of stacked values."""
# MUST h100: tensor cores
# MUST traffic: within XLA's
# MUST small all-reduce over 256: below 0.1 ms
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


square = jax.ShapeDtypeStruct((8192, 8192), jnp.float32)
rows = jax.ShapeDtypeStruct((8192, 8192), jnp.float32, sharding=placed("data"))
work = tessera.load(jax.jit(lambda a, b: a @ b), rows, square).report("h100x8")["work"]
print("h100:", "tensor cores" if work["flops"] / work["compute_seconds"] > 300e12 else "no")
chain = jax.jit(lambda x: jax.nn.gelu(jax.nn.softmax(x) * 3 + x))
x = jax.ShapeDtypeStruct((4096, 4096), jnp.float32, sharding=placed("data"))
theirs = chain.lower(x).compile().cost_analysis()["bytes accessed"]
print("traffic:", "within XLA's" if tessera.load(chain, x).report()["work"]["bytes"] <= theirs else "more")
torus = jax.sharding.AbstractMesh((256,), ("data",))
total = jax.jit(jnp.sum, in_shardings=NamedSharding(torus, P("data")))
program = tessera.load(total.trace(jax.ShapeDtypeStruct((256 * 1024,), jnp.float32)).lower(
    lowering_platforms=("tpu",)))
seconds = program.report("v5p")["collectives"][0]["seconds"]
print("small all-reduce over 256:", "below 0.1 ms" if seconds < 1e-4 else seconds)
