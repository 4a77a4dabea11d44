#!/usr/bin/env python3
"""Checks that programs written by jax.export compute what `exported.call` computes.

    PYTHON-WITH-JAX tests/conformance/bytecode/exports.py --tess build/tess [NAME...]

Each program below is exported for 8 CPU devices and sometimes other platforms, serialized,
deserialized by JAX, and called there.  Its bytes are then

- loaded by the Python package and run with the same arguments: `python`;
- written to a file that `tess run FILE --platform cpu` runs on the same arrays: `tess run`.

Programs with symbolic shapes are called with several sizes.  Prints what differs, and
'WAY: N passed, N failed'."""

import argparse
import collections
import os
import subprocess
import sys
import tempfile

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import export, lax  # noqa: E402
from jax.sharding import NamedSharding, PartitionSpec as P  # noqa: E402

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")  # names without folders
f32 = jnp.float32
programs = {}


class Program:
    """A function, what it is exported for, and the arguments it is called with."""

    def __init__(self, function, spec, calls, platforms=("cpu",), vjp=0, disabled=()):
        self.function, self.spec, self.calls = function, spec, calls
        self.platforms, self.vjp, self.disabled = platforms, vjp, disabled


def program(**how):
    """Registers a function without arguments that returns (function, calls[, spec])."""

    def add(make):
        programs[make.__name__] = (make, how)
        return make

    return add


def made(name):
    make, how = programs[name]
    function, calls, *spec = make()
    return Program(function, spec[0] if spec else calls[0], calls, **how)


def numbers(*shape, seed=0, dtype=np.float32):
    """Different and not round, and the same on each machine."""
    values = np.random.default_rng(seed).standard_normal(shape)
    return (values * 4).astype(dtype) if np.issubdtype(dtype, np.integer) else values.astype(dtype)


def mesh(**axes):
    return jax.make_mesh(
        tuple(axes.values()), tuple(axes), axis_types=(jax.sharding.AxisType.Auto,) * len(axes)
    )


def sharded(m, value, *spec):
    return jax.device_put(value, NamedSharding(m, P(*spec)))


def symbolic(text, *sizes, constraints=()):
    """A shape of each text for each size that is given: ((b, 3), (2*b,))."""
    scope = export.SymbolicScope(constraints)
    return [jax.ShapeDtypeStruct(export.symbolic_shape(t, scope=scope), f32) for t in text]


# ---- plain programs and their trees


@program()
def scalar():
    return lambda x: x * 2 + 1, [(np.float32(3),), (np.float32(-0.5),)]


@program()
def tree():
    def f(p, q, *, scale):
        return {"sum": p["w"] @ q[0] * scale, "rest": [q[1], None, (p["b"], p["w"].sum())]}

    args = ({"w": numbers(4, 3), "b": numbers(3)}, (numbers(3, 2), numbers(5)))
    return lambda p, q: f(p, q, scale=2.0), [args]


@program()
def keywords():
    return lambda x, *, y, z=None: (x + y["a"], z), [((numbers(4),), {"y": {"a": numbers(4)}})]


@program()
def unused_arguments():
    return lambda a, b, c: a + c.sum(), [(numbers(2), numbers(7), numbers(3, 3))]


@program()
def constants():
    table = jnp.asarray(numbers(16, 16))
    return lambda x: x @ table + table[0], [(numbers(4, 16),)]


@program()
def integers():
    def f(x, y):
        return x // y, lax.rem(x, y), x << 2, lax.population_count(x), x > y

    return f, [(numbers(9, dtype=np.int32) + 3, numbers(9, seed=1, dtype=np.int32) ** 2 + 1)]


@program()
def half_precision():
    def f(x, y):
        return jnp.dot(x, y, preferred_element_type=f32), x * 3

    return f, [(numbers(4, 8).astype(jnp.bfloat16), numbers(8, 2).astype(jnp.bfloat16))]


@program()
def complex_numbers():
    return lambda x: jnp.fft.fft(x).conj() * x, [((numbers(8) + 1j * numbers(8, seed=1)),)]


@program()
def random_key():
    def f(key):
        a, b = jax.random.split(key)
        return jax.random.normal(a, (3,)), jax.random.bits(b, (4,), "uint32")

    return f, [(jax.random.PRNGKey(7),)]


