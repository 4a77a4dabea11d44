#!/usr/bin/env python3
"""Writes JAX programs for traffic.py and memory.py to compare, in addition to those of memory_programs.py.

    PYTHON-WITH-JAX tests/conformance/xla/traffic_programs.py FOLDER [NAME...]

The programs are parts of models, one piece each, and a few whole steps; for one device and for 4 x 2.
"""

import memory_programs as base
import jax
import jax.numpy as jnp
from jax import lax
from memory_programs import D, M, Arg, conv

base.PROGRAMS.clear()
program = base.program
H = "bfloat16"


# ---- element by element, rows --------------------------------------------------------------


@program(Arg((1024, 4096), D), Arg((4096,)))
def bias_gelu(x, b):
    return jax.nn.gelu(x + b)


@program(Arg((256, 2048), D))
def softmax_rows(x):
    return jax.nn.softmax(x, -1)


@program(Arg((256, 2048), D), Arg((256, 2048), D))
def softmax_gradient(x, g):
    return jax.vjp(lambda x: jax.nn.softmax(x, -1), x)[1](g)[0]


@program(Arg((2048, 1024), D), Arg((1024,)))
def rms_norm(x, w):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * w


@program(Arg((2048, 1024), D), Arg((1024,)), Arg((1024,)), Arg((2048, 1024), D))
def layer_norm_step(x, scale, shift, g):
    def norm(x, scale, shift):
        m = x.mean(-1, keepdims=True)
        v = ((x - m) ** 2).mean(-1, keepdims=True)
        return (x - m) * lax.rsqrt(v + 1e-5) * scale + shift

    return jax.vjp(norm, x, scale, shift)[1](g)


@program(*[Arg((1024, 1024), D)] * 4, Arg(()), donate=(0, 1, 2))
def adam(p, m, v, g, t):
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    return p - 1e-3 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.99**t)) + 1e-8), m, v


@program(*[Arg((1024, 1024), D)] * 4, donate=(0, 1))
def clipped_momentum(p, m, g, h):
    norm = jnp.sqrt(jnp.sum(g * g) + jnp.sum(h * h))
    m = 0.9 * m + (g + h) * jnp.minimum(1.0, 1.0 / norm)
    return p - 0.1 * m, m


@program(Arg((512, 1024), D), Arg((512, 1024), D))
def several_results(x, y):
    s = x * y
    return s + 1, jnp.tanh(s), s.sum(), s.max(1)


@program(Arg((2048, 2048), D))
def column_statistics(x):
    return x.mean(0), x.var(0), jnp.abs(x).max(0)


@program(Arg((1024, 2048), D))
def transposed_sum(x):
    return x.T * 2 + jnp.ones((2048, 1024)), x + 1


@program(Arg((8, 512, 16, 64), D, None, M), Arg((512, 32)), Arg((512, 32)))
def rotary(x, sin, cos):
    a, b = jnp.split(x, 2, -1)
    sin, cos = sin[:, None], cos[:, None]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


@program(Arg((256, 8192), D), Arg((256,), D, dtype="int32"))
def cross_entropy(logits, labels):
    logits = logits - lax.stop_gradient(logits.max(-1, keepdims=True))
    wanted = jnp.take_along_axis(logits, labels[:, None], 1)[:, 0]
    return jnp.mean(jnp.log(jnp.exp(logits).sum(-1)) - wanted)


@program(Arg((128, 128, 128), D))
def running_sums(x):
    return jnp.cumsum(x, 1), jnp.cumprod(x, 2)


@program(Arg((512, 512), D), Arg((512, 512), D))
def masked_mean(x, y):
    mask = (y > 0).astype("float32")
    return (x * mask).sum() / jnp.maximum(mask.sum(), 1), jnp.where(y > 0, x, 0.0)


@program(Arg((64, 256, 256), D))
def padded_shift(x):
    return jnp.pad(x, ((0, 0), (1, 1), (1, 1)))[:, :-2, 2:] - jnp.roll(x, 3, 1)


@program(Arg((1024, 1024), D, dtype=H), Arg((1024, 1024), D))
def mixed_precision(x, m):
    y = x.astype("float32") * m
    return y.astype(H), (y * y).sum(1)


# ---- products ----------------------------------------------------------------------------------


@program(Arg((2048, 512), D), Arg((512, 2048), None, M), Arg((2048,), M))
def dense_relu(x, w, b):
    return jax.nn.relu(x @ w + b)


@program(Arg((1024, 512), D), Arg((512, 2048), None, M), Arg((512, 2048), None, M), Arg((2048, 512), M))
def gated_mlp(x, w1, w3, w2):
    return (jax.nn.silu(x @ w1) * (x @ w3)) @ w2


