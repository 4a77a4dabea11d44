"""What can be loaded: functions, stages, jaxprs, exports, bytes, compiled executables."""
# MUST plain: 12.0
# MUST lowered: 12.0
# MUST traced: 12.0
# MUST jaxpr: 12.0
# MUST exported: 12.0
# MUST bytes: 12.0
# MUST compiled: 1 collectives over data at sources.py:
# NEEDS flatbuffers
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


from jax import export


def f(x, w):
    return (x @ w).sum()


x, w = np.ones((2, 3), "f"), np.full((3, 1), 2, "f")
jitted = jax.jit(f)
exported = export.export(jitted)(x, w)
for name, source in (
    ("plain", (f, x, w)),
    ("lowered", (jitted.lower(x, w),)),
    ("traced", (jitted.trace(x, w),)),
    ("jaxpr", (jax.make_jaxpr(f)(x, w),)),
    ("exported", (exported,)),
    ("bytes", (bytes(exported.serialize()),)),
):
    out = tessera.load(*source).run(x, w)
    print(f"{name}: {float(out[0] if isinstance(out, list) else out)}")
spread = jax.jit(f, in_shardings=(placed("data"), placed()))
compiled = spread.lower(np.ones((8, 16), "f"), np.ones((16, 4), "f")).compile()
row = tessera.load(compiled).report()["collectives"]
print(f"compiled: {len(row)} collectives over {row[0]['axes']} at {row[0]['source']}")
