#!/usr/bin/env python3
"""train_transformer.c in JAX: the same parameters, data, types and steps.

  train_transformer.py                       prints the loss of each step, one per line

train_transformer.losses is its output with jax 0.11.1; train_transformer.c compares its own losses
with that, step by step.
"""

import math, os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

BATCH, LENGTH, VOCABULARY, WIDTH, HEADS, HEAD, HIDDEN, STEPS = 8, 8, 16, 16, 2, 8, 32, 60
SHAPES = {
    "embed": ((VOCABULARY, WIDTH), P(None, None), 0.5),
    "place": ((LENGTH, WIDTH), P(None, None), 0.5),
    "query": ((WIDTH, HEADS, HEAD), P(None, "Y", None), 0.25),
    "key": ((WIDTH, HEADS, HEAD), P(None, "Y", None), 0.25),
    "value": ((WIDTH, HEADS, HEAD), P(None, "Y", None), 0.25),
    "out": ((HEADS, HEAD, WIDTH), P("Y", None, None), 0.25),
    "up": ((WIDTH, HIDDEN), P(None, "Y"), 0.25),
    "down": ((HIDDEN, WIDTH), P("Y", None), 0.18),
    "unembed": ((WIDTH, VOCABULARY), P(None, None), 0.25),
}
ROWS = P("X", None, None)


def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-5)


def attention(p, mask, x):
    q, k, v = (jnp.einsum("btd,dhk->bthk", x, p[name]) for name in ("query", "key", "value"))
    scores = jnp.einsum("bthk,bshk->bhts", q, k) * (1 / math.sqrt(HEAD))
    mixed = jnp.einsum("bhts,bshk->bthk", jax.nn.softmax(scores + mask), v)
    return jnp.einsum("bthk,hkd->btd", mixed, p["out"], out_sharding=ROWS)


def feed_forward(p, x):
    up = jax.nn.gelu(jnp.einsum("btd,df->btf", x, p["up"]))
    return jnp.einsum("btf,fd->btd", up, p["down"], out_sharding=ROWS)


def loss(p, tokens, targets, mask):
    x = jnp.einsum("btv,vd->btd", tokens, p["embed"]) + p["place"]
    x = x + attention(p, mask, norm(x))
    x = x + feed_forward(p, norm(x))
    logits = jnp.einsum("btd,dv->btv", norm(x), p["unembed"])
    return jnp.sum(jax.nn.log_softmax(logits) * targets) * (-1.0 / (BATCH * LENGTH))


@jax.jit
def step(state, tokens, targets, mask, rate):
    p, m, v = state
    value, g = jax.value_and_grad(loss)(p, tokens, targets, mask)
    m = jax.tree.map(lambda m, g: m * 0.9 + g * 0.1, m, g)
    v = jax.tree.map(lambda v, g: v * 0.999 + g * g * 0.001, v, g)
    p = jax.tree.map(lambda p, m, v: p - rate * (m / (jnp.sqrt(v) + 1e-8)), p, m, v)
    return value, (p, m, v)


def noise():
    """Yields the same numbers as the C program: in -1 … 1, the same on every machine."""
    seed = 7
    while True:
        seed = (seed * 1664525 + 1013904223) % 2**32
        yield (seed >> 8) / (1 << 23) - 1


def one_hot(shift):
    data = np.zeros((BATCH, LENGTH, VOCABULARY), np.float32)
    for b in range(BATCH):
        for t in range(LENGTH):
            data[b, t, (b + (t + shift) * (1 + b % 3)) % VOCABULARY] = 1
    return data


def main():
    mesh = jax.make_mesh((4, 2), ("X", "Y"), axis_types=(AxisType.Explicit,) * 2)
    numbers = noise()
    with jax.set_mesh(mesh):

        def put(data, spec):
            return jax.device_put(data, NamedSharding(mesh, spec))

        p = {}
        for name, (shape, spec, scale) in SHAPES.items():
            flat = np.array([next(numbers) * scale for _ in range(math.prod(shape))])
            p[name] = put(flat.astype(np.float32).reshape(shape), spec)
        zeros = jax.tree.map(jnp.zeros_like, p)
        state = (p, zeros, zeros)
        tokens, targets = put(one_hot(0), ROWS), put(one_hot(1), ROWS)
        later = np.triu(np.ones((LENGTH, LENGTH)), 1)
        mask = put(np.where(later, -1e9, 0).astype(np.float32), P(None, None))
        for s in range(1, STEPS + 1):
            rate = np.float32(0.01 * math.sqrt(1 - 0.999**s) / (1 - 0.9**s))
            value, state = step(state, tokens, targets, mask, rate)
            print(f"{float(value):.8f}")


main()
