#!/usr/bin/env python3
"""Checks that third-party libraries train unchanged on tessera's PJRT plugin, as on JAX's CPU backend.

    JAX_PLATFORMS=tessera,cpu TESSERA_DEVICES=8 libraries.py [NAME...]

Each library that is installed trains a small example.  The data is spread over all devices if the
library allows that.  The losses must fall, and equal those of JAX's CPU backend up to rounding.
"""

import importlib
import sys

EXAMPLES = {}


def example(*libraries, rtol=2e-3):
    """An example that needs these libraries; its losses may differ so much."""

    def add(function):
        EXAMPLES[function.__name__] = (libraries, function, rtol)
        return function

    return add


def batch(mesh, n=64, features=8):
    """x, and what a linear map with a bend makes of it; the rows are spread over the devices."""
    import jax
    import numpy as np
    from jax.sharding import NamedSharding
    from jax.sharding import PartitionSpec as P

    rng = np.random.default_rng(7)
    x = rng.normal(size=(n, features)).astype(np.float32)
    y = np.tanh(x @ rng.normal(size=(features, 1))).astype(np.float32)
    rows = NamedSharding(mesh, P("data"))
    return jax.device_put(x, rows), jax.device_put(y, rows)


@example("flax", "optax")
def flax(mesh):
    import jax
    import optax
    from flax import linen as nn
    from flax.training import train_state

    class Model(nn.Module):
        @nn.compact
        def __call__(self, x):
            return nn.Dense(1)(nn.LayerNorm()(nn.gelu(nn.Dense(32)(x))))

    x, y = batch(mesh)
    model = Model()
    state = train_state.TrainState.create(
        apply_fn=model.apply, params=model.init(jax.random.key(0), x), tx=optax.adam(1e-2)
    )

    @jax.jit
    def step(state):
        def loss(params):
            return ((state.apply_fn(params, x) - y) ** 2).mean()

        value, grads = jax.value_and_grad(loss)(state.params)
        return state.apply_gradients(grads=grads), value

    losses = []
    for _ in range(30):
        state, value = step(state)
        losses.append(float(value))
    return losses


@example("flax", "optax")
def flax_nnx(mesh):
    import optax
    from flax import nnx

    class Model(nnx.Module):
        def __init__(self, rngs):
            self.first = nnx.Linear(8, 32, rngs=rngs)
            self.norm = nnx.BatchNorm(32, rngs=rngs)
            self.last = nnx.Linear(32, 1, rngs=rngs)

        def __call__(self, x):
            return self.last(nnx.relu(self.norm(self.first(x))))

    x, y = batch(mesh)
    model = Model(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adamw(1e-2), wrt=nnx.Param)

    @nnx.jit
    def step(model, optimizer):
        value, grads = nnx.value_and_grad(lambda m: ((m(x) - y) ** 2).mean())(model)
        optimizer.update(model, grads)
        return value

    return [float(step(model, optimizer)) for _ in range(30)]


@example("optax")
def optax(mesh):
    import jax
    import jax.numpy as jnp
    import optax as ox

    x, y = batch(mesh)
    params = {"w": jnp.zeros((8, 1)), "b": jnp.zeros(1)}
    schedule = ox.warmup_cosine_decay_schedule(0.0, 0.1, 5, 40)
    tx = ox.chain(ox.clip_by_global_norm(1.0), ox.lion(schedule))
    state = tx.init(params)

    def loss(params):
        return ((jnp.tanh(x @ params["w"] + params["b"]) - y) ** 2).mean()

    @jax.jit
    def step(params, state):
        value, grads = jax.value_and_grad(loss)(params)
        updates, state = tx.update(grads, state, params)
        return ox.apply_updates(params, updates), state, value

    losses = []
    for _ in range(30):
        params, state, value = step(params, state)
        losses.append(float(value))
    return losses


@example("equinox", "optax")
def equinox(mesh):
    import equinox as eqx
    import jax
    import optax

    x, y = batch(mesh)
    model = eqx.nn.MLP(8, 1, 32, 2, key=jax.random.key(1))
    tx = optax.adam(1e-2)
    state = tx.init(eqx.filter(model, eqx.is_array))

    @eqx.filter_jit
    def step(model, state):
        def loss(m):
            return ((jax.vmap(m)(x) - y) ** 2).mean()

        value, grads = eqx.filter_value_and_grad(loss)(model)
        updates, state = tx.update(grads, state, eqx.filter(model, eqx.is_array))
        return eqx.apply_updates(model, updates), state, value

    losses = []
    for _ in range(30):
        model, state, value = step(model, state)
        losses.append(float(value))
    return losses


