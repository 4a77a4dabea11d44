#!/usr/bin/env python3
"""Compares `tess eval` with the reference interpreter in jaxlib on random StableHLO programs.

    PYTHON-WITH-JAXLIB tests/conformance/stablehlo/random_eval.py --tess build/tess [--count N] [--seed S] [--family NAME]...

A child process judges one program after the other, and prints a line for each.  If the reference aborts
on a program, the next child continues after it.  Prints what differs, how many programs were judged, and
why the reference refused others; the exit status is 1 if any differs.  random_programs.py generates the
programs; --show SEED prints one.
"""

import argparse
import collections
import os
import subprocess
import sys

SKIPS = [  # where the reference is known to be wrong, and why
]


def least_of(tolerance, want):
    """(units, absolute difference) that a result may be off by."""
    import numpy

    if tolerance is None:
        return 0, 0.0
    if isinstance(tolerance, tuple):
        finite = numpy.abs(want[numpy.isfinite(want)]) if want.dtype.kind == "f" else want
        return 0, tolerance[1] * max(1.0, float(finite.max(initial=0)))
    return tolerance, 0.0


def lower_chlo(text, context):
    from jaxlib.mlir import ir, passmanager

    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        passes = ["chlo-legalize-to-stablehlo"] * ("chlo." in text) + [
            "stablehlo-canonicalize-dynamism"
        ] * ("dynamic_" in text)
        if passes:
            passmanager.PassManager.parse(f"builtin.module(func.func({','.join(passes)}))").run(
                module.operation
            )
        return str(module)


def judge(tess, seed, families):
    """ "passed", or what happened."""
    import random_programs
    import reference

    program = random_programs.Program(seed, families)
    context = reference.make_context()
    try:
        module = reference.plain_module(program.text, context)
        text = str(module)
    except Exception as e:
        return "invalid: " + str(e).replace("\n", " ")[:200]
    error, got = reference.run_tess(tess, text)
    if error and "status -" in error:
        return "failed: " + error
    print("reference", flush=True)
    try:
        want = reference.run_reference(
            reference.plain_module(lower_chlo(program.text, context), context)
        )
    except Exception as e:
        return "refused: " + str(e).replace("\n", " ")[:120]
    if error:
        return "failed: " + error[-200:]
    for i, (a, b, t) in enumerate(zip(got, want, program.tolerance)):
        units, least = least_of(t, b)
        wrong = reference.difference(a, b, units, least)
        if wrong:
            return f"failed: result {i}: {wrong}"
    return "passed"


def child(options):
    import random_programs

    for seed in range(options.seed, options.seed + options.count):
        print("seed", seed, flush=True)
        verdict = judge(options.tess, seed, options.family)
        names = "+".join(random_programs.Program(seed, options.family).names)
        print("verdict", verdict.replace("\n", " "), "#", names, flush=True)


def run_children(options, counts, why):
    at, end = options.seed, options.seed + options.count
    while at < end:
        command = [
            sys.executable,
            os.path.abspath(__file__),
            "--child",
            "--tess",
            options.tess,
            "--seed",
            str(at),
            "--count",
            str(end - at),
        ] + [x for f in options.family or [] for x in ("--family", f)]
        environment = dict(os.environ, LD_PRELOAD=options.preload) if options.preload else None
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        ) as process:
            seed, open_seed = at, None
            for line in process.stdout:
                word, _, rest = line.rstrip("\n").partition(" ")
                if word == "seed":
                    seed = open_seed = int(rest)
                elif word == "verdict":
                    open_seed = None
                    kind, _, reason = rest.partition(":")
                    kind = kind.split(" #")[0].strip()
                    counts[kind] += 1
                    if kind in ("failed", "invalid"):
                        print(f"seed {seed}: {kind}:{reason}", flush=True)
                    elif kind == "refused":
                        why[reason.split(" #")[0][:90]] += 1
        if open_seed is not None:
            counts["reference aborts"] += 1
            if options.v:
                print(f"seed {open_seed}: the reference aborts", flush=True)
        at = seed + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--family", action="append", help="only programs of these kinds of operations"
    )
    parser.add_argument(
        "--preload",
        help="for the reference, which gives up on collectives where there are fewer "
        "processors than devices: a library that makes it believe in more",
    )
    parser.add_argument("-v", action="store_true", help="say where the reference aborts")
    parser.add_argument("--show", type=int, help="print the program of this seed, do nothing else")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show is not None:
        import random_programs

        print(random_programs.Program(options.show, options.family).text)
        return
    if options.child:
        child(options)
        return
    counts, why = collections.Counter(), collections.Counter()
    run_children(options, counts, why)
    for reason, n in why.most_common(10):
        print(f"the reference refused {n}:{reason}")
    print(
        ", ".join(
            f"{counts[k]} {k}"
            for k in ("passed", "failed", "invalid", "refused", "reference aborts")
        )
    )
    sys.exit(1 if counts["failed"] or counts["invalid"] else 0)


if __name__ == "__main__":
    main()
