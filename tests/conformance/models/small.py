"""Training steps and models of libraries that build networks."""

from judge import model


def batch(place, n=16, features=8, seed=7):
    """Rows of numbers over the data axis, and a target for each."""
    import jax
    import numpy as np

    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, features)).astype(np.float32)
    y = np.tanh(x @ rng.normal(size=(features, 1))).astype(np.float32)
    return jax.device_put(x, place("data")), jax.device_put(y, place("data"))


@model("flax", "optax")
def flax_linen(place):
    import jax
    import optax
    from flax import linen as nn
    from flax.training import train_state

    class Network(nn.Module):
        @nn.compact
        def __call__(self, x, train):
            x = nn.LayerNorm()(nn.gelu(nn.Dense(32)(x)))
            return nn.Dense(1)(nn.Dropout(0.1, deterministic=not train)(x))

    network, (x, y) = Network(), batch(place)
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-2))

    def arguments():
        params = network.init(jax.random.key(0), x, train=False)
        state = train_state.TrainState.create(apply_fn=network.apply, params=params, tx=tx)
        return state, x, y, jax.random.key(3)

    @jax.jit
    def step(state, x, y, key):
        def loss(params):
            out = state.apply_fn(params, x, train=True, rngs={"dropout": key})
            return ((out - y) ** 2).mean()

        value, grads = jax.value_and_grad(loss)(state.params)
        return state.apply_gradients(grads=grads), value

    return step, arguments


def _nnx_network():
    from flax import nnx

    class Block(nnx.Module):
        def __init__(self, width, rngs):
            self.norm = nnx.LayerNorm(width, rngs=rngs)
            self.up = nnx.Linear(width, 2 * width, rngs=rngs)
            self.down = nnx.Linear(2 * width, width, rngs=rngs)

        def __call__(self, x):
            return x + self.down(nnx.gelu(self.up(self.norm(x))))

    class Network(nnx.Module):
        def __init__(self, rngs):
            self.blocks = nnx.List([Block(8, rngs) for _ in range(2)])
            self.batch_norm = nnx.BatchNorm(8, rngs=rngs)
            self.last = nnx.Linear(8, 1, rngs=rngs)

        def __call__(self, x):
            for block in self.blocks:
                x = block(x)
            return self.last(self.batch_norm(x))

    return Network


def _nnx_step(model, optimizer, x, y):
    from flax import nnx

    value, grads = nnx.value_and_grad(lambda m: ((m(x) - y) ** 2).mean())(model)
    optimizer.update(model, grads)
    return value, model.batch_norm.mean[...]


def _nnx_arguments(place):
    import optax
    from flax import nnx

    tx, kind = optax.adamw(1e-2), _nnx_network()

    def arguments():
        network = kind(nnx.Rngs(0))
        return network, nnx.Optimizer(network, tx, wrt=nnx.Param), *batch(place)

    return arguments


@model("flax", "optax")
def flax_nnx(place):
    from flax import nnx

    return nnx.jit(_nnx_step), _nnx_arguments(place)


@model("flax", "optax")
def flax_nnx_plain(place):
    """The step without nnx.jit."""
    return _nnx_step, _nnx_arguments(place)


def _equinox_parts(place):
    import equinox as eqx
    import jax
    import optax

    network = eqx.nn.MLP(8, 1, 32, 2, key=jax.random.key(1))
    tx = optax.adam(1e-2)

    def step(network, state, x, y):
        def loss(network):
            return ((jax.vmap(network)(x) - y) ** 2).mean()

        value, grads = eqx.filter_value_and_grad(loss)(network)
        updates, state = tx.update(grads, state, eqx.filter(network, eqx.is_array))
        return eqx.apply_updates(network, updates), state, value

    return step, lambda: (network, tx.init(eqx.filter(network, eqx.is_array)), *batch(place))


@model("equinox", "optax")
def equinox(place):
    import equinox as eqx

    step, arguments = _equinox_parts(place)
    return eqx.filter_jit(step), arguments


@model("equinox", "optax")
def equinox_plain(place):
    return _equinox_parts(place)


@model("equinox")
def equinox_checked(place):
    """With an error check, a callback."""
    import equinox as eqx
    import jax

    network = eqx.nn.GRUCell(8, 8, key=jax.random.key(1))

    @eqx.filter_jit
    def run(network, x):
        x = eqx.error_if(x, x.max() > 100, "too large")
        return jax.vmap(network)(x, x)

    return run, lambda: (network, batch(place)[0])


