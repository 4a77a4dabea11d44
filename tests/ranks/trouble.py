#!/usr/bin/env python3
"""What the ranks of a run say when one of them is in trouble, and how soon.

    tests/ranks/trouble.py --tess build/tess

A program that never ends is begun by three processes; then one of them is stopped (it is
there, but silent) or killed.  Or one of them runs another program.  All others must end, with
an error that names the rank, long before LIMIT.  A killed process is noticed by mpirun, which
names it and ends the others.  With --start, one is stopped before it starts MPI: the others must
say so.  Skipped with a line when there is no mpirun.
"""

import argparse
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

from ranks import ENVIRONMENT, MPIRUN

LIMIT, PATIENCE, START_UP, RANKS = 100, 4, 30, 3

PROGRAM = """
sdy.mesh @mesh = <["x"=6]>
func.func @main(%a: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<12x12xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<12x12xf32>
    cond {
      %n = stablehlo.constant dense<2000000000> : tensor<i32>
      %lt = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %w = sdy.sharding_constraint %v <@mesh, [{}, {"x"}]> : tensor<12x12xf32>
      %s = stablehlo.sine %w : tensor<12x12xf32>
      %u = sdy.sharding_constraint %s <@mesh, [{"x"}, {}]> : tensor<12x12xf32>
      stablehlo.return %j, %u : tensor<i32>, tensor<12x12xf32>
    }
  return %0#1 : tensor<12x12xf32>
}
"""
# As long as the first, but it adds up elsewhere.
OTHER = PROGRAM.replace("stablehlo.sine %w", "stablehlo.add %w, %w")

# A rank notes its process before it becomes tess.
RANK = 'echo $$ > "$0.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; exec "$@"'
STOPS = 'if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then kill -STOP $$; fi; exec "$@"'


def write_input(path):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (12, 12), }"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("in0.npy", data + struct.pack("<f", 0.5) * 144)


def wait_for(path, end):
    while time.monotonic() < end:
        if os.path.exists(path) and open(path).read().strip():
            return int(open(path).read())
        time.sleep(0.05)
    raise TimeoutError(path)


class Trouble:
    def __init__(self, tess, folder):
        self.folder, self.passed, self.failed = folder, 0, 0
        self.inputs = os.path.join(folder, "in.npz")
        write_input(self.inputs)
        self.tess = [tess, "run"]

    def program(self, name, text):
        path = os.path.join(self.folder, name + ".mlir")
        with open(path, "w") as f:
            f.write(text)
        return path

    def seconds_to_start(self):
        """A run that ends at once: where names are not resolved, MPI takes ten seconds to start."""
        once = self.program("once", PROGRAM.replace("dense<2000000000>", "dense<1>"))
        began = time.monotonic()
        subprocess.run([*MPIRUN, *self.rank(RANKS, once, os.path.join(self.folder, "once"))],
                       stdout=subprocess.DEVNULL, env=ENVIRONMENT, timeout=LIMIT, check=True)
        return time.monotonic() - began

    def rank(self, n, path, pids, script=RANK):
        return ["-n", str(n), "sh", "-c", script, pids, *self.tess, path, "--inputs", self.inputs,
                "--patience", str(PATIENCE)]

    def case(self, name, command, disturb, expected):
        """`expected`: what has to be said, and how often at least."""
        began = time.monotonic()
        job = subprocess.Popen([*MPIRUN, *command], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, env=ENVIRONMENT)
        try:
            disturb(began + LIMIT)
            said = job.communicate(timeout=LIMIT)[0]
        except (TimeoutError, subprocess.TimeoutExpired) as e:
            job.kill()
            said = f"no end: {e}\n{job.communicate()[0]}"
        wrong = [f"{text!r} {n} times" for text, n in expected if len(re.findall(text, said)) < n]
        if job.returncode == 0:
            wrong.append("an exit status other than 0")
        self.passed += not wrong
        self.failed += bool(wrong)
        if wrong:
            print(f"{name}: expected {', '.join(wrong)}; {time.monotonic() - began:.0f} s:\n{said}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--start", action="store_true")
    options = parser.parse_args()
    if not shutil.which("mpirun"):
        print("0 passed, 0 failed: there is no mpirun")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        t = Trouble(options.tess, folder)
        program, other = t.program("program", PROGRAM), t.program("other", OTHER)
        if options.start:
            # the first that ends may have mpirun end the others
            t.case("rank 1 stopped before it starts", t.rank(RANKS, program, "tess", STOPS),
                   lambda end: None,
                   [(f"MPI has not started within {PATIENCE + START_UP} seconds", 1)])
            print(f"{t.passed} passed, {t.failed} failed")
            return 1 if t.failed else 0
        under_way = 1 + 2 * t.seconds_to_start()
        for name, sent, who in (("stopped", signal.SIGSTOP, 1), ("stopped", signal.SIGSTOP, 0),
                                ("killed", signal.SIGKILL, 2)):
            pids = os.path.join(folder, f"{name}{who}")

            def disturb(end, pids=pids, sent=sent, who=who):
                all_pids = [wait_for(f"{pids}.{rank}", end) for rank in range(RANKS)]
                time.sleep(under_way)
                os.kill(all_pids[who], sent)

            expected = ([(f"rank {who}: silent for {PATIENCE} seconds", RANKS - 1)]
                        if sent == signal.SIGSTOP else [(f"rank {who}", 1)])
            t.case(f"rank {who} {name}", t.rank(RANKS, program, pids), disturb, expected)
        pids = os.path.join(folder, "other")
        command = t.rank(2, program, pids) + [":"] + t.rank(1, other, pids)
        t.case("another program", command, lambda end: None,
               [("rank 2 does not run the program that rank 0 runs", RANKS)])
    print(f"{t.passed} passed, {t.failed} failed")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
