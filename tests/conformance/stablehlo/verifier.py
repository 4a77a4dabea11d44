#!/usr/bin/env python3
"""verifier.py: checks that tess accepts what jaxlib accepts, on valid operations with one change each.

  verifier.py [--tess "build/tess opt"] [--each 30] [--seed 1] [--ops REGEX] [--list 40] PATH...

Every operation of StableHLO and CHLO in the .mlir files is put into a program of its own, whose
operands come from an unregistered operation.  Then one thing is changed: a dimension, an element type,
a rank, a number in an attribute, an attribute left out, a type in a region.  Both must agree
whether the program is valid.  Run this with a Python that has jaxlib.  Prints the disagreements
by operation, and 'N passed, N failed'.
"""

import argparse
import collections
import multiprocessing
import os
import random
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from programs import program_files, program_text  # noqa: E402
from roundtrip import make_context  # noqa: E402

ELEMENTS = "f32 f64 bf16 f16 f8E4M3FN i1 i8 i32 i64 ui8 ui32 ui64 complex<f32> complex<f64> index".split() + [
    "!quant.uniform<i8:f32, 1.000000e+00:17>",
    "!quant.uniform<i8:f32, 2.000000e+00>",
    "!quant.uniform<i8:f32:0, {1.000000e-01,2.000000e-01}>",
    "!quant.uniform<i32:f32, 1.000000e+00>",
]
TENSOR = re.compile(r"tensor<((?:[?*\d]+x)*)((?:[^<>]|<[^<>]*>)*)>")


class Instance:
    """An operation in generic form; its operands are %0, %1, … of the types given."""

    def __init__(self, name, head, operands, results):
        self.name, self.head, self.operands, self.results = name, head, operands, results

    def text(self):
        lines = ["func.func @f() {"]
        lines += [f'  %{i} = "test.value"() : () -> {t}' for i, t in enumerate(self.operands)]
        names = "" if not self.results else f"%r:{len(self.results)} = "
        results = ", ".join(self.results)
        lines.append(f"  {names}{self.head} : ({', '.join(self.operands)}) -> ({results})")
        return "\n".join(lines + ["  return", "}"])


