#!/usr/bin/env python3
"""Writes 20 JAX programs, written after the models of memory and traffic were finished.

    PYTHON-WITH-JAX tests/conformance/xla/fresh_programs.py FOLDER [NAME...]

memory.py and traffic.py were run on them once; docs/costs.md and docs/memory.md have the figures.
"""

import memory_programs as base
import jax
import jax.numpy as jnp
from jax import lax
from memory_programs import D, M, Arg, conv

base.PROGRAMS.clear()
program = base.program


@program(Arg((512, 256), D), Arg((256, 128)), Arg((128, 32)), Arg((32, 128)), Arg((128, 256)))
def autoencoder_gradient(x, a, b, c, d):
    def loss(ws):
        a, b, c, d = ws
        z = jnp.tanh(jnp.tanh(x @ a) @ b)
        return jnp.mean((jnp.tanh(z @ c) @ d - x) ** 2)

    return jax.value_and_grad(loss)((a, b, c, d))


@program(Arg((1024, 64), D), Arg((512, 64)), Arg((1024,), D))
def kernel_regression(x, c, y):
    k = jnp.exp(-0.5 * ((x[:, None] - c[None]) ** 2).sum(-1))
    k = k / k.sum(1, keepdims=True)
    return k.T @ y, k


@program(Arg((8, 128, 256), D), Arg((256, 256), None, M), Arg((256, 256), None, M), Arg((256, 256), M))
def linear_attention(x, wq, wk, wv):
    q, k, v = jax.nn.elu(x @ wq) + 1, jax.nn.elu(x @ wk) + 1, x @ wv
    s = jnp.einsum("bkd,bke->bde", k, v)
    return jnp.einsum("bqd,bde->bqe", q, s) / jnp.einsum("bqd,bd->bq", q, k.sum(1))[..., None]


@program(Arg((16, 28, 28, 64), D), Arg((3, 3, 64, 64)), Arg((3, 3, 64, 64)), Arg((64,)), Arg((64,)))
def residual_block(x, k1, k2, s1, s2):
    def norm(y, s):
        m = y.mean((0, 1, 2))
        return (y - m) * lax.rsqrt(((y - m) ** 2).mean((0, 1, 2)) + 1e-5) * s

    return jax.nn.relu(x + norm(conv(jax.nn.relu(norm(conv(x, k1), s1)), k2), s2))


@program(Arg((64, 512), D), Arg((64,), D, dtype="int32"), Arg((512, 1000), None, M), Arg((1000,), M))
def classifier_step(x, labels, w, b):
    def loss(w, b):
        return -jnp.mean(jax.nn.log_softmax(x @ w + b)[jnp.arange(64), labels])

    gw, gb = jax.grad(loss, (0, 1))(w, b)
    return w - 0.1 * gw, b - 0.1 * gb


@program(Arg((256, 128, 16), D), Arg((16, 64)), Arg((64, 64)), Arg((64, 1)))
def point_network(x, a, b, c):
    h = jax.nn.relu(jax.nn.relu(x @ a) @ b)
    return jax.nn.sigmoid(h.max(1) @ c)


@program(Arg((2048, 256), D), Arg((256, 8), None), Arg((8, 256, 256), M))
def routed_experts(x, gate, experts):
    p = jax.nn.softmax(x @ gate)
    which = jax.nn.one_hot(p.argmax(-1), 8)
    y = jnp.einsum("te,td,edf->tf", which * p, x, experts)
    return jax.nn.gelu(y)


@program(Arg((512, 512), D), Arg((512, 512), D))
def sinkhorn(cost, start):
    k = jnp.exp(-cost)

    def turn(_, uv):
        u, v = uv
        u = 1.0 / (k @ v)
        return u, 1.0 / (k.T @ u)

    u, v = lax.fori_loop(0, 20, turn, (start[0], start[1]))
    return u[:, None] * k * v


@program(Arg((128, 64, 64), D))
def wave_equation(u):
    def step(state, _):
        now, before = state
        around = sum(jnp.roll(now, s, a) for s in (1, -1) for a in (1, 2))
        new = 2 * now - before + 0.1 * (around - 4 * now)
        return (new, now), new.mean((1, 2))

    (u, _), energy = lax.scan(step, (u, u), None, length=30)
    return u, energy


