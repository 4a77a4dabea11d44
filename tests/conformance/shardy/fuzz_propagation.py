#!/usr/bin/env python3
"""Checks on random programs that tess's passes give what Shardy's give.

    PYTHON-WITH-JAXLIB tests/conformance/shardy/fuzz_propagation.py --tess build/tess
                       [--count N] [--seed N] [--keep FOLDER] [--only CONFIGURATION] [--compatible]

Each program is a function with random operations, shapes, meshes and annotations, generated from its
number alone.  Shardy runs in process, through jaxlib, in a fork for each batch, because some
programs abort it.  Both texts are compared after one more trip through MLIR's printer.
Programs that differ go to --keep.  The exit status is 1 if more than 0.5 percent differ.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

from jaxlib.mlir import ir, passmanager

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from jaxlib_mlir import forked, make_context, reprint  # noqa: E402

IMPORT = [
    "symbol-dce",
    "sdy-lift-inlined-meshes",
    "sdy-remove-size-one-axes",
    "sdy-propagate-sharding-from-func-to-call",
    "sdy-constant-or-scalar-splitter",
    "symbol-dce",
    "sdy-manual-axes-cleanup",
    "sdy-add-data-flow-edges",
    "sdy-flatten-call-graph",
    "symbol-dce",
    "sdy-import-func-calls",
    "symbol-dce",
    "sdy-apply-sharding-constraints",
    "sdy-sharding-group-import",
    "sdy-pre-order-funcs",
]
EDGES = ["sdy-add-data-flow-edges", "sdy-apply-sharding-constraints", "sdy-sharding-group-import"]
EXPORT = [
    "sdy-export-named-computations",
    "sdy-propagate-to-func-results",
    "sdy-unflatten-call-graph",
    "symbol-dce",
    "sdy-insert-func-call-reshards",
    "sdy-constant-or-scalar-merger",
    "sdy-sink-data-flow-edges",
    "sdy-sharding-constraint-to-reshard",
    "sdy-update-non-divisible-input-output-shardings",
    "sdy-remove-sub-axes-in-input-output-shardings",
    "sdy-close-shardings",
]
# With --only, and jaxlib 0.11.2, which keeps the kinds of reductions.  Both sides start from what
# tess has propagated, since the propagation of that jaxlib is a later one.
LATE = {
    "partial": ["sdy-insert-explicit-reshards"],
    "reshards": ["sdy-insert-explicit-reshards{enable-full-version=true}"],
    "collectives": [
        "sdy-insert-explicit-reshards{enable-full-version=true}",
        "canonicalize{enable-patterns=sdy-reshard}",
        "sdy-reshard-to-collectives",
        "canonicalize{enable-patterns=sdy-collective}",
    ],
}
CONFIGURATIONS = {
    "export": IMPORT + ["sdy-user-priority-propagate"] + EXPORT,
    "pipeline": ["sdy-propagation-pipeline"],
    "user": IMPORT + ["sdy-user-priority-propagate"],
    "op": EDGES + ["sdy-op-priority-propagate"],
    "basic": EDGES + ["sdy-basic-propagate"],
    "aggressive": EDGES + ["sdy-aggressive-propagate"],
    "both": EDGES + ["sdy-op-priority-propagate{propagation-strategy=basic-then-aggressive}"],
    "conservative": EDGES + ["sdy-op-priority-propagate{conservative-propagation=true}"],
    "rules": EDGES + ["sdy-aggressive-propagate{keep-sharding-rules=true}"],
    "origins": EDGES + ["sdy-op-priority-propagate{debug-sharding-origins=true}"],
    "steps": EDGES + ["sdy-op-priority-propagate{debug-propagation-edge-sharding=true}"],
    "dedup": IMPORT[:8]
    + [
        "sdy-apply-sharding-constraints",
        "sdy-sharding-group-import",
        "sdy-add-func-data-flow-edges",
        "sdy-pre-order-funcs",
        "sdy-user-priority-propagate",
    ],
}
WEIGHTS = {
    "export": 3,
    "pipeline": 2,
    "user": 6,
    "op": 3,
    "basic": 2,
    "aggressive": 3,
    "both": 1,
    "conservative": 1,
    "rules": 1,
    "dedup": 2,
}
MESHES = [
    [("x", 2), ("y", 2), ("z", 2)],
    [("x", 4), ("y", 2)],
    [("x", 2), ("y", 3)],
    [("x", 8), ("y", 4)],
    [("x", 6), ("y", 4)],
    [("a", 2), ("b", 2), ("c", 4), ("d", 2)],
    [("x", 4), ("y", 1), ("z", 2)],
]
SIZES = [1, 2, 3, 4, 6, 8, 8, 12, 16, 24]


def tensor(shape, element="f32"):
    return "tensor<%s%s>" % ("".join("%dx" % d for d in shape), element)


class Program:
    """Values are (name, shape); all elements are f32."""

    def __init__(self, number):
        self.r = random.Random(number)
        self.mesh = self.r.choice(MESHES)
        self.two = self.r.random() < 0.06
        self.lines, self.pool, self.count, self.indent = [], [], 0, 2
        self.functions, self.groups = [], {} if self.r.random() < 0.3 else None
        self.unreduced = self.r.random() < 0.05
        self.manual = ()
        self.text = self.whole()

    # ---- annotations

    def sub_axis(self, name, size):
        cuts = [
            (p, k)
            for p in range(1, size)
            for k in range(2, size)
            if size % (p * k) == 0 and p * k <= size and k != size
        ]
        if not cuts or self.r.random() < 0.8:
            return '"%s"' % name
        return '"%s":(%d)%d' % ((name,) + self.r.choice(cuts))

    def sharding(self, shape, priorities=False, closed=None, density=0.5):
        r = self.r
        axes = [a for a in self.mesh if a[0] not in self.manual]
        r.shuffle(axes)
        dims, used = [], []
        for _ in shape:
            mine = []
            while axes and r.random() < density * 0.8:
                mine.append(self.sub_axis(*axes.pop()))
            used += mine
            is_open = r.random() < 0.5 if closed is None else not closed
            priority = ""
            if priorities and (mine or is_open) and r.random() < 0.5:
                priority = "p%d" % r.choice([0, 1, 1, 2, 5])
            dims.append("{%s}%s" % (", ".join(mine + ["?"] * is_open), priority))
        text = "[%s]" % ", ".join(dims)
        left = [a[0] for a in self.mesh if a in axes]
        for word, chance in (("replicated", 0.15), ("unreduced", 0.3 * self.unreduced)):
            if left and r.random() < chance:
                text += ', %s={"%s"}' % (word, left.pop(r.randrange(len(left))))
        mesh = "@other" if self.two and r.random() < 0.3 else "@mesh"
        return "<%s, %s>" % (mesh, text)

    def attribute(self, shapes, chance=0.08):
        if self.r.random() > chance:
            return ""
        return " {sdy.sharding = #sdy.sharding_per_value<[%s]>}" % ", ".join(
            self.sharding(s, self.priorities) for s in shapes
        )

    # ---- emission

    def emit(self, text):
        self.lines.append(" " * self.indent + text)

    def new(self, shape, text):
        self.count += 1
        name = "%%v%d" % self.count
        self.emit("%s = %s" % (name, text))
        self.pool.append((name, shape))
        return name, shape

    def fresh(self):
        self.count += 1
        return "%%v%d" % self.count

    def pick(self, test=lambda s: True):
        fitting = [v for v in self.pool if test(v[1])]
        return self.r.choice(fitting) if fitting else None

    def constant(self, shape):
        return self.new(shape, "stablehlo.constant dense<1.0> : " + tensor(shape))

    def like(self, shape):
        """A value of that shape, perhaps made for the purpose."""
        v = self.pick(lambda s: s == shape)
        if v and self.r.random() < 0.9:
            return v
        if self.r.random() < 0.5:
            scalar = self.constant(())
            return self.new(
                shape,
                "stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> %s"
                % (scalar[0], tensor(shape)),
            )
        return (
            self.new(shape, "stablehlo.iota dim = 0 : " + tensor(shape))
            if shape
            else self.constant(shape)
        )

    # ---- operations: each takes a value and makes another

    def unary(self, v):
        op = self.r.choice(["abs", "negate", "tanh", "exponential"])
        return self.new(
            v[1], "stablehlo.%s %s%s : %s" % (op, v[0], self.attribute([v[1]]), tensor(v[1]))
        )

    def binary(self, v):
        w = self.like(v[1])
        op = self.r.choice(["add", "multiply", "maximum", "subtract"])
        a, b = (v[0], w[0]) if self.r.random() < 0.5 else (w[0], v[0])
        return self.new(
            v[1], "stablehlo.%s %s, %s%s : %s" % (op, a, b, self.attribute([v[1]]), tensor(v[1]))
        )

    def select(self, v):
        w = self.like(v[1])
        p = self.fresh()
        self.emit(
            "%s = stablehlo.compare GT, %s, %s : (%s, %s) -> %s"
            % (p, v[0], w[0], tensor(v[1]), tensor(v[1]), tensor(v[1], "i1"))
        )
        return self.new(
            v[1],
            "stablehlo.select %s, %s, %s : %s, %s"
            % (p, w[0], v[0], tensor(v[1], "i1"), tensor(v[1])),
        )

    def transpose(self, v):
        order = list(range(len(v[1])))
        self.r.shuffle(order)
        shape = tuple(v[1][i] for i in order)
        return self.new(
            shape,
            "stablehlo.transpose %s, dims = [%s]%s : (%s) -> %s"
            % (
                v[0],
                ", ".join(map(str, order)),
                self.attribute([shape]),
                tensor(v[1]),
                tensor(shape),
            ),
        )

    def reshape(self, v):
        size = 1
        for d in v[1]:
            size *= d
        rest, shape = size, []
        for _ in range(self.r.randint(0, 3)):
            divisors = [d for d in (1, 2, 3, 4, 6, 8, 12, 16) if rest % d == 0]
            shape.append(self.r.choice(divisors))
            rest //= shape[-1]
        shape.insert(self.r.randint(0, len(shape)), rest)
        shape = tuple(shape)
        return self.new(
            shape,
            "stablehlo.reshape %s%s : (%s) -> %s"
            % (v[0], self.attribute([shape]), tensor(v[1]), tensor(shape)),
        )

    def broadcast(self, v):
        shape, dims = [], []
        for d in v[1]:
            while self.r.random() < 0.3 and len(shape) < 4:
                shape.append(self.r.choice(SIZES))
            dims.append(len(shape))
            shape.append(self.r.choice(SIZES) if d == 1 else d)
        shape = tuple(shape + ([self.r.choice(SIZES)] if self.r.random() < 0.3 else []))
        return self.new(
            shape,
            "stablehlo.broadcast_in_dim %s, dims = [%s]%s : (%s) -> %s"
            % (
                v[0],
                ", ".join(map(str, dims)),
                self.attribute([shape]),
                tensor(v[1]),
                tensor(shape),
            ),
        )

    def dot(self, v):
        lhs = v[1]
        if not lhs:
            return self.unary(v)
        dims = list(range(len(lhs)))
        self.r.shuffle(dims)
        contract = dims[: self.r.randint(1, min(2, len(dims)))]
        batch = [d for d in dims[len(contract) :] if self.r.random() < 0.3]
        free = [self.r.choice(SIZES) for _ in range(self.r.randint(0, 2))]
        labels = [("b", d) for d in batch] + [("c", d) for d in contract] + [("f", s) for s in free]
        self.r.shuffle(labels)
        rhs = tuple(lhs[d] if k != "f" else d for k, d in labels)
        where = lambda k, d: labels.index((k, d))
        out = tuple(
            [lhs[d] for d in batch]
            + [lhs[d] for d in range(len(lhs)) if d not in batch and d not in contract]
            + [d for k, d in labels if k == "f"]
        )
        w = self.like(rhs)
        join = lambda l: "[%s]" % ", ".join(map(str, l))
        text = "stablehlo.dot_general %s, %s, " % (v[0], w[0])
        if batch:
            text += "batching_dims = %s x %s, " % (join(batch), join(where("b", d) for d in batch))
        text += "contracting_dims = %s x %s%s : (%s, %s) -> %s" % (
            join(contract),
            join(where("c", d) for d in contract),
            self.attribute([out]),
            tensor(lhs),
            tensor(rhs),
            tensor(out),
        )
        return self.new(out, text)

    def reduce(self, v):
        dims = [d for d in range(len(v[1])) if self.r.random() < 0.5]
        out = tuple(s for d, s in enumerate(v[1]) if d not in dims)
        zero = self.constant(())
        return self.new(
            out,
            "stablehlo.reduce(%s init: %s) applies stablehlo.add across dimensions = "
            "[%s] : (%s, tensor<f32>) -> %s"
            % (v[0], zero[0], ", ".join(map(str, dims)), tensor(v[1]), tensor(out)),
        )

    def slice(self, v):
        begin = [self.r.randint(0, d - 1) if self.r.random() < 0.4 else 0 for d in v[1]]
        end = [
            self.r.randint(b + 1, d) if self.r.random() < 0.4 else d for b, d in zip(begin, v[1])
        ]
        out = tuple(e - b for b, e in zip(begin, end))
        ranges = ", ".join("%d:%d" % p for p in zip(begin, end))
        return self.new(
            out, "stablehlo.slice %s [%s] : (%s) -> %s" % (v[0], ranges, tensor(v[1]), tensor(out))
        )

    def pad(self, v):
        low = [self.r.choice([0, 0, 0, 1, 2]) for _ in v[1]]
        high = [self.r.choice([0, 0, 0, 1, 3]) for _ in v[1]]
        out = tuple(a + d + b for a, d, b in zip(low, v[1], high))
        zero = self.constant(())
        join = lambda l: "[%s]" % ", ".join(map(str, l))
        return self.new(
            out,
            "stablehlo.pad %s, %s, low = %s, high = %s, interior = %s : (%s, "
            "tensor<f32>) -> %s"
            % (
                v[0],
                zero[0],
                join(low),
                join(high),
                join([0] * len(low)),
                tensor(v[1]),
                tensor(out),
            ),
        )

    def concatenate(self, v):
        if not v[1]:
            return self.unary(v)
        d = self.r.randrange(len(v[1]))
        parts = [v] + [
            self.pick(
                lambda s: (
                    len(s) == len(v[1]) and all(i == d or s[i] == v[1][i] for i in range(len(s)))
                )
            )
            or v
            for _ in range(self.r.randint(0, 2))
        ]
        out = list(v[1])
        out[d] = sum(p[1][d] for p in parts)
        return self.new(
            tuple(out),
            "stablehlo.concatenate %s, dim = %d%s : (%s) -> %s"
            % (
                ", ".join(p[0] for p in parts),
                d,
                self.attribute([tuple(out)]),
                ", ".join(tensor(p[1]) for p in parts),
                tensor(out),
            ),
        )

    def reverse(self, v):
        dims = [d for d in range(len(v[1])) if self.r.random() < 0.5]
        return self.new(
            v[1],
            "stablehlo.reverse %s, dims = [%s] : %s"
            % (v[0], ", ".join(map(str, dims)), tensor(v[1])),
        )

    def dynamic(self, v):
        if not v[1]:
            return self.unary(v)
        sizes = tuple(self.r.choice([d, d, max(1, d // 2)]) for d in v[1])
        i = self.fresh()
        self.emit("%s = stablehlo.constant dense<0> : tensor<i32>" % i)
        indices = ", ".join([i] * len(sizes))
        types = ", ".join(["tensor<i32>"] * len(sizes))
        if self.r.random() < 0.5:
            return self.new(
                sizes,
                "stablehlo.dynamic_slice %s, %s, sizes = [%s] : (%s, %s) -> %s"
                % (v[0], indices, ", ".join(map(str, sizes)), tensor(v[1]), types, tensor(sizes)),
            )
        w = self.like(sizes)
        return self.new(
            v[1],
            "stablehlo.dynamic_update_slice %s, %s, %s : (%s, %s, %s) -> %s"
            % (v[0], w[0], indices, tensor(v[1]), tensor(sizes), types, tensor(v[1])),
        )

    def sort(self, v):
        if not v[1]:
            return self.unary(v)
        w = self.like(v[1])
        d = self.r.randrange(len(v[1]))
        name = self.fresh()
        self.emit(
            '%s:2 = "stablehlo.sort"(%s, %s) <{dimension = %d : i64, is_stable = true}> ({'
            % (name, v[0], w[0], d)
        )
        self.emit("^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):")
        self.emit("  %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>")
        self.emit("  stablehlo.return %p : tensor<i1>")
        self.emit(
            "})%s : (%s, %s) -> (%s, %s)" % ((self.attribute([v[1], v[1]]),) + (tensor(v[1]),) * 4)
        )
        self.pool += [(name + "#0", v[1]), (name + "#1", v[1])]
        return self.pool[-1]

    def gather(self, v):
        if not v[1]:
            return self.unary(v)
        d = self.r.randrange(len(v[1]))
        n = self.r.choice([2, 4, 8])
        i = self.fresh()
        self.emit("%s = stablehlo.constant dense<0> : tensor<%dx1xi32>" % (i, n))
        rest = [s for k, s in enumerate(v[1]) if k != d]
        out = tuple([n] + rest)
        sizes = [1 if k == d else s for k, s in enumerate(v[1])]
        return self.new(
            out,
            '"stablehlo.gather"(%s, %s) <{dimension_numbers = #stablehlo.gather<'
            "offset_dims = [%s], collapsed_slice_dims = [%d], start_index_map = [%d], "
            "index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: %s>}> : "
            "(%s, tensor<%dx1xi32>) -> %s"
            % (
                v[0],
                i,
                ", ".join(str(k + 1) for k in range(len(rest))),
                d,
                d,
                ", ".join(map(str, sizes)),
                tensor(v[1]),
                n,
                tensor(out),
            ),
        )

    def convolution(self, v):
        r = self.r
        n, f, out, h, w = (
            r.choice([2, 4]),
            r.choice([4, 8]),
            r.choice([4, 8]),
            r.choice([8, 12]),
            r.choice([8, 16]),
        )
        k, pad, stride = r.choice([1, 2, 3]), r.choice([0, 1]), r.choice([1, 2])
        lhs, rhs = self.like((n, h, w, f)), self.like((k, k, f, out))
        size = lambda d: (d + 2 * pad - k) // stride + 1
        shape = (n, size(h), size(w), out)
        return self.new(
            shape,
            "stablehlo.convolution(%s, %s) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
            "[b, 0, 1, f], window = {stride = [%d, %d], pad = [[%d, %d], [%d, %d]]} "
            "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (%s, %s) -> %s"
            % (
                lhs[0],
                rhs[0],
                stride,
                stride,
                pad,
                pad,
                pad,
                pad,
                tensor(lhs[1]),
                tensor(rhs[1]),
                tensor(shape),
            ),
        )

    def custom(self, v):
        target = self.r.choice(
            [
                "annotate_device_placement",
                "MoveToHost",
                "sdy_testonly",
                "xla.megascale.provide_metadata",
            ]
        )
        rule = ""
        if self.r.random() < 0.3 and v[1]:
            syms = "ijklmn"[: len(v[1])]
            dims = ", ".join(syms)
            kinds = ""
            if self.r.random() < 0.5:
                kinds = " %s={%s}" % (
                    self.r.choice(["need_replication", "permutation", "blocked_propagation"]),
                    self.r.choice(syms),
                )
            rule = " {sdy.sharding_rule = #sdy.op_sharding_rule<([%s])->([%s]) {%s}%s, custom>}" % (
                dims,
                dims,
                ", ".join("%s=%d" % p for p in zip(syms, v[1])),
                kinds,
            )
        return self.new(
            v[1],
            "stablehlo.custom_call @%s(%s)%s : (%s) -> %s"
            % (target, v[0], rule, tensor(v[1]), tensor(v[1])),
        )

    def constraint(self, v):
        closed = self.r.choice([None, True, False])
        return self.new(
            v[1],
            "sdy.sharding_constraint %s %s : %s"
            % (v[0], self.sharding(v[1], self.priorities, closed), tensor(v[1])),
        )

    def dangling(self, v):
        name = self.fresh()
        self.emit(
            "%s = sdy.sharding_constraint %s %s : %s"
            % (name, v[0], self.sharding(v[1], self.priorities, True), tensor(v[1]))
        )
        return v

    def barrier(self, v):
        way = self.r.choice(["FORWARD", "BACKWARD", "NONE"])
        return self.new(
            v[1], "sdy.propagation_barrier %s allowed_direction=%s : %s" % (v[0], way, tensor(v[1]))
        )

    def group(self, v):
        if self.groups is not None:
            number = self.groups.setdefault(v[1], len(self.groups) * 2)
            for member in {v[0], self.pick(lambda s: s == v[1])[0]}:
                self.emit("sdy.sharding_group %s group_id=%d : %s" % (member, number, tensor(v[1])))
        return v

    def optimization_barrier(self, v):
        w = self.pick()
        name = self.fresh()
        self.emit(
            "%s:2 = stablehlo.optimization_barrier %s, %s : %s, %s"
            % (name, v[0], w[0], tensor(v[1]), tensor(w[1]))
        )
        self.pool += [(name + "#0", v[1]), (name + "#1", w[1])]
        return self.pool[-2]

    def array(self, numbers):
        return "array<i64%s>" % (": " + ", ".join(map(str, numbers)) if numbers else "")

    def body(self, name, op, element="f32"):
        """A region that combines two scalars."""
        t = "tensor<%s>" % element
        return (
            "({ ^bb0(%%a%s: %s, %%b%s: %s): %%r%s = stablehlo.%s %%a%s, %%b%s : %s stablehlo.return %%r%s : %s })"
            % (name, t, name, t, name, op, name, name, t, name, t)
        )

    def clamp(self, v):
        low = self.like(v[1]) if self.r.random() < 0.4 else self.constant(())
        high = self.like(low[1])
        return self.new(
            v[1],
            "stablehlo.clamp %s, %s, %s : (%s, %s, %s) -> %s"
            % (low[0], v[0], high[0], tensor(low[1]), tensor(v[1]), tensor(high[1]), tensor(v[1])),
        )

    def reduce_other(self, v):
        """Maxima, products, truth values, or an argmax."""
        dims = [d for d in range(len(v[1])) if self.r.random() < 0.5]
        out = tuple(s for d, s in enumerate(v[1]) if d not in dims)
        where = ", ".join(map(str, dims))
        kind = self.r.choice(["maximum", "minimum", "multiply", "and", "argmax"])
        if kind == "and":
            p, q, t = self.fresh(), self.fresh(), self.fresh()
            self.emit(
                "%s = stablehlo.compare GT, %s, %s : (%s, %s) -> %s"
                % (p, v[0], v[0], tensor(v[1]), tensor(v[1]), tensor(v[1], "i1"))
            )
            self.emit("%s = stablehlo.constant dense<true> : tensor<i1>" % t)
            self.emit(
                "%s = stablehlo.reduce(%s init: %s) applies stablehlo.%s across dimensions = [%s] : "
                "(%s, tensor<i1>) -> %s"
                % (
                    q,
                    p,
                    t,
                    self.r.choice(["and", "or"]),
                    where,
                    tensor(v[1], "i1"),
                    tensor(out, "i1"),
                )
            )
            return self.new(
                out, "stablehlo.convert %s : (%s) -> %s" % (q, tensor(out, "i1"), tensor(out))
            )
        zero = self.constant(())
        if kind != "argmax":
            return self.new(
                out,
                "stablehlo.reduce(%s init: %s) applies stablehlo.%s across dimensions = "
                "[%s] : (%s, tensor<f32>) -> %s"
                % (v[0], zero[0], kind, where, tensor(v[1]), tensor(out)),
            )
        w, name = self.like(v[1]), self.fresh()
        self.emit(
            '%s:2 = "stablehlo.reduce"(%s, %s, %s, %s) <{dimensions = %s}> ({'
            % (name, v[0], w[0], zero[0], zero[0], self.array(dims))
        )
        self.emit("^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):")
        self.emit("  %p = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>")
        self.emit("  %q = stablehlo.select %p, %a, %c : tensor<i1>, tensor<f32>")
        self.emit("  %r = stablehlo.select %p, %b, %d : tensor<i1>, tensor<f32>")
        self.emit("  stablehlo.return %q, %r : tensor<f32>, tensor<f32>")
        self.emit(
            "})%s : (%s, %s, tensor<f32>, tensor<f32>) -> (%s, %s)"
            % (self.attribute([out, out]), tensor(v[1]), tensor(v[1]), tensor(out), tensor(out))
        )
        self.pool += [(name + "#0", out), (name + "#1", out)]
        return self.pool[-1]

    def windows(self, v):
        """Sizes, strides and padding of a window on each dimension, and how often it fits."""
        size = [self.r.choice([1, 1, min(2, d), min(3, d)]) for d in v[1]]
        stride = [self.r.choice([1, 1, 2]) if k > 1 else 1 for k in size]
        pad = [self.r.choice([(0, 0), (0, 0), (1, 0), (1, 1)]) if k > 1 else (0, 0) for k in size]
        out = tuple((d + a + b - k) // s + 1 for d, k, s, (a, b) in zip(v[1], size, stride, pad))
        return size, stride, pad, out

    def padding(self, pad):
        return "dense<[%s]> : tensor<%dx2xi64>" % (", ".join("[%d, %d]" % p for p in pad), len(pad))

    def reduce_window(self, v):
        if not v[1]:
            return self.unary(v)
        size, stride, pad, out = self.windows(v)
        zero = self.constant(())
        return self.new(
            out,
            '"stablehlo.reduce_window"(%s, %s) <{window_dimensions = %s, window_strides = %s, '
            "padding = %s}> %s%s : (%s, tensor<f32>) -> %s"
            % (
                v[0],
                zero[0],
                self.array(size),
                self.array(stride),
                self.padding(pad),
                self.body("w", self.r.choice(["add", "maximum"])),
                self.attribute([out]),
                tensor(v[1]),
                tensor(out),
            ),
        )

    def select_and_scatter(self, v):
        if not v[1]:
            return self.unary(v)
        size, stride, pad, out = self.windows(v)
        pad = [(0, 0)] * len(size)
        out = tuple((d - k) // s + 1 for d, k, s in zip(v[1], size, stride))
        source, zero = self.like(out), self.constant(())
        select = (
            "({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %p = stablehlo.compare GE, %a, %b : "
            "(tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }"
        )
        return self.new(
            v[1],
            '"stablehlo.select_and_scatter"(%s, %s, %s) <{window_dimensions = %s, window_strides = %s, '
            "padding = %s}> %s, %s : (%s, %s, tensor<f32>) -> %s"
            % (
                v[0],
                source[0],
                zero[0],
                self.array(size),
                self.array(stride),
                self.padding(pad),
                select,
                self.body("s", "add")[1:],
                tensor(v[1]),
                tensor(out),
                tensor(v[1]),
            ),
        )

    def scatter(self, v):
        if not v[1]:
            return self.unary(v)
        d = self.r.randrange(len(v[1]))
        n, i = self.r.choice([2, 4, 8]), self.fresh()
        self.emit("%s = stablehlo.constant dense<0> : tensor<%dx1xi32>" % (i, n))
        updates = tuple([n] + [s for k, s in enumerate(v[1]) if k != d])
        w = self.like(updates)
        return self.new(
            v[1],
            '"stablehlo.scatter"(%s, %s, %s) <{scatter_dimension_numbers = #stablehlo.scatter<'
            "update_window_dims = [%s], inserted_window_dims = [%d], scatter_dims_to_operand_dims = [%d], "
            "index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> %s%s : "
            "(%s, tensor<%dx1xi32>, %s) -> %s"
            % (
                v[0],
                i,
                w[0],
                ", ".join(str(k + 1) for k in range(len(v[1]) - 1)),
                d,
                d,
                self.body("u", self.r.choice(["add", "multiply", "maximum", "subtract"])),
                self.attribute([v[1]]),
                tensor(v[1]),
                n,
                tensor(updates),
                tensor(v[1]),
            ),
        )

    def gather_batched(self, v):
        """One element of the last dimension for each position of the first, or slices of it."""
        if len(v[1]) < 2:
            return self.gather(v)
        b, last = v[1][0], len(v[1]) - 1
        n, i = self.r.choice([1, 2, 4]), self.fresh()
        self.emit("%s = stablehlo.constant dense<0> : tensor<%dx%dx1xi32>" % (i, b, n))
        part = self.r.choice([1, max(1, v[1][last] // 2)])
        sizes = [1] + list(v[1][1:last]) + [part]
        rest = sizes[1:]
        out = tuple([b, n] + rest)
        return self.new(
            out,
            '"stablehlo.gather"(%s, %s) <{dimension_numbers = #stablehlo.gather<'
            "offset_dims = [%s], operand_batching_dims = [0], start_indices_batching_dims = [0], "
            "start_index_map = [%d], index_vector_dim = 2>, indices_are_sorted = false, "
            "slice_sizes = array<i64: %s>}>%s : (%s, tensor<%dx%dx1xi32>) -> %s"
            % (
                v[0],
                i,
                ", ".join(str(k + 2) for k in range(len(rest))),
                last,
                ", ".join(map(str, sizes)),
                self.attribute([out]),
                tensor(v[1]),
                b,
                n,
                tensor(out),
            ),
        )

    def fft(self, v):
        if not v[1]:
            return self.unary(v)
        n = self.r.randint(1, min(2, len(v[1])))
        lengths = list(v[1][-n:])
        freq = tuple(list(v[1][:-1]) + [v[1][-1] // 2 + 1])
        c = self.fresh()
        self.emit(
            "%s = stablehlo.fft %s, type = RFFT, length = [%s] : (%s) -> %s"
            % (c, v[0], ", ".join(map(str, lengths)), tensor(v[1]), tensor(freq, "complex<f32>"))
        )
        if self.r.random() < 0.5:
            return self.new(
                v[1],
                "stablehlo.fft %s, type = IRFFT, length = [%s] : (%s) -> %s"
                % (c, ", ".join(map(str, lengths)), tensor(freq, "complex<f32>"), tensor(v[1])),
            )
        return self.new(
            freq, "stablehlo.real %s : (%s) -> %s" % (c, tensor(freq, "complex<f32>"), tensor(freq))
        )

    def bitcast(self, v):
        b = self.fresh()
        narrow = tensor(tuple(v[1]) + (4,), "i8")
        self.emit(
            "%s = stablehlo.bitcast_convert %s : (%s) -> %s" % (b, v[0], tensor(v[1]), narrow)
        )
        if self.r.random() < 0.5:
            c = self.fresh()
            self.emit(
                "%s = stablehlo.bitcast_convert %s : (%s) -> %s"
                % (c, v[0], tensor(v[1]), tensor(v[1], "i32"))
            )
            return self.new(
                v[1], "stablehlo.convert %s : (%s) -> %s" % (c, tensor(v[1], "i32"), tensor(v[1]))
            )
        return self.new(
            v[1], "stablehlo.bitcast_convert %s : (%s) -> %s" % (b, narrow, tensor(v[1]))
        )

    def random_bits(self, v):
        state, name = self.fresh(), self.fresh()
        self.emit("%s = stablehlo.constant dense<1> : tensor<2xui64>" % state)
        self.emit(
            "%s:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> "
            "(tensor<2xui64>, %s)" % (name, state, tensor(v[1], "ui32"))
        )
        bits = self.new(
            v[1], "stablehlo.convert %s#1 : (%s) -> %s" % (name, tensor(v[1], "ui32"), tensor(v[1]))
        )
        return self.new(v[1], "stablehlo.add %s, %s : %s" % (v[0], bits[0], tensor(v[1])))

    def cholesky(self, v):
        if len(v[1]) < 2 or v[1][-1] != v[1][-2]:
            n = self.r.choice([2, 4, 8])
            v = self.like(tuple(v[1][:1]) + (n, n))
        a = self.new(
            v[1],
            "stablehlo.cholesky %s, lower = %s : %s"
            % (v[0], self.r.choice(["true", "false"]), tensor(v[1])),
        )
        if self.r.random() < 0.5:
            return a
        b = self.like(v[1])
        return self.new(
            v[1],
            '"stablehlo.triangular_solve"(%s, %s) <{left_side = %s, lower = true, unit_diagonal = '
            "false, transpose_a = #stablehlo<transpose %s>}> : (%s, %s) -> %s"
            % (
                a[0],
                b[0],
                self.r.choice(["true", "false"]),
                self.r.choice(["NO_TRANSPOSE", "TRANSPOSE"]),
                tensor(v[1]),
                tensor(v[1]),
                tensor(v[1]),
            ),
        )

    def plain_dot(self, v):
        if len(v[1]) not in (1, 2):
            return self.dot(v)
        rhs = self.r.choice([(v[1][-1],), (v[1][-1], self.r.choice(SIZES))])
        w = self.like(rhs)
        out = tuple(v[1][:-1]) + rhs[1:]
        return self.new(
            out,
            "stablehlo.dot %s, %s%s : (%s, %s) -> %s"
            % (v[0], w[0], self.attribute([out]), tensor(v[1]), tensor(rhs), tensor(out)),
        )

    def batch_norm(self, v):
        if not v[1]:
            return self.unary(v)
        d = self.r.randrange(len(v[1]))
        side = [self.like((v[1][d],))[0] for _ in range(4)]
        one = tensor((v[1][d],))
        return self.new(
            v[1],
            '"stablehlo.batch_norm_inference"(%s, %s) <{epsilon = 1.0e-3 : f32, feature_index = %d : '
            "i64}> : (%s, %s) -> %s"
            % (v[0], ", ".join(side), d, tensor(v[1]), ", ".join([one] * 4), tensor(v[1])),
        )

    def linear_call(self, v):
        """Custom calls whose dimensions have rules of their own."""
        if not v[1]:
            return self.unary(v)
        name = self.fresh()
        if self.r.random() < 0.5:
            k = max(1, v[1][-1] // 2)
            out = tuple(v[1][:-1]) + (k,)
            self.emit(
                "%s:2 = stablehlo.custom_call @mhlo.topk(%s) {mhlo.attributes = {k = %d : i64, largest = true}, "
                "mhlo.version = 1 : i64} : (%s) -> (%s, %s)"
                % (name, v[0], k, tensor(v[1]), tensor(out), tensor(out, "i32"))
            )
            self.pool.append((name + "#0", out))
            return self.pool[-1]
        if len(v[1]) < 2:
            return self.unary(v)
        small = tuple(v[1][:-2]) + (min(v[1][-2:]),)
        self.emit(
            "%s:2 = stablehlo.custom_call @Qr(%s) : (%s) -> (%s, %s)"
            % (name, v[0], tensor(v[1]), tensor(v[1]), tensor(small))
        )
        self.pool += [(name + "#0", v[1]), (name + "#1", small)]
        return self.pool[-1]

    def convolution_other(self, v):
        """Groups of features, dilation, one spatial dimension."""
        r = self.r
        n, groups, out, h = (
            r.choice([2, 4, 8]),
            r.choice([1, 2]),
            r.choice([4, 8]),
            r.choice([8, 12, 16]),
        )
        k, dilate, base = r.choice([1, 2, 3]), r.choice([1, 2]), r.choice([1, 2])
        f = r.choice([4, 8])
        lhs, rhs = self.like((n, f, h)), self.like((out, f // groups, k))
        size = (h - 1) * base + 1 + 2 - ((k - 1) * dilate + 1) + 1
        shape = (n, out, size)
        return self.new(
            shape,
            "stablehlo.convolution(%s, %s) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], "
            "window = {pad = [[1, 1]], lhs_dilate = [%d], rhs_dilate = [%d]} {batch_group_count = 1 : i64, "
            "feature_group_count = %d : i64} : (%s, %s) -> %s"
            % (lhs[0], rhs[0], base, dilate, groups, tensor(lhs[1]), tensor(rhs[1]), tensor(shape)),
        )

    def sampled(self, v):
        """Random numbers, less precise ones, statistics of a batch."""
        kind = self.r.choice(["rng", "precision", "training"])
        if kind == "rng" and v[1]:
            low, n = self.constant(()), self.fresh()
            self.emit(
                "%s = stablehlo.constant dense<[%s]> : tensor<%dxi64>"
                % (n, ", ".join(map(str, v[1])), len(v[1]))
            )
            w = self.new(
                v[1],
                "stablehlo.rng %s, %s, %s, distribution = UNIFORM%s : (tensor<f32>, tensor<f32>, "
                "tensor<%dxi64>) -> %s"
                % (low[0], low[0], n, self.attribute([v[1]]), len(v[1]), tensor(v[1])),
            )
            return self.new(v[1], "stablehlo.add %s, %s : %s" % (v[0], w[0], tensor(v[1])))
        if kind == "precision" or not v[1]:
            return self.new(
                v[1],
                "stablehlo.reduce_precision %s, format = e5m10%s : %s"
                % (v[0], self.attribute([v[1]]), tensor(v[1])),
            )
        d, name = self.r.randrange(len(v[1])), self.fresh()
        one = (v[1][d],)
        a, b = self.like(one)[0], self.like(one)[0]
        self.emit(
            '%s:3 = "stablehlo.batch_norm_training"(%s, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = %d : '
            "i64}> : (%s, %s, %s) -> (%s, %s, %s)"
            % (
                name,
                v[0],
                a,
                b,
                d,
                tensor(v[1]),
                tensor(one),
                tensor(one),
                tensor(v[1]),
                tensor(one),
                tensor(one),
            )
        )
        self.pool += [(name + "#0", v[1]), (name + "#1", one)]
        return self.pool[-2]

    def unknown_call(self, v):
        """A target that nobody knows, with two results."""
        name, w = self.fresh(), self.pick()
        self.emit(
            "%s:2 = stablehlo.custom_call @my_kernel_%d(%s, %s)%s : (%s, %s) -> (%s, %s)"
            % (
                name,
                self.r.randrange(3),
                v[0],
                w[0],
                self.attribute([v[1], w[1]]),
                tensor(v[1]),
                tensor(w[1]),
                tensor(v[1]),
                tensor(w[1]),
            )
        )
        self.pool += [(name + "#0", v[1]), (name + "#1", w[1])]
        return self.pool[-1]

    def group_op(self, v):
        """A collective of StableHLO over groups of two devices, or over all."""
        total = 1
        for _, n in self.mesh:
            total *= n
        groups = "dense<[%s]> : tensor<%dx2xi64>" % (
            ", ".join("[%d, %d]" % (i, i + 1) for i in range(0, total, 2)),
            total // 2,
        )
        handle = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
        kind = self.r.choice(
            ["all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute"]
        )
        d = self.r.randrange(len(v[1])) if v[1] else 0
        shape = list(v[1])
        if (
            total % 2
            or (kind != "all_reduce" and not shape)
            or (kind in ("reduce_scatter", "all_to_all") and shape[d] % 2)
        ):
            kind = "all_reduce"
        if kind == "all_reduce":
            if total % 2:
                return self.unary(v)
            return self.new(
                v[1],
                '"stablehlo.all_reduce"(%s) <{%s, replica_groups = %s, use_global_device_ids}> %s%s : '
                "(%s) -> %s"
                % (
                    v[0],
                    handle,
                    groups,
                    self.body("g", "add"),
                    self.attribute([v[1]]),
                    tensor(v[1]),
                    tensor(v[1]),
                ),
            )
        if kind == "collective_permute":
            return self.new(
                v[1],
                '"stablehlo.collective_permute"(%s) <{%s, source_target_pairs = dense<[[0, 1], [1, 0]]> '
                ": tensor<2x2xi64>}> : (%s) -> %s" % (v[0], handle, tensor(v[1]), tensor(v[1])),
            )
        if kind == "all_gather":
            shape[d] *= 2
            return self.new(
                tuple(shape),
                '"stablehlo.all_gather"(%s) <{all_gather_dim = %d : i64, %s, replica_groups = '
                "%s, use_global_device_ids}> : (%s) -> %s"
                % (v[0], d, handle, groups, tensor(v[1]), tensor(tuple(shape))),
            )
        if kind == "reduce_scatter":
            shape[d] //= 2
            return self.new(
                tuple(shape),
                '"stablehlo.reduce_scatter"(%s) <{%s, replica_groups = %s, scatter_dimension = '
                "%d : i64, use_global_device_ids}> %s : (%s) -> %s"
                % (
                    v[0],
                    handle,
                    groups,
                    d,
                    self.body("h", "add"),
                    tensor(v[1]),
                    tensor(tuple(shape)),
                ),
            )
        e = self.r.randrange(len(shape))
        shape[d] //= 2
        shape[e] *= 2
        return self.new(
            tuple(shape),
            '"stablehlo.all_to_all"(%s) <{%s, concat_dimension = %d : i64, replica_groups = %s, '
            "split_count = 2 : i64, split_dimension = %d : i64}> : (%s) -> %s"
            % (v[0], handle, e, groups, d, tensor(v[1]), tensor(tuple(shape))),
        )

    def dynamic_index(self, v):
        """Slices at places that are computed."""
        if not v[1]:
            return self.unary(v)
        i = self.fresh()
        self.emit(
            "%s = stablehlo.convert %s : (tensor<f32>) -> tensor<i32>" % (i, self.like(())[0])
        )
        sizes = tuple(self.r.choice([d, d, 1, max(1, d // 2)]) for d in v[1])
        indices, types = ", ".join([i] * len(sizes)), ", ".join(["tensor<i32>"] * len(sizes))
        part = self.new(
            sizes,
            "stablehlo.dynamic_slice %s, %s, sizes = [%s]%s : (%s, %s) -> %s"
            % (
                v[0],
                indices,
                ", ".join(map(str, sizes)),
                self.attribute([sizes]),
                tensor(v[1]),
                types,
                tensor(sizes),
            ),
        )
        if self.r.random() < 0.5:
            return part
        return self.new(
            v[1],
            "stablehlo.dynamic_update_slice %s, %s, %s%s : (%s, %s, %s) -> %s"
            % (
                v[0],
                part[0],
                indices,
                self.attribute([v[1]]),
                tensor(v[1]),
                tensor(sizes),
                types,
                tensor(v[1]),
            ),
        )

    def scatter_other(self, v):
        """Windows that are parts of dimensions, or batches."""
        if len(v[1]) < 2:
            return self.scatter(v)
        n, i = self.r.choice([1, 2, 4]), self.fresh()
        last = len(v[1]) - 1
        if self.r.random() < 0.5:
            b = v[1][0]
            self.emit("%s = stablehlo.constant dense<0> : tensor<%dx%dx1xi32>" % (i, b, n))
            updates = tuple([b, n] + list(v[1][1:last]) + [max(1, v[1][last] // 2)])
            dims = (
                "update_window_dims = [%s], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
                "scatter_dims_to_operand_dims = [%d], index_vector_dim = 2"
                % (", ".join(map(str, range(2, len(updates)))), last)
            )
            index = "tensor<%dx%dx1xi32>" % (b, n)
        else:
            self.emit("%s = stablehlo.constant dense<0> : tensor<%dx1xi32>" % (i, n))
            updates = tuple([n] + list(v[1][:last]) + [max(1, v[1][last] // 2)])
            dims = (
                "update_window_dims = [%s], scatter_dims_to_operand_dims = [%d], index_vector_dim = 1"
                % (", ".join(map(str, range(1, len(updates)))), last)
            )
            index = "tensor<%dx1xi32>" % n
        w = self.like(updates)
        return self.new(
            v[1],
            '"stablehlo.scatter"(%s, %s, %s) <{scatter_dimension_numbers = #stablehlo.scatter<%s>, '
            "indices_are_sorted = false, unique_indices = false}> %s%s : (%s, %s, %s) -> %s"
            % (
                v[0],
                i,
                w[0],
                dims,
                self.body("x", self.r.choice(["add", "minimum"])),
                self.attribute([v[1]]),
                tensor(v[1]),
                index,
                tensor(updates),
                tensor(v[1]),
            ),
        )

    def concatenate_slices(self, v):
        """Parts of one tensor put together again, as a rotation does."""
        if not v[1]:
            return self.unary(v)
        d = self.r.randrange(len(v[1]))
        if v[1][d] < 2:
            return self.unary(v)
        at = self.r.randint(1, v[1][d] - 1)
        parts = []
        for begin, end in ((at, v[1][d]), (0, at)):
            shape = tuple(end - begin if k == d else s for k, s in enumerate(v[1]))
            ranges = ", ".join(
                "%d:%d" % ((begin, end) if k == d else (0, s)) for k, s in enumerate(v[1])
            )
            parts.append(
                self.new(
                    shape,
                    "stablehlo.slice %s [%s] : (%s) -> %s"
                    % (v[0], ranges, tensor(v[1]), tensor(shape)),
                )
            )
        return self.new(
            v[1],
            "stablehlo.concatenate %s, dim = %d%s : (%s) -> %s"
            % (
                ", ".join(p[0] for p in parts),
                d,
                self.attribute([v[1]]),
                ", ".join(tensor(p[1]) for p in parts),
                tensor(v[1]),
            ),
        )

    # ---- operations with regions

    def inside(self, arguments, shapes, steps, isolated):
        """Lines of a body that ends in values of those shapes; returns their names."""
        outer = self.pool
        self.pool = list(arguments) + ([] if isolated else list(outer))
        self.indent += 2
        for _ in range(steps):
            self.step(deep=True)
        names = [
            self.binary(self.like(s))[0] if self.r.random() < 0.7 else self.like(s)[0]
            for s in shapes
        ]
        self.indent -= 2
        self.pool = outer
        return names

    def loop(self, v):
        carried = [v] + [self.pick() for _ in range(self.r.randint(0, 2))]
        i, name = self.fresh(), self.fresh()
        self.emit("%s = stablehlo.constant dense<0> : tensor<i32>" % i)
        arguments = [("%%w%d_%d" % (self.count, k), c[1]) for k, c in enumerate(carried)]
        index = "%%w%d_i" % self.count
        types = ", ".join(["tensor<i32>"] + [tensor(c[1]) for c in carried])
        self.emit(
            "%s:%d = stablehlo.while(%s = %s, %s) : %s"
            % (
                name,
                len(carried) + 1,
                index,
                i,
                ", ".join("%s = %s" % (a[0], c[0]) for a, c in zip(arguments, carried)),
                types,
            )
        )
        self.emit("cond {")
        self.emit("  %%limit = stablehlo.constant dense<3> : tensor<i32>")
        self.emit(
            "  %%more = stablehlo.compare LT, %s, %%limit : (tensor<i32>, tensor<i32>) -> tensor<i1>"
            % index
        )
        self.lines[-2:] = [l.replace("%%", "%") for l in self.lines[-2:]]
        self.emit("  stablehlo.return %more : tensor<i1>")
        self.emit("} do {")
        names = self.inside(arguments, [c[1] for c in carried], self.r.randint(1, 4), False)
        self.emit("  stablehlo.return %s : %s" % (", ".join([index] + names), types))
        self.emit("}")
        self.pool += [("%s#%d" % (name, k + 1), c[1]) for k, c in enumerate(carried)]
        return self.pool[-1]

    def case(self, v):
        i, name = self.fresh(), self.fresh()
        self.emit("%s = stablehlo.constant dense<0> : tensor<i32>" % i)
        self.emit('%s = "stablehlo.case"(%s) ({' % (name, i))
        for branch in range(2):
            if branch:
                self.emit("}, {")
            out = self.inside([], [v[1]], self.r.randint(0, 3), False)
            self.emit("  stablehlo.return %s : %s" % (out[0], tensor(v[1])))
        self.emit("}) : (tensor<i32>) -> %s" % tensor(v[1]))
        self.pool.append((name, v[1]))
        return self.pool[-1]

    def manual_computation(self, v):
        free = [a for a in self.mesh if a[0] not in self.manual and a[1] > 1]
        if not free or self.manual or self.two:
            return self.unary(v)
        axis, size = self.r.choice(free)
        dims = [d for d in range(len(v[1])) if v[1][d] % size == 0]
        if not dims:
            return self.unary(v)
        d = self.r.choice(dims)
        local = tuple(s // size if k == d else s for k, s in enumerate(v[1]))

        def border():
            other = [a for a in free if a[0] != axis and self.r.random() < 0.3]
            parts = []
            for k in range(len(v[1])):
                mine = ['"%s"' % axis] if k == d else []
                if other and self.r.random() < 0.4:
                    mine.append('"%s"' % other.pop()[0])
                parts.append("{%s}" % ", ".join(mine + ["?"] * (self.r.random() < 0.6)))
            return "<@mesh, [%s]>" % ", ".join(parts)

        name = self.fresh()
        argument = "%%m%d" % self.count
        self.emit(
            '%s = sdy.manual_computation(%s) in_shardings=[%s] out_shardings=[%s] manual_axes={"%s"} (%s: %s) {'
            % (name, v[0], border(), border(), axis, argument, tensor(local))
        )
        self.manual = (axis,)
        out = self.inside([(argument, local)], [local], self.r.randint(1, 3), True)
        self.manual = ()
        self.emit("  sdy.return %s : %s" % (out[0], tensor(local)))
        self.emit("} : (%s) -> %s" % (tensor(v[1]), tensor(v[1])))
        self.pool.append((name, v[1]))
        return self.pool[-1]

    def call(self, v):
        """A function of one argument, new or known."""
        known = [f for f in self.functions if f[1] == v[1]]
        if known and self.r.random() < 0.6:
            name = self.r.choice(known)[0]
        else:
            name = "f%d" % len(self.functions)
            lines, indent, manual = self.lines, self.indent, self.manual
            self.lines, self.indent = [], 2
            self.functions.append((name, v[1], self.lines))
            self.emit(
                "func.func private @%s(%%arg: %s) -> %s {" % (name, tensor(v[1]), tensor(v[1]))
            )
            out = self.inside([("%arg", v[1])], [v[1]], self.r.randint(1, 4), True)
            self.emit("  return %s : %s" % (out[0], tensor(v[1])))
            self.emit("}")
            self.lines, self.indent, self.manual = lines, indent, manual
        return self.new(
            v[1],
            "func.call @%s(%s)%s : (%s) -> %s"
            % (name, v[0], self.attribute([v[1]], 0.05), tensor(v[1]), tensor(v[1])),
        )

    # ---- programs

    SIMPLE = (
        "unary binary binary binary select transpose reshape reshape broadcast dot dot reduce "
        "slice pad concatenate reverse dynamic sort gather convolution custom constraint "
        "dangling barrier group optimization_barrier clamp reduce_other reduce_window "
        "select_and_scatter scatter gather_batched fft bitcast random_bits cholesky plain_dot "
        "batch_norm linear_call convolution_other sampled unknown_call group_op dynamic_index "
        "scatter_other concatenate_slices"
    ).split()
    NESTED = "loop case manual_computation call call".split()

    def step(self, deep=False):
        v = self.pick() or self.constant((4,))
        kind = (
            self.r.choice(self.NESTED)
            if not deep and self.r.random() < 0.12
            else self.r.choice(self.SIMPLE)
        )
        size = 1
        for d in v[1]:
            size *= d
        if size > 1 << 16 or len(v[1]) > 5:
            kind = "reduce"
        getattr(self, kind)(v)

    def whole(self):
        r = self.r
        self.priorities = r.random() < 0.25
        shapes = [
            tuple(r.choice(SIZES) for _ in range(r.choice([0, 1, 2, 2, 3]))) for _ in range(3)
        ]
        arguments = [r.choice(shapes) for _ in range(r.randint(1, 5))]
        self.indent = 4
        self.pool = [("%%arg%d" % i, s) for i, s in enumerate(arguments)]
        for _ in range(r.randint(2, 25)):
            self.step()
        results = [self.pick() for _ in range(r.randint(1, 3))]
        if r.random() < 0.8:  # what nobody uses is erased, so most of it is returned
            results += [
                v
                for v in self.pool
                if not v[0].startswith("%arg")
                and r.random() < 0.7
                and sum(line.count(v[0] + c) for line in self.lines for c in " ,)#:") < 2
            ]
        note = lambda s, p: (
            " {sdy.sharding = #sdy.sharding%s}" % self.sharding(s, self.priorities)
            if r.random() < p
            else ""
        )
        heads = ", ".join(
            "%%arg%d: %s%s" % (i, tensor(s), note(s, 0.5)) for i, s in enumerate(arguments)
        )
        tails = ", ".join("%s%s" % (tensor(s), note(s, 0.25)) for _, s in results)
        mesh = ", ".join('"%s"=%d' % a for a in self.mesh)
        out = ["sdy.mesh @mesh = <[%s]>" % mesh]
        if self.two:
            size = 1
            for _, n in self.mesh:
                size *= n
            ids = list(range(size))
            if r.random() < 0.5:
                r.shuffle(ids)
            same = ids == list(range(size))
            out.append(
                "sdy.mesh @other = <[%s]%s>" % (mesh, "" if same else ", device_ids=%s" % ids)
            )
        out.append("func.func public @main(%s) -> (%s) {" % (heads, tails))
        out += self.lines
        out.append(
            "    return %s : %s"
            % (", ".join(v for v, _ in results), ", ".join(tensor(s) for _, s in results))
        )
        out.append("}")
        for _, _, lines in self.functions:
            out += lines
        return "\n".join(out) + "\n"


# Passes that Shardy registers for functions rather than for modules.
OF_FUNCTIONS = (
    "sdy-constant-or-scalar-merger",
    "sdy-sink-data-flow-edges",
    "sdy-sharding-constraint-to-reshard",
    "sdy-insert-explicit-reshards",
    "sdy-reshard-to-collectives",
)


# ---- both sides ------------------------------------------------------------------------------


def run_shardy(text, passes):
    context = make_context()
    context.emit_error_diagnostics = True
    with context:
        try:
            module = ir.Module.parse(text)
        except Exception as error:
            return "PARSE " + str(error)[:500]
        try:
            nested = ["func.func(%s)" % p if p.split("{")[0] in OF_FUNCTIONS else p for p in passes]
            passmanager.PassManager.parse("builtin.module(%s)" % ",".join(nested)).run(
                module.operation
            )
        except Exception as error:
            return "REFUSED " + str(error).split("\n")[0][:200]
        return module.operation.get_asm()


def as_shardy(name):
    """A pass that also repeats what docs/differences.md tells of custom rules."""
    if not name.startswith("sdy-insert-explicit-reshards"):
        return name
    return "sdy-insert-explicit-reshards{%s}" % " ".join(
        ["sdy-compatible=true"] + name.partition("{")[2].rstrip("}").split()
    )


def run_tess(tess, path, passes):
    # as sdy_opt spells them: -pass=option
    options = ["-" + p.replace("{", "=").replace("}", "") for p in passes]
    try:
        done = subprocess.run(
            [tess, "opt", path] + options, capture_output=True, text=True, timeout=60
        )
    except subprocess.TimeoutExpired:
        return "HANGS"
    if done.returncode == 1:
        return "REFUSED " + done.stderr.split("\n")[0][:300]
    return (
        done.stdout
        if done.returncode == 0
        else "CRASH %d %s" % (done.returncode, done.stderr[:300])
    )


CONFIGURATIONS.update(LATE)


def configuration_of(number, only):
    if only:
        return only
    names = sorted(WEIGHTS)
    return random.Random(number * 7 + 1).choices(names, [WEIGHTS[n] for n in names])[0]


def propagated(tess, folder, text):
    path = os.path.join(folder, "before.mlir")
    with open(path, "w") as out:
        out.write(text)
    return run_tess(tess, path, CONFIGURATIONS["export"])


def check_batch(numbers, options, folder):
    """[(number, configuration, verdict, text, theirs, ours)]"""
    programs = [(n, configuration_of(n, options.only), Program(n).text) for n in numbers]
    if options.only in LATE:
        programs = [(n, c, propagated(options.tess, folder, text)) for n, c, text in programs]
    theirs = forked([lambda t=t, c=c: run_shardy(t, CONFIGURATIONS[c]) for _, c, t in programs])
    ours = []
    for number, name, text in programs:
        path = os.path.join(folder, "p.mlir")
        with open(path, "w") as out:
            out.write(text)
        passes = CONFIGURATIONS[name]
        ours.append(
            run_tess(options.tess, path, map(as_shardy, passes) if options.compatible else passes)
        )
    unequal = [
        i for i in range(len(programs)) if ours[i] != theirs[i] and ours[i].startswith("module")
    ]
    for i, printed in zip(
        unequal, forked([lambda t=ours[i]: reprint(t) for i in unequal]) if unequal else []
    ):
        ours[i] = printed
    for (number, name, text), a, b in zip(programs, theirs, ours):
        if text.startswith("REFUSED"):
            verdict = "no answer"
        elif a.startswith("PARSE"):
            verdict = "broken generator"
        elif a.startswith(("ABORTED", "REFUSED")):
            verdict = "no answer" if not b.startswith(("CRASH", "HANGS")) else "crash"
        elif b.startswith(("CRASH", "HANGS")):
            verdict = "crash"
        else:
            verdict = "same" if a == b else "differs"
        yield number, name, verdict, text, a, b


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="number of the first program")
    parser.add_argument("--keep", help="folder for programs that differ")
    parser.add_argument("--compatible", action="store_true", help="tess with sdy-compatible=true")
    parser.add_argument("--only", choices=sorted(CONFIGURATIONS))
    options = parser.parse_args()
    totals = {}
    with tempfile.TemporaryDirectory() as folder:
        for start in range(options.seed, options.seed + options.count, 25):
            numbers = range(start, min(start + 25, options.seed + options.count))
            for number, name, verdict, text, a, b in check_batch(numbers, options, folder):
                totals[verdict] = totals.get(verdict, 0) + 1
                if verdict in ("same", "no answer"):
                    continue
                print(
                    "%s  program %d, %s  %s"
                    % (
                        verdict,
                        number,
                        name,
                        (a if verdict == "broken generator" else b)[:200]
                        if not b.startswith("module")
                        else "",
                    ),
                    flush=True,
                )
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    for suffix, content in (("mlir", text), ("shardy", a), ("tess", b)):
                        with open(
                            os.path.join(options.keep, "%d.%s.%s" % (number, name, suffix)), "w"
                        ) as out:
                            out.write(content)
    print(", ".join("%s: %d" % item for item in sorted(totals.items())))
    judged = sum(totals.get(v, 0) for v in ("same", "differs", "crash"))
    wrong = totals.get("differs", 0) + totals.get("crash", 0)
    return 1 if wrong > 0.005 * max(judged, 1) else 0


if __name__ == "__main__":
    sys.exit(main())
