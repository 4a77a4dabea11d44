#!/usr/bin/env python3
"""Lowers JAX programs of many kinds, computes them with tess, and compares with JAX.

    PYTHON-WITH-JAX tests/conformance/jax/jax_programs.py --tess build/tess [NAME...]

The programs are those of jax_zoo.py.  JAX runs each on the CPU.  tess evaluates the text that it is
lowered or exported to, or runs it on 8 virtual devices.  Floating-point results agree if
|got - expected| <= t (1 + |expected|), with t = 2e-5 for float32, 1e-10 for float64, 2e-2 for bfloat16
and float16; others must be equal.  Prints what differs, and how many passed and failed.
"""

import argparse
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import export  # noqa: E402

jax.config.update("jax_enable_x64", True)
import jax_zoo  # noqa: E402


def tolerance(dtype):
    if dtype in (jnp.bfloat16, np.float16):
        return 2e-2
    return 1e-10 if dtype in (np.float64, np.complex128) else 2e-5


def difference(got, want):
    if (
        got.dtype != want.dtype
        and got.dtype.itemsize == want.dtype.itemsize
        and got.dtype.kind in "uV"
    ):
        got = got.view(want.dtype)
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{list(got.shape)}, JAX has {want.dtype}{list(want.shape)}"
    if not jnp.issubdtype(want.dtype, np.inexact):
        bad = got != want
        return f"{bad.sum()} of {bad.size} differ" if bad.any() else None
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    a, b = got.astype(wide), want.astype(wide)
    with np.errstate(all="ignore"):
        error = np.abs(a - b) / (1 + np.abs(b))
    error = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, error)
    error = np.where(np.isnan(error), np.inf, error)
    return (
        f"error {error.max():.3g}" if error.size and error.max() > tolerance(want.dtype) else None
    )


def text_of(p):
    """The program for tess, and values of arguments that it has in front."""
    if p.how == "platforms":
        exported = export.export(jax.jit(p.function), platforms=("cpu", "cuda", "tpu"))(
            *p.arguments
        )
        return exported.mlir_module(), [np.int64(0)]  # the index of the platform
    if p.how == "symbolic":
        shape = export.symbolic_shape(p.dims, like=p.arguments[0].shape)
        spec = jax.ShapeDtypeStruct(shape, p.arguments[0].dtype)
        return export.export(jax.jit(p.function))(spec).mlir_module(), []
    return jax.jit(p.function, keep_unused=True).lower(*p.arguments).as_text(), []


def judge(tess, p):
    text, front = text_of(p)
    want = jax.tree.leaves(jax.jit(p.function)(*p.arguments))
    with tempfile.TemporaryDirectory() as folder:
        program, given, out = (os.path.join(folder, n) for n in ("p.mlir", "in.npz", "out.npz"))
        with open(program, "w", encoding="utf-8") as file:
            file.write(text)
        arrays = front + [np.asarray(a) for a in p.arguments]
        np.savez(
            given,
            **{
                f"in{i}": a.view("u2") if a.dtype == jnp.bfloat16 else a
                for i, a in enumerate(arrays)
            },
        )
        command = tess.split() + [
            "run" if p.how == "run" else "eval",
            program,
            "--inputs",
            given,
            "--outputs",
            out,
        ]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=60, check=False
            )
        except subprocess.TimeoutExpired:
            return "no end after 60 s"
        if done.returncode:
            return next(
                (x for x in done.stderr.splitlines() if "error" in x), f"status {done.returncode}"
            )[:200]
        results = np.load(out)
        for i, w in enumerate(want):
            wrong = difference(results[f"out{i}"], np.asarray(w))
            if wrong:
                return f"result {i}: {wrong}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("names", nargs="*", help="only programs whose names contain one of these")
    options = parser.parse_args()
    passed, failed = 0, []
    for name, p in jax_zoo.PROGRAMS.items():
        if options.names and not any(n in name for n in options.names):
            continue
        try:
            wrong = judge(options.tess, p)
        except Exception as e:  # JAX has no such function, or refuses
            print(
                f"{name}: not applicable: {type(e).__name__}: {str(e).splitlines()[0][:150]}",
                flush=True,
            )
            continue
        if wrong:
            print(f"{name}: {wrong}", flush=True)
            failed.append(name)
        else:
            passed += 1
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
