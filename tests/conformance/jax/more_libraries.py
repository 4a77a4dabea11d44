#!/usr/bin/env python3
"""Checks that programs of twenty further libraries give the same numbers on tessera's PJRT plugin as on JAX's CPU backend.

    more_libraries.py [--plugin build/libtess_pjrt.so] [NAME...]

Each program runs in a process of its own for each of the two, on 8 devices, as a user would run it: with
JAX_PLATFORMS=tessera,cpu, or cpu, and no other change.  Numbers must agree to 1e-4 of the largest of the
list (where a library's own steps let rounding grow, to what the program says).  A program whose library is
not installed, or does not import under this version of JAX, is named and not counted.

libraries.py has those that docs/jax.md names first: flax, optax, equinox, diffrax, numpyro and haiku.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {}


def program(function=None, *, rtol=1e-4):
    """A program that returns a list of numbers."""

    def add(function):
        PROGRAMS[function.__name__] = (function, rtol)
        return function

    return add(function) if function else add


def key(seed=0):
    import jax

    return jax.random.PRNGKey(seed)


def numbers(*values):
    """All numbers of arrays and scalars, in one list."""
    import numpy as np

    return [float(x) for value in values for x in np.ravel(value)]


# ---- networks


def keras_of():
    """Keras with JAX as its backend, and its random numbers at their start."""
    os.environ["KERAS_BACKEND"] = "jax"
    import keras

    keras.utils.set_random_seed(0)
    return keras


def fit(model, x, y):
    history = model.fit(x, y, epochs=3, batch_size=16, verbose=0, shuffle=False)
    return numbers(history.history["loss"], model.predict(x, verbose=0).sum())


@program
def keras_dense():
    import numpy as np

    keras = keras_of()
    layers = keras.layers
    model = keras.Sequential(
        [
            layers.Dense(32, activation="relu"),
            layers.BatchNormalization(),
            layers.Dropout(0.1),
            layers.Dense(4),
        ]
    )
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    x = np.random.RandomState(0).randn(256, 16).astype("float32")
    return fit(model, x, (x[:, 0] > 0).astype("int32") + 2 * (x[:, 1] > 0).astype("int32"))


@program
def keras_convolutions():
    import numpy as np

    keras = keras_of()
    layers = keras.layers
    model = keras.Sequential(
        [
            layers.Conv2D(8, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.SeparableConv2D(8, 3),
            layers.GlobalAveragePooling2D(),
            layers.Dense(3),
        ]
    )
    model.compile("rmsprop", "mse")
    x = np.random.RandomState(0).randn(64, 16, 16, 3).astype("float32")
    return fit(model, x, x.mean((1, 2)))


@program
def keras_recurrent():
    import numpy as np

    keras = keras_of()
    layers = keras.layers
    model = keras.Sequential(
        [
            layers.Embedding(50, 16),
            layers.Bidirectional(layers.LSTM(8, return_sequences=True)),
            layers.GRU(8),
            layers.Dense(1),
        ]
    )
    model.compile("adam", "mse")
    x = np.random.RandomState(0).randint(0, 50, (64, 12))
    return fit(model, x, x.mean(1, keepdims=True) / 50)


@program
def penzai():
    import jax.numpy as jnp
    from penzai import pz
    from penzai.models import simple_mlp

    model = simple_mlp.MLP.from_config(name="mlp", init_base_rng=key(), feature_sizes=[4, 8, 2])
    y = model(pz.nx.wrap(jnp.ones((3, 4)), "batch", "features"))
    return numbers(y.unwrap("batch", "features"))


@program
def jraph():
    """A graph network twice, and its derivative in the nodes; then graph attention."""
    import jax
    import jax.numpy as jnp
    import jraph as graphs

    graph = graphs.GraphsTuple(
        nodes=jnp.arange(12.0).reshape(6, 2) / 12,
        edges=jnp.ones((8, 2)),
        senders=jnp.array([0, 1, 2, 3, 4, 5, 0, 2]),
        receivers=jnp.array([1, 2, 3, 4, 5, 0, 3, 5]),
        n_node=jnp.array([3, 3]),
        n_edge=jnp.array([4, 4]),
        globals=jnp.zeros((2, 2)),
    )
    w = jax.random.normal(key(), (2, 2)) / 2
    network = graphs.GraphNetwork(
        update_edge_fn=lambda e, s, r, g: jnp.tanh((e + s * r + g) @ w),
        update_node_fn=lambda n, s, r, g: jnp.tanh(n @ w + s - r + g),
        update_global_fn=lambda n, e, g: n + e + g,
    )
    attention = graphs.GAT(
        lambda n: n @ w, lambda s, r, e: jnp.sum(s * r, -1, keepdims=True), lambda n: n
    )
    twice = jax.jit(lambda graph: network(network(graph)))
    gradient = jax.grad(lambda n: jnp.sum(twice(graph._replace(nodes=n)).globals))(graph.nodes)
    return numbers(twice(graph).globals, gradient, attention(graph).nodes)


@program
def e3nn_jax():
    import e3nn_jax as e3nn
    import jax.numpy as jnp

    x = e3nn.normal("2x0e + 1x1o", key())
    y = e3nn.spherical_harmonics("0e + 1o + 2e", jnp.array([0.3, 1.0, -0.4]), True)
    z = e3nn.tensor_product(x, y)
    return numbers(z.array, z.transform_by_matrix(e3nn.rand_matrix(key())).array)


@program
def dm_pix():
    import dm_pix as pix
    import jax

    image = jax.random.uniform(key(), (16, 16, 3))
    changed = [
        pix.gaussian_blur(image, 1.5, 5),
        pix.rgb_to_hsv(image),
        pix.rotate(image, 0.3),
        pix.adjust_hue(image, 0.2),
    ]
    return numbers(*(x.sum() for x in changed), pix.ssim(image, image * 0.9))


# ---- checkpoints


@program
def orbax():
    """Sharded arrays written and read."""
    import tempfile

    import jax
    import jax.numpy as jnp
    import numpy as np
    import orbax.checkpoint as ocp
    from jax.sharding import Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("a", "b"))
    state = {
        "w": jax.device_put(jnp.arange(64.0).reshape(8, 8), NamedSharding(mesh, P("a", "b"))),
        "b": jax.device_put(jnp.ones(8, jnp.bfloat16), NamedSharding(mesh, P())),
    }
    with tempfile.TemporaryDirectory() as folder:
        checkpointer = ocp.StandardCheckpointer()
        checkpointer.save(folder + "/state", state)
        checkpointer.wait_until_finished()
        abstract = jax.tree.map(ocp.utils.to_shape_dtype_struct, state)
        again = checkpointer.restore(folder + "/state", abstract)
    assert again["w"].sharding == state["w"].sharding
    return numbers(again["w"], again["b"].astype(jnp.float32))


# ---- inference, optimisation, linear algebra


@program
def blackjax():
    import blackjax as bj
    import jax
    import jax.numpy as jnp

    nuts = bj.nuts(lambda x: -0.5 * jnp.sum(x["a"] ** 2) - 0.5 * (x["b"] - 1) ** 2, 0.3, jnp.ones(4))
    state = nuts.init({"a": jnp.ones(3), "b": jnp.float32(0)})
    step = jax.jit(nuts.step)
    chain = []
    for i in range(10):
        state, _ = step(jax.random.fold_in(key(), i), state)
        chain.append(state.position["b"])
    return numbers(*chain)


@program
def tinygp():
    import jax
    import jax.numpy as jnp
    import tinygp as gp

    x = jnp.linspace(0, 5, 40)
    y = jnp.sin(x) + 0.1 * jax.random.normal(key(), (40,))

    def loss(p):
        kernel = jnp.exp(p["a"]) * gp.kernels.Matern32(jnp.exp(p["l"]))
        return -gp.GaussianProcess(kernel, x, diag=0.01).log_probability(y)

    step = jax.jit(jax.value_and_grad(loss))
    p = {"a": jnp.float32(0), "l": jnp.float32(0)}
    losses = []
    for _ in range(10):
        value, gradient = step(p)
        p = jax.tree.map(lambda a, g: a - 0.01 * g, p, gradient)
        losses.append(value)
    return numbers(*losses)


@program
def gpjax():
    import gpjax as gpx
    import jax.numpy as jnp

    x = jnp.linspace(-3, 3, 20).reshape(-1, 1)
    prior = gpx.gps.Prior(mean_function=gpx.mean_functions.Zero(), kernel=gpx.kernels.RBF())
    posterior = prior * gpx.likelihoods.Gaussian(num_datapoints=20)
    return numbers(gpx.objectives.conjugate_mll(posterior, gpx.Dataset(X=x, y=jnp.sin(x))))


@program
def optimistix():
    import jax.numpy as jnp
    import optimistix as optx

    to = {"rtol": 1e-5, "atol": 1e-5}
    root = optx.root_find(
        lambda y, a: jnp.tanh(y) * a - y + 0.3, optx.Newton(**to), jnp.ones(4), args=jnp.arange(4.0) / 5
    )
    least = optx.minimise(
        lambda y, a: jnp.sum((y - 2) ** 2) + jnp.sum(y**4), optx.BFGS(**to), jnp.zeros(3)
    )
    fitted = optx.least_squares(
        lambda y, a: jnp.array([y[0] - 1, y[1] * y[0] - 3]), optx.LevenbergMarquardt(**to), jnp.ones(2)
    )
    return numbers(root.value, least.value, fitted.value)


@program
def lineax():
    import jax
    import jax.numpy as jnp
    import lineax as lx

    a = jax.random.normal(key(), (6, 6))
    b = jnp.arange(6.0)
    general = lx.MatrixLinearOperator(a)
    definite = lx.MatrixLinearOperator(a @ a.T + 6 * jnp.eye(6), lx.positive_semidefinite_tag)
    direct = (lx.LU(), lx.QR(), lx.SVD(), lx.AutoLinearSolver(well_posed=None))
    iterative = (lx.CG(1e-6, 1e-6), lx.GMRES(1e-6, 1e-6), lx.BiCGStab(1e-6, 1e-6), lx.Cholesky())
    gradient = jax.grad(lambda a: lx.linear_solve(lx.MatrixLinearOperator(a), b).value.sum())(a)
    return numbers(
        *(lx.linear_solve(general, b, solver).value for solver in direct),
        *(lx.linear_solve(definite, b, solver).value for solver in iterative),
        gradient,
    )


@program
def jaxopt():
    import jax.numpy as jnp
    import jaxopt as jo

    def valley(x):
        return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    quick = jo.LBFGS(valley, maxiter=60).run(jnp.zeros(4))
    simplex = jo.projection.projection_simplex
    within = jo.ProjectedGradient(valley, simplex, maxiter=50).run(jnp.ones(4) / 4)
    return numbers(quick.params, within.params)


@program
def evosax():
    import jax
    import jax.numpy as jnp
    from evosax.algorithms import CMA_ES, PGPE

    best = []
    for Algorithm in (CMA_ES, PGPE):
        search = Algorithm(population_size=16, solution=jnp.zeros(4))
        parameters, k = search.default_params, key()
        state = search.init(k, jnp.zeros(4), parameters)
        for i in range(5):
            k = jax.random.fold_in(k, i)
            x, state = search.ask(k, state, parameters)
            losses = jnp.sum((x - 1) ** 2, -1)
            state, _ = search.tell(k, x, losses, state, parameters)
            best.append(losses.min())
    return numbers(*best)


@program
def ott():
    import jax
    from ott.geometry import pointcloud
    from ott.solvers import linear

    x = jax.random.normal(key(), (30, 2))

    def cost(x):
        return linear.solve(pointcloud.PointCloud(x, x * 0.5 + 1, epsilon=0.1)).reg_ot_cost

    return numbers(*jax.value_and_grad(cost)(x))


# ---- simulation and games


@program
def gymnax():
    import gymnax as gym
    import jax

    def rewards(name):
        env, parameters = gym.make(name)

        def roll(k):
            def step(carry, k):
                observed, state = carry
                action = env.action_space(parameters).sample(k)
                observed, state, reward = env.step(k, state, action, parameters)[:3]
                return (observed, state), reward

            return jax.lax.scan(step, env.reset(k, parameters), jax.random.split(k, 50))[1].sum()

        return jax.jit(jax.vmap(roll))(jax.random.split(key(), 16))

    names = ("CartPole-v1", "Pendulum-v1", "Breakout-MinAtar", "Catch-bsuite", "Acrobot-v1")
    return numbers(*map(rewards, names))


@program(rtol=1e-3)
def brax():
    import jax
    import jax.numpy as jnp
    from brax import envs

    env = envs.get_environment("ant", backend="positional")
    state = jax.jit(env.reset)(key())
    step = jax.jit(env.step)
    rewards = []
    for i in range(5):
        state = step(state, jnp.sin(jnp.arange(env.action_size) + i))
        rewards.append(state.reward)
    return numbers(*rewards)


@program
def mctx():
    import jax
    import jax.numpy as jnp
    import mctx as mc

    def step(parameters, k, action, embedding):
        embedding = embedding + action[:, None]
        output = mc.RecurrentFnOutput(
            reward=jnp.sin(embedding[:, 0]),
            discount=jnp.full(embedding.shape[0], 0.9),
            prior_logits=jnp.cos(embedding + jnp.arange(3.0)),
            value=embedding[:, 0] * 0.1,
        )
        return output, embedding

    root = mc.RootFnOutput(
        prior_logits=jnp.zeros((4, 3)), value=jnp.zeros(4), embedding=jnp.arange(4.0)[:, None]
    )
    found = jax.jit(lambda k: mc.muzero_policy(None, k, root, step, num_simulations=12))(key())
    gumbel = mc.gumbel_muzero_policy(None, key(), root, step, num_simulations=8)
    return numbers(found.action, found.action_weights, gumbel.action)


@program
def jax_cfd():
    import jax
    import jax.numpy as jnp
    import jax_cfd.base as cfd
    import numpy as np

    grid = cfd.grids.Grid((32, 32), domain=((0, 2 * np.pi), (0, 2 * np.pi)))
    velocity = cfd.initial_conditions.filtered_velocity_field(key(), grid, 3, 2)
    step = cfd.equations.semi_implicit_navier_stokes(grid=grid, viscosity=1e-2, dt=0.01, density=1.0)
    velocity = jax.jit(cfd.funcutils.repeated(step, steps=10))(velocity)
    return numbers(*(jnp.abs(component.data) for component in velocity))


@program
def dinosaur():
    import jax
    from dinosaur import spherical_harmonic

    grid = spherical_harmonic.Grid.T21()
    modal = grid.to_modal(jax.random.normal(key(), grid.nodal_shape))
    return numbers(modal, grid.to_nodal(grid.laplacian(modal) * 0.01))


# ---- running both


def child(name, path):
    """Runs one program, and writes its numbers, or why its library is not there."""
    function, _ = PROGRAMS[name]
    try:
        answer = {"numbers": function()}
    except (ImportError, ModuleNotFoundError) as error:
        answer = {"missing": str(error)}
    with open(path, "w", encoding="utf-8") as out:
        json.dump(answer, out)


def run(name, platforms, environment):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "answer.json")
        done = subprocess.run(
            [sys.executable, os.path.abspath(__file__), "--child", path, name],
            env={**os.environ, **environment, "JAX_PLATFORMS": platforms},
            capture_output=True,
            text=True,
            check=False,
        )
        if not os.path.exists(path):
            last = done.stderr.strip().splitlines()[-1:] or [f"status {done.returncode}"]
            return {"failed": last[0]}
        with open(path, encoding="utf-8") as answer:
            return json.load(answer)


def difference(ours, theirs, rtol):
    """Why two lists of numbers do not agree; empty if they do."""
    if len(ours) != len(theirs):
        return f"{len(ours)} numbers, not {len(theirs)}"
    largest = max(map(abs, theirs))
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if not abs(a - b) <= rtol * largest and not (a != a and b != b):
            return f"number {i} is {a:g}, and {b:g} on JAX's CPU backend"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin", help="libtess_pjrt.so; without it the installed package's")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if options.child:
        child(options.names[0], options.child)
        return
    environment = {
        "TESSERA_DEVICES": "8",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=8",
    }
    if options.plugin:
        build = os.path.dirname(os.path.abspath(options.plugin))
        environment["TESSERA_PJRT"] = os.path.abspath(options.plugin)
        environment["TESSERA_LIBRARY"] = os.path.join(build, "libtessera.so")
        paths = [os.path.join(HERE, "..", "..", "..", "python"), os.environ.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    right = counted = 0
    for name in options.names or PROGRAMS:
        ours = run(name, "tessera,cpu", environment)
        theirs = run(name, "cpu", environment)
        if "numbers" not in theirs:
            print(f"{name}: not counted: {theirs.get('missing') or theirs['failed']}", flush=True)
            continue
        counted += 1
        why = (
            difference(ours["numbers"], theirs["numbers"], PROGRAMS[name][1])
            if "numbers" in ours
            else next(iter(ours.values()))
        )
        right += not why
        print(f"{name}: {why or 'as on JAX CPU'}", flush=True)
    print(f"{right} of {counted}")
    sys.exit(right < counted)


if __name__ == "__main__":
    main()
