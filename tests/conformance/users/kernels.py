"""Pallas kernels: interpreted ones run; those for TPUs are reported, and refused with a reason."""
# MUST interpreted: True
# MUST peak: 2097152
# MUST run: …@tpu_custom_call is not supported
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


from jax.experimental import pallas as pl


def kernel(x, o):
    o[...] = x[...] * 2


def called(interpret):
    def f(x):
        kind = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return pl.pallas_call(kernel, out_shape=kind, interpret=interpret)(x)

    return f


def mapped(interpret, mesh):
    f = called(interpret)
    return jax.jit(
        jax.shard_map(f, mesh=mesh, in_specs=P("data"), out_specs=P("data"), check_vma=False)
    )


x = np.random.default_rng(0).normal(size=(16, 128)).astype("f")
print("interpreted:", np.array_equal(tessera.load(mapped(True, mesh), x).run(x), 2 * x))
kinds = (jax.sharding.AxisType.Auto,) * 2
shape = jax.sharding.AbstractMesh((4, 2), ("data", "model"), axis_types=kinds)
struct = jax.ShapeDtypeStruct((1024, 1024), jnp.float32, sharding=NamedSharding(shape, P("data")))
lowered = mapped(False, shape).trace(struct).lower(lowering_platforms=("tpu",))
program = tessera.load(lowered)
print("peak:", program.report("v5p")["memory"]["peak"])
try:
    program.run(np.ones((1024, 1024), "f"))
except tessera.Error as error:
    print("run:", str(error).splitlines()[0])
