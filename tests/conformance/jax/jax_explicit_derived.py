#!/usr/bin/env python3
"""Writes cases of random numbers, linear algebra and derivatives for jax_explicit_generate.py --values.

jax_explicit_derived.py >CASES.jsonl; jax_explicit_generate.py --values CASES.jsonl >jax_explicit_derived.jsonl
"""

import json

MESH = {"axes": [["X", 4], ["Y", 2]], "types": ["Explicit", "Explicit"]}
cases = []


def case(category, op, operands, params, mesh=MESH):
    cases.append(
        {
            "id": f"d{len(cases):04}",
            "category": category,
            "op": op,
            "operands": operands,
            "params": params,
            "mesh": mesh,
            "result": None,
            "error": None,
            "error_type": None,
        }
    )


# ---- random numbers: the same bits ------------------------------------------------

for op, p in [
    ("uniform", {}),
    ("uniform", {"minval": -2, "maxval": 3}),
    ("normal", {}),
    ("gumbel", {}),
    ("truncated_normal", {}),
    ("exponential", {}),
    ("bernoulli", {}),
    ("bits", {}),
    ("randint", {"minval": 0, "maxval": 10}),
    ("randint", {"minval": -100, "maxval": 1000003}),
]:
    for shape, spec in [([8, 4], ["X", "Y"]), ([8, 3], ["X"]), ([5], None), ([], None)]:
        more = {"out_sharding": {"spec": spec}} if spec and op != "bits" else {}
        case(
            "random",
            "program",
            [],
            {
                "body": [
                    ["random.key", [], {"seed": 11}],
                    ["random." + op, [0], dict(p, shape=shape, **more)],
                ]
            },
        )
for op in ("uniform", "normal"):
    case(
        "random",
        "program",
        [],
        {
            "body": [
                ["random.key", [], {"seed": 3}],
                ["random." + op, [0], {"shape": [16], "dtype": "bfloat16"}],
            ]
        },
    )
case(
    "random",
    "program",
    [],
    {
        "body": [
            ["random.key", [], {"seed": 2147483647}],
            ["random.split", [0], {"num": 4}],
            ["vmap", [1], {"body": [["random.normal", [0], {"shape": [3]}]]}],
        ]
    },
)
case(
    "random",
    "program",
    [],
    {
        "body": [
            ["random.key", [], {"seed": 5}],
            ["random.fold_in", [0], {"data": 77}],
            ["random.uniform", [1], {"shape": [6]}],
        ]
    },
)
case(
    "random",
    "program",
    [],
    {"body": [["random.key", [], {"seed": 5}], ["random.permutation", [0], {"x": 40}]]},
)
case(
    "random",
    "program",
    ["float32[6,3]"],
    {"body": [["random.key", [], {"seed": 5}], ["random.permutation", [1, 0]]]},
)
case(
    "random",
    "program",
    ["float32[24]"],
    {"body": [["random.key", [], {"seed": 5}], ["random.permutation", [1, 0]]]},
)
case(
    "random",
    "program",
    ["float32[24]"],
    {"body": [["random.key", [], {"seed": 6}], ["random.choice", [1, 0], {"shape": [5, 2]}]]},
)
for spec in ("8@X,5", "8,6@Y"):
    case(
        "random",
        "program",
        [f"float32[{spec}]"],
        {"body": [["random.key", [], {"seed": 6}], ["random.categorical", [1, 0]]]},
    )

# ---- linear algebra: from factors what does not depend on their signs -----------------


class Body:
    """Steps of a program; each call gives the number of its first result."""

    def __init__(self, n_args):
        self.steps, self.n = [], n_args

    def __call__(self, op, *operands, results=1, **params):
        self.steps.append([op, list(operands), params])
        self.n += results
        return self.n - results


def spd(b):
    """x xᵀ + 3"""
    return b("jnp.add", b("jnp.matmul", 0, b("jnp.swapaxes", 0, axis1=-1, axis2=-2)), shift(b))


def shift(b):
    return b("jnp.multiply", b("jnp.eye", n=4), {"lit": 3.0})


def shifted(b):
    return b("jnp.add", 0, shift(b))


def cholesky(b):
    return b("lax.linalg.cholesky", spd(b))


def inverse(b):
    return b("jnp.linalg.inv", shifted(b))


