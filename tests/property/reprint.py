#!/usr/bin/env python3
"""Prints programs by every command that prints some, and reads what was printed again.

    tests/property/reprint.py [--tess build/tess] [--few] [FILE|FOLDER]...

Without paths: the examples, and $TESS_CORPUS or ../shared/corpus where it is.  --few: one spelling
of each command only.  What a command prints must be a program that is read, verified, and then
printed as it was.  What `tess partition` prints, besides: no sdy attribute, one operand for each
collective, and neither partition nor shard takes it for a whole program.  A command may refuse
a program.  Exit status 1 if anything fails.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from programs import program_files  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FEW = [
    ["shard"],
    ["partition"],
    ["partition", "--merge"],
    ["convert", "--to-hlo"],
    ["opt", "-sdy-propagation-pipeline"],
]
MORE = [
    ["opt"],
    ["opt", "--mlir-print-op-generic"],
    ["opt", "--mlir-print-debuginfo"],
    ["opt", "--mlir-print-local-scope", "-sdy-import-pipeline"],
    ["opt", "-inline", "-canonicalize", "-cse"],
    [
        "opt",
        "-sdy-propagation-pipeline",
        "-sdy-insert-explicit-reshards=enable-full-version=true",
        "-sdy-reshard-to-collectives",
    ],
    ["shard", "--mesh", "other=2,more=4"],
    ["partition", "--bare"],
    ["partition", "--reshard-policy", "sdy"],
]
COLLECTIVE = re.compile(r'"stablehlo\.(all_\w+|reduce_scatter|collective_\w+)"\(([^)]*)\) <\{(.*)')


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr.strip()


def first_difference(a, b):
    pairs = zip(a.splitlines() + [""], b.splitlines() + [""])
    for number, (x, y) in enumerate(pairs, 1):
        if x != y:
            return f"line {number}: {x.strip()[:120]} | {y.strip()[:120]}"
    return "one is longer"


def reread_mlir(tess, path, printed, generic):
    """What is wrong with a printed program; '' if it is read and printed as it was."""
    plain = [tess, "opt", path] + generic
    status, again, errors = run(plain)
    if status:
        return f"is not read again: {errors.splitlines()[0] if errors else status}"
    if "%" not in printed or again == printed:
        return ""
    with open(path, "w", encoding="utf-8") as f:  # names of values may have been kept
        f.write(again)
    status, third, errors = run(plain)
    return "" if third == again else "is printed otherwise: " + first_difference(again, third)


def reread_hlo(tess, path):
    status, again, errors = run([tess, "hlo", "--large-constants", path])
    if status:
        return f"is not read again: {errors.splitlines()[0] if errors else status}"
    status, _, errors = run([tess, "convert", path])
    return f"is not converted back: {errors.splitlines()[0]}" if status else ""


def wrong_local(tess, path, text, command):
    """What is wrong with a printed program of one device."""
    if "sdy.sharding =" in text:
        return "has an sdy.sharding"
    for name, operands, rest in COLLECTIVE.findall(text) if "--merge" not in command else ():
        if operands.count("%") > 1 + ("has_dynamic_root" in rest):
            return f"has an {name} of several operands"
    if "tess.global_type" not in text:
        return ""
    for again in "partition", "shard":
        status, _, errors = run([tess, again, path])
        if status != 1 or "E0607" not in errors:
            return f"is taken by tess {again}"
    return ""


def check(tess, source, command, folder):
    """(whether it was printed, what is wrong)"""
    status, text, errors = run([tess, *command, source])
    if status:
        crashed = status < 0 or "error" not in errors + text
        return False, f"status {status}: {errors[:200]}" if crashed else ""
    path = os.path.join(folder, "printed.mlir")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    if "--to-hlo" in command:
        return True, reread_hlo(tess, path)
    wrong = wrong_local(tess, path, text, command) if command[0] == "partition" else ""
    generic = [x for x in command if x.startswith("--mlir-print")]
    return True, wrong or reread_mlir(tess, path, text, generic)


def usual_paths():
    found = [os.path.join(ROOT, "examples")]
    for corpus in os.environ.get("TESS_CORPUS"), os.path.join(ROOT, "../shared/corpus"):
        if corpus and os.path.isdir(corpus):
            return found + [corpus]
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default=os.path.join(ROOT, "build/tess"))
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--largest", type=int, default=1 << 20, help="bytes of a file at most")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    tess = os.path.abspath(options.tess)
    printed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in program_files(options.paths or usual_paths()):
            if os.path.getsize(source) > options.largest:
                print(f"skipped {source}: larger than {options.largest} bytes")
                continue
            for command in FEW if options.few else FEW + MORE:
                done, wrong = check(tess, source, command, folder)
                printed += done
                if wrong:
                    failed += 1
                    print(f"FAILED  {source}: tess {' '.join(command)}: {wrong}", flush=True)
    print(f"{printed} programs printed and read again, {failed} failures")
    sys.exit(1 if failed or not printed else 0)


if __name__ == "__main__":
    main()
