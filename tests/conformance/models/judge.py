#!/usr/bin/env python3
"""Loads, reports, lints, advises, verifies and runs programs of third-party JAX libraries.

    PYTHON tests/conformance/models/judge.py [NAME...] [--out FOLDER]

PYTHON has jax and what the programs import, and finds the package tessera.  A program whose library is not
installed is left out, and a line says so.  Each program is given to tessera.load as its library makes it,
with its own arguments.  What tessera runs on 8 virtual devices must equal what JAX computes, in the trees of
the function; verify must agree; the report, the findings and the advice must finish.  Language models that
are written out layer by layer may have at most 40 findings and 60 kinds of collectives.

Prints a line for each, and 'N of N'.
"""

import argparse
import importlib
import os
import sys
import time
import traceback

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

MOST_FINDINGS, MOST_KINDS = 40, 60
MODELS = {}


def model(*libraries, rtol=2e-3, unrolled=False):
    """Registers a function from `place`, PartitionSpec entries to a sharding, to what is loaded and a
    function that makes its arguments anew: some programs write into them."""

    def add(function):
        MODELS[function.__name__] = (libraries, function, rtol, unrolled)
        return function

    return add


def placing():
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))
    return lambda *spec: NamedSharding(mesh, PartitionSpec(*spec))


def arrays_of(tree):
    """Leaves as NumPy's arrays, keys as the integers that they are made of."""
    import jax
    import numpy as np

    found = []
    for leaf in jax.tree_util.tree_leaves(tree):
        if hasattr(leaf, "dtype") and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            leaf = jax.random.key_data(leaf)
        if hasattr(leaf, "shape") or isinstance(leaf, (bool, int, float, complex)):
            found.append(np.asarray(leaf))
    return found


def difference(got, want, rtol):
    """The largest of all results, and what is wrong, or None."""
    import jax
    import numpy as np

    shapes = jax.tree_util.tree_structure(got), jax.tree_util.tree_structure(want)
    if shapes[0] != shapes[1]:
        return 1, f"the result is {shapes[0]}, not {shapes[1]}"
    worst = 0.0
    for i, (g, w) in enumerate(zip(arrays_of(got), arrays_of(want))):
        if g.shape != w.shape or g.dtype != w.dtype:
            return 1, f"leaf {i} is {g.dtype}{list(g.shape)}, not {w.dtype}{list(w.shape)}"
        if w.dtype.kind in "biu":
            if not np.array_equal(g, w):
                return 1, f"leaf {i} differs"
            continue
        g, w = g.astype(np.complex128), w.astype(np.complex128)
        far = np.atleast_1d(np.abs(g - w) / (1 + np.abs(w)))
        far[np.atleast_1d((np.isnan(g) & np.isnan(w)) | (g == w))] = 0
        worst = max(worst, float(far.max(initial=0)))
    return worst, None if worst <= rtol else f"differs by {worst:.1e}"


def judged(name, out):
    """A line, and whether all went well."""
    import tessera

    _, make, rtol, unrolled = MODELS[name]
    function, arguments = make(placing())
    given = arguments()
    began = time.perf_counter()
    program = tessera.load(function, *given)
    report = program.report()
    findings = program.lint()
    took = time.perf_counter() - began
    advice = program.suggest(budget=20)
    page = report.html if hasattr(report, "html") else report._repr_html_()
    kinds = len(report["collective_kinds"]) if "collective_kinds" in report else kinds_of(report)
    if out:
        with open(os.path.join(out, name + ".txt"), "w", encoding="utf-8") as f:
            f.write(f"{report}\n{findings}\n{advice}\n")
        with open(os.path.join(out, name + ".mlir"), "w", encoding="utf-8") as f:
            f.write(program._printed())
        with open(os.path.join(out, name + ".html"), "w", encoding="utf-8") as f:
            f.write(page)
    agree = all(c.agree for c in program.verify(*given))
    got = program.run(*arguments())
    worst, wrong = difference(got, function(*arguments()), rtol)
    problems = [p for p in (wrong, None if agree else "verify finds differences") if p]
    if unrolled and len(findings) > MOST_FINDINGS:
        problems.append("too many findings")
    if unrolled and kinds > MOST_KINDS:
        problems.append("too many kinds of collectives")
    said = (
        f"{name:16} {len(findings)} findings, {len(advice)} advised, {kinds} kinds of "
        f"{len(report['collectives'])} collectives, {took:.2f} s, off by {worst:.0e}"
    )
    return said + "".join(f"; {p}" for p in problems), not problems


def kinds_of(report):
    """As the report's text and page group collectives: rows that differ in numbers of layers only."""
    import re

    def alike(row):
        source = re.sub(r"(?<=[_\[./ ])\d+(?=[\]_./ )(]|$)", "*", row["source"] or "")
        return row["op"], row["axes"], row["bytes"], row["groups"], source

    return len({alike(row) for row in report["collectives"]})


def main():
    here = argparse.ArgumentParser()
    here.add_argument("names", nargs="*")
    here.add_argument("--out", help="a folder for texts, programs and pages")
    options = here.parse_args()
    for file in ("small", "language", "solvers", "more"):
        importlib.import_module(file)
    if options.out:
        os.makedirs(options.out, exist_ok=True)
    good = of = 0
    for name in options.names or MODELS:
        missing = [m for m in MODELS[name][0] if not installed(m)]
        if missing:
            print(f"left out {name}: there is no {missing[0]}", flush=True)
            continue
        of += 1
        try:
            line, fine = judged(name, options.out)
        except Exception as error:  # the rest is judged all the same
            traceback.print_exc(limit=-4)
            line, fine = f"{name:16} {type(error).__name__}: {str(error)[:300]}", False
        print(f"{'ok' if fine else 'FAILED':7}{line}", flush=True)
        good += fine
    print(f"{good} of {of}")
    return good != of


def installed(module):
    try:
        importlib.import_module(module)
        return True
    except ImportError:
        return False


if __name__ == "__main__":
    sys.modules["judge"] = sys.modules["__main__"]
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main())
