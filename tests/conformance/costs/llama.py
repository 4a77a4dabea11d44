"""llama.py: training steps of Llama-like models in JAX, after published configurations.

The plan is written as the frameworks run it.  Over `fsdp` everything is explicit (shard_map): parameters
are stored sharded, and gathered in bfloat16 before each layer and again before its backward pass.  In the
last micro step, their gradients are reduced in f32 and sharded; before that, each device adds up its own,
whole.  Over `tp` shardings are given: between the products of a layer, the residual is split along the
sequence.  Attention is a custom call that gives its own cost, as a Pallas kernel does.
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
    "llama-7B": Model(32, 4096, 32, 8, 14336),    # 8.03 billion parameters, as KempnerForge's report says
    "llama-13B": Model(40, 5120, 40, 8, 17920),   # 14.84 billion
    "llama-70B": Model(80, 8192, 64, 8, 28672),
    "llama3.1-8B": Model(32, 4096, 32, 8, 14336),
    "llama3.1-70B": Model(80, 8192, 64, 8, 28672),
}


@dataclasses.dataclass(frozen=True)
class Framework:
    """What one does otherwise than another."""
    state: object        # type of parameters and moments
    loss: object         # type in which the loss is computed
    loss_parallel: bool  # logits stay cut over `tp`
    cut_embedding: bool  # over `tp`; else it is whole
    own_gathers: bool    # each product gathers its operand over `tp`; else a layer's parts once
    reshard_head: bool   # the head is gathered again in the backward pass


@dataclasses.dataclass(frozen=True)
class Run:
    """`batch` sequences for each group of `tp` devices and micro step; `checkpoint`: none, full, or
    (per-op) selective: every second product and attention are kept."""
    framework: Framework
    model: Model
    fsdp: int
    tp: int
    batch: int
    accumulate: int
    seq: int
    checkpoint: str


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


# The loss is not compiled with the model, and what was given to it is there until it is done.
def cross_entropy(logits, targets, dtype, count, where):
    """Computed in `dtype`, summed and divided by `count`; `where` says how each step's result is cut."""
    step = lambda f, *args: where(eager(f, *args))

    def forward(logits):
        wide = logits if dtype == logits.dtype else step(lambda x: x.astype(dtype), logits)
        logp = step(lambda x: x - jax.nn.logsumexp(x, -1, keepdims=True), wide)
        return -jnp.sum(jnp.take_along_axis(logp, targets[..., None], -1).astype(f32)) / count, (logits, logp)

    def backward(kept, g):
        logits, logp = kept
        picked = jnp.arange(logp.shape[-1])[None, None, :] == targets[..., None]
        of_logp = step(lambda p: jnp.where(p, (-g / count).astype(dtype), 0), picked)
        of_wide = lambda d, p, _: d - jnp.exp(p) * jnp.sum(d, -1, keepdims=True)
        if dtype == logits.dtype:
            return (step(of_wide, of_logp, logp, logits),)
        return (step(lambda d: d.astype(logits.dtype), step(of_wide, of_logp, logp, ())),)

    loss = jax.custom_vjp(lambda logits: forward(logits)[0])
    loss.defvjp(forward, backward)
    return loss(logits)


