"""published.py: compares predicted times and memory of published training runs with the measured ones.

    published.py TESS [--runs FILE] [--table] [--only ID...]

Each run is written in JAX (llama.py) with its plan, lowered, and predicted by `tess report --json`; the texts
are kept (--programs).  The machines are in machines.txt.

Prints a row for each run, predicted and measured.  Then, for the rows that are `expressible` and marked
`judge`, it prints Kendall's tau of tokens per second and device within each source; the pairs that differ
by more than 10 % and come in the wrong order; how many times are within 30 %, and memories within 15 %.
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
FRAMEWORKS = {
    # Its code at the commit that its report names, 01b461a: model, moments and loss in bfloat16; gradients that
    # FSDP does not reduce before the last micro step, so that each device has them whole, in f32
    # (maybe_no_sync, MixedPrecisionPolicy); whole logits (tensor_parallel.py).
    "kempnerforge": llama.Framework(state=llama.bf16, loss=llama.bf16, loss_parallel=False, cut_embedding=False,
                                    own_gathers=True, reshard_head=True),
    # Its code at d4c86e3, which published the table; the selective checkpointing of llama3_8b.toml is 'op'.
    "torchtitan": llama.Framework(state=llama.f32, loss=llama.f32, loss_parallel=True, cut_embedding=True,
                                  own_gathers=False, reshard_head=False)}
# Where the script that ran KempnerForge's table (benchmarks/mfu_scaling/mfu_bench.sh) says otherwise than the
# table: sequences and micro steps.
BATCHES = {("kempnerforge", "1"): (2, 4), ("kempnerforge", "2"): (2, 4)}
# What KempnerForge calls GB is torch.cuda.max_memory_allocated() / 1024**3 (kempnerforge/metrics/memory.py).
UNITS = {"GB": 2.0 ** 30, "GiB": 2.0 ** 30}
# torchtitan writes what the caching allocator has reserved (reserved_bytes.all.peak, torchtitan/metrics.py), not
# what is allocated of it.  The share was fitted to row t1b.
RESERVED = {"kempnerforge": 1.0, "torchtitan": 1.21}


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
    batch, accumulate = BATCHES.get((row["source"], row["id"]), (row["local_batch"], row["grad_accum"] or 1))
    return llama.Run(FRAMEWORKS[row["source"]], llama.MODELS[row["model"]], *plan, int(batch), int(accumulate),
                     int(row["seq"]), row["activation_checkpointing"])


def program_of(run):
    mesh = Mesh(np.array(jax.devices()[:run.fsdp * run.tp]).reshape(run.fsdp, run.tp), ("fsdp", "tp"))
    return llama.Step(run, mesh).lower(run.model.layers)


class Reports:
    """Reports of programs, whose texts are kept in a folder."""

    def __init__(self, tess, folder, machines):
        self.tess, self.folder, self.machines = tess, folder, machines
        os.makedirs(folder, exist_ok=True)

    def of(self, run, machine):
        with open(llama.__file__, "rb") as f:
            key = f.read() + repr(run).encode()
        name = hashlib.sha256(key).hexdigest()[:16] + ".mlir"
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            text = program_of(run)
            with open(path, "w") as f:
                f.write(text)
        return json.loads(self.run("report", path, "--json", "--target", self.machines + ":" + machine))

    def run(self, *args):
        return subprocess.run([self.tess, *args], capture_output=True, text=True, check=True,
                              timeout=500).stdout


def predict(reports, run, machine, reserved):
    """Of the memory, what lives in program order: FSDP gathers the next layer alone before its place, and at
    the peak, which is the loss where memory was published, there is none."""
    r = reports.of(run, machine)
    tokens = run.batch * run.accumulate * run.seq / run.tp
    fast, slow = r["step"]["range_seconds"]
    return {"tokens": tokens / r["step"]["overlapped_seconds"], "least": tokens / slow, "most": tokens / fast,
            "memory": r["memory"]["peak"] * reserved}


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
    ranges = sum(f["least"] <= float(r["tokens_per_s_device"]) <= f["most"] for r, f in rows)
    print("times within 30 %%: %d of %d, within the range: %d of %d; memory within 15 %%: %d of %d"
          % (within(times, 0.3), len(times), ranges, len(times), within(sizes, 0.15), len(sizes)))


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
        known = run and machine
        rows.append((row, predict(reports, run, machine, RESERVED[row["source"]]) if known else None))
    print_rows(rows)
    judge(rows, ["judge"])
    judge(rows, ["fit"])


if __name__ == "__main__":
    main()
