#!/usr/bin/env python3
"""Checks that errors in test files are reported at the right lines.

    tests/conformance/stablehlo/diagnostics.py [--tess "build/tess opt"] PATH...

PATH: MLIR files, or folders of them, with `// expected-error` comments; each part between `// -----` lines is
counted separately.  tess must report an error at each marked line (MLIR may report several for it; the texts are
tessera's own), and nowhere else.  StableHLO's test operations are let through.  With --jaxlib (run it with a
Python that has jaxlib), parts without a mark that jaxlib accepts must be accepted too.
"""

import argparse
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

MARK = re.compile(r"expected-error(?:-re)?\s*(@\S+)?\s*(\d*)\s*\{\{")
ERROR = re.compile(r"^[^\n:]*:(\d+):\d+: error\S* (.*)", re.M)


def marked_lines(text):
    """Line numbers, one for each expected error; None for one whose line is open."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        for match in MARK.finditer(line):
            where = (match.group(1) or "@+0")[1:]
            if where == "unknown" or where == "*":
                yield None
            elif where in ("below", "above"):
                step, at = (1, number + 1) if where == "below" else (-1, number - 1)
                while (
                    0 < at <= len(lines)
                    and MARK.search(lines[at - 1])
                    and lines[at - 1].strip().startswith("//")
                ):
                    at += step
                yield at
            else:
                yield number + int(where)


def expecting(text, want):
    """The text with one expectation for each of these lines, of any error, where the first mark is."""
    lines = text.split("\n")
    left = set(want)
    targets = marked_lines(text)
    for number, line in enumerate(lines, 1):
        here = [target for _ in MARK.finditer(line) for target in [next(targets)]]
        new = [target for target in here if target in left][:1]
        left -= set(new)
        marks = [
            "expected-error@" + ("unknown" if t is None else f"{t - number:+d}") + " {{}}" for t in new
        ]
        if here or "expected-" in line:
            head = re.split(r"//(?=.*expected-)", line)[0]
            lines[number - 1] = head + "// " + "".join(marks)
    return "\n".join(lines)


def refused_lines(tess, text, want):
    """The lines of `want` that are refused, other lines that are, and what was said.  Ours points at
    a part of an operation; as -verify-diagnostics has it, that is on the operation's line too."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(expecting(text, want))
        file.flush()
        flags = ["--allow-unregistered-dialect"] if "hlo_test_" in text else []
        run = subprocess.run(
            shlex.split(tess) + flags + ["-verify-diagnostics", file.name],
            capture_output=True,
            text=True,
            timeout=60,
        )
    said = [(int(n), what) for n, what in ERROR.findall(run.stderr)]
    missed = {n for n, what in said if "was not produced" in what}
    lines = expecting(text, want).split("\n")
    unmet = {n + int(re.search(r"@([+-]\d+)", lines[n - 1]).group(1)) for n in missed
             if "@unknown" not in lines[n - 1]}
    unmet |= {None for n in missed if "@unknown" in lines[n - 1]}
    others = sorted({n for n, what in said if "unexpected error" in what})
    return [line for line in want if line not in unmet], others, run.stderr


def jaxlib_accepts(text, unregistered):
    from jaxlib.mlir import ir
    from roundtrip import make_context

    try:
        ir.Module.parse(text, make_context(unregistered))
        return True
    except ir.MLIRError:
        return False


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess opt")
    parser.add_argument("--jaxlib", action="store_true")
    parser.add_argument("path", nargs="+")
    options = parser.parse_args()
    files = []
    for path in options.path:
        files += sorted(glob.glob(os.path.join(path, "*.mlir"))) if os.path.isdir(path) else [path]
    marked = passed = unmarked = 0
    for path in files:
        text = open(path, encoding="utf-8", errors="replace").read()
        if "expected-error" not in text:
            continue
        first = 1
        for part in re.split(r"(?m)^(?=// -----)", text):
            want = sorted(set(marked_lines(part)), key=lambda line: line or 0)
            have, left, said = refused_lines(options.tess, part, want)
            marked += len(want)
            passed += len(have)
            for line in want:
                if line not in have:
                    print(
                        f"{path}:{first + (line or 1) - 1}: not refused"
                        + (f", but {left}" if left else "")
                    )
            for line in left:
                if want or not options.jaxlib or jaxlib_accepts(part, False):
                    unmarked += 1
                    why = next((s for s in said.split("\n") if f":{line}:" in s), "")
                    print(
                        f"{path}:{first + line - 1}: refused without a mark: {why.split('error')[-1]}"
                    )
            first += part.count("\n")
    print(f"{passed} passed, {marked - passed} failed; {unmarked} refused without a mark")
    return 1 if unmarked or passed < marked else 0


if __name__ == "__main__":
    sys.exit(main())
