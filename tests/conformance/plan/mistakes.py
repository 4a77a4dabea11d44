"""Training steps and others with one mistake in their annotations, or without it.

Each function takes a flag for the mistake, and `at`, which makes arguments.  It returns the function to
compile, its arguments and the options of jax.jit.  The advice must name the mistake: be of one of `kinds`,
about an argument whose path has `first`; HERE in it stands for the lines that end with that word.
"""

import functools

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

MESH = {"data": 4, "model": 2}
f32, bf16, i32 = jnp.float32, jnp.bfloat16, jnp.int32
PROGRAMS = {}


def program(first, mesh=None, kinds=("constrain", "reconstrain")):
    """Registers a program: its mistake is named by advice of these kinds about `first`."""

    def add(make):
        PROGRAMS[make.__name__] = (make, dict(mesh or MESH), kinds, first)
        return make

    return add


class Placing:
    """Arguments, as shapes with shardings."""

    def __init__(self, mesh):
        self.mesh = mesh

    def __call__(self, shape, spec=P(), dtype=f32):
        return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(self.mesh, spec))

    def named(self, spec):
        return NamedSharding(self.mesh, spec)


def pin(x, *spec):
    return jax.lax.with_sharding_constraint(x, P(*spec))


def shardings_of(tree):
    return jax.tree.map(lambda a: a.sharding, tree)


def sgd(loss, params, *data):
    value, gradients = jax.value_and_grad(loss)(params, *data)
    return value, jax.tree.map(lambda p, g: p - 1e-3 * g, params, gradients)


def adam(loss, params, mean, square, *data):
    value, gradients = jax.value_and_grad(loss)(params, *data)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradients)
    square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, square, gradients)
    step = lambda p, m, s: p - 1e-3 * m / (jnp.sqrt(s) + 1e-8)
    return value, jax.tree.map(step, params, mean, square), mean, square


def cross_entropy(logits, labels):
    logits = logits.astype(f32)
    picked = jnp.take_along_axis(logits, labels[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, -1) - picked)


# ---- the ten --------------------------------------------------------------------------------------------


@program(first="HERE")
def embedding(mistake, at):
    """The columns of the table are over the axis that the batch is over, which the lookup then loses."""

    def loss(params, tokens):
        h = params["table"][tokens]  # HERE
        if not mistake:
            h = pin(h, "data")
        h = h + jax.nn.gelu(h @ params["up"]) @ params["down"]  # HERE
        return jnp.mean(h * h)

    params = {
        "table": at((32000, 2048), P(None, "data")),
        "up": at((2048, 8192), P("data", "model")),
        "down": at((8192, 2048), P("model", "data")),
    }
    step = functools.partial(sgd, loss)
    out = (at.named(P()), shardings_of(params))
    return step, (params, at((64, 1024), P("data"), i32)), dict(donate_argnums=0, out_shardings=out)


@program(first="mean|square", kinds=("shard",))
def optimizer(mistake, at):
    """The optimizer's moments are whole on each device, although the parameters are sharded."""

    def loss(params, x, y):
        h = x
        for w in params:
            h = jnp.tanh(h @ w)
        return jnp.mean((h - y) ** 2)

    def step(params, mean, square, x, y):
        return adam(loss, params, mean, square, x, y)

    params = [at((8192, 8192), P("data", "model")) for _ in range(3)]
    moments = [at((8192, 8192), P() if mistake else P("data", "model")) for _ in range(3)]
    data = at((4096, 8192), P("data"))
    out = (at.named(P()), shardings_of(params), shardings_of(moments), shardings_of(moments))
    return step, (params, moments, moments, data, data), dict(donate_argnums=(0, 1, 2), out_shardings=out)