def det(b):
    return b("jnp.linalg.det", shifted(b))


def solve(b):
    return b("jnp.linalg.solve", shifted(b), 0)


def eigenvalues(b):
    return b("lax.log", b("lax.linalg.eigh", spd(b), results=2) + 1)


def separated(b):
    """x + xᵀ + diag(0, 8, 16, 24): no two eigenvalues are close, so that f32 knows the eigenvectors"""
    steps = b("jnp.diag", b("jnp.multiply", b("jnp.arange", stop=4), {"lit": 8.0}))
    return b("jnp.add", b("jnp.add", 0, b("jnp.swapaxes", 0, axis1=-1, axis2=-2)), steps)


def eigenvectors(b):
    v = b("lax.linalg.eigh", separated(b), results=2)
    return b("jnp.matmul", b("jnp.multiply", v, v), 0)


def singular_values(b):
    return b("lax.log", b("lax.linalg.svd", shifted(b), results=3, full_matrices=False) + 1)


def singular_vectors(b):
    u = b("lax.linalg.svd", shifted(b), results=3, full_matrices=False)
    return b("jnp.matmul", b("jnp.multiply", u, u), b("jnp.multiply", u + 2, u + 2))


def orthogonal(b):
    q = b("lax.linalg.qr", shifted(b), results=2, full_matrices=False)
    return b("jnp.matmul", b("jnp.multiply", q, q), b("jnp.multiply", q + 1, q + 1))


def triangular(**form):
    return lambda b: b("lax.linalg.triangular_solve", shifted(b), 0, **form)


PROGRAMS = {
    "cholesky": cholesky,
    "inv": inverse,
    "det": det,
    "solve": solve,
    "eigenvalues": eigenvalues,
    "eigh": eigenvectors,
    "singular values": singular_values,
    "svd": singular_vectors,
    "qr": orthogonal,
    "lower": triangular(left_side=True, lower=True),
    "upper turned": triangular(left_side=True, lower=False, transpose_a=True),
    "right": triangular(left_side=False, lower=True),
    "right unit": triangular(left_side=False, lower=False, unit_diagonal=True, transpose_a=True),
}
for name, write in PROGRAMS.items():
    for operand in ("float32[4,4]", "float32[3,4,4]", "float32[8@X,4,4]"):
        b = Body(1)
        out = write(b)
        case("linalg " + name, "program", [operand], {"body": b.steps})
        b("jnp.sum", b("jnp.multiply", out, out))
        if (name, operand) != ("eigh", "float32[8@X,4,4]"):  # at the end
            case("grad linalg " + name, "grad", [operand], {"body": b.steps})
for operand in ("float32[6,4]", "float32[4,6]"):
    for full in (True, False):
        b = Body(1)
        q = b("lax.linalg.qr", 0, results=2, full_matrices=full)
        b("jnp.matmul", q, q + 1)
        case("linalg shapes", "program", [operand], {"body": b.steps})
        b = Body(1)
        b("lax.log", b("lax.linalg.svd", 0, results=3, full_matrices=full) + 1)
        case("linalg shapes", "program", [operand], {"body": b.steps})
for operand in ("float32[5,5]", "float32[8@X,4,4]", "float32[6,4]", "float32[4,6]"):
    case("linalg lu", "program", [operand], {"body": [["lax.linalg.lu", [0]]]})

# ---- derivatives: of the sum of the squares of an operation ----------------------------

