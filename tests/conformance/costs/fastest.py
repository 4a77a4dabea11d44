"""fastest.py: what a partition for a machine saves, compared with the partition by bytes.

    fastest.py TESS [--machines NAME,...] [--limit S] FILE-OR-FOLDER...

Each program is partitioned by bytes and for each machine.  The steps that `tess report` predicts for the
two partitions on that machine are compared, if both fit or neither does.

Prints each pair that differs by more than 1 %, and for each machine how many partitions for it are slower,
faster, and faster by 15 % or more.  The exit status is 1 if one is slower.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from programs import program_files, program_name  # noqa: E402


def step_of(tess, path, machine, limit):
    """Predicted seconds and whether memory suffices; None if it is refused or takes too long."""
    try:
        done = subprocess.run([tess, "report", path, "--json", "--target", machine], capture_output=True,
                              text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        return None
    r = json.loads(done.stdout)
    return r["step"]["overlapped_seconds"], r["memory"]["peak"] <= r["target_memory"]


def partition_by_bytes(tess, path, to, limit):
    try:
        return subprocess.run([tess, "partition", path, "-o", to], capture_output=True, timeout=limit).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("tess")
    p.add_argument("--machines", default="h100x8,v5e,v5p,v7,cpu")
    p.add_argument("--limit", type=int, default=200)
    p.add_argument("paths", nargs="+")
    o = p.parse_args()
    gains = {machine: [] for machine in o.machines.split(",")}
    refused = 0
    with tempfile.TemporaryDirectory() as folder:
        local = os.path.join(folder, "local.mlir")
        for path in program_files(o.paths):
            name = program_name(path)
            if not partition_by_bytes(o.tess, path, local, o.limit):
                print(name, "is not partitioned")
                refused += 1
                continue
            for machine, found in gains.items():
                by_bytes, fastest = (step_of(o.tess, f, machine, o.limit) for f in (local, path))
                if not by_bytes or not fastest:
                    print(name, "is not reported on", machine)
                    continue
                gain = by_bytes[0] / fastest[0] if fastest[0] else 1
                if by_bytes[1] and not fastest[1]:
                    gain = 0
                found.append(gain)
                if abs(gain - 1) > 0.01 or by_bytes[1] != fastest[1]:
                    print(f"{name:28} {machine:8} by bytes {by_bytes[0]:.4g} s, fastest {fastest[0]:.4g} s: "
                          f"{100 * (gain - 1):+.1f} %{'' if by_bytes[1] == fastest[1] else ', only one fits'}", flush=True)
    for machine, found in gains.items():
        slower = sum(g < 1 - 1e-6 for g in found)
        print(f"{machine}: {slower} slower, {sum(g > 1 + 1e-6 for g in found)} faster, "
              f"{sum(g >= 1.15 for g in found)} of them by 15 % and more, of {len(found)}")
    print(refused, "refused")
    return any(g < 1 - 1e-6 for found in gains.values() for g in found)


if __name__ == "__main__":
    sys.exit(main())
