#!/usr/bin/env python3
"""Checks that tess and jaxlib read each other's HLO protos, and read the same program from them.

    PYTHON-WITH-JAX tests/conformance/xla/protos.py --tess build/tess FILE-OR-FOLDER...

Each MLIR module is lowered to HLO, and compiled for 8 host devices, by jaxlib; files that end in
.pb are taken as they are.  For each proto:

- read:     `tess hlo` prints the same for the proto as for jaxlib's text of it;
- written:  jaxlib prints the same for the output of `tess convert --to proto` as for the proto;
- of text:  the same for a proto that tess makes from jaxlib's text, except for the order of
            computations, which is not in the text.

XLA renumbers stack frames when it prints, so texts are compared with the frames that the numbers stand for.

Prints what differs, and 'WAY: N passed, N failed'."""

import argparse
import collections
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from xla_modules import files_in, keep, lowered_and_compiled  # noqa: E402

WAYS = ("read", "written", "of text")


def protos_of(path):
    if path.endswith(".pb"):
        with open(path, "rb") as file:
            return [("proto", file.read())]
    return [(k, m.as_serialized_hlo_module_proto()) for k, m in lowered_and_compiled(path)]


def jaxlib_text(proto):
    from jaxlib import _hlo

    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    return _hlo.HloModule.from_serialized_hlo_module_proto(proto).to_string(options)


def run(tess, *arguments):
    done = subprocess.run([*tess, *arguments], capture_output=True)
    return done.stdout if done.returncode == 0 else b"tess refuses: " + done.stderr


def without_numbers(text):
    """The text with places for the numbers of stack frames, and without their tables."""
    head, mark, rest = text.partition("\n\nFileNames\n")
    if not mark:
        return text
    tables, body = rest.split("\n\n\n", 1)
    files, functions, places, frames = (
        [line.split(" ", 1)[1] for line in table.splitlines() if line[:1].isdigit()]
        for table in (tables + "\n").split("\n\n")
    )

    def place_of(number):
        file, function, *rest = map(int, re.findall(r"\d+", places[number - 1]))
        return f"{files[file - 1]} {functions[function - 1]} {rest}"

    def frame_of(number):
        place, parent = map(int, re.findall(r"\d+", frames[number - 1]))
        callers = frame_of(parent - 1) if parent > 1 else []
        return [*callers, place_of(place)]

    found = re.compile(r"stack_frame_id=(\d+)")
    return head + "\n" + found.sub(lambda m: str(frame_of(int(m.group(1)))), body)


def difference(mine, theirs, in_order=True):
    """'' or the first lines that differ."""
    mine, theirs = without_numbers(mine), without_numbers(theirs)
    if not in_order:
        mine, theirs = ("\n\n".join(sorted(t.split("\n\n"))) for t in (mine, theirs))
    lines = difflib.unified_diff(theirs.splitlines(), mine.splitlines(), lineterm="", n=0)
    return "" if mine == theirs else " | ".join(line[:200] for line in list(lines)[3:6]) or "blanks"


def written(tess, path, theirs, in_order):
    proto = run(tess, "convert", "--to", "proto", path)
    if proto.startswith(b"tess refuses"):
        return proto.decode()
    return difference(jaxlib_text(proto), theirs, in_order)


def judge(tess, folder, proto):
    """{way: '' or what is wrong}"""
    pb, text = os.path.join(folder, "module.pb"), os.path.join(folder, "module.hlo")
    theirs = jaxlib_text(proto)
    with open(pb, "wb") as file:
        file.write(proto)
    with open(text, "w", encoding="utf-8") as file:
        file.write(theirs)
    printed = [run(tess, "hlo", "--large-constants", f).decode() for f in (pb, text)]
    wrong = printed[0] if printed[0].startswith("tess refuses") else difference(*printed)
    return {
        "read": wrong,
        "written": written(tess, pb, theirs, True),
        "of text": written(tess, text, theirs, False),
    }


def one(arguments, path):
    """[(kind, {way: what is wrong})]; runs in a process of its own."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, proto in protos_of(path):
            keep(arguments.keep, path, kind + ".pb", proto)
            found.append((kind, judge(arguments.tess.split(), folder, proto)))
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--keep", metavar="FOLDER", help="write jaxlib's protos there")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("paths", nargs="*")
    arguments = parser.parse_args()
    if arguments.one:
        json.dump(one(arguments, arguments.one), sys.stdout)
        return 0
    passed, failed = collections.Counter(), collections.Counter()
    for path in files_in(arguments.paths, (".mlir", ".pb")):
        if path.endswith("snapshot.pb"):  # a module and its arrays, which jaxlib does not read
            continue
        command = [sys.executable, os.path.abspath(__file__), "--one", path]
        command += ["--tess", arguments.tess] + ["--keep", arguments.keep] * bool(arguments.keep)
        child = subprocess.run(command, capture_output=True, text=True)
        if child.returncode:
            last = (child.stderr.strip().splitlines() or ["it dies"])[-1]
            print(f"{path}: jaxlib fails: {last}", flush=True)
            failed["read"] += 1
            continue
        for kind, ways in json.loads(child.stdout):
            for way, wrong in ways.items():
                (failed if wrong else passed)[way] += 1
                if wrong:
                    print(f"{os.path.basename(path)} {kind}: {way}: {wrong[:600]}", flush=True)
    for way in WAYS:
        print(f"{way}: {passed[way]} passed, {failed[way]} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