CONV = {"window_strides": [1], "padding": "SAME", "dimension_numbers": ["NWC", "WIO", "NWC"]}
CONV2 = {
    "window_strides": [2, 1],
    "padding": "VALID",
    "dimension_numbers": ["NCHW", "OIHW", "NCHW"],
}
POOL = {"window": [1, 3], "strides": [1, 2], "padding": "SAME"}
STEPS = [
    ("conv", ["float32[8@X,6,2]", "float32[3,2,4]"], "lax.conv_general_dilated", CONV),
    (
        "conv",
        ["float32[8@X,6,2]", "float32[3,2,4]"],
        "lax.conv_general_dilated",
        dict(CONV, window_strides=[2]),
    ),
    ("conv", ["float32[4,2,6,5]", "float32[3,2,2,3]"], "lax.conv_general_dilated", CONV2),
    ("sort", ["float32[8@X,5]"], "lax.sort", {"dimension": 1}),
    ("sort", ["float32[8@X,5]"], "jnp.sort", {"axis": -1}),
    ("sort", ["float32[5,8@X]"], "lax.sort", {"dimension": 0}),
    ("top_k", ["float32[8@X,6]"], "lax.top_k", {"k": 2}),
    ("window", ["float32[8@X,7]"], "lax.reduce_window", dict(POOL, computation="add")),
    ("window", ["float32[8@X,7]"], "lax.reduce_window", dict(POOL, computation="max")),
    (
        "window",
        ["float32[8@X,7]"],
        "lax.reduce_window",
        dict(POOL, computation="min", padding="VALID"),
    ),
    (
        "window",
        ["float32[6,7]"],
        "lax.reduce_window",
        {"window": [2, 3], "strides": [2, 2], "padding": "VALID", "computation": "max"},
    ),
    ("cumulative", ["float32[8@X,5]"], "lax.cumsum", {"axis": 1}),
    ("cumulative", ["float32[8@X,5]"], "lax.cumsum", {"axis": 1, "reverse": True}),
    ("cumulative", ["float32[8@X,5]"], "lax.cumprod", {"axis": 1}),
    ("cumulative", ["float32[8@X,5]"], "lax.cumprod", {"axis": 1, "reverse": True}),
    ("cumulative", ["float32[8@X,5]"], "lax.cummax", {"axis": 1}),
    ("cumulative", ["float32[8@X,5]"], "lax.cumlogsumexp", {"axis": 1}),
    ("cumulative", ["float32[5,8@X]"], "lax.associative_scan", {"axis": 0}),
    ("reduce", ["float32[8@X,5]"], "jnp.prod", {"axis": 1}),
    ("reduce", ["float32[8@X,4]"], "jnp.prod", {}),
    ("reduce", ["float32[8@X,4]"], "jnp.median", {"axis": 1}),
    ("reduce", ["float32[8@X,5]"], "jnp.std", {"axis": 1}),
    ("reduce", ["float32[8@X,5]"], "jnp.linalg.norm", {"axis": 1}),
    ("reduce", ["float32[8@X,4@Y]"], "nn.logsumexp", {"axis": 0}),
    ("gather", ["float32[8@X,6]", "int32[3]"], "jnp.take", {"axis": 1}),
    ("gather", ["float32[6,4@Y]", "int32[3]"], "jnp.take", {"axis": 0}),
    ("gather", ["float32[8@X,6]", "int32[8@X,2]"], "jnp.take_along_axis", {"axis": 1}),
    ("gather", ["float32[6,4]", "int32[5]"], "index", {"index": [{"arg": 1}]}),
    (
        "scatter",
        ["float32[6,4@Y]", "int32[3]", "float32[3,4@Y]"],
        "at.add",
        {"index": [{"arg": 1}]},
    ),
    ("scatter", ["float32[6,4]", "float32[4]"], "at.set", {"index": [2]}),
    (
        "scatter",
        ["float32[8@X]", "int32[8@X]"],
        "ops.segment_sum",
        {"num_segments": 4, "out_sharding": {"spec": []}},
    ),
    (
        "slices",
        ["float32[8,4@Y]", "int32[]", "int32[]"],
        "lax.dynamic_slice",
        {"slice_sizes": [3, 4]},
    ),
    (
        "slices",
        ["float32[8,4@Y]", "float32[3,4@Y]", "int32[]", "int32[]"],
        "lax.dynamic_update_slice",
        {},
    ),
    ("shapes", ["float32[8@X,5]"], "jnp.roll", {"shift": 2, "axis": 1}),
    ("shapes", ["float32[4,3]"], "jnp.tile", {"reps": [2, 3]}),
    ("shapes", ["float32[4,3]"], "jnp.repeat", {"repeats": 3, "axis": 1}),
    ("shapes", ["float32[8@X,4]"], "jnp.triu", {}),
    ("shapes", ["float32[4,4]"], "jnp.tril", {"k": -1}),
    ("shapes", ["float32[4,4]"], "jnp.diagonal", {}),
    ("shapes", ["float32[4]"], "jnp.diag", {}),
    ("shapes", ["float32[4,4]"], "jnp.trace", {}),
    ("shapes", ["float32[8@X,4]"], "jnp.pad", {"pad_width": [[0, 0], [1, 2]], "mode": "edge"}),
    ("shapes", ["float32[8@X,4]"], "lax.pad1", {"padding_config": [[0, 0, 0], [1, 2, 1]]}),
    (
        "shapes",
        ["float32[8@X,6]"],
        "lax.slice",
        {"start_indices": [0, 1], "limit_indices": [8, 6], "strides": [1, 2]},
    ),
    ("elements", ["float32[8@X,4]"], "lax.cbrt", {}),
    ("elements", ["float32[8@X,4]"], "lax.integer_pow", {"y": 3}),
    ("elements", ["float32[8@X,4]"], "lax.tan", {}),
    ("elements", ["float32[8@X,4]", "float32[8@X,4]"], "lax.rem", {}),
    ("elements", ["float32[8@X,4]", "float32[8@X,4]"], "lax.atan2", {}),
    ("elements", ["float32[8@X,4]", "float32[8@X,4]"], "lax.pow", {}),
]


