"""llama.py: training steps of Llama-like models in JAX, after published configurations.

The plan is written as the frameworks run it: parameters are kept in f32 over `fsdp`, gathered in
bfloat16 before each layer and again before its backward pass, and their gradients reduced and cut
in f32; between the products of a layer the residual is cut along the sequence over `tp`.  Attention
is a kernel of its own, a custom call that says what it costs, as Pallas writes it.
"""
import dataclasses
import functools
import json

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from jax.sharding import NamedSharding, PartitionSpec as P

bf16, f32, i32 = jnp.bfloat16, jnp.float32, jnp.int32


@dataclasses.dataclass(frozen=True)
class Model:
    layers: int
    dim: int
    heads: int
    kv_heads: int
    ffn: int
    vocab: int = 128256


MODELS = {
    "llama-7B": Model(32, 4096, 32, 8, 11008),
    "llama-13B": Model(40, 5120, 40, 8, 13824),
    "llama-70B": Model(80, 8192, 64, 8, 28672),
    "llama3.1-8B": Model(32, 4096, 32, 8, 14336),
    "llama3.1-70B": Model(80, 8192, 64, 8, 28672),
}


@dataclasses.dataclass(frozen=True)
class Run:
    """`batch` sequences for each group of `tp` devices and micro step; `checkpoint`: none, full,
    selective (every second layer), per-op selective (half of the products and attention kept)."""
    model: Model
    fsdp: int
    tp: int
    batch: int
    accumulate: int
    seq: int
    checkpoint: str
    state: object = jnp.float32  # of parameters, gradients and moments
    sequence_parallel: bool = True  # else the residual is whole over `tp`
    loss_parallel: bool = True      # else logits are


def kernel(name, results, flops, nbytes, *operands):
    config = json.dumps({"custom_call_config": {"cost_estimate": {
        "flops": int(flops), "transcendentals": 0, "bytes_accessed": int(nbytes)}}, "name": name})
    return jax.ffi.ffi_call("tpu_custom_call", results, custom_call_api_version=1,
                            legacy_backend_config=config)(*operands)


def size_of(*arrays):
    return sum(a.size * a.dtype.itemsize for a in arrays)


@jax.custom_vjp
def attend(q, k, v):
    return attend_forward(q, k, v)[0]


def attend_forward(q, k, v):
    b, s, h, d = q.shape
    o = jax.ShapeDtypeStruct(q.shape, q.dtype)
    sums = jax.ShapeDtypeStruct((b, h, s), f32)
    flops = 2 * 2 * b * h * s * s * d // 2  # two products, half of each masked
    out, lse = kernel("attention", (o, sums), flops, size_of(q, k, v, o, sums), q, k, v)
    return out, (q, k, v, out, lse)


def attend_backward(kept, grad):
    q, k, v, out, lse = kept
    b, s, h, d = q.shape
    results = tuple(jax.ShapeDtypeStruct(x.shape, x.dtype) for x in (q, k, v))
    flops = 5 * 2 * b * h * s * s * d // 2
    return kernel("attention_gradient", results, flops, 2 * size_of(q, k, v) + size_of(out, grad, lse),
                  q, k, v, out, lse, grad)


attend.defvjp(attend_forward, attend_backward)


def eager(f, *args):
    """As without a compiler: what f takes is still there when it has given its result."""
    return lax.optimization_barrier((f(*args), args))[0]


# The loss is not compiled with the model.
def cross_entropy(logits, targets, where):
    """`where` says how each step's result is cut."""
    step = lambda f, *args: where(eager(f, *args))

    def forward(logits):
        wide = step(lambda x: x.astype(f32), logits)
        logp = step(lambda x: x - jax.nn.logsumexp(x, -1, keepdims=True), wide)
        return -jnp.mean(jnp.take_along_axis(logp, targets[..., None], -1)), logp

    def backward(logp, g):
        picked = jnp.arange(logp.shape[-1])[None, None, :] == targets[..., None]
        of_logp = step(lambda p: jnp.where(p, -g / targets.size, 0.0), picked)
        of_wide = step(lambda d, p: d - jnp.exp(p) * jnp.sum(d, -1, keepdims=True), of_logp, logp)
        return (step(lambda d: d.astype(bf16), of_wide),)

    loss = jax.custom_vjp(lambda logits: forward(logits)[0])
    loss.defvjp(forward, backward)
    return loss(logits)


