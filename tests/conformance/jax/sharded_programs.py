#!/usr/bin/env python3
"""Writes sharded programs as JAX exports them, with inputs and results, for verify.py.

    PYTHON-WITH-JAX tests/conformance/jax/sharded_programs.py FOLDER [--devices 2,4,8,16] [NAME...]
    tests/conformance/jax/verify.py --tess build/tess --tolerance 5e-4,4e-3 FOLDER

For each number of devices n and each program below, FOLDER gets NAME_n.mlir and NAME_n.npz with
in0... and out0... in the order of @main's arguments and results.  The expected results come
from JAX on one device; for programs whose meaning depends on the mesh (shard_map), from
JAX on n virtual devices.
"""

import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=16"
os.environ["JAX_PLATFORMS"] = "cpu"

import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

shard_map = jax.shard_map
PROGRAMS = {}


class Build:
    """One program for n devices: its meshes and arguments."""

    def __init__(self, n):
        self.n = n
        self.random = np.random.default_rng(n)
        a = {2: 2, 4: 2, 8: 2, 16: 4}[n]
        self.mesh = Mesh(np.array(jax.devices()[:n]).reshape(a, n // a), ("x", "y"))
        self.args, self.specs = [], []

    def arg(self, shape, *spec, dtype=np.float32, most=None):
        if np.issubdtype(dtype, np.floating):
            v = self.random.standard_normal(shape).astype(dtype)
        elif np.issubdtype(dtype, np.complexfloating):
            both = self.random.standard_normal((2, *shape))
            v = (both[0] + 1j * both[1]).astype(dtype)
        elif dtype == np.bool_:
            v = self.random.random(shape) < 0.5
        else:
            v = self.random.integers(0, most or 7, shape).astype(dtype)
        self.args.append(v)
        self.specs.append(P(*(self.even(n, axes) for n, axes in zip(np.shape(v), spec))))
        return v

    def even(self, size, axes):
        """The axes, if they divide the size: JAX wants that of arguments."""
        names = axes if isinstance(axes, tuple) else (axes,) if axes else ()
        return axes if size % int(np.prod([self.mesh.shape[a] for a in names])) == 0 else None

    def constrain(self, v, *spec):
        return lax.with_sharding_constraint(v, NamedSharding(self.mesh, P(*spec)))


def program(build):
    """build(b) gives arguments to b and returns f, or (f, specs of the results)."""
    PROGRAMS[build.__name__] = build
    return build


def write(folder, name, n):
    b = Build(n)
    made = PROGRAMS[name](b)
    f, out = made if isinstance(made, tuple) else (made, None)
    shardings = [NamedSharding(b.mesh, s) for s in b.specs]
    options = {}
    if out is not None:
        options["out_shardings"] = jax.tree.map(
            lambda s: NamedSharding(b.mesh, s), out, is_leaf=lambda s: isinstance(s, P)
        )
    jitted = jax.jit(f, in_shardings=shardings, keep_unused=True, **options)
    lowered = jitted.lower(*b.args)
    path = os.path.join(folder, f"{name}_{n}")
    with open(path + ".mlir", "w") as text:
        text.write(lowered.as_text())
    if "shard_map" in name:
        results = jitted(*[jax.device_put(a, s) for a, s in zip(b.args, shardings)])
    else:
        with_ones = Build(n)
        with_ones.mesh = Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("x", "y"))
        made = PROGRAMS[name](with_ones)
        results = jax.jit(made[0] if isinstance(made, tuple) else made)(*b.args)
    arrays = {f"in{i}": v for i, v in enumerate(b.args)}
    arrays.update({f"out{i}": np.asarray(v) for i, v in enumerate(jax.tree.leaves(results))})
    np.savez(path + ".npz", **arrays)


# ---- loops and recurrences ------------------------------------------------------------------


@program
def viterbi(b):
    b.arg((8, 12), "x", None)
    b.arg((12, 12), None, "y")
    b.arg((8, 20, 12), "x", None, "y")

    def f(start, move, emit):
        def step(score, e):
            best = score[:, :, None] + move[None]
            return best.max(1) + e, best.argmax(1)

        last, back = lax.scan(step, start, emit.swapaxes(0, 1))
        state = last.argmax(-1)
        _, path = lax.scan(
            lambda s, p: (jnp.take_along_axis(p, s[:, None], 1)[:, 0],) * 2,
            state,
            back,
            reverse=True,
        )
        return last.max(-1), path

    return f


@program
def edit_distance(b):
    b.arg((16, 9), "x", dtype=np.int32, most=4)
    b.arg((16, 11), "x", dtype=np.int32, most=4)

    def one(a, c):
        row0 = jnp.arange(12)

        def outer(row, ai):
            def inner(left, k):
                v = jnp.minimum(jnp.minimum(left + 1, row[k + 1] + 1), row[k] + (ai != c[k]))
                return v, v

            _, rest = lax.scan(inner, row[0] + 1, jnp.arange(11))
            return jnp.concatenate([row[:1] + 1, rest]), None

        return lax.scan(outer, row0, a)[0][-1]

    return jax.vmap(one)


@program
def kalman(b):
    b.arg((8, 10, 3), ("x", "y"))

    def f(zs):
        a = jnp.array([[1, 0.1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.1], [0, 0, 0, 1.0]])
        h = jnp.eye(3, 4)

        def one(z):
            def step(c, z):
                m, p = a @ c[0], a @ c[1] @ a.T + 0.1 * jnp.eye(4)
                s = h @ p @ h.T + 0.5 * jnp.eye(3)
                gain = lax.linalg.triangular_solve(
                    lax.linalg.cholesky(s), h @ p, left_side=True, lower=True
                )
                k = gain.T / jnp.diagonal(s)
                m = m + k @ (z - h @ m)
                return (m, p - k @ h @ p), m

            return lax.scan(step, (jnp.zeros(4), jnp.eye(4)), z)[1]

        return jax.vmap(one)(zs)

    return f


@program
def gru_bidirectional(b):
    b.arg((12, 8, 16), None, "x", None)
    for _ in range(2):
        b.arg((32, 48), None, "y")

    def f(xs, wf, wb):
        def cell(w):
            def step(h, x):
                z, r, c = jnp.split(jnp.concatenate([x, h], -1) @ w, 3, -1)
                z, r = jax.nn.sigmoid(z), jax.nn.sigmoid(r)
                h = (1 - z) * h + z * jnp.tanh(c * r)
                return h, h

            return step

        h0 = jnp.zeros((8, 16))
        a = lax.scan(cell(wf), h0, xs)[1]
        c = lax.scan(cell(wb), h0, xs, reverse=True)[1]
        return jnp.concatenate([a, c], -1)

    def step(xs, wf, wb):
        return jax.grad(lambda w: (f(xs, *w) ** 2).sum())((wf, wb))

    return step


@program
def jacobi(b):
    b.arg((24, 16), "x", "y")

    def f(rhs):
        def body(c):
            u, i, _ = c
            p = jnp.pad(u, 1)
            new = 0.25 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - rhs)
            return new, i + 1, jnp.abs(new - u).max()

        return lax.while_loop(
            lambda c: (c[1] < 40) & (c[2] > 1e-3), body, (jnp.zeros_like(rhs), 0, jnp.inf)
        )

    return f