def floats(operands):
    return [i for i, o in enumerate(operands) if o.startswith("float")]


for category, operands, op, p in STEPS:
    n = len(operands)
    body = [
        [op, list(range(n)), p],
        ["jnp.multiply", [n, n]],
        ["jnp.sum", [n + 2 if op == "lax.top_k" else n + 1]],
    ]
    case("grad " + category, "grad", operands, {"argnums": floats(operands), "body": body})
case(
    "grad twice",
    "grad",
    ["float32[8@X,5]"],
    {
        "body": [
            ["grad", [0], {"body": [["lax.cumprod", [0], {"axis": 1}], ["jnp.sum", [1]]]}],
            ["jnp.multiply", [1, 1]],
            ["jnp.sum", [2]],
        ]
    },
)

# ---- vmap of shard_map ---------------------------------------------------------------

SHARED = [["lax.psum", [0], {"axes": ["X"]}], ["lax.mul", [0, 1]]]
ROWS = {"in_specs": {"spec": ["X"]}, "out_specs": {"spec": ["X"]}}
REGION = ["shard_map", [0], dict(ROWS, body=SHARED)]
PAIR = [
    "shard_map",
    [0, 1],
    dict(
        ROWS,
        in_specs=[{"spec": ["X"]}, {"spec": ["X"]}],
        body=[["lax.mul", [0, 1]], ["lax.psum", [2], {"axes": ["X"]}], ["lax.add", [0, 3]]],
    ),
]
for operand, more in (
    ("float32[3,8@X]", {}),
    ("float32[2@Y,8@X]", {}),
    ("float32[8@X,3]", {"in_axes": 1, "out_axes": 1}),
):
    case("vmap shard_map", "vmap", [operand], dict(more, body=[REGION]))
case(
    "vmap shard_map",
    "vmap",
    ["float32[3,8@X]", "float32[8@X]"],
    {"in_axes": [0, None], "body": [PAIR]},
)
case(
    "vmap shard_map",
    "vmap",
    ["float32[8@X]", "float32[2@Y,8@X]"],
    {"in_axes": [None, 0], "body": [PAIR]},
)
case(
    "vmap shard_map",
    "grad",
    ["float32[3,8@X]"],
    {"body": [["vmap", [0], {"body": [REGION]}], ["jnp.multiply", [1, 0]], ["jnp.sum", [2]]]},
)

# ---- later cases: those before keep their numbers ----------------------------------------

b = Body(1)
squares = eigenvectors(b)
b("jnp.sum", b("jnp.multiply", squares, squares))
case("grad linalg eigh", "grad", ["float32[8@X,4,4]"], {"body": b.steps})

for operands in (
    ["float32[8@X,4]", "float32[8@X,4]"],
    ["float32[8@X,4]", "float32[]"],
    ["float32[]", "float32[8@X]"],
    ["int32[8@X]", "float32[8@X]"],
    ["bfloat16[8]", "float32[8]"],
    ["bfloat16[8@X]", "int32[8@X]"],
):
    swapped = ["lax.neg", [1]]  # the second operand of the other sign
    case("copysign", "program", operands, {"body": [swapped, ["jnp.copysign", [0, 2]]]})
