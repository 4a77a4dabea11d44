"""equinox: its own jit, its error checks, and places in the user's code."""
# NEEDS equinox
# MUST names: network.layers[0].weight
# MUST line: wrappers.py:
# MUST run: True
# MUST check passes: True
# MUST check fails: …negative
# MUST page: <iframe srcdoc=
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


import equinox as eqx

network = eqx.nn.MLP(8, 8, 16, 1, key=jax.random.key(0))
x = jax.device_put(np.ones((8, 8), "f"), placed("data"))


@eqx.filter_jit
def total(network, x):
    return (jax.vmap(network)(x) ** 2).sum()


program = tessera.load(total, network, x)
print("names:", program.table()[0]["source"])
print("line:", program.report()["collectives"][0]["source"])
print("run:", np.allclose(program.run(network, x), total(network, x), rtol=1e-4))


@jax.jit
def checked(x):
    return eqx.error_if(x, x.sum() < 0, "negative") * 2


program = tessera.load(checked, x)
print("check passes:", bool((program.run(np.asarray(x)) == 2).all()))
try:
    program.run(-np.asarray(x))
except tessera.Error as error:
    print("check fails:", next(line for line in str(error).splitlines() if "negative" in line))
print("page:", program.report()._repr_html_()[:15].lower())