@program
def game_of_life(b):
    b.arg((16, 24), "x", "y", dtype=np.int32, most=2)

    def f(g):
        def step(_, g):
            n = sum(jnp.roll(g, (i, k), (0, 1)) for i in (-1, 0, 1) for k in (-1, 0, 1) if i or k)
            return ((n == 3) | ((n == 2) & (g == 1))).astype(g.dtype)

        return lax.fori_loop(0, 6, step, g)

    return f


@program
def conjugate_gradient(b):
    b.arg((16, 16), "x", "y")
    b.arg((16, 4), "x", None)

    def f(a, rhs):
        a = a @ a.T + 16 * jnp.eye(16)

        def body(c):
            x, r, p, rs, i = c
            ap = a @ p
            alpha = rs / (p * ap).sum(0)
            x, r = x + alpha * p, r - alpha * ap
            new = (r * r).sum(0)
            return x, r, r + new / rs * p, new, i + 1

        x = jnp.zeros_like(rhs)
        return lax.while_loop(
            lambda c: (c[4] < 6) & (c[3].max() > 1e-6), body, (x, rhs, rhs, (rhs * rhs).sum(0), 0)
        )[0]

    return f


@program
def state_space(b):
    b.arg((4, 32, 16), "x", None, "y")
    b.arg((16,), "y")
    b.arg((16, 16), None, "y")

    def f(u, a, w):
        decay = jax.nn.sigmoid(a) * jnp.ones_like(u)

        def combine(l, r):
            return l[0] * r[0], r[0] * l[1] + r[1]

        _, h = lax.associative_scan(combine, (decay, u), axis=1)
        return jax.nn.silu(h) @ w

    return jax.value_and_grad(lambda *v: (f(*v) ** 2).mean(), argnums=(0, 1, 2))


@program
def nested_loops(b):
    b.arg((8, 16), "x", "y")

    def f(v):
        def outer(i, v):
            def inner(c):
                k, v = c
                return k + 1, jnp.sin(v) + 0.1 * v.mean(0) * k

            return lax.while_loop(lambda c: c[0] < i + 2, inner, (0, v))[1]

        return lax.fori_loop(0, 4, outer, v)

    return f


@program
def switch_in_scan(b):
    b.arg((8, 16), "x", "y")
    b.arg((12,), dtype=np.int32, most=4)

    def f(v, which):
        fs = [
            lambda v: v.T.reshape(v.shape),
            lambda v: jnp.roll(v, 3, 1),
            lambda v: v - v.mean(1, keepdims=True),
            lambda v: jnp.flip(v, 0),
        ]
        return lax.scan(lambda c, i: (lax.switch(i, fs, c) * 1.01, c.sum(1)), v, which)

    return f


# ---- transformers and their kin -------------------------------------------------------------


@program
def sliding_window_attention(b):
    for _ in range(3):
        b.arg((4, 32, 4, 8), "x", None, "y", None)

    def f(q, k, v):
        q, k, v = (t.reshape(4, 4, 8, 4, 8) for t in (q, k, v))
        before = lambda t: jnp.pad(t[:, :-1], [(0, 0), (1, 0)] + [(0, 0)] * 3)
        k, v = (jnp.concatenate([before(t), t], 2) for t in (k, v))
        s = jnp.einsum("bcqhd,bckhd->bchqk", q, k)
        i, j = jnp.arange(8)[:, None] + 8, jnp.arange(16)[None]
        s = jnp.where((j <= i) & (j > i - 8), s, -1e9)
        return jnp.einsum("bchqk,bckhd->bcqhd", jax.nn.softmax(s), v).reshape(4, 32, 32)

    return jax.value_and_grad(lambda *v: (f(*v) ** 2).sum(), argnums=(0, 1, 2))


@program
def linear_attention(b):
    for _ in range(3):
        b.arg((4, 16, 8, 8), "x", "y", None, None)

    def f(q, k, v):
        q, k = jax.nn.elu(q) + 1, jax.nn.elu(k) + 1
        kv = jnp.cumsum(jnp.einsum("bthd,bthe->bthde", k, v), 1)
        z = jnp.cumsum(k, 1)
        return jnp.einsum("bthd,bthde->bthe", q, kv) / (q * z).sum(-1, keepdims=True)

    return f


@program
def grouped_query_decode(b):
    b.arg((4, 64, 2, 8), "x", "y", None, None)
    b.arg((4, 64, 2, 8), "x", "y", None, None)
    b.arg((4, 1, 8, 8), "x", None, None, None)
    b.arg((4, 1, 2, 8), "x", None, None, None)
    b.arg((), dtype=np.int32, most=60)

    def f(ck, cv, q, kv, at):
        ck = lax.dynamic_update_slice(ck, kv, (0, at, 0, 0))
        cv = lax.dynamic_update_slice(cv, 2 * kv, (0, at, 0, 0))
        q = q.reshape(4, 2, 4, 8)
        s = jnp.einsum("bghd,btgd->bght", q, ck) / 8**0.5
        s = jnp.where(jnp.arange(64) <= at, s, -jnp.inf)
        return jnp.einsum("bght,btgd->bghd", jax.nn.softmax(s), cv).reshape(4, 64), ck, cv

    return f, (P("x", None), P("x", "y"), P("x", "y"))