case("copysign", "program", ["complex64[8]", "float32[8]"], {"body": [["jnp.copysign", [0, 1]]]})
for operand in ("float32[8@X,4]", "int32[8]", "bfloat16[8]"):
    case("copysign", "program", [operand], {"body": [["lax.neg", [0]], ["jnp.signbit", [1]]]})
for operand in ("bool[8]", "uint8[8]"):
    case("copysign", "program", [operand], {"body": [["jnp.signbit", [0]]]})
case(
    "copysign",
    "grad",
    ["float32[8@X]", "float32[8@X]"],
    {"body": [["jnp.copysign", [0, 1]], ["jnp.multiply", [2, 2]], ["jnp.sum", [3]]]},
)

# ---- collectives along the dimension of a vmap ---------------------------------------------


def named(operands, body, name="i", **more):
    case("vmap axis_name", "vmap", operands, dict(more, axis_name=name, body=body))


def along(op, *operands, over="i", **more):
    return ["lax." + op, list(operands), dict(more, axes=list(over))]


SHIFT = [[0, 1], [1, 2], [2, 3], [3, 0]]
MIXED = [[0, 2], [2, 1], [1, 3], [3, 0]]
for operand in ("float32[4,3]", "float32[4@X,6@Y]"):
    for op in ("psum", "pmean", "pmax", "pmin"):
        named([operand], [along(op, 0), ["lax.sub", [0, 1]]])
for operand in ("int32[4,3]", "bool[4,3]", "bfloat16[4,3]", "complex64[4,3]"):
    named([operand], [along("psum", 0)])
    named([operand], [along("pmean", 0)])
for op in ("pmax", "pmin"):
    named(["int32[4,3]"], [along(op, 0)])
    named(["bool[4,3]"], [along(op, 0)])
for op in ("psum", "pmean", "pmax"):  # an operand that is not mapped; a result that is not
    named(["float32[4,3]", "float32[3]"], [along(op, 1), ["lax.mul", [0, 2]]], in_axes=[0, None])
    named(["float32[4,3]"], [along(op, 0)], out_axes=None)
named(["float32[3,4]"], [along("psum", 0), ["lax.mul", [0, 1]]], in_axes=1, out_axes=1)
named(["float32[4]"], [along("psum", 0)])
for operand in ("float32[4,3]", "float32[4@X,3]", "float32[4,3,2@Y]"):
    for axis in (0, 1, -1):
        named([operand], [along("all_gather", 0, axis=axis)])
    named([operand], [along("all_gather", 0, axis=0, tiled=True)])
named(["float32[4,3,2]"], [along("all_gather", 0, axis=1, tiled=True)])
named(["float32[4,3,2]"], [along("all_gather", 0, axis=-1, tiled=True)])
named(["float32[4]"], [along("all_gather", 0)], out_axes=None)
named(["float32[4,3]", "float32[2]"], [along("all_gather", 1)], in_axes=[0, None])
for operand in ("float32[4,3]", "float32[4@X,2@Y]", "int32[4]"):
    named([operand], [along("ppermute", 0, perm=SHIFT)])
    named([operand], [along("ppermute", 0, perm=MIXED)])
named(["float32[4,3]", "float32[2]"], [along("ppermute", 1, perm=SHIFT)], in_axes=[0, None])
for operand in ("float32[4,4,3]", "float32[4@X,4,2@Y]"):
    for split, join in ((0, 0), (0, 1)):
        named([operand], [along("all_to_all", 0, split_axis=split, concat_axis=join)])
        tiled = {"split_axis": split, "concat_axis": join, "tiled": True}
        named([operand], [along("all_to_all", 0, **tiled)])
tiled = {"split_axis": 1, "concat_axis": 0, "tiled": True}
named(["float32[4,3,8]"], [along("all_to_all", 0, **tiled)])
named(["float32[4,3,4]"], [along("all_to_all", 0, split_axis=1, concat_axis=0)])
for operand, dim in (("float32[4,4]", 0), ("float32[4@X,4]", 0), ("float32[4,3,4]", 1)):
    named([operand], [along("psum_scatter", 0, scatter_dimension=dim)])
