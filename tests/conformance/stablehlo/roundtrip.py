#!/usr/bin/env python3
"""roundtrip.py: checks that what tess prints means what it read.  jaxlib is the judge.

  roundtrip.py [--tess "tess opt"] [--generic] [--locations] [--unregistered] PATH...

Each file (of a folder: each .mlir below it; .gz is unpacked; parts between `// -----` lines
are counted separately) is printed by jaxlib, and by tess and then by jaxlib.  The two prints must be
equal.  Files that jaxlib refuses are counted and left out.  Run this with a Python that has jaxlib.
Each file is judged in a process of its own, because jaxlib aborts on some.
"""

import argparse
import multiprocessing
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from programs import program_files, program_text  # noqa: E402


def make_context(unregistered):
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, sdy, stablehlo

    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context = ir.Context()
    context.enable_multithreading(False)  # threads do not survive a fork
    context.append_dialect_registry(registry)
    for dialect in (chlo, sdy, stablehlo):
        dialect.register_dialect(context)
    context.load_all_available_dialects()
    stablehlo.register_stablehlo_passes()
    stablehlo.register_interpreter_dialect(context)
    with context:  # no binding registers the quant dialect, but this pass needs it and so loads it
        passes = passmanager.PassManager.parse("builtin.module(vhlo-legalize-to-stablehlo)")
        passes.run(ir.Module.parse("module {}").operation)
    context.allow_unregistered_dialects = unregistered
    return context


def with_generic_checks(text):
    """jaxlib lacks the dialect `check`: with --unregistered its operations are judged in generic form."""

    def of_two(m):
        attributes = f" <{{{m[5][2:]}}}>" if m[5] else ""
        return f'{m[1]}"check.{m[2]}"({m[3]}, {m[4]}){attributes} : ({m[6]}, {m[7] or m[6]}) -> ()'

    text = re.sub(
        r"(?m)^(\s*)check\.(\w+) (%[\w#]+), (%[\w#]+)((?:, \w+ = [^:,\n]*)*) : ([^,\n]*)(?:, (.*))?$",
        of_two,
        text,
    )
    return re.sub(
        r"(?m)^(\s*)check\.(\w+) (%[\w#]+), (dense<.*>) : (.*)$",
        r'\1"check.\2"(\3) <{value = \4 : \5}> : (\5) -> ()',
        text,
    )


def judge(path, options, theirs, ours, queue):
    from jaxlib.mlir import ir

    def printed(text, context):
        text = with_generic_checks(text) if options.unregistered else text
        module = ir.Module.parse(text, context)
        return module.operation.get_asm(
            enable_debug_info=options.locations, print_generic_op_form=options.generic
        )

    text = program_text(path)
    counts = {"parts": 0, "refused by jaxlib": 0, "agree": 0, "same text": 0}
    problems = []
    flags = ["--allow-unregistered-dialect"] * options.unregistered + [
        "--mlir-print-op-generic"
    ] * options.generic
    flags += ["--mlir-print-debuginfo"] * options.locations
    for number, part in enumerate(re.split(r"(?m)^// -----.*\n", text)):
        counts["parts"] += 1
        try:
            want = printed(part, theirs)
        except ir.MLIRError:
            counts["refused by jaxlib"] += 1
            continue
        run = subprocess.run(
            shlex.split(options.tess) + ["-"] + flags, input=part, capture_output=True, text=True
        )
        if run.returncode:
            problems.append(
                f"{path}, part {number}: refused: {run.stderr.splitlines()[0] if run.stderr else ''}"
            )
            continue
        try:
            # jaxlib calls a text without a name "-".
            same = printed(run.stdout.replace('"<stdin>":', '"-":'), ours) == want
        except ir.MLIRError as error:
            problems.append(
                f"{path}, part {number}: jaxlib refuses our text: {str(error).splitlines()[-1]}"
            )
            continue
        if same:
            counts["agree"] += 1
            counts["same text"] += run.stdout.strip() == want.strip()
        else:
            problems.append(f"{path}, part {number}: another program")
    queue.put((counts, problems))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="tess opt")
    for flag in ("--generic", "--locations", "--unregistered"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("path", nargs="+")
    options = parser.parse_args()
    total, bad = {}, 0
    fork = multiprocessing.get_context("fork")
    # A context renames the resources of a second text, so each side has its own; each child has a copy.
    contexts = [make_context(options.unregistered) for _ in range(2)]
    for path in program_files(options.path):
        queue = fork.SimpleQueue()
        process = fork.Process(target=judge, args=(path, options, *contexts, queue))
        process.start()
        process.join()
        if process.exitcode:
            print(f"{path}: jaxlib aborts")
            continue
        counts, problems = queue.get()
        for key, count in counts.items():
            total[key] = total.get(key, 0) + count
        for problem in problems:
            print(problem)
        bad += len(problems)
    print(", ".join(f"{key} {count}" for key, count in total.items()), f"- {bad} problems")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
