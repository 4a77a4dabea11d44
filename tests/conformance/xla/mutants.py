#!/usr/bin/env python3
"""Checks that XLA would find a fault in a partitioned program: mutants must compute something else.

    PYTHON tests/conformance/xla/mutants.py [--tess build/tess] FOLDER

In what `tess partition --devices replicas` prints for some programs of FOLDER, one thing is changed at a
time: the members of a collective's groups, or the receivers of a permutation, rotate by one place; an
offset is subtracted instead of multiplied or added; a sum among devices becomes a maximum.  XLA runs the
mutant, and its results are compared with NAME.npz.

A rotation within the only group of a sum changes nothing; such mutants are named, and not counted.  Neither do
the two that are missed change anything: mlp_tp line 45 adds up values that are equal along the axis that it
takes instead; in the product of the transpose of A and A, nondivisible line 57 leaves the padding of one
factor, which meets zeros of the other.  The exit status is 1 if more than three of 35 are missed.
"""

import argparse
import json
import os
import random
import re
import sys

import numpy as np
import ways

PROGRAMS = (
    "mlp_tp",
    "mlp_dp",
    "multi_mesh",
    "permuted_devices",
    "sequence_parallel",
    "explicit_reshard",
    "nondivisible",
)
OF_EACH = 2
TOLERANCE = 1e-4


def rotated_groups(match):
    groups = json.loads(match[1])
    flat = [x for row in groups for x in row]
    flat, size = flat[1:] + flat[:1], len(groups[0])
    rows = [flat[i : i + size] for i in range(0, len(flat), size)]
    return match[0].replace(match[1], json.dumps(rows))


def rotated_pairs(match):
    pairs = json.loads(match[1])
    to = [t for _, t in pairs]
    turned = [[s, t] for (s, _), t in zip(pairs, to[1:] + to[:1])]
    return match[0].replace(match[1], json.dumps(turned))


KINDS = {
    "groups": (r"replica_groups = dense<(\[\[.*?\]\])>", rotated_groups),
    "pairs": (r"source_target_pairs = dense<(\[\[.*?\]\])>", rotated_pairs),
    "offset": (
        r"stablehlo\.(multiply|add) %\d+, %c_?\d* : tensor<i32>",
        lambda m: m[0].replace(m[1], "subtract"),
    ),
    "sum": (
        r"stablehlo\.add (%arg\d+), %arg\d+ : tensor<f32>\n\s+stablehlo.return",
        lambda m: m[0].replace("add", "maximum"),
    ),
}


def changes_nothing(text, match, kind):
    """A sum among all devices does not depend on their order."""
    if kind != "groups" or len(json.loads(match[1])) > 1:
        return False
    line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    return "stablehlo.all_reduce" in line


def mutants(text):
    for kind, (pattern, change) in KINDS.items():
        sites = list(re.finditer(pattern, text))
        for match in random.sample(sites, min(OF_EACH, len(sites))):
            new = text[: match.start()] + change(match) + text[match.end() :]
            yield (
                kind,
                text.count("\n", 0, match.start()) + 1,
                new,
                changes_nothing(text, match, kind),
            )


def verdict(text, inputs, outputs):
    """What shows that a program is wrong; '' if nothing does."""
    try:
        worst = ways.worst_of(ways.Program(text).run(inputs), outputs)
    except Exception as error:  # whatever XLA and JAX raise
        return f"{error}".strip().replace("\n", " ")[:80]
    return f"an error of {worst:.3g}" if worst > TOLERANCE else ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("folder")
    options = parser.parse_args()
    ways.start()
    random.seed(5)
    found = total = 0
    for name in PROGRAMS:
        path = os.path.join(options.folder, name)
        data = np.load(path + ".npz")
        inputs = [data[f"in{i}"] for i in range(len(data)) if f"in{i}" in data]
        outputs = [data[f"out{i}"] for i in range(len(data)) if f"out{i}" in data]
        text = ways.partitioned(options.tess, path + ".mlir", "replicas")
        assert not verdict(text, inputs, outputs), name
        for kind, line, mutant, same in mutants(text):
            why = verdict(mutant, inputs, outputs)
            what = "found" if why else "changes nothing" if same else "MISSED"
            print(f"{name} line {line}, {kind}: {what} {why}".rstrip(), flush=True)
            if not same:
                total, found = total + 1, found + bool(why)
    print(f"{found} found of {total}")
    sys.exit(total - found > total * 3 // 35)


if __name__ == "__main__":
    main()
