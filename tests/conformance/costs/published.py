"""published.py: predicted times and memory of published training runs, beside what was measured.

    published.py TESS [--runs FILE] [--table] [--only ID...]

Each run is written in JAX (llama.py) with its plan and lowered with two and with four layers; what
`tess report --json` says of the two is continued to the model's layers, which is exact for FLOPs and
memory and within 0.5 % for times (`--check-linear` shows it).  The machines are machines.txt.

Printed: a row for each run, predicted and measured; then, of the rows that are `expressible` and marked
`judge`, Kendall's tau of tokens per second and device within each source, the pairs that differ by
more than 10 % and come in the wrong order, and how many times are within 30 % and memories within 15 %.
"""
import argparse
import csv
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=256"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
from jax.sharding import Mesh

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import llama

MACHINES = {("kempnerforge", "H200-141"): "h200x4", ("torchtitan", "H100-96-500W"): "h100-500W",
            ("torchtitan", "H200-141"): "h200x8"}
# KempnerForge: its rows 7 and 12, both `fit`, differ by 5.1 GB where the states of 6.72 billion
# parameters are cut in 32 rather than 8: 8 bytes each, so all is kept in bfloat16.  Beyond these
# states row 12 has 26 GB: whole logits (three copies in f32) and the inputs of 32 layers, whole too.
SOURCES = {"kempnerforge": {"state": llama.bf16, "sequence_parallel": False, "loss_parallel": False},
           "torchtitan": {}}
UNITS = {"GB": 1e9, "GiB": 2.0 ** 30}


def plan_of(row):
    """Devices along fsdp and tp; None if the plan has something else."""
    sizes = {"fsdp": 1, "tp": 1}
    for word in row["plan"].split():
        m = re.fullmatch(r"(fsdp|tp)(\d+)", word)
        if not m:
            return (1, 1) if word == "none" else None
        sizes[m.group(1)] = int(m.group(2))
    return sizes["fsdp"], sizes["tp"]


def run_of(row):
    plan = plan_of(row)
    if row["model"] not in llama.MODELS or not plan or row["precision"] != "bf16":
        return None
    return llama.Run(llama.MODELS[row["model"]], plan[0], plan[1], int(row["local_batch"]),
                     int(row["grad_accum"] or 1), int(row["seq"]), row["activation_checkpointing"],
                     **SOURCES[row["source"]])


def program_of(run, layers):
    mesh = Mesh(np.array(jax.devices()[:run.fsdp * run.tp]).reshape(run.fsdp, run.tp), ("fsdp", "tp"))
    return llama.Step(run, mesh).lower(layers)


class Reports:
    """Reports of programs, whose texts are kept in a folder."""

    def __init__(self, tess, folder, machines):
        self.tess, self.folder, self.machines = tess, folder, machines
        os.makedirs(folder, exist_ok=True)

    def of(self, run, layers, machine):
        name = "%s_%d.mlir" % (hashlib.sha256(repr(run).encode()).hexdigest()[:16], layers)
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            text = program_of(run, layers)
            with open(path, "w") as f:
                f.write(text)
        return json.loads(self.run("report", path, "--json", "--target", self.machines + ":" + machine))

    def run(self, *args):
        return subprocess.run([self.tess, *args], capture_output=True, text=True, check=True,
                              timeout=500).stdout


def figures(r):
    return {"seconds": r["step"]["overlapped_seconds"], "serial": r["step"]["serial_seconds"],
            "exposed": r["step"]["exposed_communication_seconds"], "flops": r["work"]["flops"],
            "memory": r["memory"]["peak"] + r["step"]["prefetched_bytes"]}


def predict(reports, run, machine):
    low, high = (figures(reports.of(run, n, machine)) for n in (2, 4))
    layers = run.model.layers
    f = {k: low[k] + (high[k] - low[k]) * (layers - 2) / 2 for k in low}
    tokens = run.batch * run.fsdp * run.accumulate * run.seq
    f["tokens"] = tokens / f["seconds"] / (run.fsdp * run.tp)
    return f


