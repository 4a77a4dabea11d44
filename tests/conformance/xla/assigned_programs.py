#!/usr/bin/env python3
"""Writes 20 JAX programs, written after the fourth model of memory (src/cost/assign.c) was finished.

    PYTHON-WITH-JAX tests/conformance/xla/assigned_programs.py FOLDER [NAME...]

memory.py was run on them once; docs/memory.md has the figures.
"""

import memory_programs as base
import jax
import jax.numpy as jnp
from jax import lax
from memory_programs import D, M, Arg, conv

base.PROGRAMS.clear()
program = base.program


@program(Arg((128, 512), D), Arg((512, 2048), None, M), Arg((512, 2048), None, M), Arg((2048, 512), M))
def swiglu(x, gate, up, down):
    return (jax.nn.silu(x @ gate) * (x @ up)) @ down


@program(Arg((16, 128, 8, 32), D, None, M), Arg((16, 128, 2, 32), D), Arg((16, 128, 2, 32), D))
def grouped_query_attention(q, k, v):
    k, v = jnp.repeat(k, 4, 2), jnp.repeat(v, 4, 2)
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 5.6
    s = jnp.where(jnp.arange(128)[:, None] >= jnp.arange(128), s, -1e9)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s, -1), v)


@program(
    {"a": Arg((256, 256), None, M), "b": Arg((256, 64), M)},
    {"a": Arg((256, 256), None, M), "b": Arg((256, 64), M)},
    Arg((512, 256), D),
    Arg((512,), D, dtype="int32"),
    donate=(0, 1),
)
def rmsprop_step(w, v, x, y):
    def loss(w):
        logits = jax.nn.elu(x @ w["a"]) @ w["b"]
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1))

    g = jax.grad(loss)(w)
    v = jax.tree.map(lambda v, g: 0.9 * v + 0.1 * g * g, v, g)
    return jax.tree.map(lambda w, g, v: w - 1e-3 * g / (jnp.sqrt(v) + 1e-6), w, g, v), v


@program(Arg((8, 56, 56, 32), D), Arg((3, 3, 32, 32)), Arg((1, 1, 32, 64)), Arg((1, 1, 32, 64)))
def projection_shortcut(x, k, p, s):
    return jax.nn.relu(conv(jax.nn.relu(conv(x, k, 2)), p) + conv(x, s, 2))


@program(Arg((8, 32, 32, 8), D), Arg((3, 3, 8, 16)), Arg((3, 3, 16, 8)))
def denoiser_gradient(x, a, b):
    def loss(a, b):
        return jnp.mean((conv(jnp.tanh(conv(x, a)), b) - x) ** 2)

    return jax.grad(loss, (0, 1))(a, b)


@program(Arg((64, 32, 128), None, D), Arg((128, 128)), Arg((128,)))
def minimal_gru_outputs(xs, w, b):
    def step(h, x):
        f = jax.nn.sigmoid(x @ w + b)
        h = f * h + (1 - f) * jnp.tanh(x)
        return h, h * f

    return lax.scan(step, jnp.zeros((32, 128)), xs)


@program(Arg((512, 512), D), Arg((512,)))
def gradient_descent_loop(a, b):
    def step(i, x):
        return x - 1e-3 * (a.T @ (a @ x - b))

    return lax.fori_loop(0, 30, step, jnp.ones((512,)))


@program(Arg((256, 256), D, M), Arg((256, 256), D, M))
def gray_scott(u, v):
    def laplace(x):
        p = jnp.pad(x, 1, mode="wrap")
        return p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * x

    def step(_, s):
        u, v = s
        r = u * v * v
        return u + 0.16 * laplace(u) - r + 0.035 * (1 - u), v + 0.08 * laplace(v) + r - 0.1 * v

    return lax.fori_loop(0, 20, step, (u, v))


