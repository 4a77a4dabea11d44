#!/usr/bin/env python3
"""Runs training scripts of flax and optax with the two lines that hand their steps to tessera.

    PYTHON tests/conformance/jax/training.py [SCRIPT...]

PYTHON has jax, flax and optax, and finds the package tessera.  Each script of examples/train runs on 8
devices in three ways: as it is, with tessera.jit instead of jax.jit, and with tessera.jit in 2 processes
of 4 devices.  The losses must equal those of jax.jit up to rounding.  Prints a line for each, and 'N of N'.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
TRAIN = os.path.join(ROOT, "examples", "train")
TOLERANCE = 1e-4


def with_tessera(text):
    """The two lines."""
    text, imports = re.subn(r"^import jax$", "import jax\nimport tessera", text, flags=re.M)
    text, steps = re.subn(r"^@(partial\()?jax\.jit", r"@\1tessera.jit", text, flags=re.M)
    if (imports, steps) != (1, 1):
        raise ValueError(f"{imports} imports of jax and {steps} steps with jax.jit, not one each")
    return text


def losses(path, processes=1):
    beside = os.pathsep.join(filter(None, [TRAIN, os.environ.get("PYTHONPATH")]))
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    running = []
    for k in range(processes):
        command = [sys.executable, path, "--processes", str(processes), "--process", str(k)]
        running.append(
            subprocess.Popen(
                [*command, "--port", port],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": beside},
            )
        )
    done = [p.communicate(timeout=580) for p in running]
    for process, (_, errors) in zip(running, done):
        if process.returncode:
            raise RuntimeError(errors.strip().splitlines()[-1][:200])
    return [float(x) for x in re.findall(r"^\d+\.\d+$", done[0][0], re.M)]


def compared(name, wanted, found):
    worst = max((abs(a - b) / (1 + abs(a)) for a, b in zip(wanted, found)), default=1)
    good = len(wanted) == len(found) > 1 and wanted[-1] < wanted[0] and worst <= TOLERANCE
    curve = f"{wanted[0]:.4f} to {wanted[-1]:.4f}" if wanted else "no losses"
    print(f"{'ok' if good else 'FAILED':7}{name}: {curve}, differs by {worst:.1e}", flush=True)
    return good


def main():
    names = sorted(f for f in os.listdir(TRAIN) if f.endswith(".py") and f != "devices.py")
    scripts = sys.argv[1:] or [os.path.join(TRAIN, f) for f in names]
    good = 0
    with tempfile.TemporaryDirectory() as folder:
        for script in scripts:
            name = os.path.basename(script)
            wanted = losses(script)
            changed = os.path.join(folder, name)
            with (
                open(script, encoding="utf-8") as file,
                open(changed, "w", encoding="utf-8") as out,
            ):
                out.write(with_tessera(file.read()))
            good += compared(f"{name}, 8 devices", wanted, losses(changed))
            good += compared(f"{name}, 2 processes of 4", wanted, losses(changed, 2))
    print(f"{good} of {2 * len(scripts)}")
    sys.exit(good != 2 * len(scripts))


if __name__ == "__main__":
    main()