def kendall(pairs):
    """Of (predicted, measured): agreeing pairs less disagreeing ones, of all."""
    all_pairs = list(itertools.combinations(pairs, 2))
    score = sum(1 if (a[0] - b[0]) * (a[1] - b[1]) > 0 else -1 for a, b in all_pairs)
    return score / len(all_pairs) if all_pairs else 1.0


def memory_of(row):
    return float(row["memory"]) * UNITS[row["memory_unit"]] if row["memory"] else None


def print_rows(rows):
    print("| run | plan | set | tok/s/device | predicted | | memory | predicted | |")
    print("|---|---|---|--:|--:|--:|--:|--:|--:|")
    for row, f in rows:
        told, memory = float(row["tokens_per_s_device"]), memory_of(row)
        text = lambda v, w: "| %s | %s " % (v, w) if f else "| | "
        counted = row["set"] if row["expressible"] == "yes" else "beside"
        print("| %s %s | %s, %s x %s | %s | %.0f %s| %s %s|" % (
            row["source"], row["id"], row["plan"], row["model"].split()[0], row["devices"], counted, told,
            text("%.0f" % f["tokens"], "%+.0f %%" % (100 * (f["tokens"] / told - 1))) if f else "| | ",
            "%.1f GB" % (memory / 1e9) if memory else "",
            text("%.1f GB" % (f["memory"] / 1e9), "%+.0f %%" % (100 * (f["memory"] / memory - 1))
                 if memory else "") if f else "| | "))


def judge(rows, of):
    rows = [(r, f) for r, f in rows if f and r["expressible"] == "yes" and r["set"] in of]
    print("\n%s, %d rows" % (" and ".join(of), len(rows)))
    for source in sorted({r["source"] for r, _ in rows}):
        mine = [(f["tokens"], float(r["tokens_per_s_device"]), r["id"]) for r, f in rows if r["source"] == source]
        wrong = ["%s and %s" % (a[2], b[2]) for a, b in itertools.combinations(mine, 2)
                 if max(a[1], b[1]) > 1.1 * min(a[1], b[1]) and (a[0] - b[0]) * (a[1] - b[1]) <= 0]
        print("%s: Kendall's tau %.2f of %d rows; pairs that differ by more than 10 %% in the wrong order: %s"
              % (source, kendall([m[:2] for m in mine]), len(mine), ", ".join(wrong) or "none"))
    within = lambda pairs, share: sum(abs(a / b - 1) <= share for a, b in pairs)
    times = [(float(r["tokens_per_s_device"]), f["tokens"]) for r, f in rows]
    sizes = [(f["memory"], memory_of(r)) for r, f in rows if memory_of(r)]
    print("times within 30 %%: %d of %d; memory within 15 %%: %d of %d"
          % (within(times, 0.3), len(times), within(sizes, 0.15), len(sizes)))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("tess")
    p.add_argument("--runs", default=os.path.join(HERE, "published_runs.tsv"))
    p.add_argument("--machines", default=os.path.join(HERE, "machines.txt"))
    p.add_argument("--programs", default=os.path.join(tempfile.gettempdir(), "tessera-published"))
    p.add_argument("--only", nargs="*")
    o = p.parse_args()
    reports, rows = Reports(o.tess, o.programs, o.machines), []
    with open(o.runs, newline="") as f:
        table = [r for r in csv.DictReader(f, delimiter="\t") if not o.only or r["id"] in o.only]
    for row in table:
        run, machine = run_of(row), MACHINES.get((row["source"], row["hardware"]))
        rows.append((row, predict(reports, run, machine) if run and machine else None))
    print_rows(rows)
    judge(rows, ["judge"])
    judge(rows, ["fit"])


if __name__ == "__main__":
    main()
