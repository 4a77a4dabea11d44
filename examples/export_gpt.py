#!/usr/bin/env python3
"""Exports the example of `make demo` from JAX: gpt_step.mlir and gpt_step.npz.

One training step of a small GPT for 8 devices, 4-way data parallel and 2-way tensor parallel.
Only the inputs that a person would think of are annotated: the batch over "data"; the
embedding and the first weight of each pair (query/key/value, up-projection) over
"model".  Propagation decides the rest.

    pip install jax && examples/export_gpt.py

The npz file holds in0..inN and out0..outM in the order of @main's arguments and results.
The outputs are JAX's, computed on one device.
"""

import os
import re

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

BATCH, LENGTH, VOCABULARY, WIDTH, HEADS, LAYERS = 8, 16, 96, 32, 4, 2
HERE = os.path.dirname(os.path.abspath(__file__))


def new_params(rng):
    def weight(*shape):
        return (rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)

    def layer():
        return {
            "norm1": np.ones(WIDTH, np.float32),
            "qkv": weight(WIDTH, 3, HEADS, WIDTH // HEADS),
            "attention_out": weight(HEADS, WIDTH // HEADS, WIDTH),
            "norm2": np.ones(WIDTH, np.float32),
            "up": weight(WIDTH, 4 * WIDTH),
            "down": weight(4 * WIDTH, WIDTH),
        }

    return {
        "embedding": weight(VOCABULARY, WIDTH),
        "position": 0.1 * weight(LENGTH, WIDTH),
        "layers": [layer() for _ in range(LAYERS)],
        "norm": np.ones(WIDTH, np.float32),
    }


def normalize(x, scale):
    return scale * x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-5)


def attention(layer, x):
    q, k, v = jnp.einsum("btd,dchk->cbthk", x, layer["qkv"])
    scores = jnp.einsum("bthk,bshk->bhts", q, k) / np.sqrt(WIDTH // HEADS)
    causal = np.tril(np.ones((LENGTH, LENGTH), bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e9), axis=-1)
    mixed = jnp.einsum("bhts,bshk->bthk", weights, v)
    return jnp.einsum("bthk,hkd->btd", mixed, layer["attention_out"])


def feed_forward(layer, x):
    return jax.nn.gelu(x @ layer["up"]) @ layer["down"]


def loss_of(params, tokens):
    x = params["embedding"][tokens[:, :-1]] + params["position"]
    for layer in params["layers"]:
        x = x + attention(layer, normalize(x, layer["norm1"]))
        x = x + feed_forward(layer, normalize(x, layer["norm2"]))
    logits = normalize(x, params["norm"]) @ params["embedding"].T
    log_p = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(log_p, tokens[:, 1:, None], axis=-1))


def train_step(params, tokens):
    loss, gradient = jax.value_and_grad(loss_of)(params, tokens)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient)


def specs(params):
    """What a person would annotate; None leaves a parameter open."""
    of_name = {
        "embedding": P("model", None),
        "qkv": P(None, None, "model", None),
        "up": P(None, "model"),
    }
    return jax.tree_util.tree_map_with_path(lambda path, _: of_name.get(path[-1].key), params)


def main():
    rng = np.random.default_rng(2026)
    params = new_params(rng)
    tokens = rng.integers(0, VOCABULARY, (BATCH, LENGTH + 1)).astype(np.int32)
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    in_specs = (specs(params), P("data", None))
    shardings = jax.tree.map(
        lambda s: s if s is None else NamedSharding(mesh, s),
        in_specs,
        is_leaf=lambda s: s is None or isinstance(s, P),
    )
    lowered = jax.jit(train_step, in_shardings=shardings).lower(params, tokens)
    text = lowered.as_text(debug_info=True)
    text = re.sub(r'"[^"]*/(export_gpt\.py)"', r'"examples/\1"', text)
    with open(os.path.join(HERE, "gpt_step.mlir"), "w") as f:
        f.write(text)

    outputs = jax.jit(train_step)(params, tokens)
    arrays = {f"in{i}": np.asarray(a) for i, a in enumerate(jax.tree.leaves((params, tokens)))}
    arrays |= {f"out{i}": np.asarray(a) for i, a in enumerate(jax.tree.leaves(outputs))}
    np.savez(os.path.join(HERE, "gpt_step.npz"), **arrays)


if __name__ == "__main__":
    main()
