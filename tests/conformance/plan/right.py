#!/usr/bin/env python3
"""Plans programs, and checks that the written program has the planned cost and computes the same.

    right.py [--tess TESS] [--devices 8] [--target MACHINE [--shrink]] [--only NAME,...] PATH...

Each program of the paths (.mlir, .mlir.gz, or folders of them) is planned for the machines of machines.txt,
and for the first of them with three quarters of the memory that the plan takes; or, with --target, for that
machine alone.  The program that -o writes must have, in a report on the same machine, the planned step time
and peak to 0.1 %, and `tess verify` must find that it computes what the given program computes.

Prints what is wrong, then a line for each machine, and finally how many plans passed; the exit status is 1 if
one did not.  Programs that cannot be planned (no @main, shapes that are not static) are listed with the reason
and not counted.  For programs that cannot be run (custom calls) only the costs are compared."""

import argparse
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CLOSE = 1e-3
LESS = 0.75  # of the memory that a plan takes without a limit


def programs(paths, only):
    for path in paths:
        inside = sorted(glob.glob(os.path.join(path, "*.mlir*"))) if os.path.isdir(path) else [path]
        for file in inside:
            if not only or os.path.basename(file).split(".")[0] in only:
                yield file


class Judge:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.counts = collections.defaultdict(lambda: [0, 0])  # right, wrong
        self.unplanned, self.not_run = [], set()

    def tess(self, *arguments):
        command = [self.options.tess, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)

    def plan(self, path, target, *more):
        """The JSON, the program and None; or two Nones and what tess says."""
        out = os.path.join(self.folder, "planned.mlir")
        command = ["plan", path, "--target", target, "--devices", str(self.options.devices)]
        done = self.tess(*command, "--json", "-o", out, *more)
        if done.returncode not in (0, 1) or not done.stdout:
            return None, None, (done.stderr.strip() or f"status {done.returncode}").split("\n")[0]
        return json.loads(done.stdout), out, None

    def faults(self, plan, out, target):
        """What is wrong with a plan."""
        done = self.tess("report", out, "--target", target, "--json")
        if done.returncode not in (0, 1) or not done.stdout:
            yield "report: " + done.stderr.strip()
        else:
            report = json.loads(done.stdout)
            said = report["step"]["overlapped_seconds"], report["memory"]["peak"]
            for of, planned, reported in zip(
                ("step", "peak"), (plan["step_seconds"], plan["peak_bytes"]), said
            ):
                if abs(planned - reported) > CLOSE * planned:
                    yield f"{of}: {planned} planned, {reported} reported"
        done = self.tess("verify", out, *(["--shrink"] if self.options.shrink else []))
        if "error[E07" in done.stderr:
            self.not_run.add(done.stderr.splitlines()[0].split("error", 1)[1])
        elif done.returncode:
            yield "verify: " + (done.stdout + done.stderr).strip()

    def judge(self, path, case, target, *more):
        plan, out, why = self.plan(path, target, *more)
        if not plan:
            return None, why
        faults = list(self.faults(plan, out, target))
        self.counts[case][bool(faults)] += 1
        for fault in faults:
            print(f"{os.path.basename(path)}, {case}, {plan['mesh']}: {fault}", flush=True)
        return plan, None

    def judge_all(self, path):
        machines = os.path.join(HERE, "machines.txt")
        target = self.options.target
        first, why = self.judge(path, target or "small", target or machines + ":small")
        if not first:
            self.unplanned.append(f"{os.path.basename(path)}: {why}")
        if not first or target:
            return
        self.judge(path, "torus", machines + ":torus")
        limit = str(max(int(LESS * first["peak_bytes"]), 1))
        self.judge(path, "limit", machines + ":small", "--limit", limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--target", help="the only machine")
    parser.add_argument("--shrink", action="store_true", help="verify programs made smaller")
    parser.add_argument("--only", help="names of programs, with commas")
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    only = options.only.split(",") if options.only else None
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(options, folder)
        for path in programs(options.paths, only):
            judge.judge_all(path)
    for line in judge.unplanned:
        print("not planned:", line)
    for line in sorted(judge.not_run):
        print("not run:", line)
    for case, (right, wrong) in judge.counts.items():
        print(f"{case}: {right} passed, {wrong} failed")
    right, wrong = (sum(c[i] for c in judge.counts.values()) for i in (0, 1))
    print(f"{right} passed, {wrong} failed")
    sys.exit(wrong > 0 or right == 0)


if __name__ == "__main__":
    main()
