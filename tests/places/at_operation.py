#!/usr/bin/env python3
"""Checks that errors about shardings point into attributes, except for those listed in REASONS.

    at_operation.py TESS [--list]

Runs the commands of all text tests that read the test itself, and looks at where their errors
about shardings point.  Each one that points at the name of an operation must be in the list, with
the reason why no attribute could be pointed at; a row of the list that no test reaches is an error.
--list prints all of them.
"""

import os
import re
import shlex
import subprocess
import sys

# How the message goes on, and why it points at the operation.
REASONS = {
    "must be on a static shape": "the operand's type is wrong, not a sharding",
    "must be the only use of its operand": "another operation is in the way",
    "on the result of sdy.sharding_constraint, which is not a data-flow op": "the operand is wrong",
    "must be on a function's argument or a call's result": "the operand is wrong",
    "has an operand without a sharding, but needs one": "there is no attribute to point at",
    "needs an operand with a sharding": "there is no attribute to point at",
    "reduces {\"x\"} by sum, but its operand is unreduced along them by max": "the sum is a default "
    "that the operation does not spell",
    "'func.return' op returns operand 0 with other unreduced axes than are expected": "the value's "
    "sharding and the result's are right by themselves; a reshard is missing here",
    "'sdy.return' op returns operand 0 with other unreduced axes than are expected": "the same",
    "passes operand 0 with other unreduced axes than @callee expects": "the same",
    "has an unreduced operand, but no result": "the operation has no sharding",
    "calling @Sharding is a word to another partitioner": "the call is wrong, not its attributes",
}
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPERATION = re.compile(r'"?[a-z_]+\.[\w.]+"?|return|call')
ERROR = re.compile(r"(.*?):\d+:\d+: error\[E(\d+)\]: (.*)")


def is_about_shardings(code, text):
    kinds = code // 100 in (2, 4) or code in (605, 606) or 620 <= code < 630
    return kinds or "shard" in text.lower()


def commands(path):
    """Yields the arguments of `tess` in the test's RUN lines that read the test as it is."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = re.findall(r"RUN: (.*)", text) if "error" in (text := file.read()) else []
    for line in lines:
        for command in re.findall(r"tess ((?:opt|shard|partition)\b[^|;&)>]*)", line):
            try:
                words = shlex.split(command)
            except ValueError:  # a quoted parenthesis
                continue
            if "%s" in words and "%t" not in command:
                here = {"%s": path, "%S": os.path.dirname(path)}
                words = [re.sub("%[sS]", lambda m: here[m[0]], w) for w in words]
                yield [w for w in words if w.lstrip("-") != "verify-diagnostics"]


def errors(tess, words):
    """Yields code, message and the marked text of each error that has a place."""
    run = subprocess.run([tess, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    lines = run.stderr.decode(errors="replace").split("\n")
    for line, source, mark in zip(lines, lines[1:], lines[2:]):
        found = ERROR.match(line)
        if found and re.fullmatch(r"\s*[~^]+", mark):
            start = len(mark) - len(mark.lstrip())
            yield int(found[2]), found[3], source[start : len(mark)]


def main():
    tess, show = sys.argv[1], "--list" in sys.argv
    total, wrong, reached = 0, [], set()
    paths = [os.path.join(d, f) for d, _, fs in os.walk(ROOT) for f in fs if f.endswith(".mlir")]
    for path in sorted(paths):
        for words in commands(path):
            for code, text, marked in errors(tess, words):
                if not is_about_shardings(code, text):
                    continue
                total += 1
                if show:
                    print(f"{os.path.relpath(path, ROOT)}: {text}: {marked}")
                if not OPERATION.fullmatch(marked.strip()):
                    continue
                rows = [row for row in REASONS if row in text]
                reached.update(rows)
                if not rows:
                    wrong.append(f"{path}: points at {marked}: {text}")
    wrong += [f"no error of a test says: {row}" for row in REASONS if row not in reached]
    print("\n".join(wrong + [f"{total} errors about shardings, {len(reached)} at operations"]))
    if total < 100:
        sys.exit("so few errors: the tests were not found")
    sys.exit(bool(wrong))


main()
