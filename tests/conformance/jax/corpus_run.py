#!/usr/bin/env python3
"""Runs the programs of the corpus, unpartitioned, and compares the results with JAX's.

    PYTHON-WITH-NUMPY tests/conformance/jax/corpus_run.py --tess build/tess CORPUS [NAME...]

CORPUS contains run/NAME.mlir, run/NAME.npz with in0… and out0…, and manifest-run.json with
real types and tolerances.  A floating-point result agrees if |got - expected| <=
t (1 + |expected|) with t = min(tol, max(5e-5, 20 max_err)) for all but one in 10,000
elements, and with t = tol for all; integers and booleans must be equal.
Prints a line per program and the totals; the exit status is 1 if one disagrees.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy


def as_float(array, dtype):
    """The values of a type that NumPy lacks, from integers of its width."""
    if dtype == "bfloat16":
        return (array.view(numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
    if dtype.startswith(("float8", "int4", "uint4")):
        return array.view(numpy.uint8)
    return array


def difference(got, want, dtype, tol, max_err):
    """None, or what differs."""
    if got.shape != want.shape:
        return f"shape {got.shape}, expected {want.shape}"
    got, want = (numpy.atleast_1d(as_float(x, dtype)) for x in (got, want))
    if want.dtype.kind not in "fc":
        bad = got != want
        return f"{bad.sum()} of {bad.size} integers differ" if bad.any() else None
    close = tol if tol >= 0.01 else min(tol, max(5e-5, 20 * max_err))
    with numpy.errstate(invalid="ignore", over="ignore"):
        error = numpy.abs(got.astype(numpy.complex128) - want.astype(numpy.complex128))
        error = error / (1 + numpy.abs(want.astype(numpy.complex128)))
    error[(got == want) | (numpy.isnan(got) & numpy.isnan(want))] = 0
    error[numpy.isnan(error)] = numpy.inf
    far = (error > close).sum()
    if error.size and (error.max() > tol or far > error.size // 10000):
        return (
            f"error {error.max():.3g} (tolerance {close:.3g}, {tol:.3g}), {far} of {error.size} far"
        )
    return None


def run(tess, corpus, name, row, extra):
    path = os.path.join(corpus, "run", name)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.npz")
        command = (
            tess + ["run", path + ".mlir", "--inputs", path + ".npz", "--outputs", out] + extra
        )
        done = subprocess.run(
            command,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:
            lines = [x for x in done.stderr.splitlines() if "error" in x] or [
                f"status {done.returncode}"
            ]
            return lines[0][:160]
        want, got = numpy.load(path + ".npz"), numpy.load(out)
        for i, (dtype, _) in enumerate(row["out"]):
            wrong = difference(got[f"out{i}"], want[f"out{i}"], dtype, row["tol"], row["max_err"])
            if wrong:
                return f"out{i}: {wrong}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--partitioned", action="store_true", help="over the program's own mesh")
    parser.add_argument("--option", action="append", default=[], help="for tess run")
    parser.add_argument("-v", action="store_true", help="a line for those that agree, too")
    parser.add_argument("corpus")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    with open(os.path.join(args.corpus, "manifest-run.json"), encoding="utf-8") as f:
        manifest = json.load(f)
    extra = args.option + ([] if args.partitioned else ["--devices", "1"])
    failed = 0
    names = args.names or sorted(manifest)
    for name in names:
        wrong = run(args.tess.split(), args.corpus, name, manifest[name], extra)
        failed += wrong is not None
        if wrong or args.v:
            print(f"{name}: {wrong or 'agrees'}", flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
