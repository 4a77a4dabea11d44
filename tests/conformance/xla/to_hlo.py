#!/usr/bin/env python3
"""Lets jaxlib read what `tess convert --to-hlo` prints, and runs it.

    PYTHON-WITH-JAX tests/conformance/xla/to_hlo.py --tess build/tess FILE-OR-FOLDER...

Each MLIR module becomes HLO text.  jaxlib's parser must accept it and print it as tess does,
except for the order of computations, which jaxlib does not keep.
If NAME.npz is beside NAME.mlir, `tess verify` runs the text, partitioned and whole, on
its inputs and compares the results with its outputs.  Prints what fails, and 'N passed, N
failed'.
"""

import argparse
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from xla_modules import files_in  # noqa: E402


def jaxlib_prints(path):
    """In a process of its own: a bad text may end it.  (text, why not)"""
    code = (
        "import sys; from jaxlib import _hlo; o = _hlo.HloPrintOptions(); "
        "o.print_large_constants = True; "
        "print(_hlo.hlo_module_from_text(open(sys.argv[1]).read()).to_string(o), end='')"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    return done.stdout, (done.stderr.strip().splitlines() or ["it dies"])[-1]


# what jaxlib adds to shardings with unreduced axes
ORDER = ", order=TOTAL"  # jaxlib 0.11.2's word for what 0.11.1 prints as a type
REDUCTION = ' metadata={op_type="sdy::reduction_op" op_name="SUM"}'


def computations(text):
    text = text.replace(REDUCTION, "").replace(ORDER, ", type=TOTALORDER")
    return sorted(text.split("\n\n"))


def problem_of(tess, path, text_path):
    done = subprocess.run(tess + ["convert", "--to-hlo", path], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip().splitlines()[0]
    with open(text_path, "w") as f:
        f.write(done.stdout)
    theirs, why = jaxlib_prints(text_path)
    if not theirs:
        return f"jaxlib refuses it: {why}"
    if computations(theirs) != computations(done.stdout):
        return "jaxlib prints it in another way"
    inputs = path.removesuffix(".mlir") + ".npz"
    if not os.path.exists(inputs):
        return None
    run = subprocess.run(
        tess + ["verify", text_path, "--inputs", inputs], capture_output=True, text=True
    )
    return None if run.returncode == 0 else (run.stderr + run.stdout).strip().splitlines()[0]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("paths", nargs="+")
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in files_in(arguments.paths):
            text_path = os.path.join(folder, os.path.basename(path) + ".hlo")
            problem = problem_of(arguments.tess.split(), path, text_path)
            passed += not problem
            failed += bool(problem)
            if problem:
                print(f"{os.path.basename(path)}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
