"""random_mesh.py: chooses a mesh and shardings for a program that has none, as options of `tess run`."""

import random

MESHES = (
    {"x": 2},
    {"x": 3},
    {"x": 4},
    {"x": 2, "y": 2},
    {"x": 2, "y": 3},
    {"x": 4, "y": 2},
)
UNEVEN = 0.3  # of the programs have dimensions that their axes do not divide
LIKELY = {"in": 0.8, "out": 0.3}  # that an argument or a result is sharded


def sharding(chance, shape, mesh, uneven):
    """Axes of each dimension, in random order; [] everywhere if none fits."""
    dims = [[] for _ in shape]
    sizes = [1] * len(shape)
    for axis in chance.sample(list(mesh), len(mesh)):
        d = chance.randrange(len(shape))
        size = sizes[d] * mesh[axis]
        if chance.random() < 0.8 and shape[d] >= size and (uneven or shape[d] % size == 0):
            dims[d].append(axis)
            sizes[d] = size
    return dims


def options_for(name, values, seed):
    """Options, the same for each program and seed; [] if there is nothing to shard.

    `values` are the program's arrays, in0... and out0...
    """
    chance = random.Random(f"{name} {seed}")
    mesh = chance.choice(MESHES)
    uneven = chance.random() < UNEVEN
    options = []
    for key, array in values.items():
        side = key.rstrip("0123456789")
        if not array.shape or chance.random() > LIKELY[side]:
            continue
        dims = sharding(chance, array.shape, mesh, uneven)
        if any(dims):
            axes = ("{" + ", ".join(f'"{a}"' for a in d) + "}" for d in dims)
            where = f"{key[len(side) :]}=[{', '.join(axes)}]"
            options += ["--arg" if side == "in" else "--result", where]
    if not options:
        return []
    return ["--mesh", ",".join(f"{axis}={size}" for axis, size in mesh.items()), *options]
