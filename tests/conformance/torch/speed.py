#!/usr/bin/env python3
"""Measures relu(x @ w), sharded over n devices, on tessera and on XLA's CPU client.

    . ENVIRONMENT/env; speed.py [N...]

Each measurement is a process of its own.  The two clients take turns, three times each, and the shortest
of all steps counts, where a step is one program, run and waited for.  Prints milliseconds of wall time, and
of processor time over all threads, which says more on a busy machine, and the ratio of tessera's to the
other's.  For more than 512 devices only tessera runs.
"""

import os
import subprocess
import sys
import time

TURNS, STEPS, MOST_ON_CPU = 3, 30, 512


def measure():
    import numpy as np
    import torch
    import torch_xla
    import torch_xla.distributed.spmd as xs
    import torch_xla.runtime as xr

    xr.use_spmd()
    n = xr.global_runtime_device_count()
    rows = max(n // 4, 2)
    mesh = xs.Mesh(np.arange(n), (rows, n // rows), ("x", "y"))
    torch.manual_seed(0)
    x, w = torch.randn(max(64, rows), 64), torch.randn(64, max(64, n // rows))
    on_x, on_w = x.to(torch_xla.device()), w.to(torch_xla.device())
    xs.mark_sharding(on_x, mesh, ("x", None))
    xs.mark_sharding(on_w, mesh, (None, "y"))
    times, worked = [], []
    for _ in range(STEPS):
        y = torch.relu(on_x @ on_w)
        begin, begin_work = time.perf_counter(), time.process_time()
        torch_xla.sync(wait=True)
        times.append(time.perf_counter() - begin)
        worked.append(time.process_time() - begin_work)
    begin = time.perf_counter()
    whole = y.cpu()
    fetched = time.perf_counter() - begin
    assert torch.allclose(whole, torch.relu(x @ w), atol=1e-4)
    print("time", 1e3 * min(times), 1e3 * min(worked), 1e3 * times[0], 1e3 * fetched)


def run(n, environment):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, "--measure"],
        env={**os.environ, "TESSERA_DEVICES": str(n), "CPU_NUM_DEVICES": str(n), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    for line in done.stdout.splitlines():
        if line.startswith("time "):
            return [float(t) for t in line.split()[1:]]
    raise SystemExit(done.stderr)


def main():
    counts = [int(n) for n in sys.argv[1:]] or [8, 64, 512, 4096]
    ours = {"PJRT_DEVICE": "TESSERA"}
    theirs = {"PJRT_DEVICE": "CPU", "XLA_REGISTER_INSTALLED_PLUGINS": "0"}
    print("devices  step: tessera, CPU client, part   of the processor: the same   first step, y.cpu()")
    for n in counts:
        clients = [ours] if n > MOST_ON_CPU else [ours, theirs]
        found = [[] for _ in clients]
        for _ in range(TURNS):
            for i, client in enumerate(clients):
                found[i].append(run(n, client))
        best = [[min(column) for column in zip(*times)] for times in found]
        line = f"{n:7}"
        for i in range(2):
            parts = f"{best[1][i]:10.2f} {best[0][i] / best[1][i]:6.2f}" if len(best) > 1 else " " * 17
            line += f" {best[0][i]:10.2f} {parts}"
        print(line, f"{best[0][2]:12.1f} {best[0][3]:8.1f}", flush=True)


if __name__ == "__main__":
    measure() if "--measure" in sys.argv else main()
