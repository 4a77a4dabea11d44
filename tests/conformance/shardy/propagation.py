#!/usr/bin/env python3
"""Compares the shardings that `tess opt -sdy-propagation-pipeline` gives with Shardy's own.

    PYTHON-WITH-JAXLIB tests/conformance/shardy/propagation.py --tess build/tess FILE-OR-FOLDER...

Shardy runs in process, through jaxlib.  The output of tess is read back by the same MLIR, so
that this also checks its text.  Every result of every operation and every function
argument is compared.  Values that only one side has count as different.
Prints a line per module, with -v what differs, and the totals.  The exit status is 1 if
fewer than --modules percent of the modules or --values percent of the values agree.
"""

import argparse
import difflib
import os
import subprocess
import sys
import time

from jaxlib.mlir import ir, passmanager

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from jaxlib_mlir import make_context  # noqa: E402
from programs import program_files, program_text  # noqa: E402

PIPELINE = "sdy-propagation-pipeline"


def shardings_of(operation):
    """What each result of an operation says."""
    count = len(operation.results)
    for name in ("sdy.sharding", "out_shardings", "sharding", "out_sharding"):
        if name in operation.attributes:
            text = str(operation.attributes[name])
            return [f"{text}[{i}]" if count > 1 else text for i in range(count)]
    return ["-"] * count


def argument_shardings(function):
    arguments = function.attributes["arg_attrs"] if "arg_attrs" in function.attributes else []
    found = []
    for attributes in arguments:
        attributes = ir.DictAttr(attributes)
        found.append(str(attributes["sdy.sharding"]) if "sdy.sharding" in attributes else "-")
    return found


def rows_of(module):
    """[(what, [sharding])] in textual order: functions with their arguments, operations."""
    rows = []

    def visit(operation):
        operation = operation.operation
        if operation.name == "func.func":
            rows.append(
                (
                    "func " + str(operation.attributes["function_type"]),
                    argument_shardings(operation),
                )
            )
        elif len(operation.results):
            rows.append(
                (
                    operation.name + " " + " ".join(str(r.type) for r in operation.results),
                    shardings_of(operation),
                )
            )
        for region in operation.regions:
            for block in region:
                for inner in block:
                    visit(inner)

    visit(module.operation)
    return rows


def aligned(ours, theirs):
    """Pairs of rows; None where one side has no counterpart."""
    if [a[0] for a in ours] == [b[0] for b in theirs]:
        yield from zip(ours, theirs)
        return
    matcher = difflib.SequenceMatcher(
        None, [a[0] for a in ours], [b[0] for b in theirs], autojunk=len(ours) > 20000
    )
    for tag, i1, i2, k1, k2 in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(ours[i1:i2], theirs[k1:k2])
        else:
            yield from ((a, None) for a in ours[i1:i2])
            yield from ((None, b) for b in theirs[k1:k2])


def compare(ours, theirs, verbose):
    same = total = 0
    for a, b in aligned(ours, theirs):
        count = max(len(row[1]) for row in (a, b) if row)
        equal = sum(x == y for x, y in zip(a[1], b[1])) if a and b else 0
        same, total = same + equal, total + count
        if verbose and equal < count:
            print(f"    {(a or b)[0][:100]}\n      tess   {a and a[1]}\n      shardy {b and b[1]}")
    return same, total


def check_module(context, path, tess, verbose):
    """(same values, all values, remark)"""
    text = program_text(path)
    with context:
        try:
            module = ir.Module.parse(text)
            passmanager.PassManager.parse(f"builtin.module({PIPELINE})").run(module.operation)
        except Exception as error:
            return None, None, "shardy refuses it: " + str(error).split("\n")[0][:100]
        start = time.time()
        done = subprocess.run([tess, "opt", path, "-" + PIPELINE], text=True, capture_output=True)
        spent = time.time() - start
        theirs = rows_of(module)
        total = sum(len(row[1]) for row in theirs)
        if done.returncode != 0:
            return 0, total, "tess: " + (done.stderr.split("\n")[0] or f"status {done.returncode}")
        try:
            ours = rows_of(ir.Module.parse(done.stdout))
        except Exception as error:
            return 0, total, "text not understood: " + str(error).split("\n")[0][:100]
    same, total = compare(ours, theirs, verbose)
    return same, total, f"{spent * 1e3:.0f} ms"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--modules", type=float, default=80)
    parser.add_argument("--values", type=float, default=97)
    parser.add_argument("-v", action="store_true")
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    context = make_context()
    context.emit_error_diagnostics = True
    modules = good = same_values = values = 0
    for path in program_files(options.paths):
        same, total, remark = check_module(context, path, options.tess, options.v)
        if total is None:
            print(f"skip  {os.path.basename(path)}  {remark}", flush=True)
            continue
        state = "same" if same == total else "DIFF"
        print(f"{state}  {os.path.basename(path)}  {same}/{total}  {remark}", flush=True)
        modules, good = modules + 1, good + (same == total)
        same_values, values = same_values + same, values + total
    module_share, value_share = 100 * good / max(modules, 1), 100 * same_values / max(values, 1)
    print(
        f"{good} of {modules} modules ({module_share:.1f} %), "
        f"{same_values} of {values} values ({value_share:.2f} %) agree"
    )
    return 0 if module_share >= options.modules and value_share >= options.values else 1


if __name__ == "__main__":
    sys.exit(main())
