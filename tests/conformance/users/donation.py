"""Donated arguments, with and without shardings of the results."""
# MUST none: 0 of 524288
# MUST donated: 524288 of 524288
# MUST with out_shardings: 524288 of 524288
# MUST as XLA: True
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


def step(p, x):
    return p - 0.1 * jax.grad(lambda p: ((x @ p) ** 2).mean())(p)


p = jax.ShapeDtypeStruct((1024, 1024), jnp.float32, sharding=placed("data", "model"))
x = jax.ShapeDtypeStruct((64, 1024), jnp.float32, sharding=placed("data"))
out = {"out_shardings": placed("data", "model")}
for name, options in (
    ("none", {}),
    ("donated", {"donate_argnums": 0}),
    ("with out_shardings", {"donate_argnums": 0, **out}),
):
    memory = tessera.load(jax.jit(step, **options), p, x).report()["memory"]
    print(f"{name}: {memory['donated']} of {memory['results']}")
compiled = jax.jit(step, donate_argnums=0, **out).lower(p, x).compile()
ours = tessera.load(compiled.as_text()).report()["memory"]["donated"]
print("as XLA:", ours == compiled.memory_analysis().alias_size_in_bytes)
