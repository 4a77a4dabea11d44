#!/usr/bin/env python3
"""The other side of tests/bench/executor: steps of JAX or of a BLAS library, timed one by one.

    peers.py jax DEVICES program NAME       a program of $TESS_CORPUS/gen.py, unpartitioned if DEVICES is 1
    peers.py jax DEVICES kernel NAME TEXT   a function below; its StableHLO is written to TEXT
    peers.py jax DEVICES scale N TEXT       a training step of a small transformer, spread over N devices;
                                            DEVICES 0: only its StableHLO is wanted
    peers.py openblas|onednn N              the product of two N x N matrices

Prints the seconds that tracing and compiling took; then, for each line "N" of standard
input, runs N steps and prints the seconds of each, on one line.
"""

import os
import sys
import time


def serve(start, step):
    print(f"{start:.9f}", flush=True)
    for line in sys.stdin:
        spent = []
        for _ in range(int(line)):
            begin = time.perf_counter()
            step()
            spent.append(time.perf_counter() - begin)
        print(" ".join(f"{t:.9f}" for t in spent), flush=True)


def corpus():
    """The modules of $TESS_CORPUS that make programs."""
    sys.path.insert(0, os.environ["TESS_CORPUS"])
    sys.argv = ["gen.py", "run"]
    import gen
    import models

    return gen, models


def jitted(gen, mesh, f, args, outs):
    import jax

    kwargs = {"in_shardings": gen.shardings(mesh, args)}
    if outs is not None:
        kwargs["out_shardings"] = gen.out_shardings(mesh, outs)
    return jax.jit(f, **kwargs), kwargs["in_shardings"]


def jax_program(devices, name):
    """(jitted function, arguments) of the corpus."""
    import jax

    gen, _ = corpus()
    mesh, f, args, outs, _ = gen.build(gen.PROGRAMS[name], gen.Ctx(devices == 1))
    f, shardings = jitted(gen, mesh, f, args, outs)
    return f, jax.device_put(gen.fill(name, args), shardings)