named(["float32[4,8,3]"], [along("psum_scatter", 0, scatter_dimension=0, tiled=True)])
named(["float32[4,3]", "float32[4]"], [along("psum_scatter", 1)], in_axes=[0, None])
for operand in ("float32[4]", "float32[4@X]", "float32[4,3]"):
    index = [along("axis_index"), ["jnp.add", [0, 1]]]
    named([operand], index)
    named([operand], [along("axis_size"), ["jnp.multiply", [0, 1]]])
    named([operand], [["lax.sin", [0]], along("axis_index"), ["jnp.multiply", [1, 2]]])

# two names, in either order and in one collective
for inner in (
    [along("psum", 0, over="ij")],
    [along("pmean", 0, over="ij"), ["lax.sub", [0, 1]]],
    [along("pmax", 0, over="i"), along("psum", 1, over="j")],
    [along("psum", 0, over="j"), along("pmin", 1, over="i")],
    [along("all_gather", 0, over="i"), along("psum", 1, over="j")],
    [along("all_gather", 0, over="i", axis=1)],
    [along("all_gather", 0, over="i", axis=-1, tiled=True)],
    [along("ppermute", 0, over="i", perm=SHIFT)],
    [along("psum", 0, over="i"), ["lax.mul", [0, 1]]],
    [along("psum_scatter", 0, over="i"), ["lax.sin", [1]]],
    [along("all_to_all", 0, over="i", split_axis=0, concat_axis=0)],
    [along("axis_index", over="i"), ["jnp.add", [0, 1]], along("psum", 2, over="j")],
):
    for operand in ("float32[4@X,2@Y,4]", "float32[4,2,4]"):
        named([operand], [["vmap", [0], {"axis_name": "j", "body": inner}]])
named(["float32[4,2,4]"], [["vmap", [0], {"axis_name": "i", "body": [along("psum", 0)]}]])

# in loops, branches, regions; the mapped dimension is not among what goes in
TURN = [along("pmean", 0), ["lax.sin", [1]]]
named(["float32[4,3]"], [["fori_loop", [0], {"trips": 3, "body": TURN}]])
named(
    ["float32[4,3]", "float32[3]"],
    [["fori_loop", [1], {"trips": 2, "body": [along("axis_index"), ["jnp.add", [0, 1]]]}]],
    in_axes=[0, None],
)
TURNS = {"true": [along("psum", 0)], "false": [["lax.sin", [0]]]}
named(["float32[4,3]", "bool[]"], [["cond", [1, 0], TURNS]], in_axes=[0, None])
named(["float32[4,3]", "bool[4]"], [["cond", [1, 0], TURNS]])
named(
    ["float32[3,8@X]"],
    [["shard_map", [0], dict(ROWS, body=[along("psum", 0), ["lax.mul", [0, 1]]])]],
)

# derivatives, inside and around
LOSSES = [
    [along("psum", 0), ["jnp.multiply", [1, 0]]],
    [["jnp.multiply", [0, 0]], along("psum", 1)],
    [["jnp.multiply", [0, 0]], along("pmean", 1)],
    [along("all_gather", 0), ["jnp.multiply", [1, 1]]],
    [along("ppermute", 0, perm=SHIFT), ["jnp.multiply", [1, 1]], ["jnp.multiply", [2, 0]]],
    [along("axis_index"), ["jnp.multiply", [0, 1]], ["lax.sin", [2]]],
    [along("psum_scatter", 0), ["jnp.multiply", [1, 1]]],
    [along("all_to_all", 0, split_axis=0, concat_axis=0), ["jnp.multiply", [1, 0]]],
    [along("pmax", 0), ["jnp.multiply", [1, 0]]],
]
for body in LOSSES:
    total = body + [["jnp.sum", [len(body)]]]
    for operand in ("float32[4,4]", "float32[4@X,4]"):
        named([operand], [["grad", [0], {"body": total}]])
        mapped = ["vmap", [0], {"axis_name": "i", "body": body}]
        case("vmap axis_name", "grad", [operand], {"body": [mapped, ["jnp.sum", [1]]]})
total = LOSSES[1] + [["jnp.sum", [2]]]
named(["float32[4,4]", "float32[4]"], [["grad", [1], {"body": total}]], in_axes=[0, None])
named(["float32[4,3]"], [["jacfwd", [0], {"body": LOSSES[1]}]])
named(["float32[4,3]"], [["jacrev", [0], {"body": LOSSES[1]}]])

# ---- what moves elements, and control flow, mapped; derivatives of some more --------------------