class Step:
    def __init__(self, run, mesh):
        self.run, self.mesh, self.framework = run, mesh, run.framework
        self.tp = "tp" if run.tp > 1 else None
        self.fsdp = "fsdp" if run.fsdp > 1 else None

    # ---- parameters ----

    def shapes(self, layers):
        """Name to (shape, where it is stored)."""
        m, d, t = self.run.model, self.fsdp, self.tp
        head = m.dim // m.heads
        layer = {
            "ln1": ((m.dim,), P(d)), "ln2": ((m.dim,), P(d)),
            "wq": ((m.dim, m.heads * head), P(d, t)),
            "wk": ((m.dim, m.kv_heads * head), P(d, t)), "wv": ((m.dim, m.kv_heads * head), P(d, t)),
            "wo": ((m.heads * head, m.dim), P(t, d)),
            "w1": ((m.dim, m.ffn), P(d, t)), "w3": ((m.dim, m.ffn), P(d, t)),
            "w2": ((m.ffn, m.dim), P(t, d)),
        }
        return {"emb": ((m.vocab, m.dim), P(t if self.framework.cut_embedding else None, d)),
                "lnf": ((m.dim,), P(d)), "head": ((m.dim, m.vocab), P(d, t)),
                "layers": [layer for _ in range(layers)]}

    @staticmethod
    def only(spec, axis):
        return P(*(a if a == axis else None for a in spec))

    def gather(self, w, sums, stored):
        """In bfloat16, whole over `fsdp`.  The gradient is reduced over `fsdp`, with what `sums` has from
        earlier micro steps; where `sums` is differentiated, it becomes its gradient instead, whole."""
        dim = tuple(stored).index("fsdp") if self.fsdp else None
        used = self.only(stored, "tp")

        @jax.custom_vjp
        def get(w, sums):
            w = w.astype(bf16)
            if self.fsdp:
                w = lax.all_gather(w, "fsdp", axis=dim, tiled=True)
            return lax.with_sharding_constraint(w, used)

        def backward(sums, g):
            g = g.astype(self.gradient_type)
            total = lax.with_sharding_constraint(g if sums is None else sums + g, used)
            cut = lax.psum_scatter(total, "fsdp", scatter_dimension=dim, tiled=True) if self.fsdp else total
            cut = lax.with_sharding_constraint(cut, used).astype(w.dtype)
            return cut, None if sums is None else total
        get.defvjp(lambda w, sums: (get(w, sums), sums), backward)
        return get(w, sums)

    @property
    def gradient_type(self):
        """FSDP reduces in f32; one device needs no FSDP."""
        return f32 if self.run.fsdp * self.run.tp > 1 else self.framework.state

    def moved(self, x, there, back):
        """Sharded as `there`, and its gradient as `back`."""
        @jax.custom_vjp
        def move(x):
            return lax.with_sharding_constraint(x, P(*there))

        def backward(_, g):
            return (lax.with_sharding_constraint(g, P(*back)),)
        move.defvjp(lambda x: (move(x), None), backward)
        return move(x)

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
        if not self.tp:
            return attend(q, k, v)
        spec = P(None, None, "tp", None)
        return jax.shard_map(attend, in_specs=(spec,) * 3, out_specs=spec, axis_names={"tp"},
                             check_vma=False)(q, k, v)

    def whole(self, x):
        return self.moved(x, (None, None, None), (None, self.tp, None))

    def cut(self, x):
        return self.moved(x, (None, self.tp, None), (None, None, None))

    def wide(self, x):
        return lax.with_sharding_constraint(x, P(None, None, self.tp))

    def layer(self, x, p, sums):
        m, head = self.run.model, self.run.model.dim // self.run.model.heads
        shapes = self.shapes(1)["layers"][0]
        w = {k: self.gather(v, sums and sums[k], shapes[k][1]) for k, v in p.items()}
        own = self.whole if self.framework.own_gathers else lambda x: x
        once = (lambda x: x) if self.framework.own_gathers else self.whole
        product = lambda a, name: checkpoint_name(a @ w[name], name)
        wide = lambda a, name: self.wide(product(own(a), name))
        split = lambda a, n: a.reshape(*a.shape[:2], n, head)
        y = once(self.norm(x, w["ln1"]))
        q, k, v = (split(wide(y, n), c) for n, c in
                   (("wq", m.heads), ("wk", m.kv_heads), ("wv", m.kv_heads)))
        a = checkpoint_name(self.attention(self.rope(q), self.rope(k), v), "attention")
        x = x + self.cut(product(self.wide(a.reshape(*a.shape[:2], m.dim)), "wo"))
        y = once(self.norm(x, w["ln2"]))
        x = x + self.cut(product(self.wide(jax.nn.silu(wide(y, "w1")) * wide(y, "w3")), "w2"))
        return lax.with_sharding_constraint(x, P(None, self.tp, None))

    def checkpointed(self):
        """The layer as a function that keeps what the run's checkpointing keeps.  Where that is
        everything, a compiler keeps what products and kernels give, and makes the rest again."""
        c = self.run.checkpoint
        names = ("wq", "wk", "wv", "attention", "wo", "w1", "w3")
        if "selective" in c:
            names = ("wq", "wv", "attention", "w1", "w2")
        elif c == "full":
            return jax.checkpoint(self.layer)
        return jax.checkpoint(self.layer, policy=jax.checkpoint_policies.save_only_these_names(*names))

    def logits(self, x, w, sums):
        x = x @ self.gather(w, sums, self.shapes(1)["head"][1])
        return lax.with_sharding_constraint(x, P(None, None, self.tp))

    def loss(self, params, sums, tokens, targets):
        f, shapes = self.framework, self.shapes(1)
        of = lambda name: sums and sums[name]
        get = lambda name: self.gather(params[name], of(name), shapes[name][1])
        x = self.cut(get("emb")[tokens])
        for i, p in enumerate(params["layers"]):
            x = self.checkpointed()(x, p, sums and sums["layers"][i])
        x = self.whole(self.norm(x, get("lnf")))
        logits = (jax.checkpoint(self.logits) if f.reshard_head else self.logits)(x, params["head"], of("head"))
        if not f.loss_parallel:
            logits = self.moved(logits, (None, None, None), (None, None, self.tp))
        over = self.tp if f.loss_parallel else None
        count = targets.size * self.run.fsdp * self.run.accumulate
        return cross_entropy(logits, targets, f.loss, count,
                             lambda x: lax.with_sharding_constraint(x, P(None, None, over)))

    def gradients(self, params, tokens, targets):
        """Over micro steps, where the parameters are stored."""
        last = lambda sums, tokens, targets: jax.value_and_grad(self.loss)(params, sums, tokens, targets)
        if self.run.accumulate == 1:
            return last(None, tokens, targets)

        def micro(carried, batch):
            loss, sums = jax.value_and_grad(self.loss, 1)(params, carried[1], *batch)
            return (carried[0] + loss, sums), None
        zeros = jax.tree.map(
            lambda s: lax.with_sharding_constraint(jnp.zeros(s[0], self.gradient_type), self.only(s[1], "tp")),
            self.shapes(len(params["layers"])), is_leaf=lambda s: isinstance(s, tuple))
        (loss, sums), _ = lax.scan(micro, (jnp.zeros((), f32), zeros), (tokens[:-1], targets[:-1]))
        more, grads = last(sums, tokens[-1], targets[-1])
        return loss + more, grads

    def train(self, params, m, v, tokens, targets):
        loss, grads = self.gradients(params, tokens, targets)

        def adamw(p, g, m, v):
            m, v = 0.9 * m + 0.1 * g, 0.95 * v + 0.05 * g * g
            return (p - 3e-4 * (m / (jnp.sqrt(v) + 1e-8) + 0.1 * p)).astype(p.dtype), m, v
        new = jax.tree.map(adamw, params, grads, m, v)
        part = lambda i: jax.tree.map(lambda t: t[i], new, is_leaf=lambda t: isinstance(t, tuple))
        return lax.psum(loss, "fsdp"), part(0), part(1), part(2)

    def lower(self, layers):
        """The program with so many layers, as text."""
        r = self.run
        is_leaf = lambda s: isinstance(s, tuple)
        array = lambda shape, spec, dtype: jax.ShapeDtypeStruct(
            shape, dtype, sharding=NamedSharding(self.mesh, spec))
        params = jax.tree.map(lambda s: array(*s, self.framework.state), self.shapes(layers), is_leaf=is_leaf)
        shape, spec = (r.batch * r.fsdp, r.seq), P(self.fsdp, None)
        if r.accumulate > 1:
            shape, spec = (r.accumulate,) + shape, P(None, *spec)
        tokens = array(shape, spec, i32)
        where = jax.tree.map(lambda p: p.sharding, params)
        cut = jax.tree.map(lambda p: self.only(p.sharding.spec, "fsdp"), params)
        train = jax.shard_map(self.train, mesh=self.mesh, in_specs=(cut, cut, cut, spec, spec),
                              out_specs=(P(), cut, cut, cut), axis_names={"fsdp"}, check_vma=False)
        step = jax.jit(train, donate_argnums=(0, 1, 2), out_shardings=(None, where, where, where))
        return step.lower(params, params, params, tokens, tokens).as_text()