class Step:
    def __init__(self, run, mesh):
        self.run, self.mesh = run, mesh
        self.tp = "tp" if run.tp > 1 else None
        self.fsdp = "fsdp" if run.fsdp > 1 else None
        self.seq = self.tp if run.sequence_parallel else None

    def constrain(self, x, *spec):
        return lax.with_sharding_constraint(x, NamedSharding(self.mesh, P(*spec)))

    # ---- parameters ----

    def shapes(self, layers):
        """Name to (shape, stored over, used as)."""
        m, d, t = self.run.model, self.fsdp, self.tp
        head = m.dim // m.heads
        layer = {
            "ln1": ((m.dim,), P(d), P(None)), "ln2": ((m.dim,), P(d), P(None)),
            "wq": ((m.dim, m.heads * head), P(d, t), P(None, t)),
            "wk": ((m.dim, m.kv_heads * head), P(d, t), P(None, t)),
            "wv": ((m.dim, m.kv_heads * head), P(d, t), P(None, t)),
            "wo": ((m.heads * head, m.dim), P(t, d), P(t, None)),
            "w1": ((m.dim, m.ffn), P(d, t), P(None, t)), "w3": ((m.dim, m.ffn), P(d, t), P(None, t)),
            "w2": ((m.ffn, m.dim), P(t, d), P(t, None)),
        }
        return {"emb": ((m.vocab, m.dim), P(t, d), P(t, None)), "lnf": ((m.dim,), P(d), P(None)),
                "head": ((m.dim, m.vocab), P(d, t), P(None, t)),
                "layers": [layer for _ in range(layers)]}

    def moved(self, x, there, back):
        """Sharded as `there`, and its gradient as `back`."""
        @jax.custom_vjp
        def move(x):
            return self.constrain(x, *there)

        def backward(_, g):
            return (self.constrain(g, *back),)
        move.defvjp(lambda x: (move(x), None), backward)
        return move(x)

    def gather(self, w, stored, used):
        """In bfloat16; the gradient is summed in the parameter's type, where that is stored."""
        @jax.custom_vjp
        def get(w):
            return self.constrain(w.astype(bf16), *used)

        def backward(_, g):
            return (self.constrain(g.astype(w.dtype), *stored),)
        get.defvjp(lambda w: (get(w), None), backward)
        return get(w)

    # ---- the model ----

    def norm(self, x, g):
        x32 = x.astype(f32)
        return (x32 * lax.rsqrt(jnp.mean(x32 * x32, -1, keepdims=True) + 1e-5)).astype(bf16) * g

    def rope(self, x):
        half = x.shape[-1] // 2
        angle = jnp.arange(x.shape[1], dtype=f32)[:, None] * 500000.0 ** (
            -jnp.arange(half, dtype=f32) / half)
        sin, cos = jnp.sin(angle)[None, :, None, :], jnp.cos(angle)[None, :, None, :]
        a, b = x[..., :half].astype(f32), x[..., half:].astype(f32)
        return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1).astype(bf16)

    def attention(self, q, k, v):
        spec = P(self.fsdp, None, self.tp, None)
        return jax.shard_map(attend, mesh=self.mesh, in_specs=(spec,) * 3, out_specs=spec,
                             check_vma=False)(q, k, v)

    def whole(self, x):
        return self.moved(x, (self.fsdp, None, None), (self.fsdp, self.seq, None))

    def cut(self, x):
        return self.moved(x, (self.fsdp, self.seq, None), (self.fsdp, None, None))

    def kept_cut(self, x):
        return self.constrain(x, self.fsdp, self.seq, None)

    def wide(self, x):
        return self.constrain(x, self.fsdp, None, self.tp)

    def layer(self, x, p):
        m, head = self.run.model, self.run.model.dim // self.run.model.heads
        shapes = self.shapes(1)["layers"][0]
        w = {k: self.gather(v, *shapes[k][1:]) for k, v in p.items()}
        product = lambda a, name: checkpoint_name(a @ w[name], name)
        wide = lambda a, name: self.wide(product(a, name))
        split = lambda a, n: a.reshape(*a.shape[:2], n, head)
        y = self.whole(self.norm(x, w["ln1"]))
        q, k, v = (split(wide(y, n), c) for n, c in
                   (("wq", m.heads), ("wk", m.kv_heads), ("wv", m.kv_heads)))
        a = checkpoint_name(self.attention(self.rope(q), self.rope(k), v), "attention")
        x = x + self.cut(product(self.wide(a.reshape(*a.shape[:2], m.dim)), "wo"))
        y = self.whole(self.norm(x, w["ln2"]))
        x = x + self.cut(product(self.wide(jax.nn.silu(wide(y, "w1")) * wide(y, "w3")), "w2"))
        return self.kept_cut(x)

    def checkpointed(self, i):
        """The layer as a function that keeps what the run's checkpointing keeps.  Where that is
        everything, a compiler keeps what products and kernels give, and makes the rest again."""
        c = self.run.checkpoint
        names = ("wq", "wk", "wv", "attention", "wo", "w1", "w3")
        if c == "per-op selective":
            names = ("wq", "wv", "attention", "w1", "w2")
        elif c == "full" or (c == "selective" and i % 2 == 0):
            return jax.checkpoint(self.layer)
        return jax.checkpoint(self.layer, policy=jax.checkpoint_policies.save_only_these_names(*names))

    def loss(self, params, tokens, targets):
        shapes = self.shapes(1)
        get = lambda n: self.gather(params[n], *shapes[n][1:])
        x = self.cut(get("emb")[tokens])
        for i, p in enumerate(params["layers"]):
            x = self.checkpointed(i)(x, p)
        x = self.whole(self.norm(x, get("lnf")))
        logits = self.constrain(x @ get("head"), self.fsdp, None, self.tp)
        if not self.run.loss_parallel:
            logits = self.moved(logits, (self.fsdp, None, None), (self.fsdp, None, self.tp))
        over = self.tp if self.run.loss_parallel else None
        return cross_entropy(logits, targets, lambda x: self.constrain(x, self.fsdp, None, over))

    def gradients(self, params, tokens, targets):
        """Summed over micro steps, where the parameters are stored."""
        if self.run.accumulate == 1:
            return jax.value_and_grad(self.loss)(params, tokens, targets)

        def micro(sums, batch):
            loss, g = jax.value_and_grad(self.loss)(params, *batch)
            return jax.tree.map(jnp.add, sums, (loss, g)), None
        zeros = (jnp.zeros((), f32), jax.tree.map(jnp.zeros_like, params))
        return lax.scan(micro, zeros, (tokens, targets))[0]

    def train(self, params, m, v, tokens, targets):
        loss, grads = self.gradients(params, tokens, targets)

        def adamw(p, g, m, v):
            m, v = 0.9 * m + 0.1 * g, 0.95 * v + 0.05 * g * g
            return (p - 3e-4 * (m / (jnp.sqrt(v) + 1e-8) + 0.1 * p)).astype(p.dtype), m, v
        new = jax.tree.map(adamw, params, grads, m, v)
        part = lambda i: jax.tree.map(lambda t: t[i], new, is_leaf=lambda t: isinstance(t, tuple))
        return loss, part(0), part(1), part(2)

    def lower(self, layers):
        """The program with so many layers, as text."""
        r = self.run
        is_leaf = lambda s: isinstance(s, tuple)
        array = lambda shape, spec, dtype: jax.ShapeDtypeStruct(
            shape, dtype, sharding=NamedSharding(self.mesh, spec))
        params = jax.tree.map(lambda s: array(s[0], s[1], r.state), self.shapes(layers), is_leaf=is_leaf)
        shape, spec = (r.batch * r.fsdp, r.seq), P(self.fsdp, None)
        if r.accumulate > 1:
            shape, spec = (r.accumulate,) + shape, P(None, *spec)
        tokens = array(shape, spec, i32)
        where = jax.tree.map(lambda p: p.sharding, params)
        step = jax.jit(self.train, donate_argnums=(0, 1, 2),
                       out_shardings=(None, where, where, where))
        return step.lower(params, params, params, tokens, tokens).as_text()