def mapped(operands, op, params=None, **more):
    body = [[op, list(range(len(operands))), params or {}]]
    case("vmap moves", "vmap", operands, dict(more, body=body))


LOOP = {"trips": 3, "body": [["lax.sin", [0]], ["lax.mul", [0, 1]]]}
TWICE = {
    "num_carry": 1,
    "num_xs": 1,
    "body": [["lax.add", [0, 1]], ["lax.sin", [2]]],
    "ret": [2, 3],
}
for rows in ("6", "4@X"):
    of = f"float32[{rows},8,5]"
    mapped([of], "lax.rev", {"dimensions": [1]})
    mapped([of], "jnp.flip", {"axis": 0})
    mapped([of, of], "jnp.stack", {"axis": 1})
    mapped([of, of], "jnp.stack", {"axis": -1})
    mapped([of], "jnp.split", {"indices_or_sections": 2, "axis": 0})
    mapped([of], "lax.split", {"sizes": [1, 4], "axis": 1})
    mapped([of], "jnp.unstack", {"axis": 1})
    mapped([of, f"int32[{rows},8,2]"], "jnp.take_along_axis", {"axis": 1})
    mapped([of], "lax.slice", {"start_indices": [2, 1], "limit_indices": [8, 4]})
    mapped([of], "lax.slice", {"start_indices": [0, 0], "limit_indices": [8, 5], "strides": [3, 2]})
    mapped([of], "lax.pad1", {"padding_config": [[1, 0, 2], [0, 3, 0]]})
    mapped([of], "lax.reshape", {"new_sizes": [40]})
    mapped([of], "lax.transpose", {"permutation": [1, 0]})
    mapped([of], "jnp.argmax", {})
    mapped([of], "jnp.argmin", {"axis": 1})
    mapped([of, f"int32[{rows}]", f"int32[{rows}]"], "lax.dynamic_slice", {"slice_sizes": [2, 5]})
    mapped([of, f"float32[{rows},2,5]", "int32[]", "int32[]"], "lax.dynamic_update_slice",
           in_axes=[0, 0, None, None])  # fmt: skip
    mapped([of], "while_loop", LOOP)
    mapped([of], "fori_loop", LOOP)
    mapped([f"float32[{rows},5]", f"float32[{rows},3,5]"], "scan", TWICE)
    mapped([f"float32[{rows},5]", "float32[3,5]"], "scan", TWICE, in_axes=[0, None])
    mapped([of], "remat", {"body": LOOP["body"]})
    mapped([of], "jit", {"body": LOOP["body"]})
mapped(["float32[8,6]"], "lax.rev", {"dimensions": [0]}, in_axes=1, out_axes=1)
mapped(["float32[8,6]", "float32[6]"], "jnp.stack", in_axes=[0, None])


def derived(operands, op, params=None, results=1, argnums=None):
    n = len(operands)
    body = [[op, list(range(n)), params or {}]]
    for i in range(results):
        body.append(["jnp.multiply", [n + i, n + i]])
    for i in range(results):
        body.append(["jnp.sum", [n + results + i]])
    last = n + 2 * results
    for i in range(1, results):
        body.append(["jnp.add", [last if i == 1 else last + results + i - 2, last + i]])
    case("grad more", "grad", operands, {"argnums": argnums or floats(operands), "body": body})


for op in ("lax.erf", "lax.erfc", "lax.erf_inv", "lax.lgamma", "lax.asinh", "lax.atanh"):
    halves = [
        ["lax.mul", [0, {"lit": 0.125}]],
        [op, [1]],
        ["jnp.multiply", [2, 2]],
        ["jnp.sum", [3]],
    ]
    case("grad more", "grad", ["float32[8@X,4]"], {"body": halves})
derived(["float32[8@X,4]"], "lax.reduce_precision", {"exponent_bits": 5, "mantissa_bits": 10})
derived(["float32[]", "float32[8@X]", "float32[]"], "lax.clamp", argnums=[1])
derived(["float32[8@X]", "float32[8@X]", "float32[8@X]"], "lax.clamp")
derived(["float32[8@X,4]", "float32[8@X,4]"], "jnp.stack", {"axis": 1})
derived(["float32[8@X,4]"], "jnp.unstack", {"axis": 1}, 4)
derived(["float32[8@X,4]"], "jnp.split", {"indices_or_sections": 2, "axis": 1}, 2)
derived(["float32[8@X,4]"], "lax.split", {"sizes": [1, 3], "axis": 1}, 2)

