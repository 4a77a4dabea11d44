"""Host memory, and what rematerialized layers share."""
# MUST host: 1048576 of arguments, 0 on the device
# MUST mask: once
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


host = NamedSharding(mesh, P("data"), memory_kind="pinned_host")
moved = jax.jit(lambda x: jax.device_put(x, jax.memory.Space.Device) * 2, in_shardings=host)
memory = tessera.load(moved, jax.ShapeDtypeStruct((1024, 1024), jnp.float32)).report()["memory"]
print(f"host: {memory['host']['arguments']} of arguments, {memory['arguments']} on the device")


def loss(weights, x):
    mask = jnp.broadcast_to(jnp.tril(jnp.ones((256, 256), bool))[None], (x.shape[0], 256, 256))

    @jax.checkpoint
    def layer(x, w, mask):
        scores = jnp.where(mask, jnp.einsum("btd,bsd->bts", x @ w, x), -1e30)
        return x + jnp.einsum("bts,bsd->btd", jax.nn.softmax(scores), x)

    for w in weights:
        x = layer(x, w, mask)
    return (x**2).mean()


def mask_bytes(layers):
    weights = [jax.ShapeDtypeStruct((32, 32), jnp.float32)] * layers
    x = jax.ShapeDtypeStruct((64, 256, 32), jnp.float32, sharding=placed("data"))
    rows = tessera.load(jax.jit(jax.grad(loss)), weights, x).report()["memory"]["at_peak"]
    return sum(row["bytes"] for row in rows if "i1[" in str(row.get("type")))


print("mask:", "once" if mask_bytes(2) == mask_bytes(8) else "once for each layer")
