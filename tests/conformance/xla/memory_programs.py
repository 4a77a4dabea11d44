#!/usr/bin/env python3
"""Writes JAX programs for memory.py to compare, on which the memory model was not chosen.

    PYTHON-WITH-JAX tests/conformance/xla/memory_programs.py FOLDER [NAME...]

Each program is written twice: NAME.mlir for a mesh of data=4 x model=2, and NAME_1.mlir for
one device.  A program is a function and its arguments: shapes, with the mesh axes that split
each dimension; donated arguments are named.
"""

import os
import sys

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
import jax
import jax.numpy as jnp
import numpy
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

PROGRAMS = {}
D, M = "data", "model"


class Arg:
    """A shape, the axis that splits each dimension, a type."""

    def __init__(self, shape, *axes, dtype="float32"):
        self.shape, self.axes, self.dtype = shape, axes, dtype


def program(*arguments, donate=()):
    def keep(function):
        PROGRAMS[function.__name__] = (function, arguments, donate)
        return function

    return keep


def is_arg(x):
    return isinstance(x, Arg)


# ---- networks ---------------------------------------------------------------------------


def mlp(weights, x):
    for w in weights[:-1]:
        x = jax.nn.relu(x @ w)
    return x @ weights[-1]


WIDE = [
    Arg((256, 1024), None, M),
    Arg((1024, 1024), M),
    Arg((1024, 1024), None, M),
    Arg((1024, 64), M),
]
HALF = [Arg(w.shape, *w.axes, dtype="bfloat16") for w in WIDE]


@program(WIDE, Arg((512, 256), D))
def mlp_forward(weights, x):
    return mlp(weights, x)


@program(WIDE, Arg((512, 256), D), Arg((512, 64), D))
def mlp_gradient(weights, x, y):
    return jax.value_and_grad(lambda w: jnp.mean((mlp(w, x) - y) ** 2))(weights)


@program(WIDE, Arg((512, 256), D), Arg((512, 64), D), donate=(0,))
def mlp_sgd_donated(weights, x, y):
    loss, grads = jax.value_and_grad(lambda w: jnp.mean((mlp(w, x) - y) ** 2))(weights)
    return [w - 0.1 * g for w, g in zip(weights, grads)], loss


@program(HALF, Arg((512, 256), D, dtype="bfloat16"))
def mlp_bfloat16(weights, x):
    return jax.grad(lambda w: jnp.sum(mlp(w, x).astype("float32")))(weights)


@program(WIDE, WIDE, WIDE, Arg((512, 256), D), Arg((512, 64), D), Arg(()), donate=(0, 1, 2))
def mlp_adam_donated(weights, first, second, x, y, step):
    grads = jax.grad(lambda w: jnp.mean((mlp(w, x) - y) ** 2))(weights)
    first = [0.9 * a + 0.1 * g for a, g in zip(first, grads)]
    second = [0.99 * a + 0.01 * g * g for a, g in zip(second, grads)]
    scale = 1e-3 * jnp.sqrt(1 - 0.99**step) / (1 - 0.9**step)
    stepped = [w - scale * a / (jnp.sqrt(b) + 1e-8) for w, a, b in zip(weights, first, second)]
    return stepped, first, second


@program([Arg((512, 512), None, M), Arg((512, 512), M)] * 4, Arg((1024, 512), D))
def mlp_remat(weights, x):
    @jax.checkpoint
    def pair(x, a, b):
        return jnp.tanh(jnp.tanh(x @ a) @ b)

    def loss(weights):
        y = x
        for a, b in zip(weights[::2], weights[1::2]):
            y = pair(y, a, b)
        return jnp.sum(y * y)

    return jax.grad(loss)(weights)


@program(Arg((512, 512), None, M), Arg((2048, 512), D), Arg((2,), dtype="uint32"))
def dropout(w, x, seed):
    key = jax.random.wrap_key_data(seed)
    y = jnp.maximum(x @ w, 0)
    return jnp.where(jax.random.bernoulli(key, 0.9, y.shape), y / 0.9, 0)


# ---- convolutions -----------------------------------------------------------------------


def conv(x, w, stride=1, padding="SAME", **more):
    return lax.conv_general_dilated(
        x, w, (stride, stride), padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), **more
    )


KERNELS = [
    Arg((3, 3, 3, 32)),
    Arg((3, 3, 32, 64), None, None, None, M),
    Arg((3, 3, 64, 64), None, None, M),
]