def jax_scale(n, text, run):
    """Data x tensor parallel over n devices, each with a row of the batch for every four."""
    gen, models = corpus()
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={n}"
    import jax

    mesh = gen.Ctx(False).make({"data": n // 4, "model": 4})
    f, args, outs = gen.train_case(models.Config(batch=n // 4), mesh)
    f, shardings = jitted(gen, mesh, f, args, outs)
    with open(text, "w") as out:
        out.write(f.lower(*gen.structs(args, mesh)).as_text())
    return (f, jax.device_put(gen.fill("scale", args), shardings)) if run else (None, None)


def jax_kernel(name):
    import jax
    import jax.numpy as jnp
    import numpy as np

    def layer_norm(x):
        mean = jnp.mean(x, -1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5)

    kernels = {
        "chain": lambda x: jax.nn.gelu(x * 1.5 + 0.25),
        "add": lambda x: x + 1,
        "softmax": lambda x: jax.nn.softmax(x, -1),
        "layer_norm": layer_norm,
        "row_sum": lambda x: jnp.sum(x, 1),
        "column_sum": lambda x: jnp.sum(x, 0),
        "sum": jnp.sum,
        "transpose": jnp.transpose,
        "row_argmax": lambda x: jnp.argmax(x, 1),
        "column_argmax": lambda x: jnp.argmax(x, 0),
    }

    def conv(layout, groups=1, stride=1):
        return lambda x, w: jax.lax.conv_general_dilated(
            x, w, (stride, stride), "SAME", dimension_numbers=layout, feature_group_count=groups
        )

    def conv_gradients(x, w):
        return jax.grad(lambda x, w: jnp.sum(conv(nhwc)(x, w) ** 2), (0, 1))(x, w)

    def attention(q, k, v):
        scores = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / 8)
        return jnp.einsum("bhqk,bkhd->bqhd", scores, v)

    def places(x):
        return jnp.clip((x * 200 + 500).astype(jnp.int32), 0, 999)

    nhwc, nchw = ("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW")
    image, heads = (8, 56, 56, 64), (4, 256, 8, 64)
    others = {  # function, shapes
        "conv": (conv(nhwc), image, (3, 3, 64, 64)),
        "conv_stem": (conv(nhwc, stride=2), (4, 224, 224, 3), (7, 7, 3, 64)),
        "conv_1x1": (conv(nhwc), image, (1, 1, 64, 256)),
        "conv_nchw": (conv(nchw), (8, 64, 56, 56), (64, 64, 3, 3)),
        "conv_depthwise": (conv(nhwc, groups=64), image, (3, 3, 1, 64)),
        "conv_gradients": (conv_gradients, (4, 28, 28, 64), (3, 3, 64, 64)),
        "max_pool": (
            lambda x: jax.lax.reduce_window(
                x, -np.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"
            ),
            image,
        ),
        "attention": (attention, heads, heads, heads),
        "cumsum": (lambda x: jnp.cumsum(x, 1), (2048, 1024)),
        "sort": (lambda x: jnp.sort(x, 1), (1024, 1024)),
        "argmax": (lambda x: jnp.argmax(x, 1), (4096, 1024)),
        "take": (lambda x: x[(jnp.arange(65536) * 7919) % 50000], (50000, 64)),
        "swap_heads": (lambda x: jnp.transpose(x, (0, 2, 1, 3)), (8, 1024, 16, 64)),
        "bf16_chain": (lambda x: jax.nn.silu(x.astype(jnp.bfloat16) * 2) + 1, (2048, 2048)),
        "sine": (lambda x: jnp.sin(x) * jnp.cos(x), (2048, 2048)),
        "fft": (lambda x: jnp.fft.fft(x[0] + 1j * x[1]), (2, 256, 1024)),
        "fft_prime": (lambda x: jnp.fft.fft(x[0] + 1j * x[1]), (2, 256, 1009)),
        "rfft2": (jnp.fft.rfft2, (4, 251, 257)),
        "complex_matmul": (lambda x: (x[0] + 1j * x[1]) @ (x[1] - 1j * x[0]), (2, 512, 512)),
        "complex_divide": (lambda x: (x[0] + 1j * x[1]) / (x[2] + 1j * x[3]), (4, 1 << 20)),
        "histogram": (lambda x: jnp.bincount(places(x), length=1000), (1 << 20,)),
        "scatter_min": (lambda x: jnp.full(1000, 9, x.dtype).at[places(x)].min(x), (1 << 20,)),
        "to_f8": (lambda x: x.astype(jnp.float8_e4m3fn), (2048, 2048)),
        "from_f8": (
            lambda x: jax.lax.bitcast_convert_type(x, jnp.float8_e4m3fn).astype(jnp.float32),
            (1024, 1024),
        ),
    }
    rng = np.random.default_rng(1)
    if name in others:
        f, *shapes = others[name]
        return jax.jit(f), tuple(
            jnp.asarray(rng.standard_normal(s).astype(np.float32)) for s in shapes
        )
    if name.startswith("matmul"):
        _, kind, n = name.split("_")
        x = rng.standard_normal((int(n), int(n))).astype(np.float32)
        x = jnp.asarray(x).astype({"f32": jnp.float32, "bf16": jnp.bfloat16}[kind])
        return jax.jit(lambda a, b: a @ b), (x, x + 1)
    x = rng.standard_normal((4096, 4096)).astype(np.float32)
    return jax.jit(kernels[name]), (jnp.asarray(x),)


def jax_main(devices, kind, name, text=None):
    flag = f"--xla_force_host_platform_device_count={devices}"
    if kind == "program":
        f, values = jax_program(devices, name)
    elif kind == "scale":
        f, values = jax_scale(int(name), text, devices)
    else:
        os.environ["XLA_FLAGS"] = flag
        f, values = jax_kernel(name)
    import jax

    if not f:
        return print(0)
    if text:
        with open(text, "w") as out:
            out.write(f.lower(*values).as_text())
        f.clear_cache()
    begin = time.perf_counter()
    compiled = f.lower(*values).compile()
    spent = time.perf_counter() - begin
    del compiled
    jax.block_until_ready(f(*values))
    serve(spent, lambda: jax.block_until_ready(f(*values)))


def library_main(which, n):
    import ctypes
    import numpy as np

    n = int(n)
    a, b, c = (
        np.random.default_rng(i).standard_normal((n, n)).astype(np.float32) for i in range(3)
    )
    pa, pb, pc = (x.ctypes.data_as(ctypes.c_void_p) for x in (a, b, c))
    one, zero, size = ctypes.c_float(1), ctypes.c_float(0), ctypes.c_int64(n)
    if which == "openblas":
        sgemm = ctypes.CDLL("libopenblas.so.0").cblas_sgemm
        step = lambda: sgemm(101, 111, 111, n, n, n, one, pa, n, pb, n, zero, pc, n)
    else:
        sgemm = ctypes.CDLL("libdnnl.so.2").dnnl_sgemm
        no = ctypes.c_char(b"N")
        step = lambda: sgemm(no, no, size, size, size, one, pa, size, pb, size, zero, pc, size)
    step()
    serve(0, step)


if __name__ == "__main__":
    if sys.argv[1] == "jax":
        jax_main(int(sys.argv[2]), *sys.argv[3:])
    else:
        library_main(*sys.argv[1:3])
