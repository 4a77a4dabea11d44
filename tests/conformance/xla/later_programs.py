#!/usr/bin/env python3
"""Writes 20 JAX programs, written after the second models of memory and traffic were finished.

    PYTHON-WITH-JAX tests/conformance/xla/later_programs.py FOLDER [NAME...]

memory.py and traffic.py were run on them once; docs/costs.md and docs/memory.md have the figures.
"""

import memory_programs as base
import jax
import jax.numpy as jnp
from jax import lax
from memory_programs import D, M, Arg, conv

base.PROGRAMS.clear()
program = base.program


@program(Arg((4, 256, 256), D), Arg((256, 1024), None, M), Arg((1024, 256), M), Arg((256,)), Arg((256,)))
def swish_block(x, up, down, a, b):
    m = x.mean(-1, keepdims=True)
    n = (x - m) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * a + b
    return x + jax.nn.silu(n @ up) @ down


@program(Arg((4, 128, 8, 32), D, None, M), Arg((4, 128, 8, 32), D, None, M), Arg((4, 128, 8, 32), D, None, M), Arg((4, 128), D, dtype="int32"))
def segmented_attention(q, k, v, segment):
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) * 32**-0.5
    same = segment[:, None, :, None] == segment[:, None, None, :]
    p = jax.nn.softmax(jnp.where(same, s, -1e30), -1)
    return jnp.einsum("bhqk,bkhd->bqhd", p, v)


@program(Arg((256, 512), D), Arg((512, 512), None, M), Arg((512, 512), M), Arg((256, 512), D))
def huber_step(x, a, b, y):
    def loss(w):
        e = jnp.abs(jax.nn.relu(x @ w[0]) @ w[1] - y)
        return jnp.mean(jnp.where(e < 1, 0.5 * e * e, e - 0.5))

    return [w - 0.01 * g for w, g in zip((a, b), jax.grad(loss)((a, b)))]


@program(Arg((128, 784), D), Arg((784, 256)), Arg((256, 32)), Arg((256, 32)), Arg((32, 784)), Arg((128, 32), D))
def variational(x, enc, mu, sigma, dec, noise):
    h = jnp.tanh(x @ enc)
    m, s = h @ mu, h @ sigma
    out = jax.nn.sigmoid((m + jnp.exp(0.5 * s) * noise) @ dec)
    kl = -0.5 * jnp.sum(1 + s - m * m - jnp.exp(s), -1)
    return jnp.mean(kl - jnp.sum(x * jnp.log(out + 1e-6), -1))


@program(Arg((32, 48, 48, 16), D), Arg((3, 3, 16, 32)), Arg((32,)))
def conv_statistics(x, k, b):
    y = jax.nn.relu(conv(x, k) + b)
    return y.mean((0, 1, 2)), y.max((1, 2))


@program(Arg((64, 128, 64), D), Arg((64, 64)), Arg((64, 64)), Arg((64, 64)))
def highway_scan(xs, wt, wh, wc):
    def step(h, x):
        t = jax.nn.sigmoid(x @ wt + h @ wh)
        return t * jnp.tanh(x @ wc) + (1 - t) * h, h.sum(-1)

    return lax.scan(step, jnp.zeros((64, 64)), xs.transpose(1, 0, 2))