@program(first="HERE", kinds=("constrain", "reconstrain", "drop"))
def scan_body(mistake, at):
    """A constraint in the body of a scan moves the batch's axis to the sequence, and another one back."""

    def forward(params, x):
        def layer(h, w):
            if mistake:
                h = pin(h, None, "data")  # HERE
            h = pin(h + jax.nn.gelu(h @ w["up"]) @ w["down"], "data")
            return h, None

        return jax.lax.scan(layer, x, params)[0]

    params = {
        "up": at((16, 4096, 16384), P(None, None, "model"), bf16),
        "down": at((16, 16384, 4096), P(None, "model", None), bf16),
    }
    x = at((8, 1024, 4096), P("data"), bf16)
    return forward, (params, x), dict(out_shardings=x.sharding)


@program(first="head", kinds=("shard", "constrain"))
def head(mistake, at):
    """The projection to the vocabulary is whole on each device, and so are its logits over "model"."""

    def loss(params, x, labels):
        h = x + jax.nn.gelu(x @ params["up"]) @ params["down"]
        return cross_entropy(h @ params["head"], labels)  # HERE

    params = {
        "up": at((2048, 8192), P(None, "model")),
        "down": at((8192, 2048), P("model", None)),
        "head": at((2048, 128000), P() if mistake else P(None, "model")),
    }
    step = functools.partial(sgd, loss)
    data = at((16, 1024, 2048), P("data")), at((16, 1024), P("data"), i32)
    out = (at.named(P()), shardings_of(params))
    return step, (params, *data), dict(donate_argnums=0, out_shardings=out)


@program(first="HERE", kinds=("reconstrain", "drop"))
def wrong_axis(mistake, at):
    """Queries are constrained on the dimensions of a head instead of on the heads."""

    def attention(params, x):
        b, s, d = x.shape
        q, k, v = [(x @ params[n]).reshape(b, s, 32, 128) for n in "qkv"]
        q = pin(q, "data", None, None, "model") if mistake else pin(q, "data", None, "model")  # HERE
        scores = jnp.einsum("bshd,bthd->bhst", q, k)
        mixed = jnp.einsum("bhst,bthd->bshd", jax.nn.softmax(scores), v)
        return x + mixed.reshape(b, s, d) @ params["o"]

    params = {n: at((4096, 4096), P(None, "model"), bf16) for n in "qkv"}
    params["o"] = at((4096, 4096), P("model", None), bf16)
    x = at((4, 2048, 4096), P("data"), bf16)
    return attention, (params, x), dict(out_shardings=x.sharding)


@program(first="HERE", kinds=("constrain",))
def reshape(mistake, at):
    """Tokens are put one below the other with the sequence first: the axis of the batch, which is then the
    inner part of the dimension, is lost, and all tokens are computed by each of its devices."""

    def forward(params, x):
        tokens = jnp.swapaxes(x, 0, 1).reshape(-1, x.shape[-1])  # HERE
        if not mistake:
            tokens = pin(tokens, "data")
        h = jax.nn.gelu(tokens @ params["up"]) @ params["down"]  # HERE
        return jnp.swapaxes(h.reshape(x.shape[1], x.shape[0], -1), 0, 1)

    params = {
        "up": at((4096, 16384), P(None, "model"), bf16),
        "down": at((16384, 4096), P("model", None), bf16),
    }
    x = at((16, 512, 4096), P("data"), bf16)
    return forward, (params, x), dict(out_shardings=x.sharding)


@program(first="params", kinds=("donate",))
def donation(mistake, at):
    """The old parameters and moments are kept beside the new ones."""

    def loss(params, x, y):
        h = jax.nn.relu(x @ params["up"]) @ params["down"]
        return jnp.mean((h - y) ** 2)

    def step(params, mean, square, x, y):
        return adam(loss, params, mean, square, x, y)

    params = {"up": at((8192, 32768), P("data", "model")), "down": at((32768, 8192), P("model", "data"))}
    data = at((4096, 8192), P("data"))
    out = (at.named(P()), *3 * (shardings_of(params),))
    told = dict(out_shardings=out) if mistake else dict(out_shardings=out, donate_argnums=(0, 1, 2))
    return step, (params, params, params, data, data), told