# ---- windows and convolutions with all that they can say -------------------------------------


def window(category, operands, op, params, mesh=MESH):
    """The operation and its derivative."""
    n = len(operands)
    case(category, "program", operands, {"body": [[op, list(range(n)), params]]}, mesh)
    body = [[op, list(range(n)), params], ["jnp.multiply", [n, n]], ["jnp.sum", [n + 1]]]
    case("grad " + category, "grad", operands, {"argnums": list(range(n)), "body": body}, mesh)


NWC = {"window_strides": [1], "dimension_numbers": ["NWC", "WIO", "NWC"]}
ROWS, KERNEL = "float32[8@X,7,4]", "float32[3,4,6]"
for more in (
    {"padding": [[1, 2]]},
    {"padding": [[-1, 1]]},
    {"padding": "SAME_LOWER", "window_strides": [2]},
    {"padding": "VALID", "rhs_dilation": [3]},
    {"padding": "SAME", "rhs_dilation": [2]},
    {"padding": [[1, 1]], "lhs_dilation": [2]},
    {"padding": [[2, 0]], "lhs_dilation": [3], "rhs_dilation": [2], "window_strides": [2]},
):
    window("conv", [ROWS, KERNEL], "lax.conv_general_dilated", {**NWC, **more})
# With Y in the mesh, which shards nothing here, XLA's partitioner adds up the derivatives of the
# kernel along Y, too.
LINE = {"axes": [["X", 4]], "types": ["Explicit"]}
for kernel, groups in (("float32[3,1,4]", 4), ("float32[3,1,8]", 4), ("float32[3,2,6]", 2)):
    grouped = dict(NWC, padding="SAME", feature_group_count=groups)
    window("conv", [ROWS, kernel], "lax.conv_general_dilated", grouped, LINE)
for kernel, groups in (("float32[3,4,6]", 2), ("float32[3,4,8]", 4)):
    grouped = dict(NWC, padding=[[1, 1]], batch_group_count=groups)
    window("conv", ["float32[8,7,4]", kernel], "lax.conv_general_dilated", grouped)
PLANES = ["float32[4@X,2,6,5]", "float32[4,2,2,3]"]
CHW = {"window_strides": [2, 1], "dimension_numbers": ["NCHW", "OIHW", "NHWC"]}
for more in (
    {"padding": [[0, 1], [2, -1]], "rhs_dilation": [2, 1]},
    {"padding": [[1, 1], [0, 3]], "lhs_dilation": [1, 2]},
    {"padding": "SAME_LOWER", "dimension_numbers": ["NCHW", "OIWH", "NCHW"]},
):
    window("conv", PLANES, "lax.conv_general_dilated", {**CHW, **more})
body = [["lax.conv_general_dilated", [0, 1], dict(NWC, padding="SAME", window_strides=[2])]]
case("conv", "program", ["float32[8,8@X,4]", KERNEL], {"body": body})
step = ["lax.conv_general_dilated", [0, 1], dict(NWC, padding="SAME", feature_group_count=2)]
case(
    "vmap conv",
    "vmap",
    ["float32[2@Y,8@X,7,4]", "float32[3,2,6]"],
    {"in_axes": [0, None], "body": [step]},
)
case(
    "vmap conv",
    "vmap",
    ["float32[8@X,7,4]", "float32[2,3,2,6]"],
    {"in_axes": [None, 0], "body": [step]},
)
spaced = {**POOL, "computation": "max", "padding": "SAME_LOWER", "window_dilation": [1, 2]}
case("window", "program", ["float32[8@X,7]"], {"body": [["lax.reduce_window", [0], spaced]]})
for how in ("add", "max", "min"):
    for more in (
        {"padding": [[0, 0], [1, 2]]},
        {"padding": "SAME_LOWER"},
        {"padding": [[0, 0], [2, 1]], "base_dilation": [1, 2], "strides": [1, 3]},
    ):
        window(
            "window", ["float32[8@X,7]"], "lax.reduce_window", {**POOL, "computation": how, **more}
        )

for c in cases:
    print(json.dumps(c))
