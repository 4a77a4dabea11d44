#!/usr/bin/env python3
"""Writes training steps to be planned.  JAX lowers them from shapes alone: no array is made.

    PYTHON-WITH-JAX models.py FOLDER NAME...

Names: llama70b_train (80 layers, 4 million tokens a step), dit_xl_train (DiT-XL/2, 28 blocks, 1,024 latents of
64 x 64), gns_train (a graph network with ten rounds of messages, 2 million edges).  Each is written to
FOLDER/NAME.mlir, without annotations: forward pass, gradients, AdamW."""
import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp

f32, bf16, i32 = jnp.float32, jnp.bfloat16, jnp.int32


def of(*shape, dtype=f32):
    return jax.ShapeDtypeStruct(shape, dtype)


def adamw(loss, state, *data):
    params, m, v, t = state
    value, grads = jax.value_and_grad(loss)(params, *data)
    t = t + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
    v = jax.tree.map(lambda v, g: 0.95 * v + 0.05 * g * g, v, grads)
    c1, c2 = 1 - 0.9 ** t.astype(f32), 1 - 0.95 ** t.astype(f32)
    step = lambda p, m, v: p - 1e-4 * ((m / c1) / (jnp.sqrt(v / c2) + 1e-8) + 0.1 * p)
    return value, (jax.tree.map(step, params, m, v), m, v, t)


def case(loss, params, *data):
    state = params, params, params, of(dtype=i32)
    return (lambda state, *data: adamw(loss, state, *data)), (state, *data)


def wide(x):
    return x.astype(bf16)


def norm(x, scale):
    x32 = x.astype(f32)
    return wide(x32 * jax.lax.rsqrt(jnp.mean(x32 * x32, -1, keepdims=True) + 1e-5) * scale)


