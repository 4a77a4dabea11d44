#!/usr/bin/env python3
"""Whether tess and jaxlib read each other's bytecode, and mean the same by it.

    judge.py [--tess PATH] [--every N] FILE-OR-DIRECTORY...

For each program (.mlir, gzipped or not; between `// -----` lines are several) that jaxlib parses and
verifies:

- jaxlib writes it as bytecode of version 6, and as portable artifacts; tess prints what it reads of
  them as jaxlib prints it;
- tess writes it as bytecode, and as artifacts for five versions; jaxlib prints what it reads of them
  as it prints what it has written itself, and what jaxlib refuses to write for a version tess does too.

Operations of StableHLO's own tools (check, interpreter), which jaxlib does not have, are given to it in
generic form, and what tess reads is compared as jaxlib prints it.

Prints each difference, and counts.  The exit status is 1 if there was any."""

import argparse
import collections
import difflib
import gzip
import io
import os
import re
import subprocess
import sys
import tempfile

from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

VERSIONS = ("0.9.0", "0.14.0", "1.0.0", "1.8.0", "1.16.0")
CURRENT = stablehlo.get_current_version()


def programs(paths, every):
    found = []
    for path in paths:
        if os.path.isdir(path):
            for base, _, names in sorted(os.walk(path)):
                found += [os.path.join(base, n) for n in sorted(names)]
        else:
            found.append(path)
    found = [f for f in found if f.endswith((".mlir", ".mlir.gz"))]
    return found[::every]


def text_of(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as file:
        return file.read().decode()


def context():
    made = jax_mlir.make_ir_context()
    made.allow_unregistered_dialects = True
    return made


def plain(module):
    out = io.BytesIO()
    module.operation.write_bytecode(out, desired_version=6)
    return out.getvalue()


def artifact(text, version):
    """None: jaxlib refuses."""
    with context():
        try:
            return stablehlo.serialize_portable_artifact(ir.Module.parse(text), version, True)
        except Exception:
            return None


def artifact_text(data):
    try:
        return str(stablehlo.deserialize_portable_artifact(context(), data))
    except Exception as why:
        return "jaxlib refuses: %s" % str(why)[:300]


def plain_text(data):
    with context():
        try:
            return str(ir.Module.parse(data))
        except Exception as why:
            return "jaxlib refuses: %s" % str(why)[:300]


def jaxlib_prints(text):
    """None: jaxlib does not read it, or finds it wrong."""
    with context():
        try:
            module = ir.Module.parse(text)
            return str(module) if module.operation.verify() else None
        except Exception:
            return None


class Judge:
    def __init__(self, tess):
        self.tess, self.right, self.wrong = tess, collections.Counter(), collections.Counter()
        self.skipped = 0  # neither reads the text
        folder = tempfile.mkdtemp()
        self.file, self.part = os.path.join(folder, "program"), os.path.join(folder, "part.mlir")

    def run(self, *arguments):
        done = subprocess.run([self.tess, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=60)
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def printed(self, data):
        """What tess prints of these bytes."""
        with open(self.file, "wb") as file:
            file.write(data)
        code, out, err = self.run("opt", "-allow-unregistered-dialect", self.file)
        return out.decode() if code == 0 else "tess refuses: " + err[:300]

    def printed_by_jaxlib(self, data):
        """What jaxlib prints of what tess reads."""
        with open(self.file, "wb") as file:
            file.write(data)
        text = self.generic(self.file)
        return (text and jaxlib_prints(text)) or "tess refuses"

    def generic(self, path):
        """A text with operations of which jaxlib knows nothing; None: tess refuses it."""
        code, out, err = self.run("opt", "-allow-unregistered-dialect", "--mlir-print-op-generic", path)
        own = re.compile(r'("(?:interpreter|check)\.[^\n]*?)<\{([^\n]*?)\}>')
        return own.sub(r"\1{\2}", out.decode()) if code == 0 else None

    def written(self, path, *how):
        """What tess writes; None: it refuses."""
        code, out, err = self.run("convert", path, *how)
        self.said = err
        return out if code == 0 else None

    def same(self, what, path, mine, theirs):
        if mine.rstrip() == theirs.rstrip():
            self.right[what] += 1
            return
        self.wrong[what] += 1
        lines = [l for l in difflib.unified_diff(theirs.splitlines(), mine.splitlines(), lineterm="", n=0)
                 if not l.startswith(("---", "+++", "@@"))]
        print("%s: %s: %s" % (path, what, " | ".join(l[:160] for l in lines[:2])), flush=True)

    def judge(self, path):
        parts = re.split(r"(?m)^// -----.*\n", text_of(path))
        for i, text in enumerate(parts):
            if len(parts) > 1:
                with open(self.part, "w") as file:
                    file.write(text)
            self.judge_part(path if len(parts) == 1 else self.part, "%s %d" % (path, i), text)

    def judge_part(self, path, label, text):
        tools = jaxlib_prints(text) is None
        text = self.generic(path) if tools else text
        theirs = jaxlib_prints(text) if text else None
        if theirs is None:
            self.skipped += 1
            return
        with context():
            data = plain(ir.Module.parse(text))
        if tools:
            self.printed = self.printed_by_jaxlib
        else:
            self.__dict__.pop("printed", None)
        if self.printed(text.encode()).startswith("tess refuses"):
            self.wrong["tess refuses the text"] += 1
            return
        self.same("tess reads plain", label, self.printed(data), theirs)
        own = artifact(text, CURRENT)
        if own is not None:
            self.same("tess reads artifact", label, self.printed(own), artifact_text(own))
        mine = self.written(path, "--to", "bytecode")
        self.same("tess writes plain", label, plain_text(mine) if mine else self.said, theirs)
        for version in VERSIONS + (CURRENT,):
            own = artifact(text, version)
            mine = self.written(path, "--to", "artifact", "--target-version", version)
            what = "tess writes " + version
            if own is None or mine is None:
                self.same(what, label, "refused" if mine is None else "written",
                          "refused" if own is None else "written")
            else:
                self.same(what, label, artifact_text(mine), artifact_text(own))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tess", default=os.environ.get("TESS", "tess"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    judge = Judge(options.tess)
    for path in programs(options.paths, options.every):
        judge.judge(path)
    for what in sorted(set(judge.right) | set(judge.wrong)):
        print("%-24s %6d right %6d wrong" % (what, judge.right[what], judge.wrong[what]))
    print("%d programs that jaxlib does not read" % judge.skipped)
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
