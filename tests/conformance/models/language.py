"""Language models whose layers are written out, as in Gemma (flax.linen) and Qwen (flax.nnx, equinox)."""

from judge import model

LAYERS, WIDTH, HEADS, GROUPS, HEAD, HIDDEN, VOCABULARY = 12, 32, 4, 2, 8, 64, 64


def rotated(x, positions):
    """Rotary positions."""
    import jax.numpy as jnp

    half = x.shape[-1] // 2
    angle = positions[:, :, None, None] / 10000 ** (jnp.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate(
        [a * jnp.cos(angle) - b * jnp.sin(angle), b * jnp.cos(angle) + a * jnp.sin(angle)], -1
    )


def attended(q, k, v, window=None):
    """Causal attention of grouped heads; `window`: only so far back."""
    import jax
    import jax.numpy as jnp

    k, v = (jnp.repeat(t, HEADS // GROUPS, axis=2) for t in (k, v))
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / HEAD**0.5
    t = jnp.arange(q.shape[1])
    mask = t[:, None] >= t
    if window:
        mask &= t[:, None] - t < window
    scores = jnp.where(mask, jnp.tanh(scores / 50) * 50, -1e9)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores, -1), v)


def tokens_of(place):
    import jax
    import numpy as np

    tokens = np.random.default_rng(0).integers(0, VOCABULARY, (8, 16)).astype("i")
    return jax.device_put(tokens, place("data"))


def cross_entropy(logits, tokens):
    import jax
    import jax.numpy as jnp

    logged = jax.nn.log_softmax(logits[:, :-1].astype(jnp.float32))
    return -jnp.take_along_axis(logged, tokens[:, 1:, None], -1).mean()


@model("flax", "optax", unrolled=True)
def gemma(place):
    """Layers of flax.linen, local and global attention in turns, norms before and after."""
    import jax
    import jax.numpy as jnp
    import optax
    from flax import linen as nn

    class Norm(nn.Module):
        @nn.compact
        def __call__(self, x):
            scale = self.param("scale", nn.initializers.zeros_init(), (x.shape[-1],))
            x = x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6)
            return x * (1 + scale)

    class Einsum(nn.Module):
        shape: tuple

        @nn.compact
        def __call__(self, equation, x):
            w = self.param("w", nn.initializers.normal(0.1), self.shape)
            return jnp.einsum(equation, x, w)

    class Attention(nn.Module):
        window: int

        @nn.compact
        def __call__(self, x, positions):
            q = Einsum((HEADS, WIDTH, HEAD), name="q_einsum")("btd,ndh->btnh", x)
            kv = Einsum((2, GROUPS, WIDTH, HEAD), name="kv_einsum")("btd,cndh->cbtnh", x)
            q, k = (rotated(Norm(name=n)(t), positions) for n, t in (("qn", q), ("kn", kv[0])))
            out = attended(q, k, kv[1], self.window)
            return Einsum((HEADS, HEAD, WIDTH), name="attn_vec_einsum")("btnh,nhd->btd", out)

    class Mlp(nn.Module):
        @nn.compact
        def __call__(self, x):
            gate = Einsum((2, HIDDEN, WIDTH), name="gating_einsum")("btd,chd->cbth", x)
            return Einsum((HIDDEN, WIDTH), name="linear")("bth,hd->btd", nn.gelu(gate[0]) * gate[1])

    class Layer(nn.Module):
        window: int

        @nn.compact
        def __call__(self, x, positions):
            h = Attention(self.window, name="attn")(Norm(name="pre_attn")(x), positions)
            x = x + Norm(name="post_attn")(h)
            return x + Norm(name="post_ffw")(Mlp(name="mlp")(Norm(name="pre_ffw")(x)))

    class Transformer(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            table = self.param("embedder", nn.initializers.normal(0.1), (VOCABULARY, WIDTH))
            x = table[tokens] * WIDTH**0.5
            positions = jnp.broadcast_to(jnp.arange(tokens.shape[1]), tokens.shape)
            for i in range(LAYERS):
                x = Layer(None if i % 6 == 5 else 4, name=f"layer_{i}")(x, positions)
            return jnp.tanh(Norm(name="final_norm")(x) @ table.T / 30) * 30

    network, tokens, tx = Transformer(), tokens_of(place), optax.adamw(1e-3)
    specs = {
        "q_einsum": ("model", "data"),
        "kv_einsum": (None, "model", "data"),
        "attn_vec_einsum": ("model", None, "data"),
        "gating_einsum": (None, "model", "data"),
        "linear": ("model", "data"),
        "embedder": ("model", "data"),
    }

    def placed(path, leaf):
        keys = [k.key for k in path]
        return jax.device_put(leaf, place(*next((s for n, s in specs.items() if n in keys), ())))

    params = jax.tree_util.tree_map_with_path(placed, network.init(jax.random.key(0), tokens))

    @jax.jit
    def step(params, state, tokens):
        value, grads = jax.value_and_grad(
            lambda p: cross_entropy(network.apply(p, tokens), tokens)
        )(params)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, value

    return step, lambda: (params, tx.init(params), tokens)


@model("flax", "optax", unrolled=True)
def qwen(place):
    """Layers of flax.nnx, whose kernels say how they are sharded; rematerialised."""
    import jax
    import jax.numpy as jnp
    import optax
    from flax import nnx

    def kernel(shape, *spec, key):
        return nnx.Param(jax.device_put(jax.random.normal(key, shape) * 0.1, place(*spec)))

    class Attention(nnx.Module):
        def __init__(self, rngs):
            self.q = kernel((WIDTH, HEADS, HEAD), "data", "model", key=rngs.params())
            self.k = kernel((WIDTH, GROUPS, HEAD), "data", "model", key=rngs.params())
            self.v = kernel((WIDTH, GROUPS, HEAD), "data", "model", key=rngs.params())
            self.o = kernel((HEADS, HEAD, WIDTH), "model", None, "data", key=rngs.params())
            self.q_norm, self.k_norm = (nnx.RMSNorm(HEAD, rngs=rngs) for _ in range(2))

        def __call__(self, x, positions):
            q, k, v = (jnp.einsum("btd,dnh->btnh", x, w[...]) for w in (self.q, self.k, self.v))
            q, k = rotated(self.q_norm(q), positions), rotated(self.k_norm(k), positions)
            return jnp.einsum("btnh,nhd->btd", attended(q, k, v), self.o[...])

    class Mlp(nnx.Module):
        def __init__(self, rngs):
            self.gate = kernel((WIDTH, HIDDEN), "data", "model", key=rngs.params())
            self.up = kernel((WIDTH, HIDDEN), "data", "model", key=rngs.params())
            self.down = kernel((HIDDEN, WIDTH), "model", "data", key=rngs.params())

        def __call__(self, x):
            return (nnx.silu(x @ self.gate[...]) * (x @ self.up[...])) @ self.down[...]

    class Layer(nnx.Module):
        def __init__(self, rngs):
            self.attention, self.mlp = Attention(rngs), Mlp(rngs)
            self.before, self.between = (nnx.RMSNorm(WIDTH, rngs=rngs) for _ in range(2))

        @nnx.remat
        def __call__(self, x, positions):
            x = x + self.attention(self.before(x), positions)
            return x + self.mlp(self.between(x))

    class Qwen(nnx.Module):
        def __init__(self, rngs):
            self.embedding = kernel((VOCABULARY, WIDTH), "model", "data", key=rngs.params())
            self.layers = nnx.List([Layer(rngs) for _ in range(LAYERS)])
            self.norm = nnx.RMSNorm(WIDTH, rngs=rngs)
            self.head = kernel((WIDTH, VOCABULARY), "data", "model", key=rngs.params())

        def __call__(self, tokens):
            x = self.embedding[...][tokens]
            positions = jnp.broadcast_to(jnp.arange(tokens.shape[1]), tokens.shape)
            for layer in self.layers:
                x = layer(x, positions)
            return self.norm(x) @ self.head[...]

    @nnx.jit
    def step(network, optimizer, tokens):
        value, grads = nnx.value_and_grad(lambda n: cross_entropy(n(tokens), tokens))(network)
        optimizer.update(network, grads)
        return value

    tx = optax.adamw(1e-3)

    def arguments():
        network = Qwen(nnx.Rngs(0))
        return network, nnx.Optimizer(network, tx, wrt=nnx.Param), tokens_of(place)

    return step, arguments


@model("equinox", "optax", unrolled=True)
def equinox_transformer(place):
    """A transformer for one sequence, mapped over the batch."""
    import equinox as eqx
    import jax
    import jax.numpy as jnp
    import optax

    class Block(eqx.Module):
        attention: eqx.nn.MultiheadAttention
        mlp: eqx.nn.MLP
        before: eqx.nn.LayerNorm
        between: eqx.nn.LayerNorm

        def __init__(self, key):
            a, m = jax.random.split(key)
            self.attention = eqx.nn.MultiheadAttention(HEADS, WIDTH, key=a)
            self.mlp = eqx.nn.MLP(WIDTH, WIDTH, HIDDEN, 1, jax.nn.gelu, key=m)
            self.before, self.between = eqx.nn.LayerNorm(WIDTH), eqx.nn.LayerNorm(WIDTH)

        def __call__(self, x):
            h = jax.vmap(self.before)(x)
            mask = jnp.tril(jnp.ones((x.shape[0],) * 2, bool))
            x = x + self.attention(h, h, h, mask)
            return x + jax.vmap(self.mlp)(jax.vmap(self.between)(x))

    class Network(eqx.Module):
        embedding: eqx.nn.Embedding
        blocks: list
        head: eqx.nn.Linear

        def __init__(self, key):
            e, h, *keys = jax.random.split(key, LAYERS // 2 + 2)
            self.embedding = eqx.nn.Embedding(VOCABULARY, WIDTH, key=e)
            self.blocks = [Block(k) for k in keys]
            self.head = eqx.nn.Linear(WIDTH, VOCABULARY, key=h)

        def __call__(self, tokens):
            x = jax.vmap(self.embedding)(tokens)
            for block in self.blocks:
                x = block(x)
            return jax.vmap(self.head)(x)

    tx = optax.adamw(1e-3)

    @eqx.filter_jit(donate="none")
    def step(network, state, tokens):
        @eqx.filter_value_and_grad
        def loss(network):
            return cross_entropy(jax.vmap(network)(tokens), tokens)

        value, grads = loss(network)
        updates, state = tx.update(grads, state, eqx.filter(network, eqx.is_array))
        return eqx.apply_updates(network, updates), state, value

    def arguments():
        network = Network(jax.random.key(0))
        return network, tx.init(eqx.filter(network, eqx.is_array)), tokens_of(place)

    return step, arguments
