#!/usr/bin/env python3
"""Compares what `sdy-export-pipeline` with explicit collectives makes of programs with what
Shardy's own makes of them.

    PYTHON-WITH-JAXLIB tests/conformance/shardy/export.py --tess build/tess [-v] FILE-OR-FOLDER...

Each program is propagated by tess.  The resulting text goes to both exports, so that only
the export is judged.  Both results are printed by MLIR, which numbers values in the same way,
and compared as text.  jaxlib must keep the kind of a reduction in its all_reduce: 0.11.2 does.

    --compatible   tess with sdy-compatible=true, which does what Shardy does
    --sound        tess with sound-reductions=true
    --modules N    exit status 1 if fewer than N percent are the same
"""

import argparse
import difflib
import os
import subprocess
import sys
import tempfile

from jaxlib.mlir import ir, passmanager

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from jaxlib_mlir import forked, make_context, reprint  # noqa: E402
from programs import program_files  # noqa: E402

PIPELINE, OPTIONS = "sdy-export-pipeline", "enable-insert-explicit-collectives=true"


def shardy_export(text):
    with make_context():
        try:
            module = ir.Module.parse(text)
            passes = "builtin.module(%s{%s})" % (PIPELINE, OPTIONS)
            passmanager.PassManager.parse(passes).run(module.operation)
            return module.operation.get_asm()
        except Exception as error:
            return "REFUSED " + str(error).split("\n")[0][:150]


def run_tess(tess, path, *passes):
    done = subprocess.run([tess, "opt", path, *passes], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else "REFUSED " + done.stderr.split("\n")[0][:150]


def check(path, options, folder):
    """(verdict, remark, ours, theirs)"""
    propagated = run_tess(options.tess, path, "-sdy-propagation-pipeline")
    if propagated.startswith("REFUSED"):
        return "skip", propagated, "", ""
    middle = os.path.join(folder, "propagated.mlir")
    with open(middle, "w") as out:
        out.write(propagated)
    theirs = forked([lambda: shardy_export(propagated)])[0]
    asked = (
        OPTIONS
        + " sdy-compatible=true" * options.compatible
        + " sound-reductions=true" * options.sound
    )
    ours = run_tess(options.tess, middle, f"-{PIPELINE}={asked}")
    if theirs.startswith(("REFUSED", "ABORTED")):
        return "skip", "shardy: " + theirs, ours, theirs
    if not ours.startswith("REFUSED"):
        ours = forked([lambda: reprint(ours)])[0]
    if ours == theirs:
        return "same", "", ours, theirs
    changed = (
        sum(
            1
            for line in difflib.unified_diff(ours.splitlines(), theirs.splitlines(), n=0)
            if line.startswith("-")
        )
        if len(ours) < 4 << 20
        else -1
    )
    return "DIFF", ours[:150] if ours.startswith("REFUSED") else f"{changed} lines", ours, theirs


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--modules", type=float, default=0)
    parser.add_argument("--compatible", action="store_true")
    parser.add_argument("--sound", action="store_true")
    parser.add_argument("-v", action="store_true", help="show the first lines that differ")
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in program_files(options.paths):
            verdict, remark, ours, theirs = check(path, options, folder)
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict != "same":
                print(f"{verdict}  {os.path.basename(path)}  {remark}", flush=True)
            if verdict == "DIFF" and options.v:
                rows = difflib.unified_diff(
                    ours.splitlines(), theirs.splitlines(), "tess", "shardy", n=2, lineterm=""
                )
                for _, row in zip(range(40), rows):
                    print("    " + row[:220])
    same, different = counts.get("same", 0), counts.get("DIFF", 0)
    share = 100 * same / max(same + different, 1)
    print(
        f"{same} passed, {different} failed ({share:.1f} % of the modules); "
        f"{counts.get('skip', 0)} skipped"
    )
    return 0 if share >= options.modules else 1


if __name__ == "__main__":
    sys.exit(main())
