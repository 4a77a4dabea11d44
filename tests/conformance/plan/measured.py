#!/usr/bin/env python3
"""Runs plans and tactics on 8 CPU devices, and compares their times with the predicted ones.

    PYTHON-WITH-JAX measured.py [--target MACHINE] [--rounds 10] [--only NAME,...] [--realtime]

There are five training steps: a GPT, a Llama, a DiT, a graph network and an MLP, all small, in f32.  For each
of them, the plan that is found and all tactics that can be partitioned are compiled by XLA
(program.compile(plan=...)) and run in turn; the least time of each counts.

Prints for each program Kendall's tau of predicted and measured times, and how much faster the fastest tactic
is than the plan.  The exit status is 1 if the mean tau is under 0.6, or a tactic more than 15 % faster.

The devices share the machine's cores, and so do those of the machine that is predicted by default: other work
blurs the times.  With --realtime, which root may use, the runs have priority over other work (SCHED_FIFO), and
rest after each run for as long as it took."""
import argparse
import itertools
import os
import sys
import tempfile
import time

os.environ["JAX_PLATFORMS"] = "cpu"

import jax

jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import tessera

import example_programs
import models

models.bf16 = jnp.float32
TACTICS = [
    ("data=8", f"{t} over data") for t in ("data", "zero2", "fsdp", "megatron", "context")
] + [
    (f"data={8 // k},model={k}", t)
    for k in (2, 4)
    for t in ("data over data; megatron over model", "fsdp over data; megatron-sp over model")
]


def gpt():
    g = example_programs.module("export_gpt.py")
    g.BATCH, g.LENGTH, g.VOCABULARY, g.WIDTH, g.HEADS = 32, 64, 1024, 256, 8
    import numpy

    params = example_programs.like(g.new_params(numpy.random.default_rng(0)))
    return g.train_step, (params, example_programs.of_type(jnp.int32, g.BATCH, g.LENGTH + 1))


def mlp():
    params = [models.of(512, 2048), models.of(2048, 2048), models.of(2048, 512)]

    def loss(params, x, y):
        for w in params:
            x = jnp.tanh(x @ w)
        return jnp.mean((x - y) ** 2)

    return models.case(loss, params, models.of(1024, 512), models.of(1024, 512))


PROGRAMS = {
    "gpt": gpt,
    "llama": lambda: models.llama(layers=2, d=256, heads=8, ff=1024, kv=4, vocab=2048, batch=16, seq=128),
    "dit": lambda: models.dit_xl_train(layers=2, d=256, heads=8, batch=32, side=16),
    "gns": lambda: models.gns_train(rounds=2, width=128, nodes=4096, edges=16384),
    "mlp": mlp,
}


def filled(tree):
    key = jax.random.key(0)

    def one(t):
        if jnp.issubdtype(t.dtype, jnp.floating):
            return jax.random.uniform(key, t.shape, t.dtype, 0.01, 0.02)
        return jnp.ones(t.shape, t.dtype)

    return jax.tree.map(one, tree)


def plans(program, target):
    """(what, predicted seconds, compiled), the found one first."""
    for mesh, tactic in [(None, None), *TACTICS]:
        try:
            plan = program.plan(target, devices=8, mesh=mesh, tactic=tactic)
            yield tactic or "plan", plan["step_seconds"], program.compile(plan=plan)
        except tessera.Error as error:
            print(f"    {mesh} {tactic}: {str(error).splitlines()[0]}")


def before_others(on):
    """All threads of this process, XLA's too."""
    policy, priority = (os.SCHED_FIFO, 1) if on else (os.SCHED_OTHER, 0)
    for thread in os.listdir("/proc/self/task"):
        try:
            os.sched_setscheduler(int(thread), policy, os.sched_param(priority))
        except ProcessLookupError:  # it has ended
            pass


def timed(run, realtime):
    if realtime:
        before_others(True)
    begun = time.perf_counter()
    jax.block_until_ready(run())
    seconds = time.perf_counter() - begun
    if realtime:
        before_others(False)
        time.sleep(seconds)
    return seconds


def measured(programs, arguments, rounds, realtime):
    """The least time of each, which run in turn on arguments that are where they belong."""
    placed = [jax.tree.unflatten(jax.tree.structure(arguments), jax.device_put(
        jax.tree.leaves(arguments), jax.tree.leaves(p.in_shardings))) for p in programs]
    least = [float("inf")] * len(programs)
    for p, given in zip(programs, placed):
        jax.block_until_ready(p(*given))  # compiles
    for _ in range(rounds):
        for i, p in enumerate(programs):
            least[i] = min(least[i], timed(lambda: p(*placed[i]), realtime))
    return least


def tau(a, b):
    pairs = list(itertools.combinations(range(len(a)), 2))
    sign = lambda x: (x > 0) - (x < 0)
    return sum(sign(a[i] - a[k]) * sign(b[i] - b[k]) for i, k in pairs) / max(len(pairs), 1)


def judge(name, target, rounds, realtime):
    function, arguments = PROGRAMS[name]()
    program = tessera.load(jax.jit(function), *arguments)
    rows = list(plans(program, target))
    times = measured([row[2] for row in rows], filled(arguments), rounds, realtime)
    for (what, predicted, _), seconds in zip(rows, times):
        print(f"    {what}: predicted {predicted * 1e3:.3g} ms, measured {seconds * 1e3:.3g} ms")
    kendall, faster = tau([row[1] for row in rows], times), times[0] / min(times) - 1
    print(f"{name}: tau {kendall:.2f}, the fastest is {faster * 100:.0f} % faster than the plan", flush=True)
    return kendall, faster


def this_machine(folder):
    """A table with it."""
    path = os.path.join(folder, "machine.txt")
    with open(path, "w") as f:
        f.write(f"this like=cpu cores={len(os.sched_getaffinity(0))}\n")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--target")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--realtime", action="store_true")
    parser.add_argument("--only", default=",".join(PROGRAMS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        target = options.target or this_machine(folder)
        rows = [judge(name, target, options.rounds, options.realtime) for name in options.only.split(",")]
    mean = sum(k for k, _ in rows) / len(rows)
    slow = sum(f > 0.15 for _, f in rows)
    print(f"mean tau {mean:.2f}, {slow} of {len(rows)} with a tactic more than 15 % faster than the plan")
    sys.exit(mean < 0.6 or slow > 0)


if __name__ == "__main__":
    main()
