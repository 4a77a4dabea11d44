#!/usr/bin/env python3
"""Compares plans of training steps with all tactics that people use, and with the programs' own annotations.

    cases.py [--tess TESS] [--machines h100x8:512,v5p:256] [--only NAME,...] [--limit BYTES] [--kept FOLDER] PATH...

For each program and machine it finds the best of the tactics below over all mesh shapes that tess tries
(each on its own, --tactic), the cost of the program's annotations if they are for as many devices, and the
plan.  A plan that fits beats a tactic that does not, however long it takes.

The output of tess is kept in FOLDER and not computed again: an interrupted run continues, and only what is
removed from FOLDER is planned anew.  Prints a row for each case as it finishes, as in the table of
docs/plan.md, then in how many cases the plan is at least as good, 5 % and 20 % better.  The exit status is 1
if a plan is worse than a tactic or the annotations, or exceeds the memory limit where a tactic does not."""

import argparse
import glob
import json
import os
import re
import subprocess
import sys

ONE = ["data", "fsdp", "zero2", "features", "context"]
TWO = [
    "data over data; megatron over model",
    "fsdp over data; megatron over model",
    "fsdp over data; megatron-sp over model",
    "zero2 over data; megatron-sp over model",
    "fsdp over data; context over model",
    "fsdp over data; expert over model",
    "expert-fsdp over data; megatron over model",
    "stationary over data; megatron over model",
    "fsdp over data; features over model",
]
MARGIN = 1e-6
USABLE = 0.92  # of a device's memory, where no limit is given


def programs(paths, only):
    for path in paths:
        inside = sorted(glob.glob(os.path.join(path, "*.mlir*"))) if os.path.isdir(path) else [path]
        for file in inside:
            name = os.path.basename(file).split(".")[0]
            if not only or name in only:
                yield name, file


class Case:
    def __init__(self, options, path, machine):
        self.options, self.path = options, path
        self.target, self.devices = machine.split(":")

    def tess(self, *more):
        """(fits, seconds, the JSON), or None."""
        limit = ["--limit", self.options.limit] if self.options.limit else []
        status, plan = self.ask("plan", "--devices", self.devices, *limit, *more)
        if status not in (0, 1) or not plan:
            return None
        return status == 0, plan["step_seconds"], plan

    def ask(self, command, *more):
        """The status of tess and its JSON, None if there is none."""
        kept = self.kept_in(command, *more)
        if kept and os.path.exists(kept):
            with open(kept, encoding="utf-8") as file:
                return json.load(file)
        command = [self.options.tess, command, self.path, "--target", self.target, "--json", *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        said = done.returncode, json.loads(done.stdout) if done.stdout else None
        if kept:
            with open(kept, "w", encoding="utf-8") as file:
                json.dump(said, file)
        return said

    def kept_in(self, *words):
        if not self.options.kept:
            return None
        name = os.path.basename(self.path).split(".")[0]
        words = [re.sub(r"\W+", "-", w).strip("-") for w in (name, self.target, *words)]
        return os.path.join(self.options.kept, "_".join(words) + ".json")

    def annotations_fit(self):
        _, report = self.ask("report")
        return report["memory"]["peak"] <= USABLE * report["target_memory"]

    def best_tactic(self):
        best = None
        for tactic in [f"{t} over data" for t in ONE] + TWO:
            said = self.tess("--tactic", tactic)
            key = said and (not said[0], said[1] if said[0] else said[2]["peak_bytes"])
            if key and (not best or key < best[0]):
                best = key, tactic, said
        return best and best[1:]


def milli(seconds):
    return f"{seconds * 1e3:.4g}" if seconds else "-"


def told(said):
    return "-" if not said else milli(said[1]) if said[0] else f"{said[2]['peak_bytes'] / 1e9:.0f} GB: no"


def judge(case, name):
    """The row, and the ratio of the best tactic's time to the plan's; None: the plan is worse."""
    plan, best = case.tess(), case.best_tactic()
    if not plan:
        print(f"| {name} | {case.target} | {case.devices} | no plan |", flush=True)
        return None
    fits, seconds, data = plan
    given = data["annotated_step_seconds"]
    mesh = " x ".join(f"{n}={k}" for n, k in data["mesh"].items())
    tactic, said = best or ("-", None)
    ratio = said[1] / seconds if said and said[0] and fits else float("inf") if fits else 1.0
    good = not (said and said[0]) or (fits and seconds <= said[1] * (1 + MARGIN))
    if not fits and not (said and said[0]):
        good = not said or data["peak_bytes"] <= said[2]["peak_bytes"] * (1 + MARGIN)
    beats = not given or not case.annotations_fit() or (fits and seconds <= given * (1 + MARGIN))
    print(f"| {name} | {case.target} | {case.devices} | {told(plan)} | {data['peak_bytes'] / 1e9:.3g} | "
          f"{mesh} | {told(said)} | {tactic} | {milli(given)} | "
          f"{'' if good and beats else 'worse'} | {data['search_seconds']:.2g} |", flush=True)
    return ratio if good and beats else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--machines", default="h100x8:64,h100x8:512,h100x8:4096,v5p:256")
    parser.add_argument("--limit", help="memory of a device, as of tess plan")
    parser.add_argument("--kept", metavar="FOLDER", help="where what tess says is kept")
    parser.add_argument("--only", help="names of programs, with commas")
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    only = options.only.split(",") if options.only else None
    if options.kept:
        os.makedirs(options.kept, exist_ok=True)
    print("| program | machine | devices | plan, ms | GB | mesh | best tactic, ms | which | annotated, ms | | "
          "search, s |\n|---|---|--:|--:|--:|---|--:|---|--:|---|--:|", flush=True)
    ratios = [
        judge(Case(options, path, machine), name)
        for name, path in programs(options.paths, only)
        for machine in options.machines.split(",")
    ]
    good = [r for r in ratios if r is not None]
    print(f"{len(good)} of {len(ratios)} as good as all tactics and annotations, "
          f"{sum(r >= 1.05 for r in good)} 5 % better than the best tactic, {sum(r >= 1.2 for r in good)} 20 %")
    sys.exit(len(good) < len(ratios) or not ratios)


if __name__ == "__main__":
    main()
