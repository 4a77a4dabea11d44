#!/usr/bin/env python3
"""Compares `tess hlo` with jaxlib's own printing of HLO text.

    PYTHON-WITH-JAX tests/conformance/xla/hlo_text.py --tess build/tess FILE-OR-FOLDER...

Each MLIR module is lowered to HLO, and compiled for 8 host devices, by jaxlib.  Both texts
are printed in full, then read by tess and printed without metadata, and in canonical form.
The collectives that `tess hlo --stats` counts are compared with a count over the text, and
for compiled modules, which are partitioned, with those of `tess report`.
Prints a line per module, with -v what differs, and the totals; the exit status is 1 if
fewer than --percent of the texts agree.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from xla_modules import files_in, keep, lowered_and_compiled  # noqa: E402

COLLECTIVES = (
    "all-gather",
    "all-reduce",
    "all-to-all",
    "collective-broadcast",
    "collective-permute",
    "ragged-all-to-all",
    "reduce-scatter",
)


def texts_of(path):
    """[(kind, full text, {style: expected})]; runs in a process of its own."""
    from jaxlib import _hlo

    def printed(module):
        plain = _hlo.HloPrintOptions()
        plain.print_metadata = False
        return {
            "default": module.to_string(plain),
            "canonical": module.to_string(_hlo.HloPrintOptions.canonical()),
        }

    return [
        (kind, module.to_string(), printed(module)) for kind, module in lowered_and_compiled(path)
    ]


def run(tess, arguments, text):
    return subprocess.run(
        tess + ["hlo", "-"] + arguments, input=text, capture_output=True, text=True
    )


def count_collectives(text):
    """Instructions, not computations; a pair of start and done counts once."""
    counts = {}
    for name in re.findall(r" ([a-z-]+)\(", text):
        name = name.removesuffix("-start")
        if name in COLLECTIVES:
            counts[name] = counts.get(name, 0) + 1
    return counts


def reported(tess, command, text, key, read):
    """Counts by opcode of what a command's JSON lists as collectives; None if it fails."""
    done = subprocess.run(
        tess + command + ["--json", "-"], input=text, capture_output=True, text=True
    )
    if done.returncode:
        return None
    counts = {}
    for collective in json.loads(done.stdout)["collectives"]:
        opcode = read(collective[key])
        counts[opcode] = counts.get(opcode, 0) + 1
    return counts


def differences(tess, kind, text, wanted):
    problems = []
    for style, want in wanted.items():
        extra = ["--no-metadata"] if style == "default" else ["--style", style]
        got = run(tess, extra, text)
        if got.returncode or got.stdout != want:
            lines = difflib.unified_diff(
                want.splitlines(), got.stdout.splitlines(), lineterm="", n=0
            )
            problems.append(f"{style}: {got.stderr}" + "\n".join(list(lines)[:8]))
    counted = count_collectives(text)
    stats = reported(tess, ["hlo", "--stats"], text, "opcode", str)
    if stats != counted:
        problems.append(f"hlo --stats: {stats}, in the text {counted}")
    report = reported(tess, ["report"], text, "op", lambda op: op.split(".")[-1].replace("_", "-"))
    if report is None or kind == "compiled" and report != counted:
        problems.append(f"report: {report}, in the text {counted}")
    return problems


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--percent", type=float, default=98)
    parser.add_argument("-v", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER", help="write jaxlib's texts there")
    parser.add_argument("--texts", help=argparse.SUPPRESS)  # of one module, for a child process
    parser.add_argument("paths", nargs="*")
    arguments = parser.parse_args()
    if arguments.texts:
        json.dump(texts_of(arguments.texts), sys.stdout)
        return 0
    agree = total = 0
    for path in files_in(arguments.paths):
        child = subprocess.run(
            [sys.executable, __file__, "--texts", path], capture_output=True, text=True
        )
        if child.returncode:
            print(f"{path}: jaxlib fails: {(child.stderr.strip().splitlines() or ['it dies'])[-1]}")
            continue
        for kind, text, wanted in json.loads(child.stdout):
            keep(arguments.keep, path, kind + ".hlo", text.encode())
            problems = differences(arguments.tess.split(), kind, text, wanted)
            total += 1
            agree += not problems
            print(f"{os.path.basename(path)} {kind}: {'differs' if problems else 'same'}")
            if arguments.v:
                print("\n".join(problems))
    print(f"{agree} of {total} texts agree")
    return 1 if not total or 100 * agree < arguments.percent * total else 0


sys.exit(main())