@program(Arg((64, 100, 128), D), Arg((128, 256), None, M), Arg((256, 256), M))
def minimal_rnn_gradient(xs, wx, wh):
    def loss(wx, wh):
        def step(h, x):
            h = jnp.tanh(x @ wx + h @ wh)
            return h, h.sum()

        return lax.scan(step, jnp.zeros((64, 256)), xs.swapaxes(0, 1))[1].sum()

    return jax.grad(loss, (0, 1))(wx, wh)


@program(Arg((16, 256, 4, 64), D, None, M), Arg((16, 256, 4, 64), D, None, M))
def contrastive(a, b):
    a = a / jnp.linalg.norm(a, axis=-1, keepdims=True)
    b = b / jnp.linalg.norm(b, axis=-1, keepdims=True)
    s = jnp.einsum("bnhd,bmhd->bhnm", a, b) * 10
    return (jax.nn.logsumexp(s, -1) - jnp.diagonal(s, axis1=-2, axis2=-1)).mean()


@program(Arg((4096, 128), D), Arg((8192,), dtype="int32"), Arg((8192,), dtype="int32"), Arg((128, 128)))
def message_passing(nodes, source, target, w):
    sent = jax.nn.relu(nodes @ w)[source]
    return nodes + jax.ops.segment_sum(sent, target, 4096)


@program(*[Arg((512, 2048), D)] * 3, Arg((512,), D), donate=(0, 1))
def adafactor(p, m, g, row):
    row = 0.9 * row + 0.1 * (g * g).mean(1)
    column = (g * g).mean(0)
    scaled = g / jnp.sqrt(row[:, None] * column / row.mean())
    m = 0.9 * m + 0.1 * scaled
    return p - 1e-2 * m, m, row


@program(Arg((32, 64, 64, 4), D), Arg((1024, 4)))
def vector_quantizer(x, book):
    flat = x.reshape(-1, 4)
    d = (flat**2).sum(1, keepdims=True) - 2 * flat @ book.T + (book**2).sum(1)
    code = d.argmin(1)
    return book[code].reshape(x.shape), code


@program(Arg((1024, 512), D, dtype="bfloat16"), Arg((512, 1024), None, M, dtype="bfloat16"), Arg((1024,), dtype="bfloat16"))
def half_layer(x, w, b):
    y = x @ w + b
    return (y * jax.nn.sigmoid(1.702 * y)).astype("float32").sum(0), y


@program(Arg((256, 1024), D))
def quantize_rows(x):
    scale = jnp.abs(x).max(1, keepdims=True) / 127
    q = jnp.round(x / scale).astype("int8")
    return q, scale, jnp.abs(q.astype("float32") * scale - x).mean()


@program(Arg((8, 3, 128, 128), D), Arg((64, 3, 8, 8)), Arg((256, 64)))
def patch_embedding(x, k, position):
    y = lax.conv_general_dilated(x, k, (8, 8), "VALID").reshape(8, 64, 256)
    return jax.nn.standardize(y.swapaxes(1, 2) + position, -1)


@program(Arg((64, 64, 256), D), Arg((64, 64, 256), D), Arg((), dtype="int32"))
def windowed_difference(x, y, at):
    a = lax.dynamic_slice(x, (0, at, 0), (64, 16, 256))
    b = lax.dynamic_slice(y, (0, at, 0), (64, 16, 256))
    return jnp.abs(a - b).sum((1, 2)), jnp.concatenate([a, b], 1)


@program(Arg((4, 256, 512), D), Arg((4, 512, 256), D), Arg((256, 256)))
def product_chain(a, b, c):
    return jnp.exp(-((a @ b) @ c + (b.mT @ a.mT))).sum(-1)


@program(Arg((2048, 64), D), Arg((64, 64)), Arg((2048,), D))
def newton_step(x, ridge, y):
    w = jnp.zeros(64)
    p = jax.nn.sigmoid(x @ w)
    h = (x * (p * (1 - p))[:, None]).T @ x + ridge
    return w - jnp.linalg.solve(h, x.T @ (p - y))


if __name__ == "__main__":
    base.main()
