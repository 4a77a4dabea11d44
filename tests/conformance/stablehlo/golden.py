#!/usr/bin/env python3
"""Evaluates StableHLO's own test programs with `tess eval`.

    python3 tests/conformance/stablehlo/golden.py --tess build/tess STABLEHLO [--set NAME]... [FILE...]

STABLEHLO is a source tree of openxla/stablehlo.  The sets:

    testdata    stablehlo/testdata: JAX's primitives, with their expected results
    quantized   stablehlo/testdata/quantized
    interpret   stablehlo/tests/interpret, part by part
    math        stablehlo/tests/math
    dynamic     stablehlo/testdata/dynamic: programs of unknown dimensions, without expected
                results.  tess runs them on arguments of a few sizes; the judge is StableHLO's
                reference interpreter after its own refinement of shapes, which needs a Python
                with jaxlib (--reference)

Programs judge themselves by their check operations, with these tolerances: expect_close, 3 units
in the last place (unless the operation says otherwise); expect_almost_eq, 0.001 (0.0001 as an
operation of the check dialect); expect_eq, equal, where any NaN equals any NaN.  A part that has
checks passes if tess reports that it executed at least one and that none failed.

Prints passed, failed and not applicable for each set, and the reason for each part that has not
passed.  StableHLO disables some programs (their RUN line says RUN-DISABLED), because its interpreter
lacks something or the expected numbers are not accurate.  If such a program fails, it is listed,
but is not an error.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SETS = {
    "testdata": "stablehlo/testdata",
    "quantized": "stablehlo/testdata/quantized",
    "interpret": "stablehlo/tests/interpret",
    "math": "stablehlo/tests/math",
    "dynamic": "stablehlo/testdata/dynamic",
}
SIZES = (3, 8)  # of what a program of the dynamic set leaves open


def first_error(text):
    for line in text.splitlines():
        if "error" in line:
            return re.sub(r"^.*?(error)", r"\1", line)[:150]
    return (text.strip().splitlines() or ["no message"])[0][:150]


def run_tess(options, arguments, text):
    """(exit status, standard output, standard error); the status is negative after a signal."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        try:
            done = subprocess.run(
                options.tess.split() + ["eval", file.name] + arguments,
                text=True,
                capture_output=True,
                errors="replace",
                timeout=20,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return -1, "", "error: no end after 20 s"
        return done.returncode, done.stdout, done.stderr


def pieces_of(text):
    """The programs of a file, and nothing between them."""
    return [
        x for x in re.split(r"(?m)^.*// -----.*\n", text) if re.search(r"(?m)^\s*(func|module)", x)
    ]


def judge_by_checks(options, text):
    """("passed" | "failed" | "not applicable", why) of a program with check operations."""
    status, out, err = run_tess(options, ["--json"], text)
    if status:
        return "failed", first_error(err)
    wanted = bool(re.search(r"\bcheck\.\w+", text))
    if wanted and not json.loads(out)["checks"]:
        return "failed", "no check was obeyed"
    return "passed", "" if wanted else "without checks"


def judge_by_filecheck(options, text, prefix):
    """A program whose printed results a CHECK comment describes."""
    tool = shutil.which("FileCheck") or "/usr/lib/llvm-19/bin/FileCheck"
    if not os.path.exists(tool):
        return "not applicable", "needs FileCheck"
    out = ""
    for piece in pieces_of(text):
        status, printed, err = run_tess(options, [], piece)
        if status:
            return "failed", first_error(err)
        out += printed
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(
            [tool, file.name, "--check-prefix=" + prefix],
            input=out,
            text=True,
            capture_output=True,
            check=False,
        )
    return ("passed", "") if not done.returncode else ("failed", first_error(done.stderr))


def judge_dynamic(options, path):
    """A program of unknown dimensions against the reference."""
    if not options.reference:
        return "not applicable", "needs --reference PYTHON"
    helper = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden_dynamic.py")
    why = ""
    for size in SIZES:
        done = subprocess.run(
            [options.reference, helper, "--tess", options.tess, "--size", str(size), path],
            text=True,
            capture_output=True,
            check=False,
        )
        lines = done.stdout.strip().splitlines() or [
            f"reference ended with status {done.returncode}"
        ]
        verdict, _, why = lines[-1].partition(":")
        if verdict != "passed":
            return (verdict if verdict == "failed" else "not applicable"), why
    return "passed", why


def parts_of(name, path):
    """[(label, how, text)] of a file; how: checks, dynamic, skip: REASON, or a prefix of FileCheck."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    label = os.path.relpath(path, os.path.dirname(os.path.dirname(path)))
    if name == "dynamic":
        return [(label, "dynamic", text)]
    if "--args=" in text:
        return [(label, "skip: arguments on the reference's command line", text)]
    if "FileCheck" in text:
        return [(label, "CHECK-DENSE" if "CHECK-DENSE" in text else "CHECK", text)]
    pieces = pieces_of(text)
    number = "#{}" if len(pieces) > 1 else ""
    return [(label + number.format(i + 1), "checks", piece) for i, piece in enumerate(pieces)]


def disabled_by(text):
    """Why StableHLO itself does not run the program; "" if it does."""
    found = re.match(r"// RUN-DISABLED\(([^)]*)\)", text)
    return found.group(1) if found else ""


def judge(options, path, part):
    _, how, text = part
    if how == "dynamic":
        return judge_dynamic(options, path)
    if how.startswith("skip: "):
        return "not applicable", how[6:]
    if how == "checks":
        return judge_by_checks(options, text)
    return judge_by_filecheck(options, text, how)


def files_of(options, name):
    folder = os.path.join(options.stablehlo, SETS[name])
    found = []
    for root, folders, files in os.walk(folder):
        if name == "testdata":
            folders.clear()
        found += [os.path.join(root, f) for f in files if f.endswith(".mlir")]
    return sorted(f for f in found if not options.only or any(o in f for o in options.only))


def run_set(options, name):
    """The number that failed though StableHLO runs them."""
    counts = collections.Counter()
    work = [(path, part) for path in files_of(options, name) for part in parts_of(name, path)]
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        verdicts = pool.map(lambda w: judge(options, *w), work)
        for (_, (label, _, text)), (verdict, why) in zip(work, verdicts):
            counts[verdict] += 1
            reason = disabled_by(text)
            if verdict == "failed" and reason:
                counts["disabled"] += 1
                why = f"(disabled by StableHLO: {reason}) {why}"
            if verdict != "passed" or options.v:
                print(f"{label}: {verdict}: {why}", flush=True)
    print(
        f"{name}: {counts['passed']} passed, {counts['failed']} failed, "
        f"{counts['not applicable']} not applicable"
        + f"; {counts['disabled']} of those that failed are disabled by StableHLO"
        * (counts["disabled"] > 0),
        flush=True,
    )
    return counts["failed"] - counts["disabled"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--set", action="append", choices=sorted(SETS), help="default: all")
    parser.add_argument("--reference", metavar="PYTHON", help="a Python with jaxlib and numpy")
    parser.add_argument("-j", type=int, default=1, help="programs at a time")
    parser.add_argument("-v", action="store_true", help="a line for those that pass, too")
    parser.add_argument("stablehlo", help="a source tree of openxla/stablehlo")
    parser.add_argument("only", nargs="*", help="files whose path contains this")
    options = parser.parse_args()
    failed = sum(run_set(options, name) for name in options.set or SETS)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