@program(Arg((1024, 512), D), Arg((512, 2048), None, M), Arg((512, 2048), None, M), Arg((2048, 512), M))
def gated_mlp_gradient(x, w1, w3, w2):
    def loss(w1, w3, w2):
        return jnp.sum(((jax.nn.silu(x @ w1) * (x @ w3)) @ w2) ** 2)

    return jax.grad(loss, (0, 1, 2))(w1, w3, w2)


@program(Arg((4, 256, 8, 64), D, None, M), Arg((4, 256, 2, 64), D, None, M), Arg((4, 256, 2, 64), D, None, M))
def grouped_attention(q, k, v):
    q = q.reshape(4, 256, 2, 4, 64)
    s = jnp.einsum("bqghd,bkgd->bghqk", q, k) / 8
    s = jnp.where(jnp.tril(jnp.ones((256, 256), bool)), s, -1e9)
    return jnp.einsum("bghqk,bkgd->bqghd", jax.nn.softmax(s), v)


@program(Arg((16, 128, 64), D), Arg((16, 64, 128), D))
def batched_products(a, b):
    return jnp.tanh(a @ b) @ a


@program(Arg((4096,), D), Arg((4096, 4096), D))
def matrix_vector(x, a):
    return a @ x, x @ a


@program(Arg((1024, 512), D), Arg((512, 512)), Arg((512, 16), None, M), Arg((16, 512), M))
def low_rank(x, w, a, b):
    return x @ w + (x @ a) @ b * 0.5


@program(Arg((512, 256), D), Arg((8, 256, 512), M), Arg((8, 512, 256), M), Arg((256, 8)))
def soft_experts(x, up, down, gate):
    g = jax.nn.softmax(x @ gate, -1)
    h = jax.nn.relu(jnp.einsum("td,edf->etf", x, up))
    return jnp.einsum("etf,efd,te->td", h, down, g)


@program(Arg((256, 128), D), Arg((128, 128)), Arg((256, 128), D))
def bilinear(x, w, y):
    return jnp.einsum("bi,ij,bj->b", x, w, y)


# ---- moving data ----------------------------------------------------------------------------


@program(Arg((16384, 128), M), Arg((2048,), D, dtype="int32"))
def lookup(table, ids):
    return jnp.tanh(table[ids])


@program(Arg((512, 1024), D), Arg((64, 1024), D), Arg((), dtype="int32"), donate=(0,))
def update_rows(a, u, at):
    return lax.dynamic_update_slice(a, u * 2, (at, 0)), u.sum()


@program(Arg((4096, 64), D), Arg((512,), dtype="int32"), Arg((512, 64)), donate=(0,))
def scatter_add(a, ids, u):
    return a.at[ids].add(u)


@program(Arg((8, 64, 64, 32), D))
def patches(x):
    return x.reshape(8, 16, 4, 16, 4, 32).transpose(0, 1, 3, 2, 4, 5).reshape(8, 256, 512)


@program(Arg((512, 512), D), Arg((512, 512), D))
def joined(a, b):
    return jnp.concatenate([a + 1, b * 2, a - b], 1)


# ---- loops, steps -------------------------------------------------------------------------------


@program(Arg((16, 256, 256), None, None, M), Arg((128, 256), D))
def layers_scan(ws, x):
    return lax.scan(lambda h, w: (jnp.tanh(h @ w), None), x, ws)[0]


@program(Arg((16, 256, 256), None, None, M), Arg((128, 256), D))
def layers_scan_gradient(ws, x):
    return jax.grad(lambda ws: jnp.sum(lax.scan(lambda h, w: (jnp.tanh(h @ w), None), x, ws)[0]))(ws)


@program(Arg((128, 32), D), Arg((32, 32)))
def logistic_loop(x, w):
    return lax.fori_loop(0, 10, lambda i, x: jax.nn.sigmoid(x @ w) + x, x)


@program(Arg((3, 3, 32, 64)), Arg((64,)), Arg((8, 32, 32, 32), D))
def conv_bias_relu(w, b, x):
    return jax.nn.relu(conv(x, w) + b)


@program(Arg((8, 64, 64, 32), D))
def average_pool(x):
    return lax.reduce_window(x * 2, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4


@program([Arg((256, 512), None, M), Arg((512, 256), M)] * 2, Arg((512, 256), D), donate=(0,))
def mlp_remat_step(ws, x):
    @jax.checkpoint
    def pair(x, a, b):
        return x + jax.nn.gelu(x @ a) @ b

    def loss(ws):
        return jnp.mean(pair(pair(x, *ws[:2]), *ws[2:]) ** 2)

    return [w - 0.1 * g for w, g in zip(ws, jax.grad(loss)(ws))]


if __name__ == "__main__":
    base.main()
