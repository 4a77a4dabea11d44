"""The peak memory of a training step from the HLO text that XLA made of it: layers in a scan, remat, Adam."""
# MUST donated: within 15 % of XLA's
# MUST not donated: within 15 % of XLA's
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))
WIDTH, HIDDEN, WORDS, LAYERS = 1024, 4096, 32000, 8


def struct(shape, spec, kind=jnp.float32):
    return jax.ShapeDtypeStruct(shape, kind, sharding=NamedSharding(mesh, P(*spec)))


params = {
    "table": struct((WORDS, WIDTH), ("model", "data")),
    "qkv": struct((LAYERS, WIDTH, 3 * WIDTH), (None, "data", "model")),
    "o": struct((LAYERS, WIDTH, WIDTH), (None, "model", "data")),
    "up": struct((LAYERS, WIDTH, HIDDEN), (None, "data", "model")),
    "down": struct((LAYERS, HIDDEN, WIDTH), (None, "model", "data")),
}


def layer(x, w):
    batch, length, _ = x.shape
    heads = (x @ w["qkv"].astype(x.dtype)).reshape(batch, length, 3, 8, -1)
    q, k, v = heads[:, :, 0], heads[:, :, 1], heads[:, :, 2]
    scores = jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32)
    mixed = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores).astype(x.dtype), v)
    x = x + mixed.reshape(x.shape) @ w["o"].astype(x.dtype)
    return x + jax.nn.silu(x @ w["up"].astype(x.dtype)) @ w["down"].astype(x.dtype), None


def loss(params, tokens):
    x = params["table"][tokens].astype(jnp.bfloat16)
    x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("data")))
    layers = {name: w for name, w in params.items() if name != "table"}
    x, _ = jax.lax.scan(jax.checkpoint(layer), x, layers)
    logits = (x @ params["table"].astype(x.dtype).T).astype(jnp.float32)
    picked = jnp.take_along_axis(logits, tokens[..., None], -1)[..., 0]
    return (jax.nn.logsumexp(logits, -1) - picked).mean()


def step(params, mean, square, tokens):
    value, grads = jax.value_and_grad(loss)(params, tokens)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, grads)
    square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, square, grads)
    params = jax.tree.map(lambda p, m, s: p - 1e-3 * m / (jnp.sqrt(s) + 1e-8), params, mean, square)
    return params, mean, square, value


tokens = struct((32, 512), ("data",), jnp.int32)
for name, options in (("donated", {"donate_argnums": (0, 1, 2)}), ("not donated", {})):
    compiled = jax.jit(step, **options).lower(params, params, params, tokens).compile()
    m = compiled.memory_analysis()
    theirs = m.argument_size_in_bytes + m.output_size_in_bytes + m.temp_size_in_bytes
    theirs -= m.alias_size_in_bytes
    ours = tessera.load(compiled.as_text()).report()["memory"]["peak"]
    off = ours / theirs - 1
    print(f"{name}: {'within 15 %' if abs(off) < 0.15 else 'not within 15 %'} of XLA's, {off:+.1%}")
