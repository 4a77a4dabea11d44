#!/usr/bin/env python3
"""Writes 20 JAX programs, written when the third models of memory and traffic were finished.

    PYTHON-WITH-JAX tests/conformance/xla/last_programs.py FOLDER [NAME...]

memory.py and traffic.py were run on them once; docs/costs.md and docs/memory.md have the figures.
"""

import memory_programs as base
import jax
import jax.numpy as jnp
from jax import lax
from memory_programs import D, M, Arg, conv

base.PROGRAMS.clear()
program = base.program


@program(Arg((256, 512), D), Arg((512, 1024), None, M), Arg((1024, 512), M), Arg((256, 512), D), donate=(1, 2))
def distillation_step(x, a, b, teacher):
    def loss(ws):
        student = jax.nn.log_softmax(jax.nn.gelu(x @ ws[0]) @ ws[1])
        return -jnp.mean(jnp.sum(jax.nn.softmax(teacher / 2) * student, -1))

    return [w - 0.01 * g for w, g in zip((a, b), jax.grad(loss)((a, b)))]


@program(Arg((8, 256, 128), D), Arg((128, 384)), Arg((128, 128)), Arg((128,)))
def causal_block(x, wqkv, wo, scale):
    h = x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale
    q, k, v = (t.reshape(8, 256, 4, 32) for t in jnp.split(h @ wqkv, 3, -1))
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 32**0.5
    s = jnp.where(jnp.tril(jnp.ones((256, 256), bool)), s, -jnp.inf)
    return x + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s, -1), v).reshape(8, 256, 128) @ wo


@program(Arg((64, 128, 64), D), Arg((64, 64)), Arg((64, 64)), Arg((64,)))
def simple_rnn(xs, wx, wh, b):
    def step(h, x):
        h = jnp.tanh(x @ wx + h @ wh + b)
        return h, h

    return lax.scan(step, jnp.zeros((64, 64)), xs.transpose(1, 0, 2))[1]


@program(Arg((64, 32, 64), D), Arg((64, 256)), Arg((64, 256)), Arg((64, 10)), Arg((64,), D, dtype="int32"))
def lstm_gradient(xs, wx, wh, out, labels):
    def loss(ws):
        def step(state, x):
            h, c = state
            i, f, g, o = jnp.split(x @ ws[0] + h @ ws[1], 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

        zero = jnp.zeros((64, 64))
        (h, _), _ = lax.scan(step, (zero, zero), xs.transpose(1, 0, 2))
        logits = jax.nn.log_softmax(h @ ws[2])
        return -jnp.take_along_axis(logits, labels[:, None], 1).mean()

    return jax.grad(loss)((wx, wh, out))


@program(Arg((16, 32, 32, 32), D), Arg((3, 3, 32, 32)), Arg((1, 1, 32, 8)), Arg((8, 32)))
def squeeze_excite(x, k, down, up):
    y = jax.nn.relu(conv(x, k))
    s = jax.nn.relu(y.mean((1, 2)) @ down[0, 0])
    return x + y * jax.nn.sigmoid(s @ up)[:, None, None]


@program(Arg((16, 32, 32, 16), D), Arg((3, 3, 16, 16)), Arg((16,)), Arg((16,)))
def group_norm_gradient(x, k, scale, shift):
    def loss(ws):
        y = conv(x, ws[0]).reshape(16, 32, 32, 4, 4)
        m = y.mean((1, 2, 4), keepdims=True)
        y = (y - m) * lax.rsqrt(y.var((1, 2, 4), keepdims=True) + 1e-5)
        return jnp.mean(jax.nn.silu(y.reshape(16, 32, 32, 16) * ws[1] + ws[2]) ** 2)

    return jax.grad(loss)((k, scale, shift))


@program(Arg((4096, 64), D), Arg((64, 64)))
def whitening(x, w):
    c = x - x.mean(0)
    cov = c.T @ c / 4096 + 1e-3 * jnp.eye(64)
    return c @ jnp.linalg.inv(cov) @ w


@program(Arg((512, 256), D), Arg((512, 256), D))
def info_nce(a, b):
    a = a / jnp.linalg.norm(a, axis=1, keepdims=True)
    b = b / jnp.linalg.norm(b, axis=1, keepdims=True)
    s = a @ b.T / 0.07
    return jnp.mean(jax.nn.logsumexp(s, 1) - jnp.diag(s))


@program(Arg((1024, 512), D), Arg((1024, 512), D), Arg((1024, 512), D), Arg((1024, 512), D), donate=(0, 1, 2))
def adamw(p, m, v, g):
    g = g * jnp.minimum(1.0, 1.0 / (jnp.sqrt(jnp.sum(g * g)) + 1e-6))
    m, v = 0.9 * m + 0.1 * g, 0.95 * v + 0.05 * g * g
    return p - 3e-4 * (m / 0.1 / (jnp.sqrt(v / 0.05) + 1e-8) + 0.1 * p), m, v


@program(Arg((256, 1024), D), Arg((1024, 1024), None, M), Arg((1024, 1024), M), Arg((1024, 1024), None, M))
def bfloat_mlp(x, a, b, c):
    h = x.astype("bfloat16")
    for w in (a, b, c):
        h = jax.nn.relu(h @ w.astype("bfloat16"))
    return h.astype("float32").sum(-1)


@program(Arg((32, 64, 64), D), Arg((64, 64)))
def neural_ode(x, w):
    def f(y):
        return jnp.tanh(y @ w)

    def step(i, y):
        k1 = f(y)
        k2 = f(y + 0.05 * k1)
        k3 = f(y + 0.05 * k2)
        return y + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + 0.1 * k3))

    return lax.fori_loop(0, 8, step, x)


