#!/usr/bin/env python3
"""Counts the bytes that a device receives and the collectives, tessera's and Shardy's: the tables of
docs/communication.md.

    tests/conformance/shardy/communication.py --tess build/tess --oracle "python3 oracle.py"
        [--table docs/communication.md] FOLDER [NAME...]

FOLDER contains NAME.mlir or NAME.mlir.gz.  The program is propagated once, by tessera.
The first table compares the same stage of both: Shardy's export pipeline with explicit
collectives, and tessera's by either reshard policy.  The second is about whole programs of a
device, `tess partition` by either policy, which contain what an export leaves to later stages.
The oracle is any command with sdy_opt's command line.

All texts are counted by the same rules.  In a ring of g devices, a device receives (g-1)/g of a
gathered result, of an exchanged operand, and of an operand that is reduced and scattered; twice that
for an all-reduce; and all of what is permuted.  Communication in a function counts once for each
call, and in a loop once.
Exit status 1 if one of tessera's exports communicates more than Shardy's.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from programs import program_name, program_text  # noqa: E402

BITS = {"i1": 8, "bf16": 16}
COLLECTIVES = "all_gather|all_reduce|all_to_all|reduce_scatter|collective_permute"


def element_bytes(name):
    if name.startswith("complex"):
        return 2 * element_bytes(name[8:-1])
    if name in BITS:
        return BITS[name] // 8
    digits = re.search(r"\d+", name)
    return max(1, int(digits.group()) // 8) if digits else 1


def shape_of(text):
    *dims, element = (
        text.split("x")
        if "complex" not in text
        else re.match(r"(?:(.*)x)?(complex<.*>)", text).groups()
    )
    if dims and dims[0] is None:
        dims = []
    elif dims and "x" in dims[0]:
        dims = dims[0].split("x")
    return [int(d) for d in dims], element_bytes(element)


def received(kind, operand, result, group):
    ring = (group - 1) / group
    return {
        "all_gather": result * ring,
        "all_to_all": operand * ring,
        "reduce_scatter": operand * ring,
        "all_reduce": 2 * operand * ring,
        "collective_permute": result,
    }[kind]


def bytes_of(tensor):
    dims, size = shape_of(tensor)
    for d in dims:
        size *= d
    return size


class Count:
    def __init__(self):
        self.n = self.bytes = 0

    def add(self, n, size):
        self.n += n
        self.bytes += size


def by_function(text):
    """The lines of each function."""
    functions, current = {}, None
    for line in text.splitlines():
        start = re.match(r"\s*func\.func (?:public |private )?@(\"[^\"]*\"|[\w$.-]+)", line)
        if start:
            current = functions.setdefault(start.group(1), [])
        elif current is not None:
            current.append(line)
    return functions


def total(text, count_line):
    """Over @main, and over what it calls, as often as it is called."""
    functions = by_function(text)
    memo = {}

    def count(name):
        if name not in memo:
            sum_of = Count()
            lines = functions.get(name, [])
            for at, line in enumerate(lines):
                for called in re.findall(r"\bcall @(\"[^\"]*\"|[\w$.-]+)", line):
                    inner = count(called)
                    sum_of.add(inner.n, inner.bytes)
                found = count_line(lines, at)
                if found is not None:
                    sum_of.add(1, found)
            memo[name] = sum_of
        return memo[name]

    return count("main" if "main" in functions else next(iter(functions)))


# ---- our programs: local shapes, replica groups ------------------------------------------


def ours(lines, at):
    line = lines[at]
    op = re.search(rf'stablehlo\.({COLLECTIVES})"?\(', line)
    if not op:
        return None
    kind = op.group(1)
    end = at
    while not re.search(r"\) -> \(?tensor<", lines[end]):
        end += 1
    sides = re.search(r": \((tensor<.*)\) -> \(?(tensor<.*?)\)?(?: loc.*)?$", lines[end]).groups()
    group = 1
    groups = re.search(r"replica_groups = .*?tensor<(\d+)x(\d+)xi64>", line)
    if groups:
        group = int(groups.group(2))
    operands, results = (
        [bytes_of(t) for t in re.findall(r"tensor<([^<>]*(?:<[^<>]*>)?)>", side)] for side in sides
    )
    return sum(received(kind, i, o, group) for i, o in zip(operands, results))


# ---- Shardy's: global shapes, shardings ----------------------------------------------------


class Shardy:
    def __init__(self, text):
        self.meshes = {
            name: self.axes(body)
            for name, body in re.findall(r"sdy\.mesh @(\w+) = <\[(.*?)\]", text)
        }
        self.types = {}

    @staticmethod
    def axes(text):
        return {a: int(n) for a, n in re.findall(r'"([^"]+)"=(\d+)', text)}

    def mesh_of(self, text):
        named = re.match(r"@(\w+)", text)
        return self.meshes[named.group(1)] if named else self.axes(text.split("]")[0])

    @staticmethod
    def size(axes, text):
        n = 1
        for axis, sub in re.findall(r'"([^"]+)"(?::\(\d+\)(\d+))?', text):
            n *= int(sub) if sub else axes[axis]
        return n

    def count(self, lines, at):
        line = lines[at]
        op = re.search(
            rf"sdy\.({COLLECTIVES}) (.*?) ?out_sharding=<(.*)> : tensor<(.*?)>(?: loc.*)?$", line
        )
        if not op:
            return ours(lines, at)  # in manual computations
        kind, what, sharding, shape = op.groups()
        axes = self.mesh_of(sharding)
        dims, size = shape_of(shape)
        out = sharding[sharding.index("[", sharding.find("]>") if "mesh<" in sharding else 0) :]
        out = out[out.index("[") :]
        shards = [self.size(axes, d) for d in re.findall(r"\{([^}]*)\}", out.split("]")[0])]
        for d, n in zip(dims, shards):
            size *= -(-d // n)
        moved = re.sub(r"%\S+", "", what)
        group = 1
        if kind == "all_to_all":
            for part in re.findall(r"\{([^}]*)\}", moved):
                group *= self.size(axes, part)
        else:
            group = self.size(axes, moved)
        operand = size * group if kind == "reduce_scatter" else size
        return received(kind, operand, size, max(group, 1))


def run(command, **more):
    return subprocess.run(
        command, text=True, capture_output=True, timeout=900, check=True, **more
    ).stdout


EXPORT = "-sdy-export-pipeline=enable-insert-explicit-collectives=true"
POLICIES = ("sdy", "cost")


def measure(options, path, folder):
    """What the exports communicate: Shardy's, ours by either policy; and our whole programs."""
    propagated = os.path.join(folder, "propagated.mlir")
    source = os.path.join(folder, "source.mlir")
    opt = [options.tess, "opt"]
    with open(source, "w") as f:
        f.write(program_text(path))
    with open(propagated, "w") as f:
        f.write(
            run(opt + [source, "-sdy-propagation-pipeline=avoid-export-for-partitioning=true"])
        )
    exports = [shlex.split(options.oracle) + [propagated, EXPORT]]
    exports += [opt + [propagated, f"{EXPORT} reshard-policy={policy}"] for policy in POLICIES]
    rows = []
    for command in exports:
        text = run(command)
        rows.append(total(text, Shardy(text).count))
    for policy in POLICIES:
        local = run([options.tess, "partition", "--merge", source, "--reshard-policy", policy])
        rows.append(total(local, ours))
    return rows


