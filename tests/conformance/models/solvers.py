"""Programs of libraries that solve, sample and simulate."""

from judge import model


@model("diffrax", "equinox")
def diffrax(place):
    """The gradient of a neural differential equation, with its error checks."""
    import diffrax as dx
    import equinox as eqx
    import jax
    import numpy as np

    field = eqx.nn.MLP(4, 4, 16, 1, key=jax.random.key(0))
    starts = jax.device_put(np.linspace(-1, 1, 32, dtype="f").reshape(8, 4), place("data"))

    @eqx.filter_jit
    @eqx.filter_value_and_grad
    def loss(field, starts):
        def solve(y):
            term = dx.ODETerm(lambda t, y, args: field(y))
            end = dx.diffeqsolve(term, dx.Tsit5(), 0.0, 1.0, 0.1, y, max_steps=64)
            return end.ys[-1]

        return (jax.vmap(solve)(starts) ** 2).mean()

    return loss, lambda: (field, starts)


@model("lineax")
def lineax(place):
    import jax
    import lineax as lx
    import numpy as np

    rng = np.random.default_rng(0)
    a = rng.normal(size=(8, 6, 6)).astype("f") + 6 * np.eye(6, dtype="f")
    b = jax.device_put(rng.normal(size=(8, 6)).astype("f"), place("data"))

    @jax.jit
    def solve(a, b):
        return jax.vmap(
            lambda a, b: lx.linear_solve(lx.MatrixLinearOperator(a), b, lx.LU()).value
        )(a, b)

    return solve, lambda: (jax.device_put(a, place("data")), b)


@model("optimistix")
def optimistix(place):
    import jax
    import numpy as np
    import optimistix as ox

    targets = jax.device_put(np.linspace(1, 4, 8, dtype="f"), place("data"))

    @jax.jit
    def roots(targets):
        def root(target):
            solver = ox.Newton(rtol=1e-5, atol=1e-5)
            return ox.root_find(lambda y, t: y**3 - t, solver, target, target).value

        return jax.vmap(root)(targets)

    return roots, lambda: (targets,)


@model("jaxopt")
def jaxopt(place):
    import jax
    import jaxopt as jo
    import numpy as np

    rng = np.random.default_rng(0)
    x = jax.device_put(rng.normal(size=(32, 4)).astype("f"), place("data"))
    y = jax.device_put(rng.normal(size=(32,)).astype("f"), place("data"))

    @jax.jit
    def fit(start, x, y):
        solver = jo.GradientDescent(
            lambda w, x, y: ((x @ w - y) ** 2).mean(), maxiter=20, stepsize=0.1, acceleration=False
        )
        return solver.run(start, x=x, y=y).params

    return fit, lambda: (np.zeros(4, "f"), x, y)


@model("numpyro")
def numpyro(place):
    """A step of the No-U-Turn sampler."""
    import jax
    import numpy as np
    import numpyro as npy
    import numpyro.distributions as dist
    from numpyro.infer import NUTS

    x = jax.device_put(np.linspace(-1, 1, 16, dtype="f"), place("data"))
    y = jax.device_put(np.linspace(-2, 3, 16, dtype="f"), place("data"))

    def regression(x, y):
        slope = npy.sample("slope", dist.Normal(0.0, 2.0))
        noise = npy.sample("noise", dist.HalfNormal(1.0))
        npy.sample("y", dist.Normal(slope * x, noise), obs=y)

    kernel = NUTS(regression, max_tree_depth=4)
    state = kernel.init(jax.random.PRNGKey(0), 0, None, model_args=(x, y), model_kwargs={})

    @jax.jit
    def step(state, x, y):
        return kernel.sample(state, (x, y), {})

    return step, lambda: (state, x, y)


@model("distrax")
def distrax(place):
    import distrax as dx
    import jax
    import numpy as np

    x = jax.device_put(np.linspace(-1, 1, 64, dtype="f").reshape(16, 4), place("data"))

    @jax.jit
    def loss(shift, scale, x, key):
        flow = dx.Transformed(
            dx.MultivariateNormalDiag(jax.numpy.zeros(4), jax.numpy.ones(4)),
            dx.Block(dx.Chain([dx.ScalarAffine(shift, scale), dx.Tanh()]), 1),
        )
        return flow.log_prob(x * 0.5).mean(), flow.sample(seed=key, sample_shape=(8,))

    return loss, lambda: (np.zeros(4, "f"), np.ones(4, "f"), x, jax.random.key(0))


@model("blackjax")
def blackjax(place):
    """Chains of Hamiltonian Monte Carlo, one after the other on each device."""
    import blackjax as bj
    import jax
    import numpy as np

    sampler = bj.hmc(
        lambda q: -0.5 * (q**2).sum(), step_size=0.1, inverse_mass_matrix=np.ones(4, "f"),
        num_integration_steps=5,
    )
    starts = jax.device_put(np.linspace(-1, 1, 32, dtype="f").reshape(8, 4), place("data"))

    @jax.jit
    def run(keys, starts):
        def chain(key, start):
            def step(state, key):
                state, _ = sampler.step(key, state)
                return state, state.position

            return jax.lax.scan(step, sampler.init(start), jax.random.split(key, 4))[1]

        return jax.vmap(chain)(keys, starts)

    return run, lambda: (jax.random.split(jax.random.key(0), 8), starts)


XML = """
<mujoco><worldbody>
  <geom type="plane" size="5 5 0.1"/>
  <body pos="0 0 1"><freejoint/><geom type="sphere" size="0.2"/></body>
  <body pos="1 0 1"><joint type="hinge" axis="0 1 0"/><geom type="capsule" size="0.1 0.4"/></body>
</worldbody></mujoco>
"""


@model("mujoco.mjx")
def mjx(place):
    import jax
    import mujoco
    import numpy as np
    from mujoco import mjx as mx

    m = jax.device_put(mx.put_model(mujoco.MjModel.from_xml_string(XML)), place())
    speeds = jax.device_put(np.linspace(-1, 1, 8, dtype="f"), place("data"))

    @jax.jit
    def step(m, speeds):
        def world(speed):
            data = mx.make_data(m)
            return mx.step(m, data.replace(qvel=data.qvel.at[0].set(speed))).qpos

        return jax.vmap(world)(speeds)

    return step, lambda: (m, speeds)


@model("brax")
def brax(place):
    import jax
    import numpy as np
    from brax.generalized import pipeline
    from brax.io import mjcf

    system = mjcf.loads(XML.replace('<geom type="plane" size="5 5 0.1"/>', ""))
    speeds = jax.device_put(np.linspace(-1, 1, 8, dtype="f"), place("data"))

    @jax.jit
    def step(speeds):
        def world(speed):
            qd = jax.numpy.zeros(system.qd_size()).at[0].set(speed)
            state = pipeline.init(system, system.init_q, qd)
            return pipeline.step(system, state, jax.numpy.zeros(system.act_size())).q

        return jax.vmap(world)(speeds)

    return step, lambda: (speeds,)
