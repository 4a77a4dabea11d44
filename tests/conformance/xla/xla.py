#!/usr/bin/env python3
"""Checks the results when XLA runs what tessera partitions.

    PYTHON tests/conformance/xla/xla.py [--tess build/tess] [--ways replicas,manual,compile]
        [--manifest FILE] [--known NAME,...] FOLDER [NAME...]

PYTHON has jax, jaxlib, numpy and ml_dtypes; for the way `compile` it finds the package tessera
(PYTHONPATH, TESSERA_LIBRARY).  ways.py defines the ways.  FOLDER contains NAME.mlir and NAME.npz
(in0.., out0..); the manifest (JSON, {NAME: {"tol": t}}) gives tolerances.  Every device's copy of every
result is compared.  Each program runs in a process of its own, so an abort of XLA costs only that program.
Exit status 1 if one fails that --known does not name.
"""

import argparse
import json
import os
import subprocess
import sys

import numpy as np
import ways


def run_one(options, name):
    """A line for each way: its name and the largest error, or what is wrong."""
    ways.start()
    path = os.path.join(options.folder, name)
    data = np.load(path + ".npz")
    inputs = [data[f"in{i}"] for i in range(len(data)) if f"in{i}" in data]
    outputs = [data[f"out{i}"] for i in range(len(data)) if f"out{i}" in data]
    for way in options.ways.split(","):
        print("TRY", way, flush=True)
        try:
            results = ways.made(options.tess, path + ".mlir", way).run(inputs)
            print("DONE", ways.worst_of(results, outputs), flush=True)
        except Exception as error:  # whatever XLA and JAX raise
            print("ERROR", f"{type(error).__name__}: {error}".replace("\n", " ")[:300], flush=True)


def judge(options, name):
    """{way: '' or what is wrong}"""
    found, left = {}, options.ways.split(",")
    most = options.tolerances.get(name, {}).get("tol", 2e-3)
    while left:
        command = [sys.executable, os.path.abspath(__file__), "--one", "--tess", options.tess]
        command += ["--ways", ",".join(left), options.folder, name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            output, end = done.stdout, done.stderr.strip().splitlines()[-1:] or ["it dies"]
        except subprocess.TimeoutExpired as late:
            output, end = (late.stdout or b"").decode(), ["takes more than 300 seconds"]
        lines, at = output.splitlines(), None
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "TRY":
                at, found[rest] = rest, end[0][:300]
            elif word == "DONE":
                wrong = f"an error of {float(rest):.3g}, more than {most:g}"
                found[at] = "" if float(rest) <= most else wrong
            elif word == "ERROR":
                found[at] = rest
        if at is None:
            found[left[0]] = end[0][:300]
        left = [w for w in left if w not in found]
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--ways", default=",".join(ways.WAYS))
    parser.add_argument("--manifest")
    parser.add_argument("--known", default="", help="programs on which XLA itself fails")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.one:
        run_one(options, options.names[0])
        return
    options.tolerances = json.load(open(options.manifest)) if options.manifest else {}
    names = options.names or sorted(
        f[:-4] for f in os.listdir(options.folder) if f.endswith(".npz")
    )
    wrong = {}
    for name in names:
        for way, why in judge(options, name).items():
            wrong[name, way] = why
            print(f"{'FAILED' if why else 'ok':7}{way:9}{name}  {why}".rstrip(), flush=True)
    for way in options.ways.split(","):
        good = sum(not wrong[n, way] for n in names)
        print(f"{way}: {good} agree of {len(names)}")
    failed = {n for (n, _), why in wrong.items() if why}
    sys.exit(1 if failed - set(options.known.split(",")) else 0)


if __name__ == "__main__":
    main()