def convnet(kernels, x):
    for i, k in enumerate(kernels):
        x = jax.nn.relu(conv(x, k, 1 + (i == 1)))
    return jnp.mean(x, (1, 2))


@program(KERNELS, Arg((32, 64, 64, 3), D))
def conv_forward(kernels, x):
    return convnet(kernels, x)


@program(KERNELS, Arg((32, 64, 64, 3), D))
def conv_gradient(kernels, x):
    return jax.grad(lambda k: jnp.sum(convnet(k, x) ** 2))(kernels)


@program(Arg((3, 3, 1, 64)), Arg((1, 1, 64, 128)), Arg((16, 56, 56, 64), D))
def conv_depthwise(depth, point, x):
    return conv(jax.nn.relu(conv(x, depth, feature_group_count=64)), point)


@program(Arg((16, 32, 32, 64), D), Arg((4, 4, 64, 32)))
def conv_transposed(x, w):
    y = lax.conv_transpose(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jnp.tanh(y)


@program(Arg((32, 64, 64, 32), D))
def max_pool_gradient(x):
    def pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    return jax.grad(lambda x: jnp.sum(pool(x) ** 2))(x)


@program(Arg((32, 32, 32, 64), D), Arg((64,)), Arg((64,)))
def batch_norm_gradient(x, scale, shift):
    def loss(x, scale, shift):
        mean, var = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
        return jnp.sum(jax.nn.gelu((x - mean) * lax.rsqrt(var + 1e-5) * scale + shift))

    return jax.grad(loss, (0, 1, 2))(x, scale, shift)


# ---- attention and transformers -----------------------------------------------------------


def attend(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / numpy.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


HEADS = Arg((8, 256, 8, 32), D, None, M)


@program(HEADS, HEADS, HEADS)
def attention_forward(q, k, v):
    return attend(q, k, v)


@program(HEADS, HEADS, HEADS)
def attention_gradient(q, k, v):
    return jax.grad(lambda *a: jnp.sum(attend(*a) ** 2), (0, 1, 2))(q, k, v)


LONG = Arg((8, 1024, 8, 32), D, None, M)


@program(LONG, LONG, LONG)
def attention_in_blocks(q, k, v):
    """Online softmax over blocks of keys."""
    blocks = 8

    def step(carry, kv):
        out, most, total = carry
        s = jnp.einsum("bqhd,bkhd->bhqk", q, kv[0]) / 6.0
        new = jnp.maximum(most, s.max(-1))
        p, fade = jnp.exp(s - new[..., None]), jnp.exp(most - new)
        return (
            out * fade[..., None] + jnp.einsum("bhqk,bkhd->bhqd", p, kv[1]),
            new,
            total * fade + p.sum(-1),
        ), None

    def split(x):
        return jnp.moveaxis(x.reshape(8, blocks, 1024 // blocks, 8, 32), 1, 0)

    start = (jnp.zeros((8, 8, 1024, 32)), jnp.full((8, 8, 1024), -jnp.inf), jnp.zeros((8, 8, 1024)))
    (out, _, total), _ = lax.scan(step, start, (split(k), split(v)))
    return out / total[..., None]


def layer(p, x):
    h = x - x.mean(-1, keepdims=True)
    h = h * lax.rsqrt((h * h).mean(-1, keepdims=True) + 1e-5)
    q, k, v = (jnp.einsum("bsd,dhe->bshe", h, w) for w in (p["q"], p["k"], p["v"]))
    x = x + jnp.einsum("bshe,hed->bsd", attend(q, k, v), p["o"])
    return x + jax.nn.gelu(x @ p["up"]) @ p["down"]


def layer_arguments(n):
    lead = () if n is None else (n,)
    none = () if n is None else (None,)
    heads = Arg(lead + (256, 8, 32), *none, None, M)
    return {
        "q": heads,
        "k": heads,
        "v": heads,
        "o": Arg(lead + (8, 32, 256), *none, M),
        "up": Arg(lead + (256, 1024), *none, None, M),
        "down": Arg(lead + (1024, 256), *none, M),
    }


@program([layer_arguments(None)] * 4, Arg((8, 128, 256), D))
def transformer_gradient(layers, x):
    def loss(layers):
        y = x
        for p in layers:
            y = layer(p, y)
        return jnp.sum(y * y)

    return jax.grad(loss)(layers)


@program(layer_arguments(6), Arg((8, 128, 256), D))
def transformer_scan_gradient(layers, x):
    def loss(layers):
        y, _ = lax.scan(lambda c, p: (layer(p, c), None), x, layers)
        return jnp.sum(y**2)

    return jax.grad(loss)(layers)


@program(
    Arg((8, 512, 8, 32), D, None, M),
    Arg((8, 512, 8, 32), D, None, M),
    Arg((8, 8, 32), D, M),
    Arg((), dtype="int32"),
    donate=(0, 1),
)
def cache_decode(keys, values, x, at):
    keys = lax.dynamic_update_slice(keys, x[:, None], (0, at, 0, 0))
    values = lax.dynamic_update_slice(values, 2 * x[:, None], (0, at, 0, 0))
    p = jax.nn.softmax(jnp.einsum("bhd,bkhd->bhk", x, keys))
    return keys, values, jnp.einsum("bhk,bkhd->bhd", p, values)


@program(Arg((512, 256), D), Arg((256, 8192), None, M), Arg((512,), D, dtype="int32"))
def cross_entropy_gradient(x, w, labels):
    def loss(x, w):
        logits = x @ w
        wanted = jnp.take_along_axis(logits, labels[:, None], 1)[:, 0]
        return jnp.mean(jax.nn.logsumexp(logits, -1) - wanted)

    return jax.grad(loss, (0, 1))(x, w)


@program(Arg((8192, 256), M), Arg((64, 128), D, dtype="int32"))
def embedding_gradient(table, tokens):
    return jax.grad(lambda t: jnp.sum(jnp.tanh(t[tokens]) ** 2))(table)


@program(Arg((64, 128, 512), D), Arg((512,)), Arg((512,)))
def layer_norm_gradient(x, scale, shift):
    def loss(x, scale, shift):
        y = x
        for _ in range(3):
            y = jax.nn.standardize(y, -1) * scale + shift
            y = y * jax.nn.sigmoid(y)
        return jnp.sum(y)

    return jax.grad(loss, (0, 1, 2))(x, scale, shift)


# ---- loops and branches ---------------------------------------------------------------------


def gru(p, h, x):
    z, r = jax.nn.sigmoid(x @ p["xz"] + h @ p["hz"]), jax.nn.sigmoid(x @ p["xr"] + h @ p["hr"])
    return (1 - z) * h + z * jnp.tanh(x @ p["xn"] + (r * h) @ p["hn"])


GRU = {a + b: Arg((256, 256)) for a in "xh" for b in "zrn"}


@program(GRU, Arg((32, 64, 256), None, D))
def gru_scan(p, xs):
    return lax.scan(lambda h, x: (gru(p, h, x),) * 2, jnp.zeros((64, 256)), xs)[1]


@program(GRU, Arg((32, 64, 256), None, D))
def gru_scan_gradient(p, xs):
    def loss(p):
        h, _ = lax.scan(lambda h, x: (gru(p, h, x), None), jnp.zeros((64, 256)), xs)
        return jnp.sum(h)

    return jax.grad(loss)(p)


@program(Arg((1024, 1024), D, M), Arg((1024,)))
def power_iteration(a, x):
    def step(state):
        x, _, i = state
        y = a @ (a.T @ x)
        n = jnp.linalg.norm(y)
        return y / n, n, i + 1

    return lax.while_loop(lambda s: (s[2] < 50) & (s[1] > 1e-6), step, (x, jnp.float32(1), 0))


@program(Arg((512, 512), D), Arg((512, 512), D))
def conjugate_gradient(a, b):
    def step(_, s):
        x, r, p = s
        ap = a @ p
        rr = jnp.sum(r * r, 0)
        alpha = rr / jnp.sum(p * ap, 0)
        r2 = r - alpha * ap
        return x + alpha * p, r2, r2 + jnp.sum(r2 * r2, 0) / rr * p

    return lax.fori_loop(0, 20, step, (jnp.zeros_like(b), b, b))[0]


@program(Arg((1024, 1024), D, M))
def heat_stencil(u):
    def step(_, u):
        p = jnp.pad(u, 1)
        return u + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u)

    return lax.fori_loop(0, 100, step, u)


@program(Arg((1024, 512), D), Arg((512, 512), None, M), Arg((), dtype="int32"))
def branches(x, w, which):
    return lax.switch(which, [lambda x: x @ w, lambda x: jnp.tanh(x @ w) @ w, lambda x: x * 2], x)


@program(Arg((256, 4096), D), Arg((256, 4096), D))
def linear_recurrence(a, b):
    return lax.associative_scan(lambda l, r: (l[0] * r[0], l[1] * r[0] + r[1]), (a, b), axis=1)[1]


# ---- numerics -------------------------------------------------------------------------------


@program(Arg((512, 2048), D))
def sort_rows(x):
    order = jnp.argsort(x, 1)
    return jnp.take_along_axis(x, order, 1), order


@program(Arg((512, 4096), D), Arg((4096, 64), None, M))
def top_k_mixture(x, table):
    weights, which = lax.top_k(x, 4)
    return jnp.einsum("bk,bke->be", jax.nn.softmax(weights), table[which])


@program(Arg((16, 256, 256), D))
def fft_filter(x):
    f = jnp.fft.rfft2(x)
    return jnp.fft.irfft2(f * jnp.exp(-jnp.arange(f.shape[-1]) / 32.0))


@program(Arg((65536,), D, dtype="int32"), Arg((65536, 32), D))
def segment_sums(keys, values):
    return jax.ops.segment_sum(values, keys, 1024), jnp.zeros(1024).at[keys].add(1.0)


@program(Arg((8192, 64), D), Arg((256, 64)))
def k_means(points, centers):
    near = jnp.argmin(((points[:, None] - centers) ** 2).sum(-1), 1)
    one = jax.nn.one_hot(near, 256)
    return one.T @ points / (one.sum(0)[:, None] + 1e-6), near


@program(Arg((2048, 3), D))
def n_body(x):
    d = x[:, None] - x[None]
    return (d / ((d * d).sum(-1) + 1e-3)[..., None] ** 1.5).sum(1)


@program(Arg((16, 128, 128), D), Arg((16, 128, 32), D))
def cholesky_solve(a, b):
    spd = a @ a.mT + 128 * jnp.eye(128)
    c = jnp.linalg.cholesky(spd)
    return lax.linalg.triangular_solve(c, b, left_side=True, lower=True)


@program(Arg((64, 64, 64), D), Arg((64, 64, 64), None, M), Arg((64, 64, 64)))
def tensor_network(a, b, c):
    return jnp.einsum("aij,bjk,cki->abc", a, b, c)


@program(Arg((16, 64, 64, 16), D))
def image_resize(x):
    return jax.image.resize(x, (16, 160, 160, 16), "bilinear")


@program(Arg((32, 64), D), Arg((64, 128)), Arg((128, 16)))
def jacobian(x, a, b):
    return jax.vmap(jax.jacrev(lambda x: jnp.tanh(jnp.tanh(x @ a) @ b)))(x)


@program(Arg((512, 1024), D, dtype="int8"), Arg((1024, 512), None, M, dtype="int8"))
def int8_matmul(a, b):
    y = lax.dot(a, b, preferred_element_type="int32")
    return jnp.clip(y >> 7, -128, 127).astype("int8")


@program(Arg((4096, 256), D), Arg((4096, 256), D))
def statistics(x, y):
    c = (x - x.mean(0)).T @ (y - y.mean(0)) / 4096
    return c / jnp.outer(x.std(0), y.std(0)), jnp.cumsum(x, 0), jnp.quantile(x[:, :16], 0.9, axis=0)


# ---- writing --------------------------------------------------------------------------------


def lowered(name, mesh):
    function, arguments, donate = PROGRAMS[name]

    def shape(a):
        spec = PartitionSpec(*a.axes) if mesh else PartitionSpec()
        where = NamedSharding(mesh, spec) if mesh else None
        return jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=where)

    given = jax.tree.map(shape, arguments, is_leaf=is_arg)
    return jax.jit(function, donate_argnums=donate).lower(*given).as_text()


def main():
    folder, names = sys.argv[1], sys.argv[2:] or PROGRAMS
    os.makedirs(folder, exist_ok=True)
    mesh = Mesh(numpy.array(jax.devices()[:8]).reshape(4, 2), (D, M))
    for name in names:
        for suffix, m in (("", mesh), ("_1", None)):
            with open(os.path.join(folder, name + suffix + ".mlir"), "w", encoding="utf-8") as f:
                f.write(lowered(name, m))
    print(f"{2 * len(names)} programs in {folder}")


if __name__ == "__main__":
    main()
