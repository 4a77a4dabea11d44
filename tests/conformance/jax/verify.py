#!/usr/bin/env python3
"""Runs `tess verify` on exported programs, with JAX's inputs and results beside them.

    tests/conformance/jax/verify.py --tess build/tess [--manifest FILE] FOLDER [NAME...]

FOLDER contains NAME.mlir and NAME.npz.  The manifest (JSON, {NAME: {"tol": t, "max_err": e}})
gives the tolerance of each program; e is JAX's own error on several devices.  A program must
agree, or be refused with a diagnostic that says what is not supported yet.  The exit
status is 1 if one gives wrong numbers, crashes, or is refused although it is listed by name.
"""

import argparse
import json
import os
import subprocess
import sys


def tolerance(entry):
    tol, error = entry.get("tol", 2e-3), entry.get("max_err") or 0
    most = tol if tol >= 0.01 else min(tol, max(5e-5, 20 * error))
    return f"{most:g},{tol:g}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--manifest")
    parser.add_argument(
        "--devices", help="how many; otherwise as many as the program's meshes have"
    )
    parser.add_argument("--tolerance", help="of programs that the manifest does not name")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    manifest = json.load(open(options.manifest)) if options.manifest else {}
    names = options.names or sorted(
        f[:-4] for f in os.listdir(options.folder) if f.endswith(".npz")
    )
    agree = refused = wrong = 0
    for name in names:
        path = os.path.join(options.folder, name)
        command = [options.tess, "verify", path + ".mlir", "--inputs", path + ".npz"]
        if options.devices:
            command += ["--devices", options.devices]
        if name in manifest:
            command += ["--tolerance", tolerance(manifest[name])]
        elif options.tolerance:
            command += ["--tolerance", options.tolerance]
        done = subprocess.run(command, text=True, capture_output=True, timeout=300)
        if done.returncode == 0:
            agree += 1
            print(f"ok       {name}: {done.stdout.strip()}", flush=True)
        elif done.returncode == 1 and "not supported" in done.stderr:
            refused += 1
            print(f"refused  {name}: {done.stderr.splitlines()[0]}", flush=True)
        else:
            wrong += 1
            said = (done.stdout + done.stderr).strip().split("\n")[0]
            print(f"WRONG    {name}: status {done.returncode}: {said}", flush=True)
    print(f"{agree} agree, {refused} refused, {wrong} wrong, of {len(names)}")
    return 1 if wrong or (refused and options.names) else 0


if __name__ == "__main__":
    sys.exit(main())