def megabytes(n):
    return f"{n / 1e6:,.1f}" if n < 1e9 else f"{n / 1e6:,.0f}"


TITLES = (
    "| module | Shardy | MB | export, sdy | MB | export, cost | MB |\n|---|--:|--:|--:|--:|--:|--:|\n",
    "| module | policy sdy | MB | policy cost | MB |\n|---|--:|--:|--:|--:|\n",
)


def add_lines(tables, name, rows):
    for table, some in zip(tables, (rows[:3], rows[3:])):
        table.append(f"| {name} | " + " | ".join(f"{r.n} | {megabytes(r.bytes)}" for r in some) + " |")


def write_tables(path, tables):
    with open(path) as f:
        text = f.read()
    for mark, title, table in zip(("exports", "programs"), TITLES, tables):
        head, rest = text.split(f"<!-- {mark} -->\n", 1)
        tail = rest.split("<!-- end -->", 1)[1]
        text = f"{head}<!-- {mark} -->\n{title}" + "\n".join(table) + "\n<!-- end -->" + tail
    with open(path, "w") as f:
        f.write(text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--table")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = options.names or sorted(
        {program_name(f) for f in os.listdir(options.folder) if ".mlir" in f}
    )
    tables, sums, more, n = ([], []), [Count() for _ in range(5)], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = os.path.join(options.folder, name + ".mlir")
            path += "" if os.path.exists(path) else ".gz"
            try:
                rows = measure(options, path, folder)
            except subprocess.CalledProcessError as e:
                print(
                    f"skipped {name}: {e.stderr.strip().splitlines()[0] if e.stderr.strip() else e}",
                    flush=True,
                )
                continue
            for sum_of, row in zip(sums, rows):
                sum_of.add(row.n, row.bytes)
            worse = any(r.n > rows[0].n or r.bytes > rows[0].bytes * 1.000001 for r in rows[1:3])
            more += worse
            n += 1
            add_lines(tables, name, rows)
            print(tables[0][-1] + (" more" if worse else ""), flush=True)
            print(tables[1][-1], flush=True)
    add_lines(tables, "total", sums)
    print(tables[0][-1] + "\n" + tables[1][-1])
    if options.table:
        write_tables(options.table, tables)
    print(f"{n - more} passed, {more} failed")
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
