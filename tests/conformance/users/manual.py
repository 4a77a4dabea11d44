"""shard_map: results are sharded as it says, lint has no objection, ragged exchanges are counted."""
# MUST result: P…'data'
# MUST lint: 0 findings
# MUST ragged: 1 collective of ragged_all_to_all
import jax
import jax.numpy as jnp
import numpy as np
import tessera
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def placed(*spec):
    return NamedSharding(mesh, P(*spec))


import functools

x = jax.ShapeDtypeStruct((1024, 1024), jnp.float32, sharding=placed("data"))
double = jax.shard_map(lambda x: x * 2, mesh=mesh, in_specs=P("data"), out_specs=P("data"))
program = tessera.load(jax.jit(double), x)
print("result:", program.specs[1])
print("lint:", len(program.lint()), "findings")

line = jax.make_mesh((8,), ("e",), axis_types=(jax.sharding.AxisType.Auto,))


@jax.jit
@functools.partial(
    jax.shard_map, mesh=line, in_specs=(P("e"),) * 6, out_specs=P("e"), check_vma=False
)
def exchanged(operand, out, starts, sizes, places, received):
    return jax.lax.ragged_all_to_all(
        operand, out, starts, sizes, places, received, axis_name="e"
    )


numbers = np.tile(np.arange(8), 8).astype("i")
ones = np.ones(64, "i")
given = (np.ones((64, 4), "f"), np.zeros((64, 4), "f"), numbers, ones, numbers, ones)
rows = tessera.load(exchanged, *given).report()["collectives"]
print(f"ragged: {len(rows)} collective of {rows[0]['op']}")