@program
def rope_interleaved(b):
    b.arg((4, 16, 4, 8), "x", "y", None, None)

    def f(t):
        angle = jnp.arange(16)[:, None] / 100 ** (jnp.arange(4) / 4)
        c, s = jnp.cos(angle)[:, None], jnp.sin(angle)[:, None]
        even, odd = t[..., ::2], t[..., 1::2]
        return jnp.stack([even * c - odd * s, even * s + odd * c], -1).reshape(t.shape)

    return f


@program
def moe_top2_capacity(b):
    b.arg((32, 16), "x", None)
    b.arg((16, 8), None, None)
    b.arg((8, 16, 32), "y", None, None)
    b.arg((8, 32, 16), "y", None, None)

    def f(x, gate, w1, w2):
        p = jax.nn.softmax(x @ gate)
        g, which = lax.top_k(p, 2)
        one = jax.nn.one_hot(which, 8)
        flat = one.reshape(64, 8)
        place = ((jnp.cumsum(flat, 0) - flat) * flat).sum(-1).reshape(32, 2)
        keep = place < 12
        send = one[..., None] * jax.nn.one_hot(place, 12)[:, :, None] * keep[..., None, None]
        xs = jnp.einsum("tkec,td->ecd", send, x)
        ys = jnp.einsum("ecf,efd->ecd", jax.nn.gelu(jnp.einsum("ecd,edf->ecf", xs, w1)), w2)
        return jnp.einsum("tkec,tk,ecd->td", send, g, ys)

    return jax.grad(lambda *v: (f(*v) ** 2).sum(), argnums=(1, 2, 3))


@program
def clip_loss(b):
    b.arg((16, 32), ("x", "y"), None)
    b.arg((16, 32), ("x", "y"), None)

    def f(a, t):
        a, t = (v / jnp.linalg.norm(v, axis=-1, keepdims=True) for v in (a, t))
        s = a @ t.T * 10
        label = jnp.arange(16)
        pick = lambda s: -jnp.take_along_axis(jax.nn.log_softmax(s), label[:, None], 1).mean()
        return (pick(s) + pick(s.T)) / 2

    return jax.value_and_grad(f, argnums=(0, 1))


@program
def vocab_parallel_loss(b):
    b.arg((4, 8, 16), "x", None, None)
    b.arg((16, 64), None, "y")
    b.arg((4, 8), "x", None, dtype=np.int32, most=64)

    def f(h, w, label):
        s = h @ w
        m = lax.stop_gradient(s.max(-1, keepdims=True))
        z = jnp.log(jnp.exp(s - m).sum(-1)) + m[..., 0]
        return (z - jnp.take_along_axis(s, label[..., None], -1)[..., 0]).mean()

    return jax.value_and_grad(f, argnums=(0, 1))


@program
def beam_search(b):
    b.arg((4, 32, 8), "x", None, None)
    b.arg((8, 32), None, "y")

    def f(memory, w):
        def step(c, t):
            score, seq, h = c
            p = score[:, :, None] + jax.nn.log_softmax(h @ w)
            top, at = lax.top_k(p.reshape(4, 4 * 32), 4)
            beam, token = at // 32, at % 32
            seq = jnp.take_along_axis(seq, beam[..., None], 1).at[:, :, t].set(token)
            h = jnp.take_along_axis(h, beam[..., None], 1) + memory[jnp.arange(4)[:, None], token]
            return (top, seq, h), token

        start = (jnp.zeros((4, 4)), jnp.zeros((4, 4, 5), jnp.int32), jnp.cumsum(memory[:, :4], 1))
        return lax.scan(step, start, jnp.arange(5))[0]

    return f


@program
def relative_position_bias(b):
    b.arg((2, 4, 16, 16), "x", "y", None, None)
    b.arg((31, 4), None, "y")

    def f(s, table):
        i = jnp.arange(16)
        return jax.nn.softmax(s + table[i[:, None] - i[None] + 15].transpose(2, 0, 1)[None])

    return jax.grad(lambda s, t: (f(s, t) ** 2).sum(), argnums=(0, 1))


@program
def quantized_matmul(b):
    b.arg((16, 32), "x", "y")
    b.arg((32, 24), "y", None)

    def f(x, w):
        sx, sw = jnp.abs(x).max(1, keepdims=True) / 127, jnp.abs(w).max(0, keepdims=True) / 127
        q = lambda v, s: jnp.round(v / s).astype(jnp.int8)
        return lax.dot(q(x, sx), q(w, sw), preferred_element_type=jnp.int32) * sx * sw

    return f


# ---- pictures -------------------------------------------------------------------------------


@program
def dilated_grouped_conv(b):
    b.arg((4, 16, 16, 8), "x", "y", None, None)
    b.arg((3, 3, 2, 16))

    def f(x, w):
        return lax.conv_general_dilated(
            x,
            w,
            (1, 2),
            "SAME",
            rhs_dilation=(2, 1),
            feature_group_count=4,
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )

    return jax.value_and_grad(lambda *v: (f(*v) ** 2).sum(), argnums=(0, 1))


@program
def conv_transpose_3d(b):
    b.arg((2, 6, 8, 4, 4), "x", None, "y", None, None)
    b.arg((2, 3, 3, 4, 6))

    def f(x, w):
        return lax.conv_transpose(
            x, w, (2, 2, 1), "SAME", dimension_numbers=("NHWDC", "HWDIO", "NHWDC")
        )

    return f


@program
def causal_conv_1d(b):
    b.arg((4, 48, 8), "x", "y", None)
    b.arg((4, 8))

    def f(x, w):
        return lax.conv_general_dilated(
            x,
            w[:, None],
            (1,),
            [(3, 0)],
            feature_group_count=8,
            dimension_numbers=("NWC", "WIO", "NWC"),
        )

    return jax.value_and_grad(lambda *v: (f(*v) ** 2).sum(), argnums=(0, 1))


@program
def pooling(b):
    b.arg((4, 16, 24, 4), "x", "y", None, None)

    def f(x):
        m = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        a = lax.reduce_window(
            x, 0.0, lax.add, (1, 4, 2, 1), (1, 1, 2, 1), [(0, 0), (2, 1), (0, 0), (0, 0)]
        )
        return (m**2).sum() + (a**3).mean()

    return jax.value_and_grad(f)