@program(Arg((4096, 16), D), Arg((16, 128)), Arg((128, 1)))
def input_gradient_penalty(x, a, b):
    def critic(x):
        return (jnp.tanh(x @ a) @ b)[0]

    g = jax.vmap(jax.grad(critic))(x)
    return jnp.mean((jnp.linalg.norm(g, axis=-1) - 1) ** 2)


@program(Arg((1024, 128), D, dtype="bfloat16"), Arg((128, 256), dtype="bfloat16"), Arg((256,), dtype="bfloat16"))
def half_classifier(x, w, b):
    logits = (x @ w + b).astype("float32")
    return jax.nn.log_softmax(logits), jnp.argmax(logits, -1)


@program(Arg((2048, 64), D), Arg((4096, 2), dtype="int32"))
def edge_softmax(h, edges):
    s = jnp.sum(h[edges[:, 0]] * h[edges[:, 1]], -1)
    e = jnp.exp(s - s.max())
    total = jax.ops.segment_sum(e, edges[:, 1], 2048)
    return jax.ops.segment_sum((e / total[edges[:, 1]])[:, None] * h[edges[:, 0]], edges[:, 1], 2048)


@program(Arg((64, 2048), D))
def fourier_smoothing(x):
    return jnp.real(jnp.fft.ifft(jnp.fft.fft(x) * jnp.exp(-jnp.arange(2048) / 64.0)))


@program(Arg((128, 1000), D), Arg((2,), dtype="uint32"))
def gumbel_sampling(logits, key):
    key = jax.random.wrap_key_data(key)
    return jnp.argmax(logits + jax.random.gumbel(key, logits.shape), -1)


@program(Arg((1024, 48), D))
def principal_components(x):
    c = x - x.mean(0)
    w, v = jnp.linalg.eigh(c.T @ c / 1024)
    return c @ v[:, -8:], w


@program(Arg((32, 128, 96), D), Arg((96,)), Arg((96,)), Arg((96, 96), None, M))
def pre_norm_gradient(x, s, b, w):
    def loss(s, b, w):
        m, v = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return jnp.sum(jax.nn.gelu(((x - m) / jnp.sqrt(v + 1e-6) * s + b) @ w))

    return jax.value_and_grad(loss, (0, 1, 2))(s, b, w)


@program(Arg((512, 384), D), Arg((384, 6)), Arg((6, 384, 384), None, None, M))
def dense_experts(x, gate, experts):
    p = jax.nn.softmax(x @ gate)
    return jnp.einsum("be,bed->bd", p, jnp.einsum("bd,edf->bef", x, experts))


@program(Arg((256, 128), D), Arg((64, 128)), Arg((), dtype="bool"))
def optional_distances(x, centers, squared):
    d = jnp.sum(x * x, 1)[:, None] - 2 * x @ centers.T + jnp.sum(centers * centers, 1)
    return lax.cond(squared, lambda d: d, lambda d: jnp.sqrt(jnp.maximum(d, 0)), d)


@program(Arg((4, 128, 128), D), Arg((8, 128, 128), None, None, M), donate=(0,))
def weight_tied_loop(x, w):
    def step(x, w):
        return x + 0.1 * jnp.tanh(x @ w), jnp.sum(x * x)

    return lax.scan(step, x, w)


@program(Arg((256, 64, 3), D), Arg((3, 64)), Arg((64, 256)))
def set_encoder_gradient(points, a, b):
    def loss(a, b):
        h = jax.nn.relu(jax.nn.relu(points @ a) @ b)
        return jnp.sum(jnp.max(h, 1) ** 2)

    return jax.grad(loss, (0, 1))(a, b)


@program(Arg((1024, 1024), D), Arg((1024, 1024)), Arg((1024,), D))
def triangular_blend(x, y, s):
    low, high = jnp.tril(x), jnp.triu(y)
    return low + high.T * s[:, None], jnp.trace(x @ y), jnp.flip(x, 1) - y


if __name__ == "__main__":
    base.main()
