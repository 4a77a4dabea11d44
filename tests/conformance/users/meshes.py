"""Meshes without devices, with explicit axes, of several slices; pmap."""
# MUST slices: 512 devices, 2 collectives
# MUST explicit: True
# MUST pmap: 8 devices
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


from jax.sharding import AbstractMesh, AxisType

big = AbstractMesh((2, 16, 16), ("slice", "fsdp", "tp"))
spec = lambda *s: NamedSharding(big, P(*s))
f = jax.jit(
    lambda x, w: jnp.sum(jax.nn.relu(x @ w)),
    in_shardings=(spec(("slice", "fsdp")), spec("fsdp", "tp")),
)
types = [jax.ShapeDtypeStruct(s, jnp.bfloat16) for s in ((65536, 8192), (8192, 28672))]
report = tessera.load(f.trace(*types).lower(lowering_platforms=("tpu",))).report("v5p")
print(f"slices: {report['devices']} devices, {len(report['collectives'])} collectives")

explicit = jax.make_mesh((4, 2), ("X", "Y"), axis_types=(AxisType.Explicit,) * 2)
with jax.set_mesh(explicit):
    rng = np.random.default_rng(0)
    x = jax.device_put(rng.normal(size=(8, 16)).astype("f"), P("X", "Y"))
    w = jax.device_put(rng.normal(size=(16, 8)).astype("f"), P("Y", None))
    f = jax.jit(lambda x, w: jnp.einsum("ij,jk->ik", x, w, out_sharding=P("X", "Y")))
    program = tessera.load(f, x, w)
    got = program.run(np.asarray(x), np.asarray(w))
    print("explicit:", np.allclose(got, f(x, w), atol=1e-4))
print("pmap:", tessera.load(jax.pmap(lambda x: x * 2), np.ones((8, 2), "f")).report()["devices"], "devices")
