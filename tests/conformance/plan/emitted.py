#!/usr/bin/env python3
"""Puts the code that `tess plan --emit jax` prints into programs, lowers them, and reports the result.

    PYTHON-WITH-JAX-FLAX-OPTAX emitted.py [--tess TESS] [--only NAME,...]

The programs are the steps of examples/ (example_programs.py), without annotations.  Each is planned for
the machines of machines.txt and 8 devices.  jax.jit lowers the function, with the plan's constraints and
the plan's shardings of arguments and results.  For the result, `tess report` must predict the plan's step
time and peak to 0.1 %.  If flax or optax is missing, the programs that need it are left out and named.  The
exit status is 1 if one differs, or if nothing was compared."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import jax

import example_programs

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINES = ("small", "torus")
CLOSE = 1e-3


class Judge:
    def __init__(self, tess, folder):
        self.tess, self.folder = tess, folder
        self.right = self.wrong = 0

    def run(self, *arguments):
        done = subprocess.run([self.tess, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        return done.stdout

    def file(self, lowered):
        path = os.path.join(self.folder, "program.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(lowered.as_text(debug_info=True))
        return path

    def lowered_again(self, code, function, arguments, options):
        made = {}
        exec(compile(code, "emitted", "exec"), made)
        shardings = made["jit_args"](arguments, jax.eval_shape(function, *arguments))
        constrained = made["constrained"](function) if "constrained" in made else function
        return jax.jit(constrained, **options, **shardings).lower(*arguments)

    def faults(self, machine, function, arguments, options):
        path = self.file(jax.jit(function, **options).lower(*arguments))
        target = f"{HERE}/machines.txt:{machine}"
        plan = ["plan", path, "--target", target, "--devices", "8"]
        planned = json.loads(self.run(*plan, "--json"))
        code = self.run(*plan, "--emit", "jax")
        again = self.file(self.lowered_again(code, function, arguments, options))
        report = json.loads(self.run("report", again, "--target", target, "--json"))
        for what, want, got in (
            ("step", planned["step_seconds"], report["step"]["overlapped_seconds"]),
            ("peak", planned["peak_bytes"], report["memory"]["peak"]),
        ):
            if abs(got - want) > CLOSE * want:
                yield f"{what}: {want} planned, {got} of the emitted code"

    def judge(self, name, function, arguments, options):
        for machine in MACHINES:
            faults = list(self.faults(machine, function, arguments, options))
            self.right += not faults
            self.wrong += bool(faults)
            for fault in faults:
                print(f"{name}, {machine}: {fault}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--only", help="names of programs, with commas")
    options = parser.parse_args()
    jax.config.update("jax_num_cpu_devices", 8)
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(options.tess, folder)
        for name, *program in example_programs.programs():
            if not options.only or name in options.only.split(","):
                judge.judge(name, *program)
    print(f"{judge.right} passed, {judge.wrong} failed")
    sys.exit(judge.wrong > 0 or not judge.right)


if __name__ == "__main__":
    main()
