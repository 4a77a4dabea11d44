#!/usr/bin/env python3
"""Compares plans with answers that others have published.

    PYTHON-WITH-JAX known.py [--tess TESS] [--only WORD]

The models are those of the publications with four layers instead of 32 to 80 (models.py).

- KempnerForge (mfu_scaling.md, four H200 per node) says which of several plans runs more tokens per second.
  Here the plans are tactics of `data` and `model`.  Their order must be the published one, and the plan that
  is found for the same batch must be at least as fast as the fastest.
- AutoParallel (test_optimize_placement.py) finds FSDP or data parallelism on one axis, FSDP with tensor
  parallelism on two, and Megatron's block, columns then rows, in a node with one sequence each.  The plan
  that is found for the mesh must be the same, or faster.

Each row has the published plan, its predicted step and peak, and the plan that was found, with where they
differ.  The exit status is 1 if an order is wrong, if a found plan is slower, or if it does not fit where
the published one does."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import models

HERE = os.path.dirname(os.path.abspath(__file__))
KEMPNER = os.path.join(os.path.dirname(HERE), "costs", "machines.txt") + ":h200x4"
SAME = 1e-4

SEVEN = dict(layers=4, d=4096, heads=32, ff=11008, seq=4096)
THIRTEEN = dict(layers=4, d=5120, heads=40, ff=13824, seq=4096)
EIGHT = dict(layers=4, d=4096, heads=32, ff=14336, seq=8192, recompute=False)
SEVENTY = dict(layers=4, d=8192, heads=64, ff=28672, seq=8192)

FSDP, BOTH, TP = "fsdp over data", "fsdp over data; megatron over model", "megatron over model"
# Fastest first: model, devices, [(mesh, tactic, sequences of a step)].
ORDERS = [
    ("7B on 4", SEVEN, [("data=4", FSDP, 16), ("data=2,model=2", BOTH, 8), ("model=4", TP, 4)]),
    ("7B on 2", SEVEN, [("data=2", FSDP, 8), ("model=2", TP, 4)]),
    ("13B on 8", THIRTEEN, [("data=8", FSDP, 32), ("data=2,model=4", BOTH, 8)]),
]
# Model, sequences, mesh, what is published.
PLANS = [
    ("AutoParallel 8B, one axis", EIGHT, 8, "data=8", ["data over data", "zero2 over data", FSDP]),
    ("AutoParallel 8B, two axes", EIGHT, 16, "data=8,model=8",
     [BOTH, "fsdp over data; megatron-sp over model"]),
    ("AutoParallel 70B, two axes", SEVENTY, 16, "data=8,model=8",
     [BOTH, "fsdp over data; megatron-sp over model"]),
    ("Megatron's block", EIGHT, 1, "model=8", [TP, "megatron-sp over model"]),
]


class Known:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.good = self.bad = 0

    def program(self, model, batch):
        path = os.path.join(self.folder, f"{model['d']}_{model['seq']}_{batch}.mlir")
        if not os.path.exists(path):
            models.write(path, *models.llama(batch=batch, **model))
        return path

    def plan(self, path, target, *more):
        """Step, peak, whether it fits, and what `tess report` says of the plan."""
        out = os.path.join(self.folder, "planned.mlir")
        command = [self.options.tess, "plan", path, "--target", target, "--json", "-o", out, *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1) or not done.stdout:
            raise RuntimeError(done.stderr)
        plan = json.loads(done.stdout)
        command = [self.options.tess, "report", out, "--target", target, "--json"]
        report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        plan["communication"] = sum(t["seconds"] for t in report["traffic"])
        plan["fits"] = done.returncode == 0
        return plan

    def told(self, plan):
        mesh = " x ".join(f"{n}={k}" for n, k in plan["mesh"].items())
        return (f"{mesh}: {plan['step_seconds'] * 1e3:.4g} ms, links {plan['communication'] * 1e3:.3g} ms, "
                f"{plan['peak_bytes'] / 1e9:.3g} GB{'' if plan['fits'] else ', does not fit'}")

    def count(self, good, text):
        self.good += good
        self.bad += not good
        print(("" if good else "WRONG ") + text, flush=True)

    def judge_found(self, what, found, best):
        slower = found["step_seconds"] > best["step_seconds"] * (1 + SAME)
        same = abs(found["step_seconds"] / best["step_seconds"] - 1) <= SAME
        how = "the same" if same else "slower" if slower else "faster"
        good = found["fits"] >= best["fits"] and not (slower and best["fits"])
        self.count(good, f"{what}: found {self.told(found)}: {how}")
        for row in found["decisions"] if not same else []:
            price = row.get("next_step_seconds")
            more = f", not so: {(price / found['step_seconds'] - 1) * 100:+.1f} %" if price else ""
            print(f"    {row['decision']}{more}")

    def order(self, what, model, plans):
        speeds, best = [], None
        for mesh, tactic, batch in plans:
            path = self.program(model, batch)
            plan = self.plan(path, KEMPNER, "--devices", str(devices_of(mesh)), "--mesh", mesh, "--tactic", tactic)
            speeds.append(batch / plan["step_seconds"])
            best = best or (plan, path)
            print(f"  {tactic}: {self.told(plan)}", flush=True)
        right = all(a > b for a, b in zip(speeds, speeds[1:]))
        self.count(right, f"KempnerForge {what}: order of {len(plans)} plans")
        devices = str(devices_of(plans[0][0]))
        self.judge_found(f"KempnerForge {what}", self.plan(best[1], KEMPNER, "--devices", devices), best[0])

    def published(self, what, model, batch, mesh, tactics):
        path, best = self.program(model, batch), None
        where = "--devices", str(devices_of(mesh)), "--mesh", mesh
        for tactic in tactics:
            plan = self.plan(path, "h100x8", *where, "--tactic", tactic)
            print(f"  {tactic}: {self.told(plan)}", flush=True)
            if not best or (plan["fits"], -plan["step_seconds"]) > (best["fits"], -best["step_seconds"]):
                best = plan
        self.judge_found(what, self.plan(path, "h100x8", *where), best)


def devices_of(mesh):
    n = 1
    for axis in mesh.split(","):
        n *= int(axis.split("=")[1])
    return n


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--only", default="", help="of which this is a part of the name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        known = Known(options, folder)
        for what, *rest in ORDERS:
            if options.only in "KempnerForge " + what:
                known.order(what, *rest)
        for what, *rest in PLANS:
            if options.only in what:
                known.published(what, *rest)
    print(f"{known.good} passed, {known.bad} failed")
    sys.exit(known.bad > 0 or not known.good)


if __name__ == "__main__":
    main()
