#!/usr/bin/env python3
"""Compares the memory and the collectives of `tess report` with those of XLA's CPU compiler.

    PYTHON-WITH-JAXLIB tests/conformance/xla/memory.py --tess build/tess [--cache FILE] [--limit S]
        [--table docs/memory.md] FILE-OR-FOLDER...

XLA compiles each program for as many virtual devices as it is partitioned over, with
Shardy as the partitioner, in a process of its own that may take --limit seconds.  XLA's
figures go to the cache, so a second run takes no time.  A program passes if

- bytes of arguments and of results are the same, and
- XLA's peak (arguments + results - aliased + temporaries) is within 15 % of the range
  from `temporaries_lower` (element-wise chains fused, temporaries in the memory of results
  that are not written yet) to `temporaries_upper` (everything kept, in program order).

memory_programs.py writes programs on which the model's constants were not chosen.
--table rewrites the rows of a Markdown table whose programs are compared.

The column "off" is the difference between the figure that the report shows and XLA's peak.
docs/memory.md explains the differences.  Prints 'N passed, N failed' and how many of all
are within 15 % with that one figure; the exit status is 1 below --percent.
"""

import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from programs import program_files, program_name  # noqa: E402

XLA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xla_memory.py")


def compile_with_xla(path, devices, limit):
    try:
        done = subprocess.run(
            [sys.executable, XLA, path, str(devices)], text=True, capture_output=True, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return {"error": f"more than {limit} s"}
    if done.returncode == 0:
        return json.loads(done.stdout)
    said = [l for l in done.stderr.strip().splitlines() if l.strip()]
    return {"error": said[-1][:150] if said else f"status {done.returncode}"}


def report_of(tess, path, *options):
    done = subprocess.run(
        [tess, "report", "--json", *options, path], text=True, capture_output=True, timeout=60
    )
    return json.loads(done.stdout) if done.returncode == 0 else None


def collectives_of(report):
    found = {}
    for c in report["collectives"]:
        entry = found.setdefault(c["op"].replace("stablehlo.", "").replace("_", "-"), [0, 0])
        entry[0] += 1
        entry[1] += c["result_bytes"]
    return found


SHORT = {
    "all-reduce": "ar",
    "all-gather": "ag",
    "reduce-scatter": "rs",
    "all-to-all": "aa",
    "collective-permute": "cp",
}


def brief(found):
    return " ".join(f"{SHORT.get(k, k)}{n}/{b / 1e3:.3g}k" for k, (n, b) in sorted(found.items()))


def in_words(n):
    """12300000: "12.3 MB"."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if n < 999.5 or unit == "TB":
            return f"{n:.3g} {unit}"
        n /= 1000


def table_row(name, v, xla, ours):
    sides = (
        ", ".join(f"{n} {SHORT.get(k, k)} {in_words(b)}" for k, (n, b) in sorted(c.items()))
        for c in (xla, ours)
    )
    return (
        f"| {name} | {in_words(v.xla)} | {in_words(v.peak)} ({v.off * 100:+.0f} %) | "
        f"{in_words(v.low)} – {in_words(v.high)} | {' | '.join(s or '-' for s in sides)} |"
    )


def rewrite_table(path, rows):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    with open(path, "w", encoding="utf-8") as f:
        f.write(
            "\n".join(
                rows.get(line.split("|")[1].strip() if line.startswith("| ") else "", line)
                for line in lines
            )
        )


class Verdict:
    def __init__(self, ours, xla):
        m = ours["memory"]
        fixed = m["arguments"] + m["results"] - m["donated"]
        self.inexact = [k for k in ("arguments", "results") if m[k] != xla[k]]
        self.xla = xla["arguments"] + xla["results"] - xla["aliased"] + xla["temporaries"]
        self.low, self.high = fixed + m["temporaries_lower"], fixed + m["temporaries_upper"]
        self.peak = m["peak"]
        self.off = self.peak / max(self.xla, 1) - 1
        self.within = self.low / 1.15 <= self.xla <= self.high * 1.15
        self.passed = self.within and not self.inexact
        self.verdict = "" if self.passed else "  FAILED " + (", ".join(self.inexact) or "peak")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--cache")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--percent", type=float, default=80)
    parser.add_argument("--table")
    parser.add_argument("paths", nargs="+")
    o = parser.parse_args()
    cache = json.load(open(o.cache)) if o.cache and os.path.exists(o.cache) else {}
    passed = failed = left_out = close = 0
    rows = {}
    print(
        f"{'program':28} {'XLA peak':>12} {'ours':>12} {'off':>7}  {'lower':>12} {'upper':>12}  "
        "collectives: XLA | ours"
    )
    for path in program_files(o.paths):
        name = program_name(path)
        ours = report_of(o.tess, path, "--target", "cpu")
        if not ours:
            print(f"{name:28} refused by tess")
            left_out += 1
            continue
        if name not in cache:
            cache[name] = compile_with_xla(path, ours["devices"], o.limit)
            if o.cache:
                json.dump(cache, open(o.cache, "w"), indent=1)
        xla = cache[name]
        if "error" in xla:
            print(f"{name:28} left out: {xla['error']}")
            left_out += 1
            continue
        v = Verdict(ours, xla)
        passed, failed = passed + v.passed, failed + (not v.passed)
        close += not v.inexact and abs(v.off) <= 0.15
        rows[name] = table_row(name, v, xla["collectives"], collectives_of(ours))
        print(
            f"{name:28} {v.xla:12,} {v.peak:12,} {v.off:+7.1%}  {v.low:12,} {v.high:12,}  "
            f"{brief(xla['collectives'])} | {brief(collectives_of(ours))}"
            f"{v.verdict}",
            flush=True,
        )
    if o.table:
        rewrite_table(o.table, rows)
    print(
        f"{passed} passed, {failed} failed, {left_out} left out; with the one figure {close} of "
        f"{passed + failed} are within 15 %"
    )
    return 0 if 100 * passed >= o.percent * (passed + failed) else 1


if __name__ == "__main__":
    sys.exit(main())