@program
def resize(b):
    b.arg((4, 8, 12, 4), "x", "y", None, None)

    def f(x):
        up = jax.image.resize(x, (4, 16, 24, 4), "bilinear")
        return up, jax.image.resize(x, (4, 5, 7, 4), "cubic"), jnp.repeat(x, 3, 1)

    return f


@program
def pixel_shuffle(b):
    b.arg((4, 8, 8, 16), "x", "y", None, None)

    def f(x):
        up = x.reshape(4, 8, 8, 2, 2, 4).transpose(0, 1, 3, 2, 4, 5).reshape(4, 16, 16, 4)
        return up, up.reshape(4, 8, 2, 8, 2, 4).transpose(0, 1, 3, 5, 2, 4).reshape(4, 64, 16)

    return f


@program
def patch_embedding(b):
    b.arg((4, 16, 16, 3), "x", "y", None, None)
    b.arg((48, 32), None, "y")

    def f(x, w):
        p = x.reshape(4, 4, 4, 4, 4, 3).transpose(0, 1, 3, 2, 4, 5).reshape(4, 16, 48)
        return p @ w

    return jax.grad(lambda x, w: (f(x, w) ** 2).sum(), argnums=(0, 1))


@program
def total_variation(b):
    b.arg((4, 17, 23), "x", "y", None)

    def f(x):
        return jnp.abs(x[:, 1:] - x[:, :-1]).sum() + jnp.abs(x[:, :, 1:] - x[:, :, :-1]).sum()

    b.args[0] = b.args[0][:, :16]
    return jax.value_and_grad(f)


@program
def reflect_pad_blur(b):
    b.arg((16, 24), "x", "y")

    def f(x):
        p = jnp.pad(x, 2, mode="reflect")
        k = jnp.array([1, 4, 6, 4, 1.0]) / 16
        p = sum(k[i] * p[i : i + 16] for i in range(5))
        return sum(k[i] * p[:, i : i + 24] for i in range(5)), jnp.pad(
            x, ((1, 3), (2, 0)), mode="wrap"
        )

    return f


# ---- indices --------------------------------------------------------------------------------


@program
def segment_sums(b):
    b.arg((32, 8), "x", "y")
    b.arg((32,), "x", dtype=np.int32, most=10)

    def f(v, s):
        return (
            jax.ops.segment_sum(v, s, 10),
            jax.ops.segment_max(v, s, 10),
            jnp.bincount(s, length=10),
            jax.ops.segment_prod(v, s, 10),
        )

    return f


@program
def message_passing(b):
    b.arg((16, 8), "x", None)
    b.arg((48, 2), ("x", "y"), None, dtype=np.int32, most=16)
    b.arg((16, 8), None, "y")

    def f(h, edge, w):
        for _ in range(2):
            m = jnp.tanh(jnp.concatenate([h[edge[:, 0]], h[edge[:, 1]]], -1) @ w)
            h = h + jnp.zeros_like(h).at[edge[:, 1]].add(m)
        return h

    return jax.value_and_grad(lambda h, e, w: (f(h, e, w) ** 2).sum(), argnums=(0, 2))


@program
def scatters(b):
    b.arg((16, 12), "x", "y")
    b.arg((10,), None, dtype=np.int32, most=20)
    b.arg((10, 12), None, "y")
    b.arg((6, 2), None, dtype=np.int32, most=12)
    b.arg((6,), None)

    def f(t, i, u, ij, s):
        return (
            t.at[i].add(u),
            t.at[i].max(u),
            t.at[i].multiply(u, mode="drop"),
            t.at[:, 3:7].set(0),
            t.at[ij[:, 0], ij[:, 1]].min(s),
            t.at[2:9:3, 1].add(1),
        )

    return f


@program
def gathers(b):
    b.arg((16, 12, 4), "x", "y", None)
    b.arg((6,), None, dtype=np.int32, most=20)
    b.arg((16, 5), "x", None, dtype=np.int32, most=12)

    def f(t, i, k):
        return (
            t[i],
            t[:, i],
            jnp.take_along_axis(t, k[..., None], 1),
            t[i[:3], i[3:], 1:3],
            jnp.take(t, i, 0, mode="fill"),
            t[::2, ::-1],
            t[-3:, 5],
        )

    return f


@program
def vmapped_dynamic_slices(b):
    b.arg((8, 32, 4), "x", "y", None)
    b.arg((8,), "x", dtype=np.int32, most=30)
    b.arg((8, 3, 4), "x", None, None)

    def f(t, at, u):
        a = jax.vmap(lambda t, i: lax.dynamic_slice(t, (i, 0), (5, 4)))(t, at)
        c = jax.vmap(lambda t, i, u: lax.dynamic_update_slice(t, u, (i, 0)))(t, at, u)
        return a, c

    return f


@program
def sorting(b):
    b.arg((16, 24), "x", "y")
    b.arg((16, 24), "x", "y", dtype=np.int32)

    def f(v, k):
        return (
            jnp.sort(v, 0),
            jnp.argsort(v, 1),
            lax.sort((k, v), num_keys=2),
            jnp.median(v, 1),
            jnp.quantile(v, 0.3, 0),
            lax.top_k(v, 5),
            jnp.sort(v, None),
        )

    return f


@program
def searches(b):
    b.arg((64,), ("x", "y"))
    b.arg((8, 4), "x", "y")

    def f(t, v):
        t = jnp.sort(t)
        return (
            jnp.searchsorted(t, v),
            jnp.digitize(v, t[::8]),
            jnp.histogram(v, 6)[0],
            jnp.nonzero(v > 0, size=10),
            jnp.interp(v, t, t**2),
            jnp.argmax(v),
            jnp.unique(jnp.round(v), size=6),
        )

    return f


@program
def cumulative(b):
    b.arg((16, 24), "x", "y")

    def f(v):
        return (
            jnp.cumsum(v, 0),
            jnp.cumprod(v * 0.5, 1),
            lax.cummax(v, 0),
            lax.cummin(v, 1, reverse=True),
            lax.cumlogsumexp(v, 0),
            jnp.cumsum(v),
            jnp.diff(v, axis=0),
        )

    return f


