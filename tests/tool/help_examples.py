#!/usr/bin/env python3
"""help_examples.py TESS - runs every example that `tess` and `tess help COMMAND` print.

All run in one scratch folder, where examples/ is the repository's, in the order in which they are printed. Those that
start with mpirun are left out where there is none. An example that does not end with 0 fails, and so does a
command whose help has none.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def printed(tess, *arguments):
    return subprocess.run([tess, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def examples(help_text):
    """The lines of `examples:`, or of an overview those that begin with two blanks and `tess`."""
    found = re.search(r"^examples:\n((?:  .*\n)+)", help_text, re.M)
    if found:
        return [line.strip() for line in found[1].splitlines()]
    return [line.strip().split("   ")[0] for line in help_text.splitlines() if line.startswith("  tess ")]


def main():
    tess = os.path.abspath(sys.argv[1])
    names = [line.split("\t")[0] for line in printed(tess, "--help=commands").splitlines()]
    failed, count = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
        env = dict(os.environ, PATH=os.path.dirname(tess) + os.pathsep + os.environ["PATH"])
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
        for name in ["", *names]:
            lines = examples(printed(tess, "help", *([name] if name else [])))
            if not lines:
                print(f"tess help {name}: no examples")
                failed += 1
            for line in lines:
                mpi = line.startswith("mpirun")
                if mpi and not shutil.which("mpirun"):
                    continue
                own = dict(env, ASAN_OPTIONS="detect_leaks=0") if mpi else env  # what MPI keeps is not ours
                done = subprocess.run(
                    ["bash", "-c", "set -o pipefail; " + line],
                    cwd=folder, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                )
                count += 1
                if done.returncode:
                    failed += 1
                    print(f"{line}\n  [status {done.returncode}] {done.stdout.decode(errors='replace')[-500:]}")
    print(f"{count} examples, {failed} failed")
    return failed != 0


sys.exit(main())