@example("diffrax", "equinox", "optax", rtol=5e-2)
def diffrax(mesh):
    """A neural differential equation learns where a damped swing is.

    The solver's steps depend on estimated errors, so that roundings grow: the first two losses are
    equal to 1e-4, later ones to some per cent.
    """
    import diffrax as dfx
    import equinox as eqx
    import jax
    import jax.numpy as jnp
    import optax

    times = jnp.linspace(0.0, 2.0, 11)
    true = jnp.array([[-0.1, 1.0], [-1.0, -0.1]])
    start = jnp.array([1.0, 0.0])

    def solve(field):
        return dfx.diffeqsolve(
            dfx.ODETerm(field),
            dfx.Tsit5(),
            0.0,
            2.0,
            0.05,
            start,
            saveat=dfx.SaveAt(ts=times),
            stepsize_controller=dfx.PIDController(1e-3, 1e-5),
        ).ys

    want = solve(lambda t, y, args: true @ y)
    model = eqx.nn.MLP(2, 2, 16, 1, key=jax.random.key(2))
    tx = optax.adam(2e-2)
    state = tx.init(eqx.filter(model, eqx.is_array))

    @eqx.filter_jit
    def step(model, state):
        def loss(m):
            return ((solve(lambda t, y, args: m(y)) - want) ** 2).mean()

        value, grads = eqx.filter_value_and_grad(loss)(model)
        updates, state = tx.update(grads, state, eqx.filter(model, eqx.is_array))
        return eqx.apply_updates(model, updates), state, value

    losses = []
    for _ in range(12):
        model, state, value = step(model, state)
        losses.append(float(value))
    return losses


@example("numpyro")
def numpyro(mesh):
    """Variational inference of a regression."""
    import jax
    import numpyro as npy
    import numpyro.distributions as dist
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.infer.autoguide import AutoNormal

    x, y = batch(mesh)

    def model(x, y):
        w = npy.sample("w", dist.Normal(0, 1).expand([8]).to_event(1))
        noise = npy.sample("noise", dist.HalfNormal(1.0))
        npy.sample("y", dist.Normal(x @ w, noise), obs=y[:, 0])

    svi = SVI(model, AutoNormal(model), npy.optim.Adam(0.05), Trace_ELBO())
    result = svi.run(jax.random.key(3), 60, x, y, progress_bar=False)
    losses = [float(v) for v in result.losses]
    return [sum(losses[i : i + 10]) / 10 for i in range(0, 60, 10)]


@example("haiku", "optax")
def haiku(mesh):
    import haiku as hk
    import jax
    import optax

    x, y = batch(mesh)
    forward = hk.transform(lambda x: hk.Sequential([hk.Linear(32), jax.nn.relu, hk.Linear(1)])(x))
    params = forward.init(jax.random.key(4), x)
    tx = optax.sgd(0.05, momentum=0.9)
    state = tx.init(params)

    @jax.jit
    def step(params, state):
        def loss(params):
            return ((forward.apply(params, None, x) - y) ** 2).mean()

        value, grads = jax.value_and_grad(loss)(params)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state, value

    losses = []
    for _ in range(30):
        params, state, value = step(params, state)
        losses.append(float(value))
    return losses


def train(function, platform):
    import jax
    from jax.sharding import Mesh

    devices = jax.devices(platform)
    with jax.default_device(devices[0]):
        return function(Mesh(devices, ["data"]))


def compare(function, rtol):
    import numpy as np

    ours, theirs = train(function, "tessera"), train(function, "cpu")
    if not ours[-1] < ours[0]:
        return f"the loss does not fall: {ours[0]:g} to {ours[-1]:g}"
    if not np.allclose(ours, theirs, rtol=rtol, atol=1e-4):
        worst = int(np.argmax(np.abs(np.array(ours) - theirs)))
        return f"step {worst}: the loss is {ours[worst]:g}, and {theirs[worst]:g} on JAX's CPU"
    return ""


def main():
    import jax

    jax.config.update("jax_num_cpu_devices", 8)
    good = True
    for name, (libraries, function, rtol) in EXAMPLES.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        try:
            for library in libraries:
                importlib.import_module(library)
        except ImportError as error:
            print(f"{name}: not run: {error}")
            continue
        why = compare(function, rtol)
        print(f"{name}: {why or 'trains as on JAX CPU'}", flush=True)
        good &= not why
    sys.exit(not good)


if __name__ == "__main__":
    main()
