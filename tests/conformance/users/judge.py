#!/usr/bin/env python3
"""Runs scripts that do what users do with JAX; each must print the lines that its head lists.

    PYTHON tests/conformance/users/judge.py [SCRIPT...]

PYTHON has jax and finds the package tessera.  A line `# MUST text` in a script is the start of a line
that it must print, in this order, with other lines between them; `…` stands for any text.  A script with
`# NEEDS module` is left out if there is no such module.  Prints a line for each, and 'N of N'.
"""

import glob
import importlib.util
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def wanted(text):
    return re.findall(r"^# MUST (.*)$", text, re.M)


def missing(text):
    names = re.findall(r"^# NEEDS (\S+)$", text, re.M)
    return next((n for n in names if importlib.util.find_spec(n) is None), None)


def first_absent(must, printed):
    """The first line that is not there in its place; None: all are."""
    lines = iter(printed.splitlines())
    for line in must:
        pattern = ".*".join(map(re.escape, line.split("…")))
        if not any(re.match(pattern, there) for there in lines):
            return line
    return None


def judged(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lacks = missing(text)
    if lacks:
        return None, f"left out: there is no {lacks}"
    environment = {"JAX_PLATFORMS": "cpu", **os.environ}
    environment["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
    done = subprocess.run(
        [sys.executable, path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        timeout=500,
        check=False,
    )
    absent = first_absent(wanted(text), done.stdout)
    if done.returncode or absent is not None:
        return False, f"{'no line ' + repr(absent) if absent else 'it failed'} in\n{done.stdout}"
    return True, f"{len(wanted(text))} lines"


def main(names):
    paths = sorted(glob.glob(os.path.join(HERE, "*.py")))
    good = of = 0
    for path in paths:
        name = os.path.basename(path)[:-3]
        if name == "judge" or (names and name not in names):
            continue
        fine, said = judged(path)
        of += fine is not None
        good += bool(fine)
        print(f"{'FAILED' if fine is False else 'ok' if fine else '-':7}{name}: {said}", flush=True)
    print(f"{good} of {of}")
    return good != of


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
