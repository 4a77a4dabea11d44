#!/usr/bin/env python3
"""Compares JAX programs on tessera's PJRT plugin with JAX's own CPU backend, in one process.

    on_tessera.py --plugin build/libtess_pjrt.so [--tests FOLDER [--files FILE,... | --sample]] [NAME...]

Each program runs on 8 devices of both.  Results must have equal values (up to rounding) and shardings.

With --tests, JAX's own test files in that folder (tests/ of its repository) are run on the plugin too.  A
test that fails is run again on JAX's CPU backend in the same setup, and counts only if it passes there.
on_tessera_failures.txt lists the tests that are known to fail, with the cause.  A failure that is not in
it is an error; so is a test in it that passes.  --sample runs 200 tests that JAX 0.10.2 to 0.11.2 all
have; none of them may fail.

One program needs a C++ compiler.  The Python that runs this needs jax, pytest, pytest-timeout,
pytest-xdist, absl-py and hypothesis.
"""

import argparse
import ctypes
import functools
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree

PROGRAMS = {}
FILES = (
    "array_test pjit_test shard_map_test lax_test nn_test python_callback_test linalg_test "
    "debugging_primitives_test lax_numpy_test lax_control_flow_test lax_autodiff_test "
    "random_lax_test fft_test export_test layout_test memories_test pmap_test multi_device_test"
).split()
HERE = os.path.dirname(os.path.abspath(__file__))


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def define():
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.experimental import io_callback
    from jax.sharding import Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P

    def mesh_of(devices, *axes):
        return Mesh(np.array(devices).reshape([n for _, n in axes]), [name for name, _ in axes])

    def put(devices, x, *spec, axes=(("x", 4), ("y", 2))):
        return jax.device_put(x, NamedSharding(mesh_of(devices, *axes), P(*spec)))

    ramp = np.arange(64, dtype=np.float32).reshape(8, 8) / 7

    @program
    def eager(d):
        with jax.default_device(d[3]):
            x = jnp.arange(12).reshape(3, 4)
            return x + 1, x.T @ x, jnp.sort(x, axis=1)[:, ::-1], (x > 3).sum()

    @program
    def products(d):
        a, b = put(d, ramp, "x", "y"), put(d, ramp, "y", None)
        return jax.jit(lambda a, b: (a @ b, jnp.einsum("ij,kj->ik", a, b).sum(0)))(a, b)

    @program
    def out_shardings(d):
        a = put(d, ramp, "x", "y")
        out = NamedSharding(a.sharding.mesh, P(None, ("y", "x")))
        return jax.jit(lambda a: jnp.sin(a), out_shardings=out)(a)

    @program
    def constraint(d):
        a = put(d, ramp, "x")
        to = NamedSharding(a.sharding.mesh, P("y", "x"))
        return jax.jit(lambda a: jax.lax.with_sharding_constraint(a * 2, to) + 1)(a)

    @program
    def training(d):
        w, x = put(d, ramp, None, "y"), put(d, ramp[:, ::-1], "x")

        def loss(w, x):
            return (jax.nn.gelu(x @ w) ** 2).mean()

        @functools.partial(jax.jit, donate_argnums=0)
        def step(w, x):
            return w - 0.1 * jax.grad(loss)(w, x)

        before = w
        for _ in range(3):
            w = step(w, x)
        assert before.is_deleted()
        return w, loss(w, x)

    @program
    def collectives(d):
        mesh = mesh_of(d, ("x", 8))

        def body(x):
            n = jax.lax.axis_index("x")
            return (
                jax.lax.psum(x, "x"),
                jax.lax.ppermute(x, "x", [(i, (i + 1) % 8) for i in range(8)]),
                jax.lax.psum_scatter(jnp.tile(x, (8, 1)), "x", tiled=True),
                jax.lax.all_gather(x, "x", tiled=True).sum(0, keepdims=True) + n,
            )

        spec = P("x")
        outs = (P(), spec, spec, spec)
        f = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=spec, out_specs=outs))
        return f(put(d, ramp, "x", axes=(("x", 8),)))

    @program
    def mapped(d):
        f = jax.pmap(lambda x: x - jax.lax.pmean(x, "i"), axis_name="i", devices=d)
        return np.asarray(f(ramp))

    @program
    def control(d):
        @jax.jit
        def f(x):
            y, s = jax.lax.scan(lambda c, a: (c + a, c * a), x[0], x)
            z = jax.lax.while_loop(lambda v: v.sum() < 1e4, lambda v: v * 2 + 1, y)
            return jax.lax.cond(z[0] > 5, lambda: z, lambda: y), s

        return f(put(d, ramp, "x"))

    @program
    def randoms(d):
        key = jax.device_put(jax.random.key(3), d[1])
        return (
            jax.random.normal(key, (5,)),
            jax.random.permutation(key, 10),
            jax.random.key_data(key),
        )

    @program
    def linear_algebra(d):
        a = jax.device_put(ramp @ ramp.T + 8 * np.eye(8, dtype=np.float32), d[2])
        q, r = jnp.linalg.qr(a)
        return (
            jnp.linalg.cholesky(a),
            jnp.linalg.solve(a, a[:, :2]),
            jnp.abs(q @ r),
            jnp.linalg.svd(a, compute_uv=False),
            jnp.linalg.eigvalsh(a),
        )

    @program
    def transforms(d):
        x = jax.device_put(ramp[0], d[0])
        return jnp.fft.rfft(x), jnp.fft.ifft(x.astype(jnp.complex64)), jnp.convolve(x, x)

    @program
    def types(d):
        x = jax.device_put(np.array([-2.5, 0, 1, 7], np.float32), d[0])
        kinds = "bfloat16 float16 int8 uint16 int4 uint4 bool float8_e4m3fn float8_e5m2".split()
        return [
            (x.astype(k) if k != "uint4" else abs(x).astype(k)).astype(jnp.float32) for k in kinds
        ]

    @program
    def callbacks(d):
        seen = []

        def look(x):
            seen.append(float(x.sum()))
            return np.cumsum(x).astype(np.float32)

        @jax.jit
        def f(x):
            shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
            y = jax.pure_callback(look, shape, x)
            jax.debug.callback(lambda v: seen.append(float(v)), y[0])
            return io_callback(look, shape, y * 2)

        y = f(jax.device_put(ramp[1], d[0]))
        jax.effects_barrier()
        return y, np.sort(np.array(seen))

    @program
    def callbacks_in_place(d):
        from jax.experimental.buffer_callback import buffer_callback

        def add_one(context, out, x):
            np.asarray(out)[...] = np.asarray(x) + 1

        def double(context, out, x):
            np.asarray(out)[...] *= 2

        x = jax.device_put(ramp[1], d[0])
        like = jax.ShapeDtypeStruct(x.shape, x.dtype)
        twice = buffer_callback(double, like, input_output_aliases={0: 0})
        return jax.jit(lambda x: twice(buffer_callback(add_one, like)(x)))(x)

    @program
    def callbacks_of_each_device(d):
        seen = set()
        a = put(d, ramp, "x", "y")

        def look(x):
            seen.add((x.shape, float(x.sum())))

        jax.jit(lambda a: jax.debug.callback(look, a, partitioned=True))(a)
        jax.effects_barrier()
        return np.array([s for _, s in sorted(seen)])

    @program
    def windows_partly_outside(d):
        x = jax.device_put(ramp[:, 1], d[0])
        dims = jax.lax.ScatterDimensionNumbers((1,), (), (0,))
        starts = np.array([[-1], [7], [3]])
        f = functools.partial(jax.lax.scatter_add, dimension_numbers=dims, mode="fill")
        return jax.jit(lambda x: f(x, starts, ramp[:3, 2:4]))(x)

    @program
    def callbacks_that_fail(d):
        def fail(x):
            raise ValueError("no such file")

        f = jax.jit(lambda x: jax.pure_callback(fail, jax.ShapeDtypeStruct((), np.float32), x))
        try:
            f(jax.device_put(ramp[1], d[0])).block_until_ready()
            told = False
        except Exception as e:
            told = "no such file" in str(e)
        jax.effects_barrier()  # the error was told, and is no error of what comes later
        return np.array(told)

    @program
    def interrupted(d):
        x = jax.device_put(np.full((600, 600), 1e-3, np.float32), d[0])
        f = jax.jit(lambda x: jax.lax.fori_loop(0, 300, lambda _, x: jnp.tanh(x @ x), x))
        y = f(x)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            try:
                y.block_until_ready()
            except RuntimeError:  # not this one, and KeyboardInterrupt in its handler
                time.sleep(1)
        except KeyboardInterrupt as e:
            return np.array(e.__context__ is None)
        return np.array(False)

    @program
    def partitioned_in_python(d):
        from jax.experimental.custom_partitioning import custom_partitioning

        @custom_partitioning
        def product(a, b):
            return a @ b, jnp.tanh(a @ b)

        def partition(mesh, arguments, results):
            def local(a, b):
                return a @ b, jnp.tanh(a @ b)

            shardings = [tuple(v.sharding for v in values) for values in (results, arguments)]
            return mesh, local, *shardings

        rule = "i k, k j -> i j, i j"
        product.def_partition(partition, sharding_rule=rule, need_replication_factors=("k",))
        a, b = put(d, ramp, "x"), put(d, ramp, None, "y")
        return jax.jit(lambda a, b: product(a, b + 1))(a, b)

    @program
    def handlers_of_others(d):
        handlers = compiled_handlers(jax.ffi.include_dir())
        for name in ("Rms", "AddOne"):
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(getattr(handlers, name)))
        handlers.CounterId.restype = handlers.CounterInfo.restype = ctypes.c_void_p
        counter = {"type_id": handlers.CounterId(), "type_info": handlers.CounterInfo()}
        kind = {key: jax.ffi.pycapsule(ctypes.c_void_p(p)) for key, p in counter.items()}
        jax.ffi.register_ffi_type("Counter", kind)
        stages = {"instantiate": handlers.Begin, "execute": handlers.Count}
        jax.ffi.register_ffi_target("Count", {k: jax.ffi.pycapsule(f) for k, f in stages.items()})
        number = jax.ShapeDtypeStruct((), np.int32)
        count = jax.jit(lambda: jax.ffi.ffi_call("Count", number, has_side_effect=True)())
        with jax.default_device(d[0]):
            counts = [int(count()) for _ in range(3)]

        def rms(x, eps):
            told = jax.ShapeDtypeStruct((3,), np.int32)
            call = jax.ffi.ffi_call("Rms", (jax.ShapeDtypeStruct(x.shape, x.dtype), told))
            axes, more = np.array([3, 7], np.int64), {"seed": np.int64(11)}
            return call(x, eps=np.float32(eps), mode="rows", axes=axes, more=more)

        def add_one(x):
            like = jax.ShapeDtypeStruct(x.shape, x.dtype)
            return jax.ffi.ffi_call("AddOne", like, input_output_aliases={0: 0})(x), x

        x = jax.device_put(ramp, d[1])
        try:
            jax.block_until_ready(jax.jit(lambda x: rms(x, -1))(x))
            why = "no error"
        except Exception as e:
            why = str(e)
        split = put(d, ramp, "x", axes=(("x", 8),))
        spec = P("x")
        each = jax.shard_map(
            lambda x: rms(x, 1e-3)[0], mesh=split.sharding.mesh, in_specs=spec, out_specs=spec
        )
        fails = np.array("eps must not be negative" in why)
        whole = jax.jit(lambda x: rms(x, 1e-3))(x)
        return whole, jax.jit(add_one)(x), fails, jax.jit(each)(split), np.array(counts)

    @program
    def moves(d):
        x = put(d, ramp, "x", "y")
        y = jax.device_put(x, NamedSharding(x.sharding.mesh, P("y")))
        z = jax.device_put(y, d[5])
        return y, z, jnp.array(z, copy=True)

    @program
    def host_memory(d):
        x = jax.device_put(ramp, d[1])
        y = jax.device_put(x, x.sharding.with_memory_kind("pinned_host"))
        assert y.sharding.memory_kind == "pinned_host"
        return jax.device_put(y, x.sharding) + 1

    @program
    def uncommitted_pairs(d):
        a = put(d, ramp, "x", "y")
        return jax.jit(lambda a, b: {"sum": a + b, "pair": (a[0], b * 2)})(a, ramp[0])

    @program
    def no_elements(d):
        with jax.default_device(d[0]):
            return jax.scipy.linalg.pascal(0), jnp.ones((0, 3)) + 1, jnp.zeros((3, 0)).sum(1)

    @program
    def ahead_of_time(d):
        a = put(d, ramp, "x")
        compiled = jax.jit(lambda a: (a * a).sum(1)).lower(a).compile()
        assert compiled.as_text() and compiled.memory_analysis()
        return compiled(a)

    @program
    def nested_arrays_as_numpy(d):
        x = jax.device_put(ramp, d[0])
        y = x * 2
        return np.asarray(y), np.asarray(y.T), memoryview(np.asarray(y))[0, 1]

    @program
    def composites(d):
        # a portable artifact has these as composites, which propagation must see through
        x = put(d, ramp / 20, "x", "y")
        functions = (jnp.sinh, jnp.arcsin, jnp.arctanh, lambda x: jax.lax.top_k(x, 3))
        return [jax.jit(f)(x) for f in functions]

    @program
    def groups_of_rows(d):
        mesh = mesh_of(d, ("x", 8))
        a = jax.device_put(ramp, NamedSharding(mesh, P("x")))
        w = jax.device_put(np.stack([ramp, -ramp, ramp.T]), NamedSharding(mesh, P(None, None, "x")))
        sizes = jnp.array([3, 0, 5], jnp.int32)

        def f(a, w):
            return jax.lax.ragged_dot(a, w, sizes)

        g = jax.grad(lambda a, w: (f(a, w) ** 2).mean(), argnums=(0, 1))
        return jax.jit(f)(a, w), jax.jit(g)(a, w)

    @program
    def derivatives_by_hand(d):
        @functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
        def wave(x, k):
            return jnp.sin(x) * k

        def backward(k, x, g):
            return (2 * g * jnp.cos(x) * k,)

        wave.defvjp(lambda x, k: (wave(x, k), x), backward)

        @jax.custom_jvp
        def soft(x):
            return jnp.log1p(jnp.exp(x))

        soft.defjvp(lambda p, t: (soft(*p), 3 * t[0] * jax.nn.sigmoid(p[0])))
        x = put(d, ramp, "x", "y")
        again = jax.checkpoint(lambda x: (wave(x, 3.0) * soft(x)).sum())
        return (
            jax.jit(jax.grad(again))(x),
            jax.jit(jax.hessian(lambda v: (soft(v) ** 2).sum()))(x[0]),
            jax.jit(jax.jacfwd(lambda v: soft(v) @ x.T))(x[1]),
        )

    @program
    def exported(d):
        import jax.export

        a, b = put(d, ramp, "x"), put(d, ramp, None, "y")
        f = jax.jit(
            lambda a, b: jnp.tanh(a @ b), in_shardings=(a.sharding, b.sharding), out_shardings=None
        )
        again = jax.export.export(f)(a, b)
        args = jax.export.symbolic_args_specs((ramp,), "rows, 8")
        any_rows = jax.export.export(jax.jit(lambda v: (v.mean(0), v.shape[0] * jnp.ones(3))))(*args)
        x = jax.device_put(ramp, d[0])
        grad = jax.jit(jax.grad(lambda a, b: again.call(a, b).sum(), argnums=(0, 1)))
        return again.call(a, b), grad(a, b), any_rows.call(x), any_rows.call(x[:3])

    @program
    def explicit_axes(d):
        types = (jax.sharding.AxisType.Explicit,) * 2
        mesh = Mesh(np.array(d).reshape(4, 2), ("x", "y"), axis_types=types)

        @jax.sharding.auto_axes
        def by_itself(x):
            return jnp.sort(x, axis=0) + 1

        @jax.jit
        def product(a, b):
            c = jnp.einsum("ij,jk->ik", a, b, out_sharding=P("x"))
            return jax.sharding.reshard(c, P(None, "y"))

        with jax.set_mesh(mesh):
            a, b = jax.device_put(ramp, P("x", "y")), jax.device_put(ramp, P("y"))
            rows = jax.sharding.reshard(a, P(None, "y"))
            return (
                product(a, b),
                jax.jit(jax.grad(lambda a: product(a, b).sum()))(a),
                jax.jit(lambda a: by_itself(a, out_sharding=P("y", "x")))(a),
                jax.jit(lambda a: jax.lax.scan(lambda c, v: (c + v, c * v), a[0], a))(rows),
            )

    @program
    def partly_manual(d):
        mesh = mesh_of(d, ("x", 4), ("y", 2))
        x = jax.device_put(ramp, NamedSharding(mesh, P("x", "y")))

        def outer(v):
            def inner(w):
                return jax.lax.all_to_all(w, "y", 1, 0, tiled=True)

            spec = (P(None, "y"), P("y"))
            f = jax.shard_map(inner, in_specs=spec[0], out_specs=spec[1], axis_names={"y"})
            return f(v) * 2

        def pipeline(v):
            def step(c, _):
                c = jnp.tanh(c) + jax.lax.axis_index("x")
                return jax.lax.ppermute(c, "x", [(i, (i + 1) % 4) for i in range(4)]), None

            return jax.lax.scan(step, v, None, length=5)[0]

        def pairs(v):
            return jax.lax.psum(v, "x", axis_index_groups=[[0, 2], [1, 3]])

        over_x = {"mesh": mesh, "in_specs": P("x"), "out_specs": P("x"), "axis_names": {"x"}}
        over = {"mesh": mesh, "in_specs": P("x", "y"), "out_specs": P("x", "y"), "check_vma": False}
        return (
            jax.jit(jax.shard_map(outer, **over_x))(x),
            jax.jit(jax.shard_map(pipeline, **over))(x),
            jax.jit(jax.shard_map(pairs, **over))(x),
        )

    @program
    def checks(d):
        from jax.experimental import checkify

        def f(x, i):
            checkify.check(x.sum() > 0, "sum is {s}", s=x.sum())
            return (jnp.log(x + 1) / x[0, 0])[i]

        g = jax.jit(checkify.checkify(f, errors=checkify.all_checks))
        x = put(d, ramp, "x", "y")
        texts = []
        for v, i in ((x, 3), (x + 2, 12), (x + 2, 3), (-x, 1)):
            told = g(v, i)[0].get() or "fine"
            texts.append(np.frombuffer(told.splitlines()[0].encode(), np.uint8))
        return texts

    @program
    def references(d):
        r = jax.new_ref(put(d, ramp, "x", "y"))

        @jax.jit
        def add(r, v):
            r[...] += v
            r[2:4] = r[2:4] * 2
            return r[0].sum()

        sums = [add(r, put(d, ramp, "x", "y")) for _ in range(2)]
        return r[...], sums

    @program
    def sparse_products(d):
        from jax.experimental import sparse

        dense = jax.device_put(np.where(ramp % 2 > 1, ramp, 0), d[2])
        v = jax.device_put(ramp[:, :4], d[2])
        m = sparse.BCOO.fromdense(dense)
        rows = sparse.BCSR.fromdense(dense)
        return jax.jit(lambda m, v: m @ v)(m, v), jax.jit(lambda m, v: m @ v)(rows, v), m.T @ v

    @program
    def several_meshes(d):
        all_of_them, half = mesh_of(d, ("a", 8)), mesh_of(d[:4], ("b", 2), ("c", 2))
        other, turned = mesh_of(d[4:], ("b", 2), ("c", 2)), mesh_of(d[::-1], ("a", 8))
        x = jax.device_put(ramp, NamedSharding(all_of_them, P("a")))
        y = jax.device_put(x, NamedSharding(half, P("b", "c")))
        z = jax.device_put(jax.jit(lambda y: y @ y.T)(y), NamedSharding(other, P("c")))
        w = jax.device_put(z + 1, NamedSharding(turned, P(None, "a")))
        try:
            why = str(jax.jit(lambda a, b: a + b)(y, z))
        except ValueError as e:
            why = str(e)
        fails = np.array("incompatible devices" in why)
        return x, y, z, w, fails, w.addressable_shards[3].data, jax.jit(lambda w: w * 2)(w)

    @program
    def threads(d):
        results = [None] * 4

        def work(k):
            f = jax.jit(lambda v: jnp.tanh(v @ v.T) + k, donate_argnums=0)
            v = put(d, ramp + k, "x", "y")
            for _ in range(20):
                v = f(v)
            results[k] = v

        started = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in started:
            t.start()
        for t in started:
            t.join()
        return results

    @program
    def callbacks_in_loops(d):
        told = []

        def body(c, a):
            jax.debug.callback(lambda s: told.append(float(s)), a.sum(), ordered=True)
            return c + a, None

        x = jax.device_put(ramp, d[1])
        jax.jit(lambda x: jax.lax.scan(body, x[0], x)[0])(x)
        jax.effects_barrier()
        seen = []
        split = put(d, ramp, "x", "y")
        look = functools.partial(
            jax.debug.inspect_array_sharding, callback=lambda s: seen.append(str(s.spec))
        )
        jax.jit(lambda x: look(jnp.sin(x) * 2))(split)
        return np.array(told), np.frombuffer(str(seen).encode(), np.uint8)