@program(Arg((2048, 128), D), Arg((2048,), D, dtype="int32"), Arg((64, 128)))
def centre_loss(x, labels, centres):
    d = x - centres[labels]
    sums = jax.ops.segment_sum(d, labels, 64)
    counts = jax.ops.segment_sum(jnp.ones(2048), labels, 64)
    return jnp.mean(jnp.sum(d * d, 1)), centres + 0.5 * sums / (1 + counts)[:, None]


@program(Arg((8, 512, 64), D), Arg((64, 64)), Arg((64, 64)))
def retention(x, wq, wk):
    q, k = x @ wq, x @ wk
    n = jnp.arange(512)
    decay = jnp.where(n[:, None] >= n[None], 0.97 ** (n[:, None] - n[None]), 0.0)
    s = jnp.einsum("bqd,bkd->bqk", q, k) * decay
    s = s / jnp.maximum(jnp.abs(s.sum(-1, keepdims=True)), 1)
    return jnp.einsum("bqk,bkd->bqd", s, x)


@program(Arg((128, 256), D), Arg((256, 512)), Arg((512, 512)), Arg((512, 1)), Arg((128, 1), D))
def checkpointed_regression(x, a, b, c, y):
    def block(w, h):
        return jax.nn.softplus(h @ w)

    def loss(ws):
        h = jax.checkpoint(block)(ws[0], x)
        h = jax.checkpoint(block)(ws[1], h)
        return jnp.mean((h @ ws[2] - y) ** 2)

    return jax.value_and_grad(loss)((a, b, c))


@program(Arg((64, 512), D), Arg((512, 2048), None, M), Arg((2048, 512), M), Arg((64, 512), D))
def forward_mode(x, a, b, direction):
    return jax.jvp(lambda x: jax.nn.gelu(x @ a) @ b, (x,), (direction,))


@program(Arg((32, 128, 128), D))
def edge_filter(image):
    k = jnp.array([[1.0, 0, -1], [2, 0, -2], [1, 0, -1]])
    x = image[..., None]
    gx = conv(x, k[:, :, None, None])
    gy = conv(x, k.T[:, :, None, None])
    g = jnp.sqrt(gx * gx + gy * gy + 1e-6)[..., 0]
    return g / g.max((1, 2), keepdims=True)


@program(Arg((256, 128), D), Arg((256, 128), D), Arg((256,), D))
def triplet_margin(anchor, other, margin):
    d = jnp.sum((anchor[:, None] - other[None]) ** 2, -1)
    hard = jnp.min(d + 1e9 * jnp.eye(256), 1)
    return jnp.mean(jax.nn.relu(jnp.diag(d) - hard + margin))


@program(Arg((4096, 32), D), Arg((32, 16)), Arg((16,)))
def feature_map(x, w, phase):
    z = jnp.cos(x @ w + phase) * (2 / 16) ** 0.5
    return z, z.T @ z / 4096


@program(Arg((64, 1024), D), Arg((1024, 4096), None, M), Arg((4096, 1024), M), Arg((1024,)), Arg((64, 1024), D))
def swiglu_residual_gradient(x, up, down, scale, g):
    def f(x, up, down, scale):
        h = x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale
        u, v = jnp.split(h @ up, 2, -1)
        return x + jax.nn.silu(u) @ down[:2048] * 0.5 + v @ down[2048:]

    return jax.vjp(f, x, up, down, scale)[1](g)


@program(Arg((512, 512), D), Arg((512,), D), Arg((512,)))
def jacobi(a, b, x):
    d = jnp.diag(a)
    r = a - jnp.diag(d)

    def cond(state):
        i, x, change = state
        return (i < 20) & (change > 1e-6)

    def step(state):
        i, x, _ = state
        new = (b - r @ x) / d
        return i + 1, new, jnp.abs(new - x).max()

    return lax.while_loop(cond, step, (0, x, 1.0))[1]


if __name__ == "__main__":
    base.main()