def attend(q, k, v, causal):
    b, s, h, d = q.shape
    g = k.shape[2]
    q = q.reshape(b, s, g, h // g, d)
    scores = jnp.einsum("bsgrd,btgd->bgrst", q, k).astype(f32) * d**-0.5
    if causal:
        at = jnp.arange(s)
        scores = jnp.where(at[:, None] >= at[None, :], scores, -1e9)
    return jnp.einsum("bgrst,btgd->bsgrd", wide(jax.nn.softmax(scores)), v).reshape(b, s, h, d)


def llama(layers, d, heads, ff, batch, seq, kv=8, vocab=128256, recompute=True):
    hd = d // heads
    layer = {"norm1": of(d), "q": of(d, heads, hd), "k": of(d, kv, hd), "v": of(d, kv, hd),
             "o": of(heads, hd, d), "norm2": of(d), "w1": of(d, ff), "w3": of(d, ff), "w2": of(ff, d)}
    params = {"emb": of(vocab, d), "layers": [layer] * layers, "norm": of(d), "head": of(d, vocab)}

    def block(x, p):
        y = norm(x, p["norm1"])
        q, k, v = (jnp.einsum("bsd,dhk->bshk", y, wide(p[n])) for n in "qkv")
        x = x + jnp.einsum("bshk,hkd->bsd", attend(q, k, v, True), wide(p["o"]))
        y = norm(x, p["norm2"])
        return x + (jax.nn.silu(y @ wide(p["w1"])) * (y @ wide(p["w3"]))) @ wide(p["w2"])

    def loss(params, tokens, targets):
        x = wide(params["emb"])[tokens]
        for p in params["layers"]:
            x = (jax.checkpoint(block) if recompute else block)(x, p)
        logits = (norm(x, params["norm"]) @ wide(params["head"])).astype(f32)
        picked = jnp.take_along_axis(logits, targets[..., None], -1)[..., 0]
        return jnp.mean(jax.nn.logsumexp(logits, -1) - picked)

    return case(loss, params, of(batch, seq, dtype=i32), of(batch, seq, dtype=i32))


def llama70b_train():
    return llama(layers=80, d=8192, heads=64, ff=28672, batch=1024, seq=4096)


def dit_xl_train(layers=28, d=1152, heads=16, batch=1024, side=64, patch=2, channels=4):
    tokens, inside, hd = (side // patch) ** 2, channels * patch * patch, d // heads
    layer = {"ada": of(d, 6, d), "qkv": of(d, 3, heads, hd), "o": of(heads, hd, d), "w1": of(d, 4 * d),
             "w2": of(4 * d, d)}
    params = {"patch": of(inside, d), "place": of(tokens, d), "time1": of(256, d), "time2": of(d, d),
              "layers": [layer] * layers, "ada": of(d, 2, d), "out": of(d, inside)}

    def plain(x):
        x = x.astype(f32)
        x = x - jnp.mean(x, -1, keepdims=True)
        return wide(x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6))

    def block(x, c, p):
        a = jnp.einsum("bd,dne->nbe", c, wide(p["ada"]))[:, :, None]
        q, k, v = jnp.einsum("bsd,dnhk->nbshk", plain(x) * (1 + a[1]) + a[0], wide(p["qkv"]))
        x = x + a[2] * jnp.einsum("bshk,hkd->bsd", attend(q, k, v, False), wide(p["o"]))
        y = plain(x) * (1 + a[4]) + a[3]
        return x + a[5] * (jax.nn.gelu(y @ wide(p["w1"])) @ wide(p["w2"]))

    def loss(params, noised, time, noise):
        x = noised.reshape(-1, side // patch, patch, side // patch, patch, channels)
        x = wide(x.transpose(0, 1, 3, 2, 4, 5).reshape(-1, tokens, inside))
        x = x @ wide(params["patch"]) + wide(params["place"])
        c = jax.nn.silu(wide(time) @ wide(params["time1"])) @ wide(params["time2"])
        c = jax.nn.silu(c)
        for p in params["layers"]:
            x = block(x, c, p)
        a = jnp.einsum("bd,dne->nbe", c, wide(params["ada"]))[:, :, None]
        out = (plain(x) * (1 + a[1]) + a[0]) @ wide(params["out"])
        return jnp.mean((out.astype(f32) - noise) ** 2)

    data = of(batch, side, side, channels), of(batch, 256), of(batch, tokens, inside)
    return case(loss, params, *data)


def gns_train(rounds=10, width=512, nodes=262144, edges=2097152):
    mlp = lambda n, out=width: {"w1": of(n, width), "w2": of(width, width), "w3": of(width, out)}
    params = {"nodes": mlp(32), "edges": mlp(8), "out": mlp(width, 4),
              "rounds": [{"edge": mlp(3 * width), "node": mlp(2 * width)} for _ in range(rounds)]}

    def apply(p, x):
        return jax.nn.relu(jax.nn.relu(x @ wide(p["w1"])) @ wide(p["w2"])) @ wide(p["w3"])

    def loss(params, features, between, sender, receiver, wanted):
        v, e = apply(params["nodes"], wide(features)), apply(params["edges"], wide(between))
        for p in params["rounds"]:
            e = e + apply(p["edge"], jnp.concatenate([e, v[sender], v[receiver]], -1))
            received = jax.ops.segment_sum(e, receiver, num_segments=nodes)
            v = v + apply(p["node"], jnp.concatenate([v, received], -1))
        return jnp.mean((apply(params["out"], v).astype(f32) - wanted) ** 2)

    return case(loss, params, of(nodes, 32), of(edges, 8), of(edges, dtype=i32),
                of(edges, dtype=i32), of(nodes, 4))


def write(path, function, arguments):
    text = jax.jit(function, donate_argnums=0).lower(*arguments).as_text(debug_info=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    folder = sys.argv[1]
    for name in sys.argv[2:]:
        write(os.path.join(folder, name + ".mlir"), *globals()[name]())


if __name__ == "__main__":
    main()
