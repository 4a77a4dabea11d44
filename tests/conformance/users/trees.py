"""Pytrees, unused arguments, typed keys, static arguments."""
# MUST tree: (4, 8) 16.0
# MUST key: True
# MUST static: True
# MUST specs: P…'model', 'data') None
# MUST partition spec: 0.0
# MUST mesh of JAX: {'data': 2, 'model': 4}
# MUST names: 6 of 6
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


params = {"w": np.ones((16, 8), "f"), "b": np.zeros(8, "f")}
x = np.ones((4, 16), "f")
affine = jax.jit(lambda params, x, unused: {"y": x @ params["w"] + params["b"]})
y = tessera.load(affine, params, x, np.ones(3, "f")).run(params, x, np.ones(3, "f"))["y"]
print("tree:", y.shape, float(y[0, 0]))

noisy = jax.jit(lambda key, x: x + jax.random.normal(key, x.shape))
key, sharded = jax.random.key(0), jax.device_put(np.ones((8, 8), "f"), placed("data"))
same = np.allclose(tessera.load(noisy, key, sharded).run(key, sharded), noisy(key, sharded), atol=1e-5)
print("key:", same)

times = jax.jit(lambda x, n: x * n, static_argnums=1)
print("static:", bool((tessera.load(times, sharded, 3).run(sharded, 3) == 3).all()))

w = jax.ShapeDtypeStruct((16, 8), jnp.float32, sharding=placed("model", "data"))
product = tessera.load(jax.jit(lambda params, x, unused: x @ params["w"]), {"w": w}, x, 1.0)
takes, _ = product.specs
print("specs:", takes[0][0]["w"], takes[0][2])

changed = product.constrain("params['w']", P("model", None)).with_input(1, P())
print("partition spec:", float(np.abs(changed.run({"w": params["w"]}, x, 1.0) - 16).max()))
wide = product.with_mesh(Mesh(mesh.devices.reshape(2, 4), ("data", "model")))
print("mesh of JAX:", wide.report()["mesh"])
names = ("params['w']", "params/w", "params.w", "params.w.value", "w", "arg:0")
print("names:", sum("16,8" in str(product.explain(n)) for n in names), "of", len(names))
