#!/usr/bin/env python3
"""judge.py: judges what tess makes of the programs that record.py has recorded.

    PYTHON tests/conformance/jax/tests/judge.py --tess build/tess [--ways WAY,...]
                                                RECORDING [FILE...]

The ways, all by default:

    run          tess run; programs of several devices are partitioned over their mesh
    sdy          tess run --reshard-policy sdy, for several devices only
    faithful     tess run --faithful, for several devices only
    propagation  tess opt -sdy-propagation-pipeline against Shardy in jaxlib, for several devices
    sharded      tess run of programs of one device over a random mesh, with random shardings of
                 arguments and results (--seed)

PYTHON has jax of the version that recorded.  A program agrees if its results are JAX's, within the
tolerances of agreement.py.  It is `open` if the program does not determine what differs:

- XLA, with optimizations or with inputs changed by a unit in the last place, differs from itself as much;
- only subnormal numbers are treated differently;
- eigenvectors and singular vectors have another sign or phase, or eigenvalues come in another order.

It is `named` if differences.txt gives a reason.  Everything else is a fault: wrong numbers, a refusal, a
crash, no end after a minute.

Prints a line for each program that does not agree, and a table.  The exit status is 1 if there is a fault.
--results FILE writes a line of JSON for each program and way; --again FILE judges only what
was a fault there.
"""

import argparse
import collections
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import random_mesh

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../support"))
sys.path.insert(0, os.path.join(HERE, "../../shardy"))  # propagation.py
from agreement import difference, flushed, load, no_more_than, reordered, up_to_phases  # noqa: E402

WAYS = {
    "run": [],
    "sdy": ["--reshard-policy", "sdy"],
    "faithful": ["--faithful"],
    "propagation": None,
    "sharded": [],
}
KINDS = ("agree", "open", "named", "wrong", "refused", "crash", "no end")
FAULTS = KINDS[3:]
SECONDS = 60
VECTORS = "lapack_[sdcz](geev|heevd|syevd|gesdd|gesvd)_ffi"  # of which any multiple is one
EIGENVALUES = "lapack_[sdcz]geev_ffi"  # of general matrices: LAPACKs have them in other orders

Program = collections.namedtuple("Program", "file path record")
Verdict = collections.namedtuple("Verdict", "kind why", defaults=("",))