@program(first="items|HERE", kinds=("shard", "constrain"))
def table(mistake, at):
    """The rows of a table are over the axis of the batch that looks them up, and all are gathered for it."""

    def score(items, dense, users, ids):
        found = items[ids]  # HERE
        pooled = jnp.mean(found, axis=1)
        return jnp.sum(jnp.tanh(users @ dense) * pooled, -1)

    items = at((8_000_000, 128), P("data", None) if mistake else P(None, "model"))
    data = at((65536, 512), P("data")), at((65536, 64), P("data"), i32)
    return score, (items, at((512, 128)), *data), dict(out_shardings=at.named(P("data")))


@program(first="down", kinds=("shard",))
def transposed(mistake, at):
    """The second matrix of a pair is over the columns, as the first is, instead of over the rows."""

    def forward(params, x):
        for w in params:
            x = x + jax.nn.gelu(x @ w["up"]) @ w["down"]
        return x

    layer = {
        "up": at((4096, 16384), P(None, "model"), bf16),
        "down": at((16384, 4096), P(None, "model") if mistake else P("model", None), bf16),
    }
    x = at((32, 64, 4096), P("data"), bf16)
    return forward, ([layer] * 4, x), dict(out_shardings=x.sharding)


@program(first="HERE", kinds=("constrain", "reconstrain", "shard"))
def accumulation(mistake, at):
    """Gradients are summed over micro batches, of which each is computed by the devices of one shard: the
    reshape puts the axis of the batch on the steps of the loop."""

    def loss(params, x, y):
        h = jax.nn.relu(x @ params["up"]) @ params["down"]
        return jnp.mean((h - y) ** 2)

    def step(params, x, y):
        x, y = [a.reshape(8, a.shape[0] // 8, a.shape[1]) for a in (x, y)]  # HERE
        if not mistake:
            x, y = pin(x, None, "data"), pin(y, None, "data")

        def micro(total, batch):
            gradients = jax.grad(loss)(params, *batch)  # HERE
            return jax.tree.map(jnp.add, total, gradients), None

        total = jax.tree.map(jnp.zeros_like, params)
        total = jax.lax.scan(micro, total, (x, y))[0]
        return jax.tree.map(lambda p, g: p - 1e-3 * g, params, total)

    params = {"up": at((4096, 16384), P(None, "model")), "down": at((16384, 4096), P("model", None))}
    data = at((32768, 4096), P("data"))
    return step, (params, data, data), dict(donate_argnums=0, out_shardings=shardings_of(params))


# ---- and five that the search was not mended for -----------------------------------------------------


@program(first="cache", kinds=("shard",))
def decoding(mistake, at):
    """The cache of keys and values is whole on each device, although each sequence is some device's own."""

    def step(params, cache, x, position):
        b, d = x.shape
        q, k, v = [(x @ params[n]).reshape(b, 32, 128) for n in "qkv"]
        put = lambda old, new: jax.lax.dynamic_update_slice(old, new[:, None], (0, position, 0, 0))
        cache = {"k": put(cache["k"], k), "v": put(cache["v"], v)}
        scores = jnp.einsum("bhd,bthd->bht", q, cache["k"])
        mixed = jnp.einsum("bht,bthd->bhd", jax.nn.softmax(scores), cache["v"])
        return x + mixed.reshape(b, d) @ params["o"], cache

    spec = P() if mistake else P("data", None, "model")
    params = {n: at((4096, 4096), P(None, "model"), bf16) for n in "qkv"}
    params["o"] = at((4096, 4096), P("model", None), bf16)
    cache = {n: at((64, 4096, 32, 128), spec, bf16) for n in "kv"}
    x = at((64, 4096), P("data"), bf16)
    out = (x.sharding, shardings_of(cache))
    return step, (params, cache, x, at((), dtype=i32)), dict(donate_argnums=1, out_shardings=out)


@program(first="params", kinds=("shard",))
def experts(mistake, at):
    """All experts are on each device; each has work for a part of the tokens only."""

    def loss(params, x, y):
        h = jnp.einsum("ecd,edf->ecf", x, params["up"])
        out = jnp.einsum("ecf,efd->ecd", jax.nn.relu(h), params["down"])
        return jnp.mean((out - y) ** 2)

    spec = P() if mistake else P("model")
    params = {"up": at((16, 2048, 8192), spec), "down": at((16, 8192, 2048), spec)}
    data = at((16, 2048, 2048), P(None, "data"))
    step = functools.partial(sgd, loss)
    out = (at.named(P()), shardings_of(params))
    return step, (params, data, data), dict(donate_argnums=0, out_shardings=out)


@program(first="HERE", kinds=("reconstrain", "drop"))
def logits(mistake, at):
    """A constraint of the logits names the batch only, and so gathers the vocabulary."""

    def loss(params, x, labels):
        h = x + jax.nn.gelu(x @ params["up"]) @ params["down"]
        out = h @ params["head"]
        out = pin(out, "data") if mistake else pin(out, "data", None, "model")  # HERE
        return cross_entropy(out, labels)

    params = {
        "up": at((2048, 8192), P(None, "model")),
        "down": at((8192, 2048), P("model", None)),
        "head": at((2048, 128000), P(None, "model")),
    }
    step = functools.partial(sgd, loss)
    data = at((16, 1024, 2048), P("data")), at((16, 1024), P("data"), i32)
    out = (at.named(P()), shardings_of(params))
    return step, (params, *data), dict(donate_argnums=0, out_shardings=out)


@program(first="data|HERE", kinds=("shard", "mesh", "constrain"))
def idle_axis(mistake, at):
    """The batch is over one of two axes, and nothing over the other: half of the devices repeat the others."""

    layout = dict(dimension_numbers=("NHWC", "HWIO", "NHWC"))
    convolution = lambda h, w: jax.lax.conv_general_dilated(h, w, (2, 2), "SAME", **layout)

    def loss(params, images, labels):
        h = images
        for w in params["convolutions"]:
            h = jax.nn.relu(convolution(h, w))  # HERE
        return cross_entropy(h.mean((1, 2)) @ params["head"], labels)

    widths = 3, 128, 256, 512
    convolutions = [at((3, 3, *pair)) for pair in zip(widths, widths[1:])]
    params = {"convolutions": convolutions, "head": at((512, 1000))}
    spec = P("data") if mistake else P(("data", "model"))
    step = functools.partial(sgd, loss)
    data = at((256, 128, 128, 3), spec), at((256,), spec, i32)
    out = (at.named(P()), shardings_of(params))
    return step, (params, *data), dict(donate_argnums=0, out_shardings=out)


@program(first="x|HERE", kinds=("constrain", "shard"))
def shuffled(mistake, at):
    """The batch is put in the order of its lengths by a lookup, after which it is whole on each device.  What
    is looked up may be over the sequence instead, then each device looks up its own."""

    def forward(params, x, lengths):
        h = x[jnp.argsort(lengths)]  # HERE
        if not mistake:
            h = pin(h, "data")
        for w in params:
            h = h + jax.nn.gelu(h @ w["up"]) @ w["down"]  # HERE
        return jnp.mean(h, (1, 2))

    layer = {"up": at((2048, 8192), P(None, "model"), bf16), "down": at((8192, 2048), P("model", None), bf16)}
    x = at((64, 128, 2048), P("data"), bf16)
    return forward, ([layer] * 3, x, at((64,), P("data"), i32)), {}


# ---- and seven of models of other kinds ----------------------------------------------------------------


@program(first="HERE", kinds=("reconstrain", "drop", "constrain"))
def gathered_logits(mistake, at):
    """A language model's loss is computed on logits that a constraint makes whole, all of them."""

    def loss(params, tokens, labels):
        h = pin(params["table"][tokens], "data")
        h = h + jax.nn.gelu(h @ params["up"]) @ params["down"]
        out = h @ params["head"]
        out = pin(out) if mistake else out  # HERE
        return cross_entropy(out, labels)

    params = {"table": at((32000, 1024)), "up": at((1024, 4096), P(None, "model")),
              "down": at((4096, 1024), P("model", None)), "head": at((1024, 32000), P(None, "model"))}
    step = functools.partial(sgd, loss)
    data = at((16, 512), P("data"), i32), at((16, 512), P("data"), i32)
    out = (at.named(P()), shardings_of(params))
    return step, (params, *data), dict(donate_argnums=0, out_shardings=out)


@program(first="HERE", kinds=("reconstrain", "drop"))
def scan_wrong_axis(mistake, at):
    """In a scan over layers the hidden values of the feed-forward are constrained over the wrong axis."""

    def loss(params, x):
        def layer(h, w):
            u = jax.nn.gelu(h @ w["up"])
            u = pin(u, "model", None, "data") if mistake else pin(u, "data", None, "model")  # HERE
            return pin(h + u @ w["down"], "data"), None
        h, _ = jax.lax.scan(jax.checkpoint(layer), x, params)
        return jnp.mean(h.astype(f32) ** 2)

    params = {
        "up": at((12, 2048, 8192), P(None, None, "model"), bf16),
        "down": at((12, 8192, 2048), P(None, "model", None), bf16),
    }
    x = at((16, 512, 2048), P("data"), bf16)
    step = functools.partial(sgd, loss)
    return step, (params, x), dict(donate_argnums=0, out_shardings=(at.named(P()), shardings_of(params)))


@program(first="state|opt", kinds=("shard",))
def optax_chain(mistake, at):
    """optax.chain of clipping, moments and decay: its state was made outside of jit, whole on each device."""

    def step(params, state, x, y):
        def loss(p):
            h = x
            for w in p["layers"]:
                h = h + jax.nn.silu(h @ w["a"]) @ w["b"]
            return jnp.mean((h - y) ** 2)
        value, g = jax.value_and_grad(loss)(params)
        norm = jnp.sqrt(sum(jnp.sum(a * a) for a in jax.tree.leaves(g)))
        g = jax.tree.map(lambda a: a * jnp.minimum(1.0, 1.0 / norm), g)
        count = state["count"] + 1
        mu = jax.tree.map(lambda m, a: 0.9 * m + 0.1 * a, state["mu"], g)
        nu = jax.tree.map(lambda v, a: 0.999 * v + 0.001 * a * a, state["nu"], g)
        c = count.astype(f32)
        mean = lambda m: m / (1 - 0.9**c)
        root = lambda v: jnp.sqrt(v / (1 - 0.999**c)) + 1e-8
        moved = lambda p, m, v: p - 1e-3 * (mean(m) / root(v) + 0.01 * p)
        new = jax.tree.map(moved, params, mu, nu)
        return new, {"count": count, "mu": mu, "nu": nu}, value

    layer = {"a": at((4096, 16384), P("data", "model")), "b": at((16384, 4096), P("model", "data"))}
    params = {"layers": [layer] * 3}
    m = jax.tree.map(lambda a: at(a.shape) if mistake else a, params)
    state = {"count": at((), P(), i32), "mu": m, "nu": m}
    data = at((8192, 4096), P("data"))
    out = (shardings_of(params), shardings_of(state), at.named(P()))
    return step, (params, state, data, data), dict(donate_argnums=(0, 1), out_shardings=out)


@program(first="images|HERE", kinds=("shard", "constrain"))
def data_whole(mistake, at):
    """The batch is loaded whole on each device: every device computes all of it."""

    layout = dict(dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def step(params, images, labels):
        def loss(params):
            h = images  # HERE
            for w in params["convolutions"]:
                h = jax.nn.relu(jax.lax.conv_general_dilated(h, w, (2, 2), "SAME", **layout))  # HERE
            return cross_entropy(h.mean((1, 2)) @ params["head"], labels)
        value, g = jax.value_and_grad(loss)(params)
        return value, jax.tree.map(lambda p, g: p - 1e-3 * g, params, g)

    widths = 3, 64, 128, 256
    params = {"convolutions": [at((3, 3, *pair)) for pair in zip(widths, widths[1:])], "head": at((256, 1000))}
    spec = P() if mistake else P("data")
    data = at((256, 128, 128, 3), spec), at((256,), spec, i32)
    return step, (params, *data), dict(donate_argnums=0, out_shardings=(at.named(P()), shardings_of(params)))


@program(first="table|HERE", kinds=("shard", "constrain", "lookup"))
def table_dimension(mistake, at):
    """A recommender's tables are cut by features over the axis of the batch, not by rows over the other."""

    def step(params, dense, ids, labels):
        def loss(params):
            found = [params["tables"][k][ids[:, k]] for k in range(4)]  # HERE
            h = jnp.concatenate([dense @ params["in"], *found], -1)
            h = jax.nn.relu(h @ params["mid"])
            out = (h @ params["out"])[:, 0]
            return jnp.mean(jnp.logaddexp(0.0, out) - labels * out)
        value, g = jax.value_and_grad(loss)(params)
        return value, jax.tree.map(lambda p, g: p - 1e-3 * g, params, g)

    spec = P(None, "data") if mistake else P("model", None)
    dense = {"in": at((64, 128)), "mid": at((640, 512)), "out": at((512, 1))}
    params = {"tables": [at((1_000_000, 128), spec) for _ in range(4)], **dense}
    data = at((65536, 64), P("data")), at((65536, 4), P("data"), i32), at((65536,), P("data"))
    return step, (params, *data), dict(donate_argnums=0, out_shardings=(at.named(P()), shardings_of(params)))


@program(first="HERE", kinds=("constrain", "reconstrain", "drop"))
def attention_heads(mistake, at):
    """Where the heads are put together again, a constraint moves their axis to the sequence."""

    def loss(params, x):
        b, t, d = x.shape
        h = x
        for w in params:
            q, k, v = ((h @ w[n]).reshape(b, t, 16, d // 16) for n in "qkv")
            a = jax.nn.softmax(jnp.einsum("bthd,bshd->bhts", q, k) / 8, -1)
            o = jnp.einsum("bhts,bshd->bthd", a, v).reshape(b, t, d)
            o = pin(o, "data", "model") if mistake else o  # HERE
            h = h + o @ w["o"]
        return jnp.mean(h * h)

    layer = {n: at((2048, 2048), P(None, "model"), bf16) for n in "qkv"}
    layer["o"] = at((2048, 2048), P("model", None), bf16)
    params = [layer] * 4
    x = at((16, 1024, 2048), P("data"), bf16)
    step = functools.partial(sgd, loss)
    return step, (params, x), dict(donate_argnums=0, out_shardings=(at.named(P()), shardings_of(params)))


@program(first="cond|HERE", kinds=("shard", "constrain", "reconstrain", "drop"))
def unet_condition(mistake, at):
    """A step of a diffusion model: what the condition is added to is whole, and the batch is lost."""

    def step(params, x, t):
        def loss(params):
            e = jnp.sin(t[:, None] * jnp.arange(512.0)[None])
            e = jax.nn.silu(e @ params["cond"])  # HERE
            h = x @ params["in"]
            h = h + (pin(e) if mistake else e)[:, None, :]  # HERE
            h = pin(h) if mistake else h  # HERE
            h = jax.nn.gelu(h @ params["up"]) @ params["down"]  # HERE
            return jnp.mean((h - x @ params["in"]) ** 2)
        value, g = jax.value_and_grad(loss)(params)
        return value, jax.tree.map(lambda p, g: p - 1e-3 * g, params, g)

    params = {
        "cond": at((512, 1024)),
        "in": at((64, 1024)),
        "up": at((1024, 4096), P(None, "model")),
        "down": at((4096, 1024), P("model", None)),
    }
    data = at((64, 1024, 64), P("data")), at((64,), P("data"))
    return step, (params, *data), dict(donate_argnums=0, out_shardings=(at.named(P()), shardings_of(params)))