@program(Arg((2048, 32), D), Arg((2048, 32)))
def maximum_mean_discrepancy(x, y):
    def k(a, b):
        d = (a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.T
        return jnp.exp(-d / 32).mean()

    return k(x, x) + k(y, y) - 2 * k(x, y)


@program(Arg((512, 64), D), Arg((64, 64)), Arg((512,), D))
def logistic_hessian(x, prior, y):
    def loss(w):
        z = x @ w
        return jnp.mean(jnp.log1p(jnp.exp(-y * z))) + 0.5 * w @ prior @ w

    return jax.hessian(loss)(jnp.ones(64))


@program(Arg((16, 256, 256), D))
def total_variation_descent(image):
    def loss(u):
        dx, dy = u[:, 1:] - u[:, :-1], u[:, :, 1:] - u[:, :, :-1]
        return jnp.sum((u - image) ** 2) + jnp.sum(jnp.sqrt(dx * dx + 1e-4)) + jnp.sum(jnp.sqrt(dy * dy + 1e-4))

    return lax.fori_loop(0, 5, lambda i, u: u - 0.1 * jax.grad(loss)(u), image)


@program(Arg((1024, 1024), D), Arg((1024, 1024), D), Arg((1024, 1024), D), donate=(0, 1))
def lion(p, m, g):
    u = jnp.sign(0.9 * m + 0.1 * g)
    return p - 1e-4 * (u + 0.1 * p), 0.99 * m + 0.01 * g


@program(Arg((256, 256), D), Arg((256, 256), D))
def newton_schulz(g, m):
    x = 0.9 * m + g
    x = x / (jnp.linalg.norm(x) + 1e-6)

    def step(_, x):
        a = x @ x.T
        return 3.4 * x + (-4.7 * a + 2.0 * a @ a) @ x

    return lax.fori_loop(0, 5, step, x)


@program(Arg((8192, 64), M), Arg((512, 16), D, dtype="int32"), Arg((512, 16), D))
def weighted_bag(table, ids, weights):
    return jnp.einsum("bk,bkd->bd", jax.nn.softmax(weights, -1), table[ids])


@program(Arg((4096,), D), Arg((4096,), D))
def correlation(x, y):
    n = jnp.fft.irfft(jnp.fft.rfft(x) * jnp.conj(jnp.fft.rfft(y)))
    return n / jnp.sqrt(jnp.sum(x * x) * jnp.sum(y * y)), jnp.argmax(n)


@program(Arg((256, 1024), D, dtype="bfloat16"), Arg((1024, 1024), None, M, dtype="bfloat16"), Arg((1024,), None, dtype="bfloat16"))
def half_norm_projection(x, w, s):
    f = x.astype("float32")
    n = (f * lax.rsqrt(jnp.mean(f * f, -1, keepdims=True) + 1e-6)).astype("bfloat16") * s
    return n @ w


@program(Arg((64, 512), D), Arg((64, 512), D))
def transport_1d(p, q):
    a, b = jnp.cumsum(jax.nn.softmax(p, -1), -1), jnp.cumsum(jax.nn.softmax(q, -1), -1)
    return jnp.abs(a - b).sum(-1)


@program(Arg((8, 64, 64, 24), D), Arg((1, 1, 24, 96)), Arg((3, 3, 1, 96)), Arg((1, 1, 96, 24)))
def inverted_bottleneck(x, up, depth, down):
    h = jax.nn.relu6(conv(x, up))
    h = lax.conv_general_dilated(h, depth, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=96)
    return x + conv(jax.nn.relu6(h), down)


@program(Arg((1024, 8), D), Arg((8, 8)), Arg((8, 8)))
def kalman(zs, f, q):
    def step(state, z):
        m, p = state
        m, p = f @ m, f @ p @ f.T + q
        k = p / (p + jnp.eye(8))
        m = m + k @ (z - m)
        return (m, p - k @ p), m

    return lax.scan(step, (jnp.zeros(8), jnp.eye(8)), zs)[1]


@program(Arg((512, 128), D), Arg((6, 128, 128)), Arg((6, 128)))
def unrolled_residual(x, ws, bs):
    def loss(ws):
        h = x
        for i in range(6):
            h = h + jnp.tanh(h @ ws[i] + bs[i])
        return jnp.sum(h * h)

    return jax.grad(loss)(ws)


@program(Arg((128, 4096), D), Arg((128, 32), D, dtype="int32"))
def masked_sampling(logits, seen):
    rows = jnp.arange(128)[:, None]
    penalised = logits.at[rows, seen].add(-2.0)
    best, ids = lax.top_k(penalised, 50)
    p = jax.nn.softmax(best / 0.8, -1)
    return jnp.where(jnp.cumsum(p, -1) - p < 0.9, p, 0.0), ids


@program(Arg((256, 64), D), Arg((64, 4, 32), None, M), Arg((4, 32, 64), M), Arg((64, 4)))
def mixture_step(x, up, down, gate):
    def loss(ws):
        up, down, gate = ws
        g = jax.nn.softmax(x @ gate, -1)
        h = jax.nn.gelu(jnp.einsum("bd,deh->beh", x, up))
        return jnp.mean((jnp.einsum("beh,ehd,be->bd", h, down, g) - x) ** 2)

    return jax.grad(loss)((up, down, gate))


if __name__ == "__main__":
    base.main()