def programs_of(recording, only):
    for file in sorted(os.listdir(recording)):
        index = os.path.join(recording, file, "index.jsonl")
        if not os.path.exists(index) or only and not any(o in file for o in only):
            continue
        with open(index, encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                yield Program(file, os.path.join(recording, file, record["hash"]), record)


# ---- named differences


def named_differences():
    """[(what, pattern, reason)] of differences.txt."""
    found, reason = [], ""
    with open(os.path.join(HERE, "differences.txt"), encoding="utf-8") as file:
        for line in map(str.rstrip, file):
            if line.startswith("#"):
                reason = line[1:].strip()
            elif line:
                what, _, pattern = line.partition(" ")
                found.append((what, pattern, reason))
    return found


def text_of(program):
    with open(program.path + ".mlir", encoding="utf-8") as file:
        return file.read()


def reason_for(program, way):
    """Why the program may differ in this way; None if it may not."""
    text = text_of(program)
    test = f"{program.file}::{program.record['test']}"
    for what, pattern, reason in named_differences():
        what, _, only = what.partition(":")
        if only and only != way:
            continue
        if what == "test" and fnmatch.fnmatchcase(test, pattern):
            return reason
        if what == "text" and re.search(pattern, text):
            return reason
    return None


# ---- numbers


def run(command):
    """(status or None, standard error)."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stderr


def sharded_by(options, program):
    values = load(program.path + ".npz")
    return random_mesh.options_for(program.record["hash"], values, options.seed)


def run_tess(options, program, way, inputs, folder):
    """(results or None, verdict or None)."""
    out = os.path.join(folder, "out.npz")
    command = options.tess.split() + ["run", program.path + ".mlir", *WAYS[way]]
    if way == "sharded":
        command += sharded_by(options, program)
    status, said = run(command + ["--inputs", inputs, "--outputs", out])
    if status is None:
        return None, Verdict("no end", f"after {SECONDS} s")
    if status != 0:
        lines = [x for x in said.splitlines() if "error" in x] or [f"status {status}"]
        return None, Verdict("refused" if status == 1 else "crash", lines[0][:200])
    return (load(out) if program.record["outs"] else {}), None


def compare(program, want, got):
    """{index: sentence} of the results that differ."""
    wrong = {}
    for i, name in enumerate(program.record["outs"]):
        if f"out{i}" not in got:
            wrong[i] = "is not there"
            continue
        sentence = difference(got[f"out{i}"], want[f"out{i}"], name)
        if sentence:
            wrong[i] = sentence
    return wrong


def of_xla(program, folder):
    """Results of XLA's other ways of computing the program."""
    found = []
    types = ",".join(program.record["ins"])
    for ways in (["optimised"], ["rounded"], ["optimised", "rounded"]):
        out = os.path.join(folder, "-".join(ways) + ".npz")
        command = [sys.executable, os.path.join(HERE, "xla_again.py"), program.path, out]
        run(command + [str(program.record["devices"]), types] + ways)
        if os.path.exists(out):
            found.append(load(out))
    return found


def agrees_flushed(options, program, way, values, folder):
    """True if only subnormal numbers in the arguments are taken otherwise."""
    inputs = {
        f"in{i}": flushed(values[f"in{i}"], name) for i, name in enumerate(program.record["ins"])
    }
    if all((values[k].tobytes() == a.tobytes()) for k, a in inputs.items()):
        return False
    path = os.path.join(folder, "flushed.npz")
    np.savez(path, **inputs)
    got, failed = run_tess(options, program, way, path, folder)
    return not failed and not compare(program, values, got)


def why_open(options, program, way, values, got, folder):
    """Why the program leaves open what differs; None if it does not."""
    if agrees_flushed(options, program, way, values, folder):
        return "subnormal numbers"
    differing = [(f"out{i}", program.record["outs"][i]) for i in compare(program, values, got)]
    if any(key not in got for key, _ in differing):
        return None
    if re.search(VECTORS, text_of(program)) and all(
        up_to_phases(got[key], values[key], name) for key, name in differing
    ):
        return "signs or phases of vectors"
    if re.search(EIGENVALUES, text_of(program)) and all(
        reordered(got[key], values[key], name) for key, name in differing
    ):
        return "another order of eigenvalues"
    others = of_xla(program, folder)
    for key, name in differing:
        theirs = [o[key] for o in others if key in o]
        if not no_more_than(got[key], values[key], theirs, name):
            return None
    return "XLA differs from itself"


def judge_numbers(options, program, way):
    """A verdict; None where there is nothing to shard."""
    if way == "sharded" and not sharded_by(options, program):
        return None
    with tempfile.TemporaryDirectory() as folder:
        values = load(program.path + ".npz")
        got, failed = run_tess(options, program, way, program.path + ".npz", folder)
        if failed:
            return failed
        wrong = compare(program, values, got)
        if not wrong:
            return Verdict("agree")
        reason = why_open(options, program, way, values, got, folder)
        first, sentence = next(iter(wrong.items()))
        sentence = f"out{first}: {sentence}"
        return Verdict("open", f"{reason}: {sentence}") if reason else Verdict("wrong", sentence)


# ---- shardings


def judge_propagation(options, programs):
    """A verdict for each; None where Shardy refuses or aborts."""
    import jaxlib_mlir
    import propagation

    def ask(program):
        path = program.path + ".mlir"
        context = jaxlib_mlir.make_context()
        same, total, remark = propagation.check_module(context, path, options.tess, False)
        return [same, total, remark]

    verdicts = []
    for start in range(0, len(programs), 50):
        jobs = [lambda p=p: ask(p) for p in programs[start : start + 50]]
        for answer in jaxlib_mlir.forked(jobs):
            if answer == "ABORTED" or answer[1] is None:
                verdicts.append(None)
            elif answer[0] == answer[1]:
                verdicts.append(Verdict("agree"))
            else:
                verdicts.append(Verdict("wrong", f"{answer[0]} of {answer[1]}; {answer[2]}"))
    return verdicts


# ---- all of it


def judged(options, programs, way):
    """[(program, verdict)] in their order."""
    if way == "propagation":
        pairs = zip(programs, judge_propagation(options, programs))
    else:
        with ThreadPoolExecutor(options.j) as pool:
            pairs = zip(programs, pool.map(lambda p: judge_numbers(options, p, way), programs))
    for program, verdict in pairs:
        if verdict is None:
            continue
        if verdict.kind in FAULTS:
            reason = reason_for(program, way)
            verdict = Verdict("named", f"{reason} ({verdict.why})") if reason else verdict
        yield program, verdict


def judge_way(options, programs, way, log):
    counts = collections.Counter()
    for program, verdict in judged(options, programs, way):
        counts[verdict.kind] += 1
        row = {"way": way, "file": program.file, **program.record, **verdict._asdict()}
        if log:
            print(json.dumps(row), file=log, flush=True)
        if verdict.kind != "agree":
            where = f"{program.file}/{program.record['hash']} {program.record['test']}"
            print(f"{way}: {verdict.kind}: {where}: {verdict.why}", flush=True)
    return counts


def is_for(program, way):
    if way == "run":
        return True
    if way == "sharded":
        return program.record["devices"] == 1 and "sdy." not in text_of(program)
    return program.record["devices"] > 1


def faults_in(path):
    """{(way, hash)} of an earlier run's faults."""
    with open(path, encoding="utf-8") as lines:
        rows = {(r["way"], r["hash"]): r["kind"] for r in map(json.loads, lines)}
    return {key for key, kind in rows.items() if kind in FAULTS}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--results", help="a file of JSON lines")
    parser.add_argument("--again", help="results of an earlier run: judge only its faults")
    parser.add_argument("--seed", type=int, default=1, help="of the way `sharded`")
    parser.add_argument("-j", type=int, default=1, help="programs at a time")
    parser.add_argument("recording")
    parser.add_argument("only", nargs="*", help="test files whose names contain this")
    options = parser.parse_args()
    programs = list(programs_of(options.recording, options.only))
    again = faults_in(options.again) if options.again else None
    log = open(options.results, "w", encoding="utf-8") if options.results else None
    table = {}
    for way in options.ways.split(","):
        chosen = [p for p in programs if is_for(p, way)]
        if again is not None:
            chosen = [p for p in chosen if (way, p.record["hash"]) in again]
        table[way] = judge_way(options, chosen, way, log)
    print(f"{'':12}" + "".join(f"{k:>9}" for k in ("programs", *KINDS)))
    for way, counts in table.items():
        figures = [sum(counts.values())] + [counts[k] for k in KINDS]
        print(f"{way:12}" + "".join(f"{n:>9}" for n in figures))
    sys.exit(1 if any(c[k] for c in table.values() for k in FAULTS) else 0)


if __name__ == "__main__":
    main()
