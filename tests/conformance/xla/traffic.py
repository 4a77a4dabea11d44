#!/usr/bin/env python3
"""Compares the bytes that `tess report` says a program accesses with XLA's, after fusion.

    PYTHON-WITH-JAXLIB tests/conformance/xla/traffic.py --tess build/tess [--for cpu|cuda]
        [--cache FILE] [--limit S] [--table docs/costs.md] FILE-OR-FOLDER...

XLA compiles the programs for one device, each in a process of its own (xla_traffic.py).

With `--for cpu`, the figure is that of jaxlib's CPU compiler (cost_analysis()).  It counts one iteration of
a loop, and all branches.  So for programs with loops or branches, the optimized HLO is counted by the same rules
instead (hlo_traffic.py), each loop as often as it runs.  With `--for cuda`, the compiler is that of PyPI's
jax-cuda13-pjrt, which compiles for an H100 without one.  Without a device it has no figure, so its HLO is
counted.

Prints 'N of N within 25 %', and how often XLA's own figure, where it has one, is the counted one.
--table rewrites the rows of a Markdown table.
"""

import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from memory import in_words, report_of, rewrite_table  # noqa: E402
from programs import program_files, program_name  # noqa: E402

XLA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xla_traffic.py")
TARGETS = {"cpu": "cpu", "cuda": "h100x8"}


def compile_with_xla(path, platform, limit):
    try:
        done = subprocess.run(
            [sys.executable, XLA, path, platform], text=True, capture_output=True, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return {"error": f"more than {limit} s"}
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    said = [l for l in done.stderr.strip().splitlines() if l.strip()]
    return {"error": said[-1][:150] if said else f"status {done.returncode}"}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--for", dest="platform", choices=TARGETS, default="cpu")
    parser.add_argument("--cache")
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--percent", type=float, default=80)
    parser.add_argument("--table")
    parser.add_argument("paths", nargs="+")
    o = parser.parse_args()
    cache = json.load(open(o.cache)) if o.cache and os.path.exists(o.cache) else {}
    close = compared = left_out = agreed = said = 0
    rows = {}
    print(f"{'program':28} {'XLA':>10} {'ours':>10} {'off':>7}  {'unfused':>10}")
    for path in program_files(o.paths):
        name = program_name(path)
        ours = report_of(o.tess, path, "--target", TARGETS[o.platform])
        if not ours:
            print(f"{name:28} refused by tess")
            left_out += 1
            continue
        if ours["devices"] != 1:
            continue
        key = f"{name}.{o.platform}"
        if key not in cache:
            cache[key] = compile_with_xla(path, o.platform, o.limit)
            if o.cache:
                json.dump(cache, open(o.cache, "w"), indent=1)
        xla = cache[key]
        if "error" in xla:
            print(f"{name:28} left out: {xla['error']}")
            left_out += 1
            continue
        if xla["said"] and not xla["loops"]:
            said += 1
            agreed += abs(xla["counted"] / xla["said"] - 1) <= 0.02
        theirs = xla["said"] if xla["said"] and not xla["loops"] else xla["counted"]
        work = ours["work"]
        off = work["bytes"] / max(theirs, 1) - 1
        compared += 1
        close += abs(off) <= 0.25
        rows[name] = (
            f"| {name} | {in_words(theirs)} | {in_words(work['bytes'])} ({off * 100:+.0f} %) | "
            f"{in_words(work['unfused_bytes'])} |"
        )
        print(
            f"{name:28} {in_words(theirs):>10} {in_words(work['bytes']):>10} {off:+7.1%}  "
            f"{in_words(work['unfused_bytes']):>10}{'' if abs(off) <= 0.25 else '  FAILED'}",
            flush=True,
        )
    if o.table:
        rewrite_table(o.table, rows)
    print(f"{close} of {compared} within 25 %, {left_out} left out; ", end="")
    print(f"XLA's own figure is the counted one in {agreed} of {said}")
    return 0 if compared and 100 * close >= o.percent * compared else 1


if __name__ == "__main__":
    sys.exit(main())
