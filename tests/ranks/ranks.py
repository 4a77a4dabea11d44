#!/usr/bin/env python3
"""Runs programs over several processes and compares with virtual devices, bit by bit.

    tests/ranks/ranks.py --tess build/tess [-n 2,4] FOLDER [NAME...]

FOLDER holds NAME.mlir and NAME.npz with inputs.  `mpirun -n N tess run` must give the
same bytes as `tess run`, sums included: both add in the order of the devices.  Skipped
with a line when there is no mpirun.  Exit status 1 if a program differs or fails.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

# To start more processes than there are cores, as root in a container too.
ENVIRONMENT = dict(
    os.environ,
    OMPI_ALLOW_RUN_AS_ROOT="1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1",
    OMPI_MCA_btl_vader_single_copy_mechanism="none",
    PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
)
# What MPI itself keeps is no leak of ours.
MPIRUN = ["env", "ASAN_OPTIONS=detect_leaks=0", "mpirun"]


def arrays(path):
    with zipfile.ZipFile(path) as z:
        return {name: z.read(name) for name in z.namelist()}


def run(command):
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, env=ENVIRONMENT)
    return done.returncode, (done.stdout + done.stderr).strip()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("-n", "--ranks", default="2,4")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if not shutil.which("mpirun"):
        print("0 passed, 0 failed: there is no mpirun")
        return 0
    names = options.names or sorted(
        f[:-4] for f in os.listdir(options.folder) if f.endswith(".npz")
    )
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = os.path.join(options.folder, name)
            base = [options.tess, "run", path + ".mlir", "--inputs", path + ".npz", "--outputs"]
            alone = os.path.join(folder, "alone.npz")
            status, said = run(base + [alone])
            for n in options.ranks.split(",") if status == 0 else []:
                together = os.path.join(folder, "together.npz")
                status, said = run([*MPIRUN, "-n", n, *base, together])
                if status == 0 and arrays(alone) != arrays(together):
                    status, said = 1, f"{n} ranks give other bytes"
                if status:
                    said = f"{n} ranks: {said}"
                    break
            if status:
                failed += 1
                print(f"FAILED   {name}: {said.splitlines()[0] if said else status}", flush=True)
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
