"""Programs of libraries for searches, Gaussian processes, transport, equivariant networks and others."""

import os

from judge import model

os.environ.setdefault("KERAS_BACKEND", "jax")


def rows(place, n, width, seed=0):
    import jax
    import numpy as np

    values = np.random.default_rng(seed).normal(size=(n, width)).astype("f")
    return jax.device_put(values, place("data"))


@model("mctx", rtol=2e-2)
def mctx(place):
    """Monte Carlo tree search with a policy that is a product of matrices.  It divides by the spread of values
    that are almost the same: one bit of the states changes the weights of actions by 3e-3 in JAX, too."""
    import jax
    import jax.numpy as jnp
    import mctx as mc

    weights = rows(lambda *_: None, 8, 4, 1)

    @jax.jit
    def search(weights, states, key):
        def answer(state):
            return state @ weights, jnp.tanh(state.sum(-1))

        def step(weights, key, action, state):
            state = jnp.roll(state, 1, -1) + action[:, None] * 0.1
            logits, value = answer(state)
            ones = jnp.ones_like(value)
            out = mc.RecurrentFnOutput(
                reward=value * 0.1, discount=ones * 0.9, prior_logits=logits, value=value
            )
            return out, state

        logits, value = answer(states)
        root = mc.RootFnOutput(prior_logits=logits, value=value, embedding=states)
        found = mc.gumbel_muzero_policy(weights, key, root, step, num_simulations=8)
        return found.action, found.action_weights

    return search, lambda: (weights, rows(place, 16, 8), jax.random.key(3))


@model("e3nn_jax")
def e3nn(place):
    """Spherical harmonics and tensor products of edges, their gradient as forces."""
    import e3nn_jax as e3
    import jax
    import numpy as np

    weights = np.random.default_rng(2).normal(size=(4, 9)).astype("f")

    @jax.jit
    def forces(weights, positions):
        def energy(positions):
            edges = positions[:, None] - positions[None] + 1e-3
            waves = e3.spherical_harmonics([0, 1, 2], e3.IrrepsArray("1o", edges), True)
            both = e3.tensor_square(e3.mean(waves, axis=1))
            scalars = both.filter("0e").array
            return (jax.numpy.tanh(scalars @ weights[: scalars.shape[-1], :1]) ** 2).sum()

        return jax.value_and_grad(energy)(positions)

    return forces, lambda: (weights, rows(place, 16, 3))


@model("ott")
def ott(place):
    """Optimal transport between clouds, and its gradient."""
    import jax
    from ott.geometry import pointcloud
    from ott.solvers import linear

    @jax.jit
    def moved(x, y):
        def cost(x):
            cloud = pointcloud.PointCloud(x, y, epsilon=0.1)
            return linear.solve(cloud, max_iterations=50).reg_ot_cost

        return jax.value_and_grad(cost)(x)

    return moved, lambda: (rows(place, 16, 2), rows(place, 24, 2, 1))


@model("tinygp")
def tinygp(place):
    import jax
    import jax.numpy as jnp
    import tinygp as gp

    @jax.jit
    def likelihood(scale, x, y):
        def loss(scale):
            kernel = jnp.exp(scale[0]) * gp.kernels.Matern32(jnp.exp(scale[1]))
            return -gp.GaussianProcess(kernel, x, diag=0.1).log_probability(y)

        return jax.value_and_grad(loss)(scale)

    return likelihood, lambda: (jnp.zeros(2), rows(place, 16, 1)[:, 0], rows(place, 16, 1, 1)[:, 0])


@model("flowjax", "equinox")
def flowjax(place):
    """A normalizing flow, trained."""
    import equinox as eqx
    import jax
    from flowjax.distributions import Normal
    from flowjax.flows import masked_autoregressive_flow
    from jax import numpy as jnp

    flow = masked_autoregressive_flow(
        jax.random.key(0), base_dist=Normal(jnp.zeros(4)), nn_width=8, flow_layers=2
    )

    @eqx.filter_jit
    def loss(flow, x):
        return eqx.filter_value_and_grad(lambda f: -f.log_prob(x).mean())(flow)

    return loss, lambda: (flow, rows(place, 16, 4))


@model("dynamax")
def dynamax(place):
    """Expectations of a hidden Markov model for a batch of sequences."""
    import jax
    from dynamax.hidden_markov_model import GaussianHMM

    hmm = GaussianHMM(3, 2)
    params, _ = hmm.initialize(jax.random.key(0))

    @jax.jit
    def smoothed(params, sequences):
        return jax.vmap(lambda s: hmm.smoother(params, s).smoothed_probs)(sequences)

    return smoothed, lambda: (params, rows(place, 16, 10).reshape(16, 5, 2))


@model("rlax", "optax")
def rlax(place):
    """A step of Q-learning with double estimators and lambda returns."""
    import jax
    import jax.numpy as jnp
    import rlax as rl

    @jax.jit
    def step(weights, x, actions):
        def loss(weights):
            q = x @ weights
            errors = jax.vmap(rl.double_q_learning)(
                q[:-1], actions[:-1], jnp.ones(15), jnp.full(15, 0.9), q[1:], q[1:]
            )
            returns = rl.lambda_returns(q[:-1, 0], jnp.full(15, 0.9), q[1:, 1], 0.8)
            return rl.l2_loss(errors).mean() + rl.huber_loss(returns).mean()

        return jax.value_and_grad(loss)(weights)

    weights = rows(lambda *_: place(), 8, 4, 1)
    return step, lambda: (weights, rows(place, 16, 8), jnp.arange(16) % 4)


@model("evosax")
def evosax(place):
    """A generation of an evolution strategy."""
    import jax
    import jax.numpy as jnp
    from evosax.algorithms import CMA_ES

    strategy = CMA_ES(population_size=16, solution=jnp.zeros(6))
    start = strategy.init(jax.random.key(0), jnp.zeros(6), strategy.default_params)

    @jax.jit
    def generation(state, key, rows):
        population, state = strategy.ask(key, state, strategy.default_params)
        fitness = ((population - rows) ** 2).sum(-1)
        state, metrics = strategy.tell(key, population, fitness, state, strategy.default_params)
        return state, population, fitness

    return generation, lambda: (start, jax.random.key(1), rows(place, 16, 6))


@model("keras")
def keras(place):
    """A Keras model on JAX, called without state."""
    import jax
    import keras as ks
    import numpy as np

    ks.utils.set_random_seed(0)
    network = ks.Sequential(
        [
            ks.layers.Input((8, 8, 3)),
            ks.layers.Conv2D(8, 3, activation="relu"),
            ks.layers.BatchNormalization(),
            ks.layers.GlobalAveragePooling2D(),
            ks.layers.Dense(4),
        ]
    )
    network(np.zeros((1, 8, 8, 3), "f"))
    trained = [v.value for v in network.trainable_variables]
    other = [v.value for v in network.non_trainable_variables]

    @jax.jit
    def step(trained, other, x):
        def loss(trained):
            out, after = network.stateless_call(trained, other, x, training=True)
            return (out**2).mean(), after

        return jax.value_and_grad(loss, has_aux=True)(trained)

    def images():
        return jax.device_put(rows(lambda *_: None, 16, 192).reshape(16, 8, 8, 3), place("data"))

    return step, lambda: (trained, other, images())
