#!/usr/bin/env python3
"""Checks that tess and jaxlib read each other's bytecode, and read the same program from it.

    judge.py [--tess PATH] [--every N] FILE-OR-DIRECTORY...

For each program that jaxlib parses and verifies (.mlir, gzipped or not; `// -----` lines separate
programs in one file):

- jaxlib writes it as bytecode of version 6, and as portable artifacts.  tess must print what it reads
  from them as jaxlib prints it.
- tess writes it as bytecode, and as artifacts for five versions.  jaxlib must print what it reads from
  them as it prints what it wrote itself.  tess must refuse to write for the versions that jaxlib refuses.

jaxlib does not have the operations of StableHLO's own tools (check, interpreter).  It gets them in
generic form, and what tess reads is compared in jaxlib's print.  The same is done for a program whose
text jaxlib cannot read back: it leaves out the result types of a while, although they may differ from
its operand types.

Prints each difference, and counts.  The exit status is 1 if there was any.  A file that crashes jaxlib
is named, and nothing else is counted for it."""

import argparse
import collections
import difflib
import functools
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback

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


# Bytecode that is no artifact does not say of which version of StableHLO it is, and an older jaxlib does
# not read the operations that have got more attributes since.
GREW = {"collective_broadcast": (1, 20, 0)}

# Bytes of an artifact without operations.
NOTHING = stablehlo.serialize_portable_artifact_str("module {}", CURRENT)


@functools.cache
def context():
    """The context that knows all dialects of StableHLO's programs; to make one takes longer than all else.

    JAX leaves out quant, but hands out the same context several times, and reading an artifact adds
    quant to it: without that here, what jaxlib reads would depend on what it read before."""
    made = jax_mlir.make_ir_context()
    made.allow_unregistered_dialects = True
    stablehlo.deserialize_portable_artifact(made, NOTHING)
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


def artifact_text(data, generic=False):
    try:
        module = stablehlo.deserialize_portable_artifact(context(), data)
        return module.operation.get_asm(print_generic_op_form=True) if generic else str(module)
    except Exception as why:
        return "jaxlib refuses: %s" % str(why)[:300]


def plain_text(data):
    with context():
        try:
            return str(ir.Module.parse(data))
        except Exception as why:
            return "jaxlib refuses: %s" % str(why)[:300]


def jaxlib_prints(text, generic=False):
    """None: jaxlib does not read it, or finds it wrong."""
    with context():
        try:
            module = ir.Module.parse(text)
            if not module.operation.verify():
                return None
            return module.operation.get_asm(print_generic_op_form=True) if generic else str(module)
        except Exception:
            return None


class Judge:
    def __init__(self, tess):
        self.tess, self.right, self.wrong = tess, collections.Counter(), collections.Counter()
        self.skipped, self.newer = 0, 0  # neither reads the text; too new for jaxlib as plain bytecode
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

    def read_by_jaxlib(self, data):
        """What jaxlib prints, in generic form, of the text that tess prints."""
        return jaxlib_prints(self.printed(data), generic=True) or "jaxlib refuses tess's text"

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
        tools = re.search(r"\b(?:interpreter|check)\.\w", text) or jaxlib_prints(text) is None
        text = self.generic(path) if tools else text
        theirs = jaxlib_prints(text) if text else None
        if theirs is None:
            self.skipped += 1
            return
        show, expected = (self.printed_by_jaxlib if tools else self.printed), theirs
        if not tools and jaxlib_prints(theirs) is None:
            show, expected = self.read_by_jaxlib, jaxlib_prints(text, True)
        with context():
            data = plain(ir.Module.parse(text))
        if show(text.encode()).startswith("tess refuses"):
            self.wrong["tess refuses the text"] += 1
            print("%s: %s" % (label, self.printed(text.encode())), flush=True)
            return
        self.same("tess reads plain", label, show(data), expected)
        own = artifact(text, CURRENT)
        if own is not None:
            as_generic = show == self.read_by_jaxlib
            self.same("tess reads artifact", label, show(own), artifact_text(own, as_generic))
        self.judge_writing(path, label, text, theirs)

    def judge_writing(self, path, label, text, theirs):
        current = tuple(map(int, CURRENT.split(".")))
        if any(op in text and current < since for op, since in GREW.items()):
            self.newer += 1
        else:
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


def counts_of(tess, path):
    """{"right": …, "wrong": …, "skipped": …} of a file, which is judged in a process of its own; None: it
    died."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            judge = Judge(tess)
            judge.judge(path)
            counts = {"right": judge.right, "wrong": judge.wrong}
            counts.update(skipped=judge.skipped, newer=judge.newer)
            os.write(writer, json.dumps(counts).encode())
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        counts = file.read()
    os.waitpid(child, 0)
    return json.loads(counts) if counts else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tess", default=os.environ.get("TESS", "tess"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    right, wrong = collections.Counter(), collections.Counter()
    skipped = newer = 0
    for path in programs(options.paths, options.every):
        counts = counts_of(options.tess, path)
        if counts is None:
            print("%s: the judge died" % path, flush=True)
            wrong["the judge died"] += 1
            continue
        right.update(counts["right"])
        wrong.update(counts["wrong"])
        skipped += counts["skipped"]
        newer += counts["newer"]
    for what in sorted(set(right) | set(wrong)):
        print("%-24s %6d right %6d wrong" % (what, right[what], wrong[what]))
    print("%d programs that jaxlib does not read" % skipped)
    if newer:
        print("%d programs that are too new for this jaxlib as plain bytecode" % newer)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
