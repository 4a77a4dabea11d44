#!/usr/bin/env python3
"""With order=canonical the order of independent operations in the text decides nothing.

    tests/property/canonical.py TESS [--count N] [--seed N]

Random straight-line programs, each written in several orders that respect who uses what;
every operation and argument bears a number, by which the shardings are compared.  That the
default order does depend on the text, as Shardy's does, is checked too: else this test
could not fail.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

AXES = ["x", "y", "z"]
PASS = "-sdy-user-priority-propagate"


def sharding(r, rank, chance):
    axes, dims = r.sample(AXES, len(AXES)), []
    for _ in range(rank):
        mine = [
            axes.pop() for _ in range(r.choice([0, 0, 1, 1, 2])) if axes and r.random() < chance
        ]
        dims.append("{%s}" % ", ".join(['"%s"' % a for a in mine] + ["?"] * (r.random() < 0.8)))
    return "<@mesh, [%s]>" % ", ".join(dims)


def program(r):
    """(argument texts, [(number, names it uses, text)], names returned)"""
    n = r.randint(2, 5)
    heads = [
        "%%a%d: tensor<8x8xf32>%s"
        % (i, " {sdy.sharding = #sdy.sharding%s}" % sharding(r, 2, 0.7) if r.random() < 0.7 else "")
        for i in range(n)
    ]
    names, steps = ["%%a%d" % i for i in range(n)], []
    for k in range(r.randint(3, 14)):
        x, y = r.choice(names), r.choice(names)
        # custom calls with a rule keep their number: other attributes are dropped nowhere
        text = r.choice(
            [
                "stablehlo.add {x}, {y} {{n}} : tensor<8x8xf32>",
                "stablehlo.tanh {x} {{n}} : tensor<8x8xf32>",
                "stablehlo.transpose {x}, dims = [1, 0] {{n}} : (tensor<8x8xf32>) -> tensor<8x8xf32>",
                "stablehlo.dot_general {x}, {y}, contracting_dims = [1] x [0] {{n}} : "
                "(tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>",
                "stablehlo.multiply {x}, {y} {{n}} : tensor<8x8xf32>",
            ]
        )
        text = text.replace("{x}", x).replace("{y}", y).replace("{{n}}", "{n = %d : i64}" % k)
        name = "%%v%d" % k
        steps.append(("%s = %s" % (name, text), {x, y} if y in text else {x}, name))
        names.append(name)
    return heads, steps, [s[2] for s in steps]


def shuffled(r, steps):
    left, done, out = list(steps), set(), []
    defined = {s[2] for s in steps}
    while left:
        ready = [s for s in left if all(u not in defined or u in done for u in s[1])]
        step = r.choice(ready)
        left.remove(step)
        done.add(step[2])
        out.append(step)
    return out


def text_of(heads, steps, returned):
    types = ", ".join(["tensor<8x8xf32>"] * len(returned))
    return (
        'sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>\nfunc.func public @main(%s) -> (%s) {\n'
        % (", ".join(heads), types)
        + "".join("  %s\n" % s[0] for s in steps)
        + "  return %s : %s\n}\n" % (", ".join(returned), types)
    )


def answer(tess, text, options):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir", delete=False) as out:
        out.write(text)
    done = subprocess.run([tess, "opt", out.name, PASS + options], capture_output=True, text=True)
    os.unlink(out.name)
    if done.returncode:
        sys.exit(done.stderr)
    rows = []
    for line in done.stdout.splitlines():
        number = re.search(r"\bn = (\d+)", line)
        if number:
            rows.append(
                (int(number.group(1)), "".join(re.findall(r"sdy\.sharding\S* = (.*?)>\]>", line)))
            )
        elif "func.func" in line:
            rows.append((-1, line))
    return sorted(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tess")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    failed = default_differs = 0
    for seed in range(options.seed, options.seed + options.count):
        r = random.Random(seed)
        heads, steps, returned = program(r)
        orders = [steps] + [shuffled(r, steps) for _ in range(3)]
        texts = [text_of(heads, order, returned) for order in orders]
        answers = [answer(options.tess, t, "=order=canonical") for t in texts]
        if any(a != answers[0] for a in answers):
            failed += 1
            print("program %d depends on the order of its text" % seed)
        default_differs += len({str(answer(options.tess, t, "")) for t in texts}) > 1
    print(
        "%d passed, %d failed; Shardy's order changed %d"
        % (options.count - failed, failed, default_differs)
    )
    if not default_differs:
        print("no program told the two orders apart")
    return 1 if failed or not default_differs else 0


if __name__ == "__main__":
    sys.exit(main())