@functools.cache
def compiled_handlers(include):
    """handlers.cc as a library: it stays loaded, and its file goes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "handlers.so")
        source = os.path.join(HERE, "handlers.cc")
        command = ["c++", "-std=c++17", "-O1", "-fPIC", "-shared", "-w", "-I" + include]
        subprocess.run([*command, source, "-o", path], check=True)
        return ctypes.CDLL(path)


def compare(name, d, c):
    import jax
    import numpy as np

    got, want = PROGRAMS[name](d), PROGRAMS[name](c)
    ours, theirs = jax.tree.leaves(got), jax.tree.leaves(want)
    if jax.tree.structure(got) != jax.tree.structure(want):
        return "another tree"
    for i, (a, b) in enumerate(zip(ours, theirs)):
        x, y = np.asarray(a), np.asarray(b)
        if x.shape != y.shape or x.dtype != y.dtype:
            return f"result {i}: {x.dtype}{x.shape}, not {y.dtype}{y.shape}"
        exact = x.dtype.kind in "biu"
        if not (np.array_equal(x, y) if exact else np.allclose(x, y, rtol=2e-5, atol=2e-5)):
            return f"result {i}: other values"
        spec = [str(getattr(getattr(v, "sharding", None), "spec", "")) for v in (a, b)]
        if spec[0] != spec[1]:
            return f"result {i}: sharded as {spec[0]}, not {spec[1]}"
    return ""


def own_programs(names):
    import jax

    jax.config.update("jax_num_cpu_devices", 8)
    jax.config.update("jax_threefry_partitionable", True)
    define()
    d, c = jax.devices("tessera"), jax.devices("cpu")
    passed = 0
    for name in names or PROGRAMS:
        try:
            why = compare(name, d, c)
        except Exception as e:
            why = f"{type(e).__name__}: {str(e).strip().splitlines()[0] if str(e) else ''}"
        passed += not why
        if why:
            print(f"{name}: {why}")
    print(f"{passed} passed, {len(names or PROGRAMS) - passed} failed")
    return passed == len(names or PROGRAMS)


def known_failures():
    """The cause of each, by file::class::test."""
    known = {}
    with open(os.path.join(HERE, "on_tessera_failures.txt"), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, _, cause = line.strip().partition("  ")
                known[name] = cause.strip()
    return known


def run_tests(tests, where, environment):
    """Whether each test passed, by file::class::test; those that are skipped are left out."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--max-worker-restart=9999"]
        command += ["--timeout=300", "-p", "no:cacheprovider", "--junitxml=" + report, *tests]
        subprocess.run(
            command,
            cwd=where,
            env={**os.environ, "JAX_NUM_GENERATED_CASES": "10", **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        if not os.path.exists(report):
            return {}
        cases = xml.etree.ElementTree.parse(report).iter("testcase")
        passed = {}
        for case in cases:
            if case.find("skipped") is None:
                path = case.get("classname", "").split(".")
                name = "::".join([*path[-2:], case.get("name")])
                bad = case.find("failure") is not None or case.find("error") is not None
                passed[name] = not bad and passed.get(name, True)
        return passed


def as_argument(name):
    return name.split("::")[0] + ".py::" + "::".join(name.split("::")[1:])


def one_file(name, folder, known):
    """Prints how many of those that count have passed, and what was not expected of them."""
    passed = run_tests([name + ".py"], folder, {"JAX_PLATFORMS": "tessera,cpu"})
    failed = [test for test, good in passed.items() if not good]
    on_cpu = {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_force_host_platform_device_count=8"}
    there = run_tests([as_argument(test) for test in failed], folder, on_cpu) if failed else {}
    counted = [test for test in failed if there.get(test)]
    good = sum(passed.values())
    print(f"{name}: {good} of {good + len(counted)}")
    wrong = [f"fails: {test}" for test in counted if test not in known]
    wrong += [f"passes, though it is listed: {test}" for test in known if passed.get(test)]
    if not passed:
        wrong.append("did not run")
    for line in wrong:
        print(f"  {line}")
    return not wrong


def sample_tests(folder):
    """The 200 tests that must pass with every version of JAX in pyproject.toml's range."""
    with open(os.path.join(HERE, "on_tessera_sample.txt"), encoding="utf-8") as lines:
        names = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    on_plugin = {"JAX_PLATFORMS": "tessera,cpu"}
    passed = run_tests([as_argument(name) for name in names], os.path.abspath(folder), on_plugin)
    for name in names:
        if not passed.get(name):
            print(f"  {'fails' if name in passed else 'did not run'}: {name}")
    print(f"sample: {sum(passed.values())} of {len(names)}")
    return len(passed) == len(names) and all(passed.values())


def jax_tests(folder, files):
    known = known_failures()
    good = True
    for name in files:
        good &= one_file(name, os.path.abspath(folder), known)
    return good


def use_source_tree(build):
    """The package of this tree, for this process and those that it starts, if none is installed."""
    if importlib.util.find_spec("tessera"):
        return
    python = os.path.normpath(os.path.join(HERE, "..", "..", "..", "python"))
    sys.path.insert(0, python)
    paths = [python, *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    os.environ.setdefault("TESSERA_LIBRARY", os.path.join(build, "libtessera.so"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--tests")
    parser.add_argument("--files", default=",".join(FILES))
    parser.add_argument(
        "--sample", action="store_true", help="only the 200 tests of on_tessera_sample.txt"
    )
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    use_source_tree(os.path.dirname(os.path.abspath(options.plugin)))
    os.environ.update(
        TESSERA_PJRT=os.path.abspath(options.plugin),
        TESSERA_DEVICES="8",
        JAX_PLATFORMS="tessera,cpu",
    )
    good = own_programs(options.names)
    if options.tests:
        if options.sample:
            good &= sample_tests(options.tests)
        else:
            good &= jax_tests(options.tests, options.files.split(","))
    sys.exit(not good)


if __name__ == "__main__":
    main()