@program()
def typed_key():
    return lambda key: (jax.random.uniform(key, (5,)), jax.random.fold_in(key, 2)), [
        (jax.random.key(3),)
    ]


@program()
def loops():
    def f(x):
        y, ys = lax.scan(lambda c, v: (c * 0.5 + v, c.sum()), x[0], x)
        return lax.while_loop(lambda s: s[1] < 5, lambda s: (s[0] * 1.1, s[1] + 1), (y, 0)), ys

    return f, [(numbers(6, 3),)]


@program()
def branches():
    def f(i, x):
        return lax.switch(i, [jnp.sin, jnp.cos, lambda v: v * 2], x), lax.cond(i > 0, abs, jnp.exp, x)

    return f, [(np.int32(i), numbers(4)) for i in range(3)]


@program()
def sorting():
    return lambda x: (jnp.sort(x), jnp.argsort(-x), lax.top_k(x, 3)), [(numbers(4, 9),)]


@program()
def gathers():
    def f(x, i):
        return x[i], x.at[i].add(1.0), jnp.take_along_axis(x, i[:, None], axis=1)

    return f, [(numbers(6, 5), np.array([0, 3, 3, 1, 2, 4], np.int32))]


@program()
def convolution():
    def f(x, k):
        return lax.conv_general_dilated(
            x, k, (1, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=2
        )

    return f, [(numbers(2, 6, 6, 4), numbers(3, 3, 2, 6))]


@program()
def factors():
    def f(x):
        s = x @ x.T + 4 * jnp.eye(4)
        return jnp.linalg.cholesky(s), jnp.linalg.solve(s, x), jnp.linalg.qr(x)[1]

    return f, [(numbers(4, 4),)]


# ---- platforms


@program(platforms=("tpu", "cpu"))
def platforms_two():
    def f(x):
        return lax.platform_dependent(x, cpu=lambda v: v + 1, default=lambda v: v * 2)

    return f, [(numbers(4),)]


@program(platforms=("cuda", "rocm", "tpu", "cpu"))
def platforms_four():
    def f(x, y):
        z = lax.platform_dependent(x, cpu=jnp.sin, tpu=jnp.cos, default=jnp.tan)
        return {"z": z @ y, "y": lax.platform_dependent(y, tpu=jnp.exp, default=lambda v: v)}

    return f, [(numbers(3, 4), numbers(4, 2))]


@program(platforms=("cuda", "cpu"))
def platforms_nested():
    @jax.jit
    def inner(x):
        return lax.platform_dependent(x, cpu=lambda v: v - 1, default=lambda v: v * 5)

    return lambda x: lax.scan(lambda c, v: (inner(c) + v, inner(v)), x[0], x), [(numbers(5, 2),)]


# ---- shardings


@program()
def sharded_matmul():
    m = mesh(x=2, y=4)
    args = sharded(m, numbers(8, 16), "x", "y"), sharded(m, numbers(16, 4), "y", None)
    return lambda a, b: jnp.tanh(a @ b), [args]


@program()
def sharded_results():
    m = mesh(x=8)

    def f(a):
        b = lax.with_sharding_constraint(a.T, NamedSharding(m, P(None, "x")))
        return jax.nn.softmax(b, axis=0), b.sum()

    return jax.jit(f, out_shardings=(NamedSharding(m, P("x")), None)), [
        (sharded(m, numbers(16, 8), "x"),)
    ]


@program()
def sharded_manual():
    m = mesh(x=4, y=2)

    def local(a, b):
        return lax.psum(a @ b, "x"), lax.all_gather(a, "y", tiled=True)

    f = jax.shard_map(
        local, mesh=m, in_specs=(P("y", "x"), P("x", None)), out_specs=(P("y", None), P(None, "x")),
        check_vma=False,
    )
    return f, [(sharded(m, numbers(4, 8), "y", "x"), sharded(m, numbers(8, 2), "x", None))]


@program(platforms=("tpu", "cpu"))
def sharded_platforms():
    m = mesh(x=2, y=4)

    def f(a):
        return lax.platform_dependent(a, cpu=lambda v: v.sum(0), default=lambda v: v.max(0))

    return f, [(sharded(m, numbers(8, 8), ("x", "y"), None),)]


# ---- symbolic shapes


@program()
def symbolic_batch():
    spec = symbolic(("b, 3",))
    return lambda x: (x - x.mean(0)) / (1 + x.std(0)), [(numbers(b, 3),) for b in (1, 2, 7)], spec


@program()
def symbolic_two():
    spec = symbolic(("b, n", "n, 2"))
    calls = [(numbers(b, n), numbers(n, 2)) for b, n in ((2, 3), (5, 1))]
    return lambda x, y: jnp.concatenate([x @ y, x[:, :1] @ y[:1]], axis=0), calls, spec


@program()
def symbolic_sums():
    spec = symbolic(("2*b", "b + 1"), constraints=("b >= 2",))

    def f(x, y):
        return x.reshape(2, -1).sum(0), jnp.pad(y, (1, 0)), x.shape[0] * jnp.ones(())

    return f, [(numbers(2 * b), numbers(b + 1)) for b in (2, 4)], spec


@program()
def symbolic_arange():
    spec = symbolic(("b, 4",))

    def f(x):
        i = jnp.arange(x.shape[0])
        return jnp.where(i[:, None] % 2 == 0, x, 0), x[::-1], jnp.cumsum(x, axis=0), i

    return f, [(numbers(b, 4),) for b in (3, 6)], spec


@program(platforms=("tpu", "cpu"))
def symbolic_platforms():
    spec = symbolic(("b",))

    def f(x):
        return lax.platform_dependent(x, cpu=lambda v: v * 2, default=lambda v: v + 1)

    return f, [(numbers(b),) for b in (1, 8)], spec


@program()
def symbolic_attention():
    spec = symbolic(("b, s, 8",)) * 3

    def f(q, k, v):
        scores = jnp.einsum("bsd,btd->bst", q, k) / 8**0.5
        mask = jnp.tril(jnp.ones((q.shape[1], q.shape[1]), bool))
        return jax.nn.softmax(jnp.where(mask, scores, -1e9)) @ v

    calls = [tuple(numbers(b, s, 8, seed=i) for i in range(3)) for b, s in ((1, 4), (3, 5))]
    return f, calls, spec


# ---- symbolic shapes on a mesh


def symbolic_on(m, *values):
    """The shapes of ("4*b, 16", P("x", None)), ..., sharded."""
    shapes = symbolic([text for text, _ in values])
    return [
        jax.ShapeDtypeStruct(shape.shape, f32, sharding=NamedSharding(m, spec))
        for shape, (_, spec) in zip(shapes, values)
    ]


@program()
def symbolic_sharded():
    m = mesh(x=4, y=2)
    spec = symbolic_on(m, ("4*b, 16", P("x", None)), ("16, 8", P(None, "y")))

    def f(x, w):
        y = jnp.tanh(x @ w)
        return y.sum(0), y, jnp.arange(x.shape[0])

    f = jax.jit(f, out_shardings=(NamedSharding(m, P("y")), NamedSharding(m, P("x", "y")), None))
    w = sharded(m, numbers(16, 8), None, "y")
    return f, [(sharded(m, numbers(4 * b, 16), "x", None), w) for b in (1, 3)], spec


@program()
def symbolic_sharded_attention():
    m = mesh(data=2, model=4)
    spec = symbolic_on(m, *[("2*b, s, 16", P("data", None, "model"))] * 3)

    def f(q, k, v):
        heads = lambda t: t.reshape(t.shape[0], t.shape[1], 4, 4).transpose(0, 2, 1, 3)
        q, k, v = map(heads, (q, k, v))
        q = lax.with_sharding_constraint(q, NamedSharding(m, P("data", "model")))
        mask = jnp.tril(jnp.ones((q.shape[2], q.shape[2]), bool))
        scores = jnp.where(mask, jnp.einsum("bhsd,bhtd->bhst", q, k) / 2, -1e9)
        return jax.nn.softmax(scores) @ v

    def call(b, s):
        return tuple(
            sharded(m, numbers(2 * b, s, 16, seed=i), "data", None, "model") for i in range(3)
        )

    return f, [call(1, 3), call(2, 5)], spec


@program()
def symbolic_sharded_gradient():
    m = mesh(x=8)
    spec = symbolic_on(m, ("8*b, 4", P("x")), ("4, 4", P()))

    def f(x, w):
        step = lambda h, _: (jnp.tanh(h @ w), None)
        return jax.value_and_grad(lambda w: (lax.scan(step, x, None, length=3)[0] ** 2).mean())(w)

    w = sharded(m, numbers(4, 4))
    return f, [(sharded(m, numbers(8 * b, 4), "x"), w) for b in (1, 2)], spec


@program()
def symbolic_sharded_manual():
    m = mesh(x=4, y=2)
    spec = symbolic_on(m, ("4*b, 6", P("x", "y")))
    f = jax.shard_map(
        lambda a: (lax.psum(a * a, "y"), lax.psum(a.sum(0), "x")),
        mesh=m, in_specs=P("x", "y"), out_specs=(P("x", None), P("y")),
    )
    return f, [(sharded(m, numbers(4 * b, 6), "x", "y"),) for b in (1, 3)], spec


@program(vjp=1)
def vjp_symbolic_sharded():
    m = mesh(x=4, y=2)
    spec = symbolic_on(m, ("4*b, 6", P("x", None)), ("6, 2", P(None, "y")))
    w = sharded(m, numbers(6, 2), None, "y")
    f = lambda x, w: jnp.sin(x @ w).sum(1)
    return f, [(sharded(m, numbers(4 * b, 6), "x", None), w) for b in (2, 1)], spec


# ---- derivatives


def loss(p, x):
    h = jnp.tanh(x @ p["w"] + p["b"])
    return (h**2).mean()


@program()
def gradient():
    p = {"w": numbers(3, 4), "b": numbers(4)}
    return jax.value_and_grad(loss), [(p, numbers(5, 3))]


@program(vjp=1)
def vjp_one():
    return loss, [({"w": numbers(3, 4), "b": numbers(4)}, numbers(5, 3))]


@program(vjp=2)
def vjp_two():
    return lambda x: jnp.sin(x) * x**2, [(numbers(5),)]


@program(vjp=1)
def vjp_symbolic():
    return lambda x: jnp.exp(-x).sum(axis=1), [(numbers(b, 3),) for b in (2, 5)], symbolic(("b, 3",))


@program(vjp=1)
def vjp_sharded():
    m = mesh(x=8)
    args = sharded(m, numbers(8, 4), "x"), sharded(m, numbers(4, 3))
    return lambda a, b: jnp.tanh(a @ b).sum(0), [args]


# ---- the judge


def split(call):
    """(args, kwargs)"""
    keyword = len(call) == 2 and isinstance(call[0], tuple) and isinstance(call[1], dict)
    return call if keyword else (tuple(call), {})


def is_key(value):
    return jax.dtypes.issubdtype(getattr(value, "dtype", np.float32), jax.dtypes.prng_key)


def arrays(tree):
    """The leaves as NumPy arrays; typed keys as the integers in them."""
    leaves = jax.tree_util.tree_leaves(tree)
    return [np.asarray(jax.random.key_data(v) if is_key(v) else v) for v in leaves]


def problem(got, wanted):
    if len(got) != len(wanted):
        return f"{len(got)} results, not {len(wanted)}"
    for i, (g, w) in enumerate(zip(got, wanted)):
        if g.shape != w.shape or g.dtype != w.dtype:
            return f"result {i} is {g.dtype}{list(g.shape)}, not {w.dtype}{list(w.shape)}"
        exact = not np.issubdtype(w.dtype, np.inexact) and w.dtype != jnp.bfloat16
        g, w = (v.astype(np.float32) if v.dtype == jnp.bfloat16 else v for v in (g, w))
        far = g != w if exact else ~np.isclose(g, w, rtol=2e-4, atol=2e-5, equal_nan=True)
        if far.any():
            return f"result {i}: {g[far][:3]}, not {w[far][:3]}"
    return ""


def by_python(data, args, kwargs, wanted):
    import tessera

    try:
        results = tessera.load(bytes(data)).run(*args, **kwargs)
    except Exception as error:  # whatever the package raises
        return f"{type(error).__name__}: {error}"
    tree, theirs = map(jax.tree_util.tree_structure, (results, wanted))
    return f"the tree {tree}, not {theirs}" if tree != theirs else problem(arrays(results), arrays(wanted))


def inputs_of(exported, args, kwargs):
    leaves = arrays((args, kwargs))
    return {f"in{i}": raw(leaves[k]) for i, k in enumerate(exported.module_kept_var_idx)}


def by_command(tess, exported, data, args, kwargs, wanted):
    """The inputs of the program are the leaves that it uses."""
    with tempfile.TemporaryDirectory() as folder:
        path, inputs, outputs = (os.path.join(folder, n) for n in ("a.jax_export", "in.npz", "out.npz"))
        with open(path, "wb") as file:
            file.write(data)
        np.savez(inputs, **inputs_of(exported, args, kwargs))
        command = [*tess, "run", path, "--platform", "cpu", "--inputs", inputs, "--outputs", outputs]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return done.stderr.strip()[:400]
        found = np.load(outputs)
        got = [found[k] for k in sorted(found, key=lambda k: int("".join(filter(str.isdigit, k))))]
    wanted = arrays(wanted)
    return problem([as_bfloat(g, w) for g, w in zip(got, wanted)] + got[len(wanted) :], wanted)


def raw(value):
    """NumPy's files have no bfloat16."""
    return value.view("V2") if value.dtype == jnp.bfloat16 else value


def as_bfloat(value, wanted):
    return value.view(jnp.bfloat16) if wanted.dtype == jnp.bfloat16 else value


def exports_of(made_program):
    """[(what, exported, bytes)]: the program, and the derivatives that are in the file, alone."""
    spec, keywords = split(made_program.spec)
    function = made_program.function
    jitted = function if hasattr(function, "lower") else jax.jit(function)
    exported = export.export(
        jitted, platforms=made_program.platforms, disabled_checks=made_program.disabled
    )(*spec, **keywords)
    found = [("", exported, exported.serialize(vjp_order=made_program.vjp))]
    for order in range(made_program.vjp):
        exported = exported.vjp()
        found.append((f" vjp {order + 1}", exported, exported.serialize()))
    return found


def cotangents(args, kwargs, results):
    """The arguments of a derivative: those of the function, and something for each result."""
    leaves = jax.tree_util.tree_leaves((args, kwargs))
    return (*leaves, *(numbers(*v.shape, seed=9) for v in jax.tree_util.tree_leaves(results))), {}


def keep(folder, name):
    """Writes the artifact, and with the arguments of the first call what JAX returns."""
    os.makedirs(folder, exist_ok=True)
    p = made(name)
    args, kwargs = split(p.calls[0])
    for i, (_, exported, data) in enumerate(exports_of(p)):
        results = exported.call(*args, **kwargs)
        path = os.path.join(folder, f"{name}{i or ''}")
        with open(path + ".jax_export", "wb") as file:
            file.write(data)
        given = inputs_of(exported, args, kwargs)
        np.savez(path + ".npz", **given, **{f"out{k}": raw(v) for k, v in enumerate(arrays(results))})
        if p.vjp:
            args, kwargs = cotangents(args, kwargs, results)


def judge(name, tess):
    """[(way, '' or what is wrong)]"""
    p = made(name)
    for call in p.calls:
        args, kwargs = split(call)
        for what, exported, data in exports_of(p):
            wanted = export.deserialize(data).call(*args, **kwargs)
            yield "python", by_python(data, args, kwargs, wanted), what
            yield "tess run", by_command(tess, exported, data, args, kwargs, wanted), what
            if p.vjp:
                args, kwargs = cotangents(args, kwargs, wanted)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--keep", metavar="FOLDER", help="write the artifacts there, and arguments with results")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    passed, failed = collections.Counter(), collections.Counter()
    for name in arguments.names or programs:
        if arguments.keep:
            keep(arguments.keep, name)
        wrong = collections.defaultdict(list)
        for way, why, what in judge(name, arguments.tess.split()):
            wrong[way] += [what + " " + why] if why else []
            wrong[way]
        for way, whys in wrong.items():
            (failed if whys else passed)[way] += 1
            for why in whys[:2]:
                print(f"{name}: {way}:{why[:500]}", flush=True)
    for way in ("python", "tess run"):
        print(f"{way}: {passed[way]} passed, {failed[way]} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