@program
def embedding_bag(b):
    b.arg((64, 16), ("x", "y"), None)
    b.arg((16, 6), "x", None, dtype=np.int32, most=64)
    b.arg((16, 6), "x", None, dtype=np.bool_)

    def f(t, i, keep):
        v = t[i] * keep[..., None]
        return (v.sum(1) / jnp.maximum(keep.sum(1, keepdims=True), 1)) ** 2

    return jax.value_and_grad(lambda t, i, k: f(t, i, k).sum())


@program
def triangular_indices(b):
    b.arg((8, 8, 8), "x", "y", None)

    def f(v):
        i, k = jnp.triu_indices(8)
        return v[:, i, k], jnp.tril(v), jnp.trace(v, axis1=1, axis2=2), jnp.diagonal(v, 1, 0, 2)

    return f


# ---- shapes ---------------------------------------------------------------------------------


@program
def reshapes(b):
    b.arg((16, 6, 8), ("x", "y"), None, None)
    b.arg((8, 12), "y", "x")

    def f(v, w):
        return (
            v.reshape(96, 8),
            v.reshape(4, 4, 48),
            v.reshape(-1),
            w.reshape(2, 4, 3, 4),
            w.reshape(96),
            w.T.reshape(6, 16),
            v.transpose(2, 0, 1).reshape(8, 96),
        )

    return f


@program
def odd_sizes(b):
    b.arg((12, 20), "x", "y")

    def f(v):
        u = b.constrain(v[:7, :13] * 2, "x", "y")
        w = b.constrain(jnp.concatenate([u, u[:3], -u[1:2]]), "y", None)
        return (
            u.sum(0),
            w.mean(1),
            jnp.prod(u, 1),
            (w @ u.T).max(0),
            jnp.exp(u).min(),
            w.reshape(-1)[5:50],
        )

    return f


@program
def concatenations(b):
    b.arg((8, 6), "x", None)
    b.arg((4, 6), None, "y" if b.n == 2 else None)
    b.arg((12, 6), "x", None)

    def f(a, c, d):
        return (
            jnp.concatenate([a, c, d]),
            jnp.stack([a, a * 2], 1),
            jnp.hstack([a, a[:, ::-1]]),
            jnp.tile(a, (3, 2)),
            jnp.block([[a, a], [d[:8], a]]),
        )

    return f


@program
def strides_and_flips(b):
    b.arg((24, 16), "x", "y")

    def f(v):
        return (
            v[::3, 1::2],
            v[5:20:5],
            v[::-1, ::-1],
            v[2:-2, 3:-1],
            lax.pad(v, 0.0, ((1, 2, 1), (-2, 3, 0))),
            jnp.rot90(v),
            jnp.roll(v, 7, 1),
            lax.rev(v[1:], (0,)),
        )

    return f


@program
def einsums(b):
    b.arg((4, 8, 6), "x", "y", None)
    b.arg((6, 8, 4, 2), None, "y", "x", None)
    b.arg((4, 4), "x", None)

    def f(a, c, d):
        return (
            jnp.einsum("abc,cbad->d", a, c),
            jnp.einsum("abc,cbed->aed", a, c),
            jnp.einsum("abc,ae->ebc", a, d),
            jnp.einsum("abc,abd->cd", a, a),
            jnp.kron(d, d),
            jnp.tensordot(a, c, [[1, 2], [1, 0]]),
            jnp.einsum("aa->a", d),
        )

    return f


@program
def complex_numbers(b):
    b.arg((8, 16), "x", "y", dtype=np.complex64)
    b.arg((16, 8), "y", None, dtype=np.complex64)

    def f(v, w):
        there = jnp.fft.ifft2(jnp.fft.fft2(v) * 2)
        return v @ w, there, jnp.abs(v).sum(0), (v * w.T).real.max(), jnp.angle(v)

    return f


@program
def spectral(b):
    b.arg((4, 16, 8), "x", "y", None)

    def f(v):
        h = jnp.fft.rfft(v, axis=1)
        return jnp.fft.irfft(h * jnp.exp(-jnp.arange(9))[:, None], axis=1), jnp.abs(
            jnp.fft.fftshift(h, 1)
        )

    return f


# ---- reductions, numbers ---------------------------------------------------------------------


@program
def statistics(b):
    b.arg((18, 30), dtype=np.float32)

    def f(v):
        v = b.constrain(v, "x", "y")
        return (
            v.var(0),
            v.std(),
            jnp.cov(v),
            jnp.corrcoef(v, rowvar=False)[:4],
            jax.nn.logsumexp(v, 1),
            v.argmin(0),
            (v > 0).all(1),
            (v > 2).any(0),
            jnp.ptp(v, 1),
            jnp.count_nonzero(v > 0, 0),
        )

    return f


@program
def variadic_reduce(b):
    b.arg((12, 20), "x", "y")
    b.arg((12, 20), "x", "y", dtype=np.int32, most=50)

    def f(v, i):
        def pick(a, c):
            less = (a[0] < c[0]) | ((a[0] == c[0]) & (a[1] < c[1]))
            return tuple(jnp.where(less, x, y) for x, y in zip(a, c))

        return lax.reduce((v, i), (np.float32(9e9), np.int32(99)), pick, (1,)), lax.reduce(
            v, np.float32(1), lambda a, c: a * c + 0 * a, (0,)
        )

    return f


@program
def batch_norm_train(b):
    b.arg((16, 6, 6, 8), ("x", "y"), None, None, None)
    b.arg((8,))

    def f(x, g):
        m, v = x.mean((0, 1, 2)), x.var((0, 1, 2))
        y = (x - m) * lax.rsqrt(v + 1e-5) * g
        return (y**3).sum(), (m, v)

    return jax.value_and_grad(f, argnums=(0, 1), has_aux=True)


@program
def half_precision(b):
    b.arg((16, 32), "x", "y")
    b.arg((32, 16), "y", None)

    def f(x, w):
        x, w = x.astype(jnp.bfloat16), w.astype(jnp.bfloat16)
        y = jax.nn.relu(lax.dot(x, w, preferred_element_type=jnp.float32))
        return (y.astype(jnp.float16).sum(0), y.max(1).astype(jnp.bfloat16).astype(jnp.float32))

    return f