def change_type(t, rng):
    m = TENSOR.search(t)
    if not m:
        return rng.choice(["tensor<f32>", "!stablehlo.token", "tensor<*xf32>", "tuple<>", "i32"])
    dims, rest = [d for d in m[1].split("x") if d], m[2]
    element = re.split(r", (?![^<]*>)", rest)[0] if not rest.startswith("!") else rest
    kind = rng.random()
    if kind < 0.3:
        element, rest = None, rng.choice(ELEMENTS)
    elif kind < 0.36:
        dims = ["*"]
        rest = element
    elif kind < 0.5 and dims:
        dims[rng.randrange(len(dims))] = "?"
    elif kind < 0.62:
        dims.insert(rng.randrange(len(dims) + 1), rng.choice(["1", "2", "3", "?"]))
    elif kind < 0.72 and dims:
        del dims[rng.randrange(len(dims))]
    elif dims:
        i = rng.randrange(len(dims))
        old = int(dims[i]) if dims[i].isdigit() else 2
        dims[i] = str(max(0, rng.choice([old + 1, old - 1, old * 2, old // 2, 0, 1])))
    else:
        rest = rng.choice(ELEMENTS)
    new = "tensor<" + "".join(d + "x" for d in dims) + rest + ">"
    return t[: m.start()] + new + t[m.end() :]


def change_number(head, rng):
    spots = [m for m in re.finditer(r"(?<![\w.%\"#^:])-?\d+(?![\w.x])", head)]
    if not spots:
        return None
    m = rng.choice(spots)
    old = int(m[0])
    new = rng.choice([old + 1, old - 1, -1, 0, 1, 2, 100])
    return head[: m.start()] + str(new) + head[m.end() :]


def change_word(head, rng):
    words = [("true", "false"), ("false", "true"), ("LT", "EQ"), ("FLOAT", "SIGNED"), ("SIGNED", "FLOAT"),
             ("DEFAULT", "HIGHEST"), ("UNIFORM", "NORMAL"), ("RFFT", "IRFFT"), ("FFT", "RFFT"),
             ("NO_TRANSPOSE", "TRANSPOSE_INVALID"), ("TOTALORDER", "FLOAT"), ("UNSIGNED", "SIGNED")]
    there = [(a, b) for a, b in words if re.search(rf"\b{a}\b", head)]
    if not there:
        return None
    a, b = rng.choice(there)
    return re.sub(rf"\b{a}\b", b, head, count=1)


def change_list(head, rng):
    """An item of a list, or of a dictionary, once less or once more."""
    spots = [m for m in re.finditer(r"(?:array<i64: |\[|<\{|, )([\w.]+(?: = [^,<>{}\[\]]*)?)(?=[,>\]}])", head)]
    if not spots:
        return None
    m = rng.choice(spots)
    if rng.random() < 0.5:
        return head[: m.end()] + ", " + m[1] + head[m.end() :]
    begin = m.start() if m[0].startswith(", ") else m.start(1)
    end = m.end()
    if begin == m.start(1) and head[end : end + 2] == ", ":
        end += 2
    return head[:begin] + head[end:]


def change_inner_type(head, rng):
    spots = list(TENSOR.finditer(head))
    if not spots:
        return None
    m = rng.choice(spots)
    new = change_type(m[0], rng)
    # Usually all that is spelled the same changes together, so that the text stays readable.
    return head.replace(m[0], new) if rng.random() < 0.7 else head[: m.start()] + new + head[m.end() :]


def changed(inst, rng):
    operands, results, head = list(inst.operands), list(inst.results), inst.head
    kind = rng.random()
    if kind < 0.3 and operands:
        i = rng.randrange(len(operands))
        old, operands[i] = operands[i], change_type(operands[i], rng)
        if rng.random() < 0.4:  # what had the same type follows
            results = [operands[i] if t == old else t for t in results]
        if rng.random() < 0.4:
            operands = [operands[i] if t == old else t for t in operands]
    elif kind < 0.55 and results:
        i = rng.randrange(len(results))
        results[i] = change_type(results[i], rng)
    elif kind < 0.75:
        head = change_number(head, rng) or head
    elif kind < 0.85:
        head = change_list(head, rng) or head
    elif kind < 0.9:
        head = change_word(head, rng) or head
    else:
        head = change_inner_type(head, rng) or head
    return Instance(inst.name, head, operands, results)


def instances_of(text, context):
    """The operations of a program that use no other values than their operands."""
    from jaxlib.mlir import ir

    found = []
    try:
        module = ir.Module.parse(text, context)
    except Exception:
        return found

    def visit(op):
        for region in op.regions:
            for block in region:
                for inner in block:
                    visit(inner.operation)
        if not op.name.startswith(("stablehlo.", "chlo.")) or op.name.endswith("return"):
            return
        if op.name in ("stablehlo.custom_call", "stablehlo.composite"):
            return  # they call functions
        operands = [str(v.type) for v in op.operands]
        results = [str(v.type) for v in op.results]
        with context, ir.Location.unknown():
            shell = ir.Module.parse("module {}")
            with ir.InsertionPoint(shell.body):
                values = [ir.Operation.create("test.value", results=[v.type]).result for v in op.operands]
                clone = op.clone()
                for i, v in enumerate(values):
                    clone.operands[i] = v
            try:
                lines = shell.operation.get_asm(print_generic_op_form=True, use_local_scope=True)
            except Exception:
                return
        if len(lines) > 4000 or "UNKNOWN" in lines:
            return
        at = lines.find('"' + op.name + '"')
        end = lines.rfind(" : (")
        end = lines.rfind(" : (", 0, end)  # the module's own signature stands behind
        if at >= 0 and end > at:
            found.append(Instance(op.name, lines[at:end], operands, results))

    visit(module.operation)
    return found


def jaxlib_verdicts(texts, pipe):
    from jaxlib.mlir import ir

    context = make_context(True)
    for text in texts:
        try:
            ir.Module.parse(text, context)
            pipe.send("")
        except Exception as e:
            pipe.send(str(e).split("\n")[1] if "\n" in str(e) else "refused")
    pipe.close()


def judge_by_jaxlib(texts):
    """'' for what is valid, else why not; None where jaxlib dies."""
    verdicts = []
    while len(verdicts) < len(texts):
        here, there = multiprocessing.Pipe()
        worker = multiprocessing.Process(
            target=jaxlib_verdicts, args=(texts[len(verdicts) :], there)
        )
        worker.start()
        there.close()
        try:
            while len(verdicts) < len(texts):
                verdicts.append(here.recv())
        except EOFError:
            verdicts.append(None)
        worker.join()
    return verdicts


def judge_by_tess(texts, tess):
    """The same; a few at a time, since tess stops telling after so many errors."""
    few = 10
    return [v for at in range(0, len(texts), few) for v in judge_few(texts[at : at + few], tess)]


def judge_few(texts, tess):
    first_line, line = [], 1
    for text in texts:
        first_line.append(line)
        line += text.count("\n") + 2
    whole = "\n// -----\n".join(texts) + "\n"
    run = subprocess.run(
        tess + ["-", "-split-input-file", "-allow-unregistered-dialect"],
        input=whole, capture_output=True, text=True,
    )
    if run.returncode not in (0, 1):
        sys.exit(f"tess ended with {run.returncode}: {run.stderr[-400:]}")
    verdicts = [""] * len(texts)
    for m in re.finditer(r"(?m)^<stdin>:(\d+):\d+: (error.*)$", run.stderr):
        part = max(i for i, n in enumerate(first_line) if n <= int(m[1]))
        verdicts[part] = verdicts[part] or m[2]
    return verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tess", default="build/tess opt")
    parser.add_argument("--each", type=int, default=30, help="changes of each kind of instance")
    parser.add_argument("--most", type=int, default=12, help="instances of an operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", default="")
    parser.add_argument("--list", type=int, default=40)
    parser.add_argument("paths", nargs="+")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    context = make_context(True)
    by_op = collections.defaultdict(dict)
    for path in program_files(args.paths):
        for part in re.split(r"(?m)^\s*// -----.*\n", program_text(path)):
            for inst in instances_of(part, context):
                if re.search(args.ops, inst.name):
                    by_op[inst.name].setdefault(inst.text(), inst)
    tests = []
    for name in sorted(by_op):
        instances = list(by_op[name].values())
        rng.shuffle(instances)
        for inst in instances[: args.most]:
            tests.append(inst)
            tests += [changed(inst, rng) for _ in range(args.each)]
    passed = failed = valid = 0
    shown = collections.Counter()
    for at in range(0, len(tests), 500):
        batch = tests[at : at + 500]
        texts = [t.text() for t in batch]
        for t, text, want, got in zip(batch, texts, judge_by_jaxlib(texts), judge_by_tess(texts, shlex.split(args.tess))):
            if want is None:
                continue
            valid += not want
            if bool(want) == bool(got):
                passed += 1
                continue
            failed += 1
            shown[t.name] += 1
            if shown[t.name] <= 3 and sum(min(n, 3) for n in shown.values()) <= args.list:
                print(f"---- {t.name}: jaxlib {want[:230] or 'accepts'}; tess {got[:200] or 'accepts'}\n{text}")
    for name, n in shown.most_common():
        print(f"{n:6} {name}")
    print(f"{len(by_op)} operations, {valid} of {passed + failed} programs valid")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