@model("haiku", "optax")
def haiku(place):
    import haiku as hk
    import jax
    import optax

    def network(x):
        x = hk.nets.MLP([32, 16])(x)
        x = hk.BatchNorm(True, True, 0.9)(x, is_training=True)
        return hk.Linear(1)(x)

    net, (x, y), tx = hk.transform_with_state(network), batch(place), optax.rmsprop(1e-2)

    def arguments():
        params, state = net.init(jax.random.PRNGKey(0), x)
        return params, state, tx.init(params), x, y

    @jax.jit
    def step(params, state, opt_state, x, y):
        def loss(params):
            out, after = net.apply(params, state, None, x)
            return ((out - y) ** 2).mean(), after

        (value, after), grads = jax.value_and_grad(loss, has_aux=True)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), after, opt_state, value

    return step, arguments


@model("optax")
def optax(place):
    import jax
    import jax.numpy as jnp
    import optax as ox

    x, y = batch(place, features=16)
    tx = {
        "adafactor": ox.adafactor(1e-2, min_dim_size_to_factor=8),
        "lion": ox.lion(1e-2),
        "muon": ox.contrib.muon(1e-2),
        "free": ox.contrib.schedule_free_adamw(1e-2),
        "steps": ox.MultiSteps(ox.adam(1e-2), 2).gradient_transformation(),
    }
    params = {
        "w": jax.device_put(jnp.eye(16) / 2, place("data", "model")),
        "v": jax.device_put(jnp.ones((16, 1)), place("model")),
    }

    @jax.jit
    def step(states, params, x, y):
        value, grads = jax.value_and_grad(
            lambda p: ((jnp.tanh(x @ p["w"]) @ p["v"] - y) ** 2).mean()
        )(params)
        after = {k: t.update(grads, states[k], params) for k, t in tx.items()}
        return {k: ox.apply_updates(params, u) for k, (u, _) in after.items()}, {
            k: s for k, (_, s) in after.items()
        }, value

    return step, lambda: ({k: t.init(params) for k, t in tx.items()}, params, x, y)


@model("jraph")
def jraph(place):
    import jax
    import jax.numpy as jnp
    import jraph as jr
    import numpy as np

    rng = np.random.default_rng(0)
    nodes, edges = 16, 40
    graph = jr.GraphsTuple(
        nodes=jax.device_put(rng.normal(size=(nodes, 8)).astype("f"), place("data")),
        edges=jax.device_put(rng.normal(size=(edges, 4)).astype("f"), place("data")),
        senders=jnp.asarray(rng.integers(0, nodes, edges)),
        receivers=jnp.asarray(rng.integers(0, nodes, edges)),
        n_node=jnp.array([10, 6]),
        n_edge=jnp.array([25, 15]),
        globals=jnp.ones((2, 2)),
    )
    weights = {
        "edge": rng.normal(size=(4 + 8 + 8 + 2, 4)).astype("f") / 4,
        "node": rng.normal(size=(8 + 4 + 4 + 2, 8)).astype("f") / 4,
    }

    def loss(weights, graph):
        net = jr.GraphNetwork(
            update_edge_fn=lambda e, s, r, g: jnp.tanh(
                jnp.concatenate([e, s, r, g], 1) @ weights["edge"]
            ),
            update_node_fn=lambda n, s, r, g: jnp.tanh(
                jnp.concatenate([n, s, r, g], 1) @ weights["node"]
            ),
        )
        return (net(net(graph)).nodes ** 2).mean()

    return jax.jit(jax.value_and_grad(loss)), lambda: (weights, graph)


@model("penzai")
def penzai(place):
    import jax
    import numpy as np
    from penzai import pz

    network = pz.nn.Sequential(
        [
            pz.nn.Linear.from_config("up", jax.random.key(0), {"features": 8}, {"hidden": 16}),
            pz.nn.Elementwise(jax.nn.silu),
            pz.nn.Linear.from_config("down", jax.random.key(1), {"hidden": 16}, {"features": 8}),
        ]
    )
    network, values = pz.unbind_params(network, freeze=True)
    x = jax.device_put(np.ones((16, 8), "f"), place("data"))

    def loss(values, x):
        out = pz.bind_variables(network, values)(pz.nx.wrap(x, "batch", "features"))
        return (out.untag("batch", "features").unwrap() ** 2).mean()

    return jax.jit(jax.value_and_grad(loss)), lambda: (values, x)