@program
def special_functions(b):
    b.arg((8, 12), "x", "y")

    def f(v):
        p = jnp.abs(v) + 0.5
        return (
            lax.lgamma(p),
            lax.digamma(p),
            lax.erf(v),
            lax.erf_inv(jnp.tanh(v)),
            lax.bessel_i1e(v),
            jax.scipy.special.betainc(p, p, p / (p + 1)),
            lax.igamma(p, p),
            jnp.arcsinh(v),
            lax.nextafter(v, p),
        )

    return f


@program
def integers(b):
    b.arg((8, 16), "x", "y", dtype=np.int32, most=1000)
    b.arg((8, 16), "x", "y", dtype=np.uint8, most=200)

    def f(i, u):
        return (
            lax.population_count(i),
            lax.clz(i),
            i << 3,
            i ^ (i >> 2),
            i // 7,
            i % 13,
            u + u,
            u.sum(0),
            lax.bitcast_convert_type(i, jnp.uint8),
            lax.bitcast_convert_type(i, jnp.float32),
            i.astype(jnp.int8),
        )

    return f


@program
def random_numbers(b):
    b.arg((16, 12), "x", "y")
    b.arg((2,), dtype=np.uint32, most=99)

    def f(v, key):
        k = jax.random.split(jax.random.wrap_key_data(key), 4)
        drop = jax.random.bernoulli(k[0], 0.7, v.shape)
        return (
            jnp.where(drop, v / 0.7, 0),
            jax.random.normal(k[1], (16, 12)) + v,
            jax.random.categorical(k[2], v),
            jax.random.permutation(k[3], v),
            jax.random.gumbel(k[0], (5,)),
        )

    return f, (P("x", "y"), P("x", "y"), P("x"), P("x"), P())


@program
def linear_algebra(b):
    b.arg((8, 6, 6), "x", None, "y" if b.n == 4 else None)
    b.arg((8, 6, 2), "x", None, None)

    def f(a, r):
        a = a @ a.swapaxes(1, 2) + 6 * jnp.eye(6)
        l = lax.linalg.cholesky(a)
        return l, lax.linalg.triangular_solve(l, r, left_side=True, lower=True)

    return f


@program
def second_derivatives(b):
    b.arg((8, 6), "x", None)
    b.arg((6, 4), None, "y")

    def f(x, w):
        loss = lambda w: jnp.tanh(x @ w).sum() ** 2
        return (
            jax.hessian(loss)(w),
            jax.jvp(jax.grad(loss), (w,), (w,))[1],
            jax.jacfwd(lambda w: (x @ w).sum(0))(w),
        )

    return f


@program
def rematerialized_adam(b):
    b.arg((16, 8), "x", None)
    b.arg((8, 32), None, "y")
    b.arg((32, 8), "y", None)

    def f(x, w1, w2):
        block = jax.checkpoint(lambda h, w1, w2: h + jax.nn.gelu(h @ w1) @ w2)
        loss = lambda ws: ((block(block(x, *ws), *ws) - 1) ** 2).mean()

        def step(c, _):
            ws, m, v = c
            l, g = jax.value_and_grad(loss)(ws)
            m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
            v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
            return (
                jax.tree.map(lambda w, m, v: w - 0.01 * m / (jnp.sqrt(v) + 1e-4), ws, m, v),
                m,
                v,
            ), l

        zero = (jnp.zeros_like(w1), jnp.zeros_like(w2))
        return lax.scan(step, ((w1, w2), zero, zero), length=3)

    return f


@program
def resharded_often(b):
    b.arg((16, 8, 12), "x", "y", None)

    def f(v):
        v = b.constrain(jnp.sin(v), "y", None, "x")
        v = b.constrain(v * 2, None, ("x", "y"), None)
        v = b.constrain(v.transpose(1, 0, 2), None, ("y", "x"), None)
        return b.constrain(v + 1, ("y", "x"), None, None), v.sum((0, 2))

    return f


@program
def gaussian_process(b):
    b.arg((24, 3), ("x",), None)
    b.arg((24,), "x")
    b.arg((8, 3), "y", None)

    def f(x, y, z):
        k = lambda a, c: jnp.exp(-0.5 * ((a[:, None] - c[None]) ** 2).sum(-1))
        l = lax.linalg.cholesky(k(x, x) + 0.5 * jnp.eye(24))
        w = lax.linalg.triangular_solve(l, y[:, None], left_side=True, lower=True)
        s = lax.linalg.triangular_solve(l, k(x, z), left_side=True, lower=True)
        return (s * w).sum(0), 1 - (s * s).sum(0)

    return f


@program
def k_means(b):
    b.arg((64, 4), ("x", "y"), None)

    def f(x):
        def step(_, c):
            near = ((x[:, None] - c) ** 2).sum(-1).argmin(1)
            one = jax.nn.one_hot(near, 5)
            return (one.T @ x) / jnp.maximum(one.sum(0)[:, None], 1)

        return lax.fori_loop(0, 5, step, x[:5])

    return f


@program
def custom_rule_functions(b):
    b.arg((8, 16), "x", "y")

    @jax.custom_vjp
    def clip(v):
        return jnp.clip(v, -1, 1)

    clip.defvjp(lambda v: (clip(v), v), lambda v, g: (jnp.where(jnp.abs(v) < 1, g, 0.1 * g),))

    @jax.jit
    def inner(v):
        return clip(v * 2) @ v.T

    def f(v):
        return inner(v).sum() + inner(v[::-1]).mean() + jax.jit(lambda u: (u**2).sum())(inner(v))

    return jax.value_and_grad(f)


# ---- uneven shards, other orders, gradients of windows --------------------------------------


@program
def permuted_mesh(b):
    devices = b.mesh.devices
    b.mesh = Mesh(devices.flatten()[::-1].reshape(devices.shape), ("x", "y"))
    b.arg((16, 24), "x", "y")
    b.arg((24, 8), "y", None)

    def f(v, w):
        u = b.constrain(v @ w, "y", "x")
        return jnp.roll(u, 1, 0), u.T @ v, jnp.cumsum(u, 0)

    return f


