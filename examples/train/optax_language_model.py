"""Trains a small language model with optax on 8 devices: the batch over `data`, heads and hidden
features over `model`.

    python3 optax_language_model.py

Prints the loss of each step.  Two lines hand the steps to tessera: `import tessera`, and
`partial(tessera.jit, …)` instead of `partial(jax.jit, …)`.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
from devices import mesh, process
from jax.sharding import NamedSharding, PartitionSpec as P

VOCABULARY, WIDTH, HEADS, LAYERS, LENGTH, BATCH = 64, 32, 4, 2, 16, 16
SPECS = {
    "embed": P(None, None),
    "qkv": P(None, None, None, "model", None),
    "out": P(None, "model", None, None),
    "up": P(None, None, "model"),
    "down": P(None, "model", None),
}
SHAPES = {
    "embed": (VOCABULARY, WIDTH),
    "qkv": (LAYERS, WIDTH, 3, HEADS, WIDTH // HEADS),
    "out": (LAYERS, HEADS, WIDTH // HEADS, WIDTH),
    "up": (LAYERS, WIDTH, 4 * WIDTH),
    "down": (LAYERS, 4 * WIDTH, WIDTH),
}
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))


def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6)


def layer(x, p):
    q, k, v = jnp.einsum("blw,wthd->tblhd", norm(x), p["qkv"])
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(WIDTH // HEADS)
    scores = jnp.where(jnp.tril(jnp.ones((LENGTH, LENGTH), bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
    x = x + jnp.einsum("bqhd,hdw->bqw", mixed, p["out"])
    return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"], None


def loss_of(params, tokens):
    x, _ = jax.lax.scan(
        layer, params["embed"][tokens[:, :-1]], {k: params[k] for k in SPECS if k != "embed"}
    )
    logits = norm(x) @ params["embed"].T
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, state, tokens):
    loss, gradients = jax.value_and_grad(loss_of)(params, tokens)
    updates, state = optimizer.update(gradients, state, params)
    return optax.apply_updates(params, updates), state, loss


def batches(count):
    rng = np.random.default_rng(0)
    for _ in range(count):
        start = rng.integers(0, VOCABULARY, (BATCH, 1))
        yield ((start + 3 * np.arange(LENGTH + 1)) % VOCABULARY).astype(np.int32)


def main():
    rng = np.random.default_rng(1)
    params = {
        name: jax.device_put(
            (rng.normal(size=shape) / np.sqrt(WIDTH)).astype(np.float32),
            NamedSharding(mesh, SPECS[name]),
        )
        for name, shape in SHAPES.items()
    }
    state = optimizer.init(params)
    for tokens in batches(20):
        tokens = jax.device_put(tokens, NamedSharding(mesh, P("data")))
        params, state, loss = train_step(params, state, tokens)
        if process == 0:
            print(f"{float(loss):.7f}", flush=True)


main()