@program
def uneven_everything(b):
    b.arg((12, 20))
    b.arg((20, 28))

    def f(v, w):
        v, w = b.constrain(v[:11, :19], "x", "y"), b.constrain(w[:19, :27], "y", "x")
        u = b.constrain(v @ w, "y", "x")
        s = jax.nn.softmax(u)
        return (
            s,
            jnp.argsort(u, 1),
            b.constrain(jnp.pad(u, ((1, 2), (3, 0))), "x", "y"),
            b.constrain(u.reshape(27, 11), "x", None),
            jnp.concatenate([u, s], 0),
            lax.rev(u, (0, 1)),
            u[:, ::2],
            u.T,
        )

    return f


@program
def uneven_gradients(b):
    b.arg((10, 14))
    b.arg((14, 6))

    def f(v, w):
        h = b.constrain(v[:9] @ w, "x", "y")
        h = jax.nn.gelu(b.constrain(h * 2, "y", None))
        return (h.reshape(3, 18).sum(0) ** 2).mean() + h.max() + jnp.prod(h, 0).sum()

    return jax.value_and_grad(f, argnums=(0, 1))


@program
def conv_gradients_in_space(b):
    b.arg((2, 16, 16, 4), None, "x", "y", None)
    b.arg((3, 3, 4, 8))
    b.arg((5, 5, 8, 4))
    dims = ("NHWC", "HWIO", "NHWC")

    def f(x, down, up):
        h = lax.conv_general_dilated(x, down, (2, 2), "SAME", dimension_numbers=dims)
        h = b.constrain(jax.nn.relu(h), None, "x", "y", None)
        h = lax.conv_general_dilated(
            h, up, (1, 1), [(2, 3), (2, 3)], lhs_dilation=(2, 2), dimension_numbers=dims
        )
        h = b.constrain(h, None, "x", None, None)
        p = lax.reduce_window(h, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return (p**2).mean()

    return jax.value_and_grad(f, argnums=(0, 1, 2))


@program
def depthwise_gradients(b):
    b.arg((4, 16, 8, 8), "x", "y", None, None)
    b.arg((3, 3, 1, 8))

    def f(x, w):
        h = lax.conv_general_dilated(
            x,
            w,
            (1, 1),
            "SAME",
            feature_group_count=8,
            rhs_dilation=(2, 1),
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )
        return (h**2).sum()

    return jax.grad(f, argnums=(0, 1))


@program
def branches_in_loops(b):
    b.arg((8, 16), "x", "y")

    def f(v):
        g = jax.jit(
            lambda v: lax.cond(v.sum() > 0, lambda v: jnp.sort(v, 0), lambda v: v @ v.T @ v, v)
        )
        body = lambda i, c: lax.cond(i % 2 == 0, g, lambda v: v * 0.5, c)
        return g(v) + g(-v), lax.fori_loop(0, 3, body, v)

    return f


@program
def scan_with_sharded_rows(b):
    b.arg((12, 8, 4), None, "x", "y")

    def f(xs):
        def step(c, x):
            c = b.constrain(c * 0.9 + x, "y", None)
            return c, (c.sum(0), b.constrain(c.T, "x", None))

        return lax.scan(step, jnp.zeros((8, 4)), xs)

    return f


# ---- shard_map --------------------------------------------------------------------------------


@program
def shard_map_nested(b):
    b.arg((8, 16), "x", "y")

    def inner(v):
        return v * lax.axis_index("y") + lax.psum(v, "y")

    def outer(v):
        return shard_map(
            inner, in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"}, check_vma=False
        )(v - lax.pmax(v, "x"))

    return shard_map(
        outer, mesh=b.mesh, in_specs=P("x"), out_specs=P("x"), axis_names={"x"}, check_vma=False
    )


@program
def shard_map_while(b):
    b.arg((8, 16), "x", "y")

    def local(v):
        n = lax.axis_size("x")
        right = [(i, (i + 1) % n) for i in range(n)]

        def body(c):
            v, k, _ = c
            w = 0.5 * (v + lax.ppermute(v, "x", right))
            return w, k + 1, lax.pmax(jnp.abs(w - v).max(), ("x", "y"))

        return lax.while_loop(lambda c: (c[1] < 20) & (c[2] > 1e-2), body, (v, 0, jnp.inf))[0]

    return shard_map(
        local, mesh=b.mesh, in_specs=P("x", "y"), out_specs=P("x", "y"), check_vma=False
    )


@program
def shard_map_causal_ring_attention(b):
    axes, n = ("x", "y"), b.n
    for _ in range(3):
        b.arg((2, 32, 2, 8), None, axes, None, None)

    def local(q, k, v):
        me, rows = lax.axis_index(axes), q.shape[1]
        right = [(i, (i + 1) % n) for i in range(n)]

        def step(i, c):
            o, most, total, k, v = c
            s = jnp.einsum("bqhd,bkhd->bhqk", q, k)
            seen = (me * rows + jnp.arange(rows))[:, None] >= (
                (me - i) % n * rows + jnp.arange(rows)
            )[None]
            s = jnp.where(seen, s, -1e30)
            higher = jnp.maximum(most, s.max(-1))
            p, scale = jnp.exp(s - higher[..., None]), jnp.exp(most - higher)
            o = o * scale[..., None] + jnp.einsum("bhqk,bkhd->bhqd", p, v)
            return (
                o,
                higher,
                total * scale + p.sum(-1),
                lax.ppermute(k, axes, right),
                lax.ppermute(v, axes, right),
            )

        start = (
            jnp.zeros((2, 2, rows, 8)),
            jnp.full((2, 2, rows), -1e30),
            jnp.zeros((2, 2, rows)),
            k,
            v,
        )
        o, _, total, _, _ = lax.fori_loop(0, n, step, start)
        return (o / total[..., None]).transpose(0, 2, 1, 3)

    return shard_map(
        local, mesh=b.mesh, in_specs=P(None, axes), out_specs=P(None, axes), check_vma=False
    )


@program
def shard_map_halo(b):
    b.arg((16, 24), "x", "y")

    def local(u):
        def side(u, axis, d):
            n = lax.axis_size(axis)
            first = lax.slice_in_dim(u, 0, 1, axis=d)
            last = lax.slice_in_dim(u, u.shape[d] - 1, u.shape[d], axis=d)
            right = [(i, (i + 1) % n) for i in range(n)]
            return (
                lax.ppermute(last, axis, right),
                lax.ppermute(first, axis, [(k, i) for i, k in right[:-1]]),
            )

        for axis, d in (("x", 0), ("y", 1)):
            before, after = side(u, axis, d)
            u = jnp.concatenate([before, u, after], d)
        return (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) / 4

    return shard_map(local, mesh=b.mesh, in_specs=P("x", "y"), out_specs=P("x", "y"))


@program
def shard_map_collective_matmul(b):
    b.arg((16, 32), ("x", "y"), None)
    b.arg((32, 24), ("x", "y"), None)

    def local(x, w):
        n, me = b.n, lax.axis_index(("x", "y"))

        def step(i, c):
            acc, w = c
            part = lax.dynamic_slice_in_dim(x, ((me + i) % n) * w.shape[0], w.shape[0], 1)
            return acc + part @ w, lax.ppermute(w, ("x", "y"), [(k, (k - 1) % n) for k in range(n)])

        acc = lax.pcast(jnp.zeros((x.shape[0], 24)), ("x", "y"), to="varying")
        return lax.fori_loop(0, n, step, (acc, w))[0]

    return shard_map(
        local, mesh=b.mesh, in_specs=(P(("x", "y")), P(("x", "y"))), out_specs=P(("x", "y"))
    )


@program
def shard_map_collectives(b):
    b.arg((16, 32), "x", "y")

    def local(v):
        i = lax.axis_index("x") * 10 + lax.axis_index("y")
        return (
            lax.psum(v, "x"),
            lax.pmax(v, ("x", "y")),
            lax.all_gather(v, "y", axis=1, tiled=True),
            lax.psum_scatter(v, "y", scatter_dimension=1, tiled=True),
            lax.all_to_all(v, "x", 1, 0, tiled=True),
            v * i,
            lax.pmean(v, "y"),
            lax.all_gather(v, "x"),
        )

    return shard_map(
        local,
        mesh=b.mesh,
        in_specs=P("x", "y"),
        check_vma=False,
        out_specs=(
            P(None, "y"),
            P(),
            P("x", None),
            P("x", "y"),
            P("x", "y"),
            P("x", "y"),
            P("x"),
            P(None, None, "y"),
        ),
    )


@program
def shard_map_partial_auto(b):
    b.arg((8, 16), "x", "y")
    b.arg((16, 16), None, "y")

    def local(v, w):
        h = jnp.tanh(v @ w)
        return h - lax.pmean(h, "x"), (h @ w.T).sum(0)[None]

    return shard_map(
        local, mesh=b.mesh, in_specs=(P("x"), P()), out_specs=(P("x"), P("x")), axis_names={"x"}
    )


@program
def shard_map_gradient(b):
    b.arg((16, 8), ("x", "y"), None)
    b.arg((8, 8), None, None)

    def local(x, w):
        return lax.psum(jnp.tanh(x @ w).sum(0), ("x", "y"))

    g = shard_map(local, mesh=b.mesh, in_specs=(P(("x", "y")), P()), out_specs=P())
    return jax.value_and_grad(lambda x, w: (g(x, w) ** 2).sum(), argnums=(0, 1))


@program
def shard_map_in_scan(b):
    b.arg((8, 16), "x", "y")
    b.arg((4, 16, 16), None, "y", None)

    def layer(v, w):
        return lax.psum_scatter(jnp.maximum(v, 0) @ w, "y", scatter_dimension=1, tiled=True)

    g = shard_map(layer, mesh=b.mesh, in_specs=(P("x", "y"), P("y", None)), out_specs=P("x", "y"))

    def f(v, ws):
        return lax.scan(lambda v, w: (g(v, w) + v, v.mean()), v, ws)

    return jax.value_and_grad(lambda v, ws: f(v, ws)[0].sum(), argnums=(0, 1))


@program
def shard_map_pipeline(b):
    b.arg((2 * b.n, 4, 8), None, None, None)
    b.arg((b.n, 8, 8), ("x", "y"), None, None)
    axes = ("x", "y")

    def local(xs, w):
        me, n = lax.axis_index(axes), b.n

        def step(c, t):
            held, out = c
            h = jnp.where(me == 0, xs[jnp.clip(t, 0, 2 * n - 1)], held)
            h = jnp.tanh(h @ w[0])
            k = t - (n - 1)
            out = jnp.where((me == n - 1) & (k >= 0), out.at[jnp.clip(k, 0, 2 * n - 1)].set(h), out)
            return (lax.ppermute(h, axes, [(i, (i + 1) % n) for i in range(n)]), out), None

        zero = lax.pcast(jnp.zeros((4, 8)), axes, to="varying")
        outs = lax.pcast(jnp.zeros((2 * n, 4, 8)), axes, to="varying")
        (_, out), _ = lax.scan(step, (zero, outs), jnp.arange(3 * n - 1))
        return lax.psum(jnp.where(me == n - 1, out, 0), axes)

    return shard_map(local, mesh=b.mesh, in_specs=(P(), P(axes)), out_specs=P())


@program
def shard_map_expert_exchange(b):
    b.arg((32, 8), ("x", "y"), None)
    b.arg((8, 16), None, None)
    b.arg((16, 8, 8), ("x", "y"), None, None)
    axes = ("x", "y")

    def local(x, gate, w):
        e = (x @ gate).argmax(-1)
        one = jax.nn.one_hot(e, 16, dtype=x.dtype)
        send = jnp.einsum("te,td->etd", one, x)
        got = lax.all_to_all(send.reshape(b.n, 16 // b.n, *send.shape[1:]), axes, 0, 0)
        y = jnp.einsum("netd,edf->netf", got, w)
        back = lax.all_to_all(y, axes, 0, 0).reshape(send.shape)
        return jnp.einsum("te,etd->td", one, back)

    return shard_map(local, mesh=b.mesh, in_specs=(P(axes), P(), P(axes)), out_specs=P(axes))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder")
    parser.add_argument("--devices", default="2,4,8,16")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    failed = 0
    for name in options.names or PROGRAMS:
        for n in map(int, options.devices.split(",")):
            try:
                write(options.folder, name, n)
            except Exception as error:
                failed += 1
                print(
                    f"{name}_{n}: {type(error).__name__}: {str(error).splitlines()[0][:200]}",
                    file=sys.stderr,
                )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
